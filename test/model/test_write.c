// Round trips: what each format keeps comes back.
#include "text_model.h"

static const fr_model_format all_formats[] = {FR_MODEL_OBJ, FR_MODEL_STL,       FR_MODEL_STL_ASCII,
                                              FR_MODEL_PLY, FR_MODEL_PLY_ASCII, FR_MODEL_OFF};
#define FORMAT_COUNT (sizeof all_formats / sizeof all_formats[0])

// A node that places mesh 0.
static fr_model_node part_node(const char *name) {
    fr_model_node node = fr_default_model_node();
    node.name = name;
    node.mesh = 0;
    return node;
}

static float random_float(fr_random *random) {
    for (;;) {
        uint32_t bits = (uint32_t)fr_random_bits(random);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) { return value; }
    }
}

// One part of `count` triangles with random bits in every coordinate.
static fr_model *random_model(uint64_t seed, uint32_t count, bool is_double) {
    fr_random random = fr_random_seed(seed);
    float *narrow = malloc(9 * count * sizeof *narrow);
    double *wide = malloc(9 * count * sizeof *wide);
    uint32_t *corners = malloc(3 * count * sizeof *corners);
    assert_true(narrow != NULL && wide != NULL && corners != NULL);
    for (uint32_t i = 0; i < 9 * count; i++) {
        narrow[i] = random_float(&random);
        wide[i] = fr_random_between(&random, -1e6, 1e6);
    }
    for (uint32_t i = 0; i < 3 * count; i++) {
        corners[i] = i;
    }
    fr_model_mesh mesh = {.positions_float = is_double ? NULL : narrow,
                          .positions_double = is_double ? wide : NULL,
                          .vertex_count = 3 * count,
                          .corners = corners,
                          .face_count = count};
    fr_model_node node = part_node("a part");
    fr_model_def def = fr_default_model_def();
    def.nodes = &node;
    def.node_count = 1;
    def.meshes = &mesh;
    def.mesh_count = 1;
    fr_model *model;
    assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
    free(narrow);
    free(wide);
    free(corners);
    return model;
}

static void floats_keep_every_bit_in_every_format(void **state) {
    (void)state;
    fr_model *model = random_model(1, 500, false);
    const float *expected = fr_model_get(model)->meshes[0].positions_float;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        fr_model *again = written_and_read(model, all_formats[i]);
        const fr_model_mesh *mesh = &fr_model_get(again)->meshes[0];
        assert_int_equal(mesh->vertex_count, 1500);
        for (uint32_t k = 0; k < 4500; k++) {
            float value = mesh->positions_float != NULL ? mesh->positions_float[k] : (float)mesh->positions_double[k];
            assert_memory_equal(&value, &expected[k], sizeof value);
        }
        for (uint32_t k = 0; k < 1500; k++) {
            assert_int_equal(mesh->corners[k], k);
        }
        fr_model_destroy(again);
    }
    fr_model_destroy(model);
}

static void doubles_keep_every_bit_but_in_stl(void **state) {
    (void)state;
    fr_model *model = random_model(2, 500, true);
    const double *expected = fr_model_get(model)->meshes[0].positions_double;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        fr_model *again = written_and_read(model, all_formats[i]);
        const fr_model_mesh *mesh = &fr_model_get(again)->meshes[0];
        if (mesh->positions_double != NULL) {
            assert_memory_equal(mesh->positions_double, expected, 4500 * sizeof *expected);
        } else {
            for (uint32_t k = 0; k < 4500; k++) {
                assert_true(mesh->positions_float[k] == (float)expected[k]);
            }
        }
        fr_model_destroy(again);
    }
    fr_model_destroy(model);
}

static const char parts_text[] =
    "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.5 0\nv 0 2 0\no first one\nusemtl red\nf 1 2 3 4 5\nusemtl blue\n"
    "f 1 2 3\no\nf 3 2 1\no second\nf 5 4 3\n";

static void obj_keeps_parts_names_polygons_and_materials(void **state) {
    (void)state;
    fr_model *model = read_text(parts_text, FR_MODEL_OBJ);
    fr_model *again = written_and_read(model, FR_MODEL_OBJ);
    const fr_model_view *a = fr_model_get(model), *b = fr_model_get(again);
    assert_int_equal(b->node_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_string_equal(a->nodes[i].name, b->nodes[i].name);
        assert_int_equal(a->meshes[i].vertex_count, b->meshes[i].vertex_count);
        assert_int_equal(a->meshes[i].face_count, b->meshes[i].face_count);
        for (uint32_t f = 0; f < a->meshes[i].face_count; f++) {
            assert_int_equal(fr_model_face_end(&a->meshes[i], f), fr_model_face_end(&b->meshes[i], f));
            uint32_t x = a->meshes[i].face_materials[f], y = b->meshes[i].face_materials[f];
            assert_string_equal(a->materials[x].name, b->materials[y].name);
        }
    }
    // Written twice, the bytes are the same.
    fr_array first = written(model, FR_MODEL_OBJ), second = written(again, FR_MODEL_OBJ);
    assert_int_equal(first.count, second.count);
    assert_memory_equal(first.data, second.data, first.count);
    fr_array_destroy(&first);
    fr_array_destroy(&second);
    fr_model_destroy(model);
    fr_model_destroy(again);
}

static void stl_text_keeps_parts_and_binary_joins_them(void **state) {
    (void)state;
    fr_model *model = read_text(parts_text, FR_MODEL_OBJ);
    fr_model *text = written_and_read(model, FR_MODEL_STL_ASCII), *binary = written_and_read(model, FR_MODEL_STL);
    assert_int_equal(fr_model_get(text)->node_count, 3);
    assert_string_equal(fr_model_get(text)->nodes[0].name, "first one");
    assert_int_equal(fr_model_get(text)->meshes[0].face_count, 4);
    assert_int_equal(fr_model_get(binary)->node_count, 1);
    assert_int_equal(fr_model_get(binary)->face_count, 6);
    fr_model_destroy(binary);
    fr_model_destroy(text);
    fr_model_destroy(model);
}

static void ply_and_off_keep_polygons_and_colours(void **state) {
    (void)state;
    fr_model *model =
        read_text("OFF\n4 3 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 1 2 3\n3 0 1 2 9 8 7 6\n3 2 1 0\n", FR_MODEL_OFF);
    static const fr_model_format formats[] = {FR_MODEL_PLY, FR_MODEL_PLY_ASCII, FR_MODEL_OFF};
    for (int i = 0; i < 3; i++) {
        fr_model *again = written_and_read(model, formats[i]);
        const fr_model_mesh *mesh = &fr_model_get(again)->meshes[0];
        assert_int_equal(mesh->face_count, 3);
        assert_int_equal(fr_model_face_end(mesh, 0), 4);
        assert_memory_equal(mesh->face_colors, fr_model_get(model)->meshes[0].face_colors, 3 * sizeof(fr_color));
        fr_model_destroy(again);
    }
    fr_model_destroy(model);
}

static void long_polygons_fit_ply(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    float positions[3 * COUNT];
    uint32_t corners[COUNT], starts[] = {0, COUNT};
    for (uint32_t i = 0; i < COUNT; i++) {
        positions[3 * i] = cosf((float)i * 0.00628f);
        positions[3 * i + 1] = sinf((float)i * 0.00628f);
        positions[3 * i + 2] = 0.0f;
        corners[i] = i;
    }
    fr_model_mesh mesh = {.positions_float = positions,
                          .vertex_count = COUNT,
                          .corners = corners,
                          .face_starts = starts,
                          .face_count = 1};
    fr_model_node node = part_node(NULL);
    fr_model_def def = fr_default_model_def();
    def.nodes = &node;
    def.node_count = 1;
    def.meshes = &mesh;
    def.mesh_count = 1;
    fr_model *model;
    assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        fr_model *again = written_and_read(model, all_formats[i]);
        assert_int_equal(fr_model_get(again)->triangle_count, COUNT - 2);
        fr_model_destroy(again);
    }
    fr_model_destroy(model);
}

static void names_stay_on_their_line(void **state) {
    (void)state;
    fr_model_mesh mesh = {0};
    fr_model_node nodes[] = {part_node("a\nv 1 2 3"), part_node("solid")};
    fr_model_def def = fr_default_model_def();
    def.nodes = nodes;
    def.node_count = 2;
    def.meshes = &mesh;
    def.mesh_count = 1;
    fr_model *model;
    assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
    fr_model *again = written_and_read(model, FR_MODEL_STL_ASCII);
    assert_string_equal(fr_model_get(again)->nodes[0].name, "a_v 1 2 3");
    assert_string_equal(fr_model_get(again)->nodes[1].name, "solid");
    fr_model_destroy(again);
    fr_model_destroy(model);
}

static void too_large_for_stl_is_refused(void **state) {
    (void)state;
    fr_model *model = read_text("v 1e300 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", FR_MODEL_OBJ);
    fr_array bytes = fr_array_make(1, NULL);
    fr_error error;
    assert_int_equal(fr_model_write(model, FR_MODEL_STL, NULL, push_bytes, &bytes, &error), FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_model_write(model, FR_MODEL_AUTO, NULL, push_bytes, &bytes, &error), FR_ERROR_ARGUMENT);
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

// A square under a node that moves and one that mirrors, beside a hidden one and a proxy.
static fr_model *placed_model(void) {
    static const float positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const uint32_t corners[] = {0, 1, 2, 3}, starts[] = {0, 4};
    static const double moved[12] = {1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0.25};
    static const double mirrored[12] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    fr_model_mesh mesh = {
        .positions_float = positions, .vertex_count = 4, .corners = corners, .face_starts = starts, .face_count = 1};
    fr_model_material red = fr_default_model_material();
    red.name = "red";
    red.diffuse[0] = 1.0f;
    red.diffuse[1] = red.diffuse[2] = 0.0f;
    fr_model_node nodes[5] = {part_node("moved"), part_node("mirrored"), part_node("hidden"), part_node("proxy"),
                              part_node("plain")};
    nodes[0].transform = moved;
    nodes[1].transform = mirrored;
    nodes[1].parent = 0;
    nodes[1].material = 0;
    nodes[2].flags = FR_MODEL_HIDDEN;
    nodes[3].flags = FR_MODEL_PROXY;
    fr_model_def def = fr_default_model_def();
    def.nodes = nodes;
    def.node_count = 5;
    def.meshes = &mesh;
    def.mesh_count = 1;
    def.materials = &red;
    def.material_count = 1;
    fr_model *model;
    assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
    return model;
}

static void nodes_are_written_where_they_stand(void **state) {
    (void)state;
    fr_model *model = placed_model();
    fr_array obj = written(model, FR_MODEL_OBJ);
    static const char expected[] = "o moved\nv 5 0 0.25\nv 6 0 0.25\nv 6 1 0.25\nv 5 1 0.25\nf 1 2 3 4\n"
                                   "o mirrored\nv 5 0 0.25\nv 4 0 0.25\nv 4 1 0.25\nv 5 1 0.25\nusemtl red\n"
                                   "f 5 8 7 6\no plain\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 9 10 11 12\n";
    assert_int_equal(obj.count, strlen(expected));
    assert_memory_equal(obj.data, expected, obj.count);
    fr_array_destroy(&obj);
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        fr_model *again = written_and_read(model, all_formats[i]);
        const fr_model_view *view = fr_model_get(again);
        assert_int_equal(view->triangle_count, 6);
        assert_true(view->bounds.max.x == 6.0 && view->bounds.min.x == 0.0 && view->bounds.max.z == 0.25);
        // Every triangle still faces +z.
        fr_mesh *mesh;
        assert_int_equal(fr_model_whole_mesh(again, NULL, &mesh, NULL), FR_OK);
        for (uint32_t t = 0; t < 6; t++) {
            fr_vec3 p[3];
            fr_mesh_corners(mesh, t, p);
            assert_true(fr_vec3_cross(fr_vec3_sub(p[1], p[0]), fr_vec3_sub(p[2], p[0])).z > 0.0);
        }
        fr_mesh_release(mesh);
        fr_model_destroy(again);
    }
    fr_model *ply = written_and_read(model, FR_MODEL_PLY);
    assert_int_equal(fr_model_get(ply)->meshes[0].face_colors[0].g, 204);
    assert_int_equal(fr_model_get(ply)->meshes[0].face_colors[1].g, 0);
    fr_model_destroy(ply);
    fr_model_destroy(model);
}

static void units_and_the_axis_up_are_written_and_read(void **state) {
    (void)state;
    fr_model *model = placed_model();
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        for (int up = FR_MODEL_UP_AS_FILE; up <= FR_MODEL_UP_Z; up++) {
            fr_model_write_input writing = fr_default_model_write_input();
            writing.unit = 0.001;
            writing.up = (fr_model_up)up;
            fr_array bytes = fr_array_make(1, NULL);
            fr_error error;
            assert_int_equal(fr_model_write(model, all_formats[i], &writing, push_bytes, &bytes, &error), FR_OK);
            fr_model_read_input reading = fr_default_model_read_input();
            reading.format = all_formats[i];
            fr_model *raw, *again;
            assert_int_equal(read_bytes(bytes.data, bytes.count, &reading, &raw, &error), FR_OK);
            fr_bounds bounds = fr_model_get(raw)->bounds;
            double high = up == FR_MODEL_UP_X ? bounds.max.x : up == FR_MODEL_UP_Z ? bounds.max.z : bounds.max.y;
            assert_true(high == 1000.0);
            reading.unit = 0.001;
            reading.up = (fr_model_up)up;
            assert_int_equal(read_bytes(bytes.data, bytes.count, &reading, &again, &error), FR_OK);
            const fr_model_view *view = fr_model_get(again);
            assert_true(view->bounds.max.x == 6.0 && view->bounds.max.y == 1.0 && view->bounds.max.z == 0.25);
            assert_true(view->unit == 0.001 && view->up == (fr_model_up)up);
            assert_int_equal(view->nodes[1].parent, 0);
            fr_model_destroy(raw);
            fr_model_destroy(again);
            fr_array_destroy(&bytes);
        }
    }
    fr_model_write_input wrong = fr_default_model_write_input();
    wrong.unit = -1.0;
    fr_array bytes = fr_array_make(1, NULL);
    assert_int_equal(fr_model_write(model, FR_MODEL_OBJ, &wrong, push_bytes, &bytes, NULL), FR_ERROR_ARGUMENT);
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

static bool take_some(const void *bytes, size_t size, void *context) {
    (void)bytes;
    (void)size;
    return --*(int *)context > 0;
}

static bool stop_now(void *user) {
    (void)user;
    return true;
}

static void a_sink_and_a_caller_can_end_it(void **state) {
    (void)state;
    fr_model *model = random_model(3, 20000, false);
    for (size_t i = 0; i <= FORMAT_COUNT; i++) {
        fr_model_format format = i < FORMAT_COUNT ? all_formats[i] : FR_MODEL_FRM;
        int left = 3;
        fr_error error;
        assert_int_equal(fr_model_write(model, format, NULL, take_some, &left, &error), FR_ERROR_FILE);
        assert_int_equal(left, 0);
        fr_control control = {.stop = stop_now};
        fr_model_write_input options = fr_default_model_write_input();
        options.control = &control;
        left = 1000000;
        assert_int_equal(fr_model_write(model, format, &options, take_some, &left, &error), FR_ERROR_STOPPED);
    }
    fr_model_destroy(model);
}

// The largest piece, and how often the control was checked and got progress.
typedef struct writing {
    size_t largest;
    int check_count, progress_count;
} writing;

static bool measure(const void *bytes, size_t size, void *context) {
    (void)bytes;
    writing *w = context;
    if (size > w->largest) { w->largest = size; }
    return true;
}

static bool count_checks(void *user) {
    ((writing *)user)->check_count++;
    return false;
}

static void count_progress(double fraction, const char *stage, void *user) {
    (void)stage;
    assert_true(fraction >= 0.0 && fraction <= 1.0);
    ((writing *)user)->progress_count++;
}

static void pieces_are_small_and_take_no_memory(void **state) {
    (void)state;
    fr_model *plain = random_model(4, 20000, false);
    fr_array bytes = written(plain, FR_MODEL_FRM);
    fr_probe *probe = fr_probe_create();
    fr_model_read_input reading = fr_default_model_read_input();
    reading.allocator = fr_probe_allocator(probe);
    fr_model *model;
    assert_int_equal(read_bytes(bytes.data, bytes.count, &reading, &model, NULL), FR_OK);
    uint64_t before = fr_probe_get(probe).allocations;
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        writing w = {0};
        fr_control control = {count_checks, count_progress, &w};
        fr_model_write_input options = fr_default_model_write_input();
        options.control = &control;
        assert_int_equal(fr_model_write(model, all_formats[i], &options, measure, &w, NULL), FR_OK);
        assert_true(w.largest <= 16384 && w.check_count >= 4 && w.progress_count >= 4); // 20,000 polygons, 4096 a time
        bool is_stl = all_formats[i] == FR_MODEL_STL || all_formats[i] == FR_MODEL_STL_ASCII;
        if (!is_stl) { assert_int_equal(fr_probe_get(probe).allocations, before); }
        before = fr_probe_get(probe).allocations;
    }
    fr_model_destroy(model);
    fr_probe_destroy(probe);
    fr_array_destroy(&bytes);
    fr_model_destroy(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_keep_every_bit_in_every_format),
        cmocka_unit_test(doubles_keep_every_bit_but_in_stl),
        cmocka_unit_test(obj_keeps_parts_names_polygons_and_materials),
        cmocka_unit_test(stl_text_keeps_parts_and_binary_joins_them),
        cmocka_unit_test(ply_and_off_keep_polygons_and_colours),
        cmocka_unit_test(long_polygons_fit_ply),
        cmocka_unit_test(names_stay_on_their_line),
        cmocka_unit_test(nodes_are_written_where_they_stand),
        cmocka_unit_test(units_and_the_axis_up_are_written_and_read),
        cmocka_unit_test(too_large_for_stl_is_refused),
        cmocka_unit_test(a_sink_and_a_caller_can_end_it),
        cmocka_unit_test(pieces_are_small_and_take_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

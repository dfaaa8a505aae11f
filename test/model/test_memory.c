// Memory while a model is read: bounded by the bytes of its files, whatever these ask for.
#include "hostile_file.h"
#include "vrml_text.h"

#include "failing.h"

#define BASE_BYTES ((uint64_t)256 << 20)
#define BYTES_A_BYTE 4000

// What else the reading holds: the account itself.
#define SLACK_BYTES 1024

// The peak of memory while a file is read with the given options.
static uint64_t peak_of(const fr_array *bytes, fr_model_read_input *options, fr_status *status, fr_error *error) {
    fr_probe *probe = fr_probe_create();
    options->allocator = fr_probe_allocator(probe);
    fr_model *model;
    *status = read_bytes(bytes->data, bytes->count, options, &model, error);
    fr_model_destroy(model);
    fr_probe_counts counts = fr_probe_get(probe);
    assert_int_equal(counts.live_blocks, 0);
    fr_probe_destroy(probe);
    return counts.peak_bytes;
}

static void hostile_files_stay_within_the_bound(void **state) {
    (void)state;
    bool is_bad = false;
    for (size_t i = 0; i < HOSTILE_COUNT; i++) {
        fr_array bytes = fr_array_make(1, NULL);
        hostile_files[i].put(&bytes);
        fr_model_read_input options = fr_default_model_read_input();
        options.name = hostile_files[i].name;
        fr_error error = {0};
        fr_status status;
        uint64_t peak = peak_of(&bytes, &options, &status, &error);
        print_message("%-18s %8zu bytes, %11llu held: %s %d:%d %s\n", hostile_files[i].name, bytes.count,
                      (unsigned long long)peak, fr_status_name(status), error.line, error.column, error.message);
        is_bad |= peak > BASE_BYTES + BYTES_A_BYTE * (uint64_t)bytes.count + SLACK_BYTES;
        is_bad |= status == FR_ERROR_MEMORY;
        fr_array_destroy(&bytes);
    }
    assert_false(is_bad);
}

static fr_status read_within(const char *text, uint64_t memory, uint64_t memory_a_byte, vrml_file *files,
                             fr_error *error) {
    fr_model_read_input options = vrml_options(files);
    options.limits.memory = memory;
    options.limits.memory_a_byte = memory_a_byte;
    fr_model *model;
    fr_status status = read_bytes(text, strlen(text), &options, &model, error);
    fr_model_destroy(model);
    return status;
}

static void the_bound_is_an_option(void **state) {
    (void)state;
    fr_array bytes = fr_array_make(1, NULL);
    put_vrml_use(&bytes);
    fr_model_read_input options = fr_default_model_read_input();
    options.name = "use.wrl";
    fr_model_limits_set_memory(&options.limits, 10000000);
    fr_status status;
    fr_error error = {0};
    assert_true(peak_of(&bytes, &options, &status, &error) <= 10000000 + SLACK_BYTES);
    assert_int_equal(status, FR_ERROR_LIMIT);
    assert_int_equal(error.status, FR_ERROR_LIMIT);
    // The last line is the one that comes to the most.
    assert_int_equal(error.line, 2 + LEVELS);
    assert_string_equal(error.path, "use.wrl");
    assert_non_null(strstr(error.message, "more than 10 MB of memory"));
    assert_non_null(strstr(error.message, "--memory"));
    fr_model_limits_set_memory(&options.limits, UINT64_MAX);
    (void)peak_of(&bytes, &options, &status, &error);
    assert_int_equal(status, FR_OK);
    fr_array_destroy(&bytes);
}

// While the text is read the place is where memory ended.
static void the_place_is_where_memory_ended(void **state) {
    (void)state;
    fr_error error;
    char *text = vrml_repeated(V2, SHAPE "\n", 2000, "");
    assert_int_equal(read_within(text, 200000, 0, NULL, &error), FR_ERROR_LIMIT);
    assert_true(error.line > 10 && error.line < 2000);
    free(text);
}

// All files that are read count: an Inline brings the room for what stands in it.
static void files_beside_the_model_widen_the_bound(void **state) {
    (void)state;
    char *part = vrml_repeated(V2, SHAPE "\n", 2000, ""), *model = V2 "Inline { url \"part.wrl\" }";
    vrml_file files[] = {{"part.wrl", part}, {NULL, NULL}};
    fr_error error;
    assert_int_equal(read_within(model, 20000, 256, files, &error), FR_OK);
    assert_int_equal(read_within(model, 20000, 2, files, &error), FR_ERROR_LIMIT);
    assert_string_equal(error.path, "part.wrl");
    assert_true(error.line > 1);
    free(part);
}

// Under each part of what it needs a file is read or refused, and nothing stays behind.
static void every_bound_ends(void **state) {
    (void)state;
    for (size_t i = 0; i < HOSTILE_COUNT; i++) {
        fr_array bytes = fr_array_make(1, NULL);
        hostile_files[i].put(&bytes);
        fr_model_read_input options = fr_default_model_read_input();
        options.name = hostile_files[i].name;
        for (uint64_t bound = 1000; bound < 20000000; bound *= 3) {
            fr_model_limits_set_memory(&options.limits, bound);
            fr_status status;
            fr_error error;
            assert_true(peak_of(&bytes, &options, &status, &error) <= bound + SLACK_BYTES);
            assert_int_not_equal(status, FR_ERROR_MEMORY);
            if (status != FR_OK) { assert_int_equal(error.status, status); }
        }
        fr_array_destroy(&bytes);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What is shared

static void has_meshes(const char *text, fr_model_format format, uint32_t meshes, uint32_t parts) {
    fr_model *model = read_text(text, format);
    const fr_model_view *view = fr_model_get(model);
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->node_count; i++) {
        count += view->nodes[i].mesh != FR_NONE;
    }
    assert_int_equal(view->mesh_count, meshes);
    assert_int_equal(count, parts);
    fr_model_destroy(model);
}

static void instances_share_one_mesh(void **state) {
    (void)state;
    has_meshes(V2 "DEF a " SHAPE " Transform{scale 1 1 -1 children USE a} USE a", FR_MODEL_VRML, 1, 3);
    has_meshes(V2 "Shape{geometry Box{}} Shape{geometry Box{size 2 2 2}} Shape{geometry Box{size 2 2 3}}",
               FR_MODEL_VRML, 2, 3);
    has_meshes(V2 "Shape{geometry Cone{}} Shape{geometry Cone{}} Shape{geometry Cone{bottom FALSE}}", FR_MODEL_VRML, 2,
               3);
    // Instances of a prototype with equal fields, by default or written out; nodes that are given are the same where
    // they are one.
    const char *proto = V2 "PROTO P[field SFVec3f t 0 0 0 field MFNode k[]]{Transform{translation IS t children["
                           "Group{children IS k}" SHAPE "]}}";
    char text[2000];
    snprintf(text, sizeof text, "%s P{} P{t 1 2 3} P{t 1 2 3} P{t 1.0 2 3} P{}", proto);
    has_meshes(text, FR_MODEL_VRML, 1, 5);
    proto = V2 "PROTO P[field SFFloat r 1 field MFNode k[]]{Group{children[Group{children IS k}Shape{geometry "
               "IndexedFaceSet{creaseAngle IS r coord Coordinate{point[0 0 0 1 0 0 0 1 0]}coordIndex[0 1 2 -1]}}]}}";
    snprintf(text, sizeof text, "%s P{r 1} P{r 1} P{r 2} P{r 2} P{r 3}", proto);
    has_meshes(text, FR_MODEL_VRML, 3, 5);
    snprintf(text, sizeof text, "%s DEF s " SHAPE " P{k USE s} P{k USE s} P{k " SHAPE "}", proto);
    has_meshes(text, FR_MODEL_VRML, 4, 7);
    // A route reaches an instance by its name: it has nodes of its own.
    snprintf(text, sizeof text, "%s DEF a P{r 1} DEF b P{r 1} P{r 1}", proto);
    has_meshes(text, FR_MODEL_VRML, 3, 3);
    fr_array dxf = fr_array_make(1, NULL);
    put(&dxf, "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nb\n");
    put_dxf_face(&dxf);
    put(&dxf,
        "0\nENDBLK\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n0\nINSERT\n2\nb\n70\n3\n71\n2\n44\n2\n45\n2\n0\nINSERT\n2\n"
        "b\n42\n-1\n0\nENDSEC\n0\nEOF\n%c",
        0);
    has_meshes(dxf.data, FR_MODEL_DXF, 1, 7);
    fr_array_destroy(&dxf);
}

// What moves one of two equal instances leaves the other where it is.
static void routes_move_one_instance(void **state) {
    (void)state;
    fr_model *model = vrml(V2 "PROTO P[exposedField SFVec3f t 0 0 0]{Transform{translation IS t children " SHAPE "}}"
                              "DEF a P{} P{} P{} DEF c TimeSensor{loop TRUE} DEF i PositionInterpolator{key[0 1]"
                              "keyValue[0 0 0 1 0 0]} ROUTE c.fraction_changed TO i.set_fraction ROUTE i.value_changed "
                              "TO a.t");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->track_count, 1);
    uint32_t placements = 0;
    for (uint32_t i = 0; i < view->node_count; i++) {
        placements += view->nodes[i].placement != FR_NONE;
    }
    assert_int_equal(placements, 1);
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Parts

#define MAX_PARTS 64

typedef struct taken_parts {
    fr_model_part parts[MAX_PARTS];
    uint32_t count;
} taken_parts;

static fr_status take_part(const fr_model_part *part, void *context, fr_error *error) {
    (void)error;
    taken_parts *taken = context;
    assert_true(taken->count < MAX_PARTS);
    taken->parts[taken->count++] = *part;
    return FR_OK;
}

static fr_vec3 vertex_of(const fr_mesh *mesh, uint32_t v) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    if (view->positions_double != NULL) {
        const double *p = view->positions_double + (size_t)3 * v;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    const float *p = view->positions_float + (size_t)3 * v;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

// The parts of a text stand where fr_model_part_mesh has them, bit for bit; so many meshes are made for them.
static void has_parts(const char *text, uint32_t parts, uint32_t meshes) {
    fr_model *model = vrml(text);
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.is_double = true;
    taken_parts taken = {.count = 0};
    assert_int_equal(fr_model_parts(model, &input, take_part, &taken, NULL), FR_OK);
    assert_int_equal(taken.count, parts);
    uint32_t different = 0;
    for (uint32_t i = 0; i < taken.count; i++) {
        const fr_model_part *part = &taken.parts[i];
        uint32_t k = 0;
        while (taken.parts[k].mesh != part->mesh) {
            k++;
        }
        different += k == i;
        fr_mesh *alone;
        assert_int_equal(fr_model_part_mesh(model, part->node, &input, &alone, NULL), FR_OK);
        const fr_mesh_view *view = fr_mesh_get(alone), *shared = fr_mesh_get(part->mesh);
        assert_int_equal(view->vertex_count, shared->vertex_count);
        assert_memory_equal(view->triangles, shared->triangles, 12 * (size_t)view->triangle_count);
        for (uint32_t v = 0; v < view->vertex_count; v++) {
            fr_vec3 p = vertex_of(alone, v), q = fr_pose_apply(&part->pose, vertex_of(part->mesh, v));
            assert_true(p.x == q.x && p.y == q.y && p.z == q.z);
        }
        fr_mesh_release(alone);
    }
    assert_int_equal(different, meshes);
    for (uint32_t i = 0; i < taken.count; i++) {
        fr_mesh_release(taken.parts[i].mesh);
    }
    fr_model_destroy(model);
}

static void parts_share_meshes_and_keep_bits(void **state) {
    (void)state;
    const char *sphere = "Shape{geometry Sphere{radius 0.7}}";
    char text[2000];
    snprintf(text, sizeof text,
             V2 "DEF s %s Transform{translation 0.1 1e6 -3 children USE s} Transform{rotation 1 2 3 0.4 children["
                "USE s Transform{translation 1.7 0.3 0 children USE s}]} Transform{scale 1 2 -3 translation 5 5 5.1 "
                "children USE s} Transform{translation 4 4 4 scale 1 2 -3 children USE s} Transform{scale 1 2 3 "
                "children USE s}",
             sphere);
    has_parts(text, 7, 4);
    // Other looks are other meshes.
    has_parts(V2 "Shape{geometry Box{}} Transform{translation 1 0 0 children Shape{appearance Appearance{material "
                 "Material{diffuseColor 1 0 0}}geometry Box{}}}",
              2, 2);
    // What a track moves stands in the model's frame.
    has_parts(V2
              "DEF s Shape{geometry Box{}} Transform{translation 1 0 0 children USE s} DEF m Transform{translation 1 0 "
              "0 children USE s} DEF c TimeSensor{loop TRUE} DEF i PositionInterpolator{key[0 1]keyValue[0 0 0 1 0 0]}"
              "ROUTE c.fraction_changed TO i.set_fraction ROUTE i.value_changed TO m.set_translation",
              3, 2);
}

static fr_status parts_of(const fr_allocator *allocator, void *context) {
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.allocator = *allocator;
    taken_parts taken = {.count = 0};
    fr_status status = fr_model_parts(context, &input, take_part, &taken, NULL);
    for (uint32_t i = 0; i < taken.count; i++) {
        fr_mesh_release(taken.parts[i].mesh);
    }
    return status;
}

static void parts_survive_failures(void **state) {
    (void)state;
    fr_model *model =
        vrml(V2 "DEF s Shape{geometry Box{}} Transform{translation 1 0 0 children USE s} Transform{scale 1 2 "
                "3 children USE s}");
    test_every_failure(parts_of, model);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_files_stay_within_the_bound),
        cmocka_unit_test(the_bound_is_an_option),
        cmocka_unit_test(the_place_is_where_memory_ended),
        cmocka_unit_test(files_beside_the_model_widen_the_bound),
        cmocka_unit_test(every_bound_ends),
        cmocka_unit_test(instances_share_one_mesh),
        cmocka_unit_test(routes_move_one_instance),
        cmocka_unit_test(parts_share_meshes_and_keep_bits),
        cmocka_unit_test(parts_survive_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

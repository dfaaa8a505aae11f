// Models made from arrays, and meshes made from models.
#include "text_model.h"

static const float positions[] = {0, 0, 0, 4, 0, 0, 4, 4, 0, 2, 1, 0, 0, 4, 0};
static const uint32_t corners[] = {0, 1, 2, 3, 4, 0, 1, 3};
static const uint32_t starts[] = {0, 5, 8};
static const fr_model_mesh pentagon = {.positions_float = positions,
                                       .vertex_count = 5,
                                       .corners = corners,
                                       .face_starts = starts,
                                       .face_count = 2,
                                       .first_face = 7};
#define NODE(n, p, m)                                                                                                  \
    { .name = (n), .parent = (p), .mesh = (m), .material = FR_NONE, .placement = FR_NONE }
static const fr_model_node tree[] = {NODE("root", FR_NONE, FR_NONE), NODE("left", 0, 0), NODE("right", 0, 0)};

static fr_model_def tree_def(void) {
    fr_model_def def = fr_default_model_def();
    def.nodes = tree;
    def.node_count = 3;
    def.meshes = &pentagon;
    def.mesh_count = 1;
    return def;
}

static void a_tree_is_kept(void **state) {
    (void)state;
    fr_model_def def = tree_def();
    fr_model *model;
    assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 3);
    assert_int_equal(view->mesh_count, 1);
    assert_string_equal(view->nodes[2].name, "right");
    assert_int_equal(view->nodes[2].parent, 0);
    assert_int_equal(view->nodes[0].mesh, FR_NONE);
    assert_int_equal(view->meshes[0].first_face, 7);
    assert_memory_equal(view->meshes[0].corners, corners, sizeof corners);
    assert_memory_equal(view->meshes[0].face_starts, starts, sizeof starts);
    fr_model_destroy(model);
    fr_model_destroy(NULL);
}

static void defects_are_named(void **state) {
    (void)state;
    const fr_model_node late_parent[] = {NODE("a", 1, FR_NONE), NODE("b", FR_NONE, 0)};
    const fr_model_node wrong_mesh[] = {NODE("a", FR_NONE, 1)};
    const uint32_t wrong_corner[] = {0, 1, 5}, wrong_start[] = {0, 2, 8}, late_start[] = {1, 4};
    const float not_finite[] = {0, 0, 0, NAN, 0, 0, 0, 1, 0};
    const struct {
        const fr_model_node *nodes;
        uint32_t node_count;
        fr_model_mesh mesh;
        const char *words;
    } cases[] = {
        {tree, 0, pentagon, "at least one node"},
        {late_parent, 2, pentagon, "node 0 has parent 1"},
        {wrong_mesh, 1, pentagon, "mesh 1 of 1"},
        {tree,
         3,
         {.positions_float = positions, .vertex_count = 5, .corners = wrong_corner, .face_count = 1},
         "vertex 5 of 5"},
        {tree,
         3,
         {.positions_float = positions,
          .vertex_count = 5,
          .corners = corners,
          .face_starts = wrong_start,
          .face_count = 2},
         "fewer than 3"},
        {tree,
         3,
         {.positions_float = positions,
          .vertex_count = 5,
          .corners = corners,
          .face_starts = late_start,
          .face_count = 1},
         "start at 0"},
        {tree, 3, {.positions_float = not_finite, .vertex_count = 3}, "vertex 1 is not finite"},
        {tree, 3, {.vertex_count = 3}, "floats"},
        {tree, 3, {.positions_float = positions, .vertex_count = 5, .face_count = 1}, "no corners"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_model_def def = tree_def();
        def.nodes = cases[i].nodes;
        def.node_count = cases[i].node_count;
        def.meshes = &cases[i].mesh;
        fr_model *model;
        fr_error error;
        assert_int_not_equal(fr_model_create(&def, &model, &error), FR_OK);
        assert_null(model);
        if (strstr(error.message, cases[i].words) == NULL) { fail_msg("'%s' in '%s'", cases[i].words, error.message); }
    }
}

static void meshes_are_cut_with_their_polygon_numbers(void **state) {
    (void)state;
    fr_model_def def = tree_def();
    fr_model *model;
    assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
    fr_mesh *mesh;
    fr_error error;
    assert_int_equal(fr_model_part_mesh(model, 1, NULL, &mesh, &error), FR_OK);
    const fr_mesh_view *view = fr_mesh_get(mesh);
    assert_int_equal(view->triangle_count, 4);
    assert_int_equal(view->vertex_count, 5);
    const uint32_t faces[] = {7, 7, 7, 8};
    assert_memory_equal(view->faces, faces, sizeof faces);
    // The pentagon is hollow at one corner: area 16 - 6, and the triangle's 2.
    assert_true(fabs(fr_mesh_mass(mesh).area - 12.0) < 1e-9);
    fr_mesh_release(mesh);

    assert_int_equal(fr_model_whole_mesh(model, NULL, &mesh, &error), FR_OK);
    assert_int_equal(fr_mesh_get(mesh)->triangle_count, 8);
    assert_int_equal(fr_mesh_get(mesh)->vertex_count, 10);
    fr_mesh_release(mesh);

    assert_int_equal(fr_model_part_mesh(model, 0, NULL, &mesh, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_model_part_mesh(model, 3, NULL, &mesh, &error), FR_ERROR_ARGUMENT);
    fr_model_destroy(model);
}

static void doubles_become_floats_unless_kept(void **state) {
    (void)state;
    fr_model *model = read_text("v 0.1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", FR_MODEL_OBJ);
    fr_mesh *mesh;
    assert_int_equal(fr_model_part_mesh(model, 0, NULL, &mesh, NULL), FR_OK);
    assert_true(fr_mesh_get(mesh)->positions_float[0] == 0.1f);
    assert_true(fr_mesh_get(mesh)->rounding > 0.0);
    fr_mesh_release(mesh);
    fr_model_mesh_input options = fr_default_model_mesh_input();
    options.is_double = true;
    assert_int_equal(fr_model_part_mesh(model, 0, &options, &mesh, NULL), FR_OK);
    assert_true(fr_mesh_get(mesh)->positions_double[0] == 0.1);
    fr_mesh_release(mesh);
    fr_model_destroy(model);
    model = read_text("v 0 0 0\n", FR_MODEL_OBJ);
    assert_int_not_equal(fr_model_part_mesh(model, 0, NULL, &mesh, NULL), FR_OK);
    assert_null(mesh);
    fr_model_destroy(model);
}

static void meshes_are_for_touching_or_showing(void **state) {
    (void)state;
    static const double mirrored[12] = {-1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0};
    fr_model_node nodes[] = {NODE("plain", FR_NONE, 0), NODE("hidden", FR_NONE, 0), NODE("shown", FR_NONE, 0),
                             NODE("proxy", FR_NONE, 0)};
    nodes[0].transform = mirrored;
    nodes[1].flags = FR_MODEL_HIDDEN;
    nodes[2].flags = FR_MODEL_NO_COLLIDE;
    nodes[3].flags = FR_MODEL_PROXY;
    fr_model_def def = tree_def();
    def.nodes = nodes;
    def.node_count = 4;
    fr_model *model;
    assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
    fr_model_mesh_input options = fr_default_model_mesh_input();
    for (int use = FR_MODEL_TO_TOUCH; use <= FR_MODEL_TO_SHOW; use++) {
        options.use = (fr_model_use)use;
        fr_mesh *mesh;
        assert_int_equal(fr_model_whole_mesh(model, &options, &mesh, NULL), FR_OK);
        assert_int_equal(fr_mesh_get(mesh)->triangle_count, 8); // the plain one, and one of the two
        fr_mesh_release(mesh);
    }
    // One part, in the model's frame with its polygons turned about, and as the node has it.
    for (int is_own = 0; is_own < 2; is_own++) {
        options.is_in_own_frame = is_own == 1;
        fr_mesh *mesh;
        fr_vec3 p[3];
        assert_int_equal(fr_model_part_mesh(model, 0, &options, &mesh, NULL), FR_OK);
        fr_mesh_corners(mesh, 0, p);
        assert_true(fr_vec3_cross(fr_vec3_sub(p[1], p[0]), fr_vec3_sub(p[2], p[0])).z > 0.0);
        assert_true(fr_mesh_get(mesh)->bounds.max.x == (is_own == 1 ? 4.0 : 5.0));
        fr_mesh_release(mesh);
    }
    fr_model_destroy(model);
}

static void a_mesh_becomes_a_model(void **state) {
    (void)state;
    fr_model *model = read_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 4 3 2\nf 1 2 3 4\n", FR_MODEL_OBJ), *again;
    fr_mesh *mesh;
    assert_int_equal(fr_model_part_mesh(model, 0, NULL, &mesh, NULL), FR_OK);
    assert_int_equal(fr_model_from_mesh(mesh, "square", NULL, &again, NULL), FR_OK);
    const fr_model_view *view = fr_model_get(again);
    assert_string_equal(view->nodes[0].name, "square");
    assert_int_equal(view->face_count, 3);
    assert_int_equal(view->meshes[0].face_ids[2], 1);
    fr_model_destroy(again);
    fr_mesh_release(mesh);
    fr_model_destroy(model);
}

static bool note_bytes(const void *bytes, size_t size, void *context) {
    (void)context;
    test_note(bytes, size);
    return true;
}

// Meshes and files of a model.
static fr_status use_model(const fr_model *model, const fr_model_mesh_input *input) {
    static const fr_model_format formats[] = {FR_MODEL_OBJ, FR_MODEL_STL,  FR_MODEL_PLY, FR_MODEL_OFF,
                                              FR_MODEL_GLB, FR_MODEL_VRML, FR_MODEL_FRM};
    fr_mesh *part = NULL, *whole = NULL;
    fr_model *again = NULL;
    fr_model_write_input options = fr_default_model_write_input();
    fr_status status = fr_model_part_mesh(model, 1, input, &part, NULL);
    if (status == FR_OK) { status = fr_model_whole_mesh(model, input, &whole, NULL); }
    if (status == FR_OK) { status = fr_model_from_mesh(whole, "whole", &input->allocator, &again, NULL); }
    if (status == FR_OK) { note_model(again); }
    for (size_t i = 0; i < sizeof formats / sizeof formats[0] && status == FR_OK; i++) {
        status = fr_model_write(again, formats[i], &options, note_bytes, NULL, NULL);
    }
    fr_model_destroy(again);
    fr_mesh_release(whole);
    fr_mesh_release(part);
    return status;
}

static fr_status make_and_use(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_model_def def = tree_def();
    def.allocator = *allocator;
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.allocator = *allocator;
    fr_model *model;
    fr_status status = fr_model_create(&def, &model, NULL);
    if (status == FR_OK) { status = use_model(model, &input); }
    fr_model_destroy(model);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(make_and_use, NULL) > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_kept),
        cmocka_unit_test(defects_are_named),
        cmocka_unit_test(meshes_are_cut_with_their_polygon_numbers),
        cmocka_unit_test(doubles_become_floats_unless_kept),
        cmocka_unit_test(meshes_are_for_touching_or_showing),
        cmocka_unit_test(a_mesh_becomes_a_model),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

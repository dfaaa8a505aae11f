// Skins and shapes of the sample files of glTF: their vertices at many times against an evaluation straight from the
// bytes in long double.
#include "frame.h"
#include "gltf_reference.h"
#include "shared_file.h"

#define MAX_VERTICES 20000
#define TOLERANCE 1e-6

// The only node of a model that has a mesh.
static uint32_t mesh_node(const fr_model_view *view) {
    uint32_t found = FR_NONE;
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (view->nodes[i].mesh == FR_NONE) { continue; }
        assert_int_equal(found, FR_NONE);
        found = i;
    }
    return found;
}

static uint32_t mesh_node_of_file(const gltf_reference *r) {
    for (uint32_t i = 0; i < r->node_count; i++) {
        if (whole_of(r, listed(r, "nodes", i), "mesh", FR_NONE) != FR_NONE) { return i; }
    }
    fail();
    return FR_NONE;
}

// The largest distance of a vertex of the model, played at many times, from where the file has it.
static double worst_distance(const fr_model *model, const gltf_reference *r, double cycle) {
    static fr_vec3 expected[MAX_VERTICES], found[MAX_VERTICES];
    const fr_model_view *view = fr_model_get(model);
    uint32_t node = mesh_node(view), count = view->meshes[view->nodes[node].mesh].vertex_count;
    assert_true(count <= MAX_VERTICES);
    fr_model_play *play;
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    assert_true(fr_model_play_moves(play, node));
    double worst = 0.0;
    uint32_t times = (uint32_t)test_count(37, 1009);
    for (uint32_t i = 0; i < times; i++) {
        double time = cycle * i / times;
        fr_model_play_at(play, time);
        fr_model_play_vertices(play, node, found);
        assert_int_equal(reference_vertices(r, mesh_node_of_file(r), (long double)time, expected), count);
        for (uint32_t v = 0; v < count; v++) {
            double distance = fr_vec3_distance(found[v], expected[v]);
            worst = distance > worst ? distance : worst;
        }
    }
    fr_model_play_destroy(play);
    return worst;
}

// Distances of the corners of all triangles between two models, played at many times.
static double worst_corner(const fr_model *a, const fr_model *b) {
    static fr_vec3 vertices[2][MAX_VERTICES];
    const fr_model *models[2] = {a, b};
    const fr_model_mesh *meshes[2];
    fr_model_play *plays[2];
    uint32_t nodes[2];
    for (int i = 0; i < 2; i++) {
        const fr_model_view *view = fr_model_get(models[i]);
        nodes[i] = mesh_node(view);
        meshes[i] = &view->meshes[view->nodes[nodes[i]].mesh];
        assert_true(meshes[i]->vertex_count <= MAX_VERTICES);
        assert_int_equal(fr_model_play_create(models[i], NULL, &plays[i], NULL), FR_OK);
    }
    assert_int_equal(meshes[0]->face_count, meshes[1]->face_count);
    double worst = 0.0, cycle = fr_model_get(a)->clocks[0].cycle;
    for (int k = 0; k < 50; k++) {
        for (int i = 0; i < 2; i++) {
            fr_model_play_at(plays[i], cycle * k / 50);
            fr_model_play_vertices(plays[i], nodes[i], vertices[i]);
        }
        for (uint32_t c = 0; c < 3 * meshes[0]->face_count; c++) {
            fr_vec3 from = vertices[0][meshes[0]->corners[c]], to = vertices[1][meshes[1]->corners[c]];
            double distance = fr_vec3_distance(from, to);
            worst = distance > worst ? distance : worst;
        }
    }
    fr_model_play_destroy(plays[0]);
    fr_model_play_destroy(plays[1]);
    return worst;
}

// Writes a model and reads it again.
static void comes_back(const fr_model *model, fr_model_format format, const char *relative) {
    fr_array bytes = fr_array_make(1, NULL);
    fr_model *again;
    fr_error error = {0};
    assert_int_equal(fr_model_write(model, format, NULL, push_bytes, &bytes, &error), FR_OK);
    if (fr_model_read(bytes.data, bytes.count, NULL, &again, &error) != FR_OK) { fail_msg("%s", error.message); }
    double worst = worst_corner(model, again);
    print_message("%s as %s and back: within %.2g m\n", relative, fr_model_format_name(format), worst);
    assert_true(worst < TOLERANCE);
    fr_model_destroy(again);
    fr_array_destroy(&bytes);
}

static void file_is_as_its_bytes(const char *relative, uint32_t bones, uint32_t shapes) {
    char path[2000];
    fr_array bytes;
    if (!load(test_shared_path(relative, path, sizeof path), &bytes)) {
        print_message("%s is not there\n", relative);
        return;
    }
    fr_model *model;
    fr_error error = {0};
    if (fr_model_read(bytes.data, bytes.count, NULL, &model, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 0);
    assert_int_equal(view->skin_count, bones > 0);
    if (bones > 0) { assert_int_equal(view->skins[0].bone_count, bones); }
    assert_int_equal(view->meshes[0].deform->target_count, shapes);
    assert_int_equal(view->clock_count, 1);
    gltf_reference r = reference_open(bytes.data);
    double worst = worst_distance(model, &r, view->clocks[0].cycle);
    print_message("%s: within %.2g m\n", relative, worst);
    assert_true(worst < TOLERANCE);
    comes_back(model, FR_MODEL_GLB, relative);
    fr_json_destroy(r.json);
    fr_model_destroy(model);
    fr_array_destroy(&bytes);
}

static void rigged_simple(void **state) {
    (void)state;
    file_is_as_its_bytes("data/gltf-khronos/RiggedSimple/glTF-Binary/RiggedSimple.glb", 2, 0);
}

static void rigged_figure(void **state) {
    (void)state;
    file_is_as_its_bytes("data/gltf-khronos/RiggedFigure/glTF-Binary/RiggedFigure.glb", 19, 0);
}

static void cesium_man(void **state) {
    (void)state;
    file_is_as_its_bytes("data/gltf-khronos/CesiumMan/glTF-Binary/CesiumMan.glb", 19, 0);
}

static void animated_morph_cube(void **state) {
    (void)state;
    file_is_as_its_bytes("data/gltf-khronos/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb", 0, 2);
}

int main(void) {
    test_shared_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigged_simple),
        cmocka_unit_test(rigged_figure),
        cmocka_unit_test(cesium_man),
        cmocka_unit_test(animated_morph_cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

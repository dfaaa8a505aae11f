// Extensions of glTF: which are no reason to refuse a file, which are named; instances; and lists that are not finite.
#include "glb_bytes.h"

#include "model/draco.h"

// A triangle with normals and colours, a list of translations, rotations and scales.
typedef struct data {
    float positions[9], normals[9], colors[12];
    float translations[9], rotations[12], scales[9];
} data;

static data make_data(void) {
    data d = {.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0},
              .normals = {0, 0, 1, 0, 0, 1, 0, 0, 1},
              .colors = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1},
              .translations = {0, 0, 0, 10, 0, 0, 0, 20, 0},
              .rotations = {0, 0, 0, 1, 0, 0, 0.5f, 0.5f, 0, 0, 0, 1},
              .scales = {1, 1, 1, 1, 1, 1, 2, 3, 4}};
    return d;
}

#define VIEWS                                                                                                          \
    "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":36},"                             \
    "{\"buffer\":0,\"byteOffset\":72,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":120,\"byteLength\":36},"          \
    "{\"buffer\":0,\"byteOffset\":156,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":204,\"byteLength\":36}"

// Three elements of a view of floats.
#define THREE(view, type) "{\"bufferView\":" view ",\"componentType\":5126,\"count\":3,\"type\":\"" type "\"}"
#define ACCESSORS_AT_VERTICES THREE("0", "VEC3") "," THREE("1", "VEC3") "," THREE("2", "VEC4")
#define ACCESSORS_OF_INSTANCES THREE("3", "VEC3") "," THREE("4", "VEC4") "," THREE("5", "VEC3")
#define ACCESSORS ACCESSORS_AT_VERTICES "," ACCESSORS_OF_INSTANCES

static void write_document(char *json, size_t size, const char *node, const char *more) {
    int length = snprintf(json, size,
                          "{\"asset\":{\"version\":\"2.0\"},\n\"buffers\":[{\"byteLength\":240}],\n"
                          "\"bufferViews\":[%s],\n\"accessors\":[%s],\n"
                          "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"COLOR_0\":2}}]}]"
                          ",\n\"nodes\":[{\"name\":\"n\",\"mesh\":0%s}]%s}",
                          VIEWS, ACCESSORS, node, more);
    assert_true(length > 0 && (size_t)length < size);
}

static fr_model *read_data(const data *d, const char *node, const char *more, fr_status *status, fr_error *error) {
    char json[4000];
    write_document(json, sizeof json, node, more);
    return read_glb(json, d, sizeof *d, status, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Names

static void expect_extension(const char *name, bool is_read) {
    data d = make_data();
    char more[400];
    fr_status status;
    fr_error error;
    snprintf(more, sizeof more, ",\n\"extensionsRequired\":[\"%s\"]", name);
    fr_model *model = read_data(&d, "", more, &status, &error);
    fr_model_destroy(model);
    assert_int_equal(status, is_read ? FR_OK : FR_ERROR_UNSUPPORTED);
    if (is_read) { return; }
    assert_int_equal(error.line, 7);
    if (strstr(error.message, name) == NULL) { fail_msg("'%s' in '%s'", name, error.message); }
}

static void extensions_beside_the_geometry_are_no_reason_to_refuse(void **state) {
    (void)state;
    static const char *const read[] = {"KHR_texture_basisu",
                                       "EXT_texture_webp",
                                       "EXT_texture_avif",
                                       "KHR_texture_transform",
                                       "MSFT_texture_dds",
                                       "KHR_materials_unlit",
                                       "KHR_materials_variants",
                                       "KHR_lights_punctual",
                                       "EXT_lights_image_based",
                                       "KHR_xmp_json_ld",
                                       "KHR_xmp",
                                       "KHR_animation_pointer",
                                       "KHR_techniques_webgl",
                                       "EXT_structural_metadata",
                                       "EXT_mesh_features",
                                       "KHR_mesh_quantization",
                                       "EXT_meshopt_compression",
                                       "KHR_meshopt_compression",
                                       "EXT_mesh_gpu_instancing",
                                       "KHR_node_visibility"};
    static const char *const refused[] = {"KHR_gaussian_splatting", "CESIUM_RTC", "EXT_x", "KHR_mesh_quantizatio",
                                          "KHR_texture"};
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) {
        expect_extension(read[i], true);
    }
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        expect_extension(refused[i], false);
    }
    expect_extension("KHR_draco_mesh_compression", fr__draco() != NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers that are not finite

static void lists_that_are_not_finite_are_dropped(void **state) {
    (void)state;
    fr_status status;
    fr_error error;
    data d = make_data();
    d.normals[4] = NAN;
    fr_model *model = read_data(&d, "", "", &status, &error);
    assert_int_equal(status, FR_OK);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 1);
    assert_non_null(strstr(view->warnings[0].message, "NORMAL"));
    assert_null(view->meshes[0].corner_normals);
    assert_non_null(view->meshes[0].corner_colors);
    assert_int_equal(view->triangle_count, 1);
    fr_model_destroy(model);
    d = make_data();
    d.colors[11] = INFINITY;
    model = read_data(&d, "", "", &status, &error);
    assert_int_equal(status, FR_OK);
    view = fr_model_get(model);
    assert_non_null(strstr(view->warnings[0].message, "COLOR_0"));
    assert_null(view->meshes[0].corner_colors);
    assert_non_null(view->meshes[0].corner_normals);
    fr_model_destroy(model);
    // A position is another matter.
    d = make_data();
    d.positions[8] = NAN;
    model = read_data(&d, "", "", &status, &error);
    assert_null(model);
    assert_int_equal(status, FR_ERROR_NOT_FINITE);
}

static void strict_reading_refuses_them(void **state) {
    (void)state;
    data d = make_data();
    d.normals[4] = NAN;
    char json[4000];
    write_document(json, sizeof json, "", "");
    fr_array bytes = glb_bytes(json, &d, sizeof d);
    fr_model_read_input options = fr_default_model_read_input();
    options.is_strict = true;
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(bytes.data, bytes.count, &options, &model, &error), FR_ERROR_NOT_FINITE);
    assert_int_equal(error.line, 5);
    fr_array_destroy(&bytes);
}

// ---------------------------------------------------------------------------------------------------------------
// Instances

#define INSTANCES(attributes)                                                                                          \
    ",\"translation\":[0,0,5],\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{" attributes "}}}"

static void instances_are_nodes(void **state) {
    (void)state;
    fr_status status;
    fr_error error;
    data d = make_data();
    fr_model *model = read_data(&d, INSTANCES("\"TRANSLATION\":3,\"ROTATION\":4,\"SCALE\":5"), "", &status, &error);
    if (status != FR_OK) { fail_msg("%d:%d: %s", error.line, error.column, error.message); }
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 4);
    assert_int_equal(view->nodes[0].mesh, FR_NONE);
    assert_int_equal(view->placed_triangle_count, 3);
    // Where the corner (1, 0, 0) of each comes to lie: the second is turned by a quarter, the third is stretched.
    static const double places[3][3] = {{1, 0, 5}, {10, 1, 5}, {2, 20, 5}};
    for (uint32_t i = 0; i < 3; i++) {
        double m[12];
        assert_int_equal(view->nodes[1 + i].mesh, 0);
        assert_string_equal(view->nodes[1 + i].name, "n");
        fr_model_node_matrix(model, 1 + i, m);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(m[4 * k] + m[4 * k + 3] - places[i][k]) < 1e-6);
        }
    }
    fr_model_destroy(model);
    model = read_data(&d, INSTANCES("\"SCALE\":5"), "", &status, &error);
    assert_int_equal(status, FR_OK);
    assert_true(fr_model_get(model)->bounds.max.x == 2.0 && fr_model_get(model)->bounds.max.y == 3.0);
    fr_model_destroy(model);
    model = read_data(&d, INSTANCES("\"TRANSLATION\":6"), "", &status, &error);
    assert_int_equal(status, FR_ERROR_CORRUPT);
    model = read_data(&d, INSTANCES("\"TRANSLATION\":4"), "", &status, &error);
    assert_int_equal(status, FR_ERROR_CORRUPT);
    d.translations[3] = NAN;
    model = read_data(&d, INSTANCES("\"TRANSLATION\":3"), "", &status, &error);
    assert_int_equal(status, FR_ERROR_NOT_FINITE);
    assert_null(model);
}

// What is below a node that is not visible is hidden with it, instances too.
static void nodes_may_be_invisible(void **state) {
    (void)state;
    fr_status status;
    fr_error error;
    data d = make_data();
    for (int is_visible = 0; is_visible < 2; is_visible++) {
        char node[400];
        snprintf(node, sizeof node,
                 ",\"children\":[1],\"extensions\":{\"KHR_node_visibility\":{\"visible\":%s},"
                 "\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":3}}}},{\"mesh\":0",
                 is_visible ? "true" : "false");
        fr_model *model = read_data(&d, node, "", &status, &error);
        assert_int_equal(status, FR_OK);
        assert_int_equal(fr_model_get(model)->triangle_count, 1);
        assert_int_equal(fr_model_get(model)->placed_triangle_count, is_visible ? 4 : 0);
        fr_model_destroy(model);
    }
}

static void instances_are_bounded(void **state) {
    (void)state;
    data d = make_data();
    char json[4000];
    write_document(json, sizeof json, INSTANCES("\"TRANSLATION\":3"), "");
    fr_array bytes = glb_bytes(json, &d, sizeof d);
    fr_model_read_input options = fr_default_model_read_input();
    options.limits.nodes = 3;
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(bytes.data, bytes.count, &options, &model, &error), FR_ERROR_LIMIT);
    survives_failures(bytes.data, bytes.count, FR_MODEL_GLB, 200);
    fr_array_destroy(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extensions_beside_the_geometry_are_no_reason_to_refuse),
        cmocka_unit_test(lists_that_are_not_finite_are_dropped),
        cmocka_unit_test(strict_reading_refuses_them),
        cmocka_unit_test(instances_are_nodes),
        cmocka_unit_test(nodes_may_be_invisible),
        cmocka_unit_test(instances_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Collada: the tree, materials, units; counts that lie are put right or refused; nothing harms.
#include "text_model.h"

#define HEAD                                                                                                           \
    "<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\"><asset><unit "                                                \
    "meter=\"0.5\"/><up_axis>Z_UP</up_axis></asset>\n"
#define LOOKS                                                                                                          \
    "<library_effects><effect id=\"fx\"><profile_COMMON><technique><phong><diffuse><color>1 0 0.5 1</color></diffuse>" \
    "</phong></technique></profile_COMMON></effect></library_effects>\n<library_materials><material id=\"mat\" "       \
    "name=\"Red\"><instance_effect url=\"#fx\"/></material></library_materials>\n"
#define MESH(count, list)                                                                                              \
    "<library_geometries><geometry id=\"g\"><mesh><source id=\"s\"><float_array id=\"a\" count=\"12\">0 0 0 1 0 0 1 "  \
    "1 0 "                                                                                                             \
    "0 1 0</float_array><technique_common><accessor source=\"#a\" count=\"" count                                      \
    "\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" "           \
    "type=\"float\"/></accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" "          \
    "source=\"#s\"/></vertices>" list "</mesh></geometry></library_geometries>\n"
#define QUAD                                                                                                           \
    "<polylist material=\"sym\" count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><input "            \
    "semantic=\"TEXTANGENT\" source=\"#s\" offset=\"1\"/><vcount>4</vcount><p>0 9 1 9 2 9 3 9</p></polylist>"
#define NODES(inside)                                                                                                  \
    "<library_visual_scenes><visual_scene id=\"vs\"><node id=\"top\" name=\"Top &amp; all\"><translate>0 0 "           \
    "2</translate>" inside                                                                                             \
    "</node></visual_scene></library_visual_scenes>\n<scene><instance_visual_scene url=\"#vs\"/></scene></COLLADA>\n"
#define SHOWN                                                                                                          \
    "<instance_geometry url=\"#g\"><bind_material><technique_common><instance_material symbol=\"sym\" "                \
    "target=\"#mat\"/></technique_common></bind_material></instance_geometry>"

static const char usual[] = HEAD LOOKS MESH("4", QUAD) NODES(SHOWN);

static fr_status read_dae(const char *text, fr_model **model, fr_error *error) {
    fr_model_read_options options = fr_default_model_read_options();
    options.format = FR_MODEL_COLLADA;
    return read_bytes(text, strlen(text), &options, model, error);
}

static bool has_assimp(void) {
    fr_model *model;
    fr_status status = read_dae(usual, &model, NULL);
    fr_model_destroy(model);
    return status != FR_ERROR_UNSUPPORTED;
}

static void a_scene_is_read(void **state) {
    (void)state;
    if (!has_assimp()) { skip(); }
    fr_model *model;
    fr_error error;
    if (read_dae(usual, &model, &error) != FR_OK) { fail_msg("%d:%d: %s", error.line, error.column, error.message); }
    const fr_model_view *view = fr_model_get(model);
    assert_true(view->unit == 0.5 && view->up == FR_MODEL_UP_Z);
    assert_int_equal(view->face_count, 1);
    assert_int_equal(view->triangle_count, 2);
    // Two metres up, at half a metre a unit; the square lies.
    assert_true(view->bounds.min.y == 1.0 && view->bounds.max.y == 1.0 && view->bounds.max.x == 0.5);
    assert_true(view->bounds.min.z == -0.5);
    uint32_t part = 0;
    while (view->nodes[part].mesh == FR_NONE) {
        part++;
    }
    assert_string_equal(view->nodes[part].name, "Top & all");
    assert_int_equal(view->nodes[part].material, 0);
    assert_string_equal(view->materials[0].name, "Red");
    assert_true(view->materials[0].diffuse[0] == 1.0f && view->materials[0].diffuse[2] == 0.5f);
    fr_model_destroy(model);
}

static void nodes_are_shown_in_others(void **state) {
    (void)state;
    if (!has_assimp()) { skip(); }
    fr_model *model;
    fr_error error;
    const char *text =
        HEAD "<library_nodes><node id=\"leg\"><scale>2 2 2</scale>" SHOWN "</node></library_nodes>" MESH("4", QUAD)
            NODES("<instance_node url=\"#leg\"/><instance_node url=\"#leg\"/>");
    if (read_dae(text, &model, &error) != FR_OK) { fail_msg("%d:%d: %s", error.line, error.column, error.message); }
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 4);
    assert_int_equal(fr_model_get(model)->mesh_count, 1);
    fr_model_destroy(model);
}

static void refuses_dae(const char *text, fr_status status, const char *words) {
    fr_model *model;
    fr_error error;
    fr_status found = read_dae(text, &model, &error);
    fr_model_destroy(model);
    if (found == FR_OK || strstr(error.message, words) == NULL) { fail_msg("'%s' in '%s'", words, error.message); }
    assert_int_equal(found, status);
}

static void wrong_documents_are_refused(void **state) {
    (void)state;
    refuses_dae("<x/>", FR_ERROR_SYNTAX, "COLLADA element");
    refuses_dae("<COLLADA><asset></COLLADA>", FR_ERROR_SYNTAX, "no XML");
    refuses_dae("<!DOCTYPE a [<!ENTITY b \"c\">]><COLLADA/>", FR_ERROR_UNSUPPORTED, "declarations");
    refuses_dae(HEAD MESH("4", QUAD) NODES("<instance_node url=\"#top\"/>"), FR_ERROR_LIMIT, "below itself");
    refuses_dae(HEAD MESH("4", QUAD) NODES("<matrix>1 2 3</matrix>"), FR_ERROR_SYNTAX, "16 numbers");
    refuses_dae(HEAD MESH("4", QUAD) NODES("<scale>1 nan 3</scale>"), FR_ERROR_NOT_FINITE, "number 1");
    refuses_dae(HEAD MESH("4", "<triangles><p>0 x 2</p></triangles>") NODES(SHOWN), FR_ERROR_SYNTAX, "whole number");
    if (!has_assimp()) { skip(); }
    // A list whose numbers do not fit is left out; then nothing is shown.
    refuses_dae(HEAD MESH("4", "<polylist count=\"9\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
                               "<vcount>7</vcount><p>0 1 2</p></polylist>") NODES(SHOWN),
                FR_ERROR_UNSUPPORTED, "no polygon");
    // An accessor is no longer than its numbers, so that this corner is beyond its end.
    refuses_dae(HEAD MESH("4000000000",
                          "<triangles count=\"77\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
                          "<p>0 1 4</p></triangles>") NODES(SHOWN),
                FR_ERROR_UNSUPPORTED, "no polygon");
}

// Names that lead nowhere are ours to find: assimp would give up in the middle and lose what it has read.
static void names_that_lead_nowhere_are_found(void **state) {
    (void)state;
    if (!has_assimp()) { skip(); }
    refuses_dae(HEAD MESH("4", QUAD) "<library_visual_scenes><visual_scene id=\"vs\"><node>" SHOWN
                                     "</node></visual_scene></library_visual_scenes>\n<scene>"
                                     "<instance_visual_scene url=\"#other\"/></scene></COLLADA>\n",
                FR_ERROR_CORRUPT, "no visual scene of this id");
    refuses_dae(HEAD MESH("4", QUAD) NODES("<instance_geometry url=\"#other\"/>"), FR_ERROR_UNSUPPORTED, "no polygon");
    // A scene may be told before it comes, and ids may be there twice: the last one counts.
    fr_model *model;
    fr_error error;
    const char *text =
        HEAD "<scene><instance_visual_scene url=\"#vs\"/></scene><library_visual_scenes><visual_scene id=\"vs\"/>"
             "</library_visual_scenes>" MESH("4", QUAD) MESH("4", QUAD) NODES(SHOWN "<instance_geometry url=\"#x\"/>");
    if (read_dae(text, &model, &error) != FR_OK) { fail_msg("%d:%d: %s", error.line, error.column, error.message); }
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 2);
    assert_int_equal(fr_model_get(model)->warning_count, 1);
    fr_model_destroy(model);
}

static void damaged_documents_are_survived(void **state) {
    (void)state;
    fr_random random = fr_random_seed(6);
    size_t size = strlen(usual);
    char *copy = malloc(size);
    assert_non_null(copy);
    for (int round = 0; round < 400; round++) {
        memcpy(copy, usual, size);
        for (uint64_t k = 1 + fr_random_below(&random, 3); k > 0; k--) {
            static const char bytes[] = "0123456789 <>#\"/e-.x";
            copy[fr_random_below(&random, size)] = bytes[fr_random_below(&random, sizeof bytes - 1)];
        }
        fr_model_read_options options = fr_default_model_read_options();
        options.format = FR_MODEL_COLLADA;
        fr_model *model;
        fr_error error;
        size_t length = round % 8 == 0 ? fr_random_below(&random, size) : size;
        fr_status status = fr_model_read(copy, length, &options, &model, &error);
        assert_true(status == FR_OK || error.message[0] != '\0');
        fr_model_destroy(model);
    }
    free(copy);
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    if (!has_assimp()) { skip(); }
    survives_failures(usual, strlen(usual), FR_MODEL_COLLADA, 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_read),
        cmocka_unit_test(nodes_are_shown_in_others),
        cmocka_unit_test(wrong_documents_are_refused),
        cmocka_unit_test(names_that_lead_nowhere_are_found),
        cmocka_unit_test(damaged_documents_are_survived),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

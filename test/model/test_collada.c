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
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_COLLADA;
    return read_bytes(text, strlen(text), &options, model, error);
}

static void a_scene_is_read(void **state) {
    (void)state;
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

static void names_that_lead_nowhere_are_found(void **state) {
    (void)state;
    refuses_dae(HEAD MESH("4", QUAD) "<library_visual_scenes><visual_scene id=\"vs\"><node>" SHOWN
                                     "</node></visual_scene></library_visual_scenes>\n<scene>"
                                     "<instance_visual_scene url=\"#other\"/></scene></COLLADA>\n",
                FR_ERROR_CORRUPT, "no visual scene of this id");
    refuses_dae(HEAD MESH("4", QUAD) NODES("<instance_geometry url=\"#other\"/>"), FR_ERROR_UNSUPPORTED, "no polygon");
    // A scene may be named before it comes, and ids may be there twice: the last one counts.
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

// ---------------------------------------------------------------------------------------------------------------
// Lists, sources and transforms

#define VERTEX "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"

static fr_model *read_list(const char *list) {
    char text[8000];
    int length = snprintf(text, sizeof text, "%s%s%s", HEAD, list, NODES(SHOWN));
    assert_true(length > 0 && (size_t)length < sizeof text);
    fr_model *model;
    fr_error error;
    if (read_dae(text, &model, &error) != FR_OK) { fail_msg("%d:%d: %s", error.line, error.column, error.message); }
    return model;
}

// Corners as "012 ...", by the corner of the square that their vertex is at, polygons apart by spaces.
static void check_polygons(const char *list, const char *expected, uint32_t vertices, uint64_t lines) {
    static const float square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    fr_model *model = read_list(list);
    const fr_model_view *view = fr_model_get(model);
    const fr_model_mesh *mesh = &view->meshes[view->mesh_count - 1];
    char found[64];
    size_t length = 0;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        for (uint32_t c = fr_model_face_begin(mesh, f); c < fr_model_face_end(mesh, f); c++) {
            const float *at = mesh->positions_float + (size_t)3 * mesh->corners[c];
            for (int k = 0; k < 4; k++) {
                if (at[0] == square[k][0] && at[1] == square[k][1]) { found[length++] = (char)('0' + k); }
            }
        }
        found[length++] = ' ';
    }
    found[length] = '\0';
    assert_string_equal(found, expected);
    assert_int_equal(mesh->vertex_count, vertices);
    assert_int_equal(view->line_count, lines);
    fr_model_destroy(model);
}

static void every_kind_of_list_is_read(void **state) {
    (void)state;
    check_polygons(MESH("4", "<triangles>" VERTEX "<p>0 1 2 0 2 3</p></triangles>"), "012 023 ", 4, 0);
    check_polygons(MESH("4", "<polygons>" VERTEX "<p>1 2 3</p><p>0 1 2 3</p></polygons>"), "123 0123 ", 4, 0);
    check_polygons(MESH("4", "<trifans>" VERTEX "<p>0 1 2 3</p></trifans>"), "012 023 ", 4, 0);
    check_polygons(MESH("4", "<tristrips>" VERTEX "<p>0 1 3 2</p><p>1 2 3</p></tristrips>"), "013 312 123 ", 4, 0);
    check_polygons(MESH("4", "<polylist>" VERTEX "<vcount>2 3 1</vcount><p>0 1 1 2 3 0</p></polylist>"), "123 ", 4, 1);
    // Vertices that no corner uses are left out; the others stand in the order of their use. Lines are counted.
    check_polygons(MESH("4", "<triangles>" VERTEX "<p>3 2 1</p></triangles>"), "321 ", 3, 0);
    check_polygons(MESH("4", "<lines>" VERTEX "<p>0 1 2 3</p></lines><linestrips>" VERTEX
                             "<p>0 1 2</p></linestrips><triangles>" VERTEX "<p>0 1 2</p></triangles>"),
                   "012 ", 3, 4);
}

// Polygons are numbered on over lists of lines and lists that several nodes show.
static void polygons_have_the_numbers_of_the_file(void **state) {
    (void)state;
    fr_model *model = read_list(MESH("4", "<triangles>" VERTEX "<p>0 1 2 0 2 3</p></triangles><lines>" VERTEX
                                          "<p>0 1</p></lines><polygons>" VERTEX "<p>0 1 2 3</p></polygons>"));
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->mesh_count, 3);
    assert_int_equal(view->meshes[2].first_face, 2);
    // One node for each list below the node that shows them.
    assert_int_equal(view->node_count, 5);
    assert_string_equal(view->nodes[4].name, "Top & all");
    assert_int_equal(view->nodes[4].parent, 1);
    // The material that is bound is not in the file.
    assert_int_equal(view->nodes[4].material, FR_NONE);
    fr_model_destroy(model);
}

#define SOURCE(id, numbers, accessor, params)                                                                          \
    "<source id=\"" id "\"><float_array id=\"" id "-a\">" numbers                                                      \
    "</float_array><technique_common><accessor source=\"#" id "-a\" " accessor ">" params                              \
    "</accessor></technique_common></source>"
#define PARAMS3 "<param name=\"X\"/><param name=\"Y\"/><param name=\"Z\"/>"
#define GEOMETRY(inside)                                                                                               \
    "<library_geometries><geometry id=\"g\"><mesh>" inside "</mesh></geometry></library_geometries>"

#define PARAMS2 "<param name=\"S\"/><param name=\"T\"/>"
#define PARAMS_RGB "<param name=\"R\"/><param name=\"G\"/><param name=\"B\"/>"
#define MIXED_NUMBERS "9 0 0 0 0.25 0.5  9 1 0 0 0.5 0.5  9 0 1 0 0.75 1"
#define MIXED_POSITIONS SOURCE("s", MIXED_NUMBERS, "count=\"3\" stride=\"6\" offset=\"1\"", PARAMS3)
#define MIXED_UVS                                                                                                      \
    "<source id=\"t\"><technique_common><accessor source=\"#s-a\" count=\"3\" stride=\"6\" offset=\"4\">" PARAMS2      \
    "</accessor></technique_common></source>"
#define NORMALS SOURCE("n", "0 0 1 0 0 -1", "count=\"2\" stride=\"3\"", "<param/><param/><param/>")
#define COLORS SOURCE("c", "1 0.5 0", "count=\"1\" stride=\"3\"", PARAMS_RGB)
#define MIXED_VERTICES                                                                                                 \
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/><input semantic=\"TEXCOORD\" source=\"#t\"/>"      \
    "</vertices>"
#define MIXED_LIST                                                                                                     \
    "<triangles>" VERTEX "<input semantic=\"NORMAL\" source=\"#n\" offset=\"2\"/><input semantic=\"COLOR\" "           \
    "source=\"#c\" offset=\"1\"/><p>0 0 1 1 0 1 2 0 0</p></triangles>"

// Positions and texture coordinates out of one array, at the vertices and at the corners.
static void sources_may_share_numbers(void **state) {
    (void)state;
    const char *text = GEOMETRY(MIXED_POSITIONS MIXED_UVS NORMALS COLORS MIXED_VERTICES MIXED_LIST);
    fr_model *model = read_list(text);
    const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float normals[9] = {0, 0, -1, 0, 0, -1, 0, 0, 1}, uvs[6] = {0.25f, 0.5f, 0.5f, 0.5f, 0.75f, 1};
    assert_memory_equal(mesh->positions_float, positions, sizeof positions);
    assert_memory_equal(mesh->corner_normals, normals, sizeof normals);
    assert_memory_equal(mesh->corner_uvs, uvs, sizeof uvs);
    for (int c = 0; c < 3; c++) {
        fr_color color = mesh->corner_colors[c];
        assert_true(color.r == 255 && color.g == 128 && color.b == 0 && color.a == 255);
    }
    fr_model_destroy(model);
}

#define VERTICES "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>"
#define PLAIN_POSITIONS SOURCE("s", "0 0 0 1 0 0 0 1 0", "count=\"3\" stride=\"3\"", PARAMS3)
#define PLAIN_UVS SOURCE("t", "0.5 0.25", "count=\"1\" stride=\"2\"", PARAMS2)
#define TWO_SETS                                                                                                       \
    "<triangles>" VERTEX "<input semantic=\"TEXCOORD\" source=\"#s\" offset=\"0\" set=\"1\"/><input "                  \
    "semantic=\"TEXCOORD\" source=\"#t\" offset=\"1\" set=\"0\"/><p>0 0 1 0 2 0</p></triangles>"

// The lowest set of texture coordinates counts, wherever it stands.
static void the_first_set_of_coordinates_counts(void **state) {
    (void)state;
    fr_model *model = read_list(GEOMETRY(PLAIN_POSITIONS PLAIN_UVS VERTICES TWO_SETS));
    const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
    for (int c = 0; c < 3; c++) {
        assert_true(mesh->corner_uvs[2 * c] == 0.5f && mesh->corner_uvs[2 * c + 1] == 0.25f);
    }
    fr_model_destroy(model);
}

static void transforms_are_multiplied_in_order(void **state) {
    (void)state;
    static const struct {
        const char *inside;
        double matrix[12];
    } cases[] = {
        {"<rotate>0 0 2 90</rotate><scale>2 3 4</scale>", {0, -3, 0, 0, 2, 0, 0, 0, 0, 0, 4, 2}},
        {"<matrix>0 -1 0 5 1 0 0 6 0 0 1 7 0 0 0 1</matrix>", {0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 1, 9}},
        {"<skew>45 0 1 0 1 0 0</skew>", {1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2}},
        {"<lookat>1 2 3 5 2 3 0 1 0</lookat>", {0, 0, -1, 1, 0, 1, 0, 2, 1, 0, 0, 5}},
        {"<scale>-1 1 1</scale><scale>-1 1 1</scale>", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[8000];
        snprintf(text, sizeof text,
                 "%s<library_visual_scenes><visual_scene id=\"vs\"><node><translate>0 0 2</translate>"
                 "%s%s</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#vs\"/></scene>"
                 "</COLLADA>",
                 HEAD MESH("4", QUAD), cases[i].inside, SHOWN);
        fr_model *model;
        fr_error error;
        if (read_dae(text, &model, &error) != FR_OK) { fail_msg("%s", error.message); }
        const fr_model_view *view = fr_model_get(model);
        for (int k = 0; k < 12; k++) {
            assert_true(fabs(view->nodes[1].transform[k] - cases[i].matrix[k]) < 1e-7);
        }
        fr_model_destroy(model);
    }
}

#define FINE_NUMBERS "0.1 -1.7009507 16777217 1 0 0 0 1 0"
#define FINE_POSITIONS SOURCE("s", FINE_NUMBERS, "count=\"3\" stride=\"3\"", PARAMS3)
#define FINE_LIST "<triangles>" VERTEX "<p>0 1 2</p></triangles>"

// Numbers become the nearest floats, or doubles where those are wanted.
static void numbers_are_the_nearest(void **state) {
    (void)state;
    const char *text = HEAD GEOMETRY(FINE_POSITIONS VERTICES FINE_LIST) NODES(SHOWN);
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_COLLADA;
    fr_model *model;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, NULL), FR_OK);
    const float *floats = fr_model_get(model)->meshes[0].positions_float;
    assert_true(floats[0] == 0.1f && floats[1] == -1.7009507f && floats[2] == 16777216.0f);
    fr_model_destroy(model);
    options.precision = FR_MODEL_DOUBLE;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, NULL), FR_OK);
    const double *doubles = fr_model_get(model)->meshes[0].positions_double;
    assert_true(doubles[0] == 0.1 && doubles[1] == -1.7009507 && doubles[2] == 16777217.0);
    fr_model_destroy(model);
}

static void failures_and_warnings_have_their_place(void **state) {
    (void)state;
    refuses("<COLLADA>\n <library_nodes>\n  <node><scale>1 2</scale></node>", FR_MODEL_COLLADA, FR_ERROR_SYNTAX, 3, 19,
            "3 numbers");
    refuses("<COLLADA>\n<scene/>\n</COLLADA>", FR_MODEL_COLLADA, FR_ERROR_CORRUPT, 0, 0, "no scene that names");
    refuses("<COLLADA>\n<scene><instance_visual_scene url=\"#a\"/></scene></COLLADA>", FR_MODEL_COLLADA,
            FR_ERROR_CORRUPT, 2, 8, "no visual scene of this id");
    refuses("<COLLADA><library_nodes>\n<node id=\"a\"><instance_node url=\"#a\"/></node></library_nodes></COLLADA>",
            FR_MODEL_COLLADA, FR_ERROR_LIMIT, 2, 1, "below itself");
    fr_model *model;
    fr_error error;
    assert_int_equal(read_dae(HEAD MESH("4", QUAD) NODES(SHOWN "\n <instance_node url=\"#x\"/>"), &model, &error),
                     FR_OK);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 1);
    assert_true(view->warnings[0].column == 2 && view->warnings[0].line > 2);
    fr_model_destroy(model);
}

// Each node shows the one before it twice, and each shows the one before it, both after another.
static void instances_are_counted_before_they_are_made(void **state) {
    (void)state;
    for (int uses = 1; uses <= 2; uses++) {
        char *text = malloc(100000);
        assert_non_null(text);
        size_t length =
            (size_t)sprintf(text, "%s<library_nodes><node id=\"n0\">%s</node>", HEAD MESH("4", QUAD), SHOWN);
        for (int i = 1; i < 200; i++) {
            length += (size_t)sprintf(text + length, "<node id=\"n%d\">", i);
            for (int k = 0; k < uses; k++) {
                length += (size_t)sprintf(text + length, "<instance_node url=\"#n%d\"/>", i - 1);
            }
            length += (size_t)sprintf(text + length, "</node>");
        }
        sprintf(text + length, "</library_nodes>%s", NODES("<instance_node url=\"#n199\"/>"));
        refuses_dae(text, FR_ERROR_LIMIT, uses == 1 ? "in one another" : "after instancing");
        free(text);
    }
}

static void as_many_nodes_as_the_limit_are_shown(void **state) {
    (void)state;
    char text[4000];
    size_t length = (size_t)sprintf(text, "%s<library_nodes><node id=\"n0\">%s</node>", HEAD MESH("4", QUAD), SHOWN);
    for (int i = 1; i < 8; i++) {
        length += (size_t)sprintf(text + length,
                                  "<node id=\"n%d\"><instance_node url=\"#n%d\"/><instance_node url=\"#n%d\"/></node>",
                                  i, i - 1, i - 1);
    }
    sprintf(text + length, "</library_nodes>%s", NODES("<instance_node url=\"#n7\"/>"));
    // 255 nodes of a tree of 8 levels, and the one at the top.
    for (uint64_t less = 0; less < 2; less++) {
        fr_model_read_input options = fr_default_model_read_input();
        options.format = FR_MODEL_COLLADA;
        options.limits.nodes = 256 - less;
        fr_model *model;
        fr_error error;
        assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), less > 0 ? FR_ERROR_LIMIT : FR_OK);
        fr_model_destroy(model);
    }
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
        fr_model_read_input options = fr_default_model_read_input();
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
    survives_failures(usual, strlen(usual), FR_MODEL_COLLADA, 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_read),
        cmocka_unit_test(nodes_are_shown_in_others),
        cmocka_unit_test(wrong_documents_are_refused),
        cmocka_unit_test(names_that_lead_nowhere_are_found),
        cmocka_unit_test(every_kind_of_list_is_read),
        cmocka_unit_test(polygons_have_the_numbers_of_the_file),
        cmocka_unit_test(sources_may_share_numbers),
        cmocka_unit_test(the_first_set_of_coordinates_counts),
        cmocka_unit_test(transforms_are_multiplied_in_order),
        cmocka_unit_test(numbers_are_the_nearest),
        cmocka_unit_test(failures_and_warnings_have_their_place),
        cmocka_unit_test(instances_are_counted_before_they_are_made),
        cmocka_unit_test(as_many_nodes_as_the_limit_are_shown),
        cmocka_unit_test(damaged_documents_are_survived),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

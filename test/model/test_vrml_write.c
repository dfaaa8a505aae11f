// VRML97 as it is written: the tree, placements in parts, meshes and looks once.
#include "rich_model.h"

static char *written_text(const fr_model *model, const fr_model_write_options *options) {
    fr_array bytes = fr_array_make(1, NULL);
    fr_error error;
    if (fr_model_write(model, FR_MODEL_VRML, options, push_bytes, &bytes, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    push_bytes("", 1, &bytes);
    char *text = malloc(bytes.count);
    assert_non_null(text);
    memcpy(text, bytes.data, bytes.count);
    fr_array_free(&bytes);
    return text;
}

static int occurrences(const char *text, const char *word) {
    int count = 0;
    for (const char *p = strstr(text, word); p != NULL; p = strstr(p + 1, word)) {
        count++;
    }
    return count;
}

static void the_tree_is_written(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    char *text = written_text(model, NULL);
    assert_ptr_equal(strstr(text, "#VRML V2.0 utf8\n"), text);
    assert_non_null(strstr(text, "WorldInfo { title \"a table\" }"));
    assert_non_null(strstr(text, "DEF world Transform {\ntranslation 4 0.5 0\nchildren"));
    assert_non_null(strstr(text, "DEF table_leg Transform {\ntranslation 1 2 3\ncenter 0.5 0 0\nscale 1 2 1\n"));
    assert_null(strstr(text, "hidden"));
    assert_int_equal(occurrences(text, "Collision { collide FALSE"), 1);
    assert_int_equal(occurrences(text, "diffuseColor"), 1);
    assert_int_equal(occurrences(text, "{"), occurrences(text, "}"));
    assert_int_equal(occurrences(text, "["), occurrences(text, "]"));
    free(text);
    fr_model_destroy(model);
}

static void a_mesh_is_written_once(void **state) {
    (void)state;
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t corners[] = {0, 1, 2};
    static const double apart[12] = {1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0};
    fr_model_mesh mesh = {.positions_float = positions, .vertex_count = 3, .corners = corners, .face_count = 1};
    fr_model_node nodes[2] = {fr_default_model_node(), fr_default_model_node()};
    nodes[0].mesh = nodes[1].mesh = 0;
    nodes[0].name = "1 [a]";
    nodes[1].name = "_fr_mesh_0";
    nodes[1].transform = apart;
    fr_model_def def = fr_default_model_def();
    def.nodes = nodes;
    def.node_count = 2;
    def.meshes = &mesh;
    def.mesh_count = 1;
    fr_model *model;
    assert_int_equal(fr_model_create(&def, &model, NULL), FR_OK);
    char *text = written_text(model, NULL);
    assert_string_equal(text, "#VRML V2.0 utf8\nDEF _1__a_ Transform {\nchildren [\nShape {\ngeometry DEF _fr_mesh_0 "
                              "IndexedFaceSet {\nconvex FALSE\ncoord Coordinate { point [\n0 0 0\n1 0 0\n0 1 0\n] }\n"
                              "coordIndex [\n0 1 2 -1\n]\n}\n}\n] }\nDEF __fr_mesh_0 Transform {\ntranslation 2 0 0\n"
                              "children [\nShape {\ngeometry USE _fr_mesh_0\n}\n] }\n");
    free(text);
    fr_model_write_options options = fr_default_model_write_options();
    options.unit = 0.001;
    options.up = FR_MODEL_UP_Z;
    text = written_text(model, &options);
    assert_non_null(strstr(text, "# unit 0.001 m, up z\nTransform {\nrotation 1 0 0 1.57"));
    assert_non_null(strstr(text, "scale 1000 1000 1000\n"));
    free(text);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_is_written),
        cmocka_unit_test(a_mesh_is_written_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

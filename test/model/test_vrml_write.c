// VRML97 as it is written: the tree, placements in parts, meshes and looks once.
#include "rich_model.h"

static char *written_text(const fr_model *model, const fr_model_write_input *options) {
    fr_array bytes = fr_array_make(1, NULL);
    fr_error error;
    if (fr_model_write(model, FR_MODEL_VRML, options, push_bytes, &bytes, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    push_bytes("", 1, &bytes);
    char *text = malloc(bytes.count);
    assert_non_null(text);
    memcpy(text, bytes.data, bytes.count);
    fr_array_destroy(&bytes);
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
    assert_string_equal(text, "#VRML V2.0 utf8\nDEF _1__a_ Shape {\ngeometry DEF _fr_mesh_0 "
                              "IndexedFaceSet {\nconvex FALSE\ncoord Coordinate { point [\n0 0 0\n1 0 0\n0 1 0\n] }\n"
                              "coordIndex [\n0 1 2 -1\n]\n}\n}\nDEF __fr_mesh_0 Transform {\ntranslation 2 0 0\n"
                              "children [\nShape {\ngeometry USE _fr_mesh_0\n}\n] }\n");
    free(text);
    fr_model_write_input options = fr_default_model_write_input();
    options.unit = 0.001;
    options.up = FR_MODEL_UP_Z;
    text = written_text(model, &options);
    assert_non_null(strstr(text, "# unit 0.001 m, up z\nTransform {\nrotation 1 0 0 1.57"));
    assert_non_null(strstr(text, "scale 1000 1000 1000\n"));
    free(text);
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Motion and sound

static const char *const moving =
    "#VRML V2.0 utf8\n"
    "DEF a Transform { translation 1 2 3 children [ DEF b Transform { center 0 1 0 children [\n"
    "Shape { appearance Appearance { material DEF m Material { } } geometry IndexedFaceSet {\n"
    "coord DEF c Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ 0 1 2 -1 ] } } ] }\n"
    "DEF hum Sound { location 1 0 0 maxFront 20 intensity 0.5 source AudioClip { url \"hum.wav\" loop TRUE pitch 2 } "
    "}\n"
    "Sound { spatialize FALSE source AudioClip { url \"b.wav\" description \"b \\\"c\\\"\" startTime 3 } } ] }\n"
    "DEF b Transform { children Transform { children Shape { geometry Box { } } } }\n"
    "DEF t TimeSensor { loop TRUE cycleInterval 2.5 } DEF b TimeSensor { startTime 4 stopTime 9 }\n"
    "DEF p PositionInterpolator { key [ 0 0.1 1 ] keyValue [ 0 0 0 1 0.3 -7 1 1 1 ] }\n"
    "DEF o OrientationInterpolator { key [ 0 1 ] keyValue [ 0 1 0 0, 0 1 0 3 ] }\n"
    "DEF k ColorInterpolator { key [ 0 1 ] keyValue [ 0 1 0, 0 1 0.5 ] }\n"
    "DEF f ScalarInterpolator { key [ 0 1 ] keyValue [ 0 1 ] }\n"
    "DEF q CoordinateInterpolator { key [ 0 1 ] keyValue [ 0 0 0 1 0 0 0 1 0, 0 0 0 1 0 0 0 1 5 ] }\n"
    "ROUTE t.fraction_changed TO p.set_fraction ROUTE p.value_changed TO a.set_translation\n"
    "ROUTE t.fraction_changed TO o.set_fraction ROUTE o.value_changed TO a.rotation\n"
    "ROUTE t.fraction_changed TO k.set_fraction ROUTE k.value_changed TO m.set_diffuseColor\n"
    "ROUTE b.fraction_changed TO f.set_fraction ROUTE f.value_changed TO m.set_transparency\n"
    "ROUTE b.fraction_changed TO q.set_fraction ROUTE q.value_changed TO c.set_point\n";

static fr_status give_any(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)path, (void)context, (void)error;
    *bytes = "RIFF";
    *size = 4;
    return FR_OK;
}

static fr_model *read_moving(const char *text) {
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_VRML;
    options.files.load = give_any;
    fr_model *model;
    fr_error error;
    if (read_bytes(text, strlen(text), &options, &model, &error) != FR_OK) {
        fail_msg("%d:%d: %s\n%s", error.line, error.column, error.message, text);
    }
    return model;
}

static void motion_and_sounds_come_back(void **state) {
    (void)state;
    fr_model *model = read_moving(moving);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->track_count, 5);
    assert_int_equal(view->clock_count, 2);
    assert_int_equal(view->sound_count, 2);
    char *text = written_text(model, NULL);
    fr_model *again = read_moving(text);
    assert_int_equal(fr_model_get(again)->warning_count, 0);
    assert_int_equal(fr_model_get(again)->sound_count, 2);
    // All is the same but the name of the clock that is a node's, too.
    assert_int_equal(view->node_count, fr_model_get(again)->node_count);
    char *text_again = written_text(again, NULL);
    fr_model *third = read_moving(text_again);
    assert_same_motion(fr_model_get(again), fr_model_get(third));
    assert_same_nodes(fr_model_get(again), fr_model_get(third));
    for (uint32_t i = 0; i < 5; i++) {
        const fr_model_track *x = &view->tracks[i], *y = &fr_model_get(again)->tracks[i];
        assert_true(x->kind == y->kind && x->clock == y->clock && x->key_count == y->key_count && x->width == y->width);
        assert_memory_equal(x->keys, y->keys, 4 * (size_t)x->key_count);
        assert_memory_equal(x->values, y->values, (size_t)4 * x->key_count * x->width);
    }
    assert_string_equal(fr_model_get(again)->clocks[0].name, "t");
    assert_string_equal(fr_model_get(again)->clocks[1].name, "");
    free(text_again);
    free(text);
    fr_model_destroy(third);
    fr_model_destroy(again);
    fr_model_destroy(model);
}

// Names that are there twice, and none at all, do not lead routes astray.
static void routes_go_to_their_own_node(void **state) {
    (void)state;
    const char *twice = "#VRML V2.0 utf8\n"
                        "DEF a Transform { children Shape { geometry Box { } } }\n"
                        "DEF i PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0 1 0 0 ] }\n"
                        "DEF t TimeSensor { loop TRUE }\n"
                        "ROUTE t.fraction_changed TO i.set_fraction ROUTE i.value_changed TO a.translation\n"
                        "DEF a Transform { translation 5 0 0 children Shape { geometry Box { } } }\n";
    fr_model *model = read_moving(twice);
    char *text = written_text(model, NULL);
    fr_model *again = read_moving(text);
    assert_int_equal(fr_model_get(again)->track_count, 1);
    assert_int_equal(fr_model_get(again)->tracks[0].target, 0);
    assert_string_equal(fr_model_get(again)->nodes[0].name, "");
    free(text);
    fr_model_destroy(again);
    fr_model_destroy(model);
}

static void what_is_hidden_takes_its_tracks_along(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    char *text = written_text(model, NULL);
    // A track of a node, one of a material that is seen, and the sound of a node.
    assert_int_equal(occurrences(text, "Interpolator {"), 2);
    assert_int_equal(occurrences(text, "ROUTE"), 4);
    assert_non_null(strstr(text, "ROUTE _fr_track_0.value_changed TO table_leg.set_translation\n"));
    assert_non_null(strstr(text, "DEF clock TimeSensor {\ncycleInterval 2.5\nstartTime 1\nstopTime 9\nloop TRUE\n}\n"));
    assert_int_equal(occurrences(text, "AudioClip"), 1);
    free(text);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_is_written),
        cmocka_unit_test(a_mesh_is_written_once),
        cmocka_unit_test(motion_and_sounds_come_back),
        cmocka_unit_test(routes_go_to_their_own_node),
        cmocka_unit_test(what_is_hidden_takes_its_tracks_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

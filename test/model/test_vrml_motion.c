// TimeSensors, interpolators and routes of VRML97 become clocks and tracks.
#include "vrml_text.h"

#define CLOCK "DEF clock TimeSensor { cycleInterval 4 loop TRUE } "
#define DRIVE "ROUTE clock.fraction_changed TO move.set_fraction "
#define MOVE "DEF move PositionInterpolator { key [ 0 .5 1 ] keyValue [ 0 0 0, 2 0 0, 2 4 0 ] } "

static void a_route_moves_a_transform(void **state) {
    (void)state;
    fr_model *model =
        vrml(V2 "DEF t Transform { translation 9 9 9 rotation 0 0 1 1 children " SHAPE
                " } Group { children [ USE t ] }\n" CLOCK MOVE DRIVE "ROUTE move.value_changed TO t.set_translation");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 0);
    assert_int_equal(view->clock_count, 1);
    assert_string_equal(view->clocks[0].name, "clock");
    assert_true(view->clocks[0].cycle == 4.0 && view->clocks[0].is_loop && view->clocks[0].is_enabled);
    // One track a place.
    assert_int_equal(view->track_count, 2);
    assert_int_equal(view->placement_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const fr_model_track *track = &view->tracks[i];
        assert_int_equal(track->kind, FR_MODEL_TRANSLATION);
        assert_int_equal(track->key_count, 3);
        assert_int_equal(track->width, 3);
        assert_string_equal(view->nodes[track->target].name, "t");
        const fr_model_placement *placement = &view->placements[view->nodes[track->target].placement];
        assert_true(placement->translation.x == 9.0);
    }
    assert_int_equal(view->node_count, 5);
    fr_model_play *play;
    double matrix[12];
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    fr_model_play_at(play, 3.0);
    fr_model_play_matrix(play, 0, matrix);
    assert_true(fabs(matrix[3] - 2.0) < 1e-6 && fabs(matrix[7] - 2.0) < 1e-6 && matrix[11] == 0.0);
    fr_model_play_destroy(play);
    fr_model_destroy(model);
}

static void every_kind_of_track(void **state) {
    (void)state;
    fr_model *model = vrml(
        V2 CLOCK "DEF t Transform { children Shape { appearance Appearance { material DEF m Material { } } geometry "
                 "IndexedFaceSet { "
                 "coord DEF c Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ 0 1 2 ] } } }\n"
                 "DEF turn OrientationInterpolator { key [ 0 1 ] keyValue [ 0 0 1 0, 0 0 1 3 ] }\n"
                 "DEF paint ColorInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 1 1 1 ] }\n"
                 "DEF fade ScalarInterpolator { key [ 0 1 ] keyValue [ 0 1 ] }\n"
                 "DEF bend CoordinateInterpolator { key [ 0 1 ] keyValue [ 0 0 0 1 0 0 0 1 0, 0 0 1 1 0 1 0 1 1 ] }\n"
                 "ROUTE clock.fraction_changed TO turn.set_fraction ROUTE clock.fraction TO paint.fraction\n"
                 "ROUTE clock.fraction_changed TO fade.set_fraction ROUTE clock.fraction_changed TO bend.set_fraction\n"
                 "ROUTE turn.value_changed TO t.rotation ROUTE turn.value_changed TO t.set_scaleOrientation\n"
                 "ROUTE paint.value_changed TO m.diffuseColor ROUTE paint.value_changed TO m.set_emissiveColor ROUTE "
                 "paint.value TO "
                 "m.specularColor\nROUTE fade.value_changed TO m.transparency ROUTE bend.value_changed TO c.point");
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 0);
    assert_int_equal(view->track_count, 7);
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < view->track_count; i++) {
        kinds |= 1u << view->tracks[i].kind;
        if (view->tracks[i].kind == FR_MODEL_COORDINATES) {
            assert_int_equal(view->tracks[i].width, 9);
            float positions[9];
            fr_model_track_value(&view->tracks[i], 0.5, positions);
            assert_true(positions[2] == 0.5f);
        }
    }
    assert_int_equal(kinds, 1u << FR_MODEL_ROTATION | 1u << FR_MODEL_SCALE_ORIENTATION | 1u << FR_MODEL_DIFFUSE |
                                1u << FR_MODEL_EMISSIVE | 1u << FR_MODEL_SPECULAR | 1u << FR_MODEL_TRANSPARENCY |
                                1u << FR_MODEL_COORDINATES);
    fr_model_destroy(model);
}

static uint32_t track_count(const char *text) {
    fr_model *model = vrml(text);
    uint32_t count = fr_model_get(model)->track_count;
    fr_model_destroy(model);
    return count;
}

// A triangle that grows from a point has no area in the file.
static void what_grows_from_nothing_is_there(void **state) {
    (void)state;
    fr_model *model = vrml(
        V2 "Shape { geometry IndexedFaceSet { coord DEF c Coordinate { point [ 0 0 0 0 0 0 0 0 0 ] } coordIndex [ 0 "
           "1 2 ] } }\nDEF t TimeSensor { loop TRUE cycleInterval 2 }\n"
           "DEF i CoordinateInterpolator { key [ 0 1 ] keyValue [ 0 0 0 0 0 0 0 0 0 0 0 0 2 0 0 0 2 0 ] }\n"
           "ROUTE t.fraction_changed TO i.set_fraction\nROUTE i.value_changed TO c.set_point\n");
    assert_int_equal(fr_model_get(model)->triangle_count, 1);
    assert_int_equal(fr_model_get(model)->track_count, 1);
    fr_model_play *play;
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    assert_true(fr_model_play_at(play, 1.0));
    fr_vec3 vertices[3];
    fr_model_play_vertices(play, 0, vertices);
    assert_true(vertices[1].x == 1.0 && vertices[2].y == 1.0);
    fr_model_play_destroy(play);
    fr_model_destroy(model);
}

static void routes_may_stand_anywhere(void **state) {
    (void)state;
    // Before what they name, in the body of a node, in a list of nodes.
    assert_int_equal(
        track_count(V2 "ROUTE move.value_changed TO t.translation " DRIVE CLOCK MOVE "DEF t Transform { }"), 1);
    assert_int_equal(track_count(V2 CLOCK MOVE "DEF t Transform { " DRIVE
                                               " children [ ROUTE move.value_changed TO t.translation ] }"),
                     1);
    // Names with dots.
    assert_int_equal(
        track_count(V2 CLOCK MOVE DRIVE "DEF a.b Transform { } ROUTE move.value_changed TO a.b.translation"), 1);
    // Into and out of prototypes.
    assert_int_equal(
        track_count(V2 CLOCK MOVE DRIVE
                    "PROTO P [ eventIn SFVec3f go ] { Transform { set_translation IS go } } DEF p P { } DEF "
                    "q P { } ROUTE move.value_changed TO p.go ROUTE move.value_changed TO q.go"),
        2);
    assert_int_equal(
        track_count(
            V2 CLOCK
            "PROTO M [ eventIn SFFloat in eventOut SFVec3f out field MFFloat k [ 0 1 ] ] { "
            "PositionInterpolator { set_fraction IS in value_changed IS out key IS k keyValue [ 0 0 0 1 1 1 ] } } "
            "DEF m M { } DEF t Transform { } ROUTE clock.fraction_changed TO m.in ROUTE m.out TO t.translation"),
        1);
    // Inside of a prototype, once for each instance.
    assert_int_equal(track_count(V2 "PROTO P [ ] { DEF t Transform { children [ " CLOCK MOVE " ] } " DRIVE
                                    " ROUTE move.value_changed TO t.translation } P { } P { } DEF x P { } USE x"),
                     4);
}

static void what_is_not_followed_is_said(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {CLOCK "DEF s TouchSensor { } ROUTE s.touchTime TO clock.startTime", "touchTime to startTime is not followed"},
        {CLOCK MOVE DRIVE "DEF v Viewpoint { } ROUTE move.value_changed TO v.position",
         "to Viewpoint.position is not followed"},
        {CLOCK MOVE DRIVE "DEF t Transform { } ROUTE move.value_changed TO t.rotation",
         "to Transform.rotation is not followed"},
        {CLOCK "DEF move PositionInterpolator { key [ 0 1 .5 ] keyValue [ 0 0 0 0 0 0 0 0 0 ] } " DRIVE
               "DEF t Transform { } ROUTE move.value_changed TO t.translation",
         "the keys of an interpolator decrease"},
        {CLOCK "DEF move PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0 ] } " DRIVE
               "DEF t Transform { } ROUTE move.value_changed TO t.translation",
         "fewer values than keys"},
        {CLOCK MOVE DRIVE "ROUTE move.value_changed TO nobody.translation", "one has no DEF"},
        {CLOCK MOVE "ROUTE clock TO move.set_fraction", "expected NODE.FIELD"},
        {CLOCK MOVE "ROUTE clock.fraction_changed move.set_fraction", "expected TO"},
        {CLOCK "DEF move CoordinateInterpolator { key [ 0 1 ] keyValue [ 0 0 0 1 1 1 ] } " DRIVE
               "Shape { geometry IndexedFaceSet { coord DEF c Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ "
               "0 1 2 ] } } "
               "ROUTE move.value_changed TO c.point",
         "other than one value for each point"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s %s", V2, SHAPE, cases[i].text);
        fr_model *model = vrml(text);
        const fr_model_view *view = fr_model_get(model);
        assert_int_equal(view->track_count, 0);
        if (view->warning_count == 0 || strstr(view->warnings[0].message, cases[i].words) == NULL) {
            fail_msg("'%s' in '%s'", cases[i].words, view->warning_count > 0 ? view->warnings[0].message : "");
        }
        fr_model_destroy(model);
    }
    says(V2 SHAPE "\nDEF clock TimeSensor { cycleInterval 0 loop TRUE } " MOVE DRIVE
                  "DEF t Transform { } ROUTE move.value_changed TO t.translation",
         3, 11, "a cycleInterval that is not above 0");
}

static void clocks_that_no_one_starts_stand(void **state) {
    (void)state;
    static const struct {
        const char *fields;
        bool runs;
    } cases[] = {{"loop TRUE", true}, {"", false}, {"startTime 5", true}, {"loop TRUE enabled FALSE", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "%sDEF clock TimeSensor { %s } " MOVE DRIVE
                 "DEF t Transform { } ROUTE move.value_changed TO t.translation",
                 V2, cases[i].fields);
        fr_model *model = vrml(text);
        assert_int_equal(fr_model_get(model)->track_count, 1);
        assert_int_equal(fr_model_get(model)->clocks[0].is_enabled, cases[i].runs);
        fr_model_destroy(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_route_moves_a_transform),        cmocka_unit_test(every_kind_of_track),
        cmocka_unit_test(what_grows_from_nothing_is_there), cmocka_unit_test(routes_may_stand_anywhere),
        cmocka_unit_test(what_is_not_followed_is_said),     cmocka_unit_test(clocks_that_no_one_starts_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

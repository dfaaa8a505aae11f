// What a scene gives hands.
#include "scene_text.h"

#define SCENE(aid) "{\"fureai\":1,\"objects\":[],\"aid\":" aid "}"

static void a_scene_without_it_gives_nothing(void **state) {
    (void)state;
    fr_scene *scene = read_right("{\"fureai\":1,\"objects\":[]}");
    assert_null(fr_scene_get(scene)->aid);
    fr_scene_destroy(scene);
}

static void what_is_not_said_has_its_default(void **state) {
    (void)state;
    fr_scene *scene = read_right(SCENE("{}"));
    const fr_hands_settings *aid = fr_scene_get(scene)->aid;
    assert_true(aid->mode == FR_AID_MODE_AID && aid->magnet == 1.0 && aid->blend == 0.08 && !aid->may_fall);
    assert_true(aid->friction == 0.5 && aid->restitution == 0.0 && aid->undo == 32);
    assert_true(aid->edges == 0.0 && aid->axes == 0.0);
    fr_scene_destroy(scene);
}

static void everything_can_be_said(void **state) {
    (void)state;
    fr_scene *scene = read_right(
        SCENE("{\"mode\":5,\"magnet\":2,\"blend\":0,\"edges\":0.005,\"axes\":0.01,\"fall\":true,\"friction\":0.25,"
              "\"restitution\":0.5,\"undo\":7}"));
    const fr_hands_settings *aid = fr_scene_get(scene)->aid;
    assert_true(aid->mode == FR_AID_MODE_AID_BOTH && aid->magnet == 2.0 && aid->blend == 0.0 && aid->may_fall);
    assert_true(aid->friction == 0.25 && aid->restitution == 0.5 && aid->undo == 7);
    assert_true(aid->edges == 0.005 && aid->axes == 0.01);
    fr_scene_destroy(scene);
}

static void what_is_wrong_is_told_where_it_stands(void **state) {
    (void)state;
    expect_wrong(SCENE("[]"), "aid must be an object", "[]}");
    expect_wrong(SCENE("{\"mode\":0}"), "mode", "0}");
    expect_wrong(SCENE("{\"mode\":7}"), "mode", "7}");
    expect_wrong(SCENE("{\"mode\":2.5}"), "mode", "2.5");
    expect_wrong(SCENE("{\"magnet\":-1}"), "magnet", "-1");
    expect_wrong(SCENE("{\"blend\":11}"), "blend", "11");
    expect_wrong(SCENE("{\"fall\":1}"), "fall", "1}");
    expect_wrong(SCENE("{\"friction\":101}"), "friction", "101");
    expect_wrong(SCENE("{\"restitution\":1.5}"), "restitution", "1.5");
    expect_wrong(SCENE("{\"undo\":0}"), "undo", "0}");
    expect_wrong(SCENE("{\"magnt\":1}"), "did you mean 'magnet'?", "\"magnt\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_without_it_gives_nothing),
        cmocka_unit_test(what_is_not_said_has_its_default),
        cmocka_unit_test(everything_can_be_said),
        cmocka_unit_test(what_is_wrong_is_told_where_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

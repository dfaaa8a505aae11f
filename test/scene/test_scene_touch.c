// A touch session as a scene gives it.
#include "scene_text.h"

#define SCENE(touch)                                                                                                   \
    "{\"fureai\":1,\"objects\":[{\"name\":\"box\",\"shape\":\"box\"},{\"name\":\"pen\",\"shape\":\"cone\"}],"          \
    "\"touch\":" touch "}"

static void a_scene_without_it_has_none(void **state) {
    (void)state;
    fr_scene *scene = read_right("{\"fureai\":1,\"objects\":[]}");
    assert_null(fr_scene_get(scene)->touch);
    fr_scene_destroy(scene);
}

static void what_is_not_said_has_its_default(void **state) {
    (void)state;
    fr_scene *scene = read_right(SCENE("{\"operated\":\"pen\"}"));
    const fr_scene_touch *touch = fr_scene_get(scene)->touch;
    assert_int_equal(touch->operated, 1);
    assert_true(touch->settings.pairs == FR_TOUCH_ORIGIN_FACE && touch->settings.distance == 0.01 &&
                touch->settings.flags == 0);
    assert_true(touch->settings.strategy == FR_TOUCH_COMBINED_NEAR && fr_vec3_largest(touch->settings.point) == 0.0);
    assert_true(touch->settings.stiffness == 400.0 && touch->settings.damping == 0.1 &&
                touch->settings.force_max == 4.0);
    assert_true(touch->settings.pulse_force == 1.0 && touch->settings.pulse_time == 0.06 &&
                !touch->settings.is_at_surface);
    fr_scene_destroy(scene);
}

static void everything_can_be_said(void **state) {
    (void)state;
    fr_scene *scene = read_right(SCENE(
        "{\"operated\":\"box\",\"pairs\":[1,6,8,11,8],\"distance\":0.002,\"strategy\":\"polygon-all\",\"closest\":true,"
        "\"way\":true,\"point\":[0,0.5,0],\"force\":{\"stiffness\":200,\"damping\":0,\"max\":2,\"pulse\":0.5,"
        "\"pulse_time\":0.1,\"surface\":true}}"));
    const fr_scene_touch *touch = fr_scene_get(scene)->touch;
    assert_int_equal(touch->operated, 0);
    assert_int_equal(touch->settings.pairs,
                     FR_TOUCH_ORIGIN_BOX_VERTEX | FR_TOUCH_ORIGIN_BOX_FACE | FR_TOUCH_ORIGIN_FACE | FR_TOUCH_FACE_FACE);
    assert_true(touch->settings.distance == 0.002 && touch->settings.flags == (FR_TOUCH_CLOSEST | FR_TOUCH_SWEPT));
    assert_true(touch->settings.strategy == FR_TOUCH_POLYGON_ALL && touch->settings.point.y == 0.5);
    assert_true(touch->settings.stiffness == 200.0 && touch->settings.damping == 0.0 &&
                touch->settings.force_max == 2.0);
    assert_true(touch->settings.pulse_force == 0.5 && touch->settings.pulse_time == 0.1 &&
                touch->settings.is_at_surface);
    fr_scene_destroy(scene);
}

static void what_is_wrong_is_told_where_it_stands(void **state) {
    (void)state;
    expect_wrong(SCENE("[]"), "touch must be an object", "[]}");
    expect_wrong(SCENE("{}"), "operated", "{}}");
    expect_wrong(SCENE("{\"operated\":\"pan\"}"), "pan", "\"pan\"");
    expect_wrong(SCENE("{\"operated\":\"pen\",\"pairs\":[]}"), "pairs", "[]}");
    expect_wrong(SCENE("{\"operated\":\"pen\",\"pairs\":[0]}"), "pair", "0]");
    expect_wrong(SCENE("{\"operated\":\"pen\",\"pairs\":[12]}"), "pair", "12]");
    expect_wrong(SCENE("{\"operated\":\"pen\",\"distance\":-1}"), "distance", "-1");
    expect_wrong(SCENE("{\"operated\":\"pen\",\"strategy\":\"combine\"}"), "did you mean 'combined'?", "\"combine\"");
    expect_wrong(SCENE("{\"operated\":\"pen\",\"way\":1}"), "way", "1}");
    expect_wrong(SCENE("{\"operated\":\"pen\",\"point\":[0,1]}"), "point", "[0,1]");
    expect_wrong(SCENE("{\"operated\":\"pen\",\"force\":{\"max\":-4}}"), "max", "-4");
    expect_wrong(SCENE("{\"operated\":\"pen\",\"force\":{\"stifness\":4}}"), "did you mean 'stiffness'?",
                 "\"stifness\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_without_it_has_none),
        cmocka_unit_test(what_is_not_said_has_its_default),
        cmocka_unit_test(everything_can_be_said),
        cmocka_unit_test(what_is_wrong_is_told_where_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

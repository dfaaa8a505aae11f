// The errors of the poses of a scene's objects.
#include "scene_text.h"

static void only_objects_with_errors_are_listed(void **state) {
    (void)state;
    fr_scene *scene = read_right(
        "{\"fureai\":1,\"step\":0.5,\"steps\":4,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\","
        "\"shape\":\"box\",\"position_error\":0.25},{\"name\":\"c\",\"shape\":\"box\",\"latency\":0.125,"
        "\"velocity\":[2,0,0]}]}");
    const fr_object_id ids[3] = {{1, 1, 1}, {2, 1, 1}, {3, 1, 1}};
    fr_object_uncertainty errors[3];
    assert_int_equal(fr_scene_uncertainties(scene, ids, 4, errors), 2);
    assert_true(errors[0].id.index1 == 2 && errors[0].uncertainty.position_error == 0.25 &&
                errors[0].uncertainty.speed == 0.0);
    assert_true(errors[1].id.index1 == 3 && errors[1].uncertainty.latency == 0.125);
    assert_true(errors[1].uncertainty.speed >= 2.0 && errors[1].uncertainty.speed < 2.001);
    fr_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_objects_with_errors_are_listed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

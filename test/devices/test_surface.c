// What a pen touches: a wall, a magnet, the faces of a space.
#include "fureai/devices.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static fr_felt_surface wall(double magnet) {
    fr_felt_surface s = {.distance = 0.01, .magnet = magnet};
    s.wall = (fr_haptic_plane){.id = 1, .normal = {0, 1, 0}, .side = 1, .distance = 0.01};
    return s;
}

static void a_wall_is_one_plane(void **state) {
    (void)state;
    fr_felt_surface s = wall(0.0);
    fr_haptic_contact c;
    assert_int_equal(fr_felt_surface_contact(&s, fr_vec3_make(0, 1, 0), &c, NULL), FR_OK);
    assert_true(c.has_planes && c.plane_count == 1 && c.planes[0].id == 1 && !c.has_hold);
}

static void a_magnet_holds_until_it_is_pulled_off(void **state) {
    (void)state;
    fr_felt_surface s = wall(0.05);
    const double heights[] = {0.01, -0.001, 0.04, 0.06, 0.02};
    const uint32_t held[] = {0, 1, 1, 0, 0};
    fr_haptic_contact c;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(fr_felt_surface_contact(&s, fr_vec3_make(0, heights[i], 0), &c, NULL), FR_OK);
        assert_true(c.has_hold && !c.has_planes && c.hold.count == held[i]);
        assert_true(fabs(c.hold.shown.position.y) < 1e-15);
    }
    assert_true(s.snaps == 1 && s.releases == 1 && s.release_distance_max == 0.06);
}

// In a corner of a box of edge 1 three planes are near, none twice; far away there is none.
static void faces_of_a_space_become_planes(void **state) {
    (void)state;
    fr_space *space;
    fr_mesh *box;
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_named("box", NULL, &box, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = box;
    fr_object_def object = fr_default_object_def();
    object.parts = &part;
    object.part_count = 1;
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &object, &id, NULL), FR_OK);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_felt_surface s = {.space = space, .distance = 0.02};
    fr_haptic_contact c;
    assert_int_equal(fr_felt_surface_contact(&s, fr_vec3_make(0.49, 0.48, 0.495), &c, NULL), FR_OK);
    assert_true(c.has_planes && c.plane_count == 3);
    assert_true(fabs(c.planes[0].normal.z) > 0.9 && fabs(c.planes[1].normal.x) > 0.9 &&
                fabs(c.planes[2].normal.y) > 0.9);
    assert_true(c.planes[0].id != c.planes[1].id && c.planes[1].id != c.planes[2].id);
    assert_int_equal(fr_felt_surface_contact(&s, fr_vec3_make(2, 2, 2), &c, NULL), FR_OK);
    assert_true(c.has_planes && c.plane_count == 0);
    fr_mesh_release(box);
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_is_one_plane),
        cmocka_unit_test(a_magnet_holds_until_it_is_pulled_off),
        cmocka_unit_test(faces_of_a_space_become_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

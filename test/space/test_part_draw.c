// The parts of an object are drawn where the object has them at a pose.
#include "fureai/space.h"

#include "draw_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void parts_are_drawn_where_the_space_has_their_corners(void **state) {
    (void)state;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("box", NULL, &mesh, NULL), FR_OK);
    fr_part_def parts[2] = {fr_default_part_def(), fr_default_part_def()};
    parts[0].mesh = parts[1].mesh = mesh;
    parts[1].pose.position = fr_vec3_make(2.0, 0.0, 0.0);
    parts[1].pose.rotation = fr_quat_from_axis_angle(fr_vec3_make(1.0, 1.0, 0.0), 0.7);
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = 2;
    def.pose.position = fr_vec3_make(0.1, 5.0, -3.0);
    def.pose.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), 1.1);
    def.pose.scale = 0.3;
    fr_space_def space_def = fr_default_space_def();
    fr_space *space;
    fr_object_id object;
    assert_int_equal(fr_space_create(&space_def, &space, NULL), FR_OK);
    assert_int_equal(fr_object_add(space, &def, &object, NULL), FR_OK);

    draw_record record;
    fr_draw draw = draw_record_begin(&record);
    fr_parts_draw(parts, 2, &def.pose, &draw, (fr_color){1, 2, 3, 4});
    uint32_t count = fr_object_get(space, object)->triangle_count;
    assert_int_equal(record.triangle_count, count);
    assert_int_equal(record.call_count, count);
    fr_bounds bounds = fr_bounds_empty();
    fr_vec3 corners[3];
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(fr_object_corners(space, object, i, corners, NULL), FR_OK);
        for (int k = 0; k < 3; k++) {
            bounds = fr_bounds_with_point(&bounds, corners[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        assert_true(fr_vec3_equal(record.triangle[k], corners[k]));
    }
    assert_true(fr_vec3_equal(record.bounds.min, bounds.min) && fr_vec3_equal(record.bounds.max, bounds.max));

    draw = draw_record_begin(&record);
    fr_parts_draw(NULL, 0, &def.pose, &draw, (fr_color){1, 2, 3, 4});
    assert_int_equal(record.call_count, 0);
    fr_space_destroy(space);
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_drawn_where_the_space_has_their_corners)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

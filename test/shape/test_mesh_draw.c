// Triangles and meshes are drawn as they are, one call a triangle.
#include "fureai/shape.h"

#include "draw_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_triangle_is_drawn_at_its_corners(void **state) {
    (void)state;
    const fr_vec3 corners[3] = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}, {7.0, 8.0, 10.0}};
    draw_record record;
    fr_draw draw = draw_record_begin(&record);
    fr_triangle_draw(corners, &draw, (fr_color){1, 2, 3, 4});
    assert_int_equal(record.call_count, 1);
    assert_int_equal(record.triangle_count, 1);
    assert_int_equal(record.triangle_color.b, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(fr_vec3_equal(record.triangle[i], corners[i]));
    }
}

static void a_mesh_is_drawn_triangle_by_triangle(void **state) {
    (void)state;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("box", NULL, &mesh, NULL), FR_OK);
    const fr_mesh_view *view = fr_mesh_get(mesh);
    draw_record record;
    fr_draw draw = draw_record_begin(&record);
    fr_mesh_draw(mesh, &draw, (fr_color){1, 2, 3, 4});
    assert_int_equal(record.triangle_count, view->triangle_count);
    assert_int_equal(record.call_count, view->triangle_count);
    assert_true(fr_vec3_equal(record.bounds.min, view->bounds.min));
    assert_true(fr_vec3_equal(record.bounds.max, view->bounds.max));
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle_is_drawn_at_its_corners),
        cmocka_unit_test(a_mesh_is_drawn_triangle_by_triangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

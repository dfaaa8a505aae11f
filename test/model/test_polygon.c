// Polygons cut into triangles, and the work that may go into them.
#include "model/polygon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

// A comb of `count` corners: teeth upwards from a straight base, counter-clockwise; concave.
static fr_model_mesh comb(uint32_t count) {
    double *positions = malloc(3 * sizeof *positions * count);
    uint32_t *corners = malloc(sizeof *corners * count), *starts = malloc(2 * sizeof *starts);
    assert_true(positions != NULL && corners != NULL && starts != NULL);
    for (uint32_t i = 0; i < count; i++) {
        bool is_base = i < 2;
        positions[3 * i] = is_base ? (double)(count * i) : (double)(count - i);
        positions[3 * i + 1] = is_base ? -1.0 : i % 2 == 0 ? 5.0 : 0.0;
        positions[3 * i + 2] = 0.0;
        corners[i] = i;
    }
    starts[0] = 0;
    starts[1] = count;
    return (fr_model_mesh){.positions_double = positions,
                           .vertex_count = count,
                           .corners = corners,
                           .face_starts = starts,
                           .face_count = 1};
}

static void free_comb(const fr_model_mesh *mesh) {
    free((void *)(uintptr_t)mesh->positions_double);
    free((void *)(uintptr_t)mesh->corners);
    free((void *)(uintptr_t)mesh->face_starts);
}

static bool is_fan(const uint32_t *triangles, uint32_t count) {
    for (uint32_t i = 0; i + 2 < count; i++) {
        const uint32_t *t = triangles + 3 * i;
        if (t[0] != 0 || t[1] != i + 1 || t[2] != i + 2) { return false; }
    }
    return true;
}

// The sum of the areas, each as it is turned: ears of a simple polygon are all turned alike.
static double areas(const fr_model_mesh *mesh, const uint32_t *triangles, uint32_t count, double *greatest_back) {
    double sum = 0.0;
    *greatest_back = 0.0;
    for (uint32_t i = 0; i + 2 < count; i++) {
        const double *a = mesh->positions_double + 3 * triangles[3 * i];
        const double *b = mesh->positions_double + 3 * triangles[3 * i + 1];
        const double *c = mesh->positions_double + 3 * triangles[3 * i + 2];
        double area = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        sum += area;
        if (-area > *greatest_back) { *greatest_back = -area; }
    }
    return sum;
}

// Large polygons are cut by ears while there is work left, and become fans after it; small ones are always cut.
static void work_is_bounded(void **state) {
    (void)state;
    const uint32_t large = FR__CUT_LARGE + 2, small = 100;
    fr_model_mesh mesh = comb(large), little = comb(small);
    uint32_t *triangles = malloc(3 * sizeof *triangles * large);
    assert_non_null(triangles);
    fr__cutter cutter;
    assert_int_equal(fr__cutter_create(NULL, &cutter), FR_OK);
    assert_true(cutter.work_left == FR__CUT_WORK);
    cutter.work_left = (uint64_t)large * large;
    double back;
    assert_int_equal(fr__cut_polygon(&cutter, &mesh, 0, triangles), FR_OK);
    assert_false(is_fan(triangles, large));
    assert_true(areas(&mesh, triangles, large, &back) > 0.0 && back == 0.0);
    assert_true(cutter.work_left == 0);
    assert_int_equal(fr__cut_polygon(&cutter, &mesh, 0, triangles), FR_OK);
    assert_true(is_fan(triangles, large));
    assert_int_equal(fr__cut_polygon(&cutter, &little, 0, triangles), FR_OK);
    assert_false(is_fan(triangles, small));
    assert_true(areas(&little, triangles, small, &back) > 0.0 && back == 0.0);
    fr__cutter_destroy(&cutter);
    free(triangles);
    free_comb(&mesh);
    free_comb(&little);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(work_is_bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

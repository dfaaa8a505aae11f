// Screw threads: closed, clean, of the right volume, and they fit into one another.
#include "failing.h"
#include "frame.h"

#include "fureai/shape_thread.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static fr_mesh *thread_of(const fr_thread_def *def) {
    fr_mesh *mesh;
    fr_error error;
    fr_status status = fr_mesh_create_thread(def, NULL, &mesh, &error);
    if (status != FR_OK) { print_message("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
    return mesh;
}

// Every edge is of two faces that run along it in opposite directions, by the winding about points; nothing is
// degenerate, and no face crosses another one.
static void check_clean(const fr_mesh *mesh, uint32_t holes) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    assert_int_equal(view->degenerate_count, 0);
    assert_int_equal(view->triangle_count, 2 * view->vertex_count - (holes > 0 ? 0 : 4));
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            assert_true(view->triangles[3 * i + k] < view->vertex_count);
        }
    }
    assert_true(fabs(fr_mesh_winding(mesh, fr_vec3_make(0.0, 0.0, 0.0)) - (holes > 0 ? 0.0 : 1.0)) < 1e-12);
    assert_true(fabs(fr_mesh_winding(mesh, fr_vec3_make(0.0055, 0.0, 1e-4)) - (holes > 0 ? 1.0 : 0.0)) < 1e-12);
}

static void test_threads_are_closed_and_clean(void **state) {
    (void)state;
    const uint32_t slices[4] = {6, 7, 48, 240}, strips[4] = {1, 2, 1, 3};
    const double lengths[3] = {0.00125, 0.0065, 0.0151};
    for (int i = 0; i < 24; i++) {
        fr_thread_def def = fr_default_thread_def();
        def.slices = slices[i % 4];
        def.flank_strips = strips[i % 4];
        def.length = lengths[i / 4 % 3];
        def.across = i / 12 == 0 ? 0.0 : 0.013;
        def.gap = 8e-5;
        fr_mesh *mesh = thread_of(&def);
        check_clean(mesh, (uint32_t)(i / 12));
        fr_mesh_release(mesh);
    }
}

// The mean section of a thread is known: a rod's volume by its profile.
static void test_the_volume_is_that_of_the_profile(void **state) {
    (void)state;
    fr_thread_def def = fr_default_thread_def();
    def.slices = 960;
    def.length = 8.0 * def.pitch;
    fr_mesh *mesh = thread_of(&def);
    double volume, mean = 0.0, deep = 0.004 - 0.541266 * def.pitch;
    const int count = 10000;
    for (int i = 0; i < count; i++) {
        double z = (i + 0.5) / count, s = fmin(fmax((fabs(z - 0.5) - 0.0625) / 0.3125, 0.0), 1.0);
        double radius = 0.004 + s * (deep - 0.004);
        mean += FR_PI * radius * radius / count;
    }
    volume = fr_mesh_mass(mesh).volume;
    assert_true(fabs(volume - mean * def.length) < 1e-3 * volume);
    fr_mesh_release(mesh);
}

static void refuse(const fr_thread_def *def) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_thread(def, NULL, &mesh, NULL), FR_ERROR_ARGUMENT);
    assert_null(mesh);
}

static void test_wrong_sizes_are_refused(void **state) {
    (void)state;
    const fr_thread_def good = fr_default_thread_def();
    fr_thread_def def = good;
    def.cookie = 0;
    refuse(&def);
    double *numbers[4] = {&def.diameter, &def.pitch, &def.length, &def.gap};
    for (int i = 0; i < 4; i++) {
        def = good;
        *numbers[i] = NAN;
        refuse(&def);
        *numbers[i] = -1.0;
        refuse(&def);
    }
    def = good;
    def.length = 0.5 * def.pitch;
    refuse(&def);
    def = good;
    def.across = 0.0075;
    refuse(&def);
    def = good;
    def.slices = 5;
    refuse(&def);
    def = good;
    def.flank_strips = 0;
    refuse(&def);
}

static fr_status make_thread(const fr_allocator *allocator, void *context) {
    const fr_thread_def *def = context;
    fr_mesh_def like = fr_default_mesh_def();
    fr_mesh *mesh = NULL;
    like.allocator = *allocator;
    fr_status status = fr_mesh_create_thread(def, &like, &mesh, NULL);
    if (status == FR_OK) { test_note(fr_mesh_get(mesh)->triangles, 12 * (size_t)fr_mesh_get(mesh)->triangle_count); }
    fr_mesh_release(mesh);
    return status;
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    fr_thread_def def = fr_default_thread_def();
    def.slices = 12;
    assert_true(test_every_failure(make_thread, &def) > 3);
    def.across = 0.013;
    assert_true(test_every_failure(make_thread, &def) > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_are_closed_and_clean),
        cmocka_unit_test(test_the_volume_is_that_of_the_profile),
        cmocka_unit_test(test_wrong_sizes_are_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Boxes of vertices at the end of a step, for each instruction set: never too small, little too large, equal bits.
#include "space/vertex_box.h"

#include "frame.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_VERTICES = 11 };

static fr_vec3 random_point(fr_random *r, double reach) {
    return fr_vec3_make(fr_random_between(r, -reach, reach), fr_random_between(r, -reach, reach),
                        fr_random_between(r, -reach, reach));
}

static fr_pose random_pose(fr_random *r, double reach) {
    fr_pose pose = fr_pose_make(random_point(r, reach), fr_quat_from_vector(random_point(r, 3.0)));
    pose.scale = fr_random_between(r, 0.1, 3.0);
    return pose;
}

static void empty(fr__corner_box boxes[MAX_VERTICES]) {
    for (int i = 0; i < MAX_VERTICES; i++) {
        for (int k = 0; k < 8; k++) {
            boxes[i].side[k] = k % 4 == 3 ? 0.0f : INFINITY;
        }
    }
}

// The side holds x and is at most a few floats farther out.
static void check_side(float side, double x) {
    assert_true((double)side <= x);
    bool is_beyond = fabs(x) > (double)FLT_MAX; // no float is near
    assert_true(is_beyond || (double)side >= x - 0x1p-20 * (fabs(x) + 1.0) || isinf((double)side));
}

static void check_boxes(const fr__next_view *view, const fr_vec3 *next, size_t count, const fr__corner_box *boxes) {
    for (size_t i = 0; i < count; i++) {
        fr_vec3 world = fr__frame_apply(&view->object, fr__frame_apply(&view->part, next[i]));
        fr_vec3 local = fr__to_part_point(&view->to_part, world);
        double margin = fr__to_part_margin(&view->to_part, fr_vec3_largest(world));
        const double *x = &local.x;
        for (int k = 0; k < 3; k++) {
            check_side(boxes[i].side[k], x[k] - margin);
            check_side(boxes[i].side[4 + k], -x[k] - margin);
        }
    }
    for (size_t i = count; i < MAX_VERTICES; i++) {
        assert_true(isinf((double)boxes[i].side[0])); // not touched
    }
}

static void boxes_hold_the_ends(void **state) {
    (void)state;
    static const double reaches[] = {1.0, 1e-3, 1e6, 1e12, 1e37, 1e38};
    fr_simd best = fr_simd_get();
    fr_random r = fr_random_seed(77);
    uint64_t count = test_count(3000, 300000);
    for (uint64_t n = 0; n < count; n++) {
        double reach = reaches[n % 6], offset = n % 5 == 0 ? 1e6 : 1.0;
        fr_pose part_pose = random_pose(&r, 1.0), pose = random_pose(&r, offset), next_pose = random_pose(&r, offset);
        if (n % 3 == 0) { part_pose = pose = next_pose = fr_pose_identity(); }
        fr__object object = {.frame = fr__frame_make(&pose)};
        fr__part part = {.frame = fr__frame_make(&part_pose)};
        fr__next_view view = {part.frame, fr__frame_make(&next_pose), fr__to_part_make(&object, &part)};
        fr_vec3 next[MAX_VERTICES];
        for (int i = 0; i < MAX_VERTICES; i++) {
            next[i] = random_point(&r, reach);
        }
        size_t vertices = (size_t)fr_random_below(&r, MAX_VERTICES + 1);
        fr__corner_box boxes[2][MAX_VERTICES];
        for (int i = 0; i < 2; i++) {
            assert_true(fr_simd_set(i == 0 ? FR_SIMD_BASELINE : best));
            empty(boxes[i]);
            fr__vertex_box_kernel()->join_next(&view, next, vertices, boxes[i]);
            check_boxes(&view, next, vertices, boxes[i]);
        }
        assert_memory_equal(boxes[0], boxes[1], sizeof boxes[0]);
    }
    assert_true(fr_simd_set(best));
}

// What a box holds already stays in it.
static void boxes_only_grow(void **state) {
    (void)state;
    fr_pose identity = fr_pose_identity();
    fr__object object = {.frame = fr__frame_make(&identity)};
    fr__part part = {.frame = fr__frame_make(&identity)};
    fr__next_view view = {part.frame, object.frame, fr__to_part_make(&object, &part)};
    fr__corner_box box = {{-2.0f, -2.0f, -2.0f, 0.0f, -3.0f, -3.0f, -3.0f, 0.0f}};
    const fr_vec3 inside = {1.0, 1.0, 1.0}, outside = {5.0, 1.0, -4.0};
    fr__vertex_box_kernel()->join_next(&view, &inside, 1, &box);
    assert_true(box.side[0] == -2.0f && box.side[4] == -3.0f && box.side[6] == -3.0f);
    fr__vertex_box_kernel()->join_next(&view, &outside, 1, &box);
    assert_true(box.side[0] == -2.0f && box.side[4] <= -5.0f && box.side[2] <= -4.0f && box.side[6] == -3.0f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_hold_the_ends),
        cmocka_unit_test(boxes_only_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

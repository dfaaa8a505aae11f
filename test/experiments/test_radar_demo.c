// The demonstrations of the radar, checked by what finds colliding faces exactly.
#include "frame.h"
#include "radar_demo.h"

#include "fureai/collide.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Pairs of faces that collide now, of two objects whose names begin with these; NULL: any.
static size_t colliding(const radar_demo *demo, const char *a, const char *b) {
    fr_collide *collide;
    assert_int_equal(fr_collide_create(NULL, &collide, NULL), FR_OK);
    fr_collide_input input = fr_default_collide_input();
    input.space = demo->space;
    fr_collide_output output;
    assert_int_equal(fr_collide_static(collide, &input, &output, NULL), FR_OK);
    size_t count = 0;
    for (size_t i = 0; i < output.pair_count; i++) {
        const char *p = radar_demo_object(demo, fr_space_object_at(demo->space, output.pairs[i].a))->name;
        const char *q = radar_demo_object(demo, fr_space_object_at(demo->space, output.pairs[i].b))->name;
        bool is_there = strncmp(p, a, strlen(a)) == 0 && strncmp(q, b, strlen(b)) == 0;
        bool is_swapped = strncmp(p, b, strlen(b)) == 0 && strncmp(q, a, strlen(a)) == 0;
        count += is_there || is_swapped ? 1 : 0;
    }
    fr_collide_destroy(collide);
    return count;
}

static const demo_object *named(const radar_demo *demo, const char *name) {
    for (size_t i = 0; i < demo->objects.count; i++) {
        const demo_object *object = (const demo_object *)demo->objects.data + i;
        if (strcmp(object->name, name) == 0) { return object; }
    }
    fail_msg("there is no %s", name);
    return NULL;
}

static double apart(const radar_demo *demo, const char *a, const char *b) {
    fr_object_distance near;
    assert_int_equal(fr_space_distance(demo->space, named(demo, a)->id, named(demo, b)->id, INFINITY, &near, NULL),
                     FR_OK);
    return near.distance;
}

static void the_probe_finds_and_touches_the_chair(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_count(6, 200); seed++) {
        radar_demo demo;
        fr_error error = {0};
        const demo_look look = {.seed = seed};
        assert_int_equal(radar_demo_search(&demo, &look, &error), FR_OK);
        assert_true(radar_demo_figure(&demo, "object") == named(&demo, "chair")->id.index1 - 1);
        assert_true(radar_demo_figure(&demo, "touches") == 1.0);
        // It stands a skin before it, and goes through nothing.
        double left = apart(&demo, "probe", "chair");
        assert_true(left > 0.0 && left <= 1.1e-3);
        assert_int_equal(colliding(&demo, "", ""), 0);
        radar_demo_close(&demo);
    }
}

// No branch crosses another, but where both grow from one point or one from the other's tip.
static void branches_do_not_cross(void **state) {
    (void)state;
    double refused = 0.0;
    for (uint64_t seed = 1; seed <= test_count(3, 60); seed++) {
        radar_demo demo;
        fr_error error = {0};
        const demo_look look = {.seed = seed};
        assert_int_equal(radar_demo_tree(&demo, &look, &error), FR_OK);
        assert_true(radar_demo_figure(&demo, "branches") >= 30.0);
        refused += radar_demo_figure(&demo, "looks") - radar_demo_figure(&demo, "branches");
        size_t count = demo.objects.count, near = 0;
        const demo_object *objects = demo.objects.data;
        // What stands still is not compared with what does: the space is told that all may move.
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(fr_object_set_flags(demo.space, objects[i].id, 0, NULL), FR_OK);
        }
        assert_int_equal(fr_space_update(demo.space, NULL, NULL), FR_OK);
        fr_collide *collide;
        assert_int_equal(fr_collide_create(NULL, &collide, NULL), FR_OK);
        fr_collide_input input = fr_default_collide_input();
        input.space = demo.space;
        fr_collide_output output;
        assert_int_equal(fr_collide_static(collide, &input, &output, NULL), FR_OK);
        for (size_t i = 0; i < output.pair_count; i++) {
            fr_pose a = ((const demo_sample *)objects[output.pairs[i].a].samples.data)[0].pose;
            fr_pose b = ((const demo_sample *)objects[output.pairs[i].b].samples.data)[0].pose;
            fr_vec3 up = {0.0, 0.5, 0.0}, down = {0.0, -0.5, 0.0};
            fr_vec3 tip_a = fr_pose_apply(&a, up), root_a = fr_pose_apply(&a, down);
            fr_vec3 tip_b = fr_pose_apply(&b, up), root_b = fr_pose_apply(&b, down);
            bool is_joined = fr_vec3_distance(root_a, root_b) < 1e-9 || fr_vec3_distance(tip_a, root_b) < 1e-9 ||
                             fr_vec3_distance(root_a, tip_b) < 1e-9;
            near += is_joined ? 1 : 0;
            assert_true(is_joined);
        }
        assert_true(near > 0);
        fr_collide_destroy(collide);
        radar_demo_close(&demo);
    }
    // Some looks saw another branch.
    assert_true(refused > 0.0);
}

static void the_hand_closes_on_the_ball(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= test_count(2, 60); seed++) {
        radar_demo demo;
        fr_error error = {0};
        const demo_look look = {.seed = seed};
        assert_int_equal(radar_demo_grasp(&demo, &look, &error), FR_OK);
        assert_int_equal(colliding(&demo, "", ""), 0);
        assert_true(apart(&demo, "palm", "ball") < 5e-3);
        assert_true(radar_demo_figure(&demo, "stopped") >= 4.0);
        double pixel = radar_demo_figure(&demo, "pixel");
        assert_true(pixel > 0.0 && pixel < 0.05 && radar_demo_figure(&demo, "farthest") <= pixel);
        // All four fingers hold it.
        for (int finger = 1; finger <= 4; finger++) {
            double least = INFINITY;
            for (int link = 1; link <= 3; link++) {
                char name[64];
                snprintf(name, sizeof name, "finger %d link %d", finger, link);
                least = fmin(least, apart(&demo, name, "ball"));
            }
            assert_true(least <= pixel);
        }
        radar_demo_close(&demo);
    }
}

// Nobody is in anybody after any frame.
static void check_frame(const radar_demo *demo, uint32_t frame, void *user) {
    size_t *checked = user;
    if (colliding(demo, "", "") != 0) { fail_msg("balls collide in frame %u", frame); }
    (*checked)++;
}

static void balls_neither_stick_nor_sink(void **state) {
    (void)state;
    radar_demo demo;
    fr_error error = {0};
    size_t checked = 0;
    const demo_look look = {.seed = 1, .frames = (uint32_t)test_count(25, 1000), .seen = check_frame, .user = &checked};
    assert_int_equal(radar_demo_balls(&demo, &look, &error), FR_OK);
    assert_int_equal(checked, look.frames);
    double frames = radar_demo_figure(&demo, "frames"), meetings = radar_demo_figure(&demo, "meetings");
    assert_true(meetings > 0.5 * frames && meetings < 6.0 * frames);
    // A ball that sticks to another meets it in every frame.
    assert_true(radar_demo_figure(&demo, "longest_row") <= 6.0);
    assert_true(fabs(radar_demo_figure(&demo, "energy_change")) < 1e-9);
    radar_demo_close(&demo);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_probe_finds_and_touches_the_chair),
        cmocka_unit_test(branches_do_not_cross),
        cmocka_unit_test(the_hand_closes_on_the_ball),
        cmocka_unit_test(balls_neither_stick_nor_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The face octree's own truths: depth, root cube, what it lists, and its form as printed.
#include "collide/scenes.h"
#include "frame.h"

static void every_depth_gives_the_same_pairs(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_960", 1.9);
    fr_collide *first = scene_asker(), *other = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
    fr_collide_output expected = scene_ask(first, &input);
    assert_true(expected.pair_count > 10);
    uint64_t listed[9];
    for (uint32_t depth = 1; depth <= 8; depth++) {
        input = scene_question(space, FR_COLLIDE_FACE_OCTREE);
        input.octree_edge = 16.0;
        input.octree_depth = depth;
        fr_collide_output out = scene_ask(other, &input);
        scene_check_equal(&out, &expected, "depth", depth);
        input.is_as_printed = true;
        out = scene_ask(other, &input);
        scene_check_equal(&out, &expected, "as printed", depth);
        listed[depth] = out.stats.candidates;
        if (depth > 1) { assert_true(listed[depth] <= listed[depth - 1]); }
    }
    assert_true(listed[8] < listed[1]);
    fr_collide_destroy(first);
    fr_collide_destroy(other);
    fr_space_destroy(space);
}

// Outside a cube that was given nothing is seen as printed, everything otherwise.
static void a_cube_cuts_off_only_as_printed(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_168", 1.5);
    fr_collide *collide = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_FACE_OCTREE);
    size_t all = scene_ask(collide, &input).pair_count;
    input.octree_min = fr_vec3_make(100.0, 0.0, 0.0);
    input.octree_edge = 1.0;
    input.octree_depth = 4;
    assert_int_equal(scene_ask(collide, &input).pair_count, all);
    input.is_as_printed = true;
    assert_int_equal(scene_ask(collide, &input).pair_count, 0);
    fr_collide_destroy(collide);
    fr_space_destroy(space);
}

static void steps_are_timed_and_counted(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_960", 1.9);
    fr_collide *collide = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_FACE_OCTREE);
    input.balance = FR_BALANCE_STATIC;
    fr_collide_stats stats = scene_ask(collide, &input).stats;
    assert_true(stats.nodes > 8 && stats.candidates >= stats.tested && stats.tested > 0);
    assert_true(stats.ms_bounds > 0.0 && stats.ms_extract > 0.0 && stats.ms_divide > 0.0);
    fr_collide_destroy(collide);
    fr_space_destroy(space);
}

// No time counts twice: the steps of every method add up to the whole.
static void times_of_the_steps_add_up(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_960", 1.9);
    fr_collide *collide = scene_asker();
    for (fr_collide_method method = FR_COLLIDE_AUTO; method <= FR_COLLIDE_BRUTE; method++) {
        for (fr_balance balance = FR_BALANCE_SERIAL; balance <= FR_BALANCE_STEAL; balance++) {
            fr_collide_input input = scene_question(space, method);
            input.balance = balance;
            for (int is_continuous = 0; is_continuous < 2; is_continuous++) {
                fr_collide_output output;
                fr_status status = is_continuous ? fr_collide_continuous(collide, &input, &output, NULL)
                                                 : fr_collide_static(collide, &input, &output, NULL);
                assert_int_equal(status, FR_OK);
                const fr_collide_stats *s = &output.stats;
                double sum = s->ms_bounds + s->ms_extract + s->ms_divide + s->ms_test;
                assert_true(s->ms_bounds >= 0.0 && s->ms_extract >= 0.0 && s->ms_divide >= 0.0 && s->ms_test >= -1e-9);
                assert_true(fabs(sum - s->ms_total) <= 1e-9 * s->ms_total);
            }
        }
    }
    fr_collide_destroy(collide);
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_depth_gives_the_same_pairs),
        cmocka_unit_test(a_cube_cuts_off_only_as_printed),
        cmocka_unit_test(steps_are_timed_and_counted),
        cmocka_unit_test(times_of_the_steps_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The simulated operator: its numbers, its errors, what it is given in each mode, and that a seed repeats a trial.
#include "frame.h"
#include "tasks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static fr_error error;

static void test_numbers_are_gaussian(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    uint64_t count = test_count(40000, 4000000);
    double sum = 0.0, squares = 0.0, far = 0.0;
    for (uint64_t i = 0; i < count; i++) {
        double x = operator_gauss(&random);
        sum += x;
        squares += x * x;
        far += fabs(x) > 2.0;
    }
    double n = (double)count;
    assert_true(fabs(sum / n) < 5.0 / sqrt(n));
    assert_true(fabs(squares / n - 1.0) < 5.0 * sqrt(2.0 / n));
    assert_true(fabs(far / n - 0.0455) < 5.0 * sqrt(0.0455 / n));
}

static void test_a_reach_takes_longer_the_farther_it_goes(void **state) {
    (void)state;
    operator_def def = operator_default();
    assert_true(fabs(operator_reach_time(&def, 0.16) - (1.2 + 0.15 * 4.0)) < 1e-12); // log2(320 / 20)
    assert_true(fabs(operator_reach_time(&def, 0.16 * 3.0) - (1.2 + 0.15 * log2(48.0))) < 1e-12);
    assert_true(operator_reach_time(&def, 0.001) == 1.2);
}

// Azimuth, elevation and roll are about the source's z, y and x: our y, -z and x.
static void test_errors_are_distances_of_vertices_and_three_angles(void **state) {
    (void)state;
    operator_job job = {.target = fr_pose_make(fr_vec3_make(0.1, 0.2, 0.3), fr_quat_identity()), .corner_count = 2};
    job.corners_local[0] = fr_vec3_make(0.05, 0.0, 0.0);
    job.corners_local[1] = fr_vec3_make(0.0, 0.05, 0.0);
    fr_quat azimuth = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), fr_radians(3.0));
    fr_quat elevation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, -1.0), fr_radians(-20.0));
    fr_quat roll = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), fr_radians(7.0));
    fr_pose pose = job.target;
    pose.position.x += 0.002;
    double distance, angle;
    operator_errors(&job, &pose, &distance, &angle);
    assert_true(fabs(distance - 0.004) < 1e-12 && fabs(angle) < 1e-12);
    pose.rotation = fr_quat_multiply(azimuth, fr_quat_multiply(elevation, roll));
    operator_errors(&job, &pose, &distance, &angle);
    assert_true(fabs(fr_degrees(angle) - 30.0) < 1e-9);
}

// ---------------------------------------------------------------------------------------------------------------
// Trials

typedef struct tally {
    uint32_t kinds[FR_HAND_FITTED + 1];
    uint64_t hash;
    double last;
} tally;

static void count_event(const fr_hand_event *event, void *context) {
    tally *t = context;
    char line[FR_HAND_EVENT_BYTES];
    size_t length = fr_hand_event_text(event, line, sizeof line);
    assert_true(length < sizeof line);
    t->hash = fr_hash(line, length, t->hash);
    t->kinds[event->kind]++;
    assert_true(event->time >= t->last);
    t->last = event->time;
}

static task_outcome do_task(task_kind kind, fr_aid_mode mode, uint64_t seed, tally *t) {
    task_trial trial = {.kind = kind, .operator_traits = operator_default(), .seed = seed};
    trial.operator_traits.mode = mode;
    trial.on_event = count_event;
    trial.context = t;
    memset(t, 0, sizeof *t);
    task_outcome out;
    if (task_run(&trial, &out, &error) != FR_OK) { fail_msg("%s", error.message); }
    return out;
}

static void test_modes_are_given_what_they_say(void **state) {
    (void)state;
    for (int mode = FR_AID_MODE_NOTHING; mode <= FR_AID_MODE_SOUND; mode++) {
        tally t;
        task_outcome out = do_task(TASK_B, (fr_aid_mode)mode, 2, &t);
        assert_int_equal(t.kinds[FR_HAND_DONE], 1);
        if (fr_aid_mode_has_aid((fr_aid_mode)mode)) {
            assert_int_equal(t.kinds[FR_HAND_SNAP], 2);
            assert_int_equal(out.missing, 0);
            assert_true(out.angle < 1e-9); // nothing is left to turn
        } else {
            assert_int_equal(t.kinds[FR_HAND_SNAP] + t.kinds[FR_HAND_SLIDE] + t.kinds[FR_HAND_RELEASE], 0);
            assert_true(out.angle > 0.1);
            assert_true((t.kinds[FR_HAND_CONTACT] > 0) == (mode != FR_AID_MODE_NOTHING));
        }
        assert_true(out.seconds > 2.0 && out.seconds < 40.0);
    }
}

static void test_a_seed_repeats_a_trial_bit_for_bit(void **state) {
    (void)state;
    for (int kind = TASK_A; kind <= TASK_SNAIL; kind++) {
        tally first, again, other;
        task_outcome a = do_task((task_kind)kind, FR_AID_MODE_AID, 3, &first);
        task_outcome b = do_task((task_kind)kind, FR_AID_MODE_AID, 3, &again);
        (void)do_task((task_kind)kind, FR_AID_MODE_AID, 4, &other);
        assert_memory_equal(&a.distance, &b.distance, sizeof a.distance);
        assert_memory_equal(&a.seconds, &b.seconds, sizeof a.seconds);
        assert_true(first.hash == again.hash && first.hash != other.hash);
    }
}

// Faces take hold once and come off by the hand alone; the rule as printed lets them come off again and again.
static void test_faces_hold_until_the_hand_lets_go(void **state) {
    (void)state;
    uint32_t trials = (uint32_t)test_count(8, 100);
    for (int printed = 0; printed < 2; printed++) {
        task_figures all;
        memset(&all, 0, sizeof all);
        for (int kind = TASK_A; kind <= TASK_C; kind++) {
            task_trial trial = {.kind = (task_kind)kind, .operator_traits = operator_default(), .seed = 5};
            trial.operator_traits.aid.is_as_printed = printed == 1;
            task_figures f;
            memset(&f, 0, sizeof f);
            if (task_repeat(&trial, trials, NULL, &f, &error) != FR_OK) { fail_msg("%s", error.message); }
            if (printed == 0) {
                assert_int_equal(f.snaps, trials * ((uint32_t)kind + 1));
                assert_int_equal(f.missing, 0);
            }
            all.releases += f.releases;
            all.trials += f.trials;
        }
        if (printed == 0) {
            assert_true(100 * all.releases <= all.trials);
        } else {
            assert_true(4 * all.releases > all.trials);
        }
    }
}

static void test_the_efficiency_protocol_ends_below_its_limit(void **state) {
    (void)state;
    for (int mode = FR_AID_MODE_NOTHING; mode <= FR_AID_MODE_AID; mode += 2) {
        task_trial trial = {.kind = TASK_C, .operator_traits = operator_default(), .limit = 3e-3, .seed = 6};
        trial.operator_traits.mode = (fr_aid_mode)mode;
        task_outcome out;
        assert_int_equal(task_run(&trial, &out, &error), FR_OK);
        assert_true(out.is_done);
        assert_true(out.distance < 7.0 * 3.0);
    }
}

// A delay of three frames and a slower display change a trial and do not break it.
static void test_delay_and_rate(void **state) {
    (void)state;
    task_trial trial = {.kind = TASK_A, .operator_traits = operator_default(), .seed = 7};
    task_outcome usual, late, slow;
    assert_int_equal(task_run(&trial, &usual, &error), FR_OK);
    trial.operator_traits.delay = 0.1;
    assert_int_equal(task_run(&trial, &late, &error), FR_OK);
    trial.operator_traits.delay = 0.0;
    trial.operator_traits.rate = 15.0;
    assert_int_equal(task_run(&trial, &slow, &error), FR_OK);
    assert_true(usual.distance != late.distance && usual.distance != slow.distance);
    assert_true(late.missing == 0 && slow.missing == 0);
}

static bool stop_now(void *user) {
    (void)user;
    return true;
}

static void test_trials_are_stopped(void **state) {
    (void)state;
    task_trial trial = {.kind = TASK_A, .operator_traits = operator_default()};
    fr_control control = {.stop = stop_now};
    task_figures f;
    memset(&f, 0, sizeof f);
    assert_int_equal(task_repeat(&trial, 10, &control, &f, &error), FR_ERROR_STOPPED);
    assert_int_equal(f.trials, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_gaussian),
        cmocka_unit_test(test_a_reach_takes_longer_the_farther_it_goes),
        cmocka_unit_test(test_errors_are_distances_of_vertices_and_three_angles),
        cmocka_unit_test(test_modes_are_given_what_they_say),
        cmocka_unit_test(test_a_seed_repeats_a_trial_bit_for_bit),
        cmocka_unit_test(test_faces_hold_until_the_hand_lets_go),
        cmocka_unit_test(test_the_efficiency_protocol_ends_below_its_limit),
        cmocka_unit_test(test_delay_and_rate),
        cmocka_unit_test(test_trials_are_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

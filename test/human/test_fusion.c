// Fusion: a body goes over from motion to motion without a jump of posture or velocity, and ends in their mean.
#include "failing.h"
#include "frame.h"
#include "fureai/human_fusion.h"
#include "heap_calls.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

#define LINKS FR_LINK_COUNT

// ---------------------------------------------------------------------------------------------------------------
// Motions to fuse

// Each link swings about an axis of its own.
typedef struct swinging {
    uint64_t id;
    fr_quat middle[LINKS], turns[LINKS];
    fr_vec3 axis[LINKS]; // times the amplitude
    double rate[LINKS], phase[LINKS];
    double weights[LINKS + 1];
    fr_vec3 place, velocity;
} swinging;

// Middles up to `apart` radians from rest, swings of up to 0.5 radians at up to `rate` radians a second of phase.
static void make_swinging(fr_random *random, double apart, double rate, swinging *s) {
    memset(s, 0, sizeof *s);
    s->id = fr_random_bits(random);
    for (int i = 0; i < LINKS; i++) {
        s->middle[i] = fr_quat_from_vector(random_about(random, apart));
        s->axis[i] = random_about(random, 0.3);
        s->rate[i] = fr_random_between(random, 0.0, rate);
        s->phase[i] = fr_random_between(random, 0.0, 6.0);
    }
    for (int i = 0; i <= LINKS; i++) {
        s->weights[i] = fr_random_below(random, 3) == 0 ? 0.0 : fr_random_between(random, 0.1, 100.0);
    }
    s->place = random_about(random, 1.0);
    s->velocity = random_about(random, 0.1);
}

static fr_fused_motion motion_at(swinging *s, double time) {
    for (int i = 0; i < LINKS; i++) {
        fr_vec3 swing = fr_vec3_scale(fr_sin(s->rate[i] * time + s->phase[i]), s->axis[i]);
        s->turns[i] = fr_quat_multiply(s->middle[i], fr_quat_from_vector(swing));
        (void)fr_quat_normalize(&s->turns[i], NULL);
    }
    fr_fused_motion motion = {s->id, {.turns = s->turns, .count = LINKS}, s->weights};
    motion.posture.place = fr_vec3_add_scaled(s->place, time, s->velocity);
    motion.posture.contact_left = FR_CONTACT_HEEL;
    return motion;
}

static fr_fusion *make_fusion(const fr_skeleton *body) {
    fr_fusion_def def = fr_default_fusion_def();
    def.skeleton = body;
    fr_fusion *fusion = NULL;
    fr_error error = {0};
    if (fr_fusion_create(&def, &fusion, &error) != FR_OK) { fail_msg("%s", error.message); }
    return fusion;
}

static void step(fr_fusion *fusion, const fr_fused_motion *motions, uint32_t count, double duration, fr_posture *out) {
    fr_fusion_input input = {motions, count, duration};
    fr_error error = {0};
    if (fr_fusion_step(fusion, &input, out, &error) != FR_OK) { fail_msg("%s", error.message); }
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

static void refuses_what_does_not_fit_and_stays_as_it_was(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    fr_fusion *fusion = make_fusion(body);
    fr_random random = fr_random_seed(1);
    static swinging s, other;
    fr_quat turns[LINKS];
    fr_posture out = {.turns = turns, .count = LINKS};
    make_swinging(&random, 0.5, 3.0, &s);
    make_swinging(&random, 0.5, 3.0, &other);
    fr_fused_motion both[2] = {motion_at(&s, 0.0), motion_at(&other, 0.0)};
    step(fusion, both, 2, 0.02, &out);
    uint64_t hash = fr_fusion_hash(fusion);
    fr_error error = {0};

    const double durations[] = {0.0, -1.0, 1.5, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        fr_fusion_input input = {both, 2, durations[i]};
        assert_int_equal(fr_fusion_step(fusion, &input, &out, NULL), FR_ERROR_ARGUMENT);
    }
    fr_fusion_input input = {both, FR_MAX_FUSED_MOTIONS + 1, 0.02};
    assert_int_equal(fr_fusion_step(fusion, &input, &out, NULL), FR_ERROR_ARGUMENT);
    input = (fr_fusion_input){NULL, 1, 0.02};
    assert_int_equal(fr_fusion_step(fusion, &input, &out, NULL), FR_ERROR_ARGUMENT);
    input = (fr_fusion_input){both, 2, 0.02};
    both[1].id = both[0].id;
    assert_int_equal(fr_fusion_step(fusion, &input, &out, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "one id"));
    both[1].id++;
    other.turns[7].w = NAN;
    assert_int_equal(fr_fusion_step(fusion, &input, &out, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "motion 1: the turn of link 7"));
    both[1] = motion_at(&other, 0.0);
    both[1].posture.place.x = NAN;
    assert_int_equal(fr_fusion_step(fusion, &input, &out, NULL), FR_ERROR_NOT_FINITE);
    both[1] = motion_at(&other, 0.0);
    both[1].weights = NULL;
    assert_int_equal(fr_fusion_step(fusion, &input, &out, NULL), FR_ERROR_ARGUMENT);
    both[1] = motion_at(&other, 0.0);
    both[1].posture.count--;
    assert_int_equal(fr_fusion_step(fusion, &input, &out, NULL), FR_ERROR_ARGUMENT);
    both[1] = motion_at(&other, 0.0);
    fr_posture small = {.turns = turns, .count = 3};
    assert_int_equal(fr_fusion_step(fusion, &input, &small, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_fusion_put(fusion, &small, NULL), FR_ERROR_ARGUMENT);
    fr_quat wrong_turns[LINKS];
    memset(wrong_turns, 0, sizeof wrong_turns);
    fr_posture wrong = {.turns = wrong_turns, .count = LINKS};
    assert_int_equal(fr_fusion_put(fusion, &wrong, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_fusion_hash(fusion), hash);
    fr_fusion_destroy(fusion);
    fr_skeleton_release(body);
}

static void is_not_made_from_what_does_not_fit(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    fr_quat wrong_turns[LINKS];
    memset(wrong_turns, 0, sizeof wrong_turns);
    fr_posture wrong = {.turns = wrong_turns, .count = LINKS};
    fr_fusion_def def = fr_default_fusion_def();
    fr_fusion *none = NULL;
    assert_int_equal(fr_fusion_create(&def, &none, NULL), FR_ERROR_ARGUMENT);
    def.skeleton = body;
    def.posture = &wrong;
    assert_int_equal(fr_fusion_create(&def, &none, NULL), FR_ERROR_ARGUMENT);
    def.cookie = 0;
    assert_int_equal(fr_fusion_create(&def, &none, NULL), FR_ERROR_ARGUMENT);
    assert_null(none);
    fr_fusion_destroy(NULL);
    fr_skeleton_release(body);
}

// Without motions the body stays; with one that stands still it goes there and no farther, slowly at first.
static void goes_to_a_posture_and_stays(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    fr_fusion *fusion = make_fusion(body);
    fr_random random = fr_random_seed(2);
    static swinging s;
    fr_quat turns[LINKS], rest[LINKS];
    fr_posture out = {.turns = turns, .count = LINKS}, upright = {.turns = rest, .count = LINKS};
    assert_int_equal(fr_posture_rest(body, &upright, NULL), FR_OK);
    step(fusion, NULL, 0, 1.0 / 60.0, &out);
    assert_memory_equal(turns, rest, sizeof turns);
    assert_true(fr_vec3_equal(out.place, upright.place));

    make_swinging(&random, 1.0, 0.0, &s);
    s.velocity = fr_vec3_make(0, 0, 0);
    for (int i = 0; i <= LINKS; i++) {
        s.weights[i] = 1.0;
    }
    fr_fused_motion motion = motion_at(&s, 0.0);
    double left[LINKS];
    for (int i = 0; i < LINKS; i++) {
        left[i] = angle_between(rest[i], s.turns[i]);
    }
    for (int frame = 1; frame <= 33; frame++) {
        step(fusion, &motion, 1, 1.0 / 60.0, &out);
        for (int i = 0; i < LINKS; i++) {
            double now = angle_between(turns[i], s.turns[i]);
            assert_true(now <= left[i] + 1e-12);
            left[i] = now;
        }
        if (frame == 1) { assert_memory_equal(turns, rest, sizeof turns); }
    }
    assert_memory_equal(turns, s.turns, sizeof turns);
    assert_true(fr_vec3_equal(out.place, motion.posture.place));
    assert_int_equal(out.contact_left, FR_CONTACT_HEEL);
    fr_posture view = fr_fusion_posture(fusion);
    assert_memory_equal(view.turns, turns, sizeof turns);
    fr_fusion_destroy(fusion);
    fr_skeleton_release(body);
}

// After a transition the body is the mean of its motions, bit for bit, as weights go up and down.
static void becomes_the_mean(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    fr_fusion *fusion = make_fusion(body);
    fr_random random = fr_random_seed(3);
    static swinging s[3];
    fr_quat turns[LINKS], mean_turns[LINKS];
    fr_posture out = {.turns = turns, .count = LINKS}, mean = {.turns = mean_turns, .count = LINKS};
    for (int m = 0; m < 3; m++) {
        make_swinging(&random, 1.0, 5.0, &s[m]);
        s[m].weights[0] = 1.0;
    }
    for (int frame = 0; frame < 120; frame++) {
        fr_fused_motion motions[3];
        fr_weighted_posture weighted[3];
        for (int m = 0; m < 3; m++) {
            s[m].weights[0] = 1.0 + m + 0.5 * fr_sin(0.1 * frame);
            motions[m] = motion_at(&s[m], frame / 60.0);
            weighted[m] = (fr_weighted_posture){motions[m].posture, s[m].weights};
        }
        step(fusion, motions, 3, 1.0 / 60.0, &out);
        if (frame < 33) { continue; }
        assert_int_equal(fr_posture_mean(weighted, 3, &out, &mean, NULL), FR_OK);
        assert_memory_equal(turns, mean_turns, sizeof turns);
        assert_true(fr_vec3_equal(out.place, mean.place));
    }
    fr_fusion_destroy(fusion);
    fr_skeleton_release(body);
}

// The change of a turn's velocity from one step to the next, in the axes of the world it turns in.
static double jump_of(fr_quat a, fr_quat b, fr_quat c, double duration) {
    fr_quat first = fr_quat_multiply(b, fr_quat_conjugate(a)), second = fr_quat_multiply(c, fr_quat_conjugate(b));
    return fr_vec3_distance(fr_quat_to_vector(first), fr_quat_to_vector(second)) / duration;
}

typedef struct jumps {
    double fused, plain, place;
} jumps;

// A scenario of random starts and ends: every 0.1 to 1.5 s a motion begins or ends. The largest jumps of any link, and
// those of the plain mean.
static jumps run_scenario(const fr_skeleton *body, uint64_t seed) {
    static swinging s[4];
    static fr_quat turns[3][LINKS], plain[3][LINKS];
    fr_fusion *fusion = make_fusion(body);
    fr_random random = fr_random_seed(seed);
    fr_vec3 places[3] = {{0, 0, 0}};
    bool is_active[4] = {false};
    jumps worst = {0.0, 0.0, 0.0};
    double duration = 1.0 / 60.0;
    fr_posture rest = {.turns = turns[0], .count = LINKS};
    assert_int_equal(fr_posture_rest(body, &rest, NULL), FR_OK);
    for (int k = 0; k < 3; k++) {
        memcpy(turns[k], turns[0], sizeof turns[0]);
        memcpy(plain[k], turns[0], sizeof turns[0]);
        places[k] = rest.place;
    }
    int until = 0;
    for (int frame = 1; frame <= 600; frame++) {
        if (frame > until) {
            size_t which = (size_t)fr_random_below(&random, 4);
            until = frame + (int)fr_random_between(&random, 6.0, 90.0);
            is_active[which] = !is_active[which];
            if (is_active[which]) { make_swinging(&random, 0.8, 6.0, &s[which]); }
        }
        fr_fused_motion motions[4];
        fr_weighted_posture weighted[4];
        uint32_t count = 0;
        for (int m = 0; m < 4; m++) {
            if (!is_active[m]) { continue; }
            motions[count] = motion_at(&s[m], frame * duration);
            weighted[count] = (fr_weighted_posture){motions[count].posture, s[m].weights};
            count++;
        }
        fr_posture out = {.turns = turns[frame % 3], .count = LINKS};
        fr_posture mean = {.turns = plain[frame % 3], .count = LINKS};
        fr_posture last = {.turns = plain[(frame + 2) % 3], .count = LINKS};
        uint64_t before = test_heap_calls();
        step(fusion, motions, count, duration, &out);
        assert_int_equal(test_heap_calls(), before);
        assert_int_equal(fr_posture_mean(weighted, count, &last, &mean, NULL), FR_OK);
        places[frame % 3] = out.place;
        for (int i = 0; i < LINKS; i++) {
            int a = (frame + 1) % 3, b = (frame + 2) % 3, c = frame % 3;
            double jump = jump_of(turns[a][i], turns[b][i], turns[c][i], duration);
            double raw = jump_of(plain[a][i], plain[b][i], plain[c][i], duration);
            worst.fused = jump > worst.fused ? jump : worst.fused;
            worst.plain = raw > worst.plain ? raw : worst.plain;
            assert_near(quat_length(turns[c][i]), 1.0, 1e-14);
        }
        fr_vec3 first = fr_vec3_sub(places[(frame + 2) % 3], places[(frame + 1) % 3]);
        fr_vec3 second = fr_vec3_sub(places[frame % 3], places[(frame + 2) % 3]);
        double jump = fr_vec3_distance(first, second) / duration;
        worst.place = jump > worst.place ? jump : worst.place;
    }
    fr_fusion_destroy(fusion);
    return worst;
}

// The bound of the thesis's transitions: 4 rad/s at 60 frames a second.
static void never_jumps(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    jumps worst = {0.0, 0.0, 0.0};
    uint64_t count = test_count(20, 200);
    for (uint64_t i = 0; i < count; i++) {
        jumps found = run_scenario(body, 100 + i);
        worst.fused = found.fused > worst.fused ? found.fused : worst.fused;
        worst.plain = found.plain > worst.plain ? found.plain : worst.plain;
        worst.place = found.place > worst.place ? found.place : worst.place;
    }
    print_message("largest jump %.2f rad/s and %.2f m/s; of the plain mean %.0f rad/s\n", worst.fused, worst.place,
                  worst.plain);
    assert_true(worst.fused <= 4.0 && worst.place <= 3.0);
    assert_true(worst.plain > 20.0); // the scenarios are hard
    fr_skeleton_release(body);
}

// Shorter steps give the same path, up to their length: what is fused does not hang on the frame rate.
// Two motions of one weight come to be more than half a turn apart: their mean leaps to the other side, the body does
// not.
static void does_not_leap_where_two_motions_are_half_a_turn_apart(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    fr_fusion *fusion = make_fusion(body);
    fr_quat turns[2][LINKS], out_turns[LINKS], before[2] = {{0}};
    double weights[LINKS + 1] = {0}, jump = 0.0, leap = 0.0;
    weights[FR_LINK_HEAD] = 1.0;
    fr_posture out = {.turns = out_turns, .count = LINKS};
    fr_quat mean_before = {0};
    for (int k = 0; k < 120; k++) {
        fr_fused_motion motions[2] = {{1, {.turns = turns[0], .count = LINKS}, weights},
                                      {2, {.turns = turns[1], .count = LINKS}, weights}};
        fr_quat mean_turns[LINKS];
        fr_weighted_posture parts[2];
        for (int m = 0; m < 2; m++) {
            assert_int_equal(fr_posture_rest(body, &motions[m].posture, NULL), FR_OK);
            double angle = (m == 0 ? 1.0 : -1.0) * (1.2 + 0.006 * k);
            turns[m][FR_LINK_HEAD] = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), angle);
            parts[m] = (fr_weighted_posture){motions[m].posture, weights};
        }
        step(fusion, motions, 2, 1.0 / 60.0, &out);
        fr_posture mean = {.turns = mean_turns, .count = LINKS};
        assert_int_equal(fr_posture_mean(parts, 2, &out, &mean, NULL), FR_OK);
        fr_quat now = out_turns[FR_LINK_HEAD];
        if (k >= 2) {
            fr_vec3 first = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(before[0]), before[1]));
            fr_vec3 second = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(before[1]), now));
            jump = fmax(jump, 60.0 * fr_vec3_distance(first, second));
            leap = fmax(leap, 60.0 * angle_between(mean_before, mean_turns[FR_LINK_HEAD]));
        }
        mean_before = mean_turns[FR_LINK_HEAD];
        before[0] = before[1];
        before[1] = now;
    }
    assert_true(leap > 100.0);
    assert_true(jump < 4.0);
    fr_fusion_destroy(fusion);
    fr_skeleton_release(body);
}

static void does_not_hang_on_the_frame_rate(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    fr_random random = fr_random_seed(5);
    static swinging s[2];
    make_swinging(&random, 0.8, 4.0, &s[0]);
    make_swinging(&random, 0.8, 4.0, &s[1]);
    static fr_quat seen[3][8][LINKS];
    const int rates[3] = {60, 240, 960};
    for (int r = 0; r < 3; r++) {
        fr_fusion *fusion = make_fusion(body);
        fr_quat turns[LINKS];
        fr_posture out = {.turns = turns, .count = LINKS};
        for (int frame = 1; frame <= rates[r]; frame++) {
            double time = (double)frame / rates[r];
            // The second motion takes over after half a second.
            fr_fused_motion motion = motion_at(&s[2 * frame > rates[r]], time);
            step(fusion, &motion, 1, 1.0 / rates[r], &out);
            if (8 * frame % rates[r] == 0) { memcpy(seen[r][8 * frame / rates[r] - 1], turns, sizeof turns); }
        }
        fr_fusion_destroy(fusion);
    }
    double coarse = 0.0, fine = 0.0;
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < LINKS; i++) {
            double a = angle_between(seen[0][k][i], seen[2][k][i]), b = angle_between(seen[1][k][i], seen[2][k][i]);
            coarse = a > coarse ? a : coarse;
            fine = b > fine ? b : fine;
        }
    }
    print_message("off the path at 960 frames a second: %.3f rad at 60, %.3f at 240\n", coarse, fine);
    assert_true(coarse < 0.35 && fine < 0.35 * coarse + 1e-3);
    fr_skeleton_release(body);
}

// A link that its motions let go comes to rest within its settling time, near by, and stays.
static void rests_where_no_motion_cares(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    fr_fusion *fusion = make_fusion(body);
    fr_random random = fr_random_seed(6);
    static swinging s;
    fr_quat turns[LINKS], let_go[LINKS], rested[LINKS];
    fr_posture out = {.turns = turns, .count = LINKS};
    make_swinging(&random, 0.5, 5.0, &s);
    for (int i = 0; i <= LINKS; i++) {
        s.weights[i] = 1.0;
    }
    for (int frame = 0; frame < 60; frame++) {
        fr_fused_motion motion = motion_at(&s, frame / 60.0);
        step(fusion, &motion, 1, 1.0 / 60.0, &out);
    }
    memcpy(let_go, turns, sizeof turns);
    for (int frame = 0; frame < 60; frame++) {
        step(fusion, NULL, 0, 1.0 / 60.0, &out);
        if (frame == 20) { memcpy(rested, turns, sizeof turns); }
    }
    assert_memory_equal(rested, turns, sizeof turns);
    for (int i = 0; i < LINKS; i++) {
        // Speeds are up to 0.3 sqrt(3) 5 rad/s, and a third of the settling time at that is left.
        assert_true(angle_between(let_go[i], turns[i]) <= 2.6 * (0.1 + 1.0 / 60.0));
    }
    // One link alone that a motion cares for leaves all others alone.
    memset(s.weights, 0, sizeof s.weights);
    s.weights[FR_LINK_HEAD] = 100.0;
    for (int frame = 0; frame < 40; frame++) {
        fr_fused_motion motion = motion_at(&s, 0.0);
        step(fusion, &motion, 1, 1.0 / 60.0, &out);
    }
    for (int i = 0; i < LINKS; i++) {
        assert_memory_equal(&turns[i], i == FR_LINK_HEAD ? &s.turns[i] : &rested[i], sizeof turns[i]);
    }
    fr_fusion_destroy(fusion);
    fr_skeleton_release(body);
}

// A forearm bends fast and is let go just before its limit: it comes to rest within, also where another motion cares
// for it, and with few frames a second no step takes it far beyond.
static void rests_within_limits(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    const fr_skeleton_view *view = fr_skeleton_get(body);
    const uint32_t link = FR_LINK_RIGHT_FOREARM;
    const fr_limit *limit = &view->limits[link];
    assert_int_equal(limit->kind, FR_LIMIT_HINGE);
    for (int i = 0; i < 4; i++) {
        double rate = i % 2 == 0 ? 60.0 : 10.0, worst = 0.0;
        fr_fusion *fusion = make_fusion(body);
        fr_quat turns[LINKS], bent[LINKS];
        double weights[LINKS + 1] = {0.0};
        fr_posture out = {.turns = turns, .count = LINKS}, posture = {.turns = bent, .count = LINKS};
        assert_int_equal(fr_posture_rest(body, &posture, NULL), FR_OK);
        weights[link] = 1.0;
        fr_fused_motion motions[2] = {{1, posture, weights}, {2, posture, weights}};
        uint32_t count = i < 2 ? 1 : 2;
        for (int frame = -20; frame <= 60; frame++) {
            double angle = limit->max[0] - 0.02 + (frame < 0 ? 5.0 * frame / rate : 0.0);
            angle = angle > limit->min[0] ? angle : limit->min[0];
            bent[link] = fr_quat_multiply(view->rests[link], fr_quat_from_axis_angle(limit->axes[0], angle));
            step(fusion, motions, frame <= 0 ? count : count - 1, 1.0 / rate, &out);
            worst = fmax(worst, fr_skeleton_excess(body, link, turns[link]));
        }
        assert_true(fr_skeleton_excess(body, link, turns[link]) == 0.0);
        print_message("at %g frames a second: %.3f rad beyond meanwhile\n", rate, worst);
        assert_true(worst < (rate == 60.0 ? 0.35 : 0.11)); // it is braked, not stopped: no jump of the velocity
        fr_fusion_destroy(fusion);
    }
    fr_skeleton_release(body);
}

static void gives_the_same_bits_in_every_set(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    uint64_t hashes[2];
    fr_simd best = fr_simd_best();
    for (int k = 0; k < 2; k++) {
        assert_true(fr_simd_set(k == 0 ? FR_SIMD_BASELINE : best));
        fr_fusion *fusion = make_fusion(body);
        fr_random random = fr_random_seed(7);
        static swinging s[3];
        fr_quat turns[LINKS];
        fr_posture out = {.turns = turns, .count = LINKS};
        for (int frame = 0; frame < 90; frame++) {
            fr_fused_motion motions[3];
            if (frame % 30 == 0) { make_swinging(&random, 0.8, 4.0, &s[frame / 30]); }
            for (int m = 0; m <= frame / 30; m++) {
                motions[m] = motion_at(&s[m], frame / 60.0);
            }
            step(fusion, motions, (uint32_t)(1 + frame / 30), 1.0 / 60.0, &out);
        }
        hashes[k] = fr_fusion_hash(fusion);
        // The same again after it was put back.
        assert_int_equal(fr_fusion_put(fusion, &out, NULL), FR_OK);
        assert_true(fr_fusion_hash(fusion) != hashes[k]);
        fr_fusion_destroy(fusion);
    }
    assert_int_equal(hashes[0], hashes[1]);
    fr_skeleton_release(body);
}

static void knows_the_frames_of_a_motion(void **state) {
    (void)state;
    double fraction = -1.0;
    const fr_frame_span span = {60, 5};
    assert_false(fr_frame_span_at(span, 0, &fraction));
    assert_false(fr_frame_span_at(span, 60, &fraction));
    assert_false(fr_frame_span_at(span, 66, &fraction));
    assert_false(fr_frame_span_at((fr_frame_span){0, 0}, 1, &fraction));
    assert_true(fraction == -1.0);
    assert_true(fr_frame_span_at(span, 61, &fraction) && fraction == 0.0);
    assert_true(fr_frame_span_at(span, 63, &fraction) && fraction == 0.5);
    assert_true(fr_frame_span_at(span, 65, &fraction) && fraction == 1.0);
    assert_true(fr_frame_span_at((fr_frame_span){UINT32_MAX, 1}, (uint64_t)UINT32_MAX + 1, &fraction));
    assert_true(fraction == 0.0);
}

static fr_status make_and_step(const fr_allocator *allocator, void *context) {
    fr_fusion_def def = fr_default_fusion_def();
    def.skeleton = context;
    def.allocator = *allocator;
    fr_fusion *fusion = NULL;
    fr_status status = fr_fusion_create(&def, &fusion, NULL);
    if (status != FR_OK) { return status; }
    fr_quat turns[LINKS];
    fr_posture out = {.turns = turns, .count = LINKS};
    step(fusion, NULL, 0, 0.01, &out);
    test_note_number(fr_fusion_hash(fusion));
    fr_fusion_destroy(fusion);
    return FR_OK;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    assert_int_equal(test_every_failure(make_and_step, body), 4);
    fr_skeleton_release(body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_does_not_fit_and_stays_as_it_was),
        cmocka_unit_test(is_not_made_from_what_does_not_fit),
        cmocka_unit_test(goes_to_a_posture_and_stays),
        cmocka_unit_test(becomes_the_mean),
        cmocka_unit_test(never_jumps),
        cmocka_unit_test(does_not_leap_where_two_motions_are_half_a_turn_apart),
        cmocka_unit_test(does_not_hang_on_the_frame_rate),
        cmocka_unit_test(rests_where_no_motion_cares),
        cmocka_unit_test(rests_within_limits),
        cmocka_unit_test(gives_the_same_bits_in_every_set),
        cmocka_unit_test(knows_the_frames_of_a_motion),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

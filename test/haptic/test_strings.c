// A pen on four strings: its tip from lengths, tensions from forces, what a layout can do, and when a string slipped.
#include "frame.h"
#include "random_vector.h"

#include "fureai/haptic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// A frame of 0.5 x 0.4 in a plane, the pen in front of it.
static fr_strings flat_frame(void) {
    fr_strings s = fr_default_strings();
    s.anchors[0] = fr_vec3_make(-0.25, -0.2, 0.0);
    s.anchors[1] = fr_vec3_make(0.25, -0.2, 0.0);
    s.anchors[2] = fr_vec3_make(0.25, 0.2, 0.0);
    s.anchors[3] = fr_vec3_make(-0.25, 0.2, 0.0);
    s.home = fr_vec3_make(0.0, 0.0, 0.25);
    return s;
}

static fr_vec3 random_direction(fr_random *random) {
    for (;;) {
        fr_vec3 v = random_about(random, 1.0);
        double length = fr_vec3_length(v);
        if (length > 0.1 && length < 1.0) { return fr_vec3_scale(1.0 / length, v); }
    }
}

// A point well inside the anchors' tetrahedron: a mean of the anchors in which each has at least a tenth.
static fr_vec3 inside(const fr_strings *s, fr_random *random) {
    double w[FR_STRING_COUNT], sum = 0.0;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        sum += w[i] = fr_random_unit(random);
    }
    fr_vec3 p = fr_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        p = fr_vec3_add_scaled(p, 0.1 + 0.6 * w[i] / sum, s->anchors[i]);
    }
    return p;
}

static fr_vec3 random_tip(const fr_strings *s, bool is_flat, fr_random *random) {
    if (!is_flat) { return inside(s, random); }
    return random_within(random, fr_vec3_make(-0.2, -0.15, 0.1), fr_vec3_make(0.2, 0.15, 0.4));
}

static void lengths_of(const fr_strings *s, fr_vec3 tip, double quantum, double lengths[FR_STRING_COUNT]) {
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        double l = fr_vec3_distance(tip, s->anchors[i]);
        lengths[i] = quantum > 0.0 ? quantum * floor(l / quantum + 0.5) : l;
    }
}

static void test_the_tip_is_found_from_exact_and_from_counted_lengths(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    uint64_t count = test_count(4000, 200000);
    for (int kind = 0; kind < 2; kind++) {
        fr_strings s = kind == 0 ? flat_frame() : fr_default_strings();
        double worst = 0.0;
        for (uint64_t i = 0; i < count; i++) {
            fr_vec3 tip = random_tip(&s, kind == 0, &random);
            double lengths[FR_STRING_COUNT];
            fr_strings_tip_output out;
            lengths_of(&s, tip, 0.0, lengths);
            assert_int_equal(fr_strings_tip(&s, lengths, NULL, &out, NULL), FR_OK);
            assert_true(out.is_settled && fr_vec3_distance(out.tip, tip) < 1e-9 && out.residual < 1e-9);
            lengths_of(&s, tip, 1e-4, lengths);
            assert_int_equal(fr_strings_tip(&s, lengths, &out.tip, &out, NULL), FR_OK);
            worst = fmax(worst, fr_vec3_distance(out.tip, tip));
        }
        print_message("%s frame, lengths to 0.1 mm: worst error %.3f mm\n", kind == 0 ? "flat" : "tetrahedral",
                      1e3 * worst);
        assert_true(worst <= 2e-4);
    }
}

// A start behind the frame ends in front of it, where the user is.
static void test_the_users_side_is_kept(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    fr_strings s = flat_frame();
    for (int i = 0; i < 1000; i++) {
        fr_vec3 tip = random_tip(&s, true, &random);
        fr_vec3 behind = fr_vec3_make(tip.x, tip.y, -tip.z);
        double lengths[FR_STRING_COUNT];
        lengths_of(&s, tip, 0.0, lengths);
        fr_strings_tip_output out;
        assert_int_equal(fr_strings_tip(&s, lengths, &behind, &out, NULL), FR_OK);
        assert_true(fr_vec3_distance(out.tip, tip) < 1e-9);
        // A start amid the frame, where the equations say nothing of the way out
        fr_vec3 amid = fr_vec3_make(0.0, 0.0, 0.0);
        assert_int_equal(fr_strings_tip(&s, lengths, &amid, &out, NULL), FR_OK);
        assert_true(fr_vec3_distance(out.tip, tip) < 1e-9);
    }
}

static void test_a_slipped_string_raises_the_alarm_after_50_ms(void **state) {
    (void)state;
    fr_strings s = flat_frame();
    fr_vec3 tip = fr_vec3_make(0.05, -0.02, 0.3);
    double lengths[FR_STRING_COUNT];
    lengths_of(&s, tip, 1e-4, lengths);
    fr_string_watch watch = fr_default_string_watch();
    fr_strings_tip_output out;
    for (int i = 0; i < 200; i++) {
        assert_int_equal(fr_strings_tip(&s, lengths, NULL, &out, NULL), FR_OK);
        assert_false(fr_strings_watch(&watch, out.residual, 1e-3));
    }
    // 40 ms of slip that pass, and then one that stays
    lengths[2] += 5e-3;
    assert_int_equal(fr_strings_tip(&s, lengths, NULL, &out, NULL), FR_OK);
    assert_true(out.residual > 8e-4);
    for (int i = 0; i < 40; i++) {
        assert_false(fr_strings_watch(&watch, out.residual, 1e-3));
    }
    assert_false(fr_strings_watch(&watch, 1e-4, 1e-3));
    int ticks = 1;
    while (!fr_strings_watch(&watch, out.residual, 1e-3)) {
        ticks++;
    }
    assert_true(ticks >= 50 && ticks <= 51);
    assert_true(fr_strings_watch(&watch, 0.0, 1e-3)); // until it is made anew
    watch = fr_default_string_watch();
    assert_true(fr_strings_watch(&watch, NAN, 1e-3));
}

static void test_a_flat_frame_sees_every_slip_of_5_mm(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    fr_strings s = flat_frame();
    for (int i = 0; i < 2000; i++) {
        double lengths[FR_STRING_COUNT];
        lengths_of(&s, random_tip(&s, true, &random), 1e-4, lengths);
        lengths[fr_random_below(&random, FR_STRING_COUNT)] += 5e-3;
        fr_strings_tip_output out;
        assert_int_equal(fr_strings_tip(&s, lengths, NULL, &out, NULL), FR_OK);
        assert_true(out.residual > 8e-4);
    }
}

static void assert_within_limits(const fr_strings *s, const fr_strings_pull_output *pull) {
    for (int k = 0; k < FR_STRING_COUNT; k++) {
        assert_true(pull->tensions[k] >= s->tension_min && pull->tensions[k] <= s->tension_max);
    }
}

static void test_forces_inside_the_tetrahedron_are_given_within_2_percent(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    fr_strings s = fr_default_strings();
    uint64_t count = test_count(4000, 100000), given = 0;
    for (uint64_t i = 0; i < count; i++) {
        fr_strings_pull_output pull;
        fr_vec3 force = fr_vec3_scale(2.0, random_direction(&random));
        assert_int_equal(fr_strings_pull(&s, inside(&s, &random), force, FR_PULL_NEAREST, &pull, NULL), FR_OK);
        assert_within_limits(&s, &pull);
        given += pull.error <= 0.02 * 2.0;
    }
    print_message("2 N within 2 %%: %.2f %% of directions\n", 100.0 * (double)given / (double)count);
    assert_true((double)given >= 0.99 * (double)count);
}

// Tensions by small steps down the slope, for a judge that knows nothing of states.
static double value_of(const fr_strings *s, fr_vec3 tip, fr_vec3 force, const double t[FR_STRING_COUNT]) {
    fr_vec3 sum = fr_vec3_negate(force);
    double value = 0.0;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        fr_vec3 way = fr_vec3_sub(s->anchors[i], tip);
        sum = fr_vec3_add_scaled(sum, t[i] / fr_vec3_length(way), way);
        value += 1e-6 * (t[i] - s->tension_min) * (t[i] - s->tension_min);
    }
    return value + fr_vec3_length_squared(sum);
}

static void test_no_other_tensions_are_better(void **state) {
    (void)state;
    fr_random random = fr_random_seed(6);
    for (int i = 0; i < 500; i++) {
        fr_strings s = i % 2 == 0 ? fr_default_strings() : flat_frame();
        fr_vec3 tip = random_tip(&s, i % 2 == 1, &random);
        fr_vec3 direction = random_direction(&random);
        fr_vec3 force = fr_vec3_scale(fr_random_between(&random, 0.0, 12.0), direction);
        fr_strings_pull_output pull;
        assert_int_equal(fr_strings_pull(&s, tip, force, FR_PULL_NEAREST, &pull, NULL), FR_OK);
        assert_within_limits(&s, &pull);
        double least = value_of(&s, tip, force, pull.tensions);
        for (int k = 0; k < 200; k++) {
            double size = k % 2 == 0 ? 1.0 : 1e-3, t[FR_STRING_COUNT];
            for (int j = 0; j < FR_STRING_COUNT; j++) {
                t[j] = pull.tensions[j] + fr_random_between(&random, -size, size);
                t[j] = fmin(fmax(t[j], s.tension_min), s.tension_max);
            }
            assert_true(value_of(&s, tip, force, t) >= least - 1e-12);
        }
    }
}

static void test_the_direction_is_kept_where_strings_reach_it(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    fr_strings s = fr_default_strings();
    uint32_t shortened = 0;
    for (int i = 0; i < 200; i++) {
        fr_vec3 direction = random_direction(&random), force = fr_vec3_scale(9.0, direction);
        fr_strings_pull_output pull, more;
        fr_vec3 tip = inside(&s, &random);
        assert_int_equal(fr_strings_pull(&s, tip, force, FR_PULL_SAME_DIRECTION, &pull, NULL), FR_OK);
        assert_within_limits(&s, &pull);
        if (!pull.is_reached) { continue; }
        shortened += pull.share < 1.0;
        assert_true(fr_vec3_distance(pull.force, fr_vec3_scale(pull.share, force)) <= 1.001e-3 * 9.0);
        if (pull.share > 0.99) { continue; }
        // A hundredth more is not to be had
        fr_vec3 greater = fr_vec3_scale(pull.share + 0.01, force);
        assert_int_equal(fr_strings_pull(&s, tip, greater, FR_PULL_NEAREST, &more, NULL), FR_OK);
        assert_true(more.error > 1e-3 * 9.0);
    }
    assert_true(shortened > 50);
    // In front of a flat frame nothing pulls towards the user: the nearest force, and said so
    s = flat_frame();
    fr_strings_pull_output pull;
    assert_int_equal(fr_strings_pull(&s, s.home, fr_vec3_make(0.0, 0.0, 2.0), FR_PULL_SAME_DIRECTION, &pull, NULL),
                     FR_OK);
    assert_false(pull.is_reached);
    assert_within_limits(&s, &pull);
}

// A force that no number squares: strings stay taut and within their limits all the same.
static void test_tensions_keep_their_limits_whatever_is_asked(void **state) {
    (void)state;
    fr_strings s = fr_default_strings();
    static const double sizes[] = {1e6, 1e150, 1e160, 1e300, 1.7e308};
    for (int i = 0; i < 2 * 5; i++) {
        fr_strings_pull_output pull;
        fr_vec3 force = fr_vec3_make(sizes[i / 2], -sizes[i / 2], 0.0);
        fr_pull_mode mode = i % 2 == 0 ? FR_PULL_NEAREST : FR_PULL_SAME_DIRECTION;
        assert_int_equal(fr_strings_pull(&s, s.home, force, mode, &pull, NULL), FR_OK);
        for (int k = 0; k < FR_STRING_COUNT; k++) {
            assert_true(pull.tensions[k] >= s.tension_min && pull.tensions[k] <= s.tension_max);
        }
        if (mode == FR_PULL_NEAREST) { assert_false(pull.is_reached); }
    }
}

static void test_the_map_tells_what_a_layout_can_do(void **state) {
    (void)state;
    float shares[27];
    fr_strings s = fr_default_strings();
    fr_capability_input input = fr_default_capability_input();
    input.strings = &s;
    input.bounds = (fr_bounds){fr_vec3_make(-0.05, -0.05, -0.05), fr_vec3_make(0.05, 0.05, 0.05)};
    input.count[0] = input.count[1] = input.count[2] = 3;
    assert_int_equal(fr_strings_capability(&input, shares, NULL), FR_OK);
    for (int i = 0; i < 27; i++) {
        assert_true(shares[i] > 0.99f);
    }
    fr_strings flat = flat_frame();
    input.strings = &flat;
    input.bounds = (fr_bounds){flat.home, flat.home};
    input.count[0] = input.count[1] = input.count[2] = 1;
    input.directions = 2000;
    assert_int_equal(fr_strings_capability(&input, shares, NULL), FR_OK);
    print_message("a flat frame gives 2 N in %.1f %% of directions\n", 100.0 * (double)shares[0]);
    assert_true(shares[0] > 0.01f && shares[0] < 0.25f);
    input.bounds = (fr_bounds){flat.anchors[0], flat.anchors[0]};
    assert_int_equal(fr_strings_capability(&input, shares, NULL), FR_OK);
    assert_true(shares[0] == 0.0f);
}

static void test_wrong_input_is_refused(void **state) {
    (void)state;
    fr_strings s = fr_default_strings();
    fr_strings_tip_output tip;
    fr_strings_pull_output pull;
    fr_vec3 zero = fr_vec3_make(0.0, 0.0, 0.0), no_number = fr_vec3_make(NAN, 0.0, 0.0);
    double lengths[FR_STRING_COUNT] = {0.4, 0.4, 0.4, NAN};
    assert_int_equal(fr_strings_tip(&s, lengths, NULL, &tip, NULL), FR_ERROR_NOT_FINITE);
    lengths[3] = -0.1;
    assert_int_equal(fr_strings_tip(&s, lengths, NULL, &tip, NULL), FR_ERROR_ARGUMENT);
    lengths[3] = 0.4;
    assert_int_equal(fr_strings_tip(&s, lengths, &no_number, &tip, NULL), FR_ERROR_NOT_FINITE);
    // A last tip that is far too far away does no harm; lengths that are have no tip
    fr_vec3 last = fr_vec3_make(1e300, -1.7e308, 1e300);
    assert_int_equal(fr_strings_tip(&s, lengths, &last, &tip, NULL), FR_OK);
    assert_true(fr_vec3_length(tip.tip) < 1.0);
    double huge[FR_STRING_COUNT] = {1.7e308, 1.7e308, 1.7e308, 0.0};
    fr_status status = fr_strings_tip(&s, huge, NULL, &tip, NULL);
    assert_true(status == FR_ERROR_NOT_FINITE || fr_vec3_is_finite(tip.tip));
    assert_int_equal(fr_strings_pull(&s, no_number, zero, FR_PULL_NEAREST, &pull, NULL), FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_strings_pull(&s, s.anchors[1], zero, FR_PULL_NEAREST, &pull, NULL), FR_ERROR_ARGUMENT);
    s.anchors[1] = s.anchors[0];
    assert_int_equal(fr_strings_tip(&s, lengths, NULL, &tip, NULL), FR_ERROR_ARGUMENT);
    s = fr_default_strings();
    s.tension_max = 0.1;
    assert_int_equal(fr_strings_pull(&s, zero, zero, FR_PULL_NEAREST, &pull, NULL), FR_ERROR_ARGUMENT);
    s.cookie = 0;
    assert_int_equal(fr_strings_tip(&s, lengths, NULL, &tip, NULL), FR_ERROR_ARGUMENT);
    float share;
    fr_capability_input input = fr_default_capability_input();
    assert_int_equal(fr_strings_capability(&input, &share, NULL), FR_ERROR_ARGUMENT);
    s = fr_default_strings();
    input.strings = &s;
    input.directions = 0;
    assert_int_equal(fr_strings_capability(&input, &share, NULL), FR_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_tip_is_found_from_exact_and_from_counted_lengths),
        cmocka_unit_test(test_the_users_side_is_kept),
        cmocka_unit_test(test_a_slipped_string_raises_the_alarm_after_50_ms),
        cmocka_unit_test(test_a_flat_frame_sees_every_slip_of_5_mm),
        cmocka_unit_test(test_forces_inside_the_tetrahedron_are_given_within_2_percent),
        cmocka_unit_test(test_no_other_tensions_are_better),
        cmocka_unit_test(test_the_direction_is_kept_where_strings_reach_it),
        cmocka_unit_test(test_tensions_keep_their_limits_whatever_is_asked),
        cmocka_unit_test(test_the_map_tells_what_a_layout_can_do),
        cmocka_unit_test(test_wrong_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The map of what strings can give: its tips, its sum, its drawing, and how it is stopped.
#include "draw_record.h"
#include "frame.h"
#include "random_vector.h"

#include "fureai/base_drawing.h"
#include "fureai/haptic.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TIPS = 3 * 4 * 2 };

static fr_capability_input input_of(const fr_strings *strings) {
    fr_capability_input in = fr_default_capability_input();
    in.strings = strings;
    in.bounds = (fr_bounds){{-0.2, -0.1, 0.0}, {0.2, 0.2, 0.1}};
    in.count[0] = 3;
    in.count[1] = 4;
    in.count[2] = 2;
    in.directions = 50;
    return in;
}

static void tips_stand_on_a_grid_x_fastest(void **state) {
    (void)state;
    fr_strings strings = fr_default_strings();
    fr_capability_input in = input_of(&strings);
    for (size_t i = 0; i < TIPS; i++) {
        fr_vec3 tip = fr_capability_tip(&in, i),
                wanted = {-0.2 + 0.2 * (double)(i % 3), -0.1 + 0.1 * (double)(i / 3 % 4), 0.1 * (double)(i / 12)};
        assert_true(fr_vec3_distance(tip, wanted) < 1e-15);
    }
    in.count[0] = in.count[1] = in.count[2] = 1;
    assert_true(fr_vec3_distance(fr_capability_tip(&in, 0), fr_vec3_make(0.0, 0.05, 0.05)) < 1e-15);
}

// Each share is that of a map of its tip alone.
static void shares_belong_to_their_tips(void **state) {
    (void)state;
    fr_strings strings = fr_default_strings();
    fr_capability_input in = input_of(&strings), one = in;
    float shares[TIPS], share;
    assert_int_equal(fr_strings_capability(&in, shares, NULL), FR_OK);
    double sum = 0.0, best = 0.0;
    size_t full = 0;
    one.count[0] = one.count[1] = one.count[2] = 1;
    for (size_t i = 0; i < TIPS; i++) {
        fr_vec3 tip = fr_capability_tip(&in, i);
        one.bounds = (fr_bounds){tip, tip};
        assert_int_equal(fr_strings_capability(&one, &share, NULL), FR_OK);
        assert_true(share == shares[i]);
        sum += (double)share;
        best = (double)share > best ? (double)share : best;
        full += share >= 0.99f;
    }
    fr_capability_summary all = fr_capability_summarize(&in, shares);
    assert_true(all.mean == sum / TIPS && all.best == best && all.full_count == full && full > 0);
}

// The mean over the whole tetrahedron, against tips and directions drawn at random, and that of its middle.
static void the_mean_inside_is_that_of_random_tips(void **state) {
    (void)state;
    fr_strings strings = fr_default_strings();
    fr_capability_input in = fr_default_capability_input();
    static float shares[17 * 17 * 17];
    in.strings = &strings;
    in.bounds = fr_bounds_of_points(strings.anchors, FR_STRING_COUNT);
    // Tips in the middles of small cubes, so that a grid is a fair sample of the volume.
    fr_vec3 edge = fr_vec3_scale(0.5 / 17.0, fr_vec3_sub(in.bounds.max, in.bounds.min));
    in.bounds = (fr_bounds){fr_vec3_add(in.bounds.min, edge), fr_vec3_sub(in.bounds.max, edge)};
    in.count[0] = in.count[1] = in.count[2] = 17;
    in.directions = 60;
    assert_int_equal(fr_strings_capability(&in, shares, NULL), FR_OK);
    fr_capability_summary sum = fr_capability_summarize(&in, shares);

    fr_random random = fr_random_seed(11);
    uint64_t count = test_count(40000, 1000000), given = 0, middle = 0, given_middle = 0;
    for (uint64_t i = 0; i < count; i++) {
        double w[FR_STRING_COUNT], whole = 0.0, least = 1.0;
        fr_vec3 tip = {0.0, 0.0, 0.0};
        for (int k = 0; k < FR_STRING_COUNT; k++) { // evenly over the volume
            w[k] = -log(1.0 - fr_random_unit(&random));
            whole += w[k];
        }
        for (int k = 0; k < FR_STRING_COUNT; k++) {
            tip = fr_vec3_add_scaled(tip, w[k] / whole, strings.anchors[k]);
            least = fmin(least, w[k] / whole);
        }
        fr_strings_pull_output pull;
        fr_vec3 way = random_about(&random, 1.0);
        if (fr_vec3_length(way) > 1.0 || fr_vec3_length(way) < 0.1) {
            i--;
            continue;
        }
        fr_vec3 force = fr_vec3_scale(2.0 / fr_vec3_length(way), way);
        assert_int_equal(fr_strings_pull(&strings, tip, force, FR_PULL_NEAREST, &pull, NULL), FR_OK);
        bool is_given = pull.error <= 0.02 * 2.0;
        given += is_given;
        middle += least >= 0.1;
        given_middle += is_given && least >= 0.1;
    }
    double share = (double)given / (double)count, share_middle = (double)given_middle / (double)middle;
    print_message("2 N within 2 %%: %.1f %% over the tetrahedron (map: %.1f %%), %.2f %% well inside (map: %.2f %%)\n",
                  100.0 * share, 100.0 * sum.mean_inside, 100.0 * share_middle, 100.0 * sum.mean_middle);
    assert_true(fabs(share - sum.mean_inside) < 0.015 && fabs(share_middle - sum.mean_middle) < 0.005);
    assert_true(sum.inside_count > 17 * 17 * 17 / 4 && sum.middle_count < sum.inside_count / 3);
    for (int k = 0; k < FR_STRING_COUNT; k++) { // in a plane nothing is inside
        strings.anchors[k].z = 0.0;
    }
    sum = fr_capability_summarize(&in, shares);
    assert_true(sum.inside_count == 0 && sum.mean_inside == 0.0);
}

static bool stop_at_second_row(void *user) { return ++*(int *)user == 3; }

static void a_map_can_be_stopped_between_rows(void **state) {
    (void)state;
    fr_strings strings = fr_default_strings();
    int asked = 0;
    fr_control control = {.stop = stop_at_second_row, .user = &asked};
    fr_capability_input in = input_of(&strings);
    float shares[TIPS] = {0};
    in.control = &control;
    assert_int_equal(fr_strings_capability(&in, shares, NULL), FR_ERROR_STOPPED);
    assert_true(asked == 3 && shares[5] > 0.0f && shares[6] == 0.0f);
}

static void the_drawing_has_eyelets_lines_and_tips(void **state) {
    (void)state;
    fr_strings strings = fr_default_strings();
    fr_capability_input in = input_of(&strings);
    float shares[TIPS];
    assert_int_equal(fr_strings_capability(&in, shares, NULL), FR_OK);
    draw_record record;
    fr_draw draw = draw_record_begin(&record);
    fr_capability_draw(&in, shares, (fr_color){1, 2, 3, 255}, (fr_color){4, 5, 6, 255}, &draw);
    assert_int_equal(record.point_count, FR_STRING_COUNT + TIPS);
    assert_int_equal(record.line_count, 6);
    assert_true(record.line_color.r == 4 && fr_capability_color(0.0f).r > fr_capability_color(1.0f).r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tips_stand_on_a_grid_x_fastest),         cmocka_unit_test(shares_belong_to_their_tips),
        cmocka_unit_test(the_mean_inside_is_that_of_random_tips), cmocka_unit_test(a_map_can_be_stopped_between_rows),
        cmocka_unit_test(the_drawing_has_eyelets_lines_and_tips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

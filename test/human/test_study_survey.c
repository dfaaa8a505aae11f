// Bodies of the survey: figures of its report, order, and bodies that can be made.
#include "fureai/human_study.h"

#include "frame.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define assert_near(a, b, within) assert_true(fabs((a) - (b)) <= (within))

static void refuses_what_is_no_percentile(void **state) {
    (void)state;
    static const double wrong[] = {0.0, 0.99, 99.01, -5.0, INFINITY, NAN};
    fr_survey_measures m;
    fr_body_def body;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fr_error error = {0};
        assert_int_equal(fr_survey_find(FR_SURVEY_MAN, wrong[i], &m, &error), FR_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "1 to 99"));
        assert_int_equal(fr_survey_body(FR_SURVEY_MAN, wrong[i], &body, NULL), FR_ERROR_ARGUMENT);
    }
}

// Means of the report, which the median of a measure that is spread evenly is near: stature 1628.5 and 1756.2 mm,
// weight 67.8 and 85.5 kg.
static void is_near_the_means_of_the_report(void **state) {
    (void)state;
    fr_survey_measures m;
    assert_int_equal(fr_survey_find(FR_SURVEY_WOMAN, 50.0, &m, NULL), FR_OK);
    assert_near(m.stature, 1.6285, 0.005);
    assert_near(m.mass, 67.8, 1.5);
    assert_int_equal(fr_survey_find(FR_SURVEY_MAN, 50.0, &m, NULL), FR_OK);
    assert_near(m.stature, 1.7562, 0.005);
    assert_near(m.mass, 85.5, 1.5);
}

// Every measure grows with the percentile, and lies on straight lines between the survey's own.
static void grows(void **state) {
    (void)state;
    for (int sex = 0; sex < FR_SURVEY_SEX_COUNT; sex++) {
        fr_survey_measures before, m, next;
        assert_int_equal(fr_survey_find((fr_survey_sex)sex, 1.0, &before, NULL), FR_OK);
        for (double p = 2.0; p <= 99.0; p += 1.0) {
            assert_int_equal(fr_survey_find((fr_survey_sex)sex, p, &m, NULL), FR_OK);
            assert_true(m.stature > before.stature && m.mass > before.mass && m.trochanterion > before.trochanterion);
            assert_true(m.upper_arm > before.upper_arm && m.forearm > before.forearm);
            assert_true(m.biacromial > before.biacromial && m.foot > before.foot);
            before = m;
        }
        assert_int_equal(fr_survey_find((fr_survey_sex)sex, 25.0, &before, NULL), FR_OK);
        assert_int_equal(fr_survey_find((fr_survey_sex)sex, 30.0, &m, NULL), FR_OK);
        assert_int_equal(fr_survey_find((fr_survey_sex)sex, 50.0, &next, NULL), FR_OK);
        assert_near(m.stature, 0.8 * before.stature + 0.2 * next.stature, 1e-12);
        assert_near(m.foot, 0.8 * before.foot + 0.2 * next.foot, 1e-12);
    }
}

// The skeleton has the measures that were asked for.
static void makes_bodies(void **state) {
    (void)state;
    double arms[2], shoulders[2];
    for (int sex = 0; sex < FR_SURVEY_SEX_COUNT; sex++) {
        for (double p = 1.0; p <= 99.0; p += 7.0) {
            fr_survey_measures m;
            fr_body_def def;
            fr_skeleton *skeleton = NULL;
            fr_error error = {0};
            assert_int_equal(fr_survey_find((fr_survey_sex)sex, p, &m, NULL), FR_OK);
            assert_int_equal(fr_survey_body((fr_survey_sex)sex, p, &def, NULL), FR_OK);
            if (fr_skeleton_create_body(&def, &skeleton, &error) != FR_OK) { fail_msg("%s", error.message); }
            const fr_skeleton_view *view = fr_skeleton_get(skeleton);
            fr_quat turns[FR_LINK_COUNT];
            fr_pose poses[FR_LINK_COUNT];
            fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
            assert_int_equal(fr_posture_rest(skeleton, &posture, NULL), FR_OK);
            assert_int_equal(fr_posture_poses(skeleton, &posture, 1, poses, NULL), FR_OK);
            const fr_link_point *top = &view->points[FR_POINT_HEAD_TOP];
            assert_near(fr_pose_apply(&poses[top->link], top->offset).y, m.stature, 1e-9);
            assert_near(poses[FR_LINK_LEFT_THIGH].position.y, m.trochanterion, 1e-9);
            assert_near(view->mass, m.mass, 1e-9);
            double foot = view->points[FR_POINT_LEFT_TOE].offset.x - view->points[FR_POINT_LEFT_HEEL].offset.x;
            assert_near(foot, m.foot, 1e-9);
            fr_skeleton_release(skeleton);
        }
        fr_body_def median;
        assert_int_equal(fr_survey_body((fr_survey_sex)sex, 50.0, &median, NULL), FR_OK);
        arms[sex] = median.arm;
        shoulders[sex] = median.shoulder_width;
    }
    // The mean of both medians has the proportions of the default body.
    assert_near(0.5 * (arms[0] + arms[1]), 0.564 / 1.70, 1e-12);
    assert_near(0.5 * (shoulders[0] + shoulders[1]), 0.38 / 1.70, 1e-12);
    assert_true(shoulders[FR_SURVEY_MAN] > shoulders[FR_SURVEY_WOMAN]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_no_percentile),
        cmocka_unit_test(is_near_the_means_of_the_report),
        cmocka_unit_test(grows),
        cmocka_unit_test(makes_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

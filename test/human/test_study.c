// Work study: angles of postures that are known, RULA and REBA against worksheets worked by hand, and over all boxes.
#include "fureai/human_study.h"

#include "failing.h"
#include "frame.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Postures

typedef struct body {
    fr_skeleton *skeleton;
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture;
} body;

static void stand(body *b) {
    b->skeleton = default_body();
    b->posture = (fr_posture){.turns = b->turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(b->skeleton, &b->posture, NULL), FR_OK);
    b->posture.contact_left = b->posture.contact_right = FR_CONTACT_HEEL | FR_CONTACT_TOE;
}

static void leave(body *b) { fr_skeleton_release(b->skeleton); }

// Turns a link away from upright about axes of the body: x to its left, y up, z to its front.
static void bend(body *b, fr_link link, fr_vec3 axis, double angle_deg) {
    fr_quat away = fr_quat_from_axis_angle(axis, fr_radians(angle_deg));
    fr_quat before = fr_skeleton_turn_to_upright(b->skeleton, (uint32_t)link, b->turns[link]);
    b->turns[link] = fr_skeleton_turn_from_upright(b->skeleton, (uint32_t)link, fr_quat_multiply(before, away));
}

static const fr_vec3 left = {1, 0, 0}, up = {0, 1, 0}, front = {0, 0, 1};

static fr_work_angles angles_of(const body *b) {
    fr_work_angles angles;
    fr_error error = {0};
    if (fr_work_angles_of(b->skeleton, &b->posture, &angles, &error) != FR_OK) { fail_msg("%s", error.message); }
    return angles;
}

#define assert_degrees(angle, expected_deg) assert_near(fr_degrees(angle), (expected_deg), 1e-6)

static void has_no_angles_upright(void **state) {
    (void)state;
    body b;
    stand(&b);
    fr_work_angles a = angles_of(&b);
    assert_degrees(a.trunk_flexion, 0.0);
    assert_degrees(a.trunk_side, 0.0);
    assert_degrees(a.trunk_twist, 0.0);
    assert_degrees(a.neck_flexion, 0.0);
    for (int side = 0; side < FR_WORK_SIDE_COUNT; side++) {
        assert_degrees(a.arms[side].elevation, 0.0);
        assert_degrees(a.arms[side].elbow, 0.0);
        assert_degrees(a.arms[side].wrist_flexion, 0.0);
        assert_degrees(a.arms[side].wrist_deviation, 0.0);
        assert_degrees(a.arms[side].wrist_twist, 0.0);
        assert_false(a.arms[side].is_across);
        assert_degrees(a.legs[side].knee, 0.0);
        assert_true(a.legs[side].is_bearing);
    }
    leave(&b);
}

static void names_the_angles_of_trunk_and_neck(void **state) {
    (void)state;
    for (int heading_deg = 0; heading_deg < 360; heading_deg += 45) {
        body b;
        stand(&b);
        bend(&b, FR_LINK_HIP, up, heading_deg);
        bend(&b, FR_LINK_HIP, left, 30.0);   // forwards
        bend(&b, FR_LINK_CHEST, left, 15.0); // and the chest more
        bend(&b, FR_LINK_HEAD, left, -40.0); // the head looks up again
        fr_work_angles a = angles_of(&b);
        assert_degrees(a.trunk_flexion, 45.0);
        assert_degrees(a.trunk_side, 0.0);
        assert_degrees(a.neck_flexion, -40.0);
        leave(&b);

        stand(&b);
        bend(&b, FR_LINK_HIP, up, heading_deg);
        bend(&b, FR_LINK_CHEST, up, 25.0);
        bend(&b, FR_LINK_HEAD, up, -35.0);
        a = angles_of(&b);
        assert_degrees(a.trunk_twist, 25.0);
        assert_degrees(a.neck_twist, -35.0);
        leave(&b);

        stand(&b);
        bend(&b, FR_LINK_HIP, up, heading_deg);
        bend(&b, FR_LINK_CHEST, front, -20.0); // to the left
        bend(&b, FR_LINK_HEAD, front, 12.0);
        a = angles_of(&b);
        assert_degrees(a.trunk_side, 20.0);
        assert_degrees(a.neck_side, -12.0);
        assert_degrees(a.neck_flexion, 0.0);
        leave(&b);
    }
}

// The same turns mirrored give the same angles of the other arm.
static void names_the_angles_of_arms(void **state) {
    (void)state;
    static const fr_link links[2][3] = {{FR_LINK_RIGHT_UPPER_ARM, FR_LINK_RIGHT_FOREARM, FR_LINK_RIGHT_PALM},
                                        {FR_LINK_LEFT_UPPER_ARM, FR_LINK_LEFT_FOREARM, FR_LINK_LEFT_PALM}};
    for (int side = 0; side < 2; side++) {
        double out = side == FR_WORK_LEFT ? 1.0 : -1.0;
        body b;
        stand(&b);
        bend(&b, FR_LINK_HIP, left, 50.0); // all are away from the trunk
        bend(&b, links[side][0], left, -70.0);
        bend(&b, links[side][1], left, -80.0);
        fr_arm_angles arm = angles_of(&b).arms[side];
        assert_degrees(arm.flexion, 70.0);
        assert_degrees(arm.elevation, 70.0);
        assert_degrees(arm.abduction, 0.0);
        assert_degrees(arm.elbow, 80.0);
        leave(&b);

        stand(&b);
        bend(&b, links[side][0], front, out * 50.0);
        bend(&b, links[side][2], up, -out * 75.0); // the thumb turns to the body
        arm = angles_of(&b).arms[side];
        assert_degrees(arm.abduction, 50.0);
        assert_degrees(arm.elevation, 50.0);
        assert_degrees(arm.outward, 50.0);
        assert_degrees(arm.wrist_twist, 75.0);
        assert_degrees(arm.wrist_flexion, 0.0);
        leave(&b);

        stand(&b);
        bend(&b, links[side][1], left, -90.0);
        bend(&b, links[side][2], up, -out * 30.0);
        bend(&b, links[side][2], front, -out * 25.0); // towards the palm, which faces the body before the twist
        arm = angles_of(&b).arms[side];
        assert_degrees(arm.wrist_twist, 30.0);
        assert_degrees(arm.wrist_flexion, 25.0);
        assert_degrees(arm.wrist_deviation, 0.0);
        leave(&b);

        stand(&b);
        bend(&b, links[side][2], left, -18.0); // towards the thumb, which is in front
        arm = angles_of(&b).arms[side];
        assert_degrees(arm.wrist_deviation, 18.0);
        assert_degrees(arm.wrist_flexion, 0.0);
        leave(&b);

        stand(&b);
        bend(&b, links[side][1], left, -90.0);
        bend(&b, links[side][0], up, -out * 80.0); // turned in: the forearm lies before the belly
        arm = angles_of(&b).arms[side];
        assert_true(arm.is_across);
        assert_false(angles_of(&b).arms[1 - side].is_across);
        leave(&b);
    }
}

// A forearm's turn about itself is the same in the link of the forearm and in that of the palm.
static void finds_the_twist_in_either_link(void **state) {
    (void)state;
    body a, b;
    stand(&a);
    stand(&b);
    bend(&a, FR_LINK_LEFT_FOREARM, left, -60.0);
    bend(&b, FR_LINK_LEFT_FOREARM, left, -60.0);
    bend(&a, FR_LINK_LEFT_PALM, up, -40.0);
    bend(&b, FR_LINK_LEFT_FOREARM, up, -40.0);
    fr_arm_angles x = angles_of(&a).arms[FR_WORK_LEFT], y = angles_of(&b).arms[FR_WORK_LEFT];
    assert_degrees(x.wrist_twist, 40.0);
    assert_degrees(x.elbow, 60.0);
    assert_near(x.wrist_twist, y.wrist_twist, 1e-12);
    assert_near(x.elbow, y.elbow, 1e-12);
    leave(&a);
    leave(&b);
}

static void names_the_angles_of_legs(void **state) {
    (void)state;
    body b;
    stand(&b);
    bend(&b, FR_LINK_LEFT_THIGH, left, -85.0);
    bend(&b, FR_LINK_LEFT_SHIN, left, 80.0);
    b.posture.contact_left = 0;
    fr_work_angles a = angles_of(&b);
    assert_degrees(a.legs[FR_WORK_LEFT].thigh, 85.0);
    assert_degrees(a.legs[FR_WORK_LEFT].knee, 80.0);
    assert_false(a.legs[FR_WORK_LEFT].is_bearing);
    assert_degrees(a.legs[FR_WORK_RIGHT].knee, 0.0);
    leave(&b);
}

// A mirrored posture has the angles of the other side.
static void mirrors(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    body b, m;
    stand(&b);
    stand(&m);
    uint64_t count = test_count(200, 20000);
    for (uint64_t i = 0; i < count; i++) {
        for (uint32_t link = 0; link < FR_LINK_COUNT; link++) {
            b.turns[link] = fr_skeleton_clamp(b.skeleton, link, random_turn(&random));
        }
        assert_int_equal(fr_posture_mirror(b.skeleton, &b.posture, &m.posture, NULL), FR_OK);
        fr_work_angles x = angles_of(&b), y = angles_of(&m);
        assert_near(x.trunk_flexion, y.trunk_flexion, 1e-9);
        assert_near(x.trunk_side, -y.trunk_side, 1e-9);
        assert_near(x.neck_twist, -y.neck_twist, 1e-9);
        for (int side = 0; side < 2; side++) {
            const fr_arm_angles *p = &x.arms[side], *q = &y.arms[1 - side];
            assert_near(p->elevation, q->elevation, 1e-9);
            assert_near(p->abduction, q->abduction, 1e-9);
            assert_near(p->elbow, q->elbow, 1e-9);
            assert_near(p->outward, q->outward, 1e-9);
            assert_near(p->wrist_flexion, q->wrist_flexion, 1e-9);
            assert_near(p->wrist_deviation, q->wrist_deviation, 1e-9);
            assert_int_equal(p->is_across, q->is_across);
        }
    }
    leave(&b);
    leave(&m);
}

static void needs_limbs(void **state) {
    (void)state;
    const uint32_t parents[] = {FR_NO_LINK, 0};
    const char *const names[] = {"root", "tip"};
    const fr_vec3 offsets[] = {{0, 0, 0}, {0, 1, 0}};
    fr_skeleton_def def = fr_default_skeleton_def();
    def.link_count = 2;
    def.parents = parents;
    def.names = names;
    def.offsets = offsets;
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create(&def, &skeleton, NULL), FR_OK);
    fr_quat turns[2];
    fr_posture posture = {.turns = turns, .count = 2};
    assert_int_equal(fr_posture_rest(skeleton, &posture, NULL), FR_OK);
    fr_work_angles angles;
    fr_error error = {0};
    assert_int_equal(fr_work_angles_of(skeleton, &posture, &angles, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "humanoid_root"));
    fr_skeleton_release(skeleton);

    body b;
    stand(&b);
    b.posture.count = 3;
    assert_int_equal(fr_work_angles_of(b.skeleton, &b.posture, &angles, NULL), FR_ERROR_ARGUMENT);
    leave(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// Worksheets worked by hand

typedef struct rula_example {
    fr_rula_parts parts;
    uint32_t a, b, score, action;
} rula_example;

static void works_rula_worksheets(void **state) {
    (void)state;
    // Upper arm, lower arm, wrist, twist, neck, trunk, legs, muscle, force; table A, table B, score, action level.
    static const rula_example examples[] = {
        {{1, 1, 1, 1, 1, 1, 1, 0, 0}, 1, 1, 1, 1}, // upright, elbows at a right angle
        {{1, 2, 1, 1, 1, 1, 1, 0, 0}, 2, 1, 2, 1}, // arms hang
        {{2, 2, 2, 1, 2, 2, 1, 0, 0}, 3, 2, 3, 2},
        {{3, 2, 3, 1, 3, 2, 1, 1, 0}, 4, 3, 5, 3}, // typing, head down: C 5, D 4
        {{3, 2, 3, 2, 4, 3, 2, 1, 1}, 4, 7, 7, 4},
        {{4, 3, 4, 2, 6, 6, 2, 1, 3}, 6, 9, 7, 4},
        {{6, 3, 4, 2, 1, 1, 1, 0, 0}, 9, 1, 5, 3},
        {{1, 1, 1, 1, 6, 1, 1, 0, 0}, 1, 8, 5, 3},
        {{5, 2, 3, 2, 2, 4, 2, 0, 2}, 7, 5, 7, 4},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        fr_rula r = fr_rula_combine(&examples[i].parts);
        if (r.a != examples[i].a || r.b != examples[i].b || r.score != examples[i].score ||
            r.action != examples[i].action) {
            fail_msg("example %zu: %u %u %u %u", i, r.a, r.b, r.score, r.action);
        }
    }
}

typedef struct reba_example {
    fr_reba_parts parts;
    uint32_t a, b, c, score, action;
} reba_example;

static void works_reba_worksheets(void **state) {
    (void)state;
    // Trunk, neck, legs, load, upper arm, lower arm, wrist, coupling, activity; A, B, C, score, action level.
    static const reba_example examples[] = {
        {{1, 1, 1, 0, 1, 1, 1, 0, 0}, 1, 1, 1, 1, 0},     {{2, 1, 1, 0, 2, 2, 2, 0, 0}, 2, 3, 2, 2, 1},
        {{3, 2, 2, 1, 3, 2, 2, 1, 1}, 6, 6, 8, 9, 3},     {{4, 2, 3, 2, 4, 1, 2, 0, 1}, 9, 5, 10, 11, 4},
        {{5, 3, 4, 3, 6, 2, 3, 3, 3}, 12, 12, 12, 15, 4}, {{3, 1, 1, 0, 3, 1, 1, 0, 0}, 2, 3, 2, 2, 1},
        {{2, 2, 2, 0, 3, 2, 1, 0, 1}, 4, 4, 4, 5, 2},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        fr_reba r = fr_reba_combine(&examples[i].parts);
        if (r.a != examples[i].a || r.b != examples[i].b || r.c != examples[i].c || r.score != examples[i].score ||
            r.action != examples[i].action) {
            fail_msg("example %zu: %u %u %u %u %u", i, r.a, r.b, r.c, r.score, r.action);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Over all boxes

// All boxes of a worksheet, each from its lowest score to its highest; false after the last one.
static bool next_boxes(uint32_t *boxes, const uint32_t *min, const uint32_t *max, int count) {
    for (int i = 0; i < count; i++) {
        if (boxes[i] < max[i]) {
            boxes[i]++;
            return true;
        }
        boxes[i] = min[i];
    }
    return false;
}

static fr_rula_parts rula_parts(const uint32_t *b) {
    return (fr_rula_parts){b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]};
}

static fr_reba_parts reba_parts(const uint32_t *b) {
    return (fr_reba_parts){b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]};
}

// No box that gets worse makes a score better, and every score comes.
static void never_falls_as_a_box_rises(void **state) {
    (void)state;
    static const uint32_t rula_min[9] = {1, 1, 1, 1, 1, 1, 1, 0, 0}, rula_max[9] = {6, 3, 4, 2, 6, 6, 2, 1, 3};
    static const uint32_t reba_min[9] = {1, 1, 1, 0, 1, 1, 1, 0, 0}, reba_max[9] = {5, 3, 4, 3, 6, 2, 3, 3, 3};
    uint32_t boxes[9], rula_seen = 0, reba_seen = 0;
    memcpy(boxes, rula_min, sizeof boxes);
    do {
        fr_rula_parts parts = rula_parts(boxes);
        fr_rula r = fr_rula_combine(&parts);
        assert_in_range(r.score, 1, FR_RULA_MAX);
        assert_in_range(r.action, 1, 4);
        rula_seen |= 1u << r.score;
        for (int i = 0; i < 9; i++) {
            uint32_t worse[9];
            memcpy(worse, boxes, sizeof worse);
            worse[i]++; // past the highest it counts as the highest
            parts = rula_parts(worse);
            fr_rula w = fr_rula_combine(&parts);
            assert_true(w.score >= r.score && w.action >= r.action && w.a >= r.a && w.b >= r.b);
            if (boxes[i] == rula_max[i]) { assert_int_equal(w.score, r.score); }
        }
    } while (next_boxes(boxes, rula_min, rula_max, 9));
    assert_int_equal(rula_seen, 0xfe);

    memcpy(boxes, reba_min, sizeof boxes);
    do {
        fr_reba_parts parts = reba_parts(boxes);
        fr_reba r = fr_reba_combine(&parts);
        assert_in_range(r.score, 1, FR_REBA_MAX);
        assert_in_range(r.action, 0, 4);
        reba_seen |= 1u << r.score;
        for (int i = 0; i < 9; i++) {
            uint32_t worse[9];
            memcpy(worse, boxes, sizeof worse);
            worse[i]++;
            parts = reba_parts(worse);
            fr_reba w = fr_reba_combine(&parts);
            assert_true(w.score >= r.score && w.action >= r.action && w.a >= r.a && w.b >= r.b);
        }
    } while (next_boxes(boxes, reba_min, reba_max, 9));
    assert_int_equal(reba_seen, 0xfffe);
}

// ---------------------------------------------------------------------------------------------------------------
// Postures to scores

static void scores_postures(void **state) {
    (void)state;
    const fr_work_conditions plain = {0};
    body b;
    stand(&b);
    fr_work_angles a = angles_of(&b);
    assert_int_equal(fr_rula_of(&a, &plain, FR_WORK_RIGHT).score, 2); // hanging arms are stretched
    assert_int_equal(fr_reba_of(&a, &plain, FR_WORK_RIGHT).score, 1);
    bend(&b, FR_LINK_RIGHT_FOREARM, left, -90.0);
    a = angles_of(&b);
    assert_int_equal(fr_rula_of(&a, &plain, FR_WORK_RIGHT).score, 1);
    assert_int_equal(fr_rula_of(&a, &plain, FR_WORK_LEFT).score, 2);

    // A load lifted from the ground: trunk 70 degrees, arms down, knees 50, head up again.
    bend(&b, FR_LINK_HIP, left, 70.0);
    bend(&b, FR_LINK_HEAD, left, -30.0);
    bend(&b, FR_LINK_RIGHT_UPPER_ARM, left, -70.0);
    bend(&b, FR_LINK_RIGHT_FOREARM, left, 90.0);
    for (int i = 0; i < 2; i++) {
        fr_link thigh = i == 0 ? FR_LINK_RIGHT_THIGH : FR_LINK_LEFT_THIGH;
        bend(&b, thigh, left, -95.0);
        bend(&b, i == 0 ? FR_LINK_RIGHT_SHIN : FR_LINK_LEFT_SHIN, left, 50.0);
    }
    a = angles_of(&b);
    fr_work_conditions heavy = {.load = 12.0, .is_repeated = true};
    fr_rula rula = fr_rula_of(&a, &heavy, FR_WORK_RIGHT);
    // Upper arm 70 degrees 3, lower arm 2, wrist 1, twist 1: A 3; neck 4, trunk 4, legs 1: B 7; muscle 1, force 3.
    assert_int_equal(rula.parts.upper_arm, 3);
    assert_int_equal(rula.parts.lower_arm, 2);
    assert_int_equal(rula.parts.neck, 4);
    assert_int_equal(rula.parts.trunk, 4);
    assert_int_equal(rula.c, 7);
    assert_int_equal(rula.d, 11);
    assert_int_equal(rula.score, 7);
    fr_reba reba = fr_reba_of(&a, &heavy, FR_WORK_RIGHT);
    // Trunk 4, neck 2, legs 2: A 6, load 2 -> 8; upper arm 3, lower arm 2, wrist 1: B 4; C 9; activity 1.
    assert_int_equal(reba.parts.legs, 2);
    assert_int_equal(reba.a, 8);
    assert_int_equal(reba.b, 4);
    assert_int_equal(reba.score, 10);
    assert_int_equal(reba.action, 3);

    // The same on one foot, and with what is loaded and held better or worse.
    b.posture.contact_left = 0;
    a = angles_of(&b);
    assert_int_equal(fr_reba_of(&a, &heavy, FR_WORK_RIGHT).parts.legs, 3);
    assert_int_equal(fr_rula_of(&a, &heavy, FR_WORK_RIGHT).parts.legs, 2);
    heavy.is_walking = true;
    assert_int_equal(fr_reba_of(&a, &heavy, FR_WORK_RIGHT).parts.legs, 2);
    heavy.is_seated = true;
    assert_int_equal(fr_reba_of(&a, &heavy, FR_WORK_RIGHT).parts.legs, 1);
    heavy.is_trunk_supported = true;
    assert_int_equal(fr_rula_of(&a, &heavy, FR_WORK_RIGHT).parts.trunk, 1);
    heavy.is_arm_supported[FR_WORK_RIGHT] = true;
    assert_int_equal(fr_rula_of(&a, &heavy, FR_WORK_RIGHT).parts.upper_arm, 2);
    heavy.coupling = 9;
    assert_int_equal(fr_reba_of(&a, &heavy, FR_WORK_RIGHT).parts.coupling, 3);
    leave(&b);
}

// Bands change at the angles of the worksheets.
static void changes_at_the_limits(void **state) {
    (void)state;
    static const struct {
        double angle_deg;
        uint32_t trunk, neck_rula, neck_reba, upper_arm;
    } rows[] = {{-30.0, 3, 4, 2, 2}, {-10.0, 2, 4, 2, 1}, {0.0, 1, 1, 1, 1},  {4.9, 1, 1, 1, 1},
                {9.9, 2, 1, 1, 1},   {10.1, 2, 2, 1, 1},  {19.9, 2, 2, 1, 1}, {20.1, 3, 3, 2, 2},
                {45.1, 3, 3, 2, 3},  {59.9, 3, 3, 2, 3},  {60.1, 4, 3, 2, 3}, {89.9, 4, 3, 2, 3}};
    const fr_work_conditions plain = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        body b;
        stand(&b);
        bend(&b, FR_LINK_CHEST, left, rows[i].angle_deg);
        bend(&b, FR_LINK_HEAD, left, rows[i].angle_deg);
        bend(&b, FR_LINK_LEFT_UPPER_ARM, left, -rows[i].angle_deg);
        fr_work_angles a = angles_of(&b);
        fr_rula rula = fr_rula_of(&a, &plain, FR_WORK_LEFT);
        fr_reba reba = fr_reba_of(&a, &plain, FR_WORK_LEFT);
        assert_int_equal(rula.parts.trunk, rows[i].trunk);
        assert_int_equal(reba.parts.trunk, rows[i].trunk);
        assert_int_equal(rula.parts.neck, rows[i].neck_rula);
        assert_int_equal(reba.parts.neck, rows[i].neck_reba);
        assert_int_equal(rula.parts.upper_arm, rows[i].upper_arm);
        assert_int_equal(reba.parts.upper_arm, rows[i].upper_arm);
        leave(&b);
    }
    static const struct {
        double elbow_deg;
        uint32_t score;
    } elbows[] = {{0.0, 2}, {59.9, 2}, {60.1, 1}, {99.9, 1}, {100.1, 2}};
    for (size_t i = 0; i < sizeof elbows / sizeof elbows[0]; i++) {
        body b;
        stand(&b);
        bend(&b, FR_LINK_LEFT_FOREARM, left, -elbows[i].elbow_deg);
        fr_work_angles a = angles_of(&b);
        assert_int_equal(fr_rula_of(&a, &plain, FR_WORK_LEFT).parts.lower_arm, elbows[i].score);
        leave(&b);
    }
    static const struct {
        double load;
        bool is_repeated, is_shock;
        uint32_t rula, reba;
    } loads[] = {{1.9, true, false, 0, 0},  {2.0, false, false, 1, 0},  {2.0, true, false, 2, 0},
                 {5.0, false, false, 1, 1}, {10.0, false, false, 2, 1}, {10.1, true, false, 3, 2},
                 {0.0, false, true, 3, 1}};
    fr_work_angles zero = {0};
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        fr_work_conditions c = {
            .load = loads[i].load, .is_repeated = loads[i].is_repeated, .is_shock = loads[i].is_shock};
        assert_int_equal(fr_rula_of(&zero, &c, FR_WORK_LEFT).parts.force, loads[i].rula);
        assert_int_equal(fr_reba_of(&zero, &c, FR_WORK_LEFT).parts.load, loads[i].reba);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needs_limbs),
        cmocka_unit_test(has_no_angles_upright),
        cmocka_unit_test(names_the_angles_of_trunk_and_neck),
        cmocka_unit_test(names_the_angles_of_arms),
        cmocka_unit_test(finds_the_twist_in_either_link),
        cmocka_unit_test(names_the_angles_of_legs),
        cmocka_unit_test(mirrors),
        cmocka_unit_test(works_rula_worksheets),
        cmocka_unit_test(works_reba_worksheets),
        cmocka_unit_test(never_falls_as_a_box_rises),
        cmocka_unit_test(scores_postures),
        cmocka_unit_test(changes_at_the_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// RULA (McAtamney and Corlett 1993) and REBA (Hignett and McAtamney 2000): the boxes of their worksheets by angles, and
// their tables.
#include "fureai/human_study.h"

static uint32_t within(uint32_t value, uint32_t min, uint32_t max) {
    return value < min ? min : value > max ? max : value;
}

static bool is_over(double angle, double limit_deg) { return angle > fr_radians(limit_deg); }

// A band of an angle: how many of the limits it exceeds.
static uint32_t band(double angle, const double *limits_deg, uint32_t count) {
    uint32_t over = 0;
    while (over < count && is_over(angle, limits_deg[over])) {
        over++;
    }
    return over;
}

static bool is_turned(double angle) { return is_over(fabs(angle), FR_WORK_TURNED_DEG); }

// ---------------------------------------------------------------------------------------------------------------
// Boxes that both have

// Upper arm: 20 degrees to either side 1; back by more 2; forwards to 45 degrees 2, to 90 3, over 90 4. What goes
// sideways counts by its elevation.
static uint32_t upper_arm(const fr_arm_angles *arm, const fr_work_conditions *conditions, fr_work_side side) {
    static const double limits[] = {20.0, 45.0, 90.0};
    uint32_t score = 1 + band(arm->elevation, limits, 3);
    bool is_back = arm->flexion < 0.0 && arm->elevation < 0.5 * FR_PI && -arm->flexion > fabs(arm->abduction);
    if (is_back && score > 2) { score = 2; }
    score += is_over(arm->abduction, FR_WORK_ABDUCTED_DEG);
    score += conditions->is_shoulder_raised[side];
    return score - (conditions->is_arm_supported[side] && score > 1);
}

// Lower arm: flexed by 60 to 100 degrees 1, else 2.
static uint32_t lower_arm(const fr_arm_angles *arm) {
    return is_over(arm->elbow, 100.0) || !(arm->elbow >= fr_radians(60.0)) ? 2 : 1;
}

// Trunk: upright 1, to 20 degrees 2, to 60 3, over 60 4 forwards; back as forwards, 3 at most (the paper on RULA names
// none; so REBA has it).
static uint32_t trunk(const fr_work_angles *angles) {
    static const double limits[] = {FR_WORK_NEUTRAL_DEG, 20.0, 60.0};
    uint32_t score = 1 + band(fabs(angles->trunk_flexion), limits, 3);
    return angles->trunk_flexion < 0.0 ? within(score, 1, 3) : score;
}

static bool is_bent_wrist(const fr_arm_angles *arm) { return is_turned(arm->wrist_deviation); }

static bool is_twisted_wrist(const fr_arm_angles *arm) {
    return is_over(fabs(arm->wrist_twist), FR_WORK_WRIST_END_DEG);
}

static bool are_feet_bearing(const fr_work_angles *angles) {
    return angles->legs[FR_WORK_RIGHT].is_bearing && angles->legs[FR_WORK_LEFT].is_bearing;
}

// ---------------------------------------------------------------------------------------------------------------
// RULA

static uint32_t rula_force(const fr_work_conditions *conditions) {
    bool is_lasting = conditions->is_static || conditions->is_repeated;
    if (conditions->is_shock) { return 3; }
    if (conditions->load >= 10.0) { return is_lasting ? 3 : 2; }
    return conditions->load >= 2.0 ? is_lasting ? 2 : 1 : 0;
}

fr_rula fr_rula_of(const fr_work_angles *angles, const fr_work_conditions *conditions, fr_work_side side) {
    FR_ASSERT(angles != NULL && conditions != NULL && (unsigned)side < FR_WORK_SIDE_COUNT);
    static const double wrist_limits[] = {FR_WORK_NEUTRAL_DEG, 15.0}, neck_limits[] = {10.0, 20.0};
    const fr_arm_angles *arm = &angles->arms[side];
    fr_rula_parts parts = {.upper_arm = upper_arm(arm, conditions, side)};
    parts.lower_arm = lower_arm(arm) + (arm->is_across || is_over(arm->outward, FR_WORK_OUTWARD_DEG));
    parts.wrist = 1 + band(fabs(arm->wrist_flexion), wrist_limits, 2) + is_bent_wrist(arm);
    parts.wrist_twist = 1 + is_twisted_wrist(arm);
    parts.neck =
        angles->neck_flexion < -fr_radians(FR_WORK_NEUTRAL_DEG) ? 4 : 1 + band(angles->neck_flexion, neck_limits, 2);
    parts.neck += is_turned(angles->neck_twist) + is_turned(angles->neck_side);
    bool is_leaned = conditions->is_seated && conditions->is_trunk_supported;
    parts.trunk = (is_leaned ? 1 : trunk(angles)) + is_turned(angles->trunk_twist);
    parts.trunk += is_turned(angles->trunk_side);
    bool is_balanced = conditions->is_seated || conditions->is_walking || are_feet_bearing(angles);
    parts.legs = is_balanced ? 1 : 2;
    parts.muscle = conditions->is_static || conditions->is_repeated;
    parts.force = rula_force(conditions);
    return fr_rula_combine(&parts);
}

// Table A: rows by upper and lower arm, columns by wrist and its twist.
static const uint8_t rula_a[6][3][8] = {{{1, 2, 2, 2, 2, 3, 3, 3}, {2, 2, 2, 2, 3, 3, 3, 3}, {2, 3, 3, 3, 3, 3, 4, 4}},
                                        {{2, 3, 3, 3, 3, 4, 4, 4}, {3, 3, 3, 3, 3, 4, 4, 4}, {3, 4, 4, 4, 4, 4, 5, 5}},
                                        {{3, 3, 4, 4, 4, 4, 5, 5}, {3, 4, 4, 4, 4, 4, 5, 5}, {4, 4, 4, 4, 4, 5, 5, 5}},
                                        {{4, 4, 4, 4, 4, 5, 5, 5}, {4, 4, 4, 4, 4, 5, 5, 5}, {4, 4, 4, 5, 5, 5, 6, 6}},
                                        {{5, 5, 5, 5, 5, 6, 6, 7}, {5, 6, 6, 6, 6, 7, 7, 7}, {6, 6, 6, 7, 7, 7, 7, 8}},
                                        {{7, 7, 7, 7, 7, 8, 8, 9}, {8, 8, 8, 8, 8, 9, 9, 9}, {9, 9, 9, 9, 9, 9, 9, 9}}};

// Table B: rows by the neck, columns by trunk and legs.
static const uint8_t rula_b[6][12] = {{1, 3, 2, 3, 3, 4, 5, 5, 6, 6, 7, 7}, {2, 3, 2, 3, 4, 5, 5, 5, 6, 7, 7, 7},
                                      {3, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 7}, {5, 5, 5, 6, 6, 7, 7, 7, 7, 7, 8, 8},
                                      {7, 7, 7, 7, 7, 8, 8, 8, 8, 8, 8, 8}, {8, 8, 8, 8, 8, 8, 8, 9, 9, 9, 9, 9}};

// Table C: rows by C (8 and more alike), columns by D (7 and more alike).
static const uint8_t rula_c[8][7] = {{1, 2, 3, 3, 4, 5, 5}, {2, 2, 3, 4, 4, 5, 5}, {3, 3, 3, 4, 4, 5, 6},
                                     {3, 3, 3, 4, 5, 6, 6}, {4, 4, 4, 5, 6, 7, 7}, {4, 4, 5, 6, 6, 7, 7},
                                     {5, 5, 6, 6, 7, 7, 7}, {5, 5, 6, 7, 7, 7, 7}};

fr_rula fr_rula_combine(const fr_rula_parts *parts) {
    FR_ASSERT(parts != NULL);
    fr_rula_parts p = {within(parts->upper_arm, 1, 6),   within(parts->lower_arm, 1, 3), within(parts->wrist, 1, 4),
                       within(parts->wrist_twist, 1, 2), within(parts->neck, 1, 6),      within(parts->trunk, 1, 6),
                       within(parts->legs, 1, 2),        within(parts->muscle, 0, 1),    within(parts->force, 0, 3)};
    fr_rula out = {.parts = p};
    out.a = rula_a[p.upper_arm - 1][p.lower_arm - 1][2 * (p.wrist - 1) + p.wrist_twist - 1];
    out.b = rula_b[p.neck - 1][2 * (p.trunk - 1) + p.legs - 1];
    out.c = out.a + p.muscle + p.force;
    out.d = out.b + p.muscle + p.force;
    out.score = rula_c[within(out.c, 1, 8) - 1][within(out.d, 1, 7) - 1];
    out.action = out.score == FR_RULA_MAX ? 4 : (out.score + 1) / 2;
    return out;
}

// ---------------------------------------------------------------------------------------------------------------
// REBA

// On both feet, walking or seated 1, else 2; of knees that bear, bent by more than 30 degrees one more, by more than 60
// two.
static uint32_t reba_legs(const fr_work_angles *angles, const fr_work_conditions *conditions) {
    static const double limits[] = {30.0, 60.0};
    if (conditions->is_seated) { return 1; }
    uint32_t bent = 0;
    for (int side = 0; side < FR_WORK_SIDE_COUNT; side++) {
        uint32_t knee = angles->legs[side].is_bearing ? band(angles->legs[side].knee, limits, 2) : 0;
        bent = knee > bent ? knee : bent;
    }
    return (conditions->is_walking || are_feet_bearing(angles) ? 1 : 2) + bent;
}

fr_reba fr_reba_of(const fr_work_angles *angles, const fr_work_conditions *conditions, fr_work_side side) {
    FR_ASSERT(angles != NULL && conditions != NULL && (unsigned)side < FR_WORK_SIDE_COUNT);
    const fr_arm_angles *arm = &angles->arms[side];
    fr_reba_parts parts = {.trunk = trunk(angles)};
    parts.trunk += is_turned(angles->trunk_twist) || is_turned(angles->trunk_side);
    bool is_extended = angles->neck_flexion < -fr_radians(FR_WORK_NEUTRAL_DEG);
    parts.neck = is_over(angles->neck_flexion, 20.0) || is_extended ? 2 : 1;
    parts.neck += is_turned(angles->neck_twist) || is_turned(angles->neck_side);
    parts.legs = reba_legs(angles, conditions);
    parts.load = (conditions->load > 10.0 ? 2u : conditions->load >= 5.0 ? 1u : 0u) + conditions->is_shock;
    parts.upper_arm = upper_arm(arm, conditions, side);
    parts.lower_arm = lower_arm(arm);
    parts.wrist = (is_over(fabs(arm->wrist_flexion), 15.0) ? 2u : 1u) + (is_bent_wrist(arm) || is_twisted_wrist(arm));
    parts.coupling = conditions->coupling;
    parts.activity = (uint32_t)conditions->is_static + conditions->is_repeated + conditions->is_rapid;
    return fr_reba_combine(&parts);
}

// Table A: by the trunk, then neck and legs.
static const uint8_t reba_a[5][3][4] = {{{1, 2, 3, 4}, {1, 2, 3, 4}, {3, 3, 5, 6}},
                                        {{2, 3, 4, 5}, {3, 4, 5, 6}, {4, 5, 6, 7}},
                                        {{2, 4, 5, 6}, {4, 5, 6, 7}, {5, 6, 7, 8}},
                                        {{3, 5, 6, 7}, {5, 6, 7, 8}, {6, 7, 8, 9}},
                                        {{4, 6, 7, 8}, {6, 7, 8, 9}, {7, 8, 9, 9}}};

// Table B: by the upper arm, then lower arm and wrist.
static const uint8_t reba_b[6][2][3] = {{{1, 2, 2}, {1, 2, 3}}, {{1, 2, 3}, {2, 3, 4}}, {{3, 4, 5}, {4, 5, 5}},
                                        {{4, 5, 5}, {5, 6, 7}}, {{6, 7, 8}, {7, 8, 8}}, {{7, 8, 8}, {8, 9, 9}}};

// Table C: rows by A, columns by B.
static const uint8_t reba_c[12][12] = {{1, 1, 1, 2, 3, 3, 4, 5, 6, 7, 7, 7},
                                       {1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8},
                                       {2, 3, 3, 3, 4, 5, 6, 7, 7, 8, 8, 8},
                                       {3, 4, 4, 4, 5, 6, 7, 8, 8, 9, 9, 9},
                                       {4, 4, 4, 5, 6, 7, 8, 8, 9, 9, 9, 9},
                                       {6, 6, 6, 7, 8, 8, 9, 9, 10, 10, 10, 10},
                                       {7, 7, 7, 8, 9, 9, 9, 10, 10, 11, 11, 11},
                                       {8, 8, 8, 9, 10, 10, 10, 10, 10, 11, 11, 11},
                                       {9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12},
                                       {10, 10, 10, 11, 11, 11, 11, 12, 12, 12, 12, 12},
                                       {11, 11, 11, 11, 12, 12, 12, 12, 12, 12, 12, 12},
                                       {12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12}};

fr_reba fr_reba_combine(const fr_reba_parts *parts) {
    FR_ASSERT(parts != NULL);
    static const uint32_t levels[] = {1, 3, 7, 10}; // the highest score of action levels 0 .. 3
    fr_reba_parts p = {within(parts->trunk, 1, 5), within(parts->neck, 1, 3),      within(parts->legs, 1, 4),
                       within(parts->load, 0, 3),  within(parts->upper_arm, 1, 6), within(parts->lower_arm, 1, 2),
                       within(parts->wrist, 1, 3), within(parts->coupling, 0, 3),  within(parts->activity, 0, 3)};
    fr_reba out = {.parts = p};
    out.a = reba_a[p.trunk - 1][p.neck - 1][p.legs - 1] + p.load;
    out.b = reba_b[p.upper_arm - 1][p.lower_arm - 1][p.wrist - 1] + p.coupling;
    out.c = reba_c[out.a - 1][out.b - 1];
    out.score = out.c + p.activity;
    while (out.action < 4 && out.score > levels[out.action]) {
        out.action++;
    }
    return out;
}

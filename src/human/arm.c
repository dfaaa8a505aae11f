// The arm as seven angles. Six cases, each with one angle kept, give up to four solutions each (Tolani and Badler 1996,
// with the misprints mended); one more solution keeps the swivel of the elbow. The elbow follows from the distance
// alone. Angles are carried with their sine and cosine, so that an arc tangent is the only function of trigonometry.
#include "fureai/human_reach.h"

#include <math.h>
#include <string.h>

#define ARM_COOKIE 0x41524d31u
#define SMALL 1e-10    // what counts as zero: a sine, a length in metres
#define SLACK 1e-12    // by which an argument of an arc function may exceed 1
#define RESIDUAL 5e-10 // of a solution that is reported, in metres and in the elements of its rotation
#define EDGE 1e-9      // of its length: how far inside the boundary a goal out of reach is placed

// An angle with its sine and cosine.
typedef struct turn {
    double angle, s, c;
} turn;

typedef struct problem {
    double upper, lower;
    fr_mat3 rotation; // of the wrist
    double p1, p2, p3;
    turn previous[8]; // 1 .. 7
    turn elbow;
    double b0;     // c4 lower + upper: the wrist along the upper arm
    double across; // s4 lower: the wrist across it
    fr_mat3 previous_shoulder, previous_wrist;
    const fr_arm_input *input;
    fr_arm_output *output;
} problem;

// ---------------------------------------------------------------------------------------------------------------
// Angles

static turn turn_of(double angle) {
    turn out = {angle, 0.0, 1.0};
    fr_sincos(angle, &out.s, &out.c);
    return out;
}

// The angle of the vector (x, y); 0 for none.
static turn turn_to(double y, double x) {
    double length = sqrt(x * x + y * y);
    if (!(length > 0.0)) { return (turn){0.0, 0.0, 1.0}; }
    return (turn){fr_atan2(y, x), y / length, x / length};
}

static double wrapped(double angle) {
    if (angle > -FR_PI && angle <= FR_PI) { return angle; }
    return angle - 2.0 * FR_PI * floor((angle + FR_PI) / (2.0 * FR_PI));
}

// a + sign b
static turn turn_sum(turn a, double sign, turn b) {
    double bs = sign * b.s;
    return (turn){wrapped(a.angle + sign * b.angle), a.s * b.c + a.c * bs, a.c * b.c - a.s * bs};
}

// The angle t with a cos t - b sin t = c and b cos t + a sin t = d.
static turn solve2(double a, double b, double c, double d) { return turn_to(a * d - b * c, a * c + b * d); }

// Whether |x| is at most 1, within the slack; *root is sqrt(1 - x^2).
static bool cosine_root(double *x, double *root) {
    if (!(fabs(*x) <= 1.0 + SLACK)) { return false; }
    if (*x > 1.0) { *x = 1.0; }
    if (*x < -1.0) { *x = -1.0; }
    *root = sqrt((1.0 - *x) * (1.0 + *x));
    return true;
}

static fr_mat3 turn_x(turn t) { return (fr_mat3){{{1.0, 0.0, 0.0}, {0.0, t.c, -t.s}, {0.0, t.s, t.c}}}; }
static fr_mat3 turn_y(turn t) { return (fr_mat3){{{t.c, 0.0, t.s}, {0.0, 1.0, 0.0}, {-t.s, 0.0, t.c}}}; }
static fr_mat3 turn_z(turn t) { return (fr_mat3){{{t.c, -t.s, 0.0}, {t.s, t.c, 0.0}, {0.0, 0.0, 1.0}}}; }

static fr_mat3 shoulder_of(turn t1, turn t2, turn t3) {
    return fr_mat3_multiply(fr_mat3_multiply(turn_z(t1), turn_x(t2)), turn_z(t3));
}

static fr_mat3 wrist_of(turn t5, turn t6, turn t7) {
    return fr_mat3_multiply(fr_mat3_multiply(turn_y(t5), turn_x(t6)), turn_z(t7));
}

// t1, t2, t3 of a rotation Rz Rx Rz, by the first or second branch; where both turn about one axis, t1 stays.
static void shoulder_angles(fr_mat3 r, int branch, turn previous, turn out[3]) {
    double r13 = r.row[0].z, r23 = r.row[1].z;
    double sign = branch == 0 ? 1.0 : -1.0;
    out[0] = sqrt(r13 * r13 + r23 * r23) < SMALL ? previous : turn_to(sign * r13, -sign * r23);
    double s = out[0].s, c = out[0].c;
    out[1] = turn_to(s * r13 - c * r23, r.row[2].z);
    out[2] = turn_to(-(c * r.row[0].y + s * r.row[1].y), c * r.row[0].x + s * r.row[1].x);
}

// t5, t6, t7 of a rotation Ry Rx Rz, likewise.
static void wrist_angles(fr_mat3 r, int branch, turn previous, turn out[3]) {
    double r13 = r.row[0].z, r33 = r.row[2].z;
    double sign = branch == 0 ? 1.0 : -1.0;
    out[0] = sqrt(r13 * r13 + r33 * r33) < SMALL ? previous : turn_to(sign * r13, sign * r33);
    double s = out[0].s, c = out[0].c;
    out[1] = turn_to(-r.row[1].z, s * r13 + c * r33);
    out[2] = turn_to(-(c * r.row[0].y - s * r.row[2].y), c * r.row[0].x - s * r.row[2].x);
}

// ---------------------------------------------------------------------------------------------------------------
// Solutions

static double rotation_angle(fr_mat3 a, fr_mat3 b) {
    double trace = fr_vec3_dot(a.row[0], b.row[0]) + fr_vec3_dot(a.row[1], b.row[1]) + fr_vec3_dot(a.row[2], b.row[2]);
    double cosine = 0.5 * (trace - 1.0);
    return cosine >= 1.0 ? 0.0 : fr_acos(cosine < -1.0 ? -1.0 : cosine);
}

static double change_of(const problem *p, const turn t[8], fr_mat3 shoulder, fr_mat3 wrist) {
    double sum = 0.0;
    if (p->input->metric == FR_ARM_ANGLE_SUM) {
        for (int i = 1; i < 8; i++) {
            double d = wrapped(t[i].angle - p->previous[i].angle);
            sum += d * d;
        }
        return sum;
    }
    double s = rotation_angle(shoulder, p->previous_shoulder), w = rotation_angle(wrist, p->previous_wrist);
    double e = t[4].angle - p->previous[4].angle;
    return (s * s + e * e) + w * w;
}

// The largest difference between what the angles give and what is wanted.
static double residual_of(const problem *p, fr_mat3 shoulder, fr_mat3 wrist) {
    fr_vec3 place = fr_mat3_apply(shoulder, (fr_vec3){p->across, 0.0, p->b0});
    double worst = fr_vec3_largest(fr_vec3_sub(place, (fr_vec3){p->p1, p->p2, p->p3}));
    fr_mat3 rotation = fr_mat3_multiply(fr_mat3_multiply(shoulder, turn_y(p->elbow)), wrist);
    for (int i = 0; i < 3; i++) {
        double d = fr_vec3_largest(fr_vec3_sub(rotation.row[i], p->rotation.row[i]));
        if (!(d <= worst)) { worst = d; }
    }
    return worst;
}

// Notes a solution, unless rounding near a singularity has spoilt it.
static void note(problem *p, uint32_t fixed, const turn shoulder[3], const turn wrist[3]) {
    turn t[8] = {{0.0, 0.0, 1.0}, shoulder[0], shoulder[1], shoulder[2], p->elbow, wrist[0], wrist[1], wrist[2]};
    fr_mat3 s = shoulder_of(t[1], t[2], t[3]), w = wrist_of(t[5], t[6], t[7]);
    if (!(residual_of(p, s, w) <= RESIDUAL) || p->output->count == FR_ARM_SOLUTIONS_MAX) { return; }

    fr_arm_solution *out = &p->output->solutions[p->output->count];
    for (int i = 1; i < 8; i++) {
        out->angles[i - 1] = t[i].angle;
    }
    out->change = change_of(p, t, s, w);
    out->fixed = fixed;
    if (out->change < p->output->solutions[p->output->best].change) { p->output->best = p->output->count; }
    p->output->count++;
}

// Both wrists that go with a shoulder.
static void add_wrists(problem *p, uint32_t fixed, const turn shoulder[3]) {
    fr_mat3 forearm = fr_mat3_multiply(shoulder_of(shoulder[0], shoulder[1], shoulder[2]), turn_y(p->elbow));
    fr_mat3 r = fr_mat3_multiply(fr_mat3_transpose(forearm), p->rotation);
    bool is_singular = sqrt(r.row[0].z * r.row[0].z + r.row[2].z * r.row[2].z) < SMALL;
    for (int branch = 0; branch < (is_singular ? 1 : 2); branch++) {
        turn wrist[3];
        wrist_angles(r, branch, p->previous[5], wrist);
        note(p, fixed, shoulder, wrist);
    }
}

// Both shoulders that go with a wrist.
static void add_shoulders(problem *p, uint32_t fixed, const turn wrist[3]) {
    fr_mat3 beyond = fr_mat3_multiply(turn_y(p->elbow), wrist_of(wrist[0], wrist[1], wrist[2]));
    fr_mat3 r = fr_mat3_multiply(p->rotation, fr_mat3_transpose(beyond));
    bool is_singular = sqrt(r.row[0].z * r.row[0].z + r.row[1].z * r.row[1].z) < SMALL;
    for (int branch = 0; branch < (is_singular ? 1 : 2); branch++) {
        turn shoulder[3];
        shoulder_angles(r, branch, p->previous[1], shoulder);
        note(p, fixed, shoulder, wrist);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// One angle of the shoulder kept

static void keep_first(problem *p) {
    turn t1 = p->previous[1];
    double x = (t1.c * p->p1 + t1.s * p->p2) / p->across, root = 0.0;
    if (!cosine_root(&x, &root)) { return; }
    double y = -t1.s * p->p1 + t1.c * p->p2;
    for (int branch = 0; branch < (root == 0.0 ? 1 : 2); branch++) {
        turn t3 = turn_to(branch == 0 ? root : -root, x);
        turn t2 = solve2(p->across * t3.s, p->b0, y, p->p3);
        add_wrists(p, 1, (turn[3]){t1, t2, t3});
    }
}

static void keep_second(problem *p, double level) {
    turn t2 = p->previous[2];
    if (fabs(t2.s) < SMALL || level < SMALL) { return; }
    double x = (p->p3 - p->b0 * t2.c) / (p->across * t2.s), root = 0.0;
    if (!cosine_root(&x, &root)) { return; }
    for (int branch = 0; branch < (root == 0.0 ? 1 : 2); branch++) {
        turn t3 = turn_to(x, branch == 0 ? root : -root);
        turn t1 = solve2(p->p2, p->p1, p->across * t3.s * t2.c - p->b0 * t2.s, p->across * t3.c);
        add_wrists(p, 2, (turn[3]){t1, t2, t3});
    }
}

static void keep_third(problem *p, double level) {
    turn t3 = p->previous[3];
    double along = p->across * t3.c, square = (level - along) * (level + along);
    if (level < SMALL || square < -SLACK) { return; }
    double root = square > 0.0 ? sqrt(square) : 0.0;
    for (int branch = 0; branch < (root == 0.0 ? 1 : 2); branch++) {
        turn t1 = turn_sum(turn_to(p->p2, p->p1), branch == 0 ? 1.0 : -1.0, turn_to(root, along));
        turn t2 = solve2(p->p3, -t1.s * p->p1 + t1.c * p->p2, p->b0, p->across * t3.s);
        add_wrists(p, 3, (turn[3]){t1, t2, t3});
    }
}

// ---------------------------------------------------------------------------------------------------------------
// One angle of the wrist kept: the shoulder as the hand sees it

typedef struct shoulder_view {
    double al, be, ga; // the shoulder in the axes of the hand, from the wrist
    double x, z;       // the same in the axes of the forearm
} shoulder_view;

static void keep_fifth(problem *p, const shoulder_view *h) {
    turn t5 = p->previous[5];
    double c = t5.c * h->x - t5.s * h->z, d = t5.s * h->x + t5.c * h->z;
    double length = sqrt(h->al * h->al + h->be * h->be), square = (length - c) * (length + c);
    if (length < SMALL || fabs(d) < SMALL || square < -SLACK) { return; }
    double root = square > 0.0 ? sqrt(square) : 0.0;
    for (int branch = 0; branch < (root == 0.0 ? 1 : 2); branch++) {
        turn t7 = turn_sum(turn_to(-h->be, h->al), branch == 0 ? 1.0 : -1.0, turn_to(root, c));
        double v = h->al * t7.s + h->be * t7.c;
        add_shoulders(p, 5, (turn[3]){t5, turn_to(v * d, h->ga * d), t7});
    }
}

static void keep_sixth(problem *p, const shoulder_view *h) {
    turn t6 = p->previous[6];
    double a = h->al * t6.c, b = h->be * t6.c, c = h->ga * t6.s;
    double length = sqrt(a * a + b * b), square = (length - fabs(c)) * (length + fabs(c));
    if (fabs(t6.c) < SMALL || length < SMALL * fabs(t6.c) || square < -SLACK) { return; }
    double root = square > 0.0 ? sqrt(square) : 0.0;
    for (int branch = 0; branch < (root == 0.0 ? 1 : 2); branch++) {
        turn t7 = turn_sum(turn_to(a, b), branch == 0 ? 1.0 : -1.0, turn_to(root, c));
        double u = h->al * t7.c - h->be * t7.s, v = h->al * t7.s + h->be * t7.c;
        add_shoulders(p, 6, (turn[3]){solve2(h->x, h->z, u, t6.s * v + t6.c * h->ga), t6, t7});
    }
}

static void keep_seventh(problem *p, const shoulder_view *h) {
    turn t7 = p->previous[7];
    double u = h->al * t7.c - h->be * t7.s, v = h->al * t7.s + h->be * t7.c;
    if (sqrt(v * v + h->ga * h->ga) < SMALL) { return; }
    for (int branch = 0; branch < 2; branch++) {
        turn t6 = branch == 0 ? turn_to(v, h->ga) : turn_to(-v, -h->ga);
        turn t5 = solve2(v * t6.s + h->ga * t6.c, u, h->z, h->x);
        add_shoulders(p, 7, (turn[3]){t5, t6, t7});
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The swivel kept, and the straight arm

// The smaller sum of squared wrapped differences from the previous angles picks one of two equal rotations.
static void nearer(const turn *a, const turn *b, const turn *previous, turn *out) {
    double sums[2] = {0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        double da = wrapped(a[i].angle - previous[i].angle), db = wrapped(b[i].angle - previous[i].angle);
        sums[0] += da * da;
        sums[1] += db * db;
    }
    memcpy(out, sums[1] < sums[0] ? b : a, 3 * sizeof *out);
}

// Puts the elbow as near as possible to the direction that it had.
static void keep_swivel(problem *p) {
    fr_vec3 goal = {p->p1, p->p2, p->p3};
    double distance = fr_vec3_length(goal);
    fr_vec3 axis = fr_vec3_unit(goal, (fr_vec3){0.0, 0.0, 1.0});
    fr_mat3 old = fr_mat3_transpose(p->previous_shoulder);
    fr_vec3 off = fr_vec3_add_scaled(old.row[2], -fr_vec3_dot(old.row[2], axis), axis);
    if (fr_vec3_length(off) < SMALL) {
        // A straight arm along the axis: the elbow goes against the direction that the forearm would bend to.
        off = fr_vec3_add_scaled(fr_vec3_negate(old.row[0]), fr_vec3_dot(old.row[0], axis), axis);
    }
    fr_vec3 side = fr_vec3_unit(off, fr_vec3_perpendicular(axis));
    if (p->input->is_swivel_only && p->input->swivel != 0.0) {
        turn by = turn_of(p->input->swivel);
        side = fr_vec3_add_scaled(fr_vec3_scale(by.c, side), by.s, fr_vec3_cross(axis, side));
    }

    // In the plane of the arm: the upper arm is z, and the wrist lies at (across, b0) of x and z.
    double c = p->b0 / distance, s = p->across / distance;
    fr_vec3 z = fr_vec3_add_scaled(fr_vec3_scale(c, axis), s, side);
    fr_vec3 x = fr_vec3_add_scaled(fr_vec3_scale(s, axis), -c, side);
    fr_mat3 shoulder = fr_mat3_transpose((fr_mat3){{x, fr_vec3_cross(z, x), z}});

    turn branches[2][3], chosen[3], hand[3];
    for (int i = 0; i < 2; i++) {
        shoulder_angles(shoulder, i, p->previous[1], branches[i]);
    }
    nearer(branches[0], branches[1], &p->previous[1], chosen);
    fr_mat3 forearm = fr_mat3_multiply(shoulder, turn_y(p->elbow));
    fr_mat3 wrist = fr_mat3_multiply(fr_mat3_transpose(forearm), p->rotation);
    for (int i = 0; i < 2; i++) {
        wrist_angles(wrist, i, p->previous[5], branches[i]);
    }
    nearer(branches[0], branches[1], &p->previous[5], hand);
    note(p, 4, chosen, hand);
}

// Upper arm and forearm on one line: t3 stays, and the bone points at the goal, or away from it where the arm is
// folded.
static void straight(problem *p, double level) {
    double sign = p->b0 < 0.0 ? -1.0 : 1.0;
    for (int branch = 0; branch < (level < SMALL ? 1 : 2); branch++) {
        turn t2 = turn_to(branch == 0 ? level : -level, sign * p->p3);
        turn t1 = level < SMALL ? p->previous[1] : turn_to(sign * p->p1 * t2.s, -sign * p->p2 * t2.s);
        add_wrists(p, 3, (turn[3]){t1, t2, p->previous[3]});
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

fr_arm_input fr_default_arm_input(void) {
    fr_arm_input input = {.upper = 0.316, .lower = 0.248, .cookie = ARM_COOKIE};
    input.previous[1] = 0.5 * FR_PI;
    input.wrist = fr_arm_wrist(input.upper, input.lower, input.previous);
    return input;
}

fr_pose fr_arm_wrist(double upper, double lower, const double angles[FR_ARM_ANGLES]) {
    turn t[FR_ARM_ANGLES];
    for (uint32_t i = 0; i < FR_ARM_ANGLES; i++) {
        t[i] = turn_of(angles[i]);
    }
    fr_mat3 shoulder = shoulder_of(t[0], t[1], t[2]);
    fr_vec3 place = fr_mat3_apply(shoulder, (fr_vec3){t[3].s * lower, 0.0, t[3].c * lower + upper});
    fr_mat3 hand = fr_mat3_multiply(fr_mat3_multiply(shoulder, turn_y(t[3])), wrist_of(t[4], t[5], t[6]));
    return fr_pose_make(place, fr_quat_from_mat3(hand));
}

static fr_status check(const fr_arm_input *input, fr_error *error) {
    if (input->cookie != ARM_COOKIE) { return fr_error_set_cookie(error, "fr_default_arm_input"); }
    fr_pose wrist = fr_pose_make(input->wrist.position, input->wrist.rotation);
    fr_status status = fr_pose_check(&wrist, error);
    if (status != FR_OK) { return status; }
    bool is_finite = isfinite(input->upper) && isfinite(input->lower) && fabs(input->swivel) <= FR_TURN_MAX;
    for (uint32_t i = 0; i < FR_ARM_ANGLES; i++) {
        is_finite = is_finite && isfinite(input->previous[i]);
    }
    if (!is_finite) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a length, an angle or the swivel of the arm is not finite");
    }
    if (!(input->upper > 0.0) || !(input->lower > 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the lengths of the arm, %g and %g m, are not over 0",
                            input->upper, input->lower);
    }
    for (uint32_t i = 0; i < FR_ARM_ANGLES; i++) {
        if (fabs(input->previous[i]) > FR_TURN_MAX) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "previous angle %u, %g, is over %g", i + 1,
                                input->previous[i], FR_TURN_MAX);
        }
    }
    return FR_OK;
}

// Places the goal within reach; returns how far away it was.
static double bring_within_reach(const fr_arm_input *input, fr_vec3 *goal) {
    double far_bound = input->upper + input->lower, near_bound = fabs(input->upper - input->lower);
    double distance = fr_vec3_length(*goal);
    if (distance <= far_bound && distance >= near_bound && distance > SMALL * far_bound) { return 0.0; }
    double wanted = distance > far_bound ? far_bound * (1.0 - EDGE) : near_bound * (1.0 + EDGE) + SMALL * far_bound;
    fr_pose old = fr_arm_wrist(input->upper, input->lower, input->previous);
    fr_vec3 direction = fr_vec3_unit(*goal, fr_vec3_unit(old.position, (fr_vec3){0.0, 0.0, 1.0}));
    *goal = fr_vec3_scale(wanted, direction);
    if (distance > far_bound) { return distance - far_bound; }
    return distance < near_bound ? near_bound - distance : 0.0;
}

static void prepare(problem *p, const fr_arm_input *input, fr_arm_output *output) {
    fr_quat rotation = input->wrist.rotation;
    (void)fr_quat_normalize(&rotation, NULL);
    fr_vec3 goal = input->wrist.position;
    *p = (problem){.upper = input->upper, .lower = input->lower, .rotation = fr_quat_to_mat3(rotation)};
    p->input = input;
    p->output = output;
    output->count = 0;
    output->best = 0;
    output->solutions[0].change = INFINITY;
    output->miss = bring_within_reach(input, &goal);
    p->p1 = goal.x;
    p->p2 = goal.y;
    p->p3 = goal.z;
    for (uint32_t i = 0; i < FR_ARM_ANGLES; i++) {
        p->previous[i + 1] = turn_of(wrapped(input->previous[i]));
    }
    p->previous_shoulder = shoulder_of(p->previous[1], p->previous[2], p->previous[3]);
    p->previous_wrist = wrist_of(p->previous[5], p->previous[6], p->previous[7]);

    double a = input->upper, b = input->lower;
    double cosine = (fr_vec3_length_squared(goal) - a * a - b * b) / (2.0 * a * b);
    double c = cosine > 1.0 ? 1.0 : cosine < -1.0 ? -1.0 : cosine;
    double s = sqrt((1.0 - c) * (1.0 + c));
    p->elbow = (turn){fr_atan2(s, c), s, c};
    p->b0 = c * b + a;
    p->across = s * b;
}

fr_status fr_arm_solve(const fr_arm_input *input, fr_arm_output *output, fr_error *error) {
    fr_status status = check(input, error);
    if (status != FR_OK) { return status; }
    problem p;
    prepare(&p, input, output);
    double level = sqrt(p.p1 * p.p1 + p.p2 * p.p2);
    if (input->is_swivel_only) {
        keep_swivel(&p);
        if (output->count > 0) { return FR_OK; }
    }
    if (p.across < SMALL) {
        straight(&p, level);
    } else {
        keep_first(&p);
        keep_second(&p, level);
        keep_third(&p, level);
    }
    keep_swivel(&p);

    fr_mat3 columns = fr_mat3_transpose(p.rotation);
    fr_vec3 goal = {p.p1, p.p2, p.p3};
    shoulder_view hand = {-fr_vec3_dot(columns.row[0], goal), -fr_vec3_dot(columns.row[1], goal),
                          -fr_vec3_dot(columns.row[2], goal), p.elbow.s * p.upper, -p.elbow.c * p.upper - p.lower};
    if (p.across >= SMALL) {
        keep_fifth(&p, &hand);
        keep_sixth(&p, &hand);
        keep_seventh(&p, &hand);
    }
    return FR_OK;
}

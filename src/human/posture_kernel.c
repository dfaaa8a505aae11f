// Postures in lanes: the links of four bodies, and four turns of one, side by side. Every lane does the same operations
// in the same order, so that the bits depend neither on the instruction set nor on the neighbours.
#include "human/posture_kernel.h"

#include "human/posture.h"
#include "math/wide.h"

// ---------------------------------------------------------------------------------------------------------------
// Lanes

typedef struct quat_lanes {
    fr__d4 w, x, y, z;
} quat_lanes;

typedef struct vec_lanes {
    fr__d4 x, y, z;
} vec_lanes;

FR__WIDE fr__d4 add(fr__d4 a, fr__d4 b) { return fr__d4_add(a, b); }
FR__WIDE fr__d4 sub(fr__d4 a, fr__d4 b) { return fr__d4_sub(a, b); }
FR__WIDE fr__d4 mul(fr__d4 a, fr__d4 b) { return fr__d4_mul(a, b); }

FR__WIDE quat_lanes quats_from_rows(fr__d4 rows[4]) {
    fr__d4_transpose(rows);
    return (quat_lanes){rows[0], rows[1], rows[2], rows[3]};
}

// Four quaternions one after another, and back.
FR__WIDE quat_lanes load_quats(const fr_quat *q) {
    fr__d4 rows[4] = {fr__d4_load(&q[0].w), fr__d4_load(&q[1].w), fr__d4_load(&q[2].w), fr__d4_load(&q[3].w)};
    return quats_from_rows(rows);
}

FR__WIDE void store_quats(fr_quat *q, quat_lanes a) {
    fr__d4 rows[4] = {a.w, a.x, a.y, a.z};
    fr__d4_transpose(rows);
    for (int i = 0; i < 4; i++) {
        fr__d4_store(&q[i].w, rows[i]);
    }
}

// The first `count` of four; the others are the identity.
FR__WIDE quat_lanes load_few_quats(const fr_quat *q, uint32_t count) {
    if (count >= 4) { return load_quats(q); }
    fr_quat few[4] = {{1.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    memcpy(few, q, count * sizeof *q);
    return load_quats(few);
}

FR__WIDE void store_few_quats(fr_quat *q, uint32_t count, quat_lanes a) {
    if (count >= 4) {
        store_quats(q, a);
        return;
    }
    fr_quat few[4];
    store_quats(few, a);
    memcpy(q, few, count * sizeof *q);
}

FR__WIDE fr__d4 dot_lanes(quat_lanes a, quat_lanes b) {
    return add(add(mul(a.w, b.w), mul(a.x, b.x)), add(mul(a.y, b.y), mul(a.z, b.z)));
}

FR__WIDE quat_lanes scale_lanes(fr__d4 s, quat_lanes a) {
    return (quat_lanes){mul(s, a.w), mul(s, a.x), mul(s, a.y), mul(s, a.z)};
}

FR__WIDE quat_lanes add_lanes(quat_lanes a, quat_lanes b) {
    return (quat_lanes){add(a.w, b.w), add(a.x, b.x), add(a.y, b.y), add(a.z, b.z)};
}

FR__WIDE quat_lanes select_lanes(fr__m4 m, quat_lanes a, quat_lanes b) {
    return (quat_lanes){fr__d4_select(m, a.w, b.w), fr__d4_select(m, a.x, b.x), fr__d4_select(m, a.y, b.y),
                        fr__d4_select(m, a.z, b.z)};
}

FR__WIDE quat_lanes unit_lanes(quat_lanes a) {
    return scale_lanes(fr__d4_div(fr__d4_splat(1.0), fr__d4_sqrt(dot_lanes(a, a))), a);
}

// ---------------------------------------------------------------------------------------------------------------
// Forward kinematics

// R(q) v = v + w t + u x t with t = 2 u x v.
FR__WIDE fr_vec3 turn_one(fr_quat q, fr_vec3 v) {
    fr_vec3 t = {2.0 * (q.y * v.z - q.z * v.y), 2.0 * (q.z * v.x - q.x * v.z), 2.0 * (q.x * v.y - q.y * v.x)};
    fr_vec3 turned = {(v.x + q.w * t.x) + (q.y * t.z - q.z * t.y), (v.y + q.w * t.y) + (q.z * t.x - q.x * t.z),
                      (v.z + q.w * t.z) + (q.x * t.y - q.y * t.x)};
    return turned;
}

static void place_one(const fr_skeleton *skeleton, const fr_posture *posture, fr_pose *poses) {
    const fr_skeleton_view *view = &skeleton->view;
    poses[0].rotation = posture->turns[0];
    poses[0].position = posture->place;
    poses[0].scale = 1.0;
    for (uint32_t i = 1; i < view->link_count; i++) {
        const fr_pose *parent = &poses[view->parents[i]];
        fr_vec3 offset = turn_one(parent->rotation, view->offsets[i]), at = parent->position;
        poses[i].rotation = fr__quat_multiply(parent->rotation, posture->turns[i]);
        poses[i].position = (fr_vec3){at.x + offset.x, at.y + offset.y, at.z + offset.z};
        poses[i].scale = 1.0;
    }
}

FR__WIDE quat_lanes multiply_lanes(quat_lanes a, quat_lanes b) {
    return (quat_lanes){
        sub(sub(mul(a.w, b.w), mul(a.x, b.x)), add(mul(a.y, b.y), mul(a.z, b.z))),
        add(add(mul(a.w, b.x), mul(a.x, b.w)), sub(mul(a.y, b.z), mul(a.z, b.y))),
        add(add(mul(a.w, b.y), mul(a.y, b.w)), sub(mul(a.z, b.x), mul(a.x, b.z))),
        add(add(mul(a.w, b.z), mul(a.z, b.w)), sub(mul(a.x, b.y), mul(a.y, b.x))),
    };
}

FR__WIDE vec_lanes turn_lanes(quat_lanes q, fr_vec3 offset) {
    vec_lanes v = {fr__d4_splat(offset.x), fr__d4_splat(offset.y), fr__d4_splat(offset.z)};
    fr__d4 two = fr__d4_splat(2.0);
    vec_lanes t = {mul(two, sub(mul(q.y, v.z), mul(q.z, v.y))), mul(two, sub(mul(q.z, v.x), mul(q.x, v.z))),
                   mul(two, sub(mul(q.x, v.y), mul(q.y, v.x)))};
    return (vec_lanes){add(add(v.x, mul(q.w, t.x)), sub(mul(q.y, t.z), mul(q.z, t.y))),
                       add(add(v.y, mul(q.w, t.y)), sub(mul(q.z, t.x), mul(q.x, t.z))),
                       add(add(v.z, mul(q.w, t.z)), sub(mul(q.x, t.y), mul(q.y, t.x)))};
}

typedef struct pose_lanes {
    quat_lanes rotation;
    vec_lanes position;
} pose_lanes;

// One link of four bodies.
FR__WIDE quat_lanes load_turns(const fr_posture *postures, uint32_t link) {
    fr__d4 rows[4] = {fr__d4_load(&postures[0].turns[link].w), fr__d4_load(&postures[1].turns[link].w),
                      fr__d4_load(&postures[2].turns[link].w), fr__d4_load(&postures[3].turns[link].w)};
    return quats_from_rows(rows);
}

FR__WIDE void store_poses(pose_lanes pose, fr_pose *poses, uint32_t stride) {
    fr__d4 rotation[4] = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
    fr__d4 rest[4] = {pose.position.x, pose.position.y, pose.position.z, fr__d4_splat(1.0)};
    fr__d4_transpose(rotation);
    fr__d4_transpose(rest);
    for (uint32_t b = 0; b < 4; b++) {
        double *out = &poses[(size_t)b * stride].rotation.w;
        fr__d4_store(out, rotation[b]);
        fr__d4_store(out + 4, rest[b]);
    }
}

_Static_assert(sizeof(fr_pose) == 8 * sizeof(double), "a pose is stored as eight doubles");

static void place_four(const fr_skeleton *skeleton, const fr_posture *postures, fr_pose *poses) {
    const fr_skeleton_view *view = &skeleton->view;
    uint32_t count = view->link_count;
    pose_lanes slots[FR__MAX_SLOTS];
    const double x[4] = {postures[0].place.x, postures[1].place.x, postures[2].place.x, postures[3].place.x};
    const double y[4] = {postures[0].place.y, postures[1].place.y, postures[2].place.y, postures[3].place.y};
    const double z[4] = {postures[0].place.z, postures[1].place.z, postures[2].place.z, postures[3].place.z};
    slots[0].rotation = load_turns(postures, 0);
    slots[0].position = (vec_lanes){fr__d4_load(x), fr__d4_load(y), fr__d4_load(z)};
    store_poses(slots[0], poses, count);
    for (uint32_t k = 0; k + 1 < count; k++) {
        fr__link_step step = skeleton->steps[k];
        pose_lanes parent = slots[step.parent_slot], pose;
        vec_lanes offset = turn_lanes(parent.rotation, view->offsets[step.link]), at = parent.position;
        pose.rotation = multiply_lanes(parent.rotation, load_turns(postures, step.link));
        pose.position = (vec_lanes){add(at.x, offset.x), add(at.y, offset.y), add(at.z, offset.z)};
        slots[step.slot] = pose;
        store_poses(pose, poses + step.link, count);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Slerp

// The sum of an even number of terms[i] z^i, two terms at a time: half as long a chain of operations as one at a time.
FR__WIDE fr__d4 series_lanes(const double *terms, int count, fr__d4 z) {
    fr__d4 square = mul(z, z), sum = add(fr__d4_splat(terms[count - 2]), mul(z, fr__d4_splat(terms[count - 1])));
    for (int i = count - 4; i >= 0; i -= 2) {
        sum = add(add(fr__d4_splat(terms[i]), mul(z, fr__d4_splat(terms[i + 1]))), mul(square, sum));
    }
    return sum;
}

// The arc between two quaternions of one side is at most pi/2, and tan(arc / 2) = |b - a| / |b + a|. Two times halved
// it is tan(arc / 8), at most 0.1990, where twelve terms of the arctangent's series leave less than 2^-60.
FR__WIDE fr__d4 arc_lanes(fr__d4 apart_squared, fr__d4 sum_squared) {
    static const double terms[12] = {-1.0 / 3.0,  1.0 / 5.0,  -1.0 / 7.0,  1.0 / 9.0,  -1.0 / 11.0, 1.0 / 13.0,
                                     -1.0 / 15.0, 1.0 / 17.0, -1.0 / 19.0, 1.0 / 21.0, -1.0 / 23.0, 1.0 / 25.0};
    fr__d4 one = fr__d4_splat(1.0), tangent = fr__d4_sqrt(fr__d4_div(apart_squared, sum_squared));
    for (int i = 0; i < 2; i++) {
        tangent = fr__d4_div(tangent, add(one, fr__d4_sqrt(add(one, mul(tangent, tangent)))));
    }
    fr__d4 square = mul(tangent, tangent), series = series_lanes(terms, 12, square);
    return mul(fr__d4_splat(8.0), add(tangent, mul(mul(tangent, square), series)));
}

// The sine of 0 .. pi/2: the first term left out is below 2^-59.
FR__WIDE fr__d4 sine_lanes(fr__d4 x) {
    static const double terms[10] = {-1.0 / 6.0,
                                     1.0 / 120.0,
                                     -1.0 / 5040.0,
                                     1.0 / 362880.0,
                                     -1.0 / 39916800.0,
                                     1.0 / 6227020800.0,
                                     -1.0 / 1307674368000.0,
                                     1.0 / 355687428096000.0,
                                     -1.0 / 121645100408832000.0,
                                     1.0 / 51090942171709440000.0};
    fr__d4 square = mul(x, x), series = series_lanes(terms, 10, square);
    return add(x, mul(mul(x, square), series));
}

// Below this arc a straight line keeps its speed within 1e-10.
#define SHORT_ARC 1e-5

FR__WIDE quat_lanes slerp_lanes(quat_lanes a, quat_lanes b, fr__d4 t) {
    fr__d4 zero = fr__d4_splat(0.0), from = sub(fr__d4_splat(1.0), t), to = t;
    fr__m4 is_far = fr__d4_lt(dot_lanes(a, b), zero);
    quat_lanes minus = {fr__d4_neg(b.w), fr__d4_neg(b.x), fr__d4_neg(b.y), fr__d4_neg(b.z)};
    b = select_lanes(is_far, minus, b);
    quat_lanes apart = {sub(b.w, a.w), sub(b.x, a.x), sub(b.y, a.y), sub(b.z, a.z)}, sum = add_lanes(a, b);
    fr__d4 arc = arc_lanes(dot_lanes(apart, apart), dot_lanes(sum, sum));
    fr__m4 is_short = fr__d4_le(arc, fr__d4_splat(SHORT_ARC));
    from = fr__d4_select(is_short, from, sine_lanes(mul(from, arc)));
    to = fr__d4_select(is_short, to, sine_lanes(mul(to, arc)));
    return unit_lanes(add_lanes(scale_lanes(from, a), scale_lanes(to, b)));
}

static void slerp(const fr_quat *from, const fr_quat *to, double t, uint32_t count, fr_quat *out) {
    for (uint32_t i = 0; i < count; i += 4) {
        quat_lanes a = load_few_quats(from + i, count - i), b = load_few_quats(to + i, count - i);
        store_few_quats(out + i, count - i, slerp_lanes(a, b, fr__d4_splat(t)));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Mean

// Weights of four links, brought into FR_MIN_WEIGHT .. FR_MAX_WEIGHT; what is less, and NaN, is 0.
FR__WIDE fr__d4 load_weights(const double *weights, uint32_t count) {
    double few[4] = {0.0, 0.0, 0.0, 0.0};
    if (count < 4) { memcpy(few, weights, count * sizeof *weights); }
    fr__d4 w = fr__d4_load(count < 4 ? few : weights);
    fr__m4 is_weight = fr__d4_ge(w, fr__d4_splat(FR_MIN_WEIGHT));
    return fr__d4_select(is_weight, fr__d4_min(w, fr__d4_splat(FR_MAX_WEIGHT)), fr__d4_splat(0.0));
}

// Turns and weights of four links of one motion.
typedef struct motion_lanes {
    quat_lanes turn;
    fr__d4 weight;
} motion_lanes;

FR__WIDE motion_lanes load_motion(const fr_weighted_posture *motion, uint32_t link, uint32_t count) {
    return (motion_lanes){load_few_quats(motion->posture.turns + link, count),
                          load_weights(motion->weights + link, count)};
}

// Motions that are kept in lanes from one look at them to the next; what is beyond is loaded again.
#define KEPT_MOTIONS 4

// The mean of four links. The sum never vanishes: every turn is on the reference's side, so that its length along it is
// the largest weight at least. (The source takes the largest where |sum| is below 1e-6 of the weights, which a million
// motions would need.)
FR__WIDE quat_lanes mean_lanes(const fr__mean_work *work, size_t motion_count, uint32_t link, uint32_t count) {
    motion_lanes kept[KEPT_MOTIONS];
    fr__d4 zero = fr__d4_splat(0.0), total = zero, largest = zero;
    quat_lanes none = {zero, zero, zero, zero}, reference = none, sum = none;
    for (size_t m = 0; m < motion_count; m++) {
        motion_lanes motion = load_motion(&work->motions[m], link, count);
        if (m < KEPT_MOTIONS) { kept[m] = motion; }
        fr__m4 is_larger = fr__d4_gt(motion.weight, largest);
        total = add(total, motion.weight);
        reference = select_lanes(is_larger, motion.turn, reference);
        largest = fr__d4_select(is_larger, motion.weight, largest);
    }
    for (size_t m = 0; m < motion_count; m++) {
        motion_lanes motion = m < KEPT_MOTIONS ? kept[m] : load_motion(&work->motions[m], link, count);
        fr__m4 is_far = fr__d4_lt(dot_lanes(motion.turn, reference), zero);
        fr__d4 side = fr__d4_select(is_far, fr__d4_neg(motion.weight), motion.weight);
        // A motion that does not care may have any numbers, NaN included.
        sum = add_lanes(sum, select_lanes(fr__d4_gt(motion.weight, zero), scale_lanes(side, motion.turn), none));
    }
    // One motion alone: the reference as it is. None: the previous turn.
    quat_lanes result = select_lanes(fr__d4_gt(total, largest), unit_lanes(sum), reference);
    fr__m4 is_kept = fr__d4_le(total, zero);
    if (fr__m4_bits(is_kept) == 0) { return result; }
    return select_lanes(is_kept, load_few_quats(work->previous->turns + link, count), result);
}

// One loop for each number of motions that is common, so that they stay in registers.
FR__WIDE void mean_of(const fr__mean_work *work, size_t motion_count) {
    uint32_t links = work->previous->count, i = 0;
    fr_quat *out = work->out->turns;
    for (; i + 4 <= links; i += 4) {
        store_quats(out + i, mean_lanes(work, motion_count, i, 4));
    }
    if (i < links) { store_few_quats(out + i, links - i, mean_lanes(work, motion_count, i, links - i)); }
}

static void mean(const fr__mean_work *work) {
    switch (work->count) {
    case 1: mean_of(work, 1); break;
    case 2: mean_of(work, 2); break;
    case 3: mean_of(work, 3); break;
    default: mean_of(work, work->count); break;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Stored turns

static void read_floats(const float *numbers, uint32_t count, fr_quat *out) {
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const float *p = numbers + (size_t)4 * i;
        fr__d4 rows[4] = {fr__d4_load_floats(p), fr__d4_load_floats(p + 4), fr__d4_load_floats(p + 8),
                          fr__d4_load_floats(p + 12)};
        store_quats(out + i, unit_lanes(quats_from_rows(rows)));
    }
    for (; i < count; i++) {
        const float *p = numbers + (size_t)4 * i;
        fr_quat q = {(double)p[0], (double)p[1], (double)p[2], (double)p[3]};
        double inverse = 1.0 / sqrt((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));
        out[i] = (fr_quat){inverse * q.w, inverse * q.x, inverse * q.y, inverse * q.z};
    }
}

const fr__posture_kernel_table FR_KERNEL_NAME(fr__posture_kernel) = {place_one, place_four, slerp, mean, read_floats};

// Bounds that hold the path of a point, box or ball on a motion.
//
// On one world axis a point is at x0 + g(t), g(t) = t d + w(f), f = angle t, w(f) = q sin f - p (1 - cos f) (arm.h).
// The interval is cut into pieces of at most half a radian. On a piece [a, b] two upper bounds are taken (lower ones
// are those of -g), and the smaller one counts:
//
//   1 parabola   g is its chord plus a part bent by g'' = -angle^2 s, s(f) = p cos f + q sin f. Where s <= s_max,
//                g(t) <= chord(t) + 4 K x (1 - x), K = max(0, s_max) (f_b - f_a)^2 / 8, x from 0 to 1 on the piece
//                (the error of linear interpolation). With D = g_b - g_a the top of that parabola is
//                (g_a + g_b) / 2 + K + D^2 / (16 K) when |D| < 4 K, else the higher end.
//   2 apart      max(t d) + max w over the piece, w = s - p.
//
//                 . - ' - .
//             .      K     b      x0 + g over one piece: the chord from a to b, and the parabola that is bent as
//           '    . - '            much as the path anywhere on the piece.
//          a - '
//
// s on a piece shorter than half a turn is greatest at an end, or is the amplitude A where its slope
// s' = q cos f - p sin f changes sign from + to -. Bound 1 is exact to third order in the piece's angle, bound 2 when
// nothing travels. Turns over 24 pieces take [-A, A] for s, which several turns fill anyway.
#include "math/path_bounds.h"

#include "math/outward.h"

static const fr_bounds EVERYWHERE = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};

static fr__turn_moment moment_at(double angle, double t) {
    fr__swing swing = fr__swing_at(angle, t);
    fr__turn_moment moment = {t, swing.sine, 1.0 - swing.versine, swing.versine};
    return moment;
}

void fr__sweep_make(fr__sweep *sweep, const fr_motion *motion, double t0, double t1) {
    fr__axis axis = fr__axis_of_turn(motion->turn);
    sweep->axis = axis;
    sweep->pivot = fr_pose_apply(&motion->start, motion->pivot_local);
    sweep->travel = motion->travel;
    sweep->t_end = t1;
    sweep->angle_end = axis.angle * t1;

    double pieces = axis.angle * (t1 - t0) / FR__PIECE_ANGLE;
    int last = pieces < FR__PIECES_MAX ? 1 + (int)pieces : 1;
    sweep->piece_count = pieces < FR__PIECES_MAX ? last : 0;

    // Pieces share their ends, doubles, so nothing is left between them.
    sweep->moment[0] = moment_at(axis.angle, t0);
    for (int i = 0; i < last; i++) {
        double t = i + 1 == last ? t1 : t0 + (t1 - t0) * ((double)(i + 1) / (double)last);
        sweep->moment[i + 1] = moment_at(axis.angle, t);
        // The angle's error is 2.5u, that of the difference and the product 2u, of the square, the factor and K 14u; (1
        // + 2^-48) is 32u.
        double angle = axis.angle * (t - sweep->moment[i].t);
        sweep->bend[i] = angle * angle / 8.0 * (1.0 + 0x1p-48);
    }
}

// One world axis of a point.
typedef struct track {
    double across, tangent; // p, q
    double travel;          // d
    double amplitude;       // A, rounded up
    double swing_error;     // of s, s' and A
    double travel_error;    // of x0 + g, and of what is computed from it
} track;

typedef struct value_range {
    double low, high;
} value_range;

// The errors, from those of arm.h, with f = angle at t1, l = reach, u = 2^-53:
//   s, s'   14.5 + 6.5 + 1 + 2 + 2 + (14 + 12) f <= 26 (1 + f), A 14.5 + 6.5 + 3: all within 32u (1 + f) l; squares
//           below 2^-1022 are wrong by 2^-1074, so A by 2^-537
//   g       51u f l, t d and both sums: 54u f l + 2u t |d|
//   top     with |g| <= t |d| + 2 f l, K <= f l / 16: four roundings of g and eight of K, and as much again for the
//           choice of case: 10u f l + 5u t |d|
//   x0 + g  the last two sums: 2u |g| + u |x0|, so 4u f l + 2u t |d| + u |x0|
// so 80u f l + 10u t |d| + 1.25u |x0| in all. A turn below 2^-1022 has lost bits: 2^-1000 takes its place; a product
// below it has lost 2^-1075.
static track track_make(const fr__sweep *sweep, double x0, double across, double tangent, double travel, double reach) {
    const double u = FR__UNIT_ROUNDOFF;
    double swing_error = 32.0 * u * (1.0 + sweep->angle_end) * reach + 0x1p-536;
    double travel_error = 80.0 * u * (sweep->angle_end + 0x1p-1000) * reach + 10.0 * u * sweep->t_end * fabs(travel) +
                          1.25 * u * fabs(x0) + 0x1p-1070;
    double amplitude = sqrt(across * across + tangent * tangent) + swing_error;
    track k = {across, tangent, travel, amplitude, swing_error, travel_error};
    return k;
}

// The numbers of a track at a moment.
typedef struct track_value {
    double straight;    // t d
    double turned;      // w
    double wave, slope; // s and s'
} track_value;

static track_value place_at(const track *k, const fr__turn_moment *moment) {
    track_value p = {moment->t * k->travel, moment->sine * k->tangent - moment->versine * k->across,
                     k->across * moment->cosine + k->tangent * moment->sine,
                     k->tangent * moment->cosine - k->across * moment->sine};
    return p;
}

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

// Bound 1: the top of the parabola over the chord from a to b.
static double parabola_top(double a, double b, double k) {
    double rise = b - a;
    if (fabs(rise) >= 4.0 * k) { return larger(a, b); }
    return 0.5 * (a + b) + (k + rise * rise / (16.0 * k));
}

// An upper bound for g between two places, travel_error not yet added. Counting a crest too many is safe: A is never
// below s.
static double piece_top(const track *k, const track_value *a, const track_value *b, double bend) {
    bool has_crest = a->slope >= -k->swing_error && b->slope <= k->swing_error;
    double wave_top = has_crest ? k->amplitude : larger(a->wave, b->wave) + k->swing_error;
    double parabola = parabola_top(a->straight + a->turned, b->straight + b->turned, larger(wave_top, 0.0) * bend);

    double turned_top = has_crest ? (k->amplitude - k->across) + 2.0 * k->swing_error : larger(a->turned, b->turned);
    return smaller(parabola, larger(a->straight, b->straight) + turned_top);
}

static track track_mirrored(track k) {
    k.across = -k.across;
    k.tangent = -k.tangent;
    k.travel = -k.travel;
    return k;
}

static track_value place_mirrored(track_value p) {
    track_value mirrored = {-p.straight, -p.turned, -p.wave, -p.slope};
    return mirrored;
}

// Bounds for g over the whole interval.
static value_range track_range(const fr__sweep *sweep, const track *up) {
    track down = track_mirrored(*up);
    track_value a = place_at(up, &sweep->moment[0]), minus_a = place_mirrored(a);
    double top = -INFINITY, minus_bottom = -INFINITY;
    for (int i = 0; i < sweep->piece_count; i++) {
        track_value b = place_at(up, &sweep->moment[i + 1]), minus_b = place_mirrored(b);
        top = larger(top, piece_top(up, &a, &b, sweep->bend[i]));
        minus_bottom = larger(minus_bottom, piece_top(&down, &minus_a, &minus_b, sweep->bend[i]));
        a = b;
        minus_a = minus_b;
    }
    if (sweep->piece_count == 0) {
        track_value b = place_at(up, &sweep->moment[1]);
        double swing = up->amplitude + 2.0 * up->swing_error;
        top = larger(a.straight, b.straight) + (swing - up->across);
        minus_bottom = larger(-a.straight, -b.straight) + (swing + up->across);
    }
    value_range g = {-(minus_bottom + up->travel_error), top + up->travel_error};
    return g;
}

// The bounds of a coordinate that turns; unbounded where they cannot be computed.
static value_range turning_range(const fr__sweep *sweep, double x0, double across, double tangent, double travel,
                                 double reach) {
    track k = track_make(sweep, x0, across, tangent, travel, reach);
    if (!(sweep->angle_end <= FR_TURN_MAX && isfinite(k.travel_error) && isfinite(k.swing_error))) {
        return (value_range){-INFINITY, INFINITY};
    }
    value_range g = track_range(sweep, &k);
    return (value_range){x0 + g.low, x0 + g.high};
}

// The bounds of x0 + t d, t0 <= t <= t1, each end rounded outwards by itself.
static value_range straight_range(const fr__sweep *sweep, double x0, double d) {
    double t0 = sweep->moment[0].t, t1 = sweep->t_end;
    return (value_range){
        smaller(fr__add_down(x0, fr__multiply_down(t0, d)), fr__add_down(x0, fr__multiply_down(t1, d))),
        larger(fr__add_up(x0, fr__multiply_up(t0, d)), fr__add_up(x0, fr__multiply_up(t1, d)))};
}

fr_bounds fr__sweep_point(const fr__sweep *sweep, fr_vec3 x0) {
    fr_vec3 travel = sweep->travel;
    if (!fr_vec3_is_finite(x0) || !fr_vec3_is_finite(travel)) { return EVERYWHERE; }
    value_range x, y, z;
    if (sweep->axis.angle == 0.0) {
        x = straight_range(sweep, x0.x, travel.x);
        y = straight_range(sweep, x0.y, travel.y);
        z = straight_range(sweep, x0.z, travel.z);
    } else {
        fr__arm arm = fr__arm_make(&sweep->axis, x0, sweep->pivot);
        x = turning_range(sweep, x0.x, arm.across.x, arm.tangent.x, travel.x, arm.reach);
        y = turning_range(sweep, x0.y, arm.across.y, arm.tangent.y, travel.y, arm.reach);
        z = turning_range(sweep, x0.z, arm.across.z, arm.tangent.z, travel.z, arm.reach);
    }
    return (fr_bounds){{x.low, y.low, z.low}, {x.high, y.high, z.high}};
}

fr_bounds fr_motion_path_bounds(const fr_motion *motion, fr_vec3 point_local, double t0, double t1) {
    FR_ASSERT(0.0 <= t0 && t0 <= t1 && t1 <= 1.0);
    fr__sweep sweep;
    fr__sweep_make(&sweep, motion, t0, t1);
    return fr__sweep_point(&sweep, fr_pose_apply(&motion->start, point_local));
}

// A margin that is not known leaves nothing bounded.
static fr_bounds grow_or_everywhere(const fr_bounds *bounds, double margin) {
    return margin < INFINITY ? fr_bounds_grow(bounds, margin) : EVERYWHERE;
}

// x(t) is affine in x0, and x0 in v but for rounding. So, at each t, a point of the box is in the hull of the corners
// up to its own rounding and the corners', each at most fr_pose_rounding: the union of the corners' bounds, grown by
// twice that, holds it.
fr_bounds fr_motion_box_bounds(const fr_motion *motion, const fr_bounds *box_local, double t0, double t1) {
    FR_ASSERT(0.0 <= t0 && t0 <= t1 && t1 <= 1.0);
    if (fr_bounds_is_empty(box_local)) { return fr_bounds_empty(); }
    if (!fr_vec3_is_finite(box_local->min) || !fr_vec3_is_finite(box_local->max)) { return EVERYWHERE; }
    fr__sweep sweep;
    fr__sweep_make(&sweep, motion, t0, t1);
    fr__frame frame = fr__frame_make(&motion->start);
    fr_bounds bounds = fr_bounds_empty();
    for (int i = 0; i < 8; i++) {
        fr_vec3 corner = {(i & 1) != 0 ? box_local->max.x : box_local->min.x,
                          (i & 2) != 0 ? box_local->max.y : box_local->min.y,
                          (i & 4) != 0 ? box_local->max.z : box_local->min.z};
        fr_bounds path = fr__sweep_point(&sweep, fr__frame_apply(&frame, corner));
        bounds = fr_bounds_union(&bounds, &path);
    }
    double largest = fmax(fr_vec3_largest(box_local->min), fr_vec3_largest(box_local->max));
    return grow_or_everywhere(&bounds, 2.0 * fr_pose_rounding(&motion->start, largest));
}

// At each t a point of the ball is as far from the centre as at t = 0: the scaled radius, and both points' rounding.
fr_bounds fr_motion_ball_bounds(const fr_motion *motion, fr_vec3 center_local, double radius_local, double t0,
                                double t1) {
    FR_ASSERT(radius_local >= 0.0);
    fr_bounds path = fr_motion_path_bounds(motion, center_local, t0, t1);
    double rounding = fr_pose_rounding(&motion->start, fr_vec3_largest(center_local) + radius_local);
    double radius = motion->start.scale * radius_local + 2.0 * rounding;
    return grow_or_everywhere(&path, radius * (1.0 + 0x1p-50));
}

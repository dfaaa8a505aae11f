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
#include "math/arm.h"
#include "math/outward.h"

#define PIECE_ANGLE 0.5
#define PIECES_MAX 24

static const fr_bounds EVERYWHERE = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};

// What all points of a motion share over t0 .. t1.
typedef struct sweep {
    fr__axis axis;
    fr_vec3 pivot, travel;
    int piece_count;  // 0: more than PIECES_MAX, the sine takes all values
    double t_end;     // t1
    double angle_end; // angle turned at t1, the largest
    double t[PIECES_MAX + 1];
    fr__swing swing[PIECES_MAX + 1];
    double piece_angle[PIECES_MAX]; // rounded up
} sweep;

static sweep sweep_make(const fr_motion *motion, double t0, double t1) {
    sweep s;
    s.axis = fr__axis_of_turn(motion->turn);
    s.pivot = fr_pose_apply(&motion->start, motion->pivot_local);
    s.travel = motion->travel;
    s.t_end = t1;
    s.angle_end = s.axis.angle * t1;
    double angle = s.axis.angle * (t1 - t0);
    s.piece_count = angle <= PIECE_ANGLE * PIECES_MAX ? 1 + (int)(angle / PIECE_ANGLE) : 0;
    if (s.piece_count > PIECES_MAX) { s.piece_count = PIECES_MAX; }

    // Pieces share their ends, doubles, so nothing is left between them.
    int last = s.piece_count > 0 ? s.piece_count : 1;
    for (int i = 0; i <= last; i++) {
        s.t[i] = i == last ? t1 : t0 + (t1 - t0) * ((double)i / (double)last);
        s.swing[i] = fr__swing_at(s.axis.angle, s.t[i]);
        // The angle's and the difference's errors are within 4.5u, the products' as well.
        if (i > 0) { s.piece_angle[i - 1] = s.axis.angle * (s.t[i] - s.t[i - 1]) * (1.0 + 0x1p-48); }
    }
    return s;
}

// One world axis of a point.
typedef struct track {
    double across, tangent; // p, q
    double travel;          // d
    double amplitude;       // A, rounded up
    double swing_error;     // of s, s' and A
    double way_error;       // of g, and of what is computed from it
} track;

// The errors, from those of arm.h, with f = angle at t1, l = reach, u = 2^-53:
//   s, s'   14.5 + 6.5 + 1 + 2 + 2 + (14 + 12) f <= 26 (1 + f), A 14.5 + 6.5 + 3: all within 32u (1 + f) l; squares
//           below 2^-1022 are wrong by 2^-1074, so A by 2^-537
//   g       51u f l, t d and both sums: 54u f l + 2u t |d|
//   top     with |g| <= t |d| + 2 f l, K <= f l / 16: four roundings of g and eight of K, and as much again for the
//           choice of case: 10u f l + 5u t |d|
// so 72u f l + 8u t |d| for bound 1. A turn below 2^-1022 has lost bits: 2^-1000 takes its place.
static track track_make(const sweep *s, double across, double tangent, double travel, double reach) {
    const double u = FR__UNIT_ROUNDOFF;
    track k = {across, tangent, travel, 0.0, 0.0, 0.0};
    k.swing_error = 32.0 * u * (1.0 + s->angle_end) * reach + 0x1p-536;
    k.amplitude = sqrt(across * across + tangent * tangent) + k.swing_error;
    k.way_error = 72.0 * u * (s->angle_end + 0x1p-1000) * reach + 8.0 * u * s->t_end * fabs(travel);
    return k;
}

// Bound 1: the top of the parabola over the chord from a to b.
static double parabola_top(double a, double b, double k) {
    double rise = b - a;
    if (fabs(rise) >= 4.0 * k) { return a > b ? a : b; }
    return 0.5 * (a + b) + (k + rise * rise / (16.0 * k));
}

// An upper bound for g on piece i, errors not yet added but where they bear on a choice.
static double piece_top(const sweep *s, const track *k, int i) {
    double t[2], wave[2], slope[2], turned[2];
    for (int j = 0; j < 2; j++) {
        fr__swing swing = s->swing[i + j];
        double cosine = 1.0 - swing.versine;
        t[j] = s->t[i + j] * k->travel;
        wave[j] = k->across * cosine + k->tangent * swing.sine;
        slope[j] = k->tangent * cosine - k->across * swing.sine;
        turned[j] = swing.sine * k->tangent - swing.versine * k->across;
    }
    // Counting a crest too many is safe: A is never below s.
    bool has_crest = slope[0] >= -k->swing_error && slope[1] <= k->swing_error;
    double wave_top = has_crest ? k->amplitude : (wave[0] > wave[1] ? wave[0] : wave[1]) + k->swing_error;

    double bend = wave_top > 0.0 ? wave_top * (s->piece_angle[i] * s->piece_angle[i] / 8.0) * (1.0 + 0x1p-48) : 0.0;
    double parabola = parabola_top(t[0] + turned[0], t[1] + turned[1], bend);

    double turned_top = turned[0] > turned[1] ? turned[0] : turned[1];
    if (has_crest) { turned_top = (k->amplitude - k->across) + 2.0 * k->swing_error; }
    double apart = (t[0] > t[1] ? t[0] : t[1]) + turned_top;
    return parabola < apart ? parabola : apart;
}

// An upper bound for g over the whole interval; infinite when it cannot be computed.
static double track_top(const sweep *s, const track *k) {
    if (!(s->angle_end <= FR_TURN_MAX && isfinite(k->way_error) && isfinite(k->swing_error))) { return INFINITY; }
    if (s->piece_count == 0) {
        double t0 = s->t[0] * k->travel, t1 = s->t[1] * k->travel;
        return (t0 > t1 ? t0 : t1) + ((k->amplitude - k->across) + 2.0 * k->swing_error) + k->way_error;
    }
    double top = -INFINITY;
    for (int i = 0; i < s->piece_count; i++) {
        double piece = piece_top(s, k, i);
        top = piece > top ? piece : top;
    }
    return top + k->way_error;
}

// The bounds of x0 + t d, t0 <= t <= t1, each end rounded outwards by itself.
static void straight_range(double x0, double d, double t0, double t1, double *low, double *high) {
    double low0 = fr__add_down(x0, fr__multiply_down(t0, d)), low1 = fr__add_down(x0, fr__multiply_down(t1, d));
    double high0 = fr__add_up(x0, fr__multiply_up(t0, d)), high1 = fr__add_up(x0, fr__multiply_up(t1, d));
    *low = low0 < low1 ? low0 : low1;
    *high = high0 > high1 ? high0 : high1;
}

static void axis_range(const sweep *s, double x0, double across, double tangent, double travel, double reach,
                       double *low, double *high) {
    track up = track_make(s, across, tangent, travel, reach);
    track down = up;
    down.across = -across;
    down.tangent = -tangent;
    down.travel = -travel;
    *low = fr__add_down(x0, -track_top(s, &down));
    *high = fr__add_up(x0, track_top(s, &up));
}

// The bounds of the path of a point that is at x0 when t = 0.
static fr_bounds path_bounds(const sweep *s, fr_vec3 x0) {
    fr_bounds b = EVERYWHERE;
    if (!fr_vec3_is_finite(x0) || !fr_vec3_is_finite(s->travel)) { return b; }
    if (s->axis.angle == 0.0) {
        double t0 = s->t[0], t1 = s->t[1];
        straight_range(x0.x, s->travel.x, t0, t1, &b.min.x, &b.max.x);
        straight_range(x0.y, s->travel.y, t0, t1, &b.min.y, &b.max.y);
        straight_range(x0.z, s->travel.z, t0, t1, &b.min.z, &b.max.z);
    } else {
        fr__arm arm = fr__arm_make(&s->axis, x0, s->pivot);
        axis_range(s, x0.x, arm.across.x, arm.tangent.x, s->travel.x, arm.reach, &b.min.x, &b.max.x);
        axis_range(s, x0.y, arm.across.y, arm.tangent.y, s->travel.y, arm.reach, &b.min.y, &b.max.y);
        axis_range(s, x0.z, arm.across.z, arm.tangent.z, s->travel.z, arm.reach, &b.min.z, &b.max.z);
    }
    return b;
}

fr_bounds fr_motion_path_bounds(const fr_motion *motion, fr_vec3 point_local, double t0, double t1) {
    FR_ASSERT(0.0 <= t0 && t0 <= t1 && t1 <= 1.0);
    sweep s = sweep_make(motion, t0, t1);
    return path_bounds(&s, fr_pose_apply(&motion->start, point_local));
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
    sweep s = sweep_make(motion, t0, t1);
    fr__frame frame = fr__frame_make(&motion->start);
    fr_bounds bounds = fr_bounds_empty();
    for (int i = 0; i < 8; i++) {
        fr_vec3 corner = {(i & 1) != 0 ? box_local->max.x : box_local->min.x,
                          (i & 2) != 0 ? box_local->max.y : box_local->min.y,
                          (i & 4) != 0 ? box_local->max.z : box_local->min.z};
        fr_bounds path = path_bounds(&s, fr__frame_apply(&frame, corner));
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

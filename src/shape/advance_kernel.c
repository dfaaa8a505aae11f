// Conservative advancement along directions (after Mirtich 1996 and Tang, Kim and Manocha 2009), with all rounding
// errors bounded.
//
//        a      n         b        At t the closest points give a unit direction n, and what they are on a rate x at
//      /|  . --------> .  |\       which it turns. As long as every corner of b is farther along n + h x than every
//     / |                 | \      corner of a, by more than |n + h x| m, the sets are farther apart than m, whatever n
//     --+                 +--      and x are. Each of the up to 9 differences D = b_j - a_i is known at t with its
//                                  changes D' and D'', and then is off by no more than K h^2 / 2, and T h^3 / 6 where
// D'' is counted: K the sum of angle^2 radius of both, T of angle^3 radius (a straight path has none), of each what n
// sees of it, |n x axis|. So for h up to H
//
//     (n + h x) . D(t + h) >= n . D + h (x . D + n . D') - h^2 / 2 C,
//     C = H |x| K - 2 x . D' + the lesser of K_n and H T_n / 3 - n . D'',
//
// and |n + h x| <= 1 + h |n . x| + h^2 |x|^2 / 2: the time until the first of them reaches the target m + e / 2 is
// proven free. Then n is computed again. A distance up to m + e is accepted. The part between e / 2 and e covers the
// arithmetic, whose error is below e / 32, twice for n and h x, and a quarter more for D''.
//
// n is a hint: the proof holds for any n. Where rounding made it poor (slivers, edges nearly parallel), the accurate
// distance takes over, which is known within 4 errors, and the step (distance - target) / speed is free too. Each step
// takes at least (e / 4) / speed, so the search ends; in practice it takes two or three.
#include "shape/advance.h"
#include "shape/gap_lanes.h"
#include "shape/path_lanes.h"

// A step is shortened by this, which covers the roundings of its computation.
#define STEP_SAFE (1.0 - 0x1p-40)

// Longer than any step there is.
#define STEP_MAX 2.0

static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }

typedef struct advance_state {
    const fr__moving_pair *pair;
    corner_paths path_a, path_b;
    corner_state a, b;
    double angle; // the larger one
} advance_state;

// ---------------------------------------------------------------------------------------------------------------
// One step

// The step that a direction proves free.
typedef struct free_step {
    double step;    // proven free; may be infinite; 0: none
    double gap;     // the smallest distance along the direction
    double closing; // how fast that distance shrinks
} free_step;

// The shortest of several times, and whether all of them are valid.
typedef struct race {
    fr__d4 step;
    fr__m4 is_free;
} race;

static inline race start_race(void) {
    fr__d4 longest = fr__d4_splat(STEP_MAX);
    return (race){longest, fr__d4_eq(longest, longest)};
}

// Adds the time in which gap + h speed - bend h^2 / 2 stays at or above 0. The time is not valid without a gap, or
// where a number is beyond the limits. Of two equal quotients, the one whose sum does not cancel is used. Where the gap
// opens, bend < 0, it may never close; rounding of the root then hides at most a few u of the gap, which the tolerance
// covers.
static inline void run_race(race *r, fr__d4 gap, fr__d4 speed, fr__d4 bend) {
    fr__d4 zero = fr__d4_splat(0.0), twice = fr__d4_add(gap, gap), never = fr__d4_splat((double)INFINITY);
    fr__d4 square = fr__d4_add(fr__d4_mul(speed, speed), fr__d4_mul(bend, twice)), root = fr__d4_sqrt(square);
    fr__m4 closes = fr__d4_le(speed, zero);
    fr__m4 opens = fr__m4_or(fr__d4_lt(square, zero), fr__m4_and(fr__d4_gt(speed, zero), fr__d4_le(bend, zero)));
    fr__d4 over = fr__d4_select(closes, twice, fr__d4_add(root, speed));
    fr__d4 under = fr__d4_select(closes, fr__d4_sub(root, speed), bend);
    fr__d4 time = fr__d4_select(opens, never, fr__d4_div(over, under));
    r->step = fr__d4_min(time, r->step);
    r->is_free = fr__m4_and(r->is_free, fr__m4_and(fr__d4_gt(gap, zero), fr__d4_ge(time, zero)));
}

static inline double shortest_of(const race *r) {
    _Alignas(32) double step[4];
    if (fr__m4_bits(r->is_free) != 15) { return 0.0; }
    fr__d4_store_aligned(step, r->step);
    return smaller(smaller(step[0], step[1]), step[2]);
}

// |n x axis| of a unit vector, rounded up: the part of n on which a turn about the axis acts.
static inline double bendable(const fr__swept *s, fr_vec3 n) {
    if (s->axis.angle == 0.0) { return 0.0; }
    return fr_vec3_length(fr_vec3_cross(n, s->axis.unit)) * (1.0 + 0x1p-40) + 0x1p-48;
}

// The step by the circles of the corners instead of their positions: points move straight with their circles' centres
// and reach as far along n as the circles do. This is good for many turns and far sets, where positions say little.
static double circle_step(const fr__moving_pair *pair, double t, fr_vec3 n, double need, double sine_a, double sine_b) {
    double low[3], low_speed[3], step = STEP_MAX;
    for (int j = 0; j < 3; j++) {
        const fr__swept *b = &pair->b;
        fr_vec3 centre = fr_vec3_add_scaled(b->start[j], t, b->travel[j]);
        double radius = 0.0;
        if (b->axis.angle > 0.0) { centre = fr_vec3_sub(centre, b->across[j]), radius = fr__swept_radius(b, j); }
        low[j] = fr_vec3_dot(n, centre) - sine_b * radius;
        low_speed[j] = fr_vec3_dot(n, b->travel[j]);
    }
    for (int i = 0; i < 3; i++) {
        const fr__swept *a = &pair->a;
        fr_vec3 centre = fr_vec3_add_scaled(a->start[i], t, a->travel[i]);
        double radius = 0.0;
        if (a->axis.angle > 0.0) { centre = fr_vec3_sub(centre, a->across[i]), radius = fr__swept_radius(a, i); }
        double high = fr_vec3_dot(n, centre) + sine_a * radius, high_speed = fr_vec3_dot(n, a->travel[i]);
        for (int j = 0; j < 3; j++) {
            double gap = low[j] - high - need, speed = low_speed[j] - high_speed;
            if (!(gap > 0.0)) { return 0.0; }
            if (gap + step * speed < 0.0) { step = gap / -speed; }
        }
    }
    return step;
}

static inline int highest(const double v[3]) {
    int k = v[1] > v[0] ? 1 : 0;
    return v[2] > v[k] ? 2 : k;
}

// A direction, and how fast it turns.
typedef struct heading {
    fr_vec3 n, x;
} heading;

// The heights of a set: n . p, x . p + n . p' and n . p'', and 2 x . p' besides.
typedef struct wide_heights {
    fr__d4 at, speed, pull, turn;
} wide_heights;

FR__WIDE wide_heights heights_of(const corner_state *p, const heading *along, bool turns) {
    const corners n = splat_corner(along->n);
    wide_heights h = {dot_corners(&n, &p->at), dot_corners(&n, &p->velocity), dot_corners(&n, &p->pull),
                      fr__d4_splat(0.0)};
    if (turns) {
        const corners x = splat_corner(along->x);
        fr__d4 half = dot_corners(&x, &p->velocity);
        h.speed = fr__d4_add(dot_corners(&x, &p->at), h.speed);
        h.turn = fr__d4_add(half, half);
    }
    return h;
}

// H, and the bounds that hold for all differences.
typedef struct allowance {
    double horizon; // H: a little more than the time that the closest two have at their speed, at most that of a radian
    double bend, twist;    // K_n and H T_n / 3, each with H |x| K
    double slope, swell;   // of |n + h x|, times the target
    double sine_a, sine_b; // |n x axis|
} allowance;

FR__WIDE allowance allowance_of(const advance_state *s, const heading *along, bool turns, double need, double room,
                                double closing) {
    const fr__swept *a = &s->pair->a, *b = &s->pair->b;
    double rate = turns ? fr_vec3_length(along->x) * (1.0 + 0x1p-40) : 0.0, fastest = larger(s->angle, rate);
    allowance out = {1.0 / fastest, 0.0, 0.0, 0.0, 0.0, bendable(a, along->n), bendable(b, along->n)};
    if (1.25 * room * fastest < closing) { out.horizon = 1.25 * room / closing; }
    if (s->angle > 0.0) {
        double tilt = out.horizon * rate * (a->bend + b->bend);
        double twist = out.sine_a * a->bend * a->axis.angle + out.sine_b * b->bend * b->axis.angle;
        out.bend = (out.sine_a * a->bend + out.sine_b * b->bend + tilt) * (1.0 + 0x1p-40);
        out.twist = (out.horizon * twist / 3.0 + tilt) * (1.0 + 0x1p-40);
    }
    if (turns) {
        out.slope = need * fabs(fr_vec3_dot(along->n, along->x)) * (1.0 + 0x1p-40);
        out.swell = need * rate * rate;
    }
    return out;
}

// The heights of the upper set in memory, to read single corners.
typedef struct set_heights {
    _Alignas(32) double at[4];
    double speed[4], pull[4], turn[4];
} set_heights;

static inline void store_heights(const wide_heights *from, set_heights *out) {
    fr__d4_store_aligned(out->at, from->at);
    fr__d4_store_aligned(out->speed, from->speed);
    fr__d4_store_aligned(out->pull, from->pull);
    fr__d4_store_aligned(out->turn, from->turn);
}

// The step that the direction proves free at t, down to the distance `target`. `turns` is false where x is 0.
FR__WIDE free_step step_along(const advance_state *s, double t, const heading *along, bool turns, double target) {
    wide_heights a = heights_of(&s->a, along, turns), b = heights_of(&s->b, along, turns);
    set_heights low, high;
    store_heights(&a, &low);
    store_heights(&b, &high);
    int i = highest(low.at), j = least_of_three(high.at);
    free_step found = {0.0, high.at[j] - low.at[i], low.speed[i] - high.speed[j]};
    double need = target * (1.0 + 0x1p-40) + (turns ? s->pair->error : 0.0);
    if (!(found.gap > need)) { return found; }

    allowance allowed = allowance_of(s, along, turns, need, found.gap - need, found.closing);
    fr__d4 all = fr__d4_splat(allowed.bend), rest = fr__d4_splat(allowed.twist), swell = fr__d4_splat(allowed.swell);
    race r = start_race();
    for (int k = 0; k < 3; k++) {
        fr__d4 gap = fr__d4_sub(fr__d4_sub(fr__d4_splat(high.at[k]), a.at), fr__d4_splat(need));
        fr__d4 speed = fr__d4_sub(fr__d4_sub(fr__d4_splat(high.speed[k]), a.speed), fr__d4_splat(allowed.slope));
        fr__d4 curve = fr__d4_min(fr__d4_add(fr__d4_sub(a.pull, fr__d4_splat(high.pull[k])), rest), all);
        if (turns) { curve = fr__d4_add(curve, fr__d4_add(fr__d4_sub(a.turn, fr__d4_splat(high.turn[k])), swell)); }
        run_race(&r, gap, speed, curve);
    }
    found.step = smaller(shortest_of(&r), allowed.horizon);
    // A prediction is good for a radian; beyond that the circles are used.
    if (!turns && found.step * s->angle > 0.99) {
        found.step = larger(found.step, circle_step(s->pair, t, along->n, need, allowed.sine_a, allowed.sine_b));
    }
    return found;
}

// ---------------------------------------------------------------------------------------------------------------
// A direction that turns

// Up to two edges to which the direction stays perpendicular, and how they change.
typedef struct edges {
    fr_vec3 edge[3], rate[3];
    int count;
} edges;

static inline void take_edge(edges *out, const fr__moving *m, int from, int to) {
    out->edge[out->count] = fr_vec3_sub(m->at[to], m->at[from]);
    out->rate[out->count] = fr_vec3_sub(m->velocity[to], m->velocity[from]);
    out->count++;
}

static inline void take_support(edges *out, const fr__moving *m, fr__support support, int from, int count) {
    if (support == FR__FACE) {
        take_edge(out, m, 0, 1);
        take_edge(out, m, 0, 2);
    } else if (support == FR__EDGE) {
        take_edge(out, m, from, from + 1 < count ? from + 1 : 0);
    }
}

// How n must change so that it stays perpendicular to the edges the closest points are on: x . u = -n . u' for each
// edge u. With two of them and n along u x v, x = (-(n . u') v x n - (n . v') n x u) / (n . u x v).
static inline fr_vec3 rate_of(const edges *e, fr_vec3 n) {
    fr_vec3 zero = {0.0, 0.0, 0.0};
    if (e->count == 1) {
        double squared = fr_vec3_length_squared(e->edge[0]);
        return squared > 0.0 ? fr_vec3_scale(-fr_vec3_dot(n, e->rate[0]) / squared, e->edge[0]) : zero;
    }
    if (e->count != 2) { return zero; }
    double volume = fr_vec3_dot(n, fr_vec3_cross(e->edge[0], e->edge[1]));
    if (volume == 0.0) { return zero; }
    double by_u = -fr_vec3_dot(n, e->rate[0]) / volume, by_v = -fr_vec3_dot(n, e->rate[1]) / volume;
    return fr_vec3_add(fr_vec3_scale(by_u, fr_vec3_cross(e->edge[1], n)),
                       fr_vec3_scale(by_v, fr_vec3_cross(n, e->edge[0])));
}

// ---------------------------------------------------------------------------------------------------------------
// The search

// Along a path the features seldom change, so those of the last time are tried first.
static inline void quick_gap(const advance_state *s, fr__arrival *at) {
    const fr__moving_pair *pair = s->pair;
    if (pair->a.count == 3) {
        if (!fr__gap_by_features(at->a.at, at->b.at, &at->gap)) {
            gap_of_lanes(&s->a.at, at->a.at, &s->b.at, at->b.at, &at->gap);
        }
    } else if (pair->a.count == 2) {
        fr__gap_of_edges(at->a.at, at->b.at, &at->gap);
    } else {
        fr__gap_of_vertex(at->a.at, at->b.at, &at->gap);
    }
    at->distance = sqrt(at->gap.squared);
}

// The accurate distance, within 64 * 2^-53 D: less than 4 errors. Two corners are no farther apart than
// D = 2 sqrt(3) g + sqrt(3) (d + d') + f l + f' l', and 64 D <= 4 (64 g + 32 (d + d') + 200 (f l + f' l')).
static void accurate_gap(const fr__moving_pair *pair, fr__arrival *at) {
    fr_vec3 on_a, on_b;
    double distance = at->distance;
    if (pair->a.count == 3) {
        distance = fr_triangle_distance(at->a.at, at->b.at, &on_a, &on_b);
    } else if (pair->a.count == 2) {
        distance = fr_segment_distance(at->a.at, at->b.at, &on_a, &on_b);
    }
    if (distance < at->distance) { at->gap.on_a = on_a, at->gap.on_b = on_b, at->distance = distance; }
}

static inline fr_vec3 unit_of(fr_vec3 n) { return fr_vec3_scale(1.0 / fr_vec3_length(n), n); }

// The unit direction between the closest points. The difference of points very near to each other is mostly rounding.
// The edges they are on give a better direction, unless these are nearly parallel.
static inline fr_vec3 direction_of(const fr__moving_pair *pair, const fr__arrival *at, const edges *supports) {
    fr_vec3 n = fr_vec3_sub(at->gap.on_b, at->gap.on_a);
    if (supports->count == 2 && !(at->distance > 0x1p+24 * pair->error)) {
        fr_vec3 u = supports->edge[0], v = supports->edge[1], across = fr_vec3_cross(u, v);
        double squared = fr_vec3_length_squared(across);
        if (squared > 0x1p-20 * fr_vec3_length_squared(u) * fr_vec3_length_squared(v)) {
            n = fr_vec3_dot(across, n) < 0.0 ? fr_vec3_negate(across) : across;
        }
    }
    return unit_of(n);
}

// The step along the direction between the closest points, which turns with their features, or along a fixed direction
// where the first step is shorter than the closing speed of the points would allow.
static free_step best_step(const advance_state *s, const fr__arrival *at, double target) {
    const fr__moving_pair *pair = s->pair;
    edges supports;
    supports.count = 0;
    take_support(&supports, &at->a, at->gap.support_a, at->gap.i, pair->a.count);
    take_support(&supports, &at->b, at->gap.support_b, at->gap.j, pair->b.count);
    heading along;
    along.n = direction_of(pair, at, &supports);
    along.x = rate_of(&supports, along.n);
    free_step turning = {0.0, 0.0, 0.0};
    double squared = fr_vec3_length_squared(along.x);
    if (squared > 0.0 && squared < (double)INFINITY) {
        turning = step_along(s, at->t, &along, true, target);
        if (turning.step >= 1.0 || turning.step * turning.closing >= 0.5 * (at->distance - target)) { return turning; }
    }
    free_step still = step_along(s, at->t, &along, false, target);
    still.step = larger(still.step, turning.step);
    return still;
}

// Three times the mean of the corners.
static inline fr_vec3 sum_of(const fr_vec3 p[3]) { return fr_vec3_add(fr_vec3_add(p[0], p[1]), p[2]); }

// For sets far apart the line between their means is a good direction. 0: the sets are not that far apart.
static double far_step(const advance_state *s, const fr__arrival *at, double target) {
    heading along = {fr_vec3_scale(1.0 / 3.0, fr_vec3_sub(sum_of(at->b.at), sum_of(at->a.at))), {0.0, 0.0, 0.0}};
    double distance = fr_vec3_length(along.n);
    along.n = fr_vec3_scale(1.0 / distance, along.n);
    free_step found = step_along(s, at->t, &along, false, target);
    return found.gap > 0.5 * distance ? found.step : 0.0;
}

static inline void take_places(advance_state *s, fr__arrival *at) {
    place_at(&s->pair->a, &s->path_a, at->t, &s->a);
    place_at(&s->pair->b, &s->path_b, at->t, &s->b);
    store_corners(&s->a.at, at->a.at);
    store_corners(&s->b.at, at->b.at);
}

static inline void take_speeds(const advance_state *s, fr__arrival *at) {
    store_corners(&s->a.velocity, at->a.velocity);
    store_corners(&s->b.velocity, at->b.velocity);
}

// The free step from at->t on; 0: the sets are within reach there.
static double advance_once(const advance_state *s, bool may_be_far, fr__arrival *at) {
    const fr__moving_pair *pair = s->pair;
    double accept = pair->separation + pair->tolerance - pair->error;
    double target = pair->separation + 0.5 * pair->tolerance;
    if (may_be_far) {
        double step = far_step(s, at, target);
        if (step > 0.0) { return step; }
    }
    quick_gap(s, at);
    if (at->distance <= accept) { return 0.0; }
    take_speeds(s, at);
    free_step along = best_step(s, at, target);
    if (along.gap - target >= 0.5 * (at->distance - target)) { return along.step; }

    // The direction shows less than half of the distance.
    accurate_gap(pair, at);
    if (at->distance <= accept) { return 0.0; }
    free_step again = best_step(s, at, target);
    double by_speed = (at->distance - 4.0 * pair->error - target) / (pair->a.speed + pair->b.speed);
    return larger(by_speed, larger(along.step, again.step));
}

// The cap is for paths that turn by at most this angle in all. Paths that turn farther may take as many steps again for
// each such angle, because an obstacle that is passed once a turn costs some steps each time.
#define RADIANS_A_CAP 64.0

static uint32_t max_steps(const fr__moving_pair *pair, uint32_t cap) {
    double turn = pair->a.axis.angle + pair->b.axis.angle, limit = turn / RADIANS_A_CAP * cap;
    if (!(limit > cap && turn <= 2.0 * FR_TURN_MAX)) { return cap; }
    return limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
}

static void run(const fr__moving_pair *pair, double begin, double end, uint32_t cap, fr__arrival *out) {
    uint32_t limit = max_steps(pair, cap);
    advance_state s;
    s.pair = pair;
    s.angle = larger(pair->a.axis.angle, pair->b.axis.angle);
    load_paths(&pair->a, &s.path_a);
    load_paths(&pair->b, &s.path_b);
    out->t = begin;
    out->hit = out->capped = false;
    out->gap = (fr__gap){.feature = FR_FEATURE_UNKNOWN};
    for (out->steps = 1;; out->steps++) {
        take_places(&s, out);
        double step = advance_once(&s, out->steps == 1 && limit > 1, out);
        if (!(step > 0.0)) { // NaN too: numbers beyond the limits never count as separate
            out->hit = true;
            break;
        }
        double next = out->t + STEP_SAFE * step;
        if (next > end || pair->is_together) { return; }
        if (out->steps >= limit) {
            out->hit = out->capped = true;
            break;
        }
        out->t = next;
    }
    take_speeds(&s, out);
}

const fr__advance_kernel_table FR_KERNEL_NAME(fr__advance_kernel) = {.run = run};

// Conservative advancement along directions (after Mirtich 1996 and Tang, Kim and Manocha 2009), with every bound kept.
//
//        a      n         b        At t the closest points give a direction n. As long as every corner of b is farther
//      /|  . --------> .  |\       along n than every corner of a, by more than |n| m, the sets are farther apart than
//     / |                 | \      m, whatever n is. Each of the up to 9 distances n . (b_j - a_i) is known at t with
//     --+                 +--      its speed w and can lose no more than K h^2 / 2 besides over a time h, K = the sum
//                                  of |n x axis| angle^2 radius of both (a straight path has none). So
//
//              gap_ij(t + h) >= gap_ij(t) + h w_ij - K h^2 / 2
//
// and the time until the first of them reaches the target |n| (m + e / 2) is proven free. Then n is taken anew. A set
// of the answer m + e is accepted; between e / 2 and e there is room for the arithmetic, whose error is below e / 32.
//
// n is a hint: the proof asks nothing of it. Where rounding made it poor (slivers, edges nearly parallel), the accurate
// distance takes over, which is known within 4 errors, and the step (distance - target) / speed is free too. Each step
// takes at least (e / 4) / speed, so the search ends; in practice it takes two or three.
#include "shape/advance.h"

#include "shape/triangle_triangle.h"

// A step is shortened by this, which covers the roundings of its computation.
#define STEP_SAFE (1.0 - 0x1p-40)

// Longer than any step there is.
#define STEP_MAX 2.0

// A place known within `error` on each side, e >= 32 errors: the comment above counts on it.
#define ERRORS_A_TOLERANCE 32.0

static double larger(double a, double b) { return a > b ? a : b; }

// Whether two motions take every point of the world the same way, as those of the triangles of one object do.
static bool is_same_motion(const fr__guide *a, const fr__guide *b) {
    return a->is_motion && b->is_motion && a->axis.angle == b->axis.angle &&
           fr_vec3_equal(a->axis.unit, b->axis.unit) && fr_vec3_equal(a->pivot, b->pivot) &&
           fr_vec3_equal(a->travel, b->travel);
}

void fr__chase_make(fr__chase *chase, const fr__guide *guide_a, const fr_triangle_path *a, int count_a,
                    const fr__guide *guide_b, const fr_triangle_path *b, int count_b, const fr_time_options *options) {
    double largest = fr_vec3_largest(a->start[0]);
    for (int i = 0; i < count_b; i++) {
        largest = larger(largest, fr_vec3_largest(b->start[i]));
    }
    chase->origin = a->start[0];
    fr__swept_make(&chase->a, guide_a, a->start, a->end, count_a, chase->origin, largest);
    fr__swept_make(&chase->b, guide_b, b->start, b->end, count_b, chase->origin, largest);
    chase->separation = options->separation;
    chase->error = chase->a.error + chase->b.error;
    chase->is_together = is_same_motion(guide_a, guide_b);
    chase->tolerance = larger(options->tolerance, ERRORS_A_TOLERANCE * chase->error);
}

// ---------------------------------------------------------------------------------------------------------------
// One step

// How far a direction lets the search go.
typedef struct way {
    double step;    // proven free; may be infinite; 0: none
    double least;   // the least distance along the unit direction
    double closing; // how fast that one shrinks
} way;

// The time in which gap + h speed - bend h^2 / 2 stays at or above 0, for gap > 0.
static double free_time(double gap, double speed, double bend) {
    if (bend == 0.0) { return speed < 0.0 ? gap / -speed : (double)INFINITY; }
    double root = sqrt(speed * speed + 2.0 * bend * gap);
    return speed <= 0.0 ? 2.0 * gap / (root - speed) : (root + speed) / bend;
}

// The step, or the free time of this gap where that is shorter; 0 without a gap. Most gaps outlast the step of another
// one, which is quicker to see than how long they last.
static double shorter_step(double step, double gap, double speed, double bend) {
    if (!(gap > 0.0)) { return 0.0; }
    if (gap + step * (speed - 0.5 * bend * step) >= 0.0) { return step; }
    double free = free_time(gap, speed, bend);
    return free < step ? free : step;
}

// |n x axis|, rounded up: what of n a turn about the axis can bend.
static double bendable(const fr__swept *s, fr_vec3 n, double n_length) {
    if (s->axis.angle == 0.0) { return 0.0; }
    return fr_vec3_length(fr_vec3_cross(n, s->axis.unit)) * (1.0 + 0x1p-40) + 0x1p-48 * n_length;
}

// By the circles instead of the places on them: points go straight with their circles' centres and reach as far along n
// as the circles do. Good for many turns and far sets, where places tell little.
static double circle_step(const fr__chase *chase, double t, fr_vec3 n, double need, double of_a, double of_b) {
    double low[3], low_speed[3], step = STEP_MAX;
    for (int j = 0; j < 3; j++) {
        const fr__swept *b = &chase->b;
        fr_vec3 centre = fr_vec3_add_scaled(b->start[j], t, b->way[j]);
        double radius = 0.0;
        if (b->axis.angle > 0.0) { centre = fr_vec3_sub(centre, b->across[j]), radius = b->radius[j]; }
        low[j] = fr_vec3_dot(n, centre) - of_b * radius;
        low_speed[j] = fr_vec3_dot(n, b->way[j]);
    }
    for (int i = 0; i < 3; i++) {
        const fr__swept *a = &chase->a;
        fr_vec3 centre = fr_vec3_add_scaled(a->start[i], t, a->way[i]);
        double radius = 0.0;
        if (a->axis.angle > 0.0) { centre = fr_vec3_sub(centre, a->across[i]), radius = a->radius[i]; }
        double high = fr_vec3_dot(n, centre) + of_a * radius, high_speed = fr_vec3_dot(n, a->way[i]);
        for (int j = 0; j < 3; j++) {
            step = shorter_step(step, low[j] - high - need, low_speed[j] - high_speed, 0.0);
        }
    }
    return step;
}

// What direction n proves at t, down to `target`.
static way way_along(const fr__chase *chase, const fr__moving *a, const fr__moving *b, double t, fr_vec3 n,
                     double target) {
    double length = fr_vec3_length(n) * (1.0 + 0x1p-48), need = length * target;
    double place_a[3], speed_a[3];
    for (int i = 0; i < 3; i++) {
        place_a[i] = fr_vec3_dot(n, a->at[i]);
        speed_a[i] = fr_vec3_dot(n, a->velocity[i]);
    }
    double of_a = bendable(&chase->a, n, length), of_b = bendable(&chase->b, n, length);
    double bend = of_a * chase->a.bend + of_b * chase->b.bend;
    double step = STEP_MAX, least = (double)INFINITY, closing = 0.0;
    for (int j = 0; j < 3; j++) {
        double place_b = fr_vec3_dot(n, b->at[j]), speed_b = fr_vec3_dot(n, b->velocity[j]);
        for (int i = 0; i < 3; i++) {
            double gap = place_b - place_a[i], speed = speed_b - speed_a[i];
            if (gap < least) { least = gap, closing = -speed; }
            step = shorter_step(step, gap - need, speed, bend);
        }
    }
    // A prediction is good for a radian; beyond that circles serve.
    double angle = larger(chase->a.axis.angle, chase->b.axis.angle);
    if (step * angle > 1.0) { step = larger(1.0 / angle, circle_step(chase, t, n, need, of_a, of_b)); }
    way found = {step, least / length, closing / length};
    return found;
}

// ---------------------------------------------------------------------------------------------------------------
// A direction that turns

// Up to two edges to which the direction stays perpendicular, and how they change.
typedef struct edges {
    fr_vec3 edge[3], rate[3];
    int count;
} edges;

static void take_edge(edges *out, const fr__moving *m, int from, int to) {
    out->edge[out->count] = fr_vec3_sub(m->at[to], m->at[from]);
    out->rate[out->count] = fr_vec3_sub(m->velocity[to], m->velocity[from]);
    out->count++;
}

static void take_support(edges *out, const fr__moving *m, fr__support support, int from, int count) {
    if (support == FR__FACE) {
        take_edge(out, m, 0, 1);
        take_edge(out, m, 0, 2);
    } else if (support == FR__EDGE) {
        take_edge(out, m, from, from + 1 < count ? from + 1 : 0);
    }
}

// How n must change so that it stays perpendicular to the edges the closest points are on: x . u = -n . u' for each
// edge u. With two of them and n along u x v, x = (-(n . u') v x n - (n . v') n x u) / (n . u x v).
static fr_vec3 rate_of(const edges *e, fr_vec3 n) {
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

// What n + h x proves from t on. A gap_ij is then n . D + h (x . D + n . D') + h^2 x . D' with D = b_j - a_i, less what
// the paths bend, and has to stay above |n + h x| target. While h |x| <= |n|, |n + h x| is at most 2 |n|, and at most
// |n| + h |n . x| / |n| + h^2 |x|^2 / 2 |n|; errors of D count twice, for n and for h x.
static double turning_step(const fr__chase *chase, const fr__moving *a, const fr__moving *b, fr_vec3 n, fr_vec3 x,
                           double target) {
    double length = fr_vec3_length(n) * (1.0 + 0x1p-48), rate = fr_vec3_length(x) * (1.0 + 0x1p-48);
    if (!(length > 0.0) || !(rate > 0.0)) { return 0.0; }
    double angle = larger(chase->a.axis.angle, chase->b.axis.angle);
    double step = angle * length > rate ? 1.0 / angle : length / rate;
    double reach = target + chase->error;
    double slope = reach * fabs(fr_vec3_dot(n, x)) / length * (1.0 + 0x1p-40);
    double bend = 2.0 * length * (chase->a.bend + chase->b.bend) + reach * rate * rate / length;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            fr_vec3 apart = fr_vec3_sub(b->at[j], a->at[i]), change = fr_vec3_sub(b->velocity[j], a->velocity[i]);
            double gap = fr_vec3_dot(n, apart) - length * reach;
            double speed = fr_vec3_dot(x, apart) + fr_vec3_dot(n, change) - slope;
            double curve = bend - 2.0 * fr_vec3_dot(x, change);
            step = shorter_step(step, gap, speed, curve > 0.0 ? curve : 0.0);
        }
    }
    return step;
}

// ---------------------------------------------------------------------------------------------------------------
// The search

static void quick_gap(const fr__chase *chase, fr__arrival *at) {
    if (chase->a.count == 3) {
        fr__gap_of_triangles(at->a.at, at->b.at, &at->gap);
    } else if (chase->a.count == 2) {
        fr__gap_of_edges(at->a.at, at->b.at, &at->gap);
    } else {
        fr__gap_of_vertex(at->a.at, at->b.at, &at->gap);
    }
    at->distance = sqrt(at->gap.squared);
}

// The accurate distance, within 64 * 2^-53 D: less than 4 errors. Two corners are no farther apart than
// D = 2 sqrt(3) g + sqrt(3) (d + d') + f l + f' l', and 64 D <= 4 (64 g + 32 (d + d') + 200 (f l + f' l')).
static void accurate_gap(const fr__chase *chase, fr__arrival *at) {
    fr_vec3 on_a, on_b;
    double distance = at->distance;
    if (chase->a.count == 3) {
        distance = fr_triangle_distance(at->a.at, at->b.at, &on_a, &on_b);
    } else if (chase->a.count == 2) {
        distance = fr_segment_distance(at->a.at, at->b.at, &on_a, &on_b);
    }
    if (distance < at->distance) { at->gap.on_a = on_a, at->gap.on_b = on_b, at->distance = distance; }
}

// The direction between the closest points. Of points very near to each other the difference is mostly rounding; the
// edges they are on tell the direction better, unless these are nearly parallel.
static fr_vec3 direction_of(const fr__chase *chase, const fr__arrival *at, const edges *supports) {
    fr_vec3 n = fr_vec3_sub(at->gap.on_b, at->gap.on_a);
    if (supports->count != 2 || at->distance > 0x1p+24 * chase->error) { return n; }
    fr_vec3 u = supports->edge[0], v = supports->edge[1], across = fr_vec3_cross(u, v);
    double squared = fr_vec3_length_squared(across);
    if (!(squared > 0x1p-20 * fr_vec3_length_squared(u) * fr_vec3_length_squared(v))) { return n; }
    double scale = at->distance / sqrt(squared);
    return fr_vec3_scale(fr_vec3_dot(across, n) < 0.0 ? -scale : scale, across);
}

// The step along the direction between the closest points, or along one that turns with what they are on where that is
// longer. The first is tried alone where it comes near what the closing of the points themselves would allow.
static way best_way(const fr__chase *chase, fr__arrival *at, double target) {
    edges supports;
    supports.count = 0;
    take_support(&supports, &at->a, at->gap.support_a, at->gap.i, chase->a.count);
    take_support(&supports, &at->b, at->gap.support_b, at->gap.j, chase->b.count);
    fr_vec3 n = direction_of(chase, at, &supports);
    way along = way_along(chase, &at->a, &at->b, at->t, n, target);
    at->closing = along.closing;
    if (along.step >= 1.0 || along.step * along.closing >= 0.5 * (at->distance - target)) { return along; }
    along.step = larger(along.step, turning_step(chase, &at->a, &at->b, n, rate_of(&supports, n), target));
    return along;
}

// The free step from at->t on; 0: the sets are within reach there.
static double free_step(const fr__chase *chase, fr__arrival *at) {
    double accept = chase->separation + chase->tolerance - chase->error;
    double target = chase->separation + 0.5 * chase->tolerance;
    quick_gap(chase, at);
    if (at->distance <= accept) {
        at->closing = way_along(chase, &at->a, &at->b, at->t, fr_vec3_sub(at->gap.on_b, at->gap.on_a), target).closing;
        return 0.0;
    }
    way along = best_way(chase, at, target);
    if (along.least - target >= 0.5 * (at->distance - target)) { return along.step; }

    // The direction tells less than half of what there is.
    accurate_gap(chase, at);
    if (at->distance <= accept) { return 0.0; }
    way again = best_way(chase, at, target);
    double by_speed = (at->distance - 4.0 * chase->error - target) / (chase->a.speed + chase->b.speed);
    return larger(by_speed, larger(along.step, again.step));
}

// The cap is for paths that turn by no more than this in all; those that turn farther may take as many steps again for
// each further one: what is passed once a turn takes some steps each time.
#define RADIANS_A_CAP 64.0

static uint32_t most_steps(const fr__chase *chase, uint32_t cap) {
    double turn = chase->a.axis.angle + chase->b.axis.angle, most = turn / RADIANS_A_CAP * cap;
    if (!(most > cap && turn <= 2.0 * FR_TURN_MAX)) { return cap; }
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

void fr__chase_run(const fr__chase *chase, double begin, double end, uint32_t cap, fr__arrival *out) {
    uint32_t most = most_steps(chase, cap);
    out->t = begin;
    out->hit = out->capped = false;
    out->gap = (fr__gap){.feature = FR_FEATURE_UNKNOWN};
    out->closing = 0.0;
    for (out->steps = 1;; out->steps++) {
        fr__swept_at(&chase->a, out->t, &out->a);
        fr__swept_at(&chase->b, out->t, &out->b);
        double step = free_step(chase, out);
        if (!(step > 0.0)) { // NaN too: numbers beyond the limits are never taken for apart
            out->hit = true;
            return;
        }
        double next = out->t + STEP_SAFE * step;
        if (next > end || chase->is_together) { return; }
        if (out->steps >= most) {
            out->hit = out->capped = true;
            return;
        }
        out->t = next;
    }
}

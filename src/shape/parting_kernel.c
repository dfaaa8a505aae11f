// The search for the end of a contact: steps over which the triangles are proven to stay together, because an edge of
// one goes through the other (hold_lanes.h), or because two of their points stay near. Where nothing proves more than
// the time tolerance, the step is the time tolerance: a gap inside it need not be reported.
//
// Near. Between two moments a corner is within B H^2 / 8 of the chord between its places. Let P(s) be the point of the
// triangle of chords with the weights w0 + s dw, from those of a witness at one end to those at the other: with dx the
// displacements of the corners it is (1 - s) P(0) + s P(1) - s (1 - s) sum dw dx. So two witnesses that are within a
// distance at both ends prove that the triangles are within it in between, up to a quarter of the difference of both
// sums and the bend of the paths.
#include "shape/closest_lanes.h"
#include "shape/hold_lanes.h"
#include "shape/parting.h"

// Steps at most, whatever the cap: what slides along without crossing takes one every time tolerance, and no end of
// them.
#define STEPS_MAX 1000u

// Times closer than this count as equal.
#define STEP_MIN 0x1p-50

// What is tried is so many times as long as what held last, and where the distance grows this part of the time that is
// left.
#define GROWTH 4.0
#define PART_OF_REST 0.9

// ---------------------------------------------------------------------------------------------------------------
// Points that stay near

// A point of each triangle, by weights of corners 1 and 2, and the vector from the one to the other.
typedef struct witness {
    double u_a, v_a, u_b, v_b;
    fr_vec3 apart;
} witness;

static fr_vec3 point_of(const fr__moving *m, double u, double v) {
    const fr_vec3 *t = m->at;
    fr_vec3 first = fr_vec3_scale(u, fr_vec3_sub(t[1], t[0])), second = fr_vec3_scale(v, fr_vec3_sub(t[2], t[0]));
    return fr_vec3_add(t[0], fr_vec3_add(first, second));
}

static witness witness_by(const pair_moment *now, double u_a, double v_a, double u_b, double v_b) {
    fr_vec3 on_a = point_of(&now->a.corners, u_a, v_a), on_b = point_of(&now->b.corners, u_b, v_b);
    witness w = {u_a, v_a, u_b, v_b, fr_vec3_sub(on_b, on_a)};
    return w;
}

// The weights of the points of the two triangles that are closest to a point each.
typedef struct closest_pair {
    double u_a, v_a, u_b, v_b;
} closest_pair;

static closest_pair closest_of(const pair_moment *now, fr_vec3 to_a, fr_vec3 to_b) {
    const fr_vec3 *a = now->a.corners.at, *b = now->b.corners.at;
    corners triangles[3], points = load_corners(&to_a, &to_b, &to_b);
    for (int i = 0; i < 3; i++) {
        triangles[i] = load_corners(&a[i], &b[i], &b[i]);
    }
    fr__d4 u, v;
    closest_weights(triangles, &points, &u, &v);
    _Alignas(32) double of_u[4], of_v[4];
    fr__d4_store_aligned(of_u, u);
    fr__d4_store_aligned(of_v, v);
    return (closest_pair){of_u[0], of_v[0], of_u[1], of_v[1]};
}

// The witness for two points of the triangles.
static witness witness_of(const pair_moment *now, fr_vec3 on_a, fr_vec3 on_b) {
    closest_pair w = closest_of(now, on_a, on_b);
    return witness_by(now, w.u_a, w.v_a, w.u_b, w.v_b);
}

// sum dw dx of one triangle; a common displacement of its corners cancels, since the weights add up to 1.
static fr_vec3 sum_of(const fr_vec3 from[3], const fr_vec3 to[3], double du, double dv) {
    fr_vec3 travel[3];
    for (int i = 0; i < 3; i++) {
        travel[i] = fr_vec3_sub(to[i], from[i]);
    }
    fr_vec3 first = fr_vec3_scale(du, fr_vec3_sub(travel[1], travel[0])),
            second = fr_vec3_scale(dv, fr_vec3_sub(travel[2], travel[0]));
    return fr_vec3_add(first, second);
}

static bool is_proven(const fr__moving_pair *pair, const pair_moment *from, const witness *w0, const pair_moment *to,
                      const witness *w1, double accept) {
    double first = fr_vec3_length(w0->apart), last = fr_vec3_length(w1->apart), length = to->t - from->t;
    fr_vec3 sum_a = sum_of(from->a.corners.at, to->a.corners.at, w1->u_a - w0->u_a, w1->v_a - w0->v_a);
    fr_vec3 sum_b = sum_of(from->b.corners.at, to->b.corners.at, w1->u_b - w0->u_b, w1->v_b - w0->v_b);
    double bulge = (pair->a.bend + pair->b.bend) * length * length / 8.0;
    double farthest = larger(first, last) + 0.25 * fr_vec3_distance(sum_a, sum_b) + bulge;
    return farthest * (1.0 + 0x1p-40) + pair->error <= accept;
}

// Witnesses at another moment: one that keeps its place on a, and one that keeps it on b; their sums are 0.
typedef struct later_witnesses {
    witness keep_a, keep_b;
} later_witnesses;

static later_witnesses witnesses_at(const pair_moment *now, const witness *before) {
    fr_vec3 on_a = point_of(&now->a.corners, before->u_a, before->v_a);
    fr_vec3 on_b = point_of(&now->b.corners, before->u_b, before->v_b);
    closest_pair near = closest_of(now, on_b, on_a);
    return (later_witnesses){witness_by(now, before->u_a, before->v_a, near.u_b, near.v_b),
                             witness_by(now, near.u_a, near.v_a, before->u_b, before->v_b)};
}

// A witness at another moment that keeps the place of `before` on one of the triangles, the nearer of the two.
static witness witness_again(const pair_moment *now, const witness *before) {
    later_witnesses w = witnesses_at(now, before);
    bool is_b = fr_vec3_length_squared(w.keep_b.apart) < fr_vec3_length_squared(w.keep_a.apart);
    return is_b ? w.keep_b : w.keep_a;
}

// Whether the triangles are proven to stay within `accept` of each other from one time to a later one, by witnesses
// that keep a place, or by the closest points. `known` belongs to the first time and becomes a witness of the later
// time on success.
static bool stays_near(const fr__moving_pair *pair, const pair_moment *from, const pair_moment *to, double accept,
                       witness *known) {
    later_witnesses w = witnesses_at(to, known);
    witness next = w.keep_a;
    bool holds = is_proven(pair, from, known, to, &next, accept);
    if (!holds) {
        next = w.keep_b;
        holds = is_proven(pair, from, known, to, &next, accept);
    }
    if (!holds) {
        fr_vec3 on_a, on_b;
        (void)fr_triangle_distance(to->a.corners.at, to->b.corners.at, &on_a, &on_b);
        next = witness_of(to, on_a, on_b);
        holds = is_proven(pair, from, known, to, &next, accept);
    }
    if (holds) { *known = next; }
    return holds;
}

static inline double largest_of(fr__d4 numbers) {
    _Alignas(32) double of[4];
    fr__d4_store_aligned(of, numbers);
    return larger(larger(of[0], of[1]), of[2]);
}

// All of b is at least this far beyond a along a direction: 2^-40 of the coordinates is far more than a product, and a
// distance of two points of the triangles, are rounded by. Minus infinity for the direction zero.
static double parted_by(const pair_moment *now, fr_vec3 direction) {
    double length = fr_vec3_length(direction);
    if (!(length > 0.0)) { return -(double)INFINITY; }
    const corners *a = &now->a.lanes.at, *b = &now->b.lanes.at, along = splat_corner(direction);
    double high = largest_of(dot_corners(&along, a)), low = smallest_of_three(dot_corners(&along, b));
    double largest = largest_of(fr__d4_max(largest_coordinates(a), largest_coordinates(b)));
    return (low - high) / length * (1.0 - 0x1p-40) - 0x1p-40 * largest;
}

// ---------------------------------------------------------------------------------------------------------------
// The search

// The largest speed of a corner relative to the mean velocity of all. A common velocity separates nothing.
static double relative_speed(const pair_moment *now) {
    fr_vec3 mean = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        mean = fr_vec3_add(mean, fr_vec3_add(now->a.corners.velocity[i], now->b.corners.velocity[i]));
    }
    mean = fr_vec3_scale(1.0 / 6.0, mean);
    corners common = splat_corner(mean);
    corners of_a = sub_corners(&now->a.lanes.velocity, &common), of_b = sub_corners(&now->b.lanes.velocity, &common);
    return sqrt(largest_of(fr__d4_max(dot_corners(&of_a, &of_a), dot_corners(&of_b, &of_b))));
}

// The time in which speed h + bend h^2 / 2 stays below `distance`.
static double time_of(double distance, double speed, double bend) {
    double root = sqrt(speed * speed + 2.0 * bend * distance);
    return speed + root > 0.0 ? 2.0 * distance / (speed + root) * HOLD_SAFE : 1.0;
}

// A search for the end of a contact.
typedef struct end_search {
    const fr__moving_pair *pair;
    corner_paths path_a, path_b;
    double accept;         // triangles within it are in contact
    double bend, size;     // the largest bend; about how large the triangles are
    double radian;         // no set turns by more during it
    pair_moment moment[2]; // the one up to which they were together, and the one that is tried
    int now;               // which is which
    double known;          // they are no farther apart now; infinite where that has to be measured
    bool has_witness;      // two points of the triangles are known that are within `accept` of each other now
    bool had_witness;      // or were so before
    witness witness;
    fr_vec3 normal;  // from the one closest point to the other when these were found last; zero where there was none
    double held;     // the last step
    double longest;  // no longer step is tried; a step that failed is tried shorter
    double distance; // of the witness at its beginning; infinite where there was none
} end_search;

static pair_moment *take_moment(end_search *s, double t, int which) {
    pair_moment *out = &s->moment[which];
    triangle_at(&s->pair->a, &s->path_a, t, &out->a);
    triangle_at(&s->pair->b, &s->path_b, t, &out->b);
    out->t = t;
    return out;
}

static void begin_search(end_search *s, const fr__moving_pair *pair, double from, double distance) {
    double size = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        double of_a = fr_vec3_length_squared(fr_vec3_sub(pair->a.start[j], pair->a.start[i]));
        double of_b = fr_vec3_length_squared(fr_vec3_sub(pair->b.start[j], pair->b.start[i]));
        size = larger(size, larger(of_a, of_b));
    }
    s->pair = pair;
    load_paths(&pair->a, &s->path_a);
    load_paths(&pair->b, &s->path_b);
    s->accept = pair->separation + pair->tolerance - pair->error;
    s->bend = larger(pair->a.bend, pair->b.bend);
    s->size = sqrt(size);
    s->radian = 1.0 / larger(1.0, larger(pair->a.axis.angle, pair->b.axis.angle));
    s->now = 0;
    s->known = distance;
    s->has_witness = s->had_witness = false;
    s->normal = fr_vec3_make(0.0, 0.0, 0.0);
    s->held = 0.0;
    s->longest = 1.0;
    s->distance = (double)INFINITY;
    take_moment(s, from, 0);
}

static void go_on(end_search *s, double hold) {
    double t = s->moment[s->now].t + hold;
    s->has_witness = false;
    s->held = hold;
    if (t < 1.0) {
        take_moment(s, t, s->now);
    } else {
        s->moment[s->now].t = 1.0;
    }
}

// How long a step to try with a witness `distance` apart: longer than the last one, or most of what is left where the
// points part.
static double try_length(const end_search *s, double distance, double min_step) {
    double rest = s->accept - distance, length = GROWTH * larger(s->held, min_step);
    if (distance > s->distance) { length = PART_OF_REST * rest * s->held / (distance - s->distance); }
    double bends = s->pair->a.bend + s->pair->b.bend;
    length = smaller(smaller(length, s->longest), sqrt(4.0 * rest / (bends + 0x1p-1000)));
    return smaller(length, 1.0 - s->moment[s->now].t);
}

// Goes on by a step that two points which stay near allow, if one longer than `min_step` is found.
static bool go_on_near(end_search *s, double distance, double min_step) {
    double length = try_length(s, distance, min_step);
    if (!(length > min_step)) { return false; }
    const pair_moment *now = &s->moment[s->now], *then = take_moment(s, now->t + length, 1 - s->now);
    bool holds = !(parted_by(then, s->normal) > s->accept) && stays_near(s->pair, now, then, s->accept, &s->witness);
    s->longest = holds ? GROWTH * length : length / GROWTH;
    if (!holds) { return false; }
    s->now = 1 - s->now;
    s->has_witness = true;
    s->held = length;
    return true;
}

// The closest points as witness; false where they are apart.
static bool find_witness(end_search *s) {
    fr_vec3 on_a, on_b;
    const pair_moment *now = &s->moment[s->now];
    if (s->has_witness) { return true; }
    if (s->had_witness) { // the same points nearly always remain a witness
        witness again = witness_again(now, &s->witness);
        s->has_witness = fr_vec3_length(again.apart) <= s->accept;
        if (s->has_witness) { s->witness = again; }
        if (s->has_witness) { return true; }
    }
    double distance = fr_triangle_distance(now->a.corners.at, now->b.corners.at, &on_a, &on_b);
    if (!(distance <= s->accept)) { return false; }
    s->witness = witness_of(now, on_a, on_b);
    s->had_witness = true;
    s->normal = fr_vec3_sub(on_b, on_a);
    return true;
}

// Goes on by a step over which the triangles are together, at least by `min_step`; false where they are apart.
static bool go_on_together(end_search *s, double min_step) {
    const pair_moment *now = &s->moment[s->now];
    double speed = relative_speed(now) + 2.0 * s->pair->error;
    double limit = smaller(smaller(1.0 - now->t, s->radian), s->size / speed);
    // Where they are parted along the normal nothing crosses, and beyond what counts they are apart.
    double parted = parted_by(now, s->normal);
    if (parted > s->accept) { return false; }
    double crossing = parted > 0.0 ? 0.0 : crossing_hold(s->pair, now, limit), apart = 0.0;
    bool is_measured = crossing == 0.0 && !(s->known <= s->accept);
    if (is_measured) {
        if (!find_witness(s)) { return false; }
        apart = smaller(fr_vec3_length(s->witness.apart), s->accept);
    } else if (crossing == 0.0) {
        apart = s->known;
    }
    // Each of the two points moves no farther than its corners.
    double hold = smaller(time_of(0.5 * (s->accept - apart), speed, s->bend), s->radian);
    s->known = crossing >= hold && crossing >= min_step ? 0.0 : (double)INFINITY; // what crossed up to then touches
    hold = larger(larger(hold, crossing), min_step);
    bool is_near = is_measured && go_on_near(s, apart, hold);
    if (!is_near) { go_on(s, hold); }
    s->distance = crossing == 0.0 ? apart : (double)INFINITY;
    return true;
}

static double parting_time(const fr__moving_pair *pair, double from, double distance, const fr_time_input *input,
                           bool *capped) {
    double min_step = input->time_tolerance > STEP_MIN ? input->time_tolerance : STEP_MIN;
    uint32_t cap = input->cap < STEPS_MAX ? input->cap : STEPS_MAX;
    *capped = false;
    if (pair->is_together) { return 1.0; }
    end_search s;
    begin_search(&s, pair, from, distance);
    for (uint32_t steps = 0; steps < cap && s.moment[s.now].t < 1.0; steps++) {
        if (go_on_together(&s, min_step)) { continue; }
        if (s.moment[s.now].t > from) { return s.moment[s.now].t; }
        go_on(&s, min_step);
    }
    *capped = s.moment[s.now].t < 1.0;
    return 1.0;
}

const fr__parting_kernel_table FR_KERNEL_NAME(fr__parting_kernel) = {.time = parting_time};

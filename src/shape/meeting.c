// The contact data of two moving sets that meet, and the proof that they do.
#include "shape/meeting.h"

#include "shape/crossing.h"

#include <string.h>

void fr__meeting_none(uint32_t steps, fr_time_output *out) {
    memset(out, 0, sizeof *out);
    out->time = out->time_sure = out->time_end = out->distance = out->approach = FR_UNKNOWN;
    out->feature = FR_FEATURE_UNKNOWN;
    out->iterations = steps;
}

// The velocity of the point of a set nearest to `point`, which is a point of it. Where all corners turn together, or
// have the same travel, it is the velocity of a corner plus that of the turn.
static fr_vec3 velocity_at(const fr__swept *s, const fr__moving *m, fr_vec3 point) {
    const fr_vec3 *v = m->velocity;
    if (s->axis.angle > 0.0) {
        fr_vec3 across = fr_vec3_cross(s->axis.unit, fr_vec3_sub(point, m->at[0]));
        return fr_vec3_add_scaled(v[0], s->axis.angle, across);
    }
    if (s->count == 1 || (fr_vec3_equal(v[0], v[1]) && fr_vec3_equal(v[0], v[2]))) { return v[0]; }
    if (s->count == 2) { return fr_vec3_lerp(v[0], v[1], fr_segment_closest(m->at, point, NULL)); }
    fr_triangle_point at = fr_triangle_closest(m->at, point);
    fr_vec3 velocity = fr_vec3_scale(1.0 - at.u - at.v, v[0]);
    return fr_vec3_add_scaled(fr_vec3_add_scaled(velocity, at.u, v[1]), at.v, v[2]);
}

double fr__meeting_approach(const fr__moving_pair *pair, const fr__moving *a, const fr__moving *b, fr_vec3 on_a,
                            fr_vec3 on_b, fr_vec3 normal) {
    fr_vec3 closing = fr_vec3_sub(velocity_at(&pair->a, a, on_a), velocity_at(&pair->b, b, on_b));
    return fr_vec3_dot(closing, normal);
}

// How far b is beyond a along n, times |n|.
static double apart_along(const fr__arrival *at, fr_vec3 n) {
    double high = -(double)INFINITY, low = (double)INFINITY;
    for (int i = 0; i < 3; i++) {
        double edges_a = fr_vec3_dot(n, at->a.at[i]), edges_b = fr_vec3_dot(n, at->b.at[i]);
        high = edges_a > high ? edges_a : high;
        low = edges_b < low ? edges_b : low;
    }
    return low - high;
}

// A direction that shows this much of the distance is as good as any: where it were wrong by an angle, it would show
// less by that angle times the size of the faces, which is far larger than the distance.
#define SHOWS_ALL (1.0 - 0x1p-10)

// The difference of points very near to each other is mostly rounding. Among the normals and the cross products of the
// edges, the one along which the sets are farthest apart is a better direction; the result is `normal` where none is.
static fr_vec3 normal_of_features(const fr__arrival *at, fr_vec3 normal) {
    double widest = apart_along(at, normal);
    if (widest >= SHOWS_ALL * at->distance) { return normal; }
    fr_vec3 edges_a[3], edges_b[3];
    for (int i = 0; i < 3; i++) {
        edges_a[i] = fr_vec3_sub(at->a.at[(i + 1) % 3], at->a.at[i]);
        edges_b[i] = fr_vec3_sub(at->b.at[(i + 1) % 3], at->b.at[i]);
    }
    for (int k = -2; k < 9; k++) {
        fr_vec3 n = k == -2   ? fr_vec3_cross(edges_a[0], edges_a[1])
                    : k == -1 ? fr_vec3_cross(edges_b[0], edges_b[1])
                              : fr_vec3_cross(edges_a[k / 3], edges_b[k % 3]);
        double squared = fr_vec3_length_squared(n);
        if (!(squared > 0.0)) { continue; }
        for (int side = 0; side < 2; side++) {
            double apart = apart_along(at, n);
            if (apart > 0.0 || widest < 0.0) {
                apart /= sqrt(squared);
                if (apart > widest) { widest = apart, normal = fr_vec3_unit(n, normal); }
            }
            n = fr_vec3_negate(n);
        }
    }
    return normal;
}

static void fill_contact(const fr__moving_pair *pair, const fr__arrival *at, fr_time_output *out) {
    fr_vec3 zero = {0.0, 0.0, 0.0}, between = fr_vec3_sub(at->gap.on_b, at->gap.on_a);
    out->is_hit = true;
    out->time = at->t;
    out->time_sure = FR_UNKNOWN;
    out->distance = at->distance;
    out->normal = at->distance > 0.0 ? fr_vec3_unit(between, zero) : zero;
    if (at->distance > 0.0 && at->distance <= 0x1p+24 * pair->error) {
        out->normal = normal_of_features(at, out->normal);
    }
    out->approach = fr__meeting_approach(pair, &at->a, &at->b, at->gap.on_a, at->gap.on_b, out->normal);
    out->point = fr_vec3_add(pair->origin, fr_vec3_lerp(at->gap.on_a, at->gap.on_b, 0.5));
    out->feature = at->distance > 0.0 ? at->gap.feature : FR_FEATURE_UNKNOWN;
    out->flags = FR_TIME_NEAR | (at->capped ? (uint32_t)FR_TIME_CAPPED : 0);
    out->iterations = at->steps;
}

static double distance_of(const fr__moving_pair *pair, const fr__moving *a, const fr__moving *b) {
    if (pair->a.count == 3) { return fr_triangle_distance(a->at, b->at, NULL, NULL); }
    if (pair->a.count == 2) { return fr_segment_distance(a->at, b->at, NULL, NULL); }
    return fr_triangle_closest(b->at, a->at[0]).distance;
}

// The positions of a set h after `from`. Over a short time they are predicted; returns the additional error of that.
static double places_after(const fr__swept *s, const fr__moving *from, double t, double h, fr__moving *out) {
    double off = 0.5 * s->bend * h * h;
    if (!(off <= s->error)) {
        fr__swept_at(s, t + h, out);
        return 0.0;
    }
    for (int i = 0; i < 3; i++) {
        out->at[i] = fr_vec3_add_scaled(from->at[i], h, from->velocity[i]);
    }
    return off;
}

// Whether the sets are proven to be within the separation at some time from at->t to h later.
static bool is_proven(const fr__moving_pair *pair, const fr__arrival *at, double h) {
    fr__moving a, b;
    double error = pair->error;
    error += places_after(&pair->a, &at->a, at->t, h, &a);
    error += places_after(&pair->b, &at->b, at->t, h, &b);
    // The distance is wrong by 4 errors, the places by one.
    if (pair->separation > 0.0 && distance_of(pair, &a, &b) <= pair->separation - 5.0 * error) { return true; }
    if (pair->a.count == 3) { return fr__triangles_cross(a.at, b.at, error); }
    double speed = pair->a.speed > pair->b.speed ? pair->a.speed : pair->b.speed;
    fr__passage passage = {at->a.at, at->b.at, a.at, b.at, speed * h * (1.0 + 0x1p-40), error};
    return pair->a.count == 2 ? fr__edge_passes_edge(&passage) : fr__vertex_passes_face(&passage);
}

#define PROOFS_MAX 16
#define PROOF_GROWTH 3.0

// Looks for a time after at->t by which the sets are proven to have come within the separation. Sets time_sure, and
// takes NEAR away, where it finds one.
//
// The distance is gone after `wait` if the points go on as they do: the first try is half as long again, each further
// one three times as long, the last one the end of the step.
static void prove(const fr__moving_pair *pair, const fr__arrival *at, fr_time_output *out) {
    double left = at->distance - pair->separation + 8.0 * pair->error;
    double wait = out->approach > 0.0 ? left / out->approach : pair->tolerance / (pair->a.speed + pair->b.speed);
    wait = wait > 0x1p-40 ? 1.5 * wait : 0x1p-40;
    for (int i = 0; i < PROOFS_MAX; i++) {
        double t = at->t + wait;
        bool is_last = !(t < 1.0) || i + 1 == PROOFS_MAX;
        t = is_last ? 1.0 : t;
        if (is_proven(pair, at, t - at->t)) {
            out->time_sure = t;
            out->flags &= ~(uint32_t)FR_TIME_NEAR;
            return;
        }
        if (is_last) { return; }
        wait *= PROOF_GROWTH;
    }
}

void fr__meeting_result(const fr__moving_pair *pair, const fr__arrival *at, fr_time_output *out) {
    fr__meeting_none(at->steps, out);
    if (!at->hit) { return; }
    fill_contact(pair, at, out);
    prove(pair, at, out);
}

// The cast of a ball (sphere sweep): how far it goes straight before it touches something.
//
// Along a straight displacement the distance f(t) from the centre to a triangle, a convex set, is a convex function of
// t. From a time at which f > r, the tangent of a convex function lies below it: where the tangent meets r is not later
// than where f does (Newton's method from the left). So steps of
//     (f - r) / (-f'),   f' = displacement . (centre - closest) / f,
// come to the first touch from before and never pass it, quadratically where the ball meets the triangle head on. Where
// f' >= 0 the ball goes away from the triangle, and it never touches.
#include "space/query.h"

#include "space/walk.h"

#include <string.h>

// A grazing touch is a double root: a step halves what is left, so 2^-40 is reached in 40; others take a handful.
#define MAX_STEPS 96

typedef struct cast_search {
    const fr_space *space;
    const fr_query_filter *filter;
    const fr__space_walk_table *walk;
    fr_vec3 from, displacement;
    double radius, length; // |displacement|
    double largest;        // coordinate of the whole sweep

    const fr__proxy_set *set;
    fr__line line;
    fr__visit visit;
    fr__line line_local;

    double bound; // the fraction of the displacement that is still searched
    fr_space_hit best;
} cast_search;

// Where a ball is when it touches a triangle.
typedef struct touch {
    double time;
    fr_triangle_point at;
} touch;

// Let D be the largest distance among the ends of the sweep and the corners. The computed f is within 64 e D and its
// direction within 2 * 64 e D / f + 8 e. The step below uses the smallest distance and the steepest slope within these
// errors, so it is never too long. Within 2^-40 D the ball touches.
static bool touch_triangle(const cast_search *s, const fr_vec3 corners[3], touch *out) {
    double size = s->length;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, fr_vec3_distance(corners[k], s->from) + s->length);
    }
    double rounding = 256.0 * 0x1p-53 * size, near_enough = 0x1p-40 * size;
    double t = 0.0;
    for (int step = 0; step < MAX_STEPS; step++) {
        fr_vec3 center = fr_vec3_add_scaled(s->from, t, s->displacement);
        out->at = fr_triangle_closest(corners, center);
        out->time = t;
        double gap = out->at.distance - s->radius;
        if (gap <= near_enough) { return true; }

        fr_vec3 away = fr_vec3_sub(center, out->at.point);
        double slope = -fr_vec3_dot(s->displacement, away) / out->at.distance;
        slope += s->length * (2.0 * rounding / out->at.distance + 0x1p-48);
        if (!(slope > 0.0)) { return false; }
        double ahead = (gap - rounding) / slope * (1.0 - 0x1p-50);
        if (!(t + ahead <= s->bound)) { return false; }
        t += ahead;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The search

static float visit_triangle(uint32_t item, float bound, void *context) {
    cast_search *s = context;
    fr_vec3 corners[3];
    touch found;
    fr__part_corners(s->visit.object, s->visit.part, item, corners);
    if (!touch_triangle(s, corners, &found)) { return bound; }

    uint32_t triangle = s->visit.part->first_triangle + item;
    bool is_first = s->best.object.index1 == 0 || found.time < s->best.distance;
    uint32_t best_object = s->best.object.index1 - 1;
    if (!is_first && (found.time > s->best.distance ||
                      !fr__comes_before(s->visit.object_index, triangle, best_object, s->best.triangle))) {
        return bound;
    }
    s->best.object = fr__space_object_id(s->space, s->visit.object_index);
    s->best.part = s->visit.part_index;
    s->best.triangle = triangle;
    s->best.distance = found.time;
    s->best.point = found.at.point;
    s->best.normal = fr__triangle_normal(corners);
    s->bound = found.time;
    return fr__line_bound(&s->line_local, s->bound);
}

// A ball that does not move is a line of any direction that ends where it begins.
static fr_vec3 direction_of(const cast_search *s) {
    return s->length > 0.0 ? s->displacement : fr_vec3_make(1.0, 0.0, 0.0);
}

static float bound_of(const cast_search *s, const fr__line *line) {
    return fr__line_bound(line, s->length > 0.0 ? s->bound : 0.0);
}

// touch_triangle accepts a touch up to 2^-40 of the greatest distance away; the margin covers this twice.
static float visit_part(uint32_t item, float bound, void *context) {
    cast_search *s = context;
    const fr__proxy *proxy = &fr__set_proxies(s->set)[item];
    if (!fr__query_accepts(s->space, s->filter, proxy)) { return bound; }
    s->visit = fr__visit_proxy(s->space, proxy);
    fr__to_part to = fr__to_part_make(s->visit.object, s->visit.part);
    double grown = s->radius * to.to_local * (1.0 + 0x1p-40) + 16.0 * fr__to_part_margin(&to, s->largest);
    s->line_local = fr__line_make(fr__to_part_point(&to, s->from), fr__to_part_direction(&to, direction_of(s)), grown);
    s->walk->along(s->visit.part->tree, &s->line_local, bound_of(s, &s->line_local), visit_triangle, s);
    float left = bound_of(s, &s->line);
    return left < bound ? left : bound;
}

static void search(cast_search *s) {
    fr_vec3 start = fr_vec3_sub(s->from, s->space->origin);
    for (int i = 0; i < FR__SET_COUNT; i++) {
        s->set = &s->space->sets[i];
        double reach = fr__set_reach(s->set) + s->largest + fr_vec3_largest(s->space->origin);
        s->line = fr__line_make(start, direction_of(s), s->radius + 0x1p-36 * reach);
        s->walk->along(s->set->tree, &s->line, bound_of(s, &s->line), visit_part, s);
    }
}

fr_status fr_space_cast_ball(const fr_space *space, fr_vec3 from, fr_vec3 displacement, double radius,
                             const fr_query_filter *filter, fr_space_hit *out, fr_error *error) {
    FR_ASSERT(space != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    fr_vec3 to = fr_vec3_add(from, displacement);
    bool is_cast = fr__is_place(from) && fr__is_place(to) && radius >= 0.0 && radius <= FR_LENGTH_MAX;
    fr_status status = fr__query_begin(space, filter, error);
    if (status != FR_OK) { return status; }
    if (is_cast) {
        cast_search s = {.space = space,
                         .filter = filter,
                         .from = from,
                         .displacement = displacement,
                         .radius = radius,
                         .bound = 1.0};
        s.walk = fr__space_walk_kernel();
        s.length = fr_vec3_length(displacement);
        s.largest = fmax(fr_vec3_largest(from), fr_vec3_largest(to));
        search(&s);
        *out = s.best;
    }
    fr__query_end(space, filter);
    if (is_cast) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the ball or its path is not finite, or outside the limits");
}

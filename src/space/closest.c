// The closest point of any object to a query point, and whether the query point is inside a closed part.
#include "space/query.h"

#include "shape/mesh_winding.h"
#include "space/walk.h"

#include <string.h>

typedef struct closest_search {
    const fr_space *space;
    const fr_query_filter *filter;
    const fr__space_walk_table *walk;
    fr_vec3 point;
    double limit;

    const fr__proxy_set *set;
    fr__spot spot; // the point about the space's origin
    fr__visit visit;
    fr__spot spot_local; // the point in the part
    double to_local;     // lengths of the part a metre, rounded up

    fr_space_closest best; // its distance is the bound from the beginning on
    int crossings;         // of the part whose winding number is being counted
} closest_search;

// ---------------------------------------------------------------------------------------------------------------
// The surface

static float visit_triangle(uint32_t item, float bound, void *context) {
    closest_search *s = context;
    fr_vec3 corners[3];
    fr__part_corners(s->visit.object, s->visit.part, item, corners);
    fr_triangle_point at = fr_triangle_closest(corners, s->point);
    if (!(at.distance <= s->best.distance)) { return bound; }
    uint32_t triangle = s->visit.part->first_triangle + item;
    bool is_tie = at.distance == s->best.distance && s->best.object.index1 != 0;
    uint32_t best_object = s->best.object.index1 - 1;
    if (is_tie && !fr__comes_before(s->visit.object_index, triangle, best_object, s->best.triangle)) { return bound; }
    s->best.object = fr__space_object_id(s->space, s->visit.object_index);
    s->best.part = s->visit.part_index;
    s->best.triangle = triangle;
    s->best.distance = at.distance;
    s->best.point = at.point;
    float left = fr__spot_bound(&s->spot_local, s->best.distance * s->to_local);
    return left < bound ? left : bound;
}

// Searches the part of s->visit for a point that is at least as close as the best.
static void search_part(closest_search *s) {
    const fr__part *part = s->visit.part;
    fr__to_part to = fr__to_part_make(s->visit.object, part);
    fr_vec3 local = fr__to_part_point(&to, s->point);
    double margin = fr__to_part_margin(&to, fr_vec3_largest(s->point));
    s->spot_local = fr__spot_make(local, margin, fmax(part->largest, fr_vec3_largest(local)));
    s->to_local = to.to_local * (1.0 + 0x1p-40);
    float bound = fr__spot_bound(&s->spot_local, s->best.distance * s->to_local);
    s->walk->near(part->tree, &s->spot_local, bound, visit_triangle, s);
}

static float visit_part(uint32_t item, float bound, void *context) {
    closest_search *s = context;
    const fr__proxy *proxy = &fr__set_proxies(s->set)[item];
    if (!fr__query_accepts(s->space, s->filter, proxy)) { return bound; }
    s->visit = fr__visit_proxy(s->space, proxy);
    search_part(s);
    float left = fr__spot_bound(&s->spot, s->best.distance);
    return left < bound ? left : bound;
}

static void search_surfaces(closest_search *s) {
    fr_vec3 about_origin = fr_vec3_sub(s->point, s->space->origin);
    for (int i = 0; i < FR__SET_COUNT; i++) {
        s->set = &s->space->sets[i];
        double reach = fr__set_reach(s->set) + fr_vec3_largest(s->point) + fr_vec3_largest(s->space->origin);
        s->spot = fr__spot_make(about_origin, 0x1p-39 * reach, reach);
        s->walk->near(s->set->tree, &s->spot, fr__spot_bound(&s->spot, s->best.distance), visit_part, s);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The inside

static float visit_crossing(uint32_t item, float bound, void *context) {
    closest_search *s = context;
    fr_vec3 corners[3];
    fr__part_corners(s->visit.object, s->visit.part, item, corners);
    s->crossings += fr__winding_crossing(corners, s->point);
    return bound;
}

// The winding number of a closed part in the world around the point.
static int winding_of_part(closest_search *s) {
    fr__to_part to = fr__to_part_make(s->visit.object, s->visit.part);
    fr_vec3 down = fr_vec3_make(0.0, 0.0, -1.0);
    double margin = fr__to_part_margin(&to, fr_vec3_largest(s->point));
    fr__line line = fr__line_make(fr__to_part_point(&to, s->point), fr__to_part_direction(&to, down), margin);
    s->crossings = 0;
    s->walk->along(s->visit.part->tree, &line, INFINITY, visit_crossing, s);
    return s->crossings;
}

typedef struct inside_search {
    closest_search *s;
    fr_space_closest deepest; // its distance is below 0; 0: the point is outside of all parts
} inside_search;

static bool visit_around(uint32_t item, void *context) {
    inside_search *inside = context;
    closest_search *s = inside->s;
    const fr__proxy *proxy = &fr__set_proxies(s->set)[item];
    s->visit = fr__visit_proxy(s->space, proxy);
    if (!s->visit.part->is_closed || !fr__query_accepts(s->space, s->filter, proxy)) { return true; }
    if (winding_of_part(s) == 0) { return true; }

    memset(&s->best, 0, sizeof s->best);
    s->best.distance = INFINITY;
    search_part(s);
    double depth = -s->best.distance;
    fr_space_closest *deepest = &inside->deepest;
    bool is_tie = depth == deepest->distance && deepest->object.index1 != 0;
    if (is_tie
            ? fr__comes_before(s->visit.object_index, s->best.triangle, deepest->object.index1 - 1, deepest->triangle)
            : depth < deepest->distance) {
        *deepest = s->best;
        deepest->distance = depth;
    }
    return true;
}

// A part that winds around the point has it in its box.
static bool search_insides(closest_search *s, fr_space_closest *out) {
    inside_search inside = {.s = s};
    fr_bounds place = {s->point, s->point};
    fr_box box = fr_box_of_bounds(&place, s->space->origin);
    for (int i = 0; i < FR__SET_COUNT; i++) {
        s->set = &s->space->sets[i];
        (void)fr_tree_overlap_box(s->set->tree, &box, visit_around, &inside);
    }
    if (!(inside.deepest.distance < 0.0)) { return false; }
    *out = inside.deepest;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The calls

static fr_status find_one(const fr_space *space, fr_vec3 point, double limit, bool is_signed,
                          const fr_query_filter *filter, fr_space_closest *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    if (!fr__is_place(point) || !(limit >= 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "the point is not finite or too far away, or the limit is below 0");
    }
    closest_search s = {.space = space, .filter = filter, .point = point, .limit = limit};
    s.walk = fr__space_walk_kernel();
    if (is_signed && search_insides(&s, out)) { return FR_OK; }
    memset(&s.best, 0, sizeof s.best);
    s.best.distance = limit;
    search_surfaces(&s);
    *out = s.best;
    return FR_OK;
}

fr_status fr_space_closest_point(const fr_space *space, fr_vec3 point, double limit, bool is_signed,
                                 const fr_query_filter *filter, fr_space_closest *out, fr_error *error) {
    FR_ASSERT(space != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    fr_status status = fr__query_begin(space, filter, error);
    if (status != FR_OK) { return status; }
    status = find_one(space, point, limit, is_signed, filter, out, error);
    fr__query_end(space, filter);
    return status;
}

typedef struct closest_batch {
    const fr_space *space;
    const fr_vec3 *points;
    double limit;
    bool is_signed;
    const fr_query_filter *filter;
    fr_space_closest *out;
    atomic_int failed;
} closest_batch;

static void find_batch(size_t begin, size_t end, int worker, void *context) {
    closest_batch *b = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        fr_status status = find_one(b->space, b->points[i], b->limit, b->is_signed, b->filter, &b->out[i], NULL);
        if (status != FR_OK) { atomic_store(&b->failed, (int)status); }
    }
}

fr_status fr_space_closest_many(const fr_space *space, const fr_vec3 *points, size_t count, double limit,
                                bool is_signed, const fr_query_filter *filter, const fr_tasks *tasks,
                                fr_space_closest *out, fr_error *error) {
    FR_ASSERT(space != NULL && ((points != NULL && out != NULL) || count == 0));
    fr_status status = fr__query_begin(space, filter, error);
    if (status != FR_OK) { return status; }
    closest_batch b = {
        .space = space, .points = points, .limit = limit, .is_signed = is_signed, .filter = filter, .out = out};
    atomic_init(&b.failed, FR_OK);
    bool is_inline = filter != NULL && filter->accept != NULL;
    fr_tasks_run(is_inline ? NULL : tasks, FR_SCHEDULE_DYNAMIC, count, 64, find_batch, &b);
    fr__query_end(space, filter);
    status = (fr_status)atomic_load(&b.failed);
    if (status != FR_OK) {
        fr_error_set(error, status, "one of the points is not finite or too far away, or the limit is below 0");
    }
    return status;
}

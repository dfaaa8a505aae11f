// Gathers the faces of the mover and of what it may meet in the volume of a radar.
#include "radar/gather.h"

#include "space/query.h"

#include <math.h>

void fr__square_to(fr_vec3 d, fr_vec3 *u, fr_vec3 *v) {
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    fr_vec3 least = x <= y && x <= z ? fr_vec3_make(1.0, 0.0, 0.0)
                    : y <= z         ? fr_vec3_make(0.0, 1.0, 0.0)
                                     : fr_vec3_make(0.0, 0.0, 1.0);
    *u = fr_vec3_unit(fr_vec3_cross(least, d), fr_vec3_make(1.0, 0.0, 0.0));
    *v = fr_vec3_cross(d, *u);
}

static fr__facet facet_in(const fr__axes *axes, const fr_vec3 corners[3], uint32_t object, uint32_t triangle) {
    fr__facet f = {.object = object, .triangle = triangle};
    for (int k = 0; k < 3; k++) {
        fr_vec3 p = fr_vec3_sub(corners[k], axes->origin);
        f.x[k] = fr_vec3_dot(axes->u, p);
        f.y[k] = fr_vec3_dot(axes->v, p);
        f.z[k] = fr_vec3_dot(axes->d, p);
    }
    return f;
}

fr_status fr__gather_mover(const fr_radar_input *input, const fr__axes *axes, fr__facet_array *facets, bool *is_closed,
                           fr_error *error) {
    const fr__object *object = fr__space_find(input->space, input->mover);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the mover is not in the space"); }
    facets->count = 0;
    *is_closed = true;
    fr__facet *list = fr__facet_array_push(facets, object->view.triangle_count);
    if (list == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the mover's faces"); }
    for (uint32_t p = 0; p < object->view.part_count; p++) {
        const fr__part *part = &object->parts[p];
        *is_closed = *is_closed && part->is_closed;
        for (uint32_t t = 0; t < part->mesh->view.triangle_count; t++) {
            fr_vec3 corners[3];
            uint32_t triangle = part->first_triangle + t;
            fr__part_corners(object, part, t, corners);
            list[triangle] = facet_in(axes, corners, input->mover.index1 - 1, triangle);
        }
    }
    return FR_OK;
}

typedef struct facet_search {
    const fr_radar_input *input;
    const fr__axes *axes;
    const fr__proxy_set *set;
    fr_bounds bounds;
    double largest;
    fr__visit visit;
    fr__ball_fn *touches;
    fr__facet_fn *place;
    const void *context;
    fr__facet_array *facets;
    uint32_t parts;
    bool is_part_seen;
    bool is_full; // no memory for another facet
} facet_search;

static bool gather_triangle(uint32_t item, void *context) {
    facet_search *g = context;
    fr_vec3 corners[3];
    fr__part_corners(g->visit.object, g->visit.part, item, corners);
    fr__facet f = facet_in(g->axes, corners, g->visit.object_index, g->visit.part->first_triangle + item);
    if (!g->place(&f, g->context)) { return true; }
    fr__facet *kept = fr__facet_array_push(g->facets, 1);
    if (kept == NULL) {
        g->is_full = true;
        return false;
    }
    *kept = f;
    g->is_part_seen = true;
    return true;
}

// Whether the part's ball may be seen: far cheaper than to ask its triangles.
static bool may_be_seen(const facet_search *g) {
    const fr__object *object = g->visit.object;
    const fr__part_extent *extent = &g->visit.part->extent;
    double radius = extent->radius * object->view.pose.scale;
    if (g->touches == NULL || !(radius < INFINITY)) { return true; }
    fr_vec3 p = fr_vec3_sub(fr__frame_apply(&object->frame, extent->center), g->axes->origin);
    fr_vec3 center = fr_vec3_make(fr_vec3_dot(g->axes->u, p), fr_vec3_dot(g->axes->v, p), fr_vec3_dot(g->axes->d, p));
    return g->touches(center, (1.0 + 1e-9) * radius + 1e-12 * g->largest, g->context);
}

// No box says which triangles are near: each is placed.
static bool gather_all_triangles(facet_search *g) {
    g->is_part_seen = false;
    bool goes_on = true;
    for (uint32_t t = 0; t < g->visit.part->mesh->view.triangle_count && goes_on; t++) {
        goes_on = gather_triangle(t, g);
    }
    g->parts += g->is_part_seen ? 1 : 0;
    return goes_on;
}

static bool gather_visit(facet_search *g) {
    if (g->input->is_all_drawn || g->visit.object->has_new_vertices) { return gather_all_triangles(g); }
    if (!may_be_seen(g)) { return true; }
    fr__to_part to = fr__to_part_make(g->visit.object, g->visit.part);
    fr_bounds local = fr_bounds_empty();
    for (int i = 0; i < 8; i++) {
        fr_vec3 corner = {(i & 1) != 0 ? g->bounds.max.x : g->bounds.min.x,
                          (i & 2) != 0 ? g->bounds.max.y : g->bounds.min.y,
                          (i & 4) != 0 ? g->bounds.max.z : g->bounds.min.z};
        local = fr_bounds_with_point(&local, fr__to_part_point(&to, corner));
    }
    local = fr_bounds_grow(&local, fr__to_part_margin(&to, g->largest));
    fr_box box = fr_box_of_bounds(&local, fr_vec3_make(0.0, 0.0, 0.0));
    g->is_part_seen = false;
    bool goes_on = fr_tree_overlap_box(g->visit.part->tree, &box, gather_triangle, g);
    g->parts += g->is_part_seen ? 1 : 0;
    return goes_on;
}

// What changed since the last update is passed over: its box is an old one.
static bool gather_part(uint32_t item, void *context) {
    facet_search *g = context;
    const fr_space *space = g->input->space;
    const fr__proxy *proxy = &fr__set_proxies(g->set)[item];
    if (proxy->object == g->input->mover.index1 - 1) { return true; }
    if (fr__object_is_changed(space, fr__space_object(space, proxy->object))) { return true; }
    if (!fr__query_accepts(space, &g->input->filter, proxy)) { return true; }
    g->visit = fr__visit_proxy(space, proxy);
    return gather_visit(g);
}

// What changed since the last update is looked at without boxes, and what was deformed without trees: they are drawn
// from their vertices alone.
static bool gather_changed(facet_search *g) {
    const fr_space *space = g->input->space;
    for (size_t i = 0; i < space->changed.count; i++) {
        uint32_t index = space->changed.data[i];
        const fr__object *object = fr__space_object(space, index);
        if (index == g->input->mover.index1 - 1) { continue; }
        for (uint32_t k = 0; k < object->view.part_count; k++) {
            fr_bounds bounds = fr__part_changed_bounds(object, &object->parts[k]);
            if (!g->input->is_all_drawn && !fr_bounds_overlap(&bounds, &g->bounds)) { continue; }
            if (!fr__query_accepts_object(space, &g->input->filter, fr__space_object_id(space, index))) { continue; }
            g->visit = (fr__visit){object, &object->parts[k], index, k};
            if (!gather_visit(g)) { return false; }
        }
    }
    return true;
}

fr_status fr__gather_others(const fr_radar_input *input, const fr__axes *axes, const fr_bounds *bounds,
                            fr__ball_fn *touches, fr__facet_fn *place, const void *context, fr__facet_array *facets,
                            uint32_t *parts, fr_error *error) {
    fr_status status = fr__query_begin_stale(input->space, &input->filter, error);
    if (status != FR_OK) { return fr_error_set(error, status, "%s", fr_status_text(status)); }
    facet_search g = {.input = input,
                      .axes = axes,
                      .bounds = *bounds,
                      .touches = touches,
                      .place = place,
                      .context = context,
                      .facets = facets};
    g.largest = fr__greater(fr_vec3_largest(g.bounds.min), fr_vec3_largest(g.bounds.max));
    facets->count = 0;
    for (int i = 0; i < FR__SET_COUNT; i++) {
        g.set = &input->space->sets[i];
        if (input->is_all_drawn) {
            bool goes_on = true;
            for (uint32_t k = 0; k < g.set->proxies.count && goes_on; k++) {
                goes_on = gather_part(k, &g);
            }
            continue;
        }
        double reach = fr__lesser(fr__set_reach(g.set), 0x1p+128) + fr_vec3_largest(input->space->origin) + g.largest;
        fr_bounds grown = fr_bounds_grow(&g.bounds, 0x1p-40 * reach);
        fr_box box = fr_box_of_bounds(&grown, input->space->origin);
        (void)fr_tree_overlap_box(g.set->tree, &box, gather_part, &g);
    }
    (void)gather_changed(&g);
    fr__query_end(input->space, &input->filter);
    *parts = g.parts;
    if (input->image != NULL && !g.is_full) { g.is_full = !fr__image_gather(input, axes, place, context, facets); }
    return g.is_full ? fr_error_set(error, FR_ERROR_MEMORY, "no memory for the faces that are seen") : FR_OK;
}

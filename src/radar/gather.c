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

static fr_vec3 along(const fr__axes *axes, fr_vec3 point) {
    fr_vec3 p = fr_vec3_sub(point, axes->origin);
    return fr_vec3_make(fr_vec3_dot(axes->u, p), fr_vec3_dot(axes->v, p), fr_vec3_dot(axes->d, p));
}

static fr__facet facet_in(const fr__axes *axes, const fr_vec3 corners[3], uint32_t object, uint32_t triangle) {
    fr__facet f = {.object = object, .triangle = triangle};
    for (int k = 0; k < 3; k++) {
        fr_vec3 p = along(axes, corners[k]);
        f.x[k] = p.x;
        f.y[k] = p.y;
        f.z[k] = p.z;
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
    const fr__gather_input *wanted;
    const fr_radar_input *input;
    const fr__gathered *out;
    const fr__proxy_set *set;
    double largest;
    fr__visit visit;
    uint32_t parts;
    bool is_part_seen;
    bool is_full; // no memory for another facet
} facet_search;

// Adds a facet if it is seen; false without memory.
static bool add_facet(facet_search *g, fr__facet f) {
    if (!g->wanted->place(&f, g->wanted->context)) { return true; }
    fr__facet *kept = fr__facet_array_push(g->out->facets, 1);
    if (kept == NULL) {
        g->is_full = true;
        return false;
    }
    *kept = f;
    g->is_part_seen = true;
    return true;
}

static bool gather_triangle(uint32_t item, void *context) {
    facet_search *g = context;
    fr_vec3 corners[3];
    fr__part_corners(g->visit.object, g->visit.part, item, corners);
    return add_facet(g,
                     facet_in(g->wanted->axes, corners, g->visit.object_index, g->visit.part->first_triangle + item));
}

// Whether the part's ball may be seen: far cheaper than to ask its triangles.
static bool may_be_seen(const facet_search *g) {
    const fr__object *object = g->visit.object;
    const fr__part_extent *extent = &g->visit.part->extent;
    double radius = extent->radius * object->view.pose.scale;
    if (g->wanted->touches == NULL || !(radius < INFINITY)) { return true; }
    fr_vec3 center = along(g->wanted->axes, fr__frame_apply(&object->frame, extent->center));
    return g->wanted->touches(center, (1.0 + 1e-9) * radius + 1e-12 * g->largest, g->wanted->context);
}

// Each vertex of the part once, along the axes; false without memory.
static bool place_vertices(facet_search *g) {
    const fr__part *part = g->visit.part;
    // The world's coordinates and those along the axes are rounded apart.
    fr_bounds box = fr_bounds_grow(&g->wanted->bounds, 0x1p-40 * g->largest);
    uint32_t count = part->mesh->view.vertex_count;
    fr__placed_vertex *placed = fr__placed_vertex_array_reset(g->out->vertices, count);
    if (placed == NULL) {
        g->is_full = true;
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 p = fr__frame_apply(&g->visit.object->frame, fr__frame_apply(&part->frame, fr__part_vertex(part, i)));
        placed[i].at = along(g->wanted->axes, p);
        placed[i].outside = (p.x < box.min.x ? 1u : 0u) | (p.x > box.max.x ? 2u : 0u) | (p.y < box.min.y ? 4u : 0u) |
                            (p.y > box.max.y ? 8u : 0u) | (p.z < box.min.z ? 16u : 0u) | (p.z > box.max.z ? 32u : 0u);
    }
    return true;
}

// No tree says which triangles are near: all vertices are placed, and what lies outside one side of the box is left
// out.
static bool gather_all_triangles(facet_search *g) {
    const fr__part *part = g->visit.part;
    g->is_part_seen = false;
    bool goes_on = place_vertices(g);
    const fr__placed_vertex *placed = g->out->vertices->data;
    for (uint32_t t = 0; t < part->mesh->view.triangle_count && goes_on; t++) {
        const uint32_t *n = part->mesh->view.triangles + 3 * (size_t)t;
        const fr__placed_vertex *a = &placed[n[0]], *b = &placed[n[1]], *c = &placed[n[2]];
        if ((a->outside & b->outside & c->outside) != 0) { continue; }
        fr__facet f = {.x = {a->at.x, b->at.x, c->at.x},
                       .y = {a->at.y, b->at.y, c->at.y},
                       .z = {a->at.z, b->at.z, c->at.z},
                       .object = g->visit.object_index,
                       .triangle = part->first_triangle + t};
        goes_on = add_facet(g, f);
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
        fr_vec3 corner = {(i & 1) != 0 ? g->wanted->bounds.max.x : g->wanted->bounds.min.x,
                          (i & 2) != 0 ? g->wanted->bounds.max.y : g->wanted->bounds.min.y,
                          (i & 4) != 0 ? g->wanted->bounds.max.z : g->wanted->bounds.min.z};
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
            fr_bounds bounds = fr__part_changed_bounds(space, object, &object->parts[k]);
            if (!g->input->is_all_drawn && !fr_bounds_overlap(&bounds, &g->wanted->bounds)) { continue; }
            if (!fr__query_accepts_object(space, &g->input->filter, fr__space_object_id(space, index))) { continue; }
            g->visit = (fr__visit){object, &object->parts[k], index, k};
            if (!gather_visit(g)) { return false; }
        }
    }
    return true;
}

fr_status fr__gather_others(const fr__gather_input *wanted, const fr__gathered *out, fr_error *error) {
    const fr_radar_input *input = wanted->input;
    fr_status status = fr__query_begin_stale(input->space, &input->filter, error);
    if (status != FR_OK) { return fr_error_set(error, status, "%s", fr_status_text(status)); }
    facet_search g = {.wanted = wanted, .input = input, .out = out};
    g.largest = fr__greater(fr_vec3_largest(wanted->bounds.min), fr_vec3_largest(wanted->bounds.max));
    out->facets->count = 0;
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
        fr_bounds grown = fr_bounds_grow(&wanted->bounds, 0x1p-40 * reach);
        fr_box box = fr_box_of_bounds(&grown, input->space->origin);
        (void)fr_tree_overlap_box(g.set->tree, &box, gather_part, &g);
    }
    (void)gather_changed(&g);
    fr__query_end(input->space, &input->filter);
    *out->parts = g.parts;
    if (input->image != NULL && !g.is_full) {
        g.is_full = !fr__image_gather(input, wanted->axes, wanted->place, wanted->context, out->facets);
    }
    return g.is_full ? fr_error_set(error, FR_ERROR_MEMORY, "no memory for the faces that are seen") : FR_OK;
}

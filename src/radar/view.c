#include "radar/view.h"

#include "space/question.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------
// The mover

// Two directions square to a unit one, the same for the same direction.
static void square_to(fr_vec3 d, fr_vec3 *u, fr_vec3 *v) {
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    fr_vec3 least = x <= y && x <= z ? fr_vec3_make(1.0, 0.0, 0.0)
                    : y <= z         ? fr_vec3_make(0.0, 1.0, 0.0)
                                     : fr_vec3_make(0.0, 0.0, 1.0);
    *u = fr_vec3_unit(fr_vec3_cross(least, d), fr_vec3_make(1.0, 0.0, 0.0));
    *v = fr_vec3_cross(d, *u);
}

void fr__view_aim(const fr_radar_input *input, fr__view *view) {
    const fr__object *object = fr__space_find(input->space, input->mover);
    fr_quat turn = object->view.pose.rotation;
    view->origin = object->view.pose.position;
    view->way = fr_vec3_length(input->way);
    view->d = fr_vec3_unit(input->way, fr_vec3_make(0.0, 0.0, 1.0));
    if (input->round) {
        square_to(view->d, &view->u, &view->v);
        return;
    }
    fr_mat3 to_world = fr_quat_to_mat3(turn), to_body = fr_quat_to_mat3(fr_quat_conjugate(turn));
    fr_vec3 u, v;
    square_to(fr_mat3_apply(to_body, view->d), &u, &v);
    // Made square anew: the turn rounds.
    u = fr_mat3_apply(to_world, u);
    u = fr_vec3_sub(u, fr_vec3_scale(fr_vec3_dot(u, view->d), view->d));
    view->u = fr_vec3_unit(u, u);
    view->v = fr_vec3_cross(view->d, view->u);
}

// A triangle in the frame before there are pixels: metres from the mover's place.
static fr__facet in_metres(const fr__view *view, const fr_vec3 corners[3], uint32_t object, uint32_t triangle) {
    fr__facet f = {.object = object, .triangle = triangle};
    for (int k = 0; k < 3; k++) {
        fr_vec3 p = fr_vec3_sub(corners[k], view->origin);
        f.x[k] = fr_vec3_dot(view->u, p);
        f.y[k] = fr_vec3_dot(view->v, p);
        f.z[k] = fr_vec3_dot(view->d, p);
    }
    return f;
}

static void to_pixels(const fr__view *view, fr__facet *f) {
    for (int k = 0; k < 3; k++) {
        f->x[k] = (f->x[k] - view->left) / view->pixel;
        f->y[k] = (f->y[k] - view->bottom) / view->pixel;
    }
}

// Twice the area as it is seen: > 0 for a face that looks ahead.
static double area_of(const fr__facet *f) {
    return (f->x[1] - f->x[0]) * (f->y[2] - f->y[0]) - (f->y[1] - f->y[0]) * (f->x[2] - f->x[0]);
}

// The image just holds the mover; its longer side has as many pixels as were asked for.
static void frame_mover(fr__view *view, uint32_t resolution, const fr__facet *facets, size_t count) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        const double *axes[3] = {facets[i].x, facets[i].y, facets[i].z};
        for (int a = 0; a < 3; a++) {
            for (int k = 0; k < 3; k++) {
                low[a] = fr__lesser(low[a], axes[a][k]);
                high[a] = fr__greater(high[a], axes[a][k]);
            }
        }
    }
    double across = fr__greater(high[0] - low[0], high[1] - low[1]);
    view->size = fr__greater(across, high[2] - low[2]);
    // A mover without extent across its way is seen as one pixel.
    double seen = across > 0.0 ? across : fr__greater(view->size, view->way);
    view->pixel = seen / (double)resolution;
    view->left = low[0];
    view->bottom = low[1];
    view->z_min = low[2];
    view->z_max = high[2];
    double width = ceil((high[0] - low[0]) / view->pixel), height = ceil((high[1] - low[1]) / view->pixel);
    view->width = (uint32_t)fr__lesser(fr__greater(width, 1.0), (double)resolution);
    view->height = (uint32_t)fr__lesser(fr__greater(height, 1.0), (double)resolution);
}

// Faces that look ahead to the front of the list.
static void sort_mover(fr__mover *mover) {
    fr__facet *facets = mover->facets.data;
    mover->ahead = 0;
    for (size_t i = 0; i < mover->facets.count; i++) {
        // A face seen edge-on may meet something with its edges.
        if (mover->is_closed && area_of(&facets[i]) < 0.0) { continue; }
        fr__facet other = facets[mover->ahead];
        facets[mover->ahead++] = facets[i];
        facets[i] = other;
    }
}

fr_status fr__view_mover(const fr_radar_input *input, bool framed, fr__view *view, fr__mover *mover, fr_error *error) {
    const fr__object *object = fr__space_find(input->space, input->mover);
    if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the mover is not in the space"); }
    if (!framed) { fr__view_aim(input, view); }
    mover->facets.count = 0;
    mover->is_closed = true;
    fr__facet *facets = fr_array_push(&mover->facets, object->view.triangle_count);
    if (facets == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the mover's faces"); }
    for (uint32_t p = 0; p < object->view.part_count; p++) {
        const fr__part *part = &object->parts[p];
        mover->is_closed = mover->is_closed && part->is_closed;
        for (uint32_t t = 0; t < part->mesh->view.triangle_count; t++) {
            fr_vec3 corners[3];
            fr__part_corners(object, part, t, corners);
            facets[part->first_triangle + t] =
                in_metres(view, corners, input->mover.index1 - 1, part->first_triangle + t);
        }
    }
    if (!framed) { frame_mover(view, input->resolution, facets, mover->facets.count); }
    for (size_t i = 0; i < mover->facets.count; i++) {
        to_pixels(view, &facets[i]);
    }
    sort_mover(mover);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The others

typedef struct gathering {
    const fr_radar_input *input;
    const fr__view *view;
    const fr__proxy_set *set;
    fr_bounds bounds; // in the world, of the swept volume
    double largest;
    fr__visit visit;
    fr_array *facets;
    uint32_t parts;
    bool is_part_seen;
    bool is_full; // no memory for another facet
} gathering;

static bool is_seen(const fr__view *view, const fr__facet *f) {
    double x0 = fr__lesser(fr__lesser(f->x[0], f->x[1]), f->x[2]),
           x1 = fr__greater(fr__greater(f->x[0], f->x[1]), f->x[2]);
    double y0 = fr__lesser(fr__lesser(f->y[0], f->y[1]), f->y[2]),
           y1 = fr__greater(fr__greater(f->y[0], f->y[1]), f->y[2]);
    double z0 = fr__lesser(fr__lesser(f->z[0], f->z[1]), f->z[2]),
           z1 = fr__greater(fr__greater(f->z[0], f->z[1]), f->z[2]);
    double slack = 1e-9 * (view->size + view->way);
    return x1 >= -1e-6 && x0 <= (double)view->width + 1e-6 && y1 >= -1e-6 && y0 <= (double)view->height + 1e-6 &&
           z1 >= view->z_min - slack && z0 <= view->z_max + view->way + slack;
}

static bool gather_triangle(uint32_t item, void *context) {
    gathering *g = context;
    fr_vec3 corners[3];
    fr__part_corners(g->visit.object, g->visit.part, item, corners);
    fr__facet f = in_metres(g->view, corners, g->visit.object_index, g->visit.part->first_triangle + item);
    to_pixels(g->view, &f);
    if (!is_seen(g->view, &f)) { return true; }
    fr__facet *place = fr_array_push(g->facets, 1);
    if (place == NULL) {
        g->is_full = true;
        return false;
    }
    *place = f;
    g->is_part_seen = true;
    return true;
}

static bool gather_part(uint32_t item, void *context) {
    gathering *g = context;
    const fr__proxy *proxy = &fr__set_proxies(g->set)[item];
    if (proxy->object == g->input->mover.index1 - 1) { return true; }
    if (!fr__query_accepts(g->input->space, &g->input->filter, proxy)) { return true; }
    g->visit = fr__visit_proxy(g->input->space, proxy);
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

static fr_bounds swept_bounds(const fr__view *view) {
    fr_bounds bounds = fr_bounds_empty();
    for (int i = 0; i < 8; i++) {
        double x = (i & 1) != 0 ? (double)view->width : 0.0, y = (i & 2) != 0 ? (double)view->height : 0.0;
        double z = (i & 4) != 0 ? view->z_max + view->way : view->z_min;
        bounds = fr_bounds_with_point(&bounds, fr__view_point(view, x, y, z));
    }
    double largest = fr__greater(fr_vec3_largest(bounds.min), fr_vec3_largest(bounds.max));
    return fr_bounds_grow(&bounds, 1e-6 * view->pixel + 1e-9 * (view->size + view->way) + 0x1p-44 * largest);
}

fr_status fr__view_others(const fr_radar_input *input, const fr__view *view, fr_array *facets, uint32_t *parts,
                          fr_error *error) {
    fr_status status = fr__query_begin(input->space, &input->filter);
    if (status != FR_OK) { return fr_error_set(error, status, "%s", fr_status_text(status)); }
    gathering g = {.input = input, .view = view, .bounds = swept_bounds(view), .facets = facets};
    g.largest = fr__greater(fr_vec3_largest(g.bounds.min), fr_vec3_largest(g.bounds.max));
    facets->count = 0;
    for (int i = 0; i < FR__SET_COUNT; i++) {
        g.set = &input->space->sets[i];
        double reach = fr__lesser(fr__set_reach(g.set), 0x1p+128) + fr_vec3_largest(input->space->origin) + g.largest;
        fr_bounds grown = fr_bounds_grow(&g.bounds, 0x1p-40 * reach);
        fr_box box = fr_box_of_bounds(&grown, input->space->origin);
        (void)fr_tree_overlap_box(g.set->tree, &box, gather_part, &g);
    }
    fr__query_end(input->space, &input->filter);
    *parts = g.parts;
    return g.is_full ? fr_error_set(error, FR_ERROR_MEMORY, "no memory for the faces that are seen") : FR_OK;
}

// The view of a radar: its axes, its pixels and the faces as seen in it.
#include "radar/view.h"

#include "space/space.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------
// The mover

void fr__view_aim(const fr_radar_input *input, fr__view *view) {
    const fr__object *object = fr__space_find(input->space, input->mover);
    fr_quat turn = object->view.pose.rotation;
    view->axes.origin = object->view.pose.position;
    view->travel = fr_vec3_length(input->travel);
    view->widen = 0.0;
    view->journey = NULL;
    view->axes.d = fr_vec3_unit(input->travel, fr_vec3_make(0.0, 0.0, 1.0));
    if (input->is_round) {
        fr__square_to(view->axes.d, &view->axes.u, &view->axes.v);
        return;
    }
    fr_mat3 to_world = fr_quat_to_mat3(turn), to_body = fr_quat_to_mat3(fr_quat_conjugate(turn));
    fr_vec3 u, v;
    fr__square_to(fr_mat3_apply(to_body, view->axes.d), &u, &v);
    // Made square again: the turn rounds.
    u = fr_mat3_apply(to_world, u);
    u = fr_vec3_sub(u, fr_vec3_scale(fr_vec3_dot(u, view->axes.d), view->axes.d));
    view->axes.u = fr_vec3_unit(u, u);
    view->axes.v = fr_vec3_cross(view->axes.d, view->axes.u);
}

void fr__view_to_pixels(const fr__view *view, fr__facet *f) {
    for (int k = 0; k < 3; k++) {
        f->x[k] = (f->x[k] - view->left) / view->pixel;
        f->y[k] = (f->y[k] - view->bottom) / view->pixel;
    }
}

// Twice the area as it is seen: > 0 for a face that looks ahead.
static double area_of(const fr__facet *f) {
    return (f->x[1] - f->x[0]) * (f->y[2] - f->y[0]) - (f->y[1] - f->y[0]) * (f->x[2] - f->x[0]);
}

void fr__view_frame(fr__view *view, uint32_t resolution, const fr__facet *facets, size_t count) {
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
    // A mover without extent across its travel is seen as one pixel.
    double seen = across > 0.0 ? across : fr__greater(view->size, view->travel);
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
    if (!framed) { fr__view_aim(input, view); }
    fr_status status = fr__gather_mover(input, &view->axes, &mover->facets, &mover->is_closed, error);
    if (status != FR_OK) { return status; }
    fr__facet *facets = mover->facets.data;
    if (!framed) { fr__view_frame(view, input->resolution, facets, mover->facets.count); }
    for (size_t i = 0; i < mover->facets.count; i++) {
        fr__view_to_pixels(view, &facets[i]);
    }
    sort_mover(mover);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The others

bool fr__view_holds(const fr__view *view, const fr__facet *f, double margin) {
    double x0 = fr__lesser(fr__lesser(f->x[0], f->x[1]), f->x[2]),
           x1 = fr__greater(fr__greater(f->x[0], f->x[1]), f->x[2]);
    double y0 = fr__lesser(fr__lesser(f->y[0], f->y[1]), f->y[2]),
           y1 = fr__greater(fr__greater(f->y[0], f->y[1]), f->y[2]);
    double z0 = fr__lesser(fr__lesser(f->z[0], f->z[1]), f->z[2]),
           z1 = fr__greater(fr__greater(f->z[0], f->z[1]), f->z[2]);
    double slack = 1e-9 * (view->size + view->travel) + margin, side = 1e-6 + margin / view->pixel;
    return x1 >= -side && x0 <= (double)view->width + side && y1 >= -side && y0 <= (double)view->height + side &&
           z1 >= view->z_min - slack && z0 <= view->z_max + view->travel + slack;
}

static bool place_other(fr__facet *f, const void *context) {
    fr__view_to_pixels(context, f);
    return fr__view_holds(context, f, 0.0);
}

static bool is_ball_near(fr_vec3 center, double radius, const void *context) {
    const fr__view *view = context;
    double x = center.x - view->left, y = center.y - view->bottom;
    double reach = radius + 1e-6 * view->pixel + 1e-9 * (view->size + view->travel);
    return x >= -reach && x <= view->width * view->pixel + reach && y >= -reach &&
           y <= view->height * view->pixel + reach && center.z >= view->z_min - reach &&
           center.z <= view->z_max + view->travel + reach;
}

static fr_bounds swept_bounds(const fr__view *view) {
    fr_bounds bounds = fr_bounds_empty();
    for (int i = 0; i < 8; i++) {
        double x = (i & 1) != 0 ? (double)view->width : 0.0, y = (i & 2) != 0 ? (double)view->height : 0.0;
        double z = (i & 4) != 0 ? view->z_max + view->travel : view->z_min;
        bounds = fr_bounds_with_point(&bounds, fr__view_point(view, x, y, z));
    }
    double largest = fr__greater(fr_vec3_largest(bounds.min), fr_vec3_largest(bounds.max));
    return fr_bounds_grow(&bounds, 1e-6 * view->pixel + 1e-9 * (view->size + view->travel) + 0x1p-44 * largest);
}

fr_status fr__view_others(const fr_radar_input *input, const fr__view *view, const fr__gathered *out, fr_error *error) {
    const fr__gather_input wanted = {input, &view->axes, swept_bounds(view), is_ball_near, place_other, view};
    return fr__gather_others(&wanted, out, error);
}

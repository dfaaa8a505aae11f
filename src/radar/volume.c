// The image's frame from what it shows of the mover (Yamachi and Shindo): a square of the mover's greatest length is
// drawn first, and its empty margins are cut off. No extent of the mover as it lies now need be known beforehand.
#include "radar/radar.h"
#include "space/part.h"

#include <math.h>

// The pixels that show the mover, ends included.
typedef struct shown {
    uint32_t left, right, bottom, top;
    bool is_any;
} shown;

// The box of a part in its own frame; of a deformed one that of its corners as they are now.
static fr_bounds part_box(const fr__part *part) {
    if (part->vertices == NULL) { return part->mesh->view.bounds; }
    fr_bounds box = fr_bounds_empty();
    for (uint32_t t = 0; t < part->mesh->view.triangle_count; t++) {
        fr_vec3 corners[3];
        fr__part_corners_local(part, t, corners);
        for (int k = 0; k < 3; k++) {
            box = fr_bounds_with_point(&box, corners[k]);
        }
    }
    return box;
}

// The box of the mover's parts along its own axes: what is known of it beforehand.
static fr_bounds box_of(const fr__object *object) {
    fr_bounds box = fr_bounds_empty();
    for (uint32_t p = 0; p < object->view.part_count; p++) {
        const fr__part *part = &object->parts[p];
        fr_bounds own = part_box(part);
        for (int i = 0; i < 8; i++) {
            fr_vec3 corner = {(i & 1) != 0 ? own.max.x : own.min.x, (i & 2) != 0 ? own.max.y : own.min.y,
                              (i & 4) != 0 ? own.max.z : own.min.z};
            box = fr_bounds_with_point(&box, fr_pose_apply(&part->pose, corner));
        }
    }
    return box;
}

// From one frame into another.
static fr__facet moved(const fr__facet *f, const fr__view *from, const fr__view *to) {
    fr__facet out = *f;
    for (int k = 0; k < 3; k++) {
        out.x[k] = (from->left + f->x[k] * from->pixel - to->left) / to->pixel;
        out.y[k] = (from->bottom + f->y[k] * from->pixel - to->bottom) / to->pixel;
    }
    return out;
}

// Marks the columns that a face touches.
static void draw_columns(const fr__view *view, const fr__facet *f, double *plane, uint32_t stride) {
    double x0 = fr__lesser(fr__lesser(f->x[0], f->x[1]), f->x[2]),
           y0 = fr__lesser(fr__lesser(f->y[0], f->y[1]), f->y[2]);
    double x1 = fr__greater(fr__greater(f->x[0], f->x[1]), f->x[2]);
    double y1 = fr__greater(fr__greater(f->y[0], f->y[1]), f->y[2]);
    if (x1 < 0.0 || y1 < 0.0) { return; }
    for (uint32_t y = (uint32_t)fr__greater(fr__lesser(y0, view->height), 0.0); y < view->height && y <= y1; y++) {
        for (uint32_t x = (uint32_t)fr__greater(fr__lesser(x0, view->width), 0.0); x < view->width && x <= x1; x++) {
            fr__column column = {x, y, x + 1.0, y + 1.0};
            fr__reach reach[FR__MOST_REACHES];
            int count = fr__straight_travel.cut(view, f, &column, reach);
            if (count > 0) { plane[(size_t)y * stride + x] = reach[0].high; }
        }
    }
}

static shown look(const double *plane, const fr__view *view, uint32_t stride) {
    shown s = {UINT32_MAX, 0, UINT32_MAX, 0, false};
    for (uint32_t y = 0; y < view->height; y++) {
        for (uint32_t x = 0; x < view->width; x++) {
            if (plane[(size_t)y * stride + x] == -INFINITY) { continue; }
            s.left = x < s.left ? x : s.left;
            s.right = x > s.right ? x : s.right;
            s.bottom = y < s.bottom ? y : s.bottom;
            s.top = y > s.top ? y : s.top;
            s.is_any = true;
        }
    }
    return s;
}

// Draws the mover in a frame and marks which pixels show it. False: no memory.
static bool draw(fr_radar *radar, bool is_sure, const fr__view *tight, const fr__view *view, shown *out) {
    uint32_t stride = (view->width + 3u) & ~3u;
    size_t size = (size_t)stride * view->height;
    double *plane = fr_double_array_reset(&radar->numbers, size);
    if (plane == NULL) { return false; }
    for (size_t i = 0; i < size; i++) {
        plane[i] = -INFINITY;
    }
    fr__raster raster = {.width = view->width, .height = view->height, .stride = stride, .layers = 1};
    double *const planes[1] = {plane};
    const fr__facet *facets = radar->mover.facets.data;
    for (size_t i = 0; i < radar->mover.facets.count; i++) {
        fr__facet f = moved(&facets[i], tight, view);
        if (is_sure) {
            draw_columns(view, &f, plane, stride);
        } else {
            fr__raster_kernel()->draw_layers(&raster, planes, &f, 1);
        }
    }
    *out = look(plane, view, stride);
    return true;
}

// Cuts the margins off. A line may have missed up to a pixel of the mover on each side.
static void shrink(fr__view *view, const shown *s, bool is_sure, uint32_t resolution) {
    double margin = is_sure ? 0.0 : 1.0;
    double across = s->right + 1.0 - s->left + 2.0 * margin, up = s->top + 1.0 - s->bottom + 2.0 * margin;
    double width = across * view->pixel, height = up * view->pixel;
    view->left += (s->left - margin) * view->pixel;
    view->bottom += (s->bottom - margin) * view->pixel;
    view->pixel = fr__greater(width, height) / resolution;
    view->width = (uint32_t)fr__lesser(fr__greater(ceil(width / view->pixel - 1e-9), 1.0), resolution);
    view->height = (uint32_t)fr__lesser(fr__greater(ceil(height / view->pixel - 1e-9), 1.0), resolution);
}

fr_status fr__volume_from_mask(fr_radar *radar, const fr_radar_input *input, const fr__object *object, fr__view *view) {
    const fr__view tight = *view;
    bool is_sure = input->look != FR_RADAR_CENTRE;
    fr_bounds box = box_of(object);
    fr_vec3 middle = fr_pose_apply(&object->view.pose, fr_vec3_lerp(box.min, box.max, 0.5));
    middle = fr_vec3_sub(middle, view->axes.origin);
    double x = fr_vec3_dot(view->axes.u, middle), y = fr_vec3_dot(view->axes.v, middle);
    double side = fr_vec3_distance(box.min, box.max) * object->view.pose.scale;
    shown s = {0};
    view->left = x - 0.5 * side;
    view->bottom = y - 0.5 * side;
    view->pixel = side / input->resolution;
    view->width = view->height = input->resolution;
    if (side > 0.0 && !draw(radar, is_sure, &tight, view, &s)) { return FR_ERROR_MEMORY; }
    if (s.is_any) {
        shrink(view, &s, is_sure, input->resolution);
    } else {
        // Lines that miss it altogether say nothing of it.
        *view = tight;
    }
    fr__facet *facets = radar->mover.facets.data;
    for (size_t i = 0; i < radar->mover.facets.count; i++) {
        facets[i] = moved(&facets[i], &tight, view);
    }
    return FR_OK;
}

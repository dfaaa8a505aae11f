// How far an object may turn: circles about the axis instead of lines along the travel.
#include "radar/radar.h"
#include "radar/turning.h"

#include "space/space.h"

#include <math.h>
#include <string.h>

#define WHOLE_TURN (2.0 * FR_PI)

// ---------------------------------------------------------------------------------------------------------------
// The view

static fr_status check(const fr_radar_input *input, fr_error *error) {
    bool is_axis = fr_vec3_is_finite(input->axis) && fr_vec3_length(input->axis) > 0.0 &&
                   fr_vec3_largest(input->axis) <= FR_LENGTH_MAX;
    if (!is_axis || !fr_vec3_is_finite(input->pivot) || fr_vec3_largest(input->pivot) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the axis has no direction, or is not finite");
    }
    if (!(input->angle > 0.0) || !isfinite(input->angle)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the angle is not above 0");
    }
    return fr__radar_check(input, error);
}

static fr__reach heights(const fr__facet *f) {
    return (fr__reach){fr__lesser(fr__lesser(f->z[0], f->z[1]), f->z[2]),
                       fr__greater(fr__greater(f->z[0], f->z[1]), f->z[2])};
}

void fr__turn_frame(uint32_t resolution, const fr__mover *mover, fr__view *view) {
    fr__reach r = {INFINITY, 0.0}, h = {INFINITY, -INFINITY};
    const fr__facet *facets = mover->facets.data;
    for (size_t i = 0; i < mover->facets.count; i++) {
        fr__reach far = fr__facet_distances(&facets[i]), high = heights(&facets[i]);
        r = (fr__reach){fr__lesser(r.low, far.low), fr__greater(r.high, far.high)};
        h = (fr__reach){fr__lesser(h.low, high.low), fr__greater(h.high, high.high)};
    }
    double side = fr__greater(r.high - r.low, h.high - h.low);
    view->size = fr__greater(r.high, h.high - h.low);
    view->pixel = (side > 0.0 ? side : fr__greater(view->size, 1.0)) / (double)resolution;
    view->left = r.low;
    view->bottom = h.low;
    double width = ceil((r.high - r.low) / view->pixel), height = ceil((h.high - h.low) / view->pixel);
    view->width = (uint32_t)fr__lesser(fr__greater(width, 1.0), (double)resolution);
    view->height = (uint32_t)fr__lesser(fr__greater(height, 1.0), (double)resolution);
}

static double far_of(const fr__view *view) { return view->left + view->width * view->pixel; }
static double top_of(const fr__view *view) { return view->bottom + view->height * view->pixel; }

bool fr__turn_holds(const fr__view *view, const fr__facet *f, double margin) {
    fr__reach far = fr__facet_distances(f), high = heights(f);
    double slack = 1e-6 * view->pixel + margin;
    return far.high >= view->left - slack && far.low <= far_of(view) + slack && high.high >= view->bottom - slack &&
           high.low <= top_of(view) + slack;
}

static bool place_other(fr__facet *f, const void *context) { return fr__turn_holds(context, f, 0.0); }

static bool is_ball_near(fr_vec3 center, double radius, const void *context) {
    const fr__view *view = context;
    double r = sqrt(center.x * center.x + center.y * center.y), reach = radius + 1e-6 * (view->pixel + view->size);
    return r >= view->left - reach && r <= far_of(view) + reach && center.z >= view->bottom - reach &&
           center.z <= top_of(view) + reach;
}

// The box in the world of the cylinder that the mover sweeps.
static fr_bounds swept_bounds(const fr__view *view) {
    fr_vec3 d = view->axes.d;
    double far = far_of(view);
    fr_vec3 half =
        fr_vec3_make(far * sqrt(fr__greater(1.0 - d.x * d.x, 0.0)), far * sqrt(fr__greater(1.0 - d.y * d.y, 0.0)),
                     far * sqrt(fr__greater(1.0 - d.z * d.z, 0.0)));
    fr_bounds bounds = fr_bounds_empty();
    for (int end = 0; end < 2; end++) {
        fr_vec3 middle = fr__axes_point(&view->axes, 0.0, 0.0, end == 0 ? view->bottom : top_of(view));
        bounds = fr_bounds_with_point(&bounds, fr_vec3_sub(middle, half));
        bounds = fr_bounds_with_point(&bounds, fr_vec3_add(middle, half));
    }
    double largest = fr__greater(fr_vec3_largest(bounds.min), fr_vec3_largest(bounds.max));
    return fr_bounds_grow(&bounds, 1e-6 * (view->pixel + far) + 0x1p-44 * largest);
}

// ---------------------------------------------------------------------------------------------------------------
// Circles through the middles of pixels

typedef struct pixels {
    int left, right, bottom, top; // ends included
} pixels;

static bool range_of(double low, double high, double start, double pixel, uint32_t count, int *first, int *last) {
    double a = ceil((low - start) / pixel - 0.5 - 1e-9), b = floor((high - start) / pixel - 0.5 + 1e-9);
    a = fr__greater(a, 0.0);
    b = fr__lesser(b, (double)count - 1.0);
    if (!(a <= b)) { return false; }
    *first = (int)a;
    *last = (int)b;
    return true;
}

static bool pixels_of(const fr__view *view, const fr__facet *f, pixels *out) {
    fr__reach far = fr__facet_distances(f), high = heights(f);
    return range_of(far.low, far.high, view->left, view->pixel, view->width, &out->left, &out->right) &&
           range_of(high.low, high.high, view->bottom, view->pixel, view->height, &out->bottom, &out->top);
}

static int meets_pixel(const fr__view *view, const fr__facet *f, int x, int y, double angles[2]) {
    return fr__circle_meets(f, view->left + (x + 0.5) * view->pixel, view->bottom + (y + 0.5) * view->pixel, angles);
}

// The mover's angles in each pixel, linked; `heads` has one a pixel.
static bool draw_mover(fr_radar *radar, const fr__view *view, const fr__raster *raster, uint32_t *heads) {
    const fr__facet *facets = radar->mover.facets.data;
    for (size_t i = 0; i < radar->mover.facets.count; i++) {
        pixels p;
        if (!pixels_of(view, &facets[i], &p)) { continue; }
        for (int y = p.bottom; y <= p.top; y++) {
            for (int x = p.left; x <= p.right; x++) {
                double angles[2];
                size_t at = (size_t)y * raster->stride + (size_t)x;
                int count = meets_pixel(view, &facets[i], x, y, angles);
                for (int k = 0; k < count; k++) {
                    fr__hit *hit = fr__hit_array_push(&radar->hits, 1);
                    if (hit == NULL) { return false; }
                    *hit = (fr__hit){angles[k], heads[at]};
                    heads[at] = (uint32_t)(radar->hits.count - 1);
                    raster->exits[0][at] = fr__greater(raster->exits[0][at], angles[k]);
                }
            }
        }
    }
    return true;
}

static void meet_pixel(const fr_radar *radar, const fr__raster *raster, size_t at, uint32_t head, double angle,
                       const fr__facet *f) {
    const fr__hit *hits = radar->hits.data;
    for (uint32_t h = head; h != FR_NONE; h = hits[h].next) {
        double travel = fr__angle_between(hits[h].angle, angle);
        bool is_later =
            f->object > raster->object[at] || (f->object == raster->object[at] && f->triangle >= raster->triangle[at]);
        if (travel > raster->free_travel[at] || (travel == raster->free_travel[at] && is_later)) { continue; }
        raster->free_travel[at] = travel;
        raster->range[at] = angle;
        raster->object[at] = f->object;
        raster->triangle[at] = f->triangle;
    }
}

static void draw_others(const fr_radar *radar, const fr__view *view, const fr__raster *raster, const uint32_t *heads) {
    const fr__facet *facets = radar->others.data;
    for (size_t i = 0; i < radar->others.count; i++) {
        pixels p;
        if (!pixels_of(view, &facets[i], &p)) { continue; }
        for (int y = p.bottom; y <= p.top; y++) {
            for (int x = p.left; x <= p.right; x++) {
                size_t at = (size_t)y * raster->stride + (size_t)x;
                double angles[2];
                if (heads[at] == FR_NONE) { continue; }
                int count = meets_pixel(view, &facets[i], x, y, angles);
                for (int k = 0; k < count; k++) {
                    meet_pixel(radar, raster, at, heads[at], angles[k], &facets[i]);
                }
            }
        }
    }
}

// Room for the planes: those of what is met, the front, and a head a pixel, which borrows the last mask's place.
static bool make_planes(fr_radar *radar, fr__raster *raster, uint32_t **heads) {
    fr__mask *scratch = &radar->masks[FR__MASKS - 1];
    size_t size = (size_t)raster->stride * raster->height;
    scratch->key.mesh = NULL;
    double *planes = fr_double_array_reset(&scratch->planes, 2 * size);
    radar->hits.count = 0;
    if (planes == NULL || !fr__radar_clear(radar, raster)) { return false; }
    raster->exits[0] = planes;
    *heads = (uint32_t *)(void *)(planes + size);
    for (size_t i = 0; i < size; i++) {
        planes[i] = -INFINITY;
        (*heads)[i] = FR_NONE;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The call

static fr_status look(fr_radar *radar, const fr_radar_input *input, fr__view *view, fr__raster *raster,
                      fr_radar_stats *stats, fr_error *error) {
    view->axes.origin = input->pivot;
    view->axes.d = fr_vec3_unit(input->axis, fr_vec3_make(0.0, 0.0, 1.0));
    fr__square_to(view->axes.d, &view->axes.u, &view->axes.v);
    fr_status status = fr__gather_mover(input, &view->axes, &radar->mover.facets, &radar->mover.is_closed, error);
    if (status != FR_OK) { return status; }
    radar->mover.ahead = radar->mover.facets.count;
    fr__turn_frame(input->resolution, &radar->mover, view);
    view->travel = fr__lesser(input->angle, WHOLE_TURN);
    const fr__gather_input wanted = {input, &view->axes, swept_bounds(view), is_ball_near, place_other, view};
    const fr__gathered gathered = {&radar->others, &radar->vertices, &stats->parts};
    status = fr__gather_others(&wanted, &gathered, error);
    if (status != FR_OK) { return status; }
    *raster = (fr__raster){.width = view->width, .height = view->height, .stride = (view->width + 3u) & ~3u};
    uint32_t *heads;
    bool is_by_backend = fr__radar_is_drawn_by_backend(radar, input);
    bool is_ready = make_planes(radar, raster, &heads);
    is_ready = is_ready && (is_by_backend || draw_mover(radar, view, raster, heads));
    if (!is_ready) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for images"); }
    stats->triangles = radar->others.count;
    stats->cells = (uint64_t)view->width * view->height;
    stats->is_mask_drawn = true;
    if (is_by_backend) { return fr__backend_turn(radar, view, raster, error); }
    draw_others(radar, view, raster, heads);
    return FR_OK;
}

// A pair that lines or bounds named: where its other face is met, or its middle, with that face's normal.
static fr__meeting name_pair(const fr_radar *radar, const fr__view *view, const fr__raster *raster, double least,
                             const fr__bracket *bracket) {
    fr__meeting met = bracket->meeting;
    if (met.travel < INFINITY) { return met; }
    const fr__facet *facets = radar->others.data;
    for (uint32_t y = 0; y < raster->height && least < INFINITY; y++) {
        for (uint32_t x = 0; x < raster->width; x++) {
            size_t at = (size_t)y * raster->stride + x;
            if (raster->free_travel[at] != least) { continue; }
            double r = view->left + (x + 0.5) * view->pixel, sine, cosine;
            fr_sincos(raster->range[at], &sine, &cosine);
            met.point = fr_vec3_make(r * cosine, r * sine, view->bottom + (y + 0.5) * view->pixel);
            for (size_t i = 0; i < radar->others.count; i++) {
                bool is_it = facets[i].object == raster->object[at] && facets[i].triangle == raster->triangle[at];
                if (is_it) { met.other = &facets[i]; }
            }
        }
    }
    const fr__facet *f = met.other;
    if (f == NULL) { return met; }
    fr_vec3 c[3];
    for (int k = 0; k < 3; k++) {
        c[k] = fr_vec3_make(f->x[k], f->y[k], f->z[k]);
    }
    if (!(least < INFINITY)) { met.point = fr_vec3_scale(1.0 / 3.0, fr_vec3_add(fr_vec3_add(c[0], c[1]), c[2])); }
    fr_vec3 n = fr_vec3_cross(fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[0]));
    bool is_along = n.y * met.point.x - n.x * met.point.y >= 0.0;
    met.normal = is_along ? n : fr_vec3_negate(n);
    return met;
}

static void report(const fr_radar *radar, const fr_radar_input *input, const fr__view *view, const fr__raster *raster,
                   double least, const fr__bracket *bracket, fr_radar_output *output) {
    double found = input->look == FR_RADAR_CENTRE ? bracket->high : bracket->low;
    output->low = bracket->low;
    output->high = bracket->high;
    output->is_hit = found < view->travel;
    output->distance = output->is_hit ? found : input->angle;
    output->flags = bracket->is_wide ? FR_RADAR_WIDE : 0u;
    output->images = (fr_radar_images){.width = raster->width,
                                       .height = raster->height,
                                       .stride = raster->stride,
                                       .pixel = view->pixel,
                                       .corner = fr__axes_point(&view->axes, view->left, 0.0, view->bottom),
                                       .u = view->axes.u,
                                       .v = view->axes.d,
                                       .d = view->axes.d,
                                       .front = raster->exits[0],
                                       .range = raster->range,
                                       .free_travel = raster->free_travel,
                                       .object = raster->object,
                                       .triangle = raster->triangle};
    fr__meeting met = output->is_hit ? name_pair(radar, view, raster, least, bracket) : (fr__meeting){0};
    if (met.other == NULL) { return; }
    output->kind = 1;
    output->points = 1;
    fr_vec3 point = fr__axes_point(&view->axes, met.point.x, met.point.y, met.point.z);
    output->contact = fr__radar_contact(input, &view->axes, &met, point, output->distance / input->angle);
}

fr_status fr_radar_turn(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output, fr_error *error) {
    FR_ASSERT(radar != NULL);
    memset(output, 0, sizeof *output);
    if (input->cookie != FR__RADAR_COOKIE) { return fr_error_set_cookie(error, "fr_default_radar_input"); }
    FR_ASSERT(input->space != NULL);
    fr_status status = check(input, error);
    if (status != FR_OK) { return status; }
    fr__view view = {0};
    fr__raster raster;
    status = look(radar, input, &view, &raster, &output->stats, error);
    if (status != FR_OK) { return status; }
    double least = fr__radar_least(&raster);
    fr__bracket bracket = {
        .low = input->look == FR_RADAR_CENTRE ? 0.0 : least, .high = least, .meeting = {.travel = INFINITY}};
    if (input->look != FR_RADAR_CENTRE && radar->others.count > 0) {
        fr__column root = {.x1 = (double)view.width, .y1 = (double)view.height};
        status = fr__columns_search(&radar->columns, input, &fr__turning_travel, &view, &radar->mover, &radar->others,
                                    &root, least, &bracket);
        if (status != FR_OK) { return fr_error_set(error, status, "no memory for columns"); }
        output->stats.cells += bracket.cells;
        output->stats.pairs = bracket.pairs;
    }
    report(radar, input, &view, &raster, least, &bracket, output);
    return FR_OK;
}

// Who is in a volume: a picture of it, and closer pictures of what it shows.
#include "fureai/base_order.h"
#include "radar/polygon.h"
#include "radar/radar.h"

#include "space/space.h"

#include <math.h>
#include <string.h>

// More closer looks than these are left out.
#define MOST_WINDOWS 4096

typedef fr__search_window window;

typedef struct image_search {
    fr_radar *radar;
    const fr_radar_search_input *input;
    fr__axes axes;
    window all;
    fr_radar_search_output *out;
} image_search;

fr_radar_search_input fr_default_radar_search_input(void) {
    return (fr_radar_search_input){.direction = {0.0, 0.0, 1.0},
                                   .up = {0.0, 1.0, 0.0},
                                   .width = 1.0,
                                   .height = 1.0,
                                   .depth = 1.0,
                                   .resolution = 16,
                                   .passes = 6,
                                   .filter = fr_default_query_filter(),
                                   .cookie = FR__RADAR_SEARCH_COOKIE};
}

fr__search fr__search_make(const fr_allocator *allocator) {
    return (fr__search){.windows = fr__search_window_array_make(allocator),
                        .numbers = fr_double_array_make(allocator),
                        .names = fr_uint32_array_make(allocator),
                        .marks = fr_uint32_array_make(allocator),
                        .sights = fr__sight_array_make(allocator)};
}

void fr__search_free(fr__search *search) {
    fr__search_window_array_destroy(&search->windows);
    fr_double_array_destroy(&search->numbers);
    fr_uint32_array_destroy(&search->names);
    fr_uint32_array_destroy(&search->marks);
    fr__sight_array_destroy(&search->sights);
}

// ---------------------------------------------------------------------------------------------------------------
// Volumes

static bool is_length(double length) { return length > 0.0 && length <= FR_LENGTH_MAX; }

static fr_status check(const fr_radar_search_input *input, fr_error *error) {
    bool is_aimed = fr_vec3_is_finite(input->direction) && fr_vec3_length(input->direction) > 0.0 &&
                    fr_vec3_largest(input->direction) <= FR_LENGTH_MAX && fr_vec3_is_finite(input->eye) &&
                    fr_vec3_largest(input->eye) <= FR_LENGTH_MAX && fr_vec3_is_finite(input->up);
    if (!is_aimed) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the radar looks in no direction, or is not finite");
    }
    if (!is_length(input->width) || !is_length(input->height) || !is_length(input->depth)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the volume to search has no extent, or is not finite");
    }
    if (input->resolution < 1 || input->resolution > FR_RADAR_MAX_RESOLUTION) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the resolution is %u, not 1 to %d", input->resolution,
                            FR_RADAR_MAX_RESOLUTION);
    }
    if ((unsigned)input->look > FR_RADAR_CONSERVATIVE || !(input->pixel >= 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "no such look, or a pixel below 0");
    }
    return fr__space_check_members(input->space, error);
}

static void aim(const fr_radar_search_input *input, fr__axes *axes) {
    axes->origin = input->eye;
    axes->d = fr_vec3_unit(input->direction, fr_vec3_make(0.0, 0.0, 1.0));
    fr_vec3 up = fr_vec3_unit(input->up, fr_vec3_make(0.0, 0.0, 0.0));
    up = fr_vec3_sub(up, fr_vec3_scale(fr_vec3_dot(up, axes->d), axes->d));
    if (fr_vec3_length(up) < 1e-6) {
        fr__square_to(axes->d, &axes->u, &axes->v);
        return;
    }
    axes->v = fr_vec3_unit(up, up);
    axes->u = fr_vec3_cross(axes->v, axes->d);
}

// Divides the window into pixels.
static void divide(window *w, uint32_t resolution) {
    w->pixel = fr__greater(w->width_m, w->height_m) / (double)resolution;
    double across = ceil(w->width_m / w->pixel - 1e-9), up = ceil(w->height_m / w->pixel - 1e-9);
    w->width = (uint32_t)fr__lesser(fr__greater(across, 1.0), (double)resolution);
    w->height = (uint32_t)fr__lesser(fr__greater(up, 1.0), (double)resolution);
}

static fr_bounds bounds_of(const fr__axes *axes, const window *w) {
    fr_bounds bounds = fr_bounds_empty();
    for (int i = 0; i < 8; i++) {
        double x = w->left + ((i & 1) != 0 ? w->width * w->pixel : 0.0);
        double y = w->bottom + ((i & 2) != 0 ? w->height * w->pixel : 0.0);
        bounds = fr_bounds_with_point(&bounds, fr__axes_point(axes, x, y, (i & 4) != 0 ? w->far : w->near));
    }
    double largest = fr__greater(fr_vec3_largest(bounds.min), fr_vec3_largest(bounds.max));
    return fr_bounds_grow(&bounds, 1e-6 * w->pixel + 1e-9 * w->far + 0x1p-44 * largest);
}

static bool are_apart(const double v[3], double low, double high) {
    return (v[0] < low && v[1] < low && v[2] < low) || (v[0] > high && v[1] > high && v[2] > high);
}

static bool is_in_window(const fr__facet *f, const window *w) {
    double side = 1e-9 * w->pixel, deep = 1e-9 * w->far;
    return !are_apart(f->x, w->left - side, w->left + w->width * w->pixel + side) &&
           !are_apart(f->y, w->bottom - side, w->bottom + w->height * w->pixel + side) &&
           !are_apart(f->z, w->near - deep, w->far + deep);
}

static bool place_facet(fr__facet *f, const void *context) { return is_in_window(f, context); }

static void to_pixels(fr__facet *f, const window *w) {
    for (int k = 0; k < 3; k++) {
        f->x[k] = (f->x[k] - w->left) / w->pixel;
        f->y[k] = (f->y[k] - w->bottom) / w->pixel;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Sights

// The object's entry, made where there is none; NULL: no memory.
static fr_radar_sight *sight_of(image_search *s, uint32_t object) {
    fr__sight_array *list = &s->radar->search.sights;
    fr_radar_sight *sights = list->data;
    for (size_t i = list->count; i-- > 0;) {
        if (sights[i].object.index1 == object + 1) { return &sights[i]; }
    }
    fr_radar_sight *fresh = fr__sight_array_push(list, 1);
    if (fresh == NULL) { return NULL; }
    *fresh = (fr_radar_sight){.object = fr__space_object_id(s->input->space, object), .distance = INFINITY};
    return fresh;
}

static void come_nearer(image_search *s, fr_radar_sight *sight, const double place[3], uint32_t triangle,
                        double pixel) {
    if (place[2] > sight->distance || (place[2] == sight->distance && triangle >= sight->triangle)) { return; }
    sight->distance = place[2];
    sight->triangle = triangle;
    sight->point = fr__axes_point(&s->axes, place[0], place[1], place[2]);
    sight->pixel = pixel;
}

static bool sight_is_before(const fr_radar_sight *a, const fr_radar_sight *b) {
    return a->distance != b->distance ? a->distance < b->distance : a->object.index1 < b->object.index1;
}

FR_SORT_TYPE(sort_sights, fr_radar_sight, sight_is_before);

// ---------------------------------------------------------------------------------------------------------------
// Images

// Room for the images of a window, empty; the first look has its own.
static bool make_images(image_search *s, const window *w, fr__raster *raster) {
    fr_radar *radar = s->radar;
    bool is_first = w->pass == 0;
    *raster = (fr__raster){
        .width = w->width, .height = w->height, .stride = (w->width + 3u) & ~3u, .layers = 1, .slack = 1e-12 * w->far};
    size_t size = (size_t)raster->stride * raster->height;
    double *numbers = fr_double_array_reset(is_first ? &radar->numbers : &radar->search.numbers, 3 * size);
    uint32_t *names = fr_uint32_array_reset(is_first ? &radar->names : &radar->search.names, 2 * size);
    if (numbers == NULL || names == NULL) { return false; }
    for (size_t i = 0; i < 2 * size; i++) {
        numbers[i] = INFINITY;
        names[i] = FR_NONE;
    }
    for (size_t i = 2 * size; i < 3 * size; i++) {
        numbers[i] = w->near;
    }
    raster->range = numbers;
    raster->free_travel = numbers + size;
    raster->exits[0] = numbers + 2 * size;
    raster->object = names;
    raster->triangle = names + size;
    return true;
}

// Draws what is in the window: the mask is its near side, so that only what lies beyond counts.
static bool draw_lines(image_search *s, const window *w, fr__raster *raster) {
    fr__facet_array *kept = &s->radar->mover.facets;
    const fr__facet *facets = s->radar->others.data;
    kept->count = 0;
    for (size_t i = 0; i < s->radar->others.count; i++) {
        if (!is_in_window(&facets[i], w)) { continue; }
        fr__facet *f = fr__facet_array_push(kept, 1);
        if (f == NULL) { return false; }
        *f = facets[i];
        to_pixels(f, w);
    }
    fr__raster_kernel()->draw_range(raster, kept->data, kept->count);
    return true;
}

// Reports what the pixels show and wipes those that look beyond the window.
static bool report_pixels(image_search *s, const window *w, fr__raster *raster) {
    fr_radar_sight *last = NULL;
    for (uint32_t y = 0; y < raster->height; y++) {
        for (uint32_t x = 0; x < raster->width; x++) {
            size_t at = (size_t)y * raster->stride + x;
            double z = raster->range[at];
            if (!(z <= w->far)) {
                raster->range[at] = raster->free_travel[at] = INFINITY;
                raster->object[at] = raster->triangle[at] = FR_NONE;
                continue;
            }
            if (last == NULL || last->object.index1 != raster->object[at] + 1) {
                last = sight_of(s, raster->object[at]);
            }
            if (last == NULL) { return false; }
            const double place[3] = {w->left + (x + 0.5) * w->pixel, w->bottom + (y + 0.5) * w->pixel, z};
            come_nearer(s, last, place, raster->triangle[at], w->pixel);
            if (w->pass == 0) { last->pixels++; }
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Closer looks

// Pixels of one object that hang together, corners included.
typedef struct patch {
    uint32_t left, right, bottom, top; // ends included
    double deepest;
} patch;

static void join_pixel(patch *p, const fr__raster *raster, uint32_t at) {
    uint32_t x = at % raster->stride, y = at / raster->stride;
    p->left = x < p->left ? x : p->left;
    p->right = x > p->right ? x : p->right;
    p->bottom = y < p->bottom ? y : p->bottom;
    p->top = y > p->top ? y : p->top;
    p->deepest = fr__greater(p->deepest, raster->range[at]);
}

// Collects the patch of a pixel; `marks` has a plane of what is reported already and one of pixels to come.
static patch collect(const fr__raster *raster, uint32_t *marks, uint32_t first) {
    uint32_t *stack = marks + (size_t)raster->stride * raster->height, count = 0;
    patch p = {.left = UINT32_MAX, .bottom = UINT32_MAX};
    marks[first] = 1;
    stack[count++] = first;
    while (count > 0) {
        uint32_t at = stack[--count], x = at % raster->stride, y = at / raster->stride;
        join_pixel(&p, raster, at);
        for (int i = 0; i < 9; i++) {
            int64_t nx = (int64_t)x + i % 3 - 1, ny = (int64_t)y + i / 3 - 1;
            if (nx < 0 || ny < 0 || nx >= (int64_t)raster->width || ny >= (int64_t)raster->height) { continue; }
            uint32_t next = (uint32_t)ny * raster->stride + (uint32_t)nx;
            if (marks[next] != 0 || raster->object[next] != raster->object[first]) { continue; }
            marks[next] = 1;
            stack[count++] = next;
        }
    }
    return p;
}

// A rectangle of pixels, ends not included.
typedef struct pixel_frame {
    double x0, y0, x1, y1;
} pixel_frame;

// The volume of a frame, to a pixel behind the patch, kept to the whole. It begins where the whole does: what was too
// small to be seen before the patch may be seen now.
static window window_of(const image_search *s, const window *from, const pixel_frame *f, const patch *p) {
    const window *all = &s->all;
    double right = all->left + all->width * all->pixel, top = all->bottom + all->height * all->pixel;
    window w = {.pass = from->pass + 1};
    w.left = fr__greater(from->left + f->x0 * from->pixel, all->left);
    w.bottom = fr__greater(from->bottom + f->y0 * from->pixel, all->bottom);
    w.width_m = fr__lesser(from->left + f->x1 * from->pixel, right) - w.left;
    w.height_m = fr__lesser(from->bottom + f->y1 * from->pixel, top) - w.bottom;
    w.far = fr__lesser(p->deepest + from->pixel, all->far);
    divide(&w, s->input->resolution);
    return w;
}

// Asks for a closer look at a patch: just about it, a pixel more on all sides. Where that is not much smaller than the
// window it came from, it is cut in four, so that pixels shrink in any case. False: no memory.
static bool add_windows(image_search *s, const window *from, const patch *p) {
    pixel_frame f = {p->left - 1.0, p->bottom - 1.0, p->right + 2.0, p->top + 2.0};
    double longer = fr__greater(f.x1 - f.x0, f.y1 - f.y0), whole = fr__greater(from->width, from->height);
    double x = 0.5 * (f.x0 + f.x1), y = 0.5 * (f.y0 + f.y1);
    int parts = longer > 0.75 * whole ? 4 : 1;
    fr__search_window_array *windows = &s->radar->search.windows;
    if (windows->count + (size_t)parts > MOST_WINDOWS) {
        s->out->flags |= FR_RADAR_WIDE;
        return true;
    }
    for (int i = 0; i < parts; i++) {
        pixel_frame part = f;
        if (parts == 4) {
            part = (pixel_frame){(i & 1) != 0 ? x : f.x0, (i & 2) != 0 ? y : f.y0, (i & 1) != 0 ? f.x1 : x,
                                 (i & 2) != 0 ? f.y1 : y};
        }
        window w = window_of(s, from, &part, p);
        if (!(w.width_m > 0.0 && w.height_m > 0.0)) { continue; }
        window *place = fr__search_window_array_push(windows, 1);
        if (place == NULL) { return false; }
        *place = w;
    }
    return true;
}

static bool look_closer(image_search *s, const window *from, const fr__raster *raster) {
    size_t size = (size_t)raster->stride * raster->height;
    uint32_t *marks = fr_uint32_array_reset(&s->radar->search.marks, 2 * size);
    if (marks == NULL) { return false; }
    memset(marks, 0, size * sizeof *marks);
    for (uint32_t i = 0; i < size; i++) {
        if (raster->object[i] == FR_NONE || marks[i] != 0) { continue; }
        patch p = collect(raster, marks, i);
        if (!add_windows(s, from, &p)) { return false; }
    }
    return true;
}

static bool search_by_lines(image_search *s, fr__raster *first) {
    fr__search *search = &s->radar->search;
    // A window may be added while another is looked into: it is copied out.
    for (size_t i = 0; i < search->windows.count; i++) {
        window w = search->windows.data[i];
        fr__raster closer, *raster = i == 0 ? first : &closer;
        if (!make_images(s, &w, raster) || !draw_lines(s, &w, raster) || !report_pixels(s, &w, raster)) {
            return false;
        }
        s->out->volumes++;
        s->out->stats.cells += (uint64_t)w.width * w.height;
        bool is_fine = s->input->pixel == 0.0 || w.pixel <= s->input->pixel || w.pass >= s->input->passes;
        if (!is_fine && !look_closer(s, &w, raster)) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Columns

// Writes a face, cut to the volume, into the columns it touches.
static void draw_columns(const fr__raster *raster, const fr__facet *f, const fr__polygon *whole) {
    double y0 = INFINITY, y1 = -INFINITY;
    for (int i = 0; i < whole->count; i++) {
        y0 = fr__lesser(y0, whole->p[i][1]);
        y1 = fr__greater(y1, whole->p[i][1]);
    }
    for (uint32_t y = (uint32_t)fr__greater(y0, 0.0); y < raster->height && (double)y <= y1; y++) {
        fr__polygon row = *whole;
        fr__polygon_keep(&row, 1, (double)y, (double)y + 1.0);
        double x0 = INFINITY, x1 = -INFINITY;
        for (int i = 0; i < row.count; i++) {
            x0 = fr__lesser(x0, row.p[i][0]);
            x1 = fr__greater(x1, row.p[i][0]);
        }
        for (uint32_t x = (uint32_t)fr__greater(fr__lesser(x0, raster->width), 0.0);
             x < raster->width && (double)x <= x1; x++) {
            fr__polygon cell = row;
            fr__polygon_keep(&cell, 0, (double)x, (double)x + 1.0);
            if (cell.count == 0) { continue; }
            size_t at = (size_t)y * raster->stride + x;
            double z = fr__polygon_nearest(&cell)[2];
            bool is_later = f->object > raster->object[at] ||
                            (f->object == raster->object[at] && f->triangle >= raster->triangle[at]);
            if (z > raster->range[at] || (z == raster->range[at] && is_later)) { continue; }
            raster->range[at] = raster->free_travel[at] = z;
            raster->object[at] = f->object;
            raster->triangle[at] = f->triangle;
        }
    }
}

static bool search_by_columns(image_search *s, fr__raster *raster) {
    const window *w = &s->all;
    const fr__facet *facets = s->radar->others.data;
    if (!make_images(s, w, raster)) { return false; }
    for (size_t i = 0; i < s->radar->others.count; i++) {
        fr__facet f = facets[i];
        to_pixels(&f, w);
        fr__polygon poly = fr__polygon_of(&f);
        fr__polygon_keep(&poly, 2, w->near, w->far);
        fr__polygon_keep(&poly, 0, 0.0, (double)w->width);
        fr__polygon_keep(&poly, 1, 0.0, (double)w->height);
        if (poly.count == 0) { continue; }
        fr_radar_sight *sight = sight_of(s, f.object);
        if (sight == NULL) { return false; }
        const double *p = fr__polygon_nearest(&poly);
        const double place[3] = {w->left + p[0] * w->pixel, w->bottom + p[1] * w->pixel, p[2]};
        come_nearer(s, sight, place, f.triangle, 0.0);
        draw_columns(raster, &f, &poly);
    }
    for (size_t i = 0; i < (size_t)raster->stride * raster->height; i++) {
        if (raster->object[i] != FR_NONE) { sight_of(s, raster->object[i])->pixels++; }
    }
    s->out->volumes = 1;
    s->out->stats.cells = (uint64_t)w->width * w->height;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The call

static fr_status gather(image_search *s, fr_error *error) {
    fr_radar_input query = fr_default_radar_input();
    query.space = s->input->space;
    query.filter = s->input->filter;
    const fr__gather_input wanted = {.input = &query,
                                     .axes = &s->axes,
                                     .bounds = bounds_of(&s->axes, &s->all),
                                     .place = place_facet,
                                     .context = &s->all};
    const fr__gathered gathered = {&s->radar->others, &s->radar->vertices, &s->out->stats.parts};
    fr_status status = fr__gather_others(&wanted, &gathered, error);
    s->out->stats.triangles = s->radar->others.count;
    return status;
}

static void report(image_search *s, const fr__raster *raster) {
    fr__sight_array *sights = &s->radar->search.sights;
    sort_sights(sights->data, sights->count);
    s->out->count = (uint32_t)sights->count;
    s->out->is_hit = sights->count > 0;
    s->out->sights = sights->data;
    s->out->images = (fr_radar_images){.width = raster->width,
                                       .height = raster->height,
                                       .stride = raster->stride,
                                       .pixel = s->all.pixel,
                                       .corner = fr__axes_point(&s->axes, s->all.left, s->all.bottom, 0.0),
                                       .u = s->axes.u,
                                       .v = s->axes.v,
                                       .d = s->axes.d,
                                       .front = raster->exits[0],
                                       .range = raster->range,
                                       .free_travel = raster->free_travel,
                                       .object = raster->object,
                                       .triangle = raster->triangle};
}

fr_status fr_radar_search(fr_radar *radar, const fr_radar_search_input *input, fr_radar_search_output *output,
                          fr_error *error) {
    FR_ASSERT(radar != NULL);
    memset(output, 0, sizeof *output);
    if (input->cookie != FR__RADAR_SEARCH_COOKIE) {
        return fr_error_set_cookie(error, "fr_default_radar_search_input");
    }
    FR_ASSERT(input->space != NULL);
    fr_status status = check(input, error);
    if (status != FR_OK) { return status; }
    image_search s = {.radar = radar, .input = input, .out = output};
    aim(input, &s.axes);
    s.all = (window){.left = -0.5 * input->width,
                     .bottom = -0.5 * input->height,
                     .width_m = input->width,
                     .height_m = input->height,
                     .far = input->depth};
    divide(&s.all, input->resolution);
    status = gather(&s, error);
    if (status != FR_OK) { return status; }
    radar->search.sights.count = 0;
    window *first = fr__search_window_array_reset(&radar->search.windows, 1);
    fr__raster raster = {0};
    bool is_done = first != NULL;
    if (is_done) {
        *first = s.all;
        bool is_sure = input->look == FR_RADAR_CONSERVATIVE;
        is_done = is_sure ? search_by_columns(&s, &raster) : search_by_lines(&s, &raster);
    }
    if (!is_done) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a search"); }
    report(&s, &raster);
    return FR_OK;
}

// An actor that only draws: what the radar of an object sees. The volume that it looks into is a box of lines, and the
// depth image stands at the far side of it, as on a screen: near things are bright, and what is not met is left out.
#include "actor/radar_layer.h"

#include "fureai/actor.h"
#include "fureai/radar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RADAR_LAYER_COOKIE 0x5241444cu

enum { SHADES = 12 }; // that a depth is rounded to: pixels of one shade are drawn at once

typedef struct fr__radar_layer {
    fr_allocator allocator;
    fr_radar_layer_def def;
    fr_radar *radar;
    double quads[18 * FR_RADAR_LAYER_RESOLUTION * FR_RADAR_LAYER_RESOLUTION];
    char name[FR_CAST_LAYER_NAME_MAX_BYTES + 1];
} fr__radar_layer;

// One drawing of it.
typedef struct radar_drawing {
    fr__radar_layer *layer;
    const fr_radar_images *images;
    fr__radar_volume volume; // in the world
    fr_pose to_object;       // from the world
} radar_drawing;

// ---------------------------------------------------------------------------------------------------------------
// The volume

void fr__radar_volume_turn(fr__radar_volume *volume, fr_vec3 direction) {
    const fr_vec3 up = fr_vec3_make(0.0, 1.0, 0.0), ahead = fr_vec3_make(0.0, 0.0, 1.0);
    volume->d = fr_vec3_scale(1.0 / fr_vec3_length(direction), direction);
    fr_vec3 across = fr_vec3_cross(volume->d, fabs(volume->d.y) < 0.999 ? up : ahead);
    volume->u = fr_vec3_scale(1.0 / fr_vec3_length(across), across);
    volume->v = fr_vec3_cross(volume->u, volume->d);
}

// A corner: parts of width and height from the middle, -0.5 .. 0.5, and of the depth.
static fr_vec3 volume_point(const fr__radar_volume *volume, double u, double v, double d) {
    fr_vec3 point = fr_vec3_add_scaled(volume->eye, u * volume->width, volume->u);
    point = fr_vec3_add_scaled(point, v * volume->height, volume->v);
    return fr_vec3_add_scaled(point, d * volume->depth, volume->d);
}

static void put(double *out, fr_vec3 point) {
    out[0] = point.x;
    out[1] = point.y;
    out[2] = point.z;
}

// The ends of its edges.
static void volume_edges(const fr__radar_volume *volume, fr_vec3 points[24]) {
    static const double corners[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    for (int i = 0; i < 4; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % 4];
        for (int far = 0; far < 2; far++) {
            points[4 * i + 2 * far] = volume_point(volume, a[0], a[1], far);
            points[4 * i + 2 * far + 1] = volume_point(volume, b[0], b[1], far);
        }
        points[16 + 2 * i] = volume_point(volume, a[0], a[1], 0.0);
        points[17 + 2 * i] = volume_point(volume, a[0], a[1], 1.0);
    }
}

void fr__radar_volume_draw(const fr__radar_volume *volume, const fr_draw *draw, fr_color color, double line_width) {
    fr_vec3 points[24];
    double numbers[72];
    volume_edges(volume, points);
    for (int i = 0; i < 24; i++) {
        put(numbers + 3 * i, points[i]);
    }
    fr_draw_lines(draw, numbers, 12, color, line_width);
}

// ---------------------------------------------------------------------------------------------------------------
// The image

// The shade of a depth: 0 what is nearest; SHADES: nothing is met.
static uint32_t shade_of(double range, double depth) {
    if (!(range < depth)) { return SHADES; }
    double part = fmax(range, 0.0) / depth * SHADES;
    return part < SHADES - 1 ? (uint32_t)part : SHADES - 1;
}

// From orange, near, to blue, far.
static fr_color color_of(uint32_t shade) {
    double part = (double)shade / (SHADES - 1);
    return (fr_color){(uint8_t)(255.0 - 195.0 * part), (uint8_t)(170.0 - 60.0 * part), (uint8_t)(60.0 + 150.0 * part),
                      235};
}

// Two triangles of a pixel at the far side, in the object's frame.
static void put_pixel(const radar_drawing *drawing, uint32_t x, uint32_t y, double *out) {
    static const double corners[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    const fr_radar_images *images = drawing->images;
    for (int i = 0; i < 6; i++) {
        fr_vec3 point = fr_vec3_add_scaled(images->corner, (x + corners[i][0]) * images->pixel, images->u);
        point = fr_vec3_add_scaled(point, (y + corners[i][1]) * images->pixel, images->v);
        point = fr_vec3_add_scaled(point, drawing->volume.depth, images->d);
        put(out + 3 * i, fr_pose_apply(&drawing->to_object, point));
    }
}

static void paint_image(const fr_draw *draw, void *user) {
    static const fr_color edges = {255, 190, 90, 190};
    const radar_drawing *drawing = user;
    const fr_radar_images *images = drawing->images;
    double *quads = drawing->layer->quads;
    fr_vec3 points[24];
    double lines[72];
    volume_edges(&drawing->volume, points);
    for (int i = 0; i < 24; i++) {
        put(lines + 3 * i, fr_pose_apply(&drawing->to_object, points[i]));
    }
    fr_draw_lines(draw, lines, 12, edges, 1.5);
    for (uint32_t shade = 0; shade < SHADES; shade++) {
        size_t count = 0;
        for (uint32_t y = 0; y < images->height; y++) {
            for (uint32_t x = 0; x < images->width; x++) {
                double range = images->range[(size_t)y * images->stride + x];
                if (shade_of(range, drawing->volume.depth) == shade) { put_pixel(drawing, x, y, quads + 18 * count++); }
            }
        }
        if (count > 0) { fr_draw_triangles(draw, quads, 2 * count, color_of(shade)); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The actor

static fr_status look(fr__radar_layer *layer, fr_painter *painter, const fr_space *space, fr_error *error) {
    const fr_radar_layer_def *def = &layer->def;
    const fr_object_view *object = fr_object_get(space, def->object);
    fr_vec3 direction = fr_pose_turn(&object->pose, def->direction);
    radar_drawing drawing = {.layer = layer, .to_object = fr_pose_inverse(&object->pose)};
    drawing.volume = (fr__radar_volume){
        .eye = object->pose.position, .width = def->width, .height = def->width, .depth = def->range};
    fr__radar_volume_turn(&drawing.volume, direction);
    fr_radar_search_input input = fr_default_radar_search_input();
    input.space = space;
    input.eye = drawing.volume.eye;
    input.direction = direction;
    input.up = drawing.volume.v;
    input.width = input.height = def->width;
    input.depth = def->range;
    input.resolution = FR_RADAR_LAYER_RESOLUTION;
    input.filter.ignore = def->object;
    fr_radar_search_output output;
    fr_status status = fr_radar_search(layer->radar, &input, &output, error);
    if (status != FR_OK) { return status; }
    drawing.images = &output.images;
    const fr_cast_layer shown = {.name = layer->name, .object = def->object, .paint = paint_image, .user = &drawing};
    return fr_painter_draw(painter, &shown, error);
}

static void paint(fr_painter *painter, const fr_proposal *proposal, void *user) {
    fr__radar_layer *layer = user;
    if (fr_object_get(proposal->space, layer->def.object) == NULL) { return; }
    fr_error error = {0};
    if (look(layer, painter, proposal->space, &error) != FR_OK) {
        fr_log(FR_LOG_WARNING, "the %s is not drawn: %s", layer->name, error.message);
    }
}

static void leave(void *user) {
    fr__radar_layer *layer = user;
    fr_allocator allocator = layer->allocator;
    fr_radar_destroy(layer->radar);
    fr_deallocate(&allocator, layer, 1, sizeof *layer);
}

fr_radar_layer_def fr_default_radar_layer_def(void) {
    fr_radar_layer_def def;
    memset(&def, 0, sizeof def);
    def.direction = fr_vec3_make(1.0, 0.0, 0.0);
    def.range = 4.0;
    def.width = 1.0;
    def.cookie = RADAR_LAYER_COOKIE;
    return def;
}

static bool is_length(double value) { return value >= FR_RADAR_LAYER_MIN && value <= FR_RADAR_LAYER_MAX; }

fr_status fr_radar_layer_create(const fr_radar_layer_def *def, fr_actor *out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    if (def->cookie != RADAR_LAYER_COOKIE) { return fr_error_set_cookie(error, "fr_default_radar_layer_def"); }
    double length = fr_vec3_length(def->direction);
    bool is_right = def->name != NULL && strlen(def->name) <= FR_WORLD_NAME_MAX_BYTES && is_length(def->range) &&
                    is_length(def->width) && length > 0.0 && length < INFINITY;
    if (!is_right) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "the layer of a radar needs a name, a direction, and a range and width of %g .. %g m",
                            FR_RADAR_LAYER_MIN, FR_RADAR_LAYER_MAX);
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr__radar_layer *layer = fr_allocate(&allocator, 1, sizeof *layer, _Alignof(fr__radar_layer));
    if (layer == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a layer"); }
    memset(layer, 0, sizeof *layer);
    layer->allocator = allocator;
    layer->def = *def;
    snprintf(layer->name, sizeof layer->name, "radar of %s", def->name);
    layer->def.name = NULL; // the caller's
    fr_status status = fr_radar_create(&allocator, &layer->radar, error);
    if (status != FR_OK) {
        fr_deallocate(&allocator, layer, 1, sizeof *layer);
        return status;
    }
    *out = (fr_actor){.name = "radar", .paint = paint, .leave = leave, .user = layer};
    return FR_OK;
}

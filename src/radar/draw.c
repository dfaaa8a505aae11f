// Draws the images of a radar: depths as shades, objects as colours.
#include "fureai/radar.h"

#include <math.h>

static void draw_square(const fr_draw *draw, double x, double y, fr_color color) {
    const double points[18] = {x, y, 0, x + 1, y, 0, x + 1, y + 1, 0, x, y, 0, x + 1, y + 1, 0, x, y + 1, 0};
    fr_draw_triangles(draw, points, 2, color);
}

static fr_color shade_of(double share) {
    uint8_t grey = (uint8_t)(40.0 + 200.0 * fmin(fmax(share, 0.0), 1.0));
    return (fr_color){grey, grey, (uint8_t)(grey / 2 + 120), 255};
}

typedef struct value_span {
    double low, high;
} value_span;

static value_span finite_span(const fr_radar_images *images, const double *image) {
    value_span s = {INFINITY, -INFINITY};
    for (uint32_t y = 0; y < images->height; y++) {
        for (uint32_t x = 0; x < images->width; x++) {
            double value = image[(size_t)y * images->stride + x];
            if (!isfinite(value)) { continue; }
            s.low = fmin(s.low, value);
            s.high = fmax(s.high, value);
        }
    }
    return s;
}

static void draw_frame(const fr_draw *draw, const fr_radar_images *images, double left, const char *title) {
    static const fr_color ink = {40, 40, 40, 255};
    double right = left + images->width, top = images->height;
    const double frame[24] = {left,  0,   0, right, 0,   0, right, 0,   0, right, top, 0,
                              right, top, 0, left,  top, 0, left,  top, 0, left,  0,   0};
    fr_draw_lines(draw, frame, 4, ink, 1.0);
    const double place[3] = {left, top + 0.04 * images->width, 0};
    fr_draw_text(draw, place, title, ink, 14.0);
}

void fr_radar_draw_depths(const fr_radar_images *images, const double *image, double left, const char *title,
                          const fr_draw *draw) {
    value_span s = finite_span(images, image);
    double width = s.high > s.low ? s.high - s.low : 1.0;
    for (uint32_t y = 0; y < images->height; y++) {
        for (uint32_t x = 0; x < images->width; x++) {
            double value = image[(size_t)y * images->stride + x];
            if (isfinite(value)) { draw_square(draw, left + x, y, shade_of((value - s.low) / width)); }
        }
    }
    draw_frame(draw, images, left, title);
}

fr_color fr_radar_object_color(uint32_t object) {
    static const fr_color colors[] = {{76, 114, 176, 255},  {221, 132, 82, 255},  {85, 168, 104, 255},
                                      {196, 78, 82, 255},   {129, 114, 179, 255}, {147, 120, 96, 255},
                                      {218, 139, 195, 255}, {100, 181, 205, 255}};
    return colors[object % (sizeof colors / sizeof colors[0])];
}

void fr_radar_draw_objects(const fr_radar_images *images, double left, const char *title, const fr_draw *draw) {
    for (uint32_t y = 0; y < images->height; y++) {
        for (uint32_t x = 0; x < images->width; x++) {
            uint32_t object = images->object[(size_t)y * images->stride + x];
            if (object != FR_NONE) { draw_square(draw, left + x, y, fr_radar_object_color(object)); }
        }
    }
    draw_frame(draw, images, left, title);
}

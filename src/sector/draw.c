// Draws a sector as lines.
#include "fureai/sector.h"

#include "sector/plane.h"

#define STEPS 64 // of a full turn

// The four corners of the ring at an angle: inner and outer, below and above.
static void ring_at(const fr_sector *s, double angle, fr_vec3 out[4]) {
    double sine, cosine;
    fr_sincos(angle, &sine, &cosine);
    for (int i = 0; i < 4; i++) {
        double radius = i & 1 ? s->outer : s->inner, z = i & 2 ? s->half_thickness : -s->half_thickness;
        out[i] = fr__sector_world(s, radius * cosine, radius * sine, z);
    }
}

static void put(double *to, fr_vec3 p) {
    to[0] = p.x;
    to[1] = p.y;
    to[2] = p.z;
}

static void draw_quad(const fr_draw *draw, fr_vec3 a, fr_vec3 b, fr_vec3 c, fr_vec3 d, fr_color color) {
    const fr_vec3 corners[6] = {a, b, c, a, c, d};
    double points[18];
    for (int i = 0; i < 6; i++) {
        put(points + 3 * i, corners[i]);
    }
    fr_draw_triangles(draw, points, 2, color);
}

static void draw_line(const fr_draw *draw, fr_vec3 a, fr_vec3 b, fr_color color) {
    double points[6];
    put(points, a);
    put(points + 3, b);
    fr_draw_lines(draw, points, 1, color, 1.0);
}

// The radial face at an angle.
static void draw_end(const fr_sector *s, const fr_draw *draw, double angle, fr_color fill, fr_color line) {
    fr_vec3 c[4];
    ring_at(s, angle, c);
    if (fill.a > 0) { draw_quad(draw, c[0], c[1], c[3], c[2], fill); }
    draw_line(draw, c[0], c[1], line);
    draw_line(draw, c[1], c[3], line);
    draw_line(draw, c[3], c[2], line);
    draw_line(draw, c[2], c[0], line);
}

void fr_sector_draw(const fr_sector *s, const fr_draw *draw, fr_color fill, fr_color line) {
    int steps = 1 + (int)(STEPS * s->half_angle / FR_PI);
    fr_vec3 from[4], to[4];
    ring_at(s, -s->half_angle, from);
    for (int i = 1; i <= steps; i++) {
        ring_at(s, -s->half_angle + 2.0 * s->half_angle * i / steps, to);
        if (fill.a > 0) {
            draw_quad(draw, from[0], from[1], to[1], to[0], fill);
            draw_quad(draw, from[2], from[3], to[3], to[2], fill);
            draw_quad(draw, from[1], from[3], to[3], to[1], fill);
            if (s->inner > 0.0) { draw_quad(draw, from[0], from[2], to[2], to[0], fill); }
        }
        for (int k = 0; k < 4; k++) {
            if (s->inner > 0.0 || (k & 1)) { draw_line(draw, from[k], to[k], line); }
            from[k] = to[k];
        }
    }
    if (!fr__sector_is_full(s)) {
        draw_end(s, draw, -s->half_angle, fill, line);
        draw_end(s, draw, s->half_angle, fill, line);
    }
}

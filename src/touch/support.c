// What carries a body: the contacts of flat faces as a few points of their common area.
#include "touch/support.h"

#include <math.h>

#define DIRECTIONS 8
#define ALONG (1.0 - 1e-6) // cosine of the angle between normals that count as one
#define FLAT 0.5           // cosine of the angle between a face and the normal, beyond which it has no height
#define MOST_CORNERS 9     // of what two triangles share, in every stage of the cutting

// The outermost places across one normal.
typedef struct rim {
    fr_vec3 normal, x, y;
    double most[DIRECTIONS]; // how far out
    fr_contact at[DIRECTIONS];
} rim;

static rim rim_of(fr_vec3 normal) {
    rim r;
    r.normal = normal;
    r.x = fr_vec3_perpendicular(normal);
    r.y = fr_vec3_cross(normal, r.x);
    for (int i = 0; i < DIRECTIONS; i++) {
        r.most[i] = -INFINITY;
    }
    return r;
}

static void put(rim *r, const fr_contact *contact, fr_vec3 point) {
    const double half = 0.70710678118654752;
    double x = fr_vec3_dot(r->x, point), y = fr_vec3_dot(r->y, point);
    const double out[DIRECTIONS] = {x, half * (x + y), y, half * (y - x), -x, half * (-x - y), -y, half * (x - y)};
    for (int i = 0; i < DIRECTIONS; i++) {
        if (!(out[i] > r->most[i])) { continue; }
        r->most[i] = out[i];
        r->at[i] = *contact;
        r->at[i].point = point;
    }
}

// Each place once.
static uint32_t write(const rim *r, fr_contact *out, uint32_t capacity) {
    uint32_t count = 0;
    for (int i = 0; i < DIRECTIONS && count < capacity; i++) {
        bool is_new = true;
        for (uint32_t k = 0; k < count && is_new; k++) {
            is_new = !fr_vec3_equal(out[k].point, r->at[i].point);
        }
        if (is_new) { out[count++] = r->at[i]; }
    }
    return count;
}

static void body_corners(const fr__support_input *in, const fr_contact *c, fr_vec3 corners[3]) {
    uint32_t triangle = c->triangle_a;
    for (uint32_t i = 0; i < c->part_a; i++) {
        triangle -= fr_mesh_get(in->parts[i].mesh)->triangle_count;
    }
    const fr_part_def *part = &in->parts[c->part_a];
    fr_mesh_corners(part->mesh, triangle, corners);
    for (int k = 0; k < 3; k++) {
        corners[k] = fr_pose_apply(&in->pose, fr_pose_apply(&part->pose, corners[k]));
    }
}

// The plane of a triangle as a height along the rim's normal over a place across it; false where it is too steep.
typedef struct slope {
    fr_vec3 normal;
    double offset, rise;
} slope;

static bool slope_of(const rim *r, const fr_vec3 corners[3], slope *out) {
    out->normal = fr_vec3_unit(fr_polygon_area_vector(corners, 3), fr_vec3_make(0.0, 0.0, 0.0));
    out->offset = fr_vec3_dot(out->normal, corners[0]);
    out->rise = fr_vec3_dot(out->normal, r->normal);
    return fabs(out->rise) >= FLAT;
}

static double height_of(const slope *s, fr_vec3 across) {
    return (s->offset - fr_vec3_dot(s->normal, across)) / s->rise;
}

static void flatten(const rim *r, const fr_vec3 corners[3], fr_vec2 flat[3]) {
    for (int k = 0; k < 3; k++) {
        flat[k] = (fr_vec2){fr_vec3_dot(r->x, corners[k]), fr_vec3_dot(r->y, corners[k])};
    }
    if (fr_polygon_area(flat, 3) >= 0.0) { return; }
    fr_vec2 swap = flat[1];
    flat[1] = flat[2];
    flat[2] = swap;
}

// Puts the corners of what two faces share where they are near one another; false: none is.
static bool put_shared(rim *r, const fr__support_input *in, const fr_contact *c) {
    fr_vec3 a[3], b[3];
    slope on_a, on_b;
    body_corners(in, c, a);
    if (fr_object_corners(in->space, c->b, c->triangle_b, b, NULL) != FR_OK) { return false; }
    if (!slope_of(r, a, &on_a) || !slope_of(r, b, &on_b)) { return false; }
    fr_vec2 flat_a[3], flat_b[3], shared[MOST_CORNERS], scratch[MOST_CORNERS];
    flatten(r, a, flat_a);
    flatten(r, b, flat_b);
    size_t count = fr_polygon_clip(flat_a, 3, flat_b, 3, shared, scratch, MOST_CORNERS);
    bool is_put = false;
    for (size_t i = 0; count != SIZE_MAX && i < count; i++) {
        fr_vec3 across = fr_vec3_add(fr_vec3_scale(shared[i].x, r->x), fr_vec3_scale(shared[i].y, r->y));
        double under = height_of(&on_a, across), over = height_of(&on_b, across);
        if (!(fabs(over - under) <= in->near)) { continue; }
        put(r, c, fr_vec3_add_scaled(across, under, r->normal));
        is_put = true;
    }
    return is_put;
}

uint32_t fr__support_find(const fr__support_input *in, fr_contact *out, uint32_t capacity) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < in->contact_count && count < capacity; i++) {
        fr_vec3 normal = fr_vec3_unit(in->contacts[i].normal, zero);
        bool is_first = !fr_vec3_equal(normal, zero);
        for (uint32_t k = 0; k < count && is_first; k++) {
            is_first = fr_vec3_dot(out[k].normal, normal) < ALONG;
        }
        if (!is_first) { continue; }
        rim r = rim_of(normal);
        for (uint32_t k = i; k < in->contact_count; k++) {
            const fr_contact *c = &in->contacts[k];
            if (fr_vec3_dot(c->normal, normal) < ALONG) { continue; }
            if (!put_shared(&r, in, c)) { put(&r, c, c->point); }
        }
        count += write(&r, out + count, capacity - count);
    }
    return count;
}

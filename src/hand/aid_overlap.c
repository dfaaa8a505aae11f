// The area two faces share: every triangle of one is cut by every triangle of the other, in the plane. The triangles of
// a face do not overlap, so the sum is right for any outline.
#include "aid.h"

#define MOST_CORNERS 9 // three cuts make at most half as many again each: 4, 6, 9

typedef struct flat {
    fr_vec2 corners[3]; // counter-clockwise
    fr_vec2 min, max;
} flat;

static flat flatten(const fr_vec3 corners[3], fr_vec3 origin, fr_vec3 u, fr_vec3 v) {
    flat f;
    for (int k = 0; k < 3; k++) {
        fr_vec3 p = fr_vec3_sub(corners[k], origin);
        f.corners[k] = (fr_vec2){fr_vec3_dot(p, u), fr_vec3_dot(p, v)};
    }
    if (fr_polygon_area(f.corners, 3) < 0.0) {
        fr_vec2 swap = f.corners[1];
        f.corners[1] = f.corners[2];
        f.corners[2] = swap;
    }
    f.min = f.max = f.corners[0];
    for (int k = 1; k < 3; k++) {
        f.min = (fr_vec2){fmin(f.min.x, f.corners[k].x), fmin(f.min.y, f.corners[k].y)};
        f.max = (fr_vec2){fmax(f.max.x, f.corners[k].x), fmax(f.max.y, f.corners[k].y)};
    }
    return f;
}

static bool is_apart(fr_vec2 a_min, fr_vec2 a_max, fr_vec2 b_min, fr_vec2 b_max) {
    return a_max.x <= b_min.x || b_max.x <= a_min.x || a_max.y <= b_min.y || b_max.y <= a_min.y;
}

static double shared(const flat *a, const flat *b) {
    if (is_apart(a->min, a->max, b->min, b->max)) { return 0.0; }
    fr_vec2 piece[MOST_CORNERS], scratch[MOST_CORNERS];
    size_t count = fr_polygon_clip(a->corners, 3, b->corners, 3, piece, scratch, MOST_CORNERS);
    return fr_polygon_area(piece, count);
}

#define BLOCK 64

// Triangles that follow one another in a mesh lie near one another: a block of them is passed over by its bounds.
typedef struct block {
    flat flats[BLOCK];
    uint32_t count;
    fr_vec2 min, max;
} block;

typedef struct axes {
    fr_vec3 origin, u, v;
} axes;

static void fill_block(const fr_vec3 *corners, uint32_t count, const axes *in, block *out) {
    out->count = count < BLOCK ? count : BLOCK;
    for (uint32_t i = 0; i < out->count; i++) {
        const flat f = flatten(corners + 3 * (size_t)i, in->origin, in->u, in->v);
        out->min = i == 0 ? f.min : (fr_vec2){fmin(out->min.x, f.min.x), fmin(out->min.y, f.min.y)};
        out->max = i == 0 ? f.max : (fr_vec2){fmax(out->max.x, f.max.x), fmax(out->max.y, f.max.y)};
        out->flats[i] = f;
    }
}

static double shared_of_blocks(const block *a, const block *b) {
    double area = 0.0;
    if (is_apart(a->min, a->max, b->min, b->max)) { return area; }
    for (uint32_t i = 0; i < a->count; i++) {
        if (is_apart(a->flats[i].min, a->flats[i].max, b->min, b->max)) { continue; }
        for (uint32_t k = 0; k < b->count; k++) {
            area += shared(&a->flats[i], &b->flats[k]);
        }
    }
    return area;
}

double fr__aid_overlap(const fr_vec3 *a, uint32_t a_count, const fr_vec3 *b, uint32_t b_count, fr_vec3 normal) {
    if (a_count == 0 || b_count == 0) { return 0.0; }
    axes in = {.origin = b[0], .u = fr_vec3_perpendicular(normal)};
    in.v = fr_vec3_cross(normal, in.u);
    block of_a, of_b;
    double area = 0.0;
    for (uint32_t i = 0; i < a_count; i += BLOCK) {
        fill_block(a + 3 * (size_t)i, a_count - i, &in, &of_a);
        for (uint32_t k = 0; k < b_count; k += BLOCK) {
            fill_block(b + 3 * (size_t)k, b_count - k, &in, &of_b);
            area += shared_of_blocks(&of_a, &of_b);
        }
    }
    return area;
}

static double angle_deg(fr_vec3 a, fr_vec3 b) {
    return fr_degrees(fr_atan2(fr_vec3_length(fr_vec3_cross(a, b)), fr_vec3_dot(a, b)));
}

double fr__aid_attraction(fr_vec3 m, fr_vec3 n, fr_vec3 velocity, double weight_normals, double weight_approach) {
    return angle_deg(m, n) * weight_normals + angle_deg(velocity, n) * weight_approach;
}

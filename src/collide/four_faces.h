// Four triangles at once: their world corners, and which of them four pairs have in common. Inlined into kernels.
#ifndef FUREAI_COLLIDE_FOUR_FACES_H
#define FUREAI_COLLIDE_FOUR_FACES_H

#include "collide/side.h"
#include "math/wide.h"

// Four points, or vectors, by axis; four triangles by corner and axis.
typedef struct four_points {
    fr__d4 at[3];
} four_points;

typedef struct four_triangles {
    four_points corner[3];
} four_triangles;

// A frame with every number in all lanes.
typedef struct four_frames {
    four_points row[3], position;
    fr__d4 scale;
} four_frames;

static inline four_points splat_point(fr_vec3 v) {
    four_points p = {{fr__d4_splat(v.x), fr__d4_splat(v.y), fr__d4_splat(v.z)}};
    return p;
}

static inline void widen_frame_of_four(const fr__frame *frame, four_frames *out) {
    for (int i = 0; i < 3; i++) {
        out->row[i] = splat_point(frame->rotation.row[i]);
    }
    out->position = splat_point(frame->position);
    out->scale = fr__d4_splat(frame->scale);
}

static inline fr__d4 dot(const four_points *a, const four_points *b) {
    fr__d4 xy = fr__d4_add(fr__d4_mul(a->at[0], b->at[0]), fr__d4_mul(a->at[1], b->at[1]));
    return fr__d4_add(xy, fr__d4_mul(a->at[2], b->at[2]));
}

static inline four_points minus(const four_points *a, const four_points *b) {
    four_points d = {{fr__d4_sub(a->at[0], b->at[0]), fr__d4_sub(a->at[1], b->at[1]), fr__d4_sub(a->at[2], b->at[2])}};
    return d;
}

static inline four_points sizes(const four_points *a) {
    four_points size = {{fr__d4_abs(a->at[0]), fr__d4_abs(a->at[1]), fr__d4_abs(a->at[2])}};
    return size;
}

static inline four_points choose(fr__m4 m, const four_points *a, const four_points *b) {
    four_points p = {{fr__d4_select(m, a->at[0], b->at[0]), fr__d4_select(m, a->at[1], b->at[1]),
                      fr__d4_select(m, a->at[2], b->at[2])}};
    return p;
}

// The order of operations of fr__frame_apply.
static inline four_points move_points(const four_frames *frame, const four_points *p) {
    four_points scaled = {
        {fr__d4_mul(frame->scale, p->at[0]), fr__d4_mul(frame->scale, p->at[1]), fr__d4_mul(frame->scale, p->at[2])}};
    four_points moved;
    for (int i = 0; i < 3; i++) {
        moved.at[i] = fr__d4_add(dot(&frame->row[i], &scaled), frame->position.at[i]);
    }
    return moved;
}

// What loading triangles of a side needs.
typedef struct four_source {
    const fr__side *side;
    four_frames part, object;
} four_source;

static inline void make_source(const fr__side *side, four_source *out) {
    out->side = side;
    widen_frame_of_four(&side->part_frame, &out->part);
    widen_frame_of_four(&side->object_frame, &out->object);
}

// The vertices of four triangles.
typedef struct four_indices {
    const uint32_t *of[4];
} four_indices;

static inline four_indices indices_of(const fr__side *side, const uint32_t triangle[4]) {
    four_indices t;
    for (int k = 0; k < 4; k++) {
        t.of[k] = side->triangles + 3 * (size_t)triangle[k];
    }
    return t;
}

// The world corners of four triangles, bit for bit those of fr__side_corners.
static inline void load_triangles(const four_source *from, const uint32_t triangle[4], four_triangles *out) {
    const fr__side *side = from->side;
    four_indices t = indices_of(side, triangle);
    for (int c = 0; c < 3; c++) {
        four_points p;
        size_t i0 = 3 * (size_t)t.of[0][c], i1 = 3 * (size_t)t.of[1][c], i2 = 3 * (size_t)t.of[2][c],
               i3 = 3 * (size_t)t.of[3][c];
        if (side->positions_double != NULL) {
            const double *q = side->positions_double;
            fr__d4_gather(q + i0, q + i1, q + i2, q + i3, &p.at[0], &p.at[1], &p.at[2]);
        } else {
            const float *q = side->positions_float;
            fr__d4_gather_floats(q + i0, q + i1, q + i2, q + i3, &p.at[0], &p.at[1], &p.at[2]);
        }
        if (!side->part_is_identity) { p = move_points(&from->part, &p); }
        out->corner[c] = move_points(&from->object, &p);
    }
}

static inline fr__m4 all_three(const fr__m4 m[3]) { return fr__m4_and(fr__m4_and(m[0], m[1]), m[2]); }

// Which corners of four pairs are common.
typedef struct four_commons {
    fr__m4 equal[3][3];  // corner i of a and corner j of b
    fr__m4 a[3], b[3];   // with any corner of the other
    uint32_t neighbours; // lanes in bits: some are common
    uint32_t lanes;      // and not all of a face
} four_commons;

static inline fr__m4 any_of_three(const fr__m4 m[3]) { return fr__m4_or(fr__m4_or(m[0], m[1]), m[2]); }

// Lanes with two or three.
static inline uint32_t two_of_three(const fr__m4 m[3]) {
    fr__m4 ends = fr__m4_and(m[2], fr__m4_or(m[0], m[1]));
    return (uint32_t)fr__m4_bits(fr__m4_or(fr__m4_and(m[0], m[1]), ends));
}

static inline void find_equals(const four_triangles *a, const four_triangles *b, fr__m4 equal[3][3]) {
    for (int i = 0; i < 3; i++) {
        const four_points *p = &a->corner[i];
        for (int j = 0; j < 3; j++) {
            const four_points *q = &b->corner[j];
            fr__m4 xy = fr__m4_and(fr__d4_eq(p->at[0], q->at[0]), fr__d4_eq(p->at[1], q->at[1]));
            equal[i][j] = fr__m4_and(xy, fr__d4_eq(p->at[2], q->at[2]));
        }
    }
}

// What follows from `equal`.
static inline void sum_up_commons(four_commons *c) {
    for (int i = 0; i < 3; i++) {
        c->a[i] = any_of_three(c->equal[i]);
        c->b[i] = fr__m4_or(fr__m4_or(c->equal[0][i], c->equal[1][i]), c->equal[2][i]);
    }
    fr__m4 all = fr__m4_or(all_three(c->a), all_three(c->b)), any = any_of_three(c->a);
    c->neighbours = (uint32_t)fr__m4_bits(any);
    c->lanes = (uint32_t)fr__m4_bits(fr__m4_and_not(any, all));
}

// The corners with the common one first, in the same turn.
static inline four_triangles common_first(const four_triangles *t, const fr__m4 common[3]) {
    four_triangles turned;
    for (int c = 0; c < 3; c++) {
        four_points by_one = choose(common[1], &t->corner[(c + 1) % 3], &t->corner[c]);
        turned.corner[c] = choose(common[2], &t->corner[(c + 2) % 3], &by_one);
    }
    return turned;
}

#endif

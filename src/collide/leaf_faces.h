// Two leaves whose faces' corners are at hand. The faces of tree a are taken into b's frame once, and there four faces
// meet four: by their boxes, by their planes, and by where the line of both planes runs through them. What is proven is
// so for the world corners, whatever rounding did; the bounds are derived in side.c. Inlined into the kernel that
// walks.
#ifndef FUREAI_COLLIDE_LEAF_FACES_H
#define FUREAI_COLLIDE_LEAF_FACES_H

#include "collide/side.h"
#include "shape/tree_walk.h"

// A frame with every number in all lanes: read as operands, not splatted each time.
typedef struct wide_frame {
    fr__f8 turn[3][3], size[3][3], move[3], growth;
} wide_frame;

static inline void widen_frame(const fr__tree_frame *frame, wide_frame *out) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->turn[i][j] = fr__f8_splat(frame->turn[i][j]);
            out->size[i][j] = fr__f8_splat(frame->size[i][j]);
        }
        out->move[i] = fr__f8_splat(frame->move[i]);
    }
    out->growth = fr__f8_splat(frame->growth);
}

static inline fr__f8 dot_floats(const fr__f8 a[3], const fr__f8 b[3]) {
    return fr__f8_add(fr__f8_add(fr__f8_mul(a[0], b[0]), fr__f8_mul(a[1], b[1])), fr__f8_mul(a[2], b[2]));
}

// The bounds of side.c in all lanes.
typedef struct wide_bounds {
    fr__f8 plane, floor; // a distance is sure beyond plane times the size of the plane's products, and floor
    fr__f8 rounding;     // of a determinant, of the product of its three lengths
    fr__f8 slack;        // of a determinant, of the product of two of its lengths
    fr__f8 around;       // added to the sizes of faces
    fr__f8 gap;          // how far faces whose boxes meet may be apart, added to both their sizes
    uint32_t apart;      // lanes that signs may prove apart: all or none
} wide_bounds;

static inline void widen_bounds(const fr__relation *relation, wide_bounds *out) {
    const fr__corner_bounds *bounds = &relation->corners;
    out->plane = fr__f8_splat(bounds->plane + bounds->floor);
    out->floor = fr__f8_splat(bounds->floor);
    out->rounding = fr__f8_splat(20.0f * 0x1p-24f);
    out->slack = fr__f8_splat(4.25f * bounds->slack);
    out->around = fr__f8_splat(4.25f * bounds->slack);
    out->gap = fr__f8_splat(3.25f * relation->tree.a_to_b.growth);
    out->apart = relation->is_moving ? 0 : 0xffu;
}

// Faces in b's frame, one a lane.
typedef struct wide_faces {
    fr__f8 at[3][3];       // corner, axis
    fr__f8 min[3], max[3]; // boxes; a's are grown
    fr__f8 normal[3];      // the faces' planes: normal . x = offset
    fr__f8 offset, bound;  // a distance beyond the bound is sure
    fr__f8 size;           // no two points of the face are farther apart, in the sum over the axes, and some more
} wide_faces;

// Faces 0 .. 3 of a leaf of b, twice.
typedef struct own_leaf {
    uint32_t index; // of the leaf; FR_NONE: nothing yet
    wide_faces faces;
} own_leaf;

// Faces of a leaf of a, as b's faces meet them: face 0 four times and face 1 four times, then 2 and 3.
typedef struct seen_leaf {
    uint32_t index;
    wide_faces faces[2];
} seen_leaf;

// ---------------------------------------------------------------------------------------------------------------
// Making faces ready

// Planes and sizes from corners and boxes.
static inline void measure_faces(wide_faces *f, const fr__f8 extent[3], const wide_bounds *bounds) {
    fr__f8 u[3], v[3], products = fr__f8_splat(0.0f);
    for (int i = 0; i < 3; i++) {
        u[i] = fr__f8_sub(f->at[1][i], f->at[0][i]);
        v[i] = fr__f8_sub(f->at[2][i], f->at[0][i]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        fr__f8 jk = fr__f8_mul(u[j], v[k]), kj = fr__f8_mul(u[k], v[j]);
        f->normal[i] = fr__f8_sub(jk, kj);
        products = fr__f8_add(products, fr__f8_add(fr__f8_abs(jk), fr__f8_abs(kj)));
    }
    f->offset = dot_floats(f->normal, f->at[0]);
    f->bound = fr__f8_add(fr__f8_mul(products, bounds->plane), bounds->floor);
    f->size = fr__f8_add(fr__f8_add(extent[0], extent[1]), fr__f8_add(extent[2], bounds->around));
}

static inline void make_own_leaf(const fr__tree_leaf *leaf, const fr__leaf_corners *corners, const wide_bounds *bounds,
                                 wide_faces *out) {
    const float *const low[3] = {leaf->min_x, leaf->min_y, leaf->min_z};
    const float *const high[3] = {leaf->max_x, leaf->max_y, leaf->max_z};
    fr__f8 extent[3];
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) {
            out->at[c][i] = fr__f8_load_twice(corners->at[c][i]);
        }
        out->min[i] = fr__f8_load_twice(low[i]);
        out->max[i] = fr__f8_load_twice(high[i]);
        extent[i] = fr__f8_sub(out->max[i], out->min[i]);
    }
    measure_faces(out, extent, bounds);
}

static inline void spread_row(fr__f8 row, fr__f8 *first, fr__f8 *second) {
    *first = fr__f8_spread(row, 0);
    *second = fr__f8_spread(row, 2);
}

static inline void spread_faces(const wide_faces *rows, wide_faces out[2]) {
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) {
            spread_row(rows->at[c][i], &out[0].at[c][i], &out[1].at[c][i]);
        }
        spread_row(rows->min[i], &out[0].min[i], &out[1].min[i]);
        spread_row(rows->max[i], &out[0].max[i], &out[1].max[i]);
        spread_row(rows->normal[i], &out[0].normal[i], &out[1].normal[i]);
    }
    spread_row(rows->offset, &out[0].offset, &out[1].offset);
    spread_row(rows->bound, &out[0].bound, &out[1].bound);
    spread_row(rows->size, &out[0].size, &out[1].size);
}

// Lanes 0 and 2 hold faces 0 and 2, lanes 4 and 6 faces 1 and 3: what the others hold is not used.
static inline void see_leaf(const fr__leaf_corners *corners, const wide_frame *a_to_b, const wide_bounds *bounds,
                            wide_faces out[2]) {
    wide_faces rows;
    for (int c = 0; c < 3; c++) {
        fr__f8 x[3];
        for (int i = 0; i < 3; i++) {
            x[i] = fr__f8_load_halves(corners->at[c][i], corners->at[c][i] + 1);
        }
        for (int i = 0; i < 3; i++) {
            rows.at[c][i] = fr__f8_add(dot_floats(a_to_b->turn[i], x), a_to_b->move[i]);
        }
    }
    fr__f8 extent[3];
    for (int i = 0; i < 3; i++) {
        fr__f8 low = fr__f8_min(fr__f8_min(rows.at[0][i], rows.at[1][i]), rows.at[2][i]);
        fr__f8 high = fr__f8_max(fr__f8_max(rows.at[0][i], rows.at[1][i]), rows.at[2][i]);
        extent[i] = fr__f8_sub(high, low);
        rows.min[i] = fr__f8_sub(low, a_to_b->growth);
        rows.max[i] = fr__f8_add(high, a_to_b->growth);
    }
    measure_faces(&rows, extent, bounds);
    spread_faces(&rows, out);
}

// ---------------------------------------------------------------------------------------------------------------
// Culls: bits of the lanes that are proven apart

static inline uint32_t boxes_apart(const wide_faces *a, const wide_faces *b) {
    fr__m8 apart = fr__m8_or(fr__f8_gt(a->min[0], b->max[0]), fr__f8_gt(b->min[0], a->max[0]));
    for (int i = 1; i < 3; i++) {
        apart = fr__m8_or(apart, fr__m8_or(fr__f8_gt(a->min[i], b->max[i]), fr__f8_gt(b->min[i], a->max[i])));
    }
    return (uint32_t)fr__m8_bits(apart);
}

// The distances of corners to a plane, times the length of its normal.
static inline void distances_to(const wide_faces *plane, const wide_faces *f, fr__f8 distance[3]) {
    for (int c = 0; c < 3; c++) {
        distance[c] = fr__f8_sub(dot_floats(plane->normal, f->at[c]), plane->offset);
    }
}

static inline fr__m8 beside_plane(const wide_faces *plane, const fr__f8 distance[3]) {
    fr__f8 lowest = fr__f8_min(fr__f8_min(distance[0], distance[1]), distance[2]);
    fr__f8 highest = fr__f8_max(fr__f8_max(distance[0], distance[1]), distance[2]);
    return fr__m8_or(fr__f8_gt(lowest, plane->bound), fr__f8_lt(highest, fr__f8_neg(plane->bound)));
}

// ---------------------------------------------------------------------------------------------------------------
// The line of both planes, as fr__triangle_overlap decides, where all signs are sure

// On which side of a plane three corners are, each surely or not at all.
typedef struct wide_sides {
    fr__m8 over[3], under[3];
} wide_sides;

static inline wide_sides sure_sides(const fr__f8 distance[3], fr__f8 bound) {
    wide_sides sides;
    fr__f8 below = fr__f8_neg(bound);
    for (int c = 0; c < 3; c++) {
        sides.over[c] = fr__f8_gt(distance[c], bound);
        sides.under[c] = fr__f8_lt(distance[c], below);
    }
    return sides;
}

static inline fr__m8 all_three(const fr__m8 m[3]) { return fr__m8_and(fr__m8_and(m[0], m[1]), m[2]); }

static inline fr__m8 differ(fr__m8 a, fr__m8 b) { return fr__m8_and_not(fr__m8_or(a, b), fr__m8_and(a, b)); }

// Lanes with all three signs sure.
static inline fr__m8 all_sure(const wide_sides *s) {
    fr__m8 sure = fr__m8_and(fr__m8_or(s->over[0], s->under[0]), fr__m8_or(s->over[1], s->under[1]));
    return fr__m8_and(sure, fr__m8_or(s->over[2], s->under[2]));
}

// Lanes with all corners on one side.
static inline fr__m8 on_one_side(const wide_sides *s) { return fr__m8_or(all_three(s->over), all_three(s->under)); }

// The corners with the one that is alone on its side first, in the same turn; *below: it is on the negative side. For
// lanes whose signs are sure and not all one.
static inline void lone_first(const wide_faces *f, const wide_sides *s, fr__f8 corner[3][3], fr__m8 *below) {
    fr__m8 with_second = differ(s->over[0], s->over[1]), with_third = differ(s->over[0], s->over[2]);
    fr__m8 second = fr__m8_and_not(with_second, with_third), third = fr__m8_and_not(with_third, with_second);
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            fr__f8 by_one = fr__f8_select(second, f->at[(c + 1) % 3][i], f->at[c][i]);
            corner[c][i] = fr__f8_select(third, f->at[(c + 2) % 3][i], by_one);
        }
    }
    // The lone corner is below when one of the three is: below are then the lone one, or the two others.
    fr__m8 any = fr__m8_or(fr__m8_or(s->under[0], s->under[1]), s->under[2]);
    fr__m8 two =
        fr__m8_or(fr__m8_and(s->under[0], s->under[1]), fr__m8_and(fr__m8_or(s->under[0], s->under[1]), s->under[2]));
    *below = fr__m8_and_not(any, two);
}

// det(p - p0, lone, q - p0)
static inline fr__f8 edge_order(const fr__f8 p0[3], const fr__f8 lone[3], const fr__f8 p[3], const fr__f8 q[3]) {
    fr__f8 u[3], w[3], n[3];
    for (int i = 0; i < 3; i++) {
        u[i] = fr__f8_sub(p[i], p0[i]);
        w[i] = fr__f8_sub(q[i], p0[i]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = fr__f8_sub(fr__f8_mul(u[j], lone[k]), fr__f8_mul(u[k], lone[j]));
    }
    return dot_floats(n, w);
}

// How far a determinant may be off, of two lengths up to `twice` and one up to `once`.
static inline fr__f8 determinant_bound(fr__f8 twice, fr__f8 once, const wide_bounds *bounds) {
    fr__f8 rounding = fr__f8_mul(bounds->rounding, fr__f8_mul(twice, once));
    fr__f8 slack = fr__f8_mul(bounds->slack, fr__f8_add(twice, fr__f8_add(once, once)));
    return fr__f8_add(fr__f8_mul(twice, fr__f8_add(rounding, slack)), bounds->floor);
}

// Bits of the lanes that surely cross and of those that surely do not; see cross_each_other of the judge's kernel.
static inline void cross_faces(const wide_faces *a, const wide_faces *b, const fr__f8 to_b[3], const fr__f8 to_a[3],
                               const wide_bounds *bounds, uint32_t *yes, uint32_t *no) {
    fr__f8 reach = fr__f8_add(fr__f8_add(a->size, b->size), bounds->gap);
    wide_sides sides_a = sure_sides(to_b, determinant_bound(b->size, reach, bounds));
    wide_sides sides_b = sure_sides(to_a, determinant_bound(a->size, reach, bounds));
    fr__m8 sure = fr__m8_and(all_sure(&sides_a), all_sure(&sides_b));
    fr__m8 beside = fr__m8_or(on_one_side(&sides_a), on_one_side(&sides_b));

    fr__m8 below_a, below_b;
    fr__f8 p[3][3], q[3][3], q1[3], q2[3], lone[3];
    lone_first(a, &sides_a, p, &below_a);
    lone_first(b, &sides_b, q, &below_b);
    fr__m8 one_turned = differ(below_a, below_b);
    for (int i = 0; i < 3; i++) {
        q1[i] = fr__f8_select(one_turned, q[2][i], q[1][i]);
        q2[i] = fr__f8_select(one_turned, q[1][i], q[2][i]);
        lone[i] = fr__f8_sub(q[0][i], p[0][i]);
    }
    fr__f8 first = edge_order(p[0], lone, p[1], q1), second = edge_order(p[0], lone, p[2], q2);
    first = fr__f8_select(below_b, fr__f8_neg(first), first);
    second = fr__f8_select(below_b, fr__f8_neg(second), second);
    fr__f8 bound = determinant_bound(reach, a->size, bounds), below = fr__f8_neg(bound);
    fr__m8 apart = fr__m8_or(fr__f8_gt(first, bound), fr__f8_lt(second, below));
    fr__m8 meet = fr__m8_and(fr__f8_lt(first, below), fr__f8_gt(second, bound));
    *no = (uint32_t)fr__m8_bits(fr__m8_or(beside, fr__m8_and(sure, apart)));
    *yes = (uint32_t)fr__m8_bits(fr__m8_and_not(fr__m8_and(sure, meet), beside));
}

// Of the pairs in `bits`, 4 i + j for face i of leaf a and j of leaf b, those that are not proven apart; *crossing
// those of them that surely cross.
static inline uint32_t meet_faces(const seen_leaf *seen, const own_leaf *own, const wide_bounds *bounds, uint32_t bits,
                                  uint32_t *crossing) {
    const wide_faces *b = &own->faces;
    bits &= ~(boxes_apart(&seen->faces[0], b) | boxes_apart(&seen->faces[1], b) << 8);
    uint32_t left = 0;
    *crossing = 0;
    for (int h = 0; h < 2; h++) {
        const wide_faces *a = &seen->faces[h];
        uint32_t lanes = bits >> (8 * h) & 0xffu, yes, no;
        if (lanes == 0) { continue; }
        fr__f8 to_b[3], to_a[3];
        distances_to(b, a, to_b);
        distances_to(a, b, to_a);
        lanes &= ~(uint32_t)fr__m8_bits(fr__m8_or(beside_plane(b, to_b), beside_plane(a, to_a)));
        if (lanes == 0) { continue; }
        cross_faces(a, b, to_b, to_a, bounds, &yes, &no);
        left |= (lanes & ~(no & bounds->apart)) << (8 * h);
        *crossing |= (lanes & yes) << (8 * h);
    }
    return left;
}

#endif

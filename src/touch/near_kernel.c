// The search of near triangles through one tree, four of a leaf at once.
#include "touch/near.h"

#include "shape/tree_walk.h"

// Leaves are looked at some at a time: what they hold is loaded into the cache meanwhile.
enum { LEAVES = 32 };

typedef struct near_context {
    fr__near_search *search;
    fr__f8 low[3], high[3]; // the box of the points
    fr__f8 limit;           // square of the reach
    fr__f8 reach, aside;    // FEET: the reach, and what is allowed beside it
    uint32_t leaves[LEAVES];
    uint32_t leaf_count;
} near_context;

typedef struct lanes3 {
    fr__d4 x, y, z;
} lanes3;

FR__WIDE lanes3 splat3(fr_vec3 v) { return (lanes3){fr__d4_splat(v.x), fr__d4_splat(v.y), fr__d4_splat(v.z)}; }

FR__WIDE lanes3 sub3(lanes3 a, lanes3 b) {
    return (lanes3){fr__d4_sub(a.x, b.x), fr__d4_sub(a.y, b.y), fr__d4_sub(a.z, b.z)};
}

FR__WIDE fr__d4 dot3(lanes3 a, lanes3 b) {
    return fr__d4_add(fr__d4_add(fr__d4_mul(a.x, b.x), fr__d4_mul(a.y, b.y)), fr__d4_mul(a.z, b.z));
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes of items

FR__WIDE fr__d4 gap(const float *min, const float *max, fr__d4 at) {
    fr__d4 before = fr__d4_sub(fr__d4_load_floats(min), at), after = fr__d4_sub(at, fr__d4_load_floats(max));
    return fr__d4_max(fr__d4_max(before, after), fr__d4_splat(0.0));
}

// Lanes whose boxes are farther from the point than the reach, whose own margin has room for this rounding.
FR__WIDE uint32_t beyond_ball(const fr__tree_leaf *leaf, const fr__near_search *s) {
    lanes3 p = splat3(s->points[0]);
    lanes3 away = {gap(leaf->min_x, leaf->max_x, p.x), gap(leaf->min_y, leaf->max_y, p.y),
                   gap(leaf->min_z, leaf->max_z, p.z)};
    return (uint32_t)fr__m4_bits(fr__d4_gt(dot3(away, away), fr__d4_splat(s->reach * s->reach * (1.0 + 0x1p-40))));
}

FR__WIDE fr__d4 middle(const float *min, const float *max, fr__d4 *half_squared) {
    fr__d4 low = fr__d4_load_floats(min), high = fr__d4_load_floats(max);
    fr__d4 half = fr__d4_mul(fr__d4_splat(0.5), fr__d4_sub(high, low));
    *half_squared = fr__d4_add(*half_squared, fr__d4_mul(half, half));
    return fr__d4_mul(fr__d4_splat(0.5), fr__d4_add(low, high));
}

// Lanes whose boxes' balls are farther from the segment than the reach.
FR__WIDE uint32_t beyond_segment(const fr__tree_leaf *leaf, const fr__near_search *s) {
    fr_vec3 along = fr_vec3_sub(s->points[1], s->points[0]);
    double length_squared = fr_vec3_length_squared(along);
    fr__d4 half_squared = fr__d4_splat(0.0);
    lanes3 center = {middle(leaf->min_x, leaf->max_x, &half_squared), middle(leaf->min_y, leaf->max_y, &half_squared),
                     middle(leaf->min_z, leaf->max_z, &half_squared)};
    lanes3 from = sub3(center, splat3(s->points[0])), direction = splat3(along);
    fr__d4 t = fr__d4_mul(dot3(from, direction), fr__d4_splat(length_squared > 0.0 ? 1.0 / length_squared : 0.0));
    t = fr__d4_min(fr__d4_max(t, fr__d4_splat(0.0)), fr__d4_splat(1.0));
    lanes3 on_path = {fr__d4_mul(t, direction.x), fr__d4_mul(t, direction.y), fr__d4_mul(t, direction.z)};
    lanes3 away = sub3(from, on_path);
    fr__d4 reach = fr__d4_add(fr__d4_sqrt(half_squared), fr__d4_splat(s->reach));
    reach = fr__d4_mul(reach, fr__d4_splat(1.0 + 0x1p-40));
    return (uint32_t)fr__m4_bits(fr__d4_gt(dot3(away, away), fr__d4_mul(reach, reach)));
}

// ---------------------------------------------------------------------------------------------------------------
// Feet

typedef struct wide3 {
    fr__f8 x, y, z;
} wide3;

FR__WIDE wide3 wide_sub(wide3 a, wide3 b) {
    return (wide3){fr__f8_sub(a.x, b.x), fr__f8_sub(a.y, b.y), fr__f8_sub(a.z, b.z)};
}

FR__WIDE fr__f8 wide_dot(wide3 a, wide3 b) {
    return fr__f8_add(fr__f8_add(fr__f8_mul(a.x, b.x), fr__f8_mul(a.y, b.y)), fr__f8_mul(a.z, b.z));
}

FR__WIDE wide3 wide_cross(wide3 a, wide3 b) {
    return (wide3){fr__f8_sub(fr__f8_mul(a.y, b.z), fr__f8_mul(a.z, b.y)),
                   fr__f8_sub(fr__f8_mul(a.z, b.x), fr__f8_mul(a.x, b.z)),
                   fr__f8_sub(fr__f8_mul(a.x, b.y), fr__f8_mul(a.y, b.x))};
}

// What does not change from leaf to leaf.
typedef struct foot_query {
    wide3 point;
    fr__f8 blur;           // of each coordinate of a corner as seen from the point
    fr__f8 reach, outside; // as in the search
    fr__f8 reaches;        // 12 (reach + outside)
} foot_query;

// The point as floats is off by 2^-24 of its coordinates, and a difference to it by as much of its own.
FR__WIDE foot_query make_foot_query(const fr__near_search *s) {
    double u = 0x1p-22 * (fr_vec3_largest(s->points[0]) + s->largest);
    fr__f8 x = fr__f8_splat((float)s->points[0].x), y = fr__f8_splat((float)s->points[0].y);
    foot_query q = {{x, y, fr__f8_splat((float)s->points[0].z)},
                    fr__f8_splat(fr_float_up(s->blur + u)),
                    fr__f8_splat(fr_float_up(1.00001 * s->reach)),
                    fr__f8_splat(fr_float_up(1.00001 * s->outside)),
                    fr__f8_splat(fr_float_up(12.0 * (s->reach + s->outside)))};
    return q;
}

FR__WIDE wide3 corner_from(const fr__leaf_corners *a, const fr__leaf_corners *b, int corner, wide3 point) {
    wide3 at = {fr__f8_load_halves(a->at[corner][0], b->at[corner][0]),
                fr__f8_load_halves(a->at[corner][1], b->at[corner][1]),
                fr__f8_load_halves(a->at[corner][2], b->at[corner][2])};
    return wide_sub(at, point);
}

// Lanes without a foot near enough, of two leaves: the point is beyond the reach from the plane, or beyond an edge by
// more than `outside`. From the point, corners are a, b, c, and n = (b - a) x (c - b): |n . a| / |n| is the distance
// from the plane, and (n x e) . a / (|n| |e|) how far beyond the edge e from a.
//
// With d the blur, u = 2^-24, l the longest edge and m the largest coordinate: edges are off by 4 d as vectors, n by
// 8 l (d + u l), n . a by l (2 l d + 14 m d + 21 u l m), (n x e) . a by l times (2 l d + 22 m d + 30 u l m) l. The
// limits are off by 8 l (d + u l) of the reach, and 12 l^2 (d + u l) of `outside`. The judge's own normal, from corners
// in the world that are off by no more than d, is off by 4 d l / |n|, so that its foot is beside by that part of the
// reach. All of it is less than slop = (2 l + 24 m + 12 reach + 12 outside) (d + 4 u l) times l for the plane and times
// l^2 for an edge, l being 12 d longer than it seems. Slivers are kept: their normals did not count in the mesh's bend;
// and what is so small that floats vanish.
FR__WIDE uint32_t without_foot(const fr__leaf_corners *a, const fr__leaf_corners *b, const foot_query *q) {
    const wide3 at[3] = {corner_from(a, b, 0, q->point), corner_from(a, b, 1, q->point),
                         corner_from(a, b, 2, q->point)};
    const wide3 edges[3] = {wide_sub(at[1], at[0]), wide_sub(at[2], at[1]), wide_sub(at[0], at[2])};
    wide3 n = wide_cross(edges[0], edges[1]);
    fr__f8 squared = wide_dot(n, n), longest = wide_dot(edges[0], edges[0]);
    longest = fr__f8_max(fr__f8_max(wide_dot(edges[1], edges[1]), longest), wide_dot(edges[2], edges[2]));
    fr__f8 l = fr__f8_add(fr__f8_sqrt(longest), fr__f8_mul(fr__f8_splat(12.0f), q->blur)), area = fr__f8_sqrt(squared);
    fr__f8 m = fr__f8_max(fr__f8_max(fr__f8_abs(at[0].x), fr__f8_abs(at[0].y)), fr__f8_abs(at[0].z));

    fr__f8 slop =
        fr__f8_add(fr__f8_mul(fr__f8_splat(24.0f), m), fr__f8_add(fr__f8_mul(fr__f8_splat(26.0f), l), q->reaches));
    slop = fr__f8_mul(fr__f8_mul(slop, l), fr__f8_add(q->blur, fr__f8_mul(fr__f8_splat(0x1p-22f), l)));
    fr__f8 plane_limit = fr__f8_add(slop, fr__f8_mul(q->reach, area));
    fr__m8 is_out = fr__f8_gt(fr__f8_abs(wide_dot(n, at[0])), plane_limit);
    fr__f8 edge_limit = fr__f8_mul(l, fr__f8_add(slop, fr__f8_mul(q->outside, area)));
    for (int k = 0; k < 3; k++) {
        is_out = fr__m8_or(is_out, fr__f8_gt(wide_dot(wide_cross(n, edges[k]), at[k]), edge_limit));
    }
    fr__f8 sliver = fr__f8_mul(fr__f8_splat((float)(2.0 * FR__SLIVER)), longest);
    fr__m8 is_clear = fr__m8_and(fr__f8_gt(area, sliver), fr__f8_gt(area, fr__f8_splat(1e-15f)));
    return (uint32_t)fr__m8_bits(fr__m8_and(is_out, is_clear));
}

// ---------------------------------------------------------------------------------------------------------------
// The walk

// FEET: children that are near, and whose triangles may have the foot.
//
// Such a foot lies on a triangle or no more than `outside` beside it, and the point at most the reach from it along the
// normal, which is off the child's axis by the lean. So the point is no farther from the axis than the radius, the lean
// times the reach, and `outside`. The judge's own normal, from corners that are off by the blur d, is off by 4 d l /
// |n| with l the longest edge, and no normal that counts has l / |n| over 1 / (FR__LEAN_LOW largest). All else that is
// off, the axis as floats too, are a few 2^-24 of the coordinates and of the reach.
FR__WIDE void ask_aside(near_context *c) {
    const fr__near_search *s = c->search;
    double tilt = 0x1p-20 + 4.0 * s->blur / (FR__LEAN_LOW * s->largest);
    double rounding = 0x1p-20 * (fr_vec3_largest(s->points[0]) + s->largest);
    c->reach = fr__f8_splat(fr_float_up(s->reach));
    c->aside = fr__f8_splat(fr_float_up(s->outside + tilt * s->reach + 8.0 * s->blur + rounding));
}

// The square of the distance from the axis is a difference that is off by some 2^-22 of the squares.
FR__WIDE uint32_t foot_lanes(const fr__tree_node *node, void *context) {
    const near_context *c = context;
    const fr__tree_node *nodes = c->search->tree->nodes;
    const fr__node_lean *lean = &c->search->leans[node - nodes];
    fr__f8 zero = fr__f8_splat(0.0f), sum = zero, squared = zero, along = zero;
    for (int i = 0; i < 3; i++) {
        fr__f8 before = fr__f8_sub(fr__f8_load_aligned(node->side[i]), c->high[i]);
        fr__f8 after = fr__f8_sub(c->low[i], fr__f8_load_aligned(node->side[3 + i]));
        fr__f8 away = fr__f8_max(fr__f8_max(before, after), zero);
        fr__f8 from = fr__f8_mul(fr__f8_splat(0.5f), fr__f8_sub(after, before)); // the middle
        sum = fr__f8_add(sum, fr__f8_mul(away, away));
        squared = fr__f8_add(squared, fr__f8_mul(from, from));
        along = fr__f8_add(along, fr__f8_mul(from, fr__f8_load_aligned(lean->axis[i])));
    }
    sum = fr__f8_mul(sum, fr__f8_splat(1.0f - 0x1p-20f));
    fr__f8 most = fr__f8_add(fr__f8_load_aligned(lean->radius), c->aside);
    most = fr__f8_add(most, fr__f8_mul(c->reach, fr__f8_load_aligned(lean->lean)));
    squared = fr__f8_sub(fr__f8_mul(squared, fr__f8_splat(1.0f - 0x1p-18f)), fr__f8_mul(along, along));
    most = fr__f8_mul(fr__f8_mul(most, most), fr__f8_splat(1.0f + 0x1p-18f));
    fr__m8 is_out = fr__m8_or(fr__f8_gt(sum, c->limit), fr__f8_gt(squared, most));
    return ~(uint32_t)fr__m8_bits(is_out);
}

// Squares of distances between boxes. One is off by a difference, a square and two sums, each 2^-24 of it: times
// 1 - 16 2^-24 it is a lower bound. What overflows is far away, what vanishes is near.
FR__WIDE uint32_t near_lanes(const fr__tree_node *node, void *context) {
    const near_context *c = context;
    fr__f8 sum = fr__f8_splat(0.0f);
    for (int i = 0; i < 3; i++) {
        fr__f8 before = fr__f8_sub(fr__f8_load_aligned(node->side[i]), c->high[i]);
        fr__f8 after = fr__f8_sub(c->low[i], fr__f8_load_aligned(node->side[3 + i]));
        fr__f8 away = fr__f8_max(fr__f8_max(before, after), fr__f8_splat(0.0f));
        sum = fr__f8_add(sum, fr__f8_mul(away, away));
    }
    sum = fr__f8_mul(sum, fr__f8_splat(1.0f - 0x1p-20f));
    return ~(uint32_t)fr__m8_bits(fr__f8_gt(sum, c->limit));
}

FR__WIDE void take_items(fr__near_search *s, uint32_t leaf_index, uint32_t lanes) {
    if (lanes == 0) { return; }
    const fr__tree_leaf *leaf = &s->tree->leaves[leaf_index];
    for (uint32_t left = lanes & ((1u << leaf->count) - 1u); left != 0; left &= left - 1) {
        if (s->count < s->capacity) { s->found[s->count] = leaf->item[fr__lowest_lane(left)]; }
        s->count++;
    }
}

// Two leaves at once; the last one stands in for one that is missing.
FR__WIDE void look_for_feet(const near_context *c) {
    fr__near_search *s = c->search;
    foot_query q = make_foot_query(s);
    for (uint32_t i = 0; i < c->leaf_count; i += 2) {
        uint32_t a = c->leaves[i], b = c->leaves[i + 1 < c->leaf_count ? i + 1 : i];
        uint32_t lanes = ~without_foot(&s->corners[a], &s->corners[b], &q);
        take_items(s, a, lanes & 0xfu);
        if (i + 1 < c->leaf_count) { take_items(s, b, lanes >> 4 & 0xfu); }
    }
}

FR__WIDE void look_at_leaves(near_context *c) {
    fr__near_search *s = c->search;
    if (s->kind == FR__NEAR_FEET) {
        look_for_feet(c);
    } else {
        for (uint32_t i = 0; i < c->leaf_count; i++) {
            const fr__tree_leaf *leaf = &s->tree->leaves[c->leaves[i]];
            take_items(s, c->leaves[i], s->kind == FR__NEAR_SEGMENT ? ~beyond_segment(leaf, s) : ~beyond_ball(leaf, s));
        }
    }
    c->leaf_count = 0;
}

FR__WIDE bool near_leaf(const fr__tree_leaf *leaf, void *context) {
    near_context *c = context;
    uint32_t index = (uint32_t)(leaf - c->search->tree->leaves);
    const char *place =
        c->search->kind == FR__NEAR_FEET ? (const char *)&c->search->corners[index] : (const char *)leaf;
    for (int i = 0; i < 3; i++) {
        __builtin_prefetch(place + 64 * i);
    }
    c->leaves[c->leaf_count++] = index;
    if (c->leaf_count == LEAVES) { look_at_leaves(c); }
    return true;
}

static void search(fr__near_search *s) {
    near_context c;
    c.search = s;
    c.leaf_count = 0;
    c.limit = fr__f8_splat(fr_float_up(s->reach * s->reach * (1.0 + 0x1p-40)));
    const double a[3] = {s->points[0].x, s->points[0].y, s->points[0].z};
    const double b[3] = {s->points[1].x, s->points[1].y, s->points[1].z};
    for (int i = 0; i < 3; i++) {
        c.low[i] = fr__f8_splat(fr_float_down(a[i] < b[i] ? a[i] : b[i]));
        c.high[i] = fr__f8_splat(fr_float_up(a[i] > b[i] ? a[i] : b[i]));
    }
    if (s->kind == FR__NEAR_FEET) {
        ask_aside(&c);
        (void)fr__tree_walk(s->tree, foot_lanes, near_leaf, &c);
    } else {
        (void)fr__tree_walk(s->tree, near_lanes, near_leaf, &c);
    }
    look_at_leaves(&c);
}

const fr__near_kernel_table FR_KERNEL_NAME(fr__near_kernel) = {.search = search};

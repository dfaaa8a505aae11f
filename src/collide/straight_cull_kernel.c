// Candidates whose corners all go straight, culled four at once: of deforming parts, and neighbours of one part.
//
// Along a fixed direction n the heights of points that go straight are linear in time. So sets of points that are apart
// along n, in the same order at both ends of the step, are so all the time. Which direction is tried does not matter
// for what is proven: it is that from the mean of one set to the mean of the other, or the normal of a face.
//
// Faces without a common corner are refused where their corners are parted so. Neighbours are refused where every two
// of their elements without a common corner are (neighbour_faces.c): with one corner v in common those are covered by
// a1 a2 against v b1 b2, and b1 b2 against v a1 a2; with an edge v w in common by p against v w q, q against v w p,
// v p against w q, and w p against v q.
//
// How far apart. The judge accepts what comes within m + e, e raised to 2^-42 of the largest coordinate g. A height is
// wrong by less than 2^-50 |n| g, |n| the sum of its coordinates: m + e + 2^-40 g has room for both. The judge's search
// gives up after 4,000 steps and reports the pair then. A step is no shorter than half of what the distance exceeds
// m + e / 2 by, divided by the sum of both speeds, which is at most twice the longest path s of a corner: where the
// distance exceeds m + e by s / 512, it takes no more than 2,048 + 1 of them.
#include "collide/four_faces.h"
#include "collide/straight_cull.h"

// Four pairs of faces over the step.
typedef struct four_paths {
    four_triangles start, end;
} four_paths;

// How far points of both must be apart, for each unit of a direction.
typedef struct straight_pairs {
    four_paths a, b;
    fr__d4 apart;
} straight_pairs;

// What loading the paths of a side needs.
typedef struct path_source {
    four_source start;
    const fr_vec3 *end_vertices; // NULL: they stay
    four_frames end;
} path_source;

static inline void make_path_source(const fr__side *side, const fr__course *course, path_source *out) {
    make_source(side, &out->start);
    out->end_vertices = course->end_vertices;
    widen_frame_of_four(&course->end, &out->end);
}

// Bit for bit what fr__course_path gives.
static inline void load_paths_of_four(const path_source *from, const uint32_t triangle[4], four_paths *out) {
    load_triangles(&from->start, triangle, &out->start);
    if (from->end_vertices == NULL) {
        out->end = out->start;
        return;
    }
    four_indices t = indices_of(from->start.side, triangle);
    for (int c = 0; c < 3; c++) {
        const fr_vec3 *v = from->end_vertices;
        four_points p;
        fr__d4_gather(&v[t.of[0][c]].x, &v[t.of[1][c]].x, &v[t.of[2][c]].x, &v[t.of[3][c]].x, &p.at[0], &p.at[1],
                      &p.at[2]);
        p = move_points(&from->start.part, &p);
        out->end.corner[c] = move_points(&from->end, &p);
    }
}

// The largest coordinate, and the longest path of a corner by the sum of its coordinates.
static inline void measure(const four_paths *f, fr__d4 *largest, fr__d4 *longest) {
    for (int c = 0; c < 3; c++) {
        const four_points *p = &f->start.corner[c], *q = &f->end.corner[c];
        four_points travel = minus(q, p), path = sizes(&travel), at = sizes(p), to = sizes(q);
        *longest = fr__d4_max(*longest, fr__d4_add(fr__d4_add(path.at[0], path.at[1]), path.at[2]));
        for (int i = 0; i < 3; i++) {
            *largest = fr__d4_max(*largest, fr__d4_max(at.at[i], to.at[i]));
        }
    }
}

// A corner of a pair.
typedef struct pair_corner {
    const four_paths *face;
    int number;
} pair_corner;

typedef struct corner_set {
    pair_corner of[3];
    int count;
} corner_set;

// The mean of a set in the middle of the step, times a number.
static inline four_points mean_of(const corner_set *set) {
    four_points mean = {{fr__d4_splat(0.0), fr__d4_splat(0.0), fr__d4_splat(0.0)}};
    fr__d4 weight = fr__d4_splat(1.0 / (double)set->count);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < set->count; k++) {
            const four_paths *f = set->of[k].face;
            int c = set->of[k].number;
            mean.at[i] = fr__d4_add(mean.at[i], fr__d4_add(f->start.corner[c].at[i], f->end.corner[c].at[i]));
        }
        mean.at[i] = fr__d4_mul(mean.at[i], weight);
    }
    return mean;
}

typedef struct height_range {
    fr__d4 low, high;
} height_range;

static inline height_range heights_of_set(const corner_set *set, const four_points *n, bool at_end) {
    height_range h;
    for (int k = 0; k < set->count; k++) {
        const four_triangles *t = at_end ? &set->of[k].face->end : &set->of[k].face->start;
        fr__d4 height = dot(n, &t->corner[set->of[k].number]);
        h.low = k == 0 ? height : fr__d4_min(height, h.low);
        h.high = k == 0 ? height : fr__d4_max(height, h.high);
    }
    return h;
}

// Lanes in which the first set stays beyond the second along n, or where `may_turn` the second beyond the first.
static inline fr__m4 parted_along(const straight_pairs *m, const four_points *n, const corner_set *first,
                                  const corner_set *second, bool may_turn) {
    fr__d4 size = fr__d4_add(fr__d4_add(fr__d4_abs(n->at[0]), fr__d4_abs(n->at[1])), fr__d4_abs(n->at[2]));
    fr__d4 bound = fr__d4_mul(size, m->apart);
    height_range first_0 = heights_of_set(first, n, false), first_1 = heights_of_set(first, n, true);
    height_range second_0 = heights_of_set(second, n, false), second_1 = heights_of_set(second, n, true);
    fr__m4 beyond = fr__m4_and(fr__d4_gt(fr__d4_sub(first_0.low, second_0.high), bound),
                               fr__d4_gt(fr__d4_sub(first_1.low, second_1.high), bound));
    if (!may_turn) { return beyond; }
    fr__m4 below = fr__m4_and(fr__d4_gt(fr__d4_sub(second_0.low, first_0.high), bound),
                              fr__d4_gt(fr__d4_sub(second_1.low, first_1.high), bound));
    return fr__m4_or(beyond, below);
}

// Lanes in which two sets are parted along the line between their means.
FR__WIDE uint32_t sets_are_parted(const straight_pairs *m, corner_set first, corner_set second) {
    four_points to = mean_of(&first), from = mean_of(&second), n = minus(&to, &from);
    return (uint32_t)fr__m4_bits(parted_along(m, &n, &first, &second, false));
}

// Twice the edges in the middle of the step, from corner 0, and their product.
static inline four_points middle_normal(const four_paths *f) {
    four_points edge[2], n;
    for (int k = 0; k < 2; k++) {
        four_points at = minus(&f->start.corner[k + 1], &f->start.corner[0]);
        four_points to = minus(&f->end.corner[k + 1], &f->end.corner[0]);
        for (int i = 0; i < 3; i++) {
            edge[k].at[i] = fr__d4_add(at.at[i], to.at[i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n.at[i] = fr__d4_sub(fr__d4_mul(edge[0].at[j], edge[1].at[k]), fr__d4_mul(edge[0].at[k], edge[1].at[j]));
    }
    return n;
}

// Lanes of faces that stay apart.
static inline uint32_t faces_are_parted(const straight_pairs *m, uint32_t wanted) {
    corner_set a = {{{&m->a, 0}, {&m->a, 1}, {&m->a, 2}}, 3}, b = {{{&m->b, 0}, {&m->b, 1}, {&m->b, 2}}, 3};
    uint32_t parted = sets_are_parted(m, a, b);
    for (int k = 0; k < 2 && (wanted & ~parted) != 0; k++) {
        four_points n = middle_normal(k == 0 ? &m->a : &m->b);
        parted |= (uint32_t)fr__m4_bits(parted_along(m, &n, &a, &b, true));
    }
    return wanted & parted;
}

// The corners of the faces in the same turn, with that common one first before which there is another one.
static inline void put_common_first(four_paths *f, const fr__m4 common[3]) {
    fr__m4 is_first[3];
    for (int c = 0; c < 3; c++) {
        is_first[c] = fr__m4_and_not(common[c], common[(c + 2) % 3]);
    }
    f->start = common_first(&f->start, is_first);
    f->end = common_first(&f->end, is_first);
}

// Where a corner is in the middle of the step, times a number.
static inline four_points middle_of_corner(pair_corner c) { return mean_of(&(corner_set){{c}, 1}); }

static inline four_points unit_of(const four_points *p) {
    fr__d4 scale = fr__d4_div(fr__d4_splat(1.0), fr__d4_sqrt(dot(p, p)));
    return (four_points){{fr__d4_mul(p->at[0], scale), fr__d4_mul(p->at[1], scale), fr__d4_mul(p->at[2], scale)}};
}

// The direction of x and that of y in sum.
static inline four_points sum_of_units(const four_points *x, const four_points *y) {
    four_points u = unit_of(x), v = unit_of(y);
    return (four_points){{fr__d4_add(u.at[0], v.at[0]), fr__d4_add(u.at[1], v.at[1]), fr__d4_add(u.at[2], v.at[2])}};
}

// Lanes of neighbours at a corner, the common one first, that stay apart beyond it. The direction leads from the middle
// of b's other corners to that of a's, each seen from the common one, which is between them; or there are two.
static inline uint32_t corners_are_parted(const straight_pairs *m, uint32_t wanted) {
    const corner_set a = {{{&m->a, 1}, {&m->a, 2}}, 2}, b = {{{&m->b, 1}, {&m->b, 2}}, 2}, v = {{{&m->a, 0}}, 1};
    four_points middle_a = mean_of(&a), middle_b = mean_of(&b), middle = mean_of(&v);
    four_points to_a = minus(&middle_a, &middle), from_b = minus(&middle, &middle_b), n = sum_of_units(&to_a, &from_b);
    fr__m4 beyond = fr__m4_and(parted_along(m, &n, &a, &v, false), parted_along(m, &n, &v, &b, false));
    uint32_t parted = (uint32_t)fr__m4_bits(beyond);
    if ((wanted & ~parted) == 0) { return parted; }
    const corner_set all_a = {{{&m->a, 0}, {&m->a, 1}, {&m->a, 2}}, 3},
                     all_b = {{{&m->b, 0}, {&m->b, 1}, {&m->b, 2}}, 3};
    return parted | (sets_are_parted(m, a, all_b) & sets_are_parted(m, b, all_a));
}

// Lanes in which the edge from x to y stays apart from that from z to w.
static inline uint32_t edges_stay_apart(const straight_pairs *m, pair_corner x, pair_corner y, pair_corner z,
                                        pair_corner w) {
    four_points first = middle_of_corner(x), second = middle_of_corner(y), third = middle_of_corner(z),
                last = middle_of_corner(w);
    four_points from_z = minus(&first, &third), from_w = minus(&second, &last), n = sum_of_units(&from_z, &from_w);
    return (uint32_t)fr__m4_bits(parted_along(m, &n, &(corner_set){{x, y}, 2}, &(corner_set){{z, w}, 2}, false));
}

// Lanes of neighbours at an edge, the common corners first, that stay apart beyond it.
static inline uint32_t edges_are_parted(const straight_pairs *m) {
    const pair_corner v = {&m->a, 0}, w = {&m->a, 1}, p = {&m->a, 2}, q = {&m->b, 2};
    uint32_t parted = edges_stay_apart(m, v, p, w, q) & edges_stay_apart(m, w, p, v, q);
    if (parted == 0) { return 0; }
    parted &= sets_are_parted(m, (corner_set){{p}, 1}, (corner_set){{v, w, q}, 3});
    return parted & sets_are_parted(m, (corner_set){{q}, 1}, (corner_set){{v, w, p}, 3});
}

// Common corners of neighbours are so at both ends.
static inline void find_lasting_commons(const straight_pairs *m, four_commons *out) {
    four_commons at_end;
    find_equals(&m->a.start, &m->b.start, out->equal);
    find_equals(&m->a.end, &m->b.end, at_end.equal);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->equal[i][j] = fr__m4_and(out->equal[i][j], at_end.equal[i][j]);
        }
    }
    sum_up_commons(out);
}

static inline uint32_t neighbours_are_parted(const straight_pairs *m, const four_commons *common) {
    straight_pairs ordered = *m;
    put_common_first(&ordered.a, common->a);
    put_common_first(&ordered.b, common->b);
    uint32_t at_edge = common->lanes & two_of_three(common->a) & two_of_three(common->b);
    uint32_t at_corner = common->lanes & ~(two_of_three(common->a) | two_of_three(common->b)), parted = 0;
    if (at_corner != 0) { parted |= at_corner & corners_are_parted(&ordered, at_corner); }
    if (at_edge != 0) { parted |= at_edge & edges_are_parted(&ordered); }
    return parted;
}

static inline uint32_t parted_lanes(const straight_pairs *m, bool is_one_part, uint32_t wanted) {
    uint32_t neighbours = 0, parted = 0;
    if (is_one_part) {
        four_commons common;
        find_lasting_commons(m, &common);
        neighbours = common.neighbours;
        if (common.lanes != 0) { parted = neighbours_are_parted(m, &common); }
    }
    wanted &= ~neighbours;
    return wanted != 0 ? parted | faces_are_parted(m, wanted) : parted;
}

static uint32_t cull(const fr__pair_geometry *geometry, double distance, fr__swept_candidate *candidates,
                     uint32_t count) {
    path_source from_a, from_b;
    make_path_source(&geometry->a, &geometry->course_a, &from_a);
    make_path_source(&geometry->b, &geometry->course_b, &from_b);
    bool is_one_part = fr__pair_is_self(geometry);
    uint32_t kept = 0;
    for (uint32_t first = 0; first < count; first += 4) {
        uint32_t in_a[4], in_b[4], rest = count - first < 4 ? count - first : 4;
        for (uint32_t k = 0; k < 4; k++) {
            const fr__swept_candidate *c = &candidates[first + (k < rest ? k : 0)];
            in_a[k] = c->a;
            in_b[k] = c->b;
        }
        straight_pairs m;
        load_paths_of_four(&from_a, in_a, &m.a);
        load_paths_of_four(&from_b, in_b, &m.b);
        fr__d4 largest = fr__d4_splat(0.0), longest = largest;
        measure(&m.a, &largest, &longest);
        measure(&m.b, &largest, &longest);
        m.apart = fr__d4_add(fr__d4_splat(distance), fr__d4_add(fr__d4_mul(fr__d4_splat(0x1p-40), largest),
                                                                fr__d4_mul(fr__d4_splat(0x1p-9), longest)));
        uint32_t lanes = ~parted_lanes(&m, is_one_part, 15u) & ((1u << rest) - 1u);
        for (; lanes != 0; lanes &= lanes - 1) {
            candidates[kept++] = candidates[first + (uint32_t)__builtin_ctz(lanes)];
        }
    }
    return kept;
}

const fr__straight_cull_kernel_table FR_KERNEL_NAME(fr__straight_cull_kernel) = {.cull = cull};

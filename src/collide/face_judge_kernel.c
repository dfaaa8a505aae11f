// The cheap part of the judge, four pairs at once: that of triangle_triangle.h, whose bounds hold lane by lane.
#include "collide/face_kernel.h"
#include "collide/four_faces.h"
#include "shape/triangle_triangle.h"

// The products that a normal is made of, and the sum of their sizes, as fr__plane_products_of has them.
typedef struct four_planes {
    four_points normal, size;
} four_planes;

static inline four_planes planes_of(const four_points *u, const four_points *v) {
    four_planes planes;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        fr__d4 jk = fr__d4_mul(u->at[j], v->at[k]), kj = fr__d4_mul(u->at[k], v->at[j]);
        planes.normal.at[i] = fr__d4_sub(jk, kj);
        planes.size.at[i] = fr__d4_add(fr__d4_abs(jk), fr__d4_abs(kj));
    }
    return planes;
}

// On which side of a plane three corners are, each surely or not at all.
typedef struct four_sides {
    fr__m4 over[3], under[3];
} four_sides;

static inline four_planes face_planes(const four_triangles *t) {
    four_points u = minus(&t->corner[1], &t->corner[0]), v = minus(&t->corner[2], &t->corner[0]);
    return planes_of(&u, &v);
}

// fr__triangle_sides: one bound for three corners, by the largest |w| on each axis.
static inline four_sides sides_of(const four_triangles *t, const four_triangles *p) {
    four_planes planes = face_planes(t);
    four_points w[3], reach;
    for (int c = 0; c < 3; c++) {
        w[c] = minus(&p->corner[c], &t->corner[0]);
    }
    for (int i = 0; i < 3; i++) {
        fr__d4 first = fr__d4_max(fr__d4_abs(w[0].at[i]), fr__d4_abs(w[1].at[i]));
        reach.at[i] = fr__d4_max(first, fr__d4_abs(w[2].at[i]));
    }
    fr__d4 bound = fr__d4_mul(fr__d4_splat(FR__ORIENT3D_BOUND), dot(&planes.size, &reach)), below = fr__d4_neg(bound);
    four_sides sides;
    for (int c = 0; c < 3; c++) {
        fr__d4 d = dot(&planes.normal, &w[c]);
        sides.over[c] = fr__d4_gt(d, bound);
        sides.under[c] = fr__d4_lt(d, below);
    }
    return sides;
}

// Lanes with all corners strictly on one side.
static inline uint32_t on_one_side(const four_sides *sides) {
    return (uint32_t)fr__m4_bits(fr__m4_or(all_three(sides->over), all_three(sides->under)));
}

// Lanes with all three signs sure.
static inline uint32_t sure_sides(const four_sides *sides) {
    fr__m4 sure[3];
    for (int c = 0; c < 3; c++) {
        sure[c] = fr__m4_or(sides->over[c], sides->under[c]);
    }
    return (uint32_t)fr__m4_bits(all_three(sure));
}

static inline fr__m4 not_both_or_none(fr__m4 a, fr__m4 b) { return fr__m4_and_not(fr__m4_or(a, b), fr__m4_and(a, b)); }

// The corners with the one that is alone on its side first, in the same turn; *below: it is on the negative side. For
// lanes whose signs are sure and not all one.
static inline four_triangles lone_first(const four_triangles *t, const four_sides *sides, fr__m4 *below) {
    fr__m4 second = fr__m4_and_not(not_both_or_none(sides->over[0], sides->over[1]),
                                   not_both_or_none(sides->over[0], sides->over[2]));
    fr__m4 third = fr__m4_and_not(not_both_or_none(sides->over[0], sides->over[2]),
                                  not_both_or_none(sides->over[0], sides->over[1]));
    four_triangles turned;
    for (int c = 0; c < 3; c++) {
        four_points by_one = choose(second, &t->corner[(c + 1) % 3], &t->corner[c]);
        turned.corner[c] = choose(third, &t->corner[(c + 2) % 3], &by_one);
    }
    // The lone corner is below when one of the three is: below are then the lone one, or the two others.
    fr__m4 any = fr__m4_or(fr__m4_or(sides->under[0], sides->under[1]), sides->under[2]);
    fr__m4 two =
        fr__m4_or(fr__m4_or(fr__m4_and(sides->under[0], sides->under[1]), fr__m4_and(sides->under[1], sides->under[2])),
                  fr__m4_and(sides->under[0], sides->under[2]));
    *below = fr__m4_and_not(any, two);
    return turned;
}

// The determinant of fr__edge_order and its bound.
static inline fr__d4 edge_order(const four_points *p0, const four_points *lone, const four_points *p,
                                const four_points *q, fr__d4 *bound) {
    four_points u = minus(p, p0), w = minus(q, p0), size = sizes(&w);
    four_planes planes = planes_of(&u, lone);
    *bound = fr__d4_mul(fr__d4_splat(FR__ORIENT3D_BOUND), dot(&planes.size, &size));
    return dot(&planes.normal, &w);
}

// Stage 2 for lanes whose signs are sure: those that surely cross, and those that surely do not.
//
// fr__triangle_face turns b over when a's lone corner is below b's plane, and a when b's is below a's. With one of them
// turned, p1 meets q2 and p2 meets q1; turning a also exchanges the first comparison and the second.
static inline void cross_each_other(const four_triangles *a, const four_triangles *b, const four_sides *sides_a,
                                    const four_sides *sides_b, uint32_t *yes, uint32_t *no) {
    fr__m4 below_a, below_b;
    four_triangles p = lone_first(a, sides_a, &below_a), q = lone_first(b, sides_b, &below_b);
    fr__m4 one_turned = not_both_or_none(below_a, below_b);
    four_points q1 = choose(one_turned, &q.corner[2], &q.corner[1]),
                q2 = choose(one_turned, &q.corner[1], &q.corner[2]);
    four_points lone = minus(&q.corner[0], &p.corner[0]);
    fr__d4 first_bound, second_bound;
    fr__d4 first = edge_order(&p.corner[0], &lone, &p.corner[1], &q1, &first_bound);
    fr__d4 second = edge_order(&p.corner[0], &lone, &p.corner[2], &q2, &second_bound);
    first = fr__d4_select(below_b, fr__d4_neg(first), first);
    second = fr__d4_select(below_b, fr__d4_neg(second), second);
    fr__m4 apart = fr__m4_or(fr__d4_gt(first, first_bound), fr__d4_lt(second, fr__d4_neg(second_bound)));
    fr__m4 meet = fr__m4_and(fr__d4_lt(first, fr__d4_neg(first_bound)), fr__d4_gt(second, second_bound));
    *no = (uint32_t)fr__m4_bits(apart);
    *yes = (uint32_t)fr__m4_bits(meet);
}

// Lanes of four pairs that are not refused; *sure those that cross.
static inline uint32_t judge_four(const four_triangles *a, const four_triangles *b, uint32_t *sure) {
    four_sides sides_a = sides_of(b, a);
    uint32_t lanes = ~on_one_side(&sides_a) & 15u;
    if (lanes == 0) { return 0; }
    four_sides sides_b = sides_of(a, b);
    lanes &= ~on_one_side(&sides_b);
    if (lanes == 0) { return 0; }
    uint32_t sides_sure = sure_sides(&sides_a) & sure_sides(&sides_b), yes, no;
    cross_each_other(a, b, &sides_a, &sides_b, &yes, &no);
    *sure = sides_sure & yes;
    return lanes & ~(sides_sure & no);
}

// ---------------------------------------------------------------------------------------------------------------
// Faces of one part
//
// Neighbours, which have corners in common, collide when they share a point beyond those and the edge between them.
// These rules refuse only what surely shares none, for any corners that are at the same places:
//
// 1. All other corners of one face are strictly on one side of the plane of the other. The first face meets that plane
//    in the common corners alone, or in the edge between them.
// 2. One corner v is common, and both faces reach through the plane of the other. The cones at v that a1, a2 and b1, b2
//    span are parted by the plane of v, a_i and b_j where a_k and b_l are on different sides of it, and the
//    determinants that say so are the heights of the corners over the planes of the faces: where those of a1 and b1,
//    the corners that follow v, have one sign, the cones meet in v alone.
// 3. An edge is common. Points of both faces are equal only where r N = r' N', with r, r' >= 0 their weights of the
//    third corners and N, N' the products of the edge with these: where N . N' < 0 both weights are 0. A product of two
//    normals is wrong by less than 2^-49 of the product of their sizes (10 u for the normals, 3 u for its own sums).
// 4. One corner v is common. Where the plane through v with some normal n has a1, a2 strictly on the one side and
//    b1, b2 on the other, the faces meet in v alone. n leads from the mean of b1, b2 to that of a1, a2, each taken at
//    the same distance from v. A product with a difference is wrong by less than 2^-50 of the product of their sizes.

// Rule 1: lanes with all corners that are not common strictly on one side.
static inline uint32_t others_on_one_side(const four_sides *sides, const fr__m4 common[3]) {
    four_sides others;
    for (int c = 0; c < 3; c++) {
        others.over[c] = fr__m4_or(sides->over[c], common[c]);
        others.under[c] = fr__m4_or(sides->under[c], common[c]);
    }
    return on_one_side(&others);
}

// Of lanes with one common corner: those whose next corner is over the plane of the other face, and the last one under
// it.
static inline fr__m4 next_is_beyond(const fr__m4 over[3], const fr__m4 under[3], const fr__m4 common[3]) {
    fr__m4 of[3];
    for (int c = 0; c < 3; c++) {
        of[c] = fr__m4_and(common[c], fr__m4_and(over[(c + 1) % 3], under[(c + 2) % 3]));
    }
    return any_of_three(of);
}

// Rule 2, for lanes with one common corner.
static inline fr__m4 cones_are_parted(const four_sides *sides_a, const four_sides *sides_b,
                                      const four_commons *common) {
    fr__m4 over_a = next_is_beyond(sides_a->over, sides_a->under, common->a),
           under_a = next_is_beyond(sides_a->under, sides_a->over, common->a),
           over_b = next_is_beyond(sides_b->over, sides_b->under, common->b),
           under_b = next_is_beyond(sides_b->under, sides_b->over, common->b);
    return fr__m4_or(fr__m4_and(over_a, over_b), fr__m4_and(under_a, under_b));
}

// Rule 3, for lanes with two common corners. Edges that run in one direction in both faces have N . N' with the sign of
// the product of the normals, others with the other sign.
static inline fr__m4 edges_are_unfolded(const four_triangles *a, const four_triangles *b, const four_commons *common) {
    four_planes of_a = face_planes(a), of_b = face_planes(b);
    fr__d4 product = dot(&of_a.normal, &of_b.normal);
    fr__d4 bound = fr__d4_add(fr__d4_mul(fr__d4_splat(0x1p-49), dot(&of_a.size, &of_b.size)), fr__d4_splat(0x1p-1000));
    fr__m4 same[3], turned[3];
    for (int i = 0; i < 3; i++) {
        fr__m4 along[3], against[3];
        for (int j = 0; j < 3; j++) {
            along[j] = fr__m4_and(common->equal[i][j], common->equal[(i + 1) % 3][(j + 1) % 3]);
            against[j] = fr__m4_and(common->equal[i][j], common->equal[(i + 1) % 3][(j + 2) % 3]);
        }
        same[i] = any_of_three(along);
        turned[i] = any_of_three(against);
    }
    return fr__m4_or(fr__m4_and(any_of_three(same), fr__d4_lt(product, fr__d4_neg(bound))),
                     fr__m4_and(any_of_three(turned), fr__d4_gt(product, bound)));
}

// From the first corner to the mean of the others, times a number, and about as long as 1.
static inline four_points middle_of(const four_points w[2]) {
    four_points sum;
    for (int i = 0; i < 3; i++) {
        sum.at[i] = fr__d4_add(w[0].at[i], w[1].at[i]);
    }
    fr__d4 length = fr__d4_sqrt(dot(&sum, &sum));
    for (int i = 0; i < 3; i++) {
        sum.at[i] = fr__d4_div(sum.at[i], length);
    }
    return sum;
}

// Whether n has a product with both vectors that is surely positive, n_size the sizes of n.
static inline fr__m4 surely_along(const four_points *n, const four_points *n_size, const four_points w[2]) {
    fr__m4 is_along[2];
    for (int i = 0; i < 2; i++) {
        four_points size = sizes(&w[i]);
        fr__d4 bound = fr__d4_add(fr__d4_mul(fr__d4_splat(0x1p-50), dot(n_size, &size)), fr__d4_splat(0x1p-1000));
        is_along[i] = fr__d4_gt(dot(n, &w[i]), bound);
    }
    return fr__m4_and(is_along[0], is_along[1]);
}

// Rule 4, for lanes with one common corner.
static inline fr__m4 plane_parts(const four_triangles *a, const four_triangles *b, const four_commons *common) {
    four_triangles p = common_first(a, common->a), q = common_first(b, common->b);
    four_points of_a[2] = {minus(&p.corner[1], &p.corner[0]), minus(&p.corner[2], &p.corner[0])};
    four_points of_b[2] = {minus(&q.corner[0], &q.corner[1]), minus(&q.corner[0], &q.corner[2])};
    four_points to_a = middle_of(of_a), from_b = middle_of(of_b), n;
    for (int i = 0; i < 3; i++) {
        n.at[i] = fr__d4_add(to_a.at[i], from_b.at[i]);
    }
    four_points size = sizes(&n);
    return fr__m4_and(surely_along(&n, &size, of_a), surely_along(&n, &size, of_b));
}

// Lanes of neighbours that share no more than their common corners.
static inline uint32_t refused_neighbours(const four_triangles *a, const four_triangles *b, const four_commons *common,
                                          uint32_t wanted) {
    four_sides sides_a = sides_of(b, a), sides_b = sides_of(a, b);
    uint32_t refused = others_on_one_side(&sides_a, common->a) | others_on_one_side(&sides_b, common->b);
    if ((wanted & ~refused) == 0) { return wanted; }
    fr__m4 at_corner = fr__m4_or(cones_are_parted(&sides_a, &sides_b, common), plane_parts(a, b, common));
    uint32_t has_edge = two_of_three(common->a), parted = (uint32_t)fr__m4_bits(at_corner) & ~has_edge;
    uint32_t unfolded = (uint32_t)fr__m4_bits(edges_are_unfolded(a, b, common)) & has_edge;
    return wanted & (refused | parted | unfolded);
}

// ---------------------------------------------------------------------------------------------------------------
// Batches

static uint32_t judge(const fr__side *side_a, const fr__side *side_b, bool is_one_part, const fr__candidate *candidates,
                      uint32_t count, fr__judged *out) {
    four_source from_a, from_b;
    make_source(side_a, &from_a);
    make_source(side_b, &from_b);
    uint32_t found = 0;
    for (uint32_t first = 0; first < count; first += 4) {
        uint32_t in_a[4], in_b[4], rest = count - first < 4 ? count - first : 4, refused = 0;
        for (uint32_t k = 0; k < 4; k++) {
            const fr__candidate *c = &candidates[first + (k < rest ? k : 0)];
            in_a[k] = c->a;
            in_b[k] = c->b;
        }
        four_triangles a, b;
        load_triangles(&from_a, in_a, &a);
        load_triangles(&from_b, in_b, &b);
        if (is_one_part) {
            four_commons common;
            find_equals(&a, &b, common.equal);
            sum_up_commons(&common);
            if (common.lanes != 0) { refused = refused_neighbours(&a, &b, &common, common.lanes); }
        }
        uint32_t sure = 0, lanes = ~refused & ((1u << rest) - 1u);
        if (lanes != 0) { lanes &= judge_four(&a, &b, &sure); }
        for (; lanes != 0; lanes &= lanes - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            out[found++] = (fr__judged){first + lane, (sure >> lane & 1u) != 0};
        }
    }
    return found;
}

const fr__face_judge_kernel_table FR_KERNEL_NAME(fr__face_judge_kernel) = {.judge = judge};

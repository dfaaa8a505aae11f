// Two parts over the step: bounds on their paths, and the relation of their trees over a slice of time.
//
// Paths. A point of b that is at y when t = 0 is in the world at c_b + t v_b + Rot(t w_b)(y - c_b). In
// the frame that moves with a it is at
//     u(t) = c_a + Rot(-t w_a) q(t),    q(t) = D + t V + Rot(t w_b) r,    D = c_b - c_a, V = v_b - v_a, r = y - c_b.
// Derived twice, with s = Rot(t w_b) r,
//     u'' = Rot(-t w_a) [ w_a x (w_a x (D + t V)) - 2 w_a x V - w_a x ((w_b - w_a) x s) + (w_b - w_a) x (w_b x s) ],
// so |u''| <= |w_a|^2 max |D + t V| + 2 |w_a| |V| + |w_b - w_a| (|w_a| + |w_b|) |r|: bend_a, with the largest |r|.
// On a slice of length d a path leaves the chord between its ends by at most bend d^2 / 8 (the error of linear
// interpolation). The balls' centres, seen from the world, have bends |w|^2 times their arms.
//
// Boxes. At both ends of a slice the point is at M y + m in a's frame, M = (s_b / s_a) R_a^T R_b, up to rounding, so on
// the chord it is at M' y + m' with M', m' between those of the ends. For y in a box with centre c and half size h
// that is within max |M| h of the chord of c on every axis. So the box moves along the chord from M_0 c + m_0 to
// M_1 c + m_1 with the half size max(|M_0|, |M_1|) h + growth, and
//     growth = (distance + bulge) (1 + 2^-30) / s_a + 64 u W + 2^-126,    u = 2^-24,
// W being no less than any coordinate of a box of either tree in a's frame at both ends. Of the 64, in floats, the two
// ends take 6 each (tree_relation.c), the path between them 2, the half size 7, the box at t0 3, the difference to the
// other box 3, the quotient 3 of twice the path 12, what is added to a path shorter than min_path = 8 u W 8: 47.
//
// Times. Boxes that share a point at s in 0 .. 1 of the slice do so on every axis, low <= p_0 + s d <= high. The kernel
// divides by d, of which 3 u of the quotient are lost; where that is more than 2 in size it is cut off by 0 .. 1
// anyway.
//
// The world corners differ from M y + m by what poses and paths are rounded, less than 2^-44 of the reach of a course,
// and of its arm times its turn, for each of the few steps that lead there; the courses' rounding has room for that and
// for the judge's own.
//
// Planes. A face with the float corners c0, c1, c2 in frame B has the products n = (c1 - c0) x (c2 - c0), and S is the
// sum of the sizes of all six; a point of B stands in frame A at x = T y + t, T = s R, R a rotation. The kernel
// computes in floats n' = T n and d = s^2 (n . c0) + n' . t, so that n' . x = d holds for the face's own points, and
// for a corner c of a face of A the value v = n' . c - d. Where v is larger than everything that can be wrong with it
// and with the face's own points, for all three corners or with the other sign for all, a plane parallel to n' . x = d
// is between the faces. With G the largest coordinate of B and W no less than |x_i| of any point of B, |t_i|, and any
// coordinate of A (so s G <= W), what can be wrong is, in units of u s S W:
//     n differs from the true normal of the float corners by 5 u of each product:       10  (the face's corners)
//     T rounded to float, products and sums of n':                                       12  (times x)
//     n . c0, s^2 and their product 5; n' . t by the error of n' 12, t 2, sums 6; sum 3:  28
//     v itself: products and sums 8, d 3:                                                11
//     corners rounded to float:                                                           4
// together less than 65, and |n'| <= s S times the distance: |v| > s S (80 u W + distance / s_a) is sure, with room for
// the higher powers of u. Where nothing is larger than 10^9 nothing overflows; what underflow takes is far below
// 2^-120 (1 + s) (1 + W) (1 + S). v is, up to a factor s^2, the height of c over the plane in b's frame, so over the
// slice it leaves its chord by no more than the bulge in b's frame does. Where it is beyond the bound, with the same
// sign, at both ends, it is all the time.
#include "collide/swept_pair.h"

#include "shape/tree.h"

#include <string.h>

#define FLOAT_ROUNDING 0x1p-24

static double larger(double a, double b) { return a > b ? a : b; }

// The judge raises its tolerance to 32 times its error, u (32 g + 16 d + 200 f l) (shape/swept.h): 2^-43 of coordinates
// and 2^-40 of arms and turns, the arms by the sum of their coordinates.
static double distance_of(double apart, const fr__course *a, const fr__course *b) {
    return apart * (1.0 + 0x1p-40) + a->rounding + b->rounding;
}

static double bend_seen_from(double turn, double other_turn, double turn_between, double apart, double speed,
                             double reach) {
    return (turn * turn * apart + 2.0 * turn * speed + turn_between * (turn + other_turn) * reach) * (1.0 + 0x1p-40);
}

void fr__swept_pair_make(double apart, const fr__pair_geometry *geometry, fr__swept_pair *out) {
    const fr__course *a = &geometry->course_a, *b = &geometry->course_b;
    out->geometry = geometry;
    out->distance = distance_of(apart, a, b);
    fr_vec3 from = fr_vec3_sub(b->pivot, a->pivot), travel = fr_vec3_sub(b->travel, a->travel);
    double between = larger(fr_vec3_length(from), fr_vec3_length(fr_vec3_add(from, travel)));
    double speed = fr_vec3_length(travel), turn_between = fr_vec3_length(fr_vec3_sub(b->turn, a->turn));
    double turn_a = a->axis.angle, turn_b = b->axis.angle;
    out->bend_a = bend_seen_from(turn_a, turn_b, turn_between, between, speed, b->arm + b->radius);
    out->bend_b = bend_seen_from(turn_b, turn_a, turn_between, between, speed, a->arm + a->radius);
    out->bend_balls = (turn_a * turn_a * a->arm + turn_b * turn_b * b->arm) * (1.0 + 0x1p-40);

    // A small gap between the paths' ends and the end poses is one more distance; a large one is looked at apart.
    double gap = a->end_gap + b->end_gap;
    out->has_end = gap > out->distance;
    if (!out->has_end) { out->distance += gap; }
}

// ---------------------------------------------------------------------------------------------------------------
// Balls

double fr__swept_pair_clip_length(const fr__swept_pair *pair) {
    double radius = pair->geometry->course_a.radius + pair->geometry->course_b.radius;
    double length = sqrt(0.8 * radius / (pair->bend_balls + 0x1p-1000));
    return length < 1.0 ? larger(length, 0x1p-16) : 1.0;
}

// |from + s path| <= radius at s = s_near -+ sqrt(...), s_near being where the line is nearest to 0. The quotients are
// rounded by less than 2^-40 of the larger of themselves and 1; times outside 0 .. 1 are cut off.
bool fr__swept_pair_clip(const fr__swept_pair *pair, double *t0, double *t1) {
    const fr__course *a = &pair->geometry->course_a, *b = &pair->geometry->course_b;
    double length = *t1 - *t0;
    fr_vec3 from = fr_vec3_sub(fr__course_ball(b, *t0), fr__course_ball(a, *t0));
    fr_vec3 to = fr_vec3_sub(fr__course_ball(b, *t1), fr__course_ball(a, *t1)), path = fr_vec3_sub(to, from);
    double bulge = pair->bend_balls * length * length / 8.0;
    double radius = (a->radius + b->radius + pair->distance + bulge) * (1.0 + 0x1p-30);
    double path_squared = fr_vec3_length_squared(path);
    if (!(path_squared > 0x1p-60 * radius * radius)) { // as good as still
        return !(fr_vec3_length_squared(from) > radius * radius * (1.0 + 0x1p-28));
    }
    double nearest = -fr_vec3_dot(from, path) / path_squared;
    fr_vec3 foot = fr_vec3_add_scaled(from, nearest, path);
    double room = radius * radius * (1.0 + 0x1p-28) - fr_vec3_length_squared(foot);
    if (room < 0.0) { return false; }
    double half = sqrt(room / path_squared), slack = 0x1p-28 * (1.0 + half);
    double low = nearest - half - slack, high = nearest + half + slack;
    if (low > 1.0 || high < 0.0) { return false; }
    double start = *t0;
    if (low > 0.0) { *t0 = start + low * length; }
    if (high < 1.0) { *t1 = start + high * length; }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Slices

double fr__swept_pair_slice(const fr__swept_pair *pair, double bulge) {
    double bend = pair->bend_a < pair->bend_b ? pair->bend_a : pair->bend_b;
    double length = sqrt(8.0 * bulge / (bend + 0x1p-1000));
    return length < 1.0 ? larger(length, 0x1p-20) : 1.0;
}

// Turn and move of a point of `from` as `to` sees it, in doubles.
typedef struct seen {
    double turn[3][3], move[3];
} seen;

static double column_dot(const fr_mat3 *m, int column, fr_vec3 v) {
    const double *r0 = &m->row[0].x, *r1 = &m->row[1].x, *r2 = &m->row[2].x;
    return (r0[column] * v.x + r1[column] * v.y) + r2[column] * v.z;
}

static void see(const fr_pose *from, const fr_mat3 *turn_from, const fr_pose *to, const fr_mat3 *turn_to, seen *out) {
    fr_vec3 apart = fr_vec3_sub(from->position, to->position);
    double scale = from->scale / to->scale;
    const double *r0 = &turn_from->row[0].x, *r1 = &turn_from->row[1].x, *r2 = &turn_from->row[2].x;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out->turn[i][j] = scale * column_dot(turn_to, i, fr_vec3_make(r0[j], r1[j], r2[j]));
        }
        out->move[i] = column_dot(turn_to, i, apart) / to->scale;
    }
}

// No coordinate of a point of a tree, none of whose coordinates is larger than `largest`, seen at either end, is
// larger.
static double seen_reach(const seen ends[2], double largest) {
    double reach = 0.0;
    for (int e = 0; e < 2; e++) {
        for (int i = 0; i < 3; i++) {
            const double *row = ends[e].turn[i];
            double sum = fabs(ends[e].move[i]) + (fabs(row[0]) + fabs(row[1]) + fabs(row[2])) * largest;
            reach = larger(reach, sum);
        }
    }
    return reach * (1.0 + 0x1p-20);
}

static fr__swept_frame make_frame(const seen ends[2], double reach, double distance, double scale_to) {
    fr__swept_frame frame;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            float first = (float)ends[0].turn[i][j], last = (float)ends[1].turn[i][j];
            frame.turn[0][i][j] = first;
            frame.turn[1][i][j] = last;
            frame.size[i][j] = fabsf(first) > fabsf(last) ? fabsf(first) : fabsf(last);
        }
        frame.move[0][i] = (float)ends[0].move[i];
        frame.move[1][i] = (float)ends[1].move[i];
    }
    frame.growth = fr_float_up(distance * (1.0 + 0x1p-30) / scale_to + 64.0 * FLOAT_ROUNDING * reach + 0x1p-100);
    frame.grown[0] = frame.grown[1] = frame.grown[2] = frame.growth;
    frame.min_path = fr_float_up(8.0 * FLOAT_ROUNDING * reach + 0x1p-100);
    return frame;
}

static fr__plane_frame make_plane_frame(double scale, double reach, double distance_local) {
    fr__plane_frame plane;
    plane.scale_squared = (float)(scale * scale);
    plane.bound = fr_float_up(scale * (1.0 + 0x1p-20) * (80.0 * FLOAT_ROUNDING * reach + distance_local));
    plane.floor = fr_float_up(0x1p-120 * (1.0 + scale) * (1.0 + reach));
    return plane;
}

static double tree_reach(const fr_tree *tree) {
    const fr_box *box = &tree->header->bounds;
    return larger(fr_vec3_largest(fr_vec3_from_floats(box->min)), fr_vec3_largest(fr_vec3_from_floats(box->max)));
}

// Beyond this floats may overflow.
#define LARGEST 1e30

// Boxes that reach everywhere: nothing is proven apart.
static fr__swept_relation everywhere(bool is_self) {
    fr__swept_relation relation;
    memset(&relation, 0, sizeof relation);
    relation.self = is_self;
    relation.a_to_b.growth = relation.b_to_a.growth = INFINITY;
    for (int i = 0; i < 3; i++) {
        relation.a_to_b.grown[i] = relation.b_to_a.grown[i] = INFINITY;
    }
    relation.a_to_b.min_path = relation.b_to_a.min_path = 1.0f;
    return relation;
}

// Poses of both parts at both ends of a slice, and how far paths bulge in a's frame and in b's.
typedef struct slice_poses {
    fr_pose a[2], b[2];
    double bulge_a, bulge_b;
} slice_poses;

static fr__swept_relation relate(const fr__swept_pair *pair, const slice_poses *poses) {
    const fr__side *a = &pair->geometry->a, *b = &pair->geometry->b;
    seen b_in_a[2], a_in_b[2];
    for (int e = 0; e < 2; e++) {
        fr_mat3 turn_a = fr_quat_to_mat3(poses->a[e].rotation), turn_b = fr_quat_to_mat3(poses->b[e].rotation);
        see(&poses->b[e], &turn_b, &poses->a[e], &turn_a, &b_in_a[e]);
        see(&poses->a[e], &turn_a, &poses->b[e], &turn_b, &a_in_b[e]);
    }
    double scale_a = poses->a[0].scale, scale_b = poses->b[0].scale, scale = scale_b / scale_a;
    double reach_a = tree_reach(a->tree), reach_b = tree_reach(b->tree);
    double in_a = larger(seen_reach(b_in_a, reach_b), reach_a), in_b = larger(seen_reach(a_in_b, reach_a), reach_b);
    double distance_a = pair->distance + poses->bulge_a, distance_b = pair->distance + poses->bulge_b;

    bool is_self = a->object == b->object && a->part == b->part;
    fr__swept_relation relation;
    if (!(in_a < LARGEST && in_b < LARGEST && distance_a < LARGEST * scale_a && distance_b < LARGEST * scale_b)) {
        return everywhere(is_self);
    }
    relation.self = is_self;
    relation.is_still = false;
    relation.b_to_a = make_frame(b_in_a, in_a, distance_a, scale_a);
    relation.a_to_b = make_frame(a_in_b, in_b, distance_b, scale_b);
    const double max = 1e9;
    bool is_rigid = pair->geometry->course_a.end_vertices == NULL && pair->geometry->course_b.end_vertices == NULL;
    relation.is_small = is_rigid && in_a < max && in_b < max && scale < max && scale > 1.0 / max;
    relation.b_is_better = distance_b < distance_a;
    relation.has_planes = a->leaf_corners != NULL && b->leaf_corners != NULL && relation.is_small;
    // Planes of b are taken into a's frame, and what they must clear is the bulge in b's.
    relation.planes_b_to_a = make_plane_frame(scale, in_a, distance_b / scale_a);
    relation.planes_a_to_b = make_plane_frame(1.0 / scale, in_b, distance_a / scale_b);
    return relation;
}

fr__swept_relation fr__swept_pair_relate(const fr__swept_pair *pair, double t0, double t1) {
    const fr__course *a = &pair->geometry->course_a, *b = &pair->geometry->course_b;
    double eighth = (t1 - t0) * (t1 - t0) / 8.0 * (1.0 + 0x1p-40);
    slice_poses poses = {{fr__course_pose(a, t0), fr__course_pose(a, t1)},
                         {fr__course_pose(b, t0), fr__course_pose(b, t1)},
                         pair->bend_a * eighth,
                         pair->bend_b * eighth};
    fr__swept_relation relation = relate(pair, &poses);
    relation.is_still = t0 == t1;
    return relation;
}

// What is at x in b's frame and may be off by up to `reach` there is off by up to |M| reach in a's, M the turn.
fr__swept_relation fr__swept_pair_relate_about(const fr__swept_pair *pair, fr_vec3 reach) {
    fr__swept_pair apart = *pair;
    apart.distance = 0.0;
    fr__swept_relation relation = fr__swept_pair_relate(&apart, 0.0, 0.0);
    const double of_b[3] = {reach.x, reach.y, reach.z};
    for (int i = 0; i < 3; i++) {
        const float *turn = relation.b_to_a.turn[0][i];
        double of_a =
            (fabs((double)turn[0]) * of_b[0] + fabs((double)turn[1]) * of_b[1]) + fabs((double)turn[2]) * of_b[2];
        relation.a_to_b.grown[i] = fr_float_up((double)relation.a_to_b.growth + of_b[i] * (1.0 + 0x1p-20));
        relation.b_to_a.grown[i] = fr_float_up((double)relation.b_to_a.growth + of_a * (1.0 + 0x1p-20));
    }
    return relation;
}

fr__swept_relation fr__swept_pair_relate_end(const fr__swept_pair *pair) {
    const fr__course *a = &pair->geometry->course_a, *b = &pair->geometry->course_b;
    slice_poses poses = {{a->end_pose, a->end_pose}, {b->end_pose, b->end_pose}, 0.0, 0.0};
    return relate(pair, &poses);
}

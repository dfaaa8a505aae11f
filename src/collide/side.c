// The bounds of this file. A vertex v of the part, no coordinate larger than L, stands in the world at the computed
// doubles w = O(P(v)), O and P being fr_pose_apply with the object's and the part's pose. Let o, p be the same in real
// arithmetic and s the object's scale. Then |P(v) - p(v)| <= r_P = fr_pose_rounding(part, L), so no coordinate of P(v)
// is larger than K = |p_P| + sqrt(3) s_P L + r_P, and |w - o(p(v))| <= s (1 + 2^-44) r_P + fr_pose_rounding(object, K).
//
// fr_pose_compose is rounded: its rotation is off by less than 2^-46 radians, its scale by 2^-53 of itself, its
// position is one fr_pose_apply. A point of the composed pose in real arithmetic is therefore within
//     2^-44 s s_P sqrt(3) L + fr_pose_rounding(object, |p_P|)
// of o(p(v)); the second is at most the rounding of the object above.
//
// Planes. A face with the float corners c0, c1, c2 in frame B has the products n = (c1 - c0) x (c2 - c0), and S is the
// sum of the sizes of all six; a point of B stands in frame A at x = T y + t, T = s R, R a rotation. The kernel
// computes in floats n' = T n and d = s^2 (n . c0) + n' . t, so that n' . x = d holds for the face's own points, and
// for a corner c of a face of A the value v = n' . c - d. Where v is larger than everything that can be wrong with it
// and with the face's own points, for all three corners or with the other sign for all, a plane parallel to n' . x = d
// is between the faces, and the judge refuses them. With u = 2^-24, G the largest coordinate of B and W no less than
// |x_i| of any point of B, |t_i|, and any coordinate of A (so s G <= W), what can be wrong is, in units of u s S W:
//     n differs from the true normal of the float corners by 5 u of each product:       10  (the face's corners)
//     T rounded to float, products and sums of n':                                       12  (times x)
//     n . c0, s^2 and their product 5; n' . t by the error of n' 12, t 2, sums 6; sum 3:  28
//     v itself: products and sums 8, d 3:                                                11
//     corners rounded to float:                                                           4
// together less than 65, and |n'| <= s S times what the world corners are off and the margin: the d of tree_relation.c.
// The growth there holds that and 24 u W, so
//     |v| > s S (56 u W + growth)
// is sure, with room for the higher powers of u. Where nothing is larger than 10^9 nothing overflows; what underflow
// takes is far below 2^-120 (1 + s) (1 + W) (1 + S).
#include "collide/side.h"

#include "shape/tree.h"

static bool is_identity(const fr_pose *pose) {
    const fr_quat *q = &pose->rotation;
    const fr_vec3 *p = &pose->position;
    return q->w == 1.0 && q->x == 0.0 && q->y == 0.0 && q->z == 0.0 && p->x == 0.0 && p->y == 0.0 && p->z == 0.0 &&
           pose->scale == 1.0;
}

void fr__side_set_poses(fr__side *side, const fr_pose *part_pose, const fr_pose *object_pose) {
    side->part_pose = *part_pose;
    side->object_pose = *object_pose;
    side->part_is_identity = is_identity(part_pose);
    side->part_frame = fr__frame_make(part_pose);
    side->object_frame = fr__frame_make(object_pose);
}

fr_pose fr__side_pose(const fr__side *side) {
    return side->part_is_identity ? side->object_pose : fr_pose_compose(&side->object_pose, &side->part_pose);
}

double fr__side_rounding(const fr__side *side) {
    const fr_pose *object = &side->object_pose, *part = &side->part_pose;
    if (side->part_is_identity) { return fr_pose_rounding(object, side->largest); }
    double in_part = fr_pose_rounding(part, side->largest);
    double reach = 1.8 * part->scale * side->largest;
    double largest = fr_vec3_largest(part->position) + reach + in_part;
    return 2.0 * (object->scale * in_part + fr_pose_rounding(object, largest)) + 0x1p-43 * object->scale * reach;
}

// The distance of the centres, which are off by what rounding does to a point, against the radii in the world. The
// scales, the radii and the length are off by a few 2^-53 of themselves, for which 2^-40 has room.
bool fr__sides_are_apart(const fr__side *a, const fr__side *b, double margin) {
    fr_vec3 center_a = fr__side_apply(a, a->ball_center), center_b = fr__side_apply(b, b->ball_center);
    double radius = a->object_pose.scale * a->part_pose.scale * a->ball_radius +
                    b->object_pose.scale * b->part_pose.scale * b->ball_radius;
    double slack = 2.0 * (fr__side_rounding(a) + fr__side_rounding(b));
    double limit = (radius + margin + slack) * (1.0 + 0x1p-40);
    return fr_vec3_length_squared(fr_vec3_sub(center_b, center_a)) > limit * limit;
}

static double tree_reach(const fr_tree *tree) {
    const fr_box *box = &tree->header->bounds;
    double low = fr_vec3_largest(fr_vec3_from_floats(box->min)), high = fr_vec3_largest(fr_vec3_from_floats(box->max));
    return low > high ? low : high;
}

// The W above, for planes of a tree with no coordinate larger than `from` taken into a frame with none larger than
// `into`.
static double plane_reach(const fr__tree_frame *frame, double from, double into) {
    double reach = into;
    for (int i = 0; i < 3; i++) {
        double sum = fabs((double)frame->move[i]);
        for (int j = 0; j < 3; j++) {
            sum += (double)frame->size[i][j] * from;
        }
        reach = sum > reach ? sum : reach;
    }
    return reach * (1.0 + 0x1p-20);
}

static fr__plane_frame make_plane_frame(const fr__tree_frame *frame, double scale, double reach) {
    fr__plane_frame plane;
    plane.scale_squared = (float)(scale * scale);
    plane.bound = fr_float_up(scale * (1.0 + 0x1p-20) * (56.0 * 0x1p-24 * reach + (double)frame->growth));
    plane.floor = fr_float_up(0x1p-120 * (1.0 + scale) * (1.0 + reach));
    return plane;
}

fr__relation fr__sides_relate(const fr__side *a, const fr__side *b, double margin) {
    fr_pose pose_a = fr__side_pose(a), pose_b = fr__side_pose(b);
    double slack = 0.0;
    if (!a->part_is_identity) { slack += fr__side_rounding(a); }
    if (!b->part_is_identity) { slack += fr__side_rounding(b); }
    fr__relation relation;
    relation.tree = fr__tree_relate(a->tree, &pose_a, b->tree, &pose_b, margin + slack);
    relation.tree.self = a->object == b->object && a->part == b->part;

    const fr__tree_frame *b_to_a = &relation.tree.b_to_a, *a_to_b = &relation.tree.a_to_b;
    double reach_a = tree_reach(a->tree), reach_b = tree_reach(b->tree);
    double in_a = plane_reach(b_to_a, reach_b, reach_a), in_b = plane_reach(a_to_b, reach_a, reach_b);
    double scale = pose_b.scale / pose_a.scale;
    const double most = 1e9;
    relation.has_planes = a->leaf_corners != NULL && b->leaf_corners != NULL && in_a < most && in_b < most &&
                          scale < most && scale > 1.0 / most;
    relation.b_to_a = make_plane_frame(b_to_a, scale, in_a);
    relation.a_to_b = make_plane_frame(a_to_b, 1.0 / scale, in_b);
    return relation;
}

// The poses of a side, and how the trees and corners of two sides relate to one another.
//
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
// Corners. The kernel takes the float corners of a's faces into b's frame and finds there, in floats, what may be said
// of the world corners. Let u = 2^-24, W no less than any coordinate of a point of a or b in b's frame (and of the
// move), G the largest of b, and y* the place in b's frame that a world corner y comes from by b's pose in real
// arithmetic. A corner of a is rounded to float, turned by a matrix rounded to float, and moved: 1 + 1 + 1 + 3
// roundings, 6 u W. With the margin, and what the world corners of both are off by, the d / s and the doubles' errors
// of tree_relation.c:
//     |y - y*| <= slack = growth - 15 u W + 1.5 u G
// on every axis, since the growth there is d / s and 24 u W, of which 9 are left; the last is b's own corners as
// floats.
//   boxes    A box about the corners of a, grown by the growth, holds what the real one holds: b's boxes are real.
//   planes   n = (c1 - c0) x (c2 - c0), S the sum of the sizes of its six products, the offset n . c0, the value
//            v = n . x - offset of another face's corner. The face's own points are within slack of the plane through
//            its float corners, times |n| <= S. In units of u S W, v and its plane are wrong by 10 for n (5 u of each
//            product, times |x - c0|), 3 for the offset, 6 for v: where |v| > S (56 u W + growth) for three corners, on
//            one side, the plane is between the faces, with room for the higher powers of u.
//   signs    det(x, y, z) of three differences of corners, no longer than X, Y, Z in the sum over the axes. Each is
//            off by 2 slack on an axis, 3.47 slack in length, so the determinant by 3.47 slack (XY + YZ + ZX) and
//            terms of higher order, which are less than what X, Y, Z grown by 4 slack add to that. In floats it is
//            wrong by another 9 u XYZ, and where it is computed as v above by 5 u XYZ + 9 u W XY, with X and Y of the
//            plane's face: 9 u W <= slack, so 4.25 slack (XY + YZ + ZX) + 20 u XYZ holds both. Beyond that a sign is
//            sure: the six of corners beside planes, and the two comparisons of fr__triangle_face. X is at most the
//            size of a face's box; faces whose boxes, grown by the growth, meet are within both sizes and 3 growths.
// So the judge refuses what is reported apart, and accepts what is reported as crossing, all eight signs being sure.
// Where nothing is larger than 10^9 nothing overflows; what underflow takes is far below 2^-119 (1 + W) (1 + S).
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

// The W above, for corners of a tree with no coordinate larger than `from` taken into a frame with none larger than
// `into`.
static double corner_reach(const fr__tree_frame *frame, double from, double into) {
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

static fr__corner_bounds bound_corners(const fr__tree_frame *a_to_b, double reach_a, double reach_b) {
    double reach = corner_reach(a_to_b, reach_a, reach_b), growth = (double)a_to_b->growth;
    double spare = 15.0 * 0x1p-24 * corner_reach(a_to_b, reach_a, 0.0) * (1.0 - 0x1p-18);
    fr__corner_bounds bounds;
    bounds.plane = fr_float_up((1.0 + 0x1p-20) * (56.0 * 0x1p-24 * reach + growth));
    bounds.floor = fr_float_up(0x1p-119 * (1.0 + reach));
    bounds.slack = fr_float_up(growth - spare + 1.5 * 0x1p-24 * reach_b);
    return bounds;
}

fr__relation fr__sides_relate(const fr__side *a, const fr__side *b, double margin) {
    fr_pose pose_a = fr__side_pose(a), pose_b = fr__side_pose(b);
    double slack = 0.0;
    if (!a->part_is_identity) { slack += fr__side_rounding(a); }
    if (!b->part_is_identity) { slack += fr__side_rounding(b); }
    fr__relation relation;
    relation.tree = fr__tree_relate(a->tree, &pose_a, b->tree, &pose_b, margin + slack);
    relation.tree.self = a->object == b->object && a->part == b->part;

    const fr__tree_frame *a_to_b = &relation.tree.a_to_b;
    double reach_a = tree_reach(a->tree), reach_b = tree_reach(b->tree);
    double scale = pose_b.scale / pose_a.scale;
    const double most = 1e9;
    relation.has_corners = a->leaf_corners != NULL && b->leaf_corners != NULL && scale < most && scale > 1.0 / most &&
                           reach_a < most && corner_reach(a_to_b, reach_a, reach_b) < most;
    relation.corners = bound_corners(a_to_b, reach_a, reach_b);
    relation.is_moving = false;
    return relation;
}

fr__relation fr__sides_relate_moving(const fr__side *a, const fr__side *b, double margin) {
    fr__relation now = fr__sides_relate(a, b, 0.0), moving = fr__sides_relate(a, b, margin);
    moving.corners.slack = now.corners.slack;
    moving.is_moving = true;
    return moving;
}

// The bounds of this file. A vertex v of the part, no coordinate larger than L, stands in the world at the computed
// doubles w = O(P(v)), O and P being fr_pose_apply with the object's and the part's pose. Let o, p be the same in real
// arithmetic and s the object's scale. Then |P(v) - p(v)| <= r_P = fr_pose_rounding(part, L), so no coordinate of P(v)
// is larger than K = |p_P| + sqrt(3) s_P L + r_P, and |w - o(p(v))| <= s (1 + 2^-44) r_P + fr_pose_rounding(object, K).
//
// fr_pose_compose is rounded: its rotation is off by less than 2^-46 radians, its scale by 2^-53 of itself, its
// position is one fr_pose_apply. A point of the composed pose in real arithmetic is therefore within
//     2^-44 s s_P sqrt(3) L + fr_pose_rounding(object, |p_P|)
// of o(p(v)); the second is at most the rounding of the object above.
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
    if (side->part_is_identity) return fr_pose_rounding(object, side->largest);
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

fr__tree_relation fr__sides_relate(const fr__side *a, const fr__side *b, double margin) {
    fr_pose pose_a = fr__side_pose(a), pose_b = fr__side_pose(b);
    double slack = 0.0;
    if (!a->part_is_identity) slack += fr__side_rounding(a);
    if (!b->part_is_identity) slack += fr__side_rounding(b);
    fr__tree_relation relation = fr__tree_relate(a->tree, &pose_a, b->tree, &pose_b, margin + slack);
    relation.self = a->object == b->object && a->part == b->part;
    return relation;
}

// Legs of a skeleton and their inverse kinematics: the knee stays in the plane of its own axis.
#include "feet.h"
#include "posture.h"

#include <math.h>

#define STRETCHED 0.99999 // of a leg's length, beyond which it is held straight

// The frame whose x is along the bone and whose y is as near as possible to the axis.
static fr_quat hinge_frame(fr_vec3 bone, fr_vec3 axis) {
    fr_vec3 x = fr_vec3_unit(bone, (fr_vec3){1.0, 0.0, 0.0});
    fr_vec3 off = fr_vec3_add_scaled(axis, -fr_vec3_dot(axis, x), x);
    fr_vec3 y = fr_vec3_unit(off, fr_vec3_perpendicular(x));
    return fr_quat_from_mat3(fr_mat3_transpose((fr_mat3){{x, y, fr_vec3_cross(x, y)}}));
}

fr_status fr__body_legs_find(const fr_skeleton *skeleton, fr__body_leg legs[2], fr_error *error) {
    static const fr_link thighs[2] = {FR_LINK_LEFT_THIGH, FR_LINK_RIGHT_THIGH};
    static const fr_body_point heels[2] = {FR_POINT_LEFT_HEEL, FR_POINT_RIGHT_HEEL};
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    const fr_vec3 left = {1.0, 0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        fr__body_leg *leg = &legs[i];
        const char *side = i == 0 ? "left" : "right";
        leg->thigh = view->roles[thighs[i]];
        leg->shin = view->roles[thighs[i] + 1];
        leg->foot = view->roles[thighs[i] + 2];
        if (leg->thigh == FR_NO_LINK || leg->shin == FR_NO_LINK || leg->foot == FR_NO_LINK) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no %s leg of thigh, shin and foot", side);
        }
        if (view->parents[leg->shin] != leg->thigh || view->parents[leg->foot] != leg->shin) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the links of the %s leg do not follow one another", side);
        }
        const fr_link_point *heel = &view->points[heels[i]], *toe = &view->points[heels[i] + 1];
        if (heel->link != leg->foot || toe->link != leg->foot) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the %s foot of the skeleton has no heel and toe", side);
        }
        leg->heel = heel->offset;
        leg->toe = toe->offset;
        leg->thigh_length = fr_vec3_length(view->offsets[leg->shin]);
        leg->shin_length = fr_vec3_length(view->offsets[leg->foot]);
        if (!(leg->thigh_length > 0.0 && leg->shin_length > 0.0)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "a link of the %s leg has no length", side);
        }
        leg->thigh_hinge =
            hinge_frame(view->offsets[leg->shin], fr__quat_turn(fr_quat_conjugate(view->uprights[leg->thigh]), left));
        leg->shin_hinge =
            hinge_frame(view->offsets[leg->foot], fr__quat_turn(fr_quat_conjugate(view->uprights[leg->shin]), left));
    }
    return FR_OK;
}

// The rotation of a link whose bone and hinge are along these directions of the world.
static fr_quat along(fr_quat hinge, fr_vec3 bone, fr_vec3 axis) {
    fr_mat3 world = fr_mat3_transpose((fr_mat3){{bone, axis, fr_vec3_cross(bone, axis)}});
    return fr__quat_product(fr_quat_from_mat3(world), fr_quat_conjugate(hinge));
}

void fr__body_leg_place(const fr_skeleton_view *view, const fr__body_leg *leg, const fr_pose *poses, fr_vec3 ankle,
                        fr_quat foot, fr_posture *posture) {
    const fr_pose *parent = &poses[view->parents[leg->thigh]];
    fr_vec3 hip = fr_pose_apply(parent, view->offsets[leg->thigh]);
    fr_vec3 apart = fr_vec3_sub(ankle, hip);
    double a = leg->thigh_length, b = leg->shin_length, distance = fr_vec3_length(apart);
    fr_vec3 line = fr_vec3_unit(apart, (fr_vec3){0.0, -1.0, 0.0});
    if (distance > STRETCHED * (a + b)) { distance = STRETCHED * (a + b); }
    double nearest = fabs(a - b) + 1e-3 * (a + b);
    if (distance < nearest) { distance = nearest; }

    // The knee lies before the line from hip to ankle, in the plane across its axis.
    fr_vec3 old =
        fr__quat_turn(fr_quat_multiply(poses[leg->thigh].rotation, leg->thigh_hinge), (fr_vec3){0.0, 1.0, 0.0});
    fr_vec3 off = fr_vec3_add_scaled(old, -fr_vec3_dot(old, line), line);
    fr_vec3 axis = fr_vec3_unit(off, fr_vec3_perpendicular(line));
    fr_vec3 forward = fr_vec3_cross(line, axis);
    double x = (a * a - b * b + distance * distance) / (2.0 * distance), square = a * a - x * x;
    double y = square > 0.0 ? sqrt(square) : 0.0;
    fr_vec3 knee = fr_vec3_add_scaled(fr_vec3_scale(x, line), y, forward);
    fr_vec3 thigh_bone = fr_vec3_scale(1.0 / a, knee);
    fr_vec3 shin_bone = fr_vec3_scale(1.0 / b, fr_vec3_sub(fr_vec3_scale(distance, line), knee));
    fr_quat thigh = along(leg->thigh_hinge, thigh_bone, axis), shin = along(leg->shin_hinge, shin_bone, axis);
    posture->turns[leg->thigh] = fr__quat_product(fr_quat_conjugate(parent->rotation), thigh);
    posture->turns[leg->shin] = fr__quat_product(fr_quat_conjugate(thigh), shin);
    posture->turns[leg->foot] = fr__quat_product(fr_quat_conjugate(shin), foot);
}

// Fingers round a cylinder: each phalanx is a tangent to the circle of the thing grown by the flesh of the finger.
#include "human/grip.h"

#include <math.h>

#define FLESH 0.008     // metres between the bone of a finger and its skin
#define FIRST_TOUCH 0.6 // of the first phalanx: where it touches
#define THUMB_TURN 60.0 // degrees

void fr_grip_bends(double radius, const double *lengths, uint32_t count, double *bends) {
    static const double limits_deg[3] = {90.0, 110.0, 80.0};
    double circle = radius + FLESH;
    double tangent = count > 0 ? FIRST_TOUCH * lengths[0] : 0.0; // from a joint to where both its phalanges touch
    for (uint32_t i = 0; i < count; i++) {
        double bend = 2.0 * fr_atan2(tangent, circle), limit = fr_radians(limits_deg[i < 3 ? i : 2]);
        bends[i] = bend > limit ? limit : bend;
        tangent = lengths[i] - tangent;
        if (tangent < 0.0) { tangent = 0.0; }
    }
}

// How long a phalanx is: to the next one's joint, or to its tip.
static double length_of(const fr_skeleton_view *view, uint32_t link, uint32_t next) {
    return fr_vec3_length(next != FR_NO_LINK ? view->offsets[next] : view->tips[link]);
}

// Bends `count` phalanges from a role on by the rule of tangents about the z axis of their links.
static void bend_finger(const fr_skeleton_view *view, uint32_t role, uint32_t count, double radius, double sign,
                        fr_posture *posture) {
    double lengths[3] = {0.0}, bends[3];
    for (uint32_t i = 0; i < count; i++) {
        lengths[i] = length_of(view, view->roles[role + i], i + 1 < count ? view->roles[role + i + 1] : FR_NO_LINK);
    }
    fr_grip_bends(radius, lengths, count, bends);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t link = view->roles[role + i];
        fr_quat bend = fr_quat_from_axis_angle((fr_vec3){0.0, 0.0, sign}, bends[i]);
        posture->turns[link] = fr_quat_multiply(view->rests[link], bend);
    }
}

fr_quat fr__thumb_towards_fingers(fr_side side) {
    double sign = side == FR_RIGHT ? 1.0 : -1.0;
    return fr_quat_from_axis_angle((fr_vec3){sign, 0.0, 0.0}, fr_radians(THUMB_TURN));
}

fr_status fr_grip_posture(const fr_skeleton *skeleton, fr_side side, double radius, fr_posture *posture,
                          fr_error *error) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    uint32_t thumb = side == FR_RIGHT ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1;
    if (posture->count != view->link_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the posture has %u links, the skeleton %u", posture->count,
                            view->link_count);
    }
    if (!(radius > 0.0) || !isfinite(radius)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a grip round a radius of %g m is not possible", radius);
    }
    for (uint32_t i = 0; i < 14; i++) {
        if (view->roles[thumb + i] == FR_NO_LINK) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no fingers on the %s",
                                side == FR_RIGHT ? "right" : "left");
        }
    }

    // Fingers of the right hand bend about +z, those of the left about -z; the thumb comes from the other side.
    double sign = side == FR_RIGHT ? 1.0 : -1.0;
    for (uint32_t finger = 0; finger < 4; finger++) {
        bend_finger(view, thumb + 2 + 3 * finger, 3, radius, sign, posture);
    }
    bend_finger(view, thumb, 2, radius, sign, posture);
    uint32_t base = view->roles[thumb];
    posture->turns[base] = fr_quat_multiply(fr__thumb_towards_fingers(side), posture->turns[base]);
    return FR_OK;
}

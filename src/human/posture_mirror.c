// The mirror image of a posture in the plane that parts left and right (Ichiguchi 5.3.4).
#include "human/posture.h"

#include "human/skeleton.h"

// The mirrored turn of a link from its partner's: conjugate(K of the parent) mirror(turn) K, with the constants K of
// the skeleton, which are quaternion units where frames are mirror images of each other; then nothing is rounded.
static fr_quat mirrored_turn(const fr_skeleton *skeleton, uint32_t link, fr_quat turn) {
    uint32_t parent = skeleton->view.parents[link];
    fr_quat mirrored = {turn.w, turn.x, -turn.y, -turn.z};
    mirrored = fr__quat_multiply(mirrored, skeleton->mirrors[link]);
    if (parent == FR_NO_LINK) { return mirrored; }
    fr_quat k = skeleton->mirrors[parent], undo = {k.w, -k.x, -k.y, -k.z};
    return fr__quat_multiply(undo, mirrored);
}

fr_status fr_posture_mirror(const fr_skeleton *skeleton, const fr_posture *from, fr_posture *to, fr_error *error) {
    FR_ASSERT(skeleton != NULL && from != NULL && to != NULL);
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr_status status = fr__posture_check_count(from, view->link_count, error);
    if (status == FR_OK) { status = fr__posture_check_count(to, view->link_count, error); }
    if (status != FR_OK) { return status; }
    for (uint32_t i = 0; i < view->link_count; i++) {
        uint32_t partner = view->partners[i];
        if (partner == FR_NO_LINK) { to->turns[i] = from->turns[i]; }
        // Both links of a pair at once, so that a posture can be mirrored in place.
        if (partner == FR_NO_LINK || partner < i) { continue; }
        fr_quat own = from->turns[i], other = from->turns[partner];
        to->turns[i] = mirrored_turn(skeleton, i, other);
        to->turns[partner] = mirrored_turn(skeleton, partner, own);
    }
    uint8_t left = from->contact_left, right = from->contact_right;
    to->place = fr_vec3_make(-from->place.x, from->place.y, from->place.z);
    to->contact_left = right;
    to->contact_right = left;
    return FR_OK;
}

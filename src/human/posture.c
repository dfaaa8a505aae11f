// Postures: rest, copies, the check of what comes from outside, and where the links are (forward kinematics).
#include "human/posture.h"

#include "human/posture_kernel.h"

#include <string.h>

fr_status fr__posture_check_count(const fr_posture *posture, uint32_t link_count, fr_error *error) {
    if (posture->turns != NULL && posture->count == link_count) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "a posture of %u links for a skeleton of %u",
                        posture->turns != NULL ? posture->count : 0, link_count);
}

fr_status fr_posture_rest(const fr_skeleton *skeleton, fr_posture *posture, fr_error *error) {
    FR_ASSERT(skeleton != NULL && posture != NULL);
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr_status status = fr__posture_check_count(posture, view->link_count, error);
    if (status != FR_OK) { return status; }
    posture->place = view->offsets[0];
    memcpy(posture->turns, view->rests, view->link_count * sizeof *view->rests);
    posture->contact_left = posture->contact_right = FR_CONTACT_HEEL | FR_CONTACT_TOE;
    return FR_OK;
}

fr_status fr_posture_copy(const fr_posture *from, fr_posture *to, fr_error *error) {
    FR_ASSERT(from != NULL && to != NULL);
    fr_status status = fr__posture_check_count(to, from->count, error);
    if (status != FR_OK) { return status; }
    if (to->turns != from->turns) { memcpy(to->turns, from->turns, from->count * sizeof *from->turns); }
    to->place = from->place;
    to->contact_left = from->contact_left;
    to->contact_right = from->contact_right;
    return FR_OK;
}

fr_status fr_posture_check(const fr_skeleton *skeleton, fr_posture *posture, fr_error *error) {
    FR_ASSERT(skeleton != NULL && posture != NULL);
    fr_status status = fr__posture_check_count(posture, fr_skeleton_get(skeleton)->link_count, error);
    if (status != FR_OK) { return status; }
    // Written so that NaN is refused as well.
    if (!(fr_vec3_is_finite(posture->place) && fr_vec3_largest(posture->place) <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the place of a posture is not finite");
    }
    for (uint32_t i = 0; i < posture->count; i++) {
        fr_error inner = {0};
        fr_quat turn = posture->turns[i];
        status = fr_quat_normalize(&turn, &inner);
        if (status != FR_OK) { return fr_error_set(error, status, "link %u: %s", i, inner.message); }
    }
    for (uint32_t i = 0; i < posture->count; i++) {
        (void)fr_quat_normalize(&posture->turns[i], NULL);
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Forward kinematics

fr_status fr_posture_poses(const fr_skeleton *skeleton, const fr_posture *postures, size_t count, fr_pose *poses,
                           fr_error *error) {
    FR_ASSERT(skeleton != NULL && (count == 0 || (postures != NULL && poses != NULL)));
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    for (size_t i = 0; i < count; i++) {
        fr_error inner = {0};
        fr_status status = fr__posture_check_count(&postures[i], view->link_count, &inner);
        if (status != FR_OK) { return fr_error_set(error, status, "posture %zu: %s", i, inner.message); }
    }
    const fr__posture_kernel_table *kernel = fr__posture_kernel();
    size_t done = 0;
    for (; done + 4 <= count; done += 4) {
        kernel->place_four(skeleton, postures + done, poses + done * view->link_count);
    }
    for (; done < count; done++) {
        kernel->place_one(skeleton, postures + done, poses + done * view->link_count);
    }
    return FR_OK;
}

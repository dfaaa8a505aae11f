// Between two postures: spherical linear interpolation of every turn, at constant speed (Ichiguchi 5.3 to 5.7).
#include "human/posture.h"

#include "human/posture_kernel.h"

fr_status fr_posture_slerp(const fr_posture *from, const fr_posture *to, double t, fr_posture *out, fr_error *error) {
    FR_ASSERT(from != NULL && to != NULL && out != NULL);
    fr_status status = fr__posture_check_count(from, out->count, error);
    if (status == FR_OK) { status = fr__posture_check_count(to, out->count, error); }
    if (status == FR_OK) { status = fr__posture_check_count(out, out->count, error); }
    if (status != FR_OK) { return status; }
    // Written so that NaN is refused as well.
    if (!(t >= 0.0 && t <= 1.0)) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the fraction %g of an arc", t); }
    if (t == 0.0 || t == 1.0) { return fr_posture_copy(t == 0.0 ? from : to, out, error); }

    const fr_posture *nearer = t < 0.5 ? from : to;
    uint8_t left = nearer->contact_left, right = nearer->contact_right;
    fr__posture_kernel()->slerp(from->turns, to->turns, t, out->count, out->turns);
    out->place = fr_vec3_lerp(from->place, to->place, t);
    out->contact_left = left;
    out->contact_right = right;
    return FR_OK;
}

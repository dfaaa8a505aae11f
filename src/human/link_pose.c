// Where one link of a posture is, without the others.
#include "posture.h"

fr_pose fr__link_pose(const fr_skeleton_view *view, const fr_posture *posture, uint32_t link) {
    fr_quat rotation = fr_quat_identity();
    fr_vec3 place = {0.0, 0.0, 0.0};
    while (link != 0) {
        place = fr_vec3_add(view->offsets[link], fr__quat_turn(posture->turns[link], place));
        rotation = fr__quat_product(posture->turns[link], rotation);
        link = view->parents[link];
    }
    place = fr_vec3_add(posture->place, fr__quat_turn(posture->turns[0], place));
    return fr_pose_make(place, fr__quat_product(posture->turns[0], rotation));
}

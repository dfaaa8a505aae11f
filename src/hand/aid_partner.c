// Two hands, two objects: what is held to the object of the other hand is taken along by it.
//
// The one whose faces are held leads. It does not see the follower, which goes with it as one body; so its displacement
// is checked once more, for the follower. The follower then decides its own frame from where it was taken to.
#include "aid.h"

void fr_aid_join(fr_aid *a, fr_aid *b) {
    FR_ASSERT(a != NULL && a != b);
    fr_aid *both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (both[i] == NULL) { continue; }
        if (both[i]->partner != NULL) { both[i]->partner->partner = NULL; }
        both[i]->partner = both[1 - i];
    }
}

fr_aid *fr__aid_follower(const fr_aid *aid) {
    fr_aid *other = aid->partner;
    if (other == NULL || other->part_count == 0 || aid->part_count == 0) { return NULL; }
    uint32_t count = other->face_count + other->snap_count;
    for (uint32_t i = 0; i < count; i++) {
        if (fr_object_id_equal(fr__aid_held_at(other, i)->pair.other, aid->held)) { return other; }
    }
    return NULL;
}

// Where the follower is when the leader is at a pose.
static fr_pose taken_to(const fr_aid *leader, const fr_aid *follower, const fr_pose *pose) {
    fr_pose back = fr_pose_inverse(&leader->shown);
    fr_pose relative = fr_pose_compose(&back, &follower->shown);
    fr_pose taken = fr_pose_compose(pose, &relative);
    taken.scale = follower->shown.scale;
    // A product of unit quaternions is unit but for rounding: there is nothing to refuse
    (void)fr_quat_normalize(&taken.rotation, NULL);
    return taken;
}

bool fr__aid_follower_motion(const fr_aid *aid, const fr_motion *motion, fr_motion *out) {
    const fr_aid *follower = fr__aid_follower(aid);
    if (follower == NULL) { return false; }
    fr_pose start = taken_to(aid, follower, &motion->start), back = fr_pose_inverse(&start);
    *out = *motion;
    out->start = start;
    out->pivot_local = fr_pose_apply(&back, fr_pose_apply(&motion->start, motion->pivot_local));
    return true;
}

void fr__aid_take_along(fr_aid *aid, const fr_pose *reached, fr_aid_output *output) {
    fr_aid *follower = fr__aid_follower(aid);
    if (follower == NULL) { return; }
    follower->shown = taken_to(aid, follower, reached);
    output->taken = follower->held;
    output->taken_pose = follower->shown;
}

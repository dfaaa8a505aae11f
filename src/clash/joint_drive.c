// Joints that go through their ranges: when each of them goes, and the wishes of a mover for it.
#include "clash/joint_drive.h"
#include "clash/finder.h"
#include "world/joint_fit.h"
#include "world/world.h"

#include <math.h>

static uint64_t total_of(const fr_joint_drive *drive) { return drive->down + drive->up + drive->back; }

// The value after so many ticks of the drive.
static double value_after(const fr_joint_drive *drive, double ticks) {
    double down = (double)drive->down, up = (double)drive->up, back = (double)drive->back;
    if (ticks <= 0.0 || ticks >= down + up + back) { return drive->start; }
    if (ticks < down) { return drive->start + (drive->low - drive->start) * (ticks / down); }
    if (ticks <= down + up) { return drive->low + (drive->high - drive->low) * ((ticks - down) / up); }
    return drive->high + (drive->start - drive->high) * ((ticks - down - up) / back);
}

double fr_joint_drive_value(const fr_joint_drive *drive, double time) {
    if (!(time > drive->begin && time < drive->end)) { return drive->start; }
    return value_after(drive, (time - drive->begin) / (drive->end - drive->begin) * (double)total_of(drive));
}

// Whether a joint has a range, which is set.
static bool set_range(const fr_joint *joint, fr_joint_drive *out) {
    if (!fr__joint_has_value(joint->kind)) { return false; }
    bool is_limited = isfinite(joint->low) && isfinite(joint->high);
    if (!is_limited && joint->kind != FR_JOINT_HINGE) { return false; }
    out->start = fr__joint_clamp(joint, joint->value);
    out->low = isfinite(joint->low) ? joint->low : is_limited ? joint->low : out->start;
    out->high = is_limited ? joint->high : out->low + 2.0 * FR_PI;
    if (!is_limited && isfinite(joint->high)) {
        out->high = joint->high;
        out->low = joint->high - 2.0 * FR_PI;
    }
    return out->high > out->low;
}

static uint64_t ticks_for(double length, const fr_joint_drive *drive, uint64_t steps) {
    return (uint64_t)ceil((double)steps * (length / (drive->high - drive->low)));
}

fr_status fr__joint_drives_list(const fr_world *world, uint64_t steps, fr__joint_drive_array *out, uint64_t *ticks,
                                fr_error *error) {
    const fr_space *space = world->space;
    *ticks = 0;
    out->count = 0;
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        fr_joint_drive drive = {.joint = fr_space_joint_at(space, i)};
        const fr_joint *joint = drive.joint.index1 != 0 ? fr_joint_get(space, drive.joint) : NULL;
        if (joint == NULL || !set_range(joint, &drive)) { continue; }
        fr_joint_drive *place = fr__joint_drive_array_push(out, 1);
        if (place == NULL) { return fr__clash_no_memory(error); }
        drive.down = ticks_for(drive.start - drive.low, &drive, steps);
        drive.up = steps;
        drive.back = ticks_for(drive.high - drive.start, &drive, steps);
        drive.begin = (double)*ticks * world->step;
        *ticks += total_of(&drive);
        drive.end = (double)*ticks * world->step;
        *place = drive;
    }
    return FR_OK;
}

// What other movers wish is replaced: it stays where it is.
static fr_status still_others(const fr_proposal *proposal, fr_wishes *wishes, fr_error *error) {
    for (uint32_t i = 0; i < fr_space_object_places(proposal->space); i++) {
        fr_wish stay = {.object = fr_space_object_at(proposal->space, i), .kind = FR_WISH_STAY};
        if (stay.object.index1 == 0 || fr_wishes_find(wishes, stay.object) == NULL) { continue; }
        fr_status status = fr_wishes_add(wishes, &stay, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

fr_status fr__joint_drives_propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const fr__joint_drive_array *drives = user;
    fr_status status = still_others(proposal, wishes, error);
    uint64_t left = proposal->tick + 1;
    for (size_t i = 0; i < drives->count && status == FR_OK; i++) {
        const fr_joint_drive *drive = &drives->data[i];
        if (left > total_of(drive)) {
            left -= total_of(drive);
            continue;
        }
        const fr_joint *joint = fr_joint_get(proposal->space, drive->joint);
        if (joint == NULL) { return FR_OK; }
        const fr_object_view *parent = joint->parent.index1 != 0 ? fr_object_get(proposal->space, joint->parent) : NULL;
        const fr_pose world = fr_pose_identity();
        fr_wish wish = {.object = joint->child, .kind = FR_WISH_NEXT};
        wish.pose = fr__joint_pose(joint, parent != NULL ? &parent->pose : &world, value_after(drive, (double)left));
        return fr_wishes_add(wishes, &wish, error);
    }
    return status;
}

// Joints as data: which object is attached to which, and how. An object is the child of at most one joint, so joints
// make a forest.
#include "space/object.h"

#include "space/record.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Ids and links

static fr_joint_id id_at(const fr_space *space, uint32_t index) {
    fr_joint_id id = {index + 1, fr__places_generation(&space->joint_places, index), space->number};
    return id;
}

static fr__joint *find_joint(const fr_space *space, fr_joint_id id) {
    bool is_here = id.space == space->number && fr__places_has(&space->joint_places, id.index1, id.generation);
    return is_here ? &fr__space_joints(space)[id.index1 - 1] : NULL;
}

static bool is_world(fr_object_id id) { return id.index1 == 0 && id.generation == 0 && id.space == 0; }

// This file names joints by index1, so that 0 means none.
static fr__joint *joint_of(const fr_space *space, uint32_t index1) { return &fr__space_joints(space)[index1 - 1]; }

static void link_joint(fr_space *space, uint32_t index1) {
    fr__joint *joint = joint_of(space, index1);
    fr__object *objects = fr__space_objects(space);
    objects[joint->joint.child.index1 - 1].joint_up = index1;
    joint->next = joint->before = 0;
    if (is_world(joint->joint.parent)) { return; }
    fr__object *parent = &objects[joint->joint.parent.index1 - 1];
    joint->next = parent->joint_down;
    if (joint->next != 0) { joint_of(space, joint->next)->before = index1; }
    parent->joint_down = index1;
}

static void unlink_joint(fr_space *space, uint32_t index1) {
    fr__joint *joint = joint_of(space, index1);
    fr__object *objects = fr__space_objects(space);
    objects[joint->joint.child.index1 - 1].joint_up = 0;
    if (joint->next != 0) { joint_of(space, joint->next)->before = joint->before; }
    if (joint->before != 0) {
        joint_of(space, joint->before)->next = joint->next;
    } else if (!is_world(joint->joint.parent)) {
        objects[joint->joint.parent.index1 - 1].joint_down = joint->next;
    }
}

static void remove_joint(fr_space *space, uint32_t index1) {
    unlink_joint(space, index1);
    fr__places_release(&space->joint_places, index1 - 1);
}

void fr__object_remove_joints(fr_space *space, uint32_t index) {
    const fr__object *object = &fr__space_objects(space)[index];
    if (object->joint_up != 0) { remove_joint(space, object->joint_up); }
    while (object->joint_down != 0) {
        remove_joint(space, object->joint_down);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Checking

static fr_status check_numbers(fr_joint *joint, fr_error *error) {
    if ((unsigned)joint->kind > (unsigned)FR_JOINT_ATTACHED) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no joint of kind %u", (unsigned)joint->kind);
    }
    if (isnan(joint->low) || isnan(joint->high) || !isfinite(joint->pitch) || !isfinite(joint->value)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a joint has a number that is not finite");
    }
    if (!(joint->low <= joint->high)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a joint's limits are in the wrong order");
    }
    fr_status status = fr_pose_check(&joint->frame_parent, error);
    return status == FR_OK ? fr_pose_check(&joint->frame_child, error) : status;
}

// Walks up from the parent and checks that the child is no ancestor. `own` is the joint that is being set, 0 for a new
// one.
static fr_status check_ancestors(const fr_space *space, const fr_joint *joint, uint32_t own, fr_error *error) {
    const fr__object *child = fr__space_find(space, joint->child);
    bool has_parent = !is_world(joint->parent);
    if (child == NULL || (has_parent && fr__space_find(space, joint->parent) == NULL)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "a joint's id names no object of this space");
    }
    if (child->joint_up != 0 && child->joint_up != own) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the child hangs on another joint already");
    }
    fr_object_id above = joint->parent;
    while (!is_world(above)) {
        if (above.index1 == joint->child.index1) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "an object would be its own ancestor");
        }
        uint32_t up = fr__space_objects(space)[above.index1 - 1].joint_up;
        if (up == 0) { break; }
        above = joint_of(space, up)->joint.parent;
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The calls

static bool reserve_joint(fr_space *space) {
    return fr__places_reserve(&space->joint_places) && fr__joint_array_reserve_more(&space->joints, 1);
}

static fr__joint *joint_entry(fr_space *space, uint32_t index) {
    if (index == space->joints.count) {
        fr__joint *entry = fr__joint_array_push(&space->joints, 1);
        FR_ASSERT(entry != NULL);
        memset(entry, 0, sizeof *entry);
    }
    return &fr__space_joints(space)[index];
}

fr_status fr__joint_add_hole(fr_space *space, fr_error *error) {
    if (!reserve_joint(space)) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a place"); }
    (void)joint_entry(space, fr__places_add_hole(&space->joint_places));
    return FR_OK;
}

fr_status fr_joint_add(fr_space *space, const fr_joint *joint, fr_joint_id *out, fr_error *error) {
    FR_ASSERT(space != NULL && joint != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    fr_joint checked = *joint;
    fr_status status = fr__space_check_change(space, error);
    if (status == FR_OK) { status = check_numbers(&checked, error); }
    if (status == FR_OK) { status = check_ancestors(space, &checked, 0, error); }
    if (status != FR_OK) { return status; }
    if (!reserve_joint(space)) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a joint"); }

    uint32_t index = fr__places_take(&space->joint_places);
    joint_entry(space, index)->joint = checked;
    link_joint(space, index + 1);
    *out = id_at(space, index);
    fr__operation operation = {.kind = FR__OPERATION_JOINT_ADD, .joint = checked};
    fr__record(space, &operation);
    return FR_OK;
}

fr_status fr_joint_remove(fr_space *space, fr_joint_id id, fr_error *error) {
    FR_ASSERT(space != NULL);
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }
    if (find_joint(space, id) == NULL) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no joint of this space");
    }
    remove_joint(space, id.index1);
    fr__operation operation = {.kind = FR__OPERATION_JOINT_REMOVE, .joint_id = id};
    fr__record(space, &operation);
    return FR_OK;
}

fr_status fr_joint_set(fr_space *space, fr_joint_id id, const fr_joint *joint, fr_error *error) {
    FR_ASSERT(space != NULL && joint != NULL);
    fr_joint checked = *joint;
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }
    fr__joint *found = find_joint(space, id);
    if (found == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the id names no joint of this space"); }
    status = check_numbers(&checked, error);
    if (status != FR_OK) { return status; }

    // The joint leaves the forest during the check, so that it does not conflict with itself.
    unlink_joint(space, id.index1);
    status = check_ancestors(space, &checked, id.index1, error);
    if (status == FR_OK) { found->joint = checked; }
    link_joint(space, id.index1);
    if (status != FR_OK) { return status; }
    fr__operation operation = {.kind = FR__OPERATION_JOINT_SET, .joint_id = id, .joint = checked};
    fr__record(space, &operation);
    return FR_OK;
}

const fr_joint *fr_joint_get(const fr_space *space, fr_joint_id id) {
    FR_ASSERT(space != NULL);
    const fr__joint *found = find_joint(space, id);
    return found != NULL ? &found->joint : NULL;
}

uint32_t fr_space_joint_places(const fr_space *space) {
    FR_ASSERT(space != NULL);
    return fr__places_count(&space->joint_places);
}

fr_joint_id fr_space_joint_at(const fr_space *space, uint32_t index) {
    FR_ASSERT(space != NULL);
    fr_joint_id none = {0, 0, 0};
    return fr__places_is_used(&space->joint_places, index) ? id_at(space, index) : none;
}

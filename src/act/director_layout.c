// Classes that change while the director works: new motions count from the next command on, and what stands on the
// frames of an object goes where its class has the frames now.
#include "act/director.h"

#include <stdio.h>
#include <string.h>

static const fr_class_frame *find_frame(const fr_class_view *c, const char *name) {
    for (uint32_t i = 0; i < c->frame_count; i++) {
        if (strcmp(c->frames[i].name, name) == 0) { return &c->frames[i]; }
    }
    return NULL;
}

// Moves an object and the joint that it hangs on by a displacement of the world.
static fr_status displace(fr_space *space, fr_object_id object, const fr_pose *by, fr_error *error) {
    fr_pose pose = fr_object_get(space, object)->pose, moved = fr_pose_compose(by, &pose);
    moved.scale = pose.scale;
    fr_status status = fr_object_set_pose(space, object, &moved, error);
    for (uint32_t i = 0; i < fr_space_joint_places(space) && status == FR_OK; i++) {
        fr_joint_id id = fr_space_joint_at(space, i);
        const fr_joint *found = fr_joint_get(space, id);
        bool is_own = found != NULL && fr_object_id_equal(found->child, object) && found->parent.index1 == 0;
        if (!is_own) { continue; }
        fr_joint joint = *found;
        joint.frame_parent = fr_pose_compose(by, &found->frame_parent);
        status = fr_joint_set(space, id, &joint, error);
    }
    return status;
}

// What stands on frames that have moved goes with them.
static fr_status move_frames(fr_director *d, fr_object_id object, const fr_class_view *before, const fr_class_view *now,
                             fr_error *error) {
    fr_space *space = fr_world_space(d->world);
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < now->frame_count && status == FR_OK; i++) {
        const fr_class_frame *to = &now->frames[i], *from = find_frame(before, to->name);
        if (to->class_name == NULL || from == NULL) { continue; }
        if (memcmp(&to->pose, &from->pose, sizeof to->pose) == 0) { continue; }
        char name[FR_WORLD_NAME_MAX_BYTES + 1];
        (void)snprintf(name, sizeof name, "%.*s %.*s", FR_WORLD_NAME_MAX_BYTES / 2,
                       fr_world_label(d->world, object).name, FR_WORLD_NAME_MAX_BYTES / 2 - 1, to->name);
        fr_object_id moved = fr_world_find(d->world, name);
        if (!fr_object_exists(space, moved)) { continue; }
        fr_pose base = fr_object_get(space, object)->pose;
        base.scale = 1.0;
        fr_pose old = fr_pose_compose(&base, &from->pose), back = fr_pose_inverse(&old);
        fr_pose place = fr_pose_compose(&base, &to->pose), by = fr_pose_compose(&place, &back);
        (void)fr_quat_normalize(&by.rotation, NULL);
        status = displace(space, moved, &by, error);
    }
    return status;
}

fr_status fr_director_refresh(fr_director *director, bool *is_changed, fr_error *error) {
    FR_ASSERT(director != NULL);
    bool ignored;
    if (is_changed == NULL) { is_changed = &ignored; }
    *is_changed = false;
    fr_library *library = director->def.library;
    if (library == NULL) { return FR_OK; }
    fr_status status = fr_library_poll(library, is_changed, error);
    for (size_t i = 0; i < director->objects.count && status == FR_OK && *is_changed; i++) {
        const fr__director_object *entry = &director->objects.data[i];
        fr_object_id object = entry->object;
        fr_class *c = NULL;
        // A class that is wrong or gone stays as it was.
        if (entry->c == NULL || !fr_object_exists(fr_world_space(director->world), object)) { continue; }
        if (fr_library_find(library, fr_class_get(entry->c)->name, &c, NULL) != FR_OK) { continue; }
        if (c != entry->c) {
            status = move_frames(director, object, fr_class_get(entry->c), fr_class_get(c), error);
            if (status == FR_OK) { status = fr_director_set_class(director, object, c, error); }
        }
        fr_class_release(c);
    }
    return status;
}

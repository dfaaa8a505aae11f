// Reads the joints of a scene.
#include "scene/scene_reader.h"

#include "fureai/base_order.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Objects by name

static bool place_is_before_name(const fr__name_place *place, const char *name) {
    return strcmp(place->name, name) < 0;
}

FR_SEARCH_TYPE(find_place, fr__name_place, const char *, place_is_before_name);

bool fr__scene_read_object_name(fr__scene_reader *r, fr_json_value token, const char *what, uint32_t *out) {
    const char *name;
    if (!fr_json_read_string(&r->reader, token, what, FR_WORLD_NAME_MAX_BYTES, &name)) { return false; }
    size_t at = find_place(r->names.data, r->names.count, name);
    if (at == r->names.count || strcmp(r->names.data[at].name, name) != 0) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "there is no object '%s'", name);
    }
    *out = r->names.data[at].object;
    return true;
}

bool fr__scene_add_joint(fr__scene_reader *r, fr_json_value token, const fr_scene_joint *joint) {
    if (r->scene->joints.count == FR_SCENE_MAX_JOINTS) {
        return fr_json_fail(&r->reader, token, FR_ERROR_LIMIT, "there are more than %d joints", FR_SCENE_MAX_JOINTS);
    }
    fr_scene_joint *place = fr__scene_joint_array_push(&r->scene->joints, 1);
    if (place == NULL) { return fr_json_fail_memory(&r->reader); }
    *place = *joint;
    r->scene->objects.data[joint->child].joint = (uint32_t)r->scene->joints.count - 1;
    return true;
}

static bool read_ends(fr__scene_reader *r, const fr__scene_joint_ends *ends, fr_scene_joint *joint) {
    joint->parent = FR_NONE;
    if (!fr__scene_read_object_name(r, ends->child, "child", &joint->child)) { return false; }
    if (ends->parent != FR_JSON_NONE && !fr__scene_read_object_name(r, ends->parent, "parent", &joint->parent)) {
        return false;
    }
    const fr_scene_object *child = r->scene->objects.data + joint->child;
    if (child->is_static) {
        return fr_json_fail(&r->reader, ends->child, FR_ERROR_ARGUMENT, "there is no joint for the static object '%s'",
                            child->name);
    }
    if (child->joint != FR_NONE) {
        return fr_json_fail(&r->reader, ends->child, FR_ERROR_ARGUMENT, "'%s' hangs on another joint already",
                            child->name);
    }
    return true;
}

// The joint is in the scene: its ancestors must not lead back to it, and not be too many.
static bool check_chain(fr__scene_reader *r, fr_json_value token, uint32_t joint) {
    const fr_scene_object *objects = r->scene->objects.data;
    const fr_scene_joint *joints = r->scene->joints.data;
    uint32_t at = joint;
    for (int length = 1; joints[at].parent != FR_NONE; length++) {
        at = objects[joints[at].parent].joint;
        if (at == FR_NONE) { return true; }
        if (at == joint) {
            return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "'%s' would be its own ancestor",
                                objects[joints[joint].child].name);
        }
        if (length >= FR_SCENE_MAX_CHAIN) {
            return fr_json_fail(&r->reader, token, FR_ERROR_LIMIT, "more than %d joints hang one below the other",
                                FR_SCENE_MAX_CHAIN);
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// All joints

static bool read_joint(fr__scene_reader *r, fr_json_value token) {
    fr__scene_joint_ends ends;
    fr_scene_joint joint;
    if (!fr__scene_read_joint(&r->reader, token, &ends, &joint) || !read_ends(r, &ends, &joint)) { return false; }
    bool has_position = joint.kind == FR_JOINT_HINGE || joint.kind == FR_JOINT_SCREW;
    if (!has_position) { joint.position = r->scene->objects.data[joint.child].pose.position; }
    return fr__scene_add_joint(r, token, &joint) && check_chain(r, ends.child, (uint32_t)r->scene->joints.count - 1);
}

bool fr__scene_read_joints(fr__scene_reader *r, fr_json_value token) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(&r->reader, token, "joints", 0, FR_SCENE_MAX_JOINTS)) { return false; }
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        if (!read_joint(r, value)) { return false; }
    }

    // Once more, now that all are there: joints may stand in the file before those that carry them.
    uint32_t joint = 0;
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        if (!check_chain(r, value, joint++)) { return false; }
    }
    return true;
}

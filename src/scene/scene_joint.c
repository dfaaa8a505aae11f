// Reads the joints of a scene.
#include "scene/scene_reader.h"

#include "fureai/base_order.h"

#include <string.h>

enum {
    JOINT_KIND,
    JOINT_PARENT,
    JOINT_CHILD,
    JOINT_POSITION,
    JOINT_AXIS,
    JOINT_LIMITS,
    JOINT_LIMITS_DEG,
    JOINT_PITCH,
    JOINT_VALUE,
    JOINT_VALUE_DEG,
    JOINT_KEYS
};

static const fr_json_field joint_fields[JOINT_KEYS] = {
    [JOINT_KIND] = {.key = "kind", .is_required = true},
    [JOINT_PARENT] = {.key = "parent"},
    [JOINT_CHILD] = {.key = "child", .is_required = true},
    [JOINT_POSITION] = {.key = "position"},
    [JOINT_AXIS] = {.key = "axis"},
    [JOINT_LIMITS] = {.key = "limits"},
    [JOINT_LIMITS_DEG] = {.key = "limits_deg"},
    [JOINT_PITCH] = {.key = "pitch"},
    [JOINT_VALUE] = {.key = "value"},
    [JOINT_VALUE_DEG] = {.key = "value_deg"},
};

// What each kind must have and may have, as bits of the keys.
typedef struct kind_keys {
    const char *name;
    fr_joint_kind kind;
    uint32_t required, allowed;
} kind_keys;

#define BIT(key) (UINT32_C(1) << (key))
#define ALWAYS (BIT(JOINT_KIND) | BIT(JOINT_PARENT) | BIT(JOINT_CHILD))
#define TURNS (BIT(JOINT_POSITION) | BIT(JOINT_AXIS))
#define ANGLES (BIT(JOINT_LIMITS_DEG) | BIT(JOINT_VALUE_DEG))

static const kind_keys kinds[] = {
    {"fixed", FR_JOINT_FIXED, 0, ALWAYS},
    {"attached", FR_JOINT_ATTACHED, 0, ALWAYS},
    {"hinge", FR_JOINT_HINGE, TURNS, ALWAYS | TURNS | ANGLES},
    {"slider", FR_JOINT_SLIDER, BIT(JOINT_AXIS), ALWAYS | BIT(JOINT_AXIS) | BIT(JOINT_LIMITS) | BIT(JOINT_VALUE)},
    {"screw", FR_JOINT_SCREW, TURNS | BIT(JOINT_PITCH), ALWAYS | TURNS | ANGLES | BIT(JOINT_PITCH)},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static const kind_keys *read_kind(fr__scene_reader *r, fr_json_value token) {
    const char *name;
    if (!fr_json_read_string(&r->reader, token, "kind", FR_WORLD_NAME_MAX_BYTES, &name)) { return NULL; }
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (strcmp(kinds[i].name, name) == 0) { return &kinds[i]; }
    }
    fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT,
                 "no joint '%s'; there are fixed, hinge, slider, screw and attached", name);
    return NULL;
}

static bool check_keys(fr__scene_reader *r, fr_json_value token, const fr_json_value *values, const kind_keys *kind) {
    for (int key = 0; key < JOINT_KEYS; key++) {
        bool is_there = values[key] != FR_JSON_NONE;
        if (is_there && (kind->allowed & BIT(key)) == 0) {
            return fr_json_fail(&r->reader, fr_json_key(values[key]), FR_ERROR_SYNTAX, "a joint '%s' has no '%s'",
                                kind->name, joint_fields[key].key);
        }
        if (!is_there && (kind->required & BIT(key)) != 0) {
            return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "a joint '%s' lacks '%s'", kind->name,
                                joint_fields[key].key);
        }
    }
    return true;
}

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

static bool read_ends(fr__scene_reader *r, const fr_json_value *values, fr_scene_joint *joint) {
    joint->parent = FR_NONE;
    if (!fr__scene_read_object_name(r, values[JOINT_CHILD], "child", &joint->child)) { return false; }
    if (values[JOINT_PARENT] != FR_JSON_NONE &&
        !fr__scene_read_object_name(r, values[JOINT_PARENT], "parent", &joint->parent)) {
        return false;
    }
    const fr_scene_object *child = r->scene->objects.data + joint->child;
    if (child->is_static) {
        return fr_json_fail(&r->reader, values[JOINT_CHILD], FR_ERROR_ARGUMENT,
                            "there is no joint for the static object '%s'", child->name);
    }
    if (child->joint != FR_NONE) {
        return fr_json_fail(&r->reader, values[JOINT_CHILD], FR_ERROR_ARGUMENT, "'%s' hangs on another joint already",
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
// Numbers

static bool read_axis(fr__scene_reader *r, fr_json_value token, fr_vec3 *out) {
    const fr_json_range lengths = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX};
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 axis = {0.0, 0.0, 1.0};
    if (!fr__scene_read_vector(r, token, "axis", lengths, &axis)) { return false; }
    *out = fr_vec3_unit(axis, zero);
    if (!fr_vec3_equal(*out, zero)) { return true; }
    return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "the axis of a joint is zero");
}

// Limits and value, in degrees or metres.
static bool read_range(fr__scene_reader *r, const fr_json_value *values, fr_scene_joint *joint) {
    bool turns = joint->kind != FR_JOINT_SLIDER;
    double most = turns ? FR_SCENE_ANGLE_MAX_DEG : FR_SCENE_LENGTH_MAX;
    const fr_json_range range = {-most, most};
    fr_json_value limits = values[turns ? JOINT_LIMITS_DEG : JOINT_LIMITS];
    fr_json_value value = values[turns ? JOINT_VALUE_DEG : JOINT_VALUE];
    const char *limits_key = joint_fields[turns ? JOINT_LIMITS_DEG : JOINT_LIMITS].key;
    const char *value_key = joint_fields[turns ? JOINT_VALUE_DEG : JOINT_VALUE].key;
    double ends[2] = {-INFINITY, INFINITY}, now = 0.0;
    if (limits != FR_JSON_NONE && !fr_json_read_numbers(&r->reader, limits, limits_key, range, 2, ends)) {
        return false;
    }
    if (value != FR_JSON_NONE && !fr_json_read_number(&r->reader, value, value_key, range, &now)) { return false; }
    if (limits != FR_JSON_NONE && !(ends[0] <= ends[1])) {
        return fr_json_fail(&r->reader, limits, FR_ERROR_ARGUMENT, "%s: the lower one stands first", limits_key);
    }
    if (now < ends[0] || now > ends[1]) {
        return fr_json_fail(&r->reader, value != FR_JSON_NONE ? value : limits, FR_ERROR_ARGUMENT,
                            "the value %.9g of the joint is outside its limits", now);
    }
    joint->low = turns ? fr_radians(ends[0]) : ends[0];
    joint->high = turns ? fr_radians(ends[1]) : ends[1];
    joint->value = turns ? fr_radians(now) : now;
    return true;
}

static bool read_numbers(fr__scene_reader *r, const fr_json_value *values, fr_scene_joint *joint) {
    const fr_json_range lengths = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX};
    const fr_scene_object *child = r->scene->objects.data + joint->child;
    joint->position = child->pose.position;
    joint->axis = fr_vec3_make(0.0, 0.0, 1.0);
    joint->low = -INFINITY;
    joint->high = INFINITY;
    if (joint->kind == FR_JOINT_FIXED || joint->kind == FR_JOINT_ATTACHED) { return true; }
    double pitch = 0.0;
    bool right = fr__scene_read_vector(r, values[JOINT_POSITION], "position", lengths, &joint->position) &&
                 read_axis(r, values[JOINT_AXIS], &joint->axis) &&
                 (values[JOINT_PITCH] == FR_JSON_NONE ||
                  fr_json_read_number(&r->reader, values[JOINT_PITCH], "pitch", lengths, &pitch)) &&
                 read_range(r, values, joint);
    joint->pitch = pitch / (2.0 * FR_PI);
    return right;
}

// ---------------------------------------------------------------------------------------------------------------
// All joints

static bool read_joint(fr__scene_reader *r, fr_json_value token) {
    fr_json_value values[JOINT_KEYS];
    fr_scene_joint joint;
    memset(&joint, 0, sizeof joint);
    if (!fr_json_read_object(&r->reader, token, "a joint", joint_fields, JOINT_KEYS, values)) { return false; }
    const kind_keys *kind = read_kind(r, values[JOINT_KIND]);
    if (kind == NULL || !check_keys(r, token, values, kind)) { return false; }
    joint.kind = kind->kind;
    if (!read_ends(r, values, &joint) || !read_numbers(r, values, &joint)) { return false; }

    fr_scene_joint *place = fr__scene_joint_array_push(&r->scene->joints, 1);
    if (place == NULL) { return fr_json_fail_memory(&r->reader); }
    *place = joint;
    uint32_t index = (uint32_t)r->scene->joints.count - 1;
    r->scene->objects.data[joint.child].joint = index;
    return check_chain(r, values[JOINT_CHILD], index);
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

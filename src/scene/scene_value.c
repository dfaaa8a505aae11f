// Reads values that several files have.
#include "scene/scene_value.h"

#include <math.h>
#include <string.h>

enum { FILE_VERSION = 1 };

static const fr_json_range lengths = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX};

bool fr__scene_read_version(fr_json_reader *reader, fr_json_value token) {
    const fr_json_range versions = {1.0, 1e9};
    uint32_t version;
    if (!fr_json_read_whole(reader, token, "fureai", versions, &version)) { return false; }
    if (version == FILE_VERSION) { return true; }
    return fr_json_fail(reader, token, FR_ERROR_VERSION, "the file is of version %u; version %d is read",
                        (unsigned)version, FILE_VERSION);
}

bool fr__scene_read_color(fr_json_reader *reader, fr_json_value token, fr_color *out) {
    if (token == FR_JSON_NONE) { return true; }
    const fr_json_range range = {0.0, 255.0};
    if (!fr_json_read_array(reader, token, "color", 3, 3)) { return false; }
    uint32_t rgb[3];
    fr_json_value value = fr_json_first(reader->json, token);
    for (int i = 0; i < 3; i++, value = fr_json_next(reader->json, value)) {
        if (!fr_json_read_whole(reader, value, "color", range, &rgb[i])) { return false; }
    }
    *out = (fr_color){(uint8_t)rgb[0], (uint8_t)rgb[1], (uint8_t)rgb[2], 255};
    return true;
}

bool fr__scene_read_vector(fr_json_reader *reader, fr_json_value token, const char *what, fr_json_range range,
                           fr_vec3 *out) {
    if (token == FR_JSON_NONE) { return true; }
    double numbers[3];
    if (!fr_json_read_numbers(reader, token, what, range, 3, numbers)) { return false; }
    *out = fr_vec3_make(numbers[0], numbers[1], numbers[2]);
    return true;
}

bool fr__scene_read_direction(fr_json_reader *reader, fr_json_value token, const char *what, fr_vec3 *out) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    if (token == FR_JSON_NONE) { return true; }
    if (!fr__scene_read_vector(reader, token, what, lengths, out)) { return false; }
    *out = fr_vec3_unit(*out, zero);
    if (!fr_vec3_equal(*out, zero)) { return true; }
    return fr_json_fail(reader, token, FR_ERROR_ARGUMENT, "'%s' is zero", what);
}

// ---------------------------------------------------------------------------------------------------------------
// Joints

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
    [JOINT_CHILD] = {.key = "child"},
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

static const kind_keys *read_kind(fr_json_reader *reader, fr_json_value token) {
    const char *name;
    if (!fr_json_read_string(reader, token, "kind", FR_WORLD_NAME_MAX_BYTES, &name)) { return NULL; }
    for (size_t i = 0; i < KIND_COUNT; i++) {
        if (strcmp(kinds[i].name, name) == 0) { return &kinds[i]; }
    }
    fr_json_fail(reader, token, FR_ERROR_ARGUMENT, "no joint '%s'; there are fixed, hinge, slider, screw and attached",
                 name);
    return NULL;
}

static bool check_keys(fr_json_reader *reader, fr_json_value token, const fr_json_value *values,
                       const kind_keys *kind) {
    for (int key = 0; key < JOINT_KEYS; key++) {
        bool is_there = values[key] != FR_JSON_NONE;
        if (is_there && (kind->allowed & BIT(key)) == 0) {
            return fr_json_fail(reader, fr_json_key(values[key]), FR_ERROR_SYNTAX, "a joint '%s' has no '%s'",
                                kind->name, joint_fields[key].key);
        }
        if (!is_there && (kind->required & BIT(key)) != 0) {
            return fr_json_fail(reader, token, FR_ERROR_SYNTAX, "a joint '%s' lacks '%s'", kind->name,
                                joint_fields[key].key);
        }
    }
    return true;
}

static bool read_axis(fr_json_reader *reader, fr_json_value token, fr_vec3 *out) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 axis = {0.0, 0.0, 1.0};
    if (!fr__scene_read_vector(reader, token, "axis", lengths, &axis)) { return false; }
    *out = fr_vec3_unit(axis, zero);
    if (!fr_vec3_equal(*out, zero)) { return true; }
    return fr_json_fail(reader, token, FR_ERROR_ARGUMENT, "the axis of a joint is zero");
}

// Limits and value, in degrees or metres.
static bool read_range(fr_json_reader *reader, const fr_json_value *values, fr_scene_joint *joint) {
    bool turns = joint->kind != FR_JOINT_SLIDER;
    double most = turns ? FR_SCENE_ANGLE_MAX_DEG : FR_SCENE_LENGTH_MAX;
    const fr_json_range range = {-most, most};
    fr_json_value limits = values[turns ? JOINT_LIMITS_DEG : JOINT_LIMITS];
    fr_json_value value = values[turns ? JOINT_VALUE_DEG : JOINT_VALUE];
    const char *limits_key = joint_fields[turns ? JOINT_LIMITS_DEG : JOINT_LIMITS].key;
    const char *value_key = joint_fields[turns ? JOINT_VALUE_DEG : JOINT_VALUE].key;
    double ends[2] = {-INFINITY, INFINITY}, now = 0.0;
    if (limits != FR_JSON_NONE && !fr_json_read_numbers(reader, limits, limits_key, range, 2, ends)) { return false; }
    if (value != FR_JSON_NONE && !fr_json_read_number(reader, value, value_key, range, &now)) { return false; }
    if (limits != FR_JSON_NONE && !(ends[0] <= ends[1])) {
        return fr_json_fail(reader, limits, FR_ERROR_ARGUMENT, "%s: the lower one stands first", limits_key);
    }
    if (now < ends[0] || now > ends[1]) {
        return fr_json_fail(reader, value != FR_JSON_NONE ? value : limits, FR_ERROR_ARGUMENT,
                            "the value %.9g of the joint is outside its limits", now);
    }
    joint->low = turns ? fr_radians(ends[0]) : ends[0];
    joint->high = turns ? fr_radians(ends[1]) : ends[1];
    joint->value = turns ? fr_radians(now) : now;
    return true;
}

static bool read_numbers(fr_json_reader *reader, const fr_json_value *values, fr_scene_joint *joint) {
    joint->axis = fr_vec3_make(0.0, 0.0, 1.0);
    joint->low = -INFINITY;
    joint->high = INFINITY;
    if (joint->kind == FR_JOINT_FIXED || joint->kind == FR_JOINT_ATTACHED) { return true; }
    double pitch = 0.0;
    bool right = fr__scene_read_vector(reader, values[JOINT_POSITION], "position", lengths, &joint->position) &&
                 read_axis(reader, values[JOINT_AXIS], &joint->axis) &&
                 (values[JOINT_PITCH] == FR_JSON_NONE ||
                  fr_json_read_number(reader, values[JOINT_PITCH], "pitch", lengths, &pitch)) &&
                 read_range(reader, values, joint);
    joint->pitch = pitch / (2.0 * FR_PI);
    return right;
}

bool fr__scene_read_joint(fr_json_reader *reader, fr_json_value token, fr__scene_joint_ends *ends,
                          fr_scene_joint *out) {
    fr_json_value values[JOINT_KEYS];
    memset(out, 0, sizeof *out);
    if (!fr_json_read_object(reader, token, "a joint", joint_fields, JOINT_KEYS, values)) { return false; }
    const kind_keys *kind = read_kind(reader, values[JOINT_KIND]);
    if (kind == NULL || !check_keys(reader, token, values, kind)) { return false; }
    for (int key = JOINT_PARENT; ends == NULL && key <= JOINT_CHILD; key++) {
        if (values[key] == FR_JSON_NONE) { continue; }
        return fr_json_fail(reader, fr_json_key(values[key]), FR_ERROR_SYNTAX, "the joint of a class has no '%s'",
                            joint_fields[key].key);
    }
    if (ends != NULL && values[JOINT_CHILD] == FR_JSON_NONE) {
        return fr_json_fail(reader, token, FR_ERROR_SYNTAX, "a joint lacks 'child'");
    }
    if (ends != NULL) { *ends = (fr__scene_joint_ends){values[JOINT_PARENT], values[JOINT_CHILD]}; }
    out->kind = kind->kind;
    return read_numbers(reader, values, out);
}

// Reads a task from JSON: a skill and its fields.
#include "fureai/human_task.h"

#include <math.h>
#include <string.h>

enum {
    TASK_SKILL,
    TASK_OBJECT,
    TASK_TARGET,
    TASK_GOAL,
    TASK_HEADING,
    TASK_SIDE,
    TASK_CLIP,
    TASK_VALUE,
    TASK_POSES,
    TASK_WORD,
    TASK_DIAMETER,
    TASK_FRAMES,
    TASK_SPEED,
    TASK_START,
    TASK_KEYS
};

#define NUMBER(name, member, low, high)                                                                                \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBER, .offset = offsetof(fr_task_text, member), .range = { low, high }       \
    }
#define TEXT(name, member, bytes)                                                                                      \
    { .key = name, .type = FR_JSON_AS_STRING, .offset = offsetof(fr_task_text, member), .count = bytes }

#define LENGTH_MAX 1e6 // metres

static const fr_json_word sides[] = {
    {"nearest", FR_SIDE_NEAREST}, {"right", FR_SIDE_RIGHT}, {"left", FR_SIDE_LEFT}, {NULL, 0}};

static const fr_json_field task_fields[TASK_KEYS] = {
    [TASK_SKILL] = {.key = "skill", .is_required = true},
    [TASK_OBJECT] = TEXT("object", object, FR_TASK_NAME_MAX_BYTES),
    [TASK_TARGET] = {.key = "target"},
    [TASK_GOAL] = {.key = "goal"},
    [TASK_HEADING] = NUMBER("heading_deg", fields.heading, -360.0, 360.0),
    [TASK_SIDE] = {.key = "side",
                   .type = FR_JSON_AS_WORD,
                   .offset = offsetof(fr_task_text, fields.side),
                   .words = sides},
    [TASK_CLIP] = TEXT("clip", clip, FR_TASK_NAME_MAX_BYTES),
    [TASK_VALUE] = NUMBER("value", fields.value, -LENGTH_MAX, LENGTH_MAX),
    [TASK_POSES] = {.key = "poses"},
    [TASK_WORD] = {.key = "word"},
    [TASK_DIAMETER] = NUMBER("diameter", fields.diameter, 1e-6, 10.0),
    [TASK_FRAMES] = {.key = "frames",
                     .type = FR_JSON_AS_WHOLE,
                     .offset = offsetof(fr_task_text, fields.frames),
                     .range = {1.0, FR_MAX_SKILL_FRAMES}},
    [TASK_SPEED] = NUMBER("speed", fields.speed, 1e-6, 1e3),
    [TASK_START] = {.key = "start",
                    .type = FR_JSON_AS_WHOLE,
                    .offset = offsetof(fr_task_text, start),
                    .range = {0.0, FR_MAX_SKILL_FRAMES}},
};

// The field that each key gives; 0: none.
static const uint32_t field_of[TASK_KEYS] = {
    [TASK_OBJECT] = FR_FIELD_OBJECT,     [TASK_TARGET] = FR_FIELD_TARGET, [TASK_GOAL] = FR_FIELD_GOAL,
    [TASK_HEADING] = FR_FIELD_HEADING,   [TASK_SIDE] = FR_FIELD_SIDE,     [TASK_CLIP] = FR_FIELD_CLIP,
    [TASK_VALUE] = FR_FIELD_VALUE,       [TASK_POSES] = FR_FIELD_POSES,   [TASK_WORD] = FR_FIELD_WORD,
    [TASK_DIAMETER] = FR_FIELD_DIAMETER, [TASK_FRAMES] = FR_FIELD_FRAMES, [TASK_SPEED] = FR_FIELD_SPEED};

// ---------------------------------------------------------------------------------------------------------------
// Poses

enum { POSE_POSITION, POSE_ROTATION, POSE_AXIS_ANGLE, POSE_KEYS };

static const fr_json_field pose_fields[POSE_KEYS] = {[POSE_POSITION] = {.key = "position"},
                                                     [POSE_ROTATION] = {.key = "rotation"},
                                                     [POSE_AXIS_ANGLE] = {.key = "axis_angle_deg"}};

static bool read_place(fr_json_reader *r, fr_json_value value, const char *what, fr_vec3 *out) {
    const fr_json_range range = {-LENGTH_MAX, LENGTH_MAX};
    double numbers[3];
    if (!fr_json_read_numbers(r, value, what, range, 3, numbers)) { return false; }
    *out = fr_vec3_make(numbers[0], numbers[1], numbers[2]);
    return true;
}

static bool read_pose(fr_json_reader *r, fr_json_value value, const char *what, fr_pose *out) {
    *out = fr_pose_identity();
    if (!fr_json_is(r->json, value, FR_JSON_OBJECT)) { return read_place(r, value, what, &out->position); }
    fr_json_value values[POSE_KEYS];
    if (!fr_json_read_object(r, value, what, pose_fields, POSE_KEYS, values)) { return false; }
    if (values[POSE_POSITION] != FR_JSON_NONE && !read_place(r, values[POSE_POSITION], "position", &out->position)) {
        return false;
    }
    return fr_json_read_rotation(r, values[POSE_ROTATION], values[POSE_AXIS_ANGLE], &out->rotation);
}

static bool read_poses(fr_json_reader *r, fr_json_value value, fr_skill_fields *fields) {
    if (!fr_json_read_array(r, value, "poses", 1, FR_MAX_SKILL_POSES)) { return false; }
    fr_pose *poses = fr_arena_alloc(r->strings, fr_json_count(r->json, value), sizeof *poses, _Alignof(fr_pose));
    if (poses == NULL) { return fr_json_fail_memory(r); }
    fields->poses = poses;
    for (fr_json_value at = fr_json_first(r->json, value); at != FR_JSON_NONE; at = fr_json_next(r->json, at)) {
        if (!read_pose(r, at, "a pose", &poses[fields->pose_count++])) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The task

static bool read_skill(fr_json_reader *r, fr_json_value value, const fr_skill **out) {
    const char *name;
    if (!fr_json_read_string(r, value, "skill", FR_TASK_NAME_MAX_BYTES, &name)) { return false; }
    *out = fr_skill_find(name);
    if (*out != NULL) { return true; }
    fr_suggestion suggestion = fr_suggestion_begin(name);
    for (uint32_t i = 0; i < fr_skill_count(); i++) {
        fr_suggestion_offer(&suggestion, fr_skill_at(i)->name);
    }
    if (suggestion.best == NULL) { return fr_json_fail(r, value, FR_ERROR_ARGUMENT, "no skill '%s'", name); }
    return fr_json_fail(r, value, FR_ERROR_ARGUMENT, "no skill '%s'; did you mean '%s'?", name, suggestion.best);
}

static bool read_word(fr_json_reader *r, fr_json_value value, fr_skill_fields *fields) {
    const char *word;
    if (!fr_json_read_string(r, value, "word", FR_MAX_SKILL_WORD, &word)) { return false; }
    memcpy(fields->word, word, strlen(word) + 1);
    return true;
}

// Which fields are given. A target that an object has need not be said.
static bool check_fields(fr_json_reader *r, fr_json_value token, const fr_json_value *values, fr_task_text *out) {
    uint32_t given = 0;
    for (int i = 0; i < TASK_KEYS; i++) {
        if (values[i] == FR_JSON_NONE || field_of[i] == 0) { continue; }
        given |= field_of[i];
        bool is_known =
            ((out->skill->needs | out->skill->takes | FR_FIELD_OBJECT | FR_FIELD_FRAMES) & field_of[i]) != 0;
        if (!is_known) {
            return fr_json_fail(r, fr_json_key(values[i]), FR_ERROR_ARGUMENT, "'%s' takes no '%s'", out->skill->name,
                                task_fields[i].key);
        }
    }
    uint32_t by_object = (given & FR_FIELD_OBJECT) != 0 ? FR_FIELD_TARGET : 0;
    uint32_t missing = out->skill->needs & ~(given | by_object);
    for (uint32_t bit = 0; bit < FR_FIELD_COUNT; bit++) {
        if ((missing >> bit & 1u) == 0) { continue; }
        return fr_json_fail(r, token, FR_ERROR_ARGUMENT, "'%s' needs '%s'", out->skill->name,
                            fr_skill_field_name(1u << bit));
    }
    out->fields.given = given & ~(FR_FIELD_OBJECT | FR_FIELD_CLIP);
    return true;
}

bool fr_task_read(fr_json_reader *reader, fr_json_value value, fr_task_text *out) {
    fr_json_value values[TASK_KEYS];
    memset(out, 0, sizeof *out);
    bool right = fr_json_read_object(reader, value, "a task", task_fields, TASK_KEYS, values) &&
                 read_skill(reader, values[TASK_SKILL], &out->skill) && check_fields(reader, value, values, out) &&
                 fr_json_read_fields(reader, values, task_fields, TASK_KEYS, out);
    if (right && values[TASK_TARGET] != FR_JSON_NONE) {
        right = read_pose(reader, values[TASK_TARGET], "target", &out->fields.target);
    }
    if (right && values[TASK_GOAL] != FR_JSON_NONE) {
        right = read_pose(reader, values[TASK_GOAL], "goal", &out->fields.goal);
    }
    if (right && values[TASK_POSES] != FR_JSON_NONE) { right = read_poses(reader, values[TASK_POSES], &out->fields); }
    if (right && values[TASK_WORD] != FR_JSON_NONE) { right = read_word(reader, values[TASK_WORD], &out->fields); }
    out->fields.heading = fr_radians(out->fields.heading);
    return right;
}

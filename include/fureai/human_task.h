// Fureai human: a task written as JSON, as scenes and scripts have it.
#ifndef FUREAI_HUMAN_TASK_H
#define FUREAI_HUMAN_TASK_H

#include "human_skill.h"
#include "json.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_TASK_NAME_MAX_BYTES 255 // of an object or a clip

// A task as it was read. What it points to is in the arena of the reader.
typedef struct fr_task_text {
    const fr_skill *skill;
    fr_skill_fields fields; // without FR_FIELD_OBJECT and FR_FIELD_CLIP, which the two names below stand for
    uint32_t start;         // frames
    const char *object;     // name of the object in whose frame target, goal and poses are; NULL: the world
    const char *clip;       // name of a clip; NULL: none
} fr_task_text;

// Reads a task: {"skill": "walk", "goal": [1, 0, 2], "heading_deg": 90}. Keys are `skill`, those of
// fr_skill_field_name, and `start`; a pose is [x, y, z] or {"position": [x, y, z], "rotation": [w, x, y, z]}, where
// "axis_angle_deg": [x, y, z, degrees] may stand for the rotation. False, with the place in the reader's error, for a
// key that the skill does not take, one that it needs and does not have, a skill or word that is none (with the one
// that may have been meant), and numbers that are out of their range.
FR_API bool fr_task_read(fr_json_reader *reader, fr_json_value value, fr_task_text *out);

#ifdef __cplusplus
}
#endif

#endif

// Values that several files have: vectors, colors, and what a joint lets move. Room library reads its files
// by them, too.
#ifndef FUREAI_SCENE_SCENE_VALUE_H
#define FUREAI_SCENE_SCENE_VALUE_H

#include "fureai/json.h"
#include "fureai/scene.h"

// Three numbers; none leaves `out` as it is.
bool fr__scene_read_vector(fr_json_reader *reader, fr_json_value token, const char *what, fr_json_range range,
                           fr_vec3 *out);

// Three numbers that are not all zero, made a unit vector; none leaves `out` as it is.
bool fr__scene_read_direction(fr_json_reader *reader, fr_json_value token, const char *what, fr_vec3 *out);

// A field of three numbers within +-high, to the vector `member` of a struct.
#define FR__SCENE_VECTOR(name, type_name, member, high)                                                                \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBERS, .offset = offsetof(type_name, member), .range = {-(high), high},      \
        .count = 3                                                                                                     \
    }

// A color of three whole numbers; none leaves `out` as it is.
bool fr__scene_read_color(fr_json_reader *reader, fr_json_value token, fr_color *out);

// Whether a file is of version 1, by its key "fureai".
bool fr__scene_read_version(fr_json_reader *reader, fr_json_value token);

// A joint but for its objects: kind, axis, limits, pitch and value. With `ends` the keys 'parent' and 'child' are known
// and their values written there, child being required; else they are refused. The joint's position is unchanged where
// the file gives none.
typedef struct fr__scene_joint_ends {
    fr_json_value parent, child; // parent may be FR_JSON_NONE
} fr__scene_joint_ends;

bool fr__scene_read_joint(fr_json_reader *reader, fr_json_value token, fr__scene_joint_ends *ends, fr_scene_joint *out);

#endif

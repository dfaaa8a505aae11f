// Everything that changes a space, as data. The one table of operations drives the recorder, the player and the tests.
#ifndef FUREAI_SPACE_OPERATION_H
#define FUREAI_SPACE_OPERATION_H

#include "fureai/space.h"
#include "space/codec.h"

// Name and description. The number of an operation in a record is its row here, so new ones go to the end. The first
// five describe what a space held before its recording began.
#define FR__OPERATION_TABLE(X)                                                                                         \
    X(MESH, "a mesh that objects are made of")                                                                         \
    X(HOLE, "a place of an object that is not used")                                                                   \
    X(PLACE, "generation and versions of an object's place")                                                           \
    X(JOINT_HOLE, "a place of a joint that is not used")                                                               \
    X(JOINT_PLACE, "generation of a joint's place")                                                                    \
    X(OBJECT_ADD, "fr_object_add")                                                                                     \
    X(OBJECT_REMOVE, "fr_object_remove")                                                                               \
    X(SET_POSE, "fr_object_set_pose")                                                                                  \
    X(SET_NEXT, "fr_object_set_next")                                                                                  \
    X(SET_MOTION, "fr_object_set_motion")                                                                              \
    X(SET_FILTER, "fr_object_set_filter")                                                                              \
    X(SET_FLAGS, "fr_object_set_flags")                                                                                \
    X(SET_VERTICES, "fr_object_set_vertices")                                                                          \
    X(JOINT_ADD, "fr_joint_add")                                                                                       \
    X(JOINT_REMOVE, "fr_joint_remove")                                                                                 \
    X(JOINT_SET, "fr_joint_set")                                                                                       \
    X(COMMIT, "fr_space_commit")                                                                                       \
    X(UPDATE, "fr_space_update")                                                                                       \
    X(SET_NEXT_VERTICES, "fr_object_set_next_vertices")                                                                \
    X(SKIN, "a skin that parts of objects have")                                                                       \
    X(SET_SKIN, "fr_object_set_skin")                                                                                  \
    X(SET_BONES, "fr_object_set_bones")                                                                                \
    X(SET_NEXT_BONES, "fr_object_set_next_bones")

typedef enum fr__operation_kind {
#define FR__OPERATION_VALUE(name, text) FR__OPERATION_##name,
    FR__OPERATION_TABLE(FR__OPERATION_VALUE)
#undef FR__OPERATION_VALUE
        FR__OPERATION_COUNT
} fr__operation_kind;

// A part of an object that is added.
typedef struct fr__operation_part {
    uint32_t mesh; // the mesh's number in the record
    fr_pose pose;
} fr__operation_part;

// One operation. Fields that its kind does not need are zero.
typedef struct fr__operation {
    fr__operation_kind kind;
    fr_object_id object;
    fr_joint_id joint_id;
    fr_pose pose; // the pose of SET_POSE, the next pose of SET_NEXT, the end of SET_MOTION
    fr_motion motion;
    fr_filter filter;
    uint32_t flags;
    const fr_vec3 *vertices;
    uint32_t vertex_count;
    const fr_pose *bones;
    uint32_t bone_count;
    uint32_t part;                   // of SET_SKIN
    uint32_t method;                 // of SET_SKIN
    fr_object_def def;               // of OBJECT_ADD, without its parts
    const fr__operation_part *parts; // def.part_count of them
    fr_joint joint;
    uint32_t index;      // of a place, or number of a mesh or skin
    uint32_t generation; // of a place
    fr_versions versions;
    const void *bytes; // of a cooked mesh, or of a skin
    uint64_t byte_count;
} fr__operation;

// The name of the recorded function, or the description in the table.
const char *fr__operation_text(fr__operation_kind kind);

// Writes or reads the fields that the operation's kind needs. Arrays that were read are valid until the codec is used
// again.
void fr__operation_code(fr__codec *codec, fr__operation *operation);

#endif

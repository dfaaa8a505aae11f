// Everything that changes a world beside its space, as data. The one table drives recorder, player and tests.
//
// A record of a world is 8 magic bytes, the version, and then a record of its space, with operations of the world
// between those of the space. Their numbers begin where those of a space never come.
#ifndef FUREAI_WORLD_OPERATION_H
#define FUREAI_WORLD_OPERATION_H

#include "fureai/world.h"
#include "space/codec.h"

#define FR__WORLD_RECORD_VERSION 1u
#define FR__WORLD_RECORD_MAGIC "FRWORLD\n" // 8 bytes without the terminating 0
#define FR__WORLD_OPERATION_FIRST 0x10000u

// Name and description. The number of an operation in a record is its row here, so new ones go to the end. KNOWN, HOLD,
// TOUCH, TOUCHES, FACE_TOUCH and FACE_TOUCHES stand for what cannot be done by calls: what a world was before its
// recording began, and what it was after a tick whose sensing was stopped.
#define FR__WORLD_OPERATION_TABLE(X)                                                                                   \
    X(BEGIN, "how the world senses and counts")                                                                        \
    X(KNOWN, "the object that was reported as added")                                                                  \
    X(HOLD, "the hold of an object, and the input that waits")                                                         \
    X(TOUCHES, "the touches that follow take the place of those that are")                                             \
    X(TOUCH, "two objects that touch")                                                                                 \
    X(SET_LABEL, "fr_world_set_label")                                                                                 \
    X(SET_STATE, "fr_world_set_state")                                                                                 \
    X(INPUT, "fr_world_drag")                                                                                          \
    X(RELEASE, "fr_world_let_go")                                                                                      \
    X(RESUME, "fr_world_resume")                                                                                       \
    X(SET_TICK, "fr_world_set_tick")                                                                                   \
    X(TICK, "fr_world_tick, after its step was taken")                                                                 \
    X(HASH, "what the snapshot of the tick said")                                                                      \
    X(SENSE, "the world senses over its steps")                                                                        \
    X(STEP, "the step of the tick that follows was sensed")                                                            \
    X(FACE_TOUCHES, "the face touches that follow take the place of those that are")                                   \
    X(FACE_TOUCH, "two faces that touch")                                                                              \
    X(REMOVE_STATE, "fr_world_remove_state")

typedef enum fr__world_operation_kind {
#define FR__WORLD_OPERATION_VALUE(name, text) FR__WORLD_##name,
    FR__WORLD_OPERATION_TABLE(FR__WORLD_OPERATION_VALUE)
#undef FR__WORLD_OPERATION_VALUE
        FR__WORLD_OPERATION_COUNT
} fr__world_operation_kind;

// One operation. Fields that its kind does not need are zero.
typedef struct fr__world_operation {
    fr__world_operation_kind kind;
    fr_object_id object;

    // BEGIN.
    double step, margin;
    uint32_t want;
    uint64_t budget, sequence;

    uint64_t tick;          // of BEGIN and SET_TICK
    uint64_t last_id;       // of touches: BEGIN, TOUCHES and FACE_TOUCHES
    uint32_t index;         // KNOWN: the place
    uint32_t hold;          // HOLD
    uint32_t reported_hold; // HOLD
    uint32_t is_set; // HOLD: an input waits; SET_STATE: it is still to be reported; TICK: paused; HASH: it is valid
    fr_pose pose;    // HOLD, INPUT

    // SET_LABEL, SET_STATE and REMOVE_STATE, `value` also when a FACE_TOUCH began. What is read is not terminated.
    const void *text;
    uint32_t text_bytes;
    uint32_t color;
    double value;

    // TOUCH and FACE_TOUCH.
    fr_object_id other;
    uint64_t id, since;
    uint32_t relation;
    uint32_t triangle_a, triangle_b;

    // TICK: limits, corrections and handling, which a replay cannot derive.
    const fr_event *events;
    uint32_t event_count;

    uint64_t hash;
} fr__world_operation;

static inline uint32_t fr__color_word(fr_color color) {
    return (uint32_t)color.r | (uint32_t)color.g << 8 | (uint32_t)color.b << 16 | (uint32_t)color.a << 24;
}

static inline fr_color fr__word_color(uint32_t word) {
    fr_color color = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    return color;
}

const char *fr__world_operation_text(fr__world_operation_kind kind);

// Writes or reads the fields that the operation's kind needs. Arrays that were read are valid until the codec is used
// again.
void fr__world_operation_code(fr__codec *codec, fr__world_operation *operation);

#endif

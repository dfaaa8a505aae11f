// The messages between a host and a plug-in, to bytes and back: INIT and STEP to the plug-in, READY and FRAME from it.
// Any bytes are safe to read: what is no message is a status with a sentence.
#ifndef FUREAI_ACT_MESSAGE_H
#define FUREAI_ACT_MESSAGE_H

#include "fureai/act_plug_in.h"
#include "fureai/human_object.h"
#include "fureai/json.h"

#define FR__PLUG_ERROR_BYTES 192u

// How messages follow one another. In lines a message is a JSON text up to a line feed. In frames it is a u32 of its
// bytes, little endian, and that many bytes: a JSON text, or for STEP and FRAME doubles, little endian, and a JSON text
// or nothing behind them. A double that is a count of frames never begins with the byte of "{".
typedef enum fr__plug_form { FR__PLUG_LINES, FR__PLUG_FRAMES } fr__plug_form;

// What INIT says. Written from the host's own things; read into an arena.
typedef struct fr__plug_task {
    const char *human, *skill, *target, *data;
    const fr_skeleton *skeleton; // NULL: the one of the motion before
    fr_posture body;
    fr_skill_fields fields; // `clip` is not sent: it is read from the file `data`
    double rate;
    double walk_speed; // of the body's walk set, metres a second; 0: it cannot walk
    uint64_t person;
    bool is_binary;                   // binary frames are offered
    const fr_plug_in_object *objects; // not read back
    uint32_t object_count;
    const fr_plug_in_parameter *parameters; // not read back
    uint32_t parameter_count;
} fr__plug_task;

typedef struct fr__plug_ready {
    uint32_t frames;                  // planned; 0: until it is stopped
    bool is_again;                    // another INIT may come in place of STOP
    bool is_binary;                   // frames are binary from now on
    char error[FR__PLUG_ERROR_BYTES]; // "": none
} fr__plug_ready;

typedef struct fr__plug_step {
    uint32_t frame;
    fr_posture body;
    fr_pose target;
    const fr_plug_in_object *objects; // that moved; not read back
    uint32_t object_count;
} fr__plug_step;

typedef struct fr__plug_event {
    char name[FR_MAX_EVENT_NAME + 1];
    bool is_target; // it names the target
    double numbers[2];
} fr__plug_event;

typedef struct fr__plug_frame {
    uint32_t frame;
    fr_posture posture; // the memory of the turns is the caller's
    double *weights;    // likewise, posture.count + 1
    bool is_done;
    fr__plug_event events[FR_MAX_SKILL_EVENTS];
    uint32_t event_count;
    char error[FR__PLUG_ERROR_BYTES]; // why it cannot go on; "": it can
} fr__plug_frame;

// ---------------------------------------------------------------------------------------------------------------
// Writing: each appends one message, with what is around it in its form. FR_ERROR_MEMORY, FR_ERROR_LIMIT.

fr_status fr__plug_write_init(const fr__plug_task *task, fr__plug_form form, fr_byte_array *out, fr_error *error);
fr_status fr__plug_write_ready(const fr__plug_ready *ready, fr__plug_form form, fr_byte_array *out, fr_error *error);
fr_status fr__plug_write_step(const fr__plug_step *step, fr__plug_form form, fr_byte_array *out, fr_error *error);
fr_status fr__plug_write_frame(const fr__plug_frame *frame, const char *target, fr__plug_form form, fr_byte_array *out,
                               fr_error *error);
fr_status fr__plug_write_stop(fr__plug_form form, fr_byte_array *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Reading

typedef enum fr__plug_kind {
    FR__PLUG_NONE, // no whole message is there
    FR__PLUG_INIT,
    FR__PLUG_READY,
    FR__PLUG_STEP,
    FR__PLUG_FRAME,
    FR__PLUG_STOP
} fr__plug_kind;

// A message that was found in bytes.
typedef struct fr__plug_message {
    const unsigned char *bytes; // without what is around it
    size_t size;
    size_t whole_bytes; // with it
    bool is_text;       // JSON; else doubles come first
} fr__plug_message;

// Finds the first message in `size` bytes of a form; `whole_bytes` is 0 where it has not come whole. FR_ERROR_LIMIT for
// one above FR_PLUG_IN_MAX_MESSAGE_BYTES.
fr_status fr__plug_find(const void *bytes, size_t size, fr__plug_form form, fr__plug_message *out, fr_error *error);

// The kind of a JSON message; FR_ERROR_SYNTAX for what is none. `json` is the caller's to destroy.
fr_status fr__plug_parse(const fr__plug_message *message, const fr_allocator *allocator, fr_json **json,
                         fr__plug_kind *kind, fr_error *error);

// Checks a turn or a pose that came: fr_quat_normalize and fr_pose_check, but for the rounding of skills, which stays.
fr_status fr__plug_check_turn(fr_quat *turn, fr_error *error);
fr_status fr__plug_check_pose(fr_pose *pose, fr_error *error);

fr_status fr__plug_read_ready(const fr_json *json, fr__plug_ready *out, fr_error *error);

// Reads INIT; arrays and texts are in the arena. `before` is the skeleton of the motion before, or NULL. The skeleton
// of the task is the caller's to release; of the fields a clip is, too.
fr_status fr__plug_read_init(const fr_json *json, const fr_skeleton *before, fr_arena *arena, fr__plug_task *out,
                             fr_error *error);

// Reads STEP and FRAME of a body with `out->body.count`, `out->posture.count` links, which are the caller's memory.
// FRAME: `target` is the id of the target.
fr_status fr__plug_read_step(const fr__plug_message *message, const fr_json *json, fr__plug_step *out, fr_error *error);
fr_status fr__plug_read_frame(const fr__plug_message *message, const fr_json *json, const char *target,
                              const fr_allocator *allocator, fr__plug_frame *out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Skills of objects: message_object.c. Their messages are lines.

// INIT (frame 0) or STEP. The texts are of INIT, and not read back.
typedef struct fr__plug_object {
    uint32_t frame;
    fr_object_input input;
    const char *skill, *object, *data;
    const fr_plug_in_parameter *parameters;
    uint32_t parameter_count;
} fr__plug_object;

typedef struct fr__plug_object_frame {
    uint32_t frame;
    fr_object_output output; // names of events that were read are to be pointed to `names`
    char names[FR_MAX_OBJECT_EVENTS][FR_MAX_EVENT_NAME + 1];
    char error[FR__PLUG_ERROR_BYTES]; // why it cannot go on; "": it can
} fr__plug_object_frame;

fr_status fr__plug_write_object(const fr__plug_object *message, fr_byte_array *out, fr_error *error);
fr_status fr__plug_write_object_frame(const fr__plug_object_frame *frame, fr_byte_array *out, fr_error *error);
fr_status fr__plug_read_object(const fr_json *json, fr__plug_object *out, fr_error *error);
fr_status fr__plug_read_object_frame(const fr_json *json, fr__plug_object_frame *out, fr_error *error);

#endif

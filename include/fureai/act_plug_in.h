// Fureai act, plug-ins: programs outside that move people, as skills of a performer. Library libfureai-world.
//
// A plug-in is a program that moves a person, in any language: it reads messages from its standard input and writes to
// its standard output, one JSON text a line, or binary frames where both sides agree (docs/act_plug_in.md). Plug-ins
// are looked up in one folder. Each runs in a process group of its own with its three pipes alone, within limits of
// processor time, memory and files, and dies with the program that started it. For a performer a plug-in is a skill as
// any other; one that hangs, floods or dies ends its own motion and no other.
#ifndef FUREAI_ACT_PLUG_IN_H
#define FUREAI_ACT_PLUG_IN_H

#include "human_object.h"
#include "human_skill.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Plug-ins: the folder and its processes

#define FR_PLUG_IN_VERSION 1u
#define FR_PLUG_IN_NAME_MAX_BYTES 63u           // letters, digits, "_", "-" and ".", not first
#define FR_PLUG_IN_MAX_MESSAGE_BYTES (1u << 24) // of one message
#define FR_PLUG_IN_MAX_PROCESSES 1024u
#define FR_PLUG_IN_MAX_LATE 10u      // steps in a row that end a motion
#define FR_PLUG_IN_MAX_OBJECTS 4096u // of the world that a plug-in sees

typedef struct fr_plug_ins_def {
    const char *folder;   // of the programs; copied
    const char *launcher; // the program that sets the limits; NULL, the default: fureai-launch beside this program, in
                          // libexec/fureai beside its folder, or where it was installed
    uint32_t max_processes; // at once, 1 .. FR_PLUG_IN_MAX_PROCESSES; default 64
    uint32_t max_warm;      // processes that wait for their next motion; default 16
    double step_seconds;    // a frame is due within; default 0.1
    double ready_seconds;   // the first reply is due within; default 5
    uint32_t cpu_seconds;   // of the processor, of one process; default 3600
    uint64_t memory_bytes;  // of one process, address space; default 1 GiB
    uint32_t files;         // that a process may have open; default 32
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_plug_ins_def
} fr_plug_ins_def;

FR_API fr_plug_ins_def fr_default_plug_ins_def(void);

// The plug-ins of a folder. Exclusive: one thread at a time makes and destroys plug-ins; plug-ins themselves may be
// used side by side. The thread that makes a plug-in must outlive its process: some systems end the process with it.
typedef struct fr_plug_ins fr_plug_ins;

// FR_ERROR_ARGUMENT for numbers outside their limits, FR_ERROR_FILE where there is no such folder or launcher,
// FR_ERROR_MEMORY.
FR_API fr_status fr_plug_ins_create(const fr_plug_ins_def *def, fr_plug_ins **out, fr_error *error);

// Ends all processes, with 0.1 s to do so by themselves. All plug-ins must be destroyed before. NULL is ignored.
FR_API void fr_plug_ins_destroy(fr_plug_ins *plug_ins);

// Ends processes whose time to end by themselves is over; making and destroying plug-ins does so, too.
FR_API void fr_plug_ins_sweep(fr_plug_ins *plug_ins);

// Whether there is a program of a name in the folder now; it may be one that cannot be run.
FR_API bool fr_plug_ins_has(const fr_plug_ins *plug_ins, const char *name);

typedef struct fr_plug_ins_state {
    uint32_t processes;       // that run
    uint32_t warm;            // of these, that wait for their next motion
    uint64_t started, reused; // processes started, and motions that found a warm one
} fr_plug_ins_state;

FR_API fr_plug_ins_state fr_plug_ins_get(const fr_plug_ins *plug_ins);

// ---------------------------------------------------------------------------------------------------------------
// One plug-in: a process that does one motion

typedef struct fr_plug_in_parameter {
    const char *key, *value; // texts
} fr_plug_in_parameter;

typedef struct fr_plug_in_def {
    const char *name;   // of the program in the folder
    const char *human;  // id of the person; default ""
    const char *target; // id of the object of the fields, for messages; default ""
    const char *data;   // name of a file with motion data, for programs that read it; default ""
    bool is_lockstep;   // a step waits for its frame, so that results depend on no clock; default false: a frame is
                        // taken when it has come, one step later
    bool is_binary;     // binary frames are offered; default true
    const fr_plug_in_parameter *parameters; // copied; may be NULL
    uint32_t parameter_count;
    uint32_t cookie; // set by fr_default_plug_in_def
} fr_plug_in_def;

FR_API fr_plug_in_def fr_default_plug_in_def(void);

typedef struct fr_plug_in fr_plug_in;

// Starts the program, or takes a process of it that waits. Texts are copied. FR_ERROR_FILE for a program that is not
// there or cannot be run, FR_ERROR_ARGUMENT for a name that is none, FR_ERROR_LIMIT for too many processes,
// FR_ERROR_SYSTEM, FR_ERROR_MEMORY.
FR_API fr_status fr_plug_in_create(fr_plug_ins *plug_ins, const fr_plug_in_def *def, fr_plug_in **out, fr_error *error);

// Ends the motion: the process waits for its next one where it can, else it is stopped. NULL is ignored.
FR_API void fr_plug_in_destroy(fr_plug_in *plug_in);

// The plug-in as a skill, for one task of a performer; it lives as long as the plug-in. Its `init` sends what the task
// is; in lockstep it waits for the reply. Its `step` sends the body's posture and takes the frame that came; while none
// has come the last frame stands. It fails, and the task ends, where the plug-in says why it cannot go on, dies, sends
// what is no message, replies for another frame, or is late FR_PLUG_IN_MAX_LATE times in a row. A step takes no memory
// where frames are binary.
FR_API const fr_skill *fr_plug_in_skill(fr_plug_in *plug_in);

// One frame of a plug-in that is a skill of an object, in place of a row of fr_object_skill: `target` of its definition
// is the object. The first call sends the task, too. While no frame has come the last output stands, none at first.
// Names of events are to read until the next call. Fails as the skill of fr_plug_in_skill does; a plug-in does either.
FR_API fr_status fr_plug_in_step_object(fr_plug_in *plug_in, const fr_object_input *input, fr_object_output *output,
                                        fr_error *error);

// An object of the world as a plug-in sees it.
typedef struct fr_plug_in_object {
    const char *id;
    const char *class_name;
    fr_pose pose;
} fr_plug_in_object;

// What the next message shows of the world: all objects with the first, those that moved with a step. Copied.
// FR_ERROR_LIMIT above FR_PLUG_IN_MAX_OBJECTS, FR_ERROR_MEMORY.
FR_API fr_status fr_plug_in_show(fr_plug_in *plug_in, const fr_plug_in_object *objects, uint32_t count,
                                 fr_error *error);

typedef struct fr_plug_in_state {
    bool is_begun;      // the process was sent the task
    bool is_ready;      // and has replied to it
    bool is_planned;    // the task's `init` knew how many frames it takes
    uint32_t planned;   // frames that it takes, when it is ready; 0: until it is stopped
    bool is_late;       // the last frame stands because the newest did not come in time
    bool is_reused;     // the process did a motion before
    bool is_binary;     // frames are
    uint32_t frames;    // that were taken
    uint32_t late;      // steps that were late, in all
    uint64_t log_bytes; // that it wrote to its standard error
    int process;        // its id
} fr_plug_in_state;

FR_API fr_plug_in_state fr_plug_in_get(const fr_plug_in *plug_in);

// ---------------------------------------------------------------------------------------------------------------
// The other side: a program that is a plug-in

// Serves one skill on standard input and output until the other side says stop or closes: the main of a plug-in in C.
// `skill` is a row of the table (fr_skill_find). FR_ERROR_SYNTAX for what is no message, FR_ERROR_SYSTEM,
// FR_ERROR_MEMORY. It blocks.
FR_API fr_status fr_plug_in_serve(const fr_skill *skill, fr_error *error);

// The same for a skill of an object (fr_object_skill_find).
FR_API fr_status fr_plug_in_serve_object(const fr_object_skill *skill, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

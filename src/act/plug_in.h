// The inside of plug-ins, which their files share.
#ifndef FUREAI_ACT_PLUG_IN_PRIVATE_H
#define FUREAI_ACT_PLUG_IN_PRIVATE_H

#include "act/message.h"
#include "act/process.h"

// A process of a plug-in: at a motion, or waiting for its next one.
typedef struct fr__plug_process {
    fr__process process;
    char name[FR_PLUG_IN_NAME_MAX_BYTES + 1];
    fr__plug_form form;          // of what is sent to it and comes from it
    fr_byte_array inbox, outbox; // bytes that came and were not read; that wait to be sent
    size_t sent;                 // of the outbox
    const fr_skeleton *skeleton; // that it knows, retained; NULL: none
    uint64_t version;            // of the file of its program
    bool is_again;               // it takes another motion
    bool is_reused;              // it did one
    uint64_t end_ns;             // when it is killed, of one that was stopped; 0: it was not
    struct fr__plug_process *next;
} fr__plug_process;

struct fr_plug_ins {
    fr_plug_ins_def def;
    fr_allocator allocator;
    char folder[4096], launcher[4096];
    fr__plug_process *warm;   // the newest first
    fr__plug_process *ending; // were stopped, or killed and not reaped yet
    uint32_t process_count, warm_count;
    uint64_t started, reused;
};

struct fr_plug_in {
    fr_skill skill; // first: its functions find the plug-in by it
    fr_plug_ins *owner;
    fr_allocator allocator;
    fr__plug_process *process; // NULL: it has ended
    char *texts;               // that the definition points to, copied
    size_t text_bytes;
    fr_plug_in_def def;
    fr_plug_in_object *objects; // shown with the next message; their texts follow one another in object_texts
    uint32_t object_count, object_capacity;
    fr_byte_array object_texts;
    fr_plug_in_state state;
    fr__plug_frame frame;              // the last one
    fr_quat *turns;                    // of the frame
    uint32_t link_capacity;            // links that the memory of the frame is for
    uint32_t frame_count;              // of READY, else of the task; 0: until it is stopped
    uint32_t first_frame;              // of the performer, with its first step; 0: there was none yet
    bool is_object;                    // it is a skill of an object
    uint32_t object_frame;             // steps of that so far
    fr__plug_object_frame object_last; // the last one
    bool is_outstanding;               // a step was sent whose frame has not come
    bool is_waiting;                   // for READY
    uint32_t outstanding;              // its number
    uint64_t due_ns;                   // when the reply is late
    uint64_t closed_ns;                // when its input was seen closed; 0: it is open
    uint32_t late_row;                 // late steps in a row
};

// What becomes of a process after its motion: it waits for another one, ends by itself, or is killed.
typedef enum fr__plug_leave { FR__PLUG_KEEP, FR__PLUG_STOP_IT, FR__PLUG_KILL } fr__plug_leave;

// plug_ins.c: takes a process for a plug-in, and gives it back.
fr_status fr__plug_process_take(fr_plug_ins *owner, const char *name, fr__plug_process **out, fr_error *error);
void fr__plug_process_give(fr_plug_ins *owner, fr__plug_process *process, fr__plug_leave leave);

#endif

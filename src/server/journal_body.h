// The bodies of records of a journal as JSON, written and read.
#ifndef FUREAI_SERVER_JOURNAL_BODY_H
#define FUREAI_SERVER_JOURNAL_BODY_H

#include "server/store.h"

#include "fureai/actor.h"
#include "fureai/server_journal.h"

#define FR__JOURNAL_SCENE_BYTES 1023u   // of the name of a scene
#define FR__JOURNAL_TEXT_BYTES 65535u   // of any other text
#define FR__JOURNAL_BODY_BYTES 1048576u // of a body

// A command as a journal has it: objects by their names, so that it can be given again.
typedef struct fr__journal_command {
    uint64_t id;                               // of the command in the journal, from 1
    fr_command command;                        // `object` of it and of the fused ones is not set
    const char *objects[FR_COMMAND_MAX_FUSED]; // names, of the command and of each fused one; "": none
} fr__journal_command;

// A body that was read. Which part is set is as the kind says.
typedef struct fr__journal_body {
    const char *scene;           // SCENE
    const char *state;           // STATE: its name
    bool has_value;              // STATE
    double value;                // STATE
    bool is_held;                // LEASE
    uint64_t command_id;         // ENDED
    fr__journal_command command; // COMMAND
} fr__journal_body;

// Each appends a body to an array of bytes, with a zero at its end; false when there is no memory.
bool fr__journal_write_empty(fr_array *text);
bool fr__journal_write_start(fr_array *text);
bool fr__journal_write_scene(const char *scene, fr_array *text);
bool fr__journal_write_object(const fr__store *store, const fr__store_object *object, fr_array *text);
bool fr__journal_write_state(const char *name, double value, fr_array *text); // a value of NaN: it was removed
bool fr__journal_write_lease(bool is_held, fr_array *text);
bool fr__journal_write_command(const fr__journal_command *command, fr_array *text);
bool fr__journal_write_ended(uint64_t id, fr_status status, const char *message, fr_array *text);

// Reads the body of a record, which may be anything. An object of it is the last one of `objects`; other texts are in
// its arena. What is wrong is reported with line and column, under the name `path`.
fr_status fr__journal_read_body(const fr_journal_record *record, const char *path, fr__store *objects,
                                fr__journal_body *out, fr_error *error);

// Whether the body of a kind is an object.
bool fr__journal_has_object(fr_journal_kind kind);

#endif

// The world that the records of a journal make, one after another.
#ifndef FUREAI_SERVER_JOURNAL_STATE_H
#define FUREAI_SERVER_JOURNAL_STATE_H

#include "server/journal_body.h"

// What is known of an object.
typedef struct fr__journal_object {
    fr__store_object object; // its pose and bones; states are listed below
    const char *holder;      // name of the client that has the lease; NULL: none has
    size_t first_state;      // index + 1 of the last one that was made; 0: it has none
    uint32_t state_count;    //
    uint32_t next;           // index + 1 of the next one of the same place in the table; 0: none
    bool is_gone;            // it was removed
} fr__journal_object;

typedef struct fr__journal_value {
    const char *name;
    double value;
    size_t next; // index + 1 of the object's next one
    bool is_gone;
} fr__journal_value;

// What a scene was when another was opened.
typedef struct fr__journal_left {
    const char *scene;
    fr__store store; // its texts are the state's
} fr__journal_left;

FR_ARRAY_TYPE(fr__journal_left_array, fr__journal_left);
FR_ARRAY_TYPE(fr__journal_object_array, fr__journal_object);
FR_ARRAY_TYPE(fr__journal_value_array, fr__journal_value);
FR_ARRAY_TYPE(fr__journal_command_array, fr__journal_command);

typedef struct fr__journal_state {
    const char *path;  // for messages
    const char *scene; // NULL: no scene was opened yet
    uint64_t tick;     // of the last record
    uint64_t number;   // of the last record; 0: none came
    uint64_t last_id;  // the greatest of a command
    int64_t time_ms;   // of the last record
    fr__store texts;   // all that was read; bones are in it
    fr__journal_object_array objects;
    fr__journal_value_array values;
    fr__journal_command_array commands; // that have not ended, in their order
    fr__journal_left_array left;        // other scenes
    uint64_t worlds_number;             // of the last record of the last WORLDS; 0: none came
    int64_t worlds_ms;                  // of all of their records
    fr_uint32_array table;              // index + 1 of objects by the hash of their names
} fr__journal_state;

fr__journal_state fr__journal_state_make(const char *path, const fr_allocator *allocator);
void fr__journal_state_free(fr__journal_state *state);

// Forgets the worlds of other scenes.
void fr__journal_state_forget_left(fr__journal_state *state);

// Takes the next record. FR_ERROR_CORRUPT for one that does not follow the one before, and what is wrong with its body.
// A record about an object that a scene would have to bring is taken as it is.
fr_status fr__journal_state_take(fr__journal_state *state, const fr_journal_record *record, fr_error *error);

// The objects as a store, whose texts are the state's. Free it.
fr_status fr__journal_state_store(const fr__journal_state *state, fr__store *out, fr_error *error);

// Counts what there is, for a report.
void fr__journal_state_count(const fr__journal_state *state, fr_journal_report *out);

#endif

// What a hand's events of many trials are written to: a table, and the sound of the first trial.
#ifndef FUREAI_TOOL_ASSIST_LOG_H
#define FUREAI_TOOL_ASSIST_LOG_H

#include "output_file.h"

#include "fureai/hand.h"

typedef struct assist_log {
    output_file table;
    bool has_table;
    uint32_t subject, trial; // of the events that come, from 1
    const char *sound_path;  // NULL: none
    fr_hand_voice *voice;
    uint32_t rate;    // of the voice
    fr_array samples; // int16_t, left and right after one another
    bool is_silent;   // no memory for samples any more
} assist_log;

// Either path may be NULL. `mode` is what is heard.
fr_status assist_log_open(assist_log *log, const char *table_path, const char *sound_path, fr_aid_mode mode,
                          fr_error *error);

// An operator_event_fn with the log as context.
void assist_log_event(const fr_hand_event *event, void *context);

// Writes the files.
fr_status assist_log_commit(assist_log *log, fr_error *error);

// Drops what was not committed. All zeros may be closed, too.
void assist_log_close(assist_log *log);

#endif

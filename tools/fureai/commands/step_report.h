// The steps of a world as a command reports them: how many faces collide in each, what begins and ends, and from when
// to when each two faces are in contact.
//
// Contacts of faces are many: each is reported as soon as it has ended and then dropped. Steps, and what happens to
// whole objects, are few: a document has them at its end.
#ifndef FUREAI_TOOL_STEP_REPORT_H
#define FUREAI_TOOL_STEP_REPORT_H

#include "tool.h"

#include "fureai/world.h"

typedef struct step_report {
    tool *tool;
    fr_output_file *table;     // where contacts go as a table, too; NULL: nowhere
    bool each_step;            // a line a step in which objects touch, in place of one a pair of objects
    bool is_partial;           // it was stopped
    fr_step_log *log;          // of all that was reported
    const fr_snapshot *newest; // retained; NULL before the first step
    bool lacks_memory;
} step_report;

// The option of commands that report so.
#define EACH_STEP_OPTION                                                                                               \
    FLAG_OPTION("each-step", "Print a line for each step in which objects touch, with those that begin to and those "  \
                             "that end, in place of a summary.")

// Begins the report, and with --json the document. FR_ERROR_MEMORY. Free it, whatever the status.
fr_status step_report_begin(tool *t, fr_output_file *table, step_report *out, fr_error *error);
void step_report_free(step_report *report);

// Reports the newest snapshot of a world that follows its faces (FR_WANT_INTERVALS). A step whose sensing was stopped
// is not reported: false then, and the report is partial. FR_ERROR_MEMORY is reported at the end.
bool step_report_add(step_report *report, fr_world *world);

// The contacts that last, and the last line or the end of the document. FR_ERROR_MEMORY.
fr_status step_report_end(step_report *report, const fr_world *world, fr_error *error);

#endif

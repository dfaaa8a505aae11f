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
    output_file *table;        // where contacts go as a table, too; NULL: nowhere
    bool is_partial;           // it was stopped
    fr_sense sense;            // of the world
    double until;              // seconds: all up to here is reported
    double free_until;         // seconds: nothing collides before; of a partial report perhaps beyond `until`
    fr_array steps;            // step_row
    fr_array touches;          // touch_row
    fr_array changes;          // fr_event: all but those of touches
    uint64_t colliding;        // steps with pairs
    uint64_t most;             // pairs of one step
    uint64_t most_step;        // that step
    uint64_t begins, ends;     // of touches of objects
    uint64_t contacts;         // of faces, ended or not
    const fr_snapshot *newest; // retained; NULL before the first step
    bool lacks_memory;
} step_report;

// Begins the report, and with --json the document. Free it.
step_report step_report_begin(tool *t, output_file *table);
void step_report_free(step_report *report);

// Reports the newest snapshot of a world that follows its faces (FR_WANT_INTERVALS). A step whose sensing was stopped
// is not reported: false then, and the report is partial. FR_ERROR_MEMORY is reported at the end.
bool step_report_add(step_report *report, fr_world *world);

// The contacts that last, and the last line or the end of the document. FR_ERROR_MEMORY.
fr_status step_report_end(step_report *report, const fr_world *world, fr_error *error);

#endif

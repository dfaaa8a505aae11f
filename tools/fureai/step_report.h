// The steps of a world as a command prints them: what collides after each, and what happened in it.
#ifndef FUREAI_TOOL_STEP_REPORT_H
#define FUREAI_TOOL_STEP_REPORT_H

#include "tool.h"

#include "fureai/world.h"

typedef struct step_report {
    tool *tool;
    uint64_t steps;        // told so far
    uint64_t colliding;    // of these, with pairs
    uint64_t most;         // pairs after one step
    uint64_t most_tick;    // that step
    uint64_t begins, ends; // of touches
} step_report;

// Begins the report, and with --json the document's object and its array of steps.
step_report step_report_begin(tool *t);

// Tells the newest snapshot of a world.
void step_report_tell(step_report *report, fr_world *world);

// The last line, or the end of the document.
void step_report_end(step_report *report);

#endif

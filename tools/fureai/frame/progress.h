// A progress bar on standard error.
#ifndef FUREAI_TOOL_PROGRESS_H
#define FUREAI_TOOL_PROGRESS_H

#include "fureai/base.h"

typedef struct progress {
    bool wanted;         // false: nothing is ever drawn
    uint64_t started_ns; // when the command began
    uint64_t drawn_ns;   // when the bar was drawn last; 0: not yet
} progress;

// A bar that is drawn on a terminal that can redraw a line, unless `quiet`.
progress progress_begin(bool quiet);

// Draws the bar, at most 20 times a second, and not in the first fifth of a second: a short command shows none.
// `fraction` is taken into 0 .. 1; `stage` may be NULL.
void progress_show(progress *bar, double fraction, const char *stage);

// Clears the bar.
void progress_end(progress *bar);

#endif

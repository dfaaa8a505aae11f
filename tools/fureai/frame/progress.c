// The progress bar on standard error.
#include "progress.h"

#include "report.h"
#include "terminal.h"

#include "fureai/base_drawing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_MOST = 40, STAGE_BYTES = 64 };

static const uint64_t redraw_ns = 50 * 1000000ull;
static const uint64_t delay_ns = 200 * 1000000ull;

progress progress_begin(bool quiet) {
    return (progress){.wanted = !quiet && terminal_redraws(STDERR_FILENO), .started_ns = fr_clock_ns()};
}

// "stage [#####.....]  43 %", one column short of the terminal so that the line never wraps.
static void draw(double fraction, const char *stage) {
    char name[STAGE_BYTES];
    fr_utf8_repair(stage, name, sizeof name);
    int columns = terminal_columns(STDERR_FILENO) - 1;
    int room = columns - (int)fr_utf8_count(name) - (int)sizeof " [] 100 %";
    if (room > BAR_MOST) { room = BAR_MOST; }
    if (room < 0) { room = 0; }

    char bar[BAR_MOST + 1];
    int filled = (int)(fraction * room);
    memset(bar, '.', (size_t)room);
    memset(bar, '#', (size_t)filled);
    bar[room] = '\0';

    char line[STAGE_BYTES + BAR_MOST + 32];
    snprintf(line, sizeof line, "%s [%s] %3d %%", name, bar, (int)(fraction * 100.0));
    report_transient(line);
}

void progress_show(progress *bar, double fraction, const char *stage) {
    if (!bar->wanted) { return; }
    uint64_t now_ns = fr_clock_ns();
    if (now_ns - bar->started_ns < delay_ns) { return; }
    if (bar->drawn_ns != 0 && now_ns - bar->drawn_ns < redraw_ns) { return; }
    bar->drawn_ns = now_ns;

    if (!(fraction > 0.0)) { fraction = 0.0; }
    if (fraction > 1.0) { fraction = 1.0; }
    draw(fraction, stage != NULL ? stage : "working");
}

void progress_end(progress *bar) {
    if (bar->drawn_ns != 0) { report_transient(""); }
    bar->drawn_ns = 0;
}

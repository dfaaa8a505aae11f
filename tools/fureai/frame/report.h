// Everything that goes to standard error: messages that stay, and one line below them that is drawn over again.
#ifndef FUREAI_TOOL_REPORT_H
#define FUREAI_TOOL_REPORT_H

#include "fureai/base.h"

// The name of the program: "fureai" unless set, by a text that stays.
void report_set_program(const char *name);
const char *report_program(void);

// Writes the name of the program, ": " and the text as a line. Any thread.
void report(const char *format, ...) FR_PRINTF(1, 2);

// Writes a line as it is, but for control characters, which become '?': messages may quote hostile files. Any thread.
void report_line(const char *line);

// A hash of all lines so far: ranks of a cluster compare by it what they had to say.
uint64_t report_hash(void);

// Draws the transient line over the one before; "" clears it. Only where terminal_redraws(STDERR_FILENO).
void report_transient(const char *line);

// Sends the library's log here: errors always, warnings unless `quiet`, nothing below.
void report_log(bool quiet);

#endif

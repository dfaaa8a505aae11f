// Everything that goes to standard error: messages that stay, and one line below them that is drawn over again.
#ifndef FUREAI_TOOL_REPORT_H
#define FUREAI_TOOL_REPORT_H

#include "fureai/base.h"

// Writes "fureai: " and the text as a line. Any thread.
void report(const char *format, ...) FR_PRINTF(1, 2);

// Writes a line as it is, but for control characters, which become '?': messages may quote hostile files. Any thread.
void report_line(const char *line);

// Draws the transient line over the one before; "" clears it. Only where terminal_redraws(STDERR_FILENO).
void report_transient(const char *line);

// Sends the library's log here: errors always, warnings unless `quiet`, nothing below.
void report_log(bool quiet);

#endif

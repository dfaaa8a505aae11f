// What is known of the terminal behind a file descriptor.
#ifndef FUREAI_TOOL_TERMINAL_H
#define FUREAI_TOOL_TERMINAL_H

#include <stdbool.h>

// Columns to write in: the terminal's, within 40 .. 120, or 80 where there is no terminal.
int terminal_columns(int descriptor);

// True where a line can be drawn over again: a terminal that is not a dumb one.
bool terminal_redraws(int descriptor);

#endif

// The help texts, made from the tables of the commands.
#ifndef FUREAI_TOOL_HELP_H
#define FUREAI_TOOL_HELP_H

#include "command.h"
#include "output_file.h"

// "usage: " and the program's name with what follows it, for a command, or for the whole tool when `c` is NULL.
void help_usage_line(const command *c, char *text, size_t size);

#define HELP_OPTION_BYTES 1024

// What an option does, with its choices, limits and fallback.
void help_option_text(const option *row, char *text, size_t size);

// Writes the help of a command, or of the whole tool when `c` is NULL, in lines of at most `columns`.
void help_write(fr_output_file *out, const command_table *table, const command *c, int columns);

// Prints the same as the tool's result: text in the terminal's width, or a document with --json.
exit_status help_print(tool *t, const command *c);

#endif

// What systems want to know of the commands: the page of man, and how shells complete a line. Both are made from the
// tables that --help is made from.
#ifndef FUREAI_TOOL_MANUAL_H
#define FUREAI_TOOL_MANUAL_H

#include "command.h"
#include "output_file.h"

// The page fureai(1), for man.
void manual_write_page(fr_output_file *out, const command_table *table);

// How a shell completes names of commands, options and their choices, for one of MANUAL_SHELLS.
void manual_write_completion(fr_output_file *out, const command_table *table, const char *shell);

#define MANUAL_SHELLS "bash,fish,zsh"

#endif

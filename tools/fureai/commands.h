// The commands of fureai. A command is a file command_NAME.c and a line here; the list is alphabetical.
#ifndef FUREAI_TOOL_COMMANDS_H
#define FUREAI_TOOL_COMMANDS_H

#include "command.h"

#define COMMANDS(X) X(convert) X(help) X(info)

#define COMMANDS_DECLARE(name) extern const command command_##name;
COMMANDS(COMMANDS_DECLARE)
#undef COMMANDS_DECLARE

// The table of the program.
extern const command_table commands;

#endif

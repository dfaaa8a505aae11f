// The table of all commands.
#include "commands.h"

#define ENTRY(name) &command_##name,
static const command *const list[] = {COMMANDS(ENTRY)};
#undef ENTRY

const command_table commands = {COMMAND_LIST(list)};

// What this build of the tool is.
#ifndef FUREAI_TOOL_VERSION_H
#define FUREAI_TOOL_VERSION_H

#include "command.h"

// Prints the tool's and the library's version, the compiler, and the optional parts that are there.
exit_status version_print(tool *t);

#endif

// How the tool ends: the statuses that scripts rely on.
#ifndef FUREAI_TOOL_EXIT_STATUS_H
#define FUREAI_TOOL_EXIT_STATUS_H

typedef enum exit_status {
    EXIT_STATUS_DONE = 0,      // the result was printed, also when the result is no
    EXIT_STATUS_FAILED = 1,    // failed at run time: no memory, a full disk, stopped
    EXIT_STATUS_USAGE = 2,     // wrong usage
    EXIT_STATUS_BAD_INPUT = 3, // a file that cannot be opened, or that says something wrong
    EXIT_STATUS_CLASH = 4      // with --check: the check found clashes or a path that fails
} exit_status;

#endif

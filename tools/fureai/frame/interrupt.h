// Ctrl-C, and the system's other polite requests to end.
#ifndef FUREAI_TOOL_INTERRUPT_H
#define FUREAI_TOOL_INTERRUPT_H

#include <stdbool.h>

// From now on the first SIGINT, SIGTERM or SIGHUP is only noted, and the second ends the process at once. A signal
// that the parent had ignored stays ignored (nohup, background jobs of a shell). Writing to a closed pipe, or
// beyond the limit on the size of files, becomes an error of the write instead of a signal.
void interrupt_watch(void);

// True once a signal requested the end of the tool. Any thread.
bool interrupt_requested(void);

#endif

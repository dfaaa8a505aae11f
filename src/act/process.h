// A process with three pipes, in a group of its own, started through the launcher that sets its limits.
#ifndef FUREAI_ACT_PROCESS_H
#define FUREAI_ACT_PROCESS_H

#include "fureai/base.h"

typedef struct fr__process_limits {
    uint32_t cpu_seconds;
    uint64_t memory_bytes;
    uint32_t files;
} fr__process_limits;

typedef struct fr__process {
    int id;             // of the process and its group; 0: there is none
    int in, out, log;   // our ends: its standard input, output and error; -1: closed
    uint64_t log_bytes; // that it wrote to its standard error
    uint32_t log_lines; // of these, lines that were logged
} fr__process;

// Starts a program. FR_ERROR_SYSTEM. What is wrong with the program itself shows when it ends.
fr_status fr__process_start(const char *launcher, const char *program, const fr__process_limits *limits,
                            fr__process *out, fr_error *error);

// Kills it with all of its group and closes the pipes; false while its end has not come, see fr__process_reap.
bool fr__process_kill(fr__process *process);

// Whether the process has ended; *status is as of waitpid, and may be NULL. It is forgotten then.
bool fr__process_reap(fr__process *process, int *status);

// Writes as much as its pipe takes now; -1 where it does not read any more.
long fr__process_write(fr__process *process, const void *bytes, size_t size);

// Reads what has come, up to `size` bytes; 0: nothing, -1: it has closed its output.
long fr__process_read(fr__process *process, void *bytes, size_t size);

// Takes what it wrote to its standard error: the first lines go to the log, the rest is counted.
void fr__process_log(fr__process *process, const char *name);

// Whether it may still read: it has not closed its input.
bool fr__process_reads(const fr__process *process);

// What is waited for at the input of a process.
typedef enum fr__process_event {
    FR__PROCESS_NOTHING, // not its end either
    FR__PROCESS_CLOSES,
    FR__PROCESS_TAKES // or closes
} fr__process_event;

// Waits until it has written, or its input does what is waited for, for up to `wait_ns`.
void fr__process_wait(const fr__process *process, fr__process_event input, uint64_t wait_ns);

// Finds the launcher: beside this program, in libexec/fureai beside its folder, or where it was installed. False: none.
bool fr__launcher_find(char *path, size_t size);

#endif

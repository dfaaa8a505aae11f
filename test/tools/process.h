// Runs a program as a user would, and keeps what it printed.
#ifndef FUREAI_TEST_TOOLS_PROCESS_H
#define FUREAI_TEST_TOOLS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROCESS_TEXT_BYTES = 1 << 16 };

typedef struct process {
    pid_t id;
    int out_fd, err_fd; // our ends
    int status;         // the exit status; -n when signal n ended it
    char out[PROCESS_TEXT_BYTES];
    char err[PROCESS_TEXT_BYTES];
    size_t out_size, err_size;
} process;

// Where a program's outputs go.
typedef enum process_wiring {
    PROCESS_PIPES,         // both into pipes
    PROCESS_CLOSED_PIPE,   // standard output into a pipe that nobody reads
    PROCESS_FULL_DEVICE,   // standard output to /dev/full
    PROCESS_CLOSED_OUTPUT, // standard output is closed
    PROCESS_TERMINAL,      // standard error to a terminal of 60 columns
    PROCESS_TERMINAL_OUT   // standard output to one
} process_wiring;

// Starts argv[0] with default signals. False when that fails.
bool process_start(process *p, const char *const *argv, process_wiring wiring);

// Waits until standard error holds `text`; false when the program ended or 20 s passed.
bool process_wait_for(process *p, const char *text);

// The same of standard output.
bool process_wait_for_out(process *p, const char *text);

// Reads until the program's outputs are closed and takes its status.
void process_finish(process *p);

#endif

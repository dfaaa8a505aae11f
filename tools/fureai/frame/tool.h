// One run of the tool: what a command is given, and how it reports.
#ifndef FUREAI_TOOL_TOOL_H
#define FUREAI_TOOL_TOOL_H

#include "command.h"
#include "fields.h"
#include "fureai/json.h"
#include "output_file.h"
#include "progress.h"

#include "fureai/base.h"
#include "fureai/collide_exchange.h"

// What makes a program of the frame: fureai, or another one with some of its commands.
typedef struct tool_program {
    const char *name, *title;
    const command_table *table;
    const option *options; // that it has beside those of every command
    size_t option_count;
    void (*ready)(tool *t);      // called once the command line is read; may be NULL
    const fr_exchange *exchange; // the ranks that run it together, each in a process of its own; NULL: there are none
    int threads;                 // unless --threads says otherwise; 0: as many as there are processors
} tool_program;

struct tool {
    const command_table *table;
    const command *command;  // the one that runs; NULL before it is known
    options options;         // the global options and the command's
    char **arguments;        // the positional arguments
    int argument_count;      // as many as the command's table allows
    bool json;               // --json: the result is a document
    bool quiet;              // --quiet: no progress, no notes, no warnings
    int threads;             // --threads: 1 .. FR_MAX_WORKERS
    uint64_t memory;         // --memory: bytes that the reading of a model may hold; 0: not given
    const char *objects;     // --objects: the library of scenes; NULL: not given
    fr_control control;      // give it to every long call: progress bar and Ctrl-C
    fr_output_file out;      // standard output
    fr_json_writer document; // what --json writes
    bool has_document;       // tool_json was called
    bool is_part;            // tool_stopped was called
    progress bar;
    fr_task_pool *pool;          // made by tool_tasks
    const fr_exchange *exchange; // give it to every query that can be shared; NULL: there are no ranks
};

// The options that every command takes.
extern const option tool_global_options[];
extern const size_t tool_global_option_count;

// Runs a command line with the commands of `table` and returns the process's exit status.
exit_status tool_run(const command_table *table, int argc, char **argv);

// The same for another program. Of ranks the first alone prints and writes files.
exit_status tool_run_program(const tool_program *program, int argc, char **argv);

// The program that runs, or that was set last: fureai before that.
const tool_program *tool_running(void);

// Whether this process prints and writes what a command finds: the only one, or the first of its ranks.
bool tool_writes(const tool *t);

// ---------------------------------------------------------------------------------------------------------------
// Results

// Prints a result for a person to standard output; nothing with --json, so a command may always call it.
void tool_print(tool *t, const char *format, ...) FR_PRINTF(2, 3);

// The same for a name out of a file: what would steer a terminal is shown as '?'.
void tool_print_name(tool *t, const char *name);

// A coordinate or a time to print: what is left of rounding, below a billionth of its unit, is 0.
double tool_plain(double value);

// A length, depth or distance to print, with its unit. Below a nanometre it is 0 only where it is 0, else "under 1e-9
// m": a true contact or what is left of rounding; a double does not say which.
typedef struct tool_text {
    char text[40];
} tool_text;
tool_text tool_length(double metres);

// A place in metres, its coordinates as tool_plain gives them.
void tool_print_point(tool *t, fr_vec3 p);

// The document of --json, begun at the first call; NULL without --json. The command writes one whole value; the frame
// ends the document when the command returns DONE or CLASH and drops it otherwise. A document of up to 1 MiB is
// written only then; a larger one is streamed.
fr_json_writer *tool_json(tool *t);

// Prints a remark to standard error, unless --quiet.
void tool_note(tool *t, const char *format, ...) FR_PRINTF(2, 3);

// ---------------------------------------------------------------------------------------------------------------
// Failures: each prints why and returns the status that the command is to return

// The command line is wrong in a respect that the tables could not check.
exit_status tool_wrong_usage(tool *t, const char *format, ...) FR_PRINTF(2, 3);

// The input cannot be opened or is wrong: "FILE:LINE:COLUMN: what is wrong". An error that is not the input's fault
// (no memory, stopped) is treated as tool_failed does.
exit_status tool_bad_input(tool *t, const fr_error *error);

// Something went wrong at run time. FR_ERROR_STOPPED prints "stopped".
exit_status tool_failed(tool *t, const fr_error *error);

// The command was stopped, and what it has printed is a part that says so: prints "stopped". The document is ended as
// it stands.
exit_status tool_stopped(tool *t);

// ---------------------------------------------------------------------------------------------------------------
// Means

// FR_ERROR_FILE when an option of the command would overwrite the file, which is read. `user` is the tool.
fr_status tool_check_read(const char *path, void *user, fr_error *error);

// Reads a file, of at most `limit` bytes (0: any that fr_input_file_read takes), unless tool_check_read refuses it.
// Every input that the command line names is read by this.
fr_status tool_read(tool *t, const char *path, size_t limit, fr_input_file *out, fr_error *error);

// The same, of a plain file only where `is_plain`, as for a name that is not a person's.
fr_status tool_read_as(tool *t, const char *path, bool is_plain, size_t limit, fr_input_file *out, fr_error *error);

// Whether a path ends so, with something before it.
bool path_ends_with(const char *path, const char *ending);

// The task pool of --threads, made at the first call and kept until the command ends. On failure the tasks are empty
// (everything runs inline) and the error says why.
fr_status tool_tasks(tool *t, fr_tasks *out, fr_error *error);

#endif

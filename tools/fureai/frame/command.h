// What a command of the tool is.
#ifndef FUREAI_TOOL_COMMAND_H
#define FUREAI_TOOL_COMMAND_H

#include "exit_status.h"
#include "option.h"

typedef struct tool tool;

// A positional argument. Those that are optional or repeated come last.
typedef struct argument {
    const char *name; // as usage shows it: MODEL, OUT.obj
    const char *help; // one sentence
    bool optional;    // it may be left out
    bool repeated;    // it may be given several times
} argument;

// A line to try, and what it does.
typedef struct example {
    const char *line;
    const char *does;
} example;

typedef struct command {
    const char *name;
    const char *summary;     // one line, without a full stop
    const char *description; // paragraphs with an empty line between them; a line that begins with a blank stays as is
    const argument *arguments;
    size_t argument_count;
    const option *options;
    size_t option_count;
    const example *examples;
    size_t example_count;
    // Does the work. Results go through tool_print or tool_json, failures through the functions of tool.h that return
    // the status to return. Everything that was opened or allocated is closed before.
    exit_status (*run)(tool *t);
} command;

// The commands of a program, by name in alphabetical order.
typedef struct command_table {
    const command *const *commands;
    size_t count;
} command_table;

// For the pairs of pointer and count above: .options = COMMAND_LIST(rows).
#define COMMAND_LIST(array) (array), sizeof(array) / sizeof((array)[0])

// The command of that name, or NULL.
const command *command_find(const command_table *table, const char *name);

// The command that a mistyped name may mean, or NULL.
const char *command_suggest(const command_table *table, const char *name);

// Says what is wrong with the number of arguments into `problem`; false when it is right.
bool command_argument_problem(const command *c, int argument_count, char *problem, size_t size);

#endif

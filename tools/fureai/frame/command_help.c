// The command help.
#include "commands.h"
#include "help.h"
#include "tool.h"

static exit_status run(tool *t) {
    if (t->argument_count == 0) { return help_print(t, NULL); }

    const char *name = t->arguments[0];
    const command *c = command_find(t->table, name);
    if (c != NULL) { return help_print(t, c); }
    const char *meant = command_suggest(t->table, name);
    if (meant != NULL) { return tool_wrong_usage(t, "unknown command '%s'; did you mean '%s'?", name, meant); }
    return tool_wrong_usage(t, "unknown command '%s'; 'fureai help' lists them", name);
}

static const argument arguments[] = {
    {.name = "COMMAND", .help = "The command to explain; without it, the list of all.", .optional = true},
};

static const example examples[] = {
    {.line = "fureai help", .does = "Lists the commands."},
    {.line = "fureai --json help", .does = "The same for a program: names, usage, options with their defaults."},
};

const command command_help = {
    .name = "help",
    .summary = "explains what a command does and which options it takes",
    .description = "Prints the list of commands, or all about one of them. 'fureai COMMAND --help' prints the same.",
    .arguments = COMMAND_LIST(arguments),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

// The command help.
#include "commands.h"
#include "help.h"
#include "manual.h"
#include "tool.h"

static exit_status run(tool *t) {
    const char *shell = options_string(&t->options, "completion");
    if (shell != NULL || options_flag(&t->options, "man")) {
        if (t->json) { return tool_wrong_usage(t, "--man and --completion are texts, not JSON"); }
        if (shell != NULL) {
            manual_write_completion(&t->out, t->table, shell);
        } else {
            manual_write_page(&t->out, t->table);
        }
        return EXIT_STATUS_DONE;
    }
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

static const option help_options[] = {
    FLAG_OPTION("man", "Print the page fureai(1) for man, with all commands."),
    CHOICE_OPTION("completion", "SHELL", MANUAL_SHELLS, NULL,
                  "Print what lets a shell complete names of commands and options."),
};

static const example examples[] = {
    {.line = "fureai help", .does = "Lists the commands."},
    {.line = "source <(fureai help --completion bash)", .does = "Lets this shell complete commands and options."},
    {.line = "fureai --json help", .does = "The same for a program: names, usage, options with their defaults."},
};

const command command_help = {
    .name = "help",
    .summary = "explains what a command does and which options it takes",
    .description = "Prints the list of commands, or all about one of them. 'fureai COMMAND --help' prints the same.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(help_options),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

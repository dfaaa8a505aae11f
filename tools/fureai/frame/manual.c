// The page of man and the completions of shells, from the tables of commands.
#include "manual.h"

#include "help.h"
#include "report.h"
#include "tool.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The page of man

// Text for roff: no character of it is a request or an escape. A line that begins with a blank stays a line.
static void write_roff(fr_output_file *out, const char *text) {
    bool is_first = true;
    for (const char *c = text; *c != '\0'; c++) {
        if (is_first && *c == ' ') { fr_output_file_print(out, ".br\n"); }
        if (is_first && (*c == '.' || *c == '\'')) { fr_output_file_print(out, "\\&"); }
        if (is_first && *c == '\n') { fr_output_file_print(out, ".PP"); }
        is_first = *c == '\n';
        if (*c == '\\') {
            fr_output_file_print(out, "\\e");
        } else {
            fr_output_file_print(out, "%s%c", *c == '-' ? "\\" : "", *c);
        }
    }
    fr_output_file_print(out, "\n");
}

static void write_roff_options(fr_output_file *out, const option *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char help[HELP_OPTION_BYTES];
        help_option_text(&rows[i], help, sizeof help);
        bool has_value = rows[i].metavar != NULL;
        fr_output_file_print(out, ".TP\n.BI \"\\-\\-%s%s%s\"\n", rows[i].name, has_value ? " \" \"" : "",
                             has_value ? rows[i].metavar : "");
        write_roff(out, help);
    }
}

static void write_roff_command(fr_output_file *out, const command *c) {
    char usage[256];
    help_usage_line(c, usage, sizeof usage);
    fr_output_file_print(out, ".SH FUREAI %s\n", c->name);
    write_roff(out, usage);
    fr_output_file_print(out, ".PP\n");
    write_roff(out, c->description != NULL ? c->description : c->summary);
    for (size_t i = 0; i < c->argument_count; i++) {
        fr_output_file_print(out, ".TP\n.I %s\n", c->arguments[i].name);
        write_roff(out, c->arguments[i].help);
    }
    write_roff_options(out, c->options, c->option_count);
    for (size_t i = 0; i < c->example_count; i++) {
        fr_output_file_print(out, ".TP\n.B\n");
        write_roff(out, c->examples[i].line);
        write_roff(out, c->examples[i].does);
    }
}

void manual_write_page(fr_output_file *out, const command_table *table) {
    fr_version version = fr_get_version();
    const char *name = report_program();
    fr_output_file_print(out, ".TH FUREAI 1 \"\" \"Fureai %d.%d.%d\"\n", version.major, version.minor, version.patch);
    fr_output_file_print(out, ".SH NAME\n%s \\- ", name);
    write_roff(out, tool_running()->title);
    fr_output_file_print(out, ".SH SYNOPSIS\n.B %s\n.RI [ OPTIONS ]\n.I COMMAND\n.RI [ ARGUMENTS ]\n", name);
    fr_output_file_print(out, ".SH COMMANDS\n");
    for (size_t i = 0; i < table->count; i++) {
        fr_output_file_print(out, ".TP\n.B %s\n", table->commands[i]->name);
        write_roff(out, table->commands[i]->summary);
    }
    fr_output_file_print(out, ".SH OPTIONS OF EVERY COMMAND\n");
    write_roff_options(out, tool_running()->options, tool_running()->option_count);
    write_roff_options(out, tool_global_options, tool_global_option_count);
    for (size_t i = 0; i < table->count; i++) {
        write_roff_command(out, table->commands[i]);
    }
    fr_output_file_print(out, ".SH EXIT STATUS\n"
                              "0: done. 1: it failed at run time, or was stopped. 2: the command line is wrong. 3: an "
                              "input is wrong. 4: what --check forbids was found.\n");
}

// ---------------------------------------------------------------------------------------------------------------
// Bash

// Words with commas between them, with blanks.
static void write_choices(fr_output_file *out, const char *choices) {
    for (const char *c = choices; *c != '\0'; c++) {
        fr_output_file_print(out, "%c", *c == ',' ? ' ' : *c);
    }
}

static void write_bash_words(fr_output_file *out, const option *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fr_output_file_print(out, " --%s", rows[i].name);
    }
}

// The choices of options that take a value, after the names that lead to them.
static void write_bash_choices(fr_output_file *out, const char *owner, const option *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (rows[i].metavar == NULL) { continue; }
        fr_output_file_print(out, "    %s:--%s) choices=\"", owner, rows[i].name);
        write_choices(out, rows[i].choices != NULL ? rows[i].choices : "");
        fr_output_file_print(out, "\"; has_value=1 ;;\n");
    }
}

static void write_bash_command_names(fr_output_file *out, const command_table *table) {
    for (size_t i = 0; i < table->count; i++) {
        fr_output_file_print(out, " %s", table->commands[i]->name);
    }
}

// Which word is the command: the first that is neither an option nor the value of one.
static void write_bash_search(fr_output_file *out) {
    fr_output_file_print(
        out, "    for ((i = 1; i < COMP_CWORD; i++)); do\n        case $before:${COMP_WORDS[i]} in\n        ");
    for (size_t i = 0; i < tool_global_option_count; i++) {
        if (tool_global_options[i].metavar != NULL) {
            fr_output_file_print(out, "--%s:* | ", tool_global_options[i].name);
        }
    }
    fr_output_file_print(out, "*:-*) ;;\n"
                              "        *) command=${COMP_WORDS[i]}; break ;;\n"
                              "        esac\n"
                              "        before=${COMP_WORDS[i]}\n"
                              "    done\n");
}

// What it offers: the choices of the option before; else options after a dash; else names of commands, or files.
static void write_bash(fr_output_file *out, const command_table *table) {
    fr_output_file_print(out, "# Completion of fureai for bash.\n_fureai() {\n"
                              "    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]}\n"
                              "    local command='' before='' names='' options='' choices='' has_value='' i\n");
    write_bash_search(out);
    fr_output_file_print(out, "    case $command in\n    '' | help) names=\"");
    write_bash_command_names(out, table);
    fr_output_file_print(out, "\" ;;\n");
    for (size_t i = 0; i < table->count; i++) {
        const command *c = table->commands[i];
        if (c->option_count == 0) { continue; }
        fr_output_file_print(out, "    %s) options=\"", c->name);
        write_bash_words(out, c->options, c->option_count);
        fr_output_file_print(out, "\" ;;\n");
    }
    fr_output_file_print(out, "    esac\n    options+=\"");
    write_bash_words(out, tool_global_options, tool_global_option_count);
    fr_output_file_print(out, " --help\"\n    case $command:$last in\n");
    for (size_t i = 0; i < table->count; i++) {
        write_bash_choices(out, table->commands[i]->name, table->commands[i]->options,
                           table->commands[i]->option_count);
    }
    write_bash_choices(out, "*", tool_global_options, tool_global_option_count);
    fr_output_file_print(out, "    esac\n"
                              "    case $has_value:$word in\n"
                              "    1:*) names=$choices ;;\n"
                              "    :-*) names=$options ;;\n"
                              "    esac\n"
                              "    COMPREPLY=($(compgen -W \"$names\" -- \"$word\"))\n"
                              "}\n"
                              "complete -o default -F _fureai fureai\n");
}

// ---------------------------------------------------------------------------------------------------------------
// Fish and zsh

// Text between single quotes of a shell. Zsh's lists end at brackets and colons, which are left out there.
static void write_quoted(fr_output_file *out, const char *text, bool is_zsh) {
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            fr_output_file_print(out, is_zsh ? "'\\''" : "\\'");
        } else if (is_zsh && strchr("[]:\\", *c) != NULL) {
            fr_output_file_print(out, " ");
        } else {
            fr_output_file_print(out, "%c", *c == '\n' ? ' ' : *c);
        }
    }
}

// One line an option; `owner` NULL: of every command.
static void write_fish_options(fr_output_file *out, const char *owner, const option *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fr_output_file_print(out, "complete -c fureai");
        if (owner != NULL) { fr_output_file_print(out, " -n '__fish_seen_subcommand_from %s'", owner); }
        fr_output_file_print(out, " -l %s%s -d '", rows[i].name, rows[i].metavar != NULL ? " -r" : "");
        write_quoted(out, rows[i].help, false);
        fr_output_file_print(out, "'");
        if (rows[i].choices != NULL) {
            fr_output_file_print(out, " -f -a '");
            write_choices(out, rows[i].choices);
            fr_output_file_print(out, "'");
        }
        fr_output_file_print(out, "\n");
    }
}

static void write_fish(fr_output_file *out, const command_table *table) {
    fr_output_file_print(out, "# Completion of fureai for fish.\n");
    for (size_t i = 0; i < table->count; i++) {
        const command *c = table->commands[i];
        fr_output_file_print(out, "complete -c fureai -n __fish_use_subcommand -f -a %s -d '", c->name);
        write_quoted(out, c->summary, false);
        fr_output_file_print(out, "'\n");
        write_fish_options(out, c->name, c->options, c->option_count);
    }
    write_fish_options(out, NULL, tool_global_options, tool_global_option_count);
}

static void write_zsh_options(fr_output_file *out, const option *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fr_output_file_print(out, " \\\n            '--%s[", rows[i].name);
        write_quoted(out, rows[i].help, true);
        fr_output_file_print(out, "]");
        if (rows[i].choices != NULL) {
            fr_output_file_print(out, ":%s:(", rows[i].metavar);
            write_choices(out, rows[i].choices);
            fr_output_file_print(out, ")");
        } else if (rows[i].metavar != NULL) {
            fr_output_file_print(out, ":value:_files");
        }
        fr_output_file_print(out, "'");
    }
}

static void write_zsh(fr_output_file *out, const command_table *table) {
    fr_output_file_print(out,
                         "#compdef fureai\n_fureai() {\n    local state line\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; i < table->count; i++) {
        fr_output_file_print(out, "        '%s:", table->commands[i]->name);
        write_quoted(out, table->commands[i]->summary, true);
        fr_output_file_print(out, "'\n");
    }
    fr_output_file_print(out, "    )\n    _arguments -C");
    write_zsh_options(out, tool_global_options, tool_global_option_count);
    fr_output_file_print(out, " \\\n            '1:command:->command' '*::argument:->rest'\n"
                              "    case $state in\n    command) _describe command commands ;;\n"
                              "    rest)\n        case $words[1] in\n");
    for (size_t i = 0; i < table->count; i++) {
        fr_output_file_print(out, "        %s) _arguments", table->commands[i]->name);
        write_zsh_options(out, table->commands[i]->options, table->commands[i]->option_count);
        fr_output_file_print(out, " \\\n            '*:file:_files' ;;\n");
    }
    fr_output_file_print(out, "        esac ;;\n    esac\n}\n_fureai \"$@\"\n");
}

void manual_write_completion(fr_output_file *out, const command_table *table, const char *shell) {
    if (strcmp(shell, "fish") == 0) {
        write_fish(out, table);
    } else if (strcmp(shell, "zsh") == 0) {
        write_zsh(out, table);
    } else {
        write_bash(out, table);
    }
}

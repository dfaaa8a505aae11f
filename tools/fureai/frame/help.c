// The text of --help, laid out for the width of the terminal.
#include "help.h"

#include "paragraph.h"
#include "report.h"
#include "terminal.h"
#include "tool.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { INDENT = 2, NAME_COLUMNS = 26, EXAMPLE_INDENT = 6 };

// ---------------------------------------------------------------------------------------------------------------
// Pieces

static void append(char *text, size_t size, const char *more) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

void help_usage_line(const command *c, char *text, size_t size) {
    snprintf(text, size, "usage: %s ", report_program());
    if (c == NULL) {
        append(text, size, "[--json] [--quiet] [--threads N] COMMAND ...");
        return;
    }
    append(text, size, c->name);
    if (c->option_count > 0) { append(text, size, " [OPTIONS]"); }
    for (size_t i = 0; i < c->argument_count; ++i) {
        const argument *a = &c->arguments[i];
        append(text, size, a->optional ? " [" : " ");
        append(text, size, a->name);
        append(text, size, a->repeated ? "..." : "");
        append(text, size, a->optional ? "]" : "");
    }
}

static void write_heading(fr_output_file *out, const char *heading) { fr_output_file_print(out, "\n%s:\n", heading); }

void help_option_text(const option *row, char *text, size_t size) {
    char more[256] = "";
    snprintf(text, size, "%s", row->help);
    if (row->choices != NULL) { snprintf(more, sizeof more, " One of %s.", row->choices); }
    append(text, size, more);
    if (row->low != 0.0 || row->high != 0.0) {
        snprintf(more, sizeof more, " From %.15g to %.15g.", row->low, row->high);
        append(text, size, more);
    }
    if (row->fallback != NULL) {
        snprintf(more, sizeof more, " Default: %s.", row->fallback);
        append(text, size, more);
    }
}

static void write_options(fr_output_file *out, const option *rows, size_t count, int columns) {
    for (size_t i = 0; i < count; ++i) {
        char name[96];
        char text[HELP_OPTION_BYTES];
        snprintf(name, sizeof name, "--%s%s%s", rows[i].name, rows[i].metavar != NULL ? " " : "",
                 rows[i].metavar != NULL ? rows[i].metavar : "");
        help_option_text(&rows[i], text, sizeof text);
        paragraph_write_entry(out, name, text, INDENT, NAME_COLUMNS, columns);
    }
}

static void write_global_options(fr_output_file *out, int columns) {
    write_heading(out, "Options of every command");
    write_options(out, tool_running()->options, tool_running()->option_count, columns);
    write_options(out, tool_global_options, tool_global_option_count, columns);
    paragraph_write_entry(out, "--help", "Print this help and end.", INDENT, NAME_COLUMNS, columns);
}

// ---------------------------------------------------------------------------------------------------------------
// Pages

static void write_tool(fr_output_file *out, const command_table *table, int columns) {
    char usage[256];
    help_usage_line(NULL, usage, sizeof usage);
    char title[128];
    snprintf(title, sizeof title, "%s: %s", report_program(), tool_running()->title);
    paragraph_write(out, title, 0, columns);
    fr_output_file_print(out, "\n");
    paragraph_write(out, usage, 0, columns);

    write_heading(out, "Commands");
    for (size_t i = 0; i < table->count; ++i) {
        const command *c = table->commands[i];
        paragraph_write_entry(out, c->name, c->summary, INDENT, NAME_COLUMNS, columns);
    }
    write_global_options(out, columns);
    fr_output_file_print(out, "\n");
    char text[256];
    snprintf(text, sizeof text,
             "A file is written whole or not at all: when the disk is full or fails, the old file stays, and the exit "
             "status is 1. '%s help COMMAND' explains a command.",
             report_program());
    paragraph_write(out, text, 0, columns);
}

static void write_command(fr_output_file *out, const command *c, int columns) {
    char text[512];
    snprintf(text, sizeof text, "%s %s: %s", report_program(), c->name, c->summary);
    paragraph_write(out, text, 0, columns);
    fr_output_file_print(out, "\n");
    help_usage_line(c, text, sizeof text);
    paragraph_write(out, text, 0, columns);
    if (c->description != NULL) {
        fr_output_file_print(out, "\n");
        paragraph_write(out, c->description, 0, columns);
    }

    if (c->argument_count > 0) { write_heading(out, "Arguments"); }
    for (size_t i = 0; i < c->argument_count; ++i) {
        const argument *a = &c->arguments[i];
        paragraph_write_entry(out, a->name, a->help, INDENT, NAME_COLUMNS, columns);
    }
    if (c->option_count > 0) { write_heading(out, "Options"); }
    write_options(out, c->options, c->option_count, columns);
    write_global_options(out, columns);

    if (c->example_count > 0) { write_heading(out, "Examples"); }
    for (size_t i = 0; i < c->example_count; ++i) {
        fr_output_file_print(out, "%*s%s\n", INDENT, "", c->examples[i].line);
        paragraph_write(out, c->examples[i].does, EXAMPLE_INDENT, columns);
    }
}

void help_write(fr_output_file *out, const command_table *table, const command *c, int columns) {
    if (c == NULL) {
        write_tool(out, table, columns);
    } else {
        write_command(out, c, columns);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// As a document

static void document_options(fr_json_writer *j, const char *key, const option *rows, size_t count) {
    fr_json_write_key(j, key);
    fr_json_write_array(j);
    for (size_t i = 0; i < count; ++i) {
        fr_json_write_object(j);
        json_fields(j, "name", rows[i].name, "value", rows[i].metavar, "help", rows[i].help, "choices", rows[i].choices,
                    "default", rows[i].fallback);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void document_command(fr_json_writer *j, const command *c) {
    char usage[512];
    help_usage_line(c, usage, sizeof usage);
    fr_json_write_object(j);
    json_fields(j, "name", c->name, "summary", c->summary, "usage", usage + strlen("usage: "));
    document_options(j, "options", c->options, c->option_count);
    fr_json_write_object_end(j);
}

static void document_tool(fr_json_writer *j, const command_table *table) {
    fr_json_write_object(j);
    fr_json_write_key(j, "commands");
    fr_json_write_array(j);
    for (size_t i = 0; i < table->count; ++i) {
        document_command(j, table->commands[i]);
    }
    fr_json_write_array_end(j);
    document_options(j, "options", tool_global_options, tool_global_option_count);
    fr_json_write_object_end(j);
}

exit_status help_print(tool *t, const command *c) {
    fr_json_writer *j = tool_json(t);
    if (j == NULL) {
        help_write(&t->out, t->table, c, terminal_columns(STDOUT_FILENO));
    } else if (c == NULL) {
        document_tool(j, t->table);
    } else {
        document_command(j, c);
    }
    return EXIT_STATUS_DONE;
}

// Checks of the positional arguments of a command.
#include "command.h"

#include "fureai/base.h"

#include <stdio.h>
#include <string.h>

const command *command_find(const command_table *table, const char *name) {
    for (size_t i = 0; i < table->count; ++i) {
        if (strcmp(table->commands[i]->name, name) == 0) { return table->commands[i]; }
    }
    return NULL;
}

const char *command_suggest(const command_table *table, const char *name) {
    fr_suggestion s = fr_suggestion_begin(name);
    for (size_t i = 0; i < table->count; ++i) {
        fr_suggestion_offer(&s, table->commands[i]->name);
    }
    return s.best;
}

bool command_argument_problem(const command *c, int argument_count, char *problem, size_t size) {
    size_t given = (size_t)argument_count;
    for (size_t i = given; i < c->argument_count; ++i) {
        if (c->arguments[i].optional) { break; }
        snprintf(problem, size, "%s is missing", c->arguments[i].name);
        return true;
    }
    bool open_end = c->argument_count > 0 && c->arguments[c->argument_count - 1].repeated;
    if (given > c->argument_count && !open_end) {
        snprintf(problem, size, "too many arguments: %s takes %zu", c->name, c->argument_count);
        return true;
    }
    return false;
}

// Options of a command line: read, checked and queried.
#include "option.h"

#include "fureai/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool problem(options *o, const char *format, ...) FR_PRINTF(2, 3);

// Notes why the command line is refused; always false.
static bool problem(options *o, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(o->problem, sizeof o->problem, format, arguments);
    va_end(arguments);
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// Values

static bool check_range(options *o, const option *row, const char *text, double value) {
    bool has_range = row->low != 0.0 || row->high != 0.0;
    if (!has_range || (value >= row->low && value <= row->high)) { return true; }
    return problem(o, "--%s: %s is outside %.15g .. %.15g", row->name, text, row->low, row->high);
}

static bool is_choice(const char *choices, const char *text) {
    size_t length = strlen(text);
    while (*choices != '\0') {
        size_t word = strcspn(choices, ",");
        if (word == length && strncmp(choices, text, length) == 0) { return true; }
        choices += word;
        choices += *choices == ',';
    }
    return false;
}

// A number that cannot be kept is out of every range; without a range it is reported as such.
static bool too_large(options *o, const option *row, const char *text, double value) {
    return check_range(o, row, text, value) && problem(o, "--%s: %s is too large", row->name, text);
}

static bool read_int(options *o, option_value *value, const char *text) {
    const char *at = text, *end = text + strlen(text);
    if (!fr_number_read_whole(&at, end, &value->integer) || at != end) {
        return problem(o, "--%s: '%s' is not a whole number", value->option->name, text);
    }
    double number = (double)value->integer;
    if (fabs(number) >= 0x1p+62) { return too_large(o, value->option, text, number); } // where the reader ends
    return check_range(o, value->option, text, number);
}

static bool read_number(options *o, option_value *value, const char *text) {
    const char *at = text, *end = text + strlen(text);
    fr_number_result result = fr_number_read(&at, end, &value->numbers[0]);
    if (result == FR_NUMBER_HUGE) {
        return too_large(o, value->option, text, text[0] == '-' ? -(double)INFINITY : (double)INFINITY);
    }
    if (result != FR_NUMBER_OK || at != end) {
        return problem(o, "--%s: '%s' is not a finite number", value->option->name, text);
    }
    return check_range(o, value->option, text, value->numbers[0]);
}

// Reads `count` numbers with ',' or ';' between them, and nothing else.
static bool read_list(const char *text, double *out, int count) {
    const char *at = text, *end = text + strlen(text);
    for (int i = 0; i < count; ++i) {
        if (i > 0 && *at != ',' && *at != ';') { return false; }
        at += i > 0;
        if (fr_number_read(&at, end, &out[i]) != FR_NUMBER_OK) { return false; }
    }
    return at == end;
}

static bool read_vector(options *o, option_value *value, const char *text) {
    int components = value->option->components;
    if (!read_list(text, value->numbers, components)) {
        return problem(o, "--%s: '%s' is not %d finite numbers with commas between them", value->option->name, text,
                       components);
    }
    for (int i = 0; i < components; ++i) {
        if (!check_range(o, value->option, text, value->numbers[i])) { return false; }
    }
    return true;
}

// Reads a value of the row's kind.
static bool read_value(options *o, option_value *value, const char *text) {
    const option *row = value->option;
    value->text = text;
    switch (row->kind) {
    case OPTION_FLAG: return true;
    case OPTION_STRING: return text[0] != '\0' || problem(o, "--%s: the value is empty", row->name);
    case OPTION_CHOICE:
        return is_choice(row->choices, text) || problem(o, "--%s: '%s' is none of %s", row->name, text, row->choices);
    case OPTION_INT: return read_int(o, value, text);
    case OPTION_NUMBER: return read_number(o, value, text);
    case OPTION_VECTOR: return read_vector(o, value, text);
    }
    return false;
}

static option_value *find(options *o, const char *name, size_t length) {
    for (size_t i = 0; i < o->count; ++i) {
        const char *known = o->values[i].option->name;
        if (strlen(known) == length && strncmp(known, name, length) == 0) { return &o->values[i]; }
    }
    return NULL;
}

void options_add(options *o, const option *table, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        FR_ASSERT(o->count < OPTION_LIMIT);
        FR_ASSERT(find(o, table[i].name, strlen(table[i].name)) == NULL);
        FR_ASSERT(table[i].components <= OPTION_MAX_COMPONENTS);
        option_value *value = &o->values[o->count++];
        *value = (option_value){.option = &table[i]};
        if (table[i].fallback != NULL) {
            value->has_value = read_value(o, value, table[i].fallback);
            FR_ASSERT(value->has_value);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The command line

static bool unknown_option(options *o, const char *token) {
    size_t dashes = strspn(token, "-");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(token + dashes, "="), token + dashes);

    fr_suggestion s = fr_suggestion_begin(name);
    for (size_t i = 0; i < o->count; ++i) {
        fr_suggestion_offer(&s, o->values[i].option->name);
    }
    fr_suggestion_offer(&s, "help");
    if (s.best != NULL) {
        return problem(o, "unknown option '%.*s%s'; did you mean '--%s'?", (int)dashes, token, name, s.best);
    }
    return problem(o, "unknown option '%.*s%s'", (int)dashes, token, name);
}

// Reads the option at `line->next`, and the value after it where it has one.
static bool read_option(options *o, option_tokens *line) {
    const char *token = line->tokens[line->next++];
    const char *name = token + 2;
    size_t name_length = strcspn(name, "=");
    option_value *value = strncmp(token, "--", 2) == 0 ? find(o, name, name_length) : NULL;
    if (value == NULL) { return unknown_option(o, token); }

    const char *text = name[name_length] == '=' ? name + name_length + 1 : NULL;
    const option *row = value->option;
    if (row->kind == OPTION_FLAG) {
        if (text != NULL) { return problem(o, "--%s takes no value", row->name); }
    } else if (text == NULL) {
        bool has_next = line->next < line->count && strncmp(line->tokens[line->next], "--", 2) != 0;
        if (!has_next) { return problem(o, "--%s needs a value: --%s %s", row->name, row->name, row->metavar); }
        text = line->tokens[line->next++];
    }
    value->given = value->has_value = true;
    return row->kind == OPTION_FLAG || read_value(o, value, text);
}

static bool is_argument(const char *token) {
    bool negative_number = token[0] == '-' && token[1] != '\0' && strchr(".0123456789", token[1]) != NULL;
    return token[0] != '-' || token[1] == '\0' || negative_number;
}

options_end options_read(options *o, option_tokens *line, bool until_argument) {
    bool options_ended = false;
    while (line->next < line->count) {
        char *token = line->tokens[line->next];
        if (options_ended || is_argument(token)) {
            if (until_argument) { return OPTIONS_READ; }
            line->tokens[line->argument_count++] = token;
            ++line->next;
        } else if (strcmp(token, "--") == 0) {
            options_ended = true;
            ++line->next;
        } else if (strcmp(token, "--help") == 0 || strcmp(token, "-h") == 0) {
            ++line->next;
            return OPTIONS_HELP;
        } else if (!read_option(o, line)) {
            return OPTIONS_PROBLEM;
        }
    }
    return OPTIONS_READ;
}

// ---------------------------------------------------------------------------------------------------------------
// Getters

static const option_value *get(const options *o, const char *name) {
    for (size_t i = 0; i < o->count; ++i) {
        if (strcmp(o->values[i].option->name, name) == 0) { return &o->values[i]; }
    }
    static const option none_row = {.name = ""};
    static const option_value none = {.option = &none_row};
    FR_ASSERT(false && "no such option in the command's table");
    return &none;
}

bool options_given(const options *o, const char *name) { return get(o, name)->given; }

bool options_flag(const options *o, const char *name) {
    FR_ASSERT(get(o, name)->option->kind == OPTION_FLAG);
    return get(o, name)->given;
}

const char *options_string(const options *o, const char *name) {
    const option_value *value = get(o, name);
    FR_ASSERT(value->option->kind == OPTION_STRING || value->option->kind == OPTION_CHOICE);
    return value->text;
}

int64_t options_int(const options *o, const char *name) {
    const option_value *value = get(o, name);
    FR_ASSERT(value->option->kind == OPTION_INT);
    return value->integer;
}

double options_number(const options *o, const char *name) {
    const option_value *value = get(o, name);
    FR_ASSERT(value->option->kind == OPTION_NUMBER);
    return value->numbers[0];
}

bool options_vector(const options *o, const char *name, double *out, int count) {
    const option_value *value = get(o, name);
    FR_ASSERT(value->option->kind == OPTION_VECTOR && value->option->components == count);
    if (value->has_value) { memcpy(out, value->numbers, (size_t)count * sizeof *out); }
    return value->has_value;
}

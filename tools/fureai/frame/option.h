// The options of a command: declared in a table, read by one parser.
#ifndef FUREAI_TOOL_OPTION_H
#define FUREAI_TOOL_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,   // there or not
    OPTION_STRING, // any text that is not empty
    OPTION_CHOICE, // one of a few words
    OPTION_INT,    // a whole number
    OPTION_NUMBER, // a finite number
    OPTION_VECTOR  // a fixed count of finite numbers, "1,2,3"
} option_kind;

#define OPTION_MAX_COMPONENTS 8

// One row of a table.
typedef struct option {
    const char *name;     // without the dashes
    option_kind kind;     // how the value is read
    const char *metavar;  // how help calls the value; NULL for a flag
    const char *help;     // one or two sentences
    const char *fallback; // the value when the option is not given, as a person would type it; NULL: none
    const char *choices;  // the words of a choice, with commas between them
    double low, high;     // least and greatest value of an int, a number or each of a vector's; both 0: any
    int components;       // numbers of a vector, 1 .. OPTION_MAX_COMPONENTS
    bool is_output;       // a string that names a file to be written
} option;

// Rows of each kind. Limits of 0 and 0 allow any number; a fallback may be NULL.
#define FLAG_OPTION(name_, help_)                                                                                      \
    { .name = (name_), .kind = OPTION_FLAG, .help = (help_) }
#define STRING_OPTION(name_, metavar_, fallback_, help_)                                                               \
    { .name = (name_), .kind = OPTION_STRING, .metavar = (metavar_), .help = (help_), .fallback = (fallback_) }
#define OUTPUT_OPTION(name_, metavar_, help_)                                                                          \
    { .name = (name_), .kind = OPTION_STRING, .metavar = (metavar_), .help = (help_), .is_output = true }
#define CHOICE_OPTION(name_, metavar_, choices_, fallback_, help_)                                                     \
    {                                                                                                                  \
        .name = (name_), .kind = OPTION_CHOICE, .metavar = (metavar_), .help = (help_), .fallback = (fallback_),       \
        .choices = (choices_)                                                                                          \
    }
#define NUMBERS_OPTION_(kind_, name_, metavar_, components_, fallback_, low_, high_, help_)                            \
    {                                                                                                                  \
        .name = (name_), .kind = (kind_), .metavar = (metavar_), .help = (help_), .fallback = (fallback_),             \
        .low = (low_), .high = (high_), .components = (components_)                                                    \
    }
#define INT_OPTION(name_, metavar_, fallback_, low_, high_, help_)                                                     \
    NUMBERS_OPTION_(OPTION_INT, name_, metavar_, 0, fallback_, low_, high_, help_)
#define NUMBER_OPTION(name_, metavar_, fallback_, low_, high_, help_)                                                  \
    NUMBERS_OPTION_(OPTION_NUMBER, name_, metavar_, 0, fallback_, low_, high_, help_)
#define VECTOR_OPTION(name_, metavar_, components_, fallback_, low_, high_, help_)                                     \
    NUMBERS_OPTION_(OPTION_VECTOR, name_, metavar_, components_, fallback_, low_, high_, help_)

// What an option has after the reading.
typedef struct option_value {
    const option *option;
    bool given;       // it was on the command line
    bool has_value;   // it was, or it has a fallback
    const char *text; // the value as typed; NULL for a flag
    int64_t integer;
    double numbers[OPTION_MAX_COMPONENTS]; // [0] for a number
} option_value;

#define OPTION_LIMIT 48
#define OPTION_PROBLEM_BYTES 320

// The options that are known at one point of a command line, and their values.
typedef struct options {
    option_value values[OPTION_LIMIT];
    size_t count;
    char problem[OPTION_PROBLEM_BYTES]; // why options_read failed, as a sentence for the user
} options;

// Adds a table, with its fallbacks as values. A fallback that its own row would refuse is a programmer's error.
void options_add(options *o, const option *table, size_t count);

// What options_read came to.
typedef enum options_end {
    OPTIONS_READ,   // all tokens were read, or the first argument was met where that was wanted
    OPTIONS_HELP,   // --help or -h was met
    OPTIONS_PROBLEM // wrong usage, see `problem`
} options_end;

// Tokens of a command line.
typedef struct option_tokens {
    char **tokens; // arguments that are no options are moved to the front, in their order
    int count;
    int next;           // the first token not yet read
    int argument_count; // how many arguments stand at the front
} option_tokens;

// Reads options from `line`: "--name value", "--name=value", "--name" for a flag. "--" ends the options; "-" alone
// and what looks like a negative number are arguments. A value may begin with a dash, but not with two. An option
// given twice has its last value. With `until_argument` the reading ends before the first argument.
options_end options_read(options *o, option_tokens *line, bool until_argument);

// The values, by the option's name. Asking for a name that is in no table, or as another kind than its own, is a
// programmer's error.
bool options_given(const options *o, const char *name);
bool options_flag(const options *o, const char *name);
const char *options_string(const options *o, const char *name);                  // a string or a choice; NULL: no value
int64_t options_int(const options *o, const char *name);                         // 0 when there is no value
double options_number(const options *o, const char *name);                       // 0 when there is no value
bool options_vector(const options *o, const char *name, double *out, int count); // false, `out` kept: no value

#endif

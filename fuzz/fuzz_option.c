// Any bytes as a command line, a token a line: options of every kind are read, or a sentence says what is wrong.
#include "option.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 4096, MAX_TOKENS = 64 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

static const option table[] = {
    FLAG_OPTION("verbose", "Says more."),
    STRING_OPTION("name", "NAME", "none", "A name."),
    OUTPUT_OPTION("output", "FILE", "A file."),
    CHOICE_OPTION("method", "METHOD", "tree,octree,brute", "tree", "One of three."),
    INT_OPTION("steps", "N", "1", 0, 1000, "A count."),
    NUMBER_OPTION("margin", "M", "0", 0, 1e6, "A length."),
    NUMBER_OPTION("any", "X", NULL, 0, 0, "Any number."),
    VECTOR_OPTION("move", "X,Y,Z", 3, NULL, 0, 0, "A vector."),
    VECTOR_OPTION("turn", "X,Y,Z,DEG", 4, "0,0,1,0", -360, 360, "A turn."),
};

static void check_values(const options *o) {
    double v[4];
    const char *method = options_string(o, "method");
    require(strcmp(method, "tree") == 0 || strcmp(method, "octree") == 0 || strcmp(method, "brute") == 0);
    require(options_string(o, "name")[0] != '\0');
    require(options_int(o, "steps") >= 0 && options_int(o, "steps") <= 1000);
    require(options_number(o, "margin") >= 0.0 && options_number(o, "margin") <= 1e6);
    require(isfinite(options_number(o, "any")));
    if (options_vector(o, "move", v, 3)) { require(isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2])); }
    require(options_vector(o, "turn", v, 4));
    for (int i = 0; i < 4; i++) {
        require(fabs(v[i]) <= 360.0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > MAX_BYTES) { return 0; }
    char text[MAX_BYTES + 1], *tokens[MAX_TOKENS + 1];
    if (size > 0) { memcpy(text, data, size); }
    text[size] = '\0';
    int count = 0;
    for (char *at = text; at != NULL && count < MAX_TOKENS; count++) {
        tokens[count] = at;
        at = strchr(at, '\n');
        if (at != NULL) { *at++ = '\0'; }
    }
    tokens[count] = NULL;

    options o = {.count = 0};
    options_add(&o, table, sizeof table / sizeof table[0]);
    option_tokens line = {.tokens = tokens, .count = count};
    options_end end = options_read(&o, &line, size % 2 == 0);
    if (end == OPTIONS_READ && size % 2 == 0) { end = options_read(&o, &line, false); }
    require(line.next <= line.count && line.argument_count <= line.count);
    if (end == OPTIONS_PROBLEM) { require(o.problem[0] != '\0' && strlen(o.problem) < OPTION_PROBLEM_BYTES); }
    if (end == OPTIONS_READ) { check_values(&o); }
    return 0;
}

// Reads the rules of the command clash: lists of pairs of patterns.
#include "clash_rules.h"

#include <stdlib.h>
#include <string.h>

// Adds a rule about "A:B", or, where a name holds a colon, "A::B". The text is cut in place. Anything but DONE: return
// it.
static exit_status add_rule(tool *t, clash_rules *rules, const char *name, fr_clash_rule_kind kind, char *text,
                            double clearance) {
    char *colon = strstr(text, "::");
    size_t width = 2;
    if (colon == NULL) {
        colon = strchr(text, ':');
        width = 1;
        if (colon != NULL && strchr(colon + 1, ':') != NULL) {
            return tool_wrong_usage(t, "--%s: '%s' has several colons: write A::B", name, text);
        }
    }
    if (colon == NULL || colon == text || colon[width] == '\0') {
        return tool_wrong_usage(t, "--%s: '%s' is no pair of patterns A:B", name, text);
    }
    if (rules->count == FR_CLASH_MAX_RULES) {
        return tool_wrong_usage(t, "--%s: more than %u rules", name, FR_CLASH_MAX_RULES);
    }
    *colon = '\0';
    rules->list[rules->count++] = (fr_clash_rule){kind, text, colon + width, clearance};
    return EXIT_STATUS_DONE;
}

// Reads a length in metres that ends the text.
static bool read_length(const char *text, double *out) {
    const char *at = text;
    size_t length = strlen(text);
    return fr_number_read(&at, text + length, out) == FR_NUMBER_OK && *at == '\0' && *out >= 0.0 && *out <= 1e15;
}

// One item of --clearance: "D" for all pairs, or "A:B=D".
static exit_status add_clearance(tool *t, clash_rules *rules, char *item) {
    char *equals = strrchr(item, '=');
    double clearance = 0.0;
    if (!read_length(equals != NULL ? equals + 1 : item, &clearance)) {
        return tool_wrong_usage(t, "--clearance: '%s' is neither a length in metres nor A:B=D", item);
    }
    if (equals == NULL) {
        rules->clearance = clearance;
        return EXIT_STATUS_DONE;
    }
    *equals = '\0';
    return add_rule(t, rules, "clearance", FR_CLASH_RULE_CLEARANCE, item, clearance);
}

static exit_status read_list(tool *t, clash_rules *rules, size_t number, const char *name, fr_clash_rule_kind kind) {
    const char *text = options_string(&t->options, name);
    if (text == NULL) { return EXIT_STATUS_DONE; }
    char *copy = rules->texts[number] = strdup(text);
    if (copy == NULL) {
        fr_error error = {.status = FR_ERROR_MEMORY};
        return tool_failed(t, &error);
    }
    exit_status status = EXIT_STATUS_DONE;
    for (char *item = copy; item != NULL && status == EXIT_STATUS_DONE;) {
        char *comma = strchr(item, ',');
        if (comma != NULL) { *comma = '\0'; }
        status =
            kind == FR_CLASH_RULE_CLEARANCE ? add_clearance(t, rules, item) : add_rule(t, rules, name, kind, item, 0.0);
        item = comma != NULL ? comma + 1 : NULL;
    }
    return status;
}

exit_status clash_rules_read(tool *t, clash_rules *out) {
    *out = (clash_rules){.clearance = 0.0};
    exit_status status = read_list(t, out, 0, "ignore", FR_CLASH_RULE_IGNORE);
    if (status == EXIT_STATUS_DONE) { status = read_list(t, out, 1, "only", FR_CLASH_RULE_ONLY); }
    if (status == EXIT_STATUS_DONE) { status = read_list(t, out, 2, "clearance", FR_CLASH_RULE_CLEARANCE); }
    if (status != EXIT_STATUS_DONE) { clash_rules_free(out); }
    return status;
}

void clash_rules_free(clash_rules *rules) {
    for (size_t i = 0; i < CLASH_RULE_LISTS; i++) {
        free(rules->texts[i]);
    }
    *rules = (clash_rules){.clearance = 0.0};
}

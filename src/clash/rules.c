// Rules by patterns of names. Each name is matched with each pattern once; a pair is then decided by a few bits.
#include "clash/rules.h"

// Whether a pattern matches all of a name: `*` stands for any text, `?` for one byte. The last star is the only one
// that may have to take more, so that this takes at most the product of both lengths.
static bool matches(const char *pattern, const char *name) {
    const char *star = NULL, *from = NULL;
    while (*name != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            from = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}

static fr_status check_rules(const fr_clash_input *input, fr_error *error) {
    if (!(input->clearance >= 0.0 && input->clearance <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "clearance %g is not in 0 .. 2^300", input->clearance);
    }
    if (input->rule_count == 0) { return FR_OK; }
    if (input->rule_count > FR_CLASH_MAX_RULES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%zu rules; the limit is %u", input->rule_count, FR_CLASH_MAX_RULES);
    }
    if (input->rules == NULL || (input->names == NULL && input->part_count > 0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "rules need names of the parts");
    }
    for (size_t i = 0; i < input->rule_count; i++) {
        const fr_clash_rule *rule = &input->rules[i];
        bool is_known = (unsigned)rule->kind <= FR_CLASH_RULE_CLEARANCE && rule->a != NULL && rule->b != NULL;
        bool is_length = rule->clearance >= 0.0 && rule->clearance <= FR_LENGTH_MAX;
        if (!is_known || (rule->kind == FR_CLASH_RULE_CLEARANCE && !is_length)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "rule %zu is not complete", i);
        }
    }
    return FR_OK;
}

static fr__rule_match match_of(const fr_clash_input *input, const char *name) {
    fr__rule_match match = {0, 0};
    for (size_t i = 0; i < input->rule_count; i++) {
        match.a |= (uint64_t)matches(input->rules[i].a, name) << i;
        match.b |= (uint64_t)matches(input->rules[i].b, name) << i;
    }
    return match;
}

fr_status fr__clash_rules_make(const fr_clash_input *input, fr__rule_match_array *list, fr__clash_rules *out,
                               fr_error *error) {
    *out = (fr__clash_rules){.list = input->rules, .count = input->rule_count, .clearance = input->clearance};
    fr_status status = check_rules(input, error);
    if (status != FR_OK || input->rule_count == 0) { return status; }
    for (size_t i = 0; i < input->rule_count; i++) {
        uint64_t bit = UINT64_C(1) << i;
        switch (input->rules[i].kind) {
        case FR_CLASH_RULE_IGNORE: out->ignores |= bit; break;
        case FR_CLASH_RULE_ONLY: out->onlies |= bit; break;
        default: out->clearances |= bit; break;
        }
    }
    fr__rule_match *match = fr__rule_match_array_reset(list, input->part_count);
    if (match == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for clashes"); }
    for (size_t i = 0; i < input->part_count; i++) {
        if (input->names[i] == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "part %zu has no name", i); }
        match[i] = match_of(input, input->names[i]);
    }
    out->matches = match;
    return FR_OK;
}

// The rules about two parts, whichever of them comes first.
static uint64_t rules_about(const fr__clash_rules *rules, uint32_t a, uint32_t b) {
    const fr__rule_match *p = &rules->matches[a], *q = &rules->matches[b];
    return (p->a & q->b) | (p->b & q->a);
}

bool fr__clash_rules_allow(const fr__clash_rules *rules, uint32_t a, uint32_t b) {
    if (rules->matches == NULL) { return true; }
    uint64_t about = rules_about(rules, a, b);
    return (about & rules->ignores) == 0 && (rules->onlies == 0 || (about & rules->onlies) != 0);
}

double fr__clash_rules_clearance(const fr__clash_rules *rules, uint32_t a, uint32_t b) {
    uint64_t about = rules->clearances != 0 ? rules_about(rules, a, b) & rules->clearances : 0;
    for (size_t i = rules->count; i-- > 0;) {
        if ((about >> i & 1) != 0) { return rules->list[i].clearance; }
    }
    return rules->clearance;
}

double fr__clash_rules_max_clearance(const fr__clash_rules *rules) {
    double max = rules->clearance;
    for (size_t i = 0; i < rules->count; i++) {
        bool counts = rules->list[i].kind == FR_CLASH_RULE_CLEARANCE && rules->list[i].clearance > max;
        max = counts ? rules->list[i].clearance : max;
    }
    return max;
}

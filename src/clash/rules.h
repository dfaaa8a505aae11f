// Rules about pairs of parts, by patterns of their names, made ready to be looked up for each pair.
#ifndef FR_CLASH_RULES_H
#define FR_CLASH_RULES_H

#include "fureai/clash.h"

// Which rules' patterns match a part: bit i of `a` for pattern a of rule i, of `b` for its pattern b.
typedef struct fr__rule_match {
    uint64_t a, b;
} fr__rule_match;

FR_ARRAY_TYPE(fr__rule_match_array, fr__rule_match);

typedef struct fr__clash_rules {
    const fr_clash_rule *list;
    size_t count;
    uint64_t ignores, onlies, clearances; // the rules of each kind
    double clearance;                     // of pairs that no rule is about
    const fr__rule_match *matches;        // one a part; NULL where there are no rules
} fr__clash_rules;

// Checks rules and matches them with the names of all parts, into `matches`. FR_ERROR_ARGUMENT, FR_ERROR_MEMORY.
fr_status fr__clash_rules_make(const fr_clash_input *input, fr__rule_match_array *matches, fr__clash_rules *out,
                               fr_error *error);

// Whether two parts are looked at.
bool fr__clash_rules_allow(const fr__clash_rules *rules, uint32_t a, uint32_t b);

// How far apart two parts shall be at least, and the most that any two shall.
double fr__clash_rules_clearance(const fr__clash_rules *rules, uint32_t a, uint32_t b);
double fr__clash_rules_max_clearance(const fr__clash_rules *rules);

#endif

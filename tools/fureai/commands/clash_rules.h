// Rules of the command clash, as its options give them.
#ifndef FUREAI_TOOL_CLASH_RULES_H
#define FUREAI_TOOL_CLASH_RULES_H

#include "tool.h"

#include "fureai/clash.h"

enum { CLASH_RULE_LISTS = 3 }; // --ignore, --only, --clearance

typedef struct clash_rules {
    fr_clash_rule list[FR_CLASH_MAX_RULES];
    size_t count;
    double clearance;              // of pairs without a rule of their own
    char *texts[CLASH_RULE_LISTS]; // that the patterns are in
} clash_rules;

// Reads --ignore, --only and --clearance. Anything but DONE: return it, there is nothing to free.
exit_status clash_rules_read(tool *t, clash_rules *out);
void clash_rules_free(clash_rules *rules);

#endif

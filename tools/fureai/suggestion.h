// What a person may have meant who mistyped a name.
#ifndef FUREAI_TOOL_SUGGESTION_H
#define FUREAI_TOOL_SUGGESTION_H

#include <stddef.h>

// The least number of letters to insert, remove, replace, or swap with their neighbour, to make `b` of `a`. Names
// longer than 63 bytes are compared by their first 63.
size_t suggestion_distance(const char *a, const char *b);

// Collects the best of the names that are offered one after another.
typedef struct suggestion {
    const char *typed;
    const char *best; // NULL while none is near enough
    size_t best_distance;
} suggestion;

suggestion suggestion_begin(const char *typed);

// Offers a name; it is taken when it is nearer than those before and near enough to be meant, or when `typed` is its
// beginning.
void suggestion_offer(suggestion *s, const char *name);

#endif

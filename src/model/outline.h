// The order in which writers of trees go through the nodes: down to the first child, along siblings, and up again.
#ifndef FUREAI_MODEL_OUTLINE_H
#define FUREAI_MODEL_OUTLINE_H

#include "model.h"

typedef struct fr__outline {
    fr_allocator allocator;
    uint32_t count;
    uint32_t *first_child;  // of each node, and of the model itself at [count]; FR_NONE for none
    uint32_t *next_sibling; // FR_NONE after the last
} fr__outline;

// Without the nodes that are hidden or only stand for others, and what is below them. False when there is no memory.
bool fr__outline_make(const fr_model *model, fr__outline *outline);
void fr__outline_free(fr__outline *outline);

// Calls `enter` for each node before its children and `leave` after them, until one returns false.
typedef bool fr__outline_fn(uint32_t node, void *context);
void fr__outline_walk(const fr__outline *outline, const fr_model *model, fr__outline_fn *enter, fr__outline_fn *leave,
                      void *context);

#endif

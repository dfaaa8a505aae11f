// A list of structs sorted by a number, which is the first member of each.
#ifndef FUREAI_PROTOCOL_SHELF_H
#define FUREAI_PROTOCOL_SHELF_H

#include "fureai/base.h"

FR_ARRAY_TYPE(fr__thing_array, void *);

typedef struct fr__shelf {
    fr__thing_array things; // structs that begin with a uint32_t
} fr__shelf;

// The entry with a number; NULL where there is none.
void *fr__shelf_find(const fr__shelf *shelf, uint32_t number);

// Inserts an entry whose number is new; without memory it returns false and changes nothing.
bool fr__shelf_insert(fr__shelf *shelf, void *thing);

// Removes the entry with a number and returns it; NULL where there is none.
void *fr__shelf_remove(fr__shelf *shelf, uint32_t number);

static inline void *fr__shelf_at(const fr__shelf *shelf, size_t i) { return shelf->things.data[i]; }

#endif

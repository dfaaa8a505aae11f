// A list of names from a file, numbered from 0, that finds a name it has.
#ifndef FUREAI_MODEL_NAMES_H
#define FUREAI_MODEL_NAMES_H

#include "cursor.h"

#include "fureai/shape.h"

FR_ARRAY_TYPE(fr__span_array, fr__span);

typedef struct fr__names {
    fr__span_array spans;  // into the file's bytes
    fr_uint32_array slots; // open addressing by hash, FR_NONE where free
} fr__names;

fr__names fr__names_make(const fr_allocator *allocator);
void fr__names_free(fr__names *names);

// Appends a name, which may be there already; its number, or FR_NONE when there is no memory.
uint32_t fr__names_append(fr__names *names, fr__span name);

// The number of a name, appended when it is new; FR_NONE when there is no memory. Constant time.
uint32_t fr__names_find_or_append(fr__names *names, fr__span name);

// The number of a name that fr__names_find_or_append appended; FR_NONE where it is not there. Constant time.
uint32_t fr__names_find(const fr__names *names, fr__span name);

static inline fr__span fr__names_get(const fr__names *names, uint32_t number) { return names->spans.data[number]; }

#endif

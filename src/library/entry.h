// Entries of a library: what is known of its classes without reading them.
#ifndef FUREAI_LIBRARY_ENTRY_H
#define FUREAI_LIBRARY_ENTRY_H

#include "fureai/library.h"

// A class in the list, and the class itself once it was wanted.
typedef struct fr__library_slot {
    fr_library_entry entry;
    fr_class *found; // NULL: not read
} fr__library_slot;

FR_ARRAY_TYPE(fr__library_slot_array, fr__library_slot);

// A list of classes, whose texts lie in its arena.
typedef struct fr__library_table {
    fr__library_slot_array slots; // sorted by name
    fr_arena *texts;
} fr__library_table;

bool fr__library_table_make(const fr_allocator *allocator, fr__library_table *out);
void fr__library_table_destroy(fr__library_table *table);

// A slot at the end of the table; NULL when there is no memory.
fr__library_slot *fr__library_table_push(fr__library_table *table);

// A copy of an entry into the table's texts; false when there is no memory.
bool fr__library_entry_copy(fr__library_table *table, const fr_library_entry *from, fr_library_entry *out);

// The entry of a class that was read; texts of the class are copied. False when there is no memory.
bool fr__library_entry_describe(fr__library_table *table, const fr_library_place *place, const fr_class_view *view,
                                fr_library_entry *out);

// The entry of a class whose file is wrong.
bool fr__library_entry_refuse(fr__library_table *table, const fr_library_place *place, const fr_error *why,
                              fr_library_entry *out);

#endif

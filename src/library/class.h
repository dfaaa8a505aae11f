// The inside of a class.
#ifndef FUREAI_LIBRARY_CLASS_H
#define FUREAI_LIBRARY_CLASS_H

#include "fureai/library.h"

#include <stdatomic.h>

struct fr_class {
    fr_class_view view;
    fr_arena *arena; // all that the view refers to
    atomic_uint references;
    fr_allocator allocator;
};

// An empty class with one reference; NULL when there is no memory.
fr_class *fr__class_make(const fr_allocator *allocator);

// Whether a path leads to a file in the folder, by its text: relative, of 1 .. FR_CLASS_PATH_MAX_BYTES bytes, without
// backslashes and steps that are empty, "." or "..".
bool fr__class_path_is_inside(const char *path);

#endif

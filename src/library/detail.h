// What the index holds of a class beside its list.
#ifndef FUREAI_LIBRARY_DETAIL_H
#define FUREAI_LIBRARY_DETAIL_H

#include "library/library.h"

// The rows of a class, in an arena; false when there is no memory. Files that are wrong have none.
bool fr__library_detail_make(fr_library *library, const fr_class_view *view, fr_arena *arena, fr_library_detail *out);

#endif

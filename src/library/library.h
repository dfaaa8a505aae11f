// The inside of a library.
#ifndef FUREAI_LIBRARY_LIBRARY_H
#define FUREAI_LIBRARY_LIBRARY_H

#include "library/entry.h"

#define FR__LIBRARY_PATH_BYTES 4096
#define FR__LIBRARY_MODEL_MAX_BYTES ((size_t)1 << 30) // of a file beside that of the class

struct fr_library {
    fr_library_files files;
    fr_library_index index;
    fr__library_table table;
    uint64_t stamp;   // of the folder when it was listed
    size_t next_look; // where the next poll looks on
    bool has_read_index;
    char path[FR__LIBRARY_PATH_BYTES]; // of the folder; "": it is not known
    fr_class *placed;                  // that a scene was given last; NULL: none
    char *paths[FR_CLASS_MAX_SHAPES];  // of its models, in `placed_paths`
    char placed_paths[FR_CLASS_MAX_SHAPES][FR_CLASS_NAME_MAX_BYTES + FR_CLASS_PATH_MAX_BYTES + 2];
    uint32_t max_classes;
    fr_allocator allocator;
};

// Reads the file of a class.
fr_status fr__library_read_class(fr_library *library, const fr_library_place *place, fr_class **out, fr_error *error);

#endif

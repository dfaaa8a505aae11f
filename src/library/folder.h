// Names of a library's folder.
#ifndef FUREAI_LIBRARY_FOLDER_H
#define FUREAI_LIBRARY_FOLDER_H

#include "fureai/library.h"

#define FR__STEP_BYTES 256 // of one step of a path, and its end

// "object.json" or "person.json".
const char *fr__library_file_name(fr_class_kind kind);

#endif

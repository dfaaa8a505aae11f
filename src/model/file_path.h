// Paths that files name: only those of files beside the model or below it. No network is used, and nothing leaves the
// model's folder.
#ifndef FUREAI_MODEL_FILE_PATH_H
#define FUREAI_MODEL_FILE_PATH_H

#include "cursor.h"

// Bytes that fr__path_resolve writes to at most.
static inline size_t fr__path_room(const char *base, fr__span url) { return strlen(base) + 2 * url.length + 3; }

// Writes the path that `url` names in the file `base`, relative to the model's folder as `base` is ("" for the model),
// terminated. Escapes are replaced, backslashes turned round, "." and ".." resolved. NULL where it stays in the folder,
// else what is wrong with it, as the end of a sentence.
const char *fr__path_resolve(const char *base, fr__span url, char *path);

#endif

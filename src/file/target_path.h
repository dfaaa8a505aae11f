// The file that a path leads to, behind its links, and what lies beside it.
#ifndef FUREAI_FILE_TARGET_PATH_H
#define FUREAI_FILE_TARGET_PATH_H

#include "fureai/base.h"

// The path without links at its end: it names no link, or nothing. Links in the folders before it stay. NULL with errno
// where that fails; to be given to fr__path_free.
char *fr__target_path(const char *path, const fr_allocator *allocator);

// A path in the folder of `path`: the folder and `name`; an empty name gives the folder itself, or ".". NULL with
// errno.
char *fr__path_beside(const char *path, const char *name, const fr_allocator *allocator);

// Both texts joined; NULL with errno.
char *fr__path_join(const char *first, size_t first_bytes, const char *second, const fr_allocator *allocator);

// NULL is ignored.
void fr__path_free(char *path, const fr_allocator *allocator);

#endif

// A file that is read whole.
#ifndef FUREAI_TOOL_INPUT_FILE_H
#define FUREAI_TOOL_INPUT_FILE_H

#include "fureai/base.h"

// The bytes of a file. All zeros is an empty one.
typedef struct input_file {
    char *data;      // `size` bytes and a terminating zero after them
    size_t size;     // bytes of the file
    size_t capacity; // bytes that `data` has room for
} input_file;

// More than any model file that makes sense, less than what would make a machine swap.
#define INPUT_FILE_LIMIT ((size_t)4 << 30)

// Who named a file, and so what it may be.
typedef enum input_source {
    INPUT_TYPED, // a person: devices too, and the pipes that a shell makes, as /dev/stdin and <(...)
    INPUT_QUOTED // another file: a plain file only
} input_source;

// Reads `path`, of at most `limit` bytes. Nothing is waited for but what comes through a shell's pipe: any other pipe,
// and a folder, is FR_ERROR_FILE at once. FR_ERROR_FILE with the reason when it cannot be opened or read,
// FR_ERROR_LIMIT, FR_ERROR_MEMORY, FR_ERROR_STOPPED after Ctrl-C; `file` is empty then. Release it.
fr_status input_file_read(input_file *file, const char *path, input_source source, size_t limit, fr_error *error);

// Gives the memory back; the file is empty and may be used again.
void input_file_release(input_file *file);

#endif

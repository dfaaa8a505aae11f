// A file that is written: whole, or not at all.
#ifndef FUREAI_TOOL_OUTPUT_FILE_H
#define FUREAI_TOOL_OUTPUT_FILE_H

#include "fureai/base.h"
#include <stdio.h>

// An output that remembers its first failure. All zeros is a closed one.
typedef struct output_file {
    FILE *stream; // NULL when closed
    char *path;   // the file that will appear; NULL for an adopted stream
    char *temp;   // what is written until the commit; NULL where the writing goes straight to `path`
    int error;    // errno of the first failed write, kept after the end; 0: none
} output_file;

// Opens `path` for writing. The bytes go to a temporary file in the same folder, which takes the path's place (and the
// mode and the link target of a file that was there) at the commit. A device or a pipe is written to directly.
fr_status output_file_open(output_file *file, const char *path, fr_error *error);

// An output over a stream that stays the caller's: standard output.
output_file output_file_adopt(FILE *stream);

// Write bytes, or printf-style text; false once any write has failed.
bool output_file_write(output_file *file, const void *bytes, size_t size);
bool output_file_print(output_file *file, const char *format, ...) FR_PRINTF(2, 3);
bool output_file_vprint(output_file *file, const char *format, va_list arguments) FR_PRINTF(2, 0);

// Ends the writing. On failure nothing is left behind, and what stood at the path before stands there still.
// FR_ERROR_STOPPED when a signal cut the writing short. Closes the file in any case.
fr_status output_file_commit(output_file *file, fr_error *error);

// Drops what was written. A closed file is ignored, so a cleanup may always call it.
void output_file_discard(output_file *file);

#endif

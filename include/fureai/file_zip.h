// Fureai file: archives (zip) written entry by entry through a callback. Library libfureai-model.
#ifndef FUREAI_FILE_ZIP_H
#define FUREAI_FILE_ZIP_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Takes the next bytes of the archive. Return false to end the writing, as when a disk is full.
typedef bool fr_zip_sink_fn(const void *bytes, size_t size, void *context);

// An archive that is being written. One thread.
typedef struct fr_zip_writer fr_zip_writer;

#define FR_ZIP_MAX_ENTRIES 65535u

// Begins an archive. `allocator` may be NULL for the process default. FR_ERROR_UNSUPPORTED in a build without zlib,
// FR_ERROR_MEMORY.
FR_API fr_status fr_zip_writer_create(fr_zip_sink_fn *sink, void *context, const fr_allocator *allocator,
                                      fr_zip_writer **out, fr_error *error);

// Ends it, finished or not. NULL is ignored.
FR_API void fr_zip_writer_destroy(fr_zip_writer *zip);

// Adds a file, compressed where that makes it smaller. The name is UTF-8 with '/' between folders, 1 .. 1024 bytes.
// Times are 1980-01-01, so that equal files make equal archives. FR_ERROR_LIMIT beyond FR_ZIP_MAX_ENTRIES files or
// 4 GiB, FR_ERROR_ARGUMENT for a name that is empty or too long, FR_ERROR_FILE when the sink ends it,
// FR_ERROR_MEMORY.
FR_API fr_status fr_zip_add(fr_zip_writer *zip, const char *name, const void *bytes, size_t size, fr_error *error);

// Writes the directory, without which the archive is none. FR_ERROR_LIMIT, FR_ERROR_FILE, FR_ERROR_MEMORY.
FR_API fr_status fr_zip_finish(fr_zip_writer *zip, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

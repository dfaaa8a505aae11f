// What there is of archives in a build without zlib: none is written.
#include "fureai/file_zip.h"

fr_status fr_zip_writer_create(fr_zip_sink_fn *sink, void *context, const fr_allocator *allocator, fr_zip_writer **out,
                               fr_error *error) {
    FR_ASSERT(sink != NULL && out != NULL);
    (void)sink;
    (void)context;
    (void)allocator;
    *out = NULL;
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this build writes no archives: it has no zlib");
}

void fr_zip_writer_destroy(fr_zip_writer *zip) { (void)zip; }

// No writer was made that these could be called with.
fr_status fr_zip_add(fr_zip_writer *zip, const char *name, const void *bytes, size_t size, fr_error *error) {
    (void)zip;
    (void)name;
    (void)bytes;
    (void)size;
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this build writes no archives");
}

fr_status fr_zip_finish(fr_zip_writer *zip, fr_error *error) {
    (void)zip;
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this build writes no archives");
}

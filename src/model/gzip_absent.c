// What there is of gzip in a build without zlib: such files are known, and refused.
#include "gzip.h"

fr_status fr__gunzip(const void *bytes, size_t size, const fr_model_limits *limits, fr__work_meter *meter,
                     fr_byte_array *out, const char **message) {
    (void)bytes;
    (void)size;
    (void)limits;
    (void)meter;
    (void)out;
    *message = "this build reads no gzip: unpack the file first";
    return FR_ERROR_UNSUPPORTED;
}

bool fr__gunzip_peek(const void *bytes, size_t size, const fr_allocator *allocator, char *text, size_t text_size,
                     size_t *count) {
    (void)bytes;
    (void)size;
    (void)allocator;
    (void)text;
    (void)text_size;
    *count = 0;
    return true;
}

// Gzip files unpacked, within limits of size and ratio.
#include "gzip.h"

#include "file/zlib_memory.h"

#define FREE_BYTES (64 * 1024) // that a file may swell to whatever its size
#define PIECE_BYTES (32 * 1024)
#define GZIP_ALONE (15 + 16) // window bits of inflateInit2 for gzip and nothing else

// Room for the next piece, at most one byte over the limit.
static fr_status make_room(fr_byte_array *out, z_stream *stream, uint64_t max_bytes) {
    uint64_t left = max_bytes + 1 - out->count;
    size_t wanted = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
    unsigned char *place = fr_byte_array_push(out, wanted);
    if (place == NULL) { return FR_ERROR_MEMORY; }
    stream->next_out = place;
    stream->avail_out = (uInt)wanted;
    return FR_OK;
}

static uint64_t max_size_of(size_t size, uint64_t max_bytes, uint64_t max_ratio) {
    uint64_t by_ratio = max_ratio < UINT64_MAX / 4 / (size + 1) ? max_ratio * size + FREE_BYTES : UINT64_MAX / 4;
    return by_ratio < max_bytes ? by_ratio : max_bytes < UINT64_MAX / 4 ? max_bytes : UINT64_MAX / 4;
}

static fr_status inflate_all(z_stream *stream, size_t size, uint64_t max_bytes, fr__work_meter *meter,
                             fr_byte_array *out, const char **message) {
    size_t given = 0;
    for (;;) {
        if (stream->avail_in == 0 && given < size) {
            // zlib counts in 32 bits.
            size_t piece = size - given < UINT32_MAX / 2 ? size - given : UINT32_MAX / 2;
            stream->avail_in = (uInt)piece;
            given += piece;
        }
        if (!fr__meter_on(meter, PIECE_BYTES / 4)) {
            *message = FR__STOPPED_TEXT;
            return FR_ERROR_STOPPED;
        }
        if (make_room(out, stream, max_bytes) != FR_OK) { return FR_ERROR_MEMORY; }
        int result = inflate(stream, Z_NO_FLUSH);
        out->count -= stream->avail_out;
        if (out->count > max_bytes) {
            *message = "the gzip file swells beyond the limit";
            return FR_ERROR_LIMIT;
        }
        if (result == Z_STREAM_END) {
            // Another member may follow; anything else after the last one is of no concern.
            bool is_more = stream->avail_in > 1 && stream->next_in[0] == 0x1f && stream->next_in[1] == 0x8b;
            if (!is_more) { return FR_OK; }
            if (inflateReset(stream) != Z_OK) { return FR_ERROR_MEMORY; }
            continue;
        }
        if (result == Z_MEM_ERROR) { return FR_ERROR_MEMORY; }
        bool is_cut = result == Z_BUF_ERROR || (stream->avail_in == 0 && given == size && stream->avail_out > 0);
        if (is_cut || result != Z_OK) {
            *message = is_cut ? "the gzip file is cut short" : "the gzip file is damaged";
            return FR_ERROR_CORRUPT;
        }
    }
}

fr_status fr__gunzip(const void *bytes, size_t size, const fr_model_limits *limits, fr__work_meter *meter,
                     fr_byte_array *out, const char **message) {
    fr_allocator allocator = out->allocator;
    *message = fr_status_text(FR_ERROR_MEMORY);
    z_stream stream = {
        .next_in = (z_const Bytef *)bytes, .zalloc = fr__zlib_take, .zfree = fr__zlib_give, .opaque = &allocator};
    int result = inflateInit2(&stream, GZIP_ALONE);
    if (result != Z_OK) { return FR_ERROR_MEMORY; }
    fr_status status =
        inflate_all(&stream, size, max_size_of(size, limits->inflated_bytes, limits->inflation), meter, out, message);
    inflateEnd(&stream);
    return status;
}

bool fr__gunzip_peek(const void *bytes, size_t size, const fr_allocator *allocator, char *text, size_t text_size,
                     size_t *count) {
    fr_allocator own = *allocator;
    z_stream stream = {.next_in = (z_const Bytef *)bytes,
                       .avail_in = (uInt)(size < UINT32_MAX / 2 ? size : UINT32_MAX / 2),
                       .next_out = (Bytef *)text,
                       .avail_out = (uInt)text_size,
                       .zalloc = fr__zlib_take,
                       .zfree = fr__zlib_give,
                       .opaque = &own};
    *count = 0;
    if (inflateInit2(&stream, GZIP_ALONE) != Z_OK) { return false; }
    int result = inflate(&stream, Z_SYNC_FLUSH);
    *count = text_size - stream.avail_out;
    inflateEnd(&stream);
    return result != Z_MEM_ERROR;
}

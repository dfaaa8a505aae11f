// Writes archives: each file behind a local header, and a directory of all at the end.
#include "fureai/file_zip.h"

#include "file/zlib_memory.h"

#include <string.h>

#define LOCAL_BYTES 30u
#define CENTRAL_BYTES 46u
#define END_BYTES 22u
#define NAME_MAX_BYTES 1024u
#define DATE 0x21u // 1980-01-01
#define UTF8_FLAG 0x800u

struct fr_zip_writer {
    fr_allocator allocator;
    fr_zip_sink_fn *sink;
    void *context;
    fr_byte_array directory;
    uint64_t written; // bytes given to the sink
    uint32_t count;
};

static fr_status no_memory(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an archive"); }

static unsigned char *put16(unsigned char *at, uint32_t value) {
    at[0] = (unsigned char)value;
    at[1] = (unsigned char)(value >> 8);
    return at + 2;
}

static unsigned char *put32(unsigned char *at, uint32_t value) {
    return put16(put16(at, value & 0xffffu), value >> 16);
}

static fr_status give(fr_zip_writer *zip, const void *bytes, size_t size, fr_error *error) {
    if (size > UINT32_MAX || zip->written + size > UINT32_MAX) {
        return fr_error_set(error, FR_ERROR_LIMIT, "an archive of more than 4 GiB is not written");
    }
    if (size > 0 && !zip->sink(bytes, size, zip->context)) {
        return fr_error_set(error, FR_ERROR_FILE, "the archive could not be written");
    }
    zip->written += size;
    return FR_OK;
}

fr_status fr_zip_writer_create(fr_zip_sink_fn *sink, void *context, const fr_allocator *given, fr_zip_writer **out,
                               fr_error *error) {
    FR_ASSERT(sink != NULL && out != NULL);
    fr_allocator allocator = fr_allocator_or_default(given);
    fr_zip_writer *zip = *out = fr_allocate(&allocator, 1, sizeof *zip, 16);
    if (zip == NULL) { return no_memory(error); }
    *zip = (fr_zip_writer){.allocator = allocator, .sink = sink, .context = context};
    zip->directory = fr_byte_array_make(&allocator);
    return FR_OK;
}

void fr_zip_writer_destroy(fr_zip_writer *zip) {
    if (zip == NULL) { return; }
    fr_byte_array_destroy(&zip->directory);
    fr_allocator allocator = zip->allocator;
    fr_deallocate(&allocator, zip, 1, sizeof *zip);
}

// Compresses into `out` of `size` bytes; 0 when it would not be smaller.
static fr_status compress_bytes(fr_zip_writer *zip, const void *bytes, size_t size, void *out, size_t *packed) {
    *packed = 0;
    z_stream stream = {.zalloc = fr__zlib_take, .zfree = fr__zlib_give, .opaque = &zip->allocator};
    if (deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) { return FR_ERROR_MEMORY; }
    stream.next_in = (z_const Bytef *)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)size;
    if (deflate(&stream, Z_FINISH) == Z_STREAM_END) { *packed = size - stream.avail_out; }
    deflateEnd(&stream);
    return FR_OK;
}

// A file as both headers describe it.
typedef struct entry {
    const char *name;
    size_t name_bytes;
    uint32_t method, sum, packed, size, offset;
} entry;

// What local and central header have in common: version, flags, method, time, date, checksum, sizes, lengths.
static unsigned char *put_entry(unsigned char *at, const entry *e) {
    at = put16(put16(at, 20), UTF8_FLAG);
    at = put32(put16(at, e->method), DATE << 16);
    at = put32(put32(put32(at, e->sum), e->packed), e->size);
    return put16(put16(at, (uint32_t)e->name_bytes), 0);
}

static fr_status write_entry(fr_zip_writer *zip, const entry *e, const void *bytes, fr_error *error) {
    unsigned char *central = fr_byte_array_push(&zip->directory, CENTRAL_BYTES + e->name_bytes);
    if (central == NULL) { return no_memory(error); }
    unsigned char *at = put_entry(put16(put32(central, 0x02014b50u), 20), e);
    at = put32(put16(put16(put16(at, 0), 0), 0), 0); // comment, disk, attributes
    memcpy(put32(at, e->offset), e->name, e->name_bytes);
    unsigned char local[LOCAL_BYTES];
    put_entry(put32(local, 0x04034b50u), e);
    fr_status status = give(zip, local, sizeof local, error);
    if (status == FR_OK) { status = give(zip, e->name, e->name_bytes, error); }
    if (status == FR_OK) { status = give(zip, bytes, e->packed, error); }
    zip->count += status == FR_OK;
    return status;
}

fr_status fr_zip_add(fr_zip_writer *zip, const char *name, const void *bytes, size_t size, fr_error *error) {
    FR_ASSERT(zip != NULL && name != NULL && (bytes != NULL || size == 0));
    size_t length = strlen(name);
    if (length == 0 || length > NAME_MAX_BYTES) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a name in an archive has 1 to %u bytes", NAME_MAX_BYTES);
    }
    if (zip->count == FR_ZIP_MAX_ENTRIES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "more than %u files in an archive", FR_ZIP_MAX_ENTRIES);
    }
    if (size > UINT32_MAX) { return fr_error_set(error, FR_ERROR_LIMIT, "a file of 4 GiB in an archive"); }
    void *packed = fr_allocate(&zip->allocator, size + 1, 1, 16);
    if (packed == NULL) { return no_memory(error); }
    entry e = {.name = name, .name_bytes = length, .size = (uint32_t)size, .offset = (uint32_t)zip->written};
    e.sum = (uint32_t)crc32_z(0, bytes, size);
    size_t packed_bytes = 0;
    fr_status status = compress_bytes(zip, bytes, size, packed, &packed_bytes);
    if (status == FR_OK) {
        bool is_packed = packed_bytes > 0;
        e.method = is_packed ? 8 : 0;
        e.packed = is_packed ? (uint32_t)packed_bytes : e.size;
        status = write_entry(zip, &e, is_packed ? packed : bytes, error);
    } else {
        no_memory(error);
    }
    fr_deallocate(&zip->allocator, packed, size + 1, 1);
    return status;
}

fr_status fr_zip_finish(fr_zip_writer *zip, fr_error *error) {
    FR_ASSERT(zip != NULL);
    uint32_t begin = (uint32_t)zip->written;
    size_t bytes = zip->directory.count;
    fr_status status = give(zip, zip->directory.data, bytes, error);
    unsigned char end[END_BYTES];
    unsigned char *at = put32(put32(end, 0x06054b50u), 0);
    at = put16(put16(at, zip->count), zip->count);
    put16(put32(put32(at, (uint32_t)bytes), begin), 0);
    return status == FR_OK ? give(zip, end, sizeof end, error) : status;
}

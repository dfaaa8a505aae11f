// The writer and the reader of numbers as little-endian bytes.
#include "space/codec.h"

#include <string.h>

void fr__codec_make_writer(fr__codec *codec, fr_record_fn *write, void *context) {
    memset(codec, 0, sizeof *codec);
    codec->write = write;
    codec->write_context = context;
}

void fr__codec_make_reader(fr__codec *codec, const void *bytes, size_t size, const fr_allocator *allocator) {
    memset(codec, 0, sizeof *codec);
    codec->is_reader = true;
    codec->bytes = bytes;
    codec->size = size;
    for (size_t i = 0; i < sizeof codec->scratch / sizeof codec->scratch[0]; i++) {
        codec->scratch[i] = fr_byte_array_make(allocator);
    }
}

void fr__codec_free(fr__codec *codec) {
    if (!codec->is_reader) { return; }
    for (size_t i = 0; i < sizeof codec->scratch / sizeof codec->scratch[0]; i++) {
        fr_byte_array_destroy(&codec->scratch[i]);
    }
}

void fr__codec_flush(fr__codec *codec) {
    if (codec->filled > 0) { codec->write(codec->piece, codec->filled, codec->write_context); }
    codec->filled = 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers

static void write_little(fr__codec *codec, uint64_t value, size_t bytes) {
    if (codec->filled + bytes > sizeof codec->piece) { fr__codec_flush(codec); }
    for (size_t i = 0; i < bytes; i++) {
        codec->piece[codec->filled++] = (unsigned char)(value >> (8 * i));
    }
}

static uint64_t read_little(fr__codec *codec, size_t bytes) {
    if (codec->status != FR_OK) { return 0; }
    if (codec->size - codec->at < bytes) {
        codec->status = FR_ERROR_SYNTAX;
        return 0;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) {
        value |= (uint64_t)codec->bytes[codec->at++] << (8 * i);
    }
    return value;
}

void fr__code_u32(fr__codec *codec, uint32_t *value) {
    if (codec->is_reader) {
        *value = (uint32_t)read_little(codec, sizeof *value);
    } else {
        write_little(codec, *value, sizeof *value);
    }
}

void fr__code_u64(fr__codec *codec, uint64_t *value) {
    if (codec->is_reader) {
        *value = read_little(codec, sizeof *value);
    } else {
        write_little(codec, *value, sizeof *value);
    }
}

void fr__code_double(fr__codec *codec, double *value) {
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    fr__code_u64(codec, &bits);
    memcpy(value, &bits, sizeof bits);
}

void fr__code_vec3(fr__codec *codec, fr_vec3 *value) {
    fr__code_double(codec, &value->x);
    fr__code_double(codec, &value->y);
    fr__code_double(codec, &value->z);
}

void fr__code_pose(fr__codec *codec, fr_pose *value) {
    fr__code_double(codec, &value->rotation.w);
    fr__code_double(codec, &value->rotation.x);
    fr__code_double(codec, &value->rotation.y);
    fr__code_double(codec, &value->rotation.z);
    fr__code_vec3(codec, &value->position);
    fr__code_double(codec, &value->scale);
}

// ---------------------------------------------------------------------------------------------------------------
// Bytes and arrays

void fr__code_bytes(fr__codec *codec, const void **bytes, uint64_t size) {
    if (!codec->is_reader) {
        fr__codec_flush(codec);
        codec->write(*bytes, (size_t)size, codec->write_context);
        return;
    }
    *bytes = NULL;
    if (codec->status != FR_OK) { return; }
    if (codec->size - codec->at < size) {
        codec->status = FR_ERROR_SYNTAX;
        return;
    }
    *bytes = codec->bytes + codec->at;
    codec->at += (size_t)size;
}

void *fr__codec_take(fr__codec *codec, int scratch, uint32_t count, size_t size, size_t min_bytes) {
    if (codec->status != FR_OK) { return NULL; }
    if ((codec->size - codec->at) / min_bytes < count) {
        codec->status = FR_ERROR_SYNTAX;
        return NULL;
    }
    fr_byte_array *array = &codec->scratch[scratch];
    array->count = 0;
    void *memory = fr_byte_array_push(array, (size_t)count * size);
    if (memory == NULL) { codec->status = FR_ERROR_MEMORY; }
    return memory;
}

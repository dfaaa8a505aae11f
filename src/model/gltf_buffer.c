// Bytes of a glTF file: buffers from the file itself, from text, from files beside it; and views of them.
#include "bytes.h"
#include "gltf.h"

#include <string.h>

bool fr__gltf_path(const fr__gltf *gltf, fr_json_value uri, char path[FR__GLTF_PATH_BYTES]) {
    char text[FR__GLTF_PATH_BYTES];
    if (fr_json_get_text(gltf->json, uri).size >= sizeof text) { return false; }
    size_t length = fr_json_decode(gltf->json, uri, text), count = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '%' && i + 2 < length && fr__hex_digit(text[i + 1]) >= 0 && fr__hex_digit(text[i + 2]) >= 0) {
            c = (char)(fr__hex_digit(text[i + 1]) * 16 + fr__hex_digit(text[i + 2]));
            i += 2;
        }
        if ((unsigned char)c < ' ' || c == '\x7f' || c == '\\' || c == ':') { return false; }
        path[count++] = c;
    }
    path[count] = '\0';
    if (count == 0 || path[0] == '/') { return false; }
    // No name of the path may be "..".
    for (const char *name = path; name != NULL; name = strchr(name, '/')) {
        name += *name == '/';
        if (strncmp(name, "..", 2) == 0 && (name[2] == '/' || name[2] == '\0')) { return false; }
    }
    return true;
}

// The values of base64's digits; -1 for all other bytes.
static void list_digits(signed char values[256]) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    memset(values, -1, 256);
    for (int i = 0; i < 64; i++) {
        values[(unsigned char)digits[i]] = (signed char)i;
    }
}

// Decodes base64 up to its padding; false for what is none. A slash may be escaped, as JSON may have it.
static bool decode_base64(const char *at, const char *end, unsigned char *out, size_t *size) {
    signed char values[256];
    uint32_t bits = 0;
    int have = 0;
    unsigned char *to = out;
    list_digits(values);
    for (; at < end && *at != '='; at++) {
        int digit = values[(unsigned char)*at];
        if (digit < 0) {
            if (*at == '\\' && at + 1 < end && at[1] == '/') { continue; }
            return false;
        }
        bits = bits << 6 | (uint32_t)digit;
        have += 6;
        if (have < 8) { continue; }
        have -= 8;
        *to++ = (unsigned char)(bits >> have & 255);
    }
    *size = (size_t)(to - out);
    return true;
}

// The bytes of "data:...;base64,...".
static fr_status decode_uri(fr__gltf *gltf, fr_json_value value, fr_json_text uri, fr__gltf_buffer *buffer) {
    const char *comma = memchr(uri.bytes, ',', uri.size);
    if (comma == NULL || comma - uri.bytes < 7 || memcmp(comma - 7, ";base64", 7) != 0) {
        return fr__gltf_fail(gltf, value, FR_ERROR_UNSUPPORTED, "a data URI is read as base64 alone");
    }
    size_t length = uri.size - (size_t)(comma + 1 - uri.bytes), capacity = length / 4 * 3 + 3;
    unsigned char *data = fr_allocate(&gltf->reader->builder.allocator, capacity, 1, 8);
    if (data == NULL) { return fr__gltf_no_memory(gltf); }
    *buffer = (fr__gltf_buffer){.data = (const char *)data, .owned = data, .owned_bytes = capacity};
    if (decode_base64(comma + 1, uri.bytes + uri.size, data, &buffer->size)) { return FR_OK; }
    return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "a data URI is not base64");
}

static fr_status load_file(fr__gltf *gltf, fr_json_value token, fr__gltf_buffer *buffer) {
    const fr_model_files *files = &gltf->reader->input->files;
    char path[FR__GLTF_PATH_BYTES];
    if (!fr__gltf_path(gltf, token, path)) {
        return fr__gltf_fail(gltf, token, FR_ERROR_UNSUPPORTED, "this is no file in the model's folder");
    }
    const void *bytes = NULL;
    fr_error why = {0};
    if (files->load == NULL || files->load(path, &bytes, &buffer->owned_bytes, files->context, &why) != FR_OK) {
        return fr__gltf_fail(gltf, token, FR_ERROR_FILE, "the file %.80s is not there%s%.80s", path,
                             why.message[0] != '\0' ? ": " : "", why.message);
    }
    fr__budget_add_file(gltf->reader->budget, buffer->owned_bytes);
    buffer->data = buffer->owned_bytes > 0 ? bytes : "";
    buffer->file = bytes;
    buffer->size = buffer->owned_bytes;
    return FR_OK;
}

static fr_status load_buffer(fr__gltf *gltf, uint64_t index, fr__gltf_buffer *buffer) {
    fr_json_value token = fr__gltf_item(gltf, FR__GLTF_BUFFERS, index);
    fr_json_value uri = fr_json_member(gltf->json, token, "uri");
    uint64_t promised = 0;
    if (!fr_json_get_whole(gltf->json, fr_json_member(gltf->json, token, "byteLength"), &promised)) {
        return fr__gltf_fail(gltf, token, FR_ERROR_SYNTAX, "a buffer has no byteLength");
    }
    if (uri == FR_JSON_NONE) {
        if (index != 0 || gltf->binary.begin == NULL) {
            return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "a buffer has neither uri nor binary part");
        }
        buffer->data = gltf->binary.begin;
        buffer->size = gltf->binary.length;
    } else {
        fr_json_text text = fr_json_get_text(gltf->json, uri);
        bool is_data = text.size > 5 && memcmp(text.bytes, "data:", 5) == 0;
        FR__TRY(is_data ? decode_uri(gltf, uri, text, buffer) : load_file(gltf, uri, buffer));
    }
    if (promised > buffer->size) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "a buffer of %llu bytes, but there are %zu",
                             (unsigned long long)promised, buffer->size);
    }
    buffer->size = (size_t)promised;
    return FR_OK;
}

fr_status fr__gltf_bytes(fr__gltf *gltf, fr_json_value object, fr__span *bytes) {
    uint64_t index = 0, offset = 0, length = 0;
    FR__TRY(fr__gltf_index(gltf, fr_json_member(gltf->json, object, "buffer"), FR__GLTF_BUFFERS, "buffer", &index));
    FR__TRY(fr__gltf_whole(gltf, object, "byteOffset", 0, &offset));
    FR__TRY(fr__gltf_whole(gltf, object, "byteLength", 0, &length));
    fr__gltf_buffer *buffer = &gltf->buffers.data[index];
    if (buffer->data == NULL) { FR__TRY(load_buffer(gltf, index, buffer)); }
    if (offset > buffer->size || length > buffer->size - offset) {
        return fr__gltf_fail(gltf, object, FR_ERROR_CORRUPT, "a buffer view does not lie in its buffer of %zu bytes",
                             buffer->size);
    }
    *bytes = (fr__span){buffer->data + offset, (size_t)length};
    return FR_OK;
}

fr_status fr__gltf_view(fr__gltf *gltf, uint64_t view, fr__span *bytes, uint32_t *stride) {
    fr_json_value token = fr__gltf_item(gltf, FR__GLTF_VIEWS, view);
    fr_json_value compression = fr__gltf_compression(gltf, token);
    uint64_t step = 0;
    FR__TRY(fr__gltf_whole(gltf, token, "byteStride", 0, &step));
    if (step > 252) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "the elements of a buffer view are over 252 bytes apart");
    }
    *stride = (uint32_t)step;
    return compression != FR_JSON_NONE ? fr__gltf_decompress(gltf, view, compression, bytes)
                                       : fr__gltf_bytes(gltf, token, bytes);
}

// Bytes of a glTF file: buffers from the file itself, from text, from files beside it; views of them; and accessors,
// which are packed anew as floats and whole numbers without gaps.
#include "bytes.h"
#include "gltf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PATH_BYTES 512

bool fr__gltf_print(fr_array *bytes, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    FR_ASSERT(length >= 0 && (size_t)length < sizeof text);
    void *place = fr_array_push(bytes, (size_t)length);
    if (place != NULL) { memcpy(place, text, (size_t)length); }
    return place != NULL;
}

static fr_status no_memory(fr__gltf *gltf) {
    return fr__cursor_fail(&gltf->cursor, NULL, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
}

fr_status fr__gltf_index(fr__gltf *gltf, uint32_t token, fr__gltf_list list, const char *what, uint64_t *index) {
    if (fr__json_whole_of(&gltf->json, token, index) && *index < gltf->lists[list].count) { return FR_OK; }
    return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "there is no %s of this number; there are %zu", what,
                         gltf->lists[list].count);
}

// ---------------------------------------------------------------------------------------------------------------
// Buffers

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') { return c - '0'; }
    if (c >= 'a' && c <= 'f') { return c - 'a' + 10; }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The path that a URI names, where it stays in the model's folder.
static bool take_path(fr__span uri, char path[PATH_BYTES]) {
    size_t count = 0;
    for (size_t i = 0; i < uri.length; i++) {
        char c = uri.begin[i];
        if (c == '%' && i + 2 < uri.length && hex_digit(uri.begin[i + 1]) >= 0 && hex_digit(uri.begin[i + 2]) >= 0) {
            c = (char)(hex_digit(uri.begin[i + 1]) * 16 + hex_digit(uri.begin[i + 2]));
            i += 2;
        }
        if ((unsigned char)c < ' ' || c == '\x7f' || c == '\\' || c == ':' || count + 1 >= PATH_BYTES) { return false; }
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

static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') { return c - 'A'; }
    if (c >= 'a' && c <= 'z') { return c - 'a' + 26; }
    if (c >= '0' && c <= '9') { return c - '0' + 52; }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// The bytes of "data:...;base64,...".
static fr_status decode_uri(fr__gltf *gltf, uint32_t token, fr__span uri, fr__gltf_buffer *buffer) {
    const char *comma = memchr(uri.begin, ',', uri.length);
    if (comma == NULL || comma - uri.begin < 7 || memcmp(comma - 7, ";base64", 7) != 0) {
        return fr__gltf_fail(gltf, token, FR_ERROR_UNSUPPORTED, "a data URI is read as base64 alone");
    }
    size_t length = uri.length - (size_t)(comma + 1 - uri.begin), capacity = length / 4 * 3 + 3;
    unsigned char *data = fr_allocate(&gltf->reader->builder.allocator, capacity, 1, 8);
    if (data == NULL) { return no_memory(gltf); }
    *buffer = (fr__gltf_buffer){.data = (const char *)data, .owned = data, .owned_bytes = capacity};
    uint32_t bits = 0;
    int have = 0;
    for (size_t i = 0; i < length && comma[1 + i] != '='; i++) {
        int digit = base64_digit(comma[1 + i]);
        if (digit < 0) { return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "a data URI is not base64"); }
        bits = bits << 6 | (uint32_t)digit;
        have += 6;
        if (have < 8) { continue; }
        have -= 8;
        data[buffer->size++] = (unsigned char)(bits >> have & 255);
    }
    return FR_OK;
}

static fr_status load_file(fr__gltf *gltf, uint32_t token, fr__span uri, fr__gltf_buffer *buffer) {
    const fr_model_files *files = &gltf->reader->options->files;
    char path[PATH_BYTES];
    if (!take_path(uri, path)) {
        return fr__gltf_fail(gltf, token, FR_ERROR_UNSUPPORTED, "this is no file in the model's folder");
    }
    const void *bytes = NULL;
    fr_error why = {0};
    if (files->load == NULL || files->load(path, &bytes, &buffer->owned_bytes, files->context, &why) != FR_OK) {
        return fr__gltf_fail(gltf, token, FR_ERROR_FILE, "the file %.80s is not there%s%.80s", path,
                             why.message[0] != '\0' ? ": " : "", why.message);
    }
    buffer->data = buffer->owned_bytes > 0 ? bytes : "";
    buffer->file = bytes;
    buffer->size = buffer->owned_bytes;
    return FR_OK;
}

static fr_status load_buffer(fr__gltf *gltf, uint64_t index, fr__gltf_buffer *buffer) {
    uint32_t token = fr__gltf_item(gltf, FR__GLTF_BUFFERS, index), uri = fr__json_member(&gltf->json, token, "uri");
    uint64_t promised = 0;
    if (!fr__json_whole_of(&gltf->json, fr__json_member(&gltf->json, token, "byteLength"), &promised)) {
        return fr__gltf_fail(gltf, token, FR_ERROR_SYNTAX, "a buffer has no byteLength");
    }
    if (uri == 0) {
        if (index != 0 || gltf->binary.begin == NULL) {
            return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "a buffer has neither uri nor binary part");
        }
        buffer->data = gltf->binary.begin;
        buffer->size = gltf->binary.length;
    } else {
        fr__span text = fr__json_text(&gltf->json, uri);
        bool is_data = text.length > 5 && memcmp(text.begin, "data:", 5) == 0;
        FR__TRY(is_data ? decode_uri(gltf, uri, text, buffer) : load_file(gltf, uri, text, buffer));
    }
    if (promised > buffer->size) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "a buffer of %llu bytes, but there are %zu",
                             (unsigned long long)promised, buffer->size);
    }
    buffer->size = (size_t)promised;
    return FR_OK;
}

// A whole number of an object, or what it is where it is not given.
static fr_status take_whole(fr__gltf *gltf, uint32_t object, const char *key, uint64_t usual, uint64_t *value) {
    uint32_t token = fr__json_member(&gltf->json, object, key);
    *value = usual;
    if (token == 0 || fr__json_whole_of(&gltf->json, token, value)) { return FR_OK; }
    return fr__gltf_fail(gltf, token, FR_ERROR_SYNTAX, "%s is a whole number from 0", key);
}

fr_status fr__gltf_view(fr__gltf *gltf, uint64_t view, fr__span *bytes, uint32_t *stride) {
    uint32_t token = fr__gltf_item(gltf, FR__GLTF_VIEWS, view);
    uint64_t index = 0, offset = 0, length = 0, step = 0;
    FR__TRY(fr__gltf_index(gltf, fr__json_member(&gltf->json, token, "buffer"), FR__GLTF_BUFFERS, "buffer", &index));
    FR__TRY(take_whole(gltf, token, "byteOffset", 0, &offset));
    FR__TRY(take_whole(gltf, token, "byteLength", 0, &length));
    FR__TRY(take_whole(gltf, token, "byteStride", 0, &step));
    fr__gltf_buffer *buffer = (fr__gltf_buffer *)gltf->buffers.data + index;
    if (buffer->data == NULL) { FR__TRY(load_buffer(gltf, index, buffer)); }
    if (offset > buffer->size || length > buffer->size - offset || step > 252) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "a buffer view does not lie in its buffer of %zu bytes",
                             buffer->size);
    }
    *bytes = (fr__span){buffer->data + offset, (size_t)length};
    *stride = (uint32_t)step;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Accessors

typedef struct accessor {
    const char *data;
    uint64_t count;
    uint32_t stride, width, component_bytes;
    uint64_t type; // of the components
    bool is_normalized;
} accessor;

static uint32_t bytes_of_type(uint64_t type) {
    switch (type) {
    case 5120:
    case 5121: return 1;
    case 5122:
    case 5123: return 2;
    case 5125:
    case 5126: return 4;
    default: return 0;
    }
}

static fr_status find_accessor(fr__gltf *gltf, uint32_t reference, accessor *a) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    const fr__json *json = &gltf->json;
    uint64_t index = 0, view = 0, offset = 0;
    FR__TRY(fr__gltf_index(gltf, reference, FR__GLTF_ACCESSORS, "accessor", &index));
    uint32_t token = fr__gltf_item(gltf, FR__GLTF_ACCESSORS, index);
    if (fr__json_member(json, token, "sparse") != 0 || fr__json_member(json, token, "bufferView") == 0) {
        return fr__gltf_fail(gltf, token, FR_ERROR_UNSUPPORTED, "sparse accessors are not read");
    }
    FR__TRY(fr__gltf_index(gltf, fr__json_member(json, token, "bufferView"), FR__GLTF_VIEWS, "buffer view", &view));
    FR__TRY(take_whole(gltf, token, "byteOffset", 0, &offset));
    FR__TRY(take_whole(gltf, token, "count", 0, &a->count));
    FR__TRY(take_whole(gltf, token, "componentType", 0, &a->type));
    a->component_bytes = bytes_of_type(a->type);
    a->width = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (fr__json_is(json, fr__json_member(json, token, "type"), types[i])) { a->width = i + 1; }
    }
    uint32_t normalized = fr__json_member(json, token, "normalized");
    a->is_normalized = normalized != 0 && *fr__json_text(json, normalized).begin == 't';
    if (a->component_bytes == 0 || a->width == 0) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "an accessor has no known type");
    }
    fr__span bytes = {NULL, 0};
    FR__TRY(fr__gltf_view(gltf, view, &bytes, &a->stride));
    uint32_t size = a->component_bytes * a->width;
    if (a->stride == 0) { a->stride = size; }
    if (a->stride < size || offset > bytes.length ||
        (a->count > 0 && (bytes.length - offset < size || (bytes.length - offset - size) / a->stride < a->count - 1))) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "%llu elements do not fit the %zu bytes of the buffer view",
                             (unsigned long long)a->count, bytes.length);
    }
    a->data = bytes.begin + offset;
    return FR_OK;
}

static double component(const accessor *a, const char *at) {
    switch (a->type) {
    case 5120: return a->is_normalized ? (double)*(const signed char *)at / 127.0 : (double)*(const signed char *)at;
    case 5121:
        return a->is_normalized ? (double)*(const unsigned char *)at / 255.0 : (double)*(const unsigned char *)at;
    case 5122: {
        double value = (double)(int16_t)fr__load_u16(at, false);
        return a->is_normalized ? value / 32767.0 : value;
    }
    case 5123: {
        double value = (double)fr__load_u16(at, false);
        return a->is_normalized ? value / 65535.0 : value;
    }
    case 5125: return (double)fr__load_u32(at, false);
    default: return (double)fr__load_float(at, false);
    }
}

static fr_status pack_floats(fr__gltf *gltf, uint32_t token, const accessor *a, uint32_t width, char *to) {
    for (uint64_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < width; k++, to += 4) {
            // Colours of three parts are opaque.
            double value = k < a->width ? component(a, a->data + i * a->stride + (size_t)k * a->component_bytes) : 1.0;
            if (!isfinite(value)) {
                return fr__gltf_fail(gltf, token, FR_ERROR_NOT_FINITE, "element %llu of this accessor is not finite",
                                     (unsigned long long)i);
            }
            fr__store_float(to, (float)value);
        }
    }
    return FR_OK;
}

static fr_status pack_indices(fr__gltf *gltf, uint32_t token, const accessor *a, uint64_t limit, char *to) {
    for (uint64_t i = 0; i < a->count; i++, to += 4) {
        double value = component(a, a->data + i * a->stride);
        if (!(value >= 0.0 && value < (double)limit)) {
            return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "index %llu is vertex %.0f of %llu",
                                 (unsigned long long)i, value, (unsigned long long)limit);
        }
        fr__store_u32(to, (uint32_t)value);
    }
    return FR_OK;
}

fr_status fr__gltf_pack(fr__gltf *gltf, uint32_t token, fr__gltf_kind kind, uint64_t limit, uint32_t *number,
                        uint64_t *count) {
    static const char *const types[] = {"VEC3", "VEC2", "VEC4", "SCALAR"};
    static const uint32_t widths[] = {3, 2, 4, 1};
    accessor a;
    FR__TRY(find_accessor(gltf, token, &a));
    bool fits = kind == FR__GLTF_INDEX ? a.width == 1 && a.type != 5126 && a.type != 5120 && a.type != 5122
                                       : a.width == widths[kind] || (kind == FR__GLTF_VEC4 && a.width == 3);
    if (!fits || a.count == 0 || a.count > UINT32_MAX / 16) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "this accessor has not the type that is needed here");
    }
    uint64_t bytes = a.count * widths[kind] * 4;
    uint64_t *place = fr_array_push(&gltf->packed_views, 1);
    char *to = place != NULL ? fr_array_push(&gltf->packed, (size_t)bytes) : NULL;
    if (to == NULL) { return no_memory(gltf); }
    place[0] = gltf->packed.count - bytes;
    place[1] = bytes;
    FR__TRY(kind == FR__GLTF_INDEX ? pack_indices(gltf, token, &a, limit, to)
                                   : pack_floats(gltf, token, &a, widths[kind], to));
    *number = (uint32_t)gltf->packed_views.count - 1;
    *count = a.count;
    bool done = fr__gltf_print(&gltf->accessor_text,
                               "%s{\"bufferView\":%u,\"componentType\":%d,\"count\":%llu,\"type\":\"%s\"}",
                               *number > 0 ? "," : "", *number, kind == FR__GLTF_INDEX ? 5125 : 5126,
                               (unsigned long long)a.count, types[kind]);
    return done ? FR_OK : no_memory(gltf);
}

// ---------------------------------------------------------------------------------------------------------------
// Pictures

static fr_status take_picture(fr__gltf *gltf, uint32_t image, fr_model_texture *texture) {
    const fr__json *json = &gltf->json;
    uint32_t uri = fr__json_member(json, image, "uri"), view = fr__json_member(json, image, "bufferView");
    fr__span bytes = {NULL, 0};
    if (view != 0) {
        uint64_t index = 0;
        uint32_t stride = 0;
        FR__TRY(fr__gltf_index(gltf, view, FR__GLTF_VIEWS, "buffer view", &index));
        FR__TRY(fr__gltf_view(gltf, index, &bytes, &stride));
    } else if (uri != 0) {
        char path[PATH_BYTES];
        fr__span text = fr__json_text(json, uri);
        if (take_path(text, path)) {
            texture->path = fr__builder_text(&gltf->reader->builder, (fr__span){path, strlen(path)});
            return texture->path != NULL ? FR_OK : no_memory(gltf);
        }
        fr__reader_warn(gltf->reader, NULL, "a picture that is no file in the model's folder is passed over");
        return FR_OK;
    }
    if (bytes.length == 0) { return FR_OK; }
    void *copy = fr__builder_alloc(&gltf->reader->builder, bytes.length, 1, 8);
    if (copy == NULL) { return no_memory(gltf); }
    memcpy(copy, bytes.begin, bytes.length);
    texture->bytes = copy;
    texture->byte_count = bytes.length;
    return FR_OK;
}

static void take_floats(const fr__json *json, uint32_t array, int count, float *values) {
    uint32_t item = fr__json_first(json, array);
    for (int i = 0; i < count && item != 0; i++, item = fr__json_next(json, array, item)) {
        double value = 0.0;
        if (fr__json_number_of(json, item, &value) && value >= 0.0 && value <= 1.0) { values[i] = (float)value; }
    }
}

static fr_status read_material(fr__gltf *gltf, uint32_t token) {
    const fr__json *json = &gltf->json;
    uint32_t pbr = fr__json_member(json, token, "pbrMetallicRoughness");
    float color[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    take_floats(json, fr__json_member(json, pbr, "baseColorFactor"), 4, color);
    double rough = 1.0;
    if (!fr__json_number_of(json, fr__json_member(json, pbr, "roughnessFactor"), &rough)) { rough = 1.0; }
    uint32_t name = fr__json_member(json, token, "name");
    fr_model_material material = fr_default_model_material();
    material.name = name != 0 ? fr__gltf_text(gltf, name) : "";
    if (material.name == NULL) { return no_memory(gltf); }
    memcpy(material.diffuse, color, sizeof material.diffuse);
    bool is_opaque = fr__json_member(json, token, "alphaMode") == 0 ||
                     fr__json_is(json, fr__json_member(json, token, "alphaMode"), "OPAQUE");
    material.transparency = is_opaque ? 0.0f : 1.0f - color[3];
    material.shininess = rough >= 0.0 && rough <= 1.0 ? (float)(1.0 - rough) : 0.0f;
    take_floats(json, fr__json_member(json, token, "emissiveFactor"), 3, material.emissive);
    uint32_t extensions = fr__json_member(json, token, "extensions");
    material.unlit = fr__json_member(json, extensions, "KHR_materials_unlit") != 0;
    uint32_t texture = fr__json_member(json, fr__json_member(json, pbr, "baseColorTexture"), "index");
    uint64_t index = 0;
    if (texture != 0) {
        FR__TRY(fr__gltf_index(gltf, texture, FR__GLTF_TEXTURES, "texture", &index));
        material.texture = (uint32_t)index;
    }
    return fr__builder_add(&gltf->reader->builder.material_list, &material) != FR_NONE ? FR_OK : no_memory(gltf);
}

fr_status fr__gltf_read_looks(fr__gltf *gltf) {
    for (size_t i = 0; i < gltf->lists[FR__GLTF_TEXTURES].count; i++) {
        uint32_t token = fr__gltf_item(gltf, FR__GLTF_TEXTURES, i);
        uint32_t source = fr__json_member(&gltf->json, token, "source");
        fr_model_texture texture = {.path = "", .repeat_s = true, .repeat_t = true, .scale = {1.0f, 1.0f}};
        uint64_t image = 0;
        if (source != 0) {
            FR__TRY(fr__gltf_index(gltf, source, FR__GLTF_IMAGES, "image", &image));
            FR__TRY(take_picture(gltf, fr__gltf_item(gltf, FR__GLTF_IMAGES, image), &texture));
        }
        if (fr__builder_add(&gltf->reader->builder.textures, &texture) == FR_NONE) { return no_memory(gltf); }
    }
    for (size_t i = 0; i < gltf->lists[FR__GLTF_MATERIALS].count; i++) {
        FR__TRY(read_material(gltf, fr__gltf_item(gltf, FR__GLTF_MATERIALS, i)));
    }
    return FR_OK;
}

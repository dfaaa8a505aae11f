// Bytes of a glTF file: buffers from the file itself, from text, from files beside it; views of them; and pictures.
#include "bytes.h"
#include "gltf.h"

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

// The path that a URI names, where it stays in the model's folder.
static bool take_path(fr__span uri, char path[PATH_BYTES]) {
    size_t count = 0;
    for (size_t i = 0; i < uri.length; i++) {
        char c = uri.begin[i];
        if (c == '%' && i + 2 < uri.length && fr__hex_digit(uri.begin[i + 1]) >= 0 &&
            fr__hex_digit(uri.begin[i + 2]) >= 0) {
            c = (char)(fr__hex_digit(uri.begin[i + 1]) * 16 + fr__hex_digit(uri.begin[i + 2]));
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

fr_status fr__gltf_whole(fr__gltf *gltf, uint32_t object, const char *key, uint64_t usual, uint64_t *value) {
    uint32_t token = fr__json_member(&gltf->json, object, key);
    *value = usual;
    if (token == 0 || fr__json_whole_of(&gltf->json, token, value)) { return FR_OK; }
    return fr__gltf_fail(gltf, token, FR_ERROR_SYNTAX, "%s is a whole number from 0", key);
}

fr_status fr__gltf_view(fr__gltf *gltf, uint64_t view, fr__span *bytes, uint32_t *stride) {
    uint32_t token = fr__gltf_item(gltf, FR__GLTF_VIEWS, view);
    uint64_t index = 0, offset = 0, length = 0, step = 0;
    FR__TRY(fr__gltf_index(gltf, fr__json_member(&gltf->json, token, "buffer"), FR__GLTF_BUFFERS, "buffer", &index));
    FR__TRY(fr__gltf_whole(gltf, token, "byteOffset", 0, &offset));
    FR__TRY(fr__gltf_whole(gltf, token, "byteLength", 0, &length));
    FR__TRY(fr__gltf_whole(gltf, token, "byteStride", 0, &step));
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

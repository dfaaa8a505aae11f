// Reads glTF 2.0, JSON or GLB: the document is checked in full, and what its scene shows goes straight into the
// builder.
#include "bytes.h"
#include "gltf.h"

#include <stdio.h>
#include <string.h>

#define GLB_HEADER 12
#define CHUNK_HEADER 8
#define TEXT_CHUNK UINT32_C(0x4e4f534a)
#define BINARY_CHUNK UINT32_C(0x004e4942)

fr_status fr__gltf_fail(fr__gltf *gltf, fr_json_value value, fr_status status, const char *format, ...) {
    char message[FR_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fr_json_fail(&gltf->report, value != FR_JSON_NONE ? value : FR_JSON_ROOT, status, "%s", message);
    return status;
}

fr_status fr__gltf_no_memory(fr__gltf *gltf) {
    return fr__cursor_fail(&gltf->reader->cursor, NULL, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
}

fr_status fr__gltf_index(fr__gltf *gltf, fr_json_value value, fr__gltf_list list, const char *what, uint64_t *index) {
    if (fr_json_get_whole(gltf->json, value, index) && *index < gltf->lists[list].count) { return FR_OK; }
    return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "there is no %s of this number; there are %zu", what,
                         gltf->lists[list].count);
}

fr_status fr__gltf_whole(fr__gltf *gltf, fr_json_value object, const char *key, uint64_t usual, uint64_t *number) {
    fr_json_value value = fr_json_member(gltf->json, object, key);
    *number = usual;
    if (value == FR_JSON_NONE || fr_json_get_whole(gltf->json, value, number)) { return FR_OK; }
    return fr__gltf_fail(gltf, value, FR_ERROR_SYNTAX, "%s is a whole number from 0", key);
}

const char *fr__gltf_text(fr__gltf *gltf, fr_json_value value) {
    if (!fr_json_is(gltf->json, value, FR_JSON_STRING)) { return ""; }
    size_t size = fr_json_get_text(gltf->json, value).size;
    if (size == 0) { return ""; }
    char *copy = fr__builder_alloc(&gltf->reader->builder, size + 1, 1, 1);
    if (copy == NULL) { return NULL; }
    size_t length = fr_json_decode(gltf->json, value, copy);
    copy[length] = '\0';
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)copy[i] < ' ') { copy[i] = copy[i] == '\0' ? '?' : ' '; }
    }
    return copy;
}

// ---------------------------------------------------------------------------------------------------------------
// The document

static fr_status find_lists(fr__gltf *gltf) {
    static const char *const keys[FR__GLTF_LIST_COUNT] = {"buffers",  "bufferViews", "accessors", "meshes", "materials",
                                                          "textures", "images",      "nodes",     "scenes", "skins"};
    fr_json_value arrays[FR__GLTF_LIST_COUNT];
    const fr_json *json = gltf->json;
    fr_json_members(json, FR_JSON_ROOT, keys, FR__GLTF_LIST_COUNT, arrays);
    for (int list = 0; list < FR__GLTF_LIST_COUNT; list++) {
        if (arrays[list] == FR_JSON_NONE) { continue; }
        if (!fr_json_is(json, arrays[list], FR_JSON_ARRAY)) {
            return fr__gltf_fail(gltf, arrays[list], FR_ERROR_SYNTAX, "%s is a list", keys[list]);
        }
        if (!fr_uint32_array_reserve(&gltf->lists[list], fr_json_count(json, arrays[list]))) {
            return fr__gltf_no_memory(gltf);
        }
        for (fr_json_value item = fr_json_first(json, arrays[list]); item != FR_JSON_NONE;
             item = fr_json_next(json, item)) {
            if (!fr_json_is(json, item, FR_JSON_OBJECT)) {
                return fr__gltf_fail(gltf, item, FR_ERROR_SYNTAX, "an element of %s is no object", keys[list]);
            }
            gltf->lists[list].data[gltf->lists[list].count++] = item;
        }
    }
    size_t count = gltf->lists[FR__GLTF_BUFFERS].count;
    fr__gltf_buffer *buffers = fr__gltf_buffer_array_push(&gltf->buffers, count);
    if (buffers == NULL) { return fr__gltf_no_memory(gltf); }
    if (count > 0) { memset(buffers, 0, count * sizeof *buffers); }
    return FR_OK;
}

static fr_status check_asset(fr__gltf *gltf) {
    const fr_json *json = gltf->json;
    if (!fr_json_is(json, FR_JSON_ROOT, FR_JSON_OBJECT)) {
        return fr__gltf_fail(gltf, FR_JSON_ROOT, FR_ERROR_SYNTAX, "a glTF file is one object");
    }
    fr_json_value version = fr_json_member(json, fr_json_member(json, FR_JSON_ROOT, "asset"), "version");
    if (version == FR_JSON_NONE) {
        return fr__gltf_fail(gltf, FR_JSON_ROOT, FR_ERROR_SYNTAX, "there is no asset with a version");
    }
    fr_json_text text = fr_json_get_text(json, version);
    if (text.size == 0 || text.bytes[0] != '2') {
        return fr__gltf_fail(gltf, version, FR_ERROR_UNSUPPORTED, "only glTF 2 is read");
    }
    return fr__gltf_check_extensions(gltf);
}

static fr_status read_document(fr__gltf *gltf) {
    FR__TRY(check_asset(gltf));
    FR__TRY(find_lists(gltf));
    FR__TRY(fr__gltf_read_looks(gltf));
    FR__TRY(fr__gltf_read_nodes(gltf));
    FR__TRY(fr__gltf_read_meshes(gltf));
    if (gltf->nodes.count == 0) {
        return fr__gltf_fail(gltf, FR_JSON_ROOT, FR_ERROR_UNSUPPORTED, "there is no node, so nothing is shown");
    }
    if (!gltf->has_positions) {
        return fr__gltf_fail(gltf, FR_JSON_ROOT, FR_ERROR_UNSUPPORTED,
                             "there is no mesh with positions, so nothing is shown");
    }
    if (gltf->roots.count == 0) {
        return fr__gltf_fail(gltf, FR_JSON_ROOT, FR_ERROR_UNSUPPORTED, "the scene has no node, so nothing is shown");
    }
    FR__TRY(fr__gltf_add_nodes(gltf));
    FR__TRY(fr__gltf_add_skins(gltf));
    return fr__gltf_read_motion(gltf);
}

// ---------------------------------------------------------------------------------------------------------------
// All

static void free_all(fr__gltf *gltf) {
    const fr_model_files *files = &gltf->reader->input->files;
    const fr_allocator *allocator = &gltf->reader->builder.allocator;
    for (size_t i = 0; i < gltf->buffers.count; i++) {
        const fr__gltf_buffer *buffer = &gltf->buffers.data[i];
        fr_deallocate(allocator, buffer->owned, buffer->owned_bytes, 1);
        if (buffer->file != NULL && files->unload != NULL) {
            files->unload(buffer->file, buffer->owned_bytes, files->context);
        }
    }
    for (size_t i = 0; i < gltf->decoded.count; i++) {
        fr_deallocate(allocator, gltf->decoded.data[i].data, gltf->decoded.data[i].size, 1);
    }
    for (int list = 0; list < FR__GLTF_LIST_COUNT; list++) {
        fr_uint32_array_destroy(&gltf->lists[list]);
    }
    fr__gltf_close_draco(gltf);
    fr_byte_array_destroy(&gltf->scratch);
    fr__gltf_buffer_array_destroy(&gltf->buffers);
    fr__gltf_decoded_array_destroy(&gltf->decoded);
    fr__gltf_node_array_destroy(&gltf->nodes);
    fr_uint32_array_destroy(&gltf->children);
    fr_uint32_array_destroy(&gltf->roots);
    fr__gltf_mesh_array_destroy(&gltf->meshes);
    fr__gltf_primitive_array_destroy(&gltf->primitives);
    fr_float_array_destroy(&gltf->positions);
    fr_float_array_destroy(&gltf->normals);
    fr_float_array_destroy(&gltf->uvs);
    fr_float_array_destroy(&gltf->colors);
    fr_uint32_array_destroy(&gltf->indices);
    fr_uint32_array_destroy(&gltf->corners);
    fr_json_destroy(gltf->json);
}

static fr_status read_text(fr__reader *reader, fr__span text, fr__span binary) {
    const fr_allocator *allocator = &reader->builder.allocator;
    fr__cursor *cursor = &reader->cursor;
    fr_json_def def = fr_default_json_def();
    def.name = cursor->name;
    def.max_depth = reader->builder.limits.nesting > 0 ? reader->builder.limits.nesting : 1;
    def.control = cursor->control;
    def.allocator = *allocator;
    fr_json *json = NULL;
    FR__TRY(fr_json_create(text.begin, text.length, &def, &json, cursor->error));
    fr__builder_set_double(&reader->builder, reader->precision == FR_MODEL_DOUBLE);
    fr__gltf gltf = {.reader = reader,
                     .json = json,
                     .report = fr_json_reader_make(json, NULL, cursor->error),
                     .binary = binary,
                     .buffers = fr__gltf_buffer_array_make(allocator),
                     .decoded = fr__gltf_decoded_array_make(allocator),
                     .scratch = fr_byte_array_make(allocator),
                     .nodes = fr__gltf_node_array_make(allocator),
                     .children = fr_uint32_array_make(allocator),
                     .roots = fr_uint32_array_make(allocator),
                     .meshes = fr__gltf_mesh_array_make(allocator),
                     .primitives = fr__gltf_primitive_array_make(allocator),
                     .positions = fr_float_array_make(allocator),
                     .normals = fr_float_array_make(allocator),
                     .uvs = fr_float_array_make(allocator),
                     .colors = fr_float_array_make(allocator),
                     .indices = fr_uint32_array_make(allocator),
                     .corners = fr_uint32_array_make(allocator)};
    for (int list = 0; list < FR__GLTF_LIST_COUNT; list++) {
        gltf.lists[list] = fr_uint32_array_make(allocator);
    }
    fr_status status = read_document(&gltf);
    free_all(&gltf);
    return status;
}

fr_status fr__read_gltf(fr__reader *reader) {
    fr__cursor *cursor = &reader->cursor;
    return read_text(reader, (fr__span){cursor->at, fr__cursor_left(cursor)}, (fr__span){NULL, 0});
}

fr_status fr__read_glb(fr__reader *reader) {
    fr__cursor *cursor = &reader->cursor;
    const char *begin = cursor->at;
    size_t size = fr__cursor_left(cursor);
    if (size < GLB_HEADER + CHUNK_HEADER || memcmp(begin, "glTF", 4) != 0) {
        return fr__cursor_fail(cursor, NULL, FR_ERROR_SYNTAX, "this is no GLB file, or its beginning is cut off");
    }
    if (fr__load_u32(begin + 4, false) != 2) {
        return fr__cursor_fail(cursor, NULL, FR_ERROR_UNSUPPORTED, "only glTF 2 is read");
    }
    uint64_t all = fr__load_u32(begin + 8, false), text = fr__load_u32(begin + 12, false);
    if (all > size || text > all - GLB_HEADER - CHUNK_HEADER || all < GLB_HEADER + CHUNK_HEADER ||
        fr__load_u32(begin + 16, false) != TEXT_CHUNK) {
        return fr__cursor_fail(cursor, NULL, FR_ERROR_CORRUPT, "the JSON at byte 12 does not lie in the file");
    }
    fr__span binary = {NULL, 0};
    size_t next = GLB_HEADER + CHUNK_HEADER + (size_t)text;
    if (all - next >= CHUNK_HEADER && fr__load_u32(begin + next + 4, false) == BINARY_CHUNK) {
        uint64_t length = fr__load_u32(begin + next, false);
        if (length > all - next - CHUNK_HEADER) {
            return fr__cursor_fail(cursor, NULL, FR_ERROR_CORRUPT,
                                   "the binary part at byte %zu does not lie in the file", next);
        }
        binary = (fr__span){begin + next + CHUNK_HEADER, (size_t)length};
    }
    return read_text(reader, (fr__span){begin + GLB_HEADER + CHUNK_HEADER, (size_t)text}, binary);
}

// Reads glTF 2.0, JSON or GLB. The document is checked in full, then what makes up the geometry (meshes, their lists,
// nodes) is made anew as a small GLB file, and that one is given to assimp: it never sees a byte that was not looked
// at.
#include "bytes.h"
#include "gltf.h"

#include <stdio.h>
#include <string.h>

#define GLB_HEADER 12
#define CHUNK_HEADER 8
#define TEXT_CHUNK UINT32_C(0x4e4f534a)
#define BINARY_CHUNK UINT32_C(0x004e4942)

fr_status fr__gltf_fail(fr__gltf *gltf, uint32_t token, fr_status status, const char *format, ...) {
    char message[FR_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const char *at = gltf->json.tokens.count > 0 ? gltf->json.text + fr__json_at(&gltf->json, token)->begin : NULL;
    return fr__cursor_fail(&gltf->cursor, at, status, "%s", message);
}

static fr_status no_memory(fr__gltf *gltf) {
    return fr__cursor_fail(&gltf->cursor, NULL, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
}

#define PRINT(array, ...)                                                                                              \
    do {                                                                                                               \
        if (!fr__gltf_print((array), __VA_ARGS__)) { return no_memory(gltf); }                                         \
    } while (0)

// ---------------------------------------------------------------------------------------------------------------
// Texts

static int hex_value(const char *at) {
    int value = 0;
    for (int i = 0; i < 4; i++) {
        char c = at[i];
        value = 16 * value + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

// One character as UTF-8.
static size_t put_character(char *to, uint32_t c) {
    if (c < 0x80) {
        to[0] = (char)(c != 0 ? c : '?');
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3f));
        return 2;
    }
    to[0] = (char)(0xe0 | c >> 12);
    to[1] = (char)(0x80 | (c >> 6 & 0x3f));
    to[2] = (char)(0x80 | (c & 0x3f));
    return 3;
}

const char *fr__gltf_text(fr__gltf *gltf, uint32_t token) {
    if (fr__json_at(&gltf->json, token)->kind != FR__JSON_STRING) { return ""; }
    fr__span text = fr__json_text(&gltf->json, token);
    if (text.length == 0) { return ""; }
    // An escape is never shorter than what it stands for.
    char *copy = fr__builder_alloc(&gltf->reader->builder, text.length + 1, 1, 1);
    if (copy == NULL) { return NULL; }
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.begin[i];
        if (c != '\\') {
            copy[length++] = c;
            continue;
        }
        c = text.begin[++i];
        if (c == 'u') {
            length += put_character(copy + length, (uint32_t)hex_value(text.begin + i + 1));
            i += 4;
        } else {
            copy[length++] = c == 'n' || c == 't' || c == 'r' || c == 'b' || c == 'f' ? ' ' : c;
        }
    }
    copy[length] = '\0';
    return copy;
}

// ---------------------------------------------------------------------------------------------------------------
// The document

static fr_status find_lists(fr__gltf *gltf) {
    static const char *const keys[FR__GLTF_LIST_COUNT] = {"buffers",  "bufferViews", "accessors", "meshes", "materials",
                                                          "textures", "images",      "nodes",     "scenes"};
    for (int list = 0; list < FR__GLTF_LIST_COUNT; list++) {
        uint32_t array = fr__json_top(&gltf->json, keys[list]);
        if (array != 0 && fr__json_at(&gltf->json, array)->kind != FR__JSON_ARRAY) {
            return fr__gltf_fail(gltf, array, FR_ERROR_SYNTAX, "%s is a list", keys[list]);
        }
        for (uint32_t item = fr__json_first(&gltf->json, array); item != 0;
             item = fr__json_next(&gltf->json, array, item)) {
            if (fr__json_at(&gltf->json, item)->kind != FR__JSON_OBJECT) {
                return fr__gltf_fail(gltf, item, FR_ERROR_SYNTAX, "an element of %s is no object", keys[list]);
            }
            uint32_t *place = fr_array_push(&gltf->lists[list], 1);
            if (place == NULL) { return no_memory(gltf); }
            *place = item;
        }
    }
    size_t count = gltf->lists[FR__GLTF_BUFFERS].count;
    fr__gltf_buffer *buffers = fr_array_push(&gltf->buffers, count);
    if (buffers == NULL) { return no_memory(gltf); }
    memset(buffers, 0, count * sizeof *buffers);
    return FR_OK;
}

static fr_status check_asset(fr__gltf *gltf) {
    static const char *const known[] = {"KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization",
                                        "KHR_lights_punctual", "KHR_materials_pbrSpecularGlossiness"};
    const fr__json *json = &gltf->json;
    if (fr__json_at(json, 0)->kind != FR__JSON_OBJECT) {
        return fr__gltf_fail(gltf, 0, FR_ERROR_SYNTAX, "a glTF file is one object");
    }
    uint32_t version = fr__json_member(json, fr__json_top(json, "asset"), "version");
    if (version == 0) { return fr__gltf_fail(gltf, 0, FR_ERROR_SYNTAX, "there is no asset with a version"); }
    if (*fr__json_text(json, version).begin != '2') {
        return fr__gltf_fail(gltf, version, FR_ERROR_UNSUPPORTED, "only glTF 2 is read");
    }
    uint32_t list = fr__json_top(json, "extensionsRequired");
    for (uint32_t item = fr__json_first(json, list); item != 0; item = fr__json_next(json, list, item)) {
        bool is_known = fr__json_at(json, item)->kind == FR__JSON_STRING &&
                        strncmp(fr__json_text(json, item).begin, "KHR_materials_", 14) == 0;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            is_known = is_known || fr__json_is(json, item, known[i]);
        }
        if (!is_known) {
            return fr__gltf_fail(gltf, item, FR_ERROR_UNSUPPORTED, "this extension is required and not read");
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

// One list of a primitive beside its positions; left out where it has not as many elements.
static fr_status put_attribute(fr__gltf *gltf, uint32_t attributes, const char *key, fr__gltf_kind kind,
                               uint64_t vertices) {
    uint32_t token = fr__json_member(&gltf->json, attributes, key), number = 0;
    uint64_t count = 0;
    if (token == 0) { return FR_OK; }
    FR__TRY(fr__gltf_pack(gltf, token, kind, 0, &number, &count));
    if (count != vertices) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "%s has %llu elements for %llu vertices", key,
                             (unsigned long long)count, (unsigned long long)vertices);
    }
    PRINT(&gltf->text, ",\"%s\":%u", key, number);
    return FR_OK;
}

fr_status fr__gltf_count(fr__gltf *gltf, uint32_t token, uint64_t count) {
    uint64_t file = (uint64_t)(gltf->reader->cursor.end - gltf->reader->cursor.begin);
    uint64_t most = gltf->reader->builder.limits.placed_vertices / 10;
    if (most < file) { most = file; }
    gltf->elements = count < most ? gltf->elements + count : most + 1;
    if (gltf->elements <= most) { return FR_OK; }
    return fr__gltf_fail(gltf, token, FR_ERROR_LIMIT, "more than %llu elements in all that is used, the limit",
                         (unsigned long long)most);
}

// A primitive; *is_there tells whether there is something to show.
static fr_status put_primitive(fr__gltf *gltf, uint32_t token, bool *is_there) {
    const fr__json *json = &gltf->json;
    uint32_t attributes = fr__json_member(json, token, "attributes"), number = 0;
    uint32_t positions = fr__json_member(json, attributes, "POSITION"),
             indices = fr__json_member(json, token, "indices");
    uint64_t vertices = 0, count = 0, mode = 4, material = 0;
    uint32_t mode_token = fr__json_member(json, token, "mode"),
             material_token = fr__json_member(json, token, "material");
    if (mode_token != 0 && (!fr__json_whole_of(json, mode_token, &mode) || mode > 6)) {
        return fr__gltf_fail(gltf, mode_token, FR_ERROR_CORRUPT, "a mode is a number from 0 to 6");
    }
    if (positions == 0) { return FR_OK; }
    size_t before = gltf->text.count;
    PRINT(&gltf->text, "%s{\"mode\":%u,\"attributes\":{\"POSITION\":", *is_there ? "," : "", (unsigned)mode);
    FR__TRY(fr__gltf_pack(gltf, positions, FR__GLTF_VEC3, 0, &number, &vertices));
    FR__TRY(fr__gltf_count(gltf, positions, vertices));
    PRINT(&gltf->text, "%u", number);
    FR__TRY(put_attribute(gltf, attributes, "NORMAL", FR__GLTF_VEC3, vertices));
    FR__TRY(put_attribute(gltf, attributes, "TEXCOORD_0", FR__GLTF_VEC2, vertices));
    FR__TRY(put_attribute(gltf, attributes, "COLOR_0", FR__GLTF_VEC4, vertices));
    PRINT(&gltf->text, "}");
    count = vertices;
    if (indices != 0) {
        FR__TRY(fr__gltf_pack(gltf, indices, FR__GLTF_INDEX, vertices, &number, &count));
        FR__TRY(fr__gltf_count(gltf, indices, count / 3));
        PRINT(&gltf->text, ",\"indices\":%u", number);
    }
    if (material_token != 0) {
        FR__TRY(fr__gltf_index(gltf, material_token, FR__GLTF_MATERIALS, "material", &material));
        PRINT(&gltf->text, ",\"material\":%llu", (unsigned long long)material);
    }
    PRINT(&gltf->text, "}");
    bool is_whole = mode == 4 ? count % 3 == 0 : mode < 4 || count >= 3;
    if (!is_whole) {
        fr__reader_warn(gltf->reader, NULL, "a primitive of %llu corners, no whole triangles, is passed over",
                        (unsigned long long)count);
        gltf->text.count = before;
        return FR_OK;
    }
    *is_there = true;
    return FR_OK;
}

static fr_status put_meshes(fr__gltf *gltf) {
    PRINT(&gltf->text, ",\"meshes\":[");
    for (size_t i = 0; i < gltf->lists[FR__GLTF_MESHES].count; i++) {
        uint32_t list = fr__json_member(&gltf->json, fr__gltf_item(gltf, FR__GLTF_MESHES, i), "primitives");
        bool is_there = false, *place = fr_array_push(&gltf->mesh_is_there, 1);
        if (place == NULL) { return no_memory(gltf); }
        PRINT(&gltf->text, "%s{\"primitives\":[", i > 0 ? "," : "");
        for (uint32_t item = fr__json_first(&gltf->json, list); item != 0;
             item = fr__json_next(&gltf->json, list, item)) {
            FR__TRY(put_primitive(gltf, item, &is_there));
        }
        PRINT(&gltf->text, "]}");
        ((bool *)gltf->mesh_is_there.data)[i] = is_there;
        FR__TRY(fr__cursor_check_now(&gltf->cursor));
    }
    PRINT(&gltf->text, "]");
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

// Numbers of a transform, where they are there.
static fr_status put_numbers(fr__gltf *gltf, uint32_t node, const char *key, uint32_t count) {
    uint32_t array = fr__json_member(&gltf->json, node, key);
    if (array == 0) { return FR_OK; }
    if (fr__json_count(&gltf->json, array) != count) {
        return fr__gltf_fail(gltf, array, FR_ERROR_SYNTAX, "%s has %u numbers", key, count);
    }
    PRINT(&gltf->text, ",\"%s\":[", key);
    const char *comma = "";
    for (uint32_t item = fr__json_first(&gltf->json, array); item != 0;
         item = fr__json_next(&gltf->json, array, item), comma = ",") {
        double value = 0.0;
        if (!fr__json_number_of(&gltf->json, item, &value) || !(value > -1e30 && value < 1e30)) {
            return fr__gltf_fail(gltf, item, FR_ERROR_SYNTAX, "a number is expected, of a size that floats have");
        }
        PRINT(&gltf->text, "%s%.9g", comma, value);
    }
    PRINT(&gltf->text, "]");
    return FR_OK;
}

// The children of a node; each node has one parent at most.
static fr_status put_children(fr__gltf *gltf, uint32_t array, uint32_t parent, uint32_t *parents) {
    const char *comma = "";
    for (uint32_t item = fr__json_first(&gltf->json, array); item != 0;
         item = fr__json_next(&gltf->json, array, item), comma = ",") {
        uint64_t child = 0;
        FR__TRY(fr__gltf_index(gltf, item, FR__GLTF_NODES, "node", &child));
        if (parents[child] != FR_NONE) {
            return fr__gltf_fail(gltf, item, FR_ERROR_CORRUPT, "node %llu has two parents", (unsigned long long)child);
        }
        parents[child] = parent;
        PRINT(&gltf->text, "%s%llu", comma, (unsigned long long)child);
    }
    return FR_OK;
}

static fr_status put_node(fr__gltf *gltf, uint32_t index, uint32_t *parents) {
    uint32_t node = fr__gltf_item(gltf, FR__GLTF_NODES, index), mesh = fr__json_member(&gltf->json, node, "mesh");
    PRINT(&gltf->text, "%s{\"name\":\"n%u\"", index > 0 ? "," : "", index);
    if (fr__json_member(&gltf->json, node, "matrix") != 0) {
        FR__TRY(put_numbers(gltf, node, "matrix", 16));
    } else {
        FR__TRY(put_numbers(gltf, node, "translation", 3));
        FR__TRY(put_numbers(gltf, node, "rotation", 4));
        FR__TRY(put_numbers(gltf, node, "scale", 3));
    }
    if (mesh != 0) {
        uint64_t number = 0;
        FR__TRY(fr__gltf_index(gltf, mesh, FR__GLTF_MESHES, "mesh", &number));
        if (((const bool *)gltf->mesh_is_there.data)[number]) {
            PRINT(&gltf->text, ",\"mesh\":%llu", (unsigned long long)number);
        }
    }
    uint32_t children = fr__json_member(&gltf->json, node, "children");
    if (fr__json_count(&gltf->json, children) > 0) {
        PRINT(&gltf->text, ",\"children\":[");
        FR__TRY(put_children(gltf, children, index, parents));
        PRINT(&gltf->text, "]");
    }
    PRINT(&gltf->text, "}");
    return FR_OK;
}

// No node is below itself, and none too deep.
static fr_status check_depth(fr__gltf *gltf, const uint32_t *parents) {
    uint32_t nesting = gltf->reader->builder.limits.nesting;
    for (size_t i = 0; i < gltf->lists[FR__GLTF_NODES].count; i++) {
        uint32_t depth = 1;
        for (uint32_t node = (uint32_t)i; parents[node] != FR_NONE; node = parents[node]) {
            if (++depth > nesting) {
                return fr__gltf_fail(gltf, fr__gltf_item(gltf, FR__GLTF_NODES, i), FR_ERROR_LIMIT,
                                     "more than %u nodes in one another, the limit, or a node below itself", nesting);
            }
        }
    }
    return FR_OK;
}

// The nodes at the top: those of the scene that is shown, or all without a parent.
static fr_status put_scene(fr__gltf *gltf, const uint32_t *parents) {
    uint64_t scene = 0;
    uint32_t token = fr__json_top(&gltf->json, "scene");
    if (token != 0) { FR__TRY(fr__gltf_index(gltf, token, FR__GLTF_SCENES, "scene", &scene)); }
    const char *comma = "";
    PRINT(&gltf->text, ",\"scene\":0,\"scenes\":[{\"nodes\":[");
    if (gltf->lists[FR__GLTF_SCENES].count == 0) {
        for (size_t i = 0; i < gltf->lists[FR__GLTF_NODES].count; i++) {
            if (parents[i] != FR_NONE) { continue; }
            PRINT(&gltf->text, "%s%zu", comma, i);
            comma = ",";
        }
    } else {
        uint32_t list = fr__json_member(&gltf->json, fr__gltf_item(gltf, FR__GLTF_SCENES, scene), "nodes");
        for (uint32_t item = fr__json_first(&gltf->json, list); item != 0;
             item = fr__json_next(&gltf->json, list, item), comma = ",") {
            uint64_t node = 0;
            FR__TRY(fr__gltf_index(gltf, item, FR__GLTF_NODES, "node", &node));
            if (parents[node] != FR_NONE) {
                return fr__gltf_fail(gltf, item, FR_ERROR_CORRUPT, "node %llu of a scene is below another node",
                                     (unsigned long long)node);
            }
            PRINT(&gltf->text, "%s%llu", comma, (unsigned long long)node);
        }
    }
    PRINT(&gltf->text, "]}]");
    return FR_OK;
}

static fr_status put_nodes_with(fr__gltf *gltf, uint32_t *parents) {
    size_t count = gltf->lists[FR__GLTF_NODES].count;
    memset(parents, 0xff, count * sizeof *parents);
    PRINT(&gltf->text, ",\"nodes\":[");
    for (size_t i = 0; i < count; i++) {
        FR__TRY(put_node(gltf, (uint32_t)i, parents));
    }
    PRINT(&gltf->text, "]");
    FR__TRY(check_depth(gltf, parents));
    return put_scene(gltf, parents);
}

static fr_status put_nodes(fr__gltf *gltf) {
    size_t count = gltf->lists[FR__GLTF_NODES].count;
    if (count == 0) { return fr__gltf_fail(gltf, 0, FR_ERROR_UNSUPPORTED, "there is no node, so nothing is shown"); }
    if (count > gltf->reader->builder.limits.nodes) {
        return fr__gltf_fail(gltf, 0, FR_ERROR_LIMIT, "more than %llu nodes, the limit",
                             (unsigned long long)gltf->reader->builder.limits.nodes);
    }
    const fr_allocator *allocator = &gltf->reader->builder.allocator;
    uint32_t *parents = fr_allocate(allocator, count, sizeof *parents, sizeof *parents);
    if (parents == NULL) { return no_memory(gltf); }
    fr_status status = put_nodes_with(gltf, parents);
    fr_release(allocator, parents, count, sizeof *parents);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The bytes that assimp reads

static bool append(fr_array *to, const void *bytes, size_t size) {
    void *place = fr_array_push(to, size);
    if (place != NULL && size > 0) { memcpy(place, bytes, size); }
    return place != NULL;
}

static fr_status make_text(fr__gltf *gltf) {
    PRINT(&gltf->text, "{\"asset\":{\"version\":\"2.0\"}");
    FR__TRY(put_meshes(gltf));
    FR__TRY(put_nodes(gltf));
    PRINT(&gltf->text, ",\"materials\":[");
    for (size_t i = 0; i < gltf->lists[FR__GLTF_MATERIALS].count; i++) {
        PRINT(&gltf->text, "%s{\"name\":\"m%zu\"}", i > 0 ? "," : "", i);
    }
    PRINT(&gltf->text, "],\"accessors\":[");
    if (!append(&gltf->text, gltf->accessor_text.data, gltf->accessor_text.count)) { return no_memory(gltf); }
    PRINT(&gltf->text, "],\"bufferViews\":[");
    const uint64_t(*views)[2] = gltf->packed_views.data;
    for (size_t i = 0; i < gltf->packed_views.count; i++) {
        PRINT(&gltf->text, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu}", i > 0 ? "," : "",
              (unsigned long long)views[i][0], (unsigned long long)views[i][1]);
    }
    PRINT(&gltf->text, "],\"buffers\":[{\"byteLength\":%zu}]}", gltf->packed.count);
    while (gltf->text.count % 4 != 0) {
        PRINT(&gltf->text, " ");
    }
    return FR_OK;
}

static fr_status make_file(fr__gltf *gltf, fr_array *file) {
    uint64_t all = GLB_HEADER + 2 * CHUNK_HEADER + gltf->text.count + gltf->packed.count;
    if (all > UINT32_MAX) {
        return fr__gltf_fail(gltf, 0, FR_ERROR_LIMIT, "more bytes of geometry than a file of 4 GiB has");
    }
    char head[GLB_HEADER + CHUNK_HEADER] = "glTF", middle[CHUNK_HEADER];
    fr__store_u32(head + 4, 2);
    fr__store_u32(head + 8, (uint32_t)all);
    fr__store_u32(head + 12, (uint32_t)gltf->text.count);
    fr__store_u32(head + 16, TEXT_CHUNK);
    fr__store_u32(middle, (uint32_t)gltf->packed.count);
    fr__store_u32(middle + 4, BINARY_CHUNK);
    bool done = append(file, head, sizeof head) && append(file, gltf->text.data, gltf->text.count) &&
                append(file, middle, sizeof middle) && append(file, gltf->packed.data, gltf->packed.count);
    // From here on only the copy is needed.
    fr_array_free(&gltf->packed);
    fr_array_free(&gltf->text);
    return done ? FR_OK : no_memory(gltf);
}

static const char *node_name(uint32_t number, void *context) {
    fr__gltf *gltf = context;
    uint32_t name = fr__json_member(&gltf->json, fr__gltf_item(gltf, FR__GLTF_NODES, number), "name");
    return name != 0 ? fr__gltf_text(gltf, name) : "";
}

static fr_status read_document(fr__gltf *gltf) {
    const fr_allocator *allocator = &gltf->reader->builder.allocator;
    FR__TRY(fr__json_read(&gltf->cursor, gltf->reader->builder.limits.nesting, allocator, &gltf->json));
    FR__TRY(check_asset(gltf));
    FR__TRY(find_lists(gltf));
    FR__TRY(fr__gltf_read_looks(gltf));
    FR__TRY(make_text(gltf));
    if (gltf->packed.count == 0) {
        return fr__gltf_fail(gltf, 0, FR_ERROR_UNSUPPORTED, "there is no mesh with positions, so nothing is shown");
    }
    size_t nodes = gltf->lists[FR__GLTF_NODES].count;
    uint32_t *placed = fr_allocate(allocator, nodes, sizeof *placed, sizeof *placed);
    if (placed == NULL) { return no_memory(gltf); }
    memset(placed, 0xff, nodes * sizeof *placed);
    fr_array file = fr_array_make(1, allocator);
    fr_status status = make_file(gltf, &file);
    fr__assimp_names names = {node_name, gltf, (uint32_t)nodes, (uint32_t)gltf->lists[FR__GLTF_MATERIALS].count,
                              placed};
    if (status == FR_OK) { status = fr__assimp_read(gltf->reader, "model.glb", file.data, file.count, &names); }
    fr_array_free(&file);
    if (status == FR_OK && gltf->reader->builder.nodes.count == 0) {
        status = fr__gltf_fail(gltf, 0, FR_ERROR_UNSUPPORTED, "the scene has no node, so nothing is shown");
    }
    if (status == FR_OK) { status = fr__gltf_read_motion(gltf, placed); }
    fr_release(allocator, placed, nodes, sizeof *placed);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// All

static void free_all(fr__gltf *gltf) {
    const fr_model_files *files = &gltf->reader->options->files;
    const fr_allocator *allocator = &gltf->reader->builder.allocator;
    const fr__gltf_buffer *buffers = gltf->buffers.data;
    for (size_t i = 0; i < gltf->buffers.count; i++) {
        fr_release(allocator, buffers[i].owned, buffers[i].owned_bytes, 1);
        if (buffers[i].file != NULL && files->unload != NULL) {
            files->unload(buffers[i].file, buffers[i].owned_bytes, files->context);
        }
    }
    for (int list = 0; list < FR__GLTF_LIST_COUNT; list++) {
        fr_array_free(&gltf->lists[list]);
    }
    fr_array *const arrays[] = {&gltf->buffers,      &gltf->text,          &gltf->packed,
                                &gltf->packed_views, &gltf->accessor_text, &gltf->mesh_is_there};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        fr_array_free(arrays[i]);
    }
    fr__json_free(&gltf->json);
}

static fr_status read_text(fr__reader *reader, fr__span text, fr__span binary) {
    const fr_allocator *allocator = &reader->builder.allocator;
    fr__cursor *cursor = &reader->cursor;
    fr__gltf gltf = {.reader = reader,
                     .cursor = fr__cursor_make(text.begin, text.length, cursor->name, cursor->control, cursor->error),
                     .binary = binary,
                     .buffers = fr_array_make(sizeof(fr__gltf_buffer), allocator),
                     .text = fr_array_make(1, allocator),
                     .packed = fr_array_make(1, allocator),
                     .packed_views = fr_array_make(2 * sizeof(uint64_t), allocator),
                     .accessor_text = fr_array_make(1, allocator),
                     .mesh_is_there = fr_array_make(sizeof(bool), allocator)};
    for (int list = 0; list < FR__GLTF_LIST_COUNT; list++) {
        gltf.lists[list] = fr_array_make(sizeof(uint32_t), allocator);
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

// Reads the intermediate file: its frame, what its chunks promise, and the model that they make.
#include "bytes.h"
#include "checksum.h"
#include "frm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char fr__frm_letters[FR__FRM_TAG_COUNT][5] = {"VERT", "FACE", "GSET", "DATA", "KEYS", "TEXT", "XFRM", "PLAC",
                                                    "NODE", "MESH", "MATL", "TEXR", "CLCK", "ANIM", "SOND", "NOTE",
                                                    "WARN", "BONE", "DFRM", "SKIN", "FLLW", "COOK", "CKIX"};
const uint32_t fr__frm_record_bytes[FR__FRM_TAG_COUNT] = {1,  1,  1,   1,  1,  1, 96, 136, 152, 168, 64, 80,
                                                          40, 40, 136, 24, 16, 1, 48, 32,  8,   1,   16};

fr_status fr__frm_fail(const fr__frm_file *file, fr_status status, const char *format, ...) {
    char message[FR_ERROR_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fr_error_set(file->error, status, "%s", message);
    if (file->error != NULL) { fr_error_locate(file->error, file->name, 0, 0); }
    return status;
}

uint64_t fr__frm_count(const fr__frm_file *file, fr__frm_tag tag) {
    return file->chunks[tag].size / fr__frm_record_bytes[tag];
}

const char *fr__frm_record(const fr__frm_file *file, fr__frm_tag tag, uint64_t index) {
    return file->base + file->chunks[tag].offset + index * fr__frm_record_bytes[tag];
}

fr_status fr__frm_array(fr__frm_file *file, fr__frm_tag tag, uint64_t offset, uint64_t count, uint32_t size,
                        const void **out) {
    *out = NULL;
    if (offset == 0 || count == 0 || size == 0) { return FR_OK; }
    const fr__frm_chunk *chunk = &file->chunks[tag];
    uint64_t bytes = count * size;
    if (count > UINT64_MAX / size || offset < chunk->offset || offset - chunk->offset > chunk->size ||
        bytes > chunk->size - (offset - chunk->offset) || offset % 8 != 0) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "%llu bytes at byte %llu are not in chunk %s",
                            (unsigned long long)bytes, (unsigned long long)offset, fr__frm_letters[tag]);
    }
    file->used[tag] += bytes;
    if (file->used[tag] > chunk->size) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "arrays in chunk %s lie in one another", fr__frm_letters[tag]);
    }
    *out = file->base + offset;
    return FR_OK;
}

fr_status fr__frm_text(const fr__frm_file *file, uint64_t offset, const char **out) {
    *out = "";
    if (offset == 0) { return FR_OK; }
    if (offset >= file->chunks[FR__FRM_TEXT].size) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "there are no words at byte %llu of chunk TEXT",
                            (unsigned long long)offset);
    }
    *out = file->base + file->chunks[FR__FRM_TEXT].offset + offset;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The frame of the file

// One entry of the table; chunks of other tags are passed over.
static fr_status read_entry(fr__frm_file *file, const char *entry, uint64_t table) {
    for (int tag = 0; tag < FR__FRM_TAG_COUNT; tag++) {
        if (memcmp(entry, fr__frm_letters[tag], 4) != 0) { continue; }
        fr__frm_chunk chunk = {.offset = fr__load_u64(entry + 8, false),
                               .size = fr__load_u64(entry + 16, false),
                               .checksum = fr__load_u32(entry + 4, false),
                               .is_there = true};
        if (chunk.offset < FR__FRM_HEADER || chunk.offset % FR__FRM_ALIGN != 0 || chunk.offset > table ||
            chunk.size > table - chunk.offset || chunk.size % fr__frm_record_bytes[tag] != 0 ||
            file->chunks[tag].is_there) {
            return fr__frm_fail(file, FR_ERROR_CORRUPT, "chunk %s does not lie in the file, or is there twice",
                                fr__frm_letters[tag]);
        }
        if (chunk.size / fr__frm_record_bytes[tag] >= FR_NONE && fr__frm_record_bytes[tag] > 1) {
            return fr__frm_fail(file, FR_ERROR_LIMIT, "chunk %s has too many records", fr__frm_letters[tag]);
        }
        file->chunks[tag] = chunk;
    }
    return FR_OK;
}

static fr_status read_table(fr__frm_file *file, size_t size) {
    if (size < FR__FRM_HEADER + FR__FRM_TRAILER || memcmp(file->base, FR__FRM_MARK, 8) != 0) {
        return fr__frm_fail(file, FR_ERROR_SYNTAX, "this is no intermediate file, or its beginning is cut off");
    }
    uint32_t version = fr__load_u32(file->base + 8, false);
    if (version != FR__FRM_VERSION) {
        return fr__frm_fail(file, FR_ERROR_VERSION, "it is of version %u; this library reads version %d", version,
                            FR__FRM_VERSION);
    }
    const char *trailer = file->base + size - FR__FRM_TRAILER;
    uint64_t table = fr__load_u64(trailer, false), count = fr__load_u32(trailer + 8, false);
    if (memcmp(trailer + 16, FR__FRM_END_MARK, 8) != 0 || fr__load_u64(trailer + 24, false) != size) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "its end is cut off: the table of chunks is not there");
    }
    if (table < FR__FRM_HEADER || table > size - FR__FRM_TRAILER ||
        count * FR__FRM_ENTRY != size - FR__FRM_TRAILER - table) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "the table of chunks does not lie in the file");
    }
    for (uint64_t i = 0; i < count; i++) {
        FR__TRY(read_entry(file, file->base + table + i * FR__FRM_ENTRY, table));
    }
    const fr__frm_chunk *text = &file->chunks[FR__FRM_TEXT];
    if (text->size > 0 && file->base[text->offset + text->size - 1] != '\0') {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "the last words of chunk TEXT have no end");
    }
    return FR_OK;
}

// Compares all checksums, those of chunks that are not known too.
static fr_status verify(const fr__frm_file *file, size_t size) {
    const char *trailer = file->base + size - FR__FRM_TRAILER;
    uint64_t table = fr__load_u64(trailer, false), count = fr__load_u32(trailer + 8, false);
    fr__checksum sum;
    fr__checksum_init(&sum);
    fr__checksum_add(&sum, file->base, FR__FRM_HEADER);
    fr__checksum_add(&sum, file->base + table, (size_t)(count * FR__FRM_ENTRY));
    if (fr__checksum_take(&sum) != fr__load_u32(trailer + 12, false)) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "the checksum of the header is wrong");
    }
    for (uint64_t i = 0; i < count; i++) {
        const char *entry = file->base + table + i * FR__FRM_ENTRY;
        uint64_t offset = fr__load_u64(entry + 8, false), bytes = fr__load_u64(entry + 16, false);
        if (offset > table || bytes > table - offset) {
            return fr__frm_fail(file, FR_ERROR_CORRUPT, "a chunk does not lie in the file");
        }
        fr__checksum_add(&sum, file->base + offset, (size_t)bytes);
        if (fr__checksum_take(&sum) != fr__load_u32(entry + 4, false)) {
            return fr__frm_fail(file, FR_ERROR_CORRUPT, "the checksum of chunk %.4s, at byte %llu, is wrong", entry,
                                (unsigned long long)offset);
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The model

// Bytes from the beginning that hold all that is kept of a file that is not mapped: cooked meshes are not.
static uint64_t bytes_to_keep(const fr__frm_file *file) {
    uint64_t end = FR__FRM_HEADER;
    for (int tag = 0; tag < FR__FRM_COOK; tag++) {
        const fr__frm_chunk *chunk = &file->chunks[tag];
        if (chunk->is_there && chunk->offset + chunk->size > end) { end = chunk->offset + chunk->size; }
    }
    return end;
}

static fr_status read_header(fr__frm_file *file, fr_model *model) {
    model->store.is_double = (fr__load_u32(file->base + 12, false) & FR__FRM_DOUBLES) != 0;
    model->store.unit = fr__load_double(file->base + 16, false);
    uint32_t up = fr__load_u32(file->base + 24, false);
    model->store.line_count = fr__load_u64(file->base + 32, false);
    model->store.point_count = fr__load_u64(file->base + 40, false);
    model->store.warning_count = fr__load_u64(file->base + 48, false);
    if (!isfinite(model->store.unit) || model->store.unit <= 0.0 || up > FR_MODEL_UP_Z) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "the unit or the axis that points up is wrong");
    }
    model->store.up = (fr_model_up)up;
    return FR_OK;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

// What nodes place may be far more than what the file holds.
static fr_status check_placed(const fr__frm_file *file, const fr_model *model) {
    const fr_model_node *nodes = model->store.nodes.data;
    const fr_model_mesh *meshes = model->meshes.data;
    uint64_t vertices = 0, corners = 0, placed_vertices = 0, placed_corners = 0;
    for (size_t i = 0; i < model->meshes.count; i++) {
        vertices += meshes[i].vertex_count;
        corners += fr__corner_count(&meshes[i]);
    }
    for (size_t i = 0; i < model->store.nodes.count; i++) {
        if (nodes[i].mesh == FR_NONE) { continue; }
        placed_vertices += meshes[nodes[i].mesh].vertex_count;
        placed_corners += fr__corner_count(&meshes[nodes[i].mesh]);
    }
    const fr_model_limits *limits = &model->store.limits;
    if (placed_vertices > larger(vertices, limits->placed_vertices) ||
        placed_corners > larger(corners, 3 * limits->placed_triangles)) {
        return fr__frm_fail(file, FR_ERROR_LIMIT,
                            "its nodes place more than %llu vertices or %llu triangles, the limits",
                            (unsigned long long)limits->placed_vertices, (unsigned long long)limits->placed_triangles);
    }
    return FR_OK;
}

// The checks that models from arrays go through too.
static fr_status check_links(const fr__frm_file *file, const fr_model *model) {
    const fr__builder *store = &model->store;
    fr_model_def def = {.nodes = store->nodes.data,
                        .node_count = (uint32_t)store->nodes.count,
                        .meshes = model->meshes.data,
                        .mesh_count = (uint32_t)model->meshes.count,
                        .materials = store->material_list.data,
                        .material_count = (uint32_t)store->material_list.count,
                        .placement_count = (uint32_t)store->placements.count,
                        .skins = store->skins.data,
                        .skin_count = (uint32_t)store->skins.count,
                        .texture_count = (uint32_t)store->textures.count,
                        .clock_count = (uint32_t)store->clocks.count,
                        .tracks = store->tracks.data,
                        .track_count = (uint32_t)store->tracks.count,
                        .sounds = store->sounds.data,
                        .sound_count = (uint32_t)store->sounds.count,
                        .allocator = store->allocator};
    fr_error wrong;
    fr_status status = fr__model_check_links(&def, &wrong);
    if (status == FR_OK) { return check_placed(file, model); }
    return fr__frm_fail(file, status == FR_ERROR_ARGUMENT ? FR_ERROR_CORRUPT : status, "%s", wrong.message);
}

static fr_status read_lists(fr__frm_file *file, fr_model *model, bool is_mapped) {
    FR__TRY(read_header(file, model));
    FR__TRY(fr__frm_read_looks(file, model));
    FR__TRY(fr__frm_read_meshes(file, model, is_mapped));
    FR__TRY(fr__frm_read_nodes(file, model));
    FR__TRY(fr__frm_read_skins(file, model));
    FR__TRY(fr__frm_read_motion(file, model));
    FR__TRY(fr__frm_read_words(file, model));
    return check_links(file, model);
}

// The bytes that the model's arrays point into: those of the file, or a copy.
static fr_status keep_bytes(fr__frm_file *file, fr_model *model, bool is_mapped) {
    if (is_mapped) { return FR_OK; }
    size_t size = (size_t)bytes_to_keep(file);
    char *copy = fr_allocate(&model->store.allocator, size, 1, FR__FRM_ALIGN);
    if (copy == NULL) { return fr__frm_fail(file, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY)); }
    memcpy(copy, file->base, size);
    model->bytes = copy;
    model->byte_count = size;
    file->base = copy;
    return FR_OK;
}

// Where the frame of another file is wanted: what the intermediate file says is its source's own.
static bool apply_frame(fr_model *model, const fr_model_read_input *input) {
    if (input->unit == 0.0 && input->up == FR_MODEL_UP_AS_FILE) { return true; }
    model->store.unit = 1.0;
    model->store.up = FR_MODEL_UP_AS_FILE;
    return fr__builder_apply_frame(&model->store, input->unit, input->up);
}

fr_status fr__read_frm(fr__reader *reader, bool is_mapped, fr_model **out) {
    const uint16_t one = 1;
    fr__frm_file file = {.base = reader->cursor.begin, .error = reader->cursor.error, .name = reader->cursor.name};
    if (*(const char *)&one != 1) {
        return fr__frm_fail(&file, FR_ERROR_UNSUPPORTED, "intermediate files are for little-endian machines");
    }
    size_t size = fr__cursor_left(&reader->cursor);
    FR__TRY(read_table(&file, size));
    if (reader->input->is_verified) { FR__TRY(verify(&file, size)); }
    FR__TRY(fr__cursor_check(&reader->cursor));
    fr_model *model = fr__model_alloc(&reader->builder);
    if (model == NULL) { return fr__frm_fail(&file, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY)); }
    fr_status status = keep_bytes(&file, model, is_mapped);
    if (status == FR_OK) { status = read_lists(&file, model, is_mapped); }
    if (status == FR_OK && !apply_frame(model, reader->input)) {
        status = fr__frm_fail(&file, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
    }
    if (status == FR_OK) {
        status = fr__model_complete(model, FR_MODEL_FRM);
        if (status != FR_OK) { fr__frm_fail(&file, status, "%s", fr_status_text(status)); }
    }
    if (status != FR_OK) {
        fr_model_destroy(model);
        return status;
    }
    *out = model;
    return FR_OK;
}

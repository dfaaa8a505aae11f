// What of a glTF file is larger than its bytes: buffer views that are compressed by EXT_meshopt_compression or
// KHR_meshopt_compression, decoded once, when first used; and the limits of what may swell.
#include "gltf.h"
#include "meshopt.h"

#define FREE_BYTES (64 * 1024) // that a file may swell to whatever its size

fr_json_value fr__gltf_compression(const fr__gltf *gltf, fr_json_value view) {
    static const char *const names[2] = {"KHR_meshopt_compression", "EXT_meshopt_compression"};
    fr_json_value extensions = fr_json_member(gltf->json, view, "extensions"), found[2];
    if (!fr_json_is(gltf->json, extensions, FR_JSON_OBJECT)) { return FR_JSON_NONE; }
    fr_json_members(gltf->json, extensions, names, 2, found);
    return found[0] != FR_JSON_NONE ? found[0] : found[1];
}

// Bytes of the file and of those that were loaded with it.
static uint64_t source_bytes(const fr__gltf *gltf) {
    uint64_t bytes = (uint64_t)(gltf->reader->cursor.end - gltf->reader->cursor.begin);
    for (size_t i = 0; i < gltf->buffers.count; i++) {
        if (gltf->buffers.data[i].file != NULL) { bytes += gltf->buffers.data[i].size; }
    }
    return bytes;
}

fr_status fr__gltf_count_zeros(fr__gltf *gltf, fr_json_value value, uint64_t count) {
    uint64_t limit = FREE_BYTES + source_bytes(gltf) + gltf->inflated_bytes;
    gltf->zeros = count < limit ? gltf->zeros + count : limit + 1;
    if (gltf->zeros <= limit) { return FR_OK; }
    return fr__gltf_fail(gltf, value, FR_ERROR_LIMIT, "more than %llu elements that no byte stands for, the limit",
                         (unsigned long long)limit);
}

uint64_t fr__gltf_inflatable(const fr__gltf *gltf) {
    const fr_model_limits *limits = &gltf->reader->builder.limits;
    uint64_t source = source_bytes(gltf);
    uint64_t max = UINT64_MAX / 4;
    uint64_t by_ratio = limits->inflation < max / (source + 1) ? limits->inflation * source + FREE_BYTES : max;
    uint64_t limit = by_ratio < limits->inflated_bytes ? by_ratio : limits->inflated_bytes;
    return limit > gltf->inflated_bytes ? limit - gltf->inflated_bytes : 0;
}

fr_status fr__gltf_count_inflated(fr__gltf *gltf, fr_json_value value, uint64_t bytes) {
    if (bytes > fr__gltf_inflatable(gltf)) {
        return fr__gltf_fail(gltf, value, FR_ERROR_LIMIT, "what is compressed swells beyond the limit");
    }
    gltf->inflated_bytes += bytes;
    return FR_OK;
}

// The place of a word in a list; its length where it is not there.
static size_t find_word(const fr__gltf *gltf, fr_json_value value, const char *const *words, size_t count) {
    size_t i = 0;
    while (i < count && !fr_json_equals(gltf->json, value, words[i])) {
        i++;
    }
    return i;
}

static fr_status read_view(fr__gltf *gltf, fr_json_value value, fr__meshopt_view *view) {
    static const char *const modes[] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
    static const char *const filters[] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"};
    fr_json_value filter = fr_json_member(gltf->json, value, "filter");
    size_t mode_at = find_word(gltf, fr_json_member(gltf->json, value, "mode"), modes, 3);
    size_t filter_at = filter != FR_JSON_NONE ? find_word(gltf, filter, filters, 5) : 0;
    if (mode_at == 3) { return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "a compressed view has no known mode"); }
    if (filter_at == 5) {
        return fr__gltf_fail(gltf, filter, FR_ERROR_UNSUPPORTED, "the filter of a compressed view is not known");
    }
    *view = (fr__meshopt_view){.mode = (fr__meshopt_mode)mode_at, .filter = (fr__meshopt_filter)filter_at};
    FR__TRY(fr__gltf_whole(gltf, value, "count", 0, &view->count));
    return fr__gltf_whole(gltf, value, "byteStride", 0, &view->stride);
}

static fr_status decode(fr__gltf *gltf, fr_json_value compression, fr__gltf_decoded *decoded) {
    fr__meshopt_view view;
    fr__span from = {NULL, 0};
    FR__TRY(read_view(gltf, compression, &view));
    FR__TRY(fr__gltf_bytes(gltf, compression, &from));
    const char *wrong = fr__meshopt_check(&view, from.length);
    if (wrong != NULL) { return fr__gltf_fail(gltf, compression, FR_ERROR_CORRUPT, "%s", wrong); }
    size_t size = (size_t)(view.count * view.stride);
    FR__TRY(fr__gltf_count_inflated(gltf, compression, size));
    decoded->data = fr_allocate(&gltf->reader->builder.allocator, size, 1, 8);
    if (decoded->data == NULL) { return fr__gltf_no_memory(gltf); }
    decoded->size = size;
    if (fr__meshopt_decode(&view, from.begin, from.length, decoded->data)) { return FR_OK; }
    return fr__gltf_fail(gltf, compression, FR_ERROR_CORRUPT, "the %zu bytes of a compressed view are no valid stream",
                         from.length);
}

fr_status fr__gltf_decompress(fr__gltf *gltf, uint64_t view, fr_json_value compression, fr__span *bytes) {
    size_t count = gltf->lists[FR__GLTF_VIEWS].count;
    if (gltf->decoded.count == 0) {
        fr__gltf_decoded *all = fr__gltf_decoded_array_push(&gltf->decoded, count);
        if (all == NULL) { return fr__gltf_no_memory(gltf); }
        for (size_t i = 0; i < count; i++) {
            all[i] = (fr__gltf_decoded){NULL, 0};
        }
    }
    fr__gltf_decoded *decoded = &gltf->decoded.data[view];
    if (decoded->data == NULL) { FR__TRY(decode(gltf, compression, decoded)); }
    *bytes = (fr__span){decoded->data, decoded->size};
    return FR_OK;
}

// Accessors of a glTF file: elements of a view, or zeros, with some put in the place of others where they are sparse.
// They are packed anew as floats and whole numbers without gaps.
#include "bytes.h"
#include "gltf.h"

#include <math.h>
#include <string.h>

static fr_status no_memory(fr__gltf *gltf) {
    return fr__cursor_fail(&gltf->cursor, NULL, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
}

typedef struct accessor {
    const char *data; // NULL: all are zero
    uint64_t count;
    uint32_t stride, width, component_bytes;
    uint64_t type; // of the components
    bool is_normalized;
    uint64_t sparse_count;     // elements that others take the place of
    const char *sparse_at;     // their numbers
    const char *sparse_values; // what takes their place, without gaps
    uint32_t sparse_bytes;     // of a number
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

// The bytes from an offset of a view that an object names; there must be `needed` of them.
static fr_status find_bytes(fr__gltf *gltf, uint32_t object, uint64_t count, uint32_t size, uint32_t *stride,
                            const char **data) {
    const fr__json *json = &gltf->json;
    uint64_t view = 0, offset = 0;
    fr__span bytes = {NULL, 0};
    FR__TRY(fr__gltf_index(gltf, fr__json_member(json, object, "bufferView"), FR__GLTF_VIEWS, "buffer view", &view));
    FR__TRY(fr__gltf_whole(gltf, object, "byteOffset", 0, &offset));
    FR__TRY(fr__gltf_view(gltf, view, &bytes, stride));
    if (*stride == 0) { *stride = size; }
    if (*stride < size || offset > bytes.length ||
        (count > 0 && (bytes.length - offset < size || (bytes.length - offset - size) / *stride < count - 1))) {
        return fr__gltf_fail(gltf, object, FR_ERROR_CORRUPT,
                             "%llu elements do not fit the %zu bytes of the buffer view", (unsigned long long)count,
                             bytes.length);
    }
    *data = bytes.begin + offset;
    return FR_OK;
}

static uint64_t sparse_number(const accessor *a, uint64_t i) {
    const char *at = a->sparse_at + i * a->sparse_bytes;
    if (a->sparse_bytes == 1) { return *(const unsigned char *)at; }
    return a->sparse_bytes == 2 ? fr__load_u16(at, false) : fr__load_u32(at, false);
}

// Elements that take the place of others; their numbers rise.
static fr_status find_sparse(fr__gltf *gltf, uint32_t token, accessor *a) {
    const fr__json *json = &gltf->json;
    uint32_t indices = fr__json_member(json, token, "indices"), values = fr__json_member(json, token, "values");
    uint32_t stride = 0;
    uint64_t type = 0;
    if (indices == 0 || values == 0) {
        return fr__gltf_fail(gltf, token, FR_ERROR_SYNTAX, "a sparse accessor has indices and values");
    }
    FR__TRY(fr__gltf_whole(gltf, token, "count", 0, &a->sparse_count));
    FR__TRY(fr__gltf_whole(gltf, indices, "componentType", 0, &type));
    a->sparse_bytes = bytes_of_type(type);
    if (a->sparse_bytes == 0 || type == 5120 || type == 5122 || type == 5126) {
        return fr__gltf_fail(gltf, indices, FR_ERROR_CORRUPT, "the indices of a sparse accessor are whole numbers");
    }
    FR__TRY(find_bytes(gltf, indices, a->sparse_count, a->sparse_bytes, &stride, &a->sparse_at));
    bool is_packed = stride == a->sparse_bytes;
    uint32_t size = a->component_bytes * a->width;
    FR__TRY(find_bytes(gltf, values, a->sparse_count, size, &stride, &a->sparse_values));
    if (!is_packed || stride != size) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "the views of a sparse accessor have no stride");
    }
    for (uint64_t i = 0; i < a->sparse_count; i++) {
        uint64_t number = sparse_number(a, i);
        if (number >= a->count || (i > 0 && number <= sparse_number(a, i - 1))) {
            return fr__gltf_fail(gltf, indices, FR_ERROR_CORRUPT, "index %llu of a sparse accessor is %llu of %llu",
                                 (unsigned long long)i, (unsigned long long)number, (unsigned long long)a->count);
        }
    }
    return FR_OK;
}

static fr_status find_accessor(fr__gltf *gltf, uint32_t reference, accessor *a) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    const fr__json *json = &gltf->json;
    uint64_t index = 0;
    *a = (accessor){.data = NULL};
    FR__TRY(fr__gltf_index(gltf, reference, FR__GLTF_ACCESSORS, "accessor", &index));
    uint32_t token = fr__gltf_item(gltf, FR__GLTF_ACCESSORS, index);
    FR__TRY(fr__gltf_whole(gltf, token, "count", 0, &a->count));
    FR__TRY(fr__gltf_whole(gltf, token, "componentType", 0, &a->type));
    a->component_bytes = bytes_of_type(a->type);
    for (uint32_t i = 0; i < 4; i++) {
        if (fr__json_is(json, fr__json_member(json, token, "type"), types[i])) { a->width = i + 1; }
    }
    uint32_t normalized = fr__json_member(json, token, "normalized");
    a->is_normalized = normalized != 0 && *fr__json_text(json, normalized).begin == 't';
    if (a->component_bytes == 0 || a->width == 0) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "an accessor has no known type");
    }
    if (fr__json_member(json, token, "bufferView") != 0) {
        FR__TRY(find_bytes(gltf, token, a->count, a->component_bytes * a->width, &a->stride, &a->data));
    } else {
        // Zeros that no byte of the file stands for are counted before they are made.
        FR__TRY(fr__gltf_count(gltf, token, a->count));
    }
    uint32_t sparse = fr__json_member(json, token, "sparse");
    return sparse != 0 ? find_sparse(gltf, sparse, a) : FR_OK;
}

static double component(const accessor *a, const char *at) {
    switch (a->type) {
    case 5120: {
        double value = (double)*(const signed char *)at;
        return a->is_normalized ? fmax(value / 127.0, -1.0) : value;
    }
    case 5121:
        return a->is_normalized ? (double)*(const unsigned char *)at / 255.0 : (double)*(const unsigned char *)at;
    case 5122: {
        double value = (double)(int16_t)fr__load_u16(at, false);
        return a->is_normalized ? fmax(value / 32767.0, -1.0) : value;
    }
    case 5123: {
        double value = (double)fr__load_u16(at, false);
        return a->is_normalized ? value / 65535.0 : value;
    }
    case 5125: return (double)fr__load_u32(at, false);
    default: return (double)fr__load_float(at, false);
    }
}

// Component `k` of an element at `at`; where there are none it is zero.
static double value_at(const accessor *a, const char *at, uint32_t k) {
    return at != NULL ? component(a, at + (size_t)k * a->component_bytes) : 0.0;
}

static fr_status pack_element(fr__gltf *gltf, uint32_t token, const accessor *a, const char *at, uint64_t i,
                              uint32_t width, char *to) {
    for (uint32_t k = 0; k < width; k++) {
        // Colours of three parts are opaque.
        double value = k < a->width ? value_at(a, at, k) : 1.0;
        if (!isfinite(value)) {
            return fr__gltf_fail(gltf, token, FR_ERROR_NOT_FINITE, "element %llu of this accessor is not finite",
                                 (unsigned long long)i);
        }
        fr__store_float(to + (size_t)4 * k, (float)value);
    }
    return FR_OK;
}

static fr_status pack_floats(fr__gltf *gltf, uint32_t token, const accessor *a, uint32_t width, char *to) {
    for (uint64_t i = 0; i < a->count; i++) {
        const char *at = a->data != NULL ? a->data + i * a->stride : NULL;
        FR__TRY(pack_element(gltf, token, a, at, i, width, to + i * width * 4));
    }
    for (uint64_t s = 0; s < a->sparse_count; s++) {
        const char *at = a->sparse_values + s * a->component_bytes * a->width;
        uint64_t i = sparse_number(a, s);
        FR__TRY(pack_element(gltf, token, a, at, i, width, to + i * width * 4));
    }
    return FR_OK;
}

static fr_status pack_index(fr__gltf *gltf, uint32_t token, double value, uint64_t i, uint64_t limit, char *to) {
    if (!(value >= 0.0 && value < (double)limit)) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "index %llu is vertex %.0f of %llu", (unsigned long long)i,
                             value, (unsigned long long)limit);
    }
    fr__store_u32(to + i * 4, (uint32_t)value);
    return FR_OK;
}

static fr_status pack_indices(fr__gltf *gltf, uint32_t token, const accessor *a, uint64_t limit, char *to) {
    for (uint64_t i = 0; i < a->count; i++) {
        double value = value_at(a, a->data != NULL ? a->data + i * a->stride : NULL, 0);
        FR__TRY(pack_index(gltf, token, value, i, limit, to));
    }
    for (uint64_t s = 0; s < a->sparse_count; s++) {
        double value = value_at(a, a->sparse_values + s * a->component_bytes, 0);
        FR__TRY(pack_index(gltf, token, value, sparse_number(a, s), limit, to));
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

fr_status fr__gltf_floats(fr__gltf *gltf, uint32_t token, uint32_t width, fr_array *values) {
    accessor a;
    FR__TRY(find_accessor(gltf, token, &a));
    if (a.width != width || a.count == 0 || a.count > UINT32_MAX / 16) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "this accessor has not the type that is needed here");
    }
    FR__TRY(fr__gltf_count(gltf, token, a.count));
    values->count = 0;
    char *to = fr_array_push(values, (size_t)a.count * width);
    return to != NULL ? pack_floats(gltf, token, &a, width, to) : no_memory(gltf);
}

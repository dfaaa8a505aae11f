// Accessors of a glTF file: elements of a view, or zeros, with some put in the place of others where they are sparse.
// They are read as floats and whole numbers without gaps.
#include "bytes.h"
#include "gltf.h"

#include <math.h>
#include <string.h>

#define MAX_COUNT (UINT32_MAX / 16)

// What the format calls the types of components.
enum { TYPE_INT8 = 5120, TYPE_UINT8, TYPE_INT16, TYPE_UINT16, TYPE_UINT32 = 5125, TYPE_FLOAT };

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
    case TYPE_INT8:
    case TYPE_UINT8: return 1;
    case TYPE_INT16:
    case TYPE_UINT16: return 2;
    case TYPE_UINT32:
    case TYPE_FLOAT: return 4;
    default: return 0;
    }
}

// The bytes from an offset of a view that an object names; there must be `needed` of them.
static fr_status find_bytes(fr__gltf *gltf, fr_json_value object, uint64_t count, uint32_t size, uint32_t *stride,
                            const char **data) {
    const fr_json *json = gltf->json;
    uint64_t view = 0, offset = 0;
    fr__span bytes = {NULL, 0};
    FR__TRY(fr__gltf_index(gltf, fr_json_member(json, object, "bufferView"), FR__GLTF_VIEWS, "buffer view", &view));
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
static fr_status find_sparse(fr__gltf *gltf, fr_json_value token, accessor *a) {
    const fr_json *json = gltf->json;
    fr_json_value indices = fr_json_member(json, token, "indices"), values = fr_json_member(json, token, "values");
    uint32_t stride = 0;
    uint64_t type = 0;
    if (indices == FR_JSON_NONE || values == FR_JSON_NONE) {
        return fr__gltf_fail(gltf, token, FR_ERROR_SYNTAX, "a sparse accessor has indices and values");
    }
    FR__TRY(fr__gltf_whole(gltf, token, "count", 0, &a->sparse_count));
    FR__TRY(fr__gltf_whole(gltf, indices, "componentType", 0, &type));
    a->sparse_bytes = bytes_of_type(type);
    if (a->sparse_bytes == 0 || type == TYPE_INT8 || type == TYPE_INT16 || type == TYPE_FLOAT) {
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

static fr_status find_accessor(fr__gltf *gltf, fr_json_value reference, accessor *a) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    const fr_json *json = gltf->json;
    uint64_t index = 0;
    *a = (accessor){.data = NULL};
    FR__TRY(fr__gltf_index(gltf, reference, FR__GLTF_ACCESSORS, "accessor", &index));
    fr_json_value token = fr__gltf_item(gltf, FR__GLTF_ACCESSORS, index);
    FR__TRY(fr__gltf_whole(gltf, token, "count", 0, &a->count));
    FR__TRY(fr__gltf_whole(gltf, token, "componentType", 0, &a->type));
    a->component_bytes = bytes_of_type(a->type);
    fr_json_value type = fr_json_member(json, token, "type");
    for (uint32_t i = 0; i < 4; i++) {
        if (fr_json_equals(json, type, types[i])) { a->width = i + 1; }
    }
    // Columns of whole numbers would have gaps; those of floats have none.
    if (fr_json_equals(json, type, "MAT4") && a->type == TYPE_FLOAT) { a->width = 16; }
    fr_json_get_bool(json, fr_json_member(json, token, "normalized"), &a->is_normalized);
    if (a->component_bytes == 0 || a->width == 0) {
        return fr__gltf_fail(gltf, token, FR_ERROR_CORRUPT, "an accessor has no known type");
    }
    if (fr_json_member(json, token, "bufferView") != FR_JSON_NONE) {
        FR__TRY(find_bytes(gltf, token, a->count, a->component_bytes * a->width, &a->stride, &a->data));
    } else {
        const fr__gltf_element element = {a->count, a->type, a->width, a->component_bytes * a->width};
        a->stride = element.size;
        FR__TRY(fr__gltf_draco_elements(gltf, index, &element, &a->data));
        // Zeros that no byte of the file stands for are counted before they are made.
        if (a->data == NULL) { FR__TRY(fr__gltf_count_zeros(gltf, token, a->count)); }
    }
    fr_json_value sparse = fr_json_member(json, token, "sparse");
    return sparse != FR_JSON_NONE ? find_sparse(gltf, sparse, a) : FR_OK;
}

static double component(const accessor *a, const char *at) {
    switch (a->type) {
    case TYPE_INT8: {
        double value = (double)*(const signed char *)at;
        return a->is_normalized ? fmax(value / 127.0, -1.0) : value;
    }
    case TYPE_UINT8:
        return a->is_normalized ? (double)*(const unsigned char *)at / 255.0 : (double)*(const unsigned char *)at;
    case TYPE_INT16: {
        double value = (double)(int16_t)fr__load_u16(at, false);
        return a->is_normalized ? fmax(value / 32767.0, -1.0) : value;
    }
    case TYPE_UINT16: {
        double value = (double)fr__load_u16(at, false);
        return a->is_normalized ? value / 65535.0 : value;
    }
    case TYPE_UINT32: return (double)fr__load_u32(at, false);
    default: return (double)fr__load_float(at, false);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Floats

// One element; components that it has not are 1: colours of three parts are opaque.
static void read_element(const accessor *a, const char *at, uint32_t width, float *out) {
    for (uint32_t k = 0; k < width; k++) {
        out[k] = k < a->width ? (float)component(a, at + (size_t)k * a->component_bytes) : 1.0f;
    }
}

static void read_floats(const accessor *a, uint32_t width, float *out) {
    size_t total = (size_t)a->count * width;
    if (a->data == NULL) {
        for (size_t i = 0; i < total; i++) {
            out[i] = i % width < a->width ? 0.0f : 1.0f;
        }
    } else if (a->type == TYPE_FLOAT && a->width == width) {
        for (size_t i = 0; i < a->count; i++) {
            for (uint32_t k = 0; k < width; k++) {
                out[i * width + k] = fr__load_float(a->data + i * a->stride + (size_t)4 * k, false);
            }
        }
    } else {
        for (size_t i = 0; i < a->count; i++) {
            read_element(a, a->data + i * a->stride, width, out + i * width);
        }
    }
    for (uint64_t s = 0; s < a->sparse_count; s++) {
        read_element(a, a->sparse_values + s * a->component_bytes * a->width, width, out + sparse_number(a, s) * width);
    }
}

fr_status fr__gltf_check_finite(fr__gltf *gltf, fr_json_value value, uint32_t width, const fr_float_array *floats) {
    bool is_finite = true;
    for (size_t i = 0; i < floats->count; i++) {
        is_finite = is_finite & (fabsf(floats->data[i]) <= 3.402823466e38f);
    }
    for (size_t i = 0; i < floats->count && !is_finite; i++) {
        if (isfinite(floats->data[i])) { continue; }
        return fr__gltf_fail(gltf, value, FR_ERROR_NOT_FINITE, "element %zu of this accessor is not finite", i / width);
    }
    return FR_OK;
}

fr_status fr__gltf_floats(fr__gltf *gltf, fr_json_value value, uint32_t width, bool is_color, fr_float_array *out) {
    accessor a;
    FR__TRY(find_accessor(gltf, value, &a));
    bool fits = a.width == width || (is_color && a.width + 1 == width);
    if (!fits || a.count == 0 || a.count > MAX_COUNT) {
        return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "this accessor has not the type that is needed here");
    }
    out->count = 0;
    float *to = fr_float_array_push(out, (size_t)a.count * width);
    if (to == NULL) { return fr__gltf_no_memory(gltf); }
    read_floats(&a, width, to);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Whole numbers

static uint32_t index_at(const accessor *a, const char *at) {
    if (a->type == TYPE_UINT8) { return *(const unsigned char *)at; }
    return a->type == TYPE_UINT16 ? fr__load_u16(at, false) : fr__load_u32(at, false);
}

fr_status fr__gltf_indices(fr__gltf *gltf, fr_json_value value, uint64_t limit, fr_uint32_array *out) {
    accessor a;
    FR__TRY(find_accessor(gltf, value, &a));
    bool fits = a.width == 1 && (a.type == TYPE_UINT8 || a.type == TYPE_UINT16 || a.type == TYPE_UINT32);
    if (!fits || a.count == 0 || a.count > MAX_COUNT) {
        return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "this accessor has not the type that is needed here");
    }
    out->count = 0;
    uint32_t *to = fr_uint32_array_push(out, (size_t)a.count);
    if (to == NULL) { return fr__gltf_no_memory(gltf); }
    uint32_t highest = 0;
    for (uint64_t i = 0; i < a.count; i++) {
        to[i] = a.data != NULL ? index_at(&a, a.data + i * a.stride) : 0;
    }
    for (uint64_t s = 0; s < a.sparse_count; s++) {
        to[sparse_number(&a, s)] = index_at(&a, a.sparse_values + s * a.component_bytes);
    }
    for (uint64_t i = 0; i < a.count; i++) {
        highest = to[i] > highest ? to[i] : highest;
    }
    for (uint64_t i = 0; i < a.count && highest >= limit; i++) {
        if (to[i] < limit) { continue; }
        return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "index %llu is vertex %u of %llu", (unsigned long long)i,
                             to[i], (unsigned long long)limit);
    }
    return FR_OK;
}

// Where the vertices of a GLB file are at a time, straight from its bytes in long double: nothing of the reader is
// used. For files with whole accessors in one binary part, and linear keys.
#ifndef FUREAI_TEST_MODEL_GLTF_REFERENCE_H
#define FUREAI_TEST_MODEL_GLTF_REFERENCE_H

#include "text_model.h"

#include "fureai/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct gltf_reference {
    fr_json *json;
    const unsigned char *binary;
    uint32_t node_count;
    uint32_t parents[200];
} gltf_reference;

typedef struct reference_list {
    const unsigned char *data;
    uint32_t count, width, type;
    size_t stride;
} reference_list;

static inline fr_json_value item_of(const fr_json *json, fr_json_value list, uint32_t index) {
    fr_json_value item = fr_json_first(json, list);
    for (uint32_t i = 0; i < index; i++) {
        item = fr_json_next(json, item);
    }
    return item;
}

static inline fr_json_value listed(const gltf_reference *r, const char *list, uint64_t index) {
    return item_of(r->json, fr_json_member(r->json, FR_JSON_ROOT, list), (uint32_t)index);
}

static inline uint32_t whole_of(const gltf_reference *r, fr_json_value object, const char *key, uint32_t usual) {
    uint64_t value = usual;
    fr_json_get_whole(r->json, fr_json_member(r->json, object, key), &value);
    return (uint32_t)value;
}

static inline gltf_reference reference_open(const unsigned char *bytes) {
    gltf_reference r = {.json = NULL};
    uint32_t text = 0;
    memcpy(&text, bytes + 12, 4);
    fr_json_def def = fr_default_json_def();
    assert_int_equal(fr_json_create((const char *)bytes + 20, text, &def, &r.json, NULL), FR_OK);
    r.binary = bytes + 20 + text + 8;
    fr_json_value nodes = fr_json_member(r.json, FR_JSON_ROOT, "nodes");
    r.node_count = fr_json_count(r.json, nodes);
    assert_true(r.node_count <= 200);
    memset(r.parents, 0xff, sizeof r.parents);
    for (uint32_t i = 0; i < r.node_count; i++) {
        fr_json_value children = fr_json_member(r.json, listed(&r, "nodes", i), "children");
        for (fr_json_value c = children != FR_JSON_NONE ? fr_json_first(r.json, children) : FR_JSON_NONE;
             c != FR_JSON_NONE; c = fr_json_next(r.json, c)) {
            uint64_t child = 0;
            assert_true(fr_json_get_whole(r.json, c, &child));
            r.parents[child] = i;
        }
    }
    return r;
}

static inline reference_list reference_accessor(const gltf_reference *r, uint32_t index) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"};
    static const uint32_t widths[] = {1, 2, 3, 4, 16};
    fr_json_value a = listed(r, "accessors", index);
    fr_json_value view = listed(r, "bufferViews", whole_of(r, a, "bufferView", 0));
    reference_list list = {.data = r->binary + whole_of(r, a, "byteOffset", 0) + whole_of(r, view, "byteOffset", 0),
                           .count = whole_of(r, a, "count", 0),
                           .type = whole_of(r, a, "componentType", 0)};
    for (int i = 0; i < 5; i++) {
        if (fr_json_equals(r->json, fr_json_member(r->json, a, "type"), types[i])) { list.width = widths[i]; }
    }
    uint32_t size = list.type == 5126 || list.type == 5125 ? 4 : list.type == 5123 ? 2 : 1;
    list.stride = whole_of(r, view, "byteStride", size * list.width);
    return list;
}

static inline long double reference_number(const reference_list *list, size_t element, uint32_t k) {
    const unsigned char *at = list->data + element * list->stride;
    float single = 0.0f;
    uint16_t pair = 0;
    switch (list->type) {
    case 5121: return at[k];
    case 5123: memcpy(&pair, at + (size_t)2 * k, 2); return pair;
    default: memcpy(&single, at + (size_t)4 * k, 4); return single;
    }
}

// The value of a sampler at a time: linear, turns by the great circle.
static inline void reference_sample(const gltf_reference *r, fr_json_value sampler, long double time, uint32_t width,
                                    long double *out) {
    reference_list keys = reference_accessor(r, whole_of(r, sampler, "input", 0));
    reference_list values = reference_accessor(r, whole_of(r, sampler, "output", 0));
    uint32_t key = 0;
    while (key + 1 < keys.count && reference_number(&keys, key + 1, 0) <= time) {
        key++;
    }
    long double a[64], b[64], t = 0.0L;
    uint32_t next = key + 1 < keys.count && reference_number(&keys, key, 0) < time ? key + 1 : key;
    for (uint32_t k = 0; k < width; k++) {
        bool is_scalar = values.width == 1;
        a[k] = is_scalar ? reference_number(&values, (size_t)key * width + k, 0) : reference_number(&values, key, k);
        b[k] = is_scalar ? reference_number(&values, (size_t)next * width + k, 0) : reference_number(&values, next, k);
    }
    if (next > key) {
        long double from = reference_number(&keys, key, 0), to = reference_number(&keys, next, 0);
        t = (time - from) / (to - from);
    }
    bool is_turn = values.width == 4;
    long double dot = 0.0L, sign = 1.0L, wa = 1.0L - t, wb = t;
    if (is_turn) {
        long double na = 0.0L, nb = 0.0L;
        for (int k = 0; k < 4; k++) {
            na += a[k] * a[k];
            nb += b[k] * b[k];
            dot += a[k] * b[k];
        }
        for (int k = 0; k < 4; k++) {
            a[k] /= sqrtl(na);
            b[k] /= sqrtl(nb);
        }
        dot /= sqrtl(na * nb);
        sign = dot < 0.0L ? -1.0L : 1.0L;
        dot = fabsl(dot);
        if (dot < 1.0L - 1e-17L) {
            long double angle = acosl(dot);
            wa = sinl((1.0L - t) * angle) / sinl(angle);
            wb = sinl(t * angle) / sinl(angle);
        }
    }
    for (uint32_t k = 0; k < width; k++) {
        out[k] = wa * a[k] + sign * wb * b[k];
    }
}

// What the animations say of a node's path at a time; false where they say nothing.
static inline bool reference_animated(const gltf_reference *r, uint32_t node, const char *path, long double time,
                                      uint32_t width, long double *out) {
    fr_json_value animations = fr_json_member(r->json, FR_JSON_ROOT, "animations");
    bool is_found = false;
    if (animations == FR_JSON_NONE) { return false; }
    for (fr_json_value a = fr_json_first(r->json, animations); a != FR_JSON_NONE; a = fr_json_next(r->json, a)) {
        fr_json_value channels = fr_json_member(r->json, a, "channels");
        for (fr_json_value c = fr_json_first(r->json, channels); c != FR_JSON_NONE; c = fr_json_next(r->json, c)) {
            fr_json_value target = fr_json_member(r->json, c, "target");
            if (whole_of(r, target, "node", FR_NONE) != node ||
                !fr_json_equals(r->json, fr_json_member(r->json, target, "path"), path)) {
                continue;
            }
            fr_json_value samplers = fr_json_member(r->json, a, "samplers");
            reference_sample(r, item_of(r->json, samplers, whole_of(r, c, "sampler", 0)), time, width, out);
            is_found = true;
        }
    }
    return is_found;
}

static inline void reference_multiply(const long double a[16], const long double b[16], long double out[16]) {
    long double product[16];
    for (int i = 0; i < 16; i++) {
        product[i] = 0.0L;
        for (int k = 0; k < 4; k++) {
            product[i] += a[i / 4 * 4 + k] * b[4 * k + i % 4];
        }
    }
    memcpy(out, product, sizeof product);
}

// The matrix of a node in its parent's frame, by rows.
static inline void reference_local(const gltf_reference *r, uint32_t node, long double time, long double m[16]) {
    fr_json_value value = listed(r, "nodes", node);
    double columns[16], given[4];
    if (fr_json_get_numbers(r->json, fr_json_member(r->json, value, "matrix"), 16, columns)) {
        for (int i = 0; i < 16; i++) {
            m[i] = (long double)columns[4 * (i % 4) + i / 4];
        }
        return;
    }
    long double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    struct {
        const char *path;
        uint32_t width;
        long double *to;
    } parts[] = {{"translation", 3, t}, {"rotation", 4, q}, {"scale", 3, s}};
    for (int i = 0; i < 3; i++) {
        if (fr_json_get_numbers(r->json, fr_json_member(r->json, value, parts[i].path), parts[i].width, given)) {
            for (uint32_t k = 0; k < parts[i].width; k++) {
                parts[i].to[k] = (long double)given[k];
            }
        }
        reference_animated(r, node, parts[i].path, time, parts[i].width, parts[i].to);
    }
    long double n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    long double x = q[0], y = q[1], z = q[2], w = q[3];
    const long double turn[9] = {1 - 2 * (y * y + z * z) / n, 2 * (x * y - z * w) / n,     2 * (x * z + y * w) / n,
                                 2 * (x * y + z * w) / n,     1 - 2 * (x * x + z * z) / n, 2 * (y * z - x * w) / n,
                                 2 * (x * z - y * w) / n,     2 * (y * z + x * w) / n,     1 - 2 * (x * x + y * y) / n};
    for (int i = 0; i < 16; i++) {
        m[i] = i == 15 ? 1.0L : i / 4 == 3 ? 0.0L : i % 4 == 3 ? t[i / 4] : turn[3 * (i / 4) + i % 4] * s[i % 4];
    }
}

static inline void reference_global(const gltf_reference *r, uint32_t node, long double time, long double m[16]) {
    reference_local(r, node, time, m);
    for (uint32_t at = r->parents[node]; at != FR_NONE; at = r->parents[at]) {
        long double above[16];
        reference_local(r, at, time, above);
        reference_multiply(above, m, m);
    }
}

// A position of the first primitive with its shapes.
static inline void reference_position(const gltf_reference *r, uint32_t node, fr_json_value primitive,
                                      const long double *weights, uint32_t vertex, long double p[4]) {
    reference_list positions =
        reference_accessor(r, whole_of(r, fr_json_member(r->json, primitive, "attributes"), "POSITION", 0));
    (void)node;
    for (uint32_t k = 0; k < 3; k++) {
        p[k] = reference_number(&positions, vertex, k);
    }
    p[3] = 1.0L;
    fr_json_value targets = fr_json_member(r->json, primitive, "targets");
    uint32_t i = 0;
    for (fr_json_value t = targets != FR_JSON_NONE ? fr_json_first(r->json, targets) : FR_JSON_NONE; t != FR_JSON_NONE;
         t = fr_json_next(r->json, t), i++) {
        reference_list list = reference_accessor(r, whole_of(r, t, "POSITION", 0));
        for (uint32_t k = 0; k < 3; k++) {
            p[k] += weights[i] * reference_number(&list, vertex, k);
        }
    }
}

// Rows of 16 for each joint of a skin: matrix of the joint times its inverse bind. The caller frees them.
static inline long double *reference_joints(const gltf_reference *r, fr_json_value skin, long double time) {
    fr_json_value joints = fr_json_member(r->json, skin, "joints");
    uint32_t count = fr_json_count(r->json, joints);
    reference_list binds = reference_accessor(r, whole_of(r, skin, "inverseBindMatrices", 0));
    long double *all = malloc(count * 16 * sizeof *all);
    assert_non_null(all);
    for (uint32_t j = 0; j < count; j++) {
        uint64_t node = 0;
        long double now[16], bind[16];
        assert_true(fr_json_get_whole(r->json, item_of(r->json, joints, j), &node));
        reference_global(r, (uint32_t)node, time, now);
        for (uint32_t i = 0; i < 16; i++) {
            bind[i] = reference_number(&binds, j, 4 * (i % 4) + i / 4);
        }
        reference_multiply(now, bind, all + (size_t)16 * j);
    }
    return all;
}

// The vertices of the mesh of a node, of its first primitive, in the file's frame. Returns how many; `out` has room.
static inline uint32_t reference_vertices(const gltf_reference *r, uint32_t node, long double time, fr_vec3 *out) {
    fr_json_value value = listed(r, "nodes", node);
    fr_json_value mesh = listed(r, "meshes", whole_of(r, value, "mesh", 0));
    fr_json_value primitive = fr_json_first(r->json, fr_json_member(r->json, mesh, "primitives"));
    fr_json_value attributes = fr_json_member(r->json, primitive, "attributes");
    uint32_t count = reference_accessor(r, whole_of(r, attributes, "POSITION", 0)).count;
    uint32_t skin = whole_of(r, value, "skin", FR_NONE);
    long double weights[64] = {0}, own[16], *joints = NULL;
    fr_json_value targets = fr_json_member(r->json, primitive, "targets");
    if (targets != FR_JSON_NONE) {
        reference_animated(r, node, "weights", time, fr_json_count(r->json, targets), weights);
    }
    reference_list bones = {0}, shares = {0};
    reference_global(r, node, time, own);
    if (skin != FR_NONE) {
        joints = reference_joints(r, listed(r, "skins", skin), time);
        bones = reference_accessor(r, whole_of(r, attributes, "JOINTS_0", 0));
        shares = reference_accessor(r, whole_of(r, attributes, "WEIGHTS_0", 0));
    }
    for (uint32_t v = 0; v < count; v++) {
        long double p[4], to[3] = {0, 0, 0}, sum = 0.0L;
        reference_position(r, node, primitive, weights, v, p);
        for (uint32_t k = 0; k < (joints != NULL ? 4u : 1u); k++) {
            long double weight = joints != NULL ? reference_number(&shares, v, k) : 1.0L;
            const long double *m =
                joints != NULL ? joints + 16 * (size_t)reference_number(&bones, v, k) : (const long double *)own;
            for (int i = 0; i < 3; i++) {
                to[i] += weight * (m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3]);
            }
            sum += weight;
        }
        out[v] = fr_vec3_make((double)(to[0] / sum), (double)(to[1] / sum), (double)(to[2] / sum));
    }
    free(joints);
    return count;
}

#endif

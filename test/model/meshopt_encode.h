// Streams of compressed buffer views, for tests: valid ones that choose among the ways to store a thing at random, so
// that every way is met. Sizes are of no concern.
#ifndef FUREAI_TEST_MESHOPT_ENCODE_H
#define FUREAI_TEST_MESHOPT_ENCODE_H

#include "fureai/base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static inline void put_byte(fr_byte_array *to, unsigned value) {
    unsigned char *place = fr_byte_array_push(to, 1);
    if (place == NULL) { abort(); }
    *place = (unsigned char)value;
}

// The lowest 7 bits first.
static inline void put_number(fr_byte_array *to, uint32_t value) {
    for (; value >= 128; value >>= 7) {
        put_byte(to, 128 | (value & 127));
    }
    put_byte(to, value);
}

static inline uint32_t zigzag(uint32_t difference, int bits) {
    uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    bool is_negative = (difference >> (bits - 1) & 1) != 0;
    return (is_negative ? ~(difference << 1) : difference << 1) & mask;
}

// ---------------------------------------------------------------------------------------------------------------
// Elements

// A group of 16 in `bits` bits each; those that do not fit follow as bytes.
static inline void put_group(fr_byte_array *to, const unsigned char v[16], unsigned bits) {
    unsigned per_byte = bits > 0 ? 8 / bits : 16, sentinel = (1u << bits) - 1;
    for (unsigned i = 0; bits > 0 && i < 16; i += per_byte) {
        unsigned packed = 0;
        for (unsigned k = 0; k < per_byte; k++) {
            unsigned value = bits == 8 || v[i + k] < sentinel ? v[i + k] : sentinel;
            packed |= value << (bits == 1 ? k : 8 - bits * (k + 1));
        }
        put_byte(to, packed);
    }
    for (unsigned i = 0; bits > 0 && bits < 8 && i < 16; i++) {
        if (v[i] >= sentinel) { put_byte(to, v[i]); }
    }
}

static inline bool are_zero(const unsigned char *v, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (v[i] != 0) { return false; }
    }
    return true;
}

// The differences at one place of a block, in a control mode that fits; version 0 has none.
static inline unsigned put_plane(fr_byte_array *to, const unsigned char *v, size_t count, int version,
                                 fr_random *random) {
    static const unsigned widths[3][4] = {{0, 1, 2, 4}, {1, 2, 4, 8}, {0, 2, 4, 8}};
    unsigned control = version == 0 ? 0 : (unsigned)fr_random_below(random, 4);
    if (control == 2 && !are_zero(v, count)) { control = 1; }
    if (control == 2) { return control; }
    for (size_t i = 0; control == 3 && i < count; i++) {
        put_byte(to, v[i]);
    }
    if (control == 3) { return control; }
    size_t groups = (count + 15) / 16, header = to->count;
    for (size_t i = 0; i < (groups + 3) / 4; i++) {
        put_byte(to, 0);
    }
    for (size_t g = 0; g < groups; g++) {
        unsigned choice = (unsigned)fr_random_below(random, 4);
        const unsigned *width = widths[version == 0 ? 2 : control];
        if (width[choice] == 0 && !are_zero(v + 16 * g, 16)) { choice = 3; }
        to->data[header + g / 4] = (unsigned char)(to->data[header + g / 4] | choice << g % 4 * 2);
        put_group(to, v + 16 * g, width[choice]);
    }
    return control;
}

static inline uint32_t load_little(const unsigned char *at, int bytes) {
    uint32_t value = 0;
    for (int i = bytes - 1; i >= 0; i--) {
        value = value << 8 | at[i];
    }
    return value;
}

// The four bytes that are stored for an element's at a place after `last`, in a channel mode.
static inline uint32_t difference_of(const unsigned char *now, const unsigned char *last, unsigned mode) {
    uint32_t all = 0;
    if ((mode & 15) == 2) {
        unsigned turn = mode >> 4;
        all = load_little(now, 4) ^ load_little(last, 4);
        return turn > 0 ? all << turn | all >> (32 - turn) : all;
    }
    int width = mode == 0 ? 1 : 2;
    for (int i = 0; i < 4; i += width) {
        uint32_t change = load_little(now + i, width) - load_little(last + i, width);
        all |= zigzag(change, 8 * width) << 8 * i;
    }
    return all;
}

static inline void encode_attributes(const unsigned char *elements, size_t count, size_t stride, int version,
                                     fr_random *random, fr_byte_array *to) {
    unsigned char modes[64], first[256], plane[256];
    size_t max_block = 8192 / stride / 16 * 16;
    if (max_block > 256) { max_block = 256; }
    to->count = 0;
    put_byte(to, version == 0 ? 0xa0 : 0xa1);
    for (size_t k = 0; k < stride; k++) {
        first[k] = (unsigned char)fr_random_bits(random);
        unsigned mode = version == 0 ? 0 : (unsigned)fr_random_below(random, 3);
        if (mode == 2) { mode |= (unsigned)fr_random_below(random, 16) << 4; }
        modes[k / 4] = (unsigned char)mode;
    }
    for (size_t begin = 0; begin < count; begin += max_block) {
        size_t block = count - begin < max_block ? count - begin : max_block, controls = to->count;
        for (size_t k = 0; version == 1 && k < stride / 4; k++) {
            put_byte(to, 0);
        }
        for (size_t k = 0; k < stride; k++) {
            memset(plane, 0, sizeof plane);
            for (size_t i = 0; i < block; i++) {
                const unsigned char *now = elements + (begin + i) * stride + k / 4 * 4;
                const unsigned char *last = begin + i > 0 ? now - stride : first + k / 4 * 4;
                plane[i] = (unsigned char)(difference_of(now, last, modes[k / 4]) >> 8 * (k % 4));
            }
            unsigned control = put_plane(to, plane, block, version, random);
            if (version == 0) { continue; }
            to->data[controls + k / 4] = (unsigned char)(to->data[controls + k / 4] | control << k % 4 * 2);
        }
    }
    size_t tail = version == 0 ? stride : stride + stride / 4;
    for (size_t min = version == 0 ? 32 : 24; tail < min; tail++) {
        put_byte(to, 0);
    }
    for (size_t k = 0; k < stride; k++) {
        put_byte(to, first[k]);
    }
    for (size_t k = 0; version == 1 && k < stride / 4; k++) {
        put_byte(to, modes[k]);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Indices

static inline void encode_indices(const uint32_t *indices, size_t count, fr_random *random, fr_byte_array *to) {
    uint32_t last[2] = {0, 0};
    to->count = 0;
    put_byte(to, 0xd1);
    for (size_t i = 0; i < count; i++) {
        uint32_t which = (uint32_t)fr_random_below(random, 2);
        put_number(to, zigzag(indices[i] - last[which], 31) << 1 | which);
        last[which] = indices[i];
    }
    for (int i = 0; i < 4; i++) {
        put_byte(to, 0);
    }
}

// What a decoder of triangles remembers, the newest first.
typedef struct triangle_memory {
    uint32_t next, last;
    uint32_t edges[16][2], vertices[16];
    unsigned edge_count, vertex_count;
} triangle_memory;

static inline void remember_edge(triangle_memory *m, uint32_t a, uint32_t b) {
    memmove(m->edges[1], m->edges[0], 15 * sizeof m->edges[0]);
    m->edges[0][0] = a;
    m->edges[0][1] = b;
    m->edge_count += m->edge_count < 16;
}

static inline void remember_vertex(triangle_memory *m, uint32_t vertex) {
    memmove(m->vertices + 1, m->vertices, 15 * sizeof m->vertices[0]);
    m->vertices[0] = vertex;
    m->vertex_count += m->vertex_count < 16;
}

// A vertex that is neither the next one nor remembered.
static inline uint32_t store_vertex(triangle_memory *m, fr_random *random, fr_byte_array *data) {
    uint32_t vertex = (uint32_t)fr_random_below(random, 60000);
    put_number(data, zigzag(vertex - m->last, 32));
    m->last = vertex;
    return vertex;
}

// One of the vertices of a triangle without an edge: `how` is 0 for the next, 15 for a stored one, else remembered.
static inline uint32_t choose_vertex(triangle_memory *m, unsigned how, fr_random *random, fr_byte_array *data) {
    if (how == 0) { return m->next++; }
    return how == 15 ? store_vertex(m, random, data) : m->vertices[how - 1];
}

static inline unsigned choose_how(const triangle_memory *m, bool may_store, fr_random *random) {
    unsigned how = (unsigned)fr_random_below(random, may_store ? 16 : 15);
    return how == 15 || how <= m->vertex_count ? how : 0;
}

static inline unsigned make_edge_triangle(triangle_memory *m, fr_random *random, fr_byte_array *data,
                                          uint32_t triangle[3]) {
    unsigned count = m->edge_count < 15 ? m->edge_count : 15, age = (unsigned)fr_random_below(random, count);
    unsigned how = (unsigned)fr_random_below(random, 16);
    if (how > 0 && how < 13 && how >= m->vertex_count) { how = 0; }
    uint32_t a = m->edges[age][0], b = m->edges[age][1], c;
    if (how == 0) {
        c = m->next++;
    } else if (how < 13) {
        c = m->vertices[how];
    } else if (how < 15) {
        c = m->last = how == 13 ? m->last - 1 : m->last + 1;
    } else {
        c = store_vertex(m, random, data);
    }
    remember_edge(m, c, b);
    remember_edge(m, a, c);
    if (how == 0 || how >= 13) { remember_vertex(m, c); }
    memcpy(triangle, (const uint32_t[3]){a, b, c}, 3 * sizeof *triangle);
    return age << 4 | how;
}

static inline unsigned make_free_triangle(triangle_memory *m, const unsigned char table[16], fr_random *random,
                                          fr_byte_array *data, uint32_t triangle[3]) {
    unsigned entry = (unsigned)fr_random_below(random, 16);
    unsigned how = table[entry];
    if (entry < 14 && (how >> 4 > m->vertex_count || (how & 15) > m->vertex_count)) { entry = 14; }
    if (entry >= 14) {
        how = choose_how(m, true, random) << 4 | choose_how(m, true, random);
        put_byte(data, how);
        if (how == 0) { m->next = 0; }
    }
    uint32_t a = entry == 15 ? store_vertex(m, random, data) : m->next++;
    uint32_t b = choose_vertex(m, how >> 4, random, data), c = choose_vertex(m, how & 15, random, data);
    remember_edge(m, b, a);
    remember_edge(m, c, b);
    remember_edge(m, a, c);
    remember_vertex(m, a);
    if (how >> 4 == 0 || how >> 4 == 15) { remember_vertex(m, b); }
    if ((how & 15) == 0 || (how & 15) == 15) { remember_vertex(m, c); }
    memcpy(triangle, (const uint32_t[3]){a, b, c}, 3 * sizeof *triangle);
    return 0xf0 | entry;
}

// Triangles made up on the way: a stream, and the indices that it stands for.
static inline void encode_triangles(size_t count, fr_random *random, uint32_t *indices, fr_byte_array *to) {
    fr_byte_array data = fr_byte_array_make(NULL);
    triangle_memory m = {.next = 0};
    unsigned char table[16] = {0};
    for (int i = 1; i < 14; i++) {
        table[i] = (unsigned char)(fr_random_below(random, 15) << 4 | fr_random_below(random, 15));
    }
    to->count = 0;
    put_byte(to, 0xe1);
    for (size_t i = 0; i < count; i++) {
        bool has_edge = m.edge_count > 0 && fr_random_below(random, 4) != 0;
        put_byte(to, has_edge ? make_edge_triangle(&m, random, &data, indices + 3 * i)
                              : make_free_triangle(&m, table, random, &data, indices + 3 * i));
    }
    for (size_t i = 0; i < data.count; i++) {
        put_byte(to, data.data[i]);
    }
    for (int i = 0; i < 16; i++) {
        put_byte(to, table[i]);
    }
    fr_byte_array_destroy(&data);
}

#endif

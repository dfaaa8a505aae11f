// The two streams of indices of a compressed buffer view: triangles, which name edges and vertices that came shortly
// before, and indices of any kind as differences.
#include "meshopt.h"

#include <string.h>

#define TRIANGLES_HEADER 0xe1
#define INDICES_HEADER 0xd1
#define RECENT 16 // edges and vertices that are remembered
#define EXPLICIT 15

// A number of 7 bits a byte, the lowest first; all bytes but the last have their highest bit set. False where it does
// not end within five bytes and before `end`.
static bool take_number(const unsigned char **at, const unsigned char *end, uint32_t *number) {
    *number = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        if (*at == end) { return false; }
        uint32_t byte = *(*at)++;
        *number |= (byte & 127) << shift;
        if (byte < 128) { return true; }
    }
    return false;
}

static uint32_t unzigzag(uint32_t v) { return (v & 1) != 0 ? ~(v >> 1) : v >> 1; }

static void put_index(unsigned char *to, size_t stride, uint32_t index) {
    for (size_t i = 0; i < stride; i++) {
        to[i] = (unsigned char)(index >> 8 * i);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Indices

bool fr__meshopt_indices(const unsigned char *bytes, size_t size, size_t count, size_t stride, unsigned char *out) {
    if (size < 5 || bytes[0] != INDICES_HEADER) { return false; }
    const unsigned char *at = bytes + 1, *end = bytes + size - 4;
    uint32_t last[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        uint32_t v = 0;
        if (!take_number(&at, end, &v)) { return false; }
        last[v & 1] += unzigzag(v >> 1);
        put_index(out + i * stride, stride, last[v & 1]);
    }
    return at == end;
}

// ---------------------------------------------------------------------------------------------------------------
// Triangles

typedef struct decoder {
    const unsigned char *at, *end; // of the data
    const unsigned char *table;    // of the codes of triangles that begin with a new vertex
    uint32_t next;                 // the vertex that was not named yet
    uint32_t last;                 // the index that differences count from
    uint32_t edges[RECENT][2], vertices[RECENT];
    size_t edge_count, vertex_count; // pushed so far
    bool is_valid;
} decoder;

static void push_edge(decoder *d, uint32_t a, uint32_t b) {
    uint32_t *edge = d->edges[d->edge_count++ % RECENT];
    edge[0] = a;
    edge[1] = b;
}

static void push_vertex(decoder *d, uint32_t vertex) { d->vertices[d->vertex_count++ % RECENT] = vertex; }

// The vertex that was pushed `age` pushes before the last one.
static uint32_t recent_vertex(decoder *d, unsigned age) {
    if (age >= d->vertex_count) {
        d->is_valid = false;
        return 0;
    }
    return d->vertices[(d->vertex_count - 1 - age) % RECENT];
}

static uint32_t stored_vertex(decoder *d) {
    uint32_t v = 0;
    d->is_valid = take_number(&d->at, d->end, &v) && d->is_valid;
    d->last += unzigzag(v);
    return d->last;
}

// A triangle on an edge that came before: code XY with X < 15.
static void take_edge_triangle(decoder *d, unsigned code, uint32_t triangle[3]) {
    unsigned age = code >> 4, how = code & 15;
    if (age >= d->edge_count) {
        d->is_valid = false;
        return;
    }
    const uint32_t *edge = d->edges[(d->edge_count - 1 - age) % RECENT];
    uint32_t a = edge[0], b = edge[1], c;
    switch (how) {
    case 0: c = d->next++; break;
    case 13: c = --d->last; break;
    case 14: c = ++d->last; break;
    case EXPLICIT: c = stored_vertex(d); break;
    default: c = recent_vertex(d, how); break;
    }
    push_edge(d, c, b);
    push_edge(d, a, c);
    if (how == 0 || how >= 13) { push_vertex(d, c); }
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

// The second or third vertex of a triangle that begins without an edge.
static uint32_t take_vertex(decoder *d, unsigned how) {
    if (how == 0) { return d->next++; }
    return how == EXPLICIT ? stored_vertex(d) : recent_vertex(d, how - 1);
}

// A triangle without an edge: code 15 Y.
static void take_free_triangle(decoder *d, unsigned code, uint32_t triangle[3]) {
    unsigned entry = code & 15, how = d->table[entry];
    if (entry >= 14) {
        if (d->at == d->end) {
            d->is_valid = false;
            return;
        }
        how = *d->at++;
        if (how == 0) { d->next = 0; }
    }
    unsigned second = how >> 4, third = how & 15;
    uint32_t a = entry == 15 ? stored_vertex(d) : d->next++;
    uint32_t b = take_vertex(d, second), c = take_vertex(d, third);
    push_edge(d, b, a);
    push_edge(d, c, b);
    push_edge(d, a, c);
    push_vertex(d, a);
    if (second == 0 || second == EXPLICIT) { push_vertex(d, b); }
    if (third == 0 || third == EXPLICIT) { push_vertex(d, c); }
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

static bool is_table(const unsigned char table[16]) {
    for (int i = 0; i < 16; i++) {
        if (table[i] >> 4 == EXPLICIT || (table[i] & 15) == EXPLICIT) { return false; }
    }
    return table[14] == 0 && table[15] == 0;
}

bool fr__meshopt_triangles(const unsigned char *bytes, size_t size, size_t count, size_t stride, unsigned char *out) {
    size_t triangles = count / 3;
    if (size < 17 + triangles || bytes[0] != TRIANGLES_HEADER || !is_table(bytes + size - 16)) { return false; }
    const unsigned char *codes = bytes + 1;
    decoder d = {.at = codes + triangles, .end = bytes + size - 16, .table = bytes + size - 16, .is_valid = true};
    for (size_t i = 0; i < triangles && d.is_valid; i++) {
        uint32_t triangle[3] = {0, 0, 0};
        if (codes[i] < 0xf0) {
            take_edge_triangle(&d, codes[i], triangle);
        } else {
            take_free_triangle(&d, codes[i], triangle);
        }
        for (size_t k = 0; k < 3; k++) {
            put_index(out + (3 * i + k) * stride, stride, triangle[k]);
        }
    }
    return d.is_valid && d.at == d.end;
}

// The inside of closed pieces, by parity along rows.
//
// Seen along x, every triangle covers some voxel centres (y, z). Where the ray through such a centre crosses it, all
// voxels whose centres lie beyond change sides: one bit is turned at the first of them, and at the end a bit of the row
// is the parity of those turned up to it. Positions are whole numbers, so a shared edge belongs to exactly one of its
// two triangles (the rule of top and left edges) and nothing leaks.
#include "octree/builder.h"

#include <string.h>

typedef struct crossing {
    uint32_t depth;
    int fraction;
    uint32_t row_words;
    uint32_t *rows;
    int64_t y0, y1, z0, z1; // rows that triangles so far may have turned a bit of: y0 .. y1 - 1, z0 .. z1 - 1
} crossing;

// A corner seen along x: y and z, and x as its height.
typedef struct seen_corner {
    int64_t x, y, z;
} seen_corner;

// An edge as a function of (y, z): not negative to the left of a -> b, and on it where a centre there belongs to this
// triangle.
typedef struct edge_line {
    int64_t value;  // at the first centre
    int64_t dy, dz; // from a centre to the next
} edge_line;

static edge_line line_of(const crossing *c, const seen_corner *a, const seen_corner *b, int64_t y, int64_t z) {
    int64_t ey = b->y - a->y, ez = b->z - a->z, one = (int64_t)1 << c->fraction;
    bool takes_zero = ez < 0 || (ez == 0 && ey < 0);
    edge_line e = {ey * (z - a->z) - ez * (y - a->y) - !takes_zero, -ez * one, ey * one};
    return e;
}

static int64_t min3(int64_t a, int64_t b, int64_t c) {
    int64_t m = a < b ? a : b;
    return m < c ? m : c;
}

static int64_t max3(int64_t a, int64_t b, int64_t c) { return -min3(-a, -b, -c); }

// The first voxel of an axis whose centre is at `at` or beyond.
static int64_t first_centre(const crossing *c, int64_t at) {
    int64_t half = (int64_t)1 << (c->fraction - 1);
    return (at - half + 2 * half - 1) >> c->fraction;
}

// The plane of a triangle: nx (x - ax) + ny (y - ay) + nz (z - az) = 0, with nx > 0.
typedef struct triangle_plane {
    int64_t nx, ny, nz;
    double inverse;
} triangle_plane;

// The first voxel whose centre is beyond the plane at the ray (y, z): nx (2^f (i + 1/2) - ax) > -(ny dy + nz dz).
// Guessed in floating point, then made sure of in whole numbers.
static int64_t first_beyond(const crossing *c, const triangle_plane *s, const seen_corner *a, int64_t y, int64_t z) {
    int64_t rest = s->ny * (y - a->y) + s->nz * (z - a->z), half = (int64_t)1 << (c->fraction - 1);
    double x = (double)a->x - (double)rest * s->inverse;
    int64_t i = (int64_t)((x - (double)half) * (0.5 / (double)half)) + 1;
    while (s->nx * (i * (2 * half) + half - a->x) + rest <= 0) {
        i++;
    }
    while (s->nx * ((i - 1) * (2 * half) + half - a->x) + rest > 0) {
        i--;
    }
    return i;
}

static void turn_bit(const crossing *c, int64_t y, int64_t z, int64_t i) {
    if (i >= (int64_t)1 << c->depth) { return; }
    size_t x = i > 0 ? (size_t)i : 0;
    size_t row = ((size_t)z << c->depth) + (size_t)y;
    c->rows[row * c->row_words + x / 32] ^= 1u << x % 32;
}

static void cross_triangle(crossing *c, const seen_corner corners[3]) {
    seen_corner p = corners[0], q = corners[1], r = corners[2];
    int64_t nx = (q.y - p.y) * (r.z - p.z) - (q.z - p.z) * (r.y - p.y);
    if (nx == 0) { return; }
    if (nx < 0) {
        seen_corner swapped = q;
        q = r;
        r = swapped;
        nx = -nx;
    }
    triangle_plane s = {nx, (q.z - p.z) * (r.x - p.x) - (q.x - p.x) * (r.z - p.z),
                        (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x), 1.0 / (double)nx};
    int64_t n = (int64_t)1 << c->depth, half = (int64_t)1 << (c->fraction - 1);
    int64_t y0 = first_centre(c, min3(p.y, q.y, r.y)), y1 = first_centre(c, max3(p.y, q.y, r.y) + 1);
    int64_t z0 = first_centre(c, min3(p.z, q.z, r.z)), z1 = first_centre(c, max3(p.z, q.z, r.z) + 1);
    y0 = y0 > 0 ? y0 : 0;
    z0 = z0 > 0 ? z0 : 0;
    y1 = y1 < n ? y1 : n;
    z1 = z1 < n ? z1 : n;
    if (y0 >= y1 || z0 >= z1) { return; }
    c->y0 = y0 < c->y0 ? y0 : c->y0;
    c->z0 = z0 < c->z0 ? z0 : c->z0;
    c->y1 = y1 > c->y1 ? y1 : c->y1;
    c->z1 = z1 > c->z1 ? z1 : c->z1;
    int64_t at_y = (y0 << c->fraction) + half, at_z = (z0 << c->fraction) + half;
    edge_line d = line_of(c, &p, &q, at_y, at_z), e = line_of(c, &q, &r, at_y, at_z),
              f = line_of(c, &r, &p, at_y, at_z);
    for (int64_t z = z0; z < z1; z++, d.value += d.dz, e.value += e.dz, f.value += f.dz) {
        int64_t of_d = d.value, of_e = e.value, of_f = f.value;
        for (int64_t y = y0; y < y1; y++, of_d += d.dy, of_e += e.dy, of_f += f.dy) {
            if ((of_d | of_e | of_f) < 0) { continue; }
            turn_bit(c, y, z, first_beyond(c, &s, &p, (y << c->fraction) + half, (z << c->fraction) + half));
        }
    }
}

// Every bit becomes the parity of all up to it, in one stretch of rows.
static void sum_parities(uint32_t *rows, size_t count, uint32_t row_words) {
    for (size_t i = 0; i < count; i++) {
        uint32_t w = rows[i];
        w ^= w << 1;
        w ^= w << 2;
        w ^= w << 4;
        w ^= w << 8;
        w ^= w << 16;
        rows[i] = w;
    }
    for (size_t i = 1; i < count && row_words > 1; i++) {
        if (i % row_words != 0 && rows[i - 1] >> 31 != 0) { rows[i] = ~rows[i]; }
    }
}

// Sums what a piece has turned, and moves it from the scratch rows to all.
static void close_piece(const crossing *c, uint32_t *rows) {
    for (int64_t z = c->z0; z < c->z1; z++) {
        size_t first = (((size_t)z << c->depth) + (size_t)c->y0) * c->row_words;
        size_t count = (size_t)(c->y1 - c->y0) * c->row_words;
        uint32_t *of_piece = c->rows + first, *of_all = rows + first;
        sum_parities(of_piece, count, c->row_words);
        if (of_piece == of_all) { continue; }
        for (size_t i = 0; i < count; i++) {
            of_all[i] |= of_piece[i];
            of_piece[i] = 0;
        }
    }
}

static seen_corner corner_of(const fr_octree_builder *b, uint32_t vertex) {
    const int32_t *p = b->grid.data + 3 * (size_t)vertex;
    return (seen_corner){p[0], p[1], p[2]};
}

void fr__builder_fill_inside(const fr_octree_builder *b, uint32_t depth, int fraction, uint32_t *rows,
                             uint32_t *scratch) {
    const fr_mesh_view *view = fr_mesh_get(b->mesh);
    const uint32_t *ends = b->pieces.data, *order = b->order.data;
    size_t count = fr__rows_count(depth);
    bool is_one = b->pieces.count == 1;
    if (!is_one) { memset(scratch, 0, count * sizeof *scratch); }
    for (size_t piece = 0; piece < b->pieces.count; piece++) {
        int64_t n = (int64_t)1 << depth;
        crossing c = {depth, fraction, fr__row_words(depth), is_one ? rows : scratch, n, 0, n, 0};
        for (uint32_t i = piece > 0 ? ends[piece - 1] : 0; i < ends[piece]; i++) {
            const uint32_t *t = view->triangles + 3 * (size_t)order[i];
            seen_corner corners[3] = {corner_of(b, t[0]), corner_of(b, t[1]), corner_of(b, t[2])};
            cross_triangle(&c, corners);
        }
        close_piece(&c, rows);
    }
    // A row shorter than a word has been summed beyond its end.
    for (size_t i = 0; i < count && depth < 5; i++) {
        rows[i] &= (1u << (1u << depth)) - 1;
    }
}

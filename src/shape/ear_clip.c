// Cuts a polygon into triangles by its ears: a corner that turns left, with no other corner in its triangle, can be cut
// off. All turns are exact, after dropping the coordinate along which the polygon's area is seen largest.
//
// Why every left turn is right: the triangles' windings add up to the polygon's. Where a polygon that does not cross
// itself winds once or not at all and all triangles turn left, none overlaps another. So the answer is clean when no
// triangle turns right, whatever the order; the test for other corners inside only keeps the rest cuttable.
//
// Only corners that do not turn left can spoil an ear. They are looked for along a space-filling curve (z-order), on
// which an ear's surroundings are a short stretch, so that the usual polygon costs n log n and not n^2.
#include "shape/flat.h"

#define CURVE_BITS 16
#define FORCED_LIMIT 64        // cuts without an ear before the rest becomes a fan
#define TESTS_PER_CORNER 2000u // looks at other corners, on average, before the same: bounds the time of hostile input

typedef struct corner {
    fr_vec2 p;
    uint32_t previous, next;             // around the polygon
    uint32_t curve_previous, curve_next; // along the curve; FR_NONE at its ends
    uint32_t place;                      // on the curve
    bool blunt;                          // does not turn left: may spoil an ear
} corner;

typedef struct cutter {
    corner *corners;
    uint32_t remaining;
    uint32_t *triangle; // where the next one is written
    uint64_t tests_left;
    double low_x, low_y, cells_per_length;
    bool clean;
} cutter;

// ---------------------------------------------------------------------------------------------------------------
// The curve

// Spreads 16 bits so that a zero follows each.
static uint32_t spread_bits(uint32_t x) {
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

static uint32_t cell_of(double x, double low, double cells_per_length) {
    double cell = (x - low) * cells_per_length;
    double last = (double)((1u << CURVE_BITS) - 1);
    return cell > 0.0 ? (uint32_t)(cell < last ? cell : last) : 0u;
}

static uint32_t curve_place(const cutter *c, double x, double y) {
    return spread_bits(cell_of(x, c->low_x, c->cells_per_length)) |
           spread_bits(cell_of(y, c->low_y, c->cells_per_length)) << 1;
}

// Sorts corner numbers by their place, in two passes of 16 bits; equal places keep their order.
static bool sort_by_place(const corner *corners, uint32_t count, fr_arena *scratch, uint32_t **sorted) {
    uint32_t *from = fr_arena_alloc(scratch, count, sizeof *from, sizeof *from);
    uint32_t *to = fr_arena_alloc(scratch, count, sizeof *to, sizeof *to);
    uint32_t *starts = fr_arena_alloc(scratch, 65537, sizeof *starts, sizeof *starts);
    if (from == NULL || to == NULL || starts == NULL) { return false; }
    for (uint32_t i = 0; i < count; i++) { from[i] = i; }
    for (int shift = 0; shift < 32; shift += 16) {
        for (uint32_t i = 0; i <= 65536; i++) { starts[i] = 0; }
        for (uint32_t i = 0; i < count; i++) { starts[(corners[i].place >> shift & 0xffffu) + 1]++; }
        for (uint32_t i = 0; i < 65536; i++) { starts[i + 1] += starts[i]; }
        for (uint32_t i = 0; i < count; i++) { to[starts[corners[from[i]].place >> shift & 0xffffu]++] = from[i]; }
        uint32_t *swapped = from;
        from = to;
        to = swapped;
    }
    *sorted = from;
    return true;
}

static bool link_curve(cutter *c, uint32_t count, fr_arena *scratch) {
    double high_x = c->corners[0].p.x, high_y = c->corners[0].p.y;
    c->low_x = high_x;
    c->low_y = high_y;
    for (uint32_t i = 1; i < count; i++) {
        fr_vec2 p = c->corners[i].p;
        c->low_x = p.x < c->low_x ? p.x : c->low_x;
        c->low_y = p.y < c->low_y ? p.y : c->low_y;
        high_x = p.x > high_x ? p.x : high_x;
        high_y = p.y > high_y ? p.y : high_y;
    }
    double length = high_x - c->low_x > high_y - c->low_y ? high_x - c->low_x : high_y - c->low_y;
    c->cells_per_length = length > 0.0 ? (double)((1u << CURVE_BITS) - 1) / length : 0.0;

    uint32_t *sorted;
    for (uint32_t i = 0; i < count; i++) { c->corners[i].place = curve_place(c, c->corners[i].p.x, c->corners[i].p.y); }
    if (!sort_by_place(c->corners, count, scratch, &sorted)) { return false; }
    for (uint32_t i = 0; i < count; i++) {
        c->corners[sorted[i]].curve_previous = i > 0 ? sorted[i - 1] : FR_NONE;
        c->corners[sorted[i]].curve_next = i + 1 < count ? sorted[i + 1] : FR_NONE;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Ears

static int turn_at(const cutter *c, uint32_t i) {
    const corner *b = &c->corners[i];
    return fr_orient2d(c->corners[b->previous].p, b->p, c->corners[b->next].p);
}

static bool is_equal(fr_vec2 a, fr_vec2 b) { return a.x == b.x && a.y == b.y; }

// The triangle of a possible ear with its box and the stretch of the curve that the box covers.
typedef struct ear {
    fr_vec2 a, b, c, low, high;
    uint32_t first, last;
} ear;

static ear ear_at(const cutter *cut, uint32_t i) {
    const corner *b = &cut->corners[i];
    ear e = {.a = cut->corners[b->previous].p, .b = b->p, .c = cut->corners[b->next].p};
    e.low.x = fmin(fmin(e.a.x, e.b.x), e.c.x);
    e.low.y = fmin(fmin(e.a.y, e.b.y), e.c.y);
    e.high.x = fmax(fmax(e.a.x, e.b.x), e.c.x);
    e.high.y = fmax(fmax(e.a.y, e.b.y), e.c.y);
    e.first = curve_place(cut, e.low.x, e.low.y);
    e.last = curve_place(cut, e.high.x, e.high.y);
    return e;
}

// A corner at the place of one of the ear's own is a second visit (as where a hole was joined) and does not spoil it.
static bool spoils(const ear *e, const corner *k) {
    fr_vec2 p = k->p;
    if (!k->blunt || p.x < e->low.x || p.x > e->high.x || p.y < e->low.y || p.y > e->high.y) { return false; }
    if (is_equal(p, e->a) || is_equal(p, e->b) || is_equal(p, e->c)) { return false; }
    return fr_orient2d(e->a, e->b, p) >= 0 && fr_orient2d(e->b, e->c, p) >= 0 && fr_orient2d(e->c, e->a, p) >= 0;
}

static bool is_ear(cutter *c, uint32_t i) {
    ear e = ear_at(c, i);
    uint32_t up = c->corners[i].curve_next, down = c->corners[i].curve_previous;
    uint64_t tests = 0;
    bool spoiled = false;
    while (!spoiled && (up != FR_NONE || down != FR_NONE)) {
        if (up != FR_NONE) {
            const corner *k = &c->corners[up];
            up = k->place <= e.last ? k->curve_next : FR_NONE;
            spoiled = spoils(&e, k);
            tests++;
        }
        if (!spoiled && down != FR_NONE) {
            const corner *k = &c->corners[down];
            down = k->place >= e.first ? k->curve_previous : FR_NONE;
            spoiled = spoils(&e, k);
            tests++;
        }
    }
    c->tests_left -= tests < c->tests_left ? tests : c->tests_left;
    return !spoiled;
}

static void write_triangle(cutter *c, uint32_t a, uint32_t b, uint32_t d) {
    c->triangle[0] = a;
    c->triangle[1] = b;
    c->triangle[2] = d;
    c->triangle += 3;
}

static void cut_off(cutter *c, uint32_t i) {
    const corner *k = &c->corners[i];
    write_triangle(c, k->previous, i, k->next);
    c->corners[k->previous].next = k->next;
    c->corners[k->next].previous = k->previous;
    if (k->curve_previous != FR_NONE) { c->corners[k->curve_previous].curve_next = k->curve_next; }
    if (k->curve_next != FR_NONE) { c->corners[k->curve_next].curve_previous = k->curve_previous; }
    c->corners[k->previous].blunt = turn_at(c, k->previous) <= 0;
    c->corners[k->next].blunt = turn_at(c, k->next) <= 0;
    c->remaining--;
}

// What remains becomes a fan, whichever way it turns.
static void cut_fan(cutter *c, uint32_t i) {
    uint32_t b = c->corners[i].next;
    for (; c->remaining > 2; c->remaining--) {
        uint32_t d = c->corners[b].next;
        write_triangle(c, i, b, d);
        b = d;
    }
}

// Whether corner i may go now. While `flat_too` is false only true ears may: corners in a line become part of the ears
// beside them where they can. Later a corner without a turn goes too; its triangle has no area.
static bool may_go(cutter *c, uint32_t i, bool flat_too) {
    int turn = c->corners[i].blunt ? turn_at(c, i) : 1;
    if (turn == 0) { return flat_too; }
    return turn > 0 && is_ear(c, i);
}

static void cut_all(cutter *c) {
    uint32_t i = 0, stalled = 0, forced = 0;
    bool flat_too = false;
    while (c->remaining > 2) {
        if (may_go(c, i, flat_too)) {
            uint32_t next = c->corners[i].next;
            cut_off(c, i);
            // Not the neighbour at once: ears all around make better triangles than a fan.
            i = c->corners[next].next;
            stalled = 0;
            continue;
        }
        i = c->corners[i].next;
        if (++stalled < c->remaining && c->tests_left > 0) { continue; }
        if (!flat_too && c->tests_left > 0) {
            flat_too = true;
        } else if (c->tests_left == 0 || ++forced > FORCED_LIMIT) {
            c->clean = false;
            cut_fan(c, i);
        } else {
            c->clean = false;
            uint32_t next = c->corners[i].next;
            cut_off(c, i);
            i = next;
        }
        stalled = 0;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

// Whether the polygon is convex as seen from point 0: no turn to the right, all points left of the first edge, and in
// order around point 0.
static bool is_convex(const corner *corners, uint32_t count) {
    fr_vec2 origin = corners[0].p;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = (i + 1) % count, k = (i + 2) % count;
        if (fr_orient2d(corners[i].p, corners[j].p, corners[k].p) < 0) { return false; }
        if (i >= 2 && fr_orient2d(origin, corners[1].p, corners[i].p) < 0) { return false; }
        if (i >= 1 && fr_orient2d(origin, corners[i].p, corners[j].p) < 0) { return false; }
    }
    return true;
}

static void project(const fr_vec3 *points, uint32_t count, cutter *c) {
    fr_vec3 area = fr_polygon_area_vector(points, count);
    double x = fabs(area.x), y = fabs(area.y), z = fabs(area.z);
    int axis = x > y && x > z ? 0 : y > z ? 1 : 2;
    double along = axis == 0 ? area.x : axis == 1 ? area.y : area.z;
    bool mirrored = along < 0.0; // so that it turns left; the numbers keep their order, and triangles turn with it
    c->clean = along != 0.0;
    for (uint32_t i = 0; i < count; i++) {
        corner *k = &c->corners[i];
        k->p = fr__drop(points[i], axis);
        if (mirrored) { k->p.x = -k->p.x; }
        k->previous = i > 0 ? i - 1 : count - 1;
        k->next = i + 1 < count ? i + 1 : 0;
    }
}

fr_status fr_polygon_triangulate(const fr_vec3 *points, size_t count, fr_arena *scratch, uint32_t *triangles,
                                 bool *clean) {
    if (count < 3) { return FR_ERROR_ARGUMENT; }
    if (count > FR_POLYGON_MAX_POINTS) { return FR_ERROR_LIMIT; }
    uint32_t n = (uint32_t)count;
    cutter c = {.remaining = n, .triangle = triangles, .tests_left = (uint64_t)n * TESTS_PER_CORNER + (1u << 20)};
    c.corners = fr_arena_alloc(scratch, count, sizeof *c.corners, _Alignof(corner));
    if (c.corners == NULL) { return FR_ERROR_MEMORY; }

    project(points, n, &c);
    if (is_convex(c.corners, n)) {
        cut_fan(&c, 0);
    } else {
        if (!link_curve(&c, n, scratch)) { return FR_ERROR_MEMORY; }
        for (uint32_t i = 0; i < n; i++) { c.corners[i].blunt = turn_at(&c, i) <= 0; }
        cut_all(&c);
    }
    if (clean != NULL) { *clean = c.clean; }
    return FR_OK;
}

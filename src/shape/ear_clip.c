// Cuts a polygon into triangles by its ears: a corner that turns left, with no other corner in its triangle, can be cut
// off. All turns are exact, after dropping the coordinate along which the polygon's area is seen largest.
//
// Why every left turn is right: the triangles' windings add up to the polygon's. Where a polygon that does not cross
// itself winds once or not at all and all triangles turn left, none overlaps another. So the result is clean when no
// triangle turns right, whatever the order; the test for other corners inside only keeps the rest cuttable.
//
// Only corners that do not turn left can spoil an ear. They are found by a binary tree of boxes over the corners in the
// order of a space-filling curve (z-order), which knows how many such corners each box still holds and enters only
// boxes that the ear's triangle may meet. So an ear costs about log n, a long thin one as well.
#include "shape/flat.h"

#define CURVE_BITS 16
#define FORCED_LIMIT 64        // cuts without an ear before the rest becomes a fan
#define TESTS_PER_CORNER 2000u // looks at other corners, on average, before the same: bounds the time of hostile input

typedef struct ear_corner {
    fr_vec2 p;
    uint32_t previous, next; // around the polygon
    uint32_t place;          // on the curve
    uint32_t slot;           // in the order along the curve
    bool blunt;              // does not turn left: may spoil an ear
    bool waiting;            // in the queue
} ear_corner;

// A box of the tree. The root is node 1, the children of k are 2 k and 2 k + 1; leaf l holds slots 8 l .. 8 l + 7.
typedef struct curve_node {
    fr_vec2 low, high;
    uint32_t blunt_count; // corners in it that may spoil an ear
} curve_node;

#define LEAF_BITS 3

typedef struct ear_clipper {
    ear_corner *corners;
    uint32_t *queue; // a ring of corners that turn left, to be tried; each at most once
    uint32_t count, first_waiting, waiting_count;
    uint32_t remaining;
    uint32_t alive;     // some corner that remains
    uint32_t *triangle; // where the next one is written
    uint32_t *sorted;   // corners along the curve
    curve_node *nodes;
    uint32_t leaf_count; // a power of two
    uint64_t tests_left;
    double low_x, low_y, cells_per_length;
    bool clean;
} ear_clipper;

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

static uint32_t curve_place(const ear_clipper *c, double x, double y) {
    return spread_bits(cell_of(x, c->low_x, c->cells_per_length)) |
           spread_bits(cell_of(y, c->low_y, c->cells_per_length)) << 1;
}

// Sorts corner numbers by their place, in four passes of 8 bits; equal places keep their order.
static bool sort_by_place(const ear_corner *corners, uint32_t count, fr_arena *scratch, uint32_t **sorted) {
    uint32_t *from = fr_arena_alloc(scratch, count, sizeof *from, sizeof *from);
    uint32_t *to = fr_arena_alloc(scratch, count, sizeof *to, sizeof *to);
    if (from == NULL || to == NULL) { return false; }
    for (uint32_t i = 0; i < count; i++) {
        from[i] = i;
    }
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t starts[257] = {0};
        for (uint32_t i = 0; i < count; i++) {
            starts[(corners[i].place >> shift & 0xffu) + 1]++;
        }
        for (uint32_t i = 0; i < 256; i++) {
            starts[i + 1] += starts[i];
        }
        for (uint32_t i = 0; i < count; i++) {
            to[starts[corners[from[i]].place >> shift & 0xffu]++] = from[i];
        }
        uint32_t *swapped = from;
        from = to;
        to = swapped;
    }
    *sorted = from;
    return true;
}

// Sets the square that the curve fills and the place of every corner on it.
static void place_corners(ear_clipper *c) {
    double high_x = c->corners[0].p.x, high_y = c->corners[0].p.y;
    c->low_x = high_x;
    c->low_y = high_y;
    for (uint32_t i = 1; i < c->count; i++) {
        fr_vec2 p = c->corners[i].p;
        c->low_x = p.x < c->low_x ? p.x : c->low_x;
        c->low_y = p.y < c->low_y ? p.y : c->low_y;
        high_x = p.x > high_x ? p.x : high_x;
        high_y = p.y > high_y ? p.y : high_y;
    }
    double length = high_x - c->low_x > high_y - c->low_y ? high_x - c->low_x : high_y - c->low_y;
    c->cells_per_length = length > 0.0 ? (double)((1u << CURVE_BITS) - 1) / length : 0.0;
    for (uint32_t i = 0; i < c->count; i++) {
        c->corners[i].place = curve_place(c, c->corners[i].p.x, c->corners[i].p.y);
    }
}

static void grow_node(curve_node *node, fr_vec2 low, fr_vec2 high) {
    node->low.x = low.x < node->low.x ? low.x : node->low.x;
    node->low.y = low.y < node->low.y ? low.y : node->low.y;
    node->high.x = high.x > node->high.x ? high.x : node->high.x;
    node->high.y = high.y > node->high.y ? high.y : node->high.y;
}

static uint32_t leaf_of(const ear_clipper *c, uint32_t i) { return c->leaf_count + (c->corners[i].slot >> LEAF_BITS); }

static bool build_tree(ear_clipper *c, fr_arena *scratch) {
    place_corners(c);
    if (!sort_by_place(c->corners, c->count, scratch, &c->sorted)) { return false; }
    c->leaf_count = 1;
    while (c->leaf_count << LEAF_BITS < c->count) {
        c->leaf_count *= 2;
    }
    c->nodes = fr_arena_alloc(scratch, 2 * (size_t)c->leaf_count, sizeof *c->nodes, _Alignof(curve_node));
    if (c->nodes == NULL) { return false; }

    const curve_node empty = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}, 0};
    for (uint32_t k = 0; k < 2 * c->leaf_count; k++) {
        c->nodes[k] = empty;
    }
    for (uint32_t slot = 0; slot < c->count; slot++) {
        ear_corner *k = &c->corners[c->sorted[slot]];
        k->slot = slot;
        grow_node(&c->nodes[leaf_of(c, c->sorted[slot])], k->p, k->p);
    }
    for (uint32_t k = c->leaf_count - 1; k > 0; k--) {
        grow_node(&c->nodes[k], c->nodes[2 * k].low, c->nodes[2 * k].high);
        grow_node(&c->nodes[k], c->nodes[2 * k + 1].low, c->nodes[2 * k + 1].high);
    }
    return true;
}

static void set_blunt(ear_clipper *c, uint32_t i, bool blunt) {
    if (c->corners[i].blunt == blunt) { return; }
    c->corners[i].blunt = blunt;
    for (uint32_t k = leaf_of(c, i); k > 0; k /= 2) {
        c->nodes[k].blunt_count += blunt ? 1u : UINT32_MAX;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Ears

static int turn_at(const ear_clipper *c, uint32_t i) {
    const ear_corner *b = &c->corners[i];
    return fr_orient2d(c->corners[b->previous].p, b->p, c->corners[b->next].p);
}

static bool is_equal(fr_vec2 a, fr_vec2 b) { return a.x == b.x && a.y == b.y; }

// The triangle of a possible ear with its box.
typedef struct ear {
    fr_vec2 a, b, c, low, high;
} ear;

static ear ear_at(const ear_clipper *cut, uint32_t i) {
    const ear_corner *b = &cut->corners[i];
    ear e = {.a = cut->corners[b->previous].p, .b = b->p, .c = cut->corners[b->next].p};
    e.low.x = fmin(fmin(e.a.x, e.b.x), e.c.x);
    e.low.y = fmin(fmin(e.a.y, e.b.y), e.c.y);
    e.high.x = fmax(fmax(e.a.x, e.b.x), e.c.x);
    e.high.y = fmax(fmax(e.a.y, e.b.y), e.c.y);
    return e;
}

// A corner at the place of one of the ear's own is a second visit (as where a hole was joined) and does not spoil it.
static bool spoils(const ear *e, const ear_corner *k) {
    fr_vec2 p = k->p;
    if (!k->blunt || p.x < e->low.x || p.x > e->high.x || p.y < e->low.y || p.y > e->high.y) { return false; }
    if (is_equal(p, e->a) || is_equal(p, e->b) || is_equal(p, e->c)) { return false; }
    return fr_orient2d(e->a, e->b, p) >= 0 && fr_orient2d(e->b, e->c, p) >= 0 && fr_orient2d(e->c, e->a, p) >= 0;
}

// Whether a box is right of the line from p to q, where the ear is not: its leftmost corner is. The terms' rounding,
// four factors 1 + e each, is left to the box's benefit.
static bool is_right_of(const curve_node *box, fr_vec2 p, fr_vec2 q) {
    double dx = q.x - p.x, dy = q.y - p.y;
    double left = dx * ((dx > 0.0 ? box->high.y : box->low.y) - p.y);
    double right = dy * ((dy > 0.0 ? box->low.x : box->high.x) - p.x);
    return left - right < -0x1p-50 * (fabs(left) + fabs(right));
}

static bool may_meet(const curve_node *box, const ear *e) {
    return box->blunt_count > 0 && box->low.x <= e->high.x && box->high.x >= e->low.x && box->low.y <= e->high.y &&
           box->high.y >= e->low.y && !is_right_of(box, e->a, e->b) && !is_right_of(box, e->b, e->c) &&
           !is_right_of(box, e->c, e->a);
}

static void spend_tests(ear_clipper *c, uint64_t tests) {
    c->tests_left -= tests < c->tests_left ? tests : c->tests_left;
}

static bool leaf_spoils(const ear_clipper *c, uint32_t leaf, const ear *e) {
    uint32_t begin = leaf << LEAF_BITS, end = begin + (1u << LEAF_BITS);
    for (uint32_t slot = begin; slot < end && slot < c->count; slot++) {
        if (spoils(e, &c->corners[c->sorted[slot]])) { return true; }
    }
    return false;
}

static bool is_ear(ear_clipper *c, uint32_t i) {
    ear e = ear_at(c, i);
    uint32_t stack[32], depth = 0; // at most one node waits on each of the 18 levels
    uint64_t tests = 0;
    stack[depth++] = 1;
    while (depth > 0) {
        uint32_t k = stack[--depth];
        tests++;
        if (!may_meet(&c->nodes[k], &e)) { continue; }
        if (k < c->leaf_count) {
            stack[depth++] = 2 * k;
            stack[depth++] = 2 * k + 1;
        } else if (leaf_spoils(c, k - c->leaf_count, &e)) {
            spend_tests(c, tests);
            return false;
        }
    }
    spend_tests(c, tests);
    return true;
}

static void write_triangle(ear_clipper *c, uint32_t a, uint32_t b, uint32_t d) {
    c->triangle[0] = a;
    c->triangle[1] = b;
    c->triangle[2] = d;
    c->triangle += 3;
}

static bool is_cut(const ear_clipper *c, uint32_t i) { return c->corners[c->corners[i].next].previous != i; }

static void push(ear_clipper *c, uint32_t i) {
    ear_corner *k = &c->corners[i];
    if (k->blunt || k->waiting) { return; }
    k->waiting = true;
    c->queue[(c->first_waiting + c->waiting_count++) % c->count] = i;
}

static uint32_t pop(ear_clipper *c) {
    uint32_t i = c->queue[c->first_waiting];
    c->first_waiting = (c->first_waiting + 1) % c->count;
    c->waiting_count--;
    c->corners[i].waiting = false;
    return i;
}

// Cuts corner i off. Its neighbours turn otherwise now and are tried again.
static void cut_off(ear_clipper *c, uint32_t i) {
    const ear_corner *k = &c->corners[i];
    write_triangle(c, k->previous, i, k->next);
    c->corners[k->previous].next = k->next;
    c->corners[k->next].previous = k->previous;
    set_blunt(c, i, false);
    set_blunt(c, k->previous, turn_at(c, k->previous) <= 0);
    set_blunt(c, k->next, turn_at(c, k->next) <= 0);
    c->remaining--;
    c->alive = k->next;
    push(c, k->next);
    push(c, k->previous);
}

// Whether the edges at a corner lie on each other, or one has no length.
static bool is_spike(const ear_clipper *c, uint32_t i) {
    if (turn_at(c, i) != 0) { return false; }
    fr_vec2 p = c->corners[c->corners[i].previous].p, q = c->corners[i].p, r = c->corners[c->corners[i].next].p;
    return (q.x - p.x) * (r.x - q.x) + (q.y - p.y) * (r.y - q.y) <= 0.0;
}

// Cuts the spikes that a cut left at its ends. A corner beside a spike turns as the spike says, not as the polygon
// without it does: it may look like an ear and be none.
static void cut_spikes_here(ear_clipper *c) {
    while (c->remaining > 2) {
        uint32_t i = c->alive, previous = c->corners[i].previous;
        if (!is_spike(c, i) && !is_spike(c, previous)) { return; }
        cut_off(c, is_spike(c, i) ? i : previous);
    }
}

static void cut_all_spikes(ear_clipper *c) {
    uint32_t i = c->alive;
    for (uint32_t good = 0; good < c->remaining && c->remaining > 2;) {
        if (is_spike(c, i)) {
            uint32_t previous = c->corners[i].previous;
            cut_off(c, i);
            i = previous; // which may be one now
            good -= good > 0 ? 1 : 0;
        } else {
            i = c->corners[i].next;
            good++;
        }
    }
}

// The rest becomes a fan, even where it turns right.
static void cut_fan(ear_clipper *c, uint32_t i) {
    uint32_t b = c->corners[i].next;
    for (; c->remaining > 2; c->remaining--) {
        uint32_t d = c->corners[b].next;
        write_triangle(c, i, b, d);
        b = d;
    }
}

// Tries the corners that wait, first come first served, which takes ears from all around and makes better triangles
// than a fan. Ends when none of those that wait is an ear.
static void cut_ears(ear_clipper *c) {
    for (uint32_t stalled = 0; c->remaining > 2 && stalled < c->waiting_count && c->tests_left > 0;) {
        uint32_t i = pop(c);
        // It may have been cut by force, or have become blunt, since it was queued.
        if (c->corners[i].blunt || is_cut(c, i)) { continue; }
        if (is_ear(c, i)) {
            cut_off(c, i);
            cut_spikes_here(c);
            stalled = 0;
        } else {
            push(c, i);
            stalled++;
        }
    }
}

// Cuts the corners that do not turn at all; their triangles have no area. This comes last: while there are ears, such
// corners become part of them. Returns false when there was none.
static bool cut_flat(ear_clipper *c) {
    uint32_t before = c->remaining, i = c->alive;
    spend_tests(c, before);
    for (uint32_t k = 0; k < before && c->remaining > 2; k++) {
        uint32_t next = c->corners[i].next;
        if (c->corners[i].blunt && turn_at(c, i) == 0) { cut_off(c, i); }
        i = next;
    }
    return c->remaining < before;
}

static void cut_all(ear_clipper *c) {
    for (uint32_t i = 0; i < c->count; i++) {
        push(c, i);
    }
    cut_all_spikes(c);
    for (uint32_t forced = 0; c->remaining > 2;) {
        cut_ears(c);
        if (c->remaining <= 2 || (c->tests_left > 0 && cut_flat(c))) { continue; }
        c->clean = false;
        if (c->tests_left == 0 || ++forced > FORCED_LIMIT) {
            cut_fan(c, c->alive);
        } else {
            cut_off(c, c->alive);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

// Whether the polygon is convex as seen from point 0: no turn to the right, all points left of the first edge, and in
// order around point 0.
static bool is_convex(const ear_corner *corners, uint32_t count) {
    fr_vec2 origin = corners[0].p;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = (i + 1) % count, k = (i + 2) % count;
        if (fr_orient2d(corners[i].p, corners[j].p, corners[k].p) < 0) { return false; }
        if (i >= 2 && fr_orient2d(origin, corners[1].p, corners[i].p) < 0) { return false; }
        if (i >= 1 && fr_orient2d(origin, corners[i].p, corners[j].p) < 0) { return false; }
    }
    return true;
}

static void project(const fr_vec3 *points, uint32_t count, ear_clipper *c) {
    fr_vec3 area = fr_polygon_area_vector(points, count);
    double x = fabs(area.x), y = fabs(area.y), z = fabs(area.z);
    int axis = x > y && x > z ? 0 : y > z ? 1 : 2;
    double along = axis == 0 ? area.x : axis == 1 ? area.y : area.z;
    bool mirrored = along < 0.0; // so that it turns left; the numbers keep their order, and triangles turn with it
    c->clean = along != 0.0;
    for (uint32_t i = 0; i < count; i++) {
        ear_corner *k = &c->corners[i];
        k->p = fr__drop(points[i], axis);
        if (mirrored) { k->p.x = -k->p.x; }
        k->previous = i > 0 ? i - 1 : count - 1;
        k->next = i + 1 < count ? i + 1 : 0;
        k->waiting = k->blunt = false;
    }
}

fr_status fr_polygon_triangulate(const fr_vec3 *points, size_t count, fr_arena *scratch, uint32_t *triangles,
                                 bool *is_clean, fr_error *error) {
    if (count < 3) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a polygon has at least 3 points"); }
    if (count > FR_POLYGON_MAX_POINTS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%zu points; the limit is %u", count, FR_POLYGON_MAX_POINTS);
    }
    uint32_t n = (uint32_t)count;
    ear_clipper c = {
        .count = n, .remaining = n, .triangle = triangles, .tests_left = (uint64_t)n * TESTS_PER_CORNER + (1u << 20)};
    c.corners = fr_arena_alloc(scratch, count, sizeof *c.corners, _Alignof(ear_corner));
    c.queue = fr_arena_alloc(scratch, count, sizeof *c.queue, _Alignof(uint32_t));
    if (c.corners == NULL || c.queue == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory to cut a polygon");
    }

    project(points, n, &c);
    if (is_convex(c.corners, n)) {
        cut_fan(&c, 0);
    } else {
        if (!build_tree(&c, scratch)) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory to cut a polygon"); }
        for (uint32_t i = 0; i < n; i++) {
            set_blunt(&c, i, turn_at(&c, i) <= 0);
        }
        cut_all(&c);
    }
    if (is_clean != NULL) { *is_clean = c.clean; }
    return FR_OK;
}

// Random environments with a given number of black nodes, as the source's experiments use them.
#include "plan/faithful/clutter.h"

enum { BOXES_REFUSED = 60, CELLS_REFUSED = 200000 };

static bool meets(const fr_plan_box *box, const int64_t low[3], const int64_t high[3], int dimension) {
    for (int a = 0; a < dimension; a++) {
        if (high[a] <= box->low[a] || low[a] >= box->high[a]) { return false; }
    }
    return true;
}

// A box somewhere, its edges 1 .. largest; false where it meets what is to be empty.
static bool draw_box(const fr_clutter *c, fr_random *random, const fr_octree_def *def, uint32_t largest, int64_t low[3],
                     int64_t high[3]) {
    uint64_t size = (uint64_t)1 << def->depth;
    for (int a = 0; a < 3; a++) {
        uint64_t edge = a < def->dimension ? 1 + fr_random_below(random, largest) : 1;
        low[a] = a < def->dimension ? (int64_t)fr_random_below(random, size - edge + 1) : 0;
        high[a] = low[a] + (int64_t)edge;
    }
    return !meets(&c->empty[0], low, high, def->dimension) && !meets(&c->empty[1], low, high, def->dimension);
}

static void add_boxes(const fr_clutter *c, fr_random *random, fr_octree *tried, fr_octree *out) {
    fr_octree_def def = fr_octree_get_def(out);
    uint64_t black = fr_octree_count(out).black;
    for (int refused = 0; refused < BOXES_REFUSED; refused++) {
        int64_t low[3], high[3];
        if (!draw_box(c, random, &def, c->largest, low, high)) { continue; }
        fr_octree_copy(out, tried, NULL);
        fr_octree_fill(tried, low, high, FR_CELL_BLACK);
        uint64_t count = fr_octree_count(tried).black;
        if (count > black && count <= c->nodes) {
            black = count;
            fr_octree_copy(tried, out, NULL);
            refused = 0;
        }
    }
}

// A cell whose parent is white adds one node.
static bool add_cells(const fr_clutter *c, fr_random *random, uint64_t missing, fr_octree *out) {
    fr_octree_def def = fr_octree_get_def(out);
    for (int refused = 0; missing > 0 && refused < CELLS_REFUSED; refused++) {
        int64_t low[3], high[3];
        if (!draw_box(c, random, &def, 1, low, high)) { continue; }
        if (fr_octree_color(out, 1, low[0], low[1], low[2]) != FR_CELL_WHITE) { continue; }
        fr_octree_fill(out, low, high, FR_CELL_BLACK);
        missing--;
    }
    return missing == 0;
}

fr_status fr_clutter_fill(const fr_clutter *c, fr_octree *out, fr_error *error) {
    FR_ASSERT(c->largest >= 1 && c->largest <= 1u << fr_octree_get_def(out).depth);
    fr_octree_def def = fr_octree_get_def(out);
    fr_octree *tried;
    fr_status status = fr_octree_create(&def, &tried, error);
    if (status != FR_OK) { return status; }
    fr_random random = fr_random_seed(c->seed);
    add_boxes(c, &random, tried, out);
    fr_octree_destroy(tried);
    uint64_t black = fr_octree_count(out).black;
    if (black > c->nodes || !add_cells(c, &random, c->nodes - black, out)) {
        return fr_error_set(error, FR_ERROR_LIMIT, "no room for %u black nodes", (unsigned)c->nodes);
    }
    return FR_OK;
}

// Where trees should grow. The bounds are cut into cells; a cell that a face touches is black. A cell costs the more
// the nearer it is to a black one (the potential of Kitamura ch. 4 in another form), a black one so much that a line
// goes through it only where nothing else is left: a cell is coarse, and the body may still pass. The cheapest line
// from the start's cell to the goal's is the lead; growing makes its cells dearer, so that a lead which fails gives
// path to another.
#include "plan/path.h"

#include "fureai/base_order.h"

#include <float.h>
#include <string.h>

#define BLACK_COST 1000.0f
#define NEAR_COST 4.0f          // of a cell beside a black one
#define TRY_COST (1.0f / 50.0f) // of a cell, each time a tree is sent to it
#define ALONG_LEAD 0.7          // of all points: along the lead; the others anywhere
#define AHEAD 0.7               // of these: near the end of the tree
#define BEHIND_CELLS 3          // of the end
#define AHEAD_CELLS 8
#define TAKEN UINT32_MAX // a cell whose distance is known
#define FRESH (UINT32_MAX - 1)

// ---------------------------------------------------------------------------------------------------------------
// Cells

static uint32_t number_of(const fr__path_guide *g, const uint32_t at[3]) {
    return (at[2] * g->count[1] + at[1]) * g->count[0] + at[0];
}

static uint32_t clamp_cell(double at, uint32_t count) {
    if (!(at > 0.0)) { return 0; }
    return at < (double)count ? (uint32_t)at : count - 1;
}

uint32_t fr__path_guide_cell(const fr__path_guide *g, fr_vec3 point) {
    fr_vec3 p = fr_vec3_sub(point, g->min);
    const uint32_t at[3] = {clamp_cell(p.x / g->edge, g->count[0]), clamp_cell(p.y / g->edge, g->count[1]),
                            clamp_cell(p.z / g->edge, g->count[2])};
    return number_of(g, at);
}

// Blackens the cells of a block that a triangle meets, eighth by eighth. The cost is 0 for black, else not looked at.
static void draw_triangle(fr__path_guide *g, const fr_vec3 corners[3], const uint32_t low[3], uint32_t size) {
    fr_bounds box;
    box.min = fr_vec3_make(g->min.x + low[0] * g->edge, g->min.y + low[1] * g->edge, g->min.z + low[2] * g->edge);
    box.max = fr_vec3_add(box.min, fr_vec3_make(size * g->edge, size * g->edge, size * g->edge));
    if (low[0] >= g->count[0] || low[1] >= g->count[1] || low[2] >= g->count[2]) { return; }
    if (!fr_triangle_box_overlap(corners, &box)) { return; }
    if (size == 1) {
        g->cells[number_of(g, low)].cost = 0.0f;
        return;
    }
    uint32_t half = size / 2;
    for (uint32_t child = 0; child < 8; child++) {
        const uint32_t at[3] = {low[0] + (child & 1) * half, low[1] + (child >> 1 & 1) * half,
                                low[2] + (child >> 2) * half};
        draw_triangle(g, corners, at, half);
    }
}

static fr_status draw_space(const fr__path_body *body, fr__path_guide *g, fr_error *error) {
    const fr_path_input *q = body->input;
    fr_overlap_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.kind = FR_OVERLAP_BOX;
    shape.box = q->bounds;
    uint32_t count = 0;
    fr_status status = fr_space_overlap(q->space, &shape, q->filter, NULL, 0, &count, error);
    if (status != FR_OK) { return fr_error_set(error, status, "the space could not be looked at"); }
    if (count == 0) { return FR_OK; }
    fr_space_item *items = fr_allocate(&g->allocator, count, sizeof *items, 16);
    if (items == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for %u faces", count); }
    status = fr_space_overlap(q->space, &shape, q->filter, items, count, &count, error);
    const uint32_t low[3] = {0, 0, 0};
    for (uint32_t i = 0; status == FR_OK && i < count; i++) {
        fr_vec3 corners[3];
        status = fr_object_corners(q->space, items[i].object, items[i].triangle, corners, error);
        if (status == FR_OK) { draw_triangle(g, corners, low, g->size); }
    }
    fr_deallocate(&g->allocator, items, count, sizeof *items);
    return status;
}

// City-block distances from the black cells, a sweep forth and back along each axis.
static void spread(fr__path_guide *g, int axis, bool is_back) {
    const uint32_t stride = axis == 0 ? 1 : axis == 1 ? g->count[0] : g->count[0] * g->count[1];
    for (uint32_t n = 0; n < g->cell_count; n++) {
        uint32_t i = is_back ? g->cell_count - 1 - n : n, at = i / stride % g->count[axis];
        if (at == (is_back ? g->count[axis] - 1 : 0)) { continue; }
        float beside = g->cells[is_back ? i + stride : i - stride].cost + 1.0f;
        if (beside < g->cells[i].cost) { g->cells[i].cost = beside; }
    }
}

static void price(fr__path_guide *g) {
    for (int axis = 0; axis < 3; axis++) {
        spread(g, axis, false);
        spread(g, axis, true);
    }
    for (uint32_t i = 0; i < g->cell_count; i++) {
        float steps = g->cells[i].cost;
        g->cells[i].cost = steps == 0.0f ? BLACK_COST : 1.0f + NEAR_COST / (steps * steps);
    }
}

static void lay_out(const fr__path_body *body, fr__path_guide *g) {
    const fr_bounds *b = &body->input->bounds;
    fr_vec3 room = fr_vec3_sub(b->max, b->min);
    double longest = fmax(fr_vec3_largest(room), 1e-9 * body->reach);
    g->size = 1u << body->depth;
    g->edge = longest / (double)g->size;
    g->min = b->min;
    const double sides[3] = {room.x, room.y, room.z};
    for (int axis = 0; axis < 3; axis++) {
        double cells = ceil(sides[axis] / g->edge - 1e-9);
        g->count[axis] = cells < 1.0 ? 1 : cells > (double)g->size ? g->size : (uint32_t)cells;
    }
    g->cell_count = g->count[0] * g->count[1] * g->count[2];
}

fr_status fr__path_guide_make(const fr__path_body *body, fr__path_guide *g, fr_error *error) {
    memset(g, 0, sizeof *g);
    g->allocator = fr_allocator_or_default(&body->input->allocator);
    lay_out(body, g);
    g->cells = fr_allocate(&g->allocator, g->cell_count, sizeof *g->cells, 64);
    g->heap = fr_allocate(&g->allocator, g->cell_count, sizeof *g->heap, 64);
    g->visited = fr_allocate(&g->allocator, g->cell_count, sizeof *g->visited, 64);
    g->lead = fr_allocate(&g->allocator, g->cell_count, sizeof *g->lead, 64);
    if (g->cells == NULL || g->heap == NULL || g->visited == NULL || g->lead == NULL) {
        fr__path_guide_free(g);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a field of %u cells", g->cell_count);
    }
    memset(g->visited, 0, g->cell_count);
    for (uint32_t i = 0; i < g->cell_count; i++) {
        g->cells[i].cost = FLT_MAX / 4.0f;
    }
    fr_status status = draw_space(body, g, error);
    if (status != FR_OK) {
        fr__path_guide_free(g);
        return status;
    }
    price(g);
    return FR_OK;
}

void fr__path_guide_free(fr__path_guide *g) {
    fr_deallocate(&g->allocator, g->cells, g->cell_count, sizeof *g->cells);
    fr_deallocate(&g->allocator, g->heap, g->cell_count, sizeof *g->heap);
    fr_deallocate(&g->allocator, g->visited, g->cell_count, sizeof *g->visited);
    fr_deallocate(&g->allocator, g->lead, g->cell_count, sizeof *g->lead);
    memset(g, 0, sizeof *g);
}

// ---------------------------------------------------------------------------------------------------------------
// The lead: Dijkstra from the goal's cell, with a heap of cells by distance

static bool cell_is_before(const fr__path_open_cell *a, const fr__path_open_cell *b, const fr__path_guide *g) {
    (void)g;
    return a->distance < b->distance;
}

static void set_place(const fr__path_open_cell *item, size_t at, const fr__path_guide *g) {
    g->cells[item->cell].place = (uint32_t)at;
}

FR_HEAP_TYPE_BY(cell_heap, fr__path_open_cell, 2, const fr__path_guide *, cell_is_before, set_place);

static uint32_t take_nearest(const fr__path_guide *g, size_t *count) {
    uint32_t nearest = cell_heap_pop(g->heap, count, g).cell;
    g->cells[nearest].place = TAKEN;
    return nearest;
}

static void reach(fr__path_guide *g, uint32_t from, uint32_t to, size_t *count) {
    fr__path_cell *cell = &g->cells[to];
    if (cell->place == TAKEN) { return; }
    float distance = g->cells[from].distance + 0.5f * (g->cells[from].cost + cell->cost);
    if (cell->place == FRESH) {
        cell->place = (uint32_t)(*count)++;
    } else if (distance >= cell->distance) {
        return;
    }
    cell->distance = distance;
    cell->parent = from;
    g->heap[cell->place] = (fr__path_open_cell){distance, to};
    cell_heap_sift_up(g->heap, cell->place, g);
}

void fr__path_guide_lead(fr__path_guide *g, fr_vec3 start, fr_vec3 goal) {
    uint32_t from = fr__path_guide_cell(g, goal), to = fr__path_guide_cell(g, start);
    size_t count = 1;
    for (uint32_t i = 0; i < g->cell_count; i++) {
        g->cells[i].place = FRESH;
    }
    g->cells[from].distance = 0.0f;
    g->cells[from].parent = FR_NONE;
    g->cells[from].place = 0;
    g->heap[0] = (fr__path_open_cell){0.0f, from};
    while (count > 0) {
        uint32_t cell = take_nearest(g, &count);
        if (cell == to) { break; }
        uint32_t stride = 1, rest = cell;
        for (int axis = 0; axis < 3; axis++) {
            uint32_t at = rest % g->count[axis];
            if (at > 0) { reach(g, cell, cell - stride, &count); }
            if (at + 1 < g->count[axis]) { reach(g, cell, cell + stride, &count); }
            rest /= g->count[axis];
            stride *= g->count[axis];
        }
    }
    g->lead_count = 0;
    for (uint32_t i = to; i != FR_NONE; i = g->cells[i].parent) {
        g->lead[g->lead_count++] = i;
    }
    g->leads++;
}

// ---------------------------------------------------------------------------------------------------------------
// Points

// The number in the lead of a cell near where a tree has come to.
static uint32_t cell_ahead(const fr__path_guide *g, const fr__path_tree *tree, fr_random *random) {
    int64_t last = (int64_t)g->lead_count - 1, end = tree->is_goal ? last : 0;
    uint8_t own = tree->is_goal ? 2 : 1;
    for (int64_t i = 0; i <= last; i++) {
        int64_t at = tree->is_goal ? last - i : i;
        if ((g->visited[g->lead[at]] & own) != 0) { end = at; }
    }
    int64_t step = (int64_t)fr_random_below(random, BEHIND_CELLS + AHEAD_CELLS + 1) - BEHIND_CELLS;
    int64_t at = tree->is_goal ? end - step : end + step;
    return (uint32_t)(at < 0 ? 0 : at > last ? last : at);
}

static double beside(const fr__path_guide *g, uint32_t cell, double low, fr_random *random) {
    return low + ((double)cell + 0.5 + fr_random_between(random, -1.0, 1.0)) * g->edge;
}

bool fr__path_guide_point(fr__path_guide *g, const fr__path_tree *tree, fr_random *random, fr_vec3 *out) {
    if (fr_random_unit(random) >= ALONG_LEAD) { return false; }
    uint32_t at =
        fr_random_unit(random) < AHEAD ? cell_ahead(g, tree, random) : (uint32_t)fr_random_below(random, g->lead_count);
    uint32_t cell = g->lead[at];
    g->cells[cell].cost += TRY_COST;
    out->x = beside(g, cell % g->count[0], g->min.x, random);
    out->y = beside(g, cell / g->count[0] % g->count[1], g->min.y, random);
    out->z = beside(g, cell / g->count[0] / g->count[1], g->min.z, random);
    return true;
}

// Joins what pairs of triangles share into the lines of a contact region, in three stages: ends that are nearly equal
// become one point; pieces that are there several times count once, and sides that two neighbouring areas share are
// dropped; the rest is walked from branching and loose ends, and then around what is left, which are loops.
#include "clash/contact_region.h"

#include "clash/zeroed.h"
#include "fureai/base_order.h"

fr__contact_pieces fr__contact_pieces_make(const fr_allocator *allocator) {
    return (fr__contact_pieces){fr__vec3_array_make(allocator), fr__flag_array_make(allocator)};
}

void fr__contact_pieces_free(fr__contact_pieces *pieces) {
    fr__vec3_array_destroy(&pieces->ends);
    fr__flag_array_destroy(&pieces->sided);
}

static bool add_piece(fr__contact_pieces *pieces, fr_vec3 a, fr_vec3 b, bool sided) {
    fr_vec3 *ends = fr__vec3_array_push(&pieces->ends, 2);
    bool *flag = ends != NULL ? fr__flag_array_push(&pieces->sided, 1) : NULL;
    if (flag == NULL) { return false; }
    ends[0] = a;
    ends[1] = b;
    *flag = sided;
    return true;
}

bool fr__contact_pieces_add(fr__contact_pieces *pieces, const fr_section *section) {
    const fr_vec3 *p = section->points;
    switch (section->kind) {
    case FR_SECTION_POINT: return add_piece(pieces, p[0], p[0], false);
    case FR_SECTION_SEGMENT: return add_piece(pieces, p[0], p[1], false);
    case FR_SECTION_POLYGON:
        for (int i = 0; i < section->count; i++) {
            if (!add_piece(pieces, p[i], p[(i + 1) % section->count], true)) { return false; }
        }
        return true;
    default: return true;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 1: points

// A table of cells of edge `cell`, each with the points that fell into it, found by hash.
typedef struct welder {
    const fr_vec3 *ends;
    uint32_t *slots; // 1 + a point's number; 0: free
    size_t slot_count;
    double tolerance;
    double cell; // eight times the tolerance, so that what is near is mostly in the same cell
    fr__vec3_array points;
} welder;

typedef struct cell_name {
    int64_t x, y, z;
} cell_name;

// Far beyond what a double can distinguish the cells are no longer neighbours, but the points differ then too.
static int64_t cell_along(double coordinate, double cell) {
    double number = floor(coordinate / cell);
    if (!(number > -9e18)) { return INT64_C(-9000000000000000000); }
    return number < 9e18 ? (int64_t)number : INT64_C(9000000000000000000);
}

static cell_name cell_of(fr_vec3 p, double cell) {
    return (cell_name){cell_along(p.x, cell), cell_along(p.y, cell), cell_along(p.z, cell)};
}

static bool same_cell(cell_name a, cell_name b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// The slot where the points of a cell begin, or a free one.
static size_t first_slot(const welder *w, cell_name name) {
    return (size_t)fr_hash(&name, sizeof name, 0) & (w->slot_count - 1);
}

// The point of a cell that is within the tolerance of p; FR_NONE when there is none.
static uint32_t find_in_cell(const welder *w, cell_name name, fr_vec3 p) {
    const fr_vec3 *points = w->points.data;
    for (size_t slot = first_slot(w, name); w->slots[slot] != 0; slot = (slot + 1) & (w->slot_count - 1)) {
        uint32_t number = w->slots[slot] - 1;
        if (same_cell(cell_of(points[number], w->cell), name) && fr_vec3_distance(points[number], p) <= w->tolerance) {
            return number;
        }
    }
    return FR_NONE;
}

// The point within the tolerance of p; FR_NONE when there is none. At most eight cells hold what is so near.
static uint32_t find_near(const welder *w, fr_vec3 p) {
    fr_vec3 reach = {w->tolerance, w->tolerance, w->tolerance};
    cell_name low = cell_of(fr_vec3_sub(p, reach), w->cell), high = cell_of(fr_vec3_add(p, reach), w->cell);
    for (int64_t x = low.x; x <= high.x; x++) {
        for (int64_t y = low.y; y <= high.y; y++) {
            for (int64_t z = low.z; z <= high.z; z++) {
                uint32_t number = find_in_cell(w, (cell_name){x, y, z}, p);
                if (number != FR_NONE) { return number; }
            }
        }
    }
    return FR_NONE;
}

// The number of the point that p is, a new one unless one lies within the tolerance; FR_NONE when there is no memory.
static uint32_t weld(welder *w, fr_vec3 p) {
    uint32_t near = find_near(w, p);
    if (near != FR_NONE) { return near; }
    fr_vec3 *place = fr__vec3_array_push(&w->points, 1);
    if (place == NULL) { return FR_NONE; }
    *place = p;
    size_t slot = first_slot(w, cell_of(p, w->cell));
    while (w->slots[slot] != 0) {
        slot = (slot + 1) & (w->slot_count - 1);
    }
    w->slots[slot] = (uint32_t)w->points.count;
    return (uint32_t)w->points.count - 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 2: edges

// An edge between two points, low <= high; equal for a point alone. `forward` and `backward` count the sides of areas
// that run along it from low to high and back, `plain` the other pieces.
typedef struct edge {
    uint32_t low, high;
    uint32_t forward, backward, plain;
} edge;

static bool edge_is_before(const edge *a, const edge *b) {
    return a->low != b->low ? a->low < b->low : a->high < b->high;
}

FR_SORT_TYPE(sort_edges, edge, edge_is_before);

// Merges equal edges of a sorted list and keeps those that are to be drawn. Returns how many.
static size_t merge_edges(edge *edges, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count;) {
        edge sum = edges[i++];
        for (; i < count && !edge_is_before(&sum, &edges[i]); i++) {
            sum.forward += edges[i].forward;
            sum.backward += edges[i].backward;
            sum.plain += edges[i].plain;
        }
        if (sum.plain > 0 || sum.forward != sum.backward) { edges[kept++] = sum; }
    }
    return kept;
}

static fr_status make_edges(welder *w, const fr__contact_pieces *pieces, edge *edges, size_t *out_count) {
    const bool *sided = pieces->sided.data;
    size_t count = 0;
    for (size_t i = 0; i < pieces->sided.count; i++) {
        uint32_t a = weld(w, w->ends[2 * i]), b = weld(w, w->ends[2 * i + 1]);
        if (a == FR_NONE || b == FR_NONE) { return FR_ERROR_MEMORY; }
        if (a == b && sided[i]) { continue; } // a side shorter than the tolerance
        edges[count++] = (edge){.low = a < b ? a : b,
                                .high = a < b ? b : a,
                                .forward = sided[i] && a < b,
                                .backward = sided[i] && a > b,
                                .plain = !sided[i]};
    }
    sort_edges(edges, count);
    *out_count = merge_edges(edges, count);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 3: lines

// The edges about each point: those of point p are around[begin[p] .. begin[p + 1]).
typedef struct line_walker {
    const edge *edges;
    size_t edge_count;
    uint32_t *begin;
    uint32_t *around;
    bool *used; // edges that are part of a line
    const fr_vec3 *points;
    uint32_t point_count;
    fr__contact_lines *out;
} line_walker;

static bool is_point(const edge *e) { return e->low == e->high; }

static void list_edges(line_walker *w) {
    for (size_t i = 0; i < w->edge_count; i++) {
        if (is_point(&w->edges[i])) { continue; }
        w->begin[w->edges[i].low + 1]++;
        w->begin[w->edges[i].high + 1]++;
    }
    for (uint32_t p = 0; p < w->point_count; p++) {
        w->begin[p + 1] += w->begin[p];
    }
    // begin[p + 1] stands where p's edges begin, and moves to where they end as they are put in.
    for (uint32_t p = w->point_count; p > 0; p--) {
        w->begin[p] = w->begin[p - 1];
    }
    for (size_t i = 0; i < w->edge_count; i++) {
        if (is_point(&w->edges[i])) { continue; }
        w->around[w->begin[w->edges[i].low + 1]++] = (uint32_t)i;
        w->around[w->begin[w->edges[i].high + 1]++] = (uint32_t)i;
    }
}

static uint32_t degree(const line_walker *w, uint32_t p) { return w->begin[p + 1] - w->begin[p]; }

static bool add_point(line_walker *w, fr_contact_line *line, uint32_t p) {
    fr_vec3 *place = fr__vec3_array_push(&w->out->points, 1);
    if (place == NULL) { return false; }
    *place = w->points[p];
    line->count++;
    return true;
}

// An edge at p that no line has; FR_NONE when there is none.
static uint32_t free_edge(const line_walker *w, uint32_t p) {
    for (uint32_t i = w->begin[p]; i < w->begin[p + 1]; i++) {
        if (!w->used[w->around[i]]) { return w->around[i]; }
    }
    return FR_NONE;
}

// Follows edges from p until a branching, a loose end or p itself.
static bool follow(line_walker *w, uint32_t p) {
    fr_contact_line *line = fr__contact_line_array_push(&w->out->lines, 1);
    if (line == NULL) { return false; }
    *line = (fr_contact_line){.first = w->out->points.count};
    uint32_t at = p;
    if (!add_point(w, line, at)) { return false; }
    do {
        uint32_t i = free_edge(w, at);
        if (i == FR_NONE) { break; }
        w->used[i] = true;
        at = w->edges[i].low == at ? w->edges[i].high : w->edges[i].low;
        if (!add_point(w, line, at)) { return false; }
    } while (degree(w, at) == 2 && at != p);
    return true;
}

static fr_status walk_lines(line_walker *w) {
    for (int loops = 0; loops < 2; loops++) {
        for (uint32_t p = 0; p < w->point_count; p++) {
            bool starts = degree(w, p) > 0 && (loops == 1 || degree(w, p) != 2);
            while (starts && free_edge(w, p) != FR_NONE) {
                if (!follow(w, p)) { return FR_ERROR_MEMORY; }
            }
        }
    }
    for (size_t i = 0; i < w->edge_count; i++) {
        uint32_t p = w->edges[i].low;
        if (!is_point(&w->edges[i]) || degree(w, p) > 0) { continue; }
        if (!fr__contact_lines_add_point(w->out, w->points[p])) { return FR_ERROR_MEMORY; }
    }
    return FR_OK;
}

static fr_status make_lines(const welder *points, const edge *edges, size_t edge_count, fr__contact_lines *out) {
    const fr_allocator *allocator = &out->points.allocator;
    size_t point_count = points->points.count;
    line_walker w = {.edges = edges, .edge_count = edge_count, .out = out};
    w.points = points->points.data;
    w.point_count = (uint32_t)point_count;
    w.begin = fr__zeroed(allocator, point_count + 2, sizeof *w.begin);
    w.around = fr__zeroed(allocator, 2 * edge_count + 1, sizeof *w.around);
    w.used = fr__zeroed(allocator, edge_count + 1, sizeof *w.used);
    fr_status status = FR_ERROR_MEMORY;
    if (w.begin != NULL && w.around != NULL && w.used != NULL) {
        list_edges(&w);
        status = walk_lines(&w);
    }
    fr_deallocate(allocator, w.begin, point_count + 2, sizeof *w.begin);
    fr_deallocate(allocator, w.around, 2 * edge_count + 1, sizeof *w.around);
    fr_deallocate(allocator, w.used, edge_count + 1, sizeof *w.used);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The region

fr__contact_lines fr__contact_lines_make(const fr_allocator *allocator) {
    return (fr__contact_lines){fr__vec3_array_make(allocator), fr__contact_line_array_make(allocator)};
}

void fr__contact_lines_free(fr__contact_lines *lines) {
    fr__vec3_array_destroy(&lines->points);
    fr__contact_line_array_destroy(&lines->lines);
}

bool fr__contact_lines_add_point(fr__contact_lines *lines, fr_vec3 point) {
    fr_contact_line *line = fr__contact_line_array_push(&lines->lines, 1);
    if (line == NULL) { return false; }
    *line = (fr_contact_line){.first = lines->points.count, .count = 1};
    fr_vec3 *place = fr__vec3_array_push(&lines->points, 1);
    if (place == NULL) {
        lines->lines.count--;
        return false;
    }
    *place = point;
    return true;
}

fr_status fr__contact_lines_join(fr__contact_lines *lines, const fr__contact_pieces *pieces, double tolerance) {
    const fr_allocator *allocator = &lines->points.allocator;
    size_t count = pieces->sided.count;
    if (count == 0) { return FR_OK; }
    welder w = {.ends = pieces->ends.data, .slot_count = 16, .tolerance = tolerance, .cell = 8.0 * tolerance};
    while (w.slot_count < 4 * count) {
        w.slot_count *= 2;
    }
    w.points = fr__vec3_array_make(allocator);
    w.slots = fr__zeroed(allocator, w.slot_count, sizeof *w.slots);
    edge *edges = fr__zeroed(allocator, count, sizeof *edges);
    size_t edge_count = 0;
    fr_status status = w.slots != NULL && edges != NULL ? FR_OK : FR_ERROR_MEMORY;
    if (status == FR_OK) { status = make_edges(&w, pieces, edges, &edge_count); }
    if (status == FR_OK) { status = make_lines(&w, edges, edge_count, lines); }
    fr_deallocate(allocator, edges, count, sizeof *edges);
    fr_deallocate(allocator, w.slots, w.slot_count, sizeof *w.slots);
    fr__vec3_array_destroy(&w.points);
    return status;
}

fr_contact_region fr__contact_lines_view(const fr__contact_lines *lines) {
    return (fr_contact_region){lines->points.data, lines->points.count, lines->lines.data, lines->lines.count};
}

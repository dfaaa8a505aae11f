// Depths along straight motion without an image: columns over the faces of mover and obstacles.
#include "radar/columns.h"

#include "fureai/base_order.h"

#include <math.h>

// Columns with at most so many pairs of faces get the bound of all pairs; in exact queries the pairs are decided.
#define MANY_PAIRS 4096
#define SORTED_PAIRS 64
#define FEW_PAIRS 32

// Columns are cut no finer than this part of a pixel: depths of their ends would round alike.
#define LEAST_SIDE 0x1p-20

typedef fr__column_item item;
typedef fr__column_cell cell;

typedef struct column_search {
    fr__columns *columns;
    const fr_radar_input *input;
    const fr__travel_table *table;
    const fr__view *view;
    const fr__facet *mover, *others;
    fr__bracket *out;
} column_search;

fr__columns fr__columns_make(const fr_allocator *allocator) {
    return (fr__columns){fr__column_cell_array_make(allocator), fr__column_item_array_make(allocator),
                         fr__pairs_make(allocator)};
}

void fr__columns_free(fr__columns *columns) {
    fr__column_cell_array_destroy(&columns->cells);
    fr__column_item_array_destroy(&columns->items);
    fr__pairs_free(&columns->decided);
}

// ---------------------------------------------------------------------------------------------------------------
// Bounds

static const item *items_of(const column_search *s, const cell *c) { return s->columns->items.data + c->first; }

// By one end of their stretches, then by facet.
static bool low_is_before(const item *a, const item *b) {
    return a->reach.low != b->reach.low ? a->reach.low < b->reach.low : a->facet < b->facet;
}

static bool high_is_before(const item *a, const item *b) {
    return a->reach.high != b->reach.high ? a->reach.high < b->reach.high : a->facet < b->facet;
}

FR_SORT_TYPE(sort_by_low, item, low_is_before);
FR_SORT_TYPE(sort_by_high, item, high_is_before);

// The same as over all pairs where depths lie on a line: of the mover's stretches that begin before the end of another
// the one that reaches farthest is nearest to it.
static void bound_sorted(const column_search *s, cell *c) {
    item *movers = s->columns->items.data + c->first, *others = movers + c->movers;
    sort_by_low(movers, c->movers);
    sort_by_high(others, c->others);
    double reach = -INFINITY;
    uint32_t next = 0, farthest = FR_NONE;
    for (uint32_t k = 0; k < c->others; k++) {
        for (; next < c->movers && movers[next].reach.low <= others[k].reach.high; next++) {
            if (movers[next].reach.high <= reach) { continue; }
            reach = movers[next].reach.high;
            farthest = movers[next].facet;
        }
        double gap = others[k].reach.low > reach ? others[k].reach.low - reach : 0.0;
        if (farthest == FR_NONE || !(gap < c->bound)) { continue; }
        c->bound = gap;
        c->mover = farthest;
        c->other = others[k].facet;
    }
}

static bool is_finest(const column_search *s, const cell *c) {
    double side = fr__greater(c->sides.x1 - c->sides.x0, c->sides.y1 - c->sides.y0);
    return s->input->look == FR_RADAR_CONSERVATIVE ? side <= 1.0 : side <= LEAST_SIDE;
}

// The least gap over all pairs. Where there are many on a turn, 0 stands for it: their column is cut anyway.
static void bound_cell(const column_search *s, cell *c) {
    c->bound = INFINITY;
    c->mover = c->other = FR_NONE;
    if (c->movers == 0 || c->others == 0) { return; }
    const item *movers = items_of(s, c), *others = movers + c->movers;
    uint64_t pairs = (uint64_t)c->movers * c->others;
    if (s->table->is_linear && pairs > SORTED_PAIRS) {
        bound_sorted(s, c);
        return;
    }
    if (pairs > MANY_PAIRS && !is_finest(s, c)) {
        c->bound = 0.0;
        c->mover = movers[0].facet;
        c->other = others[0].facet;
        return;
    }
    for (uint32_t i = 0; i < c->movers; i++) {
        for (uint32_t k = 0; k < c->others; k++) {
            double gap = s->table->gap(&movers[i].reach, &others[k].reach);
            if (!(gap < c->bound)) { continue; }
            c->bound = gap;
            c->mover = movers[i].facet;
            c->other = others[k].facet;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The heap

static bool cell_is_before(const cell *a, const cell *b) { return a->bound < b->bound; }

FR_HEAP_TYPE(cell_heap, cell, 2, cell_is_before);

static bool push_cell(fr__columns *columns, const cell *c) {
    cell *place = fr__column_cell_array_push(&columns->cells, 1);
    if (place == NULL) { return false; }
    *place = *c;
    cell_heap_sift_up(columns->cells.data, columns->cells.count - 1);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The search

// Adds the faces of `from` (NULL: all) that lie in the column.
static bool add_items(column_search *s, const cell *from, bool is_mover, uint32_t all, cell *to) {
    const fr__facet *facets = is_mover ? s->mover : s->others;
    uint32_t count = from == NULL ? all : is_mover ? from->movers : from->others;
    size_t first = from == NULL ? 0 : from->first + (is_mover ? 0 : from->movers);
    uint32_t last = FR_NONE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t facet = from == NULL ? i : s->columns->items.data[first + i].facet;
        // A face with several stretches stands there several times, one after another.
        if (facet == last) { continue; }
        last = facet;
        fr__reach reaches[FR__MOST_REACHES];
        int found = s->table->cut(s->view, &facets[facet], &to->sides, reaches);
        for (int k = 0; k < found; k++) {
            item *place = fr__column_item_array_push(&s->columns->items, 1);
            if (place == NULL) { return false; }
            *place = (item){reaches[k], facet};
            *(is_mover ? &to->movers : &to->others) += 1;
        }
    }
    return true;
}

// A column with the faces that its parent has there, put on the heap where it matters. False: no memory.
static bool make_cell(column_search *s, const cell *from, uint32_t movers, uint32_t others, cell *c) {
    s->out->cells++;
    c->first = s->columns->items.count;
    c->movers = c->others = 0;
    if (!add_items(s, from, true, movers, c)) { return false; }
    if (c->movers > 0 && !add_items(s, from, false, others, c)) { return false; }
    bound_cell(s, c);
    bool matters = c->movers > 0 && c->others > 0 && c->bound < s->out->high && c->bound <= s->view->travel;
    if (!matters) { s->columns->items.count = c->first; }
    return !matters || push_cell(s->columns, c);
}

// Cuts a side in two: between pixels where there are several.
static double middle_of(double low, double high) {
    double middle = 0.5 * (low + high);
    return high - low > 1.5 ? floor(middle) : middle;
}

static bool split(column_search *s, const cell *c) {
    const fr__column *whole = &c->sides;
    bool is_wide = whole->x1 - whole->x0 > 1.5, is_high = whole->y1 - whole->y0 > 1.5;
    bool is_fine = !is_wide && !is_high;
    double x = is_wide || is_fine ? middle_of(whole->x0, whole->x1) : whole->x1;
    double y = is_high || is_fine ? middle_of(whole->y0, whole->y1) : whole->y1;
    for (int i = 0; i < 4; i++) {
        cell part = {.sides = {.x0 = (i & 1) != 0 ? x : whole->x0,
                               .x1 = (i & 1) != 0 ? whole->x1 : x,
                               .y0 = (i & 2) != 0 ? y : whole->y0,
                               .y1 = (i & 2) != 0 ? whole->y1 : y}};
        bool has_inside = part.sides.x0 < part.sides.x1 && part.sides.y0 < part.sides.y1;
        if (has_inside && !make_cell(s, c, 0, 0, &part)) { return false; }
    }
    return true;
}

// Decides the pairs of a column: what meets first there, wherever in the column or beside it. False: no memory.
static bool decide(column_search *s, const cell *c) {
    const item *movers = items_of(s, c), *others = movers + c->movers;
    for (uint32_t i = 0; i < c->movers; i++) {
        for (uint32_t k = 0; k < c->others; k++) {
            if (s->table->gap(&movers[i].reach, &others[k].reach) >= s->out->high) { continue; }
            bool is_new;
            if (fr__pairs_find(&s->columns->decided, movers[i].facet, others[k].facet, &is_new) == NULL) {
                return false;
            }
            if (!is_new) { continue; }
            s->out->pairs++;
            fr__meeting m = s->table->meet(s->view, &s->mover[movers[i].facet], &s->others[others[k].facet]);
            bool is_named = s->out->meeting.travel != INFINITY;
            if (!(m.travel < s->out->high || (!is_named && m.travel <= s->out->high))) { continue; }
            s->out->high = m.travel;
            s->out->meeting = m;
        }
    }
    return true;
}

// What the line through the middle of a column finds.
static void sample(column_search *s, const cell *c) {
    const item *movers = items_of(s, c), *others = movers + c->movers;
    double x = 0.5 * (c->sides.x0 + c->sides.x1), y = 0.5 * (c->sides.y0 + c->sides.y1);
    if ((uint64_t)c->movers * c->others > MANY_PAIRS) { return; }
    for (uint32_t i = 0; i < c->movers; i++) {
        for (uint32_t k = 0; k < c->others; k++) {
            double travel = s->table->on_line(s->view, &s->mover[movers[i].facet], &s->others[others[k].facet], x, y);
            s->out->high = fr__lesser(s->out->high, travel);
        }
    }
}

static double tolerance_of(const column_search *s) {
    if (s->input->look != FR_RADAR_REFINED) { return 0.0; }
    if (s->input->tolerance > 0.0) { return s->input->tolerance; }
    return s->table == &fr__turning_travel ? 1e-3 : 1e-3 * s->view->size;
}

// The column with the least bound again and again. Returns false when there is no memory.
static bool refine(column_search *s) {
    fr__bracket *out = s->out;
    bool is_exact = s->input->look == FR_RADAR_EXACT;
    while (s->columns->cells.count > 0) {
        cell c = cell_heap_pop(s->columns->cells.data, &s->columns->cells.count);
        out->low = c.bound;
        if (c.mover != FR_NONE && out->meeting.travel == INFINITY) {
            out->meeting.mover = &s->mover[c.mover];
            out->meeting.other = &s->others[c.other];
        }
        if (c.bound >= out->high || out->high - c.bound <= tolerance_of(s)) { break; }
        bool is_few = (uint64_t)c.movers * c.others <= FEW_PAIRS;
        // Where faces are widened, finer columns do not separate them any better.
        if (s->view->widen > 0.0) {
            is_few = is_few || fr__greater(c.sides.x1 - c.sides.x0, c.sides.y1 - c.sides.y0) <= 1.0;
        }
        bool is_limit = out->cells >= s->input->cells;
        bool is_last = is_finest(s, &c);
        // Refining ends with the pairs too where lines never hit what the columns close in on: a corner, an edge.
        if ((is_exact && (is_few || is_limit)) || (is_last && s->input->look != FR_RADAR_CONSERVATIVE)) {
            if (!decide(s, &c)) { return false; }
            out->low = out->high;
            continue;
        }
        if (is_last) { break; }
        if (is_limit && s->input->look == FR_RADAR_REFINED) {
            out->is_wide = true;
            break;
        }
        if (s->input->look == FR_RADAR_REFINED) { sample(s, &c); }
        out->low = out->high;
        if (!split(s, &c)) { return false; }
    }
    out->low = fr__lesser(out->low, out->high);
    return true;
}

fr_status fr__columns_search(fr__columns *columns, const fr_radar_input *input, const fr__travel_table *table,
                             const fr__view *view, const fr__mover *mover, const fr__facet_array *others,
                             const fr__column *root, double high, fr__bracket *out) {
    *out = (fr__bracket){.low = high, .high = high, .meeting = {.travel = INFINITY}};
    column_search s = {.columns = columns,
                       .input = input,
                       .table = table,
                       .view = view,
                       .mover = mover->facets.data,
                       .others = others->data,
                       .out = out};
    columns->cells.count = 0;
    columns->items.count = 0;
    fr__pairs_clear(&columns->decided);
    // What lines found names the pixel, not the pair: an exact query decides that too.
    if (input->look == FR_RADAR_EXACT && high < INFINITY) { out->high = high + 1e-9 * view->travel; }
    cell first = {.sides = *root};
    if (!make_cell(&s, NULL, (uint32_t)mover->ahead, (uint32_t)others->count, &first) || !refine(&s)) {
        return FR_ERROR_MEMORY;
    }
    return FR_OK;
}

#include "radar/columns.h"

#include <math.h>

// Columns with at most so many pairs of faces get the bound of all pairs; in exact questions the pairs are decided.
#define MANY_PAIRS 4096
#define FEW_PAIRS 32

// Pixels: sides of columns are moved outwards by this, for the rounding of cuts.
#define SIDE_SLACK 1e-9

// Columns are cut no finer than this part of a pixel: depths of their ends would round alike.
#define LEAST_SIDE 0x1p-20

// A face in a column: the depths between which it lies there.
typedef struct item {
    uint32_t facet;
    double low, high;
} item;

typedef struct cell {
    double bound;
    double x0, y0, x1, y1; // pixels
    size_t first;          // in items: the mover's faces, then the others'
    uint32_t movers, others;
    uint32_t mover, other; // faces that gave the bound; FR_NONE where none did
} cell;

typedef struct searching {
    fr__columns *columns;
    const fr_radar_input *input;
    const fr__view *view;
    const fr__facet *mover, *others;
    double slack; // depths
    fr__bracket *out;
} searching;

fr__columns fr__columns_make(const fr_allocator *allocator) {
    return (fr__columns){fr_array_make(sizeof(cell), allocator), fr_array_make(sizeof(item), allocator)};
}

void fr__columns_free(fr__columns *columns) {
    fr_array_free(&columns->cells);
    fr_array_free(&columns->items);
}

// ---------------------------------------------------------------------------------------------------------------
// Cutting

typedef struct polygon {
    int count;
    double p[8][3]; // x, y, z; a triangle cut by four lines has at most 7 corners
} polygon;

// Keeps what lies on one side of a line: sign * (p[axis] - at) >= 0.
static void cut(polygon *poly, int axis, double at, double sign) {
    polygon kept = {0};
    for (int i = 0; i < poly->count; i++) {
        const double *a = poly->p[i], *b = poly->p[(i + 1) % poly->count];
        double da = sign * (a[axis] - at), db = sign * (b[axis] - at);
        if (da >= 0.0) {
            for (int k = 0; k < 3; k++) {
                kept.p[kept.count][k] = a[k];
            }
            kept.count++;
        }
        if ((da >= 0.0) == (db >= 0.0)) { continue; }
        double t = da / (da - db);
        for (int k = 0; k < 3; k++) {
            kept.p[kept.count][k] = k == axis ? at : a[k] + t * (b[k] - a[k]);
        }
        kept.count++;
    }
    *poly = kept;
}

static bool is_beside(const double v[3], double low, double high) {
    return (v[0] < low - SIDE_SLACK && v[1] < low - SIDE_SLACK && v[2] < low - SIDE_SLACK) ||
           (v[0] > high + SIDE_SLACK && v[1] > high + SIDE_SLACK && v[2] > high + SIDE_SLACK);
}

// Where a face lies in a column; false: nowhere.
static bool cut_out(const searching *s, const fr__facet *f, const cell *c, item *out) {
    if (is_beside(f->x, c->x0, c->x1) || is_beside(f->y, c->y0, c->y1)) { return false; }
    polygon poly = {.count = 3};
    for (int k = 0; k < 3; k++) {
        poly.p[k][0] = f->x[k];
        poly.p[k][1] = f->y[k];
        poly.p[k][2] = f->z[k];
    }
    const double ends[2][2] = {{c->x0 - SIDE_SLACK, c->x1 + SIDE_SLACK}, {c->y0 - SIDE_SLACK, c->y1 + SIDE_SLACK}};
    for (int axis = 1; axis >= 0; axis--) {
        cut(&poly, axis, ends[axis][0], 1.0);
        if (poly.count == 0) { return false; }
        cut(&poly, axis, ends[axis][1], -1.0);
        if (poly.count == 0) { return false; }
    }
    out->low = INFINITY;
    out->high = -INFINITY;
    for (int i = 0; i < poly.count; i++) {
        out->low = fr__lesser(out->low, poly.p[i][2]);
        out->high = fr__greater(out->high, poly.p[i][2]);
    }
    out->low -= s->slack;
    out->high += s->slack;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Bounds

static const item *items_of(const searching *s, const cell *c) {
    return (const item *)s->columns->items.data + c->first;
}

// The least gap over all pairs whose other face is not wholly behind the mover's.
static void bound_by_pairs(const searching *s, cell *c) {
    const item *movers = items_of(s, c), *others = movers + c->movers;
    for (uint32_t i = 0; i < c->movers; i++) {
        for (uint32_t k = 0; k < c->others; k++) {
            if (others[k].high < movers[i].low) { continue; }
            double gap = others[k].low - movers[i].high;
            gap = gap > 0.0 ? gap : 0.0;
            if (!(gap < c->bound)) { continue; }
            c->bound = gap;
            c->mover = movers[i].facet;
            c->other = others[k].facet;
        }
    }
}

// The same from the ends of all: never above it.
static void bound_by_ends(const searching *s, cell *c) {
    const item *movers = items_of(s, c), *others = movers + c->movers;
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < c->movers; i++) {
        low = fr__lesser(low, movers[i].low);
        if (movers[i].high > high) {
            high = movers[i].high;
            c->mover = movers[i].facet;
        }
    }
    double nearest = INFINITY;
    for (uint32_t k = 0; k < c->others; k++) {
        if (others[k].high < low || !(others[k].low < nearest)) { continue; }
        nearest = others[k].low;
        c->other = others[k].facet;
    }
    c->bound = nearest - high > 0.0 ? nearest - high : 0.0;
    if (nearest == INFINITY) { c->bound = INFINITY; }
}

static void bound_cell(const searching *s, cell *c) {
    c->bound = INFINITY;
    c->mover = c->other = FR_NONE;
    if ((uint64_t)c->movers * c->others <= MANY_PAIRS) {
        bound_by_pairs(s, c);
    } else {
        bound_by_ends(s, c);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The heap

static bool push_cell(fr__columns *columns, const cell *c) {
    if (fr_array_push(&columns->cells, 1) == NULL) { return false; }
    cell *heap = columns->cells.data;
    size_t at = columns->cells.count - 1;
    for (; at > 0 && c->bound < heap[(at - 1) / 2].bound; at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = *c;
    return true;
}

static cell pop_cell(fr__columns *columns) {
    cell *heap = columns->cells.data;
    cell least = heap[0], last = heap[--columns->cells.count];
    size_t count = columns->cells.count, at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && heap[child + 1].bound < heap[child].bound) { child++; }
        if (!(heap[child].bound < last.bound)) { break; }
        heap[at] = heap[child];
        at = child;
    }
    if (count > 0) { heap[at] = last; }
    return least;
}

// ---------------------------------------------------------------------------------------------------------------
// The search

// Adds the faces of `from` (NULL: all) that lie in the column.
static bool add_items(searching *s, const cell *from, bool is_mover, uint32_t all, cell *to) {
    const fr__facet *facets = is_mover ? s->mover : s->others;
    uint32_t count = from == NULL ? all : is_mover ? from->movers : from->others;
    size_t first = from == NULL ? 0 : from->first + (is_mover ? 0 : from->movers);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t facet = from == NULL ? i : ((const item *)s->columns->items.data)[first + i].facet;
        item found = {.facet = facet};
        if (!cut_out(s, &facets[facet], to, &found)) { continue; }
        item *place = fr_array_push(&s->columns->items, 1);
        if (place == NULL) { return false; }
        *place = found;
        *(is_mover ? &to->movers : &to->others) += 1;
    }
    return true;
}

// A column with the faces that its parent has there, put on the heap where it matters. False: no memory.
static bool make_cell(searching *s, const cell *from, uint32_t movers, uint32_t others, cell *c) {
    s->out->cells++;
    c->first = s->columns->items.count;
    c->movers = c->others = 0;
    if (!add_items(s, from, true, movers, c)) { return false; }
    if (c->movers > 0 && !add_items(s, from, false, others, c)) { return false; }
    bound_cell(s, c);
    bool matters = c->movers > 0 && c->others > 0 && c->bound < s->out->high && c->bound <= s->view->way;
    if (!matters) { s->columns->items.count = c->first; }
    return !matters || push_cell(s->columns, c);
}

// Cuts a side in two: between pixels where there are several.
static double middle_of(double low, double high) {
    double middle = 0.5 * (low + high);
    return high - low > 1.5 ? floor(middle) : middle;
}

static bool split(searching *s, const cell *c) {
    bool is_wide = c->x1 - c->x0 > 1.5, is_high = c->y1 - c->y0 > 1.5;
    bool is_fine = !is_wide && !is_high;
    double x = is_wide || is_fine ? middle_of(c->x0, c->x1) : c->x1;
    double y = is_high || is_fine ? middle_of(c->y0, c->y1) : c->y1;
    for (int i = 0; i < 4; i++) {
        cell part = {.x0 = (i & 1) != 0 ? x : c->x0,
                     .x1 = (i & 1) != 0 ? c->x1 : x,
                     .y0 = (i & 2) != 0 ? y : c->y0,
                     .y1 = (i & 2) != 0 ? c->y1 : y};
        if (part.x0 < part.x1 && part.y0 < part.y1 && !make_cell(s, c, 0, 0, &part)) { return false; }
    }
    return true;
}

// Decides the pairs of a column: what meets first there, wherever in the column or beside it.
static void decide(searching *s, const cell *c) {
    const item *movers = items_of(s, c), *others = movers + c->movers;
    for (uint32_t i = 0; i < c->movers; i++) {
        for (uint32_t k = 0; k < c->others; k++) {
            if (others[k].high < movers[i].low || others[k].low - movers[i].high >= s->out->high) { continue; }
            s->out->pairs++;
            fr__meeting m =
                fr__facets_meet(&s->mover[movers[i].facet], &s->others[others[k].facet], s->view->pixel, s->slack);
            bool is_named = s->out->meeting.way != INFINITY;
            if (!(m.way < s->out->high || (!is_named && m.way <= s->out->high))) { continue; }
            s->out->high = m.way;
            s->out->meeting = m;
        }
    }
}

// The depth of a face on the line through (x, y); false where the line passes it by.
static bool depth_on_line(const fr__facet *f, double x, double y, double *z) {
    double area = (f->x[1] - f->x[0]) * (f->y[2] - f->y[0]) - (f->y[1] - f->y[0]) * (f->x[2] - f->x[0]);
    double sum = 0.0;
    if (area == 0.0) { return false; }
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        double part = ((f->x[b] - f->x[a]) * (y - f->y[a]) - (f->y[b] - f->y[a]) * (x - f->x[a])) / area;
        if (!(part >= 0.0)) { return false; }
        sum += part * f->z[i];
    }
    *z = sum;
    return true;
}

// What the line through the middle of a column finds.
static void sample(searching *s, const cell *c) {
    const item *movers = items_of(s, c), *others = movers + c->movers;
    double x = 0.5 * (c->x0 + c->x1), y = 0.5 * (c->y0 + c->y1), from, to;
    if ((uint64_t)c->movers * c->others > MANY_PAIRS) { return; }
    for (uint32_t i = 0; i < c->movers; i++) {
        if (!depth_on_line(&s->mover[movers[i].facet], x, y, &from)) { continue; }
        for (uint32_t k = 0; k < c->others; k++) {
            if (!depth_on_line(&s->others[others[k].facet], x, y, &to) || to < from - s->slack) { continue; }
            s->out->high = fr__lesser(s->out->high, fr__greater(to - from, 0.0));
        }
    }
}

static bool is_finest(const searching *s, const cell *c) {
    double side = fr__greater(c->x1 - c->x0, c->y1 - c->y0);
    return s->input->look == FR_RADAR_CONSERVATIVE ? side <= 1.0 : side <= LEAST_SIDE;
}

static double tolerance_of(const searching *s) {
    if (s->input->look != FR_RADAR_REFINED) { return 0.0; }
    return s->input->tolerance > 0.0 ? s->input->tolerance : 1e-3 * s->view->size;
}

// The column with the least bound again and again. Returns false when there is no memory.
static bool refine(searching *s) {
    fr__bracket *out = s->out;
    bool is_exact = s->input->look == FR_RADAR_EXACT;
    while (s->columns->cells.count > 0) {
        cell c = pop_cell(s->columns);
        out->low = c.bound;
        if (c.mover != FR_NONE && out->meeting.way == INFINITY) {
            out->meeting.mover = &s->mover[c.mover];
            out->meeting.other = &s->others[c.other];
        }
        if (c.bound >= out->high || out->high - c.bound <= tolerance_of(s)) { break; }
        bool is_few = (uint64_t)c.movers * c.others <= FEW_PAIRS;
        bool is_limit = out->cells >= s->input->cells;
        if (is_exact && (is_few || is_limit || is_finest(s, &c))) {
            decide(s, &c);
            out->low = out->high;
            continue;
        }
        if (is_finest(s, &c)) { break; }
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

// The pixels where others are seen.
static cell root_of(const searching *s, size_t count) {
    cell root = {.x0 = (double)s->view->width, .y0 = (double)s->view->height};
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            root.x0 = fr__lesser(root.x0, floor(s->others[i].x[k]));
            root.y0 = fr__lesser(root.y0, floor(s->others[i].y[k]));
            root.x1 = fr__greater(root.x1, ceil(s->others[i].x[k]));
            root.y1 = fr__greater(root.y1, ceil(s->others[i].y[k]));
        }
    }
    root.x0 = fr__greater(fr__lesser(root.x0, (double)s->view->width - 1.0), 0.0);
    root.y0 = fr__greater(fr__lesser(root.y0, (double)s->view->height - 1.0), 0.0);
    root.x1 = fr__lesser(fr__greater(root.x1, root.x0 + 1.0), (double)s->view->width);
    root.y1 = fr__lesser(fr__greater(root.y1, root.y0 + 1.0), (double)s->view->height);
    return root;
}

fr_status fr__columns_search(fr__columns *columns, const fr_radar_input *input, const fr__view *view,
                             const fr__mover *mover, const fr_array *others, double high, fr__bracket *out) {
    *out = (fr__bracket){.low = high, .high = high, .meeting = {.way = INFINITY}};
    searching s = {.columns = columns,
                   .input = input,
                   .view = view,
                   .mover = mover->facets.data,
                   .others = others->data,
                   .slack = 1e-13 * (view->size + view->way),
                   .out = out};
    columns->cells.count = 0;
    columns->items.count = 0;
    // What lines found names the pixel, not the pair: an exact question decides that too.
    if (input->look == FR_RADAR_EXACT && high < INFINITY) { out->high = high + 4.0 * s.slack; }
    cell root = root_of(&s, others->count);
    if (!make_cell(&s, NULL, (uint32_t)mover->ahead, (uint32_t)others->count, &root) || !refine(&s)) {
        return FR_ERROR_MEMORY;
    }
    return FR_OK;
}

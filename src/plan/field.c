// The field: when and where to sweep, and its queries.
#include "plan/field.h"

#include <string.h>

#define FIELD_DEF_COOKIE 0x504c4e46u

fr_plan_field_def fr_default_plan_field_def(void) {
    fr_plan_field_def def;
    memset(&def, 0, sizeof def);
    def.pmax = 100.0;
    def.attraction = 1.0;
    def.cookie = FIELD_DEF_COOKIE;
    return def;
}

void fr__plan_make_steps(int16_t steps[256][8]) {
    for (int byte = 0; byte < 256; byte++) {
        for (int i = 0; i < 8; i++) {
            steps[byte][i] = FR_PLAN_G_NONE;
            for (int j = 0; j < 8; j++) {
                int away = i > j ? i - j : j - i, g = away == 0 ? 0 : 2 * away - 1;
                if ((byte >> j & 1) != 0 && g < steps[byte][i]) { steps[byte][i] = (int16_t)g; }
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status check_def(const fr_plan_field_def *def, fr_error *error) {
    if (!isfinite(def->pmax) || !isfinite(def->attraction)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a field's definition has a number that is not finite");
    }
    if (def->pmax < 0.0 || def->attraction < 0.0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "pmax %g and attraction %g of a field must not be negative",
                            def->pmax, def->attraction);
    }
    return FR_OK;
}

fr_status fr_plan_field_create(const fr_plan_field_def *def, const fr_plan_world *world, fr_plan_field **out,
                               fr_error *error) {
    FR_ASSERT(def != NULL && world != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != FIELD_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_plan_field_def"); }
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_plan_field *f = fr_allocate(&allocator, 1, sizeof *f, _Alignof(fr_plan_field));
    if (f == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a field"); }

    memset(f, 0, sizeof *f);
    f->def = *def;
    f->allocator = allocator;
    if (def->tasks != NULL) { f->tasks = *def->tasks; }
    fr__plan_bits bits = fr__plan_world_bits(world);
    f->size = bits.size;
    f->layers = bits.layers;
    f->dimension = fr_plan_world_get_def(world).dimension;
    f->stride = bits.size < FR__PLAN_LANES ? FR__PLAN_LANES : bits.size;
    // A little more a layer, so that cells above one another do not share their place in a cache.
    f->layer = (size_t)f->stride * f->size + (f->dimension == 3 ? 2 * FR__PLAN_LANES : 0);
    f->lane_count = f->layer * f->layers;
    // Two layers a worker, in the plane a row.
    f->scratch_count = (size_t)f->stride * (f->dimension == 3 ? 2 * f->size : 1);
    f->scratch_count *= (size_t)fr_tasks_worker_count(&f->tasks);
    f->inner = fr_allocate(&allocator, f->lane_count, sizeof *f->inner, 64);
    f->g = fr_allocate(&allocator, f->lane_count, sizeof *f->g, 64);
    f->scratch = fr_allocate(&allocator, f->scratch_count, sizeof *f->scratch, 64);
    if (f->inner == NULL || f->g == NULL || f->scratch == NULL) {
        fr_plan_field_destroy(f);
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a field of %u cells an axis",
                            (unsigned)bits.size);
    }
    // Rows of small worlds are padded; the padding is swept, too.
    memset(f->inner, 0, f->lane_count * sizeof *f->inner);
    memset(f->g, 0, f->lane_count * sizeof *f->g);
    memset(f->scratch, 0, f->scratch_count * sizeof *f->scratch);
    fr__plan_make_steps(f->steps);
    double half = 0.5 * (double)f->size;
    f->goal = fr_vec3_make(half, half, f->dimension == 3 ? half : 0.5);
    status = fr_plan_field_update(f, world, true, error);
    *out = f;
    return status;
}

void fr_plan_field_destroy(fr_plan_field *f) {
    if (f == NULL) { return; }
    fr_allocator allocator = f->allocator;
    fr_deallocate(&allocator, f->inner, f->lane_count, sizeof *f->inner);
    fr_deallocate(&allocator, f->g, f->lane_count, sizeof *f->g);
    fr_deallocate(&allocator, f->scratch, f->scratch_count, sizeof *f->scratch);
    fr_deallocate(&allocator, f->sums, f->sum_count, sizeof *f->sums);
    fr_deallocate(&allocator, f, 1, sizeof *f);
}

// ---------------------------------------------------------------------------------------------------------------
// Sweeping

// One update.
typedef struct update {
    fr_plan_field *field;
    const fr__field_table *kernel;
    fr__plan_bits bits;
    int32_t low[3], high[3]; // cells that may have changed since the last one
    bool is_whole;
    // By worker: where the inner sweeps gave something else, on x and, in space, y.
    struct {
        uint32_t low[2], high[2];
    } changed[FR_MAX_WORKERS];
    uint32_t lanes_low, lanes_high, rows_low, rows_high; // of all workers, whole registers
} update;

static void make_row(const update *u, uint32_t y, uint32_t z, int16_t *out) {
    const fr__plan_bits *b = &u->bits;
    u->kernel->row(b->words + ((size_t)z * b->size + y) * b->row_words, (b->size + 7) / 8, u->field->steps, out);
}

// Takes over a row that was swept again, and notes where it differs from what it was.
static void keep_row(update *u, int worker, const int16_t *from, uint32_t y, int16_t *to) {
    uint32_t low = 0, high = u->field->size;
    while (low < high && from[low] == to[low]) {
        low++;
    }
    while (high > low && from[high - 1] == to[high - 1]) {
        high--;
    }
    if (low == high) { return; }
    memcpy(to + low, from + low, (high - low) * sizeof *to);
    const uint32_t at_low[2] = {low, y}, at_high[2] = {high, y + 1};
    for (int a = 0; a < 2; a++) {
        uint32_t *min = &u->changed[worker].low[a], *max = &u->changed[worker].high[a];
        *min = at_low[a] < *min ? at_low[a] : *min;
        *max = at_high[a] > *max ? at_high[a] : *max;
    }
}

// In space: some layers, along x and y.
static void sweep_layers(size_t begin, size_t end, int worker, void *context) {
    update *u = context;
    fr_plan_field *f = u->field;
    size_t layer = (size_t)f->stride * f->size;
    int16_t *rows = f->scratch + 2 * (size_t)worker * layer, *swept = rows + layer;
    for (size_t i = begin; i < end; i++) {
        uint32_t z = (uint32_t)u->low[2] + (uint32_t)i;
        int16_t *inner = f->inner + z * f->layer;
        for (uint32_t y = 0; y < f->size; y++) {
            make_row(u, y, z, rows + (size_t)y * f->stride);
        }
        u->kernel->sweep(rows, f->size, f->stride, f->stride, u->is_whole ? inner : swept);
        for (uint32_t y = 0; y < f->size && !u->is_whole; y++) {
            keep_row(u, worker, swept + (size_t)y * f->stride, y, inner + (size_t)y * f->stride);
        }
    }
}

// In the plane: some rows, along x.
static void make_rows(size_t begin, size_t end, int worker, void *context) {
    update *u = context;
    fr_plan_field *f = u->field;
    int16_t *row = f->scratch + (size_t)worker * f->stride;
    for (size_t i = begin; i < end; i++) {
        uint32_t y = (uint32_t)u->low[1] + (uint32_t)i;
        int16_t *inner = f->inner + (size_t)y * f->stride;
        make_row(u, y, 0, u->is_whole ? inner : row);
        if (!u->is_whole) { keep_row(u, worker, row, 0, inner); }
    }
}

// In space: some rows along z.
static void sweep_along_z(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    update *u = context;
    fr_plan_field *f = u->field;
    for (size_t i = begin; i < end; i++) {
        size_t at = (u->rows_low + i) * f->stride + u->lanes_low;
        u->kernel->sweep(f->inner + at, f->layers, f->layer, u->lanes_high - u->lanes_low, f->g + at);
    }
}

// In the plane: some registers full of columns along y.
static void sweep_along_y(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    update *u = context;
    fr_plan_field *f = u->field;
    size_t at = u->lanes_low + begin * FR__PLAN_LANES;
    u->kernel->sweep(f->inner + at, f->size, f->stride, (uint32_t)(end - begin) * FR__PLAN_LANES, f->g + at);
}

// What the workers saw change, joined.
static void join_changes(update *u, int workers) {
    uint32_t low[2] = {UINT32_MAX, UINT32_MAX}, high[2] = {0, 0};
    for (int w = 0; w < workers; w++) {
        for (int a = 0; a < 2; a++) {
            low[a] = u->changed[w].low[a] < low[a] ? u->changed[w].low[a] : low[a];
            high[a] = u->changed[w].high[a] > high[a] ? u->changed[w].high[a] : high[a];
        }
    }
    bool is_any = low[0] < high[0];
    u->lanes_low = is_any ? low[0] / FR__PLAN_LANES * FR__PLAN_LANES : 0;
    u->lanes_high = is_any ? (high[0] + FR__PLAN_LANES - 1) / FR__PLAN_LANES * FR__PLAN_LANES : 0;
    u->rows_low = is_any ? low[1] : 0;
    u->rows_high = is_any ? high[1] : 0;
}

static void run_update(update *u) {
    fr_plan_field *f = u->field;
    // Sharing pays from some ten thousand cells on.
    const fr_tasks *tasks = f->lane_count >= 65536 ? &f->tasks : NULL;
    int workers = fr_tasks_worker_count(tasks);
    for (int w = 0; w < workers; w++) {
        u->changed[w].low[0] = u->changed[w].low[1] = u->is_whole ? 0 : UINT32_MAX;
        u->changed[w].high[0] = u->is_whole ? f->stride : 0;
        u->changed[w].high[1] = u->is_whole ? f->size : 0;
    }
    if (f->dimension == 3) {
        size_t layers = (size_t)(u->high[2] - u->low[2]);
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, layers, 4, sweep_layers, u);
        join_changes(u, workers);
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, u->rows_high - u->rows_low, 8, sweep_along_z, u);
    } else {
        size_t rows = (size_t)(u->high[1] - u->low[1]);
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, rows, 64, make_rows, u);
        join_changes(u, workers);
        size_t lanes = u->lanes_high - u->lanes_low;
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, lanes / FR__PLAN_LANES, 4, sweep_along_y, u);
    }
}

fr_status fr_plan_field_update(fr_plan_field *f, const fr_plan_world *world, bool is_other, fr_error *error) {
    FR_ASSERT(f != NULL && world != NULL);
    update u;
    u.bits = fr__plan_world_bits(world);
    if (u.bits.size != f->size || u.bits.layers != f->layers) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a field of %u cells an axis for a world of %u or another plane",
                            (unsigned)f->size, (unsigned)u.bits.size);
    }
    uint64_t version = fr_plan_world_version(world);
    if (!is_other && version == f->version) { return FR_OK; }
    u.field = f;
    u.kernel = fr__field_kernels();
    u.is_whole = is_other || version != f->version + 1;
    fr__plan_change change = fr__plan_world_last_change(world);
    for (int a = 0; a < 3; a++) {
        u.low[a] = u.is_whole ? 0 : change.low[a];
        u.high[a] = u.is_whole ? (int32_t)(a == 2 ? f->layers : f->size) : change.high[a];
    }
    run_update(&u);
    f->version = version;
    f->has_sums = false;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Asking

fr_status fr_plan_field_set_goal(fr_plan_field *f, fr_vec3 goal, fr_error *error) {
    if (f->dimension == 2) { goal.z = 0.5; }
    if (!fr_vec3_is_finite(goal)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "the goal is not finite"); }
    f->goal = goal;
    f->has_sums = false;
    return FR_OK;
}

static const int16_t *row_of(const fr_plan_field *f, uint32_t y, uint32_t z) {
    return f->g + z * f->layer + (size_t)y * f->stride;
}

const uint16_t *fr_plan_field_row(const fr_plan_field *f, uint32_t y, uint32_t z) {
    FR_ASSERT(y < f->size && z < f->layers);
    return (const uint16_t *)row_of(f, y, z);
}

// P of a row (Kitamura eqs. 4.2 to 4.6).
static void write_row(const fr_plan_field *f, uint32_t y, uint32_t z, double *out) {
    const int16_t *g = row_of(f, y, z);
    double dy = (double)y + 0.5 - f->goal.y, dz = (double)z + 0.5 - f->goal.z, across = dy * dy + dz * dz;
    for (uint32_t x = 0; x < f->size; x++) {
        double dx = (double)x + 0.5 - f->goal.x;
        double repulsion = g[x] == FR_PLAN_G_NONE ? 0.0 : f->def.pmax / (1.0 + (double)g[x]);
        out[x] = repulsion + f->def.attraction * sqrt(dx * dx + across);
    }
}

double fr_plan_field_at(const fr_plan_field *f, uint32_t x, uint32_t y, uint32_t z) {
    FR_ASSERT(x < f->size && y < f->size && z < f->layers);
    int16_t g = row_of(f, y, z)[x];
    double dx = (double)x + 0.5 - f->goal.x, dy = (double)y + 0.5 - f->goal.y, dz = (double)z + 0.5 - f->goal.z;
    double repulsion = g == FR_PLAN_G_NONE ? 0.0 : f->def.pmax / (1.0 + (double)g);
    return repulsion + f->def.attraction * sqrt(dx * dx + (dy * dy + dz * dz));
}

void fr_plan_field_write(const fr_plan_field *f, double *out) {
    for (uint32_t z = 0; z < f->layers; z++) {
        for (uint32_t y = 0; y < f->size; y++) {
            write_row(f, y, z, out + ((size_t)z * f->size + y) * f->size);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Sums: entry (x, y, z) is the sum of P over all cells below on every axis

fr_status fr_plan_field_sum_up(fr_plan_field *f, fr_error *error) {
    FR_ASSERT(f != NULL);
    if (f->has_sums) { return FR_OK; }
    size_t row = f->size + 1, layer = row * row, count = layer * (f->layers + 1);
    if (f->sums == NULL) {
        f->sums = fr_allocate(&f->allocator, count, sizeof *f->sums, 64);
        if (f->sums == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the sums of a field"); }
        f->sum_count = count;
    }
    memset(f->sums, 0, layer * sizeof *f->sums);
    for (uint32_t z = 0; z < f->layers; z++) {
        double *to = f->sums + (z + 1) * layer;
        memset(to, 0, row * sizeof *to);
        for (uint32_t y = 0; y < f->size; y++) {
            // The row's own P first, then its sums upon those of the rows before and below.
            double *at = to + (y + 1) * row, sum = 0.0;
            at[0] = 0.0;
            write_row(f, y, z, at + 1);
            for (uint32_t x = 1; x < row; x++) {
                sum += at[x];
                at[x] = sum;
            }
            const double *before = at - row, *below = at - layer, *both = below - row;
            for (uint32_t x = 1; x < row; x++) {
                at[x] += before[x] + (below[x] - both[x]);
            }
        }
    }
    f->has_sums = true;
    return FR_OK;
}

// Of a box within the world.
static double sum_box(const fr_plan_field *f, const uint32_t low[3], const uint32_t high[3]) {
    size_t row = f->size + 1, layer = row * row;
    const double *top = f->sums + high[2] * layer, *bottom = f->sums + low[2] * layer;
    size_t ll = low[1] * row + low[0], lh = low[1] * row + high[0], hl = high[1] * row + low[0],
           hh = high[1] * row + high[0];
    return ((top[hh] - top[lh]) - (top[hl] - top[ll])) - ((bottom[hh] - bottom[lh]) - (bottom[hl] - bottom[ll]));
}

fr_status fr_plan_field_box(const fr_plan_field *f, const fr_plan_box *box, double *sum, fr_error *error) {
    *sum = 0.0;
    if (!f->has_sums) {
        return fr_error_set(error, FR_ERROR_STALE_DATA, "the sums are stale: call fr_plan_field_sum_up");
    }
    uint32_t low[3], high[3];
    for (int a = 0; a < 3; a++) {
        int32_t max = (int32_t)(a == 2 ? f->layers : f->size);
        int32_t from = a == 2 && f->dimension == 2 ? 0 : box->low[a],
                to = a == 2 && f->dimension == 2 ? 1 : box->high[a];
        from = from > 0 ? from : 0;
        to = to < max ? to : max;
        if (from >= to) { return FR_OK; }
        low[a] = (uint32_t)from;
        high[a] = (uint32_t)to;
    }
    *sum = sum_box(f, low, high);
    return FR_OK;
}

typedef struct tree_sum {
    const fr_plan_field *field;
    double sum;
    uint64_t cells;
} tree_sum;

static bool add_cell(const fr_cell *cell, void *context) {
    tree_sum *t = context;
    uint32_t size = 1u << cell->level, layers = t->field->dimension == 3 ? size : 1;
    const uint32_t low[3] = {cell->x, cell->y, cell->z};
    const uint32_t high[3] = {cell->x + size, cell->y + size, cell->z + layers};
    t->sum += sum_box(t->field, low, high);
    t->cells += (uint64_t)size * size * layers;
    return true;
}

fr_status fr_plan_field_tree(const fr_plan_field *f, const fr_octree *tree, double *sum, uint64_t *cells,
                             fr_error *error) {
    *sum = 0.0;
    fr_octree_def def = fr_octree_get_def(tree);
    if (def.dimension != f->dimension || 1u << def.depth != f->size) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the tree and the field differ in dimension or depth");
    }
    if (!f->has_sums) {
        return fr_error_set(error, FR_ERROR_STALE_DATA, "the sums are stale: call fr_plan_field_sum_up");
    }
    tree_sum t = {f, 0.0, 0};
    fr_octree_leaves(tree, FR_CELL_BLACK, add_cell, &t);
    *sum = t.sum;
    if (cells != NULL) { *cells = t.cells; }
    return FR_OK;
}

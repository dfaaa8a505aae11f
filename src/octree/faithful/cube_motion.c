// The source's motion of an octree: each black cube is moved and entered into the target tree.
#include "octree/faithful/cube_motion.h"

#include "octree/faithful/cell_pool.h"
#include "octree/faithful/cube_test.h"

#include <string.h>

// Tests of cells above the voxel only prune: what is nearer than this is taken for neither in nor out.
#define SLACK 1e-3

typedef struct mover_worker {
    fr_cell_pool one, all; // the tree of one cube; of all the worker's cubes
    fr_byte_array axes;    // uint8_t: the three trees of one axis each
    uint64_t tests, comparisons;
} mover_worker;

struct fr_cube_motion {
    fr_allocator allocator;
    mover_worker workers[FR_MAX_WORKERS];
};

typedef struct cube_map {
    const fr_cube_motion_input *input;
    fr_cube_motion *mover;
    fr_octree_map map;
    fr_mat3 back;      // the rotation undone
    fr_vec3 middle;    // of the root
    double unit;       // 2^-F of the map
    double spread[16]; // |x| + |y| + |z| of each of the map's axes
} cube_map;

typedef struct moved_cube {
    fr_cube cube;
    fr_vec3 middle; // before
    fr_vec3 moved;  // after
    double half;
    const uint8_t *axes[3]; // by the number of a cell on the axis: 1 is the root, 2 i and 2 i + 1 the halves of i
} moved_cube;

typedef enum coverage { VERDICT_OUT, VERDICT_PART, VERDICT_IN } coverage;

typedef struct target_cell {
    uint32_t cell; // in the pool
    uint32_t level;
    int32_t at[3];
} target_cell;

fr_status fr_cube_motion_create(const fr_allocator *allocator, fr_cube_motion **out, fr_error *error) {
    fr_allocator from = fr_allocator_or_default(allocator);
    fr_cube_motion *m = fr_allocate(&from, 1, sizeof *m, _Alignof(fr_cube_motion));
    *out = m;
    if (m == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a mover of cubes"); }
    memset(m, 0, sizeof *m);
    m->allocator = from;
    for (int w = 0; w < FR_MAX_WORKERS; w++) {
        m->workers[w].one.cells = fr_pool_cell_array_make(&from);
        m->workers[w].all.cells = fr_pool_cell_array_make(&from);
        m->workers[w].axes = fr_byte_array_make(&from);
    }
    return FR_OK;
}

void fr_cube_motion_destroy(fr_cube_motion *m) {
    if (m == NULL) { return; }
    for (int w = 0; w < FR_MAX_WORKERS; w++) {
        fr_pool_cell_array_destroy(&m->workers[w].one.cells);
        fr_pool_cell_array_destroy(&m->workers[w].all.cells);
        fr_byte_array_destroy(&m->workers[w].axes);
    }
    fr_allocator allocator = m->allocator;
    fr_deallocate(&allocator, m, 1, sizeof *m);
}

// ---------------------------------------------------------------------------------------------------------------
// Voxels

static bool is_by_center(fr_octree_rule rule) { return rule == FR_OCTREE_CENTER || rule == FR_OCTREE_CENTER_CLOSED; }

// One by one the black voxels of the cube that may meet, as the definition says.
static bool meets_some_voxel(const cube_map *f, const fr_cube *q, const int64_t cell[3], const int32_t target[3]) {
    const int32_t low[3] = {q->x, q->y, q->z};
    for (int k = 0; k < 27; k++) {
        int64_t at[3] = {cell[0] + k % 3 - 1, cell[1] + k / 3 % 3 - 1, cell[2] + k / 9 - 1};
        bool is_in = true;
        for (int a = 0; a < 3; a++) {
            is_in = is_in && at[a] >= low[a] && at[a] < low[a] + q->s;
        }
        const int32_t source[3] = {(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]};
        if (is_in && fr_octree_map_meets(&f->map, source, target)) { return true; }
    }
    return false;
}

// Whether the cube makes a voxel black. The 15 axes of the whole cube decide unless it is close.
static bool voxel_is_black(const cube_map *f, const moved_cube *q, const int32_t at[3]) {
    const fr_octree_map *m = &f->map;
    const int32_t low[3] = {q->cube.x, q->cube.y, q->cube.z};
    int64_t u[3], cell[3];
    bool is_in = true;
    for (int a = 0; a < 3; a++) {
        u[a] = m->b[a] + m->a[a][0] * at[0] + m->a[a][1] * at[1] + m->a[a][2] * at[2];
        cell[a] = u[a] >> m->shift;
        bool is_border = m->rule == FR_OCTREE_CENTER_CLOSED && u[a] == cell[a] * ((int64_t)1 << m->shift);
        is_in = is_in && cell[a] >= low[a] && cell[a] - is_border < low[a] + q->cube.s;
    }
    if (is_in || is_by_center(m->rule)) { return is_in; }
    double e[3];
    for (int a = 0; a < 3; a++) {
        e[a] = (double)low[a] + q->half - (double)u[a] * f->unit;
    }
    bool is_close = false;
    for (int l = 0; l < 15; l++) {
        double p = fabs(m->axis[0][l] * e[0] + m->axis[1][l] * e[1] + m->axis[2][l] * e[2]);
        double gap = p - (m->limit[l] + (q->half - 0.5) * f->spread[l]);
        if (gap > 1e-6) { return false; }
        is_close = is_close || gap > -1e-6;
    }
    return !is_close || meets_some_voxel(f, &q->cube, cell, at);
}

// ---------------------------------------------------------------------------------------------------------------
// Tests of larger cells

static fr_vec3 move_back(const cube_map *f, fr_vec3 p) {
    fr_vec3 from_middle = fr_vec3_sub(fr_vec3_sub(p, f->middle), f->input->motion.travel);
    return fr_vec3_add(fr_mat3_apply(f->back, from_middle), f->middle);
}

// The middle of a target cell; `half` half its edge.
static fr_vec3 cell_middle(const target_cell *c, double *half) {
    *half = 0.5 * (double)(1 << c->level);
    return fr_vec3_make(c->at[0] + *half, c->at[1] + *half, c->at[2] + *half);
}

// Eqs. 5.3 and 5.4, with sides for powers of two. The target cell is reduced to the box of its voxel centres.
static coverage test_printed(const cube_map *f, const moved_cube *q, const target_cell *c) {
    double half, s1 = 2.0 * q->half, root3 = sqrt(3.0);
    fr_vec3 c2 = cell_middle(c, &half);
    double s2 = 2.0 * half, reduced = s2 - 1.0;
    if (s1 < s2) {
        double distance = 0.5 * (root3 * s1 + reduced);
        return fr_vec3_largest(fr_vec3_sub(q->moved, c2)) > distance + SLACK ? VERDICT_OUT : VERDICT_PART;
    }
    bool is_in = true;
    for (int k = 0; k < 8; k++) {
        double r = 0.5 * reduced;
        fr_vec3 corner = fr_vec3_add(c2, fr_vec3_make(k & 1 ? r : -r, k & 2 ? r : -r, k & 4 ? r : -r));
        double off = fr_vec3_largest(fr_vec3_sub(move_back(f, corner), q->middle));
        is_in = is_in && off <= q->half - SLACK;
    }
    if (is_in) { return VERDICT_IN; }
    double distance = 0.5 * (s1 + root3 * reduced);
    fr_vec3 b2 = move_back(f, c2);
    return fr_vec3_largest(fr_vec3_sub(q->middle, b2)) > distance + SLACK ? VERDICT_OUT : VERDICT_PART;
}

// The smaller cube is brought into the frame of the larger.
static coverage test_exact(const cube_map *f, const moved_cube *q, const target_cell *c) {
    bool is_staged = f->input->method == FR_CUBE_STAGED;
    double half;
    fr_vec3 c2 = cell_middle(c, &half);
    double seen = is_by_center(f->input->rule) ? half - 0.5 : half;
    bool is_smaller = q->half < seen;
    fr_vec3 middle = is_smaller ? fr_vec3_sub(q->moved, c2) : fr_vec3_sub(move_back(f, c2), q->middle);
    const fr_mat3 *axes = is_smaller ? &f->input->motion.rotation : &f->back;
    double large = is_smaller ? seen : q->half, small = (is_smaller ? q->half : seen) + SLACK;
    fr_cube_relation relation =
        is_staged ? fr_cube_test_staged(large, middle, small, axes) : fr_cube_test_axes(large, middle, small, axes);
    if (relation == FR_CUBE_APART) { return VERDICT_OUT; }
    return relation == FR_CUBE_CONTAINED && !is_smaller ? VERDICT_IN : VERDICT_PART;
}

// An interval of an axis against that of the moved cube. A cell a quarter of a voxel beyond it is black by every rule;
// by that of centres one is white that reaches in by less than half.
static coverage test_interval(const cube_map *f, const moved_cube *q, int axis, double low, double high) {
    const double moved[3] = {q->moved.x, q->moved.y, q->moved.z};
    double begin = moved[axis] - q->half, end = moved[axis] + q->half;
    double reach = is_by_center(f->input->rule) ? 0.5 - SLACK : -SLACK;
    if (high - reach < begin || low + reach > end) { return VERDICT_OUT; }
    return low >= begin - 0.25 && high <= end + 0.25 ? VERDICT_IN : VERDICT_PART;
}

static coverage combine(const coverage axes[3]) {
    if (axes[0] == VERDICT_OUT || axes[1] == VERDICT_OUT || axes[2] == VERDICT_OUT) { return VERDICT_OUT; }
    bool is_in = axes[0] == VERDICT_IN && axes[1] == VERDICT_IN && axes[2] == VERDICT_IN;
    return is_in ? VERDICT_IN : VERDICT_PART;
}

static coverage test_planes(const cube_map *f, mover_worker *w, const moved_cube *q, const target_cell *c) {
    double size = (double)(1 << c->level);
    coverage axes[3];
    for (int a = 0; a < 3; a++) {
        axes[a] = test_interval(f, q, a, c->at[a], c->at[a] + size);
    }
    w->comparisons += 6;
    return combine(axes);
}

static coverage look_up_axes(const cube_map *f, const moved_cube *q, const target_cell *c) {
    coverage axes[3];
    for (int a = 0; a < 3; a++) {
        uint32_t i = (1u << (f->input->depth - c->level)) + ((uint32_t)c->at[a] >> c->level);
        axes[a] = (coverage)q->axes[a][i];
    }
    return combine(axes);
}

static coverage test_cell(const cube_map *f, mover_worker *w, const moved_cube *q, const target_cell *c) {
    switch (f->input->method) {
    case FR_CUBE_PRINTED: return test_printed(f, q, c);
    case FR_CUBE_PLANES: return test_planes(f, w, q, c);
    case FR_CUBE_AXIS_TREES: return look_up_axes(f, q, c);
    default: return test_exact(f, q, c);
    }
}

// Half by half; only halves that hold an end of the cube are divided.
static void divide_axis(const cube_map *f, mover_worker *w, const moved_cube *q, int axis, uint32_t i, uint32_t level,
                        double low, uint8_t *tree) {
    if (level == 0 || tree[i] != VERDICT_PART) { return; }
    double half = 0.5 * (double)(1u << level);
    w->comparisons++;
    for (uint32_t c = 0; c < 2; c++) {
        double from = low + c * half;
        tree[2 * i + c] = (uint8_t)test_interval(f, q, axis, from, from + half);
        divide_axis(f, w, q, axis, 2 * i + c, level - 1, from, tree);
    }
}

// A cell is tested only while its parent is partly in, so on an axis whose interval is in or out the result is copied
// down from where it was decided.
static void spread_axis(uint32_t depth, uint8_t *tree) {
    for (uint32_t i = 2; i < 2u << depth; i++) {
        if (tree[i / 2] != VERDICT_PART) { tree[i] = tree[i / 2]; }
    }
}

static bool make_axis_trees(const cube_map *f, mover_worker *w, moved_cube *q) {
    uint32_t depth = f->input->depth;
    size_t count = (size_t)2 << depth;
    w->axes.count = 0;
    uint8_t *trees = fr_byte_array_push(&w->axes, 3 * count);
    if (trees == NULL) { return false; }
    for (int a = 0; a < 3; a++) {
        uint8_t *tree = trees + (size_t)a * count;
        tree[1] = (uint8_t)test_interval(f, q, a, 0.0, ldexp(1.0, (int)depth));
        w->comparisons += 2;
        divide_axis(f, w, q, a, 1, depth, 0.0, tree);
        spread_axis(depth, tree);
        q->axes[a] = tree;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Building

static void build(const cube_map *f, mover_worker *w, fr_cell_pool *pool, const moved_cube *q, const target_cell *c) {
    if (fr_pool_at(pool, c->cell)->color == FR_CELL_BLACK) { return; }
    w->tests++;
    if (c->level == 0) {
        // As printed a voxel is tested as any other cell; what is close is left to the definition.
        coverage v = VERDICT_PART;
        if (f->input->method == FR_CUBE_AXIS_TREES) { v = look_up_axes(f, q, c); }
        if (f->input->method == FR_CUBE_PRINTED) { v = test_printed(f, q, c); }
        if (v == VERDICT_IN || (v == VERDICT_PART && voxel_is_black(f, q, c->at))) {
            fr_pool_at(pool, c->cell)->color = FR_CELL_BLACK;
        }
        return;
    }
    coverage v = test_cell(f, w, q, c);
    if (v == VERDICT_OUT) { return; }
    if (v == VERDICT_IN) {
        fr_pool_at(pool, c->cell)->color = FR_CELL_BLACK;
        return;
    }
    if (fr_pool_at(pool, c->cell)->color != FR_CELL_GRAY && !fr_cell_pool_divide(pool, c->cell)) { return; }
    int32_t half = 1 << (c->level - 1);
    for (int32_t k = 0; k < 8 && !pool->has_failed; k++) {
        target_cell child = {fr_pool_at(pool, c->cell)->children + (uint32_t)k,
                             c->level - 1,
                             {c->at[0] + (k & 1) * half, c->at[1] + (k >> 1 & 1) * half, c->at[2] + (k >> 2) * half}};
        build(f, w, pool, q, &child);
    }
    if (f->input->in_one_tree) { fr_cell_pool_condense(pool, c->cell); }
}

// Cubes begin, ..., end - 1.
static void move_cubes(size_t begin, size_t end, int worker, void *context) {
    const cube_map *f = context;
    mover_worker *w = &f->mover->workers[worker];
    for (size_t i = begin; i < end && !w->all.has_failed; i++) {
        const fr_cube *cube = &f->input->cubes[i];
        moved_cube q = {.cube = *cube, .half = 0.5 * cube->s};
        q.middle = fr_vec3_make(cube->x + q.half, cube->y + q.half, cube->z + q.half);
        fr_vec3 turned = fr_mat3_apply(f->input->motion.rotation, fr_vec3_sub(q.middle, f->middle));
        q.moved = fr_vec3_add(fr_vec3_add(turned, f->middle), f->input->motion.travel);
        if (f->input->method == FR_CUBE_AXIS_TREES && !make_axis_trees(f, w, &q)) {
            w->all.has_failed = true;
            return;
        }
        const target_cell root = {0, f->input->depth, {0, 0, 0}};
        if (f->input->in_one_tree) {
            build(f, w, &w->all, &q, &root);
            continue;
        }
        if (fr_cell_pool_reset(&w->one)) { build(f, w, &w->one, &q, &root); }
        w->all.has_failed = w->all.has_failed || w->one.has_failed || !fr_cell_pool_join(&w->all, 0, &w->one, 0);
    }
}

static bool has_turn(const fr_octree_map *m) {
    for (int i = 0; i < 9 && !m->is_away; i++) {
        if (m->a[i / 3][i % 3] != (i % 4 == 0 ? (int64_t)1 << m->shift : 0)) { return true; }
    }
    return false;
}

static fr_status make_frame(fr_cube_motion *mover, const fr_cube_motion_input *input, cube_map *f, fr_error *error) {
    bool is_along_axes = input->method == FR_CUBE_PLANES || input->method == FR_CUBE_AXIS_TREES;
    f->input = input;
    f->mover = mover;
    fr_status status = fr_octree_map_make(input->depth, &input->motion, input->rule, &f->map, error);
    if (status != FR_OK) { return fr_error_set(error, status, "a motion or depth is outside its limits"); }
    if (is_along_axes && has_turn(&f->map)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "this method does not turn");
    }
    if (input->method == FR_CUBE_PRINTED && !is_by_center(input->rule)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the printed method knows the rules of centres alone");
    }
    double half = ldexp(0.5, (int)input->depth);
    f->middle = fr_vec3_make(half, half, half);
    f->back = fr_mat3_transpose(input->motion.rotation);
    f->unit = ldexp(1.0, -f->map.shift);
    for (int l = 0; l < 16 && !is_by_center(input->rule); l++) {
        f->spread[l] = fabs(f->map.axis[0][l]) + fabs(f->map.axis[1][l]) + fabs(f->map.axis[2][l]);
    }
    return FR_OK;
}

fr_status fr_cube_motion_run(fr_cube_motion *mover, const fr_cube_motion_input *input, fr_octree *out,
                             fr_cube_motion_output *output, fr_error *error) {
    memset(output, 0, sizeof *output);
    if (out != NULL) {
        fr_octree_clear(out, FR_CELL_WHITE);
        fr_octree_def def = fr_octree_get_def(out);
        if (def.dimension != 3 || def.depth != input->depth) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the tree has another depth than the cubes");
        }
    }
    cube_map f;
    fr_status status = make_frame(mover, input, &f, error);
    if (status != FR_OK || f.map.is_away) { return status; }
    int workers = fr_tasks_worker_count(input->tasks);
    bool has_failed = false;
    for (int w = 0; w < workers; w++) {
        mover->workers[w].tests = mover->workers[w].comparisons = 0;
        has_failed = !fr_cell_pool_reset(&mover->workers[w].all) || has_failed;
    }
    if (!has_failed) { fr_tasks_run(input->tasks, FR_SCHEDULE_CYCLIC, input->cube_count, 1, move_cubes, &f); }
    fr_cell_pool *all = &mover->workers[0].all;
    for (int w = 0; w < workers; w++) {
        mover_worker *worker = &mover->workers[w];
        has_failed = has_failed || worker->all.has_failed;
        has_failed = has_failed || (w > 0 && !fr_cell_pool_join(all, 0, &worker->all, 0));
        output->tests += worker->tests;
        output->comparisons += worker->comparisons;
    }
    if (has_failed) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the cells of moved cubes"); }
    fr_cell_pool_condense_all(all, 0);
    if (out != NULL) { fr_cell_pool_fill(all, out); }
    return FR_OK;
}

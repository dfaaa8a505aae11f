// The potential field of the source, computed node by node.
#include "plan/faithful/node_field.h"

#include <string.h>

static size_t cell_count_of(const fr_node_field_input *in) {
    size_t n = (size_t)1 << in->depth;
    return n * n * (in->dimension == 3 ? n : 1);
}

// Twice the distance outside a node's two faces on an axis (eq. 4.3).
static inline double outside(double x, double low, double high) {
    return ((low - x) + fabs(low - x)) + ((x - high) + fabs(x - high));
}

// One node for the rows first .. end - 1 of the field (eqs. 4.2 to 4.4).
static void add_node(const fr_node_field_input *in, const fr_plan_box *node, size_t first, size_t end, double *field) {
    size_t n = (size_t)1 << in->depth;
    const double low[3] = {node->low[0], node->low[1], node->low[2]};
    const double high[3] = {node->high[0], node->high[1], node->high[2]};
    for (size_t row = first; row < end; row++) {
        double y = (double)(row % n) + 0.5, z = (double)(row / n) + 0.5;
        double across = outside(y, low[1], high[1]) + (in->dimension == 3 ? outside(z, low[2], high[2]) : 0.0);
        double *at = field + row * n;
        for (size_t x = 0; x < n; x++) {
            double g = outside((double)x + 0.5, low[0], high[0]) + across, p = in->pmax / (1.0 + g);
            at[x] = at[x] > p ? at[x] : p;
        }
    }
}

// Some nodes for the whole field of the worker, or all nodes for some rows of the one field.
typedef struct node_job {
    const fr_node_field_input *input;
    double *fields; // one a worker, one after another
    size_t cells, rows;
} node_job;

static void add_some_nodes(size_t begin, size_t end, int worker, void *context) {
    const node_job *job = context;
    for (size_t i = begin; i < end; i++) {
        add_node(job->input, &job->input->nodes[i], 0, job->rows, job->fields + (size_t)worker * job->cells);
    }
}

static void add_all_nodes(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    const node_job *job = context;
    for (size_t i = 0; i < job->input->node_count; i++) {
        add_node(job->input, &job->input->nodes[i], begin, end, job->fields);
    }
}

// The goal's part (eqs. 4.5 and 4.6).
static void add_goal(const fr_node_field_input *in, double *out) {
    size_t n = (size_t)1 << in->depth, cells = cell_count_of(in);
    for (size_t i = 0; i < cells; i++) {
        double dx = (double)(i % n) + 0.5 - in->goal.x, dy = (double)(i / n % n) + 0.5 - in->goal.y;
        double dz = in->dimension == 3 ? (double)(i / n / n) + 0.5 - in->goal.z : 0.0;
        out[i] += in->attraction * sqrt(dx * dx + dy * dy + dz * dz);
    }
}

fr_status fr_node_field_run(const fr_node_field_input *in, const fr_allocator *allocator, double *out,
                            fr_error *error) {
    size_t cells = cell_count_of(in), rows = cells >> in->depth;
    memset(out, 0, cells * sizeof *out);
    node_job job = {in, out, cells, rows};
    int workers = fr_tasks_worker_count(in->tasks);
    if (workers == 1 || in->split == FR_NODE_BY_ROWS) {
        size_t share = (rows + (size_t)workers - 1) / (size_t)workers;
        fr_tasks_run(in->tasks, FR_SCHEDULE_CYCLIC, rows, share, add_all_nodes, &job);
    } else {
        size_t all = cells * (size_t)workers;
        job.fields = fr_allocate(allocator, all, sizeof *out, 64);
        if (job.fields == NULL) {
            return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the workers' fields");
        }
        memset(job.fields, 0, all * sizeof *out);
        fr_tasks_run(in->tasks, FR_SCHEDULE_CYCLIC, in->node_count, 1, add_some_nodes, &job);
        for (size_t i = 0; i < all; i++) {
            double *at = &out[i % cells];
            *at = *at > job.fields[i] ? *at : job.fields[i];
        }
        fr_deallocate(allocator, job.fields, all, sizeof *out);
    }
    add_goal(in, out);
    return FR_OK;
}

typedef struct node_list {
    fr_node_box_array *array;
    int dimension;
} node_list;

static bool add_leaf(const fr_cell *cell, void *context) {
    const node_list *list = context;
    fr_plan_box *box = fr_node_box_array_push(list->array, 1);
    if (box == NULL) { return false; }
    int32_t size = 1 << cell->level, x = (int32_t)cell->x, y = (int32_t)cell->y, z = (int32_t)cell->z;
    *box = (fr_plan_box){{x, y, z}, {x + size, y + size, z + (list->dimension == 3 ? size : 1)}};
    return true;
}

fr_status fr_black_nodes(const fr_octree *octree, fr_node_box_array *out, fr_error *error) {
    node_list list = {out, fr_octree_get_def(octree).dimension};
    bool is_done = fr_octree_leaves(octree, FR_CELL_BLACK, add_leaf, &list);
    return is_done ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the nodes of a tree");
}

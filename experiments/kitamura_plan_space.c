// Kitamura 1996, section 4.4.2, in space. The source names its environments by their number of black nodes; ours are
// boxes of random edges with exactly as many, about a wall whose window the robot passes turned alone.
#include "kitamura_plan.h"

#include "fureai/base_order.h"
#include "kitamura_robots.h"
#include "octree/faithful/cube_list.h"
#include "plan/faithful/clutter.h"
#include "plan/faithful/leaf_draw.h"
#include "plan/faithful/node_field.h"

#include <stdio.h>
#include <stdlib.h>

static const char source[] = "Kitamura 1996, section 4.4.2";

enum { DEPTH = 5, BUDGET = 4000, MOST_WORLDS = 9 };

static double ms_since(uint64_t begin) { return 1e-6 * (double)(experiment_cpu_ns() - begin); }

// ---------------------------------------------------------------------------------------------------------------
// Environments

// A wall with a window that the robot fits through in some turns, not in that of the start. The window's middle is that
// of white leaves of 4 cells, which the rail below it keeps from being larger. A room on either side is free of boxes.
typedef struct gate {
    fr_plan_box wall, window, rail, rooms[2];
    fr_plan_place start, goal;
} gate;

// The shuttle is 7 x 5 x 9 cells: 9 along z at the start, where the window has 8.
static const gate shuttle_gate = {
    {{12, 0, 0}, {16, 32, 32}},
    {{12, 11, 10}, {16, 17, 18}},
    {{1, 8, 8}, {31, 9, 9}},
    {{{0, 9, 9}, {16, 19, 19}}, {{16, 9, 9}, {32, 30, 19}}},
    {{6.5, 14.5, 14.5}, {0.0, 0.0, 0.0}},
    {{22.5, 24.5, 14.5}, {0.0, 0.0, 0.0}},
};

// The chair is 7 x 13 x 7 cells: 13 along y at the start.
static const gate chair_gate = {
    {{16, 0, 0}, {18, 32, 32}},
    {{16, 10, 10}, {18, 18, 18}},
    {{1, 8, 8}, {31, 9, 9}},
    {{{0, 5, 9}, {18, 24, 20}}, {{16, 9, 9}, {32, 30, 19}}},
    {{8.5, 14.5, 14.5}, {0.0, 0.0, 0.0}},
    {{26.5, 24.5, 14.5}, {0.0, 0.0, 0.0}},
};

static void fill(fr_octree *tree, const fr_plan_box *box, fr_cell_color color) {
    const int64_t low[3] = {box->low[0], box->low[1], box->low[2]};
    const int64_t high[3] = {box->high[0], box->high[1], box->high[2]};
    fr_octree_fill(tree, low, high, color);
}

// A gate is for DEPTH; NULL: boxes alone.
static fr_status make_world(uint32_t depth, uint32_t nodes, uint64_t seed, const gate *g, fr_plan_world **out,
                            fr_error *error) {
    fr_plan_world_def def = fr_default_plan_world_def();
    def.depth = depth;
    fr_status status = fr_plan_world_create(&def, out, error);
    if (status != FR_OK) { return status; }
    fr_octree_def tree_def = fr_octree_get_def(fr_plan_world_octree(*out));
    fr_octree *tree;
    status = fr_octree_create(&tree_def, &tree, error);
    if (status != FR_OK) { return status; }
    fr_clutter clutter = {seed, nodes, depth == DEPTH ? 7u : 5u, {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}}};
    if (g != NULL) {
        fill(tree, &g->wall, FR_CELL_BLACK);
        fill(tree, &g->window, FR_CELL_WHITE);
        fill(tree, &g->rail, FR_CELL_BLACK);
        clutter.empty[0] = g->rooms[0];
        clutter.empty[1] = g->rooms[1];
    }
    status = fr_clutter_fill(&clutter, tree, error);
    if (status == FR_OK) { status = fr_plan_world_set_cells(*out, 0, tree, error); }
    fr_octree_destroy(tree);
    return status;
}

// The nodes of a world, or the cubes of compaction.
static fr_status list_nodes(const fr_plan_world *world, bool is_compact, fr_node_box_array *out, fr_error *error) {
    *out = fr_node_box_array_make(NULL);
    const fr_octree *tree = fr_plan_world_octree(world);
    if (!is_compact) { return fr_black_nodes(tree, out, error); }
    fr_cube_list cubes;
    fr_status status = fr_cube_list_compact(tree, NULL, &cubes);
    for (size_t i = 0; status == FR_OK && i < cubes.array.count; i++) {
        const fr_cube *c = fr_cubes_of(&cubes) + i;
        fr_plan_box *box = fr_node_box_array_push(out, 1);
        if (box == NULL) {
            status = fr_error_set(error, FR_ERROR_MEMORY, "out of memory for cubes");
            break;
        }
        *box = (fr_plan_box){{c->x, c->y, c->z}, {c->x + c->s, c->y + c->s, c->z + c->s}};
    }
    fr_cube_array_destroy(&cubes.array);
    return status;
}

// Milliseconds of the loop over nodes, and of the transform with P of every cell; the least of some runs.
typedef struct field_times {
    double nodes, transform;
    double differ; // largest relative difference of the two fields
} field_times;

static void compare(const double *a, const double *b, size_t count, double *largest) {
    for (size_t i = 0; i < count; i++) {
        double d = fabs(a[i] - b[i]) / fmax(fabs(b[i]), 1e-300);
        *largest = fmax(*largest, d);
    }
}

static fr_status time_field(const fr_plan_world *world, bool is_compact, int repeats, field_times *out,
                            fr_error *error) {
    uint32_t depth = fr_plan_world_get_def(world).depth;
    size_t cells = (size_t)1 << 3 * depth;
    double *p = malloc(2 * cells * sizeof *p);
    fr_plan_field *field = NULL;
    fr_node_box_array nodes;
    fr_plan_field_def def = fr_default_plan_field_def();
    fr_vec3 goal = fr_vec3_make(1.0, 2.0, 3.0);
    fr_status status = list_nodes(world, is_compact, &nodes, error);
    if (status == FR_OK && p == NULL) { status = fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a field"); }
    if (status == FR_OK) { status = fr_plan_field_create(&def, world, &field, error); }
    *out = (field_times){INFINITY, INFINITY, 0.0};
    for (int i = 0; i < repeats && status == FR_OK; i++) {
        fr_node_field_input in = {3, depth, nodes.data, nodes.count, 100.0, 1.0, goal, FR_NODE_BY_NODES, NULL};
        uint64_t begin = experiment_cpu_ns();
        status = fr_node_field_run(&in, NULL, p, error);
        out->nodes = fmin(out->nodes, ms_since(begin));
    }
    for (int i = 0; i < 20 * repeats && status == FR_OK; i++) {
        uint64_t begin = experiment_cpu_ns();
        status = fr_plan_field_update(field, world, true, error);
        fr_plan_field_set_goal(field, goal, NULL);
        fr_plan_field_write(field, p + cells);
        out->transform = fmin(out->transform, ms_since(begin));
    }
    if (status == FR_OK) { compare(p, p + cells, cells, &out->differ); }
    fr_plan_field_destroy(field);
    fr_node_box_array_destroy(&nodes);
    free(p);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Figures 4.8 to 4.11: one environment each

typedef struct figure {
    uint32_t nodes;
    const gate *gate;
    fr_status (*make_robot)(cell_robot *out, fr_error *error);
    double robot_printed, ratio_printed; // black nodes; search over potential
} figure;

static const figure figure_4_8 = {981, &shuttle_gate, make_shuttle, 74.0, 4.7 / 2.8};
static const figure figure_4_9 = {2689, &shuttle_gate, make_shuttle, 74.0, NAN};
static const figure figure_4_10 = {303, &chair_gate, make_chair, 115.0, NAN};
static const figure figure_4_11 = {1777, &shuttle_gate, make_shuttle, 74.0, NAN};

static fr_leaf_input input_of(const figure *f, const fr_plan_world *world, const cell_robot *r) {
    fr_leaf_input in = fr_default_leaf_input();
    in.world = world;
    in.robot = shape_of(r);
    in.start = f->gate->start;
    in.goal = f->gate->goal;
    in.budget = BUDGET;
    return in;
}

static fr_status time_leaves(const fr_leaf_input *in, double *ms, fr_cell_path *path, fr_error *error) {
    fr_leaf_result result;
    uint64_t begin = experiment_cpu_ns();
    fr_status status = fr_leaf_search_run(in, &result, error);
    *ms = ms_since(begin);
    if (status != FR_OK) { return status; }
    *path = result.path;
    path->states = NULL;
    fr_leaf_result_free(&result);
    return FR_OK;
}

// Masks depend on the robot alone and are made before.
static fr_status time_lattice(const fr_leaf_input *in, double *ms, fr_cell_path *found, fr_error *error) {
    fr_plan_robot_def def = fr_default_plan_robot_def();
    def.shape = in->robot;
    def.is_lazy = true;
    fr_plan_robot *masks;
    fr_status status = fr_plan_robot_create(&def, &masks, error);
    *ms = INFINITY;
    for (int i = 0; i < 3 && status == FR_OK; i++) {
        fr_plan_cells_input input = fr_default_plan_cells_input();
        input.world = in->world;
        input.robot = masks;
        input.start = in->start;
        input.goal = in->goal;
        fr_cell_path path;
        uint64_t begin = experiment_cpu_ns();
        status = fr_plan_cells(&input, &path, error);
        if (status != FR_OK) { break; }
        *ms = fmin(*ms, ms_since(begin));
        *found = path;
        found->states = NULL;
        fr_cell_path_destroy(&path);
    }
    fr_plan_robot_destroy(masks);
    return status;
}

// What the searches of one world gave; paths without their states.
typedef struct searched {
    fr_cell_path leaves, swept, lattice;
    double leaves_ms, swept_ms, lattice_ms;
    field_times field;
} searched;

static bool add_path(experiment_run *run, const char *method, const fr_cell_path *path, double printed) {
    experiment_row *found = experiment_add(run, "paths", "%s: found", method);
    if (found == NULL) { return false; }
    found->printed = printed;
    found->measured = path->is_found;
    experiment_row *turned = experiment_add(run, "steps", "%s: turned", method);
    if (turned == NULL) { return false; }
    turned->measured = path->is_found ? (double)path->turns : (double)NAN;
    return true;
}

static fr_status add_first(experiment_run *run, const figure *f, const fr_plan_world *world, const cell_robot *r,
                           const searched *s) {
    double black = (double)fr_octree_count(fr_plan_world_octree(world)).black;
    bool is_added = experiment_put(run, "nodes", "world: black nodes", f->nodes, black) &&
                    experiment_put(run, "nodes", "robot: black nodes", f->robot_printed, (double)r->boxes.count) &&
                    add_path(run, "leaves", &s->leaves, 1.0) && add_path(run, "swept", &s->swept, NAN) &&
                    add_path(run, "lattice", &s->lattice, NAN) &&
                    experiment_put(run, "states", "leaves: states taken", NAN, (double)s->leaves.expanded) &&
                    experiment_put(run, "poses", "leaves: poses tested", NAN, (double)s->leaves.tested) &&
                    experiment_put(run, "ms", "leaves: search", NAN, s->leaves_ms) &&
                    experiment_put(run, "ms", "swept: search", NAN, s->swept_ms) &&
                    experiment_put(run, "ms", "nodes: potential", NAN, s->field.nodes) &&
                    experiment_put(run, "", "transform: largest relative difference", NAN, s->field.differ);
    experiment_row *transform = is_added ? experiment_add(run, "ms", "transform: potential") : NULL;
    if (transform == NULL) { return FR_ERROR_MEMORY; }
    transform->measured = s->field.transform;
    transform->speedup = s->field.nodes / s->field.transform;
    experiment_row *lattice = experiment_add(run, "ms", "lattice: search");
    if (lattice == NULL) { return FR_ERROR_MEMORY; }
    lattice->measured = s->lattice_ms;
    lattice->speedup = s->leaves_ms / s->lattice_ms;
    return FR_OK;
}

// One world; of the first, the other searches and the rows, too.
static fr_status run_world(experiment_run *run, const figure *f, const cell_robot *r, uint64_t seed, searched *s) {
    fr_plan_world *world = NULL;
    fr_status status = make_world(DEPTH, f->nodes, seed, f->gate, &world, run->error);
    fr_leaf_input in = input_of(f, world, r);
    if (status == FR_OK) { status = time_leaves(&in, &s->leaves_ms, &s->leaves, run->error); }
    if (status == FR_OK) { status = time_field(world, false, 1, &s->field, run->error); }
    if (status == FR_OK && seed == 1) { status = time_lattice(&in, &s->lattice_ms, &s->lattice, run->error); }
    in.is_swept = true;
    if (status == FR_OK && seed == 1) { status = time_leaves(&in, &s->swept_ms, &s->swept, run->error); }
    if (status == FR_OK && seed == 1) { status = add_first(run, f, world, r, s); }
    fr_plan_world_destroy(world);
    return status;
}

static fr_status add_ratios(experiment_run *run, double printed, double *ratios, int count, int found, int turned) {
    FR_ASSERT(count > 0);
    fr_sort_double(ratios, (size_t)count);
    bool is_added =
        experiment_put(run, "%", "leaves, all worlds: found", NAN, 100.0 * found / count) &&
        experiment_put(run, "%", "leaves, all worlds: found by turning", NAN, 100.0 * turned / count) &&
        experiment_put(run, "times", "leaves, all worlds: search over potential, middle", printed, ratios[count / 2]) &&
        experiment_put(run, "times", "leaves, all worlds: search over potential, least", NAN, ratios[0]) &&
        experiment_put(run, "times", "leaves, all worlds: search over potential, most", NAN, ratios[count - 1]);
    return is_added ? FR_OK : FR_ERROR_MEMORY;
}

static fr_status run_figure(experiment_run *run, const figure *f) {
    int count = (const int[]){1, 5, MOST_WORLDS}[run->size], found = 0, turned = 0;
    double ratios[MOST_WORLDS] = {0.0};
    cell_robot r;
    fr_status status = f->make_robot(&r, run->error);
    snprintf(run->sample, sizeof run->sample,
             "a wall with a window among boxes of up to 7 cells, %d worlds, depth 5; leaves give up after %d states",
             count, BUDGET);
    for (int i = 0; i < count && status == FR_OK; i++) {
        searched s = {0};
        if (fr_control_is_stopped(run->control)) { status = fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
        if (status == FR_OK) { status = run_world(run, f, &r, (uint64_t)i + 1, &s); }
        if (status != FR_OK) { break; }
        ratios[i] = s.leaves_ms / s.field.nodes;
        found += s.leaves.is_found;
        turned += s.leaves.is_found && s.leaves.turns > 0;
        fr_control_progress(run->control, (i + 1.0) / count, "worlds");
    }
    fr_node_box_array_destroy(&r.boxes);
    return status == FR_OK ? add_ratios(run, f->ratio_printed, ratios, count, found, turned) : status;
}

static fr_status run_981(experiment_run *run) { return run_figure(run, &figure_4_8); }
static fr_status run_2689(experiment_run *run) { return run_figure(run, &figure_4_9); }
static fr_status run_303(experiment_run *run) { return run_figure(run, &figure_4_10); }
static fr_status run_1777(experiment_run *run) { return run_figure(run, &figure_4_11); }

const experiment experiment_kitamura_4_8 = {"kitamura-4.8", source, "the shuttle among 981 black nodes", run_981};
const experiment experiment_kitamura_4_9 = {"kitamura-4.9", source, "the shuttle among 2689 black nodes", run_2689};
const experiment experiment_kitamura_4_10 = {"kitamura-4.10", source, "a chair among 303 black nodes", run_303};
const experiment experiment_kitamura_4_11 = {"kitamura-4.11", source, "the shuttle among 1777 black nodes", run_1777};

fr_status draw_kitamura_4_8(const fr_draw *draw, fr_error *error) {
    cell_robot r;
    fr_plan_world *world = NULL;
    fr_leaf_result result;
    fr_status status = make_shuttle(&r, error);
    if (status == FR_OK) { status = make_world(DEPTH, figure_4_8.nodes, 1, figure_4_8.gate, &world, error); }
    fr_leaf_input in = input_of(&figure_4_8, world, &r);
    if (status == FR_OK) { status = fr_leaf_search_run(&in, &result, error); }
    if (status == FR_OK) {
        fr_leaf_draw(world, &in.robot, &result, draw);
        fr_leaf_result_free(&result);
    }
    fr_plan_world_destroy(world);
    fr_node_box_array_destroy(&r.boxes);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Figure 4.12: times by black nodes, and by depth

// The share of the times that a straight line through them explains.
static double r_squared(const double *x, const double *y, int count) {
    double mx = 0.0, my = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
    for (int i = 0; i < count; i++) {
        mx += x[i] / count;
        my += y[i] / count;
    }
    for (int i = 0; i < count; i++) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xy * xy / (xx * yy);
}

static fr_status measure_nodes(experiment_run *run) {
    static const uint32_t all[9] = {303, 650, 981, 1400, 1777, 2200, 2689, 3200, 3760}, few[3] = {60, 120, 240};
    const uint32_t *nodes = run->size == EXPERIMENT_BRIEF ? few : all;
    double x[9], loop[9], transform[9];
    int count = run->size == EXPERIMENT_BRIEF ? 3 : 9;
    for (int i = 0; i < count; i++) {
        fr_plan_world *world = NULL;
        field_times t;
        fr_status status = make_world(DEPTH, nodes[i], 1, NULL, &world, run->error);
        if (status == FR_OK) {
            status = time_field(world, false, run->size == EXPERIMENT_FULL ? 5 : 2, &t, run->error);
        }
        fr_plan_world_destroy(world);
        if (status != FR_OK) { return status; }
        x[i] = nodes[i];
        loop[i] = t.nodes;
        transform[i] = t.transform;
        experiment_row *row = experiment_add(run, "ms", "nodes, %u: potential", (unsigned)nodes[i]);
        if (row == NULL) { return FR_ERROR_MEMORY; }
        row->measured = t.nodes;
        row->speedup = t.nodes / t.transform;
        fr_control_progress(run->control, (i + 1.0) / (count + 4.0), "nodes");
        if (fr_control_is_stopped(run->control)) { return fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
    }
    bool is_added = experiment_put(run, "", "nodes: r^2 of time by nodes", 1.0, r_squared(x, loop, count)) &&
                    experiment_put(run, "times", "nodes: time of most over least nodes", x[count - 1] / x[0],
                                   loop[count - 1] / loop[0]) &&
                    experiment_put(run, "times", "transform: time of most over least nodes", NAN,
                                   transform[count - 1] / transform[0]);
    return is_added ? FR_OK : FR_ERROR_MEMORY;
}

static fr_status measure_cubes(experiment_run *run) {
    fr_plan_world *world = NULL;
    fr_node_box_array cubes = fr_node_box_array_make(NULL);
    field_times nodes, compact;
    uint32_t count = run->size == EXPERIMENT_BRIEF ? 303 : 3760;
    fr_status status = make_world(DEPTH, count, 1, NULL, &world, run->error);
    if (status == FR_OK) { status = time_field(world, false, 1, &nodes, run->error); }
    if (status == FR_OK) { status = time_field(world, true, 1, &compact, run->error); }
    if (status == FR_OK) { status = list_nodes(world, true, &cubes, run->error); }
    if (status == FR_OK) {
        bool is_added = experiment_put(run, "times", "compact: cubes of nodes", NAN, (double)cubes.count / count) &&
                        experiment_put(run, "times", "compact: time of nodes'", NAN, compact.nodes / nodes.nodes) &&
                        experiment_put(run, "", "compact: largest relative difference", NAN, compact.differ);
        if (!is_added) { status = FR_ERROR_MEMORY; }
    }
    fr_node_box_array_destroy(&cubes);
    fr_plan_world_destroy(world);
    return status;
}

// The same number of nodes at three depths: the source expects 1/8 and 8 times.
static fr_status measure_depths(experiment_run *run) {
    double ms[3] = {NAN, NAN, NAN};
    int depths = run->size == EXPERIMENT_BRIEF ? 2 : 3;
    for (int i = 0; i < depths; i++) {
        fr_plan_world *world = NULL;
        field_times t;
        fr_status status = make_world((uint32_t)(DEPTH - 1 + i), 300, 1, NULL, &world, run->error);
        if (status == FR_OK) { status = time_field(world, false, i == 2 ? 1 : 3, &t, run->error); }
        fr_plan_world_destroy(world);
        if (status != FR_OK) { return status; }
        ms[i] = t.nodes;
    }
    bool is_added = experiment_put(run, "times", "nodes, depth 4: potential of depth 5's", 0.125, ms[0] / ms[1]) &&
                    experiment_put(run, "times", "nodes, depth 6: potential of depth 5's", 8.0, ms[2] / ms[1]);
    return is_added ? FR_OK : FR_ERROR_MEMORY;
}

// One world at three depths, the robot scaled with it: two walls with windows at right angles and a plate.
static fr_status search_at_depth(uint32_t depth, double *ms, bool *is_found, fr_error *error) {
    static const int32_t walls[8][6] = {{4, 0, 0, 5, 7, 16},   {4, 9, 0, 5, 16, 16},  {4, 7, 0, 5, 9, 4},
                                        {4, 7, 12, 5, 9, 16},  {11, 0, 0, 12, 4, 16}, {11, 12, 0, 12, 16, 16},
                                        {11, 4, 0, 12, 12, 7}, {11, 4, 9, 12, 12, 16}};
    int32_t k = 1 << (depth - 4);
    fr_plan_world_def def = fr_default_plan_world_def();
    def.depth = depth;
    fr_plan_world *world;
    fr_status status = fr_plan_world_create(&def, &world, error);
    if (status != FR_OK) { return status; }
    for (uint64_t i = 0; i < 8 && status == FR_OK; i++) {
        const int32_t *w = walls[i];
        fr_plan_box box = {{w[0] * k, w[1] * k, w[2] * k}, {w[3] * k, w[4] * k, w[5] * k}};
        fr_plan_shape shape = {&box, 1, {0.0, 0.0, 0.0}};
        fr_plan_place still = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        status = fr_plan_world_set(world, i, &shape, &still, error);
    }
    // 3 x 3 x 1 cells of depth 4, less one of this depth, so that it has a middle.
    int32_t half = (3 * k - 1) / 2, thin = (k - 1) / 2;
    fr_plan_box plate = {{-half, -half, -thin}, {half + 1, half + 1, thin + 1}};
    fr_leaf_input in = fr_default_leaf_input();
    double n = (double)(1u << depth);
    in.world = world;
    in.robot = (fr_plan_shape){&plate, 1, {0.5, 0.5, 0.5}};
    in.start = (fr_plan_place){{0.13 * n, 0.53 * n, 0.53 * n}, {0.0, 0.0, 0.0}};
    in.goal = (fr_plan_place){{0.86 * n, 0.53 * n, 0.53 * n}, {0.0, 0.0, 0.0}};
    in.alpha_deg = 90.0;
    fr_cell_path path = {0};
    if (status == FR_OK) { status = time_leaves(&in, ms, &path, error); }
    *is_found = path.is_found;
    fr_plan_world_destroy(world);
    return status;
}

static fr_status measure_searches(experiment_run *run) {
    double ms[3];
    bool is_found[3];
    for (uint32_t i = 0; i < 3; i++) {
        ms[i] = NAN;
        is_found[i] = false;
        if (i == 2 && run->size == EXPERIMENT_BRIEF) { continue; }
        fr_status status = search_at_depth(4 + i, &ms[i], &is_found[i], run->error);
        if (status != FR_OK) { return status; }
    }
    bool is_added = experiment_put(run, "paths", "leaves, depth 4: found", NAN, is_found[0]) &&
                    experiment_put(run, "paths", "leaves, depth 5: found", NAN, is_found[1]) &&
                    experiment_put(run, "paths", "leaves, depth 6: found", NAN, is_found[2]) &&
                    experiment_put(run, "times", "leaves, depth 4: search of depth 5's", 0.125, ms[0] / ms[1]) &&
                    experiment_put(run, "times", "leaves, depth 6: search of depth 5's", 8.0, ms[2] / ms[1]);
    return is_added ? FR_OK : FR_ERROR_MEMORY;
}

static fr_status run_times(experiment_run *run) {
    snprintf(
        run->sample, sizeof run->sample,
        "worlds of boxes with 303 to 3760 black nodes at depth 5, 300 at depths 4 to 6; two windows at depths 4 to 6");
    fr_status status = measure_nodes(run);
    if (status == FR_OK) { status = measure_cubes(run); }
    if (status == FR_OK) { status = measure_depths(run); }
    if (status == FR_OK) { status = measure_searches(run); }
    return status;
}

const experiment experiment_kitamura_4_12 = {"kitamura-4.12", source, "times by black nodes and by depth", run_times};

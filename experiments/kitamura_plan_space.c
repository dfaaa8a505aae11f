// Kitamura 1996, section 4.4.2, in space. The source names its environments by their number of black nodes; ours are
// boxes of random edges with exactly as many, and a corridor with a corner in it, hardly larger than the robots, that
// they leave free.
#include "kitamura_plan.h"

#include "octree/faithful/cube_list.h"
#include "plan/faithful/clutter.h"
#include "plan/faithful/leaf_draw.h"
#include "plan/faithful/node_field.h"

#include <stdio.h>
#include <stdlib.h>

static const char source[] = "Kitamura 1996, section 4.4.2";

enum { DEPTH = 5, BUDGET = 300 };

static double ms_since(uint64_t begin) { return 1e-6 * (double)(experiment_cpu_ns() - begin); }

// ---------------------------------------------------------------------------------------------------------------
// Robots

typedef struct robot {
    fr_node_box_array boxes; // the black nodes
    fr_vec3 pivot;
} robot;

static fr_plan_shape shape_of(const robot *r) {
    return (fr_plan_shape){r->boxes.data, (uint32_t)r->boxes.count, r->pivot};
}

// The shuttle as cells, as large as has about so many black nodes.
static fr_status make_shuttle(uint32_t wanted, robot *out, fr_error *error) {
    fr_mesh *mesh = NULL;
    fr_octree_builder *builder = NULL;
    fr_octree *tree = NULL, *best = NULL;
    fr_octree_def def = fr_default_octree_def();
    out->boxes = fr_node_box_array_make(NULL);
    out->pivot = fr_vec3_make(16.5, 16.5, 16.5);
    fr_status status = fr_mesh_create_named("shuttle_528", NULL, &mesh, error);
    if (status == FR_OK) { status = fr_octree_builder_create(NULL, &builder, error); }
    if (status == FR_OK) { status = fr_octree_create(&def, &tree, error); }
    if (status == FR_OK) { status = fr_octree_create(&def, &best, error); }
    uint64_t least = UINT64_MAX;
    for (double length = 3.0; length < 12.0 && status == FR_OK; length += 0.0625) {
        const fr_bounds *bounds = &fr_mesh_get(mesh)->bounds;
        fr_octree_build_input input = fr_default_octree_build_input();
        fr_pose pose = fr_pose_make(out->pivot, fr_quat_identity());
        pose.scale = length / fr_vec3_largest(fr_vec3_sub(bounds->max, bounds->min));
        pose.position = fr_vec3_sub(out->pivot, fr_vec3_scale(pose.scale, fr_bounds_center(bounds)));
        input.mesh = mesh;
        input.pose = &pose;
        input.rule = FR_VOXEL_TOUCH;
        status = fr_octree_build(builder, &input, tree, error);
        uint64_t black = fr_octree_count(tree).black, off = black > wanted ? black - wanted : wanted - black;
        if (status == FR_OK && off < least) {
            least = off;
            fr_octree_copy(tree, best, NULL);
        }
    }
    if (status == FR_OK) { status = fr_black_nodes(best, &out->boxes, error); }
    fr_octree_destroy(best);
    fr_octree_destroy(tree);
    fr_octree_builder_destroy(builder);
    fr_mesh_release(mesh);
    return status;
}

// A chair of 115 single cells: seat, legs, back, and a rail on it.
static fr_status make_chair(robot *out, fr_error *error) {
    static const fr_plan_box parts[] = {
        {{-3, 0, -3}, {4, 1, 4}}, {{-3, -5, -3}, {-2, 0, -2}}, {{3, -5, -3}, {4, 0, -2}}, {{-3, -5, 3}, {-2, 0, 4}},
        {{3, -5, 3}, {4, 0, 4}},  {{-3, 1, 3}, {4, 7, 4}},     {{-2, 7, 3}, {2, 8, 4}},
    };
    out->boxes = fr_node_box_array_make(NULL);
    out->pivot = fr_vec3_make(0.5, 0.5, 0.5);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const fr_plan_box *p = &parts[i];
        for (int32_t x = p->low[0]; x < p->high[0]; x++) {
            for (int32_t y = p->low[1]; y < p->high[1]; y++) {
                for (int32_t z = p->low[2]; z < p->high[2]; z++) {
                    fr_plan_box *box = fr_node_box_array_push(&out->boxes, 1);
                    if (box == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a chair"); }
                    *box = (fr_plan_box){{x, y, z}, {x + 1, y + 1, z + 1}};
                }
            }
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Environments

static fr_status make_world(uint32_t depth, uint32_t nodes, uint64_t seed, fr_plan_world **out, fr_error *error) {
    fr_plan_world_def def = fr_default_plan_world_def();
    def.depth = depth;
    fr_status status = fr_plan_world_create(&def, out, error);
    if (status != FR_OK) { return status; }
    fr_octree_def tree_def = fr_octree_get_def(fr_plan_world_octree(*out));
    fr_octree *tree;
    status = fr_octree_create(&tree_def, &tree, error);
    if (status != FR_OK) { return status; }
    fr_clutter clutter = {seed, nodes, depth == DEPTH ? 7u : 5u, {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}}};
    if (depth == DEPTH) {
        clutter.empty[0] = (fr_plan_box){{1, 5, 12}, {31, 15, 20}};
        clutter.empty[1] = (fr_plan_box){{19, 5, 12}, {30, 31, 20}};
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

static fr_leaf_input input_of(const fr_plan_world *world, const robot *r) {
    fr_leaf_input in = fr_default_leaf_input();
    in.world = world;
    in.robot = shape_of(r);
    in.start = (fr_plan_place){{8.5, 10.5, 16.5}, {0.0, 0.0, 0.0}};
    in.goal = (fr_plan_place){{24.5, 23.5, 16.5}, {0.0, 0.0, 0.0}};
    in.budget = BUDGET;
    return in;
}

typedef struct search_times {
    double leaves, swept, lattice; // ms
    fr_cell_path path;             // by leaves; its states are not kept
    bool has_lattice;
} search_times;

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
static fr_status time_lattice(const fr_leaf_input *in, double *ms, bool *is_found, fr_error *error) {
    fr_plan_robot_def def = fr_default_plan_robot_def();
    def.shape = in->robot;
    def.is_lazy = true;
    fr_plan_robot *masks;
    fr_status status = fr_plan_robot_create(&def, &masks, error);
    *ms = INFINITY;
    *is_found = false;
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
        *is_found = path.is_found;
        fr_cell_path_destroy(&path);
    }
    fr_plan_robot_destroy(masks);
    return status;
}

typedef struct figure {
    uint32_t nodes;
    bool is_chair;
    double robot_printed, ratio_printed; // search over potential
} figure;

static fr_status add_figure(experiment_run *run, const figure *f, const robot *r, const field_times *field,
                            const fr_cell_path *path, double leaves_ms, double lattice_ms, bool is_found) {
    bool is_added = experiment_put(run, "nodes", "world: black nodes", f->nodes, f->nodes) &&
                    experiment_put(run, "nodes", "robot: black nodes", f->robot_printed, (double)r->boxes.count) &&
                    experiment_put(run, "paths", "leaves: found", 1.0, path->is_found) &&
                    experiment_put(run, "states", "leaves: states taken", NAN, (double)path->expanded) &&
                    experiment_put(run, "poses", "leaves: poses tested", NAN, (double)path->tested) &&
                    experiment_put(run, "steps", "leaves: turned", NAN, path->turns) &&
                    experiment_put(run, "times", "leaves: search over potential by nodes", f->ratio_printed,
                                   leaves_ms / field->nodes) &&
                    experiment_put(run, "ms", "nodes: potential", NAN, field->nodes) &&
                    experiment_put(run, "", "transform: largest relative difference", NAN, field->differ) &&
                    experiment_put(run, "paths", "lattice: found", NAN, is_found);
    experiment_row *transform = experiment_add(run, "ms", "transform: potential");
    experiment_row *lattice = transform != NULL ? experiment_add(run, "ms", "lattice: search") : NULL;
    if (!is_added || lattice == NULL) { return FR_ERROR_MEMORY; }
    lattice->measured = lattice_ms;
    lattice->speedup = leaves_ms / lattice_ms;
    transform = run->rows.data + run->rows.count - 2;
    transform->measured = field->transform;
    transform->speedup = field->nodes / field->transform;
    return FR_OK;
}

// Seeds are tried until the lattice has a path and the leaves' robot passes a narrow part by turning, as the source's
// does: other worlds show nothing.
static fr_status run_figure(experiment_run *run, const figure *f) {
    robot r;
    fr_status status = f->is_chair ? make_chair(&r, run->error) : make_shuttle(74, &r, run->error);
    bool is_done = false;
    for (uint64_t seed = 1; seed <= 20 && status == FR_OK && !is_done; seed++) {
        fr_plan_world *world = NULL;
        field_times field;
        fr_cell_path path = {0};
        double lattice_ms, leaves_ms;
        bool is_found;
        status = make_world(DEPTH, f->nodes, seed, &world, run->error);
        fr_leaf_input in = input_of(world, &r);
        if (status == FR_OK) { status = time_lattice(&in, &lattice_ms, &is_found, run->error); }
        if (status == FR_OK && is_found) {
            snprintf(run->sample, sizeof run->sample,
                     "one world of boxes of up to 7 cells, seed %u, depth 5; leaves give up after %d states",
                     (unsigned)seed, BUDGET);
            status = time_leaves(&in, &leaves_ms, &path, run->error);
            is_done = status == FR_OK && path.is_found && path.turns > 0;
        }
        if (is_done) { status = time_field(world, false, run->size == EXPERIMENT_BRIEF ? 1 : 3, &field, run->error); }
        if (is_done && status == FR_OK) {
            status = add_figure(run, f, &r, &field, &path, leaves_ms, lattice_ms, is_found);
        }
        fr_plan_world_destroy(world);
        fr_control_progress(run->control, (double)seed / 20.0, "worlds");
        if (fr_control_is_stopped(run->control)) { status = fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
    }
    fr_node_box_array_destroy(&r.boxes);
    if (status == FR_OK && !is_done) {
        status =
            fr_error_set(run->error, FR_ERROR_LIMIT, "no world of %u nodes has a path with a turn", (unsigned)f->nodes);
    }
    return status;
}

static fr_status run_981(experiment_run *run) { return run_figure(run, &(figure){981, false, 74.0, 4.7 / 2.8}); }
static fr_status run_2689(experiment_run *run) { return run_figure(run, &(figure){2689, false, 74.0, NAN}); }
static fr_status run_303(experiment_run *run) { return run_figure(run, &(figure){303, true, 115.0, NAN}); }
static fr_status run_1777(experiment_run *run) { return run_figure(run, &(figure){1777, false, 74.0, NAN}); }

const experiment experiment_kitamura_4_8 = {"kitamura-4.8", source, "the shuttle among 981 black nodes", run_981};
const experiment experiment_kitamura_4_9 = {"kitamura-4.9", source, "the shuttle among 2689 black nodes", run_2689};
const experiment experiment_kitamura_4_10 = {"kitamura-4.10", source, "a chair among 303 black nodes", run_303};
const experiment experiment_kitamura_4_11 = {"kitamura-4.11", source, "the shuttle among 1777 black nodes", run_1777};

fr_status draw_kitamura_4_8(const fr_draw *draw, fr_error *error) {
    robot r;
    fr_plan_world *world = NULL;
    fr_leaf_result result;
    fr_status status = make_shuttle(74, &r, error);
    if (status == FR_OK) { status = make_world(DEPTH, 981, 7, &world, error); }
    fr_leaf_input in = input_of(world, &r);
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
        fr_status status = make_world(DEPTH, nodes[i], 1, &world, run->error);
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
    fr_status status = make_world(DEPTH, count, 1, &world, run->error);
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
        fr_status status = make_world((uint32_t)(DEPTH - 1 + i), 300, 1, &world, run->error);
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

// Kitamura 1996, section 4.4, in the plane. The source's pictures are not measured out in print; these worlds of 64 x
// 64 cells show the same cases: a narrow part that is passed by turning, and an obstacle in the middle that moves
// away.
#include "kitamura_plan.h"

#include "kitamura_robots.h"
#include "plan/faithful/leaf_climb.h"
#include "plan/faithful/leaf_draw.h"
#include "plan/faithful/node_field.h"

#include <stdio.h>
#include <stdlib.h>

static const char source[] = "Kitamura 1996, section 4.4.1";

enum { FLAT_DEPTH = 6, FLAT_CELLS = 1 << FLAT_DEPTH, MOVER_KEY = 100, MOST_TICKS = 600, MOST_RTA_TICKS = 20000 };

// ---------------------------------------------------------------------------------------------------------------
// Worlds

typedef struct flat_world {
    const char *name;
    fr_plan_box walls[4];
    fr_plan_box mover; // none where it is empty
    double mover_up;   // cells that it moves at its tick
    fr_plan_box robot[2];
    double start[3], goal[2]; // cell, and degrees
} flat_world;

enum { MOVER_TICK = 30 };

#define BOX(x0, y0, x1, y1)                                                                                            \
    {                                                                                                                  \
        {(x0), (y0), 0}, { (x1), (y1), 1 }                                                                             \
    }
#define BAR_11                                                                                                         \
    { BOX(-5, -1, 6, 2) }
#define SLIT_4 BOX(30, 0, 36, 30), BOX(30, 34, 36, 64)
#define SLIT_5 BOX(30, 0, 36, 30), BOX(30, 35, 36, 64)
#define SLIT_8 BOX(30, 0, 36, 28), BOX(30, 36, 36, 64)

static const flat_world still_worlds[] = {
    {"slit of 8", {SLIT_8}, BOX(0, 0, 0, 0), 0.0, BAR_11, {12, 30, 90}, {52, 32}},
    {"slit of 5", {SLIT_5}, BOX(0, 0, 0, 0), 0.0, BAR_11, {12, 32, 90}, {52, 32}},
    {"slit of 4", {SLIT_4}, BOX(0, 0, 0, 0), 0.0, BAR_11, {12, 32, 90}, {52, 32}},
    {"two gaps",
     {BOX(20, 0, 24, 40), BOX(20, 49, 24, 64), BOX(42, 0, 46, 15), BOX(42, 24, 46, 64)},
     BOX(0, 0, 0, 0),
     0.0,
     {BOX(-4, -1, 5, 2), BOX(-4, 2, -1, 4)},
     {9, 10, 0},
     {55, 50}},
};

static const flat_world moving_worlds[] = {
    {"block",
     {BOX(40, 0, 46, 28), BOX(40, 36, 46, 64), BOX(0, 0, 64, 1), BOX(0, 63, 64, 64)},
     BOX(28, 1, 36, 63),
     31.0,
     BAR_11,
     {10, 30, 90},
     {54, 32}},
    {"plug in 8", {SLIT_8}, BOX(28, 28, 34, 36), -20.0, BAR_11, {10, 30, 90}, {52, 32}},
    {"plug in 5", {SLIT_5}, BOX(28, 26, 30, 39), -20.0, BAR_11, {10, 30, 90}, {52, 32}},
    {"hollow",
     {BOX(34, 16, 38, 48), BOX(24, 16, 38, 20), BOX(24, 44, 38, 48)},
     BOX(0, 0, 0, 0),
     0.0,
     {BOX(-2, -1, 3, 2)},
     {14, 32, 0},
     {52, 32}},
};

static bool is_empty(const fr_plan_box *b) { return b->low[0] >= b->high[0]; }

static fr_status put(fr_plan_world *world, uint64_t key, const fr_plan_box *box, double up, fr_error *error) {
    fr_plan_shape shape = {box, 1, {32.0, 32.0, 0.5}};
    fr_plan_place place = {{0.0, up, 0.0}, {0.0, 0.0, 0.0}};
    return fr_plan_world_set(world, key, &shape, &place, error);
}

static fr_status make_empty(fr_plan_world **out, fr_error *error) {
    fr_plan_world_def def = fr_default_plan_world_def();
    def.dimension = 2;
    def.depth = FLAT_DEPTH;
    return fr_plan_world_create(&def, out, error);
}

static fr_status make_world(const flat_world *w, fr_plan_world **out, fr_error *error) {
    fr_status status = make_empty(out, error);
    for (uint64_t i = 0; i < 4 && status == FR_OK; i++) {
        status = put(*out, i, &w->walls[i], 0.0, error);
    }
    return status == FR_OK ? put(*out, MOVER_KEY, &w->mover, 0.0, error) : status;
}

static fr_leaf_input input_of(const flat_world *w, const fr_plan_world *world) {
    fr_leaf_input in = fr_default_leaf_input();
    in.world = world;
    in.robot = (fr_plan_shape){w->robot, is_empty(&w->robot[1]) ? 1 : 2, {0.5, 0.5, 0.5}};
    in.start = (fr_plan_place){{w->start[0] + 0.5, w->start[1] + 0.5, 0.5}, {0.0, 0.0, w->start[2]}};
    in.goal = (fr_plan_place){{w->goal[0] + 0.5, w->goal[1] + 0.5, 0.5}, {0.0, 0.0, 0.0}};
    return in;
}

static fr_status make_robot(const fr_plan_shape *shape, fr_plan_robot **out, fr_error *error) {
    fr_plan_robot_def def = fr_default_plan_robot_def();
    def.shape = *shape;
    def.dimension = 2;
    return fr_plan_robot_create(&def, out, error);
}

static bool add(experiment_run *run, const char *method, const char *world, const char *quantity, const char *unit,
                double measured) {
    experiment_row *row = experiment_add(run, unit, "%s, %s: %s", method, world, quantity);
    if (row == NULL) { return false; }
    row->measured = measured;
    return true;
}

static fr_status check_path(const fr_leaf_input *in, const fr_cell_path *path, bool *is_free, fr_error *error) {
    fr_plan_check_input input = fr_default_plan_check_input();
    input.world = in->world;
    input.shape = &in->robot;
    input.states = path->states;
    input.state_count = path->state_count;
    fr_plan_check_output check;
    fr_status status = fr_plan_check_cells(&input, &check, error);
    *is_free = status == FR_OK && check.is_free;
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Figure 4.4: obstacles that stand

// One search: found, collides, its leaves, steps of turning, states taken, milliseconds.
typedef struct outcome {
    double found, collides, nodes, turns, expanded, length, ms;
} outcome;

static fr_status search_leaves(const fr_leaf_input *in, outcome *out, fr_error *error) {
    fr_leaf_result result;
    uint64_t begin = experiment_cpu_ns();
    fr_status status = fr_leaf_search_run(in, &result, error);
    if (status != FR_OK) { return status; }
    const fr_cell_path *path = &result.path;
    *out = (outcome){path->is_found,
                     0.0,
                     result.nodes,
                     path->turns,
                     (double)path->expanded,
                     path->length,
                     1e-6 * (double)(experiment_cpu_ns() - begin)};
    bool is_free = true;
    if (path->is_found) { status = check_path(in, path, &is_free, error); }
    out->collides = !is_free;
    fr_leaf_result_free(&result);
    return status;
}

static fr_status search_lattice(const fr_leaf_input *in, const fr_plan_robot *robot, outcome *out, fr_error *error) {
    fr_plan_cells_input input = fr_default_plan_cells_input();
    input.world = in->world;
    input.robot = robot;
    input.start = in->start;
    input.goal = in->goal;
    input.weight = 1.0;
    fr_cell_path path;
    uint64_t begin = experiment_cpu_ns();
    fr_status status = fr_plan_cells(&input, &path, error);
    if (status != FR_OK) { return status; }
    *out = (outcome){path.is_found,
                     0.0,
                     0.0,
                     path.turns,
                     (double)path.expanded,
                     path.length,
                     1e-6 * (double)(experiment_cpu_ns() - begin)};
    bool is_free = true;
    if (path.is_found) { status = check_path(in, &path, &is_free, error); }
    out->collides = !is_free;
    fr_cell_path_destroy(&path);
    return status;
}

static bool add_outcome(experiment_run *run, const char *method, const char *world, const outcome *o, bool has_nodes) {
    bool is_added = add(run, method, world, "found", "paths", o->found) &&
                    add(run, method, world, "states taken", "states", o->expanded);
    if (!is_added || o->found == 0.0) { return is_added; }
    return add(run, method, world, "collides between states", "paths", o->collides) &&
           add(run, method, world, "turned", "steps", o->turns) &&
           add(run, method, world, "length", "cells", o->length) &&
           (!has_nodes || add(run, method, world, "leaves on the path", "leaves", o->nodes));
}

static fr_status run_still_world(experiment_run *run, const flat_world *w) {
    fr_plan_world *world = NULL;
    fr_plan_robot *robot = NULL;
    outcome printed, swept, lattice;
    fr_status status = make_world(w, &world, run->error);
    fr_leaf_input in = input_of(w, world);
    if (status == FR_OK) { status = search_leaves(&in, &printed, run->error); }
    in.is_swept = true;
    if (status == FR_OK) { status = search_leaves(&in, &swept, run->error); }
    if (status == FR_OK) { status = make_robot(&in.robot, &robot, run->error); }
    if (status == FR_OK) { status = search_lattice(&in, robot, &lattice, run->error); }
    if (status == FR_OK &&
        !(add_outcome(run, "leaves", w->name, &printed, true) && add_outcome(run, "swept", w->name, &swept, true) &&
          add_outcome(run, "lattice", w->name, &lattice, false))) {
        status = FR_ERROR_MEMORY;
    }
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
    return status;
}

// Boxes anywhere but about start and goal.
static fr_status put_random_boxes(fr_plan_world *world, fr_random *random, fr_error *error) {
    fr_status status = FR_OK;
    for (uint64_t k = 0; k < 24 && status == FR_OK; k++) {
        fr_plan_box box = BOX(0, 0, 0, 0);
        for (int a = 0; a < 2; a++) {
            int32_t edge = 1 + (int32_t)fr_random_below(random, 9);
            box.low[a] = (int32_t)fr_random_below(random, 65u - (uint32_t)edge);
            box.high[a] = box.low[a] + edge;
        }
        box.high[2] = 1;
        bool is_first = box.low[0] < 16 && box.low[1]<16, is_last = box.high[0]> 48 && box.high[1] > 48;
        if (!is_first && !is_last) { status = put(world, k, &box, 0.0, error); }
    }
    return status;
}

static fr_status run_random_maps(experiment_run *run, int maps) {
    static const flat_world bar = {"",        {BOX(0, 0, 0, 0)}, BOX(0, 0, 0, 0), 0.0, {BOX(-4, -1, 5, 2)},
                                   {8, 8, 0}, {55, 55}};
    fr_random random = fr_random_seed(4);
    double found[3] = {0.0, 0.0, 0.0}, collides[3] = {0.0, 0.0, 0.0};
    fr_plan_robot *robot = NULL;
    fr_leaf_input in = input_of(&bar, NULL);
    fr_status status = make_robot(&in.robot, &robot, run->error);
    for (int i = 0; i < maps && status == FR_OK; i++) {
        fr_plan_world *world;
        status = make_empty(&world, run->error);
        if (status == FR_OK) { status = put_random_boxes(world, &random, run->error); }
        for (int method = 0; method < 3 && status == FR_OK; method++) {
            outcome o;
            in.world = world;
            in.is_swept = method == 1;
            status = method < 2 ? search_leaves(&in, &o, run->error) : search_lattice(&in, robot, &o, run->error);
            if (status != FR_OK) { break; }
            found[method] += o.found;
            collides[method] += o.collides;
        }
        fr_plan_world_destroy(world);
        fr_control_progress(run->control, (i + 1.0) / maps, "maps");
        if (fr_control_is_stopped(run->control)) { status = fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
    }
    fr_plan_robot_destroy(robot);
    static const char *const names[3] = {"leaves", "swept", "lattice"};
    for (int method = 0; method < 3 && status == FR_OK; method++) {
        bool is_added =
            add(run, names[method], "random maps", "found", "%", 100.0 * found[method] / maps) &&
            add(run, names[method], "random maps", "collides between states", "%", 100.0 * collides[method] / maps);
        if (!is_added) { status = FR_ERROR_MEMORY; }
    }
    return status;
}

static fr_status run_still(experiment_run *run) {
    int maps = (const int[]){6, 200, 1000}[run->size];
    snprintf(run->sample, sizeof run->sample,
             "four worlds of 64 x 64 cells, steps of 30 degrees; %d maps of 24 boxes and a bar of 9 x 3", maps);
    for (size_t i = 0; i < sizeof still_worlds / sizeof still_worlds[0]; i++) {
        fr_status status = run_still_world(run, &still_worlds[i]);
        if (status != FR_OK) { return status; }
    }
    return run_random_maps(run, maps);
}

const experiment experiment_kitamura_4_4 = {"kitamura-4.4", source,
                                            "a robot in the plane that passes a narrow part by turning", run_still};

fr_status draw_kitamura_4_4(const fr_draw *draw, fr_error *error) {
    fr_plan_world *world = NULL;
    fr_leaf_result result;
    fr_status status = make_world(&still_worlds[0], &world, error);
    fr_leaf_input in = input_of(&still_worlds[0], world);
    in.is_swept = true;
    if (status == FR_OK) { status = fr_leaf_search_run(&in, &result, error); }
    if (status == FR_OK) {
        fr_leaf_draw(world, &in.robot, &result, draw);
        fr_leaf_result_free(&result);
    }
    fr_plan_world_destroy(world);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Figure 4.3: the potential field of figure 4.4's worlds

static fr_status make_field(const flat_world *w, const fr_plan_world *world, fr_plan_field **out, fr_error *error) {
    fr_plan_field_def def = fr_default_plan_field_def();
    fr_status status = fr_plan_field_create(&def, world, out, error);
    fr_vec3 goal = fr_vec3_make(w->goal[0] + 0.5, w->goal[1] + 0.5, 0.5);
    return status == FR_OK ? fr_plan_field_set_goal(*out, goal, error) : status;
}

static bool is_lower_beside(const double *p, int x, int y) {
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int nx = x + dx, ny = y + dy;
            bool is_inside = nx >= 0 && nx < FLAT_CELLS && ny >= 0 && ny < FLAT_CELLS;
            if (is_inside && p[ny * FLAT_CELLS + nx] < p[y * FLAT_CELLS + x]) { return true; }
        }
    }
    return false;
}

// Cells that no neighbour is lower than. The goal's is one of them, where nothing repels more than the goal attracts.
static double count_minima(const double *p) {
    double count = 0.0;
    for (int y = 0; y < FLAT_CELLS; y++) {
        for (int x = 0; x < FLAT_CELLS; x++) {
            count += !is_lower_beside(p, x, y);
        }
    }
    return count;
}

// The field by every black node, and by the transform.
typedef struct flat_fields {
    fr_node_box_array nodes;
    double by_nodes[FLAT_CELLS * FLAT_CELLS], by_transform[FLAT_CELLS * FLAT_CELLS];
} flat_fields;

static fr_status fill_fields(const flat_world *w, const fr_plan_world *world, flat_fields *out, fr_error *error) {
    fr_plan_field *field = NULL;
    fr_status status = fr_black_nodes(fr_plan_world_octree(world), &out->nodes, error);
    if (status == FR_OK) { status = make_field(w, world, &field, error); }
    if (status == FR_OK) {
        fr_vec3 goal = fr_vec3_make(w->goal[0] + 0.5, w->goal[1] + 0.5, 0.5);
        fr_node_field_input in = {
            2, FLAT_DEPTH, out->nodes.data, out->nodes.count, 100.0, 1.0, goal, FR_NODE_BY_NODES, NULL};
        status = fr_node_field_run(&in, NULL, out->by_nodes, error);
        fr_plan_field_write(field, out->by_transform);
    }
    fr_plan_field_destroy(field);
    return status;
}

static fr_status run_field(experiment_run *run, const flat_world *w, flat_fields *fields) {
    if (fr_control_is_stopped(run->control)) { return fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
    fr_plan_world *world = NULL;
    fields->nodes = fr_node_box_array_make(NULL);
    fr_status status = make_world(w, &world, run->error);
    if (status == FR_OK) { status = fill_fields(w, world, fields, run->error); }
    if (status == FR_OK) {
        double lowest = INFINITY, highest = 0.0, difference = 0.0;
        for (int i = 0; i < FLAT_CELLS * FLAT_CELLS; i++) {
            double p = fields->by_nodes[i];
            lowest = fmin(lowest, p);
            highest = fmax(highest, p);
            difference = fmax(difference, fabs(fields->by_transform[i] - p));
        }
        bool is_added =
            add(run, "nodes", w->name, "black nodes", "nodes", (double)fields->nodes.count) &&
            add(run, "nodes", w->name, "lowest potential", "", lowest) &&
            add(run, "nodes", w->name, "highest potential", "", highest) &&
            add(run, "nodes", w->name, "cells lower than all beside them", "cells", count_minima(fields->by_nodes)) &&
            add(run, "transform", w->name, "largest difference from nodes'", "", difference);
        if (!is_added) { status = FR_ERROR_MEMORY; }
    }
    fr_node_box_array_destroy(&fields->nodes);
    fr_plan_world_destroy(world);
    return status;
}

static fr_status run_fields(experiment_run *run) {
    snprintf(run->sample, sizeof run->sample, "the four worlds of figure 4.4, 64 x 64 cells, pmax 100, C 1");
    flat_fields *fields = malloc(sizeof *fields);
    if (fields == NULL) { return fr_error_set(run->error, FR_ERROR_MEMORY, "out of memory for a field"); }
    fr_status status = FR_OK;
    for (size_t i = 0; i < sizeof still_worlds / sizeof still_worlds[0] && status == FR_OK; i++) {
        status = run_field(run, &still_worlds[i], fields);
    }
    free(fields);
    return status;
}

const experiment experiment_kitamura_4_3 = {"kitamura-4.3", source, "the potential field of the worlds of figure 4.4",
                                            run_fields};

// A cell as two triangles, dark where the potential is high.
static void draw_cell(const fr_draw *draw, uint32_t x, uint32_t y, double potential) {
    static const double corners[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    double triangles[18];
    for (int k = 0; k < 6; k++) {
        triangles[3 * k] = x + corners[k][0];
        triangles[3 * k + 1] = y + corners[k][1];
        triangles[3 * k + 2] = 0.0;
    }
    uint8_t gray = (uint8_t)(255.0 - 215.0 * fmin(1.0, potential / 100.0));
    if (draw->triangles != NULL) { draw->triangles(triangles, 2, (fr_color){gray, gray, gray, 255}, draw->user); }
}

fr_status draw_kitamura_4_3(const fr_draw *draw, fr_error *error) {
    fr_plan_world *world = NULL;
    fr_plan_field *field = NULL;
    fr_status status = make_world(&still_worlds[0], &world, error);
    if (status == FR_OK) { status = make_field(&still_worlds[0], world, &field, error); }
    for (uint32_t i = 0; i < FLAT_CELLS * FLAT_CELLS && status == FR_OK; i++) {
        draw_cell(draw, i % FLAT_CELLS, i / FLAT_CELLS, fr_plan_field_at(field, i % FLAT_CELLS, i / FLAT_CELLS, 0));
    }
    fr_plan_field_destroy(field);
    fr_plan_world_destroy(world);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Figure 4.6: an obstacle that moves away

// Ticks until the goal, NAN where it was not reached; turns.
typedef struct travel {
    double ticks, turns;
} travel;

static fr_status observe(const flat_world *w, fr_plan_world *world, int tick, fr_error *error) {
    if (tick != MOVER_TICK || is_empty(&w->mover)) { return FR_OK; }
    return put(world, MOVER_KEY, &w->mover, w->mover_up, error);
}

static fr_status climb(const flat_world *w, fr_climb_reading reading, travel *out, fr_error *error) {
    fr_plan_world *world = NULL;
    fr_leaf_climber *climber = NULL;
    fr_climb_result result = FR_CLIMB_WAITED;
    *out = (travel){NAN, 0.0};
    fr_status status = make_world(w, &world, error);
    fr_leaf_input in = input_of(w, world);
    in.is_swept = true;
    if (status == FR_OK) { status = fr_leaf_climber_create(&in, reading, &climber, error); }
    for (int tick = 0; tick < MOST_TICKS && status == FR_OK && result != FR_CLIMB_AT_GOAL; tick++) {
        status = observe(w, world, tick, error);
        if (status == FR_OK) { status = fr_leaf_climber_step(climber, &result, error); }
        out->turns += result == FR_CLIMB_TURNED;
        if (status == FR_OK && result == FR_CLIMB_AT_GOAL) { out->ticks = tick; }
    }
    fr_leaf_climber_destroy(climber);
    fr_plan_world_destroy(world);
    return status;
}

static fr_status follow(const flat_world *w, fr_plan_method method, travel *out, fr_error *error) {
    fr_plan_world *world = NULL;
    fr_plan_robot *robot = NULL;
    fr_plan_agent *agent = NULL;
    fr_plan_event event = FR_PLAN_WAIT;
    *out = (travel){NAN, 0.0};
    fr_status status = make_world(w, &world, error);
    fr_leaf_input in = input_of(w, world);
    if (status == FR_OK) { status = make_robot(&in.robot, &robot, error); }
    fr_plan_agent_def def = fr_default_plan_agent_def();
    def.world = world;
    def.robot = robot;
    def.start = in.start;
    def.goal = in.goal;
    def.method = method;
    if (status == FR_OK) { status = fr_plan_agent_create(&def, &agent, error); }
    int most = method == FR_PLAN_RTA ? MOST_RTA_TICKS : MOST_TICKS;
    for (int tick = 0; tick < most && status == FR_OK && event != FR_PLAN_GOAL; tick++) {
        status = observe(w, world, tick, error);
        if (status == FR_OK) { status = fr_plan_agent_tick(agent, &event, error); }
        out->turns += event == FR_PLAN_TURNED;
        if (status == FR_OK && event == FR_PLAN_GOAL) { out->ticks = tick; }
    }
    fr_plan_agent_destroy(agent);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
    return status;
}

static fr_status run_moving(experiment_run *run) {
    static const char *const names[5] = {"visited", "strict", "lattice", "dstar", "rta"};
    static const fr_plan_method methods[5] = {FR_PLAN_ASTAR, FR_PLAN_ASTAR, FR_PLAN_ASTAR, FR_PLAN_DSTAR, FR_PLAN_RTA};
    snprintf(run->sample, sizeof run->sample,
             "four worlds of 64 x 64 cells, what moves does at tick %d, at most %d ticks, of rta %d", MOVER_TICK,
             MOST_TICKS, MOST_RTA_TICKS);
    for (size_t i = 0; i < sizeof moving_worlds / sizeof moving_worlds[0]; i++) {
        const flat_world *w = &moving_worlds[i];
        for (int k = 0; k < 5; k++) {
            travel t;
            fr_status status = k < 2 ? climb(w, k == 0 ? FR_CLIMB_VISITED : FR_CLIMB_STRICT, &t, run->error)
                                     : follow(w, methods[k], &t, run->error);
            if (status != FR_OK) { return status; }
            bool is_added = add(run, names[k], w->name, "arrived after", "ticks", t.ticks) &&
                            add(run, names[k], w->name, "turned", "times", t.turns);
            if (!is_added) { return FR_ERROR_MEMORY; }
        }
        fr_control_progress(run->control, (double)(i + 1) / 4.0, "worlds");
        if (fr_control_is_stopped(run->control)) { return fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
    }
    return FR_OK;
}

const experiment experiment_kitamura_4_6 = {
    "kitamura-4.6", source, "a robot in the plane among obstacles, one of which moves away", run_moving};

// ---------------------------------------------------------------------------------------------------------------
// Figure 4.5: the robot of figure 4.6

static fr_plan_shape moving_robot(void) { return input_of(&moving_worlds[0], NULL).robot; }

static fr_status run_turned(experiment_run *run) {
    snprintf(run->sample, sizeof run->sample, "the bar of 11 x 3 cells of figure 4.6 in a world of 32 x 32");
    fr_plan_shape shape = moving_robot();
    return add_turned(run, &shape, 2, NAN);
}

const experiment experiment_kitamura_4_5 = {"kitamura-4.5", source, "the robot of figure 4.6 as a quadtree, turned",
                                            run_turned};

fr_status draw_kitamura_4_5(const fr_draw *draw, fr_error *error) {
    fr_plan_shape shape = moving_robot();
    return draw_turned(&shape, 2, draw, error);
}

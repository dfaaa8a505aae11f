// Planning among cells: masks of a robot, the world W2 of two walls with slots at right angles, clutter, replanning
// after a move, deeper worlds, ticks of agents, four robots. Masks are made beforehand but in the cases that make them.
#include "bench.h"

#include "fureai/plan.h"

#include <stdio.h>
#include <stdlib.h>

enum { W2_WALLS = 8, W2_ROBOT = 5 };

static const fr_plan_box w2_walls[W2_WALLS] = {
    {{11, 0, 0}, {13, 13, 32}}, {{11, 19, 0}, {13, 32, 32}}, {{11, 13, 0}, {13, 19, 9}}, {{11, 13, 23}, {13, 19, 32}},
    {{21, 0, 0}, {23, 9, 32}},  {{21, 23, 0}, {23, 32, 32}}, {{21, 9, 0}, {23, 23, 13}}, {{21, 9, 19}, {23, 23, 32}}};
static const fr_plan_box w2_robot[W2_ROBOT] = {{{-4, -4, 0}, {-2, 5, 1}},
                                               {{-2, -3, 0}, {-1, 4, 1}},
                                               {{-1, -2, 0}, {0, 3, 1}},
                                               {{0, -1, 0}, {5, 2, 1}},
                                               {{-4, 0, 1}, {-2, 1, 3}}};

static void fail(const char *what) {
    fprintf(stderr, "bench_plan_cells: %s\n", what);
    exit(1);
}

static fr_plan_world *make_world(int dimension, uint32_t depth) {
    fr_plan_world_def def = fr_default_plan_world_def();
    def.dimension = dimension;
    def.depth = depth;
    fr_plan_world *world;
    if (fr_plan_world_create(&def, &world, NULL) != FR_OK) { fail("no world"); }
    return world;
}

static void put(fr_plan_world *world, uint64_t key, fr_plan_box box, int32_t scale, fr_vec3 by) {
    for (int a = 0; a < 3; a++) {
        box.low[a] *= scale;
        box.high[a] *= scale;
    }
    fr_plan_shape shape = {&box, 1, {0.0, 0.0, 0.0}};
    fr_plan_place place = {by, {0.0, 0.0, 0.0}};
    if (fr_plan_world_set(world, key, &shape, &place, NULL) != FR_OK) { fail("no obstacle"); }
}

static fr_plan_robot *make_robot(const fr_plan_box *boxes, uint32_t count, int dimension, int32_t scale, bool is_lazy,
                                 const fr_tasks *tasks) {
    fr_plan_box scaled[8];
    fr_plan_robot_def def = fr_default_plan_robot_def();
    for (uint32_t i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) {
            scaled[i].low[a] = boxes[i].low[a] * scale;
            scaled[i].high[a] = boxes[i].high[a] * scale;
        }
    }
    // The middle of a cell again: 0.5, 0.5 + half a cell, ...
    double middle = scale == 1 ? 0.5 : 0.5 * (double)scale + 0.5;
    def.shape = (fr_plan_shape){scaled, count, {middle, middle, middle}};
    def.dimension = dimension;
    def.is_lazy = is_lazy;
    def.tasks = tasks;
    fr_plan_robot *robot;
    if (fr_plan_robot_create(&def, &robot, NULL) != FR_OK) { fail("no robot"); }
    return robot;
}

static fr_cell_path plan(const fr_plan_cells_input *input) {
    fr_cell_path path;
    fr_error error;
    if (fr_plan_cells(input, &path, &error) != FR_OK) { fail(error.message); }
    return path;
}

static void count_path(bench *b, const fr_cell_path *path) {
    bench_count(b, "states", (double)path->state_count);
    bench_count(b, "turns", (double)path->turns);
    bench_count(b, "expanded", (double)path->expanded);
    bench_count(b, "tested", (double)path->tested);
}

// ---------------------------------------------------------------------------------------------------------------

static void run_masks(bench *b) {
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = bench_threads(b);
    fr_task_pool *pool;
    if (fr_task_pool_create(&pool_def, &pool, NULL) != FR_OK) { fail("no pool"); }
    fr_tasks tasks = fr_task_pool_tasks(pool);
    while (bench_repeat(b)) {
        fr_plan_robot *robot = make_robot(w2_robot, W2_ROBOT, 3, 1, false, &tasks);
        bench_pause(b);
        fr_plan_robot_info info = fr_plan_robot_get_info(robot);
        bench_count(b, "masks", (double)info.masks);
        bench_count(b, "bytes", (double)info.bytes);
        fr_plan_robot_destroy(robot);
    }
    fr_task_pool_destroy(pool);
}

static fr_plan_world *make_w2(int32_t scale) {
    fr_plan_world *world = make_world(3, scale == 1 ? 5 : scale == 2 ? 6 : 7);
    for (uint32_t i = 0; i < W2_WALLS; i++) {
        put(world, i, w2_walls[i], scale, fr_vec3_make(0.0, 0.0, 0.0));
    }
    return world;
}

static fr_plan_cells_input w2_question(const fr_plan_world *world, const fr_plan_robot *robot, int32_t scale) {
    fr_plan_cells_input input = fr_default_plan_cells_input();
    double s = (double)scale, middle = scale == 1 ? 0.5 : 0.5 * s + 0.5;
    input.world = world;
    input.robot = robot;
    input.start.position = fr_vec3_make(5.0 * s + middle, 16.0 * s + middle, 16.0 * s + middle);
    input.goal.position = fr_vec3_make(27.0 * s + middle, 16.0 * s + middle, 16.0 * s + middle);
    return input;
}

static void run_w2(bench *b, int32_t scale, double weight) {
    fr_plan_world *world = make_w2(scale);
    fr_plan_robot *robot = make_robot(w2_robot, W2_ROBOT, 3, scale, true, NULL);
    fr_plan_cells_input input = w2_question(world, robot, scale);
    input.weight = weight;
    while (bench_repeat(b)) {
        // The warm-up makes the masks that the search asks for.
        fr_cell_path path = plan(&input);
        bench_pause(b);
        if (!path.is_found) { fail("no path in W2"); }
        count_path(b, &path);
        fr_cell_path_destroy(&path);
    }
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

static void run_w2_weight_2(bench *b) { run_w2(b, 1, 2.0); }
static void run_w2_optimal(bench *b) { run_w2(b, 1, 1.0); }
static void run_w2_depth_6(bench *b) { run_w2(b, 2, 2.0); }
static void run_w2_depth_7(bench *b) { run_w2(b, (int32_t)bench_size(b, 2, 4), 2.0); }

// Small boxes all over the world but about start and goal.
static fr_plan_world *make_clutter(uint32_t boxes) {
    fr_plan_world *world = make_world(3, 5);
    fr_random random = fr_random_seed(5);
    for (uint32_t i = 0; i < boxes; i++) {
        fr_plan_box box = {{0, 0, 0}, {0, 0, 0}};
        for (int a = 0; a < 3; a++) {
            int32_t edge = 1 + (int32_t)fr_random_below(&random, 3);
            int32_t least = a == 0 ? 11 : 0, most = a == 0 ? 21 : 32;
            box.low[a] = least + (int32_t)fr_random_below(&random, (uint64_t)(most - least - edge));
            box.high[a] = box.low[a] + edge;
        }
        put(world, i, box, 1, fr_vec3_make(0.0, 0.0, 0.0));
    }
    return world;
}

static void run_clutter(bench *b) {
    fr_plan_world *world = make_clutter(40);
    fr_plan_robot *robot = make_robot(w2_robot, W2_ROBOT, 3, 1, true, NULL);
    fr_plan_cells_input input = w2_question(world, robot, 1);
    bench_count(b, "nodes", (double)fr_octree_count(fr_plan_world_octree(world)).black);
    while (bench_repeat(b)) {
        fr_cell_path path = plan(&input);
        bench_pause(b);
        if (!path.is_found) { fail("no path in clutter"); }
        count_path(b, &path);
        fr_cell_path_destroy(&path);
    }
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

// An obstacle moves: its cells, the world's tree, the field and the plan are made anew.
static void run_replan(bench *b) {
    fr_plan_world *world = make_w2(1);
    fr_plan_box box = {{14, 12, 12}, {18, 16, 16}};
    put(world, 100, box, 1, fr_vec3_make(0.0, 0.0, 0.0));
    fr_plan_robot *robot = make_robot(w2_robot, W2_ROBOT, 3, 1, true, NULL);
    fr_plan_cells_input input = w2_question(world, robot, 1);
    fr_plan_field_def field_def = fr_default_plan_field_def();
    fr_plan_field *field;
    if (fr_plan_field_create(&field_def, world, &field, NULL) != FR_OK) { fail("no field"); }
    double at = 0.0;
    while (bench_repeat(b)) {
        at = at == 0.0 ? 6.0 : 0.0;
        put(world, 100, box, 1, fr_vec3_make(0.0, at, 0.0));
        if (fr_plan_field_update(field, world, false, NULL) != FR_OK) { fail("no update"); }
        fr_cell_path path = plan(&input);
        bench_pause(b);
        if (!path.is_found) { fail("no path after a move"); }
        count_path(b, &path);
        fr_cell_path_destroy(&path);
    }
    fr_plan_field_destroy(field);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

// ---------------------------------------------------------------------------------------------------------------
// Agents in the plane

static const fr_plan_box bar_5 = {{-2, -1, 0}, {3, 2, 1}}, bar_11 = {{-5, -1, 0}, {6, 2, 1}};

static fr_plan_world *make_trap(void) {
    static const fr_plan_box walls[3] = {
        {{34, 16, 0}, {38, 48, 1}}, {{24, 16, 0}, {38, 20, 1}}, {{24, 44, 0}, {38, 48, 1}}};
    fr_plan_world *world = make_world(2, 6);
    for (uint32_t i = 0; i < 3; i++) {
        put(world, i, walls[i], 1, fr_vec3_make(0.0, 0.0, 0.0));
    }
    return world;
}

static fr_plan_agent *make_agent(const fr_plan_world *world, const fr_plan_robot *robot, fr_plan_method method,
                                 fr_plan_place start, fr_plan_place goal) {
    fr_plan_agent_def def = fr_default_plan_agent_def();
    def.world = world;
    def.robot = robot;
    def.method = method;
    def.start = start;
    def.goal = goal;
    fr_plan_agent *agent;
    if (fr_plan_agent_create(&def, &agent, NULL) != FR_OK) { fail("no agent"); }
    return agent;
}

static fr_plan_event tick(fr_plan_agent *agent) {
    fr_plan_event event;
    if (fr_plan_agent_tick(agent, &event, NULL) != FR_OK) { fail("no tick"); }
    return event;
}

// Ticks after the first, which makes the wavefront.
static void run_trap(bench *b, fr_plan_method method) {
    fr_plan_world *world = make_trap();
    fr_plan_robot *robot = make_robot(&bar_5, 1, 2, 1, false, NULL);
    fr_plan_place start = {{14.5, 32.5, 0.0}, {0.0, 0.0, 0.0}}, goal = {{52.5, 32.5, 0.0}, {0.0, 0.0, 0.0}};
    for (bool is_on = true; is_on;) {
        fr_plan_agent *agent = make_agent(world, robot, method, start, goal);
        tick(agent);
        is_on = bench_repeat(b);
        uint32_t ticks = 0;
        while (is_on && tick(agent) != FR_PLAN_GOAL) {
            ticks++;
        }
        bench_pause(b);
        if (is_on) {
            bench_count(b, "ticks", (double)ticks + 1.0);
            bench_items(b, (double)ticks);
        }
        fr_plan_agent_destroy(agent);
    }
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

static void run_trap_rta(bench *b) { run_trap(b, FR_PLAN_RTA); }
static void run_trap_lrta(bench *b) { run_trap(b, FR_PLAN_LRTA); }

static fr_plan_world *make_slit(void) {
    fr_plan_world *world = make_world(2, 6);
    put(world, 0, (fr_plan_box){{30, 0, 0}, {36, 28, 1}}, 1, fr_vec3_make(0.0, 0.0, 0.0));
    put(world, 1, (fr_plan_box){{30, 36, 0}, {36, 64, 1}}, 1, fr_vec3_make(0.0, 0.0, 0.0));
    return world;
}

// Before the slit of S1K an obstacle goes up and down and shuts the way that was planned: the tick that sees it, by a
// plan made anew and by one mended.
static void run_change(bench *b, fr_plan_method method) {
    fr_plan_world *world = make_slit();
    fr_plan_robot *robot = make_robot(&bar_11, 1, 2, 1, false, NULL);
    fr_plan_place start = {{6.5, 32.5, 0.0}, {0.0, 0.0, 90.0}}, goal = {{56.5, 32.5, 0.0}, {0.0, 0.0, 0.0}};
    fr_plan_box box = {{14, 26, 0}, {16, 44, 1}};
    put(world, 50, box, 1, fr_vec3_make(0.0, 0.0, 0.0));
    fr_plan_agent *agent = make_agent(world, robot, method, start, goal);
    tick(agent);
    double at = 0.0;
    uint32_t ticks = 0;
    fr_plan_agent_stats stats = {0};
    while (bench_repeat(b)) {
        at = at == 0.0 ? -5.0 : 0.0;
        put(world, 50, box, 1, fr_vec3_make(0.0, at, 0.0));
        tick(agent);
        bench_pause(b);
        stats = fr_plan_agent_get_stats(agent);
        // Begins anew before it is past the obstacle.
        if (++ticks == 4) {
            fr_plan_agent_destroy(agent);
            agent = make_agent(world, robot, method, start, goal);
            tick(agent);
            ticks = 0;
        }
    }
    bench_count(b, "changes", (double)stats.changes);
    bench_count(b, "plans", (double)stats.plans);
    bench_count(b, "repairs", (double)stats.repairs);
    bench_count(b, "expanded", (double)stats.expanded);
    fr_plan_agent_destroy(agent);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

static void run_change_astar(bench *b) { run_change(b, FR_PLAN_ASTAR); }
static void run_change_dstar(bench *b) { run_change(b, FR_PLAN_DSTAR); }

static void run_team(bench *b) {
    fr_plan_world *world = make_slit();
    fr_plan_robot *robot = make_robot(&bar_11, 1, 2, 1, false, NULL);
    const double ends[4][4] = {{12, 30, 52, 32}, {52, 32, 12, 30}, {12, 48, 52, 12}, {52, 48, 12, 12}};
    fr_plan_member members[4];
    for (int i = 0; i < 4; i++) {
        members[i] = (fr_plan_member){robot,
                                      {{ends[i][0] + 0.5, ends[i][1] + 0.5, 0.0}, {0.0, 0.0, 90.0}},
                                      {{ends[i][2] + 0.5, ends[i][3] + 0.5, 0.0}, {0.0, 0.0, 0.0}},
                                      true};
    }
    fr_plan_team_input input = fr_default_plan_team_input();
    input.world = world;
    input.members = members;
    input.member_count = 4;
    while (bench_repeat(b)) {
        fr_plan_team team;
        if (fr_plan_team_find(&input, &team, NULL) != FR_OK || !team.is_found) { fail("no team"); }
        bench_pause(b);
        bench_count(b, "ticks", (double)team.ticks);
        bench_count(b, "orders", (double)team.orders);
        bench_count(b, "expanded", (double)team.expanded);
        fr_plan_team_destroy(&team);
    }
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"masks", run_masks},
        {"w2_weight_2", run_w2_weight_2},
        {"w2_optimal", run_w2_optimal},
        {"w2_depth_6", run_w2_depth_6},
        {"w2_depth_7", run_w2_depth_7},
        {"clutter", run_clutter},
        {"replan", run_replan},
        {"trap_rta", run_trap_rta},
        {"trap_lrta", run_trap_lrta},
        {"change_astar", run_change_astar},
        {"change_dstar", run_change_dstar},
        {"team", run_team},
    };
    return bench_main(argc, argv, "fureai", "plan_cells", cases, sizeof cases / sizeof cases[0]);
}

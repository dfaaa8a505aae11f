// Path planning among cells: a bar must turn to pass a slit in a wall. First the field about the wall, then a path that
// is proven free and checked once more, then the same with a plug in the slit that goes away while the bar waits.
#include "fureai/plan.h"

#include <stdio.h>

static int fail(const fr_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

// A box of cells x0 .. x1 - 1 by y0 .. y1 - 1, moved up.
static fr_status put(fr_plan_world *world, uint64_t key, int32_t x0, int32_t y0, int32_t x1, int32_t y1, double up,
                     fr_error *error) {
    fr_plan_box box = {{x0, y0, 0}, {x1, y1, 1}};
    fr_plan_shape shape = {&box, 1, {0.0, 0.0, 0.0}};
    fr_plan_place place = {{0.0, up, 0.0}, {0.0, 0.0, 0.0}};
    return fr_plan_world_set(world, key, &shape, &place, error);
}

// Ticks until the goal; the plug goes away at tick 30.
static int follow(fr_plan_world *world, const fr_plan_agent_def *def, fr_plan_agent_stats *stats, fr_error *error) {
    fr_plan_agent *agent;
    if (fr_plan_agent_create(def, &agent, error) != FR_OK) { return -1; }
    int ticks = 0;
    fr_plan_event event = FR_PLAN_WAIT;
    for (; event != FR_PLAN_GOAL && ticks < 1000; ticks++) {
        if (ticks == 30 && put(world, 2, 28, 26, 30, 39, -20.0, error) != FR_OK) { break; }
        if (fr_plan_agent_tick(agent, &event, error) != FR_OK) { break; }
    }
    *stats = fr_plan_agent_get_stats(agent);
    fr_plan_agent_destroy(agent);
    return event == FR_PLAN_GOAL ? ticks : -1;
}

// The potential: obstacles repel, the goal attracts.
static fr_status print_potential(const fr_plan_world *world, fr_vec3 goal, fr_error *error) {
    fr_plan_field_def def = fr_default_plan_field_def();
    fr_plan_field *field;
    fr_status status = fr_plan_field_create(&def, world, &field, error);
    if (status != FR_OK) { return status; }
    fr_plan_field_set_goal(field, goal, NULL);
    printf("P: %.1f in the wall, %.1f beside it, %.1f in the slit\n", fr_plan_field_at(field, 32, 10, 0),
           fr_plan_field_at(field, 29, 10, 0), fr_plan_field_at(field, 32, 32, 0));
    fr_plan_field_destroy(field);
    return FR_OK;
}

int main(void) {
    // 64 x 64 cells, a wall with a slit of 5.
    fr_error error;
    fr_plan_world_def world_def = fr_default_plan_world_def();
    world_def.dimension = 2;
    world_def.depth = 6;
    fr_plan_world *world;
    if (fr_plan_world_create(&world_def, &world, &error) != FR_OK) { return fail(&error); }
    if (put(world, 0, 30, 0, 36, 30, 0.0, &error) != FR_OK || put(world, 1, 30, 35, 36, 64, 0.0, &error) != FR_OK) {
        return fail(&error);
    }
    fr_plan_place start = {{10.5, 30.5, 0.5}, {0.0, 0.0, 90.0}}, goal = {{52.5, 32.5, 0.5}, {0.0, 0.0, 0.0}};
    if (print_potential(world, goal.position, &error) != FR_OK) { return fail(&error); }

    // A bar of 11 x 3 that stands upright.
    static const fr_plan_box bar = {{-5, -1, 0}, {6, 2, 1}};
    fr_plan_robot_def robot_def = fr_default_plan_robot_def();
    robot_def.dimension = 2;
    robot_def.shape = (fr_plan_shape){&bar, 1, {0.5, 0.5, 0.5}};
    fr_plan_robot *robot;
    if (fr_plan_robot_create(&robot_def, &robot, &error) != FR_OK) { return fail(&error); }
    fr_plan_cells_input input = fr_default_plan_cells_input();
    input.world = world;
    input.robot = robot;
    input.start = start;
    input.goal = goal;
    fr_cell_path path;
    if (fr_plan_cells(&input, &path, &error) != FR_OK) { return fail(&error); }
    printf("path: %s, %u states, %.0f cells, %u turns, %s\n", path.is_found ? "found" : "none", path.state_count,
           path.length, path.turns, path.is_checked ? "proven free" : "not proven");

    // The checker knows nothing of how the path came about.
    fr_plan_check_input check_input = fr_default_plan_check_input();
    check_input.world = world;
    check_input.shape = &robot_def.shape;
    check_input.states = path.states;
    check_input.state_count = path.state_count;
    fr_plan_check_output check;
    if (fr_plan_check_cells(&check_input, &check, &error) != FR_OK) { return fail(&error); }
    printf("check: %s in %llu samples\n", check.is_free ? "free" : "collides", (unsigned long long)check.samples);
    fr_cell_path_destroy(&path);

    // With a plug before the slit there is no path until it goes.
    if (put(world, 2, 28, 26, 30, 39, 0.0, &error) != FR_OK) { return fail(&error); }
    fr_plan_agent_def agent_def = fr_default_plan_agent_def();
    agent_def.world = world;
    agent_def.robot = robot;
    agent_def.start = start;
    agent_def.goal = goal;
    fr_plan_agent_stats stats;
    int ticks = follow(world, &agent_def, &stats, &error);
    if (ticks < 0) { return fail(&error); }
    printf("agent: there after %d ticks, %llu of them waiting, %llu turning\n", ticks, (unsigned long long)stats.waits,
           (unsigned long long)stats.turns);
    fr_plan_robot_destroy(robot);
    fr_plan_world_destroy(world);
    return 0;
}

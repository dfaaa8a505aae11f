// The collision queries of a tick.
#include "world/sense.h"

#include "world/world.h"

#include <string.h>

static fr_collide_input collide_input(const fr_world *world, const fr__tick *tick) {
    fr_collide_input input = fr_default_collide_input();
    input.space = world->space;
    input.budget = world->budget;
    input.tasks = tick->input->tasks;
    input.control = tick->input->control;
    input.exchange = tick->input->exchange;
    input.is_containment_wanted = true;
    return input;
}

// The query has no margin: a touch begins when faces meet.
fr_status fr__sense_step(fr_world *world, fr__tick *tick, fr_error *error) {
    memset(&world->step_result, 0, sizeof world->step_result);
    if (world->sense != FR_SENSE_CONTINUOUS) { return FR_OK; }
    uint64_t start = fr_clock_ns();
    fr_status status = fr_space_update(world->space, tick->input->tasks, error);
    if (status != FR_OK) { return status; }
    fr_collide_input input = collide_input(world, tick);
    input.want = FR_WANT_INTERVALS;
    status = fr_collide_continuous(world->step_collide, &input, &world->step_result, error);
    tick->stats.ms_collide_step += 1e-6 * (double)(fr_clock_ns() - start);
    tick->stats.collide_step = world->step_result.stats;
    return status;
}

fr_status fr__sense_poses(fr_world *world, fr__tick *tick, fr_error *error) {
    uint64_t start = fr_clock_ns();
    memset(&world->pose_result, 0, sizeof world->pose_result);
    fr_status status = fr_space_update(world->space, tick->input->tasks, error);
    uint64_t updated = fr_clock_ns();
    tick->stats.ms_update = 1e-6 * (double)(updated - start);
    if (status != FR_OK) { return status; }
    fr_collide_input input = collide_input(world, tick);
    input.want = world->want;
    input.margin = world->margin;
    status = fr_collide_static(world->collide, &input, &world->pose_result, error);
    tick->stats.ms_collide = 1e-6 * (double)(fr_clock_ns() - updated);
    tick->stats.collide = world->pose_result.stats;
    return status;
}

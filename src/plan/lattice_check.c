// The checks of a planning input, made before anything is searched.
#include "plan/lattice.h"

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for checking start and goal");
}

static fr_status check_number(double x, double min, double max, const char *what, fr_error *error) {
    if (!isfinite(x)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "%s is not finite", what); }
    if (x >= min && x <= max) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "%s is %g; %g .. %g are known", what, x, min, max);
}

static fr_status check_inside(const fr_plan_world *world, const fr_plan_place *place, const char *what,
                              fr_error *error) {
    fr_plan_world_def def = fr_plan_world_get_def(world);
    double size = (double)((uint32_t)1 << def.depth);
    const double p[3] = {place->position.x, place->position.y, def.dimension == 2 ? 0.0 : place->position.z};
    for (int a = 0; a < 3; a++) {
        if (p[a] >= 0.0 && p[a] < size) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the %s is out of bounds: %c is %g, the world is 0 .. %g", what,
                            "xyz"[a], p[a], size);
    }
    return FR_OK;
}

static fr_status say_collision(const char *what, const int32_t cell[3], bool is_plane, fr_error *error) {
    if (is_plane) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the %s is in collision with cell (%d, %d)", what, (int)cell[0],
                            (int)cell[1]);
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the %s is in collision with cell (%d, %d, %d)", what, (int)cell[0],
                        (int)cell[1], (int)cell[2]);
}

fr_status fr__plan_check_end(const fr_plan_world *world, const fr_plan_robot *robot, const fr_plan_place *place,
                             const char *what, fr_error *error) {
    fr_status status = check_inside(world, place, what, error);
    if (status != FR_OK) { return status; }
    fr__plan_bits bits = fr__plan_world_bits(world);
    int32_t cell[3];
    switch (fr__plan_prove_place(&bits, robot, place, 0.0, cell)) {
    case FR__PLAN_FREE: return FR_OK;
    case FR__PLAN_PROOF_NO_MEMORY: return no_memory(error);
    default: return say_collision(what, cell, robot->dimension == 2, error);
    }
}

fr_status fr__plan_check_goal_cell(const fr_plan_world *world, const fr_plan_robot *robot, const fr_plan_place *goal,
                                   fr_error *error) {
    fr_status status = check_inside(world, goal, "goal", error);
    if (status != FR_OK) { return status; }
    fr__plan_bits bits = fr__plan_world_bits(world);
    fr_plan_place at = fr__plan_tidy_place(robot->dimension, *goal);
    int32_t first[3] = {0, 0, 0};
    bool is_middle = at.position.x - floor(at.position.x) == 0.5 && at.position.y - floor(at.position.y) == 0.5 &&
                     (robot->dimension == 2 || at.position.z - floor(at.position.z) == 0.5);
    const int32_t cell[3] = {(int32_t)floor(at.position.x), (int32_t)floor(at.position.y),
                             (int32_t)floor(at.position.z)};
    for (uint32_t o = 0; o < robot->orientation_count; o++) {
        if (is_middle) {
            const fr__plan_mask *mask = fr__plan_robot_mask(robot, fr__plan_stand_slot(robot, o));
            if (mask == NULL) { return no_memory(error); }
            if (fr__plan_mask_is_free(mask, &bits, cell)) { return FR_OK; }
            if (o > 0) { continue; }
        }
        at.turn_deg = fr__plan_orientation_turn(robot, o);
        int32_t met[3];
        switch (fr__plan_prove_place(&bits, robot, &at, 0.0, o == 0 ? first : met)) {
        case FR__PLAN_FREE: return FR_OK;
        case FR__PLAN_PROOF_NO_MEMORY: return no_memory(error);
        default: break;
        }
    }
    return say_collision("goal", first, robot->dimension == 2, error);
}

static fr_status check_sizes(const fr_plan_cells_input *input, fr_error *error) {
    fr_plan_world_def def = fr_plan_world_get_def(input->world);
    const fr_plan_robot *robot = input->robot;
    if (def.dimension != robot->dimension) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a robot of %d dimensions in a world of %d", robot->dimension,
                            def.dimension);
    }
    // However it is turned, a robot has as many cells as it has, and no orientation makes its smallest side longer.
    bool is_exact;
    uint32_t orientation = fr__plan_orientation_near(robot, input->start.turn_deg, &is_exact);
    const fr__plan_mask *mask = fr__plan_robot_mask(robot, fr__plan_stand_slot(robot, orientation));
    if (mask == NULL) { return no_memory(error); }
    int32_t size = (int32_t)1 << def.depth;
    for (int a = 0; a < def.dimension; a++) {
        if (mask->high[a] - mask->low[a] <= size) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the robot is larger than the world: %d cells along %c, not %d",
                            (int)(mask->high[a] - mask->low[a]), "xyz"[a], (int)size);
    }
    uint32_t max_depth = def.dimension == 2 ? FR_PLAN_MAX_DEPTH_2D : FR_PLAN_MAX_DEPTH;
    if (input->is_finer_cells && def.depth >= max_depth) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "cells of depth %u cannot be made finer", (unsigned)def.depth);
    }
    uint32_t max_quarter = def.dimension == 2 ? FR__PLAN_MAX_QUARTER_2D : FR__PLAN_MAX_QUARTER;
    if (input->is_finer_turn && 2 * robot->quarter > max_quarter) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "steps of %g degrees cannot be made finer", robot->alpha_deg);
    }
    return FR_OK;
}

fr_status fr__plan_check_query(const fr_plan_cells_input *input, fr_error *error) {
    fr_status status = check_number(input->weight, 1.0, 1000.0, "the weight", error);
    if (status == FR_OK) { status = check_number(input->turn_cost, 0.0, 1e6, "the cost of a turn", error); }
    if (status == FR_OK) { status = check_number(input->field_cost, 0.0, 1e6, "the cost of the field", error); }
    if (status == FR_OK) { status = fr__plan_check_place(&input->start, error); }
    if (status == FR_OK) { status = fr__plan_check_place(&input->goal, error); }
    if (status == FR_OK) { status = check_sizes(input, error); }
    if (status == FR_OK) { status = fr__plan_check_end(input->world, input->robot, &input->start, "start", error); }
    if (status != FR_OK) { return status; }
    return input->is_goal_turn_any ? fr__plan_check_goal_cell(input->world, input->robot, &input->goal, error)
                                   : fr__plan_check_end(input->world, input->robot, &input->goal, "goal", error);
}

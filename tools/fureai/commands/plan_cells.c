// Planning among cells as the command plan does it: the searches of room scene, and the sources' own.
#include "plan_cells.h"

#include "plan/faithful/leaf_climb.h"
#include "plan/faithful/leaf_search.h"

#include <math.h>
#include <string.h>

// A climb in a world that stands still ends after this many ticks at the latest.
#define STILL_TICKS 100000

// ---------------------------------------------------------------------------------------------------------------
// Searches of the sources

static fr_leaf_input leaf_input(const fr_scene_cells *cells, const fr_scene_plan *plan) {
    fr_leaf_input input = fr_default_leaf_input();
    input.world = fr_scene_cells_world(cells);
    input.robot = fr_scene_cells_robot(cells);
    input.start = fr_scene_cells_place(cells, &plan->start);
    input.goal = fr_scene_cells_place(cells, &plan->goal);
    input.alpha_deg = plan->alpha_deg;
    input.threshold = plan->threshold;
    input.pmax = plan->pmax;
    input.attraction = plan->attraction;
    input.is_swept = plan->is_swept;
    return input;
}

static fr_status search_leaves(const fr_scene_cells *cells, const fr_scene_plan *plan, fr_path *out,
                               fr_scene_cells_result *result, fr_error *error) {
    fr_leaf_input input = leaf_input(cells, plan);
    fr_leaf_result found;
    fr_status status = fr_leaf_search_run(&input, &found, error);
    if (status != FR_OK) { return status; }
    const fr_cell_path *path = &found.path;
    out->is_found = path->is_found;
    out->is_checked = path->is_found && path->is_checked;
    result->is_exhausted = path->is_exhausted;
    result->expanded = path->expanded;
    result->tested = path->tested;
    if (path->is_found) { status = fr_scene_cells_path(cells, path->states, path->state_count, out, error); }
    out->nodes = found.nodes;
    fr_leaf_result_free(&found);
    return status;
}

static bool add_state(fr_array *states, fr_plan_place place, uint32_t tick) {
    fr_plan_state *state = fr_array_push(states, 1);
    if (state != NULL) { *state = (fr_plan_state){place, tick}; }
    return state != NULL;
}

static fr_status climb(tool *t, const fr_scene *scene, fr_scene_cells *cells, fr_path *out,
                       fr_scene_cells_result *result, fr_error *error) {
    const fr_scene_view *view = fr_scene_get(scene);
    fr_leaf_input input = leaf_input(cells, &view->plans[0]);
    fr_leaf_climber *climber;
    fr_status status = fr_leaf_climber_create(&input, FR_CLIMB_VISITED, &climber, error);
    if (status != FR_OK) { return status; }
    fr_array states = fr_array_make(sizeof(fr_plan_state), NULL);
    bool is_moving = fr_scene_cells_is_moving(cells), is_stuck = false, has_memory = add_state(&states, input.start, 0);
    uint32_t steps = !is_moving && view->steps < STILL_TICKS ? STILL_TICKS : view->steps;
    for (uint32_t k = 0; k < steps && status == FR_OK && has_memory && !out->is_found && !is_stuck; k++) {
        fr_climb_result event = FR_CLIMB_WAITED;
        if (k > 0 && k <= view->steps) { status = fr_scene_cells_observe(cells, k, error); }
        if (status == FR_OK) { status = fr_leaf_climber_step(climber, &event, error); }
        out->is_found = event == FR_CLIMB_AT_GOAL;
        is_stuck = (event == FR_CLIMB_WAITED && !is_moving) || fr_control_is_stopped(&t->control);
        result->waits += event == FR_CLIMB_WAITED ? 1 : 0;
        result->ticks = k + 1;
        has_memory = add_state(&states, fr_leaf_climber_place(climber), k + 1);
    }
    if (!has_memory) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path"); }
    out->is_partial = fr_control_is_stopped(&t->control);
    if (status == FR_OK) { status = fr_scene_cells_path(cells, states.data, (uint32_t)states.count, out, error); }
    fr_leaf_climber_destroy(climber);
    fr_array_destroy(&states);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// All searches

static fr_status search(tool *t, const fr_scene *scene, fr_scene_cells *cells, fr_path *paths,
                        fr_scene_cells_result *result, fr_error *error) {
    const fr_scene_view *view = fr_scene_get(scene);
    fr_scene_plan_search kind = view->plans[0].search;
    fr_tasks tasks;
    fr_status status = tool_tasks(t, &tasks, error);
    if (status != FR_OK) { return status; }
    if (view->plan_count > 1) { return fr_scene_cells_find_team(cells, &tasks, &t->control, paths, result, error); }
    bool is_faithful = kind == FR_SCENE_SEARCH_BEST || kind == FR_SCENE_SEARCH_HILL;
    if (!is_faithful) { return fr_scene_cells_find(cells, &tasks, &t->control, paths, result, error); }
    uint64_t begin = fr_clock_ns();
    status = kind == FR_SCENE_SEARCH_BEST ? search_leaves(cells, &view->plans[0], paths, result, error)
                                          : climb(t, scene, cells, paths, result, error);
    paths->search_ms = fr_clock_ms_since(begin);
    paths->moves = result->tested;
    paths->nodes = paths->nodes > 0 ? paths->nodes : (uint32_t)fmin((double)result->expanded, 4e9);
    if (status != FR_OK) { fr_path_destroy(paths); }
    return status;
}

static exit_status failed(tool *t, fr_error *error) {
    if (error->status == FR_ERROR_MEMORY || error->status == FR_ERROR_STOPPED) { return tool_failed(t, error); }
    if (error->path[0] == '\0') { fr_error_locate(error, t->arguments[0], 0, 0); }
    return tool_bad_input(t, error);
}

exit_status plan_cells_run(tool *t, const scene_file *file, fr_path *paths, fr_scene_cells_result *result) {
    fr_error error = {0};
    memset(paths, 0, fr_scene_get(file->scene)->plan_count * sizeof *paths);
    memset(result, 0, sizeof *result);
    fr_scene_cells_input input = fr_default_scene_cells_input();
    input.scene = file->scene;
    input.space = file->space;
    input.ids = file->ids;
    fr_scene_cells *cells = NULL;
    uint64_t begin = fr_clock_ns();
    fr_status status = fr_scene_cells_create(&input, &cells, &error);
    double field_ms = fr_clock_ms_since(begin);
    if (status == FR_OK) { status = search(t, file->scene, cells, paths, result, &error); }
    paths[0].field_ms = field_ms;
    fr_scene_cells_destroy(cells);
    return status == FR_OK ? EXIT_STATUS_DONE : failed(t, &error);
}

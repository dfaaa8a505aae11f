// The command plan: a collision-free path, or the check of one.
#include "commands.h"
#include "output_file.h"
#include "picture_request.h"
#include "plan_problem.h"
#include "tool.h"

#include "plan/faithful/leaf_climb.h"
#include "plan/faithful/leaf_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHADOWS 24        // of the body along its path, in a picture
#define MOTION_SHADOWS 16 // of an obstacle along its motion

// A problem and its result.
typedef struct trip {
    plan_problem problem;
    fr_path path;           // planned, the first robot's,
    fr_ompl_path read_path; // or read
    const fr_pose *states;  // of either
    const double *times;    // of a path in time; else NULL
    uint32_t state_count;
    bool has_motions;           // something moves
    fr_path_run run;            // of a search among faces that move
    fr_path_check_output check; // of a path that was read
    bool is_check;
    fr_path *team; // of several robots, a path each; NULL: there is one
    uint32_t team_count;
    fr_scene_cells_result cells; // of a search among cells
    bool is_cells;
    double clearance;
    double total_ms;
} trip;

// ---------------------------------------------------------------------------------------------------------------
// Planning among cells: the searches of room scene, and the sources' own

// A climb in a world that stands still ends after this many ticks at the latest.
#define STILL_TICKS 100000

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
    out->outcome = path->is_found ? FR_PATH_FOUND : FR_PATH_NOT_FOUND; // mode k leaves paths out
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
    out->outcome = out->is_found ? FR_PATH_FOUND : FR_PATH_NOT_FOUND;
    if (status == FR_OK) { status = fr_scene_cells_path(cells, states.data, (uint32_t)states.count, out, error); }
    fr_leaf_climber_destroy(climber);
    fr_array_destroy(&states);
    return status;
}

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

static exit_status cells_failed(tool *t, fr_error *error) {
    if (error->status == FR_ERROR_MEMORY || error->status == FR_ERROR_STOPPED) { return tool_failed(t, error); }
    if (error->path[0] == '\0') { fr_error_locate(error, t->arguments[0], 0, 0); }
    return tool_bad_input(t, error);
}

// Plans as the scene's plans say: one path for each, of which `paths` has room. Anything but DONE: return it, there is
// nothing to free.
static exit_status run_cells(tool *t, const scene_file *file, fr_path *paths, fr_scene_cells_result *result) {
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
    return status == FR_OK ? EXIT_STATUS_DONE : cells_failed(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// The query

static fr_path_objective objective_of(const tool *t) {
    const char *name = options_string(&t->options, "wish");
    if (strcmp(name, "shortest") == 0) { return FR_PATH_SHORTEST; }
    if (strcmp(name, "clearest") == 0) { return FR_PATH_CLEAREST; }
    return strcmp(name, "fewest-turns") == 0 ? FR_PATH_FEWEST_TURNS : FR_PATH_FIRST;
}

static void read_wishes(tool *t, fr_path_input *q) {
    const options *o = &t->options;
    if (options_given(o, "margin")) { q->margin = options_number(o, "margin"); }
    if (options_given(o, "seed")) { q->seed = (uint64_t)options_int(o, "seed"); }
    if (options_given(o, "depth")) { q->depth = (uint32_t)options_int(o, "depth"); }
    if (options_flag(o, "any-rotation")) { q->is_goal_turn_any = true; }
    if (options_given(o, "wish")) { q->objective = objective_of(t); }
    q->max_moves = (uint64_t)options_int(o, "moves");
    q->control = &t->control;
}

static exit_status measure_clearance(tool *t, trip *p, bool is_proven) {
    fr_error error = {0};
    fr_path_input q = p->problem.query;
    double max = fmax(fr_vec3_largest(fr_vec3_sub(q.bounds.max, q.bounds.min)), 1e-300);
    if (p->times != NULL) { q.obstacles = fr_path_problem_motions(p->problem.made, &q.obstacle_count); }
    fr_status status =
        p->times == NULL
            ? fr_plan_path_clearance(&q, p->states, p->state_count, max, &p->clearance, &error)
            : fr_plan_timed_path_clearance(&q, p->states, p->times, p->state_count, max, &p->clearance, &error);
    // What was queried is proven; the measurement is rounded down
    if (is_proven) { p->clearance = fmax(p->clearance, q.margin); }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

// Several robots go together, tick by tick.
static exit_status plan_team(tool *t, trip *p, const fr_scene_plan *plans, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (plans[i].search == FR_SCENE_SEARCH_ASTAR) { continue; }
        return tool_wrong_usage(t, "several robots go among cells: let each 'search' be 'astar'");
    }
    p->team = calloc(count, sizeof *p->team);
    if (p->team == NULL) {
        fr_error error = {0};
        fr_error_set(&error, FR_ERROR_MEMORY, "no memory for the robots");
        return tool_failed(t, &error);
    }
    p->team_count = count;
    exit_status status = run_cells(t, &p->problem.scene, p->team, &p->cells);
    if (status != EXIT_STATUS_DONE) { return status; }
    p->path = p->team[0];
    memset(&p->team[0], 0, sizeof p->team[0]);
    return EXIT_STATUS_DONE;
}

static exit_status plan_among_cells(tool *t, trip *p, const fr_scene_plan *plans, uint32_t count) {
    uint64_t begin = fr_clock_ns();
    p->is_cells = true;
    exit_status status =
        count > 1 ? plan_team(t, p, plans, count) : run_cells(t, &p->problem.scene, &p->path, &p->cells);
    p->total_ms = fr_clock_ms_since(begin);
    p->states = p->path.states;
    p->state_count = p->path.state_count;
    return status;
}

static exit_status plan(tool *t, trip *p) {
    uint32_t count;
    const fr_scene_plan *plans = plan_problem_plans(&p->problem, &count);
    if (count > 1 || (count == 1 && plans[0].search != FR_SCENE_SEARCH_FACES)) {
        return plan_among_cells(t, p, plans, count);
    }
    fr_error error = {0};
    uint64_t begin = fr_clock_ns();
    const scene_file *file = &p->problem.scene;
    fr_status status = file->scene == NULL ? fr_plan_path(&p->problem.query, &p->path, &error)
                                           : fr_scene_find_path(file->scene, p->problem.made, &p->problem.query,
                                                                file->space, file->ids, &p->path, &p->run, &error);
    p->total_ms = fr_clock_ms_since(begin);
    if (status == FR_ERROR_ARGUMENT || status == FR_ERROR_NOT_FINITE) {
        fr_error_locate(&error, t->arguments[0], 0, 0);
        return tool_bad_input(t, &error);
    }
    if (status != FR_OK) { return tool_failed(t, &error); }
    p->states = p->path.states;
    p->times = p->path.times;
    p->state_count = p->path.state_count;
    return p->path.is_found ? measure_clearance(t, p, p->path.is_checked) : EXIT_STATUS_DONE;
}

static exit_status check(tool *t, trip *p) {
    exit_status result = plan_problem_read_path(t, &p->problem, options_string(&t->options, "check"), &p->read_path);
    if (result != EXIT_STATUS_DONE) { return result; }
    fr_error error = {0};
    uint64_t begin = fr_clock_ns();
    p->states = p->read_path.states;
    p->times = p->read_path.times;
    p->state_count = p->read_path.state_count;
    fr_path_input query = p->problem.query;
    query.obstacles = fr_path_problem_motions(p->problem.made, &query.obstacle_count);
    p->has_motions = query.obstacle_count > 0;
    fr_status status = p->times != NULL
                           ? fr_plan_check_timed_path(&query, p->states, p->times, p->state_count, &p->check, &error)
                           : fr_plan_check_path(&query, p->states, p->state_count, &p->check, &error);
    p->total_ms = fr_clock_ms_since(begin);
    if (status != FR_OK) { return tool_failed(t, &error); }
    return p->check.is_valid ? measure_clearance(t, p, true) : EXIT_STATUS_DONE;
}

// ---------------------------------------------------------------------------------------------------------------
// The result

static void print_contact(tool *t, const fr_contact *c) {
    tool_print(t, " triangle %u of the body meets triangle %u (face %u) at ", c->triangle_a, c->triangle_b, c->face_b);
    tool_print_point(t, c->point);
    tool_print(t, "\n");
}

static void print_cells(tool *t, const trip *p) {
    const fr_path *w = &p->path;
    if (!w->is_found) {
        tool_print(t,
                   p->cells.is_exhausted ? "no path at this resolution: nothing is left to search" : "no path found");
    } else {
        tool_print(t, "a path of %u states, %s long, %u turns, %s", w->state_count, tool_length(w->length).text,
                   w->turns, w->is_checked ? "proven free among the cells" : "not proven");
    }
    if (p->cells.ticks > 0) { tool_print(t, "; %u ticks, %u of them waiting", p->cells.ticks, p->cells.waits); }
    if (p->cells.max_ticks > 0 && !w->is_found) { tool_print(t, "; at most %u", p->cells.max_ticks); }
    tool_print(t, "\n%llu states looked at, %llu poses tested; robot %.2f ms, world %.2f ms, search %.2f ms\n",
               (unsigned long long)p->cells.expanded, (unsigned long long)p->cells.tested, p->cells.robot_ms,
               w->field_ms, w->search_ms);
}

static void print_times(tool *t, const trip *p) {
    tool_print(t, "from %g s to %g s, %g s of them waiting", tool_plain(p->times[0]),
               tool_plain(p->times[p->state_count - 1]), tool_plain(p->path.waiting));
    if (p->run.is_driven) {
        tool_print(t, "; motions were seen, not known: %llu plans in between", (unsigned long long)p->run.replans);
    }
    tool_print(t, "\n");
}

static void print_path(tool *t, const trip *p) {
    const fr_path *w = &p->path;
    if (p->is_cells) {
        print_cells(t, p);
        return;
    }
    if (w->is_blocked) {
        tool_print(t, "no path: the %s is not free:", w->is_goal_blocked ? "goal" : "start");
        print_contact(t, &w->blocked);
        return;
    }
    if (w->outcome == FR_PATH_IMPOSSIBLE) {
        tool_print(t, "no path: proven impossible, a ball in the body cannot pass\n");
    }
    if (w->outcome == FR_PATH_NONE_AT_RESOLUTION) {
        tool_print(
            t,
            "no path at this resolution: %llu states of a lattice of cells of %g m and turns of %g degrees have none\n",
            (unsigned long long)w->cells, w->cell_edge, fr_degrees(w->cell_turn));
    }
    if (w->outcome == FR_PATH_NOT_FOUND) {
        tool_print(t, "no path found in %llu motions%s; there may still be one\n", (unsigned long long)w->moves,
                   w->is_partial       ? ", stopped"
                   : p->run.is_overrun ? ", something ran into the body"
                                       : "");
    }
    if (!w->is_found) { return; }
    tool_print(t, "a path of %u states, %s long, %g degrees of turning in %u motions, %s%s\n", w->state_count,
               tool_length(w->length).text, tool_plain(fr_degrees(w->turning)), w->turns,
               w->is_checked ? "proven free" : "not proven", w->is_timed ? " in time, against all that moves" : "");
    if (w->is_timed) { print_times(t, p); }
    tool_print(
        t, "nothing nearer than %s; %llu motions checked, %u nodes; field %.2f ms, search %.2f ms, all %.2f ms\n",
        tool_length(p->clearance).text, (unsigned long long)w->moves, w->nodes, w->field_ms, w->search_ms, p->total_ms);
}

static void print_check(tool *t, const trip *p) {
    const fr_path_check_output *c = &p->check;
    if (c->is_valid) {
        tool_print(t, "free%s: %u states, %s long, %g degrees of turning, nothing nearer than %s; %.2f ms\n",
                   p->times != NULL ? " in time"
                   : p->has_motions ? ", with everything taken at time 0"
                                    : "",
                   p->state_count, tool_length(c->length).text, tool_plain(fr_degrees(c->turning)),
                   tool_length(p->clearance).text, p->total_ms);
    } else if (c->is_outside_bounds || c->is_too_fast) {
        tool_print(t, "not free: between states %u and %u it %s\n", c->motion, c->motion + 1,
                   c->is_too_fast ? "is faster than the problem allows" : "leaves the bounds");
    } else {
        tool_print(t, "not free: between states %u and %u, at %g of the motion,", c->motion, c->motion + 1,
                   tool_plain(c->time));
        print_contact(t, &c->contact);
    }
}

static void write_contact(fr_json_writer *j, const char *key, const fr_contact *c) {
    const double point[3] = {c->point.x, c->point.y, c->point.z};
    fr_json_write_key(j, key);
    fr_json_write_object(j);
    json_fields(j, "triangle_a", c->triangle_a, "triangle_b", c->triangle_b, "face_b", c->face_b);
    fr_json_write_numbers_field(j, "point", point, 3);
    fr_json_write_object_end(j);
}

static void write_states(fr_json_writer *j, const fr_pose *states, const double *times, uint32_t count) {
    fr_json_write_key(j, "states");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < count; i++) {
        const fr_pose *s = &states[i];
        const double position[3] = {s->position.x, s->position.y, s->position.z};
        const double rotation[4] = {s->rotation.w, s->rotation.x, s->rotation.y, s->rotation.z};
        fr_json_write_object(j);
        if (times != NULL) { json_fields(j, "t", times[i]); }
        fr_json_write_numbers_field(j, "position", position, 3);
        fr_json_write_numbers_field(j, "rotation", rotation, 4);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

// The objects of a scene with motions that no search knows.
static void write_taken_at_start(fr_json_writer *j, const scene_file *file) {
    const fr_scene_view *view = file->scene != NULL ? fr_scene_get(file->scene) : NULL;
    fr_json_write_key(j, "taken_at_start");
    fr_json_write_array(j);
    for (uint32_t i = 0; view != NULL && i < view->object_count; i++) {
        if (!fr_scene_is_taken_at_start(file->scene, file->player, i)) { continue; }
        fr_json_write_string(j, view->objects[i].name);
    }
    fr_json_write_array_end(j);
}

static void write_cells(fr_json_writer *j, const trip *p) {
    json_fields(j, "exhausted", p->cells.is_exhausted, "expanded", p->cells.expanded, "tested", p->cells.tested,
                "ticks", p->cells.ticks, "waits", p->cells.waits, "max_ticks", p->cells.max_ticks);
    if (p->team == NULL) { return; }
    fr_json_write_key(j, "others");
    fr_json_write_array(j);
    for (uint32_t i = 1; i < p->team_count; i++) {
        fr_json_write_object(j);
        fr_json_write_bool_field(j, "found", p->team[i].is_found);
        write_states(j, p->team[i].states, NULL, p->team[i].state_count);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_document(fr_json_writer *j, const trip *p) {
    static const char *const outcomes[] = {[FR_PATH_FOUND] = "found",
                                           [FR_PATH_NOT_FOUND] = "not-found",
                                           [FR_PATH_NONE_AT_RESOLUTION] = "none-at-resolution",
                                           [FR_PATH_IMPOSSIBLE] = "impossible"};
    const fr_path *w = &p->path;
    fr_json_write_object(j);
    json_fields(j, "found", (bool)(p->is_check || w->is_found), "checked",
                (bool)(p->is_check ? p->check.is_valid : w->is_checked), "length",
                p->is_check ? p->check.length : w->length, "turning_deg",
                fr_degrees(p->is_check ? p->check.turning : w->turning), "rotations",
                p->is_check ? p->check.turns : w->turns, "clearance", p->clearance, "timed",
                (bool)(p->times != NULL || w->is_timed));
    if (w->is_blocked) {
        fr_json_write_string_field(j, "blocked", w->is_goal_blocked ? "goal" : "start");
        write_contact(j, "contact", &w->blocked);
    }
    if (p->is_check && !p->check.is_valid) {
        json_fields(j, "motion", p->check.motion, "time", p->check.time, "leaves_bounds", p->check.is_outside_bounds,
                    "too_fast", p->check.is_too_fast);
        if (!p->check.is_outside_bounds && !p->check.is_too_fast) { write_contact(j, "contact", &p->check.contact); }
    }
    if (!p->is_check) {
        fr_json_write_string_field(j, "outcome", outcomes[w->outcome]);
        if (w->cells > 0) {
            json_fields(j, "cells", w->cells, "cell_edge", w->cell_edge, "cell_turn_deg", fr_degrees(w->cell_turn));
        }
        json_fields(j, "partial", w->is_partial, "moves", w->moves, "nodes", w->nodes);
        if (w->is_timed) { json_fields(j, "waiting", w->waiting, "seen", p->run.is_driven, "replans", p->run.replans); }
        write_states(j, p->states, p->times, p->state_count);
    }
    write_taken_at_start(j, &p->problem.scene);
    if (p->is_cells) { write_cells(j, p); }
    fr_json_write_key(j, "ms");
    fr_json_write_object(j);
    json_fields(j, "robot", p->cells.robot_ms, "field", w->field_ms, "search", w->search_ms, "total", p->total_ms);
    fr_json_write_object_end(j);
    fr_json_write_object_end(j);
}

// As OMPL's own programs read it.
static exit_status write_path(tool *t, const trip *p, const char *path) {
    fr_error error = {0};
    fr_output_file out;
    fr_status status = output_file_open(&out, path, &error);
    for (uint32_t i = 0; i < p->state_count && status == FR_OK; i++) {
        const fr_pose *s = &p->states[i];
        const fr_quat *q = &s->rotation;
        if (p->times != NULL) { fr_output_file_print(&out, "%.17g ", p->times[i]); }
        if (plan_problem_dimension(&p->problem) == 2) {
            fr_output_file_print(&out, "%.17g %.17g %.17g\n", s->position.x, s->position.y, 2.0 * atan2(q->z, q->w));
        } else {
            fr_output_file_print(&out, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", s->position.x, s->position.y,
                                 s->position.z, q->x, q->y, q->z, q->w);
        }
    }
    if (status == FR_OK) { status = fr_output_file_commit(&out, &error); }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// What is drawn: obstacles, the line of the pivot, and the body here and there

static void draw_space(const fr_draw *draw, const plan_problem *p, fr_color color) {
    const fr_space *space = p->query.space;
    const fr_object_id robot = p->query.filter != NULL ? p->query.filter->ignore : (fr_object_id){0, 0, 0};
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        if (fr_object_id_equal(id, robot)) { continue; }
        const fr_object_view *view = fr_object_get(space, id);
        for (uint32_t k = 0; view != NULL && k < view->triangle_count; k++) {
            fr_vec3 corners[3];
            if (fr_object_corners(space, id, k, corners, NULL) == FR_OK) { fr_triangle_draw(corners, draw, color); }
        }
    }
}

// Where obstacles come along their motions, lightly.
static void draw_motions(const fr_draw *draw, const plan_problem *p, fr_color color) {
    uint32_t count;
    const fr_path_obstacle *motions = fr_path_problem_motions(p->made, &count);
    for (uint32_t i = 0; i < count * MOTION_SHADOWS; i++) {
        const fr_path_obstacle *o = &motions[i / MOTION_SHADOWS];
        const fr_object_view *view = fr_object_get(p->query.space, o->object);
        double at = (double)(i % MOTION_SHADOWS) / MOTION_SHADOWS * (double)(o->sample_count - 1);
        uint32_t first = (uint32_t)at, next = first + 1 < o->sample_count ? first + 1 : first;
        fr_motion motion = fr_motion_between(&o->samples[first].pose, &o->samples[next].pose, view->pivot_local);
        fr_pose pose = fr_motion_pose(&motion, at - (double)first);
        pose.scale = view->pose.scale;
        for (uint32_t k = 0; k < view->part_count; k++) {
            fr_part_view part = fr_object_part(p->query.space, o->object, k);
            const fr_part_def def = {part.mesh, part.pose};
            fr_parts_draw(&def, 1, &pose, draw, color);
        }
    }
}

static void draw_trip(picture *image, const trip *p) {
    static const fr_color wall = {170, 170, 180, 90}, line = {200, 60, 40, 255}, shadow = {70, 130, 200, 110};
    static const fr_color moving = {200, 150, 60, 24};
    static const fr_color start = {60, 160, 80, 255}, goal = {200, 60, 40, 255};
    fr_draw draw = picture_draw(image);
    draw_space(&draw, &p->problem, wall);
    draw_motions(&draw, &p->problem, moving);
    for (uint32_t i = 0; i + 1 < p->state_count; i++) {
        fr_vec3 a = p->states[i].position, b = p->states[i + 1].position;
        const double points[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
        fr_draw_lines(&draw, points, 1, line, 2.0);
    }
    for (uint32_t i = 1; p->state_count > 1 && i < SHADOWS; i++) {
        double at = (double)i / SHADOWS * (double)(p->state_count - 1);
        uint32_t first = (uint32_t)at;
        fr_motion motion = fr_motion_between(&p->states[first], &p->states[first + 1], p->problem.query.pivot_local);
        fr_pose pose = fr_motion_pose(&motion, at - (double)first);
        fr_parts_draw(p->problem.query.parts, p->problem.query.part_count, &pose, &draw, shadow);
    }
    fr_parts_draw(p->problem.query.parts, p->problem.query.part_count, &p->problem.query.start, &draw, start);
    fr_parts_draw(p->problem.query.parts, p->problem.query.part_count, &p->problem.query.goal, &draw, goal);
    picture_legend(image, start, "start");
    picture_legend(image, goal, "goal");
    picture_legend(image, shadow, "along the path");
}

// ---------------------------------------------------------------------------------------------------------------
// The command

static exit_status report(tool *t, trip *p, picture **image) {
    exit_status status = EXIT_STATUS_DONE;
    bool is_stopped = !p->is_check && p->path.is_partial;
    // A path that is not proven replaces no file.
    if (*image != NULL && !is_stopped) {
        draw_trip(*image, p);
        status = picture_request_end(t, *image);
        *image = NULL;
    }
    const char *out = options_string(&t->options, "out");
    if (status == EXIT_STATUS_DONE && out != NULL && p->state_count > 0 && !is_stopped) {
        status = write_path(t, p, out);
    }
    if (status != EXIT_STATUS_DONE) { return status; }
    if (p->is_check) {
        print_check(t, p);
    } else {
        print_path(t, p);
    }
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { write_document(j, p); }
    if (p->is_check && !p->check.is_valid) { return EXIT_STATUS_CLASH; }
    return is_stopped ? tool_stopped(t) : EXIT_STATUS_DONE;
}

static exit_status run(tool *t) {
    trip p;
    memset(&p, 0, sizeof p);
    p.is_check = options_given(&t->options, "check");
    picture *image = NULL;
    exit_status status = picture_request_begin(t, t->arguments[0], &image);
    if (status != EXIT_STATUS_DONE) { return status; }
    status = plan_problem_open(t, t->arguments[0], &p.problem);
    if (status == EXIT_STATUS_DONE) {
        read_wishes(t, &p.problem.query);
        status = p.is_check ? check(t, &p) : plan(t, &p);
        if (status == EXIT_STATUS_DONE) { status = report(t, &p, &image); }
        fr_path_destroy(&p.path);
        for (uint32_t i = 0; i < p.team_count; i++) {
            fr_path_destroy(&p.team[i]);
        }
        free(p.team);
        fr_ompl_path_destroy(&p.read_path);
        plan_problem_close(&p.problem);
    }
    picture_destroy(image);
    return status;
}

static const argument arguments[] = {
    {.name = "PROBLEM", .help = "A scene with a plan (.json, docs/scene.md), or a problem of OMPL.app (.cfg)."}};

static const option options_table[] = {
    STRING_OPTION("check", "PATH", NULL,
                  "Prove this path (rows of x y z qx qy qz qw, in the plane of x y yaw; with a time before each, in "
                  "time) instead of planning one; exit status 4 when it fails."),
    CHOICE_OPTION(
        "wish", "WISH", "first,shortest,clearest,fewest-turns", NULL,
        "What kind of path: the first there is, or one that was made shorter, kept away from everything, or made "
        "to turn less; what the scene says unless given."),
    NUMBER_OPTION("margin", "D", NULL, 0, 1e15,
                  "Keep at least this many metres from everything; the scene's unless given."),
    FLAG_OPTION("any-rotation", "At the goal any rotation will do."),
    INT_OPTION("seed", "S", NULL, 0, 1e15, "The same seed gives the same path; 1 unless given."),
    INT_OPTION("depth", "D", NULL, 2, FR_PATH_MAX_DEPTH,
               "Depth of the field of cells that leads the search; 5 unless given."),
    INT_OPTION("moves", "N", "300000", 1, 1e12, "Motions to ask before giving up."),
    OUTPUT_OPTION("out", "FILE", "Also write the states as a path file."),
    PICTURE_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai plan demos/window.json", .does = "Finds a path and proves it."},
    {.line = "fureai plan demos/window.json --wish shortest --out short.path --picture path.png",
     .does = "A shorter one, as a file and a picture."},
    {.line = "fureai plan demos/window.json --check short.path", .does = "Proves a path, or reports where it fails."},
};

const command command_plan = {
    .name = "plan",
    .summary = "finds a collision-free path for a body of any shape",
    .description =
        "Looks for a path from start to goal: a list of poses between which the body moves straight and turns evenly. "
        "Every motion of the result is proven free over its whole course, faces against faces; none is sampled.\n\n"
        "Where objects of a scene move, the path is planned in time: its states carry times, the body waits or goes "
        "round, and every motion is proven against what moves meanwhile. Motions that are 'known' are used from the "
        "start; others are seen when they come, and the body plans again while it goes. Models that move by themselves "
        "and what joints carry are taken at time 0; they are named.\n\n"
        "Tick by tick (RTA*, LRTA*, D*, or cells where objects move) a run ends 100,000 ticks after the scene's last "
        "step at the latest: 'max_ticks' of the document.\n\n"
        "No path is one of three results: none found within --moves; none at this resolution, when a lattice of poses "
        "was searched to its end; proven impossible. Ctrl-C ends it with status 1: a path that is there by then is "
        "reported, but not proven, and no file is written.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

#include "plan_cells.h"

#include "plan/faithful/leaf_climb.h"
#include "plan/faithful/leaf_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A plan with everything of cells.
typedef struct cells {
    const scene_file *file;
    const fr_scene *scene;
    const fr_scene_plan *plan;
    double edge; // of a cell
    fr_plan_world *world;
    fr_octree_builder *builder;
    fr_octree *tree, *joined; // of one part, of one object
    fr_array boxes;           // fr_plan_box of a robot that is a model
    fr_plan_shape shape;      // of the robot
    fr_plan_robot *robot;
    fr_array states; // fr_plan_state
    fr_error *error;
} cells;

// ---------------------------------------------------------------------------------------------------------------
// Between metres and cells

static fr_vec3 turn_deg_of(fr_quat rotation, int dimension) {
    fr_mat3 m = fr_quat_to_mat3(rotation);
    if (dimension == 2) { return fr_vec3_make(0.0, 0.0, fr_degrees(atan2(m.row[1].x, m.row[0].x))); }
    double b = asin(fmin(fmax(-m.row[2].x, -1.0), 1.0));
    fr_vec3 out = {atan2(m.row[2].y, m.row[2].z), b, atan2(m.row[1].x, m.row[0].x)};
    if (fabs(m.row[2].x) > 1.0 - 1e-12) { out = fr_vec3_make(0.0, b, atan2(-m.row[0].y, m.row[1].y)); }
    return fr_vec3_make(fr_degrees(out.x), fr_degrees(out.y), fr_degrees(out.z));
}

// Angles that a multiple of 1e-9 degrees is near to are that: a grid of angles is met exactly.
static double rounded(double degrees) {
    double whole = round(degrees * 1e6) / 1e6;
    return fabs(whole - degrees) < 1e-9 ? whole : degrees;
}

static fr_plan_place place_of(const cells *c, const fr_pose *pose) {
    fr_vec3 p = fr_vec3_scale(1.0 / c->edge, fr_vec3_sub(pose->position, c->plan->bounds.min));
    fr_vec3 t = turn_deg_of(pose->rotation, c->plan->dimension);
    if (c->plan->dimension == 2) { p.z = 0.5; }
    return (fr_plan_place){p, fr_vec3_make(rounded(t.x), rounded(t.y), rounded(t.z))};
}

static fr_pose pose_of(const cells *c, const fr_plan_place *place) {
    const fr_vec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
    fr_quat rx = fr_quat_from_axis_angle(x, fr_radians(place->turn_deg.x));
    fr_quat ry = fr_quat_from_axis_angle(y, fr_radians(place->turn_deg.y));
    fr_quat rz = fr_quat_from_axis_angle(z, fr_radians(place->turn_deg.z));
    fr_pose pose = fr_pose_identity();
    pose.position = fr_vec3_add_scaled(c->plan->bounds.min, c->edge, place->position);
    if (c->plan->dimension == 2) { pose.position.z = c->plan->start.position.z; }
    pose.rotation = fr_quat_multiply(rz, fr_quat_multiply(ry, rx));
    return pose;
}

// ---------------------------------------------------------------------------------------------------------------
// What stands in the way

static bool is_robot(const cells *c, uint32_t object) {
    const fr_scene_view *view = fr_scene_get(c->scene);
    for (uint32_t i = 0; i < view->plan_count; i++) {
        if (view->plans[i].robot == object) { return true; }
    }
    return false;
}

// An object of cells, from where its cells are given to where it stands.
static fr_status set_boxes(cells *c, uint32_t index, const fr_scene_object *object, const fr_pose *pose) {
    const fr_plan_shape shape = {object->boxes, object->box_count, object->cell_pivot};
    fr_plan_place place = place_of(c, pose);
    place.position = fr_vec3_sub(place.position, object->cell_pivot);
    return fr_plan_world_set(c->world, index, &shape, &place, c->error);
}

static fr_status set_meshes(cells *c, uint32_t index, const fr_pose *pose) {
    fr_object_id id = c->file->ids[index];
    uint32_t parts = fr_object_get(c->file->space, id)->part_count;
    fr_octree_clear(c->joined, FR_CELL_WHITE);
    for (uint32_t i = 0; i < parts; i++) {
        fr_part_view part = fr_object_part(c->file->space, id, i);
        fr_pose placed = fr_pose_compose(pose, &part.pose);
        fr_octree_mesh input = fr_default_octree_mesh();
        input.mesh = part.mesh;
        input.pose = &placed;
        input.clip = true;
        fr_status status = fr_octree_build(c->builder, &input, c->tree, c->error);
        if (status != FR_OK) { return status; }
        (void)fr_octree_combine(FR_OCTREE_UNION, c->joined, c->tree, c->joined);
    }
    return fr_plan_world_set_cells(c->world, index, c->joined, c->error);
}

// Puts every object where it is observed at t_K; only those that have moved are looked at again.
static fr_status observe(cells *c, uint32_t k) {
    const fr_scene_view *view = fr_scene_get(c->scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        if (is_robot(c, i)) { continue; }
        fr_pose pose = fr_scene_pose(c->scene, i, k);
        if (k > 0) {
            fr_pose before = fr_scene_pose(c->scene, i, k - 1);
            if (memcmp(&pose, &before, sizeof pose) == 0) { continue; }
        }
        fr_status status =
            view->objects[i].boxes != NULL ? set_boxes(c, i, &view->objects[i], &pose) : set_meshes(c, i, &pose);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static bool anything_moves(const cells *c) {
    const fr_scene_view *view = fr_scene_get(c->scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        const fr_scene_object *o = &view->objects[i];
        if (is_robot(c, i) || o->is_static) { continue; }
        if (o->path_count > 1 || fr_vec3_length(o->velocity) > 0.0 || fr_vec3_length(o->angular_velocity) > 0.0) {
            return true;
        }
    }
    return false;
}

static fr_status make_world(cells *c) {
    const fr_scene_plan *plan = c->plan;
    fr_plan_world_def def = fr_default_plan_world_def();
    def.dimension = plan->dimension;
    def.depth = plan->depth;
    def.rule = plan->rule;
    def.margin = (uint32_t)fmin(ceil(plan->margin / c->edge), 64.0);
    fr_octree_def tree = fr_default_octree_def();
    tree.dimension = plan->dimension;
    tree.depth = plan->depth;
    tree.min = plan->bounds.min;
    tree.edge = c->edge * (double)(UINT32_C(1) << plan->depth);
    fr_status status = fr_plan_world_create(&def, &c->world, c->error);
    if (status == FR_OK) { status = fr_octree_builder_create(NULL, &c->builder, c->error); }
    if (status == FR_OK) { status = fr_octree_create(&tree, &c->tree, c->error); }
    if (status == FR_OK) { status = fr_octree_create(&tree, &c->joined, c->error); }
    return status == FR_OK ? observe(c, 0) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// The robot

static bool add_leaf(const fr_cell *cell, void *context) {
    int32_t side = (int32_t)(UINT32_C(1) << cell->level), x = (int32_t)cell->x, y = (int32_t)cell->y,
            z = (int32_t)cell->z;
    fr_plan_box *box = fr_array_push(context, 1);
    if (box == NULL) { return false; }
    *box = (fr_plan_box){{x, y, z}, {x + side, y + side, z + side}};
    return true;
}

// A robot that is a model becomes cells about its origin, which lies in the middle of one.
static fr_status shape_of_meshes(cells *c, uint32_t depth) {
    fr_object_id id = c->file->ids[c->plan->robot];
    const fr_object_view *view = fr_object_get(c->file->space, id);
    double size = (double)(UINT32_C(1) << depth);
    fr_octree_def def = fr_default_octree_def();
    def.depth = depth;
    def.edge = size * c->edge;
    double low = -(0.5 * size + 0.5) * c->edge;
    def.min = fr_vec3_make(low, low, low);
    fr_octree *tree = NULL, *joined = NULL;
    fr_status status = fr_octree_create(&def, &tree, c->error);
    if (status == FR_OK) { status = fr_octree_create(&def, &joined, c->error); }
    for (uint32_t i = 0; i < view->part_count && status == FR_OK; i++) {
        fr_part_view part = fr_object_part(c->file->space, id, i);
        fr_pose pose = part.pose;
        pose.scale *= view->pose.scale;
        pose.position = fr_vec3_scale(view->pose.scale, pose.position);
        fr_octree_mesh input = fr_default_octree_mesh();
        input.mesh = part.mesh;
        input.pose = &pose;
        status = fr_octree_build(c->builder, &input, tree, c->error);
        if (status == FR_OK) { (void)fr_octree_combine(FR_OCTREE_UNION, joined, tree, joined); }
    }
    if (status == FR_OK && !fr_octree_leaves(joined, FR_CELL_BLACK, add_leaf, &c->boxes)) {
        status = fr_error_set(c->error, FR_ERROR_MEMORY, "no memory for the robot's cells");
    }
    fr_octree_destroy(tree);
    fr_octree_destroy(joined);
    double middle = 0.5 * size + 0.5;
    c->shape = (fr_plan_shape){c->boxes.data, (uint32_t)c->boxes.count, fr_vec3_make(middle, middle, middle)};
    return status;
}

static fr_status make_shape(cells *c) {
    const fr_scene_object *object = &fr_scene_get(c->scene)->objects[c->plan->robot];
    if (object->boxes != NULL) {
        c->shape = (fr_plan_shape){object->boxes, object->box_count, object->cell_pivot};
        return FR_OK;
    }
    if (c->plan->dimension == 2) {
        return fr_error_set(c->error, FR_ERROR_UNSUPPORTED,
                            "among cells in the plane a robot is made of 'boxes' or 'rows'; models go by 'faces'");
    }
    fr_status status = FR_ERROR_LIMIT;
    for (uint32_t depth = 2; depth <= FR_PLAN_MAX_DEPTH && status == FR_ERROR_LIMIT; depth++) {
        c->boxes.count = 0;
        status = shape_of_meshes(c, depth);
    }
    if (status == FR_ERROR_LIMIT) { fr_error_set(c->error, status, "the robot is larger than the world"); }
    return status;
}

static fr_status make_robot(tool *t, cells *c, plan_cells_answer *answer) {
    fr_plan_robot_def def = fr_default_plan_robot_def();
    fr_tasks tasks;
    uint64_t begin = fr_clock_ns();
    fr_status status = tool_tasks(t, &tasks, c->error);
    def.shape = c->shape;
    def.dimension = c->plan->dimension;
    def.alpha_deg = c->plan->alpha_deg;
    def.tasks = &tasks;
    if (status == FR_OK) { status = fr_plan_robot_create(&def, &c->robot, c->error); }
    answer->robot_ms = fr_clock_ms_since(begin);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Searches

static fr_status add_state(cells *c, const fr_plan_place *place, uint32_t tick) {
    fr_plan_state *state = fr_array_push(&c->states, 1);
    if (state == NULL) { return fr_error_set(c->error, FR_ERROR_MEMORY, "no memory for the path"); }
    *state = (fr_plan_state){*place, tick};
    return FR_OK;
}

static fr_status take_path(cells *c, const fr_cell_path *path, fr_path *out, plan_cells_answer *answer) {
    out->is_found = path->is_found;
    out->is_checked = path->is_found && path->is_checked;
    answer->is_exhausted = path->is_exhausted;
    answer->expanded = path->expanded;
    answer->tested = path->tested;
    fr_status status = FR_OK;
    for (uint32_t i = 0; path->is_found && i < path->state_count && status == FR_OK; i++) {
        status = add_state(c, &path->states[i].place, path->states[i].tick);
    }
    return status;
}

static fr_status search_lattice(tool *t, cells *c, fr_path *out, plan_cells_answer *answer) {
    fr_plan_cells_input input = fr_default_plan_cells_input();
    input.world = c->world;
    input.robot = c->robot;
    input.start = place_of(c, &c->plan->start);
    input.goal = place_of(c, &c->plan->goal);
    input.is_goal_turn_any = c->plan->is_goal_turn_any;
    input.weight = c->plan->weight;
    input.turn_cost = c->plan->turn_cost;
    input.field_cost = c->plan->field_cost;
    input.control = t->control;
    fr_cell_path path;
    fr_status status = fr_plan_cells(&input, &path, c->error);
    if (status != FR_OK) { return status; }
    status = take_path(c, &path, out, answer);
    fr_cell_path_free(&path);
    return status;
}

// A robot among things that move: what the scene holds at t_K is what it sees at tick K.
static fr_status run_agent(tool *t, cells *c, fr_path *out, plan_cells_answer *answer) {
    static const fr_plan_method methods[] = {[FR_SCENE_SEARCH_ASTAR] = FR_PLAN_ASTAR,
                                             [FR_SCENE_SEARCH_RTA] = FR_PLAN_RTA,
                                             [FR_SCENE_SEARCH_LRTA] = FR_PLAN_LRTA,
                                             [FR_SCENE_SEARCH_DSTAR] = FR_PLAN_DSTAR};
    fr_plan_agent_def def = fr_default_plan_agent_def();
    def.world = c->world;
    def.robot = c->robot;
    def.start = place_of(c, &c->plan->start);
    def.goal = place_of(c, &c->plan->goal);
    def.is_goal_turn_any = c->plan->is_goal_turn_any;
    def.method = methods[c->plan->search];
    def.weight = c->plan->weight;
    def.turn_cost = c->plan->turn_cost;
    def.control = t->control;
    fr_plan_agent *agent;
    fr_status status = fr_plan_agent_create(&def, &agent, c->error);
    if (status != FR_OK) { return status; }
    uint32_t steps = fr_scene_get(c->scene)->steps;
    if (!anything_moves(c) && steps < 100000) { steps = 100000; }
    status = add_state(c, &def.start, 0);
    bool was_overrun = false;
    for (uint32_t k = 0; k < steps && status == FR_OK && !out->is_found && !fr_control_stop(&t->control); k++) {
        fr_plan_event event = FR_PLAN_WAIT;
        if (k > 0 && k <= fr_scene_get(c->scene)->steps) { status = observe(c, k); }
        if (status == FR_OK) { status = fr_plan_agent_tick(agent, &event, c->error); }
        out->is_found = event == FR_PLAN_GOAL;
        was_overrun = was_overrun || event == FR_PLAN_OVERRUN;
        answer->waits += event == FR_PLAN_WAIT ? 1 : 0;
        answer->ticks = k + 1;
        fr_plan_state state = fr_plan_agent_state(agent);
        if (status == FR_OK && !out->is_found) { status = add_state(c, &state.place, k + 1); }
    }
    fr_plan_agent_stats stats = fr_plan_agent_get_stats(agent);
    answer->expanded = stats.expanded;
    answer->tested = stats.tested;
    out->is_checked = out->is_found && !was_overrun;
    out->is_partial = fr_control_stop(&t->control);
    fr_plan_agent_destroy(agent);
    return status;
}

static fr_leaf_input leaf_input(const cells *c) {
    fr_leaf_input input = fr_default_leaf_input();
    input.world = c->world;
    input.robot = c->shape;
    input.start = place_of(c, &c->plan->start);
    input.goal = place_of(c, &c->plan->goal);
    input.alpha_deg = c->plan->alpha_deg;
    input.threshold = c->plan->threshold;
    input.pmax = c->plan->pmax;
    input.attraction = c->plan->attraction;
    input.is_swept = c->plan->is_swept;
    return input;
}

static fr_status search_leaves(cells *c, fr_path *out, plan_cells_answer *answer) {
    fr_leaf_input input = leaf_input(c);
    fr_leaf_result result;
    fr_status status = fr_leaf_search_run(&input, &result, c->error);
    if (status != FR_OK) { return status; }
    status = take_path(c, &result.path, out, answer);
    out->nodes = result.nodes;
    fr_leaf_result_free(&result);
    return status;
}

static fr_status climb(tool *t, cells *c, fr_path *out, plan_cells_answer *answer) {
    fr_leaf_input input = leaf_input(c);
    fr_leaf_climber *climber;
    fr_status status = fr_leaf_climber_create(&input, FR_CLIMB_VISITED, &climber, c->error);
    if (status != FR_OK) { return status; }
    status = add_state(c, &input.start, 0);
    uint32_t steps = fr_scene_get(c->scene)->steps;
    if (!anything_moves(c) && steps < 100000) { steps = 100000; }
    bool is_stuck = false;
    for (uint32_t k = 0; k < steps && status == FR_OK && !out->is_found && !is_stuck; k++) {
        fr_climb_result event = FR_CLIMB_WAITED;
        if (k > 0 && k <= fr_scene_get(c->scene)->steps) { status = observe(c, k); }
        if (status == FR_OK) { status = fr_leaf_climber_step(climber, &event, c->error); }
        out->is_found = event == FR_CLIMB_AT_GOAL;
        is_stuck = (event == FR_CLIMB_WAITED && !anything_moves(c)) || fr_control_stop(&t->control);
        answer->waits += event == FR_CLIMB_WAITED ? 1 : 0;
        answer->ticks = k + 1;
        fr_plan_place place = fr_leaf_climber_place(climber);
        if (status == FR_OK) { status = add_state(c, &place, k + 1); }
    }
    out->is_partial = fr_control_stop(&t->control);
    fr_leaf_climber_destroy(climber);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static fr_status give_states(cells *c, fr_path *out) {
    out->state_count = (uint32_t)c->states.count;
    out->allocator = fr_default_allocator();
    if (!out->is_found || out->state_count == 0) {
        out->state_count = 0;
        return FR_OK;
    }
    out->states = fr_allocate(&out->allocator, out->state_count, sizeof *out->states, 16);
    if (out->states == NULL) {
        out->state_count = 0;
        return fr_error_set(c->error, FR_ERROR_MEMORY, "no memory for the path");
    }
    const fr_plan_state *states = c->states.data;
    for (uint32_t i = 0; i < out->state_count; i++) {
        out->states[i] = pose_of(c, &states[i].place);
        if (i == 0) { continue; }
        fr_motion m = fr_motion_between(&out->states[i - 1], &out->states[i], fr_vec3_make(0.0, 0.0, 0.0));
        double turn = fr_vec3_length(m.turn);
        out->length += fr_vec3_length(m.travel);
        out->turning += turn;
        out->turns += turn > 1e-9 ? 1 : 0;
    }
    return FR_OK;
}

static fr_status search(tool *t, cells *c, fr_path *out, plan_cells_answer *answer) {
    fr_scene_plan_search kind = c->plan->search;
    if (kind == FR_SCENE_SEARCH_BEST) { return search_leaves(c, out, answer); }
    if (kind == FR_SCENE_SEARCH_HILL) { return climb(t, c, out, answer); }
    fr_status status = make_robot(t, c, answer);
    if (status != FR_OK) { return status; }
    bool is_still = kind == FR_SCENE_SEARCH_ASTAR && !anything_moves(c);
    return is_still ? search_lattice(t, c, out, answer) : run_agent(t, c, out, answer);
}

static void begin_cells(const scene_file *file, uint32_t index, fr_error *error, cells *c) {
    *c = (cells){.file = file, .scene = file->scene, .error = error};
    c->plan = &fr_scene_get(file->scene)->plans[index];
    c->edge = fr_scene_cell_edge(file->scene);
    c->boxes = fr_array_make(sizeof(fr_plan_box), NULL);
    c->states = fr_array_make(sizeof(fr_plan_state), NULL);
}

static void end_cells(cells *c) {
    fr_plan_robot_destroy(c->robot);
    fr_plan_world_destroy(c->world);
    fr_octree_builder_destroy(c->builder);
    fr_octree_destroy(c->tree);
    fr_octree_destroy(c->joined);
    fr_array_free(&c->boxes);
    fr_array_free(&c->states);
}

static exit_status failed(tool *t, fr_error *error) {
    if (error->status == FR_ERROR_MEMORY || error->status == FR_ERROR_STOPPED) { return tool_failed(t, error); }
    if (error->path[0] == '\0') { fr_error_locate(error, t->arguments[0], 0, 0); }
    return tool_bad_input(t, error);
}

exit_status plan_cells_run(tool *t, const scene_file *file, fr_path *out, plan_cells_answer *answer) {
    fr_error error = {0};
    cells c;
    memset(out, 0, sizeof *out);
    memset(answer, 0, sizeof *answer);
    begin_cells(file, 0, &error, &c);
    uint64_t begin = fr_clock_ns();
    fr_status status = make_world(&c);
    if (status == FR_OK) { status = make_shape(&c); }
    out->field_ms = fr_clock_ms_since(begin);
    begin = fr_clock_ns();
    if (status == FR_OK) { status = search(t, &c, out, answer); }
    out->search_ms = fr_clock_ms_since(begin) - answer->robot_ms;
    if (status == FR_OK) { status = give_states(&c, out); }
    out->moves = answer->tested;
    out->nodes = out->nodes > 0 ? out->nodes : (uint32_t)fmin((double)answer->expanded, 4e9);
    end_cells(&c);
    if (status == FR_OK) { return EXIT_STATUS_DONE; }
    fr_path_free(out);
    return failed(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// Several robots

// The robots of all plans, in the first one's world.
static fr_status make_team(tool *t, cells *members, uint32_t count, fr_plan_member *out, plan_cells_answer *answer) {
    for (uint32_t i = 0; i < count; i++) {
        cells *c = &members[i];
        if (i > 0) { c->builder = members[0].builder; }
        fr_status status = make_shape(c);
        double before = answer->robot_ms;
        if (status == FR_OK) { status = make_robot(t, c, answer); }
        answer->robot_ms += before;
        c->builder = i > 0 ? NULL : c->builder;
        if (status != FR_OK) { return status; }
        out[i] = (fr_plan_member){c->robot, place_of(c, &c->plan->start), place_of(c, &c->plan->goal),
                                  c->plan->is_goal_turn_any};
    }
    return FR_OK;
}

static fr_status find_team(tool *t, cells *members, uint32_t count, fr_path *paths, plan_cells_answer *answer) {
    fr_plan_member team[FR_SCENE_MAX_PLANS];
    fr_status status = make_team(t, members, count, team, answer);
    if (status != FR_OK) { return status; }
    fr_plan_team_input input = fr_default_plan_team_input();
    input.world = members[0].world;
    input.members = team;
    input.member_count = count;
    input.weight = members[0].plan->weight;
    input.turn_cost = members[0].plan->turn_cost;
    input.seed = members[0].plan->seed;
    input.control = t->control;
    fr_plan_team found;
    status = fr_plan_team_find(&input, &found, members[0].error);
    if (status != FR_OK) { return status; }
    answer->ticks = found.ticks;
    for (uint32_t i = 0; i < count && status == FR_OK && found.is_found; i++) {
        plan_cells_answer own = {0};
        status = take_path(&members[i], &found.paths[i], &paths[i], &own);
        if (status == FR_OK) { status = give_states(&members[i], &paths[i]); }
    }
    answer->is_exhausted = found.is_exhausted;
    answer->expanded = found.expanded;
    fr_plan_team_free(&found);
    return status;
}

exit_status plan_cells_team(tool *t, const scene_file *file, fr_path *paths, plan_cells_answer *answer) {
    fr_error error = {0};
    uint32_t count = fr_scene_get(file->scene)->plan_count;
    memset(paths, 0, count * sizeof *paths);
    memset(answer, 0, sizeof *answer);
    cells members[FR_SCENE_MAX_PLANS];
    for (uint32_t i = 0; i < count; i++) {
        begin_cells(file, i, &error, &members[i]);
    }
    uint64_t begin = fr_clock_ns();
    fr_status status = make_world(&members[0]);
    paths[0].field_ms = fr_clock_ms_since(begin);
    begin = fr_clock_ns();
    if (status == FR_OK) { status = find_team(t, members, count, paths, answer); }
    paths[0].search_ms = fr_clock_ms_since(begin) - answer->robot_ms;
    for (uint32_t i = 0; i < count; i++) {
        end_cells(&members[i]);
        if (status != FR_OK) { fr_path_free(&paths[i]); }
    }
    return status == FR_OK ? EXIT_STATUS_DONE : failed(t, &error);
}

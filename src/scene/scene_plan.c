// Reads the planning problems of a scene, and objects made of cells.
#include "scene/scene_reader.h"

#include <string.h>

enum { MAX_CELL = 4096 };

// ---------------------------------------------------------------------------------------------------------------
// Cells

static bool add_box(fr__scene_reader *r, fr_json_value token, const fr_plan_box *box, fr_scene_object *object) {
    if (object->box_count == FR_SCENE_MAX_BOXES) {
        return fr_json_fail(&r->reader, token, FR_ERROR_LIMIT, "an object has at most %d boxes", FR_SCENE_MAX_BOXES);
    }
    fr_plan_box *place = fr__scene_box_array_push(&r->scene->boxes, 1);
    if (place == NULL) { return fr_json_fail_memory(&r->reader); }
    *place = *box;
    object->box_count++;
    return true;
}

// A box is its low and its high cell, of three coordinates each or, in the plane, of two.
static bool read_box(fr__scene_reader *r, fr_json_value token, fr_plan_box *out) {
    const fr_json_range cells = {-MAX_CELL, MAX_CELL};
    bool is_flat = fr_json_is(r->reader.json, token, FR_JSON_ARRAY) && fr_json_count(r->reader.json, token) == 4;
    size_t axes = is_flat ? 2 : 3;
    double numbers[6];
    if (!fr_json_read_numbers(&r->reader, token, "a box", cells, 2 * axes, numbers)) { return false; }
    *out = (fr_plan_box){{0, 0, 0}, {1, 1, 1}};
    for (size_t i = 0; i < 2 * axes; i++) {
        int32_t whole = (int32_t)numbers[i];
        if ((double)whole != numbers[i]) {
            return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "a box has whole numbers of cells");
        }
        *(i < axes ? &out->low[i] : &out->high[i - axes]) = whole;
    }
    for (size_t i = 0; i < axes; i++) {
        if (out->low[i] < out->high[i]) { continue; }
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "a box goes from its lower to its higher cells");
    }
    return true;
}

static bool read_boxes(fr__scene_reader *r, fr_json_value token, fr_scene_object *object) {
    if (!fr_json_read_array(&r->reader, token, "boxes", 1, FR_SCENE_MAX_BOXES)) { return false; }
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        fr_plan_box box;
        if (!read_box(r, value, &box) || !add_box(r, value, &box, object)) { return false; }
    }
    return true;
}

// Rows of a picture, the highest first: runs of '#' are boxes, '.' is nothing.
static bool read_rows(fr__scene_reader *r, fr_json_value token, fr_scene_object *object) {
    if (!fr_json_read_array(&r->reader, token, "rows", 1, MAX_CELL)) { return false; }
    int32_t y = (int32_t)fr_json_count(r->reader.json, token);
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        const char *row;
        if (!fr_json_read_string(&r->reader, value, "a row", MAX_CELL, &row)) { return false; }
        y--;
        for (int32_t x = 0; row[x] != '\0'; x++) {
            if (row[x] != '#' && row[x] != '.') {
                return fr_json_fail(&r->reader, value, FR_ERROR_SYNTAX, "a row is made of '#' and '.'");
            }
            int32_t begin = x;
            while (row[x] == '#') {
                x++;
            }
            const fr_plan_box box = {{begin, y, 0}, {x, y + 1, 1}};
            if (x == begin) { continue; }
            if (!add_box(r, value, &box, object)) { return false; }
            if (row[x] == '\0') { break; }
            x--;
        }
    }
    if (object->box_count > 0) { return true; }
    return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "the rows have no cell '#'");
}

bool fr__scene_read_cells(fr__scene_reader *r, fr_json_value boxes, fr_json_value rows, fr_scene_object *object) {
    return boxes != FR_JSON_NONE ? read_boxes(r, boxes, object) : read_rows(r, rows, object);
}

// ---------------------------------------------------------------------------------------------------------------
// Places

enum { PLACE_POSITION, PLACE_ROTATION, PLACE_AXIS_ANGLE, PLACE_DEGREES, PLACE_KEYS };

static const fr_json_field place_fields[PLACE_KEYS] = {
    [PLACE_POSITION] = {.key = "position",
                        .is_required = true,
                        .type = FR_JSON_AS_NUMBERS,
                        .offset = offsetof(fr_pose, position),
                        .range = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX},
                        .count = 3},
    [PLACE_ROTATION] = {.key = "rotation"},
    [PLACE_AXIS_ANGLE] = {.key = "axis_angle_deg"},
    [PLACE_DEGREES] = {.key = "rotation_deg"}};

static bool read_place(fr__scene_reader *r, fr_json_value token, const char *what, fr_path_plane plane, fr_pose *out,
                       bool *is_goal_turn_any) {
    const fr_json_range angles = {-FR_SCENE_ANGLE_MAX_DEG, FR_SCENE_ANGLE_MAX_DEG};
    fr_json_value values[PLACE_KEYS];
    if (!fr_json_read_object(&r->reader, token, what, place_fields, PLACE_KEYS, values) ||
        !fr_json_read_fields(&r->reader, values, place_fields, PLACE_KEYS, out)) {
        return false;
    }
    fr_json_value quaternion = values[PLACE_ROTATION], degrees = values[PLACE_DEGREES];
    bool is_null = fr_json_is(r->reader.json, quaternion, FR_JSON_NULL);
    if (is_null && is_goal_turn_any != NULL) {
        *is_goal_turn_any = true;
        quaternion = FR_JSON_NONE;
    }
    if (degrees != FR_JSON_NONE && (quaternion != FR_JSON_NONE || values[PLACE_AXIS_ANGLE] != FR_JSON_NONE)) {
        return fr_json_fail(&r->reader, fr_json_key(degrees), FR_ERROR_SYNTAX, "rotation is given already");
    }
    if (degrees == FR_JSON_NONE) {
        return fr_json_read_rotation(&r->reader, quaternion, values[PLACE_AXIS_ANGLE], &out->rotation);
    }
    double angle;
    if (!fr_json_read_number(&r->reader, degrees, "rotation_deg", angles, &angle)) { return false; }
    fr_vec3 axis = plane == FR_PATH_PLANE_XZ ? fr_vec3_make(0.0, 1.0, 0.0) : fr_vec3_make(0.0, 0.0, 1.0);
    out->rotation = fr_quat_from_axis_angle(axis, fr_radians(angle));
    return true;
}

#define CORNER(name, member)                                                                                           \
    {                                                                                                                  \
        .key = name, .is_required = true, .type = FR_JSON_AS_NUMBERS, .offset = offsetof(fr_bounds, member),           \
        .range = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX}, .count = 3                                               \
    }

bool fr__scene_read_bounds(fr__scene_reader *r, fr_json_value token, fr_bounds *out) {
    static const fr_json_field fields[] = {CORNER("min", min), CORNER("max", max)};
    fr_json_value values[2];
    bool right = fr_json_read_object(&r->reader, token, "bounds", fields, 2, values) &&
                 fr_json_read_fields(&r->reader, values, fields, 2, out);
    if (!right || !fr_bounds_is_empty(out)) { return right; }
    return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "the bounds have no inside");
}

static bool read_room(fr__scene_reader *r, fr_json_value token, fr_bounds *out) {
    if (!fr__scene_read_bounds(r, token, out)) { return false; }
    if (out->max.x > out->min.x && out->max.y > out->min.y) { return true; }
    return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "the bounds have no inside");
}

// ---------------------------------------------------------------------------------------------------------------
// Problems

static const fr_json_word modes[] = {{"c", FR_SCENE_PLAN_C}, {"k", FR_SCENE_PLAN_K}, {NULL, 0}};
static const fr_json_word searches[] = {{"faces", FR_SCENE_SEARCH_FACES}, {"astar", FR_SCENE_SEARCH_ASTAR},
                                        {"best", FR_SCENE_SEARCH_BEST},   {"hill", FR_SCENE_SEARCH_HILL},
                                        {"rta", FR_SCENE_SEARCH_RTA},     {"lrta", FR_SCENE_SEARCH_LRTA},
                                        {"dstar", FR_SCENE_SEARCH_DSTAR}, {NULL, 0}};
static const fr_json_word objectives[] = {{"first", FR_PATH_FIRST},
                                          {"shortest", FR_PATH_SHORTEST},
                                          {"clearest", FR_PATH_CLEAREST},
                                          {"fewest-turns", FR_PATH_FEWEST_TURNS},
                                          {NULL, 0}};
static const fr_json_word planes[] = {{"xy", FR_PATH_PLANE_XY}, {"xz", FR_PATH_PLANE_XZ}, {NULL, 0}};
static const fr_json_word rules[] = {{"overlap", FR_OCTREE_OVERLAP}, {"centre", FR_OCTREE_CENTER}, {NULL, 0}};

// Those before PLAN_DIMENSION are read by themselves; the words, PLAN_MODE to PLAN_RULE, are read last, and PLAN_PLANE
// before the places.
enum {
    PLAN_ROBOT,
    PLAN_START,
    PLAN_GOAL,
    PLAN_BOUNDS,
    PLAN_DIMENSION,
    PLAN_DEPTH,
    PLAN_MODE,
    PLAN_SEARCH,
    PLAN_WISH,
    PLAN_RULE,
    PLAN_SEED,
    PLAN_ALPHA,
    PLAN_MARGIN,
    PLAN_SPEED,
    PLAN_TURN_SPEED,
    PLAN_PMAX,
    PLAN_C,
    PLAN_THRESHOLD,
    PLAN_WEIGHT,
    PLAN_WROT,
    PLAN_WPOT,
    PLAN_SWEPT,
    PLAN_PLANE,
    PLAN_KEYS
};

#define WHOLE(name, member, low, high)                                                                                 \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_WHOLE, .offset = offsetof(fr_scene_plan, member), .range = { low, high }       \
    }
#define AMOUNT(name, member, low, high)                                                                                \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBER, .offset = offsetof(fr_scene_plan, member), .range = { low, high }      \
    }
#define WORD(name, member, list)                                                                                       \
    { .key = name, .type = FR_JSON_AS_WORD, .offset = offsetof(fr_scene_plan, member), .words = list }

static const fr_json_field plan_fields[PLAN_KEYS] = {
    [PLAN_ROBOT] = {.key = "robot", .is_required = true},
    [PLAN_START] = {.key = "start", .is_required = true},
    [PLAN_GOAL] = {.key = "goal", .is_required = true},
    [PLAN_BOUNDS] = {.key = "bounds", .is_required = true},
    [PLAN_DIMENSION] = {.key = "dimension",
                        .type = FR_JSON_AS_INTEGER,
                        .offset = offsetof(fr_scene_plan, dimension),
                        .range = {2, 3}},
    [PLAN_DEPTH] = WHOLE("depth", depth, 2, FR_PLAN_MAX_DEPTH_2D),
    [PLAN_SEED] = WHOLE("seed", seed, 0, UINT32_MAX),
    [PLAN_ALPHA] = AMOUNT("alpha_deg", alpha_deg, 0.5, 90.0),
    [PLAN_MARGIN] = AMOUNT("margin", margin, 0.0, FR_SCENE_LENGTH_MAX),
    [PLAN_SPEED] = AMOUNT("speed", speed, 1e-15, FR_SCENE_LENGTH_MAX),
    [PLAN_TURN_SPEED] = AMOUNT("turn_speed_deg", turn_speed, 1e-15, FR_SCENE_SPIN_MAX_DEG),
    [PLAN_PMAX] = AMOUNT("pmax", pmax, 0.0, FR_SCENE_LENGTH_MAX),
    [PLAN_C] = AMOUNT("C", attraction, 0.0, FR_SCENE_LENGTH_MAX),
    [PLAN_THRESHOLD] = AMOUNT("threshold", threshold, 0.0, FR_SCENE_LENGTH_MAX),
    [PLAN_WEIGHT] = AMOUNT("weight", weight, 1.0, 1000.0),
    [PLAN_WROT] = AMOUNT("wrot", turn_cost, 0.0, FR_SCENE_LENGTH_MAX),
    [PLAN_WPOT] = AMOUNT("wpot", field_cost, 0.0, FR_SCENE_LENGTH_MAX),
    [PLAN_SWEPT] = {.key = "swept", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr_scene_plan, is_swept)},
    [PLAN_MODE] = WORD("mode", mode, modes),
    [PLAN_SEARCH] = WORD("search", search, searches),
    [PLAN_WISH] = WORD("wish", objective, objectives),
    [PLAN_RULE] = WORD("rule", rule, rules),
    [PLAN_PLANE] = WORD("plane", plane, planes),
};

// Reads the fields first .. last.
static bool read_run(fr__scene_reader *r, const fr_json_value *values, int first, int last, fr_scene_plan *plan) {
    return fr_json_read_fields(&r->reader, values + first, plan_fields + first, (size_t)(last - first) + 1, plan);
}

static bool check_search(fr__scene_reader *r, const fr_json_value *values, fr_scene_plan *plan) {
    bool is_k = plan->mode == FR_SCENE_PLAN_K;
    if (values[PLAN_SEARCH] == FR_JSON_NONE) {
        plan->search = is_k ? FR_SCENE_SEARCH_BEST : FR_SCENE_SEARCH_FACES;
        return true;
    }
    bool is_of_k = plan->search == FR_SCENE_SEARCH_BEST || plan->search == FR_SCENE_SEARCH_HILL;
    if (is_of_k == is_k) { return true; }
    return fr_json_fail(&r->reader, values[PLAN_SEARCH], FR_ERROR_ARGUMENT,
                        "mode k searches by best or hill, mode c by the others");
}

static bool check_depth(fr__scene_reader *r, const fr_json_value *values, const fr_scene_plan *plan) {
    if (plan->dimension == 2 || plan->depth <= FR_PLAN_MAX_DEPTH) { return true; }
    return fr_json_fail(&r->reader, values[PLAN_DEPTH], FR_ERROR_LIMIT, "in space the depth is at most %d",
                        FR_PLAN_MAX_DEPTH);
}

static bool check_plane(fr__scene_reader *r, const fr_json_value *values, const fr_scene_plan *plan) {
    bool is_among_faces = plan->mode == FR_SCENE_PLAN_C && plan->search == FR_SCENE_SEARCH_FACES;
    if (plan->plane == FR_PATH_PLANE_XY || (plan->dimension == 2 && is_among_faces)) { return true; }
    return fr_json_fail(&r->reader, values[PLAN_PLANE], FR_ERROR_ARGUMENT,
                        "plane xz needs dimension 2 and a search among faces");
}

static bool read_plan(fr__scene_reader *r, fr_json_value token) {
    fr_json_value values[PLAN_KEYS];
    fr_scene_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.start = plan.goal = fr_pose_identity();
    plan.dimension = 3;
    plan.depth = 5;
    plan.alpha_deg = 30.0;
    plan.seed = 1;
    plan.pmax = 100.0;
    plan.attraction = 1.0;
    plan.threshold = INFINITY;
    plan.weight = 1.5;
    plan.turn_cost = 3.0;
    plan.is_swept = true;
    plan.mode = FR_SCENE_PLAN_C;
    plan.objective = FR_PATH_FIRST;
    plan.rule = FR_OCTREE_OVERLAP;
    bool right =
        fr_json_read_object(&r->reader, token, "a plan", plan_fields, PLAN_KEYS, values) &&
        fr__scene_read_object_name(r, values[PLAN_ROBOT], "robot", &plan.robot) &&
        read_run(r, values, PLAN_PLANE, PLAN_PLANE, &plan) &&
        read_place(r, values[PLAN_START], "start", plan.plane, &plan.start, NULL) &&
        read_place(r, values[PLAN_GOAL], "goal", plan.plane, &plan.goal, &plan.is_goal_turn_any) &&
        read_room(r, values[PLAN_BOUNDS], &plan.bounds) && read_run(r, values, PLAN_DIMENSION, PLAN_DEPTH, &plan) &&
        read_run(r, values, PLAN_SEED, PLAN_SWEPT, &plan) && read_run(r, values, PLAN_MODE, PLAN_RULE, &plan) &&
        check_search(r, values, &plan) && check_depth(r, values, &plan) && check_plane(r, values, &plan);
    if (!right) { return false; }
    plan.turn_speed = fr_radians(plan.turn_speed);
    fr_scene_plan *place = fr__scene_plan_array_push(&r->scene->plans, 1);
    if (place == NULL) { return fr_json_fail_memory(&r->reader); }
    *place = plan;
    return true;
}

// One problem, or several robots' in an array.
bool fr__scene_read_plans(fr__scene_reader *r, fr_json_value token) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_is(r->reader.json, token, FR_JSON_ARRAY)) { return read_plan(r, token); }
    if (!fr_json_read_array(&r->reader, token, "plan", 1, FR_SCENE_MAX_PLANS)) { return false; }
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        if (!read_plan(r, value)) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Where cells are

double fr_scene_cell_edge(const fr_scene *scene) {
    if (scene->view.plan_count == 0) { return 1.0; }
    const fr_scene_plan *plan = &scene->view.plans[0];
    fr_vec3 room = fr_vec3_sub(plan->bounds.max, plan->bounds.min);
    if (plan->dimension == 2) { *(plan->plane == FR_PATH_PLANE_XZ ? &room.y : &room.z) = 0.0; }
    double side = fr_vec3_largest(room);
    return side / (double)(UINT32_C(1) << plan->depth);
}

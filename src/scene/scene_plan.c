// Reads the planning problems of a scene, and objects made of cells.
#include "scene/scene_reader.h"

#include <string.h>

enum { MOST_CELL = 4096 };

static const fr__json_range lengths = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX};

// ---------------------------------------------------------------------------------------------------------------
// Words

bool fr__scene_read_word(fr__scene_reader *r, uint32_t token, const char *what, const fr__scene_word *words,
                         size_t count, int *out) {
    const char *name;
    if (token == FR__JSON_NONE) { return true; }
    if (!fr__json_string(&r->json, token, what, FR_WORLD_NAME_MAX_BYTES, &name)) { return false; }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i].name, name) != 0) { continue; }
        *out = words[i].value;
        return true;
    }
    fr_suggestion suggestion = fr_suggestion_begin(name);
    for (size_t i = 0; i < count; i++) {
        fr_suggestion_offer(&suggestion, words[i].name);
    }
    if (suggestion.best == NULL) {
        return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "%s is not '%s'", what, name);
    }
    return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "%s is not '%s'; did you mean '%s'?", what, name,
                          suggestion.best);
}

// ---------------------------------------------------------------------------------------------------------------
// Cells

static bool add_box(fr__scene_reader *r, uint32_t token, const fr_plan_box *box, fr_scene_object *object) {
    if (object->box_count == FR_SCENE_MAX_BOXES) {
        return fr__json_wrong(&r->json, token, FR_ERROR_LIMIT, "an object has at most %d boxes", FR_SCENE_MAX_BOXES);
    }
    fr_plan_box *place = fr_array_push(&r->scene->boxes, 1);
    if (place == NULL) { return fr__json_no_memory(&r->json); }
    *place = *box;
    object->box_count++;
    return true;
}

// A box is its low and its high cell, of three coordinates each or, in the plane, of two.
static bool read_box(fr__scene_reader *r, uint32_t token, fr_plan_box *out) {
    const fr__json_range cells = {-MOST_CELL, MOST_CELL};
    size_t count = r->json.json->tokens[token].kind == FR__JSON_ARRAY ? r->json.json->tokens[token].count : 0;
    size_t axes = count == 4 ? 2 : 3;
    double numbers[6];
    if (!fr__json_numbers(&r->json, token, "a box", cells, 2 * axes, numbers)) { return false; }
    *out = (fr_plan_box){{0, 0, 0}, {1, 1, 1}};
    for (size_t i = 0; i < 2 * axes; i++) {
        int32_t whole = (int32_t)numbers[i];
        if ((double)whole != numbers[i]) {
            return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "a box has whole numbers of cells");
        }
        *(i < axes ? &out->low[i] : &out->high[i - axes]) = whole;
    }
    for (size_t i = 0; i < axes; i++) {
        if (out->low[i] < out->high[i]) { continue; }
        return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "a box goes from its lower to its higher cells");
    }
    return true;
}

static bool read_boxes(fr__scene_reader *r, uint32_t token, fr_scene_object *object) {
    if (!fr__json_array(&r->json, token, "boxes", 1, FR_SCENE_MAX_BOXES)) { return false; }
    uint32_t end = fr__json_next(&r->json, token);
    for (uint32_t value = token + 1; value < end; value = fr__json_next(&r->json, value)) {
        fr_plan_box box;
        if (!read_box(r, value, &box) || !add_box(r, value, &box, object)) { return false; }
    }
    return true;
}

// Rows of a picture, the highest first: runs of '#' are boxes, '.' is nothing.
static bool read_rows(fr__scene_reader *r, uint32_t token, fr_scene_object *object) {
    if (!fr__json_array(&r->json, token, "rows", 1, MOST_CELL)) { return false; }
    int32_t y = (int32_t)r->json.json->tokens[token].count;
    uint32_t end = fr__json_next(&r->json, token);
    for (uint32_t value = token + 1; value < end; value = fr__json_next(&r->json, value)) {
        const char *row;
        if (!fr__json_string(&r->json, value, "a row", MOST_CELL, &row)) { return false; }
        y--;
        for (int32_t x = 0; row[x] != '\0'; x++) {
            if (row[x] != '#' && row[x] != '.') {
                return fr__json_wrong(&r->json, value, FR_ERROR_SYNTAX, "a row is made of '#' and '.'");
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
    return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "the rows have no cell '#'");
}

bool fr__scene_read_cells(fr__scene_reader *r, uint32_t boxes, uint32_t rows, fr_scene_object *object) {
    return boxes != FR__JSON_NONE ? read_boxes(r, boxes, object) : read_rows(r, rows, object);
}

// ---------------------------------------------------------------------------------------------------------------
// Places

enum { PLACE_POSITION, PLACE_ROTATION, PLACE_AXIS_ANGLE, PLACE_DEGREES, PLACE_KEYS };

static const fr__json_key place_keys[PLACE_KEYS] = {[PLACE_POSITION] = {"position", true},
                                                    [PLACE_ROTATION] = {"rotation", false},
                                                    [PLACE_AXIS_ANGLE] = {"axis_angle_deg", false},
                                                    [PLACE_DEGREES] = {"rotation_deg", false}};

static bool read_place(fr__scene_reader *r, uint32_t token, const char *what, fr_pose *out, bool *is_goal_turn_any) {
    const fr__json_range angles = {-FR_SCENE_ANGLE_MAX_DEG, FR_SCENE_ANGLE_MAX_DEG};
    uint32_t values[PLACE_KEYS];
    if (!fr__json_object(&r->json, token, what, place_keys, PLACE_KEYS, values) ||
        !fr__scene_read_vector(r, values[PLACE_POSITION], "position", lengths, &out->position)) {
        return false;
    }
    uint32_t quaternion = values[PLACE_ROTATION], degrees = values[PLACE_DEGREES];
    bool is_null = quaternion != FR__JSON_NONE && r->json.json->tokens[quaternion].kind == FR__JSON_NULL;
    if (is_null && is_goal_turn_any != NULL) {
        *is_goal_turn_any = true;
        quaternion = FR__JSON_NONE;
    }
    if (degrees != FR__JSON_NONE && (quaternion != FR__JSON_NONE || values[PLACE_AXIS_ANGLE] != FR__JSON_NONE)) {
        return fr__json_wrong(&r->json, degrees - 1, FR_ERROR_SYNTAX, "rotation is given already");
    }
    if (degrees == FR__JSON_NONE) {
        return fr__scene_read_rotation(r, quaternion, values[PLACE_AXIS_ANGLE], &out->rotation);
    }
    double angle;
    if (!fr__json_number(&r->json, degrees, "rotation_deg", angles, &angle)) { return false; }
    out->rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), fr_radians(angle));
    return true;
}

enum { BOUNDS_MIN, BOUNDS_MAX, BOUNDS_KEYS };

static const fr__json_key bounds_keys[BOUNDS_KEYS] = {[BOUNDS_MIN] = {"min", true}, [BOUNDS_MAX] = {"max", true}};

static bool read_bounds(fr__scene_reader *r, uint32_t token, fr_bounds *out) {
    uint32_t values[BOUNDS_KEYS];
    bool right = fr__json_object(&r->json, token, "bounds", bounds_keys, BOUNDS_KEYS, values) &&
                 fr__scene_read_vector(r, values[BOUNDS_MIN], "min", lengths, &out->min) &&
                 fr__scene_read_vector(r, values[BOUNDS_MAX], "max", lengths, &out->max);
    if (!right) { return false; }
    if (!fr_bounds_is_empty(out) && out->max.x > out->min.x && out->max.y > out->min.y) { return true; }
    return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "the bounds have no inside");
}

// ---------------------------------------------------------------------------------------------------------------
// Problems

enum {
    PLAN_ROBOT,
    PLAN_START,
    PLAN_GOAL,
    PLAN_BOUNDS,
    PLAN_DIMENSION,
    PLAN_DEPTH,
    PLAN_ALPHA,
    PLAN_MODE,
    PLAN_SEARCH,
    PLAN_WISH,
    PLAN_MARGIN,
    PLAN_SEED,
    PLAN_PMAX,
    PLAN_C,
    PLAN_THRESHOLD,
    PLAN_WEIGHT,
    PLAN_WROT,
    PLAN_WPOT,
    PLAN_RULE,
    PLAN_SWEPT,
    PLAN_KEYS
};

static const fr__json_key plan_keys[PLAN_KEYS] = {
    [PLAN_ROBOT] = {"robot", true},
    [PLAN_START] = {"start", true},
    [PLAN_GOAL] = {"goal", true},
    [PLAN_BOUNDS] = {"bounds", true},
    [PLAN_DIMENSION] = {"dimension", false},
    [PLAN_DEPTH] = {"depth", false},
    [PLAN_ALPHA] = {"alpha_deg", false},
    [PLAN_MODE] = {"mode", false},
    [PLAN_SEARCH] = {"search", false},
    [PLAN_WISH] = {"wish", false},
    [PLAN_MARGIN] = {"margin", false},
    [PLAN_SEED] = {"seed", false},
    [PLAN_PMAX] = {"pmax", false},
    [PLAN_C] = {"C", false},
    [PLAN_THRESHOLD] = {"threshold", false},
    [PLAN_WEIGHT] = {"weight", false},
    [PLAN_WROT] = {"wrot", false},
    [PLAN_WPOT] = {"wpot", false},
    [PLAN_RULE] = {"rule", false},
    [PLAN_SWEPT] = {"swept", false},
};

static bool read_number(fr__scene_reader *r, uint32_t token, int key, double low, double high, double *out) {
    const fr__json_range range = {low, high};
    return token == FR__JSON_NONE || fr__json_number(&r->json, token, plan_keys[key].name, range, out);
}

static bool read_whole(fr__scene_reader *r, uint32_t token, int key, double low, double high, uint32_t *out) {
    const fr__json_range range = {low, high};
    return token == FR__JSON_NONE || fr__json_whole(&r->json, token, plan_keys[key].name, range, out);
}

static bool read_numbers(fr__scene_reader *r, const uint32_t *values, fr_scene_plan *plan) {
    const double most = FR_SCENE_LENGTH_MAX;
    return read_whole(r, values[PLAN_DEPTH], PLAN_DEPTH, 2, FR_PLAN_MAX_DEPTH_2D, &plan->depth) &&
           read_whole(r, values[PLAN_SEED], PLAN_SEED, 0, 4294967295.0, &plan->seed) &&
           read_number(r, values[PLAN_ALPHA], PLAN_ALPHA, 0.5, 90.0, &plan->alpha_deg) &&
           read_number(r, values[PLAN_MARGIN], PLAN_MARGIN, 0.0, most, &plan->margin) &&
           read_number(r, values[PLAN_PMAX], PLAN_PMAX, 0.0, most, &plan->pmax) &&
           read_number(r, values[PLAN_C], PLAN_C, 0.0, most, &plan->attraction) &&
           read_number(r, values[PLAN_THRESHOLD], PLAN_THRESHOLD, 0.0, most, &plan->threshold) &&
           read_number(r, values[PLAN_WEIGHT], PLAN_WEIGHT, 1.0, 1000.0, &plan->weight) &&
           read_number(r, values[PLAN_WROT], PLAN_WROT, 0.0, most, &plan->turn_cost) &&
           read_number(r, values[PLAN_WPOT], PLAN_WPOT, 0.0, most, &plan->field_cost) &&
           (values[PLAN_SWEPT] == FR__JSON_NONE ||
            fr__json_bool(&r->json, values[PLAN_SWEPT], "swept", &plan->is_swept));
}

static bool read_words(fr__scene_reader *r, const uint32_t *values, fr_scene_plan *plan) {
    static const fr__scene_word modes[] = {{"c", FR_SCENE_PLAN_C}, {"k", FR_SCENE_PLAN_K}};
    static const fr__scene_word searches[] = {{"faces", FR_SCENE_SEARCH_FACES}, {"astar", FR_SCENE_SEARCH_ASTAR},
                                              {"best", FR_SCENE_SEARCH_BEST},   {"hill", FR_SCENE_SEARCH_HILL},
                                              {"rta", FR_SCENE_SEARCH_RTA},     {"lrta", FR_SCENE_SEARCH_LRTA},
                                              {"dstar", FR_SCENE_SEARCH_DSTAR}};
    static const fr__scene_word objectives[] = {{"first", FR_PATH_FIRST},
                                                {"shortest", FR_PATH_SHORTEST},
                                                {"clearest", FR_PATH_CLEAREST},
                                                {"fewest-turns", FR_PATH_FEWEST_TURNS}};
    static const fr__scene_word rules[] = {{"overlap", FR_OCTREE_OVERLAP}, {"centre", FR_OCTREE_CENTER}};
    int mode = FR_SCENE_PLAN_C, search = -1, objective = FR_PATH_FIRST, rule = FR_OCTREE_OVERLAP;
    bool right = fr__scene_read_word(r, values[PLAN_MODE], "mode", modes, 2, &mode) &&
                 fr__scene_read_word(r, values[PLAN_SEARCH], "search", searches, 7, &search) &&
                 fr__scene_read_word(r, values[PLAN_WISH], "wish", objectives, 4, &objective) &&
                 fr__scene_read_word(r, values[PLAN_RULE], "rule", rules, 2, &rule);
    if (!right) { return false; }
    if (search < 0) { search = mode == FR_SCENE_PLAN_K ? (int)FR_SCENE_SEARCH_BEST : (int)FR_SCENE_SEARCH_FACES; }
    bool of_k = search == FR_SCENE_SEARCH_BEST || search == FR_SCENE_SEARCH_HILL;
    if (of_k != (mode == FR_SCENE_PLAN_K)) {
        return fr__json_wrong(&r->json, values[PLAN_SEARCH] != FR__JSON_NONE ? values[PLAN_SEARCH] : values[PLAN_MODE],
                              FR_ERROR_ARGUMENT, "mode k searches by best or hill, mode c by the others");
    }
    plan->mode = (fr_scene_plan_mode)mode;
    plan->search = (fr_scene_plan_search)search;
    plan->objective = (fr_path_objective)objective;
    plan->rule = (fr_octree_rule)rule;
    return true;
}

static bool check_depth(fr__scene_reader *r, const uint32_t *values, const fr_scene_plan *plan) {
    if (plan->dimension == 2 || plan->depth <= FR_PLAN_MAX_DEPTH) { return true; }
    return fr__json_wrong(&r->json, values[PLAN_DEPTH], FR_ERROR_LIMIT, "in space the depth is at most %d",
                          FR_PLAN_MAX_DEPTH);
}

static bool read_plan(fr__scene_reader *r, uint32_t token) {
    uint32_t values[PLAN_KEYS], dimension = 3;
    fr_scene_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.start = plan.goal = fr_pose_identity();
    plan.depth = 5;
    plan.alpha_deg = 30.0;
    plan.seed = 1;
    plan.pmax = 100.0;
    plan.attraction = 1.0;
    plan.threshold = INFINITY;
    plan.weight = 1.5;
    plan.turn_cost = 3.0;
    plan.is_swept = true;
    bool right = fr__json_object(&r->json, token, "a plan", plan_keys, PLAN_KEYS, values) &&
                 fr__scene_read_object_name(r, values[PLAN_ROBOT], "robot", &plan.robot) &&
                 read_place(r, values[PLAN_START], "start", &plan.start, NULL) &&
                 read_place(r, values[PLAN_GOAL], "goal", &plan.goal, &plan.is_goal_turn_any) &&
                 read_bounds(r, values[PLAN_BOUNDS], &plan.bounds) &&
                 read_whole(r, values[PLAN_DIMENSION], PLAN_DIMENSION, 2, 3, &dimension) &&
                 read_numbers(r, values, &plan) && read_words(r, values, &plan);
    plan.dimension = (int)dimension;
    if (!right || !check_depth(r, values, &plan)) { return false; }
    fr_scene_plan *place = fr_array_push(&r->scene->plans, 1);
    if (place == NULL) { return fr__json_no_memory(&r->json); }
    *place = plan;
    return true;
}

// One problem, or several robots' in an array.
bool fr__scene_read_plans(fr__scene_reader *r, uint32_t token) {
    if (token == FR__JSON_NONE) { return true; }
    if (r->json.json->tokens[token].kind != FR__JSON_ARRAY) { return read_plan(r, token); }
    if (!fr__json_array(&r->json, token, "plan", 1, FR_SCENE_MAX_PLANS)) { return false; }
    uint32_t end = fr__json_next(&r->json, token);
    for (uint32_t value = token + 1; value < end; value = fr__json_next(&r->json, value)) {
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
    double side = fmax(room.x, room.y);
    if (plan->dimension == 3) { side = fmax(side, room.z); }
    return side / (double)(UINT32_C(1) << plan->depth);
}

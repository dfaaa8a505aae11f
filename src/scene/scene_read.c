// Reads the scene file. docs/schema/scene.schema.json says the same, but for what a schema cannot say.
#include "scene/scene_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define READ_COOKIE UINT32_C(0x73637231)

enum { FILE_VERSION = 1, MAX_DEPTH = 32 };

static const fr__json_range lengths = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX};

// ---------------------------------------------------------------------------------------------------------------
// Vectors and rotations

bool fr__scene_read_vector(fr__scene_reader *r, uint32_t token, const char *what, fr__json_range range, fr_vec3 *out) {
    if (token == FR__JSON_NONE) { return true; }
    double numbers[3];
    if (!fr__json_numbers(&r->json, token, what, range, 3, numbers)) { return false; }
    *out = fr_vec3_make(numbers[0], numbers[1], numbers[2]);
    return true;
}

static bool read_quaternion(fr__scene_reader *r, uint32_t token, fr_quat *out) {
    const fr__json_range range = {-1.01, 1.01};
    double numbers[4];
    if (!fr__json_numbers(&r->json, token, "rotation", range, 4, numbers)) { return false; }
    fr_quat q = {numbers[0], numbers[1], numbers[2], numbers[3]};
    if (fr_quat_normalize(&q, NULL) != FR_OK) {
        return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT,
                              "rotation must be a quaternion w, x, y, z of length 1, within 1 %%");
    }
    *out = q;
    return true;
}

static bool read_axis_angle(fr__scene_reader *r, uint32_t token, fr_quat *out) {
    double numbers[4];
    if (!fr__json_numbers(&r->json, token, "axis_angle_deg", lengths, 4, numbers)) { return false; }
    if (fabs(numbers[3]) > FR_SCENE_ANGLE_MAX_DEG) {
        return fr__json_wrong(&r->json, token, FR_ERROR_LIMIT, "the angle of axis_angle_deg must be from %g to %g",
                              -FR_SCENE_ANGLE_MAX_DEG, FR_SCENE_ANGLE_MAX_DEG);
    }
    fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 axis = fr_vec3_unit(fr_vec3_make(numbers[0], numbers[1], numbers[2]), zero);
    if (fr_vec3_equal(axis, zero)) {
        return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "the axis of axis_angle_deg is zero");
    }
    *out = fr_quat_from_axis_angle(axis, fr_radians(numbers[3]));
    return true;
}

bool fr__scene_read_rotation(fr__scene_reader *r, uint32_t quaternion, uint32_t axis_angle, fr_quat *out) {
    if (quaternion != FR__JSON_NONE && axis_angle != FR__JSON_NONE) {
        return fr__json_wrong(&r->json, axis_angle - 1, FR_ERROR_SYNTAX, "rotation is given already");
    }
    if (quaternion != FR__JSON_NONE) { return read_quaternion(r, quaternion, out); }
    return axis_angle == FR__JSON_NONE || read_axis_angle(r, axis_angle, out);
}

// ---------------------------------------------------------------------------------------------------------------
// Paths

enum { SAMPLE_T, SAMPLE_POSITION, SAMPLE_ROTATION, SAMPLE_AXIS_ANGLE, SAMPLE_KEYS };

static const fr__json_key sample_keys[SAMPLE_KEYS] = {[SAMPLE_T] = {"t", true},
                                                      [SAMPLE_POSITION] = {"position", true},
                                                      [SAMPLE_ROTATION] = {"rotation", false},
                                                      [SAMPLE_AXIS_ANGLE] = {"axis_angle_deg", false}};

static bool read_sample(fr__scene_reader *r, uint32_t token, const fr_scene_sample *before) {
    const fr__json_range times = {0.0, FR_SCENE_TIME_MAX};
    uint32_t values[SAMPLE_KEYS];
    fr_scene_sample sample = {.rotation = fr_quat_identity()};
    bool right = fr__json_object(&r->json, token, "a sample of path", sample_keys, SAMPLE_KEYS, values) &&
                 fr__json_number(&r->json, values[SAMPLE_T], "t", times, &sample.time) &&
                 fr__scene_read_vector(r, values[SAMPLE_POSITION], "position", lengths, &sample.position) &&
                 fr__scene_read_rotation(r, values[SAMPLE_ROTATION], values[SAMPLE_AXIS_ANGLE], &sample.rotation);
    if (!right) { return false; }
    if (before != NULL && sample.time <= before->time) {
        return fr__json_wrong(&r->json, values[SAMPLE_T], FR_ERROR_ARGUMENT,
                              "t must be greater than the %.9g before it", before->time);
    }
    fr_scene_sample *place = fr_array_push(&r->scene->samples, 1);
    if (place == NULL) { return fr__json_no_memory(&r->json); }
    *place = sample;
    return true;
}

// The samples go to the end of the scene's; the object points at them when all are there, as they may move until then.
static bool read_path(fr__scene_reader *r, uint32_t token, fr_scene_object *object) {
    if (token == FR__JSON_NONE) { return true; }
    if (!fr__json_array(&r->json, token, "path", 1, UINT32_MAX)) { return false; }
    uint32_t end = fr__json_next(&r->json, token);
    for (uint32_t value = token + 1; value < end; value = fr__json_next(&r->json, value)) {
        const fr_scene_sample *samples = r->scene->samples.data;
        const fr_scene_sample *before = object->path_count > 0 ? &samples[r->scene->samples.count - 1] : NULL;
        if (!read_sample(r, value, before)) { return false; }
        object->path_count++;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Objects

enum {
    OBJECT_NAME,
    OBJECT_MODEL,
    OBJECT_SHAPE,
    OBJECT_BOXES,
    OBJECT_ROWS,
    OBJECT_POSITION,
    OBJECT_ROTATION,
    OBJECT_AXIS_ANGLE,
    OBJECT_VELOCITY,
    OBJECT_ANGULAR_VELOCITY,
    OBJECT_SCALE,
    OBJECT_PIVOT,
    OBJECT_STATIC,
    OBJECT_PATH,
    OBJECT_COLOR,
    OBJECT_SENSOR,
    OBJECT_REAL,
    OBJECT_SELF,
    OBJECT_LAYERS,
    OBJECT_MASK,
    OBJECT_GROUP,
    OBJECT_POSITION_ERROR,
    OBJECT_ROTATION_ERROR,
    OBJECT_LATENCY,
    OBJECT_STATES,
    OBJECT_KEYS
};

static const fr__json_key object_keys[OBJECT_KEYS] = {
    [OBJECT_NAME] = {"name", true},          [OBJECT_MODEL] = {"model", false},
    [OBJECT_SHAPE] = {"shape", false},       [OBJECT_POSITION] = {"position", false},
    [OBJECT_ROTATION] = {"rotation", false}, [OBJECT_AXIS_ANGLE] = {"axis_angle_deg", false},
    [OBJECT_VELOCITY] = {"velocity", false}, [OBJECT_ANGULAR_VELOCITY] = {"angular_velocity_deg", false},
    [OBJECT_SCALE] = {"scale", false},       [OBJECT_PIVOT] = {"pivot", false},
    [OBJECT_STATIC] = {"static", false},     [OBJECT_PATH] = {"path", false},
    [OBJECT_COLOR] = {"color", false},       [OBJECT_SENSOR] = {"sensor", false},
    [OBJECT_REAL] = {"real", false},         [OBJECT_SELF] = {"self", false},
    [OBJECT_LAYERS] = {"layers", false},     [OBJECT_MASK] = {"mask", false},
    [OBJECT_GROUP] = {"group", false},       [OBJECT_POSITION_ERROR] = {"position_error", false},
    [OBJECT_LATENCY] = {"latency", false},   [OBJECT_ROTATION_ERROR] = {"rotation_error_deg", false},
    [OBJECT_STATES] = {"states", false},     [OBJECT_BOXES] = {"boxes", false},
    [OBJECT_ROWS] = {"rows", false},
};

// Whether a text is digits alone, 1 .. 9 of them, up to `end`.
static bool is_count(const char *text, const char *end) {
    if (text == end || end - text > 9) { return false; }
    while (text < end && *text >= '0' && *text <= '9') {
        text++;
    }
    return text == end;
}

// Whether the name is one of fr_mesh_name, or a sphere by its counts.
static bool is_shape(const char *name) {
    const char *counts = strchr(name, ':');
    if (counts != NULL) {
        const char *cross = strchr(counts, 'x');
        return strncmp(name, "sphere:", 7) == 0 && cross != NULL && is_count(counts + 1, cross) &&
               is_count(cross + 1, name + strlen(name));
    }
    const char *known;
    for (size_t i = 0; (known = fr_mesh_name(i)) != NULL; i++) {
        if (strcmp(known, name) == 0) { return true; }
    }
    return false;
}

static bool read_shape(fr__scene_reader *r, uint32_t token, const char **out) {
    const char *name;
    if (!fr__json_string(&r->json, token, "shape", FR_WORLD_NAME_MAX_BYTES, &name)) { return false; }
    if (is_shape(name)) {
        *out = name;
        return true;
    }
    if (strncmp(name, "sphere:", 7) == 0) {
        return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "a sphere is named as sphere:8x16, stacks x slices");
    }
    fr_suggestion suggestion = fr_suggestion_begin(name);
    const char *known;
    for (size_t i = 0; (known = fr_mesh_name(i)) != NULL; i++) {
        fr_suggestion_offer(&suggestion, known);
    }
    if (suggestion.best == NULL) { return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "no shape '%s'", name); }
    return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "no shape '%s'; did you mean '%s'?", name,
                          suggestion.best);
}

// Cells of a world that a plan gives.
static bool read_cells(fr__scene_reader *r, const uint32_t *values, fr_scene_object *object) {
    uint32_t boxes = values[OBJECT_BOXES], rows = values[OBJECT_ROWS];
    if (!r->has_plan) {
        return fr__json_wrong(&r->json, (boxes != FR__JSON_NONE ? boxes : rows) - 1, FR_ERROR_SYNTAX,
                              "cells need a scene with 'plan', which says how large they are");
    }
    return fr__scene_read_cells(r, boxes, rows, object);
}

// The model, the shape or the cells, of which there must be one.
static bool read_source(fr__scene_reader *r, uint32_t token, const uint32_t *values, fr_scene_object *object) {
    static const int sources[] = {OBJECT_MODEL, OBJECT_SHAPE, OBJECT_BOXES, OBJECT_ROWS};
    uint32_t source = FR__JSON_NONE;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        uint32_t value = values[sources[i]];
        if (value != FR__JSON_NONE && source != FR__JSON_NONE) {
            return fr__json_wrong(&r->json, (value > source ? value : source) - 1, FR_ERROR_SYNTAX,
                                  "an object has 'model', 'shape', 'boxes' or 'rows', not two of them");
        }
        if (value != FR__JSON_NONE) { source = value; }
    }
    if (source == FR__JSON_NONE) {
        return fr__json_wrong(&r->json, token, FR_ERROR_SYNTAX, "an object needs 'model' or 'shape'");
    }
    fr__json_place(r->json.json, source, &r->json.mark, &object->line, &object->column);
    if (source == values[OBJECT_SHAPE]) { return read_shape(r, source, &object->shape); }
    if (source != values[OBJECT_MODEL]) { return read_cells(r, values, object); }
    return fr__json_string(&r->json, source, "model", FR_SCENE_PATH_MAX_BYTES, &object->model);
}

// A path gives place and motion; what is static has neither velocity nor path.
static bool check_together(fr__scene_reader *r, const uint32_t *values, bool is_static) {
    static const int beside_path[] = {OBJECT_POSITION, OBJECT_ROTATION, OBJECT_AXIS_ANGLE, OBJECT_VELOCITY,
                                      OBJECT_ANGULAR_VELOCITY};
    static const int motions[] = {OBJECT_VELOCITY, OBJECT_ANGULAR_VELOCITY, OBJECT_PATH};
    for (size_t i = 0; i < sizeof beside_path / sizeof beside_path[0]; i++) {
        uint32_t value = values[beside_path[i]];
        if (values[OBJECT_PATH] == FR__JSON_NONE || value == FR__JSON_NONE) { continue; }
        return fr__json_wrong(&r->json, value - 1, FR_ERROR_SYNTAX, "an object with 'path' has no '%s'",
                              object_keys[beside_path[i]].name);
    }
    for (size_t i = 0; is_static && i < sizeof motions / sizeof motions[0]; i++) {
        uint32_t value = values[motions[i]];
        if (value == FR__JSON_NONE) { continue; }
        return fr__json_wrong(&r->json, value - 1, FR_ERROR_SYNTAX, "a static object has no '%s'",
                              object_keys[motions[i]].name);
    }
    return true;
}

// Velocities, which must keep the object within the limits of a motion up to the last step.
static bool read_velocities(fr__scene_reader *r, const uint32_t *values, fr_scene_object *object) {
    const fr__json_range spins = {-FR_SCENE_SPIN_MAX_DEG, FR_SCENE_SPIN_MAX_DEG};
    uint32_t spin = values[OBJECT_ANGULAR_VELOCITY];
    fr_vec3 spin_deg = {0.0, 0.0, 0.0};
    bool right = fr__scene_read_vector(r, values[OBJECT_VELOCITY], "velocity", lengths, &object->velocity) &&
                 fr__scene_read_vector(r, spin, "angular_velocity_deg", spins, &spin_deg);
    if (!right) { return false; }
    object->angular_velocity = fr_vec3_make(fr_radians(spin_deg.x), fr_radians(spin_deg.y), fr_radians(spin_deg.z));
    double duration = fr_scene_time(r->scene, r->scene->view.steps);
    if (spin != FR__JSON_NONE && fr_vec3_length(object->angular_velocity) * duration > FR_TURN_MAX) {
        return fr__json_wrong(&r->json, spin, FR_ERROR_LIMIT, "the object turns by more than %.9g degrees in all steps",
                              fr_degrees(FR_TURN_MAX));
    }
    return true;
}

static bool read_placement(fr__scene_reader *r, const uint32_t *values, fr_scene_object *object) {
    const fr__json_range scales = {FR_SCENE_SCALE_MIN, FR_SCENE_SCALE_MAX};
    uint32_t scale = values[OBJECT_SCALE], is_static = values[OBJECT_STATIC];
    return fr__scene_read_vector(r, values[OBJECT_POSITION], "position", lengths, &object->pose.position) &&
           fr__scene_read_rotation(r, values[OBJECT_ROTATION], values[OBJECT_AXIS_ANGLE], &object->pose.rotation) &&
           (scale == FR__JSON_NONE || fr__json_number(&r->json, scale, "scale", scales, &object->pose.scale)) &&
           fr__scene_read_vector(r, values[OBJECT_PIVOT], "pivot", lengths, &object->pivot_local) &&
           (is_static == FR__JSON_NONE || fr__json_bool(&r->json, is_static, "static", &object->is_static));
}

static bool read_manner(fr__scene_reader *r, const uint32_t *values, fr_scene_object *object) {
    const fr__manner_tokens tokens = {.color = values[OBJECT_COLOR],
                                      .sensor = values[OBJECT_SENSOR],
                                      .real = values[OBJECT_REAL],
                                      .self = values[OBJECT_SELF],
                                      .layers = values[OBJECT_LAYERS],
                                      .mask = values[OBJECT_MASK],
                                      .group = values[OBJECT_GROUP],
                                      .position_error = values[OBJECT_POSITION_ERROR],
                                      .rotation_error = values[OBJECT_ROTATION_ERROR],
                                      .latency = values[OBJECT_LATENCY],
                                      .states = values[OBJECT_STATES]};
    return fr__scene_read_manner(r, &tokens, object);
}

// The pivot of an object of cells is its origin, in cells. Where it or the position is not given, both are found when
// the size of a cell is known.
static bool note_cells(fr__scene_reader *r, const uint32_t *values, fr_scene_object *object) {
    if (object->box_count == 0) { return true; }
    object->cell_pivot = object->pivot_local;
    object->pivot_local = fr_vec3_make(0.0, 0.0, 0.0);
    fr__unplaced *note = fr_array_push(&r->unplaced, 1);
    if (note == NULL) { return fr__json_no_memory(&r->json); }
    note->object = (uint32_t)r->scene->objects.count;
    note->needs_pivot = values[OBJECT_PIVOT] == FR__JSON_NONE;
    note->needs_position = values[OBJECT_POSITION] == FR__JSON_NONE && values[OBJECT_PATH] == FR__JSON_NONE;
    return true;
}

static bool read_object(fr__scene_reader *r, uint32_t token) {
    uint32_t values[OBJECT_KEYS];
    fr_scene_object object = {.pose = fr_pose_identity()};
    bool right = fr__json_object(&r->json, token, "an object", object_keys, OBJECT_KEYS, values) &&
                 fr__json_string(&r->json, values[OBJECT_NAME], "name", FR_WORLD_NAME_MAX_BYTES, &object.name) &&
                 read_source(r, token, values, &object) && read_placement(r, values, &object) &&
                 check_together(r, values, object.is_static) && read_velocities(r, values, &object) &&
                 read_path(r, values[OBJECT_PATH], &object) && read_manner(r, values, &object);
    if (!right || !note_cells(r, values, &object)) { return false; }

    fr_scene_object *place = fr_array_push(&r->scene->objects, 1);
    fr__name_place *name = fr_array_push(&r->names, 1);
    if (place == NULL || name == NULL) { return fr__json_no_memory(&r->json); }
    *place = object;
    *name = (fr__name_place){object.name, values[OBJECT_NAME], (uint32_t)r->scene->objects.count - 1};
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The scene

enum {
    SCENE_FUREAI,
    SCENE_TITLE,
    SCENE_ABOUT,
    SCENE_STEP,
    SCENE_STEPS,
    SCENE_LOOP,
    SCENE_OBJECTS,
    SCENE_JOINTS,
    SCENE_PLAN,
    SCENE_AID,
    SCENE_TOUCH,
    SCENE_ASSEMBLY,
    SCENE_KEYS
};

static const fr__json_key scene_keys[SCENE_KEYS] = {
    [SCENE_FUREAI] = {"fureai", true},   [SCENE_TITLE] = {"title", false},   [SCENE_ABOUT] = {"about", false},
    [SCENE_STEP] = {"step", false},      [SCENE_STEPS] = {"steps", false},   [SCENE_LOOP] = {"loop", false},
    [SCENE_OBJECTS] = {"objects", true}, [SCENE_JOINTS] = {"joints", false}, [SCENE_PLAN] = {"plan", false},
    [SCENE_AID] = {"aid", false},        [SCENE_TOUCH] = {"touch", false},   [SCENE_ASSEMBLY] = {"assembly", false}};

static bool read_version(fr__scene_reader *r, uint32_t token) {
    const fr__json_range versions = {1.0, 1e9};
    uint32_t version;
    if (!fr__json_whole(&r->json, token, "fureai", versions, &version)) { return false; }
    if (version == FILE_VERSION) { return true; }
    return fr__json_wrong(&r->json, token, FR_ERROR_VERSION, "the file is of version %u; version %d is read",
                          (unsigned)version, FILE_VERSION);
}

static bool read_steps(fr__scene_reader *r, const uint32_t *values) {
    const fr__json_range steps = {FR_WORLD_STEP_MIN, FR_WORLD_STEP_MAX}, counts = {1.0, FR_SCENE_STEPS_MAX};
    uint32_t step = values[SCENE_STEP], count = values[SCENE_STEPS];
    fr_scene_view *view = &r->scene->view;
    view->step = 0.01;
    view->steps = 1;
    return (step == FR__JSON_NONE || fr__json_number(&r->json, step, "step", steps, &view->step)) &&
           (count == FR__JSON_NONE || fr__json_whole(&r->json, count, "steps", counts, &view->steps));
}

static bool read_texts(fr__scene_reader *r, const uint32_t *values) {
    fr_scene_view *view = &r->scene->view;
    uint32_t title = values[SCENE_TITLE], about = values[SCENE_ABOUT], loop = values[SCENE_LOOP];
    view->title = view->about = "";
    return (title == FR__JSON_NONE ||
            fr__json_string(&r->json, title, "title", FR_WORLD_NAME_MAX_BYTES, &view->title)) &&
           (about == FR__JSON_NONE ||
            fr__json_string(&r->json, about, "about", FR_SCENE_TEXT_MAX_BYTES, &view->about)) &&
           (loop == FR__JSON_NONE || fr__json_bool(&r->json, loop, "loop", &view->is_loop));
}

static int compare_names(const void *a, const void *b) {
    const fr__name_place *left = a, *right = b;
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : (left->token > right->token) - (left->token < right->token);
}

// Reports the first object whose name another one has before it.
static bool check_names(fr__scene_reader *r) {
    fr__name_place *names = r->names.data;
    size_t count = r->names.count;
    if (count == 0) { return true; }
    qsort(names, count, sizeof *names, compare_names);
    const fr__name_place *first = NULL;
    for (size_t i = 1; i < count; i++) {
        bool again = strcmp(names[i - 1].name, names[i].name) == 0;
        if (again && (first == NULL || names[i].token < first->token)) { first = &names[i]; }
    }
    if (first == NULL) { return true; }
    return fr__json_wrong(&r->json, first->token, FR_ERROR_ARGUMENT, "another object has the name '%s'", first->name);
}

// All samples are there: they stay where they are.
static void settle_paths(fr_scene *scene) {
    const fr_scene_sample *samples = scene->samples.data;
    fr_scene_object *objects = scene->objects.data;
    for (size_t i = 0; i < scene->objects.count; i++) {
        if (objects[i].path_count == 0) { continue; }
        objects[i].path = samples;
        objects[i].pose.position = samples[0].position;
        objects[i].pose.rotation = samples[0].rotation;
        samples += objects[i].path_count;
    }
}

static bool read_scene(fr__scene_reader *r, uint32_t max_objects) {
    uint32_t values[SCENE_KEYS];
    bool right = fr__json_object(&r->json, 0, "a scene", scene_keys, SCENE_KEYS, values) &&
                 read_version(r, values[SCENE_FUREAI]) && read_steps(r, values) && read_texts(r, values) &&
                 fr__json_array(&r->json, values[SCENE_OBJECTS], "objects", 0, max_objects);
    if (!right) { return false; }
    r->has_plan = values[SCENE_PLAN] != FR__JSON_NONE;
    uint32_t end = fr__json_next(&r->json, values[SCENE_OBJECTS]);
    for (uint32_t value = values[SCENE_OBJECTS] + 1; value < end; value = fr__json_next(&r->json, value)) {
        if (!read_object(r, value)) { return false; }
    }
    settle_paths(r->scene);
    return check_names(r) && fr__scene_read_joints(r, values[SCENE_JOINTS]) &&
           fr__scene_read_plans(r, values[SCENE_PLAN]) && fr__scene_read_aid(r, values[SCENE_AID]) &&
           fr__scene_read_touch(r, values[SCENE_TOUCH]) && fr__scene_read_assembly(r, values[SCENE_ASSEMBLY]);
}

// Objects of cells stand where their cells are, unless the file says otherwise, and turn about the world's middle.
static void place_cells(fr_scene *scene, const fr_array *unplaced) {
    const fr__unplaced *notes = unplaced->data;
    fr_scene_object *objects = scene->objects.data;
    double edge = fr_scene_cell_edge(scene);
    for (size_t i = 0; i < unplaced->count; i++) {
        fr_scene_object *object = &objects[notes[i].object];
        const fr_scene_plan *plan = &scene->view.plans[0];
        double middle = 0.5 * (double)(UINT32_C(1) << plan->depth);
        if (notes[i].needs_pivot) { object->cell_pivot = fr_vec3_make(middle, middle, middle); }
        if (plan->dimension == 2) { object->cell_pivot.z = 0.5; }
        if (!notes[i].needs_position) { continue; }
        object->pose.position = fr_vec3_add_scaled(plan->bounds.min, edge, object->cell_pivot);
        if (plan->dimension == 2) { object->pose.position.z = 0.0; }
    }
}

// Nothing is added any more: the arrays stay where they are.
static void finish_scene(fr_scene *scene, const fr_array *unplaced, const char *name) {
    const fr_scene_state *states = scene->states.data;
    const fr_plan_box *boxes = scene->boxes.data;
    fr_scene_object *objects = scene->objects.data;
    scene->view.plans = scene->plans.data;
    scene->view.plan_count = (uint32_t)scene->plans.count;
    place_cells(scene, unplaced);
    fr__scene_settle_assembly(scene);
    for (size_t i = 0; i < scene->objects.count; i++) {
        if (objects[i].box_count > 0) {
            objects[i].boxes = boxes;
            boxes += objects[i].box_count;
        }
        if (objects[i].state_count == 0) { continue; }
        objects[i].states = states;
        states += objects[i].state_count;
    }
    scene->view.name = name;
    scene->view.objects = objects;
    scene->view.object_count = (uint32_t)scene->objects.count;
    scene->view.joints = scene->joints.data;
    scene->view.joint_count = (uint32_t)scene->joints.count;
}

// A copy of the file's name, for messages that come later.
static bool keep_name(fr__scene_reader *r, const char *name, const char **out) {
    size_t bytes = strlen(name) + 1;
    char *copy = fr_arena_alloc(r->scene->strings, bytes, 1, 1);
    if (copy == NULL) { return fr__json_no_memory(&r->json); }
    memcpy(copy, name, bytes);
    *out = copy;
    return true;
}

fr_scene_read_options fr_default_scene_read_options(void) {
    return (fr_scene_read_options){.max_bytes = (size_t)1 << 28, .max_objects = 1000000, .cookie = READ_COOKIE};
}

fr_status fr_scene_read(const void *bytes, size_t size, const fr_scene_read_options *options, fr_scene **out,
                        fr_error *error) {
    FR_ASSERT((bytes != NULL || size == 0) && out != NULL);
    fr_scene_read_options defaults = fr_default_scene_read_options();
    if (options == NULL) { options = &defaults; }
    FR_ASSERT(options->cookie == READ_COOKIE);
    *out = NULL;
    size_t max_bytes = options->max_bytes < FR__JSON_MAX_BYTES ? options->max_bytes : FR__JSON_MAX_BYTES;

    fr__json json;
    const char *text = size > 0 ? bytes : "";
    fr_status status = fr__json_open(&json, text, size, max_bytes, MAX_DEPTH, &options->allocator, error);
    if (status != FR_OK) {
        if (error != NULL) { fr_error_locate(error, options->name, error->line, error->column); }
        return status;
    }

    fr_scene *scene = fr__scene_make(&options->allocator);
    fr__scene_reader r = {.json = {.json = &json, .name = options->name, .error = error}, .scene = scene};
    r.names = fr_array_make(sizeof(fr__name_place), &options->allocator);
    r.unplaced = fr_array_make(sizeof(fr__unplaced), &options->allocator);
    r.json.strings = scene != NULL ? scene->strings : NULL;
    const char *name = "";
    bool right = false;
    if (scene != NULL) {
        right = read_scene(&r, options->max_objects) && (options->name == NULL || keep_name(&r, options->name, &name));
    } else {
        fr__json_no_memory(&r.json);
    }
    fr_array_free(&r.names);
    fr__json_close(&json);
    if (right) {
        finish_scene(scene, &r.unplaced, name);
    } else {
        fr_scene_destroy(scene);
    }
    fr_array_free(&r.unplaced);
    if (!right) { return r.json.status; }
    *out = scene;
    return FR_OK;
}

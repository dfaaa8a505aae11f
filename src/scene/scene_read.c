// Reads the scene file. docs/schema/scene.schema.json says the same, but for what a schema cannot say.
#include "scene/scene_reader.h"

#include "fureai/base_order.h"

#include <math.h>
#include <string.h>

#define READ_COOKIE UINT32_C(0x73637231)

enum { MAX_DEPTH = 32 };

// ---------------------------------------------------------------------------------------------------------------
// Paths

enum { SAMPLE_T, SAMPLE_POSITION, SAMPLE_ROTATION, SAMPLE_AXIS_ANGLE, SAMPLE_KEYS };

static const fr_json_field sample_fields[SAMPLE_KEYS] = {
    [SAMPLE_T] = {.key = "t",
                  .is_required = true,
                  .type = FR_JSON_AS_NUMBER,
                  .offset = offsetof(fr_scene_sample, time),
                  .range = {0.0, FR_SCENE_TIME_MAX}},
    [SAMPLE_POSITION] = {.key = "position",
                         .is_required = true,
                         .type = FR_JSON_AS_NUMBERS,
                         .offset = offsetof(fr_scene_sample, position),
                         .range = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX},
                         .count = 3},
    [SAMPLE_ROTATION] = {.key = "rotation"},
    [SAMPLE_AXIS_ANGLE] = {.key = "axis_angle_deg"}};

static bool read_sample(fr__scene_reader *r, fr_json_value token, const fr_scene_sample *before) {
    fr_json_value values[SAMPLE_KEYS];
    fr_scene_sample sample = {.rotation = fr_quat_identity()};
    bool right =
        fr_json_read_object(&r->reader, token, "a sample of path", sample_fields, SAMPLE_KEYS, values) &&
        fr_json_read_fields(&r->reader, values, sample_fields, SAMPLE_KEYS, &sample) &&
        fr_json_read_rotation(&r->reader, values[SAMPLE_ROTATION], values[SAMPLE_AXIS_ANGLE], &sample.rotation);
    if (!right) { return false; }
    if (before != NULL && sample.time <= before->time) {
        return fr_json_fail(&r->reader, values[SAMPLE_T], FR_ERROR_ARGUMENT,
                            "t must be greater than the %.9g before it", before->time);
    }
    fr_scene_sample *place = fr__scene_sample_array_push(&r->scene->samples, 1);
    if (place == NULL) { return fr_json_fail_memory(&r->reader); }
    *place = sample;
    return true;
}

// The samples go to the end of the scene's; the object points at them when all are there, as they may move until then.
static bool read_path(fr__scene_reader *r, fr_json_value token, fr_scene_object *object) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(&r->reader, token, "path", 1, UINT32_MAX)) { return false; }
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        const fr_scene_sample *samples = r->scene->samples.data;
        const fr_scene_sample *before = object->path_count > 0 ? &samples[r->scene->samples.count - 1] : NULL;
        if (!read_sample(r, value, before)) { return false; }
        object->path_count++;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Objects

// In the order in which they are read.
enum {
    OBJECT_NAME,
    OBJECT_MODEL,
    OBJECT_UNIT,
    OBJECT_UP,
    OBJECT_SHAPE,
    OBJECT_BOXES,
    OBJECT_ROWS,
    OBJECT_CLASS,
    OBJECT_VALUE,
    OBJECT_VALUE_DEG,
    OBJECT_DATA,
    OBJECT_POSITION,
    OBJECT_ROTATION,
    OBJECT_AXIS_ANGLE,
    OBJECT_SCALE,
    OBJECT_PIVOT,
    OBJECT_KNOWN,
    OBJECT_STATIC,
    OBJECT_VELOCITY,
    OBJECT_ANGULAR_VELOCITY,
    OBJECT_PATH,
    OBJECT_COLOR,
    OBJECT_SENSOR,
    OBJECT_REAL,
    OBJECT_SELF,
    OBJECT_GHOST,
    OBJECT_PROXY,
    OBJECT_LAYERS,
    OBJECT_MASK,
    OBJECT_GROUP,
    OBJECT_POSITION_ERROR,
    OBJECT_ROTATION_ERROR,
    OBJECT_LATENCY,
    OBJECT_TRACKED,
    OBJECT_AHEAD,
    OBJECT_OCTREE,
    OBJECT_RADAR,
    OBJECT_STATES,
    OBJECT_KEYS
};

#define VECTOR(name, member, high) FR__SCENE_VECTOR(name, fr_scene_object, member, high)
#define FLAG(name, bit)                                                                                                \
    { .key = name, .type = FR_JSON_AS_FLAG, .offset = offsetof(fr_scene_object, flags), .count = bit }
#define BITS(name, member)                                                                                             \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_WHOLE, .offset = offsetof(fr_scene_object, member), .range = {                 \
            0.0,                                                                                                       \
            UINT32_MAX                                                                                                 \
        }                                                                                                              \
    }
#define AMOUNT(name, member, low, high)                                                                                \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBER, .offset = offsetof(fr_scene_object, member), .range = { low, high }    \
    }

static const fr_json_field object_fields[OBJECT_KEYS] = {
    [OBJECT_NAME] = {.key = "name",
                     .is_required = true,
                     .type = FR_JSON_AS_STRING,
                     .offset = offsetof(fr_scene_object, name),
                     .count = FR_WORLD_NAME_MAX_BYTES},
    [OBJECT_MODEL] = {.key = "model"},
    [OBJECT_UNIT] = {.key = "unit"},
    [OBJECT_UP] = {.key = "up"},
    [OBJECT_SHAPE] = {.key = "shape"},
    [OBJECT_BOXES] = {.key = "boxes"},
    [OBJECT_ROWS] = {.key = "rows"},
    [OBJECT_CLASS] = {.key = "class"},
    [OBJECT_VALUE] = {.key = "value"},
    [OBJECT_VALUE_DEG] = {.key = "value_deg"},
    [OBJECT_DATA] = {.key = "data"},
    [OBJECT_POSITION] = VECTOR("position", pose.position, FR_SCENE_LENGTH_MAX),
    [OBJECT_ROTATION] = {.key = "rotation"},
    [OBJECT_AXIS_ANGLE] = {.key = "axis_angle_deg"},
    [OBJECT_SCALE] = AMOUNT("scale", pose.scale, FR_SCENE_SCALE_MIN, FR_SCENE_SCALE_MAX),
    [OBJECT_PIVOT] = VECTOR("pivot", pivot_local, FR_SCENE_LENGTH_MAX),
    [OBJECT_KNOWN] = {.key = "known", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr_scene_object, is_known)},
    [OBJECT_STATIC] = {.key = "static", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr_scene_object, is_static)},
    [OBJECT_VELOCITY] = VECTOR("velocity", velocity, FR_SCENE_LENGTH_MAX),
    [OBJECT_ANGULAR_VELOCITY] = VECTOR("angular_velocity_deg", angular_velocity, FR_SCENE_SPIN_MAX_DEG),
    [OBJECT_PATH] = {.key = "path"},
    [OBJECT_COLOR] = {.key = "color"},
    [OBJECT_SENSOR] = FLAG("sensor", FR_OBJECT_SENSOR),
    [OBJECT_REAL] = FLAG("real", FR_OBJECT_REAL),
    [OBJECT_SELF] = FLAG("self", FR_OBJECT_SELF),
    [OBJECT_GHOST] = FLAG("ghost", FR_OBJECT_GHOST),
    [OBJECT_PROXY] = FLAG("proxy", FR_OBJECT_PROXY),
    [OBJECT_LAYERS] = BITS("layers", filter.layers),
    [OBJECT_MASK] = BITS("mask", filter.mask),
    [OBJECT_GROUP] = {.key = "group",
                      .type = FR_JSON_AS_INTEGER,
                      .offset = offsetof(fr_scene_object, filter.group),
                      .range = {INT32_MIN, INT32_MAX}},
    [OBJECT_POSITION_ERROR] = AMOUNT("position_error", position_error, 0.0, FR_SCENE_LENGTH_MAX),
    [OBJECT_ROTATION_ERROR] = AMOUNT("rotation_error_deg", rotation_error, 0.0, 180.0),
    [OBJECT_LATENCY] = AMOUNT("latency", latency, 0.0, FR_SCENE_LATENCY_MAX),
    [OBJECT_TRACKED] = {.key = "tracked",
                        .type = FR_JSON_AS_WHOLE,
                        .offset = offsetof(fr_scene_object, tracked),
                        .range = {0.0, FR_SCENE_SENSOR_MAX}},
    [OBJECT_AHEAD] = {.key = "ahead"},
    [OBJECT_OCTREE] = {.key = "octree",
                       .type = FR_JSON_AS_WHOLE,
                       .offset = offsetof(fr_scene_object, octree),
                       .range = {FR_OCTREE_LAYER_MIN_DEPTH, FR_OCTREE_LAYER_MAX_DEPTH}},
    [OBJECT_RADAR] = {.key = "radar"},
    [OBJECT_STATES] = {.key = "states"},
};

// Reads the fields first .. last.
static bool read_run(fr__scene_reader *r, const fr_json_value *values, int first, int last, fr_scene_object *object) {
    return fr_json_read_fields(&r->reader, values + first, object_fields + first, (size_t)(last - first) + 1, object);
}

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

static bool read_shape(fr__scene_reader *r, fr_json_value token, const char **out) {
    const char *name;
    if (!fr_json_read_string(&r->reader, token, "shape", FR_WORLD_NAME_MAX_BYTES, &name)) { return false; }
    if (is_shape(name)) {
        *out = name;
        return true;
    }
    if (strncmp(name, "sphere:", 7) == 0) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "a sphere is named as sphere:8x16, stacks x slices");
    }
    fr_suggestion suggestion = fr_suggestion_begin(name);
    const char *known;
    for (size_t i = 0; (known = fr_mesh_name(i)) != NULL; i++) {
        fr_suggestion_offer(&suggestion, known);
    }
    if (suggestion.best == NULL) { return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "no shape '%s'", name); }
    return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "no shape '%s'; did you mean '%s'?", name,
                        suggestion.best);
}

// Cells of a world that a plan gives.
static bool read_cells(fr__scene_reader *r, const fr_json_value *values, fr_scene_object *object) {
    fr_json_value boxes = values[OBJECT_BOXES], rows = values[OBJECT_ROWS];
    if (!r->has_plan) {
        return fr_json_fail(&r->reader, fr_json_key(boxes != FR_JSON_NONE ? boxes : rows), FR_ERROR_SYNTAX,
                            "cells need a scene with 'plan', which says how large they are");
    }
    return fr__scene_read_cells(r, boxes, rows, object);
}

// The model, the shape or the cells, of which there must be one.
static bool read_source(fr__scene_reader *r, fr_json_value token, const fr_json_value *values,
                        fr_scene_object *object) {
    static const int sources[] = {OBJECT_MODEL, OBJECT_SHAPE, OBJECT_BOXES, OBJECT_ROWS, OBJECT_CLASS};
    fr_json_value source = FR_JSON_NONE;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        fr_json_value value = values[sources[i]];
        if (value != FR_JSON_NONE && source != FR_JSON_NONE) {
            return fr_json_fail(&r->reader, fr_json_key(value > source ? value : source), FR_ERROR_SYNTAX,
                                "an object has 'model', 'shape', 'boxes', 'rows' or 'class', not two of them");
        }
        if (value != FR_JSON_NONE) { source = value; }
    }
    if (source == FR_JSON_NONE) {
        return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "an object needs 'model', 'shape' or 'class'");
    }
    fr_json_place(r->reader.json, source, &r->reader.mark, &object->line, &object->column);
    if (source == values[OBJECT_CLASS]) { return fr__scene_read_class(r, source, object); }
    if (source == values[OBJECT_SHAPE]) { return read_shape(r, source, &object->shape); }
    if (source != values[OBJECT_MODEL]) { return read_cells(r, values, object); }
    return fr_json_read_string(&r->reader, source, "model", FR_SCENE_PATH_MAX_BYTES, &object->model);
}

// Only a model has a unit and an axis of its own.
static bool read_frame(fr__scene_reader *r, const fr_json_value *values, fr_scene_object *object) {
    fr_json_value unit = values[OBJECT_UNIT], up = values[OBJECT_UP], any = unit != FR_JSON_NONE ? unit : up;
    if (any == FR_JSON_NONE) { return true; }
    if (object->model != NULL) { return fr__scene_read_frame(r, unit, up, object); }
    return fr_json_fail(&r->reader, fr_json_key(any), FR_ERROR_SYNTAX, "only an object with 'model' has '%s'",
                        any == unit ? "unit" : "up");
}

// A path gives place and motion; what is static has neither velocity nor path.
static bool check_together(fr__scene_reader *r, const fr_json_value *values, bool is_static) {
    static const int beside_path[] = {OBJECT_POSITION,         OBJECT_ROTATION, OBJECT_AXIS_ANGLE, OBJECT_VELOCITY,
                                      OBJECT_ANGULAR_VELOCITY, OBJECT_VALUE,    OBJECT_VALUE_DEG};
    static const int motions[] = {OBJECT_VELOCITY, OBJECT_ANGULAR_VELOCITY, OBJECT_PATH, OBJECT_TRACKED, OBJECT_AHEAD};
    for (size_t i = 0; i < sizeof beside_path / sizeof beside_path[0]; i++) {
        fr_json_value value = values[beside_path[i]];
        if (values[OBJECT_PATH] == FR_JSON_NONE || value == FR_JSON_NONE) { continue; }
        return fr_json_fail(&r->reader, fr_json_key(value), FR_ERROR_SYNTAX, "an object with 'path' has no '%s'",
                            object_fields[beside_path[i]].key);
    }
    for (size_t i = 0; is_static && i < sizeof motions / sizeof motions[0]; i++) {
        fr_json_value value = values[motions[i]];
        if (value == FR_JSON_NONE) { continue; }
        return fr_json_fail(&r->reader, fr_json_key(value), FR_ERROR_SYNTAX, "a static object has no '%s'",
                            object_fields[motions[i]].key);
    }
    return true;
}

// Velocities, which must keep the object within the limits of a motion up to the last step.
static bool read_velocities(fr__scene_reader *r, const fr_json_value *values, fr_scene_object *object) {
    if (!read_run(r, values, OBJECT_VELOCITY, OBJECT_ANGULAR_VELOCITY, object)) { return false; }
    fr_json_value spin = values[OBJECT_ANGULAR_VELOCITY];
    fr_vec3 spin_deg = object->angular_velocity;
    object->angular_velocity = fr_vec3_make(fr_radians(spin_deg.x), fr_radians(spin_deg.y), fr_radians(spin_deg.z));
    double duration = fr_scene_time(r->scene, r->scene->view.steps);
    if (spin != FR_JSON_NONE && fr_vec3_length(object->angular_velocity) * duration > FR_TURN_MAX) {
        return fr_json_fail(&r->reader, spin, FR_ERROR_LIMIT, "the object turns by more than %.9g degrees in all steps",
                            fr_degrees(FR_TURN_MAX));
    }
    return true;
}

static bool read_placement(fr__scene_reader *r, const fr_json_value *values, fr_scene_object *object) {
    return read_run(r, values, OBJECT_POSITION, OBJECT_POSITION, object) &&
           fr_json_read_rotation(&r->reader, values[OBJECT_ROTATION], values[OBJECT_AXIS_ANGLE],
                                 &object->pose.rotation) &&
           read_run(r, values, OBJECT_SCALE, OBJECT_STATIC, object);
}

// How the object is shown, what meets it, how well its pose is known, and its states.
static bool read_manner(fr__scene_reader *r, const fr_json_value *values, fr_scene_object *object) {
    object->flags = object->is_static ? FR_OBJECT_STATIC : 0;
    object->filter = fr_default_object_def().filter;
    object->color = fr_default_label().color;
    object->joint = object->person = object->proxy = FR_NONE;
    object->tracked = FR_NONE;
    if (!fr__scene_read_color(&r->reader, values[OBJECT_COLOR], &object->color) ||
        !read_run(r, values, OBJECT_SENSOR, OBJECT_TRACKED, object)) {
        return false;
    }
    object->rotation_error = fmin(fr_radians(object->rotation_error), FR_PI);
    return fr__scene_read_ahead(r, values[OBJECT_AHEAD], &object->ahead) &&
           read_run(r, values, OBJECT_OCTREE, OBJECT_OCTREE, object) &&
           fr__scene_read_radar(r, values[OBJECT_RADAR], &object->radar) &&
           fr__scene_read_states(r, values[OBJECT_STATES], object);
}

// The pivot of an object of cells is its origin, in cells. Where it or the position is not given, both are found when
// the size of a cell is known.
static bool note_cells(fr__scene_reader *r, const fr_json_value *values, fr_scene_object *object) {
    if (object->box_count == 0) { return true; }
    object->cell_pivot = object->pivot_local;
    object->pivot_local = fr_vec3_make(0.0, 0.0, 0.0);
    fr__unplaced *note = fr__unplaced_array_push(&r->unplaced, 1);
    if (note == NULL) { return fr_json_fail_memory(&r->reader); }
    note->object = (uint32_t)r->scene->objects.count;
    note->needs_pivot = values[OBJECT_PIVOT] == FR_JSON_NONE;
    note->needs_position = values[OBJECT_POSITION] == FR_JSON_NONE && values[OBJECT_PATH] == FR_JSON_NONE;
    return true;
}

// What an object of a class has of its own.
static bool read_own(fr__scene_reader *r, fr_json_value token, const fr_json_value *values, fr_scene_object *object) {
    const fr__scene_own own = {token, values[OBJECT_VALUE], values[OBJECT_VALUE_DEG], values[OBJECT_DATA],
                               values[OBJECT_COLOR] != FR_JSON_NONE};
    return fr__scene_read_own(r, &own, object);
}

static bool read_object(fr__scene_reader *r, fr_json_value token) {
    fr_json_value values[OBJECT_KEYS];
    fr_scene_object object = {.pose = fr_pose_identity()};
    bool right = fr_json_read_object(&r->reader, token, "an object", object_fields, OBJECT_KEYS, values) &&
                 read_run(r, values, OBJECT_NAME, OBJECT_NAME, &object) && read_source(r, token, values, &object) &&
                 read_frame(r, values, &object) && read_placement(r, values, &object) &&
                 check_together(r, values, object.is_static) && read_velocities(r, values, &object) &&
                 read_path(r, values[OBJECT_PATH], &object) && read_manner(r, values, &object) &&
                 read_own(r, token, values, &object);
    if (!right || !note_cells(r, values, &object)) { return false; }

    fr_scene_object *place = fr__scene_object_array_push(&r->scene->objects, 1);
    fr__name_place *name = fr__name_place_array_push(&r->names, 1);
    if (place == NULL || name == NULL) { return fr_json_fail_memory(&r->reader); }
    *place = object;
    *name = (fr__name_place){object.name, values[OBJECT_NAME], (uint32_t)r->scene->objects.count - 1};
    return fr__scene_add_frames(r, values[OBJECT_NAME]);
}

// ---------------------------------------------------------------------------------------------------------------
// The scene

// In the order in which they are read.
enum {
    SCENE_FUREAI,
    SCENE_STEP,
    SCENE_STEPS,
    SCENE_TITLE,
    SCENE_ABOUT,
    SCENE_TRY,
    SCENE_LOOP,
    SCENE_LIBRARY,
    SCENE_SCRIPT,
    SCENE_OBJECTS,
    SCENE_PEOPLE,
    SCENE_JOINTS,
    SCENE_PLAN,
    SCENE_AID,
    SCENE_TOUCH,
    SCENE_SEEK,
    SCENE_SURFACES,
    SCENE_VIEW,
    SCENE_ASSEMBLY,
    SCENE_KEYS
};

#define TEXT(name, member, bytes)                                                                                      \
    { .key = name, .type = FR_JSON_AS_STRING, .offset = offsetof(fr_scene_view, member), .count = bytes }

static const fr_json_field scene_fields[SCENE_KEYS] = {
    [SCENE_FUREAI] = {.key = "fureai", .is_required = true},
    [SCENE_STEP] = {.key = "step",
                    .type = FR_JSON_AS_NUMBER,
                    .offset = offsetof(fr_scene_view, step),
                    .range = {FR_WORLD_STEP_MIN, FR_WORLD_STEP_MAX}},
    [SCENE_STEPS] = {.key = "steps",
                     .type = FR_JSON_AS_WHOLE,
                     .offset = offsetof(fr_scene_view, steps),
                     .range = {1.0, FR_SCENE_STEPS_MAX}},
    [SCENE_TITLE] = TEXT("title", title, FR_WORLD_NAME_MAX_BYTES),
    [SCENE_ABOUT] = TEXT("about", about, FR_SCENE_TEXT_MAX_BYTES),
    [SCENE_TRY] = TEXT("try", hint, FR_SCENE_TEXT_MAX_BYTES),
    [SCENE_LOOP] = {.key = "loop", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr_scene_view, is_loop)},
    [SCENE_LIBRARY] = TEXT("library", library, FR_SCENE_PATH_MAX_BYTES),
    [SCENE_SCRIPT] = TEXT("script", script, FR_SCENE_PATH_MAX_BYTES),
    [SCENE_OBJECTS] = {.key = "objects", .is_required = true},
    [SCENE_PEOPLE] = {.key = "people"},
    [SCENE_JOINTS] = {.key = "joints"},
    [SCENE_PLAN] = {.key = "plan"},
    [SCENE_AID] = {.key = "aid"},
    [SCENE_TOUCH] = {.key = "touch"},
    [SCENE_SEEK] = {.key = "seek"},
    [SCENE_SURFACES] = {.key = "surfaces"},
    [SCENE_VIEW] = {.key = "view"},
    [SCENE_ASSEMBLY] = {.key = "assembly"}};

static bool name_is_before(const fr__name_place *a, const fr__name_place *b) {
    int order = strcmp(a->name, b->name);
    return order != 0 ? order < 0 : a->value < b->value;
}

FR_SORT_TYPE(sort_names, fr__name_place, name_is_before);

// Reports the first object whose name another one has before it.
static bool check_names(fr__scene_reader *r) {
    fr__name_place *names = r->names.data;
    size_t count = r->names.count;
    if (count == 0) { return true; }
    sort_names(names, count);
    const fr__name_place *first = NULL;
    for (size_t i = 1; i < count; i++) {
        bool again = strcmp(names[i - 1].name, names[i].name) == 0;
        if (again && (first == NULL || names[i].value < first->value)) { first = &names[i]; }
    }
    if (first == NULL) { return true; }
    return fr_json_fail(&r->reader, first->value, FR_ERROR_ARGUMENT, "another object has the name '%s'", first->name);
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
    fr_json_value values[SCENE_KEYS];
    fr_scene_view *view = &r->scene->view;
    view->step = 0.01;
    view->steps = 1;
    view->title = view->about = view->hint = view->library = view->script = "";
    bool right = fr_json_read_object(&r->reader, FR_JSON_ROOT, "a scene", scene_fields, SCENE_KEYS, values) &&
                 fr__scene_read_version(&r->reader, values[SCENE_FUREAI]) &&
                 fr_json_read_fields(&r->reader, values, scene_fields, SCENE_KEYS, view) &&
                 fr_json_read_array(&r->reader, values[SCENE_OBJECTS], "objects", 0, max_objects);
    if (!right) { return false; }
    r->has_plan = values[SCENE_PLAN] != FR_JSON_NONE;
    r->max_objects = max_objects;
    for (fr_json_value value = fr_json_first(r->reader.json, values[SCENE_OBJECTS]); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        if (!read_object(r, value)) { return false; }
    }
    settle_paths(r->scene);
    return fr__scene_read_people(r, values[SCENE_PEOPLE], max_objects) && check_names(r) &&
           fr__scene_read_joints(r, values[SCENE_JOINTS]) && fr__scene_add_class_joints(r) &&
           fr__scene_read_plans(r, values[SCENE_PLAN]) && fr__scene_read_aid(r, values[SCENE_AID]) &&
           fr__scene_read_touch(r, values[SCENE_TOUCH]) && fr__scene_read_seeks(r, values[SCENE_SEEK]) &&
           fr__scene_read_surfaces(r, values[SCENE_SURFACES], &view->surfaces) &&
           fr__scene_read_camera(r, values[SCENE_VIEW]) && fr__scene_read_assembly(r, values[SCENE_ASSEMBLY]) &&
           fr__scene_read_tasks(r, values[SCENE_PEOPLE]);
}

// Objects of cells stand where their cells are, unless the file says otherwise, and turn about the world's middle.
static void place_cells(fr_scene *scene, const fr__unplaced_array *unplaced) {
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
static void finish_scene(fr_scene *scene, const fr__unplaced_array *unplaced, const char *name) {
    const fr_scene_state *states = scene->states.data;
    const fr_plan_box *boxes = scene->boxes.data;
    fr_scene_object *objects = scene->objects.data;
    scene->view.plans = scene->plans.data;
    scene->view.plan_count = (uint32_t)scene->plans.count;
    place_cells(scene, unplaced);
    fr__scene_settle_assembly(scene);
    fr__scene_settle_camera(scene);
    fr__scene_settle_tasks(scene);
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
    scene->view.people = scene->people.data;
    scene->view.person_count = (uint32_t)scene->people.count;
    scene->view.seeks = scene->seeks.data;
    scene->view.seek_count = (uint32_t)scene->seeks.count;
    scene->view.joints = scene->joints.data;
    scene->view.joint_count = (uint32_t)scene->joints.count;
}

// A copy of the file's name, for messages that come later.
static bool keep_name(fr__scene_reader *r, const char *name, const char **out) {
    size_t bytes = strlen(name) + 1;
    char *copy = fr_arena_alloc(r->scene->strings, bytes, 1, 1);
    if (copy == NULL) { return fr_json_fail_memory(&r->reader); }
    memcpy(copy, name, bytes);
    *out = copy;
    return true;
}

fr_scene_read_input fr_default_scene_read_input(void) {
    return (fr_scene_read_input){.max_bytes = (size_t)1 << 28, .max_objects = 1000000, .cookie = READ_COOKIE};
}

fr_status fr_scene_read(const void *bytes, size_t size, const fr_scene_read_input *options, fr_scene **out,
                        fr_error *error) {
    FR_ASSERT((bytes != NULL || size == 0) && out != NULL);
    fr_scene_read_input defaults = fr_default_scene_read_input();
    if (options == NULL) { options = &defaults; }
    *out = NULL;
    if (options->cookie != READ_COOKIE) { return fr_error_set_cookie(error, "fr_default_scene_read_input"); }
    fr_json_def def = fr_default_json_def();
    def.name = options->name;
    def.max_bytes = options->max_bytes;
    def.max_depth = MAX_DEPTH;
    def.is_container = true;
    def.allocator = options->allocator;
    fr_json *json;
    fr_status status = fr_json_create(bytes, size, &def, &json, error);
    if (status != FR_OK) { return status; }

    fr_scene *scene = fr__scene_make(&options->allocator);
    fr__scene_reader r = {.scene = scene, .provider = options->classes, .body = options->body};
    r.reader = fr_json_reader_make(json, scene != NULL ? scene->strings : NULL, error);
    r.names = fr__name_place_array_make(&options->allocator);
    r.unplaced = fr__unplaced_array_make(&options->allocator);
    r.classes = fr__scene_class_note_array_make(&options->allocator);
    r.class_joints = fr__scene_class_joint_array_make(&options->allocator);
    const char *name = "";
    bool right = false;
    if (scene != NULL) {
        right = read_scene(&r, options->max_objects) && (options->name == NULL || keep_name(&r, options->name, &name));
    } else {
        fr_json_fail_memory(&r.reader);
    }
    fr__name_place_array_destroy(&r.names);
    fr__scene_class_note_array_destroy(&r.classes);
    fr__scene_class_joint_array_destroy(&r.class_joints);
    fr_json_destroy(json);
    if (right) {
        finish_scene(scene, &r.unplaced, name);
    } else {
        fr_scene_destroy(scene);
    }
    fr__unplaced_array_destroy(&r.unplaced);
    if (!right) { return r.reader.status; }
    *out = scene;
    return FR_OK;
}

// Reads what an object has of its class: models, color, joint, and its own value and data.
#include "scene/scene_reader.h"

#include "fureai/base_order.h"

#include <string.h>

static bool class_is_before_name(const fr__scene_class_note *note, const char *name) {
    return strcmp(note->name, name) < 0;
}

FR_SEARCH_TYPE(find_note, fr__scene_class_note, const char *, class_is_before_name);

// ---------------------------------------------------------------------------------------------------------------
// Classes

// A copy of the models' paths: the provider's stay until the next call alone.
static bool copy_models(fr__scene_reader *r, const fr_scene_class *found, fr__scene_class_note *note) {
    fr_arena *arena = r->scene->strings;
    char **models = fr_arena_alloc(arena, found->model_count, sizeof *models, _Alignof(char *));
    if (models == NULL) { return fr_json_fail_memory(&r->reader); }
    for (uint32_t i = 0; i < found->model_count; i++) {
        size_t bytes = strlen(found->models[i]) + 1;
        models[i] = fr_arena_alloc(arena, bytes, 1, 1);
        if (models[i] == NULL) { return fr_json_fail_memory(&r->reader); }
        memcpy(models[i], found->models[i], bytes);
    }
    note->models = (const char *const *)models;
    note->model_count = found->model_count;
    return true;
}

// A copy of the frames that something stands on.
static bool copy_frames(fr__scene_reader *r, const fr_scene_class *found, fr__scene_class_note *note) {
    fr_scene_frame *frames = NULL;
    for (uint32_t i = 0; i < found->frame_count; i++) {
        const fr_scene_frame *from = &found->frames[i];
        if (from->class_name == NULL) { continue; }
        fr_arena *arena = r->scene->strings;
        if (frames == NULL) {
            frames = fr_arena_alloc(arena, found->frame_count - i, sizeof *frames, _Alignof(fr_scene_frame));
        }
        size_t length = strlen(from->name) + 1, more = strlen(from->class_name) + 1;
        char *text = frames != NULL ? fr_arena_alloc(arena, length + more, 1, 1) : NULL;
        if (text == NULL) { return fr_json_fail_memory(&r->reader); }
        memcpy(text, from->name, length);
        memcpy(text + length, from->class_name, more);
        frames[note->frame_count++] = (fr_scene_frame){text, from->pose, text + length};
    }
    note->frames = frames;
    return true;
}

// An error that names a place in the class's own file stays; else it is reported where the scene names the class.
static bool fail_class(fr__scene_reader *r, fr_json_value token, const fr_error *why) {
    fr_status status = why->status != FR_OK ? why->status : FR_ERROR_ARGUMENT;
    if (why->path[0] == '\0' || why->line == 0) { return fr_json_fail(&r->reader, token, status, "%s", why->message); }
    if (r->reader.error != NULL) { *r->reader.error = *why; }
    r->reader.status = status;
    return false;
}

static bool find_class(fr__scene_reader *r, fr_json_value token, const char *name, fr__scene_class_note *out) {
    size_t at = find_note(r->classes.data, r->classes.count, name);
    if (at < r->classes.count && strcmp(r->classes.data[at].name, name) == 0) {
        *out = r->classes.data[at];
        return true;
    }
    if (r->provider.find == NULL) {
        return fr_json_fail(&r->reader, token, FR_ERROR_UNSUPPORTED, "classes are not looked up here; 'model' is read");
    }
    fr_scene_class found = {0};
    fr_error why = {0};
    if (r->provider.find(r->scene->view.library, name, &found, r->provider.context, &why) != FR_OK) {
        return fail_class(r, token, &why);
    }
    bool has_models = found.model_count >= 1 && found.model_count <= FR_SCENE_CLASS_MAX_MODELS;
    if (found.is_person) { found.model_count = 0; }
    if (!found.is_person && !has_models) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "the class '%s' has no models, or too many", name);
    }
    fr__scene_class_note note = {.name = name, .is_static = found.is_static};
    note.has_joint = found.joint != NULL;
    note.has_color = found.has_color;
    note.color = found.color;
    if (note.has_joint) { note.joint = *found.joint; }
    note.is_person = found.is_person;
    note.body = found.body;
    note.speed = found.speed;
    note.curves = found.curves;
    note.seed = found.seed;
    if (!copy_models(r, &found, &note) || !copy_frames(r, &found, &note)) { return false; }
    if (fr__scene_class_note_array_push(&r->classes, 1) == NULL) { return fr_json_fail_memory(&r->reader); }
    fr__scene_class_note *notes = r->classes.data;
    memmove(notes + at + 1, notes + at, (r->classes.count - 1 - at) * sizeof *notes);
    notes[at] = note;
    *out = note;
    return true;
}

bool fr__scene_read_class(fr__scene_reader *r, fr_json_value token, fr_scene_object *object) {
    fr__scene_class_note note;
    if (!fr_json_read_string(&r->reader, token, "class", FR_WORLD_NAME_MAX_BYTES, &object->class_name) ||
        !find_class(r, token, object->class_name, &note)) {
        return false;
    }
    if (note.is_person) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "'%s' is a person, no class of objects", note.name);
    }
    object->models = note.models;
    object->model_count = note.model_count;
    object->is_static = note.is_static;
    r->class_now = note;
    return true;
}

bool fr__scene_read_person_class(fr__scene_reader *r, fr_json_value token, fr_scene_person *person) {
    fr__scene_class_note note;
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_string(&r->reader, token, "class", FR_WORLD_NAME_MAX_BYTES, &person->class_name) ||
        !find_class(r, token, person->class_name, &note)) {
        return false;
    }
    if (!note.is_person) { return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "'%s' is no person", note.name); }
    note.body.allocator = person->body.allocator;
    person->body = note.body;
    person->speed = note.speed;
    person->curves = note.curves;
    person->seed = note.seed;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// What is the object's own

// The data go to the scene's strings, one list an object.
static bool read_data(fr__scene_reader *r, fr_json_value token, fr_scene_object *object) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_map(&r->reader, token, "data", FR_SCENE_DATA_MAX)) { return false; }
    uint32_t count = fr_json_count(r->reader.json, token);
    fr_scene_datum *data = fr_arena_alloc(r->scene->strings, count, sizeof *data, _Alignof(fr_scene_datum));
    if (data == NULL) { return fr_json_fail_memory(&r->reader); }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        bool right =
            fr_json_read_string(&r->reader, fr_json_key(value), "a key", FR_WORLD_NAME_MAX_BYTES, &data[i].key) &&
            fr_json_read_string(&r->reader, value, "data", FR_SCENE_TEXT_MAX_BYTES, &data[i].text);
        if (!right) { return false; }
        for (uint32_t before = 0; before < i; before++) {
            if (strcmp(data[before].key, data[i].key) != 0) { continue; }
            return fr_json_fail(&r->reader, fr_json_key(value), FR_ERROR_SYNTAX, "'%s' stands here for the second time",
                                data[i].key);
        }
    }
    object->data = data;
    object->data_count = count;
    return true;
}

// The value of the joint: degrees of what turns, metres of a slider; that of the class unless given.
static bool read_value(fr__scene_reader *r, const fr__scene_own *own, double *out) {
    const fr_scene_joint *joint = &r->class_now.joint;
    bool turns = joint->kind != FR_JOINT_SLIDER;
    fr_json_value right = turns ? own->value_deg : own->value, wrong = turns ? own->value : own->value_deg;
    double high = turns ? FR_SCENE_ANGLE_MAX_DEG : FR_SCENE_LENGTH_MAX;
    const fr_json_range range = {-high, high};
    if (wrong != FR_JSON_NONE) {
        return fr_json_fail(&r->reader, fr_json_key(wrong), FR_ERROR_SYNTAX, "the joint of this class has '%s'",
                            turns ? "value_deg" : "value");
    }
    *out = joint->value;
    if (right == FR_JSON_NONE) { return true; }
    if (!fr_json_read_number(&r->reader, right, turns ? "value_deg" : "value", range, out)) { return false; }
    if (turns) { *out = fr_radians(*out); }
    if (*out >= joint->low && *out <= joint->high) { return true; }
    return fr_json_fail(&r->reader, right, FR_ERROR_ARGUMENT, "the value %.9g of the joint is outside its limits",
                        turns ? fr_degrees(*out) : *out);
}

// The joint of the class where the object is placed; then the object goes from the class's value to its own.
static void place_joint(const fr_scene_joint *from, double value, fr_scene_object *object, fr_scene_joint *out) {
    double scale = object->pose.scale, by = value - from->value;
    *out = *from;
    out->position = fr_pose_apply(&object->pose, from->position);
    out->axis = fr_mat3_apply(fr_quat_to_mat3(object->pose.rotation), from->axis);
    out->value = value;
    fr_vec3 origin = object->pose.position;
    if (from->kind == FR_JOINT_SLIDER) {
        out->low *= scale;
        out->high *= scale;
        out->value *= scale;
        object->pose.position = fr_vec3_add_scaled(origin, by * scale, out->axis);
        return;
    }
    out->pitch *= scale;
    if (by == 0.0) { return; }
    fr_quat turn = fr_quat_from_axis_angle(out->axis, by);
    fr_vec3 arm = fr_mat3_apply(fr_quat_to_mat3(turn), fr_vec3_sub(origin, out->position));
    fr_vec3 turned = fr_vec3_add(out->position, arm);
    object->pose.position = fr_vec3_add_scaled(turned, by * out->pitch, out->axis);
    object->pose.rotation = fr_quat_multiply(turn, object->pose.rotation);
    (void)fr_quat_normalize(&object->pose.rotation, NULL);
}

bool fr__scene_read_own(fr__scene_reader *r, const fr__scene_own *own, fr_scene_object *object) {
    fr_json_value value = own->value != FR_JSON_NONE ? own->value : own->value_deg;
    fr_json_value any = own->data != FR_JSON_NONE ? own->data : value;
    if (any != FR_JSON_NONE && object->class_name == NULL) {
        return fr_json_fail(&r->reader, fr_json_key(any), FR_ERROR_SYNTAX, "only an object with 'class' has '%s'",
                            any == own->data        ? "data"
                            : any == own->value_deg ? "value_deg"
                                                    : "value");
    }
    if (object->class_name == NULL) { return true; }
    if (!own->has_color && r->class_now.has_color) { object->color = r->class_now.color; }
    if (!read_data(r, own->data, object)) { return false; }
    bool has_joint = r->class_now.has_joint && !object->is_static;
    if (!has_joint && value != FR_JSON_NONE) {
        return fr_json_fail(&r->reader, fr_json_key(value), FR_ERROR_SYNTAX, "'%s' hangs on no joint of its class",
                            object->name);
    }
    double now;
    if (!has_joint) { return true; }
    if (!read_value(r, own, &now)) { return false; }
    if (object->path_count > 0) {
        const fr_scene_sample *first = &r->scene->samples.data[r->scene->samples.count - object->path_count];
        object->pose.position = first->position;
        object->pose.rotation = first->rotation;
    }
    fr__scene_class_joint *note = fr__scene_class_joint_array_push(&r->class_joints, 1);
    if (note == NULL) { return fr_json_fail_memory(&r->reader); }
    place_joint(&r->class_now.joint, now, object, &note->joint);
    note->joint.parent = FR_NONE;
    note->joint.child = (uint32_t)r->scene->objects.count;
    note->token = own->object;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// What stands on an object

static const char *join_names(fr__scene_reader *r, const char *first, const char *second, fr_json_value token) {
    size_t length = strlen(first), more = strlen(second) + 1;
    if (length + more > FR_WORLD_NAME_MAX_BYTES) {
        fr_json_fail(&r->reader, token, FR_ERROR_LIMIT, "the name '%s %s' is too long", first, second);
        return NULL;
    }
    char *name = fr_arena_alloc(r->scene->strings, length + 1 + more, 1, 1);
    if (name == NULL) {
        fr_json_fail_memory(&r->reader);
        return NULL;
    }
    memcpy(name, first, length);
    name[length] = ' ';
    memcpy(name + length + 1, second, more);
    return name;
}

static bool add_framed(fr__scene_reader *r, const fr_scene_object *base, const fr_scene_frame *frame,
                       fr_json_value token) {
    fr__scene_class_note note;
    if (r->scene->objects.count >= r->max_objects) {
        return fr_json_fail(&r->reader, token, FR_ERROR_LIMIT, "objects are more than %u", (unsigned)r->max_objects);
    }
    if (!find_class(r, token, frame->class_name, &note)) { return false; }
    if (note.is_person) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "'%s' is a person, no class of objects", note.name);
    }
    fr_scene_object object = *base;
    object.name = join_names(r, base->name, frame->name, token);
    if (object.name == NULL) { return false; }
    object.class_name = frame->class_name;
    object.models = note.models;
    object.model_count = note.model_count;
    object.is_static = note.is_static;
    object.data = NULL;
    object.data_count = 0;
    object.color = note.has_color ? note.color : fr_default_label().color;
    object.pose = fr_pose_compose(&base->pose, &frame->pose);
    if (note.has_joint && !note.is_static) {
        fr__scene_class_joint *joint = fr__scene_class_joint_array_push(&r->class_joints, 1);
        if (joint == NULL) { return fr_json_fail_memory(&r->reader); }
        place_joint(&note.joint, note.joint.value, &object, &joint->joint);
        joint->joint.parent = FR_NONE;
        joint->joint.child = (uint32_t)r->scene->objects.count;
        joint->token = token;
    }
    fr_scene_object *place = fr__scene_object_array_push(&r->scene->objects, 1);
    fr__name_place *name = fr__name_place_array_push(&r->names, 1);
    if (place == NULL || name == NULL) { return fr_json_fail_memory(&r->reader); }
    *place = object;
    *name = (fr__name_place){object.name, token, (uint32_t)r->scene->objects.count - 1};
    return true;
}

bool fr__scene_add_frames(fr__scene_reader *r, fr_json_value name) {
    const fr_scene_object base = r->scene->objects.data[r->scene->objects.count - 1];
    if (base.class_name == NULL) { return true; }
    const fr__scene_class_note note = r->class_now;
    if (note.frame_count > 0 && (base.path_count > 0 || !base.is_static)) {
        return fr_json_fail(&r->reader, name, FR_ERROR_ARGUMENT, "'%s' moves, and its class brings other objects",
                            base.name);
    }
    for (uint32_t i = 0; i < note.frame_count; i++) {
        if (!add_framed(r, &base, &note.frames[i], name)) { return false; }
    }
    return true;
}

bool fr__scene_add_class_joints(fr__scene_reader *r) {
    for (size_t i = 0; i < r->class_joints.count; i++) {
        const fr__scene_class_joint *note = &r->class_joints.data[i];
        if (r->scene->objects.data[note->joint.child].joint != FR_NONE) { continue; }
        if (!fr__scene_add_joint(r, note->token, &note->joint)) { return false; }
    }
    return true;
}

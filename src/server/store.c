// The store as text. { "fureai": 1, "scene": NAME, "tick": N, "objects": [ { "name": NAME, "position": [x, y, z],
// "rotation": [w, x, y, z], "scale": s, "placed": true, "states": [ { "name": NAME, "value": v } ],
// "bones": [ [w, x, y, z, x, y, z, s] ], "class": NAME, "added": [w, x, y, z, x, y, z, s],
// "joint": { "kind": NAME, "parent": NAME, "in_parent": [w, x, y, z, x, y, z, s], "in_child": [likewise],
//            "low": v, "high": v, "pitch": v, "value": v } } ] }
// All states, where there is a list of them. A joint of null: it hangs on none; without the key nothing is known.
// Without a parent it hangs on the world; without a limit it has none. With "unmoved": true the pose is none: it stands
// where the scene has it.
#include "server/store.h"

#include "fureai/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STORE_VERSION = 1, MAX_DEPTH = 8, SCENE_MAX_BYTES = 1023, MAX_OBJECTS = 1000000 };

#define MAX_BYTES ((size_t)1 << 28)

fr__store fr__store_make(const fr_allocator *allocator) {
    return (fr__store){.objects = fr__store_object_array_make(allocator),
                       .states = fr__store_state_array_make(allocator),
                       .bones = fr__store_bone_array_make(allocator),
                       .joints = fr__store_joint_array_make(allocator)};
}

void fr__store_free(fr__store *store) {
    fr__store_object_array_destroy(&store->objects);
    fr__store_state_array_destroy(&store->states);
    fr__store_bone_array_destroy(&store->bones);
    fr__store_joint_array_destroy(&store->joints);
    fr_arena_destroy(store->strings);
    *store = (fr__store){0};
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

static const fr_json_field state_fields[] = {{.key = "name",
                                              .is_required = true,
                                              .type = FR_JSON_AS_STRING,
                                              .offset = offsetof(fr__store_state, name),
                                              .count = FR_WORLD_STATE_NAME_MAX_BYTES},
                                             {.key = "value",
                                              .is_required = true,
                                              .type = FR_JSON_AS_NUMBER,
                                              .offset = offsetof(fr__store_state, value),
                                              .range = {-INFINITY, INFINITY}}};

static bool read_state(fr_json_reader *r, fr_json_value token, fr__store *store) {
    fr_json_value values[2];
    fr__store_state state = {0};
    bool right = fr_json_read_object(r, token, "a state", state_fields, 2, values) &&
                 fr_json_read_fields(r, values, state_fields, 2, &state);
    if (!right) { return false; }
    fr__store_state *place = fr__store_state_array_push(&store->states, 1);
    if (place == NULL) { return fr_json_fail_memory(r); }
    *place = state;
    return true;
}

static bool read_states(fr_json_reader *r, fr_json_value token, fr__store *store, fr__store_object *object) {
    object->first_state = store->states.count;
    object->has_all_states = token != FR_JSON_NONE;
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(r, token, "states", 0, FR_WORLD_MAX_STATES)) { return false; }
    for (fr_json_value value = fr_json_first(r->json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->json, value)) {
        if (!read_state(r, value, store)) { return false; }
        object->state_count++;
    }
    return true;
}

// A pose as eight numbers: the rotation, the position and the scale.
static bool read_pose(fr_json_reader *r, fr_json_value value, const char *what, fr_pose *out) {
    const fr_json_range lengths = {-FR_LENGTH_MAX, FR_LENGTH_MAX};
    double n[8];
    if (!fr_json_read_numbers(r, value, what, lengths, 8, n)) { return false; }
    *out = (fr_pose){{n[0], n[1], n[2], n[3]}, {n[4], n[5], n[6]}, n[7]};
    if (fr_pose_check(out, NULL) == FR_OK) { return true; }
    return fr_json_fail(r, value, FR_ERROR_ARGUMENT,
                        "%s must be a quaternion of length 1, within 1 %%, a position and a scale above 0", what);
}

// Bones are in the frame of the object.
static bool read_bones(fr_json_reader *r, fr_json_value token, fr__store *store, fr__store_object *object) {
    object->first_bone = store->bones.count;
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(r, token, "bones", 1, FR_SKIN_MAX_BONES)) { return false; }
    for (fr_json_value value = fr_json_first(r->json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->json, value)) {
        fr_pose bone;
        if (!read_pose(r, value, "a bone", &bone)) { return false; }
        fr_pose *place = fr__store_bone_array_push(&store->bones, 1);
        if (place == NULL) { return fr_json_fail_memory(r); }
        *place = bone;
        object->bone_count++;
    }
    return true;
}

enum {
    JOINT_KIND,
    JOINT_PARENT,
    JOINT_IN_PARENT,
    JOINT_IN_CHILD,
    JOINT_LOW,
    JOINT_HIGH,
    JOINT_PITCH,
    JOINT_VALUE,
    JOINT_KEYS
};

static const fr_json_field joint_fields[JOINT_KEYS] = {[JOINT_KIND] = {.key = "kind", .is_required = true},
                                                       [JOINT_PARENT] = {.key = "parent"},
                                                       [JOINT_IN_PARENT] = {.key = "in_parent", .is_required = true},
                                                       [JOINT_IN_CHILD] = {.key = "in_child", .is_required = true},
                                                       [JOINT_LOW] = {.key = "low"},
                                                       [JOINT_HIGH] = {.key = "high"},
                                                       [JOINT_PITCH] = {.key = "pitch"},
                                                       [JOINT_VALUE] = {.key = "value"}};

static const fr_json_word joint_kinds[] = {{"fixed", FR_JOINT_FIXED},       {"hinge", FR_JOINT_HINGE},
                                           {"slider", FR_JOINT_SLIDER},     {"screw", FR_JOINT_SCREW},
                                           {"attached", FR_JOINT_ATTACHED}, {NULL, 0}};

static bool read_joint_number(fr_json_reader *r, fr_json_value value, const char *what, double *out) {
    const fr_json_range all = {-INFINITY, INFINITY};
    return value == FR_JSON_NONE || fr_json_read_number(r, value, what, all, out);
}

// What an object hangs on.
static bool read_joint(fr_json_reader *r, fr_json_value token, fr__store *store, fr__store_object *object) {
    if (token == FR_JSON_NONE) { return true; }
    object->has_joint = FR__JOINT_NONE;
    if (fr_json_is(r->json, token, FR_JSON_NULL)) { return true; }
    fr_json_value values[JOINT_KEYS];
    fr__store_joint read = {.joint = {.low = -INFINITY, .high = INFINITY}};
    fr_joint *joint = &read.joint;
    int kind = 0;
    if (!fr_json_read_object(r, token, "a joint", joint_fields, JOINT_KEYS, values) ||
        !fr_json_read_word(r, values[JOINT_KIND], "kind", joint_kinds, &kind) ||
        !read_pose(r, values[JOINT_IN_PARENT], "in_parent", &joint->frame_parent) ||
        !read_pose(r, values[JOINT_IN_CHILD], "in_child", &joint->frame_child) ||
        !read_joint_number(r, values[JOINT_LOW], "low", &joint->low) ||
        !read_joint_number(r, values[JOINT_HIGH], "high", &joint->high) ||
        !read_joint_number(r, values[JOINT_PITCH], "pitch", &joint->pitch) ||
        !read_joint_number(r, values[JOINT_VALUE], "value", &joint->value)) {
        return false;
    }
    if (values[JOINT_PARENT] != FR_JSON_NONE &&
        !fr_json_read_string(r, values[JOINT_PARENT], "parent", FR_WORLD_NAME_MAX_BYTES, &read.parent)) {
        return false;
    }
    if (!(joint->low <= joint->high)) {
        return fr_json_fail(r, values[JOINT_LOW], FR_ERROR_ARGUMENT, "low must not be above high");
    }
    joint->kind = (fr_joint_kind)kind;
    object->has_joint = FR__JOINT_KNOWN;
    object->joint = store->joints.count;
    fr__store_joint *place = fr__store_joint_array_push(&store->joints, 1);
    if (place == NULL) { return fr_json_fail_memory(r); }
    *place = read;
    return true;
}

enum {
    OBJECT_NAME,
    OBJECT_POSITION,
    OBJECT_ROTATION,
    OBJECT_SCALE,
    OBJECT_PLACED,
    OBJECT_STATES,
    OBJECT_BONES,
    OBJECT_CLASS,
    OBJECT_ADDED,
    OBJECT_JOINT,
    OBJECT_UNMOVED,
    OBJECT_KEYS
};

static const fr_json_field object_fields[OBJECT_KEYS] = {
    [OBJECT_NAME] = {.key = "name",
                     .is_required = true,
                     .type = FR_JSON_AS_STRING,
                     .offset = offsetof(fr__store_object, name),
                     .count = FR_WORLD_NAME_MAX_BYTES},
    [OBJECT_POSITION] = {.key = "position",
                         .is_required = true,
                         .type = FR_JSON_AS_NUMBERS,
                         .offset = offsetof(fr__store_object, pose.position),
                         .range = {-FR_LENGTH_MAX, FR_LENGTH_MAX},
                         .count = 3},
    [OBJECT_ROTATION] = {.key = "rotation",
                         .is_required = true,
                         .type = FR_JSON_AS_NUMBERS,
                         .offset = offsetof(fr__store_object, pose.rotation),
                         .range = {-1.01, 1.01},
                         .count = 4},
    [OBJECT_SCALE] = {.key = "scale",
                      .is_required = true,
                      .type = FR_JSON_AS_NUMBER,
                      .offset = offsetof(fr__store_object, pose.scale),
                      .range = {FR_SCALE_MIN, FR_SCALE_MAX}},
    [OBJECT_PLACED] = {.key = "placed", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr__store_object, is_placed)},
    [OBJECT_STATES] = {.key = "states"},
    [OBJECT_BONES] = {.key = "bones"},
    [OBJECT_CLASS] = {.key = "class"},
    [OBJECT_ADDED] = {.key = "added"},
    [OBJECT_JOINT] = {.key = "joint"},
    [OBJECT_UNMOVED] = {.key = "unmoved", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr__store_object, is_unmoved)}};

// What was added says of which class, and where.
static bool read_addition(fr_json_reader *r, const fr_json_value *values, fr__store_object *object) {
    if (values[OBJECT_CLASS] == FR_JSON_NONE && values[OBJECT_ADDED] == FR_JSON_NONE) { return true; }
    if (values[OBJECT_CLASS] == FR_JSON_NONE || values[OBJECT_ADDED] == FR_JSON_NONE) {
        return fr_json_fail(r, values[OBJECT_NAME], FR_ERROR_ARGUMENT, "class and added stand together");
    }
    return fr_json_read_string(r, values[OBJECT_CLASS], "class", FR_WORLD_NAME_MAX_BYTES, &object->class_name) &&
           read_pose(r, values[OBJECT_ADDED], "added", &object->added);
}

static bool read_object(fr_json_reader *r, fr_json_value token, fr__store *store) {
    fr_json_value values[OBJECT_KEYS];
    fr__store_object object = {0};
    bool right = fr_json_read_object(r, token, "an object", object_fields, OBJECT_KEYS, values) &&
                 fr_json_read_fields(r, values, object_fields, OBJECT_PLACED, &object);
    if (right && fr_pose_check(&object.pose, NULL) != FR_OK) {
        return fr_json_fail(r, values[OBJECT_ROTATION], FR_ERROR_ARGUMENT,
                            "rotation must be a quaternion w, x, y, z of length 1, within 1 %%");
    }
    right = right && fr_json_read_fields(r, values + OBJECT_PLACED, object_fields + OBJECT_PLACED, 1, &object) &&
            read_states(r, values[OBJECT_STATES], store, &object) &&
            read_bones(r, values[OBJECT_BONES], store, &object) && read_addition(r, values, &object) &&
            read_joint(r, values[OBJECT_JOINT], store, &object) &&
            fr_json_read_fields(r, values + OBJECT_UNMOVED, object_fields + OBJECT_UNMOVED, 1, &object);
    if (!right) { return false; }
    fr__store_object *place = fr__store_object_array_push(&store->objects, 1);
    if (place == NULL) { return fr_json_fail_memory(r); }
    *place = object;
    return true;
}

enum { STORE_FUREAI, STORE_SCENE, STORE_TICK, STORE_OBJECTS, STORE_KEYS };

static const fr_json_field store_fields[STORE_KEYS] = {[STORE_FUREAI] = {.key = "fureai", .is_required = true},
                                                       [STORE_SCENE] = {.key = "scene", .is_required = true},
                                                       [STORE_TICK] = {.key = "tick", .is_required = true},
                                                       [STORE_OBJECTS] = {.key = "objects", .is_required = true}};

static bool read_store(fr_json_reader *r, fr__store *store) {
    // Far enough below 2^53, up to which ticks are sent to clients, for any time that is left.
    const fr_json_range ticks = {0.0, 0x1p52}, versions = {0.0, UINT32_MAX};
    fr_json_value values[STORE_KEYS];
    uint32_t version = 0;
    double tick = 0.0;
    if (!fr_json_read_object(r, FR_JSON_ROOT, "a store", store_fields, STORE_KEYS, values) ||
        !fr_json_read_whole(r, values[STORE_FUREAI], "fureai", versions, &version)) {
        return false;
    }
    if (version != STORE_VERSION) {
        return fr_json_fail(r, values[STORE_FUREAI], FR_ERROR_VERSION, "version %u is not known; this is version %d",
                            version, STORE_VERSION);
    }
    if (!fr_json_read_string(r, values[STORE_SCENE], "scene", SCENE_MAX_BYTES, &store->scene) ||
        !fr_json_read_number(r, values[STORE_TICK], "tick", ticks, &tick)) {
        return false;
    }
    if (tick != floor(tick)) {
        return fr_json_fail(r, values[STORE_TICK], FR_ERROR_ARGUMENT, "tick must be a whole number");
    }
    store->tick = (uint64_t)tick;
    if (!fr_json_read_array(r, values[STORE_OBJECTS], "objects", 0, MAX_OBJECTS)) { return false; }
    for (fr_json_value value = fr_json_first(r->json, values[STORE_OBJECTS]); value != FR_JSON_NONE;
         value = fr_json_next(r->json, value)) {
        if (!read_object(r, value, store)) { return false; }
    }
    return true;
}

static fr_status parse(const char *bytes, size_t size, const char *path, const fr_allocator *allocator, fr_json **out,
                       fr_error *error) {
    fr_json_def def = fr_default_json_def();
    def.name = path;
    def.max_bytes = MAX_BYTES;
    def.max_depth = MAX_DEPTH;
    def.is_container = true;
    def.allocator = fr_allocator_or_default(allocator);
    return fr_json_create(bytes, size, &def, out, error);
}

fr_status fr__store_read(const char *bytes, size_t size, const char *path, const fr_allocator *allocator,
                         fr__store *out, fr_error *error) {
    *out = (fr__store){0};
    fr_json *json;
    fr_status status = parse(bytes, size, path, allocator, &json, error);
    if (status != FR_OK) { return status; }
    fr__store store = fr__store_make(allocator);
    bool has_strings = fr_arena_create(0, allocator, &store.strings, NULL) == FR_OK;
    fr_json_reader reader = fr_json_reader_make(json, store.strings, error);
    bool right = has_strings ? read_store(&reader, &store) : fr_json_fail_memory(&reader);
    fr_json_destroy(json);
    if (!right) {
        fr__store_free(&store);
        return reader.status;
    }
    *out = store;
    return FR_OK;
}

fr_status fr__store_read_object(const char *bytes, size_t size, const char *path, fr__store *out, fr_error *error) {
    const fr_allocator *allocator = &out->objects.allocator;
    if (out->strings == NULL && fr_arena_create(0, allocator, &out->strings, NULL) != FR_OK) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory to read an object");
    }
    fr_json *json;
    fr_status status = parse(bytes, size, path, allocator, &json, error);
    if (status != FR_OK) { return status; }
    size_t states = out->states.count, bones = out->bones.count, joints = out->joints.count;
    fr_json_reader reader = fr_json_reader_make(json, out->strings, error);
    bool right = read_object(&reader, FR_JSON_ROOT, out);
    fr_json_destroy(json);
    if (right) { return FR_OK; }
    out->states.count = states;
    out->bones.count = bones;
    out->joints.count = joints;
    return reader.status;
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

// Appends to an array of bytes.
static bool append(const void *bytes, size_t size, void *context) {
    void *place = fr_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

bool fr__store_has_place(const char *name) {
    if (name[0] == '\0') { return false; }
    for (const char *at = name; *at != '\0'; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f) { return false; }
    }
    return true;
}

static void write_states(fr_json_writer *w, const fr__store_state *states, size_t count) {
    fr_json_write_key(w, "states");
    fr_json_write_array(w);
    for (size_t i = 0; i < count; i++) {
        if (!fr__store_has_place(states[i].name)) { continue; }
        fr_json_write_object(w);
        fr_json_write_string_field(w, "name", states[i].name);
        fr_json_write_number_field(w, "value", states[i].value);
        fr_json_write_object_end(w);
    }
    fr_json_write_array_end(w);
}

static void write_pose(fr_json_writer *w, const fr_pose *p) {
    const double numbers[8] = {p->rotation.w, p->rotation.x, p->rotation.y, p->rotation.z,
                               p->position.x, p->position.y, p->position.z, p->scale};
    fr_json_write_numbers(w, numbers, 8);
}

static void write_bones(fr_json_writer *w, const fr_pose *bones, size_t count) {
    fr_json_write_key(w, "bones");
    fr_json_write_array(w);
    for (size_t i = 0; i < count; i++) {
        write_pose(w, &bones[i]);
    }
    fr_json_write_array_end(w);
}

static void write_joint(fr_json_writer *w, const fr__store_joint *hold) {
    const fr_joint *joint = &hold->joint;
    const char *kind = "";
    for (const fr_json_word *word = joint_kinds; word->name != NULL; word++) {
        if (word->value == (int)joint->kind) { kind = word->name; }
    }
    fr_json_write_object(w);
    fr_json_write_string_field(w, "kind", kind);
    if (hold->parent != NULL) { fr_json_write_string_field(w, "parent", hold->parent); }
    fr_json_write_key(w, "in_parent");
    write_pose(w, &joint->frame_parent);
    fr_json_write_key(w, "in_child");
    write_pose(w, &joint->frame_child);
    if (isfinite(joint->low)) { fr_json_write_number_field(w, "low", joint->low); }
    if (isfinite(joint->high)) { fr_json_write_number_field(w, "high", joint->high); }
    if (joint->pitch != 0.0) { fr_json_write_number_field(w, "pitch", joint->pitch); }
    if (joint->value != 0.0) { fr_json_write_number_field(w, "value", joint->value); }
    fr_json_write_object_end(w);
}

static void write_object(fr_json_writer *w, const fr__store *store, const fr__store_object *object) {
    const fr_pose nowhere = fr_pose_identity();
    const fr_pose *pose = object->is_unmoved ? &nowhere : &object->pose;
    const double position[3] = {pose->position.x, pose->position.y, pose->position.z};
    const double rotation[4] = {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z};
    fr_json_write_object(w);
    fr_json_write_string_field(w, "name", object->name);
    fr_json_write_numbers_field(w, "position", position, 3);
    fr_json_write_numbers_field(w, "rotation", rotation, 4);
    fr_json_write_number_field(w, "scale", pose->scale);
    if (object->is_unmoved) { fr_json_write_bool_field(w, "unmoved", true); }
    if (object->is_placed) { fr_json_write_bool_field(w, "placed", true); }
    const fr__store_state *states = store->states.data;
    if (object->state_count > 0 || object->has_all_states) {
        write_states(w, object->state_count > 0 ? states + object->first_state : NULL, object->state_count);
    }
    if (object->bone_count > 0) { write_bones(w, store->bones.data + object->first_bone, object->bone_count); }
    if (object->class_name != NULL) {
        fr_json_write_string_field(w, "class", object->class_name);
        fr_json_write_key(w, "added");
        write_pose(w, &object->added);
    }
    if (object->has_joint != FR__JOINT_UNKNOWN) { fr_json_write_key(w, "joint"); }
    if (object->has_joint == FR__JOINT_NONE) { fr_json_write_null(w); }
    if (object->has_joint == FR__JOINT_KNOWN) { write_joint(w, &store->joints.data[object->joint]); }
    fr_json_write_object_end(w);
}

bool fr__store_write_object(const fr__store *store, const fr__store_object *object, fr_array *text) {
    fr_json_writer w = fr_json_writer_make(append, text, 0, &text->allocator);
    write_object(&w, store, object);
    return fr_json_writer_end(&w);
}

// One line an object.
bool fr__store_write(const fr__store *store, fr_array *text) {
    fr_json_writer w = fr_json_writer_make(append, text, 0, &text->allocator);
    w.indent = 2;
    w.line_depth = 2;
    fr_json_write_object(&w);
    fr_json_write_uint_field(&w, "fureai", STORE_VERSION);
    fr_json_write_string_field(&w, "scene", store->scene);
    fr_json_write_uint_field(&w, "tick", store->tick);
    fr_json_write_key(&w, "objects");
    fr_json_write_array(&w);
    const fr__store_object *objects = store->objects.data;
    for (size_t i = 0; i < store->objects.count; i++) {
        if (fr__store_has_place(objects[i].name)) { write_object(&w, store, &objects[i]); }
    }
    fr_json_write_array_end(&w);
    fr_json_write_object_end(&w);
    return fr_json_writer_end(&w);
}

// The store as text. { "fureai": 1, "scene": NAME, "tick": N, "objects": [ { "name": NAME, "position": [x, y, z],
// "rotation": [w, x, y, z], "scale": s, "placed": true, "states": [ { "name": NAME, "value": v } ] } ] }
#include "server/store.h"

#include "scene/json_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STORE_VERSION = 1, MAX_DEPTH = 8, SCENE_MAX_BYTES = 1023, MAX_OBJECTS = 1000000 };

#define MAX_BYTES ((size_t)1 << 28)

fr__store fr__store_make(const fr_allocator *allocator) {
    return (fr__store){.objects = fr_array_make(sizeof(fr__store_object), allocator),
                       .states = fr_array_make(sizeof(fr__store_state), allocator)};
}

void fr__store_free(fr__store *store) {
    fr_array_free(&store->objects);
    fr_array_free(&store->states);
    fr_arena_destroy(store->strings);
    *store = (fr__store){0};
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

enum { STATE_NAME, STATE_VALUE, STATE_KEYS };

static const fr__json_key state_keys[STATE_KEYS] = {[STATE_NAME] = {"name", true}, [STATE_VALUE] = {"value", true}};

static bool read_state(fr__json_reader *r, uint32_t token, fr__store *store) {
    const fr__json_range all = {-INFINITY, INFINITY};
    uint32_t values[STATE_KEYS];
    fr__store_state state = {0};
    bool right = fr__json_object(r, token, "a state", state_keys, STATE_KEYS, values) &&
                 fr__json_string(r, values[STATE_NAME], "name", FR_WORLD_STATE_NAME_MAX_BYTES, &state.name) &&
                 fr__json_number(r, values[STATE_VALUE], "value", all, &state.value);
    if (!right) { return false; }
    fr__store_state *place = fr_array_push(&store->states, 1);
    if (place == NULL) { return fr__json_no_memory(r); }
    *place = state;
    return true;
}

static bool read_states(fr__json_reader *r, uint32_t token, fr__store *store, fr__store_object *object) {
    object->first_state = store->states.count;
    if (token == FR__JSON_NONE) { return true; }
    if (!fr__json_array(r, token, "states", 0, FR_WORLD_MAX_STATES)) { return false; }
    uint32_t end = fr__json_next(r, token);
    for (uint32_t value = token + 1; value < end; value = fr__json_next(r, value)) {
        if (!read_state(r, value, store)) { return false; }
        object->state_count++;
    }
    return true;
}

static bool read_pose(fr__json_reader *r, uint32_t position, uint32_t rotation, uint32_t scale, fr_pose *out) {
    const fr__json_range lengths = {-FR_LENGTH_MAX, FR_LENGTH_MAX}, scales = {FR_SCALE_MIN, FR_SCALE_MAX},
                         components = {-1.01, 1.01};
    double p[3], q[4];
    bool right = fr__json_numbers(r, position, "position", lengths, 3, p) &&
                 fr__json_numbers(r, rotation, "rotation", components, 4, q) &&
                 fr__json_number(r, scale, "scale", scales, &out->scale);
    if (!right) { return false; }
    out->position = fr_vec3_make(p[0], p[1], p[2]);
    out->rotation = (fr_quat){q[0], q[1], q[2], q[3]};
    if (fr_pose_check(out, NULL) != FR_OK) {
        return fr__json_wrong(r, rotation, FR_ERROR_ARGUMENT,
                              "rotation must be a quaternion w, x, y, z of length 1, within 1 %%");
    }
    return true;
}

enum { OBJECT_NAME, OBJECT_POSITION, OBJECT_ROTATION, OBJECT_SCALE, OBJECT_PLACED, OBJECT_STATES, OBJECT_KEYS };

static const fr__json_key object_keys[OBJECT_KEYS] = {
    [OBJECT_NAME] = {"name", true},   [OBJECT_POSITION] = {"position", true}, [OBJECT_ROTATION] = {"rotation", true},
    [OBJECT_SCALE] = {"scale", true}, [OBJECT_PLACED] = {"placed", false},    [OBJECT_STATES] = {"states", false}};

static bool read_object(fr__json_reader *r, uint32_t token, fr__store *store) {
    uint32_t values[OBJECT_KEYS];
    fr__store_object object = {0};
    bool right = fr__json_object(r, token, "an object", object_keys, OBJECT_KEYS, values) &&
                 fr__json_string(r, values[OBJECT_NAME], "name", FR_WORLD_NAME_MAX_BYTES, &object.name) &&
                 read_pose(r, values[OBJECT_POSITION], values[OBJECT_ROTATION], values[OBJECT_SCALE], &object.pose);
    if (right && values[OBJECT_PLACED] != FR__JSON_NONE) {
        right = fr__json_bool(r, values[OBJECT_PLACED], "placed", &object.is_placed);
    }
    if (!right || !read_states(r, values[OBJECT_STATES], store, &object)) { return false; }
    fr__store_object *place = fr_array_push(&store->objects, 1);
    if (place == NULL) { return fr__json_no_memory(r); }
    *place = object;
    return true;
}

enum { STORE_FUREAI, STORE_SCENE, STORE_TICK, STORE_OBJECTS, STORE_KEYS };

static const fr__json_key store_keys[STORE_KEYS] = {[STORE_FUREAI] = {"fureai", true},
                                                    [STORE_SCENE] = {"scene", true},
                                                    [STORE_TICK] = {"tick", true},
                                                    [STORE_OBJECTS] = {"objects", true}};

static bool read_store(fr__json_reader *r, fr__store *store) {
    // Far enough below 2^53, up to which clients are told ticks, for any time that is left.
    const fr__json_range ticks = {0.0, 0x1p52}, versions = {0.0, UINT32_MAX};
    uint32_t values[STORE_KEYS], version = 0;
    double tick = 0.0;
    if (!fr__json_object(r, 0, "a store", store_keys, STORE_KEYS, values) ||
        !fr__json_whole(r, values[STORE_FUREAI], "fureai", versions, &version)) {
        return false;
    }
    if (version != STORE_VERSION) {
        return fr__json_wrong(r, values[STORE_FUREAI], FR_ERROR_VERSION, "version %u is not known; this is version %d",
                              version, STORE_VERSION);
    }
    if (!fr__json_string(r, values[STORE_SCENE], "scene", SCENE_MAX_BYTES, &store->scene) ||
        !fr__json_number(r, values[STORE_TICK], "tick", ticks, &tick)) {
        return false;
    }
    if (tick != floor(tick)) {
        return fr__json_wrong(r, values[STORE_TICK], FR_ERROR_ARGUMENT, "tick must be a whole number");
    }
    store->tick = (uint64_t)tick;
    if (!fr__json_array(r, values[STORE_OBJECTS], "objects", 0, MAX_OBJECTS)) { return false; }
    uint32_t end = fr__json_next(r, values[STORE_OBJECTS]);
    for (uint32_t value = values[STORE_OBJECTS] + 1; value < end; value = fr__json_next(r, value)) {
        if (!read_object(r, value, store)) { return false; }
    }
    return true;
}

fr_status fr__store_read(const char *bytes, size_t size, const char *path, const fr_allocator *allocator,
                         fr__store *out, fr_error *error) {
    *out = (fr__store){0};
    fr__json json;
    fr_status status = fr__json_open(&json, bytes, size, MAX_BYTES, MAX_DEPTH, allocator, error);
    if (status != FR_OK) {
        if (error != NULL) { fr_error_locate(error, path, error->line, error->column); }
        return status;
    }
    fr__store store = fr__store_make(allocator);
    fr__json_reader reader = {.json = &json, .name = path, .error = error};
    bool right = fr_arena_create(0, allocator, &store.strings) == FR_OK;
    reader.strings = store.strings;
    right = right ? read_store(&reader, &store) : fr__json_no_memory(&reader);
    fr__json_close(&json);
    if (!right) {
        fr__store_free(&store);
        return reader.status;
    }
    *out = store;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

// Text that grows; once there is no memory, nothing more is taken.
typedef struct text_writer {
    fr_array *text;
    bool failed;
} text_writer;

static void put(text_writer *w, const char *bytes, size_t size) {
    char *place = w->failed ? NULL : fr_array_push(w->text, size);
    if (place == NULL) {
        w->failed = true;
        return;
    }
    memcpy(place, bytes, size);
}

static void put_text(text_writer *w, const char *text) { put(w, text, strlen(text)); }

static void put_number(text_writer *w, double value) {
    char text[FR_NUMBER_BYTES];
    put(w, text, fr_number_write(value, text));
}

static void put_numbers(text_writer *w, const char *key, const double *values, size_t count) {
    put_text(w, key);
    for (size_t i = 0; i < count; i++) {
        put_text(w, i == 0 ? "[" : ", ");
        put_number(w, values[i]);
    }
    put_text(w, "]");
}

// A name without control characters: quotes and backslashes are all that must be escaped.
static void put_name(text_writer *w, const char *name) {
    put_text(w, "\"");
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\') { put_text(w, "\\"); }
        put(w, name, 1);
    }
    put_text(w, "\"");
}

static bool can_stand(const char *name) {
    if (name[0] == '\0') { return false; }
    for (const char *at = name; *at != '\0'; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f) { return false; }
    }
    return true;
}

static void put_states(text_writer *w, const fr__store_state *states, size_t count) {
    const char *between = ", \"states\": [";
    for (size_t i = 0; i < count; i++) {
        if (!can_stand(states[i].name)) { continue; }
        put_text(w, between);
        put_text(w, "{ \"name\": ");
        put_name(w, states[i].name);
        put_text(w, ", \"value\": ");
        put_number(w, states[i].value);
        put_text(w, " }");
        between = ", ";
    }
    if (between[2] == '\0') { put_text(w, "]"); }
}

static void put_object(text_writer *w, const fr__store *store, const fr__store_object *object) {
    const fr_pose *pose = &object->pose;
    const double position[3] = {pose->position.x, pose->position.y, pose->position.z};
    const double rotation[4] = {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z};
    put_text(w, "\n    { \"name\": ");
    put_name(w, object->name);
    put_numbers(w, ", \"position\": ", position, 3);
    put_numbers(w, ", \"rotation\": ", rotation, 4);
    put_text(w, ", \"scale\": ");
    put_number(w, pose->scale);
    if (object->is_placed) { put_text(w, ", \"placed\": true"); }
    const fr__store_state *states = store->states.data;
    if (object->state_count > 0) { put_states(w, states + object->first_state, object->state_count); }
    put_text(w, " }");
}

bool fr__store_write(const fr__store *store, fr_array *text) {
    text_writer w = {.text = text};
    char tick[FR_NUMBER_BYTES];
    put_text(&w, "{ \"fureai\": 1, \"scene\": ");
    put_name(&w, store->scene);
    put_text(&w, ", \"tick\": ");
    put(&w, tick, fr_number_write_whole(store->tick, tick));
    put_text(&w, ",\n  \"objects\": [");
    const fr__store_object *objects = store->objects.data;
    const char *between = "";
    for (size_t i = 0; i < store->objects.count; i++) {
        if (!can_stand(objects[i].name)) { continue; }
        put_text(&w, between);
        put_object(&w, store, &objects[i]);
        between = ",";
    }
    put_text(&w, " ] }\n");
    return !w.failed;
}

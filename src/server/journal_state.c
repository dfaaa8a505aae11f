// The world that the records of a journal make.
#include "server/journal_state.h"

#include <stdio.h>
#include <string.h>

enum { TABLE_SIZE = 1 << 14 };

fr__journal_state fr__journal_state_make(const char *path, const fr_allocator *allocator) {
    return (fr__journal_state){.path = path,
                               .texts = fr__store_make(allocator),
                               .objects = fr__journal_object_array_make(allocator),
                               .values = fr__journal_value_array_make(allocator),
                               .commands = fr__journal_command_array_make(allocator),
                               .left = fr__journal_left_array_make(allocator),
                               .table = fr_uint32_array_make(allocator)};
}

void fr__journal_state_forget_left(fr__journal_state *state) {
    for (size_t i = 0; i < state->left.count; i++) {
        fr__store_free(&state->left.data[i].store);
    }
    state->left.count = 0;
}

void fr__journal_state_free(fr__journal_state *state) {
    fr__journal_state_forget_left(state);
    fr__journal_left_array_destroy(&state->left);
    fr__store_free(&state->texts);
    fr__journal_object_array_destroy(&state->objects);
    fr__journal_value_array_destroy(&state->values);
    fr__journal_command_array_destroy(&state->commands);
    fr_uint32_array_destroy(&state->table);
    *state = (fr__journal_state){0};
}

static fr_status refuse_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory to read the journal");
}

// ---------------------------------------------------------------------------------------------------------------
// Objects by their names

static uint32_t *slot_of(fr__journal_state *state, const char *name) {
    return &state->table.data[fr_hash(name, strlen(name), 1) % TABLE_SIZE];
}

static fr__journal_object *find(fr__journal_state *state, const char *name) {
    if (state->table.count == 0) { return NULL; }
    for (uint32_t at = *slot_of(state, name); at != 0; at = state->objects.data[at - 1].next) {
        fr__journal_object *object = &state->objects.data[at - 1];
        if (strcmp(object->object.name, name) == 0) { return object; }
    }
    return NULL;
}

static const char *copy(fr__journal_state *state, const char *text) {
    size_t size = strlen(text) + 1;
    char *place = fr_arena_alloc(state->texts.strings, size, 1, 1);
    if (place != NULL) { memcpy(place, text, size); }
    return place;
}

// An object by its name, with nothing known of it where it is new; NULL: there is no memory.
static fr__journal_object *find_or_make(fr__journal_state *state, const char *given_name) {
    fr__journal_object *object = find(state, given_name);
    if (object != NULL) { return object; }
    const char *name = copy(state, given_name);
    if (name == NULL) { return NULL; }
    if (state->table.count == 0) {
        if (fr_uint32_array_push(&state->table, TABLE_SIZE) == NULL) { return NULL; }
        memset(state->table.data, 0, TABLE_SIZE * sizeof *state->table.data);
    }
    object = fr__journal_object_array_push(&state->objects, 1);
    if (object == NULL) { return NULL; }
    uint32_t *slot = slot_of(state, name);
    *object = (fr__journal_object){.object = {.name = name, .is_unmoved = true}, .next = *slot};
    *slot = (uint32_t)state->objects.count;
    return object;
}

// Forgets all objects and commands: another scene follows. Texts stay.
static void forget(fr__journal_state *state) {
    state->objects.count = 0;
    state->values.count = 0;
    state->commands.count = 0;
    if (state->table.count > 0) { memset(state->table.data, 0, TABLE_SIZE * sizeof *state->table.data); }
}

// ---------------------------------------------------------------------------------------------------------------
// What records do

static bool set_value(fr__journal_state *state, fr__journal_object *object, const char *name, const double *value) {
    size_t at = object->first_state;
    while (at != 0 && strcmp(state->values.data[at - 1].name, name) != 0) {
        at = state->values.data[at - 1].next;
    }
    if (at == 0) {
        fr__journal_value *place = fr__journal_value_array_push(&state->values, 1);
        if (place == NULL) { return false; }
        *place = (fr__journal_value){.name = name, .next = object->first_state, .is_gone = true};
        at = object->first_state = state->values.count;
    }
    fr__journal_value *known = &state->values.data[at - 1];
    if (known->is_gone && value != NULL) { object->state_count++; }
    if (!known->is_gone && value == NULL) { object->state_count--; }
    known->is_gone = value == NULL;
    known->value = value != NULL ? *value : 0.0;
    return true;
}

// Takes the object that was read last. One that is said whole, or added, is known by nothing else.
static bool take_object(fr__journal_state *state, const fr_journal_record *record) {
    const fr__store_object *read = &state->texts.objects.data[state->texts.objects.count - 1];
    fr__journal_object *object = find_or_make(state, read->name);
    if (object == NULL) { return false; }
    bool is_whole = record->kind == FR_JOURNAL_OBJECT || record->kind == FR_JOURNAL_ADD;
    if (is_whole) {
        object->first_state = object->state_count = 0;
        object->holder = NULL;
        object->is_gone = false;
        object->object.class_name = read->class_name;
        object->object.added = read->added;
        object->object.has_all_states = read->has_all_states;
        object->object.has_joint = FR__JOINT_UNKNOWN;
    }
    if (read->has_joint != FR__JOINT_UNKNOWN) {
        object->object.has_joint = read->has_joint;
        object->object.joint = read->joint;
    }
    object->object.pose = read->pose;
    object->object.is_placed = read->is_placed;
    object->object.is_unmoved = read->is_unmoved;
    object->object.first_bone = read->first_bone;
    object->object.bone_count = read->bone_count;
    bool is_good = true;
    for (size_t i = 0; i < read->state_count && is_good; i++) {
        const fr__store_state *known = &state->texts.states.data[read->first_state + i];
        is_good = set_value(state, object, known->name, &known->value);
    }
    state->texts.objects.count--;
    return is_good;
}

static bool take_resume(fr__journal_state *state, const char *name) {
    for (size_t i = 0; i < state->objects.count; i++) {
        fr__journal_object *object = &state->objects.data[i];
        if (name[0] == '\0' || strcmp(object->object.name, name) == 0) { object->object.is_placed = false; }
    }
    return true;
}

static bool take_lease(fr__journal_state *state, const fr_journal_record *record, bool is_held) {
    const char *holder = is_held ? copy(state, record->client) : NULL;
    fr__journal_object *object = find_or_make(state, record->object);
    if (object == NULL || (is_held && holder == NULL)) { return false; }
    object->holder = holder;
    return true;
}

static bool take_command(fr__journal_state *state, const fr__journal_command *command) {
    fr__journal_command *place = fr__journal_command_array_push(&state->commands, 1);
    if (place == NULL) { return false; }
    *place = *command;
    if (command->id > state->last_id) { state->last_id = command->id; }
    return true;
}

static bool take_end(fr__journal_state *state, uint64_t id) {
    size_t at = 0;
    while (at < state->commands.count && state->commands.data[at].id != id) {
        at++;
    }
    if (at == state->commands.count) { return true; }
    fr__journal_command *ended = &state->commands.data[at];
    memmove(ended, ended + 1, (state->commands.count - at - 1) * sizeof *ended);
    state->commands.count--;
    return true;
}

static bool take_start(fr__journal_state *state) {
    for (size_t i = 0; i < state->objects.count; i++) {
        state->objects.data[i].holder = NULL;
    }
    return true;
}

static bool take_state(fr__journal_state *state, const char *name, const fr__journal_body *body) {
    fr__journal_object *object = find_or_make(state, name);
    return object != NULL && set_value(state, object, body->state, body->has_value ? &body->value : NULL);
}

static bool take_removal(fr__journal_state *state, const char *name) {
    fr__journal_object *object = find(state, name);
    if (object != NULL) {
        *object = (fr__journal_object){
            .object = {.name = object->object.name, .is_unmoved = true}, .next = object->next, .is_gone = true};
    }
    return true;
}

static size_t find_left(const fr__journal_state *state, const char *scene) {
    size_t at = 0;
    while (at < state->left.count && strcmp(state->left.data[at].scene, scene) != 0) {
        at++;
    }
    return at;
}

// The world stays known under the name of its scene.
static bool leave_scene(fr__journal_state *state) {
    fr__store store;
    fr__journal_left *place = fr__journal_left_array_push(&state->left, 1);
    if (place == NULL) { return false; }
    state->left.count--;
    if (fr__journal_state_store(state, &store, NULL) != FR_OK) { return false; }
    *fr__journal_left_array_push(&state->left, 1) = (fr__journal_left){state->scene, store};
    return true;
}

static bool take_scene(fr__journal_state *state, const char *scene) {
    if (state->scene != NULL && strcmp(state->scene, scene) != 0 && !leave_scene(state)) { return false; }
    size_t at = find_left(state, scene);
    if (at < state->left.count) {
        fr__store_free(&state->left.data[at].store);
        state->left.data[at] = state->left.data[--state->left.count];
    }
    forget(state);
    state->scene = scene;
    return true;
}

static bool take_worlds(fr__journal_state *state, const fr_journal_record *record) {
    fr__journal_state_forget_left(state);
    forget(state);
    state->scene = NULL;
    state->worlds_number = record->number;
    state->worlds_ms = record->time_ms;
    return true;
}

static bool take(fr__journal_state *state, const fr_journal_record *record, const fr__journal_body *body) {
    switch (record->kind) {
    case FR_JOURNAL_START: return take_start(state);
    case FR_JOURNAL_WORLDS: return take_worlds(state, record);
    case FR_JOURNAL_SCENE: return take_scene(state, body->scene);
    case FR_JOURNAL_REMOVE: return take_removal(state, record->object);
    case FR_JOURNAL_RESUME: return take_resume(state, record->object);
    case FR_JOURNAL_STATE: return take_state(state, record->object, body);
    case FR_JOURNAL_LEASE: return take_lease(state, record, body->is_held);
    case FR_JOURNAL_COMMAND: return take_command(state, &body->command);
    case FR_JOURNAL_ENDED: return take_end(state, body->command_id);
    default: return take_object(state, record);
    }
}

fr_status fr__journal_state_take(fr__journal_state *state, const fr_journal_record *record, fr_error *error) {
    char place[FR_ERROR_PATH_BYTES];
    snprintf(place, sizeof place, "%.200s: record %llu", state->path, (unsigned long long)record->number);
    if (record->number <= state->number || record->time_ms < state->time_ms) {
        fr_error_set(error, FR_ERROR_CORRUPT, "it does not follow record %llu", (unsigned long long)state->number);
        fr_error_locate(error, place, 0, 0);
        return FR_ERROR_CORRUPT;
    }
    fr__journal_body body;
    fr_status status = fr__journal_read_body(record, place, &state->texts, &body, error);
    if (status != FR_OK) { return status; }
    if (fr__journal_has_object(record->kind) &&
        strcmp(state->texts.objects.data[state->texts.objects.count - 1].name, record->object) != 0) {
        fr_error_set(error, FR_ERROR_CORRUPT, "its body is about another object");
        fr_error_locate(error, place, 0, 0);
        return FR_ERROR_CORRUPT;
    }
    if (!take(state, record, &body)) { return refuse_memory(error); }
    // All of a whole is of one time.
    if (state->worlds_number != 0 && record->time_ms == state->worlds_ms) { state->worlds_number = record->number; }
    state->number = record->number;
    state->time_ms = record->time_ms;
    state->tick = record->tick;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// What came of it

static bool store_object(const fr__journal_state *state, const fr__journal_object *known, fr__store *out) {
    fr__store_object object = known->object;
    object.first_state = out->states.count;
    object.state_count = known->state_count;
    fr__store_state *states = fr__store_state_array_push(&out->states, known->state_count);
    if (states == NULL) { return false; }
    // The list begins with the last one: states come back in the order in which they were made.
    size_t left = known->state_count;
    for (size_t at = known->first_state; at != 0; at = state->values.data[at - 1].next) {
        const fr__journal_value *value = &state->values.data[at - 1];
        if (!value->is_gone) { states[--left] = (fr__store_state){value->name, value->value}; }
    }
    if (object.has_joint == FR__JOINT_KNOWN) {
        fr__store_joint *joint = fr__store_joint_array_push(&out->joints, 1);
        if (joint == NULL) { return false; }
        *joint = state->texts.joints.data[object.joint];
        object.joint = out->joints.count - 1;
    }
    object.first_bone = out->bones.count;
    fr_pose *bones = fr__store_bone_array_push(&out->bones, known->object.bone_count);
    if (bones == NULL) { return false; }
    if (known->object.bone_count > 0) {
        memcpy(bones, state->texts.bones.data + known->object.first_bone, known->object.bone_count * sizeof *bones);
    }
    fr__store_object *place = fr__store_object_array_push(&out->objects, 1);
    if (place != NULL) { *place = object; }
    return place != NULL;
}

fr_status fr__journal_state_store(const fr__journal_state *state, fr__store *out, fr_error *error) {
    *out = fr__store_make(&state->objects.allocator);
    out->scene = state->scene;
    out->tick = state->tick;
    for (size_t i = 0; i < state->objects.count; i++) {
        const fr__journal_object *object = &state->objects.data[i];
        if (object->is_gone) { continue; }
        if (!store_object(state, object, out)) {
            fr__store_free(out);
            return refuse_memory(error);
        }
    }
    return FR_OK;
}

void fr__journal_state_count(const fr__journal_state *state, fr_journal_report *out) {
    snprintf(out->scene, sizeof out->scene, "%.255s", state->scene != NULL ? state->scene : "");
    out->tick = state->tick;
    out->last = state->number;
    out->last_ms = state->time_ms;
    out->commands = (uint32_t)state->commands.count;
    out->scenes = (uint32_t)state->left.count + (state->scene != NULL ? 1 : 0);
    for (size_t i = 0; i < state->objects.count; i++) {
        const fr__journal_object *object = &state->objects.data[i];
        if (object->is_gone) { continue; }
        out->objects++;
        out->added += object->object.class_name != NULL;
        out->states += object->state_count;
        out->leases += object->holder != NULL;
    }
}

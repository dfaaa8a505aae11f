// The bodies of records of a journal.
//   scene    { "scene": NAME }
//   object, add, place, pose: an object as the store has one; what a place or a pose does not say of a joint stays
//   state    { "name": NAME, "value": v }, without the value: it was removed
//   lease    { "held": true }
//   command  { "id": N, "person": NAME, "motions": [ { "name": NAME, "object": NAME, "point": [x, y, z],
//              "goal": [x, y, z], "facing": radians, "frames": n, "start": n, "parameters": [ [KEY, VALUE] ] } ] }
//   ended    { "id": N, "status": NAME, "message": TEXT }
//   start    { "server": NAME }; remove, resume, worlds: { }
#include "server/journal_body.h"

#include "fureai/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool fr__journal_has_object(fr_journal_kind kind) {
    return kind == FR_JOURNAL_OBJECT || kind == FR_JOURNAL_ADD || kind == FR_JOURNAL_PLACE || kind == FR_JOURNAL_POSE;
}

const char *fr_journal_kind_text(fr_journal_kind kind) {
#define KIND_WORD(name, word) word,
    static const char *const words[] = {FR_JOURNAL_KINDS(KIND_WORD)};
#undef KIND_WORD
    return kind < FR_JOURNAL_KIND_COUNT ? words[kind] : "";
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

static bool append(const void *bytes, size_t size, void *context) {
    void *place = fr_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

static fr_json_writer begin(fr_array *text) {
    fr_json_writer w = fr_json_writer_make(append, text, 0, &text->allocator);
    fr_json_write_object(&w);
    return w;
}

// A zero takes the place of the newline at the end of the text.
static bool terminate(fr_array *text) {
    char *bytes = text->data;
    bytes[text->count - 1] = '\0';
    return true;
}

static bool end(fr_json_writer *w, fr_array *text) {
    fr_json_write_object_end(w);
    return fr_json_writer_end(w) && terminate(text);
}

bool fr__journal_write_empty(fr_array *text) {
    fr_json_writer w = begin(text);
    return end(&w, text);
}

bool fr__journal_write_start(fr_array *text) {
    char name[32];
    fr_version version = fr_get_version();
    snprintf(name, sizeof name, "fureai %d.%d.%d", version.major, version.minor, version.patch);
    fr_json_writer w = begin(text);
    fr_json_write_string_field(&w, "server", name);
    return end(&w, text);
}

bool fr__journal_write_scene(const char *scene, fr_array *text) {
    fr_json_writer w = begin(text);
    fr_json_write_string_field(&w, "scene", scene);
    return end(&w, text);
}

bool fr__journal_write_object(const fr__store *store, const fr__store_object *object, fr_array *text) {
    return fr__store_write_object(store, object, text) && terminate(text);
}

bool fr__journal_write_state(const char *name, double value, fr_array *text) {
    fr_json_writer w = begin(text);
    fr_json_write_string_field(&w, "name", name);
    if (value == value) { fr_json_write_number_field(&w, "value", value); }
    return end(&w, text);
}

bool fr__journal_write_lease(bool is_held, fr_array *text) {
    fr_json_writer w = begin(text);
    fr_json_write_bool_field(&w, "held", is_held);
    return end(&w, text);
}

bool fr__journal_write_ended(uint64_t id, fr_status status, const char *message, fr_array *text) {
    fr_json_writer w = begin(text);
    fr_json_write_uint_field(&w, "id", id);
    fr_json_write_string_field(&w, "status", fr_status_name(status));
    fr_json_write_string_field(&w, "message", message);
    return end(&w, text);
}

static void write_point(fr_json_writer *w, const char *key, fr_vec3 point) {
    const double numbers[3] = {point.x, point.y, point.z};
    fr_json_write_numbers_field(w, key, numbers, 3);
}

static void write_motion(fr_json_writer *w, const fr_command *command, const char *object) {
    fr_json_write_object(w);
    fr_json_write_string_field(w, "name", command->name);
    if (object[0] != '\0') { fr_json_write_string_field(w, "object", object); }
    if ((command->given & FR_COMMAND_POINT) != 0) { write_point(w, "point", command->point); }
    if ((command->given & FR_COMMAND_GOAL) != 0) { write_point(w, "goal", command->goal); }
    if ((command->given & FR_COMMAND_FACING) != 0) { fr_json_write_number_field(w, "facing", command->facing); }
    if (command->frames > 0) { fr_json_write_uint_field(w, "frames", command->frames); }
    if (command->start > 0) { fr_json_write_uint_field(w, "start", command->start); }
    if (command->parameter_count > 0) {
        fr_json_write_key(w, "parameters");
        fr_json_write_array(w);
        for (uint32_t i = 0; i < command->parameter_count; i++) {
            fr_json_write_array(w);
            fr_json_write_string(w, command->parameters[i].key);
            fr_json_write_string(w, command->parameters[i].value);
            fr_json_write_array_end(w);
        }
        fr_json_write_array_end(w);
    }
    fr_json_write_object_end(w);
}

bool fr__journal_write_command(const fr__journal_command *command, fr_array *text) {
    fr_json_writer w = begin(text);
    fr_json_write_uint_field(&w, "id", command->id);
    const char *person = command->command.person;
    if (person != NULL && person[0] != '\0') { fr_json_write_string_field(&w, "person", person); }
    fr_json_write_key(&w, "motions");
    fr_json_write_array(&w);
    write_motion(&w, &command->command, command->objects[0]);
    for (uint32_t i = 0; i < command->command.fused_count; i++) {
        write_motion(&w, &command->command.fused[i], command->objects[i + 1]);
    }
    fr_json_write_array_end(&w);
    return end(&w, text);
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

// A text of any characters but zero, which clients may have sent; empty ones, too.
static bool read_text(fr_json_reader *r, fr_json_value value, const char *what, size_t max_bytes, const char **out) {
    if (!fr_json_is(r->json, value, FR_JSON_STRING)) {
        return fr_json_fail(r, value, FR_ERROR_ARGUMENT, "%s must be a text", what);
    }
    size_t size = fr_json_get_text(r->json, value).size;
    char *text = size <= FR__JOURNAL_BODY_BYTES ? fr_arena_alloc(r->strings, size + 1, 1, 1) : NULL;
    if (text == NULL) { return fr_json_fail_memory(r); }
    size = fr_json_decode(r->json, value, text);
    text[size] = '\0';
    *out = text;
    if (size <= max_bytes && strlen(text) == size) { return true; }
    return fr_json_fail(r, value, FR_ERROR_LIMIT, "%s has more than %zu bytes, or a zero", what, max_bytes);
}

static bool read_whole(fr_json_reader *r, fr_json_value value, const char *what, uint64_t *out) {
    if (fr_json_get_whole(r->json, value, out)) { return true; }
    return fr_json_fail(r, value, FR_ERROR_ARGUMENT, "%s must be a whole number", what);
}

static bool read_scene(fr_json_reader *r, fr__journal_body *out) {
    static const fr_json_field fields[] = {{.key = "scene", .is_required = true}};
    fr_json_value values[1];
    return fr_json_read_object(r, FR_JSON_ROOT, "a scene", fields, 1, values) &&
           fr_json_read_string(r, values[0], "scene", FR__JOURNAL_SCENE_BYTES, &out->scene);
}

static bool read_state(fr_json_reader *r, fr__journal_body *out) {
    static const fr_json_field fields[] = {{.key = "name", .is_required = true}, {.key = "value"}};
    const fr_json_range all = {-INFINITY, INFINITY};
    fr_json_value values[2];
    if (!fr_json_read_object(r, FR_JSON_ROOT, "a state", fields, 2, values) ||
        !read_text(r, values[0], "name", FR_WORLD_STATE_NAME_MAX_BYTES, &out->state)) {
        return false;
    }
    out->has_value = values[1] != FR_JSON_NONE;
    return !out->has_value || fr_json_read_number(r, values[1], "value", all, &out->value);
}

static bool read_lease(fr_json_reader *r, fr__journal_body *out) {
    static const fr_json_field fields[] = {{.key = "held", .is_required = true}};
    fr_json_value values[1];
    return fr_json_read_object(r, FR_JSON_ROOT, "a lease", fields, 1, values) &&
           fr_json_read_bool(r, values[0], "held", &out->is_held);
}

static bool read_ended(fr_json_reader *r, fr__journal_body *out) {
    static const fr_json_field fields[] = {{.key = "id", .is_required = true}, {.key = "status"}, {.key = "message"}};
    fr_json_value values[3];
    return fr_json_read_object(r, FR_JSON_ROOT, "an end", fields, 3, values) &&
           read_whole(r, values[0], "id", &out->command_id);
}

static bool read_start(fr_json_reader *r) {
    static const fr_json_field fields[] = {{.key = "server"}};
    fr_json_value values[1];
    return fr_json_read_object(r, FR_JSON_ROOT, "a start", fields, 1, values);
}

static bool read_point(fr_json_reader *r, fr_json_value value, const char *what, uint32_t bit, fr_command *command,
                       fr_vec3 *out) {
    const fr_json_range lengths = {-FR_LENGTH_MAX, FR_LENGTH_MAX};
    double n[3];
    if (value == FR_JSON_NONE) { return true; }
    if (!fr_json_read_numbers(r, value, what, lengths, 3, n)) { return false; }
    *out = fr_vec3_make(n[0], n[1], n[2]);
    command->given |= bit;
    return true;
}

static bool read_parameters(fr_json_reader *r, fr_json_value value, fr_command *command) {
    if (value == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(r, value, "parameters", 0, FR_COMMAND_MAX_PARAMETERS)) { return false; }
    uint32_t count = fr_json_count(r->json, value);
    fr_command_parameter *list = fr_arena_alloc(r->strings, count, sizeof *list, _Alignof(fr_command_parameter));
    if (list == NULL && count > 0) { return fr_json_fail_memory(r); }
    fr_json_value pair = fr_json_first(r->json, value);
    for (uint32_t i = 0; i < count; i++, pair = fr_json_next(r->json, pair)) {
        if (!fr_json_read_array(r, pair, "a parameter", 2, 2)) { return false; }
        fr_json_value key = fr_json_first(r->json, pair);
        if (!read_text(r, key, "a key", FR__JOURNAL_TEXT_BYTES, &list[i].key) ||
            !read_text(r, fr_json_next(r->json, key), "a value", FR__JOURNAL_TEXT_BYTES, &list[i].value)) {
            return false;
        }
    }
    command->parameters = list;
    command->parameter_count = count;
    return true;
}

enum {
    MOTION_NAME,
    MOTION_OBJECT,
    MOTION_POINT,
    MOTION_GOAL,
    MOTION_FACING,
    MOTION_FRAMES,
    MOTION_START,
    MOTION_PARAMETERS,
    MOTION_KEYS
};

static bool read_motion(fr_json_reader *r, fr_json_value value, fr_command *command, const char **object) {
    static const fr_json_field fields[MOTION_KEYS] = {[MOTION_NAME] = {.key = "name", .is_required = true},
                                                      [MOTION_OBJECT] = {.key = "object"},
                                                      [MOTION_POINT] = {.key = "point"},
                                                      [MOTION_GOAL] = {.key = "goal"},
                                                      [MOTION_FACING] = {.key = "facing"},
                                                      [MOTION_FRAMES] = {.key = "frames"},
                                                      [MOTION_START] = {.key = "start"},
                                                      [MOTION_PARAMETERS] = {.key = "parameters"}};
    const fr_json_range all = {-INFINITY, INFINITY}, counts = {0.0, UINT32_MAX};
    fr_json_value values[MOTION_KEYS];
    *command = (fr_command){0};
    *object = "";
    if (!fr_json_read_object(r, value, "a motion", fields, MOTION_KEYS, values) ||
        !read_text(r, values[MOTION_NAME], "name", FR__JOURNAL_TEXT_BYTES, &command->name)) {
        return false;
    }
    if (values[MOTION_FACING] != FR_JSON_NONE) {
        if (!fr_json_read_number(r, values[MOTION_FACING], "facing", all, &command->facing)) { return false; }
        command->given |= FR_COMMAND_FACING;
    }
    return (values[MOTION_OBJECT] == FR_JSON_NONE ||
            fr_json_read_string(r, values[MOTION_OBJECT], "object", FR_WORLD_NAME_MAX_BYTES, object)) &&
           read_point(r, values[MOTION_POINT], "point", FR_COMMAND_POINT, command, &command->point) &&
           read_point(r, values[MOTION_GOAL], "goal", FR_COMMAND_GOAL, command, &command->goal) &&
           (values[MOTION_FRAMES] == FR_JSON_NONE ||
            fr_json_read_whole(r, values[MOTION_FRAMES], "frames", counts, &command->frames)) &&
           (values[MOTION_START] == FR_JSON_NONE ||
            fr_json_read_whole(r, values[MOTION_START], "start", counts, &command->start)) &&
           read_parameters(r, values[MOTION_PARAMETERS], command);
}

static bool read_command(fr_json_reader *r, fr__journal_command *out) {
    static const fr_json_field fields[] = {
        {.key = "id", .is_required = true}, {.key = "person"}, {.key = "motions", .is_required = true}};
    fr_json_value values[3];
    const char *person = "";
    if (!fr_json_read_object(r, FR_JSON_ROOT, "a command", fields, 3, values) ||
        !read_whole(r, values[0], "id", &out->id) ||
        (values[1] != FR_JSON_NONE && !read_text(r, values[1], "person", FR__JOURNAL_TEXT_BYTES, &person)) ||
        !fr_json_read_array(r, values[2], "motions", 1, FR_COMMAND_MAX_FUSED)) {
        return false;
    }
    uint32_t count = fr_json_count(r->json, values[2]);
    fr_command *fused = fr_arena_alloc(r->strings, count, sizeof *fused, _Alignof(fr_command));
    if (fused == NULL) { return fr_json_fail_memory(r); }
    fr_json_value value = fr_json_first(r->json, values[2]);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->json, value)) {
        if (!read_motion(r, value, &fused[i], &out->objects[i])) { return false; }
    }
    out->command = fused[0];
    out->command.person = person;
    out->command.fused = fused + 1;
    out->command.fused_count = count - 1;
    return true;
}

static bool read_kind(fr_json_reader *r, fr_journal_kind kind, fr__journal_body *out) {
    switch (kind) {
    case FR_JOURNAL_SCENE: return read_scene(r, out);
    case FR_JOURNAL_STATE: return read_state(r, out);
    case FR_JOURNAL_LEASE: return read_lease(r, out);
    case FR_JOURNAL_COMMAND: return read_command(r, &out->command);
    case FR_JOURNAL_ENDED: return read_ended(r, out);
    case FR_JOURNAL_START: return read_start(r);
    default: return fr_json_read_map(r, FR_JSON_ROOT, "the body", 0);
    }
}

fr_status fr__journal_read_body(const fr_journal_record *record, const char *path, fr__store *objects,
                                fr__journal_body *out, fr_error *error) {
    const fr_allocator *allocator = &objects->objects.allocator;
    size_t size = strlen(record->body);
    *out = (fr__journal_body){0};
    if (fr__journal_has_object(record->kind)) {
        return fr__store_read_object(record->body, size, path, objects, error);
    }
    if (objects->strings == NULL && fr_arena_create(0, allocator, &objects->strings, NULL) != FR_OK) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory to read a record");
    }
    fr_json_def def = fr_default_json_def();
    def.name = path;
    def.max_bytes = FR__JOURNAL_BODY_BYTES;
    def.max_depth = 8;
    def.is_container = true;
    def.allocator = *allocator;
    fr_json *json;
    fr_status status = fr_json_create(record->body, size, &def, &json, error);
    if (status != FR_OK) { return status; }
    fr_json_reader reader = fr_json_reader_make(json, objects->strings, error);
    bool is_right = read_kind(&reader, record->kind, out);
    fr_json_destroy(json);
    return is_right ? FR_OK : reader.status;
}

// Reads lines for a commander: commands as scripts have them, and what else a program may ask for.
#include "act/commander.h"
#include "act/script.h"

#include <string.h>

enum { MAX_DEPTH = 8, LENGTH_MAX = 1000000 };

enum { KEY_DO, KEY_OBJECT, KEY_CLASS, KEY_NAME, KEY_POSITION, KEY_FACING, KEY_FRAMES, KEY_COMMAND, KEY_COUNT };

static const fr_json_word verbs[] = {{"objects", FR__LINE_OBJECTS}, {"people", FR__LINE_PEOPLE},
                                     {"affords", FR__LINE_AFFORDS}, {"classes", FR__LINE_CLASSES},
                                     {"add", FR__LINE_ADD},         {"remove", FR__LINE_REMOVE},
                                     {"start", FR__LINE_START},     {"wait", FR__LINE_WAIT},
                                     {"run", FR__LINE_RUN},         {NULL, 0}};

#define TEXT(word, member)                                                                                             \
    {                                                                                                                  \
        .key = word, .type = FR_JSON_AS_STRING, .offset = offsetof(fr__commander_line, member),                        \
        .count = FR_SCRIPT_NAME_MAX_BYTES                                                                              \
    }

static const fr_json_field fields[KEY_COUNT] = {
    [KEY_DO] = {.key = "do", .is_required = true},
    [KEY_OBJECT] = TEXT("object", object),
    [KEY_CLASS] = TEXT("class", class_name),
    [KEY_NAME] = TEXT("name", name),
    [KEY_POSITION] = {.key = "position",
                      .type = FR_JSON_AS_NUMBERS,
                      .offset = offsetof(fr__commander_line, position),
                      .range = {-LENGTH_MAX, LENGTH_MAX},
                      .count = 3},
    [KEY_FACING] = {.key = "facing_deg",
                    .type = FR_JSON_AS_NUMBER,
                    .offset = offsetof(fr__commander_line, facing),
                    .range = {-360.0, 360.0}},
    [KEY_FRAMES] = {.key = "frames",
                    .type = FR_JSON_AS_WHOLE,
                    .offset = offsetof(fr__commander_line, frames),
                    .range = {1.0, FR_COMMAND_MAX_FRAMES}},
    [KEY_COMMAND] = {.key = "command"},
};

// Which keys a verb needs, as bits; it takes no others.
static uint32_t keys_of(fr__commander_line_verb verb, uint32_t *takes) {
    const uint32_t object = 1u << KEY_OBJECT;
    const uint32_t added = 1u << KEY_CLASS | 1u << KEY_NAME | 1u << KEY_POSITION;
    *takes = verb == FR__LINE_ADD ? 1u << KEY_FACING : 0;
    switch (verb) {
    case FR__LINE_AFFORDS:
    case FR__LINE_REMOVE: return object;
    case FR__LINE_ADD: return added;
    case FR__LINE_START: return 1u << KEY_COMMAND;
    case FR__LINE_RUN: return 1u << KEY_FRAMES;
    default: return 0;
    }
}

static bool check_keys(fr_json_reader *reader, const fr_json_value values[KEY_COUNT], fr__commander_line_verb verb) {
    uint32_t takes, needs = keys_of(verb, &takes);
    for (uint32_t i = KEY_OBJECT; i < KEY_COUNT; i++) {
        bool is_there = values[i] != FR_JSON_NONE;
        if (is_there && ((needs | takes) >> i & 1u) == 0) {
            return fr_json_fail(reader, fr_json_key(values[i]), FR_ERROR_SYNTAX, "'%s' has no key '%s'",
                                verbs[verb - 1].name, fields[i].key);
        }
        if (!is_there && (needs >> i & 1u) != 0) {
            return fr_json_fail(reader, FR_JSON_ROOT, FR_ERROR_SYNTAX, "'%s' needs '%s'", verbs[verb - 1].name,
                                fields[i].key);
        }
    }
    return true;
}

static fr_status read_line(const fr_json *json, const fr_allocator *allocator, fr__commander_line *out,
                           fr_error *error) {
    bool is_object = fr_json_is(json, FR_JSON_ROOT, FR_JSON_OBJECT);
    if (is_object && fr_json_member(json, FR_JSON_ROOT, "do") == FR_JSON_NONE) {
        return fr__script_read_command(json, FR_JSON_ROOT, allocator, &out->script, error);
    }
    fr_json_value values[KEY_COUNT];
    fr_json_reader reader = fr_json_reader_make(json, out->strings, error);
    int verb = 0;
    bool right = fr_json_read_object(&reader, FR_JSON_ROOT, "a line", fields, KEY_COUNT, values) &&
                 fr_json_read_word(&reader, values[KEY_DO], "do", verbs, &verb) &&
                 check_keys(&reader, values, (fr__commander_line_verb)verb) &&
                 fr_json_read_fields(&reader, values, fields, KEY_COUNT, out);
    if (!right) { return reader.status; }
    out->verb = (fr__commander_line_verb)verb;
    out->has_position = values[KEY_POSITION] != FR_JSON_NONE;
    if (out->verb != FR__LINE_START) { return FR_OK; }
    return fr__script_read_command(json, values[KEY_COMMAND], allocator, &out->script, error);
}

fr_status fr__commander_line_read(const void *bytes, size_t size, const fr_allocator *allocator,
                                  fr__commander_line *out, fr_error *error) {
    *out = (fr__commander_line){.object = "", .class_name = "", .name = ""};
    if (size > FR_COMMANDER_LINE_MAX_BYTES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a line has at most %u bytes", FR_COMMANDER_LINE_MAX_BYTES);
    }
    fr_status status = fr_arena_create(0, allocator, &out->strings, error);
    if (status != FR_OK) {
        out->strings = NULL;
        return status;
    }
    fr_json_def def = fr_default_json_def();
    def.max_depth = MAX_DEPTH;
    def.is_container = true;
    def.allocator = *allocator;
    fr_json *json;
    status = fr_json_create(bytes, size, &def, &json, error);
    if (status != FR_OK) { return status; }
    status = read_line(json, allocator, out, error);
    fr_json_destroy(json);
    return status;
}

void fr__commander_line_free(fr__commander_line *line) {
    fr_script_destroy(line->script);
    if (line->strings != NULL) { fr_arena_destroy(line->strings); }
    *line = (fr__commander_line){0};
}

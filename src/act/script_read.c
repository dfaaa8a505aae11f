// Reads scripts. docs/schema/script.schema.json says the same, but for what a schema cannot say.
#include "act/script.h"

#include "fureai/act_director.h"

#include <stdalign.h>
#include <string.h>

#define READ_COOKIE UINT32_C(0x73637074)

enum { FILE_VERSION = 1, MAX_DEPTH = 8, LENGTH_MAX = 1000000 };

FR_ARRAY_TYPE(script_step_array, fr_script_step);

struct fr_script {
    fr_script_view view;
    script_step_array steps;
    fr_arena *strings;
    fr_allocator allocator;
};

const fr_script_view *fr_script_get(const fr_script *script) { return &script->view; }

void fr_script_destroy(fr_script *script) {
    if (script == NULL) { return; }
    script_step_array_destroy(&script->steps);
    if (script->strings != NULL) { fr_arena_destroy(script->strings); }
    fr_allocator allocator = script->allocator;
    fr_deallocate(&allocator, script, 1, sizeof *script);
}

fr_script_read_input fr_default_script_read_input(void) { return (fr_script_read_input){.cookie = READ_COOKIE}; }

typedef struct act_script_reader {
    fr_json_reader reader;
    fr_script *script;
} act_script_reader;

// ---------------------------------------------------------------------------------------------------------------
// Steps

enum {
    STEP_PERSON,
    STEP_MOTION,
    STEP_WANT,
    STEP_OBJECT,
    STEP_POINT,
    STEP_GOAL,
    STEP_FACING,
    STEP_FRAMES,
    STEP_START,
    STEP_PARAMETERS,
    STEP_FUSED,
    STEP_KEYS
};

#define TEXT(name, member)                                                                                             \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_STRING, .offset = offsetof(fr_script_step, member),                            \
        .count = FR_SCRIPT_NAME_MAX_BYTES                                                                              \
    }
#define PLACE(name, member)                                                                                            \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBERS, .offset = offsetof(fr_script_step, member),                           \
        .range = {-LENGTH_MAX, LENGTH_MAX}, .count = 3                                                                 \
    }
#define FRAMES(name, member)                                                                                           \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_WHOLE, .offset = offsetof(fr_script_step, member), .range = {                  \
            0.0,                                                                                                       \
            FR_COMMAND_MAX_FRAMES                                                                                      \
        }                                                                                                              \
    }

static const fr_json_field step_fields[STEP_KEYS] = {
    [STEP_PERSON] = TEXT("person", person),
    [STEP_MOTION] = TEXT("motion", motion),
    [STEP_WANT] = {.key = "want"},
    [STEP_OBJECT] = TEXT("object", object),
    [STEP_POINT] = PLACE("point", command.point),
    [STEP_GOAL] = PLACE("goal", command.goal),
    [STEP_FACING] = {.key = "facing_deg",
                     .type = FR_JSON_AS_NUMBER,
                     .offset = offsetof(fr_script_step, command.facing),
                     .range = {-360.0, 360.0}},
    [STEP_FRAMES] = FRAMES("frames", command.frames),
    [STEP_START] = FRAMES("start", command.start),
    [STEP_PARAMETERS] = {.key = "parameters"},
    [STEP_FUSED] = {.key = "fused"},
};

// A parameter is a text, a number or numbers, which become a text.
static bool read_value(act_script_reader *r, fr_json_value value, const char **out) {
    const fr_json_range range = {-1e15, 1e15};
    if (fr_json_is(r->reader.json, value, FR_JSON_STRING)) {
        return fr_json_read_string(&r->reader, value, "a parameter", FR_SCRIPT_TEXT_MAX_BYTES, out);
    }
    bool is_list = fr_json_is(r->reader.json, value, FR_JSON_ARRAY);
    if (is_list && !fr_json_read_array(&r->reader, value, "a parameter", 1, 16)) { return false; }
    uint32_t count = is_list ? fr_json_count(r->reader.json, value) : 1;
    char *text = fr_arena_alloc(r->script->strings, (size_t)count * (FR_NUMBER_BYTES + 1) + 1, 1, 1);
    if (text == NULL) { return fr_json_fail_memory(&r->reader); }
    *out = text;
    fr_json_value at = is_list ? fr_json_first(r->reader.json, value) : value;
    for (uint32_t i = 0; i < count; i++, at = is_list ? fr_json_next(r->reader.json, at) : at) {
        double number;
        if (!fr_json_read_number(&r->reader, at, "a parameter", range, &number)) { return false; }
        if (i > 0) { *text++ = ','; }
        text += fr_number_write(number, text);
    }
    *text = '\0';
    return true;
}

static bool read_parameters(act_script_reader *r, fr_json_value token, fr_command *command) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_map(&r->reader, token, "parameters", FR_COMMAND_MAX_PARAMETERS)) { return false; }
    uint32_t count = fr_json_count(r->reader.json, token);
    fr_command_parameter *list =
        fr_arena_alloc(r->script->strings, (size_t)count + 1, sizeof *list, alignof(fr_command_parameter));
    if (list == NULL) { return fr_json_fail_memory(&r->reader); }
    command->parameters = list;
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        fr_command_parameter *parameter = &list[command->parameter_count++];
        fr_json_value key = fr_json_key(value);
        bool right = fr_json_read_string(&r->reader, key, "a key", FR_SCRIPT_NAME_MAX_BYTES, &parameter->key) &&
                     read_value(r, value, &parameter->value);
        if (!right) { return false; }
        for (uint32_t i = 0; i + 1 < command->parameter_count; i++) {
            if (strcmp(list[i].key, parameter->key) != 0) { continue; }
            return fr_json_fail(&r->reader, key, FR_ERROR_SYNTAX, "'%s' stands here for the second time",
                                parameter->key);
        }
    }
    return true;
}

// A goal: `want` alone, with who is to reach it.
static bool read_want(act_script_reader *r, fr_json_value token, const fr_json_value values[STEP_KEYS],
                      fr_script_step *step) {
    for (uint32_t i = 0; i < STEP_KEYS; i++) {
        if (i == STEP_PERSON || i == STEP_WANT || values[i] == FR_JSON_NONE) { continue; }
        return fr_json_fail(&r->reader, fr_json_key(values[i]), FR_ERROR_SYNTAX, "a command with 'want' has no '%s'",
                            step_fields[i].key);
    }
    fr_command_parameter *want = fr_arena_alloc(r->script->strings, 1, sizeof *want, alignof(fr_command_parameter));
    if (want == NULL) { return fr_json_fail_memory(&r->reader); }
    step->motion = FR_DIRECTOR_GOAL;
    step->command.parameters = want;
    step->command.parameter_count = 1;
    want->key = FR_DIRECTOR_WANT;
    fr_json_place(r->reader.json, token, &r->reader.mark, &step->line, &step->column);
    return fr_json_read_string(&r->reader, values[STEP_WANT], "want", FR_SCRIPT_TEXT_MAX_BYTES, &want->value);
}

static bool read_step(act_script_reader *r, fr_json_value token, bool is_fused, fr_json_value *fused) {
    fr_json_value values[STEP_KEYS];
    fr_script_step step = {.person = "", .motion = "", .object = ""};
    if (!fr_json_read_object(&r->reader, token, "a command", step_fields, STEP_KEYS, values)) { return false; }
    bool is_goal = values[STEP_WANT] != FR_JSON_NONE;
    if (values[STEP_MOTION] == FR_JSON_NONE && !is_goal) {
        return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "a command needs 'motion' or 'want'");
    }
    fr_json_value wrong = values[STEP_PERSON] != FR_JSON_NONE ? values[STEP_PERSON] : values[STEP_FUSED];
    if (wrong == FR_JSON_NONE) { wrong = values[STEP_WANT]; }
    if (is_fused && wrong != FR_JSON_NONE) {
        return fr_json_fail(&r->reader, fr_json_key(wrong), FR_ERROR_SYNTAX,
                            "what is fused has neither 'person', 'want' nor 'fused'");
    }
    if (is_goal && !read_want(r, token, values, &step)) { return false; }
    if (!fr_json_read_fields(&r->reader, values, step_fields, STEP_KEYS, &step) ||
        (!is_goal && !read_parameters(r, values[STEP_PARAMETERS], &step.command))) {
        return false;
    }
    step.command.facing = fr_radians(step.command.facing);
    if (values[STEP_POINT] != FR_JSON_NONE) { step.command.given |= FR_COMMAND_POINT; }
    if (values[STEP_GOAL] != FR_JSON_NONE) { step.command.given |= FR_COMMAND_GOAL; }
    if (values[STEP_FACING] != FR_JSON_NONE) { step.command.given |= FR_COMMAND_FACING; }
    fr_json_place(r->reader.json, token, &r->reader.mark, &step.line, &step.column);
    *fused = values[STEP_FUSED];
    if (*fused != FR_JSON_NONE) {
        if (!fr_json_read_array(&r->reader, *fused, "fused", 0, FR_COMMAND_MAX_FUSED - 1)) { return false; }
        step.fused_count = fr_json_count(r->reader.json, *fused);
    }
    fr_script_step *place = script_step_array_push(&r->script->steps, 1);
    if (place == NULL) { return fr_json_fail_memory(&r->reader); }
    *place = step;
    return true;
}

static bool read_command(act_script_reader *r, fr_json_value token) {
    fr_json_value fused, inner;
    if (!read_step(r, token, false, &fused)) { return false; }
    if (fused == FR_JSON_NONE) { return true; }
    for (fr_json_value value = fr_json_first(r->reader.json, fused); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        if (!read_step(r, value, true, &inner)) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The file

enum { SCRIPT_FUREAI, SCRIPT_SCENE, SCRIPT_COMMANDS, SCRIPT_KEYS };

static const fr_json_field script_fields[SCRIPT_KEYS] = {
    [SCRIPT_FUREAI] = {.key = "fureai", .is_required = true},
    [SCRIPT_SCENE] = {.key = "scene",
                      .type = FR_JSON_AS_STRING,
                      .offset = offsetof(fr_script_view, scene),
                      .count = FR_SCRIPT_PATH_MAX_BYTES},
    [SCRIPT_COMMANDS] = {.key = "commands", .is_required = true},
};

static bool read_script(act_script_reader *r) {
    fr_json_value values[SCRIPT_KEYS];
    fr_script_view *view = &r->script->view;
    const fr_json_range versions = {1.0, 1e9};
    uint32_t version;
    view->name = view->scene = "";
    bool right = fr_json_read_object(&r->reader, FR_JSON_ROOT, "a script", script_fields, SCRIPT_KEYS, values) &&
                 fr_json_read_whole(&r->reader, values[SCRIPT_FUREAI], "fureai", versions, &version);
    if (!right) { return false; }
    if (version != FILE_VERSION) {
        return fr_json_fail(&r->reader, values[SCRIPT_FUREAI], FR_ERROR_VERSION,
                            "the file is of version %u; version %d is read", (unsigned)version, FILE_VERSION);
    }
    right = fr_json_read_fields(&r->reader, values, script_fields, SCRIPT_KEYS, view) &&
            fr_json_read_array(&r->reader, values[SCRIPT_COMMANDS], "commands", 0, FR_SCRIPT_MAX_STEPS);
    if (!right) { return false; }
    for (fr_json_value value = fr_json_first(r->reader.json, values[SCRIPT_COMMANDS]); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        if (!read_command(r, value)) { return false; }
    }
    view->steps = r->script->steps.data;
    view->step_count = (uint32_t)r->script->steps.count;
    return true;
}

static fr_script *make_script(const fr_allocator *allocator) {
    fr_allocator taken = fr_allocator_or_default(allocator);
    fr_script *script = fr_allocate(&taken, 1, sizeof *script, alignof(fr_script));
    if (script == NULL) { return NULL; }
    *script = (fr_script){.allocator = taken, .steps = script_step_array_make(&taken)};
    if (fr_arena_create(0, &taken, &script->strings, NULL) == FR_OK) { return script; }
    script->strings = NULL;
    fr_script_destroy(script);
    return NULL;
}

// A copy of the file's name, for messages that come later.
static bool keep_name(fr_script *script, const char *name) {
    if (name == NULL) { return true; }
    char *copy = fr_arena_alloc(script->strings, strlen(name) + 1, 1, 1);
    if (copy != NULL) { memcpy(copy, name, strlen(name) + 1); }
    script->view.name = copy;
    return copy != NULL;
}

fr_status fr_script_read(const void *bytes, size_t size, const fr_script_read_input *input, fr_script **out,
                         fr_error *error) {
    FR_ASSERT((bytes != NULL || size == 0) && out != NULL);
    fr_script_read_input usual = fr_default_script_read_input();
    if (input == NULL) { input = &usual; }
    *out = NULL;
    if (input->cookie != READ_COOKIE) { return fr_error_set_cookie(error, "fr_default_script_read_input"); }
    fr_json_def def = fr_default_json_def();
    def.name = input->name;
    def.max_depth = MAX_DEPTH;
    def.is_container = true;
    def.allocator = input->allocator;
    fr_json *json;
    fr_status status = fr_json_create(bytes, size, &def, &json, error);
    if (status != FR_OK) { return status; }
    fr_script *script = make_script(&input->allocator);
    act_script_reader r = {.script = script};
    r.reader = fr_json_reader_make(json, script != NULL ? script->strings : NULL, error);
    bool right = script != NULL ? read_script(&r) : fr_json_fail_memory(&r.reader);
    if (right && !keep_name(script, input->name)) { right = fr_json_fail_memory(&r.reader); }
    fr_json_destroy(json);
    if (!right) {
        fr_script_destroy(script);
        return r.reader.status;
    }
    *out = script;
    return FR_OK;
}

fr_status fr__script_read_command(const fr_json *json, fr_json_value token, const fr_allocator *allocator,
                                  fr_script **out, fr_error *error) {
    *out = NULL;
    fr_script *script = make_script(allocator);
    act_script_reader r = {.script = script};
    r.reader = fr_json_reader_make(json, script != NULL ? script->strings : NULL, error);
    bool right = script != NULL ? read_command(&r, token) : fr_json_fail_memory(&r.reader);
    if (!right) {
        fr_script_destroy(script);
        return r.reader.status;
    }
    script->view = (fr_script_view){.name = "", .scene = "", .steps = script->steps.data};
    script->view.step_count = (uint32_t)script->steps.count;
    *out = script;
    return FR_OK;
}

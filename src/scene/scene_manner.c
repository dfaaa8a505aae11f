// Reads the states of an object, and the frame of its model.
#include "scene/scene_reader.h"

#include <string.h>

// The states go to the end of the scene's; the object points at them when all are there, as they may move until then.
bool fr__scene_read_states(fr__scene_reader *r, fr_json_value token, fr_scene_object *object) {
    const fr_json_range range = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX};
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_map(&r->reader, token, "states", FR_WORLD_MAX_STATES)) { return false; }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (; value != FR_JSON_NONE; value = fr_json_next(r->reader.json, value)) {
        fr_json_value key = fr_json_key(value);
        fr_scene_state state;
        bool right =
            fr_json_read_string(&r->reader, key, "the name of a state", FR_WORLD_STATE_NAME_MAX_BYTES, &state.name) &&
            fr_json_read_number(&r->reader, value, "a state", range, &state.value);
        if (!right) { return false; }
        const fr_scene_state *all = r->scene->states.data;
        for (uint32_t i = 1; i <= object->state_count; i++) {
            if (strcmp(all[r->scene->states.count - i].name, state.name) != 0) { continue; }
            return fr_json_fail(&r->reader, key, FR_ERROR_SYNTAX, "'%s' stands here for the second time", state.name);
        }
        fr_scene_state *place = fr__scene_state_array_push(&r->scene->states, 1);
        if (place == NULL) { return fr_json_fail_memory(&r->reader); }
        *place = state;
        object->state_count++;
    }
    return true;
}

// A name, a number of metres, or "guess".
static bool read_unit(fr__scene_reader *r, fr_json_value token, fr_scene_object *object) {
    const fr_json_range range = {1e-9, 1e9};
    const char *text;
    if (fr_json_is(r->reader.json, token, FR_JSON_NUMBER)) {
        return fr_json_read_number(&r->reader, token, "unit", range, &object->unit);
    }
    if (!fr_json_read_string(&r->reader, token, "unit", FR_JSON_WORD_MAX_BYTES, &text)) { return false; }
    object->is_guessed = strcmp(text, "guess") == 0;
    if (object->is_guessed) { return true; }
    object->unit = text[0] >= 'a' && text[0] <= 'z' ? fr_model_unit_of_text(text) : 0.0;
    if (object->unit > 0.0) { return true; }
    return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT,
                        "unit is mm, cm, m, km, in, ft, a number of metres, or guess");
}

bool fr__scene_read_frame(fr__scene_reader *r, fr_json_value unit, fr_json_value up, fr_scene_object *object) {
    static const fr_json_word axes[] = {
        {"x", FR_MODEL_UP_X}, {"y", FR_MODEL_UP_Y}, {"z", FR_MODEL_UP_Z}, {"guess", FR_MODEL_UP_AS_FILE}, {NULL, 0}};
    int axis = FR_MODEL_UP_AS_FILE;
    if (unit != FR_JSON_NONE && !read_unit(r, unit, object)) { return false; }
    if (up == FR_JSON_NONE) { return true; }
    if (!fr_json_read_word(&r->reader, up, "up", axes, &axis)) { return false; }
    object->up = (fr_model_up)axis;
    object->is_guessed = object->is_guessed || object->up == FR_MODEL_UP_AS_FILE;
    return true;
}

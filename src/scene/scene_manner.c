// Reads the states of an object.
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

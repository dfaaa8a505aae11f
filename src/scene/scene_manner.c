// Reads how an object is shown, who meets it, how well its pose is known, and its states.
#include "scene/scene_reader.h"

#include <string.h>

static bool read_color(fr__scene_reader *r, uint32_t token, fr_color *out) {
    if (token == FR__JSON_NONE) { return true; }
    const fr__json_range range = {0.0, 255.0};
    if (!fr__json_array(&r->json, token, "color", 3, 3)) { return false; }
    uint32_t rgb[3], value = token + 1;
    for (int i = 0; i < 3; i++) {
        if (!fr__json_whole(&r->json, value, "color", range, &rgb[i])) { return false; }
        value = fr__json_next(&r->json, value);
    }
    *out = (fr_color){(uint8_t)rgb[0], (uint8_t)rgb[1], (uint8_t)rgb[2], 255};
    return true;
}

static bool read_flag(fr__scene_reader *r, uint32_t token, const char *what, uint32_t flag, uint32_t *flags) {
    bool is_set = false;
    if (token != FR__JSON_NONE && !fr__json_bool(&r->json, token, what, &is_set)) { return false; }
    if (is_set) { *flags |= flag; }
    return true;
}

static bool read_bits(fr__scene_reader *r, uint32_t token, const char *what, uint32_t *out) {
    const fr__json_range range = {0.0, UINT32_MAX};
    return token == FR__JSON_NONE || fr__json_whole(&r->json, token, what, range, out);
}

static bool read_group(fr__scene_reader *r, uint32_t token, int32_t *out) {
    const fr__json_range range = {INT32_MIN, INT32_MAX};
    double value;
    if (token == FR__JSON_NONE) { return true; }
    if (!fr__json_number(&r->json, token, "group", range, &value)) { return false; }
    if (value != floor(value)) {
        return fr__json_wrong(&r->json, token, FR_ERROR_SYNTAX, "group must be a whole number");
    }
    *out = (int32_t)value;
    return true;
}

static bool read_amount(fr__scene_reader *r, uint32_t token, const char *what, double most, double *out) {
    const fr__json_range range = {0.0, most};
    return token == FR__JSON_NONE || fr__json_number(&r->json, token, what, range, out);
}

static bool read_errors(fr__scene_reader *r, const fr__manner_tokens *tokens, fr_scene_object *object) {
    double turn_deg = 0.0;
    bool right =
        read_amount(r, tokens->position_error, "position_error", FR_SCENE_LENGTH_MAX, &object->position_error) &&
        read_amount(r, tokens->rotation_error, "rotation_error_deg", 180.0, &turn_deg) &&
        read_amount(r, tokens->latency, "latency", FR_SCENE_LATENCY_MAX, &object->latency);
    double turn = fr_radians(turn_deg);
    object->rotation_error = turn < FR_PI ? turn : FR_PI;
    return right;
}

// The states go to the end of the scene's; the object points at them when all are there, as they may move until then.
static bool read_states(fr__scene_reader *r, uint32_t token, fr_scene_object *object) {
    const fr__json_range range = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX};
    if (token == FR__JSON_NONE) { return true; }
    if (!fr__json_map(&r->json, token, "states", FR_WORLD_MAX_STATES)) { return false; }
    uint32_t end = fr__json_next(&r->json, token);
    for (uint32_t key = token + 1; key < end; key = fr__json_next(&r->json, key)) {
        fr_scene_state state;
        bool right =
            fr__json_string(&r->json, key, "the name of a state", FR_WORLD_STATE_NAME_MAX_BYTES, &state.name) &&
            fr__json_number(&r->json, key + 1, "a state", range, &state.value);
        if (!right) { return false; }
        const fr_scene_state *all = r->scene->states.data;
        for (uint32_t i = 1; i <= object->state_count; i++) {
            if (strcmp(all[r->scene->states.count - i].name, state.name) != 0) { continue; }
            return fr__json_wrong(&r->json, key, FR_ERROR_SYNTAX, "'%s' stands here for the second time", state.name);
        }
        fr_scene_state *place = fr_array_push(&r->scene->states, 1);
        if (place == NULL) { return fr__json_no_memory(&r->json); }
        *place = state;
        object->state_count++;
    }
    return true;
}

bool fr__scene_read_manner(fr__scene_reader *r, const fr__manner_tokens *tokens, fr_scene_object *object) {
    object->flags = object->is_static ? FR_OBJECT_STATIC : 0;
    object->filter = fr_default_object_def().filter;
    object->color = fr_default_label().color;
    object->joint = FR_NONE;
    return read_color(r, tokens->color, &object->color) &&
           read_flag(r, tokens->sensor, "sensor", FR_OBJECT_SENSOR, &object->flags) &&
           read_flag(r, tokens->real, "real", FR_OBJECT_REAL, &object->flags) &&
           read_flag(r, tokens->self, "self", FR_OBJECT_SELF, &object->flags) &&
           read_bits(r, tokens->layers, "layers", &object->filter.layers) &&
           read_bits(r, tokens->mask, "mask", &object->filter.mask) &&
           read_group(r, tokens->group, &object->filter.group) && read_errors(r, tokens, object) &&
           read_states(r, tokens->states, object);
}

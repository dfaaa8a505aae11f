// Reads a touch session: which object of a scene touches the others, and what of it counts.
#include "scene/scene_reader.h"

static const fr_json_word strategies[] = {{"box", FR_TOUCH_BOX},
                                          {"polygon-all", FR_TOUCH_POLYGON_ALL},
                                          {"combined", FR_TOUCH_COMBINED},
                                          {"combined-near", FR_TOUCH_COMBINED_NEAR},
                                          {NULL, 0}};

enum {
    TOUCH_OPERATED,
    TOUCH_PAIRS,
    TOUCH_DISTANCE,
    TOUCH_STRATEGY,
    TOUCH_CLOSEST,
    TOUCH_SWEPT,
    TOUCH_POINT,
    TOUCH_FORCE,
    TOUCH_KEYS
};

#define AMOUNT(name, member, high)                                                                                     \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBER, .offset = offsetof(fr_pen_settings, member), .range = { 0.0, high }    \
    }
#define FLAG(name, bit)                                                                                                \
    { .key = name, .type = FR_JSON_AS_FLAG, .offset = offsetof(fr_pen_settings, flags), .count = bit }

static const fr_json_field touch_fields[TOUCH_KEYS] = {
    [TOUCH_OPERATED] = {.key = "operated", .is_required = true},
    [TOUCH_PAIRS] = {.key = "pairs"},
    [TOUCH_DISTANCE] = AMOUNT("distance", distance, FR_SCENE_LENGTH_MAX),
    [TOUCH_STRATEGY] = {.key = "strategy",
                        .type = FR_JSON_AS_WORD,
                        .offset = offsetof(fr_pen_settings, strategy),
                        .words = strategies},
    [TOUCH_CLOSEST] = FLAG("closest", FR_TOUCH_CLOSEST),
    [TOUCH_SWEPT] = FLAG("way", FR_TOUCH_SWEPT),
    [TOUCH_POINT] = FR__SCENE_VECTOR("point", fr_pen_settings, point, FR_SCENE_LENGTH_MAX),
    [TOUCH_FORCE] = {.key = "force"},
};

static const fr_json_field force_fields[] = {
    AMOUNT("stiffness", stiffness, 1e6),
    AMOUNT("damping", damping, 1e6),
    AMOUNT("max", force_max, 1e6),
    AMOUNT("pulse", pulse_force, 1e6),
    AMOUNT("pulse_time", pulse_time, 10.0),
    {.key = "surface", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr_pen_settings, is_at_surface)},
};
enum { FORCE_KEYS = sizeof force_fields / sizeof force_fields[0] };

// Pairs are numbered from 1 as in the source's table; one that is there twice counts once.
static bool read_pairs(fr__scene_reader *r, fr_json_value token, uint32_t *out) {
    const fr_json_range numbers = {1.0, FR_TOUCH_PAIRS};
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(&r->reader, token, "pairs", 1, FR_TOUCH_PAIRS)) { return false; }
    *out = 0;
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        uint32_t number;
        if (!fr_json_read_whole(&r->reader, value, "a pair", numbers, &number)) { return false; }
        *out |= 1u << (number - 1);
    }
    return true;
}

static bool read_force(fr__scene_reader *r, fr_json_value token, fr_pen_settings *settings) {
    fr_json_value values[FORCE_KEYS];
    return token == FR_JSON_NONE ||
           (fr_json_read_object(&r->reader, token, "force", force_fields, FORCE_KEYS, values) &&
            fr_json_read_fields(&r->reader, values, force_fields, FORCE_KEYS, settings));
}

bool fr__scene_read_touch(fr__scene_reader *r, fr_json_value token) {
    if (token == FR_JSON_NONE) { return true; }
    fr_scene_touch *touch = &r->scene->touch;
    touch->settings = fr_default_pen_settings();
    fr_json_value values[TOUCH_KEYS];
    bool right = fr_json_read_object(&r->reader, token, "touch", touch_fields, TOUCH_KEYS, values) &&
                 fr__scene_read_object_name(r, values[TOUCH_OPERATED], "operated", &touch->operated) &&
                 read_pairs(r, values[TOUCH_PAIRS], &touch->settings.pairs) &&
                 fr_json_read_fields(&r->reader, values, touch_fields, TOUCH_KEYS, &touch->settings) &&
                 read_force(r, values[TOUCH_FORCE], &touch->settings);
    if (right) { r->scene->view.touch = touch; }
    return right;
}

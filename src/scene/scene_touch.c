// Reads a touch session: which object of a scene touches the others, and what of it counts.
#include "scene/scene_reader.h"

enum {
    TOUCH_OPERATED,
    TOUCH_PAIRS,
    TOUCH_DISTANCE,
    TOUCH_STRATEGY,
    TOUCH_CLOSEST,
    TOUCH_WAY,
    TOUCH_POINT,
    TOUCH_FORCE,
    TOUCH_KEYS
};

static const fr__json_key touch_keys[TOUCH_KEYS] = {
    [TOUCH_OPERATED] = {"operated", true},  [TOUCH_PAIRS] = {"pairs", false},
    [TOUCH_DISTANCE] = {"distance", false}, [TOUCH_STRATEGY] = {"strategy", false},
    [TOUCH_CLOSEST] = {"closest", false},   [TOUCH_WAY] = {"way", false},
    [TOUCH_POINT] = {"point", false},       [TOUCH_FORCE] = {"force", false},
};

enum { FORCE_STIFFNESS, FORCE_DAMPING, FORCE_MAX, FORCE_PULSE, FORCE_PULSE_TIME, FORCE_SURFACE, FORCE_KEYS };

static const fr__json_key force_keys[FORCE_KEYS] = {
    [FORCE_STIFFNESS] = {"stiffness", false},
    [FORCE_DAMPING] = {"damping", false},
    [FORCE_MAX] = {"max", false},
    [FORCE_PULSE] = {"pulse", false},
    [FORCE_PULSE_TIME] = {"pulse_time", false},
    [FORCE_SURFACE] = {"surface", false},
};

static bool read_number(fr__scene_reader *r, uint32_t token, const char *what, double high, double *out) {
    const fr__json_range range = {0.0, high};
    return token == FR__JSON_NONE || fr__json_number(&r->json, token, what, range, out);
}

static bool read_bool(fr__scene_reader *r, uint32_t token, const char *what, bool *out) {
    return token == FR__JSON_NONE || fr__json_bool(&r->json, token, what, out);
}

// Pairs are numbered from 1 as in the source's table; one that is there twice counts once.
static bool read_pairs(fr__scene_reader *r, uint32_t token, uint32_t *out) {
    const fr__json_range numbers = {1.0, FR_TOUCH_PAIRS};
    if (token == FR__JSON_NONE) { return true; }
    if (!fr__json_array(&r->json, token, "pairs", 1, FR_TOUCH_PAIRS)) { return false; }
    *out = 0;
    uint32_t end = fr__json_next(&r->json, token);
    for (uint32_t value = token + 1; value < end; value = fr__json_next(&r->json, value)) {
        uint32_t number;
        if (!fr__json_whole(&r->json, value, "a pair", numbers, &number)) { return false; }
        *out |= 1u << (number - 1);
    }
    return true;
}

static bool read_strategy(fr__scene_reader *r, uint32_t token, fr_touch_strategy *out) {
    static const fr__scene_word words[] = {{"box", FR_TOUCH_BOX},
                                           {"polygon-all", FR_TOUCH_POLYGON_ALL},
                                           {"combined", FR_TOUCH_COMBINED},
                                           {"combined-near", FR_TOUCH_COMBINED_NEAR}};
    int strategy = (int)*out;
    if (!fr__scene_read_word(r, token, "strategy", words, sizeof words / sizeof words[0], &strategy)) { return false; }
    *out = (fr_touch_strategy)strategy;
    return true;
}

static bool read_force(fr__scene_reader *r, uint32_t token, fr_scene_touch *touch) {
    const double most = 1e6, longest = 10.0;
    uint32_t values[FORCE_KEYS];
    if (token == FR__JSON_NONE) { return true; }
    return fr__json_object(&r->json, token, "force", force_keys, FORCE_KEYS, values) &&
           read_number(r, values[FORCE_STIFFNESS], "stiffness", most, &touch->stiffness) &&
           read_number(r, values[FORCE_DAMPING], "damping", most, &touch->damping) &&
           read_number(r, values[FORCE_MAX], "max", most, &touch->force_max) &&
           read_number(r, values[FORCE_PULSE], "pulse", most, &touch->pulse_force) &&
           read_number(r, values[FORCE_PULSE_TIME], "pulse_time", longest, &touch->pulse_time) &&
           read_bool(r, values[FORCE_SURFACE], "surface", &touch->is_at_surface);
}

bool fr__scene_read_touch(fr__scene_reader *r, uint32_t token) {
    const fr__json_range lengths = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX};
    if (token == FR__JSON_NONE) { return true; }
    fr_scene_touch *touch = &r->scene->touch;
    *touch = (fr_scene_touch){.pairs = FR_TOUCH_ORIGIN_FACE,
                              .distance = 0.01,
                              .strategy = FR_TOUCH_COMBINED_NEAR,
                              .stiffness = 400.0,
                              .damping = 0.1,
                              .force_max = 4.0,
                              .pulse_force = 1.0,
                              .pulse_time = 0.06};
    uint32_t values[TOUCH_KEYS];
    bool is_closest = false, has_way = false;
    bool right = fr__json_object(&r->json, token, "touch", touch_keys, TOUCH_KEYS, values) &&
                 fr__scene_read_object_name(r, values[TOUCH_OPERATED], "operated", &touch->operated) &&
                 read_pairs(r, values[TOUCH_PAIRS], &touch->pairs) &&
                 read_number(r, values[TOUCH_DISTANCE], "distance", FR_SCENE_LENGTH_MAX, &touch->distance) &&
                 read_strategy(r, values[TOUCH_STRATEGY], &touch->strategy) &&
                 read_bool(r, values[TOUCH_CLOSEST], "closest", &is_closest) &&
                 read_bool(r, values[TOUCH_WAY], "way", &has_way) &&
                 fr__scene_read_vector(r, values[TOUCH_POINT], "point", lengths, &touch->point) &&
                 read_force(r, values[TOUCH_FORCE], touch);
    if (!right) { return false; }
    touch->options = (is_closest ? (uint32_t)FR_TOUCH_CLOSEST : 0u) | (has_way ? (uint32_t)FR_TOUCH_WAY : 0u);
    r->scene->view.touch = touch;
    return true;
}

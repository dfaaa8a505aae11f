// Reads how objects of a scene sense others: what they will hit, and what they look for; and what all of them offer.
#include "scene/scene_reader.h"

static const fr_json_field ahead_fields[] = {
    {.key = "seconds", .type = FR_JSON_AS_NUMBER, .range = {FR_SCENE_AHEAD_MIN, FR_FORECAST_SECONDS_MAX}},
};
enum { AHEAD_KEYS = sizeof ahead_fields / sizeof ahead_fields[0] };

bool fr__scene_read_ahead(fr__scene_reader *r, fr_json_value token, double *out) {
    if (token == FR_JSON_NONE) { return true; }
    *out = fr_default_forecast_def().seconds;
    fr_json_value values[AHEAD_KEYS];
    return fr_json_read_object(&r->reader, token, "ahead", ahead_fields, AHEAD_KEYS, values) &&
           fr_json_read_fields(&r->reader, values, ahead_fields, AHEAD_KEYS, out);
}

static const fr_json_field surfaces_fields[] = {
    {.key = "stature", .type = FR_JSON_AS_NUMBER, .range = {1.0, 2.0}},
};
enum { SURFACES_KEYS = sizeof surfaces_fields / sizeof surfaces_fields[0] };

bool fr__scene_read_surfaces(fr__scene_reader *r, fr_json_value token, double *out) {
    if (token == FR_JSON_NONE) { return true; }
    *out = fr_default_surface_layer_def().stature;
    fr_json_value values[SURFACES_KEYS];
    return fr_json_read_object(&r->reader, token, "surfaces", surfaces_fields, SURFACES_KEYS, values) &&
           fr_json_read_fields(&r->reader, values, surfaces_fields, SURFACES_KEYS, out);
}

enum { RADAR_RANGE, RADAR_WIDTH, RADAR_DIRECTION, RADAR_KEYS };

static const fr_json_field radar_fields[RADAR_KEYS] = {
    [RADAR_RANGE] = {.key = "range",
                     .type = FR_JSON_AS_NUMBER,
                     .offset = offsetof(fr_scene_radar, range),
                     .range = {FR_RADAR_LAYER_MIN, FR_RADAR_LAYER_MAX}},
    [RADAR_WIDTH] = {.key = "width",
                     .type = FR_JSON_AS_NUMBER,
                     .offset = offsetof(fr_scene_radar, width),
                     .range = {FR_RADAR_LAYER_MIN, FR_RADAR_LAYER_MAX}},
    [RADAR_DIRECTION] = {.key = "direction"},
};

bool fr__scene_read_radar(fr__scene_reader *r, fr_json_value token, fr_scene_radar *out) {
    if (token == FR_JSON_NONE) { return true; }
    const fr_radar_layer_def usual = fr_default_radar_layer_def();
    *out = (fr_scene_radar){usual.range, usual.width, usual.direction};
    fr_json_value values[RADAR_KEYS];
    return fr_json_read_object(&r->reader, token, "radar", radar_fields, RADAR_KEYS, values) &&
           fr_json_read_fields(&r->reader, values, radar_fields, RADAR_KEYS, out) &&
           fr__scene_read_direction(&r->reader, values[RADAR_DIRECTION], "direction", &out->direction);
}

enum { SEEK_OBJECT, SEEK_TARGET, SEEK_SPEED, SEEK_RANGE, SEEK_BOUNDS, SEEK_LOOKS, SEEK_SEED, SEEK_KEYS };

#define AMOUNT(name, member, low, high)                                                                                \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBER, .offset = offsetof(fr_scene_seek, member), .range = { low, high }      \
    }
#define WHOLE(name, member, low, high)                                                                                 \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_WHOLE, .offset = offsetof(fr_scene_seek, member), .range = { low, high }       \
    }

static const fr_json_field seek_fields[SEEK_KEYS] = {
    [SEEK_OBJECT] = {.key = "object", .is_required = true},
    [SEEK_TARGET] = {.key = "target", .is_required = true},
    [SEEK_SPEED] = AMOUNT("speed", speed, FR_SCENE_SEEK_MIN, FR_SEEKER_LENGTH_MAX),
    [SEEK_RANGE] = AMOUNT("range", range, FR_SCENE_SEEK_MIN, FR_SEEKER_LENGTH_MAX),
    [SEEK_BOUNDS] = {.key = "bounds"},
    [SEEK_LOOKS] = WHOLE("looks", looks, 1.0, FR_SEEKER_MAX_LOOKS),
    [SEEK_SEED] = WHOLE("seed", seed, 0.0, UINT32_MAX),
};

static bool read_seek(fr__scene_reader *r, fr_json_value token) {
    fr_json_value values[SEEK_KEYS];
    const fr_seeker_def usual = fr_default_seeker_def();
    fr_scene_seek seek = {.speed = usual.speed, .range = usual.range, .bounds = usual.bounds, .looks = usual.looks};
    seek.seed = (uint32_t)usual.seed;
    bool right = fr_json_read_object(&r->reader, token, "seek", seek_fields, SEEK_KEYS, values) &&
                 fr__scene_read_object_name(r, values[SEEK_OBJECT], "object", &seek.object) &&
                 fr__scene_read_object_name(r, values[SEEK_TARGET], "target", &seek.target) &&
                 fr_json_read_fields(&r->reader, values, seek_fields, SEEK_KEYS, &seek) &&
                 (values[SEEK_BOUNDS] == FR_JSON_NONE || fr__scene_read_bounds(r, values[SEEK_BOUNDS], &seek.bounds));
    if (!right) { return false; }
    if (seek.object == seek.target) {
        return fr_json_fail(&r->reader, values[SEEK_TARGET], FR_ERROR_ARGUMENT, "an object does not seek itself");
    }
    const fr_scene_object *object = &r->scene->objects.data[seek.object];
    if (object->is_static || fr__scene_moves(object)) {
        return fr_json_fail(&r->reader, values[SEEK_OBJECT], FR_ERROR_ARGUMENT,
                            "an object that is static or moves by itself does not seek");
    }
    fr_scene_seek *place = fr__scene_seek_array_push(&r->scene->seeks, 1);
    if (place == NULL) { return fr_json_fail_memory(&r->reader); }
    *place = seek;
    return true;
}

// One, or several in an array.
bool fr__scene_read_seeks(fr__scene_reader *r, fr_json_value token) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_is(r->reader.json, token, FR_JSON_ARRAY)) { return read_seek(r, token); }
    if (!fr_json_read_array(&r->reader, token, "seek", 1, FR_SCENE_MAX_SEEKS)) { return false; }
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        if (!read_seek(r, value)) { return false; }
    }
    return true;
}

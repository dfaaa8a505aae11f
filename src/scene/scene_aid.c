// Reads what a scene gives the hands of those who handle its objects.
#include "scene/scene_reader.h"

enum {
    AID_MODE,
    AID_MAGNET,
    AID_BLEND,
    AID_EDGES,
    AID_AXES,
    AID_FALL,
    AID_FRICTION,
    AID_RESTITUTION,
    AID_UNDO,
    AID_KEYS
};

static const fr__json_key aid_keys[AID_KEYS] = {
    [AID_MODE] = {"mode", false},         [AID_MAGNET] = {"magnet", false},
    [AID_BLEND] = {"blend", false},       [AID_FALL] = {"fall", false},
    [AID_EDGES] = {"edges", false},       [AID_AXES] = {"axes", false},
    [AID_FRICTION] = {"friction", false}, [AID_RESTITUTION] = {"restitution", false},
    [AID_UNDO] = {"undo", false},
};

static bool read_number(fr__scene_reader *r, const uint32_t *values, int key, double high, double *out) {
    const fr__json_range range = {0.0, high};
    return values[key] == FR__JSON_NONE || fr__json_number(&r->json, values[key], aid_keys[key].name, range, out);
}

static bool read_whole(fr__scene_reader *r, const uint32_t *values, int key, fr__json_range range, uint32_t *out) {
    return values[key] == FR__JSON_NONE || fr__json_whole(&r->json, values[key], aid_keys[key].name, range, out);
}

bool fr__scene_read_aid(fr__scene_reader *r, uint32_t token) {
    const fr__json_range modes = {FR_AID_MODE_NOTHING, FR_AID_MODE_SOUND}, placements = {1.0, FR_SCENE_MAX_UNDO};
    if (token == FR__JSON_NONE) { return true; }
    fr_scene_aid *aid = &r->scene->aid;
    *aid = (fr_scene_aid){.magnet = 1.0, .blend = 0.08, .friction = 0.5, .undo = 32};
    uint32_t values[AID_KEYS], mode = FR_AID_MODE_AID;
    bool right =
        fr__json_object(&r->json, token, "aid", aid_keys, AID_KEYS, values) &&
        read_whole(r, values, AID_MODE, modes, &mode) && read_number(r, values, AID_MAGNET, 100.0, &aid->magnet) &&
        read_number(r, values, AID_BLEND, 10.0, &aid->blend) && read_number(r, values, AID_EDGES, 10.0, &aid->edges) &&
        read_number(r, values, AID_AXES, 10.0, &aid->axes) &&
        (values[AID_FALL] == FR__JSON_NONE || fr__json_bool(&r->json, values[AID_FALL], "fall", &aid->falls)) &&
        read_number(r, values, AID_FRICTION, 100.0, &aid->friction) &&
        read_number(r, values, AID_RESTITUTION, 1.0, &aid->restitution) &&
        read_whole(r, values, AID_UNDO, placements, &aid->undo);
    if (!right) { return false; }
    aid->mode = (fr_aid_mode)mode;
    r->scene->view.aid = aid;
    return true;
}

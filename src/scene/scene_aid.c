// Reads what a scene gives the hands of those who handle its objects.
#include "scene/scene_reader.h"

#define AMOUNT(name, member, high)                                                                                     \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBER, .offset = offsetof(fr_hands_settings, member), .range = { 0.0, high }  \
    }

static const fr_json_field aid_fields[] = {
    {.key = "mode",
     .type = FR_JSON_AS_WHOLE,
     .offset = offsetof(fr_hands_settings, mode),
     .range = {FR_AID_MODE_NOTHING, FR_AID_MODE_SOUND}},
    AMOUNT("magnet", magnet, 100.0),
    AMOUNT("blend", blend, 10.0),
    AMOUNT("edges", edges, 10.0),
    AMOUNT("axes", axes, 10.0),
    {.key = "fall", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr_hands_settings, may_fall)},
    AMOUNT("friction", friction, 100.0),
    AMOUNT("restitution", restitution, 1.0),
    {.key = "undo",
     .type = FR_JSON_AS_WHOLE,
     .offset = offsetof(fr_hands_settings, undo),
     .range = {1.0, FR_SCENE_MAX_UNDO}},
};
enum { AID_KEYS = sizeof aid_fields / sizeof aid_fields[0] };

bool fr__scene_read_aid(fr__scene_reader *r, fr_json_value token) {
    if (token == FR_JSON_NONE) { return true; }
    fr_hands_settings *aid = &r->scene->aid;
    *aid = fr_default_hands_settings();
    fr_json_value values[AID_KEYS];
    bool right = fr_json_read_object(&r->reader, token, "aid", aid_fields, AID_KEYS, values) &&
                 fr_json_read_fields(&r->reader, values, aid_fields, AID_KEYS, aid);
    if (right) { r->scene->view.aid = aid; }
    return right;
}

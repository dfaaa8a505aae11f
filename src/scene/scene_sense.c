// Reads how objects of a scene sense others: what they will hit.
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

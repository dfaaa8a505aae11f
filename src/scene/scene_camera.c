// Reads where a scene is looked at from.
#include "scene/scene_reader.h"

enum { CAMERA_FROM, CAMERA_TO, CAMERA_FRAME, CAMERA_KEYS };

static const fr_json_field camera_fields[CAMERA_KEYS] = {
    [CAMERA_FROM] = FR__SCENE_VECTOR("from", fr_scene_camera, eye, FR_SCENE_LENGTH_MAX),
    [CAMERA_TO] = FR__SCENE_VECTOR("to", fr_scene_camera, target, FR_SCENE_LENGTH_MAX),
    [CAMERA_FRAME] = {.key = "frame"},
};

// The names of what is to be seen; the camera points at them when all are there.
static bool read_framed(fr__scene_reader *r, fr_json_value token) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(&r->reader, token, "frame", 1, FR_SCENE_MAX_FRAMED)) { return false; }
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        uint32_t object;
        if (!fr__scene_read_object_name(r, value, "frame", &object)) { return false; }
        uint32_t *place = fr_uint32_array_push(&r->scene->framed, 1);
        if (place == NULL) { return fr_json_fail_memory(&r->reader); }
        *place = object;
    }
    return true;
}

bool fr__scene_read_camera(fr__scene_reader *r, fr_json_value token) {
    fr_json_value values[CAMERA_KEYS];
    fr_scene_camera *camera = &r->scene->camera;
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_object(&r->reader, token, "view", camera_fields, CAMERA_KEYS, values) ||
        !fr_json_read_fields(&r->reader, values, camera_fields, CAMERA_KEYS, camera) ||
        !read_framed(r, values[CAMERA_FRAME])) {
        return false;
    }
    bool has_from = values[CAMERA_FROM] != FR_JSON_NONE, has_to = values[CAMERA_TO] != FR_JSON_NONE;
    if (has_from != has_to) {
        return fr_json_fail(&r->reader, fr_json_key(values[has_from ? CAMERA_FROM : CAMERA_TO]), FR_ERROR_SYNTAX,
                            "a view has 'from' and 'to' together");
    }
    if (!has_from && values[CAMERA_FRAME] == FR_JSON_NONE) {
        return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "a view needs 'from' and 'to', or 'frame'");
    }
    if (has_from && fr_vec3_equal(camera->eye, camera->target)) {
        return fr_json_fail(&r->reader, values[CAMERA_TO], FR_ERROR_ARGUMENT, "'from' and 'to' are the same point");
    }
    camera->has_eye = has_from;
    r->scene->view.camera = camera;
    return true;
}

void fr__scene_settle_camera(fr_scene *scene) {
    scene->camera.objects = scene->framed.data;
    scene->camera.object_count = (uint32_t)scene->framed.count;
}

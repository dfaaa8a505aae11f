// A touch session of a scene: the pen at each instant, and which triangles have blinked.
#include "touch_session.h"

#include <string.h>

uint32_t touch_pair_number(fr_touch_pair pair) {
    uint32_t number = 1;
    for (uint32_t bits = (uint32_t)pair; bits > 1; bits >>= 1) {
        number++;
    }
    return number;
}

fr_status touch_session_begin(touch_session *s, const scene_file *file, const fr_scene_touch *touch, fr_error *error) {
    *s = (touch_session){.file = file, .touch = *touch};
    fr_pen_def def = fr_default_pen_def();
    def.space = file->space;
    def.object = file->ids[touch->operated];
    def.settings = touch->settings;
    fr_status status = fr_pen_create(&def, &s->pen, error);
    if (status != FR_OK) { return status; }
    return fr_blink_marks_create(file->space, NULL, &s->marks, error);
}

void touch_session_end(touch_session *s) {
    fr_blink_marks_destroy(s->marks);
    fr_pen_destroy(s->pen);
}

bool touch_session_has_blinked(const touch_session *s, uint32_t object, uint32_t triangle) {
    uint32_t count;
    return fr_blink_marks_get(s->marks, s->file->ids[object], &count)[triangle] != 0;
}

uint32_t touch_session_blinks(const touch_session *s, uint32_t object, uint32_t *of) {
    const unsigned char *marks = fr_blink_marks_get(s->marks, s->file->ids[object], of);
    uint32_t count = 0;
    for (uint32_t i = 0; i < *of; i++) {
        count += marks[i] != 0 ? 1 : 0;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------------------------
// A step

static fr_status place_objects(const touch_session *s, uint32_t k, fr_error *error) {
    const scene_file *file = s->file;
    fr_status status = fr_scene_place(file->scene, k, file->space, file->ids, error);
    if (status == FR_OK) {
        status = fr_scene_player_place(file->player, file->space, fr_scene_time(file->scene, k), error);
    }
    return status == FR_OK ? fr_space_update(file->space, NULL, error) : status;
}

fr_status touch_session_step(touch_session *s, uint32_t k, const fr_control *control, fr_error *error) {
    fr_status status = place_objects(s, k, error);
    if (status != FR_OK) { return status; }
    status = fr_pen_step(s->pen, s->file->space, fr_scene_get(s->file->scene)->step, control, error);
    const fr_pen_output pen = fr_pen_get(s->pen);
    for (uint32_t i = 0; i < pen.contact_count && status == FR_OK; i++) {
        status = fr_blink_marks_add(s->marks, &pen.contacts[i].hit, error);
    }
    return status;
}

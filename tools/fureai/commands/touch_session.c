#include "touch_session.h"

#include <stdlib.h>
#include <string.h>

uint32_t touch_pair_number(fr_touch_pair pair) {
    uint32_t number = 1;
    for (uint32_t bits = (uint32_t)pair; bits > 1; bits >>= 1) {
        number++;
    }
    return number;
}

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a touch session");
}

// ---------------------------------------------------------------------------------------------------------------
// Begin and end

// Zeroed room at the end of an array; NULL without memory.
static void *push_zeros(fr_array *array, size_t count) {
    void *place = fr_array_push(array, count);
    if (place != NULL) { memset(place, 0, count * array->element_bytes); }
    return place;
}

static bool number_objects(touch_session *s) {
    uint32_t parts = 0, marks = 0, count = fr_scene_get(s->file->scene)->object_count;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t *part = fr_array_push(&s->first_part, 1), *mark = fr_array_push(&s->first_mark, 1);
        if (part == NULL || mark == NULL) { return false; }
        *part = parts;
        *mark = marks;
        if (i == count) { break; }
        const fr_object_view *object = fr_object_get(s->file->space, s->file->ids[i]);
        parts += object->part_count;
        marks += object->triangle_count;
    }
    return (parts == 0 || push_zeros(&s->groups, parts) != NULL) &&
           (marks == 0 || push_zeros(&s->marks, marks) != NULL);
}

fr_status touch_session_begin(touch_session *s, const scene_file *file, const fr_scene_touch *touch, fr_error *error) {
    const fr_allocator a = fr_default_allocator();
    *s = (touch_session){.file = file, .touch = *touch};
    s->groups = fr_array_make(sizeof(fr_blink_groups *), &a);
    s->marks = fr_array_make(1, &a);
    s->first_part = fr_array_make(sizeof(uint32_t), &a);
    s->first_mark = fr_array_make(sizeof(uint32_t), &a);
    fr_pen_def def = fr_default_pen_def();
    def.space = file->space;
    def.object = file->ids[touch->operated];
    def.settings = touch->settings;
    fr_status status = fr_pen_create(&def, &s->pen, error);
    if (status != FR_OK) { return status; }
    return number_objects(s) ? FR_OK : no_memory(error);
}

void touch_session_end(touch_session *s) {
    fr_blink_groups **groups = s->groups.data;
    for (size_t i = 0; i < s->groups.count; i++) {
        fr_blink_groups_destroy(groups[i]);
    }
    fr_array *arrays[] = {&s->groups, &s->marks, &s->first_part, &s->first_mark};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        fr_array_destroy(arrays[i]);
    }
    fr_pen_destroy(s->pen);
}

// ---------------------------------------------------------------------------------------------------------------
// What blinks

static fr_status groups_of(touch_session *s, uint32_t object, uint32_t part, fr_blink_groups **out, fr_error *error) {
    const uint32_t *first = s->first_part.data;
    fr_blink_groups **place = (fr_blink_groups **)s->groups.data + first[object] + part;
    if (*place == NULL) {
        fr_part_view view = fr_object_part(s->file->space, s->file->ids[object], part);
        fr_status status = fr_blink_groups_create(view.mesh, NULL, place, error);
        if (status != FR_OK) { return status; }
    }
    *out = *place;
    return FR_OK;
}

static uint32_t scene_index(const touch_session *s, fr_object_id id) {
    const fr_scene_object *objects = fr_scene_get(s->file->scene)->objects;
    const fr_scene_object *object = fr_object_get(s->file->space, id)->user;
    return (uint32_t)(object - objects);
}

static fr_status mark_blinking(touch_session *s, const fr_touch_hit *hit, fr_error *error) {
    uint32_t object = scene_index(s, hit->object), count;
    const uint32_t *first = s->first_mark.data;
    unsigned char *marks = (unsigned char *)s->marks.data + first[object];
    if (fr_blink_is_whole(hit->pair)) {
        memset(marks, 1, first[object + 1] - first[object]);
        return FR_OK;
    }
    if (marks[hit->triangle] != 0) { return FR_OK; }
    fr_blink_groups *groups;
    fr_status status = groups_of(s, object, hit->part, &groups, error);
    if (status != FR_OK) { return status; }
    fr_part_view view = fr_object_part(s->file->space, hit->object, hit->part);
    uint32_t *numbers = calloc(fr_mesh_get(view.mesh)->triangle_count, sizeof *numbers);
    if (numbers == NULL) { return no_memory(error); }
    count = fr_blink_triangles(groups, hit->triangle - view.first_triangle, numbers);
    for (uint32_t i = 0; i < count; i++) {
        marks[view.first_triangle + numbers[i]] = 1;
    }
    free(numbers);
    return FR_OK;
}

bool touch_session_has_blinked(const touch_session *s, uint32_t object, uint32_t triangle) {
    const uint32_t *first = s->first_mark.data;
    return ((const unsigned char *)s->marks.data)[first[object] + triangle] != 0;
}

uint32_t touch_session_blinks(const touch_session *s, uint32_t object, uint32_t *of) {
    const uint32_t *first = s->first_mark.data;
    uint32_t count = 0;
    *of = first[object + 1] - first[object];
    for (uint32_t i = 0; i < *of; i++) {
        count += touch_session_has_blinked(s, object, i) ? 1 : 0;
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
        status = mark_blinking(s, &pen.contacts[i].hit, error);
    }
    return status;
}

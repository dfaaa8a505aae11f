#include "touch_session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TICK 1e-3     // seconds
#define SLOW 0.02     // metres a second: a pen that is slower has no direction
#define FIRST_HITS 64 // that there is room for at first

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

static bool gather_parts(touch_session *s, fr_object_id id) {
    const fr_object_view *object = fr_object_get(s->file->space, id);
    for (uint32_t i = 0; i < object->part_count; i++) {
        fr_part_view view = fr_object_part(s->file->space, id, i);
        fr_part_def *part = fr_array_push(&s->parts, 1);
        if (part == NULL) { return false; }
        *part = fr_default_part_def();
        part->mesh = view.mesh;
        part->pose = view.pose;
    }
    return true;
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
    memset(s, 0, sizeof *s);
    const fr_allocator a = fr_default_allocator();
    s->file = file;
    s->touch = *touch;
    s->parts = fr_array_make(sizeof(fr_part_def), &a);
    s->hits = fr_array_make(sizeof(fr_touch_hit), &a);
    s->contacts = fr_array_make(sizeof(touch_contact), &a);
    s->before = fr_array_make(sizeof(touch_contact), &a);
    s->groups = fr_array_make(sizeof(fr_blink_groups *), &a);
    s->marks = fr_array_make(1, &a);
    s->first_part = fr_array_make(sizeof(uint32_t), &a);
    s->first_mark = fr_array_make(sizeof(uint32_t), &a);
    fr_haptic_def def = fr_default_haptic_def();
    def.stiffness = touch->stiffness;
    def.damping = touch->damping;
    def.force_max = touch->force_max;
    def.pulse_force = touch->pulse_force;
    def.pulse_time = touch->pulse_time;
    fr_status status = fr_haptic_make(&def, &s->haptic, error);
    if (status != FR_OK) { return status; }
    fr_object_id id = file->ids[touch->operated];
    if (!gather_parts(s, id) || !number_objects(s) || !fr_array_reserve(&s->hits, FIRST_HITS)) {
        return no_memory(error);
    }
    s->filter = fr_default_query_filter();
    s->filter.ignore = id;
    s->input = fr_default_touch_input();
    s->input.space = file->space;
    s->input.parts = s->parts.data;
    s->input.part_count = (uint32_t)s->parts.count;
    s->input.origin_local = touch->point;
    s->input.filter = &s->filter;
    s->input.pairs = touch->pairs;
    s->input.distance = touch->distance;
    s->input.strategy = touch->strategy;
    s->input.options = touch->options;
    return FR_OK;
}

void touch_session_end(touch_session *s) {
    fr_blink_groups **groups = s->groups.data;
    for (size_t i = 0; i < s->groups.count; i++) {
        fr_blink_groups_destroy(groups[i]);
    }
    fr_array *arrays[] = {&s->parts,  &s->hits,  &s->contacts,   &s->before,
                          &s->groups, &s->marks, &s->first_part, &s->first_mark};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        fr_array_free(arrays[i]);
    }
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
// Contacts

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

// The same element of the same point.
static int compare_contacts(const void *a, const void *b) {
    const fr_touch_hit *x = &((const touch_contact *)a)->hit, *y = &((const touch_contact *)b)->hit;
    int order = compare_numbers((uint32_t)x->pair, (uint32_t)y->pair);
    if (order == 0) { order = compare_numbers(x->point_index, y->point_index); }
    if (order == 0) { order = compare_numbers(x->object.index1, y->object.index1); }
    if (order == 0) { order = compare_numbers(x->part, y->part); }
    return order != 0 ? order : compare_numbers(x->element, y->element);
}

static fr_status find_hits(touch_session *s, uint32_t *count, fr_error *error) {
    for (;;) {
        s->input.hits = s->hits.data;
        s->input.capacity = (uint32_t)s->hits.capacity;
        fr_status status = fr_touch_pairs(&s->input, count, error);
        if (status != FR_OK || *count <= s->input.capacity) { return status; }
        if (!fr_array_reserve(&s->hits, *count)) { return no_memory(error); }
    }
}

// How far before a face the operated point is, on the side it came from; below 0 behind it. Of the operating point
// itself where it is now, also where the hit is of its way.
static double height_of(const touch_session *s, const touch_contact *c) {
    const uint32_t origins = FR_TOUCH_ORIGIN_BOX_FACE | FR_TOUCH_ORIGIN_FACE;
    fr_vec3 at = ((uint32_t)c->hit.pair & origins) != 0 ? s->tip : c->hit.point;
    return c->side * fr_vec3_dot(c->hit.normal, fr_vec3_sub(at, c->hit.foot));
}

// Along the face's normal by the law of the haptic tick; where points met, a pulse against the pen's motion, or away
// from the point, or up.
static fr_vec3 force_of(const touch_session *s, const touch_contact *c, double time) {
    const fr_scene_touch *touch = &s->touch;
    const fr_vec3 zero = {0.0, 0.0, 0.0}, up = {0.0, 1.0, 0.0};
    if (c->side != 0) {
        fr_vec3 out = fr_vec3_scale(c->side, c->hit.normal);
        double into = (touch->is_at_surface ? 0.0 : touch->distance) - height_of(s, c);
        double force = touch->stiffness * into - touch->damping * fr_vec3_dot(out, s->velocity);
        return fr_vec3_scale(fmin(fmax(force, 0.0), touch->force_max), out);
    }
    if (time - c->since > touch->pulse_time) { return zero; }
    fr_vec3 away = fr_vec3_unit(fr_vec3_sub(c->hit.point, c->hit.foot), up);
    if (fr_vec3_length(s->velocity) > SLOW) { away = fr_vec3_unit(fr_vec3_negate(s->velocity), away); }
    return fr_vec3_scale(touch->pulse_force, away);
}

static fr_status gather_contacts(touch_session *s, uint32_t count, double time, fr_error *error) {
    fr_array last = s->before;
    s->before = s->contacts;
    s->contacts = last;
    s->contacts.count = 0;
    if (s->before.count > 0) { qsort(s->before.data, s->before.count, sizeof(touch_contact), compare_contacts); }
    for (uint32_t i = 0; i < count; i++) {
        touch_contact *c = fr_array_push(&s->contacts, 1);
        if (c == NULL) { return no_memory(error); }
        *c = (touch_contact){.hit = ((const fr_touch_hit *)s->hits.data)[i], .since = time, .is_new = true};
        c->side = c->hit.side;
        const touch_contact *known = NULL;
        if (s->before.count > 0) { known = bsearch(c, s->before.data, s->before.count, sizeof *c, compare_contacts); }
        if (known != NULL) {
            c->side = known->side;
            c->since = known->since;
            c->is_new = false;
        }
        c->force = force_of(s, c, time);
        fr_status status = mark_blinking(s, &c->hit, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// What is felt

static bool is_known_plane(const fr_haptic_input *input, const fr_haptic_plane *plane) {
    for (uint32_t i = 0; i < input->plane_count; i++) {
        const fr_haptic_plane *other = &input->planes[i];
        bool is_near = fabs(other->offset - plane->offset) < 1e-6;
        if (is_near && fr_vec3_distance(other->normal, plane->normal) < 1e-3) { return true; }
    }
    return false;
}

// The plane of a contact, moved so that the tip is before it as far as the touching point is.
static fr_haptic_plane plane_of(const touch_session *s, const touch_contact *c) {
    const fr_touch_hit *hit = &c->hit;
    fr_haptic_plane plane = {.normal = hit->normal, .side = c->side};
    plane.offset = fr_vec3_dot(hit->normal, s->tip) - c->side * height_of(s, c);
    plane.distance = s->touch.is_at_surface ? 0.0 : s->touch.distance;
    plane.id = 1 + ((((uint32_t)hit->pair * 31 + hit->point_index) * 31 + hit->object.index1) * 31 + hit->part) * 31 +
               hit->element;
    if (plane.id == 0) { plane.id = 1; }
    return plane;
}

// The planes to be sent: the deepest of the step, no two alike.
static void choose_planes(const touch_session *s, fr_haptic_input *input) {
    const touch_contact *contacts = s->contacts.data;
    double last = -INFINITY;
    while (input->plane_count < FR_HAPTIC_PLANES) {
        const touch_contact *deepest = NULL;
        for (size_t i = 0; i < s->contacts.count; i++) {
            if (contacts[i].side == 0 || !(height_of(s, &contacts[i]) > last)) { continue; }
            if (deepest == NULL || height_of(s, &contacts[i]) < height_of(s, deepest)) { deepest = &contacts[i]; }
        }
        if (deepest == NULL) { return; }
        last = height_of(s, deepest);
        fr_haptic_plane plane = plane_of(s, deepest);
        if (!is_known_plane(input, &plane)) { input->planes[input->plane_count++] = plane; }
    }
}

// A hand that goes straight to where the tip is at the next step.
static void feel(touch_session *s, fr_vec3 next, double step) {
    fr_haptic_input input = {.has_planes = true, .is_held = true};
    choose_planes(s, &input);
    const touch_contact *contacts = s->contacts.data;
    for (size_t i = 0; i < s->contacts.count && !input.has_pulse; i++) {
        input.has_pulse = contacts[i].is_new && contacts[i].side == 0;
        input.pulse_from = contacts[i].hit.foot;
    }
    uint32_t ticks = (uint32_t)fmax(1.0, fmin(round(step / TICK), 100000.0));
    input.dt = step / ticks;
    for (uint32_t i = 1; i <= ticks; i++) {
        fr_haptic_output output;
        input.tip = fr_vec3_lerp(s->tip, next, (double)i / ticks);
        fr_haptic_tick(&s->haptic, &input, &output);
        s->felt = output.force;
        input.has_planes = input.has_pulse = false;
    }
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

fr_status touch_session_step(touch_session *s, uint32_t k, fr_error *error) {
    double step = fr_scene_get(s->file->scene)->step, time = fr_scene_time(s->file->scene, k);
    fr_status status = place_objects(s, k, error);
    if (status != FR_OK) { return status; }
    fr_pose pose = fr_object_get(s->file->space, s->file->ids[s->touch.operated])->pose;
    fr_vec3 tip = fr_pose_apply(&pose, s->touch.point);
    if (k > 0) { feel(s, tip, step); }
    s->input.last = k > 0 ? s->input.pose : pose;
    s->input.pose = pose;
    s->velocity = k > 0 ? fr_vec3_scale(1.0 / step, fr_vec3_sub(tip, s->tip)) : fr_vec3_make(0.0, 0.0, 0.0);
    s->tip = tip;
    uint32_t count;
    status = find_hits(s, &count, error);
    return status == FR_OK ? gather_contacts(s, count, time, error) : status;
}

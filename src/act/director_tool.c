// What a hand holds as a tool: where the palm must be so that a frame of the tool comes to a place, or to a free spot
// of a surface.
#include "act/director.h"

#include "fureai/base_drawing.h"

#include <math.h>
#include <string.h>

bool fr__director_tool_frame(const fr_class_view *c, const char *name, fr_pose *out) {
    for (uint32_t i = 0; c != NULL && i < c->frame_count; i++) {
        if (strcmp(c->frames[i].name, name) != 0) { continue; }
        *out = c->frames[i].pose;
        return true;
    }
    return false;
}

// The tool in a hand: the first object that a hand holds whose class has the frame.
static const fr__director_held *find_tool(const fr_director *d, const fr__director_person *person, const char *frame,
                                          fr_pose *in_tool) {
    for (uint32_t i = 0; i < person->held_count; i++) {
        const fr__director_held *held = &person->held[i];
        const fr_class *c = held->state.is_attached != 0 ? fr__director_class(d, held->object) : NULL;
        if (c != NULL && fr__director_tool_frame(fr_class_get(c), frame, in_tool)) { return held; }
    }
    return NULL;
}

// The tool comes to the place with its axis along that of the place, by the least turn from how it is held now, and
// then turns about it.
fr_pose fr__director_turn_tool(const fr__director_task *task, const fr_pose *tool, const fr_pose *place,
                               uint32_t index) {
    static const double turns_deg[FR__DIRECTOR_PALMS] = {0, 20, -20, 40, -40, 60, -60, 90, -90};
    const fr_vec3 z = {0.0, 0.0, 1.0};
    fr_vec3 axis = fr_mat3_apply(fr_quat_to_mat3(place->rotation), z);
    fr_vec3 now = fr_mat3_apply(fr_quat_to_mat3(tool->rotation), z);
    // A tool that is on the axis goes on from where it is, and has no other turn to try.
    double more = task->turn == 0.0 || task->lift != 0.0 ? fr_radians(turns_deg[index]) : 0.0;
    fr_quat turn = fr_quat_from_axis_angle(axis, task->turn + more);
    fr_quat goal = fr_quat_multiply(turn, fr_quat_multiply(fr_quat_between(now, axis), tool->rotation));
    return fr_pose_make(fr_vec3_add_scaled(place->position, task->lift, axis), goal);
}

fr_status fr__director_tool_palm(const fr_director *d, const fr__director_person *person, const fr__director_task *task,
                                 const fr_pose *place, uint32_t index, fr_pose *palm, fr_skill_side *side,
                                 fr_error *error) {
    fr_pose in_tool, spots[FR__DIRECTOR_SPOTS];
    const fr__director_held *held = find_tool(d, person, task->tool, &in_tool);
    if (held == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%s has nothing with a frame '%s' in a hand",
                            fr_person_name(person->person), task->tool);
    }
    bool is_left = held->state.side == FR_LEFT;
    fr_pose hand = fr_person_links(person->person)[is_left ? FR_LINK_LEFT_PALM : FR_LINK_RIGHT_PALM];
    fr_pose object = fr_object_get(fr_world_space(d->world), held->object)->pose;
    object.scale = 1.0; // frames are in metres
    fr_pose tool = fr_pose_compose(&object, &in_tool), back = fr_pose_inverse(&tool);
    fr_pose palm_in_tool = fr_pose_compose(&back, &hand);
    uint32_t spot_count = 0;
    if (task->is_spot) {
        const fr_performer_input seen = fr_person_input(person->person);
        const fr__director_before before = {fr__director_place(person), fr__director_heading(person),
                                            is_left ? FR_LEFT : FR_RIGHT, seen.filter,
                                            fr__director_girth(d, held->object)};
        spot_count = fr__director_find_spots(d, task->object, place, &before, spots);
        if (spot_count == 0) {
            const char *name = fr_world_label(d->world, task->object).name;
            return fr_error_set(error, FR_ERROR_ARGUMENT, "no spot of '%s' is free within reach",
                                name[0] != '\0' ? name : "something");
        }
    }
    if (spot_count > 0) { place = &spots[index / FR__DIRECTOR_SPOTS % spot_count]; }
    fr_pose wanted = fr__director_turn_tool(task, &tool, place, spot_count > 0 ? index % FR__DIRECTOR_SPOTS : index);
    *palm = fr_pose_compose(&wanted, &palm_in_tool);
    palm->scale = 1.0;
    *side = is_left ? FR_SIDE_LEFT : FR_SIDE_RIGHT;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Free spots of a surface

// How far above a spot nothing may be, metres; how much lower than the place a spot may lie; room about what is put.
static const double ABOVE = 0.35, LEVEL = 0.005, ROOM = 0.01;

double fr__director_heading(const fr__director_person *person) {
    fr_performer_view view = fr_performer_get(fr_person_performer(person->person));
    fr_quat away = fr_skeleton_turn_to_upright(view.skeleton, 0, view.posture.turns[0]);
    fr_vec3 forward = fr_mat3_apply(fr_quat_to_mat3(away), fr_vec3_make(0.0, 0.0, 1.0));
    return fr_atan2(forward.x, forward.z);
}

double fr__director_girth(const fr_director *d, fr_object_id object) {
    fr_bounds box;
    if (fr_object_bounds(fr_world_space(d->world), object, &box, NULL) != FR_OK) { return 0.0; }
    return 0.5 * fmax((double)box.max.x - (double)box.min.x, (double)box.max.z - (double)box.min.z);
}

// Whether nothing is on a disc of a surface, seen from above.
static bool is_free(const fr_director *d, fr_object_id object, fr_vec3 point, const fr__director_before *before) {
    bool is_right = true;
    for (int i = 0; i <= 16 && is_right; i++) { // the middle, the rim, and halfway
        double s = 0.0, c = 0.0, radius = i > 8 ? 0.5 * before->radius : i > 0 ? before->radius + ROOM : 0.0;
        fr_sincos(0.25 * FR_PI * i, &s, &c);
        const fr_ray ray = {.origin = fr_vec3_make(point.x + radius * s, point.y + ABOVE, point.z + radius * c),
                            .direction = {0.0, -1.0, 0.0},
                            .limit = ABOVE + LEVEL};
        fr_space_hit hit;
        is_right = fr_space_ray(fr_world_space(d->world), &ray, before->filter, &hit, NULL) == FR_OK &&
                   fr_object_id_equal(hit.object, object) && hit.distance > ABOVE - LEVEL;
    }
    return is_right;
}

uint32_t fr__director_find_spots(const fr_director *d, fr_object_id object, const fr_pose *place,
                                 const fr__director_before *before, fr_pose spots[FR__DIRECTOR_SPOTS]) {
    // Metres before the body, and to the side of the hand.
    static const double ahead[] = {0.42, 0.36, 0.48, 0.30, 0.54}, aside[] = {0.12, 0.22, 0.02, 0.32, -0.10};
    fr_vec3 up = fr_mat3_apply(fr_quat_to_mat3(place->rotation), fr_vec3_make(0.0, 0.0, 1.0));
    double s, c;
    uint32_t count = 0;
    fr_sincos(before->heading, &s, &c);
    for (int i = 0; i < 25 && up.y > 0.99 && count < FR__DIRECTOR_SPOTS; i++) {
        double z = ahead[i / 5], x = before->side == FR_LEFT ? aside[i % 5] : -aside[i % 5];
        fr_vec3 at = {before->place.x + z * s + x * c, place->position.y, before->place.z + z * c - x * s};
        if (!is_free(d, object, at, before)) { continue; }
        spots[count] = *place;
        spots[count++].position = at;
    }
    return count;
}

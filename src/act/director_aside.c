// Stepping aside: a person that stands on the path of another, with nothing to do or waiting too, goes to a place
// nearby.
#include "act/director.h"

#include <math.h>
#include <string.h>

// Who waits asks after so many seconds, those who have waited longer after some more; who steps aside stays there.
static const double ASK_SECONDS = 0.3, INSIST_SECONDS = 4.0, STAY_SECONDS = 6.0;

// Metres that who steps aside leaves beside the other.
static const double ROOM = 0.15;

// The hips of a body that stands are at least so high, of its rest.
static const double UPRIGHT = 0.85;

// The distance of a point from a line from a to b, on the floor.
static double line_distance(fr_vec3 a, fr_vec3 b, fr_vec3 point) {
    double x = b.x - a.x, z = b.z - a.z, length = x * x + z * z;
    double t = length > 0.0 ? ((point.x - a.x) * x + (point.z - a.z) * z) / length : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    double dx = point.x - a.x - t * x, dz = point.z - a.z - t * z;
    return sqrt(dx * dx + dz * dz);
}

// How far a point is from the path of a person.
static double path_distance(const fr__floor_path *path, fr_vec3 start, fr_vec3 goal, fr_vec3 point) {
    double least = HUGE_VAL;
    for (uint32_t i = 0; i <= path->count; i++) {
        fr_vec3 to = i < path->count ? path->points[i].position : goal;
        least = fmin(least, line_distance(start, to, point));
        start = to;
    }
    return least;
}

bool fr__director_stands(const fr__director_person *person) {
    fr_performer_view view = fr_performer_get(fr_person_performer(person->person));
    if (view.walk_set == NULL || view.walk != NULL) { return false; }
    const fr_pose *links = fr_person_links(person->person);
    double foot = fmin(links[FR_LINK_LEFT_FOOT].position.y, links[FR_LINK_RIGHT_FOOT].position.y);
    return links[0].position.y - foot > UPRIGHT * (fr_walk_set_get(view.walk_set)->leg - 0.1);
}

// Whether a person can be called on: it stands, does nothing, and has not waited much longer itself.
static bool may_yield(const fr_director *d, const fr__director_person *other, const fr__director_person *by) {
    const fr__director_walker *w = &other->walker;
    bool is_busy = fr__director_list_count(other) > 0 && other->is_begun && !w->is_halted;
    if (is_busy || w->is_aside || !fr__director_stands(other)) { return false; }
    bool is_first = w->waiting != 0 && (w->waiting < by->walker.waiting ||
                                        (w->waiting == by->walker.waiting && w->index < by->walker.index));
    bool may_insist = (double)(d->tick + 1 - by->walker.waiting) * fr_world_step(d->world) > INSIST_SECONDS;
    return (!is_first || may_insist) && d->tick >= w->yields;
}

// Tries to go aside to a place.
static bool go_aside(fr_director *d, fr__director_person *person, fr_vec3 place) {
    fr__floor_path path;
    fr_vec3 here = fr__director_place(person);
    fr__floor_take_person(d->floor, person->walker.index);
    bool is_found = fr__floor_find(d->floor, FR__FLOOR_TIGHT, here, place, &path, NULL) == FR_OK && path.is_found;
    fr_person_task task = {.task = {.id = FR__ASIDE_TASK, .skill = fr_skill_find("walk")}};
    fr_skill_fields *fields = &task.task.fields;
    fields->given = FR_FIELD_GOAL | (path.count > 0 ? FR_FIELD_POSES : 0);
    fields->goal = fr_pose_make(place, fr_quat_identity());
    fields->poses = path.points;
    fields->pose_count = path.count;
    bool goes = is_found && fr__director_try_walk(d, person, &task.task, NULL) == FR_OK &&
                fr__director_meets(d, person, &d->trial, UINT64_MAX) == NULL &&
                fr_person_add(person->person, &task, 1, NULL, NULL) == FR_OK;
    person->walker.is_aside = goes;
    (void)fr__director_note_trajectory(d, person, NULL);
    return goes;
}

// Finds a place beside the path, the nearest first.
static bool step_aside(fr_director *d, fr__director_person *other, const fr__director_person *by,
                       const fr__floor_path *path, fr_vec3 goal) {
    static const double steps[] = {0.6, 0.9, 1.3, 1.8, 2.5, 3.5};
    fr_vec3 here = fr__director_place(other), start = fr__director_place(by);
    double apart = fr__director_apart(other, by) + ROOM;
    const size_t step_count = sizeof steps / sizeof steps[0];
    for (size_t i = 0; i < 2 * step_count; i++) { // where there is room first
        fr__floor_layer layer = i < step_count ? FR__FLOOR_ROOMY : FR__FLOOR_TIGHT;
        for (int k = 0; k < 16; k++) {
            double angle = FR_PI * (double)k / 8.0;
            fr_vec3 place = fr_vec3_make(here.x + steps[i % step_count] * fr_sin(angle), here.y,
                                         here.z + steps[i % step_count] * fr_cos(angle));
            if (!fr__floor_is_free(d->floor, layer, place)) { continue; }
            if (path_distance(path, start, goal, place) < apart) { continue; }
            if (go_aside(d, other, place)) { return true; }
        }
    }
    return false;
}

fr__director_person *fr__director_clear(fr_director *d, fr__director_person *person, fr_vec3 goal) {
    fr__director_person *first = NULL;
    uint64_t asks = (uint64_t)(ASK_SECONDS / fr_world_step(d->world)), tick = d->tick + 1;
    bool has_waited = person->walker.waiting != 0 && tick - person->walker.waiting >= asks;
    fr_vec3 start = fr__director_place(person);
    const fr__floor_path path = d->path;
    for (uint32_t i = 0; i < d->person_count; i++) {
        fr__director_person *other = d->people[i];
        bool is_going = fr__trajectory_end(&other->walker.trajectory) > d->tick;
        if (other == person || is_going) { continue; }
        fr_vec3 place = fr__director_place(other);
        if (path_distance(&path, start, goal, place) >= fr__director_apart(person, other) + ROOM) { continue; }
        if (first == NULL) { first = other; }
        if (!has_waited || !may_yield(d, other, person)) { continue; }
        if (!step_aside(d, other, person, &path, goal)) { continue; }
        other->walker.yields = d->tick + (uint64_t)(STAY_SECONDS / fr_world_step(d->world));
        other->walker.yields_to = person->walker.index;
    }
    return first;
}

// How people go about: walks by paths over the floor, that begin when no person blocks them.
//
// Everybody's trajectory is known: a walk is planned whole when it begins, so that it says where its body is in each
// later frame. A walk begins only where its trajectory keeps clear of all others (prioritised planning with
// reservations); until then it waits, and calls on those who block it to step aside. Who leaves its trajectory, as one
// whose walk is stopped, is seen in the next tick, and those who would meet it stop and begin again.
#include "act/director.h"

#include "fureai/base_drawing.h"

#include <math.h>
#include <string.h>

// Metres beside the shoulders that a body needs, between two bodies that pass, and more of it by which paths go round
// those who stand.
static const double ARM = 0.06, BETWEEN = 0.07, ROUND = 0.08;

// A body is so tall, metres, for what stands on the floor.
static const double TALL = 1.7;

// A person waits so many seconds for others; and so long for another try, at first and later.
static const double PATIENCE = 30.0, TRY_SECONDS = 0.15, MAX_TRY_SECONDS = 0.8;

// How far ahead those who walk are compared with one who has left its trajectory, seconds; and from how far off the
// trajectory it has left it, metres.
static const double AHEAD = 2.0, OFF_TRAJECTORY = 0.10;

// What stands on the floor is looked at again after so many ticks.
static const uint64_t REFRESH_TICKS = 6;

static double step_of(const fr_director *d) { return fr_world_step(d->world); }
static uint64_t ticks_of(const fr_director *d, double seconds) { return (uint64_t)(seconds / step_of(d)) + 1; }

fr_vec3 fr__director_place(const fr__director_person *person) { return fr_person_links(person->person)[0].position; }

double fr__director_apart(const fr__director_person *a, const fr__director_person *b) {
    return a->walker.radius + b->walker.radius + BETWEEN;
}

// ---------------------------------------------------------------------------------------------------------------
// Joining

fr_status fr__director_join(fr_director *d, fr__director_person *person, fr_error *error) {
    fr__director_walker *w = &person->walker;
    const fr_pose *links = fr_person_links(person->person);
    fr_vec3 across = fr_vec3_sub(links[FR_LINK_LEFT_UPPER_ARM].position, links[FR_LINK_RIGHT_UPPER_ARM].position);
    w->radius = 0.5 * fr_vec3_length(across) + ARM;
    w->trajectory.places = fr__trajectory_place_array_make(&d->allocator);
    return fr__trajectory_stand(&w->trajectory, d->tick, fr__director_place(person), error);
}

fr_status fr__director_rejoin(fr_director *d, fr__director_person *person, fr_error *error) {
    fr__director_walker *w = &person->walker;
    w->is_aside = w->is_halted = w->is_searching = false;
    w->waiting = w->retry = w->yields = 0;
    return fr__director_note_trajectory(d, person, error);
}

void fr__director_part(fr__director_person *person) {
    fr__trajectory_place_array_destroy(&person->walker.trajectory.places);
}

uint64_t fr__director_hash_walker(const fr__director_walker *walker, uint64_t hash) {
    const uint64_t parts[4] = {walker->waiting, walker->retry, walker->yields,
                               (uint64_t)walker->is_aside << 1 | (uint64_t)walker->is_halted};
    return fr_hash(parts, sizeof parts, fr__trajectory_hash(&walker->trajectory, hash));
}

// ---------------------------------------------------------------------------------------------------------------
// The floor

// What is in a hand stands on no floor.
static bool is_in_hand(fr_object_id object, void *context) {
    const fr_director *d = context;
    return object.index1 < d->in_hand.count && d->in_hand.data[object.index1] != 0;
}

static fr_status note_hands(fr_director *d, fr_error *error) {
    size_t count = (size_t)fr_space_object_places(fr_world_space(d->world)) + 1;
    unsigned char *marks = fr_byte_array_reset(&d->in_hand, count);
    if (marks == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for what people hold"); }
    memset(marks, 0, count);
    for (uint32_t i = 0; i < d->person_count; i++) {
        const fr__director_person *person = d->people[i];
        for (uint32_t k = 0; k < person->held_count; k++) {
            const fr__director_held *held = &person->held[k];
            bool follows = held->skill == NULL || strcmp(held->skill->name, "follow_hand") == 0;
            if (follows && held->object.index1 < count) { marks[held->object.index1] = 1; }
        }
    }
    return FR_OK;
}

static fr_status make_floor(fr_director *d, fr_error *error) {
    fr__floor_def def = {.height = TALL, .allocator = d->allocator};
    for (uint32_t i = 0; i < d->person_count; i++) {
        def.radius = fmax(def.radius, d->people[i]->walker.radius);
    }
    def.clearance = 2.0 * def.radius + BETWEEN + ROUND;
    const fr_pose *links = fr_person_links(d->people[0]->person);
    def.ground = fmin(links[FR_LINK_LEFT_FOOT].position.y, links[FR_LINK_RIGHT_FOOT].position.y) - 0.08;
    fr_status status = fr__floor_create(&def, &d->floor, error);
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        status = fr__director_note_trajectory(d, d->people[i], error);
    }
    return status;
}

// The floor as it is now, or was a moment ago.
static fr_status refresh_floor(fr_director *d, fr_error *error) {
    bool is_fresh = d->refreshed != 0 && d->tick + 1 < d->refreshed + REFRESH_TICKS && fr__floor_covers(d->floor);
    if (is_fresh) { return FR_OK; }
    fr_status status = note_hands(d, error);
    if (status == FR_OK) { status = fr__floor_refresh(d->floor, fr_world_space(d->world), is_in_hand, d, error); }
    if (status == FR_OK) { d->refreshed = d->tick + 1; }
    return status;
}

fr_status fr__director_is_free(fr_director *d, const fr__director_person *person, fr_vec3 place, bool *is_free,
                               fr_error *error) {
    fr_status status = d->floor == NULL ? make_floor(d, error) : FR_OK;
    if (status == FR_OK) {
        fr__floor_include(d->floor, place);
        fr__floor_include(d->floor, fr__director_place(person));
        status = refresh_floor(d, error);
    }
    *is_free = status == FR_OK && fr__floor_is_free(d->floor, FR__FLOOR_BARE, place);
    return status;
}

static fr_status name_obstacle(fr_director *d, fr_vec3 start, fr_vec3 goal, fr_error *error);

fr_status fr__director_find_path(fr_director *d, const fr__director_person *person, fr_vec3 goal, bool *is_found,
                                 fr_error *error) {
    fr__floor_path path;
    fr_vec3 start = fr__director_place(person);
    fr_status status = fr__director_is_free(d, person, goal, is_found, error);
    if (status != FR_OK) { return status; }
    status = fr__floor_find(d->floor, FR__FLOOR_BARE, start, goal, &path, error);
    *is_found = status == FR_OK && path.is_found;
    bool is_named = status == FR_OK && !path.is_found && error != NULL;
    return is_named ? name_obstacle(d, start, goal, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Trajectories

// A walk that a program goes, and that begins now, is that which was tried; NULL: there is none.
static const fr_walk *tried_walk(fr_director *d, const fr__director_person *person) {
    fr_performer *scout = NULL;
    bool is_program = d->path_task != FR_NONE && fr__director_list_count(person) > 0 &&
                      fr__director_first(person)->tasks[d->path_task].plug_in != NULL;
    return is_program && fr__director_find_scout(d, person, &scout, NULL) == FR_OK ? fr_performer_get(scout).walk
                                                                                   : NULL;
}

fr_status fr__director_note_trajectory(fr_director *d, fr__director_person *person, fr_error *error) {
    fr__director_walker *w = &person->walker;
    const fr_walk *walk = fr_performer_get(fr_person_performer(person->person)).walk;
    if (walk == NULL) { walk = tried_walk(d, person); }
    fr_vec3 place = fr__director_place(person);
    fr_status status = walk != NULL ? fr__trajectory_walk(&w->trajectory, d->tick, 0, place, walk, error)
                                    : fr__trajectory_stand(&w->trajectory, d->tick, place, error);
    w->is_new = true;
    w->is_walking = walk != NULL;
    w->has_left = false;
    if (status != FR_OK || d->floor == NULL) { return status; }
    for (size_t i = 0; i < w->trajectory.places.count && fr__floor_covers(d->floor); i++) {
        fr__trajectory_place *at = &w->trajectory.places.data[i];
        at->is_closed = !fr__floor_is_free(d->floor, FR__FLOOR_BARE, fr_vec3_make((double)at->x, 0.0, (double)at->z));
    }
    if (walk == NULL) { return fr__floor_put_person(d->floor, w->index, place, error); }
    fr__floor_take_person(d->floor, w->index);
    return FR_OK;
}

// The person that is met on a trajectory, the one with the lowest number; NULL: none.
fr__director_person *fr__director_meets(const fr_director *d, const fr__director_person *person,
                                        const fr__trajectory *trajectory, uint64_t to) {
    for (uint32_t i = 0; i < d->person_count; i++) {
        fr__director_person *other = d->people[i];
        if (other == person) { continue; }
        double limit = fr__director_apart(person, other);
        if (fr__trajectories_meet(trajectory, &other->walker.trajectory, d->tick, to, limit)) { return other; }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Paths

static bool is_walk(const fr__director_task *task) {
    // Who steps to reach has a goal too, but of the palm, and no points on the path.
    bool has_path = (task->skill->needs & FR_FIELD_GOAL) != 0 && (task->skill->takes & FR_FIELD_POSES) != 0;
    return task->skill->has_walk && has_path;
}

static fr_vec3 goal_of(const fr_director *d, const fr__director_task *task) {
    const fr_object_view *view = task->is_goal_local ? fr_object_get(fr_world_space(d->world), task->object) : NULL;
    if (view == NULL) { return task->fields.goal.position; }
    fr_pose frame = view->pose;
    frame.scale = 1.0;
    return fr_pose_apply(&frame, task->fields.goal.position);
}

fr_person_task fr__director_person_task(const fr_director *d, const fr__director_list *list, uint32_t task) {
    const fr__director_task *from = &list->tasks[task];
    fr_person_task to = {.in_world = from->is_goal_local ? 0 : FR_FIELD_GOAL};
    to.task = (fr_task){.id = (uint64_t)task + 1, .skill = from->skill, .fields = from->fields, .start = from->start};
    if (task != d->path_task) { return to; }
    to.in_world = FR_FIELD_GOAL | FR_FIELD_POSES;
    to.task.fields.goal.position = goal_of(d, from);
    if (d->path.count > 0) {
        to.task.fields.poses = d->path.points;
        to.task.fields.pose_count = d->path.count;
        to.task.fields.given |= FR_FIELD_POSES;
    }
    return to;
}

static bool is_on_floor(const fr_space *space, fr_object_id object, fr_object_id none, void *context) {
    (void)space, (void)none;
    return fr__floor_has(context, object);
}

static fr_status name_thing(const fr_director *d, fr_object_id thing, fr_error *error) {
    const char *name = thing.index1 != 0 ? fr_world_label(d->world, thing).name : NULL;
    bool has_name = name != NULL && name[0] != '\0';
    return fr_error_set(error, FR_ERROR_BUSY, "%s blocks the path", has_name ? name : "something");
}

// The thing nearest to a point, as high as knees, hips and shoulders are.
static fr_status name_nearest(const fr_director *d, fr_vec3 point, fr_error *error) {
    fr_query_filter filter = fr_default_query_filter();
    filter.accept = is_on_floor;
    filter.context = d->floor;
    fr_object_id found = {0, 0, 0};
    double nearest = HUGE_VAL;
    for (int i = 1; i <= 3; i++) {
        fr_space_closest closest;
        point.y = d->floor->def.ground + 0.25 * TALL * (double)i;
        if (fr_space_closest_point(fr_world_space(d->world), point, nearest, false, &filter, &closest, NULL) != FR_OK) {
            continue;
        }
        if (closest.object.index1 == 0 || closest.distance >= nearest) { continue; }
        nearest = closest.distance;
        found = closest.object;
    }
    return name_thing(d, found, error);
}

// What closes the path to a goal. Behind a door it is the door: things that hang on joints are thought away one after
// another; else what is nearest to where the straight line ends.
static fr_status name_obstacle(fr_director *d, fr_vec3 start, fr_vec3 goal, fr_error *error) {
    if (!fr__floor_is_free(d->floor, FR__FLOOR_BARE, goal)) { return name_nearest(d, goal, error); }
    const fr_space *space = fr_world_space(d->world);
    uint32_t places = fr_space_joint_places(space);
    for (uint32_t i = 0; i < places; i++) {
        const fr_joint *joint = fr_joint_get(space, fr_space_joint_at(space, i));
        bool is_found = false;
        fr_status status = FR_OK;
        if (joint != NULL) {
            status = fr__floor_find_without(d->floor, space, joint->child, start, goal, &is_found, error);
        }
        if (status != FR_OK) { return status; }
        if (is_found) { return name_thing(d, joint->child, error); }
    }
    fr_vec3 stop = start;
    for (int i = 1; i <= 1000 && fr_vec3_equal(stop, start); i++) {
        fr_vec3 at = fr_vec3_add_scaled(start, 0.001 * (double)i, fr_vec3_sub(goal, start));
        if (!fr__floor_is_free(d->floor, FR__FLOOR_BARE, at)) { stop = at; }
    }
    return name_nearest(d, stop, error);
}

// A person waits for another that blocks its path.
static fr__director_ready wait_for(fr_director *d, fr__director_person *person, const fr__director_person *other,
                                   fr_error *error) {
    fr__director_walker *w = &person->walker;
    if (w->waiting == 0) { w->waiting = d->tick + 1; }
    double waited = (double)(d->tick + 1 - w->waiting) * step_of(d);
    w->retry = d->tick + ticks_of(d, fmin(fmax(0.2 * waited, TRY_SECONDS), MAX_TRY_SECONDS));
    if (other != NULL) { fr_utf8_repair(fr_person_name(other->person), w->blocker, sizeof w->blocker); }
    if (w->blocker[0] == '\0') { return FR__NOT_YET; }
    if (d->tick + 1 - w->waiting < ticks_of(d, PATIENCE)) { return FR__NOT_YET; }
    w->waiting = 0;
    (void)fr_error_set(error, FR_ERROR_BUSY, "%s blocks the path", w->blocker);
    return FR__NEVER;
}

// The path among things and people who stand; where only people close it, they are called on to step aside.
static fr__director_ready find_path(fr_director *d, fr__director_person *person, fr_vec3 goal, fr_error *error) {
    fr_vec3 start = fr__director_place(person);
    fr_status status = FR_OK;
    d->path.is_found = false;
    d->path.count = 0;
    bool is_straight = fr__floor_is_straight(d->floor, start, goal);
    person->walker.is_searching = false; // others may have the search that it waited for
    if (is_straight) { return FR__READY; }
    if (d->searcher == FR_NONE) { d->searcher = person->walker.index; }
    person->walker.is_searching = d->searcher != person->walker.index;
    if (person->walker.is_searching) { return wait_for(d, person, NULL, error); }
    for (fr__floor_layer layer = FR__FLOOR_ROOMY; layer < FR__FLOOR_LAYERS && status == FR_OK; layer++) {
        status = fr__floor_find(d->floor, layer, start, goal, &d->path, error);
        if (status == FR_OK && d->path.is_found && layer < FR__FLOOR_BARE) { return FR__READY; }
    }
    if (status == FR_OK && !d->path.is_found && d->refreshed != d->tick + 1) { // the floor may have changed since
        d->refreshed = 0;
        status = refresh_floor(d, error);
        return status == FR_OK ? find_path(d, person, goal, error) : FR__NEVER;
    }
    if (status == FR_OK && !d->path.is_found) { status = name_obstacle(d, start, goal, error); }
    if (status != FR_OK) { return FR__NEVER; }
    return wait_for(d, person, fr__director_clear(d, person, goal), error);
}

// The walk of a task can begin: its path is known, and its trajectory meets no person.
static fr__director_ready clear_walk(fr_director *d, fr__director_person *person, const fr__director_list *list,
                                     uint32_t task, fr_error *error) {
    fr__director_walker *w = &person->walker;
    fr_vec3 goal = goal_of(d, &list->tasks[task]);
    if (!fr_vec3_is_finite(goal) || fr_vec3_largest(goal) > FR_LENGTH_MAX) { return FR__READY; } // the skill refuses it
    fr_status status = d->floor == NULL ? make_floor(d, error) : FR_OK;
    if (status == FR_OK) {
        fr__floor_include(d->floor, goal);
        fr__floor_include(d->floor, fr__director_place(person));
        status = refresh_floor(d, error);
    }
    if (status != FR_OK) { return FR__NEVER; }
    fr__floor_take_person(d->floor, w->index);
    d->path_task = task;
    fr__director_ready ready = find_path(d, person, goal, error);
    if (ready == FR__READY) {
        fr_person_task tried = fr__director_person_task(d, list, task);
        status = fr__director_try_walk(d, person, &tried.task, error);
        const fr__director_person *other =
            status == FR_OK ? fr__director_meets(d, person, &d->trial, UINT64_MAX) : NULL;
        if (status != FR_OK) { ready = FR__NEVER; }
        if (other != NULL) {
            (void)fr__director_clear(d, person, goal);
            ready = wait_for(d, person, other, error);
        }
    }
    if (ready != FR__READY) {
        d->path_task = FR_NONE;
        (void)fr__floor_put_person(d->floor, w->index, fr__director_place(person), NULL);
    } else {
        w->waiting = 0;
    }
    return ready;
}

// Who steps aside for another waits until that one goes.
static bool is_yielding(const fr_director *d, const fr__director_walker *w) {
    return d->tick < w->yields && d->people[w->yields_to]->walker.waiting != 0;
}

// The first one that had no try in this tick has one in the next.
static bool may_try(fr_director *d, const fr__director_walker *w) {
    if (d->tries++ == FR__DIRECTOR_TRIES) { d->turn = w->index; }
    return d->tries <= FR__DIRECTOR_TRIES || d->searcher == w->index;
}

static bool can_walk(const fr__director_person *person) {
    return fr_performer_get(fr_person_performer(person->person)).walk_set != NULL;
}

// The list that a person is at in the next tick; what is over ends before it. NULL: none.
static const fr__director_list *next_list(const fr__director_person *person) {
    size_t ended = person->is_over ? 1 : 0;
    bool has_list = fr__director_list_count(person) > ended && !person->is_stopped;
    return has_list ? fr__director_first(person) + ended : NULL;
}

uint32_t fr__director_next_walk(const fr_director *d, const fr__director_person *person,
                                const fr__director_list **list) {
    const fr__director_walker *w = &person->walker;
    const fr__director_list *next = next_list(person);
    *list = next;
    bool waits = !person->is_over && d->tick < w->retry; // with a list its reasons to wait end, too
    if (next == NULL || waits || is_yielding(d, w)) { return FR_NONE; }
    if (person->is_begun && !person->is_over) { return w->is_halted && !w->is_walking ? w->task : FR_NONE; }
    for (uint32_t i = fr__director_stage_first(next); i < next->ends[next->stage] && !w->is_aside; i++) {
        if (is_walk(&next->tasks[i]) && can_walk(person)) { return i; }
    }
    return FR_NONE;
}

fr__director_ready fr__director_clear_walk(fr_director *d, fr__director_person *person, fr_error *error) {
    const fr__director_list *list = fr__director_first(person);
    fr__director_walker *w = &person->walker;
    d->path_task = FR_NONE;
    if (w->is_aside) { return FR__NOT_YET; }
    for (uint32_t i = fr__director_stage_first(list); i < list->ends[list->stage]; i++) {
        if (!is_walk(&list->tasks[i])) { continue; }
        if (d->tick < w->retry) { return FR__NOT_YET; }
        if (!can_walk(person)) { continue; }
        if (is_yielding(d, w) || !may_try(d, w)) { return FR__NOT_YET; }
        return clear_walk(d, person, list, i, error);
    }
    return FR__READY;
}

fr__director_ready fr__director_walk_on(fr_director *d, fr__director_person *person, fr_error *error) {
    fr__director_walker *w = &person->walker;
    if (!w->is_halted || w->is_walking || d->tick < w->retry || is_yielding(d, w)) { return FR__NOT_YET; }
    if (!may_try(d, w)) { return FR__NOT_YET; }
    const fr__director_list *list = fr__director_first(person);
    fr__director_ready ready = clear_walk(d, person, list, w->task, error);
    if (ready != FR__READY) { return ready; }
    fr_person_task task = fr__director_person_task(d, list, w->task);
    task.task.start = 0;
    task.task.fields.given &= ~FR_FIELD_FRAMES; // of the whole walk
    fr__director_task *from = &list->tasks[w->task];
    fr_status status = from->program.name != NULL ? fr__director_start_task(d, person, from, error) : FR_OK;
    if (status == FR_OK && from->plug_in != NULL) { task.task.skill = fr_plug_in_skill(from->plug_in); }
    if (status == FR_OK) { status = fr_person_add(person->person, &task, 1, NULL, error); }
    if (status == FR_OK) { status = fr__director_note_trajectory(d, person, error); }
    d->path_task = FR_NONE;
    w->is_halted = status != FR_OK;
    return status == FR_OK ? FR__READY : FR__NEVER;
}

// ---------------------------------------------------------------------------------------------------------------
// Watching

// Stops a walk before its goal.
static fr_status halt(fr_director *d, fr__director_person *person, fr_error *error) {
    fr__director_walker *w = &person->walker;
    fr_performer *performer = fr_person_performer(person->person);
    if (w->is_aside) { (void)fr_performer_stop(performer, FR__ASIDE_TASK); }
    if (!w->is_aside && fr__director_list_count(person) > 0 && person->is_begun && !w->is_halted) {
        const fr__director_list *list = fr__director_first(person);
        for (uint32_t i = fr__director_stage_first(list); i < list->ends[list->stage]; i++) {
            if (!is_walk(&list->tasks[i]) || !fr_performer_stop(performer, (uint64_t)i + 1)) { continue; }
            w->is_halted = list->tasks[i].is_over = true;
            w->task = i;
        }
    }
    return fr__director_note_trajectory(d, person, error);
}

// Whether a thing has come into the trajectory of who walks.
static bool is_closed(const fr_director *d, const fr__trajectory *trajectory) {
    for (size_t i = 0; i < trajectory->places.count; i++) {
        const fr__trajectory_place *at = &trajectory->places.data[i];
        if (trajectory->begin + i * FR__TRAJECTORY_STEP < d->tick || at->is_closed) { continue; }
        if (!fr__floor_is_free(d->floor, FR__FLOOR_BARE, fr_vec3_make((double)at->x, 0.0, (double)at->z))) {
            return true;
        }
    }
    return false;
}

static bool is_going(const fr_director *d, const fr__director_person *person) {
    return fr__trajectory_end(&person->walker.trajectory) > d->tick;
}

// Things that came onto the trajectory of a person.
static fr_status watch_things(fr_director *d, fr_error *error) {
    if (d->floor == NULL || d->tick % REFRESH_TICKS != 0) { return FR_OK; }
    bool is_needed = false;
    for (uint32_t i = 0; i < d->person_count && !is_needed; i++) {
        is_needed = is_going(d, d->people[i]);
    }
    fr_status status = is_needed ? refresh_floor(d, error) : FR_OK;
    if (status != FR_OK || !is_needed || d->floor->version == d->floor_version) { return status; }
    d->floor_version = d->floor->version;
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        fr__director_person *person = d->people[i];
        if (is_going(d, person) && is_closed(d, &person->walker.trajectory)) { status = halt(d, person, error); }
    }
    return status;
}

void fr__director_see_walk(fr__director_person *person, uint64_t tick) {
    fr__director_walker *w = &person->walker;
    w->is_walking = fr_performer_get(fr_person_performer(person->person)).walk != NULL;
    fr_vec3 off = fr_vec3_sub(fr__trajectory_at(&w->trajectory, tick), fr__director_place(person));
    w->has_left = off.x * off.x + off.z * off.z > OFF_TRAJECTORY * OFF_TRAJECTORY;
}

// Who has left its trajectory, or ended its walk, has another one.
static fr_status watch_person(fr_director *d, fr__director_person *person, fr_error *error) {
    fr__director_walker *w = &person->walker;
    if (w->is_aside && !w->is_walking) { w->is_aside = false; }
    bool has_stopped = !w->is_walking && w->trajectory.places.count > 1;
    return w->has_left || has_stopped ? fr__director_note_trajectory(d, person, error) : FR_OK;
}

// Who has waited longest for a search has one in this tick.
static void choose_searcher(fr_director *d) {
    d->searcher = FR_NONE;
    uint64_t longest = UINT64_MAX;
    for (uint32_t i = 0; i < d->person_count; i++) {
        fr__director_walker *w = &d->people[i]->walker;
        if (!w->is_searching || w->waiting == 0 || w->waiting >= longest) { continue; }
        longest = w->waiting;
        d->searcher = i;
    }
    if (d->searcher != FR_NONE) { d->people[d->searcher]->walker.retry = 0; }
}

fr_status fr__director_watch(fr_director *d, fr_error *error) {
    fr_status status = FR_OK;
    choose_searcher(d);
    d->tries = 0;
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        status = watch_person(d, d->people[i], error);
    }
    if (status == FR_OK) { status = watch_things(d, error); }
    uint64_t to = d->tick + ticks_of(d, AHEAD);
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        fr__director_person *person = d->people[i];
        if (!person->walker.is_new) { continue; }
        person->walker.is_new = false;
        for (uint32_t k = 0; k < d->person_count && status == FR_OK; k++) {
            fr__director_person *other = d->people[k];
            if (other == person || !is_going(d, other) || other->walker.is_halted) { continue; }
            double limit = person->walker.radius + other->walker.radius;
            bool is_met =
                fr__trajectories_meet(&other->walker.trajectory, &person->walker.trajectory, d->tick, to, limit);
            if (is_met) { status = halt(d, other, error); }
        }
    }
    return status;
}

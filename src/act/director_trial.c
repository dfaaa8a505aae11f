// Walks that are tried before a person goes them. With several threads, the walks that are likely to be tried in a tick
// are planned ahead side by side; one whose inputs turn out to be others is planned again, so that the result is the
// same with any number of threads.
#include "act/director.h"

#include <string.h>

static fr_status make_scout(const fr_director *d, const fr_performer_view *view, fr_performer **out, fr_error *error) {
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = view->skeleton;
    def.walk_set = view->walk_set;
    def.rate = view->rate;
    def.allocator = d->allocator;
    return fr_performer_create(&def, out, error);
}

fr_status fr__director_find_scout(fr_director *d, const fr__director_person *person, fr_performer **out,
                                  fr_error *error) {
    fr_performer_view view = fr_performer_get(fr_person_performer(person->person));
    for (size_t i = 0; i < d->scouts.count; i++) {
        *out = d->scouts.data[i].performer;
        if (d->scouts.data[i].walk_set == view.walk_set) { return FR_OK; }
    }
    fr__director_scout *scout = fr__director_scout_array_push(&d->scouts, 1);
    if (scout == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a walk that is tried"); }
    *scout = (fr__director_scout){view.walk_set, NULL};
    fr_status status = make_scout(d, &view, &scout->performer, error);
    if (status != FR_OK) { d->scouts.count--; }
    *out = scout->performer;
    return status;
}

// The trajectory of a person's walk, as a scout plans it.
static fr_status scout_walk(fr_performer *scout, const fr__director_person *person, const fr_task *task, uint64_t tick,
                            fr__trajectory *out, fr_error *error) {
    fr_posture posture = fr_performer_get(fr_person_performer(person->person)).posture;
    fr_task now = *task;
    now.start = 0;
    fr_status status = fr_performer_put(scout, &posture, error);
    if (status == FR_OK) { status = fr_performer_begin(scout, &now, 1, NULL, error); }
    if (status != FR_OK) { return status; }
    const fr_walk *walk = fr_performer_get(scout).walk;
    fr_vec3 place = fr__director_place(person);
    if (walk == NULL) { return fr__trajectory_stand(out, tick, place, error); }
    return fr__trajectory_walk(out, tick, task->start, place, walk, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Ahead

// A scout of the trial's own for a person; false without memory.
static bool provide_scout(const fr_director *d, fr__director_trial *trial, const fr__director_person *person) {
    fr_performer_view view = fr_performer_get(fr_person_performer(person->person));
    if (trial->scout.performer != NULL && trial->scout.walk_set == view.walk_set) { return true; }
    fr_performer_destroy(trial->scout.performer);
    trial->scout = (fr__director_scout){view.walk_set, NULL};
    return make_scout(d, &view, &trial->scout.performer, NULL) == FR_OK;
}

static void try_ahead(size_t begin, size_t end, int worker, void *context) {
    fr_director *d = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        fr__director_trial *trial = &d->trials[i];
        trial->is_made =
            scout_walk(trial->scout.performer, trial->person, &trial->task, d->tick, &trial->trajectory, NULL) == FR_OK;
    }
}

// Straight walks alone: a path is known only when it was searched. A walk with a program shows the scout's own later.
void fr__director_try_ahead(fr_director *d, uint32_t turn) {
    d->trial_count = 0;
    if (fr_tasks_worker_count(d->def.tasks) < 2 || d->def.plug_ins != NULL) { return; }
    for (uint32_t i = 0; i < d->person_count && d->trial_count < FR__DIRECTOR_TRIES; i++) {
        fr__director_person *person = d->people[(turn + i) % d->person_count];
        const fr__director_list *list;
        uint32_t task = fr__director_next_walk(d, person, &list);
        fr__director_trial *trial = &d->trials[d->trial_count];
        if (task == FR_NONE || !provide_scout(d, trial, person)) { continue; }
        d->path_task = task;
        d->path.count = 0;
        trial->person = person;
        trial->task = fr__director_person_task(d, list, task).task;
        d->path_task = FR_NONE;
        d->trial_count++;
    }
    fr_tasks_run(d->def.tasks, FR_SCHEDULE_DYNAMIC, d->trial_count, 1, try_ahead, d);
}

static bool same_task(const fr_task *a, const fr_task *b) {
    const fr_skill_fields *fa = &a->fields, *fb = &b->fields;
    return a->id == b->id && a->skill == b->skill && a->start == b->start && fa->given == fb->given &&
           memcmp(&fa->goal, &fb->goal, sizeof fa->goal) == 0 && fa->heading == fb->heading &&
           fa->frames == fb->frames && fa->speed == fb->speed;
}

// Whether a trial was made with what a person's walk is tried with now.
static bool is_as_tried(const fr_director *d, const fr__director_trial *trial, const fr__director_person *person,
                        const fr_task *task) {
    if (!trial->is_made || trial->person != person || trial->trajectory.begin != d->tick) { return false; }
    if ((task->fields.given & FR_FIELD_POSES) != 0 || !same_task(&trial->task, task)) { return false; }
    fr_posture then = fr_performer_get(trial->scout.performer).posture;
    fr_posture now = fr_performer_get(fr_person_performer(person->person)).posture;
    return then.count == now.count && fr_vec3_equal(then.place, now.place) && then.contact_left == now.contact_left &&
           then.contact_right == now.contact_right && memcmp(then.turns, now.turns, now.count * sizeof *now.turns) == 0;
}

fr_status fr__director_try_walk(fr_director *d, const fr__director_person *person, const fr_task *task,
                                fr_error *error) {
    for (uint32_t i = 0; i < d->trial_count; i++) {
        fr__director_trial *trial = &d->trials[i];
        if (!is_as_tried(d, trial, person, task)) { continue; }
        fr__trajectory other = d->trial;
        d->trial = trial->trajectory;
        trial->trajectory = other;
        trial->is_made = false;
        return FR_OK;
    }
    fr_performer *scout = NULL;
    fr_status status = fr__director_find_scout(d, person, &scout, error);
    return status == FR_OK ? scout_walk(scout, person, task, d->tick, &d->trial, error) : status;
}

void fr__director_free_trials(fr_director *d) {
    for (uint32_t i = 0; i < FR__DIRECTOR_TRIES; i++) {
        fr_performer_destroy(d->trials[i].scout.performer);
        fr__trajectory_place_array_destroy(&d->trials[i].trajectory.places);
    }
}

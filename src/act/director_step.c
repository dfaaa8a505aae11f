// A tick of the director: lists begin and end before it, people and objects move in it.
#include "act/director.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Stages

// Fields with target, goal and poses in the world; false where the object is gone.
static bool place_fields(const fr_space *space, const fr__director_person *person, const fr__director_task *task,
                         uint32_t palm, fr_skill_fields *fields, fr_pose *poses) {
    *fields = task->fields;
    if (task->object.index1 == 0) { return true; }
    const fr_object_view *view = fr_object_get(space, task->object);
    if (view == NULL) { return false; }
    fr_pose frame = view->pose;
    frame.scale = 1.0;
    fields->target = fr_pose_compose(&frame, &fields->target);
    if (task->grasp != FR__GRASP_NONE) {
        fields->goal = fr__director_palm(person, task, &fields->target, palm, &fields->side);
        fields->given |= FR_FIELD_SIDE;
    }
    if (task->is_goal_local) { fields->goal = fr_pose_compose(&frame, &fields->goal); }
    if ((fields->given & FR_FIELD_POSES) == 0 || poses == NULL) { return true; }
    for (uint32_t i = 0; i < fields->pose_count; i++) {
        poses[i] = fr_pose_compose(&frame, &task->fields.poses[i]);
    }
    fields->poses = poses;
    return true;
}

static uint32_t stage_first(const fr__director_list *list) { return list->stage > 0 ? list->ends[list->stage - 1] : 0; }

// Begins the stage that comes next, with palms in the turn of that index.
static fr_status try_stage(fr_director *d, fr__director_person *person, const fr__director_list *list, uint32_t palm,
                           fr_error *error) {
    const fr_space *space = fr_world_space(d->world);
    fr_task tasks[FR_MAX_TASKS];
    uint32_t first = stage_first(list), count = list->ends[list->stage] - first;
    for (uint32_t i = 0; i < count; i++) {
        const fr__director_task *from = &list->tasks[first + i];
        tasks[i] = (fr_task){.id = (uint64_t)first + i + 1, .skill = from->skill, .start = from->start};
        fr_pose *poses = d->poses + (size_t)FR_MAX_SKILL_POSES * i;
        if (!place_fields(space, person, from, palm, &tasks[i].fields, poses)) {
            return fr_error_set(error, FR_ERROR_STALE_ID, "the object of '%s' is gone", from->skill->name);
        }
    }
    fr_performer_input input = {.space = space, .filter = fr_person_filter(person->person)};
    return fr_performer_begin(fr_person_performer(person->person), tasks, count, &input, error);
}

// A palm that cannot come to what it grips in one turn may in another; the first refusal is the one that is reported.
static fr_status begin_stage(fr_director *d, fr__director_person *person, const fr__director_list *list,
                             fr_error *error) {
    bool has_grasp = false;
    for (uint32_t i = stage_first(list); i < list->ends[list->stage]; i++) {
        has_grasp = has_grasp || list->tasks[i].grasp != FR__GRASP_NONE;
    }
    fr_status status = try_stage(d, person, list, 0, error);
    for (uint32_t palm = 1; has_grasp && palm < FR__DIRECTOR_PALMS && status != FR_OK; palm++) {
        if (try_stage(d, person, list, palm, NULL) == FR_OK) { status = FR_OK; }
    }
    person->is_begun = status == FR_OK;
    return status;
}

// Ends what is over and begins what comes next, between ticks. A list that cannot be begun ends with the reason, and
// the next one is tried; without memory the tick is not taken.
static fr_status go_on(fr_director *d, fr__director_person *person, fr_error *error) {
    fr_status status = FR_OK;
    while (person->lists.count > 0 && status == FR_OK) {
        fr__director_list *list = &person->lists.data[0];
        char taken[FR_COMMAND_END_MAX_BYTES + 1];
        if (person->is_over) {
            status = fr__director_end_list(d, person, person->end_status, person->reason, error);
            continue;
        }
        if (fr__director_lose(d, person, taken, sizeof taken)) {
            status = fr__director_end_list(d, person, FR_ERROR_BUSY, taken, error);
            continue;
        }
        if (person->is_begun) { break; }
        fr_error why = {0};
        fr_status begun = fr__director_claim(d, person, &why);
        if (begun == FR_OK) { begun = begin_stage(d, person, list, &why); }
        if (begun == FR_OK) { break; }
        if (begun == FR_ERROR_MEMORY) { return fr_error_set(error, begun, "%s", why.message); }
        status = fr__director_end_list(d, person, begun, why.message, error);
    }
    return status;
}

// Skills look before they go, at a space that is current.
fr_status fr__director_prepare(void *user, fr_error *error) {
    fr_director *d = user;
    fr_space *space = fr_world_space(d->world);
    fr_status status = FR_OK;
    if (!fr_space_is_current(space)) { status = fr_space_update(space, d->def.tasks, error); }
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        fr__director_person *person = d->people[i];
        if (person->is_stopped) { status = fr__director_end_all(d, person, "a command stopped it", error); }
        person->is_stopped = false;
        fr__director_drop(d, person);
        if (status == FR_OK) { status = go_on(d, person, error); }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Moving

// One frame of one person; each person is its own, so that they can be computed side by side.
static void step_person(const fr_director *d, fr__director_person *person) {
    const fr_space *space = fr_world_space(d->world);
    fr_task_target targets[FR_MAX_TASKS];
    fr_performer_input input = {.space = fr_space_is_current(space) ? space : NULL,
                                .filter = fr_person_filter(person->person),
                                .targets = targets};
    if (person->lists.count > 0 && person->is_begun) {
        const fr__director_list *list = &person->lists.data[0];
        for (uint32_t i = stage_first(list); i < list->ends[list->stage]; i++) {
            fr_skill_fields fields;
            if (list->tasks[i].object.index1 == 0) { continue; }
            if (!place_fields(space, person, &list->tasks[i], 0, &fields, NULL)) { continue; }
            targets[input.target_count++] = (fr_task_target){(uint64_t)i + 1, fields.target};
        }
    }
    person->status = fr_person_step(person->person, &input, &person->output, NULL);
}

static void step_people(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    const fr_director *d = context;
    for (size_t i = begin; i < end; i++) {
        step_person(d, d->people[i]);
    }
}

// What a person's frame says about the list: a task that failed ends it, the last task that is done ends the stage.
static fr_status take_output(fr_director *d, fr__director_person *person, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < person->output.event_count && status == FR_OK; i++) {
        const fr_skill_event *event = &person->output.events[i];
        status =
            fr__director_add_event(d, person, event->name, event->object, event->numbers[0], event->numbers[1], error);
    }
    if (status != FR_OK || person->lists.count == 0 || !person->is_begun) { return status; }
    fr__director_list *list = &person->lists.data[0];
    for (uint32_t i = 0; i < person->output.end_count && !person->is_over; i++) {
        const fr_task_end *end = &person->output.ends[i];
        if (end->reason != FR_TASK_FAILED) { continue; }
        person->is_over = true;
        person->end_status = end->status;
        fr__director_copy_text(person->reason, sizeof person->reason, end->message);
    }
    // What has no end of its own, as an arm that is held still, ends with the rest; alone it goes on until it is
    // stopped.
    fr_performer *performer = fr_person_performer(person->person);
    fr_performer_view tasks = fr_performer_get(performer);
    uint32_t first = stage_first(list), count = list->ends[list->stage] - first;
    bool is_rest_over = tasks.task_count == tasks.endless_count && tasks.endless_count < count;
    if (person->is_over || !is_rest_over) { return FR_OK; }
    for (uint32_t i = 0; i < count && tasks.task_count > 0; i++) {
        (void)fr_performer_stop(performer, (uint64_t)first + i + 1);
    }
    person->is_begun = false;
    if (++list->stage < list->stage_count) { return FR_OK; }
    list->stage = list->stage_count - 1;
    person->is_over = true;
    person->end_status = FR_OK;
    return FR_OK;
}

// A tick that did not come to its end is tried again with what the people did then.
fr_status fr__director_move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_director *d = user;
    fr_status status = FR_OK;
    bool is_again = d->stepped == proposal->tick + 1;
    if (!is_again) {
        d->stepped = proposal->tick + 1;
        d->events.count = 0;
        fr_tasks_run(d->def.tasks, FR_SCHEDULE_DYNAMIC, d->person_count, 4, step_people, d);
    }
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        fr__director_person *person = d->people[i];
        if (person->status != FR_OK) {
            return fr_error_set(error, person->status, "%s cannot move", fr_person_name(person->person));
        }
        if (!is_again) { status = take_output(d, person, error); }
        if (!is_again && status == FR_OK) { status = fr__director_step_objects(d, person, error); }
        if (status == FR_OK) { status = fr_person_wish(person->person, wishes, error); }
        if (status == FR_OK) { status = fr__director_wish_objects(person, wishes, error); }
    }
    for (size_t i = 0; i < d->events.count && status == FR_OK; i++) {
        status = fr_wishes_add_event(wishes, &d->events.data[i], error);
    }
    return status;
}

// A tick of the director: lists begin and end before it, people and objects move in it.
#include "act/director.h"

#include "act/mechanism.h"

#include "fureai/base_drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REFRESH_SECONDS 0.1 // between two looks at the library

// ---------------------------------------------------------------------------------------------------------------
// Stages

uint32_t fr__director_stage_first(const fr__director_list *list) {
    return list->stage > 0 ? list->ends[list->stage - 1] : 0;
}

bool fr__director_target(const fr_director *d, const fr__director_task *task, fr_pose *out) {
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), task->object);
    if (view == NULL) { return false; }
    fr_pose frame = view->pose;
    frame.scale = 1.0;
    *out = fr_pose_compose(&frame, &task->fields.target);
    return true;
}

bool fr__director_is_for_grasp(const fr__director_list *list, const fr__director_task *reach) {
    bool is_for = false;
    for (uint32_t i = fr__director_stage_first(list); i < list->ends[list->stage_count - 1]; i++) {
        const fr__director_task *task = &list->tasks[i];
        is_for = is_for || (task != reach && strcmp(task->skill->name, "grasp") == 0 &&
                            fr_object_id_equal(task->object, reach->object));
    }
    return is_for;
}

// The palm that grips comes to where the target is now, in the turn of that index.
static fr_status set_palm(const fr_director *d, const fr__director_person *person, const fr__director_list *list,
                          const fr__director_task *from, uint32_t palm, fr_person_task *to, fr_error *error) {
    fr_pose place;
    if (from->grasp == FR__GRASP_NONE || !fr__director_target(d, from, &place)) { return FR_OK; }
    fr_skill_fields *fields = &to->task.fields;
    fields->given |= FR_FIELD_SIDE;
    if (from->grasp != FR__GRASP_TOOL) {
        const fr_pose *links = fr_person_links(person->person);
        const fr_vec3 shoulders[2] = {
            [FR_RIGHT] = links[FR_LINK_RIGHT_UPPER_ARM].position, [FR_LEFT] = links[FR_LINK_LEFT_UPPER_ARM].position};
        const fr_skeleton *skeleton = fr_performer_get(fr_person_performer(person->person)).skeleton;
        fields->goal = fr__director_still_palm(skeleton, shoulders, from, &place, palm, &fields->side);
        const fr_posture posture = fr_performer_get(fr_person_performer(person->person)).posture;
        fr_side side = fields->side == FR_SIDE_LEFT ? FR_LEFT : FR_RIGHT;
        bool is_slippery =
            fr__director_is_for_grasp(list, from) && !fr__director_grips_well(person, &posture, side, &fields->goal);
        if (is_slippery) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the hand does not get round the object"); }
        return FR_OK;
    }
    return fr__director_tool_palm(d, person, from, &place, palm % FR__DIRECTOR_PALMS, &fields->goal, &fields->side,
                                  error);
}

// A grasp that names no hand is of the palm that is nearest by now, a release of the hand that holds something.
static void choose_hand(const fr_director *d, fr__director_person *person, const fr__director_task *from,
                        fr_person_task *to) {
    bool is_grasp = strcmp(from->skill->name, "grasp") == 0, is_release = strcmp(from->skill->name, "release") == 0;
    fr_skill_fields *fields = &to->task.fields;
    fr_pose target;
    bool is_given = (fields->given & FR_FIELD_SIDE) != 0 && fields->side != FR_SIDE_NEAREST;
    if (is_given || (!is_grasp && !is_release)) { return; }
    bool holds[2] = {fr__director_in_hand(person, FR_RIGHT) != NULL, fr__director_in_hand(person, FR_LEFT) != NULL};
    bool is_left = holds[FR_LEFT];
    if (is_grasp || holds[FR_LEFT] == holds[FR_RIGHT]) {
        if (from->object.index1 == 0 || !fr__director_target(d, from, &target)) { return; }
        const fr_pose *links = fr_person_links(person->person);
        is_left = fr_vec3_distance(links[FR_LINK_LEFT_PALM].position, target.position) <
                  fr_vec3_distance(links[FR_LINK_RIGHT_PALM].position, target.position);
    }
    fields->side = is_left ? FR_SIDE_LEFT : FR_SIDE_RIGHT;
    fields->given |= FR_FIELD_SIDE;
}

// Begins the stage that comes next, with palms in the turn of that index.
static fr_status try_stage(fr_director *d, fr__director_person *person, const fr__director_list *list,
                           const fr__director_passes *passes, uint32_t palm, fr_error *error) {
    fr_person_task tasks[FR_MAX_TASKS];
    uint32_t first = fr__director_stage_first(list), count = list->ends[list->stage] - first;
    double rate = fr_performer_get(fr_person_performer(person->person)).rate;
    for (uint32_t i = 0; i < count; i++) {
        fr__director_task *from = &list->tasks[first + i];
        tasks[i] = fr__director_person_task(d, list, first + i);
        if (from->program.name != NULL) {
            fr_status status = fr__director_start_task(d, person, from, error);
            if (status != FR_OK) { return status; }
            tasks[i].task.skill = fr_plug_in_skill(from->plug_in);
        }
        tasks[i].task.is_blind = from->is_blind && from->program.name == NULL;
        if (!fr__director_take_pass(list, passes, first + i, rate, &tasks[i])) {
            fr_status status = set_palm(d, person, list, from, palm, &tasks[i], error);
            if (status != FR_OK) { return status; }
            if (list->stage > 0) { choose_hand(d, person, from, &tasks[i]); }
        }
        fr__director_aim(d, person, from, &tasks[i]);
    }
    return fr_person_begin(person->person, tasks, count, NULL, error);
}

// How many turns of palms there are to try: 1 where nothing is gripped.
static uint32_t palm_tries(const fr__director_list *list) {
    uint32_t tries = 1;
    for (uint32_t i = fr__director_stage_first(list); i < list->ends[list->stage]; i++) {
        uint32_t own = list->tasks[i].grasp != FR__GRASP_NONE ? fr__director_palm_tries(&list->tasks[i]) : 1;
        tries = own > tries ? own : tries;
    }
    return tries;
}

// A palm that cannot come to what it grips in one turn may in another; the first refusal is the one that is reported.
static fr_status begin_stage(fr_director *d, fr__director_person *person, const fr__director_list *list,
                             fr_error *error) {
    fr__director_passes passes;
    fr_status status = fr__director_find_passes(d, person, list, &passes, error);
    if (status != FR_OK) { return status; }
    status = try_stage(d, person, list, &passes, person->palm, error);
    uint32_t tries = palm_tries(list);
    while (status != FR_OK && person->palm + 1 < tries) {
        person->palm = fr__director_next_palm(d, person, list, tries);
        if (person->palm == tries) { break; }
        if (try_stage(d, person, list, &passes, person->palm, NULL) == FR_OK) { status = FR_OK; }
    }
    person->is_begun = status == FR_OK;
    if (status == FR_OK) { fr__director_wait_for_passes(person, list, &passes); }
    fr__director_free_passes(&passes);
    return status;
}

// A program says after the first frames that the palm cannot come there: another turn of it is tried.
static bool may_turn_palm(fr__director_person *person, const fr__director_list *list, const fr_task_end *end) {
    const fr__director_task *task = &list->tasks[end->task - 1];
    bool is_refused =
        task->plug_in != NULL && end->status == FR_ERROR_UNSUPPORTED && fr_plug_in_get(task->plug_in).frames == 0;
    return is_refused && ++person->palm < palm_tries(list);
}

// Begins a list, or the next stage of it, if no person blocks it.
static fr_status begin_list(fr_director *d, fr__director_person *person, const fr__director_list *list,
                            fr_error *error) {
    fr__director_ready ready = fr__director_meet(d, person, error);
    if (ready == FR__NOT_YET) { return FR_OK; }
    if (ready == FR__NEVER) { return error->status; }
    fr_status status = list->stage == 0 ? fr__director_check_states(d, list, error) : FR_OK;
    if (status == FR_OK) { status = fr__director_claim(d, person, error); }
    if (status != FR_OK) { return status; }
    ready = fr__director_clear_walk(d, person, error);
    if (ready == FR__NOT_YET) { return FR_OK; }
    if (ready == FR__NEVER) { return error->status; }
    status = begin_stage(d, person, list, error);
    if (status == FR_OK) { status = fr__director_note_trajectory(d, person, error); }
    d->path_task = FR_NONE;
    return status;
}

static fr_status walk_on(fr_director *d, fr__director_person *person, fr_error *error) {
    return fr__director_walk_on(d, person, error) == FR__NEVER ? error->status : FR_OK;
}

// Ends what is over and begins what comes next, between ticks. A list that cannot be begun ends with the reason, and
// the next one is tried; without memory the tick is not taken.
static fr_status go_on(fr_director *d, fr__director_person *person, fr_error *error) {
    fr_status status = FR_OK;
    while (fr__director_list_count(person) > 0 && status == FR_OK) {
        fr__director_list *list = fr__director_first(person);
        char taken[FR_COMMAND_END_MAX_BYTES + 1];
        if (person->is_over) {
            status = fr__director_end_list(d, person, person->end_status, person->reason, error);
            continue;
        }
        if (fr__director_lose(d, person, taken, sizeof taken)) {
            status = fr__director_end_list(d, person, FR_ERROR_BUSY, taken, error);
            continue;
        }
        if (person->is_begun) {
            status = fr__director_show(d, list, error);
            if (status != FR_OK) { return status; }
        }
        fr_error why = {0};
        if (list->pursuit != NULL) {
            fr__director_ready ready = fr__director_pursue(d, person, &why);
            if (ready == FR__NEVER && why.status == FR_ERROR_MEMORY) {
                return fr_error_set(error, why.status, "%s", why.message);
            }
            if (ready == FR__NOT_YET && fr__director_first(person)->pursuit != NULL) { break; }
            if (ready == FR__NOT_YET) { continue; } // with the list that comes before it now
            status = fr__director_end_list(d, person, ready == FR__READY ? FR_OK : why.status, why.message, error);
            continue;
        }
        fr_status begun = person->is_begun ? walk_on(d, person, &why) : begin_list(d, person, list, &why);
        if (begun == FR_OK) { break; }
        if (begun == FR_ERROR_MEMORY) { return fr_error_set(error, begun, "%s", why.message); }
        status = fr__director_end_list(d, person, begun, why.message, error);
    }
    return status;
}

const char *fr__director_rival(const fr_director *d, const fr__director_person *person) {
    const fr_claim *claim = fr_cast_claim(d->def.cast, fr_person_skin(person->person));
    return claim != NULL && claim->name[0] != '\0' ? claim->name : "a program";
}

// A program outside that moves the body goes before the director, which follows it then, and for one tick more: in that
// one the last update of the program is taken.
static fr_status follow_other(fr_director *d, fr__director_person *person, fr_error *error) {
    const fr_claim *claim = fr_cast_claim(d->def.cast, fr_person_skin(person->person));
    if (claim == NULL && person->away == 0) { return FR_OK; }
    person->away = claim != NULL ? 2 : person->away - 1;
    fr_status status = FR_OK;
    if (claim != NULL) {
        char reason[FR_COMMAND_END_MAX_BYTES + 1];
        (void)snprintf(reason, sizeof reason, "%s moves %s", fr__director_rival(d, person),
                       fr_person_name(person->person));
        status = fr__director_end_all(d, person, FR_ERROR_BUSY, reason, error);
        fr__director_let_go(d, person, true);
    }
    if (person->away == 0) {
        memcpy(person->notice, FR_DIRECTOR_LEFT, sizeof FR_DIRECTOR_LEFT);
        person->notice_value = 0.0;
        person->notice_object = (fr_object_id){0, 0, 0};
    }
    // A posture that cannot be taken leaves the person in the one before.
    fr_status taken = fr_person_follow(person->person, NULL);
    return status == FR_OK && taken == FR_ERROR_MEMORY ? fr_error_set(error, taken, "no memory for a posture") : status;
}

// Skills look before they go, at a space that is current.
fr_status fr__director_prepare(void *user, fr_error *error) {
    fr_director *d = user;
    fr_space *space = fr_world_space(d->world);
    fr_status status = fr__mechanism_prepare(d->mechanism, error);
    if (status != FR_OK) { return status; }
    if (d->until_refresh <= 0.0) {
        // A library that cannot be read now may be the next time.
        if (fr_director_refresh(d, NULL, NULL) == FR_ERROR_MEMORY) {
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for changed classes");
        }
        d->until_refresh = REFRESH_SECONDS;
    }
    d->until_refresh -= fr_world_step(d->world);
    for (uint32_t i = 0; i < d->person_count; i++) {
        fr__director_drop(d, d->people[i]);
    }
    if (!fr_space_is_current(space)) { status = fr_space_update(space, d->def.tasks, error); }
    if (status == FR_OK) { status = fr__director_watch_meetings(d, error); }
    if (status == FR_OK) { status = fr__director_watch(d, error); }
    if (status == FR_OK) { status = fr__director_look(d, error); }
    uint32_t turn = d->turn;
    d->turn = 0;
    if (status == FR_OK) { fr__director_try_ahead(d, turn); }
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        fr__director_person *person = d->people[(turn + i) % d->person_count];
        if (person->is_stopped) {
            status = fr__director_end_all(d, person, FR_ERROR_STOPPED, "a command stopped it", error);
        }
        person->is_stopped = false;
        if (status == FR_OK) { status = follow_other(d, person, error); }
        if (status == FR_OK) { status = go_on(d, person, error); }
    }
    return status == FR_OK ? fr__director_end_meetings(d, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Moving

// What a person's frame says about the list: a task that failed ends it, the last task that is done ends the stage.
static void take_output(fr__director_person *person) {
    if (fr__director_list_count(person) == 0 || !person->is_begun) { return; }
    const fr_performer_output *output = fr_person_output(person->person);
    fr__director_list *list = fr__director_first(person);
    for (uint32_t i = 0; i < output->end_count && !person->is_over; i++) {
        const fr_task_end *end = &output->ends[i];
        if (end->task > list->ends[list->stage]) { continue; } // the walk of who steps aside
        list->tasks[end->task - 1].is_over = true;
        if (end->reason != FR_TASK_FAILED) { continue; }
        if (may_turn_palm(person, list, end)) {
            fr__director_stop_stage(person, list);
            person->is_begun = false;
            return;
        }
        person->is_over = true;
        person->end_status = end->status;
        fr_utf8_repair(end->message, person->reason, sizeof person->reason);
    }
    // What has no end of its own, as an arm that is held still, ends with the rest; alone it goes on until it is
    // stopped.
    fr_performer *performer = fr_person_performer(person->person);
    fr_performer_view tasks = fr_performer_get(performer);
    uint32_t count = list->ends[list->stage] - fr__director_stage_first(list);
    uint32_t bounded = fr__director_bounded(list);
    uint32_t endless = tasks.endless_count > bounded ? tasks.endless_count - bounded : 0;
    bool is_rest_over = tasks.task_count == endless && endless < count;
    if (person->is_over || !is_rest_over || person->walker.is_halted) { return; }
    fr__director_stop_stage(person, list);
    person->is_begun = false;
    person->palm = 0;
    if (++list->stage < list->stage_count) { return; }
    list->stage = list->stage_count - 1;
    person->is_over = true;
    person->end_status = FR_OK;
}

// What happened between ticks is reported with the next one.
static fr_status report_notice(fr__director_person *person, fr_error *error) {
    const double numbers[2] = {person->notice_value, 0.0};
    if (person->notice[0] == '\0') { return FR_OK; }
    fr_status status = fr_person_add_event(person->person, person->notice, person->notice_object, numbers, error);
    person->notice[0] = '\0';
    return status;
}

// What follows from a person's frame: its list, and its objects by the posture of the same frame.
static fr_status finish_step(fr_director *d, fr__director_person *person, fr_error *error) {
    person->is_new = false;
    take_output(person);
    fr_status status = report_notice(person, error);
    return status == FR_OK ? fr__director_step_objects(d, person, error) : status;
}

// A tick for all people. Each is its own, so that they can be computed side by side; programs are shared, and one
// thread takes their frames.
typedef struct people_tick {
    fr_director *d;
    const fr_wishes *wishes;
    uint64_t number;
} people_tick;

static void step_people(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    const people_tick *tick = context;
    for (size_t i = begin; i < end; i++) {
        fr__director_person *person = tick->d->people[i];
        if (person->away > 0 || !fr_person_begin_tick(person->person, tick->number)) { continue; }
        person->status = fr_person_step(person->person, tick->wishes, NULL);
        fr__director_see_walk(person, tick->number + 1);
        person->is_new = true;
        bool is_alone = tick->d->def.plug_ins == NULL;
        if (is_alone && person->status == FR_OK) { person->status = finish_step(tick->d, person, NULL); }
    }
}

fr_status fr__director_move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_director *d = user;
    people_tick tick = {d, wishes, proposal->tick};
    fr_tasks_run(d->def.tasks, FR_SCHEDULE_DYNAMIC, d->person_count, 4, step_people, &tick);
    d->tick = proposal->tick + 1;
    fr_status status = fr__mechanism_move(proposal, wishes, d->mechanism, error);
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        fr__director_person *person = d->people[i];
        if (person->away > 0) { continue; }
        if (person->status != FR_OK) {
            return fr_error_set(error, person->status, "%s cannot move", fr_person_name(person->person));
        }
        if (person->is_new) { status = finish_step(d, person, error); }
        if (status == FR_OK) { status = fr_person_wish(person->person, wishes, error); }
        if (status == FR_OK) { status = fr__director_wish_objects(d, person, wishes, error); }
    }
    return status;
}

// Goals that people pursue: a chain of motions is searched, each step of it becomes a list that comes before the goal,
// and what follows is compared with what was to follow. Where it is something else, it is searched again from there.
#include "act/pursuit.h"

#include "fureai/base_drawing.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

// For so long it is waited until what follows from a step has happened, seconds.
static const double SETTLE_SECONDS = 0.5;

#define SAME 0.05 // metres, and
#define FACING_DEG 8.0

// ---------------------------------------------------------------------------------------------------------------
// Making

static const char *want_of(const fr_command *command) {
    for (uint32_t i = 0; i < command->parameter_count; i++) {
        if (strcmp(command->parameters[i].key, FR_DIRECTOR_WANT) == 0) { return command->parameters[i].value; }
    }
    return NULL;
}

fr_object_id fr__director_about(const fr_director *d, const fr_command *command) {
    const char *text = want_of(command);
    fr_arena *arena;
    fr_object_id object = command->object;
    if (strcmp(command->name, FR_DIRECTOR_GOAL) != 0 || text == NULL) { return object; }
    if (fr_arena_create(0, &d->allocator, &arena, NULL) != FR_OK) { return object; }
    const fr__goal_want *wants;
    uint32_t count = 0;
    if (fr__goal_read(d, text, arena, &wants, &count, NULL) == FR_OK && count > 0) { object = wants[0].object; }
    fr_arena_destroy(arena);
    return object;
}

// A list without tasks; its one motion has the name.
static fr_status fill_list(fr_director *d, fr__director_list *list, fr_error *error) {
    list->motions = fr_arena_alloc(list->arena, 1, sizeof *list->motions, alignof(fr__director_motion));
    list->tasks = fr_arena_alloc(list->arena, 1, sizeof *list->tasks, alignof(fr__director_task));
    list->ends = fr_arena_alloc(list->arena, 1, sizeof *list->ends, alignof(uint32_t));
    fr__pursuit *pursuit = fr_arena_alloc(list->arena, 1, sizeof *pursuit, alignof(fr__pursuit));
    if (list->motions == NULL || list->tasks == NULL || list->ends == NULL || pursuit == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a goal");
    }
    memset(pursuit, 0, sizeof *pursuit);
    fr_status status = fr_arena_create(0, &d->allocator, &pursuit->memory, error);
    if (status != FR_OK) { return status; }
    memset(list->motions, 0, sizeof *list->motions);
    fr_utf8_repair(FR_DIRECTOR_GOAL, list->motions[0].name, sizeof list->motions[0].name);
    list->motion_count = list->stage_count = 1;
    list->ends[0] = 0;
    list->pursuit = pursuit;
    return FR_OK;
}

fr_status fr__director_pursuit_make(fr_director *d, const fr_command *command, fr__director_list *out,
                                    fr_error *error) {
    const char *text = want_of(command);
    bool has_more = command->fused_count > 0 || command->object.index1 != 0 || command->given != 0 ||
                    command->frames > 0 || command->start > 0 || command->parameter_count > 1;
    if (text == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' needs '%s', as in \"cup on table\"", FR_DIRECTOR_GOAL,
                            FR_DIRECTOR_WANT);
    }
    if (has_more) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' takes '%s' alone, and nothing is fused with it",
                            FR_DIRECTOR_GOAL, FR_DIRECTOR_WANT);
    }
    out->ticket = command->ticket;
    fr_status status = fr_arena_create(0, &d->allocator, &out->arena, error);
    if (status != FR_OK) { return status; }
    status = fill_list(d, out, error);
    if (status == FR_OK) {
        status = fr__goal_read(d, text, out->arena, &out->pursuit->wants, &out->pursuit->want_count, error);
    }
    if (status == FR_OK) { out->motions[0].object = (fr_object_id){0, 0, 0}; }
    if (status != FR_OK) { fr__director_list_end(d, out); }
    return status;
}

void fr__director_pursuit_end(fr__pursuit *pursuit) {
    if (pursuit != NULL && pursuit->memory != NULL) { fr_arena_destroy(pursuit->memory); }
}

uint64_t fr__director_hash_pursuit(const fr__pursuit *pursuit, uint64_t hash) {
    if (pursuit == NULL) { return hash; }
    const uint64_t parts[5] = {pursuit->searches, pursuit->step_count, pursuit->next, pursuit->until,
                               (uint64_t)pursuit->has_walked << 1 | (uint64_t)pursuit->is_doing};
    return fr_hash(parts, sizeof parts, hash);
}

// ---------------------------------------------------------------------------------------------------------------
// Searching

// Motions of classes may go while the chain is done: their names are copied.
static fr_status take_chain(fr__pursuit *p, const fr__goal_world *w, const fr__goal_reacher *r,
                            const fr_goal_search_output *found, fr_error *error) {
    p->steps = fr_arena_alloc(p->memory, (size_t)found->step_count + 1, sizeof *p->steps, alignof(fr__pursuit_step));
    if (p->steps == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the steps of a goal"); }
    uint32_t stand = 0;
    for (uint32_t i = 0; i < found->step_count; i++) {
        const fr_goal_step *from = &found->steps[i];
        fr__pursuit_step *to = &p->steps[i];
        *to = (fr__pursuit_step){.object = w->ids[from->object],
                                 .side = from->side,
                                 .has_value = from->has_value,
                                 .value = from->value,
                                 .seconds = from->seconds,
                                 .states = found->states + (size_t)i * w->object_count};
        if (from->motion == NULL) { continue; }
        size_t size = strlen(from->motion->name) + 1;
        char *name = fr_arena_alloc(p->memory, size, 1, 1);
        if (name == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the steps of a goal"); }
        to->motion = memcpy(name, from->motion->name, size);
        to->has_side = fr__goal_takes_side(from->motion);
        to->has_walk = from->place != stand;
        stand = from->place;
        to->place = r->stands.data[stand].place;
        to->heading = r->stands.data[stand].heading;
    }
    p->step_count = found->step_count;
    return FR_OK;
}

static fr_status search(fr_director *d, fr__director_person *person, fr__pursuit *p, fr_goal_search_output *found,
                        fr_error *error) {
    fr__goal_world w;
    fr_arena_reset(p->memory);
    p->step_count = p->next = 0;
    p->has_walked = false;
    p->searches++;
    fr_status status = fr__goal_world_see(d, person, p->wants, p->want_count, p->memory, &w, error);
    if (status != FR_OK) { return status; }
    fr__goal_reacher r = {.d = d, .person = person, .world = &w, .refusals = &p->refusals, .arena = p->memory};
    if (!fr__goal_reacher_begin(&r)) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a goal"); }
    fr_goal_search_input input = fr_default_goal_search_input();
    input.objects = w.objects;
    input.object_count = w.object_count;
    input.people = w.people;
    input.person_count = w.person_count;
    input.conditions = w.conditions;
    input.condition_count = w.condition_count;
    input.reach = fr__goal_reach;
    input.user = &r;
    input.max_nodes = FR__PURSUIT_MAX_NODES;
    input.arena = p->memory;
    input.allocator = d->allocator;
    d->is_planning = true;
    if (status == FR_OK) { status = fr_goal_search(&input, found, error); }
    d->is_planning = false;
    if (status == FR_OK && r.status != FR_OK) { status = fr_error_set(error, r.status, "no memory for a goal"); }
    if (status == FR_OK && found->result == FR_GOAL_FOUND) { status = take_chain(p, &w, &r, found, error); }
    p->ids = w.ids;
    p->id_count = w.object_count;
    fr__goal_reacher_end(&r);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Doing

static bool is_there(const fr__director_person *person, const fr__pursuit_step *step) {
    fr_vec3 here = fr__director_place(person);
    fr_vec3 off = fr_vec3_make(step->place.x - here.x, 0.0, step->place.z - here.z);
    double s, c;
    fr_sincos(fr__director_heading(person) - step->heading, &s, &c);
    return fr_vec3_length(off) < SAME && c > fr_cos(fr_radians(FACING_DEG));
}

// The walk to a step, or the step itself, before the goal.
static fr_status begin_step(fr_director *d, fr__director_person *person, fr__pursuit *p, fr_error *error) {
    const fr__pursuit_step *step = &p->steps[p->next];
    char number[FR_NUMBER_BYTES + 1];
    fr_command_parameter parameters[3];
    fr_command command = {.name = step->motion, .object = step->object, .parameters = parameters};
    if (step->has_walk && !p->has_walked && !is_there(person, step)) {
        command = (fr_command){
            .name = "walk", .given = FR_COMMAND_GOAL | FR_COMMAND_FACING, .goal = step->place, .facing = step->heading};
    } else {
        parameters[command.parameter_count++] = (fr_command_parameter){"from", "here"};
        if (step->has_side) {
            parameters[command.parameter_count++] =
                (fr_command_parameter){"hand", step->side == FR_LEFT ? "left" : "right"};
        }
        if (step->has_value) {
            number[fr_number_write(step->value, number)] = '\0';
            parameters[command.parameter_count++] = (fr_command_parameter){"value", number};
        }
    }
    bool is_walk = command.object.index1 == 0;
    fr_status status = fr__director_put_first(d, person, &command, 0, false, error);
    if (status != FR_OK) { return status; }
    fr__director_first(person)->is_step = true;
    fr__director_first(person)->ticket = 0;
    p->has_walked = is_walk;
    p->is_doing = true;
    return FR_OK;
}

void fr__director_note_step(fr_director *d, fr__director_list *goal, fr_status status, const char *reason) {
    fr__pursuit *p = goal->pursuit;
    FR_ASSERT(p != NULL);
    p->is_doing = false;
    p->status = status;
    if (status != FR_OK) {
        fr_utf8_repair(reason, p->reason, sizeof p->reason);
    } else if (!p->has_walked) {
        p->until = d->tick + 1 + (uint64_t)(SETTLE_SECONDS / fr_world_step(d->world));
    }
}

// What could not be done there is not tried there again.
static void note_refusal(fr__pursuit *p) {
    const fr__pursuit_step *step = &p->steps[p->next];
    if (step->motion == NULL || p->refusals.count == FR__PURSUIT_MAX_DENIALS) { return; }
    fr__goal_refusal *refusal = &p->refusals.list[p->refusals.count++];
    *refusal = (fr__goal_refusal){.object = step->object, .motion = fr_hash(step->motion, strlen(step->motion), 0)};
    refusal->place = step->place;
    refusal->heading = step->heading;
    fr_utf8_repair(p->reason, refusal->why, sizeof refusal->why);
}

// Whether the states are what the step was to bring about.
static bool is_as_expected(const fr_director *d, const fr__pursuit *p) {
    const uint32_t *states = p->steps[p->next].states;
    bool is_right = true;
    for (uint32_t i = 0; i < p->id_count && is_right; i++) {
        is_right = states[i] == FR_NONE || fr_mechanism_state(d->mechanism, p->ids[i]) == states[i];
    }
    return is_right;
}

// Waits for what follows from a step; true when the next one is to come, or the chain is worth nothing any more
// (*is_broken).
static bool is_settled(const fr_director *d, fr__pursuit *p, bool *is_broken) {
    *is_broken = false;
    if (p->status != FR_OK) {
        note_refusal(p);
        p->status = FR_OK;
        p->until = 0;
        *is_broken = true;
        return true;
    }
    if (p->until == 0) { return true; }
    // Two ticks at least: what a tick reported is taken before the next one.
    bool has_waited = d->tick + 1 >= p->until;
    uint64_t begun = p->until - (uint64_t)(SETTLE_SECONDS / fr_world_step(d->world));
    bool is_right = d->tick > begun + 2 && is_as_expected(d, p);
    if (!is_right && !has_waited) { return false; }
    *is_broken = !is_right;
    p->until = 0;
    p->next++;
    p->has_walked = false;
    return true;
}

// Time passes as a step of its own.
static bool wait(const fr_director *d, fr__pursuit *p) {
    const fr__pursuit_step *step = &p->steps[p->next];
    if (step->motion != NULL || p->until != 0) { return false; }
    p->until = d->tick + 1 + (uint64_t)((SETTLE_SECONDS + step->seconds) / fr_world_step(d->world));
    return true;
}

static fr__director_ready give_up(const fr__pursuit *p, const char *why, fr_error *error) {
    bool has_both = p->reason[0] != '\0' && strstr(why, p->reason) == NULL;
    (void)fr_error_set(error, FR_ERROR_ARGUMENT, has_both ? "%s (the last try: %s)" : "%s", why, p->reason);
    return FR__NEVER;
}

fr__director_ready fr__director_pursue(fr_director *d, fr__director_person *person, fr_error *error) {
    fr__pursuit *p = fr__director_first(person)->pursuit;
    bool is_broken = false;
    FR_ASSERT(!p->is_doing);
    if (!is_settled(d, p, &is_broken)) { return FR__NOT_YET; }
    if (is_broken || p->next == p->step_count) {
        fr_goal_search_output found;
        if (search(d, person, p, &found, error) != FR_OK) { return FR__NEVER; }
        if (found.result != FR_GOAL_FOUND) { return give_up(p, found.why, error); }
        if (found.step_count == 0) { return FR__READY; }
        // The search after the last chain only says whether that has reached the goal.
        if (p->searches > FR_DIRECTOR_SEARCHES) { return give_up(p, "it is not so after many tries", error); }
    }
    if (wait(d, p)) { return FR__NOT_YET; }
    fr_error why = {0};
    fr_status status = begin_step(d, person, p, &why);
    if (status == FR_OK) { return FR__NOT_YET; }
    if (status == FR_ERROR_MEMORY) {
        (void)fr_error_set(error, status, "%s", why.message);
        return FR__NEVER;
    }
    p->status = status;
    fr_utf8_repair(why.message, p->reason, sizeof p->reason);
    return FR__NOT_YET;
}

// The player: people who do what lists of tasks say.
#include "fureai/actor_person.h"

#include "fureai/base_drawing.h"

#include <stdalign.h>
#include <string.h>

#define PLAYER_COOKIE 0x504c4159u

typedef struct played_person {
    fr_person *person;
    const fr_player_task *tasks; // in the player's arena
    uint32_t task_count;
    bool is_loop;
    bool is_over;
    uint32_t next;  // the first task of the list that comes next
    uint32_t first; // of the list that is done now; tasks are numbered from 1 by their index
    char message[FR_MAX_TASK_MESSAGE + 1];
} played_person;

struct fr_player {
    fr_world *world;
    fr_allocator allocator;
    fr_arena *arena; // of tasks and what they point to
    played_person *people;
    uint32_t person_count;
};

fr_player_def fr_default_player_def(void) {
    fr_player_def def;
    memset(&def, 0, sizeof def);
    def.cookie = PLAYER_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static void *copy(fr_arena *arena, const void *from, size_t count, size_t size, fr_status *status) {
    void *to = fr_arena_alloc(arena, count > 0 ? count : 1, size, alignof(max_align_t));
    if (to == NULL) { *status = FR_ERROR_MEMORY; }
    if (to != NULL && count > 0) { memcpy(to, from, count * size); }
    return to;
}

// What the fields of a task point to becomes the player's.
static fr_status keep_fields(fr_player *p, fr_skill_fields *fields) {
    fr_status status = FR_OK;
    if ((fields->given & FR_FIELD_POSES) != 0) {
        fields->poses = copy(p->arena, fields->poses, fields->pose_count, sizeof *fields->poses, &status);
    }
    if (status == FR_OK && (fields->given & FR_FIELD_WEIGHTS) != 0 && (fields->given & FR_FIELD_POSTURE) != 0) {
        size_t count = (size_t)fields->posture->count + 1;
        fields->weights = copy(p->arena, fields->weights, count, sizeof *fields->weights, &status);
    }
    if (status == FR_OK && (fields->given & FR_FIELD_POSTURE) != 0) {
        fr_posture *posture = copy(p->arena, fields->posture, 1, sizeof *posture, &status);
        if (posture != NULL) {
            posture->turns = copy(p->arena, posture->turns, posture->count, sizeof *posture->turns, &status);
            fields->posture = posture;
        }
    }
    if (status == FR_OK && (fields->given & FR_FIELD_CLIP) != 0) { (void)fr_clip_retain(fields->clip); }
    return status;
}

static fr_status check_tasks(const fr_player_person *person, fr_error *error) {
    if (person->task_count > FR_PLAYER_MAX_TASKS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a person has at most %d tasks", FR_PLAYER_MAX_TASKS);
    }
    uint32_t in_list = 0;
    for (uint32_t i = 0; i < person->task_count; i++) {
        const fr_player_task *task = &person->tasks[i];
        bool is_same_list = i > 0 && task->list == task[-1].list;
        in_list = is_same_list ? in_list + 1 : 1;
        const char *wrong = task->skill == NULL                            ? "has no skill"
                            : i > 0 && task->list < task[-1].list          ? "is of a list that was before"
                            : task->fields.pose_count > FR_MAX_SKILL_POSES ? "has too many poses"
                                                                           : NULL;
        if (wrong != NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "task %u %s", (unsigned)i, wrong); }
        if (in_list > FR_MAX_TASKS) {
            return fr_error_set(error, FR_ERROR_LIMIT, "a list has at most %u tasks", (unsigned)FR_MAX_TASKS);
        }
    }
    return FR_OK;
}

static fr_status add_person(fr_player *p, const fr_player_person *from, fr_error *error) {
    fr_status status = check_tasks(from, error);
    if (status != FR_OK) { return status; }
    played_person *to = &p->people[p->person_count];
    memset(to, 0, sizeof *to);
    fr_player_task *tasks = copy(p->arena, from->tasks, from->task_count, sizeof *tasks, &status);
    to->tasks = tasks;
    for (uint32_t i = 0; i < from->task_count && status == FR_OK; i++) {
        status = keep_fields(p, &tasks[i].fields);
        if (status == FR_OK) { to->task_count++; } // those whose clip is retained
    }
    p->person_count++;
    if (status != FR_OK) { return fr_error_set(error, status, "no memory for the tasks of a person"); }
    to->is_loop = from->is_loop;
    to->is_over = from->task_count == 0;
    fr_person_def def = from->person;
    def.world = p->world;
    return fr_person_create(&def, &to->person, error);
}

static fr_status add_people(fr_player *p, const fr_player_def *def, fr_error *error) {
    fr_status status = fr_arena_create(0, &p->allocator, &p->arena, error);
    if (status != FR_OK) { return status; }
    p->people = fr_arena_alloc(p->arena, (size_t)def->person_count + 1, sizeof *p->people, alignof(played_person));
    if (p->people == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for people"); }
    for (uint32_t i = 0; i < def->person_count && status == FR_OK; i++) {
        status = add_person(p, &def->people[i], error);
    }
    return status;
}

fr_status fr_player_create(const fr_player_def *def, fr_player **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != PLAYER_COOKIE) { return fr_error_set_cookie(error, "fr_default_player_def"); }
    if (def->world == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a player needs a world"); }
    if (def->person_count > FR_PLAYER_MAX_PEOPLE) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a player has at most %d people", FR_PLAYER_MAX_PEOPLE);
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_player *p = fr_allocate(&allocator, 1, sizeof *p, alignof(fr_player));
    if (p == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a player"); }
    *p = (fr_player){.world = def->world, .allocator = allocator};
    fr_status status = add_people(p, def, error);
    if (status != FR_OK) {
        fr_player_destroy(p);
        return status;
    }
    *out = p;
    return FR_OK;
}

void fr_player_destroy(fr_player *player) {
    if (player == NULL) { return; }
    for (uint32_t i = 0; i < player->person_count; i++) {
        played_person *person = &player->people[i];
        fr_person_destroy(person->person);
        for (uint32_t k = 0; k < person->task_count; k++) {
            const fr_skill_fields *fields = &person->tasks[k].fields;
            if ((fields->given & FR_FIELD_CLIP) != 0) { fr_clip_release(fields->clip); }
        }
    }
    if (player->arena != NULL) { fr_arena_destroy(player->arena); }
    fr_allocator allocator = player->allocator;
    fr_deallocate(&allocator, player, 1, sizeof *player);
}

// ---------------------------------------------------------------------------------------------------------------
// Lists

static uint32_t end_of_list(const played_person *person, uint32_t first) {
    uint32_t end = first;
    while (end < person->task_count && person->tasks[end].list == person->tasks[first].list) {
        end++;
    }
    return end;
}

static fr_status fail_task(played_person *person, uint32_t task, const char *message, fr_error *error) {
    const double numbers[2] = {(double)task, 0.0};
    const fr_object_id none = {0, 0, 0};
    fr_utf8_repair(message, person->message, sizeof person->message);
    return fr_person_add_event(person->person, FR_PLAYER_FAILED, none, numbers, error);
}

// Begins the next list; one that cannot be begun is left out.
static fr_status begin_list(played_person *person, const fr_wishes *wishes, fr_error *error) {
    fr_person_task tasks[FR_MAX_TASKS];
    uint32_t first = person->next, end = end_of_list(person, first);
    for (uint32_t i = first; i < end; i++) {
        const fr_player_task *from = &person->tasks[i];
        tasks[i - first] = (fr_person_task){
            .task = {.id = (uint64_t)i + 1, .skill = from->skill, .fields = from->fields, .start = from->start}};
    }
    fr_error refusal = {0};
    fr_status status = fr_person_begin(person->person, tasks, end - first, wishes, &refusal);
    person->first = first;
    person->next = end;
    if (status == FR_ERROR_MEMORY) { return fr_error_set(error, status, "%s", refusal.message); }
    return status == FR_OK ? FR_OK : fail_task(person, first, refusal.message, error);
}

static fr_status take_output(played_person *person, fr_error *error) {
    const fr_performer_output *output = fr_person_output(person->person);
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < output->end_count && status == FR_OK; i++) {
        const fr_task_end *end = &output->ends[i];
        if (end->reason != FR_TASK_FAILED) { continue; }
        status = fail_task(person, (uint32_t)(end->task - 1), end->message, error);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Moving

// What has no end of its own, as an arm that is held still, ends with the rest of its list.
static bool is_list_over(const played_person *person) {
    fr_performer_view now = fr_performer_get(fr_person_performer(person->person));
    return now.task_count == now.endless_count &&
           (now.task_count == 0 || now.task_count < person->next - person->first);
}

static fr_status step_person(played_person *person, const fr_wishes *wishes, fr_error *error) {
    fr_status status = FR_OK;
    if (is_list_over(person) && !person->is_over) {
        if (person->next == person->task_count && person->is_loop) { person->next = 0; }
        person->is_over = person->next == person->task_count;
        for (uint32_t i = person->first; person->is_over && i < person->next; i++) {
            (void)fr_performer_stop(fr_person_performer(person->person), (uint64_t)i + 1);
        }
        if (!person->is_over) { status = begin_list(person, wishes, error); }
    }
    if (status == FR_OK) { status = fr_person_step(person->person, wishes, error); }
    return status == FR_OK ? take_output(person, error) : status;
}

static fr_status move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_player *p = user;
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < p->person_count && status == FR_OK; i++) {
        played_person *person = &p->people[i];
        if (fr_person_begin_tick(person->person, proposal->tick)) { status = step_person(person, wishes, error); }
        if (status == FR_OK) { status = fr_person_wish(person->person, wishes, error); }
    }
    return status;
}

// Skills look before they go: at a space that is current.
static fr_status prepare(void *user, fr_error *error) {
    const fr_player *p = user;
    fr_space *space = fr_world_space(p->world);
    return fr_space_is_current(space) ? FR_OK : fr_space_update(space, NULL, error);
}

static fr_status begin(void *user, fr_error *error) {
    fr_player *p = user;
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < p->person_count && status == FR_OK; i++) {
        played_person *person = &p->people[i];
        person->next = person->first = 0;
        person->is_over = person->task_count == 0;
        person->message[0] = '\0';
        status = fr_person_restart(person->person, error);
    }
    return status;
}

static fr_status grab(const fr_claim *claim, void *user, fr_error *error) {
    const fr_player *p = user;
    for (uint32_t i = 0; i < p->person_count; i++) {
        const fr_person *person = p->people[i].person;
        if (!fr_person_has(person, claim->object)) { continue; }
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "%s moves by its own skills", fr_person_name(person));
    }
    return FR_OK;
}

static void leave(void *user) { fr_player_destroy(user); }

fr_actor fr_player_actor(fr_player *player) {
    return (fr_actor){.name = "player",
                      .move = move,
                      .prepare = prepare,
                      .begin = begin,
                      .grab = grab,
                      .leave = leave,
                      .user = player};
}

fr_player_state fr_player_get(const fr_player *player, uint32_t index) {
    FR_ASSERT(index < player->person_count);
    const played_person *person = &player->people[index];
    uint32_t list = person->task_count > 0 ? person->tasks[person->first].list : 0;
    return (fr_player_state){person->person, list, person->is_over, person->message};
}

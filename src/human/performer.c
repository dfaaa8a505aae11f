// A performer: one body, the tasks that it is at, and how their skills become one motion.
#include "fureai/human_skill.h"

#include "human/performer_task.h"
#include "human/posture.h"
#include "human/skill.h"
#include "human/walk_plan.h"

#include <string.h>

#define PERFORMER_DEF_COOKIE 0x50455246u

struct fr_performer {
    const fr_skeleton *skeleton;
    const fr_figure *figure; // may be NULL
    uint32_t link_count;
    fr_fusion *fusion;
    fr_walk *walk; // NULL: the body cannot walk
    double rate;
    uint64_t person;
    double variety;
    uint64_t frame;
    fr__task *tasks[FR_MAX_TASKS];
    uint32_t task_count;
    uint64_t next_motion; // id for the fusion
    uint64_t walk_motion; // that of the walk
    bool is_walking;      // the walk was stepped in the last frame and goes on
    fr__task *stopping;   // a walk whose task is over, while it comes to stand
    fr_allocator allocator;
};

// ---------------------------------------------------------------------------------------------------------------
// Making and destroying

fr_performer_def fr_default_performer_def(void) {
    fr_performer_def def;
    memset(&def, 0, sizeof def);
    def.rate = 60.0;
    def.cookie = PERFORMER_DEF_COOKIE;
    return def;
}

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a performer");
}

static fr_status check_def(const fr_performer_def *def, fr_error *error) {
    if (def->cookie != PERFORMER_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_performer_def"); }
    if (def->skeleton == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a performer has a skeleton"); }
    if (!(def->rate >= FR_PERFORMER_MIN_RATE && def->rate <= FR_PERFORMER_MAX_RATE)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a performer at %g frames a second; %g .. %g are allowed",
                            def->rate, FR_PERFORMER_MIN_RATE, FR_PERFORMER_MAX_RATE);
    }
    if (def->figure != NULL && fr_figure_get(def->figure)->skeleton != def->skeleton) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the figure is of another skeleton than the performer");
    }
    if (def->walk_set == NULL) { return FR_OK; }
    const fr_walk_set_view *set = fr_walk_set_get(def->walk_set);
    if (set->skeleton != def->skeleton) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the walk set is of another skeleton than the performer");
    }
    if (set->frame_rate != def->rate) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the walk set has %g frames a second, the performer %g",
                            set->frame_rate, def->rate);
    }
    return FR_OK;
}

static fr_status make_walk(fr_performer *performer, const fr_performer_def *def, fr_error *error) {
    if (def->walk_set == NULL) { return FR_OK; }
    fr_walk_def walk = fr_default_walk_def();
    walk.set = def->walk_set;
    walk.person = def->person;
    walk.variety = def->variety;
    walk.allocator = performer->allocator;
    return fr_walk_create(&walk, &performer->walk, error);
}

static fr_status make_fusion(fr_performer *performer, const fr_performer_def *def, fr_error *error) {
    fr_quat turns[FR_MAX_LINKS];
    fr_posture first = {.turns = turns, .count = performer->link_count};
    fr_status status = fr_posture_rest(performer->skeleton, &first, error);
    if (status == FR_OK && def->walk_set != NULL) {
        status = fr_walk_set_stand(def->walk_set, (fr_vec3){0.0, 0.0, 0.0}, 0.0, &first, error);
    }
    if (status != FR_OK) { return status; }
    fr_fusion_def fusion = fr_default_fusion_def();
    fusion.skeleton = performer->skeleton;
    fusion.posture = def->posture != NULL ? def->posture : &first;
    fusion.allocator = performer->allocator;
    return fr_fusion_create(&fusion, &performer->fusion, error);
}

fr_status fr_performer_create(const fr_performer_def *def, fr_performer **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_performer *performer = fr_allocate(&allocator, 1, sizeof *performer, _Alignof(fr_performer));
    if (performer == NULL) { return no_memory(error); }
    memset(performer, 0, sizeof *performer);
    performer->allocator = allocator;
    performer->skeleton = fr_skeleton_retain(def->skeleton);
    if (def->figure != NULL) { performer->figure = fr_figure_retain(def->figure); }
    performer->link_count = fr_skeleton_get(def->skeleton)->link_count;
    performer->rate = def->rate;
    performer->person = def->person;
    performer->variety = def->variety;
    status = make_walk(performer, def, error);
    if (status == FR_OK) { status = make_fusion(performer, def, error); }
    if (status != FR_OK) {
        fr_performer_destroy(performer);
        return status;
    }
    *out = performer;
    return FR_OK;
}

// The task whose walk comes to stand by itself from now on, in place of the one before; NULL: none. It may not have
// made a step yet.
static void leave_walk(fr_performer *performer, fr__task *one) {
    fr__task_free(&performer->allocator, performer->stopping);
    performer->stopping = one;
    if (one != NULL) { fr__skill_weigh_walk(performer->skeleton, one->weights, performer->link_count); }
}

static void free_tasks(fr_performer *performer) {
    for (uint32_t i = 0; i < performer->task_count; i++) {
        fr__task_free(&performer->allocator, performer->tasks[i]);
    }
    performer->task_count = 0;
}

void fr_performer_destroy(fr_performer *performer) {
    if (performer == NULL) { return; }
    free_tasks(performer);
    leave_walk(performer, NULL);
    fr_fusion_destroy(performer->fusion);
    fr_walk_destroy(performer->walk);
    fr_allocator allocator = performer->allocator;
    fr_figure_release(performer->figure);
    fr_skeleton_release(performer->skeleton);
    fr_deallocate(&allocator, performer, 1, sizeof *performer);
}

// ---------------------------------------------------------------------------------------------------------------
// Tasks

static fr_skill_input input_of(const fr_performer *performer, const fr__task *one, const fr_performer_input *world) {
    const fr_skill_fields *fields = &one->given.fields;
    uint32_t given = (fields->given & FR_FIELD_FRAMES) != 0 ? fields->frames : 0;
    bool sees = world != NULL && !one->given.is_blind;
    return (fr_skill_input){.skill = one->given.skill,
                            .skeleton = performer->skeleton,
                            .figure = one->given.is_blind ? NULL : performer->figure,
                            .fields = fields,
                            .body = fr_fusion_posture(performer->fusion),
                            .target = one->target,
                            .frame = one->frame,
                            .frames = one->has_begun ? one->frames : given,
                            .rate = performer->rate,
                            .person = performer->person,
                            .walk = performer->walk,
                            .is_walking = performer->is_walking,
                            .space = sees ? world->space : NULL,
                            .filter = sees ? world->filter : NULL,
                            .has_planned_path = world != NULL && world->has_planned_path,
                            .object_name = world != NULL ? world->object_name : NULL,
                            .object_name_context = world != NULL ? world->object_name_context : NULL};
}

static fr_status init_task(const fr_performer *performer, fr__task *one, const fr_performer_input *world,
                           fr_error *error) {
    fr_skill_input input = input_of(performer, one, world);
    fr_status status = one->given.skill->init(&input, &one->state, &one->frames, error);
    if (status != FR_OK) { return status; }
    (void)fr_posture_copy(&input.body, &one->posture, NULL);
    one->has_begun = true;
    return FR_OK;
}

// A task is part of the fusion from now on. A walk that goes on by a new plan stays the same motion: the plan begins
// with the velocity that the walk has.
static void accept_task(fr_performer *performer, fr__task *one) {
    bool has_walk = one->given.skill->has_walk;
    one->motion = has_walk && performer->is_walking ? performer->walk_motion : ++performer->next_motion;
    if (!has_walk) { return; }
    performer->walk_motion = one->motion;
    leave_walk(performer, NULL);
}

static fr__task *walking_task(const fr_performer *performer) {
    for (uint32_t i = 0; i < performer->task_count; i++) {
        fr__task *one = performer->tasks[i];
        if (one->has_begun && !one->is_replaced && one->given.skill->has_walk) { return one; }
    }
    return NULL;
}

static fr_status check_tasks(const fr_performer *performer, const fr_task *tasks, uint32_t count, bool is_added,
                             fr_error *error) {
    uint32_t others = is_added ? performer->task_count : 0;
    if (count == 0 || tasks == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "no task to begin"); }
    if (count > FR_MAX_TASKS - others) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%llu tasks; the limit is %u", (unsigned long long)count + others,
                            FR_MAX_TASKS);
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < i + others; k++) {
            uint64_t other = k < i ? tasks[k].id : performer->tasks[k - i]->given.id;
            if (other == tasks[i].id) {
                return fr_error_set(error, FR_ERROR_ARGUMENT, "two tasks have the id %llu", (unsigned long long)other);
            }
        }
        for (uint32_t k = 0; k < i; k++) {
            bool are_walks = tasks[i].skill != NULL && tasks[k].skill != NULL && tasks[i].skill->has_walk &&
                             tasks[k].skill->has_walk;
            if (are_walks && tasks[i].start == tasks[k].start) {
                return fr_error_set(error, FR_ERROR_ARGUMENT, "tasks %u and %u walk at the same time", k, i);
            }
        }
    }
    return FR_OK;
}

// Makes all tasks and begins those that start at once, the one that walks last: it alone changes what goes on.
static fr_status make_tasks(fr_performer *performer, const fr_task *tasks, uint32_t count, fr__task **made,
                            const fr_performer_input *world, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        status = fr__task_make(performer->skeleton, &performer->allocator, &tasks[i], &made[i], error);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < count && status == FR_OK; i++) {
            if (made[i]->wait > 0 || made[i]->given.skill->has_walk != (pass == 1)) { continue; }
            status = init_task(performer, made[i], world, error);
        }
    }
    return status;
}

static bool has_new_walk(fr__task *const *made, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (made[i]->has_begun && made[i]->given.skill->has_walk) { return true; }
    }
    return false;
}

static void take_out(fr_performer *performer, const fr__task *one) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < performer->task_count; i++) {
        if (performer->tasks[i] != one) { performer->tasks[kept++] = performer->tasks[i]; }
    }
    performer->task_count = kept;
}

static fr_status begin(fr_performer *performer, const fr_task *tasks, uint32_t count, bool is_added,
                       const fr_performer_input *world, fr_error *error) {
    fr__task *made[FR_MAX_TASKS] = {NULL};
    fr_status status = check_tasks(performer, tasks, count, is_added, error);
    if (status != FR_OK) { return status; }
    status = make_tasks(performer, tasks, count, made, world, error);
    if (status == FR_OK && !is_added && performer->is_walking && !has_new_walk(made, count)) {
        status = fr_walk_stop(performer->walk, error);
    }
    if (status != FR_OK) {
        for (uint32_t i = 0; i < count; i++) {
            fr__task_free(&performer->allocator, made[i]);
        }
        return status;
    }
    fr__task *walking = walking_task(performer);
    if (is_added && walking != NULL && has_new_walk(made, count)) { walking->is_replaced = true; }
    if (!is_added) {
        if (walking != NULL && performer->is_walking) { take_out(performer, walking); }
        free_tasks(performer);
        if (walking != NULL && performer->is_walking) { leave_walk(performer, walking); }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (made[i]->has_begun) { accept_task(performer, made[i]); }
        performer->tasks[performer->task_count++] = made[i];
    }
    return FR_OK;
}

fr_status fr_performer_begin(fr_performer *performer, const fr_task *tasks, uint32_t count,
                             const fr_performer_input *input, fr_error *error) {
    FR_ASSERT(performer != NULL);
    return begin(performer, tasks, count, false, input, error);
}

fr_status fr_performer_add(fr_performer *performer, const fr_task *tasks, uint32_t count,
                           const fr_performer_input *input, fr_error *error) {
    FR_ASSERT(performer != NULL);
    return begin(performer, tasks, count, true, input, error);
}

bool fr_performer_stop(fr_performer *performer, uint64_t id) {
    FR_ASSERT(performer != NULL);
    for (uint32_t i = 0; i < performer->task_count; i++) {
        fr__task *one = performer->tasks[i];
        if (one->given.id != id) { continue; }
        take_out(performer, one);
        if (one->has_begun && one->given.skill->has_walk && performer->is_walking) {
            // Without memory for the steps to a stand, the body walks on to its goal.
            (void)fr_walk_stop(performer->walk, NULL);
            leave_walk(performer, one);
        } else {
            fr__task_free(&performer->allocator, one);
        }
        return true;
    }
    return false;
}

fr_status fr_performer_put(fr_performer *performer, const fr_posture *posture, fr_error *error) {
    FR_ASSERT(performer != NULL && posture != NULL);
    fr_status status = fr_fusion_put(performer->fusion, posture, error);
    if (status != FR_OK) { return status; }
    free_tasks(performer);
    leave_walk(performer, NULL);
    performer->is_walking = false;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The step

static fr_status take_targets(fr_performer *performer, const fr_performer_input *world, fr_error *error) {
    if (world == NULL || world->target_count == 0) { return FR_OK; }
    if (world->targets == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "targets are counted, none given"); }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < world->target_count; i++) {
            fr_pose target = world->targets[i].target;
            fr_status status = fr_pose_check(&target, error);
            if (status != FR_OK) { return status; }
            for (uint32_t k = 0; pass == 1 && k < performer->task_count; k++) {
                fr__task *one = performer->tasks[k];
                if (one->given.id == world->targets[i].task) { one->target = target; }
            }
        }
    }
    return FR_OK;
}

static void end_task(fr_performer_output *output, fr__task *one, fr_task_reason reason, const fr_error *error) {
    fr_task_end *end = &output->ends[output->end_count++];
    memset(end, 0, sizeof *end);
    end->task = one->given.id;
    end->reason = reason;
    one->is_over = true;
    if (error == NULL) { return; }
    end->status = error->status;
    // The message is cut where a whole character ends.
    size_t length = strlen(error->message);
    length = length < FR_MAX_TASK_MESSAGE ? length : FR_MAX_TASK_MESSAGE;
    while (length > 0 && (error->message[length] & 0xc0) == 0x80) {
        length--;
    }
    memcpy(end->message, error->message, length);
}

static void note_events(const fr__task *one, const fr_skill_output *from, fr_performer_output *output) {
    for (uint32_t i = 0; i < from->event_count && output->event_count < FR_MAX_PERFORMER_EVENTS; i++) {
        output->events[output->event_count] = from->events[i];
        output->events[output->event_count++].task = one->given.id;
    }
}

// Removes the tasks that are over.
static void sweep(fr_performer *performer) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < performer->task_count; i++) {
        fr__task *one = performer->tasks[i];
        if (one->is_over) {
            fr__task_free(&performer->allocator, one);
        } else {
            performer->tasks[kept++] = one;
        }
    }
    performer->task_count = kept;
}

// Begins the tasks whose time has come. The task that walked until now ends where another begins to.
static void begin_waiting(fr_performer *performer, const fr_performer_input *world, fr_performer_output *output) {
    for (uint32_t i = 0; i < performer->task_count; i++) {
        fr__task *one = performer->tasks[i];
        if (one->has_begun) { continue; }
        if (one->wait > 0) {
            one->wait--;
            continue;
        }
        fr__task *walking = one->given.skill->has_walk ? walking_task(performer) : NULL;
        fr_error error = {0};
        if (init_task(performer, one, world, &error) != FR_OK) {
            end_task(output, one, FR_TASK_FAILED, &error);
            continue;
        }
        accept_task(performer, one);
        if (walking != NULL) { walking->is_replaced = true; }
    }
    for (uint32_t i = 0; i < performer->task_count; i++) {
        fr__task *one = performer->tasks[i];
        if (one->is_replaced && !one->is_over) { end_task(output, one, FR_TASK_REPLACED, NULL); }
    }
    sweep(performer);
}

// One frame of a task's skill. False where it failed.
static bool step_task(fr_performer *performer, fr__task *one, const fr_performer_input *world,
                      fr_performer_output *output) {
    fr_error error = {0};
    one->frame++;
    fr_skill_input input = input_of(performer, one, world);
    fr_skill_output made = {.posture = one->posture, .weights = one->weights};
    fr_status status = one->given.skill->step(&input, &one->state, &made, &error);
    fr_vec3 place = made.posture.place;
    if (status == FR_OK && !(fr_vec3_is_finite(place) && fr_vec3_largest(place) <= FR_LENGTH_MAX)) {
        status = fr_error_set(&error, FR_ERROR_LIMIT, "%s leads out of the world", one->given.skill->name);
    }
    if (status != FR_OK) {
        end_task(output, one, FR_TASK_FAILED, &error);
        return false;
    }
    one->posture = made.posture;
    note_events(one, &made, output);
    if (made.is_done || (one->frames != 0 && one->frame >= one->frames)) { end_task(output, one, FR_TASK_DONE, NULL); }
    return true;
}

// The steps of a walk whose task is over, until it stands or a task has the place of the body for itself.
static bool step_stopping(fr_performer *performer, const fr_fused_motion *motions, uint32_t count) {
    fr__task *one = performer->stopping;
    if (one == NULL) { return false; }
    bool goes_on = true;
    for (uint32_t i = 0; i < count; i++) {
        goes_on = goes_on && motions[i].weights[performer->link_count] < FR_MIN_WEIGHT;
    }
    return goes_on && fr_walk_step(performer->walk, &one->posture, NULL) == FR_OK;
}

fr_status fr_performer_step(fr_performer *performer, const fr_performer_input *input, fr_performer_output *output,
                            fr_error *error) {
    FR_ASSERT(performer != NULL && output != NULL);
    output->event_count = output->end_count = 0;
    output->posture = fr_fusion_posture(performer->fusion);
    fr_status status = take_targets(performer, input, error);
    if (status != FR_OK) { return status; }

    // Stage 1: every task makes its posture of this frame.
    fr_fused_motion motions[FR_MAX_TASKS + 1];
    uint32_t count = 0;
    bool has_walked = false;
    begin_waiting(performer, input, output);
    for (uint32_t i = 0; i < performer->task_count; i++) {
        fr__task *one = performer->tasks[i];
        if (!one->has_begun || !step_task(performer, one, input, output)) { continue; }
        motions[count++] = (fr_fused_motion){one->motion, one->posture, one->weights};
        has_walked = has_walked || one->given.skill->has_walk;
    }
    if (!has_walked && step_stopping(performer, motions, count)) {
        const fr__task *one = performer->stopping;
        motions[count++] = (fr_fused_motion){one->motion, one->posture, one->weights};
        has_walked = true;
    }
    performer->is_walking = has_walked && fr__walk_is_walking(performer->walk);

    // Stage 2: the postures become one.
    fr_fusion_input fused = {motions, count, 1.0 / performer->rate};
    status = fr_fusion_step(performer->fusion, &fused, &output->posture, error);
    sweep(performer);
    if (!performer->is_walking) { leave_walk(performer, NULL); }
    performer->frame++;
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// What it holds

fr_performer_view fr_performer_get(const fr_performer *performer) {
    FR_ASSERT(performer != NULL);
    uint32_t endless = 0;
    for (uint32_t i = 0; i < performer->task_count; i++) {
        const fr__task *task = performer->tasks[i];
        endless += task->has_begun && task->frames == 0;
    }
    return (fr_performer_view){
        .skeleton = performer->skeleton,
        .walk_set = performer->walk != NULL ? fr__walk_set_of(performer->walk) : NULL,
        .figure = performer->figure,
        .posture = fr_fusion_posture(performer->fusion),
        .rate = performer->rate,
        .frame = performer->frame,
        .task_count = performer->task_count,
        .endless_count = endless,
        .walk = performer->is_walking || walking_task(performer) != NULL ? performer->walk : NULL,
        .person = performer->person,
        .variety = performer->variety,
    };
}

uint64_t fr_performer_hash(const fr_performer *performer) {
    FR_ASSERT(performer != NULL);
    uint64_t hash = fr_fusion_hash(performer->fusion);
    for (uint32_t i = 0; i < performer->task_count; i++) {
        hash = fr__task_hash(hash, performer->tasks[i]);
    }
    if (!performer->is_walking) { return hash; }
    fr_walk_view walk = fr_walk_get(performer->walk);
    const double numbers[6] = {walk.place.x, walk.place.y, walk.place.z, walk.heading, walk.length, walk.frame};
    return fr_hash(numbers, sizeof numbers, fr_hash(&walk.frame_count, sizeof walk.frame_count, hash));
}

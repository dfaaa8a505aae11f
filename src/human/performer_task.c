// The memory of a performer's tasks: what their fields point to is copied into one block.
#include "human/performer_task.h"

#include "human/skill.h"

#include <string.h>

void fr__task_free(const fr_allocator *allocator, fr__task *one) {
    if (one == NULL) { return; }
    if ((one->given.fields.given & FR_FIELD_CLIP) != 0) { fr_clip_release(one->given.fields.clip); }
    fr_deallocate(allocator, one, 1, one->bytes);
}

// Hands out the parts of a block, one after another, each aligned as its kind needs.
typedef struct task_memory {
    char *memory; // NULL: only counts
    size_t used;
} task_memory;

static void *take(task_memory *from, size_t count, size_t size) {
    void *part = from->memory == NULL ? NULL : from->memory + from->used;
    from->used += (count * size + 31) / 32 * 32;
    return part;
}

static bool has(const fr_skill_fields *fields, uint32_t field) { return (fields->given & field) != 0; }

// Lays a task out in its block.
static fr__task *lay_out(const fr_task *given, uint32_t links, task_memory *from) {
    const fr_skill_fields *fields = &given->fields;
    fr__task *one = take(from, 1, sizeof *one);
    fr__task counted;
    fr__task *t = one != NULL ? one : &counted;
    t->state.bytes = take(from, 1, given->skill->state_bytes);
    t->state.turns = take(from, (size_t)given->skill->state_turns * links, sizeof(fr_quat));
    t->posture.turns = take(from, links, sizeof(fr_quat));
    t->weights = take(from, links + 1, sizeof(double));
    t->goal.turns = has(fields, FR_FIELD_POSTURE) ? take(from, links, sizeof(fr_quat)) : NULL;
    t->given.fields.weights = has(fields, FR_FIELD_WEIGHTS) ? take(from, links + 1, sizeof(double)) : NULL;
    t->given.fields.poses = has(fields, FR_FIELD_POSES) ? take(from, fields->pose_count, sizeof(fr_pose)) : NULL;
    return one;
}

static fr_status check_pose(const fr_skill *skill, const char *field, fr_pose *pose, fr_error *error) {
    fr_error inner = {0};
    fr_status status = fr_pose_check(pose, &inner);
    if (status == FR_OK) { return FR_OK; }
    return fr_error_set(error, status, "the %s of %s: %s", field, skill->name, inner.message);
}

// Copies what the fields point to, and makes poses and turns unit.
static fr_status copy_fields(const fr_skeleton *skeleton, const fr_task *given, fr__task *to, fr_error *error) {
    uint32_t links = fr_skeleton_get(skeleton)->link_count;
    fr_pose *poses = (fr_pose *)(uintptr_t)to->given.fields.poses;
    double *weights = (double *)(uintptr_t)to->given.fields.weights;
    to->given = *given;
    fr_skill_fields *fields = &to->given.fields;
    fields->clip = has(fields, FR_FIELD_CLIP) ? fr_clip_retain(fields->clip) : NULL;
    fr_status status = FR_OK;
    if (weights != NULL) { memcpy(weights, fields->weights, (links + 1) * sizeof *weights); }
    fields->weights = weights;
    if (poses != NULL) { memcpy(poses, fields->poses, fields->pose_count * sizeof *poses); }
    fields->poses = poses;
    for (uint32_t i = 0; poses != NULL && status == FR_OK && i < fields->pose_count; i++) {
        status = check_pose(given->skill, "poses", &poses[i], error);
    }
    if (has(fields, FR_FIELD_POSTURE)) {
        to->goal.count = links;
        (void)fr_posture_copy(fields->posture, &to->goal, NULL);
        fields->posture = &to->goal;
        if (status == FR_OK) { status = fr_posture_check(skeleton, &to->goal, error); }
    }
    if (status == FR_OK && has(fields, FR_FIELD_TARGET)) {
        status = check_pose(given->skill, "target", &fields->target, error);
    }
    if (status == FR_OK && has(fields, FR_FIELD_GOAL)) {
        status = check_pose(given->skill, "goal", &fields->goal, error);
    }
    to->target = has(fields, FR_FIELD_TARGET) ? fields->target : fr_pose_identity();
    return status;
}

fr_status fr__task_make(const fr_skeleton *skeleton, const fr_allocator *allocator, const fr_task *given,
                        fr__task **out, fr_error *error) {
    *out = NULL;
    if (given->skill == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "task %llu has no skill", (unsigned long long)given->id);
    }
    uint32_t links = fr_skeleton_get(skeleton)->link_count;
    fr_status status = fr__skill_check_fields(given->skill, &given->fields, links, error);
    if (status != FR_OK) { return status; }
    task_memory counter = {NULL, 0};
    (void)lay_out(given, links, &counter);
    task_memory memory = {fr_allocate(allocator, 1, counter.used, 32), 0};
    if (memory.memory == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a task"); }
    memset(memory.memory, 0, counter.used);
    fr__task *one = lay_out(given, links, &memory);
    one->bytes = memory.used;
    one->posture.count = links;
    one->wait = given->start;
    status = copy_fields(skeleton, given, one, error);
    if (status != FR_OK) {
        fr__task_free(allocator, one);
        return status;
    }
    *out = one;
    return FR_OK;
}

uint64_t fr__task_hash(uint64_t hash, const fr__task *one) {
    const uint64_t numbers[6] = {one->given.id, one->motion, one->wait, one->frame, one->frames, one->has_begun};
    size_t links = one->posture.count;
    hash = fr_hash(numbers, sizeof numbers, hash);
    hash = fr_hash(one->given.skill->name, strlen(one->given.skill->name), hash);
    hash = fr_hash(one->state.bytes, one->given.skill->state_bytes, hash);
    hash = fr_hash(one->state.turns, one->given.skill->state_turns * links * sizeof(fr_quat), hash);
    hash = fr_hash(one->posture.turns, links * sizeof(fr_quat), hash);
    hash = fr_hash(one->weights, (links + 1) * sizeof(double), hash);
    const fr_vec3 places[2] = {one->posture.place, one->target.position};
    return fr_hash(places, sizeof places, hash);
}

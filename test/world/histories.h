// Random histories of a world: everything that changes it, in any order.
#ifndef FUREAI_TEST_WORLD_HISTORIES_H
#define FUREAI_TEST_WORLD_HISTORIES_H

#include "worlds.h"

#include "fureai/world_state.h"

#include <stdio.h>

#define HISTORY_MESHES 3

typedef struct history {
    fr_world *world;
    fr_mesh *meshes[HISTORY_MESHES];
    fr_random random;
    uint32_t proposals; // counts calls of the mover
} history;

static inline uint32_t history_below(history *h, uint32_t count) {
    return (uint32_t)fr_random_below(&h->random, count);
}

static inline double history_between(history *h, double low, double high) {
    return fr_random_between(&h->random, low, high);
}

// One number after another: the order of a call's arguments is the compiler's.
static inline fr_vec3 history_vector(history *h, double reach) {
    double x = history_between(h, -reach, reach), y = history_between(h, -reach, reach);
    return fr_vec3_make(x, y, history_between(h, -reach, reach));
}

static inline fr_pose history_pose(history *h) {
    fr_vec3 axis = history_vector(h, 1.0);
    fr_vec3 position = history_vector(h, 2.0);
    return fr_pose_make(position, fr_quat_from_axis_angle(axis, history_between(h, -3, 3)));
}

static inline fr_object_id history_any(history *h) {
    fr_object_id none = {0, 0, 0};
    uint32_t places = fr_space_object_places(fr_world_space(h->world));
    for (int i = 0; i < 8 && places > 0; i++) {
        fr_object_id id = fr_space_object_at(fr_world_space(h->world), history_below(h, places));
        if (id.index1 != 0) { return id; }
    }
    return none;
}

// Moves some objects somehow; what it wishes depends on the number of its calls alone.
static inline fr_status history_propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    history *h = user;
    fr_random random = fr_random_seed(1000 + h->proposals++);
    uint32_t places = fr_space_object_places(proposal->space);
    for (uint32_t i = 0; i < places; i++) {
        fr_object_id id = fr_space_object_at(proposal->space, i);
        const fr_object_view *view = fr_object_get(proposal->space, id);
        if (view == NULL || fr_random_below(&random, 2) == 0) { continue; }
        fr_wish wish = {.object = id, .kind = (fr_wish_kind)fr_random_below(&random, 4), .pose = view->pose};
        double x = fr_random_between(&random, -0.25, 0.25), y = fr_random_between(&random, -0.25, 0.25);
        fr_vec3 travel = fr_vec3_make(x, y, 0);
        wish.pose.position = fr_vec3_add(wish.pose.position, travel);
        wish.motion = fr_motion_between(&view->pose, &wish.pose, view->pivot_local);
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

// Every third one is of a world that senses its steps, which takes longer: its bodies have fewer faces. Every other one
// follows its faces.
static inline fr_status history_open(history *h, uint64_t seed, const fr_allocator *allocator) {
    static const char *const names[][HISTORY_MESHES] = {{"box", "sphere_48", "torus"}, {"box", "sphere_24", "box"}};
    bool is_continuous = seed % 3 == 2;
    memset(h, 0, sizeof *h);
    h->random = fr_random_seed(seed);
    fr_world_def def = fr_default_world_def();
    if (allocator != NULL) { def.allocator = *allocator; }
    def.sense = is_continuous ? FR_SENSE_CONTINUOUS : FR_SENSE_STATIC;
    def.want = seed % 2 == 1 ? FR_WANT_INTERVALS : FR_WANT_CONTACTS;
    fr_status status = fr_world_create(&def, &h->world, NULL);
    if (status != FR_OK) { return status; }
    for (int i = 0; i < HISTORY_MESHES; i++) {
        h->meshes[i] = world_mesh(names[is_continuous][i]);
    }
    fr_corrector mover = {"history", history_propose, h};
    return fr_world_add_mover(h->world, &mover, NULL);
}

static inline void history_close(history *h) {
    fr_world_destroy(h->world);
    for (int i = 0; i < HISTORY_MESHES; i++) {
        fr_mesh_release(h->meshes[i]);
    }
}

static inline fr_status history_add(history *h) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(h->meshes[history_below(h, HISTORY_MESHES)], &part);
    def.pose = history_pose(h);
    if (history_below(h, 8) == 0) { def.flags = FR_OBJECT_STATIC; }
    fr_object_id id;
    return fr_object_add(fr_world_space(h->world), &def, &id, NULL);
}

static inline fr_status history_join(history *h, fr_object_id id) {
    fr_joint joint;
    memset(&joint, 0, sizeof joint);
    joint.kind = (fr_joint_kind)history_below(h, 5);
    joint.child = id;
    if (history_below(h, 3) > 0) { joint.parent = history_any(h); }
    joint.frame_parent = history_pose(h);
    joint.frame_child = history_pose(h);
    joint.low = history_between(h, -2, 0);
    joint.high = history_below(h, 2) == 0 ? INFINITY : 1.0;
    joint.pitch = history_between(h, -1, 1);
    fr_joint_id made;
    fr_status status = fr_joint_add(fr_world_space(h->world), &joint, &made, NULL);
    return status == FR_ERROR_ARGUMENT ? FR_OK : status; // on another joint already, or its own ancestor
}

static inline fr_status history_tick(history *h, const fr_tasks *tasks) {
    fr_tick_input input = fr_default_tick_input();
    input.tasks = tasks;
    input.is_paused = history_below(h, 6) == 0;
    return fr_world_tick(h->world, &input, NULL);
}

// Makes one change of the world. FR_OK, or FR_ERROR_MEMORY.
static inline fr_status history_step(history *h, const fr_tasks *tasks) {
    fr_object_id id = history_any(h);
    uint32_t what = history_below(h, 12);
    if (id.index1 == 0 || what == 0) { return history_add(h); }
    fr_pose pose = history_pose(h);
    char name[16];
    snprintf(name, sizeof name, "name %u", history_below(h, 4));
    fr_label label = {name, {(uint8_t)what, 2, 3, 255}};
    fr_object_id all = {0, 0, 0};
    fr_status status = FR_OK;
    switch (what) {
    case 1:
        if (history_below(h, 3) == 0) { status = fr_object_remove(fr_world_space(h->world), id, NULL); }
        break;
    case 2: status = fr_world_set_label(h->world, id, &label, NULL); break;
    case 3:
        if (!fr_is_unknown(fr_world_state(h->world, id, name)) && history_below(h, 3) == 0) {
            status = fr_world_remove_state(h->world, id, name, NULL);
        } else {
            status = fr_world_set_state(h->world, id, name, history_below(h, 3), NULL);
        }
        break;
    case 4: status = history_join(h, id); break;
    case 5: status = fr_world_let_go(h->world, id, NULL); break;
    case 6: status = fr_world_resume(h->world, history_below(h, 4) == 0 ? all : id, NULL); break;
    case 7: status = fr_object_set_pose(fr_world_space(h->world), id, &pose, NULL); break;
    case 8: status = history_below(h, 8) == 0 ? fr_world_set_tick(h->world, history_below(h, 9), NULL) : FR_OK; break;
    case 9: status = fr_world_drag(h->world, id, &pose, NULL); return status == FR_ERROR_UNSUPPORTED ? FR_OK : status;
    default: status = history_tick(h, tasks); break;
    }
    return status;
}

#endif

// Worlds that the tests of the room share.
#ifndef FUREAI_TEST_WORLD_WORLDS_H
#define FUREAI_TEST_WORLD_WORLDS_H

#include "mesh_object.h"

#include "fureai/world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static inline fr_world *world_open(const fr_allocator *allocator) {
    fr_world_def def = fr_default_world_def();
    if (allocator != NULL) { def.allocator = *allocator; }
    fr_world *world = NULL;
    assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
    return world;
}

static inline fr_mesh *world_mesh(const char *name) {
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create_named(name, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

// Adds an object of one part; the mesh stays the caller's.
static inline fr_object_id world_add(fr_world *world, const fr_mesh *mesh, double x, double y, double z) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose.position = fr_vec3_make(x, y, z);
    fr_object_id id;
    assert_int_equal(fr_object_add(fr_world_space(world), &def, &id, NULL), FR_OK);
    return id;
}

// A world of one object, where memory may run out. The world is to be destroyed whatever the status.
static inline fr_status world_try(const fr_allocator *allocator, const fr_mesh *mesh, fr_world **out,
                                  fr_object_id *id) {
    fr_world_def def = fr_default_world_def();
    def.allocator = *allocator;
    *out = NULL;
    fr_status status = fr_world_create(&def, out, NULL);
    fr_part_def part;
    fr_object_def object = test_mesh_object(mesh, &part);
    return status == FR_OK ? fr_object_add(fr_world_space(*out), &object, id, NULL) : status;
}

static inline fr_pose pose_at(double x, double y, double z) {
    return fr_pose_make(fr_vec3_make(x, y, z), fr_quat_identity());
}

static inline void world_tick(fr_world *world) {
    fr_error error = {0};
    if (fr_world_tick(world, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
}

static inline void world_tick_paused(fr_world *world) {
    fr_tick_input input = fr_default_tick_input();
    input.is_paused = true;
    assert_int_equal(fr_world_tick(world, &input, NULL), FR_OK);
}

static inline fr_pose world_pose(fr_world *world, fr_object_id id) {
    const fr_object_view *view = fr_object_get(fr_world_space(world), id);
    assert_non_null(view);
    return view->pose;
}

// How many events of a kind the newest snapshot tells, and the last of them.
static inline size_t world_events(fr_world *world, fr_event_kind kind, fr_event *last) {
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    assert_non_null(snapshot);
    size_t count = 0;
    for (size_t i = 0; i < snapshot->event_count; i++) {
        if (snapshot->events[i].kind != kind) { continue; }
        count++;
        if (last != NULL) { *last = snapshot->events[i]; }
    }
    fr_snapshot_release(snapshot);
    return count;
}

static inline uint64_t world_hash(fr_world *world) {
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    assert_non_null(snapshot);
    uint64_t hash = fr_snapshot_hash(snapshot);
    fr_snapshot_release(snapshot);
    return hash;
}

// A mover that moves one object by `travel` every tick.
typedef struct shift {
    fr_object_id object;
    fr_vec3 travel;
    fr_wish_kind kind;
    fr_status fails; // what it returns in the end
    uint32_t calls;
} shift;

static inline fr_status shift_propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    shift *s = user;
    s->calls++;
    fr_wish wish = {.object = s->object, .kind = s->kind};
    const fr_object_view *view = fr_object_get(proposal->space, s->object);
    if (view == NULL) { return FR_OK; }
    wish.pose = view->pose;
    wish.pose.position = fr_vec3_add(wish.pose.position, s->travel);
    wish.motion = fr_motion_between(&view->pose, &wish.pose, view->pivot_local);
    fr_status status = fr_wishes_add(wishes, &wish, error);
    return status == FR_OK ? s->fails : status;
}

static inline void world_shift(fr_world *world, shift *s) {
    fr_corrector mover = {"shift", shift_propose, s};
    assert_int_equal(fr_world_add_mover(world, &mover, NULL), FR_OK);
}

#endif

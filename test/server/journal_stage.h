// The scenes of provider.h, to which balls can be added, with an actor that takes commands.
#ifndef FUREAI_TEST_SERVER_JOURNAL_STAGE_H
#define FUREAI_TEST_SERVER_JOURNAL_STAGE_H

#include "provider.h"

#include <pthread.h>
#include <stdatomic.h>

static struct {
    fr_world *world;
    fr_mesh *mesh;
    fr_command_end ends[64];
    uint32_t end_count;
    uint64_t tickets[64];
    char commands[64][64]; // "NAME OBJECT PERSON"
    atomic_uint command_count;
} stage;

static inline fr_status stage_add(const fr_scene_addition *addition, void *user, fr_error *error) {
    (void)user;
    if (strcmp(addition->class_name, "ball") != 0) { return fr_error_set(error, FR_ERROR_FILE, "no such class"); }
    fr_object_id id = test_scene_add(stage.world, addition->name, stage.mesh, addition->pose, 0);
    return id.index1 != 0 ? FR_OK : FR_ERROR_MEMORY;
}

static inline fr_status stage_remove(fr_object_id object, void *user, fr_error *error) {
    (void)user;
    return fr_object_remove(fr_world_space(stage.world), object, error);
}

// Hangs an object on `left`, or on an object without a name.
static inline fr_status stage_hang(fr_object_id child, bool has_name, fr_error *error) {
    fr_space *space = fr_world_space(stage.world);
    fr_joint joint = {
        .kind = FR_JOINT_FIXED, .child = child, .frame_parent = fr_pose_identity(), .frame_child = fr_pose_identity()};
    joint.parent = has_name ? fr_world_find(stage.world, "left")
                            : test_scene_add(stage.world, "", stage.mesh, fr_pose_identity(), 0);
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        fr_joint_id id = fr_space_joint_at(space, i);
        if (fr_joint_get(space, id) != NULL) { return fr_joint_set(space, id, &joint, error); }
    }
    fr_joint_id id;
    return fr_joint_add(space, &joint, &id, error);
}

static inline fr_status stage_command(const fr_command *command, void *user, fr_error *error) {
    (void)user;
    if (strcmp(command->name, "never") == 0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "never"); }
    bool is_hung = strcmp(command->name, "hang") == 0, is_loose = strcmp(command->name, "hang loose") == 0;
    if (is_hung || is_loose) {
        fr_status status = stage_hang(command->object, is_hung, error);
        if (status != FR_OK) { return status; }
    }
    uint32_t at = stage.command_count;
    snprintf(stage.commands[at], sizeof stage.commands[at], "%s %s %s", command->name,
             command->object.index1 != 0 ? fr_world_label(stage.world, command->object).name : "-", command->person);
    stage.tickets[at] = command->ticket;
    atomic_store(&stage.command_count, at + 1);
    if (strcmp(command->name, "short") == 0 || is_hung || is_loose) {
        stage.ends[stage.end_count++] = (fr_command_end){.ticket = command->ticket};
    }
    return FR_OK;
}

static inline bool stage_ended(fr_command_end *out, void *user) {
    (void)user;
    if (stage.end_count == 0) { return false; }
    *out = stage.ends[--stage.end_count];
    return true;
}

// What the server's thread saw of the scene before its last tick, for the test's thread.
static struct {
    pthread_mutex_t lock;
    uint64_t looks;
    bool has_new; // an object of that name
    fr_hold hold; // of `right`
    fr_vec3 place;
    double open;
} stage_seen = {.lock = PTHREAD_MUTEX_INITIALIZER};

static inline fr_status stage_look(void *user, fr_error *error) {
    (void)user;
    (void)error;
    fr_object_id right = fr_world_find(stage.world, "right");
    const fr_object_view *view = fr_object_get(fr_world_space(stage.world), right);
    pthread_mutex_lock(&stage_seen.lock);
    stage_seen.looks++;
    stage_seen.has_new = fr_world_find(stage.world, "new").index1 != 0;
    if (view != NULL) {
        stage_seen.hold = fr_world_hold(stage.world, right);
        stage_seen.place = view->pose.position;
        stage_seen.open = fr_world_state(stage.world, right, "open");
    }
    pthread_mutex_unlock(&stage_seen.lock);
    return FR_OK;
}

static inline fr_status stage_open(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    fr_status status = test_scene_open(name, out, user, error);
    if (status != FR_OK) { return status; }
    stage.world = out->world;
    stage.end_count = 0;
    atomic_store(&stage.command_count, 0);
    fr_cast_def def = fr_default_cast_def();
    def.world = out->world;
    assert_int_equal(fr_cast_create(&def, &out->cast, error), FR_OK);
    const fr_actor actor = {.name = "stage", .prepare = stage_look, .command = stage_command, .ended = stage_ended};
    assert_int_equal(fr_cast_add(out->cast, &actor, error), FR_OK);
    out->stock = (fr_scene_stock){.add = stage_add, .remove = stage_remove};
    return FR_OK;
}

static inline void stage_close(fr_served_scene *scene, void *user) {
    fr_cast_destroy(scene->cast);
    test_scene_close(scene, user);
}

static inline fr_server_def stage_def(const fr_journal *journal) {
    fr_server_def def = test_server_def("pair");
    def.provider.open = stage_open;
    def.provider.close = stage_close;
    def.journal = journal;
    def.is_paused = true;
    return def;
}

#endif

// The scenes of provider.h, to which balls can be added, with an actor that takes commands.
#ifndef FUREAI_TEST_SERVER_JOURNAL_STAGE_H
#define FUREAI_TEST_SERVER_JOURNAL_STAGE_H

#include "provider.h"

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

static inline fr_status stage_command(const fr_command *command, void *user, fr_error *error) {
    (void)user;
    if (strcmp(command->name, "never") == 0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "never"); }
    uint32_t at = stage.command_count;
    snprintf(stage.commands[at], sizeof stage.commands[at], "%s %s %s", command->name,
             command->object.index1 != 0 ? fr_world_label(stage.world, command->object).name : "-", command->person);
    stage.tickets[at] = command->ticket;
    atomic_store(&stage.command_count, at + 1);
    if (strcmp(command->name, "short") == 0) {
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

static inline fr_status stage_open(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    fr_status status = test_scene_open(name, out, user, error);
    if (status != FR_OK) { return status; }
    stage.world = out->world;
    stage.end_count = 0;
    atomic_store(&stage.command_count, 0);
    fr_cast_def def = fr_default_cast_def();
    def.world = out->world;
    assert_int_equal(fr_cast_create(&def, &out->cast, error), FR_OK);
    const fr_actor actor = {.name = "stage", .command = stage_command, .ended = stage_ended};
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

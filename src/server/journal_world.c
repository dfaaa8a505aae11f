// The world of a server whole: made as its journal has it, and written to it.
#include "server/server.h"

#include "fureai/base_order.h"

#include <stdio.h>
#include <string.h>

enum { RECORDS_TO_RENEW = 50000 }; // since the world was last written whole

// ---------------------------------------------------------------------------------------------------------------
// What is noted of which objects

typedef struct named_place {
    const char *name;
    fr_object_id id;
} named_place;

FR_ARRAY_TYPE(named_place_array, named_place);

static bool named_is_before(const named_place *a, const named_place *b) {
    int order = strcmp(a->name, b->name);
    return order != 0 ? order < 0 : a->id.index1 < b->id.index1;
}

FR_SORT_TYPE(sort_named, named_place, named_is_before);

void fr__journal_remember_states(fr_server *server, fr_object_id id) {
    const fr_world *world = server->served.world;
    for (uint32_t i = 0; i < fr_world_state_count(world, id); i++) {
        fr__journal_known *known = fr__journal_known_array_push(&server->journal.known, 1);
        if (known == NULL) { return; }
        const char *name = fr_world_state_name(world, id, i);
        *known = (fr__journal_known){.object = id, .value = fr_world_state(world, id, name)};
        snprintf(known->name, sizeof known->name, "%s", name);
    }
}

// From now on changes are noted: of each name the first object, as it is now. False: there is no memory.
static bool remember(fr_server *server) {
    fr__journaling *journal = &server->journal;
    const fr_snapshot *snapshot = server->snapshot;
    named_place_array names = named_place_array_make(&server->allocator);
    journal->seen.count = journal->known.count = 0;
    size_t places = fr_space_object_places(fr_world_space(server->served.world));
    fr__journal_seen *seen = fr__journal_seen_array_push(&journal->seen, places);
    named_place *entry = named_place_array_push(&names, snapshot->object_count);
    bool is_good = seen != NULL && entry != NULL;
    if (is_good) { memset(seen, 0, places * sizeof *seen); }
    size_t count = 0;
    for (size_t i = 0; i < snapshot->object_count && is_good; i++) {
        fr_object_id id = snapshot->objects[i].id;
        const char *name = fr_world_label(server->served.world, id).name;
        if (fr__store_has_place(name)) { entry[count++] = (named_place){name, id}; }
    }
    if (is_good) { sort_named(entry, count); }
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && strcmp(entry[i].name, entry[i - 1].name) == 0) { continue; }
        seen[entry[i].id.index1 - 1].object = entry[i].id;
        fr__journal_remember_states(server, entry[i].id);
    }
    if (is_good) { fr__journal_see_joints(server); }
    uint64_t now = fr_clock_ns();
    for (size_t i = 0; i < snapshot->object_count && is_good; i++) {
        const fr_snapshot_object *object = &snapshot->objects[i];
        fr__journal_seen *at = &seen[object->id.index1 - 1];
        at->pose = at->newest = object->pose;
        at->bones_hash = at->newest_hash =
            object->bone_count > 0 ? fr_hash(object->bones, object->bone_count * sizeof *object->bones, 1) : 0;
        at->joint_hash = at->newest_joint_hash;
        at->is_placed = object->hold != FR_HOLD_FREE;
        // Spread over a second, so that not all of them are written with one tick.
        at->noted_ns = now + (uint64_t)(i % 8) * UINT64_C(125000000);
    }
    named_place_array_destroy(&names);
    return is_good;
}

// ---------------------------------------------------------------------------------------------------------------
// Writing it whole

static const fr__journal_added *added_of(const fr__journaling *journal, fr_object_id id) {
    for (size_t i = 0; i < journal->added.count; i++) {
        if (fr_object_id_equal(journal->added.data[i].object, id)) { return &journal->added.data[i]; }
    }
    return NULL;
}

// Forgets those that are not there any more.
static void sweep_added(fr_server *server) {
    fr__journal_added_array *added = &server->journal.added;
    size_t kept = 0;
    for (size_t i = 0; i < added->count; i++) {
        const fr_object_view *view = fr_object_get(fr_world_space(server->served.world), added->data[i].object);
        if (view != NULL) { added->data[kept++] = added->data[i]; }
    }
    added->count = kept;
}

uint32_t fr__journal_list_states(const fr_server *server, fr_object_id id, fr__store_state *out) {
    const fr_world *world = server->served.world;
    uint32_t count = fr_world_state_count(world, id);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = fr_world_state_name(world, id, i);
        out[i] = (fr__store_state){name, fr_world_state(world, id, name)};
    }
    return count;
}

static void note_object(fr_server *server, const fr_snapshot_object *object) {
    fr__journaling *journal = &server->journal;
    const fr_world *world = server->served.world;
    fr__store_state states[FR_WORLD_MAX_STATES];
    uint32_t count = fr__journal_list_states(server, object->id, states);
    fr__store store = {.states = {.data = states, .count = count},
                       .bones = {.data = (fr_pose *)(uintptr_t)object->bones, .count = object->bone_count}};
    fr__store_object noted = {.name = fr_world_label(world, object->id).name,
                              .pose = object->pose,
                              .is_placed = object->hold != FR_HOLD_FREE,
                              .state_count = count,
                              .has_all_states = true,
                              .bone_count = object->bone_count};
    fr__store_joint joint;
    fr__journal_seen *seen = &journal->seen.data[object->id.index1 - 1];
    fr__journal_fill_joint(server, seen, &store, &joint, &noted);
    seen->was_known = noted.has_joint != FR__JOINT_UNKNOWN;
    const fr__journal_added *added = added_of(journal, object->id);
    if (added != NULL) {
        noted.class_name = added->class_name;
        noted.added = added->pose;
    }
    fr__journal_note(server, FR_JOURNAL_OBJECT, noted.name, "",
                     fr__journal_write_object(&store, &noted, &journal->body));
}

// Static objects have states, too.
static bool is_worth_noting(const fr_server *server, const fr_snapshot_object *object) {
    bool is_fixed = (object->flags & (FR_OBJECT_STATIC | FR_OBJECT_REAL)) != 0;
    return fr__journal_name(server, object->id) != NULL &&
           (!is_fixed || fr_world_state_count(server->served.world, object->id) > 0 ||
            added_of(&server->journal, object->id) != NULL);
}

static void note_held(fr_server *server) {
    for (size_t i = 0; i < server->leases.list.count; i++) {
        const fr__lease *lease = &server->leases.list.data[i];
        const fr__client *owner = fr__server_client(server, lease->client);
        if (owner != NULL) { fr__journal_note_lease(server, lease->object, owner); }
    }
}

static void note_doing(fr_server *server) {
    fr__journaling *journal = &server->journal;
    for (size_t i = 0; i < journal->doing.count; i++) {
        const fr__journal_doing *doing = &journal->doing.data[i];
        void *body = fr_array_push(&journal->body, doing->body_bytes);
        if (body != NULL) { memcpy(body, doing->body, doing->body_bytes); }
        fr__journal_note(server, FR_JOURNAL_COMMAND, "", "", body != NULL);
    }
}

// The world of a scene that was open before.
static void note_world(fr_server *server, const fr__journal_world *world) {
    fr__journaling *journal = &server->journal;
    fr__store store;
    fr_status status =
        fr__store_read(world->text, world->text_bytes, journal->table.name, &server->allocator, &store, NULL);
    size_t first = journal->pending.count;
    fr__journal_note(server, FR_JOURNAL_SCENE, "", "",
                     status == FR_OK && fr__journal_write_scene(world->scene, &journal->body));
    if (status != FR_OK) { return; }
    for (size_t i = 0; i < store.objects.count && !journal->has_failed; i++) {
        const fr__store_object *object = &store.objects.data[i];
        fr__journal_note(server, FR_JOURNAL_OBJECT, object->name, "",
                         fr__journal_write_object(&store, object, &journal->body));
    }
    for (size_t i = first; i < journal->pending.count; i++) {
        journal->pending.data[i].tick = store.tick;
    }
    fr__store_free(&store);
}

static void note_worlds(fr_server *server) {
    fr__journaling *journal = &server->journal;
    fr__journal_note(server, FR_JOURNAL_WORLDS, "", "", fr__journal_write_empty(&journal->body));
    for (size_t i = 0; i < journal->worlds.count && !journal->has_failed; i++) {
        if (strcmp(journal->worlds.data[i].scene, server->scene) != 0) { note_world(server, &journal->worlds.data[i]); }
    }
}

// Notes the world whole, and before it, with `is_all`, those of all other scenes.
static void note_whole(fr_server *server, bool is_all) {
    fr__journaling *journal = &server->journal;
    if (!journal->is_on || server->snapshot == NULL) { return; }
    // What was noted and not handed over is part of the whole; after a failure the journal takes a batch that
    // begins with the worlds of all scenes.
    journal->pending.count = 0;
    fr_arena_reset(journal->texts);
    journal->body.count = 0;
    sweep_added(server);
    bool has_failed = journal->has_failed;
    journal->has_failed = false;
    // What was lost may have been about another scene.
    bool has_worlds = is_all || has_failed;
    if (has_worlds) { note_worlds(server); }
    if (journal->has_failed) { return; }
    bool is_good = remember(server);
    fr__journal_note(server, FR_JOURNAL_SCENE, "", "",
                     is_good && fr__journal_write_scene(server->scene, &journal->body));
    for (size_t i = 0; i < server->snapshot->object_count && !journal->has_failed; i++) {
        const fr_snapshot_object *object = &server->snapshot->objects[i];
        if (is_worth_noting(server, object)) { note_object(server, object); }
    }
    if (!journal->has_failed) { note_held(server); }
    if (!journal->has_failed) { note_doing(server); }
    if (journal->has_failed) { return; }
    // One time for all of it: a cut takes it whole or leaves it.
    for (size_t i = 0; i < journal->pending.count; i++) {
        journal->pending.data[i].time_ms = journal->time_ms;
    }
    if (has_worlds) { journal->worlds_number = journal->number; }
    journal->has_failed = has_failed;
    journal->whole = has_failed ? journal->number : 0;
}

void fr__journal_note_whole(fr_server *server) { note_whole(server, false); }

void fr__journal_renew(fr_server *server) {
    fr__journaling *journal = &server->journal;
    if (!journal->is_on) { return; }
    bool is_again = journal->has_failed && journal->whole == 0 && fr_clock_ns() >= journal->retry_ns;
    bool is_long = !journal->has_failed && journal->number - journal->worlds_number > RECORDS_TO_RENEW;
    if (is_again || is_long) { note_whole(server, true); }
}

// ---------------------------------------------------------------------------------------------------------------
// Other scenes

static fr__journal_world *find_world(fr__journaling *journal, const char *scene) {
    for (size_t i = 0; i < journal->worlds.count; i++) {
        if (strcmp(journal->worlds.data[i].scene, scene) == 0) { return &journal->worlds.data[i]; }
    }
    return NULL;
}

void fr__journal_forget_worlds(fr_server *server) {
    fr__journal_world_array *worlds = &server->journal.worlds;
    for (size_t i = 0; i < worlds->count; i++) {
        fr_deallocate(&server->allocator, worlds->data[i].text, worlds->data[i].text_bytes, 1);
    }
    worlds->count = 0;
}

// Keeps a world as text, in the place of what was kept of its scene. False: there is no memory.
static bool keep_world(fr_server *server, const fr__store *store) {
    fr__journaling *journal = &server->journal;
    fr_array text = fr_array_make(1, &server->allocator);
    fr__journal_world *world = find_world(journal, store->scene);
    bool is_good = (world != NULL || fr__journal_world_array_reserve_more(&journal->worlds, 1)) &&
                   strlen(store->scene) <= FR__JOURNAL_SCENE_BYTES && fr__store_write(store, &text);
    char *copy = is_good ? fr_allocate(&server->allocator, text.count, 1, 1) : NULL;
    if (copy != NULL) {
        memcpy(copy, text.data, text.count);
        if (world == NULL) {
            world = fr__journal_world_array_push(&journal->worlds, 1);
        } else {
            fr_deallocate(&server->allocator, world->text, world->text_bytes, 1);
        }
        world->text = copy;
        world->text_bytes = text.count;
        memcpy(world->scene, store->scene, strlen(store->scene) + 1);
    }
    fr_array_destroy(&text);
    return copy != NULL;
}

// The world that was noted whole just now.
static bool keep_noted(fr_server *server) {
    fr__journaling *journal = &server->journal;
    fr__store store = fr__store_make(&server->allocator);
    bool is_good = true;
    for (size_t i = 0; i < journal->pending.count && is_good; i++) {
        const fr_journal_record *record = &journal->pending.data[i];
        if (record->kind == FR_JOURNAL_SCENE) { store.objects.count = 0; }
        if (record->kind != FR_JOURNAL_OBJECT) { continue; }
        is_good = fr__store_read_object(record->body, strlen(record->body), journal->table.name, &store, NULL) == FR_OK;
    }
    store.scene = server->scene;
    store.tick = fr_world_tick_count(server->served.world);
    is_good = is_good && keep_world(server, &store);
    fr__store_free(&store);
    return is_good;
}

void fr__journal_leave(fr_server *server) {
    fr__journaling *journal = &server->journal;
    if (!fr__journal_is_noting(journal) || server->snapshot == NULL) { return; }
    fr__journal_forget_doing(server);
    note_whole(server, false);
    if (!journal->has_failed && !keep_noted(server)) {
        fr_log(FR_LOG_WARNING,
               "server: %s: no memory for the world of the scene '%s', which begins from its file again",
               journal->table.name, server->scene);
    }
    fr__journal_pump(server);
}

// ---------------------------------------------------------------------------------------------------------------
// Making it as it was

static fr_status take_record(const fr_journal_record *record, void *context, fr_error *error) {
    return fr__journal_state_take(context, record, error);
}

// Objects that were added, which the scene does not bring.
static void remember_added(fr_server *server, const fr__store *store) {
    for (size_t i = 0; i < store->objects.count; i++) {
        const fr__store_object *object = &store->objects.data[i];
        fr_object_id id = fr_world_find(server->served.world, object->name);
        if (object->class_name == NULL || id.index1 == 0) { continue; }
        fr__journal_added *place = fr__journal_added_array_push(&server->journal.added, 1);
        if (place == NULL) { return; }
        *place = (fr__journal_added){.object = id, .pose = object->added};
        snprintf(place->class_name, sizeof place->class_name, "%s", object->class_name);
    }
}

// Gives a command again that had not ended.
static void command_again(fr_server *server, const fr__journal_command *kept) {
    fr_command fused[FR_COMMAND_MAX_FUSED];
    fr_command command = kept->command;
    for (uint32_t i = 0; i <= command.fused_count; i++) {
        fr_object_id object = {0, 0, 0};
        if (kept->objects[i][0] != '\0') { object = fr_world_find(server->served.world, kept->objects[i]); }
        if (i == 0) {
            command.object = object;
        } else {
            fused[i - 1] = kept->command.fused[i - 1];
            fused[i - 1].object = object;
        }
    }
    command.fused = fused;
    // Of no client: the end is noted, and reported to none.
    command.ticket = (uint32_t)kept->id;
    fr_error error = {0};
    fr_status status =
        server->served.cast != NULL ? fr_cast_command(server->served.cast, &command, &error) : FR_ERROR_UNSUPPORTED;
    if (status == FR_OK) {
        fr__journal_note_command(server, &command, "");
    } else {
        fr_log(FR_LOG_WARNING, "server: %s: the command '%s' cannot be given again: %s", server->journal.table.name,
               command.name, error.message[0] != '\0' ? error.message : fr_status_text(status));
    }
}

fr_status fr__journal_return(fr_server *server, fr_error *error) {
    fr__journaling *journal = &server->journal;
    const fr__journal_world *world = journal->is_on ? find_world(journal, server->scene) : NULL;
    if (world == NULL) { return FR_OK; }
    fr__store store;
    fr_status status =
        fr__store_read(world->text, world->text_bytes, journal->table.name, &server->allocator, &store, error);
    if (status != FR_OK) { return status; }
    fr__server_restore(server, &store);
    status = fr__served_tick(server, true, error);
    if (status == FR_OK) { remember_added(server, &store); }
    fr__store_free(&store);
    return status;
}

static fr_status refuse_scene(const fr_server *server, const char *scene, fr_error *error) {
    fr_error_set(error, FR_ERROR_ARGUMENT, "it is of the scene '%.100s', which is not served", scene);
    fr_error_locate(error, server->journal.table.name, 0, 0);
    return FR_ERROR_ARGUMENT;
}

static fr_status make_again(fr_server *server, const fr__journal_state *state, fr_error *error) {
    fr__journaling *journal = &server->journal;
    if (!fr__server_has_scene(server, state->scene)) { return refuse_scene(server, state->scene, error); }
    fr__store store;
    fr_status status = fr__journal_state_store(state, &store, error);
    if (status != FR_OK) { return status; }
    status = fr__served_open(server, state->scene, error);
    if (status == FR_OK) {
        fr__server_restore(server, &store);
        status = fr__served_tick(server, true, error);
    }
    if (status == FR_OK) {
        remember_added(server, &store);
        journal->is_on = remember(server);
        // Of each it may have been noted what it hung on.
        for (size_t i = 0; i < journal->seen.count; i++) {
            journal->seen.data[i].has_hung = true;
        }
        for (size_t i = 0; i < store.objects.count && journal->is_on; i++) {
            const fr__store_object *object = &store.objects.data[i];
            if (object->has_joint == FR__JOINT_UNKNOWN) { continue; }
            fr_object_id id = fr_world_find(server->served.world, object->name);
            if (id.index1 != 0 && id.index1 <= journal->seen.count) {
                journal->seen.data[id.index1 - 1].was_known = true;
            }
        }
        if (!journal->is_on) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the journal"); }
    }
    fr__store_free(&store);
    return status;
}

fr_status fr__journal_open(fr_server *server, fr_error *error) {
    fr__journaling *journal = &server->journal;
    fr__journal_state state = fr__journal_state_make(journal->table.name, &server->allocator);
    fr_status status = journal->table.read(take_record, &state, journal->table.user, error);
    journal->number = journal->flushed = state.number;
    journal->time_ms = state.time_ms;
    journal->last_id = state.last_id;
    journal->worlds_number = state.worlds_number;
    // Before there were records of all worlds, a scene was not noted whole when it was left.
    bool is_old = state.worlds_number == 0;
    if (is_old) { fr__journal_state_forget_left(&state); }
    for (size_t i = 0; i < state.left.count && status == FR_OK; i++) {
        if (keep_world(server, &state.left.data[i].store)) { continue; }
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the worlds of a journal");
    }
    if (status == FR_OK && state.scene != NULL) { status = make_again(server, &state, error); }
    if (status == FR_OK && state.scene == NULL) {
        status = fr__served_open(server, server->def.provider.first, error);
        journal->is_on = status == FR_OK;
    }
    if (status == FR_OK && (is_old || state.scene == NULL)) { note_whole(server, true); }
    if (status == FR_OK) {
        fr__journal_note(server, FR_JOURNAL_START, "", "", fr__journal_write_start(&journal->body));
        for (size_t i = 0; i < state.commands.count; i++) {
            fr__journal_note(server, FR_JOURNAL_ENDED, "", "",
                             fr__journal_write_ended(state.commands.data[i].id, FR_ERROR_STOPPED,
                                                     "the server ended before it did", &journal->body));
            command_again(server, &state.commands.data[i]);
        }
        status = fr__journal_finish(server, error);
    }
    fr__journal_state_free(&state);
    return status;
}

// Between the world and its store.
#include "server/server.h"

#include "fureai/base_order.h"
#include "fureai/world_state.h"

#include <string.h>

#define STORE_NS UINT64_C(1000000000)

// ---------------------------------------------------------------------------------------------------------------
// Restoring

// An object of the world by its name.
typedef struct named {
    const char *name;
    fr_object_id id;
} named;

FR_ARRAY_TYPE(named_array, named);

static bool named_is_before(const named *a, const named *b) {
    int order = strcmp(a->name, b->name);
    return order != 0 ? order < 0 : a->id.index1 < b->id.index1;
}

static bool named_is_before_name(const named *entry, const char *name) { return strcmp(entry->name, name) < 0; }

FR_SORT_TYPE(sort_named, named, named_is_before);
FR_SEARCH_TYPE(find_named, named, const char *, named_is_before_name);

// For messages.
static const char *path_of(const fr_server *server) {
    return server->def.store_path != NULL ? server->def.store_path : server->journal.table.name;
}

static bool has_state(const fr__store *store, const fr__store_object *kept, const char *name) {
    for (size_t i = kept->first_state; i < kept->first_state + kept->state_count; i++) {
        if (strcmp(store->states.data[i].name, name) == 0) { return true; }
    }
    return false;
}

// States that were removed since the scene began.
static void remove_states(fr_world *world, const fr__store *store, const fr__store_object *kept, fr_object_id id) {
    for (uint32_t i = fr_world_state_count(world, id); kept->has_all_states && i-- > 0;) {
        char name[FR_WORLD_STATE_NAME_MAX_BYTES + 1];
        memcpy(name, fr_world_state_name(world, id, i), strlen(fr_world_state_name(world, id, i)) + 1);
        if (fr__store_has_place(name) && !has_state(store, kept, name)) {
            (void)fr_world_remove_state(world, id, name, NULL);
        }
    }
}

static void restore_object(fr_server *server, const fr__store *store, const fr__store_object *kept, fr_object_id id) {
    fr_world *world = server->served.world;
    const fr_object_view *view = fr_object_get(fr_world_space(world), id);
    bool is_fixed = view == NULL || (view->flags & (FR_OBJECT_STATIC | FR_OBJECT_REAL)) != 0;
    bool is_moved = !kept->is_unmoved && (view == NULL || memcmp(&view->pose, &kept->pose, sizeof kept->pose) != 0);
    if (is_fixed && is_moved) {
        fr_log(FR_LOG_WARNING, "server: %s: '%s' does not move any more", path_of(server), kept->name);
        return;
    }
    fr_status status =
        is_fixed || kept->is_unmoved ? FR_OK : fr_object_set_pose(fr_world_space(world), id, &kept->pose, NULL);
    if (status == FR_OK && kept->is_placed && !is_fixed) {
        status = fr_world_drag(world, id, &kept->pose, NULL);
        if (status == FR_OK) { status = fr_world_let_go(world, id, NULL); }
    }
    // Bones of another skin than the object has now are dropped; what moves them sets them again.
    if (status == FR_OK && kept->bone_count > 0 && kept->bone_count == view->bone_count) {
        const fr_pose *bones = store->bones.data + kept->first_bone;
        status = fr_object_set_bones(fr_world_space(world), id, bones, view->bone_count, NULL);
    }
    remove_states(world, store, kept, id);
    const fr__store_state *states = store->states.data;
    for (size_t i = kept->first_state; status == FR_OK && i < kept->first_state + kept->state_count; i++) {
        status = fr_world_set_state(world, id, states[i].name, states[i].value, NULL);
    }
    if (status != FR_OK) {
        fr_log(FR_LOG_WARNING, "server: %s: '%s' cannot be put back: %s", path_of(server), kept->name,
               fr_status_text(status));
    }
}

// The joint that an object hangs on; NULL: none.
static const fr_joint *joint_of(const fr_space *space, fr_object_id child, fr_joint_id *id) {
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        *id = fr_space_joint_at(space, i);
        const fr_joint *joint = fr_joint_get(space, *id);
        if (joint != NULL && fr_object_id_equal(joint->child, child)) { return joint; }
    }
    return NULL;
}

// Hangs an object on what it hung on, or on nothing.
static void restore_joint(fr_server *server, const fr__store *store, const fr__store_object *kept) {
    fr_space *space = fr_world_space(server->served.world);
    fr_object_id child = fr_world_find(server->served.world, kept->name);
    if (kept->has_joint == FR__JOINT_UNKNOWN || child.index1 == 0) { return; }
    fr_joint_id id;
    const fr_joint *now = joint_of(space, child, &id);
    if (kept->has_joint == FR__JOINT_NONE) {
        if (now != NULL) { (void)fr_joint_remove(space, id, NULL); }
        return;
    }
    const fr__store_joint *hung = &store->joints.data[kept->joint];
    fr_joint joint = hung->joint;
    joint.child = child;
    joint.parent = hung->parent != NULL ? fr_world_find(server->served.world, hung->parent) : (fr_object_id){0, 0, 0};
    bool is_lost = hung->parent != NULL && joint.parent.index1 == 0;
    fr_error error = {0};
    fr_status status = is_lost       ? fr_error_set(&error, FR_ERROR_ARGUMENT, "'%s' is not there", hung->parent)
                       : now != NULL ? fr_joint_set(space, id, &joint, &error)
                                     : fr_joint_add(space, &joint, &id, &error);
    if (status != FR_OK) {
        fr_log(FR_LOG_WARNING, "server: %s: '%s' cannot be hung where it was: %s", path_of(server), kept->name,
               error.message);
    }
}

// Adds what was added before.
static void restore_added(fr_server *server, const fr__store *store) {
    for (size_t i = 0; i < store->objects.count; i++) {
        const fr__store_object *kept = &store->objects.data[i];
        if (kept->class_name == NULL) { continue; }
        const fr_scene_addition addition = {kept->class_name, kept->name, kept->added, false};
        fr_error error = {0};
        if (fr__server_add(server, &addition, &error) != FR_OK) {
            fr_log(FR_LOG_WARNING, "server: %s: '%s' cannot be added again: %s", path_of(server), kept->name,
                   error.message);
        }
    }
}

void fr__server_restore(fr_server *server, const fr__store *store) {
    restore_added(server, store);
    fr_world *world = server->served.world;
    const fr_space *space = fr_world_space(world);
    named_array names = named_array_make(&server->allocator);
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        named *entry = id.index1 != 0 ? named_array_push(&names, 1) : NULL;
        if (entry != NULL) { *entry = (named){fr_world_label(world, id).name, id}; }
    }
    sort_named(names.data, names.count);
    const fr__store_object *objects = store->objects.data;
    for (size_t i = 0; i < store->objects.count; i++) {
        size_t at = find_named(names.data, names.count, objects[i].name);
        if (at == names.count || strcmp(names.data[at].name, objects[i].name) != 0) {
            fr_log(FR_LOG_WARNING, "server: %s: the scene has no '%s' any more", path_of(server), objects[i].name);
        } else {
            restore_object(server, store, &objects[i], names.data[at].id);
        }
    }
    named_array_destroy(&names);
    for (size_t i = 0; i < store->objects.count; i++) {
        restore_joint(server, store, &objects[i]);
    }
    (void)fr_world_set_tick(world, store->tick, NULL);
    fr_error error = {0};
    if (server->served.cast != NULL && fr_cast_resume(server->served.cast, &error) != FR_OK) {
        fr_log(FR_LOG_WARNING, "server: %s: %s", path_of(server), error.message);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Keeping

static bool store_states(fr_server *server, fr_object_id id, fr__store *store, fr__store_object *kept) {
    kept->first_state = store->states.count;
    const fr__published *published =
        id.index1 <= server->published.count ? server->published.data + (id.index1 - 1) : NULL;
    for (size_t i = 0; published != NULL && i < published->states.count; i++) {
        const char *name = published->states.data[i].text;
        double value = fr_world_state(server->served.world, id, name);
        if (value != value) { continue; }
        fr__store_state *place = fr__store_state_array_push(&store->states, 1);
        if (place == NULL) { return false; }
        *place = (fr__store_state){name, value};
        kept->state_count++;
    }
    kept->has_all_states = published != NULL && published->states.count > 0;
    return true;
}

static bool store_bones(const fr_snapshot_object *object, fr__store *store, fr__store_object *kept) {
    kept->first_bone = store->bones.count;
    kept->bone_count = object->bone_count;
    if (object->bone_count == 0) { return true; }
    fr_pose *bones = fr__store_bone_array_push(&store->bones, object->bone_count);
    if (bones != NULL) { memcpy(bones, object->bones, object->bone_count * sizeof *bones); }
    return bones != NULL;
}

// What moves, as it is now; texts are the world's.
static bool gather(fr_server *server, fr__store *store) {
    const fr_snapshot *snapshot = server->snapshot;
    store->scene = server->scene;
    store->tick = snapshot->tick;
    for (size_t i = 0; i < snapshot->object_count; i++) {
        const fr_snapshot_object *object = &snapshot->objects[i];
        if ((object->flags & (FR_OBJECT_STATIC | FR_OBJECT_REAL)) != 0) { continue; }
        fr__store_object kept = {.name = fr_world_label(server->served.world, object->id).name,
                                 .pose = object->pose,
                                 .is_placed = object->hold != FR_HOLD_FREE};
        if (!store_states(server, object->id, store, &kept) || !store_bones(object, store, &kept)) { return false; }
        fr__store_object *place = fr__store_object_array_push(&store->objects, 1);
        if (place == NULL) { return false; }
        *place = kept;
    }
    return true;
}

// The hash of what follows the first line, which holds the time: a world in which nothing moves is not written again.
static uint64_t hash_of(const fr_array *text) {
    const char *begin = text->data;
    const char *line_end = memchr(begin, '\n', text->count);
    size_t skipped = line_end != NULL ? (size_t)(line_end - begin) : 0;
    return fr_hash(begin + skipped, text->count - skipped, 1);
}

static fr_status keep(fr_server *server, bool always, fr_error *error) {
    fr__store store = fr__store_make(&server->allocator);
    fr_array text = fr_array_make(1, &server->allocator);
    fr_status status = FR_OK;
    if (!gather(server, &store) || !fr__store_write(&store, &text)) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory to write the store");
    }
    uint64_t hash = status == FR_OK ? hash_of(&text) : 0;
    bool is_new = hash != server->stored_hash || (always && server->snapshot->tick != server->stored_tick);
    if (status == FR_OK && is_new) {
        status = fr__store_save(server->def.store_path, text.data, text.count, server->def.file_ops, &server->allocator,
                                error);
        if (status == FR_OK) {
            server->stored_hash = hash;
            server->stored_tick = server->snapshot->tick;
        }
    }
    fr_array_destroy(&text);
    fr__store_free(&store);
    return status;
}

void fr__server_store(fr_server *server, uint64_t now_ns, bool always) {
    if (server->def.store_path == NULL || server->snapshot == NULL) { return; }
    if (!always && now_ns < server->stored_ns + STORE_NS) { return; }
    server->stored_ns = now_ns;
    fr_error error = {0};
    fr_status status = keep(server, always, &error);
    if (status != FR_OK && !server->has_not_stored) {
        fr_log(FR_LOG_ERROR, "server: the store %s was not written: %s", server->def.store_path, error.message);
    }
    server->has_not_stored = status != FR_OK;
}

fr_status fr__server_try_store(fr_server *server, fr_error *error) {
    if (server->def.store_path == NULL || server->snapshot == NULL) { return FR_OK; }
    fr_status status = keep(server, true, error);
    server->has_not_stored = status != FR_OK;
    return status;
}

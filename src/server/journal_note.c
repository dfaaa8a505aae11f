// What is noted of a world while it goes on.
#include "server/server.h"

#include <stdio.h>
#include <string.h>

#define POSE_NS UINT64_C(1000000000) // of what moves, the pose is noted so often
#define REST_NS UINT64_C(100000000)  // what did not move for so long is at rest

static fr__journal_seen *seen_of(const fr_server *server, fr_object_id object) {
    const fr__journal_seen_array *seen = &server->journal.seen;
    if (object.index1 == 0 || object.index1 > seen->count) { return NULL; }
    fr__journal_seen *at = seen->data + (object.index1 - 1);
    return fr_object_id_equal(at->object, object) ? at : NULL;
}

const char *fr__journal_name(const fr_server *server, fr_object_id object) {
    return seen_of(server, object) != NULL ? fr_world_label(server->served.world, object).name : NULL;
}

void fr__journal_note_lease(fr_server *server, fr_object_id object, const fr__client *owner) {
    fr__journaling *journal = &server->journal;
    const char *name = fr__journal_is_noting(journal) ? fr__journal_name(server, object) : NULL;
    if (name == NULL) { return; }
    fr__journal_note(server, FR_JOURNAL_LEASE, name, owner != NULL ? owner->name : "",
                     fr__journal_write_lease(owner != NULL, &journal->body));
}

void fr__journal_note_drop(fr_server *server, fr_object_id object, uint32_t client) {
    fr__journal_seen *seen = seen_of(server, object);
    if (seen == NULL) { return; }
    seen->wants_place = true;
    seen->client = client;
}

// ---------------------------------------------------------------------------------------------------------------
// States

// The value that was noted of a state; NULL: none was, and there is no memory for one.
static fr__journal_known *known_of(fr__journaling *journal, fr_object_id object, const char *name, bool *is_new) {
    *is_new = false;
    for (size_t i = 0; i < journal->known.count; i++) {
        fr__journal_known *known = &journal->known.data[i];
        if (fr_object_id_equal(known->object, object) && strcmp(known->name, name) == 0) { return known; }
    }
    fr__journal_known *place = fr__journal_known_array_push(&journal->known, 1);
    if (place == NULL) { return NULL; }
    *is_new = true;
    *place = (fr__journal_known){.object = object};
    snprintf(place->name, sizeof place->name, "%s", name);
    return place;
}

static bool is_gone(const fr__journal_known *known) { return known->value != known->value; }

static void note_state(fr_server *server, fr_object_id object, const char *name, const char *client, bool always) {
    fr__journaling *journal = &server->journal;
    const char *owner = fr__journal_name(server, object);
    double value = fr_world_state(server->served.world, object, name);
    if (owner == NULL) { return; }
    bool is_new;
    fr__journal_known *known = known_of(journal, object, name, &is_new);
    // A state that was removed has no value, and none that was not noted needs to be.
    bool is_removed = value != value;
    bool is_same = known != NULL && (is_new ? is_removed : known->value == value || (is_removed && is_gone(known)));
    if (known != NULL) { known->value = value; }
    if (is_same && !always) { return; }
    seen_of(server, object)->wants_pose = true;
    fr__journal_note(server, FR_JOURNAL_STATE, owner, client, fr__journal_write_state(name, value, &journal->body));
}

void fr__journal_note_state(fr_server *server, fr_object_id object, const char *name, const char *client) {
    note_state(server, object, name, client, true);
}

// States that people and programs set by what they do.
static void note_states(fr_server *server) {
    const fr_snapshot *snapshot = server->snapshot;
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *event = &snapshot->events[i];
        if (event->kind == FR_EVENT_STATE) { note_state(server, event->a, event->name, "", false); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Joints

static uint64_t hash_of_joint(const fr_joint *joint) {
    const uint64_t ids[3] = {(uint64_t)joint->kind, joint->parent.index1, joint->parent.generation};
    const double numbers[4] = {joint->low, joint->high, joint->pitch, joint->value};
    uint64_t hash = fr_hash(ids, sizeof ids, 1);
    hash = fr_hash(numbers, sizeof numbers, hash);
    hash = fr_hash(&joint->frame_parent, sizeof joint->frame_parent, hash);
    return fr_hash(&joint->frame_child, sizeof joint->frame_child, hash) | 1;
}

void fr__journal_see_joints(fr_server *server) {
    const fr_space *space = fr_world_space(server->served.world);
    fr__journal_seen_array *seen = &server->journal.seen;
    for (size_t i = 0; i < seen->count; i++) {
        seen->data[i].joint_index1 = 0;
        seen->data[i].newest_joint_hash = 0;
    }
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        const fr_joint *joint = fr_joint_get(space, fr_space_joint_at(space, i));
        fr__journal_seen *at = joint != NULL ? seen_of(server, joint->child) : NULL;
        if (at == NULL) { continue; }
        at->joint_index1 = i + 1;
        at->newest_joint_hash = hash_of_joint(joint);
        at->has_hung = true;
    }
}

void fr__journal_fill_joint(const fr_server *server, const fr__journal_seen *seen, fr__store *store,
                            fr__store_joint *joint, fr__store_object *noted) {
    const fr_space *space = fr_world_space(server->served.world);
    noted->has_joint = FR__JOINT_NONE;
    if (seen->joint_index1 == 0) { return; }
    const fr_joint *now = fr_joint_get(space, fr_space_joint_at(space, seen->joint_index1 - 1));
    if (now == NULL) { return; }
    bool has_parent = now->parent.index1 != 0;
    *joint = (fr__store_joint){.joint = *now, .parent = has_parent ? fr__journal_name(server, now->parent) : NULL};
    // What hangs on an object without a name of its own cannot be hung there again.
    noted->has_joint = has_parent && joint->parent == NULL ? FR__JOINT_UNKNOWN : FR__JOINT_KNOWN;
    noted->joint = 0;
    store->joints.data = joint;
    store->joints.count = 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Poses

static uint64_t hash_of_bones(const fr_snapshot_object *object) {
    return object->bone_count > 0 ? fr_hash(object->bones, object->bone_count * sizeof *object->bones, 1) : 0;
}

static bool is_same_pose(const fr_pose *a, const fr_pose *b) { return memcmp(a, b, sizeof *a) == 0; }

static void note_pose(fr_server *server, const fr_snapshot_object *object, fr__journal_seen *seen,
                      fr_journal_kind kind) {
    fr__journaling *journal = &server->journal;
    fr__store store = {.bones = {.data = (fr_pose *)(uintptr_t)object->bones, .count = object->bone_count}};
    fr__store_object noted = {.name = fr_world_label(server->served.world, object->id).name,
                              .pose = object->pose,
                              .is_placed = object->hold != FR_HOLD_FREE,
                              .bone_count = object->bone_count};
    fr__store_joint joint;
    if (seen->has_hung) { fr__journal_fill_joint(server, seen, &store, &joint, &noted); }
    // Without a word the joint of before would stay, and of poses only the last one does.
    if (noted.has_joint == FR__JOINT_UNKNOWN && seen->was_known) { noted.has_joint = FR__JOINT_NONE; }
    seen->was_known = seen->was_known || noted.has_joint != FR__JOINT_UNKNOWN;
    const fr__client *client = kind == FR_JOURNAL_PLACE ? fr__server_client(server, seen->client) : NULL;
    fr__journal_note(server, kind, noted.name, client != NULL ? client->name : "",
                     fr__journal_write_object(&store, &noted, &journal->body));
    seen->pose = object->pose;
    seen->bones_hash = seen->newest_hash;
    seen->joint_hash = seen->newest_joint_hash;
    seen->is_placed = noted.is_placed;
    seen->noted_ns = fr_clock_ns();
    seen->wants_place = seen->wants_pose = false;
}

// Notes where an object is, once a second while it moves, and when it rests.
static void look_at(fr_server *server, const fr_snapshot_object *object, uint64_t now_ns, bool is_due) {
    fr__journal_seen *seen = seen_of(server, object->id);
    if (seen == NULL) { return; }
    uint64_t hash = hash_of_bones(object);
    bool is_due_now = is_due || seen->wants_pose;
    seen->wants_pose = false;
    if (!is_same_pose(&seen->newest, &object->pose) || hash != seen->newest_hash) {
        seen->newest = object->pose;
        seen->newest_hash = hash;
        seen->moved_ns = now_ns;
    }
    if (seen->wants_place) {
        note_pose(server, object, seen, FR_JOURNAL_PLACE);
        return;
    }
    bool is_same = is_same_pose(&seen->pose, &object->pose) && hash == seen->bones_hash &&
                   seen->joint_hash == seen->newest_joint_hash && seen->is_placed == (object->hold != FR_HOLD_FREE);
    if (is_same) { return; }
    if (is_due_now || now_ns - seen->moved_ns >= REST_NS || now_ns - seen->noted_ns >= POSE_NS) {
        note_pose(server, object, seen, FR_JOURNAL_POSE);
    }
}

void fr__journal_note_tick(fr_server *server, bool is_last) {
    fr__journaling *journal = &server->journal;
    if (!fr__journal_is_noting(journal) || server->snapshot == NULL) { return; }
    const fr_snapshot *snapshot = server->snapshot;
    uint64_t now = fr_clock_ns();
    if (!is_last) { note_states(server); }
    fr__journal_see_joints(server);
    for (size_t i = 0; i < snapshot->object_count; i++) {
        if ((snapshot->objects[i].flags & (FR_OBJECT_STATIC | FR_OBJECT_REAL)) != 0) { continue; }
        look_at(server, &snapshot->objects[i], now, is_last || journal->wants_all);
    }
    journal->wants_all = false;
    for (size_t i = 0; i < journal->replies.count; i++) {
        if (journal->replies.data[i].number == 0) { journal->replies.data[i].number = journal->number; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What is added

static fr__journal_seen *make_seen(fr__journaling *journal, fr_object_id object) {
    while (journal->seen.count < object.index1) {
        fr__journal_seen *place = fr__journal_seen_array_push(&journal->seen, 1);
        if (place == NULL) { return NULL; }
        *place = (fr__journal_seen){0};
    }
    return &journal->seen.data[object.index1 - 1];
}

void fr__journal_note_add(fr_server *server, const fr_scene_addition *addition, const char *client) {
    fr__journaling *journal = &server->journal;
    fr_object_id id = fr_world_find(server->served.world, addition->name);
    const fr_object_view *view = fr_object_get(fr_world_space(server->served.world), id);
    if (!fr__journal_is_noting(journal) || view == NULL || !fr__store_has_place(addition->name)) { return; }
    fr__store_state states[FR_WORLD_MAX_STATES];
    const fr__store_object noted = {.name = addition->name,
                                    .pose = view->pose,
                                    .class_name = addition->class_name,
                                    .added = addition->pose,
                                    .state_count = fr__journal_list_states(server, id, states),
                                    .has_all_states = true};
    const fr__store store = {.states = {.data = states, .count = noted.state_count}};
    fr__journal_remember_states(server, id);
    bool is_written = fr__journal_write_object(&store, &noted, &journal->body);
    fr__journal_seen *seen = make_seen(journal, id);
    fr__journal_added *added = fr__journal_added_array_push(&journal->added, 1);
    if (added != NULL) {
        *added = (fr__journal_added){.object = id, .pose = addition->pose};
        snprintf(added->class_name, sizeof added->class_name, "%s", addition->class_name);
    }
    if (seen != NULL) {
        *seen = (fr__journal_seen){.object = id, .pose = view->pose, .newest = view->pose, .noted_ns = fr_clock_ns()};
    }
    fr__journal_note(server, FR_JOURNAL_ADD, addition->name, client, is_written && seen != NULL && added != NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// Commands

void fr__journal_note_command(fr_server *server, const fr_command *command, const char *client) {
    fr__journaling *journal = &server->journal;
    if (!fr__journal_is_noting(journal)) { return; }
    fr__journal_command noted = {.id = journal->last_id + 1, .command = *command};
    for (uint32_t i = 0; i <= command->fused_count; i++) {
        fr_object_id object = i == 0 ? command->object : command->fused[i - 1].object;
        noted.objects[i] = object.index1 != 0 ? fr__journal_name(server, object) : "";
        if (noted.objects[i] == NULL) { return; }
    }
    bool is_written = fr__journal_write_command(&noted, &journal->body);
    size_t bytes = journal->body.count;
    fr__journal_doing *doing = is_written ? fr__journal_doing_array_push(&journal->doing, 1) : NULL;
    if (doing != NULL) {
        *doing = (fr__journal_doing){command->ticket, noted.id, fr_allocate(&server->allocator, bytes, 1, 1), bytes};
        if (doing->body == NULL) {
            journal->doing.count--;
            doing = NULL;
        } else {
            memcpy(doing->body, journal->body.data, bytes);
            journal->last_id = noted.id;
        }
    }
    fr__journal_note(server, FR_JOURNAL_COMMAND, command->person != NULL ? command->person : "", client, doing != NULL);
}

void fr__journal_note_end(fr_server *server, const fr_command_end *end) {
    fr__journaling *journal = &server->journal;
    size_t at = 0;
    while (at < journal->doing.count && journal->doing.data[at].ticket != end->ticket) {
        at++;
    }
    if (at == journal->doing.count) { return; }
    fr__journal_doing ended = journal->doing.data[at];
    memmove(&journal->doing.data[at], &journal->doing.data[at + 1],
            (journal->doing.count - at - 1) * sizeof journal->doing.data[0]);
    journal->doing.count--;
    fr_deallocate(&server->allocator, ended.body, ended.body_bytes, 1);
    if (!fr__journal_is_noting(journal)) { return; }
    fr__journal_note(server, FR_JOURNAL_ENDED, "", "",
                     fr__journal_write_ended(ended.id, end->status, end->message, &journal->body));
}

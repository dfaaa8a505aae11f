// Requests of clients: what they ask for, and what they get.
#include "server/role.h"

#include "fureai/world_state.h"

#include <stdio.h>
#include <string.h>

enum { CODE_PROTOCOL = 1002 };

// ---------------------------------------------------------------------------------------------------------------
// Replies

static void reply(fr__client *client, uint32_t request, fr_status status, const char *what) {
    fr_message message = {.type = FR_MESSAGE_REPLY};
    message.as.reply = (fr_message_reply){request, status, status == FR_OK ? "" : what};
    fr__client_say(client, &message);
}

static void reply_error(fr__client *client, uint32_t request, fr_status status, const fr_error *error) {
    bool has_message = status != FR_OK && error->message[0] != '\0';
    reply(client, request, status, has_message ? error->message : fr_status_text(status));
}

void fr__copy_for_people(char *out, size_t out_size, const char *text) {
    size_t size = strlen(text), at = 0;
    while (at < size) {
        size_t length = fr_utf8_length(text + at, size - at);
        bool is_text = length > 0 && (unsigned char)text[at] >= 0x20 && text[at] != 0x7f;
        if (length == 0) { length = 1; }
        if (at + length >= out_size) { break; }
        memcpy(out + at, text + at, length);
        if (!is_text) { out[at] = '?'; }
        at += length;
    }
    out[at] = '\0';
}

static void greet(fr__client *client, const fr_message_hello *hello) {
    fr__copy_for_people(client->name, sizeof client->name, hello->name);
    client->wants = hello->wants;
    client->has_said_hello = true;
    // Where tokens are needed, the welcome comes with the right one.
    if (client->server->def.token_path == NULL) { fr__client_welcome(client); }
}

void fr__client_welcome(fr__client *client) {
    fr_server *server = client->server;
    char name[32];
    fr_version version = fr_get_version();
    snprintf(name, sizeof name, "fureai %d.%d.%d", version.major, version.minor, version.patch);
    client->is_greeted = true;
    client->server->arrivals.greeted++;
    fr_message message = {.type = FR_MESSAGE_WELCOME};
    message.as.welcome = (fr_message_welcome){.version = FR_PROTOCOL_VERSION,
                                              .client = client->number,
                                              .step = server->frames.step,
                                              .server = name,
                                              .scene = server->served.title,
                                              .max_message_bytes = server->def.max_message_bytes};
    fr__client_say(client, &message);
    if (fr__edge_is_on(&server->edge)) { fr__edge_welcome(client); }
}

static void change_wants(fr__client *client, uint32_t wants) {
    // Layers that were drawn while they were not wanted are sent now.
    bool wants_layers = (wants & FR_WANTS_DRAW) != 0 && (client->wants & FR_WANTS_DRAW) == 0;
    if (wants_layers) { client->layer_cursor = fr__feed_join(&client->server->layer_feed); }
    client->wants = wants;
    fr__client_wake(client);
}

// A client that ever wanted fewer states keeps its backlog: it may lack the newest state of something.
static void change_near(fr__client *client, const fr_message_near *message) {
    fr_server *server = client->server;
    bool is_right = message->distance >= 0.0 && fr_vec3_largest(message->point) <= FR_LENGTH_MAX;
    if (is_right && client->backlog == NULL && message->distance > 0.0) {
        is_right = fr_backlog_create(&server->allocator, &client->backlog, NULL) == FR_OK;
        if (is_right) { fr_backlog_begin(client->backlog, client->sequence); }
    }
    if (!is_right) {
        fr__client_note_refusal(client, "near", FR_ERROR_ARGUMENT, "this is no place or distance");
        return;
    }
    client->near_point = message->point;
    client->near_distance = message->distance;
}

// ---------------------------------------------------------------------------------------------------------------
// Leases

static bool make_lease_packet(fr_server *server, fr_object_id object, const fr__client *owner, fr__packet *out) {
    fr_message message = {.type = FR_MESSAGE_LEASE};
    message.as.lease = (fr_message_lease){.object = fr_ref_of(object),
                                          .client = owner != NULL ? owner->number : 0,
                                          .name = owner != NULL ? owner->name : ""};
    *out = fr__packet_make(&server->allocator);
    if (fr__packet_add(out, &message)) { return true; }
    fr__packet_free(out);
    return false;
}

static void wake_all(fr_server *server) {
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->is_greeted) { fr__client_wake(client); }
    }
}

// Claims an object for a client that does not hold it yet, where the scene has a cast.
static fr_status claim(const fr__client *client, fr_object_id object, fr_error *error) {
    const fr_claim wanted = {.object = object, .rank = FR_RANK_PERSON, .holder = client->number, .name = client->name};
    fr_cast *cast = client->server->served.cast;
    return cast != NULL ? fr_cast_grab(cast, &wanted, error) : FR_OK;
}

static void end_claim(fr_server *server, fr_object_id object, uint32_t client) {
    if (server->served.cast != NULL) { (void)fr_cast_let_go(server->served.cast, object, client, NULL); }
}

// Reports that a lease has ended, and lets the object go where it is.
static void announce_end(fr_server *server, const fr__lease *lease) {
    fr__packet farewell;
    bool is_made = make_lease_packet(server, lease->object, NULL, &farewell);
    fr__feed_take(&server->scene_feed, lease->notice, is_made ? &farewell : NULL);
    fr__journal_note_lease(server, lease->object, NULL);
    (void)fr_world_let_go(server->served.world, lease->object, NULL);
    end_claim(server, lease->object, lease->client);
    wake_all(server);
}

void fr__server_end_leases_of(fr_server *server, uint32_t client) {
    fr__lease lease;
    while (fr__lease_end_of_client(&server->leases, client, &lease)) {
        announce_end(server, &lease);
    }
}

void fr__server_end_silent_leases(fr_server *server, uint64_t now_ns) {
    fr__lease lease;
    uint64_t patience = (uint64_t)(server->def.lease_seconds * 1e9);
    while (now_ns > patience && fr__lease_end_silent(&server->leases, now_ns - patience, &lease)) {
        announce_end(server, &lease);
    }
}

// The name of the client that has a lease, for messages.
static const char *owner_name(const fr_server *server, const fr__lease *lease) {
    for (const fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->number == lease->client && client->name[0] != '\0') { return client->name; }
    }
    return "another client";
}

static fr_status refuse_held(fr_server *server, const fr__lease *lease, fr_error *error) {
    return fr_error_set(error, FR_ERROR_BUSY, "%s holds it", owner_name(server, lease));
}

static fr_status grab(fr__client *client, fr_ref ref, fr_error *error) {
    fr_server *server = client->server;
    fr_object_id object = fr__served_object(server, ref);
    const fr_object_view *view = fr_object_get(fr_world_space(server->served.world), object);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object"); }
    if (server->served.record != NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this is a record: nothing of it can be moved");
    }
    fr__lease *lease = fr__lease_find(&server->leases, object);
    if (lease != NULL && lease->client != client->number) { return refuse_held(server, lease, error); }

    bool is_new = lease == NULL;
    fr_status status = is_new ? claim(client, object, error) : FR_OK;
    if (status != FR_OK) { return status; }

    // Held where it is; this also refuses what cannot be moved.
    fr_pose pose = view->pose;
    status = fr_world_drag(server->served.world, object, &pose, error);
    if (status != FR_OK) {
        if (is_new) { end_claim(server, object, client->number); }
        return status;
    }
    status = fr__lease_give(&server->leases, object, client->number, fr_clock_ns(), &lease);
    if (status != FR_OK) {
        (void)fr_world_let_go(server->served.world, object, NULL);
        end_claim(server, object, client->number);
        return fr_error_set(error, status, "it cannot be given: %s", fr_status_text(status));
    }
    fr__packet packet;
    if (is_new && make_lease_packet(server, object, client, &packet)) {
        lease->notice = fr__feed_put(&server->scene_feed, &packet);
        wake_all(server);
    }
    if (is_new) { fr__journal_note_lease(server, object, client); }
    fr__client_say_aid(client);
    return FR_OK;
}

static fr_status drop(fr__client *client, fr_ref ref, fr_error *error) {
    fr_server *server = client->server;
    fr_object_id object = fr__served_object(server, ref);
    fr__lease *lease = fr__lease_find(&server->leases, object), ended;
    if (lease == NULL || lease->client != client->number) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "you do not hold it");
    }
    (void)fr__lease_end(&server->leases, object, &ended);
    announce_end(server, &ended);
    return FR_OK;
}

// Unanswered: a move of an object that the client does not hold, or to where it cannot be, only counts as bad.
static void move(fr__client *client, const fr_message_move *message) {
    fr_server *server = client->server;
    fr_object_id object = fr__served_object(server, message->object);
    fr__lease *lease = fr__lease_find(&server->leases, object);
    bool is_owner = lease != NULL && lease->client == client->number;
    if (is_owner) { lease->heard_ns = fr_clock_ns(); }
    fr_pose raw = message->raw;
    if (!is_owner || fr_world_drag(server->served.world, object, &raw, NULL) != FR_OK) {
        fr__client_note_refusal(client, "move", FR_ERROR_STALE_ID, "it is not held, or cannot be there");
    } else {
        lease->move = message->sequence;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What concerns everybody

// Opening a scene may take long, and everybody waits for it.
static bool may_change_scene(fr_server *server, fr_error *error) {
    if (fr__rate_take(&server->changes, 1.0, fr_clock_ns())) { return true; }
    fr_error_set(error, FR_ERROR_LIMIT, "scenes are changed too often");
    return false;
}

static fr_status play(fr_server *server, uint32_t mode, fr_error *error) {
    if (server->served.record != NULL) { return fr__served_play_record(server, mode); }
    switch (mode) {
    case FR_PLAY_PAUSE: server->is_paused = true; return FR_OK;
    case FR_PLAY_GO: server->is_paused = false; return FR_OK;
    case FR_PLAY_STEP:
        server->is_paused = true;
        server->wants_step = true;
        return FR_OK;
    default: return may_change_scene(server, error) ? fr__served_restart(server, error) : FR_ERROR_LIMIT;
    }
}

// Gives everything back that no other client holds.
static fr_status resume_all(fr__client *client, fr_error *error) {
    fr_server *server = client->server;
    const fr_space *space = fr_world_space(server->served.world);
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < fr_space_object_places(space) && status == FR_OK; i++) {
        fr_object_id object = fr_space_object_at(space, i);
        const fr__lease *lease = fr__lease_find(&server->leases, object);
        if (object.index1 == 0 || (lease != NULL && lease->client != client->number)) { continue; }
        if (lease != NULL) { (void)drop(client, fr_ref_of(object), NULL); }
        if (fr_world_hold(server->served.world, object) != FR_HOLD_FREE) {
            status = fr_world_resume(server->served.world, object, NULL);
        }
    }
    return status == FR_OK ? FR_OK : fr_error_set(error, status, "%s", fr_status_text(status));
}

// Gives an object back to what moves it by itself; a lease of one's own ends by it.
static fr_status resume(fr__client *client, fr_ref ref, fr_error *error) {
    if (ref.index1 == 0 && ref.generation == 0) { return resume_all(client, error); }
    fr_server *server = client->server;
    fr_object_id object = fr__served_object(server, ref);
    if (object.index1 == 0) { return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object"); }
    const fr__lease *lease = fr__lease_find(&server->leases, object);
    if (lease != NULL && lease->client != client->number) { return refuse_held(server, lease, error); }
    if (lease != NULL) { (void)drop(client, ref, NULL); }
    return fr_world_resume(server->served.world, object, NULL);
}

static fr_status set_state(fr__client *client, const fr_message_set_state *message, fr_error *error) {
    fr_server *server = client->server;
    fr_object_id object = fr__served_object(server, message->object);
    fr__lease *lease = fr__lease_find(&server->leases, object);
    if (lease != NULL && lease->client != client->number) { return refuse_held(server, lease, error); }
    if (lease != NULL) { lease->heard_ns = fr_clock_ns(); }
    if (server->served.record != NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this is a record: nothing of it can be changed");
    }
    return fr_world_set_state(server->served.world, object, message->name, message->value, error);
}

static fr_status remove_state(fr__client *client, const fr_message_remove_state *message, fr_error *error) {
    fr_server *server = client->server;
    fr_object_id object = fr__served_object(server, message->object);
    const fr__lease *lease = fr__lease_find(&server->leases, object);
    if (lease != NULL && lease->client != client->number) { return refuse_held(server, lease, error); }
    return fr_world_remove_state(server->served.world, object, message->name, error);
}

static fr_status undo(fr_server *server, bool is_redo, fr_error *error) {
    fr_cast *cast = server->served.cast;
    if (cast == NULL) { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this scene takes nothing back"); }
    return fr_cast_undo(cast, is_redo, error);
}

// Only names of the gallery are passed on: what opens scenes never sees another text of a client.
static fr_status open_scene(fr_server *server, const char *name, fr_error *error) {
    const fr_scene_provider *provider = &server->def.provider;
    for (uint32_t i = 0; i < provider->entry_count; i++) {
        if (strcmp(provider->entries[i].name, name) != 0) { continue; }
        return may_change_scene(server, error) ? fr__served_open(server, name, error) : FR_ERROR_LIMIT;
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the gallery has no such scene");
}

// ---------------------------------------------------------------------------------------------------------------
// One message

bool fr__message_request(const fr_message *message, uint32_t *out) {
    switch (message->type) {
    case FR_MESSAGE_GRAB: *out = message->as.grab.request; return true;
    case FR_MESSAGE_DROP: *out = message->as.drop.request; return true;
    case FR_MESSAGE_PLAY: *out = message->as.play.request; return true;
    case FR_MESSAGE_RESUME: *out = message->as.resume.request; return true;
    case FR_MESSAGE_SET_STATE: *out = message->as.set_state.request; return true;
    case FR_MESSAGE_REMOVE_STATE: *out = message->as.remove_state.request; return true;
    case FR_MESSAGE_OPEN: *out = message->as.open.request; return true;
    case FR_MESSAGE_UNDO: *out = message->as.undo.request; return true;
    case FR_MESSAGE_COMMAND: *out = message->as.command.request; return true;
    case FR_MESSAGE_AFFORDS: *out = message->as.affords.request; return true;
    case FR_MESSAGE_ADD: *out = message->as.add.request; return true;
    case FR_MESSAGE_KEEP: *out = message->as.keep.request; return true;
    case FR_MESSAGE_STAND: *out = message->as.stand.request; return true;
    case FR_MESSAGE_REMOVE: *out = message->as.remove.request; return true;
    case FR_MESSAGE_STOCK: *out = message->as.stock.request; return true;
    case FR_MESSAGE_PEOPLE: *out = message->as.people.request; return true;
    case FR_MESSAGE_PULL: *out = message->as.pull.request; return true;
    case FR_MESSAGE_POSTURE: *out = message->as.posture.request; return true;
    case FR_MESSAGE_SEEK: *out = message->as.seek.request; return true;
    case FR_MESSAGE_SPEED: *out = message->as.speed.request; return true;
    case FR_MESSAGE_NOTE_CLASH: *out = message->as.note_clash.request; return true;
    default: return false;
    }
}

static fr_status carry_out(fr__client *client, const fr_message *message, fr_error *error) {
    fr_server *server = client->server;
    switch (message->type) {
    case FR_MESSAGE_GRAB: return grab(client, message->as.grab.object, error);
    case FR_MESSAGE_DROP: return drop(client, message->as.drop.object, error);
    case FR_MESSAGE_PLAY: return play(server, message->as.play.mode, error);
    case FR_MESSAGE_RESUME: return resume(client, message->as.resume.object, error);
    case FR_MESSAGE_SET_STATE: return set_state(client, &message->as.set_state, error);
    case FR_MESSAGE_REMOVE_STATE: return remove_state(client, &message->as.remove_state, error);
    case FR_MESSAGE_UNDO: return undo(server, message->as.undo.again != 0, error);
    case FR_MESSAGE_COMMAND: return fr__client_command(client, &message->as.command, error);
    case FR_MESSAGE_AFFORDS: return fr__client_affords(client, &message->as.affords, error);
    case FR_MESSAGE_ADD: return fr__client_add(client, &message->as.add, error);
    case FR_MESSAGE_KEEP: return fr__client_keep(client, &message->as.keep, error);
    case FR_MESSAGE_STAND: return fr__client_stand(client, &message->as.stand, error);
    case FR_MESSAGE_REMOVE: return fr__client_remove(client, &message->as.remove, error);
    case FR_MESSAGE_STOCK: return fr__client_stock(client, &message->as.stock, error);
    case FR_MESSAGE_PEOPLE: return fr__client_people(client, &message->as.people, error);
    case FR_MESSAGE_PULL: return fr__client_pull(client, &message->as.pull, error);
    case FR_MESSAGE_POSTURE: return fr__client_posture(client, &message->as.posture, error);
    case FR_MESSAGE_SEEK: return fr__served_seek(server, message->as.seek.tick, error);
    case FR_MESSAGE_SPEED: return fr__served_set_speed(server, message->as.speed.speed, error);
    case FR_MESSAGE_NOTE_CLASH: return fr__served_note_clash(server, &message->as.note_clash, error);
    default: return open_scene(server, message->as.open.name, error);
    }
}

// Lists and files are a reply by themselves, and what is kept is reported when it is on the disk.
static bool has_own_reply(fr_message_type type) {
    return type == FR_MESSAGE_AFFORDS || type == FR_MESSAGE_KEEP || type == FR_MESSAGE_STOCK ||
           type == FR_MESSAGE_PEOPLE || type == FR_MESSAGE_POSTURE;
}

static void handle_request(fr__client *client, const fr_message *message) {
    fr_error error = {0};
    fr_status status = fr__role_check(client, message->type, &error);
    if (status == FR_OK) { status = fr__journal_admit(client->server, message, &error); }
    if (status == FR_OK) { status = carry_out(client, message, &error); }
    if (status != FR_OK) {
        fr__client_note_refusal(client, fr_protocol_message_of((uint32_t)message->type)->layout.name, status,
                                error.message);
    }
    bool is_replied = status == FR_OK && has_own_reply(message->type);
    uint32_t request = 0;
    if (is_replied || !fr__message_request(message, &request)) { return; }
    if (status == FR_OK && fr__journal_defer(client, message, request)) { return; }
    reply_error(client, request, status, &error);
}

// Whether a message comes in its turn: hello first and once, and nothing but a token where one is needed.
static bool is_in_turn(fr__client *client, fr_message_type type) {
    const char *wrong = NULL;
    uint16_t code = CODE_PROTOCOL;
    fr_status status = FR_ERROR_SYNTAX;
    if (client->has_said_hello == (type == FR_MESSAGE_HELLO)) {
        wrong = client->has_said_hello ? "hello was said already" : "the first message must be hello";
    } else if (client->has_said_hello && !client->is_greeted && type != FR_MESSAGE_KEY) {
        wrong = "this server needs a token";
        code = FR_CLOSE_TOKEN;
        status = FR_ERROR_UNSUPPORTED;
    }
    if (wrong == NULL) { return true; }
    fr__client_note_refusal(client, fr_protocol_message_of((uint32_t)type)->layout.name, status, wrong);
    fr__client_refuse(client, code, status, wrong);
    return false;
}

// Messages without a reply that the client may not send only count as refused.
static bool may_send(fr__client *client, fr_message_type type) {
    fr_error error = {0};
    fr_status status = fr__role_check(client, type, &error);
    if (status == FR_OK) { return true; }
    fr__client_note_refusal(client, fr_protocol_message_of((uint32_t)type)->layout.name, status, error.message);
    return false;
}

// What an edge does by itself; all else is its home's.
static bool is_of_edge(fr_message_type type) {
    return type == FR_MESSAGE_HELLO || type == FR_MESSAGE_KEY || type == FR_MESSAGE_WANTS || type == FR_MESSAGE_NEAR ||
           type == FR_MESSAGE_PING;
}

void fr__client_handle(fr__client *client, const fr_message *message) {
    if (!is_in_turn(client, message->type)) { return; }
    if (fr__edge_is_on(&client->server->edge) && !is_of_edge(message->type)) {
        fr__edge_forward(client, message);
        return;
    }
    fr_message pong = {.type = FR_MESSAGE_PONG};
    switch (message->type) {
    case FR_MESSAGE_HELLO: greet(client, &message->as.hello); break;
    case FR_MESSAGE_KEY: fr__client_show_key(client, &message->as.key); break;
    case FR_MESSAGE_WANTS: change_wants(client, message->as.wants.wants); break;
    case FR_MESSAGE_MOVE:
        if (may_send(client, message->type)) { move(client, &message->as.move); }
        break;
    case FR_MESSAGE_UPDATE:
        if (may_send(client, message->type)) { fr__client_update(client, &message->as.update); }
        break;
    case FR_MESSAGE_NEAR: change_near(client, &message->as.near); break;
    case FR_MESSAGE_PING:
        pong.as.pong.token = message->as.ping.token;
        fr__client_say(client, &pong);
        break;
    default: handle_request(client, message); break;
    }
}

// A server: it is made, runs ticks and sockets on one thread, and is destroyed.
#include "server/server.h"
#include "server/tls.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define SERVER_COOKIE UINT32_C(0x73727631)
#define FAREWELLS_MAX 8192           // kept for those who are slow to read them
#define EPOCH_LEFT_BEHIND UINT64_MAX // of a client that is to be sent everything again

#define LOOK_NS UINT64_C(50000000) // a stop is noticed within this time
#define EARLY_NS UINT64_C(1000000) // a tick may begin this much early: sockets are waited for in whole milliseconds
#define SWEEP_NS UINT64_C(200000000)
#define HELLO_NS UINT64_C(5000000000)
#define PEER_SHARE 16.0 // clients whose rates an address has together

enum { CODE_POLICY = 1008, CHANGES_PER_SECOND = 2 };

fr_server_def fr_default_server_def(void) {
    return (fr_server_def){.address = "127.0.0.1",
                           .port = 8420,
                           .speed = 1.0,
                           .max_upload_bytes = UINT64_C(1) << 28,
                           .max_clients = 64,
                           .max_message_bytes = 65536,
                           .messages_per_second = 240,
                           .lease_seconds = 5.0,
                           .cookie = SERVER_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status check_def(const fr_server_def *def, fr_error *error) {
    if (def->cookie != SERVER_COOKIE) { return fr_error_set_cookie(error, "fr_default_server_def"); }
    FR_ASSERT(def->address != NULL);
    FR_ASSERT(def->is_edge ||
              (def->provider.open != NULL && def->provider.close != NULL && def->provider.first != NULL));
    const char *wrong = NULL;
    if (!(def->speed >= 1e-6 && def->speed <= 1e6)) { wrong = "the speed must be from 1e-6 to 1e6"; }
    if (!(def->lease_seconds > 0.0 && def->lease_seconds <= 1e6)) { wrong = "lease_seconds must be over 0, to 1e6"; }
    if (def->max_upload_bytes < 1 || def->max_upload_bytes > UINT64_C(1) << 31) {
        wrong = "max_upload_bytes must be from 1 to 2^31";
    }
    if (def->max_clients < 1 || def->max_clients > 4096) { wrong = "max_clients must be from 1 to 4096"; }
    if (def->max_clients_per_address > def->max_clients) {
        wrong = "max_clients_per_address must be up to max_clients";
    }
    if (def->max_message_bytes < 256 || def->max_message_bytes > 1u << 24) {
        wrong = "max_message_bytes must be from 256 to 2^24";
    }
    if (def->messages_per_second < 1 || def->messages_per_second > 1000000) {
        wrong = "messages_per_second must be from 1 to 1000000";
    }
    if (def->journal != NULL && def->store_path != NULL) { wrong = "a server has a journal or a store, not both"; }
    if (def->is_edge && (def->journal != NULL || def->store_path != NULL || def->broadcast == NULL)) {
        wrong = "an edge has a broadcast, and neither journal nor store: these are its home's";
    }
    if ((def->certificate_path == NULL) != (def->key_path == NULL)) {
        wrong = "a certificate needs its key, and a key its certificate";
    }
    if (!def->is_local && !fr__listener_is_local(def->address) && (def->token_path == NULL || def->key_path == NULL)) {
        wrong = "an address that other machines reach needs tokens, a certificate and its key";
    }
    if (wrong != NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "%s", wrong); }
    for (uint32_t i = 0; i < def->origin_count; i++) {
        if (!fr__origin_check(def->origins[i])) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' is no origin such as https://example.org",
                                def->origins[i]);
        }
    }
    return FR_OK;
}

static fr_status open_web_folder(fr_server *server, fr_error *error) {
    const char *path = server->def.viewer_folder;
    if (path == NULL && fr__viewer_folder_find(server->viewer_folder)) { path = server->viewer_folder; }
    if (path == NULL || path[0] == '\0') { return FR_OK; }
    server->web_folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (server->web_folder >= 0) { return FR_OK; }
    fr_error_set(error, FR_ERROR_FILE, "cannot open the viewer's folder: %s", strerror(errno));
    fr_error_locate(error, path, 0, 0);
    return FR_ERROR_FILE;
}

// Checks the certificate, reads the tokens and begins the audit.
static fr_status open_keys(fr_server *server, fr_error *error) {
    const fr_server_def *def = &server->def;
    if (def->certificate_path != NULL) {
        fr_status checked = fr__tls_check(def->certificate_path, def->key_path, error);
        if (checked != FR_OK) { return checked; }
    }
    fr_status status = fr__audit_open(&server->audit, def->audit_path, &server->allocator, error);
    if (status == FR_OK && def->token_path != NULL) {
        status = fr__tokens_load(def->token_path, &server->tokens, error);
    }
    return status;
}

static fr_status make_parts(fr_server *server, fr_error *error) {
    const fr_allocator *allocator = &server->allocator;
    server->scene_feed = fr__feed_make(allocator);
    server->layer_feed = fr__feed_make(allocator);
    server->published = fr__published_array_make(allocator);
    server->gone = fr__gone_array_make(allocator);
    server->meshes = fr__numbered_mesh_array_make(allocator);
    server->layer_list = fr__drawn_layer_array_make(allocator);
    server->leases = fr__leases_make(allocator);
    fr_status journaled = fr__journal_make(server, error);
    if (journaled != FR_OK) { return journaled; }
    server->scratch = fr__packet_make(allocator);
    server->peers =
        fr__peers_make(server->def.max_clients + FR__MORE_CONNECTIONS, PEER_SHARE * server->def.messages_per_second,
                       PEER_SHARE * 16.0 * server->def.max_message_bytes, allocator);
    fr_status status = fr_arena_create(0, allocator, &server->arena, NULL);
    if (status == FR_OK) { status = fr_encoder_create(allocator, &server->encoder, NULL); }
    server->frames = fr__frames_make(server->encoder, allocator);
    if (status != FR_OK) { return fr_error_set(error, status, "no memory for the server"); }
    return FR_OK;
}

bool fr__server_has_scene(const fr_server *server, const char *name) {
    const fr_scene_provider *provider = &server->def.provider;
    bool found = strcmp(provider->first, name) == 0;
    for (uint32_t i = 0; !found && i < provider->entry_count; i++) {
        found = strcmp(provider->entries[i].name, name) == 0;
    }
    return found;
}

// Opens the scene that the store was written of, as it was, else the first.
static fr_status open_first(fr_server *server, fr_error *error) {
    const fr_scene_provider *provider = &server->def.provider;
    if (server->def.is_edge) { return FR_OK; }
    if (server->def.journal != NULL) { return fr__journal_open(server, error); }
    if (server->def.store_path == NULL) { return fr__served_open(server, provider->first, error); }
    fr__store store;
    fr_status status = fr__store_load(server->def.store_path, &server->allocator, &store, error);
    if (status != FR_OK) { return status; }
    if (store.scene != NULL && !fr__server_has_scene(server, store.scene)) {
        fr_error_set(error, FR_ERROR_ARGUMENT, "it is of the scene '%.100s', which is not served", store.scene);
        fr_error_locate(error, server->def.store_path, 0, 0);
        status = FR_ERROR_ARGUMENT;
    }
    if (status == FR_OK) {
        status = fr__served_open(server, store.scene != NULL ? store.scene : provider->first, error);
    }
    if (status == FR_OK && store.scene != NULL) {
        fr__server_restore(server, &store);
        status = fr__served_tick(server, true, error);
    }
    fr__store_free(&store);
    return status;
}

// The journal has written something, or something came over the broadcast, on whatever thread.
static void wake(void *context) {
    const fr_server *server = context;
    if (server->sockets != NULL) { fr__sockets_wake(server); }
}

fr_status fr_server_create(const fr_server_def *def, fr_server **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_server *server = fr_allocate(&allocator, 1, sizeof *server, _Alignof(fr_server));
    if (server == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the server"); }
    memset(server, 0, sizeof *server);
    server->def = *def;
    if (def->max_clients_per_address == 0) { server->def.max_clients_per_address = (def->max_clients + 1) / 2; }
    server->allocator = allocator;
    server->control = def->control;
    server->listener.descriptor = -1;
    server->web_folder = -1;
    server->stored_tick = UINT64_MAX;
    server->jobs.tasks = def->background;
    atomic_init(&server->is_stopped, false);
    server->tokens = fr__token_array_make(&allocator);
    server->changes = fr__rate_make(CHANGES_PER_SECOND, 2.0 * CHANGES_PER_SECOND, fr_clock_ns());

    status = make_parts(server, error);
    if (status == FR_OK) { status = open_keys(server, error); }
    if (status == FR_OK) { status = open_web_folder(server, error); }
    if (status == FR_OK && !def->is_local) {
        status = fr__listener_open(def->address, def->port, &server->listener, error);
    }
    if (status == FR_OK && def->store_path != NULL) {
        status = fr_file_lock_create(def->store_path, &allocator, &server->store_lock, error);
    }
    if (status == FR_OK) { status = open_first(server, error); }
    if (status == FR_OK && fr_control_is_stopped(def->control)) {
        status = fr_error_set(error, FR_ERROR_STOPPED, "stopped by the caller");
    }
    if (status == FR_OK && !def->is_local) {
        server->origins = (fr__origins){.address = def->address,
                                        .port = server->listener.port,
                                        .allowed = def->origins,
                                        .allowed_count = def->origin_count,
                                        .is_secure = def->certificate_path != NULL};
        status = fr__sockets_open(server, error);
    }
    if (status == FR_OK) { status = fr__server_try_store(server, error); }
    if (status == FR_OK) { status = fr__home_open(server, error); }
    if (status == FR_OK) { status = fr__edge_open(server, error); }
    if (status == FR_OK && def->journal != NULL) { def->journal->watch(wake, server, def->journal->user); }
    if (status == FR_OK && def->broadcast != NULL) { def->broadcast->watch(wake, server, def->broadcast->user); }
    if (status != FR_OK) {
        // What the store held stays as it was.
        server->def.store_path = NULL;
        fr_server_destroy(server);
        return status;
    }
    server->control = NULL;
    server->stored_ns = fr_clock_ns();
    *out = server;
    return FR_OK;
}

static void free_published(fr_server *server) {
    fr__published *published = server->published.data;
    for (size_t i = 0; i < server->published.count; i++) {
        fr__state_name_array_destroy(&published[i].states);
    }
    const fr__numbered_mesh *meshes = server->meshes.data;
    for (size_t i = 0; i < server->meshes.count; i++) {
        fr_mesh_release(meshes[i].mesh);
        fr_skin_release(meshes[i].skin);
    }
    const fr__drawn_layer *layers = server->layer_list.data;
    for (size_t i = 0; i < server->layer_list.count; i++) {
        fr_deallocate(&server->allocator, layers[i].name, layers[i].name_bytes, 1);
    }
    fr__published_array_destroy(&server->published);
    fr__gone_array_destroy(&server->gone);
    fr__numbered_mesh_array_destroy(&server->meshes);
    fr__drawn_layer_array_destroy(&server->layer_list);
}

void fr_server_destroy(fr_server *server) {
    if (server == NULL) { return; }
    fr__jobs_stop(&server->jobs, true);
    if (server->journal.table.watch != NULL) { server->journal.table.watch(NULL, NULL, server->journal.table.user); }
    if (server->def.broadcast != NULL) { server->def.broadcast->watch(NULL, NULL, server->def.broadcast->user); }
    fr__guests_end(server);
    fr__sessions_end(server);
    fr__sockets_close(server);
    (void)fr__journal_finish(server, NULL);
    fr__server_store(server, fr_clock_ns(), true);
    fr_file_lock_destroy(server->store_lock);
    fr__served_close(server);
    fr__listener_close(&server->listener);
    if (server->web_folder >= 0) { close(server->web_folder); }
    free_published(server);
    fr__frames_free(&server->frames);
    fr__feed_free(&server->scene_feed);
    fr__feed_free(&server->layer_feed);
    fr__leases_free(&server->leases);
    fr__journal_free(server);
    fr__home_close(server);
    fr__edge_close(server);
    fr__peers_free(&server->peers);
    fr__tokens_forget(&server->tokens);
    fr__audit_close(&server->audit);
    fr__packet_free(&server->scratch);
    if (server->painting != NULL) { fr_layer_destroy(server->painting); }
    if (server->encoder != NULL) { fr_encoder_destroy(server->encoder); }
    fr_arena_destroy(server->arena);
    fr_allocator allocator = server->allocator;
    fr_deallocate(&allocator, server, 1, sizeof *server);
}

uint16_t fr_server_port(const fr_server *server) { return server->listener.port; }

const char *fr_server_viewer_folder(const fr_server *server) {
    if (server->web_folder < 0) { return NULL; }
    return server->viewer_folder[0] != '\0' ? server->viewer_folder : server->def.viewer_folder;
}

fr_server_stats fr_server_get_stats(const fr_server *server) { return server->stats; }

// ---------------------------------------------------------------------------------------------------------------
// Running

void fr_server_stop(fr_server *server) { atomic_store(&server->is_stopped, true); }

// Farewells that all have read are forgotten.
static void sweep_feeds(fr_server *server) {
    uint64_t things = fr__home_passed(server, false, server->scene_feed.last);
    uint64_t layers = fr__home_passed(server, true, server->layer_feed.last);
    for (const fr__client *client = server->clients; client != NULL; client = client->after) {
        // One that knows another scene begins from scratch, and one that wants no layers, too, when it wants them.
        if (!client->is_greeted || client->epoch != server->epoch) { continue; }
        uint64_t passed = fr__cursor_passed(&client->scene_cursor);
        if (passed < things) { things = passed; }
        passed = fr__cursor_passed(&client->layer_cursor);
        if ((client->wants & FR_WANTS_DRAW) != 0 && passed < layers) { layers = passed; }
    }
    fr__feed_sweep(&server->scene_feed, things);
    fr__feed_sweep(&server->layer_feed, layers);
}

static bool is_left_behind(const fr__feed *feed, const fr__feed_cursor *mark) {
    return feed->farewell_count > FAREWELLS_MAX && fr__cursor_passed(mark) + FAREWELLS_MAX < feed->last;
}

// What a client does not read would stay for it for ever. One that is too far behind begins from scratch when it reads
// on.
static void leave_behind(fr_server *server) {
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (!client->is_greeted || client->epoch != server->epoch) { continue; }
        bool wants_layers = (client->wants & FR_WANTS_DRAW) != 0;
        if (is_left_behind(&server->scene_feed, &client->scene_cursor) ||
            (wants_layers && is_left_behind(&server->layer_feed, &client->layer_cursor))) {
            client->epoch = EPOCH_LEFT_BEHIND;
        }
    }
}

// What need not be done with every tick.
static void sweep(fr_server *server, uint64_t now_ns) {
    if (now_ns < server->swept_ns + SWEEP_NS) { return; }
    server->swept_ns = now_ns;
    if (server->sockets != NULL) { fr__sockets_end_deaf(server, now_ns); }
    fr__server_end_silent_leases(server, now_ns);
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (!client->is_greeted && now_ns > client->came_ns + HELLO_NS) {
            bool needs_token = client->has_said_hello;
            fr__client_refuse(client, needs_token ? FR_CLOSE_TOKEN : CODE_POLICY,
                              needs_token ? FR_ERROR_UNSUPPORTED : FR_ERROR_STOPPED,
                              needs_token ? "this server needs a token" : "hello was not said in time");
        }
    }
    sweep_feeds(server);
    leave_behind(server);
    fr__served_publish_record(server, false);
    fr__audit_flush(&server->audit);
    fr__server_store(server, now_ns, false);
}

// To sockets at once, to sessions as they are taken.
static void send_states(fr_server *server) {
    if (server->sockets != NULL) { fr__sockets_send_states(server); }
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->is_greeted && client->session != NULL) { fr__client_wake(client); }
    }
}

static void tick(fr_server *server) {
    bool is_paused = server->is_paused && !server->wants_step;
    server->wants_step = false;
    fr_error error = {0};
    fr_status status = fr__served_tick(server, is_paused, &error);
    if (status != FR_OK && !server->has_failed) {
        fr_log(FR_LOG_ERROR, "server: a tick failed: %s",
               error.message[0] != '\0' ? error.message : fr_status_text(status));
    }
    server->has_failed = status != FR_OK;
    if (status == FR_OK) {
        send_states(server);
        fr__journal_renew(server);
    }
    server->stats.late += fr__pace_next(&server->pace, fr_clock_ns());
}

// One turn: waits up to `wait_ns` for the sockets or until a tick is due, and does what is due. False when the sockets
// fail.
static bool turn(fr_server *server, uint64_t wait_ns) {
    uint64_t now = fr_clock_ns();
    bool is_idle = server->def.is_edge || (server->stats.clients == 0 && !server->def.is_always_ticking);
    if (!is_idle && server->was_idle) { server->pace.due_ns = now; }
    if (is_idle && !server->was_idle) { fr__journal_note_tick(server, true); }
    server->was_idle = is_idle;
    uint64_t due = is_idle ? LOOK_NS : fr__pace_wait(&server->pace, now);
    if (due < EARLY_NS) { due = 0; }
    if (server->sockets != NULL && !fr__sockets_service(server, due < wait_ns ? due : wait_ns)) { return false; }
    if (!is_idle && fr__pace_wait(&server->pace, fr_clock_ns()) < EARLY_NS) { tick(server); }
    fr__home_pump(server, fr_clock_ns());
    fr__edge_pump(server, fr_clock_ns());
    if (server->sockets != NULL) { fr__sockets_end_floods(server, fr_clock_ns()); }
    sweep(server, fr_clock_ns());
    (void)fr__jobs_look(&server->jobs);
    fr__journal_pump(server);
    return true;
}

fr_status fr_server_step(fr_server *server, double *wait_seconds, fr_error *error) {
    FR_ASSERT(server != NULL);
    if (wait_seconds != NULL) { *wait_seconds = 0.0; }
    if (!turn(server, 0)) { return fr_error_set(error, FR_ERROR_SYSTEM, "libwebsockets failed"); }
    uint64_t wait = server->was_idle ? LOOK_NS : fr__pace_wait(&server->pace, fr_clock_ns());
    if (server->jobs.first != NULL) { wait = 0; }
    if (wait_seconds != NULL) { *wait_seconds = 1e-9 * (double)(wait < LOOK_NS ? wait : LOOK_NS); }
    return FR_OK;
}

fr_status fr_server_run(fr_server *server, const fr_control *control, fr_error *error) {
    if (server->def.is_local) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a local server has no sockets to wait for: it is stepped");
    }
    fr_status status = FR_OK;
    server->control = control;
    while (status == FR_OK && !atomic_load(&server->is_stopped) && !fr_control_is_stopped(control)) {
        if (!turn(server, LOOK_NS)) { status = fr_error_set(error, FR_ERROR_SYSTEM, "libwebsockets failed"); }
    }
    server->control = NULL;
    fr__journal_note_tick(server, true);
    fr_status stored = fr__journal_finish(server, status == FR_OK ? error : NULL);
    if (stored == FR_OK) { stored = fr__server_try_store(server, status == FR_OK ? error : NULL); }
    return status != FR_OK ? status : stored;
}

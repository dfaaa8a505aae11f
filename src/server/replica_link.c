// The link of a replica: its connection to a served world, one exchange a tick.
#include "fureai/server_replica.h"

#include "server/token.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>
#include <time.h>

#define LINK_COOKIE 0x4C4E4B52u

// What a server takes from one client in a second is 2^20 bytes, unless it says otherwise; a tenth is left free.
#define BYTES_PER_SECOND (0.9 * (1 << 20))

enum { MESSAGES_AT_ONCE = 256 };
static const uint64_t slice_ns = 50000000, late_ns = 250000000;
static const long again_ns = 200000000;

struct fr_replica_link {
    fr_replica_link_def def;
    fr_allocator allocator;
    char url[FR_CLIENT_ADDRESS_MAX_BYTES + 1], name[FR_CLAIM_NAME_MAX_BYTES + 1];
    fr_replica *replica; // of the cast
    double step;         // seconds between two exchanges
    fr_client *client;   // NULL: the server is gone and tried again
    uint64_t due_ns;     // when the next tick is; 0: not yet
    uint64_t lost_ns;    // when the connection was lost; 0: it was not
    uint64_t frames;     // messages of the client that the replica has seen
    fr_array bytes;      // of updates
    fr_replica_link_state state;
};

fr_replica_link_def fr_default_replica_link_def(void) {
    return (fr_replica_link_def){.name = "", .replica = fr_default_replica_def(), .cookie = LINK_COOKIE};
}

static void received(const fr_mirror *mirror, const fr_message *message, void *user) {
    (void)mirror;
    const fr_replica_link *link = user;
    if (message->type == FR_MESSAGE_REFUSED) { fr_replica_refuse(link->replica, &message->as.refused); }
}

static fr_status open_client(fr_replica_link *link, fr_error *error) {
    fr_client_def def = fr_default_client_def();
    def.url = link->url;
    def.authority_path = link->def.authority_path;
    def.name = link->name;
    def.received = received;
    def.user = link;
    def.allocator = link->allocator;
    link->frames = 0;
    char token[FR__TOKEN_MAX_BYTES + 1];
    fr_status status = FR_OK;
    if (link->def.token_path != NULL) {
        status = fr__token_load_own(link->def.token_path, token, error);
        def.token = token;
    }
    if (status == FR_OK) { status = fr_client_create(&def, &link->client, error); }
    fr__secret_wipe(token, sizeof token);
    return status;
}

static fr_status open_replica(fr_replica_link *link, fr_error *error) {
    fr_status status = fr_replica_create(&link->def.replica, &link->replica, error);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_replica_actor(link->replica);
    status = fr_cast_add(link->def.replica.cast, &actor, error);
    if (status != FR_OK) { fr_replica_destroy(link->replica); }
    link->step = fr_world_step(fr_cast_world(link->def.replica.cast));
    return status;
}

fr_status fr_replica_link_create(const fr_replica_link_def *def, fr_replica_link **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != LINK_COOKIE) { return fr_error_set_cookie(error, "fr_default_replica_link_def"); }
    bool is_patient = def->patience_seconds >= 0.0 && def->patience_seconds <= FR_CLIENT_TIMEOUT_MAX_SECONDS;
    if (def->url == NULL || !is_patient) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a link needs an url, and a patience of 0 .. %d seconds",
                            FR_CLIENT_TIMEOUT_MAX_SECONDS);
    }
    if (strlen(def->url) > FR_CLIENT_ADDRESS_MAX_BYTES) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an address has at most %d bytes", FR_CLIENT_ADDRESS_MAX_BYTES);
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_replica_link *link = fr_allocate(&allocator, 1, sizeof *link, alignof(fr_replica_link));
    if (link == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a link"); }
    memset(link, 0, sizeof *link);
    link->def = *def;
    link->allocator = allocator;
    link->bytes = fr_array_make(1, &allocator);
    memcpy(link->url, def->url, strlen(def->url) + 1);
    size_t length = def->name != NULL ? strlen(def->name) : 0;
    if (length > FR_CLAIM_NAME_MAX_BYTES) { length = FR_CLAIM_NAME_MAX_BYTES; }
    if (length > 0) { memcpy(link->name, def->name, length); }
    fr_status status = open_replica(link, error);
    if (status == FR_OK) { status = open_client(link, error); }
    if (status != FR_OK) {
        fr_replica_link_destroy(link);
        return status;
    }
    *out = link;
    return FR_OK;
}

void fr_replica_link_destroy(fr_replica_link *link) {
    if (link == NULL) { return; }
    fr_client_destroy(link->client);
    fr_array_destroy(&link->bytes);
    fr_allocator allocator = link->allocator;
    fr_deallocate(&allocator, link, 1, sizeof *link);
}

// ---------------------------------------------------------------------------------------------------------------
// The exchange

static bool is_open(const fr_replica_link *link) {
    return link->client != NULL && fr_client_get(link->client).phase == FR_CLIENT_OPEN;
}

static fr_status send_updates(fr_replica_link *link, fr_error *error) {
    if (!is_open(link)) { return FR_OK; }
    if (fr_client_get(link->client).unsent_bytes > 0) {
        link->state.passed_over++;
        return FR_OK;
    }
    link->bytes.count = 0;
    fr_status status = fr_replica_write(link->replica, (size_t)(BYTES_PER_SECOND * link->step), &link->bytes, error);
    if (status != FR_OK || link->bytes.count == 0) { return status; }
    // A connection that has ended says so with the next call of fr_client_service.
    bool is_sent = fr_client_send_bytes(link->client, link->bytes.data, link->bytes.count, NULL) == FR_OK;
    link->state.sent += is_sent;
    return FR_OK;
}

// A connection that ended, or a server that is not there: tried again for as long as patience lasts.
static fr_status lose(fr_replica_link *link, fr_status status, const fr_error *why, fr_error *error) {
    uint64_t now = fr_clock_ns();
    bool may_wait = status == FR_ERROR_SYSTEM || status == FR_ERROR_STOPPED;
    if (link->lost_ns == 0) { link->lost_ns = now; }
    if (!may_wait || (double)(now - link->lost_ns) * 1e-9 >= link->def.patience_seconds) {
        return fr_error_set(error, status, "%s", why->message);
    }
    fr_client_destroy(link->client);
    link->client = NULL;
    return FR_OK;
}

// Takes in what comes until some time, or until a tick is due where no time is left.
static fr_status serve_until(fr_replica_link *link, uint64_t end_ns, const fr_control *control, fr_error *error) {
    for (uint32_t i = 0;; i++) {
        if (fr_control_is_stopped(control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        uint64_t now = fr_clock_ns(), wait = now < end_ns ? end_ns - now : 0;
        if (wait > slice_ns) { wait = slice_ns; }
        fr_error why = {0};
        bool has_taken = false;
        fr_status status = FR_OK;
        if (link->client == NULL) { status = open_client(link, &why); }
        if (status == FR_OK) { status = fr_client_service(link->client, wait, &has_taken, &why); }
        if (status != FR_OK) {
            status = lose(link, status, &why, error);
            if (status != FR_OK) { return status; }
            const struct timespec pause = {.tv_nsec = again_ns};
            (void)nanosleep(&pause, NULL);
        }
        bool is_over = fr_clock_ns() >= end_ns;
        if (is_over && (!has_taken || i >= MESSAGES_AT_ONCE)) { return FR_OK; }
    }
}

static fr_status follow(fr_replica_link *link, bool *is_paused, fr_error *error) {
    *is_paused = false;
    if (!is_open(link)) {
        *is_paused = link->lost_ns != 0;
        return FR_OK;
    }
    const fr_mirror *mirror = fr_client_mirror(link->client);
    const fr_mirror_view *view = fr_mirror_get(mirror);
    if (!view->has_state) {
        *is_paused = link->lost_ns != 0;
        return FR_OK;
    }
    link->state.connections += link->state.connections == 0 || link->lost_ns != 0;
    link->lost_ns = 0;
    *is_paused = (view->state_flags & FR_STATE_PAUSED) != 0;
    uint64_t frames = fr_client_get(link->client).frames;
    if (frames == link->frames) { return FR_OK; }
    link->frames = frames;
    return fr_replica_follow(link->replica, mirror, error);
}

fr_status fr_replica_link_exchange(fr_replica_link *link, const fr_control *control, fr_error *error) {
    FR_ASSERT(link != NULL);
    uint64_t step_ns = (uint64_t)(link->step * 1e9);
    bool is_paused = false;
    do {
        fr_status status = send_updates(link, error);
        uint64_t now = fr_clock_ns();
        // Ticks that cannot be caught up with are left out.
        bool is_behind = link->due_ns == 0 || now > link->due_ns + late_ns;
        link->due_ns = (is_behind ? now : link->due_ns) + step_ns;
        if (status == FR_OK) { status = serve_until(link, link->due_ns, control, error); }
        if (status == FR_OK) { status = follow(link, &is_paused, error); }
        if (status != FR_OK) { return status; }
    } while (is_paused);
    return FR_OK;
}

fr_status fr_replica_link_begin(fr_replica_link *link, const fr_control *control, fr_error *error) {
    FR_ASSERT(link != NULL);
    fr_status status = FR_OK;
    while (status == FR_OK && !fr_replica_get(link->replica).is_ready) {
        status = fr_cast_tick(link->def.replica.cast, NULL, error);
        if (status == FR_OK) { status = fr_replica_link_exchange(link, control, error); }
    }
    return status;
}

fr_replica_link_state fr_replica_link_get(const fr_replica_link *link) {
    FR_ASSERT(link != NULL);
    fr_replica_link_state state = link->state;
    state.replica = fr_replica_get(link->replica);
    return state;
}

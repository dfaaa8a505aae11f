// What clients see of a record that is served, and what they do with it.
#include "server/server.h"

#include <math.h>

#define PUBLISH_NS UINT64_C(250000000)
enum { TOUCHES_AT_ONCE = 256 };

static bool put_up(fr_server *server, const fr_message *message, uint64_t *notice) {
    fr__packet packet = fr__packet_make(&server->allocator);
    if (!fr__packet_add(&packet, message)) {
        fr__packet_free(&packet);
        return false;
    }
    if (notice != NULL) { fr__feed_take(&server->scene_feed, *notice, NULL); }
    uint64_t serial = fr__feed_put(&server->scene_feed, &packet);
    if (notice != NULL) { *notice = serial; }
    return serial != 0;
}

static bool publish_state(fr_server *server, fr_served_record *r, uint64_t searched, bool is_done) {
    const char *flaw = fr_record_player_flaw(r->player);
    // The search compares the ticks with what was recorded: it may find what the player does not.
    if (flaw[0] == '\0' && is_done && r->search.flaw.status != FR_ERROR_STOPPED) { flaw = r->search.flaw.message; }
    fr_message message = {.type = FR_MESSAGE_RECORD};
    message.as.record = (fr_message_record){.name = r->name,
                                            .ticks = fr_record_player_tick_count(r->player) - r->first,
                                            .searched = searched > r->first ? searched - r->first : 0,
                                            .is_full = atomic_load(&r->search.is_full),
                                            .speed = r->speed,
                                            .flaw = flaw};
    return put_up(server, &message, &r->notice);
}

static bool publish_touches(fr_server *server, fr_served_record *r, uint32_t count) {
    fr_wire_record_touch list[TOUCHES_AT_ONCE];
    uint32_t n = 0;
    for (uint32_t i = r->published_touches; i < count && n < TOUCHES_AT_ONCE; i++) {
        const fr__record_touch *touch = &r->search.touches[i];
        list[n++] = (fr_wire_record_touch){.id = touch->id, .is_end = touch->is_end, .a = touch->a, .b = touch->b};
        list[n - 1].at = fmax(0.0, touch->at - (double)r->first);
    }
    fr_message message = {.type = FR_MESSAGE_RECORD_TOUCHES};
    message.as.record_touches = (fr_message_record_touches){.touches = list, .touch_count = n};
    if (!put_up(server, &message, NULL)) { return false; }
    r->published_touches += n;
    return true;
}

static void wake_all(fr_server *server) {
    for (fr__client *client = server->clients; client != NULL; client = client->after) {
        if (client->is_greeted) { fr__client_wake(client); }
    }
}

void fr__served_publish_record(fr_server *server, bool is_due) {
    fr_served_record *r = server->served.record;
    uint64_t now = fr_clock_ns();
    if (r == NULL || (!is_due && now < r->published_ns + PUBLISH_NS)) { return; }
    // What is read first was stored last: each touch that is counted belongs to a tick that will be.
    bool is_done = atomic_load(&r->search.is_done);
    uint64_t searched = atomic_load(&r->search.searched);
    uint32_t count = atomic_load(&r->search.count);
    bool is_new = is_due || searched != r->published_searched || is_done != r->was_done;
    if (!is_new) { return; }
    r->published_ns = now;
    bool is_put = true;
    while (is_put && r->published_touches < count) {
        is_put = publish_touches(server, r, count);
    }
    if (!is_put || !publish_state(server, r, searched, is_done)) { return; }
    r->published_searched = searched;
    r->was_done = is_done;
    wake_all(server);
}

void fr__served_begin_record(fr_server *server) {
    fr_served_record *r = server->served.record;
    if (r == NULL) { return; }
    r->speed = fmin(fmax(server->def.speed, FR_SERVED_RECORD_SPEED_MIN), FR_SERVED_RECORD_SPEED_MAX);
    fr__record_search_begin(&r->search, server->def.background);
}

static void set_pace(fr_server *server) {
    const fr_served_record *r = server->served.record;
    double step = server->frames.step * (double)fr__record_stride(r);
    server->pace = fr__pace_make(step, r->speed, fr_clock_ns());
}

static fr_status refuse(fr_error *error) {
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this scene is no record: its time goes forward alone");
}

fr_status fr__served_seek(fr_server *server, uint64_t tick, fr_error *error) {
    fr_served_record *r = server->served.record;
    if (r == NULL) { return refuse(error); }
    r->wanted = tick;
    server->pace.due_ns = fr_clock_ns();
    return FR_OK;
}

fr_status fr__served_set_speed(fr_server *server, double speed, fr_error *error) {
    fr_served_record *r = server->served.record;
    if (r == NULL) { return refuse(error); }
    if (!(speed >= FR_SERVED_RECORD_SPEED_MIN && speed <= FR_SERVED_RECORD_SPEED_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a record is played 0.01 to 100 times as fast");
    }
    r->speed = speed;
    set_pace(server);
    fr__served_publish_record(server, true);
    return FR_OK;
}

fr_status fr__served_play_record(fr_server *server, uint32_t mode) {
    fr_served_record *r = server->served.record;
    switch (mode) {
    case FR_PLAY_PAUSE: server->is_paused = true; break;
    case FR_PLAY_GO:
        // At the end it begins again.
        if (fr__record_is_over(r)) { (void)fr__served_seek(server, 0, NULL); }
        server->is_paused = false;
        set_pace(server);
        break;
    case FR_PLAY_STEP:
        server->is_paused = true;
        server->wants_step = true;
        server->pace.due_ns = fr_clock_ns();
        break;
    default: (void)fr__served_seek(server, 0, NULL); break;
    }
    return FR_OK;
}

fr_status fr__served_advance_record(fr_server *server, bool *is_paused, fr_error *error) {
    fr_served_record *r = server->served.record;
    uint64_t ticks = server->is_paused ? 1 : fr__record_stride(r);
    fr_status status = fr__record_advance(r, ticks, is_paused, error);
    if (fr__record_is_over(r)) { server->is_paused = true; }
    return status;
}

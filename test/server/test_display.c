// What a display gets: one message a picture, for which it does not ask, and the newest state in it, however slowly it
// draws. Server and display are one thread, so that it is known what the server has done when a picture is drawn.
#include "frame.h"
#include "provider.h"

#include <time.h>

typedef struct display {
    fr_server *server;
    test_client client;
} display;

static uint64_t ticks_of(const display *d) { return fr_server_get_stats(d->server).ticks; }

// One turn of the server; it sleeps where nothing is due.
static void work(const display *d) {
    double wait = 0.0;
    fr_error error = {0};
    if (fr_server_step(d->server, &wait, &error) != FR_OK) { fail_msg("%s", error.message); }
    const struct timespec moment = {.tv_nsec = (long)(1e9 * wait)};
    (void)nanosleep(&moment, NULL);
}

static void work_until(const display *d, uint64_t ticks) {
    while (ticks_of(d) < ticks) {
        work(d);
    }
}

// Takes all that has come.
static void drain(display *d) {
    bool has_taken = true;
    fr_error error = {0};
    while (has_taken) {
        if (fr_client_service(d->client.link, 0, &has_taken, &error) != FR_OK) { fail_msg("%s", error.message); }
    }
}

static void open_display(display *d, const char *scene) {
    fr_error error = {0};
    *d = (display){.server = NULL};
    fr_server_def server = test_server_def(scene);
    if (fr_server_create(&server, &d->server, &error) != FR_OK) { fail_msg("no server: %s", error.message); }
    char url[64];
    snprintf(url, sizeof url, "ws://127.0.0.1:%u", (unsigned)fr_server_port(d->server));
    fr_client_def def = fr_default_client_def();
    def.url = url;
    def.wants = FR_WANTS_POSES;
    def.received = client_told;
    def.user = &d->client;
    d->client = (test_client){.socket = -1, .payload = fr_array_make(1, NULL)};
    if (fr_client_create(&def, &d->client.link, &error) != FR_OK) { fail_msg("no client: %s", error.message); }
    d->client.mirror = fr_client_mirror(d->client.link);
    for (int i = 0; i < 100000 && d->client.state_count < 3; i++) {
        work(d);
        drain(d);
    }
    assert_true(d->client.state_count >= 3);
}

static void close_display(display *d) {
    client_close(&d->client);
    fr_server_destroy(d->server);
}

// Updates that the server has made and the display does not show.
static uint64_t lag_of(const display *d, uint64_t first_tick, uint64_t first_state) {
    return (ticks_of(d) - first_tick) - (fr_mirror_get(d->client.mirror)->tick - first_state);
}

// Takes what was sent, until no more than one update is missing. The server does nothing meanwhile, so all of it was on
// its way, however long a busy machine takes to bring it.
static bool is_near(display *d, uint64_t first_tick, uint64_t first_state) {
    const struct timespec moment = {.tv_nsec = 2000000};
    drain(d);
    for (int i = 0; i < 1000 && lag_of(d, first_tick, first_state) > 1; i++) {
        (void)nanosleep(&moment, NULL);
        drain(d);
    }
    return lag_of(d, first_tick, first_state) <= 1;
}

static void a_picture_is_one_message(void **state) {
    (void)state;
    display d;
    open_display(&d, "walk:1");
    drain(&d);
    const uint64_t tick = ticks_of(&d), sequence = fr_mirror_get(d.client.mirror)->tick;
    const uint32_t states = d.client.state_count;
    const fr_client_state before = fr_client_get(d.client.link);
    while (ticks_of(&d) < tick + 90) {
        work(&d);
        assert_true(is_near(&d, tick, sequence));
    }
    for (int i = 0; i < 100000 && lag_of(&d, tick, sequence) > 0; i++) { // what is on its way
        drain(&d);
    }
    assert_int_equal(lag_of(&d, tick, sequence), 0);
    assert_int_equal(ticks_of(&d) - tick, d.client.state_count - states);
    const fr_client_state after = fr_client_get(d.client.link);
    assert_int_equal(d.client.state_count - states, after.frames - before.frames);
    assert_true(after.bytes_sent == before.bytes_sent);
    print_message("%.0f bytes a picture\n", (double)(after.bytes_taken - before.bytes_taken) / 90.0);
    assert_int_equal(fr_server_get_stats(d.server).skipped, 0);
    close_display(&d);
}

// It draws when it likes: every few updates, then not at all for so long that its socket is full.
static void a_slow_display_shows_the_newest_state(void **state) {
    (void)state;
    display d;
    open_display(&d, "crowd:500");
    drain(&d);
    const uint64_t tick = ticks_of(&d), sequence = fr_mirror_get(d.client.mirror)->tick;
    for (uint64_t gap = 1; gap <= 128; gap *= gap < 16 ? 2 : 8) {
        work_until(&d, ticks_of(&d) + gap);
        drain(&d);
        // What filled the socket is old; the first update after that is the newest.
        bool is_newest = lag_of(&d, tick, sequence) <= 1;
        for (int i = 0; i < 100 && !is_newest; i++) {
            work_until(&d, ticks_of(&d) + 1);
            drain(&d);
            is_newest = lag_of(&d, tick, sequence) <= 1;
        }
        assert_true(is_newest);
    }
    assert_true(fr_server_get_stats(d.server).skipped > 0);
    assert_true(d.client.state_count < ticks_of(&d) - tick);
    close_display(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_one_message),
        cmocka_unit_test(a_slow_display_shows_the_newest_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

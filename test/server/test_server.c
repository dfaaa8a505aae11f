// The server as its clients see it.
#include "failing.h"
#include "provider.h"

#include <signal.h>
#include <sys/stat.h>

static running_server running;

static void begin(const char *first) {
    fr_server_def def = test_server_def(first);
    server_start(&running, &def);
}

// ---------------------------------------------------------------------------------------------------------------
// Definition

static void wrong_definitions_are_refused(void **state) {
    (void)state;
    static const char *const origins[] = {"example.org"};
    enum { COUNT = 12 };
    fr_server_def defs[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        defs[i] = test_server_def("pair");
    }
    defs[0].speed = 0.0;
    defs[1].max_clients = 0;
    defs[2].max_message_bytes = 1;
    defs[3].messages_per_second = 0;
    defs[4].lease_seconds = -1.0;
    defs[5].origins = origins;
    defs[5].origin_count = 1;
    defs[6].speed = NAN;
    defs[7].speed = 1.1e6;
    defs[8].max_clients = 4097;
    defs[9].max_message_bytes = (1u << 24) + 1;
    defs[10].messages_per_second = 1000001;
    defs[11].lease_seconds = 1.1e6;
    for (size_t i = 0; i < COUNT; i++) {
        fr_server *server = (fr_server *)&defs[0];
        fr_error error = {0};
        assert_int_equal(fr_server_create(&defs[i], &server, &error), FR_ERROR_ARGUMENT);
        assert_null(server);
        assert_true(error.message[0] != '\0');
    }
    fr_server_destroy(NULL);
}

static void an_address_that_cannot_be_had_is_told(void **state) {
    (void)state;
    begin("pair");
    fr_server_def def = test_server_def("pair");
    fr_server *server;
    fr_error error = {0};
    def.port = running.port;
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_SYSTEM);
    assert_non_null(strstr(error.message, "cannot listen on 127.0.0.1:"));
    assert_non_null(strstr(error.message, "in use"));
    def.port = 0;
    def.address = "not an address";
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_SYSTEM);
    def.address = "127.0.0.1";
    def.provider.first = "none";
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_FILE);
    def.provider.first = "pair";
    def.viewer_folder = "/nowhere/at/all";
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_FILE);
    assert_string_equal(error.path, "/nowhere/at/all");
    server_end(&running);
}

static int count_descriptors(void) {
    int count = 0;
    for (int i = 0; i < 256; i++) {
        struct stat about;
        count += fstat(i, &about) == 0;
    }
    return count;
}

static void nothing_stays_open(void **state) {
    (void)state;
    int before = count_descriptors();
    for (int i = 0; i < 3; i++) {
        test_client c;
        begin("pair");
        client_open(&c, running.port, "a", CLIENT_WANTS);
        client_follow_states(&c, 2);
        server_end(&running);
        client_close(&c);
    }
    assert_int_equal(count_descriptors(), before);
}

// ---------------------------------------------------------------------------------------------------------------
// Watching

static void a_client_is_told_the_whole_world(void **state) {
    (void)state;
    test_client c;
    begin("pair");
    client_open(&c, running.port, "a", CLIENT_WANTS);
    client_follow_states(&c, 5);
    const fr_mirror_view *view = fr_mirror_get(c.mirror);
    assert_int_equal(view->welcome.client, 1);
    assert_int_equal(view->welcome.max_message_bytes, 65536);
    assert_true(view->welcome.step == 0.01);
    assert_string_equal(view->welcome.scene, "pair");
    assert_int_equal(view->gallery.demo_count, 3);
    assert_string_equal(view->gallery.demos[1].title, "A crowd");
    assert_string_equal(view->gallery.current, "pair");
    assert_int_equal(view->object_count, 3);
    assert_int_equal(view->mesh_count, 2);
    assert_true(view->meshes[0]->is_whole && view->meshes[1]->is_whole);
    assert_int_equal(view->meshes[0]->triangle_count, 168);
    const fr_mirror_object *left = fr_mirror_find(c.mirror, "left"), *floor = fr_mirror_find(c.mirror, "floor");
    assert_int_equal(floor->flags, FR_OBJECT_STATIC);
    fr_pose expected = test_scene_pose(0, view->tick);
    assert_true(fr_vec3_equal(left->pose.position, expected.position));
    assert_int_equal(c.complete_count, 1);
    client_close(&c);
    server_end(&running);
}

static void pairs_contacts_events_and_statistics_come_when_wanted(void **state) {
    (void)state;
    test_client with, without;
    begin("pair");
    client_open(&with, running.port, "with", CLIENT_WANTS);
    client_open(&without, running.port, "without", FR_WANTS_POSES);
    // left meets right when it has gone less than 2 metres.
    while (fr_mirror_get(with.mirror)->pairs.total == 0) {
        client_follow_states(&with, 1);
    }
    assert_true(fr_mirror_get(with.mirror)->contacts.total > 0);
    assert_true(with.events > 0);
    client_follow_states(&with, 20);
    assert_true(fr_mirror_get(with.mirror)->stats.sequence > 0);
    assert_int_equal(fr_mirror_get(with.mirror)->stats.clients, 2);
    client_follow(&without, fr_mirror_get(with.mirror)->sequence);
    assert_int_equal(fr_mirror_get(without.mirror)->pairs.sequence, 0);
    assert_int_equal(without.events, 0);
    assert_int_equal(fr_mirror_get(without.mirror)->stats.sequence, 0);

    fr_message wants = {.type = FR_MESSAGE_WANTS};
    wants.as.wants.wants = FR_WANTS_POSES | FR_WANTS_PAIRS;
    assert_true(client_say(&without, &wants));
    while (fr_mirror_get(without.mirror)->pairs.sequence == 0) {
        client_follow_states(&without, 1);
    }
    client_close(&with);
    client_close(&without);
    server_end(&running);
}

static void two_clients_converge(void **state) {
    (void)state;
    test_client a, b;
    begin("crowd:20");
    client_open(&a, running.port, "a", CLIENT_WANTS);
    client_follow_states(&a, 30);
    client_open(&b, running.port, "b", FR_WANTS_POSES);
    client_follow_states(&b, 10);
    assert_int_equal(client_play(&a, FR_PLAY_PAUSE), FR_OK);
    // Time stands; both come to the same state.
    while ((fr_mirror_get(a.mirror)->state_flags & FR_STATE_PAUSED) == 0) {
        client_follow_states(&a, 1);
    }
    uint64_t sequence = fr_mirror_get(a.mirror)->sequence;
    client_follow(&b, sequence);
    client_follow(&a, fr_mirror_get(b.mirror)->sequence);
    assert_int_equal(fr_mirror_get(a.mirror)->tick, fr_mirror_get(b.mirror)->tick);
    assert_true(fr_mirror_hash(a.mirror) == fr_mirror_hash(b.mirror));
    // The one was sent changes, the other everything, once.
    assert_int_equal(b.complete_count, 1);
    client_close(&a);
    client_close(&b);
    server_end(&running);
}

static void a_slow_client_delays_nobody(void **state) {
    (void)state;
    test_client slow, quick[3];
    begin("crowd:1000");
    client_open(&slow, running.port, "slow", CLIENT_WANTS);
    for (int i = 0; i < 3; i++) {
        client_open(&quick[i], running.port, "quick", FR_WANTS_POSES);
    }
    // The slow one reads nothing at all: more than its sockets can hold is sent to each of the others.
    for (int k = 0; k < 150; k++) {
        for (int i = 0; i < 3; i++) {
            client_follow_states(&quick[i], 1);
        }
    }
    assert_int_equal(client_play(&quick[0], FR_PLAY_PAUSE), FR_OK);
    client_follow_states(&quick[0], 3);
    uint64_t sequence = fr_mirror_get(quick[0].mirror)->sequence;
    for (int i = 1; i < 3; i++) {
        client_follow(&quick[i], sequence);
        assert_true(fr_mirror_hash(quick[i].mirror) == fr_mirror_hash(quick[0].mirror));
    }
    // When it reads at last it comes to the newest state, having missed some between.
    client_follow(&slow, sequence);
    assert_true(slow.state_count < fr_mirror_get(slow.mirror)->sequence);
    assert_true(fr_mirror_hash(slow.mirror) == fr_mirror_hash(quick[0].mirror));
    client_close(&slow);
    for (int i = 0; i < 3; i++) {
        client_close(&quick[i]);
    }
    assert_true(server_end(&running).skipped > 0);
}

static void going_in_the_middle_of_a_mesh_harms_nobody(void **state) {
    (void)state;
    test_client gone, stays;
    begin("big");
    for (int i = 0; i < 5; i++) {
        client_open(&gone, running.port, "gone", CLIENT_WANTS);
        while (fr_mirror_get(gone.mirror)->mesh_count == 0) {
            assert_true(client_take(&gone));
        }
        assert_false(fr_mirror_get(gone.mirror)->meshes[0]->is_whole);
        client_close(&gone);
    }
    client_open(&stays, running.port, "stays", CLIENT_WANTS);
    client_follow_states(&stays, 3);
    assert_true(fr_mirror_get(stays.mirror)->meshes[0]->is_whole);
    assert_int_equal(fr_mirror_get(stays.mirror)->meshes[0]->triangle_count, 2 * 199 * 400);
    client_close(&stays);
    server_end(&running);
}

static void a_world_without_watchers_stands_still_unless_told(void **state) {
    (void)state;
    begin("pair");
    wait_ms(200);
    fr_server_stats stats = server_end(&running);
    assert_int_equal(stats.ticks, 1);
    fr_server_def def = test_server_def("pair");
    def.is_always_ticking = true;
    def.speed = 4.0;
    server_start(&running, &def);
    wait_ms(300);
    stats = server_end(&running);
    assert_true(stats.ticks > 20);
    assert_true(stats.ticks + stats.late <= 1 + 4 * 100);
}

// ---------------------------------------------------------------------------------------------------------------
// The end

static void clients_are_told_of_the_end(void **state) {
    (void)state;
    test_client c;
    begin("pair");
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 1);
    uint64_t begin_ns = fr_clock_ns();
    server_halt(&running);
    assert_true(fr_clock_ms_since(begin_ns) < 1000.0);
    fr_server_destroy(running.server);
    assert_true(fr_clock_ms_since(begin_ns) < 2000.0);
    client_drain(&c);
    assert_int_equal(c.error_status, FR_ERROR_STOPPED);
    assert_int_equal(c.close_code, 1001);
    client_close(&c);
}

static void signals_stay_as_they_were(void **state) {
    (void)state;
    struct sigaction before, after;
    assert_int_equal(sigaction(SIGPIPE, NULL, &before), 0);
    assert_true(before.sa_handler == SIG_DFL);
    begin("pair");
    assert_int_equal(sigaction(SIGPIPE, NULL, &after), 0);
    assert_true(after.sa_handler == SIG_DFL);
    server_end(&running);
}

static bool stop_after(void *user) { return --*(int *)user < 0; }

static void control_ends_the_run(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    fr_server *server;
    assert_int_equal(fr_server_create(&def, &server, NULL), FR_OK);
    int turns = 3;
    fr_control control = {.stop = stop_after, .user = &turns};
    assert_int_equal(fr_server_run(server, &control, NULL), FR_OK);
    fr_server_stop(server);
    assert_int_equal(fr_server_run(server, NULL, NULL), FR_OK);
    fr_server_destroy(server);
}

static fr_status make_server(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_server_def def = test_server_def("pair");
    def.allocator = *allocator;
    fr_server *server = NULL;
    fr_status status = fr_server_create(&def, &server, NULL);
    fr_server_destroy(server);
    return status;
}

static fr_status open_without_restart(const char *name, fr_served_scene *scene, void *user, fr_error *error) {
    fr_status status = test_scene_open(name, scene, user, error);
    if (status == FR_OK) { scene->restart = NULL; }
    return status;
}

static fr_server *to_stop;

static void stop_by_signal(int number) {
    (void)number;
    fr_server_stop(to_stop);
}

// Stopped by a signal handler, on an address by name, while a client watches.
static void a_signal_handler_may_end_it(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    def.address = "localhost";
    server_start(&running, &def);
    test_client c;
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 2);
    to_stop = running.server;
    struct sigaction new_action = {.sa_handler = stop_by_signal}, old_action;
    assert_int_equal(sigaction(SIGUSR1, &new_action, &old_action), 0);
    uint64_t begin_ns = fr_clock_ns();
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(pthread_join(running.thread, NULL), 0);
    assert_true(fr_clock_ms_since(begin_ns) < 1000.0); // 50 ms, and whatever else the machine does
    assert_int_equal(sigaction(SIGUSR1, &old_action, NULL), 0);
    assert_int_equal(running.status, FR_OK);
    fr_server_destroy(running.server);
    client_close(&c);
}

static void what_cannot_begin_anew_says_so(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    def.provider.open = open_without_restart;
    server_start(&running, &def);
    test_client c;
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 1);
    assert_int_equal(client_play(&c, FR_PLAY_RESTART), FR_ERROR_UNSUPPORTED);
    client_close(&c);
    server_end(&running);
}

static bool always_stop(void *user) {
    (void)user;
    return true;
}

static void making_is_stopped(void **state) {
    (void)state;
    fr_control control = {.stop = always_stop};
    fr_server_def def = test_server_def("pair");
    def.control = &control;
    fr_server *server = NULL;
    assert_int_equal(fr_server_create(&def, &server, NULL), FR_ERROR_STOPPED);
    assert_null(server);
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    test_every_failure_leaves_nothing(make_server, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(an_address_that_cannot_be_had_is_told),
        cmocka_unit_test(nothing_stays_open),
        cmocka_unit_test(a_client_is_told_the_whole_world),
        cmocka_unit_test(pairs_contacts_events_and_statistics_come_when_wanted),
        cmocka_unit_test(two_clients_converge),
        cmocka_unit_test(a_slow_client_delays_nobody),
        cmocka_unit_test(going_in_the_middle_of_a_mesh_harms_nobody),
        cmocka_unit_test(a_world_without_watchers_stands_still_unless_told),
        cmocka_unit_test(clients_are_told_of_the_end),
        cmocka_unit_test(signals_stay_as_they_were),
        cmocka_unit_test(control_ends_the_run),
        cmocka_unit_test(a_signal_handler_may_end_it),
        cmocka_unit_test(what_cannot_begin_anew_says_so),
        cmocka_unit_test(making_is_stopped),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

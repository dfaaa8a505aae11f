// A force pen over UDP, worn by a person whom a tracker follows, in a served world: those who watch see it come, take a
// block, carry it and let it go; and that its device is gone, and back.
#include "provider.h"

#include "fureai/devices.h"

#include <math.h>
#include <stdatomic.h>

static const char text[] =
    "{\"fureai\":1,\"step\":0.01,\"steps\":1,\"objects\":["
    "{\"name\":\"table\",\"shape\":\"box\",\"position\":[0,-0.5,0],\"static\":true},"
    "{\"name\":\"block\",\"shape\":\"box\",\"position\":[0,0.0301,0],\"scale\":0.06},"
    "{\"name\":\"cup\",\"shape\":\"box\",\"position\":[0.4,0.03,0],\"scale\":0.06,\"tracked\":3}],"
    "\"aid\":{}}";

// A simulated pen on the network, in a thread of its own, and a tracker: sensor 0 is on who wears it, 3 on a real cup.
typedef struct served_device {
    fr_simulated_pen *pen;
    fr_udp_server *server;
    fr_udp_sender *sender;
    pthread_t thread;
    atomic_int stage; // what the hand does
    atomic_bool is_silent, shall_stop;
} served_device;

enum { ABOVE, DOWN, TAKES, CARRIES, LETS_GO };

static fr_vec3 wish(double time, void *user) {
    (void)time;
    static const fr_vec3 places[] = {[ABOVE] = {0.0, 0.04, 0.0},
                                     [DOWN] = {0.0, -0.035, 0.0},
                                     [TAKES] = {0.0, -0.035, 0.0},
                                     [CARRIES] = {0.05, 0.05, 0.0},
                                     [LETS_GO] = {0.05, 0.05, 0.0}};
    return places[atomic_load(&((served_device *)user)->stage)];
}

static void *serve_device(void *user) {
    served_device *d = user;
    while (!atomic_load(&d->shall_stop)) {
        int stage = atomic_load(&d->stage);
        bool is_pressed = stage == TAKES || stage == CARRIES;
        double now = 1e-9 * (double)fr_clock_ns();
        fr_simulated_pen_press(d->pen, FR_DEVICE_BUTTON_HELD | (is_pressed ? FR_DEVICE_BUTTON_GRASP : 0u));
        fr_sensor_pose body = {.time = now, .pose = fr_pose_identity(), .position_error = 1e-4}, cup = body;
        body.pose.position = fr_vec3_make(0.0, 0.1, 0.0);
        cup.sensor = 3;
        cup.pose.position = fr_vec3_make(0.3, 0.031, 0.1);
        (void)fr_udp_sender_send(d->sender, &body, NULL);
        (void)fr_udp_sender_send(d->sender, &cup, NULL);
        if (!atomic_load(&d->is_silent)) { fr_udp_server_step(d->server, now); }
        struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
    return NULL;
}

// A port that nothing listens at.
static uint16_t free_port(void) {
    fr_udp_tracker_def def = fr_default_udp_tracker_def();
    fr_udp_tracker *tracker;
    assert_int_equal(fr_udp_tracker_create(&def, &tracker, NULL), FR_OK);
    uint16_t port = fr_udp_tracker_port(tracker);
    fr_udp_tracker_destroy(tracker);
    return port;
}

static fr_station *begin_device(served_device *d) {
    memset(d, 0, sizeof *d);
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    def.is_real_time = true;
    def.grip = 400.0;
    def.damping = 10.0;
    def.wish = wish;
    def.wish_user = d;
    assert_int_equal(fr_simulated_pen_create(&def, &d->pen, NULL), FR_OK);
    fr_udp_server_def server = fr_default_udp_server_def();
    server.device = fr_simulated_pen_device(d->pen);
    assert_int_equal(fr_udp_server_create(&server, &d->server, NULL), FR_OK);
    fr_station_def station_def = fr_default_station_def();
    char name[64];
    snprintf(name, sizeof name, "udp:127.0.0.1:%u,string", (unsigned)fr_udp_server_port(d->server));
    station_def.device = name;
    station_def.seconds = 10.0;
    station_def.sensor_port = free_port();
    assert_int_equal(fr_udp_sender_create("127.0.0.1", station_def.sensor_port, &d->sender, NULL), FR_OK);
    assert_int_equal(pthread_create(&d->thread, NULL, serve_device, d), 0);
    fr_station *station;
    fr_error error = {0};
    fr_status status = fr_station_create(&station_def, &station, &error);
    if (status != FR_OK) { fail_msg("%s", error.message); }
    return station;
}

static void end_device(served_device *d, fr_station *station) {
    fr_station_destroy(station);
    atomic_store(&d->shall_stop, true);
    pthread_join(d->thread, NULL);
    fr_udp_server_destroy(d->server);
    fr_udp_sender_destroy(d->sender);
    fr_simulated_pen_destroy(d->pen);
}

// ---------------------------------------------------------------------------------------------------------------
// The server

static fr_status open_served(const char *name, fr_served_scene *out, void *station, fr_error *error) {
    fr_served_scene_def def = fr_default_served_scene_def();
    fr_status status = fr_scene_read(text, sizeof text - 1, NULL, &def.scene, error);
    if (status == FR_OK) { status = fr_scene_player_create(NULL, &def.player, error); }
    if (status != FR_OK) { return status; }
    fr_world_def world = fr_scene_world_def(def.scene);
    fr_scene_build_input build = fr_default_scene_build_input();
    build.player = def.player;
    status = fr_world_create(&world, &def.world, error);
    if (status == FR_OK) { status = fr_scene_build_world(def.scene, &build, def.world, NULL, error); }
    def.pen = fr_station_pen(station);
    def.read_sensor = fr_station_read_sensor;
    def.sensor_user = station;
    if (status == FR_OK) { status = fr_served_scene_create(&def, out, error); }
    out->title = name;
    return status;
}

static void close_served(fr_served_scene *served, void *station) {
    (void)station;
    fr_served_scene_destroy(served);
}

typedef struct watched {
    uint32_t held, released, force, lost, back;
} watched;

static void follow(test_client *c, watched *w) {
    client_follow_states(c, 1);
    const fr_mirror_view *view = fr_mirror_get(c->mirror);
    for (uint32_t i = 0; i < view->events.event_count; i++) {
        const fr_wire_event *e = &view->events.events[i];
        w->held += e->kind == FR_EVENT_HELD;
        w->released += e->kind == FR_EVENT_RELEASED;
        w->force += e->kind == FR_EVENT_FORCE;
        w->lost += e->kind == FR_EVENT_NAMED && strcmp(e->name, FR_PEN_LOST) == 0;
        w->back += e->kind == FR_EVENT_NAMED && strcmp(e->name, FR_PEN_BACK) == 0;
    }
}

static fr_vec3 place_of(const test_client *c, const char *name) {
    return fr_mirror_find(c->mirror, name)->pose.position;
}

enum { PATIENCE = 2000 }; // states

// Goes down to the block, takes it and carries it.
static void take_and_carry(served_device *d, test_client *c, watched *w, fr_vec3 before) {
    atomic_store(&d->stage, DOWN);
    for (int i = 0; i < PATIENCE && w->lost == 0 && place_of(c, "pen").y > 0.11; i++) {
        follow(c, w);
    }
    for (int i = 0; i < 50; i++) {
        follow(c, w);
    }
    atomic_store(&d->stage, TAKES);
    for (int i = 0; i < PATIENCE && w->lost == 0 && w->held == 0; i++) {
        follow(c, w);
    }
    if (w->lost > 0) { return; }
    assert_int_equal(w->held, 1);
    fr_status grabbed = client_grab(c, client_ref(c, "block"));
    atomic_store(&d->stage, CARRIES);
    for (int i = 0; i < PATIENCE && w->lost == 0 && !(place_of(c, "block").x > before.x + 0.04); i++) {
        follow(c, w);
    }
    if (w->lost > 0) { return; }
    assert_int_equal(grabbed, FR_ERROR_BUSY);
    assert_true(place_of(c, "block").y > before.y + 0.02 && w->force > 0);
    assert_true(fr_vec3_distance(place_of(c, "cup"), fr_vec3_make(0.3, 0.031, 0.1)) < 1e-6);
}

// The device falls silent: the block stays where it is, and that is said; it speaks again.
static void fall_silent(served_device *d, test_client *c, watched *w) {
    atomic_store(&d->is_silent, true);
    for (int i = 0; i < PATIENCE && w->released == 0; i++) {
        follow(c, w);
    }
    assert_true(w->released == 1 && w->lost == 1);
    fr_vec3 left = place_of(c, "block");
    assert_int_equal(client_grab(c, client_ref(c, "block")), FR_OK);
    assert_int_equal(client_drop(c, client_ref(c, "block")), FR_OK);
    atomic_store(&d->stage, LETS_GO);
    atomic_store(&d->is_silent, false);
    for (int i = 0; i < PATIENCE && w->back == 0; i++) {
        follow(c, w);
    }
    assert_true(w->back >= 1 && fr_vec3_distance(place_of(c, "block"), left) < 1e-3);
}

// False where the device was silent for longer than it may be before the test silenced it: on a busy machine.
static bool watch_pen(void) {
    served_device d;
    fr_station *station = begin_device(&d);
    fr_server_def def = fr_default_server_def();
    def.provider = (fr_scene_provider){.first = "pen", .open = open_served, .close = close_served, .user = station};
    def.port = 0;
    running_server running;
    server_start(&running, &def);
    test_client c;
    watched w = {0};
    client_open(&c, running.port, "c", CLIENT_WANTS | FR_WANTS_EVENTS | FR_WANTS_DRAW);
    client_follow_states(&c, 2);
    assert_non_null(fr_mirror_find(c.mirror, "pen"));
    take_and_carry(&d, &c, &w, place_of(&c, "block"));
    bool is_done = w.lost == 0;
    if (is_done) { fall_silent(&d, &c, &w); }
    client_close(&c);
    (void)server_end(&running);
    end_device(&d, station);
    return is_done;
}

static void watchers_see_what_the_pen_does(void **state) {
    (void)state;
    int tries = 1;
    while (!watch_pen()) {
        print_message("the device was lost on a busy machine\n");
        assert_true(++tries <= 20);
    }
}

static void what_is_no_station_is_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"udp:127.0.0.1", "tcp:127.0.0.1:1",     "udp:127.0.0.1:1,lever",
                                        "udp::1",        "udp:127.0.0.1:70000", ""};
    fr_station *station;
    fr_error error;
    fr_station_def def = fr_default_station_def();
    assert_int_equal(fr_station_create(&def, &station, &error), FR_ERROR_ARGUMENT);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        def.device = wrong[i];
        assert_int_equal(fr_station_create(&def, &station, &error), FR_ERROR_ARGUMENT);
    }
    def.device = "udp:127.0.0.1:9";
    def.seconds = 0.02;
    assert_int_equal(fr_station_create(&def, &station, &error), FR_ERROR_SYSTEM);
    def.cookie = 0;
    assert_int_equal(fr_station_create(&def, &station, &error), FR_ERROR_ARGUMENT);
    // A tracker alone
    def = fr_default_station_def();
    def.sensor_port = free_port();
    assert_int_equal(fr_station_create(&def, &station, &error), FR_OK);
    fr_sensor_pose pose;
    double now;
    assert_true(fr_station_pen(station).read == NULL && !fr_station_read_sensor(3, &pose, &now, station) && now > 0.0);
    fr_udp_sender *sender;
    assert_int_equal(fr_udp_sender_create("127.0.0.1", def.sensor_port, &sender, NULL), FR_OK);
    pose = (fr_sensor_pose){.sensor = 3, .time = 1.0, .pose = fr_pose_identity()};
    assert_int_equal(fr_udp_sender_send(sender, &pose, NULL), FR_OK);
    assert_true(fr_station_read_sensor(3, &pose, &now, station) && pose.time <= now);
    fr_udp_sender_destroy(sender);
    fr_station_report report = fr_station_stop(station);
    assert_true(report.loop == NULL && report.tracker.taken == 1 && report.device.taken == 0);
    fr_station_destroy(station);
    fr_station_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(watchers_see_what_the_pen_does),
        cmocka_unit_test(what_is_no_station_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

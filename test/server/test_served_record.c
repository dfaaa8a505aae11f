// Records that are served: every tick can be gone to and shows what was, faces that collide included; touches are found
// beside the ticks; nothing of a record can be handled; what is wrong with one is said.
#include "failing.h"
#include "provider.h"
#include "tape.h"

#include <math.h>

enum { TICKS = 60 };
#define STEP 0.01

// What a world did, tick by tick.
typedef struct story {
    tape record;
    fr_pose left[TICKS + 1];
    uint32_t pairs[TICKS + 1];
    double begin, end; // ticks at which the only touch begins and ends; -1: it does not
} story;

static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_wish wish = {.object = *(fr_object_id *)user, .kind = FR_WISH_NEXT};
    wish.pose = fr_pose_make(fr_vec3_make(-4.0 + 0.15 * (double)(proposal->tick + 1), 0, 0), fr_quat_identity());
    return fr_wishes_add(wishes, &wish, error);
}

// A ball flies through another.
static story tell(void) {
    story s = {.begin = -1.0, .end = -1.0};
    fr_world_def def = fr_default_world_def();
    def.sense = FR_SENSE_CONTINUOUS;
    def.want = FR_WANT_INTERVALS;
    def.step = STEP;
    fr_world *world;
    fr_mesh *ball;
    assert_int_equal(fr_world_create(&def, &world, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_named("sphere_168", NULL, &ball, NULL), FR_OK);
    s.left[0] = fr_pose_make(fr_vec3_make(-4, 0, 0), fr_quat_identity());
    fr_object_id left = test_scene_add(world, "left", ball, s.left[0], 0);
    (void)test_scene_add(world, "right", ball, fr_pose_make(fr_vec3_make(0, 0, 0), fr_quat_identity()), 0);
    fr_corrector mover = {"fly", propose, &left};
    assert_int_equal(fr_world_add_mover(world, &mover, NULL), FR_OK);
    assert_int_equal(fr_world_record(world, tape_keep, &s.record, NULL), FR_OK);
    // A tick in which time stands is no time of the record.
    fr_tick_input standing = fr_default_tick_input();
    standing.is_paused = true;
    assert_int_equal(fr_world_tick(world, &standing, NULL), FR_OK);
    for (uint32_t i = 1; i <= TICKS; i++) {
        assert_int_equal(fr_world_tick(world, NULL, NULL), FR_OK);
        const fr_snapshot *snapshot = fr_world_snapshot(world);
        s.left[i] = snapshot->objects[0].pose;
        s.pairs[i] = (uint32_t)snapshot->pair_count;
        for (size_t k = 0; k < snapshot->event_count; k++) {
            const fr_event *event = &snapshot->events[k];
            double at = (double)(i - 1) + event->fraction;
            if (event->kind == FR_EVENT_TOUCH_BEGIN) { s.begin = at; }
            if (event->kind == FR_EVENT_TOUCH_END) { s.end = at; }
        }
        fr_snapshot_release(snapshot);
    }
    assert_true(s.begin > 1.0 && s.end > s.begin && s.pairs[30] > 0 && s.pairs[TICKS] == 0);
    fr_world_destroy(world);
    fr_mesh_release(ball);
    return s;
}

// ---------------------------------------------------------------------------------------------------------------
// A server of records

typedef struct shelf {
    const tape *record; // "story"
    tape other;         // "other": of another version
} shelf;

static fr_status open_record(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    const shelf *s = user;
    if (strcmp(name, "pair") == 0) { return test_scene_open(name, out, NULL, error); }
    const tape *t = strcmp(name, "other") == 0 ? &s->other : s->record;
    fr_served_record_def def = fr_default_served_record_def();
    def.bytes = t->bytes;
    def.size = t->size;
    def.name = "A story";
    return fr_served_record_create(&def, out, error);
}

static void close_record(fr_served_scene *scene, void *user) {
    (void)user;
    if (scene->record == NULL) {
        test_scene_close(scene, NULL);
    } else {
        fr_served_record_destroy(scene);
    }
}

static const fr_scene_entry entries[] = {
    {.name = "story", .title = "Story"}, {.name = "other", .title = "Other"}, {.name = "pair", .title = "Pair"}};

static fr_server_def record_server(shelf *s, const char *first) {
    fr_server_def def = fr_default_server_def();
    def.provider = (fr_scene_provider){entries, 3, first, open_record, close_record, s};
    def.port = 0;
    def.is_paused = true;
    return def;
}

// What a client received of the record.
typedef struct reader {
    uint32_t records, touches;
    uint64_t ticks, searched;
    double speed, begin, end;
    char flaw[256], a[64], b[64];
} reader;

static reader heard;

static void hear(const fr_mirror *mirror, const fr_message *message, void *user) {
    if (message->type == FR_MESSAGE_RECORD) {
        const fr_message_record *record = &message->as.record;
        heard.records++;
        heard.ticks = record->ticks;
        heard.searched = record->searched;
        heard.speed = record->speed;
        snprintf(heard.flaw, sizeof heard.flaw, "%s", record->flaw);
    }
    for (uint32_t i = 0; message->type == FR_MESSAGE_RECORD_TOUCHES && i < message->as.record_touches.touch_count;
         i++) {
        const fr_wire_record_touch *touch = &message->as.record_touches.touches[i];
        *(touch->is_end != 0 ? &heard.end : &heard.begin) = touch->at;
        snprintf(heard.a, sizeof heard.a, "%s", touch->a);
        snprintf(heard.b, sizeof heard.b, "%s", touch->b);
        heard.touches++;
    }
    client_told(mirror, message, user);
}

static fr_status seek(test_client *c, uint64_t tick) {
    fr_message message = {.type = FR_MESSAGE_SEEK};
    message.as.seek.tick = tick;
    return client_ask(c, &message, &message.as.seek.request);
}

static fr_status set_speed(test_client *c, double speed) {
    fr_message message = {.type = FR_MESSAGE_SPEED};
    message.as.speed.speed = speed;
    return client_ask(c, &message, &message.as.speed.request);
}

static void follow_to(test_client *c, uint64_t tick) {
    while (!fr_mirror_get(c->mirror)->has_state || fr_mirror_get(c->mirror)->tick != tick) {
        if (!client_take(c)) { fail_msg("the connection ended: %s", c->error_text); }
    }
}

static void check_shown(test_client *c, const story *s, uint64_t tick) {
    follow_to(c, tick);
    const fr_mirror_object *left = fr_mirror_find(c->mirror, "left");
    assert_non_null(left);
    if (memcmp(&left->pose, &s->left[tick], sizeof left->pose) != 0) {
        fail_msg("tick %llu shows x = %g", (unsigned long long)tick, left->pose.position.x);
    }
    assert_int_equal(fr_mirror_get(c->mirror)->pairs.total, s->pairs[tick]);
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

static void every_tick_can_be_gone_to(void **state) {
    (void)state;
    story s = tell();
    shelf all = {.record = &s.record};
    fr_server_def def = record_server(&all, "story");
    running_server running;
    server_start(&running, &def);
    test_client c;
    heard = (reader){0};
    client_open_with(&c, running.port, "reader", CLIENT_WANTS, hear);
    check_shown(&c, &s, 0);
    assert_true(heard.ticks == TICKS && heard.speed == 1.0 && heard.flaw[0] == '\0');
    static const uint64_t wanted[] = {TICKS, 10, 33, 32, 31, 1, 0, 30, 59};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        assert_int_equal(seek(&c, wanted[i]), FR_OK);
        check_shown(&c, &s, wanted[i]);
    }
    assert_int_equal(seek(&c, UINT64_C(1) << 52), FR_OK);
    check_shown(&c, &s, TICKS);
    assert_int_equal(c.resets, 0);
    client_close(&c);
    (void)server_end(&running);
    free(s.record.bytes);
}

// Forward it goes tick by tick, stands at the end, and begins again from there.
static void it_is_played_to_its_end(void **state) {
    (void)state;
    story s = tell();
    shelf all = {.record = &s.record};
    fr_server_def def = record_server(&all, "story");
    running_server running;
    server_start(&running, &def);
    test_client c;
    client_open_with(&c, running.port, "reader", CLIENT_WANTS, hear);
    check_shown(&c, &s, 0);
    assert_int_equal(client_play(&c, FR_PLAY_STEP), FR_OK);
    check_shown(&c, &s, 1);
    assert_int_equal(client_play(&c, FR_PLAY_STEP), FR_OK);
    check_shown(&c, &s, 2);
    assert_int_equal(set_speed(&c, 20.0), FR_OK);
    assert_int_equal(client_play(&c, FR_PLAY_GO), FR_OK);
    check_shown(&c, &s, TICKS);
    while ((fr_mirror_get(c.mirror)->state_flags & FR_STATE_PAUSED) == 0) {
        assert_true(client_take(&c));
    }
    assert_int_equal(set_speed(&c, 1.0), FR_OK);
    assert_int_equal(client_play(&c, FR_PLAY_GO), FR_OK);
    follow_to(&c, 5);
    assert_int_equal(client_play(&c, FR_PLAY_PAUSE), FR_OK);
    assert_int_equal(client_play(&c, FR_PLAY_RESTART), FR_OK);
    check_shown(&c, &s, 0);
    client_close(&c);
    (void)server_end(&running);
    free(s.record.bytes);
}

static void nothing_of_it_can_be_handled(void **state) {
    (void)state;
    story s = tell();
    shelf all = {.record = &s.record};
    fr_server_def def = record_server(&all, "story");
    running_server running;
    server_start(&running, &def);
    test_client c;
    client_open_with(&c, running.port, "reader", CLIENT_WANTS, hear);
    follow_to(&c, 0);
    assert_int_equal(client_grab(&c, client_ref(&c, "left")), FR_ERROR_UNSUPPORTED);
    assert_non_null(strstr(c.reply_text, "record"));
    assert_int_equal(client_set_state(&c, client_ref(&c, "left"), "open", 1.0), FR_ERROR_UNSUPPORTED);
    assert_int_equal(set_speed(&c, 0.001), FR_ERROR_ARGUMENT);
    assert_int_equal(set_speed(&c, 1e9), FR_ERROR_ARGUMENT);
    assert_int_equal(set_speed(&c, 0.5), FR_OK);
    // A world that lives has no past here.
    assert_int_equal(client_open_scene(&c, "pair"), FR_OK);
    assert_int_equal(seek(&c, 3), FR_ERROR_UNSUPPORTED);
    assert_int_equal(set_speed(&c, 2.0), FR_ERROR_UNSUPPORTED);
    client_close(&c);
    (void)server_end(&running);
    free(s.record.bytes);
}

static void touches_are_found_beside_the_ticks(void **state) {
    (void)state;
    story s = tell();
    shelf all = {.record = &s.record};
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = 2;
    fr_task_pool *pool;
    assert_int_equal(fr_task_pool_create(&pool_def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    fr_server_def def = record_server(&all, "story");
    def.background = &tasks;
    running_server running;
    server_start(&running, &def);
    for (int late = 0; late < 2; late++) { // who comes late receives all
        test_client c;
        heard = (reader){0};
        client_open_with(&c, running.port, "reader", CLIENT_WANTS, hear);
        while (heard.searched < TICKS || heard.touches < 2) {
            if (!client_take(&c)) { fail_msg("the connection ended: %s", c.error_text); }
        }
        assert_int_equal(heard.touches, 2);
        assert_true(heard.begin == s.begin && heard.end == s.end);
        assert_string_equal(heard.a, "left");
        assert_string_equal(heard.b, "right");
        client_close(&c);
    }
    (void)server_end(&running);
    fr_task_pool_destroy(pool);
    free(s.record.bytes);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    story s = tell();
    shelf all = {.record = &s.record};
    tape_keep("FRWORLD\n\7\0\0\0", 12, &all.other);
    fr_server_def def = record_server(&all, "other");
    fr_server *server;
    fr_error error = {0};
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_VERSION);
    assert_non_null(strstr(error.message, "version 7"));

    // A record that ends too soon is shown up to there, and another one stays what it is.
    s.record.size -= 4003;
    def = record_server(&all, "story");
    running_server running;
    server_start(&running, &def);
    test_client c;
    heard = (reader){0};
    client_open_with(&c, running.port, "reader", CLIENT_WANTS, hear);
    follow_to(&c, 0);
    assert_non_null(strstr(heard.flaw, "ends too soon"));
    assert_true(heard.ticks > 5 && heard.ticks < TICKS);
    assert_int_equal(seek(&c, heard.ticks), FR_OK);
    check_shown(&c, &s, heard.ticks);
    assert_int_equal(client_open_scene(&c, "other"), FR_ERROR_VERSION);
    assert_non_null(strstr(c.reply_text, "version 7"));
    assert_int_equal(seek(&c, 3), FR_OK);
    check_shown(&c, &s, 3);
    client_close(&c);
    (void)server_end(&running);
    free(s.record.bytes);
    free(all.other.bytes);
}

static fr_status make_scene(const fr_allocator *allocator, void *context) {
    const story *s = context;
    fr_served_record_def def = fr_default_served_record_def();
    def.allocator = *allocator;
    def.bytes = s->record.bytes;
    def.size = s->record.size;
    def.name = "A story";
    fr_served_scene scene = {0};
    fr_status status = fr_served_record_create(&def, &scene, NULL);
    if (status == FR_OK) { fr_served_record_destroy(&scene); }
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    story s = tell();
    assert_true(test_every_failure(make_scene, &s) > 3);
    free(s.record.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tick_can_be_gone_to),    cmocka_unit_test(it_is_played_to_its_end),
        cmocka_unit_test(nothing_of_it_can_be_handled), cmocka_unit_test(touches_are_found_beside_the_ticks),
        cmocka_unit_test(what_is_wrong_is_said),        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

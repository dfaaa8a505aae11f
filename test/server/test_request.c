// What clients ask of the server, and what they get.
#include "provider.h"

static running_server running;

static void begin(const char *first) {
    fr_server_def def = test_server_def(first);
    server_start(&running, &def);
}

// ---------------------------------------------------------------------------------------------------------------
// Handling

static void a_lease_is_one_clients(void **state) {
    (void)state;
    test_client a, b;
    begin("pair");
    client_open(&a, running.port, "Aiko", CLIENT_WANTS);
    client_open(&b, running.port, "Ben", CLIENT_WANTS);
    client_follow_states(&a, 1);
    client_follow_states(&b, 1);
    fr_ref right = client_ref(&a, "right"), stale = {right.index1, right.generation + 1}, none = {99, 0};
    assert_int_equal(client_grab(&a, right), FR_OK);
    assert_int_equal(client_grab(&a, right), FR_OK);
    assert_int_equal(client_grab(&b, right), FR_ERROR_BUSY);
    assert_string_equal(b.reply_text, "Aiko holds it");
    assert_int_equal(client_grab(&b, stale), FR_ERROR_STALE_ID);
    assert_int_equal(client_grab(&b, none), FR_ERROR_STALE_ID);
    assert_int_equal(client_grab(&b, client_ref(&b, "floor")), FR_ERROR_UNSUPPORTED);
    assert_int_equal(client_resume(&b, right), FR_ERROR_BUSY);
    assert_int_equal(client_set_state(&b, right, "open", 1.0), FR_ERROR_BUSY);
    assert_int_equal(client_drop(&b, right), FR_ERROR_STALE_ID);

    // Only the owner moves it, and all see where it is and whose it is.
    client_move(&b, right, fr_vec3_make(7, 7, 7));
    client_move(&a, right, fr_vec3_make(1, 2, 3));
    while (fr_mirror_find(b.mirror, "right")->pose.position.x != 1.0) {
        client_follow_states(&b, 1);
    }
    assert_int_equal(fr_mirror_find(b.mirror, "right")->hold, FR_HOLD_HELD);
    assert_int_equal(fr_mirror_find(b.mirror, "right")->lease_client, 1);
    assert_string_equal(fr_mirror_find(b.mirror, "right")->lease_name, "Aiko");
    assert_int_equal(client_drop(&a, right), FR_OK);
    while (fr_mirror_find(b.mirror, "right")->hold != FR_HOLD_PLACED) {
        client_follow_states(&b, 1);
    }
    assert_int_equal(fr_mirror_find(b.mirror, "right")->lease_client, 0);
    assert_int_equal(client_grab(&b, right), FR_OK);
    assert_int_equal(client_resume(&b, right), FR_OK);
    while (fr_mirror_find(b.mirror, "right")->hold != FR_HOLD_FREE) {
        client_follow_states(&b, 1);
    }
    assert_int_equal(fr_mirror_find(b.mirror, "right")->lease_client, 0);
    client_close(&a);
    client_close(&b);
    assert_true(server_end(&running).bad_messages >= 8);
}

static void a_lease_ends_with_its_owner(void **state) {
    (void)state;
    test_client a, b;
    begin("pair");
    client_open(&a, running.port, "a", CLIENT_WANTS);
    client_open(&b, running.port, "b", CLIENT_WANTS);
    client_follow_states(&a, 1);
    client_follow_states(&b, 1);
    assert_int_equal(client_grab(&a, client_ref(&a, "right")), FR_OK);
    while (fr_mirror_find(b.mirror, "right")->lease_client == 0) {
        client_follow_states(&b, 1);
    }
    client_close(&a);
    while (fr_mirror_find(b.mirror, "right")->lease_client != 0) {
        client_follow_states(&b, 1);
    }
    assert_int_equal(client_grab(&b, client_ref(&b, "right")), FR_OK);
    client_close(&b);
    server_end(&running);
}

static void a_lease_ends_when_its_owner_is_silent(void **state) {
    (void)state;
    test_client a, b;
    fr_server_def def = test_server_def("pair");
    def.lease_seconds = 0.3;
    server_start(&running, &def);
    client_open(&a, running.port, "a", CLIENT_WANTS);
    client_open(&b, running.port, "b", CLIENT_WANTS);
    client_follow_states(&a, 1);
    client_follow_states(&b, 1);
    fr_ref right = client_ref(&a, "right");
    assert_int_equal(client_grab(&a, right), FR_OK);
    // It stays as long as its owner moves it.
    for (int i = 0; i < 10; i++) {
        client_move(&a, right, fr_vec3_make(i, 5, 5));
        wait_ms(60);
    }
    assert_int_equal(client_grab(&b, right), FR_ERROR_BUSY);
    while (client_grab(&b, right) != FR_OK) {
        wait_ms(20);
    }
    client_close(&a);
    client_close(&b);
    server_end(&running);
}

static void what_moves_by_itself_goes_on_after_resume(void **state) {
    (void)state;
    test_client c;
    begin("pair");
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 1);
    fr_ref left = client_ref(&c, "left");
    assert_int_equal(client_grab(&c, left), FR_OK);
    client_move(&c, left, fr_vec3_make(0, 50, 0));
    while (fr_mirror_find(c.mirror, "left")->pose.position.y != 50.0) {
        client_follow_states(&c, 1);
    }
    assert_int_equal(client_drop(&c, left), FR_OK);
    client_follow_states(&c, 5);
    assert_true(fr_mirror_find(c.mirror, "left")->pose.position.y == 50.0);
    assert_int_equal(client_resume(&c, left), FR_OK);
    while (fr_mirror_find(c.mirror, "left")->pose.position.y == 50.0) {
        client_follow_states(&c, 1);
    }
    client_close(&c);
    server_end(&running);
}

static void all_that_nobody_else_holds_goes_on(void **state) {
    (void)state;
    test_client a, b;
    begin("pair");
    client_open(&a, running.port, "a", CLIENT_WANTS);
    client_open(&b, running.port, "b", CLIENT_WANTS);
    client_follow_states(&a, 1);
    client_follow_states(&b, 1);
    fr_ref left = client_ref(&a, "left"), right = client_ref(&b, "right"), all = {0, 0}, wrong = {0, 1};
    assert_int_equal(client_grab(&a, left), FR_OK);
    assert_int_equal(client_grab(&b, right), FR_OK);
    while (fr_mirror_find(b.mirror, "right")->lease_client == 0) {
        client_follow_states(&b, 1);
    }
    assert_int_equal(client_resume(&b, wrong), FR_ERROR_STALE_ID);
    assert_int_equal(client_resume(&b, all), FR_OK);
    while (fr_mirror_find(b.mirror, "right")->hold != FR_HOLD_FREE) {
        client_follow_states(&b, 1);
    }
    client_follow_states(&b, 3);
    assert_int_equal(fr_mirror_find(b.mirror, "right")->lease_client, 0);
    assert_int_equal(fr_mirror_find(b.mirror, "left")->hold, FR_HOLD_HELD);
    assert_int_equal(client_grab(&b, left), FR_ERROR_BUSY);
    client_close(&a);
    client_close(&b);
    server_end(&running);
}

// Takes and gives back an object many times in few frames.
static void grab_and_drop(test_client *c, fr_ref object, uint32_t times) {
    fr_array bytes = fr_array_make(1, NULL);
    fr_message take = {.type = FR_MESSAGE_GRAB}, give = {.type = FR_MESSAGE_DROP};
    take.as.grab.object = give.as.drop.object = object;
    for (uint32_t i = 0; i < times; i++) {
        assert_int_equal(fr_protocol_write(&take, &bytes, NULL), FR_OK);
        assert_int_equal(fr_protocol_write(&give, &bytes, NULL), FR_OK);
    }
    uint32_t before = c->reply_count;
    assert_true(client_say_bytes(c, bytes.data, bytes.count));
    while (c->reply_count < before + 2 * times) {
        assert_true(client_take(c));
        assert_int_equal(c->reply.status, FR_OK);
    }
    fr_array_destroy(&bytes);
}

// What happens while a client reads nothing is not kept for it for ever.
static void one_who_reads_nothing_for_long_begins_anew(void **state) {
    (void)state;
    fr_server_def def = test_server_def("big");
    def.messages_per_second = 1000000;
    def.max_message_bytes = 1 << 20;
    server_start(&running, &def);
    test_client slow, quick;
    client_open(&slow, running.port, "slow", CLIENT_WANTS);
    client_open(&quick, running.port, "quick", CLIENT_WANTS);
    client_follow_states(&quick, 1);
    for (int i = 0; i < 10; i++) {
        grab_and_drop(&quick, client_ref(&quick, "right"), 1000);
    }
    // The server looks after it five times a second.
    client_follow_states(&quick, 60);
    while (slow.resets == 0) {
        assert_true(client_take(&slow));
        assert_int_equal(slow.state_count, 0);
    }
    client_follow_states(&slow, 1);
    assert_int_equal(slow.resets, 1);
    assert_non_null(fr_mirror_find(slow.mirror, "right"));
    client_close(&slow);
    client_close(&quick);
    server_end(&running);
}

static void states_are_set_and_told(void **state) {
    (void)state;
    test_client c;
    begin("pair");
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 3);
    uint32_t before = c.events;
    assert_int_equal(client_set_state(&c, client_ref(&c, "right"), "open", 0.5), FR_OK);
    while (c.events == before) {
        client_follow_states(&c, 1);
    }
    assert_int_equal(client_set_state(&c, client_ref(&c, "right"), "", 0.5), FR_ERROR_ARGUMENT);
    fr_ref none = {99, 0};
    assert_int_equal(client_set_state(&c, none, "open", 0.5), FR_ERROR_STALE_ID);

    // A later client gets it with the first state. The tick that reported it is over.
    client_follow_states(&c, 2);
    test_client later;
    client_open(&later, running.port, "later", CLIENT_WANTS);
    client_follow_states(&later, 1);
    assert_true(later.states > 0);
    client_close(&later);
    client_close(&c);
    server_end(&running);
}

// ---------------------------------------------------------------------------------------------------------------
// Time and scenes

static void time_stands_goes_and_steps(void **state) {
    (void)state;
    test_client c;
    fr_server_def def = test_server_def("pair");
    def.is_paused = true;
    server_start(&running, &def);
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 5);
    assert_int_equal(fr_mirror_get(c.mirror)->tick, 0);
    assert_int_equal(client_play(&c, FR_PLAY_STEP), FR_OK);
    while (fr_mirror_get(c.mirror)->tick == 0) {
        client_follow_states(&c, 1);
    }
    client_follow_states(&c, 5);
    assert_int_equal(fr_mirror_get(c.mirror)->tick, 1);
    assert_int_equal(client_play(&c, FR_PLAY_GO), FR_OK);
    while (fr_mirror_get(c.mirror)->tick < 10) {
        client_follow_states(&c, 1);
    }
    assert_int_equal(fr_mirror_get(c.mirror)->state_flags & FR_STATE_PAUSED, 0);
    client_close(&c);
    server_end(&running);
}

static void a_restart_begins_anew(void **state) {
    (void)state;
    test_client c;
    begin("pair");
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 20);
    fr_ref right = client_ref(&c, "right");
    assert_int_equal(client_grab(&c, right), FR_OK);
    uint64_t tick = fr_mirror_get(c.mirror)->tick;
    assert_true(tick > 10);
    assert_int_equal(client_play(&c, FR_PLAY_RESTART), FR_OK);
    while (c.resets == 0) {
        assert_true(client_take(&c));
    }
    client_follow_states(&c, 1);
    assert_true(fr_mirror_get(c.mirror)->tick < tick);
    assert_int_equal(fr_mirror_get(c.mirror)->object_count, 3);
    assert_int_equal(fr_mirror_find(c.mirror, "right")->lease_client, 0);
    client_close(&c);
    server_end(&running);
}

static void another_scene_comes_on_stage_for_everybody(void **state) {
    (void)state;
    test_client a, b;
    begin("pair");
    client_open(&a, running.port, "a", CLIENT_WANTS);
    client_open(&b, running.port, "b", CLIENT_WANTS);
    client_follow_states(&a, 2);
    client_follow_states(&b, 2);
    assert_int_equal(client_open_scene(&a, "no such scene"), FR_ERROR_ARGUMENT);
    assert_int_equal(client_open_scene(&a, "../pair"), FR_ERROR_ARGUMENT);
    assert_int_equal(client_open_scene(&a, "broken"), FR_ERROR_FILE);
    client_follow_states(&a, 2);
    assert_int_equal(fr_mirror_get(a.mirror)->object_count, 3);
    assert_int_equal(a.resets, 0);
    assert_int_equal(client_grab(&b, client_ref(&b, "right")), FR_OK);
    assert_int_equal(client_open_scene(&a, "crowd:20"), FR_OK);
    while (b.resets == 0 || !fr_mirror_get(b.mirror)->has_state) {
        assert_true(client_take(&b));
    }
    assert_int_equal(fr_mirror_get(b.mirror)->object_count, 22);
    assert_string_equal(fr_mirror_get(b.mirror)->gallery.current, "crowd:20");
    assert_string_equal(fr_mirror_get(b.mirror)->scene.scene, "crowd:20");
    assert_int_equal(fr_mirror_find(b.mirror, "right")->lease_client, 0);
    client_close(&a);
    client_close(&b);
    server_end(&running);
}

static void scenes_are_not_changed_all_the_time(void **state) {
    (void)state;
    test_client c;
    begin("pair");
    client_open(&c, running.port, "c", FR_WANTS_POSES);
    uint32_t refused = 0;
    for (int i = 0; i < 30; i++) {
        fr_status status = i % 2 == 0 ? client_play(&c, FR_PLAY_RESTART) : client_open_scene(&c, "pair");
        assert_true(status == FR_OK || status == FR_ERROR_LIMIT);
        refused += status == FR_ERROR_LIMIT;
    }
    assert_true(refused > 0 && refused <= 26);
    client_close(&c);
    server_end(&running);
}

// The actor below refuses the ball that moves by itself, and counts what is taken back.
static fr_status refuse_left(const fr_claim *claim, void *user, fr_error *error) {
    const test_scene *scene = user;
    if (!fr_object_id_equal(claim->object, scene->ids[0])) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_BUSY, "it is screwed on");
}

static fr_status undo_twice(bool again, void *user, fr_error *error) {
    test_scene *scene = user;
    if (again ? scene->undone == 0 : scene->undone == 2) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "nothing is left");
    }
    scene->undone += again ? -1 : 1;
    return FR_OK;
}

static fr_status open_strict(const char *name, fr_served_scene *scene, void *user, fr_error *error) {
    fr_status status = test_scene_open(name, scene, user, error);
    if (status != FR_OK) { return status; }
    fr_cast_def def = fr_default_cast_def();
    def.world = scene->world;
    const fr_actor actor = {.name = "strict", .grab = refuse_left, .undo = undo_twice, .user = scene->user};
    assert_int_equal(fr_cast_create(&def, &scene->cast, NULL), FR_OK);
    assert_int_equal(fr_cast_add(scene->cast, &actor, NULL), FR_OK);
    return FR_OK;
}

static void close_strict(fr_served_scene *scene, void *user) {
    fr_cast_destroy(scene->cast);
    test_scene_close(scene, user);
}

static void the_cast_refuses_hands_and_undoes(void **state) {
    (void)state;
    test_client c;
    begin("pair");
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 1);
    assert_int_equal(client_undo(&c, false), FR_ERROR_UNSUPPORTED);
    assert_int_equal(client_grab(&c, client_ref(&c, "left")), FR_OK);
    client_close(&c);
    server_end(&running);

    fr_server_def def = test_server_def("pair");
    def.provider.open = open_strict;
    def.provider.close = close_strict;
    server_start(&running, &def);
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 1);
    assert_int_equal(client_grab(&c, client_ref(&c, "left")), FR_ERROR_BUSY);
    assert_string_equal(c.reply_text, "it is screwed on");
    assert_int_equal(fr_mirror_find(c.mirror, "left")->lease_client, 0);
    assert_int_equal(client_grab(&c, client_ref(&c, "right")), FR_OK);
    assert_int_equal(client_undo(&c, true), FR_ERROR_ARGUMENT);
    assert_int_equal(client_undo(&c, false), FR_OK);
    assert_int_equal(client_undo(&c, false), FR_OK);
    assert_int_equal(client_undo(&c, false), FR_ERROR_ARGUMENT);
    assert_int_equal(client_undo(&c, true), FR_OK);
    client_close(&c);
    server_end(&running);
}

static void say_near(test_client *c, fr_vec3 point, double distance) {
    fr_message near = {.type = FR_MESSAGE_NEAR};
    near.as.near = (fr_message_near){point, distance};
    assert_true(client_say(c, &near));
}

// One client wants fewer states of what is far; when the walkers stand, both have the same.
static void what_is_far_comes_less_often(void **state) {
    (void)state;
    test_client all, fewer;
    begin("walk:8,100");
    client_open(&all, running.port, "all", CLIENT_WANTS);
    client_open(&fewer, running.port, "fewer", CLIENT_WANTS);
    client_follow_states(&fewer, 1);
    say_near(&fewer, fr_vec3_make(0, 0, 0), -1.0);
    say_near(&fewer, fr_vec3_make(0x1p301, 0, 0), 1.0);
    say_near(&fewer, fr_vec3_make(0, 0, 0), 1.0);
    client_follow_states(&fewer, 2);
    const char *const names[2] = {"left", "ball7"};
    int came[2] = {0, 0};
    double last[2] = {0.0, 0.0};
    uint64_t begin_tick = fr_mirror_get(fewer.mirror)->tick, end_tick = begin_tick;
    while (fr_mirror_get(fewer.mirror)->tick < 100) {
        assert_true(client_take(&fewer));
        end_tick = fr_mirror_get(fewer.mirror)->tick;
        for (int i = 0; i < 2; i++) {
            double x = fr_mirror_find(fewer.mirror, names[i])->pose.position.x;
            came[i] += x != last[i] ? 1 : 0;
            last[i] = x;
        }
    }
    // A state that the client was too slow for is made up by a complete one.
    int ticks = (int)(end_tick - begin_tick);
    print_message("%d ticks: the near one came %d times, the far one %d\n", ticks, came[0], came[1]);
    assert_true(came[1] <= came[0] / 2 && came[1] >= ticks / 16 - 1);
    client_follow_states(&fewer, FR_NEAR_MAX_PERIOD + 1);
    client_follow(&all, fr_mirror_get(fewer.mirror)->sequence);
    assert_true(fr_mirror_hash(all.mirror) == fr_mirror_hash(fewer.mirror));
    say_near(&fewer, fr_vec3_make(0, 0, 0), 0.0);
    client_follow_states(&fewer, 2);
    client_close(&all);
    client_close(&fewer);
    assert_int_equal(server_end(&running).bad_messages, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_far_comes_less_often),
        cmocka_unit_test(a_lease_is_one_clients),
        cmocka_unit_test(a_lease_ends_with_its_owner),
        cmocka_unit_test(a_lease_ends_when_its_owner_is_silent),
        cmocka_unit_test(what_moves_by_itself_goes_on_after_resume),
        cmocka_unit_test(all_that_nobody_else_holds_goes_on),
        cmocka_unit_test(one_who_reads_nothing_for_long_begins_anew),
        cmocka_unit_test(states_are_set_and_told),
        cmocka_unit_test(time_stands_goes_and_steps),
        cmocka_unit_test(a_restart_begins_anew),
        cmocka_unit_test(another_scene_comes_on_stage_for_everybody),
        cmocka_unit_test(scenes_are_not_changed_all_the_time),
        cmocka_unit_test(the_cast_refuses_hands_and_undoes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

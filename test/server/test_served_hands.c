// Hands over a server: blocks that people drag, drop and put back, with their layers.
#include "provider.h"

#include "fureai/scene.h"

#include <math.h>

static const char blocks[] = "{\"fureai\":1,\"step\":0.01,\"steps\":1,\"objects\":["
                             "{\"name\":\"table\",\"shape\":\"box\",\"position\":[0,-0.5,0],\"static\":true},"
                             "{\"name\":\"a\",\"shape\":\"box\",\"position\":[-0.2,0.0501,0],\"scale\":0.1},"
                             "{\"name\":\"b\",\"shape\":\"box\",\"position\":[0.2,0.0501,0],\"scale\":0.1},"
                             "{\"name\":\"c\",\"shape\":\"box\",\"position\":[0.2,0.0501,0.3],\"scale\":0.1}],"
                             "\"aid\":{\"fall\":true,\"mode\":5}}";

static fr_status open_served(const char *name, fr_served_scene *out, void *scene, fr_error *error) {
    fr_world_def def = fr_scene_world_def(scene);
    *out = (fr_served_scene){.title = name, .scene = fr_scene_get(scene)};
    fr_status status = fr_world_create(&def, &out->world, error);
    if (status == FR_OK) { status = fr_scene_build_world(scene, NULL, out->world, NULL, error); }
    return status == FR_OK ? fr_scene_cast(scene, out->world, NULL, &out->cast, error) : status;
}

static void close_served(fr_served_scene *served, void *scene) {
    (void)scene;
    fr_cast_destroy(served->cast);
    fr_world_destroy(served->world);
}

static fr_scene *begin_served(running_server *running) {
    fr_scene *scene;
    assert_int_equal(fr_scene_read(blocks, strlen(blocks), NULL, &scene, NULL), FR_OK);
    fr_server_def def = fr_default_server_def();
    def.provider = (fr_scene_provider){.first = "blocks", .open = open_served, .close = close_served, .user = scene};
    def.port = 0;
    def.speed = 5.0;
    server_start(running, &def);
    return scene;
}

static void end_served(running_server *running, fr_scene *scene) {
    (void)server_end(running);
    fr_scene_destroy(scene);
}

static fr_vec3 place_of(const test_client *c, const char *name) {
    return fr_mirror_find(c->mirror, name)->pose.position;
}

static bool has_layer(const test_client *c, const char *name) {
    const fr_mirror_view *view = fr_mirror_get(c->mirror);
    for (size_t i = 0; i < view->layer_count; i++) {
        if (strcmp(view->layers[i]->name, name) == 0) { return true; }
    }
    return false;
}

// Leads a block by messages, a state each; whether the newest events reported a snap.
static bool drag(test_client *c, const char *name, fr_vec3 to, int moves) {
    fr_vec3 from = place_of(c, name);
    bool has_snapped = false;
    for (int i = 1; i <= moves; i++) {
        double t = (double)i / moves;
        client_move(c, client_ref(c, name), fr_vec3_add_scaled(fr_vec3_scale(1.0 - t, from), t, to));
        client_follow_states(c, 1);
        const fr_mirror_view *view = fr_mirror_get(c->mirror);
        for (uint32_t k = 0; k < view->events.event_count; k++) {
            has_snapped = has_snapped || view->events.events[k].kind == FR_EVENT_SNAP;
        }
    }
    return has_snapped;
}

static void a_block_is_dragged_dropped_and_taken_back_over_a_server(void **state) {
    (void)state;
    running_server running;
    test_client c;
    fr_scene *scene = begin_served(&running);
    client_open(&c, running.port, "c", CLIENT_WANTS | FR_WANTS_EVENTS | FR_WANTS_DRAW);
    client_follow_states(&c, 2);
    fr_vec3 first = place_of(&c, "a");
    assert_int_equal(client_undo(&c, false), FR_ERROR_ARGUMENT);
    assert_int_equal(client_grab(&c, client_ref(&c, "table")), FR_ERROR_UNSUPPORTED);
    assert_int_equal(client_grab(&c, client_ref(&c, "a")), FR_OK);
    (void)drag(&c, "a", fr_vec3_make(0.2, 0.3, 0.0), 40);
    assert_true(drag(&c, "a", fr_vec3_make(0.2, 0.135, 0.0), 60));
    client_follow_states(&c, 5);
    assert_true(fabs(place_of(&c, "a").y - 0.1501) < 1e-3); // RAW is 15 mm lower
    assert_true(has_layer(&c, "faces that hold") && has_layer(&c, "freedom") && has_layer(&c, "force"));

    (void)drag(&c, "a", fr_vec3_make(0.2, 0.4, 0.0), 60);
    assert_int_equal(client_drop(&c, client_ref(&c, "a")), FR_OK);
    for (int i = 0; i < 200 && place_of(&c, "a").y > 0.151; i++) {
        client_follow_states(&c, 1);
    }
    client_follow_states(&c, 30);
    double height = place_of(&c, "a").y;
    assert_true(height < 0.16 && height > 0.049);
    assert_false(has_layer(&c, "faces that hold") || has_layer(&c, "force"));
    assert_int_equal(client_undo(&c, false), FR_OK);
    client_follow_states(&c, 5);
    assert_true(fr_vec3_distance(place_of(&c, "a"), first) < 1e-9);
    client_close(&c);
    end_served(&running, scene);
}

static void two_people_drag_two_blocks_together(void **state) {
    (void)state;
    running_server running;
    test_client a, b;
    fr_scene *scene = begin_served(&running);
    client_open(&a, running.port, "a", CLIENT_WANTS);
    client_open(&b, running.port, "b", CLIENT_WANTS);
    client_follow_states(&a, 2);
    client_follow_states(&b, 2);
    assert_int_equal(client_grab(&a, client_ref(&a, "a")), FR_OK);
    assert_int_equal(client_grab(&b, client_ref(&b, "b")), FR_OK);
    assert_int_equal(client_grab(&b, client_ref(&b, "a")), FR_ERROR_BUSY);
    for (int i = 0; i <= 60; i++) {
        double away = 0.3 * (1.0 - i / 30.0);
        client_move(&a, client_ref(&a, "a"), fr_vec3_make(-away, 0.3, 0.0));
        client_move(&b, client_ref(&b, "b"), fr_vec3_make(away, 0.3, 0.0));
        client_follow_states(&a, 1);
        client_follow_states(&b, 1);
        assert_true(place_of(&a, "b").x - place_of(&a, "a").x > 0.0999);
    }
    // One goes without a word; what was held falls.
    client_close(&b);
    for (int i = 0; i < 300 && place_of(&a, "b").y > 0.06; i++) {
        client_follow_states(&a, 1);
    }
    assert_true(place_of(&a, "b").y < 0.06);
    client_close(&a);
    end_served(&running, scene);
}

// What a client was sent to predict by.
typedef struct words {
    fr_message_aid aid;
    fr_message_moved moved;
    uint32_t aid_count, moved_count;
} words;

static void hear(const fr_message *message, void *user) {
    words *w = user;
    if (message->type == FR_MESSAGE_AID) {
        w->aid = message->as.aid;
        w->aid_count++;
    }
    if (message->type == FR_MESSAGE_MOVED) {
        w->moved = message->as.moved;
        w->moved_count++;
    }
}

static void one_who_predicts_hears_how_and_which_move_counted(void **state) {
    (void)state;
    running_server running;
    test_client c, plain;
    words said = {0}, unsaid = {0};
    fr_scene *scene = begin_served(&running);
    client_open(&c, running.port, "c", CLIENT_WANTS | FR_WANTS_MOVES);
    client_open(&plain, running.port, "plain", CLIENT_WANTS);
    c.look = plain.look = hear;
    c.look_user = &said;
    plain.look_user = &unsaid;
    client_follow_states(&c, 2);
    client_follow_states(&plain, 2);
    fr_ref a = client_ref(&c, "a");
    assert_int_equal(client_grab(&c, a), FR_OK);
    assert_int_equal(client_grab(&plain, client_ref(&plain, "b")), FR_OK);
    assert_int_equal(said.aid_count, 1);
    assert_int_equal(said.aid.mode, FR_AID_MODE_AID_BOTH);
    assert_true(said.aid.magnet == 1.0 && said.aid.blend == fr_default_hands_settings().blend);

    // What lies on a face comes off it within some ticks.
    client_move(&c, a, fr_vec3_make(-0.2, 0.3, 0.0));
    for (int k = 0; k < 1000 && fabs(place_of(&c, "a").y - 0.3) > 1e-9; k++) {
        client_follow_states(&c, 1);
    }
    said.moved_count = 0;

    // The state that a move is said to count in has the object where it led.
    for (uint32_t i = 1; i <= 20; i++) {
        fr_message message = {.type = FR_MESSAGE_MOVE};
        fr_vec3 to = fr_vec3_make(-0.2, 0.3 + 0.01 * i, 0.0);
        message.as.move = (fr_message_move){a, 100 + i, fr_pose_make(to, fr_quat_identity())};
        assert_true(client_say(&c, &message));
        for (int k = 0; k < 1000 && said.moved.move != 100 + i; k++) {
            client_follow_states(&c, 1);
        }
        assert_int_equal(said.moved.move, 100 + i);
        assert_int_equal(said.moved.object.index1, a.index1);
        while (fr_mirror_get(c.mirror)->sequence < said.moved.sequence) {
            client_follow_states(&c, 1);
        }
        assert_true(fr_vec3_distance(place_of(&c, "a"), to) < 1e-9);
    }
    assert_int_equal(said.moved_count, 20);
    // Only now: hands that move at once wait for one another.
    for (int i = 0; i < 5; i++) {
        client_move(&plain, client_ref(&plain, "b"), fr_vec3_make(0.2, 0.3 + 0.01 * i, 0.0));
        client_follow_states(&plain, 2);
    }
    assert_int_equal(unsaid.aid_count + unsaid.moved_count, 0);
    client_close(&c);
    client_close(&plain);
    end_served(&running, scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_dragged_dropped_and_taken_back_over_a_server),
        cmocka_unit_test(two_people_drag_two_blocks_together),
        cmocka_unit_test(one_who_predicts_hears_how_and_which_move_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Layers drawn over the world, as clients see them.
#include "failing.h"
#include "provider.h"

static running_server running;

static void paint_line(const fr_draw *draw, void *user) {
    const double points[6] = {0, 0, 0, 1, *(double *)user, 0};
    fr_color red = {255, 0, 0, 255};
    fr_draw_lines(draw, points, 1, red, 2.0);
}

static void layers_are_shown_to_those_who_want_them(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    double y = 3.0, other = 4.0;
    fr_error error = {0};
    assert_int_equal(fr_server_create(&def, &running.server, &error), FR_OK);
    assert_int_equal(fr_server_draw(running.server, "path", paint_line, &other, &error), FR_OK);
    assert_int_equal(fr_server_draw(running.server, "path", paint_line, &y, &error), FR_OK);
    assert_int_equal(fr_server_draw(running.server, "gone", paint_line, &y, &error), FR_OK);
    assert_int_equal(fr_server_draw(running.server, "gone", NULL, NULL, &error), FR_OK);
    running.port = fr_server_port(running.server);
    assert_int_equal(pthread_create(&running.thread, NULL, run_server, &running), 0);

    test_client wants, late;
    client_open(&wants, running.port, "wants", CLIENT_WANTS | FR_WANTS_DRAW);
    client_open(&late, running.port, "late", CLIENT_WANTS);
    client_follow_states(&wants, 1);
    client_follow_states(&late, 1);
    const fr_mirror_view *view = fr_mirror_get(wants.mirror);
    assert_int_equal(view->layer_count, 1);
    assert_string_equal(view->layers[0]->name, "path");
    assert_true(view->layers[0]->lines[0].points[4] == 3.0);
    assert_int_equal(fr_mirror_get(late.mirror)->layer_count, 0);
    fr_message message = {.type = FR_MESSAGE_WANTS};
    message.as.wants.wants = FR_WANTS_POSES | FR_WANTS_DRAW;
    assert_true(client_say(&late, &message));
    while (fr_mirror_get(late.mirror)->layer_count == 0) {
        client_follow_states(&late, 1);
    }
    client_close(&wants);
    client_close(&late);
    server_end(&running);
}

static void layers_are_limited_and_their_places_used_again(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    fr_server *server = NULL;
    assert_int_equal(fr_server_create(&def, &server, NULL), FR_OK);
    char name[24];
    double y = 1.0;
    for (int i = 0; i < 256; i++) {
        snprintf(name, sizeof name, "layer %d", i);
        assert_int_equal(fr_server_draw(server, name, paint_line, &y, NULL), FR_OK);
    }
    assert_int_equal(fr_server_draw(server, "one more", paint_line, &y, NULL), FR_ERROR_LIMIT);
    assert_int_equal(fr_server_draw(server, "unknown", NULL, NULL, NULL), FR_OK);
    assert_int_equal(fr_server_draw(server, "layer 7", NULL, NULL, NULL), FR_OK);
    assert_int_equal(fr_server_draw(server, "one more", paint_line, &y, NULL), FR_OK);
    assert_int_equal(fr_server_draw(server, "layer 7", paint_line, &y, NULL), FR_ERROR_LIMIT);
    assert_int_equal(fr_server_draw(server, "layer 8", paint_line, &y, NULL), FR_OK);
    fr_server_destroy(server);
}

// More triangles than a layer may hold.
static void paint_much(const fr_draw *draw, void *user) {
    (void)user;
    const double points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    for (size_t i = 0; i <= FR_SERVER_LAYER_BYTES / sizeof points; i++) {
        fr_draw_triangles(draw, points, 1, (fr_color){1, 2, 3, 255});
    }
}

static void a_layer_that_is_too_large_stays_as_it_was(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    double y = 3.0;
    assert_int_equal(fr_server_create(&def, &running.server, NULL), FR_OK);
    assert_int_equal(fr_server_draw(running.server, "path", paint_line, &y, NULL), FR_OK);
    fr_error error = {0};
    assert_int_equal(fr_server_draw(running.server, "path", paint_much, NULL, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "the layer 'path' takes"));
    running.port = fr_server_port(running.server);
    assert_int_equal(pthread_create(&running.thread, NULL, run_server, &running), 0);
    test_client c;
    client_open(&c, running.port, "c", CLIENT_WANTS | FR_WANTS_DRAW);
    client_follow_states(&c, 1);
    assert_true(fr_mirror_get(c.mirror)->layers[0]->lines[0].points[4] == 3.0);
    client_close(&c);
    server_end(&running);
}

// ---------------------------------------------------------------------------------------------------------------
// On objects

static fr_world *shown; // the world that is served

static fr_status open_seen(const char *name, fr_served_scene *scene, void *user, fr_error *error) {
    fr_status status = test_scene_open(name, scene, user, error);
    if (status == FR_OK) { shown = scene->world; }
    return status;
}

// A server with a layer of the world, "path", and one on each of two objects; one of the two is gone when it runs.
static void begin_on_objects(void) {
    fr_server_def def = test_server_def("pair");
    def.provider.open = open_seen;
    fr_error error = {0};
    double y = 3.0;
    assert_int_equal(fr_server_create(&def, &running.server, &error), FR_OK);
    fr_object_id left = fr_world_find(shown, "left"), right = fr_world_find(shown, "right");
    assert_int_equal(fr_server_draw(running.server, "path", paint_line, &y, &error), FR_OK);
    assert_int_equal(fr_server_draw_on(running.server, left, "on left", paint_line, &y, &error), FR_OK);
    assert_int_equal(fr_server_draw_on(running.server, right, "on right", paint_line, &y, &error), FR_OK);
    assert_int_equal(fr_object_remove(fr_world_space(shown), right, NULL), FR_OK);
    assert_int_equal(fr_server_draw_on(running.server, right, "late", paint_line, &y, &error), FR_ERROR_STALE_ID);
    running.port = fr_server_port(running.server);
    assert_int_equal(pthread_create(&running.thread, NULL, run_server, &running), 0);
}

static void a_layer_on_an_object_goes_with_it(void **state) {
    (void)state;
    begin_on_objects();
    test_client c;
    client_open(&c, running.port, "c", CLIENT_WANTS | FR_WANTS_DRAW);
    client_follow_states(&c, 3);
    const fr_mirror_view *view = fr_mirror_get(c.mirror);
    assert_int_equal(view->layer_count, 2);
    assert_string_equal(view->layers[0]->name, "path");
    assert_int_equal(view->layers[0]->object.index1, 0);
    fr_ref left = client_ref(&c, "left");
    assert_string_equal(view->layers[1]->name, "on left");
    assert_memory_equal(&view->layers[1]->object, &left, sizeof left);

    // It outlives a new beginning, as its object does, but not the scene.
    assert_int_equal(client_play(&c, FR_PLAY_RESTART), FR_OK);
    client_follow_states(&c, 3);
    assert_int_equal(fr_mirror_get(c.mirror)->layer_count, 2);
    assert_int_equal(client_open_scene(&c, "crowd:20"), FR_OK);
    client_follow_states(&c, 3);
    view = fr_mirror_get(c.mirror);
    assert_int_equal(view->layer_count, 1);
    assert_string_equal(view->layers[0]->name, "path");
    client_close(&c);
    server_end(&running);
}

static fr_status draw_some(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_server_def def = test_server_def("pair");
    def.provider.open = open_seen;
    def.allocator = *allocator;
    double y = 3.0;
    fr_server *server = NULL;
    fr_status status = fr_server_create(&def, &server, NULL);
    if (status == FR_OK) { status = fr_server_draw(server, "path", paint_line, &y, NULL); }
    if (status == FR_OK) {
        status = fr_server_draw_on(server, fr_world_find(shown, "left"), "on left", paint_line, &y, NULL);
    }
    fr_server_destroy(server);
    return status;
}

static void memory_may_run_out(void **state) {
    (void)state;
    test_every_failure_leaves_nothing(draw_some, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_shown_to_those_who_want_them),
        cmocka_unit_test(layers_are_limited_and_their_places_used_again),
        cmocka_unit_test(a_layer_that_is_too_large_stays_as_it_was),
        cmocka_unit_test(a_layer_on_an_object_goes_with_it),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// How meshes look, as it is sent to clients.
#include "failing.h"
#include "provider.h"

static running_server running;

// The looks of "pair", whose left and right are of one mesh; right is shown in its colour alone.
static uint32_t materials_of_triangles[168];
static fr_mesh_look mesh_look;
static fr_object_id plain;
static const fr_picture picture = {.bytes = "abcd", .byte_count = 4, .width = 1, .height = 1};
static const fr_material materials[2] = {{{9, 8, 7, 255}, {0, 0, 0, 255}, false, FR_NONE},
                                         {{1, 2, 3, 255}, {0, 0, 0, 255}, true, 0}};
static const fr_looks looks = {&picture, 1, materials, 2, &mesh_look, 1, &plain, 1};

static fr_status open_dressed(const char *name, fr_served_scene *scene, void *user, fr_error *error) {
    fr_status status = test_scene_open(name, scene, user, error);
    if (status != FR_OK || strcmp(name, "pair") != 0) { return status; }
    const fr_space *space = fr_world_space(scene->world);
    mesh_look = (fr_mesh_look){.mesh = fr_object_part(space, fr_world_find(scene->world, "left"), 0).mesh,
                               .material = 1,
                               .materials = materials_of_triangles};
    plain = fr_world_find(scene->world, "right");
    scene->looks = &looks;
    return FR_OK;
}

static void looks_are_told_and_told_again_but_not_of_another_scene(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    def.provider.open = open_dressed;
    server_start(&running, &def);
    test_client c;
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 2);
    assert_int_equal(c.materials, 2);
    assert_int_equal(c.pictures, 1);
    // The ball's mesh, once, and not the floor's.
    assert_int_equal(c.dressed_meshes, 1);
    assert_int_equal(c.dressed_triangles, 168);
    assert_false(fr_mirror_find(c.mirror, "left")->is_plain);
    assert_true(fr_mirror_find(c.mirror, "right")->is_plain);

    assert_int_equal(client_play(&c, FR_PLAY_RESTART), FR_OK);
    client_follow_states(&c, 2);
    assert_true(c.materials == 4 && c.pictures == 2 && c.dressed_triangles == 2 * 168);
    assert_int_equal(client_open_scene(&c, "crowd:20"), FR_OK);
    client_follow_states(&c, 2);
    assert_true(c.materials == 4 && c.pictures == 2 && c.dressed_triangles == 2 * 168);
    assert_false(fr_mirror_find(c.mirror, "right")->is_plain);
    client_close(&c);
    server_end(&running);
}

static fr_status make_server(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_server_def def = test_server_def("pair");
    def.provider.open = open_dressed;
    def.allocator = *allocator;
    fr_server *server = NULL;
    fr_status status = fr_server_create(&def, &server, NULL);
    fr_server_destroy(server);
    return status;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    test_every_failure_leaves_nothing(make_server, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_are_told_and_told_again_but_not_of_another_scene),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// What is heard from objects, as it is sent to clients: files once, places again when they change.
#include "provider.h"

static running_server running;
static fr_sound sounds[3];

// The second sound goes along x with the world's time.
static fr_status move_sound(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)wishes, (void)user, (void)error;
    sounds[1].point.x = proposal->time + proposal->step;
    return FR_OK;
}

static fr_status open_sounding(const char *name, fr_served_scene *scene, void *user, fr_error *error) {
    fr_status status = test_scene_open(name, scene, user, error);
    if (status != FR_OK || strcmp(name, "pair") != 0) { return status; }
    const fr_object_id left = fr_world_find(scene->world, "left"), right = fr_world_find(scene->world, "right");
    for (int i = 0; i < 3; i++) {
        sounds[i] = (fr_sound){.object = i < 2 ? left : right, .intensity = 1, .file = "RIFF", .file_bytes = 4};
    }
    scene->sounds = sounds;
    scene->sound_count = 3;
    const fr_corrector mover = {"sound", move_sound, NULL};
    return fr_world_add_mover(scene->world, &mover, NULL);
}

static void places_are_told_again_when_they_change(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    def.provider.open = open_sounding;
    server_start(&running, &def);
    test_client c;
    client_open(&c, running.port, "c", CLIENT_WANTS);
    client_follow_states(&c, 3);
    assert_int_equal(c.sounds, 3);
    // Both of the object whose second one moves, and none of the other's.
    assert_true(c.sound_places >= 2 && c.sound_places % 2 == 0);
    assert_true(c.sound_place.sound == 1 && c.sound_place.point.x > 0.0);
    assert_int_equal(c.sound_place.object.index1, fr_mirror_find(c.mirror, "left")->ref.index1);
    double before = c.sound_place.point.x;
    client_follow_states(&c, 3);
    assert_true(c.sound_place.point.x > before);
    assert_int_equal(c.sounds, 3);

    // A later client hears them where they are.
    test_client later;
    client_open(&later, running.port, "later", CLIENT_WANTS);
    client_follow_states(&later, 2);
    assert_int_equal(later.sounds, 3);
    assert_true(later.sound_place.point.x > before);
    client_close(&later);
    client_close(&c);
    server_end(&running);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_told_again_when_they_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// What is kept with objects: destroyed once, and never taken for newer than it is.
#include "scene_sets.h"

static void count_destroyed(void *data, void *user) {
    (*(int *)data)++;
    (*(int *)user)++;
}

static void slots_are_limited(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_attachment_type type = {"thing", NULL, NULL};
    uint32_t slot;
    for (uint32_t i = 0; i < FR_SPACE_MAX_SLOTS; i++) {
        assert_int_equal(fr_space_attach(s.space, &type, &slot, NULL), FR_OK);
        assert_int_equal(slot, i);
    }
    assert_int_equal(fr_space_attach(s.space, &type, &slot, NULL), FR_ERROR_LIMIT);
    assert_int_equal(slot, FR_NONE);
    scene_close(&s);
}

static void data_are_destroyed_once(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    int destroyed = 0, data[6] = {0};
    fr_attachment_type type = {"thing", count_destroyed, &destroyed}, plain = {"plain", NULL, NULL};
    uint32_t slot, other;
    fr_object_id a = scene_add(&s, true), b = scene_add(&s, true);
    fr_versions made_from;
    assert_int_equal(fr_object_attach(s.space, a, 0, data, NULL), FR_ERROR_ARGUMENT); // no such slot yet
    assert_int_equal(fr_space_attach(s.space, &type, &slot, NULL), FR_OK);
    assert_int_equal(fr_space_attach(s.space, &plain, &other, NULL), FR_OK);
    assert_null(fr_object_attachment(s.space, a, slot, &made_from));
    assert_int_equal(fr_object_attach(s.space, a, slot, &data[0], NULL), FR_OK);
    assert_int_equal(fr_object_attach(s.space, a, other, &data[5], NULL), FR_OK);
    assert_ptr_equal(fr_object_attachment(s.space, a, slot, NULL), &data[0]);
    assert_null(fr_object_attachment(s.space, b, slot, NULL));
    assert_null(fr_object_attachment(s.space, a, 7, NULL));

    assert_int_equal(fr_object_attach(s.space, a, slot, &data[0], NULL), FR_OK); // the same: kept
    assert_int_equal(destroyed, 0);
    assert_int_equal(fr_object_attach(s.space, a, slot, &data[1], NULL), FR_OK); // replaced
    assert_true(destroyed == 1 && data[0] == 1);
    assert_int_equal(fr_object_attach(s.space, a, slot, NULL, NULL), FR_OK); // emptied
    assert_true(destroyed == 2 && data[1] == 1);
    assert_int_equal(fr_object_attach(s.space, a, slot, &data[2], NULL), FR_OK);
    assert_int_equal(fr_object_attach(s.space, b, slot, &data[3], NULL), FR_OK);
    assert_int_equal(fr_object_remove(s.space, a, NULL), FR_OK); // its object goes
    assert_true(destroyed == 3 && data[2] == 1 && data[5] == 0);
    scene_close(&s); // the space goes
    assert_true(destroyed == 4 && data[3] == 1);
}

// Whatever changes an object shows in the versions its data were made from.
static void old_data_are_known_by_their_versions(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_attachment_type type = {"thing", NULL, NULL};
    uint32_t slot;
    int data = 0;
    fr_object_id id = scene_add(&s, true);
    assert_int_equal(fr_space_attach(s.space, &type, &slot, NULL), FR_OK);
    assert_int_equal(fr_object_attach(s.space, id, slot, &data, NULL), FR_OK);
    fr_versions made_from, now;
    (void)fr_object_attachment(s.space, id, slot, &made_from);
    now = fr_object_versions(s.space, id);
    assert_memory_equal(&made_from, &now, sizeof now);
    fr_pose pose = scene_pose(&s);
    assert_int_equal(fr_object_set_pose(s.space, id, &pose, NULL), FR_OK);
    scene_deform(&s, id);
    (void)fr_object_attachment(s.space, id, slot, &made_from);
    now = fr_object_versions(s.space, id);
    assert_true(now.pose == made_from.pose + 1 && now.vertices == made_from.vertices + 1);
    assert_true(now.shape == made_from.shape && now.filter == made_from.filter);

    // A new object in the place has no data, and other versions.
    assert_int_equal(fr_object_remove(s.space, id, NULL), FR_OK);
    fr_object_id next = scene_add(&s, true);
    assert_null(fr_object_attachment(s.space, next, slot, NULL));
    assert_true(fr_object_versions(s.space, next).shape > made_from.shape);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_limited),
        cmocka_unit_test(data_are_destroyed_once),
        cmocka_unit_test(old_data_are_known_by_their_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Labels and states go with their objects.
#include "failing.h"
#include "worlds.h"

#include "fureai/world_state.h"

#include <stdio.h>

static void labels_are_kept_with_their_objects(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id a = world_add(world, box, 0, 0, 0), b = world_add(world, box, 5, 0, 0);
    fr_label label = fr_world_label(world, a), cup = {"c\xC3\xBCp", {1, 2, 3, 4}};
    assert_string_equal(label.name, "");
    assert_true(label.color.r == 200 && label.color.g == 200 && label.color.b == 200 && label.color.a == 255);

    assert_int_equal(fr_world_set_label(world, b, &cup, NULL), FR_OK);
    label = fr_world_label(world, b);
    assert_string_equal(label.name, cup.name);
    assert_true(label.color.r == 1 && label.color.a == 4);
    assert_int_equal(fr_world_set_label(world, b, &label, NULL), FR_OK); // its own, read back
    assert_string_equal(fr_world_label(world, b).name, cup.name);
    assert_true(fr_object_id_equal(fr_world_find(world, cup.name), b));
    assert_int_equal(fr_world_find(world, "cup").index1, 0);

    // The next object at the place begins without it.
    assert_int_equal(fr_world_set_state(world, b, "open", 1.0, NULL), FR_OK);
    assert_int_equal(fr_object_remove(fr_world_space(world), b, NULL), FR_OK);
    assert_string_equal(fr_world_label(world, b).name, "");
    assert_int_equal(fr_world_find(world, cup.name).index1, 0);
    fr_object_id c = world_add(world, box, 5, 0, 0);
    assert_int_equal(c.index1, b.index1);
    assert_string_equal(fr_world_label(world, c).name, "");
    assert_true(fr_is_unknown(fr_world_state(world, c, "open")));
    assert_int_equal(fr_world_set_label(world, b, &cup, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_world_set_state(world, b, "open", 1.0, NULL), FR_ERROR_STALE_ID);
    assert_true(fr_is_unknown(fr_world_state(world, b, "open")) && fr_world_state_count(world, b) == 0);
    assert_null(fr_world_state_name(world, b, 0));

    // Of two that are called alike the first is found.
    assert_int_equal(fr_world_set_label(world, c, &cup, NULL), FR_OK);
    assert_int_equal(fr_world_set_label(world, a, &cup, NULL), FR_OK);
    assert_true(fr_object_id_equal(fr_world_find(world, cup.name), a));
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static void wrong_names_are_refused(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id id = world_add(world, box, 0, 0, 0);
    char name[FR_WORLD_NAME_MAX_BYTES + 2];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    fr_label label = {name, {0, 0, 0, 0}}, broken = {"\xC3", {0, 0, 0, 0}};
    assert_int_equal(fr_world_set_label(world, id, &label, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_world_set_label(world, id, &broken, NULL), FR_ERROR_ARGUMENT);
    name[FR_WORLD_NAME_MAX_BYTES] = '\0';
    assert_int_equal(fr_world_set_label(world, id, &label, NULL), FR_OK);
    name[FR_WORLD_STATE_NAME_MAX_BYTES + 1] = '\0';
    assert_int_equal(fr_world_set_state(world, id, name, 0, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_world_set_state(world, id, "", 0, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_world_set_state(world, id, "\xFF", 0, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_world_set_state(world, id, "open", NAN, NULL), FR_ERROR_NOT_FINITE);
    name[FR_WORLD_STATE_NAME_MAX_BYTES] = '\0';
    assert_int_equal(fr_world_set_state(world, id, name, 0, NULL), FR_OK);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static void changed_states_are_told(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id id = world_add(world, box, 0, 0, 0);
    assert_true(fr_is_unknown(fr_world_state(world, id, "open")));
    assert_int_equal(fr_world_set_state(world, id, "open", 0.0, NULL), FR_OK);
    assert_int_equal(fr_world_set_state(world, id, "open", 0.5, NULL), FR_OK);
    world_tick(world);
    fr_event event = {0};
    assert_int_equal(world_events(world, FR_EVENT_STATE, &event), 1);
    assert_string_equal(event.name, "open");
    assert_true(event.value == 0.5 && fr_object_id_equal(event.a, id));

    assert_int_equal(fr_world_set_state(world, id, "open", 0.5, NULL), FR_OK);
    world_tick(world);
    assert_int_equal(world_events(world, FR_EVENT_STATE, NULL), 0);
    for (int i = 1; i < FR_WORLD_MAX_STATES; i++) {
        char name[32];
        snprintf(name, sizeof name, "state %d", i);
        assert_int_equal(fr_world_set_state(world, id, name, i, NULL), FR_OK);
    }
    assert_int_equal(fr_world_set_state(world, id, "one more", 0, NULL), FR_ERROR_LIMIT);
    assert_int_equal(fr_world_state_count(world, id), FR_WORLD_MAX_STATES);
    assert_string_equal(fr_world_state_name(world, id, 0), "open");
    assert_string_equal(fr_world_state_name(world, id, 15), "state 15");
    assert_null(fr_world_state_name(world, id, 16));
    world_tick(world);
    assert_int_equal(world_events(world, FR_EVENT_STATE, NULL), FR_WORLD_MAX_STATES - 1);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

// A state that is removed is gone at once, and reported with the next tick.
static void removed_states_are_gone(void **state) {
    (void)state;
    fr_world *world = world_open(NULL);
    fr_mesh *box = world_mesh("box");
    fr_object_id id = world_add(world, box, 0, 0, 0), stale = {99, 99, 99};
    fr_error error = {0};
    assert_int_equal(fr_world_remove_state(world, id, "open", &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_world_remove_state(world, stale, "open", &error), FR_ERROR_STALE_ID);
    for (int i = 0; i < FR_WORLD_MAX_STATES; i++) {
        char name[32];
        snprintf(name, sizeof name, "state %d", i);
        assert_int_equal(fr_world_set_state(world, id, name, i, NULL), FR_OK);
    }
    world_tick(world);
    assert_int_equal(fr_world_remove_state(world, id, "state 3", &error), FR_OK);
    assert_int_equal(fr_world_remove_state(world, id, "state 3", &error), FR_ERROR_ARGUMENT);
    assert_true(fr_is_unknown(fr_world_state(world, id, "state 3")));
    assert_int_equal(fr_world_state_count(world, id), FR_WORLD_MAX_STATES - 1);
    assert_string_equal(fr_world_state_name(world, id, 3), "state 4");
    // There is room for another, and one that comes back was never away.
    assert_int_equal(fr_world_set_state(world, id, "another", 1.0, NULL), FR_OK);
    assert_int_equal(fr_world_set_state(world, id, "one more", 1.0, NULL), FR_ERROR_LIMIT);
    assert_int_equal(fr_world_remove_state(world, id, "state 5", &error), FR_OK);
    assert_int_equal(fr_world_set_state(world, id, "state 5", 50.0, NULL), FR_OK);
    world_tick(world);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    uint32_t removed = 0, set = 0;
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *event = &snapshot->events[i];
        if (event->kind != FR_EVENT_STATE) { continue; }
        bool is_removed = event->second == 1.0;
        if (is_removed) { assert_string_equal(event->name, "state 3"); }
        removed += is_removed;
        set += !is_removed;
    }
    fr_snapshot_release(snapshot);
    assert_int_equal(removed, 1);
    assert_int_equal(set, 2);
    assert_true(fr_world_state(world, id, "state 5") == 50.0);
    world_tick(world);
    assert_int_equal(world_events(world, FR_EVENT_STATE, NULL), 0);
    // However often between two ticks, they do not pile up.
    for (int i = 0; i < 1000; i++) {
        char name[32];
        snprintf(name, sizeof name, "passing %d", i);
        if (fr_world_set_state(world, id, name, 1.0, NULL) != FR_OK) { continue; }
        assert_int_equal(fr_world_remove_state(world, id, name, &error), FR_OK);
    }
    world_tick(world);
    assert_int_equal(fr_world_state_count(world, id), FR_WORLD_MAX_STATES);
    fr_world_destroy(world);
    fr_mesh_release(box);
}

static fr_status label_all(const fr_allocator *allocator, void *context) {
    fr_world *world;
    fr_object_id id = {0, 0, 0};
    fr_status status = world_try(allocator, context, &world, &id);
    fr_label label = {"a", {1, 2, 3, 4}}, other = {"b", {1, 2, 3, 4}};
    if (status == FR_OK) { status = fr_world_set_label(world, id, &label, NULL); }
    if (status == FR_OK) {
        status = fr_world_set_label(world, id, &other, NULL);
        assert_string_equal(fr_world_label(world, id).name, status == FR_OK ? "b" : "a");
    }
    if (status == FR_OK) { status = fr_world_set_state(world, id, "open", 1.0, NULL); }
    fr_world_destroy(world);
    return status;
}

static void failed_allocations_change_nothing(void **state) {
    (void)state;
    fr_mesh *box = world_mesh("box");
    (void)test_every_failure(label_all, box);
    fr_mesh_release(box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_kept_with_their_objects),
        cmocka_unit_test(wrong_names_are_refused),
        cmocka_unit_test(changed_states_are_told),
        cmocka_unit_test(removed_states_are_gone),
        cmocka_unit_test(failed_allocations_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The bodies of a journal's records, and the world that records make.
#include "failing.h"
#include "server/journal_state.h"

#include <math.h>
#include <string.h>

static fr_journal_record record_of(uint64_t number, fr_journal_kind kind, const char *object, const char *body) {
    return (fr_journal_record){number, (int64_t)number, number * 10, kind, object, "Ann", body};
}

static fr_status take(fr__journal_state *state, fr_journal_kind kind, const char *object, const char *body) {
    fr_journal_record record = record_of(state->number + 1, kind, object, body);
    fr_error error = {0};
    fr_status status = fr__journal_state_take(state, &record, &error);
    if (status != FR_OK) { assert_true(error.message[0] != '\0'); }
    return status;
}

#define OBJECT(name, x, more)                                                                                          \
    "{\"name\":\"" name "\",\"position\":[" x ",0,0],\"rotation\":[1,0,0,0],\"scale\":1" more "}"

#define FRAMES "\"in_parent\":[1,0,0,0,0,2,0,1],\"in_child\":[1,0,0,0,0,0,0,1]"

static const fr__store_object *object_of(const fr__store *store, const char *name) {
    for (size_t i = 0; i < store->objects.count; i++) {
        if (strcmp(store->objects.data[i].name, name) == 0) { return &store->objects.data[i]; }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies

static void wrong_bodies_are_refused(void **state) {
    (void)state;
    static const struct {
        fr_journal_kind kind;
        const char *body;
    } wrong[] = {
        {FR_JOURNAL_SCENE, ""},
        {FR_JOURNAL_SCENE, "[]"},
        {FR_JOURNAL_SCENE, "{}"},
        {FR_JOURNAL_SCENE, "{\"scene\":\"\"}"},
        {FR_JOURNAL_SCENE, "{\"scene\":\"a\"} {}"},
        {FR_JOURNAL_SCENE, "{\"scene\":\"a\",\"more\":1}"},
        {FR_JOURNAL_OBJECT, OBJECT("other", "1", "")},
        {FR_JOURNAL_OBJECT, OBJECT("cup", "1e999", "")},
        {FR_JOURNAL_OBJECT, OBJECT("cup", "1", ",\"class\":\"cup\"")},
        {FR_JOURNAL_OBJECT, OBJECT("cup", "1", ",\"added\":[1,0,0,0,0,0,0,1]")},
        {FR_JOURNAL_OBJECT, OBJECT("cup", "1", ",\"class\":\"cup\",\"added\":[2,0,0,0,0,0,0,1]")},
        {FR_JOURNAL_OBJECT, OBJECT("cup", "1", ",\"joint\":1")},
        {FR_JOURNAL_OBJECT, OBJECT("cup", "1", ",\"joint\":{}")},
        {FR_JOURNAL_OBJECT, OBJECT("cup", "1", ",\"joint\":{\"kind\":\"rope\"," FRAMES "}")},
        {FR_JOURNAL_OBJECT, OBJECT("cup", "1", ",\"joint\":{\"kind\":\"hinge\"," FRAMES ",\"low\":1,\"high\":0}")},
        {FR_JOURNAL_OBJECT, OBJECT("cup", "1", ",\"joint\":{\"kind\":\"hinge\",\"in_parent\":[1,0,0,0,0,0,0,1]}")},
        {FR_JOURNAL_POSE, "{}"},
        {FR_JOURNAL_STATE, "{\"value\":1}"},
        {FR_JOURNAL_STATE, "{\"name\":5,\"value\":1}"},
        {FR_JOURNAL_STATE, "{\"name\":\"a\\u0000b\",\"value\":1}"},
        {FR_JOURNAL_STATE, "{\"name\":\"a-name-of-more-than-thirty-one-bytes\",\"value\":1}"},
        {FR_JOURNAL_LEASE, "{\"held\":1}"},
        {FR_JOURNAL_COMMAND, "{\"id\":1,\"motions\":[]}"},
        {FR_JOURNAL_COMMAND, "{\"id\":-1,\"motions\":[{\"name\":\"open\"}]}"},
        {FR_JOURNAL_COMMAND, "{\"id\":1,\"motions\":[{\"name\":\"open\",\"parameters\":[[\"a\"]]}]}"},
        {FR_JOURNAL_COMMAND, "{\"id\":1,\"motions\":[{\"object\":\"door\"}]}"},
        {FR_JOURNAL_ENDED, "{\"id\":1.5}"},
        {FR_JOURNAL_REMOVE, "{\"more\":1}"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fr__journal_state world = fr__journal_state_make("room", NULL);
        assert_int_not_equal(take(&world, wrong[i].kind, "cup", wrong[i].body), FR_OK);
        assert_int_equal(world.number, 0);
        fr__journal_state_free(&world);
    }
}

static void a_command_comes_back_as_it_was(void **state) {
    (void)state;
    const fr_command_parameter parameters[] = {{"hand", "left"}, {"text", "a \"quoted\"\n\x01 one"}, {"empty", ""}};
    const fr_command fused[] = {{.name = "look", .given = FR_COMMAND_POINT, .point = {0.1, 0.2, 1.0 / 3.0}}};
    const fr__journal_command given = {.id = 77,
                                       .command = {.name = "open",
                                                   .person = "Hana",
                                                   .given = FR_COMMAND_GOAL | FR_COMMAND_FACING,
                                                   .goal = {1.5, -2.5, 1e-300},
                                                   .facing = 0.7853981633974483,
                                                   .frames = 200,
                                                   .start = 5,
                                                   .parameters = parameters,
                                                   .parameter_count = 3,
                                                   .fused = fused,
                                                   .fused_count = 1},
                                       .objects = {"door", ""}};
    fr_array text = fr_array_make(1, NULL);
    assert_true(fr__journal_write_command(&given, &text));
    fr__journal_state world = fr__journal_state_make("room", NULL);
    assert_int_equal(take(&world, FR_JOURNAL_COMMAND, "Hana", text.data), FR_OK);
    assert_int_equal(world.commands.count, 1);
    const fr__journal_command *read = &world.commands.data[0];
    assert_int_equal(read->id, 77);
    assert_string_equal(read->command.name, "open");
    assert_string_equal(read->command.person, "Hana");
    assert_string_equal(read->objects[0], "door");
    assert_string_equal(read->objects[1], "");
    assert_int_equal(read->command.given, given.command.given);
    assert_memory_equal(&read->command.goal, &given.command.goal, sizeof given.command.goal);
    assert_true(read->command.facing == given.command.facing);
    assert_int_equal(read->command.frames, 200);
    assert_int_equal(read->command.start, 5);
    assert_int_equal(read->command.parameter_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(read->command.parameters[i].key, parameters[i].key);
        assert_string_equal(read->command.parameters[i].value, parameters[i].value);
    }
    assert_int_equal(read->command.fused_count, 1);
    assert_memory_equal(&read->command.fused[0].point, &fused[0].point, sizeof fused[0].point);
    // Its end takes it away, and only its own.
    assert_int_equal(take(&world, FR_JOURNAL_ENDED, "", "{\"id\":76}"), FR_OK);
    assert_int_equal(world.commands.count, 1);
    assert_int_equal(take(&world, FR_JOURNAL_ENDED, "", "{\"id\":77}"), FR_OK);
    assert_int_equal(world.commands.count, 0);
    assert_int_equal(world.last_id, 77);
    fr__journal_state_free(&world);
    fr_array_destroy(&text);
}

// ---------------------------------------------------------------------------------------------------------------
// Worlds

static void records_make_a_world(void **state) {
    (void)state;
    fr__journal_state world = fr__journal_state_make("room", NULL);
    fr__store store;
    assert_int_equal(take(&world, FR_JOURNAL_SCENE, "", "{\"scene\":\"room\"}"), FR_OK);
    assert_int_equal(
        take(&world, FR_JOURNAL_OBJECT, "cup", OBJECT("cup", "1", ",\"states\":[{\"name\":\"full\",\"value\":1}]")),
        FR_OK);
    assert_int_equal(
        take(&world, FR_JOURNAL_ADD, "new", OBJECT("new", "2", ",\"class\":\"cup\",\"added\":[1,0,0,0,2,1,0,1]")),
        FR_OK);
    assert_int_equal(
        take(&world, FR_JOURNAL_ADD, "gone", OBJECT("gone", "2", ",\"class\":\"cup\",\"added\":[1,0,0,0,2,1,0,1]")),
        FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_LEASE, "cup", "{\"held\":true}"), FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_PLACE, "cup", OBJECT("cup", "3", ",\"placed\":true")), FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_REMOVE, "gone", "{}"), FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_STATE, "cup", "{\"name\":\"warm\",\"value\":0.5}"), FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_STATE, "cup", "{\"name\":\"full\"}"), FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_STATE, "door", "{\"name\":\"open\",\"value\":1}"), FR_OK);
    fr_journal_report report = {0};
    fr__journal_state_count(&world, &report);
    assert_int_equal(report.objects, 3);
    assert_int_equal(report.added, 1);
    assert_int_equal(report.states, 2);
    assert_int_equal(report.leases, 1);
    assert_int_equal(fr__journal_state_store(&world, &store, NULL), FR_OK);
    assert_string_equal(store.scene, "room");
    assert_int_equal(store.objects.count, 3);
    const fr__store_object *cup = object_of(&store, "cup"), *added = object_of(&store, "new");
    assert_true(cup->pose.position.x == 3.0 && cup->is_placed && !cup->is_unmoved);
    assert_int_equal(cup->state_count, 1);
    assert_string_equal(store.states.data[cup->first_state].name, "warm");
    assert_string_equal(added->class_name, "cup");
    assert_true(added->added.position.y == 1.0 && added->pose.position.x == 2.0);
    // A record that lists no states knows of none.
    assert_true(cup->has_all_states && !added->has_all_states);
    assert_true(object_of(&store, "door")->is_unmoved);
    assert_null(object_of(&store, "gone"));
    fr__store_free(&store);
    fr__journal_state_free(&world);
}

// A server that begins again ends leases; a thing that goes on by itself is not placed; a name may come again; another
// scene knows nothing of it.
static void a_world_goes_on(void **state) {
    (void)state;
    fr__journal_state world = fr__journal_state_make("room", NULL);
    fr__store store;
    assert_int_equal(take(&world, FR_JOURNAL_SCENE, "", "{\"scene\":\"room\"}"), FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_PLACE, "cup", OBJECT("cup", "3", ",\"placed\":true")), FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_LEASE, "cup", "{\"held\":true}"), FR_OK);
    assert_int_equal(
        take(&world, FR_JOURNAL_ADD, "gone", OBJECT("gone", "2", ",\"class\":\"cup\",\"added\":[1,0,0,0,2,1,0,1]")),
        FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_REMOVE, "gone", "{}"), FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_START, "", "{\"server\":\"fureai\"}"), FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_RESUME, "", "{}"), FR_OK);
    assert_int_equal(
        take(&world, FR_JOURNAL_ADD, "gone", OBJECT("gone", "9", ",\"class\":\"box\",\"added\":[1,0,0,0,2,1,0,1]")),
        FR_OK);
    fr_journal_report report = {0};
    fr__journal_state_count(&world, &report);
    assert_int_equal(report.leases, 0);
    assert_int_equal(fr__journal_state_store(&world, &store, NULL), FR_OK);
    assert_false(object_of(&store, "cup")->is_placed);
    assert_string_equal(object_of(&store, "gone")->class_name, "box");
    fr__store_free(&store);
    assert_int_equal(take(&world, FR_JOURNAL_SCENE, "", "{\"scene\":\"hall\"}"), FR_OK);
    assert_int_equal(fr__journal_state_store(&world, &store, NULL), FR_OK);
    assert_int_equal(store.objects.count, 0);
    assert_string_equal(store.scene, "hall");
    fr__store_free(&store);
    // The world of the scene before stays known, until that scene begins from its file, or all worlds are written
    // again.
    assert_int_equal(take(&world, FR_JOURNAL_OBJECT, "door", OBJECT("door", "4", "")), FR_OK);
    assert_int_equal(world.left.count, 1);
    assert_string_equal(world.left.data[0].scene, "room");
    assert_string_equal(object_of(&world.left.data[0].store, "gone")->class_name, "box");
    assert_int_equal(take(&world, FR_JOURNAL_SCENE, "", "{\"scene\":\"room\"}"), FR_OK);
    assert_int_equal(world.left.count, 1);
    assert_string_equal(world.left.data[0].scene, "hall");
    assert_true(object_of(&world.left.data[0].store, "door")->pose.position.x == 4.0);
    fr__journal_state_count(&world, &report);
    assert_int_equal(report.scenes, 2);
    assert_int_equal(take(&world, FR_JOURNAL_WORLDS, "", "{}"), FR_OK);
    assert_true(world.left.count == 0 && world.scene == NULL && world.worlds_number == world.number);
    // All that was written whole with them is of their time.
    uint64_t last = world.number + 1;
    fr_journal_record record = record_of(last, FR_JOURNAL_SCENE, "", "{\"scene\":\"room\"}");
    record.time_ms = world.time_ms;
    assert_int_equal(fr__journal_state_take(&world, &record, NULL), FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_OBJECT, "door", OBJECT("door", "4", "")), FR_OK);
    assert_true(world.worlds_number == last && world.number > last);
    fr__journal_state_free(&world);
}

// What an object hangs on is what was said of it last; a record that does not speak of it leaves it.
static void joints_are_those_of_the_last_record(void **state) {
    (void)state;
    fr__journal_state world = fr__journal_state_make("room", NULL);
    fr__store store;
    assert_int_equal(take(&world, FR_JOURNAL_SCENE, "", "{\"scene\":\"room\"}"), FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_OBJECT, "nut", OBJECT("nut", "1", ",\"states\":[],\"joint\":null")),
                     FR_OK);
    assert_int_equal(take(&world, FR_JOURNAL_OBJECT, "lid", OBJECT("lid", "1", "")), FR_OK);
    assert_int_equal(fr__journal_state_store(&world, &store, NULL), FR_OK);
    assert_int_equal(object_of(&store, "nut")->has_joint, FR__JOINT_NONE);
    assert_true(object_of(&store, "nut")->has_all_states && !object_of(&store, "lid")->has_all_states);
    assert_int_equal(object_of(&store, "lid")->has_joint, FR__JOINT_UNKNOWN);
    fr__store_free(&store);
    for (int i = 0; i < 3; i++) {
        char body[400];
        snprintf(body, sizeof body,
                 OBJECT("nut", "%d",
                        ",\"joint\":{\"kind\":\"screw\",\"parent\":\"bolt\"," FRAMES
                        ",\"low\":0,\"pitch\":0.0015,\"value\":%d.25}"),
                 i, i);
        assert_int_equal(take(&world, FR_JOURNAL_POSE, "nut", body), FR_OK);
    }
    assert_int_equal(take(&world, FR_JOURNAL_PLACE, "nut", OBJECT("nut", "9", "")), FR_OK);
    assert_int_equal(fr__journal_state_store(&world, &store, NULL), FR_OK);
    const fr__store_object *nut = object_of(&store, "nut");
    assert_int_equal(nut->has_joint, FR__JOINT_KNOWN);
    const fr__store_joint *joint = &store.joints.data[nut->joint];
    assert_string_equal(joint->parent, "bolt");
    assert_true(joint->joint.kind == FR_JOINT_SCREW && joint->joint.value == 2.25 && joint->joint.pitch == 0.0015);
    assert_true(joint->joint.low == 0.0 && joint->joint.high == (double)INFINITY);
    assert_true(joint->joint.frame_parent.position.y == 2.0);
    // As it is written it is read again.
    fr_array text = fr_array_make(1, NULL);
    assert_true(fr__journal_write_object(&store, nut, &text));
    assert_int_equal(take(&world, FR_JOURNAL_OBJECT, "nut", text.data), FR_OK);
    fr__store again;
    assert_int_equal(fr__journal_state_store(&world, &again, NULL), FR_OK);
    const fr__store_joint *same = &again.joints.data[object_of(&again, "nut")->joint];
    assert_memory_equal(&same->joint.frame_parent, &joint->joint.frame_parent, 2 * sizeof(fr_pose));
    assert_true(same->joint.value == 2.25 && same->joint.low == 0.0 && same->joint.high == (double)INFINITY);
    assert_string_equal(same->parent, "bolt");
    fr_array_destroy(&text);
    fr__store_free(&again);
    fr__store_free(&store);
    assert_int_equal(take(&world, FR_JOURNAL_POSE, "nut", OBJECT("nut", "9", ",\"joint\":null")), FR_OK);
    assert_int_equal(fr__journal_state_store(&world, &store, NULL), FR_OK);
    assert_int_equal(object_of(&store, "nut")->has_joint, FR__JOINT_NONE);
    fr__store_free(&store);
    fr__journal_state_free(&world);
}

static void records_out_of_order_are_refused(void **state) {
    (void)state;
    fr__journal_state world = fr__journal_state_make("room", NULL);
    fr_journal_record record = record_of(5, FR_JOURNAL_SCENE, "", "{\"scene\":\"a\"}");
    fr_error error = {0};
    assert_int_equal(fr__journal_state_take(&world, &record, &error), FR_OK);
    assert_int_equal(fr__journal_state_take(&world, &record, &error), FR_ERROR_CORRUPT);
    record.number = 6;
    record.time_ms = 4;
    assert_int_equal(fr__journal_state_take(&world, &record, &error), FR_ERROR_CORRUPT);
    assert_non_null(strstr(error.path, "record 6"));
    record.time_ms = 5;
    assert_int_equal(fr__journal_state_take(&world, &record, &error), FR_OK);
    fr__journal_state_free(&world);
}

// Random states of many objects, against a plain table of their values.
static void states_are_those_of_a_plain_table(void **state) {
    (void)state;
    enum { OBJECTS = 40, STATES = 5 };
    double table[OBJECTS][STATES];
    bool is_there[OBJECTS][STATES] = {{false}};
    fr_random random = fr_random_seed(3);
    fr__journal_state world = fr__journal_state_make("room", NULL);
    uint64_t count = test_count(4000, 400000);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t object = (uint32_t)fr_random_below(&random, OBJECTS),
                 which = (uint32_t)fr_random_below(&random, STATES);
        double value = fr_random_below(&random, 4) == 0 ? (double)NAN : fr_random_between(&random, -1e9, 1e9);
        char name[16], state_name[16];
        snprintf(name, sizeof name, "object %u", object);
        snprintf(state_name, sizeof state_name, "s%u", which);
        fr_array body = fr_array_make(1, NULL);
        assert_true(fr__journal_write_state(state_name, value, &body));
        assert_int_equal(take(&world, FR_JOURNAL_STATE, name, body.data), FR_OK);
        fr_array_destroy(&body);
        table[object][which] = value;
        is_there[object][which] = value == value;
    }
    fr__store store;
    assert_int_equal(fr__journal_state_store(&world, &store, NULL), FR_OK);
    for (uint32_t object = 0; object < OBJECTS; object++) {
        char name[16];
        snprintf(name, sizeof name, "object %u", object);
        const fr__store_object *found = object_of(&store, name);
        assert_non_null(found);
        size_t expected = 0;
        for (uint32_t which = 0; which < STATES; which++) {
            expected += is_there[object][which];
        }
        assert_int_equal(found->state_count, expected);
        for (size_t i = 0; i < found->state_count; i++) {
            const fr__store_state *read = &store.states.data[found->first_state + i];
            uint32_t which = (uint32_t)atoi(read->name + 1);
            assert_true(is_there[object][which] && read->value == table[object][which]);
        }
    }
    fr__store_free(&store);
    fr__journal_state_free(&world);
}

static fr_status make_world(const fr_allocator *allocator, void *context) {
    (void)context;
    fr__journal_state world = fr__journal_state_make("room", allocator);
    fr_status status = take(&world, FR_JOURNAL_SCENE, "", "{\"scene\":\"room\"}");
    for (int i = 0; i < 30 && status == FR_OK; i++) {
        char name[16], body[300];
        snprintf(name, sizeof name, "cup%d", i % 20);
        snprintf(body, sizeof body,
                 OBJECT("cup%d", "1",
                        ",\"states\":[{\"name\":\"full\",\"value\":1}],\"joint\":{\"kind\":\"fixed\"," FRAMES "}"),
                 i % 20);
        status = take(&world, FR_JOURNAL_OBJECT, name, body);
        if (status == FR_OK) { status = take(&world, FR_JOURNAL_LEASE, name, "{\"held\":true}"); }
        if (status == FR_OK) { status = take(&world, FR_JOURNAL_STATE, name, "{\"name\":\"a\",\"value\":2}"); }
        if (status == FR_OK) {
            status = take(&world, FR_JOURNAL_COMMAND, name, "{\"id\":1,\"motions\":[{\"name\":\"open\"}]}");
        }
    }
    fr__store store = {0};
    if (status == FR_OK) { status = fr__journal_state_store(&world, &store, NULL); }
    if (status == FR_OK) { status = take(&world, FR_JOURNAL_SCENE, "", "{\"scene\":\"hall\"}"); }
    test_note_number(store.objects.count + store.states.count);
    fr__store_free(&store);
    fr__journal_state_free(&world);
    return status;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    test_every_failure(make_world, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_bodies_are_refused),
        cmocka_unit_test(a_command_comes_back_as_it_was),
        cmocka_unit_test(records_make_a_world),
        cmocka_unit_test(a_world_goes_on),
        cmocka_unit_test(joints_are_those_of_the_last_record),
        cmocka_unit_test(records_out_of_order_are_refused),
        cmocka_unit_test(states_are_those_of_a_plain_table),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

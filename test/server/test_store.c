// A store as text: what is written is read, what is wrong is reported where it stands.
#include "failing.h"
#include "server/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fureai-store-XXXXXX");
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return chdir("/") == 0 ? system(line) : -1;
}

static void add_object(fr__store *store, const char *name, double x, bool is_placed) {
    fr__store_object *object = fr__store_object_array_push(&store->objects, 1);
    assert_non_null(object);
    fr_pose pose = {fr_quat_identity(), {x, -0.1, 1e-300}, 0.3};
    *object = (fr__store_object){.name = name, .pose = pose, .is_placed = is_placed};
    object->first_state = store->states.count;
}

static void add_state(fr__store *store, const char *name, double value) {
    fr__store_state *state = fr__store_state_array_push(&store->states, 1);
    assert_non_null(state);
    *state = (fr__store_state){name, value};
    fr__store_object *objects = store->objects.data;
    objects[store->objects.count - 1].state_count++;
}

static void what_is_written_is_read_to_the_last_bit(void **state) {
    (void)state;
    fr__store store = fr__store_make(NULL), again;
    store.scene = "a \"room\" \\ \xe3\x81\xb5";
    store.tick = UINT64_C(1) << 52;
    add_object(&store, "left", 0.1, false);
    add_object(&store, "\"quoted\\", 1.0 / 3.0, true);
    add_state(&store, "open", 0.7);
    add_state(&store, "lit", -1e17);
    fr_pose bones[2] = {{fr_quat_identity(), {1.0 / 3.0, -1e-300, 1e6}, 0.7},
                        {fr_quat_from_vector(fr_vec3_make(0.1, 0.2, 0.3)), {0, 0, 0}, 1.0}};
    memcpy(fr__store_bone_array_push(&store.bones, 2), bones, sizeof bones);
    store.objects.data[1].bone_count = 2;
    add_object(&store, "", 5.0, true);
    add_object(&store, "a\nb", 5.0, true);
    fr_array text = fr_array_make(1, NULL);
    assert_true(fr__store_write(&store, &text));
    fr_error error;
    assert_int_equal(fr__store_read(text.data, text.count, "x", NULL, &again, &error), FR_OK);
    assert_string_equal(again.scene, store.scene);
    assert_int_equal(again.tick, store.tick);
    assert_int_equal(again.objects.count, 2);
    const fr__store_object *objects = again.objects.data;
    const fr__store_state *states = again.states.data;
    assert_string_equal(objects[0].name, "left");
    assert_string_equal(objects[1].name, "\"quoted\\");
    assert_false(objects[0].is_placed);
    assert_true(objects[1].is_placed);
    assert_true(objects[1].pose.position.x == 1.0 / 3.0 && objects[1].pose.position.z == 1e-300);
    assert_true(objects[1].pose.scale == 0.3);
    assert_int_equal(objects[1].state_count, 2);
    assert_int_equal(objects[1].bone_count, 2);
    assert_memory_equal(again.bones.data, bones, sizeof bones);
    assert_string_equal(states[objects[1].first_state].name, "open");
    assert_true(states[objects[1].first_state + 1].value == -1e17);
    fr_array_destroy(&text);
    fr__store_free(&again);
    fr__store_free(&store);
}

#define HEAD "{ \"fureai\": 1, \"scene\": \"a\", \"tick\": 1,\n"
#define BODY "\"name\": \"b\", \"position\": [0,0,0], \"rotation\": [1,0,0,0], \"scale\": 1"

static void what_is_wrong_is_told_where_it_stands(void **state) {
    (void)state;
    static const struct {
        const char *text;
        fr_status status;
        int line;
    } cases[] = {
        {"", FR_ERROR_SYNTAX, 1},
        {"{", FR_ERROR_SYNTAX, 1},
        {"[]", FR_ERROR_SYNTAX, 1},
        {"{ \"fureai\": 2, \"scene\": \"a\", \"tick\": 1, \"objects\": [] }", FR_ERROR_VERSION, 1},
        {HEAD "\"objects\": [] } x", FR_ERROR_SYNTAX, 2},
        {HEAD "\"objects\": {} }", FR_ERROR_SYNTAX, 2},
        {HEAD "\n\"objects\": [ { \"name\": \"b\" } ] }", FR_ERROR_SYNTAX, 3},
        {HEAD "\"objects\": [ {" BODY ",\n\"pos\": 1 } ] }", FR_ERROR_SYNTAX, 3},
        {HEAD "\"objects\": [ {" BODY ",\n\"placed\": 1 } ] }", FR_ERROR_SYNTAX, 3},
        {HEAD "\"objects\": [ {" BODY ",\n\"states\": [ { \"name\": \"x\" } ] } ] }", FR_ERROR_SYNTAX, 3},
        {HEAD "\"objects\": [ { \"name\": \"b\", \"position\": [0,0,0], \"scale\": 1,\n\"rotation\": [1,1,0,0] } ] }",
         FR_ERROR_ARGUMENT, 3},
        {HEAD "\"objects\": [ { \"name\": \"b\", \"position\": [0,0,0], \"rotation\": [1,0,0,0],\n\"scale\": 0 } ] }",
         FR_ERROR_LIMIT, 3},
        {HEAD "\"objects\": [ {" BODY ",\n\"bones\": [] } ] }", FR_ERROR_SYNTAX, 3},
        {HEAD "\"objects\": [ {" BODY ",\n\"bones\": [[1,0,0,0,0,0,0]] } ] }", FR_ERROR_SYNTAX, 3},
        {HEAD "\"objects\": [ {" BODY ",\n\"bones\": [[1,1,0,0,0,0,0,1]] } ] }", FR_ERROR_ARGUMENT, 3},
        {HEAD "\"objects\": [ {" BODY ",\n\"bones\": [[1,0,0,0,0,0,0,0]] } ] }", FR_ERROR_ARGUMENT, 3},
        {HEAD "\"objects\": [ {" BODY ",\n\"bones\": [[1,0,0,0,1e300,0,0,1]] } ] }", FR_ERROR_LIMIT, 3},
        {"{ \"fureai\": 1, \"scene\": \"a\", \"objects\": [],\n\"tick\": 1.5 }", FR_ERROR_ARGUMENT, 2},
        {"{ \"fureai\": 1, \"scene\": \"a\", \"objects\": [],\n\"tick\": -1 }", FR_ERROR_LIMIT, 2},
        {"{ \"fureai\": 1, \"scene\": \"a\", \"objects\": [],\n\"tick\": 9007199254740992 }", FR_ERROR_LIMIT, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr__store store;
        fr_error error = {0};
        fr_status status = fr__store_read(cases[i].text, strlen(cases[i].text), "s.json", NULL, &store, &error);
        if (status != cases[i].status || error.line != cases[i].line) {
            fail_msg("case %zu: %s, line %d: %s", i, fr_status_name(status), error.line, error.message);
        }
        assert_string_equal(error.path, "s.json");
    }
}

static void files_are_replaced_whole(void **state) {
    (void)state;
    fr_error error = {0};
    fr__store store;
    assert_int_equal(fr__store_load("none.json", NULL, &store, &error), FR_OK);
    assert_null(store.scene);
    fr__store_free(&store);
    const char *text = HEAD "\"objects\": [ {" BODY "} ] }";
    assert_int_equal(fr__store_save("s.json", "old", 3, NULL, NULL, &error), FR_OK);
    assert_int_equal(fr__store_load("s.json", NULL, &store, &error), FR_ERROR_SYNTAX);
    assert_int_equal(symlink("/dev/full", "s.json.new"), 0);
    assert_int_equal(fr__store_save("s.json", text, strlen(text), NULL, NULL, &error), FR_OK);
    assert_int_equal(access("s.json.new", F_OK), -1);
    assert_int_equal(fr__store_load("s.json", NULL, &store, &error), FR_OK);
    assert_int_equal(store.objects.count, 1);
    fr__store_free(&store);
}

static void files_that_cannot_be_had_are_told(void **state) {
    (void)state;
    fr_error error = {0};
    fr__store store;
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(fr__store_load("folder", NULL, &store, &error), FR_ERROR_FILE);
    assert_string_equal(error.path, "folder");
    assert_int_equal(fr__store_save("folder", "x", 1, NULL, NULL, &error), FR_ERROR_FILE);
    assert_int_equal(fr__store_save("nowhere/s.json", "x", 1, NULL, NULL, &error), FR_ERROR_FILE);
    assert_string_equal(error.path, "nowhere/s.json");
    assert_int_equal(access("folder.new", F_OK), -1);
}

static fr_status read_one(const fr_allocator *allocator, void *context) {
    const char *text = context;
    fr__store store;
    fr_status status = fr__store_read(text, strlen(text), "s.json", allocator, &store, NULL);
    if (status == FR_OK) { fr__store_free(&store); }
    return status;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    char text[] = HEAD "\"objects\": [ {" BODY ", \"states\": [ { \"name\": \"x\", \"value\": 1 } ] } ] }";
    assert_true(test_every_failure(read_one, text) > 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_to_the_last_bit),
        cmocka_unit_test(what_is_wrong_is_told_where_it_stands),
        cmocka_unit_test(files_are_replaced_whole),
        cmocka_unit_test(files_that_cannot_be_had_are_told),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

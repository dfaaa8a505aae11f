// The maintenance of a machine by a person: examples/maintenance.json headless, what is refused meanwhile, and its
// replay.
#include "frame.h"

#include "fureai/act.h"
#include "fureai/file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct workshop {
    fr_library *library;
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_director *director;
    fr_byte_array text; // of the file that was read last
    uint32_t early;     // ticks in which the cover was not bolted before the nuts were off
} workshop;

static void load(workshop *w, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", EXAMPLE_FOLDER, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    w->text.count = 0;
    for (int c; (c = fgetc(file)) != EOF;) {
        *fr_byte_array_push(&w->text, 1) = (unsigned char)c;
    }
    fclose(file);
}

static void open_workshop(workshop *w) {
    memset(w, 0, sizeof *w);
    w->text = fr_byte_array_make(NULL);
    fr_error error = {0};
    assert_int_equal(fr_library_open(OBJECT_FOLDER, NULL, &w->library, NULL), FR_OK);
    load(w, "maintenance_room.json");
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = fr_library_classes(w->library);
    if (fr_scene_read(w->text.data, w->text.count, &reading, &w->scene, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    fr_world_def def = fr_scene_world_def(w->scene);
    def.sense = FR_SENSE_STATIC;
    def.want = FR_WANT_PAIRS;
    assert_int_equal(fr_world_create(&def, &w->world, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.classes = fr_library_classes(w->library);
    if (fr_scene_build_world(w->scene, &building, w->world, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_scene_cast(w->scene, w->world, NULL, &w->cast, NULL), FR_OK);
    fr_director_def directing = fr_default_director_def();
    directing.cast = w->cast;
    directing.library = w->library;
    assert_int_equal(fr_director_create_for_scene(&directing, w->scene, &w->director, NULL), FR_OK);
}

static void close_workshop(workshop *w) {
    fr_cast_destroy(w->cast);
    fr_world_destroy(w->world);
    fr_scene_destroy(w->scene);
    fr_library_destroy(w->library);
    fr_byte_array_destroy(&w->text);
}

static bool is_in(const workshop *w, const char *name, const char *state) {
    return fr_world_state(w->world, fr_world_find(w->world, name), state) == 1.0;
}

static bool has_motion(const workshop *w, const char *object, const char *name) {
    const fr_affordance *a;
    for (uint32_t i = 0; (a = fr_cast_affords(w->cast, fr_world_find(w->world, object), i)) != NULL; i++) {
        if (strcmp(a->name, name) == 0) { return true; }
    }
    return false;
}

static void expect_refused(const workshop *w, const char *object, const char *motion, const char *words) {
    const fr_command command = {.name = motion, .object = fr_world_find(w->world, object), .person = "Aya"};
    fr_error error = {0};
    assert_int_equal(fr_cast_command(w->cast, &command, &error), FR_ERROR_ARGUMENT);
    assert_string_equal(error.message, words);
}

static fr_status look(uint32_t over, void *user, fr_error *error) {
    (void)over, (void)error;
    workshop *w = user;
    bool is_off = true;
    for (int i = 1; i <= 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "nut%d", i);
        is_off = is_off && (is_in(w, name, "off") || is_in(w, name, "on_cover"));
    }
    w->early += !is_off && !is_in(w, "cover", "bolted") ? 1 : 0;
    return FR_OK;
}

static void carry_out(workshop *w, const char *text, size_t size, uint32_t done) {
    fr_script *script;
    fr_error error = {0};
    if (fr_script_read(text, size, NULL, &script, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_script_run_input input = fr_default_script_run_input();
    input.script = script;
    input.cast = w->cast;
    input.max_ticks = 5000;
    input.after = look;
    input.user = w;
    fr_script_run run;
    assert_int_equal(fr_script_carry_out(&input, &run, NULL), FR_OK);
    for (uint32_t i = 0; i < run.result_count && run.done_count != done; i++) {
        print_message("%u: %s\n", i, run.results[i].reason);
    }
    assert_int_equal(run.done_count, done);
    fr_script_run_destroy(&run);
    fr_script_destroy(script);
}

static void push_bytes(const void *bytes, size_t size, void *context) {
    unsigned char *place = fr_byte_array_push(context, size);
    assert_non_null(place);
    memcpy(place, bytes, size);
}

// What the present state affords, and sentences where another would.
static void only_the_present_state_affords(void **state) {
    (void)state;
    workshop w;
    open_workshop(&w);
    assert_int_equal(fr_cast_tick(w.cast, NULL, NULL), FR_OK);
    assert_true(has_motion(&w, "nut1", "turn") && has_motion(&w, "wrench", "take") && has_motion(&w, "cover", "look"));
    assert_false(has_motion(&w, "cover", "take off") || has_motion(&w, "wrench", "put down"));
    expect_refused(&w, "cover", "take off", "'cover' is bolted: 4 of 4 nut* are not off");
    expect_refused(&w, "cover", "lift", "'cover' is bolted: 4 of 4 nut* are not off");
    expect_refused(&w, "wrench", "put down", "'wrench' is lying; 'put down' is afforded when it is in_hand");
    expect_refused(&w, "cover", "lok", "'cover' affords no 'lok'; did you mean 'look'?");
    // Without a tool there is nothing to turn it with.
    const char *text = "{\"fureai\":1,\"commands\":[{\"motion\":\"turn\",\"object\":\"nut3\"}]}";
    carry_out(&w, text, strlen(text), 0);
    assert_string_equal(fr_director_get(w.director, 0).reason, "Aya has nothing with a frame 'head' in a hand");
    // What comes later is looked at when it begins.
    const char *late = "{\"fureai\":1,\"commands\":[{\"motion\":\"take\",\"object\":\"wrench\"},{\"motion\":\"take "
                       "off\",\"object\":\"cover\"},{\"motion\":\"put down\",\"object\":\"wrench\"}]}";
    carry_out(&w, late, strlen(late), 2);
    assert_true(is_in(&w, "wrench", "lying"));
    assert_int_equal(w.early, 0);
    close_workshop(&w);
}

static void a_person_takes_the_cover_off(void **state) {
    (void)state;
    workshop w;
    open_workshop(&w);
    fr_byte_array record = fr_byte_array_make(NULL);
    assert_int_equal(fr_world_record(w.world, push_bytes, &record, NULL), FR_OK);
    load(&w, "maintenance.json");
    carry_out(&w, (const char *)w.text.data, w.text.count, 16);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fr_cast_tick(w.cast, NULL, NULL), FR_OK);
    }
    assert_int_equal(fr_world_record(w.world, NULL, NULL, NULL), FR_OK);
    assert_int_equal(w.early, 0);
    assert_true(is_in(&w, "cover", "in_hand") && is_in(&w, "nut1", "on_cover") && is_in(&w, "wrench", "in_hand"));
    fr_vec3 lifted = fr_object_get(fr_world_space(w.world), fr_world_find(w.world, "cover"))->pose.position;
    fr_vec3 nut = fr_object_get(fr_world_space(w.world), fr_world_find(w.world, "nut1"))->pose.position;
    assert_true(lifted.y > 0.99 && nut.y > 0.95);
    fr_world_def def = fr_scene_world_def(w.scene);
    fr_world *again;
    assert_int_equal(fr_world_create(&def, &again, NULL), FR_OK);
    fr_error error = {0};
    if (fr_world_replay(again, record.data, record.count, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_true(fr_world_state(again, fr_world_find(again, "cover"), "in_hand") == 1.0);
    fr_world_destroy(again);
    fr_byte_array_destroy(&record);
    // The scene begins again with the cover on.
    assert_int_equal(fr_scene_restart_world(w.scene, w.world, NULL), FR_OK);
    assert_int_equal(fr_cast_begin(w.cast, NULL), FR_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fr_cast_tick(w.cast, NULL, NULL), FR_OK);
    }
    assert_true(is_in(&w, "cover", "bolted") && is_in(&w, "nut1", "on_bolt") && is_in(&w, "wrench", "lying"));
    fr_pose pose = fr_object_get(fr_world_space(w.world), fr_world_find(w.world, "cover"))->pose;
    assert_true(fabs(pose.position.y - 0.85) < 1e-9);
    close_workshop(&w);
}

// Objects of a scene without people are in states, too.
static void a_scene_without_people_has_states(void **state) {
    (void)state;
    static const char text[] = "{\"fureai\":1,\"objects\":[{\"name\":\"nut1\",\"class\":\"nut\"},"
                               "{\"name\":\"nut2\",\"class\":\"nut\",\"position\":[1,0,0],\"states\":{\"off\":1}}]}";
    workshop w;
    open_workshop(&w);
    fr_cast_destroy(w.cast);
    fr_world_destroy(w.world);
    fr_scene_destroy(w.scene);
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.classes = fr_library_classes(w.library);
    fr_error error = {0};
    if (fr_scene_read(text, strlen(text), &reading, &w.scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_world_def def = fr_scene_world_def(w.scene);
    assert_int_equal(fr_world_create(&def, &w.world, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.classes = fr_library_classes(w.library);
    assert_int_equal(fr_scene_build_world(w.scene, &building, w.world, NULL, NULL), FR_OK);
    assert_int_equal(fr_scene_cast(w.scene, w.world, NULL, &w.cast, NULL), FR_OK);
    fr_director_def directing = fr_default_director_def();
    directing.cast = w.cast;
    directing.library = w.library;
    assert_int_equal(fr_director_create_for_scene(&directing, w.scene, &w.director, NULL), FR_OK);
    assert_null(w.director);
    assert_non_null(fr_cast_find(w.cast, FR_MECHANISM_NAME));
    assert_int_equal(fr_cast_tick(w.cast, NULL, NULL), FR_OK);
    assert_true(is_in(&w, "nut1", "on_bolt") && is_in(&w, "nut2", "off"));
    close_workshop(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_present_state_affords),
        cmocka_unit_test(a_person_takes_the_cover_off),
        cmocka_unit_test(a_scene_without_people_has_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Scripts: what each key becomes, what is refused where, and how commands are carried out one after another.
#include "failing.h"
#include "frame.h"
#include "peopled.h"
#include "scene/schema.h"

#include "fureai/act_director.h"
#include "fureai/act_script.h"

#include "base/allocator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static fr_script *read_right(const char *text) {
    fr_script *script;
    fr_error error = {0};
    if (fr_script_read(text, strlen(text), NULL, &script, &error) != FR_OK) { fail_msg("%s", error.message); }
    return script;
}

static void keys_become_commands(void **state) {
    (void)state;
    fr_script *script = read_right(
        "{\"fureai\":1,\"scene\":\"room.json\",\"commands\":[{\"person\":\"Hana\",\"motion\":\"take\","
        "\"object\":\"cup\",\"goal\":[1,2,3],\"facing_deg\":90,\"frames\":60,\"parameters\":{\"hand\":\"left\","
        "\"depth\":0.25,\"goal\":[1,-2,3e-3]},\"fused\":[{\"motion\":\"walk\",\"point\":[4,5,6],\"start\":7}]},"
        "{\"motion\":\"sit\"},{\"person\":\"Mai\",\"want\":\"cup on table\"}]}");
    const fr_script_view *view = fr_script_get(script);
    assert_string_equal(view->scene, "room.json");
    assert_int_equal(view->step_count, 4);
    const fr_script_step *step = view->steps;
    assert_string_equal(step->person, "Hana");
    assert_string_equal(step->motion, "take");
    assert_string_equal(step->object, "cup");
    assert_int_equal(step->command.given, FR_COMMAND_GOAL | FR_COMMAND_FACING);
    assert_true(fr_vec3_equal(step->command.goal, fr_vec3_make(1.0, 2.0, 3.0)));
    assert_float_equal(step->command.facing, FR_PI / 2.0, 1e-15);
    assert_int_equal(step->command.frames, 60);
    assert_int_equal(step->fused_count, 1);
    assert_int_equal(step->command.parameter_count, 3);
    assert_string_equal(step->command.parameters[0].value, "left");
    assert_string_equal(step->command.parameters[1].value, "0.25");
    assert_string_equal(step->command.parameters[2].value, "1,-2,0.003");
    assert_string_equal(step[1].motion, "walk");
    assert_int_equal(step[1].command.given, FR_COMMAND_POINT);
    assert_int_equal(step[1].command.start, 7);
    assert_string_equal(step[2].person, "");
    assert_int_equal(step[2].fused_count, 0);
    assert_string_equal(step[3].person, "Mai");
    assert_string_equal(step[3].motion, FR_DIRECTOR_GOAL);
    assert_int_equal(step[3].command.parameter_count, 1);
    assert_string_equal(step[3].command.parameters[0].key, FR_DIRECTOR_WANT);
    assert_string_equal(step[3].command.parameters[0].value, "cup on table");
    fr_script_destroy(script);
}

static const struct wrong_script {
    const char *text, *message, *at;
} wrong_scripts[] = {
    {"{\"fureai\":1}", "commands", "{"},
    {"{\"fureai\":2,\"commands\":[]}", "version 2", "2,"},
    {"{\"fureai\":1,\"commands\":[{\"person\":\"a\"}]}", "needs 'motion'", "{\"person"},
    {"{\"fureai\":1,\"commands\":[{\"want\":\"a on b\",\"motion\":\"c\"}]}", "has no 'motion'", "\"motion"},
    {"{\"fureai\":1,\"commands\":[{\"want\":\"a on b\",\"frames\":2}]}", "has no 'frames'", "\"frames"},
    {"{\"fureai\":1,\"commands\":[{\"want\":3}]}", "want", "3"},
    {"{\"fureai\":1,\"commands\":[{\"motion\":\"a\",\"fused\":[{\"want\":\"b held\"}]}]}", "neither", "\"want"},
    {"{\"fureai\":1,\"commands\":[{\"motoin\":\"a\"}]}", "motion", "\"motoin"},
    {"{\"fureai\":1,\"commands\":[{\"motion\":\"a\",\"goal\":[1,2]}]}", "goal", "[1,2]"},
    {"{\"fureai\":1,\"commands\":[{\"motion\":\"a\",\"frames\":-1}]}", "frames", "-1"},
    {"{\"fureai\":1,\"commands\":[{\"motion\":\"a\",\"parameters\":{\"b\":true}}]}", "parameter", "true"},
    {"{\"fureai\":1,\"commands\":[{\"motion\":\"a\",\"parameters\":{\"b\":1,\"b\":2}}]}", "second time", "\"b\":2"},
    {"{\"fureai\":1,\"commands\":[{\"motion\":\"a\",\"fused\":[{\"motion\":\"b\",\"person\":\"c\"}]}]}", "neither",
     "\"person"},
    {"{\"fureai\":1,\"commands\":[{\"motion\":\"a\",\"fused\":[{\"motion\":\"b\",\"fused\":[]}]}]}", "neither",
     "\"fused\":[]"},
    {"[]", "a script", "["},
};

static void wrong_scripts_are_refused_where_they_are_wrong(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong_scripts / sizeof wrong_scripts[0]; i++) {
        const struct wrong_script *c = &wrong_scripts[i];
        fr_script *script;
        fr_error error = {0};
        assert_int_not_equal(fr_script_read(c->text, strlen(c->text), NULL, &script, &error), FR_OK);
        assert_null(script);
        bool is_right = strstr(error.message, c->message) != NULL && error.line == 1 &&
                        error.column == (int)(strstr(c->text, c->at) - c->text) + 1;
        if (!is_right) { fail_msg("%s: column %d: %s", c->text, error.column, error.message); }
    }
}

// docs/schema/script.schema.json refuses the same, but a key that stands there twice.
static void the_schema_says_the_same(void **state) {
    (void)state;
    static char text[1 << 16];
    FILE *file = fopen(SCHEMA_FILE, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    fr_json *schema = schema_parse(text, size);
    assert_non_null(schema);
    for (size_t i = 0; i < sizeof wrong_scripts / sizeof wrong_scripts[0]; i++) {
        fr_json *json = schema_parse(wrong_scripts[i].text, strlen(wrong_scripts[i].text));
        bool is_accepted = json != NULL && schema_accepts(schema, json);
        if (is_accepted != (strstr(wrong_scripts[i].message, "second") != NULL)) {
            fail_msg("%s", wrong_scripts[i].text);
        }
        fr_json_destroy(json);
    }
    const char *right =
        "{\"fureai\":1,\"scene\":\"a\",\"commands\":[{\"motion\":\"b\",\"parameters\":{\"c\":[1]},\"fused\":[]},"
        "{\"want\":\"cup on table\"},{\"person\":\"d\",\"want\":\"lid off\"}]}";
    fr_json *json = schema_parse(right, strlen(right));
    assert_true(schema_accepts(schema, json));
    fr_json_destroy(json);
    fr_json_destroy(schema);
}

// ---------------------------------------------------------------------------------------------------------------

static fr_performer *add_director(const peopled *w) {
    fr_director_def def = fr_default_director_def();
    def.cast = w->cast;
    fr_director *director;
    assert_int_equal(fr_director_create(&def, &director, NULL), FR_OK);
    const fr_actor actor = fr_director_actor(director);
    assert_int_equal(fr_cast_add(w->cast, &actor, NULL), FR_OK);
    fr_person_def person = person_def(w);
    assert_int_equal(fr_director_add_person(director, &person, NULL), FR_OK);
    return fr_person_performer(fr_director_get(director, 0).person);
}

static fr_status count_ticks(uint32_t over, void *user, fr_error *error) {
    (void)error;
    uint64_t *counts = user;
    counts[0]++;
    counts[1] = over;
    return FR_OK;
}

// Commands that are refused have their reason, the others are done one after another, and the motion is recorded.
static void scripts_are_carried_out(void **state) {
    (void)state;
    peopled w;
    open_world(&w);
    fr_script *script =
        read_right("{\"fureai\":1,\"commands\":[{\"motion\":\"walk\",\"goal\":[1,0,4]},{\"motion\":\"fly\"},"
                   "{\"motion\":\"walk\",\"goal\":[0,0,0],\"object\":\"cup\"},"
                   "{\"person\":\"Hana\",\"motion\":\"walk\",\"goal\":[0,0,3],\"facing_deg\":0}]}");
    fr_script_run_input input = fr_default_script_run_input();
    uint64_t counts[2] = {0, 0};
    input.script = script;
    input.cast = w.cast;
    input.recorded = add_director(&w);
    input.after = count_ticks;
    input.user = counts;
    fr_script_run run;
    assert_int_equal(fr_script_carry_out(&input, &run, NULL), FR_OK);
    assert_int_equal(run.result_count, 4);
    assert_int_equal(run.done_count, 2);
    assert_true(run.results[0].is_done && run.results[3].is_done);
    assert_string_equal(run.results[0].reason, "");
    assert_non_null(strstr(run.results[1].reason, "no skill 'fly'"));
    assert_string_equal(run.results[2].reason, "there is no object 'cup'");
    assert_true(run.results[3].end > run.results[0].end && run.results[3].end == run.ticks);
    assert_true(counts[0] == run.ticks && counts[1] == 4);
    assert_int_equal(fr_clip_get(run.clip)->frame_count, run.ticks);
    fr_quat turns[FR_LINK_COUNT];
    fr_posture last = {.turns = turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_clip_frame(run.clip, (uint32_t)run.ticks - 1, &last, NULL), FR_OK);
    assert_true(hypot(last.place.x, last.place.z - 3.0) < 0.02);
    fr_script_run_destroy(&run);
    // What is not over in time has its reason too.
    input.max_ticks = 5;
    assert_int_equal(fr_script_carry_out(&input, &run, NULL), FR_OK);
    assert_int_equal(run.ticks, 5);
    assert_false(run.results[3].is_done);
    assert_string_equal(run.results[3].reason, "it was not over in time");
    fr_script_run_destroy(&run);
    fr_script_destroy(script);
    close_world(&w);
}

// A prompter gives the commands by itself, and again when the scene begins again.
static void a_prompter_gives_commands(void **state) {
    (void)state;
    peopled w;
    open_world(&w);
    fr_performer *performer = add_director(&w);
    fr_script *script =
        read_right("{\"fureai\":1,\"commands\":[{\"motion\":\"fly\"},{\"motion\":\"walk\",\"goal\":[1,0,4]}]}");
    fr_actor actor;
    assert_int_equal(fr_script_prompter_create(script, w.cast, NULL, &actor, NULL), FR_OK);
    assert_int_equal(fr_cast_add(w.cast, &actor, NULL), FR_OK);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < 400; k++) {
            tick(&w);
        }
        fr_vec3 place = fr_performer_get(performer).posture.place;
        assert_true(hypot(place.x - 1.0, place.z - 4.0) < 2e-3);
        assert_int_equal(fr_cast_begin(w.cast, NULL), FR_OK);
    }
    close_world(&w);
    fr_script_destroy(script);
}

// fr_script_read and fr_script_carry_out, refused and done.
static fr_status make_script(const fr_allocator *allocator, void *context) {
    const peopled *w = context;
    const char *text = "{\"fureai\":1,\"commands\":[{\"motion\":\"fly\",\"parameters\":{\"a\":[1,2]}}]}";
    fr_script_read_input reading = fr_default_script_read_input();
    reading.allocator = *allocator;
    reading.name = "a.json";
    fr_script *script;
    fr_status status = fr_script_read(text, strlen(text), &reading, &script, NULL);
    if (status != FR_OK) { return status; }
    fr_script_run_input input = fr_default_script_run_input();
    input.script = script;
    input.cast = w->cast;
    input.allocator = *allocator;
    fr_script_run run;
    status = fr_script_carry_out(&input, &run, NULL);
    if (status == FR_OK) { test_note(run.results[0].reason, strlen(run.results[0].reason)); }
    fr_script_run_destroy(&run);
    fr_actor actor;
    if (status == FR_OK) { status = fr_script_prompter_create(script, w->cast, allocator, &actor, NULL); }
    if (status == FR_OK) { actor.leave(actor.user); }
    fr_script_destroy(script);
    return status;
}

// A script of so many commands, each the same.
static char *write_script(size_t count, const char *command, size_t *size) {
    static const char head[] = "{\"fureai\":1,\"commands\":[", tail[] = "]}";
    size_t length = strlen(command);
    char *text = malloc(sizeof head + sizeof tail + count * (length + 1));
    assert_non_null(text);
    char *end = text;
    memcpy(end, head, sizeof head - 1);
    end += sizeof head - 1;
    for (size_t i = 0; i < count; i++) {
        if (i > 0) { *end++ = ','; }
        memcpy(end, command, length);
        end += length;
    }
    memcpy(end, tail, sizeof tail);
    *size = (size_t)(end - text) + sizeof tail - 1;
    return text;
}

// As many commands as a script may have are carried out within seconds, each with its reason; one more is refused.
static void long_scripts_are_bounded(void **state) {
    (void)state;
    peopled w;
    open_world(&w);
    (void)add_director(&w);
    size_t count = test_is_long() ? FR_SCRIPT_MAX_STEPS : 50000, size;
    char *text = write_script(count, "{\"motion\":\"fly\",\"person\":\"Hana\"}", &size);
    clock_t begin = clock();
    fr_script_run_input input = fr_default_script_run_input();
    fr_script *script;
    assert_int_equal(fr_script_read(text, size, NULL, &script, NULL), FR_OK);
    free(text);
    input.script = script;
    input.cast = w.cast;
    fr_script_run run;
    assert_int_equal(fr_script_carry_out(&input, &run, NULL), FR_OK);
    print_message("%zu commands in %.2f s\n", count, (double)(clock() - begin) / CLOCKS_PER_SEC);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 30.0);
    assert_int_equal(run.result_count, count);
    assert_non_null(strstr(run.results[count - 1].reason, "no skill 'fly'"));
    fr_script_run_destroy(&run);
    fr_script_destroy(script);

    text = write_script((size_t)FR_SCRIPT_MAX_STEPS + 1, "{}", &size);
    fr_error error = {0};
    assert_int_not_equal(fr_script_read(text, size, NULL, &script, &error), FR_OK);
    assert_null(script);
    assert_non_null(strstr(error.message, "1000000"));
    free(text);
    // The world goes on.
    tick(&w);
    close_world(&w);
}

static void memory_may_run_short(void **state) {
    (void)state;
    peopled w;
    open_world(&w);
    (void)add_director(&w);
    test_every_failure(make_script, &w);
    close_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_become_commands),      cmocka_unit_test(wrong_scripts_are_refused_where_they_are_wrong),
        cmocka_unit_test(the_schema_says_the_same),  cmocka_unit_test(scripts_are_carried_out),
        cmocka_unit_test(a_prompter_gives_commands), cmocka_unit_test(long_scripts_are_bounded),
        cmocka_unit_test(memory_may_run_short),
    };
    return cmocka_run_group_tests(tests, make_body, release_body);
}

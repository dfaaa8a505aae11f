// Tasks written as JSON: what each key becomes, and what is refused where.
#include "failing.h"
#include "frame.h"

#include "fureai/human_task.h"

#include "base/allocator.h"

#include <string.h>

#include <cmocka.h>

typedef struct read_result {
    fr_task_text text;
    fr_error error;
    fr_status status;
    fr_json *json;
    fr_arena *arena;
} read_result;

// The text must outlive the result.
static read_result read_task_with(const char *text, const fr_allocator *allocator) {
    read_result r;
    memset(&r, 0, sizeof r);
    fr_json_def def = fr_default_json_def();
    def.allocator = *allocator;
    r.status = fr_json_create(text, strlen(text), &def, &r.json, &r.error);
    if (r.status == FR_OK) { r.status = fr_arena_create(0, allocator, &r.arena, &r.error); }
    if (r.status == FR_OK) {
        fr_json_reader reader = fr_json_reader_make(r.json, r.arena, &r.error);
        if (!fr_task_read(&reader, FR_JSON_ROOT, &r.text)) { r.status = reader.status; }
    }
    return r;
}

static read_result read_task(const char *text) {
    const fr_allocator allocator = fr_allocator_or_default(NULL);
    return read_task_with(text, &allocator);
}

static void end_read(read_result *r) {
    if (r->arena != NULL) { fr_arena_destroy(r->arena); }
    fr_json_destroy(r->json);
}

static void keys_become_fields(void **state) {
    (void)state;
    read_result r = read_task("{\"skill\":\"walk\",\"goal\":[1,0,2],\"heading_deg\":90,\"frames\":120,\"speed\":1.25,"
                              "\"start\":7,\"object\":\"cup\",\"poses\":[[1,2,3],{\"position\":[4,5,6],"
                              "\"axis_angle_deg\":[0,2,0,180]},{\"rotation\":[0,0,0,1]}]}");
    assert_int_equal(r.status, FR_OK);
    const fr_skill_fields *f = &r.text.fields;
    assert_ptr_equal(r.text.skill, fr_skill_find("walk"));
    assert_int_equal(f->given, FR_FIELD_GOAL | FR_FIELD_HEADING | FR_FIELD_FRAMES | FR_FIELD_SPEED | FR_FIELD_POSES);
    assert_true(fr_vec3_equal(f->goal.position, fr_vec3_make(1.0, 0.0, 2.0)) && f->goal.scale == 1.0);
    assert_true(f->goal.rotation.w == 1.0);
    assert_float_equal(f->heading, FR_PI / 2.0, 1e-15);
    assert_int_equal(f->frames, 120);
    assert_true(f->speed == 1.25);
    assert_int_equal(r.text.start, 7);
    assert_string_equal(r.text.object, "cup");
    assert_null(r.text.clip);
    assert_int_equal(f->pose_count, 3);
    assert_true(fr_vec3_equal(f->poses[0].position, fr_vec3_make(1.0, 2.0, 3.0)));
    assert_float_equal(f->poses[1].rotation.y, 1.0, 1e-15);
    assert_true(fr_vec3_equal(f->poses[1].position, fr_vec3_make(4.0, 5.0, 6.0)));
    assert_true(f->poses[2].rotation.z == 1.0 && fr_vec3_equal(f->poses[2].position, fr_vec3_make(0.0, 0.0, 0.0)));
    end_read(&r);
    r = read_task("{\"skill\":\"hold_arm\",\"side\":\"left\"}");
    assert_int_equal(r.status, FR_OK);
    assert_int_equal(r.text.fields.given, FR_FIELD_SIDE);
    assert_int_equal(r.text.fields.side, FR_SIDE_LEFT);
    end_read(&r);
}

static void wrong_tasks_are_refused_where_they_are_wrong(void **state) {
    (void)state;
    static const struct wrong_task {
        const char *text;
        fr_status status;
        const char *at;
        const char *message;
    } cases[] = {
        {"{\"goal\":[1,0,2]}", FR_ERROR_SYNTAX, "{", "skill"},
        {"{\"skill\":\"wolk\",\"goal\":[1,0,2]}", FR_ERROR_ARGUMENT, "\"wolk", "no skill 'wolk'; did you mean 'walk'?"},
        {"{\"skill\":\"zzzzzzzz\"}", FR_ERROR_ARGUMENT, "\"zzzz", "no skill 'zzzzzzzz'"},
        {"{\"skill\":\"walk\"}", FR_ERROR_ARGUMENT, "{", "'walk' needs 'goal'"},
        {"{\"skill\":\"walk\",\"goal\":[1,0,2],\"word\":\"nod\"}", FR_ERROR_ARGUMENT, "\"word",
         "'walk' takes no 'word'"},
        {"{\"skill\":\"walk\",\"gaol\":[1,0,2]}", FR_ERROR_SYNTAX, "\"gaol", "goal"},
        {"{\"skill\":\"walk\",\"goal\":[1,0]}", FR_ERROR_SYNTAX, "[1,0]", "goal"},
        {"{\"skill\":\"walk\",\"goal\":[1,0,1e7]}", FR_ERROR_LIMIT, "1e7", "goal"},
        {"{\"skill\":\"walk\",\"goal\":{\"rotation\":[1,1,0,0]}}", FR_ERROR_ARGUMENT, "[1,1,0,0]", "quaternion"},
        {"{\"skill\":\"walk\",\"goal\":{\"rotation\":[1,0,0,0],\"axis_angle_deg\":[0,1,0,5]}}", FR_ERROR_SYNTAX,
         "\"axis_angle", "given already"},
        {"{\"skill\":\"walk\",\"goal\":[1,0,2],\"frames\":0}", FR_ERROR_LIMIT, "0}", "frames"},
        {"{\"skill\":\"walk\",\"goal\":[1,0,2],\"poses\":[]}", FR_ERROR_LIMIT, "[]}", "poses"},
        {"{\"skill\":\"hold_arm\",\"side\":\"lefd\"}", FR_ERROR_ARGUMENT, "\"lefd", "left"},
        {"[]", FR_ERROR_SYNTAX, "[]", "a task"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        read_result r = read_task(cases[i].text);
        bool is_right = r.status != FR_OK &&
                        r.error.column == (int)(strstr(cases[i].text, cases[i].at) - cases[i].text) + 1 &&
                        strstr(r.error.message, cases[i].message) != NULL;
        if (!is_right) {
            fail_msg("%s: status %d, column %d: %s", cases[i].text, (int)r.status, r.error.column, r.error.message);
        }
        end_read(&r);
    }
}

// fr_task_read takes memory for its poses.
static fr_status make_task(const fr_allocator *allocator, void *context) {
    (void)context;
    read_result r =
        read_task_with("{\"skill\":\"walk\",\"goal\":[1,0,2],\"poses\":[[1,2,3]],\"object\":\"cup\"}", allocator);
    if (r.status == FR_OK) { test_note(&r.text.fields.poses[0].position, sizeof(fr_vec3)); }
    end_read(&r);
    return r.status;
}

static void memory_may_run_short(void **state) {
    (void)state;
    test_every_failure(make_task, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_become_fields),
        cmocka_unit_test(wrong_tasks_are_refused_where_they_are_wrong),
        cmocka_unit_test(memory_may_run_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

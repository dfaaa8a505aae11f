// Files of classes: what they say, where they are wrong, that they read back as written.
#include "class_text.h"
#include "failing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define WITH(more) "{\"fureai\":1,\"shapes\":[\"a.obj\"]," more "}"
#define MOTION(more) WITH("\"affords\":[{\"motion\":\"m\",\"human\":[{\"skill\":\"s\"}]" more "}]")

static fr_class *read_right(const char *text, fr_class_kind kind) {
    fr_class *c;
    fr_error error = {0};
    if (read_class(text, kind, NULL, &c, &error) != FR_OK) { fail_msg("%s", error.message); }
    return c;
}

static void expect_near(double a, double b) { assert_true(a - b < 1e-12 && b - a < 1e-12); }

// ---------------------------------------------------------------------------------------------------------------
// What a file says

static void expect_things(const fr_class_view *v) {
    assert_string_equal(v->name, "thing");
    assert_string_equal(v->title, "A cup");
    assert_int_equal(v->shapes.count, 2);
    assert_string_equal(v->shapes.list[1], "parts/handle.obj");
    assert_string_equal(v->textures.list[0], "cup.png");
    assert_true(v->has_color && v->color.g == 20 && v->color.b == 255);
    assert_true(v->size.z == 0.12 && v->mass == 0.25 && !v->is_static);
    expect_near(v->grip->pose.rotation.w, 0.70710678118654752);
    assert_true(v->grip->diameter == 0.02 && v->grip->pose.position.z == 0.06 && v->grip->pose.scale == 1.0);
    expect_near(v->seat->facing, 30.0 * FR_PI / 180.0);
    assert_int_equal(v->joint->kind, FR_JOINT_SCREW);
    assert_true(v->joint->axis.y == 1.0 && v->joint->parent == FR_NONE && v->joint->child == FR_NONE);
    expect_near(v->joint->low, -0.5 * FR_PI);
    expect_near(v->joint->value, 0.25 * FR_PI);
    expect_near(v->joint->pitch, 0.01 / (2.0 * FR_PI));
    assert_int_equal(v->frame_count, 2);
    assert_string_equal(v->frames[1].name, "foot");
    assert_int_equal(v->extra.count, 4);
    assert_true(v->extra.list[0].kind == FR_CLASS_NUMBER && v->extra.list[0].numbers[0] == 0.2);
    assert_true(v->extra.list[1].kind == FR_CLASS_FLAG && v->extra.list[1].numbers[0] == 1.0);
    assert_string_equal(v->extra.list[2].text, "tea");
    assert_true(v->extra.list[3].kind == FR_CLASS_NUMBERS && v->extra.list[3].count == 3);
}

static void an_object_is_read(void **state) {
    (void)state;
    fr_class *c = read_right(whole_object, FR_CLASS_OBJECT);
    const fr_class_view *v = fr_class_get(c);
    expect_things(v);
    assert_int_equal(v->state_count, 2);
    assert_string_equal(v->states[0].name, "standing");
    const fr_class_motion *take = fr_class_find_motion(&v->states[0], "grasp");
    assert_non_null(take);
    assert_string_equal(take->name, "take");
    assert_ptr_equal(fr_class_find_motion(&v->states[0], "take"), take);
    assert_null(fr_class_find_motion(&v->states[0], "drink"));
    assert_int_equal(take->skill_count, 2);
    assert_true(!take->is_in_order && take->skills[1].start == 20 && take->skills[1].frames == 40);
    assert_string_equal(take->skills[1].data, "reach.ahmc");
    assert_string_equal(take->skills[1].parameters.list[0].text, "right");
    assert_string_equal(take->object->name, "follow_hand");
    assert_string_equal(take->data.list[0], "take.ahmc");
    assert_int_equal(take->fields, FR_CLASS_ASKS_FRAMES | FR_CLASS_ASKS_GOAL);
    assert_true(v->states[1].motions[0].is_in_order && v->states[1].motions[0].object == NULL);
    assert_true(v->bytes > 1000 && v->bytes < 100000);
    fr_class_release(c);
}

static void a_person_is_read(void **state) {
    (void)state;
    fr_class *c = read_right(whole_person, FR_CLASS_PERSON);
    const fr_class_view *v = fr_class_get(c);
    assert_true(v->body.stature == 1.62 && v->body.mass == 58.0 && v->body.foot == 0.14 && v->speed == 1.25);
    assert_true(v->seed == 7 && v->curves == 0.5);
    assert_string_equal(v->states[0].name, "");
    assert_string_equal(v->states[0].motions[0].name, "shake_hand");
    fr_skeleton *skeleton;
    assert_int_equal(fr_skeleton_create_body(&v->body, &skeleton, NULL), FR_OK);
    fr_skeleton_release(skeleton);
    fr_class_release(c);
    c = read_right("{\"fureai\":1}", FR_CLASS_PERSON);
    assert_true(fr_class_get(c)->body.stature == 1.70);
    fr_class_release(c);
}

static void a_class_is_counted(void **state) {
    (void)state;
    fr_class *c = read_right(whole_object, FR_CLASS_OBJECT);
    fr_class *again = fr_class_retain(c);
    assert_ptr_equal(c, again);
    fr_class_release(c);
    assert_string_equal(fr_class_get(again)->title, "A cup");
    fr_class_release(again);
    fr_class_release(NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// What is wrong

// Wrong at the first place of `at` in the text, which is one line.
static void expect_wrong(const char *text, fr_class_kind kind, fr_status status, const char *message, const char *at) {
    fr_class *c;
    fr_error error = {0};
    assert_int_equal(read_class(text, kind, NULL, &c, &error), status);
    assert_null(c);
    if (strstr(error.message, message) == NULL) { fail_msg("%s", error.message); }
    assert_int_equal(error.line, 1);
    if (error.column != (int)(strstr(text, at) - text) + 1) { fail_msg("column %d: %s", error.column, error.message); }
}

static void what_is_wrong_is_reported_at_its_place(void **state) {
    (void)state;
    const fr_class_kind o = FR_CLASS_OBJECT, p = FR_CLASS_PERSON;
    expect_wrong("{\"fureai\":1}", o, FR_ERROR_SYNTAX, "lacks 'shapes'", "{");
    expect_wrong("{\"shapes\":[\"a.obj\"]}", o, FR_ERROR_SYNTAX, "lacks 'fureai'", "{");
    expect_wrong("{\"fureai\":2,\"shapes\":[\"a.obj\"]}", o, FR_ERROR_VERSION, "version 2", "2");
    expect_wrong(WITH("\"masss\":1"), o, FR_ERROR_SYNTAX, "mass", "\"masss\"");
    expect_wrong(WITH("\"mass\":1,\"mass\":2"), o, FR_ERROR_SYNTAX, "mass", "\"mass\":2");
    expect_wrong(WITH("\"mass\":-1"), o, FR_ERROR_LIMIT, "mass", "-1");
    expect_wrong(WITH("\"speed\":1"), o, FR_ERROR_SYNTAX, "an object has no 'speed'", "\"speed\"");
    expect_wrong("{\"fureai\":1,\"mass\":1}", p, FR_ERROR_SYNTAX, "a person has no 'mass'", "\"mass\"");
    expect_wrong(WITH("\"looks\":{\"seed\":1}"), o, FR_ERROR_SYNTAX, "seed", "\"seed\"");
    expect_wrong("{\"fureai\":1,\"body\":{\"stature\":3}}", p, FR_ERROR_LIMIT, "stature", "3");
    expect_wrong(WITH("\"seat\":{\"position\":[0,0,0],\"rotation\":[1,0,0,0]}"), o, FR_ERROR_SYNTAX,
                 "a seat has no 'rotation'", "\"rotation\"");
    expect_wrong(WITH("\"frames\":[{\"position\":[0,0,0]}]"), o, FR_ERROR_SYNTAX, "lacks 'name'", "{\"position\"");
    expect_wrong(WITH("\"frames\":[{\"name\":\"k\",\"position\":[0,0,0]},{\"name\":\"k\",\"position\":[0,0,0]}]"), o,
                 FR_ERROR_ARGUMENT, "two frames", "[{\"name\"");
    expect_wrong(WITH("\"joint\":{\"kind\":\"fixed\"}"), o, FR_ERROR_ARGUMENT, "hinge, slider or screw", "{\"kind\"");
    expect_wrong(WITH("\"joint\":{\"kind\":\"slider\",\"axis\":[0,0,1],\"child\":\"a\"}"), o, FR_ERROR_SYNTAX,
                 "has no 'child'", "\"child\"");
    expect_wrong(WITH("\"static\":true,\"joint\":{\"kind\":\"slider\",\"axis\":[0,0,1]}"), o, FR_ERROR_ARGUMENT,
                 "static", "{\"kind\"");
    expect_wrong(WITH("\"extra\":{\"a\":null}"), o, FR_ERROR_SYNTAX, "a value is", "null");
    expect_wrong(WITH("\"affords\":[],\"states\":[]"), o, FR_ERROR_SYNTAX, "not both", "\"states\"");
}

static void motions_are_checked(void **state) {
    (void)state;
    const fr_class_kind o = FR_CLASS_OBJECT;
    expect_wrong(WITH("\"affords\":[{\"motion\":\"m\",\"human\":[]}]"), o, FR_ERROR_SYNTAX, "human", "[]");
    expect_wrong(MOTION(",\"asks\":[\"gaol\"]"), o, FR_ERROR_ARGUMENT, "goal", "\"gaol\"");
    expect_wrong(MOTION(",\"asks\":[\"goal\",\"goal\"]"), o, FR_ERROR_SYNTAX, "already", "\"goal\"]");
    expect_wrong(WITH("\"affords\":[{\"motion\":\"m\",\"human\":[{\"skill\":\"s\"}]},"
                      "{ \"motion\":\"m\",\"human\":[{\"skill\":\"s\"}]}]"),
                 o, FR_ERROR_ARGUMENT, "twice", "{ \"motion\"");
    expect_wrong(WITH("\"states\":[{\"name\":\"a\",\"affords\":[]},{ \"name\":\"a\",\"affords\":[]}]"), o,
                 FR_ERROR_ARGUMENT, "twice", "{ \"name\"");
}

static void files_lie_in_the_folder(void **state) {
    (void)state;
    static const char *const outside[] = {"../a.obj", "/a.obj", "a/../b.obj", "a//b.obj", "./a.obj", "a/", "..", "."};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        char text[200], at[100];
        snprintf(text, sizeof text, "{\"fureai\":1,\"shapes\":[\"%s\"]}", outside[i]);
        snprintf(at, sizeof at, "\"%s\"]", outside[i]);
        expect_wrong(text, FR_CLASS_OBJECT, FR_ERROR_ARGUMENT, "in the folder", at);
    }
}

static void names_of_classes_are_names_of_folders(void **state) {
    (void)state;
    static const char *const wrong[] = {"", ".hidden", "a/b", "..", "a\nb", "\xff", "\x7f"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(fr_class_name_is_right(wrong[i]));
        fr_class_read_input input = fr_default_class_read_input();
        input.name = wrong[i];
        fr_class *c;
        assert_int_equal(fr_class_read(whole_object, strlen(whole_object), &input, &c, NULL), FR_ERROR_ARGUMENT);
    }
    assert_true(fr_class_name_is_right("cup") && fr_class_name_is_right("wall 1") && fr_class_name_is_right("椅子"));
    fr_class_read_input bare = {.name = "a"};
    fr_class *c;
    assert_int_equal(fr_class_read("{}", 2, &bare, &c, NULL), FR_ERROR_ARGUMENT);
}

// A file of the greatest size, full of what costs most, is refused or read in bounded time and memory.
static void large_files_are_bounded(void **state) {
    (void)state;
    static const char begin[] = "{\"fureai\":1,\"shapes\":[\"a\"],\"frames\":[";
    static const char one[] = "{\"name\":\"%zu\",\"position\":[0,0,0]}";
    char *text = malloc(FR_CLASS_MAX_BYTES + 100);
    size_t size = (size_t)sprintf(text, "%s", begin), count = 0;
    while (size + 100 < FR_CLASS_MAX_BYTES && count < FR_CLASS_MAX_FRAMES) {
        if (count > 0) { text[size++] = ','; }
        size += (size_t)sprintf(text + size, one, count++);
    }
    size += (size_t)sprintf(text + size, "]}");
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_class *c;
    assert_int_equal(read_class(text, FR_CLASS_OBJECT, &allocator, &c, NULL), FR_OK);
    assert_int_equal(fr_class_get(c)->frame_count, FR_CLASS_MAX_FRAMES);
    assert_true(fr_probe_get(probe).peak_bytes <= 64 * size + 65536);
    fr_class_release(c);
    fr_probe_destroy(probe);
    memset(text, ' ', FR_CLASS_MAX_BYTES + 1);
    fr_class_read_input input = fr_default_class_read_input();
    assert_int_equal(fr_class_read(text, FR_CLASS_MAX_BYTES + 1, &input, &c, NULL), FR_ERROR_LIMIT);
    free(text);
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

typedef struct written {
    char text[16384];
    size_t size, limit;
} written;

static bool take(const void *bytes, size_t size, void *context) {
    written *w = context;
    if (w->size + size >= w->limit) { return false; }
    memcpy(w->text + w->size, bytes, size);
    w->size += size;
    w->text[w->size] = '\0';
    return true;
}

// What is written reads as the same, so that it is written the same again.
static void expect_round_trip(const char *text, fr_class_kind kind) {
    written *first = calloc(2, sizeof *first), *second = first + 1;
    first->limit = second->limit = sizeof first->text;
    fr_class *c = read_right(text, kind);
    assert_int_equal(fr_class_write(fr_class_get(c), take, first, NULL, NULL), FR_OK);
    fr_class *again = read_right(first->text, kind);
    assert_int_equal(fr_class_write(fr_class_get(again), take, second, NULL, NULL), FR_OK);
    assert_string_equal(first->text, second->text);
    const fr_class_view *a = fr_class_get(c), *b = fr_class_get(again);
    assert_true(a->state_count == b->state_count && a->frame_count == b->frame_count && a->mass == b->mass);
    if (a->joint != NULL) {
        assert_true(a->joint->low == b->joint->low && a->joint->high == b->joint->high);
        assert_true(a->joint->value == b->joint->value);
        expect_near(a->joint->pitch, b->joint->pitch);
    }
    if (kind == FR_CLASS_OBJECT && a->grip != NULL) { expect_things(b); }
    written small = {.limit = 10};
    assert_int_equal(fr_class_write(a, take, &small, NULL, NULL), FR_ERROR_FILE);
    fr_class_release(c);
    fr_class_release(again);
    free(first);
}

static void what_is_written_reads_back(void **state) {
    (void)state;
    expect_round_trip(whole_object, FR_CLASS_OBJECT);
    expect_round_trip(whole_person, FR_CLASS_PERSON);
    expect_round_trip("{\"fureai\":1}", FR_CLASS_PERSON);
    expect_round_trip(WITH("\"joint\":{\"kind\":\"slider\",\"axis\":[0,0,1],\"limits\":[0,0.3],\"value\":0.1}"),
                      FR_CLASS_OBJECT);
}

static fr_status make_both(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_class *c = NULL;
    fr_status status = read_class(whole_object, FR_CLASS_OBJECT, allocator, &c, NULL);
    if (status != FR_OK) { return status; }
    written *w = calloc(1, sizeof *w);
    w->limit = sizeof w->text;
    status = fr_class_write(fr_class_get(c), take, w, allocator, NULL);
    test_note(w->text, w->size);
    free(w);
    fr_class_release(c);
    if (status != FR_OK) { return status; }
    status = read_class(whole_person, FR_CLASS_PERSON, allocator, &c, NULL);
    fr_class_release(c);
    return status;
}

static void short_memory_is_survived(void **state) {
    (void)state;
    test_every_failure(make_both, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_is_read),
        cmocka_unit_test(a_person_is_read),
        cmocka_unit_test(a_class_is_counted),
        cmocka_unit_test(what_is_wrong_is_reported_at_its_place),
        cmocka_unit_test(motions_are_checked),
        cmocka_unit_test(files_lie_in_the_folder),
        cmocka_unit_test(names_of_classes_are_names_of_folders),
        cmocka_unit_test(large_files_are_bounded),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(short_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

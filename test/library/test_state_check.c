// What is wrong with states: in a file of its own, and among the classes of a library.
#include "class_text.h"
#include "folders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define CLASS(states) "{\"fureai\":1,\"shapes\":[\"a.obj\"],\"states\":[" states "]}"

// Files of states that contradict themselves are refused where they do so.
static void contradictions_have_a_place(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *place; // begins where the error is
        const char *words;
    } cases[] = {
        {CLASS("{\"name\":\"a\",\"affords\":[],\"transitions\":[{\"on\":{\"limit\":\"max\"},\"to\":\"of\"}]},{\"name\":"
               "\"off\",\"affords\":[]}"),
         "\"of\"}]},{\"name\":\"off\"", "there is no state 'of'; did you mean 'off'?"},
        {CLASS("{\"name\":\"a\",\"affords\":[],\"transitions\":[{\"to\":\"a\"}]}"), "{\"to\"", "lacks 'on' and 'when'"},
        {CLASS("{\"name\":\"a\",\"affords\":[],\"constraint\":{\"kind\":\"attached\"}}"), "{\"kind\":\"attached\"",
         "lacks 'parent'"},
        {CLASS("{\"name\":\"a\",\"affords\":[],\"constraint\":{\"kind\":\"free\",\"parent\":\"b\"}}"),
         "\"parent\":\"b\"", "has no 'parent'"},
        {CLASS("{\"name\":\"a\",\"affords\":[],\"constraint\":{\"joint\":{\"kind\":\"slider\",\"axis\":[0,1,0]},"
               "\"driver\":\"w\"}}"),
         "\"w\"}", "a slider does not turn"},
        {CLASS("{\"name\":\"a\",\"affords\":[],\"transitions\":[{\"when\":{\"dist\":[{\"frame\":\"x\"},\"b\"],"
               "\"below\":1},\"to\":\"a\"}]}"),
         "\"x\"}", "the class has no frame 'x'"},
        {"{\"fureai\":1,\"shapes\":[\"a.obj\"],\"static\":true,\"states\":[{\"name\":\"a\",\"affords\":[],"
         "\"constraint\":{\"kind\":\"free\"}}]}",
         "{\"kind\":\"free\"}", "a static class has no constraint"},
        {"{\"fureai\":1,\"shapes\":[\"a.obj\"],\"joint\":{\"kind\":\"slider\",\"axis\":[0,1,0]},\"states\":[{\"name\":"
         "\"a\",\"affords\":[],\"constraint\":{\"kind\":\"free\"}}]}",
         "{\"kind\":\"free\"}", "contradicts the constraints"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_class *c;
        fr_error error = {0};
        int column = (int)(strstr(cases[i].text, cases[i].place) - cases[i].text) + 1;
        assert_int_not_equal(read_class(cases[i].text, FR_CLASS_OBJECT, NULL, &c, &error), FR_OK);
        if (strstr(error.message, cases[i].words) == NULL || error.line != 1 || error.column != column) {
            fail_msg("%d:%d: %s", error.line, error.column, error.message);
        }
    }
}

// What a check of the library says, and where.
static void expect_checked(const char *states, const char *place, const char *words) {
    char folder[256], text[1024], found[640] = "";
    make_folder(folder);
    put_class(folder, "door", "open");
    snprintf(text, sizeof text, "{\"fureai\":1,\"shapes\":[\"m.obj\"],\"states\":[%s]}", states);
    put_file(folder, "nut/object.json", text);
    put_file(folder, "nut/m.obj", box_model);
    fr_library *checked;
    fr_error error = {0};
    assert_int_equal(fr_library_open(folder, NULL, &checked, NULL), FR_OK);
    assert_int_equal(fr_library_refresh(checked, NULL, NULL), FR_OK);
    fr_status status = fr_library_check(checked, "nut", NULL, &error);
    assert_int_equal(status, words[0] != '\0' ? FR_ERROR_ARGUMENT : FR_OK);
    if (status != FR_OK) {
        int column = (int)(strstr(text, place) - text) + 1;
        snprintf(found, sizeof found, "%s", error.message);
        assert_true(error.line == 1 && error.column == column && strcmp(error.path, "nut/object.json") == 0);
    }
    assert_string_equal(found, words);
    fr_library_destroy(checked);
    remove_folder(folder);
}

#define STATE(name, transitions) "{\"name\":\"" name "\",\"affords\":[],\"transitions\":[" transitions "]}"

static void a_library_is_checked(void **state) {
    (void)state;
    expect_checked(STATE("a", "{\"on\":{\"limit\":\"max\"},\"to\":\"b\"}") "," STATE("b", ""), "", "");
    expect_checked(STATE("a", "") "," STATE("b", "{\"on\":{\"limit\":\"max\"},\"to\":\"a\"}"), "{\"name\":\"b\"",
                   "no transition reaches the state 'b'");
    expect_checked(STATE("a", "{\"when\":{\"not\":{\"state\":\"shut\",\"of\":\"door\"}},\"to\":\"a\"}"), "{\"state\"",
                   "no class of the library has a state 'shut'");
    expect_checked(STATE("a", "{\"on\":{\"state\":\"shut\",\"of\":\"door\"},\"to\":\"a\"}"), "{\"on\"",
                   "no class of the library has a state 'shut'");
    expect_checked(STATE("a", "{\"on\":{\"contact\":\"begin\",\"class\":\"dor\"},\"to\":\"a\"}"), "{\"on\"",
                   "the library has no class 'dor'");
    expect_checked(STATE("a", "{\"on\":{\"contact\":\"begin\",\"class\":\"door\"},\"to\":\"a\"}"), "", "");
    expect_checked(
        STATE("a", "{\"when\":{\"dist\":[{},{\"object\":\"w\",\"frame\":\"tip\"}],\"below\":1},\"to\":\"a\"}"),
        "{\"dist\"", "no class of the library has a frame 'tip'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contradictions_have_a_place),
        cmocka_unit_test(a_library_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Lines of JSON for the people of a world: each gets one reply, whatever it is.
#include "failing.h"
#include "furnished.h"

#include <stdlib.h>

typedef struct told_lines {
    char text[1 << 16]; // all replies
    size_t size;
    uint64_t count; // of lines
    bool is_closed; // nothing is taken any more
} told_lines;

static bool take(const void *bytes, size_t size, void *user) {
    told_lines *t = user;
    if (t->is_closed || t->size + size >= sizeof t->text) { return false; }
    memcpy(t->text + t->size, bytes, size);
    t->size += size;
    t->text[t->size] = '\0';
    for (size_t i = 0; i < size; i++) {
        t->count += ((const char *)bytes)[i] == '\n';
    }
    return true;
}

static fr_commander *open_commander(const furnished *f, told_lines *t) {
    fr_commander_def def = fr_default_commander_def();
    def.cast = f->cast;
    def.stock = fr_additions_stock(f->additions);
    def.write = take;
    def.user = t;
    fr_commander *commander;
    memset(t, 0, sizeof *t);
    assert_int_equal(fr_commander_create(&def, &commander, NULL), FR_OK);
    return commander;
}

// The reply to a line.
static const char *say(fr_commander *c, told_lines *t, const char *line) {
    uint64_t before = t->count;
    t->size = 0;
    fr_error error = {0};
    if (fr_commander_line(c, line, strlen(line), before + 1, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(t->count, before + 1);
    return t->text;
}

static void has(const char *reply, const char *part) {
    if (strstr(reply, part) == NULL) { fail_msg("%s has no %s", reply, part); }
}

static void people_do_what_lines_say(void **state) {
    (void)state;
    furnished f;
    told_lines t;
    open_furnished(&f, OBJECT_FOLDER, true);
    fr_commander *c = open_commander(&f, &t);
    has(say(c, &t, "{\"do\":\"objects\"}"), "\"name\":\"cup\"");
    has(say(c, &t, "{\"do\":\"people\"}"), "\"name\":\"Mai\",\"motion\":\"\",\"waiting\":0");
    has(say(c, &t, "{\"do\":\"affords\",\"object\":\"floor\"}"), "\"motion\":\"walk\"");
    has(t.text, "\"asks\":[\"goal\",\"facing\",\"frames\",\"start\"]");
    has(say(c, &t, "{\"person\":\"Mai\",\"motion\":\"walk\",\"object\":\"floor\",\"goal\":[1.2,0,1.8]}"),
        "\"done\":true");
    fr_vec3 hip = fr_person_links(fr_director_get(f.director, 0).person)[0].position;
    assert_true(fr_vec3_distance(fr_vec3_make(hip.x, 0.0, hip.z), fr_vec3_make(1.2, 0.0, 1.8)) < 0.01);
    has(say(c, &t, "{\"do\":\"start\",\"command\":{\"motion\":\"walk\",\"goal\":[1.2,0,1.4]}}"), "\"accepted\":true");
    has(say(c, &t, "{\"do\":\"start\",\"command\":{\"motion\":\"gesture\",\"parameters\":{\"word\":\"nod\"}}}"),
        "\"accepted\":true");
    has(say(c, &t, "{\"do\":\"people\"}"), "\"motion\":\"walk\",\"waiting\":1");
    has(say(c, &t, "{\"do\":\"run\",\"frames\":2}"), "\"tick\":");
    has(say(c, &t, "{\"do\":\"wait\"}"), "{\"line\":5,\"done\":true");
    has(t.text, "{\"line\":6,\"done\":true");
    has(say(c, &t, "{\"do\":\"wait\"}"), "\"over\":[]");
    has(say(c, &t, "{\"do\":\"start\",\"command\":{\"motion\":\"walk\",\"goal\":[1.2,0,5]}}"), "\"accepted\":true");
    has(say(c, &t, "{\"person\":\"Mai\",\"motion\":\"stop\"}"), "\"accepted\":true");
    has(say(c, &t, "{\"do\":\"wait\"}"), "\"done\":false");
    has(t.text, "\"reason\":\"a command stopped it\"");
    fr_commander_destroy(c);
    close_furnished(&f);
}

static void objects_are_added_and_removed(void **state) {
    (void)state;
    furnished f;
    told_lines t;
    open_furnished(&f, OBJECT_FOLDER, false);
    fr_commander *c = open_commander(&f, &t);
    has(say(c, &t, "{\"do\":\"classes\"}"), "{\"name\":\"cup\",\"title\":\"Cup\",\"motions\":\"reach, take");
    has(say(c, &t, "{\"do\":\"add\",\"class\":\"chair\",\"name\":\"mine\",\"position\":[1,0,2],\"facing_deg\":90}"),
        "\"done\":true");
    assert_true(fr_world_find(f.world, "mine").index1 != 0);
    has(say(c, &t, "{\"do\":\"add\",\"class\":\"chair\",\"name\":\"mine\",\"position\":[1,0,2]}"), "already");
    has(say(c, &t, "{\"do\":\"remove\",\"object\":\"mine\"}"), "\"done\":true");
    has(say(c, &t, "{\"do\":\"remove\",\"object\":\"mine\"}"), "there is no object 'mine'");
    has(say(c, &t, "{\"do\":\"remove\",\"object\":\"cup\"}"), "only what was added");
    fr_commander_destroy(c);
    close_furnished(&f);
}

// What is wrong is said with its column, and the next line is heard as ever.
static void wrong_lines_get_their_reply(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "\"error\":"},
        {"{", "\"column\":2"},
        {"[1]", "\"error\":"},
        {"{\"do\":\"sing\"}", "\"column\":7"},
        {"{\"do\":\"wait\",\"object\":\"cup\"}", "'wait' has no key 'object'"},
        {"{\"do\":\"affords\"}", "'affords' needs 'object'"},
        {"{\"do\":\"affords\",\"object\":\"unicorn\"}", "there is no object 'unicorn'"},
        {"{\"do\":\"run\",\"frames\":0}", "\"column\":"},
        {"{\"do\":\"run\",\"frames\":1e9}", "\"column\":"},
        {"{\"do\":\"add\",\"class\":\"cup\",\"name\":\"x\",\"position\":[1,2]}", "\"column\":"},
        {"{\"do\":\"add\",\"class\":\"cap\",\"name\":\"x\",\"position\":[1,2,3]}", "did you mean 'cup'?"},
        {"{\"do\":\"start\",\"command\":{\"motion\":\"walk\",\"goal\":[1,2]}}", "\"column\":"},
        {"{\"motion\":\"walk\",\"object\":\"unicorn\"}", "there is no object 'unicorn'"},
        {"{\"motion\":\"walk\",\"wait\":false}", "\"column\":"},
        {"{\"motion\":\"walk\"}", "\"error\":"},
        {"\xff\xfe", "\"error\":"},
    };
    furnished f;
    told_lines t;
    open_furnished(&f, OBJECT_FOLDER, false);
    fr_commander *c = open_commander(&f, &t);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        has(say(c, &t, cases[i][0]), cases[i][1]);
    }
    char *deep = malloc(FR_COMMANDER_LINE_MAX_BYTES + 2);
    assert_non_null(deep);
    memset(deep, '[', FR_COMMANDER_LINE_MAX_BYTES + 1);
    deep[FR_COMMANDER_LINE_MAX_BYTES + 1] = '\0';
    has(say(c, &t, deep), "a line has at most 65536 bytes");
    deep[FR_COMMANDER_LINE_MAX_BYTES] = '\0';
    has(say(c, &t, deep), "\"error\":");
    free(deep);
    t.is_closed = true;
    assert_int_equal(fr_commander_line(c, "{}", 2, 1, NULL), FR_ERROR_FILE);
    fr_commander_destroy(c);
    close_furnished(&f);
}

static fr_status make_commander(const fr_allocator *allocator, void *context) {
    const furnished *f = context;
    static told_lines t;
    fr_commander_def def = fr_default_commander_def();
    def.cast = f->cast;
    def.write = take;
    def.user = &t;
    def.allocator = *allocator;
    fr_commander *commander;
    memset(&t, 0, sizeof t);
    fr_status status = fr_commander_create(&def, &commander, NULL);
    static const char *const lines[] = {"{\"do\":\"objects\"}", "{\"motion\":\"walk\",\"goal\":[1,0,1]}", "{\"do\":1}",
                                        "{\"do\":\"wait\"}"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0] && status == FR_OK; i++) {
        status = fr_commander_line(commander, lines[i], strlen(lines[i]), i + 1, NULL);
    }
    fr_commander_destroy(commander);
    return status;
}

static void memory_that_runs_short_is_reported(void **state) {
    (void)state;
    furnished f;
    open_furnished(&f, OBJECT_FOLDER, false);
    fr_commander_def def = fr_default_commander_def();
    fr_commander *commander;
    assert_int_equal(fr_commander_create(&def, &commander, NULL), FR_ERROR_ARGUMENT);
    def = (fr_commander_def){.cast = f.cast, .write = take};
    assert_int_equal(fr_commander_create(&def, &commander, NULL), FR_ERROR_ARGUMENT);
    assert_true(test_every_failure(make_commander, &f) > 5);
    close_furnished(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_do_what_lines_say),
        cmocka_unit_test(objects_are_added_and_removed),
        cmocka_unit_test(wrong_lines_get_their_reply),
        cmocka_unit_test(memory_that_runs_short_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

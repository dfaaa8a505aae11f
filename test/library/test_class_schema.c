// docs/schema/object.schema.json and person.schema.json say what the reader says, but for what a schema cannot say.
#include "class_text.h"
#include "frame.h"
#include "scene/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

// What a schema cannot say, by a word of the reader's message.
static const char *const beyond[] = {
    "in the folder", "quaternion",         "the axis of",        "two frames have",     "is there twice",
    "stands first",  "outside its limits", "a static class has", "stands here already", "for the second time",
    "contradict",    "there is no state",  "has no frame",
};

static bool is_beyond(const fr_error *error) {
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        if (strstr(error->message, beyond[i]) != NULL) { return true; }
    }
    return false;
}

typedef struct schema_file {
    char *text;
    fr_json *json;
} schema_file;

static schema_file open_schema(const char *path) {
    schema_file s = {.text = calloc(1, 1 << 16)};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(s.text, 1, (1 << 16) - 1, file);
    fclose(file);
    s.json = schema_parse(s.text, size);
    assert_non_null(s.json);
    return s;
}

static void close_schema(schema_file *s) {
    fr_json_destroy(s->json);
    free(s->text);
}

// Asks both; returns whether the reader accepts.
static bool agree(const schema_file *schema, const char *text, fr_class_kind kind) {
    fr_class *c;
    fr_error error = {0};
    bool reader = read_class(text, kind, NULL, &c, &error) == FR_OK;
    fr_class_release(c);
    fr_json *json = schema_parse(text, strlen(text));
    if (json == NULL) {
        assert_false(reader);
        return false;
    }
    bool by_schema = schema_accepts(schema->json, json);
    fr_json_destroy(json);
    if (reader && !by_schema) { fail_msg("only the reader accepts: %s", text); }
    if (!reader && by_schema && !is_beyond(&error)) {
        fail_msg("only the schema accepts (%s): %s", error.message, text);
    }
    return reader;
}

static const char *const values[] = {
    "null",
    "true",
    "false",
    "\"x\"",
    "\"\"",
    "0",
    "-1",
    "1",
    "1.5",
    "0.12",
    "1e15",
    "1.1e15",
    "1e300",
    "1e999",
    "[]",
    "{}",
    "[1]",
    "[1,2,3]",
    "[-1,0,1]",
    "[1,0,0,0]",
    "[2,0,0,0]",
    "[0,0,0,2e7]",
    "[\"a\"]",
    "[\"../a\"]",
    "[[1]]",
    "[0,256,0]",
    "[0,90]",
    "[90,0]",
    "1000001",
    "4294967296",
    "{\"a\":1}",
    "{\"position\":[0,0,0]}",
    "{\"kind\":\"hinge\",\"position\":[0,0,0],\"axis\":[0,1,0]}",
    "{\"kind\":\"slider\",\"axis\":[0,1,0]}",
    "[{\"motion\":\"a\",\"human\":[{\"skill\":\"s\"}]}]",
    "[{\"skill\":\"s\"}]",
    "{\"skill\":\"s\"}",
    "[{\"name\":\"n\",\"affords\":[]}]",
    "[\"goal\",\"value\",\"point\",\"text\",\"posture\"]",
    "\"off\"",
    "{\"all\":[]}",
    "{\"limit\":\"max\"}",
    "{\"state\":\"off\",\"of\":\"nut*\"}",
    "{\"kind\":\"free\"}",
    "[{\"detach\":true}]",
    "[{\"to\":\"off\",\"when\":{\"any\":[]}}]",
    "[{},\"a\"]",
};
enum { VALUE_COUNT = sizeof values / sizeof values[0] };

// The text with one value changed, one member left out, or one member added.
static void change(const char *text, fr_random *random, char *out, size_t size) {
    fr_json *json = schema_parse(text, strlen(text));
    uint32_t count = fr_json_value_count(json);
    fr_json_value v = (fr_json_value)fr_random_below(random, count);
    fr_json_text at = fr_json_get_text(json, v);
    const char *end = at.bytes + at.size;
    if (fr_json_is(json, v, FR_JSON_STRING)) { // with its quotes
        at.bytes--;
        end++;
    }
    snprintf(out, size, "%.*s%s%s", (int)(at.bytes - text), text, values[fr_random_below(random, VALUE_COUNT)], end);
    fr_json_destroy(json);
}

static void changed_files_are_judged_alike(const char *path, const char *whole, fr_class_kind kind) {
    schema_file schema = open_schema(path);
    assert_true(agree(&schema, whole, kind));
    int right = 0, count = test_is_long() ? 300000 : 6000;
    fr_random random = fr_random_seed(kind == FR_CLASS_OBJECT ? 1 : 2);
    for (int i = 0; i < count; i++) {
        char once[8192], twice[8192];
        change(whole, &random, once, sizeof once);
        bool is_right = agree(&schema, once, kind);
        right += is_right;
        if (is_right) {
            change(once, &random, twice, sizeof twice);
            right += agree(&schema, twice, kind);
        }
    }
    assert_true(right > count / 50);
    close_schema(&schema);
}

static void objects(void **state) {
    (void)state;
    changed_files_are_judged_alike(SCHEMA_FOLDER "/object.schema.json", whole_object, FR_CLASS_OBJECT);
}

static void machines(void **state) {
    (void)state;
    changed_files_are_judged_alike(SCHEMA_FOLDER "/object.schema.json", whole_machine, FR_CLASS_OBJECT);
}

static void people(void **state) {
    (void)state;
    changed_files_are_judged_alike(SCHEMA_FOLDER "/person.schema.json", whole_person, FR_CLASS_PERSON);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(objects), cmocka_unit_test(machines), cmocka_unit_test(people)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

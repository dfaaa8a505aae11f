// Notes about clashes: what is written is read, what is wrong is said at its place, and the schema agrees.
#include "failing.h"
#include "scene/schema.h"

#include "fureai/clash_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTES(list) "{\"fureai\": 1, \"notes\": [" list "]}"
#define NOTE(a, b, verdict) "{\"a\": \"" a "\", \"b\": \"" b "\", \"verdict\": \"" verdict "\"}"

static fr_json *schema;
static char *schema_text;

static int open_schema(void **state) {
    (void)state;
    FILE *file = fopen(SCHEMA_FILE, "rb");
    if (file == NULL) { return -1; }
    schema_text = calloc(1, 1 << 16);
    size_t size = fread(schema_text, 1, (1 << 16) - 1, file);
    fclose(file);
    schema = schema_parse(schema_text, size);
    return schema != NULL ? 0 : -1;
}

static int close_schema(void **state) {
    (void)state;
    fr_json_destroy(schema);
    free(schema_text);
    return 0;
}

static bool schema_says(const char *text) {
    fr_json *json = schema_parse(text, strlen(text));
    bool is_right = json != NULL && schema_accepts(schema, json);
    fr_json_destroy(json);
    return is_right;
}

static fr_clash_notes *read_right(const char *text) {
    fr_clash_notes *notes;
    fr_error error = {0};
    if (fr_clash_notes_read(text, strlen(text), "notes.json", NULL, &notes, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    assert_true(schema_says(text));
    return notes;
}

static void check_wrong(const char *text, fr_status status, int line, int column, bool is_schemas) {
    fr_clash_notes *notes;
    fr_error error = {0};
    fr_status is = fr_clash_notes_read(text, strlen(text), "notes.json", NULL, &notes, &error);
    bool is_either = status == FR_ERROR_ARGUMENT && is == FR_ERROR_SYNTAX; // of a key or a value, as room json has it
    if (is != status && !is_either) { fail_msg("%d for %s: %s", (int)is, text, error.message); }
    assert_null(notes);
    assert_string_equal(error.path, "notes.json");
    if (error.line != line || error.column != column) {
        fail_msg("%d:%d: %s, for %s", error.line, error.column, error.message, text);
    }
    assert_true(schema_says(text) != is_schemas);
}

static void set(fr_clash_notes *notes, const char *a, const char *b, fr_clash_verdict verdict, const char *text) {
    const fr_clash_note note = {a, b, verdict, text};
    assert_int_equal(fr_clash_notes_set(notes, &note, NULL), FR_OK);
}

static bool append(const void *bytes, size_t size, void *context) {
    unsigned char *place = fr_byte_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

static void what_is_wrong_is_said_at_its_place(void **state) {
    (void)state;
    check_wrong("", FR_ERROR_SYNTAX, 1, 1, true);
    check_wrong("{\"fureai\": 1,\n \"notes\": [}", FR_ERROR_SYNTAX, 2, 12, true);
    check_wrong("{\"fureai\": 2, \"notes\": []}", FR_ERROR_VERSION, 1, 12, true);
    check_wrong("{\"fureai\": 1}", FR_ERROR_ARGUMENT, 1, 1, true);
    check_wrong(NOTES("{\"a\": \"x\", \"verdict\": \"open\"}"), FR_ERROR_ARGUMENT, 1, 25, true);
    check_wrong(NOTES(NOTE("x", "y", "acepted")), FR_ERROR_ARGUMENT, 1, 57, true);
    check_wrong(NOTES(NOTE("", "y", "open")), FR_ERROR_LIMIT, 1, 31, true);
    check_wrong(NOTES(NOTE("x", "y\\n", "open")), FR_ERROR_ARGUMENT, 1, 41, true);
    // Two notes about the same parts, in either order, which a schema cannot know.
    check_wrong(NOTES(NOTE("x", "y", "accepted") ",\n" NOTE("x", "y", "ignored")), FR_ERROR_ARGUMENT, 2, 1, false);
    check_wrong(NOTES(NOTE("x", "y", "ignored") ",\n" NOTE("y", "x", "ignored")), FR_ERROR_ARGUMENT, 2, 1, false);
}

static void notes_are_about_two_names_in_any_order(void **state) {
    (void)state;
    fr_clash_notes *notes = read_right(NOTES(NOTE("wheel", "axle", "accepted")));
    const fr_clash_note *note = fr_clash_notes_find(notes, "axle", "wheel");
    assert_true(note != NULL && note == fr_clash_notes_find(notes, "wheel", "axle"));
    assert_string_equal(note->a, "axle");
    assert_string_equal(fr_clash_verdict_name(note->verdict), "accepted");
    assert_string_equal(note->text, "");
    assert_null(fr_clash_notes_find(notes, "axle", "axle"));

    set(notes, "wheel", "axle", FR_CLASH_IGNORED, "press fit");
    note = fr_clash_notes_find(notes, "axle", "wheel");
    assert_true(note->verdict == FR_CLASH_IGNORED);
    assert_string_equal(note->text, "press fit");
    set(notes, "axle", "wheel", FR_CLASH_OPEN, "");
    assert_null(fr_clash_notes_find(notes, "axle", "wheel"));
    uint32_t count;
    (void)fr_clash_notes_list(notes, &count);
    assert_int_equal(count, 0);
    fr_clash_notes_destroy(notes);
}

static void what_cannot_be_a_note_changes_nothing(void **state) {
    (void)state;
    fr_clash_notes *notes = read_right(NOTES(NOTE("a", "b", "accepted")));
    char long_text[FR_CLASH_TEXT_MAX_BYTES + 2];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    const fr_clash_note wrong[] = {{"", "b", FR_CLASH_IGNORED, ""},
                                   {"a", "b\n", FR_CLASH_IGNORED, ""},
                                   {"a", "\xff", FR_CLASH_IGNORED, ""},
                                   {"a", "b", FR_CLASH_IGNORED, long_text},
                                   {"a", "b", FR_CLASH_IGNORED, "two\nlines"},
                                   {"a", "b", (fr_clash_verdict)7, ""}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fr_error error = {0};
        assert_int_equal(fr_clash_notes_set(notes, &wrong[i], &error), FR_ERROR_ARGUMENT);
        assert_true(error.message[0] != '\0');
    }
    assert_true(fr_clash_notes_find(notes, "a", "b")->verdict == FR_CLASH_ACCEPTED);
    fr_clash_notes_destroy(notes);
}

// The oracle is a table of the last note of each two names.
static void random_notes_are_written_and_read_again(void **state) {
    (void)state;
    enum { NAMES = 12 };
    fr_random random = fr_random_seed(7);
    fr_clash_verdict verdicts[NAMES][NAMES] = {0};
    fr_clash_notes *notes;
    assert_int_equal(fr_clash_notes_create(NULL, &notes, NULL), FR_OK);
    char a[32], b[32], text[32];
    for (uint64_t i = 0; i < test_count(500, 50000); i++) {
        uint32_t x = (uint32_t)fr_random_below(&random, NAMES), y = (uint32_t)fr_random_below(&random, NAMES);
        fr_clash_verdict verdict = (fr_clash_verdict)fr_random_below(&random, 3);
        snprintf(a, sizeof a, "part \"%u\" ä", x);
        snprintf(b, sizeof b, "part \"%u\" ä", y);
        snprintf(text, sizeof text, verdict == FR_CLASH_OPEN ? "" : "\\ %u", (unsigned)verdict);
        set(notes, a, b, verdict, text);
        verdicts[x][y] = verdicts[y][x] = verdict;
    }
    fr_byte_array bytes = fr_byte_array_make(NULL);
    assert_int_equal(fr_clash_notes_write(notes, append, &bytes, NULL), FR_OK);
    fr_clash_notes_destroy(notes);
    const char *written = (const char *)bytes.data;
    assert_int_equal(fr_clash_notes_read(written, bytes.count, NULL, NULL, &notes, NULL), FR_OK);
    for (uint32_t x = 0; x < NAMES; x++) {
        for (uint32_t y = 0; y < NAMES; y++) {
            snprintf(a, sizeof a, "part \"%u\" ä", x);
            snprintf(b, sizeof b, "part \"%u\" ä", y);
            const fr_clash_note *note = fr_clash_notes_find(notes, a, b);
            assert_true((note != NULL ? note->verdict : FR_CLASH_OPEN) == verdicts[x][y]);
        }
    }
    fr_clash_notes_destroy(notes);
    fr_byte_array_destroy(&bytes);
}

static bool refuse(const void *bytes, size_t size, void *context) {
    (void)bytes;
    (void)size;
    (void)context;
    return false;
}

static void a_disk_that_is_full_is_reported(void **state) {
    (void)state;
    fr_clash_notes *notes = read_right(NOTES(NOTE("a", "b", "accepted")));
    fr_error error = {0};
    assert_int_equal(fr_clash_notes_write(notes, refuse, NULL, &error), FR_ERROR_FILE);
    fr_clash_notes_destroy(notes);
}

static fr_status read_and_set(const fr_allocator *allocator, void *context) {
    const char *text = context;
    fr_clash_notes *notes;
    fr_status status = fr_clash_notes_read(text, strlen(text), NULL, allocator, &notes, NULL);
    const fr_clash_note note = {"c", "d", FR_CLASH_IGNORED, "why"};
    if (status == FR_OK) { status = fr_clash_notes_set(notes, &note, NULL); }
    if (status == FR_OK) { assert_non_null(fr_clash_notes_find(notes, "a", "b")); }
    fr_clash_notes_destroy(notes);
    return status;
}

static bool accept(const void *bytes, size_t size, void *context) {
    (void)bytes;
    (void)size;
    (void)context;
    return true;
}

static fr_status make_and_write(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_clash_notes *notes;
    fr_status status = fr_clash_notes_create(allocator, &notes, NULL);
    if (status != FR_OK) { return status; }
    const fr_clash_note note = {"a", "b", FR_CLASH_ACCEPTED, "why"};
    status = fr_clash_notes_set(notes, &note, NULL);
    if (status == FR_OK) { status = fr_clash_notes_write(notes, accept, NULL, NULL); }
    fr_clash_notes_destroy(notes);
    return status;
}

static void every_failure_is_survived(void **state) {
    (void)state;
    char text[] = NOTES(NOTE("a", "b", "accepted") "," NOTE("a", "c", "ignored"));
    assert_true(test_every_failure(read_and_set, text) > 5);
    assert_true(test_every_failure(make_and_write, NULL) > 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_said_at_its_place),
        cmocka_unit_test(notes_are_about_two_names_in_any_order),
        cmocka_unit_test(what_cannot_be_a_note_changes_nothing),
        cmocka_unit_test(random_notes_are_written_and_read_again),
        cmocka_unit_test(a_disk_that_is_full_is_reported),
        cmocka_unit_test(every_failure_is_survived),
    };
    return cmocka_run_group_tests(tests, open_schema, close_schema);
}

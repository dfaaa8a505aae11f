// The audit: lines of JSON, bounded in size and rate, and a disk that fails.
#include "server/audit.h"

#include "fureai/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[96], before[112];

static int begin(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fureai-audit-XXXXXX");
    if (mkdtemp(folder) == NULL) { return -1; }
    snprintf(path, sizeof path, "%s/audit", folder);
    snprintf(before, sizeof before, "%s.1", path);
    return 0;
}

static int end(void **state) {
    (void)state;
    unlink(path);
    unlink(before);
    return rmdir(folder);
}

static char *read_file(const char *name) {
    static char text[1 << 20];
    FILE *file = fopen(name, "rb");
    size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file != NULL) { fclose(file); }
    text[size] = '\0';
    return text;
}

static uint32_t count_lines(const char *text) {
    uint32_t count = 0;
    for (; *text != '\0'; text++) {
        count += *text == '\n';
    }
    return count;
}

static void a_refusal_is_a_line_of_json(void **state) {
    (void)state;
    fr__audit audit;
    assert_int_equal(fr__audit_open(&audit, path, NULL, NULL), FR_OK);
    const fr__refusal refusal = {.address = "127.0.0.1",
                                 .client = 7,
                                 .name = "a \"name\"\n\x1b[31m",
                                 .message = "grab",
                                 .status = FR_ERROR_UNSUPPORTED,
                                 .reason = "you watch"};
    fr__audit_take(&audit, &refusal, fr_clock_ns());
    const fr__refusal little = {.status = FR_ERROR_LIMIT};
    fr__audit_take(&audit, &little, fr_clock_ns());
    fr__audit_close(&audit);
    char *text = read_file(path);
    assert_int_equal(count_lines(text), 2);
    assert_non_null(strstr(text, "\"address\":\"127.0.0.1\",\"client\":7,\"name\":\"a \\\"name\\\"\\n\\u001b[31m\","
                                 "\"message\":\"grab\""));
    assert_non_null(strstr(text, "\"reason\":\"you watch\"}\n"));
    for (char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        char one[1024];
        size_t size = (size_t)(strchr(line, '\n') - line);
        memcpy(one, line, size);
        fr_json_def def = fr_default_json_def();
        fr_json *document;
        fr_error error = {0};
        if (fr_json_create(one, size, &def, &document, &error) != FR_OK) { fail_msg("%s", error.message); }
        fr_json_destroy(document);
    }
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
}

static void lines_have_a_rate(void **state) {
    (void)state;
    fr__audit audit;
    assert_int_equal(fr__audit_open(&audit, path, NULL, NULL), FR_OK);
    const fr__refusal refusal = {.status = FR_ERROR_LIMIT, .reason = "again"};
    uint64_t now = fr_clock_ns();
    for (int i = 0; i < 100000; i++) {
        fr__audit_take(&audit, &refusal, now);
    }
    fr__audit_take(&audit, &refusal, now + 1000000000);
    fr__audit_close(&audit);
    char *text = read_file(path);
    assert_int_equal(count_lines(text), 5 * FR__AUDIT_RATE + 1);
    assert_non_null(strstr(text, "\"left_out\":99000"));
}

// At most two files of the limit, however much is refused.
static void the_file_has_a_size(void **state) {
    (void)state;
    fr__audit audit;
    assert_int_equal(fr__audit_open(&audit, path, NULL, NULL), FR_OK);
    audit.max_bytes = 10000;
    const fr__refusal refusal = {.status = FR_ERROR_LIMIT, .reason = "again"};
    uint64_t now = fr_clock_ns();
    for (int i = 0; i < 1000; i++) {
        fr__audit_take(&audit, &refusal, now += 1000000000);
        fr__audit_flush(&audit);
    }
    fr__audit_close(&audit);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_true(about.st_size <= 10000);
    assert_int_equal(stat(before, &about), 0);
    assert_true(about.st_size > 5000 && about.st_size <= 10000);
    // What is there is gone on with.
    uint32_t lines = count_lines(read_file(path));
    assert_int_equal(fr__audit_open(&audit, path, NULL, NULL), FR_OK);
    fr__audit_take(&audit, &refusal, now);
    fr__audit_close(&audit);
    assert_int_equal(count_lines(read_file(path)), lines + 1);
}

static void a_file_that_cannot_be_had_is_refused(void **state) {
    (void)state;
    fr__audit audit;
    fr_error error = {0};
    assert_int_equal(fr__audit_open(&audit, "/nowhere/audit", NULL, &error), FR_ERROR_FILE);
    assert_string_equal(error.path, "/nowhere/audit");
}

static void a_full_disk_ends_nothing(void **state) {
    (void)state;
    fr__audit audit;
    if (access("/dev/full", W_OK) != 0) { skip(); }
    assert_int_equal(fr__audit_open(&audit, "/dev/full", NULL, NULL), FR_OK);
    const fr__refusal refusal = {.status = FR_ERROR_LIMIT};
    for (int i = 0; i < 10; i++) {
        fr__audit_take(&audit, &refusal, fr_clock_ns());
        fr__audit_flush(&audit);
    }
    assert_true(audit.has_failed);
    assert_int_equal(audit.text.count, 0);
    fr__audit_close(&audit);
    // Without a file nothing is taken.
    assert_int_equal(fr__audit_open(&audit, NULL, NULL, NULL), FR_OK);
    fr__audit_take(&audit, &refusal, fr_clock_ns());
    assert_int_equal(audit.text.count, 0);
    fr__audit_close(&audit);
}

#define FILED(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        FILED(a_refusal_is_a_line_of_json),          FILED(lines_have_a_rate),        FILED(the_file_has_a_size),
        FILED(a_file_that_cannot_be_had_is_refused), FILED(a_full_disk_ends_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

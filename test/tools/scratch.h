// A folder of its own for a test of the tool, and the tool run in it.
#ifndef FUREAI_TEST_TOOLS_SCRATCH_H
#define FUREAI_TEST_TOOLS_SCRATCH_H

#include "process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static process p;
static char scratch_folder[64];

static int make_folder(void **state) {
    (void)state;
    snprintf(scratch_folder, sizeof scratch_folder, "/tmp/fureai-tool-XXXXXX");
    return mkdtemp(scratch_folder) != NULL && chdir(scratch_folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", scratch_folder);
    return chdir("/") == 0 ? system(line) : -1;
}

static inline void put_file(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static inline const char *take_file(const char *name) {
    static char text[PROCESS_TEXT_BYTES];
    FILE *file = fopen(name, "rb");
    if (file == NULL) { fail_msg("%s is not there", name); }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

#define RUN(...)                                                                                                       \
    do {                                                                                                               \
        assert_true(process_start(&p, (const char *const[]){FUREAI_TOOL, __VA_ARGS__, NULL}, PROCESS_PIPES));          \
        process_finish(&p);                                                                                            \
    } while (0)

static inline void expect_in(const char *text, const char *part) {
    if (strstr(text, part) == NULL) { fail_msg("'%s' is not in:\n%s", part, text); }
}

static inline void expect_answer(const char *says) {
    if (p.status != 0) { fail_msg("status %d: %s", p.status, p.err); }
    expect_in(p.out, says);
}

// The command failed in this way, and said nothing on standard output.
static inline void expect_failure(int status, const char *says) {
    if (p.status != status) { fail_msg("status %d: %s", p.status, p.err); }
    assert_string_equal(p.out, "");
    expect_in(p.err, says);
}

#endif

// Files of journals for tests: a folder of their own, copies of a journal with its log, and records.
#ifndef FUREAI_TEST_SERVER_JOURNAL_FILES_H
#define FUREAI_TEST_SERVER_JOURNAL_FILES_H

#include "fureai/server_journal.h"

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

enum { JOURNAL_PATH_BYTES = 128 };

static inline void journal_path(char path[JOURNAL_PATH_BYTES], const char *name) {
    snprintf(path, JOURNAL_PATH_BYTES, "/tmp/fureai-journal-%d-%s", (int)getpid(), name);
}

static inline void journal_remove(const char *path) {
    static const char *const endings[] = {"", "-wal", "-shm", ".lock", ".store", ".before", ".journal"};
    char name[JOURNAL_PATH_BYTES + 16];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        (void)unlink(name);
    }
}

typedef struct file_bytes {
    char *data;
    size_t size;
} file_bytes;

// The bytes of a file; none where it is not there.
static inline file_bytes file_read(const char *path) {
    file_bytes out = {NULL, 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return out; }
    fseek(file, 0, SEEK_END);
    out.size = (size_t)ftell(file);
    rewind(file);
    out.data = malloc(out.size + 1);
    assert_non_null(out.data);
    assert_int_equal(fread(out.data, 1, out.size, file), out.size);
    out.data[out.size] = '\0';
    fclose(file);
    return out;
}

static inline void file_write(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    if (size > 0) { assert_int_equal(fwrite(bytes, 1, size, file), size); }
    assert_int_equal(fclose(file), 0);
}

// Copies a journal and its log, as they are on the disk now: what a process that is killed leaves behind.
static inline void journal_copy(const char *from, const char *to) {
    char name[JOURNAL_PATH_BYTES + 16];
    journal_remove(to);
    file_bytes whole = file_read(from);
    file_write(to, whole.data, whole.size);
    free(whole.data);
    snprintf(name, sizeof name, "%s-wal", from);
    file_bytes log = file_read(name);
    snprintf(name, sizeof name, "%s-wal", to);
    if (log.data != NULL) { file_write(name, log.data, log.size); }
    free(log.data);
}

// A record of a state, numbered and timed by `number`.
static inline fr_journal_record state_record(uint64_t number, char body[64]) {
    snprintf(body, 64, "{\"name\":\"n\",\"value\":%llu}", (unsigned long long)number);
    return (fr_journal_record){.number = number,
                               .time_ms = (int64_t)number * 1000,
                               .tick = number,
                               .kind = FR_JOURNAL_STATE,
                               .object = "cup",
                               .client = "test",
                               .body = body};
}

static inline fr_journal_record scene_record(uint64_t number) {
    return (fr_journal_record){.number = number,
                               .time_ms = (int64_t)number * 1000,
                               .tick = number,
                               .kind = FR_JOURNAL_SCENE,
                               .object = "",
                               .client = "",
                               .body = "{\"scene\":\"pair\"}"};
}

static inline fr_journal_file *journal_open(const char *path) {
    fr_journal_file_def def = fr_default_journal_file_def();
    def.path = path;
    fr_journal_file *file;
    fr_error error = {0};
    if (fr_journal_file_create(&def, &file, &error) != FR_OK) { fail_msg("no journal: %s", error.message); }
    return file;
}

// Appends a scene, or a state, and returns what the journal says of it.
static inline fr_status journal_append(fr_journal_file *file, uint64_t number) {
    fr_journal journal = fr_journal_file_table(file);
    char body[64];
    fr_journal_record record = number == 1 ? scene_record(1) : state_record(number, body);
    uint64_t flushed;
    fr_error error = {0};
    fr_status status = journal.append(&record, 1, journal.user, &error);
    return status == FR_OK ? journal.flushed(true, &flushed, journal.user, &error) : status;
}

typedef struct journal_count {
    uint64_t records, last;
    uint64_t kinds[FR_JOURNAL_KIND_COUNT];
} journal_count;

static inline fr_status count_record(const fr_journal_record *record, void *context, fr_error *error) {
    (void)error;
    journal_count *count = context;
    count->records++;
    count->last = record->number;
    count->kinds[record->kind]++;
    return FR_OK;
}

#endif

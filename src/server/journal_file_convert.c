// Makes a journal of a store.
#define _XOPEN_SOURCE 700 // realpath
#include "server/journal_file.h"
#include "server/journal_file_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef enum file_content { CONTENT_NONE, CONTENT_JOURNAL, CONTENT_STORE, CONTENT_OTHER } file_content;

// What a file holds, by its first bytes.
static fr_status look(const char *path, file_content *out, fr_error *error) {
    static const char head_of_journal[] = "SQLite format 3";
    char head[256];
    *out = CONTENT_NONE;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 && errno == ENOENT) { return FR_OK; }
    ssize_t size = descriptor >= 0 ? read(descriptor, head, sizeof head) : -1;
    int reason = errno;
    if (descriptor >= 0) { close(descriptor); }
    if (size < 0) {
        fr_error_set(error, FR_ERROR_FILE, "cannot open: %s", strerror(reason));
        fr_error_locate(error, path, 0, 0);
        return FR_ERROR_FILE;
    }
    size_t at = size >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < (size_t)size && strchr(" \t\r\n", head[at]) != NULL && head[at] != '\0') {
        at++;
    }
    if (size >= (ssize_t)sizeof head_of_journal && memcmp(head, head_of_journal, sizeof head_of_journal) == 0) {
        *out = CONTENT_JOURNAL;
    } else if (size > 0) {
        *out = at < (size_t)size && head[at] == '{' ? CONTENT_STORE : CONTENT_OTHER;
    }
    return FR_OK;
}

static bool pack_body(fr_byte_array *records, fr_journal_record *record, fr_array *body) {
    record->body = body->data;
    record->number++;
    bool is_packed = fr__journal_pack(records, record);
    body->count = 0;
    return is_packed;
}

// The store as records: its scene, and all its objects whole.
static bool pack_store(const fr__store *store, fr_byte_array *records, const fr_allocator *allocator) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    fr_journal_record record = {.time_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000,
                                .tick = store->tick,
                                .kind = FR_JOURNAL_SCENE,
                                .object = "",
                                .client = ""};
    fr_array body = fr_array_make(1, allocator);
    bool is_good = fr__journal_write_scene(store->scene, &body) && pack_body(records, &record, &body);
    record.kind = FR_JOURNAL_OBJECT;
    for (size_t i = 0; i < store->objects.count && is_good; i++) {
        record.object = store->objects.data[i].name;
        is_good = fr__journal_write_object(store, &store->objects.data[i], &body) && pack_body(records, &record, &body);
    }
    fr_array_destroy(&body);
    return is_good;
}

// Writes a new journal under a path of its own, whole and closed.
static fr_status write_journal(const char *path, const fr_byte_array *records, fr_error *error) {
    sqlite3 *db;
    fr_status status = fr__database_open(path, FR__DATABASE_CREATE, &db, error);
    if (status != FR_OK) { return status; }
    fr__journal_writer writer;
    int code = fr__journal_writer_open(&writer, db, 100000);
    if (code == SQLITE_OK) { code = fr__journal_writer_commit(&writer, records); }
    if (code != SQLITE_OK) { status = fr__database_fail(db, code, path, error); }
    fr__journal_writer_close(&writer);
    return status;
}

// Removes the files that SQLite makes beside a journal, and with `is_whole` the journal.
static void remove_journal(const char *path, bool is_whole) {
    static const char *const endings[] = {"-wal", "-shm", "-journal", ""};
    char name[PATH_MAX + 32];
    for (size_t i = 0; i < (is_whole ? 4u : 3u); i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        (void)unlink(name);
    }
}

// Puts the bytes of the store beside the journal, and then the journal at its place: at any moment one of both is
// there.
static fr_status exchange(const char *path, const char *made, const fr_allocator *allocator, fr_error *error) {
    char kept[PATH_MAX + 8];
    snprintf(kept, sizeof kept, "%s.store", path);
    fr_input_file_def reading = fr_default_input_file_def();
    reading.path = path;
    reading.is_plain = true;
    reading.allocator = fr_allocator_or_default(allocator);
    fr_input_file bytes = {0};
    fr_status status = fr_input_file_read(&reading, &bytes, error);
    if (status == FR_OK) { status = fr__store_save(kept, bytes.data, bytes.size, NULL, allocator, error); }
    fr_input_file_destroy(&bytes);
    // A log that stands beside a store is of another journal, and must not be taken for one of this.
    if (status == FR_OK) { remove_journal(path, false); }
    if (status == FR_OK && rename(made, path) != 0) {
        fr_error_set(error, FR_ERROR_FILE, "cannot be made a journal: %s", strerror(errno));
        fr_error_locate(error, path, 0, 0);
        status = FR_ERROR_FILE;
    }
    return status;
}

static fr_status convert(const char *path, const fr_allocator *allocator, fr_error *error) {
    fr__store store;
    fr_status status = fr__store_load(path, allocator, &store, error);
    if (status != FR_OK) { return status; }
    char real[PATH_MAX], made[PATH_MAX + 16];
    fr_byte_array records = fr_byte_array_make(allocator);
    if (realpath(path, real) == NULL) {
        status = fr_error_set(error, FR_ERROR_FILE, "%s", strerror(errno));
        fr_error_locate(error, path, 0, 0);
    } else if (!pack_store(&store, &records, allocator)) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a journal");
    }
    snprintf(made, sizeof made, "%s.journal", real);
    if (status == FR_OK) {
        remove_journal(made, true); // that a crash left
        status = write_journal(made, &records, error);
        if (status == FR_OK) { status = exchange(real, made, allocator, error); }
        if (status != FR_OK) { remove_journal(made, true); }
    }
    fr_byte_array_destroy(&records);
    fr__store_free(&store);
    return status;
}

fr_status fr__journal_convert(const char *path, const fr_allocator *allocator, fr_error *error) {
    file_content content;
    fr_status status = look(path, &content, error);
    if (status == FR_OK && content == CONTENT_STORE) { return convert(path, allocator, error); }
    if (status == FR_OK && content == CONTENT_OTHER) {
        fr_error_set(error, FR_ERROR_SYNTAX, "it is neither a journal nor a store");
        fr_error_locate(error, path, 0, 0);
        return FR_ERROR_SYNTAX;
    }
    return status;
}

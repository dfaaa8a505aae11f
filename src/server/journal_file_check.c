// A journal that is looked at, checked and cut, without a server.
#include "server/journal_file_database.h"

#include "fureai/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

fr_status fr_journal_file_read(const char *path, fr_journal_fn *take, void *context, fr_error *error) {
    FR_ASSERT(path != NULL);
    sqlite3 *db;
    fr_status status = fr__database_open(path, FR__DATABASE_READ, &db, error);
    if (status != FR_OK) { return status; }
    status = fr__database_read(db, path, take, context, error);
    sqlite3_close(db);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Checking

typedef struct journal_check {
    fr__journal_state state;
    fr_journal_report *report;
    const fr_control *control;
} journal_check;

static fr_status take_record(const fr_journal_record *record, void *context, fr_error *error) {
    journal_check *c = context;
    if (fr_control_is_stopped(c->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped by the caller"); }
    if (c->report->records++ == 0) {
        c->report->first = record->number;
        c->report->first_ms = record->time_ms;
    }
    c->report->poses += record->kind == FR_JOURNAL_POSE;
    return fr__journal_state_take(&c->state, record, error);
}

// The pages of the file; what is wrong with them is one row of text each.
static fr_status check_pages(sqlite3 *db, const char *path, fr_error *error) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &statement, NULL);
    if (code == SQLITE_OK) { code = sqlite3_step(statement); }
    fr_status status = FR_OK;
    if (code == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        if (text == NULL || strcmp(text, "ok") != 0) {
            status = fr_error_set(error, FR_ERROR_CORRUPT, "%.200s", text != NULL ? text : "it cannot be checked");
            fr_error_locate(error, path, 0, 0);
        }
    } else {
        status = fr__database_fail(db, code, path, error);
    }
    sqlite3_finalize(statement);
    return status;
}

static int ask_stop(void *context) { return fr_control_is_stopped(context); }

fr_status fr_journal_file_check(const char *path, const fr_control *control, const fr_allocator *allocator,
                                fr_journal_report *out, fr_error *error) {
    FR_ASSERT(path != NULL && out != NULL);
    *out = (fr_journal_report){0};
    sqlite3 *db;
    fr_status status = fr__database_open(path, FR__DATABASE_READ, &db, error);
    if (status != FR_OK) { return status; }
    fr_control copy = control != NULL ? *control : (fr_control){0};
    sqlite3_progress_handler(db, 10000, ask_stop, &copy);
    journal_check c = {fr__journal_state_make(path, allocator), out, control};
    status = check_pages(db, path, error);
    if (status == FR_OK) { status = fr__database_read(db, path, take_record, &c, error); }
    if (status == FR_ERROR_FILE && fr_control_is_stopped(control)) {
        status = fr_error_set(error, FR_ERROR_STOPPED, "stopped by the caller");
    }
    if (status == FR_OK && c.state.scene == NULL && out->records > 0) {
        status = fr_error_set(error, FR_ERROR_CORRUPT, "no record of it opens a scene");
        fr_error_locate(error, path, 0, 0);
    }
    if (status == FR_OK) { fr__journal_state_count(&c.state, out); }
    fr__journal_state_free(&c.state);
    sqlite3_close(db);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Cutting

// A copy of the whole file, as it is now, beside it.
static fr_status copy_whole(sqlite3 *db, const char *path, fr_error *error) {
    char made[FR__JOURNAL_PATH_BYTES + 32], kept[FR__JOURNAL_PATH_BYTES + 16];
    snprintf(kept, sizeof kept, "%s.before", path);
    snprintf(made, sizeof made, "%s.before.new", path);
    (void)unlink(made);
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, "VACUUM INTO ?", -1, &statement, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, made, -1, SQLITE_STATIC);
        code = sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    if (code != SQLITE_DONE) {
        fr_status status = fr__database_fail(db, code, path, error);
        (void)unlink(made);
        return status;
    }
    if (rename(made, kept) == 0) { return FR_OK; }
    fr_error_set(error, FR_ERROR_FILE, "cannot be written: %s", strerror(errno));
    fr_error_locate(error, kept, 0, 0);
    (void)unlink(made);
    return FR_ERROR_FILE;
}

static int delete_after(sqlite3 *db, const char *sql, int64_t time_ms, uint64_t *removed) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_int64(statement, 1, time_ms);
        code = sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    if (code != SQLITE_DONE) { return code; }
    *removed += (uint64_t)sqlite3_changes(db);
    return SQLITE_OK;
}

static fr_status cut(sqlite3 *db, const char *path, int64_t time_ms, uint64_t *removed, fr_error *error) {
    int64_t first = 0;
    // Records before the first scene are the rest of those that go: no world can be made of them.
    int code = fr__database_number(db, "SELECT min(time) FROM record WHERE kind = 'scene'", &first);
    if (code == SQLITE_OK && first > time_ms) {
        fr_error_set(error, FR_ERROR_ARGUMENT, "the journal begins later than that");
        fr_error_locate(error, path, 0, 0);
        return FR_ERROR_ARGUMENT;
    }
    if (code != SQLITE_OK) { return fr__database_fail(db, code, path, error); }
    fr_status status = copy_whole(db, path, error);
    if (status != FR_OK) { return status; }
    code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK) { code = delete_after(db, "DELETE FROM record WHERE time > ?", time_ms, removed); }
    if (code == SQLITE_OK) { code = delete_after(db, "DELETE FROM pose WHERE time > ?", time_ms, removed); }
    if (code == SQLITE_OK) { code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL); }
    if (code == SQLITE_OK) { return FR_OK; }
    status = fr__database_fail(db, code, path, error);
    (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    *removed = 0;
    return status;
}

fr_status fr_journal_file_cut(const char *path, int64_t time_ms, const fr_allocator *allocator, uint64_t *removed,
                              fr_error *error) {
    FR_ASSERT(path != NULL && removed != NULL);
    *removed = 0;
    fr_file_lock *lock;
    fr_status status = fr_file_lock_create(path, allocator, &lock, error);
    if (status != FR_OK) { return status; }
    sqlite3 *db;
    status = fr__database_open(path, FR__DATABASE_WRITE, &db, error);
    if (status == FR_OK) {
        status = cut(db, path, time_ms, removed, error);
        sqlite3_close(db);
    }
    fr_file_lock_destroy(lock);
    return status;
}

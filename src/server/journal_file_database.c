// The SQLite file of a journal. Times are milliseconds since 1970; a body is JSON.
#include "server/journal_file_database.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUSY_MS = 2000, ROW_BYTES = 4 << 20 };

#define APPLICATION_ID 1179805233 // "FRJ1"
#define SCHEMA_VERSION 1

static const char table_record[] =
    "CREATE TABLE record(number INTEGER PRIMARY KEY, time INTEGER NOT NULL, tick INTEGER NOT NULL, kind TEXT NOT NULL,"
    " object TEXT NOT NULL, client TEXT NOT NULL, body TEXT NOT NULL)";
static const char table_pose[] =
    "CREATE TABLE pose(object TEXT PRIMARY KEY, number INTEGER NOT NULL, time INTEGER NOT NULL, tick INTEGER NOT NULL,"
    " body TEXT NOT NULL) WITHOUT ROWID";

// ---------------------------------------------------------------------------------------------------------------
// Failures

static fr_status status_of(int code) {
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return FR_ERROR_BUSY;
    case SQLITE_NOMEM: return FR_ERROR_MEMORY;
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT: return FR_ERROR_CORRUPT;
    case SQLITE_NOTADB: return FR_ERROR_SYNTAX;
    default: return FR_ERROR_FILE;
    }
}

fr_status fr__database_fail(sqlite3 *db, int code, const char *path, fr_error *error) {
    const char *reason = db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(code);
    int number = db != NULL ? sqlite3_system_errno(db) : 0;
    int base = code & 0xff;
    bool is_system = number != 0 && (base == SQLITE_CANTOPEN || base == SQLITE_IOERR || base == SQLITE_FULL);
    fr_status status = status_of(code);
    if (base == SQLITE_NOTADB) {
        fr_error_set(error, status, "it is neither a journal nor a store");
    } else if (is_system) {
        fr_error_set(error, status, "the journal: %s: %s", reason, strerror(number));
    } else {
        fr_error_set(error, status, "the journal: %s", reason);
    }
    fr_error_locate(error, path, 0, 0);
    return status;
}

static fr_status refuse(fr_status status, const char *what, const char *path, fr_error *error) {
    fr_error_set(error, status, "%s", what);
    fr_error_locate(error, path, 0, 0);
    return status;
}

int fr__database_number(sqlite3 *db, const char *sql, int64_t *out) {
    sqlite3_stmt *statement = NULL;
    *out = 0;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW) { *out = sqlite3_column_int64(statement, 0); }
        if (code == SQLITE_ROW || code == SQLITE_DONE) { code = SQLITE_OK; }
    }
    sqlite3_finalize(statement);
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// Opening

static int run(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL); }

static int make_tables(sqlite3 *db) {
    char marks[96];
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID,
             SCHEMA_VERSION);
    int code = run(db, "BEGIN IMMEDIATE");
    if (code == SQLITE_OK) { code = run(db, table_record); }
    if (code == SQLITE_OK) { code = run(db, table_pose); }
    if (code == SQLITE_OK) { code = run(db, marks); }
    return code == SQLITE_OK ? run(db, "COMMIT") : code;
}

// Whether the file has our tables and nothing else: what a trigger or a view of another hand would do is not done.
static int compare_tables(sqlite3 *db, bool *is_ours) {
    sqlite3_stmt *statement = NULL;
    uint32_t tables = 0, others = 0;
    int code = sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_master", -1, &statement, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *sql = (const char *)sqlite3_column_text(statement, 0);
        bool is_table = sql != NULL && (strcmp(sql, table_record) == 0 || strcmp(sql, table_pose) == 0);
        tables += is_table;
        others += !is_table;
        code = SQLITE_OK;
    }
    sqlite3_finalize(statement);
    *is_ours = tables == 2 && others == 0;
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static fr_status check_tables(sqlite3 *db, const char *path, bool may_make, fr_error *error) {
    int64_t application = 0, version = 0, entries = 0;
    int code = fr__database_number(db, "PRAGMA application_id", &application);
    if (code == SQLITE_OK) { code = fr__database_number(db, "PRAGMA user_version", &version); }
    if (code == SQLITE_OK) { code = fr__database_number(db, "SELECT count(*) FROM sqlite_master", &entries); }
    if (code == SQLITE_OK && application == 0 && version == 0 && entries == 0 && may_make) {
        code = make_tables(db);
        application = APPLICATION_ID;
        version = SCHEMA_VERSION;
    }
    if (code != SQLITE_OK) { return fr__database_fail(db, code, path, error); }
    if (application != APPLICATION_ID) {
        return refuse(FR_ERROR_SYNTAX, "it is an SQLite file, but no journal", path, error);
    }
    if (version != SCHEMA_VERSION) {
        char text[96];
        snprintf(text, sizeof text, "it is a journal of version %lld; this is version %d", (long long)version,
                 SCHEMA_VERSION);
        return refuse(FR_ERROR_VERSION, text, path, error);
    }
    bool is_ours = false;
    code = compare_tables(db, &is_ours);
    if (code != SQLITE_OK) { return fr__database_fail(db, code, path, error); }
    return is_ours ? FR_OK : refuse(FR_ERROR_CORRUPT, "its tables are not those of a journal", path, error);
}

static void set_limits(sqlite3 *db) {
    sqlite3_busy_timeout(db, BUSY_MS);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, ROW_BYTES);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    (void)run(db, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON");
}

// On a disk that cannot be written the files beside the journal cannot be made; one that no server left is read alone.
static int open_unchanging(const char *path, sqlite3 **out) {
    char wal[FR__JOURNAL_PATH_BYTES + 8], uri[3 * FR__JOURNAL_PATH_BYTES + 32];
    struct stat about;
    snprintf(wal, sizeof wal, "%s-wal", path);
    if (stat(wal, &about) == 0 && about.st_size > 0) { return SQLITE_CANTOPEN; }
    size_t at = (size_t)snprintf(uri, sizeof uri, "file:");
    for (const char *c = path; *c != '\0'; c++) {
        bool is_plain = *c != '?' && *c != '#' && *c != '%';
        at += (size_t)snprintf(uri + at, sizeof uri - at, is_plain ? "%c" : "%%%02X", (unsigned char)*c);
    }
    snprintf(uri + at, sizeof uri - at, "?immutable=1");
    return sqlite3_open_v2(uri, out, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
}

static int open_plain(const char *path, fr__database_mode mode, sqlite3 **out) {
    int flags = SQLITE_OPEN_NOMUTEX;
    flags |= mode == FR__DATABASE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    if (mode == FR__DATABASE_CREATE) { flags |= SQLITE_OPEN_CREATE; }
    int code = sqlite3_open_v2(path, out, flags, NULL);
    int64_t pages = 0;
    if (code == SQLITE_OK && mode == FR__DATABASE_READ) {
        set_limits(*out);
        code = fr__database_number(*out, "PRAGMA user_version", &pages);
        if ((code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY) {
            sqlite3_close(*out);
            *out = NULL;
            code = open_unchanging(path, out);
        }
    }
    if (code == SQLITE_OK) { set_limits(*out); }
    return code;
}

// A file that may be written has its log beside it, which every commit waits for.
static int set_journaling(sqlite3 *db, bool *is_right) {
    sqlite3_stmt *statement = NULL;
    *is_right = false;
    int code = sqlite3_prepare_v2(db, "PRAGMA journal_mode = WAL", -1, &statement, NULL);
    if (code == SQLITE_OK) { code = sqlite3_step(statement); }
    if (code == SQLITE_ROW) {
        const char *mode = (const char *)sqlite3_column_text(statement, 0);
        *is_right = mode != NULL && strcmp(mode, "wal") == 0;
        code = SQLITE_OK;
    }
    sqlite3_finalize(statement);
    return code == SQLITE_OK ? run(db, "PRAGMA synchronous = FULL") : code;
}

static fr_status prepare(sqlite3 *db, const char *path, fr__database_mode mode, fr_error *error) {
    fr_status status = check_tables(db, path, mode == FR__DATABASE_CREATE, error);
    if (status != FR_OK || mode == FR__DATABASE_READ) { return status; }
    bool is_right = false;
    int code = set_journaling(db, &is_right);
    if (code == SQLITE_OK && sqlite3_db_readonly(db, "main") != 0) { code = SQLITE_READONLY; }
    if (code != SQLITE_OK) { return fr__database_fail(code == SQLITE_READONLY ? NULL : db, code, path, error); }
    return is_right ? FR_OK : refuse(FR_ERROR_FILE, "this disk cannot hold a journal: no log beside it", path, error);
}

// Whether the end of a file is missing: SQLite reads zeros there. A log beside it may have what is missing.
static bool is_cut(const char *path) {
    char wal[FR__JOURNAL_PATH_BYTES + 8];
    unsigned char head[32];
    struct stat about;
    snprintf(wal, sizeof wal, "%s-wal", path);
    if (stat(wal, &about) == 0 && about.st_size > 0) { return false; }
    FILE *file = fopen(path, "rb");
    bool is_read = file != NULL && fread(head, 1, sizeof head, file) == sizeof head && stat(path, &about) == 0;
    if (file != NULL) { fclose(file); }
    int64_t page = is_read ? head[16] << 8 | head[17] : 0;
    if (page == 1) { page = 65536; }
    int64_t pages = is_read ? (int64_t)head[28] << 24 | head[29] << 16 | head[30] << 8 | head[31] : 0;
    return page >= 512 && about.st_size < page * pages;
}

fr_status fr__database_open(const char *path, fr__database_mode mode, sqlite3 **out, fr_error *error) {
    *out = NULL;
    if (strlen(path) > FR__JOURNAL_PATH_BYTES) {
        return refuse(FR_ERROR_LIMIT, "the path of the journal is too long", path, error);
    }
    if (is_cut(path)) { return refuse(FR_ERROR_CORRUPT, "the end of the journal is missing", path, error); }
    sqlite3 *db = NULL;
    int code = open_plain(path, mode, &db);
    fr_status status = code == SQLITE_OK ? prepare(db, path, mode, error) : fr__database_fail(db, code, path, error);
    if (status != FR_OK) {
        sqlite3_close(db);
        return status;
    }
    *out = db;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

// Rows of both tables, each in the order of numbers.
typedef struct rows {
    sqlite3_stmt *statement;
    bool is_poses;
    bool has_row;
    fr_journal_record record;
} rows;

static bool read_kind(const char *text, fr_journal_kind *out) {
    for (int i = 0; i < FR_JOURNAL_KIND_COUNT; i++) {
        if (strcmp(fr_journal_kind_text((fr_journal_kind)i), text) != 0) { continue; }
        *out = (fr_journal_kind)i;
        return true;
    }
    return false;
}

static const char *text_of(sqlite3_stmt *statement, int column) {
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text != NULL ? text : "";
}

static int next_row(rows *r) {
    int code = sqlite3_step(r->statement);
    r->has_row = code == SQLITE_ROW;
    if (!r->has_row) { return code == SQLITE_DONE ? SQLITE_OK : code; }
    sqlite3_stmt *s = r->statement;
    int64_t number = sqlite3_column_int64(s, 0), tick = sqlite3_column_int64(s, 2);
    r->record = (fr_journal_record){.number = number > 0 ? (uint64_t)number : 0,
                                    .time_ms = sqlite3_column_int64(s, 1),
                                    .tick = tick > 0 ? (uint64_t)tick : 0,
                                    .object = text_of(s, 3),
                                    .body = text_of(s, 4),
                                    .client = r->is_poses ? "" : text_of(s, 5),
                                    .kind = FR_JOURNAL_POSE};
    bool is_known = r->is_poses || read_kind(text_of(s, 6), &r->record.kind);
    return is_known ? SQLITE_OK : SQLITE_MISMATCH;
}

static int open_rows(sqlite3 *db, const char *sql, bool is_poses, rows *out) {
    *out = (rows){.is_poses = is_poses};
    int code = sqlite3_prepare_v2(db, sql, -1, &out->statement, NULL);
    return code == SQLITE_OK ? next_row(out) : code;
}

static fr_status merge(sqlite3 *db, const char *path, rows *records, rows *poses, fr_journal_fn *take, void *context,
                       fr_error *error) {
    while (records->has_row || poses->has_row) {
        bool is_pose = !records->has_row || (poses->has_row && poses->record.number < records->record.number);
        rows *next = is_pose ? poses : records;
        fr_status status = take != NULL ? take(&next->record, context, error) : FR_OK;
        if (status != FR_OK) { return status; }
        int code = next_row(next);
        if (code == SQLITE_MISMATCH) {
            return refuse(FR_ERROR_CORRUPT, "it has a record of a kind that is not known", path, error);
        }
        if (code != SQLITE_OK) { return fr__database_fail(db, code, path, error); }
    }
    return FR_OK;
}

fr_status fr__database_read(sqlite3 *db, const char *path, fr_journal_fn *take, void *context, fr_error *error) {
    rows records = {0}, poses = {0};
    // Both tables as they are at one moment.
    int code = run(db, "BEGIN");
    if (code == SQLITE_OK) {
        code = open_rows(db, "SELECT number, time, tick, object, body, client, kind FROM record ORDER BY number", false,
                         &records);
    }
    if (code == SQLITE_OK) {
        code = open_rows(db, "SELECT number, time, tick, object, body FROM pose ORDER BY number", true, &poses);
    }
    fr_status status = FR_OK;
    if (code == SQLITE_MISMATCH) {
        status = refuse(FR_ERROR_CORRUPT, "it has a record of a kind that is not known", path, error);
    } else if (code != SQLITE_OK) {
        status = fr__database_fail(db, code, path, error);
    } else {
        status = merge(db, path, &records, &poses, take, context, error);
    }
    sqlite3_finalize(records.statement);
    sqlite3_finalize(poses.statement);
    (void)run(db, "ROLLBACK");
    return status;
}

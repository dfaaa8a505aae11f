// Writes records of a journal.
#include "server/journal_file_writer.h"

#include <string.h>

#define TRIM_RECORDS                                                                                                   \
    "DELETE FROM record WHERE number IN (SELECT number FROM record WHERE number < ? ORDER BY number LIMIT 512)"

static const char *const statement_texts[FR__WRITER_STATEMENTS] = {
    [FR__INSERT_RECORD] = "INSERT INTO record VALUES(?, ?, ?, ?, ?, ?, ?)",
    [FR__INSERT_POSE] = "INSERT OR REPLACE INTO pose VALUES(?, ?, ?, ?, ?)",
    [FR__DELETE_POSES] = "DELETE FROM pose",
    [FR__TRIM_RECORDS] = TRIM_RECORDS,
    [FR__BEGIN] = "BEGIN IMMEDIATE",
    [FR__COMMIT] = "COMMIT",
};

int fr__journal_writer_open(fr__journal_writer *writer, sqlite3 *db, uint32_t max_records) {
    *writer = (fr__journal_writer){.db = db, .max_records = max_records};
    int code = SQLITE_OK;
    for (int i = 0; i < FR__WRITER_STATEMENTS && code == SQLITE_OK; i++) {
        code = sqlite3_prepare_v3(db, statement_texts[i], -1, SQLITE_PREPARE_PERSISTENT, &writer->statements[i], NULL);
    }
    if (code == SQLITE_OK) { code = fr__database_number(db, "SELECT count(*) FROM record", &writer->records); }
    if (code == SQLITE_OK) {
        code = fr__database_number(db, "SELECT max(number) FROM record WHERE kind = 'worlds'", &writer->worlds_number);
    }
    return code;
}

void fr__journal_writer_close(fr__journal_writer *writer) {
    for (int i = 0; i < FR__WRITER_STATEMENTS; i++) {
        sqlite3_finalize(writer->statements[i]);
    }
    sqlite3_close(writer->db);
    *writer = (fr__journal_writer){0};
}

// ---------------------------------------------------------------------------------------------------------------
// Packed records: a head, and three texts with their zeros

typedef struct packed_head {
    uint64_t number, tick;
    int64_t time_ms;
    uint32_t kind;
    uint32_t bytes[3]; // of object, client and body, zeros included
} packed_head;

bool fr__journal_pack(fr_byte_array *bytes, const fr_journal_record *record) {
    const char *const texts[3] = {record->object, record->client, record->body};
    packed_head head = {
        .number = record->number, .tick = record->tick, .time_ms = record->time_ms, .kind = (uint32_t)record->kind};
    size_t size = sizeof head;
    for (int i = 0; i < 3; i++) {
        head.bytes[i] = (uint32_t)strlen(texts[i]) + 1;
        size += head.bytes[i];
    }
    unsigned char *at = fr_byte_array_push(bytes, size);
    if (at == NULL) { return false; }
    memcpy(at, &head, sizeof head);
    at += sizeof head;
    for (int i = 0; i < 3; i++) {
        memcpy(at, texts[i], head.bytes[i]);
        at += head.bytes[i];
    }
    return true;
}

bool fr__journal_unpack(const fr_byte_array *bytes, size_t *at, fr_journal_record *out) {
    packed_head head;
    if (*at >= bytes->count) { return false; }
    memcpy(&head, bytes->data + *at, sizeof head);
    const char *text = (const char *)bytes->data + *at + sizeof head;
    *out = (fr_journal_record){.number = head.number,
                               .time_ms = head.time_ms,
                               .tick = head.tick,
                               .kind = (fr_journal_kind)head.kind,
                               .object = text,
                               .client = text + head.bytes[0],
                               .body = text + head.bytes[0] + head.bytes[1]};
    *at += sizeof head + head.bytes[0] + head.bytes[1] + head.bytes[2];
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Committing

static int step(fr__journal_writer *writer, int which) {
    sqlite3_stmt *statement = writer->statements[which];
    int code = sqlite3_step(statement);
    int reset = sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : reset != SQLITE_OK ? reset : code;
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text) {
    sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

static int insert_pose(fr__journal_writer *writer, const fr_journal_record *record) {
    sqlite3_stmt *s = writer->statements[FR__INSERT_POSE];
    bind_text(s, 1, record->object);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)record->number);
    sqlite3_bind_int64(s, 3, record->time_ms);
    sqlite3_bind_int64(s, 4, (sqlite3_int64)record->tick);
    bind_text(s, 5, record->body);
    return step(writer, FR__INSERT_POSE);
}

// Where the worlds of all scenes follow, the records before the place where they did so last are not needed any more.
static void begin_worlds(fr__journal_writer *writer, const fr_journal_record *record) {
    if (writer->records > writer->max_records) { writer->trim_below = writer->worlds_number; }
    writer->worlds_number = (int64_t)record->number;
}

static int insert(fr__journal_writer *writer, const fr_journal_record *record) {
    if (record->kind == FR_JOURNAL_POSE) { return insert_pose(writer, record); }
    if (record->kind == FR_JOURNAL_WORLDS) { begin_worlds(writer, record); }
    // A scene makes the poses of before void: the world of the scene before was written whole.
    int code = record->kind == FR_JOURNAL_SCENE ? step(writer, FR__DELETE_POSES) : SQLITE_OK;
    if (code != SQLITE_OK) { return code; }
    sqlite3_stmt *s = writer->statements[FR__INSERT_RECORD];
    sqlite3_bind_int64(s, 1, (sqlite3_int64)record->number);
    sqlite3_bind_int64(s, 2, record->time_ms);
    sqlite3_bind_int64(s, 3, (sqlite3_int64)record->tick);
    bind_text(s, 4, fr_journal_kind_text(record->kind));
    bind_text(s, 5, record->object);
    bind_text(s, 6, record->client);
    bind_text(s, 7, record->body);
    writer->records++;
    return step(writer, FR__INSERT_RECORD);
}

static int trim(fr__journal_writer *writer) {
    if (writer->trim_below == 0) { return SQLITE_OK; }
    sqlite3_bind_int64(writer->statements[FR__TRIM_RECORDS], 1, writer->trim_below);
    int code = step(writer, FR__TRIM_RECORDS);
    if (code != SQLITE_OK) { return code; }
    writer->records -= sqlite3_changes(writer->db);
    if (sqlite3_changes(writer->db) == 0) { writer->trim_below = 0; }
    return SQLITE_OK;
}

int fr__journal_writer_commit(fr__journal_writer *writer, const fr_byte_array *bytes) {
    const fr__journal_writer before = *writer;
    fr_journal_record record;
    size_t at = 0;
    int code = step(writer, FR__BEGIN);
    while (code == SQLITE_OK && fr__journal_unpack(bytes, &at, &record)) {
        code = insert(writer, &record);
    }
    if (code == SQLITE_OK) { code = trim(writer); }
    if (code == SQLITE_OK) { code = step(writer, FR__COMMIT); }
    if (code == SQLITE_OK) { return SQLITE_OK; }
    if (sqlite3_get_autocommit(writer->db) == 0) { (void)sqlite3_exec(writer->db, "ROLLBACK", NULL, NULL, NULL); }
    *writer = before;
    return code;
}

// The index of a library in an SQLite file: what lists show, so that 10,000 files need not be read for them.
#include "fureai/library.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    SCHEMA_VERSION = 3,
    BUSY_MS = 200,
    TEXT_MAX = 1 << 18,   // bytes of a text of a row
    STEP_OPCODES = 10000, // between two looks at how long a statement takes
    STEPS_MAX = 2000,     // of them: a file made to take for ever is corrupt
    PATH_BYTES = 4096,
    MOTIONS_MAX = FR_CLASS_MAX_STATES * FR_CLASS_MAX_MOTIONS
};

typedef struct sqlite_index {
    fr_allocator allocator;
    int steps;
    char path[PATH_BYTES];
} sqlite_index;

static const char schema[] =
    "CREATE TABLE object(name TEXT PRIMARY KEY, kind INTEGER NOT NULL, shape TEXT NOT NULL, texture TEXT NOT NULL,"
    " info TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL, message TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE affordance(object TEXT NOT NULL, place INTEGER NOT NULL, motion TEXT NOT NULL, data TEXT NOT NULL,"
    " human_alg TEXT NOT NULL, object_alg TEXT NOT NULL, needs INTEGER NOT NULL, params TEXT NOT NULL,"
    " state TEXT NOT NULL, PRIMARY KEY(object, place)) WITHOUT ROWID;"
    "CREATE VIEW human_model AS SELECT name, shape, texture FROM object WHERE kind = 1;"
    "CREATE TABLE clip(object TEXT NOT NULL, path TEXT NOT NULL, name TEXT NOT NULL, class TEXT NOT NULL,"
    " dir REAL NOT NULL, face REAL NOT NULL, stride TEXT NOT NULL, \"join\" TEXT NOT NULL, fps REAL NOT NULL,"
    " frames INTEGER NOT NULL, length REAL NOT NULL, PRIMARY KEY(object, path)) WITHOUT ROWID;"
    "CREATE TABLE link(model TEXT NOT NULL, idx INTEGER NOT NULL, name TEXT NOT NULL, parent INTEGER,"
    " length REAL NOT NULL, mass REAL NOT NULL, ox REAL NOT NULL, oy REAL NOT NULL, oz REAL NOT NULL,"
    " qw REAL NOT NULL, qx REAL NOT NULL, qy REAL NOT NULL, qz REAL NOT NULL,"
    " PRIMARY KEY(model, idx)) WITHOUT ROWID;"
    "CREATE TABLE transition(object TEXT NOT NULL, place INTEGER NOT NULL, from_state TEXT NOT NULL,"
    " event TEXT, guard TEXT, to_state TEXT NOT NULL, action TEXT,"
    " PRIMARY KEY(object, place)) WITHOUT ROWID;"
    "PRAGMA user_version = 3;";

// ---------------------------------------------------------------------------------------------------------------
// Opening

static int count_steps(void *user) {
    sqlite_index *index = user;
    return ++index->steps > STEPS_MAX;
}

static fr_status status_of(int code) {
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return FR_ERROR_BUSY;
    case SQLITE_NOMEM: return FR_ERROR_MEMORY;
    default: return FR_ERROR_FILE;
    }
}

static fr_status fail(sqlite3 *db, int code, fr_error *error) {
    return fr_error_set(error, status_of(code), "the index: %s",
                        db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(code));
}

// Whether a file is no index of ours, so that it is made from scratch.
static bool is_wrong(int code) {
    int base = code & 0xff;
    return base == SQLITE_CORRUPT || base == SQLITE_NOTADB || base == SQLITE_ERROR || base == SQLITE_INTERRUPT ||
           base == SQLITE_TOOBIG || base == SQLITE_FORMAT || base == SQLITE_MISMATCH;
}

static void remove_files(const sqlite_index *index) {
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    char path[PATH_BYTES + 16];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(path, sizeof path, "%s%s", index->path, endings[i]);
        (void)unlink(path);
    }
}

static int number_of(sqlite3 *db, const char *sql, int *out) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        if (code == SQLITE_ROW) { *out = sqlite3_column_int(statement, 0); }
        if (code == SQLITE_ROW || code == SQLITE_DONE) { code = SQLITE_OK; }
    }
    sqlite3_finalize(statement);
    return code;
}

// Opens the file and makes the tables of a new one. SQLITE_NOTADB for one of another version.
static int open_once(sqlite_index *index, sqlite3 **db) {
    int version = 0;
    int code = sqlite3_open_v2(index->path, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code != SQLITE_OK) { return code; }
    sqlite3_busy_timeout(*db, BUSY_MS);
    sqlite3_limit(*db, SQLITE_LIMIT_LENGTH, TEXT_MAX * 4);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    index->steps = 0;
    sqlite3_progress_handler(*db, STEP_OPCODES, count_steps, index);
    code = sqlite3_exec(*db, "PRAGMA trusted_schema = OFF; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;",
                        NULL, NULL, NULL);
    if (code == SQLITE_OK) { code = number_of(*db, "PRAGMA user_version", &version); }
    if (code != SQLITE_OK || version == SCHEMA_VERSION) { return code; }
    int tables = 0;
    code = number_of(*db, "SELECT count(*) FROM sqlite_master", &tables);
    if (code != SQLITE_OK) { return code; }
    if (version != 0 || tables != 0) { return SQLITE_NOTADB; }
    code = sqlite3_exec(*db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK) { code = sqlite3_exec(*db, schema, NULL, NULL, NULL); }
    if (code == SQLITE_OK) { code = sqlite3_exec(*db, "COMMIT", NULL, NULL, NULL); }
    return code;
}

static int open_index(sqlite_index *index, sqlite3 **db) {
    int code = open_once(index, db);
    if (!is_wrong(code)) { return code; }
    sqlite3_close(*db);
    *db = NULL;
    remove_files(index);
    return open_once(index, db);
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

// A text of a row: "" for none. NULL for one that is too long.
static const char *text_of(sqlite3_stmt *row, int column) {
    const unsigned char *text = sqlite3_column_text(row, column);
    return text == NULL ? "" : sqlite3_column_bytes(row, column) <= TEXT_MAX ? (const char *)text : NULL;
}

// The rows of both tables in the order of names: the motions of a class follow it.
static const char select_objects[] =
    "SELECT name, kind, shape, texture, info, size, mtime, message FROM object ORDER BY name";
static const char select_motions[] = "SELECT object, motion, data, human_alg, object_alg, needs, params, state FROM"
                                     " affordance ORDER BY object, place";

FR_ARRAY_TYPE(motion_array, fr_library_motion);

// Motions of one class, whose texts are copied as the row changes.
typedef struct reading {
    sqlite3_stmt *objects, *motions;
    bool has_motion; // `motions` stands at a row
    motion_array list;
    fr_arena *texts;
} reading;

static const char *copy_text(reading *r, sqlite3_stmt *row, int column) {
    const char *text = text_of(row, column);
    if (text != NULL && text[0] == '\0') { return ""; }
    size_t bytes = text != NULL ? strlen(text) + 1 : 0;
    char *copy = text != NULL ? fr_arena_alloc(r->texts, bytes, 1, 1) : NULL;
    if (copy != NULL) { memcpy(copy, text, bytes); }
    return copy;
}

static int step_motion(reading *r) {
    int code = sqlite3_step(r->motions);
    r->has_motion = code == SQLITE_ROW;
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

// Collects the motions of the class `name`; those of classes that are not there are passed over.
static int read_motions(reading *r, const char *name) {
    r->list.count = 0;
    fr_arena_reset(r->texts);
    int code = SQLITE_OK;
    while (code == SQLITE_OK && r->has_motion) {
        const char *object = text_of(r->motions, 0);
        int order = object != NULL ? strcmp(object, name) : -1;
        if (order > 0) { break; }
        if (order == 0) {
            if (r->list.count >= MOTIONS_MAX) { return SQLITE_CORRUPT; }
            fr_library_motion *m = motion_array_push(&r->list, 1);
            if (m == NULL) { return SQLITE_NOMEM; }
            *m = (fr_library_motion){.state = copy_text(r, r->motions, 7),
                                     .name = copy_text(r, r->motions, 1),
                                     .human = copy_text(r, r->motions, 3),
                                     .object = copy_text(r, r->motions, 4),
                                     .data = copy_text(r, r->motions, 2),
                                     .parameters = copy_text(r, r->motions, 6),
                                     .fields = (uint32_t)sqlite3_column_int64(r->motions, 5)};
            if (m->state == NULL || m->name == NULL || m->human == NULL || m->object == NULL || m->data == NULL ||
                m->parameters == NULL) {
                return SQLITE_NOMEM;
            }
        }
        code = step_motion(r);
    }
    return code;
}

static int read_rows(reading *r, fr_library_entry_fn *take, void *context) {
    int code = step_motion(r);
    while (code == SQLITE_OK && (code = sqlite3_step(r->objects)) == SQLITE_ROW) {
        fr_library_entry entry = {.place = {.name = text_of(r->objects, 0)},
                                  .shapes = text_of(r->objects, 2),
                                  .textures = text_of(r->objects, 3),
                                  .title = text_of(r->objects, 4),
                                  .message = text_of(r->objects, 7)};
        if (entry.place.name == NULL || !fr_class_name_is_right(entry.place.name) || entry.shapes == NULL ||
            entry.textures == NULL || entry.title == NULL || entry.message == NULL) {
            return SQLITE_CORRUPT;
        }
        entry.place.kind = sqlite3_column_int(r->objects, 1) == 0 ? FR_CLASS_OBJECT : FR_CLASS_PERSON;
        entry.place.size = (uint64_t)sqlite3_column_int64(r->objects, 5);
        entry.place.time = sqlite3_column_int64(r->objects, 6);
        code = read_motions(r, entry.place.name);
        if (code != SQLITE_OK) { return code; }
        entry.motions = r->list.data;
        entry.motion_count = (uint32_t)r->list.count;
        if (!take(&entry, context)) { return SQLITE_OK; }
    }
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static fr_status read_index(fr_library_entry_fn *take, void *context, void *user, fr_error *error) {
    sqlite_index *index = user;
    sqlite3 *db = NULL;
    reading r = {.list = motion_array_make(&index->allocator)};
    if (fr_arena_create(0, &index->allocator, &r.texts, error) != FR_OK) { return FR_ERROR_MEMORY; }
    int code = open_index(index, &db);
    if (code == SQLITE_OK) { code = sqlite3_prepare_v2(db, select_objects, -1, &r.objects, NULL); }
    if (code == SQLITE_OK) { code = sqlite3_prepare_v2(db, select_motions, -1, &r.motions, NULL); }
    if (code == SQLITE_OK) { code = read_rows(&r, take, context); }
    fr_status status = code == SQLITE_OK ? FR_OK : fail(db, code, error);
    sqlite3_finalize(r.objects);
    sqlite3_finalize(r.motions);
    sqlite3_close(db);
    motion_array_destroy(&r.list);
    fr_arena_destroy(r.texts);
    if (is_wrong(code)) { remove_files(index); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

static const char insert_object[] = "INSERT OR REPLACE INTO object VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
static const char insert_motion[] = "INSERT OR REPLACE INTO affordance VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char insert_clip[] = "INSERT OR REPLACE INTO clip VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char insert_link[] = "INSERT OR REPLACE INTO link VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char insert_transition[] = "INSERT OR REPLACE INTO transition VALUES(?, ?, ?, ?, ?, ?, ?)";
static const char delete_object[] = "DELETE FROM object WHERE name = ?";
static const char delete_motions[] = "DELETE FROM affordance WHERE object = ?";
static const char delete_clips[] = "DELETE FROM clip WHERE object = ?";
static const char delete_links[] = "DELETE FROM link WHERE model = ?";
static const char delete_transitions[] = "DELETE FROM transition WHERE object = ?";

// Those that delete what belongs to a class begin at DELETE_MOTIONS.
enum {
    INSERT_OBJECT,
    INSERT_MOTION,
    INSERT_CLIP,
    INSERT_LINK,
    INSERT_TRANSITION,
    DELETE_OBJECT,
    DELETE_MOTIONS,
    DELETE_CLIPS,
    DELETE_LINKS,
    DELETE_TRANSITIONS,
    STATEMENTS
};

static int run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    int reset = sqlite3_reset(statement);
    return code == SQLITE_DONE ? SQLITE_OK : reset != SQLITE_OK ? reset : code;
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text) {
    sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

// NULL where there is none: no text of nothing is JSON.
static void bind_json(sqlite3_stmt *statement, int at, const char *text) {
    sqlite3_bind_text(statement, at, text[0] != '\0' ? text : NULL, -1, SQLITE_STATIC);
}

// Rows of a class, from those of a table on.
static int remove_rows(sqlite3_stmt *const *statements, int from, const char *name) {
    int code = SQLITE_OK;
    for (int i = from; i < STATEMENTS && code == SQLITE_OK; i++) {
        bind_text(statements[i], 1, name);
        code = run(statements[i]);
    }
    return code;
}

static int write_motions(sqlite3_stmt *statement, const fr_library_entry *entry) {
    int code = SQLITE_OK;
    for (uint32_t i = 0; i < entry->motion_count && code == SQLITE_OK; i++) {
        const fr_library_motion *m = &entry->motions[i];
        bind_text(statement, 1, entry->place.name);
        sqlite3_bind_int64(statement, 2, i);
        bind_text(statement, 3, m->name);
        bind_text(statement, 4, m->data);
        bind_text(statement, 5, m->human);
        bind_text(statement, 6, m->object);
        sqlite3_bind_int64(statement, 7, m->fields);
        bind_text(statement, 8, m->parameters);
        bind_text(statement, 9, m->state);
        code = run(statement);
    }
    return code;
}

static int write_clips(sqlite3_stmt *statement, const char *object, const fr_library_detail *detail) {
    static const char *const classes[FR_CLIP_CLASS_COUNT] = {
        [FR_CLIP_MOCAP] = "mocap",          [FR_CLIP_ONE_STEP] = "1step", [FR_CLIP_TWO_STEPS] = "2step",
        [FR_CLIP_START] = "start",          [FR_CLIP_END] = "end",        [FR_CLIP_STRAIGHT] = "straight",
        [FR_CLIP_WRIST_PATH] = "wristpath", [FR_CLIP_POSE] = "pose"};
    static const char *const strides[] = {"-", "normal", "small"}, *const feet[] = {"-", "left", "right"};
    int code = SQLITE_OK;
    for (uint32_t i = 0; i < detail->clip_count && code == SQLITE_OK; i++) {
        const fr_library_clip *clip = &detail->clips[i];
        bind_text(statement, 1, object);
        bind_text(statement, 2, clip->path);
        bind_text(statement, 3, clip->name);
        bind_text(statement, 4, classes[clip->clip_class]);
        sqlite3_bind_double(statement, 5, fr_degrees(clip->direction));
        sqlite3_bind_double(statement, 6, fr_degrees(clip->facing));
        bind_text(statement, 7, strides[clip->stride]);
        bind_text(statement, 8, feet[clip->last_foot]);
        sqlite3_bind_double(statement, 9, clip->frame_rate);
        sqlite3_bind_int64(statement, 10, clip->frame_count);
        sqlite3_bind_double(statement, 11, clip->length);
        code = run(statement);
    }
    return code;
}

static int write_links(sqlite3_stmt *statement, const char *model, const fr_library_detail *detail) {
    int code = SQLITE_OK;
    for (uint32_t i = 0; i < detail->link_count && code == SQLITE_OK; i++) {
        const fr_library_link *link = &detail->links[i];
        const double numbers[9] = {link->length, link->mass,   link->offset.x, link->offset.y, link->offset.z,
                                   link->rest.w, link->rest.x, link->rest.y,   link->rest.z};
        bind_text(statement, 1, model);
        sqlite3_bind_int64(statement, 2, i);
        bind_text(statement, 3, link->name);
        sqlite3_bind_null(statement, 4);
        if (link->parent != FR_NO_LINK) { sqlite3_bind_int64(statement, 4, link->parent); }
        for (int k = 0; k < 9; k++) {
            sqlite3_bind_double(statement, 5 + k, numbers[k]);
        }
        code = run(statement);
    }
    return code;
}

static int write_transitions(sqlite3_stmt *statement, const char *object, const fr_library_detail *detail) {
    int code = SQLITE_OK;
    for (uint32_t i = 0; i < detail->transition_count && code == SQLITE_OK; i++) {
        const fr_library_transition *t = &detail->transitions[i];
        bind_text(statement, 1, object);
        sqlite3_bind_int64(statement, 2, i);
        bind_text(statement, 3, t->from);
        bind_json(statement, 4, t->event);
        bind_json(statement, 5, t->guard);
        bind_text(statement, 6, t->to);
        bind_json(statement, 7, t->action);
        code = run(statement);
    }
    return code;
}

static int write_entry(sqlite3_stmt *const *statements, const fr_library_entry *entry,
                       const fr_library_detail *detail) {
    sqlite3_stmt *statement = statements[INSERT_OBJECT];
    int code = remove_rows(statements, DELETE_MOTIONS, entry->place.name);
    if (code != SQLITE_OK) { return code; }
    bind_text(statement, 1, entry->place.name);
    sqlite3_bind_int(statement, 2, (int)entry->place.kind);
    bind_text(statement, 3, entry->shapes);
    bind_text(statement, 4, entry->textures);
    bind_text(statement, 5, entry->title);
    sqlite3_bind_int64(statement, 6, (sqlite3_int64)entry->place.size);
    sqlite3_bind_int64(statement, 7, entry->place.time);
    bind_text(statement, 8, entry->message);
    code = run(statement);
    if (code == SQLITE_OK) { code = write_motions(statements[INSERT_MOTION], entry); }
    if (code == SQLITE_OK) { code = write_clips(statements[INSERT_CLIP], entry->place.name, detail); }
    if (code == SQLITE_OK) { code = write_links(statements[INSERT_LINK], entry->place.name, detail); }
    return code == SQLITE_OK ? write_transitions(statements[INSERT_TRANSITION], entry->place.name, detail) : code;
}

static int write_rows(sqlite3 *db, const fr_library_change *change) {
    static const char *const texts[STATEMENTS] = {[INSERT_OBJECT] = insert_object,
                                                  [INSERT_MOTION] = insert_motion,
                                                  [INSERT_CLIP] = insert_clip,
                                                  [INSERT_LINK] = insert_link,
                                                  [DELETE_OBJECT] = delete_object,
                                                  [DELETE_MOTIONS] = delete_motions,
                                                  [DELETE_CLIPS] = delete_clips,
                                                  [DELETE_LINKS] = delete_links,
                                                  [INSERT_TRANSITION] = insert_transition,
                                                  [DELETE_TRANSITIONS] = delete_transitions};
    sqlite3_stmt *statements[STATEMENTS] = {0};
    int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (int i = 0; i < STATEMENTS && code == SQLITE_OK; i++) {
        code = sqlite3_prepare_v2(db, texts[i], -1, &statements[i], NULL);
    }
    for (size_t i = 0; i < change->gone_count && code == SQLITE_OK; i++) {
        code = remove_rows(statements, DELETE_OBJECT, change->gone[i]);
    }
    for (size_t i = 0; i < change->changed_count && code == SQLITE_OK; i++) {
        code = write_entry(statements, change->changed[i], &change->details[i]);
    }
    for (int i = 0; i < STATEMENTS; i++) {
        sqlite3_finalize(statements[i]);
    }
    if (code == SQLITE_OK) { return sqlite3_exec(db, "COMMIT", NULL, NULL, NULL); }
    return code;
}

static fr_status write_index(const fr_library_change *change, void *user, fr_error *error) {
    sqlite_index *index = user;
    sqlite3 *db = NULL;
    int code = open_index(index, &db);
    // Writing takes as long as there is to write.
    if (code == SQLITE_OK) { sqlite3_progress_handler(db, 0, NULL, NULL); }
    if (code == SQLITE_OK) { code = write_rows(db, change); }
    fr_status status = code == SQLITE_OK ? FR_OK : fail(db, code, error);
    if (code != SQLITE_OK && db != NULL) { (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL); }
    sqlite3_close(db);
    if (is_wrong(code)) { remove_files(index); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The table

static void close_index(void *user) {
    sqlite_index *index = user;
    fr_allocator allocator = index->allocator;
    fr_deallocate(&allocator, index, 1, sizeof *index);
}

fr_status fr_library_sqlite_index(const char *path, const fr_allocator *allocator, fr_library_index *out,
                                  fr_error *error) {
    FR_ASSERT(path != NULL && out != NULL);
    *out = (fr_library_index){0};
    if (strlen(path) >= PATH_BYTES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the path of the index has more than %d bytes", PATH_BYTES - 1);
    }
    fr_allocator mine = fr_allocator_or_default(allocator);
    sqlite_index *index = fr_allocate(&mine, 1, sizeof *index, _Alignof(sqlite_index));
    if (index == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an index"); }
    *index = (sqlite_index){.allocator = mine};
    memcpy(index->path, path, strlen(path) + 1);
    *out = (fr_library_index){read_index, write_index, close_index, index};
    return FR_OK;
}

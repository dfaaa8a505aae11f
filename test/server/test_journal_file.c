// A journal in an SQLite file: what is flushed is there, whatever happens to the process, the file or the disk.
#include "failing.h"
#include "failing_vfs.h"
#include "journal_files.h"

#include "fureai/file.h"

#include <signal.h>
#include <sys/resource.h>

static char path[JOURNAL_PATH_BYTES], copy[JOURNAL_PATH_BYTES], wal[JOURNAL_PATH_BYTES + 8];

static journal_count count_of(const char *file) {
    journal_count count = {0};
    fr_error error = {0};
    if (fr_journal_file_read(file, count_record, &count, &error) != FR_OK) { fail_msg("not read: %s", error.message); }
    return count;
}

static fr_status check(const char *file, fr_journal_report *report, fr_error *error) {
    *error = (fr_error){0};
    return fr_journal_file_check(file, NULL, NULL, report, error);
}

// Makes a journal of so many records, closed.
static void make(const char *file, uint64_t records) {
    journal_remove(file);
    fr_journal_file *made = journal_open(file);
    for (uint64_t i = 1; i <= records; i++) {
        assert_int_equal(journal_append(made, i), FR_OK);
    }
    fr_journal_file_destroy(made);
}

// Tries to open a file, which must be refused with a status and a sentence, and stay as it is.
static void expect_refused(const char *file, fr_status expected, const char *sentence) {
    file_bytes before = file_read(file);
    fr_journal_file_def def = fr_default_journal_file_def();
    def.path = file;
    fr_journal_file *opened;
    fr_error error = {0};
    fr_status status = fr_journal_file_create(&def, &opened, &error);
    if (status != expected || strstr(error.message, sentence) == NULL) {
        fail_msg("%s: %s: %s", file, fr_status_name(status), error.message);
    }
    assert_null(opened);
    assert_string_equal(error.path, file);
    file_bytes after = file_read(file);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.data, after.data, before.size);
    free(before.data);
    free(after.data);
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void wrong_definitions_are_refused(void **state) {
    (void)state;
    fr_journal_file_def def = {.path = path};
    fr_journal_file *file;
    fr_error error = {0};
    assert_int_equal(fr_journal_file_create(&def, &file, &error), FR_ERROR_ARGUMENT);
    def = fr_default_journal_file_def();
    assert_int_equal(fr_journal_file_create(&def, &file, &error), FR_ERROR_ARGUMENT);
    def.path = path;
    def.max_records = 999;
    assert_int_equal(fr_journal_file_create(&def, &file, &error), FR_ERROR_ARGUMENT);
    assert_null(file);
}

static void files_of_others_are_refused_and_kept(void **state) {
    (void)state;
    static const struct {
        const char *text;
        fr_status status;
        const char *sentence;
    } others[] = {
        {"hello", FR_ERROR_SYNTAX, "neither a journal nor a store"},
        {"{ \"fureai\": 2, \"scene\": \"a\", \"tick\": 0, \"objects\": [] }", FR_ERROR_VERSION, "version 2"},
        {"{ \"fureai\": 1,\n", FR_ERROR_SYNTAX, ""},
        {"SQLite format 3", FR_ERROR_SYNTAX, "neither"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        journal_remove(path);
        file_write(path, others[i].text, strlen(others[i].text));
        expect_refused(path, others[i].status, others[i].sentence);
    }
    static const struct {
        const char *sql;
        fr_status status;
        const char *sentence;
    } databases[] = {
        {"CREATE TABLE t(a)", FR_ERROR_SYNTAX, "no journal"},
        {"CREATE TABLE record(a); PRAGMA application_id = 1179805233; PRAGMA user_version = 1", FR_ERROR_CORRUPT,
         "tables"},
        {"PRAGMA application_id = 1179805233; PRAGMA user_version = 7", FR_ERROR_VERSION, "version 7"},
    };
    for (size_t i = 0; i < sizeof databases / sizeof databases[0]; i++) {
        journal_remove(path);
        sqlite3 *db;
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, databases[i].sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        expect_refused(path, databases[i].status, databases[i].sentence);
        fr_error error = {0};
        assert_int_equal(fr_journal_file_read(path, NULL, NULL, &error), databases[i].status);
    }
    journal_remove(path);
    fr_error error = {0};
    assert_int_equal(fr_journal_file_read(path, NULL, NULL, &error), FR_ERROR_FILE);
    assert_int_equal(access(path, F_OK), -1);
}

static void a_journal_with_more_than_its_tables_is_refused(void **state) {
    (void)state;
    make(path, 3);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM record; END", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    expect_refused(path, FR_ERROR_CORRUPT, "tables");
    journal_remove(path);
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void records_come_back_as_they_were(void **state) {
    (void)state;
    journal_remove(path);
    fr_journal_file *file = journal_open(path);
    fr_journal journal = fr_journal_file_table(file);
    const fr_journal_record records[] = {
        scene_record(1),
        {2, 5000, 7, FR_JOURNAL_STATE, "Tür \"1\"", "Änne", "{\"name\":\"open\",\"value\":0.1}"},
        {3, 6000, 8, FR_JOURNAL_POSE, "cup", "",
         "{\"name\":\"cup\",\"position\":[1,2,3],\"rotation\":[1,0,0,0],\"scale\":1}"},
        {4, 6000, 8, FR_JOURNAL_POSE, "cup", "",
         "{\"name\":\"cup\",\"position\":[4,2,3],\"rotation\":[1,0,0,0],\"scale\":1}"},
    };
    fr_error error = {0};
    uint64_t flushed = 0;
    assert_int_equal(journal.append(records, 4, journal.user, &error), FR_OK);
    assert_int_equal(journal.flushed(true, &flushed, journal.user, &error), FR_OK);
    assert_int_equal(flushed, 4);
    // Of poses the last one of each object.
    journal_count count = {0};
    assert_int_equal(journal.read(count_record, &count, journal.user, &error), FR_OK);
    assert_int_equal(count.records, 3);
    assert_int_equal(count.kinds[FR_JOURNAL_POSE], 1);
    assert_int_equal(count.last, 4);
    fr_journal_file_destroy(file);
    fr_journal_report report;
    assert_int_equal(check(path, &report, &error), FR_OK);
    assert_string_equal(report.scene, "pair");
    assert_int_equal(report.objects, 2);
    assert_int_equal(report.states, 1);
    assert_int_equal(report.tick, 8);
    journal_remove(path);
}

static void a_second_server_is_refused(void **state) {
    (void)state;
    journal_remove(path);
    fr_journal_file *file = journal_open(path);
    fr_journal_file_def def = fr_default_journal_file_def();
    def.path = path;
    fr_journal_file *second;
    fr_error error = {0};
    assert_int_equal(fr_journal_file_create(&def, &second, &error), FR_ERROR_BUSY);
    assert_string_equal(error.path, path);
    assert_int_equal(journal_append(file, 1), FR_OK);
    uint64_t removed;
    assert_int_equal(fr_journal_file_cut(path, 0, NULL, &removed, &error), FR_ERROR_BUSY);
    // It can be read all the same.
    assert_int_equal(count_of(path).records, 1);
    fr_journal_file_destroy(file);
    journal_remove(path);
}

static void a_store_becomes_a_journal_and_is_kept(void **state) {
    (void)state;
    static const char store[] = "{ \"fureai\": 1, \"scene\": \"room\", \"tick\": 1200, \"objects\": [ { \"name\": "
                                "\"cup\", \"position\": [0.5, 0.8, 0],"
                                " \"rotation\": [1, 0, 0, 0], \"scale\": 1, \"placed\": true, \"states\": [{ \"name\": "
                                "\"full\", \"value\": 1 }] } ] }";
    journal_remove(path);
    file_write(path, store, sizeof store - 1);
    fr_journal_file_destroy(journal_open(path));
    fr_journal_report report;
    fr_error error;
    assert_int_equal(check(path, &report, &error), FR_OK);
    assert_string_equal(report.scene, "room");
    assert_int_equal(report.tick, 1200);
    assert_int_equal(report.objects, 1);
    assert_int_equal(report.states, 1);
    char kept[JOURNAL_PATH_BYTES + 8];
    snprintf(kept, sizeof kept, "%s.store", path);
    file_bytes bytes = file_read(kept);
    assert_int_equal(bytes.size, sizeof store - 1);
    assert_memory_equal(bytes.data, store, bytes.size);
    free(bytes.data);
    // Once it is a journal it stays one.
    fr_journal_file_destroy(journal_open(path));
    assert_int_equal(count_of(path).records, 2);
    journal_remove(path);
}

// A link stays a link, and the journal is where it leads.
static void a_store_behind_a_link_becomes_a_journal_there(void **state) {
    (void)state;
    static const char store[] = "{ \"fureai\": 1, \"scene\": \"room\", \"tick\": 0, \"objects\": [] }";
    journal_remove(path);
    journal_remove(copy);
    file_write(path, store, sizeof store - 1);
    assert_int_equal(symlink(path, copy), 0);
    fr_journal_file_destroy(journal_open(copy));
    struct stat about;
    assert_int_equal(lstat(copy, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(count_of(path).records, 1);
    journal_remove(copy);
    journal_remove(path);
}

static void a_journal_is_cut_at_a_time(void **state) {
    (void)state;
    make(path, 10);
    uint64_t removed;
    fr_error error = {0};
    assert_int_equal(fr_journal_file_cut(path, 500, NULL, &removed, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_journal_file_cut(path, 6500, NULL, &removed, &error), FR_OK);
    assert_int_equal(removed, 4);
    assert_int_equal(count_of(path).last, 6);
    char before[JOURNAL_PATH_BYTES + 8];
    snprintf(before, sizeof before, "%s.before", path);
    assert_int_equal(count_of(before).last, 10);
    fr_journal_report report;
    assert_int_equal(check(path, &report, &error), FR_OK);
    assert_int_equal(report.last_ms, 6000);
    // The next server goes on from there.
    fr_journal_file *file = journal_open(path);
    assert_int_equal(journal_append(file, 7), FR_OK);
    fr_journal_file_destroy(file);
    assert_int_equal(count_of(path).records, 7);
    journal_remove(path);
}

// Old records go once the world was written whole twice since; what is left makes the same world.
static void old_records_go(void **state) {
    (void)state;
    journal_remove(path);
    fr_journal_file_def def = fr_default_journal_file_def();
    def.path = path;
    def.max_records = 1000;
    fr_journal_file *file;
    assert_int_equal(fr_journal_file_create(&def, &file, NULL), FR_OK);
    fr_journal journal = fr_journal_file_table(file);
    uint64_t flushed;
    for (uint64_t i = 1; i <= 6000; i++) {
        char body[64];
        fr_journal_record record = i % 700 == 2 ? scene_record(i) : state_record(i, body);
        if (i % 700 == 1) {
            record.kind = FR_JOURNAL_WORLDS;
            record.object = record.client = "";
            record.body = "{}";
        }
        assert_int_equal(journal.append(&record, 1, journal.user, NULL), FR_OK);
    }
    assert_int_equal(journal.flushed(true, &flushed, journal.user, NULL), FR_OK);
    fr_journal_file_destroy(file);
    journal_count count = count_of(path);
    assert_true(count.records < 2200 && count.records >= 1000);
    assert_int_equal(count.last, 6000);
    fr_journal_report report;
    fr_error error;
    assert_int_equal(check(path, &report, &error), FR_OK);
    assert_int_equal(report.states, 1);
    journal_remove(path);
}

// ---------------------------------------------------------------------------------------------------------------
// Files that were cut

// The log of a journal that was not closed, cut at every byte: it opens, and holds the first records of those that were
// written, one after another.
static void a_log_cut_at_any_byte_opens(void **state) {
    (void)state;
    enum { RECORDS = 12 };
    journal_remove(path);
    fr_journal_file *file = journal_open(path);
    for (uint64_t i = 1; i <= RECORDS; i++) {
        assert_int_equal(journal_append(file, i), FR_OK);
    }
    journal_copy(path, copy);
    fr_journal_file_destroy(file);
    file_bytes whole = file_read(copy);
    snprintf(wal, sizeof wal, "%s-wal", copy);
    file_bytes log = file_read(wal);
    assert_true(log.size > 4096 * RECORDS);
    uint64_t step = test_is_long() ? 1 : 97, before = 0;
    for (size_t size = 0; size <= log.size;
         size += size + step > log.size && size < log.size ? log.size - size : step) {
        journal_remove(copy);
        file_write(copy, whole.data, whole.size);
        file_write(wal, log.data, size);
        fr_journal_file *opened = journal_open(copy);
        journal_count count = {0};
        fr_journal journal = fr_journal_file_table(opened);
        assert_int_equal(journal.read(count_record, &count, journal.user, NULL), FR_OK);
        assert_true(count.records == count.last && count.records >= before);
        before = count.records;
        // It goes on: what is written now is kept.
        if (size % (97 * 31) == 0 && count.last > 0) {
            assert_int_equal(journal_append(opened, count.last + 1), FR_OK);
        }
        fr_journal_file_destroy(opened);
        if (size == log.size) { break; }
    }
    assert_int_equal(before, RECORDS);
    free(whole.data);
    free(log.data);
    journal_remove(path);
    journal_remove(copy);
}

// A journal whose last page was cut: refused with a sentence, and left as it is.
static void a_last_page_cut_at_any_byte_is_refused(void **state) {
    (void)state;
    make(path, 200);
    file_bytes whole = file_read(path);
    assert_true(whole.size >= 3 * 4096 && whole.size % 4096 == 0);
    size_t step = test_is_long() ? 1 : 61;
    for (size_t size = whole.size - 4096; size < whole.size; size += step) {
        file_write(path, whole.data, size);
        fr_journal_file_def def = fr_default_journal_file_def();
        def.path = path;
        fr_journal_file *opened = NULL;
        fr_error error = {0};
        fr_status status = fr_journal_file_create(&def, &opened, &error);
        assert_null(opened);
        assert_int_equal(status, FR_ERROR_CORRUPT);
        assert_true(error.message[0] != '\0' && strcmp(error.path, path) == 0);
        file_bytes after = file_read(path);
        assert_int_equal(after.size, size);
        assert_memory_equal(after.data, whole.data, size);
        free(after.data);
        fr_journal_report report;
        assert_int_equal(check(path, &report, &error), FR_ERROR_CORRUPT);
    }
    free(whole.data);
    journal_remove(path);
}

// Bytes changed at random: it is refused, or opened and checked; nothing else happens.
static void changed_bytes_are_survived(void **state) {
    (void)state;
    make(path, 100);
    file_bytes whole = file_read(path);
    fr_random random = fr_random_seed(7);
    uint64_t refused = 0, count = test_count(200, 20000);
    for (uint64_t i = 0; i < count; i++) {
        file_bytes changed = {malloc(whole.size), whole.size};
        memcpy(changed.data, whole.data, whole.size);
        for (uint64_t k = 0; k <= i % 8; k++) {
            changed.data[fr_random_below(&random, whole.size)] = (char)fr_random_below(&random, 256);
        }
        journal_remove(copy);
        file_write(copy, changed.data, changed.size);
        fr_journal_report report;
        fr_error error;
        refused += check(copy, &report, &error) != FR_OK;
        free(changed.data);
    }
    assert_true(refused > count / 4);
    free(whole.data);
    journal_remove(path);
    journal_remove(copy);
}

// ---------------------------------------------------------------------------------------------------------------
// Disks that fail

// Each write and each synchronisation fails in turn: what was flushed before is there, and what comes with the
// worlds of all scenes after it.
static void every_operation_of_the_disk_may_fail(void **state) {
    (void)state;
    static const struct {
        vfs_op op;
        int code;
    } faults[] = {{VFS_WRITE, SQLITE_FULL},
                  {VFS_WRITE, SQLITE_IOERR_WRITE},
                  {VFS_WRITE, SQLITE_READONLY},
                  {VFS_SYNC, SQLITE_IOERR_FSYNC}};
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        for (int nth = 1; nth <= (faults[f].op == VFS_SYNC ? 5 : 12); nth++) {
            failing_vfs_begin();
            journal_remove(path);
            fr_journal_file *file = journal_open(path);
            fr_journal journal = fr_journal_file_table(file);
            assert_int_equal(journal_append(file, 1), FR_OK);
            failing_vfs_fail(faults[f].op, nth, faults[f].code, true);
            uint64_t number = 2;
            while (number < 100 && journal_append(file, number) == FR_OK) {
                number++;
            }
            assert_true(number < 100);
            uint64_t flushed = 0;
            fr_error error = {0};
            assert_int_equal(journal.flushed(true, &flushed, journal.user, &error), FR_ERROR_FILE);
            assert_int_equal(flushed, number - 1);
            assert_string_equal(error.path, path);
            // Nothing is taken that does not begin with the worlds of all scenes: what was lost may be of another one.
            failing_vfs_mend();
            assert_int_equal(journal_append(file, number + 1), FR_ERROR_FILE);
            fr_journal_record scenes[2] = {scene_record(number + 2), scene_record(number + 3)};
            assert_int_equal(journal.append(scenes, 1, journal.user, &error), FR_ERROR_FILE);
            scenes[0].kind = FR_JOURNAL_WORLDS;
            scenes[0].body = "{}";
            assert_int_equal(journal.append(scenes, 2, journal.user, &error), FR_OK);
            assert_int_equal(journal.flushed(true, &flushed, journal.user, &error), FR_OK);
            assert_int_equal(flushed, number + 3);
            fr_journal_file_destroy(file);
            journal_count count = count_of(path);
            assert_true(count.records >= number && count.last == number + 3);
            fr_journal_report report;
            assert_int_equal(check(path, &report, &error), FR_OK);
        }
    }
    journal_remove(path);
}

// A process whose files may not grow: the disk is full for it.
static void a_full_disk_is_a_sentence(void **state) {
    (void)state;
    journal_remove(path);
    fr_journal_file *file = journal_open(path);
    fr_journal journal = fr_journal_file_table(file);
    assert_int_equal(journal_append(file, 1), FR_OK);
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 65536;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    uint64_t number = 2, flushed = 0;
    while (number < 1000 && journal_append(file, number) == FR_OK) {
        number++;
    }
    fr_error error = {0};
    fr_status status = journal.flushed(true, &flushed, journal.user, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, FR_ERROR_FILE);
    assert_true(strlen(error.message) > 10);
    assert_true(number > 3 && number < 1000 && flushed == number - 1);
    assert_int_equal(count_of(path).last, flushed);
    fr_journal_file_destroy(file);
    assert_int_equal(count_of(path).last, flushed);
    journal_remove(path);
}

// A folder that cannot be written, which root can: so a disk whose every write fails.
static void a_disk_that_cannot_be_written_is_refused(void **state) {
    (void)state;
    journal_remove(path);
    failing_vfs_begin();
    failing_vfs_fail(VFS_WRITE, 1, SQLITE_READONLY, true);
    fr_journal_file_def def = fr_default_journal_file_def();
    def.path = path;
    fr_journal_file *file;
    fr_error error = {0};
    fr_status status = fr_journal_file_create(&def, &file, &error);
    failing_vfs_mend();
    assert_int_equal(status, FR_ERROR_FILE);
    assert_string_equal(error.path, path);
    journal_remove(path);
    def.path = "/proc/fureai/room.journal";
    assert_int_equal(fr_journal_file_create(&def, &file, &error), FR_ERROR_FILE);
}

// ---------------------------------------------------------------------------------------------------------------
// Threads and memory

static void *append_many(fr_journal_file *file, uint64_t count) {
    fr_journal journal = fr_journal_file_table(file);
    for (uint64_t i = 2; i <= count; i++) {
        char body[64];
        fr_journal_record record = state_record(i, body);
        if (journal.append(&record, 1, journal.user, NULL) != FR_OK) { return NULL; }
    }
    return file;
}

static void note_wake(void *context) { atomic_fetch_add((atomic_int *)context, 1); }

// A thread of the caller's writes; the number that is flushed only grows, and many records are one transaction.
static void the_callers_tasks_write(void **state) {
    (void)state;
    enum { RECORDS = 5000 };
    journal_remove(path);
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = 2;
    fr_task_pool *pool;
    assert_int_equal(fr_task_pool_create(&pool_def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    failing_vfs_begin();
    failing_vfs.sync_us = 1000;
    fr_journal_file_def def = fr_default_journal_file_def();
    def.path = path;
    def.tasks = &tasks;
    fr_journal_file *file;
    assert_int_equal(fr_journal_file_create(&def, &file, NULL), FR_OK);
    fr_journal journal = fr_journal_file_table(file);
    atomic_int wakes = 0;
    journal.watch(note_wake, &wakes, journal.user);
    assert_int_equal(journal_append(file, 1), FR_OK);
    int synced = failing_vfs.counts[VFS_SYNC];
    assert_non_null(append_many(file, RECORDS));
    uint64_t flushed = 0, before = 0;
    while (flushed < RECORDS) {
        assert_int_equal(journal.flushed(false, &flushed, journal.user, NULL), FR_OK);
        assert_true(flushed >= before);
        before = flushed;
    }
    assert_true(failing_vfs.counts[VFS_SYNC] - synced < RECORDS / 4);
    assert_true(wakes > 0);
    journal.watch(NULL, NULL, journal.user);
    fr_journal_file_destroy(file);
    fr_task_pool_destroy(pool);
    assert_int_equal(count_of(path).records, RECORDS);
    journal_remove(path);
}

static fr_status make_under(const fr_allocator *allocator, void *context) {
    (void)context;
    journal_remove(path);
    fr_journal_file_def def = fr_default_journal_file_def();
    def.path = path;
    def.allocator = *allocator;
    fr_journal_file *file;
    fr_error error = {0};
    fr_status status = fr_journal_file_create(&def, &file, &error);
    if (status != FR_OK) { return status; }
    fr_journal journal = fr_journal_file_table(file);
    for (uint64_t i = 1; i <= 20 && status == FR_OK; i++) {
        status = journal_append(file, i);
    }
    journal_count count = {0};
    if (status == FR_OK) { status = journal.read(count_record, &count, journal.user, &error); }
    fr_journal_file_destroy(file);
    fr_journal_report report;
    uint64_t removed;
    if (status == FR_OK) { status = fr_journal_file_check(path, NULL, allocator, &report, &error); }
    if (status == FR_OK) { status = fr_journal_file_cut(path, 9000, allocator, &removed, &error); }
    if (status == FR_OK) { status = fr_journal_file_read(path, NULL, NULL, &error); }
    test_note_number(count.records);
    return status;
}

static fr_status convert_under(const fr_allocator *allocator, void *context) {
    (void)context;
    static const char store[] =
        "{ \"fureai\": 1, \"scene\": \"room\", \"tick\": 3, \"objects\": [ { \"name\": \"cup\", \"position\":"
        " [0.5, 0.8, 0], \"rotation\": [1, 0, 0, 0], \"scale\": 1 } ] }";
    journal_remove(path);
    file_write(path, store, sizeof store - 1);
    fr_journal_file_def def = fr_default_journal_file_def();
    def.path = path;
    def.allocator = *allocator;
    fr_journal_file *file;
    fr_status status = fr_journal_file_create(&def, &file, NULL);
    fr_journal_file_destroy(file);
    return status;
}

static void failing_allocations_are_survived(void **state) {
    (void)state;
    test_every_failure_leaves_nothing(make_under, NULL);
    test_every_failure_leaves_nothing(convert_under, NULL);
    test_every_bound(make_under, NULL, true);
    journal_remove(path);
}

int main(void) {
    journal_path(path, "one");
    journal_path(copy, "two");
    failing_vfs_begin(); // which need not wait for a disk
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(files_of_others_are_refused_and_kept),
        cmocka_unit_test(a_journal_with_more_than_its_tables_is_refused),
        cmocka_unit_test(records_come_back_as_they_were),
        cmocka_unit_test(a_second_server_is_refused),
        cmocka_unit_test(a_store_becomes_a_journal_and_is_kept),
        cmocka_unit_test(a_store_behind_a_link_becomes_a_journal_there),
        cmocka_unit_test(a_journal_is_cut_at_a_time),
        cmocka_unit_test(old_records_go),
        cmocka_unit_test(a_log_cut_at_any_byte_opens),
        cmocka_unit_test(a_last_page_cut_at_any_byte_is_refused),
        cmocka_unit_test(changed_bytes_are_survived),
        cmocka_unit_test(every_operation_of_the_disk_may_fail),
        cmocka_unit_test(a_full_disk_is_a_sentence),
        cmocka_unit_test(a_disk_that_cannot_be_written_is_refused),
        cmocka_unit_test(the_callers_tasks_write),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

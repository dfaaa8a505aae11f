// A journal in an SQLite file: records wait in memory until the caller's tasks write them, all that wait in one
// transaction.
#include "server/journal_file.h"
#include "server/journal_file_writer.h"

#include "fureai/file.h"

#include <pthread.h>
#include <string.h>

#define JOURNAL_FILE_COOKIE UINT32_C(0x6a726e6c)
#define QUEUE_MAX_BYTES ((size_t)64 << 20) // that wait: a disk that is so far behind has failed

struct fr_journal_file {
    fr_allocator allocator;
    fr_tasks tasks;
    fr_file_lock *lock;
    char *path;
    size_t path_bytes;

    // Of the thread that writes, which is one at a time.
    fr__journal_writer writer;
    fr_byte_array batch;

    // Of all threads, under the mutex.
    pthread_mutex_t mutex;
    pthread_cond_t is_quiet; // nothing is left to write
    fr_byte_array queue;
    uint64_t queued;  // number of the last record in the queue
    uint64_t flushed; // number of the last record on the disk
    bool is_writing;  // a task runs, or is about to
    fr_error failure; // why what was queued after `flushed` will never be written; FR_OK: it will
    fr_journal_wake_fn *wake;
    void *wake_context;

    // Of the caller's thread.
    void *handle; // of the task; NULL: none
};

fr_journal_file_def fr_default_journal_file_def(void) {
    return (fr_journal_file_def){.max_records = 100000, .cookie = JOURNAL_FILE_COOKIE};
}

bool fr_journal_file_is_built(void) { return true; }

// ---------------------------------------------------------------------------------------------------------------
// Writing

// Writes what waits, until nothing does.
static void write_queue(void *context) {
    fr_journal_file *file = context;
    pthread_mutex_lock(&file->mutex);
    while (file->queue.count > 0) {
        fr_byte_array batch = file->queue;
        uint64_t last = file->queued;
        file->queue = file->batch;
        file->queue.count = 0;
        pthread_mutex_unlock(&file->mutex);
        int code = fr__journal_writer_commit(&file->writer, &batch);
        fr_error error = {0};
        if (code != SQLITE_OK) { (void)fr__database_fail(file->writer.db, code, file->path, &error); }
        pthread_mutex_lock(&file->mutex);
        file->batch = batch;
        if (code == SQLITE_OK) {
            file->flushed = last;
        } else {
            file->failure = error;
            file->queue.count = 0;
        }
        if (file->wake != NULL) { file->wake(file->wake_context); }
    }
    file->is_writing = false;
    pthread_cond_broadcast(&file->is_quiet);
    pthread_mutex_unlock(&file->mutex);
}

// Starts the task that writes, once the one before has returned.
static void begin_writing(fr_journal_file *file) {
    if (file->handle != NULL) { file->tasks.finish(file->handle, file->tasks.user); }
    file->handle = NULL;
    if (file->tasks.worker_count < 2) {
        write_queue(file);
    } else {
        file->handle = file->tasks.enqueue(write_queue, file, file->tasks.user);
    }
}

static fr_status report_failure(const fr_journal_file *file, fr_error *error) {
    if (file->failure.status == FR_OK) { return FR_OK; }
    if (error != NULL) { *error = file->failure; }
    return file->failure.status;
}

// Puts records into the queue, all of them or none.
static fr_status enqueue(fr_journal_file *file, const fr_journal_record *records, uint32_t count, fr_error *error) {
    size_t before = file->queue.count;
    bool is_good = before <= QUEUE_MAX_BYTES;
    fr_status status = is_good ? FR_OK : fr_error_set(error, FR_ERROR_LIMIT, "the disk is too slow for the journal");
    for (uint32_t i = 0; i < count && is_good; i++) {
        is_good = fr__journal_pack(&file->queue, &records[i]);
        if (!is_good) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the journal"); }
    }
    if (!is_good) {
        file->queue.count = before;
        return status;
    }
    file->queued = records[count - 1].number;
    return FR_OK;
}

static fr_status append(const fr_journal_record *records, uint32_t count, void *user, fr_error *error) {
    fr_journal_file *file = user;
    if (count == 0) { return FR_OK; }
    pthread_mutex_lock(&file->mutex);
    // What was lost, of whichever scene, is written whole by what follows.
    bool is_whole = records[0].kind == FR_JOURNAL_WORLDS;
    if (is_whole) { file->failure = (fr_error){0}; }
    fr_status status = report_failure(file, error);
    if (status == FR_OK) {
        status = enqueue(file, records, count, error);
        if (status != FR_OK) {
            fr_error_set(&file->failure, status, "records were not taken by the journal");
            fr_error_locate(&file->failure, file->path, 0, 0);
        }
    }
    bool is_to_begin = status == FR_OK && !file->is_writing;
    if (is_to_begin) { file->is_writing = true; }
    pthread_mutex_unlock(&file->mutex);
    if (is_to_begin) { begin_writing(file); }
    return status;
}

static fr_status get_flushed(bool is_waiting, uint64_t *number, void *user, fr_error *error) {
    fr_journal_file *file = user;
    pthread_mutex_lock(&file->mutex);
    while (is_waiting && file->is_writing) {
        pthread_cond_wait(&file->is_quiet, &file->mutex);
    }
    *number = file->flushed;
    fr_status status = report_failure(file, error);
    pthread_mutex_unlock(&file->mutex);
    return status;
}

static void watch(fr_journal_wake_fn *wake, void *context, void *user) {
    fr_journal_file *file = user;
    pthread_mutex_lock(&file->mutex);
    file->wake = wake;
    file->wake_context = context;
    pthread_mutex_unlock(&file->mutex);
}

static fr_status read_records(fr_journal_fn *take, void *context, void *user, fr_error *error) {
    fr_journal_file *file = user;
    uint64_t number;
    (void)get_flushed(true, &number, file, NULL);
    return fr__database_read(file->writer.db, file->path, take, context, error);
}

fr_journal fr_journal_file_table(fr_journal_file *file) {
    FR_ASSERT(file != NULL);
    return (fr_journal){append, get_flushed, read_records, watch, file->path, file};
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status make(fr_journal_file *file, const fr_journal_file_def *def, fr_error *error) {
    fr_status status = fr_file_lock_create(file->path, &file->allocator, &file->lock, error);
    if (status == FR_OK) { status = fr__journal_convert(file->path, &file->allocator, error); }
    sqlite3 *db = NULL;
    if (status == FR_OK) { status = fr__database_open(file->path, FR__DATABASE_CREATE, &db, error); }
    if (status != FR_OK) { return status; }
    int code = fr__journal_writer_open(&file->writer, db, def->max_records);
    return code == SQLITE_OK ? FR_OK : fr__database_fail(db, code, file->path, error);
}

fr_status fr_journal_file_create(const fr_journal_file_def *def, fr_journal_file **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != JOURNAL_FILE_COOKIE) { return fr_error_set_cookie(error, "fr_default_journal_file_def"); }
    if (def->path == NULL || def->max_records < 1000 || def->max_records > 1000000000) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a journal has a path, and max_records from 1000 to 10^9");
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    size_t path_bytes = strlen(def->path) + 1;
    fr_journal_file *file = fr_allocate(&allocator, 1, sizeof *file, _Alignof(fr_journal_file));
    char *path = fr_allocate(&allocator, path_bytes, 1, 1);
    if (file == NULL || path == NULL) {
        if (file != NULL) { fr_deallocate(&allocator, file, 1, sizeof *file); }
        if (path != NULL) { fr_deallocate(&allocator, path, path_bytes, 1); }
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a journal");
    }
    *file = (fr_journal_file){.allocator = allocator,
                              .path = memcpy(path, def->path, path_bytes),
                              .path_bytes = path_bytes,
                              .batch = fr_byte_array_make(&allocator),
                              .queue = fr_byte_array_make(&allocator)};
    if (def->tasks != NULL) { file->tasks = *def->tasks; }
    pthread_mutex_init(&file->mutex, NULL);
    pthread_cond_init(&file->is_quiet, NULL);
    fr_status status = make(file, def, error);
    if (status != FR_OK) {
        fr_journal_file_destroy(file);
        return status;
    }
    *out = file;
    return FR_OK;
}

void fr_journal_file_destroy(fr_journal_file *file) {
    if (file == NULL) { return; }
    if (file->handle != NULL) { file->tasks.finish(file->handle, file->tasks.user); }
    fr__journal_writer_close(&file->writer);
    fr_file_lock_destroy(file->lock);
    pthread_mutex_destroy(&file->mutex);
    pthread_cond_destroy(&file->is_quiet);
    fr_byte_array_destroy(&file->queue);
    fr_byte_array_destroy(&file->batch);
    fr_allocator allocator = file->allocator;
    fr_deallocate(&allocator, file->path, file->path_bytes, 1);
    fr_deallocate(&allocator, file, 1, sizeof *file);
}

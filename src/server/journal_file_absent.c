// Journals of a build without SQLite: there are none.
#include "fureai/server_journal.h"

fr_journal_file_def fr_default_journal_file_def(void) { return (fr_journal_file_def){0}; }

bool fr_journal_file_is_built(void) { return false; }

static fr_status refuse(const char *path, fr_error *error) {
    fr_error_set(error, FR_ERROR_UNSUPPORTED, "this build has no journals: it was made without SQLite");
    fr_error_locate(error, path, 0, 0);
    return FR_ERROR_UNSUPPORTED;
}

fr_status fr_journal_file_create(const fr_journal_file_def *def, fr_journal_file **out, fr_error *error) {
    *out = NULL;
    return refuse(def->path, error);
}

void fr_journal_file_destroy(fr_journal_file *file) { (void)file; }

fr_journal fr_journal_file_table(fr_journal_file *file) {
    (void)file;
    return (fr_journal){0};
}

fr_status fr_journal_file_read(const char *path, fr_journal_fn *take, void *context, fr_error *error) {
    (void)take;
    (void)context;
    return refuse(path, error);
}

fr_status fr_journal_file_check(const char *path, const fr_control *control, const fr_allocator *allocator,
                                fr_journal_report *out, fr_error *error) {
    (void)control;
    (void)allocator;
    *out = (fr_journal_report){0};
    return refuse(path, error);
}

fr_status fr_journal_file_cut(const char *path, int64_t time_ms, const fr_allocator *allocator, uint64_t *removed,
                              fr_error *error) {
    (void)time_ms;
    (void)allocator;
    *removed = 0;
    return refuse(path, error);
}

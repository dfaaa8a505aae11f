// The index where there is no SQLite: none.
#include "fureai/library.h"

fr_status fr_library_sqlite_index(const char *path, const fr_allocator *allocator, fr_library_index *out,
                                  fr_error *error) {
    FR_ASSERT(path != NULL && out != NULL);
    (void)path;
    (void)allocator;
    *out = (fr_library_index){0};
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this library was built without SQLite");
}

// The SQLite file of a journal: its tables, how it is opened, and its rows.
#ifndef FUREAI_SERVER_JOURNAL_FILE_DATABASE_H
#define FUREAI_SERVER_JOURNAL_FILE_DATABASE_H

#include "server/journal_state.h"

#include <sqlite3.h>

#define FR__JOURNAL_PATH_BYTES 4000u

typedef enum fr__database_mode {
    FR__DATABASE_READ,   // it is not changed; a server may write it meanwhile
    FR__DATABASE_WRITE,  // it is there already
    FR__DATABASE_CREATE, // it is made where it is not there
} fr__database_mode;

// Opens a file and checks that it is a journal of this version. The connection is the caller's to close, NULL on
// failure; FR_ERROR_FILE, FR_ERROR_SYNTAX for the file of another program, FR_ERROR_VERSION, FR_ERROR_CORRUPT,
// FR_ERROR_BUSY, FR_ERROR_MEMORY, each with the path.
fr_status fr__database_open(const char *path, fr__database_mode mode, sqlite3 **out, fr_error *error);

// Says what a code of SQLite means, with the path.
fr_status fr__database_fail(sqlite3 *db, int code, const char *path, fr_error *error);

// Gives all records to a function, in the order of their numbers.
fr_status fr__database_read(sqlite3 *db, const char *path, fr_journal_fn *take, void *context, fr_error *error);

// A number that a statement gives; 0 where it gives no row.
int fr__database_number(sqlite3 *db, const char *sql, int64_t *out);

#endif

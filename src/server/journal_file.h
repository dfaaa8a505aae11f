// Between a journal and the store that it takes the place of.
#ifndef FUREAI_SERVER_JOURNAL_FILE_H
#define FUREAI_SERVER_JOURNAL_FILE_H

#include "fureai/server_journal.h"

// Makes a journal of a store as JSON, where the file at the path is one; its lock is the caller's. The store stays
// beside it as PATH.store. Nothing to do for a file that is not there, is empty, or is a journal already. On failure
// the file stays as it is. FR_ERROR_SYNTAX for the file of another program, and the statuses of fr__store_load.
fr_status fr__journal_convert(const char *path, const fr_allocator *allocator, fr_error *error);

#endif

// Writes records of a journal to its SQLite file, on the thread that calls it.
#ifndef FUREAI_SERVER_JOURNAL_FILE_WRITER_H
#define FUREAI_SERVER_JOURNAL_FILE_WRITER_H

#include "server/journal_file_database.h"

enum {
    FR__INSERT_RECORD,
    FR__INSERT_POSE,
    FR__DELETE_POSES,
    FR__TRIM_RECORDS,
    FR__BEGIN,
    FR__COMMIT,
    FR__WRITER_STATEMENTS
};

typedef struct fr__journal_writer {
    sqlite3 *db;
    sqlite3_stmt *statements[FR__WRITER_STATEMENTS];
    int64_t records;       // rows of them
    int64_t max_records;   //
    int64_t worlds_number; // of the last WORLDS; 0: none came yet
    int64_t trim_below;    // records with lower numbers go, some with every commit; 0: none
} fr__journal_writer;

// Takes the connection over, also on failure. A code of SQLite.
int fr__journal_writer_open(fr__journal_writer *writer, sqlite3 *db, uint32_t max_records);
void fr__journal_writer_close(fr__journal_writer *writer);

// Appends a record to bytes, and reads the next one of them; false when there is no memory, or none is left.
bool fr__journal_pack(fr_byte_array *bytes, const fr_journal_record *record);
bool fr__journal_unpack(const fr_byte_array *bytes, size_t *at, fr_journal_record *out);

// Writes packed records in one transaction: when it returns SQLITE_OK they are on the disk, else none of them is in the
// file.
int fr__journal_writer_commit(fr__journal_writer *writer, const fr_byte_array *bytes);

#endif

// The audit: a file of what was refused, one JSON document a line, bounded in size and in lines a second.
#ifndef FUREAI_SERVER_AUDIT_H
#define FUREAI_SERVER_AUDIT_H

#include "server/rate.h"

enum {
    FR__AUDIT_RATE = 200, // lines a second, five times as many at once
    FR__AUDIT_MAX_BYTES = 16 << 20
}; // of the file; then it becomes FILE.1, and another is begun

// What was refused. Texts may be NULL: they are left out.
typedef struct fr__refusal {
    const char *address; // that it came from
    uint32_t client;     // number; 0: none
    const char *name;    // that the client gave itself
    const char *message; // of the protocol, or "connection"
    fr_status status;
    const char *reason;
} fr__refusal;

typedef struct fr__audit {
    const char *path; // NULL: there is none
    int descriptor;
    uint64_t bytes; // of the file
    uint64_t max_bytes;
    fr__rate lines;
    uint64_t left_out; // lines since the last one
    fr_array text;     // that waits to be written
    bool has_failed;   // writing did, the last time
} fr__audit;

// Appends to a file, which is made where there is none, for its owner alone to read. `path` NULL: nothing is ever
// written. FR_ERROR_FILE at the path.
fr_status fr__audit_open(fr__audit *audit, const char *path, const fr_allocator *allocator, fr_error *error);

// Takes a line; what is too much for now is counted and reported with the next line.
void fr__audit_take(fr__audit *audit, const fr__refusal *refusal, uint64_t now_ns);

// Writes what waits. What cannot be written is logged once and dropped.
void fr__audit_flush(fr__audit *audit);
void fr__audit_close(fr__audit *audit);

#endif

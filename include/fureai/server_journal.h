// Fureai server, journal (write-ahead log of a served world): what was done to a world, one record after another, so
// that nothing which was acknowledged to a client is lost with the process. A server knows it as a table of functions;
// an SQLite file fills the table. Library libfureai-world.
#ifndef FUREAI_SERVER_JOURNAL_H
#define FUREAI_SERVER_JOURNAL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a record says, with the word that files have for it.
#define FR_JOURNAL_KINDS(X)                                                                                            \
    X(START, "start")     /* a server began; leases of before have ended */                                            \
    X(WORLDS, "worlds")   /* the worlds of all scenes follow; what came before does not count any more */              \
    X(SCENE, "scene")     /* a scene as its file has it; what came before of this scene does not count any more */     \
    X(OBJECT, "object")   /* all that is known of an object, after a SCENE: of a world that was written whole */       \
    X(ADD, "add")         /* an object was added, of a class */                                                        \
    X(REMOVE, "remove")   /* an object that was added is gone */                                                       \
    X(PLACE, "place")     /* a person put an object there */                                                           \
    X(RESUME, "resume")   /* an object goes on by itself; without a name: all of them */                               \
    X(STATE, "state")     /* a state has a value; without one: it was removed */                                       \
    X(LEASE, "lease")     /* a client holds an object, or no longer */                                                 \
    X(COMMAND, "command") /* a command was accepted */                                                                 \
    X(ENDED, "ended")     /* it has ended */                                                                           \
    X(POSE, "pose")       /* where an object is; the last one of each is kept */

#define FR_JOURNAL_KIND_VALUE(name, word) FR_JOURNAL_##name,
typedef enum fr_journal_kind { FR_JOURNAL_KINDS(FR_JOURNAL_KIND_VALUE) FR_JOURNAL_KIND_COUNT } fr_journal_kind;
#undef FR_JOURNAL_KIND_VALUE

// The word for a kind, such as "state"; "" for a value that is none.
FR_API const char *fr_journal_kind_text(fr_journal_kind kind);

// A record. Texts are to read until the call that got them returns.
typedef struct fr_journal_record {
    uint64_t number; // grows from record to record, from 1
    int64_t time_ms; // milliseconds since 1970, UTC; never less than that of the record before
    uint64_t tick;   // of the world
    fr_journal_kind kind;
    const char *object; // name of the object, or of the person; "": none
    const char *client; // name of the client who caused it; "": none did, or it has none
    const char *body;   // JSON: what else there is to say (docs/server.md)
} fr_journal_record;

// Takes a record; anything but FR_OK ends the reading and is what it returns.
typedef fr_status fr_journal_fn(const fr_journal_record *record, void *context, fr_error *error);

// Called, on any thread, when more records are on the disk than before, or when they cannot be written.
typedef void fr_journal_wake_fn(void *context);

// What a server calls. All from one thread at a time.
typedef struct fr_journal {
    // Takes records to be written in their order, all of them together or none, and returns at once. After a failure
    // none is taken until some come that begin with WORLDS: what was lost in between, of whichever scene, is written
    // whole with them.
    fr_status (*append)(const fr_journal_record *records, uint32_t count, void *user, fr_error *error);
    // The number of the last record that is on the disk, with all before it; with `is_waiting` when nothing is left to
    // write. Anything but FR_OK: those after it cannot be written, and never will be.
    fr_status (*flushed)(bool is_waiting, uint64_t *number, void *user, fr_error *error);
    // Reads all records in their order.
    fr_status (*read)(fr_journal_fn *take, void *context, void *user, fr_error *error);
    // Whom to wake; NULL: no one any more, as soon as it returns.
    void (*watch)(fr_journal_wake_fn *wake, void *context, void *user);
    const char *name; // for messages: the path of the file
    void *user;       // given to all of them
} fr_journal;

// ---------------------------------------------------------------------------------------------------------------
// A journal in an SQLite file

typedef struct fr_journal_file fr_journal_file;

typedef struct fr_journal_file_def {
    const char *path;       // of the file, beside which PATH-wal, PATH-shm and PATH.lock appear; not NULL
    const fr_tasks *tasks;  // that write it, beside the caller; NULL, the default: the caller's thread does
    uint32_t max_records;   // beyond which the oldest go, as far as the world can be made without them, 1000 .. 10^9;
                            // default 100,000
    fr_allocator allocator; // of all but SQLite's own memory; default: the process default
    uint32_t cookie;        // set by fr_default_journal_file_def
} fr_journal_file_def;

FR_API fr_journal_file_def fr_default_journal_file_def(void);

// Whether this build has SQLite; without it the functions below return FR_ERROR_UNSUPPORTED.
FR_API bool fr_journal_file_is_built(void);

// Opens a journal, or makes one, and locks it. A file that holds a store as JSON becomes a journal, and stays beside it
// as PATH.store. FR_ERROR_BUSY where another process has it; FR_ERROR_FILE where it cannot be opened or written;
// FR_ERROR_SYNTAX for the file of another program, FR_ERROR_VERSION, FR_ERROR_CORRUPT, each with the path, and the file
// stays as it is; FR_ERROR_MEMORY.
FR_API fr_status fr_journal_file_create(const fr_journal_file_def *def, fr_journal_file **out, fr_error *error);

// Writes what waits, closes and unlocks the file. NULL is ignored.
FR_API void fr_journal_file_destroy(fr_journal_file *file);

// The file as a journal; valid while the file lives.
FR_API fr_journal fr_journal_file_table(fr_journal_file *file);

// A time as text in UTC, such as 2026-11-18T01:02:03.004Z, from 1970 to 9999; and back, with or without milliseconds.
// False for a text that is none.
#define FR_JOURNAL_TIME_BYTES 32
FR_API void fr_journal_time_text(int64_t time_ms, char text[FR_JOURNAL_TIME_BYTES]);
FR_API bool fr_journal_time_read(const char *text, int64_t *out);

// What a journal holds.
typedef struct fr_journal_report {
    uint64_t records;          // poses included
    uint64_t poses;            // of them
    uint64_t first, last;      // numbers
    int64_t first_ms, last_ms; // times
    char scene[256];           // that is opened by it, cut; "": none yet
    uint64_t tick;             // of the world
    uint32_t objects;          // of which something is known
    uint32_t added;            // of them those that were added
    uint32_t states;           //
    uint32_t leases;           // that were held at the end
    uint32_t commands;         // that had not ended
    uint32_t scenes;           // whose worlds are stored: the one that is opened, and those that were opened before
} fr_journal_report;

// Reads the records of a file, also of one that a server writes; `take` may be NULL. The file is not changed. The
// statuses of fr_journal_file_create, and those of `take`.
FR_API fr_status fr_journal_file_read(const char *path, fr_journal_fn *take, void *context, fr_error *error);

// Checks a file in full: its pages, the order of its records, the body of each, and the world that they make.
// FR_ERROR_CORRUPT and the like with what is wrong; `control` may stop it and may be NULL, as may the allocator.
FR_API fr_status fr_journal_file_check(const char *path, const fr_control *control, const fr_allocator *allocator,
                                       fr_journal_report *out, fr_error *error);

// Takes all records after a time out of a file, so that the next server begins with the world as it was then; poses
// between two places are not known any more, and the objects stand where they were put last. The file of before is kept
// as PATH.before. FR_ERROR_ARGUMENT where the file begins later; FR_ERROR_BUSY while a server has it. `allocator` may
// be NULL.
FR_API fr_status fr_journal_file_cut(const char *path, int64_t time_ms, const fr_allocator *allocator,
                                     uint64_t *removed, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

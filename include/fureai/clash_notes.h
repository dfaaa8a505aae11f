// Fureai clash: what people decided about clashes, and why, by the names of the parts (clash review); as JSON text.
#ifndef FUREAI_CLASH_NOTES_H
#define FUREAI_CLASH_NOTES_H

#include "json.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fr_clash_verdict {
    FR_CLASH_OPEN,     // nothing is decided
    FR_CLASH_ACCEPTED, // it is as it should be
    FR_CLASH_IGNORED   // it does not matter
} fr_clash_verdict;

// "open", "accepted" or "ignored".
FR_API const char *fr_clash_verdict_name(fr_clash_verdict verdict);

#define FR_CLASH_NAME_MAX_BYTES 1023 // of a part
#define FR_CLASH_TEXT_MAX_BYTES 2000 // of a note
#define FR_CLASH_MAX_NOTES 1000000u

// A note about two parts.
typedef struct fr_clash_note {
    const char *a, *b; // names of the parts, a before b by their bytes
    fr_clash_verdict verdict;
    const char *text; // UTF-8 without control characters; "" where there is none
} fr_clash_note;

// Notes, one for two names. One thread at a time.
typedef struct fr_clash_notes fr_clash_notes;

// No notes. `allocator` may be NULL for the process default. FR_ERROR_MEMORY.
FR_API fr_status fr_clash_notes_create(const fr_allocator *allocator, fr_clash_notes **out, fr_error *error);
FR_API void fr_clash_notes_destroy(fr_clash_notes *notes); // NULL is ignored

// Reads notes from JSON text (docs/schema/clash_notes.schema.json); `name` is that of the file, for messages, and may
// be NULL. What is wrong is a status at its line and column: FR_ERROR_SYNTAX, FR_ERROR_ARGUMENT, also for two notes
// about the same parts, FR_ERROR_VERSION, FR_ERROR_LIMIT, FR_ERROR_MEMORY.
FR_API fr_status fr_clash_notes_read(const char *text, size_t size, const char *name, const fr_allocator *allocator,
                                     fr_clash_notes **out, fr_error *error);

// Writes them, a line each, so that reading gives the same notes. FR_ERROR_FILE where `write` fails.
FR_API fr_status fr_clash_notes_write(const fr_clash_notes *notes, fr_json_write_fn *write, void *context,
                                      fr_error *error);

// Sets the note about two parts, given in any order; one that is open and without a text is removed. FR_ERROR_ARGUMENT
// for a name that is empty, too long or no UTF-8, or holds control characters, and for such a text; FR_ERROR_LIMIT;
// FR_ERROR_MEMORY; nothing is changed then.
FR_API fr_status fr_clash_notes_set(fr_clash_notes *notes, const fr_clash_note *note, fr_error *error);

// The note about two parts, in any order; NULL: there is none. Until the notes change. O(log notes).
FR_API const fr_clash_note *fr_clash_notes_find(const fr_clash_notes *notes, const char *a, const char *b);

// All of them, sorted by a, then b. Until the notes change.
FR_API const fr_clash_note *fr_clash_notes_list(const fr_clash_notes *notes, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif

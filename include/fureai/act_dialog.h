// Fureai act: the dialog, which asks a person step by step what the people of a world are to do, which object is added
// and which motion an object affords from now on (Ichiguchi 2000, 5.1). It reads lines of text and writes text; a
// terminal, a test or any other program may be at its other end. Library libfureai-world.
#ifndef FUREAI_ACT_DIALOG_H
#define FUREAI_ACT_DIALOG_H

#include "act_director.h"

#ifdef __cplusplus
extern "C" {
#endif

// One thread at a time, the same that owns the world.
typedef struct fr_dialog fr_dialog;

#define FR_DIALOG_LINE_MAX_BYTES 1024u

// Takes text to show; false where it could not be shown.
typedef bool fr_dialog_write_fn(const char *text, size_t size, void *user);

typedef struct fr_dialog_def {
    fr_cast *cast;             // must outlive the dialog
    fr_scene_stock stock;      // what can be added; default: nothing
    const char *folder;        // of the library, whose classes are given motions; must outlive the dialog. NULL or "",
                               // the default: none are
    const fr_tick_input *tick; // of each tick; may be NULL, the default
    uint64_t max_ticks;        // of one command, after which it is given up; default 10^6
    fr_dialog_write_fn *write;
    void *user;             // given to `write`
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_dialog_def
} fr_dialog_def;

FR_API fr_dialog_def fr_default_dialog_def(void);

// Begins with what can be done. FR_ERROR_ARGUMENT for a definition without a cast, a write function or a cookie,
// FR_ERROR_MEMORY.
FR_API fr_status fr_dialog_create(const fr_dialog_def *def, fr_dialog **out, fr_error *error);
FR_API void fr_dialog_destroy(fr_dialog *dialog); // NULL is ignored

// What is prompted for now, one line without its break: "object> ". To read until the next call.
FR_API const char *fr_dialog_prompt(const fr_dialog *dialog);

// Takes an entry of `size` bytes without a line break, which may be anything. One that cannot be meant is prompted for
// again, with what is allowed; "back" leaves the step for the beginning, "end" ends the dialog: FR_ERROR_STOPPED. Also
// fails with FR_ERROR_FILE where text could not be shown, FR_ERROR_MEMORY, and the statuses of fr_cast_tick.
FR_API fr_status fr_dialog_enter(fr_dialog *dialog, const char *text, size_t size, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

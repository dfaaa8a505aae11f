// Fureai act: a commander, which takes lines of JSON from any program and gives what they say to the people of a world:
// one line in, one reply out. Library libfureai-world.
#ifndef FUREAI_ACT_COMMANDER_H
#define FUREAI_ACT_COMMANDER_H

#include "act_script.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// One thread at a time, the same that owns the world.
typedef struct fr_commander fr_commander;

#define FR_COMMANDER_LINE_MAX_BYTES 65536u
#define FR_COMMANDER_MAX_STARTED 1024u // commands that were started and not waited for

typedef struct fr_commander_def {
    fr_cast *cast;             // must outlive the commander
    fr_scene_stock stock;      // what can be added; default: nothing
    const fr_tick_input *tick; // of each tick; may be NULL, the default
    uint64_t max_ticks;        // of one line, after which what is not over is given up; default 10^6
    fr_json_write_fn *write;   // takes the replies, each with its line break
    void *user;                // given to `write`
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_commander_def
} fr_commander_def;

FR_API fr_commander_def fr_default_commander_def(void);

// FR_ERROR_ARGUMENT for a definition without a cast, a write function or a cookie, FR_ERROR_MEMORY.
FR_API fr_status fr_commander_create(const fr_commander_def *def, fr_commander **out, fr_error *error);
FR_API void fr_commander_destroy(fr_commander *commander); // NULL is ignored

// Carries out a line of `size` bytes, which may be anything, and writes one reply. `number` is the line's, from 1, and
// comes back in the reply. The line is a command of a script, which is over when its reply comes, or an object with
// "do" (docs/act.md): objects, people, affords, classes, add, remove, start, wait, run. What is wrong with the line, or
// refused, is a reply with "error", and "column" where it is known. Fails only where nothing more can be done:
// FR_ERROR_FILE where the reply could not be written, FR_ERROR_STOPPED by the control of the tick, FR_ERROR_MEMORY, and
// the statuses of fr_cast_tick.
FR_API fr_status fr_commander_line(fr_commander *commander, const void *bytes, size_t size, uint64_t number,
                                   fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

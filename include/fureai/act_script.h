// Fureai act: scripts, files that say what the people of a scene do, and how they are carried out. Library
// libfureai-world.
#ifndef FUREAI_ACT_SCRIPT_H
#define FUREAI_ACT_SCRIPT_H

#include "actor.h"
#include "human_skill.h"
#include "json.h"

#ifdef __cplusplus
extern "C" {
#endif

// A script. Immutable; any thread may read it.
typedef struct fr_script fr_script;

#define FR_SCRIPT_MAX_STEPS 1000000u
#define FR_SCRIPT_NAME_MAX_BYTES 255  // of a person, a motion, an object, a key
#define FR_SCRIPT_PATH_MAX_BYTES 1023 // of the scene
#define FR_SCRIPT_TEXT_MAX_BYTES 1023 // of a parameter

// A command of a script: a motion of a person (fr_command), whose object is still a name.
typedef struct fr_script_step {
    const char *person; // "": the director chooses
    const char *motion;
    const char *object;   // "": none, or the one nearest to the point
    fr_command command;   // without name, person, object and what is fused
    uint32_t fused_count; // as many steps behind it are done at the same time, by the same person
    int line, column;     // where the file has it
} fr_script_step;

typedef struct fr_script_view {
    const char *name;  // of the file, as given; "" where none was
    const char *scene; // path of the scene, relative to the script; "" where the file has none
    const fr_script_step *steps;
    uint32_t step_count;
} fr_script_view;

FR_API const fr_script_view *fr_script_get(const fr_script *script);
FR_API void fr_script_destroy(fr_script *script); // NULL is ignored

typedef struct fr_script_read_input {
    const char *name;       // of the file, for messages; may be NULL
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_script_read_input
} fr_script_read_input;

FR_API fr_script_read_input fr_default_script_read_input(void);

// Reads a script (docs/schema/script.schema.json) from `size` bytes, which may be anything and are not kept. `input`
// may be NULL. O(size); memory at most 64 bytes a byte of the file, and 64 KiB. On failure *out is NULL and `error`
// names the place of the first thing that is wrong. FR_ERROR_VERSION for a file of another version than 1.
FR_API fr_status fr_script_read(const void *bytes, size_t size, const fr_script_read_input *input, fr_script **out,
                                fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Carrying out

// How a command of a script ended.
typedef struct fr_script_result {
    uint32_t step;       // index of its first step
    bool is_done;        // it was carried out to its end
    uint64_t begin, end; // ticks of the world when it was given, and when it was over
    const char *reason;  // why it was not done; "": it was
} fr_script_result;

// Called after each tick, with how many commands are over; a status other than FR_OK ends the run with it.
typedef fr_status fr_script_tick_fn(uint32_t over, void *user, fr_error *error);

typedef struct fr_script_run_input {
    const fr_script *script;
    fr_cast *cast;                // that has who carries out commands
    uint64_t max_ticks;           // after which what is left is given up; default 10^6
    const fr_tick_input *tick;    // of each tick; may be NULL
    const fr_performer *recorded; // whose postures become a clip; NULL, the default: those of no person
    fr_script_tick_fn *after;     // may be NULL
    void *user;                   // given to `after`
    fr_allocator allocator;       // default: the process default
    uint32_t cookie;              // set by fr_default_script_run_input
} fr_script_run_input;

FR_API fr_script_run_input fr_default_script_run_input(void);

// What a run gave; end it with fr_script_run_destroy.
typedef struct fr_script_run {
    fr_script_result *results; // one for each command, in the order of the script
    uint32_t result_count;
    uint32_t done_count;
    uint64_t ticks;
    fr_clip *clip;   // one frame a tick, at most FR_MAX_CLIP_FRAMES; NULL: no person was recorded
    fr_arena *arena; // of the reasons
    fr_allocator allocator;
} fr_script_run;

// Carries a script out: commands are given in their order, those of one person follow one another, and the world ticks
// until all are over. One that is refused is noted with the reason, and the others go on. FR_ERROR_STALE_ID and other
// refusals are results; the run itself fails with FR_ERROR_STOPPED by the control of the tick, FR_ERROR_MEMORY, the
// statuses of fr_cast_tick and of `after`; what is known by then is in *out, which is destroyed in any case.
FR_API fr_status fr_script_carry_out(const fr_script_run_input *input, fr_script_run *out, fr_error *error);
FR_API void fr_script_run_destroy(fr_script_run *run);

// An actor that gives the commands of a script to its own cast (a prompter), in their order, from the first tick on and
// again when the scene begins again; those that are refused are left out. `leave` destroys it. Script and cast must
// outlive it. `allocator` may be NULL. FR_ERROR_MEMORY.
FR_API fr_status fr_script_prompter_create(const fr_script *script, fr_cast *cast, const fr_allocator *allocator,
                                           fr_actor *out, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

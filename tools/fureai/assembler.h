// A hand that puts the parts of a scene together, frame by frame, by the aid and the assembly of the library.
#ifndef FUREAI_TOOL_ASSEMBLER_H
#define FUREAI_TOOL_ASSEMBLER_H

#include "scene_file.h"

#define ASSEMBLER_FRAME (1.0 / 60.0) // seconds
#define ASSEMBLER_LONGEST 3600.0     // seconds of a whole run

// What became of a part.
typedef struct assembler_record {
    double taken;           // when a hand took it last; FR_UNKNOWN: never
    double fitted;          // when it came to its place; FR_UNKNOWN: it is loose
    double distance, angle; // from its place before the fit: metres, radians
    uint32_t contacts;      // that it made on the way
    uint32_t blocked;       // times that something was in the way at its place
    uint32_t early;         // times that it was there before its predecessors
    uint32_t refused;       // times that it could not be taken
    fr_object_id blocker;   // the last thing in the way
    uint32_t missing;       // the last predecessor that was not there; FR_NONE
    uint32_t held_by;       // who held it when it was last refused; FR_NONE
} assembler_record;

typedef struct assembler {
    scene_file file;
    const fr_control *control; // asked whether to stop, in every frame
    fr_assembly *assembly;
    fr_aid *aid;        // NULL: nothing stops the hand
    double time;        // seconds
    double tremor;      // metres
    fr_random random;   //
    fr_vec3 shake[2];   // of the hand now: metres, radians
    uint32_t held;      // part; FR_NONE: nothing
    fr_part_def *parts; // of the held object
    uint32_t part_count;
    fr_vec3 middle;   // of its box, in its own axes
    fr_pose wish;     // where the hand is, but for its tremor
    fr_pose shown;    //
    bool is_touching; // something, without the aid
    fr_assembly_output last;
    assembler_record *records;
    uint32_t *order; // parts as they were fitted
    uint32_t order_count;
    uint32_t misses; // times that a hand caught nothing
    fr_array events; // fr_hand_event
} assembler;

typedef struct assembler_def {
    bool has_aid;
    double tremor; // metres, >= 0
    uint64_t seed;
} assembler_def;

// Reads a scene that has an assembly. Anything but DONE: return it, there is nothing to close.
exit_status assembler_open(tool *t, const char *path, const assembler_def *def, assembler *out);
void assembler_close(assembler *a);

// Takes a part; what is held is let go first. One that another holds stays: noted, and no error.
fr_status assembler_take(assembler *a, uint32_t part, fr_error *error);

// Goes to a pose of the held object, by the shape of a hand's motion, in `seconds`; 0: as long as it takes a person.
// Ends when the part is fitted. With nothing held the time alone passes.
fr_status assembler_go(assembler *a, const fr_pose *to, double seconds, fr_error *error);

// Opens the hand: what was held stays, or goes back to its place when it had hardly left it.
fr_status assembler_let_go(assembler *a, fr_error *error);

// A place as a part sees it that is where it is now.
fr_status assembler_target(const assembler *a, uint32_t part, uint32_t place, fr_assembly_target *out, fr_error *error);

// The part of that name; FR_NONE: none.
uint32_t assembler_part(const assembler *a, const char *name);
const char *assembler_name(const assembler *a, uint32_t part);

// Puts all together that can be, in a valid order, from above or along the insertions. FR_ERROR_LIMIT names the part
// that took too long.
fr_status assembler_do_all(assembler *a, fr_error *error);

// Plays a script: see docs/tool.md. FR_ERROR_SYNTAX and the like with line and column for one that is wrong, before
// anything is done.
fr_status assembler_play(assembler *a, const char *text, size_t size, const char *name, fr_error *error);

#endif

// Fureai human, walking: clips of steps made by code for one body, and walks that are put together from them.
//
// After Ichiguchi (2000), 5.3.2 and appendix A: a walk is one or two steps, or a start, repeated steps and an end; the
// clips are deformed so that it ends exactly at the goal, and a foot that stands does not slip. How it looks comes from
// measured gait: means and spreads over 406 strides of 28 people (see docs/human_walk.md for their origin).
// Headings are angles about +Y from +Z, radians, left positive.
#ifndef FUREAI_HUMAN_WALK_H
#define FUREAI_HUMAN_WALK_H

#include "human.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Set: the clips of one body at one speed

#define FR_WALK_CLIPS 332u
#define FR_WALK_MIN_RATE 10.0  // frames a second
#define FR_WALK_MAX_RATE 240.0 // likewise

// 148 clips of one step, 148 of two, 7 starts, 1 straight step and 28 ends. Immutable and reference-counted: people of
// the same measures share one. Any thread may read it.
typedef struct fr_walk_set fr_walk_set;

typedef struct fr_walk_set_def {
    const fr_skeleton *skeleton;       // with a hip as root, two legs and soles; retained
    double speed;                      // of steady walking, metres a second, 0 or more; 0 (default): 0.4 sqrt(g leg), a
                                       // natural one; brought into 0.17 .. 0.68 sqrt(g leg), where people were measured
    double frame_rate;                 // frames a second, FR_WALK_MIN_RATE .. FR_WALK_MAX_RATE; default 60
    const struct fr_walk_cells *cells; // captured steps in place of clips that are made by code, whose speed is taken
                                       // where they have a steady step (human_cells.h); NULL, the default: none
    bool is_lazy;                      // clips without captured steps are made when a walk first needs them, the same
                                       // bits; the set and all that walk by it are one thread's then. Default: false
    fr_allocator allocator;            // default: the process default
    uint32_t cookie;                   // set by fr_default_walk_set_def
} fr_walk_set_def;

FR_API fr_walk_set_def fr_default_walk_set_def(void);

// Makes a set with one reference (about 0.3 s and 10.9 MB at 60 frames a second; a lazy one 2 ms and 2 ms a clip).
// FR_ERROR_ARGUMENT for a skeleton that cannot walk, a rate out of its range or a captured step that cannot be walked,
// FR_ERROR_NOT_FINITE for a speed, FR_ERROR_MEMORY.
FR_API fr_status fr_walk_set_create(const fr_walk_set_def *def, fr_walk_set **out, fr_error *error);

// One more, one fewer reference; the last one destroys. Any thread. NULL is ignored by release.
FR_API fr_walk_set *fr_walk_set_retain(const fr_walk_set *set);
FR_API void fr_walk_set_release(const fr_walk_set *set);

// What a set holds, to read while it lives.
typedef struct fr_walk_set_view {
    const fr_skeleton *skeleton;
    double frame_rate;
    double speed;  // of steady walking, metres a second
    double step;   // its length, metres
    double leg;    // length of a leg with the height of the ankle
    size_t frames; // of all clips; of a lazy set of those so far
    size_t bytes;  // memory of the set
} fr_walk_set_view;

FR_API const fr_walk_set_view *fr_walk_set_get(const fr_walk_set *set);

// One clip of the set, below FR_WALK_CLIPS, as a motion with one reference: it begins at the origin, facing +Z. An
// allocator of zeros is the process default. FR_ERROR_ARGUMENT for no such clip, FR_ERROR_MEMORY.
FR_API fr_status fr_walk_set_clip(const fr_walk_set *set, uint32_t index, const fr_allocator *allocator, fr_clip **out,
                                  fr_error *error);

// The posture of the body as it stands at a place on the ground, which walks begin and end with. Links that walking
// does not move keep their turns. FR_ERROR_ARGUMENT for another number of links, FR_ERROR_NOT_FINITE.
FR_API fr_status fr_walk_set_stand(const fr_walk_set *set, fr_vec3 place, double heading, fr_posture *posture,
                                   fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Walk: one body that goes to goals (locomotion)

#define FR_WALK_MAX_GOALS 1000u
#define FR_WALK_MAX_LENGTH 10000.0 // metres of one walk
#define FR_WALK_MAX_FRAMES 10000000u

// One body that stands or walks on level ground. One thread at a time.
typedef struct fr_walk fr_walk;

typedef struct fr_walk_def {
    const fr_walk_set *set; // retained
    uint64_t person;        // a seed: which person this is; default 0
    double variety;         // how much people and strides differ, in measured deviations, 0 .. 2; default 0: the mean
    double joined_turn;     // a turn at a waypoint up to this is walked without a stop, radians, 0 .. pi/2; default 30
                            // degrees
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_walk_def
} fr_walk_def;

FR_API fr_walk_def fr_default_walk_def(void);

// FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY. It stands at the origin then, facing +Z.
FR_API fr_status fr_walk_create(const fr_walk_def *def, fr_walk **out, fr_error *error);
FR_API void fr_walk_destroy(fr_walk *walk);

// Takes the body where it is now: its feet, its hips and its posture are where the next walk begins, and what differs
// from the walk's own posture fades within 0.4 s. The ground is where its lowest sole point is. Any walk is forgotten.
// FR_ERROR_ARGUMENT for another number of links, FR_ERROR_NOT_FINITE.
FR_API fr_status fr_walk_begin(fr_walk *walk, const fr_posture *posture, fr_error *error);

// A place to walk to. The height of the place does not matter.
typedef struct fr_walk_goal {
    fr_vec3 place;    // of the hips, metres; only x and z
    double heading;   // to face in the end; of the last goal only
    bool has_heading; // false: the direction of the last leg
} fr_walk_goal;

// Plans a walk through all goals, 1 .. FR_WALK_MAX_GOALS of them, and replaces the walk so far. Who walks already
// finishes the step: a turn of up to `joined_turn` is walked without a stop, for a larger one the body stops, turns and
// starts again. A waypoint with a joined turn is passed within 0.1 m. `frames`, unless 0, is how many steps of
// fr_walk_step the walk takes, up to FR_WALK_MAX_FRAMES. Grows with the length; the only call that allocates.
// FR_ERROR_ARGUMENT for no goal, FR_ERROR_NOT_FINITE, FR_ERROR_LIMIT for too long a walk, FR_ERROR_MEMORY; then the
// walk goes on as before.
FR_API fr_status fr_walk_go(fr_walk *walk, const fr_walk_goal *goals, size_t count, uint32_t frames, fr_error *error);

// Ends the walk with the steps that a walking body needs to stand: the goal is given up. FR_ERROR_MEMORY.
FR_API fr_status fr_walk_stop(fr_walk *walk, fr_error *error);

// Goes on by one frame and writes the posture: places, contacts and the turns of the links that walk; others keep
// theirs. A body that has arrived stands. Allocates nothing. FR_ERROR_ARGUMENT for another number of links.
FR_API fr_status fr_walk_step(fr_walk *walk, fr_posture *posture, fr_error *error);

// The motion of a whole walk through goals (fr_walk_go) as a clip with one reference: the body stands at the origin,
// facing +Z, and walks until it stands at the last one. An allocator of zeros is the process default. The statuses of
// fr_walk_go; FR_ERROR_LIMIT beyond FR_MAX_CLIP_FRAMES frames.
FR_API fr_status fr_walk_set_record(const fr_walk_set *set, const fr_walk_goal *goals, size_t count,
                                    const fr_allocator *allocator, fr_clip **out, fr_error *error);

// How the last fr_walk_go was put together (Ichiguchi A.2).
typedef enum fr_walk_pattern {
    FR_WALK_STAND,
    FR_WALK_ONE_STEP,
    FR_WALK_TWO_STEPS,
    FR_WALK_TWO_PARTS,   // start and end
    FR_WALK_THREE_PARTS, // start, straight steps, end
    FR_WALK_ROUTE        // several goals, or a walk that goes on
} fr_walk_pattern;

typedef struct fr_walk_view {
    const fr_walk_set *set;
    fr_walk_pattern pattern;
    uint32_t frame;       // steps of fr_walk_step since the walk was planned, up to frame_count
    uint32_t frame_count; // steps until the body stands
    uint32_t part_count;  // clips that follow one another
    double length;        // metres of all parts
    fr_vec3 place;        // on the path, at this frame
    double heading;       // likewise
    bool is_walking;      // false: it stands
} fr_walk_view;

FR_API fr_walk_view fr_walk_get(const fr_walk *walk);

// The place on the path after so many further steps of fr_walk_step; after the last one it is where the walk ends.
FR_API fr_vec3 fr_walk_place_after(const fr_walk *walk, uint32_t steps);

// Looks along a walk, place by place, while the walk itself does not change: all zeros at first.
typedef struct fr_walk_cursor {
    uint32_t steps; // that it is ahead
    double time;    // the walk's own
} fr_walk_cursor;

// Moves the cursor on by so many steps, in time that grows with them, and returns fr_walk_place_after of all its steps.
FR_API fr_vec3 fr_walk_place_on(const fr_walk *walk, fr_walk_cursor *cursor, uint32_t steps);

#ifdef __cplusplus
}
#endif

#endif

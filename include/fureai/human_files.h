// Fureai human: motions as bytes. BVH files (motion capture, any skeleton) read and written, and motions of one
// skeleton carried over to another (retargeting).
//
// Everything works on memory; whoever has a file reads it first. Text is bounded in time and memory by its size.
#ifndef FUREAI_HUMAN_FILES_H
#define FUREAI_HUMAN_FILES_H

#include "human.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// BVH

typedef struct fr_bvh_input {
    const char *text;
    size_t size; // bytes
    double unit; // metres a unit of the file; 0, the default: guessed from the size of the skeleton, so that it
                 // stands between 0.5 and 2.5 m high
    fr_allocator allocator;    // of the results; default: the process default
    const fr_control *control; // looked at while frames are read; may be NULL
    uint32_t cookie;           // set by fr_default_bvh_input
} fr_bvh_input;

FR_API fr_bvh_input fr_default_bvh_input(void);

// What a file said of itself.
typedef struct fr_bvh_facts {
    uint32_t joint_count;     // without end sites
    uint32_t channel_count;   // numbers a frame
    uint32_t declared_frames; // by the line "Frames:"; the clip has those that are there
    double frame_time;        // seconds
    double unit;              // metres a unit, as used
    double height;            // metres from the lowest to the highest joint of the skeleton at rest
    double lost_travel;       // metres by which a joint that is not the root leaves its place: a clip holds turns alone
} fr_bvh_facts;

// Reads a file: its skeleton, with the joints in the order of the file, all rests the identity and roles by their names
// (CMU, Mixamo, Poser, H-Anim), and its motion as one clip of class FR_CLIP_MOCAP. Channels may come in any order and
// number; turns multiply in the order in which they are listed. `facts` may be NULL.
// FR_ERROR_SYNTAX with line and column for what is no BVH, a number that is missing or not finite, a name twice, a
// frame that ends early, no frame at all; FR_ERROR_LIMIT for more than FR_MAX_LINKS joints or FR_MAX_CLIP_FRAMES
// frames; FR_ERROR_STOPPED by the control; FR_ERROR_MEMORY.
FR_API fr_status fr_bvh_read(const fr_bvh_input *input, fr_skeleton **skeleton, fr_clip **clip, fr_bvh_facts *facts,
                             fr_error *error);

// Takes bytes of a file that is being written; false stops the writing.
typedef bool fr_bytes_fn(const char *bytes, size_t size, void *context);

// Writes a clip of a skeleton as BVH: metres times `scale`, one joint a link with Z, Y and X rotations in degrees (the
// rests become turns of the frames), end sites from the tips. Read back it gives the same places and turns within 1e-4
// degrees. FR_ERROR_ARGUMENT for a clip of more links than the skeleton, a name that holds a line break or a brace, or
// a scale that is not over 0; FR_ERROR_FILE where `write` returned false.
FR_API fr_status fr_bvh_write(const fr_skeleton *skeleton, const fr_clip *clip, double scale, fr_bytes_fn *write,
                              void *context, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

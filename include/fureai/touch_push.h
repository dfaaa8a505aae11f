// Fureai touch: pushing. A free body yields to what moves into it, by faces alone: no joint, no state.
//
// The least motion of the body that frees all faces, held over the whole course of a step: the body stays out of the
// pushers as they move, and out of everything that stands, at every time. Quasi-static: without a push the body stays.
// There is no gravity, no momentum and no friction; a hand that holds by friction does not hold here.
#ifndef FUREAI_TOUCH_PUSH_H
#define FUREAI_TOUCH_PUSH_H

#include "touch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_PUSH_SCRATCH_BYTES 1048576
#define FR_PUSH_MAX_PIECES 32
#define FR_PUSH_MAX_CONTACTS 32
#define FR_PUSH_MAX_PUSHERS 128

// What moves into the body: a tool, a segment of a hand.
typedef struct fr_pusher {
    fr_object_id object; // of the space; its pose and motion there are not looked at
    fr_motion motion;    // over the step, t = 0 .. 1
} fr_pusher;

typedef struct fr_push_input {
    const fr_space *space;    // current; all but the pushers stand where they are
    const fr_part_def *parts; // of the body
    uint32_t part_count;      // at least 1
    fr_pose pose;             // where the body is
    fr_rebound_body body;     // centre, inverse mass and inverse inertia at the pose: what weighs a travel against a
                              // turn; the rest is not read
    const fr_pusher *pushers; //
    uint32_t pusher_count;    // may be 0
    const fr_query_filter *filter; // which objects stand; ignore the body itself there. NULL: all but the pushers
    double skin;                   // metres the body is kept away from everything, > 0; default 1e-4
    uint32_t max_pieces;           // motions in a row, 1 .. FR_PUSH_MAX_PIECES, the default
    void *scratch;                 // FR_PUSH_SCRATCH_BYTES, aligned as a max_align_t, for one call at a time; needed
    uint32_t cookie;               // set by fr_default_push_input
} fr_push_input;

FR_API fr_push_input fr_default_push_input(void);

// What the body does while the pushers go from `begin` to `end` of their motions, both evenly.
typedef struct fr_push_piece {
    double begin, end; // of the step, 0 .. 1; equal where it steps off what it touched at the beginning
    fr_motion motion;  // of the body, over t = 0 .. 1
} fr_push_piece;

// What holds or pushes the body at the end of its last piece.
typedef struct fr_push_contact {
    fr_object_id object;
    bool is_pusher;
    fr_vec3 point;   // on the body, in the world
    fr_vec3 normal;  // from the body to the object
    double distance; // metres along the normal
} fr_push_contact;

typedef enum fr_push_end {
    FR_PUSH_ARRIVED, // the pushers went all of their motions
    FR_PUSH_JAMMED,  // no motion of the body frees it any further
    FR_PUSH_PIECES,  // max_pieces were gone before
    FR_PUSH_INSIDE   // it begins in something, and no step off is clear
} fr_push_end;

typedef struct fr_push_output {
    fr_pose pose;         // of the body at the end
    fr_rebound_body body; // with its centre and inertia there; the rest as it was
    double fraction;      // of their motions that the pushers got, 0 .. 1: stop them there
    fr_push_end end;
    fr_push_piece pieces[FR_PUSH_MAX_PIECES];
    uint32_t piece_count;
    fr_push_contact contacts[FR_PUSH_MAX_CONTACTS];
    uint32_t contact_count;
    uint32_t checks; // motions that were checked, of the body against all objects or one pusher
    uint32_t rows;   // constraints of the largest problem that was solved
} fr_push_output;

// Pushes a body over one step. Of all small motions that free it, it takes the one of the least m |v|^2 + w I w, v the
// travel of its centre and w its turn. Every piece is proven over its whole course by the exact query of
// fr_collide_move, with both in motion: no face goes through any other, at any time, up to `fraction`. Where a piece
// would, it ends before, and the next one goes on from there; where none is left the push is jammed, which is no error.
// A body that touches something at the beginning steps off by a skin first, if that is clear; a gap narrower than two
// skins is kept as it is. A body wholly within a solid, its faces clear, does not notice it. The pose at the end of a
// piece is fr_motion_pose(motion, 1). Const on the space, any thread, allocates nothing; the same input has the same
// output. Errors as of fr_collide_move; FR_ERROR_STALE_ID for a pusher that is gone.
FR_API fr_status fr_touch_push(const fr_push_input *input, fr_push_output *output, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

// A motion that is checked again and again by a caller that stores what is near to it.
#ifndef FUREAI_COLLIDE_MOVE_H
#define FUREAI_COLLIDE_MOVE_H

#include "collide/near_list.h"

// Pairs that are judged after a walk over much of a motion.
enum { FR__MOVE_FEW = 16 };

// What a query works in: the caller's, one query at a time.
typedef struct fr__move_memory {
    fr__swept_memory walk;
    fr__swept_candidate waiting[FR__FEW];
    fr__swept_candidate few[FR__MOVE_FEW];
} fr__move_memory;

// A face where the motion begins.
typedef struct fr__near_face {
    uint32_t triangle;      // counted as an object's
    uint64_t mark;          // the visitor's own; 0 at first, and whenever the face was forgotten between
    fr_vec3 corner[3];      // in the world
    fr_vec3 normal;         // unit; zero of a face without area
    double longest_squared; // of its edges
} fr__near_face;

// Faces that were visited last: each comes with many others.
enum { FR__NEAR_FACES = 1024 };

typedef struct fr__near_cache {
    fr__near_face a[FR__NEAR_FACES], b[FR__NEAR_FACES];
} fr__near_cache;

// Two faces that may be near one another: nothing proves them farther apart than the margin.
typedef struct fr__near_faces {
    fr_object_id object; // of the other face
    fr__near_face *a;    // of the geometry
    fr__near_face *b;    // of the object
} fr__near_faces;

// False ends the search.
typedef bool fr__near_faces_fn(const fr__near_faces *near, void *context);

// fr_collide_move, with the same result, for a caller whose queries are all about the same geometry, from poses near
// one another. `near` is the caller's, or NULL. With `ends_at_start` a contact at the very beginning ends the search:
// `hit` and `free_time` are written, of the contacts that one alone. With `object` it is about that one alone, which
// goes along `object_motion`, whatever the filter. With `visit` nothing is looked for along the motion: the pairs of
// faces that are within the margin where it begins are reported, in an order that depends on the input alone, each
// once.
typedef struct fr__move_options {
    fr__move_memory *memory;
    fr__near_list *near;
    bool ends_at_start;
    fr_object_id object;            // all zeros: all that the filter accepts
    const fr_motion *object_motion; // of that one
    fr__near_faces_fn *visit;       // may be NULL
    void *visit_context;            //
    fr__near_cache *visited;        // scratch of a visit; not NULL where `visit` is not
} fr__move_options;

// FR_ERROR_STALE_ID for an object that is not there, FR_ERROR_STALE_DATA for one with vertices that no update has seen.
fr_status fr__check_two(const fr_space *space, fr_object_id a, fr_object_id b, fr_error *error);

// FR_OK for an input that fr_collide_move accepts.
fr_status fr__move_check_input(const fr_move_input *input, fr_error *error);

fr_status fr__collide_move(const fr_move_input *input, const fr__move_options *options, fr_move_output *output,
                           fr_error *error);

// fr_collide_meet in memory of the caller's.
fr_status fr__collide_meet(const fr_meet_input *input, fr__move_memory *memory, fr_move_output *output,
                           fr_error *error);

#endif

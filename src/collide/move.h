// A motion that is checked again and again by a caller that stores what is near to it.
#ifndef FUREAI_COLLIDE_MOVE_H
#define FUREAI_COLLIDE_MOVE_H

#include "collide/near_list.h"

// What a query works in: the caller's, one query at a time.
typedef struct fr__move_memory {
    fr__swept_memory walk;
    fr__swept_candidate waiting[FR__FEW];
} fr__move_memory;

// fr_collide_move, with the same result, for a caller whose queries are all about the same geometry, from poses near
// one another. `near` is the caller's, or NULL. With `ends_at_start` a contact at the very beginning ends the search:
// `hit` and `free_time` are written, of the contacts that one alone.
typedef struct fr__move_options {
    fr__move_memory *memory;
    fr__near_list *near;
    bool ends_at_start;
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

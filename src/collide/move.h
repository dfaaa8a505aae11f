// A way that is asked about again and again by one who keeps what is near to it.
#ifndef FUREAI_COLLIDE_MOVE_H
#define FUREAI_COLLIDE_MOVE_H

#include "collide/near_list.h"

// fr_collide_move, with the same answer, for one whose questions are all about the same geometry, from poses near one
// another. `near` is the asker's, or NULL. With `ends_at_start` a contact at the very beginning ends the search: `hit`
// and `free_time` are told, of the contacts that one alone.
fr_status fr__collide_move(const fr_move_input *input, fr__near_list *near, bool ends_at_start, fr_move_output *output,
                           fr_error *error);

#endif

// Which of two objects is inside the other.
#ifndef FUREAI_COLLIDE_CONTAINMENT_H
#define FUREAI_COLLIDE_CONTAINMENT_H

#include "space/space.h"

// Whether object `inner`, no face of which crosses one of `outer`, is inside it: a vertex of each of its parts is
// within a closed part of `outer`, whether its faces are turned inwards or outwards.
bool fr__object_is_inside(const fr_space *space, uint32_t inner, uint32_t outer);

#endif

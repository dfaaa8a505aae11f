// Which of two objects is inside the other.
#ifndef FUREAI_COLLIDE_CONTAINMENT_H
#define FUREAI_COLLIDE_CONTAINMENT_H

#include "space/space.h"

typedef enum fr__object_place { FR__OBJECT_OUTSIDE, FR__OBJECT_INSIDE, FR__OBJECT_PARTLY_INSIDE } fr__object_place;

// Where object `inner`, no face of which crosses one of `outer`, is: inside when a vertex of each of its parts is
// within a closed part of `outer`, whether its faces are turned inwards or outwards. Where faces `may_touch`, none of
// the vertices may be outside: what touches the surface may lead through it, such as a face without area, and then it
// is partly inside.
fr__object_place fr__object_place_of(const fr_space *space, uint32_t inner, uint32_t outer, bool may_touch);

// Whether a world point is inside a part that is a solid: closed, with faces that are turned outwards. A closed part
// whose faces are turned inwards is a room, and what is in it is outside.
bool fr__part_holds(const fr__object *object, const fr__part *part, fr_vec3 point_world);

#endif

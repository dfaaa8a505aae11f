// The whole record of a pair that was found.
#ifndef FUREAI_COLLIDE_CONTACT_H
#define FUREAI_COLLIDE_CONTACT_H

#include "fureai/collide.h"

// Point, normal, distance and feature of two triangles at their world corners, with the flags the judge gave.
void fr__contact_measure(const fr_vec3 a[3], const fr_vec3 b[3], uint32_t flags, fr_contact *out);

// The contact of a pair of faces of a space.
void fr__contact_make(const fr_space *space, const fr_face_pair *pair, fr_contact *out);

#endif

// From a pair of faces that was found to its contact.
#ifndef FUREAI_COLLIDE_CONTACT_H
#define FUREAI_COLLIDE_CONTACT_H

#include "fureai/collide.h"

// Point, normal, distance and feature of two triangles at their world corners, with the flags the judge gave. With
// FR_CONTACT_SELF the parts are set in `out`.
void fr__contact_measure(const fr_vec3 a[3], const fr_vec3 b[3], uint32_t flags, fr_contact *out);

// Which faces of which parts a pair is; times as at an instant. Point, normal, distance, feature and sense are left.
void fr__contact_name(const fr_space *space, const fr_face_pair *pair, fr_contact *out);

// The world corners of a triangle of an object, which is in `part`, at its pose.
void fr__contact_corners(const fr_space *space, uint32_t object, uint32_t part, uint32_t triangle, fr_vec3 corners[3]);

// The contact of a pair of faces of a space.
void fr__contact_make(const fr_space *space, const fr_face_pair *pair, fr_contact *out);

#endif

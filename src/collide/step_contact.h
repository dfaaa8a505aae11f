// From what the judge of a step reported to pairs and contacts.
#ifndef FUREAI_COLLIDE_STEP_CONTACT_H
#define FUREAI_COLLIDE_STEP_CONTACT_H

#include "collide/judge.h"

// Time and flags of a hit.
void fr__step_set_time(fr_collide *scratch, const fr__face_hit *hit, fr_face_pair *pair);

// Times, point, normal, distance, approach and feature of a pair as the judge reported them.
void fr__step_measure(const fr__pair_geometry *geometry, fr__candidate candidate, const fr_time_output *result,
                      fr_contact *out);

// The whole contact of a hit. `geometry` is that of the hit before, as fr__pair_geometry_follow has it.
void fr__step_contact(const fr__run *run, const fr__face_hit *hit, const fr_face_pair *pair,
                      fr__pair_geometry *geometry, fr_contact *out);

#endif

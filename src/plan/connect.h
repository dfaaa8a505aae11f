// Proofs of motions off the lattice: from where a robot stands to the lattice, and from the lattice to its goal.
#ifndef FUREAI_PLAN_CONNECT_H
#define FUREAI_PLAN_CONNECT_H

#include "plan/robot.h"

FR_ARRAY_TYPE(fr__plan_place_array, fr_plan_place);

typedef enum fr__plan_proof { FR__PLAN_FREE, FR__PLAN_NOT_FREE, FR__PLAN_PROOF_NO_MEMORY } fr__plan_proof;

// Whether the robot, grown by `grow` cells on every side, meets no black cell and stays in the world; else, where
// `cell` is not NULL, the first cell that it meets.
fr__plan_proof fr__plan_prove_place(const fr__plan_bits *bits, const fr_plan_robot *robot, const fr_plan_place *place,
                                    double grow, int32_t cell[3]);

// Whether the motion between two places, positions straight and angles evenly by 180 degrees or less, is free all
// along. What is nearer than 1/64 cell to an obstacle counts as not free, but for a robot that stands at right angles
// and goes along one axis, where all is known.
fr__plan_proof fr__plan_prove_motion(const fr__plan_bits *bits, const fr_plan_robot *robot, const fr_plan_place *from,
                                     const fr_plan_place *to);

// A path of proven motions between two places near each other: first along the axes and then turning, or in
// the other order, or both at once. Appends the places after `from`, `to` included, to `places`; nothing where
// there is no proof.
fr__plan_proof fr__plan_connect(const fr__plan_bits *bits, const fr_plan_robot *robot, const fr_plan_place *from,
                                const fr_plan_place *to, fr__plan_place_array *places);

#endif

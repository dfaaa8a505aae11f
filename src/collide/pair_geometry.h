// The two parts of a part pair as the judge sees them: where they stand, and how they move over the step.
#ifndef FUREAI_COLLIDE_PAIR_GEOMETRY_H
#define FUREAI_COLLIDE_PAIR_GEOMETRY_H

#include "collide/course.h"

typedef struct fr__pair_geometry {
    fr__side a, b;
    fr__course course_a, course_b; // over a step
    uint32_t part_pair;            // index in the plan
    uint32_t object_pair;
    uint32_t flags; // of every contact of these parts
} fr__pair_geometry;

FR_ARRAY_TYPE(fr__pair_geometry_array, fr__pair_geometry);

// The side of a mesh that is no part of an object.
void fr__side_of_mesh(const fr_mesh *mesh, const fr_pose *part_pose, const fr_pose *object_pose, fr__side *out);

// The side of a part at its object's pose.
void fr__side_of_part(const fr_space *space, uint32_t object, uint32_t part, fr__side *out);

// Sides of two parts of a space and how they move over the step.
void fr__pair_geometry_move(const fr_space *space, uint32_t object_a, uint32_t part_a, uint32_t object_b,
                            uint32_t part_b, fr__pair_geometry *out);

// The same where `geometry` is already one of this query: makes it only for other parts. At first its a.object is
// FR_NONE.
void fr__pair_geometry_follow(const fr_space *space, uint32_t object_a, uint32_t part_a, uint32_t object_b,
                              uint32_t part_b, fr__pair_geometry *geometry);

// Whether both are the same part of the same object.
static inline bool fr__pair_is_self(const fr__pair_geometry *geometry) {
    return geometry->a.object == geometry->b.object && geometry->a.part == geometry->b.part;
}

#endif

// A part in the world: its corners, its box over the step, and the transform from the world into its frame for culling.
#ifndef FUREAI_SPACE_PART_H
#define FUREAI_SPACE_PART_H

#include "space/space.h"

// A vertex in the part's own frame.
static inline fr_vec3 fr__part_vertex(const fr__part *part, uint32_t vertex) {
    return part->vertices != NULL ? part->vertices[vertex] : fr__mesh_position(&part->mesh->view, vertex);
}

// The corners of a triangle of the part (counted within it) in the part's frame.
static inline void fr__part_corners_local(const fr__part *part, uint32_t triangle, fr_vec3 corners[3]) {
    const uint32_t *t = part->mesh->view.triangles + 3 * (size_t)triangle;
    for (int k = 0; k < 3; k++) {
        corners[k] = fr__part_vertex(part, t[k]);
    }
}

// The same corners in the world at the object's pose: the doubles of fr_object_corners.
static inline void fr__part_corners(const fr__object *object, const fr__part *part, uint32_t triangle,
                                    fr_vec3 corners[3]) {
    fr__part_corners_local(part, triangle, corners);
    for (int k = 0; k < 3; k++) {
        corners[k] = fr__frame_apply(&object->frame, fr__frame_apply(&part->frame, corners[k]));
    }
}

// The index of the part that holds a triangle of the object. The object has that triangle.
uint32_t fr__object_part_of(const fr__object *object, uint32_t triangle);

// One pose near the product of the two that place the part: for culling, never for results.
fr_pose fr__part_pose(const fr__object *object, const fr__part *part);

// An upper bound for the distance between a vertex in the world and the same by fr__part_pose in real arithmetic, for
// every point of the part's triangles.
double fr__part_rounding(const fr__object *object, const fr__part *part);

// Takes world points into a part's frame, up to a margin.
typedef struct fr__to_part {
    fr_mat3 turn;    // x_local = turn (x_world - origin)
    fr_vec3 origin;  // of the part, in the world
    double to_local; // local lengths a metre
    double rounding; // fr__part_rounding
    double reach;    // the largest coordinate of the part in the world, about
} fr__to_part;

fr__to_part fr__to_part_make(const fr__object *object, const fr__part *part);

static inline fr_vec3 fr__to_part_direction(const fr__to_part *to, fr_vec3 direction_world) {
    return fr_mat3_apply(to->turn, direction_world);
}

static inline fr_vec3 fr__to_part_point(const fr__to_part *to, fr_vec3 point_world) {
    return fr_mat3_apply(to->turn, fr_vec3_sub(point_world, to->origin));
}

// The greatest local distance between a point of the part and the image of the query point that coincides with it: all
// rounding of poses, of fr__to_part_point and of the exact tests. `largest` is the largest coordinate of the query in
// the world.
double fr__to_part_margin(const fr__to_part *to, double largest);

// Whether the part's mesh is closed as it was made.
static inline bool fr__part_is_made_closed(const fr__part *part) { return part->mesh->border.count == 0; }

// Sets the part's extent from its pose, its local bounds and its ball.
void fr__part_measure(fr__part *part);

// Whether no two world points of two parts at their objects' poses are within `margin` of one another, by their balls;
// false: not proven. Never proven for deformed parts.
bool fr__parts_are_apart(const fr__object *object_a, const fr__part *part_a, const fr__object *object_b,
                         const fr__part *part_b, double margin);

// The same over the whole step, along the motions and at both end poses.
bool fr__parts_stay_apart(const fr__object *object_a, const fr__part *part_a, const fr__object *object_b,
                          const fr__part *part_b, double margin);

// What the rounding of an object's path over the step grows with: the lengths that it adds up, times the angle of its
// turn and 2. For an object whose boxes are up to date.
double fr__object_path_size(const fr__object *object);

// Whether all vertices of an object go along its motion, none on a straight path of its own.
static inline bool fr__object_moves_rigidly(const fr__object *object) {
    return object->view.is_moving && object->view.next_vertices == NULL;
}

// Bounds in the world of all triangles over the step: at the pose, along the motion, and at the next pose. The object
// is fresh where it moves rigidly.
fr_bounds fr__part_world_bounds(const fr__object *object, const fr__part *part);

// The same of a part that may have changed since the last update: nothing derived from vertices that are new is read.
// O(vertices) of deformed ones. The object is fresh afterwards, unless its vertices are new.
fr_bounds fr__part_changed_bounds(const fr_space *space, const fr__object *object, const fr__part *part);

#endif

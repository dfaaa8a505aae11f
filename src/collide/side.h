// A side: one of the two parts of a part pair, with all that a hot loop needs at hand.
#ifndef FUREAI_COLLIDE_SIDE_H
#define FUREAI_COLLIDE_SIDE_H

#include "fureai/collide.h"
#include "math/frame.h"
#include "shape/leaf_corners.h"
#include "shape/tree_relation.h"

typedef struct fr__side {
    const fr_mesh *mesh;
    const fr_tree *tree;            // of the mesh, or of the object's own vertices
    const uint32_t *triangles;      // 3 vertex indices a triangle
    const float *positions_float;   // 3 a vertex; one of the two is NULL
    const double *positions_double; // 3 a vertex
    uint32_t triangle_count, vertex_count;
    uint32_t first_triangle;              // index in the object of the part's triangle 0
    uint32_t first_vertex;                // and of its vertex 0
    uint32_t object, part;                // index1 - 1 of the object's id, and the part in it
    bool is_deformed;                     // positions are the object's own
    bool part_is_identity;                // applying the part's pose changes nothing
    const fr__leaf_corners *leaf_corners; // of the tree's leaves; NULL: not at hand
    double largest;                       // largest absolute coordinate of a position
    fr_vec3 ball_center;                  // in the mesh: all positions that triangles use are within ball_radius of it
    double ball_radius;
    fr_pose part_pose, object_pose;
    fr__frame part_frame, object_frame;
} fr__side;

// Sets what follows from the poses, which are part_pose and object_pose.
void fr__side_set_poses(fr__side *side, const fr_pose *part_pose, const fr_pose *object_pose);

// Position of a vertex in the part.
static inline fr_vec3 fr__side_position(const fr__side *side, uint32_t vertex) {
    size_t i = 3 * (size_t)vertex;
    if (side->positions_double != NULL) {
        const double *p = side->positions_double + i;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    const float *p = side->positions_float + i;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

// The world position of a point of the part: fr_pose_apply(object, fr_pose_apply(part, v)). Leaving out the identity
// changes at most the sign of a zero.
static inline fr_vec3 fr__side_apply(const fr__side *side, fr_vec3 v) {
    if (!side->part_is_identity) { v = fr__frame_apply(&side->part_frame, v); }
    return fr__frame_apply(&side->object_frame, v);
}

// The world corners of a triangle, which the judge decides by.
static inline void fr__side_corners(const fr__side *side, uint32_t triangle, fr_vec3 corners[3]) {
    const uint32_t *t = side->triangles + 3 * (size_t)triangle;
    for (int k = 0; k < 3; k++) {
        corners[k] = fr__side_apply(side, fr__side_position(side, t[k]));
    }
}

// How far the world corners may be from where real arithmetic on one composed pose (fr__side_pose) puts them.
double fr__side_rounding(const fr__side *side);

// Object and part in one pose, rounded.
fr_pose fr__side_pose(const fr__side *side);

// Whether no two world points of the sides are within `margin` of one another, by two balls; false: not proven.
bool fr__sides_are_apart(const fr__side *a, const fr__side *b, double margin);

// What corners of both sides in b's frame, as floats, can prove: see side.c.
typedef struct fr__corner_bounds {
    float plane; // a distance to a plane is sure beyond this times the size of the plane's products, and floor
    float floor; // what underflow may take
    float slack; // no coordinate of a corner is farther off
} fr__corner_bounds;

typedef struct fr__relation {
    fr__tree_relation tree;
    bool has_corners; // those of both sides are at hand, and no number can overflow
    bool is_moving;   // signs of corners are those of the beginning: they prove what crosses then, not what stays apart
    fr__corner_bounds corners;
} fr__relation;

// How the sides stand to one another, such that no pair of triangles is lost whose world corners make triangles within
// `margin` of one another.
fr__relation fr__sides_relate(const fr__side *a, const fr__side *b, double margin);

// The same while the sides move, such that no pair is lost whose triangles come within `margin` of where those of the
// other stand now. What the walk reports as crossing crosses now.
fr__relation fr__sides_relate_moving(const fr__side *a, const fr__side *b, double margin);

#endif

// Two objects that move from cycle to cycle, as the faithful methods take them and as a space holds them.
#ifndef FUREAI_EXPERIMENTS_TWO_MOVERS_H
#define FUREAI_EXPERIMENTS_TWO_MOVERS_H

#include "collide/faithful/face_cycle.h"
#include "fureai/collide.h"

typedef struct two_movers {
    fr_mesh *meshes[2];
    fr_vec3 *points[2]; // three runs of vertex_count: local, at the start, at the end
    fr_face_object faces[2];
    fr_space *space;
    fr_object_id ids[2];
    fr_face_cycle *cycle; // of the faithful method
    fr_collide *collide;  // of the fast path
} two_movers;

// Makes one of each mesh, which are retained and may be the same. On failure nothing is left behind.
fr_status two_movers_create(const fr_mesh *const meshes[2], two_movers *out, fr_error *error);
void two_movers_destroy(two_movers *movers);

// Puts both where they are at the beginning of a cycle, and says where they will be at its end.
fr_status two_movers_place(two_movers *movers, const fr_pose start[2], const fr_pose end[2], fr_error *error);

// One cycle of the faithful method; the input's objects are filled in.
fr_status two_movers_cycle(two_movers *movers, const fr_face_cycle_input *like, fr_face_cycle_output *output,
                           fr_error *error);

// The same step by the fast path: fr_collide_continuous_pair by the tree, one thread, every pair, with its time where
// the judge decides.
fr_status two_movers_fast(two_movers *movers, fr_narrow narrow, const fr_control *control, fr_collide_output *output,
                          fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Spheres A and B of Kitamura's table 2.1

// Diameter of the spheres and edge of the root, in the source's unit, the voxel of depth 4.
#define SPHERES_DIAMETER 3.8
#define SPHERES_ROOT 16.0

typedef struct spheres_motion {
    double speed;    // times the table's translations and rotations
    fr_vec3 offset;  // of both
    double phase;    // in cycles
    fr_vec3 turn[2]; // how each is turned before it begins to, a rotation vector
} spheres_motion;

// Where the two are at a cycle: a phase of 0 begins at the table's places.
void spheres_poses(const spheres_motion *motion, double cycle, fr_pose out[2]);

// Puts the two at the beginning of a cycle.
fr_status spheres_place(two_movers *movers, const spheres_motion *motion, int cycle, fr_error *error);

#endif

// What the files of the assembly share: a part with what is made from it, and the state.
#ifndef FUREAI_HAND_ASSEMBLY_H
#define FUREAI_HAND_ASSEMBLY_H

#include "fureai/collide.h"
#include "fureai/hand.h"

// A part with what creation makes of it.
typedef struct fr__assembly_piece {
    fr_assembly_part def; // name and `after` are the assembly's own
    char name[FR_ASSEMBLY_NAME_BYTES];
    uint32_t kind;      // the lowest part that it is equal to, itself included
    double scale;       // of its object
    fr_bounds box;      // of the object in its own axes, not scaled
    fr_part_def *parts; // of the object, thinner by the slack; the meshes are retained
    uint32_t part_count;
} fr__assembly_piece;

struct fr_assembly {
    fr__assembly_piece *pieces;
    fr_assembly_state *states;
    uint32_t *in_place; // part that stands in a place
    uint32_t count;
    uint32_t *after; // one list after another
    uint32_t after_count;
    fr_allocator allocator;
};

// How far an object at a pose is from a place.
typedef struct fr__assembly_error {
    fr_pose target;       // by symmetry the nearest
    fr_quat turn;         // of the symmetry
    fr_vec3 displacement; // of the middle of the box, to the target
    double along;         // that part of it that leads along the insertion
    fr_vec3 insertion;    // in the world, unit or zero
    double distance, angle;
} fr__assembly_error;

// The same mesh with every face moved inwards by `slack`, in the mesh's own units.
fr_status fr__assembly_thin(const fr_mesh *mesh, double slack, const fr_allocator *allocator, fr_mesh **out,
                            fr_error *error);

// The middle of a part's box at a pose of its object.
fr_vec3 fr__assembly_middle(const fr__assembly_piece *piece, const fr_pose *pose);

// FR_ERROR_STALE_ID when the object that the place counts from is not there any more.
fr_status fr__assembly_measure(const fr_assembly *assembly, const fr_space *space, uint32_t place, uint32_t part,
                               const fr_pose *pose, fr__assembly_error *out, fr_error *error);

// Whether a place stands directly after another.
bool fr__assembly_follows(const fr_assembly *assembly, uint32_t place, uint32_t before);

// The predecessor of a place that is not filled; FR_NONE: it is ready.
uint32_t fr__assembly_missing(const fr_assembly *assembly, uint32_t place);

// What blocks a part that would go to its place from a pose; all zeros: nothing.
fr_status fr__assembly_check_path(const fr_assembly *assembly, const fr_space *space, uint32_t part, uint32_t place,
                                  const fr_pose *pose, const fr__assembly_error *error_of, fr_object_id *blocker,
                                  fr_error *error);

// Fills or empties a place.
void fr__assembly_settle(fr_assembly *assembly, uint32_t part, uint32_t place, fr_quat turn);

#endif

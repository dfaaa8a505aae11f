// Fureai shape: screw threads. A rod with an outer thread and a hexagon nut with the inner one, of the ISO metric
// profile, with real helical flanks and any number of faces.
#ifndef FUREAI_SHAPE_THREAD_H
#define FUREAI_SHAPE_THREAD_H

#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_THREAD_MAX_SLICES 65536
#define FR_THREAD_MAX_FLANK_STRIPS 1024

typedef struct fr_thread_def {
    double diameter; // metres, of the crests of the rod (major diameter), default 0.008
    double pitch;    // metres a turn, right-handed, > 0; default 0.00125
    double length;   // of the rod or the nut, at least one pitch; default 0.0065
    double gap;      // of a nut: metres along the normal between its surface and the rod's where both have one axis
                     // and the flanks are in the middle of their play; 0 .. pitch / 5, default 0
    double across;   // of a nut: between opposite flats of its hexagon, corners along x; 0: a rod; default 0
    uint32_t slices; // around the axis, 6 .. FR_THREAD_MAX_SLICES; default 48
    uint32_t flank_strips; // of faces from crest to root, 1 .. FR_THREAD_MAX_FLANK_STRIPS; default 1
    fr_axis axis;          // default FR_AXIS_Z
    uint32_t cookie;       // set by fr_default_thread_def
} fr_thread_def;

FR_API fr_thread_def fr_default_thread_def(void);

// A rod or a nut about an axis through the origin, its middle there: closed, faces outwards, about
// 4 (flank_strips + 1) slices length / pitch triangles. `like` as of the primitives. The thread of rod and nut of one
// diameter, pitch and axis fit into one another as they are made, and turned by any angle a with a travel of
// a pitch / (2 pi). Crests are an eighth of the pitch wide, roots a quarter, flanks stand at 60 degrees to one another;
// the thread ends where the flat ends cut it. Faces are flat, so between two slices the rod is thinner by up to
// diameter / 2 (1 - cos(pi / slices)), and the hole of a nut narrower. FR_ERROR_ARGUMENT for a size outside its limits
// or a hexagon that does not hold the thread, FR_ERROR_LIMIT for more triangles than a mesh may have, FR_ERROR_MEMORY.
FR_API fr_status fr_mesh_create_thread(const fr_thread_def *def, const fr_mesh_def *like, fr_mesh **out,
                                       fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

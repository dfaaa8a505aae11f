// A mesh whose faces lie a little behind those of another: what rests on the one does not touch the other.
#ifndef FUREAI_SHAPE_MESH_INSET_H
#define FUREAI_SHAPE_MESH_INSET_H

#include "fureai/shape.h"

#define FR__INSET_MAX 2.5 // times the depth: no corner is moved farther

// Makes a mesh of the same triangles, each with corners of its own (doubles), that lies `depth` > 0 inside of `mesh`.
// Outside is where the faces look, or the other side where the volume is negative. The border of an open mesh moves
// into its faces. Where that would move a corner farther than FR__INSET_MAX times the depth, faces go less deep.
// O(n log n). FR_ERROR_MEMORY.
fr_status fr__mesh_inset(const fr_mesh *mesh, double depth, const fr_allocator *allocator, fr_mesh **out,
                         fr_error *error);

#endif

// The memory in which meshes become cells.
#ifndef FUREAI_OCTREE_BUILDER_H
#define FUREAI_OCTREE_BUILDER_H

#include "math/point_array.h"
#include "octree/octree.h"

FR_ARRAY_TYPE(fr__int32_array, int32_t);

struct fr_octree_builder {
    fr_allocator allocator;
    const fr_mesh *mesh;    // retained: what the pieces belong to
    fr_uint32_array order;  // the triangles of closed pieces, piece after piece
    fr_uint32_array pieces; // where each piece ends in `order`
    fr_uint32_array used;   // the vertices of triangles, each once
    fr__vec3_array points;  // one a vertex: in voxels from the root
    fr__int32_array grid;   // 3 a vertex: the same, rounded
    fr_uint32_array rows;   // the inside, then one piece's
};

// Finds the closed pieces of a mesh, once for each mesh.
fr_status fr__builder_take_mesh(fr_octree_builder *builder, const fr_mesh *mesh, fr_error *error);

// Fills `rows` (all zeros) with the inside of the closed pieces; `scratch` holds as many. Grid points are 2^-fraction
// voxel.
void fr__builder_fill_inside(const fr_octree_builder *builder, uint32_t depth, int fraction, uint32_t *rows,
                             uint32_t *scratch);

// Called for a voxel; false ends the search.
typedef bool fr__voxel_fn(uint32_t x, uint32_t y, uint32_t z, void *context);

// Every voxel of a root that shares a point with a triangle, its corners in voxels. Returns false when it was ended.
bool fr__triangle_voxels(const fr_vec3 corners[3], uint32_t depth, fr__voxel_fn *found, void *context);

// Adds the voxels that share a point with a triangle.
void fr__builder_add_surface(const fr_octree_builder *builder, uint32_t depth, uint32_t *rows);

#endif

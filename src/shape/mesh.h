// The private structure of a mesh. All arrays live in one block that begins with its own description, so that a cooked
// mesh is the block, the tree's bytes after it, and a hash over both.
#ifndef FUREAI_SHAPE_MESH_H
#define FUREAI_SHAPE_MESH_H

#include "fureai/shape.h"
#include "shape/leaf_corners.h"
#include "shape/mesh_border.h"
#include "shape/node_lean.h"

#include <stdatomic.h>

// The alignment of the block and of every array in it.
#define FR__MESH_ALIGN 64u

// The header of a block. Little endian, offsets in bytes from the beginning of the block.
typedef struct fr__mesh_header {
    char magic[8];
    uint32_t version;
    uint32_t keeps_double; // 0 or 1
    uint64_t size;         // of the whole cooked piece
    uint64_t hash;         // of all after this field, seeded with size
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t face_count;
    uint32_t degenerate_count;
    uint64_t positions_offset;
    uint64_t triangles_offset;
    uint64_t faces_offset; // 0: each triangle is its own polygon
    uint64_t degenerate_offset;
    uint64_t tree_offset; // 0 while the tree is not part of the piece
    uint64_t tree_bytes;
    double bounds[6]; // min x y z, max x y z
    double largest;
    double rounding;
    uint64_t unused[8]; // zero
} fr__mesh_header;

_Static_assert(sizeof(fr__mesh_header) == 224, "the header of a cooked mesh has a fixed layout");

struct fr_mesh {
    fr_mesh_view view;
    const uint64_t *degenerate; // one bit a triangle
    fr_tree *tree;
    fr__mesh_border border;         // for the winding number; not part of the block
    fr__leaf_corners *leaf_corners; // one a leaf of the tree; not part of the block
    fr__node_lean *node_leans;      // one a node of it; likewise
    fr_vec3 ball_center;            // all corners of triangles are within ball_radius of it; not part of the block
    double ball_radius;
    double bend;        // the largest tangent of the angle between the normal of a triangle, no sliver, and that of its
                        // polygon, the triangles of that number one after another; 0 where each is its own polygon,
                        // infinite beyond a right angle. Not part of the block
    double facing;      // as of fr__volume_sign_end; 0 for a surface that is not closed. Not part of the block
    const void *block;  // room for a header, the arrays, and the tree where the mesh came as one cooked piece
    size_t block_bytes; // of all of it
    size_t arrays_bytes; // without the tree
    bool owns_block;
    atomic_uint references;
    fr_allocator allocator;
};

// Where the arrays of a block lie.
typedef struct fr__mesh_layout {
    size_t positions, triangles, faces, degenerate, end;
} fr__mesh_layout;

// False when the block would not fit in memory.
bool fr__mesh_lay_out(uint32_t vertex_count, uint32_t triangle_count, bool keeps_double, bool has_faces,
                      fr__mesh_layout *out);

// A position as doubles.
static inline fr_vec3 fr__mesh_position(const fr_mesh_view *view, uint32_t vertex) {
    size_t i = 3 * (size_t)vertex;
    if (view->positions_double != NULL) {
        const double *p = view->positions_double + i;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    const float *p = view->positions_float + i;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

// Corner points of a triangle.
static inline void fr__mesh_corners(const fr_mesh_view *view, uint32_t triangle, fr_vec3 corners[3]) {
    const uint32_t *t = view->triangles + 3 * (size_t)triangle;
    for (int k = 0; k < 3; k++) {
        corners[k] = fr__mesh_position(view, t[k]);
    }
}

// Whether the caller of a long call wants it to end. A loop calls this for every item, but only every 65,536th item
// calls the control's function: well below a millisecond apart where all is in the cache, about ten where nothing is.
static inline bool fr__is_stopped(const fr_control *control, size_t item) {
    return item % 0x10000u == 0 && fr_control_is_stopped(control);
}

// Makes what stands beside the block of a mesh whose tree and border are known: leaf_corners, node_leans, the ball
// about the middle of the bounds, bend and facing. FR_ERROR_MEMORY, FR_ERROR_STOPPED.
fr_status fr__mesh_finish(fr_mesh *mesh, const fr_control *control, fr_error *error);

// Triangles lower than this part of their longest edge: their normals mean little.
#define FR__SLIVER 1e-6

// Which direction the faces of a closed surface look in, by the sign of the volume that they enclose.
typedef struct fr__volume_sign {
    fr_vec3 middle;
    double volume, size; // six times the volume, and what rounding is a part of
} fr__volume_sign;

static inline fr__volume_sign fr__volume_sign_begin(const fr_bounds *bounds) {
    return (fr__volume_sign){fr_bounds_center(bounds), 0.0, 0.0};
}

static inline void fr__volume_sign_add(fr__volume_sign *sign, const fr_vec3 corners[3]) {
    fr_vec3 a = fr_vec3_sub(corners[0], sign->middle), b = fr_vec3_sub(corners[1], sign->middle);
    double volume = fr_vec3_dot(a, fr_vec3_cross(b, fr_vec3_sub(corners[2], sign->middle)));
    sign->volume += volume;
    sign->size += fabs(volume);
}

// 1: outwards; -1: inwards; 0: the surface encloses nothing, or too little to say.
static inline double fr__volume_sign_end(const fr__volume_sign *sign) {
    if (!(fabs(sign->volume) > 1e-12 * sign->size)) { return 0.0; }
    return sign->volume > 0.0 ? 1.0 : -1.0;
}

// The box of a triangle, about the mesh's origin.
fr_box fr__mesh_triangle_box(const fr_mesh_view *view, uint32_t triangle);

// Checks every index and position, and computes bounds, largest, face_count and degenerate_count of a view whose arrays
// and counts are set, and the degenerate bits (one word for 64 triangles). The first defect is the error;
// FR_ERROR_STOPPED.
fr_status fr__mesh_measure(fr_mesh_view *view, uint64_t *degenerate, const fr_control *control, fr_error *error);

#endif

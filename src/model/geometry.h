// The geometry nodes of VRML97 and X3D as polygons: each function appends one part to a builder. The values of the
// fields come as plain arrays, which may be anything: what cannot be used is left out with a warning.
#ifndef FUREAI_MODEL_GEOMETRY_H
#define FUREAI_MODEL_GEOMETRY_H

#include "builder.h"
#include "names.h"

// Takes a warning about the field at `at`, a pointer that the caller put into a node's struct and that is not looked
// at. Anything but FR_OK ends the node with that status: so a strict reader stops.
typedef fr_status fr__geometry_warn_fn(void *context, const char *at, const char *message);

// Where parts go, and memory that is kept from one node to the next.
typedef struct fr__geometry {
    fr__builder *builder;
    fr__geometry_warn_fn *warn;
    fr__geometry_warn_fn *note; // of what is allowed and gives less than it may seem to; NULL: `warn` takes it
    void *warn_context;
    double unit;      // metres a unit of the file, for the default of the tolerance; 1
    double tolerance; // units that facets may lie inside of a curve; 0: the greater of 0.1 mm and radius / 1000
    fr_arena *scratch;
    fr__names made;             // primitives that have a part already, by their bytes
    fr_uint32_array made_parts; // beside them
    size_t primitive_points;    // of all primitives so far
    size_t checked_corners;     // of polygons that were cut to see whether they can be
} fr__geometry;

// Every function below returns FR_OK; what `warn` returned; or, when the builder failed,
// FR_ERROR_MEMORY, FR_ERROR_LIMIT or FR_ERROR_STOPPED, which fr__reader_fail_building distinguishes and puts into
// words. The part is the builder's last one, and may be without polygons. Polygons are numbered on from the builder's
// next number: one that is left out keeps its own.

// The builder's allocator gives the memory.
fr_status fr__geometry_create(fr__builder *builder, fr__geometry_warn_fn *warn, void *warn_context, fr__geometry *out);
void fr__geometry_destroy(fr__geometry *geometry);

// Colours, normals or texture coordinates. Not there: count 0 and values NULL.
typedef struct fr__attribute {
    const float *values;    // colours 3 or 4 numbers each, normals 3, texture coordinates 2
    size_t count;           // of colours and so on, not of numbers
    uint32_t width;         // numbers each
    const int32_t *indices; // NULL: none were given
    size_t index_count;
    bool per_face;        // one a polygon, not one a corner; never with texture coordinates
    const char *at;       // place of the values, for warnings
    const char *index_at; // place of the indices
} fr__attribute;

// How indices make polygons.
typedef enum fr__face_layout {
    FR__POLYGONS,        // each ends with -1; the last may go without
    FR__TRIANGLES,       // three each
    FR__QUADS,           // four each
    FR__TRIANGLE_STRIPS, // each strip ends with -1
    FR__TRIANGLE_FANS    // each fan ends with -1
} fr__face_layout;

// IndexedFaceSet, and X3D's sets of triangles and quads.
typedef struct fr__face_set {
    const void *points; // 3 numbers a point, floats or doubles as the builder has them
    size_t point_count;
    const int32_t *indices; // coordIndex; NULL in the sets without indices: 0, 1, 2, ...
    size_t index_count;
    fr__face_layout layout;
    const int32_t *runs; // stripCount, fanCount: how many points each strip or fan has; NULL where -1 ends them
    size_t run_count;
    fr__attribute colors, normals, uvs;
    bool ccw, solid, convex; // polygons are cut by their form, whatever convex says
    bool is_moved;           // a track moves the points: polygons without area may get one
    bool only_used; // keep the points that indices name and leave out the others: where many nodes share the points.
                    // Never for points that a track moves
    bool wants_uvs; // there is a texture: give texture coordinates where the file gives none
    double crease_angle;
    const char *at;       // place of the node
    const char *index_at; // place of its indices; `at` is taken where it is NULL, here and in attributes
} fr__face_set;

// The defaults of VRML97: ccw, solid, convex, colours and normals per vertex.
fr__face_set fr__default_face_set(void);

fr_status fr__add_face_set(fr__geometry *geometry, const fr__face_set *set);

// Box, Sphere, Cylinder, Cone: kept as such beside their polygons. Boxes have 6 polygons; spheres a pole along y; the
// ends of cylinders and cones are one polygon each. A size that is not above 0 is warned of and gives no polygons. Once
// the primitives of a file have 2^21 vertices together, further ones get the fewest facets, and a warning.
typedef struct fr__primitive_node {
    fr_model_primitive primitive; // see there for the sizes; has_side, has_top, has_bottom as the node says
    bool solid;
    bool wants_uvs;
    const float *part_colors; // of VRML 1.0's parts: front, back, left, right, top, bottom of a box; side, top, bottom
                              // of a cylinder; side, bottom of a cone. The last one is repeated. NULL: none
    uint32_t part_color_count, part_color_width;
    const char *at;
} fr__primitive_node;

// *part is the part to use: one that was made for the same primitive before, or a new one.
fr_status fr__add_primitive(fr__geometry *geometry, const fr__primitive_node *node, uint32_t *part);

// ElevationGrid. Vertex (i, j) is number i + j * x_dimension, quad (i, j) number i + j * (x_dimension - 1).
typedef struct fr__elevation_grid {
    int32_t x_dimension, z_dimension;
    double x_spacing, z_spacing;
    const void *heights; // floats or doubles as the builder has them; rows that they do not fill are left out
    size_t height_count;
    fr__attribute colors, normals, uvs; // without indices
    bool ccw, solid;
    bool wants_uvs;
    double crease_angle;
    const char *at;
} fr__elevation_grid;

// Spacings 1, ccw, solid, colours and normals per vertex.
fr__elevation_grid fr__default_elevation_grid(void);

fr_status fr__add_elevation_grid(fr__geometry *geometry, const fr__elevation_grid *grid);

// Extrusion. Vertices are numbered along the section, then along the spine; where the section is closed its last point
// is its first, and so for a closed spine whose ends fall together. Polygons: the quads in the order of the vertices,
// then the cap at the begin, then the one at the end.
typedef struct fr__extrusion {
    const float *section; // x and z of each point
    size_t section_count;
    const float *spine; // 3 each
    size_t spine_count;
    const float *scales; // 2 each; one for all, or one a point of the spine: the last is repeated
    size_t scale_count;
    const float *turns; // axis and angle; as the scales
    size_t turn_count;
    bool begin_cap, end_cap;
    bool ccw, solid, convex;
    bool wants_uvs;
    double crease_angle;
    const char *at;
} fr__extrusion;

// The square section, the spine of one unit, caps, ccw, solid, convex.
fr__extrusion fr__default_extrusion(void);

fr_status fr__add_extrusion(fr__geometry *geometry, const fr__extrusion *extrusion);

#endif

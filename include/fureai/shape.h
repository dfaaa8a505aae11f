// Fureai shape: the geometry of all other rooms. Meshes, skins, planar faces, primitives, the tree of boxes, and the
// exact tests between triangles, segments, points, boxes and convex sets.
//
// Everything here is in one frame, "local" unless a name says otherwise. Meshes are immutable once made and may be read
// from any thread. Tests are pure functions.
#ifndef FUREAI_SHAPE_H
#define FUREAI_SHAPE_H

#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

// The index that means none.
#define FR_NONE UINT32_MAX

// ---------------------------------------------------------------------------------------------------------------
// Tree of boxes (a bounding volume hierarchy, BVH)

// A tree of 8-wide nodes over numbered boxes, with at most 4 boxes a leaf.
typedef struct fr_tree fr_tree;

#define FR_TREE_MAX_ITEMS (1u << 28)

typedef struct fr_tree_def {
    const fr_box *boxes; // box of every item; NaN, min > max, min = +inf or max = -inf is FR_ERROR_NOT_FINITE
    uint32_t count;      // 0 .. FR_TREE_MAX_ITEMS
    const fr_tasks
        *tasks; // workers of the build; NULL: the calling thread. The tree is the same for any number of workers
    const fr_control *control; // stop and progress; may be NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_tree_def
} fr_tree_def;

FR_API fr_tree_def fr_default_tree_def(void);

// Builds by binned surface-area heuristic, O(n log n). The boxes are copied.
FR_API fr_status fr_tree_create(const fr_tree_def *def, fr_tree **out, fr_error *error);
FR_API void fr_tree_destroy(fr_tree *tree);

// New boxes for the same items, same shape of the tree, O(n), allocates nothing. FR_ERROR_ARGUMENT for another count,
// FR_ERROR_NOT_FINITE for what is no box; the tree is then as before. Exclusive.
FR_API fr_status fr_tree_refit(fr_tree *tree, const fr_box *boxes, uint32_t count, const fr_tasks *tasks,
                               fr_error *error);

// The expected cost of a query now over that just after the build; 1 after a build, grows as refits spoil the tree.
FR_API double fr_tree_quality(const fr_tree *tree);

// Refits, then builds again when the quality is above `limit` (2 is a good one; below 1: always builds). On failure the
// tree is refitted and usable.
FR_API fr_status fr_tree_update(fr_tree *tree, const fr_box *boxes, uint32_t count, double limit, const fr_tasks *tasks,
                                fr_error *error);

typedef struct fr_tree_stats {
    uint32_t item_count;
    uint32_t node_count;
    uint32_t leaf_count;
    uint32_t depth;  // nodes on the longest path from the root; 0 when empty
    size_t bytes;    // memory held
    double sah_cost; // expected boxes tested by a random ray that meets the root
} fr_tree_stats;

FR_API fr_tree_stats fr_tree_get_stats(const fr_tree *tree);

// Checks the whole structure: every item once, every box inside its parent's. For tests.
FR_API bool fr_tree_validate(const fr_tree *tree, fr_error *error);

// Called for each item found. Return false to end the search.
typedef bool fr_tree_item_fn(uint32_t item, void *context);

// Every item whose closed box overlaps `box`, in no particular order. Returns false when the callback ended it.
FR_API bool fr_tree_overlap_box(const fr_tree *tree, const fr_box *box, fr_tree_item_fn *found, void *context);

// ---------------------------------------------------------------------------------------------------------------
// Mesh

// Triangles that never change: positions, corners, polygon of each, and their tree. Reference-counted: code that stores
// one retains it. Made once, read from any thread.
typedef struct fr_mesh fr_mesh;

#define FR_MESH_MAX_VERTICES (1u << 30)
#define FR_MESH_MAX_TRIANGLES (1u << 28)

typedef struct fr_mesh_def {
    const float *positions_float;   // 3 a vertex; exactly one of the two is given unless vertex_count is 0
    const double *positions_double; // 3 a vertex
    uint32_t vertex_count;          // up to FR_MESH_MAX_VERTICES
    const uint32_t *triangles;      // 3 vertex indices a triangle, counter-clockwise seen from outside
    uint32_t triangle_count;        // 1 .. FR_MESH_MAX_TRIANGLES
    const uint32_t *faces;          // the polygon each triangle came from, counted from 0; NULL: its own number
    bool is_double;                 // keep double positions; default false: round them to the nearest float
    const fr_tasks *tasks;          // workers of the tree's build; may be NULL
    const fr_control *control;      // may be NULL
    fr_allocator allocator;         // default: the process default
    uint32_t cookie;                // set by fr_default_mesh_def
} fr_mesh_def;

FR_API fr_mesh_def fr_default_mesh_def(void);

// Makes a mesh with one reference; all arrays are copied. Fails with the first defect named in the message: no
// triangle, an index out of range (which triangle, which index), a position that is not finite or beyond the floats'
// range, doubles too (which vertex). Degenerate triangles are kept and marked.
FR_API fr_status fr_mesh_create(const fr_mesh_def *def, fr_mesh **out, fr_error *error);

// One more, one fewer reference; the last one destroys. Any thread. NULL is ignored by release.
FR_API fr_mesh *fr_mesh_retain(const fr_mesh *mesh);
FR_API void fr_mesh_release(const fr_mesh *mesh);

// What a mesh holds, to read while it lives.
typedef struct fr_mesh_view {
    const float *positions_float;   // 3 a vertex, or NULL when the mesh keeps doubles
    const double *positions_double; // 3 a vertex, or NULL when the mesh keeps floats
    uint32_t vertex_count;
    const uint32_t *triangles; // 3 vertex indices a triangle
    uint32_t triangle_count;
    const uint32_t *faces; // polygon of each triangle; NULL: its own number
    uint32_t face_count;   // 1 + the largest polygon number
    const fr_tree *tree;   // over the triangles' boxes
    fr_bounds bounds;      // of the vertices that triangles use
    double largest;        // largest absolute coordinate of any vertex
    double rounding;       // largest change of a coordinate when doubles became floats; 0 otherwise
    uint32_t degenerate_count;
} fr_mesh_view;

FR_API const fr_mesh_view *fr_mesh_get(const fr_mesh *mesh);

// Corner points of a triangle, as doubles. `triangle` < triangle_count.
FR_API void fr_mesh_corners(const fr_mesh *mesh, uint32_t triangle, fr_vec3 corners[3]);

// The normal at each vertex (smooth shading): the mean of the triangles around it, larger ones counting more. Unit; +Y
// where there is none. Writes one a vertex. O(triangles).
FR_API void fr_mesh_vertex_normals(const fr_mesh *mesh, fr_vec3 *normals);

// Draws a triangle, and all triangles of a mesh in its own frame, each in one call of `draw`.
FR_API void fr_triangle_draw(const fr_vec3 corners[3], const fr_draw *draw, fr_color color);
FR_API void fr_mesh_draw(const fr_mesh *mesh, const fr_draw *draw, fr_color color);

// The polygon of a triangle.
FR_API uint32_t fr_mesh_face(const fr_mesh *mesh, uint32_t triangle);

// Whether a triangle is (nearly) a segment or a point: area <= 1e-14 times its longest edge squared.
FR_API bool fr_mesh_is_degenerate(const fr_mesh *mesh, uint32_t triangle);

// Mass properties of the surface and, where the mesh is closed, of the solid inside, for density 1.
typedef struct fr_mass {
    double area;     // of all triangles
    double volume;   // signed, > 0 when faces point outwards; meaningful for closed meshes only
    fr_vec3 center;  // of the solid; of the surface where |volume| is below 1e-12 of the diagonal cubed
    fr_mat3 inertia; // of the solid about its centre
} fr_mass;

FR_API fr_mass fr_mesh_mass(const fr_mesh *mesh);

// The neighbours of triangles. Edge e = 3 t + k goes from corner k to corner k + 1 of triangle t. A triangle with two
// corners at one vertex is collapsed: it takes no part, and its neighbours are beside each other.
typedef struct fr_topology {
    uint32_t edge_count;       // 3 a triangle
    const uint32_t *twin;      // the one other edge between the same two vertices, FR_NONE at a border or where
                               // more than two triangles meet
    uint32_t border_edges;     // edges with no other
    uint32_t crowded_edges;    // edges where more than two triangles meet
    uint32_t flipped_edges;    // edges whose twin has the same direction: the two faces disagree on what is outside
    uint32_t component_count;  // connected through twins
    const uint32_t *component; // of each triangle, from 0 by lowest triangle; FR_NONE for a collapsed one
    bool is_closed;            // no border, no crowded, no flipped edge
    bool is_manifold;          // no crowded edge, and the triangles around each vertex form one fan
} fr_topology;

typedef struct fr_topology_def {
    bool is_welded;            // vertices at the same position count as one (files such as STL repeat them); default no
    const fr_control *control; // may stop the call; may be NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_topology_def
} fr_topology_def;

FR_API fr_topology_def fr_default_topology_def(void);

// Finds it, O(n), and O(k log k) at a vertex of k edges. Destroy with fr_topology_destroy; valid without the mesh.
// FR_ERROR_STOPPED when the control said so, FR_ERROR_MEMORY.
FR_API fr_status fr_topology_create(const fr_mesh *mesh, const fr_topology_def *def, fr_topology **out,
                                    fr_error *error);
FR_API void fr_topology_destroy(fr_topology *topology);

// A mesh with its tree as one relocatable piece of bytes: version, size and hash first, little endian.
// Writes it when `size` is enough, and always returns the bytes needed; `block` is aligned to 64 or NULL with size 0.
FR_API size_t fr_mesh_cook(const fr_mesh *mesh, void *block, size_t size);

// Makes a mesh from such a piece, which is checked in full: version, size, hash, every offset, count and index, and the
// tree. With `is_in_place` the block (aligned to 64) is used where it is and must outlive the mesh; else it is copied.
FR_API fr_status fr_mesh_from_cooked(const void *block, size_t size, bool is_in_place, const fr_allocator *allocator,
                                     fr_mesh **out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Queries on one mesh, by its tree; any thread. What is called exact, and that no ray leaks, holds for coordinates of
// mesh, point and origin within the limits of the tests below.

typedef struct fr_ray {
    fr_vec3 origin;
    fr_vec3 direction; // any length > 0
    double limit;      // ends at origin + limit * direction; may be infinite
} fr_ray;

typedef struct fr_ray_hit {
    uint32_t triangle; // FR_NONE when nothing was hit
    double distance;   // in lengths of the direction
    double u, v;       // point = (1 - u - v) corner 0 + u corner 1 + v corner 2
    bool is_back;      // the ray came from behind the face
} fr_ray_hit;

// The nearest hit of the closed triangles, the lowest triangle among equals. A ray through a shared edge hits: no leak.
// A triangle seen exactly along its plane is not hit; its neighbours are. No hit for a ray that is not finite or has no
// direction.
FR_API fr_ray_hit fr_mesh_ray(const fr_mesh *mesh, const fr_ray *ray);

// Whether anything is hit, faster than the nearest.
FR_API bool fr_mesh_ray_any(const fr_mesh *mesh, const fr_ray *ray);

typedef struct fr_closest {
    uint32_t triangle; // FR_NONE when nothing lies within the limit
    double distance;
    fr_vec3 point; // on the triangle
} fr_closest;

// The closest point of the mesh within `limit` (may be infinite); the lowest triangle among equals.
FR_API fr_closest fr_mesh_closest(const fr_mesh *mesh, fr_vec3 point, double limit);

// Every triangle that shares a point with the closed box, found by fr_triangle_box_overlap; in no particular order.
FR_API bool fr_mesh_overlap_bounds(const fr_mesh *mesh, const fr_bounds *bounds, fr_tree_item_fn *found, void *context);

// How often the surface winds around a point off the surface: 1 inside a closed outward mesh, 0 outside, any number
// between near an open one. Exact for a closed mesh, O(log n): edges at the same places that run in opposite directions
// cancel. Otherwise within 1e-9 of the sum over all triangles, O(log n + edges left over), for a point no nearer to
// an edge left over than 1e-6 of the mesh's diagonal; nearer, the error grows as the distance shrinks.
FR_API double fr_mesh_winding(const fr_mesh *mesh, fr_vec3 point);

// Whether a point is on the surface (exact) or inside: |winding| > 1/2.
FR_API bool fr_mesh_contains(const fr_mesh *mesh, fr_vec3 point);

// ---------------------------------------------------------------------------------------------------------------
// Primitives: closed meshes centred on the origin, faces outwards
//
// `like` gives is_double, tasks, control and allocator of the mesh that is made; NULL: the defaults. Sizes are finite
// and > 0, else FR_ERROR_ARGUMENT; more triangles than a mesh may have are FR_ERROR_LIMIT.

typedef enum fr_axis { FR_AXIS_X, FR_AXIS_Y, FR_AXIS_Z } fr_axis;

// 12 triangles.
FR_API fr_status fr_mesh_create_box(fr_vec3 size, const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// Latitude and longitude about `pole`: 2 slices (stacks - 1) triangles; stacks >= 2, slices >= 3.
FR_API fr_status fr_mesh_create_sphere(double radius, uint32_t stacks, uint32_t slices, fr_axis pole,
                                       const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// A cylinder of `length` between the centres of two half spheres of stacks / 2 (stacks even): 2 slices stacks
// triangles.
FR_API fr_status fr_mesh_create_capsule(double radius, double length, uint32_t stacks, uint32_t slices, fr_axis axis,
                                        const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// Flat ends with a vertex in their middle: 4 slices triangles.
FR_API fr_status fr_mesh_create_cylinder(double radius, double length, uint32_t slices, fr_axis axis,
                                         const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// Tip at + length / 2 on the axis, base at - length / 2: 2 slices triangles.
FR_API fr_status fr_mesh_create_cone(double radius, double length, uint32_t slices, fr_axis axis,
                                     const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// A tube of radius `tube` < `radius` around a circle: 2 slices sides triangles; slices and sides >= 3.
FR_API fr_status fr_mesh_create_torus(double radius, double tube, uint32_t slices, uint32_t sides, fr_axis axis,
                                      const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// A simple polygon in the x, y plane, either way round, drawn out over -length / 2 .. length / 2 along z: 4 n - 4
// triangles. FR_ERROR_ARGUMENT when it crosses itself or has no area.
FR_API fr_status fr_mesh_create_extrusion(const fr_vec2 *points, uint32_t count, double length, const fr_mesh_def *like,
                                          fr_mesh **out, fr_error *error);

// A shape by name: the thesis's spheres of radius 1 with pole y, sphere_24, sphere_48, sphere_80, sphere_168,
// sphere_360, sphere_528, sphere_728, sphere_960, sphere_3968 (m stacks, 2 m slices); sphere:STACKSxSLICES; the concave
// solids shuttle_528, head_1816, chair, knot_1920 and gear; box, capsule, cylinder, cone and torus of about unit size;
// the parts of an engine's piston in metres, which fit together: piston, piston_bolt, piston_cap, piston_pin and
// piston_rod. FR_ERROR_ARGUMENT for another name, with the names in the message.
FR_API fr_status fr_mesh_create_named(const char *name, const fr_mesh_def *like, fr_mesh **out, fr_error *error);

// The i-th name fr_mesh_create_named takes, "sphere:STACKSxSLICES" among them; NULL beyond the last.
FR_API const char *fr_mesh_name(size_t i);

// ---------------------------------------------------------------------------------------------------------------
// Skin: vertices that follow bones (skeletal animation)

// The bones that each vertex of a mesh follows, how much of each, and where the bones were when the mesh was made.
// Immutable and reference-counted as a mesh is; any thread may read it.
typedef struct fr_skin fr_skin;

#define FR_SKIN_MAX_BONES 65535u
#define FR_SKIN_MAX_INFLUENCES 8u     // bones that one vertex follows
#define FR_SKIN_WEIGHT_TOLERANCE 0.02 // the weights of a vertex sum to 1 within this, and are then made to sum to 1

typedef struct fr_skin_def {
    const fr_mesh *mesh;         // retained; NULL: the positions come with each call of fr_skin_vertices
    uint32_t vertex_count;       // 1 or more; of the mesh where there is one
    const uint32_t *bones;       // influence_count a vertex, each below bone_count
    const float *weights;        // influence_count a vertex: finite, 0 or more, with the sum 1
    uint32_t influence_count;    // 1 .. FR_SKIN_MAX_INFLUENCES
    uint32_t bone_count;         // 1 .. FR_SKIN_MAX_BONES
    const double *inverse_binds; // 12 a bone, 3 rows of 4: from the vertices' frame to the bone's when the mesh was
                                 // made (inverse bind matrix); NULL: identities
    const uint32_t *parents;     // of each bone, FR_NONE for none; NULL: no bone has one
    const char *const *names;    // of each bone, copied; NULL: all are ""
    fr_allocator allocator;      // default: the process default
    uint32_t cookie;             // set by fr_default_skin_def
} fr_skin_def;

FR_API fr_skin_def fr_default_skin_def(void);

// Makes a skin with one reference; all arrays are copied. Fails with the first defect named in the message:
// FR_ERROR_LIMIT for too many bones or influences, FR_ERROR_NOT_FINITE for a weight or an inverse bind that is not
// finite, FR_ERROR_ARGUMENT for a bone out of range, a negative weight, weights whose sum is not 1 (which vertex), an
// inverse bind that is singular, a parent out of range or a bone below itself (which bone); FR_ERROR_MEMORY.
FR_API fr_status fr_skin_create(const fr_skin_def *def, fr_skin **out, fr_error *error);

// One more, one fewer reference; the last one destroys. Any thread. NULL is ignored by release.
FR_API fr_skin *fr_skin_retain(const fr_skin *skin);
FR_API void fr_skin_release(const fr_skin *skin);

// What a skin holds, to read while it lives.
typedef struct fr_skin_view {
    const fr_mesh *mesh; // NULL: none
    uint32_t vertex_count;
    uint32_t influence_count; // as many as the vertex with the most of them needs
    const uint16_t *bones;    // influence_count a vertex, the one of the largest weight first
    const float *weights;     // influence_count a vertex: multiples of 2^-24 that sum to exactly 1, 0 where not needed
    uint32_t bone_count;
    const double *inverse_binds; // 12 a bone
    const uint32_t *parents;     // of each bone, FR_NONE for none
    const char *const *names;    // of each bone
} fr_skin_view;

FR_API const fr_skin_view *fr_skin_get(const fr_skin *skin);

// Checks the whole structure. For tests.
FR_API bool fr_skin_validate(const fr_skin *skin, fr_error *error);

// How the bones of a vertex are blended.
typedef enum fr_skin_method {
    FR_SKIN_LINEAR,          // the mean of where each bone would take the vertex (linear blend skinning)
    FR_SKIN_DUAL_QUATERNIONS // the mean of the motions, always rigid: no loss of volume where a bone twists. Scale and
                             // shear are blended first, linearly
} fr_skin_method;

typedef struct fr_skin_input {
    const fr_skin *skin;
    const fr_pose *poses;   // of each bone, in the frame that the vertices are wanted in; one of poses and matrices
    const double *matrices; // 12 a bone, 3 rows of 4, for bones that poses cannot place: other scales along axes
    uint32_t bone_count;    // as many as the skin has
    fr_skin_method method;  // default FR_SKIN_LINEAR
    const float *positions_float;   // 3 a vertex, in place of the mesh's; one of the two where the skin has no mesh
    const double *positions_double; // 3 a vertex, likewise
    const float *normals;           // 3 a vertex, in the vertices' frame; NULL: none
    fr_arena *scratch;              // memory for one call, 128 bytes a bone and 48, with dual quaternions 288 and
                                    // 96, which goes back to it
    uint32_t cookie;                // set by fr_default_skin_input
} fr_skin_input;

FR_API fr_skin_input fr_default_skin_input(void);

// Arrays of the caller, of 1 a vertex; NULL: not wanted.
typedef struct fr_skin_output {
    fr_vec3 *vertices;        // as doubles
    fr_vec3f *vertices_float; // the nearest floats; infinite beyond their range
    fr_vec3f *normals;        // unit, zero where the skin is flat; needs the input's normals
} fr_skin_output;

// Where the vertices are when the bones are at these poses: the sum over the bones of a vertex of its weight times
// (pose of the bone) (inverse bind) (position), in doubles, within 1e-14 of the largest number in it. A vertex of one
// bone, and one whose bones all moved alike, moves rigidly. A pure function, any thread, O(bones + vertices), without
// taking memory once the scratch arena has held as much; the same bits for every instruction set. FR_ERROR_ARGUMENT for
// another number of bones, a rotation or a scale that fr_pose_check refuses and, with dual quaternions, a bone that is
// flat; FR_ERROR_NOT_FINITE (which bone); FR_ERROR_MEMORY. On failure the output is as before.
FR_API fr_status fr_skin_vertices(const fr_skin_input *input, const fr_skin_output *output, fr_error *error);

// Four bones in the frames of their parents as they were taken last, and when: lane k of group g is bone 4 g + k. A
// group of zeros holds none yet.
typedef struct fr_bone_group {
    float turn[4][4];   // w, x, y and z of four turns
    float place[4][4];  // x, y and z of four positions, and four scales
    uint32_t turned[4]; // the stamps with which the turns were taken
    uint32_t placed[4]; // likewise of the positions and scales
} fr_bone_group;

typedef struct fr_bone_changes_input {
    const fr_pose *bones;    // all in one frame, finite, with scales above 0
    const uint32_t *parents; // of each bone; FR_NONE and any number from bone_count on: none
    uint32_t bone_count;
    uint32_t stamp;    // what changed gets it
    double same_turn;  // quaternions that lie within it are one turn, as are their opposites; below 1
    double same_place; // metres; positions that lie within it are the same
    double same_scale; // of a scale: what may be off; below 1
    uint32_t cookie;   // set by fr_default_bone_changes_input
} fr_bone_changes_input;

FR_API fr_bone_changes_input fr_default_bone_changes_input(void);

typedef struct fr_bone_changes_output {
    fr_bone_group *groups; // array of the caller, (bone_count + 3) / 4, compared with and brought up to date
    bool is_changed;       // whether a bone changed
} fr_bone_changes_output;

// Places bones in the frames of their parents, compares them with what was taken before, and takes over, as floats,
// what differs by more than is the same: for those who send or store bones when they change. A pure function of its
// input and the groups, any thread, O(bones), without memory; the same bits for every instruction set.
// FR_ERROR_ARGUMENT for arrays that are missing.
FR_API fr_status fr_bone_changes(const fr_bone_changes_input *input, fr_bone_changes_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Planar faces: maximal connected groups of triangles in one plane, as polygons with holes

typedef struct fr_planar_face {
    fr_vec3 normal;          // unit, outwards; zero for a group of degenerate triangles alone
    double offset;           // the plane is normal . x = offset
    double area;             // of its triangles
    fr_vec3 centroid;        // of its area
    uint32_t first_triangle; // its triangles are triangles[first_triangle ...], ascending
    uint32_t triangle_count;
    uint32_t first_loop; // its boundary is loops first_loop ...: the outer one first, counter-clockwise seen from
    uint32_t loop_count; // outside, then the holes, clockwise; none for a closed group
} fr_planar_face;

typedef struct fr_planar_faces {
    uint32_t face_count;
    const fr_planar_face *faces; // by lowest triangle
    const uint32_t *face_of;     // planar face of each triangle of the mesh
    const uint32_t *triangles;   // the mesh's triangles, one planar face after another
    uint32_t loop_count;
    const uint32_t *loop_begin; // loop i is vertices loop_vertices[loop_begin[i] .. loop_begin[i + 1])
    const uint32_t *loop_vertices;
} fr_planar_faces;

typedef struct fr_planar_def {
    double angle;                // normals within this of the group's; default 0.1 degree, up to pi / 2
    double distance;             // corners within this part of the mesh's diagonal of the group's plane; default 1e-6
    const fr_topology *topology; // of the same mesh
    fr_allocator allocator;      // default: the process default
    uint32_t cookie;             // set by fr_default_planar_def
} fr_planar_def;

FR_API fr_planar_def fr_default_planar_def(void);

// Grows groups from the largest triangle left, comparing with that triangle's plane, so that a finely rounded surface
// does not creep into one face. Degenerate triangles join a plane they lie in. Destroy with fr_planar_destroy.
FR_API fr_status fr_planar_create(const fr_mesh *mesh, const fr_planar_def *def, fr_planar_faces **out,
                                  fr_error *error);
FR_API void fr_planar_destroy(fr_planar_faces *planar);

// Every triangle whose normal is within `angle` (radians, 0 .. pi) of that of `triangle`, ascending, into `out`, which
// has room for all triangles of the mesh; with a topology only those reached through such triangles, and with
// `is_either_side` also those that face the opposite direction. Returns how many; just `triangle` itself when it is
// degenerate.
FR_API uint32_t fr_mesh_inclined(const fr_mesh *mesh, uint32_t triangle, double angle, bool is_either_side,
                                 const fr_topology *connected, uint32_t *out);

// ---------------------------------------------------------------------------------------------------------------
// Tests: pure functions of plain doubles, on any thread, without allocating
//
// All sets are closed: touching counts. The corners of a triangle come in any order, and it may be a segment or a
// point. A result called exact is that of real arithmetic on the given doubles, for coordinates that are 0 or between
// FR_ORIENT3D_MIN and FR_ORIENT_MAX in size. One called conservative never misses: it is true whenever the sets share a
// point, and may be true for sets that are no farther apart than the bound given. Rounded results hold for sizes that
// are 0 or between 1e-70 and 1e70. Beyond these limits, and with NaN or infinities, the result is unspecified, and
// nothing worse happens. Below, e = 2^-53 and D is the largest distance between two of the given points.

// Whether two triangles share a point. Exact: the one test of static collision.
FR_API bool fr_triangle_overlap(const fr_vec3 a[3], const fr_vec3 b[3]);

typedef enum fr_section_kind {
    FR_SECTION_APART,   // nothing in common
    FR_SECTION_POINT,   // one point
    FR_SECTION_SEGMENT, // two points and all between
    FR_SECTION_POLYGON  // a convex polygon: the triangles are coplanar and overlap
} fr_section_kind;

// What two triangles share. All but the places of the points is exact.
typedef struct fr_section {
    fr_section_kind kind;
    bool is_coplanar;  // all corners of both lie in one plane
    bool is_crossing;  // not coplanar, and the inside of each meets the inside of the other; false: at most touching
    int count;         // points: 0, 1, 2, or 3 .. 6
    fr_vec3 points[6]; // the ends, or the polygon's corners counter-clockwise about a's normal
} fr_section;

// Finds what two triangles share; returns whether there is anything, as fr_triangle_overlap does. A point that is a
// corner is that corner, bit for bit. Any other lies within 4 e D of an edge of a or b; along it, within 32 e D over
// the sine of the angle between that edge and the other triangle's plane (or edge, when coplanar).
FR_API bool fr_triangle_section(const fr_vec3 a[3], const fr_vec3 b[3], fr_section *out);

// The distance between two triangles, and where it is reached (either pointer may be NULL): 0 exactly when
// fr_triangle_overlap holds, and then both points are one point they share, rounded. Else > 0 and within 64 e D.
FR_API double fr_triangle_distance(const fr_vec3 a[3], const fr_vec3 b[3], fr_vec3 *on_a, fr_vec3 *on_b);

// Whether a triangle and a box share a point. Conservative within 32 e M L / h: M the largest coordinate of both, L the
// triangle's longest edge, h its min height. False with an empty box.
FR_API bool fr_triangle_box_overlap(const fr_vec3 triangle[3], const fr_bounds *box);

// The point of the segment s[0] s[1] closest to `point`, as (1 - t) s[0] + t s[1]; 0 <= t <= 1 is returned. The
// distance of that point is within 16 e D of the least; `closest`, which may be NULL, is the point, rounded.
FR_API double fr_segment_closest(const fr_vec3 s[2], fr_vec3 point, fr_vec3 *closest);

// The distance between two segments within 64 e D, and where it is reached (either may be NULL).
FR_API double fr_segment_distance(const fr_vec3 a[2], const fr_vec3 b[2], fr_vec3 *on_a, fr_vec3 *on_b);

// A point of a triangle: (1 - u - v) corner 0 + u corner 1 + v corner 2, with u, v, 1 - u - v >= 0.
typedef struct fr_triangle_point {
    fr_vec3 point;
    double u, v;
    double distance; // to the query point, within 64 e D
} fr_triangle_point;

// The point of a triangle closest to `point`.
FR_API fr_triangle_point fr_triangle_closest(const fr_vec3 triangle[3], fr_vec3 point);

// Whether a segment and a triangle share a point. Exact. `point` (may be NULL) gets a shared one, rounded: where they
// share many, one end of the shared segment, the one closer to s[0].
FR_API bool fr_segment_triangle_overlap(const fr_vec3 s[2], const fr_vec3 triangle[3], fr_vec3 *point);

// The points x with normal . x = offset; the normal of any length > 0.
typedef struct fr_plane {
    fr_vec3 normal;
    double offset;
} fr_plane;

// 1 when the whole box is strictly on the side the normal points to, -1 on the other, 0 when the plane meets it.
// Conservative: 0 also for a plane within 8 e (|n . x| + |offset|) / |n| of a corner x. 0 with an empty box.
FR_API int fr_plane_box_side(const fr_plane *plane, const fr_bounds *box);

// A box with axes of its own: center + x axes.row[0] + y axes.row[1] + z axes.row[2], |x|, |y|, |z| up to `half`.
typedef struct fr_oriented_box {
    fr_vec3 center;
    fr_mat3 axes; // rows unit and perpendicular within 1e-14
    fr_vec3 half; // half the sizes, >= 0
} fr_oriented_box;

// Whether two boxes share a point. Conservative within 1e-6 (R + M), and within 1e-12 (R + M) where no edge of one is
// nearly parallel to one of the other: R the sum of all half sizes, M the largest coordinate of the centres.
FR_API bool fr_oriented_box_overlap(const fr_oriented_box *a, const fr_oriented_box *b);

#define FR_HULL_MAX_POINTS 64

// The convex hull of points, by their numbers.
typedef struct fr_hull {
    int dimension;                        // 3; 2: all points in a plane; 1: on a line; 0: all equal; -1: no points
    int vertex_count;                     // points on the hull that are used
    int facet_count;                      // triangles; up to 2 vertex_count - 4 in 3-D, vertex_count - 2 in 2-D, else 0
    uint8_t vertices[FR_HULL_MAX_POINTS]; // growing; in 2-D in order around; in 1-D the two ends
    uint8_t facets[2 * FR_HULL_MAX_POINTS - 4][3]; // counter-clockwise seen from outside; neighbours may be coplanar
} fr_hull;

// Finds the hull of up to FR_HULL_MAX_POINTS points, O(n^2). Exact: no point is outside any facet. Equal points are
// used once, the lowest number.
FR_API void fr_hull_of_points(const fr_vec3 *points, size_t count, fr_hull *out);

// The convex hull of points, all that lies within `radius` of it included.
typedef struct fr_convex {
    const fr_vec3 *points;
    size_t count;  // at least 1
    double radius; // >= 0
} fr_convex;

typedef struct fr_convex_distance {
    double distance;      // between the two sets; 0 when they overlap, within the accuracy of fr_gjk
    double core_distance; // the same without the radii
    fr_vec3 on_a, on_b;   // where it is reached, on the sets with their radii; when the cores overlap, a shared point
    fr_vec3 axis;         // unit, from a to b; zero when the cores overlap
    double gap;           // the sets are at least this far apart along the axis, rounding aside; <= distance
    int iterations;       // support points computed
    bool is_converged;    // false: stopped at the cap; gap and distance still bound the true distance
} fr_convex_distance;

// The distance of two convex sets by the method of Gilbert, Johnson and Keerthi. `axis` (a guess, such as that of the
// step before, or zero) is where the search starts. Within 1e-12 D; within 1e-7 D for sets nearer than 1e-6 D.
FR_API fr_convex_distance fr_gjk(const fr_convex *a, const fr_convex *b, fr_vec3 axis);

// The signed area of a polygon, > 0 counter-clockwise, by the shoelace formula.
FR_API double fr_polygon_area(const fr_vec2 *points, size_t count);

// Half the sum of cross products (Newell): the normal of a polygon in space times its area.
FR_API fr_vec3 fr_polygon_area_vector(const fr_vec3 *points, size_t count);

// Cuts a simple polygon to a convex one that turns counter-clockwise, by Sutherland and Hodgman. Pieces of a concave
// subject stay joined along the clip's border; the area is right. Writes to `out` and returns the number of points (0
// or at least 3), or SIZE_MAX when a stage needs more than `capacity`. A side of the clip adds one point to a convex
// subject; where that is concave, or rounding bends it, up to half as many again. `out` and `scratch` hold `capacity`
// points each and overlap nothing.
FR_API size_t fr_polygon_clip(const fr_vec2 *subject, size_t subject_count, const fr_vec2 *clip, size_t clip_count,
                              fr_vec2 *out, fr_vec2 *scratch, size_t capacity);

#define FR_POLYGON_MAX_POINTS (1u << 20)

// Cuts a polygon in space into count - 2 triangles of its own points, three numbers each in `triangles`, turning as the
// polygon does. Convex ones become a fan from point 0, others lose one ear after another; equal and collinear points
// may be there. `is_clean` (may be NULL) is false when no ear was left (a polygon that crosses itself, or has no area):
// the rest is then cut anyhow. The same for the same points. Scratch memory comes from the arena and stays there until
// the caller rewinds. FR_ERROR_ARGUMENT below 3 points, FR_ERROR_LIMIT above FR_POLYGON_MAX_POINTS, FR_ERROR_MEMORY.
FR_API fr_status fr_polygon_triangulate(const fr_vec3 *points, size_t count, fr_arena *scratch, uint32_t *triangles,
                                        bool *is_clean, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Tests over a step: when do moving triangles, vertices and edges first come together?
//
// A path is one of two: every corner goes straight from its start to its end, or all follow one motion, of any turn.
// The sets are closed, may be degenerate, and the result is that of real arithmetic on the given doubles. With e the
// tolerance, raised to 32 times the rounding bound of the pair where that is larger (about 3e-13 of its largest
// coordinate), and m the separation:
//   - every pair that comes within m of each other is found, and none that stays farther apart than m + e;
//   - `time` is never later than the first moment within m, and at `time` the sets are within m + e;
//   - what was found only because the search ran into its cap carries FR_TIME_CAPPED, and its time is still not late.
// These are the tests of continuous collision. Pure functions of their arguments, on any thread, without allocating;
// the same bits on every machine. Numbers within the limits of fr_motion_check, and sizes 0 or 1e-70 .. 1e70: beyond
// these, and with NaN or infinities, the result is unspecified, and nothing worse happens.

// The value of a number that is not known: a NaN. Test it with fr_is_unknown.
#define FR_UNKNOWN ((double)NAN)
static inline bool fr_is_unknown(double x) { return x != x; }

// How the corners of a triangle go over t = 0 .. 1. As the path of a vertex corner 0 alone is read, as that of an edge
// corners 0 and 1.
typedef struct fr_triangle_path {
    fr_vec3 start[3];        // at t = 0; with a motion the doubles fr_pose_apply(&motion->start, v)
    fr_vec3 end[3];          // at t = 1; with a motion read only where the input says `has_ends`
    const fr_motion *motion; // as fr_motion defines x(t), from `start`; NULL: straight
} fr_triangle_path;

// What of the two sets comes together.
typedef enum fr_feature {
    FR_FEATURE_UNKNOWN,
    FR_FEATURE_VERTEX_FACE, // a corner of a, and b
    FR_FEATURE_FACE_VERTEX, // a, and a corner of b
    FR_FEATURE_EDGE_EDGE
} fr_feature;

// With the values that fr_contact_flags gives to the same words.
typedef enum fr_time_flags {
    FR_TIME_NEAR = 1,          // not proven to come within the separation: only within the tolerance of it
    FR_TIME_CAPPED = 2,        // the search stopped at its cap; the sets may be farther apart than the tolerance
    FR_TIME_COPLANAR = 4,      // with START: the triangles lie in one plane
    FR_TIME_TOUCHING = 8,      // with START: they share points but do not cross
    FR_TIME_START = 16,        // the triangles share points at t = 0, exactly
    FR_TIME_END_CAPPED = 65536 // the search for time_end stopped at its cap; it is then 1
} fr_time_flags;

typedef struct fr_time_input {
    double tolerance;      // e, metres, >= 0; default 1e-6
    double separation;     // m, metres, >= 0; default 0
    double begin;          // the search starts here, 0 .. 1; default 0
    double end;            // contacts after this time are not reported; default 1. It changes no other result
    bool has_ends;         // the triangles at `end` of their paths, exactly, belong to the result too; default false
    bool is_end_wanted;    // look for time_end too; of two triangles only; default false
    double time_tolerance; // shorter gaps between two contacts need not be distinguished; default 1e-6 of the step
    uint32_t cap;          // steps of a search; default 4000, as many again for each 64 radians that both turn beyond
                           // the first. That for an end takes 1000 at most
} fr_time_input;

FR_API fr_time_input fr_default_time_input(void);

typedef struct fr_time_output {
    bool is_hit;         // the rest is set for a hit only
    double time;         // 0 .. 1, never late
    double time_sure;    // by when being within the separation is proven, not after 1; FR_UNKNOWN with NEAR
    double time_end;     // on request, when the contact ends: never early, 1 where it lasts; else FR_UNKNOWN
    double distance;     // at `time`, rounded
    double approach;     // speed along the normal at `time`, metres a step, > 0 closing
    fr_vec3 point;       // halfway between the closest points at `time`
    fr_vec3 normal;      // unit, from a to b; zero where they share a point at `time`
    fr_feature feature;  // UNKNOWN where they share a point at `time`
    uint32_t flags;      // of fr_time_flags
    uint32_t iterations; // steps of the search
} fr_time_output;

// When two triangles first come together. Returns out->is_hit; `out` may be NULL, which saves the search for time_sure.
// A contact lasts from `time` to `time_end`: it begins never late and ends never early, and from one to the other the
// triangles are nowhere farther apart than m + e for longer than the time tolerance. What comes after is found by
// another call with `begin` at time_end: a motion of several turns may meet a face once a turn.
FR_API bool fr_triangle_time(const fr_triangle_path *a, const fr_triangle_path *b, const fr_time_input *input,
                             fr_time_output *out);

// When a vertex (corner 0 of its path) first meets a face; when two edges (corners 0 and 1) do. `has_ends` is not
// read.
FR_API bool fr_vertex_face_time(const fr_triangle_path *vertex, const fr_triangle_path *face,
                                const fr_time_input *input, fr_time_output *out);
FR_API bool fr_edge_edge_time(const fr_triangle_path *a, const fr_triangle_path *b, const fr_time_input *input,
                              fr_time_output *out);

#ifdef __cplusplus
}
#endif

#endif

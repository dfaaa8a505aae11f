// Fureai octree: region octrees and quadtrees of black (full), white (empty) and gray (divided) cells: made from
// meshes, boxes, points and range images, stored as DF code, combined, queried, traversed together, and moved in real
// time.
//
// A tree divides a root cube of edge `edge` into 2^depth voxels an axis. `depth` counts from the root (0), `level` from
// the voxel (0): a cell of level l is 2^l voxels wide. Voxel (i, j, k) is [i, i + 1) x [j, j + 1) x [k, k + 1) in
// voxels from the root's low corner. A quadtree is the same in the plane of x and y; its z is 0. Trees are always
// condensed: no cell of eight (four) children of one colour is gray.
//
// A tree is changed by one thread at a time; calls that take it const may run at once on any threads.
#ifndef FUREAI_OCTREE_H
#define FUREAI_OCTREE_H

#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Trees

#define FR_OCTREE_MAX_DEPTH 9
#define FR_QUADTREE_MAX_DEPTH 12

typedef struct fr_octree fr_octree;

typedef enum fr_cell_color {
    FR_CELL_WHITE, // wholly outside
    FR_CELL_BLACK, // wholly inside
    FR_CELL_GRAY   // divided
} fr_cell_color;

typedef struct fr_octree_def {
    int dimension;          // 3: octree (default), 2: quadtree
    uint32_t depth;         // 1 .. FR_OCTREE_MAX_DEPTH or FR_QUADTREE_MAX_DEPTH; default 5
    fr_vec3 min;            // low corner of the root, metres, no coordinate over 2^300 or 2^40 voxels; default 0
    double edge;            // of the root, metres, 2^-300 .. 2^300; 0, the default: 2^depth, so that a voxel is 1
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_octree_def
} fr_octree_def;

FR_API fr_octree_def fr_default_octree_def(void);

// Makes a white tree. FR_ERROR_ARGUMENT for a dimension, depth or root outside its limits, FR_ERROR_NOT_FINITE,
// FR_ERROR_MEMORY. Memory: an eighth of a byte a voxel and a byte for each cell of 64 voxels and larger.
FR_API fr_status fr_octree_create(const fr_octree_def *def, fr_octree **out, fr_error *error);
FR_API void fr_octree_destroy(fr_octree *octree);

// The definition a tree was made with; its edge is never 0.
FR_API fr_octree_def fr_octree_get_def(const fr_octree *octree);

// Makes the whole tree one colour, not gray.
FR_API void fr_octree_clear(fr_octree *octree, fr_cell_color color);

// Takes over the cells of a tree of the same dimension and depth, else FR_ERROR_ARGUMENT.
FR_API fr_status fr_octree_copy(const fr_octree *from, fr_octree *to, fr_error *error);

// Whether two trees of the same dimension and depth have the same cells; their roots may lie elsewhere.
FR_API bool fr_octree_equal(const fr_octree *a, const fr_octree *b);

// How many cells there are of each colour. white + black + gray = 8 gray + 1 (4 gray + 1).
typedef struct fr_octree_counts {
    uint64_t white, black, gray;
    uint64_t black_voxels; // voxels in black cells
} fr_octree_counts;

FR_API fr_octree_counts fr_octree_count(const fr_octree *octree);

// Checks the whole structure: colours, and that it is condensed. For tests.
FR_API bool fr_octree_validate(const fr_octree *octree, fr_error *error);

typedef struct fr_cell {
    uint32_t x, y, z; // its low voxel
    uint32_t level;   // 2^level voxels wide
    fr_cell_color color;
} fr_cell;

// Called for each cell. Return false to end the walk.
typedef bool fr_cell_fn(const fr_cell *cell, void *context);

// Every leaf of a colour (FR_CELL_GRAY: of both colours), depth first, child by child: bit 0 of a child's number is its
// half in x, bit 1 in y, bit 2 in z. Returns false when the callback ended it.
FR_API bool fr_octree_leaves(const fr_octree *octree, fr_cell_color color, fr_cell_fn *found, void *context);

// The leaf that holds a voxel. Voxels outside the root are white, of level 0.
FR_API fr_cell fr_octree_leaf(const fr_octree *octree, int64_t x, int64_t y, int64_t z);

// The colour of the cell of a level that holds a voxel.
FR_API fr_cell_color fr_octree_color(const fr_octree *octree, uint32_t level, int64_t x, int64_t y, int64_t z);

// The neighbour of a leaf through its face on an axis (0 x, 1 y, 2 z), towards larger (+1) or smaller (-1) coordinates:
// the cell of the leaf's own level or the larger leaf that holds it (Samet); gray where it is divided further. False at
// the root's border.
FR_API bool fr_octree_neighbor(const fr_octree *octree, const fr_cell *leaf, int axis, int direction, fr_cell *out);

// The bounds of a cell in the world.
FR_API fr_bounds fr_octree_cell_bounds(const fr_octree *octree, const fr_cell *cell);

// ---------------------------------------------------------------------------------------------------------------
// Changing

// Makes the voxels low .. high - 1 on each axis black or white; what is outside the root is passed over.
FR_API void fr_octree_fill(fr_octree *octree, const int64_t low[3], const int64_t high[3], fr_cell_color color);

// Makes black every voxel that shares a point with one of the closed boxes (metres); empty boxes are passed over.
// FR_ERROR_NOT_FINITE leaves the tree as it was. O(boxes x black cells that are made).
FR_API fr_status fr_octree_add_boxes(fr_octree *octree, const fr_bounds *boxes, size_t count, fr_error *error);

// Makes black the voxel of each point (metres); points outside the root are passed over. FR_ERROR_NOT_FINITE leaves the
// tree as it was.
FR_API fr_status fr_octree_add_points(fr_octree *octree, const fr_vec3 *points, size_t count, fr_error *error);

typedef enum fr_octree_operation {
    FR_OCTREE_UNION,        // black where a or b is
    FR_OCTREE_INTERSECTION, // where both are
    FR_OCTREE_DIFFERENCE,   // where a is and b is not
    FR_OCTREE_EXCLUSIVE     // where one of them is
} fr_octree_operation;

// Combines two trees of one dimension and depth, cell by cell; `out`, of the same, may be a or b. Else
// FR_ERROR_ARGUMENT.
FR_API fr_status fr_octree_combine(fr_octree_operation operation, const fr_octree *a, const fr_octree *b,
                                   fr_octree *out, fr_error *error);

// Exchanges black and white.
FR_API void fr_octree_invert(fr_octree *octree);

// Less detail: leaves no cell below `level` (up to the depth): one that has any black voxel is black, or with
// `is_whole` only one that has all. `out`, of the same dimension and depth, may be the tree itself.
FR_API fr_status fr_octree_coarsen(const fr_octree *octree, uint32_t level, bool is_whole, fr_octree *out,
                                   fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Queries

// The colour of the voxel that holds a point (metres): half-open cells decide. White outside the root.
FR_API fr_cell_color fr_octree_at(const fr_octree *octree, fr_vec3 point);

// Every black leaf that shares a point with the closed bounds (metres), depth first. False when the callback ended it.
FR_API bool fr_octree_overlap(const fr_octree *octree, const fr_bounds *bounds, fr_cell_fn *found, void *context);

typedef struct fr_octree_hit {
    bool is_hit;
    double distance; // in lengths of the direction, where the ray enters the black leaf; 0 from inside
    fr_cell cell;    // the leaf
} fr_octree_hit;

// The first black leaf of a 3-D tree along a ray. No hit for a ray that is not finite or has no direction. Leaves are
// closed: a ray along a wall meets those on both sides.
FR_API fr_octree_hit fr_octree_ray(const fr_octree *octree, const fr_ray *ray);

// How the black leaves look: their sides that no black cell covers as triangles, and the edges of these where the
// colour of the lines is not wholly transparent. 3-D trees.
FR_API void fr_octree_draw(const fr_octree *octree, const fr_draw *draw, fr_color faces, fr_color lines);

// ---------------------------------------------------------------------------------------------------------------
// Storing: the DF code, and OctoMap's files

// The DF code of a tree: depth first, '(' for gray, 'B', 'W', no closing bracket; 8 gray + 1 letters (4 gray + 1).
// Writes as many as fit into `size` bytes, without a terminator, and returns how many there are.
FR_API size_t fr_octree_write_code(const fr_octree *octree, char *text, size_t size);

// Makes a tree of a DF code; blanks and ends of lines between letters are passed over. FR_ERROR_SYNTAX with line and
// column for another letter, a code that ends early or goes on, FR_ERROR_LIMIT for one deeper than the definition's
// depth. A code that is not condensed is read, and condensed.
FR_API fr_status fr_octree_read_code(const fr_octree_def *def, const char *text, size_t size, fr_octree **out,
                                     fr_error *error);

// The same in 2 bits a letter (00 W, 01 B, 10 '('), the first in the lowest bits of a byte; the last byte filled with
// zeros. Returns the bytes there are.
FR_API size_t fr_octree_write_packed(const fr_octree *octree, uint8_t *bytes, size_t size);
FR_API fr_status fr_octree_read_packed(const fr_octree_def *def, const uint8_t *bytes, size_t size, fr_octree **out,
                                       fr_error *error);

typedef struct fr_octomap_input {
    const void *bytes; // an OctoMap binary file (.bt)
    size_t size;
    uint32_t depth;       // of the tree, 1 .. FR_OCTREE_MAX_DEPTH; default 0: the smallest that fits
    bool is_about_origin; // the root lies about OctoMap's origin, so that maps of one resolution and depth share it;
                          // default false: about the occupied cells
    bool may_prune;       // where the cells do not fit the depth, take voxels 2, 4, ... times as wide, each black that
                          // holds any occupied cell; default false: FR_ERROR_LIMIT
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_octomap_input
} fr_octomap_input;

FR_API fr_octomap_input fr_default_octomap_input(void);

typedef struct fr_octomap_info {
    double resolution;   // edge of a cell of OctoMap's depth 16, metres, as the file says
    uint64_t node_count; // as the file says
    uint64_t occupied;   // leaves
    uint64_t free;       // leaves known to be free
    uint32_t level;      // a voxel of the tree is 2^level such cells wide; 0 unless it was pruned
} fr_octomap_info;

// Makes a tree of an OctoMap binary file, whose cells may be 16 deep: occupied cells are black, free and unknown ones
// white; root and voxels follow from the file. A root about the cells begins at a multiple of the largest power of two
// that lets them fit. FR_ERROR_LIMIT where the cells do not fit the depth and may not be pruned; FR_ERROR_SYNTAX for
// what is no such file, FR_ERROR_CORRUPT for another count of nodes, FR_ERROR_ARGUMENT for a depth outside its limits,
// FR_ERROR_MEMORY. O(size + cells of the tree). `info` may be NULL.
FR_API fr_status fr_octree_read_octomap(const fr_octomap_input *input, fr_octree **out, fr_octomap_info *info,
                                        fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// From meshes and range images

// Which voxels of a mesh are black.
typedef enum fr_voxel_rule {
    FR_VOXEL_CENTER, // those whose centre is inside
    FR_VOXEL_TOUCH   // those that share a point with a face, and those whose centre is inside: contains the mesh
} fr_voxel_rule;

typedef struct fr_octree_build_input {
    const fr_mesh *mesh;     // its triangles; a mesh that is not closed has no inside: its surface alone is taken, by
                             // FR_VOXEL_TOUCH, and FR_VOXEL_CENTER finds nothing
    const fr_pose *pose;     // where it stands in the world; NULL: the identity
    const fr_vec3 *vertices; // local positions in place of the mesh's own (deformed), one a vertex; NULL: its own
    fr_voxel_rule rule;      // default FR_VOXEL_TOUCH
    bool is_surface_only;    // the inside stays white; default false
    bool may_clip;           // what lies outside the root is left out; default false: FR_ERROR_LIMIT
    uint32_t cookie;         // set by fr_default_octree_build_input
} fr_octree_build_input;

FR_API fr_octree_build_input fr_default_octree_build_input(void);

// The memory in which meshes become cells: what a mesh is made of is found once, and a warm build allocates nothing.
// One thread at a time.
typedef struct fr_octree_builder fr_octree_builder;

FR_API fr_status fr_octree_builder_create(const fr_allocator *allocator, fr_octree_builder **out, fr_error *error);
FR_API void fr_octree_builder_destroy(fr_octree_builder *builder);

// Fills a 3-D tree from a mesh at its pose, from scratch, rigid or deformed, so errors do not add up. Every
// connected closed piece is filled by parity, and pieces may overlap; positions are rounded to 1/1024 voxel for the
// inside and not for the surface. FR_ERROR_NOT_FINITE, FR_ERROR_LIMIT (outside the root), FR_ERROR_ARGUMENT (a
// quadtree), FR_ERROR_MEMORY; on failure the tree is white. O(triangles + surface voxels + 4^depth).
FR_API fr_status fr_octree_build(fr_octree_builder *builder, const fr_octree_build_input *input, fr_octree *out,
                                 fr_error *error);

// The cube about a box whose edge is the box's diagonal (1 for a point), so that what is in the box can turn about its
// middle.
FR_API void fr_octree_root_about(const fr_bounds *bounds, fr_octree_def *def);

// A range image: for each pixel how far away the first surface is. The camera looks along -z of its pose, x to the
// right and y up; pixel (column, row), row 0 on top, sees the direction
//   ((2 (column + 0.5) / columns - 1) tan_x, (1 - 2 (row + 0.5) / rows) tan_y, -1).
typedef struct fr_range_image {
    const float *depth;     // along -z, metres, columns x rows; <= 0 or not finite: nothing was seen
    uint32_t columns, rows; // each 1 .. 65536
    double tan_x, tan_y;    // tangents of half the angles of view, > 0
    fr_pose pose;           // of the camera in the world
    double farthest; // with `may_carve`, where nothing was seen space is free up to here; 0: nothing is known there
} fr_range_image;

// Makes black what an image sees, and with `may_carve` first makes white what it sees through (Kitamura 4.3.1): a voxel
// is free when the rays of the pixels that its centre falls into reach more than a voxel's diagonal beyond it.
// FR_ERROR_ARGUMENT for a quadtree or an image outside its limits, FR_ERROR_NOT_FINITE; the tree is then as before.
FR_API fr_status fr_octree_add_range_image(fr_octree *octree, const fr_range_image *image, bool may_carve,
                                           fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Motion
//
// An octree is made once, where its object was at the beginning: the reference. At every step the whole motion so far
// is applied to the reference, never to the last result, so nothing builds up: there and back gives the reference, bit
// for bit. All lengths are voxels; X' = R (X - c) + c + T with c the middle of the root (Kitamura eq. 5.1).

typedef struct fr_octree_motion {
    fr_mat3 rotation;      // R
    fr_vec3 travel;        // T, in voxels
    uint32_t compositions; // since the rotation was last made orthonormal
} fr_octree_motion;

FR_API fr_octree_motion fr_octree_motion_identity(void);

// A turn about the axes x, then y, then z of the root, and a travel: the step of a cycle of the source.
FR_API fr_octree_motion fr_octree_motion_step(fr_vec3 travel, fr_vec3 turn_deg);

// A turn about any axis, and a travel.
FR_API fr_octree_motion fr_octree_motion_turn(fr_vec3 travel, fr_vec3 axis, double angle);

// First the motion so far, then the step (Kitamura eq. 5.2); orthonormal again after every 1,000th.
FR_API void fr_octree_motion_compose(fr_octree_motion *so_far, const fr_octree_motion *step);

// The motion that takes what was built at the identity to where a pose puts it. The pose's scale must be 1, else
// FR_ERROR_ARGUMENT.
FR_API fr_status fr_octree_motion_of_pose(const fr_octree *octree, const fr_pose *pose, fr_octree_motion *out,
                                          fr_error *error);

// When a voxel is black.
typedef enum fr_octree_rule {
    FR_OCTREE_CENTER,  // its centre comes from a black voxel of the reference: keeps the volume, notices a face only
                       // when it is half a voxel in
    FR_OCTREE_OVERLAP, // it shares more than a border with a moved black voxel: what moved is contained
    FR_OCTREE_TOUCH,   // it shares a point with a moved black voxel: one layer more, even at rest
    FR_OCTREE_CENTER_CLOSED // as by FR_OCTREE_CENTER, and a centre that comes from the very border of black voxels
                            // counts as theirs (Weng and Ahuja's inequality): differs where turns are quarters and
                            // travels halves
} fr_octree_rule;

// The one map from moved voxels back to the reference, in fixed point, that every method shares. It is exactly affine
// in integers: all methods, orders and machines give the same voxels. F = 29 - depth fraction bits up to depth 8, else
// 32. |u - true| is at most 3 2^(2 depth - 30) voxel (depth 9: 2^-22).
typedef struct fr_octree_map {
    uint32_t depth;
    fr_octree_rule rule;
    int shift;       // F
    int64_t a[3][3]; // u[r] = b[r] + a[r][0] i + a[r][1] j + a[r][2] k is the image of the centre of voxel (i, j, k),
    int64_t b[3];    // times 2^F
    bool is_away;    // a travel over 2^depth: everything is white
    double axis[3][16];    // OVERLAP and TOUCH: the edges of both cubes and their products, 15 axes by coordinate, unit
                           // or zero, and one unused
    double limit[16];      // max distance along each
    double offset[27][16]; // of the neighbour n = (dx + 1) + 3 (dy + 1) + 9 (dz + 1) along each
} fr_octree_map;

// Makes the map. FR_ERROR_NOT_FINITE for numbers that are not, FR_ERROR_ARGUMENT for a rotation that is none (rows off
// by more than 1e-6) or a depth outside 1 .. FR_QUADTREE_MAX_DEPTH. Pixels of a quadtree are voxels of z = 0.
FR_API fr_status fr_octree_map_make(uint32_t depth, const fr_octree_motion *motion, fr_octree_rule rule,
                                    fr_octree_map *out, fr_error *error);

// Whether a black voxel `source` of the reference makes voxel `target` black by the map's rule: the definition.
FR_API bool fr_octree_map_meets(const fr_octree_map *map, const int32_t source[3], const int32_t target[3]);

// The reference made ready to be moved: its voxels, and how far each is from the nearest of the other colour. Reads of
// it may run at once. Memory: five to eight bytes a voxel up to depth 7, one or two beyond; of a quadtree less than one
// a pixel.
typedef struct fr_octree_reference fr_octree_reference;

// Takes over the cells of a tree; FR_ERROR_ARGUMENT for an octree of a depth below 2, FR_ERROR_MEMORY.
FR_API fr_status fr_octree_reference_create(const fr_octree *octree, const fr_allocator *allocator,
                                            fr_octree_reference **out, fr_error *error);
FR_API void fr_octree_reference_destroy(fr_octree_reference *reference);

typedef struct fr_octree_move_input {
    fr_octree_motion motion; // from the reference; default the identity
    fr_octree_rule rule;     // default FR_OCTREE_CENTER
    const fr_tasks *tasks;   // share the work, from depth 6 on; NULL: the calling thread
    uint32_t cookie;         // set by fr_default_octree_move_input
} fr_octree_move_input;

FR_API fr_octree_move_input fr_default_octree_move_input(void);

typedef struct fr_octree_move_output {
    bool is_clipped;       // some of the moved object is outside the root and left out
    uint64_t mixed_blocks; // blocks of 64 voxels that were looked at voxel by voxel
} fr_octree_move_output;

// The octree of the moved reference, into a tree of its depth, which keeps its root. Allocates nothing. Cost by the
// surface voxels. A quadtree moves in its plane: a turn about z, a travel in x and y. FR_ERROR_ARGUMENT for
// a tree of another depth or dimension, for a motion that is none or leaves the plane, FR_ERROR_NOT_FINITE; then the
// tree is unchanged. `output` may be NULL. Any thread, each with a tree of its own.
FR_API fr_status fr_octree_move(const fr_octree_reference *reference, const fr_octree_move_input *input, fr_octree *out,
                                fr_octree_move_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Interference: trees traversed together (Kitamura 2.3.2)

typedef enum fr_octree_reading {
    FR_OCTREE_DIVIDE, // a gray cell is divided, whatever the others are: the smallest cells that two objects share
    FR_OCTREE_PRINTED // rule (b) as printed: two black, or a black and a gray one, interfere; fewer and larger cells
} fr_octree_reading;

// A cell and the trees (growing numbers) that are not white there. Return false to end the walk.
typedef bool fr_octree_meeting_fn(const fr_cell *cell, const uint32_t *trees, uint32_t count, void *context);

typedef struct fr_octree_traverse_input {
    const fr_octree *const *trees; // of one dimension and depth
    uint32_t tree_count;           // 0 .. 2^20
    fr_octree_reading reading;     // default FR_OCTREE_DIVIDE
    fr_octree_meeting_fn *found;   // called for every interfering cell
    void *context;                 // given to `found`
    fr_allocator allocator;        // of scratch memory; default: the process default
} fr_octree_traverse_input;

typedef struct fr_octree_traverse_output {
    uint64_t visited; // cells that were looked at, also when the traversal was stopped
} fr_octree_traverse_output;

// Calls `found` for every interfering cell, depth first; the cell's colour is black when all its trees are black there,
// else gray. FR_ERROR_ARGUMENT for trees of different depths, FR_ERROR_LIMIT for more than 2^20, FR_ERROR_MEMORY,
// FR_ERROR_STOPPED when the callback ended it. `output` may be NULL.
FR_API fr_status fr_octree_traverse(const fr_octree_traverse_input *input, fr_octree_traverse_output *output,
                                    fr_error *error);

// Whether two trees share a black voxel, O(cells), most often far fewer; false for different dimensions or depths.
FR_API bool fr_octree_interfere(const fr_octree *a, const fr_octree *b);

// ---------------------------------------------------------------------------------------------------------------
// Cells that know their faces
//
// An environment is one tree of many moving objects. Each of its voxels knows which faces of which objects share a
// point with it. An object that moves is removed from exactly the cells that it was in. Only cells that change are
// touched.

typedef struct fr_environment fr_environment;

// A face of an object: the object's key, and the triangle of its mesh.
typedef struct fr_cell_face {
    uint64_t owner;
    uint32_t triangle;
} fr_cell_face;

// Takes dimension 3, depth, root and allocator of a definition.
FR_API fr_status fr_environment_create(const fr_octree_def *def, fr_environment **out, fr_error *error);
FR_API void fr_environment_destroy(fr_environment *environment);

// Puts an object in, or where its key is known, moves it or gives it another mesh; the mesh is not kept. What lies
// outside the root is left out. FR_ERROR_NOT_FINITE, FR_ERROR_MEMORY; then everything is as before. Exclusive.
FR_API fr_status fr_environment_set(fr_environment *environment, uint64_t key, const fr_mesh *mesh, const fr_pose *pose,
                                    fr_error *error);

// Takes an object out; FR_ERROR_STALE_ID for a key that is not known. Exclusive.
FR_API fr_status fr_environment_remove(fr_environment *environment, uint64_t key, fr_error *error);

typedef struct fr_environment_stats {
    uint64_t objects;
    uint64_t cells;         // voxels that hold faces
    uint64_t faces;         // faces in them, each counted once a voxel
    uint64_t changed_cells; // by the last set or remove
} fr_environment_stats;

FR_API fr_environment_stats fr_environment_get_stats(const fr_environment *environment);

// The environment as it is between two changes: never changes, read from any thread while it is held. Counted.
typedef struct fr_cells fr_cells;

// The newest state, at once, shared with the environment. May be called from any thread while another changes the
// environment: it is then the state before or after that change, whole. Release it.
FR_API const fr_cells *fr_environment_snapshot(fr_environment *environment);
FR_API void fr_cells_release(const fr_cells *cells);

// The faces in a voxel, sorted by owner and triangle; NULL and 0 for none. Lives as long as the snapshot.
FR_API const fr_cell_face *fr_cells_at(const fr_cells *cells, uint32_t x, uint32_t y, uint32_t z, size_t *count);

// Every voxel that holds faces, depth first.
typedef bool fr_cell_faces_fn(const fr_cell *cell, const fr_cell_face *faces, size_t count, void *context);
FR_API bool fr_cells_walk(const fr_cells *cells, fr_cell_faces_fn *found, void *context);

// The candidates of a voxel: every pair of faces of different owners in it, a < b; a pair that shares several voxels is
// reported in each.
typedef bool fr_face_candidate_fn(const fr_cell *cell, const fr_cell_face *a, const fr_cell_face *b, void *context);
FR_API bool fr_cells_pairs(const fr_cells *cells, fr_face_candidate_fn *found, void *context);

// The candidates of two owners in a cell of any level, such as fr_octree_traverse finds; reported as above.
FR_API bool fr_cells_pairs_of(const fr_cells *cells, const fr_cell *cell, uint64_t owner_a, uint64_t owner_b,
                              fr_face_candidate_fn *found, void *context);

// The voxels that hold faces as an octree of the same depth.
FR_API fr_status fr_cells_octree(const fr_cells *cells, fr_octree *out, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

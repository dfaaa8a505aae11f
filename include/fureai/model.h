// Fureai model: model files as a tree of named parts.
//
// Reads OBJ, STL (text and binary), PLY (text, binary of both byte orders) and OFF from bytes in memory, and writes
// them through a callback; it opens no file. What a file says is kept as it says it: the order of vertices and
// polygons, the number of each polygon, and every coordinate bit for bit (decimal numbers are read to the nearest float
// or double). Library libfureai-model.
#ifndef FUREAI_MODEL_H
#define FUREAI_MODEL_H

#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Format

typedef enum fr_model_format {
    FR_MODEL_AUTO, // by the first bytes, then by the name; for reading only
    FR_MODEL_OBJ,
    FR_MODEL_STL, // binary; the bytes of STL and PLY tell the reader themselves whether they are text
    FR_MODEL_STL_ASCII,
    FR_MODEL_PLY, // binary, written little endian
    FR_MODEL_PLY_ASCII,
    FR_MODEL_OFF,
    FR_MODEL_FORMAT_COUNT
} fr_model_format;

// "obj", "stl", "stl-ascii", "ply", "ply-ascii", "off"; "auto" for the rest. Never NULL.
FR_API const char *fr_model_format_name(fr_model_format format);

// The format that the end of a file name asks for (".obj", ".STL", ...): binary for STL and PLY. FR_MODEL_AUTO when it
// is none of ours. `name` may be NULL.
FR_API fr_model_format fr_model_format_of_name(const char *name);

// The format of bytes: by their first bytes where a format has a mark of its own, then by `name` (may be NULL), then by
// the first statement of an OBJ file. FR_MODEL_AUTO when nothing fits. O(1), looks at 4 KiB at most.
FR_API fr_model_format fr_model_format_detect(const void *bytes, size_t size, const char *name);

// ---------------------------------------------------------------------------------------------------------------
// Model

// A tree of named parts with their meshes. Immutable; any thread may read it.
typedef struct fr_model fr_model;

// The polygons of one part, as the file has them. The arrays belong to the model.
typedef struct fr_model_mesh {
    const float *positions_float; // 3 a vertex, in the model's frame; NULL when the positions are doubles
    const double
        *positions_double; // 3 a vertex, in the model's frame; NULL when they are floats. Both where there are none
    uint32_t vertex_count;
    const uint32_t *corners;        // vertex of each corner, one polygon after another
    const uint32_t *face_starts;    // polygon i has corners face_starts[i] .. face_starts[i + 1] - 1, at least 3; NULL:
                                    // every polygon is a triangle
    uint32_t face_count;            // polygons; may be 0 (points alone)
    uint32_t first_face;            // number in the file, from 0, of the first polygon
    const uint32_t *face_ids;       // number in the file of each polygon; NULL: first_face + i
    const fr_color *face_colors;    // of each polygon; NULL: the file gives none
    const uint32_t *face_materials; // index in the model's materials of each polygon, FR_NONE for none; NULL: no face
                                    // has one
} fr_model_mesh;

// The first corner of polygon `face`, and the one after its last.
static inline uint32_t fr_model_face_begin(const fr_model_mesh *mesh, uint32_t face) {
    return mesh->face_starts != NULL ? mesh->face_starts[face] : 3 * face;
}
static inline uint32_t fr_model_face_end(const fr_model_mesh *mesh, uint32_t face) {
    return fr_model_face_begin(mesh, face + 1);
}

// One node of the tree; a part where it has a mesh. Parents come before their children.
typedef struct fr_model_node {
    const char *name; // bytes of the file; "" where it has none
    uint32_t parent;  // FR_NONE at the top
    uint32_t mesh;    // FR_NONE for a node without one
} fr_model_node;

typedef struct fr_model_material {
    const char *name;
} fr_model_material;

#define FR_MODEL_WARNING_BYTES 120
#define FR_MODEL_MAX_WARNINGS 100

// What a reader passed over, and where.
typedef struct fr_model_warning {
    int line;                             // from 1; 0 where the file has no lines
    int column;                           // in bytes from 1; 0 where the file has no lines
    char message[FR_MODEL_WARNING_BYTES]; // one sentence without the place
} fr_model_warning;

// What a model holds, to read while it lives.
typedef struct fr_model_view {
    fr_model_format format; // that it was read from; FR_MODEL_AUTO for one made from arrays
    const fr_model_node *nodes;
    uint32_t node_count;
    const fr_model_mesh *meshes;
    uint32_t mesh_count;
    const fr_model_material *materials;
    uint32_t material_count;
    const fr_model_warning *warnings; // the first ones, at most FR_MODEL_MAX_WARNINGS, in order of the file
    uint32_t warnings_kept;
    uint64_t warning_count; // all there were
    uint64_t vertex_count;  // of all meshes
    uint64_t face_count;
    uint64_t corner_count;
    uint64_t triangle_count; // that the polygons give: corners - 2 each
    fr_bounds bounds;        // of all vertices; empty when there are none
} fr_model_view;

FR_API const fr_model_view *fr_model_get(const fr_model *model);

// NULL is ignored.
FR_API void fr_model_destroy(fr_model *model);

// ---------------------------------------------------------------------------------------------------------------
// Reading

// How coordinates are kept.
typedef enum fr_model_precision {
    FR_MODEL_AS_FILE, // STL: float. PLY: as its properties say. OBJ and OFF, whose numbers have no width: double
    FR_MODEL_FLOAT,   // the float nearest to the number in the file
    FR_MODEL_DOUBLE
} fr_model_precision;

// A file over a limit is refused with FR_ERROR_LIMIT. Whatever the limits, memory grows with the bytes that are there,
// never with what a header promises: at most 32 bytes a byte of the file, and 64 KiB.
typedef struct fr_model_limits {
    uint64_t bytes;           // of the file; default 2^31
    uint64_t vertices;        // default 2^28, at most 2^32 - 2
    uint64_t faces;           // default 2^27, at most 2^32 - 2
    uint64_t corners;         // of all polygons; default 2^30, at most 2^32 - 2
    uint64_t polygon_corners; // of one polygon; default 2^16
    uint64_t nodes;           // default 10^6
} fr_model_limits;

typedef struct fr_model_read_options {
    fr_model_format format;       // default FR_MODEL_AUTO
    const char *name;             // the file's name, for its ending and for messages; may be NULL
    fr_model_precision precision; // default FR_MODEL_AS_FILE
    fr_model_limits limits;
    const fr_control *control; // asked and told about every 256 KiB; may be NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_model_read_options
} fr_model_read_options;

FR_API fr_model_read_options fr_default_model_read_options(void);

// Reads a model from `size` bytes, which may be anything and are not kept. O(size). `options` may be NULL for the
// defaults. On failure *out is NULL and `error` names the place: line and column in text, "at byte N" in binary.
//
// Parts: in OBJ each `o`, or, where there is no `o`, each name of `g`; each solid of STL; PLY and OFF have one. A part
// of OBJ has the vertices its polygons use, in the file's order; a file of one part has them all. A number that is nan,
// infinite or too large for its width is FR_ERROR_NOT_FINITE; an index without a vertex is FR_ERROR_CORRUPT.
FR_API fr_status fr_model_read(const void *bytes, size_t size, const fr_model_read_options *options, fr_model **out,
                               fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Making one from arrays

typedef struct fr_model_def {
    const fr_model_node *nodes;         // names may be NULL for ""
    uint32_t node_count;                // 1 or more
    const fr_model_mesh *meshes;        // all with the same kind of positions
    uint32_t mesh_count;                // each is named by at least one node
    const fr_model_material *materials; // names may be NULL for ""
    uint32_t material_count;
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_model_def
} fr_model_def;

FR_API fr_model_def fr_default_model_def(void);

// Makes a model; everything is copied. The first defect is named: a parent that does not come before its child, an
// index out of range, a polygon of fewer than 3 corners, a position that is not finite.
FR_API fr_status fr_model_create(const fr_model_def *def, fr_model **out, fr_error *error);

// Makes a model of one part from a mesh: its vertices, triangles and their face numbers. `name` may be NULL.
FR_API fr_status fr_model_from_mesh(const fr_mesh *mesh, const char *name, const fr_allocator *allocator,
                                    fr_model **out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Meshes of a model

typedef struct fr_model_mesh_options {
    bool keep_double;          // keep double positions; default false: floats
    const fr_tasks *tasks;     // who builds the tree; may be NULL
    const fr_control *control; // may be NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_model_mesh_options
} fr_model_mesh_options;

FR_API fr_model_mesh_options fr_default_model_mesh_options(void);

// The mesh of node `node`, which must have one. Polygons are cut into triangles in order, corners - 2 each, with the
// polygon's number in the file as face: convex ones into a fan, others by ears; O(corners^2) for one polygon at worst.
// `options` may be NULL. Fails as fr_mesh_create does, for instance when there is no polygon.
FR_API fr_status fr_model_part_mesh(const fr_model *model, uint32_t node, const fr_model_mesh_options *options,
                                    fr_mesh **out, fr_error *error);

// The same for all parts together, one after another in the order of the nodes: one mesh, as an object of one piece.
FR_API fr_status fr_model_whole_mesh(const fr_model *model, const fr_model_mesh_options *options, fr_mesh **out,
                                     fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Writing

// Takes the next bytes of the file. Return false to end the writing, as when a disk is full.
typedef bool fr_model_sink_fn(const void *bytes, size_t size, void *context);

typedef struct fr_model_write_options {
    const fr_control *control; // asked and told once every 4096 polygons; may be NULL
    uint32_t cookie;           // set by fr_default_model_write_options
} fr_model_write_options;

FR_API fr_model_write_options fr_default_model_write_options(void);

// Writes the model in pieces of up to 16 KiB; allocates nothing for OBJ, PLY and OFF, one polygon's worth for STL. Each
// coordinate is written with the fewest digits that read back to the same bits (binary: the bits). `options` may be
// NULL. FR_ERROR_FILE when the sink ends it; what went out before that is no whole file.
//
// Kept: OBJ polygons, parts (`o`) and materials (`usemtl`); STL parts in text, triangles, floats; PLY and OFF polygons
// and their colours, all parts in one. FR_ERROR_NOT_FINITE when a double is too large for the floats of STL, and
// FR_ERROR_LIMIT when there are more than 2^32 - 1 triangles or vertices.
FR_API fr_status fr_model_write(const fr_model *model, fr_model_format format, const fr_model_write_options *options,
                                fr_model_sink_fn *sink, void *context, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

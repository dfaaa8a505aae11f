// Fureai model: import and export of model files as a tree of named parts (a scene graph).
//
// Reads model files from bytes in memory and writes them through a callback; it opens no file by itself: what a file
// refers to (an Inline, a buffer of glTF) comes from the caller. What a file says is kept as it says it: the tree of
// its nodes, the order of vertices and polygons, the number of each polygon, and every coordinate bit for bit (decimal
// numbers are read to the nearest float or double). Materials, textures, motion tracks and sounds come along. Library
// libfureai-model.
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
    FR_MODEL_STL, // binary; the bytes of STL and PLY show the reader whether they are text
    FR_MODEL_STL_ASCII,
    FR_MODEL_PLY, // binary, written little endian
    FR_MODEL_PLY_ASCII,
    FR_MODEL_OFF,
    FR_MODEL_VRML,     // VRML97; gzip is seen by its first bytes, here and in X3D
    FR_MODEL_VRML_1,   // VRML 1.0; for reading only. The first line of the file distinguishes it from VRML97 and
                       // Inventor, whichever of the three the caller gives
    FR_MODEL_INVENTOR, // Inventor 2.x in ascii; for reading only
    FR_MODEL_X3D,      // XML; for reading only
    FR_MODEL_X3D_VRML, // X3D in classic VRML syntax; for reading only
    FR_MODEL_DXF,      // text and binary; for reading only
    FR_MODEL_GLTF,     // glTF 2.0 in JSON; for reading only
    FR_MODEL_GLB,
    FR_MODEL_COLLADA, // for reading only
    FR_MODEL_FRM,     // the intermediate file of the project, with cooked meshes
    FR_MODEL_FORMAT_COUNT
} fr_model_format;

// "obj", "stl", "stl-ascii", "ply", "ply-ascii", "off", "vrml", "VRML 1.0", "Inventor 2.x", "x3d", "x3dv", "dxf",
// "gltf", "glb", "collada", "frm"; "auto" for the rest. Never NULL.
FR_API const char *fr_model_format_name(fr_model_format format);

// The format that the end of a file name asks for (".obj", ".STL", ...): binary for STL and PLY. FR_MODEL_AUTO when it
// is none of ours. `name` may be NULL.
FR_API fr_model_format fr_model_format_of_name(const char *name);

// The format of bytes: by their first bytes where a format has a mark of its own, then by `name` (may be NULL), then by
// the first statement of an OBJ file. FR_MODEL_AUTO when nothing fits. O(1), looks at 4 KiB at most; for a gzip file it
// takes memory from the process's default allocator and, without any, goes by the name.
FR_API fr_model_format fr_model_format_detect(const void *bytes, size_t size, const char *name);

// ---------------------------------------------------------------------------------------------------------------
// Model

// A tree of named nodes with their meshes. Immutable; any thread may read it.
typedef struct fr_model fr_model;

// What a mesh was before it was cut into polygons: centre at the origin, axis along y.
typedef enum fr_model_primitive_kind {
    FR_MODEL_BOX,      // size: x, y, z
    FR_MODEL_SPHERE,   // size: radius
    FR_MODEL_CYLINDER, // size: radius, height
    FR_MODEL_CONE      // size: radius at the bottom, height; the apex at +y
} fr_model_primitive_kind;

typedef struct fr_model_primitive {
    fr_model_primitive_kind kind;
    bool has_side, has_top, has_bottom; // of cylinders and cones
    double size[3];
} fr_model_primitive;

// How the vertices of a mesh follow bones, and the shapes that they can take.
typedef struct fr_model_deform {
    uint32_t influence_count;    // bones that each vertex follows, up to FR_SKIN_MAX_INFLUENCES; 0: it follows none
    uint32_t bone_count;         // all bones are below this
    const uint32_t *bones;       // influence_count a vertex: bones of the skin of a node that has the mesh
    const float *weights;        // influence_count a vertex: how much of each, with the sum 1
    uint32_t target_count;       // shapes beside its own (morph targets); 0: none
    const float *targets;        // 3 a vertex, one shape after another: what is added to a position at weight 1
    const float *target_weights; // of each shape while no track sets it; NULL: 0
} fr_model_deform;

// The polygons of one mesh, as the file has them. Several nodes may share it. The arrays belong to the model.
typedef struct fr_model_mesh {
    const float *positions_float;   // 3 a vertex, in the node's frame; NULL when the positions are doubles
    const double *positions_double; // 3 a vertex, in the node's frame; NULL when they are floats. Both where there are
                                    // none
    uint32_t vertex_count;
    uint32_t face_count;            // polygons; may be 0 (points alone)
    const uint32_t *corners;        // vertex of each corner, one polygon after another, counter-clockwise from outside
    const uint32_t *face_starts;    // polygon i has corners face_starts[i] .. face_starts[i + 1] - 1, at least 3;
                                    // NULL: every polygon is a triangle
    const uint32_t *face_ids;       // number in the file of each polygon; NULL: first_face + i
    uint32_t first_face;            // number in the file, from 0, of the first polygon
    bool is_two_sided;              // display only: polygons are seen from behind too. Collision always has both sides
    const fr_color *face_colors;    // of each polygon; NULL: the file gives none
    const uint32_t *face_materials; // index in the model's materials of each polygon, FR_NONE for the node's own;
                                    // NULL: no face has one
    const float *corner_normals;    // 3 a corner, unit; NULL: flat
    const float *corner_uvs;        // 2 a corner: u to the right and v up, 0 .. 1 over a texture; NULL: none
    const fr_color *corner_colors;  // 1 a corner; NULL: none
    const fr_model_primitive *primitive; // NULL where it was none
    const fr_model_deform *deform;       // NULL: it neither follows bones nor has other shapes
} fr_model_mesh;

// The first corner of polygon `face`, and the one after its last.
static inline uint32_t fr_model_face_begin(const fr_model_mesh *mesh, uint32_t face) {
    return mesh->face_starts != NULL ? mesh->face_starts[face] : 3 * face;
}
static inline uint32_t fr_model_face_end(const fr_model_mesh *mesh, uint32_t face) {
    return fr_model_face_begin(mesh, face + 1);
}

// Flags of a node; a node has those of its parents too.
#define FR_MODEL_HIDDEN 1u     // neither shown nor touched: a choice not taken of a Switch or an LOD
#define FR_MODEL_NO_COLLIDE 2u // shown, not touched
#define FR_MODEL_PROXY 4u      // touched, not shown: it stands for its neighbours
#define FR_MODEL_BILLBOARD 8u  // turns to the eye when shown

// One node of the tree; a part where it has a mesh. Parents come before their children.
typedef struct fr_model_node {
    const char *name;        // bytes of the file; "" where it has none
    const double *transform; // to the parent's frame (the model's at the top): 3 rows of 4; NULL: none
    uint32_t parent;         // FR_NONE at the top
    uint32_t mesh;           // FR_NONE for a node without one
    uint32_t material;       // of polygons without one of their own; FR_NONE for none
    uint32_t placement;      // index in the model's placements, which gave the transform; FR_NONE where it has no parts
    uint32_t flags;
    uint32_t skin; // index in the model's skins, whose bones its mesh follows: its vertices are where the bones take
                   // them, and its own transform does not count. FR_NONE: none; not read in a definition without skins
} fr_model_node;

// Nodes that are the bones of meshes. A vertex v is at the sum over its bones of its weight times (matrix of the bone's
// node) (inverse bind) v, in the model's frame.
typedef struct fr_model_skin {
    const char *name;
    uint32_t bone_count;         // 1 .. FR_SKIN_MAX_BONES
    const uint32_t *nodes;       // of each bone
    const double *inverse_binds; // 12 a bone, 3 rows of 4: from the mesh's frame to the bone's when it was bound
    uint32_t root;               // node above all bones, where the file names it; FR_NONE
} fr_model_skin;

// A node without name, parent, mesh, material, skin and transform.
FR_API fr_model_node fr_default_model_node(void);

// A transform in parts, as VRML has them, for tracks to move: translation * center * rotation * orientation * scale *
// -orientation * -center.
typedef struct fr_model_placement {
    fr_vec3 translation, center, scale;
    fr_quat rotation, scale_orientation;
} fr_model_placement;

// The 3 rows of 4 of a placement.
FR_API void fr_model_placement_matrix(const fr_model_placement *placement, double matrix[12]);

typedef struct fr_model_material {
    const char *name;
    float diffuse[3], emissive[3], specular[3]; // 0 .. 1
    float ambient, shininess, transparency;     // 0 .. 1
    bool is_unlit;                              // shown in its colour, without light
    uint32_t texture;                           // index in the model's textures; FR_NONE for none
} fr_model_material;

// Grey 0.8, ambient 0.2, shininess 0.2, without name and texture.
FR_API fr_model_material fr_default_model_material(void);

// The one colour that a material is known by: its diffuse light, or what it emits where it is unlit and emits any;
// alpha 255 where it is not transparent.
FR_API fr_color fr_model_material_color(const fr_model_material *material);

// A picture: a file beside the model, its bytes, or pixels.
typedef struct fr_model_texture {
    const char *path;  // relative to the model's folder, inside it; "" where the picture is in the model
    const void *bytes; // an encoded picture (PNG, JPEG); NULL where there is none
    size_t byte_count;
    const uint8_t *pixels; // rows from the bottom, `components` bytes a pixel; NULL where there are none
    uint32_t width, height, components;
    bool is_repeated_s, is_repeated_t;
    float center[2], scale[2], translation[2], rotation; // of the texture's coordinates, as VRML's TextureTransform
} fr_model_texture;

// When tracks run: over `cycle` seconds from `start`, again and again where it loops.
typedef struct fr_model_clock {
    const char *name;
    double cycle, start, stop; // seconds since the model was loaded; stop <= start: never stops by itself
    bool is_loop, is_enabled;
} fr_model_clock;

// What a track moves.
typedef enum fr_model_track_kind {
    FR_MODEL_TRANSLATION,       // 3 numbers a key, of a node's placement, as the following
    FR_MODEL_ROTATION,          // 4: axis and angle in radians, by the shorter turn between keys
    FR_MODEL_SCALE,             // 3
    FR_MODEL_CENTER,            // 3
    FR_MODEL_SCALE_ORIENTATION, // 4
    FR_MODEL_COORDINATES,       // 3 for each vertex of a mesh
    FR_MODEL_DIFFUSE,           // 3, of a material, as the following
    FR_MODEL_EMISSIVE,          // 3
    FR_MODEL_SPECULAR,          // 3
    FR_MODEL_TRANSPARENCY,      // 1
    FR_MODEL_QUATERNION,        // 4: x, y, z, w of a node's rotation, by the shorter turn between keys
    FR_MODEL_WEIGHTS            // of the shapes of a node's mesh, one each
} fr_model_track_kind;

// Values at keys, linear between them.
typedef struct fr_model_track {
    fr_model_track_kind kind;
    uint32_t target; // node, mesh or material, by kind
    uint32_t clock;
    uint32_t key_count;
    uint32_t width;      // numbers a key
    const float *keys;   // fractions of the cycle, not decreasing
    const float *values; // width a key
} fr_model_track;

typedef struct fr_model_sound {
    const char *path;        // relative to the model's folder, inside it
    const char *description; // "" where there is none
    uint32_t node;           // whose frame it stands in
    fr_vec3 location, direction;
    double intensity, pitch;
    double min_front, max_front, min_back, max_back; // metres: full loudness within, silence beyond
    double start, stop;
    bool is_loop, is_spatial;
} fr_model_sound;

// A word that the file says beside the geometry: its title, a viewpoint, a light.
typedef struct fr_model_note {
    const char *kind; // node type or what the format calls it: "WorldInfo", "Viewpoint", "unit"
    const char *name;
    const char *text;
} fr_model_note;

typedef enum fr_model_up { FR_MODEL_UP_AS_FILE, FR_MODEL_UP_X, FR_MODEL_UP_Y, FR_MODEL_UP_Z } fr_model_up;

// Metres of a unit by its name (mm, cm, m, km, in, ft) or as a number of metres, up to 1e9; 0 where a text is neither.
FR_API double fr_model_unit_of_text(const char *text);

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
    const fr_model_placement *placements;
    uint32_t placement_count;
    const fr_model_skin *skins;
    uint32_t skin_count;
    const fr_model_texture *textures;
    uint32_t texture_count;
    const fr_model_clock *clocks;
    uint32_t clock_count;
    const fr_model_track *tracks;
    uint32_t track_count;
    const fr_model_sound *sounds;
    uint32_t sound_count;
    const fr_model_note *notes;
    uint32_t note_count;
    const fr_model_warning *warnings; // the first ones, at most FR_MODEL_MAX_WARNINGS, in order of the file
    uint32_t listed_warning_count;
    uint64_t warning_count; // all there were
    uint64_t vertex_count;  // of all meshes, each once
    uint64_t face_count;
    uint64_t corner_count;
    uint64_t triangle_count;        // that the polygons give: corners - 2 each
    uint64_t placed_triangle_count; // the same with a mesh counted once for each node that has it and is not hidden
    uint64_t shape_count;           // beside their own (morph targets) of all meshes, each once
    uint64_t line_count;            // polylines and points that the file shows; they are counted, not kept
    uint64_t point_count;
    fr_bounds
        bounds;     // in the model's frame, of the vertices of all nodes that are not hidden; empty when there are none
    double unit;    // metres a unit that the file was read with; 1 where nothing was said
    fr_model_up up; // axis that the file was read with; FR_MODEL_UP_AS_FILE where nothing was said
    bool is_unit_guessed, is_up_guessed; // neither the file nor the caller said it (fr_model_read_input.may_guess)
} fr_model_view;

FR_API const fr_model_view *fr_model_get(const fr_model *model);

// NULL is ignored.
FR_API void fr_model_destroy(fr_model *model);

// From a node's frame to the model's: 3 rows of 4, the product of the transforms from the top down.
FR_API void fr_model_node_matrix(const fr_model *model, uint32_t node, double matrix[12]);

// ---------------------------------------------------------------------------------------------------------------
// Motion

// Whether a clock has begun at `time`. Before that its tracks say nothing: what they move is as the file has it.
FR_API bool fr_model_clock_has_begun(const fr_model_clock *clock, double time);

// Where a clock stands at `time`: a fraction 0 .. 1 of its cycle, 0 before it begins.
FR_API double fr_model_clock_fraction(const fr_model_clock *clock, double time);

// A track's value at a fraction of its clock's cycle: `width` numbers. Rotations come as axis and angle.
FR_API void fr_model_track_value(const fr_model_track *track, double fraction, float *values);

// A model as its tracks move it, from time to time. One thread at a time; the model must live as long.
typedef struct fr_model_play fr_model_play;

// FR_ERROR_MEMORY. `allocator` may be NULL for the process default; NULL to destroy is ignored.
FR_API fr_status fr_model_play_create(const fr_model *model, const fr_allocator *allocator, fr_model_play **out,
                                      fr_error *error);
FR_API void fr_model_play_destroy(fr_model_play *play);

// Whether tracks move a node, one above it, its mesh or the bones that it follows, at any time.
FR_API bool fr_model_play_moves(const fr_model_play *play, uint32_t node);

// Moves all to `time`, in O(tracks + nodes that move), without taking memory. False when all is as it was at the time
// before: no clock went on. To be called before the following.
FR_API bool fr_model_play_at(fr_model_play *play, double time);

// From a node's frame to the model's at that time: 3 rows of 4.
FR_API void fr_model_play_matrix(const fr_model_play *play, uint32_t node, double matrix[12]);

// The vertices of a node's mesh in the model's frame at that time, taken along by its bones; the node must have a mesh.
FR_API void fr_model_play_vertices(fr_model_play *play, uint32_t node, fr_vec3 *out);

// How many bones take along all parts that are touched and move: the bones of their skins, and nodes that move as a
// whole. 0: no such part has a skin, or poses cannot say it all: a shape changes (morph targets, tracks of
// coordinates), or something stretches along one axis over 2^-16 more than along another, as exporters round scales.
FR_API uint32_t fr_model_play_bone_count(const fr_model_play *play);

// Where these bones are at that time, in the model's frame. The skins of fr_model_parts then have the vertices of
// fr_model_play_vertices, but for rounding and for 2^-16 of a vertex's distance from its bones. False, with `out` not
// defined, where a number is too large for a pose.
FR_API bool fr_model_play_bones(const fr_model_play *play, fr_pose *out);

// ---------------------------------------------------------------------------------------------------------------
// Reading

// How coordinates are kept.
typedef enum fr_model_precision {
    FR_MODEL_AS_FILE, // STL, VRML, X3D, glTF: float. PLY: as its properties say. DXF: double. OBJ and OFF, whose
                      // numbers have no width: double
    FR_MODEL_FLOAT,   // the float nearest to the number in the file
    FR_MODEL_DOUBLE
} fr_model_precision;

// A file over a limit is refused with FR_ERROR_LIMIT. Memory grows with the bytes that are there, never with what a
// header promises: at most 32 bytes a byte of the file, and 64 KiB; 256 a byte in formats where a few letters are a
// node (VRML, X3D, glTF, Collada). What a file names in a word costs more: primitives and extrusions of VRML and X3D,
// and instances (USE, PROTO, Inline, INSERT of DXF, nodes of Collada), which are counted before they are made, 40 bytes
// each. What all of it takes at once is bounded by `memory` and `memory_a_byte`, counted at the allocator: assemblies
// of very many instances (CAD) may need more than the default. The library Draco takes its own memory, not the
// allocator's, within the same limits.
typedef struct fr_model_limits {
    uint64_t memory;          // bytes that a reading may hold at once beside the file's own; default 2^28 (256 MiB)
    uint64_t memory_a_byte;   // bytes more for each byte of the files that are read; default 4000
    uint64_t bytes;           // of the file; default 2^31
    uint64_t vertices;        // default 2^28, at most 2^32 - 2
    uint64_t faces;           // default 2^27, at most 2^32 - 2
    uint64_t corners;         // of all polygons; default 2^30, at most 2^32 - 2
    uint64_t polygon_corners; // of one polygon; default 2^16
    uint64_t nodes;           // after instancing; default 10^7
    // The following are for formats that can ask for more than they hold.
    uint64_t inflated_bytes;   // of a gzip file, and of all that is compressed in a glTF file; default 2^30
    uint64_t inflation;        // the same for each byte of the file, beyond the first 64 KiB; default 200
    uint64_t placed_vertices;  // after instancing; default 5 * 10^7
    uint64_t placed_triangles; // after instancing; default 10^8
    uint64_t elements;         // of one list of values; default 5 * 10^7
    uint64_t string_bytes;     // default 2^20
    uint64_t pixels;           // of one picture; default 64 * 2^20
    uint32_t nesting;          // of nodes; default 128
    uint32_t proto_nesting;    // of prototypes in prototypes; default 32
    uint32_t inline_nesting;   // of files in files; default 8
} fr_model_limits;

// Sets how much a reading may hold at once, whatever the size of its files: `memory`, with no bytes more for their own.
static inline void fr_model_limits_set_memory(fr_model_limits *limits, uint64_t memory) {
    limits->memory = memory;
    limits->memory_a_byte = 0;
}

// Gives the files that a model refers to. `path` is relative to the model's folder, with '/' between names, and
// never leaves it; the callback makes sure that links do not either.
typedef struct fr_model_files {
    // Anything but FR_OK: there is no such file, and `error` may say why. NULL: there are none.
    fr_status (*load)(const char *path, const void **bytes, size_t *size, void *context, fr_error *error);
    void (*unload)(const void *bytes, size_t size, void *context);
    void *context;
} fr_model_files;

typedef struct fr_model_read_input {
    fr_model_format format;       // default FR_MODEL_AUTO
    const char *name;             // the file's name, for its ending and for messages; may be NULL
    fr_model_precision precision; // default FR_MODEL_AS_FILE
    // Stop at the first error that could be repaired, and at what VRML97 forbids; default false: repair, warn, go on.
    bool is_strict;
    double unit;    // metres a unit of the file; default 0: 1, or what the file says of itself
    fr_model_up up; // the file's upward axis, turned to +y; default: as it is, or what the file says
    // Guess unit and up axis where neither the file nor its format says them (OBJ, STL, PLY, OFF, DXF): metres up to
    // 10 units of size, millimetres beyond; z up in STL and DXF, else y. Default false: metres, as the file has it.
    bool may_guess;
    bool has_all_choices;      // keep what a Switch or an LOD does not take, hidden; default false
    uint32_t level;            // of LOD nodes, the last one there is at most; default 0
    double facet_tolerance;    // metres that cut spheres, cylinders and cones may lie inside; default 0: the greater
                               // of 0.1 mm and a thousandth of the radius
    bool may_touch_billboards; // default false: they are shown only
    bool is_verified;          // .frm: compare its checksums too; default false
    fr_model_files files;      // default: none
    fr_model_limits limits;
    const fr_tasks *tasks;     // share the lines of OBJ files of 512 KiB and more; the model is the same. May be NULL
    const fr_control *control; // may stop it, within 0.2 s, and gets progress, about every 256 KiB; may be NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_model_read_input
} fr_model_read_input;

FR_API fr_model_read_input fr_default_model_read_input(void);

// Reads a model from `size` bytes, which may be anything and are not kept. O(size). `input` may be NULL for the
// defaults. On failure *out is NULL and `error` names the place: line and column in text, "at byte N" in binary.
//
// Parts: in OBJ each `o`, or, where there is no `o`, each name of `g`; each solid of STL; PLY and OFF have one. A part
// of OBJ has the vertices its polygons use, in the file's order; a file of one part has them all. A number that is nan,
// infinite or too large for its width is FR_ERROR_NOT_FINITE; an index without a vertex is FR_ERROR_CORRUPT.
FR_API fr_status fr_model_read(const void *bytes, size_t size, const fr_model_read_input *input, fr_model **out,
                               fr_error *error);

// Reads a model from a file, with the files that it refers to: those in its folder and below, unless `input` names
// others
// (`files`). The path is its name where `input` has none. Fails as fr_model_read does, with the path; FR_ERROR_FILE
// with the reason when the file cannot be opened or read.
FR_API fr_status fr_model_read_file(const char *path, const fr_model_read_input *input, fr_model **out,
                                    fr_error *error);

// Opens an intermediate file (FR_MODEL_FRM) in place, as from mmap: `bytes`, aligned to 64, are checked in full
// but not copied; they must outlive the model and every mesh of it, and not change. Meshes are the cooked ones where
// the file has them, used in place. Fails as fr_model_read does.
FR_API fr_status fr_model_map(const void *bytes, size_t size, const fr_model_read_input *input, fr_model **out,
                              fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Making one from arrays

typedef struct fr_model_def {
    const fr_model_node *nodes;  // names may be NULL for "", here and below
    uint32_t node_count;         // 1 or more
    const fr_model_mesh *meshes; // all with the same kind of positions
    uint32_t mesh_count;
    const fr_model_material *materials;
    uint32_t material_count;
    const fr_model_placement *placements;
    uint32_t placement_count;
    const fr_model_skin *skins;
    uint32_t skin_count;
    const fr_model_texture *textures;
    uint32_t texture_count;
    const fr_model_clock *clocks;
    uint32_t clock_count;
    const fr_model_track *tracks;
    uint32_t track_count;
    const fr_model_sound *sounds;
    uint32_t sound_count;
    const fr_model_note *notes;
    uint32_t note_count;
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

// The same from a skin with a mesh: a part with smooth normals that follows bones, which are nodes below one another
// and stand where they were bound. `colors`, one a triangle, may be NULL. FR_ERROR_ARGUMENT for a skin without a mesh.
FR_API fr_status fr_model_from_skin(const fr_skin *skin, const char *name, const fr_color *colors,
                                    const fr_allocator *allocator, fr_model **out, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Meshes of a model

typedef enum fr_model_use {
    FR_MODEL_TO_TOUCH, // without nodes that are hidden or do not collide
    FR_MODEL_TO_SHOW   // without nodes that are hidden or proxies
} fr_model_use;

typedef struct fr_model_mesh_input {
    bool is_double;            // keep double positions; default false: floats
    bool is_in_own_frame;      // of one part: in the node's own frame; default false: in the model's, polygons turned
                               // about where a transform mirrors
    bool is_welded;            // vertices with the same bits become one, as STL repeats each for every triangle: the
                               // triangles stay what and where they are; not for parts that are shaped or follow
                               // bones. Default false: vertices are those of the file
    fr_model_use use;          // of the whole; default FR_MODEL_TO_TOUCH
    const fr_model_play *play; // of fr_model_parts: parts that its bones take along get skins; may be NULL
    const fr_tasks *tasks;     // build the tree; may be NULL
    const fr_control *control; // may be NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_model_mesh_input
} fr_model_mesh_input;

FR_API fr_model_mesh_input fr_default_model_mesh_input(void);

// The mesh of node `node`, which must have one. Polygons are cut into triangles in order, corners - 2 each, with the
// polygon's number in the file as face: convex ones into a fan, others by ears; O(corners^2) for one polygon at worst.
// Where the squares of all polygons of over 1000 corners come to more than 4e9, those that are left become fans.
// `input` may be NULL. Fails as fr_mesh_create does, for instance when there is no polygon.
FR_API fr_status fr_model_part_mesh(const fr_model *model, uint32_t node, const fr_model_mesh_input *input,
                                    fr_mesh **out, fr_error *error);

// The colours of its triangles, in the same order: those of the corners (their mean over the polygon), of the polygon,
// of its material, of the node's material. What has none, or the grey 204, 204, 204 that readers put where a file gives
// none, gets `fallback`. `colors` has a place for each triangle, corners - 2 a polygon. Returns whether any other
// colour was found. Pictures (textures) do not count. Any thread.
FR_API bool fr_model_part_colors(const fr_model *model, uint32_t node, fr_color fallback, fr_color *colors);

// The same for all parts together, one after another in the order of the nodes: one mesh, as an object of one piece.
FR_API fr_status fr_model_whole_mesh(const fr_model *model, const fr_model_mesh_input *input, fr_mesh **out,
                                     fr_error *error);

// A part of a model: a node with polygons, its mesh and where that stands.
typedef struct fr_model_part {
    uint32_t node;
    fr_mesh *mesh; // a reference that becomes the taker's
    fr_pose pose;  // of the mesh in the model's frame
    fr_skin *skin; // how the bones of the input's play take it along, a reference that becomes the taker's; NULL: not
} fr_model_part;

// Takes the next part. Anything but FR_OK ends the call with that status.
typedef fr_status fr_model_part_fn(const fr_model_part *part, void *context, fr_error *error);

// Makes the parts of a use (is_in_own_frame is not looked at) and gives them to `take`, in the order of the nodes.
// Nodes of one mesh, one material and transforms that differ in their shift alone share an fr_mesh, and the shift is in
// the pose: turns, scales and mirrors are in the vertices. With double positions fr_pose_apply gives the bits that
// fr_model_part_mesh has. Where tracks move the model the shift is in the vertices too, so that all poses are the
// identity. Parts that bones or weights shape share nothing. With a skin the mesh is as it is before bones take it
// along, with all digits of the file. Any thread. `input` may be NULL. Fails as
// fr_model_part_mesh does.
FR_API fr_status fr_model_parts(const fr_model *model, const fr_model_mesh_input *input, fr_model_part_fn *take,
                                void *context, fr_error *error);

// The same parts without their meshes, which are made one by one when they are wanted: for models of which not all
// meshes fit in memory at once.
typedef struct fr_model_part_list fr_model_part_list;

typedef struct fr_model_listed_part {
    uint32_t node, shape; // parts that share a mesh have one shape
    fr_pose pose;         // as of fr_model_part
} fr_model_listed_part;

typedef struct fr_model_shape {
    fr_bounds bounds; // hold the corners of the mesh
    uint32_t triangle_count;
} fr_model_shape;

typedef struct fr_model_part_list_view {
    const fr_model_listed_part *parts; // in the order of the nodes
    const fr_model_shape *shapes;
    uint32_t part_count, shape_count;
} fr_model_part_list_view;

// Lists the parts of a model as fr_model_parts makes them; parts that bones take along are refused
// (FR_ERROR_UNSUPPORTED: `play` must be NULL). Model and list are read until the list's end; `input`, without its tasks
// and control, is copied and may be NULL. Fails as fr_model_parts does, but for what making a mesh finds.
FR_API fr_status fr_model_part_list_create(const fr_model *model, const fr_model_mesh_input *input,
                                           fr_model_part_list **out, fr_error *error);
FR_API void fr_model_part_list_destroy(fr_model_part_list *list);
FR_API const fr_model_part_list_view *fr_model_part_list_get(const fr_model_part_list *list);

// Makes the mesh of a shape: a reference that becomes the caller's, of the same bits each time. Any thread, several at
// once. `control` may be NULL.
FR_API fr_status fr_model_part_list_make(const fr_model_part_list *list, uint32_t shape, const fr_control *control,
                                         fr_mesh **out, fr_error *error);

typedef struct fr_model_surface_output {
    bool is_closed; // each edge has two triangles, which agree on what is outside
    double volume;  // of what it encloses, signed; 0 where it is not closed
} fr_model_surface_output;

// Whether the polygons of a use form a closed surface together, vertices at the same place counting as one, and what it
// encloses: what fr_topology_create and fr_mesh_mass find for the whole mesh of floats, without making it. Memory grows
// with the meshes, each counted once, and with 72 bytes a node; at most 235 MB are taken beside that. O(triangles of
// all nodes), where the boxes of nodes touch as often again for each 5.6 million edges of these. Any thread. `input`
// may be NULL. FR_ERROR_STOPPED, FR_ERROR_MEMORY.
FR_API fr_status fr_model_surface(const fr_model *model, const fr_model_mesh_input *input,
                                  fr_model_surface_output *output, fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// The models of one file

// What counts as one model.
typedef enum fr_model_split_rule {
    FR_MODEL_SPLIT_SHAPE, // each node with polygons
    FR_MODEL_SPLIT_NAME,  // each node with a name, with all that is below it and has none
    FR_MODEL_SPLIT_TOP    // each node at the top; below the only one there when that has no polygons
} fr_model_split_rule;

typedef struct fr_model_group {
    uint32_t node; // stands for it
    uint64_t faces, triangles;
    fr_bounds bounds; // in the model's frame
} fr_model_group;

// Gathers the nodes that are not hidden into models and writes those with polygons, in the order of their nodes, to
// `groups` of node_count; returns how many.
FR_API uint32_t fr_model_split(const fr_model *model, fr_model_split_rule rule, fr_model_group *groups);

// ---------------------------------------------------------------------------------------------------------------
// Writing

// Takes the next bytes of the file. Return false to end the writing, as when a disk is full.
typedef bool fr_model_sink_fn(const void *bytes, size_t size, void *context);

typedef struct fr_model_write_input {
    double unit;    // metres a unit of the file; default 0: 1. The file says it where its format has a place for words
    fr_model_up up; // axis of the file that points up; default FR_MODEL_UP_AS_FILE: +y, as in the model
    bool is_uncooked;          // .frm without cooked meshes: smaller, written sooner; default false
    const fr_control *control; // may stop it, within 0.2 s, and gets progress, every 4096 polygons; may be NULL
    uint32_t cookie;           // set by fr_default_model_write_input
} fr_model_write_input;

FR_API fr_model_write_input fr_default_model_write_input(void);

// Writes the model in pieces of up to 16 KiB; allocates nothing for OBJ, PLY and OFF, one polygon's worth for STL. Each
// coordinate is written with the fewest digits that read back to the same bits (binary: the bits). `input` may be
// NULL. FR_ERROR_FILE when the sink ends it; what went out before that is no whole file.
//
// Kept: OBJ polygons, parts (`o`) and materials (`usemtl`); STL parts in text, triangles, floats; PLY and OFF polygons
// and their colours, all parts in one; nodes are written where they stand, without hidden ones and proxies. VRML and
// GLB keep the tree, names, materials and what stands at corners, GLB in triangles of floats; VRML tracks and sounds,
// GLB those tracks that move nodes. FRM keeps all, in metres and y up alone. These three take memory, FRM for one
// cooked mesh at a time. FR_ERROR_NOT_FINITE when a double is too large for the floats of STL, and FR_ERROR_LIMIT when
// there are more than 2^32 - 1 triangles or vertices.
FR_API fr_status fr_model_write(const fr_model *model, fr_model_format format, const fr_model_write_input *input,
                                fr_model_sink_fn *sink, void *context, fr_error *error);

// Writes all that the model holds as lines of text: nodes, meshes with every vertex, polygon and plane, materials,
// textures, clocks, tracks, sounds, notes and warnings, each beginning with a word that names it. Numbers have as many
// digits as fix their bits; control characters in names become '?'. FR_ERROR_FILE when the sink ends it.
FR_API fr_status fr_model_dump(const fr_model *model, fr_model_sink_fn *sink, void *context, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif

// The inside of a model.
#ifndef FUREAI_MODEL_MODEL_H
#define FUREAI_MODEL_MODEL_H

#include "builder.h"

// A mesh with its tree as one piece of bytes that are not the model's own; NULL where there is none.
typedef struct fr__cooked {
    const void *block;
    size_t size;
} fr__cooked;

FR__LIST_TYPE(fr__model_mesh_array, fr_model_mesh);
FR__LIST_TYPE(fr__cooked_array, fr__cooked);

struct fr_model {
    fr_model_view view;
    fr__builder store; // holds what the view's arrays point to
    fr__model_mesh_array meshes;
    fr__cooked_array cooked; // one a mesh; empty where there are none
    double **rest_bones;     // of each skin 12 a bone, 3 rows of 4: where each takes vertices at rest
    void *bytes;             // of an intermediate file, which arrays point into; NULL where there are none
    size_t byte_count;
    fr__budget *budget; // whose allocator gave all of this; NULL where it was the caller's
};

// A model with what the builder holds, which is empty afterwards; NULL when there is no memory.
fr_model *fr__model_alloc(fr__builder *builder);

// Fills the view from what the model holds. FR_ERROR_MEMORY, FR_ERROR_STOPPED.
fr_status fr__model_complete(fr_model *model, fr_model_format format);

// The checks of a definition that are about its nodes and what stands beside its meshes.
fr_status fr__model_check_links(const fr_model_def *def, fr_error *error);

// Corners of a mesh.
static inline uint32_t fr__corner_count(const fr_model_mesh *mesh) {
    return fr_model_face_begin(mesh, mesh->face_count);
}

// Number in the file of polygon `face` of a mesh.
static inline uint32_t fr__face_id(const fr_model_mesh *mesh, uint32_t face) {
    return mesh->face_ids != NULL ? mesh->face_ids[face] : mesh->first_face + face;
}

static inline fr_vec3 fr__position(const fr_model_mesh *mesh, uint32_t vertex) {
    size_t i = (size_t)3 * vertex;
    if (mesh->positions_double != NULL) {
        const double *p = mesh->positions_double + i;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    const float *p = mesh->positions_float + i;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

// Whether a file's frame is ours: metres, y up.
bool fr__frame_is_own(double unit, fr_model_up up);

// From the model's frame to a file's.
void fr__frame_to_file(double unit, fr_model_up up, double matrix[12]);

// Turns what was read into metres and y up, by a node above all others where that is needed. What the caller wants (0
// and FR_MODEL_UP_AS_FILE: nothing) wins over what the file says of itself, which the reader left in the builder. False
// when there is no memory.
bool fr__builder_apply_frame(fr__builder *builder, double unit, fr_model_up up);

// Sets unit and up of what was read to a guess, where neither the format, the file nor the input says them.
void fr__builder_guess_frame(fr__builder *builder, fr_model_format format, const fr_model_read_input *input);

// Sets what a track moves of a placement.
void fr__set_placement(fr_model_placement *placement, fr_model_track_kind kind, const float *values);

// Whether a track of this kind moves a node's placement.
static inline bool fr__moves_placement(fr_model_track_kind kind) {
    return kind < FR_MODEL_COORDINATES || kind == FR_MODEL_QUATERNION;
}

// Whether the target of such a track is a node.
static inline bool fr__is_of_node(fr_model_track_kind kind) {
    return fr__moves_placement(kind) || kind == FR_MODEL_WEIGHTS;
}

// The turn that a track of quaternions says at a fraction.
fr_quat fr__track_turn(const fr_model_track *track, double fraction);

// The checks of a definition that are about skins, bones of vertices and shapes.
fr_status fr__model_check_skins(const fr_model_def *def, fr_error *error);

// One more bone of a vertex, in places `first` to FR_SKIN_MAX_INFLUENCES - 1: of more than there is room for, the one
// of the least weight is left out.
void fr__add_influence(uint32_t *bones, float *weights, uint32_t first, uint32_t bone, float weight);

// Whether fr_skin_create takes the inverse binds of a skin.
fr_status fr__check_inverse_binds(const fr_model_skin *skin, const fr_allocator *allocator, fr_error *error);

// Fills rest_bones; false when there is no memory.
bool fr__model_place_bones(fr_model *model);

// How a mesh is deformed; zeros where it is not.
static inline fr_model_deform fr__deform_of(const fr_model_mesh *mesh) {
    return mesh->deform != NULL ? *mesh->deform : (fr_model_deform){.target_count = 0};
}

// A skin of the shape room for a mesh that follows bones, without inverse binds: matrices hold these already.
fr_status fr__mesh_skin(const fr_model_mesh *mesh, const fr_allocator *allocator, fr_skin **out, fr_error *error);

// A node's mesh in the model's frame.
typedef struct fr__placed {
    const fr_model_mesh *mesh; // NULL where the node has none
    const double *bones;       // 12 a bone of its skin, as they stand at rest; NULL: it follows none
    bool is_shaped;   // its vertices follow bones, or its shapes have weights: positions are not the mesh's own
    bool is_moved;    // there is a transform
    bool is_mirrored; // the transform turns polygons about
    double matrix[12];
} fr__placed;

// out = a * b, matrices of 3 rows of 4; `out` may be either.
void fr__matrix_multiply(const double a[12], const double b[12], double out[12]);

// The determinant of a matrix without its fourth column: below 0 where it mirrors, 0 where it flattens.
double fr__matrix_determinant(const double matrix[12]);

// Fills how the mesh of a node is placed where it is shaped; false, with nothing changed, where it is not.
bool fr__place_shape(const fr_model *model, uint32_t node, fr__placed *placed);

// out = the inverse of a, which may be `out`; false where it has none.
bool fr__matrix_invert(const double a[12], double out[12]);

fr__placed fr__place_node(const fr_model *model, uint32_t node);

// A vertex of a mesh with shapes at these weights, one a shape.
fr_vec3 fr__morphed_position(const fr_model_mesh *mesh, const float *weights, uint32_t vertex);

// A vertex of what is shaped, before the transform.
fr_vec3 fr__shaped_position(const fr__placed *placed, uint32_t vertex);

// A point of the mesh in the model's frame: its own bits where there is no transform.
static inline fr_vec3 fr__placed_point(const fr__placed *placed, fr_vec3 p) {
    if (!placed->is_moved) { return p; }
    const double *m = placed->matrix;
    return fr_vec3_make(((m[0] * p.x + m[1] * p.y) + m[2] * p.z) + m[3],
                        ((m[4] * p.x + m[5] * p.y) + m[6] * p.z) + m[7],
                        ((m[8] * p.x + m[9] * p.y) + m[10] * p.z) + m[11]);
}

static inline fr_vec3 fr__placed_position(const fr__placed *placed, uint32_t vertex) {
    return fr__placed_point(placed, placed->is_shaped ? fr__shaped_position(placed, vertex)
                                                      : fr__position(placed->mesh, vertex));
}

#endif

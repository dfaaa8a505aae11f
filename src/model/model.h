// The inside of a model.
#ifndef FUREAI_MODEL_MODEL_H
#define FUREAI_MODEL_MODEL_H

#include "builder.h"

struct fr_model {
    fr_model_view view;
    fr__builder store;  // holds what the view's arrays point to
    fr_array nodes;     // fr_model_node
    fr_array meshes;    // fr_model_mesh
    fr_array materials; // fr_model_material
};

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

#endif

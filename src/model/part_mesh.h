// A node's mesh cut into triangles, where it is placed.
#ifndef FUREAI_MODEL_PART_MESH_H
#define FUREAI_MODEL_PART_MESH_H

#include "model.h"

// Whether a node is in the whole mesh for a use.
static inline bool fr__is_used(const fr_model_node *node, fr_model_use use) {
    uint32_t without = FR_MODEL_HIDDEN | (use == FR_MODEL_TO_SHOW ? FR_MODEL_PROXY : FR_MODEL_NO_COLLIDE);
    return node->mesh != FR_NONE && (node->flags & without) == 0;
}

// The mesh of what is placed so; `input` has its cookie.
fr_status fr__model_placed_mesh(const fr_model *model, const fr__placed *placed, const fr_model_mesh_input *input,
                                fr_mesh **out, fr_error *error);

#endif

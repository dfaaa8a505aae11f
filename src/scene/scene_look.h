// How the meshes of a scene look, gathered while it is built.
#ifndef FUREAI_SCENE_SCENE_LOOK_H
#define FUREAI_SCENE_SCENE_LOOK_H

#include "fureai/scene.h"

FR_ARRAY_TYPE(fr__picture_array, fr_picture);
FR_ARRAY_TYPE(fr__material_array, fr_material);
FR_ARRAY_TYPE(fr__mesh_look_array, fr_mesh_look);
FR_ARRAY_TYPE(fr__object_id_array, fr_object_id);

typedef struct fr__scene_looks {
    fr_allocator allocator;
    fr_arena *arena; // of what the looks point to; NULL while there is nothing
    fr__picture_array pictures;
    fr__material_array materials;
    fr__mesh_look_array meshes; // each with a reference to its mesh
    fr__object_id_array plain;
    size_t picture_bytes; // of all
    fr_looks view;
} fr__scene_looks;

fr__scene_looks fr__scene_looks_make(const fr_allocator *allocator);

// Forgets all; its arrays keep their memory until they are freed.
void fr__scene_looks_clear(fr__scene_looks *looks);
void fr__scene_looks_free(fr__scene_looks *looks);

// A model and what was made of it.
typedef struct fr__scene_look_input {
    const fr_model *model;
    const uint32_t *nodes;    // one a part
    const fr_part_def *parts; // in this order
    fr_skin *const *skins;    // one a part; NULL where no bones take it along
    uint32_t count;
    const fr_model_files *files;
} fr__scene_look_input;

// Adds what a model says of the meshes that were made of its nodes. Pictures that cannot be loaded, are none, or are
// too large are left out: surfaces then have their material's colour. False without memory.
bool fr__scene_looks_add(fr__scene_looks *looks, const fr__scene_look_input *input);

// Adds the colours of a mesh, one a triangle. False without memory.
bool fr__scene_looks_add_colors(fr__scene_looks *looks, const fr_mesh *mesh, const fr_color *colors);

// Says that an object is shown in its colour alone. False without memory.
bool fr__scene_looks_add_plain(fr__scene_looks *looks, fr_object_id id);

const fr_looks *fr__scene_looks_get(fr__scene_looks *looks);

// Whether a model gives its surfaces colours or pictures; the grey that readers give to materials without colour is
// none.
bool fr__scene_has_looks(const fr_model_view *view);

// Moves what others have to the end of `looks`, which refers to their memory from then on: they must live as long.
// Nothing is moved, and false returned, without memory.
bool fr__scene_looks_append(fr__scene_looks *looks, fr__scene_looks *others);

#endif

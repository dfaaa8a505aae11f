// The different meshes of the parts of a model: nodes that show the same mesh, placed alike but for a shift, share it.
#ifndef FUREAI_MODEL_SHAPE_LIST_H
#define FUREAI_MODEL_SHAPE_LIST_H

#include "names.h"
#include "part_mesh.h"

FR_ARRAY_TYPE(fr__placed_array, fr__placed);

typedef struct fr__shape_list {
    const fr_model *model;
    fr_arena *keys;
    fr__names names;         // the keys
    fr__placed_array placed; // beside them: how each is made
    bool is_still;           // no track moves the model
} fr__shape_list;

// FR_ERROR_MEMORY; fr__shape_list_end may be called in any case.
fr_status fr__shape_list_begin(fr__shape_list *list, const fr_model *model, const fr_allocator *allocator,
                               fr_error *error);
void fr__shape_list_end(fr__shape_list *list);

// Takes the shift out of what places the mesh of a node, into the pose, where the model stands still. The sum that it
// was the last part of keeps its bits. FR_ERROR_NOT_FINITE.
fr_status fr__shape_list_shift(const fr__shape_list *list, uint32_t node, fr__placed *placed, fr_pose *pose,
                               fr_error *error);

// The number of the shape that is placed so, the next one where it is new; FR_NONE: no memory.
uint32_t fr__shape_list_find(fr__shape_list *list, uint32_t node, const fr__placed *placed);

// The number of a new shape that nothing shares, for what bones or weights shape; FR_NONE: no memory.
uint32_t fr__shape_list_add(fr__shape_list *list, uint32_t node, const fr__placed *placed);

#endif

// What the kernels of bones in their parents' frames are given.
#ifndef FUREAI_SHAPE_BONE_CHANGES_H
#define FUREAI_SHAPE_BONE_CHANGES_H

#include "fureai/shape.h"
#include "math/simd.h"

typedef struct fr__bone_changes_kernel_table {
    // fr_bone_changes without the check of its input; true where a bone changed.
    bool (*take)(const fr_bone_changes_input *input, fr_bone_group *groups);
} fr__bone_changes_kernel_table;

FR__KERNEL_TABLE(fr__bone_changes_kernel_table, fr__bone_changes_kernel)

#endif

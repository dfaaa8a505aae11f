// The time at which two triangles in contact separate.
#ifndef FUREAI_SHAPE_PARTING_H
#define FUREAI_SHAPE_PARTING_H

#include "shape/advance.h"

typedef struct fr__parting_kernel_table {
    // A time after `from`, at which the triangles are `distance` apart, within m + e, when they are farther apart than
    // that; before it they are so for no longer than the time tolerance. 1 where they stay together, and where *capped
    // is set.
    double (*time)(const fr__moving_pair *pair, double from, double distance, const fr_time_input *input, bool *capped);
} fr__parting_kernel_table;

FR__KERNEL_TABLE(fr__parting_kernel_table, fr__parting_kernel)

#endif

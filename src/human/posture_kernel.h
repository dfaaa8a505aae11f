// What the kernels of postures compute.
#ifndef FUREAI_HUMAN_POSTURE_KERNEL_H
#define FUREAI_HUMAN_POSTURE_KERNEL_H

#include "human/skeleton.h"
#include "math/simd.h"

// The mean of turns and of the place: `count` motions of `previous->count` links.
typedef struct fr__mean_work {
    const fr_weighted_posture *motions;
    size_t count;
    const fr_posture *previous;
    fr_posture *out;
} fr__mean_work;

typedef struct fr__posture_kernel_table {
    // The poses of one body, and of four side by side: the postures of four, and where the poses of each go.
    void (*place_one)(const fr_skeleton *skeleton, const fr_posture *posture, fr_pose *poses);
    void (*place_four)(const fr_skeleton *skeleton, const fr_posture *postures, fr_pose *poses);
    // Turns between two arrays of turns at t in 0 .. 1, four side by side. `out` may be one of them.
    void (*slerp)(const fr_quat *from, const fr_quat *to, double t, uint32_t count, fr_quat *out);
    // The turns of the mean, four links side by side.
    void (*mean)(const fr__mean_work *work);
    // Turns as four floats each, made unit.
    void (*read_floats)(const float *numbers, uint32_t count, fr_quat *out);
} fr__posture_kernel_table;

FR__KERNEL_TABLE(fr__posture_kernel_table, fr__posture_kernel)

#endif

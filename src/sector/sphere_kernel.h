// Many balls against one sector or one box, eight at once.
#ifndef FUREAI_SECTOR_SPHERE_KERNEL_H
#define FUREAI_SECTOR_SPHERE_KERNEL_H

#include "fureai/sector.h"
#include "math/simd.h"

typedef struct fr__float_box {
    float min[3], max[3];
} fr__float_box;

// What a kernel needs of a sector, as floats; `axes` are bisector, side and axis.
typedef struct fr__float_sector {
    float center[3], axes[3][3];
    float inner, outer, half_thickness;
    float cosine, sine;          // of a full turn -1 and a tiny positive number
    float factor, slack;         // a radius is taken times the factor, and so much more
    float far_factor, far_slack; // and so where it is tested whether a ball is near the bounds at all
    fr__float_box bounds;
} fr__float_sector;

typedef struct fr__sphere_table {
    // Sets bits[0 .. (count + 7) / 8] and returns how many balls meet.
    size_t (*sector)(const fr__float_sector *sector, const fr_spheres *spheres, uint8_t *bits);
    size_t (*box)(const fr__float_box *box, const fr_spheres *spheres, uint8_t *bits);
} fr__sphere_table;

FR__KERNEL_TABLE(fr__sphere_table, fr__sphere_kernels)

#endif

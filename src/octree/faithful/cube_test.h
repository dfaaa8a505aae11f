// How a tilted cube and an upright one lie to each other: the tests of Kitamura ch. 5 and its appendix.
#ifndef FUREAI_OCTREE_FAITHFUL_CUBE_TEST_H
#define FUREAI_OCTREE_FAITHFUL_CUBE_TEST_H

#include "fureai/octree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fr_cube_relation {
    FR_CUBE_APART,
    FR_CUBE_PARTLY,   // they share points, neither holds the other, or the smaller holds the larger
    FR_CUBE_CONTAINED // the smaller is inside the larger
} fr_cube_relation;

// The larger cube is upright about 0 with half its edge `large`; the smaller one has its middle at `middle`, half its
// edge `small` <= large, and the columns of `axes` (unit, perpendicular) as axes.

// By stages: circumscribed sphere, corners and containment, inscribed sphere, corners, edges. The source asks for the
// inscribed sphere before containment, which then is never found; here containment comes first.
fr_cube_relation fr_cube_test_staged(double large, fr_vec3 middle, double small, const fr_mat3 *axes);

// By 15 axes, and containment by half sizes.
fr_cube_relation fr_cube_test_axes(double large, fr_vec3 middle, double small, const fr_mat3 *axes);

#ifdef __cplusplus
}
#endif

#endif

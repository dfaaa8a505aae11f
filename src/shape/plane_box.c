// On which side of a plane a box lies, by the two corners farthest along and against the normal.
#include "fureai/shape.h"

// n . x for the corner that is farthest along the normal, or against it, and the sum of the sizes of its terms.
static double corner_value(const fr_plane *plane, const fr_bounds *box, bool along, double *size) {
    fr_vec3 n = plane->normal;
    double x = n.x * ((n.x >= 0.0) == along ? box->max.x : box->min.x);
    double y = n.y * ((n.y >= 0.0) == along ? box->max.y : box->min.y);
    double z = n.z * ((n.z >= 0.0) == along ? box->max.z : box->min.z);
    *size = (fabs(x) + fabs(y)) + fabs(z);
    return (x + y) + z;
}

// Three products and two sums round a term by at most three factors 1 + e, the difference to the offset by one more:
// less than 4 e (sum of sizes + |offset|), and 8 e covers the rounding of that sum too.
int fr_plane_box_side(const fr_plane *plane, const fr_bounds *box) {
    if (fr_bounds_is_empty(box)) { return 0; }
    double low_size, high_size;
    double low = corner_value(plane, box, false, &low_size), high = corner_value(plane, box, true, &high_size);
    if (low - plane->offset > 0x1p-50 * (low_size + fabs(plane->offset))) { return 1; }
    if (high - plane->offset < -0x1p-50 * (high_size + fabs(plane->offset))) { return -1; }
    return 0;
}

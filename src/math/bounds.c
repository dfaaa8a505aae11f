// Upright boxes: doubles, and floats rounded outwards.
#include "math/outward.h"
#include "math/points.h"

#include "fureai/math.h"

fr_bounds fr_bounds_empty(void) {
    fr_bounds empty = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    return empty;
}

bool fr_bounds_is_empty(const fr_bounds *a) {
    return !(a->min.x <= a->max.x && a->min.y <= a->max.y && a->min.z <= a->max.z);
}

fr_bounds fr_bounds_with_point(const fr_bounds *a, fr_vec3 point) {
    // The point first: where its coordinate is NaN, the bounds' own is taken.
    fr_bounds bounds = {fr_vec3_min(point, a->min), fr_vec3_max(point, a->max)};
    return bounds;
}

fr_bounds fr_bounds_of_points(const fr_vec3 *points, size_t count) { return fr__points_bounds(points, count); }

fr_bounds fr_bounds_union(const fr_bounds *a, const fr_bounds *b) {
    if (fr_bounds_is_empty(a)) { return *b; }
    if (fr_bounds_is_empty(b)) { return *a; }
    fr_bounds bounds = {fr_vec3_min(a->min, b->min), fr_vec3_max(a->max, b->max)};
    return bounds;
}

fr_bounds fr_bounds_grow(const fr_bounds *a, double margin) {
    FR_ASSERT(margin >= 0.0);
    if (fr_bounds_is_empty(a)) { return *a; }
    fr_bounds bounds = {
        {fr__add_down(a->min.x, -margin), fr__add_down(a->min.y, -margin), fr__add_down(a->min.z, -margin)},
        {fr__add_up(a->max.x, margin), fr__add_up(a->max.y, margin), fr__add_up(a->max.z, margin)}};
    return bounds;
}

bool fr_bounds_overlap(const fr_bounds *a, const fr_bounds *b) {
    return !fr_bounds_is_empty(a) && !fr_bounds_is_empty(b) && //
           a->min.x <= b->max.x && b->min.x <= a->max.x &&     //
           a->min.y <= b->max.y && b->min.y <= a->max.y &&     //
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

bool fr_bounds_contain_point(const fr_bounds *a, fr_vec3 point) {
    return a->min.x <= point.x && point.x <= a->max.x && //
           a->min.y <= point.y && point.y <= a->max.y && //
           a->min.z <= point.z && point.z <= a->max.z;
}

// Halves first, so that the sum cannot overflow; half an odd subnormal may round away from its neighbours.
static double middle(double low, double high) {
    double half = 0.5 * low + 0.5 * high;
    return half < low ? low : half > high ? high : half;
}

fr_vec3 fr_bounds_center(const fr_bounds *a) {
    FR_ASSERT(!fr_bounds_is_empty(a));
    return fr_vec3_make(middle(a->min.x, a->max.x), middle(a->min.y, a->max.y), middle(a->min.z, a->max.z));
}

// The next float below x; minus infinity and NaN stay.
static float float_below(float x) {
    if (!(x > -INFINITY)) { return x; }
    if (x == 0.0f) { return -0x1p-149f; }
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits += x > 0.0f ? UINT32_MAX : 1;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

float fr_float_down(double x) {
    // Beyond the floats a conversion is not defined by the language.
    if (x > (double)FLT_MAX) { return isinf(x) ? INFINITY : FLT_MAX; }
    if (x < -(double)FLT_MAX) { return -INFINITY; }
    float nearest = (float)x;
    return (double)nearest > x ? float_below(nearest) : nearest;
}

float fr_float_up(double x) { return -fr_float_down(-x); }

// fr_float_down for what is not beyond the floats, without a branch. A double above zero is never rounded to a negative
// float nor the reverse, so the sign of the float says which direction is down, zeros included.
static inline float near_float_down(double x) {
    float nearest = (float)x;
    uint32_t bits, is_above = (double)nearest > x;
    memcpy(&bits, &nearest, sizeof bits);
    bits += (bits >> 31) != 0 ? is_above : 0u - is_above;
    memcpy(&nearest, &bits, sizeof bits);
    return nearest;
}

static inline float near_float_up(double x) { return -near_float_down(-x); }

static inline bool is_near(fr_vec3 v) {
    const double most = (double)FLT_MAX;
    return fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most;
}

// The largest float <= a - b in real arithmetic: the largest float below the largest double below it, since floats are
// doubles.
static float difference_down(double a, double b) { return fr_float_down(fr__add_down(a, -b)); }

static float difference_up(double a, double b) { return -difference_down(-a, -b); }

fr_box fr_box_of_bounds(const fr_bounds *bounds, fr_vec3 origin) {
    const fr_vec3 *low = &bounds->min, *high = &bounds->max;
    if (origin.x == 0.0 && origin.y == 0.0 && origin.z == 0.0 && is_near(*low) && is_near(*high)) {
        fr_box near = {{near_float_down(low->x), near_float_down(low->y), near_float_down(low->z)},
                       {near_float_up(high->x), near_float_up(high->y), near_float_up(high->z)}};
        return near;
    }
    fr_box box = {{difference_down(bounds->min.x, origin.x), difference_down(bounds->min.y, origin.y),
                   difference_down(bounds->min.z, origin.z)},
                  {difference_up(bounds->max.x, origin.x), difference_up(bounds->max.y, origin.y),
                   difference_up(bounds->max.z, origin.z)}};
    return box;
}

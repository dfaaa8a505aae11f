// Preparing a line or a point for a walk through trees.
#include "space/walk.h"

#include <float.h>

// As in a mesh's own ray: growing the box by a length on every side is moving the start by it, away from the near sides
// and towards the far ones. A direction whose inverse is no float moves a line sideways by less than 2^-126 of its
// length. That is far less than any growth, which is at least 2^-40 of the coordinates.
fr__line fr__line_make(fr_vec3 start, fr_vec3 direction, double growth) {
    const double from[3] = {start.x, start.y, start.z}, along[3] = {direction.x, direction.y, direction.z};
    int exponent;
    frexp(fr_vec3_largest(direction), &exponent);
    fr__line line;
    for (int i = 0; i < 3; i++) {
        double scaled = ldexp(along[i], -exponent);
        float low = fr_float_down(from[i] - growth), high = fr_float_up(from[i] + growth);
        line.is_down[i] = along[i] < 0.0;
        line.start_near[i] = line.is_down[i] ? low : high;
        line.start_far[i] = line.is_down[i] ? high : low;
        double inverse = 1.0 / scaled;
        line.is_flat[i] = !(fabs(inverse) <= (double)FLT_MAX);
        line.inverse[i] = line.is_flat[i] ? 0.0f : (float)inverse;
    }
    line.unit = ldexp(1.0, exponent);
    return line;
}

float fr__line_bound(const fr__line *line, double travel) { return fr_float_up(travel * line->unit); }

fr__spot fr__spot_make(fr_vec3 point, double slack, double reach) {
    const double at[3] = {point.x, point.y, point.z};
    fr__spot spot;
    for (int i = 0; i < 3; i++) {
        spot.low[i] = fr_float_down(at[i] - slack);
        spot.high[i] = fr_float_up(at[i] + slack);
    }
    int exponent = 0;
    frexp(reach, &exponent);
    spot.scale = ldexpf(1.0f, exponent > -120 ? (exponent < 120 ? -exponent : -120) : 120);
    return spot;
}

float fr__spot_bound(const fr__spot *spot, double distance) {
    double scaled = distance * (double)spot->scale;
    return fr_float_up(scaled * scaled * (1.0 + 0x1p-40));
}

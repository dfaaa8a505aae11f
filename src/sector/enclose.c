// Encloses points in distances from an axis, heights along it and angles about it.
#include "sector/enclose.h"

fr__axis_frame fr__axis_frame_of(const fr_screw *screw) {
    fr_vec3 first = fr_vec3_perpendicular(screw->axis);
    return (fr__axis_frame){screw->point, screw->axis, first, fr_vec3_cross(screw->axis, first)};
}

void fr__enclose(const fr__axis_frame *frame, const fr__sweep_extent *extent, double angle, double slide,
                 fr_sector *out) {
    double error = extent->error;
    double low = extent->low + fr__least(0.0, slide) - error, high = extent->high + fr__most(0.0, slide) + error;
    double from = extent->from + fr__least(0.0, angle), to = extent->to + fr__most(0.0, angle), inner = extent->inner;

    // Near the axis an error of a length is a large angle.
    inner -= error;
    double slack = inner > 0.0 ? 2.0 * error / inner + 0x1p-50 * (1.0 + to - from) : 0.0;
    double half = 0.5 * (to - from) + slack;
    bool is_full = !(inner > 0.0) || !(half < FR_PI);
    double sine, cosine;
    fr_sincos(is_full ? extent->middle : extent->middle + 0.5 * (from + to), &sine, &cosine);
    fr_vec3 bisector = fr_vec3_add_scaled(fr_vec3_scale(cosine, frame->first), sine, frame->second);
    *out = (fr_sector){.center = fr_vec3_add_scaled(frame->origin, 0.5 * (low + high), frame->axis),
                       .axis = frame->axis,
                       .bisector = bisector,
                       .side = fr_vec3_cross(frame->axis, bisector),
                       .inner = inner > 0.0 ? inner : 0.0,
                       .outer = extent->outer + error,
                       .half_thickness = 0.5 * (high - low) + error,
                       .half_angle = is_full ? FR_PI : half,
                       .cosine = -1.0,
                       .sine = FR__SECTOR_TINY};
    if (!is_full) { fr_sincos(half, &out->sine, &out->cosine); }
}

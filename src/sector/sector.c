// Sectors: checks, volume, support, bounds, and tests against points and simple shapes.
#include "fureai/sector.h"

#include "math/outward.h"
#include "sector/plane.h"

static bool is_finite(const fr_sector *s) {
    return fr_vec3_is_finite(s->center) && fr_vec3_is_finite(s->axis) && fr_vec3_is_finite(s->bisector) &&
           isfinite(s->inner) && isfinite(s->outer) && isfinite(s->half_thickness) && isfinite(s->half_angle);
}

fr_status fr_sector_check(fr_sector *sector, fr_error *error) {
    if (!is_finite(sector)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "a number of the sector is not finite"); }
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 axis = fr_vec3_unit(sector->axis, zero);
    if (fr_vec3_equal(axis, zero)) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the sector's axis is zero"); }
    fr_vec3 along = fr_vec3_unit(sector->bisector, zero);
    fr_vec3 across = fr_vec3_add_scaled(along, -fr_vec3_dot(along, axis), axis);
    if (!(fr_vec3_length(across) > 1e-9)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the sector's bisector is zero or along its axis");
    }
    if (sector->inner < 0.0 || sector->half_thickness < 0.0 || sector->inner > sector->outer) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "the sector's sizes must be 0 <= inner <= outer and thickness >= 0");
    }
    if (sector->half_angle < 0.0 || sector->half_angle > FR_PI) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the sector's half angle must be in 0 .. pi");
    }

    // Once more across the axis: the first time rounding may have left a part along it.
    across = fr_vec3_unit(across, zero);
    across = fr_vec3_unit(fr_vec3_add_scaled(across, -fr_vec3_dot(across, axis), axis), zero);
    sector->axis = axis;
    sector->bisector = across;
    sector->side = fr_vec3_cross(axis, across);
    fr_sincos(sector->half_angle, &sector->sine, &sector->cosine);
    if (sector->half_angle == FR_PI) {
        sector->cosine = -1.0;
        sector->sine = FR__SECTOR_TINY;
    }
    return FR_OK;
}

fr_vec3 fr_sector_local(const fr_sector *sector, fr_vec3 point) { return fr__sector_local(sector, point); }

double fr_sector_volume(const fr_sector *s) {
    return s->half_angle * (s->outer - s->inner) * (s->outer + s->inner) * 2.0 * s->half_thickness;
}

// ---------------------------------------------------------------------------------------------------------------
// Bounds

// The largest n . p about the center: on the outer arc where n is within the angle, else at an end of a radial edge.
static double support_about_center(const fr_sector *s, fr_vec3 n) {
    double x = fr_vec3_dot(s->bisector, n), y = fabs(fr_vec3_dot(s->side, n));
    double through = s->half_thickness * fabs(fr_vec3_dot(s->axis, n));
    if (x * s->sine - y * s->cosine > 0.0 || fr__sector_is_full(s)) { return through + s->outer * sqrt(x * x + y * y); }
    double along = x * s->cosine + y * s->sine;
    return through + (along > 0.0 ? s->outer * along : s->inner * along);
}

double fr_sector_support(const fr_sector *sector, fr_vec3 n) {
    return fr_vec3_dot(n, sector->center) + support_about_center(sector, n);
}

// Along an axis of the world each support is a dozen operations on numbers no larger than the sizes, so 2^-48 of their
// sum is more than their error.
fr_bounds fr_sector_bounds(const fr_sector *s) {
    double slack = 0x1p-48 * (s->outer + s->half_thickness);
    double low[3], high[3], center[3] = {s->center.x, s->center.y, s->center.z};
    for (int i = 0; i < 3; i++) {
        fr_vec3 n = fr_vec3_make(i == 0, i == 1, i == 2);
        high[i] = fr__add_up(center[i], support_about_center(s, n) + slack);
        low[i] = fr__add_down(center[i], -(support_about_center(s, fr_vec3_negate(n)) + slack));
    }
    fr_bounds bounds = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return bounds;
}

// ---------------------------------------------------------------------------------------------------------------
// Points and balls

bool fr_sector_contains(const fr_sector *s, fr_vec3 point) {
    fr_vec3 p = fr__sector_local(s, point);
    double square = p.x * p.x + p.y * p.y;
    if (!(fabs(p.z) <= s->half_thickness && square >= s->inner * s->inner && square <= s->outer * s->outer)) {
        return false;
    }
    // On the edge b is 0, and so it is on the ray behind a sector of no angle: there x is negative.
    double b = p.x * s->sine - fabs(p.y) * s->cosine;
    return b > 0.0 || (b == 0.0 && p.x * s->cosine >= 0.0) || fr__sector_is_full(s);
}

double fr_sector_distance(const fr_sector *s, fr_vec3 point) {
    return sqrt(fr__local_distance2(s, fr__sector_local(s, point)));
}

bool fr_sector_overlap_sphere(const fr_sector *s, fr_vec3 center, double radius) {
    fr_vec3 p = fr__sector_local(s, center);
    double over = fr__outside(fabs(p.z), 0.0, s->half_thickness);
    if (!(over <= radius)) { return false; }
    return fr__plane_distance2(s, p.x, p.y) + over * over <= radius * radius;
}

fr_vec3 fr_sector_closest(const fr_sector *s, fr_vec3 point) {
    fr_vec3 p = fr__sector_local(s, point);
    double z = fr__within(p.z, -s->half_thickness, s->half_thickness);
    double b = p.x * s->sine - fabs(p.y) * s->cosine;
    if (b > 0.0 || fr__sector_is_full(s)) {
        double rho = sqrt(p.x * p.x + p.y * p.y);
        if (rho >= s->inner && rho <= s->outer) { return fr__sector_world(s, p.x, p.y, z); }
        if (rho == 0.0) { return fr__sector_world(s, s->inner, 0.0, z); }
        double scale = fr__within(rho, s->inner, s->outer) / rho;
        return fr__sector_world(s, scale * p.x, scale * p.y, z);
    }
    double along = fr__within(p.x * s->cosine + fabs(p.y) * s->sine, s->inner, s->outer);
    double y = along * s->sine;
    return fr__sector_world(s, along * s->cosine, p.y < 0.0 ? -y : y, z);
}

// Swings of boxes about an axis, and the sectors and sweeps that hold them.
#include "fureai/sector.h"

#include "sector/plane.h"

fr_status fr_swing_check(fr_swing *swing, fr_error *error) {
    if (!fr_vec3_is_finite(swing->pivot) || !fr_vec3_is_finite(swing->axis) || !fr_vec3_is_finite(swing->arm) ||
        !fr_vec3_is_finite(swing->half) || !isfinite(swing->distance) || !isfinite(swing->angle)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a number of the swing is not finite");
    }
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 axis = fr_vec3_unit(swing->axis, zero), arm = fr_vec3_unit(swing->arm, zero);
    if (fr_vec3_equal(axis, zero)) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the swing's axis is zero"); }
    arm = fr_vec3_add_scaled(arm, -fr_vec3_dot(arm, axis), axis);
    if (!(fr_vec3_length(arm) > 1e-9)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the swing's arm is zero or along its axis");
    }
    if (swing->distance < 0.0 || swing->half.x < 0.0 || swing->half.y < 0.0 || swing->half.z < 0.0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a size of the swing is negative");
    }
    arm = fr_vec3_unit(arm, zero);
    swing->axis = axis;
    swing->arm = fr_vec3_unit(fr_vec3_add_scaled(arm, -fr_vec3_dot(arm, axis), axis), zero);
    return FR_OK;
}

static double component(fr_vec3 v, int i) { return i == 0 ? v.x : (i == 1 ? v.y : v.z); }

// The axis of the box that is parallel to a unit direction, or -1.
static int parallel_axis(const fr_oriented_box *box, fr_vec3 direction) {
    for (int i = 0; i < 3; i++) {
        if (fr_vec3_length(fr_vec3_cross(box->axes.row[i], direction)) <= 1e-9) { return i; }
    }
    return -1;
}

bool fr_swing_of_box(const fr_oriented_box *box, const fr_screw *screw, fr_swing *out) {
    fr_screw turn = *screw;
    if (fr_screw_check(&turn, NULL) != FR_OK || !fr__box_is_valid(box) || turn.slide != 0.0) { return false; }
    int z = parallel_axis(box, turn.axis);
    if (z < 0) { return false; }
    fr_vec3 d = fr_vec3_sub(box->center, turn.point);
    double along = fr_vec3_dot(d, turn.axis);
    fr_vec3 across = fr_vec3_add_scaled(d, -along, turn.axis);
    double distance = fr_vec3_length(across), size = fr_vec3_largest(box->half) + fr_vec3_largest(d);

    // A box turned about its own middle has no arm: either side will do.
    fr_vec3 arm = box->axes.row[(z + 1) % 3];
    if (distance > 1e-9 * size) { arm = fr_vec3_scale(1.0 / distance, across); }
    int y = parallel_axis(box, arm);
    if (y < 0 || y == z) { return false; }
    fr_swing swing = {.pivot = fr_vec3_add_scaled(turn.point, along, turn.axis),
                      .axis = turn.axis,
                      .arm = arm,
                      .distance = distance > 1e-9 * size ? distance : 0.0,
                      .half = {component(box->half, 3 - y - z), component(box->half, y), component(box->half, z)},
                      .angle = turn.angle};
    if (fr_swing_check(&swing, NULL) != FR_OK) { return false; }
    *out = swing;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The sector of a swing

// The half of the turn, at most pi, and its sine and cosine; the arm in the middle of the turn.
typedef struct half_turn {
    double angle, sine, cosine;
    fr_vec3 bisector;
} half_turn;

static half_turn half_turn_of(const fr_swing *swing) {
    half_turn turn;
    double half = 0.5 * swing->angle;
    bool is_full = fabs(half) >= FR_PI;
    if (is_full) { half = swing->angle > 0.0 ? FR_PI : -FR_PI; }
    double sine, cosine;
    fr_sincos(half, &sine, &cosine);
    turn.bisector = fr_vec3_add_scaled(fr_vec3_scale(cosine, swing->arm), sine, fr_vec3_cross(swing->axis, swing->arm));
    turn.angle = fabs(half);
    turn.sine = is_full ? FR__SECTOR_TINY : fabs(sine);
    turn.cosine = is_full ? -1.0 : cosine;
    return turn;
}

static fr_sector sector_about(const fr_swing *swing, const half_turn *turn, double inner, double outer) {
    return (fr_sector){.center = swing->pivot,
                       .axis = swing->axis,
                       .bisector = turn->bisector,
                       .side = fr_vec3_cross(swing->axis, turn->bisector),
                       .inner = inner,
                       .outer = outer,
                       .half_thickness = swing->half.z,
                       .half_angle = turn->angle,
                       .cosine = turn->cosine,
                       .sine = turn->sine};
}

static void make_full(fr_sector *sector) {
    sector->half_angle = FR_PI;
    sector->cosine = -1.0;
    sector->sine = FR__SECTOR_TINY;
}

// The angle of the direction (x, y), both >= 0 and not both 0, within 6e-12: a polynomial of degree 25, fitted at
// Chebyshev points. fr_atan2 is right to the last bit and costs more than all else of a sector.
#define QUICK_ERROR 1e-11

static double quick_angle(double y, double x) {
    static const double c[13] = {0.99999999998874,   -0.33333332951621,  0.19999978335071,  -0.14285225593301,
                                 0.11105306632378,   -0.090491787075936, 0.074952615022487, -0.060221953008854,
                                 0.043646585231797,  -0.026006003022373, 0.011427644429764, -0.0031954316207423,
                                 0.00041922923320761};
    double t = y < x ? y / x : x / y, u = t * t, v = u * u, w = v * v;
    double low = (c[0] + c[1] * u) + (c[2] + c[3] * u) * v, middle = (c[4] + c[5] * u) + (c[6] + c[7] * u) * v;
    double high = (c[8] + c[9] * u) + (c[10] + c[11] * u) * v + c[12] * w;
    double angle = t * (low + (middle + high * w) * w);
    return y < x ? angle : 0.5 * FR_PI - angle;
}

// The box is no nearer than its near face and no farther than its far corners; seen from the axis, its near corners are
// the outermost: their angle is added by the addition theorems. Each length may be off by `error`, an angle by that
// over the corner's distance.
fr_sector fr_sector_of_swing(const fr_swing *swing) {
    half_turn turn = half_turn_of(swing);
    double width = swing->half.x, near = swing->distance - swing->half.y, far = swing->distance + swing->half.y;
    double error = 0x1p-48 * (fr_vec3_largest(swing->pivot) + far + width + swing->half.z);
    double corner = sqrt(near * near + width * width);
    fr_sector sector =
        sector_about(swing, &turn, near > error ? near - error : 0.0, sqrt(far * far + width * width) + error);
    sector.half_thickness += error;
    double scale = 1.0 / corner, slack = 2.0 * error * scale + QUICK_ERROR;
    if (near < 0.0 || !(slack < 1e-3)) {
        make_full(&sector);
        return sector;
    }
    double c = near * scale, s = width * scale;
    double cosine = turn.cosine * c - turn.sine * s, sine = turn.sine * c + turn.cosine * s;
    sector.half_angle = turn.angle + quick_angle(width, near) + slack;
    sector.cosine = cosine - slack * sine;
    sector.sine = sine + slack * cosine;
    if (!(sector.half_angle < FR_PI) || !(sector.sine > 0.0)) { make_full(&sector); }
    return sector;
}

// ---------------------------------------------------------------------------------------------------------------
// The exact sweep

// The part of the box between two distances from the pivot along an arm.
static fr_sweep_part part_of(const fr_swing *swing, double near, double far) {
    half_turn turn = half_turn_of(swing);
    fr_sweep_part part = {.frame = sector_about(swing, &turn, near, far), .width = swing->half.x};
    part.reach = sqrt(far * far + part.width * part.width);
    double c = part.reach > 0.0 ? far / part.reach : 1.0, s = part.reach > 0.0 ? part.width / part.reach : 0.0;
    double corner = fr_atan2(part.width, far);
    part.sum_cosine = turn.cosine * c - turn.sine * s;
    part.sum_sine = turn.sine * c + turn.cosine * s;
    part.rest_cosine = c * turn.cosine + s * turn.sine;
    part.rest_sine = s * turn.cosine - c * turn.sine;
    part.is_wrapped = turn.angle + corner >= FR_PI;
    part.has_notch = turn.angle < corner;
    return part;
}

fr_sweep fr_sweep_of_swing(const fr_swing *swing) {
    fr_sweep sweep;
    double near = swing->distance - swing->half.y, far = swing->distance + swing->half.y;
    sweep.part_count = near < 0.0 ? 2 : 1;
    sweep.parts[0] = part_of(swing, near < 0.0 ? 0.0 : near, far);
    fr_swing behind = *swing;
    behind.arm = fr_vec3_negate(swing->arm);
    sweep.parts[1] = near < 0.0 ? part_of(&behind, 0.0, -near) : sweep.parts[0];
    return sweep;
}

// The squared distance from the box at an end of the turn, u along its arm and x across.
static double end_distance2(const fr_sweep_part *part, double u, double x) {
    return fr__square(fr__outside(u, part->frame.inner, part->frame.outer)) +
           fr__square(fr__outside(fabs(x), 0.0, part->width));
}

// The squared distance in the plane. At distance rho from the axis the box covers an angle about its arm, from 0 or,
// beyond the far face, from acos(far / rho), up to asin(width / rho) or to acos(near / rho), whichever is less; the
// turn takes the union. Beyond the far face of both ends a notch may stay open.
static double part_distance2(const fr_sweep_part *part, double x, double y) {
    const fr_sector *f = &part->frame;
    y = fabs(y);
    double end_u = x * f->cosine + y * f->sine, end_x = x * f->sine - y * f->cosine;
    double start_u = x * f->cosine - y * f->sine, start_x = -x * f->sine - y * f->cosine;
    double rho = sqrt(x * x + y * y);
    if (rho > part->reach) {
        bool is_within = part->is_wrapped || x * part->sum_sine - y * part->sum_cosine >= 0.0;
        bool is_at_mouth = part->has_notch && x * part->rest_sine - y * part->rest_cosine > 0.0;
        if (is_within && !is_at_mouth) { return fr__square(rho - part->reach); }
        double end = end_distance2(part, end_u, end_x);
        return is_at_mouth ? fr__least(end, end_distance2(part, start_u, start_x)) : end;
    }
    bool is_swept = end_x > 0.0 || fr__sector_is_full(f);
    bool is_in_notch = part->has_notch && start_u > f->outer;
    bool is_at_end = end_u >= f->inner && fabs(end_x) <= part->width;
    if (rho >= f->inner && (is_swept || is_at_end) && !is_in_notch) { return 0.0; }
    double end = end_distance2(part, end_u, end_x);
    if (is_in_notch) { return fr__least(end, end_distance2(part, start_u, start_x)); }
    return is_swept ? fr__least(end, fr__square(f->inner - rho)) : end;
}

static double sweep_distance2(const fr_sweep *sweep, fr_vec3 point) {
    fr_vec3 p = fr__sector_local(&sweep->parts[0].frame, point);
    if (!fr_vec3_is_finite(p)) { return (double)NAN; }
    double d2 = part_distance2(&sweep->parts[0], p.x, p.y);

    // The part behind is about the opposite bisector.
    if (sweep->part_count > 1) { d2 = fr__least(d2, part_distance2(&sweep->parts[1], -p.x, -p.y)); }
    return d2 + fr__square(fr__outside(fabs(p.z), 0.0, sweep->parts[0].frame.half_thickness));
}

double fr_sweep_distance(const fr_sweep *sweep, fr_vec3 point) { return sqrt(sweep_distance2(sweep, point)); }

bool fr_sweep_overlap_sphere(const fr_sweep *sweep, fr_vec3 center, double radius) {
    return sweep_distance2(sweep, center) <= radius * radius;
}

// ---------------------------------------------------------------------------------------------------------------
// The cover

fr_cover fr_cover_of_swing(const fr_swing *swing) {
    half_turn turn = half_turn_of(swing);
    double near = fr__most(swing->distance - swing->half.y, 0.0), far = swing->distance + swing->half.y;
    double reach = sqrt(far * far + swing->half.x * swing->half.x);
    double error = 0x1p-48 * (fr_vec3_largest(swing->pivot) + reach + swing->half.z);
    fr_cover cover = {.sector = sector_about(swing, &turn, fr__most(near - error, 0.0), reach + error)};
    cover.sector.half_thickness += error;
    double back = fr__least(swing->distance - swing->half.y, 0.0);
    if (back < 0.0) { make_full(&cover.sector); }
    for (int i = 0; i < 2; i++) {
        double sine, cosine;
        fr_sincos(i == 0                                                      ? 0.0
                  : swing->angle > 2.0 * FR_PI || swing->angle < -2.0 * FR_PI ? 0.0
                                                                              : swing->angle,
                  &sine, &cosine);
        fr_vec3 across = fr_vec3_cross(swing->axis, swing->arm);
        fr_vec3 arm = fr_vec3_add_scaled(fr_vec3_scale(cosine, swing->arm), sine, across);
        fr_oriented_box *box = &cover.ends[i];
        box->axes.row[1] = arm;
        box->axes.row[2] = swing->axis;
        box->axes.row[0] = fr_vec3_cross(arm, swing->axis);
        box->half = fr_vec3_make(swing->half.x + error, 0.5 * (reach - near) + error, swing->half.z + error);
        box->center = fr_vec3_add_scaled(swing->pivot, 0.5 * (near + reach), arm);
    }
    return cover;
}

// Hulls against the box of an end.
static bool end_meets(const fr_oriented_box *box, const fr_convex *set) {
    fr_vec3 corners[8];
    fr__box_corners(box, corners);
    fr_convex hull = {corners, 8, 0.0};
    fr_convex_distance d = fr_gjk(&hull, set, fr_vec3_sub(set->points[0], box->center));
    double size =
        fr_vec3_largest(box->center) + fr_vec3_length(box->half) + fr_vec3_largest(set->points[0]) + set->radius;
    return d.gap <= 1e-12 * size;
}

bool fr_cover_overlap_convex(const fr_cover *cover, const fr_convex *set) {
    double d = fr_sector_convex_distance(&cover->sector, set);
    if (isnan(d)) { return false; }
    return d <= 0.0 || end_meets(&cover->ends[0], set) || end_meets(&cover->ends[1], set);
}

bool fr_cover_overlap_sector(const fr_cover *cover, const fr_sector *sector, double tolerance) {
    return fr_sector_overlap_sector(&cover->sector, sector, tolerance) != FR_SECTORS_APART ||
           fr_sector_overlap_box(sector, &cover->ends[0]) || fr_sector_overlap_box(sector, &cover->ends[1]);
}

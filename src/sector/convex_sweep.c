// Sectors that hold the sweep of convex bodies.
//
// About the axis a body lies between its least and its greatest distance, and within the angles of its outermost
// points. The least distance is that of the hull's shadow along the axis: whatever direction v the search for it ends
// with, no point is nearer than the least v . p / |v|, so rounding and an early end make the sector larger, never too
// small.
#include "sector/enclose.h"

static fr_vec3 shadow_at(const fr__shadow *s, size_t i) { return fr__axis_local(s->frame, s->points[i]); }

static fr_vec2 nearest_on(fr_vec2 a, fr_vec2 b) {
    double vx = b.x - a.x, vy = b.y - a.y, vv = vx * vx + vy * vy;
    double t = vv > 0.0 ? fr__within(-(a.x * vx + a.y * vy) / vv, 0.0, 1.0) : 0.0;
    return (fr_vec2){a.x + t * vx, a.y + t * vy};
}

static double square_of(fr_vec2 v) { return v.x * v.x + v.y * v.y; }

// The least v . p of all points, and the point.
static double least_along(const fr__shadow *s, fr_vec2 v, fr_vec2 *point) {
    double least = INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        fr_vec3 p = shadow_at(s, i);
        double along = v.x * p.x + v.y * p.y;
        if (along < least) {
            least = along;
            *point = (fr_vec2){p.x, p.y};
        }
    }
    return least;
}

// A direction, and how far all points are from the axis along it: a lower bound for the hull's distance that is tight
// up to rounding; <= 0 when the axis passes through. After Gilbert, in the plane: the nearest point of a segment
// between two points, which one farther along replaces.
static double near_side(const fr__shadow *s, fr_vec2 *direction) {
    fr_vec3 first = shadow_at(s, 0);
    fr_vec2 v = {first.x, first.y}, ends[2] = {v, v};
    double best = -INFINITY;
    *direction = v;
    for (int i = 0; i < 64; i++) {
        double length = sqrt(square_of(v));
        if (!(length > 0.0)) { return 0.0; }
        fr_vec2 next = v;
        double bound = least_along(s, v, &next) / length;
        if (bound > best) {
            best = bound;
            *direction = v;
        }
        if (best >= length * (1.0 - 0x1p-48)) { break; }

        // Of the two sides of the triangle that the new point makes, the nearer one.
        fr_vec2 to_first = nearest_on(ends[0], next), to_last = nearest_on(ends[1], next);
        bool keep_first = square_of(to_first) <= square_of(to_last);
        fr_vec2 nearer = keep_first ? to_first : to_last;
        if (!(square_of(nearer) < square_of(v))) { break; }
        if (!keep_first) { ends[0] = ends[1]; }
        ends[1] = next;
        v = nearer;
    }
    return best;
}

// The angle by which a disc of a radius reaches beyond its center's direction.
static double half_width(double distance, double radius) {
    if (radius <= 0.0) { return 0.0; }
    double square = distance * distance - radius * radius;
    return square > 0.0 ? fr_atan2(radius, sqrt(square)) : 0.5 * FR_PI;
}

void fr__measure(const fr__shadow *s, double across, double along, fr__sweep_extent *out) {
    fr_vec2 v;
    double near = near_side(s, &v);
    *out = (fr__sweep_extent){.inner = near - across, .low = INFINITY, .high = -INFINITY, .error = out->error};
    bool is_apart = out->inner > out->error;
    double most = 0.0;
    fr_vec2 left = v, right = v;
    for (size_t i = 0; i < s->count; i++) {
        fr_vec3 p = shadow_at(s, i);
        most = fr__most(most, p.x * p.x + p.y * p.y);
        out->low = fr__least(out->low, p.z - along);
        out->high = fr__most(out->high, p.z + along);
        if (!is_apart) { continue; }
        if (across > 0.0) {
            double angle = fr_atan2(v.x * p.y - v.y * p.x, v.x * p.x + v.y * p.y);
            double width = half_width(sqrt(p.x * p.x + p.y * p.y), across);
            out->from = fr__least(out->from, angle - width);
            out->to = fr__most(out->to, angle + width);
        } else {
            if (left.x * p.y - left.y * p.x > 0.0) { left = (fr_vec2){p.x, p.y}; }
            if (right.x * p.y - right.y * p.x < 0.0) { right = (fr_vec2){p.x, p.y}; }
        }
    }
    out->outer = sqrt(most) + across;
    out->middle = fr_atan2(v.y, v.x);
    if (is_apart && !(across > 0.0)) {
        out->to = fr_atan2(v.x * left.y - v.y * left.x, v.x * left.x + v.y * left.y);
        out->from = fr_atan2(v.x * right.y - v.y * right.x, v.x * right.x + v.y * right.y);
    }
}

// How far lengths about the axis may be off: each is the sum of a dozen roundings of numbers no larger than these.
static double error_of(const fr_convex *body, const fr_screw *screw) {
    double largest = fr_vec3_largest(screw->point) + fabs(screw->slide) + body->radius;
    double most = 0.0;
    for (size_t i = 0; i < body->count; i++) {
        most = fr__most(most, fr_vec3_largest(body->points[i]));
    }
    return 0x1p-47 * (largest + most);
}

static fr_status check_body(const fr_convex *body, fr_error *error) {
    if (body->count == 0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the body has no points"); }
    if (!isfinite(body->radius)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "the body's radius is not finite"); }
    if (body->radius < 0.0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the body's radius is negative"); }
    for (size_t i = 0; i < body->count; i++) {
        if (!fr_vec3_is_finite(body->points[i])) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "point %zu of the body is not finite", i);
        }
    }
    return FR_OK;
}

// `spread` is how far the motion may leave the screw, across the axis.
static void enclose_body(const fr_convex *body, const fr_screw *screw, double spread, fr_sector *out) {
    fr__axis_frame frame = fr__axis_frame_of(screw);
    fr__shadow s = {&frame, body->points, body->count};
    fr__sweep_extent extent = {.error = error_of(body, screw) + 0x1p-47 * spread};
    fr__measure(&s, body->radius + spread, body->radius, &extent);
    fr__enclose(&frame, &extent, screw->angle, screw->slide, out);
}

fr_status fr_sector_of_convex(const fr_convex *body, const fr_screw *screw, fr_sector *out, fr_error *error) {
    fr_screw checked = *screw;
    fr_status status = fr_screw_check(&checked, error);
    if (status == FR_OK) { status = check_body(body, error); }
    if (status == FR_OK) { enclose_body(body, &checked, 0.0, out); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Motions of a step

// A motion turns evenly while its pivot goes straight. A screw with the same turn carries the pivot along an arc from
// the same start to the same end; all points of the body are off by as much as the pivot is. Between a chord and its
// arc of radius a and angle w, both passed through evenly, that is at most a w^2 / 8, the error of linear
// interpolation. For larger turns the motion is one about the middle of the travel, off by half of the travel.
fr_status fr_sector_of_motion(const fr_convex *body_world, const fr_motion *motion, fr_sector *out, fr_error *error) {
    fr_motion checked = *motion;
    fr_status status = fr_motion_check(&checked, error);
    if (status == FR_OK) { status = check_body(body_world, error); }
    if (status != FR_OK) { return status; }

    fr_vec3 pivot = fr_pose_apply(&checked.start, checked.pivot_local), up = {0.0, 1.0, 0.0};
    double angle = fr_vec3_length(checked.turn);
    fr_vec3 axis = angle > 0.0 ? fr_vec3_unit(checked.turn, up) : fr_vec3_unit(checked.travel, up);
    double slide = fr_vec3_dot(checked.travel, axis);
    fr_vec3 across = fr_vec3_add_scaled(checked.travel, -slide, axis);
    double travel = fr_vec3_length(across), spread = 0.5 * travel;
    fr_screw screw = {fr_vec3_add_scaled(pivot, 0.5, across), axis, angle, slide};
    fr_vec3 shift = fr_vec3_scale(0.5, across);
    if (angle > 1e-6 && angle < 2.5) {
        double sine, cosine;
        fr_sincos(0.5 * angle, &sine, &cosine);
        screw.point = fr_vec3_add_scaled(screw.point, 0.5 * cosine / sine, fr_vec3_cross(axis, across));
        spread = 0.5 * travel / sine * angle * angle / 8.0;
        shift = fr_vec3_make(0.0, 0.0, 0.0);
    }

    // The screw of the second kind carries the body as if it began in the middle of the travel: the line is moved
    // instead.
    screw.point = fr_vec3_sub(screw.point, shift);
    fr_sector held;
    enclose_body(body_world, &screw, spread, &held);
    held.center = fr_vec3_add(held.center, shift);
    held.half_thickness += 0x1p-48 * (fr_vec3_largest(held.center) + travel);
    held.outer += 0x1p-48 * (fr_vec3_largest(held.center) + travel);
    *out = held;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Boxes

static fr_status check_box(const fr_oriented_box *box, fr_error *error) {
    if (fr__box_is_valid(box)) { return FR_OK; }
    bool is_finite = fr_vec3_is_finite(box->center) && fr_vec3_is_finite(box->half);
    for (int i = 0; i < 3; i++) {
        is_finite = is_finite && fr_vec3_is_finite(box->axes.row[i]);
    }
    return is_finite ? fr_error_set(error, FR_ERROR_ARGUMENT, "the box has a negative size")
                     : fr_error_set(error, FR_ERROR_NOT_FINITE, "a number of the box is not finite");
}

static void enclose_box(const fr_oriented_box *box, const fr_screw *screw, fr_sector *out) {
    fr_vec3 corners[8];
    fr__box_corners(box, corners);
    fr_convex body = {corners, 8, 0.0};
    enclose_body(&body, screw, 0.0, out);
}

fr_status fr_sector_of_box(const fr_oriented_box *box, const fr_screw *screw, fr_sector *out, fr_error *error) {
    fr_screw checked = *screw;
    fr_status status = fr_screw_check(&checked, error);
    if (status == FR_OK) { status = check_box(box, error); }
    if (status == FR_OK) { enclose_box(box, &checked, out); }
    return status;
}

// Piece i of n between -half and half: its middle.
static double piece_middle(double half, uint32_t i, uint32_t n) { return half * ((2.0 * i + 1.0) / n - 1.0); }

fr_status fr_sectors_of_box(const fr_oriented_box *box, const fr_screw *screw, const fr_sector_cuts *cuts,
                            fr_sector *out, fr_error *error) {
    const uint32_t *n = cuts->pieces, turns = cuts->turns;
    bool fits = turns >= 1 && turns <= 64;
    for (int i = 0; i < 3; i++) {
        fits = fits && n[i] >= 1 && n[i] <= 64;
    }
    if (!fits) { return fr_error_set(error, FR_ERROR_LIMIT, "a box is cut into 1 .. 64 pieces on each axis"); }
    fr_screw checked = *screw;
    fr_status status = fr_screw_check(&checked, error);
    if (status == FR_OK) { status = check_box(box, error); }
    if (status != FR_OK) { return status; }

    // The part of the turn that comes later begins with the whole screw applied so far: the frame is turned on instead.
    for (uint32_t k = 0; k < turns; k++) {
        fr_screw part = checked;
        part.angle = checked.angle / turns;
        part.slide = checked.slide / turns;
        double t = (double)k / turns;
        fr_oriented_box now = {fr_screw_apply(&checked, box->center, t), box->axes, box->half};
        fr_quat turn = fr_quat_from_axis_angle(checked.axis, t * checked.angle);
        fr_mat3 turned = fr_quat_to_mat3(turn);
        for (int i = 0; i < 3; i++) {
            now.axes.row[i] = k == 0 ? box->axes.row[i] : fr_mat3_apply(turned, box->axes.row[i]);
        }
        fr_vec3 half = {now.half.x / n[0], now.half.y / n[1], now.half.z / n[2]};
        for (uint32_t i = 0; i < n[0] * n[1] * n[2]; i++) {
            uint32_t x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];
            fr_oriented_box piece = {now.center, now.axes, half};
            piece.center = fr_vec3_add_scaled(piece.center, piece_middle(now.half.x, x, n[0]), now.axes.row[0]);
            piece.center = fr_vec3_add_scaled(piece.center, piece_middle(now.half.y, y, n[1]), now.axes.row[1]);
            piece.center = fr_vec3_add_scaled(piece.center, piece_middle(now.half.z, z, n[2]), now.axes.row[2]);
            enclose_box(&piece, &part, out++);
        }
    }
    return FR_OK;
}

// The first contact of a body under a screw.
//
// Conservative advancement: while the two are a distance d apart, no point of the body that goes v metres a step can
// reach the other within a time of d / v. Seen from the body, the other one moves in the opposite direction, so v is
// the lesser of the two greatest speeds.
#include "sector/plane.h"

#define STEPS_MAX 1000

// Points of the set at the farthest from the axis: their speed bounds that of all.
static double reach_of(const fr_convex *set, const fr_screw *screw) {
    double most = 0.0;
    for (size_t i = 0; i < set->count; i++) {
        fr_vec3 d = fr_vec3_sub(set->points[i], screw->point);
        fr_vec3 across = fr_vec3_add_scaled(d, -fr_vec3_dot(d, screw->axis), screw->axis);
        most = fr__most(most, fr_vec3_length(across));
    }
    return most + set->radius;
}

static bool is_valid(const fr_convex *set) {
    if (set->count < 1 || set->count > FR_HULL_MAX_POINTS || !(set->radius >= 0.0) || !isfinite(set->radius)) {
        return false;
    }
    for (size_t i = 0; i < set->count; i++) {
        if (!fr_vec3_is_finite(set->points[i])) { return false; }
    }
    return true;
}

static double speed_of(const fr_screw *screw, double reach) {
    return sqrt(fr__square(reach * screw->angle) + fr__square(screw->slide)) * (1.0 + 1e-12);
}

// Whether the search goes on after a distance at out->time; moves the time on.
static bool step_on(fr_screw_hit *out, double distance, double speed, double tolerance) {
    out->distance = distance;
    out->steps++;
    if (!(distance > tolerance)) {
        out->is_hit = distance <= tolerance;
        return false;
    }
    if (out->steps >= STEPS_MAX) {
        out->is_hit = out->is_capped = true;
        return false;
    }
    // Half a tolerance short of touching, so that the last step ends within it.
    out->time += (distance - 0.5 * tolerance) / speed;
    return out->time <= 1.0;
}

fr_screw_hit fr_screw_contact(const fr_convex *body, const fr_screw *screw, const fr_convex *other, double tolerance) {
    fr_screw_hit out = {.is_hit = false};
    fr_screw turn = *screw;
    if (!is_valid(body) || !is_valid(other) || fr_screw_check(&turn, NULL) != FR_OK || !(tolerance > 0.0)) {
        return out;
    }
    double speed = speed_of(&turn, fr__least(reach_of(body, &turn), reach_of(other, &turn)));
    fr_vec3 points[FR_HULL_MAX_POINTS];
    fr_convex now = {points, body->count, body->radius};
    fr_convex_distance d = {.axis = fr_vec3_sub(other->points[0], body->points[0])};
    do {
        for (size_t i = 0; i < body->count; i++) {
            points[i] = fr_screw_apply(&turn, body->points[i], out.time);
        }
        d = fr_gjk(&now, other, d.axis);
        // The gap is proven; where the search for the distance ended early it is the smaller number.
    } while (step_on(&out, d.is_converged ? d.distance : fr__most(d.gap, 0.0), speed, tolerance));
    if (!out.is_hit) { return (fr_screw_hit){.steps = out.steps}; }
    out.angle = out.time * turn.angle;
    out.point = d.on_b;
    out.normal = d.axis;
    return out;
}

// ---------------------------------------------------------------------------------------------------------------
// A box and a ball

fr_screw_hit fr_screw_box_sphere(const fr_oriented_box *box, const fr_screw *screw, fr_vec3 center, double radius,
                                 double tolerance) {
    fr_screw_hit out = {.is_hit = false};
    fr_screw turn = *screw;
    if (fr_screw_check(&turn, NULL) != FR_OK || !fr__box_is_valid(box) || !fr_vec3_is_finite(center) ||
        !(radius >= 0.0) || !(tolerance > 0.0)) {
        return out;
    }
    const fr_convex ball = {&center, 1, radius};
    double speed = speed_of(&turn, reach_of(&ball, &turn) - radius), length;
    const fr_screw back = {turn.point, turn.axis, -turn.angle, -turn.slide};
    fr_vec3 outside, local;
    do {
        // The ball as the box sees it: turned back.
        fr_vec3 d = fr_vec3_sub(fr_screw_apply(&back, center, out.time), box->center);
        local = fr_vec3_make(fr_vec3_dot(box->axes.row[0], d), fr_vec3_dot(box->axes.row[1], d),
                             fr_vec3_dot(box->axes.row[2], d));
        outside = fr_vec3_make(local.x - fr__within(local.x, -box->half.x, box->half.x),
                               local.y - fr__within(local.y, -box->half.y, box->half.y),
                               local.z - fr__within(local.z, -box->half.z, box->half.z));
        length = fr_vec3_length(outside);
    } while (step_on(&out, fr__most(length - radius, 0.0), speed, tolerance));
    if (!out.is_hit) { return (fr_screw_hit){.steps = out.steps}; }
    out.angle = out.time * turn.angle;
    fr_vec3 n = length > 0.0 ? fr_vec3_scale(1.0 / length, outside) : fr_vec3_make(0.0, 0.0, 0.0),
            world = {0.0, 0.0, 0.0};
    const double of[3] = {n.x, n.y, n.z};
    fr_quat rotation = fr_quat_from_axis_angle(turn.axis, out.angle);
    fr_mat3 turned = fr_quat_to_mat3(rotation);
    for (int i = 0; i < 3; i++) {
        world = fr_vec3_add_scaled(world, of[i], fr_mat3_apply(turned, box->axes.row[i]));
    }
    out.normal = world;
    out.point = fr_vec3_add_scaled(center, -fr__least(radius, length), world);
    return out;
}

// ---------------------------------------------------------------------------------------------------------------
// A box and a point, in closed form

// The height of a turning point over the middle of a box along one of its axes: a cos t + b sin t + c.
typedef struct axis_wave {
    double a, b, c, half;
} axis_wave;

static bool is_within(const axis_wave w[3], double angle, double slack) {
    double sine, cosine;
    fr_sincos(angle, &sine, &cosine);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(w[i].a * cosine + w[i].b * sine + w[i].c) <= w[i].half + slack)) { return false; }
    }
    return true;
}

double fr_screw_box_point(const fr_oriented_box *box, const fr_screw *screw, fr_vec3 point) {
    fr_screw turn = *screw;
    if (fr_screw_check(&turn, NULL) != FR_OK || !fr__box_is_valid(box) || !fr_vec3_is_finite(point)) {
        return (double)NAN;
    }
    double sign = turn.angle < 0.0 ? -1.0 : 1.0, limit = fabs(turn.angle);
    fr_vec3 d = fr_vec3_sub(point, turn.point), along = fr_vec3_scale(fr_vec3_dot(d, turn.axis), turn.axis);
    fr_vec3 across = fr_vec3_sub(d, along), quarter = fr_vec3_scale(-sign, fr_vec3_cross(turn.axis, across));
    fr_vec3 still = fr_vec3_sub(fr_vec3_add(turn.point, along), box->center);
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    axis_wave w[3];
    for (int i = 0; i < 3; i++) {
        fr_vec3 n = box->axes.row[i];
        w[i] = (axis_wave){fr_vec3_dot(n, across), fr_vec3_dot(n, quarter), fr_vec3_dot(n, still), half[i]};
    }

    // It comes in through a face, so at a time when one of the heights is a half size; or it is inside at once.
    double slack = 1e-9 * (fr_vec3_length(box->half) + fr_vec3_length(d) + fr_vec3_largest(still));
    if (is_within(w, 0.0, slack)) { return 0.0; }
    double first = INFINITY;
    for (int i = 0; i < 12; i++) {
        const axis_wave *at = &w[i / 4];
        double size = sqrt(at->a * at->a + at->b * at->b), level = ((i & 1) ? at->half : -at->half) - at->c;
        if (!(size > 0.0) || fabs(level) > size + slack) { continue; }
        double swing = fr_acos(fr__within(level / size, -1.0, 1.0));
        double angle = fr_atan2(at->b, at->a) + ((i & 2) ? swing : -swing);
        angle = angle < 0.0 ? angle + 2.0 * FR_PI : (angle >= 2.0 * FR_PI ? angle - 2.0 * FR_PI : angle);
        if (angle < first && angle <= limit && is_within(w, angle, slack)) { first = angle; }
    }
    return first < INFINITY ? sign * first : (double)NAN;
}

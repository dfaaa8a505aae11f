// Limits of joints: by how much a turn exceeds one, and the turn brought into it.
#include "human/limit.h"

#include "human/skeleton.h"

// ---------------------------------------------------------------------------------------------------------------
// Check

static int axis_count(fr_limit_kind kind) { return kind == FR_LIMIT_NONE ? 0 : kind == FR_LIMIT_HINGE ? 1 : 3; }
static int range_count(fr_limit_kind kind) { return kind == FR_LIMIT_NONE ? 0 : kind == FR_LIMIT_AXES ? 3 : 1; }

static fr_status check_axes(fr_limit *limit, fr_error *error) {
    int count = axis_count(limit->kind);
    for (int i = 0; i < count; i++) {
        double length = fr_vec3_length(limit->axes[i]);
        if (!isfinite(length)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "axis %d is not finite", i); }
        if (!(length >= 0.99 && length <= 1.01)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "axis %d has length %g instead of 1", i, length);
        }
        limit->axes[i] = fr_vec3_unit(limit->axes[i], limit->axes[i]);
        for (int k = 0; k < i; k++) {
            if (fabs(fr_vec3_dot(limit->axes[i], limit->axes[k])) <= 1e-6) { continue; }
            return fr_error_set(error, FR_ERROR_ARGUMENT, "axes %d and %d are not perpendicular", k, i);
        }
    }
    if (count == 3) {
        // Perpendicular to the last bit; the third axis stays on its side.
        fr_vec3 *a = limit->axes, third = fr_vec3_cross(a[0], a[1]);
        a[2] = fr_vec3_unit(fr_vec3_dot(third, a[2]) < 0.0 ? fr_vec3_negate(third) : third, a[2]);
        fr_vec3 second = fr_vec3_cross(a[2], a[0]);
        a[1] = fr_vec3_unit(fr_vec3_dot(second, a[1]) < 0.0 ? fr_vec3_negate(second) : second, a[1]);
    }
    return FR_OK;
}

fr_status fr__limit_check(fr_limit *limit, fr_error *error) {
    if ((unsigned)limit->kind > FR_LIMIT_SWING) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no kind %d", (int)limit->kind);
    }
    fr_status status = check_axes(limit, error);
    if (status != FR_OK) { return status; }
    for (int i = 0; i < range_count(limit->kind); i++) {
        // Written so that NaN is refused as well.
        if (limit->min[i] >= -FR_PI && limit->max[i] <= FR_PI && limit->min[i] <= limit->max[i]) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "its range %d is %g .. %g radians", i, limit->min[i],
                            limit->max[i]);
    }
    for (int i = 0; limit->kind == FR_LIMIT_SWING && i < 4; i++) {
        if (limit->elevations[i] >= 0.0 && limit->elevations[i] <= FR_PI) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "its elevation %d is %g radians", i, limit->elevations[i]);
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The angles of a turn, of each kind

static double beyond(double angle, double min, double max) {
    return angle < min ? min - angle : angle > max ? angle - max : 0.0;
}

// The angle, or the same one a whole turn on or back, whichever is nearer to a range.
static double nearest_turn(double angle, double min, double max) {
    double other = angle < min ? angle + 2.0 * FR_PI : angle - 2.0 * FR_PI;
    return beyond(other, min, max) < beyond(angle, min, max) ? other : angle;
}

static double brought(double angle, double min, double max) { return angle < min ? min : angle > max ? max : angle; }

static double larger(double a, double b) { return a > b ? a : b; }

// The angle of the part of a turn that is about a unit axis, in -pi .. pi.
static double twist_about(fr_quat q, fr_vec3 axis) {
    double along = fr_vec3_dot(fr_vec3_make(q.x, q.y, q.z), axis), sign = q.w < 0.0 ? -1.0 : 1.0;
    return 2.0 * fr_atan2(sign * along, sign * q.w);
}

// The angle of what is left of a turn beside its part about a unit axis.
static double swing_beside(fr_quat q, fr_vec3 axis) {
    double along = fr_vec3_dot(fr_vec3_make(q.x, q.y, q.z), axis);
    fr_vec3 beside = fr_vec3_add_scaled(fr_vec3_make(q.x, q.y, q.z), -along, axis);
    return 2.0 * fr_atan2(fr_vec3_length(beside), sqrt(q.w * q.w + along * along));
}

static double hinge_angle(const fr_limit *limit, fr_quat q) {
    return nearest_turn(twist_about(q, limit->axes[0]), limit->min[0], limit->max[0]);
}

// A limit of axes reads the turn in the right-handed frame of its first two; the third axis may point either side.
typedef struct axis_angles {
    double angles[3];
    double excess;
} axis_angles;

static axis_angles judge_angles(const fr_limit *limit, double first, double second, double third) {
    axis_angles found = {{first, second, third}, 0.0};
    for (int i = 0; i < 3; i++) {
        found.angles[i] = nearest_turn(found.angles[i], limit->min[i], limit->max[i]);
        found.excess = larger(found.excess, beyond(found.angles[i], limit->min[i], limit->max[i]));
    }
    return found;
}

// The first and the third axis are one line, about which the turn is `both`: the first angle is chosen so that both
// angles are in their ranges, where that is possible. `side` says to which side the third one counts.
static axis_angles part_angles(const fr_limit *limit, double both, double second, double side) {
    double third_min = side > 0.0 ? limit->min[2] : -limit->max[2];
    double third_max = side > 0.0 ? limit->max[2] : -limit->min[2];
    both = nearest_turn(both, limit->min[0] + third_min, limit->max[0] + third_max);
    double low = larger(limit->min[0], both - third_max), high = -larger(-limit->max[0], -(both - third_min));
    double wanted = low <= high ? brought(both, low, high) : 0.5 * (low + high);
    double first = brought(wanted, limit->min[0], limit->max[0]);
    return judge_angles(limit, first, second, side * (both - first));
}

// Below this cosine of the second angle the first and the third cannot be parted.
#define GIMBAL_LOCK 1e-6

// The turn is Rx(first) Ry(second) Rz(third) in that frame, which two sets of angles solve: the one with the smaller
// excess.
static axis_angles find_angles(const fr_limit *limit, fr_quat q) {
    fr_vec3 x = limit->axes[0], y = limit->axes[1], z = fr_vec3_cross(x, y);
    double side = fr_vec3_dot(z, limit->axes[2]) < 0.0 ? -1.0 : 1.0;
    fr_pose turn = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), q);
    fr_vec3 x_now = fr_pose_turn(&turn, x), y_now = fr_pose_turn(&turn, y), z_now = fr_pose_turn(&turn, z);
    double m00 = fr_vec3_dot(x, x_now), m01 = fr_vec3_dot(x, y_now), m02 = fr_vec3_dot(x, z_now);
    double m12 = fr_vec3_dot(y, z_now), m22 = fr_vec3_dot(z, z_now);
    double level = sqrt(m12 * m12 + m22 * m22);
    if (level < GIMBAL_LOCK) {
        double both = fr_atan2(fr_vec3_dot(z, y_now), fr_vec3_dot(y, y_now));
        return part_angles(limit, both, fr_atan2(m02, level), m02 > 0.0 ? side : -side);
    }
    double first = fr_atan2(-m12, m22), third = fr_atan2(-m01, m00);
    axis_angles near = judge_angles(limit, first, fr_atan2(m02, level), side * third);
    axis_angles far = judge_angles(limit, first + (first > 0.0 ? -FR_PI : FR_PI), fr_atan2(m02, -level),
                                   side * (third + (third > 0.0 ? -FR_PI : FR_PI)));
    return far.excess < near.excess ? far : near;
}

// Where the bone of a swing points, and how it is turned about itself.
typedef struct swing_angles {
    double elevation, bound, twist;
    fr_vec3 axis;   // unit; the bone leaves rest about it
    fr_vec3 now;    // the bone
    double azimuth; // in quarters from sideways to forward, 0 .. 4
} swing_angles;

// The greatest elevation at an azimuth in quarters, and where the bone points with it.
static double edge_at(const fr_limit *limit, double azimuth, fr_vec3 *edge) {
    fr_vec3 bone = limit->axes[0], sideways = limit->axes[1], forward = limit->axes[2];
    const fr_vec3 starts[5] = {sideways, forward, fr_vec3_negate(sideways), fr_vec3_negate(forward), sideways};
    double whole = floor(azimuth), s, c, sine, cosine;
    int quarter = (int)whole & 3;
    fr_sincos(0.5 * FR_PI * (azimuth - whole), &s, &c);
    double bound = limit->elevations[quarter] * c * c + limit->elevations[(quarter + 1) & 3] * s * s;
    fr_sincos(bound, &sine, &cosine);
    fr_vec3 level = fr_vec3_add_scaled(fr_vec3_scale(c, starts[quarter]), s, starts[quarter + 1]);
    *edge = fr_vec3_add_scaled(fr_vec3_scale(cosine, bone), sine, level);
    return bound;
}

static swing_angles find_swing(const fr_limit *limit, fr_quat q) {
    fr_vec3 bone = limit->axes[0], sideways = limit->axes[1], forward = limit->axes[2], edge;
    fr_pose turn = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), q);
    swing_angles found = {.now = fr_pose_turn(&turn, bone)};
    fr_vec3 across = fr_vec3_cross(bone, found.now);
    found.axis = fr_vec3_unit(across, fr_vec3_cross(bone, sideways));
    found.elevation = fr_atan2(fr_vec3_length(across), fr_vec3_dot(bone, found.now));
    fr_vec3 lean = fr_vec3_cross(found.axis, bone);
    double azimuth = fr_atan2(fr_vec3_dot(lean, forward), fr_vec3_dot(lean, sideways)) / (0.5 * FR_PI);
    found.azimuth = azimuth < 0.0 ? azimuth + 4.0 : azimuth;
    found.bound = edge_at(limit, found.azimuth, &edge);
    fr_quat swing = fr_quat_from_axis_angle(found.axis, found.elevation);
    double twist = twist_about(fr_quat_multiply(fr_quat_conjugate(swing), q), bone);
    found.twist = nearest_turn(twist, limit->min[0], limit->max[0]);
    return found;
}

// How many places of the edge are looked at, and how often the nearest one is refined.
enum { EDGE_SAMPLES = 16, EDGE_ROUNDS = 4 };

// The place of the edge that is nearest to a bone beyond it. A bone that is raised past the vertical is near to the
// edge on the other side of it, however much lower the edge is where it points.
static fr_vec3 nearest_edge(const fr_limit *limit, const swing_angles *swing) {
    fr_vec3 best, edge;
    double azimuth = swing->azimuth, step = 4.0 / EDGE_SAMPLES;
    (void)edge_at(limit, azimuth, &best);
    double nearest = fr_vec3_dot(best, swing->now);
    for (int i = 0; i < EDGE_SAMPLES; i++) {
        (void)edge_at(limit, step * i, &edge);
        double cosine = fr_vec3_dot(edge, swing->now);
        if (!(cosine > nearest)) { continue; }
        nearest = cosine;
        azimuth = step * i;
        best = edge;
    }
    for (int i = 0; i < EDGE_ROUNDS; i++) {
        // The top of a parabola through three places.
        fr_vec3 before, after;
        (void)edge_at(limit, azimuth - step, &before);
        (void)edge_at(limit, azimuth + step, &after);
        double a = fr_vec3_dot(before, swing->now), b = fr_vec3_dot(after, swing->now), bend = a + b - 2.0 * nearest;
        double to = bend < 0.0 ? 0.5 * (a - b) / bend : (b > a ? 1.0 : -1.0);
        to = azimuth + step * (to > 1.0 ? 1.0 : to < -1.0 ? -1.0 : to);
        (void)edge_at(limit, to, &edge);
        double cosine = fr_vec3_dot(edge, swing->now);
        if (cosine > nearest) {
            nearest = cosine;
            azimuth = to;
            best = edge;
        }
        step *= 0.25;
    }
    return best;
}

// What rounding makes of a turn that was just brought into its limit.
#define EXCESS_ROUNDING 1e-9

// Brings the bone of a swing to the nearest place within; the link turns with it. Returns by how much.
static double bring_bone(const fr_limit *limit, fr_quat *q, swing_angles *swing) {
    *swing = find_swing(limit, *q);
    if (!(swing->elevation > swing->bound + EXCESS_ROUNDING)) { return 0.0; }
    fr_vec3 edge = nearest_edge(limit, swing), now = swing->now;
    *q = fr_quat_multiply(fr_quat_between(now, edge), *q);
    *swing = find_swing(limit, *q);
    return fr_atan2(fr_vec3_length(fr_vec3_cross(now, edge)), fr_vec3_dot(now, edge));
}

// The bone of a swing goes round its rest by an angle; the link turns with it.
static swing_angles gone_round(const fr_limit *limit, const swing_angles *swing, double angle, fr_quat *q) {
    fr_pose turn = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), fr_quat_from_axis_angle(limit->axes[0], angle));
    *q = fr_quat_multiply(fr_quat_between(swing->now, fr_pose_turn(&turn, swing->now)), *q);
    return find_swing(limit, *q);
}

// A bone that goes round its rest by an angle d untwists by d (1 - cos elevation), the more the higher it is raised:
// straight up any twist is near to one within. Goes round, either way, by as much as is then left of the twist, where
// that leads beyond nothing. Returns what is left.
static double untwist(const fr_limit *limit, fr_quat *q, swing_angles *swing) {
    double over = beyond(swing->twist, limit->min[0], limit->max[0]), sine, cosine, best = over;
    const swing_angles first = *swing;
    const fr_quat from = *q;
    fr_sincos(swing->elevation, &sine, &cosine);
    if (!(over > 0.0) || !(cosine < 1.0 - 1e-9)) { return over; }
    for (int i = 0; i < 2; i++) {
        // In the other direction the twist comes to the other end of its range.
        double left = i == 0 ? over : 2.0 * FR_PI - (limit->max[0] - limit->min[0]) - over;
        double angle = left / (sine + 1.0 - cosine), sign = (first.twist > limit->max[0]) == (i == 0) ? -1.0 : 1.0;
        if (!(angle < 0.5 * FR_PI)) { continue; }
        fr_quat round = from;
        swing_angles there = gone_round(limit, &first, sign * angle, &round);
        double moved = fr_atan2(fr_vec3_length(fr_vec3_cross(first.now, there.now)), fr_vec3_dot(first.now, there.now));
        moved = larger(moved, beyond(there.twist, limit->min[0], limit->max[0]));
        if (there.elevation > there.bound + EXCESS_ROUNDING || !(moved < best)) { continue; }
        *q = round;
        *swing = there;
        best = moved;
    }
    return best;
}

// Brings a swing to where its bone is within and its twist the nearest. Returns how far the turn was beyond.
static double bring_swing(const fr_limit *limit, fr_quat *q, swing_angles *swing) {
    double moved = bring_bone(limit, q, swing);
    return larger(moved, untwist(limit, q, swing));
}

// ---------------------------------------------------------------------------------------------------------------
// The jobs

static double excess_of(const fr_limit *limit, fr_quat away) {
    if (limit->kind == FR_LIMIT_HINGE) {
        double twist = hinge_angle(limit, away);
        return larger(beyond(twist, limit->min[0], limit->max[0]), swing_beside(away, limit->axes[0]));
    }
    if (limit->kind == FR_LIMIT_AXES) { return find_angles(limit, away).excess; }
    if (limit->kind == FR_LIMIT_SWING) {
        swing_angles swing;
        return bring_swing(limit, &away, &swing);
    }
    return 0.0;
}

fr__limit_bounds fr__limit_bounds_of(const fr_limit *limit) {
    fr__limit_bounds bounds = {.is_known = limit->kind != FR_LIMIT_NONE};
    double part = limit->kind == FR_LIMIT_HINGE ? 0.5 : 1.0;
    for (int i = 0; i < range_count(limit->kind); i++) {
        fr_sincos(part * limit->min[i], &bounds.min[i][0], &bounds.min[i][1]);
        fr_sincos(part * limit->max[i], &bounds.max[i][0], &bounds.max[i][1]);
        bounds.is_known = bounds.is_known && part * (limit->max[i] - limit->min[i]) < 0.99 * FR_PI;
    }
    if (limit->kind == FR_LIMIT_AXES) {
        bounds.is_known = bounds.is_known && limit->min[1] > -0.49 * FR_PI && limit->max[1] < 0.49 * FR_PI;
    }
    if (limit->kind == FR_LIMIT_SWING) {
        const double *e = limit->elevations;
        double low = fmin(fmin(e[0], e[1]), fmin(e[2], e[3])), twist = fmin(-limit->min[0], limit->max[0]);
        bounds.is_known = bounds.is_known && twist > 0.0;
        bounds.low = fr_cos(low);
        bounds.twist = fr_sin(0.5 * twist) / fr_cos(0.5 * twist);
    }
    return bounds;
}

// Sines and cosines of what is within are no farther beyond the ends: less than EXCESS_ROUNDING of the angle.
#define END_SLACK 1e-11

// Whether an angle, by a multiple of its sine and cosine, is surely in a range.
static bool is_between(const fr__limit_bounds *bounds, int range, double sine, double cosine) {
    return sine * bounds->min[range][1] - cosine * bounds->min[range][0] > -END_SLACK &&
           cosine * bounds->max[range][0] - sine * bounds->max[range][1] > -END_SLACK;
}

// False where it takes a closer look.
static bool is_surely_within(const fr_limit *limit, const fr__limit_bounds *bounds, fr_quat q) {
    fr_vec3 x = limit->axes[0], y = limit->axes[1], vector = fr_vec3_make(q.x, q.y, q.z);
    double along = fr_vec3_dot(vector, x);
    if (!bounds->is_known) { return limit->kind == FR_LIMIT_NONE; }
    if (limit->kind == FR_LIMIT_HINGE) {
        fr_vec3 beside = fr_vec3_add_scaled(vector, -along, x);
        return fr_vec3_dot(beside, beside) < 1e-20 && is_between(bounds, 0, q.w < 0.0 ? -along : along, fabs(q.w));
    }
    fr_pose turn = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), q);
    if (limit->kind == FR_LIMIT_SWING) {
        double cosine = fr_vec3_dot(x, fr_pose_turn(&turn, x));
        return cosine > bounds->low - END_SLACK && fabs(along) - END_SLACK < bounds->twist * fabs(q.w);
    }
    fr_vec3 z = fr_vec3_cross(x, y), x_now = fr_pose_turn(&turn, x), y_now = fr_pose_turn(&turn, y);
    fr_vec3 z_now = fr_vec3_cross(x_now, y_now);
    double side = fr_vec3_dot(z, limit->axes[2]) < 0.0 ? -1.0 : 1.0, second = fr_vec3_dot(x, z_now);
    return second > bounds->min[1][0] - END_SLACK && second < bounds->max[1][0] + END_SLACK &&
           is_between(bounds, 0, -fr_vec3_dot(y, z_now), fr_vec3_dot(z, z_now)) &&
           is_between(bounds, 2, -side * fr_vec3_dot(x, y_now), fr_vec3_dot(x, x_now));
}

double fr_skeleton_excess(const fr_skeleton *skeleton, uint32_t link, fr_quat turn) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    FR_ASSERT(link < view->link_count);
    fr_quat away = fr_quat_multiply(fr_quat_conjugate(view->rests[link]), turn);
    if (is_surely_within(&view->limits[link], &skeleton->bounds[link], away)) { return 0.0; }
    double excess = excess_of(&view->limits[link], away);
    return excess > EXCESS_ROUNDING ? excess : 0.0;
}

static fr_quat brought_into(const fr_limit *limit, fr_quat away) {
    if (limit->kind == FR_LIMIT_HINGE) {
        double angle = brought(hinge_angle(limit, away), limit->min[0], limit->max[0]);
        return fr_quat_from_axis_angle(limit->axes[0], angle);
    }
    if (limit->kind == FR_LIMIT_AXES) {
        axis_angles found = find_angles(limit, away);
        fr_quat turn = fr_quat_identity();
        for (int i = 0; i < 3; i++) {
            double angle = brought(found.angles[i], limit->min[i], limit->max[i]);
            turn = fr_quat_multiply(turn, fr_quat_from_axis_angle(limit->axes[i], angle));
        }
        return turn;
    }
    swing_angles swing;
    (void)bring_swing(limit, &away, &swing);
    fr_quat lean = fr_quat_from_axis_angle(swing.axis, brought(swing.elevation, 0.0, swing.bound));
    fr_quat twist = fr_quat_from_axis_angle(limit->axes[0], brought(swing.twist, limit->min[0], limit->max[0]));
    return fr_quat_multiply(lean, twist);
}

fr_quat fr_skeleton_clamp(const fr_skeleton *skeleton, uint32_t link, fr_quat turn) {
    if (fr_skeleton_excess(skeleton, link, turn) == 0.0) { return turn; }
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr_quat away = fr_quat_multiply(fr_quat_conjugate(view->rests[link]), turn);
    return fr_quat_multiply(view->rests[link], brought_into(&view->limits[link], away));
}

// ---------------------------------------------------------------------------------------------------------------
// Paths within

// How many places of an arc are looked at, and how far beyond is beyond, radians.
enum { ARC_SAMPLES = 16 };
#define ARC_SLACK 1e-3

static fr_quat arc_between(fr_quat from, fr_quat to, double part) {
    fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(from), to));
    return fr_quat_multiply(from, fr_quat_from_vector(fr_vec3_scale(part, turn)));
}

bool fr__limit_leaves(const fr_skeleton *skeleton, uint32_t link, fr_quat from, fr_quat to) {
    fr_limit_kind kind = fr_skeleton_get(skeleton)->limits[link].kind;
    if (kind != FR_LIMIT_AXES && kind != FR_LIMIT_SWING) { return false; }
    double ends = larger(fr_skeleton_excess(skeleton, link, from), fr_skeleton_excess(skeleton, link, to));
    for (int i = 1; i < ARC_SAMPLES; i++) {
        fr_quat turn = arc_between(from, to, (double)i / ARC_SAMPLES);
        if (fr_skeleton_excess(skeleton, link, turn) > ends + ARC_SLACK) { return true; }
    }
    return false;
}

static double mixed(double a, double b, double part) { return a + part * (b - a); }

// Straight in the plane whose distance from the middle is the elevation. It is within the edge where its ends are,
// but where the edge is not convex.
static fr_quat swing_between(const fr_limit *limit, fr_quat from, fr_quat to, double part) {
    swing_angles a = find_swing(limit, from), b = find_swing(limit, to);
    double a_sine, a_cosine, b_sine, b_cosine;
    fr_sincos(0.5 * FR_PI * a.azimuth, &a_sine, &a_cosine);
    fr_sincos(0.5 * FR_PI * b.azimuth, &b_sine, &b_cosine);
    double aside = mixed(a.elevation * a_cosine, b.elevation * b_cosine, part);
    double ahead = mixed(a.elevation * a_sine, b.elevation * b_sine, part);
    double elevation = sqrt(aside * aside + ahead * ahead), azimuth = fr_atan2(ahead, aside) / (0.5 * FR_PI);
    double over = mixed(beyond(a.elevation, 0.0, a.bound), beyond(b.elevation, 0.0, b.bound), part);
    fr_vec3 level, edge, bone = limit->axes[0];
    double bound = edge_at(limit, azimuth < 0.0 ? azimuth + 4.0 : azimuth, &edge) + over;
    double sine = elevation > 0.0 ? ahead / elevation : 0.0, cosine = elevation > 0.0 ? aside / elevation : 1.0;
    level = fr_vec3_add_scaled(fr_vec3_scale(cosine, limit->axes[1]), sine, limit->axes[2]);
    fr_quat lean = fr_quat_from_axis_angle(fr_vec3_cross(bone, level), elevation < bound ? elevation : bound);
    return fr_quat_multiply(lean, fr_quat_from_axis_angle(bone, mixed(a.twist, b.twist, part)));
}

fr_quat fr__limit_between(const fr_skeleton *skeleton, uint32_t link, fr_quat from, fr_quat to, double part) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    const fr_limit *limit = &view->limits[link];
    fr_quat back = fr_quat_conjugate(view->rests[link]), a = fr_quat_multiply(back, from),
            b = fr_quat_multiply(back, to), turn = fr_quat_identity();
    if (limit->kind == FR_LIMIT_SWING) {
        turn = swing_between(limit, a, b, part);
    } else if (limit->kind == FR_LIMIT_AXES) {
        axis_angles first = find_angles(limit, a), second = find_angles(limit, b);
        for (int i = 0; i < 3; i++) {
            double angle = mixed(first.angles[i], second.angles[i], part);
            turn = fr_quat_multiply(turn, fr_quat_from_axis_angle(limit->axes[i], angle));
        }
    } else {
        return arc_between(from, to, part);
    }
    return fr_quat_multiply(view->rests[link], turn);
}

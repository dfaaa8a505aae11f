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
    fr_vec3 axis; // unit; the bone leaves rest about it
} swing_angles;

// The greatest elevation at an azimuth, -pi .. pi from sideways to forward.
static double greatest_elevation(const fr_limit *limit, double azimuth) {
    double turn = azimuth < 0.0 ? azimuth + 2.0 * FR_PI : azimuth;
    int quarter = (int)(turn / (0.5 * FR_PI)) & 3;
    double part = turn / (0.5 * FR_PI) - floor(turn / (0.5 * FR_PI));
    double blend = 0.5 * (1.0 - fr_cos(FR_PI * part));
    return (1.0 - blend) * limit->elevations[quarter] + blend * limit->elevations[(quarter + 1) & 3];
}

static swing_angles find_swing(const fr_limit *limit, fr_quat q) {
    fr_vec3 bone = limit->axes[0], sideways = limit->axes[1], forward = limit->axes[2];
    fr_pose turn = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), q);
    fr_vec3 now = fr_pose_turn(&turn, bone), across = fr_vec3_cross(bone, now);
    swing_angles found;
    found.axis = fr_vec3_unit(across, fr_vec3_cross(bone, sideways));
    found.elevation = fr_atan2(fr_vec3_length(across), fr_vec3_dot(bone, now));
    fr_vec3 lean = fr_vec3_cross(found.axis, bone);
    found.bound = greatest_elevation(limit, fr_atan2(fr_vec3_dot(lean, forward), fr_vec3_dot(lean, sideways)));
    fr_quat swing = fr_quat_from_axis_angle(found.axis, found.elevation);
    double twist = twist_about(fr_quat_multiply(fr_quat_conjugate(swing), q), bone);
    found.twist = nearest_turn(twist, limit->min[0], limit->max[0]);
    return found;
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
        swing_angles swing = find_swing(limit, away);
        return larger(beyond(swing.elevation, 0.0, swing.bound), beyond(swing.twist, limit->min[0], limit->max[0]));
    }
    return 0.0;
}

// What rounding makes of a turn that was just brought into its limit.
#define EXCESS_ROUNDING 1e-9

double fr_skeleton_excess(const fr_skeleton *skeleton, uint32_t link, fr_quat turn) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    FR_ASSERT(link < view->link_count);
    fr_quat away = fr_quat_multiply(fr_quat_conjugate(view->rests[link]), turn);
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
    swing_angles swing = find_swing(limit, away);
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

// The pose of a joint's child, and the joint value nearest to a wished pose.
#include "world/joint_fit.h"

// Angles beyond this have no sine; 2^19 leaves room for the turns that are added to one.
#define ANGLE_MAX 0x1p+19
#define TRAVEL_MAX 0x1p+290

double fr__joint_clamp(const fr_joint *joint, double value) {
    double limit = fr__joint_turns(joint->kind) ? ANGLE_MAX : TRAVEL_MAX;
    double low = joint->low > -limit ? joint->low : -limit, high = joint->high < limit ? joint->high : limit;
    if (low > limit) { low = limit; }
    if (high < -limit) { high = -limit; }
    if (value < low) { return low; }
    return value > high ? high : value;
}

static fr_pose freedom(const fr_joint *joint, double value) {
    fr_pose pose = fr_pose_identity();
    const fr_vec3 z = {0.0, 0.0, 1.0};
    if (fr__joint_turns(joint->kind)) { pose.rotation = fr_quat_from_axis_angle(z, value); }
    if (joint->kind == FR_JOINT_SLIDER) { pose.position.z = value; }
    if (joint->kind == FR_JOINT_SCREW) { pose.position.z = joint->pitch * value; }
    return pose;
}

fr_pose fr__joint_pose(const fr_joint *joint, const fr_pose *parent, double value) {
    fr_pose joint_world = fr_pose_compose(parent, &joint->frame_parent);
    fr_pose free = freedom(joint, value), to_joint = fr_pose_inverse(&joint->frame_child);
    fr_pose moved = fr_pose_compose(&joint_world, &free);
    return fr_pose_compose(&moved, &to_joint);
}

fr_vec3 fr__joint_axis(const fr_joint *joint, const fr_pose *parent) {
    fr_vec3 in_parent = fr_pose_turn(&joint->frame_parent, fr_vec3_make(0.0, 0.0, 1.0));
    return fr_vec3_unit(fr_pose_turn(parent, in_parent), fr_vec3_make(0.0, 0.0, 1.0));
}

// ---------------------------------------------------------------------------------------------------------------
// The nearest value
//
// With corners x at value 0 and corners w as wished, both in the joint's axes, the sum of |J(v) x - w|^2 is a constant
// less 2 (along cos v + across sin v), and for travel along z the sum of (travel + x.z - w.z)^2.

typedef struct joint_sums {
    double along, across;
    double lift;   // mean of w.z - x.z
    double corner; // their number
} joint_sums;

static fr_vec3 corner_of(const fr_bounds *box, int i) {
    return fr_vec3_make((i & 1) != 0 ? box->max.x : box->min.x, (i & 2) != 0 ? box->max.y : box->min.y,
                        (i & 4) != 0 ? box->max.z : box->min.z);
}

static joint_sums measure(const fr_joint *joint, const fr_pose *parent, const fr_bounds *box, const fr_pose *wish) {
    fr_pose joint_world = fr_pose_compose(parent, &joint->frame_parent);
    fr_pose to_joint = fr_pose_inverse(&joint_world), to_child = fr_pose_inverse(&joint->frame_child);
    joint_sums f = {0.0, 0.0, 0.0, 8.0};
    for (int i = 0; i < 8; i++) {
        fr_vec3 corner = corner_of(box, i);
        fr_vec3 x = fr_pose_apply(&to_child, corner), w = fr_pose_apply(&to_joint, fr_pose_apply(wish, corner));
        f.along += x.x * w.x + x.y * w.y;
        f.across += x.x * w.y - x.y * w.x;
        f.lift += w.z - x.z;
    }
    f.lift /= f.corner;
    if (f.along != 0.0 || f.across != 0.0) { return f; }

    // With all corners on the axis, the axes of the poses decide.
    for (int i = 0; i < 2; i++) {
        fr_vec3 arm = fr_vec3_make(i == 0 ? 1.0 : 0.0, i == 0 ? 0.0 : 1.0, 0.0);
        fr_vec3 x = fr_pose_turn(&to_child, arm), w = fr_pose_turn(&to_joint, fr_pose_turn(wish, arm));
        f.along += x.x * w.x + x.y * w.y;
        f.across += x.x * w.y - x.y * w.x;
    }
    return f;
}

// The angle plus whole turns that is nearest to `near`.
static double unwind(double angle, double near) {
    double turns = rint((near - angle) / (2.0 * FR_PI));
    return fabs(turns) < ANGLE_MAX ? angle + turns * (2.0 * FR_PI) : near;
}

static double cost(const joint_sums *f, double pitch, double angle) {
    double sine, cosine, rest = pitch * angle - f->lift;
    fr_sincos(angle, &sine, &cosine);
    return f->corner * rest * rest - 2.0 * (f->along * cosine + f->across * sine);
}

// Newton's steps down from an angle, each no longer than half a turn.
static double descend(const joint_sums *f, double pitch, double angle) {
    for (int i = 0; i < 24; i++) {
        double sine, cosine;
        fr_sincos(angle, &sine, &cosine);
        double slope =
            2.0 * (f->along * sine - f->across * cosine) + 2.0 * f->corner * pitch * (pitch * angle - f->lift);
        double bend = 2.0 * (f->along * cosine + f->across * sine) + 2.0 * f->corner * pitch * pitch;
        double flattest = 1e-3 * (fabs(f->along) + fabs(f->across)) + f->corner * pitch * pitch;
        double step = -slope / (bend > flattest ? bend : flattest);
        if (!(fabs(step) < FR_PI)) { step = step > 0.0 ? FR_PI : -FR_PI; }
        if (!(fabs(angle + step) < ANGLE_MAX) || angle + step == angle) { break; }
        angle += step;
    }
    return angle;
}

// For a screw, the travel decides the number of the turn, and the corners decide the angle within it.
static double fit_screw(const fr_joint *joint, const joint_sums *f, double angle, double value) {
    if (joint->pitch == 0.0) { return unwind(angle, value); }
    double by_travel = f->lift / joint->pitch;
    if (!(fabs(by_travel) < 0.5 * ANGLE_MAX)) { by_travel = by_travel > 0.0 ? 0.5 * ANGLE_MAX : -0.5 * ANGLE_MAX; }
    double by_angle = descend(f, joint->pitch, unwind(angle, by_travel));
    double other = descend(f, joint->pitch, by_travel);
    return cost(f, joint->pitch, other) < cost(f, joint->pitch, by_angle) ? other : by_angle;
}

static double fit_angle(const fr_joint *joint, double angle, bool is_free) {
    double nearest = unwind(angle, fr__joint_clamp(joint, joint->value));
    double clamped = fr__joint_clamp(joint, nearest);
    if (!is_free || clamped == nearest) { return clamped; }
    double other = clamped > nearest ? nearest + 2.0 * FR_PI : nearest - 2.0 * FR_PI;
    return fr__joint_clamp(joint, other) == other ? other : clamped;
}

double fr__joint_fit(const fr_joint *joint, const fr_pose *parent, const fr_bounds *box_local, const fr_pose *wish,
                     bool is_free) {
    joint_sums f = measure(joint, parent, box_local, wish);
    double here = fr__joint_clamp(joint, joint->value);
    if (!isfinite(f.along) || !isfinite(f.across) || !isfinite(f.lift)) { return here; }
    if (joint->kind == FR_JOINT_SLIDER) { return fr__joint_clamp(joint, f.lift); }
    if (!fr__joint_turns(joint->kind)) { return joint->value; }
    bool is_determined = f.along != 0.0 || f.across != 0.0;
    double angle = is_determined ? fr_atan2(f.across, f.along) : here;
    if (joint->kind == FR_JOINT_SCREW) { return fr__joint_clamp(joint, fit_screw(joint, &f, angle, here)); }
    return fit_angle(joint, angle, is_free);
}

// The arm of a body: the frames that connect the seven angles with the links of a skeleton, the choice among the arm's
// solutions by the limits of the joints, and a lean of the chest towards what is out of reach.
#include "fureai/human_reach.h"

#include "posture.h"

#include <math.h>
#include <string.h>

#define REACH_COOKIE 0x52454143u
#define ROUNDING 1e-8   // of the arm's length: a goal so little beyond it is not leaned to
#define SWIVELS 18      // to each side that are tried for one within the limits
#define HALVINGS 10     // by which the smallest one within them is found
#define STRETCHED 0.999 // of the arm's length: what a lean and a step bring the goal within

// The links of an arm and the constant frames between them and the seven angles.
typedef struct arm_frames {
    uint32_t parent, upper, lower, palm; // links; the parent carries the arm
    double upper_length, lower_length;
    fr_quat parent_to_zero;  // frame 0 in the frame of the parent
    fr_quat upper_to_angles; // the frame of the angles in the upper arm: z along the bone, y along the elbow's axis
    fr_quat lower_to_angles; // likewise in the forearm
    fr_quat palm_to_angles;  // in the palm
} arm_frames;

// The frame whose z is along the bone and whose y is as near as possible to the axis.
static fr_quat frame_along(fr_vec3 bone, fr_vec3 axis) {
    fr_vec3 z = fr_vec3_unit(bone, (fr_vec3){0.0, 0.0, 1.0});
    fr_vec3 off = fr_vec3_add_scaled(axis, -fr_vec3_dot(axis, z), z);
    fr_vec3 y = fr_vec3_unit(off, fr_vec3_perpendicular(z));
    return fr_quat_from_mat3(fr_mat3_transpose((fr_mat3){{fr_vec3_cross(y, z), y, z}}));
}

static fr_status find_arm(const fr_skeleton *skeleton, fr_side side, arm_frames *out, fr_error *error) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    bool is_right = side == FR_RIGHT;
    out->upper = view->roles[is_right ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM];
    out->lower = view->roles[is_right ? FR_LINK_RIGHT_FOREARM : FR_LINK_LEFT_FOREARM];
    out->palm = view->roles[is_right ? FR_LINK_RIGHT_PALM : FR_LINK_LEFT_PALM];
    const char *name = is_right ? "right" : "left";
    if (out->upper == FR_NO_LINK || out->lower == FR_NO_LINK || out->palm == FR_NO_LINK) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no %s arm of upper arm, forearm and palm",
                            name);
    }
    out->parent = view->parents[out->upper];
    if (out->parent == FR_NO_LINK || view->parents[out->lower] != out->upper ||
        view->parents[out->palm] != out->lower) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the links of the skeleton's %s arm do not follow one another",
                            name);
    }
    out->upper_length = fr_vec3_length(view->offsets[out->lower]);
    out->lower_length = fr_vec3_length(view->offsets[out->palm]);
    if (!(out->upper_length > 0.0) || !(out->lower_length > 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a link of the skeleton's %s arm has no length", name);
    }

    // The elbow bends the forearm forward: about the axis that is across the bone and the direction of facing.
    fr_quat upper = view->uprights[out->upper], lower = view->uprights[out->lower];
    fr_vec3 bone_world = fr_vec3_unit(fr__quat_turn(upper, view->offsets[out->lower]), (fr_vec3){0.0, -1.0, 0.0});
    fr_vec3 axis_world = fr_vec3_unit(fr_vec3_cross(bone_world, (fr_vec3){0.0, 0.0, 1.0}), (fr_vec3){-1.0, 0.0, 0.0});
    out->upper_to_angles = frame_along(view->offsets[out->lower], fr__quat_turn(fr_quat_conjugate(upper), axis_world));
    out->lower_to_angles = frame_along(view->offsets[out->palm], fr__quat_turn(fr_quat_conjugate(lower), axis_world));
    out->palm_to_angles = fr__quat_product(fr_quat_conjugate(view->rests[out->palm]), out->lower_to_angles);

    // Frame 0 has x forward (+Z), y up (+Y) and z to the right (-X).
    fr_mat3 zero_world = {{{0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}};
    out->parent_to_zero =
        fr__quat_product(fr_quat_conjugate(view->uprights[out->parent]), fr_quat_from_mat3(zero_world));
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Angles and turns

// t1, t2, t3 of Rz Rx Rz or t5, t6, t7 of Ry Rx Rz, the branch whose middle angle is 0 or more (within a right angle).
static void angles_of_turns(const arm_frames *arm, const fr_posture *posture, double t[FR_ARM_ANGLES]) {
    fr_quat upper = fr__quat_product(
        fr__quat_product(fr_quat_conjugate(arm->parent_to_zero), posture->turns[arm->upper]), arm->upper_to_angles);
    fr_mat3 s = fr_quat_to_mat3(upper);
    double s13 = s.row[0].z, s23 = s.row[1].z;
    t[0] = s13 == 0.0 && s23 == 0.0 ? 0.0 : fr_atan2(s13, -s23);
    double s1, c1;
    fr_sincos(t[0], &s1, &c1);
    t[1] = fr_atan2(s1 * s13 - c1 * s23, s.row[2].z);
    t[2] = fr_atan2(-(c1 * s.row[0].y + s1 * s.row[1].y), c1 * s.row[0].x + s1 * s.row[1].x);

    fr_quat elbow = fr__quat_product(
        fr__quat_product(fr_quat_conjugate(arm->upper_to_angles), posture->turns[arm->lower]), arm->lower_to_angles);
    fr_vec3 forearm = fr__quat_turn(elbow, (fr_vec3){0.0, 0.0, 1.0});
    t[3] = fr_atan2(forearm.x, forearm.z);

    fr_quat wrist = fr__quat_product(
        fr__quat_product(fr_quat_conjugate(arm->lower_to_angles), posture->turns[arm->palm]), arm->palm_to_angles);
    fr_mat3 w = fr_quat_to_mat3(wrist);
    double w13 = w.row[0].z, w33 = w.row[2].z;
    t[4] = w13 == 0.0 && w33 == 0.0 ? 0.0 : fr_atan2(w13, w33);
    double s5, c5;
    fr_sincos(t[4], &s5, &c5);
    t[5] = fr_atan2(-w.row[1].z, s5 * w13 + c5 * w33);
    t[6] = fr_atan2(-(c5 * w.row[0].y - s5 * w.row[2].y), c5 * w.row[0].x - s5 * w.row[2].x);
}

// The turns of upper arm, forearm and palm.
static void turns_of_angles(const arm_frames *arm, const double t[FR_ARM_ANGLES], fr_quat out[3]) {
    fr_quat shoulder =
        fr__quat_product(fr__quat_product(fr__quat_about(2, t[0]), fr__quat_about(0, t[1])), fr__quat_about(2, t[2]));
    fr_quat wrist =
        fr__quat_product(fr__quat_product(fr__quat_about(1, t[4]), fr__quat_about(0, t[5])), fr__quat_about(2, t[6]));
    out[0] = fr__quat_product(fr__quat_product(arm->parent_to_zero, shoulder), fr_quat_conjugate(arm->upper_to_angles));
    out[1] = fr__quat_product(fr__quat_product(arm->upper_to_angles, fr__quat_about(1, t[3])),
                              fr_quat_conjugate(arm->lower_to_angles));
    out[2] = fr__quat_product(fr__quat_product(arm->lower_to_angles, wrist), fr_quat_conjugate(arm->palm_to_angles));
}

fr_status fr_reach_angles(const fr_skeleton *skeleton, const fr_posture *posture, fr_side side,
                          double angles[FR_ARM_ANGLES], fr_error *error) {
    arm_frames arm;
    fr_status status = find_arm(skeleton, side, &arm, error);
    if (status != FR_OK) { return status; }
    if (posture->count != fr_skeleton_get(skeleton)->link_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a posture of %u links does not fit the skeleton",
                            posture->count);
    }
    angles_of_turns(&arm, posture, angles);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Reach

fr_reach_input fr_default_reach_input(void) {
    return (fr_reach_input){.palm = fr_pose_identity(), .lean_max = 0.6, .cookie = REACH_COOKIE};
}

static fr_status check(const fr_reach_input *input, fr_error *error) {
    if (input->cookie != REACH_COOKIE) { return fr_error_set_cookie(error, "fr_default_reach_input"); }
    if (input->skeleton == NULL || input->posture == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a reach needs a skeleton and a posture");
    }
    uint32_t links = fr_skeleton_get(input->skeleton)->link_count;
    if (input->posture->count != links) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the posture has %u links, the skeleton %u",
                            input->posture->count, links);
    }
    if (!(input->lean_max >= 0.0) || input->lean_max > 0.5 * FR_PI) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a lean of %g rad is not within 0 .. pi / 2", input->lean_max);
    }
    fr_pose palm = fr_pose_make(input->palm.position, input->palm.rotation);
    return fr_pose_check(&palm, error);
}

// Turns the chest about its joint, in the plane of shoulder and goal, until the goal is within the arm's length.
static void lean(const fr_reach_input *input, const arm_frames *arm, fr_pose *chest, fr_reach_output *output) {
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    fr_vec3 shoulder = fr_vec3_sub(fr_pose_apply(chest, view->offsets[arm->upper]), chest->position);
    fr_vec3 goal = fr_vec3_sub(input->palm.position, chest->position);
    double whole = arm->upper_length + arm->lower_length, length = STRETCHED * whole;
    if (fr_vec3_distance(shoulder, goal) <= whole * (1.0 + ROUNDING) || input->lean_max == 0.0) { return; }
    double r = fr_vec3_length(shoulder), g = fr_vec3_length(goal);
    if (!(r > 0.0) || !(g > 0.0) || arm->parent == 0) { return; }

    double between = fr_atan2(fr_vec3_length(fr_vec3_cross(shoulder, goal)), fr_vec3_dot(shoulder, goal));
    double cosine = (r * r + g * g - length * length) / (2.0 * r * g);
    double angle = between - (cosine >= 1.0 ? 0.0 : fr_acos(cosine < -1.0 ? -1.0 : cosine));
    if (angle > input->lean_max) { angle = input->lean_max; }
    if (!(angle > 0.0)) { return; }
    fr_quat world = fr_quat_from_axis_angle(fr_vec3_cross(shoulder, goal), angle);

    // The turn of the chest in its parent's frame, within the chest's limit.
    fr_pose below = fr__link_pose(view, input->posture, view->parents[arm->parent]);
    fr_quat wanted = fr__quat_product(fr_quat_conjugate(below.rotation), fr__quat_product(world, chest->rotation));
    fr_quat old = input->posture->turns[arm->parent];
    output->chest = fr_skeleton_clamp(input->skeleton, arm->parent, wanted);
    output->lean = fr_vec3_length(fr_quat_to_vector(fr__quat_product(output->chest, fr_quat_conjugate(old))));
    chest->rotation = fr__quat_product(below.rotation, output->chest);
}

// How far the goal is from the shoulder beyond the arm's length, as a horizontal displacement that would mend it.
static fr_vec3 step_to(const arm_frames *arm, fr_vec3 shoulder, fr_vec3 goal) {
    fr_vec3 apart = fr_vec3_sub(goal, shoulder);
    double length = STRETCHED * (arm->upper_length + arm->lower_length);
    double level = sqrt(apart.x * apart.x + apart.z * apart.z);
    double inside = length * length - apart.y * apart.y;
    double wanted = inside > 0.0 ? sqrt(inside) : 0.0; // horizontal distance from which the goal can be reached
    if (!(level > wanted)) { return (fr_vec3){0.0, 0.0, 0.0}; }
    double share = (level - wanted) / level;
    return (fr_vec3){share * apart.x, 0.0, share * apart.z};
}

// What was found so far: the turns of `output`, and how far they are from the present ones.
typedef struct reach_choice {
    const fr_skeleton *skeleton;
    const arm_frames *arm;
    fr_reach_output *output;
    double change;  // of the solution in `output`
    double nearest; // change of the nearest solution of all
    double excess;  // of that one
} reach_choice;

// Takes over from the solutions the one within the limits, or least beyond them, that is nearest.
static void choose(reach_choice *c, const fr_arm_output *solved) {
    for (uint32_t i = 0; i < solved->count; i++) {
        const fr_arm_solution *solution = &solved->solutions[i];
        fr_quat turns[3];
        turns_of_angles(c->arm, solution->angles, turns);
        double excess = fr_skeleton_excess(c->skeleton, c->arm->upper, turns[0]) +
                        fr_skeleton_excess(c->skeleton, c->arm->lower, turns[1]) +
                        fr_skeleton_excess(c->skeleton, c->arm->palm, turns[2]);
        if (excess < 1e-9) { excess = 0.0; }
        if (solution->change < c->nearest) {
            c->nearest = solution->change;
            c->excess = excess;
        }
        fr_reach_output *out = c->output;
        if (excess > out->excess || (excess == out->excess && !(solution->change < c->change))) { continue; }
        out->excess = excess;
        c->change = solution->change;
        out->upper_arm = turns[0];
        out->forearm = turns[1];
        out->palm = turns[2];
        memcpy(out->angles, solution->angles, sizeof out->angles);
    }
}

// How far beyond the limits the arm is with its elbow swivelled by an angle; the solution is taken over where it is
// better.
static double try_swivel(reach_choice *c, fr_arm_input *input, double angle) {
    fr_arm_output solved;
    input->is_swivel_only = true;
    input->swivel = angle;
    if (fr_arm_solve(input, &solved, NULL) != FR_OK) { return INFINITY; }
    reach_choice alone = *c;
    alone.nearest = INFINITY;
    choose(&alone, &solved);
    c->change = alone.change;
    return alone.excess;
}

// Turns the elbow about the line from shoulder to wrist, a little more each time and to both sides, until the arm is
// within its limits, and back as far as it stays so: from frame to frame the swivel then changes little.
static void swivel(reach_choice *c, fr_arm_input *input) {
    for (int side = -1; side <= 1; side += 2) {
        double step = side * (FR_PI / SWIVELS);
        int i = 1;
        while (i <= SWIVELS && try_swivel(c, input, i * step) > 0.0) {
            i++;
        }
        if (i > SWIVELS) { continue; }
        double outside = (i - 1) * step, within = i * step;
        for (int round = 0; round < HALVINGS; round++) {
            double middle = 0.5 * (outside + within);
            if (try_swivel(c, input, middle) > 0.0) {
                outside = middle;
            } else {
                within = middle;
            }
        }
    }
}

fr_status fr_reach_solve(const fr_reach_input *input, fr_reach_output *output, fr_error *error) {
    arm_frames arm;
    fr_status status = check(input, error);
    if (status == FR_OK) { status = find_arm(input->skeleton, input->side, &arm, error); }
    if (status != FR_OK) { return status; }
    const fr_skeleton_view *view = fr_skeleton_get(input->skeleton);
    *output = (fr_reach_output){.chest = input->posture->turns[arm.parent]};
    fr_pose chest = fr__link_pose(view, input->posture, arm.parent);
    lean(input, &arm, &chest, output);

    // The goal in frame 0.
    fr_vec3 shoulder = fr_pose_apply(&chest, view->offsets[arm.upper]);
    fr_quat to_zero = fr_quat_conjugate(fr__quat_product(chest.rotation, arm.parent_to_zero));
    fr_arm_input arm_input = fr_default_arm_input();
    arm_input.upper = arm.upper_length;
    arm_input.lower = arm.lower_length;
    arm_input.metric = input->metric;
    arm_input.is_swivel_only = input->is_swivel_only;
    arm_input.swivel = input->swivel;
    arm_input.wrist.position = fr__quat_turn(to_zero, fr_vec3_sub(input->palm.position, shoulder));
    arm_input.wrist.rotation = fr__quat_product(fr__quat_product(to_zero, input->palm.rotation), arm.palm_to_angles);
    angles_of_turns(&arm, input->posture, arm_input.previous);
    fr_arm_output solved;
    status = fr_arm_solve(&arm_input, &solved, error);
    if (status != FR_OK) { return status; }

    output->excess = INFINITY;
    output->miss = solved.miss;
    output->solution_count = solved.count;
    reach_choice choice = {.skeleton = input->skeleton, .arm = &arm, .output = output, .change = INFINITY};
    choice.nearest = INFINITY;
    choose(&choice, &solved);
    if (choice.excess > 0.0 && !input->is_swivel_only) { swivel(&choice, &arm_input); }
    if (solved.miss > 0.0) { output->step = step_to(&arm, shoulder, input->palm.position); }
    return FR_OK;
}

void fr_reach_apply(const fr_skeleton *skeleton, fr_side side, const fr_reach_output *output, fr_posture *posture) {
    arm_frames arm;
    if (find_arm(skeleton, side, &arm, NULL) != FR_OK) { return; }
    posture->turns[arm.parent] = output->chest;
    posture->turns[arm.upper] = output->upper_arm;
    posture->turns[arm.lower] = output->forearm;
    posture->turns[arm.palm] = output->palm;
}

// ---------------------------------------------------------------------------------------------------------------
// Travel

double fr_reach_progress(double time) {
    if (!(time > 0.0)) { return 0.0; }
    if (time >= 1.0) { return 1.0; }
    return time * time * time * (10.0 + time * (6.0 * time - 15.0));
}

double fr_reach_duration(double distance) {
    double seconds = distance > 0.0 ? 0.9 * fr_cbrt(distance) : 0.0;
    return seconds < 0.3 ? 0.3 : seconds > 1.5 ? 1.5 : seconds;
}

// The course of a part over a step: where its points, its ball and its pose are at any time.
#include "collide/course.h"

static fr_vec3 arm_displacement(const fr__course *course, fr_vec3 point, double t) {
    fr__arm arm = fr__arm_make(&course->axis, point, course->pivot);
    return fr__arm_displacement(&arm, fr__swing_at(course->axis.angle, t));
}

// Where a point that is at x when t = 0 is at t, rounded.
static fr_vec3 point_at(const fr__course *course, fr_vec3 x, double t) {
    fr_vec3 displacement = fr_vec3_scale(t, course->travel);
    if (course->axis.angle > 0.0) { displacement = fr_vec3_add(displacement, arm_displacement(course, x, t)); }
    return fr_vec3_add(x, displacement);
}

fr_pose fr__course_pose(const fr__course *course, double t) {
    fr_pose pose = course->start;
    if (t == 0.0) { return pose; }
    pose.position = point_at(course, pose.position, t);
    if (course->axis.angle > 0.0) {
        fr_quat turned = fr_quat_from_vector(fr_vec3_scale(t, course->turn));
        pose.rotation = fr_quat_multiply(turned, pose.rotation);
        (void)fr_quat_normalize(&pose.rotation, NULL);
    }
    return pose;
}

fr_vec3 fr__course_ball(const fr__course *course, double t) { return point_at(course, course->ball, t); }

// As far as its centre, and what the two matrices do differently to an arm as long as the radius. The Frobenius norm is
// no less than what they can do.
double fr__pose_gap(const fr_pose *a, const fr_pose *b, fr_vec3 center_local, double radius_local) {
    fr_mat3 turn_a = fr_quat_to_mat3(a->rotation), turn_b = fr_quat_to_mat3(b->rotation);
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        fr_vec3 row_a = fr_vec3_scale(a->scale, turn_a.row[i]), row_b = fr_vec3_scale(b->scale, turn_b.row[i]);
        sum += fr_vec3_length_squared(fr_vec3_sub(row_a, row_b));
    }
    double apart = fr_vec3_distance(fr_pose_apply(a, center_local), fr_pose_apply(b, center_local));
    return (apart + radius_local * sqrt(sum)) * (1.0 + 0x1p-40);
}

static double larger(double a, double b) { return a > b ? a : b; }

void fr__course_make(const fr_object_view *view, const fr__side *side, fr__course *out) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    const fr_motion *motion = &view->motion;
    bool is_straight = view->is_moving && view->next_vertices != NULL, moves = view->is_moving && !is_straight;
    double scale = side->object_pose.scale * side->part_pose.scale;
    out->motion = moves ? motion : NULL;
    out->guide = fr__guide_of(out->motion);
    out->end_vertices = is_straight ? view->next_vertices + side->first_vertex : NULL;
    out->end = view->is_moving ? fr__frame_make(&view->next) : side->object_frame;
    out->start = fr__side_pose(side);
    out->pivot = moves ? fr_pose_apply(&motion->start, motion->pivot_local) : out->start.position;
    out->travel = moves ? motion->travel : zero;
    out->turn = moves ? motion->turn : zero;
    out->axis = fr__axis_of_turn(out->turn);
    out->ball = fr__side_apply(side, side->ball_center);
    out->radius = scale * side->ball_radius * (1.0 + 0x1p-40) + 2.0 * fr__side_rounding(side);
    out->arm = fr_vec3_distance(out->ball, out->pivot) * (1.0 + 0x1p-40);
    out->face_size = out->radius / sqrt((double)side->triangle_count);

    double places = larger(fr_vec3_largest(out->ball), fr_vec3_largest(out->pivot));
    double farthest = out->arm + out->radius;
    out->reach = places + fr_vec3_largest(out->travel) + farthest;
    out->rounding = 0x1p-38 * out->reach + 0x1p-39 * out->axis.angle * farthest;
    out->end_gap = 0.0;
    out->end_pose = out->start;
    if (moves) {
        fr_pose path_end = fr__course_pose(out, 1.0);
        out->end_pose = side->part_is_identity ? view->next : fr_pose_compose(&view->next, &side->part_pose);
        out->end_gap = fr__pose_gap(&path_end, &out->end_pose, side->ball_center, side->ball_radius);
    }
}

void fr__course_corners(const fr__course *course, const fr__side *side, uint32_t triangle, double t,
                        fr_vec3 corners[3]) {
    fr_triangle_path path;
    fr__course_path(course, side, triangle, &path);
    for (int k = 0; k < 3; k++) {
        if (t == 0.0 || t == 1.0) {
            corners[k] = t == 0.0 ? path.start[k] : path.end[k];
        } else {
            corners[k] = course->end_vertices != NULL ? fr_vec3_lerp(path.start[k], path.end[k], t)
                                                      : point_at(course, path.start[k], t);
        }
    }
}

fr_vec3 fr__course_velocity(const fr__course *course, fr_vec3 point, double t) {
    fr_vec3 arm = fr_vec3_sub(point, fr_vec3_add_scaled(course->pivot, t, course->travel));
    return fr_vec3_add(course->travel, fr_vec3_cross(course->turn, arm));
}

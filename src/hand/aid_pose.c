// Where held faces let an object be. The turn comes first: the swing that lays the first face in its plane and leaves
// the raw twist, then a turn about that normal that lays the second. The position then solves one equation a plane.
#include "aid.h"

static fr_quat turned(fr_quat by, fr_quat q) {
    fr_quat result = fr_quat_multiply(by, q);
    // A product of two unit quaternions is unit but for rounding: there is nothing to refuse
    (void)fr_quat_normalize(&result, NULL);
    return result;
}

static fr_quat rotation_of(fr_quat raw, const fr_aid_plane *planes, uint32_t count) {
    fr_vec3 m = fr_mat3_apply(fr_quat_to_mat3(raw), planes[0].normal_local);
    fr_quat q = turned(fr_quat_between(m, fr_vec3_negate(planes[0].normal)), raw);
    if (count < 2) { return q; }
    fr_vec3 n = planes[0].normal;
    fr_vec3 m2 = fr_mat3_apply(fr_quat_to_mat3(q), planes[1].normal_local);
    fr_vec3 g = fr_vec3_negate(planes[1].normal);
    double sine = fr_vec3_dot(n, fr_vec3_cross(m2, g));
    double cosine = fr_vec3_dot(m2, g) - fr_vec3_dot(m2, n) * fr_vec3_dot(g, n);
    return turned(fr_quat_from_axis_angle(n, fr_atan2(sine, cosine)), q);
}

// What is missing of plane i at a pose.
static double missing(const fr_aid_plane *plane, const fr_pose *pose) {
    return plane->offset - fr_vec3_dot(plane->normal, fr_pose_apply(pose, plane->centroid_local));
}

static fr_vec3 shift_two(const fr_aid_plane *planes, double e0, double e1) {
    // Shortest: s n0 + t n1 with the Gram matrix of the two normals
    double c = fr_vec3_dot(planes[0].normal, planes[1].normal);
    double det = 1.0 - c * c;
    fr_vec3 s = fr_vec3_scale((e0 - c * e1) / det, planes[0].normal);
    return fr_vec3_add_scaled(s, (e1 - c * e0) / det, planes[1].normal);
}

static fr_vec3 shift_three(const fr_aid_plane *planes, const double e[3]) {
    fr_vec3 a = planes[0].normal, b = planes[1].normal, c = planes[2].normal;
    fr_vec3 bc = fr_vec3_cross(b, c), ca = fr_vec3_cross(c, a), ab = fr_vec3_cross(a, b);
    double det = fr_vec3_dot(a, bc);
    fr_vec3 sum = fr_vec3_add(fr_vec3_scale(e[0], bc), fr_vec3_scale(e[1], ca));
    return fr_vec3_scale(1.0 / det, fr_vec3_add_scaled(sum, e[2], ab));
}

fr_pose fr_aid_project(const fr_pose *raw, const fr_aid_plane *planes, uint32_t count, fr_aid_pivot pivot) {
    FR_ASSERT(raw != NULL && count <= FR_AID_FACES);
    fr_pose pose = *raw;
    if (count == 0) { return pose; }
    pose.rotation = rotation_of(raw->rotation, planes, count);

    // The first face's centroid stays above where it was, or the origin does
    if (pivot == FR_AID_PIVOT_CENTROID) {
        fr_vec3 was = fr_pose_apply(raw, planes[0].centroid_local);
        fr_vec3 is = fr_pose_apply(&pose, planes[0].centroid_local);
        pose.position = fr_vec3_add(pose.position, fr_vec3_sub(was, is));
    }
    pose.position = fr_vec3_add_scaled(pose.position, missing(&planes[0], &pose), planes[0].normal);
    double e[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < count; i++) {
        e[i] = missing(&planes[i], &pose);
    }
    if (count == 2) { pose.position = fr_vec3_add(pose.position, shift_two(planes, e[0], e[1])); }
    if (count == 3) { pose.position = fr_vec3_add(pose.position, shift_three(planes, e)); }
    return pose;
}

// ---------------------------------------------------------------------------------------------------------------
// The hand in a frame

double fr__aid_threshold(const fr_aid *aid, double area) { return aid->def.magnet * aid->def.hold * sqrt(area); }

// What raw is taken for: itself, and after a face came off what is left of the offset that shown had then.
fr_pose fr__aid_hand(const fr__aid_frame *f) {
    const fr_aid *aid = f->aid;
    fr_pose hand = f->raw;
    double left = aid->is_blending ? 1.0 - (f->time - aid->blend_time) / aid->def.blend : 0.0;
    if (!(left > 0.0)) { return hand; }
    fr_vec3 turn = fr_vec3_scale(left, fr_quat_to_vector(aid->blend_turn));
    hand.rotation = turned(fr_quat_from_vector(turn), hand.rotation);
    hand.position = fr_vec3_add_scaled(hand.position, left, aid->blend_shift);
    return hand;
}

void fr__aid_begin_blend(fr__aid_frame *f) {
    fr_aid *aid = f->aid;
    if (!(aid->def.blend > 0.0) || !aid->has_time) { return; }
    aid->is_blending = true;
    aid->blend_time = aid->time;
    aid->blend_shift = fr_vec3_sub(f->from.position, f->raw.position);
    aid->blend_turn = fr_quat_multiply(f->from.rotation, fr_quat_conjugate(f->raw.rotation));
}

void fr__aid_stick(fr__aid_frame *f) {
    fr_aid *aid = f->aid;
    const fr_object_view *other = aid->face_count > 0 ? fr_object_get(f->space, aid->faces[0].pair.other) : NULL;
    aid->stuck_count = 0;
    if (!(aid->def.friction > 0.0) || other == NULL) { return; }
    fr_pose back = fr_pose_inverse(&other->pose);
    aid->stuck_local = fr_pose_apply(&back, fr_pose_apply(&aid->shown, aid->faces[0].plane.centroid_local));
    aid->stuck_count = aid->face_count;
}

// How far the hand pushes into all that holds.
static double depth_of(const fr__aid_frame *f) {
    double depth = 0.0;
    for (uint32_t i = 0; i < f->aid->face_count; i++) {
        const fr_aid_plane *plane = &f->aid->faces[i].plane;
        depth += fmax(0.0, plane->offset - fr_vec3_dot(plane->normal, fr_pose_apply(&f->raw, plane->centroid_local)));
    }
    return depth;
}

// Coulomb's friction on what is held as in the frame before: the place it sticks to, dragged behind the goal.
static fr_pose held_back(const fr__aid_frame *f, fr_pose goal) {
    const fr_aid *aid = f->aid;
    if (aid->stuck_count == 0 || aid->stuck_count != aid->face_count || aid->snap_count > 0) { return goal; }
    const fr_object_view *other = fr_object_get(f->space, aid->faces[0].pair.other);
    if (other == NULL) { return goal; }
    fr_vec3 stuck = fr_pose_apply(&other->pose, aid->stuck_local);
    fr_vec3 back = fr_vec3_sub(stuck, fr_pose_apply(&goal, aid->faces[0].plane.centroid_local));
    if (aid->face_count == 1) {
        back = fr_vec3_add_scaled(back, -fr_vec3_dot(back, aid->faces[0].plane.normal), aid->faces[0].plane.normal);
    }
    if (aid->face_count == 2) {
        fr_vec3 along = fr_vec3_cross(aid->faces[0].plane.normal, aid->faces[1].plane.normal);
        back = fr_vec3_scale(fr_vec3_dot(back, along) / fr_vec3_length_squared(along), along);
    }
    double length = fr_vec3_length(back), reach = aid->def.friction * depth_of(f);
    if (aid->face_count > 2 || !(length > 0.0)) { return goal; }
    goal.position = fr_vec3_add_scaled(goal.position, fmin(1.0, reach / length), back);
    return goal;
}

fr_pose fr__aid_goal(const fr__aid_frame *f) {
    fr_pose hand = fr__aid_hand(f);
    return held_back(f, fr__aid_lay(f, &hand, f->aid->snap_count));
}

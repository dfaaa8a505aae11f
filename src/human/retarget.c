// A motion of one skeleton for another. In the reference posture both stand alike but for the directions of arms and
// legs; a link of the target turns away from its reference as the link of the source with the same role does.
#include "fureai/human_files.h"

#include "posture.h"

#include <math.h>
#include <string.h>

#define RETARGET_COOKIE 0x52544152u
#define HINGED 0.9     // of a forearm's turns that must share one axis before that axis is believed
#define BENT 0.15      // radians on average that it must bend for it
#define SOLE_SHARE 10u // per cent of the frames whose lowest sole is below the ground that is found

// What one link of the target follows.
typedef struct follower {
    uint32_t link, partner; // of the target and of the source; partner FR_NO_LINK: the link keeps its rest
    fr_quat constant;       // inverse of the partner's reference in the world, then the link's own reference
} follower;

typedef struct retarget {
    const fr_skeleton_view *from, *to;
    const fr_retarget_input *input;
    follower followers[FR_MAX_LINKS];
    fr_posture source;
    fr_quat source_turns[FR_MAX_LINKS];
    fr_pose *source_poses, *target_poses;
    double ratio;         // of the legs
    fr_vec3 middle_local; // of the target's hip joints, in the frame of its hip
    fr_quat facing;       // of the reference about the vertical
    double begin;         // seconds of the clip that are left out: the T-pose before a capture
    fr_error *error;
} retarget;

static fr_vec3 midpoint(fr_vec3 a, fr_vec3 b) { return fr_vec3_scale(0.5, fr_vec3_add(a, b)); }

// ---------------------------------------------------------------------------------------------------------------
// Roles

static fr_status check_roles(const fr_skeleton_view *view, const char *which, fr_error *error) {
    static const fr_link needed[] = {FR_LINK_HIP,        FR_LINK_RIGHT_THIGH, FR_LINK_RIGHT_SHIN, FR_LINK_RIGHT_FOOT,
                                     FR_LINK_LEFT_THIGH, FR_LINK_LEFT_SHIN,   FR_LINK_LEFT_FOOT};
    static const char *const names[] = {"hip",        "right thigh", "right shin", "right foot",
                                        "left thigh", "left shin",   "left foot"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (view->roles[needed[i]] == FR_NO_LINK) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton that is %s has no %s", which, names[i]);
        }
    }
    return FR_OK;
}

// The role that the bone of a role leads to; FR_LINK_COUNT where the bone ends with the link.
static fr_link bone_end(fr_link role) {
    switch (role) {
    case FR_LINK_RIGHT_UPPER_ARM:
    case FR_LINK_RIGHT_FOREARM:
    case FR_LINK_LEFT_UPPER_ARM:
    case FR_LINK_LEFT_FOREARM:
    case FR_LINK_RIGHT_THIGH:
    case FR_LINK_RIGHT_SHIN:
    case FR_LINK_LEFT_THIGH:
    case FR_LINK_LEFT_SHIN: return (fr_link)(role + 1);
    default: return FR_LINK_COUNT;
    }
}

// The farthest point that is known of a link without a role below it: its first child's origin, else its tip.
static fr_vec3 end_local(const fr_skeleton_view *view, uint32_t link) {
    for (uint32_t i = link + 1; i < view->link_count; i++) {
        if (view->parents[i] == link && fr_vec3_length(view->offsets[i]) > 1e-6) { return view->offsets[i]; }
    }
    return view->tips[link];
}

// The direction of a role's bone in the world, zero where it is not known.
static fr_vec3 bone_of(const fr_skeleton_view *view, const fr_pose *poses, fr_link role) {
    uint32_t link = view->roles[role];
    fr_link end = bone_end(role);
    fr_vec3 bone = {0.0, 0.0, 0.0};
    if (end != FR_LINK_COUNT && view->roles[end] != FR_NO_LINK) {
        bone = fr_vec3_sub(poses[view->roles[end]].position, poses[link].position);
    } else {
        bone = fr__quat_turn(poses[link].rotation, end_local(view, link));
    }
    return fr_vec3_unit(bone, (fr_vec3){0.0, 0.0, 0.0});
}

// ---------------------------------------------------------------------------------------------------------------
// Reference

// Arms level and to the sides, legs down.
static bool is_t_pose(const fr_skeleton_view *view, const fr_pose *poses) {
    static const fr_link arms[2] = {FR_LINK_RIGHT_UPPER_ARM, FR_LINK_LEFT_UPPER_ARM};
    static const fr_link legs[4] = {FR_LINK_RIGHT_THIGH, FR_LINK_RIGHT_SHIN, FR_LINK_LEFT_THIGH, FR_LINK_LEFT_SHIN};
    for (int i = 0; i < 2; i++) {
        if (view->roles[arms[i]] == FR_NO_LINK) { return false; }
        if (fabs(bone_of(view, poses, arms[i]).y) > 0.3) { return false; }
    }
    for (int i = 0; i < 4; i++) {
        if (bone_of(view, poses, legs[i]).y > -0.95) { return false; }
    }
    fr_vec3 right = bone_of(view, poses, arms[0]), left = bone_of(view, poses, arms[1]);
    return fr_vec3_dot(right, left) < -0.9;
}

static void rest_posture(const fr_skeleton_view *view, fr_posture *posture) {
    memcpy(posture->turns, view->rests, view->link_count * sizeof *posture->turns);
    posture->place = view->offsets[0];
}

// Finds the poses of the reference of the source.
static fr_status find_reference(retarget *r) {
    bool is_first = r->input->reference != FR_REFERENCE_REST;
    if (is_first) {
        fr_status status = fr_clip_frame(r->input->clip, 0, &r->source, r->error);
        if (status != FR_OK) { return status; }
        status = fr_posture_poses(r->input->from, &r->source, 1, r->source_poses, r->error);
        if (status != FR_OK || r->input->reference == FR_REFERENCE_FIRST) { return status; }
        if (is_t_pose(r->from, r->source_poses)) {
            const fr_clip_view *clip = fr_clip_get(r->input->clip);
            r->begin = clip->frame_count > 1 ? 1.0 / clip->frame_rate : 0.0;
            return FR_OK;
        }
    }
    rest_posture(r->from, &r->source);
    return fr_posture_poses(r->input->from, &r->source, 1, r->source_poses, r->error);
}

// The turn about the vertical from +Z to where the reference looks.
static fr_quat facing_of(const fr_skeleton_view *view, const fr_pose *poses) {
    fr_vec3 left =
        fr_vec3_sub(poses[view->roles[FR_LINK_LEFT_THIGH]].position, poses[view->roles[FR_LINK_RIGHT_THIGH]].position);
    if (left.x * left.x + left.z * left.z < 1e-12) { return fr_quat_identity(); }
    return fr_quat_from_axis_angle((fr_vec3){0.0, 1.0, 0.0}, fr_atan2(-left.z, left.x));
}

// The axis about which a forearm bends in the clip, in the world of the reference; zero where there is none.
static fr_vec3 elbow_axis(retarget *r, fr_link forearm) {
    uint32_t link = r->from->roles[forearm];
    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = {.turns = turns, .count = r->from->link_count};
    const fr_clip_view *clip = fr_clip_get(r->input->clip);
    fr_quat rest = r->from->rests[link];
    fr_vec3 sum = {0.0, 0.0, 0.0};
    double lengths = 0.0;
    uint32_t stride = 1 + clip->frame_count / 500, count = 0;
    for (uint32_t i = 0; i < clip->frame_count; i += stride, count++) {
        if (fr_clip_frame(r->input->clip, i, &posture, NULL) != FR_OK) { break; }
        fr_vec3 bend = fr_quat_to_vector(fr__quat_product(fr_quat_conjugate(rest), turns[link]));
        sum = fr_vec3_add(sum, bend);
        lengths += fr_vec3_length(bend);
    }
    bool is_hinge = count > 0 && lengths / count > BENT && fr_vec3_length(sum) > HINGED * lengths;
    if (!is_hinge) { return (fr_vec3){0.0, 0.0, 0.0}; }

    // In the frame of the forearm at rest, which turns with the upper arm.
    fr_quat upper = r->source_poses[r->from->parents[link]].rotation;
    return fr__quat_turn(fr__quat_product(upper, rest), fr_vec3_unit(sum, (fr_vec3){0.0, 0.0, 0.0}));
}

// How the link of the target stands in the reference, apart from its upright: from upright to the partner's direction.
static fr_quat lean_to_partner(retarget *r, fr_link role) {
    bool is_trunk = role == FR_LINK_HIP || role == FR_LINK_CHEST || role == FR_LINK_HEAD;
    fr_vec3 own = fr__quat_turn(r->facing, bone_of(r->to, r->target_poses, role));
    fr_vec3 other = bone_of(r->from, r->source_poses, role);
    bool is_foot = role == FR_LINK_RIGHT_FOOT || role == FR_LINK_LEFT_FOOT;
    if (is_foot) {
        // The foot is flat in the reference: it turns about the vertical alone.
        fr_vec3 none = {0.0, 0.0, 0.0};
        own = fr_vec3_unit((fr_vec3){own.x, 0.0, own.z}, none);
        other = fr_vec3_unit((fr_vec3){other.x, 0.0, other.z}, none);
    }
    if (is_trunk || fr_vec3_length(own) < 0.5 || fr_vec3_length(other) < 0.5) { return r->facing; }
    fr_quat lean = fr__quat_product(fr_quat_between(own, other), r->facing);

    // An arm turns about its bone until its elbow's axis, to the right of a hanging arm, is that of the clip.
    fr_link forearm = role;
    if (role == FR_LINK_RIGHT_UPPER_ARM || role == FR_LINK_LEFT_UPPER_ARM) { forearm = (fr_link)(role + 1); }
    bool is_arm = forearm == FR_LINK_RIGHT_FOREARM || forearm == FR_LINK_LEFT_FOREARM;
    if (!is_arm || r->from->roles[forearm] == FR_NO_LINK) { return lean; }
    fr_vec3 axis = elbow_axis(r, forearm);
    fr_vec3 across = fr_vec3_add_scaled(axis, -fr_vec3_dot(axis, other), other);
    if (fr_vec3_length(across) < 0.5) { return lean; }
    fr_vec3 expected = fr__quat_turn(lean, (fr_vec3){-1.0, 0.0, 0.0});
    double angle = fr_atan2(fr_vec3_dot(fr_vec3_cross(expected, across), other), fr_vec3_dot(expected, across));
    return fr__quat_product(fr_quat_from_axis_angle(other, angle), lean);
}

static fr_status make_followers(retarget *r) {
    fr_quat turns[FR_MAX_LINKS];
    fr_posture rest = {.turns = turns, .count = r->to->link_count};
    rest_posture(r->to, &rest);
    fr_status status = fr_posture_poses(r->input->to, &rest, 1, r->target_poses, r->error);
    if (status == FR_OK) { status = find_reference(r); }
    if (status != FR_OK) { return status; }
    r->facing = facing_of(r->from, r->source_poses);
    for (uint32_t i = 0; i < r->to->link_count; i++) {
        r->followers[i] = (follower){i, FR_NO_LINK, fr_quat_identity()};
    }
    for (uint32_t role = 0; role < FR_BODY_LINK_COUNT; role++) {
        uint32_t link = r->to->roles[role], partner = r->from->roles[role];
        if (link == FR_NO_LINK || partner == FR_NO_LINK) { continue; }
        fr_quat reference = fr__quat_product(lean_to_partner(r, (fr_link)role), r->to->uprights[link]);
        fr_quat back = fr_quat_conjugate(r->source_poses[partner].rotation);
        r->followers[link] = (follower){link, partner, fr__quat_product(back, reference)};
    }
    return FR_OK;
}

static double leg_of(const fr_skeleton_view *view) {
    double thigh = fr_vec3_length(view->offsets[view->roles[FR_LINK_RIGHT_SHIN]]);
    return thigh + fr_vec3_length(view->offsets[view->roles[FR_LINK_RIGHT_FOOT]]);
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

// The posture of the target at a time.
static fr_status follow(retarget *r, double seconds, fr_posture *out) {
    fr_status status = fr_clip_sample(r->input->clip, seconds, &r->source, r->error);
    if (status == FR_OK) { status = fr_posture_poses(r->input->from, &r->source, 1, r->source_poses, r->error); }
    if (status != FR_OK) { return status; }
    fr_quat world[FR_MAX_LINKS];
    for (uint32_t i = 0; i < r->to->link_count; i++) {
        uint32_t partner = r->followers[i].partner, parent = r->to->parents[i];
        if (partner != FR_NO_LINK) {
            world[i] = fr__quat_product(r->source_poses[partner].rotation, r->followers[i].constant);
            out->turns[i] = i == 0 ? world[i] : fr__quat_product(fr_quat_conjugate(world[parent]), world[i]);
        } else {
            out->turns[i] = r->to->rests[i];
            world[i] = i == 0 ? out->turns[i] : fr__quat_product(world[parent], out->turns[i]);
        }
    }
    fr_vec3 middle = midpoint(r->source_poses[r->from->roles[FR_LINK_LEFT_THIGH]].position,
                              r->source_poses[r->from->roles[FR_LINK_RIGHT_THIGH]].position);
    out->place = fr_vec3_sub(fr_vec3_scale(r->ratio, middle), fr__quat_turn(world[0], r->middle_local));
    return FR_OK;
}

// The height of the lowest point of both soles, or of the feet's origins where the skeleton has no soles.
static double lowest_sole(const retarget *r, const fr_posture *posture) {
    static const fr_body_point soles[4] = {FR_POINT_RIGHT_HEEL, FR_POINT_RIGHT_TOE, FR_POINT_LEFT_HEEL,
                                           FR_POINT_LEFT_TOE};
    if (fr_posture_poses(r->input->to, posture, 1, r->target_poses, NULL) != FR_OK) { return 0.0; }
    double low = INFINITY;
    for (int i = 0; i < 4; i++) {
        const fr_link_point *point = &r->to->points[soles[i]];
        if (point->link == FR_NO_LINK) { continue; }
        low = fmin(low, fr_pose_apply(&r->target_poses[point->link], point->offset).y);
    }
    if (low < INFINITY) { return low; }
    return fmin(r->target_poses[r->to->roles[FR_LINK_RIGHT_FOOT]].position.y,
                r->target_poses[r->to->roles[FR_LINK_LEFT_FOOT]].position.y);
}

// The value below which a share of the values lie: the k-th smallest, by halving the range of the values.
static double low_share(const double *values, uint32_t count) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    for (int round = 0; round < 40; round++) {
        double middle = 0.5 * (low + high);
        uint32_t below = 0;
        for (uint32_t i = 0; i < count; i++) {
            below += values[i] < middle;
        }
        if ((uint64_t)below * 100 < (uint64_t)count * SOLE_SHARE) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

typedef struct frames {
    fr_vec3 *places;
    fr_quat *turns;
    double *soles;
    uint32_t count;
} frames;

static fr_status fill(retarget *r, frames *f, double rate) {
    uint32_t links = r->to->link_count;
    for (uint32_t i = 0; i < f->count; i++) {
        fr_posture posture = {.turns = f->turns + (size_t)i * links, .count = links};
        fr_status status = follow(r, r->begin + i / rate, &posture);
        if (status != FR_OK) { return status; }
        f->places[i] = posture.place;
        f->soles[i] = lowest_sole(r, &posture);
    }
    double ground = low_share(f->soles, f->count);
    for (uint32_t i = 0; i < f->count; i++) {
        f->places[i].y -= ground;
    }
    return FR_OK;
}

static fr_status make_clip(retarget *r, frames *f, fr_clip **out) {
    const fr_clip_view *clip = fr_clip_get(r->input->clip);
    double rate = r->input->frame_rate > 0.0 ? r->input->frame_rate : clip->frame_rate;
    const fr_allocator *allocator = &r->input->allocator;
    f->count = 1 + (uint32_t)((clip->duration - r->begin) * rate + 1e-6);
    size_t turns = (size_t)f->count * r->to->link_count;
    f->places = fr_allocate(allocator, f->count, sizeof *f->places, _Alignof(fr_vec3));
    f->turns = fr_allocate(allocator, turns, sizeof *f->turns, _Alignof(fr_quat));
    f->soles = fr_allocate(allocator, f->count, sizeof *f->soles, _Alignof(double));
    fr_status status = FR_OK;
    if (f->places == NULL || f->turns == NULL || f->soles == NULL) {
        status = fr_error_set(r->error, FR_ERROR_MEMORY, "no memory for %u frames", f->count);
    }
    if (status == FR_OK) { status = fill(r, f, rate); }
    if (status == FR_OK) {
        fr_clip_def def = fr_default_clip_def();
        def.name = clip->name;
        def.frame_rate = rate;
        def.frame_count = f->count;
        def.link_count = r->to->link_count;
        def.places = f->places;
        def.turns = f->turns;
        def.allocator = *allocator;
        status = fr_clip_create(&def, out, r->error);
    }
    fr_deallocate(allocator, f->places, f->count, sizeof *f->places);
    fr_deallocate(allocator, f->turns, turns, sizeof *f->turns);
    fr_deallocate(allocator, f->soles, f->count, sizeof *f->soles);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

fr_retarget_input fr_default_retarget_input(void) {
    return (fr_retarget_input){.allocator = fr_default_allocator(), .cookie = RETARGET_COOKIE};
}

static fr_status check(const fr_retarget_input *input, fr_error *error) {
    if (input->cookie != RETARGET_COOKIE) { return fr_error_set_cookie(error, "fr_default_retarget_input"); }
    if (input->from == NULL || input->to == NULL || input->clip == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "retargeting needs two skeletons and a clip");
    }
    if (!(input->frame_rate >= 0.0 && input->frame_rate <= 1000.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%g frames a second are not within 0 .. 1000", input->frame_rate);
    }
    const fr_clip_view *clip = fr_clip_get(input->clip);
    if (clip->link_count > fr_skeleton_get(input->from)->link_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the clip has %u links, its skeleton %u", clip->link_count,
                            fr_skeleton_get(input->from)->link_count);
    }
    if (clip->duration * input->frame_rate >= FR_MAX_CLIP_FRAMES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the result would have over %u frames", FR_MAX_CLIP_FRAMES);
    }
    fr_status status = check_roles(fr_skeleton_get(input->from), "captured", error);
    return status == FR_OK ? check_roles(fr_skeleton_get(input->to), "to move", error) : status;
}

fr_status fr_retarget(const fr_retarget_input *input, fr_clip **out, fr_error *error) {
    *out = NULL;
    fr_status status = check(input, error);
    if (status != FR_OK) { return status; }
    retarget *r = fr_allocate(&input->allocator, 1, sizeof *r, _Alignof(retarget));
    fr_pose *poses = fr_allocate(&input->allocator, 2 * FR_MAX_LINKS, sizeof *poses, _Alignof(fr_pose));
    if (r == NULL || poses == NULL) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for two skeletons");
    } else {
        memset(r, 0, sizeof *r);
        r->input = input;
        r->error = error;
        r->from = fr_skeleton_get(input->from);
        r->to = fr_skeleton_get(input->to);
        r->source = (fr_posture){.turns = r->source_turns, .count = r->from->link_count};
        r->source_poses = poses;
        r->target_poses = poses + FR_MAX_LINKS;
        r->ratio = leg_of(r->to) / fmax(leg_of(r->from), 1e-9);
        r->middle_local = midpoint(r->to->offsets[r->to->roles[FR_LINK_LEFT_THIGH]],
                                   r->to->offsets[r->to->roles[FR_LINK_RIGHT_THIGH]]);
        frames f = {0};
        status = make_followers(r);
        if (status == FR_OK) { status = make_clip(r, &f, out); }
    }
    fr_deallocate(&input->allocator, r, 1, sizeof *r);
    fr_deallocate(&input->allocator, poses, 2 * FR_MAX_LINKS, sizeof *poses);
    return status;
}

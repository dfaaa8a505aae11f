// The posture that a skin is bound in, and the skin of one body scaled to the lengths and the mass of another.
#include "human/figure.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The posture

// Turns of the left side away from upright, in degrees about the axes of the world.
static const struct {
    fr_link link;
    double x, y, z;
} bind_turns[] = {
    {FR_LINK_LEFT_UPPER_ARM, 0.0, 0.0, 32.0}, {FR_LINK_LEFT_THIGH, 0.0, 0.0, 5.0},
    {FR_LINK_LEFT_FOOT, 0.0, 0.0, -5.0},      {FR_LINK_LEFT_THUMB_1, -38.0, 0.0, -14.0},
    {FR_LINK_LEFT_INDEX_1, -4.0, 0.0, 0.0},   {FR_LINK_LEFT_RING_1, 4.0, 0.0, 0.0},
    {FR_LINK_LEFT_LITTLE_1, 9.0, 0.0, 0.0},
};

fr_status fr__figure_bind(const fr_skeleton *skeleton, fr_pose *poses, fr_error *error) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = {.turns = turns, .count = view->link_count};
    fr_status status = fr_posture_rest(skeleton, &posture, error);
    if (status != FR_OK) { return status; }
    for (size_t i = 0; i < sizeof bind_turns / sizeof *bind_turns; i++) {
        fr_vec3 turn =
            fr_vec3_make(fr_radians(bind_turns[i].x), fr_radians(bind_turns[i].y), fr_radians(bind_turns[i].z));
        fr_quat left = fr_quat_from_vector(turn), right = {left.w, left.x, -left.y, -left.z};
        uint32_t link = view->roles[bind_turns[i].link], twin = view->roles[fr__link_twin(bind_turns[i].link)];
        turns[link] = fr_skeleton_turn_from_upright(skeleton, link, left);
        turns[twin] = fr_skeleton_turn_from_upright(skeleton, twin, right);
    }
    posture.place = fr_vec3_make(0.0, view->offsets[0].y, 0.0);
    return fr_posture_poses(skeleton, &posture, 1, poses, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Scaling

// Of a link's frame: along the bone (for feet: forwards), across the body, and forwards (for feet: up).
typedef struct link_scale {
    double along, across, forward;
} link_scale;

static double ratio(double a, double b) { return b > 1e-9 ? a / b : 1.0; }

// How much longer the links of a body are than those of the template.
static void measure(const fr_skeleton_view *view, const fr__figure_work *work, double girth,
                    link_scale scales[FR_LINK_COUNT]) {
    const fr_pose *from = work->template_binds;
    const fr_pose *to = work->binds;
#define JOINT(role) to[view->roles[role]].position
#define LONGER(a, b) ratio(fr_vec3_distance(JOINT(a), JOINT(b)), fr_vec3_distance(from[a].position, from[b].position))
    double shoulders = LONGER(FR_LINK_LEFT_UPPER_ARM, FR_LINK_RIGHT_UPPER_ARM);
    double hips = LONGER(FR_LINK_LEFT_THIGH, FR_LINK_RIGHT_THIGH);
    double trunk = LONGER(FR_LINK_HIP, FR_LINK_HEAD), upper = LONGER(FR_LINK_LEFT_UPPER_ARM, FR_LINK_LEFT_FOREARM);
    double forearm = LONGER(FR_LINK_LEFT_FOREARM, FR_LINK_LEFT_PALM),
           thigh = LONGER(FR_LINK_LEFT_THIGH, FR_LINK_LEFT_SHIN);
    double shin = LONGER(FR_LINK_LEFT_SHIN, FR_LINK_LEFT_FOOT), hand = LONGER(FR_LINK_LEFT_PALM, FR_LINK_LEFT_MIDDLE_1);
#undef LONGER
#undef JOINT
    double head = ratio(fr_vec3_length(view->tips[view->roles[FR_LINK_HEAD]]), 0.23);
    const fr_link_point *toe = &view->points[FR_POINT_LEFT_TOE], *heel = &view->points[FR_POINT_LEFT_HEEL];
    bool has_sole = toe->link != FR_NO_LINK && toe->link == heel->link;
    double foot = has_sole ? (toe->offset.x - heel->offset.x) / 0.24 : shin;
    double ankle = has_sole ? -heel->offset.z / 0.066 : shin;

    for (uint32_t r = 0; r < FR_LINK_COUNT; r++) {
        scales[r] = (link_scale){hand, hand, hand};
    }
    scales[FR_LINK_HIP] = (link_scale){trunk, 0.5 * (hips + girth), girth};
    scales[FR_LINK_CHEST] = (link_scale){trunk, 0.6 * shoulders + 0.4 * girth, girth};
    scales[FR_LINK_HEAD] = (link_scale){head, head, head};
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t arm = side == 0 ? FR_LINK_RIGHT_UPPER_ARM : FR_LINK_LEFT_UPPER_ARM;
        uint32_t leg = side == 0 ? FR_LINK_RIGHT_THIGH : FR_LINK_LEFT_THIGH;
        scales[arm] = (link_scale){upper, girth, girth};
        scales[arm + 1] = (link_scale){forearm, 0.5 * (girth + hand), 0.5 * (girth + hand)};
        scales[leg] = (link_scale){thigh, girth, girth};
        scales[leg + 1] = (link_scale){shin, girth, girth};
        scales[leg + 2] = (link_scale){foot, 0.5 * (girth + foot), ankle};
    }
}

// Each vertex goes where its links take it when they grow, by its weights.
static void warp_points(const fr_skeleton_view *view, const link_scale *scales, fr__figure_work *work) {
    for (uint32_t i = 0; i < work->surface.vertex_count; i++) {
        const fr__figure_vertex *v = &work->vertices[i];
        fr_vec3 sum = fr_vec3_make(0.0, 0.0, 0.0);
        for (int k = 0; k < FR__FIGURE_INFLUENCES; k++) {
            uint32_t role = v->roles[k];
            if (v->weights[k] == 0.0f) { continue; }
            const fr_pose *bind = &work->template_binds[role];
            fr_pose back = {fr_quat_conjugate(bind->rotation), fr_vec3_make(0.0, 0.0, 0.0), 1.0};
            fr_vec3 local = fr_pose_apply(&back, fr_vec3_sub(v->point, bind->position));
            local = fr_vec3_make(scales[role].along * local.x, scales[role].across * local.y,
                                 scales[role].forward * local.z);
            fr_vec3 point = fr_pose_apply(&work->binds[view->roles[role]], local);
            sum = fr_vec3_add_scaled(sum, (double)v->weights[k], point);
        }
        work->warped[i] = sum;
    }
}

static double volume(const fr__figure_work *work) {
    double sum = 0.0;
    for (uint32_t f = 0; f < work->surface.face_count; f++) {
        const uint32_t *c = work->surface.faces[f].corners;
        for (int t = 1; t < 3 && c[t + 1] != FR_NONE; t++) {
            fr_vec3 a = work->warped[c[0]], b = work->warped[c[t]];
            sum += fr_vec3_dot(fr_vec3_cross(a, b), work->warped[c[t + 1]]) / 6.0;
        }
    }
    return sum;
}

void fr__figure_warp(const fr_skeleton_view *skeleton, fr__figure_work *work) {
    const double density = 970.0; // with clothes and hair
    fr_vec3 top = work->binds[skeleton->roles[FR_LINK_HEAD]].position;
    double length = top.y / work->template_binds[FR_LINK_HEAD].position.y, girth = length;
    link_scale scales[FR_LINK_COUNT];
    for (int i = 0; i < 4; i++) {
        measure(skeleton, work, girth, scales);
        warp_points(skeleton, scales, work);
        if (!(skeleton->mass > 0.0) || i == 3) { break; }
        double grow = skeleton->mass / density / volume(work);
        girth *= grow > 0.0 ? sqrt(grow) : 1.0;
        // No thinner and no thicker than what stays without folds.
        girth = girth < 0.7 * length ? 0.7 * length : girth > 1.5 * length ? 1.5 * length : girth;
    }
}

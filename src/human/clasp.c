// Two hands that clasp, as convex pieces: depths are bounded by separating axes, so that a clasp never goes deeper than
// it says.
#include "human/clasp.h"

#include "human/piece_depth.h"
#include "human/posture.h"
#include "human/skill_arm.h"

#include <math.h>

#define DEPTH_MAX 3e-4          // metres that pieces may be in one another
#define GAP_MAX 0.04            // metres of a hand of an arm of usual length
#define AVERAGE_THICKNESS 0.020 // metres, where there is no figure
#define STEPS 24                // of the fingers' closing
#define HALVINGS 12

enum { PIECES = FR__HAND_LINKS + 1 }; // the palm comes last

static fr_link role_of(fr_side side, fr_link right, fr_link left) { return side == FR_RIGHT ? right : left; }

static uint32_t palm_link(const fr_skeleton *skeleton, fr_side side) {
    return fr_skeleton_get(skeleton)->roles[role_of(side, FR_LINK_RIGHT_PALM, FR_LINK_LEFT_PALM)];
}

static uint32_t finger_link(const fr_skeleton *skeleton, fr_side side, uint32_t i) {
    return fr_skeleton_get(skeleton)->roles[role_of(side, FR_LINK_RIGHT_THUMB_1, FR_LINK_LEFT_THUMB_1) + i];
}

fr_vec3 fr__clasp_point(const fr_skeleton *skeleton, fr_side side) {
    const fr_link_point *grip =
        &fr_skeleton_get(skeleton)->points[side == FR_RIGHT ? FR_POINT_RIGHT_GRIP : FR_POINT_LEFT_GRIP];
    return fr_vec3_make(grip->offset.x, 0.0, 0.0);
}

fr_pose fr__clasp_palm(const fr_skeleton *skeleton, fr_side side, const fr_pose *frame, double gap) {
    fr_vec3 fingers = fr__quat_turn(frame->rotation, fr_vec3_make(0.0, 0.0, 1.0));
    fr_vec3 inner = fr__quat_turn(frame->rotation, fr_vec3_make(0.0, 1.0, 0.0));
    fr_pose palm = fr_pose_make(frame->position, fr__palm_turn(side, fingers, inner));
    palm.position = fr_vec3_add_scaled(palm.position, -gap, inner);
    palm.position = fr_vec3_sub(palm.position, fr__quat_turn(palm.rotation, fr__clasp_point(skeleton, side)));
    return palm;
}

// ---------------------------------------------------------------------------------------------------------------
// The pieces of a hand

static const fr_mesh *piece_mesh(const fr_figure *figure, fr_side side, uint32_t i) {
    const fr_figure_view *view = fr_figure_get(figure);
    uint32_t first = side == FR_RIGHT ? 0 : FR__HAND_LINKS;
    if (i < FR__HAND_LINKS) { return view->phalanxes[first + i].mesh; }
    uint32_t palm = palm_link(view->skeleton, side);
    for (uint32_t k = 0; k < FR_FIGURE_PROXY_COUNT; k++) {
        if (view->proxies[k].link == palm) { return view->proxies[k].mesh; } // the palm comes before its fingers
    }
    return view->proxies[0].mesh;
}

// Where the links of a hand are in the palm's frame.
static void hand_poses(const fr_skeleton *skeleton, fr_side side, const fr_quat *turns, fr_pose poses[PIECES]) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    poses[FR__HAND_LINKS] = fr_pose_identity();
    for (uint32_t i = 0; i < FR__HAND_LINKS; i++) {
        uint32_t link = finger_link(skeleton, side, i);
        bool is_first = view->parents[link] == palm_link(skeleton, side);
        const fr_pose *parent = is_first ? &poses[FR__HAND_LINKS] : &poses[i - 1];
        fr_pose own = fr_pose_make(view->offsets[link], turns[i]);
        poses[i] = fr_pose_compose(parent, &own);
    }
}

// Fingers at a part of their closing: the outer joints bend, where they are past the edge of the other hand.
static void bend_fingers(const fr_skeleton *skeleton, fr_side side, double part, fr_quat turns[FR__HAND_LINKS]) {
    static const double bends_deg[FR__HAND_LINKS] = {0, 0, 0, 60, 45, 0, 62, 45, 0, 64, 45, 0, 62, 45};
    double sign = side == FR_RIGHT ? 1.0 : -1.0;
    for (uint32_t i = 0; i < FR__HAND_LINKS; i++) {
        uint32_t link = finger_link(skeleton, side, i);
        fr_quat bend = fr__quat_about(2, sign * part * fr_radians(bends_deg[i]));
        turns[i] = fr__quat_product(fr_skeleton_get(skeleton)->rests[link], bend);
        turns[i] = fr_skeleton_clamp(skeleton, link, turns[i]);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Depth of two convex pieces

typedef struct hand_piece {
    const fr_mesh *mesh;
    fr_pose pose; // with a scale
} hand_piece;

// The least overlap of two pieces along the normals of the first one's faces; it ends where they are apart enough.
static double overlap(const hand_piece *a, const hand_piece *b, double enough) {
    const fr_mesh_view *faces = fr_mesh_get(a->mesh), *corners = fr_mesh_get(b->mesh);
    fr_pose to_a = fr_pose_inverse(&a->pose), b_to_a = fr_pose_compose(&to_a, &b->pose);
    fr_pose a_to_b = fr_pose_inverse(&b_to_a);
    double least = INFINITY;
    for (uint32_t i = 0; i < faces->triangle_count && least > enough; i++) {
        fr_vec3 c[3];
        fr_mesh_corners(a->mesh, i, c);
        fr_vec3 cross = fr_vec3_cross(fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[0]));
        double length = fr_vec3_length(cross);
        if (!(length > 1e-12)) { continue; }
        fr_vec3 normal = fr_vec3_scale(1.0 / length, cross), turned = fr__quat_turn(a_to_b.rotation, normal);
        double lowest = INFINITY;
        for (uint32_t k = 0; k < corners->vertex_count; k++) {
            lowest = fmin(lowest, fr_vec3_dot(turned, fr__piece_corner(corners, k)));
        }
        double height = b_to_a.scale * lowest + fr_vec3_dot(normal, fr_vec3_sub(b_to_a.position, c[0]));
        least = fmin(least, -height * a->pose.scale);
    }
    return least;
}

static double reach_of(const hand_piece *p) { return fr_mesh_get(p->mesh)->largest * 1.7320508 * p->pose.scale; }

static bool is_deep(const hand_piece *a, const hand_piece *b) {
    if (fr_vec3_distance(a->pose.position, b->pose.position) > reach_of(a) + reach_of(b)) { return false; }
    return overlap(a, b, DEPTH_MAX) > DEPTH_MAX && overlap(b, a, DEPTH_MAX) > DEPTH_MAX;
}

// Whether the hand and its partner, both with these fingers and this gap, are too deep in one another.
static bool are_deep(const fr_figure *figure, fr_side side, double ratio, double gap, const fr_quat *turns) {
    const fr_skeleton *skeleton = fr_figure_get(figure)->skeleton;
    double pitch = fr_radians(FR__CLASP_PITCH_DEG), sign = side == FR_RIGHT ? -1.0 : 1.0;
    fr_vec3 fingers = fr_vec3_make(fr_cos(pitch), -fr_sin(pitch), 0.0), inner = fr_vec3_make(0.0, 0.0, sign);
    const fr_mat3 axes = fr_mat3_transpose((fr_mat3){{fr_vec3_cross(inner, fingers), inner, fingers}});
    fr_pose frame = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), fr_quat_from_mat3(axes));
    fr_pose own = fr__clasp_palm(skeleton, side, &frame, gap), other = own;
    fr_quat half = fr__quat_about(1, FR_PI);
    other.rotation = fr__quat_product(half, own.rotation);
    other.position = fr_vec3_scale(ratio, fr__quat_turn(half, own.position));
    other.scale = ratio;
    fr_pose poses[PIECES];
    hand_poses(skeleton, side, turns, poses);
    for (uint32_t i = 0; i < PIECES; i++) {
        const hand_piece a = {piece_mesh(figure, side, i), fr_pose_compose(&own, &poses[i])};
        for (uint32_t k = 0; k < PIECES; k++) {
            const hand_piece b = {piece_mesh(figure, side, k), fr_pose_compose(&other, &poses[k])};
            if (is_deep(&a, &b)) { return true; }
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// The clasp

static double arm_scale(const fr_skeleton *skeleton, fr_side side) {
    return fr_vec3_length(fr__clasp_point(skeleton, side)) / 0.08;
}

double fr__clasp_thickness(const fr_skeleton *skeleton, const fr_figure *figure, fr_side side) {
    double thickness = 0.0;
    if (figure == NULL) { return AVERAGE_THICKNESS * arm_scale(skeleton, side); }
    fr_quat turns[FR__HAND_LINKS];
    fr_pose poses[PIECES];
    bend_fingers(skeleton, side, 0.0, turns);
    hand_poses(skeleton, side, turns, poses);
    for (uint32_t i = 0; i < PIECES; i++) {
        const fr_mesh_view *mesh = fr_mesh_get(piece_mesh(figure, side, i));
        for (uint32_t k = 0; k < mesh->vertex_count; k++) {
            double y = fr_pose_apply(&poses[i], fr__piece_corner(mesh, k)).y;
            thickness = fmax(thickness, side == FR_RIGHT ? -y : y);
        }
    }
    return thickness;
}

void fr__clasp_find(const fr_skeleton *skeleton, const fr_figure *figure, fr_side side, double ratio, fr__clasp *out) {
    bend_fingers(skeleton, side, 0.0, out->fingers);
    out->gap = fr__clasp_thickness(skeleton, figure, side);
    if (figure == NULL) { return; }

    // Stage 1: the palms come together with stretched fingers.
    double low = 0.0, high = GAP_MAX * arm_scale(skeleton, side);
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        bool is_too_near = are_deep(figure, side, ratio, middle, out->fingers);
        low = is_too_near ? middle : low;
        high = is_too_near ? high : middle;
    }
    out->gap = high;

    // Stage 2: the fingers close until they touch.
    for (int i = 1; i <= STEPS; i++) {
        fr_quat turns[FR__HAND_LINKS];
        bend_fingers(skeleton, side, (double)i / STEPS, turns);
        if (are_deep(figure, side, ratio, out->gap, turns)) { return; }
        for (uint32_t k = 0; k < FR__HAND_LINKS; k++) {
            out->fingers[k] = turns[k];
        }
    }
}

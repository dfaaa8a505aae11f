// A hand that closes on real faces: each joint turns with the phalanges beyond it until one of them touches.
#include "human/grip.h"

#include "fureai/collide.h"
#include "posture.h"

#include <math.h>
#include <string.h>

#define GRIP_COOKIE 0x47524950u
#define GAP_MAX 0.01
#define THUMB_STEPS 24    // in which the thumb looks for the fingers
#define HALVINGS 8        // by which the place where it meets them is found
#define TOUCH_MARGIN 8e-4 // metres: what is nearer is touched
#define PALM_MARGIN 0.010 // likewise for the palm, whose skin yields
#define OPPOSED -0.2      // cosine between the directions of two touches that hold something
#define POINTS_MAX 64

typedef struct hand {
    const fr_grip_input *input;
    const fr_skeleton_view *view;
    const fr_figure_view *figure;
    fr_posture *posture;
    uint32_t thumb; // role of its first link
    uint32_t first; // phalanx of the figure
    double sign;    // of flexion about z
    fr_grip_output *output;
    fr_status status;
    fr_error *error;
} hand;

fr_grip_input fr_default_grip_input(void) { return (fr_grip_input){.gap = 2e-4, .cookie = GRIP_COOKIE}; }

static fr_status check(const fr_grip_input *input, const fr_posture *posture, fr_error *error) {
    if (input->cookie != GRIP_COOKIE) { return fr_error_set_cookie(error, "fr_default_grip_input"); }
    if (input->skeleton == NULL || input->figure == NULL || input->posture == NULL || input->space == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a grip needs a skeleton, a figure, a posture and a space");
    }
    if (fr_figure_get(input->figure)->skeleton != input->skeleton) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the figure is of another skeleton");
    }
    if (!(input->gap >= 0.0) || input->gap > GAP_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a gap of %g m is not within 0 .. %g", input->gap, GAP_MAX);
    }
    uint32_t links = fr_skeleton_get(input->skeleton)->link_count;
    fr_status status = fr__posture_check_count(input->posture, links, error);
    return status == FR_OK ? fr__posture_check_count(posture, links, error) : status;
}

static uint32_t link_of(const hand *h, uint32_t phalanx) { return h->view->roles[h->thumb + phalanx]; }

// Phalanges of the finger that a phalanx belongs to, up to and without this one.
static uint32_t finger_end(uint32_t phalanx) { return phalanx < 2 ? 2 : 2 + 3 * ((phalanx - 2) / 3 + 1); }

// ---------------------------------------------------------------------------------------------------------------
// What a phalanx meets

static bool move(hand *h, const fr_mesh *mesh, const fr_motion *motion, double margin, fr_move_output *output) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_move_input input = fr_default_move_input();
    input.space = h->input->space;
    input.parts = &part;
    input.part_count = 1;
    input.motion = *motion;
    input.margin = margin;
    input.filter = h->input->filter;
    h->status = fr_collide_move(&input, output, h->error);
    return h->status == FR_OK && output->is_hit;
}

static bool touches(hand *h, const fr_figure_proxy *piece, double margin, fr_move_output *output) {
    fr_pose pose = fr__link_pose(h->view, h->posture, piece->link);
    fr_motion still = fr_motion_still(&pose);
    return move(h, piece->mesh, &still, margin, output);
}

// The part of a turn of one joint that all phalanges beyond it do without a touch.
static double free_part(hand *h, uint32_t phalanx, fr_vec3 axis_local, double angle) {
    fr_pose joint = fr__link_pose(h->view, h->posture, link_of(h, phalanx));
    fr_vec3 turn = fr_vec3_scale(angle, fr__quat_turn(joint.rotation, axis_local));
    double part = 1.0;
    for (uint32_t i = phalanx; i < finger_end(phalanx) && h->status == FR_OK; i++) {
        fr_pose pose = fr__link_pose(h->view, h->posture, link_of(h, i));
        fr_motion motion = fr_motion_still(&pose);
        fr_vec3 apart = fr_vec3_sub(joint.position, pose.position);
        motion.pivot_local = fr__quat_turn(fr_quat_conjugate(pose.rotation), apart);
        motion.turn = turn;
        fr_move_output output;
        if (!move(h, h->figure->phalanxes[h->first + i].mesh, &motion, h->input->gap, &output)) { continue; }
        if (output.free_time < part) { part = output.free_time; }
        if (h->output->object.index1 == 0) { h->output->object = output.first.b; }
    }
    return part;
}

// ---------------------------------------------------------------------------------------------------------------
// Fingers and thumb

// How far a joint flexes at most.
static double flexion_max(const hand *h, uint32_t phalanx) {
    const fr_limit *limit = &h->view->limits[link_of(h, phalanx)];
    int i = limit->kind == FR_LIMIT_AXES ? 2 : 0;
    if (limit->kind == FR_LIMIT_NONE) { return 1.5; }
    return h->sign > 0.0 ? limit->max[i] : -limit->min[i];
}

static void bend(hand *h, uint32_t phalanx, double angle) {
    uint32_t link = link_of(h, phalanx);
    fr_quat turn = fr_quat_from_vector(fr_vec3_make(0.0, 0.0, h->sign * angle));
    h->posture->turns[link] = fr__quat_product(h->posture->turns[link], turn);
}

static void open_hand(hand *h) {
    for (uint32_t i = 0; i < FR__HAND_LINKS; i++) {
        h->posture->turns[link_of(h, i)] = h->view->rests[link_of(h, i)];
    }
    uint32_t base = link_of(h, 0);
    fr_quat towards = fr__thumb_towards_fingers(h->input->side);
    h->posture->turns[base] = fr__quat_product(towards, h->posture->turns[base]);
}

static void close_joint(hand *h, uint32_t phalanx, double most) {
    const fr_vec3 axis = {0.0, 0.0, h->sign};
    double angle = most * free_part(h, phalanx, axis, most);
    if (h->status == FR_OK && angle > 0.0) { bend(h, phalanx, angle); }
}

static size_t points_of(const hand *h, uint32_t phalanx, fr_vec3 points[POINTS_MAX]) {
    const fr_mesh_view *mesh = fr_mesh_get(h->figure->phalanxes[h->first + phalanx].mesh);
    fr_pose pose = fr__link_pose(h->view, h->posture, link_of(h, phalanx));
    size_t count = 0;
    for (uint32_t i = 0; i < mesh->triangle_count && count + 3 <= POINTS_MAX; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(h->figure->phalanxes[h->first + phalanx].mesh, i, corners);
        for (int k = 0; k < 3; k++) {
            fr_vec3 point = fr_pose_apply(&pose, corners[k]);
            bool is_new = true;
            for (size_t j = 0; j < count && is_new; j++) {
                is_new = !fr_vec3_equal(point, points[j]);
            }
            if (is_new) { points[count++] = point; }
        }
    }
    return count;
}

// Whether a phalanx of the thumb is in one of the fingers' two outer phalanges.
static bool meets_fingers(const hand *h) {
    fr_vec3 a[POINTS_MAX], b[POINTS_MAX];
    for (uint32_t i = 0; i < 2; i++) {
        fr_convex thumb = {a, points_of(h, i, a), 0.5 * h->input->gap};
        for (uint32_t k = 2; k < FR__HAND_LINKS; k++) {
            if ((k - 2) % 3 == 0) { continue; }
            fr_convex finger = {b, points_of(h, k, b), 0.5 * h->input->gap};
            if (fr_gjk(&thumb, &finger, (fr_vec3){0.0, 0.0, 0.0}).distance <= 0.0) { return true; }
        }
    }
    return false;
}

// Flexes a joint of the thumb until it touches an object or a finger.
static void close_thumb(hand *h, uint32_t phalanx) {
    const fr_vec3 axis = {0.0, 0.0, h->sign};
    double most = flexion_max(h, phalanx);
    double angle = most * free_part(h, phalanx, axis, most);
    if (h->status != FR_OK || !(angle > 0.0) || meets_fingers(h)) { return; }
    fr_quat before = h->posture->turns[link_of(h, phalanx)];
    double clear = 0.0, meeting = angle;
    bool is_met = false;
    for (int i = 1; i <= THUMB_STEPS && !is_met; i++) {
        h->posture->turns[link_of(h, phalanx)] = before;
        bend(h, phalanx, angle * i / THUMB_STEPS);
        is_met = meets_fingers(h);
        *(is_met ? &meeting : &clear) = angle * i / THUMB_STEPS;
    }
    for (int i = 0; i < HALVINGS && is_met; i++) {
        double middle = 0.5 * (clear + meeting);
        h->posture->turns[link_of(h, phalanx)] = before;
        bend(h, phalanx, middle);
        *(meets_fingers(h) ? &meeting : &clear) = middle;
    }
    h->posture->turns[link_of(h, phalanx)] = before;
    bend(h, phalanx, clear);
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

// The direction from the middle of a piece to the nearest point of what it may touch.
static fr_vec3 direction_of(const hand *h, const fr_figure_proxy *piece) {
    const fr_vec3 none = {0.0, 0.0, 0.0};
    fr_pose pose = fr__link_pose(h->view, h->posture, piece->link);
    fr_vec3 middle = fr_pose_apply(&pose, fr_bounds_center(&fr_mesh_get(piece->mesh)->bounds));
    fr_space_closest closest;
    if (fr_space_closest_point(h->input->space, middle, INFINITY, false, h->input->filter, &closest, NULL) != FR_OK) {
        return none;
    }
    return closest.object.index1 == 0 ? none : fr_vec3_unit(fr_vec3_sub(closest.point, middle), none);
}

// Which pieces touch, and whether two of them do so from opposite sides.
static void judge(hand *h) {
    uint32_t palm = h->thumb == FR_LINK_RIGHT_THUMB_1 ? FR_LINK_RIGHT_PALM : FR_LINK_LEFT_PALM, count = 0;
    fr_vec3 directions[FR__HAND_LINKS + 1];
    bool is_held = false;
    for (uint32_t i = 0; i <= FR__HAND_LINKS && h->status == FR_OK; i++) {
        bool is_palm = i == FR__HAND_LINKS;
        const fr_figure_proxy *piece = is_palm ? &h->figure->proxies[palm] : &h->figure->phalanxes[h->first + i];
        fr_move_output output;
        if (!touches(h, piece, is_palm ? PALM_MARGIN : h->input->gap + TOUCH_MARGIN, &output)) { continue; }
        h->output->touching |= 1u << i;
        directions[count] = direction_of(h, piece);
        for (uint32_t k = 0; k < count; k++) {
            is_held = is_held || fr_vec3_dot(directions[k], directions[count]) < OPPOSED;
        }
        count++;
    }
    h->output->result = is_held ? FR_GRIP_HELD : count == 0 ? FR_GRIP_NOTHING : FR_GRIP_TOO_BIG;
}

// The first piece of the open hand that is in something.
static bool is_inside(hand *h) {
    for (uint32_t i = 0; i < FR__HAND_LINKS && h->status == FR_OK; i++) {
        fr_move_output output;
        if (!touches(h, &h->figure->phalanxes[h->first + i], 0.0, &output)) { continue; }
        h->output->result = FR_GRIP_INSIDE;
        h->output->link = link_of(h, i);
        h->output->object = output.first.b;
        return true;
    }
    return false;
}

fr_status fr_grip_close(const fr_grip_input *input, fr_posture *posture, fr_grip_output *output, fr_error *error) {
    *output = (fr_grip_output){.result = FR_GRIP_NOTHING, .link = FR_NO_LINK};
    fr_status status = check(input, posture, error);
    if (status != FR_OK) { return status; }
    bool is_right = input->side == FR_RIGHT;
    hand h = {.input = input, .posture = posture, .output = output, .error = error, .status = FR_OK};
    h.view = fr_skeleton_get(input->skeleton);
    h.figure = fr_figure_get(input->figure);
    h.thumb = is_right ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1;
    h.first = is_right ? 0 : FR__HAND_LINKS;
    h.sign = is_right ? 1.0 : -1.0;
    if (posture->turns != input->posture->turns) { (void)fr_posture_copy(input->posture, posture, NULL); }
    open_hand(&h);
    if (!is_inside(&h) && h.status == FR_OK) {
        for (uint32_t finger = 0; finger < 4; finger++) {
            for (uint32_t joint = 0; joint < 3; joint++) {
                uint32_t phalanx = 2 + 3 * finger + joint;
                close_joint(&h, phalanx, flexion_max(&h, phalanx));
            }
        }
        close_thumb(&h, 0);
        close_thumb(&h, 1);
        judge(&h);
    }
    return h.status;
}

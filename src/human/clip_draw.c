// The picture of a clip: postures side by side from the front and from the side, the ground from above with foot prints
// and the paths of the palms, and the speeds of all joints over time. Everything lies in the plane z = 0, to be seen
// from +Z.
#include "fureai/human_files.h"
#include "posture.h"

#include <math.h>
#include <stdio.h>

#define POSTURES 12u
#define SPACING 0.9  // metres between postures
#define NOSE 0.16    // metres that the line goes before the head which shows where a face looks
#define FRONT 2.1    // height of the ground of the postures seen from the front
#define GROUND -1.75 // height of the middle of the ground seen from above
#define DEPTH 0.75   // half of what it may take
#define SPEEDS -5.0  // height of the axis of the speeds
#define TALL 1.8     // height of the fastest
#define SAMPLES 600u // of paths and speeds at most

static const fr_color dark = {50, 55, 65, 255}, pale = {190, 195, 200, 255};
static const fr_color right_color = {200, 60, 50, 255}, left_color = {45, 95, 200, 255};

static void line(const fr_draw *draw, double x, double y, double to_x, double to_y, fr_color color, double width) {
    const double points[6] = {x, y, 0.0, to_x, to_y, 0.0};
    fr_draw_lines(draw, points, 1, color, width);
}

static void label(const fr_draw *draw, double x, double y, const char *text) {
    const double point[3] = {x, y, 0.0};
    fr_draw_text(draw, point, text, dark, 9.0);
}

// The side of a link, by its nearest ancestor with a role.
static fr_color color_of(const fr_skeleton_view *view, uint32_t link) {
    for (; link != FR_NO_LINK; link = view->parents[link]) {
        for (uint32_t role = 0; role < FR_LINK_COUNT; role++) {
            if (view->roles[role] != link) { continue; }
            bool is_right = (role >= FR_LINK_RIGHT_UPPER_ARM && role <= FR_LINK_RIGHT_PALM) ||
                            (role >= FR_LINK_RIGHT_THIGH && role <= FR_LINK_RIGHT_FOOT) ||
                            (role >= FR_LINK_RIGHT_THUMB_1 && role <= FR_LINK_RIGHT_LITTLE_3);
            return role <= FR_LINK_HEAD ? dark : is_right ? right_color : left_color;
        }
    }
    return dark;
}

// ---------------------------------------------------------------------------------------------------------------
// Postures

// Sine and cosine of where a posture looks, from the line between the hip joints; the world's +Z without them.
static void facing_of(const fr_skeleton_view *view, const fr_pose *poses, double *x, double *z) {
    uint32_t left = view->roles[FR_LINK_LEFT_THIGH], right = view->roles[FR_LINK_RIGHT_THIGH];
    *x = 0.0;
    *z = 1.0;
    if (left == FR_NO_LINK || right == FR_NO_LINK) { return; }
    fr_vec3 across = fr_vec3_sub(poses[left].position, poses[right].position);
    double length = sqrt(across.x * across.x + across.z * across.z);
    if (!(length > 0.0)) { return; }
    *x = -across.z / length;
    *z = across.x / length;
}

// From the middle of the head to the front of it: where the face looks. False for a skeleton without a head.
static bool find_nose(const fr_skeleton_view *view, const fr_pose *poses, fr_vec3 ends[2]) {
    uint32_t head = view->roles[FR_LINK_HEAD];
    if (head == FR_NO_LINK) { return false; }
    fr_quat away = fr__quat_product(poses[head].rotation, fr_quat_conjugate(view->uprights[head]));
    ends[0] = fr_pose_apply(&poses[head], fr_vec3_scale(0.5, view->tips[head]));
    ends[1] = fr_vec3_add_scaled(ends[0], NOSE, fr__quat_turn(away, (fr_vec3){0.0, 0.0, 1.0}));
    return true;
}

// A posture at a place of the picture, its ground at a height: from its right side, or from the front.
static void draw_posture(const fr_draw *draw, const fr_skeleton_view *view, const fr_posture *posture,
                         const fr_pose *poses, double at, bool is_front) {
    double x, z, up = is_front ? FRONT : 0.0;
    facing_of(view, poses, &x, &z);
    if (is_front) {
        double forward = x;
        x = z;
        z = -forward;
    }
    for (uint32_t i = 0; i < view->link_count; i++) {
        // Fingers come as lines too; the last bone of a limb leads to its tip.
        fr_vec3 tip = fr_pose_apply(&poses[i], view->tips[i]);
        fr_vec3 from = poses[i].position, ends[2] = {tip, from};
        if (i > 0) { ends[1] = poses[view->parents[i]].position; }
        for (int k = 0; k < 2; k++) {
            fr_vec3 a = fr_vec3_sub(from, posture->place), b = fr_vec3_sub(ends[k], posture->place);
            line(draw, at + x * a.x + z * a.z, up + from.y, at + x * b.x + z * b.z, up + ends[k].y, color_of(view, i),
                 2.0);
        }
    }
    fr_vec3 nose[2];
    if (!find_nose(view, poses, nose)) { return; }
    fr_vec3 a = fr_vec3_sub(nose[0], posture->place), b = fr_vec3_sub(nose[1], posture->place);
    line(draw, at + x * a.x + z * a.z, up + nose[0].y, at + x * b.x + z * b.z, up + nose[1].y, dark, 2.0);
}

// ---------------------------------------------------------------------------------------------------------------
// Ground and speeds

// The part of the world's plane that is shown, and its scale.
typedef struct ground_map {
    double x, z, scale;
} ground_map;

static void follow_path(const fr_draw *draw, const ground_map *map, fr_vec3 from, fr_vec3 to, fr_color color,
                        double width) {
    double middle = 0.5 * SPACING * (POSTURES - 1);
    line(draw, middle + map->scale * (from.z - map->z), GROUND + map->scale * (from.x - map->x),
         middle + map->scale * (to.z - map->z), GROUND + map->scale * (to.x - map->x), color, width);
}

static fr_status map_ground(const fr_clip *clip, fr_posture *posture, ground_map *map, fr_error *error) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    uint32_t frames = fr_clip_get(clip)->frame_count;
    for (uint32_t i = 0; i < frames; i += 1 + frames / SAMPLES) {
        fr_status status = fr_clip_frame(clip, i, posture, error);
        if (status != FR_OK) { return status; }
        low[0] = fmin(low[0], posture->place.x);
        high[0] = fmax(high[0], posture->place.x);
        low[1] = fmin(low[1], posture->place.z);
        high[1] = fmax(high[1], posture->place.z);
    }
    map->x = 0.5 * (low[0] + high[0]);
    map->z = 0.5 * (low[1] + high[1]);
    double width = SPACING * (POSTURES - 1) / (high[1] - low[1] + 1.6), height = 2.0 * DEPTH / (high[0] - low[0] + 1.6);
    map->scale = fmin(fmin(width, height), 2.0);
    return FR_OK;
}

// What lies on the ground between two samples: the paths of hip and palms, and soles that stand.
static void draw_ground(const fr_draw *draw, const ground_map *map, const fr_skeleton_view *view,
                        const fr_posture *posture, const fr_pose *last, const fr_pose *poses) {
    static const fr_link palms[2] = {FR_LINK_LEFT_PALM, FR_LINK_RIGHT_PALM};
    static const fr_body_point heels[2] = {FR_POINT_LEFT_HEEL, FR_POINT_RIGHT_HEEL};
    follow_path(draw, map, last[0].position, poses[0].position, dark, 1.0);
    for (int i = 0; i < 2; i++) {
        fr_color color = i == 0 ? left_color : right_color;
        uint32_t palm = view->roles[palms[i]];
        if (palm != FR_NO_LINK) { follow_path(draw, map, last[palm].position, poses[palm].position, color, 1.0); }
        const fr_link_point *heel = &view->points[heels[i]], *toe = &view->points[heels[i] + 1];
        uint8_t bits = i == 0 ? posture->contact_left : posture->contact_right;
        if (heel->link == FR_NO_LINK || bits == 0) { continue; }
        follow_path(draw, map, fr_pose_apply(&poses[heel->link], heel->offset),
                    fr_pose_apply(&poses[toe->link], toe->offset), color, 4.0);
    }
}

static double speed_between(fr_quat a, fr_quat b, double seconds) {
    return fr_vec3_length(fr_quat_to_vector(fr__quat_product(fr_quat_conjugate(a), b))) / seconds;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static fr_status draw_strip(const fr_skeleton *skeleton, const fr_clip *clip, fr_posture *posture, fr_pose *poses,
                            const fr_draw *draw, fr_error *error) {
    const fr_clip_view *view = fr_clip_get(clip);
    line(draw, -0.5 * SPACING, 0.0, SPACING * (POSTURES - 0.5), 0.0, pale, 1.0);
    line(draw, -0.5 * SPACING, FRONT, SPACING * (POSTURES - 0.5), FRONT, pale, 1.0);
    for (uint32_t i = 0; i < POSTURES; i++) {
        double seconds = view->duration * i / (POSTURES - 1);
        fr_status status = fr_clip_sample(clip, seconds, posture, error);
        if (status == FR_OK) { status = fr_posture_poses(skeleton, posture, 1, poses, error); }
        if (status != FR_OK) { return status; }
        draw_posture(draw, fr_skeleton_get(skeleton), posture, poses, SPACING * i, true);
        draw_posture(draw, fr_skeleton_get(skeleton), posture, poses, SPACING * i, false);
        char text[32];
        snprintf(text, sizeof text, "%.2f s", seconds);
        label(draw, SPACING * i - 0.2, -0.25, text);
    }
    return FR_OK;
}

static void draw_axes(const fr_draw *draw, double fastest, double duration) {
    char text[64];
    double width = SPACING * (POSTURES - 1);
    line(draw, 0.0, SPEEDS, width, SPEEDS, pale, 1.0);
    line(draw, 0.0, SPEEDS, 0.0, SPEEDS + TALL, pale, 1.0);
    snprintf(text, sizeof text, "%.1f rad/s", fastest);
    label(draw, 0.1, SPEEDS + TALL, text);
    snprintf(text, sizeof text, "%.2f s", duration);
    label(draw, width - 0.3, SPEEDS - 0.25, text);
    label(draw, 0.0, GROUND + DEPTH + 0.15, "from above: hip, palms, soles that stand");
    label(draw, 0.0, SPEEDS + TALL + 0.3, "speeds of the joints");
}

// Two postures of a clip that are shown one after the other, and what the picture is scaled by.
typedef struct shown_pair {
    fr_posture postures[2];
    fr_quat turns[2][FR_MAX_LINKS / 2];
    fr_pose poses[2][FR_MAX_LINKS / 2];
    double speeds[FR_MAX_LINKS / 2]; // of the step before
    double fastest;
    ground_map map;
} shown_pair;

// The step to sample `sample` from the one before: finds the fastest joint, or draws.
static void take_step(const fr_draw *draw, const fr_skeleton_view *view, shown_pair *pair, uint32_t sample,
                      double seconds, double width, bool is_drawn) {
    uint32_t now = sample % 2;
    for (uint32_t k = 0; k < view->link_count; k++) {
        double speed = speed_between(pair->turns[1 - now][k], pair->turns[now][k], seconds);
        pair->fastest = fmax(pair->fastest, speed);
        if (is_drawn && sample > 1) {
            double scale = TALL / fmax(pair->fastest, 1e-9);
            line(draw, width * (sample - 1.5), SPEEDS + scale * pair->speeds[k], width * (sample - 0.5),
                 SPEEDS + scale * speed, color_of(view, k), 1.0);
        }
        pair->speeds[k] = speed;
    }
    if (is_drawn) { draw_ground(draw, &pair->map, view, &pair->postures[now], pair->poses[1 - now], pair->poses[now]); }
}

// All samples in order.
static fr_status pass_over(const fr_skeleton *skeleton, const fr_clip *clip, const fr_draw *draw, shown_pair *pair,
                           bool is_drawn, fr_error *error) {
    const fr_clip_view *motion = fr_clip_get(clip);
    uint32_t stride = 1 + motion->frame_count / SAMPLES;
    double width = SPACING * (POSTURES - 1) / fmax(1.0, (motion->frame_count - 1.0) / stride);
    for (uint32_t sample = 0; sample * stride < motion->frame_count; sample++) {
        uint32_t now = sample % 2;
        fr_status status = fr_clip_frame(clip, sample * stride, &pair->postures[now], error);
        if (status == FR_OK) { status = fr_posture_poses(skeleton, &pair->postures[now], 1, pair->poses[now], error); }
        if (status != FR_OK) { return status; }
        if (sample == 0) { continue; }
        take_step(draw, fr_skeleton_get(skeleton), pair, sample, stride / motion->frame_rate, width, is_drawn);
    }
    return FR_OK;
}

fr_status fr_clip_draw(const fr_skeleton *skeleton, const fr_clip *clip, const fr_draw *draw, fr_error *error) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    const fr_clip_view *motion = fr_clip_get(clip);
    if (motion->link_count > view->link_count || view->link_count > FR_MAX_LINKS / 2) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a skeleton of %u links does not fit a clip of %u, or is over %u",
                            view->link_count, motion->link_count, FR_MAX_LINKS / 2);
    }
    shown_pair pair = {.fastest = 0.0};
    for (int i = 0; i < 2; i++) {
        pair.postures[i] = (fr_posture){.turns = pair.turns[i], .count = view->link_count};
    }
    fr_status status = draw_strip(skeleton, clip, &pair.postures[0], pair.poses[0], draw, error);
    if (status == FR_OK) { status = map_ground(clip, &pair.postures[0], &pair.map, error); }
    if (status == FR_OK) { status = pass_over(skeleton, clip, draw, &pair, false, error); }
    if (status == FR_OK) { status = pass_over(skeleton, clip, draw, &pair, true, error); }
    if (status == FR_OK) { draw_axes(draw, pair.fastest, motion->duration); }
    return status;
}

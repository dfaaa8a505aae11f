// Proxies of how natural a film of the demonstration looks, row by row.
#include "demonstration.h"

#include <math.h>
#include <string.h>

#define LINKS FR_LINK_COUNT
#define UPRIGHT_ANGLE 0.09 // radians that a joint of an upright body may differ
#define STILL 0.05         // metres a second
#define SHORTEST 0.0005    // metres a frame: a wrist that is slower has no direction

static double angle_between(fr_quat a, fr_quat b) {
    return fr_vec3_length(fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(a), b)));
}

static double largest(double a, double b) { return a > b ? a : b; }

static const fr_quat *turns_of(const demonstration_film *film, uint32_t frame) {
    return film->turns + (size_t)frame * LINKS;
}

static double jump_at(const demonstration_film *film, uint32_t frame) {
    double jump = 0.0;
    if (frame < 2) { return jump; }
    const fr_quat *a = turns_of(film, frame - 2), *b = turns_of(film, frame - 1), *c = turns_of(film, frame);
    for (uint32_t i = 1; i < LINKS; i++) {
        fr_vec3 first = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(a[i]), b[i]));
        fr_vec3 second = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(b[i]), c[i]));
        jump = largest(jump, DEMONSTRATION_RATE * fr_vec3_distance(first, second));
    }
    return jump;
}

static bool is_upright(const demonstration_film *film, uint32_t frame, const fr_quat *upright) {
    const fr_quat *now = turns_of(film, frame);
    if (frame == 0) { return false; }
    double speed = DEMONSTRATION_RATE * fr_vec3_distance(film->places[frame - 1], film->places[frame]);
    bool is_so = speed < STILL;
    for (uint32_t i = FR_LINK_CHEST; is_so && i < FR_BODY_LINK_COUNT; i++) {
        bool is_cup_arm = i >= FR_LINK_RIGHT_UPPER_ARM && i <= FR_LINK_RIGHT_PALM;
        is_so = is_cup_arm || angle_between(now[i], upright[i]) < UPRIGHT_ANGLE;
    }
    return is_so;
}

// What is followed from frame to frame.
typedef struct tracker {
    fr_pose poses[LINKS];
    fr_vec3 planted[4], wrists[2], directions[2];
    bool stands[4], has_direction[2];
    double lengths[DEMONSTRATION_ROWS][2], turnings[DEMONSTRATION_ROWS][2];
} tracker;

static double slide_at(tracker *t, const fr_skeleton_view *view, const uint8_t contacts[2]) {
    double slide = 0.0;
    for (int i = 0; i < 4; i++) {
        const fr_link_point *point = &view->points[FR_POINT_RIGHT_HEEL + i];
        uint8_t bits = contacts[i < 2 ? 1 : 0];
        bool stands = (bits & (i % 2 == 0 ? FR_CONTACT_HEEL : FR_CONTACT_TOE)) != 0;
        fr_vec3 at = fr_pose_apply(&t->poses[point->link], point->offset);
        if (stands && t->stands[i]) {
            double x = at.x - t->planted[i].x, z = at.z - t->planted[i].z;
            slide = largest(slide, sqrt(x * x + z * z));
        } else if (stands) {
            t->planted[i] = at;
        }
        t->stands[i] = stands;
    }
    return 1000.0 * slide;
}

// Paths of the wrists as the body sees them.
static void follow_wrists(tracker *t, uint32_t frame, const uint8_t rows[2]) {
    static const fr_link palms[2] = {FR_LINK_RIGHT_PALM, FR_LINK_LEFT_PALM};
    for (int i = 0; i < 2; i++) {
        fr_pose back = fr_pose_inverse(&t->poses[FR_LINK_HIP]);
        fr_vec3 at = fr_pose_apply(&back, t->poses[palms[i]].position), step = fr_vec3_sub(at, t->wrists[i]);
        double length = fr_vec3_length(step);
        t->wrists[i] = at;
        if (frame == 0 || length < SHORTEST) {
            t->has_direction[i] = false;
            continue;
        }
        fr_vec3 direction = fr_vec3_scale(1.0 / length, step);
        for (int k = 0; k < 2; k++) {
            if (!t->has_direction[i] || rows[k] >= DEMONSTRATION_ROWS) { continue; }
            t->turnings[rows[k]][i] += fr_acos(fr_vec3_dot(direction, t->directions[i]));
            t->lengths[rows[k]][i] += length;
        }
        t->directions[i] = direction;
        t->has_direction[i] = true;
    }
}

fr_status demonstration_measure(const demonstration_film *film, demonstration_figures figures[DEMONSTRATION_ROWS],
                                fr_error *error) {
    fr_body_def body = fr_default_body_def();
    fr_skeleton *skeleton = NULL;
    fr_status status = fr_skeleton_create_body(&body, &skeleton, error);
    if (status != FR_OK) { return status; }
    tracker t;
    memset(&t, 0, sizeof t);
    memset(figures, 0, DEMONSTRATION_ROWS * sizeof *figures);
    const fr_quat *upright = turns_of(film, 0);
    for (uint32_t k = 0; k < film->count && status == FR_OK; k++) {
        fr_quat turns[LINKS];
        memcpy(turns, turns_of(film, k), sizeof turns);
        fr_posture posture = {.place = film->places[k], .turns = turns, .count = LINKS};
        status = fr_posture_poses(skeleton, &posture, 1, t.poses, error);
        double slide = slide_at(&t, fr_skeleton_get(skeleton), &film->contacts[2 * k]);
        follow_wrists(&t, k, &film->rows[2 * k]);
        for (uint32_t i = 0; i < 2; i++) {
            if (film->rows[2 * k + i] >= DEMONSTRATION_ROWS) { continue; }
            demonstration_figures *f = &figures[film->rows[2 * k + i]];
            f->speed_jump = largest(f->speed_jump, jump_at(film, k));
            f->foot_slide = largest(f->foot_slide, slide);
            if (is_upright(film, k, upright)) { f->pause += 1.0 / DEMONSTRATION_RATE; }
        }
    }
    for (int row = 0; row < DEMONSTRATION_ROWS; row++) {
        int wrist = t.lengths[row][0] >= t.lengths[row][1] ? 0 : 1;
        double length = t.lengths[row][wrist];
        figures[row].curvature = length > 0.0 ? t.turnings[row][wrist] / length : 0.0;
    }
    fr_skeleton_release(skeleton);
    return status;
}

// How well the feet of a clip stand: slide within contacts, depth below the ground, jumps of speed.
#include "feet.h"
#include "posture.h"

#include <math.h>

// A point of a sole while it stands.
typedef struct standing {
    bool is_on;
    fr_vec3 first;
    double slide;
} standing;

static void end_phase(standing *s, fr_clip_facts *facts, double *sum) {
    if (!s->is_on) { return; }
    s->is_on = false;
    facts->contact_count++;
    facts->slide_max = fmax(facts->slide_max, s->slide);
    *sum += s->slide;
}

static void follow(standing *s, bool is_contact, fr_vec3 point, fr_clip_facts *facts, double *sum) {
    facts->below = fmax(facts->below, -point.y);
    if (!is_contact) {
        end_phase(s, facts, sum);
        return;
    }
    if (!s->is_on) { *s = (standing){true, point, 0.0}; }
    double x = point.x - s->first.x, z = point.z - s->first.z;
    s->slide = fmax(s->slide, sqrt(x * x + z * z));
}

// The largest change of a joint's velocity between the steps from `a` to `b` and from `b` to `c`.
static double largest_jump(const fr_quat *a, const fr_quat *b, const fr_quat *c, uint32_t count, double rate) {
    double worst = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 first = fr_quat_to_vector(fr__quat_product(fr_quat_conjugate(a[i]), b[i]));
        fr_vec3 second = fr_quat_to_vector(fr__quat_product(fr_quat_conjugate(b[i]), c[i]));
        worst = fmax(worst, rate * fr_vec3_distance(first, second));
    }
    return worst;
}

fr_status fr_clip_measure(const fr_skeleton *skeleton, const fr_clip *clip, fr_clip_facts *facts, fr_error *error) {
    fr__body_leg legs[2];
    *facts = (fr_clip_facts){0};
    fr_status status = fr__body_legs_find(skeleton, legs, error);
    if (status != FR_OK) { return status; }
    const fr_clip_view *view = fr_clip_get(clip);
    uint32_t links = fr_skeleton_get(skeleton)->link_count;
    fr_quat turns[3][FR_MAX_LINKS];
    fr_posture posture = {.count = links};
    standing points[4] = {{false, {0.0, 0.0, 0.0}, 0.0}};
    double sum = 0.0;
    fr_vec3 last = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < view->frame_count; i++) {
        posture.turns = turns[i % 3];
        status = fr_clip_frame(clip, i, &posture, error);
        if (status != FR_OK) { return status; }
        for (int k = 0; k < 2; k++) {
            fr_pose foot = fr__link_pose(fr_skeleton_get(skeleton), &posture, legs[k].foot);
            uint8_t bits = k == 0 ? posture.contact_left : posture.contact_right;
            fr_vec3 heel = fr_pose_apply(&foot, legs[k].heel), toe = fr_pose_apply(&foot, legs[k].toe);
            follow(&points[2 * k], (bits & FR_CONTACT_HEEL) != 0, heel, facts, &sum);
            follow(&points[2 * k + 1], (bits & FR_CONTACT_TOE) != 0, toe, facts, &sum);
        }
        if (i > 0) {
            double x = posture.place.x - last.x, z = posture.place.z - last.z;
            facts->travel += sqrt(x * x + z * z);
        }
        last = posture.place;
        if (i < 2) { continue; }
        double jump = largest_jump(turns[(i + 1) % 3], turns[(i + 2) % 3], turns[i % 3], links, view->frame_rate);
        facts->speed_jump = fmax(facts->speed_jump, jump);
    }
    for (int k = 0; k < 4; k++) {
        end_phase(&points[k], facts, &sum);
    }
    if (facts->contact_count > 0) { facts->slide_mean = sum / facts->contact_count; }
    return FR_OK;
}

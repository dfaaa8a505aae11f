// The links that the skin follows: along each limb a vertex goes over from link to link around the joint, and at the
// roots of limbs the weights spread over the polygons, so that nothing leaks between fingers, legs, or arm and trunk.
#include "human/body_surface.h"

#include "fureai/shape.h"

#include <string.h>

uint32_t fr__link_twin(uint32_t link) {
    if (link < FR_LINK_RIGHT_UPPER_ARM) { return link; }
    if (link < FR_LINK_RIGHT_THUMB_1) { return (link - 3) % 6 < 3 ? link + 3 : link - 3; }
    return link < FR_LINK_LEFT_THUMB_1 ? link + 14 : link - 14;
}

// 0 before `from`, 1 after `to`, smooth between.
static float ramp(double x, double from, double to) {
    double t = (x - from) / (to - from);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return (float)(t * t * (3.0 - 2.0 * t));
}

static double along(fr_vec3 point, fr_vec3 from, fr_vec3 to) {
    fr_vec3 axis = fr_vec3_unit(fr_vec3_sub(to, from), fr_vec3_make(0.0, -1.0, 0.0));
    return fr_vec3_dot(fr_vec3_sub(point, from), axis);
}

// Gives a part of what the links above have to a link.
static void go_over(float *weights, uint32_t from, uint32_t to, float part) {
    float moved = weights[from] * part;
    weights[from] -= moved;
    weights[to] += moved;
}

static void weigh_finger(const fr_vec3 *joints, int finger, fr_vec3 point, float reach, float *weights) {
    uint32_t first = finger == 0 ? FR_LINK_LEFT_THUMB_1 : (uint32_t)(FR_LINK_LEFT_INDEX_1 + 3 * (finger - 1));
    int links = finger == 0 ? 2 : 3;
    double width = finger == 0 ? 0.010 : 0.008, at = along(point, joints[0], joints[links]);
    go_over(weights, FR_LINK_LEFT_PALM, first, reach * ramp(at, -1.2 * width, 1.6 * width));
    double joint = 0.0;
    for (int k = 1; k < links; k++) {
        joint += fr_vec3_distance(joints[k - 1], joints[k]);
        go_over(weights, first + (uint32_t)k - 1, first + (uint32_t)k, ramp(at, joint - width, joint + width));
    }
}

// The palm's vertices between fingers follow the two beside them, the nearer one more.
static void weigh_web(const fr__body_joints *joints, fr_vec3 point, float *weights) {
    double near[2] = {0.0, 0.0};
    int fingers[2] = {1, 1};
    for (int i = 1; i < FR__FINGER_COUNT; i++) {
        const fr_vec3 *finger = joints->fingers[i];
        double t = along(point, finger[0], finger[3]) / fr_vec3_distance(finger[0], finger[3]);
        double distance = fr_vec3_distance(point, fr_vec3_lerp(finger[0], finger[3], t));
        double nearness = 1.0 / (1e-8 + distance * distance * distance * distance);
        int place = nearness > near[0] ? 0 : 1;
        if (nearness <= near[place]) { continue; }
        near[1] = place == 0 ? near[0] : nearness;
        fingers[1] = place == 0 ? fingers[0] : i;
        near[0] = place == 0 ? nearness : near[0];
        fingers[0] = place == 0 ? i : fingers[0];
    }
    float share = (float)(near[1] / (near[0] + near[1]));
    weigh_finger(joints->fingers[fingers[1]], fingers[1], point, share, weights);
    weigh_finger(joints->fingers[fingers[0]], fingers[0], point, 1.0f, weights);
}

static void weigh_arm(const fr__body_joints *joints, const fr__surface_vertex *v, float *weights) {
    double upper = fr_vec3_distance(joints->shoulder, joints->elbow);
    double whole = upper + fr_vec3_distance(joints->elbow, joints->wrist);
    double at = along(v->point, joints->shoulder, joints->wrist);
    // The top of the shoulder stays with the chest longer than the armpit does: it is bone.
    fr_vec3 axis = fr_vec3_unit(fr_vec3_sub(joints->elbow, joints->shoulder), fr_vec3_make(0.0, -1.0, 0.0));
    fr_vec3 outer = fr_vec3_cross(fr_vec3_make(0.0, 0.0, 1.0), axis);
    float top = ramp(fr_vec3_dot(fr_vec3_sub(v->point, joints->shoulder), outer), -0.03, 0.03);
    float arm = 1.0f - 0.55f * top * (1.0f - ramp(at, -0.03, 0.10));
    go_over(weights, FR_LINK_CHEST, FR_LINK_LEFT_UPPER_ARM, (float)v->limb * arm);
    go_over(weights, FR_LINK_LEFT_UPPER_ARM, FR_LINK_LEFT_FOREARM, ramp(at, upper - 0.045, upper + 0.045));
    go_over(weights, FR_LINK_LEFT_FOREARM, FR_LINK_LEFT_PALM, ramp(at, whole - 0.045, whole + 0.020));
    uint32_t fingers = 15u * FR__PART_INDEX;
    if ((v->parts & FR__PART_THUMB) != 0) {
        float reach = (v->parts & FR__PART_PALM) != 0 ? 0.6f : 1.0f;
        weigh_finger(joints->fingers[0], 0, v->point, reach, weights);
    } else if ((v->parts & FR__PART_PALM) != 0 && (v->parts & fingers) == 0) {
        weigh_web(joints, v->point, weights);
    }
    for (int i = 1; i < FR__FINGER_COUNT; i++) {
        if ((v->parts & (uint32_t)FR__PART_INDEX << (i - 1)) == 0) { continue; }
        weigh_finger(joints->fingers[i], i, v->point, 1.0f, weights);
        break;
    }
}

static void weigh_leg(const fr__body_joints *joints, const fr__surface_vertex *v, float *weights) {
    double knee = fr_vec3_distance(joints->thigh, joints->knee);
    double at = along(v->point, joints->thigh, joints->ankle);
    go_over(weights, FR_LINK_HIP, FR_LINK_LEFT_THIGH, (float)v->limb);
    go_over(weights, FR_LINK_LEFT_THIGH, FR_LINK_LEFT_SHIN, ramp(at, knee - 0.060, knee + 0.060));
    float foot = 1.0f - ramp(v->point.y, joints->ankle.y - 0.010, joints->ankle.y + 0.045);
    go_over(weights, FR_LINK_LEFT_SHIN, FR_LINK_LEFT_FOOT, foot);
}

static void weigh_vertex(const fr__body_joints *joints, const fr__surface_vertex *v, float *weights) {
    memset(weights, 0, FR_LINK_COUNT * sizeof *weights);
    uint32_t arm = FR__PART_ARM | FR__PART_PALM | FR__PART_THUMB | 15u * FR__PART_INDEX;
    if ((v->parts & (FR__PART_LEG | FR__PART_FOOT)) != 0) {
        weights[FR_LINK_HIP] = 1.0f;
        weigh_leg(joints, v, weights);
    } else if ((v->parts & arm) != 0) {
        weights[FR_LINK_CHEST] = 1.0f;
        weigh_arm(joints, v, weights);
    } else {
        weights[FR_LINK_HIP] = 1.0f;
        go_over(weights, FR_LINK_HIP, FR_LINK_CHEST, ramp(v->point.y, 0.975, 1.135));
        if ((v->parts & FR__PART_HEAD) != 0) { go_over(weights, FR_LINK_CHEST, FR_LINK_HEAD, (float)v->limb); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Spreading

static void add_weights(float *sum, const float *weights) {
    for (int i = 0; i < FR_LINK_COUNT; i++) {
        sum[i] += weights[i];
    }
}

// Half of each weight becomes the mean of the neighbours', where a vertex has no other parts. The middle has neighbours
// on the right too, which have the weights of the left with the sides exchanged.
static void spread_once(fr__body_surface *s, uint32_t parts_spread) {
    memset(s->spread, 0, s->half_count * sizeof *s->spread);
    memset(s->degrees, 0, s->half_count * sizeof *s->degrees);
    for (uint32_t f = 0; f < s->half_face_count; f++) {
        const uint32_t *c = s->faces[f].corners;
        uint32_t count = c[3] == FR_NONE ? 3 : 4;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t a = c[i], b = c[(i + 1) % count];
            add_weights(s->spread[a], s->weights[b]);
            add_weights(s->spread[b], s->weights[a]);
            s->degrees[a]++;
            s->degrees[b]++;
        }
    }
    for (uint32_t v = 0; v < s->half_count; v++) {
        uint32_t parts = s->vertices[v].parts;
        if ((parts & parts_spread) == 0 || (parts & ~parts_spread) != 0) { continue; }
        float part = 0.5f / (float)s->degrees[v];
        float across = 1.0f - ramp(s->vertices[v].point.x, 0.0, 0.04); // how much of the right leg may be here
        const float *sum = s->spread[v];
        for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
            float mean = s->vertices[v].is_middle ? 0.5f * (sum[i] + sum[fr__link_twin(i)]) : sum[i];
            s->weights[v][i] = 0.5f * s->weights[v][i] + part * mean;
            if (i == FR_LINK_RIGHT_THIGH) { s->weights[v][i] *= across; }
        }
    }
}

void fr__body_surface_weigh(const fr__body_joints *joints, fr__body_surface *surface) {
    for (uint32_t i = 0; i < surface->half_count; i++) {
        weigh_vertex(joints, &surface->vertices[i], surface->weights[i]);
    }
    // The roots of arms spread farthest, those of legs less; fingers hardly.
    for (int i = 0; i < 16; i++) {
        uint32_t arms = FR__PART_TRUNK | FR__PART_ARM | FR__PART_HEAD;
        spread_once(surface, i < 3 ? UINT32_MAX : i < 7 ? arms | FR__PART_LEG : arms);
    }
}

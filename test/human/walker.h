// A body that walks under observation: how far feet that stand slip, how deep soles go, how far knees are stretched.
#ifndef FUREAI_TEST_WALKER_H
#define FUREAI_TEST_WALKER_H

#include "fureai/human_walk.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define WALKER_POINTS 4

typedef struct walker {
    fr_skeleton *skeleton;
    fr_walk_set *set;
    fr_walk *walk;
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture;
    fr_pose poses[FR_LINK_COUNT];

    // Of the walk so far.
    fr_vec3 points[WALKER_POINTS], planted[WALKER_POINTS]; // right heel and toe, left heel and toe; where they stand
    bool stands[WALKER_POINTS];
    double slip;      // greatest horizontal distance of a point from where its contact began
    double depth;     // greatest depth of a sole point below the ground
    double lift;      // greatest height of a point in contact
    double knee_min;  // smallest knee flexion, radians
    double jump;      // greatest change of a link's angular velocity between two frames, radians a second
    double hip_speed; // greatest speed of the root, metres a second
    fr_quat before[2][FR_LINK_COUNT];
    fr_vec3 place_before;
    uint64_t frames, hash;
    double ground; // height
    int jump_link; // the link with that change
} walker;

static inline walker walker_make(const fr_body_def *body, double speed) {
    walker w = {0};
    assert_int_equal(fr_skeleton_create_body(body, &w.skeleton, NULL), FR_OK);
    fr_walk_set_def set_def = fr_default_walk_set_def();
    set_def.skeleton = w.skeleton;
    set_def.speed = speed;
    assert_int_equal(fr_walk_set_create(&set_def, &w.set, NULL), FR_OK);
    fr_walk_def def = fr_default_walk_def();
    def.set = w.set;
    assert_int_equal(fr_walk_create(&def, &w.walk, NULL), FR_OK);
    return w;
}

static inline void walker_destroy(walker *w) {
    fr_walk_destroy(w->walk);
    fr_walk_set_release(w->set);
    fr_skeleton_release(w->skeleton);
}

static inline void walker_reset(walker *w) {
    w->posture = (fr_posture){.turns = w->turns, .count = FR_LINK_COUNT};
    w->slip = w->depth = w->lift = w->jump = w->hip_speed = 0.0;
    w->knee_min = 10.0;
    w->frames = 0;
    for (int i = 0; i < WALKER_POINTS; i++) {
        w->stands[i] = false;
    }
}

// Stands at a place and begins a walk there.
static inline void walker_stand(walker *w, fr_vec3 place, double heading) {
    walker_reset(w);
    w->ground = place.y;
    assert_int_equal(fr_posture_rest(w->skeleton, &w->posture, NULL), FR_OK);
    assert_int_equal(fr_walk_set_stand(w->set, place, heading, &w->posture, NULL), FR_OK);
    assert_int_equal(fr_walk_begin(w->walk, &w->posture, NULL), FR_OK);
}

static inline double walker_angle(fr_quat a, fr_quat b) {
    fr_quat d = fr_quat_multiply(fr_quat_conjugate(a), b);
    double sine = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    return 2.0 * atan2(sine, fabs(d.w));
}

static inline void walker_watch_point(walker *w, int i, bool stands) {
    fr_vec3 at = w->points[i];
    at.y -= w->ground;
    w->depth = -at.y > w->depth ? -at.y : w->depth;
    if (stands && w->stands[i]) {
        double slip = hypot(at.x - w->planted[i].x, at.z - w->planted[i].z);
        w->slip = slip > w->slip ? slip : w->slip;
        w->lift = fabs(at.y) > w->lift ? fabs(at.y) : w->lift;
    } else if (stands) {
        w->planted[i] = at;
    }
    w->stands[i] = stands;
}

static inline void walker_watch_jumps(walker *w) {
    double rate = fr_walk_set_get(w->set)->frame_rate;
    for (int i = 0; i < FR_BODY_LINK_COUNT; i++) {
        fr_quat now = w->turns[i], *a = &w->before[0][i], *b = &w->before[1][i];
        if (w->frames >= 2) {
            fr_vec3 first = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(*a), *b));
            fr_vec3 second = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(*b), now));
            double jump = rate * fr_vec3_length(fr_vec3_sub(second, first));
            if (jump > w->jump) {
                w->jump = jump;
                w->jump_link = i;
            }
        }
        *a = *b;
        *b = now;
    }
    if (w->frames >= 1) {
        double speed = rate * fr_vec3_distance(w->posture.place, w->place_before);
        w->hip_speed = speed > w->hip_speed ? speed : w->hip_speed;
    }
    w->place_before = w->posture.place;
}

// One frame, observed.
static inline void walker_step(walker *w) {
    assert_int_equal(fr_walk_step(w->walk, &w->posture, NULL), FR_OK);
    assert_int_equal(fr_posture_poses(w->skeleton, &w->posture, 1, w->poses, NULL), FR_OK);
    const fr_skeleton_view *view = fr_skeleton_get(w->skeleton);
    for (int i = 0; i < WALKER_POINTS; i++) {
        const fr_link_point *point = &view->points[FR_POINT_RIGHT_HEEL + i];
        uint8_t bits = i < 2 ? w->posture.contact_right : w->posture.contact_left;
        w->points[i] = fr_pose_apply(&w->poses[point->link], point->offset);
        walker_watch_point(w, i, (bits & (i % 2 == 0 ? FR_CONTACT_HEEL : FR_CONTACT_TOE)) != 0);
    }
    for (int i = 0; i < 2; i++) {
        fr_quat knee = w->turns[i == 0 ? FR_LINK_RIGHT_SHIN : FR_LINK_LEFT_SHIN];
        double flexion = 2.0 * atan2(knee.w < 0.0 ? -knee.y : knee.y, fabs(knee.w));
        w->knee_min = flexion < w->knee_min ? flexion : w->knee_min;
    }
    walker_watch_jumps(w);
    w->hash = fr_hash(w->turns, sizeof w->turns, w->hash);
    w->hash = fr_hash(&w->posture.place, sizeof w->posture.place, w->hash);
    w->frames++;
}

// The heading of the root of a body of 43 links.
static inline double walker_heading(const walker *w) {
    fr_vec3 forward = fr_pose_turn(&w->poses[0], fr_vec3_make(0.0, 0.0, 1.0));
    return atan2(forward.x, forward.z);
}

#endif

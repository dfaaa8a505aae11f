// A performer under observation: the body that tests of skills share, and how its joints and feet behave.
#ifndef FUREAI_TEST_HUMAN_STAGE_H
#define FUREAI_TEST_HUMAN_STAGE_H

#include "fureai/human_skill.h"

#include "random_posture.h"

#include <math.h>
#include <string.h>

#define STAGE_LINKS FR_LINK_COUNT

typedef struct stage {
    fr_skeleton *skeleton;
    fr_walk_set *set; // at 60 frames a second
    fr_performer *performer;
    fr_performer_output output;
    fr_pose poses[STAGE_LINKS];

    // Since stage_watch.
    fr_quat before[2][STAGE_LINKS];
    fr_vec3 place_before;
    uint64_t frames;
    double jump; // greatest change of a joint's velocity from one frame to the next, radians a second
    uint32_t jump_link;
    uint64_t jump_frame;
    uint64_t boundary;    // the last frame with a boundary: a task began or ended
    double boundary_jump; // as `jump`, in the two frames after a boundary
    uint32_t boundary_link;
    double turn_jump;  // of the root in the world
    double place_jump; // greatest change of the root's velocity, metres a second
    fr_vec3 place_velocity;
    double excess; // greatest excess over a limit, radians
    uint32_t excess_link;
} stage;

static inline fr_performer *stage_performer(const fr_skeleton *skeleton, const fr_walk_set *set, uint64_t person) {
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = skeleton;
    def.walk_set = set;
    def.person = person;
    fr_performer *performer = NULL;
    fr_error error = {0};
    if (fr_performer_create(&def, &performer, &error) != FR_OK) { fail_msg("%s", error.message); }
    return performer;
}

static inline void stage_watch(stage *s) {
    s->frames = 0;
    s->boundary = 0;
    s->boundary_jump = s->jump = s->turn_jump = s->place_jump = s->excess = 0.0;
    s->place_velocity = fr_vec3_make(0.0, 0.0, 0.0);
}

static inline stage stage_open(void) {
    stage s = {0};
    s.skeleton = default_body();
    fr_walk_set_def def = fr_default_walk_set_def();
    def.skeleton = s.skeleton;
    assert_int_equal(fr_walk_set_create(&def, &s.set, NULL), FR_OK);
    s.performer = stage_performer(s.skeleton, s.set, 0);
    stage_watch(&s);
    return s;
}

static inline void stage_close(stage *s) {
    fr_performer_destroy(s->performer);
    fr_walk_set_release(s->set);
    fr_skeleton_release(s->skeleton);
}

// The body stands at a place again, without a task.
static inline void stage_stand(stage *s, fr_vec3 place, double heading) {
    fr_quat turns[STAGE_LINKS];
    fr_posture posture = {.turns = turns, .count = STAGE_LINKS};
    assert_int_equal(fr_posture_rest(s->skeleton, &posture, NULL), FR_OK);
    assert_int_equal(fr_walk_set_stand(s->set, place, heading, &posture, NULL), FR_OK);
    assert_int_equal(fr_performer_put(s->performer, &posture, NULL), FR_OK);
    stage_watch(s);
}

static inline fr_task stage_task(uint64_t id, const char *skill) {
    fr_task task = {.id = id, .skill = fr_skill_find(skill)};
    if (task.skill == NULL) { fail_msg("no skill %s", skill); }
    return task;
}

static inline void stage_begin(stage *s, const fr_task *tasks, uint32_t count) {
    fr_error error = {0};
    if (fr_performer_begin(s->performer, tasks, count, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    s->boundary = s->frames;
}

// No joint's velocity jumped (A19), at a boundary or elsewhere.
static inline void stage_check_jumps(const stage *s) {
    if (s->boundary_jump > 4.0) { fail_msg("link %u jumps by %g rad/s", s->boundary_link, s->boundary_jump); }
    if (s->jump > 4.0) { fail_msg("link %u jumps by %g rad/s at %d", s->jump_link, s->jump, (int)s->jump_frame); }
}

static inline void stage_look(stage *s) {
    const fr_posture *posture = &s->output.posture;
    const double rate = 60.0;
    for (uint32_t i = 0; i < STAGE_LINKS; i++) {
        fr_quat now = posture->turns[i], *a = &s->before[0][i], *b = &s->before[1][i];
        assert_near(quat_length(now), 1.0, 1e-12);
        if (s->frames >= 2) {
            fr_vec3 first = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(*a), *b));
            fr_vec3 second = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(*b), now));
            double jump = rate * fr_vec3_length(fr_vec3_sub(second, first));
            if (i == 0) {
                s->turn_jump = jump > s->turn_jump ? jump : s->turn_jump;
            } else if (jump > s->jump) {
                s->jump = jump;
                s->jump_link = i;
                s->jump_frame = s->frames;
            }
            if (i != 0 && s->frames <= s->boundary + 2 && jump > s->boundary_jump) {
                s->boundary_jump = jump;
                s->boundary_link = i;
            }
        }
        *a = *b;
        *b = now;
        double excess = i == 0 ? 0.0 : fr_skeleton_excess(s->skeleton, i, now);
        if (excess > s->excess) {
            s->excess = excess;
            s->excess_link = i;
        }
    }
    fr_vec3 velocity = fr_vec3_scale(rate, fr_vec3_sub(posture->place, s->place_before));
    if (s->frames >= 2) {
        double jump = fr_vec3_distance(velocity, s->place_velocity);
        s->place_jump = jump > s->place_jump ? jump : s->place_jump;
    }
    if (s->output.end_count > 0) { s->boundary = s->frames + 1; }
    s->place_velocity = velocity;
    s->place_before = posture->place;
    assert_int_equal(fr_posture_poses(s->skeleton, posture, 1, s->poses, NULL), FR_OK);
    s->frames++;
}

// One frame, observed.
static inline void stage_step(stage *s) {
    fr_error error = {0};
    if (fr_performer_step(s->performer, NULL, &s->output, &error) != FR_OK) { fail_msg("%s", error.message); }
    stage_look(s);
}

// Steps until no task is left; fails where a task failed, or after `limit` frames. Returns the frames.
static inline uint32_t stage_finish(stage *s, uint32_t limit) {
    for (uint32_t k = 1; k <= limit; k++) {
        stage_step(s);
        for (uint32_t i = 0; i < s->output.end_count; i++) {
            if (s->output.ends[i].reason == FR_TASK_FAILED) { fail_msg("%s", s->output.ends[i].message); }
        }
        if (fr_performer_get(s->performer).task_count == 0) { return k; }
    }
    fail_msg("tasks still run after %u frames", limit);
    return 0;
}

static inline fr_vec3 stage_point(const stage *s, fr_body_point point) {
    const fr_link_point *at = &fr_skeleton_get(s->skeleton)->points[point];
    return fr_pose_apply(&s->poses[at->link], at->offset);
}

static inline double stage_heading(const stage *s) {
    const fr_skeleton_view *view = fr_skeleton_get(s->skeleton);
    fr_quat away = fr_quat_multiply(s->poses[0].rotation, fr_quat_conjugate(view->uprights[0]));
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), away);
    fr_vec3 forward = fr_pose_turn(&pose, fr_vec3_make(0.0, 0.0, 1.0));
    return atan2(forward.x, forward.z);
}

#endif

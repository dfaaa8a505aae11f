// Two bodies with figures that do something together, and how deep their pieces are in one another.
#ifndef FUREAI_TEST_HUMAN_PAIR_H
#define FUREAI_TEST_HUMAN_PAIR_H

#include "frame.h"

#include "fureai/human_meeting.h"
#include "fureai/human_skill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define PAIR_LINKS FR_LINK_COUNT
enum { PAIR_PIECES = 15 + FR_FIGURE_PHALANX_COUNT, PAIR_SLICES = 17 }; // slices of a frame: over 1,000 a second

typedef struct pair_body {
    fr_skeleton *skeleton;
    fr_walk_set *set;
    fr_figure *figure;
    fr_performer *performer;
    fr_performer_output output;
    fr_quat before[PAIR_LINKS], last[2][PAIR_LINKS];
    fr_vec3 place_before;
    fr_pose poses[PAIR_LINKS];
    fr_figure_proxy pieces[PAIR_PIECES];
    double jump; // of a joint's velocity from frame to frame, radians a second
    double peak; // speed of the right palm, metres a second
    fr_vec3 palm_before;
} pair_body;

typedef struct pair {
    pair_body bodies[2];
    uint32_t frames;
    double depth; // of the pieces of one in those of the other, metres
    char deepest[64];
} pair;

// The pieces of a body, with phalanges in place of mittens and thumbs.
static inline void pair_list_pieces(const fr_figure *figure, fr_figure_proxy pieces[PAIR_PIECES]) {
    const fr_figure_view *view = fr_figure_get(figure);
    uint32_t count = 0;
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        const char *name = view->proxies[i].name;
        bool is_hull = strstr(name, "mitten") != NULL || strstr(name, "thumb") != NULL;
        if (!is_hull) { pieces[count++] = view->proxies[i]; }
    }
    assert_int_equal(count, 15);
    for (uint32_t i = 0; i < FR_FIGURE_PHALANX_COUNT; i++) {
        pieces[count++] = view->phalanxes[i];
    }
}

static inline void pair_open_body(pair_body *b, double stature) {
    memset(b, 0, sizeof *b);
    fr_body_def body = fr_default_body_def();
    body.stature = stature;
    assert_int_equal(fr_skeleton_create_body(&body, &b->skeleton, NULL), FR_OK);
    fr_walk_set_def set = fr_default_walk_set_def();
    set.skeleton = b->skeleton;
    assert_int_equal(fr_walk_set_create(&set, &b->set, NULL), FR_OK);
    fr_figure_def figure = fr_default_figure_def();
    figure.skeleton = b->skeleton;
    figure.detail = FR_FIGURE_COARSE;
    assert_int_equal(fr_figure_create(&figure, &b->figure, NULL), FR_OK);
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = b->skeleton;
    def.walk_set = b->set;
    def.figure = b->figure;
    assert_int_equal(fr_performer_create(&def, &b->performer, NULL), FR_OK);
    pair_list_pieces(b->figure, b->pieces);
}

static inline void pair_stand(pair_body *b, fr_vec3 place, double heading) {
    fr_posture posture = {.turns = b->before, .count = PAIR_LINKS};
    assert_int_equal(fr_posture_rest(b->skeleton, &posture, NULL), FR_OK);
    assert_int_equal(fr_walk_set_stand(b->set, place, heading, &posture, NULL), FR_OK);
    assert_int_equal(fr_performer_put(b->performer, &posture, NULL), FR_OK);
    assert_int_equal(fr_posture_poses(b->skeleton, &posture, 1, b->poses, NULL), FR_OK);
    b->place_before = posture.place;
    memcpy(b->last[0], b->before, sizeof b->before);
    memcpy(b->last[1], b->before, sizeof b->before);
    b->jump = b->peak = 0.0;
    b->palm_before = b->poses[FR_LINK_RIGHT_PALM].position;
}

static inline void pair_close(pair *p) {
    for (int i = 0; i < 2; i++) {
        fr_performer_destroy(p->bodies[i].performer);
        fr_figure_release(p->bodies[i].figure);
        fr_walk_set_release(p->bodies[i].set);
        fr_skeleton_release(p->bodies[i].skeleton);
    }
}

static inline fr_vec3 pair_corner(const fr_mesh_view *mesh, uint32_t i) {
    if (mesh->positions_double != NULL) {
        return fr_vec3_make(mesh->positions_double[3 * i], mesh->positions_double[3 * i + 1],
                            mesh->positions_double[3 * i + 2]);
    }
    return fr_vec3_make((double)mesh->positions_float[3 * i], (double)mesh->positions_float[3 * i + 1],
                        (double)mesh->positions_float[3 * i + 2]);
}

// How deep a point is in a convex piece, in the piece's axes; below 0: outside.
static inline double pair_point_depth(const fr_mesh *mesh, fr_vec3 point) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    double depth = INFINITY;
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        fr_vec3 c[3];
        fr_mesh_corners(mesh, i, c);
        fr_vec3 normal = fr_vec3_cross(fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[0]));
        double length = fr_vec3_length(normal);
        if (length < 1e-12) { continue; }
        depth = fmin(depth, fr_vec3_dot(normal, fr_vec3_sub(c[0], point)) / length);
    }
    return depth;
}

// The deepest of points on the faces of one piece in another.
static inline double pair_piece_depth(const fr_figure_proxy *a, const fr_pose *pose_a, const fr_figure_proxy *b,
                                      const fr_pose *pose_b) {
    const fr_mesh_view *view = fr_mesh_get(a->mesh), *other = fr_mesh_get(b->mesh);
    fr_pose back = fr_pose_inverse(pose_b), to_b = fr_pose_compose(&back, pose_a);
    fr_vec3 low = other->bounds.min, high = other->bounds.max;
    double depth = -INFINITY;
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        fr_vec3 c[3];
        fr_mesh_corners(a->mesh, i, c);
        for (int k = 0; k < 7; k++) { // corners, middles of the edges, and of the face
            fr_vec3 p = k < 3   ? c[k]
                        : k < 6 ? fr_vec3_lerp(c[k - 3], c[(k - 2) % 3], 0.5)
                                : fr_vec3_scale(1.0 / 3.0, fr_vec3_add(c[0], fr_vec3_add(c[1], c[2])));
            p = fr_pose_apply(&to_b, p);
            bool is_near = p.x > low.x && p.y > low.y && p.z > low.z && p.x < high.x && p.y < high.y && p.z < high.z;
            if (is_near) { depth = fmax(depth, pair_point_depth(b->mesh, p)); }
        }
    }
    return depth;
}

// A ball round a piece.
static inline double pair_ball(const fr_figure_proxy *piece, const fr_pose *pose, fr_vec3 *middle) {
    fr_bounds bounds = fr_mesh_get(piece->mesh)->bounds;
    *middle = fr_pose_apply(pose, fr_vec3_lerp(bounds.min, bounds.max, 0.5));
    return 0.5 * fr_vec3_distance(bounds.min, bounds.max);
}

static inline void pair_look(pair *p, const fr_pose *a, const fr_pose *b) {
    for (int i = 0; i < PAIR_PIECES; i++) {
        const fr_figure_proxy *one = &p->bodies[0].pieces[i];
        for (int k = 0; k < PAIR_PIECES; k++) {
            const fr_figure_proxy *two = &p->bodies[1].pieces[k];
            fr_vec3 first, second;
            double balls = pair_ball(one, &a[one->link], &first) + pair_ball(two, &b[two->link], &second);
            if (fr_vec3_distance(first, second) > balls) { continue; }
            double depth = fmax(pair_piece_depth(one, &a[one->link], two, &b[two->link]),
                                pair_piece_depth(two, &b[two->link], one, &a[one->link]));
            if (depth <= p->depth) { continue; }
            p->depth = depth;
            snprintf(p->deepest, sizeof p->deepest, "%.28s in %.28s", one->name, two->name);
        }
    }
}

static inline void pair_sample(pair *p, fr_posture before[2]) {
    for (int s = 1; s <= PAIR_SLICES; s++) {
        fr_pose poses[2][PAIR_LINKS];
        for (int i = 0; i < 2; i++) {
            fr_quat turns[PAIR_LINKS];
            fr_posture now = {.turns = turns, .count = PAIR_LINKS};
            const fr_posture *to = &p->bodies[i].output.posture;
            assert_int_equal(fr_posture_slerp(&before[i], to, (double)s / PAIR_SLICES, &now, NULL), FR_OK);
            assert_int_equal(fr_posture_poses(p->bodies[i].skeleton, &now, 1, poses[i], NULL), FR_OK);
        }
        pair_look(p, poses[0], poses[1]);
    }
}

static inline void pair_note(pair_body *b, uint32_t frames) {
    for (uint32_t i = 0; i < PAIR_LINKS; i++) {
        fr_quat now = b->output.posture.turns[i];
        fr_vec3 first = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(b->last[0][i]), b->last[1][i]));
        fr_vec3 second = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(b->last[1][i]), now));
        double jump = 60.0 * fr_vec3_length(fr_vec3_sub(second, first));
        if (frames >= 2) { b->jump = fmax(b->jump, jump); }
        b->last[0][i] = b->last[1][i];
        b->last[1][i] = now;
    }
    assert_int_equal(fr_posture_poses(b->skeleton, &b->output.posture, 1, b->poses, NULL), FR_OK);
    fr_vec3 palm = b->poses[FR_LINK_RIGHT_PALM].position;
    b->peak = fmax(b->peak, 60.0 * fr_vec3_distance(palm, b->palm_before));
    b->palm_before = palm;
}

// One frame of both; each sees where the other was after the last one. `targets`: whether the tasks 1 follow it.
static inline void pair_step(pair *p, bool is_sampled) {
    fr_pose roots[2] = {p->bodies[0].poses[0], p->bodies[1].poses[0]};
    fr_posture before[2];
    for (int i = 0; i < 2; i++) {
        pair_body *b = &p->bodies[i];
        const fr_task_target target = {1, roots[1 - i]};
        const fr_performer_input input = {.targets = &target, .target_count = 1};
        before[i] = (fr_posture){.place = b->place_before, .turns = b->before, .count = PAIR_LINKS};
        fr_error error = {0};
        if (fr_performer_step(b->performer, &input, &b->output, &error) != FR_OK) { fail_msg("%s", error.message); }
    }
    if (is_sampled) { pair_sample(p, before); }
    for (int i = 0; i < 2; i++) {
        pair_body *b = &p->bodies[i];
        pair_note(b, p->frames);
        memcpy(b->before, b->output.posture.turns, sizeof b->before);
        b->place_before = b->output.posture.place;
    }
    p->frames++;
}

#endif

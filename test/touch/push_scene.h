// A free body among things that stand and things that push, and two oracles of a push: the exact query over every piece
// with both in motion, and poses taken at a thousand times a second.
#ifndef FUREAI_TEST_TOUCH_PUSH_SCENE_H
#define FUREAI_TEST_TOUCH_PUSH_SCENE_H

#include "frame.h"
#include "mesh_object.h"
#include "random_vector.h"

#include "fureai/collide.h"
#include "fureai/shape_thread.h"
#include "fureai/touch_push.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SCENE_OBJECTS = 16, SAMPLES = 17 };

typedef struct push_scene {
    fr_space *space;
    fr_collide *collide;
    fr_mesh *meshes[SCENE_OBJECTS];
    fr_object_id ids[SCENE_OBJECTS];
    uint32_t count;    // of objects; the first one is the body
    uint32_t standing; // of these, the body not counted; then come the pushers
    fr_part_def part;
    fr_query_filter filter;
    fr_pusher pushers[SCENE_OBJECTS];
    fr_push_input input;
    _Alignas(max_align_t) unsigned char scratch[FR_PUSH_SCRATCH_BYTES];
} push_scene;

static inline fr_mesh *scene_box(double x, double y, double z) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(x, y, z), NULL, &mesh, NULL), FR_OK);
    return mesh;
}

static inline void scene_add(push_scene *s, fr_mesh *mesh, fr_pose pose) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose = pose;
    s->meshes[s->count] = mesh;
    assert_int_equal(fr_object_add(s->space, &def, &s->ids[s->count++], NULL), FR_OK);
}

// Takes over the mesh of the body, as all that are added later.
static inline push_scene *scene_open(fr_mesh *body, fr_pose pose) {
    push_scene *s = calloc(1, sizeof *s);
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &s->space, NULL), FR_OK);
    assert_int_equal(fr_collide_create(NULL, &s->collide, NULL), FR_OK);
    scene_add(s, body, pose);
    s->part = fr_default_part_def();
    s->part.mesh = body;
    s->filter = fr_default_query_filter();
    s->filter.ignore = s->ids[0];
    s->input = fr_default_push_input();
    s->input.space = s->space;
    s->input.parts = &s->part;
    s->input.part_count = 1;
    s->input.pose = pose;
    s->input.filter = &s->filter;
    s->input.pushers = s->pushers;
    s->input.scratch = s->scratch;
    assert_int_equal(fr_rebound_body_of(s->space, s->ids[0], 1000.0, &s->input.body, NULL), FR_OK);
    return s;
}

static inline void scene_stand(push_scene *s, fr_mesh *mesh, fr_pose pose) {
    assert_int_equal(s->input.pusher_count, 0);
    scene_add(s, mesh, pose);
    s->standing++;
}

static inline void scene_pusher(push_scene *s, fr_mesh *mesh, fr_pose pose, fr_vec3 travel, fr_vec3 turn) {
    scene_add(s, mesh, pose);
    s->pushers[s->input.pusher_count++] = (fr_pusher){s->ids[s->count - 1], {pose, {0.0, 0.0, 0.0}, travel, turn}};
}

static inline void scene_ready(push_scene *s) { assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK); }

static inline void scene_close(push_scene *s) {
    fr_collide_destroy(s->collide);
    fr_space_destroy(s->space);
    for (uint32_t i = 0; i < s->count; i++) {
        fr_mesh_release(s->meshes[i]);
    }
    free(s);
}

static inline fr_motion pusher_between(const fr_pusher *pusher, double begin, double end) {
    fr_motion motion = pusher->motion;
    motion.start = fr_motion_pose(&pusher->motion, begin);
    motion.travel = fr_vec3_scale(end - begin, motion.travel);
    motion.turn = fr_vec3_scale(end - begin, motion.turn);
    return motion;
}

static inline void set_motion(push_scene *s, uint32_t object, const fr_motion *motion) {
    fr_pose end = fr_motion_pose(motion, 1.0);
    assert_int_equal(fr_object_set_pose(s->space, s->ids[object], &motion->start, NULL), FR_OK);
    assert_int_equal(fr_object_set_motion(s->space, s->ids[object], motion, &end, NULL), FR_OK);
}

// Pairs of faces of the body and of all others that meet while each goes along its motion.
static inline size_t pairs_over(push_scene *s, const fr_push_piece *piece) {
    size_t pairs = 0;
    set_motion(s, 0, &piece->motion);
    for (uint32_t i = 1; i < s->count; i++) {
        if (i > s->standing) {
            fr_motion motion = pusher_between(&s->pushers[i - 1 - s->standing], piece->begin, piece->end);
            set_motion(s, i, &motion);
        }
        fr_collide_input query = fr_default_collide_input();
        query.space = s->space;
        query.tolerance = 0.0;
        fr_collide_output found;
        assert_int_equal(fr_collide_continuous_pair(s->collide, &query, s->ids[0], s->ids[i], &found, NULL), FR_OK);
        pairs += found.pair_count;
    }
    return pairs;
}

// The same at one time of a piece.
static inline size_t pairs_at(push_scene *s, const fr_push_piece *piece, double t) {
    size_t pairs = 0;
    fr_pose pose = fr_motion_pose(&piece->motion, t);
    assert_int_equal(fr_object_set_pose(s->space, s->ids[0], &pose, NULL), FR_OK);
    for (uint32_t i = 1; i < s->count; i++) {
        if (i > s->standing) {
            pose =
                fr_motion_pose(&s->pushers[i - 1 - s->standing].motion, piece->begin + t * (piece->end - piece->begin));
            assert_int_equal(fr_object_set_pose(s->space, s->ids[i], &pose, NULL), FR_OK);
        }
        fr_collide_input query = fr_default_collide_input();
        query.space = s->space;
        fr_collide_output found;
        assert_int_equal(fr_collide_static_pair(s->collide, &query, s->ids[0], s->ids[i], &found, NULL), FR_OK);
        pairs += found.pair_count;
    }
    return pairs;
}

// Asserts that the pieces follow one another and that nothing goes through anything on them.
static inline void check_pieces(push_scene *s, const fr_push_output *out, int samples) {
    fr_pose pose = s->input.pose;
    double at = 0.0;
    for (uint32_t i = 0; i < out->piece_count; i++) {
        const fr_push_piece *piece = &out->pieces[i];
        assert_memory_equal(&piece->motion.start, &pose, sizeof pose);
        assert_true(piece->begin == at && piece->end >= at && piece->end <= 1.0);
        bool is_step_off = i == 0 && piece->end == piece->begin;
        if (!is_step_off) { assert_int_equal(pairs_over(s, piece), 0); }
        for (int k = is_step_off ? samples - 1 : 0; k < samples; k++) {
            assert_int_equal(pairs_at(s, piece, (double)k / (samples - 1)), 0);
        }
        at = piece->end;
        pose = fr_motion_pose(&piece->motion, 1.0);
    }
    assert_true(out->fraction == at || out->piece_count == 0);
    assert_memory_equal(&out->pose, &pose, sizeof pose);
    assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK);
}

static inline fr_push_output scene_push(push_scene *s) {
    fr_push_output out;
    fr_error error;
    fr_status status = fr_touch_push(&s->input, &out, &error);
    if (status != FR_OK) { print_message("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
    return out;
}

// The body stays where it was pushed to, and the pushers go on from where they got.
static inline void scene_go_on(push_scene *s, const fr_push_output *out) {
    s->input.pose = out->pose;
    s->input.body = out->body;
    for (uint32_t i = 0; i < s->input.pusher_count; i++) {
        s->pushers[i].motion.start = fr_motion_pose(&s->pushers[i].motion, out->fraction);
    }
}

static inline fr_pose at_place(double x, double y, double z) {
    fr_pose pose = fr_pose_identity();
    pose.position = fr_vec3_make(x, y, z);
    return pose;
}

#endif

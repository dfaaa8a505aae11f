// Random scenes whose objects move, for the tests of collide over a step.
#ifndef FUREAI_TEST_COLLIDE_MOVING_SCENES_H
#define FUREAI_TEST_COLLIDE_MOVING_SCENES_H

#include "collide/scenes.h"

// Lets about two of three objects move: straight, turning a little or up to `most_turn` radians, about a pivot in them
// or beside them; and some to an end pose that is not where their motion ends.
static inline void scene_random_motion(fr_random *r, fr_space *space, double unit, double most_turn) {
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = fr_object_get(space, id);
        if (fr_random_below(r, 3) == 0) { continue; }
        fr_motion motion = fr_motion_still(&view->pose);
        if (fr_random_below(r, 3) == 0) { motion.pivot_local = fr_vec3_scale(unit, scene_point(r, 2.0)); }
        uint64_t kind = fr_random_below(r, 4);
        if (kind != 1) { motion.travel = fr_vec3_scale(unit, scene_point(r, kind == 3 ? 0.05 : 3.0)); }
        if (kind != 0) {
            double turn = kind == 3 ? 0.05 : fr_random_between(r, 0.0, most_turn);
            motion.turn = fr_vec3_scale(turn, fr_vec3_unit(scene_point(r, 1.0), fr_vec3_make(0.0, 1.0, 0.0)));
        }
        fr_pose end = fr_motion_pose(&motion, 1.0);
        if (fr_random_below(r, 8) == 0) {
            end.position = fr_vec3_add(end.position, fr_vec3_scale(unit, scene_point(r, 0.3)));
        }
        fr_error error;
        fr_status status = fr_random_below(r, 4) == 0 && kind != 2
                               ? fr_object_set_next(space, id, &end, &error)
                               : fr_object_set_motion(space, id, &motion, &end, &error);
        if (status != FR_OK) { fail_msg("%s", error.message); }
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
}

static inline fr_collide_output scene_ask_step(fr_collide *collide, const fr_collide_input *input) {
    fr_collide_output output;
    fr_error error;
    if (fr_collide_continuous(collide, input, &output, &error) != FR_OK) { fail_msg("%s", error.message); }
    return output;
}

static inline int scene_compare_pairs(const fr_face_pair *a, const fr_face_pair *b) {
    uint32_t x[4] = {a->a, a->b, a->triangle_a, a->triangle_b}, y[4] = {b->a, b->b, b->triangle_a, b->triangle_b};
    for (int i = 0; i < 4; i++) {
        if (x[i] != y[i]) { return x[i] < y[i] ? -1 : 1; }
    }
    return 0;
}

// The pairs of an answer are sorted.
static inline const fr_face_pair *scene_find_pair(const fr_collide_output *out, const fr_face_pair *wanted) {
    size_t begin = 0, end = out->pair_count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        int order = scene_compare_pairs(&out->pairs[middle], wanted);
        if (order == 0) { return &out->pairs[middle]; }
        if (order < 0) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return NULL;
}

// The part of an object that has a triangle, and the triangle in it.
static inline uint32_t scene_part_of(const fr_space *space, fr_object_id id, uint32_t *triangle) {
    uint32_t part = 0;
    while (*triangle >= fr_mesh_get(fr_object_part(space, id, part).mesh)->triangle_count) {
        *triangle -= fr_mesh_get(fr_object_part(space, id, part++).mesh)->triangle_count;
    }
    return part;
}

// Whether two triangles are neighbours that go with one motion: of one part, with a corner at the same place. Over a
// step the poses at its ends decide such a pair, because in real arithmetic it keeps its shape; a pose between them is
// rounded, and the faces that it places may share points that those of the motion do not.
static inline bool scene_is_decided_at_ends(const fr_space *space, const fr_face_pair *pair) {
    fr_object_id id = fr_space_object_at(space, pair->a);
    uint32_t a = pair->triangle_a, b = pair->triangle_b;
    fr_vec3 corners_a[3], corners_b[3];
    if (pair->a != pair->b || fr_object_get(space, id)->next_vertices != NULL) { return false; }
    assert_int_equal(fr_object_corners(space, id, a, corners_a, NULL), FR_OK);
    assert_int_equal(fr_object_corners(space, id, b, corners_b, NULL), FR_OK);
    if (scene_part_of(space, id, &a) != scene_part_of(space, id, &b)) { return false; }
    for (int i = 0; i < 9; i++) {
        if (fr_vec3_equal(corners_a[i / 3], corners_b[i % 3])) { return true; }
    }
    return false;
}

#endif

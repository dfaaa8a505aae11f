// Shapes and a reference for tests of the radar: how far one mesh may go, from all pairs of triangles.
#ifndef FUREAI_TEST_SEEN_H
#define FUREAI_TEST_SEEN_H

#include "failing.h"
#include "frame.h"
#include "mesh_object.h"
#include "random_vector.h"

#include "fureai/fureai.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct stage {
    fr_space *space;
    fr_radar *radar;
    fr_radar_input input;
    fr_radar_output output;
} stage;

static inline void stage_open(stage *s, const fr_allocator *allocator) {
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &s->space, NULL), FR_OK);
    assert_int_equal(fr_radar_create(allocator, &s->radar, NULL), FR_OK);
    s->input = fr_default_radar_input();
    s->input.space = s->space;
}

static inline void stage_close(stage *s) {
    fr_radar_destroy(s->radar);
    fr_space_destroy(s->space);
}

// Adds a mesh as an object; the space holds it then.
static inline fr_object_id stage_add(stage *s, fr_mesh *mesh, fr_vec3 place, fr_quat turn) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose = fr_pose_make(place, turn);
    fr_object_id id;
    assert_int_equal(fr_object_add(s->space, &def, &id, NULL), FR_OK);
    fr_mesh_release(mesh);
    return id;
}

static inline void stage_look(stage *s, fr_object_id mover, fr_vec3 travel) {
    s->input.mover = mover;
    s->input.travel = travel;
    fr_error error = {0};
    if (!fr_space_is_current(s->space)) { assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK); }
    fr_status status = fr_radar_move(s->radar, &s->input, &s->output, &error);
    if (status != FR_OK) { print_error("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
}

// A query to be asked of a radar whose memory may run out: by each travel of looking where it tells them apart.
typedef struct stage_question {
    fr_status (*ask)(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output, fr_error *error);
    fr_radar_input input;
    fr_radar_look last_look; // from the input's own on
} stage_question;

static inline fr_status stage_ask_new_radar(const fr_allocator *allocator, void *context) {
    const stage_question *query = context;
    fr_radar_input input = query->input;
    fr_radar *radar;
    fr_status status = fr_radar_create(allocator, &radar, NULL);
    if (status != FR_OK) { return status; }
    for (int look = (int)input.look; look <= (int)query->last_look; look++) {
        input.look = (fr_radar_look)look;
        fr_radar_output output;
        fr_status asked = query->ask(radar, &input, &output, NULL);
        // A radar without memory answers as well as a new one once there is some.
        if (asked != FR_OK) {
            status = asked;
            test_lift_and_compare(allocator);
            assert_int_equal(query->ask(radar, &input, &output, NULL), FR_OK);
        }
        test_note(&output.distance, sizeof output.distance);
        test_note_number(output.is_hit);
    }
    fr_radar_destroy(radar);
    return status;
}

static inline fr_quat any_turn(fr_random *random) {
    fr_vec3 axis = random_within(random, fr_vec3_make(-1, -1, 0.1), fr_vec3_make(1, 1, 1));
    return fr_quat_from_axis_angle(axis, fr_random_between(random, -3, 3));
}

static inline fr_mesh *box(double x, double y, double z) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(x, y, z), NULL, &mesh, NULL), FR_OK);
    return mesh;
}

// A sphere of radius about 1 whose vertices lie in and out by up to `rough`: star-shaped, concave, closed.
static inline fr_mesh *star(fr_random *random, uint32_t stacks, double rough) {
    fr_mesh *sphere;
    assert_int_equal(fr_mesh_create_sphere(1.0, stacks, 2 * stacks, FR_AXIS_Y, NULL, &sphere, NULL), FR_OK);
    const fr_mesh_view *view = fr_mesh_get(sphere);
    double *positions = malloc(3 * sizeof(double) * view->vertex_count);
    assert_non_null(positions);
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        double radius = fr_random_between(random, 1.0 - rough, 1.0 + rough);
        for (uint32_t k = 0; k < 3; k++) {
            positions[3 * v + k] = radius * (double)view->positions_float[3 * v + k];
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = positions;
    def.vertex_count = view->vertex_count;
    def.triangles = view->triangles;
    def.triangle_count = view->triangle_count;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    free(positions);
    fr_mesh_release(sphere);
    return mesh;
}

// A star turned anyhow.
static inline fr_object_id stage_add_star(stage *s, fr_random *random, uint32_t stacks, double rough, fr_vec3 place) {
    fr_quat turn = any_turn(random);
    return stage_add(s, star(random, stacks, rough), place, turn);
}

// ---------------------------------------------------------------------------------------------------------------
// The reference: a corner of one on the other's face by solving for its two coordinates there, two edges by the planes
// they span with the travel

// The travel of `p` along unit `d` to the triangle; INFINITY where it misses or lies behind.
static inline double way_to_face(fr_vec3 p, const fr_vec3 t[3], fr_vec3 d) {
    fr_vec3 u = fr_vec3_sub(t[1], t[0]), v = fr_vec3_sub(t[2], t[0]), w = fr_vec3_sub(p, t[0]);
    fr_vec3 across = fr_vec3_cross(d, v);
    double det = fr_vec3_dot(u, across);
    if (det == 0.0) { return INFINITY; }
    double a = fr_vec3_dot(w, across) / det;
    fr_vec3 other = fr_vec3_cross(w, u);
    double b = fr_vec3_dot(d, other) / det, travel = fr_vec3_dot(v, other) / det;
    return a >= -1e-12 && b >= -1e-12 && a + b <= 1.0 + 1e-12 && travel >= -1e-12 ? travel : INFINITY;
}

static inline double way_of_edges(fr_vec3 a0, fr_vec3 a1, fr_vec3 b0, fr_vec3 b1, fr_vec3 d) {
    fr_vec3 u = fr_vec3_sub(a1, a0), v = fr_vec3_sub(b1, b0), w = fr_vec3_sub(b0, a0);
    double det = fr_vec3_dot(d, fr_vec3_cross(u, v));
    if (fabs(det) < 1e-14) { return INFINITY; }
    double s = fr_vec3_dot(d, fr_vec3_cross(w, v)) / det, t = fr_vec3_dot(d, fr_vec3_cross(w, u)) / det;
    double travel = fr_vec3_dot(w, fr_vec3_cross(u, v)) / det;
    bool is_met = s >= -1e-12 && s <= 1.0 + 1e-12 && t >= -1e-12 && t <= 1.0 + 1e-12 && travel >= -1e-12;
    return is_met ? travel : INFINITY;
}

static inline double way_of_triangles(const fr_vec3 a[3], const fr_vec3 b[3], fr_vec3 d) {
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        least = fmin(least, way_to_face(a[i], b, d));
        least = fmin(least, way_to_face(b[i], a, fr_vec3_negate(d)));
        for (int k = 0; k < 3; k++) {
            least = fmin(least, way_of_edges(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3], d));
        }
    }
    return least;
}

// The true travel from `a` to `b`, two objects that stand apart; INFINITY where they miss each other.
static inline double true_way(const fr_space *space, fr_object_id a, fr_object_id b, fr_vec3 travel) {
    double length = fr_vec3_length(travel), least = INFINITY;
    fr_vec3 d = fr_vec3_scale(1.0 / length, travel), p[3], q[3];
    uint32_t count_a = fr_object_get(space, a)->triangle_count, count_b = fr_object_get(space, b)->triangle_count;
    for (uint32_t i = 0; i < count_a; i++) {
        fr_object_corners(space, a, i, p, NULL);
        for (uint32_t k = 0; k < count_b; k++) {
            fr_object_corners(space, b, k, q, NULL);
            least = fmin(least, way_of_triangles(p, q, d));
        }
    }
    return least;
}

// The first contact of an object in the space's motions: a time of the step that is never late, and one by which it is
// sure; INFINITY where there is none. The space must be current.
static inline bool true_contact(const fr_space *space, fr_object_id mover, double *low, double *high) {
    fr_collide *collide;
    assert_int_equal(fr_collide_create(NULL, &collide, NULL), FR_OK);
    fr_collide_input input = fr_default_collide_input();
    input.space = space;
    input.set = FR_SET_FIRST;
    input.want = FR_WANT_CONTACTS;
    input.tolerance = 1e-9;
    input.time_tolerance = 1e-9;
    fr_collide_output output;
    assert_int_equal(fr_collide_continuous(collide, &input, &output, NULL), FR_OK);
    *low = *high = INFINITY;
    for (size_t i = 0; i < output.pair_count; i++) {
        const fr_contact *c = &output.contacts[i];
        if (!fr_object_id_equal(c->a, mover) && !fr_object_id_equal(c->b, mover)) { continue; }
        *low = fmin(*low, output.contacts[i].time);
        if (!isnan(output.contacts[i].time_sure)) { *high = fmin(*high, output.contacts[i].time_sure); }
    }
    fr_collide_destroy(collide);
    return *low < INFINITY;
}

// The first contact of a mover that goes and turns in one step, everybody else as set; it stands still again then.
static inline bool true_motion(stage *s, fr_object_id mover, fr_vec3 travel, fr_vec3 pivot, fr_vec3 axis, double angle,
                               double *low, double *high) {
    fr_pose pose = fr_object_get(s->space, mover)->pose;
    fr_pose inverse = fr_pose_inverse(&pose);
    fr_motion motion = fr_motion_still(&pose);
    motion.pivot_local = fr_pose_apply(&inverse, pivot);
    motion.travel = travel;
    motion.turn = fr_vec3_scale(angle, fr_vec3_unit(axis, axis));
    fr_pose end = fr_motion_pose(&motion, 1.0);
    assert_int_equal(fr_object_set_motion(s->space, mover, &motion, &end, NULL), FR_OK);
    assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK);
    bool is_hit = true_contact(s->space, mover, low, high);
    assert_int_equal(fr_object_set_pose(s->space, mover, &pose, NULL), FR_OK);
    assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK);
    return is_hit;
}

#endif

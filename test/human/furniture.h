// A room with furniture for reaches, and how deep the rigid pieces of a body are in it, by dense sampling.
#ifndef FUREAI_TEST_HUMAN_FURNITURE_H
#define FUREAI_TEST_HUMAN_FURNITURE_H

#include "fureai/collide.h"
#include "fureai/human_figure.h"
#include "fureai/space.h"
#include "random_vector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// A body at rest with its figure.
typedef struct person {
    fr_skeleton *skeleton;
    fr_figure *figure;
    fr_posture posture;
    fr_quat turns[FR_LINK_COUNT];
    fr_pose poses[FR_LINK_COUNT];
} person;

static inline void make_person(person *p) {
    fr_body_def def = fr_default_body_def();
    assert_int_equal(fr_skeleton_create_body(&def, &p->skeleton, NULL), FR_OK);
    fr_figure_def figure = fr_default_figure_def();
    figure.skeleton = p->skeleton;
    figure.detail = FR_FIGURE_COARSE;
    assert_int_equal(fr_figure_create(&figure, &p->figure, NULL), FR_OK);
    p->posture = (fr_posture){.turns = p->turns, .count = FR_LINK_COUNT};
    assert_int_equal(fr_posture_rest(p->skeleton, &p->posture, NULL), FR_OK);
    assert_int_equal(fr_posture_poses(p->skeleton, &p->posture, 1, p->poses, NULL), FR_OK);
}

static inline void destroy_person(person *p) {
    fr_figure_release(p->figure);
    fr_skeleton_release(p->skeleton);
}

static inline void put_mesh(fr_space *space, fr_mesh *mesh, fr_vec3 at, fr_quat turn, fr_object_id *out) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose = fr_pose_make(at, turn);
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, out != NULL ? out : &id, NULL), FR_OK);
    fr_mesh_release(mesh);
}

static inline void put_box(fr_space *space, fr_vec3 size, fr_vec3 at, double heading) {
    fr_mesh_def like = fr_default_mesh_def();
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create_box(size, &like, &mesh, NULL), FR_OK);
    put_mesh(space, mesh, at, fr_quat_from_vector(fr_vec3_make(0, heading, 0)), NULL);
}

// A table, a shelf, a lamp, a ball and boxes, at random about a body at the origin that faces +Z.
static inline fr_space *random_furniture(fr_random *random) {
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    double height = fr_random_between(random, 0.65, 1.0), z = fr_random_between(random, 0.45, 0.8);
    double heading = fr_random_between(random, -0.4, 0.4);
    put_box(space, fr_vec3_make(1.2, 0.03, 0.6), fr_vec3_make(fr_random_between(random, -0.3, 0.3), height, z),
            heading);
    for (int i = 0; i < 4; i++) {
        fr_vec3 at = {i % 2 == 0 ? 0.55 : -0.55, 0.5 * height, i < 2 ? z - 0.25 : z + 0.25};
        put_box(space, fr_vec3_make(0.04, height, 0.04), at, heading);
    }
    double side = fr_random_below(random, 2) == 0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) {
        fr_vec3 at = {side * fr_random_between(random, 0.55, 0.7), 0.7 + 0.4 * i, fr_random_between(random, 0.0, 0.3)};
        put_box(space, fr_vec3_make(0.3, 0.02, 0.8), at, 0.0);
    }
    fr_mesh_def like = fr_default_mesh_def();
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create_cylinder(0.03, 0.4, 16, FR_AXIS_Y, &like, &mesh, NULL), FR_OK);
    put_mesh(space, mesh, fr_vec3_make(fr_random_between(random, -0.4, 0.4), height + 0.215, z), fr_quat_identity(),
             NULL);
    assert_int_equal(fr_mesh_create_sphere(0.1, 12, 16, FR_AXIS_Y, &like, &mesh, NULL), FR_OK);
    put_mesh(space, mesh, random_within(random, fr_vec3_make(-0.6, 0.9, 0.3), fr_vec3_make(0.6, 1.7, 0.7)),
             fr_quat_identity(), NULL);
    for (int i = 0; i < 3; i++) {
        fr_vec3 size = random_within(random, fr_vec3_make(0.05, 0.05, 0.05), fr_vec3_make(0.3, 0.3, 0.3));
        fr_vec3 at = random_within(random, fr_vec3_make(-0.7, 0.7, 0.25), fr_vec3_make(0.7, 1.8, 0.8));
        put_box(space, size, at, fr_random_between(random, -1.0, 1.0));
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return space;
}

// How deep a point is in any object; 0 outside.
static inline double depth_of_point(const fr_space *space, fr_vec3 point, const fr_query_filter *filter) {
    fr_space_closest closest;
    assert_int_equal(fr_space_closest_point(space, point, 1e-9, true, filter, &closest, NULL), FR_OK);
    return closest.object.index1 != 0 && closest.distance < 0.0 ? -closest.distance : 0.0;
}

// How deep the surface of a convex piece is in any object: its corners, middles of edges and of triangles.
static inline double depth_of_piece(const fr_space *space, const fr_mesh *mesh, const fr_pose *pose,
                                    const fr_query_filter *filter) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    fr_vec3 center = fr_pose_apply(pose, fr_bounds_center(&view->bounds));
    fr_space_closest closest;
    double radius = 0.5 * fr_vec3_distance(view->bounds.min, view->bounds.max);
    assert_int_equal(fr_space_closest_point(space, center, radius, true, filter, &closest, NULL), FR_OK);
    if (closest.object.index1 == 0) { return 0.0; }
    double depth = 0.0;
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        fr_vec3 c[3];
        fr_mesh_corners(mesh, i, c);
        for (int k = 0; k < 3; k++) {
            fr_vec3 half = fr_vec3_lerp(c[k], c[(k + 1) % 3], 0.5);
            depth = fmax(depth, depth_of_point(space, fr_pose_apply(pose, c[k]), filter));
            depth = fmax(depth, depth_of_point(space, fr_pose_apply(pose, half), filter));
        }
        fr_vec3 middle = fr_vec3_scale(1.0 / 3.0, fr_vec3_add(c[0], fr_vec3_add(c[1], c[2])));
        depth = fmax(depth, depth_of_point(space, fr_pose_apply(pose, middle), filter));
    }

    // Corners of the objects that are in the piece.
    fr_pose back = fr_pose_inverse(pose);
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *object = fr_object_get(space, id);
        if (object == NULL) { continue; }
        if (filter != NULL && filter->accept != NULL && !filter->accept(space, id, id, filter->context)) { continue; }
        for (uint32_t t = 0; t < object->triangle_count; t++) {
            fr_vec3 c[3];
            assert_int_equal(fr_object_corners(space, id, t, c, NULL), FR_OK);
            for (int k = 0; k < 3; k++) {
                fr_vec3 local = fr_pose_apply(&back, c[k]);
                if (!fr_bounds_contain_point(&view->bounds, local) || !fr_mesh_contains(mesh, local)) { continue; }
                depth = fmax(depth, fr_mesh_closest(mesh, local, INFINITY).distance);
            }
        }
    }
    return depth;
}

// How deep the edges of the objects go into a convex piece, by points 5 mm apart.
static inline double depth_of_edges(const fr_space *space, const fr_mesh *mesh, const fr_pose *pose) {
    const fr_bounds *box = &fr_mesh_get(mesh)->bounds;
    fr_pose back = fr_pose_inverse(pose);
    double depth = 0.0;
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *object = fr_object_get(space, id);
        for (uint32_t t = 0; object != NULL && t < object->triangle_count; t++) {
            fr_vec3 c[3];
            assert_int_equal(fr_object_corners(space, id, t, c, NULL), FR_OK);
            for (int k = 0; k < 3; k++) {
                fr_vec3 a = fr_pose_apply(&back, c[k]), b = fr_pose_apply(&back, c[(k + 1) % 3]);
                double points = ceil(fr_vec3_distance(a, b) / 0.005);
                for (double m = 0.0; m <= points; m += 1.0) {
                    fr_vec3 point = fr_vec3_lerp(a, b, m / fmax(points, 1.0));
                    if (!fr_bounds_contain_point(box, point) || !fr_mesh_contains(mesh, point)) { continue; }
                    depth = fmax(depth, fr_mesh_closest(mesh, point, INFINITY).distance);
                }
            }
        }
    }
    return depth;
}

// The piece i of an arm with its hand: upper arm, forearm, palm, phalanges.
enum { ARM_PIECES = 17 };

static inline const fr_figure_proxy *arm_piece(const fr_figure *figure, bool is_left, uint32_t i) {
    const fr_figure_view *view = fr_figure_get(figure);
    uint32_t upper = is_left ? FR_LINK_LEFT_UPPER_ARM : FR_LINK_RIGHT_UPPER_ARM;
    return i < 3 ? &view->proxies[upper + i] : &view->phalanxes[(is_left ? 14 : 0) + i - 3];
}

// Which pieces of an arm meet a face of an object, exactly; bit i for piece i.
static inline uint32_t pieces_that_meet(const fr_space *space, const fr_figure *figure, const fr_pose *poses,
                                        bool is_left) {
    uint32_t meeting = 0;
    for (uint32_t i = 0; i < ARM_PIECES; i++) {
        const fr_figure_proxy *piece = arm_piece(figure, is_left, i);
        fr_part_def part = fr_default_part_def();
        part.mesh = piece->mesh;
        fr_move_input input = fr_default_move_input();
        input.space = space;
        input.parts = &part;
        input.part_count = 1;
        input.motion = fr_motion_still(&poses[piece->link]);
        fr_move_output output;
        assert_int_equal(fr_collide_move(&input, &output, NULL), FR_OK);
        meeting |= output.is_hit ? 1u << i : 0u;
    }
    return meeting;
}

// The same of an arm with its hand, phalanx by phalanx.
static inline double depth_of_arm(const fr_space *space, const fr_figure *figure, const fr_pose *poses, bool is_left,
                                  const fr_query_filter *filter) {
    double depth = 0.0;
    for (uint32_t i = 0; i < ARM_PIECES; i++) {
        const fr_figure_proxy *piece = arm_piece(figure, is_left, i);
        depth = fmax(depth, depth_of_piece(space, piece->mesh, &poses[piece->link], filter));
    }
    return depth;
}

#endif

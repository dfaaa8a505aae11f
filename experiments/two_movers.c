// Two bodies on given motions, and the exact colliding faces of each step.
#include "two_movers.h"

#include <stdlib.h>
#include <string.h>

static fr_status make_points(two_movers *movers, int k, fr_error *error) {
    const fr_mesh_view *view = fr_mesh_get(movers->meshes[k]);
    size_t count = view->vertex_count;
    fr_vec3 *points = calloc(3 * count, sizeof *points);
    movers->points[k] = points;
    if (points == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for vertices"); }
    for (size_t i = 0; i < count; i++) {
        if (view->positions_double != NULL) {
            memcpy(&points[i], view->positions_double + 3 * i, sizeof points[i]);
        } else {
            fr_vec3f f;
            memcpy(&f, view->positions_float + 3 * i, sizeof f);
            points[i] = fr_vec3_from_floats(f);
        }
    }
    movers->faces[k] = (fr_face_object){.start = points + count,
                                        .end = points + 2 * count,
                                        .triangles = view->triangles,
                                        .vertex_count = view->vertex_count,
                                        .triangle_count = view->triangle_count};
    return FR_OK;
}

static fr_status add_object(two_movers *movers, int k, fr_error *error) {
    fr_part_def part = fr_default_part_def();
    part.mesh = movers->meshes[k];
    fr_object_def object = fr_default_object_def();
    object.parts = &part;
    object.part_count = 1;
    return fr_object_add(movers->space, &object, &movers->ids[k], error);
}

fr_status two_movers_create(const fr_mesh *const meshes[2], two_movers *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    fr_space_def def = fr_default_space_def();
    fr_status status = fr_space_create(&def, &out->space, error);
    for (int k = 0; k < 2 && status == FR_OK; k++) {
        out->meshes[k] = fr_mesh_retain(meshes[k]);
        status = make_points(out, k, error);
        if (status == FR_OK) { status = add_object(out, k, error); }
    }
    if (status == FR_OK) { status = fr_space_update(out->space, NULL, error); }
    if (status == FR_OK) { status = fr_face_cycle_create(NULL, &out->cycle, error); }
    if (status == FR_OK) { status = fr_collide_create(NULL, &out->collide, error); }
    if (status != FR_OK) { two_movers_destroy(out); }
    return status;
}

void two_movers_destroy(two_movers *movers) {
    fr_collide_destroy(movers->collide);
    fr_face_cycle_destroy(movers->cycle);
    fr_space_destroy(movers->space);
    for (int k = 0; k < 2; k++) {
        free(movers->points[k]);
        fr_mesh_release(movers->meshes[k]);
    }
    memset(movers, 0, sizeof *movers);
}

fr_status two_movers_place(two_movers *movers, const fr_pose start[2], const fr_pose end[2], fr_error *error) {
    for (size_t k = 0; k < 2; k++) {
        size_t count = movers->faces[k].vertex_count;
        fr_pose_apply_many(&start[k], movers->points[k], count, movers->points[k] + count);
        fr_pose_apply_many(&end[k], movers->points[k], count, movers->points[k] + 2 * count);
        fr_status status = fr_object_set_pose(movers->space, movers->ids[k], &start[k], error);
        if (status == FR_OK) { status = fr_object_set_next(movers->space, movers->ids[k], &end[k], error); }
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

fr_status two_movers_cycle(two_movers *movers, const fr_face_cycle_input *like, fr_face_cycle_output *output,
                           fr_error *error) {
    fr_face_cycle_input input = *like;
    input.objects = movers->faces;
    input.object_count = 2;
    return fr_face_cycle_run(movers->cycle, &input, output, error);
}

fr_status two_movers_fast(two_movers *movers, fr_narrow narrow, const fr_control *control, fr_collide_output *output,
                          fr_error *error) {
    fr_collide_input input = fr_default_collide_input();
    input.space = movers->space;
    input.want = FR_WANT_TIMES;
    input.narrow = narrow;
    input.method = FR_COLLIDE_TREE;
    input.balance = FR_BALANCE_SERIAL;
    input.control = control;
    fr_status status =
        fr_collide_continuous_pair(movers->collide, &input, movers->ids[0], movers->ids[1], output, error);
    if (status == FR_OK && output->is_partial) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    return status;
}

void spheres_poses(const spheres_motion *motion, double cycle, fr_pose out[2]) {
    static const fr_vec3 start[2] = {{2.5, 2.5, 2.5}, {8.5, 6.5, 6.5}}, travel = {0.015, 0.0075, 0.01};
    double at = motion->speed * (cycle + motion->phase);
    double angle = 0.25 * FR_PI / 180.0 * at;
    for (int k = 0; k < 2; k++) {
        fr_vec3 place = fr_vec3_add_scaled(start[k], k == 0 ? at : -at, travel);
        fr_quat turned =
            fr_quat_multiply(fr_quat_from_vector(fr_vec3_make(0.0, angle, 0.0)), fr_quat_from_vector(motion->turn[k]));
        out[k] = fr_pose_make(fr_vec3_add(place, motion->offset), turned);
        out[k].scale = 0.5 * SPHERES_DIAMETER;
    }
}

fr_status spheres_place(two_movers *movers, const spheres_motion *motion, int cycle, fr_error *error) {
    fr_pose start[2], end[2];
    spheres_poses(motion, cycle, start);
    spheres_poses(motion, cycle + 1, end);
    return two_movers_place(movers, start, end, error);
}

// Planning in time: a cube crosses a road on which two blocks go to and fro. What is known of their motion is part of
// the input; the states of the path carry times, and the cube waits where it has to.
#include "fureai/plan.h"

#include <stdio.h>

static int fail(const fr_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

static fr_status put(fr_space *space, fr_mesh *mesh, fr_vec3 position, fr_object_id *id, fr_error *error) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = position;
    return fr_object_add(space, &def, id, error);
}

// Along z from one end to the other and back, over and over.
static void go_to_and_fro(double x, double z, double seconds, fr_path_sample samples[3], fr_path_obstacle *out) {
    for (int i = 0; i < 3; i++) {
        samples[i].time = seconds * i;
        samples[i].pose = fr_pose_identity();
        samples[i].pose.position = fr_vec3_make(x, 0.0, i == 1 ? -z : z);
    }
    out->samples = samples;
    out->sample_count = 3;
    out->period = 2.0 * seconds;
}

// A tunnel along x, 2 high, with a road across it: two walls, then two blocks.
static fr_status build(fr_space **space, fr_object_id ids[4], fr_error *error) {
    fr_mesh *wall, *block;
    fr_space_def def = fr_default_space_def();
    fr_status status = fr_space_create(&def, space, error);
    if (status != FR_OK) { return status; }
    status = fr_mesh_create_box(fr_vec3_make(20.0, 1.0, 20.0), NULL, &wall, error);
    if (status != FR_OK) { return status; }
    status = fr_mesh_create_box(fr_vec3_make(1.5, 1.8, 3.0), NULL, &block, error);
    if (status != FR_OK) { return status; }
    const fr_vec3 places[4] = {{0.0, 1.5, 0.0}, {0.0, -1.5, 0.0}, {-1.0, 0.0, 4.0}, {1.0, 0.0, -4.0}};
    for (int i = 0; i < 4 && status == FR_OK; i++) {
        status = put(*space, i < 2 ? wall : block, places[i], &ids[i], error);
    }
    fr_mesh_release(wall);
    fr_mesh_release(block);
    return status == FR_OK ? fr_space_update(*space, NULL, error) : status;
}

int main(void) {
    fr_error error;
    fr_space *space;
    fr_mesh *cube;
    fr_object_id ids[4];
    if (build(&space, ids, &error) != FR_OK ||
        fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &cube, &error) != FR_OK) {
        return fail(&error);
    }

    // How the blocks move. The cube goes at most 1 metre and a quarter turn a second.
    fr_path_sample samples[2][3];
    fr_path_obstacle obstacles[2] = {{.object = ids[2]}, {.object = ids[3]}};
    go_to_and_fro(-1.0, 4.0, 5.0, samples[0], &obstacles[0]);
    go_to_and_fro(1.0, -4.0, 6.0, samples[1], &obstacles[1]);
    fr_part_def body = fr_default_part_def();
    body.mesh = cube;
    fr_path_input input = fr_default_path_input();
    input.space = space;
    input.parts = &body;
    input.part_count = 1;
    input.start.position = fr_vec3_make(-5.0, 0.0, 0.0);
    input.goal.position = fr_vec3_make(5.0, 0.0, 0.0);
    input.bounds = (fr_bounds){fr_vec3_make(-6.0, -0.5, -0.5), fr_vec3_make(6.0, 0.5, 0.5)};
    input.obstacles = obstacles;
    input.obstacle_count = 2;
    input.objective = FR_PATH_SHORTEST;
    fr_path path;
    if (fr_plan_path(&input, &path, &error) != FR_OK) { return fail(&error); }
    if (!path.is_found) { return 1; }
    printf("%s in time, %s; it waits: %s\n", path.is_timed ? "planned" : "not planned",
           path.is_checked ? "proven free" : "not proven", path.waiting > 0.0 ? "yes" : "no");

    // The same places a second later: the checker finds what is met.
    fr_path_check_output check;
    for (uint32_t i = 0; i < path.state_count; i++) {
        path.times[i] += 1.0;
    }
    if (fr_plan_check_timed_path(&input, path.states, path.times, path.state_count, &check, &error) != FR_OK) {
        return fail(&error);
    }
    printf("a second later: %s\n", check.is_valid ? "free too" : "not free");
    int result = path.is_checked && path.is_timed ? 0 : 1;
    fr_path_destroy(&path);
    fr_mesh_release(cube);
    fr_space_destroy(space);
    return result;
}

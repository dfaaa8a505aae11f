// Cells that move: builds the octree of a chair, turns it from the reference, asks where it is, and finds where it and
// a ball share cells; then keeps the faces of both in one environment.
#include "fureai/octree.h"

#include <stdio.h>

static int fail(const fr_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

static bool count_cell(const fr_cell *cell, const uint32_t *trees, uint32_t count, void *context) {
    (void)cell;
    (void)trees;
    (void)count;
    ++*(int *)context;
    return true;
}

static bool count_pair(const fr_cell *cell, const fr_cell_face *a, const fr_cell_face *b, void *context) {
    (void)cell;
    (void)a;
    (void)b;
    ++*(int *)context;
    return true;
}

// Faces in cells: a snapshot stays as it is while objects move on.
static fr_status print_faces(const fr_octree_def *def, const fr_mesh *chair, const fr_mesh *ball, const fr_pose *pose,
                             fr_error *error) {
    fr_environment *environment;
    fr_status status = fr_environment_create(def, &environment, error);
    if (status == FR_OK) { status = fr_environment_set(environment, 1, chair, NULL, error); }
    if (status == FR_OK) { status = fr_environment_set(environment, 2, ball, pose, error); }
    if (status != FR_OK) { return status; }
    int with_ball = 0, without = 0;
    const fr_cells *snapshot = fr_environment_snapshot(environment);
    status = fr_environment_remove(environment, 2, error);
    if (status != FR_OK) { return status; }
    fr_cells_pairs(snapshot, count_pair, &with_ball);
    fr_cells_release(snapshot);
    snapshot = fr_environment_snapshot(environment);
    fr_cells_pairs(snapshot, count_pair, &without);
    fr_cells_release(snapshot);
    printf("candidates of faces in cells: %s, and after the ball is gone %s\n", with_ball > 0 ? "some" : "none",
           without > 0 ? "some" : "none");
    fr_environment_destroy(environment);
    return FR_OK;
}

int main(void) {
    fr_error error;
    fr_mesh *chair, *ball;
    if (fr_mesh_create_named("chair", NULL, &chair, &error) != FR_OK) { return fail(&error); }
    if (fr_mesh_create_sphere(0.2, 8, 16, FR_AXIS_Y, NULL, &ball, &error) != FR_OK) { return fail(&error); }

    // One root for both: a cube about the chair in which it can turn, of 64 voxels an axis.
    fr_octree_def def = fr_default_octree_def();
    def.depth = 6;
    fr_octree_root_about(&fr_mesh_get(chair)->bounds, &def);
    fr_octree *trees[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) {
        if (fr_octree_create(&def, &trees[i], &error) != FR_OK) { return fail(&error); }
    }

    // The chair once, as the reference; then a quarter turn about the vertical, by overlap: nothing of it is lost.
    fr_octree_builder *builder;
    if (fr_octree_builder_create(NULL, &builder, &error) != FR_OK) { return fail(&error); }
    fr_octree_build_input build = fr_default_octree_build_input();
    build.mesh = chair;
    if (fr_octree_build(builder, &build, trees[0], &error) != FR_OK) { return fail(&error); }
    fr_octree_reference *reference;
    if (fr_octree_reference_create(trees[0], NULL, &reference, &error) != FR_OK) { return fail(&error); }
    fr_octree_move_input move = fr_default_octree_move_input();
    move.rule = FR_OCTREE_OVERLAP;
    move.motion = fr_octree_motion_turn(fr_vec3_make(0.0, 0.0, 0.0), fr_vec3_make(0.0, 1.0, 0.0), 0.3);
    fr_octree_move_output moved;
    if (fr_octree_move(reference, &move, trees[1], &moved, NULL) != FR_OK) { return 1; }
    fr_octree_counts before = fr_octree_count(trees[0]), after = fr_octree_count(trees[1]);
    printf("chair: %llu voxels in %llu black cells; turned: %llu voxels%s\n", (unsigned long long)before.black_voxels,
           (unsigned long long)before.black, (unsigned long long)after.black_voxels,
           moved.is_clipped ? ", clipped" : "");

    // A ball on the seat, made of its mesh where it is now.
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, 0.6, 0.0), fr_quat_identity());
    build.mesh = ball;
    build.pose = &pose;
    if (fr_octree_build(builder, &build, trees[2], &error) != FR_OK) { return fail(&error); }
    int cells = 0;
    const fr_octree *both[2] = {trees[1], trees[2]};
    fr_octree_traverse_input input = {.trees = both, .tree_count = 2, .found = count_cell, .context = &cells};
    if (fr_octree_traverse(&input, NULL, &error) != FR_OK) { return fail(&error); }
    printf("the ball and the turned chair share %d cells\n", cells);

    if (print_faces(&def, chair, ball, &pose, &error) != FR_OK) { return fail(&error); }
    fr_octree_reference_destroy(reference);
    fr_octree_builder_destroy(builder);
    for (int i = 0; i < 3; i++) {
        fr_octree_destroy(trees[i]);
    }
    fr_mesh_release(chair);
    fr_mesh_release(ball);
    return 0;
}

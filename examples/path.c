// Finding a path among faces: a knot goes between three blocks. First a path and its proof, then a shorter one; then a
// block moves into the path, which is mended.
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

static void print_path(const char *what, const fr_path *path) {
    printf("%s: %s, %.1f m, %.0f degrees, %s\n", what, path->is_found ? "found" : "none", path->length,
           fr_degrees(path->turning), path->is_checked ? "proven free" : "not proven");
}

int main(void) {
    // Blocks of 2 x 4 x 4 with gaps of 1 between them, in a room of 12.
    fr_error error;
    fr_space *space;
    fr_mesh *block, *knot;
    fr_object_id ids[3];
    fr_space_def space_def = fr_default_space_def();
    if (fr_space_create(&space_def, &space, &error) != FR_OK ||
        fr_mesh_create_box(fr_vec3_make(2.0, 4.0, 4.0), NULL, &block, &error) != FR_OK ||
        fr_mesh_create_named("knot_1920", NULL, &knot, &error) != FR_OK) {
        return fail(&error);
    }
    for (int i = 0; i < 3; i++) {
        if (put(space, block, fr_vec3_make(0.0, 5.0 * i - 5.0, 0.0), &ids[i], &error) != FR_OK) { return fail(&error); }
    }
    if (fr_space_update(space, NULL, &error) != FR_OK) { return fail(&error); }

    // The body, a tenth of its size, from one side to the other.
    fr_part_def body = fr_default_part_def();
    body.mesh = knot;
    fr_path_input input = fr_default_path_input();
    input.space = space;
    input.parts = &body;
    input.part_count = 1;
    input.start.scale = 0.1;
    input.start.position = fr_vec3_make(-4.0, 0.0, 0.0);
    input.goal.position = fr_vec3_make(4.0, 0.0, 0.0);
    input.bounds = (fr_bounds){fr_vec3_make(-6.0, -6.0, -6.0), fr_vec3_make(6.0, 6.0, 6.0)};
    fr_path first, shorter, mended;
    if (fr_plan_path(&input, &first, &error) != FR_OK) { return fail(&error); }
    print_path("first", &first);
    input.objective = FR_PATH_SHORTEST;
    if (fr_plan_path(&input, &shorter, &error) != FR_OK) { return fail(&error); }
    printf("the shorter one is %s\n", shorter.is_found && shorter.length <= first.length ? "shorter" : "not shorter");

    // The middle block goes where the path is now.
    fr_pose pose = fr_pose_identity();
    pose.position = fr_vec3_lerp(shorter.states[0].position, shorter.states[1].position, 0.5);
    pose.position.x = 0.0;
    pose.scale = 0.5;
    if (fr_object_set_pose(space, ids[1], &pose, &error) != FR_OK || fr_space_update(space, NULL, &error) != FR_OK ||
        fr_plan_repair_path(&input, &shorter, 0, &mended, &error) != FR_OK) {
        return fail(&error);
    }
    printf("mended: %s, %s\n", mended.is_found ? "found" : "none", mended.is_checked ? "proven free" : "not proven");
    int result = first.is_checked && shorter.is_checked && mended.is_checked ? 0 : 1;
    fr_path_destroy(&first);
    fr_path_destroy(&shorter);
    fr_path_destroy(&mended);
    fr_mesh_release(block);
    fr_mesh_release(knot);
    fr_space_destroy(space);
    return result;
}

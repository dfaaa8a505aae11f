// Finds what a stool and a table let a person of 1.70 m do, and what is left of it after the stool moved.
#include "fureai/human_surface.h"

#include <stdio.h>

static int fail(const fr_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

static fr_status add_box(fr_space *space, fr_vec3 size, fr_vec3 at, fr_object_id *out, fr_error *error) {
    fr_mesh *mesh;
    fr_status status = fr_mesh_create_box(size, NULL, &mesh, error);
    if (status != FR_OK) { return status; }
    fr_pose pose = fr_pose_make(at, fr_quat_identity());
    status = fr_object_add_mesh(space, mesh, &pose, out, error);
    fr_mesh_release(mesh);
    return status;
}

static void print(const fr_surfaces *surfaces, fr_object_id stool) {
    for (uint32_t i = 0; i < fr_surfaces_get_stats(surfaces).count; i++) {
        fr_surface s = fr_surfaces_at(surfaces, i);
        printf("%s: %s by the skill %s, from (%.2f, %.2f)\n", fr_object_id_equal(s.object, stool) ? "stool" : "table",
               fr_surface_word(s.kind), fr_surface_skill(s.kind), s.place.x, s.place.z);
    }
}

int main(void) {
    fr_error error;
    fr_space_def space_def = fr_default_space_def();
    fr_space *space;
    fr_object_id stool, table;
    if (fr_space_create(&space_def, &space, &error) != FR_OK) { return fail(&error); }
    if (add_box(space, fr_vec3_make(0.4, 0.45, 0.4), fr_vec3_make(0, 0.225, 0), &stool, &error) != FR_OK ||
        add_box(space, fr_vec3_make(1.2, 0.75, 0.8), fr_vec3_make(0, 0.375, 1.2), &table, &error) != FR_OK ||
        fr_space_update(space, NULL, &error) != FR_OK) {
        return fail(&error);
    }

    // The ground is the plane y = 0 by default; fr_body_measures_of gives the measures of any other body.
    fr_surfaces_def def = fr_default_surfaces_def();
    fr_surfaces_input input = fr_default_surfaces_input();
    input.space = space;
    fr_surfaces *surfaces;
    if (fr_surfaces_create(&def, &surfaces, &error) != FR_OK) { return fail(&error); }
    if (fr_surfaces_update(surfaces, &input, &error) != FR_OK) { return fail(&error); }
    print(surfaces, stool);

    // Under the table the stool is no seat any more.
    fr_pose pose = fr_pose_make(fr_vec3_make(0, 0.225, 1.2), fr_quat_identity());
    if (fr_object_set_pose(space, stool, &pose, &error) != FR_OK || fr_space_update(space, NULL, &error) != FR_OK ||
        fr_surfaces_update(surfaces, &input, &error) != FR_OK) {
        return fail(&error);
    }
    printf("after the stool moved:\n");
    print(surfaces, stool);
    fr_surfaces_destroy(surfaces);
    fr_space_destroy(space);
    return 0;
}

// A box is pushed obliquely into a corner of two walls: it slides along the first, then along both, and ends.
#include "fureai/fureai.h"

#include <stdio.h>

static bool add_wall(fr_space *space, fr_vec3 size, fr_vec3 position) {
    fr_mesh *mesh;
    if (fr_mesh_create_box(size, NULL, &mesh, NULL) != FR_OK) { return false; }
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = position;
    fr_object_id id;
    bool is_there = fr_object_add(space, &def, &id, NULL) == FR_OK;
    fr_mesh_release(mesh);
    return is_there;
}

int main(void) {
    fr_space *space;
    fr_mesh *box;
    fr_space_def def = fr_default_space_def();
    if (fr_space_create(&def, &space, NULL) != FR_OK) { return 1; }
    if (fr_mesh_create_box(fr_vec3_make(0.2, 0.2, 0.2), NULL, &box, NULL) != FR_OK) { return 1; }
    if (!add_wall(space, fr_vec3_make(10.0, 1.0, 10.0), fr_vec3_make(0.0, -1.1, 0.0))) { return 1; }
    if (!add_wall(space, fr_vec3_make(1.0, 10.0, 10.0), fr_vec3_make(1.1, 0.0, 0.0))) { return 1; }
    fr_space_update(space, NULL, NULL);

    static _Alignas(max_align_t) unsigned char scratch[FR_SLIDE_SCRATCH_BYTES];
    fr_part_def part = fr_default_part_def();
    part.mesh = box;
    fr_slide_input input = fr_default_slide_input();
    input.query.space = space;
    input.query.parts = &part;
    input.query.part_count = 1;
    input.query.motion.travel = fr_vec3_make(1.0, -1.5, 2.0);
    input.scratch = scratch;
    fr_slide_output output;
    if (fr_collide_slide(&input, &output, NULL) != FR_OK) { return 1; }
    fr_vec3 at = output.pose.position;
    printf("stopped %u times, ends at %.2f %.2f %.2f\n", output.rounds, at.x, at.y, at.z);

    fr_space_destroy(space);
    fr_mesh_release(box);
    return output.end == FR_SLIDE_ARRIVED ? 0 : 1;
}

// A slide pushes a box against a stop and jams there: the box yields to faces alone, and nothing goes through it.
#include "fureai/fureai.h"

#include <stdio.h>

// The caller releases the mesh of the part.
static fr_object_id add_box(fr_space *space, fr_vec3 size, fr_vec3 position, fr_part_def *part) {
    fr_object_id id = {0, 0, 0};
    fr_mesh *mesh;
    *part = fr_default_part_def();
    if (fr_mesh_create_box(size, NULL, &mesh, NULL) != FR_OK) { return id; }
    part->mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = part;
    def.part_count = 1;
    def.pose.position = position;
    fr_object_add(space, &def, &id, NULL);
    return id;
}

int main(void) {
    fr_space *space;
    fr_space_def def = fr_default_space_def();
    if (fr_space_create(&def, &space, NULL) != FR_OK) { return 1; }
    fr_part_def parts[4]; // of the box, the floor, the stop and the slide
    fr_object_id box = add_box(space, fr_vec3_make(0.1, 0.1, 0.1), fr_vec3_make(0.0, 0.0501, 0.0), &parts[0]);
    (void)add_box(space, fr_vec3_make(4.0, 0.2, 4.0), fr_vec3_make(0.0, -0.1, 0.0), &parts[1]);
    (void)add_box(space, fr_vec3_make(0.02, 0.1, 0.02), fr_vec3_make(0.07, 0.06, -0.04), &parts[2]);
    fr_object_id slide = add_box(space, fr_vec3_make(0.02, 0.04, 0.2), fr_vec3_make(-0.07, 0.05, 0.0), &parts[3]);
    fr_pusher pusher = {slide, fr_motion_still(&fr_object_get(space, slide)->pose)};
    pusher.motion.travel = fr_vec3_make(0.04, 0.0, 0.0);
    fr_space_update(space, NULL, NULL);

    static _Alignas(max_align_t) unsigned char scratch[FR_PUSH_SCRATCH_BYTES];
    fr_query_filter others = fr_default_query_filter();
    others.ignore = box;
    fr_push_input input = fr_default_push_input();
    input.space = space;
    input.parts = &parts[0];
    input.part_count = 1;
    input.pose = fr_object_get(space, box)->pose;
    if (fr_rebound_body_of(space, box, 500.0, &input.body, NULL) != FR_OK) { return 1; }
    input.pushers = &pusher;
    input.pusher_count = 1;
    input.filter = &others;
    input.scratch = scratch;
    fr_push_output output;
    if (fr_touch_push(&input, &output, NULL) != FR_OK) { return 1; }
    fr_vec3 at = output.pose.position;
    printf("the slide got %.0f %% of its travel, the box is at %.3f %.3f %.3f\n", 100.0 * output.fraction, at.x, at.y,
           at.z);

    fr_space_destroy(space);
    for (int i = 0; i < 4; i++) {
        fr_mesh_release(parts[i].mesh);
    }
    return output.end == FR_PUSH_INSIDE || output.piece_count == 0 ? 1 : 0;
}

// A rod turns once round in one step and hits a post: when, where, and what else it could have done.
#include "fureai/fureai.h"

#include <stdio.h>

static fr_object_id add_box(fr_space *space, fr_vec3 size, fr_vec3 position) {
    fr_object_id id = {0, 0, 0};
    fr_mesh *mesh;
    if (fr_mesh_create_box(size, NULL, &mesh, NULL) != FR_OK) { return id; }
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = position;
    fr_object_add(space, &def, &id, NULL);
    fr_mesh_release(mesh);
    return id;
}

int main(void) {
    fr_space *space;
    fr_collide *collide;
    fr_space_def def = fr_default_space_def();
    if (fr_space_create(&def, &space, NULL) != FR_OK || fr_collide_create(NULL, &collide, NULL) != FR_OK) { return 1; }
    fr_object_id rod = add_box(space, fr_vec3_make(2.0, 0.1, 0.1), fr_vec3_make(0.0, 0.0, 0.0));
    add_box(space, fr_vec3_make(0.1, 1.0, 0.1), fr_vec3_make(0.0, 0.0, -0.8));

    // Once round the axis y: at both ends of the step nothing touches.
    fr_motion turn = fr_motion_still(&fr_object_get(space, rod)->pose);
    turn.turn.y = fr_radians(360.0);
    fr_pose end = fr_motion_pose(&turn, 1.0);
    fr_object_set_motion(space, rod, &turn, &end, NULL);
    fr_space_update(space, NULL, NULL);
    fr_collide_input input = fr_default_collide_input();
    input.space = space;
    input.want = FR_WANT_CONTACTS;
    input.set = FR_SET_FIRST;
    fr_collide_output output;
    if (fr_collide_continuous(collide, &input, &output, NULL) != FR_OK || output.pair_count == 0) { return 1; }
    printf("after %.1f degrees, at height %.2f\n", 360.0 * output.free_time, output.contacts[0].point.y);

    // What if it first rose above the post? Nothing is changed by asking.
    fr_part_def part = fr_default_part_def();
    part.mesh = fr_object_part(space, rod, 0).mesh;
    fr_query_filter others = fr_default_query_filter();
    others.ignore = rod;
    fr_move_input move = fr_default_move_input();
    move.space = space;
    move.parts = &part;
    move.part_count = 1;
    move.motion = turn;
    move.motion.start.position.y = 0.6;
    move.filter = &others;
    fr_move_output would = {.is_hit = true};
    fr_collide_move(&move, &would, NULL);
    printf("higher up it %s\n", would.is_hit ? "hits" : "passes");

    fr_collide_destroy(collide);
    fr_space_destroy(space);
    return would.is_hit ? 1 : 0;
}

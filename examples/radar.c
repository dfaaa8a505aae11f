// A ball looks ahead before it rolls: how far may it go, and what will it meet?
#include "fureai/fureai.h"

#include <stdio.h>

static fr_object_id add(fr_space *space, const fr_mesh *mesh, fr_vec3 place) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = place;
    fr_object_id id = {0};
    fr_object_add(space, &def, &id, NULL);
    return id;
}

int main(void) {
    fr_space_def space_def = fr_default_space_def();
    fr_space *space;
    fr_radar *radar;
    fr_mesh *ball, *wall;
    if (fr_space_create(&space_def, &space, NULL) != FR_OK || fr_radar_create(NULL, &radar, NULL) != FR_OK ||
        fr_mesh_create_named("sphere_960", NULL, &ball, NULL) != FR_OK ||
        fr_mesh_create_box(fr_vec3_make(1, 6, 6), NULL, &wall, NULL) != FR_OK) {
        return 1;
    }
    fr_object_id mover = add(space, ball, fr_vec3_make(0, 0, 0));
    add(space, wall, fr_vec3_make(5, 0, 0));
    if (fr_space_update(space, NULL, NULL) != FR_OK) { return 1; }

    fr_radar_input input = fr_default_radar_input();
    input.space = space;
    input.mover = mover;
    input.travel = fr_vec3_make(10, 0, 0);
    static const char *const names[] = {"centre", "conservative", "refined", "exact"};
    for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT; look++) {
        input.look = (fr_radar_look)look;
        fr_radar_output output;
        fr_error error;
        if (fr_radar_move(radar, &input, &output, &error) != FR_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        printf("%-12s  %.4f m, between %.4f and %.4f\n", names[look], output.distance, output.low, output.high);
    }
    fr_radar_destroy(radar);
    fr_space_destroy(space);
    fr_mesh_release(ball);
    fr_mesh_release(wall);
    return 0;
}

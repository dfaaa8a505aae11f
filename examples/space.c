// A space of three things: who may meet whom in the step to come, what a ray meets, and how far apart two of them are.
#include "fureai/fureai.h"

#include <stdio.h>

static fr_object_id put(fr_space *space, const fr_mesh *mesh, fr_vec3 position, uint32_t flags) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = position;
    def.flags = flags;
    fr_object_id id;
    (void)fr_object_add(space, &def, &id, NULL);
    return id;
}

static bool count_pair(const fr_part_pair *pair, void *context) {
    printf("objects %u and %u may meet in this step\n", pair->object_a, pair->object_b);
    (*(int *)context)++;
    return true;
}

int main(void) {
    fr_mesh *box = NULL, *ball = NULL;
    fr_space *space = NULL;
    fr_space_def def = fr_default_space_def();
    if (fr_mesh_create_box(fr_vec3_make(4, 1, 4), NULL, &box, NULL) != FR_OK) { return 1; }
    if (fr_mesh_create_named("sphere_960", NULL, &ball, NULL) != FR_OK) { return 1; }
    if (fr_space_create(&def, &space, NULL) != FR_OK) { return 1; }
    fr_object_id table = put(space, box, fr_vec3_make(0, 0, 0), FR_OBJECT_STATIC);
    fr_object_id falling = put(space, ball, fr_vec3_make(0, 3, 0), 0);
    (void)put(space, ball, fr_vec3_make(9, 3, 0), 0);

    // The ball falls through the table within one step: it is above it before, and below it after.
    fr_pose below = fr_pose_make(fr_vec3_make(0, -3, 0), fr_quat_identity());
    (void)fr_object_set_next(space, falling, &below, NULL);
    fr_status status = fr_space_update(space, NULL, NULL);

    int pairs = 0;
    fr_space_pairs_input query = {0, NULL, NULL};
    if (status == FR_OK) { status = fr_space_pairs(space, &query, count_pair, &pairs, NULL); }

    fr_ray ray = {{9, 10, 0.1}, {0, -1, 0}, INFINITY};
    fr_space_hit hit = {0};
    if (status == FR_OK) { status = fr_space_ray(space, &ray, NULL, &hit, NULL); }
    printf("the ray meets object %u at y = %.2f\n", hit.object.index1 - 1, hit.point.y);

    fr_object_distance apart = {0};
    if (status == FR_OK) { status = fr_space_distance(space, table, falling, INFINITY, &apart, NULL); }
    printf("ball and table are %.2f m apart\n", apart.distance);

    fr_space_destroy(space);
    fr_mesh_release(ball);
    fr_mesh_release(box);
    return status == FR_OK && pairs == 1 && hit.object.index1 == 3 ? 0 : 1;
}

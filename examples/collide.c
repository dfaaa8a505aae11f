// Which faces of two spheres touch: where, in which direction, and how deep.
#include "fureai/fureai.h"

#include <stdio.h>

static fr_object_id add_sphere(fr_space *space, const fr_mesh *mesh, double x) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position.x = x;
    fr_object_id id = {0, 0, 0};
    fr_object_add(space, &def, &id, NULL);
    return id;
}

int main(void) {
    fr_space *space;
    fr_collide *collide;
    fr_mesh *mesh;
    fr_space_def def = fr_default_space_def();
    if (fr_space_create(&def, &space, NULL) != FR_OK) { return 1; }
    if (fr_collide_create(NULL, &collide, NULL) != FR_OK) { return 1; }
    if (fr_mesh_create_named("sphere_80", NULL, &mesh, NULL) != FR_OK) { return 1; }

    // Two spheres of radius 1 whose centres are 1.7 apart.
    add_sphere(space, mesh, 0.0);
    add_sphere(space, mesh, 1.7);
    fr_space_update(space, NULL, NULL);

    fr_collide_input input = fr_default_collide_input();
    input.space = space;
    input.want = FR_WANT_CONTACTS;
    fr_collide_output output;
    fr_error error;
    if (fr_collide_static(collide, &input, &output, &error) != FR_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    printf("%zu pairs of faces:\n", output.pair_count);
    for (size_t i = 0; i < output.pair_count; i++) {
        const fr_contact *c = &output.contacts[i];
        printf("  face %2u and face %2u  at %5.2f %5.2f %5.2f  depth %.3f%s\n", c->triangle_a, c->triangle_b,
               c->point.x, c->point.y, c->point.z, c->distance < 0.0 ? -c->distance : 0.0,
               c->flags & FR_CONTACT_TOUCHING ? "  (touching)" : "");
    }
    bool found = output.pair_count > 0;

    fr_collide_destroy(collide);
    fr_space_destroy(space);
    fr_mesh_release(mesh);
    return found ? 0 : 1;
}

// A pin in a plate: which parts of an assembly meet, how, and how deep.
#include "fureai/fureai.h"

#include <stdio.h>

int main(void) {
    fr_mesh *plate, *pin;
    fr_clash_finder *finder;
    if (fr_mesh_create_box(fr_vec3_make(1.0, 0.1, 1.0), NULL, &plate, NULL) != FR_OK ||
        fr_mesh_create_box(fr_vec3_make(0.05, 0.5, 0.05), NULL, &pin, NULL) != FR_OK ||
        fr_clash_finder_create(NULL, &finder, NULL) != FR_OK) {
        return 1;
    }

    // The first pin stands on the plate, the second one is 2 cm too deep.
    fr_clash_part parts[3] = {{plate, fr_pose_identity()}, {pin, fr_pose_identity()}, {pin, fr_pose_identity()}};
    parts[1].pose.position = fr_vec3_make(-0.25, 0.30, 0.0);
    parts[2].pose.position = fr_vec3_make(0.25, 0.28, 0.0);
    fr_clash_input input = fr_default_clash_input();
    input.parts = parts;
    input.part_count = 3;
    fr_clash_output output;
    if (fr_clash_find(finder, &input, &output, NULL) != FR_OK) { return 1; }
    for (size_t i = 0; i < output.count; i++) {
        const fr_clash *c = &output.clashes[i];
        printf("parts %u and %u: %s", c->a, c->b, fr_clash_kind_name(c->kind));
        if (!fr_is_unknown(c->depth)) { printf(", %.3f m deep", c->depth); }
        printf(", %zu lines of contact\n", c->region.line_count);
    }

    bool is_right = output.count == 2 && output.clashes[1].kind == FR_CLASH_PROTRUSION;
    fr_clash_finder_destroy(finder);
    fr_mesh_release(pin);
    fr_mesh_release(plate);
    return is_right ? 0 : 1;
}

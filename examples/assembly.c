// A piston's rod and its pin: what fits, what comes too early, and what holds what.
#include "fureai/fureai.h"

#include <stdio.h>

enum { PISTON, ROD, PIN, PARTS };

static const char *const shapes[PARTS] = {"piston", "piston_rod", "piston_pin"};

static fr_object_id put(fr_space *space, const char *shape, fr_vec3 position) {
    fr_mesh *mesh = NULL;
    fr_object_id id = {0};
    if (fr_mesh_create_named(shape, NULL, &mesh, NULL) != FR_OK) { return id; }
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = position;
    (void)fr_object_add(space, &def, &id, NULL);
    fr_mesh_release(mesh); // the object keeps it
    return id;
}

// A hand shows a part here; where it fits it stands from then on.
static void show(fr_assembly *assembly, fr_space *space, uint32_t part, fr_vec3 at) {
    static const char *const texts[] = {"is away from its place", "is leaving its place", "comes too early",
                                        "is blocked", "fits"};
    static double time = 0.0;
    fr_pose pose = fr_pose_make(at, fr_quat_identity());
    fr_object_id id = fr_assembly_get(assembly, part)->object;
    fr_assembly_output out;
    time += 0.1;
    if (fr_assembly_frame(assembly, space, part, &pose, time, &out, NULL) != FR_OK) { return; }
    printf("the %s, %.0f mm away, %s\n", fr_assembly_get(assembly, part)->name, 1000.0 * out.distance,
           texts[out.result]);
    (void)fr_object_set_pose(space, id, &out.pose, NULL);
    if (out.result == FR_ASSEMBLY_FITTED) { (void)fr_object_set_flags(space, id, FR_OBJECT_STATIC, NULL); }
    (void)fr_space_update(space, NULL, NULL);
}

int main(void) {
    fr_space *space = NULL;
    fr_space_def def = fr_default_space_def();
    if (fr_space_create(&def, &space, NULL) != FR_OK) { return 1; }
    fr_assembly_part parts[PARTS];
    for (uint32_t i = 0; i < PARTS; i++) {
        parts[i] = fr_default_assembly_part();
        parts[i].name = shapes[i];
        parts[i].object = put(space, shapes[i], fr_vec3_make(0.5 * i, -0.5, 0.0));
    }
    const uint32_t after_rod[1] = {ROD};
    parts[ROD].relative_to = PISTON; // the piston comes before it
    parts[ROD].insertion = fr_vec3_make(0.0, 1.0, 0.0);
    parts[PIN].relative_to = PISTON;
    parts[PIN].insertion = fr_vec3_make(-1.0, 0.0, 0.0);
    parts[PIN].after = after_rod;
    parts[PIN].after_count = 1;
    parts[PIN].axis = fr_vec3_make(1.0, 0.0, 0.0);
    parts[PIN].fold = 0; // turned about its axis by any angle it is the same

    fr_error error = {0};
    fr_assembly *assembly = NULL;
    fr_assembly_def assembling = fr_default_assembly_def();
    assembling.parts = parts;
    assembling.part_count = PARTS;
    fr_status status = fr_space_update(space, NULL, NULL);
    if (status == FR_OK) { status = fr_assembly_create(&assembling, space, &assembly, &error); }
    if (status == FR_OK) {
        show(assembly, space, PISTON, fr_vec3_make(0.004, 0.010, 0.0));
        show(assembly, space, PIN, fr_vec3_make(0.012, 0.0, 0.0));
        show(assembly, space, PIN, fr_vec3_make(0.5, 0.0, 0.0));
        show(assembly, space, ROD, fr_vec3_make(0.0, -0.014, 0.0));
        show(assembly, space, PIN, fr_vec3_make(0.014, 0.0, 0.0));
        status = fr_assembly_take(assembly, ROD, &error) == FR_ERROR_BUSY ? FR_OK : FR_ERROR_CORRUPT;
        printf("%s\n", error.message);
    }
    bool is_right = status == FR_OK && fr_assembly_fitted_count(assembly) == PARTS;
    fr_assembly_destroy(assembly);
    fr_space_destroy(space);
    return is_right ? 0 : 1;
}

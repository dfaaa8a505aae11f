// Bends an arm of two bones: the vertices of a tube follow the bones, blended linearly and by dual quaternions.
#include "fureai/shape.h"

#include <stdio.h>

#define RINGS 9
#define SIDES 8
#define VERTICES (RINGS * SIDES)

static int fail(const fr_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

// The distance from the bone's axis of the ring about the elbow, on average, where the lower arm is twisted about x.
static double ring_radius(const fr_vec3 *vertices) {
    double sum = 0.0;
    for (int i = 0; i < SIDES; i++) {
        fr_vec3 v = vertices[RINGS / 2 * SIDES + i];
        sum += sqrt(v.y * v.y + v.z * v.z);
    }
    return sum / SIDES;
}

int main(void) {
    // A tube along x from 0 to 0.8 m; each ring follows the lower arm the more, the farther out it is.
    float positions[3 * VERTICES], weights[2 * VERTICES];
    uint32_t bones[2 * VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        double angle = 2.0 * FR_PI * (i % SIDES) / SIDES, along = (double)(i / SIDES) / (RINGS - 1);
        positions[3 * i] = (float)(0.8 * along);
        positions[3 * i + 1] = (float)(0.05 * fr_cos(angle));
        positions[3 * i + 2] = (float)(0.05 * fr_sin(angle));
        bones[2 * i] = 0;
        bones[2 * i + 1] = 1;
        weights[2 * i] = (float)(1.0 - along);
        weights[2 * i + 1] = (float)along;
    }

    // The lower arm begins at 0.4 m: its inverse bind brings the elbow to the origin.
    const double inverse_binds[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, -0.4, 0, 1, 0, 0, 0, 0, 1, 0};
    const uint32_t parents[2] = {FR_NONE, 0};
    const char *names[2] = {"upper arm", "lower arm"};
    fr_skin_def def = fr_default_skin_def();
    def.vertex_count = VERTICES;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = 2;
    def.bone_count = 2;
    def.inverse_binds = inverse_binds;
    def.parents = parents;
    def.names = names;
    fr_skin *skin;
    fr_arena *scratch;
    fr_error error;
    if (fr_skin_create(&def, &skin, &error) != FR_OK) { return fail(&error); }
    if (fr_arena_create(0, NULL, &scratch, &error) != FR_OK) { return fail(&error); }
    printf("%s follows %s\n", fr_skin_get(skin)->names[1], fr_skin_get(skin)->names[0]);

    // The bones at a moment: the lower arm is twisted by 150 degrees about its own axis.
    fr_pose poses[2] = {fr_pose_identity(),
                        fr_pose_make(fr_vec3_make(0.4, 0.0, 0.0),
                                     fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), fr_radians(150.0)))};
    fr_vec3 vertices[VERTICES];
    fr_skin_output output = {.vertices = vertices};
    fr_skin_input input = fr_default_skin_input();
    input.skin = skin;
    input.poses = poses;
    input.bone_count = 2;
    input.positions_float = positions;
    input.scratch = scratch;
    if (fr_skin_vertices(&input, &output, &error) != FR_OK) { return fail(&error); }
    printf("linear: the elbow is %.1f mm thick\n", 2000.0 * ring_radius(vertices));
    input.method = FR_SKIN_DUAL_QUATERNIONS;
    if (fr_skin_vertices(&input, &output, &error) != FR_OK) { return fail(&error); }
    printf("dual quaternions: the elbow is %.1f mm thick\n", 2000.0 * ring_radius(vertices));

    fr_arena_destroy(scratch);
    fr_skin_release(skin);
    return 0;
}

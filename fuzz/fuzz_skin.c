// Any bytes as a skin and the poses of its bones: a skin that is made keeps its promises, and its vertices are the same
// for every instruction set.
#include "fureai/shape.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VERTICES = 5, BONES = 4 };

typedef struct input {
    uint8_t vertex_count, bone_count, influence_count, method, by_poses, has_parents;
    uint8_t bones[8 * VERTICES];
    uint8_t parents[BONES];
    float weights[8 * VERTICES];
    double binds[12 * BONES];
    float positions[3 * VERTICES];
    fr_pose poses[BONES];
    double matrices[12 * BONES];
} input;

static void require(bool holds) {
    if (!holds) { abort(); }
}

static fr_status make_skin(const input *in, fr_skin **skin, fr_error *error) {
    uint32_t bones[8 * VERTICES], parents[BONES];
    for (size_t i = 0; i < 8 * VERTICES; i++) {
        bones[i] = in->bones[i];
    }
    for (size_t i = 0; i < BONES; i++) {
        parents[i] = in->parents[i] < 250 ? in->parents[i] : FR_NONE;
    }
    fr_skin_def def = fr_default_skin_def();
    def.vertex_count = in->vertex_count % (VERTICES + 1u);
    def.bones = bones;
    def.weights = in->weights;
    def.influence_count = in->influence_count % 9u;
    def.bone_count = in->bone_count % (BONES + 1u);
    def.inverse_binds = in->binds;
    def.parents = in->has_parents % 2 == 1 ? parents : NULL;
    return fr_skin_create(&def, skin, error);
}

static void move(const input *in, const fr_skin *skin) {
    fr_arena *scratch = NULL;
    fr_vec3 vertices[2][VERTICES];
    fr_vec3f normals[2][VERTICES];
    fr_error error;
    if (fr_arena_create(0, NULL, &scratch, NULL) != FR_OK) { return; }
    fr_skin_input job = fr_default_skin_input();
    job.skin = skin;
    job.poses = in->by_poses % 2 == 0 ? in->poses : NULL;
    job.matrices = in->by_poses % 2 == 0 ? NULL : in->matrices;
    job.bone_count = fr_skin_get(skin)->bone_count;
    job.method = in->method % 2 == 0 ? FR_SKIN_LINEAR : FR_SKIN_DUAL_QUATERNIONS;
    job.positions_float = in->positions;
    job.normals = in->positions;
    job.scratch = scratch;
    fr_status status[2];
    memset(vertices, 0, sizeof vertices);
    memset(normals, 0, sizeof normals);
    for (int k = 0; k < 2; k++) {
        fr_skin_output out = {.vertices = vertices[k], .normals = normals[k]};
        fr_simd_set(k == 0 ? FR_SIMD_BASELINE : fr_simd_best());
        status[k] = fr_skin_vertices(&job, &out, &error);
        if (status[k] != FR_OK) { require(error.status == status[k] && error.message[0] != '\0'); }
    }
    require(status[0] == status[1]);
    for (uint32_t v = 0; v < fr_skin_get(skin)->vertex_count; v++) {
        // Which NaN an invalid operation makes is not promised.
        if (!fr_vec3_is_finite(vertices[0][v])) { continue; }
        require(memcmp(&vertices[0][v], &vertices[1][v], sizeof(fr_vec3)) == 0);
    }
    fr_arena_destroy(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in;
    memset(&in, 0, sizeof in);
    memcpy(&in, data, size < sizeof in ? size : sizeof in);
    fr_skin *skin = NULL;
    fr_error error;
    fr_status status = make_skin(&in, &skin, &error);
    if (status != FR_OK) {
        require(skin == NULL && error.status == status && error.message[0] != '\0');
        return 0;
    }
    require(fr_skin_validate(skin, &error));
    move(&in, skin);
    fr_skin_release(skin);
    return 0;
}

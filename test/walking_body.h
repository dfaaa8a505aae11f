// Bodies of 43 bones that walk, for tests and benchmarks: where their bones are at a tick, and their skin.
#ifndef FUREAI_TEST_WALKING_BODY_H
#define FUREAI_TEST_WALKING_BODY_H

#include "fureai/shape.h"

#include <stdlib.h>

enum { WALKER_BONES = 43, WALKER_JOINTS = 15 };

// A skin of 4 bones a vertex for any mesh; a bone hangs on that of half its number. NULL without memory.
static inline fr_skin *walker_skin(const fr_mesh *mesh) {
    uint32_t count = fr_mesh_get(mesh)->vertex_count, parents[WALKER_BONES];
    uint32_t *bones = calloc(4 * (size_t)count, sizeof *bones);
    float *weights = calloc(4 * (size_t)count, sizeof *weights);
    for (uint32_t i = 0; bones != NULL && weights != NULL && i < 4 * count; i++) {
        bones[i] = (7 * i + i / 4) % WALKER_BONES;
        weights[i] = 0.25f;
    }
    for (uint32_t i = 0; i < WALKER_BONES; i++) {
        parents[i] = i == 0 ? FR_NONE : (i - 1) / 2;
    }
    fr_skin_def def = fr_default_skin_def();
    def.mesh = mesh;
    def.vertex_count = count;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = 4;
    def.bone_count = WALKER_BONES;
    def.parents = parents;
    fr_skin *skin = NULL;
    if (bones != NULL && weights != NULL) { (void)fr_skin_create(&def, &skin, NULL); }
    free(bones);
    free(weights);
    return skin;
}

// Where the bones of a body are at a tick when the first `moving` of them turn in their parents' frames.
static inline void walker_bones(uint32_t body, uint64_t tick, uint32_t moving, fr_pose out[WALKER_BONES]) {
    for (uint32_t i = 0; i < WALKER_BONES; i++) {
        double phase = i < moving ? 0.1 * (double)tick + body : 0.0;
        double angle = 0.4 * fr_sin(phase + 0.7 * i), other = 0.2 * fr_cos(phase + 0.3 * i);
        fr_pose local = fr_pose_make(fr_vec3_make(0.01 * i, 0.1, -0.02), fr_quat_identity());
        local.rotation = fr_quat_from_vector(fr_vec3_make(angle, other, angle * other));
        out[i] = i == 0 ? local : fr_pose_compose(&out[(i - 1) / 2], &local);
    }
}

// Where a body is at a tick: on a line, coming and going every 400 ticks, one beside the other.
static inline fr_pose walker_place(uint32_t body, uint64_t tick) {
    double travel = 0.01 * (double)(tick % 400);
    return fr_pose_make(fr_vec3_make(travel - 2.0, 0.0, 2.5 * body), fr_quat_identity());
}

#endif

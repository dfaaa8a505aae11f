// Any bytes as a skeleton, postures of it and motions to fuse: what is made keeps its promises, turns stay unit, limits
// are kept, and every instruction set gives the same bits.
#include "fureai/human_fusion.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINKS = 6, MOTIONS = 3, STEPS = 8 };

typedef struct input {
    uint8_t link_count, has_partners, has_roles, t;
    uint8_t parents[LINKS], partners[LINKS], roles[LINKS], limit_kinds[LINKS];
    uint8_t names[LINKS][4];
    uint8_t active[STEPS]; // bits of the motions of a step
    uint8_t durations[STEPS];
    fr_vec3 offsets[LINKS];
    fr_quat rests[LINKS];
    fr_vec3 axes[LINKS][3];
    double ranges[LINKS][6], elevations[LINKS][4];
    fr_vec3 places[MOTIONS];
    fr_quat turns[MOTIONS][LINKS];
    double weights[MOTIONS][LINKS + 1];
} input;

static void require(bool holds) {
    if (!holds) { abort(); }
}

static bool is_unit(fr_quat q) { return fabs((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z) - 1.0) <= 1e-8; }

static fr_status make_skeleton(const input *in, fr_skeleton **skeleton, fr_error *error) {
    uint32_t parents[LINKS], partners[LINKS], roles[FR_LINK_COUNT];
    const char *names[LINKS];
    char texts[LINKS][6];
    fr_limit limits[LINKS];
    memset(limits, 0, sizeof limits);
    memset(roles, 0xff, sizeof roles);
    for (size_t i = 0; i < LINKS; i++) {
        parents[i] = in->parents[i] < 250 ? in->parents[i] : FR_NO_LINK;
        partners[i] = in->partners[i] < 250 ? in->partners[i] : FR_NO_LINK;
        if (i < in->link_count % (LINKS + 1u)) { roles[in->roles[i] % FR_LINK_COUNT] = (uint32_t)i; }
        memset(texts[i], 0, sizeof texts[i]);
        memcpy(texts[i], in->names[i], sizeof in->names[i]);
        names[i] = texts[i];
        limits[i].kind = (fr_limit_kind)(in->limit_kinds[i] % 5);
        memcpy(limits[i].axes, in->axes[i], sizeof limits[i].axes);
        memcpy(limits[i].min, in->ranges[i], sizeof limits[i].min);
        memcpy(limits[i].max, in->ranges[i] + 3, sizeof limits[i].max);
        memcpy(limits[i].elevations, in->elevations[i], sizeof limits[i].elevations);
    }
    fr_skeleton_def def = fr_default_skeleton_def();
    def.link_count = in->link_count % (LINKS + 1u);
    def.parents = parents;
    def.partners = in->has_partners % 2 == 1 ? partners : NULL;
    def.roles = in->has_roles % 2 == 1 ? roles : NULL;
    def.names = names;
    def.offsets = in->offsets;
    def.rests = in->rests;
    def.limits = limits;
    return fr_skeleton_create(&def, skeleton, error);
}

// Where links are, mirror images and postures between two, by both instruction sets.
static void check_postures(const fr_skeleton *skeleton, const fr_posture *a, const fr_posture *b, double t) {
    static fr_pose poses[2][5 * LINKS];
    fr_quat turns[2][LINKS], mirrored[LINKS], again[LINKS];
    const fr_posture many[5] = {*a, *b, *a, *b, *b};
    fr_posture mirror = {.turns = mirrored, .count = a->count}, back = {.turns = again, .count = a->count};
    memset(poses, 0, sizeof poses);
    for (int k = 0; k < 2; k++) {
        fr_simd_set(k == 0 ? FR_SIMD_BASELINE : fr_simd_best());
        fr_posture out = {.turns = turns[k], .count = a->count};
        require(fr_posture_poses(skeleton, many, 5, poses[k], NULL) == FR_OK);
        require(fr_posture_slerp(a, b, t, &out, NULL) == FR_OK);
    }
    // Offsets as long as numbers go may overflow; which NaN that makes is not promised.
    for (size_t i = 0; i < (size_t)5 * a->count; i++) {
        if (!fr_vec3_is_finite(poses[0][i].position)) { continue; }
        require(memcmp(&poses[0][i], &poses[1][i], sizeof(fr_pose)) == 0);
    }
    require(memcmp(turns[0], turns[1], a->count * sizeof(fr_quat)) == 0);
    require(fr_posture_mirror(skeleton, a, &mirror, NULL) == FR_OK);
    require(fr_posture_mirror(skeleton, &mirror, &back, NULL) == FR_OK);
    for (uint32_t i = 0; i < a->count; i++) {
        fr_quat p = a->turns[i], q = again[i], inside = fr_skeleton_clamp(skeleton, i, p);
        double dot = (p.w * q.w + p.x * q.x) + (p.y * q.y + p.z * q.z);
        require(fabs(fabs(dot) - 1.0) <= 1e-8 && is_unit(turns[0][i]) && is_unit(inside));
        require(fr_skeleton_excess(skeleton, i, inside) <= 1e-5);
    }
}

static void fuse(const input *in, const fr_skeleton *skeleton) {
    uint32_t count = fr_skeleton_get(skeleton)->link_count;
    fr_quat turns[MOTIONS][LINKS], out_turns[LINKS];
    fr_posture out = {.turns = out_turns, .count = count};
    fr_fusion_def def = fr_default_fusion_def();
    def.skeleton = skeleton;
    fr_fusion *fusion = NULL;
    require(fr_fusion_create(&def, &fusion, NULL) == FR_OK);
    memcpy(turns, in->turns, sizeof turns);
    for (size_t s = 0; s < STEPS; s++) {
        fr_fused_motion motions[MOTIONS];
        fr_fusion_input step = {motions, 0, in->durations[s] / 250.0};
        for (size_t m = 0; m < MOTIONS; m++) {
            if ((in->active[s] >> m & 1) == 0) { continue; }
            fr_posture posture = {.place = in->places[m], .turns = turns[m], .count = count};
            motions[step.count++] = (fr_fused_motion){m, posture, in->weights[m]};
        }
        uint64_t before = fr_fusion_hash(fusion);
        fr_error error = {0};
        fr_status status = fr_fusion_step(fusion, &step, &out, &error);
        if (status != FR_OK) {
            require(error.message[0] != '\0' && fr_fusion_hash(fusion) == before);
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            require(is_unit(out_turns[i]));
        }
    }
    fr_fusion_destroy(fusion);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in;
    memset(&in, 0, sizeof in);
    memcpy(&in, data, size < sizeof in ? size : sizeof in);
    fr_skeleton *skeleton = NULL;
    fr_error error = {0};
    fr_status status = make_skeleton(&in, &skeleton, &error);
    if (status != FR_OK) {
        require(skeleton == NULL && error.status == status && error.message[0] != '\0');
        return 0;
    }
    uint32_t count = fr_skeleton_get(skeleton)->link_count;
    fr_posture postures[2];
    fr_quat turns[2][LINKS];
    bool is_right = true;
    for (size_t m = 0; m < 2; m++) {
        memcpy(turns[m], in.turns[m], sizeof turns[m]);
        postures[m] = (fr_posture){.place = in.places[m], .turns = turns[m], .count = count};
        is_right = fr_posture_check(skeleton, &postures[m], NULL) == FR_OK && is_right;
    }
    if (is_right) { check_postures(skeleton, &postures[0], &postures[1], in.t / 255.0); }
    fuse(&in, skeleton);
    fr_skeleton_release(skeleton);
    return 0;
}

// The same bits everywhere for the motion of people: hashes over postures of several bodies, for each instruction set
// there is, against values frozen here.
//
// A change of a result on purpose changes a frozen value: `postures --print` writes the table again.
#include "fureai/human_fusion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 200, BODIES = 7 };

static void require(bool holds, const char *what) {
    if (holds) { return; }
    printf("failed: %s\n", what);
    exit(EXIT_FAILURE);
}

#define REQUIRE(call) require((call) == FR_OK, #call)

// ---------------------------------------------------------------------------------------------------------------
// Inputs

static struct {
    fr_skeleton *body;
    fr_quat turns[BODIES][FR_LINK_COUNT];
    fr_posture postures[BODIES];
    fr_quat out_turns[FR_LINK_COUNT];
    fr_posture out;
} all;

static fr_quat any_turn(fr_random *random) {
    fr_vec3 v;
    v.x = fr_random_between(random, -2.0, 2.0);
    v.y = fr_random_between(random, -2.0, 2.0);
    v.z = fr_random_between(random, -2.0, 2.0);
    return fr_quat_from_vector(v);
}

static void any_postures(fr_random *random) {
    for (int b = 0; b < BODIES; b++) {
        all.postures[b] = (fr_posture){.turns = all.turns[b], .count = FR_LINK_COUNT};
        all.postures[b].place.x = fr_random_between(random, -9.0, 9.0);
        all.postures[b].place.z = fr_random_between(random, -9.0, 9.0);
        for (int i = 0; i < FR_LINK_COUNT; i++) {
            all.turns[b][i] = any_turn(random);
        }
    }
    all.out = (fr_posture){.turns = all.out_turns, .count = FR_LINK_COUNT};
}

static void make_body(double stature) {
    fr_body_def def = fr_default_body_def();
    def.stature = stature;
    REQUIRE(fr_skeleton_create_body(&def, &all.body, NULL));
}

static uint64_t hash_out(uint64_t hash) {
    hash = fr_hash(all.out_turns, sizeof all.out_turns, hash);
    return fr_hash(&all.out.place, sizeof all.out.place, hash);
}

// ---------------------------------------------------------------------------------------------------------------
// What is hashed

static uint64_t bodies(void) {
    uint64_t hash = 0;
    for (int i = 0; i <= 20; i++) {
        make_body(1.0 + 0.05 * i);
        const fr_skeleton_view *view = fr_skeleton_get(all.body);
        hash = fr_hash(view->offsets, FR_LINK_COUNT * sizeof view->offsets[0], hash);
        hash = fr_hash(view->masses, FR_LINK_COUNT * sizeof view->masses[0], hash);
        hash = fr_hash(view->uprights, FR_LINK_COUNT * sizeof view->uprights[0], hash);
        fr_skeleton_release(all.body);
    }
    return hash;
}

static uint64_t link_poses(void) {
    fr_random random = fr_random_seed(1);
    uint64_t hash = 0;
    make_body(1.7);
    for (int i = 0; i < COUNT; i++) {
        static fr_pose poses[BODIES * FR_LINK_COUNT];
        any_postures(&random);
        REQUIRE(fr_posture_poses(all.body, all.postures, (size_t)(1 + i % BODIES), poses, NULL));
        hash = fr_hash(poses, (size_t)(1 + i % BODIES) * FR_LINK_COUNT * sizeof poses[0], hash);
    }
    fr_skeleton_release(all.body);
    return hash;
}

static uint64_t mirrored_and_between(void) {
    fr_random random = fr_random_seed(2);
    uint64_t hash = 0;
    make_body(1.7);
    for (int i = 0; i < COUNT; i++) {
        any_postures(&random);
        REQUIRE(fr_posture_mirror(all.body, &all.postures[0], &all.postures[0], NULL));
        REQUIRE(fr_posture_slerp(&all.postures[0], &all.postures[1], fr_random_unit(&random), &all.out, NULL));
        hash = hash_out(hash);
    }
    fr_skeleton_release(all.body);
    return hash;
}

static uint64_t means(void) {
    fr_random random = fr_random_seed(3);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        any_postures(&random);
        static double weights[BODIES][FR_LINK_COUNT + 1];
        fr_weighted_posture motions[BODIES];
        for (int b = 0; b < BODIES; b++) {
            for (int k = 0; k <= FR_LINK_COUNT; k++) {
                weights[b][k] = fr_random_below(&random, 4) == 0 ? 0.0 : fr_random_between(&random, 0.0, 10.0);
            }
            motions[b] = (fr_weighted_posture){all.postures[b], weights[b]};
        }
        REQUIRE(fr_posture_mean(motions, (size_t)(i % BODIES), &all.postures[6], &all.out, NULL));
        hash = hash_out(hash);
    }
    return hash;
}

static uint64_t clamped(void) {
    fr_random random = fr_random_seed(4);
    uint64_t hash = 0;
    make_body(1.7);
    for (int i = 0; i < COUNT; i++) {
        any_postures(&random);
        for (uint32_t k = 0; k < FR_LINK_COUNT; k++) {
            double excess = fr_skeleton_excess(all.body, k, all.turns[0][k]);
            all.out_turns[k] = fr_skeleton_clamp(all.body, k, all.turns[0][k]);
            hash = fr_hash(&excess, sizeof excess, hash);
        }
        hash = hash_out(hash);
    }
    fr_skeleton_release(all.body);
    return hash;
}

static uint64_t clips(void) {
    fr_random random = fr_random_seed(5);
    fr_vec3 places[BODIES];
    any_postures(&random);
    for (int b = 0; b < BODIES; b++) {
        places[b] = all.postures[b].place;
    }
    fr_clip_def def = fr_default_clip_def();
    def.frame_count = BODIES;
    def.link_count = FR_LINK_COUNT;
    def.places = places;
    def.turns = all.turns[0];
    fr_clip *clip = NULL;
    REQUIRE(fr_clip_create(&def, &clip, NULL));
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        REQUIRE(fr_clip_sample(clip, 0.11 * fr_random_unit(&random), &all.out, NULL));
        hash = hash_out(hash);
    }
    fr_clip_release(clip);
    return hash;
}

// Motions begin, end and go on together.
static uint64_t fused(void) {
    fr_random random = fr_random_seed(6);
    uint64_t hash = 0;
    make_body(1.7);
    fr_fusion_def def = fr_default_fusion_def();
    def.skeleton = all.body;
    fr_fusion *fusion = NULL;
    REQUIRE(fr_fusion_create(&def, &fusion, NULL));
    any_postures(&random);
    for (int i = 0; i < COUNT; i++) {
        static double weights[BODIES][FR_LINK_COUNT + 1];
        fr_fused_motion motions[BODIES];
        fr_fusion_input input = {motions, 0, 0.005 + 0.0001 * (i % 50)};
        for (int b = 0; b < BODIES; b++) {
            if ((i / (7 + 3 * b)) % 3 == 0) { continue; }
            for (int k = 0; k <= FR_LINK_COUNT; k++) {
                weights[b][k] = (k + b) % 5 == 0 ? 0.0 : 1.0 + k % 7;
            }
            all.turns[b][i % FR_LINK_COUNT] = any_turn(&random);
            motions[input.count++] = (fr_fused_motion){(uint64_t)b, all.postures[b], weights[b]};
        }
        REQUIRE(fr_fusion_step(fusion, &input, &all.out, NULL));
        uint64_t state = fr_fusion_hash(fusion);
        hash = fr_hash(&state, sizeof state, hash_out(hash));
    }
    fr_fusion_destroy(fusion);
    fr_skeleton_release(all.body);
    return hash;
}

// ---------------------------------------------------------------------------------------------------------------
// Frozen values

static const struct {
    const char *name;
    uint64_t (*hash)(void);
    uint64_t frozen;
} subjects[] = {
    {"bodies", bodies, UINT64_C(0xeccddf99463dfde7)},
    {"link_poses", link_poses, UINT64_C(0x5b036dc9bef8c293)},
    {"mirrored_and_between", mirrored_and_between, UINT64_C(0x10d6a47dbb90e370)},
    {"means", means, UINT64_C(0x5a4e542b8e696cf0)},
    {"clamped", clamped, UINT64_C(0x9dc3a376d1357462)},
    {"fused", fused, UINT64_C(0x18658d25e8d8e027)},
    {"clips", clips, UINT64_C(0x6ae8a3d63358dfe6)},
};

int main(int argc, char **argv) {
    bool is_print = argc == 2 && strcmp(argv[1], "--print") == 0;
    int wrong = 0;
    for (int simd = (int)FR_SIMD_BASELINE; simd <= (int)FR_SIMD_AVX2; simd++) {
        if (!fr_simd_set((fr_simd)simd)) { continue; }
        for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
            uint64_t hash = subjects[i].hash();
            const char *name = subjects[i].name;
            if (is_print) {
                printf("    {\"%s\", %s, UINT64_C(0x%016llx)},\n", name, name, (unsigned long long)hash);
            } else if (hash != subjects[i].frozen) {
                printf("%s, %s: %016llx, frozen as %016llx\n", fr_simd_name((fr_simd)simd), name,
                       (unsigned long long)hash, (unsigned long long)subjects[i].frozen);
                wrong++;
            }
        }
    }
    printf("postures: %d wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}

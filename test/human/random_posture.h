// Skeletons and postures at random.
#ifndef FUREAI_TEST_HUMAN_RANDOM_POSTURE_H
#define FUREAI_TEST_HUMAN_RANDOM_POSTURE_H

#include "fureai/human.h"

#include "failing.h"
#include "random_vector.h"

#include <stdio.h>

// cmocka compares floats; this compares doubles.
#define assert_near(a, b, tolerance)                                                                                   \
    do {                                                                                                               \
        double near_a = (a), near_b = (b);                                                                             \
        if (!(fabs(near_a - near_b) <= (tolerance))) { fail_msg("%.17g is not %.17g", near_a, near_b); }               \
    } while (0)

// Any turn, all alike.
static inline fr_quat random_turn(fr_random *random) {
    fr_quat q = {0};
    double square = 0.0;
    while (square < 1e-3 || square > 1.0) {
        q.w = fr_random_between(random, -1.0, 1.0);
        q.x = fr_random_between(random, -1.0, 1.0);
        q.y = fr_random_between(random, -1.0, 1.0);
        q.z = fr_random_between(random, -1.0, 1.0);
        square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    }
    double inverse = 1.0 / sqrt(square);
    fr_quat unit = {q.w * inverse, q.x * inverse, q.y * inverse, q.z * inverse};
    (void)fr_quat_normalize(&unit, NULL);
    return unit;
}

static inline void random_posture(fr_random *random, double reach, fr_posture *posture) {
    posture->place = random_about(random, reach);
    for (uint32_t i = 0; i < posture->count; i++) {
        posture->turns[i] = random_turn(random);
    }
}

static inline fr_skeleton *default_body(void) {
    fr_body_def def = fr_default_body_def();
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create_body(&def, &skeleton, NULL), FR_OK);
    return skeleton;
}

// The angle between two rotations, 0 .. pi.
static inline double angle_between(fr_quat a, fr_quat b) {
    return fr_vec3_length(fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(a), b)));
}

static inline double quat_length(fr_quat q) {
    long double w = q.w, x = q.x, y = q.y, z = q.z;
    return (double)sqrtl(w * w + x * x + y * y + z * z);
}

// The arrays of a skeleton of any tree.
typedef struct random_tree {
    uint32_t parents[FR_MAX_LINKS];
    char texts[FR_MAX_LINKS][16];
    const char *names[FR_MAX_LINKS];
    fr_vec3 offsets[FR_MAX_LINKS];
    fr_quat rests[FR_MAX_LINKS];
} random_tree;

static inline fr_skeleton_def random_skeleton_def(fr_random *random, uint32_t link_count, random_tree *tree) {
    for (uint32_t i = 0; i < link_count; i++) {
        tree->parents[i] = i == 0 ? FR_NO_LINK : (uint32_t)fr_random_below(random, i);
        snprintf(tree->texts[i], sizeof tree->texts[i], "link_%u", i);
        tree->names[i] = tree->texts[i];
        tree->offsets[i] = random_about(random, 1.0);
        tree->rests[i] = random_turn(random);
    }
    fr_skeleton_def def = fr_default_skeleton_def();
    def.link_count = link_count;
    def.parents = tree->parents;
    def.names = tree->names;
    def.offsets = tree->offsets;
    def.rests = tree->rests;
    return def;
}

#endif

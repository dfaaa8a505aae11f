// The same bits everywhere: hashes over many results of math and shape, for each instruction set there is, against
// values frozen here. They hold for gcc and clang, every level of optimisation, sanitizers, x86-64 and aarch64. NaN is
// kept out: its sign and payload are not promised.
//
// A change of a result on purpose changes a frozen value: `determinism --print` writes the table anew.
#include "fureai/shape.h"

#include "math/points.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 20000, BATCH = 33 };

// ---------------------------------------------------------------------------------------------------------------
// Inputs and hashing

static double between(fr_random *random, double low, double high) { return fr_random_between(random, low, high); }

// A double with any sign and an exponent within +-range.
static double any_size(fr_random *random, int range) {
    double x = between(random, -1.0, 1.0);
    return ldexp(x, (int)fr_random_below(random, (uint64_t)(2 * range + 1)) - range);
}

static fr_vec3 any_point(fr_random *random, double reach) {
    double x = between(random, -reach, reach), y = between(random, -reach, reach), z = between(random, -reach, reach);
    return fr_vec3_make(x, y, z);
}

static fr_pose any_pose(fr_random *random) {
    fr_pose pose = fr_pose_make(any_point(random, 100.0), fr_quat_identity());
    pose.rotation = fr_quat_from_vector(any_point(random, 4.0));
    pose.scale = between(random, 0.1, 3.0);
    return pose;
}

static fr_motion any_motion(fr_random *random) {
    fr_pose start = any_pose(random);
    fr_vec3 pivot = any_point(random, 2.0), velocity = any_point(random, 5.0), turning = any_point(random, 9.0);
    return fr_motion_from_velocity(&start, pivot, velocity, turning, 0.5);
}

static uint64_t hash_double(uint64_t hash, double x) { return fr_hash(&x, sizeof x, hash); }
static uint64_t hash_point(uint64_t hash, fr_vec3 p) { return fr_hash(&p, sizeof p, hash); }
static uint64_t hash_bounds(uint64_t hash, fr_bounds b) { return fr_hash(&b, sizeof b, hash); }
static uint64_t hash_interval(uint64_t hash, fr_interval i) { return fr_hash(&i, sizeof i, hash); }

static uint64_t hash_sign(uint64_t hash, int sign) {
    int32_t value = sign;
    return fr_hash(&value, sizeof value, hash);
}

static uint64_t hash_quat(uint64_t hash, fr_quat q) {
    hash = hash_double(hash, q.w);
    return hash_point(hash, fr_vec3_make(q.x, q.y, q.z));
}

// ---------------------------------------------------------------------------------------------------------------
// What is hashed

static uint64_t random_numbers(void) {
    fr_random random = fr_random_seed(1);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        uint64_t bits = fr_random_bits(&random);
        hash = fr_hash(&bits, sizeof bits, hash);
        hash = hash_double(hash, fr_random_unit(&random));
        hash = hash_double(hash, between(&random, -3.0, 7.0));
        uint64_t below = fr_random_below(&random, 1000003);
        hash = fr_hash(&below, sizeof below, hash);
    }
    return hash;
}

static uint64_t sines(void) {
    fr_random random = fr_random_seed(2);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        double x = i % 2 ? between(&random, -0x1p+20, 0x1p+20) : between(&random, -7.0, 7.0), sine, cosine;
        fr_sincos(x, &sine, &cosine);
        hash = hash_double(hash_double(hash, sine), cosine);
        hash = hash_double(hash, fr_sin(any_size(&random, 30) * 0x1p-12));
    }
    return hash;
}

static uint64_t arctangents(void) {
    fr_random random = fr_random_seed(3);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        double y = any_size(&random, i % 1000), x = any_size(&random, i % 1000);
        hash = hash_double(hash, fr_atan2(y, x));
        hash = hash_double(hash, fr_acos(between(&random, -1.0, 1.0)));
    }
    return hash;
}

static uint64_t roots(void) {
    fr_random random = fr_random_seed(4);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        hash = hash_double(hash, fr_cbrt(any_size(&random, 1070)));
    }
    return hash;
}

static uint64_t orientations(void) {
    fr_random random = fr_random_seed(5);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        fr_vec3 a = any_point(&random, 1.0), b = any_point(&random, 1.0), c = any_point(&random, 1.0);
        fr_vec3 d = fr_vec3_add(a, fr_vec3_sub(b, c)), e = any_point(&random, 1.0);
        hash = hash_sign(hash, fr_orient3d(a, b, c, d));
        hash = hash_sign(hash, fr_orient3d(a, b, c, e));
        hash = hash_sign(hash, fr_orient2d((fr_vec2){a.x, a.y}, (fr_vec2){b.x, b.y}, (fr_vec2){d.x, d.y}));
    }
    return hash;
}

static uint64_t rotations(void) {
    fr_random random = fr_random_seed(6);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        fr_quat a = fr_quat_from_vector(any_point(&random, 5.0)), b = fr_quat_from_vector(any_point(&random, 5.0));
        fr_mat3 matrix = fr_quat_to_mat3(fr_quat_multiply(a, b));
        hash = hash_quat(hash, a);
        hash = fr_hash(&matrix, sizeof matrix, hash);
        hash = hash_quat(hash, fr_quat_from_mat3(matrix));
        hash = hash_point(hash, fr_quat_to_vector(b));
    }
    return hash;
}

// Batches of every size up to 33, so that whole vectors and their rests are met.
static uint64_t poses(void) {
    fr_random random = fr_random_seed(7);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT / 16; i++) {
        fr_vec3 points[BATCH];
        size_t count = (size_t)(i % (BATCH + 1));
        fr_pose pose = any_pose(&random), other = any_pose(&random);
        for (size_t k = 0; k < count; k++) {
            points[k] = any_point(&random, 50.0);
        }
        fr_pose_apply_many(&pose, points, count, points);
        hash = fr_hash(points, count * sizeof points[0], hash);
        hash = hash_bounds(hash, fr_bounds_of_points(points, count));
        hash = hash_point(hash, fr_pose_apply(&other, pose.position));

        fr_pose composed = fr_pose_compose(&pose, &other), inverse = fr_pose_inverse(&pose);
        hash = hash_point(hash_quat(hash, composed.rotation), composed.position);
        hash = hash_point(hash_quat(hash, inverse.rotation), inverse.position);
        hash = hash_double(hash, fr_pose_rounding(&pose, 3.0));
    }
    return hash;
}

// The kernels themselves.
static uint64_t points(void) {
    fr_random random = fr_random_seed(10);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT / 16; i++) {
        fr_vec3 out[BATCH];
        fr_vec3f in[BATCH];
        size_t count = (size_t)(i % (BATCH + 1));
        fr_pose pose = any_pose(&random);
        fr__frame frame = fr__frame_make(&pose);
        for (size_t k = 0; k < count; k++) {
            fr_vec3 p = any_point(&random, 50.0);
            in[k] = (fr_vec3f){(float)p.x, (float)p.y, (float)p.z};
        }
        fr__points_transform_floats(&frame, in, count, out);
        fr__points_transform(&frame, out, count, out);
        hash = fr_hash(out, count * sizeof out[0], hash);
        hash = hash_bounds(hash, fr__points_bounds(out, count));
    }
    return hash;
}

static uint64_t motions(void) {
    fr_random random = fr_random_seed(8);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT / 4; i++) {
        fr_motion motion = any_motion(&random);
        fr_vec3 point = any_point(&random, 2.0);
        double t = fr_random_unit(&random);
        fr_pose pose = fr_motion_pose(&motion, t), end = any_pose(&random);
        end.scale = motion.start.scale;
        fr_motion between_poses = fr_motion_between(&motion.start, &end, point);
        fr_motion screw = fr_motion_screw_between(&motion.start, &end);
        hash = hash_point(hash_quat(hash, pose.rotation), pose.position);
        hash = hash_point(hash, fr_motion_point(&motion, point, t));
        hash = hash_point(hash_point(hash, between_poses.travel), between_poses.turn);
        hash = hash_point(hash_point(hash, screw.travel), screw.pivot_local);
    }
    return hash;
}

static uint64_t path_bounds(void) {
    fr_random random = fr_random_seed(11);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT / 4; i++) {
        fr_motion motion = any_motion(&random);
        fr_vec3 point = any_point(&random, 2.0);
        double t = fr_random_unit(&random);
        hash = hash_bounds(hash, fr_motion_path_bounds(&motion, point, 0.5 * t, t));
        hash = hash_bounds(hash, fr_motion_ball_bounds(&motion, point, 0.25, 0.0, t));
        hash = hash_double(hash, fr_motion_speed_bound(&motion, 2.0));
    }
    return hash;
}

static uint64_t intervals(void) {
    fr_random random = fr_random_seed(9);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT; i++) {
        double a0 = any_size(&random, 8), a1 = any_size(&random, 8), b0 = any_size(&random, 8),
               b1 = any_size(&random, 8);
        fr_interval a = fr_interval_make(a0 < a1 ? a0 : a1, a0 < a1 ? a1 : a0);
        fr_interval b = fr_interval_make(b0 < b1 ? b0 : b1, b0 < b1 ? b1 : b0);
        hash = hash_interval(hash, fr_interval_add(a, b));
        hash = hash_interval(hash, fr_interval_sub(a, b));
        hash = hash_interval(hash, fr_interval_multiply(a, b));
        hash = hash_interval(hash, fr_interval_divide(a, b));
        hash = hash_interval(hash, fr_interval_square(a));
        hash = hash_interval(hash, fr_interval_sqrt(b));
        hash = hash_interval(hash, fr_interval_sin(a));
        hash = hash_interval(hash, fr_interval_cos(b));
    }
    return hash;
}

// A triangle that goes straight, or on a motion.
static void any_path(fr_random *random, int kind, fr_motion *motion, fr_triangle_path *out) {
    *motion = any_motion(random);
    motion->travel = any_point(random, 1.0);
    motion->start = fr_pose_identity();
    motion->pivot_local = any_point(random, 0.5);
    for (int i = 0; i < 3; i++) {
        out->start[i] = any_point(random, 0.75);
        out->end[i] = fr_vec3_add(out->start[i], any_point(random, 1.0));
    }
    out->motion = kind == 0 ? NULL : motion;
}

static uint64_t hash_time(uint64_t hash, const fr_time_output *r) {
    uint32_t words[4] = {r->is_hit, r->flags, r->iterations, (uint32_t)r->feature};
    double numbers[5] = {r->time, r->time_sure, r->time_end, r->distance, r->approach};
    for (int i = 0; i < 5; i++) {
        numbers[i] = fr_is_unknown(numbers[i]) ? -1.0 : numbers[i] + 0.0; // -0 becomes 0
    }
    hash = fr_hash(numbers, sizeof numbers, fr_hash(words, sizeof words, hash));
    fr_vec3 zero = {0.0, 0.0, 0.0};
    return hash_point(hash_point(hash, fr_vec3_add(r->point, zero)), fr_vec3_add(r->normal, zero));
}

static uint64_t times(void) {
    fr_random random = fr_random_seed(12);
    uint64_t hash = 0;
    for (int i = 0; i < COUNT / 10; i++) {
        fr_motion motions_of[2];
        fr_triangle_path a, b;
        any_path(&random, i % 3, &motions_of[0], &a);
        any_path(&random, i % 2, &motions_of[1], &b);
        fr_time_input options = fr_default_time_input();
        options.separation = i % 5 == 0 ? 0.125 : 0.0;
        options.is_end_wanted = i % 7 == 0;
        fr_time_output r;
        fr_triangle_time(&a, &b, &options, &r);
        hash = hash_time(hash, &r);
        fr_edge_edge_time(&a, &b, &options, &r);
        hash = hash_time(hash, &r);
        fr_vertex_face_time(&a, &b, &options, &r);
        hash = hash_time(hash, &r);
    }
    return hash;
}

// A skin with bones at random; NULL without memory.
static fr_skin *any_skin(fr_random *random, uint32_t vertices, uint32_t influences, uint32_t bone_count) {
    uint32_t bones[8 * BATCH];
    float weights[8 * BATCH];
    double binds[12 * BATCH];
    for (uint32_t i = 0; i < influences * vertices; i++) {
        bones[i] = (uint32_t)fr_random_below(random, bone_count);
        weights[i] = 1.0f / (float)influences;
    }
    for (uint32_t b = 0; b < bone_count; b++) {
        fr_pose pose = any_pose(random);
        fr_mat3 turn = fr_quat_to_mat3(pose.rotation);
        for (uint32_t i = 0; i < 3; i++) {
            const double row[4] = {turn.row[i].x, turn.row[i].y, turn.row[i].z, between(random, -1.0, 1.0)};
            memcpy(binds + (size_t)12 * b + (size_t)4 * i, row, sizeof row);
        }
    }
    fr_skin_def def = fr_default_skin_def();
    def.vertex_count = vertices;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = influences;
    def.bone_count = bone_count;
    def.inverse_binds = binds;
    fr_skin *skin = NULL;
    (void)fr_skin_create(&def, &skin, NULL);
    return skin;
}

static uint64_t skins(void) {
    fr_random random = fr_random_seed(13);
    uint64_t hash = 0;
    fr_arena *scratch = NULL;
    if (fr_arena_create(0, NULL, &scratch, NULL) != FR_OK) { return 0; }
    for (uint32_t i = 0; i < COUNT / 16; i++) {
        fr_vec3 vertices[BATCH];
        fr_vec3f floats[BATCH], normals[BATCH];
        float positions[3 * BATCH];
        fr_pose poses_now[BATCH];
        uint32_t count = 1 + i % BATCH, bone_count = 1 + i % 7;
        fr_skin *skin = any_skin(&random, count, 1 + i % 8, bone_count);
        for (uint32_t k = 0; k < 3 * count; k++) {
            positions[k] = (float)between(&random, -2.0, 2.0);
        }
        for (uint32_t b = 0; b < bone_count; b++) {
            poses_now[b] = any_pose(&random);
        }
        fr_skin_output output = {vertices, floats, normals};
        fr_skin_input input = fr_default_skin_input();
        input.skin = skin;
        input.poses = poses_now;
        input.bone_count = bone_count;
        input.positions_float = input.normals = positions;
        input.method = i % 2 == 0 ? FR_SKIN_LINEAR : FR_SKIN_DUAL_QUATERNIONS;
        input.scratch = scratch;
        if (skin == NULL || fr_skin_vertices(&input, &output, NULL) != FR_OK) { return 0; }
        hash = fr_hash(vertices, count * sizeof vertices[0], hash);
        hash = fr_hash(floats, count * sizeof floats[0], hash);
        hash = fr_hash(normals, count * sizeof normals[0], hash);
        fr_skin_release(skin);
    }
    fr_arena_destroy(scratch);
    return hash;
}

// ---------------------------------------------------------------------------------------------------------------
// Frozen values

static const struct {
    const char *name;
    uint64_t (*hash)(void);
    uint64_t frozen;
} subjects[] = {
    {"random_numbers", random_numbers, UINT64_C(0x527837939834f667)},
    {"sines", sines, UINT64_C(0xf20f234085079824)},
    {"arctangents", arctangents, UINT64_C(0x61cc0caa6498c12f)},
    {"roots", roots, UINT64_C(0x99ccf1dd1dcae971)},
    {"orientations", orientations, UINT64_C(0x92dbe14decab14a9)},
    {"rotations", rotations, UINT64_C(0xb91f3c9a6292f1da)},
    {"poses", poses, UINT64_C(0x20115abd8730d9f7)},
    {"points", points, UINT64_C(0xc762360330277041)},
    {"motions", motions, UINT64_C(0x9d0e1cfe5b3f3439)},
    {"path_bounds", path_bounds, UINT64_C(0x2dd8931be2a11dee)},
    {"intervals", intervals, UINT64_C(0xea9f33f2bbab0ada)},
    {"skins", skins, UINT64_C(0x2cf8fb81090056c2)},
    {"times", times, UINT64_C(0xfaf773364a8b09d7)},
};

int main(int argc, char **argv) {
    bool print = argc == 2 && strcmp(argv[1], "--print") == 0;
    int wrong = 0;
    const size_t subject_count = sizeof subjects / sizeof subjects[0];
    for (int simd = (int)FR_SIMD_BASELINE; simd <= (int)FR_SIMD_AVX2; simd++) {
        if (!fr_simd_set((fr_simd)simd)) { continue; }
        for (size_t i = 0; i < subject_count; i++) {
            uint64_t hash = subjects[i].hash();
            const char *name = subjects[i].name;
            if (print) {
                printf("    {\"%s\", %s, UINT64_C(0x%016llx)},\n", name, name, (unsigned long long)hash);
            } else if (hash != subjects[i].frozen) {
                printf("%s, %s: %016llx, frozen as %016llx\n", fr_simd_name((fr_simd)simd), name,
                       (unsigned long long)hash, (unsigned long long)subjects[i].frozen);
                wrong++;
            }
        }
        printf("determinism: %s, %zu subjects, %d wrong\n", fr_simd_name((fr_simd)simd), subject_count, wrong);
    }
    return wrong == 0 ? 0 : 1;
}

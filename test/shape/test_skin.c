// Skins: what is refused, the weights that are made, and where vertices go, against sums in long double.
#include "failing.h"
#include "frame.h"
#include "fureai/shape.h"
#include "heap_calls.h"
#include "random_vector.h"

#include <math.h>
#include <string.h>

#define MAX_VERTICES 64
#define MAX_BONES 12

// ---------------------------------------------------------------------------------------------------------------
// Skins to try

typedef struct tried {
    uint32_t vertex_count, bone_count, influence_count;
    uint32_t bones[8 * MAX_VERTICES];
    float weights[8 * MAX_VERTICES];
    double binds[12 * MAX_BONES];
    float positions[3 * MAX_VERTICES];
    float normals[3 * MAX_VERTICES];
    fr_pose poses[MAX_BONES];
    double matrices[12 * MAX_BONES];
} tried;

static double between(fr_random *random, double low, double high) { return fr_random_between(random, low, high); }

// Rows of a matrix that is far from flat: a rotation with other scales along its axes, and a shift.
static void any_matrix(fr_random *random, double reach, double m[12]) {
    fr_mat3 turn = fr_quat_to_mat3(fr_quat_from_vector(random_about(random, 3.0)));
    double scales[3] = {between(random, 0.3, 2.0), between(random, 0.3, 2.0), between(random, 0.3, 2.0)};
    fr_vec3 shift = random_about(random, reach);
    const double at[3] = {shift.x, shift.y, shift.z};
    for (int i = 0; i < 3; i++) {
        m[4 * i] = turn.row[i].x * scales[0];
        m[4 * i + 1] = turn.row[i].y * scales[1];
        m[4 * i + 2] = turn.row[i].z * scales[2];
        m[4 * i + 3] = at[i];
    }
}

static void any_weights(fr_random *random, tried *t, uint32_t vertex) {
    float *w = t->weights + (size_t)t->influence_count * vertex;
    double sum = 0.0;
    for (uint32_t k = 0; k < t->influence_count; k++) {
        t->bones[(size_t)t->influence_count * vertex + k] = (uint32_t)fr_random_below(random, t->bone_count);
        w[k] = k > 0 && fr_random_below(random, 4) == 0 ? 0.0f : (float)between(random, 0.01, 1.0);
        sum += (double)w[k];
    }
    for (uint32_t k = 0; k < t->influence_count; k++) {
        w[k] = (float)((double)w[k] / sum);
    }
}

static void make_tried(fr_random *random, double reach, tried *t) {
    t->vertex_count = 1 + (uint32_t)fr_random_below(random, MAX_VERTICES);
    t->bone_count = 1 + (uint32_t)fr_random_below(random, MAX_BONES);
    t->influence_count = 1 + (uint32_t)fr_random_below(random, 8);
    for (uint32_t v = 0; v < t->vertex_count; v++) {
        any_weights(random, t, v);
        fr_vec3 n = fr_vec3_unit(random_about(random, 1.0), fr_vec3_make(0, 0, 1));
        const fr_vec3 p = random_about(random, 2.0);
        const float numbers[6] = {(float)p.x, (float)p.y, (float)p.z, (float)n.x, (float)n.y, (float)n.z};
        memcpy(t->positions + (size_t)3 * v, numbers, 3 * sizeof(float));
        memcpy(t->normals + (size_t)3 * v, numbers + 3, 3 * sizeof(float));
    }
    for (uint32_t b = 0; b < t->bone_count; b++) {
        any_matrix(random, 2.0, t->binds + (size_t)12 * b);
        any_matrix(random, reach, t->matrices + (size_t)12 * b);
        t->poses[b] = fr_pose_make(random_about(random, reach), fr_quat_from_vector(random_about(random, 4.0)));
        t->poses[b].scale = between(random, 0.5, 2.0);
    }
}

static fr_skin_def def_of(const tried *t) {
    fr_skin_def def = fr_default_skin_def();
    def.vertex_count = t->vertex_count;
    def.bones = t->bones;
    def.weights = t->weights;
    def.influence_count = t->influence_count;
    def.bone_count = t->bone_count;
    def.inverse_binds = t->binds;
    return def;
}

static fr_skin *skin_of(const tried *t) {
    fr_skin_def def = def_of(t);
    fr_skin *skin;
    fr_error error = {0};
    if (fr_skin_create(&def, &skin, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_true(fr_skin_validate(skin, &error));
    return skin;
}

// The vertices by the job.
static void skin_vertices(const fr_skin *skin, const tried *t, bool by_poses, fr_skin_method method, fr_arena *scratch,
                          const fr_skin_output *out) {
    fr_skin_input input = fr_default_skin_input();
    input.skin = skin;
    input.poses = by_poses ? t->poses : NULL;
    input.matrices = by_poses ? NULL : t->matrices;
    input.bone_count = t->bone_count;
    input.method = method;
    input.positions_float = t->positions;
    input.normals = t->normals;
    input.scratch = scratch;
    fr_error error = {0};
    if (fr_skin_vertices(&input, out, &error) != FR_OK) { fail_msg("%s", error.message); }
}

static fr_arena *new_scratch(void) {
    fr_arena *scratch;
    assert_int_equal(fr_arena_create(0, NULL, &scratch, NULL), FR_OK);
    return scratch;
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

// A triangle of three bones.
static tried plain(void) {
    tried t = {.vertex_count = 3, .bone_count = 3, .influence_count = 2};
    for (uint32_t v = 0; v < 3; v++) {
        t.bones[2 * v] = v;
        t.bones[2 * v + 1] = (v + 1) % 3;
        t.weights[2 * v] = 0.75f;
        t.weights[2 * v + 1] = 0.25f;
        t.binds[12 * v] = t.binds[12 * v + 5] = t.binds[12 * v + 10] = 1.0;
        t.matrices[12 * v] = t.matrices[12 * v + 5] = t.matrices[12 * v + 10] = 1.0;
        t.poses[v] = fr_pose_identity();
        t.positions[4 * v] = 1.0f;
        t.normals[3 * v + 2] = 1.0f;
    }
    return t;
}

static void expect_refusal(const fr_skin_def *def, fr_status status, const char *part_of_message) {
    fr_skin *skin = NULL;
    fr_error error = {0};
    assert_int_equal(fr_skin_create(def, &skin, &error), status);
    assert_null(skin);
    if (strstr(error.message, part_of_message) == NULL) {
        fail_msg("'%s' is not in '%s'", part_of_message, error.message);
    }
}

static void names_the_vertex_that_is_wrong(void **state) {
    (void)state;
    tried t = plain();
    fr_skin_def def = def_of(&t);
    const float sums[] = {0.22f, 0.28f, -0.01f, (float)NAN, (float)INFINITY, 3e38f};
    static const char *const messages[] = {"the sum of its weights is 0.97", "the sum of its weights is 1.03",
                                           "weight 1 is -0.01, below 0",     "weight 1 is not finite",
                                           "weight 1 is not finite",         "the sum of its weights is 3e+38"};
    for (int i = 0; i < 6; i++) {
        t.weights[3] = sums[i];
        expect_refusal(&def, isfinite(sums[i]) ? FR_ERROR_ARGUMENT : FR_ERROR_NOT_FINITE, messages[i]);
        expect_refusal(&def, isfinite(sums[i]) ? FR_ERROR_ARGUMENT : FR_ERROR_NOT_FINITE, "vertex 1");
    }
    t = plain();
    t.bones[4] = 3;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "vertex 2 follows bone 3 of only 3");
    t = plain();
    t.weights[4] = t.weights[5] = 0.0f;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "vertex 2: the sum of its weights is 0");
}

static void names_the_bone_that_is_wrong(void **state) {
    (void)state;
    tried t = plain();
    fr_skin_def def = def_of(&t);
    const uint32_t loop[] = {1, 2, 0}, own[] = {FR_NONE, 1, FR_NONE}, wild[] = {FR_NONE, 0, 3},
                   fine[] = {2, 0, FR_NONE};
    def.parents = loop;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "bone 0 is below itself");
    def.parents = own;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "bone 1 is below itself");
    def.parents = wild;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "bone 2 has the parent 3 of only 3");
    def.parents = fine;
    fr_skin *skin;
    assert_int_equal(fr_skin_create(&def, &skin, NULL), FR_OK);
    assert_int_equal(fr_skin_get(skin)->parents[1], 0);
    assert_string_equal(fr_skin_get(skin)->names[2], "");
    fr_skin_release(skin);

    t.binds[12 + 5] = 0.0;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "the inverse bind of bone 1 is singular");
    t.binds[12 + 5] = 1e-300;
    t.binds[12 + 4] = 1.0;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "the inverse bind of bone 1 is singular");
    t.binds[12 + 7] = (double)NAN;
    expect_refusal(&def, FR_ERROR_NOT_FINITE, "the inverse bind of bone 1");
}

static void refuses_counts_over_the_limit(void **state) {
    (void)state;
    tried t = plain();
    fr_skin_def def = def_of(&t);
    def.bone_count = 65536;
    expect_refusal(&def, FR_ERROR_LIMIT, "65536 bones; the limit is 65535");
    def = def_of(&t);
    def.influence_count = 9;
    expect_refusal(&def, FR_ERROR_LIMIT, "9 bones a vertex");
    def = def_of(&t);
    def.bone_count = 0;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "bones");
    def = def_of(&t);
    def.vertex_count = 0;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "vertices");
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1, 1, 1), NULL, &mesh, NULL), FR_OK);
    def = def_of(&t);
    def.mesh = mesh;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "3 vertices for a mesh of 8");
    fr_mesh_release(mesh);
    def = def_of(&t);
    def.cookie = 0;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "fr_default_skin_def");
}

// 65,535 bones in one chain, the largest skin.
static void takes_the_largest_chain(void **state) {
    (void)state;
    uint32_t *parents = malloc(FR_SKIN_MAX_BONES * sizeof *parents);
    const uint32_t bones[] = {65534, 0, 7};
    const float weights[] = {1, 1, 1};
    assert_non_null(parents);
    for (uint32_t b = 0; b < FR_SKIN_MAX_BONES; b++) {
        parents[b] = b > 0 ? b - 1 : FR_NONE;
    }
    fr_skin_def def = fr_default_skin_def();
    def.vertex_count = 3;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = 1;
    def.bone_count = FR_SKIN_MAX_BONES;
    def.parents = parents;
    fr_skin *skin;
    assert_int_equal(fr_skin_create(&def, &skin, NULL), FR_OK);
    assert_true(fr_skin_validate(skin, NULL));
    assert_int_equal(fr_skin_get(skin)->bones[0], 65534);
    fr_skin_release(skin);
    parents[0] = 65534;
    expect_refusal(&def, FR_ERROR_ARGUMENT, "below itself");
    free(parents);
}

static void expect_no_vertices(const fr_skin_input *input, fr_status status, const char *part_of_message) {
    fr_vec3 vertices[3] = {{7, 7, 7}, {7, 7, 7}, {7, 7, 7}}, before = {7, 7, 7};
    fr_skin_output output = {.vertices = vertices};
    fr_error error = {0};
    assert_int_equal(fr_skin_vertices(input, &output, &error), status);
    for (int i = 0; i < 3; i++) {
        assert_true(fr_vec3_equal(vertices[i], before));
    }
    if (strstr(error.message, part_of_message) == NULL) {
        fail_msg("'%s' is not in '%s'", part_of_message, error.message);
    }
}

static void bad_bones_change_nothing(void **state) {
    (void)state;
    tried t = plain();
    fr_skin *skin = skin_of(&t);
    fr_arena *scratch = new_scratch();
    fr_skin_input input = fr_default_skin_input();
    input.skin = skin;
    input.poses = t.poses;
    input.bone_count = 3;
    input.positions_float = t.positions;
    input.scratch = scratch;

    input.bone_count = 2;
    expect_no_vertices(&input, FR_ERROR_ARGUMENT, "2 bones for a skin of 3");
    input.bone_count = 3;
    t.poses[2].position.y = (double)NAN;
    expect_no_vertices(&input, FR_ERROR_NOT_FINITE, "bone 2");
    t.poses[2] = fr_pose_identity();
    t.poses[1].scale = 0.0;
    expect_no_vertices(&input, FR_ERROR_ARGUMENT, "bone 1: a scale");
    t.poses[1] = fr_pose_identity();
    input.matrices = t.matrices;
    expect_no_vertices(&input, FR_ERROR_ARGUMENT, "either poses or matrices");
    input.poses = NULL;
    t.matrices[12 + 3] = (double)INFINITY;
    expect_no_vertices(&input, FR_ERROR_NOT_FINITE, "bone 1");
    t.matrices[12 + 3] = 0.0;
    t.matrices[0] = 0.0;
    input.method = FR_SKIN_DUAL_QUATERNIONS;
    expect_no_vertices(&input, FR_ERROR_ARGUMENT, "bone 0 is flat");
    input.method = FR_SKIN_LINEAR;
    input.positions_float = NULL;
    expect_no_vertices(&input, FR_ERROR_ARGUMENT, "positions");
    input.positions_float = t.positions;
    input.scratch = NULL;
    expect_no_vertices(&input, FR_ERROR_ARGUMENT, "scratch");
    input.scratch = scratch;
    fr_vec3f normals[3];
    fr_skin_output output = {.normals = normals};
    assert_int_equal(fr_skin_vertices(&input, &output, NULL), FR_ERROR_ARGUMENT);
    input.cookie = 0;
    expect_no_vertices(&input, FR_ERROR_ARGUMENT, "fr_default_skin_input");
    fr_arena_destroy(scratch);
    fr_skin_release(skin);
}

// ---------------------------------------------------------------------------------------------------------------
// Weights

static void weights_sum_to_one(void **state) {
    (void)state;
    // A sum of 1.02 within the tolerance, one bone twice, a bone without weight, rising weights.
    const uint32_t bones[] = {0, 1, 2, 0, 0, 1, 2, 1, 2, 2, 2, 0};
    const float weights[] = {0.255f, 0.255f, 0.255f, 0.255f, 0.125f, 0.25f, 0.625f, 0.0f, 0.5f, 0.0f, 0.5f, 0.0f};
    fr_skin_def def = fr_default_skin_def();
    def.vertex_count = 3;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = 4;
    def.bone_count = 3;
    fr_skin *skin;
    assert_int_equal(fr_skin_create(&def, &skin, NULL), FR_OK);
    const fr_skin_view *view = fr_skin_get(skin);
    assert_true(fr_skin_validate(skin, NULL));
    assert_int_equal(view->influence_count, 3);
    const uint16_t expected[] = {0, 1, 2, 2, 1, 0, 2, 2, 2};
    const float made[] = {0.5f, 0.25f, 0.25f, 0.625f, 0.25f, 0.125f, 1.0f, 0.0f, 0.0f};
    for (int i = 0; i < 9; i++) {
        assert_int_equal(view->bones[i], expected[i]);
        assert_true(view->weights[i] == made[i]);
    }
    fr_skin_release(skin);
}

// ---------------------------------------------------------------------------------------------------------------
// Against sums in long double

static void multiply_long(const long double a[12], const double b[12], long double out[12]) {
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
            long double sum = k == 3 ? a[4 * i + 3] : 0.0L;
            for (int j = 0; j < 3; j++) {
                sum += a[4 * i + j] * (long double)b[4 * j + k];
            }
            out[4 * i + k] = sum;
        }
    }
}

static void matrix_of_pose(const fr_pose *pose, long double m[12]) {
    long double w = pose->rotation.w, x = pose->rotation.x, y = pose->rotation.y, z = pose->rotation.z;
    long double n = w * w + x * x + y * y + z * z, s = pose->scale;
    const long double rows[9] = {n - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                                 2 * (x * y + z * w),     n - 2 * (x * x + z * z), 2 * (y * z - x * w),
                                 2 * (x * z - y * w),     2 * (y * z + x * w),     n - 2 * (x * x + y * y)};
    const long double shift[3] = {pose->position.x, pose->position.y, pose->position.z};
    for (int i = 0; i < 12; i++) {
        m[i] = i % 4 == 3 ? shift[i / 4] : s * rows[3 * (i / 4) + i % 4] / n;
    }
}

// The blended matrix of a vertex, by the weights that the caller gave.
static void expected_matrix(const tried *t, uint32_t vertex, bool by_poses, long double out[12]) {
    long double sum = 0.0L;
    memset(out, 0, 12 * sizeof *out);
    for (uint32_t k = 0; k < t->influence_count; k++) {
        uint32_t bone = t->bones[t->influence_count * vertex + k];
        long double weight = t->weights[t->influence_count * vertex + k], now[12], all[12];
        for (int i = 0; i < 12; i++) {
            now[i] = t->matrices[12 * bone + (uint32_t)i];
        }
        if (by_poses) { matrix_of_pose(&t->poses[bone], now); }
        multiply_long(now, t->binds + (size_t)12 * bone, all);
        for (int i = 0; i < 12; i++) {
            out[i] += weight * all[i];
        }
        sum += weight;
    }
    for (int i = 0; i < 12; i++) {
        out[i] /= sum;
    }
}

static fr_vec3 apply_long(const long double m[12], const float p[3]) {
    long double out[3];
    for (int i = 0; i < 3; i++) {
        out[i] = m[4 * i] * (long double)p[0] + m[4 * i + 1] * (long double)p[1] + m[4 * i + 2] * (long double)p[2] +
                 m[4 * i + 3];
    }
    return fr_vec3_make((double)out[0], (double)out[1], (double)out[2]);
}

// The normal of what a matrix makes of two tangents of the normal.
static fr_vec3 normal_long(const long double m[12], const float n[3]) {
    fr_vec3 normal = fr_vec3_unit(fr_vec3_make((double)n[0], (double)n[1], (double)n[2]), fr_vec3_make(0, 0, 1));
    fr_vec3 u = fr_vec3_perpendicular(normal), v = fr_vec3_cross(normal, u);
    const float zero[3] = {0, 0, 0};
    fr_vec3 shift = apply_long(m, zero);
    const float tangents[2][3] = {{(float)u.x, (float)u.y, (float)u.z}, {(float)v.x, (float)v.y, (float)v.z}};
    fr_vec3 a = fr_vec3_sub(apply_long(m, tangents[0]), shift), b = fr_vec3_sub(apply_long(m, tangents[1]), shift);
    return fr_vec3_unit(fr_vec3_cross(a, b), fr_vec3_make(0, 0, 0));
}

static void linear_is_the_sum_in_long_double(void **state) {
    (void)state;
    static const double reaches[] = {1.0, 100.0, 1e6};
    fr_random random = fr_random_seed(2401);
    fr_arena *scratch = new_scratch();
    uint64_t count = test_count(3000, 200000);
    for (uint64_t i = 0; i < count; i++) {
        tried t;
        fr_vec3 vertices[MAX_VERTICES];
        fr_vec3f floats[MAX_VERTICES], normals[MAX_VERTICES];
        double reach = reaches[i % 3];
        make_tried(&random, reach, &t);
        fr_skin *skin = skin_of(&t);
        bool by_poses = i % 2 == 0;
        fr_skin_output out = {vertices, floats, normals};
        skin_vertices(skin, &t, by_poses, FR_SKIN_LINEAR, scratch, &out);
        for (uint32_t v = 0; v < t.vertex_count; v++) {
            long double m[12];
            expected_matrix(&t, v, by_poses, m);
            fr_vec3 expected = apply_long(m, t.positions + (size_t)3 * v);
            // The largest error is that of the weights, which are rounded to multiples of 2^-24.
            assert_true(fr_vec3_distance(vertices[v], expected) < 3e-7 * (10.0 + 2.0 * reach));
            assert_true(floats[v].x == (float)vertices[v].x && floats[v].z == (float)vertices[v].z);
            if (fr_vec3_length(normal_long(m, t.normals + (size_t)3 * v)) == 0.0) { continue; }
            fr_vec3 n = fr_vec3_from_floats(normals[v]);
            assert_true(fabs(fr_vec3_length(n) - 1.0) < 1e-6);
        }
        fr_skin_release(skin);
    }
    fr_arena_destroy(scratch);
}

// With weights that are multiples of 2^-24 already nothing but the rounding of doubles is left.
static void exact_weights_leave_the_rounding_of_doubles(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2402);
    fr_arena *scratch = new_scratch();
    for (uint64_t i = 0; i < test_count(2000, 100000); i++) {
        tried t;
        fr_vec3 vertices[MAX_VERTICES];
        fr_vec3f normals[MAX_VERTICES];
        make_tried(&random, i % 2 == 0 ? 2.0 : 1e6, &t);
        for (uint32_t v = 0; v < t.vertex_count; v++) {
            float *w = t.weights + (size_t)t.influence_count * v;
            for (uint32_t k = 0; k < t.influence_count; k++) {
                w[k] = t.influence_count == 1 ? 1.0f : k == 0 ? 1.0f - (float)(t.influence_count - 1) / 8.0f : 0.125f;
            }
        }
        fr_skin *skin = skin_of(&t);
        fr_skin_output out = {.vertices = vertices, .normals = normals};
        skin_vertices(skin, &t, i % 4 < 2, FR_SKIN_LINEAR, scratch, &out);
        for (uint32_t v = 0; v < t.vertex_count; v++) {
            long double m[12];
            expected_matrix(&t, v, i % 4 < 2, m);
            fr_vec3 expected = apply_long(m, t.positions + (size_t)3 * v);
            assert_true(fr_vec3_distance(vertices[v], expected) < 1e-14 * (i % 2 == 0 ? 40.0 : 1e6));
            fr_vec3 n = normal_long(m, t.normals + (size_t)3 * v);
            // Tangents were rounded to floats; a blend that is nearly flat says little of its normal.
            if (i % 2 == 0 && t.influence_count == 1) {
                assert_true(fr_vec3_distance(n, fr_vec3_from_floats(normals[v])) < 5e-6);
            }
        }
        fr_skin_release(skin);
    }
    fr_arena_destroy(scratch);
}

// ---------------------------------------------------------------------------------------------------------------
// Dual quaternions

static void rigid_motions_are_exact(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2403);
    fr_arena *scratch = new_scratch();
    for (uint64_t i = 0; i < test_count(2000, 100000); i++) {
        tried t;
        fr_vec3 vertices[MAX_VERTICES];
        make_tried(&random, 3.0, &t);
        // All bones move alike: pose of the body times the inverse of the inverse bind, which is a pose here.
        fr_pose body = t.poses[0];
        body.scale = 1.0;
        for (uint32_t b = 0; b < t.bone_count; b++) {
            fr_pose bind = fr_pose_make(random_about(&random, 2.0), fr_quat_from_vector(random_about(&random, 3.0)));
            fr_pose back = fr_pose_inverse(&bind);
            t.poses[b] = fr_pose_compose(&body, &bind);
            if (b % 2 == 1) {
                fr_quat q = t.poses[b].rotation;
                t.poses[b].rotation = (fr_quat){-q.w, -q.x, -q.y, -q.z};
            }
            long double m[12];
            matrix_of_pose(&back, m);
            for (int k = 0; k < 12; k++) {
                t.binds[12 * b + (uint32_t)k] = (double)m[k];
            }
        }
        fr_skin *skin = skin_of(&t);
        fr_skin_output out = {.vertices = vertices};
        for (int method = 0; method < 2; method++) {
            skin_vertices(skin, &t, true, (fr_skin_method)method, scratch, &out);
            for (uint32_t v = 0; v < t.vertex_count; v++) {
                const float *p = t.positions + (size_t)3 * v;
                fr_vec3 at = fr_pose_apply(&body, fr_vec3_make((double)p[0], (double)p[1], (double)p[2]));
                assert_true(fr_vec3_distance(vertices[v], at) < 2e-14);
            }
        }
        fr_skin_release(skin);
    }
    fr_arena_destroy(scratch);
}

// Poses of bones given by q or by -q, and bones of scale and mirror alone: each vertex of one bone is where its bone
// takes it.
static void one_bone_is_its_own_motion(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2404);
    fr_arena *scratch = new_scratch();
    for (uint64_t i = 0; i < test_count(2000, 100000); i++) {
        tried t;
        fr_vec3 vertices[MAX_VERTICES], other[MAX_VERTICES];
        make_tried(&random, 3.0, &t);
        t.influence_count = 1;
        for (uint32_t v = 0; v < t.vertex_count; v++) {
            t.weights[v] = 1.0f;
        }
        for (uint32_t k = 0; i % 3 == 0 && k < 12 * t.bone_count; k += 4) {
            t.matrices[k] = -t.matrices[k];
        }
        fr_skin *skin = skin_of(&t);
        fr_skin_output out = {.vertices = vertices}, again = {.vertices = other};
        skin_vertices(skin, &t, i % 2 == 0, FR_SKIN_DUAL_QUATERNIONS, scratch, &out);
        skin_vertices(skin, &t, i % 2 == 0, FR_SKIN_LINEAR, scratch, &again);
        for (uint32_t v = 0; v < t.vertex_count; v++) {
            assert_true(fr_vec3_distance(vertices[v], other[v]) < 1e-13);
        }
        fr_skin_release(skin);
    }
    fr_arena_destroy(scratch);
}

static void opposite_quaternions_are_one_turn(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2405);
    fr_arena *scratch = new_scratch();
    for (uint64_t i = 0; i < test_count(1000, 50000); i++) {
        tried t;
        fr_vec3 vertices[MAX_VERTICES], other[MAX_VERTICES];
        make_tried(&random, 3.0, &t);
        fr_skin *skin = skin_of(&t);
        fr_skin_output out = {.vertices = vertices}, again = {.vertices = other};
        skin_vertices(skin, &t, true, FR_SKIN_DUAL_QUATERNIONS, scratch, &out);
        for (uint32_t b = 0; b < t.bone_count; b += 1 + (uint32_t)(i % 2)) {
            fr_quat q = t.poses[b].rotation;
            t.poses[b].rotation = (fr_quat){-q.w, -q.x, -q.y, -q.z};
        }
        skin_vertices(skin, &t, true, FR_SKIN_DUAL_QUATERNIONS, scratch, &again);
        assert_memory_equal(vertices, other, t.vertex_count * sizeof vertices[0]);
        fr_skin_release(skin);
    }
    fr_arena_destroy(scratch);
}

// Two bones about one axis, turned by a and by 0, half of each: a dual quaternion turns by a / 2 and keeps the radius;
// the linear blend shrinks it to cos(a / 2).
static void a_twist_keeps_its_radius(void **state) {
    (void)state;
    const uint32_t bones[] = {0, 1};
    const float weights[] = {0.5f, 0.5f}, position[] = {0.25f, 1.0f, 0.0f};
    fr_skin_def def = fr_default_skin_def();
    def.vertex_count = 1;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = 2;
    def.bone_count = 2;
    fr_skin *skin;
    assert_int_equal(fr_skin_create(&def, &skin, NULL), FR_OK);
    fr_arena *scratch = new_scratch();
    for (int deg = 0; deg < 180; deg += 5) {
        double angle = fr_radians(deg), half = 0.5 * angle;
        fr_pose poses[2] = {fr_pose_identity(), fr_pose_identity()};
        poses[0].rotation = fr_quat_from_axis_angle(fr_vec3_make(1, 0, 0), angle);
        fr_vec3 at;
        fr_skin_output out = {.vertices = &at};
        fr_skin_input input = fr_default_skin_input();
        input.skin = skin;
        input.poses = poses;
        input.bone_count = 2;
        input.positions_float = position;
        input.scratch = scratch;
        input.method = FR_SKIN_DUAL_QUATERNIONS;
        assert_int_equal(fr_skin_vertices(&input, &out, NULL), FR_OK);
        assert_true(fr_vec3_distance(at, fr_vec3_make(0.25, fr_cos(half), fr_sin(half))) < 1e-15);
        input.method = FR_SKIN_LINEAR;
        assert_int_equal(fr_skin_vertices(&input, &out, NULL), FR_OK);
        assert_true(fabs(sqrt(at.y * at.y + at.z * at.z) - fr_cos(half)) < 1e-15);
    }
    fr_arena_destroy(scratch);
    fr_skin_release(skin);
}

// ---------------------------------------------------------------------------------------------------------------
// Determinism, memory

static void every_instruction_set_gives_the_same_bits(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2406);
    fr_arena *scratch = new_scratch();
    fr_simd best = fr_simd_best();
    for (uint64_t i = 0; i < test_count(2000, 50000); i++) {
        tried t;
        fr_vec3 vertices[2][MAX_VERTICES];
        fr_vec3f floats[2][MAX_VERTICES], normals[2][MAX_VERTICES];
        make_tried(&random, 5.0, &t);
        fr_skin *skin = skin_of(&t);
        for (int k = 0; k < 2; k++) {
            assert_true(fr_simd_set(k == 0 ? FR_SIMD_BASELINE : best));
            fr_skin_output out = {vertices[k], floats[k], normals[k]};
            skin_vertices(skin, &t, i % 4 < 2, (fr_skin_method)(i % 2), scratch, &out);
        }
        assert_memory_equal(vertices[0], vertices[1], t.vertex_count * sizeof(fr_vec3));
        assert_memory_equal(floats[0], floats[1], t.vertex_count * sizeof(fr_vec3f));
        assert_memory_equal(normals[0], normals[1], t.vertex_count * sizeof(fr_vec3f));
        fr_skin_release(skin);
    }
    fr_arena_destroy(scratch);
}

// A mesh of doubles is read as doubles, one of floats as floats, and the skin keeps the mesh alive.
static void reads_the_positions_of_its_mesh(void **state) {
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++) {
        fr_mesh_def like = fr_default_mesh_def();
        like.is_double = is_double == 1;
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_sphere(0.1, 4, 6, FR_AXIS_Y, &like, &mesh, NULL), FR_OK);
        uint32_t count = fr_mesh_get(mesh)->vertex_count, bones[64] = {0};
        float weights[64];
        for (int i = 0; i < 64; i++) {
            weights[i] = 1.0f;
        }
        fr_skin_def def = fr_default_skin_def();
        def.mesh = mesh;
        def.vertex_count = count;
        def.bones = bones;
        def.weights = weights;
        def.influence_count = def.bone_count = 1;
        fr_skin *skin;
        assert_int_equal(fr_skin_create(&def, &skin, NULL), FR_OK);
        fr_mesh_release(mesh);
        fr_skin *second = fr_skin_retain(skin);
        fr_skin_release(second);
        fr_arena *scratch = new_scratch();
        fr_pose pose = fr_pose_identity();
        fr_vec3 vertices[64];
        fr_skin_output out = {.vertices = vertices};
        fr_skin_input input = fr_default_skin_input();
        input.skin = skin;
        input.poses = &pose;
        input.bone_count = 1;
        input.scratch = scratch;
        assert_int_equal(fr_skin_vertices(&input, &out, NULL), FR_OK);
        const fr_mesh_view *view = fr_mesh_get(fr_skin_get(skin)->mesh);
        for (uint32_t v = 0; v < count; v++) {
            double x =
                is_double == 1 ? view->positions_double[(size_t)3 * v] : (double)view->positions_float[(size_t)3 * v];
            assert_true(vertices[v].x == x);
        }
        fr_arena_destroy(scratch);
        fr_skin_release(skin);
    }
}

static fr_status make_and_release(const fr_allocator *allocator, void *context) {
    const tried *t = context;
    fr_skin_def def = def_of(t);
    def.allocator = *allocator;
    fr_skin *skin;
    fr_error error;
    fr_status status = fr_skin_create(&def, &skin, &error);
    fr_skin_release(skin);
    return status;
}

static fr_status make_and_move(const fr_allocator *allocator, void *context) {
    const tried *t = context;
    fr_skin *skin = skin_of(t);
    fr_arena *scratch;
    fr_vec3 vertices[MAX_VERTICES];
    fr_skin_output out = {.vertices = vertices};
    fr_status status = fr_arena_create(0, allocator, &scratch, NULL);
    fr_skin_input input = fr_default_skin_input();
    input.skin = skin;
    input.poses = t->poses;
    input.bone_count = t->bone_count;
    input.positions_float = t->positions;
    input.scratch = scratch;
    if (status == FR_OK) {
        status = fr_skin_vertices(&input, &out, NULL);
        fr_arena_destroy(scratch);
    }
    fr_skin_release(skin);
    return status;
}

static void survives_every_failing_allocation(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2407);
    tried t;
    make_tried(&random, 1.0, &t);
    assert_true(test_every_failure(make_and_release, &t) >= 3);
    assert_true(test_every_failure(make_and_move, &t) >= 1);
}

static void a_warm_call_takes_no_memory(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2408);
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_arena *scratch;
    tried t;
    fr_vec3 vertices[MAX_VERTICES];
    make_tried(&random, 1.0, &t);
    assert_int_equal(fr_arena_create(0, &allocator, &scratch, NULL), FR_OK);
    fr_skin *skin = skin_of(&t);
    fr_skin_output out = {.vertices = vertices};
    skin_vertices(skin, &t, true, FR_SKIN_DUAL_QUATERNIONS, scratch, &out);
    uint64_t before = test_allocations(probe);
    for (int i = 0; i < 100; i++) {
        skin_vertices(skin, &t, true, (fr_skin_method)(i % 2), scratch, &out);
    }
    assert_int_equal(test_allocations(probe), before);
    fr_skin_release(skin);
    fr_arena_destroy(scratch);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_vertex_that_is_wrong),
        cmocka_unit_test(names_the_bone_that_is_wrong),
        cmocka_unit_test(refuses_counts_over_the_limit),
        cmocka_unit_test(takes_the_largest_chain),
        cmocka_unit_test(bad_bones_change_nothing),
        cmocka_unit_test(weights_sum_to_one),
        cmocka_unit_test(linear_is_the_sum_in_long_double),
        cmocka_unit_test(exact_weights_leave_the_rounding_of_doubles),
        cmocka_unit_test(rigid_motions_are_exact),
        cmocka_unit_test(one_bone_is_its_own_motion),
        cmocka_unit_test(opposite_quaternions_are_one_turn),
        cmocka_unit_test(a_twist_keeps_its_radius),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
        cmocka_unit_test(reads_the_positions_of_its_mesh),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(a_warm_call_takes_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

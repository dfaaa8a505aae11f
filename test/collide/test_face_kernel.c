// The kernel's own promises, for each instruction set: what it refuses is apart, what it is sure of crosses.
#include "collide/face_kernel.h"
#include "collide/scenes.h"
#include "frame.h"
#include "shape/mesh.h"

static fr__side side_of(const fr_mesh *mesh, uint32_t object, fr_pose part, fr_pose pose) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    fr__side side;
    memset(&side, 0, sizeof side);
    side.mesh = mesh;
    side.tree = view->tree;
    side.triangles = view->triangles;
    side.positions_float = view->positions_float;
    side.positions_double = view->positions_double;
    side.triangle_count = view->triangle_count;
    side.vertex_count = view->vertex_count;
    side.object = object;
    side.leaf_corners = mesh->leaf_corners;
    side.largest = view->largest;
    fr__side_set_poses(&side, &part, &pose);
    return side;
}

static bool sets_to_try(int i) { return i == 0 ? fr_simd_set(FR_SIMD_BASELINE) : fr_simd_set(fr_simd_best()); }

// All pairs of two soups as candidates.
static void check_judge(const fr__side *a, const fr__side *b) {
    static fr__candidate batch[FR__BATCH];
    fr__judged judged[FR__BATCH];
    uint32_t count = 0;
    uint64_t all = (uint64_t)a->triangle_count * b->triangle_count;
    for (uint64_t n = 0; n < all; n++) {
        batch[count++] = (fr__candidate){(uint32_t)(n / b->triangle_count), (uint32_t)(n % b->triangle_count)};
        if (count < FR__BATCH && n + 1 < all) { continue; }
        uint32_t left = fr__face_judge_kernel()->judge(a, b, false, batch, count, judged), next = 0;
        for (uint32_t i = 0; i < count; i++) {
            fr_vec3 p[3], q[3];
            fr__side_corners(a, batch[i].a, p);
            fr__side_corners(b, batch[i].b, q);
            bool refused = next >= left || judged[next].index != i;
            if (refused) {
                assert_false(fr_triangle_overlap(p, q));
            } else if (judged[next++].sure) {
                fr_section section;
                assert_true(fr_triangle_section(p, q, &section));
                assert_true(section.is_crossing && !section.is_coplanar);
            }
        }
        assert_int_equal(next, left);
        count = 0;
    }
}

typedef struct found_pairs {
    const fr__side *a, *b;
    bool found[SCENE_MOST_TRIANGLES][SCENE_MOST_TRIANGLES];
} found_pairs;

static bool note(const fr__candidate *candidates, uint32_t count, void *context) {
    found_pairs *pairs = context;
    for (uint32_t i = 0; i < count; i++) {
        assert_false(pairs->found[candidates[i].a][candidates[i].b]); // each once
        pairs->found[candidates[i].a][candidates[i].b] = true;
    }
    return true;
}

static bool note_crossing(const fr__candidate *candidates, uint32_t count, void *context) {
    const found_pairs *pairs = context;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 p[3], q[3];
        fr_section section;
        fr__side_corners(pairs->a, candidates[i].a, p);
        fr__side_corners(pairs->b, candidates[i].b, q);
        assert_true(fr_triangle_section(p, q, &section));
        assert_true(section.is_crossing && !section.is_coplanar);
    }
    return note(candidates, count, context);
}

static void check_walk(const fr__side *a, const fr__side *b, double margin) {
    static found_pairs pairs;
    memset(&pairs, 0, sizeof pairs);
    pairs.a = a;
    pairs.b = b;
    fr__relation relation = fr__sides_relate(a, b, margin);
    static _Alignas(FR__WALK_ALIGN) unsigned char memory[FR__FACE_WALK_BYTES];
    fr__face_walk walk = {a, b, &relation, note, note_crossing, &pairs, memory, 0, 0};
    assert_true(fr__face_walk_kernel()->walk(&walk, (fr__node_pair){0, 0, FR_NONE, FR_NONE}));
    for (uint32_t i = 0; i < a->triangle_count; i++) {
        for (uint32_t j = 0; j < b->triangle_count; j++) {
            if (pairs.found[i][j]) { continue; }
            fr_vec3 p[3], q[3];
            fr__side_corners(a, i, p);
            fr__side_corners(b, j, q);
            bool meets = margin > 0.0 ? fr_triangle_distance(p, q, NULL, NULL) <= margin : fr_triangle_overlap(p, q);
            assert_false(meets);
        }
    }
}

static void nothing_is_lost(void **state) {
    (void)state;
    fr_simd best = fr_simd_get();
    uint64_t count = test_count(60, 3000);
    static scene_plan plan;
    for (uint64_t seed = 0; seed < count; seed++) {
        fr_random r = fr_random_seed(5000000 + seed);
        scene_random_plan(&r, seed % 4 == 3, &plan);
        scene_change sized = {plan.unit, false, false, false};
        fr_mesh *a = scene_mesh_of(&plan.soups[0], &sized, plan.keep_double);
        fr_mesh *b = scene_mesh_of(&plan.soups[1], &sized, !plan.keep_double);
        fr__side side_a = side_of(a, 0, plan.parts[0][0], plan.poses[0]);
        fr__side side_b = side_of(b, 1, plan.parts[1][0], plan.poses[1]);
        for (int i = 0; i < 2; i++) {
            if (!sets_to_try(i)) { continue; }
            check_walk(&side_a, &side_b, seed % 3 == 0 ? 0.1 * plan.unit : 0.0);
            check_judge(&side_a, &side_b);
        }
        fr_mesh_release(a);
        fr_mesh_release(b);
    }
    assert_true(fr_simd_set(best));
}

// Balls that are told apart are apart: vertices of the one are farther from the other's centre than its radius.
static void balls_hold_their_meshes(void **state) {
    (void)state;
    uint64_t count = test_count(3000, 300000);
    fr_random r = fr_random_seed(7);
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("sphere_24", NULL, &mesh, NULL), FR_OK);
    for (uint64_t n = 0; n < count; n++) {
        fr_vec3 offset = n % 2 == 0 ? fr_vec3_make(0.0, 0.0, 0.0) : scene_point(&r, 1e6);
        fr_pose identity = fr_pose_identity();
        fr_pose pose_a = scene_random_pose(&r, 2.0, offset), pose_b = scene_random_pose(&r, 2.0, offset);
        fr__side a = side_of(mesh, 0, n % 3 == 0 ? pose_b : identity, pose_a);
        fr__side b = side_of(mesh, 1, identity, pose_b);
        a.ball_radius = b.ball_radius = 1.0;
        if (!fr__sides_are_apart(&a, &b, 0.0)) { continue; }
        for (uint32_t t = 0; t < a.triangle_count * b.triangle_count; t++) {
            fr_vec3 p[3], q[3];
            fr__side_corners(&a, t / b.triangle_count, p);
            fr__side_corners(&b, t % b.triangle_count, q);
            assert_false(fr_triangle_overlap(p, q));
        }
    }
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost), cmocka_unit_test(balls_hold_their_meshes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

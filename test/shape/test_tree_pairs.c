// Two trees walked at once: never one pair fewer than brute force.
#include "box_sets.h"
#include "frame.h"
#include "random_shapes.h"
#include "shape/mesh.h"
#include "shape/tree_kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static fr_quat random_rotation(fr_random *random) {
    fr_vec3 axis = random_point(random, 1.0);
    return fr_quat_from_axis_angle(axis, fr_random_between(random, -3, 3));
}

static fr_pose random_pose(fr_random *random, double reach) {
    fr_vec3 at = random_point(random, reach);
    return fr_pose_make(at, random_rotation(random));
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

typedef struct mesh_pair {
    const fr_mesh_view *a, *b;
    const fr_vec3 *points_a, *points_b; // vertices in the world
    uint64_t candidates;
    uint64_t hits;
    uint64_t hash; // of the pairs, in no order
} mesh_pair;

static void test_pair(mesh_pair *pair, uint32_t triangle_a, uint32_t triangle_b) {
    const uint32_t *ta = pair->a->triangles + 3 * (size_t)triangle_a, *tb = pair->b->triangles + 3 * (size_t)triangle_b;
    fr_vec3 a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = pair->points_a[ta[k]];
        b[k] = pair->points_b[tb[k]];
    }
    if (!fr_triangle_overlap(a, b)) { return; }
    const uint32_t key[2] = {triangle_a, triangle_b};
    pair->hits++;
    pair->hash += fr_hash(key, sizeof key, 0);
}

static bool test_leaves(uint32_t leaf_a, uint32_t leaf_b, void *context) {
    mesh_pair *pair = context;
    const fr__tree_leaf *a = &pair->a->tree->leaves[leaf_a], *b = &pair->b->tree->leaves[leaf_b];
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            test_pair(pair, a->item[i], b->item[j]);
        }
    }
    pair->candidates += (uint64_t)a->count * b->count;
    return true;
}

// Boxes of the world's triangles first: a pair without overlap of these is refused by the exact test.
static fr_bounds triangle_bounds(const fr_mesh_view *view, const fr_vec3 *points, uint32_t triangle) {
    fr_vec3 corners[3];
    for (size_t k = 0; k < 3; k++) {
        corners[k] = points[view->triangles[3 * (size_t)triangle + k]];
    }
    return fr_bounds_of_points(corners, 3);
}

static void test_all(mesh_pair *pair) {
    fr_bounds *bounds_b = malloc(pair->b->triangle_count * sizeof *bounds_b);
    assert_non_null(bounds_b);
    for (uint32_t j = 0; j < pair->b->triangle_count; j++) {
        bounds_b[j] = triangle_bounds(pair->b, pair->points_b, j);
    }
    for (uint32_t i = 0; i < pair->a->triangle_count; i++) {
        fr_bounds bounds_a = triangle_bounds(pair->a, pair->points_a, i);
        for (uint32_t j = 0; j < pair->b->triangle_count; j++) {
            if (fr_bounds_overlap(&bounds_a, &bounds_b[j])) { test_pair(pair, i, j); }
        }
    }
    free(bounds_b);
}

static void move_points(const fr_mesh_view *view, const fr_pose *pose, fr_vec3 *out) {
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        fr_vec3 local = fr__mesh_position(view, i);
        out[i] = fr_pose_apply(pose, local);
    }
}

// The pairs of two meshes by both methods, in one frame far from the origin or near it.
static void compare_poses(const fr_mesh *mesh_a, const fr_mesh *mesh_b, double distance, double offset, double scale,
                          fr_random *random, uint64_t rounds) {
    const fr_mesh_view *a = fr_mesh_get(mesh_a), *b = fr_mesh_get(mesh_b);
    fr_vec3 *points_a = malloc(a->vertex_count * sizeof *points_a),
            *points_b = malloc(b->vertex_count * sizeof *points_b);
    assert_true(points_a != NULL && points_b != NULL);
    uint64_t hits = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        fr_pose pose_a = random_pose(random, 1.0);
        fr_pose pose_b = random_pose(random, 1.0);
        pose_a.position.x += offset;
        pose_a.scale = scale;
        fr_vec3 apart = fr_vec3_unit(random_point(random, 1.0), fr_vec3_make(1, 0, 0));
        pose_b.position = fr_vec3_add_scaled(pose_a.position, distance, apart);
        move_points(a, &pose_a, points_a);
        move_points(b, &pose_b, points_b);

        mesh_pair by_tree = {a, b, points_a, points_b, 0, 0, 0}, by_force = by_tree;
        fr__tree_relation relation = fr__tree_relate(a->tree, &pose_a, b->tree, &pose_b, 0.0);
        assert_true(fr__tree_kernel()->pairs(a->tree, b->tree, &relation, test_leaves, &by_tree));
        uint64_t hash = by_tree.hash, candidates = by_tree.candidates;
        fr_simd_set(FR_SIMD_BASELINE);
        by_tree = by_force;
        assert_true(fr__tree_kernel()->pairs(a->tree, b->tree, &relation, test_leaves, &by_tree));
        fr_simd_set(fr_simd_best());
        assert_true(by_tree.hash == hash && by_tree.candidates == candidates);
        test_all(&by_force);
        assert_int_equal(by_tree.hits, by_force.hits);
        assert_true(by_tree.hash == by_force.hash);
        hits += by_tree.hits;
    }
    assert_true(hits > 0);
    free(points_a);
    free(points_b);
}

static void spheres_give_the_pairs_of_brute_force(void **state) {
    (void)state;
    fr_random random = fr_random_seed(41);
    fr_mesh *sphere = NULL, *small = NULL;
    assert_int_equal(fr_mesh_create_sphere(1.0, 21, 24, FR_AXIS_Z, NULL, &sphere, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_sphere(1.0, 3, 4, FR_AXIS_Z, NULL, &small, NULL), FR_OK);
    compare_poses(sphere, sphere, 1.9, 0.0, 1.0, &random, test_count(25, 1000));
    compare_poses(sphere, sphere, 0.05, 0.0, 1.0, &random, test_count(5, 200));
    compare_poses(sphere, sphere, 1.9, 1e6, 1.0, &random, test_count(10, 500));
    compare_poses(sphere, sphere, 1.0, 0.0, 0.03, &random, test_count(10, 500));
    compare_poses(sphere, small, 1.5, 0.0, 1.0, &random, test_count(20, 500));
    compare_poses(small, sphere, 1.5, 1e9, 1.0, &random, test_count(20, 500));
    fr_mesh_release(sphere);
    fr_mesh_release(small);
}

// ---------------------------------------------------------------------------------------------------------------
// Rounding: points that coincide in the world must lie in boxes that meet

static bool note_pair(uint32_t leaf_a, uint32_t leaf_b, void *context) {
    (void)leaf_a;
    (void)leaf_b;
    *(bool *)context = true;
    return true;
}

static fr_tree *tree_of_point(fr_vec3 point) {
    fr_bounds bounds = {point, point};
    fr_box box = fr_box_of_bounds(&bounds, fr_vec3_make(0, 0, 0));
    fr_tree_def def = fr_default_tree_def();
    def.boxes = &box;
    def.count = 1;
    fr_tree *tree = NULL;
    assert_int_equal(fr_tree_create(&def, &tree, NULL), FR_OK);
    return tree;
}

static double random_size(fr_random *random, double digits) {
    return pow(10.0, fr_random_between(random, -digits, digits));
}

// A point of b that stands, as exactly as doubles allow, at a point of a, or `margin` away from it.
static void no_touching_point_is_lost(void **state) {
    (void)state;
    fr_random random = fr_random_seed(42);
    uint64_t rounds = test_count(20000, 1000000);
    for (uint64_t i = 0; i < rounds; i++) {
        fr_pose a = random_pose(&random, random_size(&random, 6));
        fr_pose b = random_pose(&random, random_size(&random, 6));
        a.scale = random_size(&random, 3);
        b.scale = random_size(&random, 3);
        if (i % 4 == 0) { a.rotation = fr_quat_identity(); }
        if (i % 8 == 0) { b.rotation = fr_quat_identity(); }
        fr_vec3 in_a = random_point(&random, random_size(&random, 5));
        fr_vec3 world = fr_pose_apply(&a, in_a);
        double margin = i % 3 == 0 ? random_size(&random, 6) : 0.0;
        fr_vec3 away = fr_vec3_unit(random_point(&random, 1.0), fr_vec3_make(1, 0, 0));
        fr_vec3 place = fr_vec3_add_scaled(world, margin * (1.0 - 1e-12), away);
        fr_pose back = fr_pose_inverse(&b);
        fr_vec3 in_b = fr_pose_apply(&back, place);
        // What fr_pose_apply makes of in_b differs from the place by rounding: that much belongs to the margin.
        double miss = fr_vec3_distance(fr_pose_apply(&b, in_b), world);

        fr_tree *tree_a = tree_of_point(in_a), *tree_b = tree_of_point(in_b);
        fr__tree_relation relation = fr__tree_relate(tree_a, &a, tree_b, &b, fmax(margin, miss));
        bool found = false;
        fr__tree_kernel()->pairs(tree_a, tree_b, &relation, note_pair, &found);
        assert_true(found);
        fr_tree_destroy(tree_a);
        fr_tree_destroy(tree_b);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// One frame

#define COUNT 600u

typedef struct box_pairs {
    const fr_tree *a, *b;
    const fr_box *boxes_a, *boxes_b;
    float margin;
    bool self;
    uint8_t *met; // COUNT x COUNT
} box_pairs;

static bool within(const fr_box *a, const fr_box *b, float margin) {
    fr_bounds grown = {fr_vec3_from_floats(a->min), fr_vec3_from_floats(a->max)};
    fr_bounds other = {fr_vec3_from_floats(b->min), fr_vec3_from_floats(b->max)};
    grown = fr_bounds_grow(&grown, (double)margin);
    return fr_bounds_overlap(&grown, &other);
}

static bool mark_pairs(uint32_t leaf_a, uint32_t leaf_b, void *context) {
    box_pairs *pairs = context;
    const fr__tree_leaf *a = &pairs->a->leaves[leaf_a], *b = &pairs->b->leaves[leaf_b];
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            if (pairs->self && leaf_a == leaf_b && j < i) { continue; }
            pairs->met[a->item[i] * COUNT + b->item[j]]++;
        }
    }
    return true;
}

static void pairs_in_one_frame(void **state) {
    (void)state;
    static fr_box boxes[2][COUNT];
    static uint8_t met[COUNT * COUNT];
    const float margins[] = {0.0f, 0.125f, 1e-7f};
    for (int set = 0; set < BOX_SET_COUNT; set++) {
        fr_random random = fr_random_seed(50 + (uint64_t)set);
        fr_tree *trees[2];
        for (int k = 0; k < 2; k++) {
            for (uint32_t i = 0; i < COUNT; i++) {
                boxes[k][i] = random_box_of((box_set)set, &random, i);
            }
            fr_tree_def def = fr_default_tree_def();
            def.boxes = boxes[k];
            def.count = COUNT;
            assert_int_equal(fr_tree_create(&def, &trees[k], NULL), FR_OK);
        }
        for (int m = 0; m < 6; m++) {
            bool self = m >= 3;
            int other = self ? 0 : 1;
            box_pairs pairs = {trees[0], trees[other], boxes[0], boxes[other], margins[m % 3], self, met};
            memset(met, 0, sizeof met);
            fr__tree_relation relation = fr__tree_relate_same(pairs.a, pairs.b, (double)pairs.margin);
            assert_true(relation.self == self);
            assert_true(fr__tree_kernel()->pairs(pairs.a, pairs.b, &relation, mark_pairs, &pairs));
            for (uint32_t i = 0; i < COUNT; i++) {
                for (uint32_t j = 0; j < COUNT; j++) {
                    int times = met[i * COUNT + j] + (self && i != j ? met[j * COUNT + i] : 0);
                    assert_true(times <= 1);
                    if (times == 0) { assert_false(within(&pairs.boxes_a[i], &pairs.boxes_b[j], pairs.margin)); }
                }
            }
        }
        fr_tree_destroy(trees[0]);
        fr_tree_destroy(trees[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_give_the_pairs_of_brute_force),
        cmocka_unit_test(no_touching_point_is_lost),
        cmocka_unit_test(pairs_in_one_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

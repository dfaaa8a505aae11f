#include "failing.h"
#include "solids.h"

#include <string.h>

static void what_is_out_of_range_is_refused(void **state) {
    (void)state;
    fr_error error;
    fr_octree *tree = NULL;
    fr_octree_def def = fr_default_octree_def();
    const struct {
        int dimension;
        uint32_t depth;
        double min, edge;
        fr_status status;
    } cases[] = {{3, 0, 0, 1, FR_ERROR_ARGUMENT},          {3, 10, 0, 1, FR_ERROR_ARGUMENT},
                 {2, 13, 0, 1, FR_ERROR_ARGUMENT},         {4, 5, 0, 1, FR_ERROR_ARGUMENT},
                 {3, 5, 0, -1, FR_ERROR_ARGUMENT},         {3, 5, NAN, 1, FR_ERROR_NOT_FINITE},
                 {3, 5, 0, INFINITY, FR_ERROR_NOT_FINITE}, {3, 5, 1e20, 1, FR_ERROR_ARGUMENT},
                 {3, 5, 1e20, 0, FR_ERROR_ARGUMENT},       {3, 5, 0, 5e-324, FR_ERROR_ARGUMENT},
                 {3, 5, 0, 0x1p+301, FR_ERROR_ARGUMENT},   {3, 5, 0x1p+301, 0x1p+300, FR_ERROR_ARGUMENT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        def.dimension = cases[i].dimension;
        def.depth = cases[i].depth;
        def.min.x = cases[i].min;
        def.edge = cases[i].edge;
        assert_int_equal(fr_octree_create(&def, &tree, &error), cases[i].status);
        assert_null(tree);
        assert_int_equal(error.status, cases[i].status);
        assert_true(error.message[0] != '\0');
    }
    fr_octree_destroy(NULL);
}

static void the_known_solids_have_their_known_counts(void **state) {
    (void)state;
    const struct {
        solid which;
        uint64_t voxels, black;
    } known[] = {{SOLID_SHUTTLE, 1828, 862}, {SOLID_THIN_SHUTTLE, 1347, 864}, {SOLID_SPHERE, 3328, 976}};
    fr_error error;
    for (size_t i = 0; i < 3; i++) {
        fr_octree *tree = make_solid(known[i].which, 5);
        fr_octree_counts counts = fr_octree_count(tree);
        assert_int_equal(counts.black_voxels, known[i].voxels);
        assert_int_equal(counts.black, known[i].black);
        assert_int_equal(counts.white + counts.black + counts.gray, 8 * counts.gray + 1);
        assert_true(fr_octree_validate(tree, &error));
        fr_octree_destroy(tree);
    }
}

typedef struct leaf_sum {
    const fr_octree *tree;
    uint64_t voxels[2], leaves[2];
    uint32_t last; // Morton index after the last leaf
} leaf_sum;

static bool sum_leaf(const fr_cell *cell, void *context) {
    leaf_sum *sum = context;
    fr_octree_def def = fr_octree_get_def(sum->tree);
    uint64_t voxels = (uint64_t)1 << def.dimension * (int)cell->level;
    sum->voxels[cell->color] += voxels;
    sum->leaves[cell->color]++;
    uint32_t index = 0;
    for (uint32_t b = 0; b < 10; b++) {
        uint32_t x = cell->x >> b & 1u, y = cell->y >> b & 1u, z = cell->z >> b & 1u;
        index |= (x | y << 1 | (def.dimension == 3 ? z << 2 : 0)) << def.dimension * (int)b;
    }
    assert_int_equal(index, sum->last);
    sum->last = index + (uint32_t)voxels;
    fr_cell leaf = fr_octree_leaf(sum->tree, cell->x, cell->y, cell->z);
    assert_int_equal(leaf.level, cell->level);
    assert_int_equal(leaf.color, cell->color);
    return true;
}

static void leaves_come_depth_first_and_cover_the_root(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (uint32_t depth = 1; depth <= 6; depth++) {
            fr_octree *tree = make_tree(dimension, depth);
            fill_randomly(tree, &random, 9);
            leaf_sum sum = {tree, {0, 0}, {0, 0}, 0};
            assert_true(fr_octree_leaves(tree, FR_CELL_GRAY, sum_leaf, &sum));
            fr_octree_counts counts = fr_octree_count(tree);
            assert_int_equal(sum.leaves[0], counts.white);
            assert_int_equal(sum.leaves[1], counts.black);
            assert_int_equal(sum.voxels[1], counts.black_voxels);
            assert_int_equal(sum.voxels[0] + sum.voxels[1], (uint64_t)1 << dimension * (int)depth);
            fr_octree_destroy(tree);
        }
    }
}

static bool end_at_once(const fr_cell *cell, void *context) {
    (void)cell;
    ++*(int *)context;
    return false;
}

static void outside_the_root_all_is_white_and_a_walk_can_be_ended(void **state) {
    (void)state;
    fr_octree *tree = make_tree(3, 3);
    fr_octree_clear(tree, FR_CELL_BLACK);
    const int64_t outside[][3] = {{-1, 0, 0}, {0, 8, 0}, {0, 0, INT64_MAX}, {INT64_MIN, 3, 3}};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        fr_cell leaf = fr_octree_leaf(tree, outside[i][0], outside[i][1], outside[i][2]);
        assert_true(leaf.color == FR_CELL_WHITE && leaf.level == 0);
        assert_int_equal(fr_octree_color(tree, 2, outside[i][0], outside[i][1], outside[i][2]), FR_CELL_WHITE);
    }
    blacken_voxel(tree, 1, 2, 3);
    int calls = 0;
    assert_false(fr_octree_leaves(tree, FR_CELL_BLACK, end_at_once, &calls));
    fr_bounds all = {{0, 0, 0}, {8, 8, 8}};
    assert_false(fr_octree_overlap(tree, &all, end_at_once, &calls));
    assert_int_equal(calls, 2);
    fr_octree_destroy(tree);
}

static void a_neighbour_is_the_cell_beside_of_the_same_size_or_larger(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    for (int dimension = 2; dimension <= 3; dimension++) {
        fr_octree *tree = make_tree(dimension, 5);
        fill_randomly(tree, &random, 12);
        for (int i = 0; i < 500; i++) {
            int64_t at[3] = {0, 0, 0};
            for (int a = 0; a < dimension; a++) {
                at[a] = (int64_t)fr_random_below(&random, 32);
            }
            fr_cell leaf = fr_octree_leaf(tree, at[0], at[1], at[2]), next;
            int axis = (int)fr_random_below(&random, (uint64_t)dimension), direction = i % 2 == 0 ? 1 : -1;
            int64_t size = (int64_t)1 << leaf.level, low[3] = {leaf.x, leaf.y, leaf.z};
            low[axis] += direction * size;
            bool is_inside = low[axis] >= 0 && low[axis] < 32;
            assert_int_equal(fr_octree_neighbor(tree, &leaf, axis, direction, &next), is_inside);
            if (!is_inside) { continue; }
            assert_true(next.level >= leaf.level);
            assert_int_equal(next.color, fr_octree_color(tree, next.level, low[0], low[1], low[2]));
            if (next.color == FR_CELL_GRAY) { assert_int_equal(next.level, leaf.level); }
            uint32_t mask = ~0u << next.level;
            assert_int_equal(next.x, (uint32_t)low[0] & mask);
            assert_int_equal(next.y, (uint32_t)low[1] & mask);
            assert_int_equal(next.z, (uint32_t)low[2] & mask);
        }
        fr_octree_destroy(tree);
    }
}

static void copies_are_equal_until_a_voxel_differs(void **state) {
    (void)state;
    fr_octree *a = make_solid(SOLID_CHAIR, 5), *b = make_tree(3, 5), *other = make_tree(3, 4);
    assert_false(fr_octree_equal(a, b));
    assert_int_equal(fr_octree_copy(a, b, NULL), FR_OK);
    assert_true(fr_octree_equal(a, b));
    blacken_voxel(b, 0, 0, 0);
    assert_false(fr_octree_equal(a, b));
    assert_int_equal(fr_octree_copy(a, other, NULL), FR_ERROR_ARGUMENT);
    assert_false(fr_octree_equal(a, other));
    fr_octree_clear(b, FR_CELL_BLACK);
    fr_octree_counts counts = fr_octree_count(b);
    assert_int_equal(counts.black, 1);
    assert_int_equal(counts.black_voxels, 32768);
    fr_octree_destroy(a);
    fr_octree_destroy(b);
    fr_octree_destroy(other);
}

static fr_status make_and_destroy(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_octree_def def = fr_default_octree_def();
    def.allocator = *allocator;
    fr_octree *tree;
    fr_status status = fr_octree_create(&def, &tree, NULL);
    fr_octree_destroy(tree);
    return status;
}

static void no_allocation_that_fails_leaves_anything(void **state) {
    (void)state;
    assert_int_equal(test_every_failure(make_and_destroy, NULL), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_out_of_range_is_refused),
        cmocka_unit_test(the_known_solids_have_their_known_counts),
        cmocka_unit_test(leaves_come_depth_first_and_cover_the_root),
        cmocka_unit_test(outside_the_root_all_is_white_and_a_walk_can_be_ended),
        cmocka_unit_test(a_neighbour_is_the_cell_beside_of_the_same_size_or_larger),
        cmocka_unit_test(copies_are_equal_until_a_voxel_differs),
        cmocka_unit_test(no_allocation_that_fails_leaves_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

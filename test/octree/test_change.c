#include "solids.h"

#include <string.h>

// A tree beside a plain array of its voxels.
typedef struct both {
    fr_octree *tree;
    int dimension;
    int64_t n;
    uint8_t *voxels;
} both;

static both make_both(int dimension, uint32_t depth) {
    both b = {make_tree(dimension, depth), dimension, (int64_t)1 << depth, NULL};
    b.voxels = calloc((size_t)(b.n * b.n * (dimension == 3 ? b.n : 1)), 1);
    return b;
}

static size_t voxel_count(const both *b) { return (size_t)(b->n * b->n * (b->dimension == 3 ? b->n : 1)); }

static void free_both(both *b) {
    fr_octree_destroy(b->tree);
    free(b->voxels);
}

static void expect_same(const both *b) {
    fr_error error;
    assert_true(fr_octree_validate(b->tree, &error));
    for (size_t i = 0; i < voxel_count(b); i++) {
        int64_t x = (int64_t)i % b->n, y = (int64_t)i / b->n % b->n, z = (int64_t)i / b->n / b->n;
        if (is_black(b->tree, x, y, z) != (b->voxels[i] != 0)) { fail_msg("voxel %zu differs", i); }
    }
}

static void fill_both(both *b, fr_random *random) {
    int64_t low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    for (int a = 0; a < b->dimension; a++) {
        low[a] = (int64_t)fr_random_below(random, (uint64_t)b->n + 4) - 2;
        high[a] = low[a] + (int64_t)fr_random_below(random, (uint64_t)b->n / 2 + 3);
    }
    fr_cell_color color = fr_random_below(random, 3) == 0 ? FR_CELL_WHITE : FR_CELL_BLACK;
    fr_octree_fill(b->tree, low, high, color);
    for (size_t i = 0; i < voxel_count(b); i++) {
        int64_t at[3] = {(int64_t)i % b->n, (int64_t)i / b->n % b->n, (int64_t)i / b->n / b->n};
        bool is_in = true;
        for (int a = 0; a < 3; a++) {
            is_in = is_in && at[a] >= low[a] && at[a] < high[a];
        }
        if (is_in) { b->voxels[i] = color == FR_CELL_BLACK; }
    }
}

static void filling_is_that_of_a_plain_array(void **state) {
    (void)state;
    fr_random random = fr_random_seed(11);
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (uint32_t depth = 1; depth <= 5; depth++) {
            both b = make_both(dimension, depth);
            for (uint64_t i = 0; i < test_count(12, 100); i++) {
                fill_both(&b, &random);
                expect_same(&b);
            }
            free_both(&b);
        }
    }
}

static bool combined(fr_octree_operation operation, bool a, bool b) {
    switch (operation) {
    case FR_OCTREE_UNION: return a || b;
    case FR_OCTREE_INTERSECTION: return a && b;
    case FR_OCTREE_DIFFERENCE: return a && !b;
    default: return a != b;
    }
}

static void combining_is_that_of_plain_arrays(void **state) {
    (void)state;
    fr_random random = fr_random_seed(12);
    for (uint64_t round = 0; round < test_count(64, 1000); round++) {
        int dimension = 2 + (int)(round % 2);
        uint32_t depth = 1 + (uint32_t)(round / 2 % 5);
        fr_octree_operation operation = (fr_octree_operation)(round / 8 % 4);
        both a = make_both(dimension, depth), b = make_both(dimension, depth), out = make_both(dimension, depth);
        for (int i = 0; i < 5; i++) {
            fill_both(&a, &random);
            fill_both(&b, &random);
            fill_both(&out, &random);
        }
        for (size_t i = 0; i < voxel_count(&a); i++) {
            out.voxels[i] = combined(operation, a.voxels[i] != 0, b.voxels[i] != 0);
        }
        assert_int_equal(fr_octree_combine(operation, a.tree, b.tree, out.tree, NULL), FR_OK);
        expect_same(&out);
        // The result may be one of the two.
        fr_octree *into = round % 3 == 0 ? a.tree : b.tree;
        assert_int_equal(fr_octree_combine(operation, a.tree, b.tree, into, NULL), FR_OK);
        assert_true(fr_octree_equal(into, out.tree));
        free_both(&a);
        free_both(&b);
        free_both(&out);
    }
}

static void trees_of_different_sizes_are_not_combined(void **state) {
    (void)state;
    fr_octree *tree = make_tree(3, 4), *shallow = make_tree(3, 3), *flat = make_tree(2, 4);
    fr_octree *others[2] = {shallow, flat};
    fr_octree_clear(tree, FR_CELL_BLACK);
    for (int i = 0; i < 2; i++) {
        fr_octree_clear(others[i], FR_CELL_BLACK);
        assert_int_equal(fr_octree_combine(FR_OCTREE_UNION, tree, others[i], tree, NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(fr_octree_combine(FR_OCTREE_UNION, tree, tree, others[i], NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(fr_octree_coarsen(tree, 1, false, others[i], NULL), FR_ERROR_ARGUMENT);
        assert_false(fr_octree_interfere(tree, others[i]));
        fr_octree_destroy(others[i]);
    }
    assert_true(fr_octree_interfere(tree, tree));
    fr_octree_destroy(tree);
}

static void inverting_twice_gives_the_tree_back(void **state) {
    (void)state;
    fr_random random = fr_random_seed(13);
    for (int dimension = 2; dimension <= 3; dimension++) {
        for (uint32_t depth = 1; depth <= 5; depth++) {
            both b = make_both(dimension, depth);
            for (int i = 0; i < 6; i++) {
                fill_both(&b, &random);
            }
            for (int twice = 0; twice < 2; twice++) {
                fr_octree_invert(b.tree);
                for (size_t i = 0; i < voxel_count(&b); i++) {
                    b.voxels[i] = b.voxels[i] == 0;
                }
                expect_same(&b);
            }
            free_both(&b);
        }
    }
}

static void less_detail_keeps_any_or_only_whole_cells(void **state) {
    (void)state;
    fr_random random = fr_random_seed(14);
    for (uint32_t level = 0; level <= 5; level++) {
        fr_octree *tree = make_tree(3, 5), *out = make_tree(3, 5);
        fill_randomly(tree, &random, 7);
        for (int whole = 0; whole < 2; whole++) {
            assert_int_equal(fr_octree_coarsen(tree, level, whole == 1, out, NULL), FR_OK);
            fr_error error;
            assert_true(fr_octree_validate(out, &error));
            for (int64_t i = 0; i < 32768; i++) {
                int64_t x = i % 32, y = i / 32 % 32, z = i / 1024;
                fr_cell_color color = fr_octree_color(tree, level, x, y, z);
                bool wanted = color == FR_CELL_BLACK || (color == FR_CELL_GRAY && whole == 0);
                if (is_black(out, x, y, z) != wanted) { fail_msg("level %u", (unsigned)level); }
            }
        }
        assert_int_equal(fr_octree_coarsen(tree, 6, false, out, NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(fr_octree_coarsen(tree, level, true, tree, NULL), FR_OK); // into itself
        assert_true(fr_octree_equal(tree, out));
        fr_octree_destroy(tree);
        fr_octree_destroy(out);
    }
}

static void boxes_and_points_blacken_what_they_share_points_with(void **state) {
    (void)state;
    fr_octree_def def = fr_default_octree_def();
    def.min = fr_vec3_make(-1.0, -1.0, -1.0);
    def.edge = 2.0;
    def.depth = 4;
    fr_error error;
    fr_octree *tree;
    assert_int_equal(fr_octree_create(&def, &tree, &error), FR_OK);
    fr_random random = fr_random_seed(15);
    for (int round = 0; round < 40; round++) {
        fr_octree_clear(tree, FR_CELL_WHITE);
        fr_vec3 p = random_about(&random, 1.2);
        p.z = (double)fr_random_below(&random, 17) / 8.0 - 1.0;
        fr_bounds box = {p, fr_vec3_add(p, fr_vec3_make(0.25, fr_random_unit(&random), 0.125))};
        if (round % 2 == 0) {
            assert_int_equal(fr_octree_add_boxes(tree, &box, 1, &error), FR_OK);
        } else {
            assert_int_equal(fr_octree_add_points(tree, &p, 1, &error), FR_OK);
        }
        for (uint32_t i = 0; i < 4096; i++) {
            fr_cell cell = {i % 16, i / 16 % 16, i / 256, 0, FR_CELL_WHITE};
            fr_bounds bounds = fr_octree_cell_bounds(tree, &cell);
            bool wanted = fr_bounds_overlap(&bounds, &box);
            if (round % 2 == 1) {
                wanted = fr_bounds_contain_point(&bounds, p) && p.x < bounds.max.x && p.y < bounds.max.y &&
                         p.z < bounds.max.z;
            }
            assert_int_equal(is_black(tree, cell.x, cell.y, cell.z), wanted);
        }
    }
    // One that is wrong after one that is right: nothing is added.
    const fr_bounds boxes[2] = {{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, {{NAN, 0.0, 0.0}, {1.0, 1.0, 1.0}}};
    const fr_vec3 points[2] = {{0.0, 0.0, 0.0}, {0.0, INFINITY, 0.0}};
    const fr_bounds empty = fr_bounds_empty(), flipped = {{0.0, 0.5, 0.0}, {0.5, 0.0, 0.5}};
    fr_octree_clear(tree, FR_CELL_WHITE);
    assert_int_equal(fr_octree_add_boxes(tree, boxes, 2, &error), FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_octree_add_points(tree, points, 2, &error), FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_octree_add_boxes(tree, &flipped, 1, &error), FR_OK);
    assert_int_equal(fr_octree_add_boxes(tree, &empty, 1, &error), FR_OK);
    assert_int_equal(fr_octree_count(tree).black, 0);
    fr_octree_destroy(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filling_is_that_of_a_plain_array),
        cmocka_unit_test(combining_is_that_of_plain_arrays),
        cmocka_unit_test(trees_of_different_sizes_are_not_combined),
        cmocka_unit_test(inverting_twice_gives_the_tree_back),
        cmocka_unit_test(less_detail_keeps_any_or_only_whole_cells),
        cmocka_unit_test(boxes_and_points_blacken_what_they_share_points_with),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

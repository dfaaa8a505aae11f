#include "octree/faithful/cube_list.h"

#include "failing.h"
#include "octree/solids.h"

// Disjoint, all black, and everything that is black.
static void expect_exact_cover(const fr_octree *tree, const fr_cube_list *list) {
    fr_octree_def def = fr_octree_get_def(tree);
    fr_octree *cover = make_tree(3, def.depth);
    uint64_t voxels = 0;
    for (size_t i = 0; i < list->array.count; i++) {
        const fr_cube *c = &fr_cubes_of(list)[i];
        const int64_t low[3] = {c->x, c->y, c->z}, high[3] = {c->x + c->s, c->y + c->s, c->z + c->s};
        fr_octree_fill(cover, low, high, FR_CELL_BLACK);
        voxels += (uint64_t)c->s * (uint64_t)c->s * (uint64_t)c->s;
    }
    assert_true(fr_octree_equal(tree, cover));
    assert_int_equal(voxels, fr_octree_count(tree).black_voxels);
    fr_octree_destroy(cover);
}

static void compaction_covers_exactly_with_the_known_numbers_of_cubes(void **state) {
    (void)state;
    const size_t leaves[SOLID_COUNT] = {862, 864, 976, 112}, most[SOLID_COUNT] = {455, 422, 796, 49};
    for (int which = 0; which < SOLID_COUNT; which++) {
        fr_octree *tree = make_solid((solid)which, 5);
        fr_cube_list list, compact;
        assert_int_equal(fr_cube_list_leaves(tree, NULL, &list), FR_OK);
        assert_int_equal(fr_cube_list_compact(tree, NULL, &compact), FR_OK);
        assert_int_equal(list.array.count, leaves[which]);
        assert_int_equal(compact.array.count, most[which]);
        expect_exact_cover(tree, &list);
        expect_exact_cover(tree, &compact);
        for (size_t i = 1; i < compact.array.count; i++) {
            assert_true(fr_cubes_of(&compact)[i - 1].s >= fr_cubes_of(&compact)[i].s);
        }
        fr_cube_array_destroy(&list.array);
        fr_cube_array_destroy(&compact.array);
        fr_octree_destroy(tree);
    }
}

// As in the source's figure 5.4: two cubes that lie across the grid, of many nodes each, become two.
static void two_cubes_across_the_grid_become_two(void **state) {
    (void)state;
    fr_octree *tree = make_tree(3, 3);
    const int64_t low[2][3] = {{1, 1, 1}, {5, 5, 5}}, high[2][3] = {{4, 4, 4}, {8, 8, 8}};
    fr_octree_fill(tree, low[0], high[0], FR_CELL_BLACK);
    fr_octree_fill(tree, low[1], high[1], FR_CELL_BLACK);
    assert_true(fr_octree_count(tree).black > 20);
    fr_cube_list compact;
    assert_int_equal(fr_cube_list_compact(tree, NULL, &compact), FR_OK);
    assert_int_equal(compact.array.count, 2);
    expect_exact_cover(tree, &compact);
    fr_cube_array_destroy(&compact.array);
    fr_octree_destroy(tree);
}

static void random_trees_are_covered(void **state) {
    (void)state;
    fr_random random = fr_random_seed(93);
    for (int i = 0; i < 30; i++) {
        fr_octree *tree = make_tree(3, 1 + (uint32_t)(i % 4));
        fill_randomly(tree, &random, i % 9);
        fr_cube_list compact;
        assert_int_equal(fr_cube_list_compact(tree, NULL, &compact), FR_OK);
        expect_exact_cover(tree, &compact);
        fr_cube_array_destroy(&compact.array);
        fr_octree_destroy(tree);
    }
}

static fr_status compact_once(const fr_allocator *allocator, void *context) {
    fr_cube_list list;
    fr_status status = fr_cube_list_compact(context, allocator, &list);
    if (status == FR_OK) { fr_cube_array_destroy(&list.array); }
    return status;
}

static void no_allocation_that_fails_leaves_anything(void **state) {
    (void)state;
    fr_octree *tree = make_solid(SOLID_CHAIR, 5);
    assert_true(test_every_failure(compact_once, tree) > 2);
    fr_octree_destroy(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compaction_covers_exactly_with_the_known_numbers_of_cubes),
        cmocka_unit_test(two_cubes_across_the_grid_become_two),
        cmocka_unit_test(random_trees_are_covered),
        cmocka_unit_test(no_allocation_that_fails_leaves_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

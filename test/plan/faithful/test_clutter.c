#include "plan/faithful/clutter.h"

#include "failing.h"
#include "plan/worlds.h"

static void there_are_as_many_nodes_as_wanted(void **state) {
    (void)state;
    static const uint32_t counts[] = {0, 1, 303, 981, 3760};
    fr_octree_def def = fr_default_octree_def();
    fr_octree *a, *b;
    fr_error error;
    assert_int_equal(fr_octree_create(&def, &a, &error), FR_OK);
    assert_int_equal(fr_octree_create(&def, &b, &error), FR_OK);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        fr_clutter clutter = {7, counts[i], 9, {{{0, 0, 0}, {9, 9, 9}}, {{23, 23, 23}, {32, 32, 32}}}};
        fr_octree_clear(a, FR_CELL_WHITE);
        fr_octree_clear(b, FR_CELL_WHITE);
        assert_int_equal(fr_clutter_fill(&clutter, a, &error), FR_OK);
        assert_int_equal(fr_octree_count(a).black, counts[i]);
        assert_int_equal(fr_octree_color(a, 3, 0, 0, 0), FR_CELL_WHITE);
        assert_int_equal(fr_octree_color(a, 3, 31, 31, 31), FR_CELL_WHITE);
        assert_int_equal(fr_clutter_fill(&clutter, b, &error), FR_OK);
        assert_true(fr_octree_equal(a, b));
    }
    fr_clutter none = {7, 30000, 1, {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}}};
    def.depth = 3;
    fr_octree *small;
    assert_int_equal(fr_octree_create(&def, &small, &error), FR_OK);
    assert_int_equal(fr_clutter_fill(&none, small, &error), FR_ERROR_LIMIT);
    fr_octree_destroy(a);
    fr_octree_destroy(b);
    fr_octree_destroy(small);
}

// A wall that is there before keeps its cells, and its nodes count.
static void what_is_there_stays_and_counts(void **state) {
    (void)state;
    fr_octree_def def = fr_default_octree_def();
    fr_octree *tree;
    fr_error error;
    assert_int_equal(fr_octree_create(&def, &tree, &error), FR_OK);
    const int64_t low[3] = {12, 0, 0}, high[3] = {16, 32, 32};
    fr_octree_fill(tree, low, high, FR_CELL_BLACK);
    fr_clutter few = {7, 63, 9, {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}}}, many = few;
    many.nodes = 981;
    assert_int_equal(fr_clutter_fill(&few, tree, &error), FR_ERROR_LIMIT);
    assert_int_equal(fr_clutter_fill(&many, tree, &error), FR_OK);
    assert_int_equal(fr_octree_count(tree).black, 981);
    for (int64_t y = 0; y < 32; y += 4) {
        for (int64_t z = 0; z < 32; z += 4) {
            assert_int_equal(fr_octree_color(tree, 2, 12, y, z), FR_CELL_BLACK);
        }
    }
    fr_octree_destroy(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_as_many_nodes_as_wanted),
        cmocka_unit_test(what_is_there_stays_and_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

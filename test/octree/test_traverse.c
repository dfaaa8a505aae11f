#include "failing.h"
#include "solids.h"

#include <string.h>

enum { TREES = 4 };

typedef struct meetings {
    fr_octree *trees[TREES];
    int64_t n;
    int dimension;
    uint8_t *seen; // by voxel: which trees were told together there
    size_t count;
} meetings;

static bool note_meeting(const fr_cell *cell, const uint32_t *trees, uint32_t count, void *context) {
    meetings *m = context;
    int64_t size = (int64_t)1 << cell->level;
    assert_true(count >= 2);
    uint8_t bits = 0;
    bool all_black = true;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) { assert_true(trees[i - 1] < trees[i]); }
        fr_cell_color color = fr_octree_color(m->trees[trees[i]], cell->level, cell->x, cell->y, cell->z);
        assert_true(color != FR_CELL_WHITE);
        all_black = all_black && color == FR_CELL_BLACK;
        bits |= (uint8_t)(1u << trees[i]);
    }
    assert_int_equal(cell->color, all_black ? FR_CELL_BLACK : FR_CELL_GRAY);
    for (int64_t z = 0; z < (m->dimension == 3 ? size : 1); z++) {
        for (int64_t y = 0; y < size; y++) {
            for (int64_t x = 0; x < size; x++) {
                uint8_t *seen = &m->seen[((cell->z + z) * m->n + cell->y + y) * m->n + cell->x + x];
                assert_int_equal(*seen, 0);
                *seen = bits;
            }
        }
    }
    m->count++;
    return true;
}

static uint8_t black_there(const meetings *m, int64_t i) {
    uint8_t bits = 0;
    for (int t = 0; t < TREES; t++) {
        if (is_black(m->trees[t], i % m->n, i / m->n % m->n, i / m->n / m->n)) { bits |= (uint8_t)(1 << t); }
    }
    return bits;
}

static bool is_shared(uint8_t bits) { return (bits & (bits - 1)) != 0; }

// Dividing tells exactly the voxels that two trees share, with all trees that are black there; as printed, at least
// these, and of those beyond only cells where two trees do meet.
static void interfering_cells_are_those_of_brute_force(void **state) {
    (void)state;
    fr_random random = fr_random_seed(71);
    for (uint64_t round = 0; round < test_count(30, 400); round++) {
        meetings m = {.n = 1 << (2 + round % 3), .dimension = round % 5 == 0 ? 2 : 3};
        int64_t voxels = m.n * m.n * (m.dimension == 3 ? m.n : 1);
        for (int t = 0; t < TREES; t++) {
            m.trees[t] = make_tree(m.dimension, 2 + (uint32_t)(round % 3));
            fill_randomly(m.trees[t], &random, 1 + t);
        }
        size_t divided = 0;
        for (int reading = 0; reading < 2; reading++) {
            m.seen = calloc((size_t)voxels, 1);
            m.count = 0;
            fr_octree_traverse_input input = {.trees = (const fr_octree *const *)m.trees,
                                              .tree_count = TREES,
                                              .reading = (fr_octree_reading)reading,
                                              .found = note_meeting,
                                              .context = &m};
            fr_error error;
            assert_int_equal(fr_octree_traverse(&input, NULL, &error), FR_OK);
            for (int64_t i = 0; i < voxels; i++) {
                uint8_t wanted = black_there(&m, i);
                if (reading == FR_OCTREE_DIVIDE) {
                    assert_int_equal(m.seen[i], is_shared(wanted) ? wanted : 0);
                } else if (is_shared(wanted)) {
                    assert_int_equal(m.seen[i] & wanted, wanted);
                }
            }
            if (reading == FR_OCTREE_DIVIDE) { divided = m.count; }
            assert_true(m.count <= divided);
            free(m.seen);
        }
        bool meets = false;
        for (int64_t i = 0; i < voxels; i++) {
            meets = meets || (black_there(&m, i) & 3) == 3;
        }
        assert_int_equal(fr_octree_interfere(m.trees[0], m.trees[1]), meets);
        for (int t = 0; t < TREES; t++) {
            fr_octree_destroy(m.trees[t]);
        }
    }
}

typedef struct only {
    uint32_t level, count;
    size_t calls;
} only;

static bool note_one(const fr_cell *cell, const uint32_t *trees, uint32_t count, void *context) {
    (void)trees;
    only *o = context;
    o->level = cell->level;
    o->count = count;
    o->calls++;
    return true;
}

static bool end_now(const fr_cell *cell, const uint32_t *trees, uint32_t count, void *context) {
    (void)cell;
    (void)trees;
    (void)count;
    ++*(int *)context;
    return false;
}

// {gray, gray, black}: rules (b) and (c) of the source both hold; as printed the cell interferes, divided its parts do.
static void two_gray_and_a_black_cell(void **state) {
    (void)state;
    fr_octree *trees[3] = {make_tree(3, 2), make_tree(3, 2), make_tree(3, 2)};
    blacken_voxel(trees[0], 0, 0, 0);
    blacken_voxel(trees[1], 1, 1, 1);
    fr_octree_clear(trees[2], FR_CELL_BLACK);
    only o = {0, 0, 0};
    fr_octree_traverse_input input = {.trees = (const fr_octree *const *)trees,
                                      .tree_count = 3,
                                      .reading = FR_OCTREE_PRINTED,
                                      .found = note_one,
                                      .context = &o};
    fr_error error;
    assert_int_equal(fr_octree_traverse(&input, NULL, &error), FR_OK);
    assert_int_equal(o.calls, 1);
    assert_int_equal(o.level, 2);
    assert_int_equal(o.count, 3);
    input.reading = FR_OCTREE_DIVIDE;
    o = (only){0, 0, 0};
    assert_int_equal(fr_octree_traverse(&input, NULL, &error), FR_OK);
    assert_int_equal(o.calls, 2);
    assert_int_equal(o.level, 0);
    assert_int_equal(o.count, 2);
    int calls = 0;
    input.found = end_now;
    input.context = &calls;
    fr_octree_traverse_output output = {0};
    assert_int_equal(fr_octree_traverse(&input, &output, &error), FR_ERROR_STOPPED);
    assert_int_equal(calls, 1);
    assert_true(output.visited > 0);
    fr_octree *deeper = make_tree(3, 3);
    fr_octree *mixed[2] = {trees[0], deeper};
    input.trees = (const fr_octree *const *)mixed;
    input.tree_count = 2;
    assert_int_equal(fr_octree_traverse(&input, NULL, &error), FR_ERROR_ARGUMENT);
    input.tree_count = (1u << 20) + 1;
    assert_int_equal(fr_octree_traverse(&input, NULL, &error), FR_ERROR_LIMIT);
    assert_false(fr_octree_interfere(trees[0], deeper));
    fr_octree_destroy(deeper);
    for (int i = 0; i < 3; i++) {
        fr_octree_destroy(trees[i]);
    }
}

static fr_status walk_once(const fr_allocator *allocator, void *context) {
    only o = {0, 0, 0};
    fr_octree_traverse_input input = {
        .trees = context, .tree_count = 2, .found = note_one, .context = &o, .allocator = *allocator};
    return fr_octree_traverse(&input, NULL, NULL);
}

static void no_allocation_that_fails_leaves_anything(void **state) {
    (void)state;
    fr_octree *trees[2] = {make_solid(SOLID_SHUTTLE, 4), make_solid(SOLID_SPHERE, 4)};
    assert_int_equal(test_every_failure(walk_once, trees), 2);
    fr_octree_destroy(trees[0]);
    fr_octree_destroy(trees[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interfering_cells_are_those_of_brute_force),
        cmocka_unit_test(two_gray_and_a_black_cell),
        cmocka_unit_test(no_allocation_that_fails_leaves_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

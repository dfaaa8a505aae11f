#include "plan/world.h"

#include "failing.h"
#include "worlds.h"

// ---------------------------------------------------------------------------------------------------------------
// Validity

static fr_status make_with(int dimension, uint32_t depth, fr_octree_rule rule, uint32_t margin) {
    fr_plan_world_def def = fr_default_plan_world_def();
    def.dimension = dimension;
    def.depth = depth;
    def.rule = rule;
    def.margin = margin;
    fr_plan_world *world;
    fr_error error;
    fr_status status = fr_plan_world_create(&def, &world, &error);
    assert_true((status == FR_OK) == (world != NULL));
    fr_plan_world_destroy(world);
    return status;
}

static void definitions_outside_their_limits_are_refused(void **state) {
    (void)state;
    assert_int_equal(make_with(3, 1, FR_OCTREE_OVERLAP, 0), FR_OK);
    assert_int_equal(make_with(2, FR_PLAN_MAX_DEPTH_2D, FR_OCTREE_CENTER, 64), FR_OK);
    assert_int_equal(make_with(4, 5, FR_OCTREE_OVERLAP, 0), FR_ERROR_ARGUMENT);
    assert_int_equal(make_with(3, 0, FR_OCTREE_OVERLAP, 0), FR_ERROR_ARGUMENT);
    assert_int_equal(make_with(3, FR_PLAN_MAX_DEPTH + 1, FR_OCTREE_OVERLAP, 0), FR_ERROR_ARGUMENT);
    assert_int_equal(make_with(2, FR_PLAN_MAX_DEPTH_2D + 1, FR_OCTREE_OVERLAP, 0), FR_ERROR_ARGUMENT);
    assert_int_equal(make_with(3, 5, FR_OCTREE_TOUCH, 0), FR_ERROR_ARGUMENT);
    assert_int_equal(make_with(3, 5, FR_OCTREE_OVERLAP, 65), FR_ERROR_ARGUMENT);
}

static void bad_obstacles_change_nothing(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(3, 4);
    fr_plan_box box = {{1, 1, 1}, {5, 5, 5}};
    fr_plan_shape shape = {&box, 1, {8.0, 8.0, 8.0}};
    fr_plan_place place = unmoved_place();
    fr_error error;
    assert_int_equal(fr_plan_world_set(world, 7, &shape, &place, &error), FR_OK);
    uint64_t version = fr_plan_world_version(world);

    place.turn_deg.y = (double)NAN;
    assert_int_equal(fr_plan_world_set(world, 7, &shape, &place, &error), FR_ERROR_NOT_FINITE);
    place.turn_deg.y = 0.0;
    place.position.x = 1e300;
    assert_int_equal(fr_plan_world_set(world, 7, &shape, &place, &error), FR_ERROR_LIMIT);
    shape.pivot.z = (double)INFINITY;
    assert_int_equal(fr_plan_world_set(world, 8, &shape, &place, &error), FR_ERROR_NOT_FINITE);
    fr_octree_def def = fr_default_octree_def();
    fr_octree *tree;
    assert_int_equal(fr_octree_create(&def, &tree, &error), FR_OK);
    assert_int_equal(fr_plan_world_set_cells(world, 7, tree, &error), FR_ERROR_ARGUMENT);
    fr_octree_destroy(tree);
    assert_int_equal(fr_plan_world_remove(world, 8, &error), FR_ERROR_STALE_ID);
    assert_true(fr_plan_world_version(world) == version && fr_plan_world_is_black(world, 4, 4, 4));
    fr_plan_world_destroy(world);
}

// As many obstacles in one cell as there may be, and one more; a shape of too many boxes.
static void no_more_than_the_limits(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(2, 1);
    fr_plan_box box = {{0, 0, 0}, {1, 1, 1}};
    fr_plan_shape shape = {&box, 1, {0.0, 0.0, 0.0}};
    fr_plan_place place = unmoved_place();
    for (uint64_t key = 0; key < FR_PLAN_MAX_OBJECTS; key++) {
        assert_int_equal(fr_plan_world_set(world, key, &shape, &place, NULL), FR_OK);
    }
    uint64_t version = fr_plan_world_version(world);
    assert_int_equal(fr_plan_world_set(world, FR_PLAN_MAX_OBJECTS, &shape, &place, NULL), FR_ERROR_LIMIT);
    assert_int_equal(fr_plan_world_set(world, 7, &shape, &place, NULL), FR_OK);
    shape.box_count = FR_PLAN_MAX_BOXES + 1;
    assert_int_equal(fr_plan_world_set(world, 7, &shape, &place, NULL), FR_ERROR_LIMIT);
    assert_true(fr_plan_world_version(world) == version);
    for (uint64_t key = 1; key < FR_PLAN_MAX_OBJECTS; key++) {
        assert_int_equal(fr_plan_world_remove(world, FR_PLAN_MAX_OBJECTS - key, NULL), FR_OK);
    }
    assert_true(fr_plan_world_is_black(world, 0, 0, 0) && fr_plan_world_version(world) == version);
    assert_int_equal(fr_plan_world_remove(world, 0, NULL), FR_OK);
    assert_false(fr_plan_world_is_black(world, 0, 0, 0));
    fr_plan_world_destroy(world);
}

// ---------------------------------------------------------------------------------------------------------------
// Cells

static void boxes_are_the_cells_they_name(void **state) {
    (void)state;
    for (size_t i = 0; i < NAMED_WORLD_COUNT; i++) {
        const named_world *n = &named_worlds[i];
        fr_plan_world *world = make_named_world(n);
        int32_t size = 1 << n->depth, layers = n->dimension == 3 ? size : 1;
        for (int32_t c = 0; c < size * size * layers; c++) {
            const int32_t cell[3] = {c % size, c / size % size, c / size / size};
            bool wanted = false;
            for (uint32_t b = 0; b <= n->wall_count; b++) {
                const fr_plan_box *box = b < n->wall_count ? &n->walls[b] : &n->mover;
                bool is_in = true;
                for (int a = 0; a < n->dimension; a++) {
                    is_in = is_in && cell[a] >= box->low[a] && cell[a] < box->high[a];
                }
                wanted = wanted || is_in;
            }
            assert_int_equal(fr_plan_world_is_black(world, cell[0], cell[1], cell[2]), wanted);
        }
        assert_true(fr_plan_world_is_black(world, -1, 5, 5) && fr_plan_world_is_black(world, 5, size, 5));
        fr_plan_world_destroy(world);
    }
}

// Tree, bits and queries of single cells agree.
static void expect_one_world(const fr_plan_world *world) {
    const fr_octree *tree = fr_plan_world_octree(world);
    fr_error error;
    assert_true(fr_octree_validate(tree, &error));
    fr__plan_bits bits = fr__plan_world_bits(world);
    for (uint32_t z = 0; z < bits.layers; z++) {
        for (uint32_t y = 0; y < bits.size; y++) {
            const uint64_t *row = bits.words + (size_t)(z * bits.size + y) * bits.row_words;
            for (uint32_t x = 0; x < bits.row_words * 64; x++) {
                bool is_black = (row[x / 64] >> x % 64 & 1) != 0;
                if (x >= bits.size) {
                    assert_false(is_black);
                    continue;
                }
                assert_int_equal(fr_plan_world_is_black(world, x, y, z), is_black);
                assert_int_equal(fr_octree_color(tree, 0, x, y, z), is_black ? FR_CELL_BLACK : FR_CELL_WHITE);
            }
        }
    }
}

static void obstacles_that_move_leave_no_cell_behind(void **state) {
    (void)state;
    fr_random random = fr_random_seed(11);
    static const uint32_t depth[2][5] = {{1, 2, 4, 6, 7}, {1, 2, 3, 4, 5}};
    for (uint64_t i = 0; i < test_count(20, 400); i++) {
        int dimension = 2 + (int)(i % 2);
        uint32_t d = depth[i % 2][i / 2 % 5];
        fr_plan_world *world = make_random_world(&random, dimension, d, 6), *fresh = make_empty_world(dimension, d);
        for (uint32_t k = 0; k < 8; k++) {
            fr_plan_box box = random_box(&random, dimension, 1u << d, 1u << (d - 1));
            fr_plan_place place = unmoved_place();
            place.turn_deg.z = fr_random_between(&random, 0.0, 360.0);
            place.position.y = fr_random_between(&random, -4.0, 4.0);
            put_box(world, k % 6, box, place);
            expect_one_world(world);
            if (k < 2) { continue; }
            put_box(fresh, 100 - k, box, place);
        }
        assert_true(fr_octree_equal(fr_plan_world_octree(world), fr_plan_world_octree(fresh)));
        fr_error error;
        for (uint64_t key = 0; key < 6; key++) {
            assert_int_equal(fr_plan_world_remove(world, key, &error), FR_OK);
        }
        assert_int_equal(fr_octree_count(fr_plan_world_octree(world)).white, 1);
        fr_plan_world_destroy(world);
        fr_plan_world_destroy(fresh);
    }
}

static void the_version_reports_every_change_and_nothing_else(void **state) {
    (void)state;
    fr_random random = fr_random_seed(12);
    fr_plan_world *world = make_empty_world(2, 5);
    fr_octree_def def = fr_octree_get_def(fr_plan_world_octree(world));
    fr_octree *before;
    fr_error error;
    assert_int_equal(fr_octree_create(&def, &before, &error), FR_OK);
    for (uint64_t i = 0; i < test_count(300, 20000); i++) {
        assert_int_equal(fr_octree_copy(fr_plan_world_octree(world), before, NULL), FR_OK);
        uint64_t version = fr_plan_world_version(world);
        fr_plan_box box = random_box(&random, 2, 32, 3);
        box.low[0] &= ~7;
        box.high[0] = box.low[0] + 2;
        put_box(world, fr_random_below(&random, 5), box, unmoved_place());
        bool is_same = fr_octree_equal(fr_plan_world_octree(world), before);
        assert_int_equal(fr_plan_world_version(world), version + (is_same ? 0 : 1));
        fr__plan_change change = fr__plan_world_last_change(world);
        for (int32_t c = 0; !is_same && c < 1024; c++) {
            int32_t x = c % 32, y = c / 32;
            bool is_in = x >= change.low[0] && x < change.high[0] && y >= change.low[1] && y < change.high[1];
            bool differs =
                fr_octree_color(before, 0, x, y, 0) != fr_octree_color(fr_plan_world_octree(world), 0, x, y, 0);
            assert_true(is_in || !differs);
            if (differs && !fr_plan_world_is_black(world, x, y, 0)) { assert_true(change.has_white); }
        }
    }
    fr_octree_destroy(before);
    fr_plan_world_destroy(world);
}

static void the_margin_grows_obstacles_by_the_city_block(void **state) {
    (void)state;
    fr_random random = fr_random_seed(13);
    for (uint64_t i = 0; i < test_count(20, 400); i++) {
        fr_plan_world_def def = fr_default_plan_world_def();
        def.dimension = 2 + (int)(i % 2);
        def.depth = 4;
        def.margin = (uint32_t)fr_random_below(&random, 6);
        fr_plan_world *world, *other;
        fr_error error;
        assert_int_equal(fr_plan_world_create(&def, &world, &error), FR_OK);
        assert_int_equal(fr_plan_world_create(&def, &other, &error), FR_OK);
        fr_plan_box box = random_box(&random, def.dimension, 16, 5);
        // Some of it outside the world, from where it still reaches in.
        fr_plan_place place = unmoved_place();
        place.position.x = (double)fr_random_below(&random, 20) - 10.0;
        put_box(world, 1, box, place);
        for (int32_t c = 0; c < 16 * 16 * (def.dimension == 3 ? 16 : 1); c++) {
            const int32_t cell[3] = {c % 16, c / 16 % 16, c / 256};
            int32_t away = 0;
            for (int a = 0; a < def.dimension; a++) {
                int32_t low = box.low[a] + (a == 0 ? (int32_t)place.position.x : 0);
                int32_t high = box.high[a] + (a == 0 ? (int32_t)place.position.x : 0);
                away += cell[a] < low ? low - cell[a] : cell[a] >= high ? cell[a] - high + 1 : 0;
            }
            assert_int_equal(fr_plan_world_is_black(world, cell[0], cell[1], cell[2]), away <= (int32_t)def.margin);
        }
        // Cells as they are grow, too.
        fr_octree_def tree_def = fr_octree_get_def(fr_plan_world_octree(world));
        fr_octree *tree;
        assert_int_equal(fr_octree_create(&tree_def, &tree, &error), FR_OK);
        fr_octree_fill(tree, (const int64_t[3]){box.low[0], box.low[1], box.low[2]},
                       (const int64_t[3]){box.high[0], box.high[1], box.high[2]}, FR_CELL_BLACK);
        assert_int_equal(fr_plan_world_set_cells(other, 5, tree, &error), FR_OK);
        put_box(world, 1, box, unmoved_place());
        assert_true(fr_octree_equal(fr_plan_world_octree(world), fr_plan_world_octree(other)));
        fr_octree_destroy(tree);
        fr_plan_world_destroy(world);
        fr_plan_world_destroy(other);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

static fr_status make_and_move(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_plan_world_def def = fr_default_plan_world_def();
    def.depth = 3;
    def.margin = 1;
    def.allocator = *allocator;
    fr_plan_world *world;
    fr_error error;
    fr_status status = fr_plan_world_create(&def, &world, &error);
    if (status != FR_OK) { return status; }
    fr_plan_box box = {{1, 1, 1}, {3, 4, 5}};
    fr_plan_shape shape = {&box, 1, {4.0, 4.0, 4.0}};
    for (int i = 0; i < 6 && status == FR_OK; i++) {
        fr_plan_place place = {{0.5 * i, 0.0, 0.0}, {0.0, 30.0 * i, 0.0}};
        uint64_t version = fr_plan_world_version(world);
        status = fr_plan_world_set(world, (uint64_t)(i % 4), &shape, &place, &error);
        if (status != FR_OK) { assert_int_equal(fr_plan_world_version(world), version); }
    }
    if (status == FR_OK) { status = fr_plan_world_set_cells(world, 9, fr_plan_world_octree(world), &error); }
    fr_plan_world_destroy(world);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    assert_true(test_every_failure(make_and_move, NULL) > 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_outside_their_limits_are_refused),
        cmocka_unit_test(bad_obstacles_change_nothing),
        cmocka_unit_test(no_more_than_the_limits),
        cmocka_unit_test(boxes_are_the_cells_they_name),
        cmocka_unit_test(obstacles_that_move_leave_no_cell_behind),
        cmocka_unit_test(the_version_reports_every_change_and_nothing_else),
        cmocka_unit_test(the_margin_grows_obstacles_by_the_city_block),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "plan/field.h"

#include "failing.h"
#include "heap_calls.h"
#include "worlds.h"

#include <stdlib.h>

static fr_plan_field *make_field(const fr_plan_world *world, const fr_tasks *tasks) {
    fr_plan_field_def def = fr_default_plan_field_def();
    def.tasks = tasks;
    fr_plan_field *field;
    fr_error error;
    assert_int_equal(fr_plan_field_create(&def, world, &field, &error), FR_OK);
    return field;
}

// Kitamura eq. 4.3 over every black cell as a cube of its own, at the centre of a cell.
static uint32_t plain_g(const fr_plan_world *world, const int32_t at[3]) {
    fr__plan_bits b = fr__plan_world_bits(world);
    int32_t n = (int32_t)b.size;
    double least = FR_PLAN_G_NONE;
    for (int32_t c = 0; c < n * n * (int32_t)b.layers; c++) {
        const int32_t cell[3] = {c % n, c / n % n, c / n / n};
        if (!fr_plan_world_is_black(world, cell[0], cell[1], cell[2])) { continue; }
        double g = 0.0;
        for (int a = 0; a < (b.layers == 1 ? 2 : 3); a++) {
            double x = at[a] + 0.5, low = cell[a], high = cell[a] + 1.0;
            g += (low - x) + fabs(low - x) + (x - high) + fabs(x - high);
        }
        least = g < least ? g : least;
    }
    return (uint32_t)least;
}

static void expect_plain(const fr_plan_world *world, const fr_plan_field *field, fr_random *random, int samples) {
    fr__plan_bits b = fr__plan_world_bits(world);
    for (int i = 0; i < samples; i++) {
        const int32_t at[3] = {(int32_t)fr_random_below(random, b.size), (int32_t)fr_random_below(random, b.size),
                               (int32_t)fr_random_below(random, b.layers)};
        uint16_t g = fr_plan_field_row(field, (uint32_t)at[1], (uint32_t)at[2])[at[0]];
        assert_int_equal(g, plain_g(world, at));
    }
}

static void expect_equal(const fr_plan_field *a, const fr_plan_field *b) {
    for (uint32_t z = 0; z < a->layers; z++) {
        for (uint32_t y = 0; y < a->size; y++) {
            assert_memory_equal(fr_plan_field_row(a, y, z), fr_plan_field_row(b, y, z), a->size * sizeof(uint16_t));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void definitions_outside_their_limits_are_refused(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(3, 3), *flat = make_empty_world(2, 3);
    fr_plan_field_def def = fr_default_plan_field_def();
    fr_plan_field *field;
    fr_error error;
    def.pmax = -1.0;
    assert_int_equal(fr_plan_field_create(&def, world, &field, &error), FR_ERROR_ARGUMENT);
    def.pmax = (double)NAN;
    assert_int_equal(fr_plan_field_create(&def, world, &field, &error), FR_ERROR_NOT_FINITE);
    assert_null(field);
    field = make_field(world, NULL);
    assert_int_equal(fr_plan_field_update(field, flat, true, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_plan_field_set_goal(field, fr_vec3_make(1.0, (double)INFINITY, 0.0), NULL),
                     FR_ERROR_NOT_FINITE);
    double sum;
    fr_plan_box box = {{0, 0, 0}, {2, 2, 2}};
    assert_int_equal(fr_plan_field_box(field, &box, &sum, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_plan_field_tree(field, fr_plan_world_octree(flat), &sum, NULL, NULL), FR_ERROR_ARGUMENT);
    fr_plan_field_destroy(field);
    fr_plan_world_destroy(world);
    fr_plan_world_destroy(flat);
}

static void without_obstacles_the_goal_alone_attracts(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(3, 4);
    fr_plan_field *field = make_field(world, NULL);
    assert_int_equal(fr_plan_field_set_goal(field, fr_vec3_make(3.5, 4.5, 0.5), NULL), FR_OK);
    assert_int_equal(fr_plan_field_row(field, 3, 9)[15], FR_PLAN_G_NONE);
    assert_true(fr_plan_field_at(field, 0, 0, 0) == 5.0 && fr_plan_field_at(field, 3, 4, 12) == 12.0);
    fr_plan_field_destroy(field);
    fr_plan_world_destroy(world);
}

// ---------------------------------------------------------------------------------------------------------------
// The transform

static void g_is_that_of_the_nearest_black_cell(void **state) {
    (void)state;
    fr_random random = fr_random_seed(31);
    static const uint32_t depth[2][5] = {{1, 2, 3, 5, 7}, {1, 2, 3, 4, 5}};
    for (uint64_t i = 0; i < test_count(40, 1000); i++) {
        int dimension = 2 + (int)(i % 2);
        uint32_t d = depth[i % 2][i / 2 % 5];
        fr_plan_world *world = make_random_world(&random, dimension, d, 1 + (uint32_t)fr_random_below(&random, 6));
        fr_plan_field *field = make_field(world, NULL);
        expect_plain(world, field, &random, d == 5 ? 6 : 20);
        fr_plan_field_destroy(field);
        fr_plan_world_destroy(world);
    }
}

static void instruction_sets_and_workers_give_the_same_field(void **state) {
    (void)state;
    fr_random random = fr_random_seed(32);
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = 3;
    fr_task_pool *pool;
    fr_error error;
    assert_int_equal(fr_task_pool_create(&pool_def, &pool, &error), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    fr_simd best = fr_simd_get();
    static const uint32_t depth[2][2] = {{6, 9}, {5, 6}};
    for (uint64_t i = 0; i < test_count(12, 60); i++) {
        int dimension = 2 + (int)(i % 2);
        fr_plan_world *world = make_random_world(&random, dimension, depth[i % 2][i / 2 % 2], 8);
        fr_plan_field *a = make_field(world, NULL);
        assert_true(fr_simd_set(FR_SIMD_BASELINE));
        fr_plan_field *b = make_field(world, NULL), *c = make_field(world, &tasks);
        assert_true(fr_simd_set(best));
        expect_equal(a, b);
        expect_equal(a, c);
        // What changes is shared alike.
        put_box(world, 3, random_box(&random, dimension, 32, 9), unmoved_place());
        assert_int_equal(fr_plan_field_update(a, world, false, &error), FR_OK);
        assert_int_equal(fr_plan_field_update(c, world, false, &error), FR_OK);
        expect_equal(a, c);
        fr_plan_field_destroy(a);
        fr_plan_field_destroy(b);
        fr_plan_field_destroy(c);
        fr_plan_world_destroy(world);
    }
    fr_task_pool_destroy(pool);
}

static void a_change_gives_the_field_made_from_scratch(void **state) {
    (void)state;
    fr_random random = fr_random_seed(33);
    for (uint64_t i = 0; i < test_count(20, 500); i++) {
        int dimension = 2 + (int)(i % 2);
        uint32_t d = dimension == 2 ? 4 + (uint32_t)(i / 2 % 3) : 2 + (uint32_t)(i / 2 % 4);
        fr_plan_world *world = make_random_world(&random, dimension, d, 4);
        fr_plan_field *field = make_field(world, NULL);
        fr_error error;
        for (int k = 0; k < 8; k++) {
            fr_plan_place place = unmoved_place();
            place.position.x = fr_random_between(&random, -3.0, 3.0);
            if (k == 5) {
                for (uint64_t key = 0; key < 4; key++) {
                    fr_plan_world_remove(world, key, &error);
                    if (key % 2 == 1) { assert_int_equal(fr_plan_field_update(field, world, false, &error), FR_OK); }
                }
            } else {
                put_box(world, fr_random_below(&random, 4), random_box(&random, dimension, 1u << d, 1u << (d - 1)),
                        place);
            }
            assert_int_equal(fr_plan_field_update(field, world, false, &error), FR_OK);
            fr_plan_field *fresh = make_field(world, NULL);
            expect_equal(field, fresh);
            fr_plan_field_destroy(fresh);
        }
        fr_plan_field_destroy(field);
        fr_plan_world_destroy(world);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Sums

static void sums_of_boxes_and_trees_are_those_of_their_cells(void **state) {
    (void)state;
    fr_random random = fr_random_seed(34);
    for (uint64_t i = 0; i < test_count(12, 300); i++) {
        int dimension = 2 + (int)(i % 2);
        uint32_t d = dimension == 2 ? 5 : 4, n = 1u << d, layers = dimension == 3 ? n : 1;
        fr_plan_world *world = make_random_world(&random, dimension, d, 4);
        fr_plan_field *field = make_field(world, NULL);
        fr_error error;
        fr_vec3 goal = fr_vec3_make(fr_random_between(&random, 0.0, n), 3.0, dimension == 3 ? 5.0 : 0.0);
        assert_int_equal(fr_plan_field_set_goal(field, goal, NULL), FR_OK);
        assert_int_equal(fr_plan_field_sum_up(field, &error), FR_OK);
        double *p = malloc((size_t)n * n * layers * sizeof *p);
        assert_non_null(p);
        fr_plan_field_write(field, p);

        fr_plan_box box = random_box(&random, dimension, n, n / 2);
        if (i % 3 == 0) { box.low[0] = -5; }
        double sum, wanted = 0.0, tree_wanted = 0.0;
        uint64_t cells, cells_wanted = 0;
        for (uint32_t c = 0; c < n * n * layers; c++) {
            int32_t x = (int32_t)(c % n), y = (int32_t)(c / n % n), z = (int32_t)(c / n / n);
            assert_true(p[c] == fr_plan_field_at(field, (uint32_t)x, (uint32_t)y, (uint32_t)z));
            bool is_in = x >= box.low[0] && x < box.high[0] && y >= box.low[1] && y < box.high[1] && z >= box.low[2] &&
                         z < box.high[2];
            if (is_in) { wanted += p[c]; }
            if (fr_plan_world_is_black(world, x, y, z)) {
                tree_wanted += p[c];
                cells_wanted++;
            }
        }
        assert_int_equal(fr_plan_field_box(field, &box, &sum, NULL), FR_OK);
        assert_true(fabs(sum - wanted) <= 1e-9 * (1.0 + wanted));
        assert_int_equal(fr_plan_field_tree(field, fr_plan_world_octree(world), &sum, &cells, NULL), FR_OK);
        assert_true(cells == cells_wanted && fabs(sum - tree_wanted) <= 1e-9 * (1.0 + tree_wanted));

        // Another goal or another world makes them stale.
        assert_int_equal(fr_plan_field_set_goal(field, goal, NULL), FR_OK);
        assert_int_equal(fr_plan_field_box(field, &box, &sum, NULL), FR_ERROR_STALE_DATA);
        free(p);
        fr_plan_field_destroy(field);
        fr_plan_world_destroy(world);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

// Another world of the same version, and one version later: as if the field was made for it.
static void a_field_goes_to_another_world(void **state) {
    (void)state;
    fr_plan_world *worlds[2] = {make_empty_world(3, 4), make_empty_world(3, 4)};
    put_box(worlds[0], 1, (fr_plan_box){{1, 1, 1}, {3, 4, 5}}, unmoved_place());
    put_box(worlds[1], 1, (fr_plan_box){{9, 2, 6}, {12, 5, 7}}, unmoved_place());
    assert_true(fr_plan_world_version(worlds[0]) == fr_plan_world_version(worlds[1]));
    fr_plan_field *field = make_field(worlds[0], NULL);
    for (int i = 0; i < 2; i++) {
        if (i == 1) { put_box(worlds[0], 2, (fr_plan_box){{14, 14, 14}, {16, 16, 16}}, unmoved_place()); }
        const fr_plan_world *other = worlds[1 - i];
        fr_plan_field *fresh = make_field(other, NULL);
        assert_int_equal(fr_plan_field_update(field, other, true, NULL), FR_OK);
        expect_equal(field, fresh);
        fr_plan_field_destroy(fresh);
    }
    fr_plan_field_destroy(field);
    fr_plan_world_destroy(worlds[0]);
    fr_plan_world_destroy(worlds[1]);
}

static void an_update_allocates_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_plan_world *world = make_named_world(named_world_of("W2"));
    fr_plan_field_def def = fr_default_plan_field_def();
    def.allocator = fr_probe_allocator(probe);
    fr_plan_field *field;
    fr_error error;
    assert_int_equal(fr_plan_field_create(&def, world, &field, &error), FR_OK);
    assert_int_equal(fr_plan_field_sum_up(field, &error), FR_OK);
    put_box(world, 77, (fr_plan_box){{3, 3, 3}, {6, 6, 6}}, unmoved_place());
    uint64_t before = test_allocations(probe);
    assert_int_equal(fr_plan_field_update(field, world, false, &error), FR_OK);
    assert_int_equal(fr_plan_field_update(field, world, true, &error), FR_OK);
    assert_int_equal(fr_plan_field_sum_up(field, &error), FR_OK);
    assert_int_equal(test_allocations(probe), before);
    fr_plan_field_destroy(field);
    fr_plan_world_destroy(world);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
}

static fr_status make_and_sum(const fr_allocator *allocator, void *context) {
    fr_plan_field_def def = fr_default_plan_field_def();
    def.allocator = *allocator;
    fr_plan_field *field;
    fr_error error;
    fr_status status = fr_plan_field_create(&def, context, &field, &error);
    if (status == FR_OK) { status = fr_plan_field_sum_up(field, &error); }
    fr_plan_field_destroy(field);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    fr_plan_world *world = make_named_world(named_world_of("S3"));
    assert_int_equal(test_every_failure(make_and_sum, world), 5);
    fr_plan_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_outside_their_limits_are_refused),
        cmocka_unit_test(without_obstacles_the_goal_alone_attracts),
        cmocka_unit_test(g_is_that_of_the_nearest_black_cell),
        cmocka_unit_test(instruction_sets_and_workers_give_the_same_field),
        cmocka_unit_test(a_change_gives_the_field_made_from_scratch),
        cmocka_unit_test(sums_of_boxes_and_trees_are_those_of_their_cells),
        cmocka_unit_test(a_field_goes_to_another_world),
        cmocka_unit_test(an_update_allocates_nothing),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

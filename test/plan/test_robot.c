#include "plan/slice.h"

#include "failing.h"
#include "worlds.h"

// A robot of up to four random boxes about its reference point.
static fr_plan_robot *make_random_robot(fr_random *random, int dimension, double alpha_deg, bool is_lazy) {
    fr_plan_box boxes[4];
    fr_plan_robot_def def = fr_default_plan_robot_def();
    def.shape = (fr_plan_shape){boxes, 1 + (uint32_t)fr_random_below(random, 4), {0.5, 0.5, 0.5}};
    for (uint32_t i = 0; i < def.shape.box_count; i++) {
        boxes[i] = random_box(random, dimension, 10, 5);
        for (int a = 0; a < dimension; a++) {
            boxes[i].low[a] -= 5;
            boxes[i].high[a] -= 5;
        }
    }
    def.dimension = dimension;
    def.alpha_deg = alpha_deg;
    def.is_lazy = is_lazy;
    fr_plan_robot *robot;
    fr_error error;
    assert_int_equal(fr_plan_robot_create(&def, &robot, &error), FR_OK);
    return robot;
}

static fr_plan_robot *make_robot(const named_world *n, double alpha_deg, const fr_tasks *tasks) {
    fr_plan_robot_def def = fr_default_plan_robot_def();
    def.shape = named_robot(n);
    def.dimension = n->dimension;
    def.alpha_deg = alpha_deg;
    def.tasks = tasks;
    fr_plan_robot *robot;
    fr_error error;
    assert_int_equal(fr_plan_robot_create(&def, &robot, &error), FR_OK);
    return robot;
}

static bool covers(const fr__plan_mask *m, int32_t x, int32_t y, int32_t z) {
    for (uint32_t i = 0; i < m->row_count; i++) {
        const fr__plan_row *r = &m->rows[i];
        if (r->y == y && r->z == z && x >= r->x && x < r->x + 64 && (r->bits >> (x - r->x) & 1) != 0) { return true; }
    }
    return false;
}

static uint64_t cells_of(const fr__plan_mask *m) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < m->row_count; i++) {
        count += (uint64_t)__builtin_popcountll(m->rows[i].bits);
    }
    return count;
}

static uint64_t hash_of(const fr_plan_robot *r) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < r->orientation_count * r->stride; i++) {
        const fr__plan_mask *m = r->slots[i];
        if (m == NULL) { continue; }
        hash = fr_hash(m->low, sizeof m->low, hash);
        hash = fr_hash(m->high, sizeof m->high, hash);
        for (uint32_t k = 0; k < m->row_count; k++) {
            const int64_t row[4] = {m->rows[k].x, m->rows[k].y, m->rows[k].z, (int64_t)m->rows[k].bits};
            hash = fr_hash(row, sizeof row, hash);
        }
    }
    return hash;
}

// ---------------------------------------------------------------------------------------------------------------

static void refuses_what_is_no_robot(void **state) {
    (void)state;
    fr_plan_box box = {{0, 0, 0}, {1, 1, 1}};
    fr_plan_robot *robot;
    fr_error error;
    const double bad[] = {0.0, -30.0, 25.0, 91.0, 180.0, 3.0, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fr_plan_robot_def def = fr_default_plan_robot_def();
        def.shape = (fr_plan_shape){&box, 1, {0.5, 0.5, 0.5}};
        def.alpha_deg = bad[i];
        assert_int_equal(fr_plan_robot_create(&def, &robot, &error),
                         isfinite(bad[i]) ? FR_ERROR_ARGUMENT : FR_ERROR_NOT_FINITE);
        assert_null(robot);
    }
    fr_plan_robot_def def = fr_default_plan_robot_def();
    def.shape = (fr_plan_shape){&box, 1, {0.5, 0.5, 0.5}};
    def.dimension = 4;
    assert_int_equal(fr_plan_robot_create(&def, &robot, &error), FR_ERROR_ARGUMENT);
    def.dimension = 3;
    def.shape.box_count = 0;
    assert_int_equal(fr_plan_robot_create(&def, &robot, &error), FR_ERROR_ARGUMENT);
    def.shape.box_count = 1;
    box.high[0] = 600;
    assert_int_equal(fr_plan_robot_create(&def, &robot, &error), FR_ERROR_LIMIT);
    box.high[0] = 1;
    def.shape.pivot.x = 5000.0;
    assert_int_equal(fr_plan_robot_create(&def, &robot, &error), FR_ERROR_LIMIT);
    fr_plan_robot_destroy(NULL);
}

static void knows_its_cells_and_orientations(void **state) {
    (void)state;
    fr_plan_robot *robot = make_robot(named_world_of("W2"), 90.0, NULL);
    fr_plan_robot_info info = fr_plan_robot_get_info(robot);
    assert_int_equal(info.cells, 49);
    assert_int_equal(info.orientations, 4 * 3 * 4);
    assert_int_equal(info.masks, 48 * 4 - 16);
    assert_true(info.bytes > 0);
    // Quarter turns take whole cells to whole cells.
    for (uint32_t o = 0; o < info.orientations; o++) {
        assert_int_equal(cells_of(fr__plan_robot_mask(robot, fr__plan_stand_slot(robot, o))), 49);
    }
    fr_plan_robot_destroy(robot);

    robot = make_robot(named_world_of("S1"), 30.0, NULL);
    info = fr_plan_robot_get_info(robot);
    assert_int_equal(info.orientations, 12);
    assert_int_equal(info.cells, 33);
    assert_int_equal(info.boxes, 1);
    assert_true(fabs(info.reach - sqrt(5.5 * 5.5 + 1.5 * 1.5)) < 1e-12);
    // A ball of 1.5 fits however the bar is turned: three by three cells.
    assert_int_equal(cells_of(robot->core), 9);
    bool is_exact;
    assert_int_equal(fr__plan_orientation_near(robot, fr_vec3_make(0.0, 0.0, -30.0), &is_exact), 11);
    assert_true(is_exact);
    assert_int_equal(fr__plan_orientation_near(robot, fr_vec3_make(0.0, 0.0, 370.0), &is_exact), 0);
    assert_false(is_exact);
    fr_plan_robot_destroy(robot);
}

// A world of one black cell: the checker, which knows no masks, must say what the mask says.
static void masks_are_what_the_checker_meets(void **state) {
    (void)state;
    fr_random random = fr_random_seed(71);
    for (uint64_t round = 0; round < test_count(8, 200); round++) {
        int dimension = round % 2 == 0 ? 2 : 3;
        fr_plan_robot *robot = make_random_robot(&random, dimension, round % 3 == 0 ? 15.0 : 30.0, true);
        fr_plan_world *world = make_empty_world(dimension, 5);
        for (int i = 0; i < 60; i++) {
            uint32_t o = (uint32_t)fr_random_below(&random, robot->orientation_count);
            const fr__plan_mask *mask = fr__plan_robot_mask(robot, fr__plan_stand_slot(robot, o));
            int32_t cell[3] = {0, 0, 0};
            for (int a = 0; a < dimension; a++) {
                cell[a] = (int32_t)fr_random_below(&random, 16) - 8;
            }
            fr_plan_box box = {{16 + cell[0], 16 + cell[1], 0}, {17 + cell[0], 17 + cell[1], 1}};
            if (dimension == 3) {
                box.low[2] = 16 + cell[2];
                box.high[2] = 17 + cell[2];
            }
            put_box(world, 1, box, unmoved_place());
            fr_plan_state at = {{{16.5, 16.5, 16.5}, fr__plan_orientation_turn(robot, o)}, 0};
            fr_plan_check_input input = fr_default_plan_check_input();
            input.world = world;
            input.shape = &robot->shape;
            input.states = &at;
            input.state_count = 1;
            fr_plan_check_output check;
            fr_error error;
            assert_int_equal(fr_plan_check_cells(&input, &check, &error), FR_OK);
            // Between 1e-9 and the checker's tolerance both are right.
            if (covers(mask, cell[0], cell[1], cell[2]) == check.is_free) {
                assert_true(check.is_free);
                input.states = &at;
                fail_msg("orientation %u, cell %d %d %d", o, cell[0], cell[1], cell[2]);
            }
        }
        fr_plan_world_destroy(world);
        fr_plan_robot_destroy(robot);
    }
}

static void turns_hold_every_moment_and_the_core_is_in_all(void **state) {
    (void)state;
    fr_random random = fr_random_seed(72);
    for (uint64_t round = 0; round < test_count(20, 400); round++) {
        int dimension = round % 2 == 0 ? 2 : 3;
        fr_plan_robot *robot = make_random_robot(&random, dimension, 30.0, true);
        uint32_t o = (uint32_t)fr_random_below(&random, robot->orientation_count);
        int axis = dimension == 2 ? 2 : (int)fr_random_below(&random, 3);
        if (robot->next[o][axis] == FR__PLAN_NONE) { o = robot->next[o][axis + 3]; }
        const fr__plan_mask *turn = fr__plan_robot_mask(robot, fr__plan_turn_slot(robot, o, axis));
        int32_t low[3] = {-20, -20, dimension == 2 ? 0 : -20}, high[3] = {20, 20, dimension == 2 ? 1 : 20};
        for (int i = 0; i <= 10; i++) {
            fr_plan_place place = {{0.5, 0.5, 0.5}, fr__plan_orientation_turn(robot, o)};
            *(axis == 0   ? &place.turn_deg.x
              : axis == 1 ? &place.turn_deg.y
                          : &place.turn_deg.z) += i == 10 ? 30.0 : fr_random_between(&random, 0.0, 30.0);
            fr__plan_motion motion = fr__plan_robot_motion(dimension, &robot->shape, &place);
            fr__plan_bitmap map;
            assert_true(fr__plan_bitmap_make(low, high, NULL, &map));
            fr__plan_raster(dimension, &robot->shape, &motion, FR_OCTREE_OVERLAP, 0.0, &map);
            for (int32_t z = low[2]; z < high[2]; z++) {
                for (int32_t y = low[1]; y < high[1]; y++) {
                    for (int32_t x = low[0]; x < high[0]; x++) {
                        uint32_t at = (uint32_t)(x - map.low[0]);
                        bool is_set = (fr__plan_bitmap_row(&map, y, z)[at / 64] >> (at % 64) & 1) != 0;
                        if (is_set && !covers(turn, x, y, z)) { fail_msg("a turn left out a cell"); }
                        if (!is_set && covers(robot->core, x, y, z)) { fail_msg("the core is not in all"); }
                    }
                }
            }
            fr__plan_bitmap_free(&map, NULL);
        }
        fr_plan_robot_destroy(robot);
    }
}

static void slices_say_what_masks_say(void **state) {
    (void)state;
    fr_random random = fr_random_seed(73);
    for (uint64_t round = 0; round < test_count(12, 300); round++) {
        int dimension = round % 2 == 0 ? 2 : 3;
        uint32_t depth = dimension == 2 ? 5 + (uint32_t)(round / 2 % 3) : round % 5 == 1 ? 7 : 5, size = 1u << depth;
        fr_plan_robot *robot = make_random_robot(&random, dimension, 30.0, true);
        fr_plan_world *world = make_random_world(&random, dimension, depth, 6);
        fr__plan_bits bits = fr__plan_world_bits(world);
        fr__plan_poses poses;
        fr_allocator allocator = fr_default_allocator();
        assert_true(fr__plan_poses_make(&bits, robot, &allocator, &poses));
        uint64_t *slice = fr_allocate(NULL, poses.word_count, sizeof *slice, 64);
        for (int i = 0; i < 3; i++) {
            uint32_t slot = (uint32_t)fr_random_below(&random, robot->orientation_count) * robot->stride;
            const fr__plan_mask *mask = fr__plan_robot_mask(robot, slot);
            assert_true(fr__plan_slice_make(&poses, mask, slice));
            for (int k = 0; k < 3000; k++) {
                int32_t at[3] = {(int32_t)fr_random_below(&random, size), (int32_t)fr_random_below(&random, size), 0};
                if (dimension == 3) { at[2] = (int32_t)fr_random_below(&random, size); }
                size_t word = ((size_t)at[2] * size + (size_t)at[1]) * bits.row_words + (size_t)at[0] / 64;
                bool is_blocked = (slice[word] >> (at[0] % 64) & 1) != 0;
                assert_int_equal(is_blocked, !fr__plan_mask_is_free(mask, &bits, at));
                assert_int_equal(is_blocked, !fr__plan_poses_is_free(&poses, slot, at));
            }
            // Outside the world a slice is blocked too.
            for (uint32_t x = size; x < 64; x++) {
                assert_true((slice[0] >> x & 1) != 0);
            }
        }
        fr_deallocate(NULL, slice, poses.word_count, sizeof *slice);
        fr__plan_poses_free(&poses);
        fr_plan_world_destroy(world);
        fr_plan_robot_destroy(robot);
    }
}

static void workers_make_the_same_masks(void **state) {
    (void)state;
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = 3;
    fr_task_pool *pool;
    fr_error error;
    assert_int_equal(fr_task_pool_create(&pool_def, &pool, &error), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    const named_world *n = named_world_of("W2");
    fr_plan_robot *one = make_robot(n, 45.0, NULL), *three = make_robot(n, 45.0, &tasks);
    assert_int_equal(hash_of(one), hash_of(three));
    assert_int_equal(fr_plan_robot_get_info(one).bytes, fr_plan_robot_get_info(three).bytes);

    fr_plan_robot_def def = fr_default_plan_robot_def();
    def.shape = named_robot(n);
    def.alpha_deg = 45.0;
    def.is_lazy = true;
    fr_plan_robot *lazy;
    assert_int_equal(fr_plan_robot_create(&def, &lazy, &error), FR_OK);
    assert_int_equal(fr_plan_robot_get_info(lazy).masks, 0);
    for (uint32_t i = 0; i < lazy->orientation_count * lazy->stride; i++) {
        if (one->slots[i] != NULL) { assert_non_null(fr__plan_robot_mask(lazy, i)); }
    }
    assert_int_equal(hash_of(lazy), hash_of(one));
    fr_plan_robot_destroy(lazy);
    fr_plan_robot_destroy(one);
    fr_plan_robot_destroy(three);
    fr_task_pool_destroy(pool);
}

static fr_status make_and_destroy(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_plan_robot_def def = fr_default_plan_robot_def();
    def.shape = named_robot(named_world_of("S3"));
    def.dimension = 2;
    def.alpha_deg = 45.0;
    def.allocator = *allocator;
    fr_plan_robot *robot;
    fr_error error;
    fr_status status = fr_plan_robot_create(&def, &robot, &error);
    if (status == FR_OK && fr__plan_robot_finer(robot, FR__PLAN_FINER_CELLS) == NULL) { status = FR_ERROR_MEMORY; }
    fr_plan_robot_destroy(robot);
    return status;
}

static void survives_every_failure(void **state) {
    (void)state;
    assert_true(test_every_failure(make_and_destroy, NULL) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_no_robot),
        cmocka_unit_test(knows_its_cells_and_orientations),
        cmocka_unit_test(masks_are_what_the_checker_meets),
        cmocka_unit_test(turns_hold_every_moment_and_the_core_is_in_all),
        cmocka_unit_test(slices_say_what_masks_say),
        cmocka_unit_test(workers_make_the_same_masks),
        cmocka_unit_test(survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "failing.h"
#include "solids.h"

#include <string.h>

// The definition, voxel by voxel: one is black when fr_octree_map_meets a black voxel of the reference.
static void expect_as_defined(const fr_octree *reference, const fr_octree_move_input *input, const fr_octree *moved) {
    uint32_t depth = fr_octree_get_def(reference).depth;
    int32_t n = 1 << depth;
    fr_octree_map map;
    assert_int_equal(fr_octree_map_make(depth, &input->motion, input->rule, &map, NULL), FR_OK);
    for (int32_t i = 0; i < n * n * n; i++) {
        const int32_t target[3] = {i % n, i / n % n, i / n / n};
        bool wanted = false;
        int64_t u[3];
        for (int a = 0; a < 3; a++) {
            u[a] =
                (map.b[a] + map.a[a][0] * target[0] + map.a[a][1] * target[1] + map.a[a][2] * target[2]) >> map.shift;
        }
        for (int k = 0; k < 27 && !wanted && !map.is_away; k++) {
            const int32_t source[3] = {(int32_t)u[0] + k % 3 - 1, (int32_t)u[1] + k / 3 % 3 - 1,
                                       (int32_t)u[2] + k / 9 - 1};
            wanted = is_black(reference, source[0], source[1], source[2]) && fr_octree_map_meets(&map, source, target);
        }
        if (is_black(moved, target[0], target[1], target[2]) != wanted) {
            fail_msg("voxel %d %d %d by rule %d", target[0], target[1], target[2], (int)input->rule);
        }
    }
}

typedef struct mover {
    fr_octree *tree, *moved, *other;
    fr_octree_reference *reference;
} mover;

static mover make_mover(solid which, uint32_t depth) {
    mover m = {make_solid(which, depth), make_tree(3, depth), make_tree(3, depth), NULL};
    fr_error error;
    assert_int_equal(fr_octree_reference_create(m.tree, NULL, &m.reference, &error), FR_OK);
    return m;
}

static void free_mover(mover *m) {
    fr_octree_destroy(m->tree);
    fr_octree_destroy(m->moved);
    fr_octree_destroy(m->other);
    fr_octree_reference_destroy(m->reference);
}

static void every_voxel_is_as_defined(void **state) {
    (void)state;
    fr_random random = fr_random_seed(61);
    for (uint32_t depth = 2; depth <= (test_is_long() ? 6 : 5); depth++) {
        for (int which = 0; which < SOLID_COUNT; which++) {
            mover m = make_mover((solid)which, depth);
            uint64_t rounds = depth <= 4 ? test_count(9, 100) : depth == 5 ? test_count(3, 60) : test_count(0, 9);
            for (uint64_t i = 0; i < rounds; i++) {
                fr_octree_move_input input = fr_default_octree_move_input();
                input.motion = random_motion(&random, depth);
                input.rule = (fr_octree_rule)((i + (uint64_t)which) % 4);
                assert_int_equal(fr_octree_move(m.reference, &input, m.moved, NULL, NULL), FR_OK);
                fr_error error;
                assert_true(fr_octree_validate(m.moved, &error));
                expect_as_defined(m.tree, &input, m.moved);
            }
            free_mover(&m);
        }
    }
}

static void instruction_sets_and_workers_give_the_same_voxels(void **state) {
    (void)state;
    fr_random random = fr_random_seed(62);
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = 3;
    fr_task_pool *pool;
    fr_error error;
    assert_int_equal(fr_task_pool_create(&pool_def, &pool, &error), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    uint32_t deepest = test_is_long() ? 9 : 7;
    for (uint32_t depth = 4; depth <= deepest; depth++) {
        mover m = make_mover(depth % 2 == 0 ? SOLID_SHUTTLE : SOLID_CHAIR, depth);
        for (uint64_t i = 0; i < test_count(8, 60); i++) {
            fr_octree_move_input input = fr_default_octree_move_input();
            input.motion = random_motion(&random, depth);
            input.rule = (fr_octree_rule)(i % 4);
            fr_octree_move_output output, other;
            assert_int_equal(fr_octree_move(m.reference, &input, m.moved, &output, NULL), FR_OK);
            fr_simd best = fr_simd_get();
            assert_true(fr_simd_set(FR_SIMD_BASELINE));
            input.tasks = i % 2 == 0 ? &tasks : NULL;
            assert_int_equal(fr_octree_move(m.reference, &input, m.other, &other, NULL), FR_OK);
            assert_true(fr_simd_set(best));
            assert_true(fr_octree_equal(m.moved, m.other));
            assert_int_equal(output.is_clipped, other.is_clipped);
            assert_int_equal(output.mixed_blocks, other.mixed_blocks);
        }
        free_mover(&m);
    }
    fr_task_pool_destroy(pool);
}

static void at_rest_and_there_and_back_the_reference_comes_again(void **state) {
    (void)state;
    for (int which = 0; which < SOLID_COUNT; which++) {
        mover m = make_mover((solid)which, 5);
        fr_octree_move_input input = fr_default_octree_move_input();
        for (int rule = FR_OCTREE_CENTER; rule <= FR_OCTREE_OVERLAP; rule++) {
            input.motion = fr_octree_motion_identity();
            input.rule = (fr_octree_rule)rule;
            assert_int_equal(fr_octree_move(m.reference, &input, m.moved, NULL, NULL), FR_OK);
            assert_true(fr_octree_equal(m.tree, m.moved));
        }
        input.rule = FR_OCTREE_TOUCH;
        assert_int_equal(fr_octree_move(m.reference, &input, m.moved, NULL, NULL), FR_OK);
        assert_true(fr_octree_count(m.moved).black_voxels > fr_octree_count(m.tree).black_voxels);

        // The centres keep their voxels as long as rounding stays below the fixed point's.
        input.rule = FR_OCTREE_CENTER;
        fr_octree_motion step = fr_octree_motion_turn(fr_vec3_make(0.0, 0.0, 0.0), fr_vec3_make(1.0, 2.0, 3.0), 0.3);
        fr_octree_motion back = fr_octree_motion_turn(fr_vec3_make(0.0, 0.0, 0.0), fr_vec3_make(1.0, 2.0, 3.0), -0.3);
        for (int i = 0; i < 7; i++) {
            fr_octree_motion_compose(&input.motion, &step);
        }
        for (int i = 0; i < 7; i++) {
            fr_octree_motion_compose(&input.motion, &back);
        }
        assert_int_equal(fr_octree_move(m.reference, &input, m.moved, NULL, NULL), FR_OK);
        assert_true(fr_octree_equal(m.tree, m.moved));
        free_mover(&m);
    }
}

// By half a voxel, every centre comes from the border of two.
static void a_closed_rule_takes_centres_on_the_border(void **state) {
    (void)state;
    fr_octree *tree = make_tree(3, 4), *moved = make_tree(3, 4);
    const int64_t low[3] = {4, 5, 6}, high[3] = {8, 8, 8};
    fr_octree_fill(tree, low, high, FR_CELL_BLACK);
    fr_octree_reference *reference;
    fr_error error;
    assert_int_equal(fr_octree_reference_create(tree, NULL, &reference, &error), FR_OK);
    fr_octree_move_input input = fr_default_octree_move_input();
    const uint64_t voxels[2][2] = {{4 * 3 * 2, 5 * 3 * 2}, {4 * 3 * 2, 5 * 4 * 3}};
    for (int along = 0; along < 2; along++) {
        double travel = along == 0 ? 0.0 : 0.5;
        for (int quarter = 0; quarter < 4; quarter++) {
            for (int closed = 0; closed < 2; closed++) {
                // The travel is the turned one of half a voxel along the box's own axes.
                fr_octree_motion turn = fr_octree_motion_turn(fr_vec3_make(0.0, 0.0, 0.0), fr_vec3_make(0.0, 0.0, 1.0),
                                                              quarter * FR_PI / 2);
                input.motion = turn;
                input.motion.travel = fr_mat3_apply(turn.rotation, fr_vec3_make(0.5, travel, travel));
                input.rule = closed ? FR_OCTREE_CENTER_CLOSED : FR_OCTREE_CENTER;
                assert_int_equal(fr_octree_move(reference, &input, moved, NULL, NULL), FR_OK);
                expect_as_defined(tree, &input, moved);
                assert_int_equal(fr_octree_count(moved).black_voxels, voxels[along][closed]);
            }
        }
    }
    fr_octree_reference_destroy(reference);
    fr_octree_destroy(tree);
    fr_octree_destroy(moved);
}

static void what_leaves_the_root_is_clipped_and_said(void **state) {
    (void)state;
    mover m = make_mover(SOLID_SPHERE, 5);
    // The sphere's voxels are 7 .. 24 on each axis: 7 voxels to either side are free.
    const struct {
        double travel;
        bool clipped;
    } cases[] = {{0.0, false}, {7.0, false}, {7.01, true}, {-7.0, false}, {-7.5, true}, {31.0, true}, {40.0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_octree_move_input input = fr_default_octree_move_input();
        input.motion.travel.y = cases[i].travel;
        input.rule = FR_OCTREE_OVERLAP;
        fr_octree_move_output output;
        assert_int_equal(fr_octree_move(m.reference, &input, m.moved, &output, NULL), FR_OK);
        assert_int_equal(output.is_clipped, cases[i].clipped);
        expect_as_defined(m.tree, &input, m.moved);
    }
    free_mover(&m);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    mover m = make_mover(SOLID_CHAIR, 4);
    fr_octree *deeper = make_tree(3, 5), *flat = make_tree(2, 4), *shallow = make_tree(3, 1);
    fr_octree_move_input input = fr_default_octree_move_input();
    assert_int_equal(fr_octree_move(m.reference, &input, deeper, NULL, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_octree_move(m.reference, &input, flat, NULL, NULL), FR_ERROR_ARGUMENT);
    input.motion.travel.x = NAN;
    assert_int_equal(fr_octree_move(m.reference, &input, m.moved, NULL, NULL), FR_ERROR_NOT_FINITE);
    fr_octree_reference *none;
    fr_error error;
    assert_int_equal(fr_octree_reference_create(shallow, NULL, &none, &error), FR_ERROR_ARGUMENT);
    assert_null(none);
    fr_octree_destroy(deeper);
    fr_octree_destroy(flat);
    fr_octree_destroy(shallow);
    free_mover(&m);
    fr_octree_reference_destroy(NULL);
}

static void no_allocation_that_fails_leaves_anything(void **state) {
    (void)state;
    fr_octree *tree = make_solid(SOLID_SPHERE, 4);
    assert_true(test_every_failure(make_reference, tree) > 8);
    fr_octree_destroy(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_voxel_is_as_defined),
        cmocka_unit_test(instruction_sets_and_workers_give_the_same_voxels),
        cmocka_unit_test(at_rest_and_there_and_back_the_reference_comes_again),
        cmocka_unit_test(a_closed_rule_takes_centres_on_the_border),
        cmocka_unit_test(what_leaves_the_root_is_clipped_and_said),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(no_allocation_that_fails_leaves_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

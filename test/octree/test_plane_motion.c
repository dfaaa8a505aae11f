#include "failing.h"
#include "octree/solids.h"

typedef struct mover {
    fr_octree *tree, *moved;
    fr_octree_reference *reference;
} mover;

static mover make_mover(uint32_t depth, fr_random *random, int boxes) {
    mover m = {make_tree(2, depth), make_tree(2, depth), NULL};
    fill_randomly(m.tree, random, boxes);
    fr_error error;
    assert_int_equal(fr_octree_reference_create(m.tree, NULL, &m.reference, &error), FR_OK);
    return m;
}

static void free_mover(mover *m) {
    fr_octree_destroy(m->tree);
    fr_octree_destroy(m->moved);
    fr_octree_reference_destroy(m->reference);
}

// Anything in the plane, or by steps of 15 degrees and half pixels, or without a turn.
static fr_octree_motion flat_motion(fr_random *random, uint32_t depth) {
    double n = ldexp(1.0, (int)depth), angle = fr_random_between(random, -FR_PI, FR_PI);
    double x = fr_random_between(random, -0.3, 0.3) * n, y = fr_random_between(random, -0.3, 0.3) * n;
    uint64_t kind = fr_random_below(random, 4);
    if (kind == 1 || kind == 2) {
        x = floor(x) * 0.5;
        y = floor(y) * 0.5;
        angle = FR_PI / 12.0 * (double)fr_random_below(random, 24);
    }
    if (kind == 2 || kind == 3) { angle = 0.0; }
    return fr_octree_motion_turn(fr_vec3_make(x, y, 0.0), fr_vec3_make(0.0, 0.0, 1.0), angle);
}

static void expect_pixel(const mover *m, const fr_octree_map *map, int32_t x, int32_t y) {
    const int32_t target[3] = {x, y, 0};
    bool wanted = false;
    int64_t cx = (map->b[0] + map->a[0][0] * x + map->a[0][1] * y) >> map->shift;
    int64_t cy = (map->b[1] + map->a[1][0] * x + map->a[1][1] * y) >> map->shift;
    for (int k = 0; k < 9 && !wanted && !map->is_away; k++) {
        const int32_t source[3] = {(int32_t)cx + k % 3 - 1, (int32_t)cy + k / 3 - 1, 0};
        wanted = is_black(m->tree, source[0], source[1], 0) && fr_octree_map_meets(map, source, target);
    }
    if (is_black(m->moved, x, y, 0) != wanted) { fail_msg("pixel %d %d by rule %d", x, y, (int)map->rule); }
}

static void move_and_check(mover *m, fr_random *random, uint64_t i, uint64_t pixels) {
    uint32_t depth = fr_octree_get_def(m->tree).depth;
    fr_octree_move_input input = fr_default_octree_move_input();
    input.motion = flat_motion(random, depth);
    input.rule = (fr_octree_rule)(i % 4);
    assert_int_equal(fr_octree_move(m->reference, &input, m->moved, NULL, NULL), FR_OK);
    fr_error error;
    assert_true(fr_octree_validate(m->moved, &error));
    fr_octree_map map;
    assert_int_equal(fr_octree_map_make(depth, &input.motion, input.rule, &map, NULL), FR_OK);
    uint64_t n = (uint64_t)1 << depth;
    for (uint64_t k = 0; k < (pixels == 0 ? n * n : pixels); k++) {
        uint64_t at = pixels == 0 ? k : fr_random_below(random, n * n);
        expect_pixel(m, &map, (int32_t)(at % n), (int32_t)(at / n));
    }
}

static void every_pixel_is_as_defined(void **state) {
    (void)state;
    fr_random random = fr_random_seed(71);
    for (uint32_t depth = 1; depth <= 7; depth++) {
        for (uint64_t i = 0; i < test_count(depth <= 4 ? 100 : 12, 400); i++) {
            mover m = make_mover(depth, &random, i % 3 == 0 ? 1 : 12);
            move_and_check(&m, &random, i, 0);
            free_mover(&m);
        }
    }
    for (uint32_t depth = 8; depth <= (test_is_long() ? 12 : 10); depth++) {
        mover m = make_mover(depth, &random, 40);
        for (uint64_t i = 0; i < 4; i++) {
            move_and_check(&m, &random, i, 20000);
        }
        free_mover(&m);
    }
}

// What stands alone at a border comes along, by every rule and wherever it goes.
static void one_pixel_at_the_border_is_not_lost(void **state) {
    (void)state;
    fr_random random = fr_random_seed(74);
    for (uint32_t depth = 1; depth <= 7; depth++) {
        int64_t n = (int64_t)1 << depth, low = n / 2 - 1;
        for (int side = 0; side < 4; side++) {
            mover m = {make_tree(2, depth), make_tree(2, depth), NULL};
            int64_t along = (int64_t)fr_random_below(&random, (uint64_t)n), edge = side < 2 ? 0 : n - 1;
            int64_t x = side % 2 == 0 ? edge : along, y = side % 2 == 0 ? along : edge;
            blacken_voxel(m.tree, x, y, 0);
            assert_int_equal(fr_octree_reference_create(m.tree, NULL, &m.reference, NULL), FR_OK);
            for (uint64_t i = 0; i < 16; i++) {
                move_and_check(&m, &random, i, 0);
            }
            fr_octree_move_input input = fr_default_octree_move_input();
            fr_vec3 travel = fr_vec3_make((double)(low - x), (double)(low - y), 0.0);
            input.motion = fr_octree_motion_turn(travel, fr_vec3_make(0.0, 0.0, 1.0), 0.0);
            assert_int_equal(fr_octree_move(m.reference, &input, m.moved, NULL, NULL), FR_OK);
            assert_true(is_black(m.moved, low, low, 0) && fr_octree_count(m.moved).black_voxels == 1);
            free_mover(&m);
        }
    }
}

// Points of moved black pixels lie in black ones by the rules of overlap and touch; and by the rule of centres the
// number of pixels stays about the same.
static void what_moved_is_contained(void **state) {
    (void)state;
    fr_random random = fr_random_seed(72);
    for (uint64_t i = 0; i < test_count(20, 500); i++) {
        mover m = make_mover(6, &random, 4);
        fr_octree_move_input input = fr_default_octree_move_input();
        input.motion = flat_motion(&random, 6);
        input.rule = i % 2 ? FR_OCTREE_OVERLAP : FR_OCTREE_TOUCH;
        assert_int_equal(fr_octree_move(m.reference, &input, m.moved, NULL, NULL), FR_OK);
        const fr_vec3 middle = {32.0, 32.0, 32.0};
        for (int k = 0; k < 2000; k++) {
            fr_vec3 p = fr_vec3_add(middle, random_about(&random, 32.0));
            p.z = 32.0;
            // Nothing is said of a point within 1e-5 of a pixel's border.
            double edge = fmin(fabs(p.x - round(p.x)), fabs(p.y - round(p.y)));
            if (edge < 1e-5 || !is_black(m.tree, (int64_t)p.x, (int64_t)p.y, 0)) { continue; }
            fr_vec3 q = fr_vec3_add(fr_mat3_apply(input.motion.rotation, fr_vec3_sub(p, middle)), middle);
            q = fr_vec3_add(q, input.motion.travel);
            edge = fmin(fabs(q.x - round(q.x)), fabs(q.y - round(q.y)));
            if (edge < 1e-5 || q.x < 0.0 || q.y < 0.0 || q.x >= 64.0 || q.y >= 64.0) { continue; }
            assert_true(is_black(m.moved, (int64_t)q.x, (int64_t)q.y, 0));
        }
        free_mover(&m);
    }
}

static void at_rest_and_after_four_quarters_it_is_itself(void **state) {
    (void)state;
    fr_random random = fr_random_seed(73);
    for (uint32_t depth = 1; depth <= 9; depth++) {
        mover m = make_mover(depth, &random, 10);
        fr_octree_move_input input = fr_default_octree_move_input();
        fr_octree_motion quarter =
            fr_octree_motion_turn(fr_vec3_make(0.0, 0.0, 0.0), fr_vec3_make(0.0, 0.0, 1.0), FR_PI / 2);
        for (int i = 0; i <= 4; i++) {
            input.rule = i % 2 ? FR_OCTREE_CENTER : FR_OCTREE_OVERLAP;
            fr_octree_move_output output;
            assert_int_equal(fr_octree_move(m.reference, &input, m.moved, &output, NULL), FR_OK);
            if (i == 0 || i == 4) { assert_true(fr_octree_equal(m.tree, m.moved)); }
            assert_int_equal(fr_octree_count(m.moved).black_voxels, fr_octree_count(m.tree).black_voxels);
            assert_false(output.is_clipped);
            fr_octree_motion_compose(&input.motion, &quarter);
        }
        free_mover(&m);
    }
}

static void what_leaves_the_root_is_clipped_and_said(void **state) {
    (void)state;
    mover m = {make_tree(2, 6), make_tree(2, 6), NULL};
    const int64_t low[3] = {20, 30, 0}, high[3] = {40, 34, 1};
    fr_octree_fill(m.tree, low, high, FR_CELL_BLACK);
    fr_error error;
    assert_int_equal(fr_octree_reference_create(m.tree, NULL, &m.reference, &error), FR_OK);
    const struct {
        double x;
        bool clipped;
        uint64_t pixels;
    } cases[] = {{24.0, false, 80}, {25.0, true, 76}, {-20.0, false, 80},
                 {-39.0, true, 4},  {64.0, true, 0},  {70.0, true, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_octree_move_input input = fr_default_octree_move_input();
        input.motion.travel.x = cases[i].x;
        fr_octree_move_output output;
        assert_int_equal(fr_octree_move(m.reference, &input, m.moved, &output, NULL), FR_OK);
        assert_int_equal(output.is_clipped, cases[i].clipped);
        assert_int_equal(fr_octree_count(m.moved).black_voxels, cases[i].pixels);
    }
    free_mover(&m);
}

static void what_leaves_the_plane_is_refused(void **state) {
    (void)state;
    fr_random random = fr_random_seed(74);
    mover m = make_mover(4, &random, 3);
    fr_octree *spatial = make_tree(3, 4), *deeper = make_tree(2, 5);
    fr_octree_move_input input = fr_default_octree_move_input();
    assert_int_equal(fr_octree_move(m.reference, &input, spatial, NULL, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_octree_move(m.reference, &input, deeper, NULL, NULL), FR_ERROR_ARGUMENT);
    input.motion.travel.z = 1.0;
    assert_int_equal(fr_octree_move(m.reference, &input, m.moved, NULL, NULL), FR_ERROR_ARGUMENT);
    input.motion = fr_octree_motion_turn(fr_vec3_make(0.0, 0.0, 0.0), fr_vec3_make(1.0, 0.0, 0.0), 0.1);
    assert_int_equal(fr_octree_move(m.reference, &input, m.moved, NULL, NULL), FR_ERROR_ARGUMENT);
    input.motion.travel.x = INFINITY;
    assert_int_equal(fr_octree_move(m.reference, &input, m.moved, NULL, NULL), FR_ERROR_NOT_FINITE);
    fr_octree_destroy(spatial);
    fr_octree_destroy(deeper);
    free_mover(&m);
}

static void no_allocation_that_fails_leaves_anything(void **state) {
    (void)state;
    fr_random random = fr_random_seed(75);
    fr_octree *tree = make_tree(2, 6);
    fill_randomly(tree, &random, 5);
    assert_true(test_every_failure(make_reference, tree) > 6);
    fr_octree_destroy(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pixel_is_as_defined),
        cmocka_unit_test(one_pixel_at_the_border_is_not_lost),
        cmocka_unit_test(what_moved_is_contained),
        cmocka_unit_test(at_rest_and_after_four_quarters_it_is_itself),
        cmocka_unit_test(what_leaves_the_root_is_clipped_and_said),
        cmocka_unit_test(what_leaves_the_plane_is_refused),
        cmocka_unit_test(no_allocation_that_fails_leaves_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

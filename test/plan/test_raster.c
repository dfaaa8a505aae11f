#include "plan/raster.h"

#include "worlds.h"

// ---------------------------------------------------------------------------------------------------------------
// Rotations

static void quarter_turns_are_exact(void **state) {
    (void)state;
    fr_mat3 r = fr__plan_rotation(fr_vec3_make(-270.0, 540.0, 90.0));
    // x by 90, y by 180, z by 90.
    fr_vec3 v = fr_mat3_apply(r, fr_vec3_make(1.0, 2.0, 3.0));
    assert_true(fr_vec3_equal(v, fr_vec3_make(3.0, -1.0, -2.0)));
    for (int k = -8; k <= 8; k++) {
        fr_mat3 z = fr__plan_rotation(fr_vec3_make(0.0, 0.0, 90.0 * k));
        assert_true(fabs(z.row[0].x) == (k % 2 == 0 ? 1.0 : 0.0) && z.row[2].z == 1.0);
    }
}

static void a_turn_goes_about_x_then_y_then_z(void **state) {
    (void)state;
    fr_octree_motion step = fr_octree_motion_step(fr_vec3_make(0.0, 0.0, 0.0), fr_vec3_make(20.0, -35.0, 130.0));
    fr_mat3 r = fr__plan_rotation(fr_vec3_make(20.0, -35.0, 130.0));
    for (int i = 0; i < 3; i++) {
        assert_true(fr_vec3_distance(r.row[i], step.rotation.row[i]) < 1e-14);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Cells

static fr_plan_place random_place(fr_random *random, int dimension) {
    fr_plan_place place = {{fr_random_between(random, -6.0, 6.0), fr_random_between(random, -6.0, 6.0), 0.0},
                           {0.0, 0.0, fr_random_between(random, -400.0, 400.0)}};
    if (dimension == 3) {
        place.position.z = fr_random_between(random, -6.0, 6.0);
        place.turn_deg.x = fr_random_between(random, -400.0, 400.0);
        place.turn_deg.y = fr_random_between(random, -400.0, 400.0);
    }
    if (fr_random_below(random, 3) == 0) { place.turn_deg = fr_vec3_make(0.0, 0.0, 90.0); }
    return place;
}

// Whether some point of a grid in the cell lies inside the moved box, `less` cells from its sides.
static bool has_point_inside(int dimension, const fr_plan_box *box, const fr__plan_motion *m, const int32_t cell[3],
                             double less) {
    fr_mat3 back = fr_mat3_transpose(m->rotation);
    int per_axis = 9, layers = dimension == 3 ? 9 : 1;
    for (int i = 0; i < per_axis * per_axis * layers; i++) {
        fr_vec3 p = fr_vec3_make(cell[0] + (i % 9) / 8.0, cell[1] + (i / 9 % 9) / 8.0,
                                 cell[2] + (dimension == 3 ? (i / 81) / 8.0 : 0.5));
        fr_vec3 u = fr_vec3_add(fr_mat3_apply(back, fr_vec3_sub(p, m->target)), m->pivot);
        bool is_in = u.x > box->low[0] + less && u.x < box->high[0] - less && u.y > box->low[1] + less &&
                     u.y < box->high[1] - less;
        if (dimension == 3) { is_in = is_in && u.z > box->low[2] + less && u.z < box->high[2] - less; }
        if (is_in) { return true; }
    }
    return false;
}

static bool bit_at(const fr__plan_bitmap *b, const int32_t cell[3]) {
    int32_t x = cell[0] - b->low[0];
    return (fr__plan_bitmap_row(b, cell[1], cell[2])[x / 64] >> x % 64 & 1) != 0;
}

typedef void check_cell_fn(int dimension, const fr_plan_box *box, const fr__plan_motion *m, const int32_t cell[3],
                           bool is_black);

// Moves random boxes and checks each cell about them.
static void check_moved_boxes(uint64_t count, uint64_t seed, fr_octree_rule rule, check_cell_fn *check) {
    fr_random random = fr_random_seed(seed);
    for (uint64_t i = 0; i < count; i++) {
        int dimension = 2 + (int)(i % 2);
        fr_plan_box box = random_box(&random, dimension, 16, 6);
        fr_plan_shape shape = {&box, 1, {8.0, 8.0, 8.0}};
        fr_plan_place place = random_place(&random, dimension);
        fr__plan_motion m = fr__plan_obstacle_motion(dimension, &shape, &place);
        int32_t low[3], high[3];
        fr__plan_raster_bounds(dimension, &shape, &m, 0.0, -64, 64, low, high);
        fr__plan_bitmap map;
        assert_true(fr__plan_bitmap_make(low, high, NULL, &map));
        fr__plan_raster(dimension, &shape, &m, rule, 0.0, &map);
        int32_t nx = high[0] - low[0], ny = high[1] - low[1];
        for (int32_t c = 0; c < nx * ny * (high[2] - low[2]); c++) {
            const int32_t cell[3] = {low[0] + c % nx, low[1] + c / nx % ny, low[2] + c / nx / ny};
            check(dimension, &box, &m, cell, bit_at(&map, cell));
        }
        fr__plan_bitmap_free(&map, NULL);
    }
}

// A cell that is taken has a point no farther from the box than the grid is wide.
static void check_overlap(int dimension, const fr_plan_box *box, const fr__plan_motion *m, const int32_t cell[3],
                          bool is_black) {
    if (is_black) {
        assert_true(has_point_inside(dimension, box, m, cell, -0.11));
    } else {
        assert_false(has_point_inside(dimension, box, m, cell, 1e-8));
    }
}

static void overlap_holds_every_cell_with_a_point_inside(void **state) {
    (void)state;
    check_moved_boxes(test_count(40, 2000), 1, FR_OCTREE_OVERLAP, check_overlap);
}

static void check_center(int dimension, const fr_plan_box *box, const fr__plan_motion *m, const int32_t cell[3],
                         bool is_black) {
    (void)dimension;
    fr_mat3 back = fr_mat3_transpose(m->rotation);
    fr_vec3 p = fr_vec3_make(cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5);
    fr_vec3 u = fr_vec3_add(fr_mat3_apply(back, fr_vec3_sub(p, m->target)), m->pivot);
    bool wanted = u.x >= box->low[0] && u.x < box->high[0] && u.y >= box->low[1] && u.y < box->high[1] &&
                  u.z >= box->low[2] && u.z < box->high[2];
    assert_int_equal(is_black, wanted);
}

static void centers_are_taken_by_where_they_come_from(void **state) {
    (void)state;
    check_moved_boxes(test_count(60, 4000), 2, FR_OCTREE_CENTER, check_center);
}

// The octree room moves voxels in fixed point, wrong by up to 3e-6 of a voxel; boxes that much larger hold its cells
// and boxes that much smaller are held by them.
static void the_octree_moves_to_the_same_cells(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    for (uint64_t i = 0; i < test_count(20, 1000); i++) {
        fr_plan_box box = random_box(&random, 3, 32, 9);
        fr_plan_shape shape = {&box, 1, {16.0, 16.0, 16.0}};
        fr_plan_place place = random_place(&random, 3);
        fr_octree_def def = fr_default_octree_def();
        fr_octree *tree, *moved;
        fr_octree_reference *reference;
        fr_error error;
        assert_int_equal(fr_octree_create(&def, &tree, &error), FR_OK);
        assert_int_equal(fr_octree_create(&def, &moved, &error), FR_OK);
        fr_octree_fill(tree, (const int64_t[3]){box.low[0], box.low[1], box.low[2]},
                       (const int64_t[3]){box.high[0], box.high[1], box.high[2]}, FR_CELL_BLACK);
        assert_int_equal(fr_octree_reference_create(tree, NULL, &reference, &error), FR_OK);
        fr_octree_move_input input = fr_default_octree_move_input();
        input.motion = fr_octree_motion_step(place.position, place.turn_deg);
        input.rule = FR_OCTREE_OVERLAP;
        assert_int_equal(fr_octree_move(reference, &input, moved, NULL, NULL), FR_OK);

        fr__plan_motion m = fr__plan_obstacle_motion(3, &shape, &place);
        const int32_t low[3] = {0, 0, 0}, high[3] = {32, 32, 32};
        fr__plan_bitmap small, large;
        assert_true(fr__plan_bitmap_make(low, high, NULL, &small) && fr__plan_bitmap_make(low, high, NULL, &large));
        fr__plan_raster(3, &shape, &m, FR_OCTREE_OVERLAP, -2e-5, &small);
        fr__plan_raster(3, &shape, &m, FR_OCTREE_OVERLAP, 2e-5, &large);
        for (int32_t c = 0; c < 32 * 32 * 32; c++) {
            const int32_t cell[3] = {c % 32, c / 32 % 32, c / 1024};
            bool is_black = fr_octree_color(moved, 0, cell[0], cell[1], cell[2]) == FR_CELL_BLACK;
            assert_true(is_black || !bit_at(&small, cell));
            assert_true(!is_black || bit_at(&large, cell));
        }
        fr__plan_bitmap_free(&small, NULL);
        fr__plan_bitmap_free(&large, NULL);
        fr_octree_reference_destroy(reference);
        fr_octree_destroy(tree);
        fr_octree_destroy(moved);
    }
}

static void a_robot_on_a_cell_covers_whole_cells(void **state) {
    (void)state;
    const named_world *n = named_world_of("W2");
    fr_plan_shape robot = named_robot(n);
    for (int quarter = 0; quarter < 4; quarter++) {
        fr_plan_place place = n->start;
        place.turn_deg = fr_vec3_make(90.0 * quarter, 0.0, 0.0);
        fr__plan_motion m = fr__plan_robot_motion(3, &robot, &place);
        const int32_t low[3] = {0, 0, 0}, high[3] = {32, 32, 32};
        fr__plan_bitmap map;
        assert_true(fr__plan_bitmap_make(low, high, NULL, &map));
        fr__plan_raster(3, &robot, &m, FR_OCTREE_OVERLAP, 0.0, &map);
        int count = 0;
        for (size_t w = 0; w < map.word_count; w++) {
            count += __builtin_popcountll(map.words[w]);
        }
        assert_int_equal(count, 49);
        fr__plan_bitmap_free(&map, NULL);
    }
}

static void dilation_reaches_as_far_as_the_city_block(void **state) {
    (void)state;
    const int32_t low[3] = {-3, -8, -8}, high[3] = {100, 9, 9};
    fr__plan_bitmap map;
    assert_true(fr__plan_bitmap_make(low, high, NULL, &map));
    assert_true(map.low[0] == -64 && map.high[0] == 128);
    fr__plan_set_run(fr__plan_bitmap_row(&map, 0, 0), 127, 129);
    assert_true(fr__plan_bitmap_dilate(&map, 3, 5, NULL));
    for (int32_t z = -8; z < 9; z++) {
        for (int32_t y = -8; y < 9; y++) {
            for (int32_t x = -64; x < 128; x++) {
                int32_t dx = x < 63 ? 63 - x : x > 64 ? x - 64 : 0;
                const int32_t cell[3] = {x, y, z};
                assert_int_equal(bit_at(&map, cell), dx + abs(y) + abs(z) <= 5);
            }
        }
    }
    fr__plan_bitmap_free(&map, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarter_turns_are_exact),
        cmocka_unit_test(a_turn_goes_about_x_then_y_then_z),
        cmocka_unit_test(overlap_holds_every_cell_with_a_point_inside),
        cmocka_unit_test(centers_are_taken_by_where_they_come_from),
        cmocka_unit_test(the_octree_moves_to_the_same_cells),
        cmocka_unit_test(a_robot_on_a_cell_covers_whole_cells),
        cmocka_unit_test(dilation_reaches_as_far_as_the_city_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

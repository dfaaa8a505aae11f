#include "solids.h"

#include <math.h>

// A camera at the middle of the near side looks into a room of 16 voxels at a wall.
static fr_range_image make_image(const float *depth, uint32_t columns, uint32_t rows) {
    fr_range_image image = {depth, columns, rows, 0.5, 0.5, {{1.0, 0.0, 0.0, 0.0}, {8.0, 8.0, 15.5}, 1.0}, 0.0};
    return image;
}

static void what_is_seen_is_black_and_what_is_seen_through_is_free(void **state) {
    (void)state;
    enum { SIDE = 40 };
    float depth[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        depth[i] = 10.0f;
    }
    fr_range_image image = make_image(depth, SIDE, SIDE);
    fr_error error;
    fr_octree *tree = make_tree(3, 4);
    blacken_voxel(tree, 8, 8, 10); // in the way: the camera looks through it
    blacken_voxel(tree, 8, 8, 2);  // behind the wall
    blacken_voxel(tree, 0, 0, 10); // beside the view
    assert_int_equal(fr_octree_add_range_image(tree, &image, true, &error), FR_OK);
    assert_false(is_black(tree, 8, 8, 10));
    assert_true(is_black(tree, 8, 8, 2));
    assert_true(is_black(tree, 0, 0, 10));
    // The wall is at z = 5.5; the view is 10 wide there.
    for (int64_t x = 0; x < 16; x++) {
        for (int64_t y = 0; y < 16; y++) {
            bool is_seen = x >= 3 && x < 13 && y >= 3 && y < 13;
            assert_int_equal(is_black(tree, x, y, 5), is_seen);
        }
    }
    assert_true(fr_octree_validate(tree, &error));
    fr_octree_destroy(tree);
}

static void where_nothing_was_seen_space_is_free_up_to_the_farthest(void **state) {
    (void)state;
    float depth[4] = {0.0f, -1.0f, NAN, INFINITY};
    fr_range_image image = make_image(depth, 2, 2);
    fr_error error;
    fr_octree *tree = make_tree(3, 4);
    for (int pass = 0; pass < 2; pass++) {
        blacken_voxel(tree, 7, 8, 10);
        blacken_voxel(tree, 7, 8, 3);
        image.farthest = pass == 0 ? 0.0 : 9.0;
        assert_int_equal(fr_octree_add_range_image(tree, &image, true, &error), FR_OK);
        assert_int_equal(is_black(tree, 7, 8, 10), pass == 0);
        assert_true(is_black(tree, 7, 8, 3));
    }
    fr_octree_destroy(tree);
}

static void the_image_turns_with_its_camera(void **state) {
    (void)state;
    float depth[1] = {5.0f};
    fr_range_image image = make_image(depth, 1, 1);
    // Looks along +x: -z turned by -90 degrees about y.
    image.pose.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), -0.5 * FR_PI);
    image.pose.position = fr_vec3_make(2.5, 8.5, 8.5);
    fr_error error;
    fr_octree *tree = make_tree(3, 4);
    assert_int_equal(fr_octree_add_range_image(tree, &image, false, &error), FR_OK);
    assert_int_equal(fr_octree_count(tree).black_voxels, 1);
    assert_true(is_black(tree, 7, 8, 8));
    fr_octree_destroy(tree);
}

// Of a black room of half voxels a camera far out sees every voxel: free is what lies more than a diagonal before the
// range of its pixel, by the plain formula.
static void every_voxel_is_carved_by_its_own_pixel(void **state) {
    (void)state;
    enum { SIDE = 5 };
    float depth[SIDE * SIDE];
    fr_random random = fr_random_seed(3);
    for (int i = 0; i < SIDE * SIDE; i++) {
        depth[i] = (float)(20.0 + 8.0 * fr_random_unit(&random));
    }
    fr_range_image image = {depth, SIDE, SIDE, 0.3, 0.25, {{1.0, 0.0, 0.0, 0.0}, {4.0, 4.0, 28.0}, 1.0}, 0.0};
    fr_octree_def def = fr_default_octree_def();
    def.depth = 4;
    def.edge = 8.0;
    fr_octree *tree = NULL;
    fr_error error;
    assert_int_equal(fr_octree_create(&def, &tree, &error), FR_OK);
    fr_octree_clear(tree, FR_CELL_BLACK);
    assert_int_equal(fr_octree_add_range_image(tree, &image, true, &error), FR_OK);
    int free_voxels = 0, black_again = 0;
    for (int64_t v = 0; v < 16 * 16 * 16; v++) {
        int64_t x = v % 16, y = v / 16 % 16, z = v / 256;
        double ahead = 28.0 - 0.5 * ((double)z + 0.5);
        double right = (0.5 * ((double)x + 0.5) - 4.0) / (0.3 * ahead);
        double up = (0.5 * ((double)y + 0.5) - 4.0) / (0.25 * ahead);
        int column = (int)((right + 1.0) / 2.0 * SIDE), row = (int)((1.0 - up) / 2.0 * SIDE);
        bool is_free = (double)depth[row * SIDE + column] - ahead > 0.5 * sqrt(3.0);
        free_voxels += is_free ? 1 : 0;
        black_again += is_free && is_black(tree, x, y, z) ? 1 : 0;
        assert_true(is_free || is_black(tree, x, y, z));
    }
    assert_in_range(black_again, 0, SIDE * SIDE); // what is seen may stand in a voxel that a neighbour looks through
    assert_in_range(free_voxels, 500, 3500);
    fr_octree_destroy(tree);
}

static void wrong_images_are_refused(void **state) {
    (void)state;
    float depth[1] = {5.0f};
    fr_error error;
    fr_octree *tree = make_tree(3, 4), *flat = make_tree(2, 4);
    fr_range_image image = make_image(depth, 0, 1);
    assert_int_equal(fr_octree_add_range_image(tree, &image, false, &error), FR_ERROR_ARGUMENT);
    image = make_image(depth, 1, 1);
    image.tan_x = NAN;
    assert_int_equal(fr_octree_add_range_image(tree, &image, false, &error), FR_ERROR_ARGUMENT);
    image = make_image(depth, 1, 1);
    image.pose.position.x = INFINITY;
    assert_int_equal(fr_octree_add_range_image(tree, &image, false, &error), FR_ERROR_NOT_FINITE);
    image = make_image(depth, 1, 1);
    assert_int_equal(fr_octree_add_range_image(flat, &image, false, &error), FR_ERROR_ARGUMENT);
    fr_octree_destroy(tree);
    fr_octree_destroy(flat);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_seen_is_black_and_what_is_seen_through_is_free),
        cmocka_unit_test(where_nothing_was_seen_space_is_free_up_to_the_farthest),
        cmocka_unit_test(the_image_turns_with_its_camera),
        cmocka_unit_test(every_voxel_is_carved_by_its_own_pixel),
        cmocka_unit_test(wrong_images_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

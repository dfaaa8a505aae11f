#include "solids.h"

static double difference(const fr_mat3 *a, const fr_mat3 *b) {
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        most = fmax(most, fr_vec3_largest(fr_vec3_sub(a->row[i], b->row[i])));
    }
    return most;
}

static void a_turn_is_that_of_the_quaternion(void **state) {
    (void)state;
    fr_random random = fr_random_seed(51);
    for (int i = 0; i < 1000; i++) {
        fr_vec3 axis = random_about(&random, 1.0);
        double angle = fr_random_between(&random, -10.0, 10.0);
        fr_octree_motion m = fr_octree_motion_turn(fr_vec3_make(1.0, 2.0, 3.0), axis, angle);
        fr_mat3 r = fr_quat_to_mat3(fr_quat_from_axis_angle(axis, angle));
        assert_true(difference(&m.rotation, &r) < 2e-15);
    }
}

// 39 cycles of (1.5, -1.5, 1.5) degrees turn by 101.8 degrees in all.
static void cycles_add_up_and_go_back(void **state) {
    (void)state;
    fr_octree_motion all = fr_octree_motion_identity();
    fr_octree_motion step = fr_octree_motion_step(fr_vec3_make(-0.1, 0.0, 0.0), fr_vec3_make(1.5, -1.5, 1.5));
    fr_octree_motion undo = fr_octree_motion_identity();
    undo.rotation = fr_mat3_transpose(step.rotation);
    undo.travel = fr_vec3_negate(fr_mat3_apply(undo.rotation, step.travel));
    for (int i = 0; i < 39; i++) {
        fr_octree_motion_compose(&all, &step);
    }
    double trace = all.rotation.row[0].x + all.rotation.row[1].y + all.rotation.row[2].z;
    assert_true(fabs(fr_degrees(fr_acos(0.5 * (trace - 1.0))) - 101.8) < 0.05);
    for (int i = 0; i < 39; i++) {
        fr_octree_motion_compose(&all, &undo);
    }
    fr_mat3 identity = fr_mat3_identity();
    assert_true(difference(&all.rotation, &identity) < 1e-14);
    assert_true(fr_vec3_largest(all.travel) < 1e-13);
    for (int i = 0; i < 20000; i++) {
        fr_octree_motion_compose(&all, &step);
        assert_true(all.compositions < 1000);
    }
    fr_mat3 product = fr_mat3_multiply(all.rotation, fr_mat3_transpose(all.rotation));
    assert_true(difference(&product, &identity) < 1e-12);
}

static void a_pose_moves_voxels_as_it_moves_points(void **state) {
    (void)state;
    fr_octree_def def = fr_default_octree_def();
    def.min = fr_vec3_make(-3.0, 2.0, 7.0);
    def.edge = 6.4;
    fr_octree *tree;
    fr_error error;
    assert_int_equal(fr_octree_create(&def, &tree, &error), FR_OK);
    fr_pose pose =
        fr_pose_make(fr_vec3_make(0.7, -0.3, 1.1), fr_quat_from_axis_angle(fr_vec3_make(1.0, 2.0, -1.0), 0.8));
    fr_octree_motion m;
    assert_int_equal(fr_octree_motion_of_pose(tree, &pose, &m, NULL), FR_OK);
    for (int k = 0; k < 8; k++) {
        fr_vec3 v = {k & 1 ? 32.0 : 3.0, k & 2 ? 17.0 : 0.0, k & 4 ? 8.0 : 1.0};
        fr_vec3 world = fr_vec3_add(def.min, fr_vec3_scale(0.2, v));
        fr_vec3 moved = fr_vec3_scale(5.0, fr_vec3_sub(fr_pose_apply(&pose, world), def.min));
        fr_vec3 c = {16.0, 16.0, 16.0};
        fr_vec3 by_motion = fr_vec3_add(fr_vec3_add(fr_mat3_apply(m.rotation, fr_vec3_sub(v, c)), c), m.travel);
        assert_true(fr_vec3_distance(moved, by_motion) < 1e-12);
    }
    pose.scale = 2.0;
    assert_int_equal(fr_octree_motion_of_pose(tree, &pose, &m, NULL), FR_ERROR_ARGUMENT);
    fr_octree_destroy(tree);
}

static void the_map_takes_centres_back(void **state) {
    (void)state;
    fr_random random = fr_random_seed(52);
    for (uint32_t depth = 1; depth <= 9; depth++) {
        double n = ldexp(1.0, (int)depth), bound = depth < 9 ? 3.0 * ldexp(1.0, 2 * (int)depth - 30) : 0x1p-22;
        for (int i = 0; i < 50; i++) {
            fr_octree_motion m = random_motion(&random, depth);
            fr_octree_map map;
            assert_int_equal(fr_octree_map_make(depth, &m, FR_OCTREE_CENTER, &map, NULL), FR_OK);
            fr_vec3 v;
            v.x = (double)fr_random_below(&random, (uint64_t)n);
            v.y = (double)fr_random_below(&random, (uint64_t)n);
            v.z = (double)fr_random_below(&random, (uint64_t)n);
            fr_vec3 c = {0.5 * n, 0.5 * n, 0.5 * n}, middle = fr_vec3_add(v, fr_vec3_make(0.5, 0.5, 0.5));
            fr_vec3 from = fr_vec3_sub(fr_vec3_sub(middle, c), m.travel);
            fr_vec3 back = fr_vec3_add(fr_mat3_apply(fr_mat3_transpose(m.rotation), from), c);
            const double wanted[3] = {back.x, back.y, back.z};
            for (int a = 0; a < 3; a++) {
                int64_t u =
                    map.b[a] + map.a[a][0] * (int64_t)v.x + map.a[a][1] * (int64_t)v.y + map.a[a][2] * (int64_t)v.z;
                assert_true(fabs(ldexp((double)u, -map.shift) - wanted[a]) <= bound);
            }
        }
    }
}

static void motions_that_are_none_are_refused(void **state) {
    (void)state;
    fr_octree_map map;
    fr_octree_motion m = fr_octree_motion_identity();
    assert_int_equal(fr_octree_map_make(0, &m, FR_OCTREE_CENTER, &map, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_octree_map_make(FR_QUADTREE_MAX_DEPTH + 1, &m, FR_OCTREE_CENTER, &map, NULL),
                     FR_ERROR_ARGUMENT);
    m.travel.y = NAN;
    assert_int_equal(fr_octree_map_make(5, &m, FR_OCTREE_CENTER, &map, NULL), FR_ERROR_NOT_FINITE);
    m = fr_octree_motion_identity();
    m.rotation.row[0].x = -1.0; // a mirror
    assert_int_equal(fr_octree_map_make(5, &m, FR_OCTREE_CENTER, &map, NULL), FR_ERROR_ARGUMENT);
    m.rotation.row[0].x = 1.1;
    assert_int_equal(fr_octree_map_make(5, &m, FR_OCTREE_CENTER, &map, NULL), FR_ERROR_ARGUMENT);
    m.rotation.row[0].x = INFINITY;
    assert_int_equal(fr_octree_map_make(5, &m, FR_OCTREE_CENTER, &map, NULL), FR_ERROR_NOT_FINITE);
    m = fr_octree_motion_identity();
    m.travel.x = 33.0;
    assert_int_equal(fr_octree_map_make(5, &m, FR_OCTREE_TOUCH, &map, NULL), FR_OK);
    assert_true(map.is_away);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_is_that_of_the_quaternion),       cmocka_unit_test(cycles_add_up_and_go_back),
        cmocka_unit_test(a_pose_moves_voxels_as_it_moves_points), cmocka_unit_test(the_map_takes_centres_back),
        cmocka_unit_test(motions_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "paths.h"

// The wave against the table of distances, from every cell to every neighbour: all of it, and ended at the start.
static void reports_what_the_table_tells(void **state) {
    (void)state;
    fr_random random = fr_random_seed(87);
    fr_allocator allocator = fr_default_allocator();
    for (uint64_t round = 0; round < test_count(12, 300); round++) {
        int dimension = round % 2 == 0 ? 2 : 3;
        uint32_t depth = dimension == 2 ? 3 + (uint32_t)(round / 2 % 5) : 2 + (uint32_t)(round / 2 % 4);
        fr_plan_world *world = make_empty_world(dimension, depth);
        uint32_t size = 1u << depth;
        for (uint32_t i = 0; i < 6; i++) {
            put_box(world, i, random_box(&random, dimension, size, 1 + size / 3), unmoved_place());
        }
        static const fr_plan_box boxes[1] = {{{0, 0, 0}, {1, 1, 1}}};
        fr_plan_shape shape = {boxes, 1, {0.5, 0.5, 0.5}};
        fr_plan_robot *robot = make_robot_of(&shape, dimension, 90.0);
        fr__plan_bits bits = fr__plan_world_bits(world);
        fr__plan_poses poses;
        assert_true(fr__plan_poses_make(&bits, robot, &allocator, &poses));
        uint32_t cells = bits.size * bits.size * bits.layers, *distance = malloc(cells * sizeof *distance);
        fr__plan_step from, to;
        bool is_set = random_free_step(&random, world, robot, &from) && random_free_step(&random, world, robot, &to);
        int32_t goal[3], start[3];
        fr__plan_cell_at(&bits, is_set ? to.cell : 0, goal);
        fr__plan_cell_at(&bits, is_set ? from.cell : 0, start);
        assert_int_equal(fr__plan_distances(&poses, goal, distance), FR__PLAN_FOUND);
        for (int whole = 0; whole < 2 && is_set; whole++) {
            fr__plan_wave wave;
            assert_true(fr__plan_wave_make(&poses, goal, start, whole == 1, &wave));
            assert_int_equal(wave.start_left, distance[from.cell]);
            uint32_t most = whole == 1 || wave.start_left == FR__PLAN_UNREACHED ? UINT32_MAX - 1 : wave.start_left + 1;
            for (uint32_t cell = 0; cell < cells; cell++) {
                int32_t at[3], next[3];
                fr__plan_cell_at(&bits, cell, at);
                if (distance[cell] == FR__PLAN_UNREACHED) { continue; }
                for (int k = 0; k < 2 * dimension; k++) {
                    if (!fr__plan_neighbor(&bits, at, k, next)) { continue; }
                    uint32_t here = distance[cell] < most ? distance[cell] : most;
                    uint32_t there = distance[fr__plan_cell_number(&bits, next)];
                    if (there != FR__PLAN_UNREACHED && there > most) { there = most; }
                    assert_int_equal(fr__plan_wave_left(&wave, next, here), there);
                }
            }
            fr__plan_wave_free(&wave, &allocator);
        }
        free(distance);
        fr__plan_poses_free(&poses);
        fr_plan_robot_destroy(robot);
        fr_plan_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_what_the_table_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "plan/faithful/node_field.h"

#include "failing.h"
#include "octree/faithful/cube_list.h"
#include "plan/faithful/leaf_robot.h"
#include "plan/worlds.h"

#include <stdlib.h>

static fr_node_field_input input_of(const fr_plan_world *world, const fr_node_box_array *nodes, fr_vec3 goal) {
    fr_plan_world_def def = fr_plan_world_get_def(world);
    return (fr_node_field_input){.dimension = def.dimension,
                                 .depth = def.depth,
                                 .nodes = nodes->data,
                                 .node_count = nodes->count,
                                 .pmax = 100.0,
                                 .attraction = 1.0,
                                 .goal = goal};
}

static void expect_near(const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(a[i] - b[i]) <= 1e-6 * fabs(b[i]))) { fail_msg("cell %zu: %.12g and %.12g", i, a[i], b[i]); }
    }
}

// Every black cell as a node of its own.
static void add_cells(const fr_plan_world *world, fr_node_box_array *out) {
    fr_plan_world_def def = fr_plan_world_get_def(world);
    int32_t n = 1 << def.depth, layers = def.dimension == 3 ? n : 1;
    for (int32_t c = 0; c < n * n * layers; c++) {
        int32_t x = c % n, y = c / n % n, z = c / n / n;
        if (!fr_plan_world_is_black(world, x, y, z)) { continue; }
        fr_plan_box *box = fr_node_box_array_push(out, 1);
        assert_non_null(box);
        *box = (fr_plan_box){{x, y, z}, {x + 1, y + 1, z + 1}};
    }
}

static void add_compact(const fr_plan_world *world, fr_node_box_array *out) {
    fr_cube_list cubes;
    assert_int_equal(fr_cube_list_compact(fr_plan_world_octree(world), NULL, &cubes), FR_OK);
    for (size_t i = 0; i < cubes.array.count; i++) {
        const fr_cube *c = fr_cubes_of(&cubes) + i;
        fr_plan_box *box = fr_node_box_array_push(out, 1);
        assert_non_null(box);
        *box = (fr_plan_box){{c->x, c->y, c->z}, {c->x + c->s, c->y + c->s, c->z + c->s}};
    }
    fr_cube_array_destroy(&cubes.array);
}

static void nodes_cubes_and_the_transform_give_one_field(void **state) {
    (void)state;
    fr_random random = fr_random_seed(41);
    size_t all_nodes = 0, all_cubes = 0;
    for (uint64_t i = 0; i < test_count(40, 200); i++) {
        int dimension = 2 + (int)(i % 2);
        uint32_t depth = dimension == 2 ? 5 : 4;
        fr_plan_world *world = make_random_world(&random, dimension, depth, (uint32_t)(i % 7));
        size_t cells = (size_t)1 << (uint32_t)dimension * depth;
        double *by_nodes = malloc(cells * sizeof(double)), *other = malloc(cells * sizeof(double));
        assert_true(by_nodes != NULL && other != NULL);
        fr_vec3 goal = fr_vec3_make(3.5, 7.25, dimension == 3 ? 9.0 : 0.5);
        fr_error error;
        fr_node_box_array nodes = fr_node_box_array_make(NULL), cubes = fr_node_box_array_make(NULL);
        assert_int_equal(fr_black_nodes(fr_plan_world_octree(world), &nodes, &error), FR_OK);
        assert_int_equal(nodes.count, fr_octree_count(fr_plan_world_octree(world)).black);
        fr_node_field_input input = input_of(world, &nodes, goal);
        assert_int_equal(fr_node_field_run(&input, NULL, by_nodes, &error), FR_OK);

        if (dimension == 3) {
            add_compact(world, &cubes);
            all_nodes += nodes.count;
            all_cubes += cubes.count;
        } else {
            add_cells(world, &cubes);
        }
        input = input_of(world, &cubes, goal);
        assert_int_equal(fr_node_field_run(&input, NULL, other, &error), FR_OK);
        expect_near(other, by_nodes, cells);

        fr_plan_field_def def = fr_default_plan_field_def();
        fr_plan_field *field;
        assert_int_equal(fr_plan_field_create(&def, world, &field, &error), FR_OK);
        assert_int_equal(fr_plan_field_set_goal(field, goal, NULL), FR_OK);
        fr_plan_field_write(field, other);
        expect_near(other, by_nodes, cells);
        fr_plan_field_destroy(field);
        fr_node_box_array_destroy(&nodes);
        fr_node_box_array_destroy(&cubes);
        free(by_nodes);
        free(other);
        fr_plan_world_destroy(world);
    }
    assert_true(10 * all_cubes < 9 * all_nodes); // in all; of single worlds it may be one more
}

static void workers_give_the_same_field(void **state) {
    (void)state;
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = 3;
    fr_task_pool *pool;
    fr_error error;
    assert_int_equal(fr_task_pool_create(&pool_def, &pool, &error), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    fr_plan_world *world = make_named_world(named_world_of("S3"));
    fr_node_box_array nodes = fr_node_box_array_make(NULL);
    assert_int_equal(fr_black_nodes(fr_plan_world_octree(world), &nodes, &error), FR_OK);
    double *one = malloc(4096 * sizeof *one), *many = malloc(4096 * sizeof *many);
    assert_true(one != NULL && many != NULL);
    fr_node_field_input input = input_of(world, &nodes, fr_vec3_make(1.0, 2.0, 0.0));
    assert_int_equal(fr_node_field_run(&input, NULL, one, &error), FR_OK);
    input.tasks = &tasks;
    for (int split = 0; split < 2; split++) {
        input.split = (fr_node_split)split;
        assert_int_equal(fr_node_field_run(&input, NULL, many, &error), FR_OK);
        assert_memory_equal(one, many, 4096 * sizeof *one);
    }
    free(one);
    free(many);
    fr_node_box_array_destroy(&nodes);
    fr_plan_world_destroy(world);
    fr_task_pool_destroy(pool);
}

static void a_robot_is_weighed_by_the_cells_it_stands_on(void **state) {
    (void)state;
    fr_random random = fr_random_seed(42);
    for (uint64_t i = 0; i < test_count(30, 500); i++) {
        const named_world *n = named_world_of(i % 2 == 0 ? "S3" : "W2");
        fr_plan_world *world = make_named_world(n);
        fr_plan_shape shape = named_robot(n);
        fr_leaf_robot robot;
        fr_error error;
        assert_int_equal(fr_leaf_robot_make(world, &shape, NULL, &robot, &error), FR_OK);
        fr_plan_field_def def = fr_default_plan_field_def();
        fr_plan_field *field;
        assert_int_equal(fr_plan_field_create(&def, world, &field, &error), FR_OK);
        assert_int_equal(fr_plan_field_set_goal(field, n->goal.position, NULL), FR_OK);
        assert_int_equal(fr_plan_field_sum_up(field, &error), FR_OK);

        fr_plan_place place = n->start;
        double size = (double)(1u << n->depth);
        place.position.x = fr_random_between(&random, 0.0, size);
        place.turn_deg.z = fr_random_between(&random, 0.0, 360.0);
        if (n->dimension == 3) { place.turn_deg.x = fr_random_between(&random, 0.0, 360.0); }
        bool is_free;
        assert_int_equal(fr_leaf_robot_try(&robot, world, &place, &is_free, &error), FR_OK);
        double sum, mean, wanted = 0.0;
        fr_leaf_robot_evaluate(&robot, field, &sum, &mean);
        uint32_t cells = 1u << n->depth, layers = n->dimension == 3 ? cells : 1, count = 0;
        bool is_hit = false;
        for (uint32_t c = 0; c < cells * cells * layers; c++) {
            uint32_t x = c % cells, y = c / cells % cells, z = c / cells / cells;
            if (!fr_plan_world_is_black(robot.cells, x, y, z)) { continue; }
            wanted += fr_plan_field_at(field, x, y, z);
            is_hit = is_hit || fr_plan_world_is_black(world, x, y, z);
            count++;
        }
        assert_true(fabs(sum - wanted) <= 1e-6 * wanted && fabs(mean * count - wanted) <= 1e-6 * wanted);
        if (is_hit) { assert_false(is_free); }
        fr_plan_field_destroy(field);
        fr_leaf_robot_free(&robot);
        fr_plan_world_destroy(world);
    }
}

static void a_robot_that_leaves_the_world_is_not_free(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(2, 6);
    fr_plan_shape shape = named_robot(named_world_of("S1"));
    fr_leaf_robot robot;
    fr_error error;
    assert_int_equal(fr_leaf_robot_make(world, &shape, NULL, &robot, &error), FR_OK);
    const struct {
        double x, turn;
        bool is_free;
    } cases[] = {{5.5, 0.0, true}, {4.5, 0.0, false}, {4.5, 90.0, true}, {58.5, 180.0, true}, {59.0, 0.0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_plan_place place = {{cases[i].x, 30.5, 0.0}, {0.0, 0.0, cases[i].turn}};
        bool is_free;
        assert_int_equal(fr_leaf_robot_try(&robot, world, &place, &is_free, &error), FR_OK);
        assert_int_equal(is_free, cases[i].is_free);
    }
    assert_int_equal(robot.tests, 5);
    fr_leaf_robot_free(&robot);
    fr_plan_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_cubes_and_the_transform_give_one_field),
        cmocka_unit_test(workers_give_the_same_field),
        cmocka_unit_test(a_robot_is_weighed_by_the_cells_it_stands_on),
        cmocka_unit_test(a_robot_that_leaves_the_world_is_not_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

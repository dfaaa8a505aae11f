#include "plan/faithful/white_graph.h"

#include "failing.h"
#include "plan/worlds.h"

#include <string.h>

// How much of a face two leaves share: 0 where they do not touch, or touch at less than a face.
static double shared_area(int dimension, const fr_cell *a, const fr_cell *b) {
    const double low_a[3] = {a->x, a->y, a->z}, low_b[3] = {b->x, b->y, b->z};
    double size_a = 1u << a->level, size_b = 1u << b->level, area = 1.0;
    int touching = 0;
    for (int k = 0; k < dimension; k++) {
        double low = fmax(low_a[k], low_b[k]), high = fmin(low_a[k] + size_a, low_b[k] + size_b);
        if (high < low) { return 0.0; }
        if (high == low) {
            touching++;
        } else {
            area *= high - low;
        }
    }
    return touching == 1 ? area : 0.0;
}

static void leaves_are_neighbors_where_they_share_a_face(void **state) {
    (void)state;
    fr_random random = fr_random_seed(51);
    fr_white_graph graph = fr_white_graph_empty(NULL);
    for (uint64_t i = 0; i < test_count(20, 500); i++) {
        int dimension = 2 + (int)(i % 2);
        fr_plan_world *world = make_random_world(&random, dimension, dimension == 2 ? 5 : 3, 3);
        fr_error error;
        assert_int_equal(fr_white_graph_make(&graph, fr_plan_world_octree(world), &error), FR_OK);
        assert_int_equal(graph.leaves.count, fr_octree_count(fr_plan_world_octree(world)).white);
        const uint32_t *begins = graph.begins.data, *edges = graph.edges.data;
        for (uint32_t a = 0; a < graph.leaves.count; a++) {
            const fr_cell *leaf = fr_white_leaf(&graph, a);
            assert_int_equal(fr_white_leaf_at(&graph, fr_white_center(&graph, a)), a);
            uint32_t wanted = 0;
            for (uint32_t b = 0; b < graph.leaves.count; b++) {
                wanted += shared_area(dimension, leaf, fr_white_leaf(&graph, b)) > 0.0;
            }
            assert_int_equal(begins[a + 1] - begins[a], wanted);
            for (uint32_t e = begins[a]; e < begins[a + 1]; e++) {
                assert_true(shared_area(dimension, leaf, fr_white_leaf(&graph, edges[e])) > 0.0);
                // The middle of the shared face is on both leaves.
                fr_vec3 p = fr_white_shared_face(&graph, a, edges[e]);
                assert_true(fr_vec3_equal(p, fr_white_shared_face(&graph, edges[e], a)));
                for (int k = 0; k < 2; k++) {
                    fr_plan_box box = fr_white_box(&graph, k == 0 ? a : edges[e]);
                    assert_true(p.x >= box.low[0] && p.x <= box.high[0] && p.y >= box.low[1] && p.y <= box.high[1]);
                    assert_true(dimension == 2 || (p.z >= box.low[2] && p.z <= box.high[2]));
                }
            }
        }
        fr_plan_world_destroy(world);
    }
    fr_white_graph_free(&graph);
}

static void points_outside_or_on_black_belong_to_no_leaf(void **state) {
    (void)state;
    fr_plan_world *world = make_named_world(named_world_of("S1"));
    fr_white_graph graph = fr_white_graph_empty(NULL);
    fr_error error;
    assert_int_equal(fr_white_graph_make(&graph, fr_plan_world_octree(world), &error), FR_OK);
    assert_int_equal(fr_white_leaf_at(&graph, fr_vec3_make(31.0, 3.0, 0.0)), FR_WHITE_NONE);
    assert_int_equal(fr_white_leaf_at(&graph, fr_vec3_make(-0.5, 3.0, 0.0)), FR_WHITE_NONE);
    assert_int_equal(fr_white_leaf_at(&graph, fr_vec3_make(3.0, 64.0, 0.0)), FR_WHITE_NONE);
    assert_true(fr_white_leaf_at(&graph, fr_vec3_make(3.0, 63.5, 0.0)) != FR_WHITE_NONE);
    fr_white_graph_free(&graph);
    fr_plan_world_destroy(world);
}

static fr_status make_graph(const fr_allocator *allocator, void *context) {
    fr_white_graph graph = fr_white_graph_empty(allocator);
    fr_error error;
    fr_status status = fr_white_graph_make(&graph, fr_plan_world_octree(context), &error);
    fr_white_graph_free(&graph);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    fr_plan_world *world = make_named_world(named_world_of("S3"));
    assert_true(test_every_failure(make_graph, world) >= 4);
    fr_plan_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_are_neighbors_where_they_share_a_face),
        cmocka_unit_test(points_outside_or_on_black_belong_to_no_leaf),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

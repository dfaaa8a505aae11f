#include "plan/wavefront.h"

#include "failing.h"
#include "worlds.h"

#include <stdlib.h>

// One cell after another from a queue.
static void plain_wavefront(const fr_plan_world *world, const int32_t goal[3], uint32_t *out) {
    fr__plan_bits b = fr__plan_world_bits(world);
    uint32_t n = b.size, count = n * n * b.layers, *queue = malloc(count * sizeof *queue), head = 0, tail = 0;
    assert_non_null(queue);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = FR__PLAN_UNREACHED;
    }
    if (!fr_plan_world_is_black(world, goal[0], goal[1], goal[2])) {
        uint32_t at = ((uint32_t)goal[2] * n + (uint32_t)goal[1]) * n + (uint32_t)goal[0];
        out[at] = 0;
        queue[tail++] = at;
    }
    while (head < tail) {
        uint32_t at = queue[head++];
        for (int k = 0; k < 2 * fr_plan_world_get_def(world).dimension; k++) {
            int64_t c[3] = {at % n, at / n % n, at / n / n};
            c[k / 2] += k % 2 == 0 ? 1 : -1;
            if (fr_plan_world_is_black(world, c[0], c[1], c[2])) { continue; }
            uint32_t to = (uint32_t)((c[2] * n + c[1]) * n + c[0]);
            if (out[to] == FR__PLAN_UNREACHED) {
                out[to] = out[at] + 1;
                queue[tail++] = to;
            }
        }
    }
    free(queue);
}

static void expect_plain(const fr_plan_world *world, const int32_t goal[3]) {
    fr__plan_bits b = fr__plan_world_bits(world);
    size_t count = (size_t)b.size * b.size * b.layers;
    uint32_t *wanted = malloc(count * sizeof *wanted), *got = malloc(count * sizeof *got);
    assert_true(wanted != NULL && got != NULL);
    plain_wavefront(world, goal, wanted);
    assert_true(fr__plan_wavefront(world, goal, NULL, got));
    assert_memory_equal(wanted, got, count * sizeof *got);
    free(wanted);
    free(got);
}

static void steps_are_those_of_a_queue(void **state) {
    (void)state;
    fr_random random = fr_random_seed(21);
    static const uint32_t depth[2][5] = {{1, 4, 6, 7, 8}, {1, 2, 3, 4, 5}};
    for (uint64_t i = 0; i < test_count(40, 2000); i++) {
        int dimension = 2 + (int)(i % 2);
        uint32_t d = depth[i % 2][i / 2 % 5];
        fr_plan_world *world = make_random_world(&random, dimension, d, 1 + (uint32_t)fr_random_below(&random, 12));
        const int32_t goal[3] = {(int32_t)fr_random_below(&random, 1u << d), (int32_t)fr_random_below(&random, 1u << d),
                                 dimension == 3 ? (int32_t)fr_random_below(&random, 1u << d) : 0};
        expect_plain(world, goal);
        fr_plan_world_destroy(world);
    }
    for (size_t i = 0; i < NAMED_WORLD_COUNT; i++) {
        const named_world *n = &named_worlds[i];
        fr_plan_world *world = make_named_world(n);
        const int32_t goal[3] = {(int32_t)n->goal.position.x, (int32_t)n->goal.position.y, (int32_t)n->goal.position.z};
        expect_plain(world, goal);
        fr_plan_world_destroy(world);
    }
}

static void a_goal_that_is_black_or_outside_reaches_nothing(void **state) {
    (void)state;
    fr_plan_world *world = make_named_world(named_world_of("S1"));
    uint32_t *steps = malloc(64 * 64 * sizeof *steps);
    assert_non_null(steps);
    static const int32_t goals[3][3] = {{31, 5, 0}, {-1, 5, 0}, {5, 64, 0}};
    for (int g = 0; g < 3; g++) {
        assert_true(fr__plan_wavefront(world, goals[g], NULL, steps));
        for (int i = 0; i < 64 * 64; i++) {
            assert_int_equal(steps[i], FR__PLAN_UNREACHED);
        }
    }
    free(steps);
    fr_plan_world_destroy(world);
}

static fr_status make_wavefront(const fr_allocator *allocator, void *context) {
    uint32_t steps[64];
    const int32_t goal[3] = {1, 1, 1};
    return fr__plan_wavefront(context, goal, allocator, steps) ? FR_OK : FR_ERROR_MEMORY;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    fr_plan_world *world = make_empty_world(3, 2);
    assert_true(test_every_failure(make_wavefront, world) == 1);
    fr_plan_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_a_queue),
        cmocka_unit_test(a_goal_that_is_black_or_outside_reaches_nothing),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

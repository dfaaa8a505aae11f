// The tree is the same for any number of workers and any instruction set.
#include "box_sets.h"
#include "frame.h"
#include "shape/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 40000u

static fr_box boxes[COUNT];

static fr_tree *make_tree(int workers, fr_simd simd) {
    fr_task_pool *pool = NULL;
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = workers;
    assert_int_equal(fr_task_pool_create(&pool_def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);

    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.count = COUNT;
    def.tasks = &tasks;
    fr_tree *tree = NULL;
    fr_error error = {0};
    assert_true(fr_simd_set(simd));
    if (fr_tree_create(&def, &tree, &error) != FR_OK) { fail_msg("%s", error.message); }
    if (!fr_tree_validate(tree, &error)) { fail_msg("%s", error.message); }
    assert_int_equal(fr_tree_refit(tree, boxes, COUNT, &tasks, NULL), FR_OK);
    fr_simd_set(fr_simd_best());
    fr_task_pool_destroy(pool);
    return tree;
}

static void the_same_bytes_for_any_workers(void **state) {
    (void)state;
    const int workers[] = {1, 2, 3, 5};
    const box_set sets[] = {BOX_SET_PLAIN, BOX_SET_TWINS, BOX_SET_FLAT, BOX_SET_NESTED, BOX_SET_UNBOUNDED};
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++) {
        fr_random random = fr_random_seed(21 + s);
        for (uint32_t i = 0; i < COUNT; i++) {
            boxes[i] = random_box_of(sets[s], &random, i);
        }
        fr_tree *first = make_tree(1, FR_SIMD_BASELINE);
        for (size_t w = 0; w < sizeof workers / sizeof workers[0]; w++) {
            fr_tree *tree = make_tree(workers[w], fr_simd_best());
            assert_int_equal(fr__tree_block_bytes(tree), fr__tree_block_bytes(first));
            assert_memory_equal(fr__tree_block(tree), fr__tree_block(first), fr__tree_block_bytes(first));
            fr_tree_destroy(tree);
        }
        fr_tree_destroy(first);
    }
}

static void progress_grows_to_one(double fraction, const char *stage, void *user) {
    double *last = user;
    assert_non_null(stage);
    assert_true(fraction >= *last && fraction <= 1.0);
    *last = fraction;
}

static void reports_progress(void **state) {
    (void)state;
    fr_random random = fr_random_seed(31);
    for (uint32_t i = 0; i < COUNT; i++) {
        boxes[i] = random_box_of(BOX_SET_PLAIN, &random, i);
    }
    double last = 0.0;
    fr_control control = {.progress = progress_grows_to_one, .user = &last};
    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.count = COUNT;
    def.control = &control;
    fr_tree *tree = NULL;
    assert_int_equal(fr_tree_create(&def, &tree, NULL), FR_OK);
    assert_true(last == 1.0);
    fr_tree_destroy(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bytes_for_any_workers),
        cmocka_unit_test(reports_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

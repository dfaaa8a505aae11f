#include "fureai/base.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void an_empty_array_allocates_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_array array = fr_array_make(12, &allocator);
    assert_null(array.data);
    assert_int_equal(array.count + array.capacity, 0);
    assert_int_equal(array.element_bytes, 12);
    assert_non_null(fr_array_push(&array, 0));
    assert_true(fr_array_reserve(&array, 0));
    fr_array_free(&array);
    assert_int_equal(fr_probe_get(probe).allocations, 0);
    fr_probe_destroy(probe);
}

static void pushed_elements_keep_their_values(void **state) {
    (void)state;
    fr_array array = fr_array_make(sizeof(int), NULL);
    fr_random random = fr_random_seed(3);
    int next = 0;
    while (next < 20000) {
        size_t count = (size_t)fr_random_below(&random, 50);
        int *first = fr_array_push(&array, count);
        assert_non_null(first);
        assert_true(array.data == NULL || first == (int *)array.data + next);
        for (size_t i = 0; i < count; ++i) {
            first[i] = next++;
        }
        assert_int_equal(array.count, next);
        assert_true(array.capacity >= array.count);
    }
    for (int i = 0; i < next; ++i) {
        assert_int_equal(((int *)array.data)[i], i);
    }
    assert_int_equal((uintptr_t)array.data % 64, 0);
    fr_array_free(&array);
    assert_null(array.data);
    assert_int_equal(array.count + array.capacity, 0);
    assert_non_null(fr_array_push(&array, 1));
    fr_array_free(&array);
}

static void reserve_makes_room_once(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_array array = fr_array_make(24, &allocator);
    assert_true(fr_array_reserve(&array, 1000));
    assert_int_equal(array.capacity, 1000);
    assert_int_equal(fr_probe_get(probe).live_bytes, 24000);
    void *data = array.data;
    for (int i = 0; i < 1000; ++i) {
        assert_non_null(fr_array_push(&array, 1));
    }
    assert_true(fr_array_reserve(&array, 10));
    assert_ptr_equal(array.data, data);
    assert_int_equal(fr_probe_get(probe).allocations, 1);
    fr_array_free(&array);
    assert_int_equal(fr_probe_get(probe).live_bytes, 0);
    fr_probe_destroy(probe);
}

static void pushing_one_by_one_allocates_seldom(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_array array = fr_array_make(1, &allocator);
    for (int i = 0; i < 100000; ++i) {
        assert_non_null(fr_array_push(&array, 1));
    }
    assert_true(fr_probe_get(probe).allocations < 40);
    fr_array_free(&array);
    fr_probe_destroy(probe);
}

static void counts_that_overflow_change_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_probe_bound(probe, 1 << 20);
    fr_array array = fr_array_make(8, &allocator);
    assert_non_null(fr_array_push(&array, 3));
    fr_array before = array;
    assert_null(fr_array_push(&array, SIZE_MAX));
    assert_null(fr_array_push(&array, SIZE_MAX - 2));
    assert_null(fr_array_push(&array, SIZE_MAX / 8));
    assert_null(fr_array_push(&array, (size_t)1 << 31));
    assert_false(fr_array_reserve(&array, SIZE_MAX));
    assert_false(fr_array_reserve(&array, SIZE_MAX / 8 + 1));
    assert_false(fr_array_reserve(&array, (size_t)1 << 31));
    assert_memory_equal(&array, &before, sizeof array);
    fr_array_free(&array);
    fr_probe_destroy(probe);
}

static void a_failed_push_changes_nothing(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 30; ++n) {
        fr_probe *probe = fr_probe_create();
        fr_allocator allocator = fr_probe_allocator(probe);
        fr_array array = fr_array_make(4, &allocator);
        fr_probe_fail(probe, n, true);
        unsigned pushed = 0;
        for (;;) {
            fr_array before = array;
            unsigned *element = fr_array_push(&array, 1);
            if (element == NULL) {
                assert_memory_equal(&array, &before, sizeof array);
                break;
            }
            *element = pushed++;
        }
        for (unsigned i = 0; i < pushed; ++i) {
            assert_int_equal(((unsigned *)array.data)[i], i);
        }
        fr_array_free(&array);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        fr_probe_destroy(probe);
    }
}

static void what_is_needed_is_tried_where_growth_fails(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_array array = fr_array_make(1, &allocator);
    assert_non_null(fr_array_push(&array, 1000));
    fr_probe_bound(probe, array.capacity + 1001);
    assert_non_null(fr_array_push(&array, 1));
    assert_int_equal(array.count, 1001);
    fr_array_free(&array);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_array_allocates_nothing),
        cmocka_unit_test(pushed_elements_keep_their_values),
        cmocka_unit_test(reserve_makes_room_once),
        cmocka_unit_test(pushing_one_by_one_allocates_seldom),
        cmocka_unit_test(counts_that_overflow_change_nothing),
        cmocka_unit_test(a_failed_push_changes_nothing),
        cmocka_unit_test(what_is_needed_is_tried_where_growth_fails),
    };
    return cmocka_run_group_tests_name("array", tests, NULL, NULL);
}

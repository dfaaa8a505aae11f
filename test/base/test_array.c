#include "failing.h"

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
    fr_array_destroy(&array);
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
    fr_array_destroy(&array);
    assert_null(array.data);
    assert_int_equal(array.count + array.capacity, 0);
    assert_non_null(fr_array_push(&array, 1));
    fr_array_destroy(&array);
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
    fr_array_destroy(&array);
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
    fr_array_destroy(&array);
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
    fr_array_destroy(&array);
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
        fr_array_destroy(&array);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        fr_probe_destroy(probe);
    }
}

static void a_sixteenth_more_is_tried_where_half_is_refused(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_array array = fr_array_make(1, &allocator);
    assert_non_null(fr_array_push(&array, 1600));
    fr_probe_bound(probe, 1600 + 1700);
    assert_null(fr_array_push(&array, 1));
    assert_int_equal(array.capacity, 1600);
    fr_probe_bound(probe, 1600 + 1701);
    assert_non_null(fr_array_push(&array, 1));
    assert_int_equal(array.count, 1601);
    assert_int_equal(array.capacity, 1701);
    fr_array_destroy(&array);
    fr_probe_destroy(probe);
}

static void reserve_more_grows_as_a_push_does(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_array array = fr_array_make(1, &allocator);
    assert_true(fr_array_reserve_more(&array, 0));
    assert_int_equal(fr_probe_get(probe).allocations, 0);
    assert_non_null(fr_array_push(&array, 1600));
    assert_true(fr_array_reserve_more(&array, 1));
    assert_int_equal(array.count, 1600);
    assert_int_equal(array.capacity, 2408);
    uint64_t copied = fr__copied_bytes();
    assert_true(fr_array_reserve_more(&array, 808));
    assert_int_equal(fr__copied_bytes(), copied);
    array.count = 2408;
    fr_probe_bound(probe, 2408 + 2559);
    assert_true(fr_array_reserve_more(&array, 1));
    assert_int_equal(array.capacity, 2559);
    assert_int_equal(fr__copied_bytes(), copied + 2408);
    assert_false(fr_array_reserve_more(&array, SIZE_MAX - 100));

    // A sixteenth of a few is none: then there is room for two.
    fr_array_destroy(&array);
    fr_probe_bound(probe, 3);
    assert_non_null(fr_array_push(&array, 1));
    assert_int_equal(array.capacity, 2);
    fr_array_destroy(&array);
    fr_probe_destroy(probe);
}

// However much memory there is, what is copied is little more than what is pushed, and most of the memory is used.
static void growth_under_a_bound_of_bytes_copies_little(void **state) {
    (void)state;
    for (size_t bound = 1000; bound < 2000000; bound += bound / 3) {
        fr_probe *probe = fr_probe_create();
        fr_allocator allocator = fr_probe_allocator(probe);
        fr_probe_bound(probe, bound);
        fr_array array = fr_array_make(4, &allocator);
        size_t copied = 0;
        for (;;) {
            size_t capacity = array.capacity, count = array.count;
            if (fr_array_push(&array, 1) == NULL) { break; }
            if (array.capacity > capacity) { copied += count; }
        }
        assert_true(array.count * 10 > bound);
        assert_true(copied <= 6 * array.count);
        assert_true(fr_probe_get(probe).allocations < 60);
        fr_array_destroy(&array);
        assert_int_equal(fr_probe_get(probe).live_bytes, 0);
        fr_probe_destroy(probe);
    }
}

static fr_status grow_some(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_array arrays[3];
    void *block = fr_allocate(allocator, 100, 8, 8);
    bool has_room = block != NULL;
    for (size_t k = 0; k < 3; k++) {
        arrays[k] = fr_array_make(4 << k, allocator);
        has_room = has_room && fr_array_reserve(&arrays[k], 10 * k);
    }
    for (size_t i = 0; i < 20000 && has_room; i++) {
        uint32_t *element = fr_array_reserve_more(&arrays[i % 3], 1) ? fr_array_push(&arrays[i % 3], 1) : NULL;
        has_room = element != NULL;
        if (has_room) { *element = (uint32_t)i; }
    }
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < arrays[k].count; i++) {
            assert_int_equal(((uint32_t *)arrays[k].data)[i << k], 3 * i + k);
        }
        fr_array_destroy(&arrays[k]);
    }
    fr_deallocate(allocator, block, 100, 8);
    return has_room ? FR_OK : FR_ERROR_MEMORY;
}

static void every_bound_copies_little(void **state) {
    (void)state;
    assert_true(test_every_failure(grow_some, NULL) > 40);
}

typedef struct edge {
    uint32_t first, second;
    double length;
} edge;

FR_ARRAY_TYPE(edge_array, edge);
FR_ARRAY_TYPE(name_array, const char *);

static void a_typed_array_does_what_an_untyped_one_does(void **state) {
    (void)state;
    fr_probe *probes[2] = {fr_probe_create(), fr_probe_create()};
    fr_allocator allocators[2] = {fr_probe_allocator(probes[0]), fr_probe_allocator(probes[1])};
    edge_array typed = edge_array_make(&allocators[0]);
    fr_array untyped = fr_array_make(sizeof(edge), &allocators[1]);
    assert_non_null(edge_array_push(&typed, 0));
    assert_null(typed.data);

    fr_random random = fr_random_seed(5);
    for (int i = 0; i < 3000; ++i) {
        size_t count = (size_t)fr_random_below(&random, 20);
        if (count == 19) {
            assert_true(edge_array_reserve(&typed, typed.count + 25));
            assert_true(fr_array_reserve(&untyped, untyped.count + 25));
        }
        size_t before = typed.count;
        edge *edges = edge_array_push(&typed, count);
        assert_non_null(fr_array_push(&untyped, count));
        assert_true(typed.data == NULL || edges == typed.data + before);
        for (size_t k = 0; k < count; ++k) {
            edges[k] = (edge){(uint32_t)(before + k), 7, 0.5};
        }
        assert_int_equal(typed.count, untyped.count);
        assert_int_equal(typed.capacity, untyped.capacity);
    }
    for (size_t i = 0; i < typed.count; ++i) {
        assert_int_equal(typed.data[i].first, i);
    }
    assert_int_equal((uintptr_t)typed.data % 64, 0);
    assert_int_equal(fr_probe_get(probes[0]).live_bytes, fr_probe_get(probes[1]).live_bytes);
    assert_int_equal(fr_probe_get(probes[0]).allocations, fr_probe_get(probes[1]).allocations);

    edge_array_destroy(&typed);
    fr_array_destroy(&untyped);
    assert_null(typed.data);
    assert_int_equal(typed.count + typed.capacity, 0);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(fr_probe_get(probes[i]).live_blocks, 0);
        fr_probe_destroy(probes[i]);
    }
}

static void a_typed_array_of_zeros_is_empty(void **state) {
    (void)state;
    name_array names = {0};
    const char **name = name_array_push(&names, 1);
    assert_non_null(name);
    *name = "cup";
    assert_string_equal(names.data[0], "cup");
    name = name_array_reset(&names, 3);
    assert_ptr_equal(name, names.data);
    assert_int_equal(names.count, 3);
    assert_non_null(name_array_reset(&names, 0));
    assert_int_equal(names.count, 0);
    name_array_destroy(&names);
    name_array_destroy(&names);
}

static void a_failed_push_of_a_typed_array_changes_nothing(void **state) {
    (void)state;
    for (uint64_t n = 1; n < 20; ++n) {
        fr_probe *probe = fr_probe_create();
        fr_allocator allocator = fr_probe_allocator(probe);
        fr_uint32_array array = fr_uint32_array_make(&allocator);
        fr_probe_fail(probe, n, true);
        for (;;) {
            fr_uint32_array before = array;
            uint32_t *element = fr_uint32_array_push(&array, 1);
            if (element == NULL) {
                assert_memory_equal(&array, &before, sizeof array);
                break;
            }
            *element = (uint32_t)array.count;
        }
        fr_uint32_array before = array;
        assert_false(fr_uint32_array_reserve(&array, array.capacity + 1));
        assert_null(fr_uint32_array_push(&array, SIZE_MAX));
        assert_memory_equal(&array, &before, sizeof array);
        for (uint32_t i = 0; i < array.count; ++i) {
            assert_int_equal(array.data[i], i + 1);
        }
        fr_uint32_array_destroy(&array);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        fr_probe_destroy(probe);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_array_allocates_nothing),
        cmocka_unit_test(pushed_elements_keep_their_values),
        cmocka_unit_test(reserve_makes_room_once),
        cmocka_unit_test(pushing_one_by_one_allocates_seldom),
        cmocka_unit_test(counts_that_overflow_change_nothing),
        cmocka_unit_test(a_failed_push_changes_nothing),
        cmocka_unit_test(a_sixteenth_more_is_tried_where_half_is_refused),
        cmocka_unit_test(reserve_more_grows_as_a_push_does),
        cmocka_unit_test(growth_under_a_bound_of_bytes_copies_little),
        cmocka_unit_test(every_bound_copies_little),
        cmocka_unit_test(a_typed_array_does_what_an_untyped_one_does),
        cmocka_unit_test(a_typed_array_of_zeros_is_empty),
        cmocka_unit_test(a_failed_push_of_a_typed_array_changes_nothing),
    };
    return cmocka_run_group_tests_name("array", tests, NULL, NULL);
}

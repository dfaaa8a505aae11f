#include "base/allocator.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void memory_is_aligned_as_asked_up_to_4096(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 7, 16, 63, 64, 65, 100, 4095, 4096, 4097, 100000};
    for (size_t align = 1; align <= 4096; align *= 2) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
            unsigned char *pointer = fr_allocate(NULL, 1, sizes[i], align);
            assert_non_null(pointer);
            assert_int_equal((uintptr_t)pointer % align, 0);
            memset(pointer, 0xAB, sizes[i]);
            fr_deallocate(NULL, pointer, 1, sizes[i]);
        }
    }
}

static void a_product_of_zero_gives_null(void **state) {
    (void)state;
    assert_null(fr_allocate(NULL, 0, 8, 8));
    assert_null(fr_allocate(NULL, 8, 0, 8));
    assert_null(fr_allocate(NULL, 0, 0, 4096));
}

static void a_product_that_overflows_gives_null(void **state) {
    (void)state;
    assert_null(fr_allocate(NULL, SIZE_MAX, 2, 8));
    assert_null(fr_allocate(NULL, 2, SIZE_MAX, 64));
    assert_null(fr_allocate(NULL, SIZE_MAX / 8 + 2, 8, 8));
    assert_null(fr_allocate(NULL, 1, SIZE_MAX, 4096));
    assert_null(fr_allocate(NULL, 1, (size_t)PTRDIFF_MAX + 1, 1));
    assert_null(fr_allocate(NULL, (size_t)1 << 32, (size_t)1 << 31, 16));
}

// Refuses everything, remembering what was asked.
static void *refuse(size_t size, size_t align, void *user) {
    (void)align;
    *(size_t *)user = size;
    return NULL;
}

static void refuse_free(void *pointer, size_t size, void *user) {
    (void)pointer;
    *(size_t *)user = size;
}

static void sizes_near_two_to_the_31_keep_their_value(void **state) {
    (void)state;
    size_t asked = 0;
    fr_allocator allocator = {refuse, refuse_free, &asked};
    static const size_t counts[] = {0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        assert_null(fr_allocate(&allocator, counts[i], 3, 8));
        assert_true(asked == counts[i] * 3);
        fr_deallocate(&allocator, &asked, counts[i], 3);
        assert_true(asked == counts[i] * 3);
    }
}

static void no_memory_gives_null(void **state) {
    (void)state;
    size_t asked = 0;
    fr_allocator allocator = {refuse, refuse_free, &asked};
    assert_null(fr_allocate(&allocator, 1, 8, 8));
    assert_int_equal(asked, 8);
}

static void release_ignores_null(void **state) {
    (void)state;
    size_t asked = 0;
    fr_allocator allocator = {refuse, refuse_free, &asked};
    fr_deallocate(&allocator, NULL, 3, 3);
    fr_deallocate(NULL, NULL, 3, 3);
    assert_int_equal(asked, 0);
}

static void all_zeros_stands_for_the_process_default(void **state) {
    (void)state;
    fr_allocator zeros = {0}, standard = fr_default_allocator();
    fr_allocator given = fr_allocator_or_default(&zeros);
    assert_true(given.alloc == standard.alloc && given.free == standard.free && given.user == standard.user);
    given = fr_allocator_or_default(NULL);
    assert_true(given.alloc == standard.alloc);
    void *pointer = fr_allocate(&zeros, 4, 4, 4);
    assert_non_null(pointer);
    fr_deallocate(&zeros, pointer, 4, 4);
}

static void the_process_default_can_be_changed_and_restored(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_set_default_allocator(fr_probe_allocator(probe));
    void *pointer = fr_allocate(NULL, 10, 10, 64);
    assert_int_equal(fr_probe_get(probe).live_bytes, 100);
    fr_deallocate(NULL, pointer, 10, 10);
    assert_int_equal(fr_probe_get(probe).live_bytes, 0);

    fr_set_default_allocator((fr_allocator){0});
    assert_true(fr_default_allocator().alloc == fr__heap_allocator().alloc);
    fr_probe_destroy(probe);
}

static void what_was_made_keeps_its_allocator(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_arena *arena = NULL;
    fr_array array = fr_array_make(4, NULL);
    assert_int_equal(fr_arena_create(0, NULL, &arena, NULL), FR_OK);
    fr_set_default_allocator(fr_probe_allocator(probe));
    assert_non_null(fr_arena_alloc(arena, 1, 1, 1));
    assert_non_null(fr_array_push(&array, 1));
    fr_array_destroy(&array);
    fr_arena_destroy(arena);
    fr_set_default_allocator((fr_allocator){0});
    assert_int_equal(fr_probe_get(probe).allocations, 0);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_aligned_as_asked_up_to_4096),
        cmocka_unit_test(a_product_of_zero_gives_null),
        cmocka_unit_test(a_product_that_overflows_gives_null),
        cmocka_unit_test(sizes_near_two_to_the_31_keep_their_value),
        cmocka_unit_test(no_memory_gives_null),
        cmocka_unit_test(release_ignores_null),
        cmocka_unit_test(all_zeros_stands_for_the_process_default),
        cmocka_unit_test(the_process_default_can_be_changed_and_restored),
        cmocka_unit_test(what_was_made_keeps_its_allocator),
    };
    return cmocka_run_group_tests_name("allocator", tests, NULL, NULL);
}

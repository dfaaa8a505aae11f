#include "fureai/base.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static fr_arena *make_arena(size_t first_bytes, fr_probe *probe) {
    fr_allocator allocator = {0};
    if (probe != NULL) { allocator = fr_probe_allocator(probe); }
    fr_arena *arena = NULL;
    assert_int_equal(fr_arena_create(first_bytes, &allocator, &arena, NULL), FR_OK);
    assert_non_null(arena);
    return arena;
}

static void pieces_are_aligned_and_apart(void **state) {
    (void)state;
    fr_arena *arena = make_arena(0, NULL);
    fr_random random = fr_random_seed(1);
    unsigned char *pieces[300];
    size_t sizes[300];
    for (int i = 0; i < 300; ++i) {
        size_t align = (size_t)1 << fr_random_below(&random, 7);
        sizes[i] = (size_t)fr_random_below(&random, 500) + 1;
        pieces[i] = fr_arena_alloc(arena, sizes[i], 1, align);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % align, 0);
        memset(pieces[i], i % 251, sizes[i]);
    }
    for (int i = 0; i < 300; ++i) {
        for (size_t j = 0; j < sizes[i]; ++j) {
            assert_int_equal(pieces[i][j], i % 251);
        }
    }
    fr_arena_destroy(arena);
}

static void used_counts_by_size_and_alignment_alone(void **state) {
    (void)state;
    fr_arena *arena = make_arena(64, NULL);
    assert_int_equal(fr_arena_used(arena), 0);
    fr_arena_alloc(arena, 1, 1, 1);
    assert_int_equal(fr_arena_used(arena), 16);
    fr_arena_alloc(arena, 1, 1, 64);
    assert_int_equal(fr_arena_used(arena), 80);
    fr_arena_alloc(arena, 1, 16, 32);
    assert_int_equal(fr_arena_used(arena), 144);
    fr_arena_alloc(arena, 3, 11, 16);
    assert_int_equal(fr_arena_used(arena), 192);
    fr_arena_reset(arena);
    assert_int_equal(fr_arena_used(arena), 0);
    fr_arena_destroy(arena);
}

static void the_first_block_holds_what_was_asked(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_arena *arena = make_arena(1000, probe);
    uint64_t before = fr_probe_get(probe).allocations;
    for (int i = 0; i < 62; ++i) {
        assert_non_null(fr_arena_alloc(arena, 1, 16, 16));
    }
    assert_int_equal(fr_probe_get(probe).allocations, before);
    fr_arena_destroy(arena);

    arena = make_arena(0, probe);
    assert_int_equal(fr_probe_get(probe).live_blocks, 1);
    fr_arena_alloc(arena, 1, 1, 1);
    assert_int_equal(fr_probe_get(probe).live_blocks, 2);
    fr_arena_destroy(arena);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
}

static void zero_bytes_give_a_pointer_to_nothing(void **state) {
    (void)state;
    fr_arena *arena = make_arena(0, NULL);
    assert_non_null(fr_arena_alloc(arena, 0, 8, 64));
    void *pointer = fr_arena_alloc(arena, 8, 0, 64);
    assert_non_null(pointer);
    assert_int_equal((uintptr_t)pointer % 64, 0);
    assert_int_equal(fr_arena_used(arena), 0);
    fr_arena_destroy(arena);
}

static void sizes_that_overflow_give_null(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_arena *arena = make_arena(100, probe);
    fr_probe_bound(probe, 1 << 20);
    assert_null(fr_arena_alloc(arena, SIZE_MAX, 2, 8));
    assert_null(fr_arena_alloc(arena, 1, SIZE_MAX, 64));
    assert_null(fr_arena_alloc(arena, 1, SIZE_MAX - 15, 1));
    assert_null(fr_arena_alloc(arena, 1, (size_t)PTRDIFF_MAX, 64));
    assert_null(fr_arena_alloc(arena, (size_t)1 << 32, (size_t)1 << 32, 1));
    assert_null(fr_arena_alloc(arena, (size_t)1 << 31, 1, 1));
    assert_int_equal(fr_arena_used(arena), 0);
    assert_non_null(fr_arena_alloc(arena, 10, 10, 1));
    fr_arena_destroy(arena);

    fr_allocator allocator = fr_probe_allocator(probe);
    arena = (fr_arena *)probe;
    assert_int_equal(fr_arena_create(SIZE_MAX, &allocator, &arena, NULL), FR_ERROR_MEMORY);
    assert_null(arena);
    assert_int_equal(fr_arena_create((size_t)1 << 31, &allocator, &arena, NULL), FR_ERROR_MEMORY);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
}

static void rewind_forgets_what_came_after_the_mark(void **state) {
    (void)state;
    fr_arena *arena = make_arena(0, NULL);
    fr_arena_mark empty = fr_arena_get_mark(arena);
    fr_arena_rewind(arena, empty);
    unsigned char *kept = fr_arena_alloc(arena, 100, 1, 1);
    memset(kept, 7, 100);
    fr_arena_mark mark = fr_arena_get_mark(arena);
    size_t used = fr_arena_used(arena);
    unsigned char *first = fr_arena_alloc(arena, 50, 1, 1);
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 100; ++i) {
            memset(fr_arena_alloc(arena, 1000, 1, 64), round, 1000);
        }
        fr_arena_rewind(arena, mark);
        assert_int_equal(fr_arena_used(arena), used);
        assert_ptr_equal(fr_arena_alloc(arena, 50, 1, 1), first);
    }
    for (int i = 0; i < 100; ++i) {
        assert_int_equal(kept[i], 7);
    }
    fr_arena_rewind(arena, empty);
    assert_int_equal(fr_arena_used(arena), 0);
    assert_ptr_equal(fr_arena_alloc(arena, 1, 1, 1), kept);
    fr_arena_destroy(arena);
}

static void destroy_ignores_null(void **state) {
    (void)state;
    fr_arena_destroy(NULL);
}

static size_t cost_of(size_t bytes, size_t align) { return (bytes + 15) / 16 * 16 + (align > 16 ? 48 : 0); }

// A random sequence of allocations and rewinds that never holds more than `most` bytes and comes close to it.
static void fill_randomly(fr_arena *arena, fr_random *random, size_t most) {
    fr_arena_mark marks[8];
    size_t marked = 0;
    for (int i = 0; i < 400; ++i) {
        size_t align = (size_t)1 << fr_random_below(random, 7);
        size_t bytes = (size_t)1 << fr_random_below(random, 16);
        bytes = bytes / 2 + (size_t)fr_random_below(random, bytes) + 1;
        if (fr_arena_used(arena) + cost_of(bytes, align) > most) { continue; }
        size_t used = fr_arena_used(arena);
        unsigned char *piece = fr_arena_alloc(arena, bytes, 1, align);
        assert_non_null(piece);
        piece[0] = piece[bytes - 1] = 1;
        assert_int_equal(fr_arena_used(arena), used + cost_of(bytes, align));
        if (marked < 8 && fr_random_below(random, 20) == 0) { marks[marked++] = fr_arena_get_mark(arena); }
        if (marked > 0 && fr_random_below(random, 40) == 0) { fr_arena_rewind(arena, marks[--marked]); }
    }
    while (fr_arena_used(arena) + 16 <= most) {
        assert_non_null(fr_arena_alloc(arena, 1, 16, 16));
    }
}

static void a_warm_arena_never_calls_the_allocator_and_a_reset_never_allocates(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    for (int round = 0; round < 60; ++round) {
        fr_probe *probe = fr_probe_create();
        fr_arena *arena = make_arena(round % 3 == 0 ? 0 : (size_t)fr_random_below(&random, 20000), probe);
        size_t most = 0;
        for (int step = 0; step < 8; ++step) {
            size_t wanted = 16 * (size_t)fr_random_below(&random, 20000);
            if (wanted > most) {
                fill_randomly(arena, &random, wanted);
                most = wanted;
                uint64_t allocations = fr_probe_get(probe).allocations;
                fr_arena_reset(arena);
                assert_int_equal(fr_probe_get(probe).allocations, allocations);
            }
            fr_probe_counts before = fr_probe_get(probe);
            fill_randomly(arena, &random, most);
            fr_arena_reset(arena);
            fr_probe_counts after = fr_probe_get(probe);
            assert_int_equal(after.allocations + after.frees, before.allocations + before.frees);
        }
        fr_arena_destroy(arena);
        assert_int_equal(fr_probe_get(probe).live_bytes, 0);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        fr_probe_destroy(probe);
    }
}

static void a_need_that_creeps_up_allocates_seldom(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_arena *arena = make_arena(0, probe);
    for (size_t step = 1; step <= 2000; ++step) {
        for (size_t i = 0; i < step; ++i) {
            fr_arena_alloc(arena, 1, 64, 16);
        }
        fr_arena_reset(arena);
    }
    assert_true(fr_probe_get(probe).allocations < 100);
    fr_arena_destroy(arena);
    fr_probe_destroy(probe);
}

static void pieces_stay_where_they_are_while_the_arena_grows(void **state) {
    (void)state;
    fr_random random = fr_random_seed(9);
    fr_arena *arena = make_arena(100, NULL);
    uint32_t *kept[200];
    for (uint32_t i = 0; i < 200; ++i) {
        kept[i] = fr_arena_alloc(arena, 5, sizeof(uint32_t), 4);
        for (int j = 0; j < 5; ++j) {
            kept[i][j] = i;
        }
        fr_arena_mark mark = fr_arena_get_mark(arena);
        size_t bytes = (size_t)fr_random_below(&random, 3000);
        memset(fr_arena_alloc(arena, bytes, 1, 32), 0xFF, bytes);
        fr_arena_rewind(arena, mark);
    }
    for (uint32_t i = 0; i < 200; ++i) {
        for (int j = 0; j < 5; ++j) {
            assert_int_equal(kept[i][j], i);
        }
    }
    fr_arena_destroy(arena);
}

static void every_allocation_failure_is_survived(void **state) {
    (void)state;
    for (int all_after = 0; all_after < 2; ++all_after) {
        for (uint64_t n = 1; n < 12; ++n) {
            fr_probe *probe = fr_probe_create();
            fr_allocator allocator = fr_probe_allocator(probe);
            fr_probe_fail(probe, n, all_after == 1);
            fr_arena *arena = NULL;
            fr_status status = fr_arena_create(100, &allocator, &arena, NULL);
            assert_true((status == FR_OK) == (arena != NULL));
            assert_true(status == FR_OK || (status == FR_ERROR_MEMORY && n <= 2));
            for (int reset = 0; reset < 3 && arena != NULL; ++reset) {
                for (int i = 0; i < 100; ++i) {
                    size_t used = fr_arena_used(arena);
                    unsigned char *piece = fr_arena_alloc(arena, 1000, 1, 8);
                    if (piece == NULL) { assert_int_equal(fr_arena_used(arena), used); }
                    if (piece != NULL) { memset(piece, 1, 1000); }
                }
                fr_arena_reset(arena);
            }
            fr_arena_destroy(arena);
            assert_int_equal(fr_probe_get(probe).live_blocks, 0);
            assert_int_equal(fr_probe_get(probe).live_bytes, 0);
            fr_probe_destroy(probe);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_and_apart),
        cmocka_unit_test(used_counts_by_size_and_alignment_alone),
        cmocka_unit_test(the_first_block_holds_what_was_asked),
        cmocka_unit_test(zero_bytes_give_a_pointer_to_nothing),
        cmocka_unit_test(sizes_that_overflow_give_null),
        cmocka_unit_test(rewind_forgets_what_came_after_the_mark),
        cmocka_unit_test(destroy_ignores_null),
        cmocka_unit_test(a_warm_arena_never_calls_the_allocator_and_a_reset_never_allocates),
        cmocka_unit_test(pieces_stay_where_they_are_while_the_arena_grows),
        cmocka_unit_test(a_need_that_creeps_up_allocates_seldom),
        cmocka_unit_test(every_allocation_failure_is_survived),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}

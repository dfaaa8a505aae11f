#include "base/sanitizer.h"
#include "fureai/base.h"

#include <pthread.h>
#include <stdatomic.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void counts_follow_allocations_and_frees(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    void *a = fr_allocate(&allocator, 10, 1, 1);
    void *b = fr_allocate(&allocator, 5, 4, 64);
    assert_int_equal((uintptr_t)b % 64, 0);
    fr_deallocate(&allocator, a, 10, 1);
    void *c = fr_allocate(&allocator, 1, 3, 1);

    fr_probe_counts counts = fr_probe_get(probe);
    assert_int_equal(counts.allocations, 3);
    assert_int_equal(counts.frees, 1);
    assert_int_equal(counts.refused, 0);
    assert_int_equal(counts.live_blocks, 2);
    assert_int_equal(counts.live_bytes, 23);
    assert_int_equal(counts.peak_bytes, 30);
    fr_deallocate(&allocator, b, 5, 4);
    fr_deallocate(&allocator, c, 1, 3);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    assert_int_equal(fr_probe_get(probe).live_bytes, 0);
    fr_probe_destroy(probe);
    fr_probe_destroy(NULL);
}

// Bit i of the answer: the i-th of eight allocations from now succeeded.
static unsigned which_succeed(const fr_allocator *allocator) {
    unsigned bits = 0;
    for (unsigned i = 0; i < 8; ++i) {
        void *pointer = fr_allocate(allocator, 1, 16, 16);
        if (pointer != NULL) { bits |= 1u << i; }
        fr_deallocate(allocator, pointer, 1, 16);
    }
    return bits;
}

static void the_nth_allocation_fails(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    for (unsigned n = 1; n <= 8; ++n) {
        fr_probe_fail(probe, n, false);
        assert_int_equal(which_succeed(&allocator), 0xFFu & ~(1u << (n - 1)));
        fr_probe_fail(probe, n, true);
        assert_int_equal(which_succeed(&allocator), (1u << (n - 1)) - 1);
    }
    fr_probe_fail(probe, 0, true);
    assert_int_equal(which_succeed(&allocator), 0xFFu);
    fr_probe_fail(probe, UINT64_MAX, true);
    assert_int_equal(which_succeed(&allocator), 0xFFu);
    assert_int_equal(fr_probe_get(probe).refused, 8 + 36);
    fr_probe_destroy(probe);
}

static void the_bound_holds_to_the_byte(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_probe_bound(probe, 100);
    assert_null(fr_allocate(&allocator, 101, 1, 1));
    void *a = fr_allocate(&allocator, 60, 1, 1);
    assert_non_null(a);
    assert_null(fr_allocate(&allocator, 41, 1, 1));
    void *b = fr_allocate(&allocator, 40, 1, 1);
    assert_non_null(b);
    fr_probe_bound(probe, 0);
    assert_null(fr_allocate(&allocator, 1, 1, 1));
    fr_deallocate(&allocator, a, 60, 1);
    fr_deallocate(&allocator, b, 40, 1);
    fr_probe_bound(probe, UINT64_MAX);
    a = fr_allocate(&allocator, 1000, 1, 1);
    assert_non_null(a);
    fr_deallocate(&allocator, a, 1000, 1);
    assert_int_equal(fr_probe_get(probe).refused, 3);
    fr_probe_destroy(probe);
}

static void what_the_heap_refuses_is_not_counted(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    if (!UNDER_SANITIZER) { assert_null(fr_allocate(&allocator, (size_t)PTRDIFF_MAX - 64, 1, 64)); }
    fr_probe_counts counts = fr_probe_get(probe);
    assert_int_equal(counts.allocations + counts.refused + counts.live_bytes + counts.peak_bytes, 0);
    fr_probe_destroy(probe);
}

enum { THREADS = 4, ROUNDS = 4000, BLOCK = 24 };

typedef struct worker {
    fr_allocator allocator;
    fr_probe *probe;
    uint64_t succeeded;
    uint64_t failed;
    bool over_bound;
} worker;

static void *allocate_and_free(void *argument) {
    worker *self = argument;
    for (int i = 0; i < ROUNDS; ++i) {
        void *pointer = fr_allocate(&self->allocator, 1, BLOCK, 8);
        if (fr_probe_get(self->probe).live_bytes > 2 * BLOCK) { self->over_bound = true; }
        if (pointer != NULL) {
            self->succeeded++;
        } else {
            self->failed++;
        }
        fr_deallocate(&self->allocator, pointer, 1, BLOCK);
    }
    return NULL;
}

static void counts_are_exact_under_threads(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fr_probe_bound(probe, 2 * BLOCK);
    pthread_t threads[THREADS];
    worker workers[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        workers[i] = (worker){.allocator = fr_probe_allocator(probe), .probe = probe};
        assert_int_equal(pthread_create(&threads[i], NULL, allocate_and_free, &workers[i]), 0);
    }
    uint64_t succeeded = 0, failed = 0;
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
        succeeded += workers[i].succeeded;
        failed += workers[i].failed;
        assert_false(workers[i].over_bound);
    }
    fr_probe_counts counts = fr_probe_get(probe);
    assert_int_equal(succeeded + failed, THREADS * ROUNDS);
    assert_int_equal(counts.allocations, succeeded);
    assert_int_equal(counts.frees, succeeded);
    assert_int_equal(counts.refused, failed);
    assert_int_equal(counts.live_bytes, 0);
    assert_true(counts.peak_bytes >= BLOCK && counts.peak_bytes <= 2 * BLOCK);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_follow_allocations_and_frees), cmocka_unit_test(the_nth_allocation_fails),
        cmocka_unit_test(the_bound_holds_to_the_byte),         cmocka_unit_test(what_the_heap_refuses_is_not_counted),
        cmocka_unit_test(counts_are_exact_under_threads),
    };
    return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}

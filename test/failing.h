// Memory that runs short, for whatever makes something: the n-th allocation fails (every n up to 200, then a sample),
// and bounds of 10 to 90 % of the bytes that the making holds at its peak.
#ifndef FUREAI_TEST_FAILING_H
#define FUREAI_TEST_FAILING_H

#include "fureai/base.h"

#include "base/allocator.h"

#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

// Makes something with the allocator, uses it and destroys it again. Returns the status of the first call that failed,
// else FR_OK. It may call test_note for what it found, and test_lift where an owner outlives a failed step.
typedef fr_status test_make_fn(const fr_allocator *allocator, void *context);

// What growth may copy beside twice the bytes: arrays of fewer than sixteen elements grow by two where eight are
// refused.
#define TEST_FEW_BYTES 4096u

// What the making in progress has noted of its result, and whether it promises the same after a failure too.
static uint64_t test_noted;
static bool test_is_compared;

// Notes a part of the result: a making that ends well notes the same, under each bound.
static inline void test_note(const void *bytes, size_t size) { test_noted = fr_hash(bytes, size, test_noted); }

static inline void test_note_number(uint64_t number) { test_note(&number, sizeof number); }

// After a step failed: from now on there is memory enough, so the owner must be usable.
static inline void test_lift(const fr_allocator *allocator) {
    fr_probe_fail(allocator->user, 0, false);
    fr_probe_bound(allocator->user, UINT64_MAX);
}

// The same where a step that failed has changed nothing: the making takes it again and notes the same result as one
// without a failure.
static inline void test_lift_and_compare(const fr_allocator *allocator) {
    test_lift(allocator);
    test_is_compared = true;
}

static inline fr_status test_make(test_make_fn *make, void *context, const fr_allocator *allocator) {
    test_noted = 0;
    test_is_compared = false;
    return make(allocator, context);
}

// What a making took: seconds of the processor, bytes that growth copied (fr__copied_bytes), the result that it noted.
typedef struct test_run {
    fr_status status;
    double seconds;
    uint64_t copied, noted;
} test_run;

static inline test_run test_run_once(test_make_fn *make, void *context, const fr_allocator *allocator) {
    uint64_t copied = fr__copied_bytes();
    clock_t since = clock();
    test_run run = {.status = test_make(make, context, allocator)};
    run.seconds = (double)(clock() - since) / CLOCKS_PER_SEC;
    run.copied = fr__copied_bytes() - copied;
    run.noted = test_noted;
    return run;
}

// Runs `make` without a bound, then under bounds of 10, 20, .. 90 % of its peak (30, 60, 90 where a making takes over
// 10 ms, except in a long run). Each ends in FR_OK with the same result, or in FR_ERROR_MEMORY (in any status without
// `is_strict`); gives everything back; copies at most twice as many bytes and TEST_FEW_BYTES; takes at most four times
// as long and 0.25 s.
static inline void test_every_bound(test_make_fn *make, void *context, bool is_strict) {
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    test_run whole = test_run_once(make, context, &allocator);
    assert_int_equal(whole.status, FR_OK);
    uint64_t peak = fr_probe_get(probe).peak_bytes, worst_copied = 0;
    double worst_seconds = 0.0;
    int step = whole.seconds < 0.01 || test_is_long() ? 10 : 30;

    for (int percent = step; percent < 100; percent += step) {
        fr_probe_bound(probe, peak / 100 * (uint64_t)percent);
        test_run run = test_run_once(make, context, &allocator);
        if (run.status != FR_OK && is_strict) { assert_int_equal(run.status, FR_ERROR_MEMORY); }
        if (run.status == FR_OK || test_is_compared) { assert_int_equal(run.noted, whole.noted); }
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        if (run.copied > 2 * whole.copied + TEST_FEW_BYTES || run.seconds > 4.0 * whole.seconds + 0.25) {
            fail_msg("%d %% of %llu bytes: %llu bytes copied and %.3f s, without a bound %llu and %.3f s", percent,
                     (unsigned long long)peak, (unsigned long long)run.copied, run.seconds,
                     (unsigned long long)whole.copied, whole.seconds);
        }
        worst_copied = run.copied > worst_copied ? run.copied : worst_copied;
        worst_seconds = run.seconds > worst_seconds ? run.seconds : worst_seconds;
    }
    print_message("bounds: peak %llu bytes; copied %llu, at most %llu bounded; %.1f ms, at most %.1f bounded\n",
                  (unsigned long long)peak, (unsigned long long)whole.copied, (unsigned long long)worst_copied,
                  1e3 * whole.seconds, 1e3 * worst_seconds);
    fr_probe_destroy(probe);
}

// Calls `make` with each allocation failing in turn, alone and with all after it. Nothing may stay behind, and the
// status must be FR_ERROR_MEMORY, or FR_OK where one failure alone was made up for (an arena asks again for less).
// Then bounds the bytes as test_every_bound does. Returns how many allocations a whole making takes.
static inline uint64_t test_every_failure(test_make_fn *make, void *context) {
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    assert_int_equal(test_make(make, context, &allocator), FR_OK);
    uint64_t count = fr_probe_get(probe).allocations, noted = test_noted;
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);

    for (uint64_t n = 1; n <= count; n += n < 200 ? 1 : 1 + count / 97) {
        for (int all_after = 0; all_after < 2; all_after++) {
            fr_probe_fail(probe, n, all_after == 1);
            fr_status status = test_make(make, context, &allocator);
            if (status != FR_OK || all_after == 1) { assert_int_equal(status, FR_ERROR_MEMORY); }
            if (status == FR_OK || test_is_compared) { assert_int_equal(test_noted, noted); }
            assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        }
    }
    fr_probe_destroy(probe);
    test_every_bound(make, context, true);
    return count;
}

// Each allocation fails in turn, with all after it, whatever the status is then, and so do bounds of the bytes: nothing
// may stay behind.
static inline void test_every_failure_leaves_nothing(test_make_fn *make, void *context) {
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    assert_int_equal(test_make(make, context, &allocator), FR_OK);
    uint64_t count = fr_probe_get(probe).allocations;
    for (uint64_t n = 1; n <= count; n++) {
        fr_probe_fail(probe, n, true);
        (void)test_make(make, context, &allocator);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    }
    fr_probe_destroy(probe);
    test_every_bound(make, context, false);
}

#endif

// Failing the n-th allocation of whatever makes something: every n up to 200, then a sample.
#ifndef FUREAI_TEST_FAILING_H
#define FUREAI_TEST_FAILING_H

#include "fureai/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Makes something with the allocator and, when that succeeds, destroys it again. Returns the making's status.
typedef fr_status test_make_fn(const fr_allocator *allocator, void *context);

// Calls `make` with each allocation failing in turn, alone and with all after it. Nothing may stay behind, and the
// status must be FR_ERROR_MEMORY, or FR_OK where one failure alone was made up for (an arena asks again for less).
// Returns how many allocations a whole making takes.
static inline uint64_t test_every_failure(test_make_fn *make, void *context) {
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    assert_int_equal(make(&allocator, context), FR_OK);
    uint64_t count = fr_probe_get(probe).allocations;
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);

    for (uint64_t n = 1; n <= count; n += n < 200 ? 1 : 1 + count / 97) {
        for (int all_after = 0; all_after < 2; all_after++) {
            fr_probe_fail(probe, n, all_after == 1);
            fr_status status = make(&allocator, context);
            if (status != FR_OK || all_after == 1) { assert_int_equal(status, FR_ERROR_MEMORY); }
            assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        }
    }
    fr_probe_destroy(probe);
    return count;
}

// Each allocation fails in turn, with all after it, whatever the status is then: nothing may stay behind.
static inline void test_every_failure_leaves_nothing(test_make_fn *make, void *context) {
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    assert_int_equal(make(&allocator, context), FR_OK);
    uint64_t count = fr_probe_get(probe).allocations;
    for (uint64_t n = 1; n <= count; n++) {
        fr_probe_fail(probe, n, true);
        (void)make(&allocator, context);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    }
    fr_probe_destroy(probe);
}

#endif

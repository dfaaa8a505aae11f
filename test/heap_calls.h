// Counts all calls of the C library's heap in a test program: those of the library's own functions (qsort, strdup) too,
// which no allocator of ours can see. Include it in one source file of the program.
#ifndef FUREAI_TEST_HEAP_CALLS_H
#define FUREAI_TEST_HEAP_CALLS_H

#include "fureai/base.h"

#include "frame.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// Whether calls are counted: glibc lets a program replace its heap; under a sanitizer that heap is the sanitizer's.
#if defined(__GLIBC__) && TEST_SAMPLE_DIVISOR == 1
#define TEST_COUNTS_HEAP_CALLS 1

static atomic_uint_fast64_t test_heap_count;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);

FR_API void *malloc(size_t size) {
    atomic_fetch_add_explicit(&test_heap_count, 1, memory_order_relaxed);
    return __libc_malloc(size);
}

FR_API void *calloc(size_t count, size_t size) {
    atomic_fetch_add_explicit(&test_heap_count, 1, memory_order_relaxed);
    return __libc_calloc(count, size);
}

FR_API void *realloc(void *block, size_t size) {
    atomic_fetch_add_explicit(&test_heap_count, 1, memory_order_relaxed);
    return __libc_realloc(block, size);
}

FR_API void *aligned_alloc(size_t align, size_t size) {
    atomic_fetch_add_explicit(&test_heap_count, 1, memory_order_relaxed);
    return __libc_memalign(align, size);
}

FR_API int posix_memalign(void **out, size_t align, size_t size) {
    atomic_fetch_add_explicit(&test_heap_count, 1, memory_order_relaxed);
    *out = __libc_memalign(align, size);
    return *out != NULL ? 0 : ENOMEM;
}

static inline uint64_t test_heap_calls(void) { return atomic_load(&test_heap_count); }
#else
#define TEST_COUNTS_HEAP_CALLS 0
static inline uint64_t test_heap_calls(void) { return 0; }
#endif

// A number that grows with every allocation: through the probe, or of the heap itself. A warm step leaves it as it is.
static inline uint64_t test_allocations(const fr_probe *probe) {
    return fr_probe_get(probe).allocations + test_heap_calls();
}

#endif

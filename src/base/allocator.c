// Allocators: the process default, raw memory taken from and returned to one, and what growth copied.
#include "base/allocator.h"

#include <stdatomic.h>
#include <stdlib.h>

static void *heap_alloc(size_t size, size_t align, void *user) {
    (void)user;
    if (align <= _Alignof(max_align_t)) { return malloc(size); }

    // aligned_alloc wants a size that is a multiple of the alignment.
    if (size > SIZE_MAX - (align - 1)) { return NULL; }
    return aligned_alloc(align, (size + align - 1) & ~(align - 1));
}

static void heap_free(void *pointer, size_t size, void *user) {
    (void)size;
    (void)user;
    free(pointer);
}

_Alignas(64) unsigned char fr__nothing[64];

static fr_allocator process_default = {heap_alloc, heap_free, NULL};

fr_allocator fr__heap_allocator(void) { return (fr_allocator){heap_alloc, heap_free, NULL}; }

fr_allocator fr_default_allocator(void) { return process_default; }

void fr_set_default_allocator(fr_allocator allocator) {
    FR_ASSERT((allocator.alloc == NULL) == (allocator.free == NULL));
    process_default = allocator.alloc != NULL ? allocator : fr__heap_allocator();
}

fr_allocator fr_allocator_or_default(const fr_allocator *allocator) {
    if (allocator == NULL || allocator->alloc == NULL) { return process_default; }
    FR_ASSERT(allocator->free != NULL);
    return *allocator;
}

void *fr_allocate(const fr_allocator *allocator, size_t count, size_t size, size_t align) {
    FR_ASSERT(align != 0 && (align & (align - 1)) == 0);

    // Over PTRDIFF_MAX the difference of two pointers into the block would overflow.
    if (count == 0 || size == 0 || count > (size_t)PTRDIFF_MAX / size) { return NULL; }
    fr_allocator from = fr_allocator_or_default(allocator);
    return from.alloc(count * size, align, from.user);
}

void fr_deallocate(const fr_allocator *allocator, void *pointer, size_t count, size_t size) {
    if (pointer == NULL) { return; }
    fr_allocator from = fr_allocator_or_default(allocator);
    from.free(pointer, count * size, from.user);
}

static _Atomic uint64_t copied;

uint64_t fr__copied_bytes(void) { return atomic_load_explicit(&copied, memory_order_relaxed); }

void fr__copied_add(size_t bytes) { atomic_fetch_add_explicit(&copied, bytes, memory_order_relaxed); }

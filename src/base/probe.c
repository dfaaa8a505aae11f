// An allocator that counts, bounds and fails on request.
#include "base/allocator.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Counters are relaxed atomics: exact, and without an order between threads that would hide a race of the code under
// test from a race detector.
struct fr_probe {
    _Atomic uint64_t calls; // attempts, failed ones included: what `fail_first` and `fail_last` count
    _Atomic uint64_t allocations;
    _Atomic uint64_t frees;
    _Atomic uint64_t refused;
    _Atomic uint64_t live_bytes;
    _Atomic uint64_t peak_bytes;
    _Atomic uint64_t fail_first; // attempts fail_first .. fail_last fail; none when the first is after the last
    _Atomic uint64_t fail_last;
    _Atomic uint64_t bound_bytes;
    fr_allocator heap;
};

static uint64_t get(const _Atomic uint64_t *counter) { return atomic_load_explicit(counter, memory_order_relaxed); }

static void set(_Atomic uint64_t *counter, uint64_t value) {
    atomic_store_explicit(counter, value, memory_order_relaxed);
}

static uint64_t add(_Atomic uint64_t *counter, uint64_t amount) {
    return atomic_fetch_add_explicit(counter, amount, memory_order_relaxed) + amount;
}

// Takes `size` bytes out of the bound. Compare-and-swap: two threads can never take the same last bytes.
static bool take_bytes(fr_probe *probe, uint64_t size, uint64_t *live_after) {
    uint64_t live = get(&probe->live_bytes);
    do {
        uint64_t bound = get(&probe->bound_bytes);
        if (live > bound || size > bound - live) { return false; }
    } while (!atomic_compare_exchange_weak_explicit(&probe->live_bytes, &live, live + size, memory_order_relaxed,
                                                    memory_order_relaxed));
    *live_after = live + size;
    return true;
}

static void raise_peak(fr_probe *probe, uint64_t live) {
    uint64_t peak = get(&probe->peak_bytes);
    while (peak < live && !atomic_compare_exchange_weak_explicit(&probe->peak_bytes, &peak, live, memory_order_relaxed,
                                                                 memory_order_relaxed)) {}
}

static void *probe_alloc(size_t size, size_t align, void *user) {
    fr_probe *probe = user;
    uint64_t call = add(&probe->calls, 1), live = 0;
    bool fails = get(&probe->fail_first) <= call && call <= get(&probe->fail_last);
    if (fails || !take_bytes(probe, size, &live)) {
        add(&probe->refused, 1);
        return NULL;
    }

    void *pointer = probe->heap.alloc(size, align, probe->heap.user);
    if (pointer == NULL) {
        atomic_fetch_sub_explicit(&probe->live_bytes, size, memory_order_relaxed);
        return NULL;
    }
    add(&probe->allocations, 1);
    raise_peak(probe, live);
    return pointer;
}

static void probe_free(void *pointer, size_t size, void *user) {
    fr_probe *probe = user;
    atomic_fetch_sub_explicit(&probe->live_bytes, size, memory_order_relaxed);
    add(&probe->frees, 1);
    probe->heap.free(pointer, size, probe->heap.user);
}

fr_probe *fr_probe_create(void) {
    // Not from the process default, which may be a probe itself.
    fr_probe *probe = malloc(sizeof *probe);
    if (probe == NULL) { return NULL; }
    memset(probe, 0, sizeof *probe);
    probe->heap = fr__heap_allocator();
    fr_probe_fail(probe, 0, false);
    fr_probe_bound(probe, UINT64_MAX);
    return probe;
}

void fr_probe_destroy(fr_probe *probe) { free(probe); }

fr_allocator fr_probe_allocator(fr_probe *probe) { return (fr_allocator){probe_alloc, probe_free, probe}; }

fr_probe_counts fr_probe_get(const fr_probe *probe) {
    uint64_t frees = get(&probe->frees);
    uint64_t allocations = get(&probe->allocations);
    return (fr_probe_counts){
        .allocations = allocations,
        .frees = frees,
        .refused = get(&probe->refused),
        .live_blocks = allocations - frees,
        .live_bytes = get(&probe->live_bytes),
        .peak_bytes = get(&probe->peak_bytes),
    };
}

void fr_probe_fail(fr_probe *probe, uint64_t n, bool is_lasting) {
    uint64_t calls = get(&probe->calls);
    bool never = n == 0 || n > UINT64_MAX - calls;
    set(&probe->fail_first, never ? UINT64_MAX : calls + n);
    set(&probe->fail_last, never ? 0 : (is_lasting ? UINT64_MAX : calls + n));
}

void fr_probe_bound(fr_probe *probe, uint64_t bytes) { set(&probe->bound_bytes, bytes); }

// The budget of memory of one reading.
#include "budget.h"

static void *budget_alloc(size_t size, size_t align, void *user) {
    fr__budget *budget = user;
    if (!budget->is_open) { return budget->inner.alloc(size, align, budget->inner.user); }
    if (size > fr__budget_left(budget)) {
        budget->has_refused = true;
        return NULL;
    }
    void *pointer = budget->inner.alloc(size, align, budget->inner.user);
    if (pointer != NULL) { budget->held_bytes += size; }
    return pointer;
}

static void budget_free(void *pointer, size_t size, void *user) {
    fr__budget *budget = user;
    if (budget->is_open) { budget->held_bytes -= size; }
    budget->inner.free(pointer, size, budget->inner.user);
}

fr__budget *fr__budget_create(const fr_model_limits *limits, const fr_allocator *inner) {
    fr__budget *budget = fr_allocate(inner, 1, sizeof *budget, _Alignof(fr__budget));
    if (budget == NULL) { return NULL; }
    *budget = (fr__budget){.inner = fr_allocator_or_default(inner),
                           .bound_bytes = limits->memory,
                           .bytes_a_byte = limits->memory_a_byte,
                           .is_open = true};
    return budget;
}

void fr__budget_destroy(fr__budget *budget) {
    if (budget == NULL) { return; }
    fr_allocator inner = budget->inner;
    fr_deallocate(&inner, budget, 1, sizeof *budget);
}

fr_allocator fr__budget_allocator(fr__budget *budget) { return (fr_allocator){budget_alloc, budget_free, budget}; }

void fr__budget_add_file(fr__budget *budget, uint64_t size) {
    uint64_t room = UINT64_MAX - budget->bound_bytes;
    bool is_bounded = size == 0 || budget->bytes_a_byte <= room / size;
    budget->bound_bytes = is_bounded ? budget->bound_bytes + size * budget->bytes_a_byte : UINT64_MAX;
}

void fr__budget_close(fr__budget *budget) { budget->is_open = false; }

// Three slots: the writer owns one, the reader owns one, and the third lies between them. Publishing and reading swap
// one's own slot with the one between by a single atomic exchange, so neither ever waits and no slot has two owners.
#include "fureai/base.h"

#include <stdatomic.h>
#include <string.h>

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "the exchange must be lock-free");

#define SLOT_ALIGN 64
#define SLOT_MASK 3u
#define SLOT_IS_NEW 4u // the slot between was published and not read yet
#define MOST_SLOT_BYTES ((size_t)1 << 30)

// Writer, reader and the exchange each have a cache line of their own.
struct fr_triple_buffer {
    _Alignas(SLOT_ALIGN) atomic_uint between;
    _Alignas(SLOT_ALIGN) unsigned write_slot;
    _Alignas(SLOT_ALIGN) unsigned read_slot;
    _Alignas(SLOT_ALIGN) size_t stride;
    size_t total_bytes;
    fr_allocator allocator;
};

static void *slot_at(fr_triple_buffer *buffer, unsigned slot) {
    return (unsigned char *)(buffer + 1) + slot * buffer->stride;
}

fr_status fr_triple_buffer_create(size_t slot_bytes, const fr_allocator *allocator, fr_triple_buffer **out,
                                  fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    if (slot_bytes < 1 || slot_bytes > MOST_SLOT_BYTES) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a slot has 1 byte to 1 GiB");
    }

    size_t stride = (slot_bytes + SLOT_ALIGN - 1) & ~(size_t)(SLOT_ALIGN - 1);
    size_t total_bytes = sizeof(fr_triple_buffer) + 3 * stride;
    fr_allocator from = fr_allocator_or_default(allocator);
    fr_triple_buffer *buffer = fr_allocate(&from, 1, total_bytes, SLOT_ALIGN);
    if (buffer == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a triple buffer"); }

    memset(buffer, 0, total_bytes);
    buffer->write_slot = 0;
    atomic_init(&buffer->between, 1u);
    buffer->read_slot = 2;
    buffer->stride = stride;
    buffer->total_bytes = total_bytes;
    buffer->allocator = from;
    *out = buffer;
    return FR_OK;
}

void fr_triple_buffer_destroy(fr_triple_buffer *buffer) {
    if (buffer == NULL) { return; }
    fr_allocator from = buffer->allocator;
    fr_deallocate(&from, buffer, 1, buffer->total_bytes);
}

void *fr_triple_buffer_write(fr_triple_buffer *buffer) { return slot_at(buffer, buffer->write_slot); }

void fr_triple_buffer_publish(fr_triple_buffer *buffer) {
    // Release: what was written is seen by who gets the slot. Acquire: the reader is done with the slot that comes
    // back.
    unsigned old = atomic_exchange_explicit(&buffer->between, buffer->write_slot | SLOT_IS_NEW, memory_order_acq_rel);
    buffer->write_slot = old & SLOT_MASK;
}

const void *fr_triple_buffer_read(fr_triple_buffer *buffer, bool *is_new) {
    // Only the reader clears the mark, so it cannot vanish between the look and the exchange.
    bool fresh = (atomic_load_explicit(&buffer->between, memory_order_relaxed) & SLOT_IS_NEW) != 0;
    if (fresh) {
        unsigned old = atomic_exchange_explicit(&buffer->between, buffer->read_slot, memory_order_acq_rel);
        buffer->read_slot = old & SLOT_MASK;
    }
    if (is_new != NULL) { *is_new = fresh; }
    return slot_at(buffer, buffer->read_slot);
}

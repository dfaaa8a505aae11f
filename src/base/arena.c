// An arena is a chain of blocks, each larger than the one before. Pieces are taken from the current block; what lies
// after it in the chain is spare, left by a rewind. A reset keeps the last block and gives the others back.
//
// Why a warm arena never asks for memory, and a reset neither. First, a piece costs a number of bytes that depends on
// its size and alignment alone, never on where the piece before it ended; so what pieces cost together does not depend
// on their order. Second, of each block only as much is used as is left of its capacity after what all blocks before it
// hold; so a block could always hold alone all that is held when it is the current one. Together: the last block,
// alone, fits every sequence that holds no more at once than was ever held.
#include "base/allocator.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif

// Under AddressSanitizer, bytes that are not handed out are forbidden, so that a use after a reset is caught.
#ifdef HAS_ADDRESS_SANITIZER
void __asan_poison_memory_region(void const volatile *pointer, size_t bytes);
void __asan_unpoison_memory_region(void const volatile *pointer, size_t bytes);
#define FORBID(pointer, bytes) __asan_poison_memory_region(pointer, bytes)
#define ALLOW(pointer, bytes) __asan_unpoison_memory_region(pointer, bytes)
#else
#define FORBID(pointer, bytes) ((void)(pointer), (void)(bytes))
#define ALLOW(pointer, bytes) ((void)(pointer), (void)(bytes))
#endif

#define BLOCK_ALIGN 64
#define PIECE_ALIGN 16
#define LEAST_BLOCK_BYTES 4096

typedef struct arena_block arena_block;

struct arena_block {
    _Alignas(BLOCK_ALIGN) arena_block *next;
    size_t capacity;    // bytes after this head
    size_t used_before; // bytes held in the blocks before it
    size_t used;        // bytes held here; used_before + used <= capacity
};

struct fr_arena {
    arena_block *first;
    arena_block *current; // NULL only while there is no block
    fr_allocator allocator;
};

static unsigned char *block_bytes(arena_block *block) { return (unsigned char *)(block + 1); }

static arena_block *block_create(const fr_arena *arena, size_t capacity) {
    if (capacity > (size_t)PTRDIFF_MAX - sizeof(arena_block)) { return NULL; }
    arena_block *block = fr_allocate(&arena->allocator, 1, sizeof *block + capacity, BLOCK_ALIGN);
    if (block == NULL) { return NULL; }
    *block = (arena_block){.capacity = capacity};
    FORBID(block_bytes(block), capacity);
    return block;
}

static void block_destroy(const fr_arena *arena, arena_block *block) {
    ALLOW(block_bytes(block), block->capacity);
    fr_deallocate(&arena->allocator, block, 1, sizeof *block + block->capacity);
}

// Rounds up to a whole number of the smallest pieces; false on overflow.
static bool round_up(size_t bytes, size_t *rounded) {
    if (bytes > (size_t)PTRDIFF_MAX - (PIECE_ALIGN - 1)) { return false; }
    *rounded = (bytes + PIECE_ALIGN - 1) & ~(size_t)(PIECE_ALIGN - 1);
    return true;
}

fr_status fr_arena_create(size_t first_bytes, const fr_allocator *allocator, fr_arena **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;

    fr_allocator from = fr_allocator_or_default(allocator);
    fr_arena *arena = fr_allocate(&from, 1, sizeof *arena, _Alignof(fr_arena));
    if (arena == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an arena"); }
    *arena = (fr_arena){.allocator = from};

    if (first_bytes > 0) {
        size_t capacity;
        if (round_up(first_bytes, &capacity)) { arena->first = block_create(arena, capacity); }
        if (arena->first == NULL) {
            fr_arena_destroy(arena);
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an arena");
        }
        arena->current = arena->first;
    }
    *out = arena;
    return FR_OK;
}

void fr_arena_destroy(fr_arena *arena) {
    if (arena == NULL) { return; }
    while (arena->first != NULL) {
        arena_block *first = arena->first;
        arena->first = first->next;
        block_destroy(arena, first);
    }
    fr_allocator from = arena->allocator;
    fr_deallocate(&from, arena, 1, sizeof *arena);
}

// A block that holds `needed` bytes or twice as many, so that a need that creeps up brings few blocks.
static arena_block *create_for(const fr_arena *arena, size_t needed) {
    size_t roomy = needed <= (size_t)PTRDIFF_MAX / 2 ? needed * 2 : needed;
    arena_block *block = block_create(arena, roomy > LEAST_BLOCK_BYTES ? roomy : LEAST_BLOCK_BYTES);
    return block != NULL ? block : block_create(arena, needed);
}

// Goes on to a block that holds `cost` bytes beside all that is held: a spare one, else a new one. False, with nothing
// changed, without memory.
static bool next_block(fr_arena *arena, size_t cost) {
    arena_block *current = arena->current;
    size_t used_before = fr_arena_used(arena);
    if (cost > (size_t)PTRDIFF_MAX - used_before) { return false; }
    size_t needed = used_before + cost;

    arena_block **link = current != NULL ? &current->next : &arena->first;
    arena_block *block = *link;
    while (block != NULL && block->capacity < needed) {
        block = block->next;
    }
    if (block == NULL) {
        block = create_for(arena, needed);
        if (block == NULL) { return false; }
    }

    // Spare blocks that have become too small leave the chain.
    while (*link != NULL && *link != block) {
        arena_block *small = *link;
        *link = small->next;
        block_destroy(arena, small);
    }
    *link = block;
    block->used_before = used_before;
    block->used = 0;
    arena->current = block;
    return true;
}

void *fr_arena_alloc(fr_arena *arena, size_t count, size_t size, size_t align) {
    FR_ASSERT(align != 0 && (align & (align - 1)) == 0 && align <= BLOCK_ALIGN);
    if (count == 0 || size == 0) { return fr__nothing; }

    // The cost holds the padding of the worst place, wherever the piece comes to lie.
    size_t cost;
    if (count > SIZE_MAX / size || !round_up(count * size, &cost)) { return NULL; }
    if (align > PIECE_ALIGN) { cost += BLOCK_ALIGN - PIECE_ALIGN; }

    arena_block *block = arena->current;
    if (block == NULL || cost > block->capacity - block->used_before - block->used) {
        if (!next_block(arena, cost)) { return NULL; }
        block = arena->current;
    }
    size_t begin = (block->used + align - 1) & ~(align - 1);
    block->used += cost;

    unsigned char *piece = block_bytes(block) + begin;
    ALLOW(piece, count * size);
    return piece;
}

// Goes back to `used` bytes of a block; the blocks after it become spare.
static void go_back(fr_arena *arena, arena_block *block, size_t used) {
    arena->current = block;
    block->used = used;
    FORBID(block_bytes(block) + used, block->capacity - used);
    for (arena_block *spare = block->next; spare != NULL; spare = spare->next) {
        FORBID(block_bytes(spare), spare->capacity);
    }
}

void fr_arena_reset(fr_arena *arena) {
    if (arena->first == NULL) { return; }
    while (arena->first->next != NULL) {
        arena_block *first = arena->first;
        arena->first = first->next;
        block_destroy(arena, first);
    }
    arena->first->used_before = 0;
    go_back(arena, arena->first, 0);
}

fr_arena_mark fr_arena_get_mark(const fr_arena *arena) {
    arena_block *block = arena->current;
    return (fr_arena_mark){block, block != NULL ? block->used : 0};
}

void fr_arena_rewind(fr_arena *arena, fr_arena_mark mark) {
    // A mark of an arena that had no block yet goes back to the beginning.
    arena_block *block = mark.block != NULL ? mark.block : arena->first;
    if (block == NULL) { return; }
    FR_ASSERT(mark.used <= block->used);
    go_back(arena, block, mark.used);
}

size_t fr_arena_used(const fr_arena *arena) {
    const arena_block *block = arena->current;
    return block != NULL ? block->used_before + block->used : 0;
}

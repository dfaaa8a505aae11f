// Snapshots and their pool.
#include "world/snapshot.h"

#include <string.h>

#define BLOCK_ALIGN 64

struct fr__snapshot_pool {
    fr_allocator allocator;
    atomic_size_t users;            // the world, and every block in use
    _Atomic(fr__snapshot *) homing; // returned since the world last looked
    fr__snapshot *idle;             // the free blocks, with the pool's present room; used by the world alone
    fr__snapshot_room room;         // of the blocks that are made now
    size_t made;                    // blocks with that room, in use or free
};

// ---------------------------------------------------------------------------------------------------------------
// Blocks

static size_t rounded(size_t bytes) { return (bytes + (BLOCK_ALIGN - 1)) & ~(size_t)(BLOCK_ALIGN - 1); }

static bool same_room(const fr__snapshot_room *a, const fr__snapshot_room *b) { return memcmp(a, b, sizeof *a) == 0; }

bool fr__snapshot_holds(const fr__snapshot *snapshot, const fr__snapshot_room *needed) {
    const fr__snapshot_room *room = &snapshot->room;
    return needed->pairs <= room->pairs && needed->contacts <= room->contacts && needed->touches <= room->touches &&
           needed->face_touches <= room->face_touches && needed->events <= room->events &&
           needed->step_pairs <= room->step_pairs && needed->step_contacts <= room->step_contacts &&
           needed->step_intervals <= room->step_intervals;
}

// Takes a piece for `count` elements of `size` bytes off a block; `at` is the beginning of the next piece.
static size_t piece(size_t *at, size_t count, size_t size) {
    size_t begin = *at;
    *at += rounded(count * size);
    return begin;
}

// A block of the pool's room, or NULL. The counts cannot overflow: their elements are in memory already.
static fr__snapshot *make_block(const fr__snapshot_pool *pool) {
    const fr__snapshot_room *room = &pool->room;
    size_t bytes = rounded(sizeof(fr__snapshot));
    size_t objects = piece(&bytes, room->objects, sizeof(fr_snapshot_object));
    size_t bones = piece(&bytes, room->bones, sizeof(fr_pose));
    size_t pairs = piece(&bytes, room->pairs, sizeof(fr_face_pair));
    size_t contacts = piece(&bytes, room->contacts, sizeof(fr_contact));
    size_t touches = piece(&bytes, room->touches, sizeof(fr_touch));
    size_t face_touches = piece(&bytes, room->face_touches, sizeof(fr_face_touch));
    size_t events = piece(&bytes, room->events, sizeof(fr_event));
    size_t step_pairs = piece(&bytes, room->step_pairs, sizeof(fr_face_pair));
    size_t step_contacts = piece(&bytes, room->step_contacts, sizeof(fr_contact));
    size_t step_intervals = piece(&bytes, room->step_intervals, sizeof(fr_touch_interval));
    unsigned char *memory = fr_allocate(&pool->allocator, bytes, 1, BLOCK_ALIGN);
    if (memory == NULL) { return NULL; }
    fr__snapshot *block = (fr__snapshot *)(void *)memory;
    memset(block, 0, sizeof *block);
    block->room = *room;
    block->bytes = bytes;
    block->objects = (fr_snapshot_object *)(void *)(memory + objects);
    block->bones = (fr_pose *)(void *)(memory + bones);
    block->pairs = (fr_face_pair *)(void *)(memory + pairs);
    block->contacts = (fr_contact *)(void *)(memory + contacts);
    block->touches = (fr_touch *)(void *)(memory + touches);
    block->face_touches = (fr_face_touch *)(void *)(memory + face_touches);
    block->events = (fr_event *)(void *)(memory + events);
    block->step_pairs = (fr_face_pair *)(void *)(memory + step_pairs);
    block->step_contacts = (fr_contact *)(void *)(memory + step_contacts);
    block->step_intervals = (fr_touch_interval *)(void *)(memory + step_intervals);
    return block;
}

static void free_blocks(const fr__snapshot_pool *pool, fr__snapshot *block) {
    while (block != NULL) {
        fr__snapshot *next = block->next;
        fr_deallocate(&pool->allocator, block, block->bytes, 1);
        block = next;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The pool

fr__snapshot_pool *fr__snapshot_pool_create(const fr_allocator *allocator) {
    fr_allocator kept = fr_allocator_or_default(allocator);
    fr__snapshot_pool *pool = fr_allocate(&kept, 1, sizeof *pool, _Alignof(fr__snapshot_pool));
    if (pool == NULL) { return NULL; }
    memset(pool, 0, sizeof *pool);
    pool->allocator = kept;
    atomic_init(&pool->users, 1);
    atomic_init(&pool->homing, NULL);
    return pool;
}

// The last user frees the pool and its free blocks.
static void leave(fr__snapshot_pool *pool) {
    if (atomic_fetch_sub_explicit(&pool->users, 1, memory_order_acq_rel) != 1) { return; }
    free_blocks(pool, atomic_load_explicit(&pool->homing, memory_order_acquire));
    free_blocks(pool, pool->idle);
    fr_allocator allocator = pool->allocator;
    fr_deallocate(&allocator, pool, 1, sizeof *pool);
}

void fr__snapshot_pool_leave(fr__snapshot_pool *pool) {
    if (pool != NULL) { leave(pool); }
}

// Collects the blocks that returned; blocks with less room than the pool's are freed.
static void gather(fr__snapshot_pool *pool) {
    fr__snapshot *block = atomic_exchange_explicit(&pool->homing, NULL, memory_order_acquire);
    while (block != NULL) {
        fr__snapshot *next = block->next;
        if (same_room(&block->room, &pool->room)) {
            block->next = pool->idle;
            pool->idle = block;
        } else {
            block->next = NULL;
            free_blocks(pool, block);
        }
        block = next;
    }
}

static size_t grown(size_t room, size_t needed) {
    if (needed <= room) { return room; }
    size_t roomy = room + room / 2 + 8;
    return roomy > needed ? roomy : needed;
}

// Changes to larger blocks. One is made now; a tick that finds too few makes more.
static bool grow(fr__snapshot_pool *pool, const fr__snapshot_room *needed) {
    fr__snapshot_room before = pool->room;
    fr__snapshot_room *room = &pool->room;
    room->objects = grown(room->objects, needed->objects);
    room->bones = grown(room->bones, needed->bones);
    room->pairs = grown(room->pairs, needed->pairs);
    room->contacts = grown(room->contacts, needed->contacts);
    room->touches = grown(room->touches, needed->touches);
    room->face_touches = grown(room->face_touches, needed->face_touches);
    room->events = grown(room->events, needed->events);
    room->step_pairs = grown(room->step_pairs, needed->step_pairs);
    room->step_contacts = grown(room->step_contacts, needed->step_contacts);
    room->step_intervals = grown(room->step_intervals, needed->step_intervals);
    if (pool->made > 0 && same_room(&before, room)) { return true; }

    fr__snapshot *first = make_block(pool);
    if (first == NULL) {
        pool->room = before;
        return false;
    }
    free_blocks(pool, pool->idle);
    pool->idle = first;
    size_t wanted = pool->made > 2 ? pool->made : 2;
    for (pool->made = 1; pool->made < wanted; pool->made++) {
        fr__snapshot *block = make_block(pool);
        if (block == NULL) { break; }
        block->next = pool->idle;
        pool->idle = block;
    }
    return true;
}

fr__snapshot *fr__snapshot_take(fr__snapshot_pool *pool, const fr__snapshot_room *needed) {
    gather(pool);
    if (!grow(pool, needed)) { return NULL; }
    if (pool->idle == NULL) {
        pool->idle = make_block(pool);
        if (pool->idle == NULL) { return NULL; }
        pool->made++;
    }
    fr__snapshot *block = pool->idle;
    pool->idle = block->next;
    block->next = NULL;
    block->pool = pool;
    memset(&block->view, 0, sizeof block->view);
    atomic_init(&block->users, 1);
    atomic_fetch_add_explicit(&pool->users, 1, memory_order_relaxed);
    return block;
}

// ---------------------------------------------------------------------------------------------------------------
// Users

void fr__snapshot_retain(fr__snapshot *snapshot) {
    atomic_fetch_add_explicit(&snapshot->users, 1, memory_order_relaxed);
}

void fr_snapshot_release(const fr_snapshot *snapshot) {
    if (snapshot == NULL) { return; }
    // Every snapshot is the beginning of a block of the pool; only its content is constant.
    fr__snapshot *block = (fr__snapshot *)(uintptr_t)snapshot;
    if (atomic_fetch_sub_explicit(&block->users, 1, memory_order_acq_rel) != 1) { return; }
    fr__snapshot_pool *pool = block->pool;
    fr__snapshot *head = atomic_load_explicit(&pool->homing, memory_order_relaxed);
    do {
        block->next = head;
    } while (!atomic_compare_exchange_weak_explicit(&pool->homing, &head, block, memory_order_release,
                                                    memory_order_relaxed));
    leave(pool);
}

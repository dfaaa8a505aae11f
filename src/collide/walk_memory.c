// The memory of walks: one block a worker, in which it walks either way, at an instant or over a slice.
#include "collide/walk_memory.h"

typedef struct swept_room {
    fr__swept_memory memory;
    fr__swept_candidate waiting[FR__BATCH];
} swept_room;

_Static_assert(sizeof(swept_room) <= FR__FACE_WALK_BYTES, "one block serves both walks");

bool fr__walk_memory_provide(fr__run *run) {
    fr_collide *collide = run->scratch;
    fr_collide_method method = run->query.input->method;
    bool is_tree = method == FR_COLLIDE_AUTO || method == FR_COLLIDE_TREE;
    for (int w = 0; is_tree && w < run->plan.worker_count; w++) {
        fr__worker *worker = &collide->workers[w];
        if (worker->walk_memory != NULL) { continue; }
        worker->walk_memory = fr_allocate(&collide->allocator, 1, FR__FACE_WALK_BYTES, FR__WALK_ALIGN);
        if (worker->walk_memory == NULL) { return false; }
    }
    return true;
}

void fr__walk_memory_free(fr_collide *collide) {
    for (int w = 0; w < FR_MAX_WORKERS; w++) {
        fr_deallocate(&collide->allocator, collide->workers[w].walk_memory, 1, FR__FACE_WALK_BYTES);
        collide->workers[w].walk_memory = NULL;
    }
}

void fr__walk_memory_use(fr__swept_walk *walk, const fr__worker *worker) {
    swept_room *room = worker->walk_memory;
    walk->memory = &room->memory;
    walk->waiting = room->waiting;
}

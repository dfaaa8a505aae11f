// Placements to be taken back and done again: a ring of fixed size and a place in it.
#include "fureai/hand.h"

#include <string.h>

struct fr_undo {
    fr_allocator allocator;
    fr_placement *ring;
    uint32_t capacity;
    uint32_t first; // of the oldest
    uint32_t count; // that are remembered
    uint32_t done;  // of these stand; the rest were taken back
};

fr_status fr_undo_create(uint32_t capacity, const fr_allocator *allocator, fr_undo **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    if (capacity == 0 || capacity > FR_UNDO_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a history of placements holds 1 to 2^20 of them");
    }
    fr_allocator from = fr_allocator_or_default(allocator);
    fr_undo *undo = fr_allocate(&from, 1, sizeof *undo, _Alignof(fr_undo));
    fr_placement *ring = fr_allocate(&from, capacity, sizeof *ring, _Alignof(fr_placement));
    if (undo == NULL || ring == NULL) {
        fr_deallocate(&from, ring, capacity, sizeof *ring);
        fr_deallocate(&from, undo, 1, sizeof *undo);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a history of placements");
    }
    *undo = (fr_undo){.allocator = from, .ring = ring, .capacity = capacity};
    *out = undo;
    return FR_OK;
}

void fr_undo_destroy(fr_undo *undo) {
    if (undo == NULL) { return; }
    fr_allocator allocator = undo->allocator;
    fr_deallocate(&allocator, undo->ring, undo->capacity, sizeof *undo->ring);
    fr_deallocate(&allocator, undo, 1, sizeof *undo);
}

static fr_placement *at(const fr_undo *undo, uint32_t index) {
    return &undo->ring[(undo->first + index) % undo->capacity];
}

static bool is_equal(const fr_pose *a, const fr_pose *b) {
    const fr_quat *p = &a->rotation, *q = &b->rotation;
    return fr_vec3_equal(a->position, b->position) && a->scale == b->scale && p->w == q->w && p->x == q->x &&
           p->y == q->y && p->z == q->z;
}

fr_status fr_undo_remember(fr_undo *undo, const fr_placement *placement, fr_error *error) {
    FR_ASSERT(undo != NULL && placement != NULL);
    fr_placement checked = *placement;
    fr_status status = fr_pose_check(&checked.before, error);
    if (status == FR_OK) { status = fr_pose_check(&checked.after, error); }
    if (status != FR_OK || is_equal(&placement->before, &placement->after)) { return status; }

    undo->count = undo->done;
    if (undo->count == undo->capacity) {
        undo->first = (undo->first + 1) % undo->capacity;
        undo->count--;
    }
    *at(undo, undo->count++) = *placement;
    undo->done = undo->count;
    return FR_OK;
}

static void forget(fr_undo *undo, uint32_t index) {
    for (uint32_t i = index; i + 1 < undo->count; i++) {
        *at(undo, i) = *at(undo, i + 1);
    }
    undo->count--;
    if (index < undo->done) { undo->done--; }
}

bool fr_undo_back(fr_undo *undo, const fr_space *space, fr_placement *out) {
    FR_ASSERT(undo != NULL && space != NULL && out != NULL);
    while (undo->done > 0) {
        const fr_placement last = *at(undo, undo->done - 1);
        if (!fr_object_exists(space, last.object)) {
            forget(undo, undo->done - 1);
            continue;
        }
        undo->done--;
        *out = last;
        return true;
    }
    return false;
}

bool fr_undo_redo(fr_undo *undo, const fr_space *space, fr_placement *out) {
    FR_ASSERT(undo != NULL && space != NULL && out != NULL);
    while (undo->done < undo->count) {
        const fr_placement next = *at(undo, undo->done);
        if (!fr_object_exists(space, next.object)) {
            forget(undo, undo->done);
            continue;
        }
        undo->done++;
        *out = next;
        return true;
    }
    return false;
}

uint32_t fr_undo_count(const fr_undo *undo) { return undo->done; }
uint32_t fr_undo_redo_count(const fr_undo *undo) { return undo->count - undo->done; }

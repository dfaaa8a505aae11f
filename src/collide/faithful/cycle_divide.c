// Step 3. A cube is divided only while it holds candidate faces of two objects. No cube is stored: a list of faces
// lives while its cube is looked at. Neighbouring cubes have the same doubles as borders.
#include "collide/faithful/cycle_work.h"

#include <string.h>

// What a place of the table holds when it holds nothing.
#define NO_PAIR UINT64_MAX

static size_t place_of(uint64_t pair, size_t size) { return (size_t)fr_hash(&pair, sizeof pair, 0) & (size - 1); }

// Puts a pair into the table; false when it is there.
static bool put_seen(uint64_t *table, size_t size, uint64_t pair) {
    for (size_t i = place_of(pair, size);; i = (i + 1) & (size - 1)) {
        if (table[i] == pair) { return false; }
        if (table[i] == NO_PAIR) {
            table[i] = pair;
            return true;
        }
    }
}

// Makes the table `size` places large, a power of two, and puts back what it held.
static bool grow_seen(fr_uint64_array *seen, size_t size) {
    fr_uint64_array larger = fr_uint64_array_make(&seen->allocator);
    uint64_t *table = fr_uint64_array_push(&larger, size);
    if (table == NULL) { return false; }
    memset(table, 0xff, size * sizeof *table);
    const uint64_t *old = seen->data;
    for (size_t i = 0; i < seen->count; i++) {
        if (old[i] != NO_PAIR) { put_seen(table, size, old[i]); }
    }
    fr_uint64_array_destroy(seen);
    *seen = larger;
    return true;
}

// Lists two faces of different objects unless they are listed. Only the one that lists calls it.
static bool list_once(fr__cycle_work *work, fr__cycle_pair pair, int worker) {
    fr_uint64_array *seen = &work->cycle->seen;
    if (2 * (work->output->listed + 1) > seen->count && !grow_seen(seen, 2 * seen->count)) { return false; }
    if (!put_seen(seen->data, seen->count, (uint64_t)pair.a << 32 | pair.b)) { return true; }
    work->output->listed++;
    return fr__cycle_list(work, pair, worker);
}

static bool boxes_meet(const fr__cycle_work *work, fr__cycle_face a, fr__cycle_face b) {
    fr_vec3 corners[6];
    fr__cycle_corners(work, a, corners, corners + 3);
    fr_bounds box = fr_bounds_of_points(corners, 6);
    return fr__cycle_face_meets(work, b, &box);
}

// The faces of a smallest cube; the list is sorted by object.
static bool list_cube(fr__cycle_work *work, size_t first, size_t count, int worker) {
    const uint32_t *list = work->cycle->lists.data + first;
    const fr__cycle_face *faces = work->cycle->faces.data;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            fr__cycle_pair pair = {list[i], list[j]};
            if (faces[pair.a].object == faces[pair.b].object) { continue; }
            if (work->input->is_swept && !boxes_meet(work, faces[pair.a], faces[pair.b])) { continue; }
            if (!list_once(work, pair, worker)) { return false; }
        }
    }
    return true;
}

// The faces of the list [first, first + count) that meet a cube, as a new list at the end; SIZE_MAX without memory.
static size_t faces_in_cube(fr__cycle_work *work, size_t first, size_t count, const fr_bounds *cube) {
    fr_uint32_array *lists = &work->cycle->lists;
    const fr__cycle_face *faces = work->cycle->faces.data;
    size_t start = lists->count, kept = 0;
    if (fr_uint32_array_push(lists, count) == NULL) { return SIZE_MAX; }
    uint32_t *all = lists->data;
    for (size_t i = 0; i < count; i++) {
        uint32_t face = all[first + i];
        if (fr__cycle_face_meets(work, faces[face], cube)) { all[start + kept++] = face; }
    }
    lists->count = start + kept;
    return kept;
}

static bool holds_two_objects(const fr__cycle_work *work, size_t first, size_t count) {
    const uint32_t *list = work->cycle->lists.data + first;
    const fr__cycle_face *faces = work->cycle->faces.data;
    return count > 1 && faces[list[0]].object != faces[list[count - 1]].object;
}

// A cube: its low corner and its edge, in smallest cubes.
typedef struct cube {
    uint32_t at[3], edge;
} cube;

static fr_bounds bounds_of(const fr__cycle_work *work, const cube *c) {
    double leaf = ldexp(work->input->root_edge, -(int)work->input->depth);
    double low[3], high[3], origin[3] = {work->input->root_min.x, work->input->root_min.y, work->input->root_min.z};
    for (int k = 0; k < 3; k++) {
        low[k] = origin[k] + (double)c->at[k] * leaf;
        high[k] = origin[k] + (double)(c->at[k] + c->edge) * leaf;
    }
    fr_bounds box = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return box;
}

// Looks at a cube and the faces it may hold, [first, first + count); at most 16 deep. False when the work is to end.
static bool look_at(fr__cycle_work *work, const cube *c, size_t first, size_t count, int worker) {
    if (fr__cycle_ended(work, worker)) { return false; }
    size_t start = work->cycle->lists.count;
    fr_bounds box = bounds_of(work, c);
    size_t kept = faces_in_cube(work, first, count, &box);
    bool goes_on = kept != SIZE_MAX;
    work->output->cubes++;
    if (!goes_on) { atomic_store(&work->failed, true); }
    if (goes_on && holds_two_objects(work, start, kept)) {
        if (c->edge == 1) {
            goes_on = list_cube(work, start, kept, worker);
            if (!goes_on) { atomic_store(&work->failed, true); }
        }
        uint32_t half = c->edge / 2;
        for (uint32_t i = 0; goes_on && half > 0 && i < 8; i++) {
            cube child = {{c->at[0] + (i & 1) * half, c->at[1] + (i >> 1 & 1) * half, c->at[2] + (i >> 2) * half},
                          half};
            goes_on = look_at(work, &child, start, kept, worker);
        }
    }
    work->cycle->lists.count = start;
    return goes_on;
}

bool fr__cycle_divide(fr__cycle_work *work, int worker) {
    size_t count = work->cycle->faces.count;
    uint32_t *all = fr_uint32_array_push(&work->cycle->lists, count);
    if (all == NULL || !grow_seen(&work->cycle->seen, 1024)) {
        atomic_store(&work->failed, true);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        all[i] = (uint32_t)i;
    }
    cube root = {{0, 0, 0}, 1u << work->input->depth};
    return look_at(work, &root, 0, count, worker);
}

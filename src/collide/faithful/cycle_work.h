// What the steps of a cycle share.
#ifndef FUREAI_COLLIDE_FAITHFUL_CYCLE_WORK_H
#define FUREAI_COLLIDE_FAITHFUL_CYCLE_WORK_H

#include "collide/faithful/face_cycle.h"

#include <stdatomic.h>

// Where the boxes of two objects overlap.
typedef struct fr__box_overlap {
    uint32_t a, b;
    fr_bounds box;
} fr__box_overlap;

typedef struct fr__cycle_face {
    uint32_t object, triangle;
} fr__cycle_face;

// A pair of step 3: places in the list of candidate faces, of an earlier and a later object.
typedef struct fr__cycle_pair {
    uint32_t a, b;
} fr__cycle_pair;

FR_ARRAY_TYPE(fr__cycle_bounds_array, fr_bounds);
FR_ARRAY_TYPE(fr__box_overlap_array, fr__box_overlap);
FR_ARRAY_TYPE(fr__cycle_face_array, fr__cycle_face);
FR_ARRAY_TYPE(fr__cycle_pair_array, fr__cycle_pair);
FR_ARRAY_TYPE(fr__cycle_found_array, fr_face_pair);

struct fr_face_cycle {
    fr_allocator allocator;
    fr__cycle_bounds_array bounds; // one an object
    fr__box_overlap_array overlaps;
    fr__cycle_face_array faces; // by object
    fr_uint32_array lists;      // the faces of the cubes that are looked at
    fr_uint64_array seen;       // the pairs that are listed, by hash
    fr__cycle_pair_array listed;
    fr__cycle_found_array found;
};

// Accesses of one worker, on a line of its own.
typedef struct fr__cycle_count {
    _Alignas(64) uint64_t accesses;
} fr__cycle_count;

// One cycle.
typedef struct fr__cycle_work {
    fr_face_cycle *cycle;
    const fr_face_cycle_input *input;
    fr_face_cycle_output *output;
    atomic_bool is_locked;  // `listed`, `found` and `taken`, while workers share them
    size_t taken;           // pairs that were given out (dynamic)
    atomic_size_t waiting;  // pairs that are listed and not given out (dynamic)
    atomic_bool is_whole;   // nothing more will be listed (dynamic)
    atomic_bool has_lister; // a worker lists already (dynamic)
    atomic_bool stopped, failed;
    fr__cycle_count counts[FR_MAX_WORKERS];
} fr__cycle_work;

// The input's clock, and the milliseconds since it gave `earlier`.
uint64_t fr__cycle_clock(const fr__cycle_work *work);
double fr__cycle_ms_since(const fr__cycle_work *work, uint64_t earlier);

// Whether the work is to end; worker 0 asks the caller.
bool fr__cycle_ended(fr__cycle_work *work, int worker);

// The corners of a triangle at the beginning, and at the end.
void fr__cycle_corners(const fr__cycle_work *work, fr__cycle_face face, fr_vec3 start[3], fr_vec3 end[3]);

// Whether a face meets a box: at t_i, or with its swept box.
bool fr__cycle_face_meets(const fr__cycle_work *work, fr__cycle_face face, const fr_bounds *box);

// Step 3. False when it ended early.
bool fr__cycle_divide(fr__cycle_work *work, int worker);

// Steps 3 and 4, as the balance says.
void fr__cycle_list_and_test(fr__cycle_work *work);

// Adds a pair to the list, under the lock where workers share it. False without memory.
bool fr__cycle_list(fr__cycle_work *work, fr__cycle_pair pair, int worker);

#endif

// One question while it is answered, and the memory of the asker that it works in.
#ifndef FUREAI_COLLIDE_QUESTION_H
#define FUREAI_COLLIDE_QUESTION_H

#include "collide/face_kernel.h"
#include "collide/hit_pool.h"
#include "collide/pair_list.h"
#include "collide/pair_set.h"
#include "collide/time_list.h"
#include "collide/uncertainty.h"
#include "space/space.h"

// Two parts that may meet. The list of them is sorted by objects, then parts; pairs of the same two objects have one
// number.
typedef struct fr__parts {
    uint32_t object_a, object_b; // places; a < b, or equal for an object with itself
    uint32_t part_a, part_b;
    uint32_t object_pair; // number of the pair of objects, from 0 in sorted order
    uint32_t flags;       // of fr_contact_flags: what the objects' flags give to every contact
} fr__parts;

// What one worker has done.
typedef struct fr__worker {
    _Alignas(64) fr__hit_list hits;
    uint64_t nodes, candidates, tested, exact, skipped;
    fr__pair_set judged; // of the two parts it works at: what was judged already
} fr__worker;

// A piece of the walk of two trees that one worker does at once.
typedef struct fr__start {
    uint32_t parts; // index in the list
    fr__node_pair nodes;
} fr__start;

// A slice of the step, in time; the end poses are a slice of their own where they are not where the paths end.
typedef struct fr__slice {
    double t0, t1;
    bool is_end;
} fr__slice;

// A piece of the walk of two trees over a slice that one worker does at once.
typedef struct fr__piece {
    uint32_t parts; // index in the list; FR_NONE: it was opened
    fr__slice slice;
    fr__node_pair nodes;
} fr__piece;

// The scratch of the face octree.
typedef struct fr__octree_memory {
    fr_array members;  // parts that take part
    fr_array corners;  // fr_vec3, 3 a triangle of a member: world corners
    fr_array faces;    // candidate faces
    fr_array boxes;    // fr_bounds of each candidate face
    fr_array paths;    // fr_bounds a triangle of a member: of its path over the step
    fr_array lists;    // uint32_t: lists of faces, one a cube on the way down
    fr_array seen;     // hash set of the pairs listed so far
    double slack;      // the most that boxes of two members are grown by
    fr_array cells;    // fr__keyed: of stored octrees, member and voxel, and the face in it
    fr_array trees;    // fr_octree *: one a member
    fr_array walked;   // fr_octree *: those that are walked together
    fr_array owners;   // uint32_t: the member of each of them
    fr_array walk;     // scratch of the walk
    fr_array partners; // fr__keyed: pairs of members that may meet, sorted, and their place in the list of parts
} fr__octree_memory;

struct fr_collide {
    fr_allocator allocator;
    fr_array clearances, clearances_before; // fr__clearance: of the parts of this question and of the one before
    uint32_t clearances_of;                 // number of the space
    fr_array parts;                         // fr__parts
    fr_array starts;                        // fr__start
    fr_array cases;                         // fr__case, for questions that list pairs first
    fr_array records;                       // fr__keyed: broad phase pairs, then hits
    fr_array scratch;                       // fr__keyed
    fr_array offsets;                       // size_t, one an object pair and one more
    fr_array pairs;                         // fr_face_pair
    fr_array contacts;                      // fr_contact
    fr_array object_pairs;                  // fr_object_pair
    fr_array intervals;                     // fr_touch_interval
    fr_array swept;                         // fr__keyed: pairs of triangles that may meet during the step
    fr_array pieces;                        // fr__piece
    fr_array progress;                      // double, one a pair of parts: up to when its first contacts are found
    fr_array limits;                        // double, one a pair of parts: the time after which no contact is wanted
    fr_array object_limits; // double, the same of a pair of objects, from what was found in earlier rounds
    fr_array round;         // uint32_t: pairs of parts that are looked at at once
    fr__time_list times;    // what the judge told about the hits
    fr__pair_list list;
    fr__octree_memory octree;
    fr__hit_pool pool;
    fr__uncertain_memory uncertain;
    fr__worker workers[FR_MAX_WORKERS];
};

typedef struct fr__question {
    fr_collide *collide;
    const fr_collide_input *input;
    const fr_space *space;
    const fr__face_walk_kernel_table *walks;
    const fr__face_judge_kernel_table *judges;
    struct fr__clearance *clearances; // one a pair of parts; NULL: what is known from earlier questions is not used
    const fr_tasks *tasks;            // who shares the work; NULL: nobody
    int worker_count;
    double margin;
    bool is_over_step; // asked about the step, not about an instant
    bool is_coherent;  // what earlier questions proved may be used
    bool has_limits;   // what comes later than a proven contact is left out while first ones are looked for
    bool is_listing;   // what workers put to their hits are pairs for the judge: value the parts, and when they enter
    double tolerance;  // of such a question
    uint32_t parts_count;
    uint32_t object_pair_count;
    size_t hit_count;     // of pairs that were found, before the first contacts are picked out
    uint64_t budget_left; // pairs of triangles; UINT64_MAX: no limit
    bool over_budget;
    double free_time;    // what was left out of a question over a step begins no earlier
    atomic_bool stopped; // the caller wants an end
    atomic_bool failed;  // out of memory
    fr_collide_stats stats;
} fr__question;

static inline const fr__parts *fr__question_parts(const fr__question *q, uint32_t index) {
    return (const fr__parts *)q->collide->parts.data + index;
}

// Whether the work is to end. Worker 0 is the calling thread, which alone may ask the caller.
static inline bool fr__question_ended(fr__question *q, int worker) {
    if (worker == 0 && fr_control_stop(q->input->control)) {
        atomic_store_explicit(&q->stopped, true, memory_order_relaxed);
    }
    return atomic_load_explicit(&q->stopped, memory_order_relaxed) ||
           atomic_load_explicit(&q->failed, memory_order_relaxed) || q->over_budget;
}

// Takes from the budget; what is left of `count`.
uint32_t fr__question_spend(fr__question *q, uint32_t count);

static inline bool fr__question_fail(fr__question *q) {
    atomic_store_explicit(&q->failed, true, memory_order_relaxed);
    return false;
}

// Gives back the blocks of all workers' hits, which were copied, while none of them works.
void fr__question_give_back_hits(fr__question *q);

// The side of a part at its object's pose.
void fr__side_of_part(const fr_space *space, uint32_t object, uint32_t part, fr__side *out);

#endif

// One query while it runs: what the caller wants, what was prepared for it, and the memory it works in.
#ifndef FUREAI_COLLIDE_RUN_H
#define FUREAI_COLLIDE_RUN_H

#include "collide/scratch.h"

// What the caller wants. It does not change while the query runs.
typedef struct fr__query {
    const fr_collide_input *input;
    const fr_space *space;
    double margin;
    double tolerance;  // of a query over a step; 0 at an instant
    bool is_over_step; // about the step, not about an instant
} fr__query;

// What was prepared before the work is shared: which part pairs are looked at, by whom, with what.
typedef struct fr__plan {
    const fr__part_pair *part_pairs;
    uint32_t part_pair_count;
    uint32_t object_pair_count;
    const fr_tasks *tasks; // whose workers share the work; NULL: the calling thread does it
    int worker_count;
    bool is_split;             // among the ranks of an exchange
    bool is_coherent;          // what earlier queries proved may be used
    bool has_stale;            // trees of some object of the pairs are to be refitted
    bool has_limits;           // what comes later than a proven contact is left out while first contacts are looked for
    fr__clearance *clearances; // one a part pair; NULL: what is known from earlier queries is not used
    const fr__face_walk_kernel_table *walks;
    const fr__face_judge_kernel_table *judges;
} fr__plan;

typedef struct fr__run {
    fr__query query;
    fr__plan plan;
    fr_collide *scratch;
    size_t hit_count;     // before the first contacts are picked out
    uint64_t budget_left; // pairs of triangles; UINT64_MAX: no limit
    bool is_over_budget;
    double free_time;       // what was left out of a query over a step begins no earlier
    atomic_bool is_stopped; // the caller wants an end
    atomic_bool has_failed; // out of memory
    fr_collide_stats stats;
} fr__run;

// Times of a step are 0 .. 1. A limit or an end that is not set yet is later than all of them.
#define FR__NO_TIME_LIMIT 2.0

// Whether the work is to end. Worker 0 is the calling thread, which alone may call the caller's control.
static inline bool fr__run_has_ended(fr__run *run, int worker) {
    if (worker == 0 && fr_control_is_stopped(run->query.input->control)) {
        atomic_store_explicit(&run->is_stopped, true, memory_order_relaxed);
    }
    return atomic_load_explicit(&run->is_stopped, memory_order_relaxed) ||
           atomic_load_explicit(&run->has_failed, memory_order_relaxed) || run->is_over_budget;
}

// Takes from the budget; what is left of `count`.
uint32_t fr__run_spend(fr__run *run, uint32_t count);

// Notes that there is no memory; false.
static inline bool fr__run_fail(fr__run *run) {
    atomic_store_explicit(&run->has_failed, true, memory_order_relaxed);
    return false;
}

// Puts a record to what a worker found; false without memory.
static inline bool fr__run_put(fr__run *run, int worker, fr__found found) {
    fr_collide *scratch = run->scratch;
    return fr__found_put(&scratch->pool, &scratch->workers[worker].found, found) || fr__run_fail(run);
}

// Gives back the blocks of all workers, whose records were copied, while none of them works.
void fr__run_give_back_blocks(fr__run *run);

// The geometry of a part pair of the plan, with the parts' paths for a query over a step.
void fr__run_geometry(const fr__run *run, uint32_t part_pair, fr__pair_geometry *out);

#endif

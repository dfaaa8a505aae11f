// How the candidates that a method lists are shared among workers.
#include "collide/schedule.h"

#include "base/relax.h"
#include "collide/step_judge.h"

// ---------------------------------------------------------------------------------------------------------------
// Listing

bool fr__list_put(fr__run *run, uint32_t part_pair, const fr__candidate *candidates, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        fr__listed_candidate listed = {part_pair, candidates[i]};
        if (!fr__pair_list_put(&run->scratch->list, listed)) { return fr__run_fail(run); }
    }
    return !atomic_load_explicit(&run->is_stopped, memory_order_relaxed);
}

static bool make_geometries(fr__run *run) {
    fr__pair_geometry_array *geometries = &run->scratch->geometries;
    geometries->count = 0;
    fr__pair_geometry *out = fr__pair_geometry_array_push(geometries, run->plan.part_pair_count);
    if (out == NULL) { return fr__run_fail(run); }
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        fr__run_geometry(run, i, &out[i]);
    }
    return true;
}

static bool test_listed(fr__run *run, const fr__listed_candidate *listed, int worker) {
    const fr__pair_geometry *geometries = run->scratch->geometries.data;
    const fr__pair_geometry *geometry = &geometries[listed->part_pair];
    return run->query.is_over_step ? fr__step_judge(run, geometry, worker, listed->candidate, false)
                                   : fr__judge_one(run, geometry, worker, listed->candidate);
}

// ---------------------------------------------------------------------------------------------------------------
// One after another, and static

// Pairs tested between two checks whether the caller wants a stop.
enum { BETWEEN_CHECKS = 256 };

static void test_range(size_t begin, size_t end, int worker, void *context) {
    fr__run *run = context;
    for (size_t i = begin; i < end; i++) {
        if (i % BETWEEN_CHECKS == 0 && fr__run_has_ended(run, worker)) { return; }
        if (!test_listed(run, fr__pair_list_at(&run->scratch->list, i), worker)) { return; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Dynamic: the worker that comes first lists, all others test each pair as soon as it is listed

// Looks that find nothing before a worker gives up, about a millisecond: it may run where the lister waits for it to
// end. What is left over is tested by the lister.
enum { PATIENCE = 1 << 15 };

// Takes the next pair that no worker has; SIZE_MAX when none is left or none comes.
static size_t take_next(fr__run *run) {
    fr__pair_list *list = &run->scratch->list;
    for (int looks = 0; looks < PATIENCE; looks++) {
        bool is_whole = atomic_load_explicit(&list->is_whole, memory_order_acquire);
        size_t next = atomic_load_explicit(&list->taken, memory_order_relaxed);
        while (next < fr__pair_list_count(list)) {
            if (atomic_compare_exchange_weak_explicit(&list->taken, &next, next + 1, memory_order_relaxed,
                                                      memory_order_relaxed)) {
                return next;
            }
        }
        if (is_whole) { return SIZE_MAX; }
        fr__relax();
    }
    return SIZE_MAX;
}

typedef struct dynamic_work {
    fr__run *run;
    fr__lister_fn *lister;
} dynamic_work;

static void work_dynamic(size_t begin, size_t end, int worker, void *context) {
    (void)begin, (void)end;
    dynamic_work *work = context;
    fr__run *run = work->run;
    fr__pair_list *list = &run->scratch->list;
    if (!atomic_exchange(&list->has_writer, true)) {
        work->lister(run);
        atomic_store_explicit(&list->is_whole, true, memory_order_release);
    }
    size_t tested = 0;
    for (size_t i = take_next(run); i != SIZE_MAX; i = take_next(run)) {
        if (tested++ % BETWEEN_CHECKS == 0 && fr__run_has_ended(run, worker)) { return; }
        if (!test_listed(run, fr__pair_list_at(list, i), worker)) { return; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

void fr__schedule(fr__run *run, fr__lister_fn *lister, fr_balance balance) {
    const fr_tasks *tasks = run->plan.tasks;
    fr__pair_list *list = &run->scratch->list;
    fr__pair_list_clear(list);
    if (!make_geometries(run)) { return; }
    if (balance == FR_BALANCE_DYNAMIC) {
        dynamic_work work = {run, lister};
        fr_tasks_run(tasks, FR_SCHEDULE_CYCLIC, (size_t)fr_tasks_worker_count(tasks), 1, work_dynamic, &work);
        run->stats.accesses = 2 * fr__pair_list_count(list);
        return;
    }
    // The lister adds what it spends on boxes and on extracting faces to their own steps.
    uint64_t start = fr_clock_ns();
    double steps_before = run->stats.ms_bounds + run->stats.ms_extract;
    bool is_whole = lister(run);
    double steps_after = run->stats.ms_bounds + run->stats.ms_extract;
    run->stats.ms_divide += fr_clock_ms_since(start) - (steps_after - steps_before);
    if (!is_whole) { return; }
    size_t count = fr__pair_list_count(list);
    if (balance == FR_BALANCE_STATIC) {
        fr_tasks_run(tasks, FR_SCHEDULE_CYCLIC, count, 1, test_range, run);
        run->stats.accesses = count;
    } else {
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, count, 64, test_range, run);
    }
}

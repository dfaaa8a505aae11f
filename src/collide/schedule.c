#include "collide/schedule.h"

#include "base/relax.h"
#include "collide/step_judge.h"

// ---------------------------------------------------------------------------------------------------------------
// Listing

bool fr__list_put(fr__question *q, uint32_t parts, const fr__candidate *candidates, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        fr__listed listed = {parts, candidates[i]};
        if (!fr__pair_list_put(&q->collide->list, listed)) { return fr__question_fail(q); }
    }
    return !atomic_load_explicit(&q->stopped, memory_order_relaxed);
}

static bool make_cases(fr__question *q) {
    fr_array *cases = &q->collide->cases;
    cases->count = 0;
    fr__case *out = fr_array_push(cases, q->parts_count);
    if (out == NULL) { return fr__question_fail(q); }
    for (uint32_t i = 0; i < q->parts_count; i++) {
        fr__case_make(q, i, &out[i]);
    }
    return true;
}

static bool test_listed(fr__question *q, const fr__listed *listed, int worker) {
    const fr__case *cases = q->collide->cases.data;
    const fr__case *of = &cases[listed->parts];
    return q->is_over_step ? fr__step_judge(q, of, worker, listed->pair, false)
                           : fr__judge_one(q, of, worker, listed->pair);
}

// ---------------------------------------------------------------------------------------------------------------
// One after another, and static

// Pairs tested before the caller is asked whether to go on.
enum { BETWEEN_QUESTIONS = 256 };

static void test_range(size_t begin, size_t end, int worker, void *context) {
    fr__question *q = context;
    for (size_t i = begin; i < end; i++) {
        if (i % BETWEEN_QUESTIONS == 0 && fr__question_ended(q, worker)) { return; }
        if (!test_listed(q, fr__pair_list_at(&q->collide->list, i), worker)) { return; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Dynamic: whoever comes first lists, all others test each pair as soon as it is listed

// Looks that find nothing before a worker gives up, about a millisecond: it may run where the lister waits for it to
// end. What is left over is tested by the lister.
enum { PATIENCE = 1 << 15 };

// Takes the next pair that nobody has; SIZE_MAX when none is left or none comes.
static size_t take_next(fr__question *q) {
    fr__pair_list *list = &q->collide->list;
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
    fr__question *question;
    fr__lister_fn *lister;
} dynamic_work;

static void work_dynamic(size_t begin, size_t end, int worker, void *context) {
    (void)begin, (void)end;
    dynamic_work *work = context;
    fr__question *q = work->question;
    fr__pair_list *list = &q->collide->list;
    if (!atomic_exchange(&list->has_writer, true)) {
        work->lister(q);
        atomic_store_explicit(&list->is_whole, true, memory_order_release);
    }
    size_t tested = 0;
    for (size_t i = take_next(q); i != SIZE_MAX; i = take_next(q)) {
        if (tested++ % BETWEEN_QUESTIONS == 0 && fr__question_ended(q, worker)) { return; }
        if (!test_listed(q, fr__pair_list_at(list, i), worker)) { return; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

void fr__schedule(fr__question *q, fr__lister_fn *lister, fr_balance balance) {
    const fr_tasks *tasks = q->tasks;
    fr__pair_list *list = &q->collide->list;
    fr__pair_list_clear(list);
    if (!make_cases(q)) { return; }
    if (balance == FR_BALANCE_DYNAMIC) {
        dynamic_work work = {q, lister};
        fr_tasks_run(tasks, FR_SCHEDULE_CYCLIC, (size_t)fr_tasks_worker_count(tasks), 1, work_dynamic, &work);
        q->stats.accesses = 2 * fr__pair_list_count(list);
        return;
    }
    uint64_t start = fr_clock_ns();
    bool is_whole = lister(q);
    q->stats.ms_divide += fr_clock_ms_since(start);
    if (!is_whole) { return; }
    size_t count = fr__pair_list_count(list);
    if (balance == FR_BALANCE_STATIC) {
        fr_tasks_run(tasks, FR_SCHEDULE_CYCLIC, count, 1, test_range, q);
        q->stats.accesses = count;
    } else {
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, count, 64, test_range, q);
    }
}

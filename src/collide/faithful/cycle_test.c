// Step 4, and how it is shared among workers (Kitamura 3.4).
//
// Static: one worker lists, then worker i of N tests pairs i, i + N, i + 2N, ... The finished list is read P times, and
// p results are written. Dynamic: one worker lists, each pair at once, and all others take the next pair that no worker
// has; the list is written P times and read P times. What is written and what is taken is under a lock, as in the
// source; every access is counted.
#include "collide/faithful/cycle_work.h"
#include "collide/faithful/swept_hull.h"

// Looks that find nothing before a worker gives up, some milliseconds: it may run where the lister waits for it to end.
// What is left over is tested by the lister.
enum { PATIENCE = 1 << 16 };

static void wait_a_little(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void lock(fr__cycle_work *work) {
    while (atomic_exchange_explicit(&work->is_locked, true, memory_order_acquire)) {
        while (atomic_load_explicit(&work->is_locked, memory_order_relaxed)) {
            wait_a_little();
        }
    }
}

static void unlock(fr__cycle_work *work) { atomic_store_explicit(&work->is_locked, false, memory_order_release); }

// Publishes, under the lock, how many pairs no worker has, for workers that wait outside it.
static void wake_waiting(fr__cycle_work *work) {
    atomic_store_explicit(&work->waiting, work->cycle->listed.count - work->taken, memory_order_relaxed);
}

bool fr__cycle_list(fr__cycle_work *work, fr__cycle_pair pair, int worker) {
    bool is_shared = work->input->balance == FR_BALANCE_DYNAMIC;
    if (is_shared) { lock(work); }
    fr__cycle_pair *out = fr__cycle_pair_array_push(&work->cycle->listed, 1);
    if (out != NULL) { *out = pair; }
    if (is_shared) {
        wake_waiting(work);
        unlock(work);
        work->counts[worker].accesses++;
    }
    return out != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// One pair

static bool collides(const fr__cycle_work *work, fr__cycle_face a, fr__cycle_face b) {
    fr_vec3 start_a[3], end_a[3], start_b[3], end_b[3];
    fr__cycle_corners(work, a, start_a, end_a);
    fr__cycle_corners(work, b, start_b, end_b);
    if (work->input->test == FR_FACE_TEST_INSTANT) { return fr_triangle_overlap(start_a, start_b); }
    fr_swept_hull hull_a, hull_b;
    fr_swept_hull_make(start_a, end_a, &hull_a);
    fr_swept_hull_make(start_b, end_b, &hull_b);
    return work->input->test == FR_FACE_TEST_SWEPT ? fr_swept_hull_cross(&hull_a, &hull_b)
                                                   : fr_swept_hull_meet(&hull_a, &hull_b);
}

static void test_pair(fr__cycle_work *work, fr__cycle_pair pair, int worker) {
    const fr__cycle_face *faces = work->cycle->faces.data;
    fr__cycle_face a = faces[pair.a], b = faces[pair.b];
    if (!collides(work, a, b)) { return; }
    lock(work);
    fr_face_pair *out = fr__cycle_found_array_push(&work->cycle->found, 1);
    if (out != NULL) {
        *out = (fr_face_pair){.a = a.object, .b = b.object, .triangle_a = a.triangle, .triangle_b = b.triangle};
    }
    unlock(work);
    work->counts[worker].accesses++;
    if (out == NULL) { atomic_store(&work->failed, true); }
}

// ---------------------------------------------------------------------------------------------------------------
// Serial and static

static void test_range(size_t begin, size_t end, int worker, void *context) {
    fr__cycle_work *work = context;
    const fr__cycle_pair *listed = work->cycle->listed.data;
    for (size_t i = begin; i < end; i++) {
        if (fr__cycle_ended(work, worker)) { return; }
        work->counts[worker].accesses++;
        test_pair(work, listed[i], worker);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Dynamic

// Takes the next pair that no worker has; false when there is none now. A worker that finds none does not touch the
// lock.
static bool take(fr__cycle_work *work, fr__cycle_pair *out) {
    if (atomic_load_explicit(&work->waiting, memory_order_relaxed) == 0) { return false; }
    lock(work);
    bool is_there = work->taken < work->cycle->listed.count;
    if (is_there) { *out = work->cycle->listed.data[work->taken++]; }
    wake_waiting(work);
    unlock(work);
    return is_there;
}

static void work_dynamic(size_t begin, size_t end, int worker, void *context) {
    (void)begin, (void)end;
    fr__cycle_work *work = context;
    if (!atomic_exchange(&work->has_lister, true)) {
        fr__cycle_divide(work, worker);
        atomic_store_explicit(&work->is_whole, true, memory_order_release);
    }
    for (int looks = 0; looks < PATIENCE; looks++) {
        // Whether all is listed is read first: a pair that is listed in between is then still seen.
        bool is_whole = atomic_load_explicit(&work->is_whole, memory_order_acquire);
        fr__cycle_pair pair = {0, 0};
        bool is_taken = take(work, &pair);
        if ((!is_taken && is_whole) || fr__cycle_ended(work, worker)) { return; }
        if (!is_taken) {
            wait_a_little();
            continue;
        }
        looks = 0;
        work->counts[worker].accesses++;
        test_pair(work, pair, worker);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

static void count_accesses(fr__cycle_work *work) {
    for (int i = 0; i < FR_MAX_WORKERS; i++) {
        work->output->accesses += work->counts[i].accesses;
    }
}

void fr__cycle_list_and_test(fr__cycle_work *work) {
    const fr_face_cycle_input *input = work->input;
    uint64_t start = fr__cycle_clock(work);
    if (input->balance == FR_BALANCE_DYNAMIC) {
        fr_tasks_run(input->tasks, FR_SCHEDULE_CYCLIC, (size_t)fr_tasks_worker_count(input->tasks), 1, work_dynamic,
                     work);
        work->output->ms[3] = fr__cycle_ms_since(work, start);
        count_accesses(work);
        return;
    }
    bool is_whole = fr__cycle_divide(work, 0);
    work->output->ms[2] = fr__cycle_ms_since(work, start);
    if (!is_whole) { return; }
    start = fr__cycle_clock(work);
    bool is_static = input->balance == FR_BALANCE_STATIC;
    fr_tasks_run(is_static ? input->tasks : NULL, FR_SCHEDULE_CYCLIC, work->cycle->listed.count, 1, test_range, work);
    work->output->ms[3] = fr__cycle_ms_since(work, start);
    if (is_static) { count_accesses(work); }
}

#include "fureai/collide.h"

#include "collide/answer.h"
#include "collide/brute.h"
#include "collide/clearance.h"
#include "collide/face_octree.h"
#include "collide/object_octree.h"
#include "collide/parts.h"
#include "collide/swept_tree.h"
#include "collide/tree_pairs.h"

#include <string.h>

#define COLLIDE_INPUT_COOKIE 0x434f4c4cu

fr_collide_input fr_default_collide_input(void) {
    fr_collide_input input;
    memset(&input, 0, sizeof input);
    input.tolerance = 1e-6;
    input.time_tolerance = 1e-6;
    input.cookie = COLLIDE_INPUT_COOKIE;
    return input;
}

// ---------------------------------------------------------------------------------------------------------------
// The asker

fr_status fr_collide_create(const fr_allocator *allocator, fr_collide **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    fr_allocator kept = fr_allocator_or_default(allocator);
    fr_collide *collide = fr_allocate(&kept, 1, sizeof *collide, 64);
    if (collide == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for an asker"); }
    memset(collide, 0, sizeof *collide);
    collide->allocator = kept;
    collide->clearances = fr_array_make(sizeof(fr__clearance), &kept);
    collide->clearances_before = fr_array_make(sizeof(fr__clearance), &kept);
    collide->parts = fr_array_make(sizeof(fr__parts), &kept);
    collide->starts = fr_array_make(sizeof(fr__start), &kept);
    collide->cases = fr_array_make(sizeof(fr__case), &kept);
    collide->records = fr_array_make(sizeof(fr__keyed), &kept);
    collide->scratch = fr_array_make(sizeof(fr__keyed), &kept);
    collide->offsets = fr_array_make(sizeof(size_t), &kept);
    collide->pairs = fr_array_make(sizeof(fr_face_pair), &kept);
    collide->contacts = fr_array_make(sizeof(fr_contact), &kept);
    collide->object_pairs = fr_array_make(sizeof(fr_object_pair), &kept);
    collide->intervals = fr_array_make(sizeof(fr_touch_interval), &kept);
    collide->swept = fr_array_make(sizeof(fr__keyed), &kept);
    collide->pieces = fr_array_make(sizeof(fr__piece), &kept);
    collide->progress = fr_array_make(sizeof(double), &kept);
    collide->limits = fr_array_make(sizeof(double), &kept);
    collide->object_limits = fr_array_make(sizeof(double), &kept);
    collide->round = fr_array_make(sizeof(uint32_t), &kept);
    for (int w = 0; w < FR_MAX_WORKERS; w++) {
        fr__pair_set_make(&collide->workers[w].judged, &kept);
    }
    fr__time_list_make(&collide->times, &kept);
    fr__pair_list_make(&collide->list, &kept);
    fr__octree_memory_make(&collide->octree, &kept);
    fr__hit_pool_make(&collide->pool, &kept);
    fr__uncertain_memory_make(&collide->uncertain, &kept);
    *out = collide;
    return FR_OK;
}

void fr_collide_destroy(fr_collide *collide) {
    if (collide == NULL) { return; }
    fr_array_free(&collide->clearances);
    fr_array_free(&collide->clearances_before);
    fr_array_free(&collide->parts);
    fr_array_free(&collide->starts);
    fr_array_free(&collide->cases);
    fr_array_free(&collide->records);
    fr_array_free(&collide->scratch);
    fr_array_free(&collide->offsets);
    fr_array_free(&collide->pairs);
    fr_array_free(&collide->contacts);
    fr_array_free(&collide->object_pairs);
    fr_array_free(&collide->intervals);
    fr_array_free(&collide->swept);
    fr_array_free(&collide->pieces);
    fr_array_free(&collide->progress);
    fr_array_free(&collide->limits);
    fr_array_free(&collide->object_limits);
    fr_array_free(&collide->round);
    for (int w = 0; w < FR_MAX_WORKERS; w++) {
        fr__pair_set_free(&collide->workers[w].judged);
    }
    fr__time_list_free(&collide->times);
    fr__pair_list_free(&collide->list);
    fr__octree_memory_free(&collide->octree);
    fr__hit_pool_free(&collide->pool);
    fr__uncertain_memory_free(&collide->uncertain);
    fr_allocator allocator = collide->allocator;
    fr_release(&allocator, collide, 1, sizeof *collide);
}

// ---------------------------------------------------------------------------------------------------------------
// Checks

static fr_status check_input(const fr_collide_input *input, fr_error *error) {
    if (input->cookie != COLLIDE_INPUT_COOKIE) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the input was not made by fr_default_collide_input");
    }
    if (input->space == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the input names no space"); }
    if (!(input->margin >= 0.0) || input->margin > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "margin %g is not in 0 .. 2^300", input->margin);
    }
    if (!(input->tolerance >= 0.0) || input->tolerance > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "tolerance %g is not in 0 .. 2^300", input->tolerance);
    }
    if (!(input->time_tolerance >= 0.0 && input->time_tolerance <= 1.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "time tolerance %g is not in 0 .. 1", input->time_tolerance);
    }
    if ((unsigned)input->want > FR_WANT_INTERVALS || (unsigned)input->method > FR_COLLIDE_BRUTE ||
        (unsigned)input->balance > FR_BALANCE_STEAL || (unsigned)input->set > FR_SET_FIRST ||
        (unsigned)input->narrow > FR_NARROW_HULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "want, set, narrow, method or balance is none of its kind");
    }
    if (!(input->octree_edge >= 0.0) || input->octree_edge > FR_LENGTH_MAX || input->octree_depth > 16 ||
        !fr_vec3_is_finite(input->octree_min)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the root cube is not finite or its depth is over 16");
    }
    return FR_OK;
}

static void start_question(fr__question *q, fr_collide *collide, const fr_collide_input *input, bool is_over_step) {
    memset(q, 0, sizeof *q);
    q->collide = collide;
    q->input = input;
    q->space = input->space;
    q->walks = fr__face_walk_kernel();
    q->judges = fr__face_judge_kernel();
    q->margin = input->margin;
    q->is_over_step = is_over_step;
    q->tolerance = is_over_step ? input->tolerance : 0.0;
    q->budget_left = input->budget > 0 ? input->budget : UINT64_MAX;
    q->free_time = 1.0;
    atomic_init(&q->stopped, false);
    atomic_init(&q->failed, false);
    collide->parts.count = 0;
    fr__time_list_clear(&collide->times);
}

// ---------------------------------------------------------------------------------------------------------------
// Asking

static bool lists_first(fr_balance balance) { return balance == FR_BALANCE_STATIC || balance == FR_BALANCE_DYNAMIC; }

// With a budget the work is not shared, so that what a partial answer holds does not depend on who was faster.
static fr_balance choose_balance(const fr_collide_input *input) {
    if (input->budget > 0 || fr_tasks_worker_count(input->tasks) == 1) {
        return lists_first(input->balance) ? input->balance : FR_BALANCE_SERIAL;
    }
    return input->balance == FR_BALANCE_AUTO ? FR_BALANCE_STEAL : input->balance;
}

// Whether one worker at a time looks at two parts: what it finds tells it what else is worth a look. Where several test
// pairs of the same parts, what each of them leaves out would depend on who is faster, and so would the memory.
static bool has_limits(const fr__question *q, fr_balance balance) {
    if (!q->is_over_step || q->input->set != FR_SET_FIRST) { return false; }
    bool is_tree = q->input->method == FR_COLLIDE_AUTO || q->input->method == FR_COLLIDE_TREE;
    return q->worker_count == 1 || (is_tree && !lists_first(balance));
}

static void run_method(fr__question *q, fr_balance balance) {
    bool is_listed = lists_first(balance);
    switch (q->input->method) {
    case FR_COLLIDE_FACE_OCTREE: fr__schedule(q, fr__face_octree_list, balance); break;
    case FR_COLLIDE_OCTREE: fr__schedule(q, fr__object_octree_list, balance); break;
    case FR_COLLIDE_BRUTE:
        if (is_listed) {
            fr__schedule(q, fr__brute_list, balance);
        } else {
            fr__brute_run(q, q->tasks);
        }
        break;
    default:
        if (is_listed) {
            fr__schedule(q, q->is_over_step ? fr__swept_tree_list : fr__tree_pairs_list, balance);
        } else if (!q->is_over_step) {
            fr__tree_pairs_run(q, q->tasks);
        } else if (q->input->set == FR_SET_FIRST) {
            fr__swept_tree_first(q, q->tasks);
        } else {
            fr__swept_tree_run(q, q->tasks);
        }
        break;
    }
}

static void add_up(fr__question *q) {
    for (int w = 0; w < q->worker_count; w++) {
        fr__worker *worker = &q->collide->workers[w];
        q->stats.nodes += worker->nodes;
        q->stats.candidates += worker->candidates;
        q->stats.tested += worker->tested;
        q->stats.exact += worker->exact;
        q->stats.skipped += worker->skipped;
    }
}

static void clear_workers(fr__question *q) {
    fr__question_give_back_hits(q);
    for (int w = 0; w < q->worker_count; w++) {
        fr__worker *worker = &q->collide->workers[w];
        worker->nodes = worker->candidates = worker->tested = worker->exact = worker->skipped = 0;
    }
}

// Room for the next question that finds as much, whoever of the workers finds it: pairs before the first contacts were
// picked out, and intervals.
static void provide(fr__question *q, const fr_collide_output *output) {
    fr_collide *collide = q->collide;
    size_t count = q->hit_count;
    if (output->interval_count > count) { count = output->interval_count; }
    fr__hit_pool_provide(&collide->pool, count, (size_t)q->worker_count);
}

// Before the first contact, and before what was left out: a method that does not tell leaves out anything from when the
// balls of parts meet.
static double free_time_of(const fr__question *q, const fr_collide_output *output) {
    bool is_told = q->input->method == FR_COLLIDE_AUTO || q->input->method == FR_COLLIDE_TREE;
    is_told = is_told && q->stats.accesses == 0;
    double least = q->free_time;
    for (uint32_t i = 0; output->partial && !is_told && i < q->parts_count; i++) {
        double start = fr__swept_tree_start(q, i);
        least = start < least ? start : least;
    }
    for (size_t i = 0; i < output->pair_count; i++) {
        double time = (double)output->pairs[i].time;
        least = time < least ? time : least;
    }
    return least;
}

// Answers a question whose list of parts is made.
static fr_status answer(fr__question *q, uint64_t start, fr_collide_output *output, fr_error *error) {
    fr_balance balance = choose_balance(q->input);
    bool is_shared = balance != FR_BALANCE_SERIAL && q->input->budget == 0;
    q->tasks = is_shared ? q->input->tasks : NULL;
    q->worker_count = fr_tasks_worker_count(q->tasks);
    q->stats.object_pairs = q->parts_count;
    q->has_limits = has_limits(q, balance);
    uint64_t walked = fr_clock_ns();
    q->stats.ms_bounds += 1e-6 * (double)(walked - start);

    if (q->is_coherent && lists_first(balance)) { q->is_coherent = false; }
    if (q->is_coherent && !fr__clearances_begin(q)) { fr__question_fail(q); }
    run_method(q, balance);
    fr__clearances_prove(q, q->tasks);
    bool is_done = !atomic_load(&q->failed) && fr__answer_make(q, q->tasks, output);
    add_up(q);
    clear_workers(q);
    provide(q, output);
    if (!is_done) {
        memset(output, 0, sizeof *output);
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for colliding faces");
    }
    if (q->stats.accesses > 0) { q->stats.accesses += output->pair_count; }
    uint64_t end = fr_clock_ns();
    q->stats.ms_test = 1e-6 * (double)(end - walked) - q->stats.ms_divide;
    q->stats.ms_total = 1e-6 * (double)(end - start);
    output->stats = q->stats;
    output->partial = q->over_budget || atomic_load(&q->stopped);
    if (q->is_over_step) { output->free_time = free_time_of(q, output); }
    return FR_OK;
}

static fr_status check_two(const fr_space *space, fr_object_id a, fr_object_id b, fr_error *error) {
    const fr__object *object_a = fr__space_find(space, a), *object_b = fr__space_find(space, b);
    if (object_a == NULL || object_b == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "no such object"); }
    if (object_a->is_deformed_anew || object_b->is_deformed_anew) {
        return fr_error_set(error, FR_ERROR_STALE_DATA, "vertices were set after the last update");
    }
    return FR_OK;
}

// The parts of two objects, the lower one first.
static fr_status find_two(fr__question *q, fr_object_id a, fr_object_id b, fr_error *error) {
    uint32_t low = a.index1 < b.index1 ? a.index1 : b.index1, high = a.index1 < b.index1 ? b.index1 : a.index1;
    return fr__parts_of_two(q, low - 1, high - 1, error);
}

// Room for `count` times, any of which will do.
static bool set_any_time(fr_array *times, uint32_t count) {
    times->count = 0;
    double *out = fr_array_push(times, count);
    for (uint32_t i = 0; out != NULL && i < count; i++) {
        out[i] = 2.0;
    }
    return out != NULL;
}

// What is not yet known of first contacts.
static fr_status set_limits(fr__question *q, fr_error *error) {
    if (q->input->set != FR_SET_FIRST || (set_any_time(&q->collide->limits, q->parts_count) &&
                                          set_any_time(&q->collide->object_limits, q->object_pair_count))) {
        return FR_OK;
    }
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for pairs of parts");
}

// Whether what earlier questions proved is used: by the tree, over the step, about all objects. With a budget an answer
// depends on what was looked at.
static bool is_coherent(const fr_collide_input *input, bool is_over_step_of_all) {
    bool is_tree = input->method == FR_COLLIDE_AUTO || input->method == FR_COLLIDE_TREE;
    return is_over_step_of_all && is_tree && !input->afresh && input->budget == 0;
}

// Asks about the instant or the step, about all objects or `two`.
static fr_status ask(fr_collide *collide, const fr_collide_input *input, bool is_over_step, const fr_object_id *two,
                     fr_collide_output *output, fr_error *error) {
    FR_ASSERT(collide != NULL && input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr_status status = check_input(input, error);
    if (status == FR_OK && two != NULL) { status = check_two(input->space, two[0], two[1], error); }
    if (status != FR_OK) { return status; }
    uint64_t start = fr_clock_ns();
    fr__question q;
    start_question(&q, collide, input, is_over_step);
    q.is_coherent = is_coherent(input, is_over_step && two == NULL);
    if (two != NULL) {
        status = find_two(&q, two[0], two[1], error);
    } else {
        double apart = q.margin + (is_over_step ? q.tolerance + fr__parts_slack(q.space) : 0.0);
        status = fr__parts_find(&q, apart, error);
    }
    if (status == FR_OK && is_over_step) { status = set_limits(&q, error); }
    return status == FR_OK ? answer(&q, start, output, error) : status;
}

fr_status fr_collide_static(fr_collide *collide, const fr_collide_input *input, fr_collide_output *output,
                            fr_error *error) {
    return ask(collide, input, false, NULL, output, error);
}

fr_status fr_collide_static_pair(fr_collide *collide, const fr_collide_input *input, fr_object_id a, fr_object_id b,
                                 fr_collide_output *output, fr_error *error) {
    const fr_object_id two[2] = {a, b};
    return ask(collide, input, false, two, output, error);
}

fr_status fr_collide_continuous(fr_collide *collide, const fr_collide_input *input, fr_collide_output *output,
                                fr_error *error) {
    return ask(collide, input, true, NULL, output, error);
}

fr_status fr_collide_continuous_pair(fr_collide *collide, const fr_collide_input *input, fr_object_id a, fr_object_id b,
                                     fr_collide_output *output, fr_error *error) {
    const fr_object_id two[2] = {a, b};
    return ask(collide, input, true, two, output, error);
}

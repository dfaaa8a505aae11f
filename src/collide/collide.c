// The queries of a fr_collide: its memory, checks of the input, and how the methods are run.
#include "fureai/collide.h"

#include "collide/brute.h"
#include "collide/clearance.h"
#include "collide/face_octree.h"
#include "collide/hull_tree.h"
#include "collide/object_octree.h"
#include "collide/output.h"
#include "collide/part_pairs.h"
#include "collide/shared_found.h"
#include "collide/swept_tree.h"
#include "collide/tree_pairs.h"
#include "collide/walk_memory.h"
#include "space/skin.h"

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
// Memory

fr_status fr_collide_create(const fr_allocator *allocator, fr_collide **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    *out = NULL;
    fr_allocator kept = fr_allocator_or_default(allocator);
    fr_collide *collide = fr_allocate(&kept, 1, sizeof *collide, 64);
    if (collide == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a fr_collide"); }
    memset(collide, 0, sizeof *collide);
    collide->allocator = kept;
    collide->clearances = fr__clearance_array_make(&kept);
    collide->clearances_before = fr__clearance_array_make(&kept);
    collide->space_pairs = fr__space_pair_array_make(&kept);
    collide->part_pairs = fr__part_pair_array_make(&kept);
    collide->walk_pieces = fr__walk_piece_array_make(&kept);
    collide->slice_pieces = fr__slice_piece_array_make(&kept);
    collide->geometries = fr__pair_geometry_array_make(&kept);
    collide->found = fr__found_array_make(&kept);
    collide->ends = fr_size_array_make(&kept);
    collide->relations = fr__object_relation_array_make(&kept);
    collide->candidates = fr__timed_candidate_array_make(&kept);
    collide->pair_intervals = fr__pair_interval_array_make(&kept);
    collide->pairs = fr__face_pair_array_make(&kept);
    collide->contacts = fr__contact_array_make(&kept);
    collide->object_pairs = fr__object_pair_array_make(&kept);
    collide->intervals = fr__touch_interval_array_make(&kept);
    collide->free_until = fr_double_array_make(&kept);
    collide->limits = fr_double_array_make(&kept);
    collide->object_limits = fr_double_array_make(&kept);
    collide->round = fr_uint32_array_make(&kept);
    for (int w = 0; w < FR_MAX_WORKERS; w++) {
        fr__pair_set_make(&collide->workers[w].judged, &kept);
    }
    fr__result_list_make(&collide->results, &kept);
    fr__pair_list_make(&collide->list, &kept);
    fr__octree_scratch_make(&collide->octree, &kept);
    fr__found_pool_make(&collide->pool, &kept);
    fr__share_make(&collide->share, &kept);
    fr__uncertain_scratch_make(&collide->uncertain, &kept);
    *out = collide;
    return FR_OK;
}

void fr_collide_destroy(fr_collide *collide) {
    if (collide == NULL) { return; }
    fr__clearance_array_destroy(&collide->clearances);
    fr__clearance_array_destroy(&collide->clearances_before);
    fr__space_pair_array_destroy(&collide->space_pairs);
    fr__part_pair_array_destroy(&collide->part_pairs);
    fr__walk_piece_array_destroy(&collide->walk_pieces);
    fr__slice_piece_array_destroy(&collide->slice_pieces);
    fr__pair_geometry_array_destroy(&collide->geometries);
    fr__found_array_destroy(&collide->found);
    fr_size_array_destroy(&collide->ends);
    fr__object_relation_array_destroy(&collide->relations);
    fr__timed_candidate_array_destroy(&collide->candidates);
    fr__pair_interval_array_destroy(&collide->pair_intervals);
    fr__face_pair_array_destroy(&collide->pairs);
    fr__contact_array_destroy(&collide->contacts);
    fr__object_pair_array_destroy(&collide->object_pairs);
    fr__touch_interval_array_destroy(&collide->intervals);
    fr_double_array_destroy(&collide->free_until);
    fr_double_array_destroy(&collide->limits);
    fr_double_array_destroy(&collide->object_limits);
    fr_uint32_array_destroy(&collide->round);
    for (int w = 0; w < FR_MAX_WORKERS; w++) {
        fr__pair_set_free(&collide->workers[w].judged);
    }
    fr__walk_memory_free(collide);
    fr__result_list_free(&collide->results);
    fr__pair_list_free(&collide->list);
    fr__octree_scratch_free(&collide->octree);
    fr__found_pool_free(&collide->pool);
    fr__share_free(&collide->share);
    fr__uncertain_scratch_free(&collide->uncertain);
    fr_allocator allocator = collide->allocator;
    fr_deallocate(&allocator, collide, 1, sizeof *collide);
}

// ---------------------------------------------------------------------------------------------------------------
// Checks

static fr_status check_input(const fr_collide_input *input, fr_error *error) {
    if (input->cookie != COLLIDE_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_collide_input"); }
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
    return fr__share_check(input->exchange, error);
}

static void start_run(fr__run *run, fr_collide *collide, const fr_collide_input *input, bool is_over_step) {
    memset(run, 0, sizeof *run);
    run->query = (fr__query){.input = input,
                             .space = input->space,
                             .margin = input->margin,
                             .tolerance = is_over_step ? input->tolerance : 0.0,
                             .is_over_step = is_over_step};
    run->plan.walks = fr__face_walk_kernel();
    run->plan.judges = fr__face_judge_kernel();
    run->scratch = collide;
    run->budget_left = input->budget > 0 ? input->budget : UINT64_MAX;
    run->free_time = 1.0;
    atomic_init(&run->is_stopped, false);
    atomic_init(&run->has_failed, false);
    collide->part_pairs.count = 0;
    fr__result_list_clear(&collide->results);
}

// ---------------------------------------------------------------------------------------------------------------
// Queries

static bool lists_first(fr_balance balance) { return balance == FR_BALANCE_STATIC || balance == FR_BALANCE_DYNAMIC; }

// With a budget the work is not shared, so that what a partial output holds does not depend on which worker was faster.
static fr_balance choose_balance(const fr_collide_input *input) {
    if (input->budget > 0 || fr_tasks_worker_count(input->tasks) == 1) {
        return lists_first(input->balance) ? input->balance : FR_BALANCE_SERIAL;
    }
    return input->balance == FR_BALANCE_AUTO ? FR_BALANCE_STEAL : input->balance;
}

// Whether one worker at a time looks at two parts: what it finds shows what else is worth a look. Where several test
// pairs of the same parts, what each of them leaves out would depend on which is faster, and so would the memory.
static bool has_limits(const fr__query *query, int worker_count, fr_balance balance) {
    if (!query->is_over_step || query->input->set != FR_SET_FIRST) { return false; }
    bool is_tree = query->input->method == FR_COLLIDE_AUTO || query->input->method == FR_COLLIDE_TREE;
    return worker_count == 1 || (is_tree && !lists_first(balance));
}

// Whether the swept hulls of faces decide: then nothing may be left out because of when it happens.
static bool is_about_hulls(const fr__query *query) {
    return query->is_over_step && query->input->narrow == FR_NARROW_HULL;
}

static void run_method(fr__run *run, fr_balance balance) {
    bool is_listed = lists_first(balance);
    switch (run->query.input->method) {
    case FR_COLLIDE_FACE_OCTREE: fr__schedule(run, fr__face_octree_list, balance); break;
    case FR_COLLIDE_OCTREE: fr__schedule(run, fr__object_octree_list, balance); break;
    case FR_COLLIDE_BRUTE:
        if (is_listed) {
            fr__schedule(run, fr__brute_list, balance);
        } else {
            fr__brute_run(run, run->plan.tasks);
        }
        break;
    default:
        if (is_about_hulls(&run->query)) {
            fr__schedule(run, fr__hull_tree_list, balance);
        } else if (is_listed) {
            fr__schedule(run, run->query.is_over_step ? fr__swept_tree_list : fr__tree_pairs_list, balance);
        } else if (!run->query.is_over_step) {
            fr__tree_pairs_run(run, run->plan.tasks);
        } else if (run->query.input->set == FR_SET_FIRST) {
            fr__swept_tree_first(run, run->plan.tasks);
        } else {
            fr__swept_tree_run(run, run->plan.tasks);
        }
        break;
    }
}

static void add_up(fr__run *run) {
    for (int w = 0; w < run->plan.worker_count; w++) {
        fr__worker *worker = &run->scratch->workers[w];
        run->stats.nodes += worker->nodes;
        run->stats.candidates += worker->candidates;
        run->stats.tested += worker->tested;
        run->stats.exact += worker->exact;
        run->stats.skipped += worker->skipped;
    }
}

static void clear_workers(fr__run *run) {
    fr__run_give_back_blocks(run);
    for (int w = 0; w < run->plan.worker_count; w++) {
        fr__worker *worker = &run->scratch->workers[w];
        worker->nodes = worker->candidates = worker->tested = worker->exact = worker->skipped = 0;
    }
}

// Room for the next query that finds as much, whichever worker finds it: pairs before the first contacts were
// picked out, and intervals.
static void provide(fr__run *run, const fr_collide_output *output) {
    fr_collide *collide = run->scratch;
    size_t count = run->hit_count;
    if (output->interval_count > count) { count = output->interval_count; }
    fr__found_pool_provide(&collide->pool, count, (size_t)run->plan.worker_count);
}

// Before the first contact, and before what was left out: a method that does not report it leaves out anything from
// when the balls of parts meet.
static double free_time_of(const fr__run *run, const fr_collide_output *output) {
    if (output->is_partial && is_about_hulls(&run->query)) { return 0.0; }
    bool is_reported = run->query.input->method == FR_COLLIDE_AUTO || run->query.input->method == FR_COLLIDE_TREE;
    is_reported = is_reported && run->stats.accesses == 0 && !run->plan.is_split;
    double min = run->free_time;
    for (uint32_t i = 0; output->is_partial && !is_reported && i < run->plan.part_pair_count; i++) {
        double start = fr__swept_tree_start(run, i);
        min = start < min ? start : min;
    }
    for (size_t i = 0; i < output->pair_count; i++) {
        double time = (double)output->pairs[i].time;
        min = time < min ? time : min;
    }
    return min;
}

// Runs a query whose part pairs are found.
static fr_status make_output(fr__run *run, uint64_t start, fr_collide_output *output, fr_error *error) {
    fr_balance balance = choose_balance(run->query.input);
    bool is_shared = balance != FR_BALANCE_SERIAL && run->query.input->budget == 0;
    run->plan.tasks = is_shared ? run->query.input->tasks : NULL;
    run->plan.worker_count = fr_tasks_worker_count(run->plan.tasks);
    run->stats.object_pairs = run->plan.part_pair_count;
    fr__shared_begin(run, balance);
    run->plan.has_limits = has_limits(&run->query, run->plan.worker_count, balance);
    fr__part_pairs_refit(run);
    uint64_t walked = fr_clock_ns();
    run->stats.ms_bounds += 1e-6 * (double)(walked - start);

    if (run->plan.is_coherent && (lists_first(balance) || run->plan.is_split)) { run->plan.is_coherent = false; }
    if (run->plan.is_coherent && !fr__clearances_begin(run)) { fr__run_fail(run); }
    if (fr__walk_memory_provide(run)) {
        run_method(run, balance);
    } else {
        fr__run_fail(run);
    }
    fr__clearances_prove(run, run->plan.tasks);
    bool is_done = !atomic_load(&run->has_failed) && fr__output_make(run, run->plan.tasks, output);
    is_done = fr__shared_end(run, is_done);
    add_up(run);
    clear_workers(run);
    provide(run, output);
    if (!is_done) {
        memset(output, 0, sizeof *output);
        if (run->scratch->share.status != FR_OK) { return fr__share_error(&run->scratch->share, error); }
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for colliding faces");
    }
    if (run->stats.accesses > 0) { run->stats.accesses += output->pair_count; }
    uint64_t end = fr_clock_ns();
    run->stats.ms_total = 1e-6 * (double)(end - start);
    run->stats.ms_test = run->stats.ms_total - run->stats.ms_bounds - run->stats.ms_extract - run->stats.ms_divide;
    output->stats = run->stats;
    output->is_partial = run->is_over_budget || atomic_load(&run->is_stopped);
    if (run->query.is_over_step) { output->free_time = free_time_of(run, output); }
    return FR_OK;
}

fr_status fr__check_two(const fr_space *space, fr_object_id a, fr_object_id b, fr_error *error) {
    const fr__object *object_a = fr__space_find(space, a), *object_b = fr__space_find(space, b);
    if (object_a == NULL || object_b == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "no such object"); }
    if (object_a->has_new_vertices || object_b->has_new_vertices) {
        return fr_error_set(error, FR_ERROR_STALE_DATA, "vertices were set after the last update");
    }
    fr_status status = fr__object_check_vertices(object_a, error);
    return status == FR_OK ? fr__object_check_vertices(object_b, error) : status;
}

// The parts of two objects, the lower one first.
static fr_status find_two(fr__run *run, fr_object_id a, fr_object_id b, fr_error *error) {
    uint32_t low = a.index1 < b.index1 ? a.index1 : b.index1, high = a.index1 < b.index1 ? b.index1 : a.index1;
    return fr__part_pairs_of_two(run, low - 1, high - 1, error);
}

// Makes `count` limits of time, none of which is set yet.
static bool clear_limits(fr_double_array *limits, uint32_t count) {
    limits->count = 0;
    double *out = fr_double_array_push(limits, count);
    for (uint32_t i = 0; out != NULL && i < count; i++) {
        out[i] = FR__NO_TIME_LIMIT;
    }
    return out != NULL;
}

// Before first contacts are looked for, no part pair and no object pair has a limit.
static fr_status begin_limits(fr__run *run, fr_error *error) {
    if (run->query.input->set != FR_SET_FIRST ||
        (clear_limits(&run->scratch->limits, run->plan.part_pair_count) &&
         clear_limits(&run->scratch->object_limits, run->plan.object_pair_count))) {
        return FR_OK;
    }
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for pairs of parts");
}

// Whether what earlier queries proved is used: by the tree, over the step, about all objects. With a budget an output
// depends on what was looked at.
static bool is_coherent(const fr_collide_input *input, bool is_over_step_of_all) {
    bool is_tree = input->method == FR_COLLIDE_AUTO || input->method == FR_COLLIDE_TREE;
    bool is_exact = input->narrow == FR_NARROW_EXACT;
    return is_over_step_of_all && is_tree && is_exact && !input->is_from_scratch && input->budget == 0;
}

// Runs a query about the instant or the step, about all objects or `two`.
static fr_status run_query(fr_collide *collide, const fr_collide_input *input, bool is_over_step,
                           const fr_object_id *two, fr_collide_output *output, fr_error *error) {
    FR_ASSERT(collide != NULL && input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr_status status = check_input(input, error);
    if (status == FR_OK && two != NULL) { status = fr__check_two(input->space, two[0], two[1], error); }
    if (status != FR_OK) { return status; }
    uint64_t start = fr_clock_ns();
    fr__run run;
    start_run(&run, collide, input, is_over_step);
    run.plan.is_coherent = is_coherent(input, is_over_step && two == NULL);
    if (two != NULL) {
        status = find_two(&run, two[0], two[1], error);
    } else {
        double apart = input->margin + (is_over_step ? input->tolerance + fr__part_pairs_slack(input->space) : 0.0);
        status = fr__part_pairs_find(&run, apart, error);
    }
    if (status == FR_OK && is_over_step) { status = begin_limits(&run, error); }
    if (status != FR_OK) {
        fr__shared_fail(&run, status);
        return status;
    }
    return make_output(&run, start, output, error);
}

fr_status fr_collide_static(fr_collide *collide, const fr_collide_input *input, fr_collide_output *output,
                            fr_error *error) {
    return run_query(collide, input, false, NULL, output, error);
}

fr_status fr_collide_static_pair(fr_collide *collide, const fr_collide_input *input, fr_object_id a, fr_object_id b,
                                 fr_collide_output *output, fr_error *error) {
    const fr_object_id two[2] = {a, b};
    return run_query(collide, input, false, two, output, error);
}

fr_status fr_collide_continuous(fr_collide *collide, const fr_collide_input *input, fr_collide_output *output,
                                fr_error *error) {
    return run_query(collide, input, true, NULL, output, error);
}

fr_status fr_collide_continuous_pair(fr_collide *collide, const fr_collide_input *input, fr_object_id a, fr_object_id b,
                                     fr_collide_output *output, fr_error *error) {
    const fr_object_id two[2] = {a, b};
    return run_query(collide, input, true, two, output, error);
}

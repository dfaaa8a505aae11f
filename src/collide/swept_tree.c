// The tree method over a step, for all contacts: walks, then tests what the walks found.
#include "collide/swept_tree.h"

#include "collide/clearance.h"
#include "collide/output.h"
#include "collide/shared_found.h"
#include "collide/slices.h"
#include "collide/step_judge.h"
#include "collide/straight_cull.h"
#include "collide/walk_memory.h"
#include "fureai/base_order.h"
#include "shape/tree.h"
#include "space/part.h"

#include <string.h>

// Pairs of parts that a worker takes at once. Of pairs of triangles to be tested one worker takes a batch, for which
// the geometry is made once; of several each takes few, since some take long.
enum { PARTS_AT_ONCE = 8, TESTS_AT_ONCE = 16 };

// A walk of more triangles than this is shared; and how many pieces a worker should find.
enum { SHARED_TRIANGLES = 8192, PIECES_A_WORKER = 32 };

static const fr__node_pair roots = {0, 0, FR_NONE, FR_NONE};

static void count_walk(fr__worker *worker, const fr__swept_walk *walk) {
    worker->nodes += walk->nodes;
    worker->candidates += walk->candidates;
}

// Two parts that are walked, as the callbacks of a walk see them.
typedef struct tree_walk {
    fr__run *run;
    const fr__pair_geometry *geometry;
    int worker;
    fr__slice slice;
} tree_walk;

// The time of the step at which a candidate enters, rounded down.
static float enter_time(const fr__slice *slice, float enter) {
    double t = slice->t0 + (slice->t1 - slice->t0) * (double)(enter < 0.0f ? 0.0f : enter);
    return t < 1.0 ? fr_float_down(t * (1.0 - 0x1p-40)) : 1.0f;
}

double fr__swept_tree_start(const fr__run *run, uint32_t part_pair) {
    fr__pair_geometry geometry;
    fr__swept_pair pair;
    fr__slice slice;
    fr__run_geometry(run, part_pair, &geometry);
    fr__swept_pair_make(run->query.margin + run->query.tolerance, &geometry, &pair);
    fr__slices slices = fr__slices_of(&pair, false);
    return fr__slices_next(&slices, &slice) ? slice.t0 : FR__NO_TIME_LIMIT;
}

// ---------------------------------------------------------------------------------------------------------------
// All contacts: what may meet is put to the candidates, then sorted, then judged

static bool put_candidates(fr__swept_walk *walk, fr__swept_candidate *candidates, uint32_t count) {
    const tree_walk *w = walk->context;
    const fr__pair_geometry *geometry = w->geometry;
    if (fr__pair_goes_straight(geometry)) {
        double distance = w->run->query.margin + w->run->query.tolerance;
        count = fr__straight_cull_kernel()->cull(geometry, distance, candidates, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        fr__found found = {.candidate = {geometry->a.first_triangle + candidates[i].a,
                                         geometry->b.first_triangle + candidates[i].b, geometry->part_pair,
                                         enter_time(&w->slice, candidates[i].enter)}};
        if (!fr__run_put(w->run, w->worker, found)) { return false; }
    }
    return !fr__run_has_ended(w->run, w->worker);
}

static bool walk_slice(fr__run *run, const fr__swept_pair *pair, const fr__slice *slice, fr__node_pair start,
                       int worker) {
    fr__swept_relation relation = fr__slice_relate(pair, slice);
    tree_walk context = {run, pair->geometry, worker, *slice};
    fr__swept_walk walk = {
        .a = &pair->geometry->a, .b = &pair->geometry->b, .relation = &relation, .found = put_candidates};
    walk.context = &context;
    walk.limit = 1.0f;
    fr__walk_memory_use(&walk, &run->scratch->workers[worker]);
    bool goes_on = fr__swept_kernel()->walk(&walk, start);
    count_walk(&run->scratch->workers[worker], &walk);
    return goes_on;
}

// Whether the balls of two parts stay apart: most pairs of the broad phase do, and need no geometry.
static bool balls_stay_apart(const fr__run *run, uint32_t part_pair) {
    const fr__part_pair *pair = &run->plan.part_pairs[part_pair];
    const fr__object *a = fr__space_fresh(run->query.space, pair->object_a),
                     *b = fr__space_fresh(run->query.space, pair->object_b);
    double distance = run->query.margin + run->query.tolerance;
    return fr__parts_stay_apart(a, &a->parts[pair->part_a], b, &b->parts[pair->part_b], distance);
}

static bool list_parts(fr__run *run, uint32_t part_pair, int worker) {
    fr__pair_geometry geometry;
    fr__swept_pair pair;
    fr__slice slice;
    if (balls_stay_apart(run, part_pair)) { return true; }
    fr__run_geometry(run, part_pair, &geometry);
    fr__swept_pair_make(run->query.margin + run->query.tolerance, &geometry, &pair);
    if (fr__clearance_skips(run, &pair, worker)) { return true; }
    const fr__worker *of_worker = &run->scratch->workers[worker];
    uint64_t nodes = of_worker->nodes, candidates = of_worker->candidates;
    fr__slices slices = fr__slices_of(&pair, false);
    while (fr__slices_next(&slices, &slice)) {
        if (!walk_slice(run, &pair, &slice, roots, worker)) { return false; }
    }
    if (of_worker->candidates == candidates) { fr__clearance_report(run, part_pair, of_worker->nodes - nodes); }
    return true;
}

static void list_some_parts(size_t begin, size_t end, int worker, void *context) {
    fr__run *run = context;
    for (size_t i = begin; i < end; i++) {
        // Checked first: every further piece of the work comes here once more after a stop.
        if (fr__run_has_ended(run, worker) || !list_parts(run, (uint32_t)i, worker)) { return; }
    }
}

// Puts the slices of two parts to the pieces, each opened breadth first until there are `wanted`.
static bool split_slice(fr__run *run, const fr__swept_pair *pair, const fr__slice *slice, size_t wanted) {
    fr__slice_piece_array *pieces = &run->scratch->slice_pieces;
    const fr__side *a = &pair->geometry->a, *b = &pair->geometry->b;
    bool is_large = a->triangle_count + b->triangle_count > SHARED_TRIANGLES;
    fr__swept_relation relation = fr__slice_relate(pair, slice);
    fr__swept_walk walk = {.a = a, .b = b, .relation = &relation, .limit = 1.0f};
    fr__slice_piece *first = fr__slice_piece_array_push(pieces, 1);
    if (first == NULL) { return fr__run_fail(run); }
    *first = (fr__slice_piece){pair->geometry->part_pair, *slice, roots};
    size_t head = pieces->count - 1;
    while (is_large && head < pieces->count && pieces->count - head < wanted) {
        fr__node_pair nodes = pieces->data[head].nodes, opened[FR__NODE_PAIRS];
        if (fr__tree_is_leaf(nodes.a) && fr__tree_is_leaf(nodes.b)) { break; }
        uint32_t count = fr__swept_kernel()->open(&walk, nodes, opened);
        fr__slice_piece *out = fr__slice_piece_array_push(pieces, count);
        if (out == NULL) { return fr__run_fail(run); }
        for (uint32_t i = 0; i < count; i++) {
            out[i] = (fr__slice_piece){pair->geometry->part_pair, *slice, opened[i]};
        }
        pieces->data[head++].part_pair = FR_NONE;
    }
    count_walk(&run->scratch->workers[0], &walk);
    return true;
}

static bool split_parts(fr__run *run, uint32_t part_pair, size_t wanted) {
    fr__pair_geometry geometry;
    fr__swept_pair pair;
    fr__slice slice;
    fr__run_geometry(run, part_pair, &geometry);
    fr__swept_pair_make(run->query.margin + run->query.tolerance, &geometry, &pair);
    if (fr__clearance_skips(run, &pair, 0)) { return true; }
    size_t first = run->scratch->slice_pieces.count;
    fr__slices slices = fr__slices_of(&pair, false);
    while (fr__slices_next(&slices, &slice)) {
        if (!split_slice(run, &pair, &slice, wanted)) { return false; }
    }
    // What is found by others later takes it back.
    if (run->scratch->slice_pieces.count > first) { fr__clearance_report(run, part_pair, UINT64_MAX); }
    return true;
}

static void list_pieces(size_t begin, size_t end, int worker, void *context) {
    fr__run *run = context;
    const fr__slice_piece *pieces = run->scratch->slice_pieces.data;
    for (size_t i = begin; i < end; i++) {
        if (pieces[i].part_pair == FR_NONE) { continue; }
        fr__pair_geometry geometry;
        fr__swept_pair pair;
        fr__run_geometry(run, pieces[i].part_pair, &geometry);
        fr__swept_pair_make(run->query.margin + run->query.tolerance, &geometry, &pair);
        if (fr__run_has_ended(run, worker) || !walk_slice(run, &pair, &pieces[i].slice, pieces[i].nodes, worker)) {
            return;
        }
    }
}

static void list_all(fr__run *run, const fr_tasks *tasks) {
    const fr__share *share = &run->scratch->share;
    size_t wanted = fr__shared_piece_count(run, tasks, PIECES_A_WORKER), count = run->plan.part_pair_count;
    if (wanted == 1 || count >= wanted * PARTS_AT_ONCE) {
        fr__share_run(share, tasks, count, fr__share_grain(share, count, PARTS_AT_ONCE), list_some_parts, run);
        return;
    }
    run->scratch->slice_pieces.count = 0;
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        if (!split_parts(run, i, wanted)) { return; }
    }
    const fr__slice_piece *pieces = run->scratch->slice_pieces.data;
    for (size_t i = 0; i < run->scratch->slice_pieces.count; i++) {
        fr__shared_check(run, &pieces[i].nodes);
    }
    fr__share_run(share, tasks, run->scratch->slice_pieces.count, 1, list_pieces, run);
}

// ---------------------------------------------------------------------------------------------------------------
// Testing what was listed

// Slices that follow one another list what they share twice: once is enough, at the earlier time. Pairs of one object
// pair are sorted, and different ones may have equal keys.
static bool list_each_once(fr__run *run) {
    fr__timed_candidate_array *candidates = &run->scratch->candidates;
    const fr__found_array *found = &run->scratch->found;
    candidates->count = 0;
    if (!fr__timed_candidate_array_reserve(candidates, found->count)) { return fr__run_fail(run); }
    for (size_t i = 0; i < found->count; i++) {
        const fr__timed_candidate *next = &found->data[i].candidate;
        fr__timed_candidate *last = candidates->count > 0 ? &candidates->data[candidates->count - 1] : NULL;
        bool is_same = last != NULL && last->triangle_a == next->triangle_a && last->triangle_b == next->triangle_b &&
                       last->part_pair == next->part_pair;
        if (!is_same) {
            if (run->plan.clearances != NULL) { run->plan.clearances[next->part_pair].is_met = true; }
            candidates->data[candidates->count++] = *next;
        } else if (next->enter < last->enter) {
            *last = *next;
        }
    }
    return true;
}

// Candidates from `begin` on that are of the same parts and all enter at the beginning, or all later; at most
// FR__BATCH.
static uint32_t alike_from(const fr__timed_candidate *candidates, size_t begin, size_t end) {
    uint32_t part_pair = candidates[begin].part_pair, count = 1;
    bool at_start = candidates[begin].enter == 0.0f;
    while (begin + count < end && count < FR__BATCH && candidates[begin + count].part_pair == part_pair &&
           (candidates[begin + count].enter == 0.0f) == at_start) {
        count++;
    }
    return count;
}

static bool test_alike(fr__run *run, const fr__pair_geometry *geometry, int worker, const fr__timed_candidate *timed,
                       uint32_t count) {
    fr__candidate candidates[FR__BATCH];
    for (uint32_t i = 0; i < count; i++) {
        candidates[i] = (fr__candidate){timed[i].triangle_a - geometry->a.first_triangle,
                                        timed[i].triangle_b - geometry->b.first_triangle};
    }
    if (timed[0].enter == 0.0f) { return fr__step_judge_batch(run, geometry, worker, candidates, count); }
    for (uint32_t i = 0; i < count; i++) {
        if (!fr__step_judge(run, geometry, worker, candidates[i], true)) { return false; }
    }
    return true;
}

// With a budget one by one, so that it is known where it ended.
static void test_some(size_t begin, size_t end, int worker, void *context) {
    fr__run *run = context;
    fr__timed_candidate *candidates = run->scratch->candidates.data;
    fr__pair_geometry geometry = {.part_pair = FR_NONE};
    if (fr__run_has_ended(run, worker)) { return; }
    for (size_t i = begin; i < end;) {
        uint32_t part_pair = candidates[i].part_pair;
        uint32_t count = run->query.input->budget > 0 ? 1 : alike_from(candidates, i, end);
        if (geometry.part_pair != part_pair) { fr__run_geometry(run, part_pair, &geometry); }
        if (!test_alike(run, &geometry, worker, &candidates[i], count)) { return; }
        for (uint32_t k = 0; k < count; k++) {
            candidates[i + k].part_pair = FR_NONE;
        }
        i += count;
    }
}

// Of what was not tested, nothing comes together before this.
static double free_of_untested(const fr__timed_candidate_array *candidates) {
    double min = 1.0;
    for (size_t i = 0; i < candidates->count; i++) {
        const fr__timed_candidate *candidate = &candidates->data[i];
        if (candidate->part_pair != FR_NONE && (double)candidate->enter < min) { min = (double)candidate->enter; }
    }
    return min;
}

// Times are 0 or more, so their bits are in the order of the times.
static uint64_t key_of_time(const fr__timed_candidate *candidate) {
    uint32_t bits;
    memcpy(&bits, &candidate->enter, sizeof bits);
    return fr__pair_key(bits, candidate->part_pair);
}

// With a budget the earliest are tested first, so that what is left begins as late as can be.
static bool candidate_is_before(const fr__timed_candidate *a, const fr__timed_candidate *b) {
    uint64_t key_a = key_of_time(a), key_b = key_of_time(b);
    if (key_a != key_b) { return key_a < key_b; }
    return fr__pair_key(a->triangle_a, a->triangle_b) < fr__pair_key(b->triangle_a, b->triangle_b);
}

FR_SORT_TYPE(sort_by_time, fr__timed_candidate, candidate_is_before);

static double earliest_start(const fr__run *run) {
    double min = 1.0;
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        double start = fr__swept_tree_start(run, i);
        min = start < min ? start : min;
    }
    return min;
}

void fr__swept_tree_run(fr__run *run, const fr_tasks *tasks) {
    fr_collide *scratch = run->scratch;
    uint64_t start = fr_clock_ns();
    list_all(run, tasks);
    bool is_gathered = !atomic_load(&run->has_failed) && fr__output_gather(run, FR__FOUND_CANDIDATES, tasks);
    if (!is_gathered) {
        fr__run_fail(run);
        return;
    }
    if (!list_each_once(run)) { return; }
    fr__run_give_back_blocks(run);
    fr__found_pool_provide(&scratch->pool, scratch->found.count, (size_t)run->plan.worker_count);
    run->stats.ms_divide += fr_clock_ms_since(start);
    if (atomic_load(&run->is_stopped)) {
        run->free_time = earliest_start(run);
        return;
    }
    if (run->query.input->budget > 0) { sort_by_time(scratch->candidates.data, scratch->candidates.count); }
    size_t at_once = fr_tasks_worker_count(tasks) == 1 ? FR__BATCH : TESTS_AT_ONCE;
    if (scratch->share.exchange != NULL) {
        size_t count = scratch->candidates.count, grain = fr__share_grain(&scratch->share, count, TESTS_AT_ONCE);
        fr__share_run(&scratch->share, tasks, count, grain, test_some, run);
        return; // what other ranks left untested is not known here: see free_time_of
    }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, scratch->candidates.count, at_once, test_some, run);
    run->free_time = free_of_untested(&scratch->candidates);
}

// ---------------------------------------------------------------------------------------------------------------
// Listing

static bool list_new(fr__swept_walk *walk, fr__swept_candidate *candidates, uint32_t count) {
    const tree_walk *w = walk->context;
    fr__run *run = w->run;
    for (uint32_t i = 0; i < count; i++) {
        fr__candidate c = {candidates[i].a, candidates[i].b};
        fr__pair_seen seen = fr__pair_set_add(&run->scratch->workers[0].judged, c.a, c.b);
        if (seen == FR__PAIR_NO_MEMORY) { return fr__run_fail(run); }
        if (seen == FR__PAIR_SEEN) { continue; }
        run->stats.candidates++;
        if (!fr__list_put(run, w->geometry->part_pair, &c, 1)) { return false; }
    }
    return true;
}

bool fr__swept_tree_list(fr__run *run) {
    const fr__pair_geometry *geometries = run->scratch->geometries.data;
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        fr__swept_pair pair;
        tree_walk context = {run, &geometries[i], 0, {0.0, 0.0, false}};
        fr__swept_pair_make(run->query.margin + run->query.tolerance, &geometries[i], &pair);
        fr__pair_set_clear(&run->scratch->workers[0].judged);
        fr__slices slices = fr__slices_of(&pair, false);
        while (fr__slices_next(&slices, &context.slice)) {
            fr__swept_relation relation = fr__slice_relate(&pair, &context.slice);
            fr__swept_walk walk = {
                .a = &geometries[i].a, .b = &geometries[i].b, .relation = &relation, .found = list_new};
            walk.context = &context;
            walk.limit = 1.0f;
            fr__walk_memory_use(&walk, &run->scratch->workers[0]);
            bool goes_on = fr__swept_kernel()->walk(&walk, roots);
            run->stats.nodes += walk.nodes;
            if (!goes_on) { return false; }
        }
    }
    return true;
}

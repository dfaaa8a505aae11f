// First contacts: slices in the order of time, near pairs first, until nothing earlier can come.
#include "collide/swept_tree.h"

#include "collide/clearance.h"
#include "collide/slices.h"
#include "collide/step_judge.h"
#include "collide/walk_memory.h"

static const fr__node_pair roots = {0, 0, FR_NONE, FR_NONE};

// Two parts that are walked, as the callbacks of a walk see them.
typedef struct first_walk {
    fr__run *run;
    const fr__pair_geometry *geometry;
    int worker;
    fr__slice slice;
} first_walk;

// The limit of the object pair in the time of a slice, rounded up.
static float limit_in_slice(const first_walk *w) {
    double limit = fr__step_limit(w->run, w->geometry->part_pair), length = w->slice.t1 - w->slice.t0;
    if (limit >= w->slice.t1) { return 1.0f; }
    return length > 0.0 ? fr_float_up((limit - w->slice.t0) / length * (1.0 + 0x1p-40)) : 0.0f;
}

static bool test_first(fr__swept_walk *walk, fr__swept_candidate *candidates, uint32_t count) {
    first_walk *w = walk->context;
    fr__run *run = w->run;
    fr__pair_set *judged = &run->scratch->workers[w->worker].judged;
    fr__candidate at_start[FR__BATCH];
    uint32_t start_count = 0;
    for (int later = 0; later < 2; later++) { // what may cross at the beginning is looked at together, and first
        for (uint32_t i = 0; i < count; i++) {
            bool is_at_start = w->slice.t0 == 0.0 && candidates[i].enter == 0.0f;
            if (is_at_start == (later == 1) || candidates[i].enter > walk->limit) { continue; }
            fr__pair_seen seen = fr__pair_set_add(judged, candidates[i].a, candidates[i].b);
            if (seen == FR__PAIR_NO_MEMORY) { return fr__run_fail(run); }
            if (seen == FR__PAIR_SEEN) { continue; }
            fr__candidate c = {candidates[i].a, candidates[i].b};
            if (is_at_start) {
                at_start[start_count++] = c;
            } else if (!fr__step_judge(run, w->geometry, w->worker, c, true)) {
                return false;
            }
            walk->limit = limit_in_slice(w);
        }
        if (later == 0 && start_count > 0 &&
            !fr__step_judge_batch(run, w->geometry, w->worker, at_start, start_count)) {
            return false;
        }
    }
    walk->limit = limit_in_slice(w);
    return !fr__run_has_ended(run, w->worker);
}

// ---------------------------------------------------------------------------------------------------------------
// The beginning

// Over a slice in which nothing moves by more than this part of a face the walk of an instant serves.
#define STILL_PART 0.25

// The walk of the beginning: its margin holds what two points may come nearer during the slice, so what it leaves out
// never comes within the distance that counts.
typedef struct still_walk {
    first_walk first;
    const fr__swept_pair *pair;
    fr__swept_relation relation; // over the slice, once it is needed
    bool is_related;
} still_walk;

// How much nearer two points of the parts come up to t, at most.
static double nearing_until(const fr__pair_geometry *geometry, double t) {
    const fr__course *a = &geometry->course_a, *b = &geometry->course_b;
    double speed = fr_vec3_distance(a->travel, b->travel) + a->axis.angle * (a->arm + a->radius) +
                   b->axis.angle * (b->arm + b->radius);
    return t * speed * (1.0 + 0x1p-40);
}

// What surely crosses ends the search within the slice, so it need not be known later.
static bool can_be_still(const fr__run *run, const fr__pair_geometry *geometry, const fr__slice *slice) {
    const fr__course *a = &geometry->course_a, *b = &geometry->course_b;
    bool is_self = geometry->a.object == geometry->b.object && geometry->a.part == geometry->b.part;
    bool is_rigid =
        !geometry->a.is_deformed && !geometry->b.is_deformed && a->end_vertices == NULL && b->end_vertices == NULL;
    double face = a->face_size < b->face_size ? a->face_size : b->face_size;
    return slice->t0 == 0.0 && slice->t1 > FR__FIRST_SPAN && run->plan.has_limits && is_rigid && !is_self &&
           fr__step_accepts_crossing(&run->query) && nearing_until(geometry, slice->t1) <= STILL_PART * face;
}

static bool take_still(const fr__candidate *candidates, uint32_t count, void *context) {
    still_walk *w = context;
    w->first.run->scratch->workers[w->first.worker].candidates += count;
    return fr__step_put_crossing(w->first.run, w->first.geometry, w->first.worker, candidates, count);
}

static bool test_still(const fr__candidate *candidates, uint32_t count, void *context) {
    still_walk *w = context;
    if (!w->is_related) { w->relation = fr__slice_relate(w->pair, &w->first.slice); }
    w->is_related = true;
    fr__swept_candidate moving[FR__BATCH];
    for (uint32_t i = 0; i < count; i++) {
        moving[i] = (fr__swept_candidate){candidates[i].a, candidates[i].b, 0.0f, 1.0f};
    }
    fr__swept_walk walk = {.a = &w->first.geometry->a, .b = &w->first.geometry->b, .relation = &w->relation};
    walk.context = &w->first;
    walk.limit = limit_in_slice(&w->first);
    if (w->relation.is_small) { count = fr__swept_cull_kernel()->cull(&walk, moving, count); }
    w->first.run->scratch->workers[w->first.worker].candidates += count;
    return test_first(&walk, moving, count);
}

// Walks the first slice. False when the work is to end.
static bool walk_still(const fr__swept_pair *pair, const first_walk *first) {
    fr__run *run = first->run;
    const fr__pair_geometry *geometry = first->geometry;
    still_walk context = {.first = *first, .pair = pair, .is_related = false};
    fr__relation relation =
        fr__sides_relate_moving(&geometry->a, &geometry->b, pair->distance + nearing_until(geometry, first->slice.t1));
    void *memory = run->scratch->workers[first->worker].walk_memory;
    fr__face_walk walk = {&geometry->a, &geometry->b, &relation, test_still, take_still, &context, memory, 0, 0};
    bool goes_on = run->plan.walks->walk(&walk, roots);
    run->scratch->workers[first->worker].nodes += walk.nodes;
    return goes_on;
}

static bool walk_moving(const fr__swept_pair *pair, first_walk *first) {
    fr__run *run = first->run;
    fr__worker *worker = &run->scratch->workers[first->worker];
    fr__swept_relation relation = fr__slice_relate(pair, &first->slice);
    fr__swept_walk walk = {
        .a = &first->geometry->a, .b = &first->geometry->b, .relation = &relation, .found = test_first};
    walk.context = first;
    walk.by_time = first->slice.t1 > 2.0 * FR__FIRST_SPAN; // before that nearly all are first
    walk.limit = limit_in_slice(first);
    fr__walk_memory_use(&walk, worker);
    bool goes_on = fr__swept_kernel()->walk(&walk, roots);
    worker->nodes += walk.nodes;
    worker->candidates += walk.candidates;
    return goes_on;
}

// ---------------------------------------------------------------------------------------------------------------
// Slice after slice

// The first contacts of two parts. Returns the time up to which nothing was left out: FR__NO_TIME_LIMIT when it
// was done.
static double find_first(fr__run *run, uint32_t part_pair, int worker) {
    fr__pair_geometry geometry;
    fr__swept_pair pair;
    first_walk context = {run, &geometry, worker, {0.0, 0.0, false}};
    fr__run_geometry(run, part_pair, &geometry);
    fr__swept_pair_make(run->query.margin + run->query.tolerance, &geometry, &pair);
    if (fr__clearance_skips(run, &pair, worker)) { return FR__NO_TIME_LIMIT; }
    const fr__worker *of_worker = &run->scratch->workers[worker];
    uint64_t nodes = of_worker->nodes, candidates = of_worker->candidates;
    fr__pair_set_clear(&run->scratch->workers[worker].judged);
    fr__slices slices = fr__slices_of(&pair, true);
    while (fr__slices_next(&slices, &context.slice)) {
        if (context.slice.t0 > fr__step_limit(run, part_pair)) { break; }
        if (fr__run_has_ended(run, worker)) { return context.slice.t0; }
        bool goes_on =
            can_be_still(run, &geometry, &context.slice) ? walk_still(&pair, &context) : walk_moving(&pair, &context);
        if (!goes_on) { return context.slice.t0; }
    }
    if (of_worker->candidates == candidates) { fr__clearance_report(run, part_pair, of_worker->nodes - nodes); }
    return FR__NO_TIME_LIMIT;
}

// What is known of the objects of two parts, before these are looked at; and what was found, for the next ones.
static void take_limit(fr__run *run, uint32_t part_pair) {
    const fr_double_array *object_limits = &run->scratch->object_limits;
    run->scratch->limits.data[part_pair] = object_limits->data[run->plan.part_pairs[part_pair].object_pair];
}

static void report_limit(fr__run *run, uint32_t part_pair) {
    double limit = fr__step_limit(run, part_pair);
    double *object_limit = &run->scratch->object_limits.data[run->plan.part_pairs[part_pair].object_pair];
    if (limit < *object_limit) { *object_limit = limit; }
}

static void find_some_first(size_t begin, size_t end, int worker, void *context) {
    fr__run *run = context;
    double *free_until = run->scratch->free_until.data;
    const uint32_t *round = run->scratch->round.data;
    bool is_alone = run->plan.worker_count == 1; // then all that was found before is known
    for (size_t i = begin; i < end; i++) {
        if (fr__run_has_ended(run, worker)) { return; }
        if (is_alone) { take_limit(run, round[i]); }
        free_until[round[i]] = find_first(run, round[i], worker);
        if (is_alone) { report_limit(run, round[i]); }
    }
}

// Puts the pairs of parts from `begin` up to `end` of each pair of objects to the round. False: there are none.
static bool make_round(fr__run *run, uint64_t begin, uint64_t end) {
    uint32_t *round = run->scratch->round.data;
    size_t count = 0;
    for (uint32_t i = 0, first = 0; i < run->plan.part_pair_count; i++) {
        if (run->plan.part_pairs[i].object_pair != run->plan.part_pairs[first].object_pair) { first = i; }
        if (i - first < begin || i - first >= end) { continue; }
        take_limit(run, i);
        round[count++] = i;
    }
    run->scratch->round.count = count;
    return count > 0;
}

static void end_round(fr__run *run) {
    const uint32_t *round = run->scratch->round.data;
    for (size_t i = 0; i < run->scratch->round.count; i++) {
        report_limit(run, round[i]);
    }
}

// Whichever worker gets the part pair with the most candidates next time has room for them.
static void provide_sets(fr__run *run) {
    fr__worker *workers = run->scratch->workers;
    size_t max = 0;
    for (int w = 0; w < run->plan.worker_count; w++) {
        size_t places = workers[w].judged.places.count;
        max = places > max ? places : max;
    }
    for (int w = 0; w < run->plan.worker_count; w++) {
        fr__pair_set_provide(&workers[w].judged, max);
    }
}

// Parts of a pair of objects that are looked at at once in the first round.
enum { FIRST_ROUND = 4 };

// Several workers go in rounds, so that what is looked at does not depend on which worker is faster: of each pair of
// objects some parts at once, then twice as many, that know what the ones before found.
void fr__swept_tree_first(fr__run *run, const fr_tasks *tasks) {
    fr_collide *scratch = run->scratch;
    scratch->free_until.count = scratch->round.count = 0;
    double *free_until = fr_double_array_push(&scratch->free_until, run->plan.part_pair_count);
    if (free_until == NULL || !fr_uint32_array_reserve(&scratch->round, run->plan.part_pair_count)) {
        fr__run_fail(run);
        return;
    }
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        free_until[i] = -1.0; // not looked at
    }
    uint64_t begin = 0, size = run->plan.worker_count > 1 ? FIRST_ROUND : UINT32_MAX;
    for (; make_round(run, begin, begin + size) && !fr__run_has_ended(run, 0); size *= 2) {
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, scratch->round.count, 1, find_some_first, run);
        end_round(run);
        begin += size;
    }
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        double until = free_until[i] < 0.0 ? fr__swept_tree_start(run, i) : free_until[i];
        run->free_time = until < run->free_time ? until : run->free_time;
    }
    provide_sets(run);
}

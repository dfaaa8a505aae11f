// First contacts: slices in the order of time, near pairs first, until nothing earlier can come.
#include "collide/swept_tree.h"

#include "collide/clearance.h"
#include "collide/slices.h"
#include "collide/step_judge.h"

static const fr__node_pair roots = {0, 0, FR_NONE, FR_NONE};

// Two parts that are walked, as the callbacks of a walk see them.
typedef struct walked {
    fr__question *question;
    const fr__case *of;
    int worker;
    fr__slice slice;
} walked;

// The limit of the object pair in the time of a slice, rounded up.
static float limit_in_slice(const walked *w) {
    double limit = fr__step_limit(w->question, w->of->parts), length = w->slice.t1 - w->slice.t0;
    if (limit >= w->slice.t1) { return 1.0f; }
    return length > 0.0 ? fr_float_up((limit - w->slice.t0) / length * (1.0 + 0x1p-40)) : 0.0f;
}

static bool test_first(fr__swept_walk *walk, const fr__swept_candidate *candidates, uint32_t count) {
    walked *w = walk->context;
    fr__question *q = w->question;
    fr__pair_set *judged = &q->collide->workers[w->worker].judged;
    fr__candidate at_start[FR__BATCH];
    uint32_t start_count = 0;
    for (int later = 0; later < 2; later++) { // what may cross at the beginning is looked at together, and first
        for (uint32_t i = 0; i < count; i++) {
            bool is_at_start = w->slice.t0 == 0.0 && candidates[i].enter == 0.0f;
            if (is_at_start == (later == 1) || candidates[i].enter > walk->limit) { continue; }
            fr__pair_seen seen = fr__pair_set_add(judged, candidates[i].a, candidates[i].b);
            if (seen == FR__PAIR_NO_MEMORY) { return fr__question_fail(q); }
            if (seen == FR__PAIR_SEEN) { continue; }
            fr__candidate c = {candidates[i].a, candidates[i].b};
            if (is_at_start) {
                at_start[start_count++] = c;
            } else if (!fr__step_judge(q, w->of, w->worker, c, true)) {
                return false;
            }
            walk->limit = limit_in_slice(w);
        }
        if (later == 0 && start_count > 0 && !fr__step_judge_batch(q, w->of, w->worker, at_start, start_count)) {
            return false;
        }
    }
    walk->limit = limit_in_slice(w);
    return !fr__question_ended(q, w->worker);
}

// ---------------------------------------------------------------------------------------------------------------
// The beginning

// Over a slice in which nothing moves by more than this part of a face the walk of an instant serves.
#define STILL_PART 0.25

// The walk of the beginning: its margin holds what two points may come nearer during the slice, so what it leaves out
// never comes within the distance that counts.
typedef struct still_walk {
    walked first;
    const fr__swept_pair *pair;
    fr__swept_relation relation; // over the slice, once it is asked for
    bool is_related;
} still_walk;

// How much nearer two points of the parts come up to t, at most.
static double way_until(const fr__case *of, double t) {
    const fr__course *a = &of->course_a, *b = &of->course_b;
    double way = fr_vec3_distance(a->travel, b->travel) + a->axis.angle * (a->arm + a->radius) +
                 b->axis.angle * (b->arm + b->radius);
    return t * way * (1.0 + 0x1p-40);
}

// What surely crosses ends the search within the slice, so it need not be known later.
static bool can_be_still(const fr__question *q, const fr__case *of, const fr__slice *slice) {
    const fr__course *a = &of->course_a, *b = &of->course_b;
    bool is_self = of->a.object == of->b.object && of->a.part == of->b.part;
    bool is_rigid = !of->a.is_deformed && !of->b.is_deformed && a->end_vertices == NULL && b->end_vertices == NULL;
    double face = a->face_size < b->face_size ? a->face_size : b->face_size;
    return slice->t0 == 0.0 && slice->t1 > FR__FIRST_SPAN && q->has_limits && is_rigid && !is_self &&
           fr__step_tells_crossing(q) && way_until(of, slice->t1) <= STILL_PART * face;
}

static bool take_still(const fr__candidate *candidates, uint32_t count, void *context) {
    still_walk *w = context;
    w->first.question->collide->workers[w->first.worker].candidates += count;
    return fr__step_put_crossing(w->first.question, w->first.of, w->first.worker, candidates, count);
}

static bool test_still(const fr__candidate *candidates, uint32_t count, void *context) {
    still_walk *w = context;
    if (!w->is_related) { w->relation = fr__slice_relate(w->pair, &w->first.slice); }
    w->is_related = true;
    fr__swept_candidate moving[FR__BATCH];
    for (uint32_t i = 0; i < count; i++) {
        moving[i] = (fr__swept_candidate){candidates[i].a, candidates[i].b, 0.0f, 1.0f};
    }
    fr__swept_walk walk = {.a = &w->first.of->a, .b = &w->first.of->b, .relation = &w->relation};
    walk.context = &w->first;
    walk.limit = limit_in_slice(&w->first);
    if (w->relation.is_small) { count = fr__swept_cull_kernel()->cull(&walk, moving, count); }
    w->first.question->collide->workers[w->first.worker].candidates += count;
    return test_first(&walk, moving, count);
}

// Walks the first slice. False when the work is to end.
static bool walk_still(const fr__swept_pair *pair, const walked *first) {
    fr__question *q = first->question;
    const fr__case *of = first->of;
    still_walk context = {.first = *first, .pair = pair, .is_related = false};
    fr__relation relation = fr__sides_relate_moving(&of->a, &of->b, pair->distance + way_until(of, first->slice.t1));
    fr__face_walk walk = {&of->a, &of->b, &relation, test_still, take_still, &context, 0, 0};
    bool goes_on = q->walks->walk(&walk, roots);
    q->collide->workers[first->worker].nodes += walk.nodes;
    return goes_on;
}

static bool walk_moving(const fr__swept_pair *pair, walked *first) {
    fr__question *q = first->question;
    fr__worker *worker = &q->collide->workers[first->worker];
    fr__swept_relation relation = fr__slice_relate(pair, &first->slice);
    fr__swept_walk walk = {.a = &first->of->a, .b = &first->of->b, .relation = &relation, .found = test_first};
    walk.context = first;
    walk.by_time = first->slice.t1 > 2.0 * FR__FIRST_SPAN; // before that nearly all are first
    walk.limit = limit_in_slice(first);
    bool goes_on = fr__swept_kernel()->walk(&walk, roots);
    worker->nodes += walk.nodes;
    worker->candidates += walk.candidates;
    return goes_on;
}

// ---------------------------------------------------------------------------------------------------------------
// Slice after slice

// The first contacts of two parts. Returns the time up to which nothing was left out: 2 when it was done.
static double find_first(fr__question *q, uint32_t parts, int worker) {
    fr__case of;
    fr__swept_pair pair;
    walked context = {q, &of, worker, {0.0, 0.0, false}};
    fr__case_make(q, parts, &of);
    fr__swept_pair_make(q->margin + q->tolerance, &of, &pair);
    if (fr__clearance_skips(q, &pair, worker)) { return 2.0; }
    const fr__worker *of_worker = &q->collide->workers[worker];
    uint64_t nodes = of_worker->nodes, candidates = of_worker->candidates;
    fr__pair_set_clear(&q->collide->workers[worker].judged);
    fr__slices slices = fr__slices_of(&pair, true);
    while (fr__slices_next(&slices, &context.slice)) {
        if (context.slice.t0 > fr__step_limit(q, parts)) { break; }
        if (fr__question_ended(q, worker)) { return context.slice.t0; }
        bool goes_on =
            can_be_still(q, &of, &context.slice) ? walk_still(&pair, &context) : walk_moving(&pair, &context);
        if (!goes_on) { return context.slice.t0; }
    }
    if (of_worker->candidates == candidates) { fr__clearance_tell(q, parts, of_worker->nodes - nodes); }
    return 2.0;
}

// What is known of the objects of two parts, before these are looked at; and what was found, for the next ones.
static void take_limit(fr__question *q, uint32_t parts) {
    const double *of_objects = q->collide->object_limits.data;
    ((double *)q->collide->limits.data)[parts] = of_objects[fr__question_parts(q, parts)->object_pair];
}

static void tell_limit(fr__question *q, uint32_t parts) {
    double limit = fr__step_limit(q, parts);
    double *of_objects = (double *)q->collide->object_limits.data + fr__question_parts(q, parts)->object_pair;
    if (limit < *of_objects) { *of_objects = limit; }
}

static void find_some_first(size_t begin, size_t end, int worker, void *context) {
    fr__question *q = context;
    double *free_until = q->collide->progress.data;
    const uint32_t *round = q->collide->round.data;
    bool is_alone = q->worker_count == 1; // then all that was found before is known
    for (size_t i = begin; i < end; i++) {
        if (fr__question_ended(q, worker)) { return; }
        if (is_alone) { take_limit(q, round[i]); }
        free_until[round[i]] = find_first(q, round[i], worker);
        if (is_alone) { tell_limit(q, round[i]); }
    }
}

// Puts the pairs of parts from `begin` up to `end` of each pair of objects to the round. False: there are none.
static bool make_round(fr__question *q, uint64_t begin, uint64_t end) {
    uint32_t *round = q->collide->round.data;
    size_t count = 0;
    for (uint32_t i = 0, first = 0; i < q->parts_count; i++) {
        if (fr__question_parts(q, i)->object_pair != fr__question_parts(q, first)->object_pair) { first = i; }
        if (i - first < begin || i - first >= end) { continue; }
        take_limit(q, i);
        round[count++] = i;
    }
    q->collide->round.count = count;
    return count > 0;
}

static void end_round(fr__question *q) {
    const uint32_t *round = q->collide->round.data;
    for (size_t i = 0; i < q->collide->round.count; i++) {
        tell_limit(q, round[i]);
    }
}

// Whoever gets the two parts with the most pairs next time has room for them.
static void provide_sets(fr__question *q) {
    fr__worker *workers = q->collide->workers;
    size_t most = 0;
    for (int w = 0; w < q->worker_count; w++) {
        size_t places = workers[w].judged.places.count;
        most = places > most ? places : most;
    }
    for (int w = 0; w < q->worker_count; w++) {
        fr__pair_set_provide(&workers[w].judged, most);
    }
}

// Parts of a pair of objects that are looked at at once in the first round.
enum { FIRST_ROUND = 4 };

// Several workers go in rounds, so that what is looked at does not depend on who is faster: of each pair of objects
// some parts at once, then twice as many, that know what the ones before found.
void fr__swept_tree_first(fr__question *q, const fr_tasks *tasks) {
    fr_collide *collide = q->collide;
    collide->progress.count = collide->round.count = 0;
    double *free_until = fr_array_push(&collide->progress, q->parts_count);
    if (free_until == NULL || !fr_array_reserve(&collide->round, q->parts_count)) {
        fr__question_fail(q);
        return;
    }
    for (uint32_t i = 0; i < q->parts_count; i++) {
        free_until[i] = -1.0; // not looked at
    }
    uint64_t begin = 0, size = q->worker_count > 1 ? FIRST_ROUND : UINT32_MAX;
    for (; make_round(q, begin, begin + size) && !fr__question_ended(q, 0); size *= 2) {
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, collide->round.count, 1, find_some_first, q);
        end_round(q);
        begin += size;
    }
    for (uint32_t i = 0; i < q->parts_count; i++) {
        double until = free_until[i] < 0.0 ? fr__swept_tree_start(q, i) : free_until[i];
        q->free_time = until < q->free_time ? until : q->free_time;
    }
    provide_sets(q);
}

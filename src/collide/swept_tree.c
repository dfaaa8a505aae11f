#include "collide/swept_tree.h"

#include "collide/answer.h"
#include "collide/clearance.h"
#include "collide/slices.h"
#include "collide/step_judge.h"
#include "shape/tree.h"

#include <string.h>

// Pairs of parts that a worker takes at once, and pairs of triangles to be tested.
enum { PARTS_AT_ONCE = 8, TESTS_AT_ONCE = 16 };

// A walk of more triangles than this is shared; and how many pieces a worker should find.
enum { SHARED_TRIANGLES = 8192, PIECES_A_WORKER = 32 };

static const fr__node_pair roots = {0, 0, FR_NONE, FR_NONE};

static void count_walk(fr__worker *worker, const fr__swept_walk *walk) {
    worker->nodes += walk->nodes;
    worker->candidates += walk->candidates;
}

// Two parts that are walked, as the callbacks of a walk see them.
typedef struct walked {
    fr__question *question;
    const fr__case *of;
    int worker;
    fr__slice slice;
} walked;

// The time of the step at which a candidate enters, rounded down.
static float enter_time(const fr__slice *slice, float enter) {
    double t = slice->t0 + (slice->t1 - slice->t0) * (double)(enter < 0.0f ? 0.0f : enter);
    return t < 1.0 ? fr_float_down(t * (1.0 - 0x1p-40)) : 1.0f;
}

double fr__swept_tree_start(const fr__question *q, uint32_t parts) {
    fr__case of;
    fr__swept_pair pair;
    fr__slice slice;
    fr__case_make(q, parts, &of);
    fr__swept_pair_make(q->margin + q->tolerance, &of, &pair);
    fr__slices slices = fr__slices_of(&pair, false);
    return fr__slices_next(&slices, &slice) ? slice.t0 : 2.0;
}

// ---------------------------------------------------------------------------------------------------------------
// All contacts: what may meet is put to the hits, then sorted, then judged

static bool put_listed(fr__swept_walk *walk, const fr__swept_candidate *candidates, uint32_t count) {
    const walked *w = walk->context;
    fr_collide *collide = w->question->collide;
    fr__hit_list *hits = &collide->workers[w->worker].hits;
    for (uint32_t i = 0; i < count; i++) {
        const fr__swept_candidate *c = &candidates[i];
        uint64_t key = fr__two_in_one(w->of->a.first_triangle + c->a, w->of->b.first_triangle + c->b);
        float enter = enter_time(&w->slice, c->enter);
        uint32_t bits;
        memcpy(&bits, &enter, sizeof bits);
        if (!fr__hit_put(&collide->pool, hits, key, fr__two_in_one(w->of->parts, bits))) {
            return fr__question_fail(w->question);
        }
    }
    return !fr__question_ended(w->question, w->worker);
}

static bool walk_slice(fr__question *q, const fr__swept_pair *pair, const fr__slice *slice, fr__node_pair start,
                       int worker) {
    fr__swept_relation relation = fr__slice_relate(pair, slice);
    walked context = {q, pair->of, worker, *slice};
    fr__swept_walk walk = {.a = &pair->of->a, .b = &pair->of->b, .relation = &relation, .found = put_listed};
    walk.context = &context;
    walk.limit = 1.0f;
    bool goes_on = fr__swept_kernel()->walk(&walk, start);
    count_walk(&q->collide->workers[worker], &walk);
    return goes_on;
}

static bool list_parts(fr__question *q, uint32_t parts, int worker) {
    fr__case of;
    fr__swept_pair pair;
    fr__slice slice;
    fr__case_make(q, parts, &of);
    fr__swept_pair_make(q->margin + q->tolerance, &of, &pair);
    if (fr__clearance_skips(q, &pair, worker)) { return true; }
    const fr__worker *of_worker = &q->collide->workers[worker];
    uint64_t nodes = of_worker->nodes, candidates = of_worker->candidates;
    fr__slices slices = fr__slices_of(&pair, false);
    while (fr__slices_next(&slices, &slice)) {
        if (!walk_slice(q, &pair, &slice, roots, worker)) { return false; }
    }
    if (of_worker->candidates == candidates) { fr__clearance_tell(q, parts, of_worker->nodes - nodes); }
    return true;
}

static void list_some_parts(size_t begin, size_t end, int worker, void *context) {
    fr__question *q = context;
    for (size_t i = begin; i < end; i++) {
        // Asked first: every further piece of the work comes here once more after a stop.
        if (fr__question_ended(q, worker) || !list_parts(q, (uint32_t)i, worker)) { return; }
    }
}

// Puts the slices of two parts to the pieces, each opened breadth first until there are `wanted`.
static bool split_slice(fr__question *q, const fr__swept_pair *pair, const fr__slice *slice, size_t wanted) {
    fr_array *pieces = &q->collide->pieces;
    const fr__side *a = &pair->of->a, *b = &pair->of->b;
    bool is_large = a->triangle_count + b->triangle_count > SHARED_TRIANGLES;
    fr__swept_relation relation = fr__slice_relate(pair, slice);
    fr__swept_walk walk = {.a = a, .b = b, .relation = &relation, .limit = 1.0f};
    fr__piece *first = fr_array_push(pieces, 1);
    if (first == NULL) { return fr__question_fail(q); }
    *first = (fr__piece){pair->of->parts, *slice, roots};
    size_t head = pieces->count - 1;
    while (is_large && head < pieces->count && pieces->count - head < wanted) {
        fr__node_pair nodes = ((fr__piece *)pieces->data)[head].nodes, opened[FR__NODE_PAIRS];
        if (fr__tree_is_leaf(nodes.a) && fr__tree_is_leaf(nodes.b)) { break; }
        uint32_t count = fr__swept_kernel()->open(&walk, nodes, opened);
        fr__piece *out = fr_array_push(pieces, count);
        if (out == NULL) { return fr__question_fail(q); }
        for (uint32_t i = 0; i < count; i++) {
            out[i] = (fr__piece){pair->of->parts, *slice, opened[i]};
        }
        ((fr__piece *)pieces->data)[head++].parts = FR_NONE;
    }
    count_walk(&q->collide->workers[0], &walk);
    return true;
}

static bool split_parts(fr__question *q, uint32_t parts, size_t wanted) {
    fr__case of;
    fr__swept_pair pair;
    fr__slice slice;
    fr__case_make(q, parts, &of);
    fr__swept_pair_make(q->margin + q->tolerance, &of, &pair);
    if (fr__clearance_skips(q, &pair, 0)) { return true; }
    size_t first = q->collide->pieces.count;
    fr__slices slices = fr__slices_of(&pair, false);
    while (fr__slices_next(&slices, &slice)) {
        if (!split_slice(q, &pair, &slice, wanted)) { return false; }
    }
    // What is found by others later takes it back.
    if (q->collide->pieces.count > first) { fr__clearance_tell(q, parts, UINT64_MAX); }
    return true;
}

static void list_pieces(size_t begin, size_t end, int worker, void *context) {
    fr__question *q = context;
    const fr__piece *pieces = q->collide->pieces.data;
    for (size_t i = begin; i < end; i++) {
        if (pieces[i].parts == FR_NONE) { continue; }
        fr__case of;
        fr__swept_pair pair;
        fr__case_make(q, pieces[i].parts, &of);
        fr__swept_pair_make(q->margin + q->tolerance, &of, &pair);
        if (fr__question_ended(q, worker) || !walk_slice(q, &pair, &pieces[i].slice, pieces[i].nodes, worker)) {
            return;
        }
    }
}

static void list_all(fr__question *q, const fr_tasks *tasks) {
    int worker_count = fr_tasks_worker_count(tasks);
    size_t wanted = (size_t)worker_count * PIECES_A_WORKER;
    if (worker_count == 1 || q->parts_count >= wanted * PARTS_AT_ONCE) {
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, q->parts_count, PARTS_AT_ONCE, list_some_parts, q);
        return;
    }
    q->collide->pieces.count = 0;
    for (uint32_t i = 0; i < q->parts_count; i++) {
        if (!split_parts(q, i, wanted)) { return; }
    }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, q->collide->pieces.count, 1, list_pieces, q);
}

// ---------------------------------------------------------------------------------------------------------------
// Testing what was listed

// Slices that follow one another list what they share twice: once is enough, at the earlier time. Pairs of one object
// pair are sorted, and different ones may have equal keys.
static bool keep_each_once(fr__question *q) {
    fr_array *swept = &q->collide->swept;
    const fr__keyed *pairs = q->collide->records.data;
    swept->count = 0;
    if (!fr_array_reserve(swept, q->collide->records.count)) { return fr__question_fail(q); }
    for (size_t i = 0; i < q->collide->records.count; i++) {
        fr__keyed *kept = swept->data, *last = swept->count > 0 ? &kept[swept->count - 1] : NULL;
        bool is_same =
            last != NULL && last->key == pairs[i].key && fr__first_of(last->value) == fr__first_of(pairs[i].value);
        if (!is_same) {
            if (q->clearances != NULL) { q->clearances[fr__first_of(pairs[i].value)].is_met = true; }
            kept[swept->count++] = pairs[i];
        } else if (fr__second_of(pairs[i].value) < fr__second_of(last->value)) {
            *last = pairs[i];
        }
    }
    return true;
}

// Pairs from `begin` on that are of the same parts and all enter at the beginning, or all later; at most FR__BATCH.
static uint32_t alike_from(const fr__keyed *pairs, size_t begin, size_t end) {
    uint32_t parts = fr__first_of(pairs[begin].value), count = 1;
    bool at_start = fr__second_of(pairs[begin].value) == 0;
    while (begin + count < end && count < FR__BATCH && fr__first_of(pairs[begin + count].value) == parts &&
           (fr__second_of(pairs[begin + count].value) == 0) == at_start) {
        count++;
    }
    return count;
}

static bool test_alike(fr__question *q, const fr__case *of, int worker, const fr__keyed *pairs, uint32_t count) {
    fr__candidate candidates[FR__BATCH];
    for (uint32_t i = 0; i < count; i++) {
        candidates[i] = (fr__candidate){fr__first_of(pairs[i].key) - of->a.first_triangle,
                                        fr__second_of(pairs[i].key) - of->b.first_triangle};
    }
    if (fr__second_of(pairs[0].value) == 0) { return fr__step_judge_batch(q, of, worker, candidates, count); }
    for (uint32_t i = 0; i < count; i++) {
        if (!fr__step_judge(q, of, worker, candidates[i], true)) { return false; }
    }
    return true;
}

// With a budget one by one, so that it is known where it ended.
static void test_some(size_t begin, size_t end, int worker, void *context) {
    fr__question *q = context;
    fr__keyed *pairs = q->collide->swept.data;
    fr__case of = {.parts = FR_NONE};
    if (fr__question_ended(q, worker)) { return; }
    for (size_t i = begin; i < end;) {
        uint32_t parts = fr__first_of(pairs[i].value), count = q->input->budget > 0 ? 1 : alike_from(pairs, i, end);
        if (of.parts != parts) { fr__case_make(q, parts, &of); }
        if (!test_alike(q, &of, worker, &pairs[i], count)) { return; }
        for (uint32_t k = 0; k < count; k++) {
            pairs[i + k].value = UINT64_MAX; // it is done
        }
        i += count;
    }
}

static float enter_of(const fr__keyed *pair) {
    uint32_t bits = fr__second_of(pair->value);
    float enter;
    memcpy(&enter, &bits, sizeof enter);
    return enter;
}

// Of what was not tested, nothing comes together before this.
static double free_of_untested(const fr__question *q) {
    const fr__keyed *pairs = q->collide->swept.data;
    double least = 1.0;
    for (size_t i = 0; i < q->collide->swept.count; i++) {
        if (pairs[i].value != UINT64_MAX && (double)enter_of(&pairs[i]) < least) {
            least = (double)enter_of(&pairs[i]);
        }
    }
    return least;
}

// With a budget the earliest are tested first, so that what is left begins as late as can be.
static bool order_by_time(fr__question *q) {
    fr_array *swept = &q->collide->swept, *scratch = &q->collide->scratch;
    if (!fr_array_reserve(scratch, swept->count)) { return fr__question_fail(q); }
    fr__keyed *pairs = swept->data;
    for (size_t i = 0; i < swept->count; i++) {
        fr__keyed pair = pairs[i];
        pairs[i] = (fr__keyed){fr__two_in_one(fr__second_of(pair.value), fr__first_of(pair.value)), pair.key};
    }
    fr__keyed_sort(pairs, swept->count, scratch->data);
    for (size_t i = 0; i < swept->count; i++) {
        fr__keyed pair = pairs[i];
        pairs[i] = (fr__keyed){pair.value, fr__two_in_one(fr__second_of(pair.key), fr__first_of(pair.key))};
    }
    return true;
}

static double least_start(const fr__question *q) {
    double least = 1.0;
    for (uint32_t i = 0; i < q->parts_count; i++) {
        double start = fr__swept_tree_start(q, i);
        least = start < least ? start : least;
    }
    return least;
}

void fr__swept_tree_run(fr__question *q, const fr_tasks *tasks) {
    fr_collide *collide = q->collide;
    uint64_t start = fr_clock_ns();
    q->is_listing = true;
    list_all(q, tasks);
    bool is_gathered = !atomic_load(&q->failed) && fr__answer_gather(q, tasks);
    q->is_listing = false;
    if (!is_gathered) {
        fr__question_fail(q);
        return;
    }
    if (!keep_each_once(q)) { return; }
    fr__question_give_back_hits(q);
    fr__hit_pool_provide(&collide->pool, collide->records.count, (size_t)q->worker_count);
    q->stats.ms_divide += fr_clock_ms_since(start);
    if (atomic_load(&q->stopped)) {
        q->free_time = least_start(q);
        return;
    }
    if (q->input->budget > 0 && !order_by_time(q)) { return; }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, collide->swept.count, TESTS_AT_ONCE, test_some, q);
    q->free_time = free_of_untested(q);
}

// ---------------------------------------------------------------------------------------------------------------
// Listing

static bool list_new(fr__swept_walk *walk, const fr__swept_candidate *candidates, uint32_t count) {
    const walked *w = walk->context;
    fr__question *q = w->question;
    for (uint32_t i = 0; i < count; i++) {
        fr__candidate c = {candidates[i].a, candidates[i].b};
        fr__pair_seen seen = fr__pair_set_add(&q->collide->workers[0].judged, c.a, c.b);
        if (seen == FR__PAIR_NO_MEMORY) { return fr__question_fail(q); }
        if (seen == FR__PAIR_SEEN) { continue; }
        q->stats.candidates++;
        if (!fr__list_put(q, w->of->parts, &c, 1)) { return false; }
    }
    return true;
}

bool fr__swept_tree_list(fr__question *q) {
    const fr__case *cases = q->collide->cases.data;
    for (uint32_t i = 0; i < q->parts_count; i++) {
        fr__swept_pair pair;
        walked context = {q, &cases[i], 0, {0.0, 0.0, false}};
        fr__swept_pair_make(q->margin + q->tolerance, &cases[i], &pair);
        fr__pair_set_clear(&q->collide->workers[0].judged);
        fr__slices slices = fr__slices_of(&pair, false);
        while (fr__slices_next(&slices, &context.slice)) {
            fr__swept_relation relation = fr__slice_relate(&pair, &context.slice);
            fr__swept_walk walk = {.a = &cases[i].a, .b = &cases[i].b, .relation = &relation, .found = list_new};
            walk.context = &context;
            walk.limit = 1.0f;
            bool goes_on = fr__swept_kernel()->walk(&walk, roots);
            q->stats.nodes += walk.nodes;
            if (!goes_on) { return false; }
        }
    }
    return true;
}

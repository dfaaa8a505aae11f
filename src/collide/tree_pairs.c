#include "collide/tree_pairs.h"

#include "shape/tree.h"
#include "space/part.h"

// Pairs of parts that a worker takes at once.
enum { PARTS_AT_ONCE = 8 };

// A walk of more triangles than this is shared; and how many pieces a worker should find.
enum { SHARED_TRIANGLES = 8192, PIECES_A_WORKER = 32 };

static const fr__node_pair roots = {0, 0, FR_NONE, FR_NONE};

// ---------------------------------------------------------------------------------------------------------------
// One walk

typedef struct tested_walk {
    fr__question *question;
    const fr__case *of;
    int worker;
} tested_walk;

static bool test_batch(const fr__candidate *candidates, uint32_t count, void *context) {
    const tested_walk *walk = context;
    return fr__judge_batch(walk->question, walk->of, walk->worker, candidates, count);
}

static bool take_crossing(const fr__candidate *candidates, uint32_t count, void *context) {
    const tested_walk *walk = context;
    return fr__judge_crossing(walk->question, walk->of, walk->worker, candidates, count);
}

static void count_walk(fr__worker *worker, const fr__face_walk *walk) {
    worker->nodes += walk->nodes;
    worker->candidates += walk->candidates;
}

// Walks below `start` and tests. False when the work is to end.
static bool walk_and_test(fr__question *q, const fr__case *of, const fr__relation *relation, fr__node_pair start,
                          int worker) {
    tested_walk context = {q, of, worker};
    fr__face_walk walk = {&of->a, &of->b, relation, test_batch, take_crossing, &context, 0, 0};
    bool goes_on = q->walks->walk(&walk, start);
    count_walk(&q->collide->workers[worker], &walk);
    return goes_on;
}

// Whether the balls of two parts are apart: every other pair of the broad phase is, and needs no case.
static bool balls_are_apart(const fr__question *q, uint32_t parts) {
    const fr__parts *pair = fr__question_parts(q, parts);
    const fr__object *a = fr__space_object(q->space, pair->object_a), *b = fr__space_object(q->space, pair->object_b);
    return fr__parts_are_apart(a, &a->parts[pair->part_a], b, &b->parts[pair->part_b], q->margin);
}

static bool walk_parts(fr__question *q, uint32_t parts, fr__node_pair start, int worker) {
    if (balls_are_apart(q, parts)) { return true; }
    fr__case of;
    fr__case_make(q, parts, &of);
    bool is_deformed = of.a.is_deformed || of.b.is_deformed;
    if (is_deformed && fr__sides_are_apart(&of.a, &of.b, q->margin)) { return true; }
    fr__relation relation = fr__sides_relate(&of.a, &of.b, q->margin);
    return walk_and_test(q, &of, &relation, start, worker);
}

// ---------------------------------------------------------------------------------------------------------------
// Shared work

// Puts pairs of nodes of two parts to the list of starts: opened breadth first until there are `wanted`.
static bool split_walk(fr__question *q, uint32_t parts, size_t wanted) {
    fr__case of;
    fr__case_make(q, parts, &of);
    if (fr__sides_are_apart(&of.a, &of.b, q->margin)) { return true; }
    fr_array *starts = &q->collide->starts;
    bool is_large = of.a.triangle_count + of.b.triangle_count > SHARED_TRIANGLES;
    fr__relation relation = fr__sides_relate(&of.a, &of.b, q->margin);
    fr__face_walk walk = {&of.a, &of.b, &relation, NULL, NULL, NULL, 0, 0};

    fr__start *first = fr_array_push(starts, 1);
    if (first == NULL) { return fr__question_fail(q); }
    *first = (fr__start){parts, roots};
    size_t head = starts->count - 1;
    while (is_large && head < starts->count && starts->count - head < wanted) {
        fr__node_pair pair = ((fr__start *)starts->data)[head].nodes, opened[FR__NODE_PAIRS];
        if (fr__tree_is_leaf(pair.a) && fr__tree_is_leaf(pair.b)) { break; }
        uint32_t count = q->walks->open(&walk, pair, opened);
        fr__start *out = fr_array_push(starts, count);
        if (out == NULL) { return fr__question_fail(q); }
        for (uint32_t i = 0; i < count; i++) {
            out[i] = (fr__start){parts, opened[i]};
        }
        ((fr__start *)starts->data)[head++].parts = FR_NONE; // it was opened
    }
    count_walk(&q->collide->workers[0], &walk);
    return true;
}

static void run_starts(size_t begin, size_t end, int worker, void *context) {
    fr__question *q = context;
    const fr__start *starts = q->collide->starts.data;
    for (size_t i = begin; i < end; i++) {
        if (starts[i].parts == FR_NONE) { continue; }
        if (fr__question_ended(q, worker) || !walk_parts(q, starts[i].parts, starts[i].nodes, worker)) { return; }
    }
}

static void run_parts(size_t begin, size_t end, int worker, void *context) {
    fr__question *q = context;
    for (size_t i = begin; i < end; i++) {
        // Asked first: every further piece of the work comes here once more after a stop.
        if (fr__question_ended(q, worker) || !walk_parts(q, (uint32_t)i, roots, worker)) { return; }
    }
}

void fr__tree_pairs_run(fr__question *q, const fr_tasks *tasks) {
    int worker_count = fr_tasks_worker_count(tasks);
    size_t wanted = (size_t)worker_count * PIECES_A_WORKER;
    if (worker_count == 1 || q->parts_count >= wanted * PARTS_AT_ONCE) {
        fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, q->parts_count, PARTS_AT_ONCE, run_parts, q);
        return;
    }
    q->collide->starts.count = 0;
    for (uint32_t i = 0; i < q->parts_count; i++) {
        if (!split_walk(q, i, wanted)) { return; }
    }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, q->collide->starts.count, 1, run_starts, q);
}

// ---------------------------------------------------------------------------------------------------------------
// Listing

typedef struct listed_walk {
    fr__question *question;
    uint32_t parts;
} listed_walk;

static bool list_batch(const fr__candidate *candidates, uint32_t count, void *context) {
    const listed_walk *walk = context;
    return fr__list_put(walk->question, walk->parts, candidates, count);
}

bool fr__tree_pairs_list(fr__question *q) {
    const fr__case *cases = q->collide->cases.data;
    for (uint32_t i = 0; i < q->parts_count; i++) {
        const fr__case *of = &cases[i];
        if (fr__sides_are_apart(&of->a, &of->b, q->margin)) { continue; }
        fr__relation relation = fr__sides_relate(&of->a, &of->b, q->margin);
        listed_walk context = {q, i};
        fr__face_walk walk = {&of->a, &of->b, &relation, list_batch, NULL, &context, 0, 0};
        bool goes_on = q->walks->walk(&walk, roots);
        q->stats.nodes += walk.nodes;
        q->stats.candidates += walk.candidates;
        if (!goes_on) { return false; }
    }
    return true;
}

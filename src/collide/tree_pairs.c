// The tree method at an instant: two trees of boxes walked together.
#include "collide/tree_pairs.h"

#include "collide/shared_found.h"

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
    fr__run *run;
    const fr__pair_geometry *geometry;
    int worker;
} tested_walk;

static bool test_batch(const fr__candidate *candidates, uint32_t count, void *context) {
    const tested_walk *walk = context;
    return fr__judge_batch(walk->run, walk->geometry, walk->worker, candidates, count);
}

static bool take_crossing(const fr__candidate *candidates, uint32_t count, void *context) {
    const tested_walk *walk = context;
    return fr__judge_crossing(walk->run, walk->geometry, walk->worker, candidates, count);
}

static void count_walk(fr__worker *worker, const fr__face_walk *walk) {
    worker->nodes += walk->nodes;
    worker->candidates += walk->candidates;
}

// Walks below `start` and tests. False when the work is to end.
static bool walk_and_test(fr__run *run, const fr__pair_geometry *geometry, const fr__relation *relation,
                          fr__node_pair start, int worker) {
    tested_walk context = {run, geometry, worker};
    void *memory = run->scratch->workers[worker].walk_memory;
    fr__face_walk walk = {&geometry->a, &geometry->b, relation, test_batch, take_crossing, &context, memory, 0, 0};
    bool goes_on = run->plan.walks->walk(&walk, start);
    count_walk(&run->scratch->workers[worker], &walk);
    return goes_on;
}

// Whether the balls of two parts are apart: every other pair of the broad phase is, and needs no geometry.
static bool balls_are_apart(const fr__run *run, uint32_t part_pair) {
    const fr__part_pair *pair = &run->plan.part_pairs[part_pair];
    const fr__object *a = fr__space_fresh(run->query.space, pair->object_a),
                     *b = fr__space_fresh(run->query.space, pair->object_b);
    return fr__parts_are_apart(a, &a->parts[pair->part_a], b, &b->parts[pair->part_b], run->query.margin);
}

static bool walk_parts(fr__run *run, uint32_t part_pair, fr__node_pair start, int worker) {
    if (balls_are_apart(run, part_pair)) { return true; }
    fr__pair_geometry geometry;
    fr__run_geometry(run, part_pair, &geometry);
    bool is_deformed = geometry.a.is_deformed || geometry.b.is_deformed;
    if (is_deformed && fr__sides_are_apart(&geometry.a, &geometry.b, run->query.margin)) { return true; }
    fr__relation relation = fr__sides_relate(&geometry.a, &geometry.b, run->query.margin);
    return walk_and_test(run, &geometry, &relation, start, worker);
}

// ---------------------------------------------------------------------------------------------------------------
// Shared work

// Puts pairs of nodes of two parts to the pieces: opened breadth first until there are `wanted`.
static bool split_walk(fr__run *run, uint32_t part_pair, size_t wanted) {
    fr__pair_geometry geometry;
    fr__run_geometry(run, part_pair, &geometry);
    if (fr__sides_are_apart(&geometry.a, &geometry.b, run->query.margin)) { return true; }
    fr__walk_piece_array *pieces = &run->scratch->walk_pieces;
    bool is_large = geometry.a.triangle_count + geometry.b.triangle_count > SHARED_TRIANGLES;
    fr__relation relation = fr__sides_relate(&geometry.a, &geometry.b, run->query.margin);
    void *memory = run->scratch->workers[0].walk_memory;
    fr__face_walk walk = {&geometry.a, &geometry.b, &relation, NULL, NULL, NULL, memory, 0, 0};

    fr__walk_piece *first = fr__walk_piece_array_push(pieces, 1);
    if (first == NULL) { return fr__run_fail(run); }
    *first = (fr__walk_piece){part_pair, roots};
    size_t head = pieces->count - 1;
    while (is_large && head < pieces->count && pieces->count - head < wanted) {
        fr__node_pair pair = pieces->data[head].nodes, opened[FR__NODE_PAIRS];
        if (fr__tree_is_leaf(pair.a) && fr__tree_is_leaf(pair.b)) { break; }
        uint32_t count = run->plan.walks->open(&walk, pair, opened);
        fr__walk_piece *out = fr__walk_piece_array_push(pieces, count);
        if (out == NULL) { return fr__run_fail(run); }
        for (uint32_t i = 0; i < count; i++) {
            out[i] = (fr__walk_piece){part_pair, opened[i]};
        }
        pieces->data[head++].part_pair = FR_NONE; // it was opened
    }
    count_walk(&run->scratch->workers[0], &walk);
    return true;
}

static void run_pieces(size_t begin, size_t end, int worker, void *context) {
    fr__run *run = context;
    const fr__walk_piece *pieces = run->scratch->walk_pieces.data;
    for (size_t i = begin; i < end; i++) {
        if (pieces[i].part_pair == FR_NONE) { continue; }
        if (fr__run_has_ended(run, worker) || !walk_parts(run, pieces[i].part_pair, pieces[i].nodes, worker)) {
            return;
        }
    }
}

static void run_parts(size_t begin, size_t end, int worker, void *context) {
    fr__run *run = context;
    for (size_t i = begin; i < end; i++) {
        // Checked first: every further piece of the work comes here once more after a stop.
        if (fr__run_has_ended(run, worker) || !walk_parts(run, (uint32_t)i, roots, worker)) { return; }
    }
}

void fr__tree_pairs_run(fr__run *run, const fr_tasks *tasks) {
    const fr__share *share = &run->scratch->share;
    size_t wanted = fr__shared_piece_count(run, tasks, PIECES_A_WORKER), count = run->plan.part_pair_count;
    if (wanted == 1 || count >= wanted * PARTS_AT_ONCE) {
        fr__share_run(share, tasks, count, fr__share_grain(share, count, PARTS_AT_ONCE), run_parts, run);
        return;
    }
    run->scratch->walk_pieces.count = 0;
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        if (!split_walk(run, i, wanted)) { return; }
    }
    const fr__walk_piece *pieces = run->scratch->walk_pieces.data;
    for (size_t i = 0; i < run->scratch->walk_pieces.count; i++) {
        fr__shared_check(run, &pieces[i].nodes);
    }
    fr__share_run(share, tasks, run->scratch->walk_pieces.count, 1, run_pieces, run);
}

// ---------------------------------------------------------------------------------------------------------------
// Listing

typedef struct listed_walk {
    fr__run *run;
    uint32_t part_pair;
} listed_walk;

static bool list_batch(const fr__candidate *candidates, uint32_t count, void *context) {
    const listed_walk *walk = context;
    return fr__list_put(walk->run, walk->part_pair, candidates, count);
}

bool fr__tree_pairs_list(fr__run *run) {
    const fr__pair_geometry *geometries = run->scratch->geometries.data;
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        const fr__pair_geometry *geometry = &geometries[i];
        if (fr__sides_are_apart(&geometry->a, &geometry->b, run->query.margin)) { continue; }
        fr__relation relation = fr__sides_relate(&geometry->a, &geometry->b, run->query.margin);
        listed_walk context = {run, i};
        void *memory = run->scratch->workers[0].walk_memory;
        fr__face_walk walk = {&geometry->a, &geometry->b, &relation, list_batch, NULL, &context, memory, 0, 0};
        bool goes_on = run->plan.walks->walk(&walk, roots);
        run->stats.nodes += walk.nodes;
        run->stats.candidates += walk.candidates;
        if (!goes_on) { return false; }
    }
    return true;
}

// What the workers of a rank found as bytes for the other ranks, and back.
#include "collide/shared_found.h"

#include <string.h>

// Pieces of a walk for each rank: more than for a worker, since a rank has several.
enum { PIECES_A_RANK = 64 };

// A record over a step goes with what the judge reported.
typedef struct judged_found {
    fr__found found;
    fr_time_output result;
} judged_found;

// ---------------------------------------------------------------------------------------------------------------
// What must be the same on all ranks

static uint64_t hash_object(const fr_object_view *view, uint64_t hash) {
    uint32_t numbers[4] = {view->part_count, view->flags, view->is_moving, view->next_vertices != NULL};
    hash = fr_hash(numbers, sizeof numbers, hash);
    hash = fr_hash(&view->pose, sizeof view->pose, hash);
    if (!view->is_moving) { return hash; }
    hash = fr_hash(&view->next, sizeof view->next, hash);
    return fr_hash(&view->motion, sizeof view->motion, hash);
}

// Of the query, the list of part pairs, and all objects with the counts and bounds of their meshes.
static uint64_t hash_query(const fr__run *run) {
    const fr_collide_input *input = run->query.input;
    const fr_space *space = run->query.space;
    double lengths[3] = {input->margin, input->tolerance, input->time_tolerance};
    uint32_t kinds[6] = {(uint32_t)input->want,   (uint32_t)input->set,    (uint32_t)input->narrow,
                         (uint32_t)input->method, run->query.is_over_step, input->is_containment_wanted};
    uint64_t hash = fr_hash(lengths, sizeof lengths, fr_hash(kinds, sizeof kinds, 0));
    const fr__space_pair_array *pairs = &run->scratch->space_pairs;
    hash = fr_hash(pairs->data, pairs->count * sizeof *pairs->data, hash);
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = id.index1 != 0 ? fr_object_get(space, id) : NULL;
        if (view == NULL) { continue; }
        hash = hash_object(view, hash);
        for (uint32_t k = 0; k < view->part_count; k++) {
            const fr_mesh_view *mesh = fr_mesh_get(fr_object_part(space, id, k).mesh);
            uint32_t counts[2] = {mesh->triangle_count, mesh->vertex_count};
            hash = fr_hash(counts, sizeof counts, hash);
            hash = fr_hash(&mesh->bounds, sizeof mesh->bounds, hash);
        }
    }
    return hash;
}

void fr__shared_check(fr__run *run, const fr__node_pair *nodes) {
    fr__share *share = &run->scratch->share;
    if (share->exchange != NULL) { share->check = fr_hash(nodes, sizeof *nodes, share->check); }
}

// ---------------------------------------------------------------------------------------------------------------
// Begin and end

static bool is_shareable(const fr__run *run, fr_balance balance) {
    const fr_collide_input *input = run->query.input;
    bool is_tree = input->method == FR_COLLIDE_AUTO || input->method == FR_COLLIDE_TREE;
    bool is_listed = balance == FR_BALANCE_STATIC || balance == FR_BALANCE_DYNAMIC;
    bool is_all = !run->query.is_over_step || (input->set == FR_SET_ALL && input->narrow == FR_NARROW_EXACT);
    return is_tree && is_all && !is_listed && input->budget == 0;
}

static const fr_exchange *exchange_of(const fr__run *run) {
    const fr_exchange *exchange = run->query.input->exchange;
    return exchange != NULL && exchange->rank_count > 1 ? exchange : NULL;
}

void fr__shared_begin(fr__run *run, fr_balance balance) {
    bool is_split = run->plan.is_split = exchange_of(run) != NULL && is_shareable(run, balance);
    fr__share_begin(&run->scratch->share, is_split ? exchange_of(run) : NULL, is_split ? hash_query(run) : 0);
}

size_t fr__shared_piece_count(const fr__run *run, const fr_tasks *tasks, size_t pieces_a_worker) {
    const fr_exchange *exchange = run->scratch->share.exchange;
    if (exchange != NULL) { return (size_t)exchange->rank_count * PIECES_A_RANK; }
    int worker_count = fr_tasks_worker_count(tasks);
    return worker_count > 1 ? (size_t)worker_count * pieces_a_worker : 1;
}

// The exchange is of this query: nothing is left of it in the memory for the next one.
bool fr__shared_end(fr__run *run, bool is_done) {
    fr__share *share = &run->scratch->share;
    fr_gathered gathered;
    if (run->plan.is_split) {
        if (!is_done) { fr__share_fail(share, FR_ERROR_MEMORY); }
    } else if (exchange_of(run) != NULL) {
        fr__share_begin(share, exchange_of(run), hash_query(run));
        fr_status failure = is_done ? FR_OK : FR_ERROR_MEMORY;
        is_done = fr__share_gather(share, atomic_load(&run->is_stopped), failure, &gathered) && is_done;
        if (share->is_stopped) { atomic_store(&run->is_stopped, true); }
    }
    share->exchange = NULL;
    return is_done;
}

void fr__shared_fail(fr__run *run, fr_status failure) {
    fr__share_begin(&run->scratch->share, exchange_of(run), 0);
    fr__share_fail(&run->scratch->share, failure);
    run->scratch->share.exchange = NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Records

static size_t size_of(const fr__run *run, fr__found_kind kind) {
    bool is_judged = run->query.is_over_step && kind != FR__FOUND_CANDIDATES;
    return is_judged ? sizeof(judged_found) : sizeof(fr__found);
}

static uint32_t *result_of(fr__found *found, fr__found_kind kind) {
    return kind == FR__FOUND_INTERVALS ? &found->interval.result : &found->hit.result;
}

static bool put_block(fr__run *run, fr__found_kind kind, fr__found_block *block) {
    fr__share *share = &run->scratch->share;
    size_t size = size_of(run, kind);
    unsigned char *out = fr__share_put(share, block->count * size);
    for (size_t i = 0; out != NULL && i < block->count; i++, out += size) {
        memcpy(out, &block->found[i], sizeof block->found[i]);
        if (size == sizeof(fr__found)) { continue; }
        uint32_t result = *result_of(&block->found[i], kind);
        memcpy(out + offsetof(judged_found, result), fr__result_list_at(&run->scratch->results, result),
               sizeof(fr_time_output));
    }
    return out != NULL;
}

static void put_all(fr__run *run, fr__found_kind kind) {
    for (int w = 0; w < run->plan.worker_count && !atomic_load(&run->has_failed); w++) {
        for (fr__found_block *block = run->scratch->workers[w].found; block != NULL; block = block->next) {
            if (block->count > 0 && !put_block(run, kind, block)) { return; }
        }
    }
}

// A hit of an instant has its flags in the same place as the number of a result.
static bool take(fr__run *run, fr__found_kind kind, const unsigned char *bytes, size_t size) {
    size_t each = size_of(run, kind);
    for (; size >= each; size -= each, bytes += each) {
        judged_found record;
        memcpy(&record, bytes, each);
        if (each == sizeof record) {
            uint32_t result = fr__result_list_add(&run->scratch->results, &record.result);
            if (result == FR_NONE) { return fr__run_fail(run); }
            *result_of(&record.found, kind) = result;
        }
        if (!fr__run_put(run, 0, record.found)) { return false; }
    }
    return true;
}

bool fr__shared_found_gather(fr__run *run, fr__found_kind kind) {
    fr__share *share = &run->scratch->share;
    if (share->exchange == NULL) { return true; }
    (void)fr__run_has_ended(run, 0); // checks the control of a rank that had no piece, too
    put_all(run, kind);
    fr_gathered gathered;
    fr_status failure = atomic_load(&run->has_failed) ? FR_ERROR_MEMORY : FR_OK;
    if (!fr__share_gather(share, atomic_load(&run->is_stopped), failure, &gathered)) { return false; }
    if (share->is_stopped) { atomic_store(&run->is_stopped, true); }
    for (uint32_t r = 0; r < share->exchange->rank_count; r++) {
        size_t size;
        const unsigned char *bytes = fr__share_of(&gathered, r, &size);
        if (r != share->exchange->rank && !take(run, kind, bytes, size)) { return false; }
    }
    return true;
}

// The part pairs of a query: those of the broad phase, or all of two objects, sorted and numbered.
#include "collide/part_pairs.h"

#include "fureai/base_order.h"

static uint32_t contact_flags(const fr__object *a, const fr__object *b) {
    uint32_t of_a = a->view.flags, of_b = b->view.flags;
    uint32_t flags = 0;
    if (((of_a | of_b) & FR_OBJECT_SENSOR) != 0) { flags |= FR_CONTACT_SENSOR; }
    if ((of_a & of_b & FR_OBJECT_REAL) != 0) { flags |= FR_CONTACT_REAL; }
    if (a == b) { flags |= FR_CONTACT_SELF; }
    return flags;
}

// Makes the plan's list from sorted pairs.
static bool number_pairs(fr__run *run, const fr_part_pair *pairs, size_t count) {
    const fr_space *space = run->query.space;
    fr__part_pair *out = fr__part_pair_array_push(&run->scratch->part_pairs, count);
    if (out == NULL) { return false; }
    for (size_t i = 0; i < count; i++) {
        bool is_same =
            i > 0 && pairs[i].object_a == pairs[i - 1].object_a && pairs[i].object_b == pairs[i - 1].object_b;
        if (!is_same) { run->plan.object_pair_count++; }
        const fr__object *a = fr__space_object(space, pairs[i].object_a),
                         *b = fr__space_object(space, pairs[i].object_b);
        run->plan.has_stale = run->plan.has_stale || !fr__object_is_fresh(a) || !fr__object_is_fresh(b);
        out[i] = (fr__part_pair){.object_a = pairs[i].object_a,
                                 .object_b = pairs[i].object_b,
                                 .part_a = pairs[i].part_a,
                                 .part_b = pairs[i].part_b,
                                 .object_pair = run->plan.object_pair_count - 1,
                                 .flags = contact_flags(a, b)};
    }
    run->plan.part_pairs = out;
    run->plan.part_pair_count = (uint32_t)count;
    return true;
}

static bool put_pair(const fr_part_pair *pair, void *context) {
    fr__run *run = context;
    fr_part_pair *out = fr__space_pair_array_push(&run->scratch->space_pairs, 1);
    if (out == NULL) { return fr__run_fail(run); }
    *out = *pair;
    return true;
}

static bool pair_is_before(const fr_part_pair *a, const fr_part_pair *b) {
    uint64_t objects_a = fr__pair_key(a->object_a, a->object_b), objects_b = fr__pair_key(b->object_a, b->object_b);
    if (objects_a != objects_b) { return objects_a < objects_b; }
    return fr__pair_key(a->part_a, a->part_b) < fr__pair_key(b->part_a, b->part_b);
}

FR_SORT_TYPE(sort_pairs, fr_part_pair, pair_is_before);

fr_status fr__part_pairs_find(fr__run *run, double margin, fr_error *error) {
    const fr_collide_input *input = run->query.input;
    fr__space_pair_array *pairs = &run->scratch->space_pairs;
    fr_space_pairs_input query = {margin, input->filter, input->filter_context};
    pairs->count = 0;
    fr_status status = fr_space_pairs(run->query.space, &query, put_pair, run, error);
    if (status != FR_OK) { return status; }
    size_t count = pairs->count;
    if (atomic_load(&run->has_failed) || count > UINT32_MAX - 1) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for pairs of parts");
    }
    sort_pairs(pairs->data, count);
    if (!number_pairs(run, pairs->data, count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for %zu pairs of parts", count);
    }
    return FR_OK;
}

fr_status fr__part_pairs_of_two(fr__run *run, uint32_t a, uint32_t b, fr_error *error) {
    uint32_t count_a = fr__space_object(run->query.space, a)->view.part_count;
    uint32_t count_b = fr__space_object(run->query.space, b)->view.part_count;
    fr__space_pair_array *pairs = &run->scratch->space_pairs;
    pairs->count = 0;
    for (uint32_t i = 0; i < count_a; i++) {
        for (uint32_t k = a == b ? i : 0; k < count_b; k++) {
            fr_part_pair pair = {a, b, i, k};
            if (!put_pair(&pair, run)) {
                return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for pairs of parts");
            }
        }
    }
    if (!number_pairs(run, pairs->data, pairs->count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for pairs of parts");
    }
    return FR_OK;
}

// No worker waits here: what another worker of this query is busy with is done when all of them are.
static void refit_pairs(size_t begin, size_t end, int worker, void *context) {
    fr__run *run = context;
    const fr_space *space = run->query.space;
    for (size_t i = begin; i < end && !fr__run_has_ended(run, worker); i++) {
        const fr__part_pair *pair = &run->plan.part_pairs[i];
        const fr__object *both[2] = {fr__space_object(space, pair->object_a), fr__space_object(space, pair->object_b)};
        for (int k = 0; k < 2; k++) {
            if (!fr__object_is_fresh(both[k])) { fr__object_try_refit(space, both[k]); }
        }
    }
}

void fr__part_pairs_refit(fr__run *run) {
    if (!run->plan.has_stale) { return; }
    fr_tasks_run(run->plan.tasks, FR_SCHEDULE_DYNAMIC, run->plan.part_pair_count, 1, refit_pairs, run);
}

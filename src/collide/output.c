// From what the workers found to the output of a query: gathered, sorted and written.
#include "collide/output.h"

#include "collide/contact.h"
#include "collide/interval.h"
#include "collide/object_relation.h"
#include "collide/shared_found.h"
#include "collide/step_contact.h"
#include "fureai/base_order.h"

// ---------------------------------------------------------------------------------------------------------------
// What was found, by object pair

static uint32_t object_pair_of(const fr__plan *plan, fr__found_kind kind, const fr__found *found) {
    return kind == FR__FOUND_CANDIDATES ? plan->part_pairs[found->candidate.part_pair].object_pair
                                        : found->hit.object_pair;
}

// Counts the records of every object pair into ends[pair + 1].
static size_t count_found(const fr__run *run, fr__found_kind kind, size_t *ends) {
    size_t total = 0;
    for (int w = 0; w < run->plan.worker_count; w++) {
        for (const fr__found_block *block = run->scratch->workers[w].found; block != NULL; block = block->next) {
            for (size_t i = 0; i < block->count; i++) {
                ends[object_pair_of(&run->plan, kind, &block->found[i]) + 1]++;
            }
            total += block->count;
        }
    }
    return total;
}

// Puts every record to its object pair. Meanwhile ends[pair] goes from the beginning of the pair to its end, which is
// where the next pair began.
static void scatter_found(const fr__run *run, fr__found_kind kind, size_t *ends, fr__found *out) {
    for (int w = 0; w < run->plan.worker_count; w++) {
        for (const fr__found_block *block = run->scratch->workers[w].found; block != NULL; block = block->next) {
            for (size_t i = 0; i < block->count; i++) {
                out[ends[object_pair_of(&run->plan, kind, &block->found[i])]++] = block->found[i];
            }
        }
    }
}

// Hits and candidates both begin with their triangles. Equal ones are listed twice, and are the same but for their
// time.
static bool found_is_before(const fr__found *a, const fr__found *b) {
    return fr__pair_key(a->hit.triangle_a, a->hit.triangle_b) < fr__pair_key(b->hit.triangle_a, b->hit.triangle_b);
}

FR_SORT_TYPE(sort_found, fr__found, found_is_before);

typedef struct sort_work {
    fr__found *found;
    const size_t *ends; // of each object pair; the beginning is the end of the one before
} sort_work;

static void sort_object_pairs(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    const sort_work *work = context;
    for (size_t i = begin; i < end; i++) {
        size_t first = i == 0 ? 0 : work->ends[i - 1];
        if (work->ends[i] > first) { sort_found(work->found + first, work->ends[i] - first); }
    }
}

bool fr__output_gather(fr__run *run, fr__found_kind kind, const fr_tasks *tasks) {
    fr_collide *scratch = run->scratch;
    if (!fr__shared_found_gather(run, kind)) { return false; }
    uint32_t pair_count = run->plan.object_pair_count;
    scratch->ends.count = 0;
    size_t *ends = fr_size_array_push(&scratch->ends, (size_t)pair_count + 1);
    if (ends == NULL) { return false; }
    for (uint32_t i = 0; i <= pair_count; i++) {
        ends[i] = 0;
    }
    size_t total = run->hit_count = count_found(run, kind, ends);
    for (uint32_t i = 0; i < pair_count; i++) {
        ends[i + 1] += ends[i];
    }

    scratch->found.count = 0;
    fr__found *found = fr__found_array_push(&scratch->found, total);
    if (found == NULL) { return false; }
    scatter_found(run, kind, ends, found);
    sort_work work = {found, ends};
    fr_tasks_run(total > 4096 ? tasks : NULL, FR_SCHEDULE_DYNAMIC, pair_count, 16, sort_object_pairs, &work);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Output

// Adds an object pair that has hits, or whose one object is inside the other.
static bool put_object_pair(fr__run *run, const fr__part_pair *part_pair, const fr__object_relation *found,
                            size_t first) {
    if (found->count == 0 && found->relation < FR_RELATION_A_INSIDE) { return true; }
    fr_object_pair *out = fr__object_pair_array_push(&run->scratch->object_pairs, 1);
    if (out == NULL) { return false; }
    *out = (fr_object_pair){part_pair->object_a, part_pair->object_b, found->relation, found->time_sure, first,
                            found->count};
    return true;
}

static void write_pairs(const fr__run *run, const fr__part_pair *part_pair, size_t first, size_t end) {
    const fr__found *found = run->scratch->found.data;
    fr_face_pair *out = run->scratch->pairs.data;
    for (size_t i = first; i < end; i++) {
        out[i] = (fr_face_pair){
            part_pair->object_a, part_pair->object_b, found[i].hit.triangle_a, found[i].hit.triangle_b, 0.0f,
            found[i].hit.flags};
        if (run->query.is_over_step) { fr__step_set_time(run->scratch, &found[i].hit, &out[i]); }
    }
}

static bool write_output(fr__run *run) {
    fr_collide *scratch = run->scratch;
    const size_t *ends = scratch->ends.data;
    scratch->pairs.count = 0;
    scratch->object_pairs.count = 0;
    if (fr__face_pair_array_push(&scratch->pairs, scratch->found.count) == NULL) { return false; }
    for (uint32_t p = 0; p < run->plan.object_pair_count; p++) {
        const fr__object_relation *found = &scratch->relations.data[p];
        const fr__part_pair *part_pair = &run->plan.part_pairs[found->part_pair];
        size_t first = p == 0 ? 0 : ends[p - 1];
        write_pairs(run, part_pair, first, ends[p]);
        if (!put_object_pair(run, part_pair, found, first)) { return false; }
    }
    return true;
}

static void make_contacts(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    const fr__run *run = context;
    const fr_face_pair *pairs = run->scratch->pairs.data;
    fr_contact *out = run->scratch->contacts.data;
    const fr__found *found = run->scratch->found.data;
    fr__pair_geometry geometry;
    geometry.a.object = FR_NONE;
    for (size_t i = begin; i < end; i++) {
        if (run->query.is_over_step) {
            fr__step_contact(run, &found[i].hit, &pairs[i], &geometry, &out[i]);
        } else {
            fr__contact_make(run->query.space, &pairs[i], &out[i]);
        }
    }
}

bool fr__output_make(fr__run *run, const fr_tasks *tasks, fr_collide_output *output) {
    fr_collide *scratch = run->scratch;
    if (!fr__output_gather(run, FR__FOUND_HITS, tasks)) { return false; }
    if (!fr__object_relations_find(run, tasks) || !write_output(run)) { return false; }
    output->pairs = scratch->pairs.data;
    output->pair_count = scratch->pairs.count;
    output->object_pairs = scratch->object_pairs.data;
    output->object_pair_count = scratch->object_pairs.count;
    if (run->query.input->want < FR_WANT_CONTACTS) { return true; }
    scratch->contacts.count = 0;
    if (fr__contact_array_push(&scratch->contacts, scratch->pairs.count) == NULL) { return false; }
    size_t count = scratch->pairs.count;
    if (!fr__share_array(&scratch->share, tasks, scratch->contacts.data, sizeof(fr_contact), count, 64, make_contacts,
                         run)) {
        return false;
    }
    output->contacts = scratch->contacts.data;
    if (!run->query.is_over_step || run->query.input->want < FR_WANT_INTERVALS) { return true; }
    if (!fr__intervals_find(run, tasks)) { return false; }
    output->intervals = scratch->intervals.data;
    output->interval_count = scratch->intervals.count;
    return true;
}

#include "collide/answer.h"

#include "collide/contact.h"
#include "collide/containment.h"
#include "collide/interval.h"
#include "collide/step_contact.h"

// ---------------------------------------------------------------------------------------------------------------
// Hits by object pair

// Of a hit. What is only listed for the judge of a step names its parts.
static uint32_t object_pair_of(const fr__question *q, const fr__keyed *hit) {
    uint32_t first = fr__first_of(hit->value);
    return q->is_listing ? fr__question_parts(q, first)->object_pair : first;
}

// Counts the hits of every object pair into offsets[pair + 1].
static size_t count_hits(const fr__question *q, size_t *offsets) {
    size_t total = 0;
    for (int w = 0; w < q->worker_count; w++) {
        for (const fr__hit_block *block = q->collide->workers[w].hits; block != NULL; block = block->next) {
            for (size_t i = 0; i < block->count; i++) {
                offsets[object_pair_of(q, &block->hits[i]) + 1]++;
            }
            total += block->count;
        }
    }
    return total;
}

// Puts every hit to its object pair. On the way offsets[pair] becomes the end of the pair, which is offsets[pair + 1]
// of before: what was the beginning is found one place lower.
static void scatter_hits(const fr__question *q, size_t *offsets, fr__keyed *out) {
    for (int w = 0; w < q->worker_count; w++) {
        for (const fr__hit_block *block = q->collide->workers[w].hits; block != NULL; block = block->next) {
            for (size_t i = 0; i < block->count; i++) {
                out[offsets[object_pair_of(q, &block->hits[i])]++] = block->hits[i];
            }
        }
    }
}

typedef struct sort_work {
    fr__keyed *hits, *scratch;
    const size_t *ends; // of each object pair; the beginning is the end of the one before
} sort_work;

static void sort_pairs(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    const sort_work *work = context;
    for (size_t i = begin; i < end; i++) {
        size_t first = i == 0 ? 0 : work->ends[i - 1];
        fr__keyed_sort(work->hits + first, work->ends[i] - first, work->scratch + first);
    }
}

bool fr__answer_gather(fr__question *q, const fr_tasks *tasks) {
    fr_collide *collide = q->collide;
    collide->offsets.count = 0;
    size_t *offsets = fr_array_push(&collide->offsets, (size_t)q->object_pair_count + 1);
    if (offsets == NULL) { return false; }
    for (uint32_t i = 0; i <= q->object_pair_count; i++) {
        offsets[i] = 0;
    }
    size_t total = q->hit_count = count_hits(q, offsets);
    for (uint32_t i = 0; i < q->object_pair_count; i++) {
        offsets[i + 1] += offsets[i];
    }

    collide->records.count = 0;
    if (!fr_array_reserve(&collide->scratch, total)) { return false; }
    fr__keyed *hits = fr_array_push(&collide->records, total);
    if (hits == NULL) { return false; }
    scatter_hits(q, offsets, hits);
    sort_work work = {hits, collide->scratch.data, offsets};
    fr_tasks_run(total > 4096 ? tasks : NULL, FR_SCHEDULE_DYNAMIC, q->object_pair_count, 16, sort_pairs, &work);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Output

// Over a step with a margin, what is proven to come within the margin need not touch, but for what does at the start.
static fr_relation relation_of(const fr__question *q, const fr_face_pair *pairs, size_t count) {
    fr_relation relation = FR_RELATION_NEAR;
    bool is_wide = q->is_over_step && q->margin > 0.0;
    for (size_t i = 0; i < count; i++) {
        if ((pairs[i].flags & FR_CONTACT_NEAR) != 0) { continue; }
        if (is_wide && (pairs[i].flags & FR_CONTACT_START) == 0) { continue; }
        if ((pairs[i].flags & FR_CONTACT_TOUCHING) == 0) { return FR_RELATION_CROSSING; }
        relation = FR_RELATION_TOUCHING;
    }
    return relation;
}

// Adds an object pair that has hits, or whose one object is inside the other where that is asked for.
static bool put_object_pair(fr__question *q, const fr__parts *parts, size_t first, size_t count) {
    const fr_face_pair *pairs = q->collide->pairs.data; // NULL where nobody ever hit
    fr_relation relation = relation_of(q, count > 0 ? pairs + first : NULL, count);
    fr_object_pair pair = {parts->object_a, parts->object_b, relation, first, count};
    // Objects whose faces were not all looked at may cross, whatever a vertex of them says.
    bool is_whole = !q->over_budget && !atomic_load_explicit(&q->stopped, memory_order_relaxed);
    bool is_asked = is_whole && q->input->find_contained && pair.relation != FR_RELATION_CROSSING && pair.a != pair.b;
    bool is_contained = true;
    if (is_asked && fr__object_is_inside(q->space, pair.a, pair.b)) {
        pair.relation = FR_RELATION_A_INSIDE;
    } else if (is_asked && fr__object_is_inside(q->space, pair.b, pair.a)) {
        pair.relation = FR_RELATION_B_INSIDE;
    } else {
        is_contained = false;
    }
    if (count == 0 && !is_contained) { return true; }
    fr_object_pair *out = fr_array_push(&q->collide->object_pairs, 1);
    if (out == NULL) { return false; }
    *out = pair;
    return true;
}

static void write_pairs(const fr__question *q, const fr__parts *parts, size_t first, size_t end) {
    const fr__keyed *hits = q->collide->records.data;
    fr_face_pair *out = q->collide->pairs.data;
    for (size_t i = first; i < end; i++) {
        out[i] = (fr_face_pair){parts->object_a,
                                parts->object_b,
                                fr__first_of(hits[i].key),
                                fr__second_of(hits[i].key),
                                0.0f,
                                fr__second_of(hits[i].value)};
        if (q->is_over_step) { fr__step_tell(q, &hits[i], &out[i]); }
    }
}

static bool write_output(fr__question *q) {
    fr_collide *collide = q->collide;
    const size_t *ends = collide->offsets.data;
    collide->pairs.count = 0;
    collide->object_pairs.count = 0;
    if (fr_array_push(&collide->pairs, collide->records.count) == NULL) { return false; }
    uint32_t next = 0;
    for (uint32_t i = 0; i < q->parts_count; i++) {
        const fr__parts *parts = fr__question_parts(q, i);
        if (parts->object_pair != next) {
            continue; // of objects that were seen
        }
        size_t first = next == 0 ? 0 : ends[next - 1];
        write_pairs(q, parts, first, ends[next]);
        if (!put_object_pair(q, parts, first, ends[next] - first)) { return false; }
        next++;
    }
    return true;
}

static void make_contacts(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    const fr__question *q = context;
    const fr_face_pair *pairs = q->collide->pairs.data;
    fr_contact *out = q->collide->contacts.data;
    const fr__keyed *hits = q->collide->records.data;
    for (size_t i = begin; i < end; i++) {
        if (q->is_over_step) {
            fr__step_contact(q, &hits[i], &pairs[i], &out[i]);
        } else {
            fr__contact_make(q->space, &pairs[i], &out[i]);
        }
    }
}

bool fr__answer_make(fr__question *q, const fr_tasks *tasks, fr_collide_output *output) {
    fr_collide *collide = q->collide;
    if (!fr__answer_gather(q, tasks)) { return false; }
    if (q->is_over_step) { fr__step_drop_late(q); }
    if (!write_output(q)) { return false; }
    output->pairs = collide->pairs.data;
    output->pair_count = collide->pairs.count;
    output->object_pairs = collide->object_pairs.data;
    output->object_pair_count = collide->object_pairs.count;
    if (q->input->want < FR_WANT_CONTACTS) { return true; }
    collide->contacts.count = 0;
    if (fr_array_push(&collide->contacts, collide->pairs.count) == NULL) { return false; }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, collide->pairs.count, 64, make_contacts, q);
    output->contacts = collide->contacts.data;
    if (!q->is_over_step || q->input->want < FR_WANT_INTERVALS) { return true; }
    if (!fr__intervals_find(q, tasks)) { return false; }
    output->intervals = collide->intervals.data;
    output->interval_count = collide->intervals.count;
    return true;
}

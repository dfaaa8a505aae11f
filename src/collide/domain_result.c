// The pairs of a query whose faces are distributed: which of those that a rank found are its own, and all together.
#include "collide/domain.h"

#include "fureai/base_order.h"

#include <string.h>

// What a rank gives before its pairs, contacts, numbers of intervals and intervals.
typedef struct result_head {
    uint64_t pair_count, interval_count;
    double free_time;
} result_head;

// ---------------------------------------------------------------------------------------------------------------
// What is this rank's

static uint16_t larger(uint16_t a, uint16_t b) { return a > b ? a : b; }

// The boxes of two faces that meet share a point, and so its cell: both faces are held by the rank whose cell it is.
static uint32_t owner_of(const fr_domain *domain, const fr_face_pair *pair) {
    fr__domain_low a = domain->lows.data[domain->held.data[pair->a].first_face + pair->triangle_a];
    fr__domain_low b = domain->lows.data[domain->held.data[pair->b].first_face + pair->triangle_b];
    fr__domain_low cell = {larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)};
    return fr__domain_rank_of(&domain->cut, fr__domain_code(cell));
}

fr_status fr__domain_keep(fr__domain_run *run, const fr_collide_output *found) {
    fr_domain *domain = run->domain;
    uint32_t rank = fr__domain_rank(run->input);
    domain->kept.count = 0;
    for (size_t i = 0; i < found->pair_count; i++) {
        if (owner_of(domain, &found->pairs[i]) != rank) { continue; }
        uint32_t *place = fr_uint32_array_push(&domain->kept, 1);
        if (place == NULL) { return FR_ERROR_MEMORY; }
        *place = (uint32_t)i;
    }
    run->stats.dropped_pairs = found->pair_count - domain->kept.count;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Giving

static fr_face_pair whole_pair(const fr_domain *domain, const fr_face_pair *pair) {
    const fr__domain_held *a = &domain->held.data[pair->a], *b = &domain->held.data[pair->b];
    fr_face_pair whole = *pair;
    whole.a = a->number;
    whole.b = b->number;
    whole.triangle_a = domain->triangles.data[a->first_face + pair->triangle_a];
    whole.triangle_b = domain->triangles.data[b->first_face + pair->triangle_b];
    return whole;
}

static fr_object_id numbered(uint32_t number) { return (fr_object_id){.index1 = number + 1}; }

static void name_contact(const fr_face_pair *whole, fr_contact *contact) {
    contact->a = numbered(whole->a);
    contact->b = numbered(whole->b);
    contact->triangle_a = whole->triangle_a;
    contact->triangle_b = whole->triangle_b;
}

static void put(fr__share *share, const void *bytes, size_t size) {
    void *out = fr__share_put(share, size);
    if (out != NULL && size > 0) { memcpy(out, bytes, size); }
}

// The intervals of a pair of the rank's output; *at goes on from pair to pair.
static size_t count_intervals(const fr_collide_output *found, size_t pair, size_t *at) {
    while (*at < found->interval_count && found->intervals[*at].pair < pair) {
        ++*at;
    }
    size_t count = 0;
    while (*at + count < found->interval_count && found->intervals[*at + count].pair == pair) {
        count++;
    }
    return count;
}

// `pair` of an interval is its index among those that the rank gives.
static void put_intervals(const fr_domain *domain, fr__share *share, const fr_collide_output *found) {
    size_t at = 0;
    for (size_t i = 0; i < domain->kept.count; i++) {
        size_t count = count_intervals(found, domain->kept.data[i], &at);
        for (size_t k = 0; k < count; k++) {
            fr_touch_interval interval = found->intervals[at + k];
            interval.pair = i;
            put(share, &interval, sizeof interval);
        }
    }
}

static size_t total_intervals(const fr_domain *domain, const fr_collide_output *found) {
    size_t at = 0, total = 0;
    for (size_t i = 0; i < domain->kept.count; i++) {
        total += count_intervals(found, domain->kept.data[i], &at);
    }
    return total;
}

static void put_result(fr__domain_run *run, const fr_collide_output *found) {
    fr_domain *domain = run->domain;
    fr__share *share = &domain->share;
    const result_head head = {domain->kept.count, total_intervals(domain, found), run->free_time};
    put(share, &head, sizeof head);
    for (size_t i = 0; i < domain->kept.count; i++) {
        fr_face_pair whole = whole_pair(domain, &found->pairs[domain->kept.data[i]]);
        put(share, &whole, sizeof whole);
    }
    for (size_t i = 0; i < domain->kept.count && found->contacts != NULL; i++) {
        const fr_face_pair *pair = &found->pairs[domain->kept.data[i]];
        fr_face_pair whole = whole_pair(domain, pair);
        fr_contact contact = found->contacts[domain->kept.data[i]];
        contact.part_a = domain->parts.data[domain->held.data[pair->a].first_part + contact.part_a];
        contact.part_b = domain->parts.data[domain->held.data[pair->b].first_part + contact.part_b];
        name_contact(&whole, &contact);
        put(share, &contact, sizeof contact);
    }
    put_intervals(domain, share, found);
}

// ---------------------------------------------------------------------------------------------------------------
// Taking

static bool pair_is_before(const fr__domain_pair *a, const fr__domain_pair *b) {
    const fr_face_pair *p = &a->pair, *q = &b->pair;
    if (p->a != q->a) { return p->a < q->a; }
    if (p->b != q->b) { return p->b < q->b; }
    return p->triangle_a != q->triangle_a ? p->triangle_a < q->triangle_a : p->triangle_b < q->triangle_b;
}
FR_SORT_TYPE(sort_pairs, fr__domain_pair, pair_is_before);

// What one rank gave.
typedef struct taken {
    result_head head;
    const unsigned char *pairs, *contacts, *intervals;
} taken;

static fr_status take_rank(fr__domain_run *run, const fr_gathered *gathered, uint32_t rank, taken *out) {
    fr_domain *domain = run->domain;
    size_t size, contact_bytes = run->input->want >= FR_WANT_CONTACTS ? sizeof(fr_contact) : 0;
    const unsigned char *bytes = fr__share_of(gathered, rank, &size);
    if (size < sizeof out->head) { return FR_ERROR_CORRUPT; }
    memcpy(&out->head, bytes, sizeof out->head);
    size_t left = size - sizeof out->head, each = sizeof(fr_face_pair) + contact_bytes;
    if (out->head.pair_count > left / each || out->head.pair_count > UINT32_MAX) { return FR_ERROR_CORRUPT; }
    size_t pairs = (size_t)out->head.pair_count;
    if (out->head.interval_count != (left - pairs * each) / sizeof(fr_touch_interval)) { return FR_ERROR_CORRUPT; }
    out->pairs = bytes + sizeof out->head;
    out->contacts = out->pairs + pairs * sizeof(fr_face_pair);
    out->intervals = out->contacts + pairs * contact_bytes;
    fr__domain_pair *order = fr__domain_pair_array_push(&domain->order, pairs);
    if (order == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t i = 0; i < pairs; i++) {
        memcpy(&order[i].pair, out->pairs + i * sizeof(fr_face_pair), sizeof(fr_face_pair));
        order[i].rank = rank;
        order[i].index = i;
    }
    if (out->head.free_time < run->free_time) { run->free_time = out->head.free_time; }
    return FR_OK;
}

// Where the intervals of each pair of a rank begin: ends[i] is the end of those of pair i.
static fr_status index_intervals(const taken *of, uint32_t *ends) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < of->head.pair_count; i++) {
        for (; at < of->head.interval_count; at++) {
            fr_touch_interval interval;
            memcpy(&interval, of->intervals + at * sizeof interval, sizeof interval);
            if (interval.pair != i) { break; }
        }
        ends[i] = at;
    }
    return at == of->head.interval_count ? FR_OK : FR_ERROR_CORRUPT;
}

static fr_status write_intervals(fr_domain *domain, const taken *all, const uint32_t *const *ends) {
    domain->intervals.count = 0;
    for (size_t i = 0; i < domain->order.count; i++) {
        const fr__domain_pair *pair = &domain->order.data[i];
        const uint32_t *of = ends[pair->rank];
        uint32_t first = pair->index > 0 ? of[pair->index - 1] : 0, count = of[pair->index] - first;
        fr_touch_interval *out = fr__domain_interval_array_push(&domain->intervals, count);
        if (out == NULL) { return FR_ERROR_MEMORY; }
        for (uint32_t k = 0; k < count; k++) {
            memcpy(&out[k], all[pair->rank].intervals + (first + k) * sizeof out[k], sizeof out[k]);
            out[k].pair = i;
        }
    }
    return FR_OK;
}

static fr_status take_intervals(fr_domain *domain, const taken *all, uint32_t ranks) {
    fr_status status = FR_OK;
    uint32_t **ends = fr_allocate(&domain->allocator, ranks, sizeof *ends, 16);
    if (ends == NULL) { return FR_ERROR_MEMORY; }
    for (uint32_t r = 0; r < ranks; r++) {
        ends[r] = fr_allocate(&domain->allocator, (size_t)all[r].head.pair_count + 1, sizeof **ends, 16);
        if (ends[r] == NULL) { status = FR_ERROR_MEMORY; }
        if (status == FR_OK) { status = index_intervals(&all[r], ends[r]); }
    }
    if (status == FR_OK) { status = write_intervals(domain, all, (const uint32_t *const *)ends); }
    for (uint32_t r = 0; r < ranks; r++) {
        fr_deallocate(&domain->allocator, ends[r], (size_t)all[r].head.pair_count + 1, sizeof **ends);
    }
    fr_deallocate(&domain->allocator, ends, ranks, sizeof *ends);
    return status;
}

static fr_status write_pairs(fr__domain_run *run, const taken *all) {
    fr_domain *domain = run->domain;
    size_t count = domain->order.count;
    bool has_contacts = run->input->want >= FR_WANT_CONTACTS;
    domain->pairs.count = domain->contacts.count = 0;
    fr_face_pair *pairs = fr__domain_face_pair_array_push(&domain->pairs, count);
    fr_contact *contacts = fr__domain_contact_array_push(&domain->contacts, has_contacts ? count : 0);
    if (pairs == NULL || contacts == NULL) { return FR_ERROR_MEMORY; }
    for (size_t i = 0; i < count; i++) {
        const fr__domain_pair *pair = &domain->order.data[i];
        pairs[i] = pair->pair;
        if (!has_contacts) { continue; }
        memcpy(&contacts[i], all[pair->rank].contacts + (size_t)pair->index * sizeof *contacts, sizeof *contacts);
    }
    return FR_OK;
}

static fr_status take_all(fr__domain_run *run, const fr_gathered *gathered) {
    fr_domain *domain = run->domain;
    uint32_t ranks = fr__domain_rank_count(run->input);
    taken *all = fr_allocate(&domain->allocator, ranks, sizeof *all, 16);
    if (all == NULL) { return FR_ERROR_MEMORY; }
    memset(all, 0, ranks * sizeof *all);
    fr_status status = FR_OK;
    domain->order.count = 0;
    for (uint32_t r = 0; r < ranks && status == FR_OK; r++) {
        status = take_rank(run, gathered, r, &all[r]);
    }
    sort_pairs(domain->order.data, domain->order.count);
    if (status == FR_OK) { status = write_pairs(run, all); }
    bool has_intervals = run->input->is_over_step && run->input->want >= FR_WANT_INTERVALS;
    if (status == FR_OK && has_intervals) { status = take_intervals(domain, all, ranks); }
    fr_deallocate(&domain->allocator, all, ranks, sizeof *all);
    return status;
}

static void set_output(const fr__domain_run *run, fr_domain_output *output) {
    const fr_domain *domain = run->domain;
    bool has_contacts = run->input->want >= FR_WANT_CONTACTS;
    bool has_intervals = run->input->is_over_step && run->input->want >= FR_WANT_INTERVALS;
    output->pairs = domain->pairs.data;
    output->pair_count = domain->pairs.count;
    output->contacts = has_contacts ? domain->contacts.data : NULL;
    output->intervals = has_intervals ? domain->intervals.data : NULL;
    output->interval_count = has_intervals ? domain->intervals.count : 0;
    output->is_partial = run->is_stopped;
    output->free_time = run->input->is_over_step ? run->free_time : 0.0;
}

bool fr__domain_gather(fr__domain_run *run, const fr_collide_output *found, fr_domain_output *output) {
    fr_domain *domain = run->domain;
    fr__share *share = &domain->share;
    fr_gathered gathered;
    if (run->failure == FR_OK) { put_result(run, found); }
    run->stats.gathers++;
    if (!fr__share_gather(share, found->is_partial, run->failure, &gathered)) { return false; }
    run->stats.gathered_bytes += gathered.ends[fr__domain_rank_count(run->input) - 1];
    run->is_stopped = share->is_stopped;
    share->status = take_all(run, &gathered); // the other ranks learn of it when this one ends
    if (share->status == FR_OK) { set_output(run, output); }
    return share->status == FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Alone

fr_status fr__domain_take_alone(fr__domain_run *run, const fr_collide_output *found, fr_domain_output *output) {
    fr_domain *domain = run->domain;
    size_t count = found->pair_count;
    domain->pairs.count = domain->contacts.count = domain->intervals.count = 0;
    fr_face_pair *pairs = fr__domain_face_pair_array_push(&domain->pairs, count);
    fr_contact *contacts = fr__domain_contact_array_push(&domain->contacts, found->contacts != NULL ? count : 0);
    fr_touch_interval *intervals = fr__domain_interval_array_push(&domain->intervals, found->interval_count);
    if (pairs == NULL || contacts == NULL || intervals == NULL) { return FR_ERROR_MEMORY; }
    for (size_t i = 0; i < count; i++) {
        pairs[i] = found->pairs[i];
        pairs[i].a = fr__domain_number(run->input, pairs[i].a);
        pairs[i].b = fr__domain_number(run->input, pairs[i].b);
        if (found->contacts == NULL) { continue; }
        contacts[i] = found->contacts[i];
        name_contact(&pairs[i], &contacts[i]);
    }
    if (found->interval_count > 0) { memcpy(intervals, found->intervals, found->interval_count * sizeof *intervals); }
    run->is_stopped = found->is_partial;
    set_output(run, output);
    return FR_OK;
}

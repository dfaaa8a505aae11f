// The intervals of contact of each pair of the output. The judge reported when a pair comes together first and until
// when. What comes later is found by the judge again, from there on; nearly all pairs have one interval, which needs no
// more. Workers put the intervals they find to their records and to the list of results.
#include "collide/interval.h"

#include "collide/shared_found.h"
#include "collide/step_judge.h"
#include "fureai/base_order.h"

// Contacts of one pair after one another; more are reported as one.
enum { MAX_INTERVALS = 1 << 16 };

// Pairs that a worker takes at once.
enum { PAIRS_AT_ONCE = 32 };

// The intervals of one pair while they are found.
typedef struct interval_search {
    fr__run *run;
    int worker;
    uint32_t pair;  // index in the output
    uint32_t count; // of intervals found
} interval_search;

static bool put_interval(interval_search *f, uint32_t result) {
    fr__found found = {.interval = {f->pair, f->count++, result}};
    return result != FR_NONE ? fr__run_put(f->run, f->worker, found) : fr__run_fail(f->run);
}

static bool put_new_interval(interval_search *f, double begin, double end) {
    fr_time_output interval = {.is_hit = true, .time = begin, .time_end = end};
    return put_interval(f, fr__result_list_add(&f->run->scratch->results, &interval));
}

// What comes after the first contact, which ends before the step does.
static bool find_more(interval_search *f, const fr__pair_geometry *geometry, fr__candidate c,
                      const fr_time_output *first, uint32_t number) {
    fr_time_input options = fr__step_options(&f->run->query);
    double begin = first->time, end = first->time_end;
    bool is_first = true; // as it was reported
    for (int count = 1; end < 1.0; count++) {
        fr_time_output next;
        options.begin = end > options.begin + 0x1p-40 ? end : options.begin + 0x1p-40; // it always goes on
        if (options.begin >= 1.0 || !fr__step_time(geometry, c, false, &options, &next)) { break; }
        if (next.time - end > f->run->query.input->time_tolerance) {
            if (!(is_first ? put_interval(f, number) : put_new_interval(f, begin, end))) { return false; }
            begin = next.time;
        }
        is_first = false;
        end = fr_is_unknown(next.time_end) || count == MAX_INTERVALS ? 1.0 : next.time_end;
    }
    return is_first ? put_interval(f, number) : put_new_interval(f, begin, end);
}

static void find_some(size_t begin, size_t end, int worker, void *context) {
    fr__run *run = context;
    fr_collide *scratch = run->scratch;
    const fr__found *found = scratch->found.data;
    const fr_face_pair *pairs = scratch->pairs.data;
    const fr_contact *contacts = scratch->contacts.data;
    fr__pair_geometry geometry;
    geometry.a.object = FR_NONE;
    for (size_t i = begin; i < end; i++) {
        uint32_t number = found[i].hit.result;
        const fr_time_output first = *fr__result_list_at(&scratch->results, number);
        interval_search f = {run, worker, (uint32_t)i, 0};
        bool is_last = fr_is_unknown(first.time_end) || first.time_end >= 1.0, is_put;
        if (is_last) {
            is_put = put_interval(&f, number);
        } else {
            fr__pair_geometry_follow(run->query.space, pairs[i].a, contacts[i].part_a, pairs[i].b, contacts[i].part_b,
                                     &geometry);
            fr__candidate c = {pairs[i].triangle_a - geometry.a.first_triangle,
                               pairs[i].triangle_b - geometry.b.first_triangle};
            is_put = find_more(&f, &geometry, c, &first, number);
        }
        if (!is_put) { return; }
    }
}

static bool interval_is_before(const fr__pair_interval *a, const fr__pair_interval *b) {
    return fr__pair_key(a->pair, a->number) < fr__pair_key(b->pair, b->number);
}

FR_SORT_TYPE(sort_intervals, fr__pair_interval, interval_is_before);

// Sorts what the workers put, and writes it.
static bool write_intervals(fr__run *run) {
    fr_collide *scratch = run->scratch;
    fr__pair_interval_array *found = &scratch->pair_intervals;
    found->count = 0;
    for (int w = 0; w < run->plan.worker_count; w++) {
        for (const fr__found_block *block = scratch->workers[w].found; block != NULL; block = block->next) {
            fr__pair_interval *out = fr__pair_interval_array_push(found, block->count);
            if (out == NULL) { return false; }
            for (size_t i = 0; i < block->count; i++) {
                out[i] = block->found[i].interval;
            }
        }
    }
    scratch->intervals.count = 0;
    fr_touch_interval *out = fr__touch_interval_array_push(&scratch->intervals, found->count);
    if (out == NULL) { return false; }
    sort_intervals(found->data, found->count);
    for (size_t i = 0; i < found->count; i++) {
        const fr_time_output *result = fr__result_list_at(&scratch->results, found->data[i].result);
        out[i] = (fr_touch_interval){found->data[i].pair, result->time,
                                     fr_is_unknown(result->time_end) ? 1.0 : result->time_end};
    }
    return true;
}

bool fr__intervals_find(fr__run *run, const fr_tasks *tasks) {
    fr__run_give_back_blocks(run); // they are in the output
    const fr__share *share = &run->scratch->share;
    size_t count = run->scratch->pairs.count, grain = fr__share_grain(share, count, PAIRS_AT_ONCE);
    fr__share_run(share, tasks, count, grain, find_some, run);
    return fr__shared_found_gather(run, FR__FOUND_INTERVALS) && !atomic_load(&run->has_failed) && write_intervals(run);
}

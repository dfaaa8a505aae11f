// The judge told when a pair comes together first and until when. What comes later is found by asking it again from
// there; nearly all pairs have one interval, which needs no asking. Workers put what they find to their hits, with the
// pair and the number of the interval as key, and to the list of times.
#include "collide/interval.h"

#include "collide/step_judge.h"

// Contacts of one pair after one another; more are told as one.
enum { MOST_INTERVALS = 1 << 16 };

// Pairs that a worker takes at once.
enum { PAIRS_AT_ONCE = 32 };

// The intervals of one pair while they are found.
typedef struct finding {
    fr__question *question;
    int worker;
    uint32_t pair;  // index in the answer
    uint32_t count; // of intervals found
} finding;

static bool put_interval(finding *f, uint32_t time_number) {
    fr_collide *collide = f->question->collide;
    uint64_t key = fr__two_in_one(f->pair, f->count++);
    return (time_number != FR_NONE &&
            fr__hit_put(&collide->pool, &collide->workers[f->worker].hits, key, time_number)) ||
           fr__question_fail(f->question);
}

static bool put_new_interval(finding *f, double begin, double end) {
    fr_time_result interval = {.hit = true, .time = begin, .time_end = end};
    return put_interval(f, fr__time_list_add(&f->question->collide->times, &interval));
}

// What comes after the first contact, which ends before the step does.
static bool find_more(finding *f, const fr__case *of, fr__candidate c, const fr_time_result *first, uint32_t number) {
    fr_time_options options = fr__step_options(f->question);
    double begin = first->time, end = first->time_end;
    bool is_first = true; // as it was told
    for (int count = 1; end < 1.0; count++) {
        fr_time_result next;
        options.begin = end > options.begin + 0x1p-40 ? end : options.begin + 0x1p-40; // it always goes on
        if (options.begin >= 1.0 || !fr__step_ask(of, c, false, &options, &next)) { break; }
        if (next.time - end > f->question->input->time_tolerance) {
            if (!(is_first ? put_interval(f, number) : put_new_interval(f, begin, end))) { return false; }
            begin = next.time;
        }
        is_first = false;
        end = fr_is_unknown(next.time_end) || count == MOST_INTERVALS ? 1.0 : next.time_end;
    }
    return is_first ? put_interval(f, number) : put_new_interval(f, begin, end);
}

// The case of a pair of the answer, but for what only listing and judging need.
static void make_case(const fr__question *q, const fr_face_pair *pair, const fr_contact *contact, fr__case *of) {
    fr__side_of_part(q->space, pair->a, contact->part_a, &of->a);
    fr__side_of_part(q->space, pair->b, contact->part_b, &of->b);
    fr__course_make(&fr__space_object(q->space, pair->a)->view, &of->a, &of->course_a);
    fr__course_make(&fr__space_object(q->space, pair->b)->view, &of->b, &of->course_b);
}

static bool is_case_of(const fr__case *of, const fr_face_pair *pair, const fr_contact *contact) {
    return of->a.object == pair->a && of->b.object == pair->b && of->a.part == contact->part_a &&
           of->b.part == contact->part_b;
}

static void find_some(size_t begin, size_t end, int worker, void *context) {
    fr__question *q = context;
    fr_collide *collide = q->collide;
    const fr__keyed *hits = collide->records.data;
    const fr_face_pair *pairs = collide->pairs.data;
    const fr_contact *contacts = collide->contacts.data;
    fr__case of;
    of.a.object = FR_NONE;
    for (size_t i = begin; i < end; i++) {
        uint32_t number = fr__second_of(hits[i].value);
        const fr_time_result first = *fr__time_list_at(&collide->times, number);
        finding f = {q, worker, (uint32_t)i, 0};
        bool is_last = fr_is_unknown(first.time_end) || first.time_end >= 1.0, is_put;
        if (is_last) {
            is_put = put_interval(&f, number);
        } else {
            if (!is_case_of(&of, &pairs[i], &contacts[i])) { make_case(q, &pairs[i], &contacts[i], &of); }
            fr__candidate c = {pairs[i].triangle_a - of.a.first_triangle, pairs[i].triangle_b - of.b.first_triangle};
            is_put = find_more(&f, &of, c, &first, number);
        }
        if (!is_put) { return; }
    }
}

// Sorts what the workers put, and writes it.
static bool write_intervals(fr__question *q) {
    fr_collide *collide = q->collide;
    fr_array *found = &collide->swept;
    found->count = 0;
    for (int w = 0; w < q->worker_count; w++) {
        for (const fr__hit_block *block = collide->workers[w].hits; block != NULL; block = block->next) {
            fr__keyed *out = fr_array_push(found, block->count);
            if (out == NULL) { return false; }
            for (size_t i = 0; i < block->count; i++) {
                out[i] = block->hits[i];
            }
        }
    }
    collide->intervals.count = 0;
    fr_touch_interval *out = fr_array_push(&collide->intervals, found->count);
    if (out == NULL || !fr_array_reserve(&collide->scratch, found->count)) { return false; }
    const fr__keyed *sorted = found->data;
    fr__keyed_sort(found->data, found->count, collide->scratch.data);
    for (size_t i = 0; i < found->count; i++) {
        const fr_time_result *one = fr__time_list_at(&collide->times, (uint32_t)sorted[i].value);
        out[i] = (fr_touch_interval){fr__first_of(sorted[i].key), one->time,
                                     fr_is_unknown(one->time_end) ? 1.0 : one->time_end};
    }
    return true;
}

bool fr__intervals_find(fr__question *q, const fr_tasks *tasks) {
    fr__question_give_back_hits(q); // they are in the answer
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, q->collide->pairs.count, PAIRS_AT_ONCE, find_some, q);
    return !atomic_load(&q->failed) && write_intervals(q);
}

#include "collide/step_contact.h"

#include "collide/contact.h"
#include "collide/judge.h"
#include "collide/step_judge.h"

static fr_time_result *told(const fr__question *q, const fr__keyed *hit) {
    return fr__time_list_at(&q->collide->times, fr__second_of(hit->value));
}

// ---------------------------------------------------------------------------------------------------------------
// The first ones

// The end of the time in which contacts of an object pair count as first: a little after the earliest proven one.
static double end_of_first(const fr__question *q, const fr__keyed *hits, size_t count) {
    double least = (double)INFINITY;
    for (size_t i = 0; i < count; i++) {
        double sure = told(q, &hits[i])->time_sure;
        if (sure < least) { least = sure; }
    }
    return least + FR__FIRST_SPAN;
}

void fr__step_drop_late(fr__question *q) {
    if (q->input->set != FR_SET_FIRST || q->collide->records.count == 0) { return; }
    fr__keyed *hits = q->collide->records.data;
    size_t *ends = q->collide->offsets.data, first = 0, kept = 0;
    for (uint32_t p = 0; p < q->object_pair_count; p++) {
        double end = end_of_first(q, hits + first, ends[p] - first);
        for (size_t i = first; i < ends[p]; i++) {
            if (told(q, &hits[i])->time <= end) { hits[kept++] = hits[i]; }
        }
        first = ends[p];
        ends[p] = kept;
    }
    q->collide->records.count = kept;
}

void fr__step_tell(const fr__question *q, const fr__keyed *hit, fr_face_pair *pair) {
    const fr_time_result *result = told(q, hit);
    pair->time = fr_float_down(result->time);
    pair->flags = result->flags & ~(uint32_t)FR_TIME_END_CAPPED;
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts

// Where the judge has no normal the faces share a point: they are measured as at an instant.
static void measure_shared(const fr__case *of, fr__candidate c, double t, fr_contact *out) {
    fr_vec3 a[3], b[3];
    fr__course_corners(&of->course_a, &of->a, c.a, t, a);
    fr__course_corners(&of->course_b, &of->b, c.b, t, b);
    bool share = fr_triangle_overlap(a, b);
    fr__contact_measure(a, b, share ? fr__shared_flags(a, b) : (uint32_t)FR_CONTACT_NEAR, out);
    fr_vec3 closing = fr_vec3_sub(fr__course_velocity(&of->course_a, out->point, t),
                                  fr__course_velocity(&of->course_b, out->point, t));
    bool is_rigid = of->course_a.end_vertices == NULL && of->course_b.end_vertices == NULL;
    out->approach = is_rigid ? fr_vec3_dot(closing, out->normal) : FR_UNKNOWN;
}

static void take_told(const fr_time_result *result, fr_contact *out) {
    out->sense = FR_SENSE_CONTINUOUS;
    out->time = result->time;
    out->time_sure = result->time_sure;
    out->time_end = result->time_end;
    out->point = result->point;
    out->normal = result->normal;
    out->distance = result->distance;
    out->approach = result->approach;
    out->feature = result->feature;
}

static bool has_normal(const fr_time_result *result) { return fr_vec3_largest(result->normal) > 0.0; }

void fr__step_measure(const fr__case *of, fr__candidate c, const fr_time_result *result, fr_contact *out) {
    take_told(result, out);
    if (!has_normal(result)) { measure_shared(of, c, result->time, out); }
}

void fr__step_contact(const fr__question *q, const fr__keyed *hit, const fr_face_pair *pair, fr_contact *out) {
    const fr_time_result *result = told(q, hit);
    fr__contact_name(q->space, pair, out);
    take_told(result, out);
    if (has_normal(result)) { return; }
    fr__case of;
    fr__side_of_part(q->space, pair->a, out->part_a, &of.a);
    fr__side_of_part(q->space, pair->b, out->part_b, &of.b);
    fr__course_make(&fr__space_object(q->space, pair->a)->view, &of.a, &of.course_a);
    fr__course_make(&fr__space_object(q->space, pair->b)->view, &of.b, &of.course_b);
    fr__candidate c = {pair->triangle_a - of.a.first_triangle, pair->triangle_b - of.b.first_triangle};
    measure_shared(&of, c, result->time, out);
}

// ---------------------------------------------------------------------------------------------------------------
// Intervals

// Contacts of one pair after one another; more are told as one.
enum { MOST_INTERVALS = 1 << 16 };

static bool put_interval(fr__question *q, size_t pair, double begin, double end) {
    fr_touch_interval *out = fr_array_push(&q->collide->intervals, 1);
    if (out == NULL) { return false; }
    *out = (fr_touch_interval){pair, begin, end};
    return true;
}

// The contacts of a pair, the first of which the judge told: it is asked again from the end of each.
static bool find_intervals(fr__question *q, const fr__case *of, fr__candidate c, size_t pair,
                           const fr_time_result *told_first) {
    fr_time_options options = fr__step_options(q);
    fr_time_result next = *told_first;
    double begin = next.time, end = begin;
    for (int count = 1;; count++) {
        end = fr_is_unknown(next.time_end) || count == MOST_INTERVALS ? 1.0 : next.time_end;
        if (end >= 1.0) { break; }
        options.begin = end > options.begin + 0x1p-40 ? end : options.begin + 0x1p-40; // it always goes on
        if (options.begin >= 1.0 || !fr__step_ask(of, c, &options, &next)) { break; }
        if (next.time - end <= q->input->time_tolerance) { continue; }
        if (!put_interval(q, pair, begin, end)) { return false; }
        begin = next.time;
    }
    return put_interval(q, pair, begin, end);
}

// The parts of a pair of faces, of those between object pairs first .. : the list is sorted.
static uint32_t find_parts(const fr__question *q, const fr_face_pair *pair, uint32_t first, const fr_contact *contact) {
    for (uint32_t i = first; i < q->parts_count; i++) {
        const fr__parts *parts = fr__question_parts(q, i);
        if (parts->object_a == pair->a && parts->object_b == pair->b && parts->part_a == contact->part_a &&
            parts->part_b == contact->part_b) {
            return i;
        }
    }
    return FR_NONE;
}

bool fr__step_find_intervals(fr__question *q) {
    const fr__keyed *hits = q->collide->records.data;
    const fr_face_pair *pairs = q->collide->pairs.data;
    const fr_contact *contacts = q->collide->contacts.data;
    uint32_t first = 0; // of the list of parts, of this object pair
    fr__case of;
    of.parts = FR_NONE;
    q->collide->intervals.count = 0;
    for (size_t i = 0; i < q->collide->pairs.count; i++) {
        bool is_next = i == 0 || pairs[i].a != pairs[i - 1].a || pairs[i].b != pairs[i - 1].b;
        while (is_next && (fr__question_parts(q, first)->object_a != pairs[i].a ||
                           fr__question_parts(q, first)->object_b != pairs[i].b)) {
            first++;
        }
        uint32_t parts = find_parts(q, &pairs[i], first, &contacts[i]);
        FR_ASSERT(parts != FR_NONE);
        if (of.parts != parts) { fr__case_make(q, parts, &of); }
        fr__candidate c = {pairs[i].triangle_a - of.a.first_triangle, pairs[i].triangle_b - of.b.first_triangle};
        if (!find_intervals(q, &of, c, i, told(q, &hits[i]))) { return false; }
    }
    return true;
}

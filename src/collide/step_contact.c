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

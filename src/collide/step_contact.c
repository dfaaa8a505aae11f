// From what the judge of a step reported to pairs and contacts.
#include "collide/step_contact.h"

#include "collide/contact.h"
#include "collide/judge.h"

static fr_time_output *result_of(fr_collide *scratch, const fr__face_hit *hit) {
    return fr__result_list_at(&scratch->results, hit->result);
}

void fr__step_set_time(fr_collide *scratch, const fr__face_hit *hit, fr_face_pair *pair) {
    const fr_time_output *result = result_of(scratch, hit);
    pair->time = fr_float_down(result->time);
    pair->flags = result->flags & ~(uint32_t)FR_TIME_END_CAPPED;
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts

// Where the judge has no normal the faces share a point: they are measured as at an instant. How they share one at the
// start is known.
static void measure_shared(const fr__pair_geometry *geometry, fr__candidate c, const fr_time_output *result,
                           fr_contact *out) {
    fr_vec3 a[3], b[3];
    double t = result->time;
    fr__course_corners(&geometry->course_a, &geometry->a, c.a, t, a);
    fr__course_corners(&geometry->course_b, &geometry->b, c.b, t, b);
    uint32_t flags = result->flags;
    if ((flags & FR_CONTACT_START) == 0) {
        flags = fr_triangle_overlap(a, b) ? fr__shared_flags(a, b) : (uint32_t)FR_CONTACT_NEAR;
    }
    fr__contact_measure(a, b, flags, out);
    fr_vec3 closing = fr_vec3_sub(fr__course_velocity(&geometry->course_a, out->point, t),
                                  fr__course_velocity(&geometry->course_b, out->point, t));
    bool is_rigid = geometry->course_a.end_vertices == NULL && geometry->course_b.end_vertices == NULL;
    out->approach = is_rigid ? fr_vec3_dot(closing, out->normal) : FR_UNKNOWN;
}

static void copy_result(const fr_time_output *result, fr_contact *out) {
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

static bool has_normal(const fr_time_output *result) { return fr_vec3_largest(result->normal) > 0.0; }

void fr__step_measure(const fr__pair_geometry *geometry, fr__candidate c, const fr_time_output *result,
                      fr_contact *out) {
    copy_result(result, out);
    if (!has_normal(result)) { measure_shared(geometry, c, result, out); }
}

void fr__step_contact(const fr__run *run, const fr__face_hit *hit, const fr_face_pair *pair,
                      fr__pair_geometry *geometry, fr_contact *out) {
    const fr_time_output *result = result_of(run->scratch, hit);
    fr__contact_name(run->query.space, pair, out);
    copy_result(result, out);
    if (has_normal(result)) { return; }
    fr__pair_geometry_follow(run->query.space, pair->a, out->part_a, pair->b, out->part_b, geometry);
    fr__candidate c = {pair->triangle_a - geometry->a.first_triangle, pair->triangle_b - geometry->b.first_triangle};
    measure_shared(geometry, c, result, out);
}

#include "collide/step_contact.h"

#include "collide/contact.h"
#include "collide/judge.h"
#include "collide/step_judge.h"
#include "space/part.h"

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
    pair->flags = result->flags;
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts

// The corners of a triangle at a time of the step, rounded; at its end those of the next pose.
static void corners_at(const fr_space *space, uint32_t index, uint32_t part, uint32_t triangle, double t,
                       fr_vec3 corners[3]) {
    const fr__object *object = fr__space_object(space, index);
    const fr__part *of = &object->parts[part];
    if (!object->view.moving || t == 0.0) {
        fr__part_corners(object, of, triangle - of->first_triangle, corners);
        return;
    }
    fr__part_corners_local(of, triangle - of->first_triangle, corners);
    for (int k = 0; k < 3; k++) {
        fr_vec3 v = fr__frame_apply(&of->frame, corners[k]);
        corners[k] = t == 1.0 ? fr_pose_apply(&object->view.next, v) : fr_motion_point(&object->view.motion, v, t);
    }
}

// How fast a point that goes with an object is at t, in metres a step.
static fr_vec3 velocity_at(const fr_space *space, uint32_t index, fr_vec3 point, double t) {
    const fr_object_view *view = &fr__space_object(space, index)->view;
    fr_vec3 zero = {0.0, 0.0, 0.0};
    if (!view->moving) { return zero; }
    const fr_motion *motion = &view->motion;
    fr_vec3 pivot = fr_pose_apply(&motion->start, motion->pivot_local);
    fr_vec3 arm = fr_vec3_sub(point, fr_vec3_add_scaled(pivot, t, motion->travel));
    return fr_vec3_add(motion->travel, fr_vec3_cross(motion->turn, arm));
}

// Where the judge has no normal the faces share a point: they are measured as at an instant.
static void measure_shared(const fr__question *q, const fr_face_pair *pair, double t, fr_contact *out) {
    fr_vec3 a[3], b[3];
    corners_at(q->space, pair->a, out->part_a, pair->triangle_a, t, a);
    corners_at(q->space, pair->b, out->part_b, pair->triangle_b, t, b);
    bool share = fr_triangle_overlap(a, b);
    fr__contact_measure(a, b, share ? fr__shared_flags(a, b) : (uint32_t)FR_CONTACT_NEAR, out);
    fr_vec3 closing =
        fr_vec3_sub(velocity_at(q->space, pair->a, out->point, t), velocity_at(q->space, pair->b, out->point, t));
    out->approach = fr_vec3_dot(closing, out->normal);
}

void fr__step_contact(const fr__question *q, const fr__keyed *hit, const fr_face_pair *pair, fr_contact *out) {
    const fr_time_result *result = told(q, hit);
    fr__contact_name(q->space, pair, out);
    out->sense = FR_SENSE_CONTINUOUS;
    out->time = result->time;
    out->time_sure = result->time_sure;
    if (fr_vec3_largest(result->normal) == 0.0) {
        measure_shared(q, pair, result->time, out);
        return;
    }
    out->point = result->point;
    out->normal = result->normal;
    out->distance = result->distance;
    out->approach = result->approach;
    out->feature = result->feature;
}

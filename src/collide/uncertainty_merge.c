// The result about poses that are not known exactly, in the form of the result about the poses as they are: every pair
// that may collide, with a contact.
#include "collide/neighbour_faces.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Contacts of pairs that are only possible

static fr_triangle_path path_of(const fr_space *space, fr_object_id id, uint32_t triangle) {
    const fr_object_view *view = fr_object_get(space, id);
    fr_part_view part = fr_object_part(space, id, fr_object_part_of_triangle(space, id, triangle));
    fr_triangle_path path = {.motion = view->is_moving ? &view->motion : NULL};
    fr_vec3 local[3];
    fr_mesh_corners(part.mesh, triangle - part.first_triangle, local);
    for (int k = 0; k < 3; k++) {
        fr_vec3 in_object = fr_pose_apply(&part.pose, local[k]);
        path.start[k] = fr_pose_apply(&view->pose, in_object);
        path.end[k] = fr_pose_apply(&view->next, in_object);
    }
    return path;
}

// Where the faces are closest at the instant, or first come within their separation.
static void measure(const fr_uncertain_input *in, const fr_triangle_path *a, const fr_triangle_path *b,
                    double separation, fr_contact *out) {
    bool is_one_part = fr_object_id_equal(out->a, out->b) && out->part_a == out->part_b;
    if (in->is_over_step) {
        fr_time_input how = fr_default_time_input();
        how.tolerance = in->query.tolerance;
        how.separation = separation;
        how.has_ends = true;
        fr_time_output met;
        if (!fr__faces_time(is_one_part, a, b, &how, &met)) { return; }
        out->time = met.time;
        out->point = met.point;
        out->normal = met.normal;
        out->distance = met.distance;
        out->approach = met.approach;
        return;
    }
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 on_a, on_b;
    out->distance = fr__faces_distance(is_one_part, a->start, b->start, &on_a, &on_b);
    out->point = fr_vec3_lerp(on_a, on_b, 0.5);
    out->normal = fr_vec3_unit(fr_vec3_sub(on_b, on_a), zero);
}

static fr_contact possible_contact(const fr_uncertain_input *in, const fr_uncertain_pair *pair) {
    const fr_space *space = in->query.space;
    fr_contact contact;
    memset(&contact, 0, sizeof contact);
    contact.a = fr_space_object_at(space, pair->a);
    contact.b = fr_space_object_at(space, pair->b);
    contact.triangle_a = pair->triangle_a;
    contact.triangle_b = pair->triangle_b;
    contact.part_a = fr_object_part_of_triangle(space, contact.a, pair->triangle_a);
    contact.part_b = fr_object_part_of_triangle(space, contact.b, pair->triangle_b);
    contact.face_a = fr_object_face(space, contact.a, pair->triangle_a);
    contact.face_b = fr_object_face(space, contact.b, pair->triangle_b);
    contact.time_sure = contact.time_end = contact.approach = FR_UNKNOWN;
    contact.sense = in->is_over_step ? FR_SENSE_CONTINUOUS : FR_SENSE_STATIC;
    contact.flags = pair->flags;
    fr_triangle_path a = path_of(space, contact.a, pair->triangle_a), b = path_of(space, contact.b, pair->triangle_b);
    measure(in, &a, &b, pair->separation, &contact);
    return contact;
}

// ---------------------------------------------------------------------------------------------------------------
// Both results together

static bool is_same(const fr_uncertain_pair *a, const fr_face_pair *b) {
    return a->a == b->a && a->b == b->b && a->triangle_a == b->triangle_a && a->triangle_b == b->triangle_b;
}

// Every graded pair, with what is known of it where the poses have it. `from` is in the same order, with some pairs
// left out.
static void merge_pairs(const fr_uncertain_merge *m, const fr_collide_output *from) {
    size_t k = 0;
    for (size_t i = 0; i < m->output->pair_count; i++) {
        const fr_uncertain_pair *pair = &m->output->pairs[i];
        m->pairs[i] = (fr_face_pair){pair->a, pair->b, pair->triangle_a, pair->triangle_b, pair->time, pair->flags};
        if (k < from->pair_count && is_same(pair, &from->pairs[k])) {
            if (m->contacts != NULL) { m->contacts[i] = from->contacts[k]; }
            m->pairs[i] = from->pairs[k++];
        } else if (m->contacts != NULL) {
            m->contacts[i] = possible_contact(m->input, pair);
        }
    }
}

static bool is_before(uint32_t a, uint32_t b, uint32_t c, uint32_t d) { return a < c || (a == c && b < d); }

// Objects that may collide and objects that contain one another, sorted; returns how many.
static size_t merge_objects(const fr_uncertain_merge *m, const fr_collide_output *from) {
    size_t count = 0, k = 0;
    for (size_t i = 0; i < m->output->object_count || k < from->object_pair_count;) {
        const fr_uncertain_objects *of = i < m->output->object_count ? &m->output->objects[i] : NULL;
        const fr_object_pair *had = k < from->object_pair_count ? &from->object_pairs[k] : NULL;
        fr_object_pair pair = {.relation = FR_RELATION_NEAR, .time_sure = FR_UNKNOWN};
        if (of == NULL || (had != NULL && is_before(had->a, had->b, of->a, of->b))) {
            pair = *had;
            pair.count = 0;
            k++;
        } else {
            bool is_had = had != NULL && had->a == of->a && had->b == of->b;
            if (is_had) { pair = *had; }
            pair.a = of->a;
            pair.b = of->b;
            pair.first = of->first;
            pair.count = of->count;
            k += is_had;
            i++;
        }
        m->object_pairs[count++] = pair;
    }
    return count;
}

void fr_collide_merge_uncertain(const fr_uncertain_merge *m, fr_collide_output *output) {
    FR_ASSERT(m != NULL && output != NULL && m->input != NULL && m->output != NULL);
    merge_pairs(m, output);
    output->object_pair_count = merge_objects(m, output);
    output->pairs = m->pairs;
    output->pair_count = m->output->pair_count;
    output->contacts = m->contacts;
    output->object_pairs = m->object_pairs;
    output->stats = m->output->stats;
    for (size_t i = 0; i < m->output->pair_count; i++) {
        double time = (double)m->output->pairs[i].time;
        output->free_time = time < output->free_time ? time : output->free_time;
    }
}

#include "collide/parts.h"

static uint32_t contact_flags(const fr_space *space, uint32_t a, uint32_t b) {
    uint32_t of_a = fr__space_object(space, a)->view.flags, of_b = fr__space_object(space, b)->view.flags;
    uint32_t flags = 0;
    if (((of_a | of_b) & FR_OBJECT_SENSOR) != 0) { flags |= FR_CONTACT_SENSOR; }
    if ((of_a & of_b & FR_OBJECT_REAL) != 0) { flags |= FR_CONTACT_REAL; }
    if (a == b) { flags |= FR_CONTACT_SELF; }
    return flags;
}

// Makes the list of parts from sorted records: key the objects, value the parts.
static bool number_parts(fr__question *q, const fr__keyed *records, size_t count) {
    fr__parts *out = fr_array_push(&q->collide->parts, count);
    if (out == NULL) { return false; }
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || records[i].key != records[i - 1].key) { q->object_pair_count++; }
        fr__parts *parts = &out[i];
        parts->object_a = fr__first_of(records[i].key);
        parts->object_b = fr__second_of(records[i].key);
        parts->part_a = fr__first_of(records[i].value);
        parts->part_b = fr__second_of(records[i].value);
        parts->object_pair = q->object_pair_count - 1;
        parts->flags = contact_flags(q->space, parts->object_a, parts->object_b);
    }
    q->parts_count = (uint32_t)count;
    return true;
}

static bool put_part_pair(const fr_part_pair *pair, void *context) {
    fr__question *q = context;
    fr__keyed *record = fr_array_push(&q->collide->records, 1);
    if (record == NULL) { return fr__question_fail(q); }
    record->key = fr__two_in_one(pair->object_a, pair->object_b);
    record->value = fr__two_in_one(pair->part_a, pair->part_b);
    return true;
}

static void swap_keys_and_values(fr__keyed *records, size_t count) {
    for (size_t i = 0; i < count; i++) {
        records[i] = (fr__keyed){records[i].value, records[i].key};
    }
}

// By objects, then by parts: first by parts, then, keeping that order, by objects.
static void sort_part_pairs(fr__keyed *records, size_t count, fr__keyed *scratch) {
    swap_keys_and_values(records, count);
    fr__keyed_sort(records, count, scratch);
    swap_keys_and_values(records, count);
    fr__keyed_sort(records, count, scratch);
}

fr_status fr__parts_find(fr__question *q, double margin, fr_error *error) {
    fr_collide *collide = q->collide;
    fr_pairs_query query = {margin, q->input->filter, q->input->filter_context};
    collide->records.count = 0;
    fr_status status = fr_space_pairs(q->space, &query, put_part_pair, q, error);
    if (status != FR_OK) { return status; }
    size_t count = collide->records.count;
    if (atomic_load(&q->failed) || count > UINT32_MAX - 1 || !fr_array_reserve(&collide->scratch, count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for pairs of parts");
    }
    sort_part_pairs(collide->records.data, count, collide->scratch.data);
    if (!number_parts(q, collide->records.data, count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for %zu pairs of parts", count);
    }
    return FR_OK;
}

// The rounding of the course of a part, from what is known of its object alone.
double fr__parts_slack(const fr_space *space) {
    double most = 0.0;
    for (uint32_t i = 0; i < fr__places_count(&space->object_places); i++) {
        if (!fr__places_is_used(&space->object_places, i)) { continue; }
        const fr__object *object = fr__space_object(space, i);
        const fr_motion *motion = &object->view.motion;
        double reach = fr_vec3_largest(object->view.pose.position) + fr_vec3_largest(motion->travel) +
                       2.0 * object->view.pose.scale * fr_vec3_length(motion->pivot_local),
               size = 0.0;
        for (uint32_t k = 0; k < object->view.part_count; k++) {
            const fr__part *part = &object->parts[k];
            double part_size = fr_vec3_length(part->pose.position) + 2.0 * part->pose.scale * part->largest;
            size = part_size > size ? part_size : size;
        }
        size *= 2.0 * object->view.pose.scale;
        double rounding =
            0x1p-38 * (reach + 4.0 * size) + 0x1p-39 * fr_vec3_length(motion->turn) * (reach + 4.0 * size);
        most = rounding > most ? rounding : most;
    }
    return 2.0 * most;
}

fr_status fr__parts_of_two(fr__question *q, uint32_t a, uint32_t b, fr_error *error) {
    uint32_t count_a = fr__space_object(q->space, a)->view.part_count;
    uint32_t count_b = fr__space_object(q->space, b)->view.part_count;
    fr_array *records = &q->collide->records;
    records->count = 0;
    for (uint32_t i = 0; i < count_a; i++) {
        for (uint32_t k = a == b ? i : 0; k < count_b; k++) {
            fr_part_pair pair = {a, b, i, k};
            if (!put_part_pair(&pair, q)) {
                return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for pairs of parts");
            }
        }
    }
    if (!number_parts(q, records->data, records->count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for pairs of parts");
    }
    return FR_OK;
}

// The hash of a snapshot's content. It leaves out numbers of spaces, times of stages and addresses; all NaN count as
// equal.
#include "fureai/world.h"

#include <string.h>

#define BUFFER_BYTES 2048

typedef struct hasher {
    uint64_t hash;
    size_t count;
    unsigned char bytes[BUFFER_BYTES];
} hasher;

static void flush(hasher *h) {
    h->hash = fr_hash(h->bytes, h->count, h->hash);
    h->count = 0;
}

// Hashes little-endian bytes on every machine.
static void put(hasher *h, uint64_t word) {
    if (h->count == BUFFER_BYTES) { flush(h); }
    for (size_t i = 0; i < sizeof word; i++) {
        h->bytes[h->count++] = (unsigned char)(word >> (8 * i));
    }
}

static void put_double(hasher *h, double value) {
    uint64_t bits = UINT64_C(0x7ff8000000000000);
    if (value == value) { memcpy(&bits, &value, sizeof bits); }
    put(h, bits);
}

static void put_vector(hasher *h, fr_vec3 v) {
    put_double(h, v.x);
    put_double(h, v.y);
    put_double(h, v.z);
}

static void put_two(hasher *h, uint32_t a, uint32_t b) { put(h, (uint64_t)a << 32 | b); }

static void put_id(hasher *h, fr_object_id id) { put_two(h, id.index1, id.generation); }

static void put_pose(hasher *h, const fr_pose *pose) {
    put_double(h, pose->rotation.w);
    put_double(h, pose->rotation.x);
    put_double(h, pose->rotation.y);
    put_double(h, pose->rotation.z);
    put_vector(h, pose->position);
    put_double(h, pose->scale);
}

static void put_object(hasher *h, const fr_snapshot_object *object) {
    put_id(h, object->id);
    put_pose(h, &object->pose);
    put(h, object->versions.shape);
    put(h, object->versions.vertices);
    put(h, object->versions.pose);
    put(h, object->versions.filter);
    put_two(h, object->flags, (uint32_t)object->hold);
    for (uint32_t i = 0; i < object->bone_count; i++) {
        put_pose(h, &object->bones[i]);
    }
}

static void put_pair(hasher *h, const fr_face_pair *pair) {
    put_two(h, pair->a, pair->b);
    put_two(h, pair->triangle_a, pair->triangle_b);
    put_double(h, (double)pair->time);
    put(h, pair->flags);
}

static void put_contact(hasher *h, const fr_contact *contact) {
    put_id(h, contact->a);
    put_id(h, contact->b);
    put_two(h, contact->part_a, contact->part_b);
    put_two(h, contact->triangle_a, contact->triangle_b);
    put_two(h, contact->face_a, contact->face_b);
    put_double(h, contact->time);
    put_double(h, contact->time_sure);
    put_double(h, contact->time_end);
    put_vector(h, contact->point);
    put_vector(h, contact->normal);
    put_double(h, contact->distance);
    put_double(h, contact->approach);
    put_two(h, (uint32_t)contact->feature, (uint32_t)contact->sense);
    put(h, contact->flags);
}

static void put_touch(hasher *h, const fr_touch *touch) {
    put_id(h, touch->a);
    put_id(h, touch->b);
    put(h, touch->id);
    put(h, touch->since);
    put(h, (uint64_t)touch->relation);
    put(h, touch->first);
    put(h, touch->count);
}

static void put_face_touch(hasher *h, const fr_face_touch *touch) {
    put_id(h, touch->a);
    put_id(h, touch->b);
    put(h, touch->id);
    put_two(h, touch->triangle_a, touch->triangle_b);
    put_double(h, touch->begin);
    put_double(h, touch->end);
    put_two(h, touch->is_new, touch->pair);
}

static void put_event(hasher *h, const fr_event *event) {
    put_id(h, event->a);
    put_id(h, event->b);
    put(h, (uint64_t)event->kind);
    put(h, event->id);
    put(h, event->tick);
    put_double(h, event->time);
    put_double(h, event->value);
    for (size_t i = 0; i < sizeof event->name; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        for (size_t k = 0; k < sizeof word; k++) {
            word |= (uint64_t)(unsigned char)event->name[i + k] << (8 * k);
        }
        put(h, word);
    }
    if (event->kind < FR_EVENT_HAND_FIRST) { return; } // the fields of other kinds are zero
    put_double(h, event->speed);
    put_double(h, event->area);
    put_double(h, event->pull);
    put(h, event->count);
    put_vector(h, event->point);
    if (event->kind == FR_EVENT_NAMED) { put_double(h, event->second); }
}

// Adds the result of the step; it is empty in a world that does not sense steps.
static void put_step(hasher *h, const fr_snapshot *snapshot) {
    const fr_snapshot_step *result = &snapshot->step_result;
    put(h, result->pair_count);
    for (size_t i = 0; i < result->pair_count; i++) {
        put_pair(h, &result->pairs[i]);
    }
    put(h, result->contacts != NULL);
    for (size_t i = 0; result->contacts != NULL && i < result->pair_count; i++) {
        put_contact(h, &result->contacts[i]);
    }
    put(h, result->interval_count);
    for (size_t i = 0; i < result->interval_count; i++) {
        put(h, result->intervals[i].pair);
        put_double(h, result->intervals[i].begin);
        put_double(h, result->intervals[i].end);
    }
    put_double(h, result->free_time);
    for (size_t i = 0; i < snapshot->event_count; i++) {
        put_double(h, snapshot->events[i].fraction);
    }
}

uint64_t fr_snapshot_hash(const fr_snapshot *snapshot) {
    FR_ASSERT(snapshot != NULL);
    hasher h = {.hash = 0, .count = 0};
    put(&h, snapshot->sequence);
    put(&h, snapshot->tick);
    put_double(&h, snapshot->time);
    put_double(&h, snapshot->step);
    put_two(&h, snapshot->is_paused, snapshot->is_partial);
    put(&h, snapshot->object_count);
    for (size_t i = 0; i < snapshot->object_count; i++) {
        put_object(&h, &snapshot->objects[i]);
    }
    put(&h, snapshot->pair_count);
    for (size_t i = 0; i < snapshot->pair_count; i++) {
        put_pair(&h, &snapshot->pairs[i]);
    }
    put(&h, snapshot->contacts != NULL);
    for (size_t i = 0; snapshot->contacts != NULL && i < snapshot->pair_count; i++) {
        put_contact(&h, &snapshot->contacts[i]);
    }
    put(&h, snapshot->touch_count);
    for (size_t i = 0; i < snapshot->touch_count; i++) {
        put_touch(&h, &snapshot->touches[i]);
    }
    put(&h, snapshot->event_count);
    for (size_t i = 0; i < snapshot->event_count; i++) {
        put_event(&h, &snapshot->events[i]);
    }
    for (size_t i = 0; i < snapshot->face_touch_count; i++) {
        put_face_touch(&h, &snapshot->face_touches[i]);
    }
    if (snapshot->sense == FR_SENSE_CONTINUOUS) { put_step(&h, snapshot); }
    flush(&h);
    return h.hash;
}

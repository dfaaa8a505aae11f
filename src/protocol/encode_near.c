// Fewer states of what is far: what a receiver has of each object, and which objects have their turn.
#include "protocol/encode_bones.h"

FR_ARRAY_TYPE(sent_array, uint64_t);

struct fr_backlog {
    fr_allocator allocator;
    uint64_t begun;  // sequence of the complete state that the receiver has
    sent_array sent; // by index1: the sequence that an object was sent with; below `begun`: not since
};

fr_status fr_backlog_create(const fr_allocator *allocator, fr_backlog **out, fr_error *error) {
    fr_allocator kept = fr_allocator_or_default(allocator);
    fr_backlog *backlog = fr_allocate(&kept, 1, sizeof *backlog, _Alignof(fr_backlog));
    *out = backlog;
    if (backlog == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a backlog"); }
    *backlog = (fr_backlog){.allocator = kept, .sent = sent_array_make(&kept)};
    return FR_OK;
}

void fr_backlog_destroy(fr_backlog *backlog) {
    if (backlog == NULL) { return; }
    sent_array_destroy(&backlog->sent);
    fr_allocator kept = backlog->allocator;
    fr_deallocate(&kept, backlog, 1, sizeof *backlog);
}

void fr_backlog_begin(fr_backlog *backlog, uint64_t sequence) {
    backlog->begun = sequence;
    backlog->sent.count = 0;
}

// Room for all objects of a snapshot, whose last one has the highest index1.
static bool hold_objects(fr_backlog *backlog, const fr_snapshot *snapshot) {
    size_t old = backlog->sent.count;
    size_t count = snapshot->object_count > 0 ? (size_t)snapshot->objects[snapshot->object_count - 1].id.index1 + 1 : 0;
    if (count <= old) { return true; }
    uint64_t *sent = sent_array_push(&backlog->sent, count - old);
    for (size_t i = 0; sent != NULL && i < count - old; i++) {
        sent[i] = 0;
    }
    return sent != NULL;
}

// With which of so many states an object comes.
static uint32_t period_of(const fr_near_input *input, const fr__book_object *object) {
    double length = fr_vec3_distance(object->pose.position, input->point), reach = input->distance;
    uint32_t period = 1;
    while (period < FR_NEAR_MAX_PERIOD && !(length <= reach)) {
        period *= 2;
        reach *= 2.0;
    }
    return period;
}

// What of an object is sent, by the stamp that the receiver has of it.
typedef struct turn_of_object {
    bool is_listed, has_bones;
    uint32_t since;
} turn_of_object;

static turn_of_object take_turn(const fr_near_input *input, const fr__book *book, const fr__book_object *object) {
    uint64_t sequence = input->snapshot->sequence, *sent = &input->backlog->sent.data[object->id.index1];
    uint64_t known = *sent > input->backlog->begun ? *sent : input->backlog->begun;
    turn_of_object turn = {.since = fr__book_stamp(book, known)};
    bool is_renewed = object->renewed > turn.since;
    bool is_due =
        is_renewed || object->hold == FR_HOLD_HELD || (sequence + object->id.index1) % period_of(input, object) == 0;
    if (!is_due) { return turn; }
    *sent = sequence;
    bool is_changed = object->changed > turn.since;
    turn.has_bones = object->bone_count > 0 && is_changed;
    turn.is_listed = is_renewed || (object->bone_count == 0 && is_changed);
    return turn;
}

fr_status fr_protocol_encode_near(fr_encoder *encoder, const fr_near_input *input, fr_array *out, fr_error *error) {
    FR_ASSERT(input->backlog != NULL && input->previous != NULL && input->distance > 0.0);
    const fr_snapshot *snapshot = input->snapshot;
    unsigned char *data = fr__encoder_open_book(encoder, input->space, snapshot, input->previous);
    fr_wire_body *bodies = fr__wire_body_array_reset(&encoder->bodies, snapshot->object_count);
    if (data == NULL || bodies == NULL || !hold_objects(input->backlog, snapshot)) {
        return fr__encoder_no_room(snapshot->object_count, error);
    }
    const fr__book *book = &encoder->book;
    size_t used = 0, begin = out->count;
    uint32_t count = 0, index_before = 0;
    for (size_t i = 0; i < book->objects.count; i++) {
        const fr__book_object *object = &book->objects.data[i];
        turn_of_object turn = take_turn(input, book, object);
        if (turn.is_listed) {
            bodies[count++] = (fr_wire_body){fr_ref_of(object->id), (uint8_t)object->hold, object->pose};
        }
        if (!turn.has_bones) { continue; }
        used += fr__write_body(book, object, turn.since, index_before, data + used);
        index_before = object->id.index1;
    }
    fr_status status = fr__write_state(snapshot, input->previous, bodies, count, out, error);
    if (status == FR_OK) { status = fr__write_bodies(snapshot, data, used, out, error); }
    if (status != FR_OK) { out->count = begin; }
    return status;
}

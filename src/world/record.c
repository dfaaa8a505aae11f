// The recorder of a world.
#include "world/record.h"

#include "world/event.h"
#include "world/world.h"

#include <string.h>

struct fr__world_recorder {
    fr_record_fn *record;
    void *context;
    fr__codec codec;
};

// ---------------------------------------------------------------------------------------------------------------
// Operations

void fr__world_record(fr_world *world, const fr__world_operation *operation) {
    fr__world_recorder *recorder = world->recorder;
    if (recorder == NULL) { return; }
    fr__world_operation written = *operation;
    uint32_t kind = FR__WORLD_OPERATION_FIRST + (uint32_t)operation->kind;
    fr__code_u32(&recorder->codec, &kind);
    fr__world_operation_code(&recorder->codec, &written);
    fr__codec_flush(&recorder->codec);
}

void fr__record_step(fr_world *world) {
    fr__world_operation step = {.kind = FR__WORLD_STEP};
    if (world->sense == FR_SENSE_CONTINUOUS) { fr__world_record(world, &step); }
}

static bool is_recorded(const fr_event *event) {
    return event->kind == FR_EVENT_LIMIT || event->kind == FR_EVENT_CORRECTED || fr__event_is_reported(event->kind);
}

// Limits, corrections and events of correctors are neighbours in the list of events.
void fr__record_tick(fr_world *world, bool is_paused) {
    const fr_event *events = world->events.data;
    uint32_t first = 0, count = 0, all = (uint32_t)world->events.count;
    while (first < all && !is_recorded(&events[first])) {
        first++;
    }
    while (first + count < all && is_recorded(&events[first + count])) {
        count++;
    }
    fr__world_operation tick = {.kind = FR__WORLD_TICK, .is_set = is_paused, .event_count = count};
    tick.events = count > 0 ? events + first : NULL;
    fr__world_record(world, &tick);
}

static void record_touches(fr_world *world) {
    fr__world_operation touches = {.kind = FR__WORLD_TOUCHES, .last_id = world->touches.last_id};
    fr__world_record(world, &touches);
    const fr_touch *list = world->touches.now.data;
    for (size_t i = 0; i < world->touches.now.count; i++) {
        fr__world_operation touch = {.kind = FR__WORLD_TOUCH, .object = list[i].a, .other = list[i].b};
        touch.id = list[i].id;
        touch.since = list[i].since;
        touch.relation = (uint32_t)list[i].relation;
        fr__world_record(world, &touch);
    }
}

static void record_faces(fr_world *world) {
    fr__world_operation faces = {.kind = FR__WORLD_FACE_TOUCHES, .last_id = world->faces.last_id};
    if (world->want < FR_WANT_INTERVALS) { return; }
    fr__world_record(world, &faces);
    const fr_face_touch *list = world->faces.now.data;
    for (size_t i = 0; i < world->faces.now.count; i++) {
        if (!fr__face_lasts(&list[i])) { continue; }
        fr__world_operation touch = {.kind = FR__WORLD_FACE_TOUCH, .object = list[i].a, .other = list[i].b};
        touch.triangle_a = list[i].triangle_a;
        touch.triangle_b = list[i].triangle_b;
        touch.id = list[i].id;
        touch.value = list[i].begin;
        fr__world_record(world, &touch);
    }
}

void fr__record_hash(fr_world *world, bool is_whole) {
    if (world->recorder == NULL) { return; }
    fr__world_operation hash = {.kind = FR__WORLD_HASH, .is_set = is_whole};
    if (is_whole) { hash.hash = fr_snapshot_hash(&world->newest->view); }
    fr__world_record(world, &hash);
    if (is_whole) { return; }
    record_touches(world);
    record_faces(world);
}

// ---------------------------------------------------------------------------------------------------------------
// The state before the recording

static void record_body(fr_world *world, uint32_t index, const fr__world_body *body) {
    fr__world_operation known = {.kind = FR__WORLD_KNOWN, .index = index, .object = body->known};
    if (body->known.index1 != 0) { fr__world_record(world, &known); }
    if (!fr_object_exists(world->space, body->owner)) { return; }
    if (body->has_label) {
        fr__world_operation label = {.kind = FR__WORLD_SET_LABEL, .object = body->owner, .text = body->name};
        label.text_bytes = (uint32_t)strlen(body->name);
        label.color = fr__color_word(body->color);
        fr__world_record(world, &label);
    }
    const fr__state *states = body->states.data;
    for (size_t i = 0; i < body->states.count; i++) {
        fr__world_operation state = {.kind = FR__WORLD_SET_STATE, .object = body->owner, .text = states[i].name};
        state.text_bytes = (uint32_t)strlen(states[i].name);
        state.value = states[i].value;
        state.is_set = states[i].is_changed;
        fr__world_record(world, &state);
        state.kind = FR__WORLD_REMOVE_STATE;
        if (states[i].is_removed) { fr__world_record(world, &state); }
    }
    bool is_plain = body->hold == FR_HOLD_FREE && body->reported_hold == FR_HOLD_FREE && !body->has_raw;
    if (is_plain) { return; }
    fr__world_operation hold = {.kind = FR__WORLD_HOLD, .object = body->owner, .hold = (uint32_t)body->hold};
    hold.reported_hold = (uint32_t)body->reported_hold;
    hold.is_set = body->has_raw;
    hold.pose = body->has_raw ? body->raw : fr_pose_identity();
    fr__world_record(world, &hold);
}

static void record_beginning(fr_world *world) {
    fr__world_operation begin = {.kind = FR__WORLD_BEGIN, .step = world->step, .margin = world->margin};
    begin.want = (uint32_t)world->want;
    begin.budget = world->budget;
    begin.sequence = world->sequence;
    begin.tick = world->tick;
    begin.last_id = world->touches.last_id;
    fr__world_record(world, &begin);
    fr__world_operation sense = {.kind = FR__WORLD_SENSE};
    if (world->sense == FR_SENSE_CONTINUOUS) { fr__world_record(world, &sense); }
    const fr__world_body *bodies = fr__bodies(&world->bodies);
    for (uint32_t i = 0; i < world->bodies.count; i++) {
        record_body(world, i, &bodies[i]);
    }
    record_touches(world);
    record_faces(world);
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning and end

// Passes the space's bytes on to the world's record.
static void pass_on(const void *bytes, size_t size, void *context) {
    const fr__world_recorder *recorder = context;
    recorder->record(bytes, size, recorder->context);
}

void fr__world_recorder_destroy(fr_world *world) {
    if (world->recorder == NULL) { return; }
    fr_deallocate(&world->allocator, world->recorder, 1, sizeof *world->recorder);
    world->recorder = NULL;
}

fr_status fr_world_record(fr_world *world, fr_record_fn *record, void *context, fr_error *error) {
    return fr__world_record_begin(world, NULL, record, context, error);
}

fr_status fr__world_record_begin(fr_world *world, const fr__record_known *known, fr_record_fn *record, void *context,
                                 fr_error *error) {
    FR_ASSERT(world != NULL);
    if (world->is_ticking) { return fr_error_set(error, FR_ERROR_BUSY, "a tick is running"); }
    fr_status status = fr_space_record(world->space, NULL, NULL, error);
    if (status != FR_OK) { return status; }
    fr__world_recorder_destroy(world);
    if (record == NULL) { return FR_OK; }

    fr__world_recorder *recorder = fr_allocate(&world->allocator, 1, sizeof *recorder, _Alignof(fr__world_recorder));
    if (recorder == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a recorder"); }
    memset(recorder, 0, sizeof *recorder);
    recorder->record = record;
    recorder->context = context;
    fr__codec_make_writer(&recorder->codec, record, context);
    const void *magic = FR__WORLD_RECORD_MAGIC;
    uint32_t version = FR__WORLD_RECORD_VERSION;
    fr__code_bytes(&recorder->codec, &magic, 8);
    fr__code_u32(&recorder->codec, &version);
    fr__codec_flush(&recorder->codec);
    world->recorder = recorder;
    status = fr__space_record(world->space, known, pass_on, recorder, error);
    if (status != FR_OK) {
        fr__world_recorder_destroy(world);
        return status;
    }
    record_beginning(world);
    return FR_OK;
}

// The player of a world's record. A record is not trusted: its values are checked like those of a caller.
#include "world/replay.h"

#include "space/record.h"
#include "world/event.h"
#include "world/record.h"
#include "world/sense.h"
#include "world/tick.h"
#include "world/world.h"

#include "fureai/world_state.h"

#include <string.h>

// The limit of numbers that count up by one; no genuine record comes near it.
#define COUNT_MAX (UINT64_C(1) << 62)

typedef fr__world_player player;

static fr_status corrupt(const player *p, const char *what) {
    return fr_error_set(p->error, FR_ERROR_CORRUPT, "%s", what);
}

// ---------------------------------------------------------------------------------------------------------------
// The state a recording began with

static fr_status do_BEGIN(player *p, const fr__world_operation *o) {
    bool is_right = o->step >= FR_WORLD_STEP_MIN && o->step <= FR_WORLD_STEP_MAX && o->margin >= 0.0 &&
                    o->margin <= FR_LENGTH_MAX && o->want <= FR_WANT_INTERVALS && o->tick <= FR_WORLD_TICK_MAX &&
                    o->sequence < COUNT_MAX && o->last_id < COUNT_MAX;
    if (p->has_begun || !is_right) { return corrupt(p, "a world does not begin like this"); }
    fr_world *world = p->world;
    world->step = o->step;
    world->margin = o->margin;
    world->want = (fr_want)o->want;
    world->sense = FR_SENSE_STATIC; // unless an operation says more
    world->budget = o->budget;
    world->sequence = o->sequence;
    world->tick = o->tick;
    world->touches.last_id = o->last_id;
    p->has_begun = true;
    return FR_OK;
}

static fr_status do_SENSE(player *p, const fr__world_operation *o) {
    (void)o;
    p->world->sense = FR_SENSE_CONTINUOUS;
    return FR_OK;
}

static fr_status do_KNOWN(player *p, const fr__world_operation *o) {
    bool is_right = o->index < fr_space_object_places(p->world->space) && o->object.index1 == o->index + 1;
    if (!is_right) { return corrupt(p, "the place of a known object is not there"); }
    if (!fr__bodies_provide(p->world)) { return fr_error_set(p->error, FR_ERROR_MEMORY, "out of memory"); }
    fr__bodies(&p->world->bodies)[o->index].known = o->object;
    return FR_OK;
}

static fr_status do_HOLD(player *p, const fr__world_operation *o) {
    fr_pose raw = o->pose;
    fr_status status = fr_pose_check(&raw, p->error);
    if (status != FR_OK) { return status; }
    if (o->hold > FR_HOLD_PLACED || o->reported_hold > FR_HOLD_PLACED || o->is_set > 1) {
        return corrupt(p, "the hold of an object is not valid");
    }
    fr__world_body *body = fr__body_open(p->world, o->object, &status, p->error);
    if (body == NULL) { return status; }
    body->hold = (fr_hold)o->hold;
    p->world->has_holds = p->world->has_holds || body->hold != FR_HOLD_FREE;
    body->reported_hold = (fr_hold)o->reported_hold;
    body->has_raw = o->is_set == 1;
    p->world->has_inputs = p->world->has_inputs || body->has_raw;
    body->raw = raw;
    return FR_OK;
}

static fr_status do_TOUCHES(player *p, const fr__world_operation *o) {
    if (o->last_id >= COUNT_MAX) { return corrupt(p, "a touch has no such id"); }
    p->world->touches.now.count = 0;
    p->world->touches.last_id = o->last_id;
    return FR_OK;
}

static fr_status do_TOUCH(player *p, const fr__world_operation *o) {
    fr__touch_array *list = &p->world->touches.now;
    uint32_t a = o->object.index1, b = o->other.index1, places = fr_space_object_places(p->world->space);
    uint32_t lowest = p->world->sense == FR_SENSE_CONTINUOUS ? FR_RELATION_NEAR : FR_RELATION_TOUCHING;
    bool is_right = a != 0 && a <= b && b <= places && o->relation >= lowest && o->relation <= FR_RELATION_B_INSIDE &&
                    o->id <= p->world->touches.last_id;
    if (is_right && list->count > 0) {
        const fr_touch *last = list->data + (list->count - 1);
        is_right = last->a.index1 < a || (last->a.index1 == a && last->b.index1 < b);
    }
    if (!is_right) { return corrupt(p, "a touch is none, or out of order"); }
    fr_touch *touch = fr__touch_array_push(list, 1);
    if (touch == NULL) { return fr_error_set(p->error, FR_ERROR_MEMORY, "out of memory for a touch"); }
    *touch = (fr_touch){.a = o->object, .b = o->other, .id = o->id, .since = o->since};
    touch->relation = (fr_relation)o->relation;
    return FR_OK;
}

static fr_status do_FACE_TOUCHES(player *p, const fr__world_operation *o) {
    if (o->last_id >= COUNT_MAX) { return corrupt(p, "a face touch has no such id"); }
    p->world->faces.now.count = 0;
    p->world->faces.last_id = o->last_id;
    return FR_OK;
}

// Whether two faces come after those of a touch in the order of all lists.
static bool is_after(const fr_face_touch *last, const fr__world_operation *o) {
    uint32_t before[4] = {last->a.index1, last->b.index1, last->triangle_a, last->triangle_b};
    uint32_t after[4] = {o->object.index1, o->other.index1, o->triangle_a, o->triangle_b};
    int i = 0;
    while (i < 4 && before[i] == after[i]) {
        i++;
    }
    return i < 4 && before[i] < after[i];
}

static fr_status do_FACE_TOUCH(player *p, const fr__world_operation *o) {
    fr__face_touch_array *list = &p->world->faces.now;
    uint32_t a = o->object.index1, b = o->other.index1, places = fr_space_object_places(p->world->space);
    bool is_right = a != 0 && a <= b && b <= places && o->id <= p->world->faces.last_id && isfinite(o->value) &&
                    p->world->want >= FR_WANT_INTERVALS;
    if (is_right && list->count > 0) { is_right = is_after(list->data + (list->count - 1), o); }
    if (!is_right) { return corrupt(p, "a face touch is none, or out of order"); }
    fr_face_touch *touch = fr__face_touch_array_push(list, 1);
    if (touch == NULL) { return fr_error_set(p->error, FR_ERROR_MEMORY, "out of memory for a face touch"); }
    *touch = (fr_face_touch){.a = o->object, .b = o->other, .id = o->id, .begin = o->value, .end = FR_UNKNOWN};
    touch->triangle_a = o->triangle_a;
    touch->triangle_b = o->triangle_b;
    touch->pair = FR_NONE;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Calls

// A text of the record as one of C; false when it is too long or holds a zero.
static bool copy_text(const fr__world_operation *o, char *out, size_t size) {
    if (o->text_bytes >= size || memchr(o->text, 0, o->text_bytes) != NULL) { return false; }
    memcpy(out, o->text, o->text_bytes);
    out[o->text_bytes] = '\0';
    return true;
}

static fr_status do_SET_LABEL(player *p, const fr__world_operation *o) {
    char name[FR_WORLD_NAME_MAX_BYTES + 1];
    if (!copy_text(o, name, sizeof name)) { return corrupt(p, "a name is none"); }
    fr_label label = {name, fr__word_color(o->color)};
    return fr_world_set_label(p->world, o->object, &label, p->error);
}

static fr_status do_SET_STATE(player *p, const fr__world_operation *o) {
    char name[FR_WORLD_STATE_NAME_MAX_BYTES + 1];
    if (!copy_text(o, name, sizeof name) || o->is_set > 1) { return corrupt(p, "a state is none"); }
    fr_status status = fr_world_set_state(p->world, o->object, name, o->value, p->error);
    if (status == FR_OK) { fr__state_mark(p->world, o->object, name, o->is_set == 1); }
    return status;
}

static fr_status do_REMOVE_STATE(player *p, const fr__world_operation *o) {
    char name[FR_WORLD_STATE_NAME_MAX_BYTES + 1];
    if (!copy_text(o, name, sizeof name)) { return corrupt(p, "a state is none"); }
    return fr_world_remove_state(p->world, o->object, name, p->error);
}

static fr_status do_INPUT(player *p, const fr__world_operation *o) {
    return fr_world_drag(p->world, o->object, &o->pose, p->error);
}

// Fills the player's error for a call that returns only a status.
static fr_status with_text(player *p, fr_status status) {
    return status == FR_OK ? FR_OK : fr_error_set(p->error, status, "%s", fr_status_text(status));
}

static fr_status do_RELEASE(player *p, const fr__world_operation *o) {
    return with_text(p, fr_world_let_go(p->world, o->object, NULL));
}

static fr_status do_RESUME(player *p, const fr__world_operation *o) {
    return with_text(p, fr_world_resume(p->world, o->object, NULL));
}

static fr_status do_SET_TICK(player *p, const fr__world_operation *o) {
    if (o->tick > FR_WORLD_TICK_MAX) { return corrupt(p, "there is no such tick"); }
    p->world->tick = o->tick;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Ticks

static bool are_right(const player *p, const fr__world_operation *o) {
    for (uint32_t i = 0; i < o->event_count; i++) {
        const fr_event *event = &o->events[i];
        bool is_reported = fr__event_is_reported(event->kind);
        bool is_kind = event->kind == FR_EVENT_LIMIT || event->kind == FR_EVENT_CORRECTED || is_reported;
        if (!is_kind || isnan(event->value) || !fr_object_exists(p->world->space, event->a)) { return false; }
        bool is_pair = event->b.index1 == 0 || fr_object_exists(p->world->space, event->b);
        if (is_reported && (!is_pair || !fr__event_is_finite(event))) { return false; }
        if (event->kind == FR_EVENT_NAMED && !fr__event_has_name(event)) { return false; }
    }
    return true;
}

static fr_status do_STEP(player *p, const fr__world_operation *o) {
    (void)o;
    if (p->world->sense != FR_SENSE_CONTINUOUS) { return corrupt(p, "a step is sensed of a world that senses none"); }
    if (p->is_silent) {
        p->has_step = true;
        return FR_OK;
    }
    fr_tick_input input = fr_default_tick_input();
    input.tasks = p->tasks;
    input.control = p->control;
    fr__tick tick = {.input = &input, .start = fr_clock_ns()};
    (void)fr__player_settle(&p->space);
    fr_status status = fr__sense_step(p->world, &tick, p->error);
    p->has_step = status == FR_OK;
    return status;
}

// A tick of a replay that shows nothing: what later operations depend on.
static fr_status take_silently(player *p, bool is_paused) {
    fr_world *world = p->world;
    if (!fr__bodies_provide(world)) { return fr_error_set(p->error, FR_ERROR_MEMORY, "out of memory"); }
    fr__tick_forget_inputs(world);
    fr__bodies_settle(world);
    world->touches.now.count = 0;
    world->faces.now.count = 0;
    world->sequence++;
    if (!is_paused) { world->tick++; }
    p->has_tick = true;
    return FR_OK;
}

static fr_status do_TICK(player *p, const fr__world_operation *o) {
    bool is_sensed = p->has_step == (p->world->sense == FR_SENSE_CONTINUOUS);
    p->has_step = false;
    if (p->has_tick || !is_sensed || o->is_set > 1 || p->world->tick >= FR_WORLD_TICK_MAX || !are_right(p, o)) {
        return corrupt(p, "a tick is none");
    }
    if (p->is_silent) { return take_silently(p, o->is_set == 1); }
    fr_tick_input input = fr_default_tick_input();
    input.tasks = p->tasks;
    input.control = p->control;
    input.is_paused = o->is_set == 1;
    fr__tick tick = {.input = &input, .start = fr_clock_ns()};
    fr_status status = fr__tick_begin(p->world, p->error);
    if (status == FR_OK && !fr__events_collect_recorded(p->world, o->events, o->event_count)) {
        status = fr_error_set(p->error, FR_ERROR_MEMORY, "out of memory for events");
    }
    if (status == FR_OK) { status = fr__tick_provide(p->world, &tick, p->error); }
    if (status != FR_OK) { return status; }
    fr__tick_forget_inputs(p->world);
    (void)fr__player_settle(&p->space);
    status = fr__tick_end(p->world, &tick, p->error);
    p->has_tick = true;
    if (status == FR_OK && fr_control_is_stopped(p->control)) {
        status = fr_error_set(p->error, FR_ERROR_STOPPED, "stopped by the caller");
    }
    return status;
}

static fr_status do_HASH(player *p, const fr__world_operation *o) {
    if (!p->has_tick || o->is_set > 1) { return corrupt(p, "a snapshot without a tick"); }
    p->has_tick = false;
    p->ticks++;
    if (p->is_silent) { return FR_OK; }
    if (o->is_set == 1 && fr_snapshot_hash(&p->world->newest->view) != o->hash) {
        return fr_error_set(p->error, FR_ERROR_CORRUPT, "tick %llu differs from its record",
                            (unsigned long long)p->world->tick);
    }
    p->is_over = p->ticked != NULL && !p->ticked(p->world, p->context);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The player

static void own_id(const fr_world *world, fr_object_id *id) { id->space = id->index1 != 0 ? world->space->number : 0; }

static void own_ids(const fr_world *world, fr__world_operation *o) {
    own_id(world, &o->object);
    own_id(world, &o->other);
    fr_event *events = (fr_event *)(uintptr_t)o->events;
    for (uint32_t i = 0; i < o->event_count; i++) {
        own_id(world, &events[i].a);
        own_id(world, &events[i].b);
    }
}

static fr_status do_world(player *p, uint32_t kind) {
    static fr_status (*const does[])(player * p, const fr__world_operation *o) = {
#define OPERATION_DO(name, text) do_##name,
        FR__WORLD_OPERATION_TABLE(OPERATION_DO)
#undef OPERATION_DO
    };
    fr__world_operation operation;
    memset(&operation, 0, sizeof operation);
    if (kind >= FR__WORLD_OPERATION_COUNT) {
        return fr_error_set(p->error, FR_ERROR_SYNTAX, "there is no operation %u of a world", kind);
    }
    operation.kind = (fr__world_operation_kind)kind;
    fr__world_operation_code(&p->space.codec, &operation);
    if (p->space.codec.status != FR_OK) { return fr__player_read_too_far(&p->space); }
    if (!p->has_begun && kind != FR__WORLD_BEGIN) { return corrupt(p, "a world is changed before it begins"); }
    own_ids(p->world, &operation);
    fr_status status = does[kind](p, &operation);
    if (status == FR_OK && p->counts != NULL) { p->counts[kind]++; }
    return status;
}

fr_status fr__world_player_begin(fr__world_player *p) {
    p->at = 0;
    fr_status status = fr__player_begin(&p->space, FR__WORLD_RECORD_MAGIC, FR__WORLD_RECORD_VERSION, "a world");
    if (status != FR_OK) { return status; }
    return fr__player_begin(&p->space, FR__RECORD_MAGIC, FR__RECORD_VERSION, "a space");
}

// Whether an operation is a part of taking a step.
static bool is_of_step(uint32_t kind) {
    return kind == FR__OPERATION_COMMIT || kind == FR__WORLD_OPERATION_FIRST + FR__WORLD_STEP ||
           kind == FR__WORLD_OPERATION_FIRST + FR__WORLD_TICK;
}

fr_status fr__world_player_play(fr__world_player *p, uint64_t ticks) {
    fr__codec *codec = &p->space.codec;
    fr_status status = FR_OK;
    bool is_start = ticks == 0 && p->ticks == 0;
    for (uint32_t done = 0; status == FR_OK && !p->is_over && codec->at < codec->size; done++) {
        if (p->ticks >= ticks && !is_start) { break; }
        p->at = codec->at;
        if (done % 64 == 0) {
            fr_control_progress(p->control, (double)codec->at / (double)codec->size, "replay");
            if (fr_control_is_stopped(p->control)) {
                return fr_error_set(p->error, FR_ERROR_STOPPED, "stopped by the caller");
            }
        }
        uint32_t kind = 0;
        fr__code_u32(codec, &kind);
        if (is_start && codec->status == FR_OK && is_of_step(kind)) {
            codec->at = p->at;
            break;
        }
        bool is_ours = codec->status == FR_OK && kind >= FR__WORLD_OPERATION_FIRST;
        if (!is_ours && kind != FR__OPERATION_COMMIT) { p->has_step = false; }
        status = is_ours ? do_world(p, kind - FR__WORLD_OPERATION_FIRST) : fr__player_do(&p->space, kind);
    }
    return status;
}

fr_status fr__world_replay(fr_world *world, const void *bytes, size_t size, const fr_replay_input *input,
                           uint64_t counts[FR__WORLD_OPERATION_COUNT], fr_error *error) {
    FR_ASSERT(world != NULL && (bytes != NULL || size == 0));
    if (world->is_ticking) { return fr_error_set(error, FR_ERROR_BUSY, "a tick is running"); }
    if (world->sequence != 0 || world->recorder != NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a record is replayed into a new world without a recorder");
    }
    fr_error own;
    memset(&own, 0, sizeof own);
    player p = {.world = world, .counts = counts, .error = &own};
    if (input != NULL) {
        p.tasks = input->tasks;
        p.control = input->control;
        p.ticked = input->ticked;
        p.context = input->context;
    }
    fr_status status = fr__player_open(&p.space, world->space, bytes, size, &own);
    if (status != FR_OK) { return fr_error_set(error, status, "%s", own.message); }
    world->is_ticking = true;
    status = fr__world_player_begin(&p);
    if (status == FR_OK) { status = fr__world_player_play(&p, UINT64_MAX); }
    world->is_ticking = false;
    bool was_current = fr__player_settle(&p.space);
    if (status == FR_OK && was_current) { status = fr_space_update(world->space, p.tasks, &own); }
    if (status != FR_OK) { (void)fr_error_set(error, status, "record, byte %zu: %s", p.at, own.message); }
    fr__player_close(&p.space);
    return status;
}

fr_status fr_world_replay(fr_world *world, const void *bytes, size_t size, const fr_replay_input *input,
                          fr_error *error) {
    return fr__world_replay(world, bytes, size, input, NULL, error);
}

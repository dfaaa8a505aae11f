// The fields of every operation, in the order of a record. One function for each kind writes and reads them.
#include "world/operation.h"

#include "world/event.h"

#include <string.h>

const char *fr__world_operation_text(fr__world_operation_kind kind) {
    static const char *const texts[] = {
#define OPERATION_TEXT(name, text) text,
        FR__WORLD_OPERATION_TABLE(OPERATION_TEXT)
#undef OPERATION_TEXT
    };
    return (unsigned)kind < FR__WORLD_OPERATION_COUNT ? texts[kind] : "unknown";
}

// The space of an id is not recorded, because the player plays into another space.
static void code_id(fr__codec *codec, fr_object_id *id) {
    fr__code_u32(codec, &id->index1);
    fr__code_u32(codec, &id->generation);
}

static void code_text(fr__codec *codec, fr__world_operation *o) {
    fr__code_u32(codec, &o->text_bytes);
    fr__code_bytes(codec, &o->text, o->text_bytes);
}

static void code_BEGIN(fr__codec *codec, fr__world_operation *o) {
    fr__code_double(codec, &o->step);
    fr__code_u32(codec, &o->want);
    fr__code_double(codec, &o->margin);
    fr__code_u64(codec, &o->budget);
    fr__code_u64(codec, &o->sequence);
    fr__code_u64(codec, &o->tick);
    fr__code_u64(codec, &o->last_id);
}

static void code_KNOWN(fr__codec *codec, fr__world_operation *o) {
    fr__code_u32(codec, &o->index);
    code_id(codec, &o->object);
}

static void code_HOLD(fr__codec *codec, fr__world_operation *o) {
    code_id(codec, &o->object);
    fr__code_u32(codec, &o->hold);
    fr__code_u32(codec, &o->reported_hold);
    fr__code_u32(codec, &o->is_set);
    fr__code_pose(codec, &o->pose);
}

static void code_TOUCHES(fr__codec *codec, fr__world_operation *o) { fr__code_u64(codec, &o->last_id); }

static void code_TOUCH(fr__codec *codec, fr__world_operation *o) {
    code_id(codec, &o->object);
    code_id(codec, &o->other);
    fr__code_u64(codec, &o->id);
    fr__code_u64(codec, &o->since);
    fr__code_u32(codec, &o->relation);
}

static void code_SET_LABEL(fr__codec *codec, fr__world_operation *o) {
    code_id(codec, &o->object);
    fr__code_u32(codec, &o->color);
    code_text(codec, o);
}

static void code_SET_STATE(fr__codec *codec, fr__world_operation *o) {
    code_id(codec, &o->object);
    fr__code_double(codec, &o->value);
    fr__code_u32(codec, &o->is_set);
    code_text(codec, o);
}

static void code_REMOVE_STATE(fr__codec *codec, fr__world_operation *o) {
    code_id(codec, &o->object);
    code_text(codec, o);
}

static void code_INPUT(fr__codec *codec, fr__world_operation *o) {
    code_id(codec, &o->object);
    fr__code_pose(codec, &o->pose);
}

static void code_RELEASE(fr__codec *codec, fr__world_operation *o) { code_id(codec, &o->object); }
static void code_RESUME(fr__codec *codec, fr__world_operation *o) { code_id(codec, &o->object); }
static void code_SET_TICK(fr__codec *codec, fr__world_operation *o) { fr__code_u64(codec, &o->tick); }

// The further fields of events of handling, which older records do not have.
static void code_handling(fr__codec *codec, fr_event *event) {
    code_id(codec, &event->b);
    fr__code_double(codec, &event->speed);
    fr__code_double(codec, &event->area);
    fr__code_double(codec, &event->pull);
    fr__code_u32(codec, &event->count);
    fr__code_vec3(codec, &event->point);
}

// The second number of a named event, and its name: 8 bytes of it in a word, the first one in the lowest place.
static void code_name(fr__codec *codec, fr_event *event) {
    fr__code_double(codec, &event->second);
    for (size_t first = 0; first < sizeof event->name; first += 8) {
        uint64_t word = 0;
        for (size_t i = 0; i < 8; i++) {
            word |= (uint64_t)(unsigned char)event->name[first + i] << (8 * i);
        }
        fr__code_u64(codec, &word);
        for (size_t i = 0; i < 8; i++) {
            event->name[first + i] = (char)(unsigned char)(word >> (8 * i));
        }
    }
}

// An event is its kind, object and value: 4, 8 and 8 bytes.
static void code_TICK(fr__codec *codec, fr__world_operation *o) {
    fr__code_u32(codec, &o->is_set);
    fr__code_u32(codec, &o->event_count);
    fr_event *events = NULL;
    if (codec->is_reader) {
        events = fr__codec_take(codec, 0, o->event_count, sizeof *events, 20);
        o->events = events;
        if (events == NULL) { return; }
    }
    for (uint32_t i = 0; i < o->event_count; i++) {
        fr_event event;
        memset(&event, 0, sizeof event);
        if (!codec->is_reader) { event = o->events[i]; }
        uint32_t kind = (uint32_t)event.kind;
        fr__code_u32(codec, &kind);
        code_id(codec, &event.a);
        fr__code_double(codec, &event.value);
        event.kind = (fr_event_kind)(kind < FR_EVENT_KIND_COUNT ? kind : FR_EVENT_ADDED);
        if (fr__event_is_reported(event.kind)) { code_handling(codec, &event); }
        if (event.kind == FR_EVENT_NAMED) { code_name(codec, &event); }
        if (codec->is_reader) { events[i] = event; }
    }
}

static void code_HASH(fr__codec *codec, fr__world_operation *o) {
    fr__code_u32(codec, &o->is_set);
    fr__code_u64(codec, &o->hash);
}

static void code_FACE_TOUCHES(fr__codec *codec, fr__world_operation *o) { fr__code_u64(codec, &o->last_id); }

static void code_FACE_TOUCH(fr__codec *codec, fr__world_operation *o) {
    code_id(codec, &o->object);
    code_id(codec, &o->other);
    fr__code_u32(codec, &o->triangle_a);
    fr__code_u32(codec, &o->triangle_b);
    fr__code_u64(codec, &o->id);
    fr__code_double(codec, &o->value);
}

// Operations without fields.
static void code_SENSE(fr__codec *codec, fr__world_operation *o) { (void)codec, (void)o; }
static void code_STEP(fr__codec *codec, fr__world_operation *o) { (void)codec, (void)o; }

void fr__world_operation_code(fr__codec *codec, fr__world_operation *operation) {
    static void (*const codes[])(fr__codec * codec, fr__world_operation * operation) = {
#define OPERATION_CODE(name, text) code_##name,
        FR__WORLD_OPERATION_TABLE(OPERATION_CODE)
#undef OPERATION_CODE
    };
    codes[operation->kind](codec, operation);
}

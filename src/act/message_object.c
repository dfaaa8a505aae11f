// The messages of plug-ins that are skills of objects, to bytes and back: always lines of JSON.
#include "act/message.h"

#include <math.h>
#include <string.h>

static const char *const KINDS[] = {"none", "attach", "joint", "fall"}; // of fr_intent_kind
static const char *const SIDES[] = {"right", "left"};                   // of fr_side

// ---------------------------------------------------------------------------------------------------------------
// Writing

static bool append(const void *bytes, size_t size, void *context) {
    fr_byte_array *out = context;
    unsigned char *room = size > 0 ? fr_byte_array_push(out, size) : NULL;
    if (room != NULL) { memcpy(room, bytes, size); }
    return room != NULL || size == 0;
}

// Ends a message; what was written of it is taken back where there is no memory.
static fr_status end_line(fr_json_writer *w, fr_byte_array *out, size_t begin, fr_error *error) {
    fr_json_write_object_end(w);
    if (fr_json_writer_end(w)) { return FR_OK; }
    out->count = begin;
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a message to a plug-in");
}

static void write_pose(fr_json_writer *w, const char *key, const fr_pose *pose) {
    fr_json_write_key(w, key);
    fr_json_write_object(w);
    fr_json_write_numbers_field(w, "p", &pose->position.x, 3);
    fr_json_write_numbers_field(w, "q", &pose->rotation.w, 4);
    if (pose->scale != 1.0) { fr_json_write_number_field(w, "s", pose->scale); }
    fr_json_write_object_end(w);
}

static void write_hand(fr_json_writer *w, const fr_object_hand *hand) {
    if (!hand->is_there) {
        fr_json_write_null(w);
        return;
    }
    fr_json_write_object(w);
    write_pose(w, "palm", &hand->palm);
    fr_json_write_numbers_field(w, "grip", &hand->grip.x, 3);
    fr_json_write_numbers_field(w, "tip", &hand->tip.x, 3);
    fr_json_write_object_end(w);
}

fr_status fr__plug_write_object(const fr__plug_object *message, fr_byte_array *out, fr_error *error) {
    const fr_object_input *input = &message->input;
    size_t begin = out->count;
    fr_json_writer w = fr_json_writer_make(append, out, 0, &out->allocator);
    fr_json_write_object(&w);
    fr_json_write_string_field(&w, "t", message->frame == 0 ? "init" : "step");
    if (message->frame == 0) {
        fr_json_write_uint_field(&w, "v", FR_PLUG_IN_VERSION);
        fr_json_write_string_field(&w, "skill", message->skill);
        fr_json_write_string_field(&w, "object", message->object);
        fr_json_write_string_field(&w, "data", message->data);
        fr_json_write_key(&w, "params");
        fr_json_write_object(&w);
        for (uint32_t i = 0; i < message->parameter_count; i++) {
            fr_json_write_string_field(&w, message->parameters[i].key, message->parameters[i].value);
        }
        fr_json_write_object_end(&w);
    } else {
        fr_json_write_uint_field(&w, "k", message->frame);
    }
    write_pose(&w, "at", &input->object);
    write_pose(&w, "joint", &input->joint);
    fr_json_write_string_field(&w, "kind", input->kind == FR_JOINT_SLIDER ? "slider" : "hinge");
    const double numbers[5] = {input->low, input->high, input->value, input->threshold, input->size};
    fr_json_write_numbers_field(&w, "numbers", numbers, 5);
    fr_json_write_numbers_field(&w, "knob", &input->knob.x, 3);
    fr_json_write_key(&w, "hands");
    fr_json_write_array(&w);
    write_hand(&w, &input->hands[0]);
    write_hand(&w, &input->hands[1]);
    fr_json_write_array_end(&w);
    return end_line(&w, out, begin, error);
}

fr_status fr__plug_write_object_frame(const fr__plug_object_frame *frame, fr_byte_array *out, fr_error *error) {
    const fr_intent *intent = &frame->output.intent;
    size_t begin = out->count;
    fr_json_writer w = fr_json_writer_make(append, out, 0, &out->allocator);
    fr_json_write_object(&w);
    fr_json_write_string_field(&w, "t", "frame");
    fr_json_write_uint_field(&w, "k", frame->frame);
    fr_json_write_string_field(&w, "intent", KINDS[intent->kind]);
    if (intent->kind == FR_INTENT_ATTACH) {
        fr_json_write_string_field(&w, "side", SIDES[intent->side]);
        write_pose(&w, "offset", &intent->offset);
        write_pose(&w, "at", &intent->pose);
    }
    if (intent->kind == FR_INTENT_JOINT) { fr_json_write_number_field(&w, "value", intent->value); }
    fr_json_write_uint_field(&w, "done", frame->output.is_done);
    fr_json_write_key(&w, "events");
    fr_json_write_array(&w);
    for (uint32_t i = 0; i < frame->output.event_count; i++) {
        fr_json_write_object(&w);
        fr_json_write_string_field(&w, "name", frame->output.events[i].name);
        fr_json_write_number_field(&w, "value", frame->output.events[i].value);
        fr_json_write_object_end(&w);
    }
    fr_json_write_array_end(&w);
    if (frame->error[0] != '\0') { fr_json_write_string_field(&w, "error", frame->error); }
    return end_line(&w, out, begin, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

static fr_json_value member(const fr_json *json, fr_json_value object, const char *key) {
    return fr_json_is(json, object, FR_JSON_OBJECT) ? fr_json_member(json, object, key) : FR_JSON_NONE;
}

static fr_status refuse(fr_error *error, const char *what) { return fr_error_set(error, FR_ERROR_SYNTAX, "%s", what); }

static fr_status read_pose(const fr_json *json, fr_json_value value, fr_pose *out, fr_error *error) {
    *out = fr_pose_identity();
    fr_json_value scale = member(json, value, "s");
    bool is_right = fr_json_get_numbers(json, member(json, value, "p"), 3, &out->position.x) &&
                    fr_json_get_numbers(json, member(json, value, "q"), 4, &out->rotation.w) &&
                    (scale == FR_JSON_NONE || fr_json_get_number(json, scale, &out->scale));
    return is_right ? fr__plug_check_pose(out, error)
                    : refuse(error, "a pose has no \"p\" of 3 and \"q\" of 4 numbers");
}

// Which of some words a value is; `count`: none of them.
static int read_word(const fr_json *json, fr_json_value value, const char *const *words, int count) {
    int i = 0;
    while (i < count && !(value != FR_JSON_NONE && fr_json_equals(json, value, words[i]))) {
        i++;
    }
    return i;
}

static void read_text(const fr_json *json, fr_json_value value, char *out, size_t size) {
    size_t bytes = fr_json_is(json, value, FR_JSON_STRING) ? fr_json_get_text(json, value).size : 0;
    size_t length = bytes > 0 && bytes < size ? fr_json_decode(json, value, out) : 0;
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)out[i] < 0x20 || out[i] == 0x7f) { out[i] = ' '; }
    }
    out[length] = '\0';
}

static fr_status read_hands(const fr_json *json, fr_json_value list, fr_object_input *out, fr_error *error) {
    if (!fr_json_is(json, list, FR_JSON_ARRAY) || fr_json_count(json, list) != 2) {
        return refuse(error, "\"hands\" is no list of two");
    }
    fr_json_value one = fr_json_first(json, list);
    for (int i = 0; i < 2; i++, one = fr_json_next(json, one)) {
        fr_object_hand *hand = &out->hands[i];
        hand->is_there = fr_json_is(json, one, FR_JSON_OBJECT);
        if (!hand->is_there) { continue; }
        fr_status status = read_pose(json, member(json, one, "palm"), &hand->palm, error);
        if (status != FR_OK) { return status; }
        if (!fr_json_get_numbers(json, member(json, one, "grip"), 3, &hand->grip.x) ||
            !fr_json_get_numbers(json, member(json, one, "tip"), 3, &hand->tip.x)) {
            return refuse(error, "a hand has no \"grip\" and \"tip\" of 3 numbers");
        }
    }
    return FR_OK;
}

fr_status fr__plug_read_object(const fr_json *json, fr__plug_object *out, fr_error *error) {
    *out = (fr__plug_object){.input = fr_default_object_input()};
    fr_object_input *input = &out->input;
    double numbers[5];
    uint64_t frame = 0;
    fr_json_value k = member(json, FR_JSON_ROOT, "k"), kind = member(json, FR_JSON_ROOT, "kind");
    if (k != FR_JSON_NONE && (!fr_json_get_whole(json, k, &frame) || frame > FR_MAX_SKILL_FRAMES)) {
        return refuse(error, "a step has no frame \"k\"");
    }
    out->frame = (uint32_t)frame;
    fr_status status = read_pose(json, member(json, FR_JSON_ROOT, "at"), &input->object, error);
    if (status == FR_OK) { status = read_pose(json, member(json, FR_JSON_ROOT, "joint"), &input->joint, error); }
    if (status != FR_OK) { return status; }
    if (!fr_json_get_numbers(json, member(json, FR_JSON_ROOT, "numbers"), 5, numbers) ||
        !fr_json_get_numbers(json, member(json, FR_JSON_ROOT, "knob"), 3, &input->knob.x)) {
        return refuse(error, "an object has no \"numbers\" of 5 and \"knob\" of 3");
    }
    bool is_slider = kind != FR_JSON_NONE && fr_json_equals(json, kind, "slider");
    input->kind = is_slider ? FR_JOINT_SLIDER : FR_JOINT_HINGE;
    input->low = numbers[0];
    input->high = numbers[1];
    input->value = numbers[2];
    input->threshold = numbers[3];
    input->size = numbers[4];
    return read_hands(json, member(json, FR_JSON_ROOT, "hands"), input, error);
}

static fr_status read_intent(const fr_json *json, fr_intent *out, fr_error *error) {
    int kind = read_word(json, member(json, FR_JSON_ROOT, "intent"), KINDS, 4);
    *out = (fr_intent){.offset = fr_pose_identity(), .pose = fr_pose_identity()};
    if (kind == 4) { return refuse(error, "a frame of an object has no \"intent\""); }
    out->kind = (fr_intent_kind)kind;
    if (kind == FR_INTENT_ATTACH) {
        int side = read_word(json, member(json, FR_JSON_ROOT, "side"), SIDES, 2);
        if (side == 2) { return refuse(error, "an object is attached to no \"side\""); }
        out->side = (fr_side)side;
        fr_status status = read_pose(json, member(json, FR_JSON_ROOT, "offset"), &out->offset, error);
        return status == FR_OK ? read_pose(json, member(json, FR_JSON_ROOT, "at"), &out->pose, error) : status;
    }
    if (kind != FR_INTENT_JOINT) { return FR_OK; }
    bool is_right = fr_json_get_number(json, member(json, FR_JSON_ROOT, "value"), &out->value);
    return is_right ? FR_OK : refuse(error, "a joint has no \"value\"");
}

fr_status fr__plug_read_object_frame(const fr_json *json, fr__plug_object_frame *out, fr_error *error) {
    *out = (fr__plug_object_frame){0};
    uint64_t frame = 0;
    double is_done = 0.0;
    fr_json_value k = member(json, FR_JSON_ROOT, "k"), done = member(json, FR_JSON_ROOT, "done");
    if (k == FR_JSON_NONE || !fr_json_get_whole(json, k, &frame) || frame > FR_MAX_SKILL_FRAMES) {
        return refuse(error, "a frame has no number \"k\"");
    }
    out->frame = (uint32_t)frame;
    read_text(json, member(json, FR_JSON_ROOT, "error"), out->error, sizeof out->error);
    if (out->error[0] != '\0') { return FR_OK; }
    out->output.is_done = done != FR_JSON_NONE && fr_json_get_number(json, done, &is_done) && is_done != 0.0;
    fr_json_value list = member(json, FR_JSON_ROOT, "events");
    if (list != FR_JSON_NONE && fr_json_count(json, list) > FR_MAX_OBJECT_EVENTS) {
        return refuse(error, "an object has too many events");
    }
    fr_json_value one = list != FR_JSON_NONE ? fr_json_first(json, list) : FR_JSON_NONE;
    for (; one != FR_JSON_NONE; one = fr_json_next(json, one)) {
        fr_json_value value = member(json, one, "value");
        char *name = out->names[out->output.event_count];
        fr_object_event *event = &out->output.events[out->output.event_count++];
        read_text(json, member(json, one, "name"), name, sizeof out->names[0]);
        if (name[0] == '\0') { return refuse(error, "an event has no name"); }
        if (value != FR_JSON_NONE) { (void)fr_json_get_number(json, value, &event->value); }
    }
    return read_intent(json, &out->output.intent, error);
}

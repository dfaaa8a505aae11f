// Reading the messages between a host and a plug-in.
#include "act/message.h"

#include "fureai/json.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Finding

fr_status fr__plug_find(const void *bytes, size_t size, fr__plug_form form, fr__plug_message *out, fr_error *error) {
    const unsigned char *at = bytes;
    *out = (fr__plug_message){0};
    size_t length = 0, head = 0, tail = 0;
    if (form == FR__PLUG_LINES) {
        const unsigned char *end = size > 0 ? memchr(at, '\n', size) : NULL;
        length = end != NULL ? (size_t)(end - at) : size;
        tail = end != NULL ? 1 : SIZE_MAX;
    } else {
        if (size < 4) { return FR_OK; }
        length = (size_t)at[0] | (size_t)at[1] << 8 | (size_t)at[2] << 16 | (size_t)at[3] << 24;
        head = 4;
    }
    if (length > FR_PLUG_IN_MAX_MESSAGE_BYTES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a message is longer than %u bytes", FR_PLUG_IN_MAX_MESSAGE_BYTES);
    }
    if (tail == SIZE_MAX || size - head < length) { return FR_OK; }
    bool is_text = form == FR__PLUG_LINES || (length > 0 && at[head] == '{');
    *out = (fr__plug_message){at + head, length, head + length + tail, is_text};
    return FR_OK;
}

static fr_status refuse(fr_error *error, const char *what) { return fr_error_set(error, FR_ERROR_SYNTAX, "%s", what); }

static fr_status parse_text(const void *bytes, size_t size, const fr_allocator *allocator, fr_json **json,
                            fr_error *error) {
    fr_json_def def = fr_default_json_def();
    def.max_depth = 8;
    def.max_values = 1u << 20;
    def.is_container = true;
    if (allocator != NULL) { def.allocator = *allocator; }
    return fr_json_create(bytes, size, &def, json, error);
}

fr_status fr__plug_parse(const fr__plug_message *message, const fr_allocator *allocator, fr_json **json,
                         fr__plug_kind *kind, fr_error *error) {
    static const struct {
        const char *name;
        fr__plug_kind kind;
    } kinds[] = {{"init", FR__PLUG_INIT},
                 {"ready", FR__PLUG_READY},
                 {"step", FR__PLUG_STEP},
                 {"frame", FR__PLUG_FRAME},
                 {"stop", FR__PLUG_STOP}};
    *kind = FR__PLUG_NONE;
    *json = NULL;
    fr_status status = parse_text(message->bytes, message->size, allocator, json, error);
    if (status != FR_OK) { return status; }
    fr_json_value type = fr_json_member(*json, FR_JSON_ROOT, "t");
    for (size_t i = 0; type != FR_JSON_NONE && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (fr_json_equals(*json, type, kinds[i].name)) { *kind = kinds[i].kind; }
    }
    if (*kind != FR__PLUG_NONE) { return FR_OK; }
    fr_json_destroy(*json);
    *json = NULL;
    return refuse(error, "a message has no known type \"t\"");
}

// ---------------------------------------------------------------------------------------------------------------
// Values

static fr_json_value member(const fr_json *json, fr_json_value object, const char *key) {
    return fr_json_is(json, object, FR_JSON_OBJECT) ? fr_json_member(json, object, key) : FR_JSON_NONE;
}

// A number that may be a bool; `fallback` where it is not there.
static bool get_flag(const fr_json *json, fr_json_value object, const char *key) {
    fr_json_value value = member(json, object, key);
    double number = 0.0;
    bool is_set = false;
    if (value == FR_JSON_NONE) { return false; }
    return fr_json_get_bool(json, value, &is_set) ? is_set : fr_json_get_number(json, value, &number) && number != 0.0;
}

static bool get_whole(const fr_json *json, fr_json_value value, uint32_t max, uint32_t *out) {
    uint64_t whole = 0;
    if (value == FR_JSON_NONE || !fr_json_get_whole(json, value, &whole) || whole > max) { return false; }
    *out = (uint32_t)whole;
    return true;
}

// A text up to `size` bytes with its zero, cut at a whole character; zeros and control characters become spaces.
static void get_text(const fr_json *json, fr_json_value value, char *out, size_t size) {
    out[0] = '\0';
    if (!fr_json_is(json, value, FR_JSON_STRING)) { return; }
    fr_json_text raw = fr_json_get_text(json, value);
    char decoded[1024];
    if (raw.size > sizeof decoded) { raw.size = 0; }
    size_t length = raw.size > 0 ? fr_json_decode(json, value, decoded) : 0, at = 0;
    while (at < length) {
        size_t bytes = fr_utf8_length(decoded + at, length - at);
        if (bytes == 0 || at + bytes >= size) { break; }
        memcpy(out + at, decoded + at, bytes);
        if ((unsigned char)out[at] < 0x20 || out[at] == 0x7f) { out[at] = ' '; }
        at += bytes;
    }
    out[at] = '\0';
}

// The rounding of a skill is left as it is, so that bits are those of the library.
static bool is_same_turn(fr_quat a, fr_quat b) {
    const double tolerance = 1e-12;
    return fabs(a.w - b.w) <= tolerance && fabs(a.x - b.x) <= tolerance && fabs(a.y - b.y) <= tolerance &&
           fabs(a.z - b.z) <= tolerance;
}

fr_status fr__plug_check_turn(fr_quat *turn, fr_error *error) {
    fr_quat unit = *turn;
    fr_status status = fr_quat_normalize(&unit, error);
    if (status == FR_OK && !is_same_turn(unit, *turn)) { *turn = unit; }
    return status;
}

fr_status fr__plug_check_pose(fr_pose *pose, fr_error *error) {
    fr_pose checked = *pose;
    fr_status status = fr_pose_check(&checked, error);
    if (status == FR_OK && !is_same_turn(checked.rotation, pose->rotation)) { *pose = checked; }
    return status;
}

static fr_status read_pose(const fr_json *json, fr_json_value value, fr_pose *out, fr_error *error) {
    *out = fr_pose_identity();
    fr_json_value scale = member(json, value, "s");
    bool is_right = fr_json_get_numbers(json, member(json, value, "p"), 3, &out->position.x) &&
                    fr_json_get_numbers(json, member(json, value, "q"), 4, &out->rotation.w) &&
                    (scale == FR_JSON_NONE || fr_json_get_number(json, scale, &out->scale));
    if (!is_right) { return refuse(error, "a pose has no \"p\" of 3 and \"q\" of 4 numbers"); }
    return fr__plug_check_pose(out, error);
}

// Turns that are not unit, and places that are too far, are refused.
static fr_status check_posture(fr_posture *posture, const double contacts[2], fr_error *error) {
    for (int i = 0; i < 2; i++) {
        if (!(contacts[i] >= 0.0 && contacts[i] <= 3.0) || contacts[i] != floor(contacts[i])) {
            return refuse(error, "a contact of a foot is 0 .. 3");
        }
    }
    posture->contact_left = (uint8_t)contacts[0];
    posture->contact_right = (uint8_t)contacts[1];
    if (!fr_vec3_is_finite(posture->place) || fr_vec3_largest(posture->place) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the place of a body is not finite");
    }
    for (uint32_t i = 0; i < posture->count; i++) {
        fr_status status = fr__plug_check_turn(&posture->turns[i], error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static fr_status read_posture(const fr_json *json, fr_json_value value, fr_posture *out, fr_error *error) {
    double contacts[2] = {0.0, 0.0};
    fr_json_value feet = member(json, value, "c");
    bool is_right = fr_json_get_numbers(json, member(json, value, "hip"), 3, &out->place.x) &&
                    fr_json_get_numbers(json, member(json, value, "q"), 4 * (size_t)out->count, &out->turns[0].w) &&
                    (feet == FR_JSON_NONE || fr_json_get_numbers(json, feet, 2, contacts));
    if (!is_right) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "a posture has no \"hip\" of 3 and \"q\" of %u numbers",
                            4 * out->count);
    }
    return check_posture(out, contacts, error);
}

// ---------------------------------------------------------------------------------------------------------------
// READY

fr_status fr__plug_read_ready(const fr_json *json, fr__plug_ready *out, fr_error *error) {
    *out = (fr__plug_ready){0};
    fr_json_value frames = member(json, FR_JSON_ROOT, "frames");
    if (frames != FR_JSON_NONE && !get_whole(json, frames, FR_MAX_SKILL_FRAMES, &out->frames)) {
        return refuse(error, "\"frames\" of ready is no count");
    }
    out->is_again = get_flag(json, FR_JSON_ROOT, "again");
    out->is_binary = get_flag(json, FR_JSON_ROOT, "bin");
    get_text(json, member(json, FR_JSON_ROOT, "error"), out->error, sizeof out->error);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Doubles

// The next doubles of a message; false where there are not as many.
static bool get_doubles(const fr__plug_message *message, size_t *at, double *out, size_t count) {
    if ((message->size - *at) / 8 < count) { return false; }
    const unsigned char *bytes = message->bytes + *at;
    for (size_t i = 0; i < count; i++, bytes += 8) {
        uint64_t bits = 0;
        for (int k = 0; k < 8; k++) {
            bits |= (uint64_t)bytes[k] << (8 * k);
        }
        memcpy(&out[i], &bits, sizeof bits);
    }
    *at += 8 * count;
    return true;
}

static bool get_posture(const fr__plug_message *message, size_t *at, fr_posture *out, double contacts[2]) {
    double place[3], turn[4];
    if (!get_doubles(message, at, place, 3) || !get_doubles(message, at, contacts, 2)) { return false; }
    out->place = fr_vec3_make(place[0], place[1], place[2]);
    for (uint32_t i = 0; i < out->count; i++) {
        if (!get_doubles(message, at, turn, 4)) { return false; }
        out->turns[i] = (fr_quat){turn[0], turn[1], turn[2], turn[3]};
    }
    return true;
}

static bool to_frame(double number, uint32_t *out) {
    if (!(number >= 0.0 && number <= FR_MAX_SKILL_FRAMES) || number != floor(number)) { return false; }
    *out = (uint32_t)number;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// STEP and FRAME

static fr_status read_step_doubles(const fr__plug_message *message, fr__plug_step *out, fr_error *error) {
    size_t at = 0;
    double frame = -1.0, contacts[2];
    fr_pose target;
    bool is_right = get_doubles(message, &at, &frame, 1) && to_frame(frame, &out->frame) &&
                    get_posture(message, &at, &out->body, contacts) &&
                    get_doubles(message, &at, &target.position.x, 3) &&
                    get_doubles(message, &at, &target.rotation.w, 4) && get_doubles(message, &at, &target.scale, 1);
    if (!is_right) { return refuse(error, "a binary step is cut short, or has no frame"); }
    out->target = target;
    fr_status status = fr__plug_check_pose(&out->target, error);
    return status == FR_OK ? check_posture(&out->body, contacts, error) : status;
}

fr_status fr__plug_read_step(const fr__plug_message *message, const fr_json *json, fr__plug_step *out,
                             fr_error *error) {
    if (json == NULL) { return read_step_doubles(message, out, error); }
    if (!get_whole(json, member(json, FR_JSON_ROOT, "k"), FR_MAX_SKILL_FRAMES, &out->frame)) {
        return refuse(error, "a step has no frame \"k\"");
    }
    fr_json_value target = member(json, FR_JSON_ROOT, "at");
    out->target = fr_pose_identity();
    fr_status status = target != FR_JSON_NONE ? read_pose(json, target, &out->target, error) : FR_OK;
    return status == FR_OK ? read_posture(json, member(json, FR_JSON_ROOT, "pose"), &out->body, error) : status;
}

static fr_status read_events(const fr_json *json, const char *target, fr__plug_frame *out, fr_error *error) {
    get_text(json, member(json, FR_JSON_ROOT, "error"), out->error, sizeof out->error);
    fr_json_value list = member(json, FR_JSON_ROOT, "events");
    if (list == FR_JSON_NONE) { return FR_OK; }
    if (!fr_json_is(json, list, FR_JSON_ARRAY) || fr_json_count(json, list) > FR_MAX_SKILL_EVENTS) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "\"events\" is no list of up to %u", FR_MAX_SKILL_EVENTS);
    }
    for (fr_json_value one = fr_json_first(json, list); one != FR_JSON_NONE; one = fr_json_next(json, one)) {
        fr__plug_event *event = &out->events[out->event_count];
        *event = (fr__plug_event){0};
        get_text(json, member(json, one, "name"), event->name, sizeof event->name);
        fr_json_value object = member(json, one, "object"), numbers = member(json, one, "numbers");
        event->is_target = target[0] != '\0' && object != FR_JSON_NONE && fr_json_equals(json, object, target);
        bool has_numbers = numbers == FR_JSON_NONE || fr_json_get_numbers(json, numbers, 2, event->numbers);
        if (event->name[0] == '\0' || !has_numbers) { return refuse(error, "an event has no name, or no two numbers"); }
        out->event_count++;
    }
    return FR_OK;
}

static fr_status check_weights(const fr__plug_frame *frame, fr_error *error) {
    for (uint32_t i = 0; i <= frame->posture.count; i++) {
        if (!(frame->weights[i] >= 0.0 && frame->weights[i] <= FR_MAX_WEIGHT)) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "weight %u of a frame is out of its range", i);
        }
    }
    return FR_OK;
}

static fr_status read_frame_doubles(const fr__plug_message *message, const char *target, const fr_allocator *allocator,
                                    fr__plug_frame *out, fr_error *error) {
    size_t at = 0;
    double first[2] = {-1.0, 0.0}, contacts[2];
    bool is_right = get_doubles(message, &at, first, 2) && to_frame(first[0], &out->frame) &&
                    get_posture(message, &at, &out->posture, contacts) &&
                    get_doubles(message, &at, out->weights, (size_t)out->posture.count + 1);
    if (!is_right) { return refuse(error, "a binary frame is cut short, or has no number"); }
    out->is_done = first[1] != 0.0;
    fr_status status = check_posture(&out->posture, contacts, error);
    if (status == FR_OK) { status = check_weights(out, error); }
    if (status != FR_OK || at == message->size) { return status; }
    fr_json *json;
    status = parse_text(message->bytes + at, message->size - at, allocator, &json, error);
    if (status == FR_OK) {
        status = read_events(json, target, out, error);
        fr_json_destroy(json);
    }
    return status;
}

fr_status fr__plug_read_frame(const fr__plug_message *message, const fr_json *json, const char *target,
                              const fr_allocator *allocator, fr__plug_frame *out, fr_error *error) {
    out->is_done = false;
    out->event_count = 0;
    out->error[0] = '\0';
    if (json == NULL) { return read_frame_doubles(message, target, allocator, out, error); }
    if (!get_whole(json, member(json, FR_JSON_ROOT, "k"), FR_MAX_SKILL_FRAMES, &out->frame)) {
        return refuse(error, "a frame has no number \"k\"");
    }
    fr_status status = read_events(json, target, out, error);
    if (status != FR_OK || out->error[0] != '\0') { return status; }
    status = read_posture(json, FR_JSON_ROOT, &out->posture, error);
    if (status != FR_OK) { return status; }
    if (!fr_json_get_numbers(json, member(json, FR_JSON_ROOT, "w"), (size_t)out->posture.count + 1, out->weights)) {
        return fr_error_set(error, FR_ERROR_SYNTAX, "a frame has no \"w\" of %u numbers", out->posture.count + 1);
    }
    out->is_done = get_flag(json, FR_JSON_ROOT, "done");
    return check_weights(out, error);
}

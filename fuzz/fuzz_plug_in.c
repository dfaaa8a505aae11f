// Any bytes from a plug-in, and to one, in lines and in binary frames: each message is read to a status with a sentence
// or to what is written to the same values, within memory that its size bounds.
#include "act/message.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINKS = 3 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

static void check_posture(const fr_posture *posture) {
    require(fr_vec3_is_finite(posture->place));
    for (uint32_t i = 0; i < posture->count; i++) {
        fr_quat q = posture->turns[i];
        double length = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        require(length > 0.999 && length < 1.001);
    }
}

// A frame that was read is written, and read again to the same bits.
static void read_frame(const fr__plug_message *message, const fr_json *json, const fr_allocator *allocator) {
    fr_quat turns[LINKS], again_turns[LINKS];
    double weights[LINKS + 1], again_weights[LINKS + 1];
    fr__plug_frame frame = {.posture = {.turns = turns, .count = LINKS}, .weights = weights};
    fr__plug_frame again = {.posture = {.turns = again_turns, .count = LINKS}, .weights = again_weights};
    fr_error error = {0};
    fr_status status = fr__plug_read_frame(message, json, "cup", allocator, &frame, &error);
    require(status == FR_OK || error.message[0] != '\0');
    if (status != FR_OK || frame.error[0] != '\0') { return; }
    check_posture(&frame.posture);
    fr_byte_array out = fr_byte_array_make(NULL);
    require(fr__plug_write_frame(&frame, "cup", FR__PLUG_FRAMES, &out, NULL) == FR_OK);
    fr__plug_message written;
    require(fr__plug_find(out.data, out.count, FR__PLUG_FRAMES, &written, NULL) == FR_OK);
    require(written.whole_bytes == out.count && !written.is_text);
    require(fr__plug_read_frame(&written, NULL, "cup", NULL, &again, &error) == FR_OK);
    require(again.frame == frame.frame && again.is_done == frame.is_done && again.event_count == frame.event_count);
    require(memcmp(turns, again_turns, sizeof turns) == 0 && memcmp(weights, again_weights, sizeof weights) == 0);
    fr_byte_array_destroy(&out);
}

static void read_step(const fr__plug_message *message, const fr_json *json) {
    fr_quat turns[LINKS];
    fr__plug_step step = {.body = {.turns = turns, .count = LINKS}};
    fr_error error = {0};
    fr_status status = fr__plug_read_step(message, json, &step, &error);
    require(status == FR_OK || error.message[0] != '\0');
    if (status == FR_OK) { check_posture(&step.body); }
}

static void read_init(const fr_json *json) {
    fr_arena *arena;
    fr__plug_task task;
    fr_error error = {0};
    require(fr_arena_create(0, NULL, &arena, NULL) == FR_OK);
    fr_status status = fr__plug_read_init(json, NULL, arena, &task, &error);
    require(status == FR_OK || error.message[0] != '\0');
    if (status == FR_OK) { check_posture(&task.body); }
    fr_skeleton_release(task.skeleton);
    fr_arena_destroy(arena);
}

// What is read of an object and its frame is written again.
static void read_object(const fr_json *json, bool is_frame) {
    fr_error error = {0};
    fr_byte_array out = fr_byte_array_make(NULL);
    fr__plug_object object;
    fr__plug_object_frame frame;
    fr_status status =
        is_frame ? fr__plug_read_object_frame(json, &frame, &error) : fr__plug_read_object(json, &object, &error);
    require(status == FR_OK || error.message[0] != '\0');
    for (uint32_t i = 0; is_frame && status == FR_OK && i < frame.output.event_count; i++) {
        require(frame.names[i][0] != '\0');
        frame.output.events[i].name = frame.names[i];
    }
    if (status == FR_OK && is_frame) { require(fr__plug_write_object_frame(&frame, &out, NULL) == FR_OK); }
    if (status == FR_OK && !is_frame) {
        object.skill = object.object = object.data = "";
        require(fr__plug_write_object(&object, &out, NULL) == FR_OK);
    }
    fr_byte_array_destroy(&out);
}

static void read_message(const fr__plug_message *message, const fr_allocator *allocator) {
    fr_json *json = NULL;
    fr__plug_kind kind = FR__PLUG_NONE;
    fr_error error = {0};
    if (!message->is_text) {
        read_frame(message, NULL, allocator);
        read_step(message, NULL);
        return;
    }
    if (fr__plug_parse(message, allocator, &json, &kind, &error) != FR_OK) {
        require(json == NULL && error.message[0] != '\0');
        return;
    }
    fr__plug_ready ready;
    if (kind == FR__PLUG_READY && fr__plug_read_ready(json, &ready, &error) == FR_OK) {
        require(strlen(ready.error) < sizeof ready.error);
    }
    if (kind == FR__PLUG_FRAME) { read_frame(message, json, allocator); }
    if (kind == FR__PLUG_STEP) { read_step(message, json); }
    if (kind == FR__PLUG_INIT) { read_init(json); }
    read_object(json, kind == FR__PLUG_FRAME);
    fr_json_destroy(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fr_probe *probe = fr_probe_create();
    require(probe != NULL);
    fr_probe_bound(probe, 256 * size + (1u << 21));
    fr_allocator allocator = fr_probe_allocator(probe);
    for (int form = 0; form < 2; form++) {
        size_t at = 0;
        for (;;) {
            fr__plug_message message;
            fr_error error = {0};
            if (fr__plug_find(data + at, size - at, (fr__plug_form)form, &message, &error) != FR_OK) {
                require(error.message[0] != '\0');
                break;
            }
            if (message.whole_bytes == 0) { break; }
            require(message.whole_bytes <= size - at && message.size <= message.whole_bytes);
            read_message(&message, &allocator);
            at += message.whole_bytes;
        }
    }
    require(fr_probe_get(probe).live_blocks == 0);
    fr_probe_destroy(probe);
    return 0;
}

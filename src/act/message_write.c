// Writing the messages between a host and a plug-in.
#include "act/message.h"

#include "fureai/json.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Around a message

typedef struct text_out {
    fr_byte_array *bytes;
    bool has_failed;
} text_out;

static bool append(const void *bytes, size_t size, void *context) {
    text_out *out = context;
    if (size == 0) { return true; }
    unsigned char *room = out->has_failed ? NULL : fr_byte_array_push(out->bytes, size);
    if (room == NULL) {
        out->has_failed = true;
        return false;
    }
    memcpy(room, bytes, size);
    return true;
}

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a message to a plug-in");
}

// Room for the size of a message of frames; the place is `begin`.
static bool begin_message(fr__plug_form form, fr_byte_array *out, size_t *begin) {
    *begin = out->count;
    return form == FR__PLUG_LINES || fr_byte_array_push(out, 4) != NULL;
}

static fr_status end_message(fr__plug_form form, bool is_good, size_t begin, fr_byte_array *out, fr_error *error) {
    if (!is_good) {
        out->count = begin;
        return no_memory(error);
    }
    size_t size = out->count - begin;
    if (size > FR_PLUG_IN_MAX_MESSAGE_BYTES) {
        out->count = begin;
        return fr_error_set(error, FR_ERROR_LIMIT, "a message to a plug-in has %zu bytes", size);
    }
    for (size_t i = 0; form == FR__PLUG_FRAMES && i < 4; i++) {
        out->data[begin + i] = (unsigned char)((size - 4) >> (8 * i));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Values

static void write_pose_fields(fr_json_writer *w, const fr_pose *pose) {
    fr_json_write_numbers_field(w, "p", &pose->position.x, 3);
    fr_json_write_numbers_field(w, "q", &pose->rotation.w, 4);
    if (pose->scale != 1.0) { fr_json_write_number_field(w, "s", pose->scale); }
}

static void write_pose(fr_json_writer *w, const char *key, const fr_pose *pose) {
    if (key != NULL) { fr_json_write_key(w, key); }
    fr_json_write_object(w);
    write_pose_fields(w, pose);
    fr_json_write_object_end(w);
}

static void write_posture_fields(fr_json_writer *w, const fr_posture *posture) {
    const double contacts[2] = {posture->contact_left, posture->contact_right};
    fr_json_write_numbers_field(w, "hip", &posture->place.x, 3);
    fr_json_write_numbers_field(w, "q", &posture->turns[0].w, 4 * (size_t)posture->count);
    fr_json_write_numbers_field(w, "c", contacts, 2);
}

static void write_posture(fr_json_writer *w, const char *key, const fr_posture *posture) {
    fr_json_write_key(w, key);
    fr_json_write_object(w);
    write_posture_fields(w, posture);
    fr_json_write_object_end(w);
}

static void write_objects(fr_json_writer *w, const fr_plug_in_object *objects, uint32_t count) {
    fr_json_write_key(w, "world");
    fr_json_write_array(w);
    for (uint32_t i = 0; i < count; i++) {
        fr_json_write_object(w);
        fr_json_write_string_field(w, "id", objects[i].id);
        fr_json_write_string_field(w, "class", objects[i].class_name);
        write_pose_fields(w, &objects[i].pose);
        fr_json_write_object_end(w);
    }
    fr_json_write_array_end(w);
}

// ---------------------------------------------------------------------------------------------------------------
// INIT

static void write_index(fr_json_writer *w, const char *key, uint32_t index) {
    fr_json_write_int_field(w, key, index == FR_NO_LINK ? -1 : (int64_t)index);
}

static void write_limit(fr_json_writer *w, const fr_limit *limit) {
    if (limit->kind == FR_LIMIT_NONE) { return; }
    fr_json_write_key(w, "limit");
    fr_json_write_object(w);
    fr_json_write_uint_field(w, "kind", (uint64_t)limit->kind);
    fr_json_write_numbers_field(w, "axes", &limit->axes[0].x, 9);
    fr_json_write_numbers_field(w, "min", limit->min, 3);
    fr_json_write_numbers_field(w, "max", limit->max, 3);
    fr_json_write_numbers_field(w, "elevations", limit->elevations, 4);
    fr_json_write_object_end(w);
}

static void write_model(fr_json_writer *w, const fr_skeleton *skeleton) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr_json_write_key(w, "model");
    fr_json_write_object(w);
    fr_json_write_key(w, "links");
    fr_json_write_array(w);
    for (uint32_t i = 0; i < view->link_count; i++) {
        fr_json_write_object(w);
        fr_json_write_string_field(w, "name", view->names[i]);
        write_index(w, "parent", view->parents[i]);
        fr_json_write_numbers_field(w, "offset", &view->offsets[i].x, 3);
        fr_json_write_numbers_field(w, "rest", &view->rests[i].w, 4);
        fr_json_write_numbers_field(w, "tip", &view->tips[i].x, 3);
        fr_json_write_number_field(w, "mass", view->masses[i]);
        write_index(w, "partner", view->partners[i]);
        write_limit(w, &view->limits[i]);
        fr_json_write_object_end(w);
    }
    fr_json_write_array_end(w);
    fr_json_write_key(w, "roles");
    fr_json_write_array(w);
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        fr_json_write_int(w, view->roles[i] == FR_NO_LINK ? -1 : (int64_t)view->roles[i]);
    }
    fr_json_write_array_end(w);
    fr_json_write_key(w, "points");
    fr_json_write_array(w);
    for (uint32_t i = 0; i < FR_POINT_COUNT; i++) {
        fr_json_write_object(w);
        write_index(w, "link", view->points[i].link);
        fr_json_write_numbers_field(w, "offset", &view->points[i].offset.x, 3);
        fr_json_write_object_end(w);
    }
    fr_json_write_array_end(w);
    fr_json_write_object_end(w);
}

static void write_simple_fields(fr_json_writer *w, const fr_skill_fields *f) {
    static const char *const sides[] = {"nearest", "right", "left"};
    if ((f->given & FR_FIELD_TARGET) != 0) { write_pose(w, "at", &f->target); }
    if ((f->given & FR_FIELD_GOAL) != 0) { write_pose(w, "goal", &f->goal); }
    if ((f->given & FR_FIELD_HEADING) != 0) { fr_json_write_number_field(w, "heading", f->heading); }
    if ((f->given & FR_FIELD_SIDE) != 0) { fr_json_write_string_field(w, "side", sides[f->side]); }
    if ((f->given & FR_FIELD_VALUE) != 0) { fr_json_write_number_field(w, "value", f->value); }
    if ((f->given & FR_FIELD_WORD) != 0) { fr_json_write_string_field(w, "word", f->word); }
    if ((f->given & FR_FIELD_DIAMETER) != 0) { fr_json_write_number_field(w, "diameter", f->diameter); }
    if ((f->given & FR_FIELD_FRAMES) != 0) { fr_json_write_uint_field(w, "frames", f->frames); }
    if ((f->given & FR_FIELD_SPEED) != 0) { fr_json_write_number_field(w, "speed", f->speed); }
    if ((f->given & FR_FIELD_OBJECT) != 0) { fr_json_write_bool_field(w, "object", true); }
}

// A clip is not sent: the plug-in reads the file that is named as data.
static void write_fields(fr_json_writer *w, const fr__plug_task *task) {
    const fr_skill_fields *f = &task->fields;
    write_simple_fields(w, f);
    if ((f->given & FR_FIELD_POSTURE) != 0) { write_posture(w, "posture", f->posture); }
    if ((f->given & FR_FIELD_WEIGHTS) != 0) {
        fr_json_write_numbers_field(w, "weights", f->weights, (size_t)task->body.count + 1);
    }
    if ((f->given & FR_FIELD_POSES) != 0) {
        fr_json_write_key(w, "poses");
        fr_json_write_array(w);
        for (uint32_t i = 0; i < f->pose_count; i++) {
            write_pose(w, NULL, &f->poses[i]);
        }
        fr_json_write_array_end(w);
    }
}

static void write_task(fr_json_writer *w, const fr__plug_task *task) {
    char seed[24];
    snprintf(seed, sizeof seed, "%llx", (unsigned long long)task->person);
    fr_json_write_object(w);
    fr_json_write_string_field(w, "t", "init");
    fr_json_write_uint_field(w, "v", FR_PLUG_IN_VERSION);
    fr_json_write_string_field(w, "human", task->human);
    fr_json_write_string_field(w, "skill", task->skill);
    fr_json_write_string_field(w, "target", task->target);
    fr_json_write_string_field(w, "data", task->data);
    fr_json_write_number_field(w, "fps", task->rate);
    fr_json_write_string_field(w, "seed", seed);
    if (task->walk_speed > 0.0) { fr_json_write_number_field(w, "walk", task->walk_speed); }
    if (task->is_binary) { fr_json_write_uint_field(w, "bin", 1); }
    if (task->skeleton != NULL) { write_model(w, task->skeleton); }
    write_posture(w, "pose", &task->body);
    write_fields(w, task);
    write_objects(w, task->objects, task->object_count);
    fr_json_write_key(w, "params");
    fr_json_write_object(w);
    for (uint32_t i = 0; i < task->parameter_count; i++) {
        fr_json_write_string_field(w, task->parameters[i].key, task->parameters[i].value);
    }
    fr_json_write_object_end(w);
    fr_json_write_object_end(w);
}

fr_status fr__plug_write_init(const fr__plug_task *task, fr__plug_form form, fr_byte_array *out, fr_error *error) {
    size_t begin;
    text_out text = {out, !begin_message(form, out, &begin)};
    fr_json_writer w = fr_json_writer_make(append, &text, 0, &out->allocator);
    write_task(&w, task);
    bool is_good = fr_json_writer_end(&w) && !text.has_failed;
    return end_message(form, is_good, begin, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// The small ones

fr_status fr__plug_write_ready(const fr__plug_ready *ready, fr__plug_form form, fr_byte_array *out, fr_error *error) {
    size_t begin;
    text_out text = {out, !begin_message(form, out, &begin)};
    fr_json_writer w = fr_json_writer_make(append, &text, 0, &out->allocator);
    fr_json_write_object(&w);
    fr_json_write_string_field(&w, "t", "ready");
    fr_json_write_uint_field(&w, "frames", ready->frames);
    fr_json_write_string_field(&w, "error", ready->error);
    if (ready->is_again) { fr_json_write_uint_field(&w, "again", 1); }
    if (ready->is_binary) { fr_json_write_uint_field(&w, "bin", 1); }
    fr_json_write_object_end(&w);
    bool is_good = fr_json_writer_end(&w) && !text.has_failed;
    return end_message(form, is_good, begin, out, error);
}

fr_status fr__plug_write_stop(fr__plug_form form, fr_byte_array *out, fr_error *error) {
    size_t begin;
    text_out text = {out, !begin_message(form, out, &begin)};
    static const char stop[] = "{\"t\":\"stop\"}\n";
    bool is_good = append(stop, sizeof stop - 1, &text) && !text.has_failed;
    return end_message(form, is_good, begin, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// STEP and FRAME

static bool put_doubles(fr_byte_array *out, const double *numbers, size_t count) {
    unsigned char *at = fr_byte_array_push(out, 8 * count);
    for (size_t i = 0; at != NULL && i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        for (int k = 0; k < 8; k++) {
            *at++ = (unsigned char)(bits >> (8 * k));
        }
    }
    return at != NULL;
}

static bool put_posture(fr_byte_array *out, const fr_posture *posture) {
    const double contacts[2] = {posture->contact_left, posture->contact_right};
    return put_doubles(out, &posture->place.x, 3) && put_doubles(out, contacts, 2) &&
           put_doubles(out, &posture->turns[0].w, 4 * (size_t)posture->count);
}

static bool step_doubles(const fr__plug_step *step, fr_byte_array *out) {
    double frame = step->frame;
    return put_doubles(out, &frame, 1) && put_posture(out, &step->body) &&
           put_doubles(out, &step->target.position.x, 3) && put_doubles(out, &step->target.rotation.w, 4) &&
           put_doubles(out, &step->target.scale, 1);
}

fr_status fr__plug_write_step(const fr__plug_step *step, fr__plug_form form, fr_byte_array *out, fr_error *error) {
    size_t begin;
    text_out text = {out, !begin_message(form, out, &begin)};
    bool is_binary = form == FR__PLUG_FRAMES;
    bool is_good = !text.has_failed && (!is_binary || step_doubles(step, out));
    if (is_binary && step->object_count == 0) { return end_message(form, is_good, begin, out, error); }
    fr_json_writer w = fr_json_writer_make(append, &text, 0, &out->allocator);
    fr_json_write_object(&w);
    if (!is_binary) {
        fr_json_write_string_field(&w, "t", "step");
        fr_json_write_uint_field(&w, "k", step->frame);
        write_posture(&w, "pose", &step->body);
        write_pose(&w, "at", &step->target);
    }
    write_objects(&w, step->objects, step->object_count);
    fr_json_write_object_end(&w);
    is_good = fr_json_writer_end(&w) && is_good && !text.has_failed;
    return end_message(form, is_good, begin, out, error);
}

static bool frame_doubles(const fr__plug_frame *frame, fr_byte_array *out) {
    const double first[2] = {frame->frame, frame->is_done};
    return put_doubles(out, first, 2) && put_posture(out, &frame->posture) &&
           put_doubles(out, frame->weights, (size_t)frame->posture.count + 1);
}

static void write_events(fr_json_writer *w, const fr__plug_frame *frame, const char *target) {
    fr_json_write_key(w, "events");
    fr_json_write_array(w);
    for (uint32_t i = 0; i < frame->event_count; i++) {
        fr_json_write_object(w);
        fr_json_write_string_field(w, "name", frame->events[i].name);
        fr_json_write_string_field(w, "object", frame->events[i].is_target ? target : "");
        fr_json_write_numbers_field(w, "numbers", frame->events[i].numbers, 2);
        fr_json_write_object_end(w);
    }
    fr_json_write_array_end(w);
}

fr_status fr__plug_write_frame(const fr__plug_frame *frame, const char *target, fr__plug_form form, fr_byte_array *out,
                               fr_error *error) {
    size_t begin;
    text_out text = {out, !begin_message(form, out, &begin)};
    bool is_binary = form == FR__PLUG_FRAMES;
    bool is_good = !text.has_failed && (!is_binary || frame_doubles(frame, out));
    bool has_text = !is_binary || frame->event_count > 0 || frame->error[0] != '\0';
    if (!has_text) { return end_message(form, is_good, begin, out, error); }
    fr_json_writer w = fr_json_writer_make(append, &text, 0, &out->allocator);
    fr_json_write_object(&w);
    if (!is_binary) {
        fr_json_write_string_field(&w, "t", "frame");
        fr_json_write_uint_field(&w, "k", frame->frame);
        write_posture_fields(&w, &frame->posture);
        fr_json_write_numbers_field(&w, "w", frame->weights, (size_t)frame->posture.count + 1);
        fr_json_write_uint_field(&w, "done", frame->is_done);
    }
    write_events(&w, frame, target);
    if (frame->error[0] != '\0') { fr_json_write_string_field(&w, "error", frame->error); }
    fr_json_write_object_end(&w);
    is_good = fr_json_writer_end(&w) && is_good && !text.has_failed;
    return end_message(form, is_good, begin, out, error);
}

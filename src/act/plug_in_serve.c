// The other side: one skill served on standard input and output.
#include "act/message.h"

#include "fureai/human_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { READ_BYTES = 65536, MAX_FILE_BYTES = 1 << 28, MAX_LEFT_OUT = 1000 };

// A program that is a plug-in: what came, what goes out, and the motion that it is at.
typedef struct served {
    const fr_skill *skill;               // NULL: it is one of an object
    const fr_object_skill *object_skill; // NULL: it is one of a person
    fr_object_state object_state;
    fr_byte_array inbox, outbox;
    size_t at; // bytes of the inbox that were read
    fr__plug_form form;
    fr_arena *arena; // of the task
    fr__plug_task task;
    fr_clip *clip;      // of the task's file; NULL: none
    fr_clip *made_clip; // one that is made by code, kept for the next motion; NULL: none
    fr_made_clip made;  // which
    fr_walk_set *set;   // of the skeleton, made when a walk first needs it
    double set_speed;   // that the other side named
    fr_walk *walk;
    fr_skill_state state;
    size_t state_bytes;
    fr__plug_frame frame;
    fr__plug_step step;
    uint32_t frames; // of the motion
    uint32_t done;   // frames that the skill has made
    bool is_begun;   // a motion is
    bool is_over;    // stop came
} served;

// ---------------------------------------------------------------------------------------------------------------
// Bytes

static fr_status write_all(served *s, fr_error *error) {
    size_t at = 0;
    while (at < s->outbox.count) {
        ssize_t sent = write(STDOUT_FILENO, s->outbox.data + at, s->outbox.count - at);
        if (sent < 0 && errno == EINTR) { continue; }
        if (sent <= 0) { return fr_error_set(error, FR_ERROR_SYSTEM, "the other side reads no more"); }
        at += (size_t)sent;
    }
    s->outbox.count = 0;
    return FR_OK;
}

// Reads more; *is_end at the end of the input.
static fr_status read_more(served *s, bool *is_end, fr_error *error) {
    if (s->at > 0) {
        memmove(s->inbox.data, s->inbox.data + s->at, s->inbox.count - s->at);
        s->inbox.count -= s->at;
        s->at = 0;
    }
    unsigned char *room = fr_byte_array_push(&s->inbox, READ_BYTES);
    if (room == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a message"); }
    ssize_t got;
    do {
        got = read(STDIN_FILENO, room, READ_BYTES);
    } while (got < 0 && errno == EINTR);
    s->inbox.count -= (size_t)(READ_BYTES - (got > 0 ? got : 0));
    *is_end = got <= 0;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// A motion

static void end_task(served *s) {
    fr_skeleton_release(s->task.skeleton);
    fr_clip_release(s->clip);
    s->clip = NULL;
    s->task = (fr__plug_task){0};
    s->is_begun = false;
}

static fr_skill_input input_of(const served *s, const fr_posture *body) {
    uint32_t given = (s->task.fields.given & FR_FIELD_FRAMES) != 0 ? s->task.fields.frames : 0;
    return (fr_skill_input){.skeleton = s->task.skeleton,
                            .skill = s->skill,
                            .fields = &s->task.fields,
                            .body = *body,
                            .target = s->task.fields.target,
                            .frames = s->is_begun ? s->frames : given,
                            .rate = s->task.rate,
                            .person = s->task.person,
                            .walk = s->walk};
}

// The clips of the body's walk, those that it needs, made once for a skeleton, rate and speed. A natural speed is tried
// first: the set of the other side was made from a wish for a speed, of which only the speed that came of it is known.
static fr_status make_set(served *s, fr_error *error) {
    fr_walk_set_def def = fr_default_walk_set_def();
    def.skeleton = s->task.skeleton;
    def.frame_rate = s->task.rate;
    def.is_lazy = true;
    const fr_walk_set_view *view = s->set != NULL ? fr_walk_set_get(s->set) : NULL;
    bool is_same = view != NULL && view->skeleton == s->task.skeleton && view->frame_rate == s->task.rate &&
                   s->set_speed == s->task.walk_speed;
    if (is_same) { return FR_OK; }
    fr_clip_release(s->made_clip);
    s->made_clip = NULL;
    fr_walk_set_release(s->set);
    s->set = NULL;
    s->set_speed = s->task.walk_speed;
    fr_status status = fr_walk_set_create(&def, &s->set, error);
    if (status != FR_OK || fr_walk_set_get(s->set)->speed == s->task.walk_speed) { return status; }
    fr_walk_set_release(s->set);
    s->set = NULL;
    def.speed = s->task.walk_speed;
    return fr_walk_set_create(&def, &s->set, error);
}

// A walk of the body, where the skill moves or reads one.
static fr_status make_walk(served *s, fr_error *error) {
    bool is_used = s->skill->has_walk || s->skill->may_read_walk;
    fr_walk_destroy(s->walk);
    s->walk = NULL;
    if (!is_used || !(s->task.walk_speed > 0.0)) { return FR_OK; }
    fr_status status = make_set(s, error);
    if (status != FR_OK) { return status; }
    fr_walk_def def = fr_default_walk_def();
    def.set = s->set;
    def.person = s->task.person;
    return fr_walk_create(&def, &s->walk, error);
}

// Reads a file whole; NULL where that cannot be.
static char *read_file(served *s, const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long end = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) { end = ftell(file); }
    if (end > 0 && end <= MAX_FILE_BYTES && fseek(file, 0, SEEK_SET) == 0) {
        bytes = fr_arena_alloc(s->arena, (size_t)end, 1, 1);
    }
    if (bytes != NULL && fread(bytes, 1, (size_t)end, file) != (size_t)end) { bytes = NULL; }
    if (file != NULL) { fclose(file); }
    *size = bytes != NULL ? (size_t)end : 0;
    return bytes;
}

// A clip that is made by code.
static fr_status make_clip(served *s, fr_made_clip made, fr_error *error) {
    fr_status status = make_set(s, error);
    if (status == FR_OK && (s->made_clip == NULL || s->made != made)) {
        fr_clip_release(s->made_clip);
        s->made_clip = NULL;
        s->made = made;
        status = fr_clip_create_made(s->set, made, NULL, &s->made_clip, error);
    }
    s->clip = s->made_clip != NULL ? fr_clip_retain(s->made_clip) : NULL;
    s->task.fields.clip = s->clip;
    s->task.fields.given |= FR_FIELD_CLIP;
    return status;
}

// The clip of a skill that plays one: made by code, or from the file that the task names.
static fr_status read_clip(served *s, fr_error *error) {
    bool is_taken = ((s->skill->needs | s->skill->takes) & FR_FIELD_CLIP) != 0;
    if (!is_taken || s->task.data[0] == '\0') { return FR_OK; }
    fr_made_clip made = fr_made_clip_find(s->task.data);
    if (made != FR_MADE_CLIP_COUNT && s->task.walk_speed > 0.0) { return make_clip(s, made, error); }
    fr_ahmc_input input = fr_default_ahmc_input();
    input.text = read_file(s, s->task.data, &input.size);
    if (input.text == NULL) {
        return fr_error_set(error, FR_ERROR_FILE, "the file %.128s cannot be read", s->task.data);
    }
    fr_status status = fr_ahmc_read(&input, &s->clip, error);
    s->task.fields.clip = s->clip;
    s->task.fields.given |= FR_FIELD_CLIP;
    return status;
}

// Memory of the state and of the frames, in the arena of the task, all zero.
static fr_status make_state(served *s, fr_error *error) {
    uint32_t links = fr_skeleton_get(s->task.skeleton)->link_count;
    size_t turns = (size_t)s->skill->state_turns * links;
    s->state.bytes = fr_arena_alloc(s->arena, s->skill->state_bytes + 1, 1, 32);
    s->state.turns = fr_arena_alloc(s->arena, turns + 1, sizeof(fr_quat), 32);
    s->frame.weights = fr_arena_alloc(s->arena, links + 1, sizeof(double), 32);
    s->frame.posture = (fr_posture){.turns = fr_arena_alloc(s->arena, links, sizeof(fr_quat), 32), .count = links};
    s->step.body = (fr_posture){.turns = fr_arena_alloc(s->arena, links, sizeof(fr_quat), 32), .count = links};
    bool has_all = s->state.bytes != NULL && s->state.turns != NULL && s->frame.weights != NULL &&
                   s->frame.posture.turns != NULL && s->step.body.turns != NULL;
    if (!has_all) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a motion"); }
    memset(s->state.bytes, 0, s->skill->state_bytes + 1);
    memset(s->state.turns, 0, (turns + 1) * sizeof(fr_quat));
    memset(s->frame.weights, 0, ((size_t)links + 1) * sizeof(double));
    return fr_posture_copy(&s->task.body, &s->frame.posture, error);
}

static fr_status begin_skill(served *s, fr_error *error) {
    fr_status status = read_clip(s, error);
    if (status != FR_OK) { return status; }
    if ((s->skill->needs & ~s->task.fields.given) != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a field that %s needs is missing", s->skill->name);
    }
    status = make_state(s, error);
    if (status == FR_OK) { status = make_walk(s, error); }
    if (status != FR_OK) { return status; }
    fr_skill_input input = input_of(s, &s->task.body);
    s->done = 0;
    return s->skill->init(&input, &s->state, &s->frames, error);
}

static fr_status take_init(served *s, const fr_json *json, fr_error *error) {
    const fr_skeleton *before = s->task.skeleton != NULL ? fr_skeleton_retain(s->task.skeleton) : NULL;
    end_task(s);
    fr_arena_reset(s->arena);
    fr__plug_ready ready = {.is_again = true};
    fr_error why = {0};
    fr_status status = fr__plug_read_init(json, before, s->arena, &s->task, &why);
    fr_skeleton_release(before);
    if (status == FR_OK) { status = begin_skill(s, &why); }
    s->is_begun = status == FR_OK;
    if (status == FR_OK) {
        ready.frames = s->frames;
        ready.is_binary = s->task.is_binary;
    } else {
        memcpy(ready.error, why.message, sizeof ready.error - 1);
        if (ready.error[0] == '\0') { memcpy(ready.error, "the motion cannot begin", 24); }
    }
    // The reply to a task comes in the form that the task came in; what follows is binary where both agree.
    fr__plug_form form = s->form;
    s->form = ready.is_binary ? FR__PLUG_FRAMES : FR__PLUG_LINES;
    status = fr__plug_write_ready(&ready, form, &s->outbox, error);
    return status == FR_OK ? write_all(s, error) : status;
}

// Runs the skill up to a frame. Frames that were left out are made up for: each step of a skill goes on by one.
static fr_status run_to(served *s, uint32_t frame, fr_skill_output *output, fr_error *error) {
    fr_status status = FR_OK;
    if (frame <= s->done || frame - s->done > MAX_LEFT_OUT) { s->done = frame - 1; }
    *output = (fr_skill_output){.posture = s->frame.posture, .weights = s->frame.weights};
    while (s->done < frame && status == FR_OK && !output->is_done) {
        fr_skill_input input = input_of(s, &s->step.body);
        input.frame = ++s->done;
        input.target = s->step.target;
        fr_skill_output one = {.posture = output->posture, .weights = output->weights};
        status = s->skill->step(&input, &s->state, &one, error);
        output->posture = one.posture;
        output->is_done = one.is_done;
        for (uint32_t i = 0; i < one.event_count && output->event_count < FR_MAX_SKILL_EVENTS; i++) {
            output->events[output->event_count++] = one.events[i];
        }
    }
    return status;
}

static fr_status take_step(served *s, const fr__plug_message *message, const fr_json *json, fr_error *error) {
    if (!s->is_begun) { return fr_error_set(error, FR_ERROR_SYNTAX, "a step without a task"); }
    fr_status status = fr__plug_read_step(message, json, &s->step, error);
    if (status != FR_OK) { return status; }
    fr_skill_output output;
    fr_error why = {0};
    status = run_to(s, s->step.frame, &output, &why);
    s->frame.frame = s->step.frame;
    s->frame.posture = output.posture;
    s->frame.is_done = output.is_done || (s->frames != 0 && s->step.frame >= s->frames);
    s->frame.error[0] = '\0';
    s->frame.event_count = status == FR_OK ? output.event_count : 0;
    if (status != FR_OK) { memcpy(s->frame.error, why.message, sizeof s->frame.error - 1); }
    for (uint32_t i = 0; i < s->frame.event_count; i++) {
        fr__plug_event *event = &s->frame.events[i];
        memcpy(event->name, output.events[i].name, sizeof event->name);
        event->is_target = output.events[i].object.index1 != 0;
        memcpy(event->numbers, output.events[i].numbers, sizeof event->numbers);
    }
    status = fr__plug_write_frame(&s->frame, s->task.target, s->form, &s->outbox, error);
    return status == FR_OK ? write_all(s, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// A skill of an object

static fr_status take_object_init(served *s, const fr_json *json, fr_error *error) {
    fr__plug_object task;
    fr__plug_ready ready = {.is_again = true};
    fr_error why = {0};
    memset(&s->object_state, 0, sizeof s->object_state);
    s->is_begun = fr__plug_read_object(json, &task, &why) == FR_OK;
    if (!s->is_begun) { memcpy(ready.error, why.message, sizeof ready.error - 1); }
    fr_status status = fr__plug_write_ready(&ready, FR__PLUG_LINES, &s->outbox, error);
    return status == FR_OK ? write_all(s, error) : status;
}

static fr_status take_object_step(served *s, const fr_json *json, fr_error *error) {
    fr__plug_object step;
    fr_error why = {0};
    if (!s->is_begun || json == NULL) { return fr_error_set(error, FR_ERROR_SYNTAX, "a step without a task"); }
    fr_status status = fr__plug_read_object(json, &step, error);
    if (status != FR_OK) { return status; }
    fr__plug_object_frame frame = {.frame = step.frame};
    status = s->object_skill->step(&step.input, &s->object_state, &frame.output, &why);
    if (status != FR_OK) {
        frame.output = (fr_object_output){0};
        memcpy(frame.error, why.message, sizeof frame.error - 1);
    }
    status = fr__plug_write_object_frame(&frame, &s->outbox, error);
    return status == FR_OK ? write_all(s, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Serving

static fr_status take_message(served *s, const fr__plug_message *message, fr_error *error) {
    fr_json *json = NULL;
    fr__plug_kind kind = FR__PLUG_STEP;
    fr_status status = message->is_text ? fr__plug_parse(message, NULL, &json, &kind, error) : FR_OK;
    if (status != FR_OK) { return status; }
    switch (kind) {
    case FR__PLUG_INIT: status = s->skill != NULL ? take_init(s, json, error) : take_object_init(s, json, error); break;
    case FR__PLUG_STEP:
        status = s->skill != NULL ? take_step(s, message, json, error) : take_object_step(s, json, error);
        break;
    case FR__PLUG_STOP: s->is_over = true; break;
    default: status = fr_error_set(error, FR_ERROR_SYNTAX, "a message that is not for a plug-in"); break;
    }
    fr_json_destroy(json);
    return status;
}

static fr_status serve(served *s, fr_error *error) {
    bool is_end = false;
    fr_status status = FR_OK;
    while (status == FR_OK && !s->is_over && !is_end) {
        fr__plug_message message;
        status = fr__plug_find(s->inbox.data + s->at, s->inbox.count - s->at, s->form, &message, error);
        if (status != FR_OK) { break; }
        if (message.whole_bytes == 0) {
            status = read_more(s, &is_end, error);
            continue;
        }
        s->at += message.whole_bytes;
        status = take_message(s, &message, error);
    }
    return status;
}

static fr_status serve_to_the_end(served s, fr_error *error) {
    fr_status status = fr_arena_create(0, NULL, &s.arena, error);
    if (status == FR_OK) { status = serve(&s, error); }
    end_task(&s);
    fr_walk_destroy(s.walk);
    fr_clip_release(s.made_clip);
    fr_walk_set_release(s.set);
    fr_arena_destroy(s.arena);
    fr_byte_array_destroy(&s.inbox);
    fr_byte_array_destroy(&s.outbox);
    return status;
}

fr_status fr_plug_in_serve(const fr_skill *skill, fr_error *error) {
    FR_ASSERT(skill != NULL);
    served s = {.skill = skill, .inbox = fr_byte_array_make(NULL), .outbox = fr_byte_array_make(NULL)};
    return serve_to_the_end(s, error);
}

fr_status fr_plug_in_serve_object(const fr_object_skill *skill, fr_error *error) {
    FR_ASSERT(skill != NULL);
    served s = {.object_skill = skill, .inbox = fr_byte_array_make(NULL), .outbox = fr_byte_array_make(NULL)};
    return serve_to_the_end(s, error);
}

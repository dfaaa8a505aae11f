// One plug-in: its task, its steps and its frames, as a skill of a performer.
#include "act/plug_in.h"

#include <string.h>
#include <sys/wait.h>

#define PLUG_IN_COOKIE 0x504C4749u

// Bytes that are read at once, and those of a reply: a frame of 256 links as text has a tenth.
#define CLOSED_NS UINT64_C(100000000) // between the end of a program's input and that of its motion

enum { READ_BYTES = 16384, READS_AT_ONCE = 64, MAX_REPLY_BYTES = 1 << 20 };

fr_plug_in_def fr_default_plug_in_def(void) {
    return (fr_plug_in_def){.human = "", .target = "", .data = "", .is_binary = true, .cookie = PLUG_IN_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// Making

// Copies a text to `*at` and goes on behind it; counts only where `*at` is NULL.
static const char *copy_text(char **at, const char *text, size_t *bytes) {
    size_t size = strlen(text != NULL ? text : "") + 1;
    const char *copy = *at;
    *bytes += size;
    if (*at == NULL) { return NULL; }
    memcpy(*at, text != NULL ? text : "", size);
    *at += size;
    return copy;
}

static size_t copy_texts(fr_plug_in_def *def, fr_plug_in_parameter *parameters, char *at) {
    size_t bytes = 0;
    const char *name = copy_text(&at, def->name, &bytes), *human = copy_text(&at, def->human, &bytes);
    const char *target = copy_text(&at, def->target, &bytes), *data = copy_text(&at, def->data, &bytes);
    for (uint32_t i = 0; i < def->parameter_count; i++) {
        const char *key = copy_text(&at, def->parameters[i].key, &bytes);
        const char *value = copy_text(&at, def->parameters[i].value, &bytes);
        if (parameters != NULL) { parameters[i] = (fr_plug_in_parameter){key, value}; }
    }
    if (at == NULL) { return bytes; }
    def->name = name;
    def->human = human;
    def->target = target;
    def->data = data;
    def->parameters = parameters;
    return bytes;
}

// The texts of the definition and its parameters in one block.
static bool copy_def(fr_plug_in *p, const fr_plug_in_def *def) {
    fr_plug_in_def counted = *def;
    size_t list = def->parameter_count * sizeof(fr_plug_in_parameter);
    p->def = *def;
    p->text_bytes = list + copy_texts(&counted, NULL, NULL);
    p->texts = fr_allocate(&p->allocator, p->text_bytes, 1, _Alignof(fr_plug_in_parameter));
    if (p->texts == NULL) { return false; }
    (void)copy_texts(&p->def, (fr_plug_in_parameter *)(void *)p->texts, p->texts + list);
    return true;
}

static fr_skill_init_fn init;
static fr_skill_step_fn step;

fr_status fr_plug_in_create(fr_plug_ins *owner, const fr_plug_in_def *def, fr_plug_in **out, fr_error *error) {
    FR_ASSERT(owner != NULL && def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != PLUG_IN_COOKIE) { return fr_error_set_cookie(error, "fr_default_plug_in_def"); }
    if (def->parameter_count > 256) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a plug-in has at most 256 parameters");
    }
    fr_plug_in *p = fr_allocate(&owner->allocator, 1, sizeof *p, _Alignof(fr_plug_in));
    if (p == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a plug-in"); }
    memset(p, 0, sizeof *p);
    p->owner = owner;
    p->allocator = owner->allocator;
    p->object_texts = fr_byte_array_make(&owner->allocator);
    fr_status status = copy_def(p, def) ? fr__plug_process_take(owner, p->def.name, &p->process, error)
                                        : fr_error_set(error, FR_ERROR_MEMORY, "no memory for a plug-in");
    if (status != FR_OK) {
        fr_plug_in_destroy(p);
        return status;
    }
    // A program of a name of ours asks for what that skill does; another takes whatever is given.
    const fr_skill *row = fr_skill_find(p->def.name);
    p->skill = (fr_skill){.name = p->def.name,
                          .words = row != NULL ? row->words : "a motion of a program outside",
                          .needs = row != NULL ? row->needs : 0,
                          .takes = row != NULL ? row->takes : UINT32_MAX >> (32 - FR_FIELD_COUNT),
                          .init = init,
                          .step = step};
    p->state.process = p->process->process.id;
    p->state.is_reused = p->process->is_reused;
    *out = p;
    return FR_OK;
}

static size_t frame_bytes(uint32_t links) { return links * sizeof(fr_quat) + (links + 1) * sizeof(double); }

void fr_plug_in_destroy(fr_plug_in *p) {
    if (p == NULL) { return; }
    if (p->process != NULL) {
        // A reply that has not come would be taken for one of the next motion.
        bool is_idle = !p->is_outstanding && !p->is_waiting && p->process->inbox.count == 0;
        bool is_kept = is_idle && p->process->is_again && p->state.is_ready;
        fr__plug_process_give(p->owner, p->process, is_kept ? FR__PLUG_KEEP : FR__PLUG_STOP_IT);
    }
    fr_deallocate(&p->allocator, p->texts, p->text_bytes, 1);
    fr_deallocate(&p->allocator, p->objects, p->object_capacity, sizeof *p->objects);
    fr_byte_array_destroy(&p->object_texts);
    if (p->turns != NULL) { fr_deallocate(&p->allocator, p->turns, frame_bytes(p->link_capacity), 1); }
    fr_allocator allocator = p->allocator;
    fr_deallocate(&allocator, p, 1, sizeof *p);
}

const fr_skill *fr_plug_in_skill(fr_plug_in *p) {
    FR_ASSERT(p != NULL);
    return &p->skill;
}

fr_plug_in_state fr_plug_in_get(const fr_plug_in *p) {
    FR_ASSERT(p != NULL);
    fr_plug_in_state state = p->state;
    if (p->process != NULL) { state.log_bytes = p->process->process.log_bytes; }
    return state;
}

fr_status fr_plug_in_show(fr_plug_in *p, const fr_plug_in_object *objects, uint32_t count, fr_error *error) {
    FR_ASSERT(p != NULL && (objects != NULL || count == 0));
    if (count > FR_PLUG_IN_MAX_OBJECTS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a plug-in sees at most %u objects", FR_PLUG_IN_MAX_OBJECTS);
    }
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        bytes += strlen(objects[i].id) + strlen(objects[i].class_name) + 2;
    }
    p->object_count = 0;
    if (count > p->object_capacity) {
        fr_plug_in_object *grown = fr_allocate(&p->allocator, count, sizeof *grown, _Alignof(fr_plug_in_object));
        if (grown == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the objects of a plug-in"); }
        fr_deallocate(&p->allocator, p->objects, p->object_capacity, sizeof *p->objects);
        p->objects = grown;
        p->object_capacity = count;
    }
    unsigned char *room = fr_byte_array_reset(&p->object_texts, bytes);
    if (room == NULL && bytes > 0) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the objects of a plug-in");
    }
    char *at = (char *)room;
    for (uint32_t i = 0; i < count; i++) {
        size_t unused = 0;
        const char *id = copy_text(&at, objects[i].id, &unused);
        const char *class_name = copy_text(&at, objects[i].class_name, &unused);
        p->objects[i] = (fr_plug_in_object){id, class_name, objects[i].pose};
    }
    p->object_count = count;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Bytes to and from the process

// The plug-in has done what it may not: its process is killed.
static fr_status end_motion(fr_plug_in *p, fr_status status, const char *what, fr_error *error) {
    char text[FR_ERROR_MESSAGE_BYTES];
    memcpy(text, what, strlen(what) < sizeof text ? strlen(what) + 1 : sizeof text);
    text[sizeof text - 1] = '\0';
    // Processes are given back by the thread that owns them; here it is only stopped from doing more.
    (void)fr__process_kill(&p->process->process);
    p->process->is_again = false;
    p->is_outstanding = p->is_waiting = false;
    return fr_error_set(error, status, "plug-in %s: %s", p->def.name, text);
}

static fr_status refuse_dead(fr_plug_in *p, fr_error *error) {
    int status = 0;
    char text[96] = "it closed its output";
    fr__process_log(&p->process->process, p->def.name);
    if (fr__process_reap(&p->process->process, &status)) {
        memcpy(text, "it has ended", 13);
        if (WIFSIGNALED(status)) { memcpy(text, "a signal ended it", 18); }
        if (WIFEXITED(status) && WEXITSTATUS(status) >= 126) { memcpy(text, "it cannot be run", 17); }
    }
    return end_motion(p, FR_ERROR_SYSTEM, text, error);
}

static fr_status flush(fr_plug_in *p, fr_error *error) {
    fr__plug_process *process = p->process;
    while (process->sent < process->outbox.count) {
        long sent = fr__process_write(&process->process, process->outbox.data + process->sent,
                                      process->outbox.count - process->sent);
        if (sent < 0) { return end_motion(p, FR_ERROR_SYSTEM, "it reads no more", error); }
        if (sent == 0) { return FR_OK; }
        process->sent += (size_t)sent;
    }
    process->outbox.count = process->sent = 0;
    return FR_OK;
}

// Takes the bytes that have come.
static fr_status receive(fr_plug_in *p, fr_error *error) {
    fr__plug_process *process = p->process;
    fr__process_log(&process->process, p->def.name);
    for (int i = 0; i < READS_AT_ONCE; i++) {
        if (process->inbox.count > MAX_REPLY_BYTES) { break; }
        unsigned char *room = fr_byte_array_push(&process->inbox, READ_BYTES);
        if (room == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a plug-in's message"); }
        long got = fr__process_read(&process->process, room, READ_BYTES);
        process->inbox.count -= (size_t)(READ_BYTES - (got > 0 ? got : 0));
        if (got < 0 && process->inbox.count == 0) { return refuse_dead(p, error); }
        if (got < 0) { return end_motion(p, FR_ERROR_SYNTAX, "it ended in a message", error); }
        if (got < READ_BYTES) { break; }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Messages

static fr_status refuse_message(fr_plug_in *p, const fr_error *why, fr_error *error) {
    char text[FR_ERROR_MESSAGE_BYTES];
    fr_error named;
    (void)fr_error_set(&named, why->status, "no message: %.150s", why->message);
    memcpy(text, named.message, sizeof text);
    return end_motion(p, why->status == FR_ERROR_MEMORY ? FR_ERROR_MEMORY : FR_ERROR_SYNTAX, text, error);
}

static fr_status take_ready(fr_plug_in *p, const fr_json *json, fr_error *error) {
    fr__plug_ready ready;
    fr_error why = {0};
    if (fr__plug_read_ready(json, &ready, &why) != FR_OK) { return refuse_message(p, &why, error); }
    p->is_waiting = false;
    p->process->is_again = ready.is_again;
    p->state.is_ready = true;
    if (ready.error[0] != '\0') { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "%s", ready.error); }
    if (ready.frames > 0) { p->frame_count = ready.frames; }
    p->state.planned = p->frame_count;
    p->state.is_binary = ready.is_binary && p->def.is_binary && !p->is_object;
    p->process->form = p->state.is_binary ? FR__PLUG_FRAMES : FR__PLUG_LINES;
    p->due_ns = 0;
    return FR_OK;
}

static fr_status take_frame(fr_plug_in *p, const fr__plug_message *message, const fr_json *json, fr_error *error) {
    fr_error why = {0};
    fr_status status = fr__plug_read_frame(message, json, p->def.target, &p->allocator, &p->frame, &why);
    if (status != FR_OK) { return refuse_message(p, &why, error); }
    if (!p->is_outstanding || p->frame.frame != p->outstanding) {
        return end_motion(p, FR_ERROR_SYNTAX, "it is at another frame", error);
    }
    p->is_outstanding = false;
    p->late_row = 0;
    if (p->frame.error[0] != '\0') { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "%s", p->frame.error); }
    p->state.frames++;
    return FR_OK;
}

static fr_status take_object_frame(fr_plug_in *p, const fr_json *json, fr_error *error) {
    fr__plug_object_frame frame;
    fr_error why = {0};
    if (fr__plug_read_object_frame(json, &frame, &why) != FR_OK) { return refuse_message(p, &why, error); }
    if (!p->is_outstanding || frame.frame != p->outstanding) {
        return end_motion(p, FR_ERROR_SYNTAX, "it is at another frame", error);
    }
    p->is_outstanding = false;
    p->late_row = 0;
    if (frame.error[0] != '\0') { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "%s", frame.error); }
    p->object_last = frame;
    for (uint32_t i = 0; i < frame.output.event_count; i++) {
        p->object_last.output.events[i].name = p->object_last.names[i];
    }
    p->state.frames++;
    return FR_OK;
}

static fr_status take_message(fr_plug_in *p, const fr__plug_message *message, fr_error *error) {
    fr_json *json = NULL;
    fr__plug_kind kind = FR__PLUG_FRAME;
    fr_error why = {0};
    if (message->is_text && fr__plug_parse(message, &p->allocator, &json, &kind, &why) != FR_OK) {
        return refuse_message(p, &why, error);
    }
    fr_status status;
    if (kind == FR__PLUG_READY && p->is_waiting) {
        status = take_ready(p, json, error);
    } else if (kind == FR__PLUG_FRAME && p->is_object && json != NULL) {
        status = take_object_frame(p, json, error);
    } else if (kind == FR__PLUG_FRAME && p->state.is_ready && p->turns != NULL) {
        status = take_frame(p, message, json, error);
    } else {
        status = end_motion(p, FR_ERROR_SYNTAX, "a message out of order", error);
    }
    fr_json_destroy(json);
    return status;
}

// Reads all that has come. What is wrong ends the motion.
static fr_status read_messages(fr_plug_in *p, fr_error *error) {
    fr_status status = receive(p, error);
    fr_byte_array *inbox = &p->process->inbox;
    size_t at = 0;
    while (status == FR_OK && at < inbox->count) {
        fr__plug_message message;
        fr_error why = {0};
        if (fr__plug_find(inbox->data + at, inbox->count - at, p->process->form, &message, &why) != FR_OK) {
            return refuse_message(p, &why, error);
        }
        if (message.whole_bytes == 0 && inbox->count - at > MAX_REPLY_BYTES) {
            return end_motion(p, FR_ERROR_LIMIT, "no message: it is too long", error);
        }
        if (message.whole_bytes == 0) { break; }
        status = take_message(p, &message, error);
        at += message.whole_bytes;
    }
    if (at > 0 && at <= inbox->count) {
        memmove(inbox->data, inbox->data + at, inbox->count - at);
        inbox->count -= at;
    }
    return status;
}

// A program that has closed its input waits for nothing any more: a reply that does not come soon never does. One that
// ends closes its input a moment before its output, which says more.
static fr_status check_input(fr_plug_in *p, fr_error *error) {
    bool is_expected = p->is_waiting || p->is_outstanding;
    if (!is_expected || fr__process_reads(&p->process->process)) {
        p->closed_ns = 0;
        return FR_OK;
    }
    uint64_t now = fr_clock_ns();
    if (p->closed_ns == 0) { p->closed_ns = now; }
    return now - p->closed_ns < CLOSED_NS ? FR_OK : end_motion(p, FR_ERROR_SYSTEM, "it reads no more", error);
}

static fr_status read_and_check(fr_plug_in *p, fr_error *error) {
    fr_status status = read_messages(p, error);
    return status == FR_OK ? check_input(p, error) : status;
}

// Waits until what was sent is replied to, or it is due.
static fr_status wait_for_reply(fr_plug_in *p, fr_error *error) {
    fr_status status = read_and_check(p, error);
    while (status == FR_OK && (p->is_waiting || p->is_outstanding)) {
        uint64_t now = fr_clock_ns(), until = p->due_ns;
        if (now >= until) { break; }
        bool has_more = p->process->sent < p->process->outbox.count;
        fr__process_event input = has_more ? FR__PROCESS_TAKES : FR__PROCESS_CLOSES;
        if (p->closed_ns != 0) {
            input = FR__PROCESS_NOTHING;
            until = until < p->closed_ns + CLOSED_NS ? until : p->closed_ns + CLOSED_NS;
        }
        fr__process_wait(&p->process->process, input, until > now ? until - now : 0);
        status = flush(p, error);
        if (status == FR_OK) { status = read_and_check(p, error); }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The skill

static bool make_frame(fr_plug_in *p, uint32_t links) {
    if (p->turns != NULL && p->link_capacity == links) { return true; }
    if (p->turns != NULL) { fr_deallocate(&p->allocator, p->turns, frame_bytes(p->link_capacity), 1); }
    p->turns = fr_allocate(&p->allocator, frame_bytes(links), 1, _Alignof(fr_quat));
    p->link_capacity = links;
    if (p->turns == NULL) { return false; }
    p->frame.posture = (fr_posture){.turns = p->turns, .count = links};
    p->frame.weights = (double *)(void *)(p->turns + links);
    return true;
}

static fr_status send_task(fr_plug_in *p, const fr_skill_input *input, fr_error *error) {
    fr__plug_process *process = p->process;
    double walk_speed = input->walk != NULL ? fr_walk_set_get(fr_walk_get(input->walk).set)->speed : 0.0;
    const fr__plug_task task = {.human = p->def.human,
                                .skill = p->def.name,
                                .target = p->def.target,
                                .data = p->def.data,
                                .skeleton = process->skeleton == input->skeleton ? NULL : input->skeleton,
                                .body = input->body,
                                .fields = *input->fields,
                                .rate = input->rate,
                                .walk_speed = walk_speed,
                                .person = input->person,
                                .is_binary = p->def.is_binary,
                                .objects = p->objects,
                                .object_count = p->object_count,
                                .parameters = p->def.parameters,
                                .parameter_count = p->def.parameter_count};
    fr_status status = fr__plug_write_init(&task, process->form, &process->outbox, error);
    if (status != FR_OK) { return status; }
    if (process->skeleton != input->skeleton) {
        fr_skeleton_release(process->skeleton);
        process->skeleton = fr_skeleton_retain(input->skeleton);
    }
    p->is_waiting = p->state.is_begun = true;
    p->state.is_ready = false;
    p->object_count = 0;
    p->due_ns = fr_clock_ns() + (uint64_t)(p->owner->def.ready_seconds * 1e9);
    return flush(p, error);
}

// The plug-in of a row: the row is its first member.
static fr_plug_in *plug_in_of(const fr_skill_input *input) { return (fr_plug_in *)(uintptr_t)input->skill; }

static fr_status check_alive(fr_plug_in *p, fr_error *error) {
    if (p->process != NULL && p->process->process.in >= 0) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_SYSTEM, "plug-in %s: it has ended", p->def.name);
}

static fr_status init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames, fr_error *error) {
    (void)state;
    fr_plug_in *p = plug_in_of(input);
    fr_status status = check_alive(p, error);
    if (status != FR_OK) { return status; }
    if (p->is_waiting || p->is_outstanding || p->state.is_ready) {
        return fr_error_set(error, FR_ERROR_BUSY, "plug-in %s: it is at a motion", p->def.name);
    }
    if ((input->fields->given & FR_FIELD_CLIP) != 0 && p->def.data[0] == '\0') {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "plug-in %s: its clip is a file that is named as data",
                            p->def.name);
    }
    if (!make_frame(p, fr_skeleton_get(input->skeleton)->link_count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a plug-in's frame");
    }
    p->frame_count = input->frames;
    status = send_task(p, input, error);
    if (status == FR_OK && p->def.is_lockstep) {
        status = wait_for_reply(p, error);
        if (status == FR_OK && p->is_waiting) {
            return end_motion(p, FR_ERROR_STOPPED, "it is not ready in time", error);
        }
    }
    // In real time it takes as long as it takes: its last frame says so.
    *frames = p->def.is_lockstep ? p->frame_count : 0;
    p->state.is_planned = p->state.is_ready;
    return status;
}

// Counts a step whose frame is due; too many in a row end the motion.
static fr_status count_late(fr_plug_in *p, fr_error *error) {
    uint64_t now = fr_clock_ns();
    p->state.is_late = (p->is_outstanding || p->is_waiting) && now >= p->due_ns;
    if (!p->state.is_late) { return FR_OK; }
    if (p->is_waiting) { return end_motion(p, FR_ERROR_STOPPED, "it is not ready in time", error); }
    p->state.late++;
    p->due_ns = now + (uint64_t)(p->owner->def.step_seconds * 1e9);
    if (++p->late_row < FR_PLUG_IN_MAX_LATE) { return FR_OK; }
    return end_motion(p, FR_ERROR_STOPPED, "ten steps were late", error);
}

// Its frames are counted from its first step.
static fr_status send_step(fr_plug_in *p, const fr_skill_input *input, fr_error *error) {
    if (p->first_frame == 0) { p->first_frame = input->frame; }
    uint32_t frame = input->frame - p->first_frame + 1;
    const fr__plug_step message = {.frame = frame,
                                   .body = input->body,
                                   .target = input->target,
                                   .objects = p->objects,
                                   .object_count = p->object_count};
    fr_status status = fr__plug_write_step(&message, p->process->form, &p->process->outbox, error);
    if (status != FR_OK) { return status; }
    p->is_outstanding = true;
    p->outstanding = frame;
    p->object_count = 0;
    p->due_ns = fr_clock_ns() + (uint64_t)(p->owner->def.step_seconds * 1e9);
    return flush(p, error);
}

static void copy_frame(const fr_plug_in *p, const fr_skill_input *input, fr_skill_output *output) {
    const fr__plug_frame *frame = &p->frame;
    fr_quat *turns = output->posture.turns;
    memcpy(turns, frame->posture.turns, frame->posture.count * sizeof *turns);
    output->posture = frame->posture;
    output->posture.turns = turns;
    memcpy(output->weights, frame->weights, ((size_t)frame->posture.count + 1) * sizeof *output->weights);
    output->is_done = frame->is_done || (p->frame_count != 0 && frame->frame >= p->frame_count);
    for (uint32_t i = 0; i < frame->event_count; i++) {
        fr_skill_event *event = &output->events[output->event_count++];
        *event = (fr_skill_event){.numbers = {frame->events[i].numbers[0], frame->events[i].numbers[1]}};
        memcpy(event->name, frame->events[i].name, sizeof event->name);
        if (frame->events[i].is_target) { event->object = input->fields->object; }
    }
}

static fr_status step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                      fr_error *error) {
    (void)state;
    fr_plug_in *p = plug_in_of(input);
    fr_status status = check_alive(p, error);
    if (status != FR_OK) { return status; }
    uint32_t taken = p->state.frames;
    status = flush(p, error);
    if (status == FR_OK) { status = read_and_check(p, error); }
    bool may_ask = status == FR_OK && p->state.is_ready && !p->is_outstanding;
    // A motion that is done gives no more frames.
    if (may_ask && (p->state.frames == 0 || !p->frame.is_done)) { status = send_step(p, input, error); }
    if (status == FR_OK && p->def.is_lockstep) { status = wait_for_reply(p, error); }
    if (status == FR_OK) { status = count_late(p, error); }
    if (status == FR_OK && p->state.frames != taken) { copy_frame(p, input, output); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// A skill of an object

static fr_status send_object(fr_plug_in *p, const fr_object_input *input, uint32_t frame, fr_error *error) {
    const fr__plug_object message = {.frame = frame,
                                     .input = *input,
                                     .skill = p->def.name,
                                     .object = p->def.target,
                                     .data = p->def.data,
                                     .parameters = p->def.parameters,
                                     .parameter_count = p->def.parameter_count};
    fr_status status = fr__plug_write_object(&message, &p->process->outbox, error);
    if (status != FR_OK) { return status; }
    double seconds = frame == 0 ? p->owner->def.ready_seconds : p->owner->def.step_seconds;
    p->is_waiting = frame == 0;
    p->is_outstanding = frame != 0;
    p->outstanding = frame;
    p->due_ns = fr_clock_ns() + (uint64_t)(seconds * 1e9);
    return flush(p, error);
}

// The task, before the first frame. A process that did a motion of a person before is one of a person.
static fr_status begin_object(fr_plug_in *p, const fr_object_input *input, fr_error *error) {
    if (p->is_waiting || p->state.is_ready || p->process->form != FR__PLUG_LINES) {
        return fr_error_set(error, FR_ERROR_BUSY, "plug-in %s: it moves a person", p->def.name);
    }
    p->is_object = true;
    fr_status status = send_object(p, input, 0, error);
    if (status != FR_OK || !p->def.is_lockstep) { return status; }
    status = wait_for_reply(p, error);
    if (status != FR_OK || !p->is_waiting) { return status; }
    return end_motion(p, FR_ERROR_STOPPED, "it is not ready in time", error);
}

fr_status fr_plug_in_step_object(fr_plug_in *p, const fr_object_input *input, fr_object_output *output,
                                 fr_error *error) {
    FR_ASSERT(p != NULL && input != NULL && output != NULL);
    *output = (fr_object_output){.intent = {.offset = fr_pose_identity(), .pose = fr_pose_identity()}};
    fr_status status = check_alive(p, error);
    if (status == FR_OK && !p->is_object) { status = begin_object(p, input, error); }
    uint32_t taken = p->state.frames;
    if (status == FR_OK) { status = flush(p, error); }
    if (status == FR_OK) { status = read_and_check(p, error); }
    bool may_ask = status == FR_OK && p->state.is_ready && !p->is_outstanding && !p->object_last.output.is_done;
    if (may_ask) { status = send_object(p, input, ++p->object_frame, error); }
    if (status == FR_OK && p->def.is_lockstep) { status = wait_for_reply(p, error); }
    if (status == FR_OK) { status = count_late(p, error); }
    if (status != FR_OK) { return status; }
    *output = p->object_last.output;
    // What stands of an earlier frame has happened already.
    if (p->state.frames == taken) { output->event_count = 0; }
    return FR_OK;
}

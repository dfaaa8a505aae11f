// Carries a script out: gives its commands, ticks the world, and notes how each ended.
#include "act/script.h"

#include <stdalign.h>
#include <string.h>

#define RUN_COOKIE UINT32_C(0x7363726e)

enum { WAITING_MAX = 1024 }; // commands that are given and not over

fr_script_run_input fr_default_script_run_input(void) {
    return (fr_script_run_input){.max_ticks = 1000000, .cookie = RUN_COOKIE};
}

void fr_script_run_destroy(fr_script_run *run) {
    fr_deallocate(&run->allocator, run->results, run->result_count, sizeof *run->results);
    if (run->arena != NULL) { fr_arena_destroy(run->arena); }
    fr_clip_release(run->clip);
    memset(run, 0, sizeof *run);
}

FR_ARRAY_TYPE(recorded_turn_array, fr_quat);
FR_ARRAY_TYPE(recorded_place_array, fr_vec3);

typedef struct carrier {
    const fr_script_run_input *input;
    const fr_script_view *script;
    fr_world *world;
    fr_script_run *run;
    uint32_t next;    // result of the command that is given next
    uint32_t waiting; // commands that are given and not over
    uint32_t over;
    recorded_turn_array turns; // of the person who is recorded
    recorded_place_array places;
    fr_byte_array contacts;
} carrier;

// ---------------------------------------------------------------------------------------------------------------
// Recording

static fr_status record(carrier *c, fr_error *error) {
    if (c->input->recorded == NULL || c->places.count == FR_MAX_CLIP_FRAMES) { return FR_OK; }
    fr_posture posture = fr_performer_get(c->input->recorded).posture;
    fr_quat *turns = recorded_turn_array_push(&c->turns, posture.count);
    fr_vec3 *place = recorded_place_array_push(&c->places, 1);
    unsigned char *contacts = fr_byte_array_push(&c->contacts, 2);
    if (turns == NULL || place == NULL || contacts == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a motion that is recorded");
    }
    memcpy(turns, posture.turns, posture.count * sizeof *turns);
    *place = posture.place;
    contacts[0] = posture.contact_left;
    contacts[1] = posture.contact_right;
    return FR_OK;
}

static fr_status make_clip(carrier *c, fr_error *error) {
    if (c->places.count == 0) { return FR_OK; }
    fr_performer_view performer = fr_performer_get(c->input->recorded);
    fr_clip_def def = fr_default_clip_def();
    def.name = "script";
    def.frame_rate = performer.rate;
    def.frame_count = (uint32_t)c->places.count;
    def.link_count = performer.posture.count;
    def.places = c->places.data;
    def.turns = c->turns.data;
    def.contacts = c->contacts.data;
    def.allocator = c->run->allocator;
    return fr_clip_create(&def, &c->run->clip, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Commands

static fr_status note(carrier *c, uint32_t index, fr_status status, const char *message, fr_error *error) {
    fr_script_result *result = &c->run->results[index];
    result->is_done = status == FR_OK;
    result->end = fr_world_tick_count(c->world);
    c->run->done_count += result->is_done;
    c->over++;
    if (result->is_done) { return FR_OK; }
    size_t length = strlen(message) + 1;
    char *reason = fr_arena_alloc(c->run->arena, length, 1, 1);
    if (reason == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for how a command ended"); }
    memcpy(reason, message, length);
    result->reason = reason;
    return FR_OK;
}

// Gives a command; one that is refused is over at once.
static fr_status give(carrier *c, fr_error *error) {
    uint32_t index = c->next++;
    fr_script_result *result = &c->run->results[index];
    result->begin = fr_world_tick_count(c->world);
    fr_error refusal = {0};
    fr_status status = fr__script_give(c->script, result->step, (uint64_t)index + 1, c->input->cast, &refusal);
    if (status == FR_ERROR_MEMORY) { return fr_error_set(error, status, "%s", refusal.message); }
    if (status != FR_OK) { return note(c, index, status, refusal.message, error); }
    c->waiting++;
    return FR_OK;
}

static fr_status take_ends(carrier *c, fr_error *error) {
    fr_command_end end;
    fr_status status = FR_OK;
    while (status == FR_OK && fr_cast_ended(c->input->cast, &end)) {
        if (end.ticket == 0 || end.ticket > c->next) { continue; }
        c->waiting--;
        status = note(c, (uint32_t)(end.ticket - 1), end.status, end.message, error);
    }
    return status;
}

static fr_status carry_out(carrier *c, fr_error *error) {
    fr_status status = FR_OK;
    while (status == FR_OK && c->over < c->run->result_count) {
        while (status == FR_OK && c->next < c->run->result_count && c->waiting < WAITING_MAX) {
            status = give(c, error);
        }
        if (status != FR_OK || c->over == c->run->result_count || c->run->ticks == c->input->max_ticks) { break; }
        status = fr_cast_tick(c->input->cast, c->input->tick, error);
        if (status == FR_OK) { status = take_ends(c, error); }
        c->run->ticks++;
        if (status == FR_OK) { status = record(c, error); }
        if (status == FR_OK && c->input->after != NULL) { status = c->input->after(c->over, c->input->user, error); }
    }
    return status;
}

fr_status fr_script_carry_out(const fr_script_run_input *input, fr_script_run *out, fr_error *error) {
    FR_ASSERT(input != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    if (input->cookie != RUN_COOKIE) { return fr_error_set_cookie(error, "fr_default_script_run_input"); }
    if (input->script == NULL || input->cast == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a run needs a script and a cast");
    }
    carrier c = {.input = input, .script = fr_script_get(input->script), .world = fr_cast_world(input->cast)};
    c.run = out;
    out->allocator = fr_allocator_or_default(&input->allocator);
    uint32_t count = 0;
    for (uint32_t i = 0; i < c.script->step_count; i += 1 + c.script->steps[i].fused_count) {
        count++;
    }
    out->results = fr_allocate(&out->allocator, (size_t)count, sizeof *out->results, alignof(fr_script_result));
    if ((out->results == NULL && count > 0) || fr_arena_create(0, &out->allocator, &out->arena, NULL) != FR_OK) {
        fr_deallocate(&out->allocator, out->results, count, sizeof *out->results);
        memset(out, 0, sizeof *out);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the results of a script");
    }
    out->result_count = count;
    uint32_t step = 0;
    for (uint32_t i = 0; i < count; i++) {
        out->results[i] = (fr_script_result){.step = step, .reason = "it was not over in time"};
        step += 1 + c.script->steps[step].fused_count;
    }
    c.turns = recorded_turn_array_make(&out->allocator);
    c.places = recorded_place_array_make(&out->allocator);
    c.contacts = fr_byte_array_make(&out->allocator);
    fr_status status = carry_out(&c, error);
    if (status == FR_OK) { status = make_clip(&c, error); }
    recorded_turn_array_destroy(&c.turns);
    recorded_place_array_destroy(&c.places);
    fr_byte_array_destroy(&c.contacts);
    for (uint32_t i = 0; i < count; i++) {
        if (out->results[i].is_done) { out->results[i].reason = ""; }
    }
    return status;
}

// Gives commands of scripts to casts: one by one, or all of them as an actor.
#include "act/script.h"

#include <stdalign.h>

// A step as a command.
static fr_status make_command(const fr_script_step *step, const fr_world *world, fr_command *out, fr_error *error) {
    *out = step->command;
    out->name = step->motion;
    out->person = step->person;
    if (step->object[0] == '\0') { return FR_OK; }
    out->object = fr_world_find(world, step->object);
    if (out->object.index1 != 0) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no object '%s'", step->object);
}

fr_status fr__script_give(const fr_script_view *script, uint32_t step, uint64_t ticket, fr_cast *cast,
                          fr_error *error) {
    const fr_script_step *first = &script->steps[step];
    const fr_world *world = fr_cast_world(cast);
    fr_command command, fused[FR_COMMAND_MAX_FUSED];
    fr_status status = make_command(first, world, &command, error);
    for (uint32_t i = 0; i < first->fused_count && status == FR_OK; i++) {
        status = make_command(first + 1 + i, world, &fused[i], error);
    }
    if (status != FR_OK) { return status; }
    command.fused = fused;
    command.fused_count = first->fused_count;
    command.ticket = ticket;
    return fr_cast_command(cast, &command, error);
}

// ---------------------------------------------------------------------------------------------------------------
// The prompter

typedef struct prompter {
    const fr_script_view *script;
    fr_cast *cast;
    uint32_t next; // step of the command that is given next
    fr_allocator allocator;
} prompter;

static fr_status prepare(void *user, fr_error *error) {
    prompter *p = user;
    while (p->next < p->script->step_count) {
        fr_error refusal = {0};
        fr_status status = fr__script_give(p->script, p->next, 0, p->cast, &refusal);
        if (status == FR_ERROR_MEMORY) { return fr_error_set(error, status, "%s", refusal.message); }
        if (status == FR_ERROR_LIMIT) { break; } // many wait: the rest comes later
        p->next += 1 + p->script->steps[p->next].fused_count;
    }
    return FR_OK;
}

static fr_status begin(void *user, fr_error *error) {
    (void)error;
    ((prompter *)user)->next = 0;
    return FR_OK;
}

static void leave(void *user) {
    prompter *p = user;
    fr_allocator allocator = p->allocator;
    fr_deallocate(&allocator, p, 1, sizeof *p);
}

fr_status fr_script_prompter_create(const fr_script *script, fr_cast *cast, const fr_allocator *allocator,
                                    fr_actor *out, fr_error *error) {
    FR_ASSERT(script != NULL && cast != NULL && out != NULL);
    fr_allocator taken = fr_allocator_or_default(allocator);
    prompter *p = fr_allocate(&taken, 1, sizeof *p, alignof(prompter));
    if (p == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a prompter"); }
    *p = (prompter){.script = fr_script_get(script), .cast = cast, .allocator = taken};
    *out = (fr_actor){.name = "prompter", .prepare = prepare, .begin = begin, .leave = leave, .user = p};
    return FR_OK;
}

// A world: its creation, its settings, and its movers and correctors.
#include "world/world.h"

#include <string.h>

#define WORLD_DEF_COOKIE 0x574f524cu

fr_world_def fr_default_world_def(void) {
    fr_world_def def;
    memset(&def, 0, sizeof def);
    def.step = 0.01;
    def.want = FR_WANT_CONTACTS;
    def.cookie = WORLD_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning and end

static fr_status check_def(const fr_world_def *def, fr_error *error) {
    if (def->cookie != WORLD_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_world_def"); }
    if (!(def->step >= FR_WORLD_STEP_MIN && def->step <= FR_WORLD_STEP_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a step of %g seconds is not in 1e-9 .. 1e9", def->step);
    }
    if ((unsigned)def->want > FR_WANT_INTERVALS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no want %u", (unsigned)def->want);
    }
    if ((unsigned)def->sense > FR_SENSE_CONTINUOUS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no sense %u", (unsigned)def->sense);
    }
    if (!(def->margin >= 0.0) || def->margin > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "margin %g is not in 0 .. 2^300", def->margin);
    }
    return FR_OK;
}

static fr_status furnish(fr_world *world, const fr_world_def *def, fr_error *error) {
    fr_space_def space_def = fr_default_space_def();
    space_def.origin = def->origin;
    space_def.allocator = world->allocator;
    fr_status status = fr_space_create(&space_def, &world->space, error);
    if (status == FR_OK) { status = fr_collide_create(&world->allocator, &world->collide, error); }
    if (status == FR_OK) { status = fr_collide_create(&world->allocator, &world->step_collide, error); }
    if (status != FR_OK) { return status; }
    world->pool = fr__snapshot_pool_create(&world->allocator);
    return world->pool != NULL ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a world");
}

fr_status fr_world_create(const fr_world_def *def, fr_world **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_world *world = fr_allocate(&allocator, 1, sizeof *world, _Alignof(fr_world));
    if (world == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a world"); }
    memset(world, 0, sizeof *world);
    world->allocator = allocator;
    world->step = def->step;
    world->want = def->want;
    world->sense = def->sense;
    world->margin = def->margin;
    world->budget = def->budget;
    world->bodies = fr__body_array_make(&allocator);
    world->events = fr__event_array_make(&allocator);
    fr__wishes_make(&world->wishes, world, &allocator);
    fr__step_make(&world->steps, &allocator);
    fr__joint_tree_make(&world->joints, &allocator);
    fr__touch_list_make(&world->touches, &allocator);
    fr__face_list_make(&world->faces, &allocator);
    status = furnish(world, def, error);
    if (status != FR_OK) {
        fr_world_destroy(world);
        return status;
    }
    *out = world;
    return FR_OK;
}

void fr_world_destroy(fr_world *world) {
    if (world == NULL) { return; }
    FR_ASSERT(!world->is_ticking);
    if (world->newest != NULL) { fr_snapshot_release(&world->newest->view); }
    fr__snapshot_pool_leave(world->pool);
    fr__bodies_free(world);
    fr__event_array_destroy(&world->events);
    fr__wishes_free(&world->wishes);
    fr__step_free(&world->steps);
    fr__joint_tree_free(&world->joints);
    fr__touch_list_free(&world->touches);
    fr__face_list_free(&world->faces);
    fr_collide_destroy(world->collide);
    fr_collide_destroy(world->step_collide);
    fr_space_destroy(world->space);
    fr__world_recorder_destroy(world);
    fr_allocator allocator = world->allocator;
    fr_deallocate(&allocator, world, 1, sizeof *world);
}

// ---------------------------------------------------------------------------------------------------------------
// What it is

fr_space *fr_world_space(fr_world *world) {
    FR_ASSERT(world != NULL);
    return world->space;
}

uint64_t fr_world_tick_count(const fr_world *world) {
    FR_ASSERT(world != NULL);
    return world->tick;
}

double fr_world_step(const fr_world *world) {
    FR_ASSERT(world != NULL);
    return world->step;
}

double fr_world_time(const fr_world *world) {
    FR_ASSERT(world != NULL);
    return (double)world->tick * world->step;
}

fr_status fr_world_set_tick(fr_world *world, uint64_t tick, fr_error *error) {
    FR_ASSERT(world != NULL);
    if (world->is_ticking) { return fr_error_set(error, FR_ERROR_BUSY, "a world is not changed during a tick"); }
    if (tick > FR_WORLD_TICK_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the tick is above FR_WORLD_TICK_MAX");
    }
    world->tick = tick;
    fr__world_operation operation = {.kind = FR__WORLD_SET_TICK, .tick = tick};
    fr__world_record(world, &operation);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Movers and correctors

static fr_status add_proposer(const fr_world *world, fr__proposers *proposers, const fr_corrector *added,
                              fr_error *error) {
    FR_ASSERT(added != NULL && added->propose != NULL);
    if (world->is_ticking) { return fr_error_set(error, FR_ERROR_BUSY, "a world is not changed during a tick"); }
    if (proposers->count >= FR_WORLD_MAX_CORRECTORS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a world takes %d movers and %d correctors", FR_WORLD_MAX_CORRECTORS,
                            FR_WORLD_MAX_CORRECTORS);
    }
    const char *name = added->name != NULL ? added->name : "";
    if (!fr__text_is_right(name, FR_WORLD_NAME_MAX_BYTES)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the name of a mover or corrector is too long or no UTF-8");
    }
    fr__proposer *place = &proposers->list[proposers->count++];
    memset(place, 0, sizeof *place);
    place->propose = added->propose;
    place->user = added->user;
    memcpy(place->name, name, strlen(name));
    return FR_OK;
}

fr_status fr_world_add_mover(fr_world *world, const fr_corrector *mover, fr_error *error) {
    FR_ASSERT(world != NULL);
    return add_proposer(world, &world->movers, mover, error);
}

fr_status fr_world_add_corrector(fr_world *world, const fr_corrector *corrector, fr_error *error) {
    FR_ASSERT(world != NULL);
    return add_proposer(world, &world->correctors, corrector, error);
}

void fr__world_set_idle(fr_world *world, fr_propose_fn *corrector, const void *user, bool is_idle) {
    FR_ASSERT(!world->is_ticking);
    for (uint32_t i = 0; i < world->correctors.count; i++) {
        fr__proposer *proposer = &world->correctors.list[i];
        if (proposer->propose == corrector && proposer->user == user) { proposer->is_idle = is_idle; }
    }
}

static void remove_proposer(fr__proposers *proposers, fr_propose_fn *propose, void *user) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < proposers->count; i++) {
        bool is_it = proposers->list[i].propose == propose && proposers->list[i].user == user;
        if (is_it) { continue; }
        if (kept != i) { proposers->list[kept] = proposers->list[i]; }
        kept++;
    }
    proposers->count = kept;
}

fr_status fr_world_remove_corrector(fr_world *world, fr_propose_fn *propose, void *user, fr_error *error) {
    FR_ASSERT(world != NULL);
    if (world->is_ticking) { return fr_error_set(error, FR_ERROR_BUSY, "the world is in a tick"); }
    remove_proposer(&world->movers, propose, user);
    remove_proposer(&world->correctors, propose, user);
    return FR_OK;
}

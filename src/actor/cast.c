// A cast: the actors of one world in order, their claims, and the layers that they draw.
#include "actor/claim.h"
#include "world/body.h"
#include "world/world.h"

#include <string.h>

#define CAST_COOKIE 0x43415354u

// A layer that is shown.
typedef struct fr__shown_layer {
    fr_object_id object;
    char name[FR_CAST_LAYER_NAME_MAX_BYTES + 1];
} fr__shown_layer;

FR_ARRAY_TYPE(fr__actor_array, fr_actor);
FR_ARRAY_TYPE(fr__shown_layer_array, fr__shown_layer);

struct fr_painter {
    fr_cast *cast;
    bool is_new;
};

struct fr_cast {
    fr_world *world;
    fr_cast_draw_fn *draw;
    void *draw_user;
    bool is_draw_new; // nothing was painted through it yet
    fr__actor_array actors;
    fr__shown_layer_array layers;
    fr__claims claims;
    fr_allocator allocator;
};

fr_cast_def fr_default_cast_def(void) {
    fr_cast_def def;
    memset(&def, 0, sizeof def);
    def.cookie = CAST_COOKIE;
    return def;
}

static fr_actor *actor_at(const fr_cast *cast, size_t index) { return cast->actors.data + index; }

static fr_status check_between_ticks(const fr_cast *cast, fr_error *error) {
    return cast->world->is_ticking ? fr_error_set(error, FR_ERROR_BUSY, "the world is in a tick") : FR_OK;
}

// Whether an id names an object, or is all zeros.
static bool is_there_or_none(const fr_cast *cast, fr_object_id id) {
    bool is_none = id.index1 == 0 && id.generation == 0;
    return is_none || fr_object_exists(fr_world_space(cast->world), id);
}

// ---------------------------------------------------------------------------------------------------------------
// Layers

static fr__shown_layer *find_layer(const fr_cast *cast, const char *name) {
    fr__shown_layer *layers = cast->layers.data;
    for (size_t i = 0; i < cast->layers.count; i++) {
        if (strcmp(layers[i].name, name) == 0) { return &layers[i]; }
    }
    return NULL;
}

fr_status fr_painter_draw(fr_painter *painter, const fr_cast_layer *layer, fr_error *error) {
    FR_ASSERT(painter != NULL && layer != NULL);
    fr_cast *cast = painter->cast;
    size_t size = layer->name != NULL ? strlen(layer->name) : 0;
    if (size == 0 || !fr__text_is_right(layer->name, FR_CAST_LAYER_NAME_MAX_BYTES)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the name of a layer has 1 to %d bytes of UTF-8",
                            FR_CAST_LAYER_NAME_MAX_BYTES);
    }
    if (layer->paint != NULL && !is_there_or_none(cast, layer->object)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object");
    }
    fr__shown_layer *shown = find_layer(cast, layer->name);
    if (layer->paint != NULL && shown == NULL) {
        shown = fr__shown_layer_array_push(&cast->layers, 1);
        if (shown == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a layer"); }
        memcpy(shown->name, layer->name, size + 1);
    }
    if (shown != NULL) { shown->object = layer->object; }
    fr_status status = cast->draw(layer, cast->draw_user, error);
    if (layer->paint == NULL && shown != NULL) { *shown = cast->layers.data[--cast->layers.count]; }
    return status;
}

bool fr_painter_is_new(const fr_painter *painter) {
    FR_ASSERT(painter != NULL);
    return painter->is_new;
}

// Paints after all correctors of a tick.
static void paint_all(fr_cast *cast, const fr_proposal *proposal) {
    if (cast->draw == NULL) { return; }
    fr_painter painter = {cast, cast->is_draw_new};
    cast->is_draw_new = false;
    for (size_t i = 0; i < cast->actors.count; i++) {
        const fr_actor *actor = actor_at(cast, i);
        if (actor->paint != NULL) { actor->paint(&painter, proposal, actor->user); }
    }
}

static void remove_layers(fr_cast *cast) {
    const fr__shown_layer *layers = cast->layers.data;
    for (size_t i = 0; cast->draw != NULL && i < cast->layers.count; i++) {
        const fr_cast_layer gone = {.name = layers[i].name, .object = layers[i].object};
        (void)cast->draw(&gone, cast->draw_user, NULL);
    }
    cast->layers.count = 0;
}

// ---------------------------------------------------------------------------------------------------------------
// A tick

// Names the actor that failed.
static fr_status name_failure(const fr_actor *actor, fr_status status, fr_error *error) {
    if (error == NULL) { return status; }
    char message[FR_ERROR_MESSAGE_BYTES];
    memcpy(message, error->message, sizeof message);
    return fr_error_set(error, status, "%s: %s", actor->name, message[0] != '\0' ? message : fr_status_text(status));
}

static fr_status propose(fr_cast *cast, bool is_moving, const fr_proposal *proposal, fr_wishes *wishes,
                         fr_error *error) {
    fr_status status = FR_OK;
    for (size_t i = 0; i < cast->actors.count && status == FR_OK; i++) {
        const fr_actor *actor = actor_at(cast, i);
        fr_propose_fn *act = is_moving ? actor->move : actor->correct;
        if (act == NULL) { continue; }
        status = act(proposal, wishes, actor->user, error);
        if (status != FR_OK) { status = name_failure(actor, status, error); }
    }
    if (status == FR_OK && !is_moving) { paint_all(cast, proposal); }
    return status;
}

static fr_status move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    return propose(user, true, proposal, wishes, error);
}

static fr_status correct(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    return propose(user, false, proposal, wishes, error);
}

// A cast whose actors neither correct nor paint has nothing to do after the movers. What an actor says of the tick that
// comes counts where it is prepared for it.
static void note_idle(fr_cast *cast, bool is_prepared) {
    bool is_idle = true;
    for (size_t i = 0; i < cast->actors.count && is_idle; i++) {
        const fr_actor *actor = actor_at(cast, i);
        bool rests = actor->correct == NULL || (is_prepared && actor->is_idle != NULL && actor->is_idle(actor->user));
        is_idle = rests && (actor->paint == NULL || cast->draw == NULL);
    }
    fr__world_set_idle(cast->world, correct, cast, is_idle);
}

void fr_cast_set_draw(fr_cast *cast, fr_cast_draw_fn *draw, void *user) {
    FR_ASSERT(cast != NULL);
    cast->draw = draw;
    cast->draw_user = user;
    cast->is_draw_new = true;
    cast->layers.count = 0;
    note_idle(cast, false);
}

fr_status fr_cast_tick(fr_cast *cast, const fr_tick_input *input, fr_error *error) {
    FR_ASSERT(cast != NULL);
    fr_status first = check_between_ticks(cast, error);
    if (first != FR_OK) { return first; }
    for (size_t i = 0; i < cast->actors.count; i++) {
        const fr_actor *actor = actor_at(cast, i);
        if (actor->prepare == NULL) { continue; }
        fr_status status = actor->prepare(actor->user, first == FR_OK ? error : NULL);
        if (status != FR_OK && first == FR_OK) { first = name_failure(actor, status, error); }
    }
    if (first != FR_OK) { return first; }
    note_idle(cast, true);
    first = fr_world_tick(cast->world, input, error);
    note_idle(cast, false);
    return first;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status join_world(fr_cast *cast, fr_error *error) {
    const fr_corrector mover = {"cast", move, cast}, corrector = {"cast", correct, cast};
    fr_status status = fr_world_add_mover(cast->world, &mover, NULL);
    if (status == FR_OK) { status = fr_world_add_corrector(cast->world, &corrector, NULL); }
    if (status == FR_OK) { return FR_OK; }
    (void)fr_world_remove_corrector(cast->world, move, cast, NULL);
    return fr_error_set(error, status, "the world takes no further cast: %s", fr_status_text(status));
}

fr_status fr_cast_create(const fr_cast_def *def, fr_cast **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != CAST_COOKIE) { return fr_error_set_cookie(error, "fr_default_cast_def"); }
    if (def->world == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a cast needs a world"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_cast *cast = fr_allocate(&allocator, 1, sizeof *cast, _Alignof(fr_cast));
    if (cast == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a cast"); }
    *cast = (fr_cast){.world = def->world, .allocator = allocator};
    cast->actors = fr__actor_array_make(&allocator);
    cast->layers = fr__shown_layer_array_make(&allocator);
    cast->claims = fr__claims_make(&allocator);
    fr_status status = join_world(cast, error);
    fr_cast_set_draw(cast, def->draw, def->draw_user);
    if (status != FR_OK) {
        fr_deallocate(&allocator, cast, 1, sizeof *cast);
        return status;
    }
    *out = cast;
    return FR_OK;
}

void fr_cast_destroy(fr_cast *cast) {
    if (cast == NULL) { return; }
    (void)fr_world_remove_corrector(cast->world, move, cast, NULL);
    (void)fr_world_remove_corrector(cast->world, correct, cast, NULL);
    remove_layers(cast);
    for (size_t i = cast->actors.count; i > 0; i--) {
        const fr_actor *actor = actor_at(cast, i - 1);
        if (actor->leave != NULL) { actor->leave(actor->user); }
    }
    fr__actor_array_destroy(&cast->actors);
    fr__shown_layer_array_destroy(&cast->layers);
    fr__claims_free(&cast->claims);
    fr_allocator allocator = cast->allocator;
    fr_deallocate(&allocator, cast, 1, sizeof *cast);
}

fr_status fr_cast_add(fr_cast *cast, const fr_actor *actor, fr_error *error) {
    FR_ASSERT(cast != NULL && actor != NULL);
    if (actor->name == NULL || actor->name[0] == '\0') {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an actor needs a name");
    }
    fr_status status = check_between_ticks(cast, error);
    if (status != FR_OK) { return status; }
    if (cast->actors.count >= FR_CAST_MAX_ACTORS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a cast has at most %d actors", FR_CAST_MAX_ACTORS);
    }
    fr_actor *place = fr__actor_array_push(&cast->actors, 1);
    if (place == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an actor"); }
    *place = *actor;
    note_idle(cast, false);
    return FR_OK;
}

fr_world *fr_cast_world(const fr_cast *cast) {
    FR_ASSERT(cast != NULL);
    return cast->world;
}

uint32_t fr_cast_count(const fr_cast *cast) {
    FR_ASSERT(cast != NULL);
    return (uint32_t)cast->actors.count;
}

const fr_actor *fr_cast_get(const fr_cast *cast, uint32_t index) {
    FR_ASSERT(cast != NULL);
    return index < cast->actors.count ? actor_at(cast, index) : NULL;
}

const fr_actor *fr_cast_find(const fr_cast *cast, const char *name) {
    FR_ASSERT(cast != NULL && name != NULL);
    for (size_t i = 0; i < cast->actors.count; i++) {
        if (strcmp(actor_at(cast, i)->name, name) == 0) { return actor_at(cast, i); }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Between ticks

fr_status fr_cast_begin(fr_cast *cast, fr_error *error) {
    FR_ASSERT(cast != NULL);
    fr_status first = check_between_ticks(cast, error);
    if (first != FR_OK) { return first; }
    fr__claims_clear(&cast->claims);
    for (size_t i = 0; i < cast->actors.count; i++) {
        const fr_actor *actor = actor_at(cast, i);
        fr_status status = actor->begin != NULL ? actor->begin(actor->user, first == FR_OK ? error : NULL) : FR_OK;
        if (first == FR_OK) { first = status; }
    }
    return first;
}

fr_status fr_cast_resume(fr_cast *cast, fr_error *error) {
    FR_ASSERT(cast != NULL);
    fr_status first = check_between_ticks(cast, error);
    if (first != FR_OK) { return first; }
    for (size_t i = 0; i < cast->actors.count; i++) {
        const fr_actor *actor = actor_at(cast, i);
        fr_status status = actor->resume != NULL ? actor->resume(actor->user, first == FR_OK ? error : NULL) : FR_OK;
        if (first == FR_OK) { first = status; }
    }
    return first;
}

fr_status fr_cast_grab(fr_cast *cast, const fr_claim *claim, fr_error *error) {
    FR_ASSERT(cast != NULL && claim != NULL);
    const fr_space *space = fr_world_space(cast->world);
    bool is_rank = claim->rank >= FR_RANK_VIRTUAL_HUMAN && claim->rank <= FR_RANK_PERSON;
    if (claim->holder == 0 || !is_rank) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a claim needs a holder and a rank");
    }
    if (!fr_object_exists(space, claim->object)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object");
    }
    fr_status status = check_between_ticks(cast, error);
    if (status == FR_OK) { status = fr__claims_check(&cast->claims, claim, error); }
    for (size_t i = 0; i < cast->actors.count && status == FR_OK; i++) {
        const fr_actor *actor = actor_at(cast, i);
        if (actor->grab != NULL) { status = actor->grab(claim, actor->user, error); }
    }
    return status == FR_OK ? fr__claims_take(&cast->claims, claim, error) : status;
}

fr_status fr_cast_let_go(fr_cast *cast, fr_object_id object, uint64_t holder, fr_error *error) {
    FR_ASSERT(cast != NULL);
    // A claim on an object that is gone has ended with it.
    bool is_ended = fr__claims_end(&cast->claims, object, holder);
    if (is_ended && fr_object_exists(fr_world_space(cast->world), object)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_STALE_ID, "the holder has no claim on the object");
}

const fr_claim *fr_cast_claim(const fr_cast *cast, fr_object_id object) {
    FR_ASSERT(cast != NULL);
    return fr_object_exists(fr_world_space(cast->world), object) ? fr__claims_find(&cast->claims, object) : NULL;
}

fr_status fr_cast_undo(fr_cast *cast, bool is_redo, fr_error *error) {
    FR_ASSERT(cast != NULL);
    fr_status status = check_between_ticks(cast, error);
    if (status != FR_OK) { return status; }
    for (size_t i = 0; i < cast->actors.count; i++) {
        const fr_actor *actor = actor_at(cast, i);
        if (actor->undo != NULL) { return actor->undo(is_redo, actor->user, error); }
    }
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this scene takes nothing back");
}

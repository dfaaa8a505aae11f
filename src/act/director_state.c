// States of objects, as the director has them: what an object affords now, and why it does not afford something.
#include "act/director.h"

#include "act/mechanism.h"
#include "fureai/base_drawing.h"

#include <string.h>

enum { WHY_BYTES = 128 };

const fr_class_state *fr__director_state(const fr_director *d, fr_object_id object, const fr_class_view *c) {
    uint32_t state = fr_mechanism_state(d->mechanism, object);
    return &c->states[state < c->state_count ? state : 0];
}

// Which state of a class affords a motion; FR_NONE: none.
static uint32_t find_state(const fr_class_view *c, const char *name) {
    for (uint32_t i = 0; i < c->state_count; i++) {
        if (fr_class_find_motion(&c->states[i], name) != NULL) { return i; }
    }
    return FR_NONE;
}

static fr_status no_motion(const fr_class_view *c, const fr_class_state *state, const char *name, fr_error *error) {
    fr_suggestion suggestion = fr_suggestion_begin(name);
    for (uint32_t i = 0; i < state->motion_count; i++) {
        fr_suggestion_offer(&suggestion, state->motions[i].name);
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT,
                        suggestion.best != NULL ? "'%s' affords no '%s'; did you mean '%s'?" : "'%s' affords no '%s'",
                        c->name, name, suggestion.best);
}

// Why the present state does not afford what another does.
static fr_status not_now(const fr_director *d, fr_object_id object, const fr_class_view *c, const char *name,
                         fr_error *error) {
    const fr_class_state *now = fr__director_state(d, object, c);
    const char *label = fr_world_label(d->world, object).name;
    const char *called = label[0] != '\0' ? label : c->name;
    char why[WHY_BYTES] = "";
    uint32_t first = FR_NONE;
    for (uint32_t i = 0; i < c->state_count && why[0] == '\0'; i++) {
        if (fr_class_find_motion(&c->states[i], name) == NULL) { continue; }
        if (first == FR_NONE) { first = i; }
        fr_mechanism_explain(d->mechanism, object, i, why, sizeof why);
    }
    if (first == FR_NONE) { return no_motion(c, now, name, error); }
    if (why[0] != '\0') { return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' is %s: %s", called, now->name, why); }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' is %s; '%s' is afforded when it is %s", called, now->name, name,
                        c->states[first].name);
}

const fr_class_motion *fr__director_find_motion(const fr_director *d, fr_object_id object, const fr_class_view *c,
                                                const char *name, fr_error *error) {
    const fr_class_motion *motion = fr_class_find_motion(fr__director_state(d, object, c), name);
    if (motion != NULL) { return motion; }
    uint32_t other = find_state(c, name);
    // What is to be done before may bring the object into that state; the list is looked at again when it begins.
    if (other != FR_NONE && d->command_count > 0) { return fr_class_find_motion(&c->states[other], name); }
    (void)not_now(d, object, c, name, error);
    return NULL;
}

bool fr__director_has_motion(const fr_class_view *c, const char *name) { return find_state(c, name) != FR_NONE; }

fr_status fr__director_check_states(const fr_director *d, const fr__director_list *list, fr_error *error) {
    for (uint32_t i = 0; i < list->motion_count; i++) {
        const fr__director_motion *motion = &list->motions[i];
        if (!motion->is_afforded || motion->c == NULL) { continue; }
        const fr_class_view *c = fr_class_get(motion->c);
        if (c->state_count == 1) { continue; }
        const fr_class_state *now = fr__director_state(d, motion->object, c);
        if (fr_class_find_motion(now, motion->name) == NULL) {
            return not_now(d, motion->object, c, motion->name, error);
        }
    }
    return FR_OK;
}

fr_status fr__director_correct(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const fr_director *d = user;
    return fr__mechanism_drive(proposal, wishes, d->mechanism, error);
}

bool fr__director_is_idle(void *user) {
    const fr_director *d = user;
    return fr__mechanism_is_idle(d->mechanism);
}

// ---------------------------------------------------------------------------------------------------------------
// Scenes without people

static fr_status set_classes(fr_mechanism *m, const fr_director_def *def, const fr_scene *scene, fr_error *error) {
    const fr_scene_view *view = fr_scene_get(scene);
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < view->object_count && status == FR_OK; i++) {
        const fr_scene_object *object = &view->objects[i];
        fr_class *c;
        // A class that is wrong now was right when the scene was read; its objects are in no states.
        if (object->class_name == NULL || fr_library_find(def->library, object->class_name, &c, NULL) != FR_OK) {
            continue;
        }
        status = fr_mechanism_set_class(m, fr_world_find(fr_cast_world(def->cast), object->name), c, error);
        fr_class_release(c);
    }
    return status;
}

fr_status fr__director_add_mechanism(const fr_director_def *def, const fr_scene *scene, fr_error *error) {
    fr_mechanism_def own = fr_default_mechanism_def();
    own.cast = def->cast;
    own.allocator = def->allocator;
    fr_mechanism *m;
    if (def->library == NULL || def->cast == NULL) { return FR_OK; }
    fr_status status = fr_mechanism_create(&own, &m, error);
    if (status != FR_OK) { return status; }
    status = set_classes(m, def, scene, error);
    bool is_needed = fr_mechanism_count(m) > 0;
    const fr_actor actor = fr_mechanism_actor(m);
    if (status == FR_OK && is_needed) { status = fr_cast_add(def->cast, &actor, error); }
    if (status != FR_OK || !is_needed) { fr_mechanism_destroy(m); }
    return status;
}

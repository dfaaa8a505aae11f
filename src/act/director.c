// The director: its people, the classes of its objects, and its table of an actor.
#include "act/director.h"

#include "act/mechanism.h"
#include "act/offers.h"

#include "fureai/base_drawing.h"

#include <stdalign.h>
#include <string.h>

#define DIRECTOR_COOKIE 0x44495245u

fr_director_def fr_default_director_def(void) {
    fr_director_def def;
    memset(&def, 0, sizeof def);
    def.cookie = DIRECTOR_COOKIE;
    return def;
}

fr_status fr_director_create(const fr_director_def *def, fr_director **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != DIRECTOR_COOKIE) { return fr_error_set_cookie(error, "fr_default_director_def"); }
    if (def->cast == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a director needs a cast"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_director *d = fr_allocate(&allocator, 1, sizeof *d, alignof(fr_director));
    if (d == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a director"); }
    memset(d, 0, sizeof *d);
    d->def = *def;
    d->world = fr_cast_world(def->cast);
    d->allocator = allocator;
    d->objects = fr__director_object_array_make(&allocator);
    d->ends = fr__director_end_array_make(&allocator);
    d->scouts = fr__director_scout_array_make(&allocator);
    d->trial.places = fr__trajectory_place_array_make(&allocator);
    for (uint32_t i = 0; i < FR__DIRECTOR_TRIES; i++) {
        d->trials[i].trajectory.places = fr__trajectory_place_array_make(&allocator);
    }
    d->moved = fr__director_shown_array_make(&allocator);
    d->all = fr__director_shown_array_make(&allocator);
    d->in_hand = fr_byte_array_make(&allocator);
    d->path_task = d->searcher = FR_NONE;
    fr_mechanism_def states = fr_default_mechanism_def();
    states.cast = def->cast;
    states.allocator = allocator;
    fr_status status = fr_mechanism_create(&states, &d->mechanism, error);
    if (status == FR_OK && def->has_surfaces) {
        d->offers = fr__offers_create(&allocator);
        if (d->offers == NULL) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a director"); }
    }
    if (status != FR_OK) {
        fr_director_destroy(d);
        return status;
    }
    *out = d;
    return FR_OK;
}

static void destroy_person(fr_director *d, fr__director_person *person) {
    for (size_t i = person->first; i < person->lists.count; i++) {
        fr__director_list_end(d, &person->lists.data[i]);
    }
    fr__director_list_array_destroy(&person->lists);
    fr__director_part(person);
    for (uint32_t i = 0; i < person->held_count; i++) {
        fr_plug_in_destroy(person->held[i].plug_in);
    }
    fr_person_destroy(person->person);
    fr_deallocate(&d->allocator, person, 1, sizeof *person);
}

void fr_director_destroy(fr_director *director) {
    if (director == NULL) { return; }
    for (uint32_t i = 0; i < director->person_count; i++) {
        destroy_person(director, director->people[i]);
    }
    for (size_t i = 0; i < director->objects.count; i++) {
        fr_class_release(director->objects.data[i].c);
    }
    fr__offers_destroy(director->offers);
    fr_mechanism_destroy(director->mechanism);
    fr_allocator allocator = director->allocator;
    fr_deallocate(&allocator, director->people, director->person_capacity, sizeof(fr__director_person *));
    fr__director_object_array_destroy(&director->objects);
    fr__director_end_array_destroy(&director->ends);
    for (size_t i = 0; i < director->scouts.count; i++) {
        fr_performer_destroy(director->scouts.data[i].performer);
    }
    fr__director_scout_array_destroy(&director->scouts);
    fr__trajectory_place_array_destroy(&director->trial.places);
    fr__director_free_trials(director);
    fr__floor_destroy(director->floor);
    fr__director_shown_array_destroy(&director->moved);
    fr__director_shown_array_destroy(&director->all);
    fr_byte_array_destroy(&director->in_hand);
    fr_deallocate(&allocator, director, 1, sizeof *director);
}

// ---------------------------------------------------------------------------------------------------------------
// People

fr__director_person *fr__director_find_person(const fr_director *d, const char *name) {
    for (uint32_t i = 0; i < d->person_count; i++) {
        if (strcmp(fr_person_name(d->people[i]->person), name) == 0) { return d->people[i]; }
    }
    return NULL;
}

// Room for one more pointer: twice as many as before.
static bool reserve_person(fr_director *d) {
    if (d->person_count < d->person_capacity) { return true; }
    uint32_t capacity = d->person_capacity > 0 ? 2 * d->person_capacity : 8;
    fr__director_person **people = fr_allocate(&d->allocator, capacity, sizeof *people, alignof(fr__director_person *));
    if (people == NULL) { return false; }
    if (d->person_count > 0) { memcpy(people, d->people, d->person_count * sizeof *people); }
    fr_deallocate(&d->allocator, d->people, d->person_capacity, sizeof *people);
    d->people = people;
    d->person_capacity = capacity;
    return true;
}

fr_status fr_director_add_person(fr_director *director, const fr_person_def *def, fr_error *error) {
    FR_ASSERT(director != NULL && def != NULL);
    if (director->person_count == FR_DIRECTOR_MAX_PEOPLE) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a director has at most %u people", FR_DIRECTOR_MAX_PEOPLE);
    }
    if (def->name == NULL || def->name[0] == '\0') {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a person needs a name");
    }
    fr__director_person *person = NULL;
    if (reserve_person(director)) {
        person = fr_allocate(&director->allocator, 1, sizeof *person, alignof(fr__director_person));
    }
    if (person == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a person"); }
    memset(person, 0, sizeof *person);
    person->lists = fr__director_list_array_make(&director->allocator);
    fr_person_def own = *def;
    own.world = director->world;
    if (def->proxies != NULL) { person->piece = def->proxies[0]; }
    own.accept = fr__director_may_meet;
    own.accept_context = person;
    own.is_delayed = fr__director_is_delayed(director);
    own.has_planned_paths = true; // by director_walk.c
    fr_status status = fr_person_create(&own, &person->person, error);
    if (status == FR_OK && fr__director_find_person(director, fr_person_name(person->person)) != NULL) {
        status = fr_error_set(error, FR_ERROR_ARGUMENT, "another person has the name '%s'", def->name);
    }
    person->walker.index = director->person_count;
    if (status == FR_OK) { status = fr__director_join(director, person, error); }
    if (status != FR_OK) {
        destroy_person(director, person);
        return status;
    }
    director->people[director->person_count++] = person;
    fr__floor_destroy(director->floor); // made again for all bodies
    director->floor = NULL;
    return FR_OK;
}

uint64_t fr__director_holder(const fr__director_person *person) {
    const char *name = fr_person_name(person->person); // no other person's
    return fr_hash(name, strlen(name), UINT64_C(0x6469726563746f72)) | 1u;
}

// ---------------------------------------------------------------------------------------------------------------
// Classes

// Where an object is among those with a class, or would be.
static size_t object_place(const fr_director *d, fr_object_id object) {
    size_t low = 0, high = d->objects.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->objects.data[middle].object.index1 < object.index1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

fr_class *fr__director_class(const fr_director *d, fr_object_id object) {
    size_t place = object_place(d, object);
    bool is_there = place < d->objects.count && fr_object_id_equal(d->objects.data[place].object, object);
    if (!is_there || d->objects.data[place].c == NULL) { return fr__offers_known(d->offers, object); }
    return d->objects.data[place].c;
}

fr_class *fr__director_new_class(fr_director *d, const fr__director_person *person, fr_object_id object) {
    fr_class *c = fr__director_class(d, object), *found;
    bool has_own = c != NULL && c != fr__offers_known(d->offers, object);
    if (!has_own) { return fr__offers_find(d, person, object, &found, NULL) == FR_OK ? found : NULL; }
    if (c == NULL || d->def.library == NULL || d->is_planning) { return c; }
    if (fr_library_find(d->def.library, fr_class_get(c)->name, &found, NULL) != FR_OK) { return c; }
    if (found != c) { (void)fr_director_set_class(d, object, found, NULL); }
    fr_class_release(found);
    return fr__director_class(d, object);
}

fr_status fr_director_set_class(fr_director *director, fr_object_id object, const fr_class *c, fr_error *error) {
    FR_ASSERT(director != NULL);
    if (!fr_object_exists(fr_world_space(director->world), object)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object");
    }
    size_t place = object_place(director, object);
    fr__director_object_array *objects = &director->objects;
    bool is_there = place < objects->count && objects->data[place].object.index1 == object.index1;
    if (!is_there && c == NULL) { return FR_OK; }
    fr_status status = fr_mechanism_set_class(director->mechanism, object, c, error);
    if (status != FR_OK) { return status; }
    if (!is_there) {
        if (objects->count == FR_DIRECTOR_MAX_OBJECTS) {
            return fr_error_set(error, FR_ERROR_LIMIT, "a director knows at most %u objects", FR_DIRECTOR_MAX_OBJECTS);
        }
        if (fr__director_object_array_push(objects, 1) == NULL) {
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the class of an object");
        }
        size_t behind = objects->count - 1 - place;
        memmove(&objects->data[place + 1], &objects->data[place], behind * sizeof *objects->data);
        objects->data[place] = (fr__director_object){.object = object};
    }
    fr__director_object *entry = &objects->data[place];
    fr_class *old = entry->c;
    *entry = (fr__director_object){.object = object, .c = c != NULL ? fr_class_retain(c) : NULL};
    fr_class_release(old);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Scenes

static fr_status take_person(const fr_person_def *def, void *user, fr_error *error) {
    return fr_director_add_person(user, def, error);
}

fr_status fr_director_add_scene(fr_director *director, const fr_scene *scene, fr_error *error) {
    FR_ASSERT(director != NULL && scene != NULL);
    const fr_scene_view *view = fr_scene_get(scene);
    fr_status status = fr_scene_people(scene, director->world, take_person, director, &director->allocator, error);
    for (uint32_t i = 0; i < view->object_count && status == FR_OK; i++) {
        const fr_scene_object *object = &view->objects[i];
        if (object->class_name == NULL) { continue; }
        if (director->def.library == NULL) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' has a class, and there is no library", object->name);
        }
        fr_class *c;
        status = fr_library_find(director->def.library, object->class_name, &c, error);
        if (status != FR_OK) { return status; }
        status = fr_director_set_class(director, fr_world_find(director->world, object->name), c, error);
        fr_class_release(c);
    }
    // What others can do with a person, its class says too.
    for (uint32_t i = 0; i < view->person_count && status == FR_OK && director->def.library != NULL; i++) {
        const fr_scene_person *person = &view->people[i];
        fr_class *c;
        if (person->class_name == NULL) { continue; }
        status = fr_library_find(director->def.library, person->class_name, &c, error);
        if (status != FR_OK) { return status; }
        status = fr_director_set_class(director, fr_world_find(director->world, person->name), c, error);
        fr_class_release(c);
    }
    return status;
}

static bool has_people(const fr_scene *scene) {
    const fr_scene_view *view = fr_scene_get(scene);
    bool is_found = false;
    for (uint32_t i = 0; i < view->person_count && !is_found; i++) {
        is_found = view->people[i].task_count == 0;
    }
    return is_found;
}

fr_status fr_director_create_for_scene(const fr_director_def *def, const fr_scene *scene, fr_director **out,
                                       fr_error *error) {
    FR_ASSERT(def != NULL && scene != NULL && out != NULL);
    *out = NULL;
    if (!has_people(scene)) { return fr__director_add_mechanism(def, scene, error); }
    fr_director *director;
    fr_status status = fr_director_create(def, &director, error);
    if (status != FR_OK) { return status; }
    status = fr_director_add_scene(director, scene, error);
    const fr_actor actor = fr_director_actor(director);
    if (status == FR_OK) { status = fr_cast_add(def->cast, &actor, error); }
    if (status != FR_OK) {
        fr_director_destroy(director);
        return status;
    }
    *out = director;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The actor

fr__director_list *fr__director_first(const fr__director_person *person) { return &person->lists.data[person->first]; }

size_t fr__director_list_count(const fr__director_person *person) { return person->lists.count - person->first; }

// The first list is no more; those behind move up now and then, so that each moves but once on average.
static void remove_first(fr__director_person *person) {
    size_t left = person->lists.count - ++person->first;
    if (left > person->first) { return; }
    if (left > 0) { memmove(person->lists.data, fr__director_first(person), left * sizeof *person->lists.data); }
    person->lists.count = left;
    person->first = 0;
}

// A command that was not done is reported with the next tick, unless it was stopped by another.
static void note_failure(fr__director_person *person, fr_status status, const char *reason) {
    if (status == FR_OK || person->is_stopped) { return; }
    const char *name = strncmp(reason, "plug-in ", 8) == 0 ? strstr(reason, ": ") : NULL;
    size_t length = sizeof FR_DIRECTOR_FAILED - 1;
    memcpy(person->notice, FR_DIRECTOR_FAILED, length);
    fr_utf8_repair(name != NULL ? name + 2 : reason, person->notice + length, sizeof person->notice - length);
    person->notice_value = (double)status;
    person->notice_object = fr__director_first(person)->motions[0].object;
}

fr_status fr__director_end_list(fr_director *d, fr__director_person *person, fr_status status, const char *reason,
                                fr_error *error) {
    fr__director_list *list = fr__director_first(person);
    fr_status pushed = FR_OK;
    if (list->ticket != 0) {
        fr_command_end *end = fr__director_end_array_push(&d->ends, 1);
        if (end == NULL) {
            pushed = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the end of a command");
        } else {
            *end = (fr_command_end){.ticket = list->ticket, .status = status};
            fr_utf8_repair(status != FR_OK ? reason : "", end->message, sizeof end->message);
        }
    }
    if (list->is_step) {
        fr__director_note_step(d, list + 1, status, reason);
    } else {
        note_failure(person, status, reason);
        person->done += status == FR_OK && !list->is_approach;
        person->failed += status != FR_OK;
    }
    if (status != FR_OK) { fr_utf8_repair(reason, person->reason, sizeof person->reason); }
    fr__director_let_go(d, person, false);
    fr__director_leave_meeting(d, person, list, status, reason);
    fr__director_stop_stage(person, list);
    person->palm = 0;
    person->patience = 0;
    fr__director_list_end(d, list);
    remove_first(person);
    d->command_count--;
    person->is_begun = person->is_over = person->walker.is_halted = false;
    person->walker.waiting = person->walker.retry = 0;
    person->walker.is_searching = false;
    return pushed;
}

fr_status fr__director_end_all(fr_director *d, fr__director_person *person, fr_status status, const char *reason,
                               fr_error *error) {
    fr_status ended = FR_OK;
    while (fr__director_list_count(person) > 0 && ended == FR_OK) {
        ended = fr__director_end_list(d, person, status, reason, error);
    }
    return ended;
}

static fr_status begin(void *user, fr_error *error) {
    fr_director *d = user;
    fr_status status = fr__mechanism_begin(d->mechanism, error);
    d->tick = d->refreshed = 0;
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        d->people[i]->is_stopped = true;
        status = fr__director_end_all(d, d->people[i], FR_ERROR_STOPPED, "the scene began again", error);
        d->people[i]->away = 0;
        d->people[i]->is_stopped = false;
        memset(&d->people[i]->meeting, 0, sizeof d->people[i]->meeting);
        fr__director_let_go(d, d->people[i], true);
        if (status == FR_OK) { status = fr_person_restart(d->people[i]->person, error); }
        if (status == FR_OK) { status = fr__director_rejoin(d, d->people[i], error); }
    }
    return status;
}

static fr_status resume(void *user, fr_error *error) {
    const fr_director *d = user;
    return fr__mechanism_resume(d->mechanism, error);
}

// Programs outside may move a person in the director's place.
static fr_status grab(const fr_claim *claim, void *user, fr_error *error) {
    const fr_director *d = user;
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), claim->object);
    bool may_be_body =
        view != NULL && ((view->flags & (FR_OBJECT_GHOST | FR_OBJECT_PROXY)) != 0 || view->bone_count > 0);
    for (uint32_t i = 0; i < d->person_count && may_be_body && claim->rank != FR_RANK_PROGRAM; i++) {
        const fr_person *person = d->people[i]->person;
        if (!fr_person_has(person, claim->object)) { continue; }
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "%s moves by its own skills", fr_person_name(person));
    }
    return FR_OK;
}

static bool ended(fr_command_end *out, void *user) {
    fr_director *d = user;
    bool has_one = d->next_end < d->ends.count;
    if (has_one) { *out = d->ends.data[d->next_end++]; }
    if (d->next_end == d->ends.count) { d->ends.count = d->next_end = 0; }
    return has_one;
}

static void leave(void *user) { fr_director_destroy(user); }

fr_actor fr_director_actor(fr_director *director) {
    return (fr_actor){.name = FR_DIRECTOR_NAME,
                      .move = fr__director_move,
                      .correct = fr__director_correct,
                      .is_idle = fr__director_is_idle,
                      .prepare = fr__director_prepare,
                      .begin = begin,
                      .resume = resume,
                      .grab = grab,
                      .command = fr__director_command,
                      .affords = fr__director_affords,
                      .ended = ended,
                      .person = fr__director_get_person,
                      .pull = fr__director_pull,
                      .posture = fr__director_posture,
                      .leave = leave,
                      .user = director};
}

// ---------------------------------------------------------------------------------------------------------------
// What they do

uint32_t fr_director_person_count(const fr_director *director) { return director->person_count; }

fr_director_state fr_director_get(const fr_director *director, uint32_t index) {
    FR_ASSERT(index < director->person_count);
    const fr__director_person *person = director->people[index];
    fr_director_state state = {.person = person->person, .motion = "", .reason = person->reason};
    state.done = person->done;
    state.failed = person->failed;
    state.radius = person->walker.radius;
    state.is_waiting = person->walker.waiting != 0;
    state.is_away = person->away > 0;
    state.is_late = fr__director_is_late(person);
    if (fr__director_list_count(person) == 0) { return state; }
    const fr__director_list *list = fr__director_first(person);
    state.motion = list->motions[0].name;
    state.object = list->motions[0].object;
    state.waiting = (uint32_t)fr__director_list_count(person) - 1;
    return state;
}

uint64_t fr_director_hash(const fr_director *director) {
    uint64_t hash = fr_mechanism_hash(director->mechanism);
    for (uint32_t i = 0; i < director->person_count; i++) {
        const fr__director_person *person = director->people[i];
        bool has_list = fr__director_list_count(person) > 0;
        uint64_t parts[6] = {fr_performer_hash(fr_person_performer(person->person)),
                             fr__director_list_count(person),
                             has_list ? fr__director_first(person)->stage : 0,
                             (uint64_t)person->is_begun << 1 | (uint64_t)person->is_over,
                             person->done,
                             person->failed};
        hash = fr_hash(parts, sizeof parts, hash);
        hash = fr__director_hash_walker(&person->walker, hash);
        hash = fr__director_hash_meeting(&person->meeting, hash);
        for (size_t k = 0; k < fr__director_list_count(person); k++) {
            hash = fr__director_hash_pursuit(fr__director_first(person)[k].pursuit, hash);
        }
        for (uint32_t k = 0; k < person->held_count; k++) {
            hash = fr_hash(&person->held[k].state, sizeof person->held[k].state, hash);
        }
    }
    return hash;
}

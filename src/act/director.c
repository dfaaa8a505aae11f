// The director: its people, the classes of its objects, and its table of an actor.
#include "act/director.h"

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
    size_t poses = (size_t)FR_MAX_TASKS * FR_MAX_SKILL_POSES;
    fr_pose *scratch = fr_allocate(&allocator, poses, sizeof *scratch, alignof(fr_pose));
    if (d == NULL || scratch == NULL) {
        fr_deallocate(&allocator, scratch, poses, sizeof *scratch);
        fr_deallocate(&allocator, d, 1, sizeof *d);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a director");
    }
    memset(d, 0, sizeof *d);
    d->def = *def;
    d->world = fr_cast_world(def->cast);
    d->allocator = allocator;
    d->poses = scratch;
    d->objects = fr__director_object_array_make(&allocator);
    d->ends = fr__director_end_array_make(&allocator);
    d->events = fr__director_event_array_make(&allocator);
    *out = d;
    return FR_OK;
}

static void destroy_person(fr_director *d, fr__director_person *person) {
    for (size_t i = 0; i < person->lists.count; i++) {
        fr__director_list_end(d, &person->lists.data[i]);
    }
    fr__director_list_array_destroy(&person->lists);
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
    fr_allocator allocator = director->allocator;
    fr_deallocate(&allocator, director->people, director->person_capacity, sizeof(fr__director_person *));
    fr_deallocate(&allocator, director->poses, (size_t)FR_MAX_TASKS * FR_MAX_SKILL_POSES, sizeof(fr_pose));
    fr__director_object_array_destroy(&director->objects);
    fr__director_end_array_destroy(&director->ends);
    fr__director_event_array_destroy(&director->events);
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
    person->skin = def->skin;
    fr_person_def own = *def;
    own.world = director->world;
    fr_status status = fr_person_create(&own, &person->person, error);
    if (status == FR_OK && fr__director_find_person(director, fr_person_name(person->person)) != NULL) {
        status = fr_error_set(error, FR_ERROR_ARGUMENT, "another person has the name '%s'", def->name);
    }
    if (status != FR_OK) {
        destroy_person(director, person);
        return status;
    }
    director->people[director->person_count++] = person;
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
    if (place == d->objects.count || !fr_object_id_equal(d->objects.data[place].object, object)) { return NULL; }
    return d->objects.data[place].c;
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
    if (!is_there) {
        if (objects->count == FR_DIRECTOR_MAX_OBJECTS) {
            return fr_error_set(error, FR_ERROR_LIMIT, "a director knows at most %u objects", FR_DIRECTOR_MAX_OBJECTS);
        }
        if (fr__director_object_array_push(objects, 1) == NULL) {
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the class of an object");
        }
        size_t behind = objects->count - 1 - place;
        memmove(&objects->data[place + 1], &objects->data[place], behind * sizeof *objects->data);
        objects->data[place] = (fr__director_object){object, NULL};
    }
    fr__director_object *entry = &objects->data[place];
    fr_class *old = entry->c;
    *entry = (fr__director_object){object, c != NULL ? fr_class_retain(c) : NULL};
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
    if (!has_people(scene)) { return FR_OK; }
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

void fr__director_copy_text(char *out, size_t size, const char *text) {
    size_t length = strlen(text);
    if (length >= size) { length = size - 1; }
    memcpy(out, text, length);
    out[length] = '\0';
}

fr_status fr__director_end_list(fr_director *d, fr__director_person *person, fr_status status, const char *reason,
                                fr_error *error) {
    fr__director_list *list = &person->lists.data[0];
    fr_status pushed = FR_OK;
    if (list->ticket != 0) {
        fr_command_end *end = fr__director_end_array_push(&d->ends, 1);
        if (end == NULL) {
            pushed = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the end of a command");
        } else {
            *end = (fr_command_end){.ticket = list->ticket, .status = status};
            fr__director_copy_text(end->message, sizeof end->message, reason);
        }
    }
    person->done += status == FR_OK;
    person->failed += status != FR_OK;
    if (status != FR_OK) { fr__director_copy_text(person->reason, sizeof person->reason, reason); }
    fr__director_let_go(d, person, false);
    fr__director_list_end(d, list);
    person->lists.count--;
    memmove(list, list + 1, person->lists.count * sizeof *list);
    d->command_count--;
    person->is_begun = person->is_over = false;
    return pushed;
}

fr_status fr__director_end_all(fr_director *d, fr__director_person *person, const char *reason, fr_error *error) {
    fr_status status = FR_OK;
    while (person->lists.count > 0 && status == FR_OK) {
        status = fr__director_end_list(d, person, FR_ERROR_STOPPED, reason, error);
    }
    return status;
}

static fr_status begin(void *user, fr_error *error) {
    fr_director *d = user;
    fr_status status = FR_OK;
    d->stepped = 0;
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        status = fr__director_end_all(d, d->people[i], "the scene began again", error);
        d->people[i]->is_stopped = false;
        fr__director_let_go(d, d->people[i], true);
        if (status == FR_OK) { status = fr_person_restart(d->people[i]->person, error); }
    }
    return status;
}

static fr_status grab(fr_object_id object, void *user, fr_error *error) {
    const fr_director *d = user;
    for (uint32_t i = 0; i < d->person_count; i++) {
        const fr_person *person = d->people[i]->person;
        if (!fr_person_has(person, object)) { continue; }
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "%s moves by its own skills", fr_person_name(person));
    }
    return FR_OK;
}

static bool ended(fr_command_end *out, void *user) {
    fr_director *d = user;
    if (d->ends.count == 0) { return false; }
    *out = d->ends.data[0];
    d->ends.count--;
    memmove(d->ends.data, d->ends.data + 1, d->ends.count * sizeof *d->ends.data);
    return true;
}

static void leave(void *user) { fr_director_destroy(user); }

fr_actor fr_director_actor(fr_director *director) {
    return (fr_actor){.name = FR_DIRECTOR_NAME,
                      .move = fr__director_move,
                      .prepare = fr__director_prepare,
                      .begin = begin,
                      .grab = grab,
                      .command = fr__director_command,
                      .affords = fr__director_affords,
                      .ended = ended,
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
    if (person->lists.count == 0) { return state; }
    const fr__director_list *list = &person->lists.data[0];
    state.motion = list->motions[0].name;
    state.object = list->motions[0].object;
    state.waiting = (uint32_t)person->lists.count - 1;
    return state;
}

uint64_t fr_director_hash(const fr_director *director) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < director->person_count; i++) {
        const fr__director_person *person = director->people[i];
        bool has_list = person->lists.count > 0;
        uint64_t parts[6] = {fr_performer_hash(fr_person_performer(person->person)),
                             person->lists.count,
                             has_list ? person->lists.data[0].stage : 0,
                             (uint64_t)person->is_begun << 1 | (uint64_t)person->is_over,
                             person->done,
                             person->failed};
        hash = fr_hash(parts, sizeof parts, hash);
        for (uint32_t k = 0; k < person->held_count; k++) {
            hash = fr_hash(&person->held[k].state, sizeof person->held[k].state, hash);
        }
    }
    return hash;
}

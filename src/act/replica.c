// A replica: a local world that follows a served one, and whose people are sent there.
#include "fureai/act_replica.h"

#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#define REPLICA_COOKIE 0x5245504Cu

// Of the claims that a replica has in its cast, and ticks in which what was let go may begin to fall.
#define REPLICA_HOLDER UINT64_C(0x7265706c696361)
enum { LINGER_TICKS = 3, BEGIN_TICKS = 4, MAX_PLACES = 64 };

// An object of both worlds.
typedef struct replica_object {
    fr_object_id object;
    fr_ref ref;       // in the served world; zeros: not known yet
    uint32_t person;  // whose body it is; FR_NONE: of none
    uint32_t owner;   // the person who moves it here, its body too; FR_NONE: it follows
    uint32_t linger;  // ticks that it may stand still until it follows again
    uint32_t refused; // ticks for which it is claimed for whom it was refused
    bool is_skin;
    bool is_static;  // or without a name: it stands for itself
    bool has_target; // the mirror has shown it
    fr_pose target;  // where the mirror has it
    fr_pose last;    // where it was after the last tick
} replica_object;

FR_ARRAY_TYPE(replica_object_array, replica_object);

typedef struct replica_person {
    const fr_person *person;
    uint32_t skin;                // its object among ours; FR_NONE: it has none
    bool is_here;                 // it is moved here
    uint32_t begin;               // ticks until it moves here; UINT32_MAX: it was not shown yet
    fr_pose bones[FR_LINK_COUNT]; // as the mirror has them
    bool has_bones;
    uint64_t hash; // of what was sent last
    uint32_t idle; // ticks since then
} replica_person;

struct fr_replica {
    fr_replica_def def;
    fr_world *world;
    fr_allocator allocator;
    replica_object_array objects;
    replica_person *people;
    uint32_t person_count;
    uint32_t next; // person who is written first
    uint32_t sequence;
    fr_replica_state state;
};

fr_replica_def fr_default_replica_def(void) { return (fr_replica_def){.cookie = REPLICA_COOKIE}; }

// ---------------------------------------------------------------------------------------------------------------
// Making

// Whether a script has something to do for a person.
static bool is_named(const fr_script *script, const char *name) {
    const fr_script_view *view = script != NULL ? fr_script_get(script) : NULL;
    bool is_found = view == NULL;
    for (uint32_t i = 0; !is_found && i < view->step_count; i += 1 + view->steps[i].fused_count) {
        is_found = view->steps[i].person[0] == '\0' || strcmp(view->steps[i].person, name) == 0;
    }
    return is_found;
}

static fr_status check_def(const fr_replica_def *def, fr_error *error) {
    if (def->cookie != REPLICA_COOKIE) { return fr_error_set_cookie(error, "fr_default_replica_def"); }
    if (def->cast != NULL && def->director != NULL) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "a replica needs a cast and a director");
}

// Notes an object of the world, and whose body it is.
static bool add_object(fr_replica *r, fr_object_id id) {
    const fr_object_view *view = fr_object_get(fr_world_space(r->world), id);
    replica_object *object = replica_object_array_push(&r->objects, 1);
    if (object == NULL) { return false; }
    *object = (replica_object){.object = id, .person = FR_NONE, .owner = FR_NONE, .last = view->pose};
    bool has_name = fr_world_label(r->world, id).name[0] != '\0';
    object->is_static = !has_name || (view->flags & (FR_OBJECT_STATIC | FR_OBJECT_REAL)) != 0;
    for (uint32_t i = 0; i < r->person_count && object->person == FR_NONE; i++) {
        if (!fr_person_has(r->people[i].person, id)) { continue; }
        object->person = i;
        object->is_skin = fr_object_id_equal(id, fr_person_skin(r->people[i].person));
        if (object->is_skin) { r->people[i].skin = (uint32_t)r->objects.count - 1; }
    }
    return true;
}

// Whether a person is moved by this director: else the claim on its skin says that another does.
static fr_status claim(fr_replica *r, const replica_object *object, fr_rank rank, const char *name) {
    const fr_claim wanted = {object->object, rank, REPLICA_HOLDER, name};
    return fr_cast_grab(r->def.cast, &wanted, NULL);
}

static fr_status fill(fr_replica *r, fr_error *error) {
    const fr_space *space = fr_world_space(r->world);
    uint32_t places = fr_space_object_places(space);
    for (uint32_t i = 0; i < r->person_count; i++) {
        replica_person *person = &r->people[i];
        person->person = fr_director_get(r->def.director, i).person;
        person->skin = FR_NONE;
        person->begin = UINT32_MAX;
        person->is_here = is_named(r->def.script, fr_person_name(person->person));
        r->state.person_count += person->is_here;
    }
    for (uint32_t i = 0; i < places; i++) {
        fr_object_id id = fr_space_object_at(space, i);
        if (id.index1 == 0 || add_object(r, id)) { continue; }
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a replica");
    }
    for (uint32_t i = 0; i < r->person_count; i++) {
        if (r->people[i].skin == FR_NONE) { continue; }
        fr_status status = claim(r, &r->objects.data[r->people[i].skin], FR_RANK_PROGRAM, "another program");
        if (status != FR_OK) { return fr_error_set(error, status, "no memory for a replica"); }
    }
    return FR_OK;
}

fr_status fr_replica_create(const fr_replica_def *def, fr_replica **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    uint32_t count = fr_director_person_count(def->director);
    fr_replica *r = fr_allocate(&allocator, 1, sizeof *r, alignof(fr_replica));
    replica_person *people = fr_allocate(&allocator, (size_t)count + 1, sizeof *people, alignof(replica_person));
    if (r == NULL || people == NULL) {
        fr_deallocate(&allocator, people, (size_t)count + 1, sizeof *people);
        fr_deallocate(&allocator, r, 1, sizeof *r);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a replica");
    }
    memset(r, 0, sizeof *r);
    memset(people, 0, ((size_t)count + 1) * sizeof *people);
    r->def = *def;
    r->world = fr_cast_world(def->cast);
    r->allocator = allocator;
    r->objects = replica_object_array_make(&allocator);
    r->people = people;
    r->person_count = count;
    status = fill(r, error);
    if (status != FR_OK) {
        fr_replica_destroy(r);
        return status;
    }
    *out = r;
    return FR_OK;
}

void fr_replica_destroy(fr_replica *replica) {
    if (replica == NULL) { return; }
    fr_allocator allocator = replica->allocator;
    replica_object_array_destroy(&replica->objects);
    fr_deallocate(&allocator, replica->people, (size_t)replica->person_count + 1, sizeof *replica->people);
    fr_deallocate(&allocator, replica, 1, sizeof *replica);
}

// ---------------------------------------------------------------------------------------------------------------
// Following

// The same object in the mirror: the one that it was, else the one of its name. Worlds of one scene have their objects
// in the same order, so that the one behind the last is tried before all others.
static const fr_mirror_object *find_object(const fr_replica *r, const fr_mirror *mirror, replica_object *object,
                                           uint32_t *hint) {
    const fr_mirror_view *view = fr_mirror_get(mirror);
    const fr_mirror_object *known = fr_mirror_object_of(mirror, object->ref.index1);
    const char *name = fr_world_label(r->world, object->object).name;
    if (known == NULL || known->ref.generation != object->ref.generation || strcmp(known->name, name) != 0) {
        known = *hint < view->object_count ? view->objects[*hint] : NULL;
        if (known == NULL || strcmp(known->name, name) != 0) { known = fr_mirror_find(mirror, name); }
    }
    ++*hint;
    object->ref = known != NULL ? known->ref : (fr_ref){0, 0};
    return known;
}

static fr_status refuse_object(const fr_replica *r, const replica_object *object, fr_error *error) {
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the served world has no '%.64s': it is of another scene",
                        fr_world_label(r->world, object->object).name);
}

static void take_person(replica_person *person, const fr_mirror_object *shown) {
    if (shown->bones == NULL || shown->bone_count != FR_LINK_COUNT) { return; }
    memcpy(person->bones, shown->bones, sizeof person->bones);
    person->has_bones = true;
    if (person->begin == UINT32_MAX) { person->begin = BEGIN_TICKS; }
}

fr_status fr_replica_follow(fr_replica *r, const fr_mirror *mirror, fr_error *error) {
    FR_ASSERT(r != NULL && mirror != NULL);
    const fr_mirror_view *view = fr_mirror_get(mirror);
    if (!view->has_state) { return FR_OK; }
    double step = view->scene.step, own = fr_world_step(r->world);
    if (fabs(step - own) > 1e-9 * own) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the served world has a step of %g s, the scene of %g s", step,
                            own);
    }
    uint32_t hint = 0;
    for (size_t i = 0; i < r->objects.count; i++) {
        replica_object *object = &r->objects.data[i];
        const fr_mirror_object *shown = find_object(r, mirror, object, &hint);
        if (shown == NULL && !object->is_static) { return refuse_object(r, object, error); }
        if (shown == NULL) { continue; }
        object->has_target = true;
        object->target = shown->pose;
        if (object->is_skin) { take_person(&r->people[object->person], shown); }
    }
    return FR_OK;
}

// A person who is moved here begins when its body stands as the mirror has it; until then, and all others, the claim on
// the skin says that another moves it.
static fr_status prepare(void *user, fr_error *error) {
    (void)error;
    fr_replica *r = user;
    bool is_ready = true;
    for (uint32_t i = 0; i < r->person_count; i++) {
        replica_person *person = &r->people[i];
        if (!person->is_here || person->skin == FR_NONE || person->begin == 0) { continue; }
        is_ready = false;
        if (person->begin == UINT32_MAX) { continue; }
        // The director takes two ticks to see that the body is free.
        if (--person->begin == BEGIN_TICKS - 2) {
            (void)fr_cast_let_go(r->def.cast, r->objects.data[person->skin].object, REPLICA_HOLDER, NULL);
        }
    }
    for (size_t i = 0; i < r->objects.count; i++) {
        replica_object *object = &r->objects.data[i];
        if (object->refused == 0 || --object->refused > 0) { continue; }
        (void)fr_cast_let_go(r->def.cast, object->object, REPLICA_HOLDER, NULL);
    }
    r->state.is_ready = is_ready;
    return FR_OK;
}

// Whether an object is moved here: by a person of ours, or it is that person.
static bool is_local(const fr_replica *r, const replica_object *object) {
    if (object->person != FR_NONE) { return r->people[object->person].is_here && r->people[object->person].begin == 0; }
    const fr_claim *held = fr_cast_claim(r->def.cast, object->object);
    return object->owner != FR_NONE || (held != NULL && held->rank == FR_RANK_VIRTUAL_HUMAN);
}

static fr_status move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const fr_replica *r = user;
    fr_status status = FR_OK;
    for (size_t i = 0; i < r->objects.count && status == FR_OK; i++) {
        const replica_object *object = &r->objects.data[i];
        if (object->is_static || !object->has_target || is_local(r, object)) { continue; }
        const fr_object_view *view = fr_object_get(proposal->space, object->object);
        if (view == NULL) { continue; }
        fr_wish wish = {.object = object->object, .kind = FR_WISH_NEXT, .pose = object->target};
        wish.pose.scale = view->pose.scale;
        status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK || !object->is_skin || !r->people[object->person].has_bones) { continue; }
        status = fr_wishes_bones(wishes, object->object, r->people[object->person].bones, FR_LINK_COUNT, error);
    }
    return status;
}

static void leave(void *user) { fr_replica_destroy(user); }

fr_actor fr_replica_actor(fr_replica *replica) {
    FR_ASSERT(replica != NULL);
    return (fr_actor){.name = FR_REPLICA_NAME, .move = move, .prepare = prepare, .leave = leave, .user = replica};
}

// ---------------------------------------------------------------------------------------------------------------
// Refusals

static void refuse_one(fr_replica *r, replica_object *object, const char *message) {
    // "NAME holds it": the name, for the reason that is reported.
    char name[FR_CLAIM_NAME_MAX_BYTES + 1];
    const char *end = strstr(message, " holds it");
    size_t length = end != NULL ? (size_t)(end - message) : 0;
    if (length > FR_CLAIM_NAME_MAX_BYTES) { length = FR_CLAIM_NAME_MAX_BYTES; }
    memcpy(name, message, length);
    name[length] = '\0';
    const char *holder = length > 0 ? name : "another program";
    if (object->is_skin) {
        replica_person *person = &r->people[object->person];
        r->state.person_count -= person->is_here;
        person->is_here = false;
        (void)claim(r, object, FR_RANK_PROGRAM, holder);
    } else if (object->person == FR_NONE) {
        object->owner = FR_NONE;
        object->refused = FR_REPLICA_REFUSED_TICKS;
        (void)claim(r, object, FR_RANK_PERSON, holder);
    }
}

void fr_replica_refuse(fr_replica *r, const fr_message_refused *refused) {
    FR_ASSERT(r != NULL && refused != NULL);
    for (uint32_t i = 0; i < refused->refusal_count; i++) {
        const fr_wire_refusal *refusal = &refused->refusals[i];
        for (size_t k = 0; k < r->objects.count; k++) {
            replica_object *object = &r->objects.data[k];
            bool is_it = object->ref.index1 == refusal->object.index1 && object->ref.index1 != 0 &&
                         object->ref.generation == refusal->object.generation;
            if (!is_it || !is_local(r, object)) { continue; }
            r->state.refused++;
            refuse_one(r, object, refusal->message);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Updates

// Who has what after the tick. What was let go stays ours while it falls.
static void find_owners(fr_replica *r) {
    const fr_space *space = fr_world_space(r->world);
    for (size_t i = 0; i < r->objects.count; i++) {
        replica_object *object = &r->objects.data[i];
        const fr_object_view *view = fr_object_get(space, object->object);
        if (view == NULL || object->person != FR_NONE) { continue; }
        bool has_moved = memcmp(&view->pose, &object->last, sizeof view->pose) != 0;
        object->last = view->pose;
        const fr_claim *held = fr_cast_claim(r->def.cast, object->object);
        bool is_held = held != NULL && held->rank == FR_RANK_VIRTUAL_HUMAN;
        for (uint32_t k = 0; k < r->person_count && is_held; k++) {
            if (strcmp(fr_person_name(r->people[k].person), held->name) == 0) { object->owner = k; }
        }
        if (is_held || has_moved) {
            object->linger = LINGER_TICKS;
        } else if (object->owner != FR_NONE && --object->linger == 0) {
            object->owner = FR_NONE;
        }
    }
}

static void add_place(const fr_space *space, const replica_object *object, fr_wire_place *places, uint32_t *count) {
    const fr_object_view *view = fr_object_get(space, object->object);
    if (view == NULL || object->ref.index1 == 0 || *count == MAX_PLACES) { return; }
    memset(&places[*count], 0, sizeof places[*count]);
    places[*count].object = object->ref;
    places[*count].pose = view->pose;
    ++*count;
}

// The update of one person; nothing where it is what was sent before, and that is not long ago.
static fr_status write_person(fr_replica *r, uint32_t index, fr_array *out, fr_error *error) {
    const fr_space *space = fr_world_space(r->world);
    replica_person *person = &r->people[index];
    const replica_object *skin = &r->objects.data[person->skin];
    const fr_object_view *view = fr_object_get(space, skin->object);
    if (view == NULL || skin->ref.index1 == 0) { return FR_OK; }
    fr_wire_place places[MAX_PLACES];
    uint32_t count = 0;
    for (size_t i = 0; i < r->objects.count; i++) {
        const replica_object *object = &r->objects.data[i];
        bool is_its = (object->person == index && !object->is_skin) || object->owner == index;
        if (is_its) { add_place(space, object, places, &count); }
    }
    uint64_t hash =
        fr_hash(view->bones, view->bone_count * sizeof *view->bones, fr_hash(&view->pose, sizeof view->pose, 1));
    hash = fr_hash(places, count * sizeof *places, hash);
    if (hash == person->hash && ++person->idle < FR_REPLICA_IDLE_TICKS) { return FR_OK; }
    fr_message message = {.type = FR_MESSAGE_UPDATE};
    message.as.update = (fr_message_update){.sequence = r->sequence + 1,
                                            .body = skin->ref,
                                            .pose = view->pose,
                                            .bones = view->bones,
                                            .bone_count = view->bone_count,
                                            .objects = places,
                                            .object_count = count};
    fr_status status = fr_protocol_write(&message, out, error);
    if (status != FR_OK) { return status; }
    r->sequence++;
    r->state.updates++;
    person->hash = hash;
    person->idle = 0;
    return FR_OK;
}

fr_status fr_replica_write(fr_replica *r, size_t max_bytes, fr_array *out, fr_error *error) {
    FR_ASSERT(r != NULL && out != NULL);
    size_t before = out->count, last = 0;
    fr_status status = FR_OK;
    find_owners(r);
    uint32_t first = r->next;
    for (uint32_t i = 0; i < r->person_count && status == FR_OK; i++) {
        uint32_t index = (first + i) % r->person_count;
        const replica_person *person = &r->people[index];
        if (!person->is_here || person->begin > 0 || person->skin == FR_NONE) { continue; }
        if (out->count > before && out->count - before + last > max_bytes) { break; }
        size_t begin = out->count;
        status = write_person(r, index, out, error);
        if (out->count > begin) { last = out->count - begin; }
        r->next = (index + 1) % r->person_count;
    }
    return status;
}

fr_replica_state fr_replica_get(const fr_replica *replica) {
    FR_ASSERT(replica != NULL);
    return replica->state;
}

// Bodies that programs outside move: their updates, who owns what, and the wishes of a tick.
#include "fureai/actor_remote.h"

#include <string.h>

#define REMOTE_COOKIE 0x52454D54u

FR_ARRAY_TYPE(fr__place_array, fr_remote_place);
FR_ARRAY_TYPE(fr__bone_array, fr_pose);
FR_ARRAY_TYPE(fr__refusal_array, fr_remote_refusal);

// What a program moves with one body.
typedef struct fr__remote_body {
    uint64_t holder;
    fr_object_id body; // all zeros: none
    fr_pose pose;
    fr__bone_array bones;    // empty: they stay
    fr__place_array objects; // leased
    uint32_t silent_ticks;   // since its last update
    bool is_ended;           // the program has left it; its last update stays until a tick has taken it
    bool is_moved;           // the tick after `moved_tick` wished for it
} fr__remote_body;

FR_ARRAY_TYPE(fr__remote_body_array, fr__remote_body);

struct fr_remote {
    fr_remote_def def;
    fr_allocator allocator;
    fr__remote_body_array bodies; // with their memory; `count` of them are in use
    size_t count;
    fr__place_array last; // places of what is leased no longer, to be taken with the next tick; of each object one
    size_t last_moved;    // of these, that the tick after `moved_tick` wished for
    uint64_t moved_tick;
    fr__place_array taken; // of the update that is being taken
    fr__refusal_array refusals;
    uint64_t updates, refused;
};

fr_remote_def fr_default_remote_def(void) {
    fr_remote_def def;
    memset(&def, 0, sizeof def);
    def.silent_ticks = 300;
    def.cookie = REMOTE_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_status fr_remote_create(const fr_remote_def *def, fr_remote **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != REMOTE_COOKIE) { return fr_error_set_cookie(error, "fr_default_remote_def"); }
    if (def->cast == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "remote bodies need a cast"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_remote *remote = fr_allocate(&allocator, 1, sizeof *remote, _Alignof(fr_remote));
    if (remote == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for remote bodies"); }
    *remote = (fr_remote){.def = *def,
                          .allocator = allocator,
                          .bodies = fr__remote_body_array_make(&allocator),
                          .last = fr__place_array_make(&allocator),
                          .taken = fr__place_array_make(&allocator),
                          .refusals = fr__refusal_array_make(&allocator)};
    *out = remote;
    return FR_OK;
}

void fr_remote_destroy(fr_remote *remote) {
    if (remote == NULL) { return; }
    for (size_t i = 0; i < remote->bodies.count; i++) {
        fr__bone_array_destroy(&remote->bodies.data[i].bones);
        fr__place_array_destroy(&remote->bodies.data[i].objects);
    }
    fr__remote_body_array_destroy(&remote->bodies);
    fr__place_array_destroy(&remote->last);
    fr__place_array_destroy(&remote->taken);
    fr__refusal_array_destroy(&remote->refusals);
    fr_allocator allocator = remote->allocator;
    fr_deallocate(&allocator, remote, 1, sizeof *remote);
}

static const fr_space *space_of(const fr_remote *remote) { return fr_world_space(fr_cast_world(remote->def.cast)); }

// ---------------------------------------------------------------------------------------------------------------
// Owners

static bool is_none(fr_object_id id) { return id.index1 == 0 && id.generation == 0; }

// What a program has with a body, or what the one before it has left of that; NULL: nothing.
static fr__remote_body *find_body(const fr_remote *remote, uint64_t holder, fr_object_id body) {
    for (size_t i = 0; i < remote->count; i++) {
        fr__remote_body *b = &remote->bodies.data[i];
        if ((b->is_ended || b->holder == holder) && fr_object_id_equal(b->body, body)) { return b; }
    }
    return NULL;
}

// A place for a body, with the memory of one that is gone where there is one. It is in use when the count grows.
static fr__remote_body *spare_body(fr_remote *remote) {
    if (remote->count == remote->bodies.count) {
        fr__remote_body *place = fr__remote_body_array_push(&remote->bodies, 1);
        if (place == NULL) { return NULL; }
        *place = (fr__remote_body){.bones = fr__bone_array_make(&remote->allocator),
                                   .objects = fr__place_array_make(&remote->allocator)};
    }
    return &remote->bodies.data[remote->count];
}

static void let_go(fr_remote *remote, uint64_t holder, fr_object_id object) {
    if (!is_none(object)) { (void)fr_cast_let_go(remote->def.cast, object, holder, NULL); }
}

// Remembers where an object is to stay; false: there is no memory for it.
static bool note_last(fr_remote *remote, fr_object_id object, const fr_pose *pose) {
    size_t i = 0;
    if (is_none(object)) { return true; }
    while (i < remote->last.count && !fr_object_id_equal(remote->last.data[i].object, object)) {
        i++;
    }
    // One that a tick wished for already would be forgotten with it: it goes to the end.
    if (i < remote->last_moved) { remote->last.data[i].object = (fr_object_id){0, 0, 0}; }
    bool is_there = i < remote->last.count && i >= remote->last_moved;
    fr_remote_place *place = is_there ? &remote->last.data[i] : fr__place_array_push(&remote->last, 1);
    if (place == NULL) { return false; }
    *place = (fr_remote_place){object, *pose};
    return true;
}

// Forgets a body whose program has left it; where its objects are to stay is remembered.
static void forget_body(fr_remote *remote, size_t index) {
    fr__remote_body *b = &remote->bodies.data[index];
    for (size_t i = 0; i < b->objects.count; i++) {
        (void)note_last(remote, b->objects.data[i].object, &b->objects.data[i].pose);
    }
    b->objects.count = b->bones.count = 0;
    // The last one takes its place, and leaves its memory there.
    fr__remote_body gone = *b;
    *b = remote->bodies.data[--remote->count];
    remote->bodies.data[remote->count] = gone;
}

// Ends what a program has with one body. Its last update is taken whole with the next tick.
static void end_body(fr_remote *remote, size_t index) {
    fr__remote_body *b = &remote->bodies.data[index];
    for (size_t i = 0; i < b->objects.count; i++) {
        let_go(remote, b->holder, b->objects.data[i].object);
    }
    let_go(remote, b->holder, b->body);
    b->is_ended = true;
    b->is_moved = false;
    if (is_none(b->body)) { forget_body(remote, index); }
}

void fr_remote_leave(fr_remote *remote, uint64_t holder) {
    FR_ASSERT(remote != NULL);
    for (size_t i = remote->count; i > 0; i--) {
        const fr__remote_body *b = &remote->bodies.data[i - 1];
        if (b->holder == holder && !b->is_ended) { end_body(remote, i - 1); }
    }
}

// Forgets where an object was to stay: another program puts it elsewhere.
static void forget_place(fr_remote *remote, fr_object_id object) {
    const fr_object_id none = {0, 0, 0};
    for (size_t i = 0; i < remote->last.count; i++) {
        if (!fr_object_id_equal(remote->last.data[i].object, object)) { continue; }
        // Those that a tick wished for keep their order until it is over.
        remote->last.data[i].object = none;
        if (i >= remote->last_moved) { remote->last.data[i] = remote->last.data[--remote->last.count]; }
        break;
    }
    for (size_t i = 0; i < remote->count; i++) {
        fr__remote_body *b = &remote->bodies.data[i];
        for (size_t k = 0; b->is_ended && k < b->objects.count; k++) {
            if (fr_object_id_equal(b->objects.data[k].object, object)) { b->objects.data[k].object = none; }
        }
    }
}

static fr_status claim(fr_remote *remote, const fr_remote_input *input, fr_object_id object, fr_error *error) {
    const fr_claim *now = fr_cast_claim(remote->def.cast, object);
    bool is_own = now != NULL && now->holder == input->holder;
    const fr_claim wanted = {object, FR_RANK_PROGRAM, input->holder, input->name};
    fr_status status = is_own ? FR_OK : fr_cast_grab(remote->def.cast, &wanted, error);
    if (status != FR_OK) { return status; }
    if (!is_own) { forget_place(remote, object); }
    // What a person has put somewhere is left alone by movers until it is given back.
    fr_world *world = fr_cast_world(remote->def.cast);
    return fr_world_hold(world, object) == FR_HOLD_PLACED ? fr_world_resume(world, object, error) : FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// An update

static fr_status refuse(fr_error *error, fr_status status, const char *what) {
    return fr_error_set(error, status, "%s", what);
}

static fr_status check_sizes(const fr_remote_input *input, fr_error *error) {
    if (input->holder == 0) { return refuse(error, FR_ERROR_ARGUMENT, "an update needs a holder"); }
    if (input->object_count > FR_REMOTE_MAX_OBJECTS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "an update has at most %u objects", FR_REMOTE_MAX_OBJECTS);
    }
    if (input->bone_count > FR_REMOTE_MAX_BONES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a body has at most %u bones", FR_REMOTE_MAX_BONES);
    }
    for (uint32_t i = 0; i < input->object_count; i++) {
        bool is_twice = !is_none(input->body) && fr_object_id_equal(input->objects[i].object, input->body);
        for (uint32_t k = 0; k < i && !is_twice; k++) {
            is_twice = fr_object_id_equal(input->objects[i].object, input->objects[k].object);
        }
        if (is_twice) { return refuse(error, FR_ERROR_ARGUMENT, "an object is in an update twice"); }
    }
    return FR_OK;
}

// Whether an object can be moved to a pose.
static fr_status check_object(const fr_remote *remote, fr_object_id object, const fr_pose *pose, fr_error *error) {
    const fr_object_view *view = fr_object_get(space_of(remote), object);
    if (view == NULL) { return refuse(error, FR_ERROR_STALE_ID, "there is no such object"); }
    if ((view->flags & (FR_OBJECT_STATIC | FR_OBJECT_REAL)) != 0) {
        return refuse(error, FR_ERROR_UNSUPPORTED, "the object is static or real");
    }
    fr_pose checked = *pose;
    checked.scale = 1.0;
    return fr_pose_check(&checked, error);
}

static fr_status check_body(const fr_remote *remote, const fr_remote_input *input, fr_error *error) {
    fr_status status = check_object(remote, input->body, &input->pose, error);
    if (status != FR_OK || input->bones == NULL) { return status; }
    uint32_t bones = fr_object_get(space_of(remote), input->body)->bone_count;
    if (input->bone_count != bones || bones == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%u bones for a body that has %u", input->bone_count, bones);
    }
    for (uint32_t i = 0; i < input->bone_count && status == FR_OK; i++) {
        fr_pose checked = input->bones[i];
        status = fr_pose_check(&checked, error);
    }
    return status;
}

// Finds or makes the place of an update, with memory for all of it. What is made is not in use yet.
static fr_status open_body(fr_remote *remote, const fr_remote_input *input, fr__remote_body **out, fr_error *error) {
    fr__remote_body *b = find_body(remote, input->holder, input->body);
    size_t own = 0;
    for (size_t i = 0; (b == NULL || b->is_ended) && i < remote->count; i++) {
        own += remote->bodies.data[i].holder == input->holder && !remote->bodies.data[i].is_ended;
    }
    if (own >= FR_REMOTE_MAX_BODIES || (b == NULL && remote->count >= FR_REMOTE_MAX_ALL_BODIES)) {
        return refuse(error, FR_ERROR_LIMIT, "there are too many bodies");
    }
    if (b == NULL) { b = spare_body(remote); }
    size_t left = remote->last.count + FR_REMOTE_MAX_OBJECTS;
    bool has_room = b != NULL && fr__bone_array_reserve(&b->bones, input->bone_count) &&
                    fr__place_array_reserve(&b->objects, input->object_count) &&
                    fr__place_array_reserve(&remote->taken, input->object_count) &&
                    fr__place_array_reserve(&remote->last, left) &&
                    fr__refusal_array_reserve(&remote->refusals, input->object_count);
    *out = b;
    return has_room ? FR_OK : refuse(error, FR_ERROR_MEMORY, "no memory for an update");
}

// Claims the objects of an update; those that cannot be had are refused, each with its reason.
static void take_objects(fr_remote *remote, const fr_remote_input *input) {
    remote->taken.count = remote->refusals.count = 0;
    for (uint32_t i = 0; i < input->object_count; i++) {
        const fr_remote_place *place = &input->objects[i];
        fr_error error = {0};
        fr_status status = check_object(remote, place->object, &place->pose, &error);
        if (status == FR_OK) { status = claim(remote, input, place->object, &error); }
        if (status == FR_OK) {
            *fr__place_array_push(&remote->taken, 1) = *place;
            continue;
        }
        fr_remote_refusal *refusal = fr__refusal_array_push(&remote->refusals, 1);
        *refusal = (fr_remote_refusal){.object = place->object, .status = status};
        memcpy(refusal->reason, error.message, sizeof refusal->reason);
        remote->refused++;
    }
}

// Gives back what the update leaves out. An update that no tick has taken has put it where it stays.
static void give_back(fr_remote *remote, const fr__remote_body *b) {
    for (size_t i = 0; i < b->objects.count; i++) {
        const fr_remote_place *before = &b->objects.data[i];
        if (b->is_ended) {
            (void)note_last(remote, before->object, &before->pose);
            continue;
        }
        bool is_kept = false;
        for (size_t k = 0; k < remote->taken.count && !is_kept; k++) {
            is_kept = fr_object_id_equal(remote->taken.data[k].object, before->object);
        }
        const fr_claim *now = is_kept ? NULL : fr_cast_claim(remote->def.cast, before->object);
        if (now == NULL || now->holder != b->holder) { continue; }
        (void)note_last(remote, before->object, &before->pose);
        let_go(remote, b->holder, before->object);
    }
}

fr_status fr_remote_update(fr_remote *remote, const fr_remote_input *input, fr_remote_output *output, fr_error *error) {
    FR_ASSERT(remote != NULL && input != NULL && output != NULL);
    *output = (fr_remote_output){0};
    fr__remote_body *b = NULL;
    bool has_body = !is_none(input->body);
    fr_status status = check_sizes(input, error);
    if (status == FR_OK && has_body) { status = check_body(remote, input, error); }
    if (status == FR_OK) { status = open_body(remote, input, &b, error); }
    if (status == FR_OK && has_body) { status = claim(remote, input, input->body, error); }
    if (status != FR_OK) { return status; }

    take_objects(remote, input);
    give_back(remote, b);
    if (b == &remote->bodies.data[remote->count]) { remote->count++; }
    b->is_ended = b->is_moved = false;
    b->holder = input->holder;
    b->body = input->body;
    b->pose = input->pose;
    b->silent_ticks = 0;
    b->objects.count = b->bones.count = 0;
    if (input->bones != NULL) {
        memcpy(fr__bone_array_push(&b->bones, input->bone_count), input->bones,
               input->bone_count * sizeof *input->bones);
    }
    if (remote->taken.count > 0) {
        memcpy(fr__place_array_push(&b->objects, remote->taken.count), remote->taken.data,
               remote->taken.count * sizeof *remote->taken.data);
    }
    remote->updates++;
    *output = (fr_remote_output){remote->refusals.data, (uint32_t)remote->refusals.count};
    return FR_OK;
}

fr_remote_state fr_remote_get(const fr_remote *remote) {
    FR_ASSERT(remote != NULL);
    fr_remote_state state = {.updates = remote->updates, .refused = remote->refused};
    for (size_t i = 0; i < remote->count; i++) {
        const fr__remote_body *b = &remote->bodies.data[i];
        if (b->is_ended) { continue; }
        state.bodies += !is_none(b->body);
        state.leases += (uint32_t)b->objects.count;
    }
    return state;
}

// ---------------------------------------------------------------------------------------------------------------
// The actor

// Whether a program still has an object: a person may have taken it since.
static bool has_claim(const fr_remote *remote, uint64_t holder, fr_object_id object) {
    const fr_claim *now = fr_cast_claim(remote->def.cast, object);
    return now != NULL && now->holder == holder;
}

// A wish that is refused, as for an object that is gone, is passed over: it concerns no other.
static void wish_for(fr_remote *remote, fr_wishes *wishes, const fr_remote_place *place) {
    const fr_object_view *view = fr_object_get(space_of(remote), place->object);
    if (view == NULL) { return; }
    fr_wish wish = {.object = place->object, .kind = FR_WISH_NEXT, .pose = place->pose};
    wish.pose.scale = view->pose.scale;
    (void)fr_wishes_add(wishes, &wish, NULL);
}

// The last update of a program that has left is taken once, whatever is claimed since: what is taken over is off its
// list.
static fr_status wish_for_body(fr_remote *remote, fr__remote_body *b, fr_wishes *wishes, fr_error *error) {
    b->is_moved = true;
    for (size_t k = 0; k < b->objects.count; k++) {
        const fr_remote_place *place = &b->objects.data[k];
        if (b->is_ended || has_claim(remote, b->holder, place->object)) { wish_for(remote, wishes, place); }
    }
    const fr_object_view *view = fr_object_get(space_of(remote), b->body);
    if (view == NULL || !(b->is_ended || has_claim(remote, b->holder, b->body))) { return FR_OK; }
    const fr_remote_place body = {b->body, b->pose};
    wish_for(remote, wishes, &body);
    if (b->bones.count == 0 || b->bones.count != view->bone_count) { return FR_OK; }
    return fr_wishes_bones(wishes, b->body, b->bones.data, (uint32_t)b->bones.count, error);
}

static fr_status move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_remote *remote = user;
    for (size_t i = 0; i < remote->last.count; i++) {
        wish_for(remote, wishes, &remote->last.data[i]);
    }
    remote->last_moved = remote->last.count;
    remote->moved_tick = proposal->tick;
    fr_status status = FR_OK;
    for (size_t i = 0; i < remote->count && status == FR_OK; i++) {
        status = wish_for_body(remote, &remote->bodies.data[i], wishes, error);
    }
    return status;
}

// Forgets what a tick has taken of programs that have left: one that failed takes it again.
static void forget_taken(fr_remote *remote) {
    bool is_taken = fr_world_tick_count(fr_cast_world(remote->def.cast)) != remote->moved_tick;
    size_t left = 0;
    for (size_t i = 0; i < remote->last.count; i++) {
        bool is_over = (is_taken && i < remote->last_moved) || is_none(remote->last.data[i].object);
        if (!is_over) { remote->last.data[left++] = remote->last.data[i]; }
    }
    remote->last.count = left;
    remote->last_moved = 0;
    for (size_t i = remote->count; i > 0; i--) {
        fr__remote_body *b = &remote->bodies.data[i - 1];
        if (b->is_ended && b->is_moved && is_taken) {
            b->objects.count = 0;
            forget_body(remote, i - 1);
        }
    }
}

static fr_status prepare(void *user, fr_error *error) {
    (void)error;
    fr_remote *remote = user;
    forget_taken(remote);
    for (size_t i = remote->count; i > 0; i--) {
        fr__remote_body *b = &remote->bodies.data[i - 1];
        if (!b->is_ended && ++b->silent_ticks > remote->def.silent_ticks) { end_body(remote, i - 1); }
    }
    return FR_OK;
}

static fr_status begin(void *user, fr_error *error) {
    (void)error;
    fr_remote *remote = user;
    for (size_t i = 0; i < remote->count; i++) {
        remote->bodies.data[i].objects.count = remote->bodies.data[i].bones.count = 0;
    }
    remote->count = remote->last.count = remote->last_moved = 0;
    return FR_OK;
}

static void leave(void *user) { fr_remote_destroy(user); }

fr_actor fr_remote_actor(fr_remote *remote) {
    FR_ASSERT(remote != NULL);
    return (fr_actor){
        .name = FR_REMOTE_NAME, .move = move, .prepare = prepare, .begin = begin, .leave = leave, .user = remote};
}

#include "hands.h"

#include "fureai/haptic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORCE_MOST 8.0  // newtons
#define FORCE_STEP 0.1  // newtons: smaller changes are not told
#define SMOOTHING 0.3   // of velocities, a tick
#define THROW_MOST 4.0  // metres a second
#define CLAIM_ROOM 1e-3 // metres

// ---------------------------------------------------------------------------------------------------------------
// One hand

one_hand *hands_find(const hands *h, fr_object_id object) {
    one_hand *const *list = h->list.data;
    for (size_t i = 0; i < h->list.count; i++) {
        if (fr_object_id_equal(list[i]->object, object)) { return list[i]; }
    }
    return NULL;
}

fr_vec3 hand_center(const one_hand *hand, const fr_pose *pose) { return fr_pose_apply(pose, hand->center_local); }

static fr_vec3 corner_of(const fr_bounds *box, unsigned corner) {
    return fr_vec3_make((corner & 1) != 0 ? box->max.x : box->min.x, (corner & 2) != 0 ? box->max.y : box->min.y,
                        (corner & 4) != 0 ? box->max.z : box->min.z);
}

fr_bounds hand_bounds(const one_hand *hand, const fr_pose *pose) {
    fr_bounds bounds = fr_bounds_empty();
    for (uint32_t i = 0; i < hand->part_count; i++) {
        fr_bounds box = fr_mesh_get(hand->parts[i].mesh)->bounds;
        for (unsigned k = 0; k < 8; k++) {
            fr_vec3 point = fr_pose_apply(pose, fr_pose_apply(&hand->parts[i].pose, corner_of(&box, k)));
            bounds = fr_bounds_with_point(&bounds, point);
        }
    }
    return bounds;
}

static void free_hand(one_hand *hand) {
    for (uint32_t i = 0; i < hand->part_count; i++) {
        fr_mesh_release(hand->parts[i].mesh);
    }
    free(hand->parts);
    fr_aid_destroy(hand->aid);
    free(hand);
}

static bool take_parts(one_hand *hand, const fr_space *space, const fr_object_view *view) {
    hand->parts = calloc(view->part_count, sizeof *hand->parts);
    if (hand->parts == NULL) { return false; }
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, hand->object, i);
        hand->parts[i] = (fr_part_def){fr_mesh_retain(part.mesh), part.pose};
        hand->part_count++;
    }
    fr_pose own = fr_pose_identity();
    fr_bounds bounds = hand_bounds(hand, &own);
    hand->center_local = fr_bounds_center(&bounds);
    hand->radius = 0.5 * fr_vec3_distance(bounds.min, bounds.max) * view->pose.scale;
    return true;
}

one_hand *hands_make(hands *h, const fr_space *space, fr_object_id object) {
    const fr_object_view *view = fr_object_get(space, object);
    one_hand *made = calloc(1, sizeof *made);
    if (made == NULL || !fr_array_reserve(&h->list, h->list.count + 1)) {
        free(made);
        return NULL;
    }
    made->object = object;
    made->before = made->raw = made->shown = view->pose;
    fr_aid_def def = fr_default_aid_def();
    def.magnet = h->aid->magnet;
    def.blend = h->aid->blend;
    def.edge_reach = h->aid->edges;
    def.axis_reach = h->aid->axes;
    if (!take_parts(made, space, view) || fr_aid_create(&def, &made->aid, NULL) != FR_OK) {
        free_hand(made);
        return NULL;
    }
    *(one_hand **)fr_array_push(&h->list, 1) = made;
    return made;
}

bool hands_may_handle(const fr_space *space, fr_object_id object) {
    const fr_object_view *view = fr_object_get(space, object);
    if (view == NULL || view->vertices != NULL || view->part_count == 0) { return false; }
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        const fr_joint *joint = fr_joint_get(space, fr_space_joint_at(space, i));
        bool is_joined =
            joint != NULL && (fr_object_id_equal(joint->parent, object) || fr_object_id_equal(joint->child, object));
        if (is_joined) { return false; }
    }
    return true;
}

// Layers, masks and groups as for any two objects; sensors stop nothing.
static bool may_meet(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)b;
    const hands_apart *apart = context;
    const fr_object_view *one = fr_object_get(space, a), *held = fr_object_get(space, apart->self);
    if (one == NULL || held == NULL || (one->flags & FR_OBJECT_SENSOR) != 0) { return false; }
    if (fr_object_id_equal(a, apart->also)) { return false; }
    return fr_filter_meets(&one->filter, &held->filter);
}

fr_query_filter hands_filter(const hands_apart *apart) {
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = apart->self;
    filter.accept = may_meet;
    filter.context = (void *)(uintptr_t)apart;
    return filter;
}

// ---------------------------------------------------------------------------------------------------------------
// Telling

// What cannot be told is not worth the tick.
static void tell(fr_wishes *wishes, const fr_event *event) { (void)fr_wishes_tell(wishes, event, NULL); }

static void tell_hand_event(const fr_space *space, fr_wishes *wishes, const fr_hand_event *said, uint32_t freedom) {
    static const fr_event_kind kinds[] = {
        [FR_HAND_CONTACT] = FR_EVENT_CONTACT, [FR_HAND_SNAP] = FR_EVENT_SNAP,     [FR_HAND_SLIDE] = FR_EVENT_SLIDE,
        [FR_HAND_PULL] = FR_EVENT_PULL,       [FR_HAND_RELEASE] = FR_EVENT_LOOSE, [FR_HAND_DONE] = FR_EVENT_DONE,
        [FR_HAND_FITTED] = FR_EVENT_FITTED};
    fr_event event = {.kind = kinds[said->kind], .a = said->object, .speed = said->speed, .area = said->area};
    if (fr_object_exists(space, said->pair.other)) { event.b = said->pair.other; }
    if (said->kind == FR_HAND_RELEASE) { event.value = (double)said->cause; }
    if (said->kind == FR_HAND_SNAP) { event.value = (double)freedom; }
    event.pull = said->pull;
    event.count = said->count;
    event.point = said->point;
    tell(wishes, &event);
}

static void tell_output(const fr_space *space, fr_wishes *wishes, const fr_aid_output *out) {
    for (uint32_t i = 0; i < out->event_count; i++) {
        tell_hand_event(space, wishes, &out->events[i], out->freedom);
    }
}

// The force of a spring from where the hand has it to where it is shown: told when it changed, and when it ends. It is
// to be seen and heard; a device has its own, by the haptic tick.
static void tell_force(one_hand *hand, fr_wishes *wishes, double force) {
    bool is_end = force == 0.0 && hand->force > 0.0;
    if (!is_end && fabs(force - hand->force) <= FORCE_STEP) { return; }
    hand->force = force;
    fr_event event = {.kind = FR_EVENT_FORCE, .a = hand->object, .value = force, .count = hand->out.held_count};
    event.point = hand_center(hand, &hand->shown);
    tell(wishes, &event);
}

static double force_of(const one_hand *hand) {
    double way = fr_vec3_distance(hand_center(hand, &hand->raw), hand_center(hand, &hand->shown));
    double force = fmin(fr_default_haptic_def().stiffness * way, FORCE_MOST);
    return force >= FORCE_STEP ? force : 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Turns

static hands_claim claim_of(const hands *h, const one_hand *hand, const fr_pose *here, double step) {
    hands_claim claim = {.center = hand_center(hand, here), .object = hand->object};
    double way = fr_vec3_distance(claim.center, hand_center(hand, &hand->raw));
    if (hand->phase == HAND_FALLS) { way = step * (fr_vec3_length(hand->body.velocity) + 10.0 * step); }
    uint32_t part = hands_part_of(h, hand->object);
    if (part != FR_NONE) { way += fr_assembly_get(h->assembly, part)->tolerance; }
    if (hand->phase == HAND_WAITS || (hand->phase == HAND_FALLS && h->is_paused)) { way = 0.0; }
    double reach = hand->radius;
    if (hand->partner != NULL) {
        fr_vec3 other = hand_center(hand->partner, &hand->partner->shown);
        reach = fmax(reach, fr_vec3_distance(claim.center, other) + hand->partner->radius);
    }
    claim.radius = 1.1 * reach + way + CLAIM_ROOM;
    claim.from = claim.to = hand_bounds(hand, here);
    return claim;
}

static bool is_apart(const hands *h, fr_vec3 center, double radius) {
    const hands_claim *claims = h->claims.data;
    for (size_t i = 0; i < h->claims.count; i++) {
        if (fr_vec3_distance(claims[i].center, center) <= claims[i].radius + radius) { return false; }
    }
    return true;
}

// Hands whose objects hold one another go together: who is held to whom is known from the frame before.
static void join_partners(const hands *h) {
    one_hand *const *list = h->list.data;
    for (size_t i = 0; i < h->list.count; i++) {
        fr_aid_join(list[i]->aid, NULL);
        list[i]->partner = NULL;
        list[i]->is_taken = false;
    }
    for (size_t i = 0; i < h->list.count; i++) {
        for (uint32_t k = 0; list[i]->is_aided && k < list[i]->out.held_count; k++) {
            one_hand *other = hands_find(h, list[i]->out.held[k].pair.other);
            if (other == NULL || !other->is_aided || other->partner != NULL || list[i]->partner != NULL) { continue; }
            fr_aid_join(list[i]->aid, other->aid);
            list[i]->partner = other;
            other->partner = list[i];
        }
    }
}

// Whether a hand may move in this tick: nobody who moves already could meet it.
static hands_claim *find_turn(hands *h, const one_hand *hand, const fr_pose *here, double step) {
    hands_claim claim = claim_of(h, hand, here, step);
    if (h->is_jumping || !is_apart(h, claim.center, claim.radius)) { return NULL; }
    hands_claim *place = fr_array_push(&h->claims, 1);
    if (place != NULL) { *place = claim; }
    return place;
}

bool hands_claim_place(hands *h, const one_hand *hand, const fr_pose *pose) {
    hands_claim claim = {.center = hand_center(hand, pose), .object = hand->object};
    claim.radius = 1.1 * hand->radius + CLAIM_ROOM;
    claim.from = claim.to = hand_bounds(hand, pose);
    hands_claim *place = is_apart(h, claim.center, claim.radius) ? fr_array_push(&h->claims, 1) : NULL;
    if (place != NULL) { *place = claim; }
    return place != NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// Holding

static void stay(fr_wishes *wishes, fr_object_id object) {
    const fr_wish wish = {.object = object, .kind = FR_WISH_STAY};
    (void)fr_wishes_add(wishes, &wish, NULL);
}

// The mode that the object's state says, else the scene's.
static fr_aid_mode mode_of(const hands *h, fr_object_id object) {
    double value = fr_world_state(h->world, object, HANDS_STATE);
    for (int mode = FR_AID_MODE_NOTHING; mode <= FR_AID_MODE_SOUND; mode++) {
        if (value == (double)mode) { return (fr_aid_mode)mode; }
    }
    return h->aid->mode;
}

// Without the aid a hand goes through everything, and is told what it begins to collide with.
static void meet(one_hand *hand, const fr_proposal *proposal, fr_wishes *wishes) {
    const fr_collide_output *sensed = proposal->sensed;
    uint32_t own = hand->object.index1 - 1, now[HAND_MET], count = 0;
    for (size_t i = 0; i < sensed->pair_count && count < HAND_MET; i++) {
        const fr_face_pair *pair = &sensed->pairs[i];
        if (pair->a == pair->b || (pair->a != own && pair->b != own)) { continue; }
        uint32_t other = (pair->a == own ? pair->b : pair->a) + 1, k = 0, known = 0;
        while (k < count && now[k] != other) {
            k++;
        }
        if (k < count) { continue; }
        now[count++] = other;
        while (known < hand->met_count && hand->met[known] != other) {
            known++;
        }
        fr_event event = {.kind = FR_EVENT_CONTACT, .a = hand->object, .speed = fr_vec3_length(hand->velocity)};
        event.b = fr_space_object_at(proposal->space, other - 1);
        event.point = sensed->contacts != NULL ? sensed->contacts[i].point : hand_center(hand, &hand->shown);
        if (known == hand->met_count && event.b.index1 != 0) { tell(wishes, &event); }
    }
    memcpy(hand->met, now, count * sizeof *now);
    hand->met_count = count;
}

// Lets the aid take hold or let go as the mode says. Where it cannot, the hand is without it.
static void change_mode(one_hand *hand, const fr_space *space, fr_aid_mode mode) {
    hand->mode = mode;
    bool wants_aid = fr_aid_mode_has_aid(mode);
    if (wants_aid == hand->is_aided) { return; }
    memset(&hand->out, 0, sizeof hand->out);
    if (hand->is_aided) { fr_aid_release(hand->aid, NULL); }
    hand->is_aided = wants_aid && fr_aid_grasp(hand->aid, space, hand->object, NULL) == FR_OK;
}

static void note_velocity(one_hand *hand, const fr_pose *here, double step) {
    fr_vec3 way = fr_vec3_sub(hand_center(hand, &hand->shown), hand_center(hand, here));
    fr_vec3 kept = fr_vec3_scale(1.0 - SMOOTHING, hand->velocity);
    hand->velocity = fr_vec3_add_scaled(kept, SMOOTHING / step, way);
}

// The part has come to its place, and the hand opens: it stands there until it is taken anew.
static void settle(hands *h, one_hand *hand, const fr_space *space, fr_wishes *wishes, const fr_assembly_output *fit) {
    const fr_wish wish = {.object = hand->object, .kind = FR_WISH_JUMP, .pose = fit->pose};
    (void)fr_wishes_add(wishes, &wish, NULL);
    hand->shown = fit->pose;
    if (fit->has_event) { tell_hand_event(space, wishes, &fit->event, 0); }
    if (hand->is_aided) { fr_aid_release(hand->aid, NULL); }
    memset(&hand->out, 0, sizeof hand->out);
    hand->is_aided = false;
    tell_force(hand, wishes, 0.0);
    hands_remember(h, hand, &hand->shown);
    hand->phase = HAND_WAITS;
}

// Whether a pose that the aid has found is in something, and the one before it was not. What several hands move at
// once, one carried by another against a third, is not proven by any of them.
static bool goes_in(const one_hand *hand, const fr_space *space, const fr_pose *here, const fr_pose *there,
                    fr_object_id also) {
    const hands_apart apart = {hand->object, also};
    return !hands_is_free(space, &apart, hand->parts, hand->part_count, there) &&
           hands_is_free(space, &apart, hand->parts, hand->part_count, here);
}

// The same of a hand and of what it takes along.
static bool go_in(const one_hand *hand, const fr_space *space, const fr_pose *here) {
    const fr_aid_output *out = &hand->out;
    if (goes_in(hand, space, here, &out->shown, out->taken)) { return true; }
    if (out->taken.index1 == 0) { return false; }
    fr_pose other = fr_object_get(space, out->taken)->pose;
    return goes_in(hand->partner, space, &other, &out->taken_pose, hand->object);
}

// The aid loses hold, and takes it anew where the object is.
static void stumble(one_hand *hand, fr_wishes *wishes) {
    fr_aid_release(hand->aid, NULL);
    memset(&hand->out, 0, sizeof hand->out);
    hand->is_aided = false;
    stay(wishes, hand->object);
}

// What the partner holds goes the same way; its own hand has no say in this tick. It stays behind one that goes
// elsewhere after all: a part that jumps to its place was asked where others stand.
static void take_along(const one_hand *hand, fr_wishes *wishes, bool is_left) {
    hand->partner->is_taken = true;
    if (is_left) {
        stumble(hand->partner, wishes);
        return;
    }
    const fr_wish wish = {.object = hand->out.taken, .kind = FR_WISH_NEXT, .pose = hand->out.taken_pose};
    (void)fr_wishes_add(wishes, &wish, NULL);
    hand->partner->shown = hand->out.taken_pose;
}

// One frame with the aid; the object stays where it is when that is not its turn or comes out wrong.
static void lead(hands *h, one_hand *hand, const fr_pose *here, const fr_proposal *proposal, fr_wishes *wishes) {
    hands_claim *turn = find_turn(h, hand, here, proposal->step);
    fr_error error = {0};
    if (turn == NULL) {
        stay(wishes, hand->object);
        return;
    }
    double time = (double)h->calls * proposal->step;
    fr_status status = fr_aid_frame(hand->aid, proposal->space, &hand->raw, time, &hand->out, &error);
    if (status != FR_OK || go_in(hand, proposal->space, here)) {
        if (status != FR_OK) { fr_log(FR_LOG_WARNING, "the aid lets an object go: %s", error.message); }
        if (status == FR_OK && hand->out.taken.index1 != 0) { take_along(hand, wishes, true); }
        stumble(hand, wishes);
        return;
    }
    fr_wish wish = {.object = hand->object, .kind = FR_WISH_NEXT, .pose = hand->out.shown};
    (void)fr_wishes_add(wishes, &wish, NULL);
    hand->shown = hand->out.shown;
    turn->to = hand_bounds(hand, &hand->shown);
    note_velocity(hand, here, proposal->step);
    tell_output(proposal->space, wishes, &hand->out);
    fr_assembly_output fit;
    bool is_fitted = hands_fit(h, hand, proposal, false, &fit);
    if (hand->out.taken.index1 != 0) { take_along(hand, wishes, is_fitted); }
    if (is_fitted) {
        settle(h, hand, proposal->space, wishes, &fit);
        turn->to = hand_bounds(hand, &hand->shown);
        return;
    }
    tell_force(hand, wishes, force_of(hand));
}

static void hold_on(hands *h, one_hand *hand, const fr_proposal *proposal, fr_wishes *wishes) {
    fr_pose here = fr_object_get(proposal->space, hand->object)->pose;
    const fr_wish *wish = fr_wishes_find(wishes, hand->object);
    if (hand->is_taken) { return; }
    if (wish != NULL && wish->kind == FR_WISH_NEXT) { hand->raw = wish->pose; }
    if (hand->is_aided) { hand->raw.scale = here.scale; }
    change_mode(hand, proposal->space, mode_of(h, hand->object));
    if (hand->is_aided) {
        hand->raw.scale = here.scale;
        lead(h, hand, &here, proposal, wishes);
        return;
    }
    hand->shown = wish != NULL ? hand->raw : here;
    note_velocity(hand, &here, proposal->step);
    meet(hand, proposal, wishes);
    tell_force(hand, wishes, 0.0);
    fr_assembly_output fit;
    if (hands_fit(h, hand, proposal, false, &fit)) { settle(h, hand, proposal->space, wishes, &fit); }
}

// The hand opens: what it held stays where it is shown, or falls.
static void let_go(hands *h, one_hand *hand, const fr_proposal *proposal, fr_wishes *wishes) {
    const fr_space *space = proposal->space;
    bool is_free = hand->out.held_count == 0;
    fr_hand_event done = {.kind = FR_HAND_DONE, .object = hand->object, .point = hand_center(hand, &hand->shown)};
    if (hand->is_aided) {
        fr_aid_release(hand->aid, &hand->out);
        tell_output(space, wishes, &hand->out);
    } else {
        tell_hand_event(space, wishes, &done, 6);
    }
    memset(&hand->out, 0, sizeof hand->out);
    tell_force(hand, wishes, 0.0);
    bool was_aided = hand->is_aided;
    hand->is_aided = false;
    hand->phase = HAND_OVER;
    if (fr_world_hold(h->world, hand->object) == FR_HOLD_FREE) { return; } // it moves by itself again
    fr_assembly_output fit;
    if (hands_fit(h, hand, proposal, true, &fit)) {
        settle(h, hand, space, wishes, &fit);
        hand->phase = HAND_OVER;
        return;
    }
    if (!h->aid->falls || !was_aided) {
        hands_remember(h, hand, &hand->shown);
        return;
    }
    double speed = fr_vec3_length(hand->velocity);
    double kept = is_free ? fmin(1.0, THROW_MOST / fmax(speed, 1e-300)) : 0.0;
    hand->velocity = fr_vec3_scale(kept, hand->velocity);
    hand->phase = HAND_FALLS;
    hand->has_body = false;
    hand->ticks = hand->rested = 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The corrector

static void step_hand(hands *h, one_hand *hand, const fr_proposal *proposal, fr_wishes *wishes) {
    fr_hold hold = fr_world_hold(h->world, hand->object);
    switch (hand->phase) {
    case HAND_HOLDS:
        hold_on(h, hand, proposal, wishes);
        if (hold == FR_HOLD_HELD) { break; }
        if (hand->phase == HAND_WAITS) {
            hand->phase = HAND_OVER;
        } else {
            let_go(h, hand, proposal, wishes);
        }
        break;
    case HAND_WAITS:
        stay(wishes, hand->object);
        if (hold != FR_HOLD_HELD) { hand->phase = HAND_OVER; }
        break;
    case HAND_FALLS: {
        fr_pose here = fr_object_get(proposal->space, hand->object)->pose;
        hands_claim *turn = h->is_paused ? NULL : find_turn(h, hand, &here, proposal->step);
        if (turn == NULL) { break; }
        size_t own = (size_t)(turn - (const hands_claim *)h->claims.data);
        hands_fall(h, hand, proposal, wishes);
        ((hands_claim *)h->claims.data)[own].to = hand_bounds(hand, &hand->shown);
        break;
    }
    default: break;
    }
}

// What people have taken since, also out of the air.
static void take_new(hands *h, const fr_space *space) {
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id object = fr_space_object_at(space, i);
        if (object.index1 == 0 || fr_world_hold(h->world, object) != FR_HOLD_HELD) { continue; }
        one_hand *hand = hands_find(h, object);
        if (hand != NULL && hand->phase != HAND_FALLS) { continue; }
        if (hand == NULL && hands_may_handle(space, object)) { hand = hands_make(h, space, object); }
        if (hand == NULL) { continue; }
        hand->phase = hands_take_part(h, object, NULL) == FR_OK ? HAND_HOLDS : HAND_WAITS;
        hand->place = FR_NONE;
        hand->is_woken = false;
        hand->raw = hand->shown = fr_object_get(space, object)->pose;
        hand->velocity = fr_vec3_make(0.0, 0.0, 0.0);
        hand->met_count = 0;
    }
}

static void forget(hands *h, const fr_space *space) {
    one_hand **list = h->list.data;
    size_t kept = 0;
    for (size_t i = 0; i < h->list.count; i++) {
        bool is_kept = list[i]->phase != HAND_OVER && fr_object_exists(space, list[i]->object);
        if (is_kept) {
            list[kept++] = list[i];
        } else {
            free_hand(list[i]);
        }
    }
    h->list.count = kept;
}

// Whoever goes first in one tick goes last in the next.
static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)error;
    hands *h = user;
    h->is_paused = h->calls > 0 && proposal->tick == h->last_tick;
    h->last_tick = proposal->tick;
    h->calls++;
    h->claims.count = 0;
    forget(h, proposal->space);
    take_new(h, proposal->space);
    hands_do_jumps(h, proposal, wishes);
    join_partners(h);
    one_hand *const *list = h->list.data;
    size_t count = h->list.count;
    for (size_t i = 0; i < count; i++) {
        step_hand(h, list[(size_t)((h->calls + i) % count)], proposal, wishes);
    }
    if (h->aid->falls) { hands_wake(h, proposal->space); }
    forget(h, proposal->space);
    hands_draw(h, proposal->space, false);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Joining

fr_status hands_join(hands *h, const fr_scene *scene, fr_world *world, fr_server *const *server, fr_error *error) {
    memset(h, 0, sizeof *h);
    const fr_scene_aid *aid = fr_scene_get(scene)->aid;
    if (aid == NULL && fr_scene_get(scene)->fit_count == 0) { return FR_OK; }
    h->own = (fr_scene_aid){.mode = FR_AID_MODE_AID_BOTH, .magnet = 1.0, .blend = 0.08, .undo = 32};
    if (aid == NULL) { aid = &h->own; }
    h->list = fr_array_make(sizeof(one_hand *), NULL);
    h->claims = fr_array_make(sizeof(hands_claim), NULL);
    h->jumps = fr_array_make(sizeof(fr_placement), NULL);
    h->planars = fr_array_make(sizeof(hands_planar), NULL);
    h->server = server;
    h->world = world;
    h->scene = scene;
    fr_status status = fr_undo_create(aid->undo, NULL, &h->undo, error);
    const fr_corrector corrector = {.name = "hands", .propose = propose, .user = h};
    if (status == FR_OK) { status = hands_assembly_join(h, error); }
    if (status == FR_OK) { status = fr_world_add_corrector(world, &corrector); }
    if (status != FR_OK) {
        fr_assembly_destroy(h->assembly);
        fr_undo_destroy(h->undo);
        memset(h, 0, sizeof *h);
        return status;
    }
    h->aid = aid;
    return FR_OK;
}

fr_status hands_grab(hands *h, fr_object_id object, fr_error *error) {
    if (h->aid == NULL || !hands_may_handle(fr_world_space(h->world), object)) { return FR_OK; }
    fr_status status = hands_take_part(h, object, error);
    if (status != FR_OK) { return status; }
    // The mode is shown where people can change it.
    if (isnan(fr_world_state(h->world, object, HANDS_STATE))) {
        (void)fr_world_set_state(h->world, object, HANDS_STATE, (double)h->aid->mode, NULL);
    }
    return FR_OK;
}

static void free_all(hands *h) {
    one_hand *const *list = h->list.data;
    for (size_t i = 0; i < h->list.count; i++) {
        free_hand(list[i]);
    }
    h->list.count = 0;
}

void hands_begin(hands *h) {
    if (h->aid == NULL) { return; }
    free_all(h);
    h->jumps.count = 0;
    if (h->assembly != NULL) { fr_assembly_reset(h->assembly); }
    // A new history: what was before the beginning is over. Without memory the old one stays, and its places are asked.
    fr_undo *undo;
    if (fr_undo_create(h->aid->undo, NULL, &undo, NULL) == FR_OK) {
        fr_undo_destroy(h->undo);
        h->undo = undo;
    }
    hands_draw(h, fr_world_space(h->world), true);
}

void hands_leave(hands *h) {
    if (h->aid == NULL) { return; }
    free_all(h);
    hands_draw(h, NULL, true);
    hands_planar *planars = h->planars.data;
    for (size_t i = 0; i < h->planars.count; i++) {
        fr_planar_destroy(planars[i].planar);
        fr_mesh_release(planars[i].mesh);
    }
    fr_array_free(&h->planars);
    fr_array_free(&h->list);
    fr_array_free(&h->claims);
    fr_array_free(&h->jumps);
    fr_undo_destroy(h->undo);
    fr_assembly_destroy(h->assembly);
    memset(h, 0, sizeof *h);
}

// The hands of people in a world: what they hold is helped by the aid, stops at what it meets, and falls when it is let
// go. A corrector: RAW in, SHOWN out.
#include "actor/hands.h"

#include "fureai/haptic.h"

#include <math.h>
#include <string.h>

#define HANDS_COOKIE 0x48414e44u
#define FORCE_STEP 0.1 // newtons: smaller changes are not reported
#define SMOOTHING 0.3  // of velocities, a tick
#define THROW_MAX 4.0  // metres a second

// ---------------------------------------------------------------------------------------------------------------
// Reporting

// An event that the world refuses is not worth the tick.
static void report(fr_wishes *wishes, const fr_event *event) { (void)fr_wishes_add_event(wishes, event, NULL); }

static void report_hand_event(const fr_space *space, fr_wishes *wishes, const fr_hand_event *from, uint32_t freedom) {
    static const fr_event_kind kinds[] = {
        [FR_HAND_CONTACT] = FR_EVENT_CONTACT, [FR_HAND_SNAP] = FR_EVENT_SNAP,     [FR_HAND_SLIDE] = FR_EVENT_SLIDE,
        [FR_HAND_PULL] = FR_EVENT_PULL,       [FR_HAND_RELEASE] = FR_EVENT_LOOSE, [FR_HAND_DONE] = FR_EVENT_DONE,
        [FR_HAND_FITTED] = FR_EVENT_FITTED};
    fr_event event = {.kind = kinds[from->kind], .a = from->object, .speed = from->speed, .area = from->area};
    if (fr_object_exists(space, from->pair.other)) { event.b = from->pair.other; }
    if (from->kind == FR_HAND_RELEASE) { event.value = (double)from->cause; }
    if (from->kind == FR_HAND_SNAP) { event.value = (double)freedom; }
    event.pull = from->pull;
    event.count = from->count;
    event.point = from->point;
    report(wishes, &event);
}

static void report_output(const fr_space *space, fr_wishes *wishes, const fr_aid_output *out) {
    for (uint32_t i = 0; i < out->event_count; i++) {
        report_hand_event(space, wishes, &out->events[i], out->freedom);
    }
}

// The force of a spring from where the hand has it to where it is shown: reported when it changed, and when it ends.
// It is to be seen and heard; a device has its own, by the haptic tick.
static void report_force(fr__hand *hand, fr_wishes *wishes, double force) {
    bool is_end = force == 0.0 && hand->force > 0.0;
    if (!is_end && fabs(force - hand->force) <= FORCE_STEP) { return; }
    hand->force = force;
    fr_event event = {.kind = FR_EVENT_FORCE, .a = hand->object, .value = force, .count = hand->out.held_count};
    event.point = fr__hand_center(hand, &hand->shown);
    report(wishes, &event);
}

static double force_of(const fr__hand *hand) {
    double stretch = fr_vec3_distance(fr__hand_center(hand, &hand->raw), fr__hand_center(hand, &hand->shown));
    double force = fmin(fr_default_haptic_def().stiffness * stretch, FR__HAND_FORCE_MAX);
    return force >= FORCE_STEP ? force : 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Holding

static void stay(fr_wishes *wishes, fr_object_id object) {
    const fr_wish wish = {.object = object, .kind = FR_WISH_STAY};
    (void)fr_wishes_add(wishes, &wish, NULL);
}

// The mode that the object's state says, else the scene's.
static fr_aid_mode mode_of(const fr_hands *h, fr_object_id object) {
    double value = fr_world_state(h->world, object, FR_HANDS_STATE);
    for (int mode = FR_AID_MODE_NOTHING; mode <= FR_AID_MODE_SOUND; mode++) {
        if (value == (double)mode) { return (fr_aid_mode)mode; }
    }
    return h->settings.mode;
}

// Without the aid a hand goes through everything; what it begins to collide with is reported.
static void meet(fr__hand *hand, const fr_proposal *proposal, fr_wishes *wishes) {
    const fr_collide_output *sensed = proposal->pose_result;
    uint32_t own = hand->object.index1 - 1, now[FR__HAND_MET], count = 0;
    for (size_t i = 0; i < sensed->pair_count && count < FR__HAND_MET; i++) {
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
        event.point = sensed->contacts != NULL ? sensed->contacts[i].point : fr__hand_center(hand, &hand->shown);
        if (known == hand->met_count && event.b.index1 != 0) { report(wishes, &event); }
    }
    memcpy(hand->met, now, count * sizeof *now);
    hand->met_count = count;
}

// Lets the aid take hold or let go as the mode says. Where it cannot, the hand is without it.
static void change_mode(fr__hand *hand, const fr_space *space, fr_aid_mode mode) {
    hand->mode = mode;
    bool wants_aid = fr_aid_mode_has_aid(mode);
    if (wants_aid == hand->is_aided) { return; }
    memset(&hand->out, 0, sizeof hand->out);
    if (hand->is_aided) { fr_aid_let_go(hand->aid, NULL); }
    hand->is_aided = wants_aid && fr_aid_grasp(hand->aid, space, hand->object, NULL) == FR_OK;
}

static void note_velocity(fr__hand *hand, const fr_pose *here, double step) {
    fr_vec3 travel = fr_vec3_sub(fr__hand_center(hand, &hand->shown), fr__hand_center(hand, here));
    fr_vec3 kept = fr_vec3_scale(1.0 - SMOOTHING, hand->velocity);
    hand->velocity = fr_vec3_add_scaled(kept, SMOOTHING / step, travel);
}

// The part has come to its place, and the hand opens: it stands there until it is taken again.
static void settle(fr_hands *h, fr__hand *hand, const fr_space *space, fr_wishes *wishes,
                   const fr_assembly_output *fit) {
    const fr_wish wish = {.object = hand->object, .kind = FR_WISH_JUMP, .pose = fit->pose};
    (void)fr_wishes_add(wishes, &wish, NULL);
    hand->shown = fit->pose;
    if (fit->has_event) { report_hand_event(space, wishes, &fit->event, 0); }
    if (hand->is_aided) { fr_aid_let_go(hand->aid, NULL); }
    memset(&hand->out, 0, sizeof hand->out);
    hand->is_aided = false;
    report_force(hand, wishes, 0.0);
    fr__hands_remember(h, hand, &hand->shown);
    hand->phase = FR__HAND_WAITS;
}

// Whether a pose that the aid has found is in something, and the one before it was not. What several hands move at
// once, one carried by another against a third, is not proven by any of them.
static bool goes_in(const fr__hand *hand, const fr_space *space, const fr_pose *here, const fr_pose *there,
                    fr_object_id also) {
    fr_query_filter filter = fr_default_query_filter();
    filter.as_object = hand->object;
    filter.ignore = also;
    return !fr__hands_is_free(space, &filter, hand->body.parts, hand->body.part_count, there) &&
           fr__hands_is_free(space, &filter, hand->body.parts, hand->body.part_count, here);
}

// The same of a hand and of what it takes along.
static bool go_in(const fr__hand *hand, const fr_space *space, const fr_pose *here) {
    const fr_aid_output *out = &hand->out;
    if (goes_in(hand, space, here, &out->shown, out->taken)) { return true; }
    if (out->taken.index1 == 0) { return false; }
    fr_pose other = fr_object_get(space, out->taken)->pose;
    return goes_in(hand->partner, space, &other, &out->taken_pose, hand->object);
}

// The aid loses hold, and takes it again where the object is.
static void stumble(fr__hand *hand, fr_wishes *wishes) {
    fr_aid_let_go(hand->aid, NULL);
    memset(&hand->out, 0, sizeof hand->out);
    hand->is_aided = false;
    stay(wishes, hand->object);
}

// What the partner holds goes along; its own hand does not move it in this tick. It stays behind a hand that goes
// elsewhere after all: for a part that jumps to its place the others were queried where they stand.
static void take_along(const fr__hand *hand, fr_wishes *wishes, bool is_left) {
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
static void lead(fr_hands *h, fr__hand *hand, const fr_pose *here, const fr_proposal *proposal, fr_wishes *wishes) {
    fr__hands_turn *turn = fr__hands_find_turn(h, hand, here, proposal->step);
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
    turn->to = fr__retained_parts_bounds(&hand->body, &hand->shown);
    note_velocity(hand, here, proposal->step);
    report_output(proposal->space, wishes, &hand->out);
    fr_assembly_output fit;
    bool is_fitted = fr__hands_fit(h, hand, proposal, false, &fit);
    if (hand->out.taken.index1 != 0) { take_along(hand, wishes, is_fitted); }
    if (is_fitted) {
        settle(h, hand, proposal->space, wishes, &fit);
        turn->to = fr__retained_parts_bounds(&hand->body, &hand->shown);
        return;
    }
    report_force(hand, wishes, force_of(hand));
}

static void hold_on(fr_hands *h, fr__hand *hand, const fr_proposal *proposal, fr_wishes *wishes) {
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
    report_force(hand, wishes, 0.0);
    fr_assembly_output fit;
    if (fr__hands_fit(h, hand, proposal, false, &fit)) { settle(h, hand, proposal->space, wishes, &fit); }
}

// The hand opens: what it held stays where it is shown, or falls.
static void let_go(fr_hands *h, fr__hand *hand, const fr_proposal *proposal, fr_wishes *wishes) {
    const fr_space *space = proposal->space;
    bool is_free = hand->out.held_count == 0;
    fr_hand_event done = {.kind = FR_HAND_DONE, .object = hand->object, .point = fr__hand_center(hand, &hand->shown)};
    if (hand->is_aided) {
        fr_aid_let_go(hand->aid, &hand->out);
        report_output(space, wishes, &hand->out);
    } else {
        report_hand_event(space, wishes, &done, 6);
    }
    memset(&hand->out, 0, sizeof hand->out);
    report_force(hand, wishes, 0.0);
    bool was_aided = hand->is_aided;
    hand->is_aided = false;
    hand->phase = FR__HAND_OVER;
    if (fr_world_hold(h->world, hand->object) == FR_HOLD_FREE) { return; } // it moves by itself again
    fr_assembly_output fit;
    if (fr__hands_fit(h, hand, proposal, true, &fit)) {
        settle(h, hand, space, wishes, &fit);
        hand->phase = FR__HAND_OVER;
        return;
    }
    if (!h->settings.may_fall || !was_aided) {
        fr__hands_remember(h, hand, &hand->shown);
        return;
    }
    double speed = fr_vec3_length(hand->velocity);
    double kept = is_free ? fmin(1.0, THROW_MAX / fmax(speed, 1e-300)) : 0.0;
    hand->velocity = fr_vec3_scale(kept, hand->velocity);
    hand->phase = FR__HAND_FALLS;
    hand->is_falling = false;
    hand->ticks = hand->rested = 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The corrector

static void step_hand(fr_hands *h, fr__hand *hand, const fr_proposal *proposal, fr_wishes *wishes) {
    fr_hold hold = fr_world_hold(h->world, hand->object);
    switch (hand->phase) {
    case FR__HAND_HOLDS:
        hold_on(h, hand, proposal, wishes);
        if (hold == FR_HOLD_HELD) { break; }
        if (hand->phase == FR__HAND_WAITS) {
            hand->phase = FR__HAND_OVER;
        } else {
            let_go(h, hand, proposal, wishes);
        }
        break;
    case FR__HAND_WAITS:
        stay(wishes, hand->object);
        if (hold != FR_HOLD_HELD) { hand->phase = FR__HAND_OVER; }
        break;
    case FR__HAND_FALLS: {
        fr_pose here = fr_object_get(proposal->space, hand->object)->pose;
        fr__hands_turn *turn = h->is_paused ? NULL : fr__hands_find_turn(h, hand, &here, proposal->step);
        if (turn == NULL) { break; }
        size_t own = (size_t)(turn - h->turns.data);
        fr__hands_fall(h, hand, proposal, wishes);
        h->turns.data[own].to = fr__retained_parts_bounds(&hand->body, &hand->shown);
        break;
    }
    default: break;
    }
}

// Takes what people hold since the last tick, also out of the air.
static void take_new(fr_hands *h, const fr_space *space) {
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id object = fr_space_object_at(space, i);
        if (object.index1 == 0 || fr_world_hold(h->world, object) != FR_HOLD_HELD) { continue; }
        fr__hand *hand = fr__hands_find(h, object);
        if (hand != NULL && hand->phase != FR__HAND_FALLS) { continue; }
        if (hand == NULL && fr__hands_may_handle(space, object)) { hand = fr__hands_make(h, space, object); }
        if (hand == NULL) { continue; }
        hand->phase = fr__hands_take_part(h, object, NULL) == FR_OK ? FR__HAND_HOLDS : FR__HAND_WAITS;
        hand->place = FR_NONE;
        hand->is_woken = false;
        hand->raw = hand->shown = fr_object_get(space, object)->pose;
        hand->velocity = fr_vec3_make(0.0, 0.0, 0.0);
        hand->met_count = 0;
    }
}

static void forget(fr_hands *h, const fr_space *space) {
    fr__hand **list = h->list.data;
    size_t kept = 0;
    for (size_t i = 0; i < h->list.count; i++) {
        bool is_kept = list[i]->phase != FR__HAND_OVER && fr_object_exists(space, list[i]->object);
        if (is_kept) {
            list[kept++] = list[i];
        } else {
            fr__hand_free(h, list[i]);
        }
    }
    h->list.count = kept;
}

// The hand that goes first in one tick goes last in the next.
static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)error;
    fr_hands *h = user;
    h->is_paused = h->calls > 0 && proposal->tick == h->last_tick;
    h->last_tick = proposal->tick;
    h->calls++;
    h->turns.count = 0;
    forget(h, proposal->space);
    take_new(h, proposal->space);
    fr__hands_jump(h, proposal, wishes);
    fr__hands_join_partners(h);
    fr__hand *const *list = h->list.data;
    size_t count = h->list.count;
    for (size_t i = 0; i < count; i++) {
        step_hand(h, list[(size_t)((h->calls + i) % count)], proposal, wishes);
    }
    if (h->settings.may_fall) { fr__hands_wake(h, proposal->space); }
    forget(h, proposal->space);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_hands_settings fr_default_hands_settings(void) {
    return (fr_hands_settings){.mode = FR_AID_MODE_AID, .magnet = 1.0, .blend = 0.08, .friction = 0.5, .undo = 32};
}

fr_hands_def fr_default_hands_def(void) {
    fr_hands_def def;
    memset(&def, 0, sizeof def);
    def.settings = fr_default_hands_settings();
    def.cookie = HANDS_COOKIE;
    return def;
}

static fr_status check_def(const fr_hands_def *def, fr_error *error) {
    const fr_hands_settings *s = &def->settings;
    if (def->cookie != HANDS_COOKIE) { return fr_error_set_cookie(error, "fr_default_hands_def"); }
    if (def->world == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "hands need a world"); }
    bool is_right = s->mode >= FR_AID_MODE_NOTHING && s->mode <= FR_AID_MODE_SOUND && s->friction >= 0.0 &&
                    s->friction <= 1e9 && s->restitution >= 0.0 && s->restitution <= 1.0;
    return is_right ? FR_OK
                    : fr_error_set(error, FR_ERROR_ARGUMENT, "the mode, friction or restitution of hands is none");
}

// Whether the aid takes the settings: found out here, and not when an object is in a hand.
static fr_status try_aid(const fr_hands *h, fr_error *error) {
    fr_aid *aid;
    fr_status status = fr__hands_make_aid(h, &aid, error);
    if (status == FR_OK) { fr_aid_destroy(aid); }
    return status;
}

static fr_status copy_moving(fr_hands *h, const fr_hands_def *def, fr_error *error) {
    if (def->moving_count == 0) { return FR_OK; }
    if (def->moving == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the moving objects are missing"); }
    fr_object_id *moving = fr__hands_id_array_push(&h->moving, def->moving_count);
    if (moving == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for what moves by itself"); }
    memcpy(moving, def->moving, def->moving_count * sizeof *moving);
    return FR_OK;
}

fr_status fr_hands_create(const fr_hands_def *def, fr_hands **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_hands *h = fr_allocate(&allocator, 1, sizeof *h, _Alignof(fr_hands));
    if (h == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for hands"); }
    memset(h, 0, sizeof *h);
    h->allocator = allocator;
    h->world = def->world;
    h->settings = def->settings;
    h->list = fr__hand_array_make(&allocator);
    h->turns = fr__hands_turn_array_make(&allocator);
    h->jumps = fr__placement_array_make(&allocator);
    h->moving = fr__hands_id_array_make(&allocator);
    h->planars = fr__hands_planar_array_make(&allocator);
    status = fr_undo_create(def->settings.undo, &allocator, &h->undo, error);
    if (status == FR_OK) { status = copy_moving(h, def, error); }
    if (status == FR_OK) { status = try_aid(h, error); }
    if (status != FR_OK) {
        fr_hands_destroy(h);
        return status;
    }
    h->assembly = def->assembly;
    *out = h;
    return FR_OK;
}

static void free_all(fr_hands *h) {
    fr__hand *const *list = h->list.data;
    for (size_t i = 0; i < h->list.count; i++) {
        fr__hand_free(h, list[i]);
    }
    h->list.count = 0;
}

void fr_hands_destroy(fr_hands *h) {
    if (h == NULL) { return; }
    free_all(h);
    fr__hands_planar *planars = h->planars.data;
    for (size_t i = 0; i < h->planars.count; i++) {
        fr_planar_destroy(planars[i].planar);
        fr_mesh_release(planars[i].mesh);
    }
    fr__hands_planar_array_destroy(&h->planars);
    fr__hand_array_destroy(&h->list);
    fr__hands_turn_array_destroy(&h->turns);
    fr__placement_array_destroy(&h->jumps);
    fr__hands_id_array_destroy(&h->moving);
    fr_undo_destroy(h->undo);
    fr_assembly_destroy(h->assembly);
    fr_allocator allocator = h->allocator;
    fr_deallocate(&allocator, h, 1, sizeof *h);
}

// ---------------------------------------------------------------------------------------------------------------
// The actor

static fr_status grab(const fr_claim *claim, void *user, fr_error *error) {
    fr_hands *h = user;
    fr_object_id object = claim->object;
    if (!fr__hands_may_handle(fr_world_space(h->world), object)) { return FR_OK; }
    fr_status status = fr__hands_take_part(h, object, error);
    if (status != FR_OK) { return status; }
    // The mode is shown where people can change it.
    if (fr_is_unknown(fr_world_state(h->world, object, FR_HANDS_STATE))) {
        (void)fr_world_set_state(h->world, object, FR_HANDS_STATE, (double)h->settings.mode, NULL);
    }
    return FR_OK;
}

// Without memory the old history stays, and its places are still used.
static fr_status begin(void *user, fr_error *error) {
    (void)error;
    fr_hands *h = user;
    free_all(h);
    h->jumps.count = 0;
    if (h->assembly != NULL) { fr_assembly_reset(h->assembly); }
    fr_undo *undo;
    if (fr_undo_create(h->settings.undo, &h->allocator, &undo, NULL) == FR_OK) {
        fr_undo_destroy(h->undo);
        h->undo = undo;
    }
    return FR_OK;
}

static void leave(void *user) { fr_hands_destroy(user); }

fr_actor fr_hands_actor(fr_hands *hands) {
    FR_ASSERT(hands != NULL);
    return (fr_actor){.name = "hands",
                      .correct = propose,
                      .begin = begin,
                      .grab = grab,
                      .undo = fr__hands_undo,
                      .paint = fr__hands_paint,
                      .leave = leave,
                      .user = hands};
}

uint32_t fr_hands_count(const fr_hands *hands) {
    FR_ASSERT(hands != NULL);
    return (uint32_t)hands->list.count;
}

const fr_assembly *fr_hands_assembly(const fr_hands *hands) {
    FR_ASSERT(hands != NULL);
    return hands->assembly;
}

bool fr_hands_get(const fr_hands *hands, fr_object_id object, fr_hand_state *out) {
    FR_ASSERT(hands != NULL && out != NULL);
    const fr__hand *hand = fr__hands_find(hands, object);
    if (hand == NULL) { return false; }
    *out = (fr_hand_state){.is_held = hand->phase == FR__HAND_HOLDS || hand->phase == FR__HAND_WAITS,
                           .is_aided = hand->is_aided,
                           .raw = hand->raw,
                           .shown = hand->shown,
                           .is_fitted = hand->phase == FR__HAND_WAITS && hand->result == FR_ASSEMBLY_FITTED,
                           .held = hand->out.held,
                           .held_count = hand->out.held_count,
                           .freedom = hand->out.freedom,
                           .force = hand->force};
    return true;
}

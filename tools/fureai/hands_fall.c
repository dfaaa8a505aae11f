// What was let go, on its way down, and what is taken back.
#include "hands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DENSITY 700.0 // kilogrammes a cubic metre: wood
#define LONGEST 3000  // ticks: what has not come to rest by then stands
#define HIGHEST 64    // half radii above the place that it comes back to
#define DEEPEST 20.0  // metres: what fell farther than this has left the scene
#define REST_LEAST 3  // steps that it rests, until it is left alone
#define HEARD 0.05    // metres a second: slower knocks are not told
#define BESIDE 2e-3   // metres between boxes of neighbours
#define MOST_CONTACTS 64

// ---------------------------------------------------------------------------------------------------------------
// Falling

// The body where it stands now, with the velocity of the hand that let it go; false: it has no volume to fall with.
static bool begin_fall(one_hand *hand, const fr_space *space, const fr_scene_aid *aid) {
    if (fr_rebound_body_of(space, hand->object, DENSITY, &hand->body, NULL) != FR_OK) { return false; }
    hand->body.velocity = hand->velocity;
    hand->body.friction = aid->friction;
    hand->body.restitution = aid->restitution;
    hand->has_body = true;
    return true;
}

static void tell_knock(const one_hand *hand, fr_wishes *wishes, const fr_fall_output *out, fr_vec3 expected) {
    double speed = fr_vec3_distance(out->body.velocity, expected);
    if (out->contacts == 0 || speed < HEARD) { return; }
    fr_event event = {.kind = FR_EVENT_CONTACT, .a = hand->object, .speed = speed, .point = out->body.center};
    (void)fr_wishes_tell(wishes, &event, NULL);
}

static void go_to(fr_wishes *wishes, fr_object_id object, fr_wish_kind kind, const fr_pose *pose) {
    const fr_wish wish = {.object = object, .kind = kind, .pose = *pose};
    (void)fr_wishes_add(wishes, &wish, NULL);
}

static void end_fall(hands *h, one_hand *hand) {
    hand->phase = HAND_OVER;
    if (!hand->is_woken) { hands_remember(h, hand, &hand->shown); }
}

// What has left the scene comes back to where it was taken, or above it where somebody stands there now, and falls on
// from there. False: there is no room yet.
static bool come_back(hands *h, one_hand *hand, const fr_space *space, fr_wishes *wishes) {
    const hands_apart apart = {.self = hand->object};
    fr_pose pose = hand->before;
    for (int i = 0; i < HIGHEST; i++) {
        pose.position.y = hand->before.position.y + 0.5 * hand->radius * i;
        if (!hands_is_free(space, &apart, hand->parts, hand->part_count, &pose)) { continue; }
        if (!hands_claim_place(h, hand, &pose)) { continue; }
        go_to(wishes, hand->object, FR_WISH_JUMP, &pose);
        hand->shown = pose;
        hand->velocity = fr_vec3_make(0.0, 0.0, 0.0);
        hand->has_body = false;
        return true;
    }
    return false;
}

void hands_fall(hands *h, one_hand *hand, const fr_proposal *proposal, fr_wishes *wishes) {
    fr_pose here = fr_object_get(proposal->space, hand->object)->pose;
    hand->shown = here;
    if (!hand->has_body && !begin_fall(hand, proposal->space, h->aid)) {
        end_fall(h, hand);
        return;
    }
    const hands_apart apart = {.self = hand->object};
    fr_query_filter filter = hands_filter(&apart);
    fr_fall_input input = fr_default_fall_input();
    input.space = proposal->space;
    input.parts = hand->parts;
    input.part_count = hand->part_count;
    input.pose = here;
    input.body = hand->body;
    input.step = proposal->step;
    input.friction = h->aid->friction;
    input.restitution = h->aid->restitution;
    input.filter = &filter;
    fr_fall_output out;
    fr_error error = {0};
    if (fr_touch_fall(&input, &out, &error) != FR_OK) {
        fr_log(FR_LOG_WARNING, "an object does not fall: %s", error.message);
        end_fall(h, hand);
        return;
    }
    fr_vec3 expected = fr_vec3_add_scaled(hand->body.velocity, proposal->step, input.gravity);
    tell_knock(hand, wishes, &out, expected);
    hand->body = out.body;
    hand->shown = out.pose;
    if (hand->before.position.y - out.pose.position.y > DEEPEST && come_back(h, hand, proposal->space, wishes)) {
        return;
    }
    go_to(wishes, hand->object, FR_WISH_NEXT, &out.pose);
    // What runs into a wall may stand for a moment before it falls on.
    hand->rested = out.is_resting ? hand->rested + 1 : 0;
    if (hand->rested >= REST_LEAST || ++hand->ticks >= LONGEST) { end_fall(h, hand); }
}

// Whether an object would fall by itself: one that the scene moves, or that is nothing to handle, does not.
static bool may_fall(const hands *h, const fr_space *space, fr_object_id object) {
    const fr_object_view *view = fr_object_get(space, object);
    const uint32_t never = FR_OBJECT_STATIC | FR_OBJECT_REAL | FR_OBJECT_SENSOR;
    if ((view->flags & never) != 0 || hands_find(h, object) != NULL) { return false; }
    uint32_t part = hands_part_of(h, object);
    if (part != FR_NONE && fr_assembly_states(h->assembly)[part].place != FR_NONE) { return false; }
    const fr_scene_view *scene = fr_scene_get(h->scene);
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const fr_scene_object *one = &scene->objects[i];
        if (one != view->user) { continue; }
        const fr_vec3 zero = {0.0, 0.0, 0.0};
        if (one->path != NULL || !fr_vec3_equal(one->velocity, zero) || !fr_vec3_equal(one->angular_velocity, zero)) {
            return false;
        }
    }
    return hands_may_handle(space, object);
}

static void wake(hands *h, const fr_space *space, fr_object_id object) {
    one_hand *hand = may_fall(h, space, object) ? hands_make(h, space, object) : NULL;
    if (hand == NULL) { return; }
    hand->phase = HAND_FALLS;
    hand->is_woken = true;
}

void hands_wake(hands *h, const fr_space *space) {
    for (size_t i = 0; i < h->claims.count; i++) {
        hands_claim claim = ((const hands_claim *)h->claims.data)[i];
        for (uint32_t k = 0; k < fr_space_object_places(space); k++) {
            fr_object_id other = fr_space_object_at(space, k);
            fr_bounds bounds;
            if (other.index1 == 0 || fr_object_id_equal(other, claim.object)) { continue; }
            if (fr_object_bounds(space, other, &bounds) != FR_OK) { continue; }
            bounds = fr_bounds_grow(&bounds, BESIDE);
            if (fr_bounds_overlap(&bounds, &claim.from) && !fr_bounds_overlap(&bounds, &claim.to)) {
                wake(h, space, other);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Taking back

void hands_remember(hands *h, const one_hand *hand, const fr_pose *after) {
    const fr_placement placement = {hand->object, hand->before, *after};
    (void)fr_undo_remember(h->undo, &placement, NULL);
}

bool hands_is_free(const fr_space *space, const hands_apart *apart, const fr_part_def *parts, uint32_t part_count,
                   const fr_pose *pose) {
    fr_contact contacts[MOST_CONTACTS];
    fr_query_filter filter = hands_filter(apart);
    fr_move_input input = fr_default_move_input();
    input.space = space;
    input.parts = parts;
    input.part_count = part_count;
    input.motion = fr_motion_still(pose);
    input.filter = &filter;
    input.contacts = contacts;
    input.capacity = MOST_CONTACTS;
    fr_move_output output;
    if (fr_collide_move(&input, &output, NULL) != FR_OK || output.has_more) { return false; }
    for (uint32_t i = 0; i < output.contact_count; i++) {
        if ((contacts[i].flags & (FR_CONTACT_TOUCHING | FR_CONTACT_COPLANAR | FR_CONTACT_NEAR)) == 0) { return false; }
    }
    return true;
}

static bool is_place_free(const fr_space *space, fr_object_id object, const fr_pose *pose) {
    uint32_t count = fr_object_get(space, object)->part_count;
    fr_part_def *parts = calloc(count, sizeof *parts);
    if (parts == NULL) { return false; }
    for (uint32_t i = 0; i < count; i++) {
        fr_part_view part = fr_object_part(space, object, i);
        parts[i] = (fr_part_def){part.mesh, part.pose};
    }
    const hands_apart apart = {.self = object};
    bool is_free = hands_is_free(space, &apart, parts, count, pose);
    free(parts);
    return is_free;
}

// What still falls has been placed for the sake of taking it back.
static void settle_last(hands *h) {
    one_hand *const *list = h->list.data;
    for (size_t i = h->list.count; i > 0; i--) {
        one_hand *last = list[i - 1];
        if (last->phase != HAND_FALLS || last->is_woken) { continue; }
        end_fall(h, last);
        return;
    }
}

fr_status hands_undo(hands *h, bool again, fr_error *error) {
    if (h->aid == NULL) { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this scene takes nothing back"); }
    // Each sees what the one before it did.
    if (h->jumps.count > 0) { return fr_error_set(error, FR_ERROR_BUSY, "the one before is not done yet"); }
    fr_space *space = fr_world_space(h->world);
    fr_status status = fr_space_update(space, NULL, error);
    if (status != FR_OK) { return status; }
    fr_placement placement;
    if (!again) { settle_last(h); }
    bool is_there = again ? fr_undo_again(h->undo, space, &placement) : fr_undo_back(h->undo, space, &placement);
    if (!is_there) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, again ? "nothing was taken back" : "nothing was placed");
    }
    fr_pose goal = again ? placement.after : placement.before;
    if (fr_world_hold(h->world, placement.object) == FR_HOLD_HELD) {
        status = fr_error_set(error, FR_ERROR_BUSY, "somebody holds it");
    } else if (!is_place_free(space, placement.object, &goal)) {
        status = fr_error_set(error, FR_ERROR_BUSY, "its place is not free");
    } else {
        status = hands_take_part(h, placement.object, error);
    }
    fr_placement *jump = status == FR_OK ? fr_array_push(&h->jumps, 1) : NULL;
    if (jump != NULL) {
        *jump = (fr_placement){placement.object, goal, goal};
        return FR_OK;
    }
    // As it was: it can be asked for once more.
    (void)(again ? fr_undo_back(h->undo, space, &placement) : fr_undo_again(h->undo, space, &placement));
    return status != FR_OK ? status : fr_error_set(error, FR_ERROR_MEMORY, "out of memory");
}

void hands_do_jumps(hands *h, const fr_proposal *proposal, fr_wishes *wishes) {
    const fr_space *space = proposal->space;
    h->is_jumping = h->jumps.count > 0;
    const fr_placement *jumps = h->jumps.data;
    for (size_t i = 0; i < h->jumps.count; i++) {
        fr_object_id object = jumps[i].object;
        if (!fr_object_exists(space, object) || fr_world_hold(h->world, object) == FR_HOLD_HELD) { continue; }
        one_hand *hand = hands_find(h, object);
        if (hand != NULL) { hand->phase = HAND_OVER; }
        double time = (double)h->calls * proposal->step;
        fr_pose pose = hands_fit_at(h, space, object, &jumps[i].before, time);
        go_to(wishes, object, FR_WISH_JUMP, &pose);
    }
    h->jumps.count = 0;
}

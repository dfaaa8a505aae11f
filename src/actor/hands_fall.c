// What was let go and falls, and what falls because it lost what carried it.
#include "actor/hands.h"

#include <math.h>

#define DENSITY 700.0 // kilogrammes a cubic metre: wood
#define LONGEST 3000  // ticks: what has not come to rest by then stands
#define HIGHEST 64    // half radii above the place that it comes back to
#define DEEPEST 20.0  // metres: what fell farther than this has left the scene
#define REST_MIN 3    // steps that it rests, until it is left alone
#define HEARD 0.05    // metres a second: slower knocks are not reported
#define BESIDE 2e-3   // metres between boxes of neighbours

// ---------------------------------------------------------------------------------------------------------------
// Falling

// The body where it stands now, with the velocity of the hand that let it go; false: it has no volume to fall with.
static bool begin_fall(fr__hand *hand, const fr_space *space, const fr_hands_settings *settings) {
    if (fr_rebound_body_of(space, hand->object, DENSITY, &hand->falling, NULL) != FR_OK) { return false; }
    hand->falling.velocity = hand->velocity;
    hand->falling.friction = settings->friction;
    hand->falling.restitution = settings->restitution;
    hand->is_falling = true;
    return true;
}

static void report_knock(const fr__hand *hand, fr_wishes *wishes, const fr_fall_output *out, fr_vec3 expected) {
    double speed = fr_vec3_distance(out->body.velocity, expected);
    if (out->contacts == 0 || speed < HEARD) { return; }
    fr_event event = {.kind = FR_EVENT_CONTACT, .a = hand->object, .speed = speed, .point = out->body.center};
    (void)fr_wishes_add_event(wishes, &event, NULL);
}

void fr__hands_wish(fr_wishes *wishes, fr_object_id object, fr_wish_kind kind, const fr_pose *pose) {
    const fr_wish wish = {.object = object, .kind = kind, .pose = *pose};
    (void)fr_wishes_add(wishes, &wish, NULL);
}

void fr__hands_end_fall(fr_hands *h, fr__hand *hand) {
    hand->phase = FR__HAND_OVER;
    if (!hand->is_woken) { fr__hands_remember(h, hand, &hand->shown); }
}

// An object that has left the scene comes back to where it was taken, or above that place where something stands there
// now, and falls from there. False: there is no room yet.
static bool come_back(fr_hands *h, fr__hand *hand, const fr_space *space, fr_wishes *wishes) {
    fr_query_filter filter = fr_default_query_filter();
    filter.as_object = hand->object;
    fr_pose pose = hand->before;
    for (int i = 0; i < HIGHEST; i++) {
        pose.position.y = hand->before.position.y + 0.5 * hand->radius * i;
        if (!fr__hands_is_free(space, &filter, hand->body.parts, hand->body.part_count, &pose)) { continue; }
        if (!fr__hands_reserve(h, hand, &pose)) { continue; }
        fr__hands_wish(wishes, hand->object, FR_WISH_JUMP, &pose);
        hand->shown = pose;
        hand->velocity = fr_vec3_make(0.0, 0.0, 0.0);
        hand->is_falling = false;
        return true;
    }
    return false;
}

void fr__hands_fall(fr_hands *h, fr__hand *hand, const fr_proposal *proposal, fr_wishes *wishes) {
    fr_pose here = fr_object_get(proposal->space, hand->object)->pose;
    hand->shown = here;
    if (!hand->is_falling && !begin_fall(hand, proposal->space, &h->settings)) {
        fr__hands_end_fall(h, hand);
        return;
    }
    fr_query_filter filter = fr_default_query_filter();
    filter.as_object = hand->object;
    fr_fall_input input = fr_default_fall_input();
    input.space = proposal->space;
    input.parts = hand->body.parts;
    input.part_count = hand->body.part_count;
    input.pose = here;
    input.body = hand->falling;
    input.step = proposal->step;
    input.friction = h->settings.friction;
    input.restitution = h->settings.restitution;
    input.filter = &filter;
    input.scratch = h->fall_scratch;
    fr_fall_output out;
    fr_error error = {0};
    if (fr_touch_fall(&input, &out, &error) != FR_OK) {
        fr_log(FR_LOG_WARNING, "an object does not fall: %s", error.message);
        fr__hands_end_fall(h, hand);
        return;
    }
    fr_vec3 expected = fr_vec3_add_scaled(hand->falling.velocity, proposal->step, input.gravity);
    report_knock(hand, wishes, &out, expected);
    hand->falling = out.body;
    hand->shown = out.pose;
    if (hand->before.position.y - out.pose.position.y > DEEPEST && come_back(h, hand, proposal->space, wishes)) {
        return;
    }
    fr__hands_wish(wishes, hand->object, FR_WISH_NEXT, &out.pose);
    // What runs into a wall may stand for a moment before it falls on.
    hand->rested = out.is_resting ? hand->rested + 1 : 0;
    if (hand->rested >= REST_MIN || ++hand->ticks >= LONGEST) { fr__hands_end_fall(h, hand); }
}

static bool moves_by_itself(const fr_hands *h, fr_object_id object) {
    const fr_object_id *moving = h->moving.data;
    for (size_t i = 0; i < h->moving.count; i++) {
        if (fr_object_id_equal(moving[i], object)) { return true; }
    }
    return false;
}

// Whether an object would fall by itself.
static bool may_fall(const fr_hands *h, const fr_space *space, fr_object_id object) {
    const uint32_t never = FR_OBJECT_STATIC | FR_OBJECT_REAL | FR_OBJECT_SENSOR;
    if ((fr_object_get(space, object)->flags & never) != 0 || fr__hands_find(h, object) != NULL) { return false; }
    uint32_t part = fr__hands_part(h, object);
    if (part != FR_NONE && fr_assembly_states(h->assembly)[part].place != FR_NONE) { return false; }
    return !moves_by_itself(h, object) && fr__hands_may_handle(space, object);
}

static void wake(fr_hands *h, const fr_space *space, fr_object_id object) {
    fr__hand *hand = may_fall(h, space, object) ? fr__hands_make(h, space, object) : NULL;
    if (hand == NULL) { return; }
    hand->phase = FR__HAND_FALLS;
    hand->is_woken = true;
}

void fr__hands_wake(fr_hands *h, const fr_space *space) {
    for (size_t i = 0; i < h->turns.count; i++) {
        fr__hands_turn claim = h->turns.data[i];
        for (uint32_t k = 0; k < fr_space_object_places(space); k++) {
            fr_object_id other = fr_space_object_at(space, k);
            fr_bounds bounds;
            if (other.index1 == 0 || fr_object_id_equal(other, claim.object)) { continue; }
            if (fr_object_bounds(space, other, &bounds, NULL) != FR_OK) { continue; }
            bounds = fr_bounds_grow(&bounds, BESIDE);
            if (fr_bounds_overlap(&bounds, &claim.from) && !fr_bounds_overlap(&bounds, &claim.to)) {
                wake(h, space, other);
            }
        }
    }
}

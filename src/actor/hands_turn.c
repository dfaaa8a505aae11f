// Turns: hands that could meet in a tick move one after another, tick by tick.
#include "actor/hands.h"

#include <math.h>

#define TURN_ROOM 1e-3 // metres

static fr__hands_turn turn_of(const fr_hands *h, const fr__hand *hand, const fr_pose *here, double step) {
    fr__hands_turn turn = {.center = fr__hand_center(hand, here), .object = hand->object};
    double reach = fr_vec3_distance(turn.center, fr__hand_center(hand, &hand->raw));
    if (hand->phase == FR__HAND_FALLS) { reach = step * (fr_vec3_length(hand->falling.velocity) + 10.0 * step); }
    uint32_t part = fr__hands_part(h, hand->object);
    if (part != FR_NONE) { reach += fr_assembly_get(h->assembly, part)->tolerance; }
    if (hand->phase == FR__HAND_WAITS || (hand->phase == FR__HAND_FALLS && h->is_paused)) { reach = 0.0; }
    double around = hand->radius;
    if (hand->partner != NULL) {
        fr_vec3 other = fr__hand_center(hand->partner, &hand->partner->shown);
        around = fmax(around, fr_vec3_distance(turn.center, other) + hand->partner->radius);
    }
    turn.radius = 1.1 * around + reach + TURN_ROOM;
    turn.from = turn.to = fr__retained_parts_bounds(&hand->body, here);
    return turn;
}

static bool is_apart(const fr_hands *h, fr_vec3 center, double radius) {
    const fr__hands_turn *turns = h->turns.data;
    for (size_t i = 0; i < h->turns.count; i++) {
        if (fr_vec3_distance(turns[i].center, center) <= turns[i].radius + radius) { return false; }
    }
    return true;
}

// Hands whose objects hold one another go together: who is held to whom is known from the frame before.
void fr__hands_join_partners(const fr_hands *h) {
    fr__hand *const *list = h->list.data;
    for (size_t i = 0; i < h->list.count; i++) {
        fr_aid_join(list[i]->aid, NULL);
        list[i]->partner = NULL;
        list[i]->is_taken = false;
    }
    for (size_t i = 0; i < h->list.count; i++) {
        for (uint32_t k = 0; list[i]->is_aided && k < list[i]->out.held_count; k++) {
            fr__hand *other = fr__hands_find(h, list[i]->out.held[k].pair.other);
            if (other == NULL || !other->is_aided || other->partner != NULL || list[i]->partner != NULL) { continue; }
            fr_aid_join(list[i]->aid, other->aid);
            list[i]->partner = other;
            other->partner = list[i];
        }
    }
}

// Whether a hand may move in this tick: no hand that moves already could meet it.
fr__hands_turn *fr__hands_find_turn(fr_hands *h, const fr__hand *hand, const fr_pose *here, double step) {
    fr__hands_turn turn = turn_of(h, hand, here, step);
    if (h->is_jumping || !is_apart(h, turn.center, turn.radius)) { return NULL; }
    fr__hands_turn *place = fr__hands_turn_array_push(&h->turns, 1);
    if (place != NULL) { *place = turn; }
    return place;
}

bool fr__hands_reserve(fr_hands *h, const fr__hand *hand, const fr_pose *pose) {
    fr__hands_turn turn = {.center = fr__hand_center(hand, pose), .object = hand->object};
    turn.radius = 1.1 * hand->radius + TURN_ROOM;
    turn.from = turn.to = fr__retained_parts_bounds(&hand->body, pose);
    fr__hands_turn *place = is_apart(h, turn.center, turn.radius) ? fr__hands_turn_array_push(&h->turns, 1) : NULL;
    if (place != NULL) { *place = turn; }
    return place != NULL;
}

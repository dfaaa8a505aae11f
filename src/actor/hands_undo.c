// What is undone and redone: placements go back to where they were, with the next tick.
#include "actor/hands.h"

void fr__hands_remember(fr_hands *h, const fr__hand *hand, const fr_pose *after) {
    const fr_placement placement = {hand->object, hand->before, *after};
    (void)fr_undo_remember(h->undo, &placement, NULL);
}

static bool is_place_free(const fr_hands *h, const fr_space *space, fr_object_id object, const fr_pose *pose) {
    fr__retained_parts body;
    if (!fr__retained_parts_take(&body, &h->allocator, space, object)) { return false; }
    fr_query_filter filter = fr_default_query_filter();
    filter.as_object = object;
    bool is_free = fr__hands_is_free(space, &filter, body.parts, body.part_count, pose);
    fr__retained_parts_release(&body);
    return is_free;
}

// An object that still falls counts as placed where it is, so that it can be undone.
static void settle_last(fr_hands *h) {
    fr__hand *const *list = h->list.data;
    for (size_t i = h->list.count; i > 0; i--) {
        fr__hand *last = list[i - 1];
        if (last->phase != FR__HAND_FALLS || last->is_woken) { continue; }
        fr__hands_end_fall(h, last);
        return;
    }
}

fr_status fr__hands_undo(bool is_redo, void *hands, fr_error *error) {
    fr_hands *h = hands;
    // Each sees what the one before it did.
    if (h->jumps.count > 0) { return fr_error_set(error, FR_ERROR_BUSY, "the one before is not done yet"); }
    fr_space *space = fr_world_space(h->world);
    fr_status status = fr_space_update(space, NULL, error);
    if (status != FR_OK) { return status; }
    fr_placement placement;
    if (!is_redo) { settle_last(h); }
    bool is_there = is_redo ? fr_undo_redo(h->undo, space, &placement) : fr_undo_back(h->undo, space, &placement);
    if (!is_there) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, is_redo ? "nothing was taken back" : "nothing was placed");
    }
    fr_pose goal = is_redo ? placement.after : placement.before;
    if (fr_world_hold(h->world, placement.object) == FR_HOLD_HELD) {
        status = fr_error_set(error, FR_ERROR_BUSY, "a person holds it");
    } else if (!is_place_free(h, space, placement.object, &goal)) {
        status = fr_error_set(error, FR_ERROR_BUSY, "its place is not free");
    } else {
        status = fr__hands_take_part(h, placement.object, error);
    }
    fr_placement *jump = status == FR_OK ? fr__placement_array_push(&h->jumps, 1) : NULL;
    if (jump != NULL) {
        *jump = (fr_placement){placement.object, goal, goal};
        return FR_OK;
    }
    // The history stays as it was: the same can be undone later.
    (void)(is_redo ? fr_undo_back(h->undo, space, &placement) : fr_undo_redo(h->undo, space, &placement));
    return status != FR_OK ? status : fr_error_set(error, FR_ERROR_MEMORY, "out of memory");
}

void fr__hands_jump(fr_hands *h, const fr_proposal *proposal, fr_wishes *wishes) {
    const fr_space *space = proposal->space;
    h->is_jumping = h->jumps.count > 0;
    const fr_placement *jumps = h->jumps.data;
    for (size_t i = 0; i < h->jumps.count; i++) {
        fr_object_id object = jumps[i].object;
        if (!fr_object_exists(space, object) || fr_world_hold(h->world, object) == FR_HOLD_HELD) { continue; }
        fr__hand *hand = fr__hands_find(h, object);
        if (hand != NULL) { hand->phase = FR__HAND_OVER; }
        double time = (double)h->calls * proposal->step;
        fr_pose pose = fr__hands_fit_at(h, space, object, &jumps[i].before, time);
        fr__hands_wish(wishes, object, FR_WISH_JUMP, &pose);
    }
    h->jumps.count = 0;
}

#include "world/touch_list.h"

#include "world/event.h"
#include "world/world.h"

void fr__touch_list_make(fr__touch_list *list, const fr_allocator *allocator) {
    list->now = fr_array_make(sizeof(fr_touch), allocator);
    list->after = fr_array_make(sizeof(fr_touch), allocator);
    list->last_id = list->last_id_after = 0;
}

void fr__touch_list_free(fr__touch_list *list) {
    fr_array_free(&list->now);
    fr_array_free(&list->after);
}

// ---------------------------------------------------------------------------------------------------------------
// Comparing

typedef struct comparison {
    fr_world *world;
    const fr_collide_output *sensed;
    uint64_t tick;
} comparison;

static bool add_event(const comparison *c, fr_event_kind kind, const fr_touch *touch) {
    fr_event *event = fr__event_add(c->world, kind, touch->a, touch->b);
    if (event == NULL) { return false; }
    event->id = touch->id;
    return true;
}

static bool keep(const comparison *c, const fr_touch *touch) {
    fr_touch *place = fr_array_push(&c->world->touches.after, 1);
    if (place == NULL) { return false; }
    *place = *touch;
    return true;
}

static bool begin(const comparison *c, const fr_object_pair *pair) {
    fr_touch touch = {.since = c->tick, .relation = pair->relation, .first = pair->first, .count = pair->count};
    touch.a = fr_space_object_at(c->world->space, pair->a);
    touch.b = fr_space_object_at(c->world->space, pair->b);
    touch.id = ++c->world->touches.last_id_after;
    return keep(c, &touch) && add_event(c, FR_EVENT_TOUCH_BEGIN, &touch);
}

// A touch that was not found again: it ended, unless not all was looked at.
static bool miss(const comparison *c, const fr_touch *touch) {
    const fr_space *space = c->world->space;
    bool is_there = fr_object_exists(space, touch->a) && fr_object_exists(space, touch->b);
    if (!c->sensed->partial || !is_there) { return add_event(c, FR_EVENT_TOUCH_END, touch); }
    fr_touch kept = *touch;
    kept.first = kept.count = 0;
    return keep(c, &kept);
}

// The same two places: the same touch, unless one of the objects is another now.
static bool meet(const comparison *c, const fr_touch *touch, const fr_object_pair *pair) {
    const fr_space *space = c->world->space;
    if (!fr_object_exists(space, touch->a) || !fr_object_exists(space, touch->b)) {
        return add_event(c, FR_EVENT_TOUCH_END, touch) && begin(c, pair);
    }
    fr_touch kept = *touch;
    kept.relation = pair->relation;
    kept.first = pair->first;
    kept.count = pair->count;
    return keep(c, &kept);
}

static int compare(const fr_touch *touch, const fr_object_pair *pair) {
    uint32_t a = touch->a.index1 - 1, b = touch->b.index1 - 1;
    if (a != pair->a) { return a < pair->a ? -1 : 1; }
    return (b > pair->b) - (b < pair->b);
}

static bool is_touch(const fr_object_pair *pair) { return pair->relation != FR_RELATION_NEAR; }

bool fr__touches_compare(fr_world *world, const fr_collide_output *sensed, uint64_t tick) {
    fr__touch_list *list = &world->touches;
    const comparison c = {world, sensed, tick};
    list->after.count = 0;
    list->last_id_after = list->last_id;

    // Both lists are sorted by places: one walk over both.
    const fr_touch *before = list->now.data;
    size_t i = 0, k = 0;
    while (true) {
        while (k < sensed->object_pair_count && !is_touch(&sensed->object_pairs[k])) {
            k++;
        }
        bool has_old = i < list->now.count, has_new = k < sensed->object_pair_count;
        if (!has_old && !has_new) { break; }
        int order = !has_old ? 1 : -1;
        if (has_old && has_new) { order = compare(&before[i], &sensed->object_pairs[k]); }
        bool right;
        if (order < 0) {
            right = miss(&c, &before[i++]);
        } else if (order > 0) {
            right = begin(&c, &sensed->object_pairs[k++]);
        } else {
            right = meet(&c, &before[i++], &sensed->object_pairs[k++]);
        }
        if (!right) { return false; }
    }
    return true;
}

bool fr__touches_provide(fr_world *world) {
    fr__touch_list *list = &world->touches;
    return fr_array_reserve(&list->now, list->after.capacity) && fr_array_reserve(&list->after, list->now.capacity);
}

void fr__touches_take(fr_world *world) {
    fr__touch_list *list = &world->touches;
    fr_array old = list->now;
    list->now = list->after;
    list->after = old;
    list->last_id = list->last_id_after;
}

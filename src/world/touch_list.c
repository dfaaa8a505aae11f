// The objects that touch, compared from tick to tick.
#include "world/touch_list.h"

#include "fureai/base_order.h"
#include "world/event.h"
#include "world/world.h"

#include <string.h>

void fr__touch_list_make(fr__touch_list *list, const fr_allocator *allocator) {
    list->now = fr__touch_array_make(allocator);
    list->after = fr__touch_array_make(allocator);
    list->spans = fr__time_span_array_make(allocator);
    list->last_id = list->last_id_after = 0;
}

void fr__touch_list_free(fr__touch_list *list) {
    fr__touch_array_destroy(&list->now);
    fr__touch_array_destroy(&list->after);
    fr__time_span_array_destroy(&list->spans);
}

// ---------------------------------------------------------------------------------------------------------------
// When two objects touched

// Adds a span and merges it with those that it meets. The list stays sorted and is short, because most intervals of two
// objects overlap.
static bool add_span(fr__time_span_array *spans, double begin, double end) {
    fr__time_span *list = spans->data;
    size_t first = spans->count;
    while (first > 0 && list[first - 1].end + FR__SPAN_GAP >= begin) {
        first--;
    }
    size_t past = first;
    while (past < spans->count && list[past].begin <= end + FR__SPAN_GAP) {
        begin = list[past].begin < begin ? list[past].begin : begin;
        end = list[past].end > end ? list[past].end : end;
        past++;
    }
    if (past == first) {
        if (fr__time_span_array_push(spans, 1) == NULL) { return false; }
        list = spans->data;
        memmove(&list[first + 1], &list[first], (spans->count - 1 - first) * sizeof *list);
    } else {
        memmove(&list[first + 1], &list[past], (spans->count - past) * sizeof *list);
        spans->count -= past - first - 1;
    }
    list[first] = (fr__time_span){begin, end};
    return true;
}

static bool interval_is_before(const fr_touch_interval *interval, size_t pair) { return interval->pair < pair; }

FR_SEARCH_TYPE(find_interval, fr_touch_interval, size_t, interval_is_before);

static bool is_inside(fr_relation relation) {
    return relation == FR_RELATION_A_INSIDE || relation == FR_RELATION_B_INSIDE;
}

// ---------------------------------------------------------------------------------------------------------------
// Comparing

static bool add_event(fr_world *world, fr_event_kind kind, const fr_touch *touch, double fraction) {
    fr_event *event = fr__event_add(world, kind, touch->a, touch->b);
    if (event == NULL) { return false; }
    event->id = touch->id;
    event->fraction = fraction;
    return true;
}

static bool keep(fr_world *world, const fr_touch *touch) {
    fr_touch *place = fr__touch_array_push(&world->touches.after, 1);
    if (place == NULL) { return false; }
    *place = *touch;
    return true;
}

// The data of two objects: their touch so far, and their pairs at the poses and over the step; each may be NULL.
typedef struct touch_record {
    uint32_t a, b; // their places
    const fr_touch *before;
    const fr_object_pair *now, *step;
} touch_record;

static bool is_there(const fr_world *world, const fr_touch *touch) {
    return fr_object_exists(world->space, touch->a) && fr_object_exists(world->space, touch->b);
}

static fr_touch new_touch(fr_world *world, const touch_record *m) {
    fr_touch touch = {.since = world->tick};
    touch.a = fr_space_object_at(world->space, m->a);
    touch.b = fr_space_object_at(world->space, m->b);
    touch.id = ++world->touches.last_id_after;
    return touch;
}

// A touch that lasts: what it is now.
static bool keep_now(fr_world *world, const touch_record *m, fr_touch touch) {
    touch.relation = m->now != NULL ? m->now->relation : FR_RELATION_NEAR;
    touch.first = m->now != NULL ? m->now->first : 0;
    touch.count = m->now != NULL ? m->now->count : 0;
    return keep(world, &touch);
}

// Compares by the poses alone. A touch that was not found again ended, unless the result is partial.
static bool compare_poses(fr_world *world, const touch_record *m) {
    bool is_partial = world->pose_result.is_partial || world->step_result.is_partial;
    bool goes_on = m->before != NULL && is_there(world, m->before);
    if (m->before != NULL && !(goes_on && (m->now != NULL || is_partial))) {
        if (!add_event(world, FR_EVENT_TOUCH_END, m->before, 1.0)) { return false; }
        goes_on = false;
    }
    if (m->now != NULL && goes_on) { return keep_now(world, m, *m->before); }
    if (goes_on) {
        fr_touch kept = *m->before;
        kept.first = kept.count = 0;
        return keep(world, &kept);
    }
    if (m->now == NULL) { return true; }
    fr_touch touch = new_touch(world, m);
    return keep_now(world, m, touch) && add_event(world, FR_EVENT_TOUCH_BEGIN, &touch, 1.0);
}

// When the two touched: their faces, and before and after that one inside the other. What is inside touches nothing
// until it comes to the surface.
static bool find_spans(fr_world *world, const touch_record *m) {
    fr__time_span_array *spans = &world->touches.spans;
    const fr_collide_output *step = &world->step_result;
    spans->count = 0;
    size_t first = m->step != NULL ? m->step->first : 0, count = m->step != NULL ? m->step->count : 0;
    for (size_t i = find_interval(step->intervals, step->interval_count, first); i < step->interval_count; i++) {
        const fr_touch_interval *interval = &step->intervals[i];
        if (interval->pair >= first + count) { break; }
        if (!add_span(spans, interval->begin, interval->end)) { return false; }
    }
    bool was_inside =
        (m->before != NULL && is_inside(m->before->relation)) || (m->step != NULL && is_inside(m->step->relation));
    bool is_now_inside = m->now != NULL && is_inside(m->now->relation);
    const fr__time_span *list = spans->data;
    double begins = spans->count > 0 ? list[0].begin : 1.0;
    double ends = spans->count > 0 ? list[spans->count - 1].end : 0.0;
    if (was_inside && (spans->count > 0 || is_now_inside) && !add_span(spans, 0.0, begins)) { return false; }
    if (is_now_inside && !add_span(spans, ends, 1.0)) { return false; }
    return m->now == NULL || add_span(spans, 1.0, 1.0);
}

// Compares by the step: the old touch continues where a span begins with the step; the last span continues where it
// reaches the end.
static bool compare_step(fr_world *world, const touch_record *m) {
    if (!find_spans(world, m)) { return false; }
    const fr__time_span *list = world->touches.spans.data;
    size_t count = world->touches.spans.count;
    bool goes_on = m->before != NULL && is_there(world, m->before) && count > 0 && list[0].begin <= FR__SPAN_GAP;
    if (m->before != NULL && !goes_on && !add_event(world, FR_EVENT_TOUCH_END, m->before, 0.0)) { return false; }
    for (size_t i = 0; i < count; i++) {
        fr_touch touch = i == 0 && goes_on ? *m->before : new_touch(world, m);
        bool is_new = !(i == 0 && goes_on);
        if (is_new && !add_event(world, FR_EVENT_TOUCH_BEGIN, &touch, list[i].begin)) { return false; }
        bool lasts = list[i].end >= 1.0;
        if (lasts ? !keep_now(world, m, touch) : !add_event(world, FR_EVENT_TOUCH_END, &touch, list[i].end)) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

// Places as one number, in the order of the lists; behind all of them where a list is at its end.
static uint64_t key(uint32_t a, uint32_t b) { return (uint64_t)a << 32 | b; }

static uint64_t key_of_touch(const fr__touch_array *touches, size_t i) {
    if (i >= touches->count) { return UINT64_MAX; }
    const fr_touch *touch = &touches->data[i];
    return key(touch->a.index1 - 1, touch->b.index1 - 1);
}

static uint64_t key_of_pair(const fr_collide_output *output, size_t i) {
    return i < output->object_pair_count ? key(output->object_pairs[i].a, output->object_pairs[i].b) : UINT64_MAX;
}

static size_t skip_near(const fr_collide_output *output, size_t i) {
    while (i < output->object_pair_count && output->object_pairs[i].relation == FR_RELATION_NEAR) {
        i++;
    }
    return i;
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

bool fr__touches_compare(fr_world *world) {
    fr__touch_list *list = &world->touches;
    const fr_collide_output *poses = &world->pose_result, *step = &world->step_result;
    bool by_step = world->sense == FR_SENSE_CONTINUOUS && !step->is_partial && !poses->is_partial;
    list->after.count = 0;
    list->last_id_after = list->last_id;

    // All lists are sorted by places: one walk over them.
    size_t i = 0, k = skip_near(poses, 0), o = by_step ? 0 : step->object_pair_count;
    while (true) {
        uint64_t before = key_of_touch(&list->now, i), now = key_of_pair(poses, k), on_step = key_of_pair(step, o);
        uint64_t next = smaller(before, smaller(now, on_step));
        if (next == UINT64_MAX) { return true; }
        touch_record m = {.a = (uint32_t)(next >> 32), .b = (uint32_t)next};
        if (before == next) { m.before = list->now.data + i++; }
        if (now == next) { m.now = &poses->object_pairs[k]; }
        if (on_step == next) { m.step = &step->object_pairs[o++]; }
        if (!(by_step ? compare_step(world, &m) : compare_poses(world, &m))) { return false; }
        if (now == next) { k = skip_near(poses, k + 1); }
    }
}

bool fr__touches_provide(fr_world *world) {
    fr__touch_list *list = &world->touches;
    return fr__touch_array_reserve(&list->now, list->after.capacity) &&
           fr__touch_array_reserve(&list->after, list->now.capacity);
}

void fr__touches_take(fr_world *world) {
    fr__touch_list *list = &world->touches;
    fr__touch_array old = list->now;
    list->now = list->after;
    list->after = old;
    list->last_id = list->last_id_after;
}

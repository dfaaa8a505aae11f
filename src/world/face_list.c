// The faces that touch, compared from tick to tick.
#include "world/face_list.h"

#include "world/touch_list.h"
#include "world/world.h"

void fr__face_list_make(fr__face_list *list, const fr_allocator *allocator) {
    list->now = fr__face_touch_array_make(allocator);
    list->after = fr__face_touch_array_make(allocator);
    list->last_id = list->last_id_after = 0;
}

void fr__face_list_free(fr__face_list *list) {
    fr__face_touch_array_destroy(&list->now);
    fr__face_touch_array_destroy(&list->after);
}

// ---------------------------------------------------------------------------------------------------------------
// Two faces

// Times of a step as seconds of the world.
typedef struct clock {
    double end, step; // of the step; 0 long while time stands still
} clock;

static double seconds(const clock *c, double fraction) { return c->end - (1.0 - fraction) * c->step; }

// The places of two faces, in the order of all lists.
typedef struct face_key {
    uint32_t a, b, triangle_a, triangle_b;
} face_key;

static const face_key no_key = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

static int compare_keys(const face_key *x, const face_key *y) {
    if (x->a != y->a) { return x->a < y->a ? -1 : 1; }
    if (x->b != y->b) { return x->b < y->b ? -1 : 1; }
    if (x->triangle_a != y->triangle_a) { return x->triangle_a < y->triangle_a ? -1 : 1; }
    return (x->triangle_b > y->triangle_b) - (x->triangle_b < y->triangle_b);
}

// The data of two faces: the touch that lasted so far, and the detected pair; each may be NULL.
typedef struct face_record {
    const fr_face_touch *before;
    const fr_face_pair *pair;
    uint32_t index;                     // of the pair
    const fr_touch_interval *intervals; // of the pair, over a step
    size_t count;
} face_record;

// The touch that lasted so far. Time may have been set back since (fr_world_set_tick): it began before this tick.
static fr_face_touch old_touch(const face_record *m, const clock *c) {
    fr_face_touch touch = *m->before;
    touch.is_new = false;
    double latest = seconds(c, 0.0);
    touch.begin = touch.begin < latest ? touch.begin : latest;
    return touch;
}

static bool is_there(const fr_world *world, const fr_face_touch *touch) {
    return fr_object_exists(world->space, touch->a) && fr_object_exists(world->space, touch->b);
}

static bool add_touch(fr_world *world, fr_face_touch touch, uint32_t pair, double end) {
    fr_face_touch *place = fr__face_touch_array_push(&world->faces.after, 1);
    if (place == NULL) { return false; }
    touch.pair = pair;
    touch.end = end;
    *place = touch;
    return true;
}

static fr_face_touch begin_touch(fr_world *world, const face_record *m, double begin) {
    fr_face_touch touch = {
        .begin = begin, .is_new = true, .triangle_a = m->pair->triangle_a, .triangle_b = m->pair->triangle_b};
    touch.a = fr_space_object_at(world->space, m->pair->a);
    touch.b = fr_space_object_at(world->space, m->pair->b);
    touch.id = ++world->faces.last_id_after;
    return touch;
}

// Compares by the poses: a pair that is found continues or begins now; a touch that is not found again ended, unless
// the result is partial.
static bool compare_poses(fr_world *world, const face_record *m, const clock *c) {
    bool goes_on = m->before != NULL && is_there(world, m->before);
    bool is_kept = goes_on && (m->pair != NULL || world->pose_result.is_partial);
    if (m->before != NULL && !is_kept && !add_touch(world, old_touch(m, c), FR_NONE, c->end)) { return false; }
    if (is_kept) { return add_touch(world, old_touch(m, c), m->pair != NULL ? m->index : FR_NONE, FR_UNKNOWN); }
    return m->pair == NULL || add_touch(world, begin_touch(world, m, c->end), m->index, FR_UNKNOWN);
}

// Compares by the step: the old touch continues where an interval begins with the step; the last interval continues
// where it reaches the end.
static bool compare_step(fr_world *world, const face_record *m, const clock *c) {
    bool is_before_there = m->before != NULL && is_there(world, m->before);
    bool goes_on = is_before_there && m->count > 0 && m->intervals[0].begin <= FR__SPAN_GAP;
    if (is_before_there && m->count == 0 && world->step_result.is_partial) {
        return add_touch(world, old_touch(m, c), FR_NONE, FR_UNKNOWN);
    }
    if (m->before != NULL && !goes_on && !add_touch(world, old_touch(m, c), FR_NONE, seconds(c, 0.0))) { return false; }
    for (size_t i = 0; i < m->count; i++) {
        bool is_old = i == 0 && goes_on;
        fr_face_touch touch = is_old ? old_touch(m, c) : begin_touch(world, m, seconds(c, m->intervals[i].begin));
        bool lasts = m->intervals[i].end >= 1.0;
        double end = lasts ? FR_UNKNOWN : seconds(c, m->intervals[i].end);
        if (!add_touch(world, touch, m->index, end)) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

// The walk over the detected pairs in their order, and the beginning of the next one's intervals.
typedef struct walk {
    const fr_collide_output *output;
    bool by_step;
    size_t pair, interval;
} walk;

// A touch that lasts, at place i or behind it.
static size_t find_lasting(const fr__face_touch_array *touches, size_t i) {
    const fr_face_touch *list = touches->data;
    while (i < touches->count && !fr__face_lasts(&list[i])) {
        i++;
    }
    return i;
}

static face_key key_of_touch(const fr__face_touch_array *touches, size_t i) {
    if (i >= touches->count) { return no_key; }
    const fr_face_touch *touch = &touches->data[i];
    return (face_key){touch->a.index1 - 1, touch->b.index1 - 1, touch->triangle_a, touch->triangle_b};
}

// Pairs that are only within a margin at the poses do not touch.
static void skip_near(walk *w) {
    const fr_collide_output *output = w->output;
    while (!w->by_step && w->pair < output->pair_count && (output->pairs[w->pair].flags & FR_CONTACT_NEAR) != 0) {
        w->pair++;
    }
}

static face_key key_of_pair(const walk *w) {
    if (w->pair >= w->output->pair_count) { return no_key; }
    const fr_face_pair *pair = &w->output->pairs[w->pair];
    return (face_key){pair->a, pair->b, pair->triangle_a, pair->triangle_b};
}

static void take_pair(walk *w, face_record *m) {
    const fr_collide_output *output = w->output;
    m->pair = &output->pairs[w->pair];
    m->index = (uint32_t)w->pair;
    m->intervals = output->intervals != NULL ? output->intervals + w->interval : NULL;
    while (w->by_step && w->interval < output->interval_count && output->intervals[w->interval].pair == w->pair) {
        w->interval++;
        m->count++;
    }
    w->pair++;
    skip_near(w);
}

bool fr__faces_compare(fr_world *world, bool is_paused) {
    fr__face_list *list = &world->faces;
    list->after.count = 0;
    list->last_id_after = list->last_id;
    if (world->want < FR_WANT_INTERVALS) { return true; }
    clock c = {fr_world_time(world), is_paused ? 0.0 : world->step};
    walk w = {.by_step = world->sense == FR_SENSE_CONTINUOUS};
    w.output = w.by_step ? &world->step_result : &world->pose_result;
    skip_near(&w);

    // Both lists are sorted by places and triangles: one walk over them.
    size_t i = find_lasting(&list->now, 0);
    while (i < list->now.count || w.pair < w.output->pair_count) {
        face_key before = key_of_touch(&list->now, i), now = key_of_pair(&w);
        int order = compare_keys(&before, &now);
        face_record m = {0};
        if (order <= 0) {
            m.before = list->now.data + i;
            i = find_lasting(&list->now, i + 1);
        }
        if (order >= 0) { take_pair(&w, &m); }
        if (!(w.by_step ? compare_step(world, &m, &c) : compare_poses(world, &m, &c))) { return false; }
    }
    return true;
}

bool fr__faces_provide(fr_world *world) {
    fr__face_list *list = &world->faces;
    return fr__face_touch_array_reserve(&list->now, list->after.capacity) &&
           fr__face_touch_array_reserve(&list->after, list->now.capacity);
}

void fr__faces_take(fr_world *world) {
    fr__face_list *list = &world->faces;
    fr__face_touch_array old = list->now;
    list->now = list->after;
    list->after = old;
    list->last_id = list->last_id_after;
}

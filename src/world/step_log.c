// The log of a run: rows of steps, spans of touches and other events, collected from snapshots.
#include "fureai/base_order.h"
#include "fureai/world.h"

#include <math.h>
#include <string.h>

FR_ARRAY_TYPE(step_row_array, fr_step_row);
FR_ARRAY_TYPE(touch_span_array, fr_touch_span);
FR_ARRAY_TYPE(change_array, fr_event);

struct fr_step_log {
    fr_step_log_view view; // its lists are set when it is read
    step_row_array steps;
    touch_span_array touches;
    change_array changes;
    uint64_t ended, lasting; // contacts of faces: ended so far; of the newest snapshot
    fr_allocator allocator;
};

// ---------------------------------------------------------------------------------------------------------------
// One snapshot

static bool is_over_step(const fr_snapshot *snapshot) { return snapshot->sense == FR_SENSE_CONTINUOUS; }

// While time stands still there is no step.
static bool has_step(const fr_snapshot *snapshot) { return !is_over_step(snapshot) || !snapshot->is_paused; }

// Pairs of objects whose faces met during the step, and those inside others that met none. Both lists are sorted.
static uint64_t count_touches(const fr_snapshot *snapshot) {
    if (!is_over_step(snapshot)) { return snapshot->touch_count; }
    const fr_face_pair *pairs = snapshot->step_result.pairs;
    size_t count = 0, k = 0;
    for (size_t i = 0; i < snapshot->step_result.pair_count; i++) {
        if (i > 0 && pairs[i].a == pairs[i - 1].a && pairs[i].b == pairs[i - 1].b) { continue; }
        count++;
        while (k < snapshot->touch_count) {
            const fr_touch *touch = &snapshot->touches[k];
            uint32_t a = touch->a.index1 - 1, b = touch->b.index1 - 1;
            bool is_before = a != pairs[i].a ? a < pairs[i].a : b < pairs[i].b;
            bool is_same = a == pairs[i].a && b == pairs[i].b;
            if (!is_before && !is_same) { break; }
            count += is_before;
            k++;
        }
    }
    return count + (snapshot->touch_count - k);
}

fr_step_row fr_snapshot_step_row(const fr_snapshot *snapshot) {
    FR_ASSERT(snapshot != NULL);
    fr_step_row row = {.step = snapshot->tick, .time = snapshot->time, .pairs = snapshot->pair_count};
    if (is_over_step(snapshot)) {
        row.step = snapshot->tick - 1;
        row.time = (double)row.step * snapshot->step;
        if (has_step(snapshot)) { row.pairs = snapshot->step_result.pair_count; }
    }
    row.touches = count_touches(snapshot);
    return row;
}

// ---------------------------------------------------------------------------------------------------------------
// The log

fr_status fr_step_log_create(const fr_allocator *allocator, fr_step_log **out, fr_error *error) {
    FR_ASSERT(out != NULL);
    fr_allocator from = allocator != NULL ? *allocator : fr_default_allocator();
    *out = fr_allocate(&from, 1, sizeof **out, _Alignof(fr_step_log));
    if (*out == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the log of a run"); }
    **out = (fr_step_log){.view.free_until = (double)INFINITY,
                          .steps = step_row_array_make(&from),
                          .touches = touch_span_array_make(&from),
                          .changes = change_array_make(&from),
                          .allocator = from};
    return FR_OK;
}

void fr_step_log_destroy(fr_step_log *log) {
    if (log == NULL) { return; }
    fr_allocator from = log->allocator;
    step_row_array_destroy(&log->steps);
    touch_span_array_destroy(&log->touches);
    change_array_destroy(&log->changes);
    fr_deallocate(&from, log, 1, sizeof *log);
}

static bool span_is_before_id(const fr_touch_span *span, uint64_t id) { return span->id < id; }

FR_SEARCH_TYPE(find_span, fr_touch_span, uint64_t, span_is_before_id);

static bool add_touch(fr_step_log *log, const fr_event *event) {
    touch_span_array *touches = &log->touches;
    size_t at = find_span(touches->data, touches->count, event->id);
    if (at == touches->count || touches->data[at].id != event->id) {
        if (touch_span_array_push(touches, 1) == NULL) { return false; }
        memmove(&touches->data[at + 1], &touches->data[at], (touches->count - 1 - at) * sizeof *touches->data);
        touches->data[at] = (fr_touch_span){event->a, event->b, event->id, FR_UNKNOWN, FR_UNKNOWN};
    }
    bool is_begin = event->kind == FR_EVENT_TOUCH_BEGIN;
    *(is_begin ? &touches->data[at].begin : &touches->data[at].end) = event->time;
    *(is_begin ? &log->view.begins : &log->view.ends) += 1;
    return true;
}

static bool add_events(fr_step_log *log, const fr_snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *event = &snapshot->events[i];
        if (event->kind == FR_EVENT_TOUCH_BEGIN || event->kind == FR_EVENT_TOUCH_END) {
            if (!add_touch(log, event)) { return false; }
            continue;
        }
        fr_event *place = change_array_push(&log->changes, 1);
        if (place == NULL) { return false; }
        *place = *event;
    }
    return true;
}

static bool add_row(fr_step_log *log, const fr_snapshot *snapshot) {
    fr_step_row *row = step_row_array_push(&log->steps, 1);
    if (row == NULL) { return false; }
    *row = fr_snapshot_step_row(snapshot);
    log->view.colliding += row->pairs > 0;
    if (row->pairs > log->view.max_pairs) {
        log->view.max_pairs = row->pairs;
        log->view.max_pairs_step = row->step;
    }
    return true;
}

static void add_face_touches(fr_step_log *log, const fr_snapshot *snapshot) {
    log->lasting = 0;
    for (size_t i = 0; i < snapshot->face_touch_count; i++) {
        const fr_face_touch *touch = &snapshot->face_touches[i];
        log->view.free_until = fmin(log->view.free_until, touch->begin);
        *(fr_is_unknown(touch->end) ? &log->lasting : &log->ended) += 1;
    }
}

// A part that was stopped is no step, but it is known how far nothing collides.
static void add_partial(fr_step_log *log, const fr_snapshot *snapshot) {
    fr_step_log_view *view = &log->view;
    bool is_moving = !snapshot->is_paused;
    view->is_partial = true;
    view->until = snapshot->time - (is_moving ? snapshot->step : 0.0);
    if (!is_over_step(snapshot)) { return; }
    double length = is_moving ? snapshot->step : 0.0;
    view->free_until = fmin(view->free_until, snapshot->time - length * (1.0 - snapshot->step_result.free_time));
}

fr_status fr_step_log_add(fr_step_log *log, const fr_snapshot *snapshot, fr_error *error) {
    FR_ASSERT(log != NULL && snapshot != NULL);
    log->view.sense = snapshot->sense;
    if (snapshot->is_partial) {
        add_partial(log, snapshot);
        return FR_OK;
    }
    log->view.until = snapshot->time;
    add_face_touches(log, snapshot);
    bool has_row = !has_step(snapshot) || add_row(log, snapshot);
    bool has_events = add_events(log, snapshot);
    return has_row && has_events ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "no memory for the log of a run");
}

fr_step_log_view fr_step_log_get(const fr_step_log *log) {
    FR_ASSERT(log != NULL);
    fr_step_log_view view = log->view;
    view.steps = log->steps.data;
    view.step_count = log->steps.count;
    view.touches = log->touches.data;
    view.touch_count = log->touches.count;
    view.changes = log->changes.data;
    view.change_count = log->changes.count;
    view.contacts = log->ended + log->lasting;
    return view;
}

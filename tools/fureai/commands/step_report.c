// The report of the steps of a world: counts, events and contacts of faces.
#include "step_report.h"

#include "csv.h"

#include <string.h>

// A step, or with FR_SENSE_STATIC an instant.
typedef struct step_row {
    uint64_t step;
    double time; // at its beginning, seconds
    uint64_t count, touches;
} step_row;

// Two objects that touched. A record may begin in the middle of a touch, whose begin is not known then.
typedef struct touch_row {
    fr_object_id a, b;
    uint64_t id;
    double begin, end;
} touch_row;

// The name of an object, or a word for one that is gone.
static const char *name_of(const fr_world *world, fr_object_id id, char *text, size_t size) {
    const char *name = fr_world_label(world, id).name;
    if (name[0] != '\0') { return name; }
    snprintf(text, size, "object %u", (unsigned)id.index1);
    return text;
}

static bool is_touch(const fr_event *event) {
    return event->kind == FR_EVENT_TOUCH_BEGIN || event->kind == FR_EVENT_TOUCH_END;
}

// ---------------------------------------------------------------------------------------------------------------
// What a snapshot says about its step

static bool is_over_step(const fr_snapshot *snapshot) { return snapshot->sense == FR_SENSE_CONTINUOUS; }

// While time stands still there is no step.
static bool has_step(const fr_snapshot *snapshot) { return !is_over_step(snapshot) || !snapshot->is_paused; }

static size_t count_pairs(const fr_snapshot *snapshot) {
    return is_over_step(snapshot) && has_step(snapshot) ? snapshot->step_result.pair_count : snapshot->pair_count;
}

// Objects whose faces met during the step, and those inside others that met none.
static size_t count_objects(const fr_snapshot *snapshot) {
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

static step_row row_of(const fr_snapshot *snapshot) {
    step_row row = {.step = snapshot->tick, .time = snapshot->time};
    if (is_over_step(snapshot)) {
        row.step = snapshot->tick - 1;
        row.time = (double)row.step * snapshot->step;
    }
    row.count = count_pairs(snapshot);
    row.touches = count_objects(snapshot);
    return row;
}

// ---------------------------------------------------------------------------------------------------------------
// As text

static void print_event(tool *t, const fr_world *world, fr_sense sense, const fr_event *event) {
    char a[32], b[32];
    if (!is_touch(event) && event->kind != FR_EVENT_LIMIT) { return; }
    tool_print(t, "  ");
    tool_print_name(t, name_of(world, event->a, a, sizeof a));
    if (!is_touch(event)) {
        tool_print(t, " comes to its %s limit\n", event->value < 0.0 ? "low" : "high");
        return;
    }
    tool_print(t, " and ");
    tool_print_name(t, name_of(world, event->b, b, sizeof b));
    tool_print(t, event->kind == FR_EVENT_TOUCH_BEGIN ? " begin to touch" : " are apart again");
    if (sense == FR_SENSE_CONTINUOUS) { tool_print(t, " at %g s", event->time); }
    tool_print(t, "\n");
}

static bool is_worth_a_line(const fr_snapshot *snapshot) {
    bool is_worth = count_pairs(snapshot) > 0 || snapshot->touch_count > 0;
    for (size_t i = 0; i < snapshot->event_count && !is_worth; i++) {
        is_worth = is_touch(&snapshot->events[i]) || snapshot->events[i].kind == FR_EVENT_LIMIT;
    }
    return is_worth;
}

static void print_step(tool *t, const fr_world *world, const fr_snapshot *snapshot) {
    if (t->json || !is_worth_a_line(snapshot)) { return; }
    step_row row = row_of(snapshot);
    if (!has_step(snapshot)) {
        tool_print(t, "at %g s", snapshot->time);
    } else if (is_over_step(snapshot)) {
        tool_print(t, "step %llu, %g s to %g s", (unsigned long long)row.step, row.time, snapshot->time);
    } else {
        tool_print(t, "step %llu, %g s", (unsigned long long)row.step, row.time);
    }
    tool_print(t, ": %llu %s of faces of %llu %s of objects\n", (unsigned long long)row.count,
               row.count == 1 ? "pair" : "pairs", (unsigned long long)row.touches, row.touches == 1 ? "pair" : "pairs");
    for (size_t i = 0; i < snapshot->event_count; i++) {
        print_event(t, world, snapshot->sense, &snapshot->events[i]);
    }
}

static void print_end(const step_report *report) {
    tool *t = report->tool;
    bool is_over = report->sense == FR_SENSE_CONTINUOUS;
    const char *one = is_over ? "step" : "instant", *many = is_over ? "steps" : "instants";
    if (report->is_partial) { tool_print(t, "stopped at %g s, the report is a part: ", report->until); }
    tool_print(t, "%zu %s, %llu with colliding faces", report->steps.count, report->steps.count == 1 ? one : many,
               (unsigned long long)report->colliding);
    if (report->most > 0) {
        tool_print(t, ", most %s step %llu: %llu", is_over ? "in" : "at", (unsigned long long)report->most_step,
                   (unsigned long long)report->most);
    }
    tool_print(t, "; %llu %s began, %llu ended", (unsigned long long)report->begins,
               report->begins == 1 ? "touch" : "touches", (unsigned long long)report->ends);
    if (is_over && report->contacts > 0) {
        tool_print(t, "; %llu %s of faces, the first at %g s", (unsigned long long)report->contacts,
                   report->contacts == 1 ? "contact" : "contacts", report->free_until);
    }
    tool_print(t, "\n");
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts of faces, as they end

static void write_contact(fr_json_writer *j, const char *a, const char *b, const fr_face_touch *touch) {
    fr_json_write_object(j);
    json_fields(j, "a", a, "b", b, "triangle_a", touch->triangle_a, "triangle_b", touch->triangle_b, "id", touch->id,
                "begin", touch->begin, "end", touch->end);
    fr_json_write_object_end(j);
}

static void tabulate_contact(output_file *file, const char *a, const char *b, const fr_face_touch *touch) {
    csv_text(file, a);
    output_file_write(file, ",", 1);
    csv_text(file, b);
    output_file_print(file, ",%u,%u,%llu", touch->triangle_a, touch->triangle_b, (unsigned long long)touch->id);
    csv_number(file, touch->begin);
    csv_number(file, touch->end);
    output_file_write(file, "\n", 1);
}

// Those that have ended, or those that last.
static void report_contacts(step_report *report, const fr_world *world, const fr_snapshot *snapshot, bool lasting) {
    fr_json_writer *j = tool_json(report->tool);
    for (size_t i = 0; i < snapshot->face_touch_count; i++) {
        const fr_face_touch *touch = &snapshot->face_touches[i];
        if (touch->begin < report->free_until) { report->free_until = touch->begin; }
        if (fr_is_unknown(touch->end) != lasting) { continue; }
        char text_a[32], text_b[32];
        const char *a = name_of(world, touch->a, text_a, sizeof text_a);
        const char *b = name_of(world, touch->b, text_b, sizeof text_b);
        report->contacts++;
        if (j != NULL) { write_contact(j, a, b, touch); }
        if (report->table != NULL) { tabulate_contact(report->table, a, b, touch); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What a document has at its end

static void write_touches(fr_json_writer *j, const step_report *report, const fr_world *world) {
    const touch_row *rows = report->touches.data;
    fr_json_write_key(j, "touches");
    fr_json_write_array(j);
    for (size_t i = 0; i < report->touches.count; i++) {
        char a[32], b[32];
        fr_json_write_object(j);
        json_fields(j, "a", name_of(world, rows[i].a, a, sizeof a), "b", name_of(world, rows[i].b, b, sizeof b), "id",
                    rows[i].id, "begin", rows[i].begin, "end", rows[i].end);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static const char *const kind_names[] = {
    [FR_EVENT_ADDED] = "added",         [FR_EVENT_REMOVED] = "removed",   [FR_EVENT_TOUCH_BEGIN] = "touch_begin",
    [FR_EVENT_TOUCH_END] = "touch_end", [FR_EVENT_LIMIT] = "limit",       [FR_EVENT_STATE] = "state",
    [FR_EVENT_HELD] = "held",           [FR_EVENT_RELEASED] = "released", [FR_EVENT_CORRECTED] = "corrected",
    [FR_EVENT_CONTACT] = "contact",     [FR_EVENT_SNAP] = "snap",         [FR_EVENT_SLIDE] = "slide",
    [FR_EVENT_PULL] = "pull",           [FR_EVENT_LOOSE] = "loose",       [FR_EVENT_DONE] = "done",
    [FR_EVENT_FITTED] = "fitted",       [FR_EVENT_FORCE] = "force",
};

static bool has_value(fr_event_kind kind) {
    return kind == FR_EVENT_STATE || kind == FR_EVENT_LIMIT || kind == FR_EVENT_CORRECTED || kind == FR_EVENT_FORCE;
}

static void write_changes(fr_json_writer *j, const step_report *report, const fr_world *world) {
    const fr_event *events = report->changes.data;
    fr_json_write_key(j, "changes");
    fr_json_write_array(j);
    for (size_t i = 0; i < report->changes.count; i++) {
        const fr_event *event = &events[i];
        char text[32], other[32];
        fr_json_write_object(j);
        json_fields(j, "kind", kind_names[event->kind], "time", event->time, "a",
                    name_of(world, event->a, text, sizeof text));
        if (event->kind == FR_EVENT_STATE) { fr_json_write_string_field(j, "state", event->state); }
        if (event->b.index1 != 0) { fr_json_write_string_field(j, "b", name_of(world, event->b, other, sizeof other)); }
        if (has_value(event->kind)) { fr_json_write_number_field(j, "value", event->value); }
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_steps(fr_json_writer *j, const step_report *report) {
    const step_row *rows = report->steps.data;
    fr_json_write_key(j, "steps");
    fr_json_write_array(j);
    for (size_t i = 0; i < report->steps.count; i++) {
        fr_json_write_object(j);
        json_fields(j, "step", rows[i].step, "time", rows[i].time, "count", rows[i].count, "touches", rows[i].touches);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_end(fr_json_writer *j, const step_report *report, const fr_world *world) {
    fr_json_write_array_end(j);
    write_touches(j, report, world);
    write_changes(j, report, world);
    write_steps(j, report);
    json_fields(j, "sense", report->sense == FR_SENSE_CONTINUOUS ? "continuous" : "static", "partial",
                report->is_partial, "until", report->until);
    if (report->sense == FR_SENSE_CONTINUOUS) { fr_json_write_number_field(j, "free_until", report->free_until); }
    json_fields(j, "colliding", report->colliding, "begins", report->begins, "ends", report->ends);
    fr_json_write_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// Keeping

// The row of a touch, by its id. Ids grow along the list.
static size_t find_touch(const fr_array *touches, uint64_t id) {
    const touch_row *rows = touches->data;
    size_t low = 0, high = touches->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void keep_touch(step_report *report, const fr_event *event) {
    fr_array *touches = &report->touches;
    size_t at = find_touch(touches, event->id);
    touch_row *rows = touches->data;
    bool is_known = at < touches->count && rows[at].id == event->id;
    if (!is_known) {
        if (fr_array_push(touches, 1) == NULL) {
            report->lacks_memory = true;
            return;
        }
        rows = touches->data;
        memmove(&rows[at + 1], &rows[at], (touches->count - 1 - at) * sizeof *rows);
        rows[at] = (touch_row){event->a, event->b, event->id, FR_UNKNOWN, FR_UNKNOWN};
    }
    bool is_begin = event->kind == FR_EVENT_TOUCH_BEGIN;
    *(is_begin ? &rows[at].begin : &rows[at].end) = event->time;
    *(is_begin ? &report->begins : &report->ends) += 1;
}

static void keep_events(step_report *report, const fr_snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *event = &snapshot->events[i];
        if (is_touch(event)) {
            keep_touch(report, event);
            continue;
        }
        fr_event *place = report->tool->json ? fr_array_push(&report->changes, 1) : NULL;
        if (place != NULL) { *place = *event; }
        report->lacks_memory |= place == NULL && report->tool->json;
    }
}

static void keep_step(step_report *report, const fr_snapshot *snapshot) {
    if (!has_step(snapshot)) { return; }
    step_row row = row_of(snapshot);
    step_row *place = fr_array_push(&report->steps, 1);
    if (place != NULL) { *place = row; }
    report->lacks_memory |= place == NULL;
    if (row.count > 0) { report->colliding++; }
    if (row.count > report->most) {
        report->most = row.count;
        report->most_step = row.step;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The report

step_report step_report_begin(tool *t, output_file *table) {
    step_report report = {.tool = t, .table = table, .free_until = (double)INFINITY};
    report.steps = fr_array_make(sizeof(step_row), NULL);
    report.touches = fr_array_make(sizeof(touch_row), NULL);
    report.changes = fr_array_make(sizeof(fr_event), NULL);
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        fr_json_write_key(j, "events");
        fr_json_write_array(j);
    }
    if (table != NULL) { output_file_print(table, "a,b,triangle_a,triangle_b,id,begin,end\n"); }
    return report;
}

void step_report_free(step_report *report) {
    fr_array_destroy(&report->steps);
    fr_array_destroy(&report->touches);
    fr_array_destroy(&report->changes);
    fr_snapshot_release(report->newest);
    report->newest = NULL;
}

// A part that was stopped is no step, but it is known how far nothing collides.
static void stop_at(step_report *report, const fr_snapshot *snapshot) {
    report->is_partial = true;
    report->sense = snapshot->sense;
    double length = is_over_step(snapshot) && !snapshot->is_paused ? snapshot->step : 0.0;
    double free_until = snapshot->time - length * (1.0 - snapshot->step_result.free_time);
    report->until = snapshot->time - (snapshot->is_paused ? 0.0 : snapshot->step);
    bool is_nearer = is_over_step(snapshot) && free_until < report->free_until;
    if (is_nearer) { report->free_until = free_until; }
}

bool step_report_add(step_report *report, fr_world *world) {
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    if (snapshot->is_partial) {
        stop_at(report, snapshot);
        fr_snapshot_release(snapshot);
        return false;
    }
    fr_snapshot_release(report->newest);
    report->newest = snapshot;
    report->sense = snapshot->sense;
    report->until = snapshot->time;
    keep_step(report, snapshot);
    keep_events(report, snapshot);
    print_step(report->tool, world, snapshot);
    report_contacts(report, world, snapshot, false);
    return true;
}

fr_status step_report_end(step_report *report, const fr_world *world, fr_error *error) {
    if (report->newest != NULL) { report_contacts(report, world, report->newest, true); }
    if (report->free_until > report->until && !report->is_partial) { report->free_until = report->until; }
    if (report->lacks_memory) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the steps"); }
    print_end(report);
    fr_json_writer *j = tool_json(report->tool);
    if (j != NULL) { write_end(j, report, world); }
    return FR_OK;
}

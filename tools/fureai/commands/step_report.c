// The report of the steps of a world: counts, events and contacts of faces.
#include "step_report.h"

#include "csv.h"

#include <stdio.h>

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
    if (sense == FR_SENSE_CONTINUOUS) { tool_print(t, " at %g s", tool_plain(event->time)); }
    tool_print(t, "\n");
}

static bool is_worth_a_line(const fr_snapshot *snapshot, uint64_t pairs) {
    bool is_worth = pairs > 0 || snapshot->touch_count > 0;
    for (size_t i = 0; i < snapshot->event_count && !is_worth; i++) {
        is_worth = is_touch(&snapshot->events[i]) || snapshot->events[i].kind == FR_EVENT_LIMIT;
    }
    return is_worth;
}

static void print_step(tool *t, const fr_world *world, const fr_snapshot *snapshot) {
    fr_step_row row = fr_snapshot_step_row(snapshot);
    bool is_over = snapshot->sense == FR_SENSE_CONTINUOUS;
    if (t->json || !is_worth_a_line(snapshot, row.pairs)) { return; }
    if (is_over && snapshot->is_paused) {
        tool_print(t, "at %g s", snapshot->time);
    } else if (is_over) {
        tool_print(t, "step %llu, %g s to %g s", (unsigned long long)row.step, row.time, snapshot->time);
    } else {
        tool_print(t, "step %llu, %g s", (unsigned long long)row.step, row.time);
    }
    tool_print(t, ": %llu %s of faces of %llu %s of objects\n", (unsigned long long)row.pairs,
               row.pairs == 1 ? "pair" : "pairs", (unsigned long long)row.touches, row.touches == 1 ? "pair" : "pairs");
    for (size_t i = 0; i < snapshot->event_count; i++) {
        print_event(t, world, snapshot->sense, &snapshot->events[i]);
    }
}

// The touches of two objects, all together.
typedef struct pair_summary {
    fr_object_id a, b;
    double first, last; // begin of the first; end of the last, unknown while it lasts
    double contact;     // seconds of those that ended
    unsigned count;
} pair_summary;

// Pairs of objects that a summary names, those that touched first.
enum { SUMMARY_PAIRS = 12 };

static bool is_same_pair(const pair_summary *pair, const fr_touch_span *touch) {
    return fr_object_id_equal(pair->a, touch->a) && fr_object_id_equal(pair->b, touch->b);
}

// Gathers touches by their pairs. Returns how many touches are of pairs that found no room.
static size_t gather_pairs(const fr_step_log_view *log, pair_summary pairs[SUMMARY_PAIRS], size_t *count) {
    size_t others = 0;
    *count = 0;
    for (size_t i = 0; i < log->touch_count; i++) {
        const fr_touch_span *touch = &log->touches[i];
        size_t k = 0;
        while (k < *count && !is_same_pair(&pairs[k], touch)) {
            k++;
        }
        if (k == SUMMARY_PAIRS) {
            others++;
            continue;
        }
        if (k == *count) { pairs[(*count)++] = (pair_summary){.a = touch->a, .b = touch->b, .first = touch->begin}; }
        pairs[k].count++;
        pairs[k].last = touch->end;
        if (!fr_is_unknown(touch->begin) && !fr_is_unknown(touch->end)) {
            pairs[k].contact += touch->end - touch->begin;
        }
    }
    return others;
}

static void print_pair(tool *t, const fr_world *world, const pair_summary *pair) {
    char a[32], b[32];
    tool_print_name(t, name_of(world, pair->a, a, sizeof a));
    tool_print(t, " and ");
    tool_print_name(t, name_of(world, pair->b, b, sizeof b));
    bool lasts = fr_is_unknown(pair->last);
    if (pair->count > 1) {
        tool_print(t, ": %u touches, the first at %g s", pair->count, tool_plain(pair->first));
        if (lasts) {
            tool_print(t, ", the last still at the end\n");
        } else {
            tool_print(t, ", the last to %g s, %.4g s in all\n", tool_plain(pair->last), tool_plain(pair->contact));
        }
        return;
    }
    tool_print(t, " touch from %g s", tool_plain(pair->first));
    if (lasts) {
        tool_print(t, " to the end\n");
    } else {
        tool_print(t, " to %g s\n", tool_plain(pair->last));
    }
}

static void print_summary(tool *t, const fr_world *world, const fr_step_log_view *log) {
    pair_summary pairs[SUMMARY_PAIRS];
    size_t count, others = gather_pairs(log, pairs, &count);
    for (size_t i = 0; i < count; i++) {
        print_pair(t, world, &pairs[i]);
    }
    if (others > 0) { tool_print(t, "and %zu %s of other pairs\n", others, others == 1 ? "touch" : "touches"); }
}

static void print_end(tool *t, const fr_step_log_view *log) {
    bool is_over = log->sense == FR_SENSE_CONTINUOUS;
    const char *one = is_over ? "step" : "instant", *many = is_over ? "steps" : "instants";
    if (log->is_partial) { tool_print(t, "stopped at %g s, the report is a part: ", log->until); }
    tool_print(t, "%zu %s, %llu with colliding faces", log->step_count, log->step_count == 1 ? one : many,
               (unsigned long long)log->colliding);
    if (log->max_pairs > 0) {
        tool_print(t, ", most %s step %llu: %llu", is_over ? "in" : "at", (unsigned long long)log->max_pairs_step,
                   (unsigned long long)log->max_pairs);
    }
    tool_print(t, "; %llu %s began, %llu ended", (unsigned long long)log->begins,
               log->begins == 1 ? "touch" : "touches", (unsigned long long)log->ends);
    if (is_over && log->contacts > 0) {
        tool_print(t, "; %llu %s of faces, the first at %g s", (unsigned long long)log->contacts,
                   log->contacts == 1 ? "contact" : "contacts", log->free_until);
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

static void tabulate_contact(fr_output_file *file, const char *a, const char *b, const fr_face_touch *touch) {
    csv_text(file, a);
    fr_output_file_write(file, ",", 1);
    csv_text(file, b);
    fr_output_file_print(file, ",%u,%u,%llu", touch->triangle_a, touch->triangle_b, (unsigned long long)touch->id);
    csv_number(file, touch->begin);
    csv_number(file, touch->end);
    fr_output_file_write(file, "\n", 1);
}

// Those that have ended, or those that last.
static void report_contacts(const step_report *report, const fr_world *world, const fr_snapshot *snapshot,
                            bool lasting) {
    fr_json_writer *j = tool_json(report->tool);
    for (size_t i = 0; i < snapshot->face_touch_count; i++) {
        const fr_face_touch *touch = &snapshot->face_touches[i];
        if (fr_is_unknown(touch->end) != lasting) { continue; }
        char text_a[32], text_b[32];
        const char *a = name_of(world, touch->a, text_a, sizeof text_a);
        const char *b = name_of(world, touch->b, text_b, sizeof text_b);
        if (j != NULL) { write_contact(j, a, b, touch); }
        if (report->table != NULL) { tabulate_contact(report->table, a, b, touch); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What a document has at its end

static void write_touches(fr_json_writer *j, const fr_step_log_view *log, const fr_world *world) {
    const fr_touch_span *rows = log->touches;
    fr_json_write_key(j, "touches");
    fr_json_write_array(j);
    for (size_t i = 0; i < log->touch_count; i++) {
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
    [FR_EVENT_FITTED] = "fitted",       [FR_EVENT_FORCE] = "force",       [FR_EVENT_NAMED] = "named",
};

static bool has_value(fr_event_kind kind) {
    return kind == FR_EVENT_STATE || kind == FR_EVENT_LIMIT || kind == FR_EVENT_CORRECTED || kind >= FR_EVENT_FORCE;
}

static void write_changes(fr_json_writer *j, const fr_step_log_view *log, const fr_world *world) {
    fr_json_write_key(j, "changes");
    fr_json_write_array(j);
    for (size_t i = 0; i < log->change_count; i++) {
        const fr_event *event = &log->changes[i];
        char text[32], other[32];
        fr_json_write_object(j);
        json_fields(j, "kind", kind_names[event->kind], "time", event->time, "a",
                    name_of(world, event->a, text, sizeof text));
        if (event->kind == FR_EVENT_STATE) { fr_json_write_string_field(j, "state", event->name); }
        if (event->kind == FR_EVENT_NAMED) { json_fields(j, "name", event->name, "second", event->second); }
        if (event->b.index1 != 0) { fr_json_write_string_field(j, "b", name_of(world, event->b, other, sizeof other)); }
        if (has_value(event->kind)) { fr_json_write_number_field(j, "value", event->value); }
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_steps(fr_json_writer *j, const fr_step_log_view *log) {
    const fr_step_row *rows = log->steps;
    fr_json_write_key(j, "steps");
    fr_json_write_array(j);
    for (size_t i = 0; i < log->step_count; i++) {
        fr_json_write_object(j);
        json_fields(j, "step", rows[i].step, "time", rows[i].time, "count", rows[i].pairs, "touches", rows[i].touches);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_end(fr_json_writer *j, const fr_step_log_view *log, const fr_world *world) {
    fr_json_write_array_end(j);
    write_touches(j, log, world);
    write_changes(j, log, world);
    write_steps(j, log);
    json_fields(j, "sense", log->sense == FR_SENSE_CONTINUOUS ? "continuous" : "static", "partial", log->is_partial,
                "until", log->until);
    if (log->sense == FR_SENSE_CONTINUOUS) { fr_json_write_number_field(j, "free_until", log->free_until); }
    json_fields(j, "colliding", log->colliding, "begins", log->begins, "ends", log->ends);
    fr_json_write_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// The report

fr_status step_report_begin(tool *t, fr_output_file *table, step_report *out, fr_error *error) {
    *out = (step_report){.tool = t, .table = table, .each_step = options_flag(&t->options, "each-step")};
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        fr_json_write_key(j, "events");
        fr_json_write_array(j);
    }
    if (table != NULL) { fr_output_file_print(table, "a,b,triangle_a,triangle_b,id,begin,end\n"); }
    return fr_step_log_create(NULL, &out->log, error);
}

void step_report_free(step_report *report) {
    fr_step_log_destroy(report->log);
    fr_snapshot_release(report->newest);
}

bool step_report_add(step_report *report, fr_world *world) {
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    report->lacks_memory |= fr_step_log_add(report->log, snapshot, NULL) != FR_OK;
    if (snapshot->is_partial) {
        report->is_partial = true;
        fr_snapshot_release(snapshot);
        return false;
    }
    fr_snapshot_release(report->newest);
    report->newest = snapshot;
    if (report->each_step) { print_step(report->tool, world, snapshot); }
    report_contacts(report, world, snapshot, false);
    return true;
}

fr_status step_report_end(step_report *report, const fr_world *world, fr_error *error) {
    if (report->newest != NULL) { report_contacts(report, world, report->newest, true); }
    if (report->lacks_memory) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the steps"); }
    fr_step_log_view log = fr_step_log_get(report->log);
    log.is_partial = report->is_partial;
    if (log.free_until > log.until && !log.is_partial) { log.free_until = log.until; }
    if (!report->each_step && !report->tool->json) { print_summary(report->tool, world, &log); }
    print_end(report->tool, &log);
    fr_json_writer *j = tool_json(report->tool);
    if (j != NULL) { write_end(j, &log, world); }
    return FR_OK;
}

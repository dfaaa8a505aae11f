#include "step_report.h"

static const char *const kind_names[] = {
    [FR_EVENT_ADDED] = "added",         [FR_EVENT_REMOVED] = "removed",   [FR_EVENT_TOUCH_BEGIN] = "touch_begin",
    [FR_EVENT_TOUCH_END] = "touch_end", [FR_EVENT_LIMIT] = "limit",       [FR_EVENT_STATE] = "state",
    [FR_EVENT_HELD] = "held",           [FR_EVENT_RELEASED] = "released", [FR_EVENT_CORRECTED] = "corrected",
};

// The name of an object, or a word for one that is gone.
static const char *name_of(const fr_world *world, fr_object_id id, char *text, size_t size) {
    const char *name = fr_world_label(world, id).name;
    if (name[0] != '\0') { return name; }
    snprintf(text, size, "object %u", (unsigned)id.index1);
    return text;
}

// ---------------------------------------------------------------------------------------------------------------
// As text

static void print_event(tool *t, const fr_world *world, fr_sense sense, const fr_event *event) {
    char a[32], b[32];
    bool is_touch = event->kind == FR_EVENT_TOUCH_BEGIN || event->kind == FR_EVENT_TOUCH_END;
    if (!is_touch && event->kind != FR_EVENT_LIMIT) { return; }
    tool_print(t, "  ");
    tool_print_name(t, name_of(world, event->a, a, sizeof a));
    if (!is_touch) {
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
    bool is_worth = snapshot->pair_count > 0 || snapshot->touch_count > 0;
    for (size_t i = 0; i < snapshot->event_count && !is_worth; i++) {
        fr_event_kind kind = snapshot->events[i].kind;
        is_worth = kind == FR_EVENT_TOUCH_BEGIN || kind == FR_EVENT_TOUCH_END || kind == FR_EVENT_LIMIT;
    }
    return is_worth;
}

static void print_step(tool *t, const fr_world *world, const fr_snapshot *snapshot) {
    if (!is_worth_a_line(snapshot)) { return; }
    tool_print(t, "step %llu, %g s: %zu %s of faces of %zu %s of objects\n", (unsigned long long)snapshot->tick,
               snapshot->time, snapshot->pair_count, snapshot->pair_count == 1 ? "pair" : "pairs",
               snapshot->touch_count, snapshot->touch_count == 1 ? "pair" : "pairs");
    for (size_t i = 0; i < snapshot->event_count; i++) {
        print_event(t, world, snapshot->sense, &snapshot->events[i]);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// As a document

static void write_event(json *j, const fr_world *world, fr_sense sense, const fr_event *event) {
    char a[32], b[32];
    json_object(j);
    json_string_field(j, "kind", kind_names[event->kind]);
    json_string_field(j, "a", name_of(world, event->a, a, sizeof a));
    if (event->b.index1 != 0) { json_string_field(j, "b", name_of(world, event->b, b, sizeof b)); }
    if (event->id != 0) { json_uint_field(j, "id", event->id); }
    if (event->id != 0 && sense == FR_SENSE_CONTINUOUS) { json_number_field(j, "time", event->time); }
    if (event->kind == FR_EVENT_STATE) { json_string_field(j, "state", event->state); }
    bool has_value =
        event->kind == FR_EVENT_STATE || event->kind == FR_EVENT_LIMIT || event->kind == FR_EVENT_CORRECTED;
    if (has_value) { json_number_field(j, "value", event->value); }
    json_object_end(j);
}

static void write_step(json *j, const fr_world *world, const fr_snapshot *snapshot) {
    json_object(j);
    json_uint_field(j, "step", snapshot->tick);
    json_number_field(j, "time", snapshot->time);
    json_uint_field(j, "count", snapshot->pair_count);
    json_uint_field(j, "touches", snapshot->touch_count);
    if (snapshot->sense == FR_SENSE_CONTINUOUS) { json_uint_field(j, "over", snapshot->over.pair_count); }
    json_key(j, "events");
    json_array(j);
    for (size_t i = 0; i < snapshot->event_count; i++) {
        write_event(j, world, snapshot->sense, &snapshot->events[i]);
    }
    json_array_end(j);
    json_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// The report

step_report step_report_begin(tool *t) {
    step_report report = {.tool = t};
    json *j = tool_json(t);
    if (j != NULL) {
        json_object(j);
        json_key(j, "steps");
        json_array(j);
    }
    return report;
}

static void count_step(step_report *report, const fr_snapshot *snapshot) {
    report->steps++;
    if (snapshot->pair_count > 0) { report->colliding++; }
    if (snapshot->pair_count > report->most) {
        report->most = snapshot->pair_count;
        report->most_tick = snapshot->tick;
    }
    for (size_t i = 0; i < snapshot->event_count; i++) {
        if (snapshot->events[i].kind == FR_EVENT_TOUCH_BEGIN) { report->begins++; }
        if (snapshot->events[i].kind == FR_EVENT_TOUCH_END) { report->ends++; }
    }
}

void step_report_tell(step_report *report, fr_world *world) {
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    if (snapshot == NULL) { return; }
    count_step(report, snapshot);
    print_step(report->tool, world, snapshot);
    json *j = tool_json(report->tool);
    if (j != NULL) { write_step(j, world, snapshot); }
    fr_snapshot_release(snapshot);
}

void step_report_end(step_report *report) {
    tool *t = report->tool;
    tool_print(t, "%llu %s, %llu with colliding faces", (unsigned long long)report->steps,
               report->steps == 1 ? "instant" : "instants", (unsigned long long)report->colliding);
    if (report->most > 0) {
        tool_print(t, ", most at step %llu: %llu", (unsigned long long)report->most_tick,
                   (unsigned long long)report->most);
    }
    tool_print(t, "; %llu %s began, %llu ended\n", (unsigned long long)report->begins,
               report->begins == 1 ? "touch" : "touches", (unsigned long long)report->ends);
    json *j = tool_json(t);
    if (j == NULL) { return; }
    json_array_end(j);
    json_uint_field(j, "instants", report->steps);
    json_uint_field(j, "colliding", report->colliding);
    json_uint_field(j, "begins", report->begins);
    json_uint_field(j, "ends", report->ends);
    json_object_end(j);
}

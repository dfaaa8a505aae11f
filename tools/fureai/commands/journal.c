// The command journal: what a server wrote of its world, printed, checked, cut.
#include "commands.h"
#include "tool.h"

#include "fureai/server_journal.h"

#include <string.h>

enum { BODY_DEPTH = 8 };

// A value of a record's body, as it stands there.
static void write_value(fr_json_writer *j, const fr_json *json, fr_json_value value) {
    fr_json_kind kind = fr_json_get_kind(json, value);
    double number = 0.0;
    char text[4096];
    if (kind == FR_JSON_OBJECT || kind == FR_JSON_ARRAY) {
        (kind == FR_JSON_OBJECT ? fr_json_write_object : fr_json_write_array)(j);
        for (fr_json_value v = fr_json_first(json, value); v != FR_JSON_NONE; v = fr_json_next(json, v)) {
            if (kind == FR_JSON_OBJECT) {
                fr_json_text key = fr_json_get_text(json, fr_json_key(v));
                size_t size = key.size < sizeof text ? fr_json_decode(json, fr_json_key(v), text) : 0;
                text[size] = '\0';
                fr_json_write_key(j, text);
            }
            write_value(j, json, v);
        }
        (kind == FR_JSON_OBJECT ? fr_json_write_object_end : fr_json_write_array_end)(j);
    } else if (kind == FR_JSON_STRING) {
        bool fits = fr_json_get_text(json, value).size < sizeof text;
        fr_json_write_bytes(j, text, fits ? fr_json_decode(json, value, text) : 0);
    } else if (fr_json_get_number(json, value, &number)) {
        fr_json_write_number(j, number);
    } else {
        bool is_true = false;
        (void)fr_json_get_bool(json, value, &is_true);
        fr_json_write_bool(j, is_true);
    }
}

static fr_status print_record(const fr_journal_record *record, void *context, fr_error *error) {
    tool *t = context;
    char time[FR_JOURNAL_TIME_BYTES];
    fr_journal_time_text(record->time_ms, time);
    fr_json_writer *j = tool_json(t);
    if (fr_control_is_stopped(&t->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    if (j == NULL) {
        tool_print(t, "%8llu  %s  %8llu  %-7s  ", (unsigned long long)record->number, time,
                   (unsigned long long)record->tick, fr_journal_kind_text(record->kind));
        tool_print_name(t, record->object);
        if (record->client[0] != '\0') { tool_print(t, " by "); }
        tool_print_name(t, record->client);
        tool_print(t, "  ");
        tool_print_name(t, record->body);
        tool_print(t, "\n");
        return FR_OK;
    }
    fr_json_def def = fr_default_json_def();
    def.max_depth = BODY_DEPTH;
    fr_json *body = NULL;
    fr_status status = fr_json_create(record->body, strlen(record->body), &def, &body, error);
    if (status != FR_OK) { return status; }
    fr_json_write_object(j);
    json_fields(j, "number", record->number, "time", (const char *)time, "tick", record->tick, "kind",
                fr_journal_kind_text(record->kind), "object", record->object, "client", record->client);
    fr_json_write_key(j, "body");
    write_value(j, body, FR_JSON_ROOT);
    fr_json_write_object_end(j);
    fr_json_destroy(body);
    return FR_OK;
}

static exit_status print_all(tool *t, const char *path) {
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        fr_json_write_key(j, "records");
        fr_json_write_array(j);
    }
    fr_error error = {0};
    fr_status status = fr_journal_file_read(path, print_record, t, &error);
    if (status != FR_OK) { return tool_bad_input(t, &error); }
    if (j != NULL) {
        fr_json_write_array_end(j);
        fr_json_write_object_end(j);
    }
    return EXIT_STATUS_DONE;
}

static exit_status check(tool *t, const char *path) {
    fr_journal_report report;
    fr_error error = {0};
    if (fr_journal_file_check(path, &t->control, NULL, &report, &error) != FR_OK) { return tool_bad_input(t, &error); }
    char first[FR_JOURNAL_TIME_BYTES], last[FR_JOURNAL_TIME_BYTES];
    fr_journal_time_text(report.first_ms, first);
    fr_journal_time_text(report.last_ms, last);
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        json_fields(j, "records", report.records, "poses", report.poses, "first", (const char *)first, "last",
                    (const char *)last, "scene", (const char *)report.scene, "tick", report.tick);
        json_fields(j, "objects", report.objects, "added", report.added, "states", report.states, "leases",
                    report.leases, "commands", report.commands, "scenes", report.scenes);
        fr_json_write_object_end(j);
    }
    tool_print(t, "%llu records from %s to %s, %llu of them poses\n", (unsigned long long)report.records, first, last,
               (unsigned long long)report.poses);
    tool_print(t, "scene '");
    tool_print_name(t, report.scene);
    tool_print(t, "' at tick %llu: %u objects, %u of them added, %u states, %u leases, %u unfinished commands\n",
               (unsigned long long)report.tick, report.objects, report.added, report.states, report.leases,
               report.commands);
    return EXIT_STATUS_DONE;
}

static exit_status cut(tool *t, const char *path, const char *text) {
    int64_t time_ms;
    uint64_t removed = 0;
    fr_error error = {0};
    if (!fr_journal_time_read(text, &time_ms)) {
        return tool_wrong_usage(t, "--cut: '%s' is no time such as 2026-11-18T01:02:03Z", text);
    }
    fr_status status = fr_journal_file_cut(path, time_ms, NULL, &removed, &error);
    if (status == FR_ERROR_BUSY || status == FR_ERROR_FILE) { return tool_failed(t, &error); }
    if (status != FR_OK) { return tool_bad_input(t, &error); }
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        json_fields(j, "removed", removed);
        fr_json_write_object_end(j);
    }
    tool_print(t, "%llu records removed; the journal of before is %s.before\n", (unsigned long long)removed, path);
    return EXIT_STATUS_DONE;
}

static exit_status run(tool *t) {
    const char *path = t->arguments[0], *time = options_string(&t->options, "cut");
    if (options_flag(&t->options, "check") && time != NULL) { return tool_wrong_usage(t, "either --check or --cut"); }
    if (time != NULL) { return cut(t, path, time); }
    return options_flag(&t->options, "check") ? check(t, path) : print_all(t, path);
}

static const argument arguments[] = {{.name = "FILE", .help = "The journal: the file of serve --store."}};

static const option options_table[] = {
    FLAG_OPTION("check", "Check all of it, and report the world that it makes."),
    STRING_OPTION("cut", "TIME", NULL,
                  "Take everything after this time out, in UTC as in 2026-11-18T01:02:03Z; the file of before is kept "
                  "as FILE.before. No server may have the file."),
};

static const example examples[] = {
    {.line = "fureai journal room.journal", .does = "Everything that was done, a line each."},
    {.line = "fureai --json journal room.journal --check", .does = "Is it whole, and what is in it?"},
    {.line = "fureai journal room.journal --cut 2026-11-18T01:02:03Z", .does = "The world as it was then."},
};

const command command_journal = {
    .name = "journal",
    .summary = "prints, checks or cuts what a server wrote of its world",
    .description = "Reads the journal of a served world (serve --store): objects that were added, removed and placed, "
                   "states, leases, commands, and the last pose of what moves, with times. It can be read while a "
                   "server writes it.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

// The command clash: parts of models, or of a scene's objects, that meet.
#ifdef FUREAI_TOOL_HAS_WORLD
#include "scene_file.h"
#endif
#include "clash_picture.h"
#include "clash_report.h"
#include "clash_rules.h"
#include "commands.h"
#include "csv.h"
#include "picture_request.h"
#include "tool.h"

#ifdef FUREAI_TOOL_HAS_WORLD
#include "fureai/scene_bcf.h"
#endif

#include <string.h>
#include <time.h>

// ---------------------------------------------------------------------------------------------------------------
// Text

// Like clashes a line, shown by the first of them.
static void print_groups(tool *t, const assembly *a, const fr_clash_output *found) {
    int columns = 1;
    for (size_t i = 0; i < found->group_count; i++) {
        clash_widen(&columns, assembly_name(a, found->clashes[found->groups[i].first].a));
        clash_widen(&columns, assembly_name(a, found->clashes[found->groups[i].first].b));
    }
    for (size_t i = 0; i < found->group_count; i++) {
        const fr_clash_group *g = &found->groups[i];
        clash_print_name(t, assembly_name(a, found->clashes[g->first].a), columns);
        clash_print_name(t, assembly_name(a, found->clashes[g->first].b), columns);
        tool_print(t, "%-11s  %8u %s", fr_clash_kind_name(g->kind), g->count, g->count == 1 ? "clash " : "clashes");
        if (!fr_is_unknown(g->max_depth)) { tool_print(t, "  depth up to %s", tool_length(g->max_depth).text); }
        if (g->kind == FR_CLASH_CLEARANCE) { tool_print(t, "  distance from %s", tool_length(g->min_distance).text); }
        tool_print(t, "\n");
    }
}

static void print_clashes(tool *t, const assembly *a, const fr_clash_output *found) {
    int columns = 1;
    for (size_t i = 0; i < found->count; i++) {
        clash_widen(&columns, assembly_name(a, found->clashes[i].a));
        clash_widen(&columns, assembly_name(a, found->clashes[i].b));
    }
    for (size_t i = 0; i < found->count; i++) {
        const fr_clash *c = &found->clashes[i];
        clash_print_name(t, assembly_name(a, c->a), columns);
        clash_print_name(t, assembly_name(a, c->b), columns);
        tool_print(t, "%-11s  %8zu %s", fr_clash_kind_name(c->kind), c->shared_count,
                   c->shared_count == 1 ? "pair " : "pairs");
        if (!fr_is_unknown(c->depth)) { tool_print(t, "  depth %s", tool_length(c->depth).text); }
        if (c->kind == FR_CLASH_CLEARANCE) { tool_print(t, "  distance %s", tool_length(c->distance).text); }
        fr_clash_note note = assembly_note(a, c);
        if (note.verdict != FR_CLASH_OPEN) { tool_print(t, "  %s", fr_clash_verdict_name(note.verdict)); }
        if (note.text[0] != '\0') { tool_print(t, "  (%s)", note.text); }
        tool_print(t, "\n");
    }
}

static void print_text(tool *t, const assembly *a, const fr_clash_output *found, double ms) {
    size_t part_count = a->names.count;
    if (options_flag(&t->options, "groups")) {
        print_groups(t, a, found);
    } else {
        print_clashes(t, a, found);
    }
    tool_print(t, "%zu %s of %zu %s in %.1f ms\n", found->count, found->count == 1 ? "clash" : "clashes", part_count,
               part_count == 1 ? "part" : "parts", ms);
    if (options_flag(&t->options, "groups")) {
        tool_print(t, "%zu %s of like clashes\n", found->group_count, found->group_count == 1 ? "group" : "groups");
    }
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static void write_groups(fr_json_writer *j, const fr_clash_output *found) {
    fr_json_write_key(j, "groups");
    fr_json_write_array(j);
    for (size_t i = 0; i < found->group_count; i++) {
        const fr_clash_group *g = &found->groups[i];
        fr_json_write_object(j);
        json_fields(j, "kind", fr_clash_kind_name(g->kind), "first", (size_t)g->first, "count", (size_t)g->count,
                    "max_depth", g->max_depth, "min_distance", g->min_distance);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_failed(fr_json_writer *j, const assembly *a) {
    fr_json_write_key(j, "failed");
    fr_json_write_array(j);
    for (size_t i = 0; i < a->failed.count; i++) {
        fr_json_write_string(j, ((char *const *)a->failed.data)[i]);
    }
    fr_json_write_array_end(j);
}

static void write_document(fr_json_writer *j, const assembly *a, const fr_clash_output *found, double ms) {
    fr_json_write_object(j);
    fr_json_write_uint_field(j, "parts", a->names.count);
    fr_json_write_key(j, "clashes");
    fr_json_write_array(j);
    for (size_t i = 0; i < found->count; i++) {
        const fr_clash *c = &found->clashes[i];
        fr_json_write_object(j);
        json_fields(j, "a", assembly_name(a, c->a), "b", assembly_name(a, c->b), "kind", fr_clash_kind_name(c->kind),
                    "pairs", c->shared_count, "depth", c->depth, "distance", c->distance, "group", (size_t)c->group);
        fr_json_write_key(j, "region");
        clash_write_region(j, &c->region);
        fr_clash_note note = assembly_note(a, c);
        if (a->notes != NULL) { json_fields(j, "verdict", fr_clash_verdict_name(note.verdict), "note", note.text); }
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    write_groups(j, found);
    if (a->failed.count > 0) { write_failed(j, a); }
    fr_json_write_number_field(j, "ms", ms);
    fr_json_write_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// CSV

// A clash a line; x, y, z are the middle of the contact region's bounds.
static void print_row(fr_output_file *file, const assembly *a, const fr_clash *c) {
    csv_text(file, assembly_name(a, c->a));
    fr_output_file_write(file, ",", 1);
    csv_text(file, assembly_name(a, c->b));
    fr_output_file_print(file, ",%s,%zu", fr_clash_kind_name(c->kind), c->shared_count);
    csv_number(file, c->depth);
    fr_bounds bounds = fr_bounds_of_points(c->region.points, c->region.point_count);
    bool has_place = !fr_bounds_is_empty(&bounds);
    fr_vec3 middle = has_place ? fr_bounds_center(&bounds) : fr_vec3_make(FR_UNKNOWN, FR_UNKNOWN, FR_UNKNOWN);
    csv_number(file, middle.x);
    csv_number(file, middle.y);
    csv_number(file, middle.z);
    csv_number(file, c->distance);
    fr_output_file_print(file, ",%u", c->group);
    fr_output_file_write(file, "\n", 1);
}

static exit_status write_csv(tool *t, const char *path, const assembly *a, const fr_clash_output *found) {
    fr_output_file file;
    fr_error error = {0};
    if (output_file_open(&file, path, &error) != FR_OK) { return tool_failed(t, &error); }
    fr_output_file_print(&file, "a,b,kind,pairs,depth,x,y,z,distance,group\n");
    for (size_t i = 0; i < found->count; i++) {
        print_row(&file, a, &found->clashes[i]);
    }
    return fr_output_file_commit(&file, &error) == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// The command

#ifdef FUREAI_TOOL_HAS_WORLD
static bool write_bytes(const void *bytes, size_t size, void *context) {
    return fr_output_file_write(context, bytes, size);
}

static exit_status write_bcf(tool *t, const char *path, const assembly *a, const fr_clash_output *found) {
    char date[32];
    time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    fr_bcf_input input = fr_default_bcf_input();
    input.found = found;
    input.parts = a->parts.data;
    input.names = (const char *const *)a->names.data;
    input.notes = a->notes;
    input.date = date;
    input.is_grouped = options_flag(&t->options, "groups");
    input.control = &t->control;
    fr_output_file file;
    fr_error error = {0};
    if (output_file_open(&file, path, &error) != FR_OK) { return tool_failed(t, &error); }
    fr_status status = fr_bcf_write(&input, write_bytes, &file, &error);
    // A write that failed is reported by the commit, which knows why.
    if (status == FR_OK || status == FR_ERROR_FILE) {
        status = fr_output_file_commit(&file, &error);
    } else {
        fr_output_file_discard(&file);
    }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}
#endif

static exit_status show(tool *t, picture **p, const assembly *a, const fr_clash_output *found, double ms) {
    exit_status status = EXIT_STATUS_DONE;
    if (!tool_writes(t)) { return status; }
    const char *csv = options_string(&t->options, "csv");
    const char *page = options_string(&t->options, "report");
    if (*p != NULL) { status = clash_draw(t, *p, a, found); }
    if (status == EXIT_STATUS_DONE) {
        status = picture_request_end(t, *p);
        *p = NULL;
    }
    if (status == EXIT_STATUS_DONE && csv != NULL) { status = write_csv(t, csv, a, found); }
#ifdef FUREAI_TOOL_HAS_WORLD
    const char *bcf = options_string(&t->options, "bcf");
    if (status == EXIT_STATUS_DONE && bcf != NULL) { status = write_bcf(t, bcf, a, found); }
#endif
    if (status == EXIT_STATUS_DONE && page != NULL) { status = clash_page_write(t, page, a, found); }
    if (status != EXIT_STATUS_DONE) { return status; }
    print_text(t, a, found, ms);
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { write_document(j, a, found, ms); }
    // Parts that only touch pass the check: in an assembly they should. So does what people decided about.
    bool is_checked = options_flag(&t->options, "check");
    for (size_t i = 0; is_checked && i < found->count; i++) {
        bool is_decided = assembly_note(a, &found->clashes[i]).verdict != FR_CLASH_OPEN;
        if (found->clashes[i].kind != FR_CLASH_TOUCHING && !is_decided) { return EXIT_STATUS_CLASH; }
    }
    return EXIT_STATUS_DONE;
}

// The same for meshes that are made when they are needed.
static fr_status find_stream(tool *t, assembly *a, const clash_rules *rules, const fr_tasks *tasks,
                             fr_clash_finder *finder, fr_clash_output *found, fr_error *error) {
    fr_clash_stream_input input = fr_default_clash_stream_input();
    input.shapes = a->shapes.data;
    input.shape_count = (uint32_t)a->shapes.count;
    input.parts = a->instances.data;
    input.part_count = (uint32_t)a->instances.count;
    input.make = assembly_make;
    input.user = a;
    input.memory = (size_t)t->memory;
    input.names = (const char *const *)a->names.data;
    input.rules = rules->list;
    input.rule_count = rules->count;
    input.clearance = rules->clearance;
    input.tolerance = options_number(&t->options, "tolerance");
    input.tasks = tasks;
    input.control = &t->control;
    fr_clash_stream_stats stats;
    fr_status status = fr_clash_find_stream(finder, &input, found, &stats, error);
    if (status == FR_OK) {
        tool_note(t, "made %llu meshes in %llu batches, at most %.0f MB at once", (unsigned long long)stats.made_count,
                  (unsigned long long)stats.batch_count, 1e-6 * (double)stats.max_bytes);
    }
    return status;
}

static exit_status find_and_show(tool *t, picture **p, assembly *a, const clash_rules *rules, uint64_t start) {
    fr_error error = {0};
    fr_tasks tasks;
    fr_clash_finder *finder = NULL;
    fr_clash_input input = fr_default_clash_input();
    input.parts = a->parts.data;
    input.part_count = a->parts.count;
    input.names = (const char *const *)a->names.data;
    input.rules = rules->list;
    input.rule_count = rules->count;
    input.clearance = rules->clearance;
    input.tolerance = options_number(&t->options, "tolerance");
    input.tasks = &tasks;
    input.control = &t->control;
    input.exchange = t->exchange;
    fr_clash_output found;
    fr_status status = tool_tasks(t, &tasks, &error);
    if (status == FR_OK) { status = fr_clash_finder_create(NULL, &finder, &error); }
    if (status == FR_OK && a->sources.count > 0) {
        status = find_stream(t, a, rules, &tasks, finder, &found, &error);
    } else if (status == FR_OK) {
        status = fr_clash_find(finder, &input, &found, &error);
    }
    exit_status result = status == FR_OK ? show(t, p, a, &found, fr_clock_ms_since(start)) : tool_failed(t, &error);
    fr_clash_finder_destroy(finder);
    return result;
}

#ifdef FUREAI_TOOL_HAS_WORLD
enum { JOINT_STEPS = 90 }; // ticks in which a joint goes through its range

static exit_status find_and_report_motion(tool *t, const scene_world *scene, uint64_t start) {
    fr_error error = {0};
    fr_tasks tasks;
    fr_clash_finder *finder = NULL;
    fr_motion_clash_input input = fr_default_motion_clash_input();
    input.world = scene->world;
    input.steps = fr_scene_get(scene->scene)->steps;
    input.joint_steps = options_flag(&t->options, "moving") ? JOINT_STEPS : 0;
    input.tolerance = options_number(&t->options, "tolerance");
    input.tasks = &tasks;
    input.control = &t->control;
    input.exchange = t->exchange;
    fr_motion_clash_output found = {0};
    fr_status status = tool_tasks(t, &tasks, &error);
    if (status == FR_OK) { status = fr_clash_finder_create(NULL, &finder, &error); }
    if (status == FR_OK) { status = fr_clash_find_motion(finder, &input, &found, &error); }
    exit_status result = EXIT_STATUS_DONE;
    if (status == FR_OK) {
        const char *csv = tool_writes(t) ? options_string(&t->options, "csv") : NULL;
        result = clash_motion_report(t, scene->world, &found, csv, fr_clock_ms_since(start));
    } else {
        result = tool_failed(t, &error);
    }
    bool is_checked = result == EXIT_STATUS_DONE && options_flag(&t->options, "check");
    for (size_t i = 0; is_checked && i < found.count; i++) {
        if (found.clashes[i].kind != FR_CLASH_TOUCHING) { result = EXIT_STATUS_CLASH; }
    }
    fr_clash_finder_destroy(finder);
    return result;
}

static exit_status run_motion(tool *t, uint64_t start) {
    if (t->argument_count != 1) {
        return tool_wrong_usage(t, "--%s takes one SCENE", options_flag(&t->options, "motion") ? "motion" : "moving");
    }
    if (options_given(&t->options, "picture") || options_given(&t->options, "report")) {
        return tool_wrong_usage(t, "--picture and --report draw parts that stand still: leave out --motion");
    }
    if (options_given(&t->options, "notes")) {
        return tool_wrong_usage(t, "--notes are about parts that stand still: leave out --motion");
    }
    fr_error error = {0};
    scene_world scene;
    if (scene_world_open(t, t->arguments[0], FR_SENSE_CONTINUOUS, FR_WANT_INTERVALS, &scene, &error) != FR_OK) {
        return tool_bad_input(t, &error);
    }
    exit_status status = find_and_report_motion(t, &scene, start);
    scene_world_close(&scene);
    return status;
}
#endif

// Why each model was left out was said when it was met; here are all of them once more, at the end of a long list.
static exit_status end_with_failed(tool *t, const assembly *a, exit_status status) {
    if (a->failed.count == 0 || (status != EXIT_STATUS_DONE && status != EXIT_STATUS_CLASH)) { return status; }
    tool_note(t, "%zu %s could not be read and %s left out:", a->failed.count,
              a->failed.count == 1 ? "model" : "models", a->failed.count == 1 ? "was" : "were");
    for (size_t i = 0; i < a->failed.count; i++) {
        tool_note(t, "  %s", ((char *const *)a->failed.data)[i]);
    }
    return status == EXIT_STATUS_DONE ? EXIT_STATUS_FAILED : status;
}

static exit_status run(tool *t) {
    uint64_t start = fr_clock_ns();
#ifdef FUREAI_TOOL_HAS_WORLD
    if (options_flag(&t->options, "motion") || options_flag(&t->options, "moving")) { return run_motion(t, start); }
#endif
    picture *p = NULL;
    assembly a;
    exit_status status = tool_writes(t) ? picture_request_begin(t, t->arguments[0], &p) : EXIT_STATUS_DONE;
    if (status != EXIT_STATUS_DONE) { return status; }
    clash_rules rules;
    bool shows_meshes = options_given(&t->options, "picture") || options_given(&t->options, "report") ||
                        options_given(&t->options, "bcf");
    assembly_frame frame = {.has_colors = p != NULL || options_given(&t->options, "report"), .goes_on = true};
    bool is_shared = t->exchange != NULL && t->exchange->rank_count > 1;
    frame.is_streamed = options_given(&t->options, "memory") && !shows_meshes && !is_shared;
    if (options_given(&t->options, "memory") && is_shared) {
        tool_note(t, "ranks share the work with all meshes at once: --memory limits the reading alone");
    }
    if (options_given(&t->options, "memory") && shows_meshes) {
        tool_note(t, "--picture, --report and --bcf need all meshes at once: --memory limits the reading alone");
    }
    status = clash_rules_read(t, &rules);
    if (status == EXIT_STATUS_DONE) { status = assembly_read(t, t->arguments, t->argument_count, frame, &a); }
    if (status == EXIT_STATUS_DONE) {
        const char *notes = options_string(&t->options, "notes");
        if (notes != NULL) { status = assembly_read_notes(t, notes, &a); }
        if (status == EXIT_STATUS_DONE) { status = find_and_show(t, &p, &a, &rules, start); }
        status = end_with_failed(t, &a, status);
        assembly_release(&a);
    }
    clash_rules_free(&rules);
    picture_destroy(p);
    return status;
}

static const argument arguments[] = {
    {.name = "MODEL",
     .help = "Model files whose parts fit together, of any format that 'fureai info' reads.",
     .repeated = true},
};

static const option options_table[] = {
    NUMBER_OPTION("tolerance", "D", "0", 0, 1e15,
                  "Parts up to D metres apart, and those that enter one another by no more than D, touch."),
#ifdef FUREAI_TOOL_HAS_WORLD
    FLAG_OPTION("motion",
                "The one argument is a scene: find the parts of its objects that meet at any time while they move."),
    FLAG_OPTION("moving", "The same while each joint of the scene goes through its limits, one after another, and all "
                          "else stands still."),
#endif
    STRING_OPTION("ignore", "A:B,...", NULL,
                  "Do not compare parts whose names match patterns A and B, in either order: * is any text, ? one "
                  "character. Write A::B where names hold colons."),
    STRING_OPTION("only", "A:B,...", NULL, "Compare only such parts."),
    STRING_OPTION("clearance", "D,A:B=D,...", NULL,
                  "Also report parts that are apart by at most D metres, for all pairs or for those of two patterns."),
    FLAG_OPTION("groups", "Print like clashes as one line: of one kind, between parts whose names differ only in the "
                          "numbers at their ends."),
    FLAG_OPTION("check", "End with status 4 for every kind of clash but touching."),
    STRING_OPTION("notes", "FILE", NULL,
                  "Show what was decided about each clash, as this file of notes has it (docs/clash.md); with --check "
                  "what was accepted or ignored is no failure."),
    OUTPUT_OPTION("csv", "FILE", "Also write the clashes as a table, a line each."),
#ifdef FUREAI_TOOL_HAS_WORLD
    OUTPUT_OPTION("bcf", "FILE.bcfzip",
                  "Also write the clashes as issues of the BIM collaboration format (BCF 3.0), with viewpoints; with "
                  "--groups one issue a group."),
#endif
    OUTPUT_OPTION(
        "report", "FILE.html",
        "Also write a page to read and to send on: a table of the clashes, the deepest first, and a picture of "
        "each of the first 50."),
    PICTURE_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai clash engine.obj", .does = "Which parts of one file meet, how, and how deep."},
    {.line = "fureai clash --check --tolerance 0.01 case.stl piston.stl",
     .does = "Fails when they overlap by more than 0.01 m."},
    {.line = "fureai clash *.stl --csv clashes.csv --picture clashes.png",
     .does = "Writes a table and draws what meets."},
    {.line = "fureai clash *.stl --notes notes.json --check", .does = "Fails for what is still open."},
#ifdef FUREAI_TOOL_HAS_WORLD
    {.line = "fureai clash plant.glb --ignore 'bolt*:plate*' --bcf clashes.bcfzip",
     .does = "Writes issues for other programs, without what is as it should be."},
#endif
    {.line = "fureai clash plant.glb --memory 1000",
     .does = "Makes meshes when they are needed, of at most 1000 MB at once: for models larger than memory."},
    {.line = "fureai clash case.stl piston.stl --report clashes.html",
     .does = "Writes a page with a picture of every clash."},
#ifdef FUREAI_TOOL_HAS_WORLD
    {.line = "fureai clash --motion demos/door.json", .does = "What does the door hit when it opens, and when?"},
#endif
};

const command command_clash = {
    .name = "clash",
    .summary = "finds the parts of assemblies that meet",
    .description =
        "Every part of every model is compared with every other part. A pair is touching (the surfaces meet), a "
        "protrusion (a vertex of one is inside the other), piercing (the surfaces cross without such a vertex), "
        "enclosed (one is inside the other) or a duplicate (the same part twice in one place). The depth is the "
        "greatest distance from the surface of a closed part of a vertex of the other one that is inside it; without "
        "such a vertex there is none. The region in the document is where the surfaces meet: lines of points, closed "
        "ones ending where they begin.\n\n"
        "With --motion the objects of a scene move from its first instant to its last, joints carry their children, "
        "and every two parts of different objects that meet are reported: when first, from when to when, which "
        "triangles. "
        "Nothing is missed between two steps. Depth and region are those at the instant at which most triangles "
        "collide, or in the middle of a meeting between two instants. A tolerance lets parts enter one another; parts "
        "apart do not touch. With --moving a joint goes to its low limit, to its high one and back (a hinge without "
        "limits once round), and each clash says at which value of which joint it begins.\n\n"
        "With --memory MB meshes are made when they are needed and take at most so much at once, in an order in which "
        "few are needed together; what is found is the same.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

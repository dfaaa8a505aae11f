// The command clash: parts of models, or of a scene's objects, that meet.
#ifdef FUREAI_TOOL_HAS_WORLD
#include "scene_file.h"
#endif
#include "clash_picture.h"
#include "clash_report.h"
#include "commands.h"
#include "csv.h"
#include "picture_request.h"
#include "tool.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Text

static void print_text(tool *t, const assembly *a, const fr_clash_output *found, double ms) {
    size_t part_count = a->parts.count;
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
        if (!fr_is_unknown(c->depth)) { tool_print(t, "  depth %g m", c->depth); }
        fr_clash_note note = assembly_note(a, c);
        if (note.verdict != FR_CLASH_OPEN) { tool_print(t, "  %s", fr_clash_verdict_name(note.verdict)); }
        if (note.text[0] != '\0') { tool_print(t, "  (%s)", note.text); }
        tool_print(t, "\n");
    }
    tool_print(t, "%zu %s of %zu %s in %.1f ms\n", found->count, found->count == 1 ? "clash" : "clashes", part_count,
               part_count == 1 ? "part" : "parts", ms);
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static void write_document(fr_json_writer *j, const assembly *a, const fr_clash_output *found, double ms) {
    fr_json_write_object(j);
    fr_json_write_uint_field(j, "parts", a->parts.count);
    fr_json_write_key(j, "clashes");
    fr_json_write_array(j);
    for (size_t i = 0; i < found->count; i++) {
        const fr_clash *c = &found->clashes[i];
        fr_json_write_object(j);
        json_fields(j, "a", assembly_name(a, c->a), "b", assembly_name(a, c->b), "kind", fr_clash_kind_name(c->kind),
                    "pairs", c->shared_count, "depth", c->depth);
        fr_json_write_key(j, "region");
        clash_write_region(j, &c->region);
        fr_clash_note note = assembly_note(a, c);
        if (a->notes != NULL) { json_fields(j, "verdict", fr_clash_verdict_name(note.verdict), "note", note.text); }
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
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
    fr_output_file_write(file, "\n", 1);
}

static exit_status write_csv(tool *t, const char *path, const assembly *a, const fr_clash_output *found) {
    fr_output_file file;
    fr_error error = {0};
    if (output_file_open(&file, path, &error) != FR_OK) { return tool_failed(t, &error); }
    fr_output_file_print(&file, "a,b,kind,pairs,depth,x,y,z\n");
    for (size_t i = 0; i < found->count; i++) {
        print_row(&file, a, &found->clashes[i]);
    }
    return fr_output_file_commit(&file, &error) == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// The command

static exit_status show(tool *t, picture **p, const assembly *a, const fr_clash_output *found, double ms) {
    exit_status status = EXIT_STATUS_DONE;
    const char *csv = options_string(&t->options, "csv");
    const char *page = options_string(&t->options, "report");
    if (*p != NULL) { status = clash_draw(t, *p, a, found); }
    if (status == EXIT_STATUS_DONE) {
        status = picture_request_end(t, *p);
        *p = NULL;
    }
    if (status == EXIT_STATUS_DONE && csv != NULL) { status = write_csv(t, csv, a, found); }
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

static exit_status find_and_show(tool *t, picture **p, const assembly *a, uint64_t start) {
    fr_error error = {0};
    fr_tasks tasks;
    fr_clash_finder *finder = NULL;
    fr_clash_input input = fr_default_clash_input();
    input.parts = a->parts.data;
    input.part_count = a->parts.count;
    input.tolerance = options_number(&t->options, "tolerance");
    input.tasks = &tasks;
    input.control = &t->control;
    fr_clash_output found;
    fr_status status = tool_tasks(t, &tasks, &error);
    if (status == FR_OK) { status = fr_clash_finder_create(NULL, &finder, &error); }
    if (status == FR_OK) { status = fr_clash_find(finder, &input, &found, &error); }
    exit_status result = status == FR_OK ? show(t, p, a, &found, fr_clock_ms_since(start)) : tool_failed(t, &error);
    fr_clash_finder_destroy(finder);
    return result;
}

#ifdef FUREAI_TOOL_HAS_WORLD
static exit_status find_and_report_motion(tool *t, const scene_world *scene, uint64_t start) {
    fr_error error = {0};
    fr_tasks tasks;
    fr_clash_finder *finder = NULL;
    fr_motion_clash_input input = fr_default_motion_clash_input();
    input.world = scene->world;
    input.steps = fr_scene_get(scene->scene)->steps;
    input.tolerance = options_number(&t->options, "tolerance");
    input.tasks = &tasks;
    input.control = &t->control;
    fr_motion_clash_output found = {0};
    fr_status status = tool_tasks(t, &tasks, &error);
    if (status == FR_OK) { status = fr_clash_finder_create(NULL, &finder, &error); }
    if (status == FR_OK) { status = fr_clash_find_motion(finder, &input, &found, &error); }
    exit_status result = EXIT_STATUS_DONE;
    if (status == FR_OK) {
        result =
            clash_motion_report(t, scene->world, &found, options_string(&t->options, "csv"), fr_clock_ms_since(start));
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
    if (t->argument_count != 1) { return tool_wrong_usage(t, "--motion takes one SCENE"); }
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

static exit_status run(tool *t) {
    uint64_t start = fr_clock_ns();
#ifdef FUREAI_TOOL_HAS_WORLD
    if (options_flag(&t->options, "motion")) { return run_motion(t, start); }
#endif
    picture *p = NULL;
    assembly a;
    exit_status status = picture_request_begin(t, t->arguments[0], &p);
    if (status != EXIT_STATUS_DONE) { return status; }
    bool is_drawn = p != NULL || options_given(&t->options, "report");
    status = assembly_read(t, t->arguments, t->argument_count, (assembly_frame){.has_colors = is_drawn}, &a);
    if (status == EXIT_STATUS_DONE) {
        const char *notes = options_string(&t->options, "notes");
        if (notes != NULL) { status = assembly_read_notes(t, notes, &a); }
        if (status == EXIT_STATUS_DONE) { status = find_and_show(t, &p, &a, start); }
        assembly_release(&a);
    }
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
#endif
    FLAG_OPTION("check", "End with status 4 when parts penetrate or contain one another. Touching is allowed."),
    STRING_OPTION("notes", "FILE", NULL,
                  "Show what was decided about each clash, as this file of notes has it (docs/clash.md); with --check "
                  "what was accepted or ignored is no failure."),
    OUTPUT_OPTION("csv", "FILE", "Also write the clashes as a table, a line each."),
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
        "Every part of every model is compared with every other part. A pair is touching (the surfaces meet), "
        "penetrating (they cross, or fill the same space) or contained (one is inside the other). The depth is the "
        "greatest distance from the surface of a closed part of a vertex of the other one that is inside it; without "
        "such a vertex there is none. The region in the document is where the surfaces meet: lines of points, closed "
        "ones ending where they begin.\n\n"
        "With --motion the objects of a scene move from its first instant to its last, joints carry their children, "
        "and every two parts of different objects that meet are reported: when first, from when to when, which "
        "triangles. "
        "Nothing is missed between two steps. Depth and region are those at the instant at which most triangles "
        "collide, or in the middle of a meeting between two instants. A tolerance lets parts enter one another; parts "
        "apart do not touch.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

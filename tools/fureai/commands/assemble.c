// The command assemble: parts are put together by a hand, and the report of it.
#include "assembler_report.h"
#include "commands.h"
#include "picture_request.h"

#define SCRIPT_LIMIT ((size_t)16 << 20)

// Both are closed where they were not wanted.
typedef struct assemble_files {
    output_file log, sound;
} assemble_files;

static fr_status open_file(const tool *t, const char *name, output_file *file, fr_error *error) {
    const char *path = options_string(&t->options, name);
    return path != NULL ? output_file_open(file, path, error) : FR_OK;
}

static fr_status write_files(tool *t, const assembler *a, assemble_files *files, fr_error *error) {
    fr_status status = open_file(t, "log", &files->log, error);
    if (status == FR_OK) { status = open_file(t, "sound", &files->sound, error); }
    // Sound takes long: who stops it keeps both files as they were.
    if (status == FR_OK && files->sound.stream != NULL) {
        status = assembler_sound(t, a, (uint64_t)options_int(&t->options, "seed"), &files->sound, error);
        if (status == FR_OK) { status = output_file_commit(&files->sound, error); }
    }
    if (status == FR_OK && files->log.stream != NULL) {
        assembler_log(a, &files->log);
        status = output_file_commit(&files->log, error);
    }
    output_file_discard(&files->log);
    output_file_discard(&files->sound);
    return status;
}

// A script that is wrong is bad input; what fails while it is played is not.
static exit_status play(tool *t, assembler *a, const char *path) {
    fr_error error = {0};
    input_file script;
    if (tool_read(t, path, INPUT_TYPED, SCRIPT_LIMIT, &script, &error) != FR_OK) { return tool_bad_input(t, &error); }
    fr_status status = fr_assembler_play(a->hand, script.data, script.size, path, &error);
    input_file_release(&script);
    return status == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(t, &error);
}

static exit_status work(tool *t, assembler *a) {
    fr_error error = {0};
    const char *script = options_string(&t->options, "script");
    if (script != NULL) { return play(t, a, script); }
    fr_status status = fr_assembler_do_all(a->hand, &error);
    if (status != FR_ERROR_LIMIT) { return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error); }
    fr_error_locate(&error, t->arguments[0], 0, 0);
    return tool_bad_input(t, &error);
}

static exit_status report(tool *t, assembler *a, picture *image) {
    fr_error error = {0};
    assembler_end end;
    assemble_files files = {0};
    fr_status status = assembler_end_make(t, a, &end, &error);
    if (status != FR_OK) { return tool_failed(t, &error); }
    status = write_files(t, a, &files, &error);
    if (status == FR_OK) { assembler_report(t, a, &end); }
    uint32_t in_something = end.count;
    assembler_end_free(&end);
    if (status != FR_OK) { return tool_failed(t, &error); }
    if (image != NULL) { assembler_draw(a, image); }
    const fr_assembly *assembly = fr_assembler_get(a->hand).assembly;
    bool is_whole = fr_assembly_fitted_count(assembly) == fr_assembly_count(assembly) && in_something == 0;
    return options_flag(&t->options, "check") && !is_whole ? EXIT_STATUS_CLASH : EXIT_STATUS_DONE;
}

static exit_status run(tool *t) {
    picture *image = NULL;
    exit_status status = picture_request_begin(t, "assembled", &image);
    if (status != EXIT_STATUS_DONE) { return status; }
    fr_assembler_def def = fr_default_assembler_def();
    def.has_aid = options_flag(&t->options, "aid");
    def.tremor = 1e-3 * options_number(&t->options, "tremor");
    def.seed = (uint64_t)options_int(&t->options, "seed");
    assembler a;
    status = assembler_open(t, t->arguments[0], &def, &a);
    if (status == EXIT_STATUS_DONE) {
        status = work(t, &a);
        if (status == EXIT_STATUS_DONE) { status = report(t, &a, image); }
        assembler_close(&a);
    }
    if (status != EXIT_STATUS_DONE && status != EXIT_STATUS_CLASH) {
        picture_destroy(image);
        return status;
    }
    exit_status drawn = picture_request_end(t, image);
    return drawn != EXIT_STATUS_DONE ? drawn : status;
}

static const argument arguments[] = {
    {.name = "SCENE", .help = "The scene file, with an 'assembly' (docs/scene.md)."},
};

static const option options_table[] = {
    STRING_OPTION("script", "FILE", NULL,
                  "What the hand does, a step a line; without it the hand puts all together by itself."),
    FLAG_OPTION("aid", "The hand has the manipulation aid: faces, edges and holes hold."),
    NUMBER_OPTION("tremor", "MM", "0.45", 0.0, 100.0,
                  "How much the hand trembles: deviation in millimetres, and 0.78 degrees for each."),
    INT_OPTION("seed", "S", "1", 0, 4294967295.0,
               "Of the trembling and of the noise in the sound: the same seed, the same bytes."),
    FLAG_OPTION("check", "Status 4 unless all is fitted and nothing interferes."),
    OUTPUT_OPTION("log", "FILE.csv", "Also write what happened, an event a line."),
    OUTPUT_OPTION("sound", "FILE.wav", "Also write what is heard."),
    PICTURE_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai assemble demos/piston.json", .does = "Puts an engine's piston together."},
    {.line = "fureai assemble demos/piston.json --aid --log hand.csv --sound hand.wav",
     .does = "The same with the aid, and hears it."},
    {.line = "fureai --json assemble demos/piston.json --check", .does = "Does all fit, and does nothing interfere?"},
};

const command command_assemble = {
    .name = "assemble",
    .summary = "puts the parts of a scene together by a simulated hand",
    .description =
        "Every part of the scene's assembly has a place. A hand takes one after another, as the order allows, carries "
        "it before its place and pushes it in, trembling. Within the tolerance of its place, after its predecessors "
        "and with a free path for the rest, a part fits: it jumps there and stands. In the end every part is "
        "checked whether it is in another, deeper than its slack, and the pairs of faces that share a point are "
        "counted.\n\n"
        "The report has the order, and of each part the seconds in the hand, how far it was from its place before the "
        "fit, "
        "the contacts it made, and what blocked it. A part that does not fit is a result, not a failure; --check "
        "makes it one.\n\n"
        "A script has a step a line, and # before what is no step:\n"
        "  grasp PART             takes a part; \"bolt 1\" in quotes\n"
        "  grasp at X Y Z         takes what an operating point catches there\n"
        "  move X Y Z [in S]      goes so many metres, in S seconds\n"
        "  turn X Y Z DEG [in S]  turns about an axis through the part's middle\n"
        "  to PART [X Y Z] [in S] goes to the place of a part, with an offset in its axes\n"
        "  release                opens the hand\n"
        "  wait S                 waits\n\n"
        "Without --aid nothing stops the hand: contacts are counted, and parts pass through one another until they "
        "fit. Time is the scene's, 60 frames a second; an hour is the most.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

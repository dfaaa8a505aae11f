// The command assemble: parts are put together by a hand, and the report of it.
#include "commands.h"
#include "picture_request.h"
#include "scene_file.h"

#include "fureai/actor.h"
#include "fureai/collide.h"

#include <math.h>
#include <stdlib.h>

#define SCRIPT_LIMIT ((size_t)16 << 20)
#define SOUND_CHUNK 4096 // frames
#define SOUND_TAIL 1.0   // seconds behind the last event

// A scene and the hand that puts its parts together.
typedef struct assembler {
    scene_file file;
    const char **names; // of the parts
    fr_assembler *hand;
} assembler;

// How the parts stand in the end.
typedef struct assembler_end {
    fr_object_id *with; // what each part is in, deeper than its slack; all zeros: nothing
    uint32_t count;     // of the parts that are in something
    size_t pairs;       // of faces that share a point
} assembler_end;

static fr_assembler_output out_of(const assembler *a) { return fr_assembler_get(a->hand); }

// ---------------------------------------------------------------------------------------------------------------
// Opening

static fr_status make_hand(tool *t, fr_assembler_def *def, assembler *a, fr_error *error) {
    const fr_scene_view *view = fr_scene_get(a->file.scene);
    a->names = calloc((size_t)view->fit_count + 1, sizeof *a->names);
    if (a->names == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the names of parts"); }
    for (uint32_t i = 0; i < view->fit_count; i++) {
        a->names[i] = view->fits[i].part.name;
    }
    def->space = a->file.space;
    def->names = a->names;
    def->control = &t->control;
    fr_status status = fr_scene_build_assembly(a->file.scene, def->space, a->file.ids, NULL, &def->assembly, error);
    if (status == FR_OK) { status = fr_assembler_create(def, &a->hand, error); }
    if (status != FR_OK) { fr_assembly_destroy(def->assembly); }
    return status;
}

static void assembler_close(assembler *a) {
    fr_assembler_destroy(a->hand);
    free(a->names);
    scene_file_release(&a->file);
}

// Reads a scene that has an assembly; space, assembly, names and control of the definition are set. Anything but DONE:
// return it, there is nothing to close.
static exit_status assembler_open(tool *t, const char *path, fr_assembler_def *def, assembler *out) {
    *out = (assembler){.hand = NULL};
    exit_status done = scene_file_read(t, path, 0, &out->file);
    if (done != EXIT_STATUS_DONE) { return done; }
    fr_error error = {0};
    fr_status status = FR_OK;
    if (fr_scene_get(out->file.scene)->fit_count == 0) {
        status =
            fr_error_set(&error, FR_ERROR_ARGUMENT, "the scene has no 'assembly': nothing says what belongs where");
        fr_error_locate(&error, path, 1, 1);
    }
    if (status == FR_OK) { status = make_hand(t, def, out, &error); }
    if (status == FR_OK) { return EXIT_STATUS_DONE; }
    assembler_close(out);
    return tool_bad_input(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// Interference

// Parts that were fitted count as if they could move still.
static fr_status loosen(tool *t, const assembler *a, fr_error *error) {
    fr_tasks tasks;
    fr_status status = tool_tasks(t, &tasks, error);
    for (uint32_t i = 0; i < fr_assembly_count(out_of(a).assembly) && status == FR_OK; i++) {
        status = fr_object_set_flags(a->file.space, fr_assembly_get(out_of(a).assembly, i)->object, 0, NULL);
    }
    return status == FR_OK ? fr_space_update(a->file.space, &tasks, error) : status;
}

static fr_status count_pairs(tool *t, const assembler *a, size_t *out, fr_error *error) {
    fr_tasks tasks;
    fr_collide *collide = NULL;
    fr_status status = tool_tasks(t, &tasks, error);
    if (status == FR_OK) { status = fr_collide_create(NULL, &collide, error); }
    if (status != FR_OK) { return status; }
    fr_collide_input input = fr_default_collide_input();
    input.space = a->file.space;
    input.tasks = &tasks;
    fr_collide_output output;
    status = fr_collide_static(collide, &input, &output, error);
    *out = status == FR_OK ? output.pair_count : 0;
    fr_collide_destroy(collide);
    return status;
}

static void assembler_end_free(assembler_end *end) {
    free(end->with);
    end->with = NULL;
}

static fr_status assembler_end_make(tool *t, const assembler *a, assembler_end *out, fr_error *error) {
    uint32_t count = fr_assembly_count(out_of(a).assembly);
    *out = (assembler_end){.with = calloc(count, sizeof *out->with)};
    if (out->with == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the report"); }
    fr_status status = loosen(t, a, error);
    if (status == FR_OK) { status = count_pairs(t, a, &out->pairs, error); }
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        status = fr_assembly_interference(out_of(a).assembly, a->file.space, i, &out->with[i], error);
        out->count += out->with[i].index1 != 0 ? 1 : 0;
    }
    if (status != FR_OK) { assembler_end_free(out); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The report

static const char *name_of(const assembler *a, fr_object_id id) {
    return id.index1 != 0 ? scene_file_name(&a->file, id.index1 - 1) : NULL;
}

static void write_part(fr_json_writer *j, const assembler *a, uint32_t part, fr_object_id with) {
    const fr_assembler_record *r = &out_of(a).records[part];
    uint32_t place = fr_assembly_states(out_of(a).assembly)[part].place;
    fr_json_write_object(j);
    json_fields(j, "part", fr_assembler_name(a->hand, part), "place",
                place != FR_NONE ? fr_assembler_name(a->hand, place) : NULL, "seconds", r->fitted - r->taken,
                "distance_mm", fr_is_unknown(r->fitted) ? FR_UNKNOWN : 1e3 * r->distance, "angle_deg",
                fr_is_unknown(r->fitted) ? FR_UNKNOWN : fr_degrees(r->angle), "contacts", r->contacts, "blocked",
                r->blocked, "blocked_by", name_of(a, r->blocker));
    json_fields(j, "early", r->early, "missing", r->missing != FR_NONE ? fr_assembler_name(a->hand, r->missing) : NULL,
                "refused", r->refused, "held_by", r->held_by != FR_NONE ? fr_assembler_name(a->hand, r->held_by) : NULL,
                "interferes_with", name_of(a, with));
    fr_json_write_object_end(j);
}

static void write_document(fr_json_writer *j, const assembler *a, const assembler_end *end) {
    uint32_t count = fr_assembly_count(out_of(a).assembly);
    fr_json_write_object(j);
    json_fields(j, "aid", (bool)(out_of(a).has_aid), "fitted", fr_assembly_fitted_count(out_of(a).assembly), "count",
                count, "seconds", out_of(a).seconds, "interference", end->count, "pairs", end->pairs, "misses",
                out_of(a).misses);
    fr_json_write_key(j, "order");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < out_of(a).order_count; i++) {
        if (fr_assembly_states(out_of(a).assembly)[out_of(a).order[i]].place != FR_NONE) {
            fr_json_write_string(j, fr_assembler_name(a->hand, out_of(a).order[i]));
        }
    }
    fr_json_write_array_end(j);
    fr_json_write_key(j, "parts");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < count; i++) {
        write_part(j, a, i, end->with[i]);
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

static void print_why(tool *t, const assembler *a, const fr_assembler_record *r) {
    if (r->blocked > 0) {
        tool_print(t, "; blocked %u times, by ", r->blocked);
        tool_print_name(t, name_of(a, r->blocker));
    }
    if (r->early > 0) {
        tool_print(t, "; too early %u times, before ", r->early);
        tool_print_name(t, fr_assembler_name(a->hand, r->missing));
    }
    if (r->refused > 0) {
        tool_print(t, "; refused %u times", r->refused);
        if (r->held_by != FR_NONE) {
            tool_print(t, ", held by ");
            tool_print_name(t, fr_assembler_name(a->hand, r->held_by));
        }
    }
    tool_print(t, "\n");
}

static void print_part(tool *t, const assembler *a, uint32_t part, const assembler_end *end) {
    const fr_assembler_record *r = &out_of(a).records[part];
    bool is_fitted = fr_assembly_states(out_of(a).assembly)[part].place != FR_NONE;
    tool_print(t, "  ");
    tool_print_name(t, fr_assembler_name(a->hand, part));
    if (is_fitted) {
        tool_print(t, ": %.1f s, fitted from %.1f mm and %.1f degrees, %u contacts", r->fitted - r->taken,
                   1e3 * r->distance, fr_degrees(r->angle), r->contacts);
    } else {
        tool_print(t, ": loose, %u contacts", r->contacts);
    }
    if (end->with[part].index1 != 0) {
        tool_print(t, "; is in ");
        tool_print_name(t, name_of(a, end->with[part]));
    }
    print_why(t, a, r);
}

static void assembler_report(tool *t, const assembler *a, const assembler_end *end) {
    uint32_t count = fr_assembly_count(out_of(a).assembly);
    tool_print(t, "%u of %u parts fitted in %.1f s, %s; ", fr_assembly_fitted_count(out_of(a).assembly), count,
               out_of(a).seconds, out_of(a).has_aid ? "with the aid" : "without aid");
    tool_print(t, "%u %s something, %zu pairs of faces touch\n", end->count, end->count == 1 ? "is in" : "are in",
               end->pairs);
    for (uint32_t i = 0; i < out_of(a).order_count; i++) {
        if (fr_assembly_states(out_of(a).assembly)[out_of(a).order[i]].place != FR_NONE) {
            print_part(t, a, out_of(a).order[i], end);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (fr_assembly_states(out_of(a).assembly)[i].place == FR_NONE) { print_part(t, a, i, end); }
    }
    if (out_of(a).misses > 0) { tool_print(t, "  the hand caught nothing %u times\n", out_of(a).misses); }
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { write_document(j, a, end); }
}

// ---------------------------------------------------------------------------------------------------------------
// Log and sound

static void assembler_log(const assembler *a, fr_output_file *file) {
    const fr_hand_event *events = out_of(a).events;
    fr_output_file_print(file, "%s\n", fr_hand_event_columns());
    for (size_t i = 0; i < out_of(a).event_count; i++) {
        char line[FR_HAND_EVENT_BYTES];
        (void)fr_hand_event_text(&events[i], line, sizeof line);
        fr_output_file_print(file, "%s\n", line);
    }
}

// Events are added as their time comes, so that any number of them is heard. False when it was stopped.
static bool render(const tool *t, const assembler *a, fr_hand_voice *voice, const fr_wav *sound, fr_output_file *file) {
    const uint64_t frames = sound->frames;
    const fr_hand_event *events = out_of(a).events;
    size_t next = 0;
    for (uint64_t done = 0; done < frames;) {
        int16_t stereo[2 * SOUND_CHUNK];
        uint8_t bytes[sizeof stereo];
        size_t some = frames - done < SOUND_CHUNK ? (size_t)(frames - done) : SOUND_CHUNK;
        double until = (double)(done + some) / (double)sound->rate;
        while (next < out_of(a).event_count && events[next].time < until) {
            (void)fr_hand_voice_add(voice, &events[next++]);
        }
        fr_hand_voice_render(voice, stereo, some);
        for (size_t i = 0; i < 2 * some; i++) {
            bytes[2 * i] = (uint8_t)((uint16_t)stereo[i] & 0xff);
            bytes[2 * i + 1] = (uint8_t)((uint16_t)stereo[i] >> 8);
        }
        fr_output_file_write(file, bytes, 4 * some);
        done += some;
        fr_control_progress(&t->control, (double)done / (double)frames, "sound");
        if (fr_control_is_stopped(&t->control)) { return false; }
    }
    return true;
}

static fr_status assembler_sound(const tool *t, const assembler *a, uint64_t seed, fr_output_file *file,
                                 fr_error *error) {
    fr_hand_voice_def def = fr_default_hand_voice_def();
    def.mode = out_of(a).has_aid ? FR_AID_MODE_AID_SOUND : FR_AID_MODE_SOUND;
    def.seed = seed;
    fr_hand_voice *voice;
    uint8_t header[FR_WAV_HEADER_BYTES];
    fr_wav sound = {.rate = def.rate, .frames = (uint64_t)ceil((out_of(a).seconds + SOUND_TAIL) * (double)def.rate)};
    fr_status status = fr_hand_voice_create(&def, &voice, error);
    if (status == FR_OK) { status = fr_wav_header(&sound, header, error); }
    if (status == FR_OK) {
        fr_output_file_write(file, header, sizeof header);
        bool is_whole = render(t, a, voice, &sound, file);
        if (!is_whole) { status = fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    }
    fr_hand_voice_destroy(voice);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The picture

static void draw_part(const fr_draw *draw, const assembler *a, uint32_t part, fr_color color, bool is_begin) {
    const fr_scene_fit *fit = &fr_scene_get(a->file.scene)->fits[part];
    fr_object_id id = fr_assembly_get(out_of(a).assembly, part)->object;
    const fr_object_view *object = fr_object_get(a->file.space, id);
    fr_pose pose = is_begin ? fr_scene_pose(a->file.scene, fit->object, 0) : object->pose;
    for (uint32_t i = 0; i < object->part_count; i++) {
        fr_part_view view = fr_object_part(a->file.space, id, i);
        const fr_part_def own = {.mesh = view.mesh, .pose = view.pose};
        fr_parts_draw(&own, 1, &pose, draw, color);
    }
}

static void assembler_draw(const assembler *a, picture *image) {
    const fr_color faint = {150, 150, 160, 40}, line = {200, 60, 40, 160};
    const fr_scene_view *view = fr_scene_get(a->file.scene);
    fr_draw draw = picture_draw(image);
    for (uint32_t i = 0; i < view->fit_count; i++) {
        fr_vec3 from = fr_scene_pose(a->file.scene, view->fits[i].object, 0).position;
        fr_vec3 to = fr_object_get(a->file.space, fr_assembly_get(out_of(a).assembly, i)->object)->pose.position;
        const double points[6] = {from.x, from.y, from.z, to.x, to.y, to.z};
        draw_part(&draw, a, i, faint, true);
        draw_part(&draw, a, i, view->objects[view->fits[i].object].color, false);
        fr_draw_lines(&draw, points, 1, line, 1.0);
    }
    picture_legend(image, faint, "where a part lay");
    picture_legend(image, line, "where it went");
}

// ---------------------------------------------------------------------------------------------------------------
// The command

// Both are closed where they were not wanted.
typedef struct assemble_files {
    fr_output_file log, sound;
} assemble_files;

static fr_status open_file(const tool *t, const char *name, fr_output_file *file, fr_error *error) {
    const char *path = options_string(&t->options, name);
    return path != NULL ? output_file_open(file, path, error) : FR_OK;
}

static fr_status write_files(tool *t, const assembler *a, assemble_files *files, fr_error *error) {
    fr_status status = open_file(t, "log", &files->log, error);
    if (status == FR_OK) { status = open_file(t, "sound", &files->sound, error); }
    // Sound takes long: who stops it keeps both files as they were.
    if (status == FR_OK && files->sound.is_open) {
        status = assembler_sound(t, a, (uint64_t)options_int(&t->options, "seed"), &files->sound, error);
        if (status == FR_OK) { status = fr_output_file_commit(&files->sound, error); }
    }
    if (status == FR_OK && files->log.is_open) {
        assembler_log(a, &files->log);
        status = fr_output_file_commit(&files->log, error);
    }
    fr_output_file_discard(&files->log);
    fr_output_file_discard(&files->sound);
    return status;
}

// A script that is wrong is bad input; what fails while it is played is not.
static exit_status play(tool *t, assembler *a, const char *path) {
    fr_error error = {0};
    fr_input_file script;
    if (tool_read(t, path, SCRIPT_LIMIT, &script, &error) != FR_OK) { return tool_bad_input(t, &error); }
    fr_status status = fr_assembler_play(a->hand, script.data, script.size, path, &error);
    fr_input_file_destroy(&script);
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

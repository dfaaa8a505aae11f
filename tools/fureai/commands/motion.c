// The command motion: reads a captured motion, cleans it, carries it over to a body, and writes it again.
#include "commands.h"
#include "model_file.h"
#include "motion_file.h"
#include "picture_request.h"
#include "tool.h"

#include "fureai/human_cells.h"
#include "fureai/scene_recording.h"

#include <string.h>

typedef struct motion {
    fr_skeleton *skeleton;
    fr_clip *clip;
    fr_bvh_facts file; // all zeros for a clip file
} motion;

static fr_status make_body(double stature, motion *m, fr_error *error) {
    fr_body_def def = fr_default_body_def();
    if (stature > 0.0) { def.stature = stature; }
    return fr_skeleton_create_body(&def, &m->skeleton, error);
}

// A walk by captured steps: ahead, then round a corner.
static fr_status walk_steps(const fr_input_file *file, motion *m, fr_error *error) {
    fr_walk_cells_input input = fr_default_walk_cells_input();
    input.text = file->data;
    input.size = file->size;
    fr_walk_cells *cells = NULL;
    fr_walk_set_def def = fr_default_walk_set_def();
    fr_walk_set *set = NULL;
    fr_status status = fr_walk_cells_read(&input, &cells, error);
    def.skeleton = m->skeleton;
    def.cells = cells;
    if (status == FR_OK) { status = fr_walk_set_create(&def, &set, error); }
    const fr_walk_goal goals[] = {{{0.0, 0.0, 4.0}, 0.0, false}, {{2.0, 0.0, 4.0}, 0.0, false}};
    if (status == FR_OK) { status = fr_walk_set_record(set, goals, 2, NULL, &m->clip, error); }
    fr_walk_set_release(set);
    fr_walk_cells_destroy(cells);
    return status;
}

// A clip file and a table of sensors move our body; a BVH file brings its own.
static fr_status read_motion(tool *t, const char *path, motion *m, fr_error *error) {
    fr_input_file file = {0};
    fr_status status = tool_read(t, path, 0, &file, error);
    if (status == FR_OK && path_ends_with(path, ".ahmc")) {
        fr_ahmc_input input = fr_default_ahmc_input();
        input.text = file.data;
        input.size = file.size;
        status = fr_ahmc_read(&input, &m->clip, error);
        if (status == FR_OK) { status = make_body(0.0, m, error); }
    } else if (status == FR_OK && path_ends_with(path, ".csv")) {
        status = make_body(options_number(&t->options, "body"), m, error);
        fr_sensors_input input = fr_default_sensors_input();
        input.text = file.data;
        input.size = file.size;
        input.skeleton = m->skeleton;
        input.upright = options_number(&t->options, "upright");
        if (status == FR_OK) { status = fr_sensors_read(&input, &m->clip, error); }
    } else if (status == FR_OK && path_ends_with(path, ".ahmw")) {
        status = make_body(options_number(&t->options, "body"), m, error);
        if (status == FR_OK) { status = walk_steps(&file, m, error); }
    } else if (status == FR_OK) {
        fr_bvh_input input = fr_default_bvh_input();
        input.text = file.data;
        input.size = file.size;
        input.unit = options_number(&t->options, "unit");
        input.control = &t->control;
        status = fr_bvh_read(&input, &m->skeleton, &m->clip, &m->file, error);
        if (status == FR_OK && m->file.declared_frames != fr_clip_get(m->clip)->frame_count) {
            tool_note(t, "%s declares %u frames and has %u", path, m->file.declared_frames,
                      fr_clip_get(m->clip)->frame_count);
        }
    }
    if (status != FR_OK) { fr_error_locate(error, path, error->line, error->column); }
    fr_input_file_destroy(&file);
    return status;
}

// Replaces the clip, and the skeleton where another is given.
static void take(motion *m, fr_clip *clip, fr_skeleton *skeleton) {
    fr_clip_release(m->clip);
    m->clip = clip;
    if (skeleton == NULL) { return; }
    fr_skeleton_release(m->skeleton);
    m->skeleton = skeleton;
}

// Retargets and cleans as the options say; to a body of ours without them too, where `needs_body`.
static fr_status work(const tool *t, motion *m, bool needs_body, fr_error *error) {
    double stature = options_number(&t->options, "body"), rate = options_number(&t->options, "fps");
    if (needs_body && stature == 0.0 && m->file.joint_count > 0) { stature = fr_default_body_def().stature; }
    fr_clip *clip = NULL;
    fr_status status = FR_OK;
    if (stature > 0.0 || rate > 0.0) {
        motion body = {0};
        if (stature > 0.0) { status = make_body(stature, &body, error); }
        fr_retarget_input input = fr_default_retarget_input();
        input.from = m->skeleton;
        input.clip = m->clip;
        input.to = stature > 0.0 ? body.skeleton : m->skeleton;
        input.reference = stature > 0.0 ? FR_REFERENCE_GUESS : FR_REFERENCE_REST;
        input.frame_rate = rate;
        if (status == FR_OK) { status = fr_retarget(&input, &clip, error); }
        if (status != FR_OK) { fr_skeleton_release(body.skeleton); }
        if (status == FR_OK) { take(m, clip, body.skeleton); }
    }
    if (status == FR_OK && options_flag(&t->options, "clean")) {
        fr_clean_input input = fr_default_clean_input();
        input.skeleton = m->skeleton;
        input.clip = m->clip;
        status = fr_clip_clean(&input, &clip, error);
        if (status == FR_OK) { take(m, clip, NULL); }
    }
    return status;
}

// The clip on a body with skin and clothes.
static exit_status write_model(tool *t, const motion *m, const char *path) {
    fr_figure_def def = fr_default_figure_def();
    def.skeleton = m->skeleton;
    fr_figure *figure = NULL;
    fr_model *model = NULL;
    fr_error error = {0};
    fr_status status = fr_figure_create(&def, &figure, &error);
    if (status == FR_OK) { status = fr_recording_model_of_clip(figure, m->clip, NULL, &model, &error); }
    exit_status result = status == FR_OK ? model_file_write(t, model, FR_MODEL_GLB, path) : tool_failed(t, &error);
    fr_model_destroy(model);
    fr_figure_release(figure);
    return result;
}

static void print_result(tool *t, const motion *m) {
    const fr_clip_view *clip = fr_clip_get(m->clip);
    bool is_own = m->file.joint_count == clip->link_count; // of the file's own skeleton
    uint32_t channels = is_own ? m->file.channel_count : 3 + 3 * clip->link_count;
    fr_clip_facts facts;
    bool has_feet = fr_clip_measure(m->skeleton, m->clip, &facts, NULL) == FR_OK;
    tool_print(t, "%u frames at %.4g a second, %u joints, %u channels\n", clip->frame_count, clip->frame_rate,
               clip->link_count, channels);
    if (has_feet) {
        tool_print(t, "%u contacts, slide %.3f mm at most, speed jumps by up to %.1f rad/s, %.2f m along the ground\n",
                   facts.contact_count, 1000.0 * facts.slide_max, facts.speed_jump, facts.travel);
    }
    fr_json_writer *j = tool_json(t);
    if (j == NULL) { return; }
    fr_json_write_object(j);
    json_fields(j, "frames", clip->frame_count, "fps", clip->frame_rate, "joints", clip->link_count, "channels",
                channels);
    if (has_feet) {
        json_fields(j, "contacts", facts.contact_count, "slide_mm", 1000.0 * facts.slide_max, "speed_jump",
                    facts.speed_jump);
    }
    fr_json_write_object_end(j);
}

static exit_status draw(tool *t, const motion *m) {
    picture *p = NULL;
    fr_error error = {0};
    const char *path = t->arguments[0], *slash = strrchr(path, '/');
    exit_status status = picture_request_begin(t, slash != NULL ? slash + 1 : path, &p);
    if (status != EXIT_STATUS_DONE || p == NULL) { return status; }
    fr_draw into = picture_draw(p);
    if (fr_clip_draw(m->skeleton, m->clip, &into, &error) == FR_OK) { return picture_request_end(t, p); }
    picture_destroy(p);
    return tool_failed(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// Cells

static const char *const cell_classes[] = {[FR_CLIP_ONE_STEP] = "1step",
                                           [FR_CLIP_TWO_STEPS] = "2step",
                                           [FR_CLIP_START] = "start",
                                           [FR_CLIP_STRAIGHT] = "straight",
                                           [FR_CLIP_END] = "end"};

static void print_cells(tool *t, const fr_walk_cells *cells, uint32_t captures) {
    static const uint32_t of[] = {[FR_CLIP_ONE_STEP] = 148,
                                  [FR_CLIP_TWO_STEPS] = 148,
                                  [FR_CLIP_START] = 7,
                                  [FR_CLIP_STRAIGHT] = 1,
                                  [FR_CLIP_END] = 28};
    fr_walk_cells_view view = fr_walk_cells_get(cells);
    uint32_t filled[FR_CLIP_END + 1] = {0};
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        if (view.clips[i] != NULL) { filled[fr_clip_get(view.clips[i])->clip_class]++; }
    }
    for (uint32_t k = FR_CLIP_ONE_STEP; k <= FR_CLIP_END; k++) {
        tool_print(t, "%-9s %3u of %3u captured, %3u made by code\n", cell_classes[k], filled[k], of[k],
                   of[k] - filled[k]);
    }
    tool_print(t, "%u of %u cells from %u steps in %u captures; %.2f m/s\n", view.filled, FR_WALK_CLIPS,
               view.piece_count, captures, view.speed);
    fr_json_writer *j = tool_json(t);
    if (j == NULL) { return; }
    fr_json_write_object(j);
    json_fields(j, "captures", captures, "steps", view.piece_count, "filled", view.filled, "speed", view.speed);
    fr_json_write_key(j, "cells");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        if (view.clips[i] == NULL) { continue; }
        const fr_clip_view *clip = fr_clip_get(view.clips[i]);
        fr_json_write_object(j);
        json_fields(j, "cell", i, "class", cell_classes[clip->clip_class], "direction_deg", fr_degrees(clip->direction),
                    "facing_deg", fr_degrees(clip->facing), "length", clip->length, "frames", clip->frame_count);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

// Cuts the steps out of one capture.
static fr_status cut_capture(tool *t, const char *path, fr_walk_cells **cells, fr_error *error) {
    motion m = {0};
    fr_status status = read_motion(t, path, &m, error);
    if (status == FR_OK) { status = work(t, &m, true, error); }
    if (status == FR_OK && *cells == NULL) {
        fr_walk_cells_def def = fr_default_walk_cells_def();
        def.skeleton = m.skeleton;
        status = fr_walk_cells_create(&def, cells, error);
    }
    if (status == FR_OK) { status = fr_walk_cells_add(*cells, m.clip, NULL, error); }
    fr_clip_release(m.clip);
    fr_skeleton_release(m.skeleton);
    return status;
}

// Cuts all captures, and writes the steps that fill cells of a set of walks.
static exit_status make_cells(tool *t, const char *path) {
    fr_walk_cells *cells = NULL;
    fr_error error = {0};
    fr_status status = FR_OK;
    for (int i = 0; i < t->argument_count && status == FR_OK; i++) {
        fr_control_progress(&t->control, (double)i / (double)t->argument_count, "captures");
        status = fr_control_is_stopped(&t->control) ? fr_error_set(&error, FR_ERROR_STOPPED, "stopped")
                                                    : cut_capture(t, t->arguments[i], &cells, &error);
    }
    exit_status result = status == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(t, &error);
    if (status == FR_OK && motion_file_write_cells(cells, path, &error) != FR_OK) { result = tool_failed(t, &error); }
    if (result == EXIT_STATUS_DONE) { print_cells(t, cells, (uint32_t)t->argument_count); }
    fr_walk_cells_destroy(cells);
    return result;
}

static exit_status run(tool *t) {
    const char *in = t->arguments[0], *out = t->argument_count > 1 ? t->arguments[1] : NULL;
    const char *cells = options_string(&t->options, "cells");
    if (cells != NULL) { return make_cells(t, cells); }
    if (t->argument_count > 2) {
        return tool_wrong_usage(t, "%s: one motion is written; more than one need --cells", t->arguments[2]);
    }
    exit_status status = EXIT_STATUS_DONE;
    if (out != NULL && !motion_file_is_written(t, out, &status)) { return status; }
    bool is_model = out != NULL && path_ends_with(out, ".glb");
    motion m = {0};
    fr_error error = {0};
    if (read_motion(t, in, &m, &error) != FR_OK) { status = tool_bad_input(t, &error); }
    if (status == EXIT_STATUS_DONE && work(t, &m, is_model, &error) != FR_OK) { status = tool_failed(t, &error); }
    if (status == EXIT_STATUS_DONE && is_model) {
        status = write_model(t, &m, out);
    } else if (status == EXIT_STATUS_DONE && out != NULL &&
               motion_file_write(m.skeleton, m.clip, options_flag(&t->options, "text"), out, &error) != FR_OK) {
        status = tool_failed(t, &error);
    }
    if (status == EXIT_STATUS_DONE) { status = draw(t, &m); }
    if (status == EXIT_STATUS_DONE) { print_result(t, &m); }
    fr_clip_release(m.clip);
    fr_skeleton_release(m.skeleton);
    return status;
}

static const argument arguments[] = {
    {.name = "IN",
     .help = "The motion to read: BVH, a clip file (.ahmc), a table of sensors (.csv), or captured steps "
             "(.ahmw), which walk round a corner."},
    {.name = "OUT",
     .help = "The file to write: .bvh (in centimetres), .ahmc, or .glb, a model of a body that moves.",
     .optional = true},
    {.name = "MORE", .help = "With --cells: all are motions to read.", .optional = true, .repeated = true},
};

static const option options_table[] = {
    FLAG_OPTION("clean", "Hold the feet where they stand: no slide, nothing below the ground."),
    NUMBER_OPTION("body", "METRES", NULL, 1.0, 2.0, "Carry it over to a body of this stature."),
    NUMBER_OPTION("fps", "N", NULL, 1.0, 1000.0, "Frames a second of the result."),
    NUMBER_OPTION("unit", "METRES", NULL, 1e-6, 1e6,
                  "What a unit of a BVH file is. Without it: guessed from the size of the skeleton."),
    NUMBER_OPTION("upright", "SECONDS", NULL, 0, 0,
                  "When the person of a table of sensors stands upright. Without it: first."),
    FLAG_OPTION("text", "Write the frames of .ahmc as text."),
    OUTPUT_OPTION("cells", "FILE", "Cut all captures into steps, and write those that fill cells of a set of walks."),
    OUTPUT_OPTION("picture", "FILE", "Also draw postures, foot prints, palms and speeds, as SVG or PNG."),
    STRING_OPTION("picture-size", "WxH", "1600x1150", "Pixels of the picture, from 64 to 8192 a side."),
    VECTOR_OPTION("view", "X,Y,Z", 3, "0,0,1", 0, 0, "Look from this direction; Y is up."),
    FLAG_OPTION("perspective", "Draw far things smaller."),
};

static const example examples[] = {
    {.line = "fureai motion walk.bvh", .does = "Says what is in a capture."},
    {.line = "fureai motion walk.bvh child.bvh --body 1.2 --clean --fps 60",
     .does = "Carries it over to a child whose feet do not slide."},
    {.line = "fureai motion walk.bvh walk.glb --clean",
     .does = "Writes a person who walks so, for any viewer of glTF."},
    {.line = "fureai motion walk.bvh turn.bvh stop.bvh --cells steps.ahmw",
     .does = "Cuts captures into the steps of a set of walks."},
    {.line = "fureai motion walk.bvh --body 1.7 --clean --picture walk.png",
     .does = "Draws postures, foot prints and speeds."},
};

const command command_motion = {
    .name = "motion",
    .summary = "reads, cleans and retargets captured motions of people",
    .description =
        "Reads motion capture (BVH) or a clip file, carries it over to a body of 43 links, holds its feet, and "
        "writes or draws it. Contacts are counted where the feet were held, or where the file has them.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

// The command motion: reads a captured motion, cleans it, carries it over to a body, and writes it again.
#include "commands.h"
#include "output_file.h"
#include "picture_request.h"
#include "tool.h"

#include "fureai/human_files.h"

#include <string.h>

typedef struct motion {
    fr_skeleton *skeleton;
    fr_clip *clip;
    fr_bvh_facts file; // all zeros for a clip file
} motion;

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

static fr_status make_body(double stature, motion *m, fr_error *error) {
    fr_body_def def = fr_default_body_def();
    if (stature > 0.0) { def.stature = stature; }
    return fr_skeleton_create_body(&def, &m->skeleton, error);
}

// A clip file and a table of sensors move our body; a BVH file brings its own.
static fr_status read_motion(tool *t, const char *path, motion *m, fr_error *error) {
    input_file file = {0};
    fr_status status = tool_read(t, path, INPUT_TYPED, INPUT_FILE_LIMIT, &file, error);
    if (status == FR_OK && ends_with(path, ".ahmc")) {
        fr_ahmc_input input = fr_default_ahmc_input();
        input.text = file.data;
        input.size = file.size;
        status = fr_ahmc_read(&input, &m->clip, error);
        if (status == FR_OK) { status = make_body(0.0, m, error); }
    } else if (status == FR_OK && ends_with(path, ".csv")) {
        status = make_body(options_number(&t->options, "body"), m, error);
        fr_sensors_input input = fr_default_sensors_input();
        input.text = file.data;
        input.size = file.size;
        input.skeleton = m->skeleton;
        input.upright = options_number(&t->options, "upright");
        if (status == FR_OK) { status = fr_sensors_read(&input, &m->clip, error); }
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
    input_file_release(&file);
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

static fr_status work(const tool *t, motion *m, fr_error *error) {
    double stature = options_number(&t->options, "body"), rate = options_number(&t->options, "fps");
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

static bool put(const char *bytes, size_t size, void *context) { return fr_output_file_write(context, bytes, size); }

static fr_status write_motion(const motion *m, const char *path, bool is_text, fr_error *error) {
    fr_output_file file;
    fr_status status = output_file_open(&file, path, error);
    if (status != FR_OK) { return status; }
    status = ends_with(path, ".bvh") ? fr_bvh_write(m->skeleton, m->clip, 100.0, put, &file, error)
                                     : fr_ahmc_write(m->clip, !is_text, put, &file, error);
    if (status == FR_OK) { return fr_output_file_commit(&file, error); }
    fr_output_file_discard(&file);
    return status;
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

static exit_status run(tool *t) {
    const char *in = t->arguments[0], *out = t->argument_count > 1 ? t->arguments[1] : NULL;
    if (out != NULL && !ends_with(out, ".bvh") && !ends_with(out, ".ahmc")) {
        return tool_wrong_usage(t, "%s ends neither in .bvh nor in .ahmc", out);
    }
    motion m = {0};
    fr_error error = {0};
    exit_status status = EXIT_STATUS_DONE;
    if (read_motion(t, in, &m, &error) != FR_OK) { status = tool_bad_input(t, &error); }
    if (status == EXIT_STATUS_DONE && work(t, &m, &error) != FR_OK) { status = tool_failed(t, &error); }
    if (status == EXIT_STATUS_DONE && out != NULL &&
        write_motion(&m, out, options_flag(&t->options, "text"), &error) != FR_OK) {
        status = tool_failed(t, &error);
    }
    if (status == EXIT_STATUS_DONE) { status = draw(t, &m); }
    if (status == EXIT_STATUS_DONE) { print_result(t, &m); }
    fr_clip_release(m.clip);
    fr_skeleton_release(m.skeleton);
    return status;
}

static const argument arguments[] = {
    {.name = "IN", .help = "The motion to read: BVH, a clip file (.ahmc), or a table of sensors (.csv)."},
    {.name = "OUT", .help = "The file to write, .bvh (in centimetres) or .ahmc.", .optional = true},
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
    OUTPUT_OPTION("picture", "FILE", "Also draw postures, foot prints, palms and speeds, as SVG or PNG."),
    STRING_OPTION("picture-size", "WxH", "1600x1150", "Pixels of the picture, from 64 to 8192 a side."),
    VECTOR_OPTION("view", "X,Y,Z", 3, "0,0,1", 0, 0, "Look from this direction; Y is up."),
    FLAG_OPTION("perspective", "Draw far things smaller."),
};

static const example examples[] = {
    {.line = "fureai motion walk.bvh", .does = "Says what is in a capture."},
    {.line = "fureai motion walk.bvh child.bvh --body 1.2 --clean --fps 60",
     .does = "Carries it over to a child whose feet do not slide."},
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

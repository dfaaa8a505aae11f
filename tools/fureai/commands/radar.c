// The command radar: how far an object may go, by depth images.
#include "commands.h"
#include "picture_request.h"
#include "radar_backend.h"
#include "radar_play.h"
#include "radar_search.h"
#include "scene_file.h"
#include "tool.h"

#include "fureai/radar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A travel, a turn, or both in one step: in metres, angles or parts of the step.
typedef enum sight_kind { SIGHT_MOVE, SIGHT_TURN, SIGHT_TRAVEL } sight_kind;

// A scene, and what the radar saw in it.
typedef struct sight {
    scene_file file;
    fr_radar *radar;
    radar_backend *backend; // NULL: the radar draws by itself
    fr_radar_input input;
    fr_radar_output output;
    sight_kind kind;
    double ms;
} sight;

// ---------------------------------------------------------------------------------------------------------------
// The query

static fr_radar_look look_of(const tool *t) {
    const char *name = options_string(&t->options, "look");
    if (strcmp(name, "conservative") == 0) { return FR_RADAR_CONSERVATIVE; }
    if (strcmp(name, "refined") == 0) { return FR_RADAR_REFINED; }
    return strcmp(name, "exact") == 0 ? FR_RADAR_EXACT : FR_RADAR_CENTRE;
}

static void read_query(const tool *t, fr_radar_input *input) {
    const options *o = &t->options;
    double travel[3] = {0}, turn[7] = {0};
    options_vector(o, "move", travel, 3);
    options_vector(o, "turn", turn, 7);
    input->travel = fr_vec3_make(travel[0], travel[1], travel[2]);
    input->pivot = fr_vec3_make(turn[0], turn[1], turn[2]);
    input->axis = fr_vec3_make(turn[3], turn[4], turn[5]);
    input->angle = fr_radians(turn[6]);
    input->look = look_of(t);
    input->resolution = (uint32_t)options_int(o, "resolution");
    input->layers = (uint32_t)options_int(o, "layers");
    input->tolerance = options_number(o, "tolerance");
    input->is_as_printed = options_flag(o, "as-printed");
}

static bool find_mover(const scene_file *file, const char *name, fr_object_id *out) {
    const fr_scene_view *view = fr_scene_get(file->scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        if (strcmp(view->objects[i].name, name) != 0) { continue; }
        *out = file->ids[i];
        return true;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// The result

static const char *met_name(const sight *s) {
    const fr_contact *c = &s->output.contact;
    fr_object_id other = fr_object_id_equal(c->a, s->input.mover) ? c->b : c->a;
    return scene_file_name(&s->file, other.index1 - 1);
}

static const struct {
    uint32_t flag;
    const char *name, *sentence;
} flag_words[] = {
    {FR_RADAR_AMBIGUOUS, "ambiguous", "something lies beside or behind the front: the printed formula cannot decide"},
    {FR_RADAR_LAYER_OVERFLOW, "layer-overflow", "the mover has more surfaces than layers: the result may be late"},
    {FR_RADAR_GRAZING, "grazing", "the mover slides along what it meets"},
    {FR_RADAR_START_OVERLAP, "start-overlap", "something stands inside the mover already"},
    {FR_RADAR_WIDE, "wide", "the bracket is wider than the tolerance"},
};
#define FLAG_COUNT (sizeof flag_words / sizeof flag_words[0])

static const char *const unit_words[] = {"m", "degrees", "of the step"};

// Metres and parts of the step as they are, angles in degrees.
static double shown(const sight *s, double distance) { return s->kind == SIGHT_TURN ? fr_degrees(distance) : distance; }

// The same for a person, with its unit.
static tool_text shown_text(const sight *s, double distance) {
    tool_text text = tool_length(distance);
    if (s->kind == SIGHT_MOVE) { return text; }
    snprintf(text.text, sizeof text.text, "%g %s", tool_plain(shown(s, distance)), unit_words[s->kind]);
    return text;
}

static const char *const unit_names[] = {"metre", "degree", "step"};

static void print_text(tool *t, const sight *s) {
    const fr_radar_output *out = &s->output;
    if (out->is_hit) {
        tool_print(t, "meets ");
        tool_print_name(t, met_name(s));
        tool_print(t, " after %s", shown_text(s, out->distance).text);
        const fr_vec3 *p = &out->contact.point, *n = &out->contact.normal;
        tool_print(t, " at ");
        tool_print_point(t, *p);
        tool_print(t, ", normal %g %g %g", tool_plain(n->x), tool_plain(n->y), tool_plain(n->z));
    } else {
        tool_print(t, "free for %s", shown_text(s, out->distance).text);
    }
    if (s->input.look != FR_RADAR_CENTRE && out->high < INFINITY) {
        tool_print(t, "; between %s and %s", shown_text(s, out->low).text, shown_text(s, out->high).text);
    }
    if (s->kind != SIGHT_TRAVEL) { tool_print(t, "; %u x %u pixels", out->images.width, out->images.height); }
    tool_print(t, "%s %llu triangles in %.3f ms\n", s->kind != SIGHT_TRAVEL ? "," : ";",
               (unsigned long long)out->stats.triangles, s->ms);
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        if ((out->flags & flag_words[i].flag) != 0) { tool_note(t, "%s", flag_words[i].sentence); }
    }
}

static void write_vector(fr_json_writer *j, const char *key, fr_vec3 v, bool is_known) {
    if (is_known) {
        json_vec3_field(j, key, v);
    } else {
        fr_json_write_key(j, key);
        fr_json_write_null(j);
    }
}

static void write_distance(fr_json_writer *j, const char *key, double value) {
    fr_json_write_key(j, key);
    if (value < INFINITY) {
        fr_json_write_number(j, value);
    } else {
        fr_json_write_null(j);
    }
}

static void write_document(fr_json_writer *j, const sight *s) {
    const fr_radar_output *out = &s->output;
    fr_json_write_object(j);
    json_fields(j, "hit", out->is_hit, "unit", unit_names[s->kind], "distance", shown(s, out->distance));
    write_distance(j, "low", shown(s, out->low));
    write_distance(j, "high", shown(s, out->high));
    write_vector(j, "point", out->contact.point, out->is_hit);
    write_vector(j, "normal", out->contact.normal, out->is_hit);
    fr_json_write_key(j, "object");
    if (out->is_hit) {
        fr_json_write_string(j, met_name(s));
    } else {
        fr_json_write_null(j);
    }
    json_fields(j, "points", out->points, "kind", out->kind);
    fr_json_write_key(j, "flags");
    fr_json_write_array(j);
    for (size_t i = 0; i < FLAG_COUNT; i++) {
        if ((out->flags & flag_words[i].flag) != 0) { fr_json_write_string(j, flag_words[i].name); }
    }
    fr_json_write_array_end(j);
    json_fields(j, "width", out->images.width, "height", out->images.height, "triangles", out->stats.triangles, "cells",
                out->stats.cells, "pairs", out->stats.pairs, "backend",
                s->backend != NULL ? radar_backend_renderer(s->backend) : "cpu", "ms", s->ms);
    fr_json_write_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// The command

static void draw_images(picture *p, const fr_radar_images *images) {
    fr_draw draw = picture_draw(p);
    double step = 1.15 * images->width;
    fr_radar_draw_depths(images, images->range, 0.0, "range", &draw);
    fr_radar_draw_depths(images, images->front, step, "mask", &draw);
    fr_radar_draw_depths(images, images->free_travel, 2.0 * step, "look at", &draw);
}

static fr_status ask(sight *s, fr_error *error) {
    switch (s->kind) {
    case SIGHT_TURN: return fr_radar_turn(s->radar, &s->input, &s->output, error);
    case SIGHT_TRAVEL: return fr_radar_travel(s->radar, &s->input, &s->output, error);
    default: return fr_radar_move(s->radar, &s->input, &s->output, error);
    }
}

static exit_status report(tool *t, sight *s) {
    fr_error error = {0};
    if (!find_mover(&s->file, options_string(&t->options, "mover"), &s->input.mover)) {
        return tool_wrong_usage(t, "--mover: no object of the scene is called '%s'",
                                options_string(&t->options, "mover"));
    }
    s->input.space = s->file.space;
    fr_status status = fr_radar_create(NULL, &s->radar, &error);
    if (status == FR_OK && strcmp(options_string(&t->options, "backend"), "gl") == 0) {
        status = radar_backend_open(s->radar, &s->backend, &error);
    }
    uint64_t start = fr_clock_ns();
    if (status == FR_OK) { status = ask(s, &error); }
    s->ms = fr_clock_ms_since(start);
    if (status == FR_ERROR_ARGUMENT) { return tool_wrong_usage(t, "%s", error.message); }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

static exit_status run_sight(tool *t) {
    sight s = {.input = fr_default_radar_input()};
    bool is_turn = options_given(&t->options, "turn"), is_move = options_given(&t->options, "move");
    if (options_string(&t->options, "mover") == NULL || (!is_move && !is_turn)) {
        return tool_wrong_usage(t, "--mover and --move or --turn or both say who is to go where");
    }
    s.kind = is_move && is_turn ? SIGHT_TRAVEL : is_turn ? SIGHT_TURN : SIGHT_MOVE;
    if (s.kind == SIGHT_TRAVEL && options_given(&t->options, "picture")) {
        return tool_wrong_usage(t, "--picture: a travel and a turn in one step have no images");
    }
    read_query(t, &s.input);
    picture *p = NULL;
    exit_status status = picture_request_begin(t, t->arguments[0], &p);
    if (status != EXIT_STATUS_DONE) { return status; }
    status = scene_file_read(t, t->arguments[0], (uint32_t)options_int(&t->options, "step"), &s.file);
    if (status == EXIT_STATUS_DONE) {
        status = report(t, &s);
        if (status == EXIT_STATUS_DONE && p != NULL) {
            draw_images(p, &s.output.images);
            status = picture_request_end(t, p);
            p = NULL;
        }
        if (status == EXIT_STATUS_DONE) {
            print_text(t, &s);
            fr_json_writer *j = tool_json(t);
            if (j != NULL) { write_document(j, &s); }
        }
        fr_radar_destroy(s.radar);
        radar_backend_close(s.backend);
        scene_file_release(&s.file);
    }
    picture_destroy(p);
    return status;
}

static exit_status run(tool *t) {
    bool is_demo = options_given(&t->options, "demo");
    if (is_demo != (t->argument_count == 0)) {
        return tool_wrong_usage(t, is_demo ? "--demo has a scene of its own" : "no SCENE is given");
    }
    if (is_demo) { return radar_play_run(t); }
    return options_given(&t->options, "search") ? radar_search_run(t) : run_sight(t);
}

static const argument arguments[] = {
    {.name = "SCENE", .help = "The scene file (docs/scene.md).", .optional = true},
};

static const option options_table[] = {
    STRING_OPTION("mover", "NAME", NULL, "The object that is to go."),
    VECTOR_OPTION("move", "X,Y,Z", 3, NULL, 0, 0, "Its displacement, in metres."),
    VECTOR_OPTION("turn", "X,Y,Z,AX,AY,AZ,DEG", 7, NULL, 0, 0,
                  "Its turn, alone or in the same step as its displacement: by DEG degrees about the axis AX,AY,AZ "
                  "through X,Y,Z."),
    VECTOR_OPTION("search", "X,Y,Z,DX,DY,DZ", 6, NULL, 0, 0,
                  "Report instead what is seen from the point X,Y,Z in the direction DX,DY,DZ."),
    VECTOR_OPTION("volume", "W,H,L", 3, "1,1,10", 0, 0,
                  "Width, height and depth of the volume that --search looks into, in metres."),
    NUMBER_OPTION("pixel", "D", "0", 0, 1e15,
                  "Look closer at what --search sees until the edge of a pixel is at most D metres; 0: one look."),
    CHOICE_OPTION(
        "demo", "NAME", "search,tree,grasp,balls", NULL,
        "Play a demonstration instead: search (turn until something is seen, go there, touch it), tree (branches "
        "that grow where no other is), grasp (a hand that closes about a ball), balls (a hundred that bounce)."),
    INT_OPTION("frames", "N", "200", 1, 100000, "Frames that the balls bounce."),
    INT_OPTION("seed", "N", "1", 0, 1e9, "What --demo chooses by chance."),
    OUTPUT_OPTION("scene", "FILE",
                  "Also write what --demo shows as a scene file, for `fureai serve`; its models lie in demos/models."),
    INT_OPTION("step", "K", "0", 0, FR_SCENE_STEPS_MAX, "Objects stand where they are at K times the scene's step."),
    INT_OPTION("resolution", "N", "32", 1, FR_RADAR_MAX_RESOLUTION, "Pixels along the longer side of the image."),
    INT_OPTION("layers", "K", "4", 1, FR_RADAR_MAX_LAYERS, "Surfaces of the mover that are kept in a pixel."),
    CHOICE_OPTION("look", "LOOK", "centre,conservative,refined,exact", "centre",
                  "centre: a line a pixel, never early. conservative: whole columns, nothing missed. refined: to the "
                  "tolerance. exact: the pairs of faces are decided."),
    NUMBER_OPTION("tolerance", "D", "0", 0, 1e15,
                  "Metres that --look refined may leave between its bounds; 0: a thousandth of the mover."),
    CHOICE_OPTION("backend", "NAME", "cpu,gl", "cpu",
                  "Who draws the lines of --look centre: the processor, or OpenGL (docs/gl.md)."),
    FLAG_OPTION("as-printed", "The source's formula alone."),
    OUTPUT_OPTION("picture", "FILE",
                  "Also draw range, mask and look-at image, as SVG or PNG by the file's suffix; dark is near."),
    STRING_OPTION("picture-size", "WxH", "1200x480", "Pixels of the picture, from 64 to 8192 a side."),
    VECTOR_OPTION("view", "X,Y,Z", 3, "0,0,1", 0, 0, "Look at the images from this direction."),
    FLAG_OPTION("perspective", "Draw far things smaller."),
};

static const example examples[] = {
    {.line = "fureai radar test/scenes/two_spheres_apart.json --mover left --move 3,0,0",
     .does = "How far the left sphere may go to the right."},
    {.line =
         "fureai radar test/scenes/two_spheres_apart.json --mover left --move 3,0,0 --look exact --picture sight.png",
     .does = "The same to rounding, with the images."},
    {.line = "fureai radar test/scenes/two_spheres_apart.json --mover left --turn 0,2,0,0,0,1,180",
     .does = "How far it may turn about an axis two metres above it."},
    {.line = "fureai radar test/scenes/two_spheres_apart.json --search -5,0,0,1,0,0 --volume 2,2,20",
     .does = "Who is seen to the right of a point."},
    {.line = "fureai radar --demo tree --picture tree.png", .does = "A tree whose branches look where they grow."},
};

const command command_radar = {
    .name = "radar",
    .summary = "reports how far an object may go, by depth images",
    .description =
        "Draws what lies ahead of an object into a small depth image, its own front into another, and finds "
        "from the two how far it may go along a straight line, or turn about an axis, or both in one step, until it "
        "meets something, what it meets, where and with which normal. Or reports what is seen in a direction.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

// The command surfaces: what the faces of a scene let a body do.
#include "commands.h"
#include "picture_request.h"
#include "scene_file.h"
#include "tool.h"

#include "fureai/human_surface.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------
// The result

static void print_text(tool *t, const scene_file *file, const fr_surfaces *surfaces, double ms) {
    fr_surfaces_stats stats = fr_surfaces_get_stats(surfaces);
    for (uint32_t i = 0; i < stats.count; i++) {
        fr_surface s = fr_surfaces_at(surfaces, i);
        tool_print(t, "%-13s  ", fr_surface_word(s.kind));
        tool_print_name(t, scene_file_name(file, s.object.index1 - 1));
        tool_print(t, " at ");
        tool_print_point(t, s.target.position);
        if (s.width > 0.0) {
            tool_print(t, ", %.3g m wide", s.width);
        } else {
            tool_print(t, ", %.3g m high", tool_plain(s.height));
        }
        tool_print(t, "; stand at ");
        tool_print_point(t, s.place);
        tool_print(t, " facing %.0f degrees\n", tool_plain(fr_degrees(s.heading)));
    }
    tool_print(t, "%u %s of %u faces in %.1f ms\n", stats.count, stats.count == 1 ? "surface" : "surfaces",
               stats.triangles, ms);
}

static void write_surface(fr_json_writer *j, const scene_file *file, const fr_surface *s) {
    fr_json_write_object(j);
    json_fields(j, "does", fr_surface_word(s->kind), "object", scene_file_name(file, s->object.index1 - 1), "part",
                s->part, "skill", fr_surface_skill(s->kind));
    fr_json_write_key(j, "triangle");
    if (s->triangle != FR_NONE) {
        fr_json_write_uint(j, s->triangle);
    } else {
        fr_json_write_null(j);
    }
    json_fields(j, "height", s->height, "clearance", s->clearance, "width", s->width, "place", s->place, "heading_deg",
                fr_degrees(s->heading));
    const fr_quat *q = &s->target.rotation;
    const double rotation[4] = {q->w, q->x, q->y, q->z};
    json_fields(j, "target", s->target.position);
    fr_json_write_numbers_field(j, "rotation", rotation, 4);
    json_fields(j, "center", s->center, "axis", s->axis, "normal", s->normal);
    const double size[2] = {2.0 * s->half[0], 2.0 * s->half[1]};
    fr_json_write_numbers_field(j, "size", size, 2);
    fr_json_write_object_end(j);
}

static void write_document(fr_json_writer *j, const scene_file *file, const fr_surfaces *surfaces, double ms) {
    fr_surfaces_stats stats = fr_surfaces_get_stats(surfaces);
    fr_json_write_object(j);
    fr_json_write_key(j, "surfaces");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < stats.count; i++) {
        fr_surface s = fr_surfaces_at(surfaces, i);
        write_surface(j, file, &s);
    }
    fr_json_write_array_end(j);
    json_fields(j, "count", stats.count, "faces", stats.triangles, "planar", stats.faces, "bytes", stats.bytes, "ms",
                ms);
    fr_json_write_object_end(j);
}

// The objects seen through, and over them what they offer; kinds that were found are in the legend.
static void draw_scene(picture *p, const fr_space *space, const fr_surfaces *surfaces) {
    static const fr_color grey = {130, 130, 140, 45};
    fr_draw draw = picture_draw(p);
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = fr_object_get(space, id);
        for (uint32_t k = 0; view != NULL && k < view->triangle_count; k++) {
            fr_vec3 corners[3];
            if (fr_object_corners(space, id, k, corners, NULL) == FR_OK) { fr_triangle_draw(corners, &draw, grey); }
        }
    }
    fr_surfaces_draw(surfaces, &draw);
    uint32_t found = 0;
    for (uint32_t i = 0; i < fr_surfaces_get_stats(surfaces).count; i++) {
        found |= 1u << fr_surfaces_at(surfaces, i).kind;
    }
    for (uint32_t i = 0; i < FR_SURFACE_KIND_COUNT; i++) {
        fr_surface_kind kind = (fr_surface_kind)i;
        if ((found & 1u << i) != 0) { picture_legend(p, fr_surface_color(kind), fr_surface_word(kind)); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The command

// The measures of a person of that stature.
static fr_status measure(double stature, fr_body_measures *out, fr_error *error) {
    fr_body_def body = fr_default_body_def();
    body.stature = stature;
    fr_skeleton *skeleton = NULL;
    fr_figure *figure = NULL;
    fr_status status = fr_skeleton_create_body(&body, &skeleton, error);
    if (status == FR_OK) {
        fr_figure_def def = fr_default_figure_def();
        def.skeleton = skeleton;
        def.detail = FR_FIGURE_COARSE;
        status = fr_figure_create(&def, &figure, error);
    }
    if (status == FR_OK) { status = fr_body_measures_of(figure, out, error); }
    fr_figure_release(figure);
    fr_skeleton_release(skeleton);
    return status;
}

static fr_status find(tool *t, const fr_space *space, fr_surfaces **out, double *ms, fr_error *error) {
    fr_surfaces_def def = fr_default_surfaces_def();
    fr_tasks tasks;
    fr_status status = measure(options_number(&t->options, "stature"), &def.measures, error);
    if (options_flag(&t->options, "no-ground")) {
        def.ground = -INFINITY;
    } else {
        def.ground = options_number(&t->options, "ground");
    }
    if (status == FR_OK) { status = tool_tasks(t, &tasks, error); }
    if (status == FR_OK) { status = fr_surfaces_create(&def, out, error); }
    if (status != FR_OK) { return status; }
    fr_surfaces_input input = fr_default_surfaces_input();
    input.space = space;
    input.tasks = &tasks;
    input.control = &t->control;
    uint64_t start = fr_clock_ns();
    status = fr_surfaces_update(*out, &input, error);
    *ms = fr_clock_ms_since(start);
    return status;
}

static exit_status run(tool *t) {
    picture *p = NULL;
    exit_status result = picture_request_begin(t, t->arguments[0], &p);
    if (result != EXIT_STATUS_DONE) { return result; }
    scene_file file;
    result = scene_file_read(t, t->arguments[0], (uint32_t)options_int(&t->options, "step"), &file);
    if (result == EXIT_STATUS_DONE) {
        fr_surfaces *surfaces = NULL;
        fr_error error = {0};
        double ms = 0.0;
        fr_status status = find(t, file.space, &surfaces, &ms, &error);
        result = status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
        if (result == EXIT_STATUS_DONE && p != NULL) {
            draw_scene(p, file.space, surfaces);
            result = picture_request_end(t, p);
            p = NULL;
        }
        if (result == EXIT_STATUS_DONE) {
            print_text(t, &file, surfaces, ms);
            fr_json_writer *j = tool_json(t);
            if (j != NULL) { write_document(j, &file, surfaces, ms); }
        }
        fr_surfaces_destroy(surfaces);
        scene_file_release(&file);
    }
    picture_destroy(p);
    return result;
}

static const argument arguments[] = {
    {.name = "SCENE", .help = "The scene file (docs/scene.md)."},
};

static const option options_table[] = {
    NUMBER_OPTION("stature", "M", "1.70", 1.0, 2.0,
                  "The person is M metres tall, with the average limbs of people of that stature."),
    NUMBER_OPTION("ground", "Y", "0", -1e6, 1e6, "People stand at the height Y where no face is below them."),
    FLAG_OPTION("no-ground", "People stand on faces only."),
    INT_OPTION("step", "K", "0", 0, FR_SCENE_STEPS_MAX, "Objects stand where they are at K times the scene's step."),
    PICTURE_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai surfaces demos/room.json", .does = "What a person of 1.70 m can do in the room."},
    {.line = "fureai surfaces demos/room.json --stature 1.0", .does = "What a child of 1.00 m can do there."},
    {.line = "fureai surfaces demos/room.json --picture room.png --view 2,5,3", .does = "Draws it."},
};

const command command_surfaces = {
    .name = "surfaces",
    .summary = "finds what the faces of a scene let a person do (affordances)",
    .description =
        "Compares the planar faces of all objects with the measures of a person: what is a seat, a place to put things "
        "on, to lie or lean on, to step on, a gap to pass (also sideways, or with the head down), a thing to grasp, to "
        "press or to hold on to. The space that the body needs there is looked at face by face. Objects need not say "
        "anything about themselves. Each line has the place where the person stands to begin, and the document the "
        "target for the skill that is named.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

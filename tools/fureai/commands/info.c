// The command info: what a model file holds.
#include "commands.h"
#include "model_file.h"
#include "model_report.h"
#include "picture_request.h"
#include "tool.h"

#include <stdio.h>

// Whether the model's surface is closed, and what it encloses.
static fr_status measure(tool *t, const fr_model *model, fr_model_surface_output *out, fr_error *error) {
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.use = FR_MODEL_TO_SHOW;
    input.control = &t->control;
    return fr_model_surface(model, &input, out, error);
}

// Parts take these in turn.
static const fr_color part_colors[] = {{143, 170, 200, 255}, {222, 165, 110, 255}, {140, 186, 128, 255},
                                       {201, 132, 142, 255}, {170, 148, 196, 255}, {196, 186, 120, 255}};
#define PART_COLOR_COUNT (sizeof part_colors / sizeof part_colors[0])

static fr_status draw_parts(const fr_draw *draw, const fr_model *model, fr_error *error) {
    const fr_model_view *view = fr_model_get(model);
    for (uint32_t node = 0; node < view->node_count; node++) {
        uint32_t index = view->nodes[node].mesh;
        if (index == FR_NONE || view->meshes[index].face_count == 0) { continue; }
        if ((view->nodes[node].flags & (FR_MODEL_HIDDEN | FR_MODEL_PROXY)) != 0) { continue; }
        fr_mesh *mesh = NULL;
        fr_status status = fr_model_part_mesh(model, node, NULL, &mesh, error);
        if (status != FR_OK) { return status; }
        fr_mesh_draw(mesh, draw, part_colors[node % PART_COLOR_COUNT]);
        fr_mesh_release(mesh);
    }
    return FR_OK;
}

static void write_point(fr_json_writer *j, const char *key, fr_vec3 p) { json_vec3_field(j, key, p); }

static void write_warnings(fr_json_writer *j, const fr_model_view *view) {
    fr_json_write_key(j, "warnings");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->listed_warning_count; i++) {
        fr_json_write_object(j);
        json_fields(j, "line", view->warnings[i].line, "column", view->warnings[i].column, "message",
                    view->warnings[i].message);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_uint_field(j, "warning_count", view->warning_count);
}

static void write_frame(fr_json_writer *j, const fr_model_view *view) {
    static const char *const ups[] = {"as the file", "x", "y", "z"};
    json_fields(j, "placed_triangles", view->placed_triangle_count, "unit", view->unit, "up", ups[view->up], "lines",
                view->line_count, "points", view->point_count);
}

static void write_document(tool *t, fr_json_writer *j, const fr_model_view *view, const fr_model_surface_output *s) {
    json_fields(j, "format", fr_model_format_name(view->format), "vertices", view->vertex_count, "triangles",
                view->triangle_count, "faces", view->face_count, "parts", view->mesh_count);
    fr_json_write_key(j, "bounds");
    if (view->vertex_count > 0) {
        fr_json_write_object(j);
        write_point(j, "min", view->bounds.min);
        write_point(j, "max", view->bounds.max);
        fr_json_write_object_end(j);
    } else {
        fr_json_write_null(j);
    }
    fr_json_write_bool_field(j, "closed", s->is_closed);
    fr_json_write_key(j, "volume");
    if (s->is_closed) {
        fr_json_write_number(j, s->volume);
    } else {
        fr_json_write_null(j);
    }
    write_frame(j, view);
    model_report_write(j, view, &t->control);
    write_warnings(j, view);
}

static void print_text(tool *t, const fr_model_view *view, const fr_model_surface_output *s) {
    tool_print(t, "format     %s\n", fr_model_format_name(view->format));
    tool_print(t, "vertices   %llu\n", (unsigned long long)view->vertex_count);
    tool_print(t, "faces      %llu\n", (unsigned long long)view->face_count);
    tool_print(t, "triangles  %llu\n", (unsigned long long)view->triangle_count);
    if (view->vertex_count > 0) {
        fr_vec3 a = view->bounds.min, b = view->bounds.max;
        tool_print(t, "bounds     %g %g %g to %g %g %g units of the file\n", tool_plain(a.x), tool_plain(a.y),
                   tool_plain(a.z), tool_plain(b.x), tool_plain(b.y), tool_plain(b.z));
    }
    if (s->is_closed) {
        tool_print(t, "closed     yes, volume %g cubic units of the file\n", s->volume);
    } else {
        tool_print(t, "closed     no\n");
    }
    if (view->placed_triangle_count != view->triangle_count) {
        tool_print(t, "placed     %llu triangles\n", (unsigned long long)view->placed_triangle_count);
    }
    if (view->line_count + view->point_count > 0) {
        tool_print(t, "drawn      %llu lines, %llu points\n", (unsigned long long)view->line_count,
                   (unsigned long long)view->point_count);
    }
    tool_print(t, "parts      %u\n", view->mesh_count);
    model_report_print(t, view);
}

// The whole report of a model.
static bool write_bytes(const void *bytes, size_t size, void *context) {
    return fr_output_file_write(context, bytes, size);
}

// How many bones take along what moves; 0: vertices are played.
static uint32_t played_bones(const fr_model *model) {
    fr_model_play *play = NULL;
    bool is_played = fr_model_play_create(model, NULL, &play, NULL) == FR_OK;
    uint32_t count = is_played ? fr_model_play_bone_count(play) : 0;
    fr_model_play_destroy(play);
    return count;
}

static exit_status report(tool *t, const fr_model *model, const fr_model_surface_output *s) {
    const fr_model_view *view = fr_model_get(model);
    const char *split = options_string(&t->options, "split");
    if (options_flag(&t->options, "dump")) {
        fr_error error = {0};
        fr_status dumped = t->json ? FR_OK : fr_model_dump(model, write_bytes, &t->out, &error);
        if (dumped != FR_OK) { return tool_failed(t, &error); }
    } else {
        print_text(t, view, s);
    }
    uint32_t bones = view->track_count > 0 ? played_bones(model) : 0;
    if (bones > 0 && !options_flag(&t->options, "dump")) { tool_print(t, "played     by %u bones\n", bones); }
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        write_document(t, j, view, s);
        fr_json_write_uint_field(j, "played_bones", bones);
    }
    if (split != NULL && !model_report_split(t, j, model, split)) {
        fr_error error = {.status = FR_ERROR_MEMORY, .message = "no memory for the models"};
        return tool_failed(t, &error);
    }
    if (j != NULL) { fr_json_write_object_end(j); }
    const fr_error stopped = {.status = FR_ERROR_STOPPED};
    return t->out.error == 0 && fr_control_is_stopped(&t->control) ? tool_failed(t, &stopped) : EXIT_STATUS_DONE;
}

static exit_status run(tool *t) {
    const char *path = t->arguments[0];
    picture *p = NULL;
    fr_model *model = NULL;
    exit_status status = picture_request_begin(t, path, &p);
    if (status == EXIT_STATUS_DONE) { status = model_file_read_by_options(t, path, &model); }
    if (status != EXIT_STATUS_DONE) {
        picture_destroy(p);
        return status;
    }
    model_file_note_warnings(t, path, model);

    fr_model_surface_output s;
    fr_error error = {0};
    fr_status measured = measure(t, model, &s, &error);
    if (measured == FR_OK && p != NULL) {
        fr_draw draw = picture_draw(p);
        measured = draw_parts(&draw, model, &error);
    }
    if (measured != FR_OK) {
        picture_destroy(p);
        fr_model_destroy(model);
        fr_error_locate(&error, path, 0, 0);
        return tool_bad_input(t, &error);
    }
    status = report(t, model, &s);
    fr_model_destroy(model);
    if (status == EXIT_STATUS_DONE) { return picture_request_end(t, p); }
    picture_destroy(p);
    return status;
}

static const argument arguments[] = {
    {.name = "MODEL",
     .help = "The model file: OBJ, STL, PLY, OFF, VRML, Inventor, X3D, DXF, glTF, GLB, Collada or frm."}};

static const option options_table[] = {
    FLAG_OPTION("dump", "Print all of it as text, a line for each thing, instead."),
    {.name = "split",
     .kind = OPTION_CHOICE,
     .metavar = "HOW",
     .help = "Also report the bounds of each model in the file: each shape, each node with a name, each root.",
     .choices = "shape,def,root"},
    MODEL_READ_OPTIONS,
    PICTURE_OPTIONS};

static const example examples[] = {
    {.line = "fureai info cow.obj", .does = "Prints counts, bounds, volume and parts."},
    {.line = "fureai info --split def room.wrl", .does = "Reports the bounds of every named thing in a VRML file too."},
    {.line = "fureai info --picture cow.png cow.obj", .does = "Draws it too, each part in a colour of its own."},
};

const command command_info = {
    .name = "info",
    .summary = "reports what a model file holds",
    .description =
        "Counts vertices, polygons and the triangles they give, finds the bounds, whether the surface is closed "
        "(vertices at the same place count as one) and what it encloses, and lists the tree with its instances, "
        "materials, textures, skins, shapes (morph targets), animations, tracks, sounds and notes. What the reader "
        "passed over is reported as warnings.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

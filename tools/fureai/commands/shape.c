// The command shape: writes a primitive as a model file.
#include "commands.h"
#include "model_file.h"
#include "picture_request.h"
#include "tool.h"

#include "fureai/human_figure.h"
#include "fureai/model.h"

#include <string.h>

// The names of the shapes, a line each.
static exit_status list_shapes(tool *t) {
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        fr_json_write_key(j, "shapes");
        fr_json_write_array(j);
    }
    const char *name;
    for (size_t i = 0; (name = fr_mesh_name(i)) != NULL; i++) {
        tool_print(t, "%s\n", name);
        if (j != NULL) { fr_json_write_string(j, name); }
    }
    if (j != NULL) {
        fr_json_write_array_end(j);
        fr_json_write_object_end(j);
    }
    return EXIT_STATUS_DONE;
}

// Writes the mesh as a model of one part named after the shape; a person with bones and clothes.
static exit_status write_mesh(tool *t, const fr_mesh *mesh, const fr_figure *person, const char *name,
                              const char *path) {
    fr_model *model = NULL;
    fr_error error = {0};
    const fr_figure_view *figure = person != NULL ? fr_figure_get(person) : NULL;
    fr_status made = figure != NULL ? fr_model_from_skin(figure->skin, name, figure->colors, NULL, &model, &error)
                                    : fr_model_from_mesh(mesh, name, NULL, &model, &error);
    if (made != FR_OK) { return tool_failed(t, &error); }
    exit_status status = model_file_write(t, model, fr_model_format_of_name(path), path);
    fr_model_destroy(model);
    return status;
}

// Makes person:STATURE, its mesh and all; leaves the rest of the names alone.
static fr_status create_person(const char *name, fr_mesh **mesh, fr_figure **out, fr_error *error) {
    if (strncmp(name, "person:", 7) != 0) { return FR_OK; }
    const char *at = name + 7, *end = at + strlen(at);
    fr_body_def body = fr_default_body_def();
    if (fr_number_read(&at, end, &body.stature) != FR_NUMBER_OK || at != end) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%s is no person:STATURE, such as person:1.7", name);
    }
    fr_figure_def def = fr_default_figure_def();
    fr_skeleton *skeleton = NULL;
    fr_status status = fr_skeleton_create_body(&body, &skeleton, error);
    def.skeleton = skeleton;
    if (status == FR_OK) { status = fr_figure_create(&def, out, error); }
    if (status == FR_OK) { *mesh = fr_mesh_retain(fr_figure_get(*out)->mesh); }
    fr_skeleton_release(skeleton);
    return status;
}

// A person in its colours, anything else in one.
static void draw_shape(const fr_mesh *mesh, const fr_figure *person, const fr_draw *draw) {
    for (uint32_t i = 0; person != NULL && i < fr_mesh_get(mesh)->triangle_count; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(mesh, i, corners);
        fr_triangle_draw(corners, draw, fr_figure_get(person)->colors[i]);
    }
    if (person == NULL) { fr_mesh_draw(mesh, draw, (fr_color){143, 170, 200, 255}); }
}

static void print_result(tool *t, const char *name, const char *path, const fr_mesh_view *view) {
    tool_print(t, "%s: %u triangles, %u vertices in %s\n", name, view->triangle_count, view->vertex_count, path);
    fr_json_writer *j = tool_json(t);
    if (j == NULL) { return; }
    fr_json_write_object(j);
    json_fields(j, "name", name, "out", path, "triangles", view->triangle_count, "vertices", view->vertex_count);
    fr_json_write_object_end(j);
}

// What a wrong name or count is reported as: it stood on the command line.
static exit_status refuse_shape(tool *t, const fr_error *error) {
    if (error->status == FR_ERROR_MEMORY || error->status == FR_ERROR_STOPPED) { return tool_failed(t, error); }
    return tool_wrong_usage(t, "%s", error->message);
}

static exit_status run(tool *t) {
    if (options_flag(&t->options, "list")) { return list_shapes(t); }
    if (t->argument_count < 2) { return tool_wrong_usage(t, "%s is missing", t->argument_count == 0 ? "NAME" : "OUT"); }
    const char *name = t->arguments[0], *path = t->arguments[1];
    if (!model_file_is_written(fr_model_format_of_name(path))) {
        return tool_wrong_usage(
            t, "%s ends with no format that is written; use .obj, .stl, .ply, .off, .wrl, .glb or .frm", path);
    }
    fr_mesh *mesh = NULL;
    fr_error error = {0};
    fr_mesh_def like = fr_default_mesh_def();
    like.is_double = true;
    like.control = &t->control;
    fr_figure *person = NULL;
    fr_status made = create_person(name, &mesh, &person, &error);
    if (made == FR_OK && person == NULL) { made = fr_mesh_create_named(name, &like, &mesh, &error); }
    if (made != FR_OK) { return refuse_shape(t, &error); }

    picture *p = NULL;
    exit_status status = picture_request_begin(t, name, &p);
    if (status == EXIT_STATUS_DONE) { status = write_mesh(t, mesh, person, name, path); }
    if (status == EXIT_STATUS_DONE) {
        fr_draw draw = picture_draw(p);
        draw_shape(mesh, person, &draw);
        status = picture_request_end(t, p);
        p = NULL;
    }
    if (status == EXIT_STATUS_DONE) { print_result(t, name, path, fr_mesh_get(mesh)); }
    picture_destroy(p);
    fr_mesh_release(mesh);
    fr_figure_release(person);
    return status;
}

static const argument arguments[] = {
    {.name = "NAME",
     .help = "The shape: one that --list names, sphere:STACKSxSLICES, or person:STATURE in metres.",
     .optional = true},
    {.name = "OUT",
     .help = "The model file to write; its ending says how: .obj, .stl, .ply, .off, .wrl, .glb, .frm.",
     .optional = true},
};

static const option options_table[] = {
    FLAG_OPTION("list", "List the names, and write nothing."),
    PICTURE_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai shape sphere_960 sphere.obj", .does = "Writes a sphere of radius 1 with 960 triangles, pole Y."},
    {.line = "fureai shape sphere:8x16 small.stl", .does = "Writes one with 8 stacks of 16 slices."},
    {.line = "fureai shape chair chair.ply --picture chair.png", .does = "Draws it too."},
    {.line = "fureai shape person:1.7 person.glb", .does = "Writes a person with bones, skin and clothes."},
};

const command command_shape = {
    .name = "shape",
    .summary = "writes a shape that the library makes",
    .description = "Makes a closed surface, faces outwards, and writes it as a model file: the spheres of the sources, "
                   "boxes, capsules, cylinders, cones, a torus, three concave solids, and people with bones.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};

// Plays a demonstration of the radar: report, picture and scene.
#include "radar_play.h"

#include "picture_request.h"
#include "radar_demo.h"

#include <math.h>
#include <string.h>

typedef fr_status play_fn(radar_demo *demo, const demo_look *look, fr_error *error);

static play_fn *play_of(const char *name) {
    if (strcmp(name, "balls") == 0) { return radar_demo_balls; }
    if (strcmp(name, "tree") == 0) { return radar_demo_tree; }
    return strcmp(name, "grasp") == 0 ? radar_demo_grasp : radar_demo_search;
}

// ---------------------------------------------------------------------------------------------------------------
// As a scene

static void write_pose(fr_json_writer *j, const fr_pose *pose) {
    const double position[3] = {pose->position.x, pose->position.y, pose->position.z};
    const double rotation[4] = {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z};
    fr_json_write_numbers_field(j, "position", position, 3);
    fr_json_write_numbers_field(j, "rotation", rotation, 4);
}

static void write_object(fr_json_writer *j, const demo_object *object) {
    const demo_sample *samples = object->samples.data;
    const double color[3] = {object->color.r, object->color.g, object->color.b};
    fr_json_write_object(j);
    json_fields(j, "name", object->name, object->shape != NULL ? "shape" : "model",
                object->shape != NULL ? object->shape : object->model);
    fr_json_write_numbers_field(j, "color", color, 3);
    if (samples[0].pose.scale != 1.0) { fr_json_write_number_field(j, "scale", samples[0].pose.scale); }
    if (object->is_static) { fr_json_write_bool_field(j, "static", true); }
    if (object->samples.count == 1) {
        write_pose(j, &samples[0].pose);
    } else {
        fr_json_write_key(j, "path");
        fr_json_write_array(j);
        for (size_t i = 0; i < object->samples.count; i++) {
            fr_json_write_object(j);
            fr_json_write_number_field(j, "t", samples[i].time);
            write_pose(j, &samples[i].pose);
            fr_json_write_object_end(j);
        }
        fr_json_write_array_end(j);
    }
    fr_json_write_object_end(j);
}

static bool write_bytes(const void *bytes, size_t size, void *context) {
    return fr_output_file_write(context, bytes, size);
}

static exit_status write_scene(tool *t, const radar_demo *demo, const char *path) {
    const double step = 0.02;
    fr_error error = {0};
    fr_output_file file = {0};
    fr_status status = output_file_open(&file, path, &error);
    if (status != FR_OK) { return tool_failed(t, &error); }
    fr_json_writer j = fr_json_writer_make(write_bytes, &file, 0, NULL);
    j.indent = 1;
    fr_json_write_object(&j);
    fr_json_write_uint_field(&j, "fureai", 1);
    fr_json_write_string_field(&j, "title", demo->title);
    fr_json_write_string_field(&j, "about", demo->about);
    fr_json_write_number_field(&j, "step", step);
    fr_json_write_uint_field(&j, "steps", (uint64_t)ceil((demo->time + 1.0) / step));
    fr_json_write_bool_field(&j, "loop", true);
    fr_json_write_key(&j, "objects");
    fr_json_write_array(&j);
    for (size_t i = 0; i < demo->objects.count; i++) {
        write_object(&j, (const demo_object *)demo->objects.data + i);
    }
    fr_json_write_array_end(&j);
    fr_json_write_object_end(&j);
    (void)fr_json_writer_end(&j);
    status = fr_output_file_commit(&file, &error);
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// As a picture and as a result

// All objects as they are at the end, with the paths of their origins.
static void draw(picture *p, const radar_demo *demo) {
    static const fr_color trail = {200, 80, 40, 255};
    fr_draw pen = picture_draw(p);
    for (size_t i = 0; i < demo->objects.count; i++) {
        const demo_object *object = (const demo_object *)demo->objects.data + i;
        const demo_sample *samples = object->samples.data;
        // Walls would hide what is in the room.
        if (strncmp(object->name, "wall", 4) == 0) { continue; }
        for (uint32_t k = 0; k < fr_object_get(demo->space, object->id)->triangle_count; k++) {
            fr_vec3 corners[3];
            if (fr_object_corners(demo->space, object->id, k, corners, NULL) == FR_OK) {
                fr_triangle_draw(corners, &pen, object->color);
            }
        }
        for (size_t k = 1; k < object->samples.count; k++) {
            fr_vec3 a = samples[k - 1].pose.position, b = samples[k].pose.position;
            const double line[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
            fr_draw_lines(&pen, line, 1, trail, 1.0);
        }
    }
}

static void write_document(fr_json_writer *j, const char *name, const radar_demo *demo) {
    fr_json_write_object(j);
    json_fields(j, "demo", name, "found", demo->found, "objects", demo->objects.count);
    for (int i = 0; i < demo->figure_count; i++) {
        fr_json_write_number_field(j, demo->figures[i].name, demo->figures[i].value);
    }
    fr_json_write_object_end(j);
}

static exit_status show(tool *t, picture *p, const char *name, const radar_demo *demo) {
    const char *path = options_string(&t->options, "scene");
    exit_status status = EXIT_STATUS_DONE;
    if (p != NULL) {
        draw(p, demo);
        status = picture_request_end(t, p);
    }
    if (status == EXIT_STATUS_DONE && path != NULL) { status = write_scene(t, demo, path); }
    if (status != EXIT_STATUS_DONE) { return status; }
    tool_print(t, "%s\n", demo->found);
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { write_document(j, name, demo); }
    return status;
}

exit_status radar_play_run(tool *t) {
    const char *name = options_string(&t->options, "demo");
    picture *p = NULL;
    exit_status status = picture_request_begin(t, name, &p);
    if (status != EXIT_STATUS_DONE) { return status; }
    const demo_look look = {.seed = (uint64_t)options_int(&t->options, "seed"),
                            .frames = (uint32_t)options_int(&t->options, "frames"),
                            .control = &t->control};
    radar_demo demo;
    fr_error error = {0};
    if (play_of(name)(&demo, &look, &error) == FR_OK) {
        status = show(t, p, name, &demo);
    } else {
        status = tool_failed(t, &error);
        picture_destroy(p);
    }
    radar_demo_close(&demo);
    return status;
}

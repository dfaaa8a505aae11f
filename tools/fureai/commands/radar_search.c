// The command radar with --search: what is seen in a direction.
#include "radar_search.h"

#include "picture_request.h"
#include "scene_file.h"

#include "fureai/radar.h"

#include <math.h>
#include <string.h>

// A scene, and who was seen in it.
typedef struct hunt {
    scene_file file;
    fr_radar *radar;
    fr_radar_search_input input;
    fr_radar_search_output output;
    double ms;
} hunt;

static exit_status read_query(tool *t, hunt *h) {
    const options *o = &t->options;
    double aim[6] = {0}, volume[3] = {0};
    options_vector(o, "search", aim, 6);
    options_vector(o, "volume", volume, 3);
    h->input = fr_default_radar_search_input();
    h->input.eye = fr_vec3_make(aim[0], aim[1], aim[2]);
    h->input.direction = fr_vec3_make(aim[3], aim[4], aim[5]);
    h->input.width = volume[0];
    h->input.height = volume[1];
    h->input.depth = volume[2];
    h->input.pixel = options_number(o, "pixel");
    h->input.resolution = (uint32_t)options_int(o, "resolution");
    const char *look = options_string(o, "look");
    bool is_sure = strcmp(look, "conservative") == 0;
    h->input.look = is_sure ? FR_RADAR_CONSERVATIVE : FR_RADAR_CENTRE;
    if (!is_sure && strcmp(look, "centre") != 0) {
        return tool_wrong_usage(t, "--search looks by centre or conservative, not '%s'", look);
    }
    return EXIT_STATUS_DONE;
}

static exit_status report(tool *t, hunt *h) {
    fr_error error = {0};
    h->input.space = h->file.space;
    fr_status status = fr_radar_create(NULL, &h->radar, &error);
    uint64_t start = fr_clock_ns();
    if (status == FR_OK) { status = fr_radar_search(h->radar, &h->input, &h->output, &error); }
    h->ms = fr_clock_ms_since(start);
    if (status == FR_ERROR_ARGUMENT) { return tool_wrong_usage(t, "%s", error.message); }
    return status == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

static const char *name_of(const hunt *h, uint32_t i) {
    return scene_file_name(&h->file, h->output.sights[i].object.index1 - 1);
}

static void print_text(tool *t, const hunt *h) {
    const fr_radar_search_output *out = &h->output;
    if (!out->is_hit) { tool_print(t, "nothing is seen"); }
    for (uint32_t i = 0; i < out->count; i++) {
        const fr_radar_sight *sight = &out->sights[i];
        tool_print_name(t, name_of(h, i));
        tool_print(t, " %s away, at ", tool_length(sight->distance).text);
        tool_print_point(t, sight->point);
        tool_print(t, ", in %u pixels\n", sight->pixels);
    }
    tool_print(t, "%s%u x %u pixels, %u volumes, %llu triangles in %.3f ms\n", out->is_hit ? "" : "; ",
               out->images.width, out->images.height, out->volumes, (unsigned long long)out->stats.triangles, h->ms);
}

static void write_document(fr_json_writer *j, const hunt *h) {
    const fr_radar_search_output *out = &h->output;
    fr_json_write_object(j);
    fr_json_write_bool_field(j, "hit", out->is_hit);
    fr_json_write_key(j, "objects");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < out->count; i++) {
        const fr_radar_sight *sight = &out->sights[i];
        const double point[3] = {sight->point.x, sight->point.y, sight->point.z};
        fr_json_write_object(j);
        json_fields(j, "object", name_of(h, i), "distance", sight->distance);
        fr_json_write_numbers_field(j, "point", point, 3);
        json_fields(j, "triangle", sight->triangle, "pixel", sight->pixel, "pixels", sight->pixels);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    json_fields(j, "volumes", out->volumes, "width", out->images.width, "height", out->images.height, "triangles",
                out->stats.triangles, "ms", h->ms);
    fr_json_write_object_end(j);
}

static void draw_images(picture *p, const hunt *h) {
    fr_draw draw = picture_draw(p);
    const fr_radar_images *images = &h->output.images;
    fr_radar_draw_depths(images, images->range, 0.0, "range", &draw);
    fr_radar_draw_objects(images, 1.15 * images->width, "objects", &draw);
    for (uint32_t i = 0; i < h->output.count && i < 8; i++) {
        picture_legend(p, fr_radar_object_color(h->output.sights[i].object.index1 - 1), name_of(h, i));
    }
}

exit_status radar_search_run(tool *t) {
    hunt h = {0};
    exit_status status = read_query(t, &h);
    if (status != EXIT_STATUS_DONE) { return status; }
    picture *p = NULL;
    status = picture_request_begin(t, t->arguments[0], &p);
    if (status != EXIT_STATUS_DONE) { return status; }
    status = scene_file_read(t, t->arguments[0], (uint32_t)options_int(&t->options, "step"), &h.file);
    if (status == EXIT_STATUS_DONE) {
        status = report(t, &h);
        if (status == EXIT_STATUS_DONE && p != NULL) {
            draw_images(p, &h);
            status = picture_request_end(t, p);
            p = NULL;
        }
        if (status == EXIT_STATUS_DONE) {
            print_text(t, &h);
            fr_json_writer *j = tool_json(t);
            if (j != NULL) { write_document(j, &h); }
        }
        fr_radar_destroy(h.radar);
        scene_file_release(&h.file);
    }
    picture_destroy(p);
    return status;
}

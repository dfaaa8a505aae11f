// The command device map: what a layout of strings can do, over a grid of tips.
#include "csv.h"
#include "device_run.h"
#include "picture_request.h"

#include "fureai/haptic.h"

#include <math.h>
#include <string.h>

static const fr_color anchor_color = {40, 40, 40, 255};
static const fr_color frame_color = {150, 150, 150, 255};

// "x,y,z;x,y,z;x,y,z;x,y,z"; false where it is not.
static bool parse_anchors(const char *text, fr_vec3 out[FR_STRING_COUNT]) {
    const char *end = text + strlen(text);
    for (int i = 0; i < 3 * FR_STRING_COUNT; i++) {
        double value;
        if (fr_number_read(&text, end, &value) != FR_NUMBER_OK) { return false; }
        fr_vec3 *anchor = &out[i / 3];
        *(i % 3 == 0 ? &anchor->x : (i % 3 == 1 ? &anchor->y : &anchor->z)) = value;
        char expected = i == 3 * FR_STRING_COUNT - 1 ? '\0' : (i % 3 == 2 ? ';' : ',');
        if (text == end ? expected != '\0' : *text++ != expected) { return false; }
    }
    return text == end;
}

static void draw_map(picture *p, const fr_capability_input *in, const float *shares) {
    fr_draw draw = picture_draw(p);
    fr_capability_draw(in, shares, anchor_color, frame_color, &draw);
    picture_legend(p, anchor_color, "eyelets of the strings");
    picture_legend(p, fr_capability_color(1.0f), "tips at which the force is given to all sides");
    picture_legend(p, fr_capability_color(0.0f), "tips at which it is given to none");
}

static fr_status write_table(const char *path, const fr_capability_input *in, const float *shares, size_t count,
                             fr_error *error) {
    fr_output_file file;
    fr_status status = output_file_open(&file, path, error);
    if (status != FR_OK) { return status; }
    fr_output_file_print(&file, "x,y,z,share\n");
    for (size_t i = 0; i < count; i++) {
        fr_vec3 tip = fr_capability_tip(in, i);
        fr_output_file_print(&file, "%.9g", tip.x);
        csv_number(&file, tip.y);
        csv_number(&file, tip.z);
        csv_number(&file, (double)shares[i]);
        fr_output_file_print(&file, "\n");
    }
    return fr_output_file_commit(&file, error);
}

static void report(tool *t, const fr_capability_input *in, const float *shares, size_t count) {
    fr_capability_summary sum = fr_capability_summarize(in, shares);
    tool_print(t, "%.3g N at %zu tips, in %u directions each\n", in->force, count, (unsigned)in->directions);
    tool_print(t, "given within 2 %% in %.1f %% of directions on the whole, %.1f %% at the best tip\n",
               100.0 * sum.mean, 100.0 * sum.best);
    tool_print(t, "%zu tips at which it is given to all sides\n", sum.full_count);
    if (sum.inside_count > 0) {
        tool_print(t,
                   "inside the eyelets' tetrahedron %.1f %%, at %zu tips; well inside, each eyelet at least a tenth, ",
                   100.0 * sum.mean_inside, sum.inside_count);
        tool_print(t, "%.1f %%, at %zu\n", 100.0 * sum.mean_middle, sum.middle_count);
    }
    fr_json_writer *j = tool_json(t);
    if (j == NULL) { return; }
    const double high[3] = {in->bounds.max.x, in->bounds.max.y, in->bounds.max.z};
    const double counts[3] = {in->count[0], in->count[1], in->count[2]};
    fr_json_write_object(j);
    json_fields(j, "force", in->force, "directions", in->directions, "min", in->bounds.min);
    fr_json_write_numbers_field(j, "max", high, 3);
    fr_json_write_numbers_field(j, "count", counts, 3);
    json_fields(j, "mean", sum.mean, "best", sum.best, "full", sum.full_count);
    json_fields(j, "inside", sum.mean_inside, "inside_count", sum.inside_count, "middle", sum.mean_middle,
                "middle_count", sum.middle_count);
    fr_json_write_key(j, "shares");
    fr_json_write_array(j);
    for (size_t i = 0; i < count; i++) {
        fr_json_write_number(j, (double)shares[i]);
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

static exit_status settle(tool *t, fr_strings *strings, fr_capability_input *in) {
    const options *o = &t->options;
    const char *anchors = options_string(o, "anchors");
    *strings = fr_default_strings();
    if (anchors != NULL && !parse_anchors(anchors, strings->anchors)) {
        return tool_wrong_usage(t, "--anchors: '%s' is not four points as x,y,z;x,y,z;x,y,z;x,y,z", anchors);
    }
    *in = fr_default_capability_input();
    in->strings = strings;
    in->control = &t->control;
    in->bounds = fr_bounds_of_points(strings->anchors, FR_STRING_COUNT);
    in->force = options_number(o, "force");
    double size[6], grid[3] = {9.0, 9.0, 9.0};
    if (options_vector(o, "bounds", size, 6)) {
        in->bounds = (fr_bounds){{size[0], size[1], size[2]}, {size[3], size[4], size[5]}};
        if (fr_bounds_is_empty(&in->bounds)) {
            return tool_wrong_usage(t, "--bounds: the first corner is not the lower one");
        }
    }
    options_vector(o, "grid", grid, 3);
    for (int i = 0; i < 3; i++) {
        if (!(grid[i] >= 1.0 && grid[i] <= 100.0) || grid[i] != floor(grid[i])) {
            return tool_wrong_usage(t, "--grid: takes three counts from 1 to 100");
        }
        in->count[i] = (uint32_t)grid[i];
    }
    return EXIT_STATUS_DONE;
}

exit_status device_map(tool *t) {
    fr_strings strings;
    fr_capability_input in;
    picture *p = NULL;
    exit_status status = settle(t, &strings, &in);
    if (status == EXIT_STATUS_DONE) { status = picture_request_begin(t, "what four strings can do", &p); }
    if (status != EXIT_STATUS_DONE) { return status; }
    fr_error error = {0};
    size_t count = (size_t)in.count[0] * in.count[1] * in.count[2];
    float *shares = fr_allocate(NULL, count, sizeof *shares, _Alignof(float));
    fr_status done = shares != NULL ? fr_strings_capability(&in, shares, &error)
                                    : fr_error_set(&error, FR_ERROR_MEMORY, "no memory for the map");
    const char *table = options_string(&t->options, "csv");
    if (done == FR_OK && table != NULL) { done = write_table(table, &in, shares, count, &error); }
    if (done == FR_OK) {
        report(t, &in, shares, count);
        draw_map(p, &in, shares);
    }
    fr_deallocate(NULL, shares, count, sizeof *shares);
    if (done == FR_OK) { return picture_request_end(t, p); }
    picture_destroy(p);
    bool is_usage = done == FR_ERROR_ARGUMENT || done == FR_ERROR_NOT_FINITE;
    return is_usage ? tool_wrong_usage(t, "%s", error.message) : tool_failed(t, &error);
}

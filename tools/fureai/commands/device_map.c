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

static double place_of(double low, double high, uint32_t i, uint32_t count) {
    return count == 1 ? 0.5 * (low + high) : low + (high - low) * i / (count - 1.0);
}

static fr_vec3 tip_of(const fr_capability_input *in, size_t index) {
    uint32_t x = (uint32_t)(index % in->count[0]), y = (uint32_t)(index / in->count[0] % in->count[1]);
    uint32_t z = (uint32_t)(index / ((size_t)in->count[0] * in->count[1]));
    return fr_vec3_make(place_of(in->bounds.min.x, in->bounds.max.x, x, in->count[0]),
                        place_of(in->bounds.min.y, in->bounds.max.y, y, in->count[1]),
                        place_of(in->bounds.min.z, in->bounds.max.z, z, in->count[2]));
}

// From red, no direction, to green, all of them.
static fr_color color_of(float share) {
    double s = fmin(fmax((double)share, 0.0), 1.0);
    return (fr_color){(uint8_t)(210.0 - 170.0 * s), (uint8_t)(60.0 + 110.0 * s), 60, 255};
}

static void draw_map(picture *p, const fr_capability_input *in, const float *shares, size_t count) {
    fr_draw draw = picture_draw(p);
    const fr_vec3 *a = in->strings->anchors;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        const double point[3] = {a[i].x, a[i].y, a[i].z};
        fr_draw_points(&draw, point, 1, anchor_color, 10.0);
        for (int k = 0; k < i; k++) {
            const double line[6] = {a[i].x, a[i].y, a[i].z, a[k].x, a[k].y, a[k].z};
            fr_draw_lines(&draw, line, 1, frame_color, 1.0);
        }
    }
    for (size_t i = 0; i < count; i++) {
        fr_vec3 tip = tip_of(in, i);
        const double point[3] = {tip.x, tip.y, tip.z};
        fr_draw_points(&draw, point, 1, color_of(shares[i]), 2.0 + 5.0 * (double)shares[i]);
    }
    picture_legend(p, anchor_color, "eyelets of the strings");
    picture_legend(p, color_of(1.0f), "tips at which the force is given to all sides");
    picture_legend(p, color_of(0.0f), "tips at which it is given to none");
}

static fr_status write_table(const char *path, const fr_capability_input *in, const float *shares, size_t count,
                             fr_error *error) {
    output_file file;
    fr_status status = output_file_open(&file, path, error);
    if (status != FR_OK) { return status; }
    output_file_print(&file, "x,y,z,share\n");
    for (size_t i = 0; i < count; i++) {
        fr_vec3 tip = tip_of(in, i);
        output_file_print(&file, "%.9g", tip.x);
        csv_number(&file, tip.y);
        csv_number(&file, tip.z);
        csv_number(&file, (double)shares[i]);
        output_file_print(&file, "\n");
    }
    return output_file_commit(&file, error);
}

static void report(tool *t, const fr_capability_input *in, const float *shares, size_t count) {
    double sum = 0.0, most = 0.0;
    size_t full = 0;
    for (size_t i = 0; i < count; i++) {
        sum += (double)shares[i];
        most = fmax(most, (double)shares[i]);
        full += shares[i] >= 0.99f;
    }
    tool_print(t, "%.3g N at %zu tips, in %u directions each\n", in->force, count, (unsigned)in->directions);
    tool_print(t, "given within 2 %% in %.1f %% of directions on the whole, %.1f %% at the best tip\n",
               100.0 * sum / (double)count, 100.0 * most);
    tool_print(t, "%zu tips at which it is given to all sides\n", full);
    fr_json_writer *j = tool_json(t);
    if (j == NULL) { return; }
    const double high[3] = {in->bounds.max.x, in->bounds.max.y, in->bounds.max.z};
    const double counts[3] = {in->count[0], in->count[1], in->count[2]};
    fr_json_write_object(j);
    json_fields(j, "force", in->force, "directions", in->directions, "min", in->bounds.min);
    fr_json_write_numbers_field(j, "max", high, 3);
    fr_json_write_numbers_field(j, "count", counts, 3);
    json_fields(j, "mean", sum / (double)count, "best", most, "full", full);
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

// A row of tips after another, so that it can be stopped.
static fr_status find_shares(tool *t, const fr_capability_input *in, float *shares, fr_error *error) {
    size_t rows = (size_t)in->count[1] * in->count[2];
    for (size_t i = 0; i < rows; i++) {
        fr_capability_input row = *in;
        fr_vec3 first = tip_of(in, i * in->count[0]);
        row.count[1] = row.count[2] = 1;
        row.bounds.min.y = row.bounds.max.y = first.y;
        row.bounds.min.z = row.bounds.max.z = first.z;
        if (fr_control_is_stopped(&t->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        fr_status status = fr_strings_capability(&row, shares + i * in->count[0], error);
        if (status != FR_OK) { return status; }
        fr_control_progress(&t->control, ((double)i + 1.0) / (double)rows, "tips");
    }
    return FR_OK;
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
    fr_status done = shares != NULL ? find_shares(t, &in, shares, &error)
                                    : fr_error_set(&error, FR_ERROR_MEMORY, "no memory for the map");
    const char *table = options_string(&t->options, "csv");
    if (done == FR_OK && table != NULL) { done = write_table(table, &in, shares, count, &error); }
    if (done == FR_OK) {
        report(t, &in, shares, count);
        draw_map(p, &in, shares, count);
    }
    fr_deallocate(NULL, shares, count, sizeof *shares);
    if (done == FR_OK) { return picture_request_end(t, p); }
    picture_destroy(p);
    bool is_usage = done == FR_ERROR_ARGUMENT || done == FR_ERROR_NOT_FINITE;
    return is_usage ? tool_wrong_usage(t, "%s", error.message) : tool_failed(t, &error);
}

#include "picture.h"

#include "picture_paint.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct picture {
    picture_def def;
    char title[PICTURE_TEXT_BYTES];
    picture_legend_entry legend[PICTURE_LEGEND_MOST];
    size_t legend_count;
    picture_marks marks;
};

// How far lines and points come towards the eye, in half diagonals, so that they lie on the faces they belong to.
static const double line_lift = 2e-3;
static const double point_lift = 4e-3;

picture_def picture_default_def(void) { return (picture_def){.width = 1200, .height = 900, .view = {4.0, 3.0, 6.0}}; }

static bool ends_in(const char *path, const char *suffix) {
    size_t length = strlen(path);
    size_t suffix_length = strlen(suffix);
    return length > suffix_length && strcasecmp(path + length - suffix_length, suffix) == 0;
}

bool picture_path_is_known(const char *path) { return ends_in(path, ".svg") || ends_in(path, ".png"); }

static bool side_is_allowed(int pixels) { return pixels >= PICTURE_MIN_SIZE && pixels <= PICTURE_MAX_SIZE; }

static bool view_is_allowed(const double view[3]) {
    bool finite = isfinite(view[0]) && isfinite(view[1]) && isfinite(view[2]);
    return finite && (view[0] != 0.0 || view[1] != 0.0 || view[2] != 0.0);
}

fr_status picture_create(const picture_def *def, picture **out, fr_error *error) {
    *out = NULL;
    if (!side_is_allowed(def->width) || !side_is_allowed(def->height)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a picture has from %d to %d pixels a side", PICTURE_MIN_SIZE,
                            PICTURE_MAX_SIZE);
    }
    if (!view_is_allowed(def->view)) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the view has no direction"); }
    picture *p = fr_allocate(NULL, 1, sizeof *p, _Alignof(picture));
    if (p == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the picture"); }
    *p = (picture){.def = *def, .marks = picture_marks_make(PICTURE_MAX_MARKS)};
    if (def->title != NULL) { utf8_repair(def->title, p->title, sizeof p->title); }
    *out = p;
    return FR_OK;
}

void picture_destroy(picture *p) {
    if (p == NULL) { return; }
    picture_marks_free(&p->marks);
    fr_release(NULL, p, 1, sizeof *p);
}

fr_draw picture_draw(picture *p) { return p != NULL ? picture_marks_draw(&p->marks) : (fr_draw){0}; }

void picture_legend(picture *p, fr_color color, const char *text) {
    if (p == NULL || p->legend_count == PICTURE_LEGEND_MOST) { return; }
    picture_legend_entry *entry = &p->legend[p->legend_count++];
    entry->color = color;
    utf8_repair(text, entry->text, sizeof entry->text);
}

// ---------------------------------------------------------------------------------------------------------------
// The order of painting

typedef struct depth_key {
    double depth;   // of the farthest point
    double average; // of all points: decides among faces that share their farthest corner
    uint32_t index;
} depth_key;

// From far to near; what was drawn first is painted first where depths are equal.
static int compare_keys(const void *left, const void *right) {
    const depth_key *a = left;
    const depth_key *b = right;
    if (a->depth != b->depth) { return a->depth > b->depth ? -1 : 1; }
    if (a->average != b->average) { return a->average > b->average ? -1 : 1; }
    return a->index < b->index ? -1 : 1;
}

// An edge never has a farther end than its faces, so with the lift it is painted after them. Texts come last of all:
// a label that is half hidden tells nothing.
static depth_key key_of(const picture_marks *marks, const picture_camera *camera, uint32_t index) {
    const picture_mark *mark = (const picture_mark *)marks->marks.data + index;
    const double *points = picture_mark_points(marks, mark);
    unsigned count = picture_mark_point_count(mark);
    depth_key key = {.depth = -INFINITY, .index = index};
    for (unsigned i = 0; i < count; ++i) {
        double depth = picture_camera_project(camera, points + (size_t)3 * i).depth;
        key.depth = fmax(key.depth, depth);
        key.average += depth / count;
    }
    double lift = 0.0;
    if (mark->kind == PICTURE_LINE) { lift = line_lift; }
    if (mark->kind == PICTURE_POINT) { lift = point_lift; }
    if (mark->kind == PICTURE_TEXT) { lift = 10.0; }
    key.depth -= lift;
    key.average -= lift;
    return key;
}

// All marks' indices in the order of painting, in memory of `count` keys that becomes theirs; NULL without memory.
static uint32_t *sort_marks(const picture_marks *marks, const picture_camera *camera, depth_key *keys) {
    size_t count = marks->marks.count;
    for (size_t i = 0; i < count; ++i) {
        keys[i] = key_of(marks, camera, (uint32_t)i);
    }
    if (count > 1) { qsort(keys, count, sizeof *keys, compare_keys); }
    uint32_t *order = fr_allocate(NULL, count + 1, sizeof *order, _Alignof(uint32_t));
    for (size_t i = 0; order != NULL && i < count; ++i) {
        order[i] = keys[i].index;
    }
    return order;
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

// What is left of the image for the objects: a margin around, and room for the title.
static picture_area free_area(const picture *p) {
    double margin = 0.06 * fmin(p->def.width, p->def.height);
    double title = p->title[0] != '\0' ? 30.0 : 0.0;
    double height = fmax(p->def.height - 2.0 * margin - title, 1.0);
    return (picture_area){
        .left = margin, .top = margin + title, .width = p->def.width - 2.0 * margin, .height = height};
}

static fr_status write_sheet(const picture_sheet *sheet, const char *path, const fr_control *control, fr_error *error) {
    output_file file;
    fr_status status = output_file_open(&file, path, error);
    if (status != FR_OK) { return status; }
    status = picture_paint(sheet, &file, control, error);
    if (status != FR_OK) {
        output_file_discard(&file);
        return status;
    }
    return output_file_commit(&file, error);
}

static fr_status check_marks(const picture_marks *marks, bool is_svg, fr_error *error) {
    if (marks->error.status != FR_OK) {
        if (error != NULL) { *error = marks->error; }
        return marks->error.status;
    }
    if (is_svg && marks->marks.count > PICTURE_MAX_SVG_MARKS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%zu lines, triangles and points are too many for an SVG: use a PNG",
                            marks->marks.count);
    }
    return FR_OK;
}

fr_status picture_write(picture *p, const char *path, const fr_control *control, fr_error *error) {
    FR_ASSERT(picture_path_is_known(path));
    bool is_svg = ends_in(path, ".svg");
    fr_status status = check_marks(&p->marks, is_svg, error);
    if (status != FR_OK) { return status; }

    // Stage 1: place the camera and sort
    size_t count = p->marks.marks.count;
    picture_camera camera =
        picture_camera_fit(p->marks.points.data, p->marks.points.count, p->def.view, p->def.perspective, free_area(p));
    depth_key *keys = fr_allocate(NULL, count + 1, sizeof *keys, _Alignof(depth_key));
    uint32_t *order = keys != NULL ? sort_marks(&p->marks, &camera, keys) : NULL;
    fr_release(NULL, keys, count + 1, sizeof *keys);
    if (order == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the picture"); }

    // Stage 2: paint
    picture_sheet sheet = {.width = p->def.width,
                           .height = p->def.height,
                           .is_svg = is_svg,
                           .title = p->title,
                           .legend = p->legend,
                           .legend_count = p->legend_count,
                           .marks = &p->marks,
                           .order = order,
                           .camera = &camera};
    status = write_sheet(&sheet, path, control, error);
    fr_release(NULL, order, count + 1, sizeof *order);
    return status;
}

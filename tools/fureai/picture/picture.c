// A picture: what is drawn, sorted by depth and written to a file.
#include "picture.h"

#include "output_file.h"
#include "picture_paint.h"

#include <math.h>
#include <string.h>
#include <strings.h>

struct picture {
    picture_def def;
    char title[PICTURE_TEXT_BYTES];
    picture_legend_entry legend[PICTURE_LEGEND_MOST];
    size_t legend_count;
    fr_drawing *drawing;
};

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
    *p = (picture){.def = *def};
    fr_drawing_def drawing = fr_default_drawing_def();
    drawing.max_marks = PICTURE_MAX_MARKS;
    fr_status status = fr_drawing_create(&drawing, &p->drawing, error);
    if (status != FR_OK) {
        picture_destroy(p);
        return status;
    }
    if (def->title != NULL) { fr_utf8_repair(def->title, p->title, sizeof p->title); }
    *out = p;
    return FR_OK;
}

void picture_destroy(picture *p) {
    if (p == NULL) { return; }
    fr_drawing_destroy(p->drawing);
    fr_deallocate(NULL, p, 1, sizeof *p);
}

fr_draw picture_draw(picture *p) { return p != NULL ? fr_drawing_draw(p->drawing) : (fr_draw){0}; }

void picture_legend(picture *p, fr_color color, const char *text) {
    if (p == NULL || p->legend_count == PICTURE_LEGEND_MOST) { return; }
    picture_legend_entry *entry = &p->legend[p->legend_count++];
    entry->color = color;
    fr_utf8_repair(text, entry->text, sizeof entry->text);
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

// What is left of the image for the objects: a margin around, and room for the title.
static fr_drawing_area free_area(const picture *p) {
    double margin = 0.06 * fmin(p->def.width, p->def.height);
    double title = p->title[0] != '\0' ? 30.0 : 0.0;
    double height = fmax(p->def.height - 2.0 * margin - title, 1.0);
    return (fr_drawing_area){
        .left = margin, .top = margin + title, .width = p->def.width - 2.0 * margin, .height = height};
}

static fr_status paint(picture *p, bool is_svg, const picture_sink *sink, const fr_control *control, fr_error *error) {
    fr_drawing_view drawing = fr_drawing_get(p->drawing);
    fr_status status = fr_drawing_check(p->drawing, error);
    if (status != FR_OK) { return status; }
    if (is_svg && drawing.count > PICTURE_MAX_SVG_MARKS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%zu lines, triangles and points are too many for an SVG: use a PNG",
                            drawing.count);
    }

    // Stage 1: place the camera and sort
    fr_drawing_camera camera =
        fr_drawing_camera_fit(drawing.points, drawing.point_count, p->def.view, p->def.perspective, free_area(p));
    uint32_t *order = fr_allocate(NULL, drawing.count + 1, sizeof *order, _Alignof(uint32_t));
    if (order == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the picture"); }
    status = fr_drawing_order(p->drawing, &camera, order, error);

    // Stage 2: paint
    picture_sheet sheet = {.width = p->def.width,
                           .height = p->def.height,
                           .is_svg = is_svg,
                           .title = p->title,
                           .legend = p->legend,
                           .legend_count = p->legend_count,
                           .drawing = &drawing,
                           .order = order,
                           .camera = &camera};
    if (status == FR_OK) { status = picture_paint(&sheet, sink, control, error); }
    fr_deallocate(NULL, order, drawing.count + 1, sizeof *order);
    return status;
}

static bool write_to_file(const void *bytes, size_t size, void *context) {
    return fr_output_file_write(context, bytes, size);
}

fr_status picture_write(picture *p, const char *path, const fr_control *control, fr_error *error) {
    FR_ASSERT(picture_path_is_known(path));
    fr_output_file file;
    fr_status status = fr_drawing_check(p->drawing, error);
    if (status == FR_OK) { status = output_file_open(&file, path, error); }
    if (status != FR_OK) { return status; }
    picture_sink sink = {write_to_file, &file};
    status = paint(p, ends_in(path, ".svg"), &sink, control, error);
    if (status != FR_OK) {
        fr_output_file_discard(&file);
        return status;
    }
    return fr_output_file_commit(&file, error);
}

fr_status picture_give(picture *p, const picture_sink *sink, const fr_control *control, fr_error *error) {
    return paint(p, false, sink, control, error);
}

// Paints a picture by cairo, as SVG or PNG.
#include "picture.h"
#include "picture_paint.h"

#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>

// What of a face's colour remains when it is seen edge-on.
static const double darkest = 0.4;

// Adjacent triangles would let the background shine through their common edge; a thin outline closes the gap.
static const double outline_width = 0.7;

static const double title_height = 15.0;
static const double legend_height = 10.0;

enum { STOP_INTERVAL = 1024 };

const char *picture_backend(void) {
    static const char name[] = "cairo " CAIRO_VERSION_STRING;
    return name;
}

#if defined(__has_feature)
#define HAS_LEAK_CHECK __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_LEAK_CHECK 1
#else
#define HAS_LEAK_CHECK 0
#endif

#if HAS_LEAK_CHECK
// Fontconfig keeps its tables until the process ends, by design; the sanitizer would call them leaks of ours.
FR_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig\n"; }
#endif

// ---------------------------------------------------------------------------------------------------------------
// Marks

static void set_color(cairo_t *cairo, fr_color color, double brightness) {
    double scale = brightness / 255.0;
    cairo_set_source_rgba(cairo, color.r * scale, color.g * scale, color.b * scale, color.a / 255.0);
}

static const double *points_of(const picture_sheet *sheet, const fr_drawing_mark *mark) {
    return sheet->drawing->points + (size_t)3 * mark->first_point;
}

static void paint_triangle(cairo_t *cairo, const picture_sheet *sheet, const fr_drawing_mark *mark) {
    const double *points = points_of(sheet, mark);
    double facing = fr_drawing_camera_facing(sheet->camera, points);
    set_color(cairo, mark->color, darkest + (1.0 - darkest) * facing);
    for (int i = 0; i < 3; ++i) {
        fr_drawing_place corner = fr_drawing_camera_project(sheet->camera, points + 3 * i);
        cairo_line_to(cairo, corner.x, corner.y);
    }
    cairo_close_path(cairo);
    if (mark->color.a == 255) {
        cairo_fill_preserve(cairo);
        cairo_set_line_width(cairo, outline_width);
        cairo_stroke(cairo);
    } else {
        cairo_fill(cairo);
    }
}

static void paint_line(cairo_t *cairo, const picture_sheet *sheet, const fr_drawing_mark *mark) {
    const double *points = points_of(sheet, mark);
    fr_drawing_place from = fr_drawing_camera_project(sheet->camera, points);
    fr_drawing_place to = fr_drawing_camera_project(sheet->camera, points + 3);
    set_color(cairo, mark->color, 1.0);
    cairo_set_line_width(cairo, mark->size);
    cairo_move_to(cairo, from.x, from.y);
    cairo_line_to(cairo, to.x, to.y);
    cairo_stroke(cairo);
}

// A line of length 0 with round ends is a dot, in fewer bytes of SVG than a circle.
static void paint_point(cairo_t *cairo, const picture_sheet *sheet, const fr_drawing_mark *mark) {
    fr_drawing_place at = fr_drawing_camera_project(sheet->camera, points_of(sheet, mark));
    set_color(cairo, mark->color, 1.0);
    cairo_set_line_width(cairo, mark->size);
    cairo_move_to(cairo, at.x, at.y);
    cairo_close_path(cairo);
    cairo_stroke(cairo);
}

// Text with a white rim, which keeps it readable on any ground. `height` is a capital's; in the common sans-serif
// fonts a capital takes 0.73 of the font's size.
static void paint_text(cairo_t *cairo, double x, double y, const char *text, fr_color color, double height) {
    cairo_set_font_size(cairo, height / 0.73);
    cairo_move_to(cairo, x, y);
    cairo_text_path(cairo, text);
    cairo_set_source_rgba(cairo, 1.0, 1.0, 1.0, 0.85);
    cairo_set_line_width(cairo, 3.0);
    cairo_stroke_preserve(cairo);
    set_color(cairo, color, 1.0);
    cairo_fill(cairo);
}

static void paint_mark(cairo_t *cairo, const picture_sheet *sheet, const fr_drawing_mark *mark) {
    switch ((fr_drawing_kind)mark->kind) {
    case FR_DRAWING_TRIANGLE: paint_triangle(cairo, sheet, mark); break;
    case FR_DRAWING_LINE: paint_line(cairo, sheet, mark); break;
    case FR_DRAWING_POINT: paint_point(cairo, sheet, mark); break;
    case FR_DRAWING_TEXT: {
        fr_drawing_place at = fr_drawing_camera_project(sheet->camera, points_of(sheet, mark));
        paint_text(cairo, at.x, at.y, sheet->drawing->letters + mark->letters, mark->color, mark->size);
    }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The sheet

// The height of capitals at which a text fits between the margins, at most `height`.
static double fitting_height(cairo_t *cairo, const char *text, double height, double width) {
    cairo_text_extents_t extents;
    cairo_set_font_size(cairo, height / 0.73);
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance > width ? height * width / extents.x_advance : height;
}

static void paint_captions(cairo_t *cairo, const picture_sheet *sheet) {
    static const fr_color ink = {32, 32, 32, 255};
    const double margin = 20.0;
    double y = margin;
    if (sheet->title[0] != '\0') {
        y += title_height;
        double height = fitting_height(cairo, sheet->title, title_height, fmax(sheet->width - 2.0 * margin, 1.0));
        paint_text(cairo, margin, y, sheet->title, ink, height);
        y += title_height;
    }
    for (size_t i = 0; i < sheet->legend_count; ++i) {
        y += legend_height;
        set_color(cairo, sheet->legend[i].color, 1.0);
        cairo_rectangle(cairo, margin, y - legend_height, 1.6 * legend_height, legend_height);
        cairo_fill(cairo);
        paint_text(cairo, margin + 2.4 * legend_height, y, sheet->legend[i].text, ink, legend_height);
        y += legend_height;
    }
}

// False when the caller wants to stop.
static bool paint_sheet(cairo_t *cairo, const picture_sheet *sheet, const fr_control *control) {
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0);
    cairo_paint(cairo);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);

    size_t count = sheet->drawing->count;
    const fr_drawing_mark *marks = sheet->drawing->marks;
    for (size_t i = 0; i < count; ++i) {
        if (i % STOP_INTERVAL == 0) {
            if (fr_control_is_stopped(control)) { return false; }
            fr_control_progress(control, (double)i / (double)count, "painting");
        }
        paint_mark(cairo, sheet, &marks[sheet->order[i]]);
    }
    paint_captions(cairo, sheet);
    return true;
}

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned int size) {
    const picture_sink *sink = closure;
    return sink->write(bytes, size, sink->context) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *make_surface(const picture_sheet *sheet, picture_sink *sink) {
    if (!sheet->is_svg) { return cairo_image_surface_create(CAIRO_FORMAT_RGB24, sheet->width, sheet->height); }
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream(write_bytes, sink, sheet->width, sheet->height);
#if CAIRO_VERSION >= CAIRO_VERSION_ENCODE(1, 16, 0)
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
#endif
    return surface;
}

// Failed writes are the sink's to report.
static fr_status check(cairo_status_t status, fr_error *error) {
    if (status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_WRITE_ERROR) { return FR_OK; }
    fr_status kind = status == CAIRO_STATUS_NO_MEMORY ? FR_ERROR_MEMORY : FR_ERROR_SYSTEM;
    return fr_error_set(error, kind, "cannot paint the picture: %s", cairo_status_to_string(status));
}

fr_status picture_paint(const picture_sheet *sheet, const picture_sink *sink, const fr_control *control,
                        fr_error *error) {
    picture_sink mine = *sink;
    cairo_surface_t *surface = make_surface(sheet, &mine);
    cairo_t *cairo = cairo_create(surface);
    bool went_through = paint_sheet(cairo, sheet, control);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);

    if (status == CAIRO_STATUS_SUCCESS && went_through && !sheet->is_svg) {
        status = cairo_surface_write_to_png_stream(surface, write_bytes, &mine);
    }
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) { status = cairo_surface_status(surface); }
    cairo_surface_destroy(surface);
    if (!went_through) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    return check(status, error);
}

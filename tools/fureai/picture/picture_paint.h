// Painting: the part of the picture writer that needs an outside library.
#ifndef FUREAI_TOOL_PICTURE_PAINT_H
#define FUREAI_TOOL_PICTURE_PAINT_H

#include "picture.h"

#include "fureai/base_drawing.h"

#define PICTURE_LEGEND_MOST 16
#define PICTURE_TEXT_BYTES 160

typedef struct picture_legend_entry {
    fr_color color;
    char text[PICTURE_TEXT_BYTES]; // UTF-8
} picture_legend_entry;

// A picture that is ready to be painted.
typedef struct picture_sheet {
    int width, height; // pixels
    bool is_svg;       // otherwise PNG
    const char *title; // "" for none
    const picture_legend_entry *legend;
    size_t legend_count;
    const fr_drawing_view *drawing;
    const uint32_t *order; // all marks, in the order of painting
    const fr_drawing_camera *camera;
} picture_sheet;

// Paints and gives the file's bytes to a sink, whose failures it does not report. FR_ERROR_UNSUPPORTED where there is
// nothing to paint with.
fr_status picture_paint(const picture_sheet *sheet, const picture_sink *sink, const fr_control *control,
                        fr_error *error);

#endif

// The one writer of pictures: collects what is drawn through fr_draw and writes it as SVG or PNG.
#ifndef FUREAI_TOOL_PICTURE_H
#define FUREAI_TOOL_PICTURE_H

#include "fureai/base.h"

typedef struct picture picture;

#define PICTURE_MAX_MARKS 4000000    // lines, triangles, points and texts in a PNG; about 100 bytes each
#define PICTURE_MAX_SVG_MARKS 200000 // in an SVG, which cairo holds in memory as a whole
#define PICTURE_MIN_SIZE 64          // pixels a side
#define PICTURE_MAX_SIZE 8192

// How the picture looks. Fill it by picture_default_def.
typedef struct picture_def {
    int width, height; // pixels, PICTURE_MIN_SIZE .. PICTURE_MAX_SIZE; default 1200 x 900
    double view[3];    // from the middle of what is drawn towards the eye, any length but 0; default 4, 3, 6
    bool perspective;  // far things are smaller; default false
    const char *title; // above the picture; default NULL: none. Copied.
} picture_def;

picture_def picture_default_def(void);

// What makes pictures in this build, such as "cairo 1.16.0"; NULL when nothing does.
const char *picture_backend(void);

// True for a path that ends in .svg or .png.
bool picture_path_is_known(const char *path);

// Makes an empty picture. FR_ERROR_ARGUMENT for a definition outside its limits, FR_ERROR_MEMORY.
fr_status picture_create(const picture_def *def, picture **out, fr_error *error);
void picture_destroy(picture *p);

// Where to draw; valid while the picture lives. With NULL for the picture nothing is drawn, so that a room can be
// shown in any case. What is not finite or beyond 1e100 is left out.
fr_draw picture_draw(picture *p);

// Adds a line to the legend, in the order of the calls. NULL for the picture is allowed.
void picture_legend(picture *p, fr_color color, const char *text);

// Takes bytes of a picture; false ends the writing.
typedef struct picture_sink {
    bool (*write)(const void *bytes, size_t size, void *context);
    void *context;
} picture_sink;

// Chooses the scale so that all fits, sorts from far to near, and writes the file by its suffix. The same calls give
// the same bytes with the same libraries. Fails with the first trouble while drawing too (FR_ERROR_MEMORY,
// FR_ERROR_LIMIT), with FR_ERROR_UNSUPPORTED where picture_backend is NULL, FR_ERROR_FILE, FR_ERROR_STOPPED.
fr_status picture_write(picture *p, const char *path, const fr_control *control, fr_error *error);

// Gives the bytes of the same, as a PNG, to a sink, whose failures are not reported.
fr_status picture_give(picture *p, const picture_sink *sink, const fr_control *control, fr_error *error);

#endif

// Fureai base: a drawing, which records what rooms draw through fr_draw, and what a painter of pictures needs of it: a
// camera (orthographic or perspective projection) and the painter's order, from far to near.
#ifndef FUREAI_BASE_DRAWING_H
#define FUREAI_BASE_DRAWING_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// Marks

typedef enum fr_drawing_kind {
    FR_DRAWING_POINT,
    FR_DRAWING_LINE,
    FR_DRAWING_TRIANGLE,
    FR_DRAWING_TEXT
} fr_drawing_kind;

// One point, line, triangle or text.
typedef struct fr_drawing_mark {
    uint32_t first_point; // its points stand together in the view: 1, 2, 3 or 1 of them, by its kind
    uint32_t letters;     // where its text begins in the view's letters; 0 for other kinds
    fr_color color;
    float size;        // a line's width, a point's diameter, a capital's height, in pixels
    uint8_t kind;      // fr_drawing_kind
    uint8_t dimension; // number of its points
} fr_drawing_mark;

typedef struct fr_drawing_def {
    size_t max_marks;       // marks that are recorded; 4,000,000 by default, about 100 bytes each
    fr_allocator allocator; // all zeros: the process default
    uint32_t cookie;        // set by fr_default_drawing_def
} fr_drawing_def;

// Everything that was drawn, in the order of the calls. Valid until the next call that draws, or fr_drawing_destroy.
typedef struct fr_drawing_view {
    const fr_drawing_mark *marks;
    size_t count;
    const double *points; // x y z each, world coordinates
    size_t point_count;
    const char *letters; // the texts, each terminated
} fr_drawing_view;

typedef struct fr_drawing fr_drawing;

FR_API fr_drawing_def fr_default_drawing_def(void);

// Makes an empty drawing.
FR_API fr_status fr_drawing_create(const fr_drawing_def *def, fr_drawing **out, fr_error *error);

// NULL is ignored.
FR_API void fr_drawing_destroy(fr_drawing *drawing);

// A table that draws into the drawing, valid as long as it lives. What is transparent, not finite or beyond 1e100 is
// left out; a size that is not between 0 and 10,000 counts as 1; texts are cut after 511 bytes and repaired.
FR_API fr_draw fr_drawing_draw(fr_drawing *drawing);

// The first failure while drawing: FR_ERROR_MEMORY, or FR_ERROR_LIMIT where there are too many marks or more than 16
// MiB of text. What was drawn after it is not recorded.
FR_API fr_status fr_drawing_check(const fr_drawing *drawing, fr_error *error);

FR_API fr_drawing_view fr_drawing_get(const fr_drawing *drawing);

// ---------------------------------------------------------------------------------------------------------------
// Camera: from world coordinates to pixels

// Looks at the middle of the points. Y is up; from straight above or below, -Z is up.
typedef struct fr_drawing_camera {
    double right[3], up[3], back[3]; // unit axes in the world; `back` points at the eye
    double middle[3];                // of the points' box
    double per_metre;                // makes the box's half diagonal 1
    double eye_distance;             // from the middle, in half diagonals; 0: parallel projection
    double pixels;                   // a half diagonal
    double x, y;                     // the pixel of the image plane's origin
} fr_drawing_camera;

// The part of the image that is to be filled, in pixels.
typedef struct fr_drawing_area {
    double left, top, width, height;
} fr_drawing_area;

// A point's pixel (x right, y down) and its depth: greater is farther from the eye, in half diagonals near the middle,
// and linear in the pixel over a plane, also in perspective.
typedef struct fr_drawing_place {
    double x, y, depth;
} fr_drawing_place;

// Fits `count` finite points, x y z each, into the area. `view` is the direction to the eye, not zero.
FR_API fr_drawing_camera fr_drawing_camera_fit(const double *points, size_t count, const double view[3],
                                               bool is_perspective, fr_drawing_area area);

FR_API fr_drawing_place fr_drawing_camera_project(const fr_drawing_camera *camera, const double point[3]);

// How squarely a triangle faces the direction of view: 1 when seen from straight ahead, 0 when seen edge-on; 1 for one
// without area. Also in perspective, so that the triangles of a plane have one shade.
FR_API double fr_drawing_camera_facing(const fr_drawing_camera *camera, const double triangle[9]);

// ---------------------------------------------------------------------------------------------------------------
// Order

// Writes the indices of all marks in the order of painting, back to front, to `order`, which has room for them all.
//
// Sorting by depth alone paints a large face over a small one that stands before it. So marks that overlap in the
// image are compared where they overlap, and what is behind is painted first; the sorting decides the rest. Faces that
// pierce each other or hide each other in a cycle have no right order and get any. From 100,000 marks on, when each
// is small, or when more overlap than memory should hold, the sorting decides alone. FR_ERROR_MEMORY is the only
// failure.
FR_API fr_status fr_drawing_order(const fr_drawing *drawing, const fr_drawing_camera *camera, uint32_t *order,
                                  fr_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Text that is shown and may be broken

// Characters of a terminated text; a byte that belongs to none counts as one.
FR_API size_t fr_utf8_count(const char *text);

// Copies a terminated text into `out` of `size` bytes (at least 1), U+FFFD for each byte that belongs to no character,
// cut at a whole character, always terminated.
FR_API void fr_utf8_repair(const char *text, char *out, size_t size);

#ifdef __cplusplus
}
#endif

#endif

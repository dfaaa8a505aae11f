// From world coordinates to pixels.
#ifndef FUREAI_TOOL_PICTURE_CAMERA_H
#define FUREAI_TOOL_PICTURE_CAMERA_H

#include <stdbool.h>
#include <stddef.h>

// Looks at the middle of the points. Y is up; from straight above or below, -Z is up.
typedef struct picture_camera {
    double right[3], up[3], back[3]; // unit axes in the world; `back` points at the eye
    double middle[3];                // of the points' box
    double per_metre;                // makes the box's half diagonal 1
    double eye_distance;             // from the middle, in half diagonals; 0: parallel projection
    double pixels;                   // a half diagonal
    double x, y;                     // the pixel of the image plane's origin
} picture_camera;

// The part of the image that is to be filled, in pixels.
typedef struct picture_area {
    double left, top, width, height;
} picture_area;

// Fits `count` finite points into the area. `view` is not zero.
picture_camera picture_camera_fit(const double *points, size_t count, const double view[3], bool perspective,
                                  picture_area area);

// A point's pixel (x right, y down) and its depth: greater is farther from the eye, in half diagonals near the middle,
// and linear in the pixel over a plane, also in perspective.
typedef struct picture_place {
    double x, y, depth;
} picture_place;

picture_place picture_camera_project(const picture_camera *camera, const double point[3]);

// How squarely a triangle faces the direction of view: 1 when seen from straight ahead, 0 when seen edge-on; 1 for one
// without area. Also in perspective, so that the triangles of a plane have one shade.
double picture_camera_facing(const picture_camera *camera, const double triangle[9]);

#endif

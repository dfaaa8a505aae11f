// The camera of a drawing: fitted to what it shows, and projection.
#include "fureai/base_drawing.h"

#include <math.h>
#include <string.h>

// An eye at this distance sees the ball around the points within 35 degrees.
static const double perspective_distance = 3.3255;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// Scales by the largest component first, so that no square leaves the range. False for the zero vector.
static bool normalize(double v[3]) {
    double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(largest > 0.0)) { return false; }
    for (int i = 0; i < 3; ++i) {
        v[i] /= largest;
    }
    double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; ++i) {
        v[i] /= length;
    }
    return true;
}

static void set_axes(fr_drawing_camera *camera, const double view[3]) {
    memcpy(camera->back, view, sizeof camera->back);
    normalize(camera->back);
    bool vertical = fabs(camera->back[0]) < 1e-9 && fabs(camera->back[2]) < 1e-9;
    double up[3] = {0.0, vertical ? 0.0 : 1.0, vertical ? -1.0 : 0.0};
    cross(up, camera->back, camera->right);
    normalize(camera->right);
    cross(camera->back, camera->right, camera->up);
}

static void set_middle(fr_drawing_camera *camera, const double *points, size_t count) {
    double low[3] = {0.0, 0.0, 0.0};
    double high[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            double value = points[3 * i + (size_t)axis];
            low[axis] = i == 0 ? value : fmin(low[axis], value);
            high[axis] = i == 0 ? value : fmax(high[axis], value);
        }
    }
    double half[3];
    for (int axis = 0; axis < 3; ++axis) {
        camera->middle[axis] = 0.5 * (low[axis] + high[axis]);
        half[axis] = 0.5 * (high[axis] - low[axis]);
    }
    double half_diagonal = hypot(half[0], hypot(half[1], half[2]));
    camera->per_metre = half_diagonal > 1e-300 ? 1.0 / half_diagonal : 1.0;
}

fr_drawing_place fr_drawing_camera_project(const fr_drawing_camera *camera, const double point[3]) {
    double p[3];
    for (int i = 0; i < 3; ++i) {
        p[i] = (point[i] - camera->middle[i]) * camera->per_metre;
    }
    double towards_eye = dot(camera->back, p);
    double shrink = camera->eye_distance > 0.0 ? camera->eye_distance / (camera->eye_distance - towards_eye) : 1.0;
    return (fr_drawing_place){.x = camera->x + camera->pixels * shrink * dot(camera->right, p),
                              .y = camera->y - camera->pixels * shrink * dot(camera->up, p),
                              .depth = -towards_eye * shrink};
}

// With the scale at 1 and the origin at 0 the projection gives the plane coordinates whose box is then fitted.
static void set_scale(fr_drawing_camera *camera, const double *points, size_t count, fr_drawing_area area) {
    double left = 0.0, right = 0.0, top = 0.0, bottom = 0.0;
    camera->pixels = 1.0;
    camera->x = camera->y = 0.0;
    for (size_t i = 0; i < count; ++i) {
        fr_drawing_place place = fr_drawing_camera_project(camera, points + 3 * i);
        left = i == 0 ? place.x : fmin(left, place.x);
        right = i == 0 ? place.x : fmax(right, place.x);
        top = i == 0 ? place.y : fmin(top, place.y);
        bottom = i == 0 ? place.y : fmax(bottom, place.y);
    }
    double width = fmax(right - left, 1e-9);
    double height = fmax(bottom - top, 1e-9);
    camera->pixels = fmin(area.width / width, area.height / height);
    camera->x = area.left + 0.5 * area.width - camera->pixels * 0.5 * (left + right);
    camera->y = area.top + 0.5 * area.height - camera->pixels * 0.5 * (top + bottom);
}

fr_drawing_camera fr_drawing_camera_fit(const double *points, size_t count, const double view[3], bool is_perspective,
                                        fr_drawing_area area) {
    fr_drawing_camera camera = {.eye_distance = is_perspective ? perspective_distance : 0.0};
    set_axes(&camera, view);
    set_middle(&camera, points, count);
    set_scale(&camera, points, count, area);
    return camera;
}

double fr_drawing_camera_facing(const fr_drawing_camera *camera, const double triangle[9]) {
    double ab[3], ac[3], normal[3];
    for (int i = 0; i < 3; ++i) {
        ab[i] = triangle[3 + i] - triangle[i];
        ac[i] = triangle[6 + i] - triangle[i];
    }
    if (!normalize(ab) || !normalize(ac)) { return 1.0; }
    cross(ab, ac, normal);
    return normalize(normal) ? fabs(dot(normal, camera->back)) : 1.0;
}

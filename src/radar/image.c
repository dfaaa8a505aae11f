// A range image that the caller brings, as faces: neighbours that lie near one another in depth are joined.
#include "radar/gather.h"

#include <math.h>

typedef struct picture {
    const fr_range_image *image;
    fr_pose pose;
    double jump;
    const fr__axes *axes;
    fr__facet_fn *place;
    const void *context;
    fr__facet_array *facets;
} picture;

static double depth_at(const fr_range_image *image, uint32_t column, uint32_t row) {
    double depth = (double)image->depth[(size_t)row * image->columns + column];
    return isfinite(depth) && depth > 0.0 ? depth : 0.0;
}

// A point of the world at a place of the image, in pixels, and a depth.
static fr_vec3 point_at(const picture *p, double column, double row, double depth) {
    const fr_range_image *image = p->image;
    double x = (2.0 * column / image->columns - 1.0) * image->tan_x;
    double y = (1.0 - 2.0 * row / image->rows) * image->tan_y;
    return fr_pose_apply(&p->pose, fr_vec3_make(depth * x, depth * y, -depth));
}

// Depths that differ by no more are of one surface: by default what a slope of four pixels a pixel makes.
static double jump_at(const picture *p, double depth) {
    if (p->jump > 0.0) { return p->jump; }
    double wide = 2.0 * p->image->tan_x / p->image->columns, high = 2.0 * p->image->tan_y / p->image->rows;
    return 4.0 * depth * fr__greater(wide, high);
}

static bool add(picture *p, fr_vec3 a, fr_vec3 b, fr_vec3 c, uint32_t name) {
    const fr_vec3 corners[3] = {a, b, c};
    fr__facet f = {.object = FR_RADAR_IMAGE, .triangle = name};
    for (int k = 0; k < 3; k++) {
        fr_vec3 q = fr_vec3_sub(corners[k], p->axes->origin);
        f.x[k] = fr_vec3_dot(p->axes->u, q);
        f.y[k] = fr_vec3_dot(p->axes->v, q);
        f.z[k] = fr_vec3_dot(p->axes->d, q);
    }
    if (!p->place(&f, p->context)) { return true; }
    fr__facet *kept = fr__facet_array_push(p->facets, 1);
    if (kept == NULL) { return false; }
    *kept = f;
    return true;
}

// Whether two pixels are of one surface.
static bool are_joined(const picture *p, double a, double b) {
    return a > 0.0 && b > 0.0 && fabs(a - b) <= jump_at(p, fr__lesser(a, b));
}

// Whether a pixel has a neighbour, left, right, above or below, that it is joined with.
static bool is_joined(const picture *p, uint32_t column, uint32_t row, double depth) {
    const fr_range_image *image = p->image;
    return (column > 0 && are_joined(p, depth, depth_at(image, column - 1, row))) ||
           (row > 0 && are_joined(p, depth, depth_at(image, column, row - 1))) ||
           (column + 1 < image->columns && are_joined(p, depth, depth_at(image, column + 1, row))) ||
           (row + 1 < image->rows && are_joined(p, depth, depth_at(image, column, row + 1)));
}

// The two triangles between a pixel and those to its right and below.
static bool add_square(picture *p, uint32_t column, uint32_t row, uint32_t name) {
    if (column + 1 >= p->image->columns || row + 1 >= p->image->rows) { return true; }
    double depth[4];
    fr_vec3 point[4];
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t x = column + (i & 1u), y = row + (i >> 1);
        depth[i] = depth_at(p->image, x, y);
        point[i] = point_at(p, x + 0.5, y + 0.5, depth[i]);
    }
    bool across = are_joined(p, depth[1], depth[2]);
    if (across && are_joined(p, depth[0], depth[1]) && are_joined(p, depth[0], depth[2])) {
        if (!add(p, point[0], point[2], point[1], name)) { return false; }
    }
    if (across && are_joined(p, depth[3], depth[1]) && are_joined(p, depth[3], depth[2])) {
        if (!add(p, point[1], point[2], point[3], name + 1)) { return false; }
    }
    return true;
}

// A pixel that nothing joins is a small square of its own.
static bool add_lone(picture *p, uint32_t column, uint32_t row, double depth, uint32_t name) {
    fr_vec3 a = point_at(p, column, row, depth), b = point_at(p, column + 1.0, row, depth);
    fr_vec3 c = point_at(p, column, row + 1.0, depth), d = point_at(p, column + 1.0, row + 1.0, depth);
    return add(p, a, c, b, name) && add(p, b, c, d, name + 1);
}

fr_status fr__image_check(const fr_range_image *image, double jump, fr_error *error) {
    bool is_right = image->columns >= 1 && image->columns <= 65536 && image->rows >= 1 && image->rows <= 32767 &&
                    image->tan_x > 0.0 && image->tan_x < 1e6 && image->tan_y > 0.0 && image->tan_y < 1e6 && jump >= 0.0;
    fr_pose pose = image->pose;
    if (!is_right) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the range image has no extent or angle of view"); }
    return fr_pose_check(&pose, error);
}

bool fr__image_gather(const fr_radar_input *input, const fr__axes *axes, fr__facet_fn *place, const void *context,
                      fr__facet_array *facets) {
    const fr_range_image *image = input->image;
    picture p = {.image = image,
                 .pose = image->pose,
                 .jump = input->image_jump,
                 .axes = axes,
                 .place = place,
                 .context = context,
                 .facets = facets};
    (void)fr_pose_check(&p.pose, NULL);
    for (uint32_t row = 0; row < image->rows; row++) {
        for (uint32_t column = 0; column < image->columns; column++) {
            double depth = depth_at(image, column, row);
            uint32_t name = 2 * (row * image->columns + column);
            bool is_lone = depth > 0.0 && !is_joined(&p, column, row, depth);
            if (is_lone && !add_lone(&p, column, row, depth, name)) { return false; }
            if (!is_lone && !add_square(&p, column, row, name)) { return false; }
        }
    }
    return true;
}

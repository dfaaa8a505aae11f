// The contact of a radar: point, normal and feature from the depths about the nearest pixel.
#include "radar/contact.h"

#include <math.h>

typedef fr__touch_point point;

// ---------------------------------------------------------------------------------------------------------------
// Slopes

typedef struct depth_slope {
    double x, y;     // metres a metre
    double residual; // root mean square, metres
    bool is_known;
} depth_slope;

// The least-squares plane through the 3 x 3 pixels about one, of those that have a depth: at least 5. With the pixels'
// offsets as unknowns the normal equations have three sums; solved by elimination.
static depth_slope slope_at(const fr__view *view, const fr__raster *raster, const double *image, const point *p) {
    double m[3][4] = {{0}};
    double rows[9][4];
    int count = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int64_t x = (int64_t)p->column + dx, y = (int64_t)p->row + dy;
            if (x < 0 || y < 0 || x >= (int64_t)raster->width || y >= (int64_t)raster->height) { continue; }
            double z = image[(size_t)y * raster->stride + (size_t)x];
            if (!isfinite(z)) { continue; }
            double row[4] = {dx * view->pixel, dy * view->pixel, 1.0, z};
            for (int i = 0; i < 4; i++) {
                rows[count][i] = row[i];
            }
            count++;
            for (int i = 0; i < 3; i++) {
                for (int k = 0; k < 4; k++) {
                    m[i][k] += row[i] * row[k];
                }
            }
        }
    }
    depth_slope none = {0};
    if (count < 5) { return none; }
    for (int i = 0; i < 3; i++) {
        int pivot = i;
        for (int k = i + 1; k < 3; k++) {
            if (fabs(m[k][i]) > fabs(m[pivot][i])) { pivot = k; }
        }
        if (!(fabs(m[pivot][i]) > 0.0)) { return none; }
        for (int k = 0; k < 4; k++) {
            double swap = m[i][k];
            m[i][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        for (int r = 0; r < 3; r++) {
            double factor = r != i ? m[r][i] / m[i][i] : 0.0;
            for (int k = i; k < 4; k++) {
                m[r][k] -= factor * m[i][k];
            }
        }
    }
    depth_slope out = {m[0][3] / m[0][0], m[1][3] / m[1][1], 0.0, true};
    double level = m[2][3] / m[2][2], squares = 0.0;
    for (int i = 0; i < count; i++) {
        double off = rows[i][3] - (out.x * rows[i][0] + out.y * rows[i][1] + level);
        squares += off * off;
    }
    out.residual = sqrt(squares / count);
    return out;
}

// The normal of an image about the points, against the travel: (Ix, Iy, -1) before it is made unit; and how flat it is.
static bool image_normal(const fr__view *view, const fr__raster *raster, const double *image, const point *points,
                         size_t count, fr_vec3 *normal, double *residual) {
    fr_vec3 sum = {0};
    double worst = 0.0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        depth_slope s = slope_at(view, raster, image, &points[i]);
        if (!s.is_known) { continue; }
        fr_vec3 n = fr_vec3_make(s.x, s.y, -1.0);
        sum = fr_vec3_add(sum, fr_vec3_unit(n, n));
        worst = fr__greater(worst, s.residual);
        known++;
    }
    *normal = sum;
    *residual = worst;
    return known > 0;
}

// A flat side decides; where neither is flat, both have a say.
static fr_vec3 point_normal(const fr__view *view, const fr__raster *raster, const point *points, size_t count) {
    fr_vec3 of_range, of_front;
    double rough_range, rough_front;
    bool has_range = image_normal(view, raster, raster->range, points, count, &of_range, &rough_range);
    bool has_front = image_normal(view, raster, raster->exits[0], points, count, &of_front, &rough_front);
    if (!has_range) { return has_front ? of_front : fr_vec3_make(0.0, 0.0, 0.0); }
    if (!has_front) { return of_range; }
    double flat = 0.02 * view->pixel;
    if (rough_range <= rough_front && (rough_range < flat || 4.0 * rough_range < rough_front)) { return of_range; }
    if (rough_front <= rough_range && (rough_front < flat || 4.0 * rough_front < rough_range)) { return of_front; }
    return fr_vec3_add(fr_vec3_unit(of_range, of_range), fr_vec3_unit(of_front, of_front));
}

// ---------------------------------------------------------------------------------------------------------------
// Points

static double turn(const point *a, const point *b, const point *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

// The corners of the convex hull, counter-clockwise, of points that come row by row; there is room for one more than
// these.
static size_t hull_of(const point *points, size_t count, point *hull) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        while (size >= 2 && turn(&hull[size - 2], &hull[size - 1], &points[i]) <= 0.0) {
            size--;
        }
        hull[size++] = points[i];
    }
    size_t lower = size + 1;
    for (size_t i = count - 1; i-- > 0;) {
        while (size >= lower && turn(&hull[size - 2], &hull[size - 1], &points[i]) <= 0.0) {
            size--;
        }
        hull[size++] = points[i];
    }
    return size > 1 ? size - 1 : size;
}

static void farthest_two(const point *hull, size_t size, const point **a, const point **b) {
    double best = -1.0;
    for (size_t i = 0; i < size; i++) {
        for (size_t k = i; k < size; k++) {
            double dx = hull[k].x - hull[i].x, dy = hull[k].y - hull[i].y;
            if (dx * dx + dy * dy <= best) { continue; }
            best = dx * dx + dy * dy;
            *a = &hull[i];
            *b = &hull[k];
        }
    }
}

// The centroid of the hull's area, and the plane through its corners by the greatest triangle at its first corner.
static void area_contact(const fr__view *view, const point *hull, size_t size, fr__touch *out) {
    double area = 0.0, x = 0.0, y = 0.0, z = 0.0, greatest = 0.0;
    for (size_t i = 1; i + 1 < size; i++) {
        const point *a = &hull[0], *b = &hull[i], *c = &hull[i + 1];
        double part = turn(a, b, c);
        area += part;
        x += part * (a->x + b->x + c->x) / 3.0;
        y += part * (a->y + b->y + c->y) / 3.0;
        z += part * (a->z + b->z + c->z) / 3.0;
        if (part <= greatest) { continue; }
        greatest = part;
        double h = view->pixel;
        fr_vec3 u = fr_vec3_make((b->x - a->x) * h, (b->y - a->y) * h, b->z - a->z);
        fr_vec3 v = fr_vec3_make((c->x - a->x) * h, (c->y - a->y) * h, c->z - a->z);
        out->normal = fr_vec3_negate(fr_vec3_cross(u, v));
    }
    out->x = x / area;
    out->y = y / area;
    out->z = z / area;
}

static bool list_points(const fr__raster *raster, double limit, fr__touch_point_array *points, fr__touch *out) {
    points->count = 0;
    double least = INFINITY;
    for (uint32_t y = 0; y < raster->height; y++) {
        for (uint32_t x = 0; x < raster->width; x++) {
            size_t at = (size_t)y * raster->stride + x;
            if (!(raster->free_travel[at] <= limit)) { continue; }
            point *p = fr__touch_point_array_push(points, 1);
            if (p == NULL) { return false; }
            *p = (point){(double)x + 0.5, (double)y + 0.5, raster->range[at], x, y};
            if (raster->free_travel[at] < least) {
                least = raster->free_travel[at];
                out->pixel = at;
            }
        }
    }
    return true;
}

fr_status fr__touch_find(const fr__view *view, const fr__raster *raster, double least, fr__touch_point_array *points,
                         fr__touch *out) {
    *out = (fr__touch){0};
    double tolerance = 2.0 * raster->slack + 0.25 * view->pixel;
    if (!list_points(raster, least + tolerance, points, out)) { return FR_ERROR_MEMORY; }
    size_t count = points->count;
    if (fr__touch_point_array_push(points, count + 1) == NULL) { return FR_ERROR_MEMORY; }
    point *list = points->data, *hull = list + count;
    size_t size = hull_of(list, count, hull);
    const point *a = hull, *b = hull;
    farthest_two(hull, size, &a, &b);
    double length = sqrt((b->x - a->x) * (b->x - a->x) + (b->y - a->y) * (b->y - a->y)), width = 0.0;
    for (size_t i = 0; i < size && length > 0.0; i++) {
        width = fr__greater(width, fabs(turn(a, b, &hull[i])) / length);
    }
    out->points = (uint32_t)count;
    out->kind = length < 1.5 ? 1 : width < 1.5 ? 2 : 3;
    if (out->kind == 3) {
        area_contact(view, hull, size, out);
        return FR_OK;
    }
    out->x = 0.5 * (a->x + b->x);
    out->y = 0.5 * (a->y + b->y);
    out->z = 0.5 * (a->z + b->z);
    out->normal = point_normal(view, raster, list, count);
    if (out->kind == 2) {
        fr_vec3 along = fr_vec3_make((b->x - a->x) * view->pixel, (b->y - a->y) * view->pixel, b->z - a->z);
        double part = fr_vec3_dot(out->normal, along) / fr_vec3_dot(along, along);
        out->normal = fr_vec3_sub(out->normal, fr_vec3_scale(part, along));
    }
    return FR_OK;
}

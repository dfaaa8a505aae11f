// Ray queries of a mesh: preparing the ray and testing one triangle.
#include "shape/mesh_ray.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Preparation

static void prepare_boxes(const fr_mesh_view *view, const double direction[3], fr__ray_query *q) {
    double reach = view->largest;
    for (int i = 0; i < 3; i++) {
        reach = fmax(reach, fabs(q->origin[i]));
    }
    double slack = 0x1p-40 * (2.0 * reach);
    for (int i = 0; i < 3; i++) {
        float low = fr_float_down(q->origin[i] - slack), high = fr_float_up(q->origin[i] + slack);
        q->is_down[i] = direction[i] < 0.0;
        q->start_near[i] = q->is_down[i] ? low : high;
        q->start_far[i] = q->is_down[i] ? high : low;
        q->inverse[i] = (float)(1.0 / direction[i]);
        if (direction[i] == 0.0) { q->inverse[i] = INFINITY; }
    }
}

bool fr__ray_prepare(const fr_mesh_view *view, const fr_ray *ray, fr__ray_query *out) {
    double largest = fr_vec3_largest(ray->direction);
    bool is_ray = fr_vec3_is_finite(ray->origin) && fr_vec3_is_finite(ray->direction) && largest > 0.0;
    if (!is_ray || !(ray->limit >= 0.0)) { return false; }
    memset(out, 0, sizeof *out);
    int exponent;
    frexp(largest, &exponent);
    double direction[3] = {ldexp(ray->direction.x, -exponent), ldexp(ray->direction.y, -exponent),
                           ldexp(ray->direction.z, -exponent)};
    out->view = view;
    out->origin[0] = ray->origin.x;
    out->origin[1] = ray->origin.y;
    out->origin[2] = ray->origin.z;
    out->limit = ldexp(ray->limit, exponent);

    for (int i = 1; i < 3; i++) {
        if (fabs(direction[i]) > fabs(direction[out->kz])) { out->kz = i; }
    }
    bool is_down = direction[out->kz] < 0.0;
    out->kx = (out->kz + (is_down ? 2 : 1)) % 3;
    out->ky = (out->kz + (is_down ? 1 : 2)) % 3;
    out->shear_x = direction[out->kx] / direction[out->kz];
    out->shear_y = direction[out->ky] / direction[out->kz];
    out->shear_z = 1.0 / direction[out->kz];
    prepare_boxes(view, direction, out);
    out->hit.triangle = FR_NONE;
    out->hit.distance = out->limit;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// One triangle

typedef struct image {
    double x, y, z;
} image;

static inline image image_of(const fr__ray_query *q, fr_vec3 corner) {
    const double p[3] = {corner.x - q->origin[0], corner.y - q->origin[1], corner.z - q->origin[2]};
    double z = p[q->kz];
    image at = {p[q->kx] - q->shear_x * z, p[q->ky] - q->shear_y * z, q->shear_z * z};
    return at;
}

// a.x b.y - a.y b.x with the sign it has in real arithmetic: the double where it is beyond its error (two products and
// a difference, each off by 2^-53: less than 2^-51 of the sum of sizes), else the exact sign of the smallest number.
static inline double side(image a, image b) {
    double left = a.x * b.y, right = a.y * b.x;
    double value = left - right;
    if (fabs(value) > 0x1p-51 * (fabs(left) + fabs(right))) { return value; }
    const fr_vec2 origin = {0.0, 0.0}, from = {a.x, a.y}, to = {b.x, b.y};
    int sign = fr_orient2d(origin, from, to);
    if (sign == 0) { return 0.0; }
    double size = fmax(fabs(value), 0x1p-1022);
    return sign > 0 ? size : -size;
}

void fr__ray_corners(fr__ray_query *q, const fr_vec3 corners[3], uint32_t triangle) {
    image a = image_of(q, corners[0]), b = image_of(q, corners[1]), c = image_of(q, corners[2]);

    // Weights of the corners. A triangle seen along its edge has none and is not hit; its neighbours are.
    double wa = side(c, b), wb = side(a, c), wc = side(b, a);
    if ((wa < 0.0 || wb < 0.0 || wc < 0.0) && (wa > 0.0 || wb > 0.0 || wc > 0.0)) { return; }
    double sum = wa + wb + wc;
    if (sum == 0.0) { return; }

    // A mean of the three depths, and never outside them.
    double low = fmin(a.z, fmin(b.z, c.z)), high = fmax(a.z, fmax(b.z, c.z));
    double distance = fmin(fmax((wa / sum) * a.z + (wb / sum) * b.z + (wc / sum) * c.z, low), high);
    if (!(distance >= 0.0) || distance > q->hit.distance) { return; }
    if (distance == q->hit.distance && triangle > q->hit.triangle) { return; }
    q->hit.triangle = triangle;
    q->hit.distance = distance;
    q->hit.u = wb / sum;
    q->hit.v = wc / sum;
    q->hit.is_back = sum < 0.0;
}

void fr__ray_triangle(fr__ray_query *query, uint32_t triangle) {
    fr_vec3 corners[3];
    fr__mesh_corners(query->view, triangle, corners);
    fr__ray_corners(query, corners, triangle);
}

// ---------------------------------------------------------------------------------------------------------------
// The queries

static bool prepare(const fr_mesh *mesh, const fr_ray *ray, fr__ray_query *out) {
    if (!fr__ray_prepare(&mesh->view, ray, out)) { return false; }
    if (mesh->view.positions_float != NULL) { out->corners = mesh->leaf_corners; }
    return true;
}

fr_ray_hit fr_mesh_ray(const fr_mesh *mesh, const fr_ray *ray) {
    FR_ASSERT(mesh != NULL && ray != NULL);
    fr_ray_hit none = {FR_NONE, 0.0, 0.0, 0.0, false};
    fr__ray_query query;
    if (!prepare(mesh, ray, &query)) { return none; }
    fr__ray_kernel()->cast(&query);
    if (query.hit.triangle == FR_NONE) { return none; }
    int exponent;
    frexp(fr_vec3_largest(ray->direction), &exponent);
    query.hit.distance = ldexp(query.hit.distance, -exponent);
    return query.hit;
}

bool fr_mesh_ray_any(const fr_mesh *mesh, const fr_ray *ray) {
    FR_ASSERT(mesh != NULL && ray != NULL);
    fr__ray_query query;
    if (!prepare(mesh, ray, &query)) { return false; }
    query.any = true;
    fr__ray_kernel()->cast(&query);
    return query.hit.triangle != FR_NONE;
}

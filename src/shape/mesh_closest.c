// The closest point of a mesh: preparing the query and testing one triangle.
#include "shape/mesh_closest.h"

void fr__closest_triangle(fr__closest_query *query, uint32_t triangle) {
    fr_vec3 corners[3];
    fr__mesh_corners(query->view, triangle, corners);
    fr_triangle_point at = fr_triangle_closest(corners, query->point);
    fr_closest *best = &query->best;
    if (!(at.distance <= best->distance)) { return; }
    if (at.distance == best->distance && triangle > best->triangle) { return; }
    best->triangle = triangle;
    best->distance = at.distance;
    best->point = at.point;
}

fr_closest fr_mesh_closest(const fr_mesh *mesh, fr_vec3 point, double limit) {
    FR_ASSERT(mesh != NULL);
    fr__closest_query query = {.view = &mesh->view, .point = point, .limit = limit};
    query.best = (fr_closest){FR_NONE, limit, point};
    if (!fr_vec3_is_finite(point) || !(limit >= 0.0)) { return query.best; }

    double reach = fmax(mesh->view.largest, fr_vec3_largest(point));
    double slack = 0x1p-40 * (2.0 * reach);
    bool is_usual = mesh->view.positions_float != NULL && reach > 0x1p-40 && reach < 0x1p+60;
    query.corners = is_usual ? mesh->leaf_corners : NULL;
    query.reach = reach;
    const double at[3] = {point.x, point.y, point.z};
    for (int i = 0; i < 3; i++) {
        query.low[i] = fr_float_down(at[i] - slack);
        query.high[i] = fr_float_up(at[i] + slack);
    }
    int exponent = 0;
    frexp(reach, &exponent);
    query.scale = ldexpf(1.0f, exponent > -120 ? (exponent < 120 ? -exponent : -120) : 120);
    fr__closest_kernel()->find(&query);
    return query.best;
}

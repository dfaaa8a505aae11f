// Volume, centre of mass and inertia of a closed mesh.
#include "shape/mesh.h"

// Sums over the tetrahedra from a reference point to every triangle: 6 V, 24 V c, and 120 times the second moments
// (the matrix of the integrals of x_i x_j). Each is a polynomial of the corners, exact for linear tetrahedra.
typedef struct solid_sums {
    double volume6;
    fr_vec3 first24;
    fr_mat3 second120;
} solid_sums;

// a b^T, added to m with a weight.
static void add_outer(fr_mat3 *m, double weight, fr_vec3 a, fr_vec3 b) {
    m->row[0] = fr_vec3_add_scaled(m->row[0], weight * a.x, b);
    m->row[1] = fr_vec3_add_scaled(m->row[1], weight * a.y, b);
    m->row[2] = fr_vec3_add_scaled(m->row[2], weight * a.z, b);
}

static void add_tetrahedron(solid_sums *sums, fr_vec3 a, fr_vec3 b, fr_vec3 c) {
    double volume6 = fr_vec3_dot(a, fr_vec3_cross(b, c));
    fr_vec3 corner_sum = fr_vec3_add(fr_vec3_add(a, b), c);
    sums->volume6 += volume6;
    sums->first24 = fr_vec3_add_scaled(sums->first24, volume6, corner_sum);
    add_outer(&sums->second120, volume6, corner_sum, corner_sum);
    add_outer(&sums->second120, volume6, a, a);
    add_outer(&sums->second120, volume6, b, b);
    add_outer(&sums->second120, volume6, c, c);
}

// Inertia about the centre from the second moments about the reference point.
static fr_mat3 inertia_about_center(const solid_sums *sums, double volume, fr_vec3 center_from_reference) {
    fr_mat3 moments = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    for (int i = 0; i < 3; i++) {
        moments.row[i] = fr_vec3_scale(1.0 / 120.0, sums->second120.row[i]);
    }
    add_outer(&moments, -volume, center_from_reference, center_from_reference);

    double trace = moments.row[0].x + moments.row[1].y + moments.row[2].z;
    fr_mat3 inertia;
    for (int i = 0; i < 3; i++) {
        inertia.row[i] = fr_vec3_negate(moments.row[i]);
    }
    inertia.row[0].x += trace;
    inertia.row[1].y += trace;
    inertia.row[2].z += trace;
    return inertia;
}

fr_mass fr_mesh_mass(const fr_mesh *mesh) {
    FR_ASSERT(mesh != NULL);
    const fr_mesh_view *view = &mesh->view;
    // The middle of the mesh as reference point: far from the origin, differences of huge volumes would cancel.
    fr_vec3 reference = fr_bounds_center(&view->bounds);
    double diagonal = fr_vec3_distance(view->bounds.min, view->bounds.max);
    solid_sums sums = {0};
    double area = 0.0;
    fr_vec3 area_center = {0.0, 0.0, 0.0};
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        fr_vec3 p[3];
        fr__mesh_corners(view, t, p);
        for (int k = 0; k < 3; k++) {
            p[k] = fr_vec3_sub(p[k], reference);
        }
        double triangle_area = 0.5 * fr_vec3_length(fr_vec3_cross(fr_vec3_sub(p[1], p[0]), fr_vec3_sub(p[2], p[0])));
        fr_vec3 corner_sum = fr_vec3_add(fr_vec3_add(p[0], p[1]), p[2]);
        area += triangle_area;
        area_center = fr_vec3_add_scaled(area_center, triangle_area / 3.0, corner_sum);
        add_tetrahedron(&sums, p[0], p[1], p[2]);
    }

    fr_mass mass = {.area = area, .volume = sums.volume6 / 6.0};
    fr_vec3 center = {0.0, 0.0, 0.0};
    if (fabs(mass.volume) > 1e-12 * diagonal * diagonal * diagonal) {
        center = fr_vec3_scale(0.25 / sums.volume6, sums.first24);
    } else if (area > 0.0) {
        center = fr_vec3_scale(1.0 / area, area_center);
    }
    mass.center = fr_vec3_add(reference, center);
    mass.inertia = inertia_about_center(&sums, mass.volume, center);
    return mass;
}

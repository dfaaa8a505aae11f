// The distance of two triangles. Where they do not meet, it is reached at a corner of one or between an edge of each.
#include "shape/segment.h"
#include "shape/triangle_triangle.h"

// The triangles come about a corner of theirs, so that what is far from the origin loses nothing.
static void offer_corners(const fr_vec3 a[3], const fr_vec3 b[3], fr__segment_nearest *nearest) {
    for (int i = 0; i < 3; i++) {
        fr__nearest_offer(nearest, a[i], fr_triangle_closest(b, a[i]).point);
        fr__nearest_offer(nearest, fr_triangle_closest(a, b[i]).point, b[i]);
    }
}

static void offer_edges(const fr_vec3 a[3], const fr_vec3 b[3], fr__segment_nearest *nearest) {
    for (int i = 0; i < 3; i++) {
        fr_vec3 edge_a[2] = {a[i], a[(i + 1) % 3]};
        for (int j = 0; j < 3; j++) {
            fr_vec3 edge_b[2] = {b[j], b[(j + 1) % 3]}, p, q;
            if (fr__segment_inner_pair(edge_a, edge_b, &p, &q)) { fr__nearest_offer(nearest, p, q); }
        }
    }
}

// The smallest positive distance: triangles that are apart by exact signs may have coincided by rounding.
static double above_zero(double distance) { return distance > 0.0 ? distance : 0x1p-1074; }

double fr_triangle_distance(const fr_vec3 a[3], const fr_vec3 b[3], fr_vec3 *on_a, fr_vec3 *on_b) {
    fr__segment_nearest nearest = fr__nearest_none();
    bool overlap = fr__triangle_overlap(a, b);
    if (overlap) {
        fr_section section;
        fr_triangle_section(a, b, &section);
        nearest.on_a = nearest.on_b = section.points[0];
    } else {
        fr_vec3 a_near[3], b_near[3];
        for (int i = 0; i < 3; i++) {
            a_near[i] = fr_vec3_sub(a[i], a[0]);
            b_near[i] = fr_vec3_sub(b[i], a[0]);
        }
        offer_corners(a_near, b_near, &nearest);
        offer_edges(a_near, b_near, &nearest);
        nearest.on_a = fr_vec3_add(nearest.on_a, a[0]);
        nearest.on_b = fr_vec3_add(nearest.on_b, a[0]);
    }
    if (on_a != NULL) { *on_a = nearest.on_a; }
    if (on_b != NULL) { *on_b = nearest.on_b; }
    return overlap ? 0.0 : above_zero(sqrt(nearest.distance_squared));
}

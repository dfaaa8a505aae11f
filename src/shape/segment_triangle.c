// A segment against a triangle, decided by the sides of the segment's ends and of the triangle's edges.
#include "shape/segment_triangle.h"

// Rounded distance of p to the plane, in lengths of its normal.
static double plane_value(const fr_vec3 t[3], fr_vec3 normal, fr_vec3 p) {
    return fabs(fr_vec3_dot(normal, fr_vec3_sub(p, t[0])));
}

static fr_vec3 plane_crossing(fr_vec3 end_0, fr_vec3 end_1, int side_0, int side_1, const fr_vec3 t[3]) {
    if (side_0 == 0) { return end_0; }
    if (side_1 == 0) { return end_1; }
    fr_vec3 normal = fr_vec3_cross(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0]));
    double at_0 = plane_value(t, normal, end_0), at_1 = plane_value(t, normal, end_1);
    double sum = at_0 + at_1;
    return fr_vec3_lerp(end_0, end_1, sum > 0.0 ? at_0 / sum : 0.5);
}

fr__pierce fr__segment_pierce(fr_vec3 end_0, fr_vec3 end_1, int side_0, int side_1, const fr_vec3 t[3]) {
    fr__pierce pierce = {false, false, end_0};
    if (side_0 * side_1 > 0) { return pierce; }

    // Seen along the segment, the triangle's edges all turn in one sense around a point inside.
    int positive = 0, negative = 0;
    for (int k = 0; k < 3; k++) {
        int side = fr_orient3d(end_0, end_1, t[k], t[(k + 1) % 3]);
        positive += side > 0;
        negative += side < 0;
    }
    if (positive > 0 && negative > 0) { return pierce; }
    pierce.hit = true;
    pierce.inner = side_0 * side_1 < 0 && (positive == 3 || negative == 3);
    pierce.point = plane_crossing(end_0, end_1, side_0, side_1, t);
    return pierce;
}

bool fr_segment_triangle_overlap(const fr_vec3 s[2], const fr_vec3 t[3], fr_vec3 *point) {
    fr__corners segment = fr__corners_of_segment(s), triangle = fr__corners_of_triangle(t);
    if (!fr__corners_are_coplanar(&segment, &triangle)) {
        if (triangle.count < 3) { return false; }
        int side_0 = fr_orient3d(t[0], t[1], t[2], s[0]), side_1 = fr_orient3d(t[0], t[1], t[2], s[1]);
        fr__pierce pierce = fr__segment_pierce(s[0], s[1], side_0, side_1, t);
        if (pierce.hit && point != NULL) { *point = pierce.point; }
        return pierce.hit;
    }
    fr_vec3 points[6];
    int count = fr__flat_section(&segment, &triangle, points);
    if (count > 0 && point != NULL) {
        bool first = count == 1 || fr_vec3_length_squared(fr_vec3_sub(points[0], s[0])) <=
                                       fr_vec3_length_squared(fr_vec3_sub(points[1], s[0]));
        *point = first ? points[0] : points[1];
    }
    return count > 0;
}

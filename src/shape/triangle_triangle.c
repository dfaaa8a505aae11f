// Whether two triangles share a point: the exact test of static collision, and the exact part behind the inline filter.
#include "shape/triangle_triangle.h"

#include "shape/flat.h"
#include "shape/segment_triangle.h"

const unsigned char fr__lone_corner[27] = {0, 0, 0, 1, 5, 0, 1, 1, 5, 2, 4, 0, 3, 0,
                                           0, 3, 1, 5, 2, 4, 4, 3, 2, 4, 3, 3, 0};

const unsigned char fr__corner_order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};

unsigned fr__triangle_sides_exact(const fr_vec3 t[3], const fr_vec3 p[3]) {
    int s0 = fr_orient3d(t[0], t[1], t[2], p[0]);
    int s1 = fr_orient3d(t[0], t[1], t[2], p[1]);
    int s2 = fr_orient3d(t[0], t[1], t[2], p[2]);
    return (unsigned)(13 + s0 + 3 * s1 + 9 * s2);
}

// A segment or point against a triangle with an area, whose plane it leaves.
static bool thin_overlap(const fr__corners *thin, const fr_vec3 t[3]) {
    if (thin->count < 2) { return false; }
    int side_0 = fr_orient3d(t[0], t[1], t[2], thin->point[0]);
    int side_1 = fr_orient3d(t[0], t[1], t[2], thin->point[1]);
    return fr__segment_pierce(thin->point[0], thin->point[1], side_0, side_1, t).hit;
}

// Where all corners of one triangle lie in the other's plane: coplanar triangles, or one without a plane.
static bool flat_overlap(const fr_vec3 a[3], const fr_vec3 b[3]) {
    fr__corners of_a = fr__corners_of_triangle(a), of_b = fr__corners_of_triangle(b);
    if (of_a.count == 3 && of_b.count == 3) { return fr__flat_triangles_overlap(a, b, fr__triangle_drop_axis(a)); }
    if (fr__corners_are_coplanar(&of_a, &of_b)) { return fr__flat_section(&of_a, &of_b, NULL) > 0; }
    if (of_a.count == 3) { return thin_overlap(&of_b, a); }
    if (of_b.count == 3) { return thin_overlap(&of_a, b); }
    return false;
}

bool fr__triangle_overlap_exact(const fr_vec3 a[3], const fr_vec3 b[3]) {
    unsigned sides_a = fr__triangle_sides_exact(b, a);
    if (fr__sides_are_one(sides_a)) { return false; }
    unsigned sides_b = fr__triangle_sides_exact(a, b);
    if (fr__sides_are_one(sides_b)) { return false; }
    if (sides_a == FR__ALL_IN_PLANE || sides_b == FR__ALL_IN_PLANE) { return flat_overlap(a, b); }

    fr__facing f = fr__triangle_face(a, b, sides_a, sides_b);
    return fr_orient3d(*f.p0, *f.p1, *f.q0, *f.q1) <= 0 && fr_orient3d(*f.p0, *f.p2, *f.q2, *f.q0) <= 0;
}

bool fr_triangle_overlap(const fr_vec3 a[3], const fr_vec3 b[3]) { return fr__triangle_overlap(a, b); }

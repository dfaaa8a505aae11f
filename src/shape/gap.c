// The closest points of two triangles by features that are known from before, as in the distance of PQP (Larsen,
// Gottschalk, Lin, Manocha 1999). They are the closest points of an edge of each, if the two remaining corners lie
// beyond the slab across them, or a corner over the face of the other.
#include "shape/gap.h"

// The closest points of the segments a0 + s u and b0 + t v. For nearly parallel ones s is inaccurate, but both points
// are still points of the segments.
static void closest_of_edges(fr_vec3 a0, fr_vec3 u, fr_vec3 b0, fr_vec3 v, fr__gap *out) {
    fr_vec3 apart = fr_vec3_sub(b0, a0);
    double uu = fr_vec3_dot(u, u), vv = fr_vec3_dot(v, v), uv = fr_vec3_dot(u, v);
    double ua = fr_vec3_dot(u, apart), va = fr_vec3_dot(v, apart);
    double across = uu * vv - uv * uv, s = 0.0, t;
    if (across > 0.0) {
        s = (ua * vv - va * uv) / across;
        s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    }
    // t follows s; where it leaves the segment, or that is a point, s follows t.
    t = vv > 0.0 ? (s * uv - va) / vv : 0.0;
    if (!(t >= 0.0 && t <= 1.0 && vv > 0.0)) {
        t = t > 1.0 ? 1.0 : 0.0;
        s = uu > 0.0 ? (ua + t * uv) / uu : 0.0;
        s = s > 0.0 ? (s < 1.0 ? s : 1.0) : 0.0;
    }
    out->on_a = fr_vec3_add_scaled(a0, s, u);
    out->on_b = fr_vec3_add_scaled(b0, t, v);
    out->support_a = s > 0.0 && s < 1.0 ? FR__EDGE : FR__CORNER;
    out->support_b = t > 0.0 && t < 1.0 ? FR__EDGE : FR__CORNER;
    out->squared = fr_vec3_length_squared(fr_vec3_sub(out->on_b, out->on_a));
    out->feature = FR_FEATURE_EDGE_EDGE;
}

static const int NEXT[3] = {1, 2, 0};

// Tries the closest points of edge i of a and edge j of b; returns whether no other points are closer.
static bool try_edges(const fr_vec3 a[3], const fr_vec3 b[3], int i, int j, fr__gap *gap) {
    int i1 = NEXT[i], j1 = NEXT[j];
    fr__gap found;
    closest_of_edges(a[i], fr_vec3_sub(a[i1], a[i]), b[j], fr_vec3_sub(b[j1], b[j]), &found);
    if (!(found.squared <= gap->squared)) { return false; }
    found.i = i;
    found.j = j;
    *gap = found;
    fr_vec3 between = fr_vec3_sub(found.on_b, found.on_a);
    return fr_vec3_dot(fr_vec3_sub(a[NEXT[i1]], found.on_a), between) <= 0.0 &&
           fr_vec3_dot(fr_vec3_sub(b[NEXT[j1]], found.on_b), between) >= 0.0;
}

// Whether all corners of p lie on one side of the plane of `face` and the nearest of them over it: no point is closer.
static bool try_corner(const fr_vec3 face[3], const fr_vec3 p[3], fr_vec3 *on_face, int *corner) {
    fr_vec3 u = fr_vec3_sub(face[1], face[0]), v = fr_vec3_sub(face[2], face[0]), n = fr_vec3_cross(u, v);
    double nn = fr_vec3_dot(n, n), height[3];
    if (!(nn > 0.0)) { return false; }
    for (int i = 0; i < 3; i++) {
        height[i] = fr_vec3_dot(n, fr_vec3_sub(p[i], face[0]));
    }
    if (height[0] < 0.0 && height[1] < 0.0 && height[2] < 0.0) {
        n = fr_vec3_negate(n);
        for (int i = 0; i < 3; i++) {
            height[i] = -height[i];
        }
    } else if (!(height[0] > 0.0 && height[1] > 0.0 && height[2] > 0.0)) {
        return false;
    }
    int k = height[0] <= height[1] ? 0 : 1;
    k = height[2] < height[k] ? 2 : k;

    // The foot is inside when it is left of every edge.
    fr_vec3 w = fr_vec3_sub(p[k], face[0]), across = fr_vec3_cross(u, v);
    double along_v = fr_vec3_dot(fr_vec3_cross(u, w), across), along_u = fr_vec3_dot(fr_vec3_cross(w, v), across);
    if (!(along_u >= 0.0 && along_v >= 0.0 && along_u + along_v <= nn)) { return false; }
    *on_face = fr_vec3_add_scaled(p[k], -height[k] / nn, n);
    *corner = k;
    return true;
}

static bool try_face(const fr_vec3 a[3], const fr_vec3 b[3], bool face_is_b, fr__gap *gap) {
    fr_vec3 foot;
    int corner;
    if (!try_corner(face_is_b ? b : a, face_is_b ? a : b, &foot, &corner)) { return false; }
    fr_vec3 on_a = face_is_b ? a[corner] : foot, on_b = face_is_b ? foot : b[corner];
    fr_vec3 between = fr_vec3_sub(on_b, on_a);
    fr_feature feature = face_is_b ? FR_FEATURE_VERTEX_FACE : FR_FEATURE_FACE_VERTEX;
    *gap = (fr__gap){on_a,
                     on_b,
                     fr_vec3_dot(between, between),
                     feature,
                     face_is_b ? corner : 0,
                     face_is_b ? 0 : corner,
                     face_is_b ? FR__CORNER : FR__FACE,
                     face_is_b ? FR__FACE : FR__CORNER};
    return true;
}

bool fr__gap_by_features(const fr_vec3 a[3], const fr_vec3 b[3], fr__gap *gap) {
    fr_feature first = gap->feature;
    gap->squared = (double)INFINITY;
    if (first == FR_FEATURE_UNKNOWN) { return false; }
    return first == FR_FEATURE_EDGE_EDGE ? try_edges(a, b, gap->i, gap->j, gap)
                                         : try_face(a, b, first == FR_FEATURE_VERTEX_FACE, gap);
}

void fr__gap_of_edges(const fr_vec3 a[2], const fr_vec3 b[2], fr__gap *gap) {
    closest_of_edges(a[0], fr_vec3_sub(a[1], a[0]), b[0], fr_vec3_sub(b[1], b[0]), gap);
    gap->i = gap->j = 0;
}

void fr__gap_of_vertex(const fr_vec3 *a, const fr_vec3 b[3], fr__gap *gap) {
    fr_triangle_point closest = fr_triangle_closest(b, *a);
    double weight[3] = {1.0 - closest.u - closest.v, closest.u, closest.v};
    gap->on_a = *a;
    gap->on_b = closest.point;
    gap->squared = fr_vec3_length_squared(fr_vec3_sub(gap->on_b, gap->on_a));
    gap->feature = FR_FEATURE_VERTEX_FACE;
    gap->support_a = FR__CORNER;
    gap->i = gap->j = 0;

    // Two weights above 0 are the edge between them, three the face.
    int inside = (weight[0] > 0.0) + (weight[1] > 0.0) + (weight[2] > 0.0);
    gap->support_b = inside == 3 ? FR__FACE : inside == 2 ? FR__EDGE : FR__CORNER;
    if (inside == 2) { gap->j = weight[2] > 0.0 ? (weight[1] > 0.0 ? 1 : 2) : 0; }
}

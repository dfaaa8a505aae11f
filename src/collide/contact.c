// The contact of a pair of faces at an instant: point, normal, distance and feature.
#include "collide/contact.h"

#include "collide/neighbour_faces.h"
#include "space/part.h"

static fr_vec3 middle(const fr_vec3 *points, int count) {
    fr_vec3 sum = points[0];
    for (int i = 1; i < count; i++) {
        sum = fr_vec3_add(sum, points[i]);
    }
    return fr_vec3_scale(1.0 / (double)count, sum);
}

static fr_vec3 unit_or_zero(fr_vec3 v) { return fr_vec3_unit(v, fr_vec3_make(0.0, 0.0, 0.0)); }

static fr_vec3 normal_of(const fr_vec3 t[3]) {
    return unit_or_zero(fr_vec3_cross(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0])));
}

static bool is_zero(fr_vec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

// Which corner a point is, within rounding; -1: none.
static int corner_at(const fr_vec3 t[3], fr_vec3 point) {
    double size = fmax(fr_vec3_distance(t[0], t[1]), fr_vec3_distance(t[0], t[2])) + fr_vec3_largest(point);
    for (int k = 0; k < 3; k++) {
        if (fr_vec3_distance(t[k], point) <= 0x1p-48 * size) { return k; }
    }
    return -1;
}

// Turned so that it leads from a's middle to b's.
static fr_vec3 from_a_to_b(fr_vec3 normal, const fr_vec3 a[3], const fr_vec3 b[3]) {
    fr_vec3 a_to_b = fr_vec3_sub(middle(b, 3), middle(a, 3));
    return fr_vec3_dot(a_to_b, normal) < 0.0 ? fr_vec3_negate(normal) : normal;
}

// ---------------------------------------------------------------------------------------------------------------
// The three kinds

// Apart: between the closest points.
static void measure_near(const fr_vec3 a[3], const fr_vec3 b[3], bool is_one_part, fr_contact *out) {
    fr_vec3 on_a, on_b;
    out->distance = fr__faces_distance(is_one_part, a, b, &on_a, &on_b);
    out->point = fr_vec3_lerp(on_a, on_b, 0.5);
    out->normal = unit_or_zero(fr_vec3_sub(on_b, on_a));
    bool at_a = corner_at(a, on_a) >= 0, at_b = corner_at(b, on_b) >= 0;
    out->feature = at_a ? FR_FEATURE_VERTEX_FACE : at_b ? FR_FEATURE_FACE_VERTEX : FR_FEATURE_EDGE_EDGE;
}

// The edge of a triangle that a point lies on, nearest by distance.
static fr_vec3 edge_at(const fr_vec3 t[3], fr_vec3 point) {
    double least = (double)INFINITY;
    fr_vec3 edge = fr_vec3_sub(t[1], t[0]);
    for (int k = 0; k < 3; k++) {
        fr_vec3 ends[2] = {t[k], t[(k + 1) % 3]}, on_edge;
        fr_segment_closest(ends, point, &on_edge);
        double distance = fr_vec3_distance(on_edge, point);
        if (distance < least) {
            least = distance;
            edge = fr_vec3_sub(ends[1], ends[0]);
        }
    }
    return edge;
}

// Sharing points without crossing: a corner on a face, an edge on an edge, or one plane.
static void measure_touching(const fr_vec3 a[3], const fr_vec3 b[3], fr_contact *out) {
    fr_section section;
    fr_triangle_section(a, b, &section);
    out->distance = 0.0;
    out->point = middle(section.points, section.count);
    fr_vec3 normal_a = normal_of(a), normal_b = normal_of(b);
    bool at_a = corner_at(a, section.points[0]) >= 0, at_b = corner_at(b, section.points[0]) >= 0;
    if (section.is_coplanar) {
        out->normal = is_zero(normal_a) ? fr_vec3_negate(normal_b) : normal_a;
        out->feature = FR_FEATURE_UNKNOWN;
    } else if (at_a && !at_b) {
        out->normal = is_zero(normal_b) ? normal_a : fr_vec3_negate(normal_b);
        out->feature = FR_FEATURE_VERTEX_FACE;
    } else if (at_b && !at_a) {
        out->normal = is_zero(normal_a) ? fr_vec3_negate(normal_b) : normal_a;
        out->feature = FR_FEATURE_FACE_VERTEX;
    } else {
        fr_vec3 across = fr_vec3_cross(edge_at(a, section.points[0]), edge_at(b, section.points[0]));
        fr_vec3 normal = unit_or_zero(across);
        out->normal = is_zero(normal) ? normal_a : from_a_to_b(normal, a, b);
        out->feature = FR_FEATURE_EDGE_EDGE;
    }
}

// How far the corners of t reach behind the plane of `face`.
static double depth_behind(const fr_vec3 face[3], fr_vec3 normal, const fr_vec3 t[3]) {
    double deepest = 0.0;
    for (int k = 0; k < 3; k++) {
        double height = fr_vec3_dot(normal, fr_vec3_sub(t[k], face[0]));
        deepest = height < deepest ? height : deepest;
    }
    return -deepest;
}

// Crossing: the shortest displacement, along a's normal or against b's, that brings one triangle before the other's
// plane.
static void measure_crossing(const fr_vec3 a[3], const fr_vec3 b[3], fr_contact *out) {
    fr_section section;
    fr_triangle_section(a, b, &section);
    fr_vec3 normal_a = normal_of(a), normal_b = normal_of(b);
    double behind_a = depth_behind(a, normal_a, b), behind_b = depth_behind(b, normal_b, a);
    bool by_a = behind_a <= behind_b;
    out->point = middle(section.points, section.count);
    out->normal = by_a ? normal_a : fr_vec3_negate(normal_b);
    out->distance = by_a ? -behind_a : -behind_b;
    out->feature = by_a ? FR_FEATURE_FACE_VERTEX : FR_FEATURE_VERTEX_FACE;
}

void fr__contact_measure(const fr_vec3 a[3], const fr_vec3 b[3], uint32_t flags, fr_contact *out) {
    if ((flags & FR_CONTACT_NEAR) != 0) {
        measure_near(a, b, (flags & FR_CONTACT_SELF) != 0 && out->part_a == out->part_b, out);
    } else if ((flags & FR_CONTACT_TOUCHING) != 0) {
        measure_touching(a, b, out);
    } else {
        measure_crossing(a, b, out);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The record

// Fills in which face of which part it is.
static void name_face(const fr_space *space, uint32_t index, uint32_t triangle, uint32_t *part, uint32_t *face) {
    const fr__object *object = fr__space_object(space, index);
    *part = fr__object_part_of(object, triangle);
    const fr__part *found = &object->parts[*part];
    *face = fr_mesh_face(found->mesh, triangle - found->first_triangle);
}

void fr__contact_name(const fr_space *space, const fr_face_pair *pair, fr_contact *out) {
    out->a = fr__space_object_id(space, pair->a);
    out->b = fr__space_object_id(space, pair->b);
    out->triangle_a = pair->triangle_a;
    out->triangle_b = pair->triangle_b;
    name_face(space, pair->a, pair->triangle_a, &out->part_a, &out->face_a);
    name_face(space, pair->b, pair->triangle_b, &out->part_b, &out->face_b);
    out->flags = pair->flags;
    out->time = 0.0;
    out->time_sure = (pair->flags & FR_CONTACT_NEAR) != 0 ? FR_UNKNOWN : 0.0;
    out->time_end = FR_UNKNOWN;
    out->approach = FR_UNKNOWN;
}

void fr__contact_corners(const fr_space *space, uint32_t index, uint32_t part, uint32_t triangle, fr_vec3 corners[3]) {
    const fr__object *object = fr__space_object(space, index);
    const fr__part *holder = &object->parts[part];
    fr__part_corners(object, holder, triangle - holder->first_triangle, corners);
}

void fr__contact_make(const fr_space *space, const fr_face_pair *pair, fr_contact *out) {
    fr_vec3 a[3], b[3];
    fr__contact_name(space, pair, out);
    fr__contact_corners(space, pair->a, out->part_a, pair->triangle_a, a);
    fr__contact_corners(space, pair->b, out->part_b, pair->triangle_b, b);
    out->sense = FR_SENSE_STATIC;
    fr__contact_measure(a, b, pair->flags, out);
}

// Whether one object is inside another, by a vertex of each part and rays through the other object.
#include "collide/containment.h"

#include "space/part.h"

// Vertices of a part that are tried until one is clear of the other's surface: those that touch it say nothing.
enum { TRIES = 64 };

// How often a triangle winds around the origin, in turns (Van Oosterom and Strackee 1983).
static double solid_angle(fr_vec3 a, fr_vec3 b, fr_vec3 c) {
    double la = fr_vec3_length(a), lb = fr_vec3_length(b), lc = fr_vec3_length(c);
    double volume = fr_vec3_dot(a, fr_vec3_cross(b, c));
    double below = la * lb * lc + fr_vec3_dot(a, b) * lc + fr_vec3_dot(b, c) * la + fr_vec3_dot(c, a) * lb;
    return fr_atan2(volume, below) / (2.0 * FR_PI);
}

// The winding number of a part whose vertices are the object's own.
static double deformed_winding(const fr__part *part, fr_vec3 point) {
    double sum = 0.0;
    for (uint32_t t = 0; t < part->mesh->view.triangle_count; t++) {
        fr_vec3 c[3];
        fr__part_corners_local(part, t, c);
        sum += solid_angle(fr_vec3_sub(c[0], point), fr_vec3_sub(c[1], point), fr_vec3_sub(c[2], point));
    }
    return sum;
}

// Whether a point in a part's frame is on its surface, within rounding.
static bool is_on_surface(const fr__part *part, fr_vec3 point) {
    double close = 0x1p-40 * (part->largest + fr_vec3_largest(point));
    if (part->vertices == NULL) { return fr_mesh_closest(part->mesh, point, close).triangle != FR_NONE; }
    for (uint32_t t = 0; t < part->mesh->view.triangle_count; t++) {
        fr_vec3 c[3];
        fr__part_corners_local(part, t, c);
        if (fr_triangle_closest(c, point).distance <= close) { return true; }
    }
    return false;
}

static bool is_within(const fr__part *part, fr_vec3 point) {
    double winding = part->vertices == NULL ? fr_mesh_winding(part->mesh, point) : deformed_winding(part, point);
    return fabs(winding) > 0.5;
}

// Whether a part is inside another one, which is closed.
static bool part_is_inside(const fr__object *inner, const fr__part *part, const fr__object *outer,
                           const fr__part *shell) {
    const fr_bounds *box = &shell->bounds_local;
    fr__to_part to_shell = fr__to_part_make(outer, shell);
    const fr_mesh_view *view = &part->mesh->view;
    uint32_t tries = view->triangle_count < TRIES ? view->triangle_count : TRIES;
    for (uint32_t i = 0; i < tries; i++) {
        fr_vec3 corners[3];
        uint32_t triangle = (uint32_t)((uint64_t)i * view->triangle_count / tries);
        fr__part_corners(inner, part, triangle, corners);
        fr_vec3 point = fr__to_part_point(&to_shell, corners[0]);
        if (!fr_bounds_contain_point(box, point)) { return false; }
        if (!is_on_surface(shell, point)) { return is_within(shell, point); }
    }
    return false;
}

bool fr__object_is_inside(const fr_space *space, uint32_t inner_index, uint32_t outer_index) {
    const fr__object *inner = fr__space_object(space, inner_index), *outer = fr__space_object(space, outer_index);
    for (uint32_t i = 0; i < inner->view.part_count; i++) {
        bool is_inside = false;
        for (uint32_t k = 0; k < outer->view.part_count && !is_inside; k++) {
            const fr__part *shell = &outer->parts[k];
            is_inside = shell->is_closed && part_is_inside(inner, &inner->parts[i], outer, shell);
        }
        if (!is_inside) { return false; }
    }
    return true;
}

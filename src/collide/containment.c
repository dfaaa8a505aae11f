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

static double winding_of(const fr__part *part, fr_vec3 point) {
    return part->vertices == NULL ? fr_mesh_winding(part->mesh, point) : deformed_winding(part, point);
}

static bool is_within(const fr__part *part, fr_vec3 point) { return fabs(winding_of(part, point)) > 0.5; }

typedef enum place { OUTSIDE, ON_SURFACE, INSIDE } place;

static place place_of(const fr__part *shell, const fr__to_part *to_shell, fr_vec3 point_world) {
    fr_vec3 point = fr__to_part_point(to_shell, point_world);
    if (!fr_bounds_contain_point(&shell->bounds_local, point)) { return OUTSIDE; }
    if (is_on_surface(shell, point)) { return ON_SURFACE; }
    return is_within(shell, point) ? INSIDE : OUTSIDE;
}

// Where one of the first triangles' corners that are clear of the shell's surface is; ON_SURFACE: none is clear.
static place place_of_first(const fr__object *inner, const fr__part *part, const fr__part *shell,
                            const fr__to_part *to_shell) {
    uint32_t count = part->mesh->view.triangle_count, tries = count < TRIES ? count : TRIES;
    place found = ON_SURFACE;
    for (uint32_t i = 0; i < tries && found == ON_SURFACE; i++) {
        fr_vec3 corners[3];
        fr__part_corners(inner, part, (uint32_t)((uint64_t)i * count / tries), corners);
        found = place_of(shell, to_shell, corners[0]);
    }
    return found;
}

// By all vertices: outside where none is inside, and partly inside where some are.
static fr__object_place place_of_all(const fr__object *inner, const fr__part *part, const fr__part *shell,
                                     const fr__to_part *to_shell) {
    bool has[3] = {false, false, false};
    for (uint32_t t = 0; t < part->mesh->view.triangle_count && !(has[OUTSIDE] && has[INSIDE]); t++) {
        fr_vec3 corners[3];
        fr__part_corners(inner, part, t, corners);
        for (int k = 0; k < 3; k++) {
            has[place_of(shell, to_shell, corners[k])] = true;
        }
    }
    if (!has[INSIDE]) { return FR__OBJECT_OUTSIDE; }
    return has[OUTSIDE] ? FR__OBJECT_PARTLY_INSIDE : FR__OBJECT_INSIDE;
}

// Where a part is about another one, which is closed. Faces that have an area and only touch do not lead through it.
static fr__object_place place_of_part(const fr__object *inner, const fr__part *part, const fr__object *outer,
                                      const fr__part *shell, bool may_touch) {
    fr__to_part to_shell = fr__to_part_make(outer, shell);
    bool is_inside = place_of_first(inner, part, shell, &to_shell) == INSIDE;
    if (may_touch && (is_inside || part->mesh->view.degenerate_count > 0)) {
        return place_of_all(inner, part, shell, &to_shell);
    }
    return is_inside ? FR__OBJECT_INSIDE : FR__OBJECT_OUTSIDE;
}

fr__object_place fr__object_place_of(const fr_space *space, uint32_t inner_index, uint32_t outer_index,
                                     bool may_touch) {
    const fr__object *inner = fr__space_fresh(space, inner_index), *outer = fr__space_fresh(space, outer_index);
    uint32_t inside = 0;
    for (uint32_t i = 0; i < inner->view.part_count; i++) {
        fr__object_place found = FR__OBJECT_OUTSIDE;
        for (uint32_t k = 0; k < outer->view.part_count && found == FR__OBJECT_OUTSIDE; k++) {
            const fr__part *shell = &outer->parts[k];
            if (shell->is_closed) { found = place_of_part(inner, &inner->parts[i], outer, shell, may_touch); }
        }
        if (found == FR__OBJECT_PARTLY_INSIDE) { return found; }
        if (found == FR__OBJECT_OUTSIDE && !may_touch) { return found; }
        inside += found == FR__OBJECT_INSIDE;
    }
    return inside == inner->view.part_count ? FR__OBJECT_INSIDE : FR__OBJECT_OUTSIDE;
}

bool fr__part_holds(const fr__object *object, const fr__part *part, fr_vec3 point_world) {
    if (!part->is_closed) { return false; }
    fr__to_part to_part = fr__to_part_make(object, part);
    fr_vec3 point = fr__to_part_point(&to_part, point_world);
    return fr_bounds_contain_point(&part->bounds_local, point) && winding_of(part, point) > 0.5;
}

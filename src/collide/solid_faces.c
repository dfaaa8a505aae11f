// Whether the insides of two closed solids overlap where two of their faces share points without crossing.
//
// Where the insides of two polyhedra overlap, the overlap R is a polyhedron bounded by faces of both. If no face of one
// crosses a face of the other, and neither solid has a piece wholly inside the other, R has an edge between a face t of
// the one and a face u of the other. Near a point inside that edge each solid is what lies between half planes about
// the edge's line, and signs of determinants show whether t leads into the solid of u:
//   - an edge of t runs through the inside of u: t leads in where its third corner is behind u;
//   - an edge of t lies on an edge of u: t leads in where it lies between u and the face beside it;
//   - t and u lie in one plane, overlap and look in the same direction: both solids fill what is behind them.
// A corner of t inside u proves the same where the rest of t is behind u. All of it is exact.
#include "collide/solid_faces.h"

// The sides of the corners of t about the plane of `face`: 1 in front, -1 behind, 0 in it. Returns how many are in it.
static int sides_about(const fr_vec3 face[3], const fr_vec3 t[3], int sides[3]) {
    int in_plane = 0;
    for (int i = 0; i < 3; i++) {
        sides[i] = fr_orient3d(face[0], face[1], face[2], t[i]);
        in_plane += sides[i] == 0;
    }
    return in_plane;
}

static fr_vec2 along_axis(fr_vec3 p, int axis) {
    return axis == 0 ? (fr_vec2){p.y, p.z} : axis == 1 ? (fr_vec2){p.z, p.x} : (fr_vec2){p.x, p.y};
}

static int turn_along(fr_vec3 a, fr_vec3 b, fr_vec3 c, int axis) {
    return fr_orient2d(along_axis(a, axis), along_axis(b, axis), along_axis(c, axis));
}

// Whether two triangles of one plane look in the same direction. Seen along an axis that is not in the plane both turn
// alike then.
static bool looks_alike(const fr_vec3 t[3], const fr_vec3 u[3]) {
    for (int axis = 0; axis < 3; axis++) {
        int turn = turn_along(t[0], t[1], t[2], axis);
        if (turn != 0) { return turn_along(u[0], u[1], u[2], axis) == turn; }
    }
    return false;
}

// Whether a point of the plane of u is inside u, not on its border.
static bool is_within(const fr_vec3 u[3], fr_vec3 p) {
    for (int axis = 0; axis < 3; axis++) {
        int turn = turn_along(u[0], u[1], u[2], axis);
        if (turn == 0) { continue; }
        return turn_along(u[0], u[1], p, axis) == turn && turn_along(u[1], u[2], p, axis) == turn &&
               turn_along(u[2], u[0], p, axis) == turn;
    }
    return false;
}

// Whether one corner of t is inside u and the two others are behind it.
static bool corner_leads_in(const fr_vec3 t[3], const int sides[3], const fr_vec3 u[3]) {
    for (int i = 0; i < 3; i++) {
        if (sides[i] == 0) { return sides[(i + 1) % 3] < 0 && sides[(i + 2) % 3] < 0 && is_within(u, t[i]); }
    }
    return false;
}

fr__faces_meeting fr__faces_meet(const fr_vec3 t[3], const fr_vec3 u[3]) {
    int of_t[3], of_u[3];
    int t_in_u = sides_about(u, t, of_t), u_in_t = sides_about(t, u, of_u);
    bool t_is_behind = of_t[0] < 0 || of_t[1] < 0 || of_t[2] < 0;
    bool u_is_behind = of_u[0] < 0 || of_u[1] < 0 || of_u[2] < 0;
    bool is_flat = t_in_u == 3 && u_in_t == 3;
    if (is_flat ? !looks_alike(t, u) : !(t_is_behind || u_is_behind)) { return FR__FACES_OUTSIDE; }

    fr_section section;
    (void)fr_triangle_section(t, u, &section);
    if (section.is_crossing || section.kind == FR_SECTION_POLYGON) { return FR__FACES_INSIDE; }
    if (is_flat || section.kind == FR_SECTION_APART) { return FR__FACES_OUTSIDE; }
    bool is_inside = false;
    if (section.kind == FR_SECTION_SEGMENT) {
        if (t_in_u == 2 && u_in_t == 2) { return FR__FACES_EDGES; }
        is_inside = t_in_u == 2 ? t_is_behind : u_in_t == 2 && u_is_behind;
    } else {
        is_inside = (t_in_u == 1 && corner_leads_in(t, of_t, u)) || (u_in_t == 1 && corner_leads_in(u, of_u, t));
    }
    return is_inside ? FR__FACES_INSIDE : FR__FACES_OUTSIDE;
}

fr__face_edge fr__edge_in_plane(const fr_vec3 t[3], const fr_vec3 u[3]) {
    int sides[3];
    (void)sides_about(t, u, sides);
    int third = sides[0] != 0 ? 0 : sides[1] != 0 ? 1 : 2;
    return (fr__face_edge){(third + 1) % 3, (third + 2) % 3, third};
}

// The third corner of t stands for all of it: beside the edge's line t is on one side of it.
bool fr__edge_opens_inside(const fr_vec3 t[3], const fr_vec3 u[3], const fr_vec3 beside[3]) {
    int of_t[3], of_t_beside[3], of_beside[3], of_u[3];
    (void)sides_about(u, t, of_t);
    (void)sides_about(beside, t, of_t_beside);
    (void)sides_about(beside, u, of_u);
    bool is_behind = of_t[0] < 0 || of_t[1] < 0 || of_t[2] < 0;
    bool is_behind_beside = of_t_beside[0] < 0 || of_t_beside[1] < 0 || of_t_beside[2] < 0;
    if (sides_about(u, beside, of_beside) == 3) { return is_behind && looks_alike(u, beside); }
    bool is_convex = of_beside[0] < 0 || of_beside[1] < 0 || of_beside[2] < 0;
    return is_convex ? is_behind && is_behind_beside : is_behind || is_behind_beside;
}

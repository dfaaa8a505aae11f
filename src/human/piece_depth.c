// How deep a rigid piece of a body and one object of a space are in one another.
#include "human/piece_depth.h"

#include <math.h>

#define CONTACTS_MAX 64u // of a piece with the object
#define PLANES_MAX 128u  // of a piece

fr_vec3 fr__piece_corner(const fr_mesh_view *mesh, uint32_t i) {
    if (mesh->positions_double != NULL) {
        const double *p = mesh->positions_double + 3 * (size_t)i;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    const float *p = mesh->positions_float + 3 * (size_t)i;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

// The one object counts.
static bool accept(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    const fr__placed_piece *piece = context;
    (void)space, (void)b;
    return fr_object_id_equal(a, piece->object);
}

static fr_query_filter filter_of(fr__placed_piece *piece) {
    fr_query_filter filter = fr_default_query_filter();
    filter.accept = accept;
    filter.context = piece;
    return filter;
}

static bool find_contacts(const fr__placed_piece *piece, double margin, fr_contact *contacts, uint32_t capacity,
                          uint32_t *count) {
    fr_part_def part = fr_default_part_def();
    part.mesh = piece->mesh;
    fr__placed_piece copy = *piece;
    fr_query_filter filter = filter_of(&copy);
    fr_move_input move = fr_default_move_input();
    move.space = piece->space;
    move.parts = &part;
    move.part_count = 1;
    move.motion = fr_motion_still(&piece->pose);
    move.margin = margin;
    move.filter = &filter;
    move.contacts = contacts;
    move.capacity = capacity;
    fr_move_output output;
    if (fr_collide_move(&move, &output, NULL) != FR_OK || !output.is_hit) { return false; }
    *count = output.contact_count;
    return true;
}

bool fr__piece_meets(const fr__placed_piece *piece, double margin) {
    uint32_t count;
    return find_contacts(piece, margin, NULL, 0, &count);
}

bool fr__piece_is_inside(const fr__placed_piece *piece) {
    fr__placed_piece copy = *piece;
    fr_query_filter filter = filter_of(&copy);
    fr_space_closest closest;
    fr_vec3 point = fr_pose_apply(&piece->pose, fr__piece_corner(fr_mesh_get(piece->mesh), 0));
    return fr_space_closest_point(piece->space, point, 1e-6, true, &filter, &closest, NULL) == FR_OK &&
           closest.object.index1 != 0 && closest.distance < 0.0;
}

// The planes of a convex piece, outwards.
typedef struct piece_planes {
    fr_vec3 normals[PLANES_MAX];
    double offsets[PLANES_MAX];
    uint32_t count;
} piece_planes;

static void find_planes(const fr_mesh *mesh, piece_planes *planes) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    planes->count = 0;
    for (uint32_t i = 0; i < view->triangle_count && planes->count < PLANES_MAX; i++) {
        fr_vec3 c[3];
        fr_mesh_corners(mesh, i, c);
        fr_vec3 normal = fr_vec3_cross(fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[0]));
        double length = fr_vec3_length(normal);
        if (length < 1e-12) { continue; }
        planes->normals[planes->count] = fr_vec3_scale(1.0 / length, normal);
        planes->offsets[planes->count] = fr_vec3_dot(planes->normals[planes->count], c[0]);
        planes->count++;
    }
}

// How deep the part t of a segment is in the planes; negative outside.
static double depth_of_point(const piece_planes *planes, fr_vec3 a, fr_vec3 b, double t) {
    fr_vec3 point = fr_vec3_lerp(a, b, t);
    double depth = INFINITY;
    for (uint32_t i = 0; i < planes->count; i++) {
        double behind = planes->offsets[i] - fr_vec3_dot(planes->normals[i], point);
        depth = behind < depth ? behind : depth;
    }
    return depth;
}

// How deep a segment goes into a convex piece: depth is concave along it, so that the greatest one is found by halving
// the part of the segment that is inside by the golden section.
static double depth_of_segment(const piece_planes *planes, fr_vec3 a, fr_vec3 b) {
    double low = 0.0, high = 1.0;
    for (uint32_t i = 0; i < planes->count && low < high; i++) {
        double at_a = fr_vec3_dot(planes->normals[i], a) - planes->offsets[i];
        double at_b = fr_vec3_dot(planes->normals[i], b) - planes->offsets[i];
        if (at_a > 0.0 && at_b > 0.0) { return 0.0; }
        if (at_a > 0.0) { low = fmax(low, at_a / (at_a - at_b)); }
        if (at_b > 0.0) { high = fmin(high, at_a / (at_a - at_b)); }
    }
    for (int i = 0; i < 16 && low < high; i++) {
        double x = low + 0.382 * (high - low), y = low + 0.618 * (high - low);
        if (depth_of_point(planes, a, b, x) < depth_of_point(planes, a, b, y)) {
            low = x;
        } else {
            high = y;
        }
    }
    return low <= high ? fmax(0.0, depth_of_point(planes, a, b, 0.5 * (low + high))) : 0.0;
}

// How deep the edges of the triangles that a piece meets are in it.
static double depth_of_edges(const fr__placed_piece *piece, const fr_contact *contacts, uint32_t count) {
    piece_planes planes;
    find_planes(piece->mesh, &planes);
    fr_pose back = fr_pose_inverse(&piece->pose);
    double depth = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 c[3];
        bool is_known = false; // a triangle is met by several of the piece, one after another
        for (uint32_t k = 0; k < i && !is_known; k++) {
            is_known = contacts[k].triangle_b == contacts[i].triangle_b;
        }
        if (is_known || fr_object_corners(piece->space, piece->object, contacts[i].triangle_b, c, NULL) != FR_OK) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            c[k] = fr_pose_apply(&back, c[k]);
        }
        for (int k = 0; k < 3; k++) {
            depth = fmax(depth, depth_of_segment(&planes, c[k], c[(k + 1) % 3]));
        }
    }
    return depth;
}

double fr__piece_depth(const fr__placed_piece *piece) {
    const fr_mesh_view *mesh = fr_mesh_get(piece->mesh);
    fr__placed_piece copy = *piece;
    fr_query_filter filter = filter_of(&copy);
    double depth = 0.0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        fr_space_closest closest;
        fr_vec3 point = fr_pose_apply(&piece->pose, fr__piece_corner(mesh, i));
        if (fr_space_closest_point(piece->space, point, 1e-6, true, &filter, &closest, NULL) != FR_OK) {
            return INFINITY;
        }
        if (closest.object.index1 != 0 && -closest.distance > depth) { depth = -closest.distance; }
    }
    fr_contact contacts[CONTACTS_MAX];
    uint32_t count;
    if (!find_contacts(piece, 0.0, contacts, CONTACTS_MAX, &count)) { return depth; }
    return fmax(depth, depth_of_edges(piece, contacts, count));
}

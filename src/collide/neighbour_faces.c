// Whether and when two faces of one mesh that have corners in common share a point beyond those.
#include "collide/neighbour_faces.h"

#include "collide/judge.h"

#include <float.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Common corners

// Whether corner i of a and corner k of b are at one place at the beginning, and at the end where there is one.
static bool is_common(const fr_vec3 *a, const fr_vec3 *b, const fr_vec3 *end_a, const fr_vec3 *end_b, int i, int k) {
    return fr_vec3_equal(a[i], b[k]) && (end_a == NULL || fr_vec3_equal(end_a[i], end_b[k]));
}

static void move_to(int order[3], int place, int number) {
    int from = order[0] == number ? 0 : order[1] == number ? 1 : 2;
    order[from] = order[place];
    order[place] = number;
}

static fr__neighbours find_common(const fr_vec3 *a, const fr_vec3 *b, const fr_vec3 *end_a, const fr_vec3 *end_b) {
    fr__neighbours n = {0, {0, 1, 2}, {0, 1, 2}};
    bool is_used[3] = {false, false, false};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            if (is_used[k] || !is_common(a, b, end_a, end_b, i, k)) { continue; }
            is_used[k] = true;
            move_to(n.order_a, n.count, i);
            move_to(n.order_b, n.count, k);
            n.count++;
            break;
        }
    }
    return n;
}

fr__neighbours fr__neighbours_at(const fr_vec3 a[3], const fr_vec3 b[3]) { return find_common(a, b, NULL, NULL); }

fr__neighbours fr__neighbours_over(const fr_triangle_path *a, const fr_triangle_path *b) {
    bool is_straight = a->motion == NULL;
    return find_common(a->start, b->start, is_straight ? a->end : NULL, is_straight ? b->end : NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// At an instant

// Whether signs alone show that only the common corners are shared: of two faces at an edge that are not in one plane;
// and of two at a corner the rest of one of which is on one side of the other.
static bool is_clear(const fr__neighbours *n, const fr_vec3 a[3], const fr_vec3 b[3]) {
    const int *i = n->order_a, *k = n->order_b;
    if (n->count == 2) { return fr_orient3d(a[i[0]], a[i[1]], a[i[2]], b[k[2]]) != 0; }
    if (n->count != 1) { return false; }
    fr_vec3 v = a[i[0]], a1 = a[i[1]], a2 = a[i[2]], b1 = b[k[1]], b2 = b[k[2]];
    return fr_orient3d(v, b1, b2, a1) * fr_orient3d(v, b1, b2, a2) > 0 ||
           fr_orient3d(v, a1, a2, b1) * fr_orient3d(v, a1, a2, b2) > 0;
}

static bool is_common_corner(const fr__neighbours *n, const fr_vec3 a[3], fr_vec3 point) {
    for (int i = 0; i < n->count; i++) {
        if (fr_vec3_equal(a[n->order_a[i]], point)) { return true; }
    }
    return false;
}

// What the faces share is convex and holds the common corners: it is more than those and the edge between them where it
// is an area, or reaches beyond them. With one common corner the kind, which is exact, decides: a single point is that
// corner, though its place may be rounded. With two or three, faces that are not clear lie in one plane, so ends of
// what they share on one line are corners.
bool fr__neighbours_overlap(const fr__neighbours *n, const fr_vec3 a[3], const fr_vec3 b[3]) {
    if (is_clear(n, a, b)) { return false; }
    fr_section section;
    if (!fr_triangle_section(a, b, &section)) { return false; }
    if (section.kind == FR_SECTION_POLYGON) { return true; }
    if (n->count == 1) { return section.kind == FR_SECTION_SEGMENT; }
    for (int i = 0; i < section.count; i++) {
        if (!is_common_corner(n, a, section.points[i])) { return true; }
    }
    return false;
}

// The closest points of some elements so far.
typedef struct nearest {
    double distance;
    fr_vec3 on_a, on_b;
} nearest;

static void take_nearer(nearest *best, double distance, fr_vec3 on_a, fr_vec3 on_b) {
    if (distance < best->distance) { *best = (nearest){distance, on_a, on_b}; }
}

double fr__neighbours_distance(const fr__neighbours *n, const fr_vec3 a[3], const fr_vec3 b[3], fr_vec3 *on_a,
                               fr_vec3 *on_b) {
    nearest best = {(double)INFINITY, a[n->order_a[0]], b[n->order_b[0]]};
    fr_vec3 p[3], q[3]; // common corners first
    for (int i = 0; i < 3; i++) {
        p[i] = a[n->order_a[i]];
        q[i] = b[n->order_b[i]];
    }
    for (int i = n->count; i < 3; i++) {
        fr_triangle_point of_p = fr_triangle_closest(b, p[i]), of_q = fr_triangle_closest(a, q[i]);
        take_nearer(&best, of_p.distance, p[i], of_p.point);
        take_nearer(&best, of_q.distance, of_q.point, q[i]);
    }
    for (int e = 0; e < 9; e++) {
        int i = e / 3, k = e % 3, next_i = (i + 1) % 3, next_k = (k + 1) % 3;
        bool has_common =
            (i < n->count && (i == k || i == next_k)) || (next_i < n->count && (next_i == k || next_i == next_k));
        if (has_common) { continue; }
        const fr_vec3 edge_p[2] = {p[i], p[next_i]}, edge_q[2] = {q[k], q[next_k]};
        fr_vec3 on_p, on_q;
        double distance = fr_segment_distance(edge_p, edge_q, &on_p, &on_q);
        take_nearer(&best, distance, on_p, on_q);
    }
    if (on_a != NULL) { *on_a = best.on_a; }
    if (on_b != NULL) { *on_b = best.on_b; }
    if (fr__neighbours_overlap(n, a, b)) { return 0.0; }
    return best.distance > 0.0 ? best.distance : DBL_MIN;
}

// ---------------------------------------------------------------------------------------------------------------
// Over a step: the volume of four points
//
// A vertex meets a face, or an edge an edge, only when their four points are in one plane. Their volume is a cubic of
// the time; where its Bernstein coefficients have one sign clear of rounding it has no root.

typedef struct volume_path {
    fr_vec3 start[3], end[3]; // of three points, from the fourth
    double largest;           // coordinate of the four
} volume_path;

static double determinant(fr_vec3 a, fr_vec3 b, fr_vec3 c) { return fr_vec3_dot(fr_vec3_cross(a, b), c); }

// With m the largest difference and g the largest coordinate, differences are wrong by 2^-53 (m + 2g), determinants of
// them by 18 m^2 times that, and by 2^-53 times 48 m^3 for their own rounding: 64 m^2 (m + g) holds it all.
static bool keeps_its_sign(const volume_path *v) {
    const fr_vec3 *x = v->start, *y = v->end;
    double m = 0.0;
    for (int i = 0; i < 3; i++) {
        m = fmax(m, fmax(fr_vec3_largest(x[i]), fr_vec3_largest(y[i])));
    }
    double bound = 0x1p-53 * 64.0 * m * m * (m + v->largest);
    double b0 = determinant(x[0], x[1], x[2]), b3 = determinant(y[0], y[1], y[2]);
    double b1 = (determinant(y[0], x[1], x[2]) + determinant(x[0], y[1], x[2]) + determinant(x[0], x[1], y[2])) / 3.0;
    double b2 = (determinant(x[0], y[1], y[2]) + determinant(y[0], x[1], y[2]) + determinant(y[0], y[1], x[2])) / 3.0;
    bool is_positive = b0 > bound && b1 > bound && b2 > bound && b3 > bound;
    return is_positive || (b0 < -bound && b1 < -bound && b2 < -bound && b3 < -bound);
}

// A corner of one of the two faces.
typedef struct face_corner {
    const fr_triangle_path *face;
    int number;
} face_corner;

static fr_vec3 start_of(face_corner c) { return c.face->start[c.number]; }
static fr_vec3 end_of(face_corner c) { return c.face->end[c.number]; }

typedef struct search {
    fr_time_input options;
    fr_time_output *out; // the earliest so far
    bool has_queried;    // some four points may come to lie in one plane
} search;

static bool never_in_one_plane(search *by, face_corner p, face_corner q, face_corner r, face_corner s) {
    by->has_queried = by->has_queried || by->options.separation > 0.0;
    if (by->options.separation > 0.0) { return false; } // they may be near all the same
    const face_corner others[3] = {q, r, s};
    volume_path v = {.largest = fmax(fr_vec3_largest(start_of(p)), fr_vec3_largest(end_of(p)))};
    for (int i = 0; i < 3; i++) {
        v.start[i] = fr_vec3_sub(start_of(others[i]), start_of(p));
        v.end[i] = fr_vec3_sub(end_of(others[i]), end_of(p));
        v.largest = fmax(v.largest, fmax(fr_vec3_largest(start_of(others[i])), fr_vec3_largest(end_of(others[i]))));
    }
    bool is_apart = keeps_its_sign(&v);
    by->has_queried = by->has_queried || !is_apart;
    return is_apart;
}

// ---------------------------------------------------------------------------------------------------------------
// Over a step: the elementary queries

static fr_triangle_path path_of(const face_corner *corners, int count) {
    fr_triangle_path path;
    memset(&path, 0, sizeof path);
    for (int i = 0; i < 3; i++) {
        face_corner c = corners[i < count ? i : count - 1];
        path.start[i] = start_of(c);
        path.end[i] = end_of(c);
    }
    return path;
}

// Takes a result whose first set is of face b where `is_turned`. One that is sure makes the pair sure.
static void take(search *s, fr_time_output *found, bool is_turned) {
    if (is_turned) {
        found->normal = fr_vec3_negate(found->normal);
        if (found->feature == FR_FEATURE_VERTEX_FACE) { found->feature = FR_FEATURE_FACE_VERTEX; }
    }
    bool had = s->out->is_hit, was_sure = had && !fr_is_unknown(s->out->time_sure);
    double sure = found->time_sure;
    if (was_sure && !(sure < s->out->time_sure)) { sure = s->out->time_sure; }
    if (!had || found->time < s->out->time) { *s->out = *found; }
    s->out->time_sure = sure;
    if (!fr_is_unknown(sure)) { s->out->flags &= ~(uint32_t)FR_TIME_NEAR; }
}

static void meet_face(search *s, face_corner vertex, const fr_triangle_path *face, bool is_turned) {
    fr_triangle_path point = path_of(&vertex, 1);
    fr_time_output found;
    if (fr_vertex_face_time(&point, face, &s->options, &found)) { take(s, &found, is_turned); }
}

static void meet_edges(search *s, face_corner a, face_corner b, face_corner c, face_corner d) {
    const face_corner first[2] = {a, b}, second[2] = {c, d};
    fr_triangle_path edge_a = path_of(first, 2), edge_b = path_of(second, 2);
    fr_time_output found;
    if (fr_edge_edge_time(&edge_a, &edge_b, &s->options, &found)) { take(s, &found, false); }
}

// Two faces v w p and v w q: all four queries are about the same four points.
static void meet_at_edge(search *s, const face_corner a[3], const face_corner b[3]) {
    if (never_in_one_plane(s, a[0], a[1], a[2], b[2])) { return; }
    meet_face(s, a[2], b[0].face, false);
    meet_face(s, b[2], a[0].face, true);
    meet_edges(s, a[0], a[2], b[1], b[2]);
    meet_edges(s, a[1], a[2], b[0], b[2]);
}

// Two faces v p q and v r s.
static void meet_at_corner(search *s, const face_corner a[3], const face_corner b[3]) {
    for (int i = 1; i < 3; i++) {
        if (!never_in_one_plane(s, b[0], b[1], b[2], a[i])) {
            meet_face(s, a[i], b[0].face, false);
            meet_edges(s, a[0], a[i], b[1], b[2]);
        }
        if (!never_in_one_plane(s, a[0], a[1], a[2], b[i])) {
            meet_face(s, b[i], a[0].face, true);
            meet_edges(s, a[1], a[2], b[0], b[i]);
        }
    }
    if (!never_in_one_plane(s, a[1], a[2], b[1], b[2])) { meet_edges(s, a[1], a[2], b[1], b[2]); }
}

// Neighbours that overlap at the beginning or at the end.
static void report_overlap(const fr_vec3 a[3], const fr_vec3 b[3], double time, fr_time_output *out) {
    out->is_hit = true;
    out->time = out->time_sure = time;
    out->time_end = FR_UNKNOWN;
    out->approach = FR_UNKNOWN;
    out->flags = fr__shared_flags(a, b);
    if (time > 0.0) { out->flags &= ~(uint32_t)FR_TIME_START; }
}

// Neighbours within the separation at the beginning or at the end.
static void report_near(const fr__neighbours *n, const fr_vec3 a[3], const fr_vec3 b[3], double time,
                        const fr_time_input *options, fr_time_output *out) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 on_a, on_b;
    double distance = fr__neighbours_distance(n, a, b, &on_a, &on_b);
    if (!(distance <= options->separation)) { return; }
    out->is_hit = true;
    out->time = out->time_sure = time;
    out->time_end = out->approach = FR_UNKNOWN;
    out->distance = distance;
    out->point = fr_vec3_lerp(on_a, on_b, 0.5);
    out->normal = fr_vec3_unit(fr_vec3_sub(on_b, on_a), zero);
}

// Whether corners go straight, and some of them anywhere.
static bool changes_shape(const fr_triangle_path *a, const fr_triangle_path *b) {
    for (int i = 0; i < 3 && a->motion == NULL; i++) {
        if (!fr_vec3_equal(a->start[i], a->end[i]) || !fr_vec3_equal(b->start[i], b->end[i])) { return true; }
    }
    return false;
}

// The elementary queries. Where no four points come to lie in one plane, what holds at the beginning holds at the end.
static void meet_straight(search *s, const fr__neighbours *n, const fr_triangle_path *a, const fr_triangle_path *b) {
    face_corner of_a[3], of_b[3];
    for (int i = 0; i < 3; i++) {
        of_a[i] = (face_corner){a, n->order_a[i]};
        of_b[i] = (face_corner){b, n->order_b[i]};
    }
    if (n->count == 2) {
        meet_at_edge(s, of_a, of_b);
    } else {
        meet_at_corner(s, of_a, of_b);
    }
}

bool fr__neighbours_time(const fr__neighbours *n, const fr_triangle_path *a, const fr_triangle_path *b,
                         const fr_time_input *options, fr_time_output *out) {
    memset(out, 0, sizeof *out);
    search s = {.options = *options, .out = out};
    s.options.end = 1.0;
    s.options.has_ends = s.options.is_end_wanted = false;
    bool is_straight = n->count < 3 && changes_shape(a, b), has_end = a->motion != NULL || n->count == 3;
    if (fr__neighbours_overlap(n, a->start, b->start)) {
        report_overlap(a->start, b->start, 0.0, out);
    } else if (is_straight) {
        meet_straight(&s, n, a, b);
        has_end = s.has_queried;
    }
    if (!out->is_hit && options->separation > 0.0) { report_near(n, a->start, b->start, 0.0, options, out); }
    if (!out->is_hit && options->has_ends && has_end) {
        if (fr__neighbours_overlap(n, a->end, b->end)) { report_overlap(a->end, b->end, 1.0, out); }
        if (!out->is_hit && options->separation > 0.0) { report_near(n, a->end, b->end, 1.0, options, out); }
    }
    if (out->is_hit && options->is_end_wanted) { out->time_end = 1.0; }
    return out->is_hit && out->time <= options->end;
}

// ---------------------------------------------------------------------------------------------------------------
// Any two faces

bool fr__faces_overlap(bool is_one_part, const fr_vec3 a[3], const fr_vec3 b[3]) {
    fr__neighbours n = {0};
    if (is_one_part) { n = fr__neighbours_at(a, b); }
    return n.count > 0 ? fr__neighbours_overlap(&n, a, b) : fr_triangle_overlap(a, b);
}

double fr__faces_distance(bool is_one_part, const fr_vec3 a[3], const fr_vec3 b[3], fr_vec3 *on_a, fr_vec3 *on_b) {
    fr__neighbours n = {0};
    if (is_one_part) { n = fr__neighbours_at(a, b); }
    return n.count > 0 ? fr__neighbours_distance(&n, a, b, on_a, on_b) : fr_triangle_distance(a, b, on_a, on_b);
}

bool fr__faces_time(bool is_one_part, const fr_triangle_path *a, const fr_triangle_path *b,
                    const fr_time_input *options, fr_time_output *out) {
    fr__neighbours n = {0};
    fr_time_output unused;
    if (is_one_part) { n = fr__neighbours_over(a, b); }
    return n.count > 0 ? fr__neighbours_time(&n, a, b, options, out != NULL ? out : &unused)
                       : fr_triangle_time(a, b, options, out);
}

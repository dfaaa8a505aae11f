// Whether and when the insides of two objects' closed parts overlap, by the faces that share points.
#include "collide/solid_pair.h"

#include "collide/judge.h"
#include "collide/solid_faces.h"
#include "shape/mesh.h"
#include "space/part.h"

// ---------------------------------------------------------------------------------------------------------------
// The parts of a hit

static double facing_of(const fr_space *space, const fr__side *side) {
    const fr__part *part = &fr__space_fresh(space, side->object)->parts[side->part];
    if (!part->is_closed || !side->is_deformed) { return part->is_closed ? part->mesh->facing : 0.0; }
    fr__volume_sign facing = fr__volume_sign_begin(&part->bounds_local);
    for (uint32_t t = 0; t < side->triangle_count; t++) {
        fr_vec3 corners[3];
        fr__part_corners_local(part, t, corners);
        fr__volume_sign_add(&facing, corners);
    }
    return fr__volume_sign_end(&facing);
}

void fr__solid_pair_make(fr__solid_pair *pair, const fr__run *run, uint32_t object_a, uint32_t object_b,
                         const fr__found *hits, size_t count) {
    pair->run = run;
    pair->object_a = object_a;
    pair->object_b = object_b;
    pair->hits = hits;
    pair->count = count;
    pair->geometry.a.object = pair->geometry.b.object = FR_NONE;
    pair->facing_a = pair->facing_b = 0.0;
}

// Opens the parts of a hit; whether both are closed.
static bool open_parts(fr__solid_pair *pair, const fr__face_hit *hit, fr__candidate *out) {
    const fr_space *space = pair->run->query.space;
    fr__pair_geometry *g = &pair->geometry;
    uint32_t part_a = fr__object_part_of(fr__space_object(space, pair->object_a), hit->triangle_a);
    uint32_t part_b = fr__object_part_of(fr__space_object(space, pair->object_b), hit->triangle_b);
    bool is_new_a = g->a.object == FR_NONE || g->a.part != part_a;
    bool is_new_b = g->b.object == FR_NONE || g->b.part != part_b;
    if (is_new_a || is_new_b) {
        fr__pair_geometry_move(space, pair->object_a, part_a, pair->object_b, part_b, g);
        if (is_new_a) { pair->facing_a = facing_of(space, &g->a); }
        if (is_new_b) { pair->facing_b = facing_of(space, &g->b); }
    }
    *out = (fr__candidate){hit->triangle_a - g->a.first_triangle, hit->triangle_b - g->b.first_triangle};
    return pair->facing_a != 0.0 && pair->facing_b != 0.0;
}

// The corners of a face at t, counter-clockwise seen from outside.
static void outer_corners(const fr__course *course, const fr__side *side, double facing, uint32_t triangle, double t,
                          fr_vec3 out[3]) {
    fr__course_corners(course, side, triangle, t, out);
    if (facing > 0.0) { return; }
    fr_vec3 first = out[0];
    out[0] = out[1];
    out[1] = first;
}

static void outer_faces(const fr__solid_pair *pair, fr__candidate c, double t, fr_vec3 a[3], fr_vec3 b[3]) {
    const fr__pair_geometry *g = &pair->geometry;
    outer_corners(&g->course_a, &g->a, pair->facing_a, c.a, t, a);
    outer_corners(&g->course_b, &g->b, pair->facing_b, c.b, t, b);
}

// ---------------------------------------------------------------------------------------------------------------
// At the poses

static uint32_t flags_of(const fr__solid_pair *pair, const fr__face_hit *hit) {
    if (!pair->run->query.is_over_step) { return hit->flags; }
    return fr__result_list_at(&pair->run->scratch->results, hit->result)->flags;
}

static bool has_corners(const fr_vec3 t[3], fr_vec3 p, fr_vec3 q) {
    int found = 0;
    for (int i = 0; i < 3; i++) {
        found += fr_vec3_equal(t[i], p) + 2 * fr_vec3_equal(t[i], q);
    }
    return found == 3;
}

// Whether face a of hit i, an edge of which lies on one of b, leads into the solid of b there. The face beside b at
// that edge shares the same points with a, so it is among the hits of a, which stand together. An edge of more than two
// faces proves nothing.
static bool edge_leads_in(fr__solid_pair *pair, size_t i, double t, const fr_vec3 a[3], const fr_vec3 b[3]) {
    const fr__face_hit *own = &pair->hits[i].hit;
    fr__face_edge edge = fr__edge_in_plane(a, b);
    const uint32_t part_b = pair->geometry.b.part;
    fr_vec3 beside[3];
    int found = 0;
    size_t first = i;
    while (first > 0 && pair->hits[first - 1].hit.triangle_a == own->triangle_a) {
        first--;
    }
    for (size_t k = first; k < pair->count && pair->hits[k].hit.triangle_a == own->triangle_a; k++) {
        fr__candidate c;
        if (k == i || !open_parts(pair, &pair->hits[k].hit, &c) || pair->geometry.b.part != part_b) { continue; }
        fr_vec3 corners[3];
        outer_corners(&pair->geometry.course_b, &pair->geometry.b, pair->facing_b, c.b, t, corners);
        if (!has_corners(corners, b[edge.from], b[edge.to])) { continue; }
        for (int j = 0; j < 3; j++) {
            beside[j] = corners[j];
        }
        found++;
    }
    return found == 1 && fr__edge_opens_inside(a, b, beside);
}

bool fr__solid_pair_overlaps(fr__solid_pair *pair, double t) {
    for (size_t i = 0; i < pair->count; i++) {
        const fr__face_hit *hit = &pair->hits[i].hit;
        fr__candidate c;
        if (t == 0.0 && (flags_of(pair, hit) & FR_CONTACT_START) == 0) { continue; }
        if (!open_parts(pair, hit, &c)) { continue; }
        fr_vec3 a[3], b[3];
        outer_faces(pair, c, t, a, b);
        fr__faces_meeting meeting = fr__faces_meet(a, b);
        if (meeting == FR__FACES_INSIDE || (meeting == FR__FACES_EDGES && edge_leads_in(pair, i, t, a, b))) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// Within the step: a point that is inside both, clear of all rounding
//
// At a time within the step positions are rounded, so no sign of a face proves anything by itself. Where an edge of the
// overlap may be (see solid_faces.c) points beside it are tried: one that is inside both parts, farther from their
// surfaces than positions may be off, is inside both in real arithmetic.

// The part of the common line of two faces that both hold, and the directions from it along each face that lead behind
// the other.
typedef struct wedge {
    fr_vec3 middle, along_a, along_b;
    double size; // how far the faces reach, about
} wedge;

static fr_vec3 unit_normal(const fr_vec3 t[3]) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    return fr_vec3_unit(fr_vec3_cross(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0])), zero);
}

// Where a face passes the plane of the other, within the margin, from `low` to `high` along a direction.
typedef struct passage {
    double low, high;
    fr_vec3 at_low, at_high;
} passage;

static void pass(passage *p, fr_vec3 point, fr_vec3 origin, fr_vec3 along) {
    double x = fr_vec3_dot(along, fr_vec3_sub(point, origin));
    if (x < p->low) {
        p->low = x;
        p->at_low = point;
    }
    if (x > p->high) {
        p->high = x;
        p->at_high = point;
    }
}

// `heights` of the corners above the other plane. False where the face does not reach behind it by more than `margin`.
static bool find_passage(const fr_vec3 t[3], const double heights[3], double margin, fr_vec3 origin, fr_vec3 along,
                         passage *out) {
    *out = (passage){.low = (double)INFINITY, .high = -(double)INFINITY};
    if (!(fmin(fmin(heights[0], heights[1]), heights[2]) < -margin)) { return false; }
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3;
        if (fabs(heights[i]) <= margin) { pass(out, t[i], origin, along); }
        bool is_passing =
            (heights[i] > margin && heights[k] < -margin) || (heights[i] < -margin && heights[k] > margin);
        if (is_passing) { pass(out, fr_vec3_lerp(t[i], t[k], heights[i] / (heights[i] - heights[k])), origin, along); }
    }
    return out->low <= out->high;
}

static void heights_above(const fr_vec3 face[3], fr_vec3 normal, const fr_vec3 t[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = fr_vec3_dot(normal, fr_vec3_sub(t[i], face[0]));
    }
}

static double lowest(const double h[3]) { return fmin(fmin(h[0], h[1]), h[2]); }

// Perpendicular to the line in the plane of `normal`, and against `other`.
static fr_vec3 behind(fr_vec3 normal, fr_vec3 line, fr_vec3 other) {
    fr_vec3 along = fr_vec3_cross(normal, line);
    return fr_vec3_dot(along, other) > 0.0 ? fr_vec3_negate(along) : along;
}

static bool find_wedge(const fr_vec3 a[3], const fr_vec3 b[3], double margin, wedge *out) {
    fr_vec3 normal_a = unit_normal(a), normal_b = unit_normal(b), line = fr_vec3_cross(normal_a, normal_b);
    double sine = fr_vec3_length(line), of_a[3], of_b[3];
    if (!(sine > 1e-6)) { return false; }
    line = fr_vec3_scale(1.0 / sine, line);
    heights_above(b, normal_b, a, of_a);
    heights_above(a, normal_a, b, of_b);
    passage pass_a, pass_b;
    if (!find_passage(a, of_a, margin, a[0], line, &pass_a) || !find_passage(b, of_b, margin, a[0], line, &pass_b)) {
        return false;
    }
    double low = fmax(pass_a.low, pass_b.low), high = fmin(pass_a.high, pass_b.high);
    if (!(high - low > margin)) { return false; }
    double part = (0.5 * (low + high) - pass_a.low) / (pass_a.high - pass_a.low);
    out->middle = fr_vec3_lerp(pass_a.at_low, pass_a.at_high, part);
    out->along_a = behind(normal_a, line, normal_b);
    out->along_b = behind(normal_b, line, normal_a);
    out->size = fmin(high - low, fmin(-lowest(of_a), -lowest(of_b)) / sine);
    return true;
}

// Whether a point is inside a part at t, farther from its surface than `margin`.
static bool is_clear_inside(const fr__course *course, const fr__side *side, double t, fr_vec3 point, double margin) {
    fr_pose pose = fr__course_pose(course, t), to_part = fr_pose_inverse(&pose);
    fr_vec3 local = fr_pose_apply(&to_part, point);
    if (!fr_bounds_contain_point(&side->mesh->view.bounds, local)) { return false; }
    return fr_mesh_closest(side->mesh, local, margin / pose.scale).triangle == FR_NONE &&
           fr_mesh_winding(side->mesh, local) != 0.0;
}

// Points at several distances from the wedge's line, between the faces or near one of them.
static bool wedge_holds_point(const fr__pair_geometry *g, const wedge *w, double t, double margin) {
    static const double shares[3][2] = {{1.0, 1.0}, {1.0, 0.125}, {0.125, 1.0}};
    double distance = 0.25 * w->size;
    for (int i = 0; i < 4 && distance > margin; i++, distance *= 0.125) {
        for (int k = 0; k < 3; k++) {
            fr_vec3 point = fr_vec3_add_scaled(w->middle, distance * shares[k][0], w->along_a);
            point = fr_vec3_add_scaled(point, distance * shares[k][1], w->along_b);
            if (is_clear_inside(&g->course_a, &g->a, t, point, margin) &&
                is_clear_inside(&g->course_b, &g->b, t, point, margin)) {
                return true;
            }
        }
    }
    return false;
}

static bool goes_rigidly(const fr__side *side, const fr__course *course) {
    return !side->is_deformed && course->end_vertices == NULL;
}

// Whether the insides are proven to overlap at t.
static bool is_proven_at(fr__solid_pair *pair, double t) {
    const fr__pair_geometry *g = &pair->geometry;
    for (size_t i = 0; i < pair->count; i++) {
        fr__candidate c;
        if (!open_parts(pair, &pair->hits[i].hit, &c)) { continue; }
        if (!goes_rigidly(&g->a, &g->course_a) || !goes_rigidly(&g->b, &g->course_b)) { continue; }
        // More than poses, paths, their inverses and the corners are off.
        double margin = 4.0 * (g->course_a.rounding + g->course_b.rounding);
        fr_vec3 a[3], b[3];
        wedge found;
        outer_faces(pair, c, t, a, b);
        if (find_wedge(a, b, margin, &found) && wedge_holds_point(g, &found, t, margin)) { return true; }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// When

// Times that differ by less belong to one event: edges of one face that meet another at once.
#define EVENT_GAP 1e-7

// The proven time is at most this much later than what the same search would find later still.
#define TIME_TOLERANCE 1e-6

enum { MAX_EVENTS = 24, MAX_FACES_TESTED = 1 << 16, MARGIN_SAMPLES = 16 };

// The first time at which faces come together after `t`; 1 where none do.
static double next_event(const fr__solid_pair *pair, double t) {
    double next = 1.0;
    for (size_t i = 0; i < pair->count; i++) {
        double time = fr__result_list_at(&pair->run->scratch->results, pair->hits[i].hit.result)->time;
        if (time > t && time < next) { next = time; }
    }
    return next;
}

static double halve(fr__solid_pair *pair, double before, double proven) {
    while (proven - before > TIME_TOLERANCE) {
        double middle = 0.5 * (before + proven);
        if (is_proven_at(pair, middle)) {
            proven = middle;
        } else {
            before = middle;
        }
    }
    return proven;
}

static bool stands_still(const fr_space *space, uint32_t object) {
    return !fr__space_object(space, object)->view.is_moving;
}

// Insides begin or end to overlap only when faces come together or part, so between two events one time stands for
// all. With a margin the faces come together at some time after the event, so several times are tried.
double fr__solid_pair_time(fr__solid_pair *pair) {
    const fr_space *space = pair->run->query.space;
    if (pair->count == 0 || (stands_still(space, pair->object_a) && stands_still(space, pair->object_b))) {
        return FR_UNKNOWN;
    }
    size_t events = MAX_FACES_TESTED / pair->count + 2;
    events = events < MAX_EVENTS ? events : MAX_EVENTS;
    const int samples = pair->run->query.margin > 0.0 ? MARGIN_SAMPLES : 1;
    double begin = next_event(pair, -1.0);
    for (size_t k = 0; k < events && begin < 1.0; k++) {
        double end = next_event(pair, begin + EVENT_GAP);
        for (int i = 0; i < samples; i++) {
            double t = begin + (end - begin) * (i + 0.5) / samples;
            if (is_proven_at(pair, t)) { return halve(pair, begin, t); }
        }
        begin = end;
    }
    return fr__solid_pair_overlaps(pair, 1.0) ? 1.0 : FR_UNKNOWN;
}

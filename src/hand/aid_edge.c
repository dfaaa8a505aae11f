// Edges and corners: the outline of a held face lines up with that of the face it lies on.
//
// Both faces lie in one plane, on one side of the line that they come to share: the outward directions of the two edges
// become equal. That is one more plane for the projection, across the first; the ends of the edges give the third.
#include "aid.h"

#define CORNER_COSINE 0.99996192306417131 // of 0.5 degrees: an outline that turns by more has a corner
#define LAID_COSINE 0.99996192306417131   // where two planes hold already, nothing can turn
#define TAKE_COSINE 0.98480775301220802   // of 10 degrees
#define KEEP_COSINE 0.96592582628906831   // of 15 degrees
#define SPAN_SINE 0.17364817766693033     // of 10 degrees
#define KEEP_REACH 1.5                    // times the reach
#define LEAST_SHARED 0.1                  // of the shorter edge

// ---------------------------------------------------------------------------------------------------------------
// Outlines

static fr_vec3 vertex_of(const fr_mesh *mesh, uint32_t vertex) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    size_t at = 3 * (size_t)vertex;
    if (view->positions_double != NULL) {
        const double *p = view->positions_double + at;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    const float *p = view->positions_float + at;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

static double length_of(const fr__aid_border *e) { return fr_vec3_distance(e->ends[0], e->ends[1]); }

// Adds an edge; in the place of the shortest where there is no room.
static void add_edge(fr__aid_borders *o, fr_vec3 a, fr_vec3 b, fr_vec3 normal) {
    fr__aid_border edge = {.ends = {a, b}};
    edge.outward = fr_vec3_unit(fr_vec3_cross(fr_vec3_sub(b, a), normal), normal);
    if (o->count < FR__AID_BORDERS) {
        o->edges[o->count++] = edge;
        return;
    }
    uint32_t shortest = 0;
    for (uint32_t i = 1; i < o->count; i++) {
        if (length_of(&o->edges[i]) < length_of(&o->edges[shortest])) { shortest = i; }
    }
    if (length_of(&edge) > length_of(&o->edges[shortest])) { o->edges[shortest] = edge; }
}

static fr_vec3 edge_between(const fr_mesh *mesh, const uint32_t *loop, uint32_t count, uint32_t i) {
    fr_vec3 direction = fr_vec3_sub(vertex_of(mesh, loop[(i + 1) % count]), vertex_of(mesh, loop[i % count]));
    return fr_vec3_unit(direction, fr_vec3_make(0.0, 0.0, 0.0));
}

// The straight runs of a loop that starts at its first corner; none of a loop without corners.
static void add_loop(fr__aid_borders *o, const uint32_t *loop, uint32_t count, fr_vec3 normal) {
    uint32_t start = 0;
    while (start < count && fr_vec3_dot(edge_between(o->mesh, loop, count, start + count - 1),
                                        edge_between(o->mesh, loop, count, start)) >= CORNER_COSINE) {
        start++;
    }
    if (count < 3 || start == count) { return; }
    for (uint32_t i = 0; i < count;) {
        fr_vec3 direction = edge_between(o->mesh, loop, count, start + i);
        uint32_t begin = i++;
        while (i < count && fr_vec3_dot(direction, edge_between(o->mesh, loop, count, start + i)) >= CORNER_COSINE) {
            i++;
        }
        fr_vec3 a = vertex_of(o->mesh, loop[(start + begin) % count]),
                b = vertex_of(o->mesh, loop[(start + i) % count]);
        if (!fr_vec3_equal(a, b)) { add_edge(o, a, b, normal); }
    }
}

static const fr__aid_borders *borders_of(fr_aid *aid, const fr_mesh *mesh, uint32_t face) {
    for (uint32_t i = 0; i < 2 * FR_AID_FACES; i++) {
        if (aid->borders[i].mesh == mesh && aid->borders[i].face == face) { return &aid->borders[i]; }
    }
    const fr_planar_faces *planar;
    if (fr__aid_planar(aid, mesh, &planar, NULL) != FR_OK || face >= planar->face_count) { return NULL; }
    fr__aid_borders *o = &aid->borders[aid->border_next++ % (2 * FR_AID_FACES)];
    o->mesh = mesh;
    o->face = face;
    o->count = 0;
    const fr_planar_face *f = &planar->faces[face];
    for (uint32_t i = f->first_loop; i < f->first_loop + f->loop_count; i++) {
        uint32_t begin = planar->loop_begin[i];
        add_loop(o, planar->loop_vertices + begin, planar->loop_begin[i + 1] - begin, f->normal);
    }
    return o;
}

// ---------------------------------------------------------------------------------------------------------------
// Two edges

static fr__aid_border placed(const fr__aid_border *e, const fr_pose *pose) {
    fr__aid_border out;
    out.ends[0] = fr_pose_apply(pose, e->ends[0]);
    out.ends[1] = fr_pose_apply(pose, e->ends[1]);
    out.outward = fr_pose_turn(pose, e->outward);
    return out;
}

// The length along b that a and b share, seen across it; below 0 they are apart.
static double shared(const fr__aid_border *a, const fr__aid_border *b) {
    fr_vec3 along = fr_vec3_unit(fr_vec3_sub(b->ends[1], b->ends[0]), b->outward);
    double s = fr_vec3_dot(along, fr_vec3_sub(a->ends[0], b->ends[0]));
    double t = fr_vec3_dot(along, fr_vec3_sub(a->ends[1], b->ends[0]));
    return fmin(fmax(s, t), length_of(b)) - fmax(fmin(s, t), 0.0);
}

// How far the middle of a is from the line of b, in the plane.
static double gap_of(const fr__aid_border *a, const fr__aid_border *b) {
    fr_vec3 middle = fr_vec3_lerp(a->ends[0], a->ends[1], 0.5);
    return fabs(fr_vec3_dot(b->outward, fr_vec3_sub(middle, b->ends[0])));
}

static double reach_of(const fr_aid *aid) { return aid->def.magnet * aid->def.edge_reach; }

// Whether a plane of this normal takes away something that the planes held do not.
static bool is_beyond(const fr_aid *aid, fr_vec3 normal) {
    uint32_t count = aid->face_count + aid->snap_count;
    if (count < 2) { return true; }
    fr_vec3 line = fr_vec3_cross(fr__aid_held_at(aid, 0)->plane.normal, fr__aid_held_at(aid, 1)->plane.normal);
    return fabs(fr_vec3_dot(fr_vec3_unit(line, normal), normal)) > SPAN_SINE;
}

static fr__aid_snap snap_of(const fr_aid_pair *pair, const fr__aid_border *own, const fr__aid_border *other,
                            const fr_pose *other_pose) {
    fr__aid_snap s = {.held = {.kind = FR_AID_EDGE, .pair = *pair}};
    s.held.plane.normal_local = own->outward;
    s.held.plane.centroid_local = fr_vec3_lerp(own->ends[0], own->ends[1], 0.5);
    s.held.plane.normal = fr_vec3_negate(fr_pose_turn(other_pose, other->outward));
    s.held.plane.offset = fr_vec3_dot(s.held.plane.normal, fr_pose_apply(other_pose, other->ends[0]));
    s.place = other->ends[0];
    s.outward = other->outward;
    for (int k = 0; k < 2; k++) {
        s.ends[k] = own->ends[k];
        s.others[k] = other->ends[k];
    }
    return s;
}

// ---------------------------------------------------------------------------------------------------------------
// Finding

// The nearest pair of edges of the two faces of a pair; better than `best` only.
static void find_in_pair(fr__aid_frame *f, const fr_aid_pair *pair, const fr_pose *base, double *best,
                         fr__aid_snap *out) {
    fr_aid *aid = f->aid;
    const fr_object_view *view = fr_object_get(f->space, pair->other);
    fr_part_view part = fr_object_part(f->space, pair->other, pair->other_part);
    const fr_part_def *own = &aid->parts[pair->part];
    if (view == NULL || part.mesh == NULL) { return; }
    const fr__aid_borders *a = borders_of(aid, own->mesh, pair->face);
    const fr__aid_borders *b = borders_of(aid, part.mesh, pair->other_face);
    if (a == NULL || b == NULL) { return; }
    double least = aid->face_count + aid->snap_count < 2 ? TAKE_COSINE : LAID_COSINE;
    fr__aid_border others[FR__AID_BORDERS], world[FR__AID_BORDERS];
    for (uint32_t k = 0; k < b->count; k++) {
        others[k] = placed(&b->edges[k], &part.pose);
        world[k] = placed(&others[k], &view->pose);
    }
    for (uint32_t i = 0; i < a->count; i++) {
        fr__aid_border local = placed(&a->edges[i], &own->pose), edge = placed(&local, base);
        if (length_of(&edge) <= reach_of(aid)) { continue; }
        for (uint32_t k = 0; k < b->count; k++) {
            if (fr_vec3_dot(edge.outward, world[k].outward) < least) { continue; }
            double gap = gap_of(&edge, &world[k]), shorter = fmin(length_of(&edge), length_of(&world[k]));
            bool is_near = gap < *best && gap <= reach_of(aid) && shorter > reach_of(aid) &&
                           shared(&edge, &world[k]) > LEAST_SHARED * shorter && is_beyond(aid, world[k].outward);
            if (!is_near) { continue; }
            *best = gap;
            *out = snap_of(pair, &local, &others[k], &view->pose);
        }
    }
}

// The plane across the edge that is held, at an end of it and an end of the other that look in the same direction.
static fr__aid_snap corner_of(const fr__aid_snap *edge, int own, int other, const fr_pose *other_pose) {
    fr__aid_snap s = *edge;
    s.held.kind = FR_AID_VERTEX;
    fr_vec3 direction = fr_vec3_sub(edge->ends[own], edge->ends[1 - own]);
    fr_vec3 other_direction = fr_vec3_sub(edge->others[other], edge->others[1 - other]);
    s.held.plane.normal_local = fr_vec3_unit(direction, direction);
    s.held.plane.centroid_local = edge->ends[own];
    s.place = edge->others[other];
    s.outward = fr_vec3_unit(other_direction, other_direction);
    s.held.plane.normal = fr_vec3_negate(fr_pose_turn(other_pose, s.outward));
    s.held.plane.offset = fr_vec3_dot(s.held.plane.normal, fr_pose_apply(other_pose, s.place));
    return s;
}

static double missing(const fr_aid_plane *plane, const fr_pose *pose) {
    return fabs(plane->offset - fr_vec3_dot(plane->normal, fr_pose_apply(pose, plane->centroid_local)));
}

static bool find_corner(fr__aid_frame *f, const fr_pose *base, double *best, fr__aid_snap *out) {
    const fr_aid *aid = f->aid;
    const fr__aid_snap *edge = &aid->snaps[aid->snap_count - 1];
    const fr_object_view *view = fr_object_get(f->space, edge->held.pair.other);
    if (view == NULL) { return false; }
    for (int k = 0; k < 4; k++) {
        fr__aid_snap s = corner_of(edge, k & 1, k >> 1, &view->pose);
        fr_vec3 m = fr_pose_turn(base, s.held.plane.normal_local);
        if (fr_vec3_dot(m, s.held.plane.normal) > -LAID_COSINE || !is_beyond(aid, s.held.plane.normal)) { continue; }
        double away = missing(&s.held.plane, base);
        if (away > reach_of(aid) || away >= *best) { continue; }
        *best = away;
        *out = s;
    }
    return *best < HUGE_VAL;
}

bool fr__aid_find_edge(fr__aid_frame *f, fr__aid_snap *out) {
    fr_aid *aid = f->aid;
    double best = HUGE_VAL;
    fr_pose base = fr__aid_lay(f, &f->raw, aid->snap_count);
    bool is_found = aid->snap_count > 0 && find_corner(f, &base, &best, out);
    for (uint32_t i = 0; i < aid->face_count && !is_found; i++) {
        find_in_pair(f, &aid->faces[i].pair, &base, &best, out);
    }
    out->held.distance = best;
    out->held.threshold = KEEP_REACH * reach_of(aid);
    return best < HUGE_VAL;
}

bool fr__aid_edge_holds(fr__aid_frame *f, uint32_t index) {
    fr_aid *aid = f->aid;
    fr__aid_snap *s = &aid->snaps[index];
    const fr_object_view *view = fr_object_get(f->space, s->held.pair.other);
    if (view == NULL) { return false; }
    // Where it would be without it
    fr_pose base = fr__aid_lay(f, &f->raw, index);
    s->held.distance = missing(&s->held.plane, &base);
    s->held.threshold = KEEP_REACH * reach_of(aid);
    if (s->held.distance > s->held.threshold) { return false; }
    fr_vec3 m = fr_pose_turn(&base, s->held.plane.normal_local);
    if (fr_vec3_dot(m, s->held.plane.normal) > -KEEP_COSINE) { return false; }
    fr__aid_border own = {.ends = {s->ends[0], s->ends[1]}}, other = {.ends = {s->others[0], s->others[1]}};
    other.outward = s->outward;
    own = placed(&own, &base);
    other = placed(&other, &view->pose);
    return shared(&own, &other) > 0.0;
}

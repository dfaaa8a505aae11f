// The round places of a mesh: where planar faces stand side by side about one line.
//
// Two faces that meet at an edge give a direction, the edge's, and with their far sides three points of a circle across
// it. From there the ring grows from face to face over edges of the same direction, as long as the corners stay on the
// circle. Faces of a ball stand about many lines, but their edges get shorter from one to the next; so an edge counts
// that is at least half as long as the first.
#include "fureai/hand.h"

#include <string.h>

#define MOST_TURN 1.0821041362364843    // 62 degrees between the normals of neighbours: six facets have 60
#define LEAST_TURN 0.0034906585039887   // 0.2 degrees
#define ALONG_COSINE 0.9998476951563913 // of 1 degree
#define ACROSS_SINE 0.01                // of 0.57 degrees
#define OFF_CIRCLE 2e-3                 // of the radius
#define LEAST_ANGLE 3.490658503988659   // 200 degrees
#define BINS 3600                       // of a turn

// Where two planar faces meet at one edge of the mesh.
typedef struct hinge {
    uint32_t faces[2];
    fr_vec3 direction; // along the edge
    fr_vec3 at;        // an end of it
    bool is_convex;
} hinge;

typedef struct axis_search {
    const fr_mesh *mesh;
    const fr_planar_faces *planar;
    fr_allocator allocator;
    hinge *hinges;
    uint32_t hinge_count;
    uint32_t *first; // of each face's hinges in `of_face`, and one more
    uint32_t *of_face;
    uint32_t *ring; // faces of the ring that grows
    uint32_t ring_count;
    uint32_t *stamp; // of each face: twice the number of the ring that looked at it last, and 1 more where it took it
    bool *is_used;   // of each face: in a ring that was reported
    bool *is_tried;  // of each hinge: within a ring that was found before
} axis_search;

// The circle of a ring: in the plane through `center` across `direction`.
typedef struct circle {
    fr_vec3 center, direction, u, v;
    double radius;
    bool is_hole;
} circle;

static fr_vec3 across(fr_vec3 x, fr_vec3 direction) {
    return fr_vec3_add_scaled(x, -fr_vec3_dot(x, direction), direction);
}

static double angle_between(fr_vec3 a, fr_vec3 b) {
    return fr_atan2(fr_vec3_length(fr_vec3_cross(a, b)), fr_vec3_dot(a, b));
}

// ---------------------------------------------------------------------------------------------------------------
// Hinges

// The corner of a face that is farthest from the line of a hinge.
static fr_vec3 far_corner(const axis_search *s, uint32_t face, const hinge *h, fr_vec3 direction) {
    const fr_planar_face *f = &s->planar->faces[face];
    fr_vec3 best = h->at;
    double most = -1.0;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(s->mesh, s->planar->triangles[f->first_triangle + i], corners);
        for (int k = 0; k < 3; k++) {
            double away = fr_vec3_length(across(fr_vec3_sub(corners[k], h->at), direction));
            if (away > most) {
                most = away;
                best = corners[k];
            }
        }
    }
    return best;
}

static bool hinge_of(const axis_search *s, const fr_topology *topology, uint32_t edge, hinge *out) {
    uint32_t twin = topology->twin[edge];
    if (twin == FR_NONE || twin < edge) { return false; }
    out->faces[0] = s->planar->face_of[edge / 3];
    out->faces[1] = s->planar->face_of[twin / 3];
    if (out->faces[0] == out->faces[1]) { return false; }
    fr_vec3 m = s->planar->faces[out->faces[0]].normal, n = s->planar->faces[out->faces[1]].normal;
    double turn = angle_between(m, n);
    if (!(turn > LEAST_TURN && turn < MOST_TURN)) { return false; }
    fr_vec3 corners[3];
    fr_mesh_corners(s->mesh, edge / 3, corners);
    out->at = corners[edge % 3];
    out->direction = fr_vec3_sub(corners[(edge % 3 + 1) % 3], out->at);
    fr_vec3 far = far_corner(s, out->faces[1], out, fr_vec3_unit(out->direction, m));
    out->is_convex = fr_vec3_dot(m, fr_vec3_sub(far, out->at)) < 0.0;
    return fr_vec3_length_squared(out->direction) > 0.0;
}

static uint32_t find_hinges(axis_search *s, const fr_topology *topology) {
    uint32_t count = 0;
    for (uint32_t edge = 0; edge < topology->edge_count; edge++) {
        hinge h;
        if (!hinge_of(s, topology, edge, &h)) { continue; }
        if (s->hinges != NULL) { s->hinges[count] = h; }
        count++;
    }
    return count;
}

// The hinges of each face, one face after another.
static void list_by_face(axis_search *s) {
    memset(s->first, 0, (s->planar->face_count + 1) * sizeof *s->first);
    for (uint32_t i = 0; i < 2 * s->hinge_count; i++) {
        s->first[s->hinges[i / 2].faces[i % 2] + 1]++;
    }
    for (uint32_t i = 0; i < s->planar->face_count; i++) {
        s->first[i + 1] += s->first[i];
    }
    for (uint32_t i = 0; i < 2 * s->hinge_count; i++) {
        s->of_face[s->first[s->hinges[i / 2].faces[i % 2]]++] = i / 2;
    }
    for (uint32_t i = s->planar->face_count; i > 0; i--) {
        s->first[i] = s->first[i - 1];
    }
    s->first[0] = 0;
}

// ---------------------------------------------------------------------------------------------------------------
// A ring

// The circle through the hinge and the far sides of its two faces; false where they are in line.
static bool circle_of(const axis_search *s, const hinge *h, circle *out) {
    fr_vec3 d = fr_vec3_unit(h->direction, h->direction);
    fr_vec3 a = across(fr_vec3_sub(far_corner(s, h->faces[0], h, d), h->at), d);
    fr_vec3 b = across(fr_vec3_sub(far_corner(s, h->faces[1], h, d), h->at), d);
    double aa = fr_vec3_dot(a, a), bb = fr_vec3_dot(b, b), ab = fr_vec3_dot(a, b), det = aa * bb - ab * ab;
    if (!(det > 1e-12 * aa * bb)) { return false; }
    // The point x = p a + q b with x . a = aa / 2 and x . b = bb / 2
    double p = 0.5 * bb * (aa - ab) / det, q = 0.5 * aa * (bb - ab) / det;
    fr_vec3 to = fr_vec3_add(fr_vec3_scale(p, a), fr_vec3_scale(q, b));
    out->center = fr_vec3_add(h->at, to);
    out->radius = fr_vec3_length(to);
    out->direction = d;
    out->is_hole = !h->is_convex;
    return true;
}

static bool is_on_circle(const axis_search *s, uint32_t face, const circle *c) {
    const fr_planar_face *f = &s->planar->faces[face];
    if (fabs(fr_vec3_dot(f->normal, c->direction)) > ACROSS_SINE) { return false; }
    double out = fr_vec3_dot(f->normal, fr_vec3_sub(f->centroid, c->center));
    if ((out < 0.0) != c->is_hole) { return false; }
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(s->mesh, s->planar->triangles[f->first_triangle + i], corners);
        for (int k = 0; k < 3; k++) {
            double away = fr_vec3_length(across(fr_vec3_sub(corners[k], c->center), c->direction));
            if (fabs(away - c->radius) > OFF_CIRCLE * c->radius) { return false; }
        }
    }
    return true;
}

static bool goes_on(const hinge *h, const circle *c, double least) {
    double length = fr_vec3_length(h->direction);
    return h->is_convex != c->is_hole && length >= least &&
           fabs(fr_vec3_dot(h->direction, c->direction)) >= ALONG_COSINE * length;
}

// Whether a hinge is within the ring.
static bool is_within(const axis_search *s, const hinge *h, uint32_t ring) {
    return s->stamp[h->faces[0]] == 2 * ring + 1 && s->stamp[h->faces[1]] == 2 * ring + 1;
}

static void grow(axis_search *s, const hinge *seed, const circle *c, uint32_t ring) {
    s->ring_count = 0;
    double least = 0.5 * fr_vec3_length(seed->direction);
    for (int k = 0; k < 2; k++) {
        if (s->is_used[seed->faces[k]] || !is_on_circle(s, seed->faces[k], c)) { return; }
    }
    s->ring[s->ring_count++] = seed->faces[0];
    s->stamp[seed->faces[0]] = 2 * ring + 1;
    for (uint32_t i = 0; i < s->ring_count; i++) {
        uint32_t face = s->ring[i];
        for (uint32_t k = s->first[face]; k < s->first[face + 1]; k++) {
            const hinge *h = &s->hinges[s->of_face[k]];
            uint32_t next = h->faces[0] == face ? h->faces[1] : h->faces[0];
            if (s->stamp[next] >= 2 * ring || s->is_used[next] || !goes_on(h, c, least)) { continue; }
            s->stamp[next] = 2 * ring;
            if (!is_on_circle(s, next, c)) { continue; }
            s->stamp[next]++;
            s->ring[s->ring_count++] = next;
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What a ring is

// A corner of the ring in the plane across the axis, about the circle's centre.
static fr_vec2 flat(const circle *c, fr_vec3 corner) {
    fr_vec3 x = fr_vec3_sub(corner, c->center);
    return (fr_vec2){fr_vec3_dot(x, c->u), fr_vec3_dot(x, c->v)};
}

typedef void corner_fn(const circle *c, fr_vec3 corner, void *context);

static void for_corners(const axis_search *s, const circle *c, corner_fn *call, void *context) {
    for (uint32_t i = 0; i < s->ring_count; i++) {
        const fr_planar_face *f = &s->planar->faces[s->ring[i]];
        for (uint32_t k = 0; k < f->triangle_count; k++) {
            fr_vec3 corners[3];
            fr_mesh_corners(s->mesh, s->planar->triangles[f->first_triangle + k], corners);
            for (int j = 0; j < 3; j++) {
                call(c, corners[j], context);
            }
        }
    }
}

// Sums of the fit of a circle x^2 + y^2 = 2 a x + 2 b y + e to points (Kasa).
typedef struct fit {
    double n, x, y, xx, xy, yy, z, xz, yz;
} fit;

static void add_to_fit(const circle *c, fr_vec3 corner, void *context) {
    fit *f = context;
    fr_vec2 p = flat(c, corner);
    double z = p.x * p.x + p.y * p.y;
    f->n += 1.0;
    f->x += p.x;
    f->y += p.y;
    f->xx += p.x * p.x;
    f->xy += p.x * p.y;
    f->yy += p.y * p.y;
    f->z += z;
    f->xz += p.x * z;
    f->yz += p.y * z;
}

// Moves the centre to where all corners want it, not the first three.
static void fit_center(const axis_search *s, circle *c) {
    fit f = {.n = 0.0};
    for_corners(s, c, add_to_fit, &f);
    double sxx = f.xx - f.x * f.x / f.n, sxy = f.xy - f.x * f.y / f.n, syy = f.yy - f.y * f.y / f.n;
    double sxz = f.xz - f.x * f.z / f.n, syz = f.yz - f.y * f.z / f.n, det = sxx * syy - sxy * sxy;
    if (!(det > 0.0)) { return; }
    double a = 0.5 * (sxz * syy - syz * sxy) / det, b = 0.5 * (syz * sxx - sxz * sxy) / det;
    c->center = fr_vec3_add_scaled(fr_vec3_add_scaled(c->center, a, c->u), b, c->v);
}

typedef struct axis_extent {
    double low, high, sum, outer;
    uint64_t count;
} axis_extent;

static void add_to_extent(const circle *c, fr_vec3 corner, void *context) {
    axis_extent *e = context;
    double along = fr_vec3_dot(fr_vec3_sub(corner, c->center), c->direction);
    fr_vec2 p = flat(c, corner);
    double away = sqrt(p.x * p.x + p.y * p.y);
    e->low = fmin(e->low, along);
    e->high = fmax(e->high, along);
    e->outer = fmax(e->outer, away);
    e->sum += away;
    e->count++;
}

static uint32_t bin_of(double angle, uint32_t bins) {
    double turns = angle / (2.0 * FR_PI);
    uint32_t bin = (uint32_t)((turns - floor(turns)) * (double)bins);
    return bin < bins ? bin : 0;
}

// Marks what a facet covers of a turn.
static void cover(const axis_search *s, const circle *c, uint32_t face, bool covered[BINS]) {
    const fr_planar_face *f = &s->planar->faces[face];
    fr_vec2 middle = {fr_vec3_dot(f->normal, c->u), fr_vec3_dot(f->normal, c->v)};
    double sign = c->is_hole ? -1.0 : 1.0, low = 0.0, high = 0.0;
    for (uint32_t i = 0; i < f->triangle_count; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(s->mesh, s->planar->triangles[f->first_triangle + i], corners);
        for (int k = 0; k < 3; k++) {
            fr_vec2 p = flat(c, corners[k]);
            double x = sign * (middle.x * p.x + middle.y * p.y), y = sign * (middle.x * p.y - middle.y * p.x);
            double angle = fr_atan2(y, x);
            low = fmin(low, angle);
            high = fmax(high, angle);
        }
    }
    double at = fr_atan2(sign * middle.y, sign * middle.x), step = 2.0 * FR_PI / BINS;
    for (double a = low + 0.5 * step; a < high; a += step) {
        covered[bin_of(at + a, BINS)] = true;
    }
}

// The direction that the hinges of the ring have together; each is met from both of its faces.
static fr_vec3 direction_of(const axis_search *s, const circle *c, uint32_t ring) {
    fr_vec3 sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < s->ring_count; i++) {
        for (uint32_t k = s->first[s->ring[i]]; k < s->first[s->ring[i] + 1]; k++) {
            const hinge *h = &s->hinges[s->of_face[k]];
            if (!is_within(s, h, ring) || !goes_on(h, c, 0.0)) { continue; }
            sum = fr_vec3_add_scaled(sum, fr_vec3_dot(h->direction, c->direction) < 0.0 ? -1.0 : 1.0, h->direction);
        }
    }
    return fr_vec3_unit(sum, c->direction);
}

static bool report(const axis_search *s, circle *c, uint32_t ring, fr_aid_axis *out) {
    c->direction = direction_of(s, c, ring);
    c->u = fr_vec3_perpendicular(c->direction);
    c->v = fr_vec3_cross(c->direction, c->u);
    bool covered[BINS] = {false}, normals[BINS] = {false};
    fit_center(s, c);
    double inner = HUGE_VAL;
    for (uint32_t i = 0; i < s->ring_count; i++) {
        const fr_planar_face *f = &s->planar->faces[s->ring[i]];
        cover(s, c, s->ring[i], covered);
        inner = fmin(inner, fabs(fr_vec3_dot(f->normal, fr_vec3_sub(f->centroid, c->center))));
        double angle = fr_atan2(fr_vec3_dot(f->normal, c->v), fr_vec3_dot(f->normal, c->u));
        normals[bin_of(angle, BINS)] = true;
    }
    uint32_t bins = 0, facets = 0;
    for (uint32_t i = 0; i < BINS; i++) {
        bins += covered[i];
        facets += normals[i];
    }
    axis_extent e = {.low = HUGE_VAL, .high = -HUGE_VAL};
    for_corners(s, c, add_to_extent, &e);
    out->direction = c->direction;
    out->point = fr_vec3_add_scaled(c->center, 0.5 * (e.low + e.high), c->direction);
    out->length = e.high - e.low;
    out->radius = e.sum / (double)e.count;
    out->inner = inner;
    out->outer = e.outer;
    out->angle = (double)bins * (2.0 * FR_PI / BINS);
    out->facet_count = facets;
    out->is_hole = c->is_hole;
    return facets >= FR_AID_AXIS_FACETS && out->angle > LEAST_ANGLE;
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

// Every hinge within a ring would lead to the same ring again.
static void note_tried(axis_search *s, uint32_t ring) {
    for (uint32_t i = 0; i < s->ring_count; i++) {
        for (uint32_t k = s->first[s->ring[i]]; k < s->first[s->ring[i] + 1]; k++) {
            if (is_within(s, &s->hinges[s->of_face[k]], ring)) { s->is_tried[s->of_face[k]] = true; }
        }
    }
}

static uint32_t find_axes(axis_search *s, fr_aid_axis *axes, uint32_t capacity) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->hinge_count; i++) {
        circle c;
        fr_aid_axis axis;
        const hinge *h = &s->hinges[i];
        if (s->is_tried[i] || s->is_used[h->faces[0]] || s->is_used[h->faces[1]] || !circle_of(s, h, &c)) { continue; }
        grow(s, h, &c, i + 1);
        note_tried(s, i + 1);
        if (s->ring_count < FR_AID_AXIS_FACETS || !report(s, &c, i + 1, &axis)) { continue; }
        for (uint32_t k = 0; k < s->ring_count; k++) {
            s->is_used[s->ring[k]] = true;
        }
        if (count < capacity) { axes[count] = axis; }
        count++;
    }
    return count;
}

static bool open_search(axis_search *s) {
    uint32_t faces = s->planar->face_count;
    s->first = fr_allocate(&s->allocator, faces + 1, sizeof *s->first, _Alignof(uint32_t));
    s->ring = fr_allocate(&s->allocator, faces, sizeof *s->ring, _Alignof(uint32_t));
    s->stamp = fr_allocate(&s->allocator, faces, sizeof *s->stamp, _Alignof(uint32_t));
    s->is_used = fr_allocate(&s->allocator, faces, sizeof *s->is_used, _Alignof(bool));
    s->hinges = fr_allocate(&s->allocator, s->hinge_count, sizeof *s->hinges, _Alignof(hinge));
    s->is_tried = fr_allocate(&s->allocator, s->hinge_count, sizeof *s->is_tried, _Alignof(bool));
    s->of_face = fr_allocate(&s->allocator, 2 * (size_t)s->hinge_count, sizeof *s->of_face, _Alignof(uint32_t));
    return s->first != NULL && s->ring != NULL && s->stamp != NULL && s->is_used != NULL && s->hinges != NULL &&
           s->is_tried != NULL && s->of_face != NULL;
}

static void close_search(axis_search *s) {
    uint32_t faces = s->planar->face_count;
    fr_deallocate(&s->allocator, s->of_face, 2 * (size_t)s->hinge_count, sizeof *s->of_face);
    fr_deallocate(&s->allocator, s->is_tried, s->hinge_count, sizeof *s->is_tried);
    fr_deallocate(&s->allocator, s->hinges, s->hinge_count, sizeof *s->hinges);
    fr_deallocate(&s->allocator, s->is_used, faces, sizeof *s->is_used);
    fr_deallocate(&s->allocator, s->stamp, faces, sizeof *s->stamp);
    fr_deallocate(&s->allocator, s->ring, faces, sizeof *s->ring);
    fr_deallocate(&s->allocator, s->first, faces + 1, sizeof *s->first);
}

static fr_status search_all(axis_search *s, const fr_topology *topology, fr_aid_axis *axes, uint32_t capacity,
                            uint32_t *count, fr_error *error) {
    s->hinge_count = find_hinges(s, topology);
    if (s->hinge_count == 0) { return FR_OK; }
    fr_status status = FR_OK;
    if (open_search(s)) {
        (void)find_hinges(s, topology);
        list_by_face(s);
        memset(s->stamp, 0, s->planar->face_count * sizeof *s->stamp);
        memset(s->is_used, 0, s->planar->face_count * sizeof *s->is_used);
        memset(s->is_tried, 0, s->hinge_count * sizeof *s->is_tried);
        *count = find_axes(s, axes, capacity);
    } else {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the round places of a mesh");
    }
    close_search(s);
    return status;
}

fr_status fr_aid_axes(const fr_mesh *mesh, const fr_allocator *allocator, fr_aid_axis *axes, uint32_t capacity,
                      uint32_t *count, fr_error *error) {
    FR_ASSERT(mesh != NULL && count != NULL && (axes != NULL || capacity == 0));
    *count = 0;
    axis_search s = {.mesh = mesh, .allocator = fr_allocator_or_default(allocator)};
    fr_topology *topology = NULL;
    fr_planar_faces *planar = NULL;
    fr_topology_def topology_def = fr_default_topology_def();
    topology_def.is_welded = true;
    topology_def.allocator = s.allocator;
    fr_status status = fr_topology_create(mesh, &topology_def, &topology, error);
    if (status != FR_OK) { return status; }
    fr_planar_def def = fr_default_planar_def();
    def.topology = topology;
    def.allocator = s.allocator;
    status = fr_planar_create(mesh, &def, &planar, error);
    if (status == FR_OK) {
        s.planar = planar;
        status = search_all(&s, topology, axes, capacity, count, error);
        fr_planar_destroy(planar);
    }
    fr_topology_destroy(topology);
    return status;
}

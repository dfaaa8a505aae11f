// The area two planar faces share, by their outlines: a region is the sum of what lies below its edges, those that run
// one direction counted against those that run in the other, so what two regions share is such a sum over pairs of
// edges. Right for any outlines and holes. Edges are met in the order of x, so that only those above one another are
// paired.
#include "aid.h"

#include "shape/mesh.h"

#define STRAIGHT 1e-9 // sine of the angle between two edges that are one
#define SOUND 1e-3    // part of the area by which an outline may differ from its triangles
#define NOTHING 1e-12 // part of the smaller face below which a shared area is rounding

typedef struct sheet {
    fr_vec3 origin, u, v;
} sheet;

static fr_vec2 on_sheet(const sheet *s, fr_vec3 world) {
    fr_vec3 p = fr_vec3_sub(world, s->origin);
    return (fr_vec2){fr_vec3_dot(p, s->u), fr_vec3_dot(p, s->v)};
}

static fr_vec2 corner(const fr__aid_face *face, const sheet *s, uint32_t index) {
    uint32_t vertex = face->planar->loop_vertices[index];
    fr_vec3 v = face->vertices != NULL ? face->vertices[vertex] : fr__mesh_position(fr_mesh_get(face->mesh), vertex);
    return on_sheet(s, fr_pose_apply(&face->pose, fr_pose_apply(&face->part, v)));
}

static bool is_straight(fr_vec2 a, fr_vec2 b, fr_vec2 c) {
    double ux = b.x - a.x, uy = b.y - a.y, vx = c.x - b.x, vy = c.y - b.y;
    double cross = ux * vy - uy * vx, dot = ux * vx + uy * vy;
    return dot >= 0.0 && fabs(cross) <= STRAIGHT * dot;
}

// Edges from left to right; those that stand upright have nothing below them.
static uint32_t put_edge(fr_vec2 a, fr_vec2 b, fr__aid_edge *out) {
    if (a.x == b.x) { return 0; }
    bool is_right = a.x < b.x;
    *out = (fr__aid_edge){.from = is_right ? a : b, .to = is_right ? b : a, .sign = is_right ? -1.0 : 1.0};
    out->slope = (out->to.y - out->from.y) / (out->to.x - out->from.x);
    return 1;
}

// The edges of one loop, those in one line together.
static uint32_t put_loop(const fr__aid_face *face, const sheet *s, uint32_t loop, fr__aid_edge *out) {
    uint32_t begin = face->planar->loop_begin[loop], end = face->planar->loop_begin[loop + 1], count = 0;
    if (end - begin < 3) { return 0; }
    fr_vec2 first = corner(face, s, begin), from = first, last = corner(face, s, begin + 1);
    for (uint32_t i = begin + 2; i <= end; i++) {
        fr_vec2 next = i < end ? corner(face, s, i) : first;
        if (!is_straight(from, last, next)) {
            count += put_edge(from, last, out + count);
            from = last;
        }
        last = next;
    }
    return count + put_edge(from, last, out + count);
}

static double area_below(const fr__aid_edge *edges, uint32_t count) {
    double area = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const fr__aid_edge *e = &edges[i];
        area += e->sign * (e->to.x - e->from.x) * 0.5 * (e->from.y + e->to.y);
    }
    return area;
}

// All edges of a face; false where they do not enclose what its triangles do.
static bool put_face(const fr__aid_face *face, const sheet *s, fr__aid_edge *out, uint32_t *count) {
    const fr_planar_face *f = &face->planar->faces[face->face];
    *count = 0;
    for (uint32_t i = 0; i < f->loop_count; i++) {
        *count += put_loop(face, s, f->first_loop + i, out + *count);
    }
    return fabs(fabs(area_below(out, *count)) - face->area) <= SOUND * face->area;
}

// ---------------------------------------------------------------------------------------------------------------
// By the order of x

static void sink(fr__aid_edge *edges, uint32_t at, uint32_t count) {
    fr__aid_edge e = edges[at];
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && edges[child + 1].from.x > edges[child].from.x) { child++; }
        if (!(edges[child].from.x > e.from.x)) { break; }
        edges[at] = edges[child];
        at = child;
    }
    edges[at] = e;
}

static void sort_edges(fr__aid_edge *edges, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) {
        sink(edges, i, count);
    }
    for (uint32_t end = count; end-- > 1;) {
        fr__aid_edge last = edges[end];
        edges[end] = edges[0];
        edges[0] = last;
        sink(edges, 0, end);
    }
}

// The area below both of two edges and above `base`.
static double below_both(const fr__aid_edge *e, const fr__aid_edge *f, double base) {
    double left = fmax(e->from.x, f->from.x), right = fmin(e->to.x, f->to.x);
    if (!(right > left)) { return 0.0; }
    double e_left = e->from.y + e->slope * (left - e->from.x) - base, e_right = e_left + e->slope * (right - left);
    double f_left = f->from.y + f->slope * (left - f->from.x) - base, f_right = f_left + f->slope * (right - left);
    double over_left = e_left - f_left, over_right = e_right - f_right;
    double low_left = fmin(e_left, f_left), low_right = fmin(e_right, f_right);
    if (!(over_left * over_right < 0.0)) { return 0.5 * (right - left) * (low_left + low_right); }
    double t = over_left / (over_left - over_right), middle = e_left + t * (e_right - e_left);
    return 0.5 * (right - left) * (t * (low_left + middle) + (1.0 - t) * (middle + low_right));
}

// Pairs an edge with those of the other face that reach to where it begins; forgets those that end before.
static double pair_with(const fr__aid_edge *e, const fr__aid_edge *others, uint32_t *live, uint32_t *live_count,
                        double base) {
    double area = 0.0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *live_count; i++) {
        const fr__aid_edge *f = &others[live[i]];
        if (f->to.x <= e->from.x) { continue; }
        live[kept++] = live[i];
        area += e->sign * f->sign * below_both(e, f, base);
    }
    *live_count = kept;
    return area;
}

static double shared(fr__aid_edge *const edges[2], const uint32_t counts[2], uint32_t *const live[2], double base) {
    uint32_t next[2] = {0, 0}, live_count[2] = {0, 0};
    double area = 0.0;
    while (next[0] < counts[0] || next[1] < counts[1]) {
        bool has_both = next[0] < counts[0] && next[1] < counts[1];
        int of =
            has_both ? (edges[0][next[0]].from.x <= edges[1][next[1]].from.x ? 0 : 1) : (next[0] < counts[0] ? 0 : 1);
        // Nothing of the other is left: what remains is alone
        if (next[1 - of] == counts[1 - of] && live_count[1 - of] == 0) { return area; }
        area += pair_with(&edges[of][next[of]], edges[1 - of], live[1 - of], &live_count[1 - of], base);
        live[of][live_count[of]++] = next[of];
        next[of]++;
    }
    return area;
}

bool fr__aid_outline_overlap(fr_aid *aid, const fr__aid_face *a, const fr__aid_face *b, double *area) {
    sheet s = {.origin = b->centroid, .u = fr_vec3_perpendicular(b->normal)};
    s.v = fr_vec3_cross(b->normal, s.u);
    fr__aid_edge *const edges[2] = {aid->edges[0].data, aid->edges[1].data};
    uint32_t *const live[2] = {aid->live[0].data, aid->live[1].data};
    uint32_t counts[2];
    if (!put_face(a, &s, edges[0], &counts[0]) || !put_face(b, &s, edges[1], &counts[1])) { return false; }
    double base = 0.0;
    for (int k = 0; k < 2; k++) {
        sort_edges(edges[k], counts[k]);
        for (uint32_t i = 0; i < counts[k]; i++) {
            base = fmin(base, fmin(edges[k][i].from.y, edges[k][i].to.y));
        }
    }
    *area = fabs(shared(edges, counts, live, base));
    if (*area <= NOTHING * fmin(a->area, b->area)) { *area = 0.0; }
    return true;
}

// The convex hull of a few points, built by adding one point after another. Every decision is an exact sign, so that no
// point is ever outside a facet.
//
// A point sees a facet when it is strictly outside its plane. The facets it sees form a patch with one border, also
// where facets are coplanar: those of one plane are all seen or all not. The patch is replaced by a cone from the point
// to the border. No facet of the cone is flat: a point on the line of a border edge would lie in the plane of the seen
// facet beside it.
#include "shape/flat.h"

#include "fureai/base_order.h"

typedef struct hull_points {
    fr_vec3 point[FR_HULL_MAX_POINTS];
    uint8_t number[FR_HULL_MAX_POINTS]; // in the caller's list
    int count;
} hull_points;

static hull_points distinct_points(const fr_vec3 *points, size_t count) {
    hull_points set = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (int k = 0; k < set.count && !known; k++) {
            known = fr_vec3_equal(set.point[k], points[i]);
        }
        if (known) { continue; }
        set.point[set.count] = points[i];
        set.number[set.count++] = (uint8_t)i;
    }
    return set;
}

static void move_to(hull_points *set, int from, int to) {
    fr_vec3 p = set->point[from];
    uint8_t number = set->number[from];
    set->point[from] = set->point[to];
    set->number[from] = set->number[to];
    set->point[to] = p;
    set->number[to] = number;
}

// Brings points that span as much as there is to the front. Returns the dimension.
static int spread_first(hull_points *set) {
    if (set->count < 3) { return set->count - 1; }
    int third = 0, fourth = 0;
    for (int i = 2; i < set->count && third == 0; i++) {
        fr_vec3 three[3] = {set->point[0], set->point[1], set->point[i]};
        if (fr__triangle_drop_axis(three) >= 0) { third = i; }
    }
    if (third == 0) { return 1; }
    move_to(set, third, 2);
    for (int i = 3; i < set->count && fourth == 0; i++) {
        if (fr_orient3d(set->point[0], set->point[1], set->point[2], set->point[i]) != 0) { fourth = i; }
    }
    if (fourth == 0) { return 2; }
    move_to(set, fourth, 3);
    return 3;
}

// ---------------------------------------------------------------------------------------------------------------
// In space

static void set_facet(fr_hull *hull, int facet, int a, int b, int c) {
    hull->facets[facet][0] = (uint8_t)a;
    hull->facets[facet][1] = (uint8_t)b;
    hull->facets[facet][2] = (uint8_t)c;
}

static void first_tetrahedron(const hull_points *set, fr_hull *hull) {
    bool above = fr_orient3d(set->point[0], set->point[1], set->point[2], set->point[3]) > 0;
    int b = above ? 2 : 1, c = above ? 1 : 2;
    set_facet(hull, 0, 0, b, c);
    set_facet(hull, 1, 0, c, 3);
    set_facet(hull, 2, c, b, 3);
    set_facet(hull, 3, b, 0, 3);
    hull->facet_count = 4;
}

// Takes out the facets that p sees; marks their edges, one bit for each end of each start.
static void remove_seen(const hull_points *set, int p, fr_hull *hull, uint64_t edges[FR_HULL_MAX_POINTS]) {
    int kept = 0;
    for (int f = 0; f < hull->facet_count; f++) {
        const uint8_t *corner = hull->facets[f];
        int a = corner[0], b = corner[1], c = corner[2];
        if (fr_orient3d(set->point[a], set->point[b], set->point[c], set->point[p]) > 0) {
            edges[a] |= UINT64_C(1) << b;
            edges[b] |= UINT64_C(1) << c;
            edges[c] |= UINT64_C(1) << a;
        } else {
            set_facet(hull, kept++, a, b, c);
        }
    }
    hull->facet_count = kept;
}

static void add_point(const hull_points *set, int p, fr_hull *hull) {
    uint64_t edges[FR_HULL_MAX_POINTS] = {0};
    remove_seen(set, p, hull, edges);
    for (int a = 0; a < set->count; a++) {
        for (int b = 0; edges[a] >> b != 0 && b < set->count; b++) {
            bool border = (edges[a] >> b & 1) != 0 && (edges[b] >> a & 1) == 0;
            if (border && hull->facet_count < 2 * FR_HULL_MAX_POINTS - 4) {
                set_facet(hull, hull->facet_count++, a, b, p);
            }
        }
    }
}

static void hull_in_space(const hull_points *set, fr_hull *hull) {
    first_tetrahedron(set, hull);
    for (int p = 4; p < set->count; p++) {
        add_point(set, p, hull);
    }

    bool used[FR_HULL_MAX_POINTS] = {false};
    for (int f = 0; f < hull->facet_count; f++) {
        for (int k = 0; k < 3; k++) {
            hull->facets[f][k] = set->number[hull->facets[f][k]];
            used[hull->facets[f][k]] = true;
        }
    }
    for (int i = 0; i < FR_HULL_MAX_POINTS; i++) {
        if (used[i]) { hull->vertices[hull->vertex_count++] = (uint8_t)i; }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// In a plane, on a line

static bool is_before(const int *a, const int *b, const fr_vec2 *flat) {
    fr_vec2 p = flat[*a], q = flat[*b];
    if (p.x != q.x) { return p.x < q.x; }
    return p.y != q.y ? p.y < q.y : *a < *b;
}

FR_SORT_TYPE_BY(sort_points, int, const fr_vec2 *, is_before);

// One side of the polygon from the first to the last of the sorted points (or back, with step -1), by Andrew's chain.
static int half_chain(const fr_vec2 *flat, const int *order, int first, int last, int step, int *chain, int count) {
    int base = count;
    for (int i = first; i != last + step; i += step) {
        while (count >= base + 2 && fr_orient2d(flat[chain[count - 2]], flat[chain[count - 1]], flat[order[i]]) <= 0) {
            count--;
        }
        chain[count++] = order[i];
    }
    return count - 1; // the last one begins the other half
}

static void hull_in_plane(const hull_points *set, fr_hull *hull) {
    fr_vec2 flat[FR_HULL_MAX_POINTS];
    int order[FR_HULL_MAX_POINTS], chain[2 * FR_HULL_MAX_POINTS];
    int axis = fr__triangle_drop_axis(set->point);
    for (int i = 0; i < set->count; i++) {
        flat[i] = fr__drop(set->point[i], axis);
        order[i] = i;
    }
    sort_points(order, (size_t)set->count, flat);
    int count = half_chain(flat, order, 0, set->count - 1, 1, chain, 0);
    count = half_chain(flat, order, set->count - 1, 0, -1, chain, count);
    for (int i = 0; i < count; i++) {
        hull->vertices[i] = set->number[chain[i]];
    }
    hull->vertex_count = count;
    for (int i = 1; i + 1 < count; i++) {
        set_facet(hull, hull->facet_count++, hull->vertices[0], hull->vertices[i], hull->vertices[i + 1]);
    }
}

// Points on a line are in its order when sorted by x, then y, then z.
static bool is_lower(fr_vec3 a, fr_vec3 b) { return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z; }

static void hull_on_line(const hull_points *set, fr_hull *hull) {
    int low = 0, high = 0;
    for (int i = 1; i < set->count; i++) {
        if (is_lower(set->point[i], set->point[low])) { low = i; }
        if (is_lower(set->point[high], set->point[i])) { high = i; }
    }
    hull->vertices[0] = set->number[low];
    hull->vertices[1] = set->number[high];
    hull->vertex_count = 2;
}

void fr_hull_of_points(const fr_vec3 *points, size_t count, fr_hull *out) {
    FR_ASSERT(count <= FR_HULL_MAX_POINTS);
    *out = (fr_hull){.dimension = -1};
    hull_points set = distinct_points(points, count < FR_HULL_MAX_POINTS ? count : FR_HULL_MAX_POINTS);
    out->dimension = spread_first(&set);
    switch (out->dimension) {
    case 3: hull_in_space(&set, out); break;
    case 2: hull_in_plane(&set, out); break;
    case 1: hull_on_line(&set, out); break;
    case 0:
        out->vertices[0] = set.number[0];
        out->vertex_count = 1;
        break;
    default: break;
    }
}

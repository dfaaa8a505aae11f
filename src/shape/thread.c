// Meshes of screw threads. The surface is a grid: points of the profile along helices, and slices around the axis. One
// slice's points stand above one another, in one column, and go on a pitch higher after a turn. The flat ends cut each
// column, so two columns beside one another are sewn together by the numbers of their points.
#include "fureai/shape_thread.h"

#include "shape/soup.h"

#include <string.h>

#define THREAD_COOKIE 0x54485244u
#define HEXAGON 6
#define DEPTH 0.54126587736527420 // of the thread, in pitches: 5/8 of the height of the sharp triangle
#define MITRE 0.57735026918962576 // along the axis, of a corner that is moved out by 1: tan 30 degrees
#define CREST (1.0 / 16.0)        // half widths, in pitches
#define ROOT (1.0 / 8.0)
#define CUT 1e-3 // pitches: a point of the profile nearer to an end is left out

fr_thread_def fr_default_thread_def(void) {
    fr_thread_def def;
    memset(&def, 0, sizeof def);
    def.diameter = 0.008;
    def.pitch = 0.00125;
    def.length = 0.0065;
    def.slices = 48;
    def.flank_strips = 1;
    def.axis = FR_AXIS_Z;
    def.cookie = THREAD_COOKIE;
    return def;
}

// The profile of one pitch: from the lower corner of a root over its upper one, a flank, a crest and a flank. Point m
// is point m % count of it, m / count pitches higher.
typedef struct profile {
    const fr_thread_def *def;
    int64_t strips, count; // of a flank, of all points in a pitch
    double gap;
    double low, high; // where the ends cut
} profile;

static double crest_radius(const profile *p) { return 0.5 * p->def->diameter + p->gap; }

// Where point m of slice 0 is along the axis, and how far from it.
static double height_of(const profile *p, int64_t m, double *radius) {
    int64_t turn = m >= 0 ? m / p->count : -((p->count - 1 - m) / p->count), k = m - turn * p->count;
    double pitch = p->def->pitch, root = ROOT * pitch - MITRE * p->gap, crest = CREST * pitch + MITRE * p->gap;
    double up = crest_radius(p), deep = up - DEPTH * pitch, s, z;
    if (k <= p->strips + 1 && k > 0) { // the flank up
        s = (double)(k - 1) / (double)p->strips;
        z = root + s * (0.5 * pitch - crest - root);
    } else { // the flank down, to the next root
        k = k == 0 ? p->count : k;
        turn = k == p->count ? turn - 1 : turn;
        s = 1.0 - (double)(k - p->strips - 2) / (double)p->strips;
        z = pitch - root - s * (0.5 * pitch - crest - root);
    }
    *radius = deep + s * (up - deep);
    return (double)turn * pitch + z;
}

// ---------------------------------------------------------------------------------------------------------------
// Columns

// The points of a slice: at the lower end, those of the profile from `first`, at the upper end.
typedef struct column {
    int64_t first, last; // of the profile; none where last < first
    uint32_t start;      // its first vertex
} column;

static uint32_t top_of(const column *c) { return c->start + (uint32_t)(c->last - c->first) + 2; }

static double rise_of(const profile *p, uint32_t slice) {
    return p->def->pitch * (double)slice / (double)p->def->slices;
}

// The lowest point above a height, for a slice.
static int64_t first_above(const profile *p, uint32_t slice, double height) {
    double rise = rise_of(p, slice), radius;
    int64_t m = ((int64_t)floor((height - rise) / p->def->pitch) - 1) * p->count;
    while (height_of(p, m, &radius) + rise <= height) {
        m++;
    }
    return m;
}

// The radius of the surface at a height, between two points of the profile.
static double radius_at(const profile *p, uint32_t slice, double height) {
    double rise = rise_of(p, slice), radius, below_radius;
    int64_t m = first_above(p, slice, height);
    double above = height_of(p, m, &radius) + rise, below = height_of(p, m - 1, &below_radius) + rise;
    double s = (height - below) / (above - below);
    return below_radius + s * (radius - below_radius);
}

static column column_of(const profile *p, uint32_t slice, uint32_t start) {
    double cut = CUT * p->def->pitch;
    return (column){first_above(p, slice, p->low + cut), first_above(p, slice, p->high - cut) - 1, start};
}

static column add_column(const profile *p, uint32_t slice, fr__soup *soup) {
    double sine, cosine, rise = rise_of(p, slice);
    fr_sincos(2.0 * FR_PI * (double)slice / (double)p->def->slices, &sine, &cosine);
    column c = column_of(p, slice, soup->vertex_count);
    for (int64_t m = c.first - 1; m <= c.last + 1; m++) {
        double radius, height = m < c.first ? p->low : p->high;
        if (m < c.first || m > c.last) {
            radius = radius_at(p, slice, height);
        } else {
            height = height_of(p, m, &radius) + rise;
        }
        fr_vec3 point = fr_vec3_make(radius * cosine, radius * sine, height);
        (void)fr__soup_add_point(soup, fr__turn_to_axis(point, p->def->axis));
    }
    return c;
}

// ---------------------------------------------------------------------------------------------------------------
// Faces

static bool is_nut(const profile *p) { return p->def->across > 0.0; }

// Faces of the hole look inwards.
static void add_face(const profile *p, fr__soup *soup, uint32_t a, uint32_t b, uint32_t c) {
    if (is_nut(p)) {
        fr__soup_add_triangle(soup, a, c, b);
    } else {
        fr__soup_add_triangle(soup, a, b, c);
    }
}

// Points of two columns with one number stand beside one another.
static void sew(const profile *p, const column *left, const column *right, int64_t shift, fr__soup *soup) {
    uint32_t a = left->start, b = right->start, end_a = top_of(left), end_b = top_of(right);
    int64_t next_a = left->first, next_b = right->first - shift;
    while (a < end_a || b < end_b) {
        int64_t at_a = a >= end_a ? INT64_MAX : next_a > left->last ? INT64_MAX - 1 : next_a;
        int64_t at_b = b >= end_b ? INT64_MAX : next_b > right->last - shift ? INT64_MAX - 1 : next_b;
        if (at_a == at_b) {
            add_face(p, soup, a, b, b + 1);
            add_face(p, soup, a, b + 1, a + 1);
        } else if (at_a < at_b) {
            add_face(p, soup, a, b, a + 1);
        } else {
            add_face(p, soup, a, b, b + 1);
        }
        if (at_a <= at_b) {
            a++;
            next_a++;
        }
        if (at_b <= at_a) {
            b++;
            next_b++;
        }
    }
}

// A rod's ends are fans about their middles.
static void close_rod(fr__soup *soup, const column *c, const column *next, uint32_t middle) {
    fr__soup_add_triangle(soup, middle, next->start, c->start);
    fr__soup_add_triangle(soup, middle + 1, top_of(c), top_of(next));
}

// The outer vertices of a nut: the lower corner of each edge, then the upper one.
static uint32_t add_hexagon(const profile *p, fr__soup *soup) {
    uint32_t first = soup->vertex_count;
    double radius = p->def->across / sqrt(3.0);
    for (uint32_t i = 0; i < HEXAGON; i++) {
        double sine, cosine;
        fr_sincos(FR_PI * (double)i / 3.0, &sine, &cosine);
        for (int k = 0; k < 2; k++) {
            fr_vec3 point = fr_vec3_make(radius * cosine, radius * sine, k == 0 ? p->low : p->high);
            (void)fr__soup_add_point(soup, fr__turn_to_axis(point, p->def->axis));
        }
    }
    for (uint32_t i = 0; i < HEXAGON; i++) {
        uint32_t a = first + 2 * i, b = first + 2 * ((i + 1) % HEXAGON);
        fr__soup_add_triangle(soup, a, b, b + 1);
        fr__soup_add_triangle(soup, a, b + 1, a + 1);
    }
    return first;
}

// The ends of a nut between one slice of the hole and the next; `corner` is the edge of the hexagon that is reached.
static void close_nut(const profile *p, fr__soup *soup, uint32_t slice, const column *c, const column *next,
                      uint32_t hexagon, uint32_t *corner) {
    uint64_t turn = 2 * (uint64_t)p->def->slices;
    uint32_t here = hexagon + 2 * (*corner % HEXAGON);
    fr__soup_add_triangle(soup, c->start, next->start, here);
    fr__soup_add_triangle(soup, top_of(c), here + 1, top_of(next));
    // The next corner comes where the slices are half an edge before it
    while (*corner < HEXAGON && HEXAGON * 2 * ((uint64_t)slice + 1) >= (2 * (uint64_t)*corner + 1) * turn / 2) {
        uint32_t from = hexagon + 2 * *corner, to = hexagon + 2 * ((*corner + 1) % HEXAGON);
        fr__soup_add_triangle(soup, next->start, to, from);
        fr__soup_add_triangle(soup, top_of(next), from + 1, to + 1);
        (*corner)++;
    }
}

static void fill(const profile *p, fr__soup *soup) {
    uint32_t outer = 0, corner = 0, slices = p->def->slices;
    if (is_nut(p)) {
        outer = add_hexagon(p, soup);
    } else {
        outer = fr__soup_add_point(soup, fr__turn_to_axis(fr_vec3_make(0.0, 0.0, p->low), p->def->axis));
        (void)fr__soup_add_point(soup, fr__turn_to_axis(fr_vec3_make(0.0, 0.0, p->high), p->def->axis));
    }
    column first = add_column(p, 0, soup), last = first;
    for (uint32_t i = 0; i < slices; i++) {
        bool is_last = i + 1 == slices;
        column next = is_last ? first : add_column(p, i + 1, soup);
        sew(p, &last, &next, is_last ? p->count : 0, soup);
        if (is_nut(p)) {
            close_nut(p, soup, i, &last, &next, outer, &corner);
        } else {
            close_rod(soup, &last, &next, outer);
        }
        last = next;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The mesh

static bool is_size(double x) { return isfinite(x) && x > 0.0; }

static fr_status check_def(const fr_thread_def *def, fr_error *error) {
    if (def->cookie != THREAD_COOKIE) { return fr_error_set_cookie(error, "fr_default_thread_def"); }
    if (!is_size(def->diameter) || !is_size(def->pitch) || !is_size(def->length) || def->length < def->pitch ||
        !(2.0 * DEPTH * def->pitch < 0.9 * def->diameter)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "a thread needs a length of a pitch or more, and a diameter over 1.21 pitches");
    }
    if (!(def->gap >= 0.0 && def->gap <= 0.2 * def->pitch)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the gap of a thread is not in 0 .. pitch / 5");
    }
    bool has_room = isfinite(def->across) && 0.5 * def->across > 1.05 * (0.5 * def->diameter + def->gap);
    if (def->across != 0.0 && !has_room) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the hexagon of a nut does not hold its thread");
    }
    if (def->slices < 6 || def->slices > FR_THREAD_MAX_SLICES || def->flank_strips < 1 ||
        def->flank_strips > FR_THREAD_MAX_FLANK_STRIPS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a thread has 6 to %d slices and 1 to %d strips a flank",
                            FR_THREAD_MAX_SLICES, FR_THREAD_MAX_FLANK_STRIPS);
    }
    if (def->length / def->pitch > 1e6) { return fr_error_set(error, FR_ERROR_LIMIT, "a thread of over 10^6 turns"); }
    return FR_OK;
}

fr_status fr_mesh_create_thread(const fr_thread_def *def, const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    profile p = {.def = def, .strips = def->flank_strips, .count = 2 * (int64_t)def->flank_strips + 2};
    p.gap = def->across > 0.0 ? def->gap : 0.0;
    p.low = -0.5 * def->length;
    p.high = 0.5 * def->length;
    uint64_t vertices = is_nut(&p) ? (uint64_t)2 * HEXAGON : 2;
    for (uint32_t i = 0; i < def->slices; i++) {
        column c = column_of(&p, i, 0);
        vertices += (uint64_t)(c.last - c.first) + 3;
    }
    // A closed surface with a hole has twice as many faces as vertices, one without four less
    fr__soup soup;
    status = fr__soup_take(vertices, 2 * vertices - (is_nut(&p) ? 0 : 4), like, &soup, error);
    if (status != FR_OK) { return status; }
    fill(&p, &soup);
    return fr__soup_finish(&soup, like, out, error);
}

// Fills the pixels of triangles, four at once.
#include "radar/raster.h"

#include "math/wide.h"

#include <math.h>

// A side of the triangle: inside is where dx (y - py) - dy (x - px) is >= 0 or, on the other side, < 0.
typedef struct side {
    double px, py, dx, dy;
    bool is_left; // inside is >= 0
} side;

typedef struct filled {
    side sides[3];
    double x0, y0, z0, slope_x, slope_y; // plane of depths
    double z_min, z_max;
    int left, right, bottom, top; // pixels, ends included
} filled;

static bool comes_first(const fr__facet *f, int a, int b) {
    return f->x[a] < f->x[b] || (f->x[a] == f->x[b] && f->y[a] < f->y[b]);
}

static double least(const double v[3]) { return fr__lesser(fr__lesser(v[0], v[1]), v[2]); }
static double greatest(const double v[3]) { return fr__greater(fr__greater(v[0], v[1]), v[2]); }

// The pixels whose centres lie between two coordinates, kept to 0 .. count - 1.
static bool centres(double low, double high, uint32_t count, int *first, int *last) {
    double a = ceil(low - 0.5), b = floor(high - 0.5);
    a = a > 0.0 ? a : 0.0;
    b = b < (double)count - 1.0 ? b : (double)count - 1.0;
    if (!(a <= b)) { return false; }
    *first = (int)a;
    *last = (int)b;
    return true;
}

// False where no line can meet the triangle: outside, between lines, or seen edge-on.
static bool prepare(const fr__raster *raster, const fr__facet *f, filled *out) {
    if (!centres(least(f->x), greatest(f->x), raster->width, &out->left, &out->right) ||
        !centres(least(f->y), greatest(f->y), raster->height, &out->bottom, &out->top)) {
        return false;
    }
    double ux = f->x[1] - f->x[0], uy = f->y[1] - f->y[0], vx = f->x[2] - f->x[0], vy = f->y[2] - f->y[0];
    double area = ux * vy - uy * vx;
    if (area == 0.0) { return false; }
    for (int i = 0; i < 3; i++) {
        int a = i, b = (i + 1) % 3;
        bool forward = comes_first(f, a, b);
        int from = forward ? a : b, to = forward ? b : a;
        out->sides[i] =
            (side){f->x[from], f->y[from], f->x[to] - f->x[from], f->y[to] - f->y[from], forward == (area > 0.0)};
    }
    double uz = f->z[1] - f->z[0], vz = f->z[2] - f->z[0];
    out->x0 = f->x[0];
    out->y0 = f->y[0];
    out->z0 = f->z[0];
    out->slope_x = (uz * vy - vz * uy) / area;
    out->slope_y = (vz * ux - uz * vx) / area;
    out->z_min = least(f->z);
    out->z_max = greatest(f->z);
    return true;
}

// Four pixels of a row: which of them are inside, and how deep the triangle is there.
FR__WIDE fr__m4 fill(const filled *t, fr__d4 x, double y, fr__d4 *depth) {
    const fr__d4 zero = fr__d4_splat(0.0);
    fr__m4 inside = fr__m4_first(4);
    for (int i = 0; i < 3; i++) {
        const side *s = &t->sides[i];
        fr__d4 across = fr__d4_sub(fr__d4_splat(s->dx * (y - s->py)),
                                   fr__d4_mul(fr__d4_splat(s->dy), fr__d4_sub(x, fr__d4_splat(s->px))));
        inside = fr__m4_and(inside, s->is_left ? fr__d4_ge(across, zero) : fr__d4_lt(across, zero));
    }
    fr__d4 z = fr__d4_add(fr__d4_splat(t->z0 + t->slope_y * (y - t->y0)),
                          fr__d4_mul(fr__d4_splat(t->slope_x), fr__d4_sub(x, fr__d4_splat(t->x0))));
    *depth = fr__d4_max(fr__d4_min(z, fr__d4_splat(t->z_max)), fr__d4_splat(t->z_min));
    return inside;
}

FR__WIDE fr__d4 centres_from(int x) {
    static const double steps[4] = {0.5, 1.5, 2.5, 3.5};
    return fr__d4_add(fr__d4_splat((double)x), fr__d4_load(steps));
}

// Puts depths into sorted layers, greatest first; what falls out behind the last is lost.
static void draw_layers(fr__raster *raster, double *const *layers, const fr__facet *facets, size_t count) {
    const fr__d4 none = fr__d4_splat(-INFINITY);
    for (size_t k = 0; k < count; k++) {
        filled t;
        if (!prepare(raster, &facets[k], &t)) { continue; }
        for (int y = t.bottom; y <= t.top; y++) {
            for (int x = t.left & ~3; x <= t.right; x += 4) {
                fr__d4 z;
                fr__m4 inside = fill(&t, centres_from(x), (double)y + 0.5, &z);
                if (fr__m4_bits(inside) == 0) { continue; }
                z = fr__d4_select(inside, z, none);
                size_t at = (size_t)y * raster->stride + (size_t)x;
                for (uint32_t i = 0; i < raster->layers; i++) {
                    fr__d4 old = fr__d4_load(layers[i] + at);
                    fr__d4_store(layers[i] + at, fr__d4_max(old, z));
                    z = fr__d4_min(old, z);
                }
                if (fr__m4_bits(fr__d4_gt(z, none)) != 0) { raster->is_overflown = true; }
            }
        }
    }
}

// How far each of four columns may go until a face at depth z is met.
FR__WIDE fr__d4 travels(fr__raster *raster, size_t at, fr__m4 inside, fr__d4 z) {
    const fr__d4 none = fr__d4_splat(-INFINITY), zero = fr__d4_splat(0.0);
    fr__d4 nearest = none;
    if (raster->as_printed) {
        nearest = fr__d4_load(raster->exits[0] + at);
        fr__m4 behind = fr__m4_and(fr__m4_and(inside, fr__d4_gt(nearest, none)),
                                   fr__d4_lt(z, fr__d4_sub(nearest, fr__d4_splat(raster->slack))));
        if (fr__m4_bits(behind) != 0) { raster->is_behind = true; }
        return fr__d4_sub(z, nearest);
    }
    fr__d4 reach = fr__d4_add(z, fr__d4_splat(raster->slack)), inner = fr__d4_sub(z, fr__d4_splat(raster->slack));
    fr__d4 depth = zero, one = fr__d4_splat(1.0);
    bool is_closed = raster->entries[0] != NULL;
    for (uint32_t i = 0; i < raster->layers; i++) {
        fr__d4 exit = fr__d4_load(raster->exits[i] + at);
        nearest = fr__d4_max(nearest, fr__d4_select(fr__d4_le(exit, reach), exit, none));
        if (!is_closed) { continue; }
        fr__d4 entry = fr__d4_load(raster->entries[i] + at);
        depth = fr__d4_add(depth, fr__d4_select(fr__d4_gt(exit, reach), one, zero));
        depth = fr__d4_sub(depth, fr__d4_select(fr__d4_gt(entry, inner), one, zero));
    }
    if (is_closed && fr__m4_bits(fr__m4_and(inside, fr__d4_gt(depth, zero))) != 0) { raster->is_inside = true; }
    return fr__d4_max(fr__d4_sub(z, nearest), zero);
}

// Names what is met in the columns of `bits`. Of two that are met alike the lower object and triangle is named.
static void name(const fr__raster *raster, const fr__facet *f, size_t at, int bits, const double travel[4],
                 const double z[4]) {
    for (size_t i = 0; i < 4; i++) {
        size_t p = at + i;
        if ((bits >> i & 1) == 0) { continue; }
        bool is_same = travel[i] == raster->free_travel[p];
        bool is_later =
            f->object > raster->object[p] || (f->object == raster->object[p] && f->triangle >= raster->triangle[p]);
        if (is_same && is_later) { continue; }
        raster->free_travel[p] = travel[i];
        raster->range[p] = z[i];
        raster->object[p] = f->object;
        raster->triangle[p] = f->triangle;
    }
}

static void draw_range(fr__raster *raster, const fr__facet *facets, size_t count) {
    const fr__d4 endless = fr__d4_splat(INFINITY);
    for (size_t k = 0; k < count; k++) {
        filled t;
        if (!prepare(raster, &facets[k], &t)) { continue; }
        for (int y = t.bottom; y <= t.top; y++) {
            for (int x = t.left & ~3; x <= t.right; x += 4) {
                fr__d4 z;
                fr__m4 inside = fill(&t, centres_from(x), (double)y + 0.5, &z);
                if (fr__m4_bits(inside) == 0) { continue; }
                size_t at = (size_t)y * raster->stride + (size_t)x;
                fr__d4 travel = travels(raster, at, inside, z);
                fr__m4 better = fr__m4_and(inside, fr__d4_le(travel, fr__d4_load(raster->free_travel + at)));
                int bits = fr__m4_bits(fr__m4_and(better, fr__d4_lt(travel, endless)));
                if (bits == 0) { continue; }
                double travel_of_lane[4], z_of[4];
                fr__d4_store(travel_of_lane, travel);
                fr__d4_store(z_of, z);
                name(raster, &facets[k], at, bits, travel_of_lane, z_of);
            }
        }
    }
}

const fr__raster_table FR_KERNEL_NAME(fr__raster_kernel) = {draw_layers, draw_range};

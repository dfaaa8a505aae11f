// A polygon that planes across the axes cut pieces off.
#ifndef FUREAI_RADAR_POLYGON_H
#define FUREAI_RADAR_POLYGON_H

#include "radar/raster.h"

// A triangle cut by six planes has at most 9 corners.
typedef struct fr__polygon {
    int count;
    double p[10][3]; // x, y, z
} fr__polygon;

static inline fr__polygon fr__polygon_of(const fr__facet *f) {
    fr__polygon poly = {.count = 3};
    for (int k = 0; k < 3; k++) {
        poly.p[k][0] = f->x[k];
        poly.p[k][1] = f->y[k];
        poly.p[k][2] = f->z[k];
    }
    return poly;
}

// Keeps what lies on one side of a plane: sign * (p[axis] - at) >= 0.
static inline void fr__polygon_cut(fr__polygon *poly, int axis, double at, double sign) {
    fr__polygon kept;
    kept.count = 0;
    for (int i = 0; i < poly->count; i++) {
        const double *a = poly->p[i], *b = poly->p[i + 1 < poly->count ? i + 1 : 0];
        double da = sign * (a[axis] - at), db = sign * (b[axis] - at);
        if (da >= 0.0) {
            for (int k = 0; k < 3; k++) {
                kept.p[kept.count][k] = a[k];
            }
            kept.count++;
        }
        if ((da >= 0.0) == (db >= 0.0)) { continue; }
        double t = da / (da - db);
        for (int k = 0; k < 3; k++) {
            kept.p[kept.count][k] = k == axis ? at : a[k] + t * (b[k] - a[k]);
        }
        kept.count++;
    }
    *poly = kept;
}

// Keeps what lies between two planes.
static inline void fr__polygon_keep(fr__polygon *poly, int axis, double low, double high) {
    fr__polygon_cut(poly, axis, low, 1.0);
    fr__polygon_cut(poly, axis, high, -1.0);
}

// The corner that is least deep; there is one.
static inline const double *fr__polygon_nearest(const fr__polygon *poly) {
    int least = 0;
    for (int i = 1; i < poly->count; i++) {
        if (poly->p[i][2] < poly->p[least][2]) { least = i; }
    }
    return poly->p[least];
}

#endif

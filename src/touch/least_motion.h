// The least motion that keeps linear constraints: a small quadratic program.
#ifndef FUREAI_TOUCH_LEAST_MOTION_H
#define FUREAI_TOUCH_LEAST_MOTION_H

#include "fureai/math.h"

// g . (v, w) >= need, v a travel and w a turn.
typedef struct fr__motion_row {
    double g[6];
    double need;
    double size; // of the row in the metric: set by the solver
    double a[6]; // the row there, of length 1: set by the solver
} fr__motion_row;

// What weighs a travel against a turn: the inverse of the mass, and a root of the inverse inertia, L with L L^T = it.
typedef struct fr__motion_metric {
    double root_mass;
    double root_inertia[3][3]; // lower triangle
} fr__motion_metric;

// The root of an inverse mass and of an inverse inertia, which may be singular.
fr__motion_metric fr__motion_metric_of(double inverse_mass, const fr_mat3 *inverse_inertia);

typedef struct fr__least_motion {
    fr_vec3 travel, turn;
    uint32_t active[6]; // rows that hold it
    uint32_t active_count;
} fr__least_motion;

// The (v, w) of the least m |v|^2 + w I w that keeps all rows, within `slack` of their needs; false: there is none.
// Dual active set: begins with no motion and adds the row that is missed by the largest distance. O(rows) a change.
bool fr__least_motion_find(const fr__motion_metric *metric, fr__motion_row *rows, uint32_t count, double slack,
                           fr__least_motion *out);

#endif

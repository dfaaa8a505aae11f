// The dual method of Goldfarb and Idnani in six dimensions. In the metric's coordinates y, (v, w) = S y, the motion
// sought is the point of a polyhedron that is nearest to the origin. At all times y is the nearest point of what the
// active rows allow, their multipliers are not negative, and |y| only grows, so no set of active rows comes twice.
#include "touch/least_motion.h"

#include <string.h>

#define MAX_CHANGES 400
#define DEPENDENT 1e-10 // squared: a row that leaves no more of itself across the active ones depends on them
#define NO_SIZE 1e-100  // a row that nothing moves

fr__motion_metric fr__motion_metric_of(double inverse_mass, const fr_mat3 *inverse_inertia) {
    fr__motion_metric metric;
    memset(&metric, 0, sizeof metric);
    metric.root_mass = inverse_mass > 0.0 ? sqrt(inverse_mass) : 0.0;
    double m[3][3], largest = 0.0;
    for (int i = 0; i < 3; i++) {
        const fr_vec3 row = inverse_inertia->row[i];
        m[i][0] = row.x;
        m[i][1] = row.y;
        m[i][2] = row.z;
        largest = fmax(largest, m[i][i]);
    }
    for (int k = 0; k < 3; k++) {
        double pivot = m[k][k];
        for (int j = 0; j < k; j++) {
            pivot -= metric.root_inertia[k][j] * metric.root_inertia[k][j];
        }
        if (!(pivot > 1e-14 * largest)) { continue; } // it does not turn about what is left of this axis
        metric.root_inertia[k][k] = sqrt(pivot);
        for (int i = k + 1; i < 3; i++) {
            double sum = m[i][k];
            for (int j = 0; j < k; j++) {
                sum -= metric.root_inertia[i][j] * metric.root_inertia[k][j];
            }
            metric.root_inertia[i][k] = sum / metric.root_inertia[k][k];
        }
    }
    return metric;
}

static double dot6(const double a[6], const double b[6]) {
    return ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5]);
}

// Rows in the metric, of length 1. False: one that nothing moves is missed.
static bool scale_rows(const fr__motion_metric *metric, fr__motion_row *rows, uint32_t count, double slack) {
    for (uint32_t i = 0; i < count; i++) {
        fr__motion_row *row = &rows[i];
        for (int k = 0; k < 3; k++) {
            row->a[k] = metric->root_mass * row->g[k];
            double sum = 0.0;
            for (int j = k; j < 3; j++) {
                sum += metric->root_inertia[j][k] * row->g[3 + j];
            }
            row->a[3 + k] = sum;
        }
        row->size = sqrt(dot6(row->a, row->a));
        if (row->size <= NO_SIZE) {
            if (row->need > slack) { return false; }
            row->size = 0.0;
            memset(row->a, 0, sizeof row->a);
            continue;
        }
        for (int k = 0; k < 6; k++) {
            row->a[k] /= row->size;
        }
    }
    return true;
}

typedef struct dual {
    const fr__motion_row *rows;
    double y[6];
    uint32_t active[6], count;
    double multiplier[6];
} dual;

// The row that is missed by the largest distance; `count`: none.
static uint32_t most_missed(const dual *d, uint32_t count, double slack) {
    uint32_t found = count;
    double largest = slack;
    for (uint32_t i = 0; i < count; i++) {
        double missed = d->rows[i].need - d->rows[i].size * dot6(d->rows[i].a, d->y);
        if (missed > largest) {
            largest = missed;
            found = i;
        }
    }
    return found;
}

// What the active rows make of a row, r, and what is left of it across them, z. Gauss with pivots on their products.
static void resolve(const dual *d, const double a[6], double r[6], double z[6]) {
    double m[6][7];
    uint32_t n = d->count;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            m[i][j] = dot6(d->rows[d->active[i]].a, d->rows[d->active[j]].a);
        }
        m[i][n] = dot6(d->rows[d->active[i]].a, a);
    }
    for (uint32_t k = 0; k < n; k++) { // positive definite: no pivots need be chosen
        for (uint32_t i = k + 1; i < n; i++) {
            double factor = m[i][k] / m[k][k];
            for (uint32_t j = k; j <= n; j++) {
                m[i][j] -= factor * m[k][j];
            }
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        r[k] = m[k][n];
        for (uint32_t j = k + 1; j < n; j++) {
            r[k] -= m[k][j] * r[j];
        }
        r[k] /= m[k][k];
    }
    memcpy(z, a, 6 * sizeof z[0]);
    for (uint32_t i = 0; i < n; i++) {
        for (int k = 0; k < 6; k++) {
            z[k] -= r[i] * d->rows[d->active[i]].a[k];
        }
    }
}

static void drop(dual *d, uint32_t i) {
    d->count--;
    for (; i < d->count; i++) {
        d->active[i] = d->active[i + 1];
        d->multiplier[i] = d->multiplier[i + 1];
    }
}

// Makes a row active, and drops what it makes needless. False: it cannot be kept together with the others.
static bool add_row(dual *d, uint32_t row, uint32_t *changes) {
    const double *a = d->rows[row].a;
    double need = d->rows[row].need / d->rows[row].size, own = 0.0;
    for (; *changes < MAX_CHANGES; (*changes)++) {
        double r[6], z[6];
        resolve(d, a, r, z);
        double across = dot6(z, z), full = INFINITY, part = INFINITY;
        if (d->count < 6 && across > DEPENDENT) { full = (need - dot6(a, d->y)) / across; }
        uint32_t blocking = 0;
        for (uint32_t i = 0; i < d->count; i++) {
            if (!(r[i] > 0.0) || !(d->multiplier[i] / r[i] < part)) { continue; }
            part = d->multiplier[i] / r[i];
            blocking = i;
        }
        double t = fmin(full, part);
        if (!isfinite(t)) { return false; }
        for (uint32_t i = 0; i < d->count; i++) {
            d->multiplier[i] = fmax(d->multiplier[i] - t * r[i], 0.0);
        }
        own += t;
        for (int k = 0; k < 6 && isfinite(full); k++) {
            d->y[k] += t * z[k];
        }
        if (full <= part) {
            d->multiplier[d->count] = own;
            d->active[d->count++] = row;
            return true;
        }
        drop(d, blocking);
    }
    return false;
}

bool fr__least_motion_find(const fr__motion_metric *metric, fr__motion_row *rows, uint32_t count, double slack,
                           fr__least_motion *out) {
    dual d = {.rows = rows, .count = 0};
    memset(out, 0, sizeof *out);
    if (!scale_rows(metric, rows, count, slack)) { return false; }
    uint32_t changes = 0;
    for (uint32_t row = most_missed(&d, count, slack); row < count; row = most_missed(&d, count, slack)) {
        if (changes++ >= MAX_CHANGES || !add_row(&d, row, &changes)) { return false; }
    }
    double turn[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j <= i; j++) {
            turn[i] += metric->root_inertia[i][j] * d.y[3 + j];
        }
    }
    out->travel = fr_vec3_scale(metric->root_mass, fr_vec3_make(d.y[0], d.y[1], d.y[2]));
    out->turn = fr_vec3_make(turn[0], turn[1], turn[2]);
    out->active_count = d.count;
    memcpy(out->active, d.active, sizeof out->active);
    return true;
}

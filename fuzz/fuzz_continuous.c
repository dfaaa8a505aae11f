// Any bytes as two moving sets: every search over a step ends, misses no sample that touches, is never late, and keeps
// to its answer when its arguments are swapped.
#include "fureai/shape.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NUMBERS 48
#define SAMPLES 32

typedef struct moving {
    fr_triangle_path path;
    fr_motion motion;
} moving;

static void require(bool holds) {
    if (!holds) { abort(); }
}

// One byte a number, from a grid on which sets meet, or eight bytes taken as they are.
static void read_numbers(const uint8_t *data, size_t size, double out[NUMBERS]) {
    memset(out, 0, NUMBERS * sizeof *out);
    bool whole = size > 0 && (data[0] & 1) != 0;
    size_t bytes = whole ? 8 : 1, count = size > 1 ? (size - 2) / bytes : 0;
    for (size_t i = 0; i < count && i < NUMBERS; i++) {
        if (whole) {
            memcpy(&out[i], data + 2 + 8 * i, 8);
        } else {
            out[i] = (double)(int8_t)data[2 + i] * 0.25;
        }
    }
}

static fr_vec3 point_of(const double *n) { return fr_vec3_make(n[0], n[1], n[2]); }

// 24 numbers: the corners at the start, then those at the end, or pivot, travel and turn.
static void make_moving(const double *n, bool is_rigid, moving *out) {
    for (int i = 0; i < 3; i++) {
        out->path.start[i] = point_of(n + 3 * i);
        out->path.end[i] = point_of(n + 9 + 3 * i);
    }
    fr_pose pose = fr_pose_identity();
    out->motion = fr_motion_still(&pose);
    out->motion.pivot_local = point_of(n + 9);
    out->motion.travel = point_of(n + 12);
    out->motion.turn = point_of(n + 15);
    out->path.motion = is_rigid ? &out->motion : NULL;
}

static void place(const moving *m, double t, fr_vec3 out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = m->path.motion != NULL ? fr_motion_point(&m->motion, m->path.start[i], t)
                                        : fr_vec3_lerp(m->path.start[i], m->path.end[i], t);
    }
}

// Whether every number is one for which answers are promised here, and small enough for the rounding below.
static bool is_in_range(const double n[NUMBERS]) {
    for (int i = 0; i < NUMBERS; i++) {
        if (!(n[i] == 0.0 || (fabs(n[i]) >= 1e-30 && fabs(n[i]) <= 1e3))) { return false; }
    }
    return true;
}

typedef bool time_fn(const fr_triangle_path *a, const fr_triangle_path *b, const fr_time_input *options,
                     fr_time_output *out);

static double distance_at(const moving *a, const moving *b, int corners, double t) {
    fr_vec3 p[3], q[3];
    place(a, t, p);
    place(b, t, q);
    if (corners == 1) { return fr_triangle_closest(q, p[0]).distance; }
    return corners == 2 ? fr_segment_distance(p, q, NULL, NULL) : fr_triangle_distance(p, q, NULL, NULL);
}

// How many times 64 radians two sets turn together, at least 1: a search may take so many times its cap of steps.
static double turns_of(const moving *a, const moving *b) {
    double turn = (a->path.motion != NULL ? fr_vec3_length(a->motion.turn) : 0.0) +
                  (b->path.motion != NULL ? fr_vec3_length(b->motion.turn) : 0.0);
    return turn > 64.0 ? turn / 64.0 : 1.0;
}

static void try_pair(const moving *a, const moving *b, int corners, time_fn *time, const fr_time_input *options,
                     bool in_range) {
    fr_time_output r, swapped;
    bool hit = time(&a->path, &b->path, options, &r);
    require(hit == r.is_hit && r.iterations <= (1.0 + turns_of(a, b)) * options->cap);
    require(time(&a->path, &b->path, options, NULL) == hit);
    if (corners > 1) { (void)time(&b->path, &a->path, options, &swapped); }
    if (!in_range) { return; }
    bool sure = hit && (r.flags & FR_TIME_NEAR) == 0;
    if (corners > 1 && sure) { require(swapped.is_hit); }
    if (hit) { require(r.time >= 0.0 && r.time <= 1.0 && (sure || fr_is_unknown(r.time_sure))); }
    if (sure) { require(r.time_sure >= r.time && r.time_sure <= 1.0); }
    for (int k = 0; k <= SAMPLES; k++) {
        double t = (double)k / SAMPLES, distance = distance_at(a, b, corners, t);
        // A sample is rounded: of one that touches only by that the search need not know.
        if (distance <= options->separation - 1e-6) { require(hit && r.time <= t); }
    }
    if (hit && (r.flags & FR_TIME_CAPPED) == 0) {
        require(distance_at(a, b, corners, r.time) <= options->separation + options->tolerance + 1e-5);
    }
    if (hit && options->is_end_wanted && corners == 3) { require(r.time_end >= r.time && r.time_end <= 1.0); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    double n[NUMBERS];
    unsigned kind = size > 1 ? data[1] : 0;
    read_numbers(data, size, n);
    moving a, b;
    make_moving(n, (kind & 1) != 0, &a);
    make_moving(n + 24, (kind & 2) != 0, &b);
    fr_time_input options = fr_default_time_input();
    options.separation = (kind & 4) != 0 ? 0.25 : 2e-6;
    options.is_end_wanted = (kind & 8) != 0;
    options.has_ends = (kind & 16) != 0 && a.path.motion == NULL && b.path.motion == NULL;
    options.cap = turns_of(&a, &b) < 100.0 ? (uint32_t)(200.0 / turns_of(&a, &b)) : 2;
    bool in_range = is_in_range(n);
    try_pair(&a, &b, 3, fr_triangle_time, &options, in_range);
    try_pair(&a, &b, 2, fr_edge_edge_time, &options, in_range);
    try_pair(&a, &b, 1, fr_vertex_face_time, &options, in_range);
    return 0;
}

// Tests between triangles and other small sets: pairs a second, the share that needs exact arithmetic, and a plain
// implementation of Moller's test of 1997 in doubles, which is not exact, beside ours.
#include "bench.h"

#include "fureai/shape.h"
#include "shape/triangle_triangle.h"

#include <stdlib.h>

#define TRIANGLES 2048 // stays in the second-level cache

// Random triangles of size 1 whose centres lie in a cube of edge `room`: with 0, half of the pairs are apart by a
// plane.
static fr_vec3 (*make_triangles(bench *b, double room))[3] {
    fr_vec3(*t)[3] = malloc(TRIANGLES * sizeof *t);
    if (t == NULL) {
        bench_skip(b, "out of memory");
        return NULL;
    }
    fr_random random = fr_random_seed(7);
    for (size_t i = 0; i < TRIANGLES; i++) {
        double c[3];
        for (int k = 0; k < 3; k++) {
            c[k] = room * fr_random_between(&random, -0.5, 0.5);
        }
        for (int k = 0; k < 3; k++) {
            double x = fr_random_between(&random, -0.5, 0.5), y = fr_random_between(&random, -0.5, 0.5);
            t[i][k] = fr_vec3_make(c[0] + x, c[1] + y, c[2] + fr_random_between(&random, -0.5, 0.5));
        }
    }
    return t;
}

// The partner of triangle i in pair `turn`: no order that a branch predictor could learn.
static size_t partner(size_t i, size_t turn) { return (i + 1237 * turn + 1) % TRIANGLES; }

typedef bool overlap_fn(const fr_vec3 a[3], const fr_vec3 b[3]);

static void count_shares(bench *b, fr_vec3 (*t)[3], size_t turns) {
    size_t rejected = 0, unsure = 0, hits = 0;
    for (size_t turn = 0; turn < turns; turn++) {
        for (size_t i = 0; i < TRIANGLES; i++) {
            const fr_vec3 *p = t[i], *q = t[partner(i, turn)];
            bool open;
            rejected += fr__sides_are_one(fr__triangle_sides(q, p, &open)) ||
                        fr__sides_are_one(fr__triangle_sides(p, q, &open));
            unsure += fr__triangle_overlap_filter(p, q) == FR__UNSURE;
            hits += fr_triangle_overlap(p, q);
        }
    }
    double pairs = (double)(turns * TRIANGLES);
    bench_count(b, "hit_percent", 100.0 * (double)hits / pairs);
    bench_count(b, "plane_rejected_percent", 100.0 * (double)rejected / pairs);
    bench_count(b, "exact_percent", 100.0 * (double)unsure / pairs);
}

static void run_pairs(bench *b, fr_vec3 (*t)[3], overlap_fn *overlap) {
    size_t turns = bench_size(b, 1, 500);
    while (bench_repeat(b)) {
        size_t hits = 0;
        for (size_t turn = 0; turn < turns; turn++) {
            for (size_t i = 0; i < TRIANGLES; i++) {
                hits += overlap(t[i], t[partner(i, turn)]);
            }
        }
        bench_keep(&hits);
    }
    bench_items(b, (double)(turns * TRIANGLES));
    count_shares(b, t, turns < 20 ? turns : 20);
}

// ---------------------------------------------------------------------------------------------------------------
// The baseline: T. Moller, "A Fast Triangle-Triangle Intersection Test" (1997), as printed, in doubles, without
// epsilon. Coplanar pairs, which do not occur here, count as apart.

static double along_axis(fr_vec3 p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

// The interval of a triangle on the line of the planes, from its corners' projections p and plane distances d.
static void moller_interval(const double p[3], const double d[3], double interval[2]) {
    int lone = d[0] * d[1] > 0.0                  ? 2
               : d[0] * d[2] > 0.0                ? 1
               : d[1] * d[2] > 0.0 || d[0] != 0.0 ? 0
               : d[1] != 0.0                      ? 1
                                                  : 2;
    int i = (lone + 1) % 3, j = (lone + 2) % 3;
    double s = p[lone] + (p[i] - p[lone]) * d[lone] / (d[lone] - d[i]);
    double t = p[lone] + (p[j] - p[lone]) * d[lone] / (d[lone] - d[j]);
    interval[0] = s < t ? s : t;
    interval[1] = s < t ? t : s;
}

static bool moller_plane_distances(const fr_vec3 t[3], const fr_vec3 p[3], fr_vec3 *normal, double d[3]) {
    *normal = fr_vec3_cross(fr_vec3_sub(t[1], t[0]), fr_vec3_sub(t[2], t[0]));
    double offset = -fr_vec3_dot(*normal, t[0]);
    for (int i = 0; i < 3; i++) {
        d[i] = fr_vec3_dot(*normal, p[i]) + offset;
    }
    return d[0] * d[1] > 0.0 && d[0] * d[2] > 0.0;
}

static bool moller_overlap(const fr_vec3 a[3], const fr_vec3 b[3]) {
    fr_vec3 normal_a, normal_b;
    double d_a[3], d_b[3];
    if (moller_plane_distances(b, a, &normal_b, d_a)) { return false; }
    if (moller_plane_distances(a, b, &normal_a, d_b)) { return false; }
    fr_vec3 line = fr_vec3_cross(normal_a, normal_b);
    double x = fabs(line.x), y = fabs(line.y), z = fabs(line.z);
    int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    double p_a[3], p_b[3], of_a[2], of_b[2];
    for (int i = 0; i < 3; i++) {
        p_a[i] = along_axis(a[i], axis);
        p_b[i] = along_axis(b[i], axis);
    }
    moller_interval(p_a, d_a, of_a);
    moller_interval(p_b, d_b, of_b);
    return of_a[0] <= of_b[1] && of_b[0] <= of_a[1];
}

// ---------------------------------------------------------------------------------------------------------------
// Cases

static void run_in_room(bench *b, double room, overlap_fn *overlap) {
    fr_vec3(*t)[3] = make_triangles(b, room);
    if (t == NULL) { return; }
    run_pairs(b, t, overlap);
    free(t);
}

static void overlap_mixed(bench *b) { run_in_room(b, 0.0, fr_triangle_overlap); }
static void overlap_mixed_moller(bench *b) { run_in_room(b, 0.0, moller_overlap); }
static void overlap_sparse(bench *b) { run_in_room(b, 1.5, fr_triangle_overlap); }
static void overlap_sparse_moller(bench *b) { run_in_room(b, 1.5, moller_overlap); }

// The same pairs with all corners on a grid of 1/4: many touch, share planes, or are degenerate, and need exact signs.
static void overlap_grid(bench *b) {
    fr_vec3(*t)[3] = make_triangles(b, 0.0);
    if (t == NULL) { return; }
    for (size_t i = 0; i < TRIANGLES; i++) {
        for (int k = 0; k < 3; k++) {
            t[i][k] =
                fr_vec3_make(floor(4.0 * t[i][k].x) / 4.0, floor(4.0 * t[i][k].y) / 4.0, floor(4.0 * t[i][k].z) / 4.0);
        }
    }
    run_pairs(b, t, fr_triangle_overlap);
    free(t);
}

static void each_pair(bench *b, double (*test)(const fr_vec3 *p, const fr_vec3 *q)) {
    fr_vec3(*t)[3] = make_triangles(b, 1.5);
    if (t == NULL) { return; }
    size_t turns = bench_size(b, 1, 40);
    while (bench_repeat(b)) {
        double sum = 0.0;
        for (size_t turn = 0; turn < turns; turn++) {
            for (size_t i = 0; i < TRIANGLES; i++) {
                sum += test(t[i], t[partner(i, turn)]);
            }
        }
        bench_keep(&sum);
    }
    bench_items(b, (double)(turns * TRIANGLES));
    free(t);
}

static double one_section(const fr_vec3 *p, const fr_vec3 *q) {
    fr_section s;
    return fr_triangle_section(p, q, &s) ? 1.0 : 0.0;
}

static double one_distance(const fr_vec3 *p, const fr_vec3 *q) { return fr_triangle_distance(p, q, NULL, NULL); }
static double one_closest(const fr_vec3 *p, const fr_vec3 *q) { return fr_triangle_closest(p, q[0]).distance; }

static double one_box(const fr_vec3 *p, const fr_vec3 *q) {
    fr_bounds box = {fr_vec3_min(q[0], q[1]), fr_vec3_max(q[0], q[1])};
    return fr_triangle_box_overlap(p, &box) ? 1.0 : 0.0;
}

// Two triangles, and the hulls of two triangles each: what a face sweeps in a step.
static double one_gjk(const fr_vec3 *p, const fr_vec3 *q) {
    fr_convex a = {p, 3, 0.0}, b = {q, 3, 0.0};
    return fr_gjk(&a, &b, fr_vec3_sub(q[0], p[0])).distance;
}

static double one_gjk_of_six(const fr_vec3 *p, const fr_vec3 *q) {
    fr_vec3 of_p[6], of_q[6], step = {0.1, 0.05, -0.02};
    for (int i = 0; i < 3; i++) {
        of_p[i] = p[i], of_p[3 + i] = fr_vec3_add(p[i], step);
        of_q[i] = q[i], of_q[3 + i] = fr_vec3_sub(q[i], step);
    }
    fr_convex a = {of_p, 6, 0.0}, b = {of_q, 6, 0.0};
    return fr_gjk(&a, &b, fr_vec3_sub(q[0], p[0])).distance;
}

static void section(bench *b) { each_pair(b, one_section); }
static void distance(bench *b) { each_pair(b, one_distance); }
static void closest(bench *b) { each_pair(b, one_closest); }
static void box(bench *b) { each_pair(b, one_box); }
static void gjk(bench *b) { each_pair(b, one_gjk); }
static void gjk_of_six(bench *b) { each_pair(b, one_gjk_of_six); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"overlap_mixed", overlap_mixed},
        {"overlap_mixed_moller", overlap_mixed_moller},
        {"overlap_sparse", overlap_sparse},
        {"overlap_sparse_moller", overlap_sparse_moller},
        {"overlap_grid", overlap_grid},
        {"section", section},
        {"distance", distance},
        {"closest", closest},
        {"box", box},
        {"gjk", gjk},
        {"gjk_of_six", gjk_of_six},
    };
    return bench_main(argc, argv, "fureai", "triangle", cases, sizeof cases / sizeof cases[0]);
}

// The small functions that everything above calls in its innermost loops.
#include "bench.h"

#include "fureai/math.h"
#include "math/orient_filter.h"
#include "math/path_bounds.h"

#include <stdlib.h>

static fr_vec3 random_point(fr_random *random, double reach) {
    double x = fr_random_between(random, -reach, reach);
    double y = fr_random_between(random, -reach, reach);
    double z = fr_random_between(random, -reach, reach);
    return fr_vec3_make(x, y, z);
}

// `count` random points in a cube, or NULL with the case skipped.
static fr_vec3 *make_points(bench *b, size_t count) {
    fr_vec3 *points = malloc(count * sizeof *points);
    if (points == NULL) {
        bench_skip(b, "out of memory");
        return NULL;
    }
    fr_random random = fr_random_seed(1);
    for (size_t i = 0; i < count; ++i) {
        points[i] = random_point(&random, 1.0);
    }
    return points;
}

static fr_motion make_motion(void) {
    fr_pose start = fr_pose_make(fr_vec3_make(1.0, 2.0, 3.0), fr_quat_from_vector(fr_vec3_make(0.3, -0.2, 0.9)));
    return fr_motion_from_velocity(&start, fr_vec3_make(0.1, 0.0, 0.0), fr_vec3_make(0.5, 0.0, -0.2),
                                   fr_vec3_make(0.0, 1.5, 0.4), 1.0);
}

static void pose_apply(bench *b) {
    size_t count = bench_size(b, 100, 100000);
    fr_vec3 *points = make_points(b, 2 * count);
    if (points == NULL) { return; }
    fr_pose pose = make_motion().start;
    while (bench_repeat(b)) {
        fr_pose_apply_many(&pose, points, count, points + count);
    }
    bench_items(b, (double)count);
    bench_keep(points);
    free(points);
}

static void orient3d_random(bench *b) {
    size_t count = bench_size(b, 100, 1000000);
    fr_vec3 *points = make_points(b, count + 3);
    if (points == NULL) { return; }
    while (bench_repeat(b)) {
        size_t above = 0;
        for (size_t i = 0; i < count; ++i) {
            above += fr_orient3d(points[i], points[i + 1], points[i + 2], points[i + 3]) > 0;
        }
        bench_count(b, "above", (double)above);
    }
    bench_items(b, (double)count);
    free(points);
}

// The filter alone, inlined as hot loops have it, and the share it leaves to the later stages.
static void orient3d_filter(bench *b) {
    size_t count = bench_size(b, 100, 4096), rounds = bench_size(b, 1, 1000);
    fr_vec3 *points = make_points(b, count + 3);
    if (points == NULL) { return; }
    size_t unsure = 0;
    while (bench_repeat(b)) {
        unsure = 0;
        for (size_t round = 0; round < rounds; ++round) {
            for (size_t i = 0; i < count; ++i) {
                unsure += fr__orient3d_filter(points[i], points[i + 1], points[i + 2], points[i + 3]) == 0;
            }
            bench_keep(points);
        }
    }
    bench_count(b, "unsure", (double)unsure);
    bench_items(b, (double)(count * rounds));
    free(points);
}

// d on the plane of a, b, c but for rounding: what the filter leaves open, pairs of doubles decide.
static void orient3d_nearly_coplanar(bench *b) {
    size_t count = bench_size(b, 100, 20000);
    fr_vec3 *points = make_points(b, 4 * count);
    if (points == NULL) { return; }
    size_t unsure = 0;
    for (size_t i = 0; i < count; ++i) {
        fr_vec3 *p = points + 4 * i;
        p[3] = fr_vec3_lerp(p[0], fr_vec3_lerp(p[1], p[2], 0.3), 0.7);
        unsure += fr__orient3d_filter(p[0], p[1], p[2], p[3]) == 0;
    }
    while (bench_repeat(b)) {
        size_t above = 0;
        for (size_t i = 0; i < count; ++i) {
            fr_vec3 *p = points + 4 * i;
            above += fr_orient3d(p[0], p[1], p[2], p[3]) > 0;
        }
        bench_count(b, "above", (double)above);
    }
    bench_count(b, "unsure", (double)unsure);
    bench_items(b, (double)count);
    free(points);
}

// Four points of one plane that no filter can decide: each answer needs exact arithmetic.
static void orient3d_coplanar(bench *b) {
    size_t count = bench_size(b, 100, 20000);
    fr_vec3 *points = make_points(b, count + 3);
    if (points == NULL) { return; }
    for (size_t i = 0; i < count + 3; ++i) {
        points[i].z = points[i].x + points[i].y;
    }
    while (bench_repeat(b)) {
        size_t coplanar = 0;
        for (size_t i = 0; i < count; ++i) {
            coplanar += fr_orient3d(points[i], points[i + 1], points[i + 2], points[i + 3]) == 0;
        }
        bench_count(b, "coplanar", (double)coplanar);
    }
    bench_items(b, (double)count);
    free(points);
}

// A function of one number over an even spread of arguments. Ours and the C library's are called the same way.
static void run_function(bench *b, double (*function)(double), double low, double high) {
    size_t count = bench_size(b, 100, 1000000);
    double step = (high - low) / (double)count;
    while (bench_repeat(b)) {
        double sum = 0.0;
        for (size_t i = 0; i < count; ++i) {
            sum += function(low + (double)i * step);
        }
        bench_keep(&sum);
    }
    bench_items(b, (double)count);
}

// The same for the angle of points on a spiral.
static void run_angle(bench *b, double (*function)(double, double)) {
    size_t count = bench_size(b, 100, 1000000);
    while (bench_repeat(b)) {
        double sum = 0.0;
        for (size_t i = 0; i < count; ++i) {
            sum += function((double)i - 3e5, 7e5 - 1.5 * (double)i);
        }
        bench_keep(&sum);
    }
    bench_items(b, (double)count);
}

static void sine(bench *b) { run_function(b, fr_sin, -10.0, 10.0); }
static void sine_libm(bench *b) { run_function(b, sin, -10.0, 10.0); }
static void cosine(bench *b) { run_function(b, fr_cos, -10.0, 10.0); }
static void cosine_libm(bench *b) { run_function(b, cos, -10.0, 10.0); }
static void arccosine(bench *b) { run_function(b, fr_acos, -1.0, 1.0); }
static void arccosine_libm(bench *b) { run_function(b, acos, -1.0, 1.0); }
static void cube_root(bench *b) { run_function(b, fr_cbrt, 0.0, 100.0); }
static void cube_root_libm(bench *b) { run_function(b, cbrt, 0.0, 100.0); }
static void angle(bench *b) { run_angle(b, fr_atan2); }
static void angle_libm(bench *b) { run_angle(b, atan2); }

static void sincos_small(bench *b) {
    size_t count = bench_size(b, 100, 1000000);
    while (bench_repeat(b)) {
        double sum = 0.0;
        for (size_t i = 0; i < count; ++i) {
            double sine, cosine;
            fr_sincos((double)i * 1e-5, &sine, &cosine);
            sum += sine * cosine;
        }
        bench_count(b, "sum", sum);
    }
    bench_items(b, (double)count);
}

// Bounds of many points, by the kernel.
static void bounds_of_points(bench *b) {
    size_t count = bench_size(b, 100, 100000);
    fr_vec3 *points = make_points(b, count);
    if (points == NULL) { return; }
    while (bench_repeat(b)) {
        fr_bounds bounds = fr_bounds_of_points(points, count);
        bench_keep(&bounds);
    }
    bench_items(b, (double)count);
    free(points);
}

// A motion over a step of `duration` seconds: 1.55 radians a second.
static void path_bounds(bench *b, double duration) {
    size_t count = bench_size(b, 100, 100000);
    fr_vec3 *points = make_points(b, count);
    if (points == NULL) { return; }
    fr_motion motion = make_motion();
    motion.travel = fr_vec3_scale(duration, motion.travel);
    motion.turn = fr_vec3_scale(duration, motion.turn);
    while (bench_repeat(b)) {
        fr_bounds all = fr_bounds_empty();
        for (size_t i = 0; i < count; ++i) {
            fr_bounds path = fr_motion_path_bounds(&motion, points[i], 0.0, 1.0);
            all = fr_bounds_union(&all, &path);
        }
        bench_count(b, "highest", all.max.y);
    }
    bench_items(b, (double)count);
    free(points);
}

static void motion_path_bounds_large(bench *b) { path_bounds(b, 1.0); }
static void motion_path_bounds_small(bench *b) { path_bounds(b, 0.01); }

// The points of one mesh on one motion, as rooms above do it.
static void motion_path_bounds_shared(bench *b) {
    size_t count = bench_size(b, 100, 100000);
    fr_vec3 *points = make_points(b, count);
    if (points == NULL) { return; }
    fr_motion motion = make_motion();
    motion.turn = fr_vec3_scale(0.01, motion.turn);
    while (bench_repeat(b)) {
        fr__sweep sweep;
        fr__sweep_make(&sweep, &motion, 0.0, 1.0);
        fr_bounds all = fr_bounds_empty();
        for (size_t i = 0; i < count; ++i) {
            fr_bounds path = fr__sweep_point(&sweep, points[i]);
            all = fr_bounds_union(&all, &path);
        }
        bench_count(b, "highest", all.max.y);
    }
    bench_items(b, (double)count);
    free(points);
}

static void motion_box_bounds(bench *b) {
    size_t count = bench_size(b, 100, 20000);
    fr_vec3 *points = make_points(b, count);
    if (points == NULL) { return; }
    fr_motion motion = make_motion();
    motion.turn = fr_vec3_scale(0.01, motion.turn);
    while (bench_repeat(b)) {
        fr_bounds all = fr_bounds_empty();
        for (size_t i = 0; i < count; ++i) {
            fr_bounds box = {points[i], fr_vec3_add(points[i], fr_vec3_make(0.1, 0.2, 0.3))};
            fr_bounds path = fr_motion_box_bounds(&motion, &box, 0.0, 1.0);
            all = fr_bounds_union(&all, &path);
        }
        bench_count(b, "highest", all.max.y);
    }
    bench_items(b, (double)count);
    free(points);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"pose_apply", pose_apply},
        {"bounds_of_points", bounds_of_points},
        {"orient3d/filter", orient3d_filter},
        {"orient3d/random", orient3d_random},
        {"orient3d/nearly_coplanar", orient3d_nearly_coplanar},
        {"orient3d/coplanar", orient3d_coplanar},
        {"sincos", sincos_small},
        {"sin", sine},
        {"sin/libm", sine_libm},
        {"cos", cosine},
        {"cos/libm", cosine_libm},
        {"atan2", angle},
        {"atan2/libm", angle_libm},
        {"acos", arccosine},
        {"acos/libm", arccosine_libm},
        {"cbrt", cube_root},
        {"cbrt/libm", cube_root_libm},
        {"motion_path_bounds/large", motion_path_bounds_large},
        {"motion_path_bounds/small", motion_path_bounds_small},
        {"motion_path_bounds/shared", motion_path_bounds_shared},
        {"motion_box_bounds", motion_box_bounds},
    };
    return bench_main(argc, argv, "fureai", "math", cases, sizeof cases / sizeof cases[0]);
}

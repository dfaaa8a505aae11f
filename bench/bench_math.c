// The small functions that everything above calls in its innermost loops.
#include "bench.h"

#include "fureai/math.h"

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
    for (size_t i = 0; i < count; ++i)
        points[i] = random_point(&random, 1.0);
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
    if (points == NULL) return;
    fr_pose pose = make_motion().start;
    while (bench_repeat(b))
        fr_pose_apply_many(&pose, points, count, points + count);
    bench_items(b, (double)count);
    bench_keep(points);
    free(points);
}

static void orient3d_random(bench *b) {
    size_t count = bench_size(b, 100, 1000000);
    fr_vec3 *points = make_points(b, count + 3);
    if (points == NULL) return;
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

// Four points of one plane that no filter can decide: each answer needs exact arithmetic.
static void orient3d_coplanar(bench *b) {
    size_t count = bench_size(b, 100, 20000);
    fr_vec3 *points = make_points(b, count + 3);
    if (points == NULL) return;
    for (size_t i = 0; i < count + 3; ++i)
        points[i].z = points[i].x + points[i].y;
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

static void motion_path_bounds(bench *b) {
    size_t count = bench_size(b, 100, 100000);
    fr_vec3 *points = make_points(b, count);
    if (points == NULL) return;
    fr_motion motion = make_motion();
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

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"pose_apply", pose_apply},
        {"orient3d/random", orient3d_random},
        {"orient3d/coplanar", orient3d_coplanar},
        {"sincos", sincos_small},
        {"motion_path_bounds", motion_path_bounds},
    };
    return bench_main(argc, argv, "fureai", "math", cases, sizeof cases / sizeof cases[0]);
}

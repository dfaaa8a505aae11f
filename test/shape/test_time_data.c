// Vertex-face and edge-edge queries with verdicts found by exact arithmetic, which no one here wrote: none that touches
// is missed, and those that are found though they do not touch are counted.
#include "frame.h"

#include "moving_sets.h"

#include <string.h>

static const struct {
    const char *path;
    int count_a; // 1: vertex and face, 2: edges
    int queries;
} files[] = {
    {"erleben-cube-internal-edges/edge-edge/data_0_0.csv", 2, 125},
    {"erleben-cube-internal-edges/edge-edge/data_0_1.csv", 2, 125},
    {"erleben-cube-internal-edges/vertex-face/data_0_0.csv", 1, 125},
    {"erleben-cube-internal-edges/vertex-face/data_0_1.csv", 1, 125},
    {"erleben-sliding-spike/edge-edge/data_0_0.csv", 2, 125},
    {"erleben-sliding-spike/edge-edge/data_0_1.csv", 2, 125},
    {"erleben-sliding-spike/vertex-face/data_0_0.csv", 1, 125},
    {"erleben-sliding-spike/vertex-face/data_0_1.csv", 1, 125},
    {"erleben-spike-hole/edge-edge/data_0_0.csv", 2, 1870},
    {"erleben-spike-hole/vertex-face/data_0_0.csv", 1, 585},
    {"unit-tests/edge-edge/data_0_0.csv", 2, 54},
    {"unit-tests/edge-edge/data_0_1.csv", 2, 20},
    {"unit-tests/vertex-face/data_0_0.csv", 1, 125},
    {"unit-tests/vertex-face/data_0_1.csv", 1, 125},
};

// A row: three quotients of whole numbers, each a double exactly, and the verdict.
static bool read_row(FILE *file, fr_vec3 *point, bool *verdict) {
    double n[6];
    int truth;
    if (fscanf(file, "%lf,%lf,%lf,%lf,%lf,%lf,%d", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &truth) != 7) {
        return false;
    }
    *point = fr_vec3_make(n[0] / n[1], n[2] / n[3], n[4] / n[5]);
    *verdict = truth != 0;
    return true;
}

// Eight rows: four points at the start, the same four at the end.
static bool read_query(FILE *file, int count_a, moving_set *a, moving_set *b, bool *verdict) {
    memset(a, 0, sizeof *a);
    memset(b, 0, sizeof *b);
    for (int k = 0; k < 8; k++) {
        fr_vec3 point;
        if (!read_row(file, &point, verdict)) { return false; }
        int i = k % 4;
        fr_triangle_path *path = i < count_a ? &a->path : &b->path;
        fr_vec3 *points = k < 4 ? path->start : path->end;
        points[i < count_a ? i : i - count_a] = point;
    }
    return true;
}

// The same query for two triangles; one or both are a segment or a point.
static void fill_triangle(moving_set *set, int count) {
    for (int i = count; i < 3; i++) {
        set->path.start[i] = set->path.start[count - 1];
        set->path.end[i] = set->path.end[count - 1];
    }
}

typedef struct tally {
    int queries, touching, missed, extra, capped, sure, missed_as_triangles;
    uint64_t steps;
} tally;

static void ask(int count_a, double tolerance, moving_set *a, moving_set *b, bool verdict, tally *t) {
    fr_time_input options = fr_default_time_input();
    options.tolerance = tolerance;
    fr_time_output r;
    bool hit = moving_time(a, b, count_a, &options, &r);
    t->queries++;
    t->touching += verdict;
    t->missed += verdict && !hit;
    t->extra += hit && !verdict;
    t->capped += hit && (r.flags & FR_TIME_CAPPED) != 0;
    t->sure += hit && (r.flags & FR_TIME_NEAR) == 0;
    t->steps += r.iterations;
    if (hit && (r.flags & FR_TIME_NEAR) == 0) { assert_true(verdict); }
    fill_triangle(a, count_a);
    fill_triangle(b, count_a == 1 ? 3 : 2);
    t->missed_as_triangles += verdict && !fr_triangle_time(&a->path, &b->path, &options, NULL);
}

static void run_all(double tolerance) {
    tally t = {0};
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        char below[200], path[1200];
        snprintf(below, sizeof below, "data/ccd-sample-queries/%s", files[f].path);
        FILE *file = fopen(test_shared_path(below, path, sizeof path), "r");
        if (file == NULL) { fail_msg("%s cannot be read", path); }
        moving_set a, b;
        bool verdict;
        int queries = 0;
        for (; read_query(file, files[f].count_a, &a, &b, &verdict); queries++) {
            ask(files[f].count_a, tolerance, &a, &b, verdict, &t);
        }
        fclose(file);
        assert_int_equal(queries, files[f].queries);
    }
    print_message("tolerance %g: %d queries, %d touch: %d missed, %d extra, %d sure, %d capped, %.1f steps a query\n",
                  tolerance, t.queries, t.touching, t.missed, t.extra, t.sure, t.capped,
                  (double)t.steps / (double)t.queries);
    assert_int_equal(t.missed, 0);
    assert_int_equal(t.missed_as_triangles, 0);
    if (tolerance > 0.0) { assert_int_equal(t.capped, 0); }
}

static void no_touching_query_is_missed(void **state) {
    (void)state;
    run_all(1e-6);
    run_all(1e-9);
    run_all(0.0);
}

int main(void) {
    test_shared_folder();
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_touching_query_is_missed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

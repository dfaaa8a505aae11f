// Yamamoto, section 3.3 and 3.4: what tests and constructions cost beside each other. Times of the source are given as
// ratios to one of its columns, and so are ours; the calls of all methods take turns, so that a busy machine slows all
// of them.
#include "yamamoto.h"

#include "fureai/base_order.h"
#include "sector/faithful/rivals.h"
#include "sector/faithful/thesis.h"

#include <stdio.h>
#include <stdlib.h>

#define SHAPES 1024

// Shapes of every kind, sizes up to 25 and places within 50.
typedef struct speed_shapes {
    fr_sector canonical[SHAPES], thesis[SHAPES];
    fr_swing swings[SHAPES];
    fr_bounds sccd[SHAPES];
    fr_vec3 points[SHAPES], segments[SHAPES][2];
    fr_vec2 flat_points[SHAPES], flat_segments[SHAPES][2], rectangles[SHAPES][4];
    fr_bounds boxes[SHAPES];
    fr_oriented_box oriented[SHAPES];
    double radii[SHAPES];
} speed_shapes;

static fr_vec3 random_point(fr_random *random, double reach) {
    double x = fr_random_between(random, -reach, reach), y = fr_random_between(random, -reach, reach);
    return fr_vec3_make(x, y, fr_random_between(random, -reach, reach));
}

static void fill_one(speed_shapes *s, fr_random *random, size_t i) {
    double inner = fr_random_between(random, 0.0, 12.5);
    s->canonical[i] = (fr_sector){.axis = {0, 0, 1}, .bisector = {1, 0, 0}, .inner = inner};
    s->canonical[i].outer = inner + fr_random_between(random, 0.0, 25.0);
    s->canonical[i].half_angle = fr_random_between(random, 0.0, FR_PI);
    s->canonical[i].half_thickness = fr_random_between(random, 0.0, 12.5);
    fr_sector_check(&s->canonical[i], NULL);
    s->swings[i] = yamamoto_swing(random);
    s->thesis[i] = fr_thesis_sector(&s->swings[i]);
    s->sccd[i] = fr_sccd_bounds(&s->swings[i], FR_SCCD_ENDS);
    s->radii[i] = fr_random_between(random, 0.0, 12.5);
    s->points[i] = random_point(random, 50.0);
    s->flat_points[i] = (fr_vec2){s->points[i].x, s->points[i].y};
    double reach = 1.5 * s->canonical[i].outer, height = s->canonical[i].half_thickness + 10.0;
    for (int k = 0; k < 2; k++) {
        fr_vec3 p = random_point(random, 1.0);
        s->segments[i][k] = fr_vec3_make(reach * p.x, reach * p.y, height * p.z);
        s->flat_segments[i][k] = (fr_vec2){reach * p.x, reach * p.y};
    }
    fr_vec3 half = random_point(random, 12.5), center = random_point(random, 30.0);
    half = fr_vec3_make(fabs(half.x), fabs(half.y), fabs(half.z));
    s->boxes[i] = (fr_bounds){fr_vec3_sub(center, half), fr_vec3_add(center, half)};
    s->oriented[i] = (fr_oriented_box){center, fr_quat_to_mat3(fr_quat_from_vector(random_point(random, 2.0))), half};
    fr_vec3 u = fr_vec3_unit(random_point(random, 1.0), fr_vec3_make(1, 0, 0));
    for (int k = 0; k < 4; k++) {
        double a = (k == 1 || k == 2) ? half.x : -half.x, b = k >= 2 ? half.y : -half.y;
        s->rectangles[i][k] = (fr_vec2){center.x + a * u.x - b * u.y, center.y + a * u.y + b * u.x};
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Methods: one call each, of shape i with shape k

typedef bool speed_call(const speed_shapes *s, size_t i, size_t k);

#define CALL(name, expression)                                                                                         \
    static bool name(const speed_shapes *s, size_t i, size_t k) {                                                      \
        (void)k;                                                                                                       \
        return (expression);                                                                                           \
    }

CALL(flat_circles, fr_rival_circles(s->flat_points[i], s->radii[i], s->flat_points[k], s->radii[k]))
CALL(flat_capsules, fr_rival_flat_capsules(s->flat_segments[i], s->radii[i], s->flat_segments[k], s->radii[k]))
CALL(flat_aabb, fr_rival_flat_boxes(&s->boxes[i], &s->boxes[k]))
CALL(flat_obb, fr_rival_rectangles(s->rectangles[i], s->rectangles[k]))
CALL(flat_circle_thesis, fr_thesis_circle(&s->canonical[i], s->flat_points[k], s->radii[k], FR_THESIS_CORRECTED))
CALL(flat_circle, fr_sector_plane_overlap_circle(&s->canonical[i], s->flat_points[k], s->radii[k]))
CALL(flat_rectangle_thesis, fr_thesis_rectangle(&s->canonical[i], s->rectangles[k], FR_THESIS_CORRECTED))
CALL(flat_rectangle, fr_sector_plane_overlap_polygon(&s->canonical[i], s->rectangles[k], 4))
CALL(flat_capsule_thesis,
     fr_thesis_flat_capsule(&s->canonical[i], s->flat_segments[i], s->radii[k], FR_THESIS_CORRECTED))
CALL(flat_capsule, fr_sector_plane_overlap_capsule(&s->canonical[i], s->flat_segments[i], s->radii[k]))

CALL(spheres, fr_rival_spheres(s->points[i], s->radii[i], s->points[k], s->radii[k]))
CALL(capsules, fr_rival_capsules(s->segments[i], s->radii[i], s->segments[k], s->radii[k]))
CALL(aabb, fr_bounds_overlap(&s->boxes[i], &s->boxes[k]))
CALL(obb, fr_oriented_box_overlap(&s->oriented[i], &s->oriented[k]))
CALL(point_thesis, fr_thesis_point(&s->canonical[i], s->points[k], FR_THESIS_CORRECTED))
CALL(point, fr_sector_contains(&s->canonical[i], s->points[k]))
CALL(sphere_thesis, fr_thesis_sphere(&s->canonical[i], s->points[k], s->radii[k], FR_THESIS_CORRECTED))
CALL(sphere, fr_sector_overlap_sphere(&s->canonical[i], s->points[k], s->radii[k]))
CALL(capsule_thesis, fr_thesis_capsule(&s->canonical[i], s->segments[i], s->radii[k], FR_THESIS_CORRECTED))
CALL(capsule, fr_sector_overlap_capsule(&s->canonical[i], s->segments[i], s->radii[k]))

CALL(sccd_test, fr_rival_box_sphere(&s->sccd[i], s->points[k], s->radii[k]))
CALL(swing_test_thesis,
     fr_thesis_sphere(&s->thesis[i], fr_sector_local(&s->thesis[i], s->points[k]), s->radii[k], FR_THESIS_CORRECTED))
CALL(swing_test, fr_sector_overlap_sphere(&s->thesis[i], s->points[k], s->radii[k]))
CALL(sccd_build, fr_sccd_bounds(&s->swings[i], FR_SCCD_ENDS).min.x > 0.0)
CALL(swing_build_thesis, fr_thesis_sector(&s->swings[i]).bisector.x > 0.0)
CALL(swing_build, fr_sector_of_swing(&s->swings[i]).bisector.x > 0.0)

static bool sccd_both(const speed_shapes *s, size_t i, size_t k) {
    fr_bounds box = fr_sccd_bounds(&s->swings[i], FR_SCCD_ENDS);
    return fr_rival_box_sphere(&box, s->points[k], s->radii[k]);
}

static bool swing_both_thesis(const speed_shapes *s, size_t i, size_t k) {
    fr_sector sector = fr_thesis_sector(&s->swings[i]);
    return fr_thesis_sphere(&sector, fr_sector_local(&sector, s->points[k]), s->radii[k], FR_THESIS_CORRECTED);
}

static bool swing_both(const speed_shapes *s, size_t i, size_t k) {
    fr_sector sector = fr_sector_of_swing(&s->swings[i]);
    return fr_sector_overlap_sphere(&sector, s->points[k], s->radii[k]);
}

// A column of a table: the source's method, ours where we have another, and the mean that is printed.
typedef struct speed_column {
    const char *name;
    speed_call *faithful, *fast;
    double printed; // ms for 100,000 calls
} speed_column;

// ---------------------------------------------------------------------------------------------------------------
// Measuring

enum { CALLS = 2000, MAX_METHODS = 16 };

static double one_pass(speed_call *call, const speed_shapes *s, size_t turn) {
    uint64_t begin = experiment_cpu_ns();
    size_t hits = 0;
    for (size_t n = 0; n < CALLS; n++) {
        hits += call(s, (n + turn) % SHAPES, (n * 617 + turn) % SHAPES);
    }
    double ns = (double)(experiment_cpu_ns() - begin) / CALLS;
    return hits > CALLS ? 0.0 : ns; // keeps the calls
}

// The least and the median of the passes of every method, ns a call.
static fr_status measure(experiment_run *run, const speed_shapes *s, speed_call *const *calls, size_t count, int passes,
                         double *median) {
    double *all = calloc(count * (size_t)passes, sizeof *all);
    if (all == NULL) { return fr_error_set(run->error, FR_ERROR_MEMORY, "no memory for the times"); }
    fr_status status = FR_OK;
    for (int pass = 0; pass < passes && status == FR_OK; pass++) {
        for (size_t k = 0; k < count; k++) {
            all[k * (size_t)passes + (size_t)pass] = one_pass(calls[k], s, (size_t)pass);
        }
        fr_control_progress(run->control, (pass + 1.0) / passes, "passes");
        if (fr_control_is_stopped(run->control)) { status = fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
    }
    for (size_t k = 0; k < count; k++) {
        double *of = all + k * (size_t)passes;
        fr_sort_double(of, (size_t)passes);
        median[k] = of[passes / 4]; // a quarter of the passes is faster: what others do on the machine counts little
    }
    free(all);
    return status;
}

// Rows of a table: each column over `columns[base]`, and how much faster ours is.
static fr_status run_columns(experiment_run *run, const speed_column *columns, size_t count, size_t base) {
    static const int sizes[] = {[EXPERIMENT_BRIEF] = 8, [EXPERIMENT_USUAL] = 1000, [EXPERIMENT_FULL] = 10000};
    speed_shapes *s = malloc(sizeof *s);
    if (s == NULL) { return fr_error_set(run->error, FR_ERROR_MEMORY, "no memory for the shapes"); }
    fr_random random = fr_random_seed(33);
    for (size_t i = 0; i < SHAPES; i++) {
        fill_one(s, &random, i);
    }
    speed_call *calls[MAX_METHODS];
    size_t methods = 0, faithful[MAX_METHODS], fast[MAX_METHODS];
    for (size_t i = 0; i < count; i++) {
        faithful[i] = fast[i] = methods;
        calls[methods++] = columns[i].faithful;
        if (columns[i].fast != NULL) {
            fast[i] = methods;
            calls[methods++] = columns[i].fast;
        }
    }
    double ns[MAX_METHODS];
    fr_status status = measure(run, s, calls, methods, sizes[run->size], ns);
    free(s);
    snprintf(run->sample, sizeof run->sample, "%d passes of %d calls in turns, processor time, lower quartile; over %s",
             sizes[run->size], CALLS, columns[base].name);
    for (size_t i = 0; i < count && status == FR_OK; i++) {
        experiment_row *row = experiment_add(run, "times", "%s: time over %s", columns[i].name, columns[base].name);
        if (row == NULL) { return run->error->status; }
        row->printed = columns[i].printed / columns[base].printed;
        row->measured = ns[faithful[i]] / ns[faithful[base]];
        if (columns[i].fast == NULL) { continue; }
        row = experiment_add(run, "times", "fast, %s: time over %s", columns[i].name, columns[base].name);
        if (row == NULL) { return run->error->status; }
        row->measured = ns[fast[i]] / ns[faithful[base]];
        row->speedup = ns[faithful[i]] / ns[fast[i]];
    }
    return status;
}

#define COLUMNS(array) array, sizeof array / sizeof array[0]

static fr_status run_table_3_2(experiment_run *run) {
    static const speed_column columns[] = {{"OBB", flat_obb, NULL, 36.42},
                                           {"circle-circle", flat_circles, NULL, 9.26},
                                           {"capsule-capsule", flat_capsules, NULL, 55.24},
                                           {"AABB", flat_aabb, NULL, 5.00},
                                           {"sector-circle", flat_circle_thesis, flat_circle, 41.03},
                                           {"sector-rectangle", flat_rectangle_thesis, flat_rectangle, 294.10},
                                           {"sector-capsule", flat_capsule_thesis, flat_capsule, 50.54}};
    return run_columns(run, COLUMNS(columns), 0);
}

static fr_status run_table_3_3(experiment_run *run) {
    static const speed_column columns[] = {{"OBB", obb, NULL, 35.81},
                                           {"sphere-sphere", spheres, NULL, 10.43},
                                           {"capsule-capsule", capsules, NULL, 48.80},
                                           {"AABB", aabb, NULL, 5.91},
                                           {"sector-point", point_thesis, point, 1.71},
                                           {"sector-sphere", sphere_thesis, sphere, 24.69},
                                           {"sector-capsule", capsule_thesis, capsule, 90.97}};
    return run_columns(run, COLUMNS(columns), 0);
}

static fr_status run_table_3_4(experiment_run *run) {
    static const speed_column columns[] = {{"S-CCD", sccd_test, NULL, 13.25},
                                           {"sector", swing_test_thesis, swing_test, 112.02}};
    return run_columns(run, COLUMNS(columns), 0);
}

static fr_status run_table_3_5(experiment_run *run) {
    static const speed_column columns[] = {{"S-CCD", sccd_build, NULL, 183.81},
                                           {"sector", swing_build_thesis, swing_build, 22.02}};
    return run_columns(run, COLUMNS(columns), 0);
}

static fr_status run_table_3_6(experiment_run *run) {
    static const speed_column columns[] = {{"S-CCD", sccd_both, NULL, 199.95},
                                           {"sector", swing_both_thesis, swing_both, 119.45}};
    return run_columns(run, COLUMNS(columns), 0);
}

const experiment experiment_yamamoto_table_3_2 = {.name = "yamamoto-table-3.2",
                                                  .source = "Yamamoto, section 3.4",
                                                  .about = "cost of tests in the plane",
                                                  .run = run_table_3_2};
const experiment experiment_yamamoto_table_3_3 = {.name = "yamamoto-table-3.3",
                                                  .source = "Yamamoto, section 3.4",
                                                  .about = "cost of tests in space",
                                                  .run = run_table_3_3};
const experiment experiment_yamamoto_table_3_4 = {.name = "yamamoto-table-3.4",
                                                  .source = "Yamamoto, section 3.4",
                                                  .about = "a swung box against a ball: cost of the test",
                                                  .run = run_table_3_4};
const experiment experiment_yamamoto_table_3_5 = {.name = "yamamoto-table-3.5",
                                                  .source = "Yamamoto, section 3.4",
                                                  .about = "a swung box against a ball: cost of the construction",
                                                  .run = run_table_3_5};
const experiment experiment_yamamoto_table_3_6 = {.name = "yamamoto-table-3.6",
                                                  .source = "Yamamoto, section 3.4",
                                                  .about = "a swung box against a ball: cost of both",
                                                  .run = run_table_3_6};

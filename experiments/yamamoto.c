// Yamamoto, section 3.1 and 3.2: of a million points of a grid, which are swept by a turning box, and which are in the
// volume that stands for the sweep? The reference is the box in 100 poses.
#include "yamamoto.h"

#include "fureai/base_order.h"
#include "sector/faithful/rivals.h"
#include "sector/faithful/thesis.h"

#include <stdio.h>
#include <stdlib.h>

#define POSES 100
#define GRID_END 49.5
#define GRID_SIDE 100

enum { MOTIONS_BRIEF = 16, MOTIONS_USUAL = 4000, MOTIONS_FULL = 100000 };

// What stands for a sweep.
typedef enum method {
    METHOD_THESIS,
    METHOD_SCCD_ENDS,
    METHOD_SCCD_TIGHT,
    METHOD_SCCD_DOUBLED,
    METHOD_CONSERVATIVE,
    METHOD_COVER,
    METHOD_EXACT,
    METHOD_COUNT
} method;

static const char *const method_names[METHOD_COUNT] = {
    "sector", "S-CCD, both ends", "S-CCD, tight", "S-CCD, guess", "conservative", "conservative, sector and two boxes",
    "exact"};

// Shares of a method for one motion: of the points in the reference or the volume.
typedef struct shares {
    double accuracy, over, under;
} shares;

typedef struct motion_figures {
    double angle_deg, difference; // the turn, and W_y - W_x
    bool is_dropped;              // nothing to divide by, or stopped
    shares of[METHOD_COUNT];
} motion_figures;

fr_swing yamamoto_swing(fr_random *random) {
    fr_swing swing = {.pivot = {0.0, 0.0, 0.0}};
    do {
        for (int i = 0; i < 2; i++) {
            fr_vec3 v;
            do {
                double x = fr_random_between(random, -1.0, 1.0), y = fr_random_between(random, -1.0, 1.0);
                v = fr_vec3_make(x, y, fr_random_between(random, -1.0, 1.0));
            } while (fr_vec3_length(v) > 1.0 || fr_vec3_length(v) < 0.01);
            *(i == 0 ? &swing.axis : &swing.arm) = v;
        }
        swing.angle = fr_random_between(random, 0.0, 2.0 * FR_PI);
        swing.distance = fr_random_between(random, 12.5, 25.0);
        swing.half.x = fr_random_between(random, 0.0, 12.5);
        swing.half.y = fr_random_between(random, 0.0, 12.5);
        swing.half.z = fr_random_between(random, 0.0, 12.5);
    } while (fr_swing_check(&swing, NULL) != FR_OK);
    return swing;
}

// ---------------------------------------------------------------------------------------------------------------
// One motion

// How many points of the grid a box holds, and which of them on each axis.
static double grid_range(double low, double high, int range[2]) {
    range[0] = (int)fmax(0.0, ceil(low + GRID_END));
    range[1] = (int)fmin(GRID_SIDE - 1.0, floor(high + GRID_END));
    return range[1] < range[0] ? 0.0 : (double)(range[1] - range[0] + 1);
}

static double grid_count(const fr_bounds *box, int range[3][2]) {
    return grid_range(box->min.x, box->max.x, range[0]) * grid_range(box->min.y, box->max.y, range[1]) *
           grid_range(box->min.z, box->max.z, range[2]);
}

// Everything about one motion that points are tested against.
typedef struct motion_study {
    fr_swing swing;
    fr_sector thesis, conservative;
    fr_cover cover;
    fr_sweep sweep;
    fr_bounds sccd[3];
    fr_vec3 across; // the arm a quarter turn on
    double cosines[POSES], sines[POSES];
    double reference, size[METHOD_COUNT], both[METHOD_COUNT]; // points
} motion_study;

static void prepare(motion_study *m, const fr_swing *swing) {
    *m = (motion_study){.swing = *swing,
                        .thesis = fr_thesis_sector(swing),
                        .conservative = fr_sector_of_swing(swing),
                        .cover = fr_cover_of_swing(swing),
                        .sweep = fr_sweep_of_swing(swing),
                        .across = fr_vec3_cross(swing->axis, swing->arm)};
    for (int k = 0; k < 3; k++) {
        int range[3][2];
        m->sccd[k] = fr_sccd_bounds(swing, (fr_sccd_reading)k);
        m->size[METHOD_SCCD_ENDS + k] = grid_count(&m->sccd[k], range);
    }
    for (int k = 0; k < POSES; k++) {
        fr_sincos(swing->angle * k / POSES, &m->sines[k], &m->cosines[k]);
    }
}

// How many of `count` poses from `first` on hold a point, (x, y) along the arm and across it at the start.
static int poses_with(const motion_study *m, int first, int count, double x, double y) {
    double d = m->swing.distance, half_y = m->swing.half.y, half_x = m->swing.half.x;
    int held = 0;
    for (int k = first; k < first + count; k++) {
        double along = x * m->cosines[k] + y * m->sines[k], across = y * m->cosines[k] - x * m->sines[k];
        held += (fabs(along - d) <= half_y) & (fabs(across) <= half_x);
    }
    return held;
}

// In one of the poses; those that point towards it are tested first.
static bool is_in_reference(const motion_study *m, fr_vec3 p) {
    const fr_swing *s = &m->swing;
    if (fabs(fr_vec3_dot(s->axis, p)) > s->half.z) { return false; }
    double x = fr_vec3_dot(s->arm, p), y = fr_vec3_dot(m->across, p), square = x * x + y * y;
    double near = s->distance - s->half.y, far = s->distance + s->half.y;
    if (square < near * near || square > far * far + s->half.x * s->half.x) { return false; }
    double turn = atan2(y, x);
    if (turn < 0.0) { turn += 2.0 * FR_PI; }
    int first = s->angle > 0.0 ? (int)fmin(turn / s->angle * POSES, POSES - 1.0) : 0;
    enum { FEW = 10 };
    first -= first % FEW;
    if (poses_with(m, first, FEW, x, y) > 0) { return true; }
    for (int k = 0; k < POSES; k += FEW) {
        if (poses_with(m, k, FEW, x, y) > 0) { return true; }
    }
    return false;
}

static bool is_in_box(const fr_oriented_box *box, fr_vec3 p) {
    fr_vec3 d = fr_vec3_sub(p, box->center);
    return fabs(fr_vec3_dot(box->axes.row[0], d)) <= box->half.x &&
           fabs(fr_vec3_dot(box->axes.row[1], d)) <= box->half.y &&
           fabs(fr_vec3_dot(box->axes.row[2], d)) <= box->half.z;
}

// A point of the grid. Outside of the conservative sector all other volumes but the upright boxes are tested too: what
// they hold there, and what of the reference is there, would be missed by it.
static void ask_point(motion_study *m, fr_vec3 p) {
    bool is_in[METHOD_COUNT] = {false};
    is_in[METHOD_CONSERVATIVE] = fr_sector_contains(&m->conservative, p);
    is_in[METHOD_THESIS] = fr_sector_contains(&m->thesis, p);
    is_in[METHOD_COVER] =
        fr_sector_contains(&m->cover.sector, p) || is_in_box(&m->cover.ends[0], p) || is_in_box(&m->cover.ends[1], p);
    is_in[METHOD_EXACT] = is_in[METHOD_COVER] && fr_sweep_distance(&m->sweep, p) <= 1e-9;
    bool is_swept = is_in_reference(m, p);
    m->reference += is_swept;
    for (int k = 0; k < METHOD_COUNT; k++) {
        bool is_upright = k >= METHOD_SCCD_ENDS && k <= METHOD_SCCD_DOUBLED;
        if (is_upright) { is_in[k] = is_swept && fr_bounds_contain_point(&m->sccd[k - METHOD_SCCD_ENDS], p); }
        m->size[k] += !is_upright && is_in[k];
        m->both[k] += is_swept && is_in[k];
    }
}

static fr_bounds bounds_of_box(const fr_oriented_box *box) {
    fr_vec3 r = {0.0, 0.0, 0.0};
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    for (int i = 0; i < 3; i++) {
        fr_vec3 a = box->axes.row[i];
        r = fr_vec3_add_scaled(r, half[i], fr_vec3_make(fabs(a.x), fabs(a.y), fabs(a.z)));
    }
    return (fr_bounds){fr_vec3_sub(box->center, r), fr_vec3_add(box->center, r)};
}

// All points that one of the volumes, the upright boxes aside, may hold.
static fr_bounds bounds_of_all(const motion_study *m) {
    fr_bounds bounds = fr_sector_bounds(&m->conservative);
    bounds = fr_bounds_union(&bounds, &m->sccd[FR_SCCD_TIGHT]);
    for (int i = 0; i < 2; i++) {
        fr_bounds end = bounds_of_box(&m->cover.ends[i]);
        bounds = fr_bounds_union(&bounds, &end);
    }
    return bounds;
}

static void run_motion(const fr_swing *swing, motion_figures *out) {
    motion_study m;
    prepare(&m, swing);
    fr_bounds bounds = bounds_of_all(&m);

    // The boxes at both ends of the cover reach beyond its sector at their corners.
    double z_most = swing->half.z + 1e-9, reach = m.cover.sector.outer;
    double rho_most = reach * reach + swing->half.x * swing->half.x + 1e-6;
    int range[3][2];
    if (grid_count(&bounds, range) == 0.0) { range[0][1] = range[0][0] - 1; }
    for (int i = range[0][0]; i <= range[0][1]; i++) {
        for (int j = range[1][0]; j <= range[1][1]; j++) {
            for (int k = range[2][0]; k <= range[2][1]; k++) {
                fr_vec3 p = {i - GRID_END, j - GRID_END, k - GRID_END};
                double z = fr_vec3_dot(swing->axis, p);
                if (fabs(z) <= z_most && fr_vec3_length_squared(p) - z * z <= rho_most) { ask_point(&m, p); }
            }
        }
    }
    out->angle_deg = fr_degrees(swing->angle);
    out->difference = 2.0 * (swing->half.y - swing->half.x);
    out->is_dropped = false;
    for (int k = 0; k < METHOD_COUNT; k++) {
        double all = m.reference + m.size[k] - m.both[k];
        out->is_dropped = out->is_dropped || all == 0.0;
        out->of[k] = (shares){100.0 * m.both[k] / all, 100.0 * (m.size[k] - m.both[k]) / all,
                              100.0 * (m.reference - m.both[k]) / all};
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Many motions

typedef struct accuracy_study {
    motion_figures *motions;
    size_t count, first; // all, and where the piece at work begins
} accuracy_study;

// Each motion has a seed of its own, so that the number of threads makes no difference.
static void run_range(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    accuracy_study *study = context;
    for (size_t i = study->first + begin; i < study->first + end; i++) {
        fr_random random = fr_random_seed(1000 + i);
        fr_swing swing = yamamoto_swing(&random);
        run_motion(&swing, &study->motions[i]);
    }
}

static fr_status run_motions(experiment_run *run, accuracy_study *study) {
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = run->threads < 1 ? 1 : (run->threads < FR_MAX_WORKERS ? run->threads : FR_MAX_WORKERS);
    fr_task_pool *pool;
    fr_status status = fr_task_pool_create(&def, &pool, run->error);
    if (status != FR_OK) { return status; }
    fr_tasks tasks = fr_task_pool_tasks(pool);
    enum { PIECE = 64 };
    while (status == FR_OK && study->first < study->count) {
        size_t rest = study->count - study->first, piece = rest < PIECE ? rest : PIECE;
        fr_tasks_run(&tasks, FR_SCHEDULE_DYNAMIC, piece, 1, run_range, study);
        study->first += piece;
        fr_control_progress(run->control, (double)study->first / (double)study->count, "motions");
        if (fr_control_is_stopped(run->control)) { status = fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
    }
    fr_task_pool_destroy(pool);
    return status;
}

static fr_status study_begin(experiment_run *run, accuracy_study *study) {
    static const size_t sizes[] = {
        [EXPERIMENT_BRIEF] = MOTIONS_BRIEF, [EXPERIMENT_USUAL] = MOTIONS_USUAL, [EXPERIMENT_FULL] = MOTIONS_FULL};
    *study = (accuracy_study){.count = sizes[run->size]};
    study->motions = calloc(study->count, sizeof *study->motions);
    if (study->motions == NULL) { return fr_error_set(run->error, FR_ERROR_MEMORY, "no memory for the motions"); }
    fr_status status = run_motions(run, study);
    size_t dropped = 0;
    for (size_t i = 0; i < study->count; i++) {
        dropped += study->motions[i].is_dropped;
    }
    snprintf(run->sample, sizeof run->sample,
             "%zu motions, of which %zu are too thin for the grid and dropped; 10^6 points; reference: %d poses",
             study->count, dropped, POSES);
    if (status != FR_OK) { free(study->motions); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Rows

static bool put(experiment_row *row, double printed, const sample_mean *sample) {
    if (row == NULL) { return false; }
    row->printed = printed;
    row->measured = sample->count > 0 ? sample->mean : (double)NAN;
    row->error = sample_mean_error(sample);
    return true;
}

static fr_status run_table_3_1(experiment_run *run) {
    // The source has a row for the sector and one for S-CCD, which none of the readings repeats.
    static const double printed[METHOD_COUNT][3] = {{67.68, 1.25, 31.07}, {4.27, 93.90, 1.83}, {NAN, NAN, NAN},
                                                    {NAN, NAN, NAN},      {NAN, NAN, NAN},     {NAN, NAN, NAN},
                                                    {NAN, NAN, NAN}};
    accuracy_study study;
    fr_status status = study_begin(run, &study);
    if (status != FR_OK) { return status; }
    bool ok = true;
    for (int k = 0; k < METHOD_COUNT; k++) {
        sample_mean mean[3] = {{0}};
        for (size_t i = 0; i < study.count; i++) {
            if (study.motions[i].is_dropped) { continue; }
            sample_mean_add(&mean[0], study.motions[i].of[k].accuracy);
            sample_mean_add(&mean[1], study.motions[i].of[k].over);
            sample_mean_add(&mean[2], study.motions[i].of[k].under);
        }
        ok = ok && put(experiment_add(run, "%", "%s: accuracy", method_names[k]), printed[k][0], &mean[0]) &&
             put(experiment_add(run, "%", "%s: over-detection", method_names[k]), printed[k][1], &mean[1]) &&
             put(experiment_add(run, "%", "%s: under-detection", method_names[k]), printed[k][2], &mean[2]);
    }
    free(study.motions);
    return ok ? FR_OK : run->error->status;
}

static const method plotted[] = {METHOD_THESIS, METHOD_SCCD_ENDS, METHOD_CONSERVATIVE, METHOD_EXACT};

// Means of the accuracy over motions first .. last.
static bool put_group(experiment_run *run, const motion_figures *motions, size_t count, const char *about) {
    for (size_t k = 0; k < sizeof plotted / sizeof plotted[0]; k++) {
        sample_mean mean = {0};
        for (size_t i = 0; i < count; i++) {
            if (!motions[i].is_dropped) { sample_mean_add(&mean, motions[i].of[plotted[k]].accuracy); }
        }
        experiment_row *row = experiment_add(run, "%", "%s, %s: accuracy", method_names[plotted[k]], about);
        if (!put(row, (double)NAN, &mean)) { return false; }
    }
    return true;
}

static bool angle_is_before(const motion_figures *a, const motion_figures *b) { return a->angle_deg < b->angle_deg; }

static bool difference_is_before(const motion_figures *a, const motion_figures *b) {
    return a->difference != b->difference ? a->difference < b->difference : angle_is_before(a, b);
}

FR_SORT_TYPE(sort_by_angle, motion_figures, angle_is_before);
FR_SORT_TYPE(sort_by_difference, motion_figures, difference_is_before);

// Fig. 3.8: by the turn, in 36 parts of 10 degrees.
static fr_status run_figure_3_8(experiment_run *run) {
    accuracy_study study;
    fr_status status = study_begin(run, &study);
    if (status != FR_OK) { return status; }
    sort_by_angle(study.motions, study.count);
    bool ok = true;
    size_t first = 0;
    for (int bin = 0; bin < 36 && ok; bin++) {
        size_t last = first;
        while (last < study.count && study.motions[last].angle_deg < 10.0 * (bin + 1)) {
            last++;
        }
        char about[48];
        snprintf(about, sizeof about, "%d to %d degrees", 10 * bin, 10 * bin + 10);
        ok = put_group(run, study.motions + first, last - first, about);
        first = last;
    }
    free(study.motions);
    return ok ? FR_OK : run->error->status;
}

// Fig. 3.9: by W_y - W_x, in 20 groups of the same size.
static fr_status run_figure_3_9(experiment_run *run) {
    enum { GROUPS = 20 };
    accuracy_study study;
    fr_status status = study_begin(run, &study);
    if (status != FR_OK) { return status; }
    sort_by_difference(study.motions, study.count);
    bool ok = true;
    for (size_t group = 0; group < GROUPS && ok; group++) {
        size_t first = group * study.count / GROUPS, last = (group + 1) * study.count / GROUPS;
        sample_mean mean = {0};
        for (size_t i = first; i < last; i++) {
            sample_mean_add(&mean, study.motions[i].difference);
        }
        char about[48];
        snprintf(about, sizeof about, "group %zu, Wy - Wx about %.1f", group + 1, mean.mean);
        ok = put_group(run, study.motions + first, last - first, about);
    }
    free(study.motions);
    return ok ? FR_OK : run->error->status;
}

const experiment experiment_yamamoto_table_3_1 = {
    .name = "yamamoto-table-3.1",
    .source = "Yamamoto, section 3.2",
    .about = "how well sectors and upright boxes fit what a swung box sweeps",
    .run = run_table_3_1,
};

const experiment experiment_yamamoto_3_8 = {
    .name = "yamamoto-3.8",
    .source = "Yamamoto, section 3.2",
    .about = "accuracy by the angle of the turn",
    .run = run_figure_3_8,
};

const experiment experiment_yamamoto_3_9 = {
    .name = "yamamoto-3.9",
    .source = "Yamamoto, section 3.2",
    .about = "accuracy by how much longer the box is than wide",
    .run = run_figure_3_9,
};

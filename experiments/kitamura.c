// Kitamura 1996, chapter 3. Positions and speeds of its spheres are not printed; those of table 2.1 with all speeds
// times 1.6 bring the collision to the printed cycle 72. Root of edge 16, depth 6.
#include "kitamura.h"

#include "cycle_figures.h"

#include <stdio.h>

static const char source_of_sequence[] = "Kitamura 1996, section 3.5.1";
static const char source_of_processors[] = "Kitamura 1996, section 3.5.2";

#define SPEED 1.6

// The middles of both meet at cycle 132: spheres have gone into one another long before, and so has anything else.
enum { LAST_CYCLE = 140 };

// Runs whose least time counts; with several threads more of them, since other programs disturb those most.
static int repeats_of(const experiment_run *run) { return (const int[]){1, 3, 10}[run->size]; }
static int workers_repeats_of(const experiment_run *run) { return (const int[]){1, 30, 100}[run->size]; }

// Collisions at other phases.
static int phases_of(const experiment_run *run) { return (const int[]){2, 8, 60}[run->size]; }

// ---------------------------------------------------------------------------------------------------------------
// The two spheres

static fr_face_cycle_input cycle_like(const experiment_run *run) {
    fr_face_cycle_input like = fr_default_face_cycle_input();
    like.root_edge = SPHERES_ROOT;
    like.control = run->control;
    like.clock = experiment_cpu_ns;
    return like;
}

// Two shapes by name.
static fr_status make_shapes(experiment_run *run, const char *const names[2], two_movers *out) {
    fr_mesh *meshes[2] = {NULL, NULL};
    fr_status status = fr_mesh_create_named(names[0], NULL, &meshes[0], run->error);
    if (status == FR_OK) { status = fr_mesh_create_named(names[1], NULL, &meshes[1], run->error); }
    if (status == FR_OK) { status = two_movers_create((const fr_mesh *[2]){meshes[0], meshes[1]}, out, run->error); }
    fr_mesh_release(meshes[0]);
    fr_mesh_release(meshes[1]);
    return status;
}

static fr_status make_spheres(experiment_run *run, unsigned faces, two_movers *out) {
    char name[32];
    snprintf(name, sizeof name, "sphere_%u", faces);
    return make_shapes(run, (const char *const[2]){name, name}, out);
}

// The first cycle from `first` on in which the cycle finds a colliding pair; the spheres are left there.
static fr_status find_collision(experiment_run *run, two_movers *movers, const spheres_motion *motion,
                                const fr_face_cycle_input *like, int first, int *cycle) {
    for (*cycle = first; *cycle < LAST_CYCLE; (*cycle)++) {
        fr_status status = spheres_place(movers, motion, *cycle, run->error);
        fr_face_cycle_output output;
        if (status == FR_OK) { status = two_movers_cycle(movers, like, &output, run->error); }
        if (status != FR_OK || output.pair_count > 0) { return status; }
    }
    return fr_error_set(run->error, FR_ERROR_CORRUPT, "the two never collide");
}

static const spheres_motion reconstruction = {.speed = SPEED};

// The two spheres at the last cycle of the reconstruction.
static fr_status make_last_cycle(experiment_run *run, unsigned faces, two_movers *out) {
    fr_status status = make_spheres(run, faces, out);
    if (status != FR_OK) { return status; }
    fr_face_cycle_input like = cycle_like(run);
    int cycle;
    status = find_collision(run, out, &reconstruction, &like, 60, &cycle);
    if (status != FR_OK) { two_movers_destroy(out); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Collisions at other phases: the same directions and speeds, begun at any part of a cycle and anywhere in a cube

typedef struct phase_figures {
    sample_mean listed, found, share[4];
} phase_figures;

static fr_status sample_phases(experiment_run *run, two_movers *movers, double progress[2], phase_figures *out) {
    fr_random random = fr_random_seed(31);
    fr_face_cycle_input like = cycle_like(run);
    for (int i = 0, n = phases_of(run); i < n; i++) {
        double leaf = SPHERES_ROOT / 64.0;
        spheres_motion motion = {.speed = SPEED};
        motion.offset.x = fr_random_between(&random, 0.0, leaf);
        motion.offset.y = fr_random_between(&random, 0.0, leaf);
        motion.offset.z = fr_random_between(&random, 0.0, leaf);
        motion.phase = fr_random_unit(&random);
        int cycle;
        cycle_figures figures;
        fr_status status = find_collision(run, movers, &motion, &like, 62, &cycle);
        if (status == FR_OK) { status = measure_cycle(run, movers, &like, repeats_of(run), &figures); }
        if (status != FR_OK) { return status; }
        sample_mean_add(&out->listed, figures.listed);
        sample_mean_add(&out->found, figures.found);
        double sum = figures.ms[0] + figures.ms[1] + figures.ms[2] + figures.ms[3];
        for (int k = 0; k < 4; k++) {
            sample_mean_add(&out->share[k], 100.0 * figures.ms[k] / sum);
        }
        fr_control_progress(run->control, progress[0] + (progress[1] - progress[0]) * (i + 1) / n, "phases");
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Table 3.1: shares of the steps at the last cycle

static fr_status run_shares(experiment_run *run, two_movers *movers) {
    static const double printed[4] = {0.5, 2.4, 13.2, 83.9};
    fr_face_cycle_input like = cycle_like(run);
    cycle_figures last;
    fast_figures fast;
    fr_status status = measure_cycle(run, movers, &like, repeats_of(run), &last);
    if (status == FR_OK) { status = measure_fast(run, movers, FR_NARROW_EXACT, repeats_of(run), &fast); }
    if (status != FR_OK) { return status; }
    phase_figures phases = {0};
    status = sample_phases(run, movers, (double[2]){0.1, 1.0}, &phases);
    if (status != FR_OK) { return status; }

    double sum = last.ms[0] + last.ms[1] + last.ms[2] + last.ms[3];
    bool ok = true;
    for (int k = 0; k < 4; k++) {
        ok = ok && put(experiment_add(run, "%", "face-octree 3968, step %d: share of time", k + 1), printed[k],
                       100.0 * last.ms[k] / sum);
    }
    for (int k = 0; k < 4; k++) {
        ok = ok && put_mean(experiment_add(run, "%", "face-octree 3968, phases, step %d: share of time", k + 1),
                            printed[k], &phases.share[k]);
    }
    ok = ok && put(experiment_add(run, "ms", "face-octree 3968: time of the last cycle"), NAN, last.total) &&
         put_fast(experiment_add(run, "ms", "fast 3968: time of the last cycle"), fast.ms, last.total, fast.ms);
    return ok ? FR_OK : run->error->status;
}

static fr_status run_table_3_1(experiment_run *run) {
    snprintf(run->sample, sizeof run->sample,
             "last cycle of the reconstruction; phases: mean of %d collisions; least time of %d runs each",
             phases_of(run), repeats_of(run));
    two_movers movers;
    fr_status status = make_last_cycle(run, 3968, &movers);
    if (status != FR_OK) { return status; }
    status = run_shares(run, &movers);
    two_movers_destroy(&movers);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Fig. 3.5: the time of each cycle until the collision

typedef struct course_figures {
    int overlap, swept_overlap, collision, fast_collision; // cycles; -1: not met
    double apart_ms, overlap_ms;                           // mean of the cycles before; the first with an overlap
    double total_ms, fast_total_ms;
    cycle_figures last, swept;
    fast_figures fast, hull; // by the judge; by the hulls
} course_figures;

// One cycle of the course. *is_last: the faithful method found a collision.
static fr_status run_cycle(experiment_run *run, two_movers *movers, int cycle, course_figures *out, bool *is_last) {
    fr_face_cycle_input like = cycle_like(run), swept = like;
    swept.is_swept = true;
    cycle_figures now;
    fast_figures fast;
    fr_status status = spheres_place(movers, &reconstruction, cycle, run->error);
    if (status == FR_OK) { status = measure_cycle(run, movers, &like, 1, &now); }
    if (status == FR_OK) { status = measure_fast(run, movers, FR_NARROW_EXACT, 1, &fast); }
    if (status == FR_OK && out->swept_overlap < 0) {
        status = measure_cycle(run, movers, &swept, 1, &out->swept);
        if (out->swept.overlaps > 0.0) { out->swept_overlap = cycle; }
    }
    if (status != FR_OK) { return status; }
    out->total_ms += now.total;
    out->fast_total_ms += fast.ms;
    if (now.overlaps > 0.0 && out->overlap < 0) {
        out->overlap = cycle;
        out->overlap_ms = now.total;
    }
    if (out->overlap < 0) { out->apart_ms += (now.total - out->apart_ms) / (cycle + 1); }
    if (fast.found > 0.0 && out->fast_collision < 0) { out->fast_collision = cycle; }
    *is_last = now.found > 0.0;
    if (!*is_last) { return FR_OK; }
    out->collision = cycle;
    status = measure_cycle(run, movers, &like, repeats_of(run), &out->last);
    if (status == FR_OK) { status = measure_cycle(run, movers, &swept, repeats_of(run), &out->swept); }
    if (status == FR_OK) { status = measure_fast(run, movers, FR_NARROW_EXACT, repeats_of(run), &out->fast); }
    return status == FR_OK ? measure_fast(run, movers, FR_NARROW_HULL, repeats_of(run), &out->hull) : status;
}

static fr_status run_course(experiment_run *run, two_movers *movers, double progress, course_figures *out) {
    *out = (course_figures){.overlap = -1, .swept_overlap = -1, .collision = -1, .fast_collision = -1};
    bool is_last = false;
    for (int cycle = 0; !is_last && cycle < LAST_CYCLE; cycle++) {
        fr_status status = run_cycle(run, movers, cycle, out, &is_last);
        if (status != FR_OK) { return status; }
        fr_control_progress(run->control, progress + 0.25 * fmin(1.0, cycle / 72.0), "cycles");
    }
    return FR_OK;
}

// What the text prints of one size of spheres; NAN where nothing is said.
typedef struct course_printed {
    unsigned faces;
    double overlap, listed, found, share, apart, at_overlap;
} course_printed;

static bool put_course(experiment_run *run, const course_printed *p, const course_figures *c) {
    unsigned f = p->faces;
    double all = (double)f * (double)f;
    return put(experiment_add(run, "cycle", "face-octree %u: boxes overlap from", f), p->overlap, c->overlap) &&
           put(experiment_add(run, "cycle", "swept-boxes %u: boxes overlap from", f), NAN, c->swept_overlap) &&
           put(experiment_add(run, "cycle", "face-octree %u: collision found at", f), 72.0, c->collision) &&
           put(experiment_add(run, "pairs", "face-octree %u: tested, P", f), p->listed, c->last.listed) &&
           put(experiment_add(run, "pairs", "face-octree %u: colliding, p", f), p->found, c->last.found) &&
           put(experiment_add(run, "%", "face-octree %u: tested of all pairs", f), p->share,
               100.0 * c->last.listed / all) &&
           put(experiment_add(run, "%", "face-octree %u: time while apart, of the last cycle's", f), p->apart,
               100.0 * c->apart_ms / c->last.total) &&
           put(experiment_add(run, "%", "face-octree %u: time at the first overlap, of the last cycle's", f),
               p->at_overlap, 100.0 * c->overlap_ms / c->last.total) &&
           put(experiment_add(run, "pairs", "swept-boxes %u: tested, P", f), NAN, c->swept.listed) &&
           put(experiment_add(run, "pairs", "swept-boxes %u: colliding, p", f), NAN, c->swept.found) &&
           put(experiment_add(run, "cycle", "fast %u: collision found at", f), NAN, c->fast_collision) &&
           put(experiment_add(run, "pairs", "fast %u: colliding", f), NAN, c->fast.found) &&
           put_fast(experiment_add(run, "ms", "fast %u: time of the last cycle", f), c->fast.ms, c->last.total,
                    c->fast.ms) &&
           put(experiment_add(run, "pairs", "fast, hulls %u: colliding", f), NAN, c->hull.found) &&
           put_fast(experiment_add(run, "ms", "fast, hulls %u: time of the last cycle", f), c->hull.ms, c->last.total,
                    c->hull.ms) &&
           put_fast(experiment_add(run, "ms", "fast %u: time of all cycles", f), c->fast_total_ms, c->total_ms,
                    c->fast_total_ms);
}

static fr_status run_size(experiment_run *run, const course_printed *printed, double progress, double *last_ms) {
    two_movers movers;
    fr_status status = make_spheres(run, printed->faces, &movers);
    if (status != FR_OK) { return status; }
    course_figures course;
    phase_figures phases = {0};
    status = run_course(run, &movers, progress, &course);
    if (status == FR_OK) {
        status = sample_phases(run, &movers, (double[2]){progress + 0.25, progress + 0.5}, &phases);
    }
    two_movers_destroy(&movers);
    if (status != FR_OK) { return status; }
    *last_ms = course.last.total;
    unsigned f = printed->faces;
    bool ok = put_course(run, printed, &course) &&
              put_mean(experiment_add(run, "pairs", "face-octree %u, phases: tested, P", f), printed->listed,
                       &phases.listed) &&
              put_mean(experiment_add(run, "pairs", "face-octree %u, phases: colliding, p", f), printed->found,
                       &phases.found);
    return ok ? FR_OK : run->error->status;
}

static fr_status run_3_5(experiment_run *run) {
    static const course_printed many = {3968, 45.0, 1160.0, 121.0, 0.007, 100.0 * 2.0 / 434.0, 100.0 * 12.0 / 434.0};
    static const course_printed few = {960, NAN, 186.0, 21.0, 0.02, NAN, NAN};
    snprintf(run->sample, sizeof run->sample,
             "one course of cycles; phases: mean of %d collisions; least time of %d runs at the last cycle",
             phases_of(run), repeats_of(run));
    double many_ms = 0.0, few_ms = 0.0;
    fr_status status = run_size(run, &many, 0.0, &many_ms);
    if (status == FR_OK) { status = run_size(run, &few, 0.5, &few_ms); }
    if (status != FR_OK) { return status; }
    bool ok = put(experiment_add(run, "%", "face-octree 960: time of the last cycle, of 3968's"), 100.0 * 126.0 / 434.0,
                  100.0 * few_ms / many_ms);
    return ok ? FR_OK : run->error->status;
}

// ---------------------------------------------------------------------------------------------------------------
// Fig. 3.6: the test of an instant in place of the swept one

// A sheet that passes through another within a cycle: neither end of it shows anything.
static fr_status make_sheets(experiment_run *run, two_movers *out) {
    static const double corners[12] = {0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = corners;
    def.vertex_count = 4;
    def.triangles = triangles;
    def.triangle_count = 2;
    fr_mesh *mesh;
    fr_status status = fr_mesh_create(&def, &mesh, run->error);
    if (status != FR_OK) { return status; }
    status = two_movers_create((const fr_mesh *[2]){mesh, mesh}, out, run->error);
    fr_mesh_release(mesh);
    if (status != FR_OK) { return status; }
    fr_pose start[2], end[2];
    for (int k = 0; k < 2; k++) {
        start[k] = end[k] = fr_pose_make(fr_vec3_make(8.0, 8.0, 8.0), fr_quat_identity());
    }
    start[1].position.z += 0.1;
    end[1].position.z -= 0.1;
    status = two_movers_place(out, start, end, run->error);
    if (status != FR_OK) { two_movers_destroy(out); }
    return status;
}

static fr_status run_sheets(experiment_run *run) {
    two_movers sheets;
    fr_status status = make_sheets(run, &sheets);
    if (status != FR_OK) { return status; }
    fr_face_cycle_input like = cycle_like(run);
    like.depth = 4; // cubes of edge 1: the travel of a cycle is a fifth of one
    cycle_figures swept, instant;
    fast_figures fast;
    status = measure_cycle(run, &sheets, &like, 1, &swept);
    like.test = FR_FACE_TEST_INSTANT;
    if (status == FR_OK) { status = measure_cycle(run, &sheets, &like, 1, &instant); }
    if (status == FR_OK) { status = measure_fast(run, &sheets, FR_NARROW_EXACT, 1, &fast); }
    two_movers_destroy(&sheets);
    if (status != FR_OK) { return status; }
    bool ok = put(experiment_add(run, "pairs", "instant, a sheet through a sheet: found"), NAN, instant.found) &&
              put(experiment_add(run, "pairs", "swept, a sheet through a sheet: found"), NAN, swept.found) &&
              put(experiment_add(run, "pairs", "fast, a sheet through a sheet: found"), NAN, fast.found);
    return ok ? FR_OK : run->error->status;
}

static fr_status run_tests(experiment_run *run, two_movers *movers) {
    fr_face_cycle_input like = cycle_like(run), instant_like = like;
    instant_like.test = FR_FACE_TEST_INSTANT;
    cycle_figures swept, instant;
    fast_figures fast;
    int cycle = 0;
    fr_status status = measure_cycle(run, movers, &like, repeats_of(run), &swept);
    if (status == FR_OK) { status = measure_cycle(run, movers, &instant_like, repeats_of(run), &instant); }
    if (status == FR_OK) { status = measure_fast(run, movers, FR_NARROW_EXACT, repeats_of(run), &fast); }
    fr_control_progress(run->control, 0.5, "tests");
    if (status == FR_OK) { status = find_collision(run, movers, &reconstruction, &instant_like, 60, &cycle); }
    if (status != FR_OK) { return status; }
    bool ok = put(experiment_add(run, "times", "swept 3968: time of the last cycle, over the instant's"), 434.0 / 70.0,
                  swept.total / instant.total) &&
              put(experiment_add(run, "%", "instant 3968: steps 1 to 3, of the last cycle's time"), NAN,
                  100.0 * (instant.ms[0] + instant.ms[1] + instant.ms[2]) / instant.total) &&
              put(experiment_add(run, "pairs", "swept 3968: colliding at the last cycle"), 121.0, swept.found) &&
              put(experiment_add(run, "pairs", "instant 3968: colliding at the last cycle"), NAN, instant.found) &&
              put(experiment_add(run, "cycle", "instant 3968: collision found at"), NAN, cycle) &&
              put_fast(experiment_add(run, "ms", "fast 3968: time of the last cycle"), fast.ms, swept.total, fast.ms);
    return ok ? FR_OK : run->error->status;
}

static fr_status run_3_6(experiment_run *run) {
    snprintf(run->sample, sizeof run->sample, "last cycle of the reconstruction; least time of %d runs each",
             repeats_of(run));
    two_movers movers;
    fr_status status = make_last_cycle(run, 3968, &movers);
    if (status != FR_OK) { return status; }
    status = run_tests(run, &movers);
    two_movers_destroy(&movers);
    return status == FR_OK ? run_sheets(run) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Figs. 3.7 and 3.8: processors

// What one figure prints, as far as the text gives it.
typedef struct processors_printed {
    unsigned faces;
    const double *shares;                      // of the steps, for the model; NULL: not given
    double accesses[2];                        // static, dynamic
    double static_speedup, dynamic_speedup;    // best, over one processor
    int static_processors, dynamic_processors; // with as many; 0: not given
} processors_printed;

// T_1 / T_N of Kitamura 3.6.2: step 4 alone is shared.
static double model_static(const double t[4], int n) {
    double rest = t[0] + t[1] + t[2];
    return (rest + t[3]) / (rest + t[3] / n);
}

// The same for the dynamic load, whose step 3 runs beside step 4 and is never shared.
static double model_dynamic(const double t[4], int n) {
    double shared = (t[2] + t[3]) / n;
    return (t[0] + t[1] + t[2] + t[3]) / (t[0] + t[1] + (shared > t[2] ? shared : t[2]));
}

static bool put_models(experiment_run *run, const processors_printed *p, const double ms[4]) {
    for (int n = 2; n <= 12; n += 2) {
        double printed = p->shares != NULL ? model_static(p->shares, n) : NAN;
        if (!put(experiment_add(run, "times", "model, static %u, N = %d: speed-up over one", p->faces, n), printed,
                 model_static(ms, n))) {
            return false;
        }
    }
    for (int n = 2; n <= 12; n += 2) {
        double printed = p->shares != NULL ? model_dynamic(p->shares, n) : NAN;
        if (!put(experiment_add(run, "times", "model, dynamic %u, N = %d: speed-up at most", p->faces, n), printed,
                 model_dynamic(ms, n))) {
            return false;
        }
    }
    return true;
}

// The cycle with N workers by both loads.
static fr_status measure_workers(experiment_run *run, two_movers *movers, int workers, cycle_figures out[2]) {
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = workers;
    fr_task_pool *pool;
    fr_status status = fr_task_pool_create(&def, &pool, run->error);
    if (status != FR_OK) { return status; }
    fr_tasks tasks = fr_task_pool_tasks(pool);
    fr_face_cycle_input like = cycle_like(run);
    like.tasks = &tasks;
    like.clock = fr_clock_ns;
    for (int k = 0; k < 2 && status == FR_OK; k++) {
        like.balance = k == 0 ? FR_BALANCE_STATIC : FR_BALANCE_DYNAMIC;
        status = measure_cycle(run, movers, &like, workers_repeats_of(run), &out[k]);
    }
    fr_task_pool_destroy(pool);
    return status;
}

static fr_status run_workers(experiment_run *run, const processors_printed *p, two_movers *movers, double serial_ms,
                             cycle_figures last[2]) {
    static const char *const names[2] = {"static", "dynamic"};
    int most = run->threads < 1 ? 1 : run->threads;
    for (int n = 1; n <= most; n++) {
        fr_status status = measure_workers(run, movers, n, last);
        if (status != FR_OK) { return status; }
        for (int k = 0; k < 2; k++) {
            bool is_given = n == (k == 0 ? p->static_processors : p->dynamic_processors);
            double printed = is_given ? (k == 0 ? p->static_speedup : p->dynamic_speedup) : NAN;
            if (!put(experiment_add(run, "times", "%s %u, N = %d: speed-up over one", names[k], p->faces, n), printed,
                     serial_ms / last[k].total)) {
                return run->error->status;
            }
        }
        fr_control_progress(run->control, 0.3 + 0.7 * n / most, "processors");
    }
    return FR_OK;
}

// What is printed for more processors than there are here.
static bool put_unmeasured(experiment_run *run, const processors_printed *p) {
    bool ok = true;
    if (p->static_processors > run->threads) {
        ok = put(experiment_add(run, "times", "static %u, N = %d: speed-up over one", p->faces, p->static_processors),
                 p->static_speedup, NAN);
    }
    if (ok && p->dynamic_processors > run->threads) {
        ok = put(experiment_add(run, "times", "dynamic %u, N = %d: speed-up over one", p->faces, p->dynamic_processors),
                 p->dynamic_speedup, NAN);
    }
    return ok;
}

static fr_status run_processors(experiment_run *run, const processors_printed *p, two_movers *movers) {
    fr_face_cycle_input like = cycle_like(run);
    cycle_figures serial, alone, last[2]; // by processor time; by the clock on the wall, as all with workers
    fast_figures fast;
    fr_status status = measure_cycle(run, movers, &like, workers_repeats_of(run), &serial);
    like.clock = fr_clock_ns;
    if (status == FR_OK) { status = measure_cycle(run, movers, &like, workers_repeats_of(run), &alone); }
    if (status == FR_OK) { status = measure_fast(run, movers, FR_NARROW_EXACT, repeats_of(run), &fast); }
    if (status != FR_OK) { return status; }
    if (!put_models(run, p, serial.ms)) { return run->error->status; }
    status = run_workers(run, p, movers, alone.total, last);
    if (status != FR_OK) { return status; }
    bool ok = put_unmeasured(run, p) &&
              put(experiment_add(run, "accesses", "static %u: to shared memory, P + p", p->faces), p->accesses[0],
                  last[0].accesses) &&
              put(experiment_add(run, "accesses", "dynamic %u: to shared memory, 2 P + p", p->faces), p->accesses[1],
                  last[1].accesses) &&
              put_fast(experiment_add(run, "ms", "fast %u, N = 1: time of the last cycle", p->faces), fast.ms,
                       serial.total, fast.ms);
    return ok ? FR_OK : run->error->status;
}

static fr_status run_processors_of(experiment_run *run, const processors_printed *p) {
    snprintf(run->sample, sizeof run->sample,
             "last cycle of the reconstruction; least time of %d runs each, N = 1 to %d, by the clock on the wall",
             workers_repeats_of(run), run->threads);
    two_movers movers;
    fr_status status = make_last_cycle(run, p->faces, &movers);
    if (status != FR_OK) { return status; }
    status = run_processors(run, p, &movers);
    two_movers_destroy(&movers);
    return status;
}

static fr_status run_3_7(experiment_run *run) {
    static const double shares[4] = {0.5, 2.4, 13.2, 83.9};
    static const processors_printed printed = {3968, shares, {1281.0, 2441.0}, 430.0 / 120.0, 430.0 / 80.0, 12, 11};
    return run_processors_of(run, &printed);
}

static fr_status run_3_8(experiment_run *run) {
    static const processors_printed printed = {960, NULL, {NAN, NAN}, NAN, 126.0 / 27.0, 0, 8};
    return run_processors_of(run, &printed);
}

// ---------------------------------------------------------------------------------------------------------------
// Fig. 6.2: a head of 1816 faces against the space shuttle of 528. Both are made by code, of about the spheres' size,
// and meet on the spheres' path, in random orientations

typedef struct meeting_figures {
    sample_mean listed, found, fast_found, ms, fast_ms;
} meeting_figures;

static fr_vec3 any_turn(fr_random *random) {
    double x = fr_random_between(random, -3.0, 3.0), y = fr_random_between(random, -3.0, 3.0);
    return fr_vec3_make(x, y, fr_random_between(random, -3.0, 3.0));
}

static fr_status sample_meetings(experiment_run *run, two_movers *movers, meeting_figures *out) {
    fr_random random = fr_random_seed(62);
    fr_face_cycle_input like = cycle_like(run);
    for (int i = 0, n = phases_of(run); i < n; i++) {
        spheres_motion motion = {.speed = SPEED};
        motion.turn[0] = any_turn(&random);
        motion.turn[1] = any_turn(&random);
        int cycle;
        cycle_figures figures;
        fast_figures fast;
        fr_status status = find_collision(run, movers, &motion, &like, 0, &cycle);
        if (status == FR_OK) { status = measure_cycle(run, movers, &like, repeats_of(run), &figures); }
        if (status == FR_OK) { status = measure_fast(run, movers, FR_NARROW_EXACT, repeats_of(run), &fast); }
        if (status != FR_OK) { return status; }
        sample_mean_add(&out->listed, figures.listed);
        sample_mean_add(&out->found, figures.found);
        sample_mean_add(&out->ms, figures.total);
        sample_mean_add(&out->fast_found, fast.found);
        sample_mean_add(&out->fast_ms, fast.ms);
        fr_control_progress(run->control, 0.2 + 0.8 * (i + 1) / n, "meetings");
    }
    return FR_OK;
}

static fr_status run_6_2(experiment_run *run) {
    snprintf(run->sample, sizeof run->sample, "mean of %d collisions, each turned anyhow; least time of %d runs each",
             phases_of(run), repeats_of(run));
    two_movers movers;
    fr_status status = make_last_cycle(run, 3968, &movers);
    if (status != FR_OK) { return status; }
    fr_face_cycle_input like = cycle_like(run);
    cycle_figures spheres;
    status = measure_cycle(run, &movers, &like, repeats_of(run), &spheres);
    two_movers_destroy(&movers);
    if (status == FR_OK) { status = make_shapes(run, (const char *const[2]){"head_1816", "shuttle_528"}, &movers); }
    if (status != FR_OK) { return status; }
    meeting_figures meetings = {0};
    status = sample_meetings(run, &movers, &meetings);
    two_movers_destroy(&movers);
    if (status != FR_OK) { return status; }

    experiment_row *row = experiment_add(run, "%", "face-octree head and shuttle: time, of two spheres of 3968's");
    bool ok = put(row, 100.0 * 50.0 / 70.0, 100.0 * meetings.ms.mean / spheres.total);
    if (ok) { row->error = 100.0 * sample_mean_error(&meetings.ms) / spheres.total; }
    ok = ok &&
         put_mean(experiment_add(run, "pairs", "face-octree head and shuttle: tested, P"), NAN, &meetings.listed) &&
         put_mean(experiment_add(run, "pairs", "face-octree head and shuttle: colliding, p"), NAN, &meetings.found) &&
         put_mean(experiment_add(run, "pairs", "fast head and shuttle: colliding"), NAN, &meetings.fast_found) &&
         put_fast(experiment_add(run, "ms", "fast head and shuttle: time of the last cycle"), meetings.fast_ms.mean,
                  meetings.ms.mean, meetings.fast_ms.mean);
    return ok ? FR_OK : run->error->status;
}

const experiment experiment_kitamura_3_5 = {"kitamura-3.5", source_of_sequence,
                                            "pairs tested and colliding, cycle by cycle, 3968 and 960 faces", run_3_5};
const experiment experiment_kitamura_3_6 = {"kitamura-3.6", source_of_sequence,
                                            "the test of an instant in place of the swept one", run_3_6};
const experiment experiment_kitamura_3_7 = {"kitamura-3.7", source_of_processors,
                                            "static and dynamic load among processors, 3968 faces", run_3_7};
const experiment experiment_kitamura_3_8 = {"kitamura-3.8", source_of_processors,
                                            "static and dynamic load among processors, 960 faces", run_3_8};
const experiment experiment_kitamura_table_3_1 = {"kitamura-table-3.1", source_of_processors,
                                                  "shares of the four steps at the last cycle", run_table_3_1};
const experiment experiment_kitamura_6_2 = {"kitamura-6.2", "Kitamura 1996, section 6.2.2",
                                            "a head of 1816 faces against the shuttle of 528", run_6_2};

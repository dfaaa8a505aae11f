// Kitamura 1996, chapter 5. The source's shuttle of 863 black nodes is not printed; ours is a thin one of 864 at depth
// 5, made by formula. Motion of a cycle: (-0.1, 0, 0) voxel and (1.5, -1.5, 1.5) degrees, 39 cycles, the rule of
// centres.
#include "kitamura_motion.h"

#include "cube_cover.h"

#include "octree/faithful/cube_motion.h"

#include <stdio.h>
#include <string.h>

static const char source[] = "Kitamura 1996, section 5.6";

enum { CYCLES = 39, DEPTH = 5 };

static int cycles_of(const experiment_run *run) { return (const int[]){3, CYCLES, CYCLES}[run->size]; }
static int repeats_of(const experiment_run *run) { return (const int[]){1, 3, 20}[run->size]; }

// ---------------------------------------------------------------------------------------------------------------
// The shuttle

static bool in_ellipsoid(double x, double y, double z, double a, double b) {
    return x * x / (a * a) + (y * y + z * z) / (b * b) <= 1.0;
}

static bool in_shuttle(double px, double py, double pz) {
    double x = (px - 18.8016) / 1.2951, y = (py - 16.1363) / 1.2951, z = (pz - 16.2015) / 1.2951;
    if (in_ellipsoid(x, y, z, 11.5, 2.89275)) { return true; }
    double wing = 0.72 * (4.5 - x) < 9.2 ? 0.72 * (4.5 - x) : 9.2;
    if (x >= -10.0 && x <= 4.5 && fabs(z) <= 0.7979 && fabs(y) <= wing) { return true; }
    if (x >= -11.2 && x <= -6.5 && fabs(y) <= 0.798 && z >= 0.0 && z <= 2.0 + 1.6 * (-6.5 - x)) { return true; }
    return in_ellipsoid(x + 9.5, y - 2.2, z - 2.2, 3.0, 1.49625) ||
           in_ellipsoid(x + 9.5, y + 2.2, z - 2.2, 3.0, 1.49625);
}

typedef struct shuttle {
    fr_octree *tree, *moved;
    fr_octree_reference *reference;
    fr_cube_list leaves, compact;
    fr_cube_motion *mover;
    fr_octree_motion motions[CYCLES];
} shuttle;

static void fill_shuttle(fr_octree *tree) {
    for (int64_t i = 0; i < 32768; i++) {
        const int64_t low[3] = {i % 32, i / 32 % 32, i / 1024}, high[3] = {low[0] + 1, low[1] + 1, low[2] + 1};
        if (in_shuttle((double)low[0] + 0.5, (double)low[1] + 0.5, (double)low[2] + 0.5)) {
            fr_octree_fill(tree, low, high, FR_CELL_BLACK);
        }
    }
}

static void free_shuttle(shuttle *s) {
    fr_octree_destroy(s->tree);
    fr_octree_destroy(s->moved);
    fr_octree_reference_destroy(s->reference);
    fr_cube_array_destroy(&s->leaves.array);
    fr_cube_array_destroy(&s->compact.array);
    fr_cube_motion_destroy(s->mover);
}

static fr_status make_shuttle(experiment_run *run, bool turns, shuttle *s) {
    memset(s, 0, sizeof *s);
    fr_octree_def def = fr_default_octree_def();
    def.depth = DEPTH;
    fr_status status = fr_octree_create(&def, &s->tree, run->error);
    if (status == FR_OK) { status = fr_octree_create(&def, &s->moved, run->error); }
    if (status == FR_OK) {
        fill_shuttle(s->tree);
        status = fr_octree_reference_create(s->tree, NULL, &s->reference, run->error);
    }
    if (status == FR_OK) { status = fr_cube_list_leaves(s->tree, NULL, &s->leaves); }
    if (status == FR_OK) { status = fr_cube_list_compact(s->tree, NULL, &s->compact); }
    if (status == FR_OK) { status = fr_cube_motion_create(NULL, &s->mover, run->error); }
    if (status != FR_OK) { return fr_error_set(run->error, status, "the shuttle could not be made"); }
    fr_octree_motion all = fr_octree_motion_identity();
    fr_vec3 turn = turns ? fr_vec3_make(1.5, -1.5, 1.5) : fr_vec3_make(0.0, 0.0, 0.0);
    fr_octree_motion step = fr_octree_motion_step(fr_vec3_make(-0.1, turns ? 0.0 : 0.07, turns ? 0.0 : 0.03), turn);
    for (int i = 0; i < CYCLES; i++) {
        fr_octree_motion_compose(&all, &step);
        s->motions[i] = all;
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Measuring

typedef struct update_figures {
    double ms;          // of one update, the least of the repeats; processor time of the calling thread on one worker
    double tests;       // mean of the cycles
    double comparisons; // mean of the cycles
} update_figures;

static fr_cube_motion_input input_of(const fr_cube_list *list, fr_cube_method method, fr_octree_rule rule) {
    fr_cube_motion_input input = {
        .cubes = fr_cubes_of(list), .cube_count = list->array.count, .depth = DEPTH, .rule = rule, .method = method};
    return input;
}

static fr_status measure_cubes(experiment_run *run, shuttle *s, fr_cube_motion_input input, update_figures *out) {
    int cycles = cycles_of(run);
    bool by_wall = fr_tasks_worker_count(input.tasks) > 1;
    *out = (update_figures){INFINITY, 0.0, 0.0};
    for (int k = 0; k < repeats_of(run); k++) {
        uint64_t tests = 0, comparisons = 0, start = by_wall ? fr_clock_ns() : experiment_cpu_ns();
        for (int i = 0; i < cycles; i++) {
            fr_cube_motion_output output;
            input.motion = s->motions[i * CYCLES / cycles];
            // The source ends with its linked cells: they are not made into our tree.
            fr_status status = fr_cube_motion_run(s->mover, &input, NULL, &output, run->error);
            if (status != FR_OK) { return status; }
            tests += output.tests;
            comparisons += output.comparisons;
        }
        uint64_t end = by_wall ? fr_clock_ns() : experiment_cpu_ns();
        out->ms = fmin(out->ms, (double)(end - start) * 1e-6 / cycles);
        out->tests = (double)tests / cycles;
        out->comparisons = (double)comparisons / cycles;
        if (fr_control_is_stopped(run->control)) { return fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
    }
    return FR_OK;
}

static fr_status measure_fast(experiment_run *run, shuttle *s, fr_octree_rule rule, double *ms) {
    fr_octree_move_input input = fr_default_octree_move_input();
    input.rule = rule;
    *ms = INFINITY;
    for (int k = 0; k < 10 * repeats_of(run); k++) {
        uint64_t start = experiment_cpu_ns();
        for (int i = 0; i < CYCLES; i++) {
            input.motion = s->motions[i];
            fr_status status = fr_octree_move(s->reference, &input, s->moved, NULL, NULL);
            if (status != FR_OK) { return fr_error_set(run->error, status, "the shuttle could not be moved"); }
        }
        *ms = fmin(*ms, (double)(experiment_cpu_ns() - start) * 1e-6 / CYCLES);
    }
    return FR_OK;
}

static bool add(experiment_run *run, const char *unit, const char *label, double printed, double measured,
                double speedup) {
    experiment_row *row = experiment_add(run, unit, "%s", label);
    if (row == NULL) { return false; }
    row->printed = printed;
    row->measured = measured;
    row->speedup = speedup;
    return true;
}

static void say_sample(experiment_run *run) {
    snprintf(run->sample, sizeof run->sample,
             "a thin shuttle of 864 nodes at depth 5, %d of 39 cycles, the least of %d runs", cycles_of(run),
             repeats_of(run));
}

// ---------------------------------------------------------------------------------------------------------------
// Table 5.1

static const double printed_ms[] = {229.0, 127.0, 62.0, 41.0, 38.0, 36.0};

// The source's own parallel form, by 2 to 4 processors.
static fr_status run_processors(experiment_run *run, shuttle *s, double wa_ms) {
    for (int n = 2; n <= 4; n++) {
        double ms = NAN;
        if (n <= run->threads) {
            fr_task_pool_def def = fr_default_task_pool_def();
            def.worker_count = n;
            fr_task_pool *pool = NULL;
            fr_status status = fr_task_pool_create(&def, &pool, run->error);
            if (status != FR_OK) { return status; }
            fr_tasks tasks = fr_task_pool_tasks(pool);
            fr_cube_motion_input input = input_of(&s->compact, FR_CUBE_STAGED, FR_OCTREE_CENTER);
            input.tasks = &tasks;
            update_figures figures;
            status = measure_cubes(run, s, input, &figures);
            fr_task_pool_destroy(pool);
            if (status != FR_OK) { return status; }
            ms = figures.ms;
        }
        char label[64];
        snprintf(label, sizeof label, "compact, N = %d: time of wa's", n);
        if (!add(run, "times", label, printed_ms[n + 1] / printed_ms[0], ms / wa_ms, NAN)) { return FR_ERROR_MEMORY; }
    }
    return FR_OK;
}

static fr_status run_times(experiment_run *run) {
    shuttle s;
    update_figures wa, exact, compact;
    double fast = NAN;
    fr_status status = make_shuttle(run, true, &s);
    if (status == FR_OK) {
        status = measure_cubes(run, &s, input_of(&s.leaves, FR_CUBE_PRINTED, FR_OCTREE_CENTER), &wa);
    }
    if (status == FR_OK) {
        status = measure_cubes(run, &s, input_of(&s.leaves, FR_CUBE_STAGED, FR_OCTREE_CENTER), &exact);
    }
    if (status == FR_OK) {
        status = measure_cubes(run, &s, input_of(&s.compact, FR_CUBE_STAGED, FR_OCTREE_CENTER), &compact);
    }
    if (status == FR_OK) { status = measure_fast(run, &s, FR_OCTREE_CENTER, &fast); }
    if (status == FR_OK) {
        bool is_added = add(run, "nodes", "wa: black nodes", 863.0, (double)s.leaves.array.count, NAN) &&
                        add(run, "cubes", "compact: cubes", 458.0, (double)s.compact.array.count, NAN) &&
                        add(run, "ms", "wa: time of an update", NAN, wa.ms, wa.ms / fast) &&
                        add(run, "times", "wa-exact: time of wa's", printed_ms[1] / printed_ms[0], exact.ms / wa.ms,
                            exact.ms / fast) &&
                        add(run, "times", "compact: time of wa's", printed_ms[2] / printed_ms[0], compact.ms / wa.ms,
                            compact.ms / fast);
        status = is_added ? run_processors(run, &s, wa.ms) : FR_ERROR_MEMORY;
    }
    say_sample(run);
    free_shuttle(&s);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Tests of one update, and without turning

static fr_status run_tests(experiment_run *run) {
    shuttle s;
    update_figures wa, exact, compact;
    fr_status status = make_shuttle(run, true, &s);
    if (status == FR_OK) {
        status = measure_cubes(run, &s, input_of(&s.leaves, FR_CUBE_PRINTED, FR_OCTREE_CENTER), &wa);
    }
    if (status == FR_OK) {
        status = measure_cubes(run, &s, input_of(&s.leaves, FR_CUBE_STAGED, FR_OCTREE_CENTER), &exact);
    }
    if (status == FR_OK) {
        status = measure_cubes(run, &s, input_of(&s.compact, FR_CUBE_STAGED, FR_OCTREE_CENTER), &compact);
    }
    if (status == FR_OK) {
        bool is_added = add(run, "tests", "wa: tests of an update", 54007.0, wa.tests, NAN) &&
                        add(run, "tests", "wa-exact: tests of an update", 43223.0, exact.tests, NAN) &&
                        add(run, "tests", "compact: tests of an update", NAN, compact.tests, NAN) &&
                        add(run, "times", "wa: tests of wa-exact's", 54007.0 / 43223.0, wa.tests / exact.tests, NAN);
        if (!is_added) { status = FR_ERROR_MEMORY; }
    }
    say_sample(run);
    free_shuttle(&s);
    return status;
}

static fr_status run_shifts(experiment_run *run) {
    shuttle s;
    update_figures planes, trees, compact;
    double fast = NAN;
    fr_status status = make_shuttle(run, false, &s);
    if (status == FR_OK) {
        status = measure_cubes(run, &s, input_of(&s.leaves, FR_CUBE_PLANES, FR_OCTREE_OVERLAP), &planes);
    }
    if (status == FR_OK) {
        status = measure_cubes(run, &s, input_of(&s.leaves, FR_CUBE_AXIS_TREES, FR_OCTREE_OVERLAP), &trees);
    }
    if (status == FR_OK) {
        status = measure_cubes(run, &s, input_of(&s.compact, FR_CUBE_AXIS_TREES, FR_OCTREE_OVERLAP), &compact);
    }
    if (status == FR_OK) { status = measure_fast(run, &s, FR_OCTREE_OVERLAP, &fast); }
    if (status == FR_OK) {
        bool is_added =
            add(run, "planes", "planes: comparisons of an update", NAN, planes.comparisons, NAN) &&
            add(run, "planes", "axis-trees: comparisons of an update", NAN, trees.comparisons, NAN) &&
            add(run, "planes", "axis-trees, compact: comparisons of an update", NAN, compact.comparisons, NAN) &&
            add(run, "times", "axis-trees, compact: speed of planes'", 2.2, planes.ms / compact.ms, compact.ms / fast);
        if (!is_added) { status = FR_ERROR_MEMORY; }
    }
    say_sample(run);
    free_shuttle(&s);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Covers

static fr_status run_covers(experiment_run *run) {
    shuttle s;
    fr_cube_list cover = {.array = {0}};
    update_figures compact, greedy;
    fr_status status = make_shuttle(run, true, &s);
    if (status == FR_OK) { status = cube_cover_greedy(s.tree, &cover); }
    if (status == FR_OK) {
        fr_cube_motion_input input = input_of(&s.compact, FR_CUBE_STAGED, FR_OCTREE_CENTER);
        input.in_one_tree = true;
        status = measure_cubes(run, &s, input, &compact);
    }
    if (status == FR_OK) {
        fr_cube_motion_input input = input_of(&cover, FR_CUBE_STAGED, FR_OCTREE_CENTER);
        input.in_one_tree = true;
        status = measure_cubes(run, &s, input, &greedy);
    }
    if (status == FR_OK) {
        bool is_added =
            add(run, "nodes", "octree: black nodes", 863.0, (double)s.leaves.array.count, NAN) &&
            add(run, "cubes", "compact: cubes", 458.0, (double)s.compact.array.count, NAN) &&
            add(run, "cubes", "overlapping: cubes", NAN, (double)cover.array.count, NAN) &&
            add(run, "tests", "compact, in one tree: tests of an update", NAN, compact.tests, NAN) &&
            add(run, "tests", "overlapping, in one tree: tests of an update", NAN, greedy.tests, NAN) &&
            add(run, "times", "overlapping, in one tree: time of compact's", NAN, greedy.ms / compact.ms, NAN);
        if (!is_added) { status = FR_ERROR_MEMORY; }
    }
    say_sample(run);
    fr_cube_array_destroy(&cover.array);
    free_shuttle(&s);
    return status;
}

const experiment experiment_kitamura_5_4 = {"kitamura-5.4", "Kitamura 1996, section 5.3",
                                            "cubes of a solid: octree, compaction, a cover that overlaps", run_covers};
const experiment experiment_kitamura_5_12 = {"kitamura-5.12", source, "tests of one update, approximate and exact",
                                             run_tests};
const experiment experiment_kitamura_5_13 = {"kitamura-5.13", source, "translation alone, by planes and by axis trees",
                                             run_shifts};
const experiment experiment_kitamura_table_5_1 = {"kitamura-table-5.1", source, "time of one update, by method",
                                                  run_times};

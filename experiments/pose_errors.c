// Kitamura 1996 asks for an analysis of errors before the methods are used on real robots (sections 2.6 and 7.1.1) and
// prints none: this is ours. Two spheres of his table 2.1 at their last cycle; their poses are seen with Gaussian
// noise, and the result about the noisy poses, with errors of so many sigma, is compared with the true one.
#include "kitamura.h"

#include "two_movers.h"

#include <stdio.h>
#include <string.h>

#define SPEED 1.6
#define LAST_CYCLE 72 // of the reconstruction, see kitamura.c
#define SIGMA_POSITION 0.005
#define SIGMA_TURN_DEG 0.1

enum { LIMITS = 6, DRAWS_BRIEF = 8, DRAWS_USUAL = 300, DRAWS_FULL = 3000 };

static const double limits[LIMITS] = {0.0, 0.25, 0.5, 1.0, 2.0, 3.0}; // of the errors that are allowed for, in sigma

// One comparison, in pairs of faces: sums for a mean.
typedef struct error_figures {
    sample_mean missed, extra, certain_wrong;
} error_figures;

// A number with mean 0 and deviation 1, by Marsaglia's polar method.
static double gauss(fr_random *random) {
    double x, square;
    do {
        x = fr_random_between(random, -1.0, 1.0);
        double y = fr_random_between(random, -1.0, 1.0);
        square = x * x + y * y;
    } while (square >= 1.0 || square == 0.0);
    return x * sqrt(-2.0 * log(square) / square);
}

// A vector of Gaussian numbers; with a limit, drawn again until it is no longer than that.
static fr_vec3 noise(fr_random *random, double limit) {
    fr_vec3 v;
    do {
        double x = gauss(random), y = gauss(random);
        v = fr_vec3_make(x, y, gauss(random));
    } while (fr_vec3_length(v) > limit);
    return v;
}

static void make_noisy(fr_random *random, double limit, const fr_pose from[2][2], fr_pose out[2][2]) {
    for (int k = 0; k < 2; k++) {
        fr_vec3 shift = fr_vec3_scale(SIGMA_POSITION, noise(random, limit));
        fr_quat turn = fr_quat_from_vector(fr_vec3_scale(fr_radians(SIGMA_TURN_DEG), noise(random, limit)));
        for (int end = 0; end < 2; end++) {
            out[end][k] = from[end][k];
            out[end][k].position = fr_vec3_add(out[end][k].position, shift);
            out[end][k].rotation = fr_quat_multiply(turn, out[end][k].rotation);
        }
    }
}

static int compare(const fr_face_pair *p, const fr_uncertain_pair *q) {
    if (p->triangle_a != q->triangle_a) { return p->triangle_a < q->triangle_a ? -1 : 1; }
    return (p->triangle_b > q->triangle_b) - (p->triangle_b < q->triangle_b);
}

// Both are sorted and of the same two objects.
static void count(const fr_collide_output *truth, const fr_uncertain_output *seen, error_figures *out) {
    double missed = 0.0, extra = 0.0, wrong = 0.0;
    size_t i = 0, k = 0;
    while (i < truth->pair_count || k < seen->pair_count) {
        int order =
            i == truth->pair_count ? 1 : (k == seen->pair_count ? -1 : compare(&truth->pairs[i], &seen->pairs[k]));
        missed += order < 0;
        extra += order > 0;
        wrong += order > 0 && seen->pairs[k].grade == FR_GRADE_CERTAIN;
        i += order <= 0;
        k += order >= 0;
    }
    sample_mean_add(&out->missed, missed);
    sample_mean_add(&out->extra, extra);
    sample_mean_add(&out->certain_wrong, wrong);
}

// Queries the noisy poses with errors of `sigmas`; the result lives in `collide`.
static fr_status ask(experiment_run *run, const two_movers *movers, fr_collide *collide, double sigmas,
                     fr_uncertain_output *out) {
    fr_object_uncertainty errors[2] = {{movers->ids[0], {0.0, 0.0, 0.0, 0.0, 0.0}},
                                       {movers->ids[1], {0.0, 0.0, 0.0, 0.0, 0.0}}};
    for (int k = 0; k < 2; k++) {
        errors[k].uncertainty.position_error = sigmas * SIGMA_POSITION;
        errors[k].uncertainty.rotation_error = sigmas * fr_radians(SIGMA_TURN_DEG);
    }
    fr_uncertain_input input = fr_default_uncertain_input();
    input.query.space = movers->space;
    input.query.control = run->control;
    input.is_over_step = true;
    input.uncertainties = errors;
    input.uncertainty_count = 2;
    input.draws = 0;
    fr_status status = fr_collide_uncertain(collide, &input, out, run->error);
    if (status == FR_OK && out->is_partial) { return fr_error_set(run->error, FR_ERROR_STOPPED, "stopped"); }
    return status;
}

// Figures by the errors allowed for, and those of noise that is never over 3 sigma, queried with 3 sigma.
typedef struct error_study {
    two_movers movers;
    fr_collide *collide;
    error_figures by_limit[LIMITS], within;
    sample_mean truth;
} error_study;

static fr_status look(experiment_run *run, error_study *study, fr_pose seen[2][2], double sigmas,
                      const fr_collide_output *truth, error_figures *out) {
    fr_status status = two_movers_place(&study->movers, seen[0], seen[1], run->error);
    if (status == FR_OK) { status = fr_space_update(study->movers.space, NULL, run->error); }
    fr_uncertain_output result;
    if (status == FR_OK) { status = ask(run, &study->movers, study->collide, sigmas, &result); }
    if (status == FR_OK) { count(truth, &result, out); }
    return status;
}

static fr_status study_draw(experiment_run *run, error_study *study, fr_random *random) {
    fr_pose truth[2][2], seen[2][2];
    const spheres_motion motion = {.speed = SPEED, .phase = fr_random_unit(random)};
    spheres_poses(&motion, LAST_CYCLE, truth[0]);
    spheres_poses(&motion, LAST_CYCLE + 1, truth[1]);
    fr_status status = two_movers_place(&study->movers, truth[0], truth[1], run->error);
    fr_collide_output output; // lives in the movers' own fr_collide
    if (status == FR_OK) {
        status = two_movers_fast(&study->movers, FR_NARROW_EXACT, run->control, &output, run->error);
    }
    if (status != FR_OK) { return status; }
    sample_mean_add(&study->truth, (double)output.pair_count);
    make_noisy(random, INFINITY, (const fr_pose(*)[2])truth, seen);
    for (int i = 0; status == FR_OK && i < LIMITS; i++) {
        status = look(run, study, seen, limits[i], &output, &study->by_limit[i]);
    }
    make_noisy(random, 3.0, (const fr_pose(*)[2])truth, seen);
    return status == FR_OK ? look(run, study, seen, 3.0, &output, &study->within) : status;
}

static bool put_rows(experiment_run *run, const error_study *study) {
    bool ok = experiment_put_mean(experiment_add(run, "pairs", "fast 960: colliding"), &study->truth);
    for (int i = 0; i < LIMITS; i++) {
        const error_figures *f = &study->by_limit[i];
        ok =
            ok &&
            experiment_put_mean(experiment_add(run, "pairs", "uncertain 960, %g sigma: missed", limits[i]),
                                &f->missed) &&
            experiment_put_mean(experiment_add(run, "pairs", "uncertain 960, %g sigma: extra", limits[i]), &f->extra) &&
            experiment_put_mean(experiment_add(run, "pairs", "uncertain 960, %g sigma: certain but apart", limits[i]),
                                &f->certain_wrong);
    }
    const error_figures *f = &study->within;
    return ok &&
           experiment_put_mean(experiment_add(run, "pairs", "uncertain 960, within 3 sigma: missed"), &f->missed) &&
           experiment_put_mean(experiment_add(run, "pairs", "uncertain 960, within 3 sigma: extra"), &f->extra) &&
           experiment_put_mean(experiment_add(run, "pairs", "uncertain 960, within 3 sigma: certain but apart"),
                               &f->certain_wrong);
}

static fr_status run_draws(experiment_run *run, error_study *study) {
    static const int sizes[] = {
        [EXPERIMENT_BRIEF] = DRAWS_BRIEF, [EXPERIMENT_USUAL] = DRAWS_USUAL, [EXPERIMENT_FULL] = DRAWS_FULL};
    fr_random random = fr_random_seed(71);
    int draws = sizes[run->size];
    for (int i = 0; i < draws; i++) {
        fr_status status = study_draw(run, study, &random);
        if (status != FR_OK) { return status; }
        fr_control_progress(run->control, (double)(i + 1) / draws, "draws");
    }
    snprintf(run->sample, sizeof run->sample,
             "%d phases of cycle %d, spheres of diameter %g; noise of %g and %g degrees on each axis of both", draws,
             LAST_CYCLE, SPHERES_DIAMETER, SIGMA_POSITION, SIGMA_TURN_DEG);
    return put_rows(run, study) ? FR_OK : FR_ERROR_MEMORY;
}

static fr_status run_errors(experiment_run *run) {
    fr_mesh *mesh;
    fr_status status = fr_mesh_create_named("sphere_960", NULL, &mesh, run->error);
    if (status != FR_OK) { return status; }
    error_study study;
    memset(&study, 0, sizeof study);
    const fr_mesh *const meshes[2] = {mesh, mesh};
    status = two_movers_create(meshes, &study.movers, run->error);
    fr_mesh_release(mesh);
    if (status != FR_OK) { return status; }
    status = fr_collide_create(NULL, &study.collide, run->error);
    if (status == FR_OK) { status = run_draws(run, &study); }
    fr_collide_destroy(study.collide);
    two_movers_destroy(&study.movers);
    return status;
}

const experiment experiment_kitamura_7_1_1 = {
    .name = "kitamura-7.1.1",
    .source = "Kitamura 1996, sections 2.6 and 7.1.1",
    .about = "errors of real poses: pairs missed and added, by the error that is allowed for",
    .run = run_errors,
};

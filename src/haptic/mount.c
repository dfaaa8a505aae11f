// How a sensor sits on its device. While the tip is held on one point of the room, R_i (R p_i + t) + s_i = c for all
// poses (R_i, s_i) of the sensor and tips p_i in the device: nine unknowns R, t, c, by damped least squares. Where a
// search begins decides where it ends when the sensor may be mounted anyhow, so it begins at all 24 orientations of a
// cube and the best end counts.
#include "fureai/haptic.h"

#include <math.h>
#include <string.h>

#define UNKNOWNS 9
#define MOST_POSES 4096
#define MOST_STEPS 40
#define SETTLED 1e-12   // of radians and metres
#define DETERMINED 1e-5 // of a pivot beside its diagonal: with less the poses do not determine the unknown
#define ORIENTATIONS 24
#define HALF_PI 1.57079632679489661923

typedef struct guess {
    fr_quat rotation;
    fr_vec3 offset, point;
    double cost; // sum of squares
} guess;

typedef struct normal_equations {
    double a[UNKNOWNS][UNKNOWNS], b[UNKNOWNS];
} normal_equations;

static fr_vec3 miss_of(const fr_track_mount_input *in, uint32_t i, const guess *g, fr_vec3 *turned) {
    *turned = fr_pose_turn(&(fr_pose){g->rotation, {0.0, 0.0, 0.0}, 1.0}, in->tips[i]);
    fr_vec3 at = fr_pose_apply(&in->sensors[i], fr_vec3_add(*turned, g->offset));
    return fr_vec3_sub(at, g->point);
}

static double cost_of(const fr_track_mount_input *in, const guess *g) {
    double sum = 0.0;
    fr_vec3 turned;
    for (uint32_t i = 0; i < in->count; i++) {
        sum += fr_vec3_length_squared(miss_of(in, i, g, &turned));
    }
    return sum;
}

// Adds one equation, row . unknowns = -miss, to the normal equations.
static void add_row(normal_equations *n, const double row[UNKNOWNS], double miss) {
    for (int j = 0; j < UNKNOWNS; j++) {
        for (int k = 0; k <= j; k++) {
            n->a[j][k] += row[j] * row[k];
        }
        n->b[j] -= row[j] * miss;
    }
}

static void gather(const fr_track_mount_input *in, const guess *g, normal_equations *n) {
    memset(n, 0, sizeof *n);
    for (uint32_t i = 0; i < in->count; i++) {
        fr_vec3 y, miss = miss_of(in, i, g, &y);
        fr_mat3 r = fr_quat_to_mat3(in->sensors[i].rotation);
        const double misses[3] = {miss.x, miss.y, miss.z};
        for (int axis = 0; axis < 3; axis++) {
            // A small turn w moves y by w x y, so the row of w is y x (row of R_i)
            fr_vec3 w = fr_vec3_cross(y, r.row[axis]), t = r.row[axis];
            double row[UNKNOWNS] = {w.x, w.y, w.z, t.x, t.y, t.z, 0.0, 0.0, 0.0};
            row[6 + axis] = -1.0;
            add_row(n, row, misses[axis]);
        }
    }
}

// Solves by Cholesky with the diagonal raised by `damping` of itself. Returns the least pivot beside its diagonal.
static double solve(const normal_equations *n, double damping, double x[UNKNOWNS]) {
    double l[UNKNOWNS][UNKNOWNS], least = 1.0;
    for (int j = 0; j < UNKNOWNS; j++) {
        for (int k = 0; k <= j; k++) {
            double sum = n->a[j][k] * (j == k ? 1.0 + damping : 1.0);
            for (int m = 0; m < k; m++) {
                sum -= l[j][m] * l[k][m];
            }
            if (j > k) {
                l[j][k] = sum / l[k][k];
                continue;
            }
            least = fmin(least, n->a[j][j] > 0.0 ? sum / n->a[j][j] : 0.0);
            if (!(sum > 0.0)) { return 0.0; }
            l[j][j] = sqrt(sum);
        }
    }
    for (int j = 0; j < UNKNOWNS; j++) {
        x[j] = n->b[j];
        for (int m = 0; m < j; m++) {
            x[j] -= l[j][m] * x[m];
        }
        x[j] /= l[j][j];
    }
    for (int j = UNKNOWNS - 1; j >= 0; j--) {
        for (int m = j + 1; m < UNKNOWNS; m++) {
            x[j] -= l[m][j] * x[m];
        }
        x[j] /= l[j][j];
    }
    return least;
}

static guess moved(const guess *g, const double x[UNKNOWNS]) {
    guess out = *g;
    out.rotation = fr_quat_multiply(fr_quat_from_vector(fr_vec3_make(x[0], x[1], x[2])), g->rotation);
    fr_quat_normalize(&out.rotation, NULL);
    out.offset = fr_vec3_add(g->offset, fr_vec3_make(x[3], x[4], x[5]));
    out.point = fr_vec3_add(g->point, fr_vec3_make(x[6], x[7], x[8]));
    return out;
}

static void search(const fr_track_mount_input *in, guess *g) {
    double damping = 1e-3;
    g->cost = cost_of(in, g);
    for (int step = 0; step < MOST_STEPS; step++) {
        normal_equations n;
        double x[UNKNOWNS], size = 0.0;
        gather(in, g, &n);
        if (!(solve(&n, damping, x) > 0.0)) { return; }
        for (int j = 0; j < UNKNOWNS; j++) {
            size = fmax(size, fabs(x[j]));
        }
        if (!(size < 1e6)) { return; } // turns have an end, and so do rooms
        guess next = moved(g, x);
        next.cost = cost_of(in, &next);
        if (next.cost <= g->cost) {
            *g = next;
            damping *= 0.1;
            if (size < SETTLED) { return; }
        } else {
            damping *= 10.0;
            if (damping > 1e6) { return; }
        }
    }
}

// One of the 24 turns of a cube: a face up, then a quarter turn.
static fr_quat orientation_of(int i) {
    static const fr_vec3 up[6] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {2.0, 0.0, 0.0},
                                  {3.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, 0.0, 3.0}};
    fr_quat face = fr_quat_from_vector(fr_vec3_scale(HALF_PI, up[i / 4]));
    return fr_quat_multiply(face, fr_quat_from_vector(fr_vec3_make(0.0, HALF_PI * (i % 4), 0.0)));
}

static fr_status check(const fr_track_mount_input *in, fr_error *error) {
    if (in->count < FR_TRACK_MOUNT_POSES || in->count > MOST_POSES) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%u poses of the body were given, and %d .. %d are needed",
                            (unsigned)in->count, FR_TRACK_MOUNT_POSES, MOST_POSES);
    }
    for (uint32_t i = 0; i < in->count; i++) {
        fr_pose pose = in->sensors[i];
        fr_status status = fr_pose_check(&pose, error);
        if (status != FR_OK) { return status; }
        if (!fr_vec3_is_finite(in->tips[i])) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "tip %u is not finite", (unsigned)i);
        }
        if (pose.scale != 1.0) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the scale of pose %u is not 1", (unsigned)i);
        }
    }
    return FR_OK;
}

fr_status fr_track_mount(const fr_track_mount_input *input, fr_track_mount_output *output, fr_error *error) {
    FR_ASSERT(input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    output->mount = fr_pose_identity();
    fr_status status = check(input, error);
    if (status != FR_OK) { return status; }

    fr_vec3 middle = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < input->count; i++) {
        middle = fr_vec3_add_scaled(middle, 1.0 / input->count, input->sensors[i].position);
    }
    guess best = {.rotation = fr_quat_identity(), .cost = INFINITY};
    for (int i = 0; i < ORIENTATIONS; i++) {
        guess g = {.rotation = orientation_of(i), .point = middle};
        search(input, &g);
        if (g.cost < best.cost) { best = g; }
    }

    normal_equations n;
    double x[UNKNOWNS];
    gather(input, &best, &n);
    if (!(solve(&n, 0.0, x) > DETERMINED)) {
        return fr_error_set(
            error, FR_ERROR_ARGUMENT,
            "the poses determine too little: turn the body about two axes and move the tip in the device");
    }
    output->mount = fr_pose_make(best.offset, best.rotation);
    output->point = best.point;
    output->residual = sqrt(best.cost / input->count);
    for (uint32_t i = 0; i < input->count; i++) {
        fr_vec3 turned;
        output->worst = fmax(output->worst, fr_vec3_length(miss_of(input, i, &best, &turned)));
    }
    return FR_OK;
}

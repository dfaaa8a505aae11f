// Yamachi and Shindo, Cyber Radar, tables 1 and 2: balls move about a room, and each looks ahead once a frame with a
// mask that is drawn once for all of them. Two regimes: every look draws all others, as the source does, or those whose
// boxes are near alone. The source gives times of its machine; rows are ratios of ours.
#include "yamachi.h"

#include "fureai/base_order.h"
#include "fureai/radar.h"

#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 3, SIZES = 3, REGIMES = 2, MOST_BALLS = 100, MOST_PASSES = 400 };

static const int numbers[NUMBERS] = {10, 50, 100};
static const uint32_t sizes[SIZES] = {10, 25, 50};
static const char *const regimes[REGIMES] = {"draw all", "box test"};

// ---------------------------------------------------------------------------------------------------------------
// A room of balls

typedef struct room {
    fr_space *space;
    fr_radar *radar;
    fr_object_id ids[MOST_BALLS];
    fr_vec3 travels[MOST_BALLS]; // of a frame
    int count;
    double half;    // the room's edge
    uint64_t masks; // drawn so far
    uint64_t hits;
} room;

static fr_vec3 any_vector(fr_random *random, double reach) {
    fr_vec3 v;
    v.z = fr_random_between(random, -reach, reach);
    v.y = fr_random_between(random, -reach, reach);
    v.x = fr_random_between(random, -reach, reach);
    return v;
}

static void close_room(room *r) {
    fr_radar_destroy(r->radar);
    fr_space_destroy(r->space);
}

// Balls of 168 faces and radius 1, as densely whatever their number: 100 in a cube of edge 40.
static fr_status open_room(room *r, int count, fr_error *error) {
    *r = (room){.count = count, .half = 20.0 * cbrt(count / 100.0)};
    fr_space_def def = fr_default_space_def();
    fr_mesh *ball = NULL;
    fr_status status = fr_space_create(&def, &r->space, error);
    if (status == FR_OK) { status = fr_radar_create(NULL, &r->radar, error); }
    if (status == FR_OK) { status = fr_mesh_create_named("sphere_168", NULL, &ball, error); }
    fr_random random = fr_random_seed(7);
    for (int i = 0; i < count && status == FR_OK; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = ball;
        fr_object_def object = fr_default_object_def();
        object.parts = &part;
        object.part_count = 1;
        object.pose.position = any_vector(&random, r->half);
        status = fr_object_add(r->space, &object, &r->ids[i], error);
        fr_vec3 travel = fr_vec3_unit(any_vector(&random, 1.0), fr_vec3_make(1.0, 0.0, 0.0));
        r->travels[i] = fr_vec3_scale(0.5, travel);
    }
    fr_mesh_release(ball);
    return status == FR_OK ? fr_space_update(r->space, NULL, error) : status;
}

static double turned_back(double place, double travel, double half) {
    return (place > half && travel > 0.0) || (place < -half && travel < 0.0) ? -travel : travel;
}

// Every ball looks once; `ns` gets the processor time of the looks alone.
static fr_status look_ahead(room *r, int regime, uint32_t resolution, double *free_travels, fr_vec3 *normals,
                            uint64_t *ns, fr_error *error) {
    fr_radar_input input = fr_default_radar_input();
    input.space = r->space;
    input.resolution = resolution;
    input.is_round = true;
    input.layers = 1;
    input.is_all_drawn = regime == 0;
    uint64_t begin = experiment_cpu_ns();
    for (int i = 0; i < r->count; i++) {
        fr_radar_output output;
        input.mover = r->ids[i];
        input.travel = r->travels[i];
        fr_status status = fr_radar_move(r->radar, &input, &output, error);
        if (status != FR_OK) { return status; }
        r->masks += output.stats.is_mask_drawn ? 1 : 0;
        r->hits += output.is_hit ? 1 : 0;
        free_travels[i] = output.distance;
        normals[i] = output.is_hit ? output.contact.normal : fr_vec3_make(0.0, 0.0, 0.0);
    }
    *ns = experiment_cpu_ns() - begin;
    return FR_OK;
}

// The balls go as far as they may; what meets another or a wall turns back from it.
static fr_status go_on(room *r, const double *free_travels, const fr_vec3 *normals, fr_error *error) {
    for (int i = 0; i < r->count; i++) {
        fr_pose pose = fr_object_get(r->space, r->ids[i])->pose;
        fr_vec3 *travel = &r->travels[i], p;
        double share = fmax(free_travels[i] - 1e-3, 0.0) / fr_vec3_length(*travel);
        p = fr_vec3_add_scaled(pose.position, fmin(share, 1.0), *travel);
        *travel = fr_vec3_add_scaled(*travel, -2.0 * fr_vec3_dot(*travel, normals[i]), normals[i]);
        *travel = fr_vec3_make(turned_back(p.x, travel->x, r->half), turned_back(p.y, travel->y, r->half),
                               turned_back(p.z, travel->z, r->half));
        pose.position = p;
        fr_status status = fr_object_set_pose(r->space, r->ids[i], &pose, error);
        if (status != FR_OK) { return status; }
    }
    return fr_space_update(r->space, NULL, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Measuring

// Nanoseconds a look, of every regime, number and size; the lower quartile of the frames.
typedef struct figures {
    double ns[REGIMES][NUMBERS][SIZES];
    uint64_t masks[NUMBERS]; // drawn in all frames of the first size
} figures;

typedef struct times {
    double of[REGIMES][NUMBERS][SIZES][MOST_PASSES];
} times;

// One frame of every room: all regimes and sizes look from where the balls are, one after another, so that a busy
// machine slows all of them.
static fr_status one_pass(room *rooms, size_t size_count, times *t, int pass, figures *out, fr_error *error) {
    fr_status status = FR_OK;
    for (int n = 0; n < NUMBERS && status == FR_OK; n++) {
        room *r = &rooms[n];
        double free_travels[MOST_BALLS];
        fr_vec3 normals[MOST_BALLS];
        for (size_t s = 0; s < size_count; s++) {
            for (int regime = 0; regime < REGIMES && status == FR_OK; regime++) {
                uint64_t ns = 0, before = r->masks;
                status = look_ahead(r, regime, sizes[s], free_travels, normals, &ns, error);
                t->of[regime][n][s][pass] = (double)ns / r->count;
                if (s == 0) { out->masks[n] += r->masks - before; }
            }
        }
        if (status == FR_OK) { status = go_on(r, free_travels, normals, error); }
    }
    return status;
}

static fr_status measure(experiment_run *run, size_t size_count, figures *out) {
    static const int passes_of[] = {[EXPERIMENT_BRIEF] = 2, [EXPERIMENT_USUAL] = 50, [EXPERIMENT_FULL] = MOST_PASSES};
    int passes = passes_of[run->size];
    *out = (figures){0};
    room rooms[NUMBERS] = {{0}};
    times *t = malloc(sizeof *t);
    fr_status status = t != NULL ? FR_OK : fr_error_set(run->error, FR_ERROR_MEMORY, "no memory for the times");
    for (int n = 0; n < NUMBERS && status == FR_OK; n++) {
        status = open_room(&rooms[n], numbers[n], run->error);
    }
    for (int pass = 0; pass < passes && status == FR_OK; pass++) {
        status = one_pass(rooms, size_count, t, pass, out, run->error);
        fr_control_progress(run->control, (pass + 1.0) / passes, "frames");
        if (status == FR_OK && fr_control_is_stopped(run->control)) {
            status = fr_error_set(run->error, FR_ERROR_STOPPED, "stopped");
        }
    }
    for (int i = 0; i < REGIMES * NUMBERS * (int)size_count && status == FR_OK; i++) {
        int regime = i % REGIMES, n = i / REGIMES % NUMBERS, s = i / REGIMES / NUMBERS;
        fr_sort_double(t->of[regime][n][s], (size_t)passes);
        out->ns[regime][n][s] = t->of[regime][n][s][passes / 4];
    }
    for (int n = 0; n < NUMBERS; n++) {
        close_room(&rooms[n]);
    }
    free(t);
    snprintf(run->sample, sizeof run->sample, "%d frames, balls of 168 faces, processor time, lower quartile", passes);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The tables

// Time with less time without detection, over the number: what one ball's detection takes.
static const double printed_net[NUMBERS] = {5.01, 5.01, 6.71};

static fr_status run_table_1(experiment_run *run) {
    figures f;
    fr_status status = measure(run, 1, &f);
    for (int i = 0; i < REGIMES * NUMBERS && status == FR_OK; i++) {
        int regime = i / NUMBERS, n = i % NUMBERS;
        experiment_row *row =
            experiment_add(run, "times", "%s, %d balls: time a ball over 10 balls", regimes[regime], numbers[n]);
        if (row == NULL) { return run->error->status; }
        row->printed = printed_net[n] / printed_net[0];
        row->measured = f.ns[regime][n][0] / f.ns[regime][0][0];
        if (regime > 0) { row->speedup = f.ns[0][n][0] / f.ns[regime][n][0]; }
    }
    for (int n = 0; n < NUMBERS && status == FR_OK; n++) {
        experiment_row *row = experiment_add(run, "masks", "both, %d balls: masks drawn", numbers[n]);
        if (row == NULL) { return run->error->status; }
        row->printed = 1.0;
        row->measured = (double)f.masks[n];
    }
    return status;
}

// Milliseconds a frame.
static const double printed_ms[SIZES][NUMBERS] = {{66.6, 266.5, 702.3}, {82.3, 300.2, 785.4}, {101.2, 417.2, 1035.3}};

static fr_status run_table_2(experiment_run *run) {
    figures f;
    fr_status status = measure(run, SIZES, &f);
    for (int i = 0; i < REGIMES * SIZES * NUMBERS && status == FR_OK; i++) {
        int regime = i / (SIZES * NUMBERS), s = i / NUMBERS % SIZES, n = i % NUMBERS;
        experiment_row *row = experiment_add(run, "times", "%s, %u x %u, %d balls: time over 10 x 10", regimes[regime],
                                             sizes[s], sizes[s], numbers[n]);
        if (row == NULL) { return run->error->status; }
        row->printed = printed_ms[s][n] / printed_ms[0][n];
        row->measured = f.ns[regime][n][s] / f.ns[regime][n][0];
        if (regime > 0) { row->speedup = f.ns[0][n][s] / f.ns[regime][n][s]; }
    }
    return status;
}

const experiment experiment_yamachi_table_1 = {.name = "yamachi-table-1",
                                               .source = "Yamachi and Shindo, table 1",
                                               .about = "balls that look ahead: cost by their number",
                                               .run = run_table_1};
const experiment experiment_yamachi_table_2 = {.name = "yamachi-table-2",
                                               .source = "Yamachi and Shindo, table 2",
                                               .about = "balls that look ahead: cost by the resolution",
                                               .run = run_table_2};

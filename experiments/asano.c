// Asano and others, figure 6: the load of detection. A pen goes from plate A to plate B in 4 s and trembles there for
// 10 s, 60 frames a second, with the noise of the tracker; each frame asks what it touches, by four strategies. The
// figure's numbers are lost; the text says that boxes stay nearly constant and polygons come to about half the rate.
#include "asano.h"

#include "fureai/devices.h"

#include <stdio.h>
#include <stdlib.h>

// What a frame takes beside detection: a display of 60 frames a second whose drawing fills them.
#define FRAME_NS (1e9 / 60.0)

enum { REACH_FRAMES = 240, FRAMES = 840, STRATEGIES = 4, SIZES = 10, MANY = 50 };

const uint32_t asano_polygons[ASANO_MODELS] = {16, 32, 64, 128, 256, 512, 800};
static const uint32_t sizes[SIZES] = {16, 32, 64, 128, 256, 512, 800, 10000, 100000, 1000000};
static const char *const strategies[STRATEGIES] = {"box", "polygon-all", "combined", "combined-near"};

// ---------------------------------------------------------------------------------------------------------------
// Plates

// Cells along x and z; two triangles each.
static bool cells_of(uint32_t polygons, uint32_t out[2]) {
    static const uint32_t cells[SIZES][2] = {{2, 4},   {4, 4},   {4, 8},    {8, 8},     {8, 16},
                                             {16, 16}, {20, 20}, {50, 100}, {200, 250}, {500, 1000}};
    for (int i = 0; i < SIZES; i++) {
        if (sizes[i] != polygons) { continue; }
        out[0] = cells[i][0];
        out[1] = cells[i][1];
        return true;
    }
    return false;
}

static void fill_plate(const uint32_t cells[2], float *positions, uint32_t *triangles) {
    for (uint32_t k = 0; k <= cells[1]; k++) {
        for (uint32_t i = 0; i <= cells[0]; i++) {
            double x = 2.0 * i / cells[0] - 1.0, z = 2.0 * k / cells[1] - 1.0;
            *positions++ = (float)(0.15 * x);
            *positions++ = (float)(ASANO_PLATE_HEIGHT * (x * x - z * z));
            *positions++ = (float)(0.15 * z);
        }
    }
    for (uint32_t k = 0; k < cells[1]; k++) {
        for (uint32_t i = 0; i < cells[0]; i++) {
            uint32_t a = k * (cells[0] + 1) + i, b = a + cells[0] + 1;
            const uint32_t two[6] = {a, b, b + 1, a, b + 1, a + 1};
            for (int c = 0; c < 6; c++) {
                *triangles++ = two[c];
            }
        }
    }
}

fr_status asano_plate(uint32_t polygons, fr_mesh **out, fr_error *error) {
    uint32_t cells[2];
    *out = NULL;
    if (!cells_of(polygons, cells)) { return fr_error_set(error, FR_ERROR_ARGUMENT, "no plate of so many polygons"); }
    fr_mesh_def def = fr_default_mesh_def();
    def.vertex_count = (cells[0] + 1) * (cells[1] + 1);
    def.triangle_count = polygons;
    float *positions = malloc(3 * (size_t)def.vertex_count * sizeof *positions);
    uint32_t *triangles = malloc(3 * (size_t)polygons * sizeof *triangles);
    fr_status status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for a plate");
    if (positions != NULL && triangles != NULL) {
        fill_plate(cells, positions, triangles);
        def.positions_float = positions;
        def.triangles = triangles;
        status = fr_mesh_create(&def, out, error);
    }
    free(positions);
    free(triangles);
    return status;
}

fr_status asano_space(const fr_mesh *mesh, const fr_vec3 *places, uint32_t count, fr_space **out, fr_error *error) {
    fr_space_def def = fr_default_space_def();
    fr_status status = fr_space_create(&def, out, error);
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = mesh;
        fr_object_def object = fr_default_object_def();
        object.parts = &part;
        object.part_count = 1;
        object.pose.position = places[i];
        fr_object_id id;
        status = fr_object_add(*out, &object, &id, error);
    }
    return status == FR_OK ? fr_space_update(*out, NULL, error) : status;
}

fr_vec3 asano_reach(fr_vec3 a, fr_vec3 b, double t) {
    double u = fmin(fmax(t, 0.0), 1.0);
    return fr_vec3_lerp(a, b, u * u * u * (10.0 + u * (6.0 * u - 15.0)));
}

// ---------------------------------------------------------------------------------------------------------------
// The path of the pen

// Where the pen is shown, frame by frame: reach, tremor of 1 to 3 mm, noise of the sensor, filtered.
static fr_status make_path(fr_vec3 a, fr_vec3 b, fr_vec3 *out, fr_error *error) {
    fr_simulated_tracker_def noise = fr_default_simulated_tracker_def();
    fr_simulated_tracker *sensor = NULL;
    fr_track_def filter = fr_default_track_def();
    fr_track *track = NULL;
    fr_status status = fr_track_create(&filter, &track, error);
    if (status == FR_OK) { status = fr_simulated_tracker_create(&noise, &sensor, error); }
    fr_track_output shown;
    for (int i = 0; i < 2 * FRAMES && status == FR_OK; i++) {
        double time = i / 120.0, tremor = 1e-3 * (2.0 + sin(0.9 * time));
        fr_pose pose = fr_pose_identity();
        pose.position = asano_reach(a, b, time / 4.0);
        if (time > 4.0) {
            pose.position.x += tremor * sin(57.0 * time);
            pose.position.y += tremor * sin(49.0 * time + 1.0);
            pose.position.z += tremor * sin(61.0 * time + 2.0);
        }
        fr_track_input input;
        fr_simulated_tracker_tick(sensor, time, &pose, &input);
        fr_track_tick(track, &input, &shown);
        if (i % 2 == 1) { out[i / 2] = shown.sensor.position; }
    }
    fr_simulated_tracker_destroy(sensor);
    fr_track_destroy(track);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Measuring

typedef struct scene {
    fr_mesh *mesh;
    fr_space *space;
    fr_vec3 path[FRAMES];
} scene;

static void close_scene(scene *s) {
    fr_space_destroy(s->space);
    fr_mesh_release(s->mesh);
}

// Plates side by side, the pen going to the first.
static fr_status open_scene(scene *s, uint32_t polygons, uint32_t count, fr_error *error) {
    *s = (scene){0};
    const fr_vec3 a = fr_vec3_make(-1.0, 0.2, 0.0), b = fr_vec3_make(1.0, 0.0, 0.0);
    fr_vec3 places[MANY];
    for (uint32_t i = 0; i < count; i++) {
        places[i] = fr_vec3_add(b, fr_vec3_make(-0.35 * (double)(i / 10), 0.1 * (double)(i / 2 % 5), 0.35 * (i % 2)));
    }
    fr_status status = asano_plate(polygons, &s->mesh, error);
    if (status == FR_OK) { status = asano_space(s->mesh, places, count, &s->space, error); }
    return status == FR_OK ? make_path(a, b, s->path, error) : status;
}

// Nanoseconds a frame, the least of some passes over every `stride`-th frame; hits of all of them.
static fr_status measure(const scene *s, int strategy, int stride, int passes, double *ns, uint64_t *hits,
                         fr_error *error) {
    fr_touch_hit room[64];
    fr_touch_input input = fr_default_touch_input();
    input.space = s->space;
    input.strategy = (fr_touch_strategy)strategy;
    input.pairs = strategy == FR_TOUCH_BOX ? FR_TOUCH_ORIGIN_BOX_FACE : FR_TOUCH_ORIGIN_FACE;
    input.hits = room;
    input.capacity = 64;
    *ns = INFINITY;
    for (int pass = 0; pass < passes; pass++) {
        *hits = 0;
        uint64_t begin = experiment_cpu_ns();
        int frames = 0;
        for (int i = stride - 1; i < FRAMES; i += stride, frames++) {
            uint32_t count;
            input.pose.position = s->path[i];
            fr_status status = fr_touch_pairs(&input, &count, error);
            if (status != FR_OK) { return status; }
            *hits += count;
        }
        *ns = fmin(*ns, (double)(experiment_cpu_ns() - begin) / frames);
    }
    return FR_OK;
}

typedef struct loads {
    double ns[SIZES][STRATEGIES];
    double many[STRATEGIES]; // fifty plates
    uint64_t differing;      // sizes at which strategies found other hits
    int size_count;
} loads;

// All polygons of a million take a while: fewer frames.
static int stride_of(uint32_t polygons, int strategy) {
    if (strategy == FR_TOUCH_BOX || strategy == FR_TOUCH_COMBINED_NEAR || polygons <= 800) { return 1; }
    return polygons <= 10000 ? 20 : polygons <= 100000 ? 120 : 420;
}

static fr_status measure_size(experiment_run *run, uint32_t polygons, uint32_t count, double *ns, uint64_t *differing) {
    scene s;
    fr_status status = open_scene(&s, polygons, count, run->error);
    for (int k = 0; k < STRATEGIES && status == FR_OK; k++) {
        int stride = stride_of(polygons * (count > 1 ? 10 : 1), k), passes = run->size == EXPERIMENT_BRIEF ? 1 : 2;
        bool is_slow = k == FR_TOUCH_POLYGON_ALL || k == FR_TOUCH_COMBINED;
        if (stride == 1 && run->size != EXPERIMENT_BRIEF) { passes = 20; }
        if (is_slow && run->size == EXPERIMENT_BRIEF) { stride *= 4; }
        uint64_t hits, near;
        status = measure(&s, k, stride, passes, &ns[k], &hits, run->error);
        if (k == FR_TOUCH_BOX || status != FR_OK) { continue; }
        double unused;
        status = measure(&s, FR_TOUCH_COMBINED_NEAR, stride, 1, &unused, &near, run->error);
        *differing += near != hits;
    }
    close_scene(&s);
    return status;
}

static fr_status measure_all(experiment_run *run, loads *out) {
    *out = (loads){.size_count = run->size == EXPERIMENT_BRIEF ? ASANO_MODELS + 1 : SIZES};
    fr_status status = FR_OK;
    for (int i = 0; i < out->size_count && status == FR_OK; i++) {
        status = measure_size(run, sizes[i], 1, out->ns[i], &out->differing);
        fr_control_progress(run->control, (i + 1.0) / (SIZES + 1), "models");
        if (status == FR_OK && fr_control_is_stopped(run->control)) {
            status = fr_error_set(run->error, FR_ERROR_STOPPED, "stopped");
        }
    }
    if (status == FR_OK) {
        status = measure_size(run, run->size == EXPERIMENT_BRIEF ? 800 : 100000, MANY, out->many, &out->differing);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Figure 6

// How well a line through the seven models fits all polygons' times.
static double fit_of_line(const loads *l) {
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0, n = ASANO_MODELS;
    for (int i = 0; i < ASANO_MODELS; i++) {
        double px = sizes[i], py = l->ns[i][FR_TOUCH_POLYGON_ALL];
        x += px, y += py, xx += px * px, xy += px * py, yy += py * py;
    }
    double covariance = xy - x * y / n;
    return covariance * covariance / ((xx - x * x / n) * (yy - y * y / n));
}

// The rate over that of boxes, where all else that a frame does takes FRAME_NS.
static double rate_of(const loads *l, int size, int strategy) {
    return (FRAME_NS + l->ns[size][FR_TOUCH_BOX]) / (FRAME_NS + l->ns[size][strategy]);
}

// How many polygons bring the rate to half of that of boxes, on a line between two measured sizes; NAN where no size
// that was measured does.
static double halving_polygons(const loads *l) {
    for (int i = 1; i < l->size_count; i++) {
        double low = rate_of(l, i - 1, FR_TOUCH_POLYGON_ALL), high = rate_of(l, i, FR_TOUCH_POLYGON_ALL);
        if (low <= 0.5 || high > 0.5) { continue; }
        // The time grows along the line, and the rate is half where it is FRAME_NS and twice the boxes' time more.
        double from = l->ns[i - 1][FR_TOUCH_POLYGON_ALL], to = l->ns[i][FR_TOUCH_POLYGON_ALL];
        double wanted = FRAME_NS + 2.0 * l->ns[i][FR_TOUCH_BOX];
        return sizes[i - 1] + (sizes[i] - sizes[i - 1]) * (wanted - from) / (to - from);
    }
    return NAN;
}

static bool add_rates(experiment_run *run, const loads *l) {
    for (int k = FR_TOUCH_POLYGON_ALL; k <= FR_TOUCH_COMBINED_NEAR; k++) {
        for (int i = 0; i < l->size_count; i++) {
            bool is_printed = k == FR_TOUCH_POLYGON_ALL && i == ASANO_MODELS - 1;
            experiment_row *row =
                experiment_add(run, "times", "%s, %u polygons: frame rate over that of box", strategies[k], sizes[i]);
            if (row == NULL) { return false; }
            row->printed = is_printed ? 0.5 : (double)NAN;
            row->measured = rate_of(l, i, k);
        }
    }
    return experiment_put(run, "polygons", "polygon-all: polygons at which the rate is half of box", 800.0,
                          halving_polygons(l));
}

static bool add_times(experiment_run *run, const loads *l) {
    for (int k = 0; k < STRATEGIES; k++) {
        for (int i = 0; i < l->size_count; i++) {
            experiment_row *row = experiment_add(run, "us", "%s, %u polygons: time a frame", strategies[k], sizes[i]);
            if (row == NULL) { return false; }
            row->measured = 1e-3 * l->ns[i][k];
            if (k > FR_TOUCH_POLYGON_ALL) { row->speedup = l->ns[i][FR_TOUCH_POLYGON_ALL] / l->ns[i][k]; }
        }
        char label[96];
        uint32_t polygons = run->size == EXPERIMENT_BRIEF ? 800 : 100000;
        snprintf(label, sizeof label, "%s, 50 models of %u polygons: time a frame", strategies[k], polygons);
        if (!experiment_put(run, "us", label, (double)NAN, 1e-3 * l->many[k])) { return false; }
    }
    return true;
}

static fr_status run_figure_6(experiment_run *run) {
    loads l;
    fr_status status = measure_all(run, &l);
    if (status != FR_OK) { return status; }
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < ASANO_MODELS; i++) {
        least = fmin(least, l.ns[i][FR_TOUCH_BOX]);
        most = fmax(most, l.ns[i][FR_TOUCH_BOX]);
    }
    bool right =
        add_rates(run, &l) &&
        experiment_put(run, "%", "box, 16 .. 800 polygons: spread", (double)NAN, 100.0 * (most / least - 1.0)) &&
        experiment_put(run, "R^2", "polygon-all, 16 .. 800 polygons: fit of a line", (double)NAN, fit_of_line(&l)) &&
        experiment_put(run, "models", "polygon modes: other contacts", 0.0, (double)l.differing) && add_times(run, &l);
    snprintf(run->sample, sizeof run->sample,
             "%d frames of a synthetic pen, plates by code, processor time, the least of some passes; all else in a "
             "frame takes 1/60 s",
             FRAMES);
    return right ? FR_OK : run->error->status;
}

const experiment experiment_asano_6 = {.name = "asano-6",
                                       .source = "Asano and others, figure 6",
                                       .about = "load of detection by boxes and polygons, 16 to 800 of them and more",
                                       .run = run_figure_6};

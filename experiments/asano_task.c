// Asano and others, table 2: seconds to carry a tip to within 1 mm of the middle of plate B, with boxes and with
// polygons detected. No subjects: a scripted operator, whose parts are simple and described here. It reaches for the
// middle, then corrects what it sees, half a second a time, in a room whose sensor is noisy and filtered. Across the
// direction of approach it sees well; along it, badly, unless a face was touched. A box's face where nothing is stops
// it for a while: it takes it for the plate.
#include "asano.h"

#include "fureai/devices.h"

#include <stdio.h>

enum { SEEN = 24 }; // frames of 1/120 s that a look takes

#define FRAME (1.0 / 120.0)
#define TIME_OUT 180.0
#define NEAR 1e-3   // metres
#define HOLD 0.2    // seconds
#define REACH 4.0   // seconds
#define CORRECT 0.5 // seconds from one correction to the next
#define TREMOR 2e-4 // metres
#define ACROSS 5e-4 // deviation of what is seen, metres
#define ALONG 8e-4  // along the approach without a face; fitted to the ratio of the printed means
#define FELT 5e-4   // along it with one
#define PAUSE 2.0   // seconds that a face in empty air costs

typedef struct task {
    const fr_space *space; // of the plate
    fr_vec3 middle;        // of it
    bool has_polygons;     // else boxes
    bool is_filtered;      // what is shown
    uint64_t seed;
} task;

typedef struct operator_state {
    fr_random random;
    fr_vec3 from, to; // of the motion that goes on
    double begin, seconds;
    double next;       // correction
    double pause;      // until then it waits
    bool was_touching; // a box's face
    fr_vec3 seen[SEEN];
    int seen_count;
} operator_state;

static fr_vec3 noise_vector(fr_random *random, double deviation) {
    fr_vec3 v;
    v.x = deviation * fr_random_normal(random);
    v.y = deviation * fr_random_normal(random);
    v.z = deviation * fr_random_normal(random);
    return v;
}

// Where the hand truly is.
static fr_vec3 hand_at(const operator_state *o, double time) {
    fr_vec3 p = asano_reach(o->from, o->to, (time - o->begin) / o->seconds);
    p.x += TREMOR * sin(57.0 * time);
    p.y += TREMOR * sin(52.0 * time + 1.0);
    p.z += TREMOR * sin(61.0 * time + 2.0);
    return p;
}

static void move_to(operator_state *o, fr_vec3 now, fr_vec3 to, double time, double seconds) {
    o->from = now;
    o->to = to;
    o->begin = time;
    o->seconds = seconds;
}

static fr_status is_touching(const task *t, fr_vec3 tip, bool *out, fr_error *error) {
    fr_touch_input input = fr_default_touch_input();
    uint32_t count;
    input.space = t->space;
    input.pairs = t->has_polygons ? FR_TOUCH_ORIGIN_FACE : FR_TOUCH_ORIGIN_BOX_FACE;
    input.strategy = t->has_polygons ? FR_TOUCH_COMBINED_NEAR : FR_TOUCH_BOX;
    input.pose.position = tip;
    fr_status status = fr_touch_pairs(&input, &count, error);
    *out = count > 0;
    return status;
}

// The mean of what was shown in the last fifth of a second, off by how well it can be seen.
static fr_vec3 look(operator_state *o, const task *t, bool is_felt) {
    fr_vec3 sum = fr_vec3_make(0.0, 0.0, 0.0);
    int count = o->seen_count < SEEN ? o->seen_count : SEEN;
    for (int i = 0; i < count; i++) {
        sum = fr_vec3_add(sum, o->seen[i]);
    }
    fr_vec3 off = noise_vector(&o->random, ACROSS);
    off.y *= (is_felt ? FELT : ALONG) / ACROSS;
    return fr_vec3_add(off, fr_vec3_sub(fr_vec3_scale(1.0 / count, sum), t->middle));
}

// A correction of four fifths of what is seen to be wrong, a tenth of it amiss.
static void correct(operator_state *o, const task *t, double time, bool is_felt) {
    fr_vec3 wrong = look(o, t, is_felt), now = hand_at(o, time);
    o->next = time + CORRECT;
    double length = fr_vec3_length(wrong);
    if (length < 0.5 * NEAR) { return; }
    fr_vec3 goal = fr_vec3_add_scaled(now, -0.8, wrong);
    move_to(o, now, fr_vec3_add(goal, noise_vector(&o->random, 0.1 * length)), time, 0.6 * CORRECT);
}

// Seconds until the tip that is shown has been near the middle for HOLD; TIME_OUT when it never was.
static fr_status run_task(const task *t, double *seconds, fr_error *error) {
    fr_simulated_tracker_def noise = fr_default_simulated_tracker_def();
    noise.seed = t->seed;
    fr_simulated_tracker *sensor = NULL;
    fr_track_def filter = fr_default_track_def();
    fr_track *track = NULL;
    fr_status status = fr_track_create(&filter, &track, error);
    if (status == FR_OK) { status = fr_simulated_tracker_create(&noise, &sensor, error); }
    operator_state o = {.random = fr_random_seed(t->seed ^ 0x9e3779b97f4a7c15u)};
    o.from = fr_vec3_make(-t->middle.x - 0.2, t->middle.y + 0.2, t->middle.z);
    o.to = fr_vec3_add(t->middle, noise_vector(&o.random, 5e-3));
    o.seconds = o.next = REACH;
    fr_vec3 shown = o.from;
    double near_since = TIME_OUT;
    for (double time = 0.0; time < TIME_OUT && status == FR_OK; time += FRAME) {
        fr_pose pose = fr_pose_identity();
        pose.position = hand_at(&o, time);
        fr_track_input input;
        fr_track_output output;
        fr_simulated_tracker_tick(sensor, time, &pose, &input);
        fr_track_tick(track, &input, &output);
        if (t->is_filtered) {
            shown = output.sensor.position;
        } else if (input.has_sample) {
            shown = input.sample.position;
        }
        o.seen[o.seen_count++ % SEEN] = shown;

        bool is_near = fr_vec3_distance(shown, t->middle) <= NEAR;
        near_since = is_near ? fmin(near_since, time) : TIME_OUT;
        if (is_near && time - near_since >= HOLD) {
            *seconds = time;
            fr_simulated_tracker_destroy(sensor);
            fr_track_destroy(track);
            return FR_OK;
        }
        bool touching = false;
        if (o.seen_count % 2 == 0) { status = is_touching(t, shown, &touching, error); }
        if (o.seen_count % 2 == 0 && !t->has_polygons) {
            if (touching && !o.was_touching) { o.pause = time + PAUSE; }
            o.was_touching = touching;
        }
        if (o.pause > time) {
            // It takes the box for the plate, and stays
            if (o.pause - time >= PAUSE - FRAME) { move_to(&o, pose.position, pose.position, time, 0.1); }
            o.next = o.pause;
        } else if (time >= o.next && o.seen_count % 2 == 0) {
            correct(&o, t, time, t->has_polygons && touching);
        }
    }
    *seconds = TIME_OUT;
    fr_simulated_tracker_destroy(sensor);
    fr_track_destroy(track);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Table 2

static const double printed[2][ASANO_MODELS] = {{58.9, 61.6, 25.4, 62.9, 55.4, 39.1, 44.4},
                                                {56.9, 26.4, 34.3, 34.9, 28.0, 23.7, 32.6}};
static const char *const methods[2] = {"bounding box", "polygon"};

// Metres from the room's centre at which plate B stands for the table: fitted to the mean that is printed for polygons.
#define PLACE 0.42

typedef struct trials {
    sample_mean seconds;
    int done;
} trials;

// A plate of so many polygons at a place, and trials there.
static fr_status try_plate(experiment_run *run, uint32_t polygons, double place, bool has_polygons, bool is_filtered,
                           int count, trials *out) {
    fr_mesh *mesh;
    fr_space *space = NULL;
    task t = {.has_polygons = has_polygons, .is_filtered = is_filtered, .middle = {place, 0.0, 0.0}};
    fr_status status = asano_plate(polygons, &mesh, run->error);
    if (status == FR_OK) { status = asano_space(mesh, &t.middle, 1, &space, run->error); }
    t.space = space;
    *out = (trials){0};
    for (int i = 0; i < count && status == FR_OK; i++) {
        double seconds;
        t.seed = (uint64_t)i * 1000003u + polygons;
        status = run_task(&t, &seconds, run->error);
        sample_mean_add(&out->seconds, seconds);
        out->done += seconds < TIME_OUT ? 1 : 0;
        if (status == FR_OK && fr_control_is_stopped(run->control)) {
            status = fr_error_set(run->error, FR_ERROR_STOPPED, "stopped");
        }
    }
    fr_space_destroy(space);
    fr_mesh_release(mesh);
    return status;
}

static fr_status add_seconds(experiment_run *run, const char *label, const trials *got, double of_source) {
    experiment_row *row = experiment_add(run, "s", "%s", label);
    if (row == NULL) { return run->error->status; }
    row->printed = of_source;
    row->measured = got->seconds.mean;
    row->error = sample_mean_error(&got->seconds);
    return FR_OK;
}

static fr_status add_share(experiment_run *run, const char *label, const trials *got) {
    experiment_row *row = experiment_add(run, "%", "%s", label);
    if (row == NULL) { return run->error->status; }
    row->measured = 100.0 * got->done / (double)got->seconds.count;
    return FR_OK;
}

static fr_status run_models(experiment_run *run, int count) {
    sample_mean means[2] = {{0}};
    int done = 0;
    fr_status status = FR_OK;
    for (int i = 0; i < 2 * ASANO_MODELS && status == FR_OK; i++) {
        int method = i / ASANO_MODELS, model = i % ASANO_MODELS;
        trials got;
        status = try_plate(run, asano_polygons[model], PLACE, method == 1, true, count, &got);
        fr_control_progress(run->control, (i + 1.0) / (2.0 * ASANO_MODELS + 6.0), "models");
        char label[96];
        snprintf(label, sizeof label, "simulated operator, %s, %u polygons: task time", methods[method],
                 asano_polygons[model]);
        if (status == FR_OK) { status = add_seconds(run, label, &got, printed[method][model]); }
        sample_mean_add(&means[method], got.seconds.mean);
        done += got.done;
    }
    static const double printed_means[2] = {49.7, 33.8};
    for (int method = 0; method < 2 && status == FR_OK; method++) {
        experiment_row *row = experiment_add(run, "s", "simulated operator, %s: mean task time", methods[method]);
        if (row == NULL) { return run->error->status; }
        row->printed = printed_means[method];
        row->measured = means[method].mean;
    }
    experiment_row *row = experiment_add(run, "times", "simulated operator, bounding box over polygon: mean task time");
    if (row == NULL || status != FR_OK) { return status != FR_OK ? status : run->error->status; }
    row->printed = 1.47;
    row->measured = means[0].mean / means[1].mean;
    row = experiment_add(run, "%", "simulated operator, both: runs done within 180 s");
    if (row == NULL) { return run->error->status; }
    row->measured = 100.0 * done / (2.0 * ASANO_MODELS * count);
    return FR_OK;
}

// How often 1 mm is reached, by the distance from the room's centre.
static fr_status run_places(experiment_run *run, int count) {
    static const double places[] = {0.0, 0.3, 0.6, 0.9, 1.3};
    fr_status status = FR_OK;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && status == FR_OK; i++) {
        trials got;
        char label[96];
        status = try_plate(run, 256, places[i], true, true, count, &got);
        snprintf(label, sizeof label, "simulated operator, %.1f m from the centre: runs within 1 mm", places[i]);
        if (status == FR_OK) { status = add_share(run, label, &got); }
        snprintf(label, sizeof label, "simulated operator, %.1f m from the centre: task time", places[i]);
        if (status == FR_OK) { status = add_seconds(run, label, &got, (double)NAN); }
    }
    trials raw;
    if (status == FR_OK) { status = try_plate(run, 256, 0.0, true, false, count, &raw); }
    if (status == FR_OK) {
        status = add_share(run, "simulated operator, at the centre, unfiltered: runs within 1 mm", &raw);
    }
    return status;
}

static fr_status run_table_2(experiment_run *run) {
    static const int counts[] = {[EXPERIMENT_BRIEF] = 1, [EXPERIMENT_USUAL] = 24, [EXPERIMENT_FULL] = 1000};
    int count = counts[run->size];
    fr_status status = run_models(run, count);
    if (status == FR_OK) { status = run_places(run, 2 * count); }
    snprintf(run->sample, sizeof run->sample,
             "%d runs a row of a scripted operator, no subjects; two numbers of it fitted to the printed means: plate "
             "B %.2f m "
             "from the room's centre, 0.8 mm seen along the approach; a run that is not done counts 180 s",
             count, PLACE);
    return status;
}

const experiment experiment_asano_table_2 = {.name = "asano-table-2",
                                             .source = "Asano and others, table 2",
                                             .about = "placing to 1 mm with boxes and with polygons, simulated",
                                             .run = run_table_2};

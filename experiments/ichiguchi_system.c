// Ichiguchi 2000, tables 5.5 to 5.8: pictures and frames a second of six cases, polygons, and what a program needs to
// start. The source's exchange of two small writes a message is repeated on loopback beside ours.
#include "ichiguchi_system.h"

#include "exchange.h"
#include "fureai/human_figure.h"
#include "fureai/model.h"
#include "system_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double wall_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static fr_status check_stop(const experiment_run *run, int done, int count) {
    fr_control_progress(run->control, (double)done / (double)count, "cases");
    return fr_control_is_stopped(run->control) ? fr_error_set(run->error, FR_ERROR_STOPPED, "stopped") : FR_OK;
}

static uint32_t sample_of(const experiment_run *run, uint32_t brief, uint32_t usual, uint32_t full) {
    return run->size == EXPERIMENT_BRIEF ? brief : run->size == EXPERIMENT_USUAL ? usual : full;
}

static fr_status put(experiment_run *run, const char *unit, const char *method, const char *name, const char *what,
                     double printed, double measured, double speedup) {
    experiment_row *row = experiment_add(run, unit, "%s, %s: %s", method, name, what);
    if (row == NULL) { return FR_ERROR_MEMORY; }
    row->printed = printed;
    row->measured = measured;
    row->speedup = speedup;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Table 5.5: pictures

// What the server's side does before each picture.
typedef struct picture_work {
    system_person *person;
    fr_status status;
    fr_error error;
} picture_work;

static void make_picture(void *context) {
    picture_work *w = context;
    if (w->status == FR_OK) { w->status = system_person_step(w->person, &w->error); }
}

static fr_status measure_pictures(system_person *person, exchange_mode mode, uint32_t count, double *seconds,
                                  fr_error *error) {
    picture_work work = {.person = person};
    exchange_input input = {.mode = mode,
                            .bytes = EXCHANGE_MESSAGE_BYTES,
                            .peers = 1,
                            .rounds = 1,
                            .count = count,
                            .work = make_picture,
                            .context = &work};
    fr_status status = system_person_begin(person, error);
    if (status == FR_OK) { status = exchange_measure(&input, seconds, error); }
    if (status == FR_OK && work.status != FR_OK) {
        status = fr_error_set(error, work.status, "%s", work.error.message);
    }
    return status;
}

static fr_status run_table_5_5(experiment_run *run) {
    uint32_t slow = sample_of(run, 8, 12, 60), fast = sample_of(run, 50, 500, 2000);
    fr_status status = FR_OK;
    for (int i = 0; i < SYSTEM_CASES && status == FR_OK; i++) {
        const system_case *c = &system_cases[i];
        system_person person;
        double source = 0.0, ours = 0.0;
        status = check_stop(run, i, SYSTEM_CASES);
        if (status != FR_OK) { return status; }
        status = system_person_open(c, NULL, &person, run->error);
        if (status == FR_OK) { status = measure_pictures(&person, EXCHANGE_TWO_WRITES, slow, &source, run->error); }
        if (status == FR_OK) { status = measure_pictures(&person, EXCHANGE_PUSH, fast, &ours, run->error); }
        system_person_close(&person);
        if (status != FR_OK) { break; }
        status = put(run, "1/s", "two writes", c->name, "pictures a second", c->picture_rate, 1.0 / source, NAN);
        if (status == FR_OK) {
            status = put(run, "1/s", "fast", c->name, "pictures a second", NAN, 1.0 / ours, source / ours);
        }
    }
    snprintf(run->sample, sizeof run->sample,
             "medians of %u and %u messages of %u bytes on loopback, each with the next frame of the case; no drawing",
             slow, fast, EXCHANGE_MESSAGE_BYTES);
    return status;
}

const experiment experiment_ichiguchi_table_5_5 = {
    .name = "ichiguchi-table-5.5",
    .source = "Ichiguchi 2000, table 5.5",
    .about = "pictures a second: the source's exchange of two writes a message, and one message that is pushed",
    .run = run_table_5_5,
};

// ---------------------------------------------------------------------------------------------------------------
// Table 5.6: calculation

// Frames of one go: fewer than the shortest motion has.
enum { FRAMES = 1000 };

// Frames a second; of the library by the processor's time, of programs by the clock.
static fr_status measure_frames(const system_case *c, const char *algorithms, uint32_t goes, double *rate,
                                fr_error *error) {
    system_person person;
    double seconds = 0.0;
    fr_status status = system_person_open(c, algorithms, &person, error);
    for (uint32_t k = 0; k < goes && status == FR_OK; k++) {
        status = system_person_begin(&person, error);
        if (status == FR_OK) { status = system_person_step(&person, error); }
        double wall = wall_seconds();
        uint64_t own = experiment_cpu_ns();
        for (uint32_t i = 0; i < FRAMES && status == FR_OK; i++) {
            status = system_person_step(&person, error);
        }
        seconds += algorithms != NULL ? wall_seconds() - wall : 1e-9 * (double)(experiment_cpu_ns() - own);
    }
    *rate = seconds > 0.0 ? (double)goes * FRAMES / seconds : 0.0;
    system_person_close(&person);
    return status;
}

static fr_status run_case_5_6(experiment_run *run, const system_case *c, const uint32_t counts[3]) {
    double source = 0.0, library = 0.0, programs = 0.0;
    // The person's programs work side by side, that of the object after them: one more exchange in a row.
    exchange_input input = {.mode = EXCHANGE_TWO_WRITES,
                            .bytes = EXCHANGE_FRAME_BYTES,
                            .peers = c->skill_count,
                            .rounds = c->has_object ? 2 : 1,
                            .count = counts[0]};
    fr_status status = exchange_measure(&input, &source, run->error);
    if (status == FR_OK) { status = measure_frames(c, NULL, counts[1], &library, run->error); }
    if (status == FR_OK && run->algorithms != NULL) {
        status = measure_frames(c, run->algorithms, counts[2], &programs, run->error);
    }
    if (status == FR_OK) {
        status = put(run, "1/s", "two writes", c->name, "frames a second", c->frame_rate, 1.0 / source, NAN);
    }
    if (status == FR_OK && run->algorithms != NULL) {
        status = put(run, "1/s", "programs", c->name, "frames a second", NAN, programs, source * programs);
    }
    if (status == FR_OK) {
        status = put(run, "1/s", "fast", c->name, "frames a second", NAN, library, source * library);
    }
    return status;
}

static fr_status run_table_5_6(experiment_run *run) {
    const uint32_t counts[3] = {sample_of(run, 8, 12, 60), sample_of(run, 1, 10, 50), sample_of(run, 1, 2, 10)};
    fr_status status = FR_OK;
    for (int i = 0; i < SYSTEM_CASES && status == FR_OK; i++) {
        status = check_stop(run, i, SYSTEM_CASES);
        if (status == FR_OK) { status = run_case_5_6(run, &system_cases[i], counts); }
    }
    snprintf(run->sample, sizeof run->sample,
             "two writes: median of %u exchanges on loopback, no calculation; programs: %u frames by the clock; fast: "
             "%u frames of one thread by the processor's time",
             counts[0], run->algorithms != NULL ? FRAMES * counts[2] : 0, FRAMES * counts[1]);
    return status;
}

const experiment experiment_ichiguchi_table_5_6 = {
    .name = "ichiguchi-table-5.6",
    .source = "Ichiguchi 2000, table 5.6",
    .about = "frames a second that are calculated: the source's exchange, our programs, our library",
    .run = run_table_5_6,
};

// ---------------------------------------------------------------------------------------------------------------
// Table 5.7: polygons

// The polygons of a model, each mesh as often as it is placed.
static uint64_t placed_polygons(const fr_model *model) {
    const fr_model_view *view = fr_model_get(model);
    uint64_t count = 0;
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (view->nodes[i].mesh != FR_NONE) { count += view->meshes[view->nodes[i].mesh].face_count; }
    }
    return count;
}

// The polygons of the model of a class; 0 where it cannot be read.
static uint64_t count_polygons(const char *folder, const char *name) {
    static const char *const endings[] = {"obj", "wrl"};
    FILE *file = NULL;
    for (int i = 0; i < 2 && file == NULL; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s/%s.%s", folder, name, name, endings[i]);
        file = fopen(path, "rb");
    }
    if (file == NULL) { return 0; }
    fr_byte_array bytes = fr_byte_array_make(NULL);
    for (size_t got = 1; got > 0;) {
        unsigned char *to = fr_byte_array_push(&bytes, 65536);
        got = to != NULL ? fread(to, 1, 65536, file) : 0;
        bytes.count -= to != NULL ? 65536 - got : 0;
    }
    fclose(file);
    fr_model *model = NULL;
    uint64_t count = 0;
    if (fr_model_read(bytes.data, bytes.count, NULL, &model, NULL) == FR_OK) { count = placed_polygons(model); }
    fr_model_destroy(model);
    fr_byte_array_destroy(&bytes);
    return count;
}

static fr_status count_person(uint64_t *count, fr_error *error) {
    fr_body_def body = fr_default_body_def();
    fr_figure_def def = fr_default_figure_def();
    fr_skeleton *skeleton = NULL;
    fr_figure *figure = NULL;
    fr_status status = fr_skeleton_create_body(&body, &skeleton, error);
    def.skeleton = skeleton;
    def.detail = FR_FIGURE_COARSE;
    if (status == FR_OK) { status = fr_figure_create(&def, &figure, error); }
    if (status == FR_OK) { *count = fr_mesh_get(fr_figure_get(figure)->mesh)->triangle_count; }
    fr_figure_release(figure);
    fr_skeleton_release(skeleton);
    return status;
}

static fr_status run_table_5_7(experiment_run *run) {
    // The cup is not listed: it is what the others lack of the printed sum.
    static const struct {
        const char *name;
        double printed;
    } objects[] = {{"chair", 98}, {"table", 320}, {"door", 268}, {"floor", 10368}, {"sink", 185},     {"tv", 167},
                   {"wall_1", 2}, {"wall_2", 2},  {"bed", 94},   {"lamp", 568},    {"bookshelf", 90}, {"cup", 216}};
    fr_status status = check_stop(run, 0, 1);
    if (status != FR_OK) { return status; }
    if (run->objects == NULL) { return fr_error_set(run->error, FR_ERROR_FILE, "there is no folder of objects"); }
    uint64_t person = 0;
    status = count_person(&person, run->error);
    double sum = (double)person;
    if (status == FR_OK) { status = put(run, "polygons", "fast", "person", "polygons", 1301.0, (double)person, NAN); }
    for (size_t i = 0; i < sizeof objects / sizeof objects[0] && status == FR_OK; i++) {
        uint64_t count = count_polygons(run->objects, objects[i].name);
        if (count == 0) {
            return fr_error_set(run->error, FR_ERROR_FILE, "%s has no %s with a model", run->objects, objects[i].name);
        }
        status = put(run, "polygons", "fast", objects[i].name, "polygons", objects[i].printed, (double)count, NAN);
        sum += (double)count;
    }
    if (status == FR_OK) { status = put(run, "polygons", "fast", "all", "polygons", 13679.0, sum, NAN); }
    snprintf(run->sample, sizeof run->sample,
             "the coarse figure and the models of 12 classes; the cup's printed number is the rest of the sum");
    return status;
}

const experiment experiment_ichiguchi_table_5_7 = {
    .name = "ichiguchi-table-5.7",
    .source = "Ichiguchi 2000, table 5.7",
    .about = "polygons of the person and of the 12 objects of the demonstration",
    .run = run_table_5_7,
};

// ---------------------------------------------------------------------------------------------------------------
// Table 5.8: starting

// To the first frame, in milliseconds: from nothing, or from programs that wait.
static fr_status measure_start(system_person *person, uint32_t count, sample_mean *mean, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        double begin = wall_seconds();
        status = system_person_begin(person, error);
        if (status == FR_OK) { status = system_person_step(person, error); }
        sample_mean_add(mean, 1000.0 * (wall_seconds() - begin));
    }
    return status;
}

static fr_status run_start(experiment_run *run, const system_case *c, uint32_t count) {
    sample_mean cold = {0}, warm = {0};
    system_person person;
    fr_status status = system_person_open(c, run->algorithms, &person, run->error);
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        if (i > 0) { status = system_person_restart(&person, run->algorithms, run->error); }
        if (status == FR_OK) { status = measure_start(&person, 1, &cold, run->error); }
        if (status == FR_OK) { status = measure_start(&person, 5, &warm, run->error); }
    }
    system_person_close(&person);
    if (status != FR_OK) { return status; }
    // The source prints each program by itself; those of a case start one after another.
    double printed = c->starts[0] + c->starts[1] + c->starts[2];
    for (int k = 0; k < 2; k++) {
        experiment_row *row = experiment_add(run, "ms", "%s, %s: milliseconds to the first frame",
                                             k == 0 ? "programs" : "programs that wait", c->name);
        if (row == NULL || !experiment_put_mean(row, k == 0 ? &cold : &warm)) { return FR_ERROR_MEMORY; }
        row->printed = k == 0 ? printed : NAN;
        if (k == 1) { row->speedup = cold.mean / warm.mean; }
    }
    return FR_OK;
}

static fr_status run_table_5_8(experiment_run *run) {
    uint32_t count = sample_of(run, 1, 4, 50);
    fr_status status = check_stop(run, 0, SYSTEM_CASES);
    if (status != FR_OK) { return status; }
    if (run->algorithms == NULL) { return fr_error_set(run->error, FR_ERROR_FILE, "there is no folder of programs"); }
    for (int i = 0; i < SYSTEM_CASES && status == FR_OK; i++) {
        status = check_stop(run, i, SYSTEM_CASES);
        if (status == FR_OK) { status = run_start(run, &system_cases[i], count); }
    }
    snprintf(run->sample, sizeof run->sample,
             "%u starts of all programs of a case, and %u where they wait; printed: the sum of the programs", count,
             5 * count);
    return status;
}

const experiment experiment_ichiguchi_table_5_8 = {
    .name = "ichiguchi-table-5.8",
    .source = "Ichiguchi 2000, table 5.8",
    .about = "from the start of the programs of a case to its first frame",
    .run = run_table_5_8,
};

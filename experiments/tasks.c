// The placement tasks A, B and C: their blocks, targets and scores.
#include "tasks.h"

#include <string.h>

#define MM 1e-3
#define EDGE (70.0 * MM)
#define MOST_SECONDS 120.0 // of one block
#define LIFTED (10.0 * MM) // the snail's blocks wait above the table

enum { BLOCKS = 5, MOST_OBJECTS = BLOCKS + 1 };

const double task_subjects[TASK_SUBJECTS] = {0.85, 0.95, 1.05, 1.15, 1.6};
const double snail_subjects[TASK_SUBJECTS] = {0.85, 0.95, 1.0, 1.05, 1.15};

const char *task_name(task_kind kind) {
    static const char *const names[TASKS] = {"A", "B", "C", "snail"};
    return names[kind];
}

uint32_t task_corners(task_kind kind) {
    static const uint32_t corners[TASKS] = {4, 6, 7, SNAIL_CORNERS};
    return corners[kind];
}

// ---------------------------------------------------------------------------------------------------------------
// Worlds

// A thing that stands and is tracked.
typedef struct tracked {
    fr_object_id id;
    fr_pose truth;
    fr_real *filter;
} tracked;

typedef struct task_world {
    const task_trial *trial;
    fr_space *space;
    fr_mesh *meshes[MOST_OBJECTS];
    uint32_t mesh_count;
    fr_random random, tracker;
    tracked real[MOST_OBJECTS];
    uint32_t real_count;
    fr_error *error;
} task_world;

static fr_status add_object(task_world *w, const fr_mesh *mesh, const fr_pose *pose, fr_object_id *out) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose = *pose;
    return fr_object_add(w->space, &def, out, w->error);
}

// Trials are apart from one another: their numbers come from all that names them.
static fr_random stream(const task_trial *t, uint64_t salt) {
    const double reals[2] = {t->operator_traits.factor, t->limit};
    const uint64_t names[4] = {(uint64_t)t->kind, (uint64_t)t->operator_traits.mode, t->number, salt};
    uint64_t hash = fr_hash(reals, sizeof reals, t->seed);
    return fr_random_seed(fr_hash(names, sizeof names, hash));
}

static fr_status open_world(task_world *w, const task_trial *trial, fr_error *error) {
    memset(w, 0, sizeof *w);
    w->trial = trial;
    w->error = error;
    w->random = stream(trial, 1);
    w->tracker = stream(trial, 2);
    fr_space_def def = fr_default_space_def();
    return fr_space_create(&def, &w->space, error);
}

static void close_world(task_world *w) {
    for (uint32_t i = 0; i < w->real_count; i++) {
        fr_real_destroy(w->real[i].filter);
    }
    fr_space_destroy(w->space);
    for (uint32_t i = 0; i < w->mesh_count; i++) {
        fr_mesh_release(w->meshes[i]);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Things that are real

static fr_vec3 tracker_noise(task_world *w, double deviation) {
    fr_vec3 v;
    v.x = deviation * operator_gauss(&w->tracker);
    v.y = deviation * operator_gauss(&w->tracker);
    v.z = deviation * operator_gauss(&w->tracker);
    return v;
}

// One measurement of each, and where they are taken to be. It was true `delay` ago; they stand, so it still is.
static fr_status track(double time, void *context, fr_error *error) {
    task_world *w = context;
    const task_real *errors = &w->trial->real;
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < w->real_count && status == FR_OK; i++) {
        tracked *r = &w->real[i];
        fr_pose seen = r->truth;
        seen.position = fr_vec3_add(seen.position, tracker_noise(w, errors->position_error));
        fr_quat tilt = fr_quat_from_vector(tracker_noise(w, errors->rotation_error));
        seen.rotation = fr_quat_multiply(tilt, seen.rotation);
        status = fr_real_see(r->filter, &seen, time - errors->delay, error);
        fr_real_state state = fr_real_now(r->filter, time);
        if (status == FR_OK) { status = fr_real_put(&state, w->space, r->id, error); }
    }
    return status == FR_OK ? fr_space_update(w->space, NULL, error) : status;
}

static fr_status make_real(task_world *w, fr_object_id id, double radius) {
    tracked *r = &w->real[w->real_count++];
    r->id = id;
    r->truth = fr_object_get(w->space, id)->pose;
    fr_real_def def = fr_default_real_def();
    def.position_error = w->trial->real.position_error;
    def.rotation_error = w->trial->real.rotation_error;
    def.radius = radius;
    return fr_real_create(&def, &r->filter, w->error);
}

// ---------------------------------------------------------------------------------------------------------------
// Cubes

static operator_job make_job(task_world *w, fr_object_id held, const fr_pose *target) {
    operator_job job = {.space = w->space, .held = held, .target = *target, .most = MOST_SECONDS};
    job.limit = w->trial->limit;
    job.on_event = w->trial->on_event;
    job.event_context = w->trial->context;
    if (w->trial->real.is_on) {
        job.before_frame = track;
        job.frame_context = w;
    }
    return job;
}

// Faces that touch, by the normals of those that stand.
static const fr_vec3 cube_normals[OPERATOR_FACES] = {{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {-1.0, 0.0, 0.0}};

// The corners of the held cube on its faces that touch: 4, 6 or 7.
static void score_cube(operator_job *job, uint32_t faces) {
    job->normal_count = faces;
    memcpy(job->normals, cube_normals, faces * sizeof *cube_normals);
    for (int i = 0; i < 8; i++) {
        fr_vec3 corner = fr_vec3_make((i & 1) ? 0.5 : -0.5, (i & 2) ? 0.5 : -0.5, (i & 4) ? 0.5 : -0.5);
        bool is_on = false;
        for (uint32_t k = 0; k < faces; k++) {
            is_on = is_on || fr_vec3_dot(corner, cube_normals[k]) < 0.0;
        }
        if (is_on) { job->corners_local[job->corner_count++] = fr_vec3_scale(EDGE, corner); }
    }
}

static fr_status place_cubes(task_world *w, operator_job *job) {
    static const fr_vec3 places[OPERATOR_FACES] = {{0.0, 0.0, 0.0}, {0.0, EDGE, -EDGE}, {EDGE, EDGE, 0.0}};
    uint32_t faces = (uint32_t)w->trial->kind + 1;
    fr_mesh **cube = &w->meshes[w->mesh_count];
    fr_status status = fr_mesh_create_box(fr_vec3_make(EDGE, EDGE, EDGE), NULL, cube, w->error);
    w->mesh_count += status == FR_OK;
    for (uint32_t i = 0; i < faces && status == FR_OK; i++) {
        fr_pose pose = fr_pose_make(places[i], fr_quat_identity());
        fr_object_id id;
        status = add_object(w, *cube, &pose, &id);
        if (status == FR_OK && w->trial->real.is_on) { status = make_real(w, id, 0.5 * EDGE * sqrt(3.0)); }
    }
    fr_pose start = fr_pose_make(fr_vec3_make(0.0, 0.0, 160.0 * MM), fr_quat_identity());
    fr_pose target = fr_pose_make(fr_vec3_make(0.0, EDGE, 0.0), fr_quat_identity());
    fr_object_id held = {0};
    if (status == FR_OK) { status = add_object(w, *cube, &start, &held); }
    if (status == FR_OK) { status = fr_space_update(w->space, NULL, w->error); }
    *job = make_job(w, held, &target);
    score_cube(job, faces);
    return status;
}

static void add_result(task_outcome *out, const operator_job *job, const operator_result *r, bool has_aid) {
    out->distance += r->distance / MM;
    out->angle += fr_degrees(r->angle);
    out->snaps += r->snaps;
    out->releases += r->releases;
    if (has_aid && r->held < job->normal_count) { out->missing += job->normal_count - r->held; }
    out->is_done = out->is_done && r->is_done;
}

static fr_status run_cubes(task_world *w, task_outcome *out) {
    operator_job job;
    fr_status status = place_cubes(w, &job);
    operator_result result;
    const operator_def *traits = &w->trial->operator_traits;
    if (status == FR_OK) { status = operator_place(traits, &job, &w->random, &result, w->error); }
    if (status != FR_OK) { return status; }
    add_result(out, &job, &result, fr_aid_mode_has_aid(traits->mode));
    out->seconds = result.seconds;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The snail: a plate, two blocks on its left end, two on its right; 145 x 47 x 72 mm

typedef struct snail_block {
    const char *name;
    double outline[8]; // x and y of up to four corners, millimetres about the middle; drawn out over 47 mm
    uint32_t outline_count;
    int base;     // the block it goes on; -1: the table
    double at[2]; // x and y of its middle about the base's, millimetres
    uint32_t corner_count;
    double corners[4][3]; // that are scored, millimetres
    double start[2];      // x and z where it waits, millimetres
    double turn_axis[3], turn_deg;
} snail_block;

#define PLATE 145.0
#define DEEP 23.5 // half of 47

static const snail_block blocks[BLOCKS] = {
    {"plate",
     {-72.5, -12, 72.5, -12, 72.5, 12, -72.5, 12},
     4,
     -1,
     {0, 12},
     2,
     {{-72.5, -12, DEEP}, {72.5, -12, DEEP}},
     {0, 120},
     {0, 1, 0},
     0},
    {"shell",
     {-36, -12, 36, -12, 36, 12, -36, 12},
     4,
     0,
     {-36.5, 24},
     2,
     {{-36, -12, DEEP}, {-36, -12, -DEEP}},
     {-160, 60},
     {0, 1, 0},
     0},
    {"roof",
     {-36, -12, 36, -12, 0, 12},
     3,
     1,
     {0, 24},
     4,
     {{-36, -12, DEEP}, {-36, -12, -DEEP}, {36, -12, DEEP}, {36, -12, -DEEP}},
     {-160, 140},
     {0, 0, 1},
     180},
    {"neck",
     {-12, -12, 12, -12, 12, 12, -12, 12},
     4,
     0,
     {60.5, 24},
     2,
     {{12, -12, DEEP}, {12, -12, -DEEP}},
     {150, 60},
     {0, 1, 0},
     90},
    {"head",
     {-12, -12, 12, -12, -12, 12},
     3,
     3,
     {0, 24},
     4,
     {{-12, -12, DEEP}, {-12, -12, -DEEP}, {12, -12, DEEP}, {12, -12, -DEEP}},
     {150, 140},
     {0, 0, 1},
     90},
};

static fr_status make_block(task_world *w, const snail_block *b, fr_object_id *out) {
    fr_vec2 outline[4];
    for (uint32_t i = 0; i < b->outline_count; i++) {
        outline[i] = (fr_vec2){b->outline[2 * i] * MM, b->outline[2 * i + 1] * MM};
    }
    fr_mesh **mesh = &w->meshes[w->mesh_count];
    fr_status status = fr_mesh_create_extrusion(outline, b->outline_count, 2.0 * DEEP * MM, NULL, mesh, w->error);
    if (status != FR_OK) { return status; }
    w->mesh_count++;
    fr_vec3 at = fr_vec3_make(b->start[0] * MM, 12.0 * MM + LIFTED, b->start[1] * MM);
    fr_vec3 axis = fr_vec3_make(b->turn_axis[0], b->turn_axis[1], b->turn_axis[2]);
    fr_pose pose = fr_pose_make(at, fr_quat_from_axis_angle(axis, fr_radians(b->turn_deg)));
    return add_object(w, *mesh, &pose, out);
}

static fr_status make_table(task_world *w, fr_object_id *out) {
    fr_mesh **mesh = &w->meshes[w->mesh_count];
    fr_status status = fr_mesh_create_box(fr_vec3_make(0.6, 0.02, 0.5), NULL, mesh, w->error);
    if (status != FR_OK) { return status; }
    w->mesh_count++;
    fr_pose pose = fr_pose_make(fr_vec3_make(0.0, -0.01, 0.0), fr_quat_identity());
    return add_object(w, *mesh, &pose, out);
}

// Where a block belongs: on its base as that lies, not as it should.
static operator_job block_job(task_world *w, const snail_block *b, fr_object_id id, const fr_pose *base) {
    fr_pose on = fr_pose_make(fr_vec3_make(b->at[0] * MM, b->at[1] * MM, 0.0), fr_quat_identity());
    fr_pose target = fr_pose_compose(base, &on);
    operator_job job = make_job(w, id, &target);
    job.normals[0] = fr_pose_turn(base, fr_vec3_make(0.0, 1.0, 0.0));
    job.normal_count = 1;
    job.corner_count = b->corner_count;
    for (uint32_t i = 0; i < b->corner_count; i++) {
        job.corners_local[i] = fr_vec3_scale(MM, fr_vec3_make(b->corners[i][0], b->corners[i][1], b->corners[i][2]));
    }
    return job;
}

static fr_status build_snail(task_world *w, const fr_object_id ids[BLOCKS], task_outcome *out) {
    const operator_def *traits = &w->trial->operator_traits;
    fr_pose lies[BLOCKS], table = fr_pose_identity();
    double time = 0.0;
    for (int i = 0; i < BLOCKS; i++) {
        const snail_block *b = &blocks[i];
        operator_job job = block_job(w, b, ids[i], b->base < 0 ? &table : &lies[b->base]);
        // The empty hand goes from the last block to this one
        fr_vec3 waits = fr_object_get(w->space, ids[i])->pose.position;
        if (i > 0) { time += operator_reach_time(traits, fr_vec3_distance(lies[i - 1].position, waits)); }
        job.start_time = time;
        operator_result result;
        fr_status status = operator_place(traits, &job, &w->random, &result, w->error);
        if (status != FR_OK) { return status; }
        time += result.seconds;
        lies[i] = result.pose;
        add_result(out, &job, &result, fr_aid_mode_has_aid(traits->mode));
    }
    out->seconds = time;
    return FR_OK;
}

static fr_status run_snail(task_world *w, task_outcome *out) {
    fr_object_id table, ids[BLOCKS];
    fr_status status = make_table(w, &table);
    if (status == FR_OK && w->trial->real.is_on) { status = make_real(w, table, 0.4); }
    for (int i = 0; i < BLOCKS && status == FR_OK; i++) {
        status = make_block(w, &blocks[i], &ids[i]);
    }
    if (status == FR_OK) { status = fr_space_update(w->space, NULL, w->error); }
    return status == FR_OK ? build_snail(w, ids, out) : status;
}

fr_status task_run(const task_trial *trial, task_outcome *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    out->is_done = true;
    task_world w;
    fr_status status = open_world(&w, trial, error);
    if (status != FR_OK) { return status; }
    status = trial->kind == TASK_SNAIL ? run_snail(&w, out) : run_cubes(&w, out);
    close_world(&w);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Many trials

double task_deviation(const sample_mean *sample) {
    return sample->count < 2 ? 0.0 : sqrt(sample->squares / ((double)sample->count - 1.0));
}

void task_figures_add(task_figures *figures, const task_outcome *outcome) {
    sample_mean_add(&figures->distance, outcome->distance);
    sample_mean_add(&figures->angle, outcome->angle);
    sample_mean_add(&figures->seconds, outcome->seconds);
    figures->trials++;
    figures->done += outcome->is_done;
    figures->snaps += outcome->snaps;
    figures->releases += outcome->releases;
    figures->missing += outcome->missing;
}

fr_status task_repeat(const task_trial *like, uint32_t count, const fr_control *control, task_figures *out,
                      fr_error *error) {
    task_trial trial = *like;
    for (uint32_t i = 0; i < count; i++) {
        if (fr_control_is_stopped(control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        trial.number = i;
        task_outcome outcome;
        fr_status status = task_run(&trial, &outcome, error);
        if (status != FR_OK) { return status; }
        task_figures_add(out, &outcome);
    }
    return FR_OK;
}

double task_gain(double with_aid, double without) { return 100.0 * (1.0 - with_aid / without); }

fr_status task_gains_of(const task_trial *like, fr_aid_mode mode, uint32_t trials, const fr_control *control,
                        task_gains *out, fr_error *error) {
    *out = (task_gains){0.0, 0.0, 0.0};
    const double *subjects = like->kind == TASK_SNAIL ? snail_subjects : task_subjects;
    for (int i = 0; i < TASK_SUBJECTS; i++) {
        task_trial trial = *like;
        trial.operator_traits.factor = subjects[i];
        task_figures without = {.trials = 0}, with = {.trials = 0};
        trial.operator_traits.mode = FR_AID_MODE_NOTHING;
        fr_status status = task_repeat(&trial, trials, control, &without, error);
        trial.operator_traits.mode = mode;
        if (status == FR_OK) { status = task_repeat(&trial, trials, control, &with, error); }
        if (status != FR_OK) { return status; }
        out->distance += task_gain(with.distance.mean, without.distance.mean) / TASK_SUBJECTS;
        out->angle += task_gain(with.angle.mean, without.angle.mean) / TASK_SUBJECTS;
        out->seconds += task_gain(with.seconds.mean, without.seconds.mean) / TASK_SUBJECTS;
    }
    return FR_OK;
}

task_gains task_gaussian_gains(task_kind kind, double place, double turn, uint32_t draws, uint64_t seed) {
    uint32_t faces = (uint32_t)kind + 1;
    operator_job job = {.target = fr_pose_make(fr_vec3_make(0.0, EDGE, 0.0), fr_quat_identity())};
    score_cube(&job, faces);
    fr_random random = fr_random_seed(seed);
    double distance[2] = {0.0, 0.0}, angle[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < 2 * draws; i++) {
        bool is_held = i % 2 == 1;
        double e[6];
        for (int k = 0; k < 6; k++) {
            e[k] = (k < 3 ? place : turn) * operator_gauss(&random);
        }
        fr_vec3 off = fr_vec3_make(e[0], e[1], e[2]), tilt = fr_vec3_make(e[3], e[4], e[5]);
        if (is_held) { // y, then z, then x is held; one face leaves the turn about y, two leave none
            off = fr_vec3_make(faces > 2 ? 0.0 : off.x, 0.0, faces > 1 ? 0.0 : off.z);
            tilt = fr_vec3_make(0.0, faces > 1 ? 0.0 : tilt.y, 0.0);
        }
        fr_pose pose = fr_pose_make(fr_vec3_add(job.target.position, off), fr_quat_from_vector(tilt));
        double sum, angles;
        operator_errors(&job, &pose, &sum, &angles);
        distance[is_held] += sum;
        angle[is_held] += angles;
    }
    return (task_gains){task_gain(distance[1], distance[0]), task_gain(angle[1], angle[0]), NAN};
}

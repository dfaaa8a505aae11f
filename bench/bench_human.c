// Bodies of 43 links: where their links are, postures between two, means, mirror images and clips, alone and in batches
// of bodies; the inverse kinematics of their arms; motion files; and performers, who walk and move an arm.
#include "bench.h"

#include "fureai/human_files.h"
#include "fureai/human_skill.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 256u // bodies a sample; batches go through caches as a crowd does

// A crowd with two postures a body and room for what comes out.
typedef struct crowd {
    fr_skeleton *body;
    fr_clip *clip;
    fr_fusion *fusion;
    fr_quat *turns; // three postures a body
    fr_posture *postures, *others, *results;
    fr_pose *poses;
    double weights[2][FR_LINK_COUNT + 1];
    size_t count;
} crowd;

static void free_crowd(crowd *c) {
    fr_skeleton_release(c->body);
    fr_clip_release(c->clip);
    fr_fusion_destroy(c->fusion);
    free(c->turns);
    free(c->postures);
    free(c->others);
    free(c->results);
    free(c->poses);
}

static fr_vec3 random_vector(fr_random *random, double reach) {
    fr_vec3 v;
    v.x = fr_random_between(random, -reach, reach);
    v.y = fr_random_between(random, -reach, reach);
    v.z = fr_random_between(random, -reach, reach);
    return v;
}

// Postures of people: turns of up to half a radian about each axis away from rest, within the limits of joints. From
// one body to the next they go on as in a frame of a motion, by up to 2 rad/s at 60 frames a second.
static void fill(crowd *c) {
    fr_random random = fr_random_seed(25);
    const fr_quat *rests = fr_skeleton_get(c->body)->rests;
    fr_vec3 phases[3][FR_LINK_COUNT];
    for (size_t k = 0; k < 3 * FR_LINK_COUNT; k++) {
        phases[k / FR_LINK_COUNT][k % FR_LINK_COUNT] = random_vector(&random, FR_PI);
    }
    for (size_t i = 0; i < 3 * c->count; i++) {
        fr_posture *posture = i % 3 == 0 ? c->postures : i % 3 == 1 ? c->others : c->results;
        posture += i / 3;
        *posture = (fr_posture){.turns = c->turns + i * FR_LINK_COUNT, .count = FR_LINK_COUNT};
        posture->place = random_vector(&random, 10.0);
        for (size_t k = 0; k < FR_LINK_COUNT; k++) {
            fr_vec3 phase = phases[i % 3][k];
            double along = 2.0 * FR_PI * (double)(i / 3) / ROUNDS;
            fr_vec3 away = {fr_sin(phase.x + along), fr_sin(phase.y + along), fr_sin(phase.z + along)};
            fr_quat turn = fr_quat_multiply(rests[k], fr_quat_from_vector(fr_vec3_scale(0.5, away)));
            (void)fr_quat_normalize(&turn, NULL);
            posture->turns[k] = fr_skeleton_clamp(c->body, (uint32_t)k, turn);
        }
    }
    for (size_t k = 0; k <= FR_LINK_COUNT; k++) {
        c->weights[0][k] = fr_random_between(&random, 0.1, 1.0);
        c->weights[1][k] = fr_random_between(&random, 0.1, 1.0);
    }
}

static bool make_clip(crowd *c) {
    fr_vec3 places[3] = {{0, 1, 0}, {0, 1, 0.1}, {0, 1, 0.2}};
    fr_clip_def def = fr_default_clip_def();
    def.frame_count = 3;
    def.link_count = FR_LINK_COUNT;
    def.places = places;
    def.turns = c->turns;
    return fr_clip_create(&def, &c->clip, NULL) == FR_OK;
}

static bool make_fusion(crowd *c) {
    fr_fusion_def def = fr_default_fusion_def();
    def.skeleton = c->body;
    return fr_fusion_create(&def, &c->fusion, NULL) == FR_OK;
}

static bool make_crowd(bench *b, crowd *c) {
    *c = (crowd){.count = bench_size(b, 16, ROUNDS)};
    fr_body_def def = fr_default_body_def();
    c->turns = malloc(3 * c->count * FR_LINK_COUNT * sizeof *c->turns);
    c->postures = malloc(c->count * sizeof *c->postures);
    c->others = malloc(c->count * sizeof *c->others);
    c->results = malloc(c->count * sizeof *c->results);
    c->poses = malloc(c->count * FR_LINK_COUNT * sizeof *c->poses);
    bool is_made = c->turns != NULL && c->postures != NULL && c->others != NULL && c->results != NULL &&
                   c->poses != NULL && fr_skeleton_create_body(&def, &c->body, NULL) == FR_OK;
    if (is_made) { fill(c); }
    is_made = is_made && make_clip(c) && make_fusion(c);
    if (!is_made) { bench_skip(b, "out of memory"); }
    return is_made;
}

static void links_batch(crowd *c) { (void)fr_posture_poses(c->body, c->postures, c->count, c->poses, NULL); }

static void links_alone(crowd *c) {
    for (size_t i = 0; i < c->count; i++) {
        (void)fr_posture_poses(c->body, &c->postures[i], 1, c->poses + i * FR_LINK_COUNT, NULL);
    }
}

static void mean_of_two(crowd *c) {
    for (size_t i = 0; i < c->count; i++) {
        const fr_weighted_posture motions[2] = {{c->postures[i], c->weights[0]}, {c->others[i], c->weights[1]}};
        (void)fr_posture_mean(motions, 2, &c->results[i], &c->results[i], NULL);
    }
}

static void slerp(crowd *c) {
    for (size_t i = 0; i < c->count; i++) {
        (void)fr_posture_slerp(&c->postures[i], &c->others[i], 0.3, &c->results[i], NULL);
    }
}

static void mirror(crowd *c) {
    for (size_t i = 0; i < c->count; i++) {
        (void)fr_posture_mirror(c->body, &c->postures[i], &c->results[i], NULL);
    }
}

static void sample(crowd *c) {
    for (size_t i = 0; i < c->count; i++) {
        (void)fr_clip_sample(c->clip, 0.005, &c->results[i], NULL);
    }
}

// Two motions go on, without a transition; or a new one begins every 16 steps, so that there always is one.
static void fuse(crowd *c, uint64_t id, size_t i) {
    const fr_fused_motion motions[2] = {{1, c->postures[i], c->weights[0]}, {id, c->others[i], c->weights[1]}};
    const fr_fusion_input input = {motions, 2, 1.0 / 60.0};
    (void)fr_fusion_step(c->fusion, &input, &c->results[i], NULL);
}

static void fusion_steady(crowd *c) {
    for (size_t i = 0; i < c->count; i++) {
        fuse(c, 2, i);
    }
}

static void fusion_transition(crowd *c) {
    for (size_t i = 0; i < c->count; i++) {
        fuse(c, 2 + i / 16, i);
    }
}

static void run(bench *b, void (*work)(crowd *c)) {
    crowd c;
    if (make_crowd(b, &c)) {
        while (bench_repeat(b)) {
            work(&c);
        }
        bench_items(b, (double)c.count);
        bench_keep(c.poses);
        bench_keep(c.turns);
    }
    free_crowd(&c);
}

static void run_links_batch(bench *b) { run(b, links_batch); }
static void run_links_alone(bench *b) { run(b, links_alone); }
static void run_mean(bench *b) { run(b, mean_of_two); }
static void run_slerp(bench *b) { run(b, slerp); }
static void run_mirror(bench *b) { run(b, mirror); }
static void run_sample(bench *b) { run(b, sample); }
static void run_steady(bench *b) { run(b, fusion_steady); }
static void run_transition(bench *b) { run(b, fusion_transition); }

// ---------------------------------------------------------------------------------------------------------------
// Arms: the inverse kinematics of one arm, all solutions or the one that keeps the swivel of the elbow

#define ARM_GOALS 64u

static void run_arm(bench *b, bool is_swivel_only) {
    static fr_arm_input inputs[ARM_GOALS];
    static fr_arm_output outputs[ARM_GOALS];
    fr_random random = fr_random_seed(25);
    for (uint32_t i = 0; i < ARM_GOALS; i++) {
        double goal[FR_ARM_ANGLES];
        inputs[i] = fr_default_arm_input();
        inputs[i].is_swivel_only = is_swivel_only;
        for (uint32_t k = 0; k < FR_ARM_ANGLES; k++) {
            bool is_elbow = k == 3;
            goal[k] = is_elbow ? fr_random_between(&random, 0.3, 2.3) : fr_random_between(&random, -1.0, 1.0);
            inputs[i].previous[k] = goal[k] + fr_random_between(&random, -0.05, 0.05);
        }
        inputs[i].wrist = fr_arm_wrist(inputs[i].upper, inputs[i].lower, goal);
    }
    while (bench_repeat(b)) {
        for (uint32_t i = 0; i < ARM_GOALS; i++) {
            (void)fr_arm_solve(&inputs[i], &outputs[i], NULL);
        }
    }
    bench_items(b, ARM_GOALS);
    bench_keep(outputs);
}

static void run_arm_full(bench *b) { run_arm(b, false); }
static void run_arm_swivel(bench *b) { run_arm(b, true); }

// ---------------------------------------------------------------------------------------------------------------
// Motion files

typedef struct text {
    char *bytes;
    size_t size, room;
} text;

static bool put_text(const char *bytes, size_t size, void *context) {
    text *t = context;
    if (t->size + size > t->room) {
        t->room = 2 * (t->size + size);
        char *more = realloc(t->bytes, t->room);
        if (more == NULL) { return false; }
        t->bytes = more;
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    return true;
}

// Numbers of four decimal places, as those of captures are: the writer's have up to 17 digits.
static void shorten_numbers(text *t) {
    size_t kept = 0;
    uint32_t places = 0;
    bool is_fraction = false;
    for (size_t i = 0; i < t->size; i++) {
        char c = t->bytes[i];
        bool is_digit = c >= '0' && c <= '9';
        if (c == '.') { places = 0; }
        is_fraction = c == '.' || (is_fraction && is_digit);
        if (is_fraction && is_digit && ++places > 4) { continue; }
        t->bytes[kept++] = c;
    }
    t->size = kept;
}

// A motion of a body as a text: frames of random turns, all different.
static bool write_bvh(const crowd *c, uint32_t frames, text *t) {
    fr_clip_def def = fr_default_clip_def();
    fr_vec3 *places = calloc(frames, sizeof *places);
    fr_quat *turns = malloc(frames * sizeof *turns * FR_LINK_COUNT);
    fr_clip *clip = NULL;
    bool is_made = places != NULL && turns != NULL;
    for (uint32_t f = 0; is_made && f < frames; f++) {
        places[f].z = 0.01 * f;
        memcpy(turns + (size_t)f * FR_LINK_COUNT, c->turns + f % (3 * c->count) * FR_LINK_COUNT,
               FR_LINK_COUNT * sizeof *turns);
    }
    def.frame_rate = 120.0;
    def.frame_count = frames;
    def.link_count = FR_LINK_COUNT;
    def.places = places;
    def.turns = turns;
    is_made = is_made && fr_clip_create(&def, &clip, NULL) == FR_OK &&
              fr_bvh_write(c->body, clip, 100.0, put_text, t, NULL) == FR_OK;
    if (is_made) { shorten_numbers(t); }
    fr_clip_release(clip);
    free(places);
    free(turns);
    return is_made;
}

static void run_bvh_read(bench *b) {
    crowd c;
    text t = {0};
    if (make_crowd(b, &c) && write_bvh(&c, (uint32_t)bench_size(b, 20, 400), &t)) {
        fr_status status = FR_OK;
        while (bench_repeat(b) && status == FR_OK) {
            fr_bvh_input input = fr_default_bvh_input();
            input.text = t.bytes;
            input.size = t.size;
            fr_skeleton *skeleton = NULL;
            fr_clip *clip = NULL;
            status = fr_bvh_read(&input, &skeleton, &clip, NULL, NULL);
            bench_pause(b);
            fr_clip_release(clip);
            fr_skeleton_release(skeleton);
        }
        if (status != FR_OK) { bench_skip(b, "the text was not read"); }
        bench_items(b, (double)t.size);
        bench_count(b, "bytes", (double)t.size);
    }
    free(t.bytes);
    free_crowd(&c);
}

// ---------------------------------------------------------------------------------------------------------------
// Performers: each walks while an arm goes to a posture, and all their links are found

#define PEOPLE 1000u
#define FRAMES 2u // of a sample

typedef struct troupe {
    fr_skeleton *body;
    fr_walk_set *set;
    fr_performer **people;
    fr_pose *poses;
    fr_task_pool *pool;
    fr_tasks tasks;
    size_t count;
} troupe;

static bool begin_tasks(const troupe *t, fr_performer *person, size_t index) {
    fr_quat turns[FR_LINK_COUNT];
    double weights[FR_LINK_COUNT + 1] = {0.0};
    fr_posture goal = {.turns = turns, .count = FR_LINK_COUNT};
    if (fr_posture_rest(t->body, &goal, NULL) != FR_OK) { return false; }
    turns[FR_LINK_LEFT_FOREARM] = fr_quat_from_axis_angle(fr_vec3_make(0, 1, 0), 1.5);
    weights[FR_LINK_LEFT_UPPER_ARM] = weights[FR_LINK_LEFT_FOREARM] = 100.0;
    fr_task tasks[2] = {{.id = 1, .skill = fr_skill_find("walk")}, {.id = 2, .skill = fr_skill_find("slerp")}};
    tasks[0].fields.given = FR_FIELD_GOAL;
    tasks[0].fields.goal = fr_pose_make(fr_vec3_make(0.001 * (double)index, 0, 40), fr_quat_identity());
    tasks[1].fields.given = FR_FIELD_POSTURE | FR_FIELD_WEIGHTS | FR_FIELD_FRAMES;
    tasks[1].fields.posture = &goal;
    tasks[1].fields.weights = weights;
    tasks[1].fields.frames = 1000000;
    return fr_performer_begin(person, tasks, 2, NULL, NULL) == FR_OK;
}

static bool make_people(troupe *t) {
    fr_body_def body = fr_default_body_def();
    fr_walk_set_def set = fr_default_walk_set_def();
    if (fr_skeleton_create_body(&body, &t->body, NULL) != FR_OK) { return false; }
    set.skeleton = t->body;
    if (fr_walk_set_create(&set, &t->set, NULL) != FR_OK) { return false; }
    for (size_t i = 0; i < t->count; i++) {
        fr_performer_def def = fr_default_performer_def();
        def.skeleton = t->body;
        def.walk_set = t->set;
        def.person = i;
        def.variety = 1.0;
        if (fr_performer_create(&def, &t->people[i], NULL) != FR_OK || !begin_tasks(t, t->people[i], i)) {
            return false;
        }
    }
    return true;
}

static void free_troupe(troupe *t) {
    for (size_t i = 0; t->people != NULL && i < t->count; i++) {
        fr_performer_destroy(t->people[i]);
    }
    fr_walk_set_release(t->set);
    fr_skeleton_release(t->body);
    fr_task_pool_destroy(t->pool);
    free(t->people);
    free(t->poses);
}

static void perform(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    troupe *t = context;
    for (size_t i = begin; i < end; i++) {
        fr_performer_output output;
        (void)fr_performer_step(t->people[i], NULL, &output, NULL);
        (void)fr_posture_poses(t->body, &output.posture, 1, t->poses + i * FR_LINK_COUNT, NULL);
    }
}

static void run_performers(bench *b) {
    troupe t = {.count = bench_size(b, 8, PEOPLE)};
    t.people = calloc(t.count, sizeof *t.people);
    t.poses = malloc(t.count * FR_LINK_COUNT * sizeof *t.poses);
    fr_task_pool_def pool = fr_default_task_pool_def();
    pool.worker_count = bench_threads(b);
    bool is_made = t.people != NULL && t.poses != NULL && fr_task_pool_create(&pool, &t.pool, NULL) == FR_OK;
    if (is_made && make_people(&t)) {
        t.tasks = fr_task_pool_tasks(t.pool);
        while (bench_repeat(b)) {
            for (uint32_t k = 0; k < FRAMES; k++) {
                fr_tasks_run(&t.tasks, FR_SCHEDULE_DYNAMIC, t.count, 8, perform, &t);
            }
        }
        bench_items(b, (double)(FRAMES * t.count));
        bench_keep(t.poses);
    } else {
        bench_skip(b, "out of memory");
    }
    free_troupe(&t);
}

// One body walks and moves an arm to a posture, fused into one motion, with the poses of its links; `has_arm`: its
// other arm is brought to a point before it by all solutions (A14).
static void run_walker(bench *b, bool has_arm) {
    fr_performer *person = NULL;
    fr_quat turns[FR_LINK_COUNT];
    fr_pose poses[FR_LINK_COUNT];
    troupe t = {.count = 1, .people = &person, .poses = poses};
    if (make_people(&t)) {
        const uint32_t frames = (uint32_t)bench_size(b, 4, 64);
        fr_posture stand = {.turns = turns, .count = FR_LINK_COUNT}, first = fr_performer_get(person).posture;
        (void)fr_posture_copy(&first, &stand, NULL);
        fr_reach_input reach = fr_default_reach_input();
        reach.skeleton = t.body;
        const fr_mat3 forward = {{{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}}}; // the fingers point forward, the thumb up
        reach.palm.rotation = fr_quat_from_mat3(forward);
        fr_reach_output found = {0};
        uint32_t samples = 0; // since a walk began, which takes longer than eight of them
        while (bench_repeat(b)) {
            for (uint32_t k = 0; k < frames; k++) {
                fr_performer_output output;
                (void)fr_performer_step(person, NULL, &output, NULL);
                if (has_arm) {
                    reach.posture = &output.posture;
                    fr_vec3 ahead = fr_vec3_make(-0.2, 0.12 + 0.001 * k, 0.35);
                    reach.palm.position = fr_vec3_add(output.posture.place, ahead);
                    (void)fr_reach_solve(&reach, &found, NULL);
                    fr_reach_apply(t.body, FR_RIGHT, &found, &output.posture);
                }
                (void)fr_posture_poses(t.body, &output.posture, 1, poses, NULL);
            }
            bench_pause(b);
            if (++samples % 8 != 0) { continue; }
            (void)fr_performer_put(person, &stand, NULL);
            (void)begin_tasks(&t, person, 0);
        }
        bench_items(b, frames);
        bench_keep(poses);
    } else {
        bench_skip(b, "out of memory");
    }
    fr_performer_destroy(person);
    fr_walk_set_release(t.set);
    fr_skeleton_release(t.body);
}

static void run_walker_fused(bench *b) { run_walker(b, false); }
static void run_walker_arm(bench *b) { run_walker(b, true); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"links/batch", run_links_batch},
                                       {"links/alone", run_links_alone},
                                       {"mean/two", run_mean},
                                       {"slerp", run_slerp},
                                       {"mirror", run_mirror},
                                       {"clip_sample", run_sample},
                                       {"fusion/steady", run_steady},
                                       {"fusion/transition", run_transition},
                                       {"arm/full", run_arm_full},
                                       {"arm/swivel", run_arm_swivel},
                                       {"bvh/read", run_bvh_read},
                                       {"walker/fused", run_walker_fused},
                                       {"walker/fused_arm", run_walker_arm},
                                       {"performers", run_performers}};
    return bench_main(argc, argv, "fureai", "human", cases, sizeof cases / sizeof cases[0]);
}

// Bodies of 43 links: where their links are, postures between two, means, mirror images and clips, alone and in batches
// of bodies.
#include "bench.h"

#include "fureai/human_fusion.h"

#include <stdlib.h>

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

// Postures of people: turns of up to about half a radian away from rest.
static void fill(crowd *c) {
    fr_random random = fr_random_seed(25);
    const fr_quat *rests = fr_skeleton_get(c->body)->rests;
    for (size_t i = 0; i < 3 * c->count; i++) {
        fr_posture *posture = i % 3 == 0 ? c->postures : i % 3 == 1 ? c->others : c->results;
        posture += i / 3;
        *posture = (fr_posture){.turns = c->turns + i * FR_LINK_COUNT, .count = FR_LINK_COUNT};
        posture->place = random_vector(&random, 10.0);
        for (size_t k = 0; k < FR_LINK_COUNT; k++) {
            fr_quat turn = fr_quat_multiply(rests[k], fr_quat_from_vector(random_vector(&random, 0.5)));
            (void)fr_quat_normalize(&turn, NULL);
            posture->turns[k] = turn;
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

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"links/batch", run_links_batch}, {"links/alone", run_links_alone},
                                       {"mean/two", run_mean},           {"slerp", run_slerp},
                                       {"mirror", run_mirror},           {"clip_sample", run_sample},
                                       {"fusion/steady", run_steady},    {"fusion/transition", run_transition}};
    return bench_main(argc, argv, "fureai", "human", cases, sizeof cases / sizeof cases[0]);
}

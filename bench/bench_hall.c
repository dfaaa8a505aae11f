// A hall of people: 1,000 who walk with a cup in their hand (two motions fused, and one object that follows), go round
// one another, and whose rigid pieces are sensed. A sample is a tick of the whole world; 16.6 ms is one of 60 a second.
#include "bench.h"

#include "fureai/act_director.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CUP                                                                                                            \
    "{\"fureai\":1,\"shapes\":[\"cup.obj\"],\"grip\":{\"position\":[0,0,0],\"diameter\":0.07},\"affords\":["           \
    "{\"motion\":\"carry\",\"human\":[{\"skill\":\"hold_arm\",\"parameters\":{\"hand\":\"right\"}}],"                  \
    "\"object\":{\"skill\":\"follow_hand\",\"parameters\":{\"threshold\":0.3}}}]}"

enum { COLUMNS = 32, WALKS = 3, MAX_SAMPLES = 4096 };

static const double CELL = 3.0; // metres of the hall for each person

typedef struct hall {
    fr_world *world;
    fr_cast *cast;
    fr_director *director;
    fr_skeleton *skeleton;
    fr_walk_set *set;
    fr_figure *figure;
    fr_mesh *cup;
    fr_class *c;
    fr_random random;
    size_t people;
    fr_task_pool *pool;
    fr_tasks tasks;
} hall;

static fr_object_id add_object(hall *h, const fr_mesh *mesh, fr_vec3 place, uint32_t flags, int32_t group) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = place;
    def.flags = flags;
    def.filter.group = group;
    fr_object_id id = {0, 0, 0};
    (void)fr_object_add(fr_world_space(h->world), &def, &id, NULL);
    return id;
}

static bool make_body(hall *h) {
    fr_body_def body = fr_default_body_def();
    fr_walk_set_def set = fr_default_walk_set_def();
    fr_figure_def figure = fr_default_figure_def();
    bool is_good = fr_skeleton_create_body(&body, &h->skeleton, NULL) == FR_OK;
    set.skeleton = figure.skeleton = h->skeleton;
    figure.detail = FR_FIGURE_COARSE;
    fr_class_read_input input = fr_default_class_read_input();
    input.name = "cup";
    return is_good && fr_walk_set_create(&set, &h->set, NULL) == FR_OK &&
           fr_figure_create(&figure, &h->figure, NULL) == FR_OK &&
           fr_mesh_create_box(fr_vec3_make(0.06, 0.09, 0.06), NULL, &h->cup, NULL) == FR_OK &&
           fr_class_read(CUP, strlen(CUP), &input, &h->c, NULL) == FR_OK;
}

static fr_vec3 place_of(size_t person) {
    return fr_vec3_make(CELL * ((double)(person % COLUMNS) + 0.5), 0.0, CELL * ((double)(person / COLUMNS) + 0.5));
}

// A person with its pieces, its skin, and a cup in its right hand.
static bool add_person(hall *h, size_t index) {
    char name[32];
    (void)snprintf(name, sizeof name, "p%zu", index);
    const fr_figure_view *figure = fr_figure_get(h->figure);
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_object_id proxies[FR_FIGURE_PROXY_COUNT];
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        proxies[i] = add_object(h, figure->proxies[i].mesh, zero, FR_OBJECT_PROXY, -(int32_t)index - 1);
    }
    fr_person_def def = fr_default_person_def();
    def.name = name;
    def.skeleton = h->skeleton;
    def.walk_set = h->set;
    def.proxies = proxies;
    def.place = place_of(index);
    def.heading = fr_random_between(&h->random, -3.0, 3.0);
    def.seed = index;
    if (fr_director_add_person(h->director, &def, NULL) != FR_OK) { return false; }
    const fr_person *person = fr_director_get(h->director, (uint32_t)index).person;
    const fr_link_point *grip = &fr_skeleton_get(h->skeleton)->points[FR_POINT_RIGHT_GRIP];
    fr_vec3 hand = fr_pose_apply(&fr_person_links(person)[grip->link], grip->offset);
    fr_object_id cup = add_object(h, h->cup, hand, 0, -(int32_t)index - 1);
    if (fr_director_set_class(h->director, cup, h->c, NULL) != FR_OK) { return false; }
    for (int i = 0; i < WALKS; i++) {
        fr_vec3 goal = def.place;
        goal.x += fr_random_between(&h->random, -5.0, 5.0);
        goal.z += fr_random_between(&h->random, -5.0, 5.0);
        const fr_command carry = {.name = "carry", .object = cup};
        fr_command walk = {.name = "walk", .person = name, .given = FR_COMMAND_GOAL, .goal = goal};
        walk.fused = &carry;
        walk.fused_count = 1;
        if (fr_cast_command(h->cast, &walk, NULL) != FR_OK) { return false; }
    }
    return true;
}

static bool open_hall(bench *b, hall *h) {
    memset(h, 0, sizeof *h);
    h->people = bench_size(b, 10, 1000);
    h->random = fr_random_seed(3);
    fr_world_def world = fr_default_world_def();
    world.step = 1.0 / 60.0;
    fr_task_pool_def pool = fr_default_task_pool_def();
    pool.worker_count = bench_threads(b);
    if (bench_threads(b) > 1 && fr_task_pool_create(&pool, &h->pool, NULL) == FR_OK) {
        h->tasks = fr_task_pool_tasks(h->pool);
    }
    if (!make_body(h) || fr_world_create(&world, &h->world, NULL) != FR_OK) { return false; }
    fr_cast_def cast = fr_default_cast_def();
    cast.world = h->world;
    fr_director_def director = fr_default_director_def();
    if (fr_cast_create(&cast, &h->cast, NULL) != FR_OK) { return false; }
    director.cast = h->cast;
    director.tasks = &h->tasks;
    if (fr_director_create(&director, &h->director, NULL) != FR_OK) { return false; }
    const fr_actor actor = fr_director_actor(h->director);
    bool is_good = fr_cast_add(h->cast, &actor, NULL) == FR_OK;
    for (size_t i = 0; i < h->people && is_good; i++) {
        is_good = add_person(h, i);
    }
    return is_good;
}

static void close_hall(hall *h) {
    if (h->cast != NULL) { fr_cast_destroy(h->cast); }
    fr_world_destroy(h->world);
    fr_class_release(h->c);
    fr_mesh_release(h->cup);
    fr_figure_release(h->figure);
    fr_walk_set_release(h->set);
    fr_skeleton_release(h->skeleton);
    fr_task_pool_destroy(h->pool);
}

static double milliseconds(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void walking(bench *b) {
    static double samples[MAX_SAMPLES], cpu[MAX_SAMPLES]; // of each tick
    hall h;
    size_t count = 0;
    double walkers = 0.0;
    if (!open_hall(b, &h)) {
        bench_skip(b, "no hall");
        close_hall(&h);
        return;
    }
    fr_tick_input input = fr_default_tick_input();
    input.tasks = &h.tasks;
    for (size_t i = 0; i < bench_size(b, 5, 120); i++) { // until most of them walk
        (void)fr_cast_tick(h.cast, &input, NULL);
    }
    while (bench_repeat(b)) {
        for (size_t i = 0; i < bench_size(b, 1, 30); i++) {
            double begin = milliseconds(CLOCK_MONOTONIC), cpu_begin = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
            (void)fr_cast_tick(h.cast, &input, NULL);
            if (count == MAX_SAMPLES) { continue; }
            cpu[count] = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin;
            samples[count++] = milliseconds(CLOCK_MONOTONIC) - begin;
        }
    }
    for (uint32_t i = 0; i < fr_director_person_count(h.director); i++) {
        fr_director_state state = fr_director_get(h.director, i);
        walkers += state.motion[0] != '\0' && !state.is_waiting;
    }
    qsort(samples, count, sizeof samples[0], compare);
    qsort(cpu, count, sizeof cpu[0], compare);
    bench_count(b, "99th percentile ms", samples[count * 99 / 100]);
    bench_count(b, "median ms", samples[count / 2]);
    // On a machine that others use too, time of the processors says more, and its least the most.
    bench_count(b, "99th percentile CPU ms", cpu[count * 99 / 100]);
    bench_count(b, "median CPU ms", cpu[count / 2]);
    bench_count(b, "min CPU ms", cpu[0]);
    bench_count(b, "walking at the end", walkers);
    close_hall(&h);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"1,000 people walk, 30 ticks", walking}};
    return bench_main(argc, argv, "fureai", "hall", cases, sizeof cases / sizeof cases[0]);
}

// The space by itself: updates, pairs and questions among 1,000, 10,000 and 100,000 bodies.
#include "bench.h"

#include "fureai/space.h"

#include <stdlib.h>

// Bodies of 168 triangles and radius 1 in a cube, about two pairs of boxes a body.
typedef struct crowd {
    fr_space *space;
    fr_mesh *mesh;
    fr_object_id *ids;
    size_t count;
    double side;
    fr_random random;
    fr_task_pool *pool;
    fr_tasks tasks;
} crowd;

static fr_vec3 any_place(crowd *c) {
    double x = fr_random_between(&c->random, 0, c->side), y = fr_random_between(&c->random, 0, c->side);
    double z = fr_random_between(&c->random, 0, c->side);
    return fr_vec3_make(x, y, z);
}

static void close_crowd(crowd *c) {
    fr_space_destroy(c->space);
    fr_mesh_release(c->mesh);
    fr_task_pool_destroy(c->pool);
    free(c->ids);
}

static bool add_bodies(crowd *c) {
    for (size_t i = 0; i < c->count; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = c->mesh;
        fr_object_def def = fr_default_object_def();
        def.parts = &part;
        def.part_count = 1;
        def.pose.position = any_place(c);
        if (fr_object_add(c->space, &def, &c->ids[i], NULL) != FR_OK) { return false; }
    }
    return fr_space_update(c->space, &c->tasks, NULL) == FR_OK;
}

static bool open_crowd(bench *b, size_t count, crowd *c) {
    crowd made = {.count = bench_size(b, 50, count), .random = fr_random_seed(1)};
    made.side = 2.4 * cbrt((double)made.count);
    made.ids = malloc(made.count * sizeof *made.ids);
    fr_space_def space_def = fr_default_space_def();
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = bench_threads(b);
    bool good = made.ids != NULL && fr_mesh_create_named("sphere_168", NULL, &made.mesh, NULL) == FR_OK &&
                fr_space_create(&space_def, &made.space, NULL) == FR_OK &&
                fr_task_pool_create(&pool_def, &made.pool, NULL) == FR_OK;
    if (good) { made.tasks = fr_task_pool_tasks(made.pool); }
    good = good && add_bodies(&made);
    *c = made;
    if (good) { return true; }
    close_crowd(c);
    bench_skip(b, "out of memory");
    return false;
}

// Everything moves by up to a tenth of its radius and turns a little.
static void move_bodies(crowd *c, bool along) {
    for (size_t i = 0; i < c->count; i++) {
        fr_pose pose = fr_object_get(c->space, c->ids[i])->pose;
        fr_vec3 way = {fr_random_between(&c->random, -0.1, 0.1), fr_random_between(&c->random, -0.1, 0.1), 0};
        pose.position = fr_vec3_add(pose.position, way);
        pose.rotation = fr_quat_multiply(fr_quat_from_vector(way), pose.rotation);
        if (along) {
            (void)fr_object_set_next(c->space, c->ids[i], &pose, NULL);
        } else {
            (void)fr_object_set_pose(c->space, c->ids[i], &pose, NULL);
        }
    }
}

static void run_update(bench *b, size_t count, bool along) {
    crowd c;
    if (!open_crowd(b, count, &c)) { return; }
    move_bodies(&c, along);
    while (bench_repeat(b)) {
        (void)fr_space_update(c.space, &c.tasks, NULL);
        bench_pause(b);
        if (along) { (void)fr_space_commit(c.space, NULL); }
        move_bodies(&c, along);
    }
    bench_items(b, (double)c.count);
    close_crowd(&c);
}

static bool count_pair(const fr_part_pair *pair, void *context) {
    (void)pair;
    (*(size_t *)context)++;
    return true;
}

static void run_pairs(bench *b, size_t count) {
    crowd c;
    if (!open_crowd(b, count, &c)) { return; }
    fr_space_pairs_input query = {0, NULL, NULL};
    size_t pairs = 0;
    while (bench_repeat(b)) {
        pairs = 0;
        (void)fr_space_pairs(c.space, &query, count_pair, &pairs, NULL);
    }
    bench_count(b, "pairs", (double)pairs);
    bench_items(b, (double)c.count);
    close_crowd(&c);
}

static void run_rays(bench *b, size_t count) {
    crowd c;
    if (!open_crowd(b, count, &c)) { return; }
    size_t ray_count = bench_size(b, 10, 20000), hits = 0;
    fr_ray *rays = malloc(ray_count * sizeof *rays);
    fr_space_hit *out = malloc(ray_count * sizeof *out);
    if (rays != NULL && out != NULL) {
        for (size_t i = 0; i < ray_count; i++) {
            fr_vec3 from = any_place(&c);
            rays[i] = (fr_ray){from, fr_vec3_sub(any_place(&c), from), INFINITY};
        }
        while (bench_repeat(b)) {
            (void)fr_space_ray_many(c.space, rays, ray_count, NULL, &c.tasks, out, NULL);
        }
        for (size_t i = 0; i < ray_count; i++) {
            hits += out[i].object.index1 != 0;
        }
        bench_count(b, "hits", (double)hits);
        bench_items(b, (double)ray_count);
    } else {
        bench_skip(b, "out of memory");
    }
    free(rays);
    free(out);
    close_crowd(&c);
}

static void run_closest(bench *b, size_t count) {
    crowd c;
    if (!open_crowd(b, count, &c)) { return; }
    enum { POINTS = 2000 };
    fr_vec3 points[POINTS];
    static fr_space_closest out[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        points[i] = any_place(&c);
    }
    while (bench_repeat(b)) {
        (void)fr_space_closest_many(c.space, points, POINTS, INFINITY, false, NULL, &c.tasks, out, NULL);
    }
    bench_items(b, POINTS);
    close_crowd(&c);
}

// One body of many comes and goes: the tree is built anew.
static void run_add_remove(bench *b, size_t count) {
    crowd c;
    if (!open_crowd(b, count, &c)) { return; }
    while (bench_repeat(b)) {
        fr_part_def part = fr_default_part_def();
        part.mesh = c.mesh;
        fr_object_def def = fr_default_object_def();
        def.parts = &part;
        def.part_count = 1;
        (void)fr_object_remove(c.space, c.ids[0], NULL);
        (void)fr_object_add(c.space, &def, &c.ids[0], NULL);
        (void)fr_space_update(c.space, &c.tasks, NULL);
    }
    close_crowd(&c);
}

static void update_1000(bench *b) { run_update(b, 1000, false); }
static void update_10000(bench *b) { run_update(b, 10000, false); }
static void update_100000(bench *b) { run_update(b, 100000, false); }
static void update_moving_1000(bench *b) { run_update(b, 1000, true); }
static void update_moving_10000(bench *b) { run_update(b, 10000, true); }
static void update_moving_100000(bench *b) { run_update(b, 100000, true); }
static void pairs_1000(bench *b) { run_pairs(b, 1000); }
static void pairs_10000(bench *b) { run_pairs(b, 10000); }
static void pairs_100000(bench *b) { run_pairs(b, 100000); }
static void rays_1000(bench *b) { run_rays(b, 1000); }
static void rays_100000(bench *b) { run_rays(b, 100000); }
static void closest_10000(bench *b) { run_closest(b, 10000); }
static void add_remove_10000(bench *b) { run_add_remove(b, 10000); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"update_1000", update_1000},
        {"update_10000", update_10000},
        {"update_100000", update_100000},
        {"update_moving_1000", update_moving_1000},
        {"update_moving_10000", update_moving_10000},
        {"update_moving_100000", update_moving_100000},
        {"pairs_1000", pairs_1000},
        {"pairs_10000", pairs_10000},
        {"pairs_100000", pairs_100000},
        {"rays_1000", rays_1000},
        {"rays_100000", rays_100000},
        {"closest_10000", closest_10000},
        {"add_remove_10000", add_remove_10000},
    };
    return bench_main(argc, argv, "fureai", "space", cases, sizeof cases / sizeof cases[0]);
}

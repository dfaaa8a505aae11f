// The tick of a world of 1,000 and 10,000 bodies, beside the space and the asker it is made of.
#include "bench.h"

#include "fureai/world.h"

#include <stdlib.h>

// Bodies of 168 triangles and radius 1 in a cube, about one in four touching another, all of which move in every step.
typedef struct crowd {
    fr_world *world;
    fr_mesh *mesh;
    fr_object_id *ids;
    size_t count;
    fr_task_pool *pool;
    fr_tasks tasks;
} crowd;

static void close_crowd(crowd *c) {
    fr_world_destroy(c->world);
    fr_mesh_release(c->mesh);
    fr_task_pool_destroy(c->pool);
    free(c->ids);
}

// Where a body is next: it swings about its place.
static fr_pose next_pose(const fr_pose *pose, size_t body, uint64_t tick) {
    double way = (tick + body) % 20 < 10 ? 0.05 : -0.05;
    fr_vec3 turn = {0.0, way, 0.0};
    fr_pose next = *pose;
    next.position.x += way;
    next.rotation = fr_quat_multiply(fr_quat_from_vector(turn), next.rotation);
    return next;
}

static fr_status swing(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const crowd *c = user;
    for (size_t i = 0; i < c->count; i++) {
        fr_wish wish = {.object = c->ids[i], .kind = FR_WISH_NEXT};
        wish.pose = next_pose(&fr_object_get(proposal->space, c->ids[i])->pose, i, proposal->tick);
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static bool add_bodies(crowd *c) {
    fr_random random = fr_random_seed(1);
    double side = 4.0 * cbrt((double)c->count);
    for (size_t i = 0; i < c->count; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = c->mesh;
        fr_object_def def = fr_default_object_def();
        def.parts = &part;
        def.part_count = 1;
        double x = fr_random_between(&random, 0, side), y = fr_random_between(&random, 0, side);
        def.pose.position = fr_vec3_make(x, y, fr_random_between(&random, 0, side));
        if (fr_object_add(fr_world_space(c->world), &def, &c->ids[i], NULL) != FR_OK) { return false; }
    }
    return true;
}

static bool open_crowd(bench *b, size_t count, fr_want want, crowd *c) {
    *c = (crowd){.count = bench_size(b, 50, count)};
    c->ids = malloc(c->count * sizeof *c->ids);
    fr_world_def def = fr_default_world_def();
    def.want = want;
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = bench_threads(b);
    bool good = c->ids != NULL && fr_mesh_create_named("sphere_168", NULL, &c->mesh, NULL) == FR_OK &&
                fr_world_create(&def, &c->world, NULL) == FR_OK &&
                fr_task_pool_create(&pool_def, &c->pool, NULL) == FR_OK && add_bodies(c);
    if (good) {
        c->tasks = fr_task_pool_tasks(c->pool);
        return true;
    }
    close_crowd(c);
    bench_skip(b, "out of memory");
    return false;
}

static void run_tick(bench *b, size_t count, fr_want want) {
    crowd c;
    if (!open_crowd(b, count, want, &c)) { return; }
    fr_corrector mover = {"swing", swing, &c};
    fr_tick_input input = fr_default_tick_input();
    input.tasks = &c.tasks;
    (void)fr_world_add_mover(c.world, &mover, NULL);
    fr_tick_stats stats = {0};
    size_t pairs = 0;
    while (bench_repeat(b)) {
        (void)fr_world_tick(c.world, &input, NULL);
        bench_pause(b);
        const fr_snapshot *snapshot = fr_world_snapshot(c.world);
        stats = snapshot->stats;
        pairs = snapshot->pair_count;
        fr_snapshot_release(snapshot);
    }
    bench_count(b, "pairs", (double)pairs);
    bench_count(b, "us_movers", 1e3 * stats.ms_movers);
    bench_count(b, "us_joints", 1e3 * stats.ms_joints);
    bench_count(b, "us_update", 1e3 * stats.ms_update);
    bench_count(b, "us_collide", 1e3 * stats.ms_collide);
    bench_count(b, "us_events", 1e3 * stats.ms_events);
    bench_count(b, "us_snapshot", 1e3 * stats.ms_snapshot);
    bench_items(b, (double)c.count);
    close_crowd(&c);
}

// The same without a world: poses are set, committed, updated and asked about.
static void run_bare(bench *b, size_t count, fr_want want) {
    crowd c;
    if (!open_crowd(b, count, want, &c)) { return; }
    fr_space *space = fr_world_space(c.world);
    fr_collide *asker;
    if (fr_collide_create(NULL, &asker, NULL) != FR_OK) {
        bench_skip(b, "out of memory");
        close_crowd(&c);
        return;
    }
    fr_collide_input input = fr_default_collide_input();
    input.space = space;
    input.want = want;
    input.tasks = &c.tasks;
    input.is_containment_wanted = true;
    fr_collide_output output = {0};
    for (uint64_t tick = 0; bench_repeat(b); tick++) {
        for (size_t i = 0; i < c.count; i++) {
            fr_pose next = next_pose(&fr_object_get(space, c.ids[i])->pose, i, tick);
            (void)fr_object_set_next(space, c.ids[i], &next, NULL);
        }
        (void)fr_space_commit(space, NULL);
        (void)fr_space_update(space, &c.tasks, NULL);
        (void)fr_collide_static(asker, &input, &output, NULL);
    }
    bench_count(b, "pairs", (double)output.pair_count);
    bench_items(b, (double)c.count);
    fr_collide_destroy(asker);
    close_crowd(&c);
}

static void tick_1000(bench *b) { run_tick(b, 1000, FR_WANT_CONTACTS); }
static void bare_1000(bench *b) { run_bare(b, 1000, FR_WANT_CONTACTS); }
static void tick_10000(bench *b) { run_tick(b, 10000, FR_WANT_CONTACTS); }
static void bare_10000(bench *b) { run_bare(b, 10000, FR_WANT_CONTACTS); }

// One snapshot of 10,000 bodies as a number.
static void hash_10000(bench *b) {
    crowd c;
    if (!open_crowd(b, 10000, FR_WANT_CONTACTS, &c)) { return; }
    (void)fr_world_tick(c.world, NULL, NULL);
    const fr_snapshot *snapshot = fr_world_snapshot(c.world);
    uint64_t hash = 0;
    while (bench_repeat(b)) {
        hash ^= fr_snapshot_hash(snapshot);
        bench_keep(&hash);
    }
    bench_items(b, (double)c.count);
    fr_snapshot_release(snapshot);
    close_crowd(&c);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"tick of 1,000 bodies", tick_1000},        {"the same without a world, 1,000", bare_1000},
        {"tick of 10,000 bodies", tick_10000},      {"the same without a world, 10,000", bare_10000},
        {"hash of a snapshot, 10,000", hash_10000},
    };
    return bench_main(argc, argv, "fureai", "world", cases, sizeof cases / sizeof cases[0]);
}

// Ticks of the worlds of demos, which sense at the end of each step, or over all of it, as they are served.
#include "bench.h"

#include "fureai/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// A scene of the demos, of shapes alone, and its world.
typedef struct played {
    fr_scene *scene;
    fr_world *world;
    fr_task_pool *pool;
    fr_tasks tasks;
} played;

static void close_played(played *p) {
    fr_world_destroy(p->world);
    fr_scene_destroy(p->scene);
    fr_task_pool_destroy(p->pool);
}

static fr_status read_scene(const char *name, fr_scene **out) {
    enum { MAX_BYTES = 1 << 20 };
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.json", FUREAI_DEMOS, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return FR_ERROR_FILE; }
    char *text = malloc(MAX_BYTES);
    size_t size = text != NULL ? fread(text, 1, MAX_BYTES, file) : 0;
    fclose(file);
    fr_status status = fr_scene_read(text, size, NULL, out, NULL);
    free(text);
    return status;
}

static bool open_played(bench *b, const char *name, fr_sense sense, played *p) {
    *p = (played){0};
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = bench_threads(b);
    fr_status status = read_scene(name, &p->scene);
    if (status == FR_OK) {
        fr_world_def def = fr_scene_world_def(p->scene);
        def.sense = sense;
        status = fr_world_create(&def, &p->world, NULL);
    }
    if (status == FR_OK) { status = fr_scene_build_world(p->scene, NULL, p->world, NULL, NULL); }
    if (status == FR_OK) { status = fr_task_pool_create(&pool_def, &p->pool, NULL); }
    if (status == FR_OK) {
        p->tasks = fr_task_pool_tasks(p->pool);
        return true;
    }
    close_played(p);
    bench_skip(b, fr_status_text(status));
    return false;
}

// A sample is 100 ticks. The counters are means of a tick: CPU time of all workers together, pairs over the step and at
// its end.
static void run(bench *b, const char *name, fr_sense sense) {
    played p;
    if (!open_played(b, name, sense, &p)) { return; }
    fr_tick_input input = fr_default_tick_input();
    input.tasks = &p.tasks;
    size_t count = bench_size(b, 2, 100), ticks = 0, step_pairs = 0, pairs = 0;
    clock_t used = 0;
    while (bench_repeat(b)) {
        for (size_t i = 0; i < count; i++) {
            clock_t start = clock();
            (void)fr_world_tick(p.world, &input, NULL);
            used += clock() - start;
            const fr_snapshot *snapshot = fr_world_snapshot(p.world);
            step_pairs += snapshot->step_result.pair_count;
            pairs += snapshot->pair_count;
            fr_snapshot_release(snapshot);
        }
        ticks += count;
    }
    bench_count(b, "cpu_us_a_tick", 1e6 * (double)used / CLOCKS_PER_SEC / (double)ticks);
    bench_count(b, "step_pairs", (double)step_pairs / (double)ticks);
    bench_count(b, "pairs", (double)pairs / (double)ticks);
    bench_items(b, (double)count);
    close_played(&p);
}

static void gears_static(bench *b) { run(b, "gears", FR_SENSE_STATIC); }
static void gears_continuous(bench *b) { run(b, "gears", FR_SENSE_CONTINUOUS); }
static void knots_continuous(bench *b) { run(b, "knots", FR_SENSE_CONTINUOUS); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"gears, 100 ticks, at the ends of steps", gears_static},
        {"gears, 100 ticks, over whole steps", gears_continuous},
        {"knots, 100 ticks, over whole steps", knots_continuous},
    };
    return bench_main(argc, argv, "fureai", "scene", cases, sizeof cases / sizeof cases[0]);
}

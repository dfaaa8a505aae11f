// Clashes of assemblies: N parts in a block, each a bumpy ball of 5,000 triangles that its neighbours touch or enter;
// every second part is an instance of the one before. All at once, and with meshes that are made when they are needed.
#include "clash_block.h"
#include "stage.h"

#include "fureai/clash_stream.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

typedef struct block {
    uint32_t part_count, shape_count;
    fr_clash_shape *shapes;
    fr_clash_instance *parts;
} block;

// A ball with waves of its own; the same for the same number.
static fr_status make_ball(uint32_t shape, const fr_control *control, fr_mesh **out, void *user, fr_error *error) {
    (void)user;
    double *positions = malloc(BLOCK_VERTICES * 3 * sizeof *positions);
    uint32_t *corners = malloc(BLOCK_TRIANGLES * 3 * sizeof *corners);
    if (positions == NULL || corners == NULL) { abort(); }
    block_ball(shape, positions, corners);
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = positions;
    def.vertex_count = BLOCK_VERTICES;
    def.triangles = corners;
    def.triangle_count = BLOCK_TRIANGLES;
    def.control = control;
    fr_status status = fr_mesh_create(&def, out, error);
    free(positions);
    free(corners);
    return status;
}

static block make_block(uint32_t part_count) {
    block b = {.part_count = part_count, .shape_count = (part_count + 1) / 2};
    b.shapes = malloc(b.shape_count * sizeof *b.shapes);
    b.parts = malloc(part_count * sizeof *b.parts);
    if (b.shapes == NULL || b.parts == NULL) { abort(); }
    for (uint32_t i = 0; i < b.shape_count; i++) {
        b.shapes[i] = (fr_clash_shape){{{-1.03, -1.03, -1.03}, {1.03, 1.03, 1.03}}, BLOCK_TRIANGLES};
    }
    for (uint32_t i = 0; i < part_count; i++) {
        fr_pose pose = fr_pose_identity();
        double place[3];
        block_place(i, part_count, place);
        pose.position = fr_vec3_make(place[0], place[1], place[2]);
        b.parts[i] = (fr_clash_instance){i / 2, pose};
    }
    return b;
}

static double megabytes_held(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// The high water of memory is that of the process: cases with less of it come first.
static void count_all(bench *b, const block *k, const fr_clash_output *found, double seconds) {
    bench_count(b, "parts", k->part_count);
    bench_count(b, "triangles", (double)BLOCK_TRIANGLES * k->part_count);
    bench_count(b, "clashes", (double)found->count);
    bench_count(b, "processor_seconds", seconds);
    bench_count(b, "max_mb", megabytes_held());
}

static void run_stream(bench *b, uint32_t part_count, size_t memory) {
    stage s = make_stage(b);
    block k = make_block(part_count);
    fr_clash_finder *finder;
    fr_error error;
    require(fr_clash_finder_create(NULL, &finder, &error), &error);
    fr_clash_stream_input input = fr_default_clash_stream_input();
    input.shapes = k.shapes;
    input.shape_count = k.shape_count;
    input.parts = k.parts;
    input.part_count = k.part_count;
    input.make = make_ball;
    input.memory = memory;
    input.tasks = &s.tasks;
    fr_clash_output found = {0};
    fr_clash_stream_stats stats = {0};
    double seconds = (double)INFINITY;
    while (bench_repeat(b)) {
        double begin = processor_seconds();
        require(fr_clash_find_stream(finder, &input, &found, &stats, &error), &error);
        seconds = fmin(seconds, processor_seconds() - begin);
    }
    count_all(b, &k, &found, seconds);
    bench_count(b, "made", (double)stats.made_count);
    bench_count(b, "batches", (double)stats.batch_count);
    bench_items(b, part_count);
    fr_clash_finder_destroy(finder);
    free(k.shapes);
    free(k.parts);
    end_stage(&s);
}

static void run_at_once(bench *b, uint32_t part_count) {
    stage s = make_stage(b);
    block k = make_block(part_count);
    fr_clash_finder *finder;
    fr_error error;
    require(fr_clash_finder_create(NULL, &finder, &error), &error);
    fr_clash_part *parts = malloc(part_count * sizeof *parts);
    fr_mesh **meshes = malloc(k.shape_count * sizeof(fr_mesh *));
    if (parts == NULL || meshes == NULL) { abort(); }
    fr_clash_output found = {0};
    double seconds = (double)INFINITY;
    while (bench_repeat(b)) {
        double begin = processor_seconds();
        for (uint32_t i = 0; i < k.shape_count; i++) {
            require(make_ball(i, NULL, &meshes[i], NULL, &error), &error);
        }
        for (uint32_t i = 0; i < part_count; i++) {
            parts[i] = (fr_clash_part){meshes[k.parts[i].shape], k.parts[i].pose};
        }
        fr_clash_input input = fr_default_clash_input();
        input.parts = parts;
        input.part_count = part_count;
        input.tasks = &s.tasks;
        require(fr_clash_find(finder, &input, &found, &error), &error);
        seconds = fmin(seconds, processor_seconds() - begin);
        bench_pause(b);
        for (uint32_t i = 0; i < k.shape_count; i++) {
            fr_mesh_release(meshes[i]);
        }
    }
    count_all(b, &k, &found, seconds);
    bench_count(b, "pairs", (double)found.pair_count);
    bench_items(b, part_count);
    fr_clash_finder_destroy(finder);
    free(parts);
    free(meshes);
    free(k.shapes);
    free(k.parts);
    end_stage(&s);
}

static uint32_t parts_of(const bench *b, size_t full) { return (uint32_t)bench_size(b, 8, full); }

static void stream_100(bench *b) { run_stream(b, parts_of(b, 100), 50u << 20); }
static void stream_1000(bench *b) { run_stream(b, parts_of(b, 1000), 200u << 20); }
static void at_once_100(bench *b) { run_at_once(b, parts_of(b, 100)); }
static void at_once_1000(bench *b) { run_at_once(b, parts_of(b, 1000)); }
static void stream_10000(bench *b) { run_stream(b, parts_of(b, 10000), (size_t)1 << 30); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"stream/100", stream_100},
                                       {"stream/1000", stream_1000},
                                       {"at_once/100", at_once_100},
                                       {"at_once/1000", at_once_1000},
                                       {"stream/10000", stream_10000}};
    return bench_main(argc, argv, "fureai", "clash", cases, sizeof cases / sizeof *cases);
}

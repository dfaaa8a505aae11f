// A pen against models: one sample asks for some hundred places of its tip, by each strategy. Models are balls of 0.3
// m. "About" is anywhere in a cube of 1 m, "outside" is that without the models' boxes, "surface" within 2 mm of one at
// random places, "way" along one, 0.15 mm a step, as a pen goes.
#include "stage.h"

#include "fureai/base_order.h"

#include <math.h>
#include <time.h>

#define RADIUS 0.15
#define POINTS 512
#define MODELS 50
#define MESHES 5

typedef enum { ABOUT, OUTSIDE, SURFACE, WAY } where;

// Balls by their polygons: 2 slices (stacks - 1).
typedef struct ball_size {
    uint32_t polygons, stacks, slices;
} ball_size;

static const ball_size sizes[] = {{16, 3, 4},         {32, 5, 4},          {64, 5, 8},    {128, 9, 8},
                                  {256, 9, 16},       {512, 17, 16},       {800, 21, 20}, {10000, 51, 100},
                                  {100000, 201, 250}, {1000000, 501, 1000}};

static fr_mesh *make_ball(uint32_t polygons, double radius) {
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i].polygons != polygons) { continue; }
        fr_mesh *mesh;
        fr_error error;
        require(fr_mesh_create_sphere(radius, sizes[i].stacks, sizes[i].slices, FR_AXIS_Y, NULL, &mesh, &error),
                &error);
        return mesh;
    }
    abort();
}

static double any(fr_random *random, double reach) { return fr_random_between(random, -reach, reach); }

static fr_vec3 any_direction(fr_random *random) {
    fr_vec3 v = fr_vec3_make(any(random, 1.0), any(random, 1.0), any(random, 1.0));
    return fr_vec3_unit(v, fr_vec3_make(0.0, 1.0, 0.0));
}

static fr_vec3 any_place(fr_random *random, where w, int i) {
    if (w == WAY) {
        double turn = 0.001 * i;
        return fr_vec3_scale(RADIUS + 0.001, fr_vec3_make(0.8 * cos(turn), 0.6, 0.8 * sin(turn)));
    }
    if (w == SURFACE) { return fr_vec3_scale(RADIUS + any(random, 0.002), any_direction(random)); }
    for (;;) {
        fr_vec3 v = fr_vec3_make(any(random, 0.5), any(random, 0.5), any(random, 0.5));
        if (w == ABOUT || fr_vec3_largest(v) > RADIUS + 0.02) { return v; }
    }
}

static void ask(bench *b, fr_touch_input *input, const fr_vec3 *places, size_t count) {
    static fr_touch_hit hits[512];
    input->hits = hits;
    input->capacity = 512;
    while (bench_repeat(b)) {
        fr_error error;
        uint64_t all = 0;
        for (size_t i = 0; i < count; i++) {
            uint32_t found;
            input->pose.position = places[i];
            require(fr_touch_pairs(input, &found, &error), &error);
            all += found;
        }
        bench_pause(b);
        bench_count(b, "hits", (double)all / (double)count);
    }
    bench_items(b, (double)count);
}

static void run(bench *b, uint32_t polygons, fr_touch_strategy strategy, uint32_t pair, uint32_t options, where w) {
    stage s = make_stage(b);
    fr_mesh *ball = make_ball((uint32_t)bench_size(b, 16, polygons), RADIUS);
    add_object(&s, ball, fr_pose_identity());
    fr_error error;
    require(fr_space_update(s.space, NULL, &error), &error);
    fr_vec3 places[POINTS];
    fr_random random = fr_random_seed(polygons);
    for (int i = 0; i < POINTS; i++) {
        places[i] = any_place(&random, w, i);
    }
    fr_touch_input input = fr_default_touch_input();
    input.space = s.space;
    input.strategy = strategy;
    input.pairs = pair;
    input.flags = options;
    // Where all polygons are tested a sample stays short: a busy machine then leaves some of them alone
    bool is_slow = (strategy == FR_TOUCH_POLYGON_ALL || strategy == FR_TOUCH_COMBINED) && w != OUTSIDE;
    size_t few = 40000 / polygons;
    size_t most = !is_slow || few > POINTS ? POINTS : few < 2 ? 2 : few;
    ask(b, &input, places, bench_size(b, 2, most));
    fr_mesh_release(ball);
    end_stage(&s);
}

// A frame among fifty models that stand side by side: the tip, and the corners of a held box.
static void run_models(bench *b, uint32_t pairs, where w) {
    stage s = make_stage(b);
    fr_mesh *balls[MESHES];
    for (int i = 0; i < MESHES; i++) {
        balls[i] = make_ball((uint32_t)bench_size(b, 16, 100000), RADIUS + 0.001 * i);
    }
    for (int i = 0; i < MODELS; i++) {
        fr_vec3 place = fr_vec3_make(0.32 * (i % 5), 0.32 * (double)(i / 5 % 5), 0.32 * (double)(i / 25));
        add_object(&s, balls[i % MESHES], fr_pose_make(place, fr_quat_identity()));
    }
    fr_mesh *held;
    fr_error error;
    require(fr_mesh_create_box(fr_vec3_make(0.1, 0.1, 0.1), NULL, &held, &error), &error);
    require(fr_space_update(s.space, NULL, &error), &error);
    fr_vec3 places[POINTS];
    fr_random random = fr_random_seed(3);
    for (int i = 0; i < POINTS; i++) {
        int n = i % MODELS;
        fr_vec3 center = fr_vec3_make(0.32 * (n % 5), 0.32 * (double)(n / 5 % 5), 0.32 * (double)(n / 25));
        places[i] = fr_vec3_add(center, any_place(&random, w, i));
    }
    fr_part_def part = fr_default_part_def();
    part.mesh = held;
    fr_touch_input input = fr_default_touch_input();
    input.space = s.space;
    input.pairs = pairs;
    input.parts = &part;
    input.part_count = 1;
    ask(b, &input, places, bench_size(b, 2, POINTS));
    fr_mesh_release(held);
    for (int i = 0; i < MESHES; i++) {
        fr_mesh_release(balls[i]);
    }
    end_stage(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// The haptic tick

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A minute at a thousand ticks a second: lengths of strings to a tip, three planes that change every 30 ms, a force,
// and the tensions for it. CPU time of each tick, with that of the clock itself.
static void tick(bench *b) {
    size_t count = bench_size(b, 200, 60000);
    double *seconds = malloc(count * sizeof *seconds);
    if (seconds == NULL) { abort(); }
    fr_strings strings = fr_default_strings();
    while (bench_repeat(b)) {
        fr_error error;
        fr_haptic *haptic = NULL;
        fr_haptic_def def = fr_default_haptic_def();
        require(fr_haptic_create(&def, &haptic, &error), &error);
        fr_random random = fr_random_seed(8);
        fr_vec3 tip = fr_vec3_make(0.0, 0.0, 0.0);
        fr_strings_tip_output found = {.tip = tip};
        for (size_t i = 0; i < count; i++) {
            fr_haptic_input input = {.dt = 1e-3, .is_held = true, .has_planes = i % 30 == 0};
            for (uint32_t k = 0; input.has_planes && k < 3; k++) {
                fr_vec3 n = any_direction(&random);
                input.planes[k] =
                    (fr_haptic_plane){.id = (uint32_t)i + k + 1, .normal = n, .offset = any(&random, 0.03)};
            }
            input.plane_count = 3;
            tip = fr_vec3_add_scaled(fr_vec3_scale(0.9995, tip), 5e-4, any_direction(&random));
            double lengths[FR_STRING_COUNT];
            for (int k = 0; k < FR_STRING_COUNT; k++) {
                lengths[k] = 1e-4 * round(1e4 * fr_vec3_distance(tip, strings.anchors[k]));
            }
            double begin = cpu_seconds();
            require(fr_strings_tip(&strings, lengths, &found.tip, &found, &error), &error);
            input.tip = found.tip;
            fr_haptic_output output;
            fr_haptic_tick(haptic, &input, &output);
            fr_strings_pull_output pull;
            require(fr_strings_pull(&strings, found.tip, output.force, FR_PULL_NEAREST, &pull, &error), &error);
            seconds[i] = cpu_seconds() - begin;
        }
        bench_pause(b);
        fr_sort_double(seconds, count);
        bench_count(b, "median_us", 1e6 * seconds[count / 2]);
        bench_count(b, "p999_us", 1e6 * seconds[count - 1 - count / 1000]);
        bench_count(b, "most_us", 1e6 * seconds[count - 1]);
        fr_haptic_destroy(haptic);
    }
    bench_items(b, (double)count);
    free(seconds);
}

// ---------------------------------------------------------------------------------------------------------------
// Cases

#define CASE(name, ...)                                                                                                \
    static void name(bench *b) { run(b, __VA_ARGS__); }
#define FOUR(n)                                                                                                        \
    CASE(box_##n, n, FR_TOUCH_BOX, FR_TOUCH_ORIGIN_BOX_FACE, 0, OUTSIDE)                                               \
    CASE(combined_out_##n, n, FR_TOUCH_COMBINED, FR_TOUCH_ORIGIN_FACE, 0, OUTSIDE)                                     \
    CASE(all_##n, n, FR_TOUCH_POLYGON_ALL, FR_TOUCH_ORIGIN_FACE, 0, ABOUT)                                             \
    CASE(combined_##n, n, FR_TOUCH_COMBINED, FR_TOUCH_ORIGIN_FACE, 0, SURFACE)                                         \
    CASE(near_##n, n, FR_TOUCH_COMBINED_NEAR, FR_TOUCH_ORIGIN_FACE, 0, ABOUT)                                          \
    CASE(surface_##n, n, FR_TOUCH_COMBINED_NEAR, FR_TOUCH_ORIGIN_FACE, 0, SURFACE)

FOUR(16)
FOUR(32)
FOUR(64)
FOUR(128)
FOUR(256)
FOUR(512)
FOUR(800)
FOUR(10000)
FOUR(100000)
FOUR(1000000)
CASE(closest_100000, 100000, FR_TOUCH_COMBINED_NEAR, FR_TOUCH_ORIGIN_FACE, FR_TOUCH_CLOSEST, SURFACE)
CASE(way_100000, 100000, FR_TOUCH_COMBINED_NEAR, FR_TOUCH_ORIGIN_FACE, 0, WAY)
CASE(vertex_100000, 100000, FR_TOUCH_COMBINED_NEAR, FR_TOUCH_ORIGIN_VERTEX, 0, SURFACE)

static void models_tip(bench *b) { run_models(b, FR_TOUCH_ORIGIN_FACE, ABOUT); }
static void models_surface(bench *b) { run_models(b, FR_TOUCH_ORIGIN_FACE, SURFACE); }
static void models_held(bench *b) { run_models(b, FR_TOUCH_ORIGIN_FACE | FR_TOUCH_BOX_FACE, SURFACE); }

#define NAMES(n)                                                                                                       \
    {"box, " #n " polygons, outside", box_##n}, {"combined, " #n " polygons, outside", combined_out_##n},              \
        {"all, " #n " polygons, about", all_##n}, {"combined, " #n " polygons, surface", combined_##n},                \
        {"near, " #n " polygons, about", near_##n}, {"near, " #n " polygons, surface", surface_##n},

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        // clang-format off
        NAMES(16) NAMES(32) NAMES(64) NAMES(128) NAMES(256) NAMES(512) NAMES(800)
        NAMES(10000) NAMES(100000) NAMES(1000000)
        // clang-format on
        {"near, 100000 polygons, surface, closest", closest_100000},
        {"near, 100000 polygons, surface, vertices", vertex_100000},
        {"near, 100000 polygons, way", way_100000},
        {"50 models of 100000, tip, about", models_tip},
        {"50 models of 100000, tip, surface", models_surface},
        {"50 models of 100000, tip and held box, surface", models_held},
        {"haptic tick", tick},
    };
    return bench_main(argc, argv, "fureai", "touch", cases, sizeof cases / sizeof cases[0]);
}

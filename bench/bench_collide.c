// Colliding faces at one instant, on the scenes that rivals run too. Every case checks the number of pairs.
#include "stage.h"

// ---------------------------------------------------------------------------------------------------------------
// What every case needs

static void require_pairs(long found, long expected) {
    if (expected < 0 || found == expected) { return; }
    fprintf(stderr, "bench_collide: %ld pairs, %ld expected\n", found, expected);
    exit(EXIT_FAILURE);
}

static void count_work(bench *b, const fr_collide_output *out, double samples) {
    bench_count(b, "nodes", (double)out->stats.nodes / samples);
    bench_count(b, "tested", (double)out->stats.tested / samples);
}

// ---------------------------------------------------------------------------------------------------------------
// W1, W2: two objects, a new pose each question

// One sample is all poses once.
static void run_pair(bench *b, const scene_pair_case *c) {
    fr_mesh *mesh = make_sphere(c->n, c->m, c->bumpy);
    stage s = make_stage(b);
    fr_object_id ids[2] = {add_object(&s, mesh, fr_pose_identity()), add_object(&s, mesh, fr_pose_identity())};
    use_tasks(&s, b);
    scene_pose_pair pairs[SCENE_W1_POSES];
    fr_pose poses[SCENE_W1_POSES][2];
    scene_pose_pairs(c->distance, c->poses, c->seed, pairs);
    for (int k = 0; k < c->poses; k++) {
        poses[k][0] = pose_of(&pairs[k].a);
        poses[k][1] = pose_of(&pairs[k].b);
    }

    fr_error error;
    fr_collide_output out, all = {0};
    while (bench_repeat(b)) {
        long found = 0;
        memset(&all, 0, sizeof all);
        for (int k = 0; k < c->poses; k++) {
            fr_object_set_pose(s.space, ids[0], &poses[k][0], NULL);
            fr_object_set_pose(s.space, ids[1], &poses[k][1], NULL);
            require(fr_collide_static_pair(s.collide, &s.input, ids[0], ids[1], &out, &error), &error);
            found += (long)out.pair_count;
            all.stats.nodes += out.stats.nodes;
            all.stats.tested += out.stats.tested;
        }
        bench_pause(b);
        require_pairs(found, c->pairs);
        bench_count(b, "pairs", (double)found);
    }
    bench_items(b, c->poses);
    count_work(b, &all, c->poses);
    end_stage(&s);
    fr_mesh_release(mesh);
}

static void w1_960(bench *b) { run_pair(b, &scene_w1_960); }
static void w1_3968(bench *b) { run_pair(b, &scene_w1_3968); }
static void w1_960_apart(bench *b) { run_pair(b, &scene_w1_960_apart); }
static void w1_3968_apart(bench *b) { run_pair(b, &scene_w1_3968_apart); }
static void w2_100k(bench *b) { run_pair(b, &scene_w2_100k); }

static void w2_1m(bench *b) {
    if (bench_size(b, 0, 1) == 0) {
        bench_skip(b, "too large to only show that it runs");
        return;
    }
    run_pair(b, &scene_w2_1m);
}

// ---------------------------------------------------------------------------------------------------------------
// W3: both objects deform

// One sample is one frame: new vertices, update, question. After 8 frames it begins again.
static void w3(bench *b) {
    scene_mesh from = scene_sphere(scene_w2_100k.n, scene_w2_100k.m, true);
    fr_mesh *mesh = make_mesh(&from);
    scene_pose_pair poses;
    scene_pose_pairs(1.9, 1, SCENE_W3_SEED, &poses);
    stage s = make_stage(b);
    fr_object_id ids[2] = {add_object(&s, mesh, pose_of(&poses.a)), add_object(&s, mesh, pose_of(&poses.b))};
    const fr_tasks *tasks = bench_threads(b) > 1 ? &s.tasks : NULL;
    s.input.tasks = tasks;
    fr_vec3 *vertices[2];
    for (int k = 0; k < 2; k++) {
        vertices[k] = malloc((size_t)from.vertex_count * sizeof(fr_vec3));
        if (vertices[k] == NULL) { abort(); }
        scene_wobble(&from, k, &vertices[k]->x);
    }

    fr_error error;
    fr_collide_output out = {0};
    int frame = 0;
    long found = 0;
    while (bench_repeat(b)) {
        for (int k = 0; k < 2; k++) {
            require(fr_object_set_vertices(s.space, ids[k], vertices[k], from.vertex_count, &error), &error);
        }
        require(fr_space_update(s.space, tasks, &error), &error);
        require(fr_collide_static(s.collide, &s.input, &out, &error), &error);
        bench_pause(b);
        found += (long)out.pair_count;
        if (++frame == SCENE_W3_FRAMES) {
            require_pairs(found, SCENE_W3_PAIRS);
            bench_count(b, "pairs in 8 frames", (double)found);
            frame = 0;
            found = 0;
        }
        for (int k = 0; k < 2; k++) {
            scene_wobble(&from, 0.3 * frame + k, &vertices[k]->x);
        }
    }
    count_work(b, &out, 1);
    free(vertices[0]);
    free(vertices[1]);
    scene_free_mesh(&from);
    end_stage(&s);
    fr_mesh_release(mesh);
}

// ---------------------------------------------------------------------------------------------------------------
// W4: many objects

// The poses of all frames as this library takes them.
static fr_pose *poses_of_flight(const scene_flight *flight) {
    size_t count = (size_t)flight->body_count * (size_t)flight->frame_count;
    fr_pose *poses = malloc(count * sizeof *poses);
    if (poses == NULL) { abort(); }
    for (size_t i = 0; i < count; i++) {
        poses[i] = pose_of(&flight->poses[i]);
    }
    return poses;
}

// One sample is all frames once, and in each: all poses, update, question.
static void run_bodies(bench *b, int count) {
    fr_mesh *mesh = make_sphere(SCENE_W4_MERIDIANS, SCENE_W4_STACKS, false);
    stage s = make_stage(b);
    const fr_tasks *tasks = bench_threads(b) > 1 ? &s.tasks : NULL;
    s.input.tasks = tasks;
    scene_flight flight = scene_make_flight(count);
    fr_pose *poses = poses_of_flight(&flight);
    fr_object_id *ids = malloc((size_t)count * sizeof *ids);
    if (ids == NULL) { abort(); }
    for (int i = 0; i < count; i++) {
        ids[i] = add_object(&s, mesh, pose_of(&flight.poses[i]));
    }

    fr_error error;
    fr_collide_output out, all = {0};
    while (bench_repeat(b)) {
        long found = 0;
        memset(&all, 0, sizeof all);
        for (int f = 0; f < flight.frame_count; f++) {
            const fr_pose *now = poses + (size_t)f * (size_t)count;
            for (int i = 0; i < count; i++) {
                require(fr_object_set_pose(s.space, ids[i], &now[i], &error), &error);
            }
            require(fr_space_update(s.space, tasks, &error), &error);
            require(fr_collide_static(s.collide, &s.input, &out, &error), &error);
            found += (long)out.pair_count;
            all.stats.object_pairs += out.stats.object_pairs;
            all.stats.nodes += out.stats.nodes;
            all.stats.tested += out.stats.tested;
        }
        bench_pause(b);
        require_pairs(found, flight.pairs);
        bench_count(b, "pairs", (double)found);
    }
    bench_items(b, flight.frame_count);
    bench_count(b, "part pairs", (double)all.stats.object_pairs / flight.frame_count);
    count_work(b, &all, flight.frame_count);
    free(ids);
    free(poses);
    scene_free_flight(&flight);
    end_stage(&s);
    fr_mesh_release(mesh);
}

static void w4_1000(bench *b) { run_bodies(b, (int)bench_size(b, 100, 1000)); }
static void w4_10000(bench *b) { run_bodies(b, (int)bench_size(b, 100, 10000)); }

// ---------------------------------------------------------------------------------------------------------------
// Growth: finer meshes that meet less deep, so that about as many faces collide (160 a question)

static void run_growth(bench *b, int n, int m, double distance) {
    if (bench_size(b, 0, 1) == 0 && n > 100) {
        bench_skip(b, "too large to only show that it runs");
        return;
    }
    scene_pair_case c = {n, m, true, distance, 8, SCENE_W2_SEED, -1};
    run_pair(b, &c);
}

static void growth_10k(bench *b) { run_growth(b, 100, 51, 1.9); }
static void growth_100k(bench *b) { run_growth(b, 250, 201, 2.0); }
static void growth_1m(bench *b) { run_growth(b, 1000, 501, 2.022); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"W1 960 @1.9 64 poses", w1_960},        {"W1 3968 @1.9 64 poses", w1_3968},
        {"W1 960 @2.5 64 poses", w1_960_apart},  {"W1 3968 @2.5 64 poses", w1_3968_apart},
        {"W2 100k @1.9 8 poses", w2_100k},       {"W2 1M @1.9 4 poses", w2_1m},
        {"W3 100k deforming a frame", w3},       {"W4 1000 bodies 20 frames", w4_1000},
        {"W4 10000 bodies 20 frames", w4_10000}, {"growth 10k 8 poses", growth_10k},
        {"growth 100k 8 poses", growth_100k},    {"growth 1M 8 poses", growth_1m},
    };
    return bench_main(argc, argv, "fureai", "collide", cases, sizeof cases / sizeof cases[0]);
}

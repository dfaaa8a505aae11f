// What surfaces let a body do: a hall of furniture from scratch, and after one chair moved.
#include "bench.h"

#include "fureai/human_surface.h"

#include <stdlib.h>

enum { PARTS_MAX = 8 };

// A box whose sides are cut into n x n squares, at a place of the object.
typedef struct board {
    fr_vec3 size, at;
} board;

// One side of a box: (n + 1)^2 points, 2 n^2 triangles.
static void add_side(float *positions, uint32_t *triangles, uint32_t side, uint32_t n, fr_vec3 half) {
    uint32_t first = side * (n + 1) * (n + 1), axis = side / 2;
    double sign = side % 2 == 0 ? 1.0 : -1.0, h[3] = {half.x, half.y, half.z};
    for (uint32_t i = 0; i <= n; i++) {
        for (uint32_t k = 0; k <= n; k++) {
            float *p = positions + 3 * (size_t)(first + i * (n + 1) + k);
            double u = 2.0 * i / n - 1.0, v = sign * (2.0 * k / n - 1.0);
            p[axis] = (float)(sign * h[axis]);
            p[(axis + 1) % 3] = (float)(u * h[(axis + 1) % 3]);
            p[(axis + 2) % 3] = (float)(v * h[(axis + 2) % 3]);
        }
    }
    for (uint32_t i = 0; i < n * n; i++) {
        uint32_t a = first + i / n * (n + 1) + i % n, b = a + n + 1;
        uint32_t *t = triangles + 6 * (size_t)(side * n * n + i);
        const uint32_t corners[6] = {a, b, b + 1, a, b + 1, a + 1};
        for (int k = 0; k < 6; k++) {
            t[k] = corners[k];
        }
    }
}

static fr_mesh *make_board(fr_vec3 size, uint32_t n) {
    size_t points = 6 * (size_t)(n + 1) * (n + 1), count = 12 * (size_t)n * n;
    float *positions = calloc(3 * points, sizeof *positions);
    uint32_t *triangles = calloc(3 * count, sizeof *triangles);
    fr_mesh *mesh = NULL;
    if (positions != NULL && triangles != NULL) {
        for (uint32_t side = 0; side < 6; side++) {
            add_side(positions, triangles, side, n, fr_vec3_scale(0.5, size));
        }
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_float = positions;
        def.vertex_count = (uint32_t)points;
        def.triangles = triangles;
        def.triangle_count = (uint32_t)count;
        if (fr_mesh_create(&def, &mesh, NULL) != FR_OK) { mesh = NULL; }
    }
    free(positions);
    free(triangles);
    return mesh;
}

static bool add_piece(fr_space *space, const board *boards, uint32_t count, uint32_t n, fr_pose pose,
                      fr_object_id *out) {
    fr_part_def parts[PARTS_MAX];
    bool is_whole = true;
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = fr_default_part_def();
        parts[i].mesh = make_board(boards[i].size, n);
        parts[i].pose.position = boards[i].at;
        is_whole = is_whole && parts[i].mesh != NULL;
    }
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = count;
    def.pose = pose;
    is_whole = is_whole && fr_object_add(space, &def, out, NULL) == FR_OK;
    for (uint32_t i = 0; i < count; i++) {
        fr_mesh_release(parts[i].mesh);
    }
    return is_whole;
}

static const board table[] = {
    {{1.4, 0.03, 0.8}, {0, 0.735, 0}},          {{0.05, 0.72, 0.05}, {0.65, 0.36, 0.35}},
    {{0.05, 0.72, 0.05}, {-0.65, 0.36, 0.35}},  {{0.05, 0.72, 0.05}, {0.65, 0.36, -0.35}},
    {{0.05, 0.72, 0.05}, {-0.65, 0.36, -0.35}},
};
static const board chair[] = {
    {{0.44, 0.04, 0.42}, {0, 0.43, 0}},         {{0.44, 0.45, 0.03}, {0, 0.69, -0.19}},
    {{0.04, 0.41, 0.04}, {0.19, 0.205, 0.18}},  {{0.04, 0.41, 0.04}, {-0.19, 0.205, 0.18}},
    {{0.04, 0.41, 0.04}, {0.19, 0.205, -0.18}}, {{0.04, 0.41, 0.04}, {-0.19, 0.205, -0.18}},
};
static const board shelf[] = {
    {{0.02, 1.8, 0.3}, {0.5, 0.9, 0}}, {{0.02, 1.8, 0.3}, {-0.5, 0.9, 0}}, {{0.98, 0.02, 0.3}, {0, 0.2, 0}},
    {{0.98, 0.02, 0.3}, {0, 0.6, 0}},  {{0.98, 0.02, 0.3}, {0, 1.0, 0}},   {{0.98, 0.02, 0.3}, {0, 1.4, 0}},
    {{0.98, 0.02, 0.3}, {0, 1.79, 0}},
};
static const board hall[] = {
    {{24, 0.1, 18}, {0, -0.05, 0}},
    {{24, 3, 0.1}, {0, 1.5, 9.05}},
    {{24, 3, 0.1}, {0, 1.5, -9.05}},
    {{0.1, 3, 18}, {12.05, 1.5, 0}},
};

typedef struct room {
    fr_space *space;
    fr_object_id moved; // a chair
    fr_task_pool *pool;
    fr_tasks tasks;
} room;

static fr_pose at(double x, double z, double heading) {
    return fr_pose_make(fr_vec3_make(x, 0.0, z), fr_quat_from_vector(fr_vec3_make(0.0, heading, 0.0)));
}

// 30 tables, 70 chairs and 19 shelves in a hall of 24 x 18 m; no two share a mesh.
static bool fill(bench *b, room *r) {
    uint32_t fine = (uint32_t)bench_size(b, 1, 6), coarse = (uint32_t)bench_size(b, 1, 4);
    fr_random random = fr_random_seed(29);
    fr_object_id id;
    bool is_full = add_piece(r->space, hall, 4, 1, fr_pose_identity(), &id);
    for (int i = 0; i < 30 && is_full; i++) {
        double x = -9.5 + 3.7 * (i % 6), z = -7.0 + 3.4 * (i / 6);
        is_full = add_piece(r->space, table, 5, fine, at(x, z, fr_random_between(&random, -0.2, 0.2)), &id);
        int chairs = i < 10 ? 3 : 2;
        for (int k = 0; k < chairs && is_full; k++) {
            double off = k == 2 ? 0.0 : 0.95, side = k == 2 ? 1.4 : 0.0, sign = k == 1 ? 1.0 : -1.0;
            double away = fr_random_between(&random, 0.0, 0.2);
            fr_pose pose = at(x + side, z + sign * off + (k == 2 ? 0.0 : sign * away), k == 1 ? FR_PI : 0.0);
            is_full = add_piece(r->space, chair, 6, coarse, pose, i == 14 ? &r->moved : &id);
        }
    }
    for (int i = 0; i < 19 && is_full; i++) {
        is_full = add_piece(r->space, shelf, 7, fine,
                            at(-11.0 + 1.5 * (i % 15), i < 15 ? 8.7 : -8.7, i < 15 ? FR_PI : 0.0), &id);
    }
    return is_full && fr_space_update(r->space, NULL, NULL) == FR_OK;
}

static void free_room(room *r) {
    fr_space_destroy(r->space);
    fr_task_pool_destroy(r->pool);
}

static bool make_room(bench *b, room *r) {
    *r = (room){0};
    fr_space_def def = fr_default_space_def();
    fr_task_pool_def pool = fr_default_task_pool_def();
    pool.worker_count = bench_threads(b);
    bool is_made = fr_space_create(&def, &r->space, NULL) == FR_OK && fill(b, r) &&
                   fr_task_pool_create(&pool, &r->pool, NULL) == FR_OK;
    if (is_made) { r->tasks = fr_task_pool_tasks(r->pool); }
    if (!is_made) { bench_skip(b, "out of memory"); }
    return is_made;
}

static fr_surfaces *open_surfaces(void) {
    fr_surfaces_def def = fr_default_surfaces_def();
    fr_surfaces *surfaces = NULL;
    return fr_surfaces_create(&def, &surfaces, NULL) == FR_OK ? surfaces : NULL;
}

static void note(bench *b, const fr_surfaces *surfaces) {
    fr_surfaces_stats stats = fr_surfaces_get_stats(surfaces);
    bench_count(b, "faces", stats.triangles);
    bench_count(b, "surfaces", stats.count);
    bench_count(b, "looked_at", stats.looked_at);
    bench_count(b, "bytes_a_face", (double)stats.bytes / stats.triangles);
}

static void run_hall(bench *b) {
    room r;
    if (make_room(b, &r)) {
        fr_surfaces_input input = fr_default_surfaces_input();
        input.space = r.space;
        input.tasks = &r.tasks;
        while (bench_repeat(b)) {
            fr_surfaces *surfaces = open_surfaces();
            if (surfaces == NULL || fr_surfaces_update(surfaces, &input, NULL) != FR_OK) {
                bench_skip(b, "out of memory");
            }
            bench_pause(b);
            if (surfaces != NULL) { note(b, surfaces); }
            fr_surfaces_destroy(surfaces);
        }
    }
    free_room(&r);
}

// The chair goes to and fro by 5 cm.
static void run_moved(bench *b) {
    room r;
    fr_surfaces *surfaces = open_surfaces();
    if (make_room(b, &r) && surfaces != NULL) {
        fr_surfaces_input input = fr_default_surfaces_input();
        input.space = r.space;
        input.tasks = &r.tasks;
        (void)fr_surfaces_update(surfaces, &input, NULL);
        fr_pose pose = fr_object_get(r.space, r.moved)->pose;
        double step = 0.05;
        pose.position.x += step;
        (void)fr_object_set_pose(r.space, r.moved, &pose, NULL);
        (void)fr_space_update(r.space, NULL, NULL);
        while (bench_repeat(b)) {
            (void)fr_surfaces_update(surfaces, &input, NULL);
            bench_pause(b);
            note(b, surfaces);
            step = -step;
            pose.position.x += step;
            (void)fr_object_set_pose(r.space, r.moved, &pose, NULL);
            (void)fr_space_update(r.space, NULL, NULL);
        }
    }
    fr_surfaces_destroy(surfaces);
    free_room(&r);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"hall of furniture", run_hall}, {"one chair moved", run_moved}};
    return bench_main(argc, argv, "fureai", "afford", cases, 2);
}

// The tree: build, refit, rays, closest points, two trees at once. The rival's cases of the same names are Embree's.
#include "bench.h"
#include "bumpy_sphere.h"

#include "fureai/shape.h"
#include "shape/mesh.h"
#include "shape/tree_kernel.h"

#include <math.h>
#include <stdlib.h>

#define QUERIES 20000

// The sphere of about 1 M or 100 k triangles, small under --smoke.
static fr_mesh *make_mesh(bench *b, bool large) {
    bumpy_sphere sphere;
    uint32_t slices = (uint32_t)bench_size(b, 24, large ? 1000 : 250),
             stacks = (uint32_t)bench_size(b, 21, large ? 501 : 201);
    fr_mesh *mesh = NULL;
    if (bumpy_sphere_make(slices, stacks, &sphere)) {
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_float = sphere.positions;
        def.vertex_count = sphere.vertex_count;
        def.triangles = sphere.triangles;
        def.triangle_count = sphere.triangle_count;
        fr_mesh_create(&def, &mesh, NULL);
        bumpy_sphere_free(&sphere);
    }
    if (mesh == NULL) { bench_skip(b, "out of memory"); }
    return mesh;
}

static fr_box *make_boxes(const fr_mesh *mesh) {
    fr_box *boxes = malloc(mesh->view.triangle_count * sizeof *boxes);
    if (boxes == NULL) { return NULL; }
    for (uint32_t t = 0; t < mesh->view.triangle_count; t++) {
        boxes[t] = fr__mesh_triangle_box(&mesh->view, t);
    }
    return boxes;
}

static void count_tree(bench *b, const fr_tree *tree) {
    fr_tree_stats stats = fr_tree_get_stats(tree);
    bench_count(b, "nodes", stats.node_count);
    bench_count(b, "leaves", stats.leaf_count);
    bench_count(b, "depth", stats.depth);
    bench_count(b, "cost", stats.sah_cost);
    bench_count(b, "MB", (double)stats.bytes / 1e6);
}

// Boxes of the triangles, then the tree.
static void build(bench *b, bool large) {
    fr_mesh *mesh = make_mesh(b, large);
    if (mesh == NULL) { return; }
    fr_task_pool *pool = NULL;
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = bench_threads(b);
    fr_task_pool_create(&pool_def, &pool, NULL);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    while (bench_repeat(b)) {
        fr_box *boxes = make_boxes(mesh);
        fr_tree_def def = fr_default_tree_def();
        def.boxes = boxes;
        def.count = mesh->view.triangle_count;
        def.tasks = &tasks;
        fr_tree *tree = NULL;
        fr_status status = fr_tree_create(&def, &tree, NULL);
        free(boxes);
        bench_pause(b);
        if (status != FR_OK) { bench_skip(b, fr_status_text(status)); }
        if (status == FR_OK) { count_tree(b, tree); }
        fr_tree_destroy(tree);
    }
    bench_items(b, mesh->view.triangle_count);
    fr_task_pool_destroy(pool);
    fr_mesh_release(mesh);
}

static void build_1m(bench *b) { build(b, true); }
static void build_100k(bench *b) { build(b, false); }

static void refit_100k(bench *b) {
    fr_mesh *mesh = make_mesh(b, false);
    if (mesh == NULL) { return; }
    fr_box *boxes = make_boxes(mesh);
    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.count = mesh->view.triangle_count;
    fr_tree *tree = NULL;
    if (boxes == NULL || fr_tree_create(&def, &tree, NULL) != FR_OK) {
        bench_skip(b, "out of memory");
    } else {
        while (bench_repeat(b)) {
            fr_tree_refit(tree, boxes, def.count, NULL, NULL);
        }
        bench_items(b, def.count);
    }
    fr_tree_destroy(tree);
    free(boxes);
    fr_mesh_release(mesh);
}

static void ray_1m(bench *b) {
    fr_mesh *mesh = make_mesh(b, true);
    if (mesh == NULL) { return; }
    while (bench_repeat(b)) {
        uint64_t state = 88172645463325252u;
        double hits = 0.0;
        for (int i = 0; i < QUERIES; i++) {
            double from[3], to[3];
            bench_place(&state, 3.0, from);
            bench_place(&state, 0.9, to);
            fr_ray ray = {{from[0], from[1], from[2]}, {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, INFINITY};
            hits += fr_mesh_ray(mesh, &ray).triangle != FR_NONE;
        }
        bench_count(b, "hits", hits);
    }
    bench_items(b, QUERIES);
    fr_mesh_release(mesh);
}

static void closest_1m(bench *b) {
    fr_mesh *mesh = make_mesh(b, true);
    if (mesh == NULL) { return; }
    while (bench_repeat(b)) {
        uint64_t state = 88172645463325252u;
        double sum = 0.0;
        for (int i = 0; i < QUERIES; i++) {
            double at[3];
            bench_place(&state, 1.5, at);
            sum += fr_mesh_closest(mesh, fr_vec3_make(at[0], at[1], at[2]), INFINITY).distance;
        }
        bench_count(b, "sum of distances", sum);
    }
    bench_items(b, QUERIES);
    fr_mesh_release(mesh);
}

static bool count_pair(uint32_t leaf_a, uint32_t leaf_b, void *context) {
    (void)leaf_a;
    (void)leaf_b;
    ++*(uint64_t *)context;
    return true;
}

// Two spheres 1.9 apart, a new turn each time: pairs of leaves whose boxes meet.
static void pairs(bench *b, bool large) {
    fr_mesh *mesh = make_mesh(b, large);
    if (mesh == NULL) { return; }
    uint64_t found = 0;
    const int poses = 8;
    while (bench_repeat(b)) {
        found = 0;
        for (int i = 0; i < poses; i++) {
            fr_pose a = fr_pose_make(fr_vec3_make(0, 0, 0), fr_quat_from_vector(fr_vec3_make(0.3 * i, 1, 0.2)));
            fr_pose other = fr_pose_make(fr_vec3_make(1.9, 0, 0), fr_quat_from_vector(fr_vec3_make(1, 0.5 * i, 0.1)));
            fr__tree_relation relation = fr__tree_relate(mesh->tree, &a, mesh->tree, &other, 0.0);
            fr__tree_kernel()->pairs(mesh->tree, mesh->tree, &relation, count_pair, &found);
        }
    }
    bench_count(b, "pairs of leaves", (double)found);
    bench_items(b, (double)found);
    fr_mesh_release(mesh);
}

static void pairs_1m(bench *b) { pairs(b, true); }
static void pairs_100k(bench *b) { pairs(b, false); }

static void winding_1m(bench *b) {
    fr_mesh *mesh = make_mesh(b, true);
    if (mesh == NULL) { return; }
    while (bench_repeat(b)) {
        uint64_t state = 88172645463325252u;
        double sum = 0.0;
        for (int i = 0; i < QUERIES; i++) {
            double at[3];
            bench_place(&state, 1.1, at);
            sum += fr_mesh_winding(mesh, fr_vec3_make(at[0], at[1], at[2]));
        }
        bench_count(b, "inside", sum);
    }
    bench_items(b, QUERIES);
    fr_mesh_release(mesh);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"build_100k", build_100k}, {"build_1m", build_1m}, {"closest_1m", closest_1m}, {"pairs_100k", pairs_100k},
        {"pairs_1m", pairs_1m},     {"ray_1m", ray_1m},     {"refit_100k", refit_100k}, {"winding_1m", winding_1m},
    };
    return bench_main(argc, argv, "fureai", "tree", cases, sizeof cases / sizeof cases[0]);
}
